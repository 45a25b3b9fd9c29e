"""What the tests share whose p-value is a share of resamples."""

import abc
import copy
import math
from typing import NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from skcompare._caveats import Caveat, warn_of
from skcompare._engine import Cells, Misrecognized, confirm, draw
from skcompare._evaluation import Problem
from skcompare._parameters import MOST_RESAMPLES, Integer
from skcompare._validation import seed_of
from skcompare.comparison._base import RowTest, TakesRowScores, from_result
from skcompare.exceptions import UndefinedScoreWarning
from skcompare.stats.pvalues import (
    exceeding,
    monte_carlo_error,
    resampling_pvalue,
    rounding_tolerance,
    spread,
    t_statistics,
)
from skcompare.stats.sequential import MOST_IF_UNCERTAIN, stopping_rule

# Standard errors are computed from numerical derivatives, good to nine digits or so.
T_TOLERANCE = 1e-8


class Resamples(NamedTuple):
    """Scores of models on resamples: a value, to draw conclusions from.

    Attributes
    ----------
    cells : Cells
        What was resampled.
    models : tuple of int
        Whose scores these are.
    drawn : ndarray of shape (n_resamples, n_metrics, n_models) or None
        The scores; with `observed_errors` standard errors of differences come last.
        None stands for infinitely many resamples.
    observed_errors : ndarray of shape (n_metrics,) or None
        The standard errors of the observed differences, nan where not known.
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
    observed_errors: np.ndarray | None = None
    left_out: np.ndarray | None = None
    rules: dict | None = None
    exhaustive: bool = False

    def of(self, problem, metric):
        """Return what they say of the two models of a problem, in a metric."""
        statistic = problem.statistics[metric]
        place = list(problem.statistics).index(metric)
        pair = [self.models.index(model) for model in problem.models]
        score_a, score_b = statistic.observed
        drawn, with_errors = self.drawn[:, place], self.observed_errors is not None
        scores = drawn[:, pair]
        deltas = scores[:, 0] - scores[:, 1]
        return Resampled(
            problem=problem,
            metric=metric,
            delta=score_a - score_b,
            scores=scores,
            deltas=deltas,
            defined=np.isfinite(deltas),
            tolerance=rounding_tolerance(scores, statistic.scale),
            errors=drawn[:, -1] if with_errors else None,
            error=self.observed_errors[place] if with_errors else np.nan,
            left_out=None if self.left_out is None else self.left_out[:, place, pair],
        )


class Resampled(NamedTuple):
    """What resamples say of two models in one metric.

    Attributes
    ----------
    problem : Problem
        The two models.
    metric : str
        The name of the metric.
    delta : float
        The observed difference.
    scores : ndarray of shape (n_resamples, 2)
        Resampled scores, nan where undefined.
    deltas : ndarray of shape (n_resamples,)
        Their differences.
    defined : ndarray of bool, shape (n_resamples,)
        Which resamples have a difference.
    tolerance : float
        How far apart ties may be by rounding.
    errors : ndarray of shape (n_resamples,) or None
        Standard errors of the differences.
    error : float
        The standard error of the observed difference, nan if it is not known.
    left_out : ndarray of shape (n_units, 2) or None
        The scores without each unit.
    """

    problem: Problem
    metric: str
    delta: float
    scores: np.ndarray
    deltas: np.ndarray
    defined: np.ndarray
    tolerance: float
    errors: np.ndarray | None = None
    error: float = np.nan
    left_out: np.ndarray | None = None


class NullDistribution(NamedTuple):
    """What the observed statistic is compared with, to make a p-value.

    Attributes
    ----------
    values : ndarray of shape (n_resamples,)
        What resamples say the statistic may be where there is no difference.
    observed : float
        The statistic.
    alternative : {"greater", "less", "two-sided"}
        What counts as extreme.
    tolerance : float
        How far apart ties may be by rounding.
    center : float or None, default=None
        What resampled differences lie around, if `values` are how far they are from it.
    n_tails : int, default=1
        2 if one tail is counted for a two-sided p-value, which doubles it.
    """

    values: np.ndarray
    observed: float
    alternative: str
    tolerance: float
    center: float | None = None
    n_tails: int = 1

    def exceeding(self):
        """Mark the resamples that count against the null hypothesis."""
        return exceeding(
            self.values, self.observed, self.alternative, tolerance=self.tolerance
        )

    def studentized(self, errors, error):
        """Return the distribution of differences over their standard errors."""
        observed = float(t_statistics(self.observed, error, self.tolerance))
        return self._replace(
            values=t_statistics(self.values, errors, self.tolerance),
            observed=observed,
            tolerance=T_TOLERANCE * min(1.0, abs(observed)),
            center=None,
        )

    def smaller_tail(self):
        """Return the tail with fewer resamples, which a two-sided p-value doubles."""
        tails = [
            self._replace(alternative=side, n_tails=2) for side in ("greater", "less")
        ]
        return min(tails, key=lambda tail: tail.exceeding().sum())


class ResamplingTest(TakesRowScores, RowTest):
    """A test whose p-value is a share of resamples.

    A subclass says in `_resample` what is drawn, in `_null` what the difference is
    compared with, and in `conclude` what resamples show. Pairs of many models share
    what was drawn for all of them.
    """

    _rules = {"n_resamples": Integer(1, MOST_RESAMPLES, choices=("auto",))}

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
        cells = problem.cells(self._most_resamples)
        try:
            return self._resample(problem, cells, so_far)
        except Misrecognized:  # on some resample the metric is another: call it on all
            return self._resample(problem, cells.by_rows(), so_far)

    @abc.abstractmethod
    def _resample(self, problem, cells, so_far):
        """Draw resamples of cells, on top of others if there are any."""

    @abc.abstractmethod
    def _null(self, sample):
        """Return the `NullDistribution` that a `Resampled` difference is one of."""

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
        words = {"auto": MOST_IF_UNCERTAIN, "ideal": math.inf}
        return words.get(self.n_resamples, self.n_resamples)

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

    def _draw_enough(
        self, problem, cells, resampler, label, so_far, observed_errors=None
    ):
        """Draw as many resamples as asked for, or until the decision is certain.

        Parameters
        ----------
        problem : Problem
            Two models or more.
        cells : Cells
            Its cells.
        resampler : Resampler
            What to draw of them.
        label : str
            What to call it when showing progress.
        so_far : Resamples or None
            Those to add to, if they are scored alike.
        observed_errors : ndarray of shape (n_metrics,) or None, default=None
            The standard errors of the observed differences, if resamples have theirs.

        Returns
        -------
        Resamples
            The scores.
        """
        resamples = Resamples(cells, problem.models, observed_errors=observed_errors)
        looks = [self.n_resamples]  # a given number is a single look
        if self.n_resamples == "auto":
            rules = {
                metric: stopping_rule(
                    float(self.alpha / self._n_tails(problem, metric)),
                    self._fewest,
                    resampler.scheme.chunk_size,
                )
                for metric in problem.statistics
            }
            resamples = resamples._replace(rules=rules)
            looks = next(iter(rules.values())).looks.tolist()
        elif so_far is not None and so_far.cells.engines == cells.engines:
            resamples = resamples._replace(drawn=so_far.drawn)
        for look in looks:
            drawn = self._draw(problem, resampler, look, label, resamples.drawn)
            resamples = resamples._replace(drawn=drawn)
            rules = resamples.rules or {}
            samples = [resamples.of(problem, metric) for metric in rules]
            if all(rules[s.metric].end(self._null(s).exceeding()) for s in samples):
                break
        scores = resamples.drawn[..., : len(problem.models)]
        confirm(cells, resampler, scores, problem.seed)
        return resamples

    def _n_tails(self, problem, metric):
        """Return how many tails a p-value has of which one is counted."""
        return 1

    def _counted(self, sample, resamples):
        """Count the resamples that exceed, for a p-value and its error.

        Parameters
        ----------
        sample : Resampled
            What the resamples say of two models in a metric.
        resamples : Resamples
            Where it comes from.

        Returns
        -------
        dict
            Fields of a `ComparisonResult`.
        """
        metric, null = sample.metric, self._null(sample)
        marked, rule = null.exceeding(), (resamples.rules or {}).get(metric)
        n = len(marked) if rule is None else rule.end(marked)
        n_exceeding = int(marked[:n].sum())
        defined = sample.deltas[:n][sample.defined[:n]]
        if not len(defined):
            trouble = resamples.cells.statistics[metric].generic.trouble
            raise ValueError(
                f"The scorer {metric!r} is undefined on all {n:,} resamples: "
                f"{trouble or 'it returned nan on each'}. If resamples lack a class, "
                "pass strata=y."
            )
        counted = {
            "n_exceeding": n_exceeding,
            "n_resamples": n,
            "n_undefined": n - len(defined),
            "center": null.center,
            "distribution": sample.deltas[:n],
            "standard_error": spread(defined),
        }
        if resamples.exhaustive:  # their share is the p-value itself
            exact = {"pvalue": n_exceeding / n, "pvalue_error": 0.0}
            return counted | exact | {"standard_error": float(np.std(defined))}
        if rule is None:
            pvalue = resampling_pvalue(n_exceeding, n, add_one=self.add_one)
        else:
            pvalue = rule.pvalue(n_exceeding, n)
            settled = rule.settles(n_exceeding, n)
            counted["decision_risk"] = rule.risk if settled else 1.0
        counted["pvalue"] = min(1.0, null.n_tails * pvalue)
        counted["pvalue_error"] = null.n_tails * monte_carlo_error(pvalue, n)
        return counted

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
            they had been asked for at once. Its parameters stay as they are. With `cv`,
            a model that wins only now is not fitted on all the data, and there is no
            `best_estimator_`.
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
