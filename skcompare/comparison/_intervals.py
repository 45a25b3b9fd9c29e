"""The kinds of bootstrap interval: what each has to know, and how it is computed.

A new kind is a function here, and an entry in `INTERVALS`.
"""

from typing import NamedTuple

import numpy as np

from skcompare.stats import intervals

# With fewer units that can move a value, BCa and studentized intervals mislead.
FEWEST_MOVING = 10


class Interval(NamedTuple):
    """A kind of interval.

    Attributes
    ----------
    compute : callable
        ``compute(sample, level)`` returns a `ConfidenceInterval`, given what resamples
        say (`Resampled`); None where it would mislead, for the percentile interval.
    needs : {None, "errors", "left_out"}
        What it has to know besides resampled scores: standard errors of differences,
        or the scores without each unit.
    """

    compute: object
    needs: str | None = None


def symmetric(sample, level):
    """Return the interval as far to both sides as `level` of the resamples go."""
    # Resamples without a difference count as infinitely far, as in the p-value.
    return intervals.symmetric_interval(sample.deltas, sample.delta, level)


def percentile(sample, level):
    """Return the percentile interval."""
    return intervals.percentile_interval(sample.deltas[sample.defined], level)


def basic(sample, level):
    """Return the basic interval, the percentile interval mirrored."""
    return intervals.basic_interval(sample.deltas[sample.defined], sample.delta, level)


def bca(sample, level):
    """Return the bias-corrected and accelerated interval, if enough units matter.

    If few of them, left out, change the difference in another way than most do, bias
    and acceleration are estimated from next to nothing. Three discordant rows of one
    kind make a BCa interval exclude 0.
    """
    jackknife = sample.left_out[:, 0] - sample.left_out[:, 1]
    moves = jackknife[np.isfinite(jackknife)]
    slack = max(sample.tolerance, 1e-12 * np.abs(moves).max(initial=0))
    usual = np.median(moves) if len(moves) else 0.0
    if np.count_nonzero(np.abs(moves - usual) > slack) < FEWEST_MOVING:
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
    """Return the bootstrap-t interval, if enough units can move the difference."""
    deltas, error = sample.deltas[sample.defined], sample.error
    if np.isnan(error):  # not known: that of the resamples
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
