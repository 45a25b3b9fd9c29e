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
from skcompare.resampling import (
    Bootstrap,
    CellBootstrap,
    Jackknife,
    NestedBootstrap,
)

__all__ = ["INTERVAL_RUNS"]

# Efron and Tibshirani (1993, section 6.4): 25 to 50 are enough for a standard error.
N_INNER = 50


class PercentileRun:
    """Resample once; the interval is the central part of the differences.

    Parameters
    ----------
    draw : callable
        ``draw(scheme, score, n_draws, question, label)`` evaluates draws.
    question : Question
        What is asked.
    n_resamples : int
        The number of resamples.

    Attributes
    ----------
    scores : ndarray of shape (n_resamples, n_metrics, 2)
        The resampled scores.
    """

    def __init__(self, draw, question, n_resamples):
        layout = question.layout
        if layout is None:
            scheme, score = Bootstrap(question.units), question.score_rows
        else:
            scheme, score = CellBootstrap(layout.counts, layout.strata), layout.scores
        self.scores = draw(scheme, score, n_resamples, question, "bootstrap")

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

    def __init__(self, draw, question, n_resamples):
        super().__init__(draw, question, n_resamples)
        units, layout = question.units, question.layout
        if layout is None:
            scheme, score = Jackknife(units), question.score_rows
            scores = draw(scheme, score, len(units), question, "jackknife")
        else:
            scores = layout.left_out_scores()
        self._jackknife = scores[..., 0] - scores[..., 1]
        self._strata = units.stratum_of_unit

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
    """Resample every resample too, for its standard error."""

    def __init__(self, draw, question, n_resamples):
        def score(draw):
            scores = [question.score_rows(rows) for rows in draw]
            return np.stack(scores, axis=1)

        scheme = NestedBootstrap(question.units, N_INNER)
        nested = draw(scheme, score, n_resamples, question, "nested bootstrap")
        self.scores = nested[:, 0]
        inner = nested[:, 1:, :, 0] - nested[:, 1:, :, 1]
        self._standard_errors = np.std(inner, axis=1, ddof=1)

    def interval(self, place, delta, level):
        """Return the interval for the difference in metric number `place`."""
        deltas = self.scores[:, place, 0] - self.scores[:, place, 1]
        defined = np.isfinite(deltas)
        return studentized_interval(
            deltas[defined],
            delta,
            level,
            standard_errors=self._standard_errors[defined, place],
            standard_error=float(np.std(deltas[defined], ddof=1)),
        )


INTERVAL_RUNS = {
    "percentile": PercentileRun,
    "basic": BasicRun,
    "bca": BCaRun,
    "studentized": StudentizedRun,
}
