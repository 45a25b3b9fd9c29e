"""The kinds of bootstrap interval: what each has to know, and how it is computed.

A new kind is a method of `Resampled`, and an entry in `INTERVALS`.
"""

from typing import NamedTuple

import numpy as np

from skcompare.stats.intervals import (
    basic_interval,
    bca_interval,
    percentile_interval,
    studentized_interval,
    symmetric_interval,
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
    """

    deltas: np.ndarray
    n_undefined: int
    errors: np.ndarray | None
    error: float | None
    jackknife: np.ndarray | None
    strata: np.ndarray
    scores: np.ndarray

    @classmethod
    def of(cls, resamples, place, columns):
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
        )

    def symmetric(self, delta, level):
        """Return the interval as far to both sides as `level` of the resamples go."""
        # Resamples without a difference count as infinitely far, as in the p-value.
        undefined = np.full(self.n_undefined, np.nan)
        return symmetric_interval(np.append(self.deltas, undefined), delta, level)

    def percentile(self, delta, level):
        """Return the percentile interval."""
        return percentile_interval(self.deltas, level)

    def basic(self, delta, level):
        """Return the basic interval, the percentile interval mirrored."""
        return basic_interval(self.deltas, delta, level)

    def bca(self, delta, level):
        """Return the bias-corrected and accelerated interval."""
        return bca_interval(
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
        return studentized_interval(
            self.deltas,
            delta,
            level,
            standard_errors=self.errors,
            standard_error=float(error),
            tolerance=rounding_tolerance(self.scores),
        )


INTERVALS = {
    "symmetric": Interval(Resampled.symmetric),
    "percentile": Interval(Resampled.percentile),
    "basic": Interval(Resampled.basic),
    "bca": Interval(Resampled.bca, "jackknife"),
    "studentized": Interval(Resampled.studentized, "errors"),
}
