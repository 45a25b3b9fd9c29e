"""Bootstrap runs, one for each kind of interval: what it draws and makes of it.

A new kind of interval is a new class here and an entry in `INTERVAL_RUNS`.
"""

import copy

import numpy as np

from skcompare.stats import (
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
    scores : ndarray of shape (n_resamples, n_metrics, n_models)
        The resampled scores. Differences are those of the first two models.
    """

    label = "bootstrap"

    def __init__(self, draw, layout, n_resamples):
        self.scores = draw(self.plan(layout), n_resamples, self.label)

    @staticmethod
    def plan(layout):
        """Return what is drawn."""
        return layout.bootstrap_plan()

    def of_pair(self, i, j):
        """Return what the same resamples say about models number i and j."""
        view = copy.copy(self)
        view.scores = self.scores[..., [i, j]]
        return view

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
        self._left_out = layout.left_out_scores(draw)
        self._strata = layout.units.stratum_of_unit

    def of_pair(self, i, j):
        """Return what the same resamples say about models number i and j."""
        view = super().of_pair(i, j)
        view._left_out = self._left_out[..., [i, j]]
        return view

    def interval(self, place, delta, level):
        """Return the interval for the difference in metric number `place`."""
        return bca_interval(
            self._deltas(place),
            delta,
            level,
            jackknife=self._left_out[:, place, 0] - self._left_out[:, place, 1],
            strata=self._strata,
            tolerance=rounding_tolerance(self.scores[:, place]),
        )


class StudentizedRun(PercentileRun):
    """Resample, with a standard error for every resample."""

    label = "studentized bootstrap"

    def __init__(self, draw, layout, n_resamples):
        found = draw(self.plan(layout), n_resamples, self.label)
        self.scores, self._standard_errors = found[..., :2], found[..., 2]
        self._observed_errors = layout.observed_standard_errors()

    @staticmethod
    def plan(layout):
        """Return what is drawn."""
        return layout.studentized_plan()

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
