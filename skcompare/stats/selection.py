"""Comparisons of candidates with the best one, by their scores on the same splits."""

import math
from typing import NamedTuple

import numpy as np
from scipy import stats

from skcompare.stats.corrections import adjust_pvalues
from skcompare.stats.folds import corrected_estimate
from skcompare.stats.paired import paired_differences


class AgainstBest(NamedTuple):
    """Differences between the best candidate and each candidate.

    Attributes
    ----------
    deltas : ndarray of shape (n_candidates,)
        The mean score of the best candidate minus that of each candidate.
    intervals : ndarray of shape (n_candidates, 2)
        Equal-tailed confidence intervals for the differences.
    pvalues : ndarray of shape (n_candidates,)
        One-sided p-values for the alternative that the best candidate is better.
    """

    deltas: np.ndarray
    intervals: np.ndarray
    pvalues: np.ndarray


def against_best(scores, best, ratio, confidence_level):
    """Compare candidates with the best by Nadeau and Bengio's corrected t-test.

    Parameters
    ----------
    scores : ndarray of shape (n_candidates, n_splits)
        Scores on the same splits; higher is better.
    best : int
        The row with which the others are compared. Its own difference and interval are
        0, and its p-value is 1.
    ratio : float
        The number of test rows divided by that of training rows.
    confidence_level : float
        The nominal coverage of the intervals.

    Returns
    -------
    AgainstBest
        Differences, intervals and p-values. The latter two are nan for a single split.

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
    # Equal means of different scores may differ by rounding.
    tied = np.abs(deltas) <= 1e-14 * np.abs(scores).max()
    intervals = np.array([e.interval(confidence_level) for e in estimates])
    intervals[best] = 0.0
    return AgainstBest(
        np.where(tied, 0.0, deltas),
        intervals,
        np.array([estimate.pvalue("greater") for estimate in estimates]),
    )


def adjust_against_best(pvalues, method):
    """Adjust all p-values except the first, which is that of the best candidate.

    Candidates without a score on some split were not tested: nan remains nan.

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
    """Return Hsu's simultaneous intervals against the best of the other candidates.

    Parameters
    ----------
    scores : ndarray of shape (n_candidates, n_splits)
        Scores on the same splits, of which there are at least two; higher is better.
    ratio : float
        The number of test rows divided by that of training rows.
    confidence_level : float, default=0.95
        The simultaneous coverage of all intervals.

    Returns
    -------
    ndarray of shape (n_candidates, 2)
        Intervals for the expected score of each candidate minus the highest of the
        others. At this confidence, a candidate is the best if the lower end is 0, and
        is not the best if the upper end is 0. If 0 is inside, it may be the best.

    Notes
    -----
    *Estimand*: the difference between each candidate and the best of the others. These
    are multiple comparisons with the best: only the one-sided comparisons of the truly
    best candidate with each other candidate have to hold simultaneously, so the
    intervals are shorter than those for all pairs. Each pair has its own standard
    error, that of Nadeau and Bengio's corrected t. The quantile is Bonferroni's for
    ``n_candidates - 1`` pairs, which makes no assumption about their dependence.
    (Dunnett's quantile, which Hsu uses, assumes one standard error for all pairs; with
    separate errors its coverage is .86 to .93 on five or ten splits.)

    *Ties*: candidates with equal scores on all splits differ by 0, with an error of 0.
    *Degenerate case*: if a nonzero difference is the same on every split, its variance
    cannot be estimated, and it is never significant, as in the corrected t-test.

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
    for i in range(n_candidates):
        differences = scores[i] - scores
        spread = differences.std(axis=1, ddof=1)
        gaps[i] = differences.mean(axis=1)
        spread[spread <= rounding] = np.inf  # constant difference: unknown variance
        spread[np.all(np.abs(differences) <= rounding, axis=1)] = 0.0
        reach[i] = quantile * factor * spread
    gaps[np.abs(gaps) <= rounding] = 0.0
    return intervals_with_best(gaps - reach, gaps + reach)


def intervals_with_best(lows, highs):
    """Turn simultaneous intervals of pairs into intervals against the best.

    Parameters
    ----------
    lows, highs : ndarray of shape (n_models, n_models)
        The ends of the interval for the score of the row's model minus that of the
        column's model. The diagonal is ignored.

    Returns
    -------
    ndarray of shape (n_models, 2)
        Hsu's constrained intervals for each score minus the highest of the others. They
        all cover if the intervals of all pairs cover.

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
    # Models that may be the best. One of them is, so the lower end is the lowest of the
    # ends against them.
    rivals = others & (ahead >= 0)  # 0 for models that always have equal scores
    behind = np.where(rivals, lows, np.inf).min(axis=1)
    behind = np.where(rivals.any(axis=1), np.minimum(behind, 0.0), 0.0)
    return np.column_stack([behind, np.maximum(ahead, 0.0)])
