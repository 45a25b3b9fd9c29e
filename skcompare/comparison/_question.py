"""What a test is asked: a sample, the units to redraw, and one statistic a metric."""

import dataclasses
import functools

import numpy as np

from skcompare.comparison._layout import lay_out
from skcompare.inference import rounding_tolerance
from skcompare.resampling import Units
from skcompare.statistics import Sample, as_statistic

__all__ = ["Question", "pose_question"]


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Question:
    """All that a test needs to know.

    Parameters
    ----------
    sample : Sample
        Rows and answers.
    units : Units
        What is redrawn together.
    statistics : dict
        A `Statistic` for each metric, by name.
    seed : int
        The seed of all draws.
    """

    sample: Sample
    units: Units
    statistics: dict
    seed: int

    @functools.cached_property
    def layout(self):
        """The units and metrics, ready for resampling."""
        return lay_out(self.units, self.statistics)

    def trouble(self, metric):
        """Return what a scorer raised on some resample, None if that is not known."""
        statistic = self.layout.statistics[metric]
        return getattr(statistic, "trouble", None)

    def tolerance(self, metric, scores):
        """Return how far apart differences of scores may be by rounding alone."""
        return rounding_tolerance(scores, self.statistics[metric].scale)

    def facts(self, metric):
        """Return the fields of a result that are known before any resampling."""
        statistic, sample = self.statistics[metric], self.sample
        score_a, score_b = statistic.observed
        name_a, name_b = (answers.name for answers in sample.answers)
        return {
            "scoring": metric,
            "score_a": score_a,
            "score_b": score_b,
            "delta": score_a - score_b,
            "name_a": name_a,
            "name_b": name_b,
            "n_rows": sample.n_rows,
            "n_units": len(self.units),
            "cv": sample.origin,
            "seed": self.seed,
        }


def pose_question(sample, scorers, *, groups, strata, seed):
    """Score the sample and settle what is redrawn.

    Rows that cross-validation tested several times are answers to the same data and
    are redrawn together, unless `groups` say more.

    Parameters
    ----------
    sample : Sample
        Rows and answers.
    scorers : dict
        Scorers by name.
    groups, strata : ndarray or None
        Codes of the rows of the data.
    seed : int
        The seed of all draws.

    Returns
    -------
    Question
        What the test is asked.
    """
    statistics = {
        name: as_statistic(scorer, name, sample) for name, scorer in scorers.items()
    }
    if sample.indices is not None:
        repeated = len(np.unique(sample.indices)) < sample.n_rows
        by_row = sample.indices if repeated else None
        groups = by_row if groups is None else groups[sample.indices]
        strata = None if strata is None else strata[sample.indices]
    return Question(
        sample=sample,
        units=Units(sample.n_rows, recode(groups), recode(strata)),
        statistics=statistics,
        seed=seed,
    )


def recode(codes):
    """Number the codes that occur from 0 on, without gaps."""
    return None if codes is None else np.unique(codes, return_inverse=True)[1]
