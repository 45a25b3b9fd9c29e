"""Which models differ in mean rank: Nemenyi's test and tests of single pairs."""

import numpy as np
from scipy import stats


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
        The standard error if every order of the models is equally likely on each.

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
    By the studentized range of independent normal variables with infinitely many
    degrees of freedom: right for many data sets.

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


def rank_pvalues(differences, n_models, n_blocks, alternative="two-sided"):
    """Return p-values of single differences of mean ranks.

    Parameters
    ----------
    differences : array-like
        Differences of mean ranks.
    n_models, n_blocks : int
        The number of models, and of data sets.
    alternative : {"greater", "less", "two-sided"}, default="two-sided"
        What counts as extreme.

    Returns
    -------
    ndarray
        The p-values, by the normal distribution, for one pair each.

    Examples
    --------
    >>> rank_pvalues([1.0], 4, 14).round(4).tolist()
    [0.0404]
    """
    z = np.asarray(differences) / rank_error(n_models, n_blocks)
    tails = {"greater": z, "less": -z, "two-sided": np.abs(z)}
    share = 2 if alternative == "two-sided" else 1
    return share * stats.norm.sf(tails[alternative])


def rank_critical_difference(n_models, n_blocks, alpha, *, n_pairs=None):
    """Return from which difference on two mean ranks differ significantly.

    Parameters
    ----------
    n_models, n_blocks : int
        The number of models, and of data sets.
    alpha : float
        The level.
    n_pairs : int, default=None
        The number of pairs that Bonferroni's correction allows for, as Dunn's does in
        comparisons with one baseline. None is Nemenyi's test of all pairs.

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
