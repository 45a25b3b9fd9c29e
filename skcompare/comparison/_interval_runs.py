"""Bootstrap runs, one for each kind of interval: what it draws and makes of it.

A new kind of interval is a new class here and an entry in `INTERVAL_RUNS`.
"""

import numpy as np

from skcompare.inference import (
    basic_interval,
    bca_interval,
    percentile_interval,
    rounding_tolerance,
    studentized_interval,
)

__all__ = ["INTERVAL_RUNS"]


class PercentileRun:
    """Resample once; the interval is the central part of the differences.

    Parameters
    ----------
    draw : callable
        ``draw(plan, n_draws, label)`` evaluates a plan.
    layout : Layout
        What is resampled.
    n_resamples : int
        The number of resamples.

    Attributes
    ----------
    scores : ndarray of shape (n_resamples, n_metrics, 2)
        The resampled scores.
    """

    def __init__(self, draw, layout, n_resamples):
        self.scores = draw(layout.bootstrap_plan(), n_resamples, "bootstrap")

    def interval(self, place, delta, level):
        """Return the interval for the difference in metric number `place`."""
        return percentile_interval(self._deltas(place), level)

    def _deltas(self, place):
        deltas = self.scores[:, place, 0] - self.scores[:, place, 1]
        return deltas[np.isfinite(deltas)]


class BasicRun(PercentileRun):
    """Resample once; the interval is the percentile interval, mirrored."""

    def interval(self, place, delta, level):
        """Return the interval for the difference in metric number `place`."""
        return basic_interval(self._deltas(place), delta, level)


class BCaRun(PercentileRun):
    """Resample, and leave out each unit once for the acceleration."""

    def __init__(self, draw, layout, n_resamples):
        super().__init__(draw, layout, n_resamples)
        scores = layout.left_out_scores(draw)
        self._jackknife = scores[..., 0] - scores[..., 1]
        self._strata = layout.units.stratum_of_unit

    def interval(self, place, delta, level):
        """Return the interval for the difference in metric number `place`."""
        return bca_interval(
            self._deltas(place),
            delta,
            level,
            jackknife=self._jackknife[:, place],
            strata=self._strata,
            tolerance=rounding_tolerance(self.scores[:, place]),
        )


class StudentizedRun(PercentileRun):
    """Resample, with a standard error for every resample."""

    def __init__(self, draw, layout, n_resamples):
        found = draw(layout.studentized_plan(), n_resamples, "studentized bootstrap")
        self.scores, self._standard_errors = found[..., :2], found[..., 2]
        self._observed_errors = layout.observed_standard_errors()

    def interval(self, place, delta, level):
        """Return the interval for the difference in metric number `place`."""
        deltas = self.scores[:, place, 0] - self.scores[:, place, 1]
        defined = np.isfinite(deltas)
        if self._observed_errors is None:
            error = np.std(deltas[defined], ddof=min(1, defined.sum() - 1))
        else:
            error = self._observed_errors[place]
        return studentized_interval(
            deltas[defined],
            delta,
            level,
            standard_errors=self._standard_errors[defined, place],
            standard_error=float(error),
            tolerance=rounding_tolerance(self.scores[:, place]),
        )


INTERVAL_RUNS = {
    "percentile": PercentileRun,
    "basic": BasicRun,
    "bca": BCaRun,
    "studentized": StudentizedRun,
}
