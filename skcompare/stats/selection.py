"""Candidates against the best of them, by their scores on the same splits."""

from typing import NamedTuple

import numpy as np

from skcompare.stats.corrections import adjust_pvalues
from skcompare.stats.folds import corrected_estimate
from skcompare.stats.paired import paired_differences


class AgainstBest(NamedTuple):
    """How far each candidate is behind the best.

    Attributes
    ----------
    deltas : ndarray of shape (n_candidates,)
        The mean score of the best less that of each.
    intervals : ndarray of shape (n_candidates, 2)
        Equal-tailed intervals of these.
    pvalues : ndarray of shape (n_candidates,)
        One-sided: small where the best is better.
    """

    deltas: np.ndarray
    intervals: np.ndarray
    pvalues: np.ndarray


def against_best(scores, best, ratio, confidence_level):
    """Compare rows of scores with one of them by Nadeau and Bengio's corrected t.

    Parameters
    ----------
    scores : ndarray of shape (n_candidates, n_splits)
        Scores on the same splits; higher is better.
    best : int
        The row that the others are compared with. Its own difference is 0, its p-value
        1.
    ratio : float
        The number of test rows over that of training rows.
    confidence_level : float
        The nominal coverage of the intervals.

    Returns
    -------
    AgainstBest
        Differences, intervals and p-values; the latter two nan for a single split.

    Examples
    --------
    >>> scores = np.array([[0.8, 0.9, 0.9], [0.7, 0.9, 0.8]])
    >>> found = against_best(scores, 0, ratio=1 / 2, confidence_level=0.95)
    >>> found.deltas.round(4).tolist(), found.pvalues.round(4).tolist()
    ([0.0, 0.0667], [1.0, 0.1667])
    """
    differences = np.array([paired_differences(scores[best], s)[0] for s in scores])
    if differences.shape[1] < 2:
        unknown = np.full(len(scores), np.nan)
        return AgainstBest(differences[:, 0], np.c_[unknown, unknown], unknown)
    found = [corrected_estimate(row, ratio) for row in differences]
    deltas = np.array([estimate.mean for estimate in found])
    # Equal means of different scores differ by rounding.
    tied = np.abs(deltas) <= 1e-14 * np.abs(scores).max()
    return AgainstBest(
        np.where(tied, 0.0, deltas),
        np.array([estimate.interval(confidence_level) for estimate in found]),
        np.array([estimate.pvalue("greater") for estimate in found]),
    )


def adjust_against_best(pvalues, method):
    """Adjust the p-values of all but the first, which is that of the best itself.

    Examples
    --------
    >>> adjust_against_best(np.array([1.0, 0.02, 0.03]), "bonferroni").tolist()
    [1.0, 0.04, 0.06]
    """
    return np.append(1.0, adjust_pvalues(pvalues[1:], method))
