"""The kinds of bootstrap interval: what each has to know, and how it is computed.

A new kind is a method of `Resampled`, and an entry in `INTERVALS`.
"""

from typing import NamedTuple

import numpy as np

from skcompare._engine import row_scores, set_counts
from skcompare.stats.intervals import (
    ChosenInterval,
    basic_interval,
    bca_or_percentile,
    constant_interval,
    percentile_interval,
    studentized_or_percentile,
    symmetric_interval,
)
from skcompare.stats.pvalues import rounding_tolerance


class Interval(NamedTuple):
    """A kind of interval.

    Attributes
    ----------
    compute : callable
        ``compute(resampled, delta, level)`` returns a `ChosenInterval`: another kind
        where this one would mislead.
    needs : {None, "errors", "jackknife"}
        What it has to know besides resampled differences: their standard errors, or
        the differences without each unit.
    """

    compute: object
    needs: str | None = None


class Resampled(NamedTuple):
    """What resamples say of the difference of two models in one metric, where defined.

    Attributes
    ----------
    deltas : ndarray of shape (n_defined,)
        The differences.
    n_undefined : int
        How many resamples have none.
    errors, error : ndarray or None, float or None
        The standard errors of the differences, and of the observed one.
    jackknife : ndarray or None
        The differences without each unit.
    strata : ndarray
        The stratum of each unit.
    scores : ndarray of shape (n_resamples, 2)
        The scores that the differences are of, nan where undefined.
    n_moving : int or None
        With standard errors, the number of units on which the models differ.
    """

    deltas: np.ndarray
    n_undefined: int
    errors: np.ndarray | None
    error: float | None
    jackknife: np.ndarray | None
    strata: np.ndarray
    scores: np.ndarray
    n_moving: int | None

    @classmethod
    def of(cls, resamples, place, columns, n_moving):
        """Read what resamples say of two models, in metric number `place`."""
        drawn, errors = resamples.drawn[:, place], resamples.observed_errors
        scores, jackknife = drawn[:, columns], None
        deltas = scores[:, 0] - scores[:, 1]
        defined = np.isfinite(deltas)
        if resamples.left_out is not None:
            a, b = resamples.left_out[:, place][:, columns].T
            jackknife = a - b
        return cls(
            deltas=deltas[defined],
            n_undefined=int((~defined).sum()),
            errors=drawn[defined, -1] if resamples.has_errors else None,
            error=None if errors is None else errors[place],
            jackknife=jackknife,
            strata=resamples.cells.units.stratum_of_unit,
            scores=scores,
            n_moving=n_moving,
        )

    @property
    def vary(self):
        """Whether differences of resamples vary at all."""
        return bool(np.ptp(self.deltas) > rounding_tolerance(self.scores))

    def symmetric(self, delta, level):
        """Return the interval as far to both sides as `level` of the resamples go."""
        # Resamples without a difference count as infinitely far, as in the p-value.
        undefined = np.full(self.n_undefined, np.nan)
        distances = np.append(self.deltas, undefined)
        interval = symmetric_interval(distances, delta, level)
        return ChosenInterval(interval, "symmetric")

    def percentile(self, delta, level):
        """Return the percentile interval."""
        return ChosenInterval(percentile_interval(self.deltas, level), "percentile")

    def basic(self, delta, level):
        """Return the basic interval, the percentile interval mirrored."""
        return ChosenInterval(basic_interval(self.deltas, delta, level), "basic")

    def bca(self, delta, level):
        """Return the bias-corrected and accelerated interval."""
        return bca_or_percentile(
            self.deltas,
            delta,
            level,
            jackknife=self.jackknife,
            strata=self.strata,
            tolerance=rounding_tolerance(self.scores),
        )

    def studentized(self, delta, level):
        """Return the bootstrap-t interval."""
        error = self.error
        if error is None:
            error = np.std(self.deltas, ddof=min(1, len(self.deltas) - 1))
        return studentized_or_percentile(
            self.deltas,
            delta,
            level,
            standard_errors=self.errors,
            standard_error=float(error),
            tolerance=rounding_tolerance(self.scores),
            n_moving=self.n_moving,
        )


INTERVALS = {
    "symmetric": Interval(Resampled.symmetric),
    "percentile": Interval(Resampled.percentile),
    "basic": Interval(Resampled.basic),
    "bca": Interval(Resampled.bca, "jackknife"),
    "studentized": Interval(Resampled.studentized, "errors"),
}


def with_bounds(problem, metric, own, alternative, tolerance):
    """Return fields of a result with bounds where no resample varies.
    Parameters
    ----------
    problem : Problem
        Two models.
    metric : str
        The name of the metric.
    own : dict
        Fields of a result.
    alternative : {"greater", "less", "two-sided"}
        What counts as extreme.
    tolerance : float
        How far apart equal differences may be by rounding.

    Returns
    -------
    own : dict
        The fields. The interval of a bounded score that does not vary is Clopper and
        Pearson's for trials that all agree; a lead that does not vary has a p-value of
        at least that of as many equal signs.
    lead : bool
        Whether there is such a lead.
    """
    names = ("score_a_interval", "score_b_interval")
    scores = (own["score_a"], own["score_b"])
    points = [
        max(own[name].high - score, score - own[name].low) <= 1e-12
        for name, score in zip(names, scores, strict=True)
    ]
    deltas, delta = own["distribution"], own["delta"]
    # One resample does not show whether resamples vary.
    varies = len(deltas) < 2 or np.nanmax(np.abs(deltas - delta)) > tolerance
    if varies and not any(points):
        return own, False
    level, changes = own["confidence_level"], {}
    lowest, trials = trials_of(problem, metric)
    for name, score, point, n in zip(names, scores, points, trials, strict=True):
        if point and n:
            changes[name] = constant_interval(score, lowest, 1.0, n, level)
    if not varies and all(trials):
        span = 1.0 - lowest
        bound = constant_interval(delta, -span, span, min(trials), level)
        changes["confidence_interval"] = bound
    if varies or abs(delta) <= tolerance:
        return own | changes, False
    least = 0.5 ** float(problem.n_counted)
    least *= 2 if alternative == "two-sided" else 1
    changes["pvalue"] = max(own["pvalue"], min(1.0, least))
    return own | changes, True


def trials_of(problem, metric):
    """Return on how many independent trials the bounded scores of two models rest.

    Parameters
    ----------
    problem : Problem
        Two models.
    metric : str
        The name of the metric.

    Returns
    -------
    lowest : float
        The lowest score; the highest is 1.
    trials : list
        A number for each model: of units for shares of rows; of the rarest label that
        counts for precision, recall and F; of the rarest class for other metrics of
        labels and rankings. None for scores without bounds.
    """
    statistic, n_units = problem.statistic(metric), problem.n_counted
    rows, counts = row_scores(statistic), set_counts(statistic)
    if rows is not None:
        shares = np.isin(rows, (0, 1)).all()
        return 0.0, [n_units if shares else None] * 2
    if counts is not None:
        missed = {"precision": counts.fp, "recall": counts.fn}
        others = missed.get(counts.kind, counts.fp + counts.fn)
        least = (counts.tp + others).min(axis=1)
        return 0.0, [min(int(n), n_units) or None for n in least]
    y, label_metric = problem.y, statistic.bootstrap_method == "shift"
    if np.ndim(y) != 1 or not (label_metric or statistic.engine == "ranking"):
        return 0.0, [None, None]
    rarest = int(np.unique(y, return_counts=True)[1].min())
    return -1.0 if label_metric else 0.0, [min(rarest, n_units)] * 2
