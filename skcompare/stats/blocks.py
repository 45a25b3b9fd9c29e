"""Tests of several models on the same blocks: Cochran's Q and Friedman's test.

A block is a row, a data set or a fold, on which every model has a value. The null
hypothesis of both tests is that models are exchangeable within blocks. With T_j, the
total of model j, both statistics are

    (k - 1) sum_j (T_j - mean T)^2 / sum_ij (x_ij - mean_j x_ij)^2

where the values x_ij are 0 or 1 for Cochran's Q, and ranks for Friedman's chi-square,
corrected for ties. The cost is linear in the number of models.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy import stats

from skcompare.stats.pvalues import RELATIVE_TOLERANCE, at_least_tiny


class BlockTest(NamedTuple):
    """The result of a test of blocks.

    Attributes
    ----------
    statistic : float
        The test statistic.
    pvalue : float
        The p-value.
    df : int or tuple of int
        The degrees of freedom of the chi-square or F distribution.
    concordance : float
        The chi-square statistic divided by its maximum, from 0 to 1.
    """

    statistic: float
    pvalue: float
    df: int | tuple
    concordance: float


def cochran_q(right):
    """Compute Cochran's Q test.

    Parameters
    ----------
    right : array-like of bool of shape (n_rows, n_models)
        Which model is right on which row.

    Returns
    -------
    BlockTest
        Q and its p-value. If on every row all models are right, or all wrong, these are
        0 and 1.

    References
    ----------
    .. [1] Cochran, W. G. (1950). The comparison of percentages in matched samples.
       Biometrika 37(3/4), 256-266. :doi:`10.2307/2332378`

    Examples
    --------
    >>> from skcompare.stats import cochran_q
    >>> right = [[1, 1, 0], [1, 1, 0], [1, 0, 0], [1, 1, 1], [0, 1, 0], [1, 1, 0]]
    >>> test = cochran_q(right)
    >>> round(test.statistic, 4), test.df, round(test.pvalue, 4)
    (6.4, 2, 0.0408)
    """
    return _chi_square(np.asarray(right, dtype=bool).astype(np.int64))


def rank_blocks(scores):
    """Rank models within each block, from 1 for the best; ties share a mean rank.

    Parameters
    ----------
    scores : array-like of shape (n_blocks, n_models)
        Scores; higher is better. Scores of a block that are equal up to rounding are
        ties.

    Returns
    -------
    ndarray of shape (n_blocks, n_models)
        The ranks.

    Examples
    --------
    >>> from skcompare.stats import rank_blocks
    >>> rank_blocks([[0.1 + 0.2, 0.3, 0.2], [0.5, 0.7, 0.9]]).tolist()
    [[1.5, 1.5, 3.0], [3.0, 2.0, 1.0]]
    """
    scores = np.asarray(scores, dtype=float)
    order = np.argsort(-scores, axis=1, kind="stable")
    falling = np.take_along_axis(scores, order, axis=1)
    tolerance = RELATIVE_TOLERANCE * np.abs(scores).max(axis=1, keepdims=True)
    steps = np.cumsum(falling[:, :-1] - falling[:, 1:] > tolerance, axis=1)
    levels = np.zeros(scores.shape, dtype=np.int64)
    np.put_along_axis(levels, order[:, 1:], steps, axis=1)
    return stats.rankdata(levels, axis=1)


def friedman_chi2(ranks):
    """Compute Friedman's chi-square test, corrected for ties.

    Parameters
    ----------
    ranks : ndarray of shape (n_blocks, n_models)
        Ranks within blocks.

    Returns
    -------
    BlockTest
        The statistic and its p-value. If all models are tied in every block, these are
        0 and 1.

    References
    ----------
    .. [1] Friedman, M. (1937). The use of ranks to avoid the assumption of normality
       implicit in the analysis of variance. JASA 32(200), 675-701.
       :doi:`10.1080/01621459.1937.10503522`
    .. [2] Conover, W. J. (1999). Practical Nonparametric Statistics, 3rd edition.
       Wiley, section 5.8.

    Examples
    --------
    >>> from skcompare.stats import friedman_chi2, rank_blocks
    >>> ranks = rank_blocks([[0.9, 0.8, 0.7], [0.6, 0.5, 0.5], [0.8, 0.9, 0.3]])
    >>> test = friedman_chi2(ranks)
    >>> round(test.statistic, 4), test.df, round(test.pvalue, 4)
    (3.8182, 2, 0.1482)
    """
    return _chi_square(np.rint(2 * np.asarray(ranks)).astype(np.int64))


def iman_davenport(ranks):
    """Compute the F test of Iman and Davenport.

    If the ranks are equal in all blocks, chi-square has its maximum and F is infinite.
    The p-value is then the probability of equal ranks if all orders are equally likely.

    Parameters
    ----------
    ranks : ndarray of shape (n_blocks, n_models)
        Ranks within blocks.

    Returns
    -------
    BlockTest
        The statistic and its p-value. If all models are tied in every block, these are
        0 and 1.

    References
    ----------
    .. [1] Iman, R. L. and Davenport, J. M. (1980). Approximations of the critical
       region of the Friedman statistic. Communications in Statistics - Theory and
       Methods 9(6), 571-595. :doi:`10.1080/03610928008827904`

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import iman_davenport, rank_blocks
    >>> ranks = rank_blocks([[0.9, 0.8, 0.7], [0.6, 0.5, 0.5], [0.8, 0.9, 0.3]])
    >>> test = iman_davenport(ranks)
    >>> round(test.statistic, 4), test.df, round(test.pvalue, 4)
    (3.5, (2, 4), 0.1322)
    >>> test = iman_davenport(np.array([[1, 2, 3], [1, 2, 3]]))
    >>> test.statistic, round(test.pvalue, 4)
    (inf, 0.1667)
    """
    ranks = np.asarray(ranks, dtype=float)
    n_blocks, n_models = ranks.shape
    chi2 = friedman_chi2(ranks)
    df = (n_models - 1, (n_models - 1) * (n_blocks - 1))
    if (ranks == ranks[0]).all() and chi2.concordance > 0:
        # The number of ways to assign these ranks to the models.
        tied = np.unique(ranks[0], return_counts=True)[1].tolist()
        n_orders = math.factorial(n_models) // math.prod(map(math.factorial, tied))
        agree = at_least_tiny(math.exp(-(n_blocks - 1) * math.log(n_orders)))
        return BlockTest(math.inf, agree, df, chi2.concordance)
    rest = n_blocks * (n_models - 1) - chi2.statistic
    f = (n_blocks - 1) * chi2.statistic / rest
    return BlockTest(f, at_least_tiny(stats.f.sf(f, *df)), df, chi2.concordance)


def _chi_square(values):
    """Return the statistic in the module docstring for integers."""
    n_blocks, n_models = values.shape
    # k x_ij - sum_j x_ij are integers, too, so zeros are exact.
    deviations = n_models * values - values.sum(axis=1, keepdims=True)
    within = float(np.sum(deviations.astype(float) ** 2))
    totals = deviations.sum(axis=0).astype(float)
    df = n_models - 1
    if within == 0:
        return BlockTest(0.0, 1.0, df, 0.0)
    chi2 = df * float(np.sum(totals**2)) / within
    pvalue = at_least_tiny(stats.chi2.sf(chi2, df))
    return BlockTest(chi2, pvalue, df, chi2 / (n_blocks * df))


def rank_error(n_models, n_blocks):
    """Return the standard error of a difference of two mean ranks.

    Parameters
    ----------
    n_models : int
        The number of models.
    n_blocks : int
        The number of data sets.

    Returns
    -------
    float
        The standard error if all orders of the models are equally likely on each data
        set.

    Examples
    --------
    >>> round(rank_error(4, 14), 4)
    0.488
    """
    return float(np.sqrt(n_models * (n_models + 1) / (6 * n_blocks)))


def nemenyi_pvalues(differences, n_models, n_blocks):
    """Return p-values of Nemenyi's test for differences of mean ranks.

    Parameters
    ----------
    differences : array-like
        Differences of mean ranks, of any pairs of the models.
    n_models, n_blocks : int
        The number of models, and of data sets.

    Returns
    -------
    ndarray
        Two-sided p-values, adjusted for all pairs of the models.

    Notes
    -----
    P-values come from the studentized range distribution of independent normal
    variables with infinite degrees of freedom, which is accurate for many data sets.

    References
    ----------
    .. [1] Nemenyi, P. B. (1963). Distribution-free Multiple Comparisons. PhD thesis,
       Princeton University.

    Examples
    --------
    >>> nemenyi_pvalues([0.0, 1.25], 4, 14).round(4).tolist()
    [1.0, 0.051]
    """
    z = np.abs(differences) / rank_error(n_models, n_blocks)
    return np.clip(stats.studentized_range.sf(z * np.sqrt(2), n_models, np.inf), 0, 1)


def rank_pvalues(differences, n_models, n_blocks):
    """Return p-values of single differences of mean ranks.

    Parameters
    ----------
    differences : array-like
        Differences of mean ranks.
    n_models, n_blocks : int
        The number of models, and of data sets.

    Returns
    -------
    ndarray
        Two-sided p-values from the normal distribution, not adjusted for multiple
        comparisons.

    Examples
    --------
    >>> rank_pvalues([1.0], 4, 14).round(4).tolist()
    [0.0404]
    """
    z = np.abs(differences) / rank_error(n_models, n_blocks)
    return 2 * stats.norm.sf(z)


def rank_critical_difference(n_models, n_blocks, alpha, *, n_pairs=None):
    """Return the smallest significant difference of two mean ranks.

    Parameters
    ----------
    n_models, n_blocks : int
        The number of models, and of data sets.
    alpha : float
        The level.
    n_pairs : int, default=None
        The number of pairs for Bonferroni's correction, as in Dunn's test for
        comparisons with one baseline. None means Nemenyi's test of all pairs.

    Returns
    -------
    float
        The critical difference.

    Examples
    --------
    >>> round(rank_critical_difference(4, 14, 0.05), 2)
    1.25
    >>> round(rank_critical_difference(4, 14, 0.05, n_pairs=3), 2)
    1.17
    """
    if n_pairs is None:
        quantile = stats.studentized_range.isf(alpha, n_models, np.inf) / np.sqrt(2)
    else:
        quantile = stats.norm.isf(alpha / (2 * n_pairs))
    return float(quantile * rank_error(n_models, n_blocks))
