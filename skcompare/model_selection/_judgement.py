"""Candidates judged against the best of them by scores that the search has kept."""

from typing import NamedTuple

import numpy as np

from skcompare.model_selection._cv_results import Candidates
from skcompare.model_selection._luck import FoldScores
from skcompare.stats import AgainstBest, against_best

__all__ = ["Judgement", "judge_splits"]


class Judgement(NamedTuple):
    """What is known of candidates, the best first.

    Attributes
    ----------
    candidates : Candidates
        The candidates and their scores on every split.
    mean_scores : ndarray of shape (n_candidates,)
        Their scores.
    against : AgainstBest
        How far they are behind the best.
    confidence_level : float or None
        The nominal coverage of the intervals.
    test : str
        The name of the test.
    ratio : float
        The number of test rows over that of training rows.
    score : callable
        Turns counts of units into scores of all candidates that were selected from.
    positions : ndarray of int
        The positions of those in `cv_results_`.
    n_units : int
        The number of units.
    unit : str
        What they are.
    warned : dict, default={}
        What to warn of: the categories, by text.
    """

    candidates: Candidates
    mean_scores: np.ndarray
    against: AgainstBest
    confidence_level: float | None
    test: str
    ratio: float
    score: object
    positions: np.ndarray
    n_units: int
    unit: str
    warned: dict

    @property
    def lead(self):
        """By how much the best leads the average candidate."""
        everyone = self.score(np.ones(self.n_units, dtype=int))
        lead = float(self.mean_scores[0] - np.mean(everyone))
        # Where all are alike, rounding alone makes a lead.
        return lead if abs(lead) > 1e-12 * np.abs(everyone).max() else 0.0


def judge_splits(everyone, top, ratio, confidence_level):
    """Judge candidates by the corrected t on the splits of the search.

    Parameters
    ----------
    everyone : Candidates
        All that were selected from.
    top : int or None
        How many of them to judge.
    ratio : float
        The number of test rows over that of training rows.
    confidence_level : float
        The nominal coverage of the intervals.

    Returns
    -------
    Judgement
        Of the best so many.
    """
    candidates = everyone.head(top)
    return Judgement(
        candidates=candidates,
        mean_scores=candidates.scores.mean(axis=1),
        against=against_best(candidates.scores, 0, ratio, confidence_level),
        confidence_level=confidence_level,
        test="corrected t",
        ratio=ratio,
        score=FoldScores(everyone.scores),
        positions=everyone.index,
        n_units=everyone.scores.shape[1],
        unit="splits",
        warned={},
    )
