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
from skcompare.comparison._base import RowTest, TakesRowScores, result_attributes
from skcompare.comparison._bounds import advice_on_lacking_class
from skcompare.exceptions import UndefinedScoreWarning
from skcompare.stats.pvalues import (
    monte_carlo_error,
    resampling_pvalue,
    rounding_tolerance,
    t_statistics,
)
from skcompare.stats.sequential import MOST_IF_UNCERTAIN, stopping_rule

# If more resamples than that are undefined, the sentence says so.
NOTICEABLE = 0.05

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
        When a test that stops early stops, by metric; empty for one that does not.
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

    def studentized(self, values):
        """Divide values, and the difference, by standard errors.

        Returns
        -------
        values : ndarray of shape (n_resamples,)
            The values over the standard errors of resamples.
        observed : float
            The observed difference over its own.
        tolerance : float
            How far apart ties may be by rounding.
        """
        observed = float(t_statistics(self.delta, self.error, self.tolerance))
        tolerance = T_TOLERANCE * min(1.0, abs(observed))
        return t_statistics(values, self.errors, self.tolerance), observed, tolerance


class NullDistribution(NamedTuple):
    """What the observed statistic is compared with, to make a p-value.

    Attributes
    ----------
    values : ndarray of shape (n_resamples,)
        What resamples say the statistic may be where there is no difference.
    observed : float
        The statistic.
    exceeding : ndarray of bool, shape (n_resamples,)
        Which resamples count against the null hypothesis.
    center : float or None, default=None
        What resampled differences lie around, if `values` are how far they are from it.
    n_tails : int, default=1
        2 if one tail is counted for a two-sided p-value, which doubles it.
    """

    values: np.ndarray
    observed: float
    exceeding: np.ndarray
    center: float | None = None
    n_tails: int = 1


