"""The kinds of bootstrap interval: what each has to know, and how it is computed.

A new kind is a function here, and an entry in `INTERVALS`.
"""

from typing import NamedTuple

import numpy as np

from skcompare.stats.intervals import (
    ChosenInterval,
    basic_interval,
    bca_or_percentile,
    percentile_interval,
    studentized_or_percentile,
    symmetric_interval,
)
from skcompare.stats.pvalues import spread


class Interval(NamedTuple):
    """A kind of interval.

    Attributes
    ----------
    compute : callable
        ``compute(sample, level)`` returns a `ChosenInterval`, given what resamples say
        (`Resampled`): another kind where this one would mislead.
    needs : {None, "errors", "left_out"}
        What it has to know besides resampled scores: standard errors of differences,
        or the scores without each unit.
    """

    compute: object
    needs: str | None = None


def symmetric(sample, level):
    """Return the interval as far to both sides as `level` of the resamples go."""
    # Resamples without a difference count as infinitely far, as in the p-value.
    interval = symmetric_interval(sample.deltas, sample.delta, level)
    return ChosenInterval(interval, "symmetric")


def percentile(sample, level):
    """Return the percentile interval."""
    interval = percentile_interval(sample.deltas[sample.defined], level)
    return ChosenInterval(interval, "percentile")


def basic(sample, level):
    """Return the basic interval, the percentile interval mirrored."""
    interval = basic_interval(sample.deltas[sample.defined], sample.delta, level)
    return ChosenInterval(interval, "basic")


def bca(sample, level):
    """Return the bias-corrected and accelerated interval."""
    return bca_or_percentile(
        sample.deltas[sample.defined],
        sample.delta,
        level,
        jackknife=sample.left_out[:, 0] - sample.left_out[:, 1],
        strata=sample.problem.units.stratum_of_unit,
        tolerance=sample.tolerance,
    )


def studentized(sample, level):
    """Return the bootstrap-t interval."""
    deltas = sample.deltas[sample.defined]
    return studentized_or_percentile(
        deltas,
        sample.delta,
        level,
        standard_errors=sample.errors[sample.defined],
        standard_error=spread(deltas) if np.isnan(sample.error) else sample.error,
        tolerance=sample.tolerance,
        n_moving=len(sample.problem.swapped_units),
    )


INTERVALS = {
    "symmetric": Interval(symmetric),
    "percentile": Interval(percentile),
    "basic": Interval(basic),
    "bca": Interval(bca, "left_out"),
    "studentized": Interval(studentized, "errors"),
}
