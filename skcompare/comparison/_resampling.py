"""What the tests share whose p-value is a share of resamples."""

import abc
import copy
import dataclasses
import math
from typing import NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from skcompare._caveats import Caveat, warn_of
from skcompare._engine import Cells, draw
from skcompare._parameters import MOST_RESAMPLES, Integer, OneOf, WordOr
from skcompare._validation import seed_of
from skcompare.comparison._base import RowTest, TakesRowScores, from_result
from skcompare.exceptions import UndefinedScoreWarning
from skcompare.stats.pvalues import (
    exceeding,
    monte_carlo_error,
    resampling_pvalue,
    rounding_tolerance,
)
from skcompare.stats.sequential import MOST_IF_UNCERTAIN, stopping_rule


class Reference(NamedTuple):
    """What the observed difference is compared with, to make a p-value.

    Attributes
    ----------
    null : ndarray of shape (n_resamples,)
        What resamples say the statistic may be where there is no difference.
    observed : float
        The statistic.
    alternative : {"greater", "less", "two-sided"}
        What counts as extreme.
    tolerance : float
        How far apart ties may be by rounding.
    center : float or None
        What resampled differences lie around, if `null` is how far they are from it.
    n_tails : int
        2 if one tail is counted for a two-sided p-value, which doubles it.
    """

    null: np.ndarray
    observed: float
    alternative: str
    tolerance: float
    center: float | None
    n_tails: int = 1

    def exceeding(self):
        """Mark the resamples that count against the null hypothesis."""
        return exceeding(
            self.null, self.observed, self.alternative, tolerance=self.tolerance
        )


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Resamples:
    """Scores of models on resamples: a value, to draw conclusions from.

    Parameters
    ----------
    cells : Cells
        What was resampled.
    models : tuple of int
        Whose scores these are.
    drawn : ndarray of shape (n_resamples, n_metrics, n_models) or None
        The scores; with `has_errors` standard errors of differences come last.
    has_errors : bool
        Whether they do.
    observed_errors : ndarray of shape (n_metrics,) or None
        The standard errors of the observed differences.
    left_out : ndarray of shape (n_units, n_metrics, n_models) or None
        The scores without each unit.
    rules : dict of StoppingRule or None
        When a test that stops early stops, by metric.
    exhaustive : bool
        Whether these are all resamples that there are.
    """

    cells: Cells
    models: tuple
    drawn: np.ndarray | None = None
    has_errors: bool = False
    observed_errors: np.ndarray | None = None
    left_out: np.ndarray | None = None
    rules: dict | None = None
    exhaustive: bool = False