@result_attributes("pvalue_error", "n_exceeding", "standard_error", "distribution")
class ResamplingTest(TakesRowScores, RowTest):
    """A test whose p-value is a share of resamples.

    A subclass says in `_resampler` what is drawn, in `_null` what the difference is
    compared with, and in `conclude` what resamples show. Pairs of many models share
    what was drawn for all of them.
    """

    # What the work is called when showing progress.
    _label = "resamples"

    _rules = {"n_resamples": Integer(1, MOST_RESAMPLES, choices=("auto",))}

    # With n_resamples="auto", the least number of resamples.
    _fewest = None

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
            return self._draw(problem, cells, so_far)
        except Misrecognized:  # on some resample the metric is another: call it on all
            return self._draw(problem, cells.by_rows(), so_far)

    @abc.abstractmethod
    def _resampler(self, problem, cells):
        """Return the `Resampler` of cells, and `Resamples` with all but its draws.

        None for a resampler stands for infinitely many resamples.
        """

    @abc.abstractmethod
    def _null(self, sample):
        """Return the `NullDistribution` that a `Resampled` difference is one of."""

    @abc.abstractmethod
    def conclude(self, problem, resamples):
        """Return the `Outcome` for the two models of a problem, given resamples."""

    def compare(self, problem):
        """Compare the two models of a problem."""
        return self.conclude(problem, self.resample(problem))

    @property
    def shares_resamples(self):
        """Whether one set of resamples can serve all pairs of many models."""
        return not isinstance(self.n_resamples, str)

    @property
    def _most_resamples(self):
        """The number of resamples, or the largest that it may come to."""
        words = {"auto": MOST_IF_UNCERTAIN, "ideal": math.inf}
        return words.get(self.n_resamples, self.n_resamples)

    def _draw(self, problem, cells, so_far):
        """Draw as many resamples as asked for, or until the decision is certain.

        Parameters
        ----------
        problem : Problem
            Two models or more.
        cells : Cells
            Its cells.
        so_far : Resamples or None
            Those to add to, if they are scored alike.

        Returns
        -------
        Resamples
            The scores.
        """
        resampler, resamples = self._resampler(problem, cells)
        if resampler is None:
            return resamples
        scheme, label, rules = resampler.scheme, self._label, {}
        looks = [self.n_resamples]  # a given number is a single look
        if resamples.exhaustive:
            looks, label = [scheme.n_draws], "all labelings"
        elif self.n_resamples == "auto":
            for metric in problem.statistics:
                alpha = float(self.alpha / self._n_tails(problem, metric))
                rules[metric] = stopping_rule(alpha, self._fewest, scheme.chunk_size)
            looks = next(iter(rules.values())).looks.tolist()
        elif so_far is not None and so_far.cells.engines == cells.engines:
            resamples = resamples._replace(drawn=so_far.drawn)
        settings = {"n_jobs": self.n_jobs, "verbose": self.verbose, "label": label}
        for look in looks:
            so_far = resamples.drawn
            drawn = draw(resampler, look, so_far=so_far, seed=problem.seed, **settings)
            resamples = resamples._replace(drawn=drawn, rules=rules)
            samples = [resamples.of(problem, metric) for metric in rules]
            if all(rules[s.metric].end(self._null(s).exceeding) for s in samples):
                break
        confirm(cells, resampler, drawn[..., : len(problem.models)], problem.seed)
        if resamples.exhaustive:
            return resamples._replace(drawn=scheme.with_complements(drawn))
        return resamples

    def _n_tails(self, problem, metric):
        """Return how many tails a p-value has of which one is counted."""
        return 1

    def _pvalue_fields(self, sample, resamples):
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
        marked, rule = null.exceeding, resamples.rules.get(metric)
        n = len(marked) if rule is None else rule.end(marked)
        n_exceeding = int(marked[:n].sum())
        defined = sample.deltas[:n][sample.defined[:n]]
        if not len(defined):
            trouble = resamples.cells.statistics[metric].generic.trouble
            raise ValueError(
                f"The scorer {metric!r} is undefined on all {n:,} resamples: "
                f"{trouble or 'it returned nan on each'}."
                f"{self._advice_on_undefined(sample.problem)}"
            )
        n_undefined, risk, cautions = n - len(defined), None, ()
        if n_undefined / n > NOTICEABLE:
            cautions = (f"{100 * n_undefined / n:.0f} % of resamples are undefined",)
        if resamples.exhaustive:  # their share is the p-value itself
            pvalue, error, ddof = n_exceeding / n, 0.0, 0
        else:
            if rule is None:
                pvalue = resampling_pvalue(n_exceeding, n, add_one=self.add_one)
            else:
                pvalue = rule.pvalue(n_exceeding, n)
                risk = rule.risk if rule.settles(n_exceeding, n) else 1.0
            error, ddof = monte_carlo_error(pvalue, n), min(1, len(defined) - 1)
        return {
            "pvalue": min(1.0, null.n_tails * pvalue),
            "pvalue_error": null.n_tails * error,
            "decision_risk": risk,
            "n_exceeding": n_exceeding,
            "n_resamples": n,
            "n_undefined": n_undefined,
            "cautions": cautions,
            "center": null.center,
            "distribution": sample.deltas[:n],
            "standard_error": float(np.std(defined, ddof=ddof)),
        }

    def _advice_on_undefined(self, problem):
        """Return what to do where resamples have no score: those of redrawn rows."""
        return f" {advice_on_lacking_class(problem)}" if self.redraws_rows else ""

    def _undefined_caveat(self, problem, fields):
        """Say on how many resamples some metric has no value, by fields of results."""
        counts = {m: n for m, own in fields.items() if (n := own["n_undefined"])}
        if not counts:
            return None
        n_resamples = next(iter(fields.values()))["n_resamples"]
        listed = ", ".join(f"{name} on {count:,}" for name, count in counts.items())
        return Caveat(
            UndefinedScoreWarning,
            f"Undefined resamples, of {n_resamples:,}: {listed}. They count as "
            "exceeding in the p-value and are left out of intervals."
            f"{self._advice_on_undefined(problem)}",
            severity=sum(counts.values()),
        )

    def _publish(self, problem):
        resamples = self.resample(problem)
        self._keep(problem, self.conclude(problem, resamples))
        self._resamples = resamples

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
            if isinstance(self.cv, str):  # else the other is not fitted on all rows
                self.best_estimator_ = winner
        return self
