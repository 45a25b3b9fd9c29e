"""The kinds of bootstrap interval: required inputs, and computation.

To add a kind, add a function here and an entry in `INTERVALS`.
"""

from typing import NamedTuple

import numpy as np

from skcompare.stats import intervals

# Minimum number of units that affect a value for BCa and studentized intervals.
FEWEST_MOVING = 10


class Interval(NamedTuple):
    """A kind of interval.

    Attributes
    ----------
    compute : callable
        ``compute(sample, level)`` returns a `ConfidenceInterval` from a `Resampled`, or
        None if it would be misleading and the percentile interval is to be used.
    needs : {None, "errors", "left_out"}
        The input it needs besides resampled scores: standard errors of differences, or
        leave-one-out scores.
    """

    compute: object
    needs: str | None = None


def symmetric(sample, level):
    """Return the symmetric interval that contains `level` of the differences."""
    # Undefined differences count as infinitely far, as in the p-value.
    return intervals.symmetric_interval(sample.deltas, sample.delta, level)


def percentile(sample, level):
    """Return the percentile interval."""
    return intervals.percentile_interval(sample.deltas[sample.defined], level)


def basic(sample, level):
    """Return the basic interval, which is the mirrored percentile interval."""
    return intervals.basic_interval(sample.deltas[sample.defined], sample.delta, level)


def bca(sample, level):
    """Return the bias-corrected and accelerated interval, if enough units matter.

    If leaving out a unit has an unusual effect on the difference for only few units,
    bias and acceleration cannot be estimated reliably. Three discordant rows of one
    kind make a BCa interval exclude 0.
    """
    jackknife = sample.left_out[:, 0] - sample.left_out[:, 1]
    deltas = jackknife[np.isfinite(jackknife)]
    tolerance = max(sample.tolerance, 1e-12 * np.abs(deltas).max(initial=0))
    usual = np.median(deltas) if len(deltas) else 0.0
    if np.count_nonzero(np.abs(deltas - usual) > tolerance) < FEWEST_MOVING:
        return None
    return intervals.bca_interval(
        sample.deltas[sample.defined],
        sample.delta,
        level,
        jackknife=jackknife,
        strata=sample.problem.units.stratum_of_unit,
        tolerance=sample.tolerance,
    )


def studentized(sample, level):
    """Return the bootstrap-t interval, if enough units affect the difference."""
    deltas, error = sample.deltas[sample.defined], sample.error
    if np.isnan(error):  # unavailable: use that of the resamples
        error = float(np.std(deltas, ddof=min(1, len(deltas) - 1)))
    low, high = interval = intervals.studentized_interval(
        deltas,
        sample.delta,
        level,
        standard_errors=sample.errors[sample.defined],
        standard_error=error,
        tolerance=sample.tolerance,
    )
    few = len(sample.problem.swapped_units) < FEWEST_MOVING
    misleads = few or low == high or not np.isfinite(interval).all()
    return None if misleads else interval


INTERVALS = {
    "symmetric": Interval(symmetric),
    "percentile": Interval(percentile),
    "basic": Interval(basic),
    "bca": Interval(bca, "left_out"),
    "studentized": Interval(studentized, "errors"),
}