class ResamplingTest(TakesRowScores, RowTest):
    """A test whose p-value is a share of resamples.

    A subclass says in `_resample` what is drawn and in `conclude` what it shows. Pairs
    of many models share what was drawn for all of them.
    """

    _rules = {"n_resamples": WordOr(OneOf("auto"), Integer(1, MOST_RESAMPLES))}

    # With n_resamples="auto", the least number of resamples.
    _fewest = None

    pvalue_error_ = from_result("pvalue_error")
    n_exceeding_ = from_result("n_exceeding")
    standard_error_ = from_result("standard_error")
    distribution_ = from_result("distribution")

    def resample(self, problem, so_far=None):
        """Draw resamples.

        Parameters
        ----------
        problem : Problem
            Two models or more.
        so_far : Resamples or None, default=None
            Fewer of the same problem, which need not be drawn again.

        Returns
        -------
        Resamples
            The scores of all models on them.
        """
        n_resamples = self._most_resamples
        ideal = isinstance(n_resamples, str)  # infinitely many
        cells = problem.cells(math.inf if ideal else n_resamples)
        resamples = self._resample(problem, cells, so_far)
        if resamples is not None:
            return resamples
        # A metric that was recognized is another on some resample: it is called on all.
        return self._resample(problem, cells.by_rows(), so_far)

    @abc.abstractmethod
    def _resample(self, problem, cells, so_far):
        """Draw resamples of cells; None if a metric turns out not to add up."""

    @abc.abstractmethod
    def conclude(self, problem, resamples):
        """Return the `Outcome` for the two models of a problem, given resamples."""

    def compare(self, problem):
        """Compare the two models of a problem."""
        return self.conclude(problem, self.resample(problem))

    def _seed(self):
        return seed_of(self.random_state)

    @property
    def shares_resamples(self):
        """Whether one set of resamples can serve all pairs of many models."""
        return not isinstance(self.n_resamples, str)

    @property
    def _most_resamples(self):
        """The number of resamples, or the largest that it may come to."""
        return MOST_IF_UNCERTAIN if self.n_resamples == "auto" else self.n_resamples

    def _draw(self, problem, resampler, n_draws, label, so_far=None):
        return draw(
            resampler,
            n_draws,
            so_far=so_far,
            seed=problem.seed,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
            label=label,
        )

    def _draw_enough(self, problem, cells, resampler, label, so_far, errors=None):
        """Draw as many resamples as asked for, or until the decision is certain.

        Parameters
        ----------
        problem : Problem
            Two models or more.
        cells : Cells
            What to draw of it.
        resampler : Resampler
            How.
        label : str
            What to call it when showing progress.
        so_far : Resamples or None
            Those to add to, if they are scored alike.
        errors : ndarray of shape (n_metrics,) or None, default=None
            The standard errors of the observed differences, if they are known.

        Returns
        -------
        drawn : ndarray
            The scores.
        rules : dict of StoppingRule or None
            When to stop, by metric.
        """
        drawn = None
        if so_far is not None and so_far.cells.engines == cells.engines:
            drawn = so_far.drawn
        if self.n_resamples != "auto":
            return self._draw(problem, resampler, self.n_resamples, label, drawn), None
        chunk_size = resampler.scheme.chunk_size
        levels = {m: self.alpha / self._n_tails(problem, m) for m in problem.statistics}
        rules = {
            metric: stopping_rule(float(level), self._fewest, chunk_size)
            for metric, level in levels.items()
        }
        errors = [None] * len(rules) if errors is None else errors
        looks = next(iter(rules.values())).looks
        for look in looks.tolist():
            drawn = self._draw(problem, resampler, look, label, drawn)
            ends = (
                rules[metric].end(
                    self._reference(
                        problem, problem.facts(metric), drawn[:, place], errors[place]
                    ).exceeding()
                )
                for place, metric in enumerate(rules)
            )
            if all(ends):
                break
        return drawn, rules

    def _n_tails(self, problem, metric):
        """Return how many tails a p-value has of which one is counted."""
        return 1

    def _reference(self, problem, facts, drawn, error=None):
        """Return what the difference in a metric is compared with.

        Parameters
        ----------
        problem : Problem
            Two models.
        facts : dict
            Those of the problem in the metric.
        drawn : ndarray of shape (n_resamples, 2 or 3)
            The resampled scores of the two models, and standard errors of their
            difference if there are any.
        error : float or None, default=None
            The standard error of the observed difference, if it is known.

        Returns
        -------
        Reference
            The null distribution and the observed statistic.
        """
        scores, scale = drawn[:, :2], problem.statistics[facts["scoring"]].scale
        # Redrawn rows keep the difference that there is; swaps make it 0.
        center = facts["delta"] if self.redraws_rows else 0.0
        return Reference(
            null=scores[:, 0] - scores[:, 1] - center,
            observed=facts["delta"],
            alternative=self.alternative,
            tolerance=rounding_tolerance(scores, scale),
            center=center,
        )

    def _count(self, problem, facts, drawn, resamples, error=None):
        """Count the resamples that exceed, for a p-value and its error.

        Parameters
        ----------
        problem : Problem
            Two models.
        facts : dict
            Those of the problem in the metric.
        drawn : ndarray of shape (n_resamples, 2 or 3)
            The resampled scores of the two models, nan where undefined, and standard
            errors of their difference if there are any.
        resamples : Resamples
            Where they come from.
        error : float or None, default=None
            The standard error of the observed difference, if it is known.

        Returns
        -------
        dict
            Fields of a `ComparisonResult`.
        """
        metric = facts["scoring"]
        reference = self._reference(problem, facts, drawn, error)
        marked, rules = reference.exceeding(), resamples.rules
        rule = None if rules is None else rules[metric]
        n = len(marked) if rule is None else rule.end(marked)
        deltas, n_exceeding = drawn[:n, 0] - drawn[:n, 1], int(marked[:n].sum())
        defined = np.isfinite(deltas)
        if not defined.any():
            trouble = resamples.cells.statistics[metric].generic.trouble
            raise ValueError(
                f"The scorer {metric!r} is undefined on all {n:,} resamples: "
                f"{trouble or 'it returned nan on each'}. If resamples lack a class, "
                "pass strata=y."
            )
        counted = {
            "n_exceeding": n_exceeding,
            "n_resamples": n,
            "n_undefined": int(n - defined.sum()),
            "center": reference.center,
            "distribution": deltas,
        }
        if resamples.exhaustive:  # their share is the p-value itself
            return {
                **counted,
                "pvalue": n_exceeding / n,
                "pvalue_error": 0.0,
                "standard_error": float(np.std(deltas[defined])),
            }
        if rule is None:
            pvalue = resampling_pvalue(n_exceeding, n, add_one=self.add_one)
        else:
            pvalue = rule.pvalue(n_exceeding, n)
            settled = rule.settles(n_exceeding, n)
            counted["decision_risk"] = rule.risk if settled else 1.0
        ddof, n_tails = min(1, defined.sum() - 1), reference.n_tails
        return {
            **counted,
            "pvalue": min(1.0, n_tails * pvalue),
            "pvalue_error": n_tails * monte_carlo_error(pvalue, n),
            "standard_error": float(np.std(deltas[defined], ddof=ddof)),
        }

    def _publish(self, problem):
        resamples = self.resample(problem)
        self._keep(self.conclude(problem, resamples))
        self._problem, self._resamples = problem, resamples

    def extend(self, n_resamples):
        """Draw more resamples, on top of those of the last fit.

        Parameters
        ----------
        n_resamples : int
            How many more.

        Returns
        -------
        object
            The fitted test itself, with the results of all resamples: the same as if
            they had been asked for at once. Its parameters stay as they are.
        """
        check_is_fitted(self, "results_")
        Integer(1, MOST_RESAMPLES).check("n_resamples", n_resamples)
        results = self.results_.values()
        exact = all(result.n_exceeding is None for result in results)
        if isinstance(self.n_resamples, str) or self._resamples.exhaustive or exact:
            raise ValueError(
                "There is nothing to extend: `extend` adds resamples to a test that "
                "has drawn a given number of them. An exact or ideal p-value needs no "
                "more, and one that stopped early (n_resamples='auto') would not be "
                "valid with more."
            )
        total = len(self._resamples.drawn) + n_resamples
        at_once = copy.copy(self).set_params(n_resamples=total)
        resamples = at_once.resample(self._problem, self._resamples)
        outcome = at_once.conclude(self._problem, resamples)
        warn_of(outcome.caveats)
        models = {"estimator_a": self.estimator_a, "estimator_b": self.estimator_b}
        before, self._resamples = self._winner(models), resamples
        self.results_ = outcome.results
        winner = self._winner(models)
        if "best_estimator_" in vars(self) and winner is not before:
            del self.best_estimator_
            if self.cv == "prefit":  # else the other model is not fitted on all rows
                self.best_estimator_ = winner
        return self


def undefined_caveat(fields):
    """Say on how many resamples some metric has no value, given fields of results."""
    counts = {m: own["n_undefined"] for m, own in fields.items() if own["n_undefined"]}
    if not counts:
        return None
    n_resamples = next(iter(fields.values()))["n_resamples"]
    listed = ", ".join(f"{name} on {count:,}" for name, count in counts.items())
    return Caveat(
        UndefinedScoreWarning,
        f"Undefined resamples, of {n_resamples:,}: {listed}. They count as exceeding "
        "in the p-value and are left out of intervals. If resamples lack a class, "
        "strata=y keeps all classes in each, in fixed shares.",
        severity=sum(counts.values()),
    )
