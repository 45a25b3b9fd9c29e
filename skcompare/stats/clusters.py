"""Few or uneven groups: how many they are in effect, and a test that allows for it."""

import itertools
import math

import numpy as np

from skcompare.stats.paired import Finding
from skcompare.stats.pvalues import resampling_pvalue

# How far apart ties may be, relative to the statistic.
RELATIVE_TOLERANCE = 1e-12


def effective_number(weights):
    """Return how many equal weights tell as much as these do, by Kish.

    Parameters
    ----------
    weights : array-like of shape (n,)
        Weights of rows, or sizes of groups; none is negative.

    Returns
    -------
    float
        ``sum(weights) ** 2 / sum(weights ** 2)``: n for equal weights, 1 if one has all
        of it, and 0 without any weight.

    Notes
    -----
    The variance of a weighted mean of independent values with the same variance is that
    variance over this number. Below about 30 tests that rely on many units, bootstrap
    and normal limit, reject too often.

    References
    ----------
    .. [1] Kish, L. (1965). Survey Sampling. Wiley, section 8.2.

    Examples
    --------
    >>> from skcompare.stats import effective_number
    >>> effective_number([1, 1, 1, 1])
    4.0
    >>> round(effective_number([97, 1, 1, 1]), 2)
    1.06
    """
    weights = np.asarray(weights, dtype=float)
    largest = weights.max(initial=0.0)
    if largest == 0:
        return 0.0
    shares = weights / largest
    return float(shares.sum() ** 2 / np.sum(shares**2))


def wild_cluster_pvalue(sums, sizes, alternative, *, n_resamples, rng):
    """Test whether a mean difference is 0, with few or uneven groups of rows.

    Parameters
    ----------
    sums : array-like of shape (n_groups,)
        The sum of the differences of each group's rows.
    sizes : array-like of shape (n_groups,)
        The number of rows, or the weight, of each group.
    alternative : {"greater", "less", "two-sided"}
        Whether the mean is positive, negative, or either.
    n_resamples : int
        The number of random sets of signs. All of them are tried instead if there are
        no more than that.
    rng : numpy.random.Generator
        The source of randomness.

    Returns
    -------
    Finding
        The statistic is the mean over its cluster-robust standard error, without a
        correction for few groups, which would change nothing; `method` is "exact" if
        all signs were tried, else "monte-carlo".

    Notes
    -----
    *Null hypothesis*: the mean over rows is 0. *Estimand*: ``sum(sums) / sum(sizes)``.
    The wild cluster bootstrap-t with the null hypothesis imposed [1]_: under it the sum
    of a group is its own error. Signs of groups are drawn at random (Rademacher), and
    the statistic is computed anew, standard error included. Exact if sums are
    symmetric about 0; in general right for many groups, and far closer to its level
    than a bootstrap of whole groups where they are few or uneven.

    *Ties* count as exceeding; turning all signs always gives one, so that no two-sided
    p-value is below ``2 ** (1 - n_groups)``. Two-sided, sizes of statistics are
    compared. *Degenerate*: without differences p is 1; a sample whose groups all have
    the same mean has no standard error, and is taken as infinitely far from 0.

    References
    ----------
    .. [1] Cameron, A. C., Gelbach, J. B. and Miller, D. L. (2008). Bootstrap-based
       improvements for inference with clustered errors. Review of Economics and
       Statistics 90(3), 414-427. :doi:`10.1162/rest.90.3.414`

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import wild_cluster_pvalue
    >>> rng = np.random.default_rng(0)
    >>> sums, sizes = [5.0, 3.0, -1.0, 2.0, 4.0], [50, 20, 10, 10, 10]
    >>> test = wild_cluster_pvalue(sums, sizes, "greater", n_resamples=999, rng=rng)
    >>> round(test.statistic, 3), test.pvalue, test.method
    (3.304, 0.0625, 'exact')
    """
    sums, sizes = (np.asarray(one, dtype=float) for one in (sums, sizes))
    observed = float(_robust_t(sums[np.newaxis], sizes)[0])
    exact = 2 ** min(len(sums), 60) <= n_resamples
    if exact:
        signs = np.array(list(itertools.product([1.0, -1.0], repeat=len(sums))))
    else:
        signs = rng.choice([-1.0, 1.0], size=(n_resamples, len(sums)))
    drawn = _robust_t(signs * sums, sizes)
    turn = {"greater": np.positive, "less": np.negative, "two-sided": np.abs}
    drawn, threshold = turn[alternative](drawn), turn[alternative](observed)
    slack = RELATIVE_TOLERANCE * abs(observed) if math.isfinite(observed) else 0.0
    count = int(np.count_nonzero(drawn >= threshold - slack))
    # All signs hold the observed ones.
    pvalue = resampling_pvalue(count, len(drawn), add_one=not exact)
    return Finding(observed, pvalue, "exact" if exact else "monte-carlo")


def _robust_t(sums, sizes):
    """Return means over their standard errors, a row for each sample of sums."""
    totals = sums.sum(axis=1)
    residuals = sums - sizes * (totals / sizes.sum())[:, np.newaxis]
    squares = np.sum(residuals**2, axis=1)
    vary = squares > (RELATIVE_TOLERANCE * np.abs(sums).max(axis=1, initial=0.0)) ** 2
    certain = np.where(totals == 0, 0.0, np.copysign(np.inf, totals))
    return np.where(vary, totals / np.sqrt(np.where(vary, squares, 1.0)), certain)
