"""Candidates against the best of them, by their scores on the same splits."""

import math
from typing import NamedTuple

import numpy as np
from scipy import stats

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
        The row that the others are compared with. Its own difference is 0, which is
        certain, and its p-value 1.
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
    >>> estimate = against_best(scores, 0, ratio=1 / 2, confidence_level=0.95)
    >>> estimate.deltas.round(4).tolist(), estimate.pvalues.round(4).tolist()
    ([0.0, 0.0667], [1.0, 0.1667])
    """
    differences = np.array([paired_differences(scores[best], s)[0] for s in scores])
    if differences.shape[1] < 2:
        undefined = np.full(len(scores), np.nan)
        return AgainstBest(differences[:, 0], np.c_[undefined, undefined], undefined)
    estimates = [corrected_estimate(row, ratio) for row in differences]
    deltas = np.array([estimate.mean for estimate in estimates])
    # Equal means of different scores differ by rounding.
    tied = np.abs(deltas) <= 1e-14 * np.abs(scores).max()
    intervals = np.array([e.interval(confidence_level) for e in estimates])
    intervals[best] = 0.0
    return AgainstBest(
        np.where(tied, 0.0, deltas),
        intervals,
        np.array([estimate.pvalue("greater") for estimate in estimates]),
    )


def adjust_against_best(pvalues, method):
    """Adjust the p-values of all but the first, which is that of the best itself.

    A candidate without a score on some split was not tested: nan stays nan.

    Examples
    --------
    >>> adjust_against_best(np.array([1.0, 0.02, 0.03]), "bonferroni").tolist()
    [1.0, 0.04, 0.06]
    """
    adjusted, others = np.append(1.0, pvalues[1:]), np.flatnonzero(~np.isnan(pvalues))
    others = others[others > 0]
    adjusted[others] = adjust_pvalues(pvalues[others], method)
    return adjusted


def best_intervals(scores, ratio, confidence_level=0.95):
    """Compare every candidate with the best of the others, all at once, by Hsu.

    Parameters
    ----------
    scores : ndarray of shape (n_candidates, n_splits)
        Scores on the same splits, two of each at least; higher is better.
    ratio : float
        The number of test rows over that of training rows.
    confidence_level : float, default=0.95
        The probability with which all intervals cover together.

    Returns
    -------
    ndarray of shape (n_candidates, 2)
        Intervals for each candidate's expected score less the highest of the others'.
        One that ends at 0 below is the best; one that ends at 0 above is not ahead of
        all others; 0 lies inside where it may be.

    Notes
    -----
    *Estimand*: how far each candidate is ahead of, or behind, the best of the others.
    Multiple comparisons with the best: they need to hold only where the truly best
    candidate is compared with each other one, at one side, so that they are shorter
    than those of all pairs. Errors are those of Nadeau and Bengio's corrected t, and
    each pair has its own; its quantile is Bonferroni's for ``n_candidates - 1`` pairs,
    which needs no assumption about how they depend on each other. (Dunnett's, which Hsu
    takes, has one error for all pairs; with errors of their own it covers .86 to .93 on
    five or ten splits.)

    *Ties*: candidates that score the same throughout differ by 0 without error.
    *Degenerate*: of a difference that is the same on every split, and not 0, nothing is
    known of how it varies: it shows nothing, as in the corrected t.

    References
    ----------
    .. [1] Hsu, J. C. (1984). Constrained simultaneous confidence intervals for multiple
       comparisons with the best. Annals of Statistics 12(3), 1136-1144.
       :doi:`10.1214/aos/1176346732`
    .. [2] Hsu, J. C. (1996). Multiple Comparisons: Theory and Methods. Chapman & Hall,
       chapter 4.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import best_intervals
    >>> scores = np.array([[0.9, 0.8, 0.9], [0.8, 0.9, 0.8], [0.2, 0.3, 0.1]])
    >>> best_intervals(scores, ratio=1 / 2).round(2).tolist()
    [[-0.42, 0.49], [-0.49, 0.42], [-1.27, 0.0]]
    """
    n_candidates, n_splits = scores.shape
    if n_candidates < 2:
        return np.zeros((n_candidates, 2))
    quantile = stats.t.isf((1 - confidence_level) / (n_candidates - 1), n_splits - 1)
    gaps, reach = np.zeros((2, n_candidates, n_candidates))
    factor, rounding = math.sqrt(1 / n_splits + ratio), 1e-12 * np.abs(scores).max()
    for one in range(n_candidates):
        differences = scores[one] - scores
        spread = differences.std(axis=1, ddof=1)
        gaps[one] = differences.mean(axis=1)
        spread[spread <= rounding] = np.inf  # nothing is known of how leads vary
        spread[np.all(np.abs(differences) <= rounding, axis=1)] = 0.0
        reach[one] = quantile * factor * spread
    gaps[np.abs(gaps) <= rounding] = 0.0
    return intervals_with_best(gaps - reach, gaps + reach)


def intervals_with_best(lows, highs):
    """Turn intervals of pairs that hold together into intervals with the best.

    Parameters
    ----------
    lows, highs : ndarray of shape (n_models, n_models)
        The ends of the interval for the score of the model of the row less that of the
        column. The diagonal does not matter.

    Returns
    -------
    ndarray of shape (n_models, 2)
        Intervals for each score less the highest of the others. Where those of pairs
        hold, so do these, all of them: Hsu's constrained intervals.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats.selection import intervals_with_best
    >>> deltas = np.array([[0, 0.1, 0.5], [-0.1, 0, 0.4], [-0.5, -0.4, 0]])
    >>> intervals_with_best(deltas - 0.2, deltas + 0.2).round(2).tolist()
    [[-0.1, 0.3], [-0.3, 0.1], [-0.7, 0.0]]
    """
    others = ~np.eye(len(lows), dtype=bool)
    ahead = np.where(others, highs, np.inf).min(axis=1)
    # Who may be the best: one of these is, and nobody is further behind than behind it.
    rivals = others & (ahead >= 0)  # 0 is the tie of two that always score the same
    behind = np.where(rivals, lows, np.inf).min(axis=1)
    behind = np.where(rivals.any(axis=1), np.minimum(behind, 0.0), 0.0)
    return np.column_stack([behind, np.maximum(ahead, 0.0)])
