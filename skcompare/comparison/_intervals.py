"""The kinds of bootstrap interval: what each has to know, and how it is computed.

A new kind is a function of the resampled differences, and an entry in `INTERVALS`.
"""

from typing import NamedTuple

import numpy as np

from skcompare.stats.intervals import (
    ConfidenceInterval,
    basic_interval,
    bca_interval,
    percentile_interval,
    studentized_interval,
)
from skcompare.stats.pvalues import rounding_tolerance


class Interval(NamedTuple):
    """A kind of interval.

    Attributes
    ----------
    compute : callable
        ``compute(resampled, delta, level)`` returns a `ConfidenceInterval`.
    needs : {None, "errors", "jackknife"}
        What it has to know besides resampled differences: their standard errors, or
        the differences without each unit.
    """

    compute: object
    needs: str | None = None


class Resampled(NamedTuple):
    """What is known of the difference of two models in one metric.

    Attributes
    ----------
    scores : ndarray of shape (n_resamples, 2)
        The resampled scores.
    deltas : ndarray of shape (n_resamples,)
        Their differences, nan where undefined.
    errors, error : ndarray or None, float or None
        The standard errors of the differences, and of the observed one.
    jackknife : ndarray or None
        The differences without each unit.
    strata : ndarray
        The stratum of each unit.
    """

    scores: np.ndarray
    deltas: np.ndarray
    errors: np.ndarray | None
    error: float | None
    jackknife: np.ndarray | None
    strata: np.ndarray

    @classmethod
    def of(cls, resamples, place, columns):
        """Read what resamples say of two models, in metric number `place`."""
        scores = resamples.drawn[:, place][:, columns]
        errors, observed = None, resamples.observed_errors
        if resamples.has_errors:
            errors = resamples.drawn[:, place, -1]
        jackknife = None
        if resamples.left_out is not None:
            a, b = resamples.left_out[:, place][:, columns].T
            jackknife = a - b
        return cls(
            scores=scores,
            deltas=scores[:, 0] - scores[:, 1],
            errors=errors,
            error=None if observed is None else observed[place],
            jackknife=jackknife,
            strata=resamples.cells.units.stratum_of_unit,
        )

    @property
    def defined(self):
        """Which resamples have a difference."""
        return np.isfinite(self.deltas)


def _percentile(resampled, delta, level):
    return percentile_interval(resampled.deltas[resampled.defined], level)


def _symmetric(resampled, delta, level):
    distances = np.abs(resampled.deltas[resampled.defined] - delta)
    reach = float(np.quantile(distances, level))
    return ConfidenceInterval(delta - reach, delta + reach)


def _basic(resampled, delta, level):
    return basic_interval(resampled.deltas[resampled.defined], delta, level)


def _bca(resampled, delta, level):
    return bca_interval(
        resampled.deltas[resampled.defined],
        delta,
        level,
        jackknife=resampled.jackknife,
        strata=resampled.strata,
        tolerance=rounding_tolerance(resampled.scores),
    )


def _studentized(resampled, delta, level):
    defined, error = resampled.defined, resampled.error
    deltas = resampled.deltas[defined]
    if error is None:
        error = np.std(deltas, ddof=min(1, len(deltas) - 1))
    return studentized_interval(
        deltas,
        delta,
        level,
        standard_errors=resampled.errors[defined],
        standard_error=float(error),
        tolerance=rounding_tolerance(resampled.scores),
    )


INTERVALS = {
    "symmetric": Interval(_symmetric),
    "percentile": Interval(_percentile),
    "basic": Interval(_basic),
    "bca": Interval(_bca, "jackknife"),
    "studentized": Interval(_studentized, "errors"),
}
