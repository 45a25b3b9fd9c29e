"""Correlations with the same target: is one of two larger?"""

import math

import numpy as np
from scipy import stats

from skcompare.stats.intervals import ConfidenceInterval
from skcompare.stats.paired import Finding
from skcompare.stats.pvalues import (
    EXTREMES,
    at_least_tiny,
    t_statistics,
    tail_pvalue,
)


def williams_test(r_a, r_b, r_ab, n, *, alternative):
    """Test whether two correlations with the same variable differ, by Williams' t.

    Parameters
    ----------
    r_a, r_b : float
        The correlations of A's and of B's predictions with the truth.
    r_ab : float
        The correlation of A's predictions with B's.
    n : int
        The number of rows, four at least.
    alternative : {"greater", "less", "two-sided"}
        Whether A's correlation is larger, smaller, or either.

    Returns
    -------
    Finding
        The statistic is t, with ``n - 3`` degrees of freedom.

    Notes
    -----
    *Null hypothesis*: both correlations are the same. *Estimand*: their difference.
    *Assumption*: the three variables are normal together; Steiger [2]_ recommends the
    test among several for correlations that share a variable. *Degenerate*: equal
    correlations give t = 0 and p = 1 (one-sided 1/2), also where A and B are the same
    but for scale (``r_ab`` is 1). Where B is A turned round (``r_ab`` is -1) the
    question is whether A's correlation is 0, and the test `correlation_t_test`.

    References
    ----------
    .. [1] Williams, E. J. (1959). The comparison of regression variables. Journal of
       the Royal Statistical Society B 21(2), 396-399.
       :doi:`10.1111/j.2517-6161.1959.tb00346.x`
    .. [2] Steiger, J. H. (1980). Tests for comparing elements of a correlation matrix.
       Psychological Bulletin 87(2), 245-251. :doi:`10.1037/0033-2909.87.2.245`

    Examples
    --------
    >>> from skcompare.stats import williams_test
    >>> test = williams_test(0.5, 0.4, 0.1, 103, alternative="two-sided")
    >>> round(test.statistic, 2), round(test.pvalue, 2)
    (0.89, 0.37)
    """
    _check_rows(n, 4)
    if r_ab <= -1:
        return correlation_t_test(r_a, n, alternative=alternative)
    determinant = 1 - r_a**2 - r_b**2 - r_ab**2 + 2 * r_a * r_b * r_ab
    mean = (r_a + r_b) / 2
    variance = 2 * max(determinant, 0.0) * (n - 1) / (n - 3)
    variance += mean**2 * (1 - r_ab) ** 3
    variance /= (n - 1) * (1 + r_ab)
    return _t_finding(r_a - r_b, math.sqrt(variance), n - 3, alternative)


def steiger_test(r_a, r_b, r_ab, n, *, alternative):
    """Test whether two correlations with the same variable differ, by Steiger's z.

    Parameters
    ----------
    r_a, r_b : float
        The correlations of A's and of B's predictions with the truth.
    r_ab : float
        The correlation of A's predictions with B's.
    n : int
        The number of rows, four at least.
    alternative : {"greater", "less", "two-sided"}
        Whether A's correlation is larger, smaller, or either.

    Returns
    -------
    Finding
        The statistic is the difference of Fisher's transforms over its standard error,
        which has the covariance at the mean of both correlations.

    Notes
    -----
    *Null hypothesis*, *estimand* and *assumption* as in `williams_test`, in the limit
    of many rows. A correlation of 1 or -1 has no finite transform, and z would be
    infinite on any number of rows: the test then is `williams_test`, and `method` "t".

    References
    ----------
    .. [1] Steiger, J. H. (1980). Tests for comparing elements of a correlation matrix.
       Psychological Bulletin 87(2), 245-251. :doi:`10.1037/0033-2909.87.2.245`

    Examples
    --------
    >>> test = steiger_test(0.5, 0.4, 0.1, 103, alternative="two-sided")
    >>> round(test.statistic, 2), round(test.pvalue, 2)
    (0.89, 0.37)
    """
    _check_rows(n, 4)
    if max(abs(r_a), abs(r_b)) >= 1:
        return williams_test(r_a, r_b, r_ab, n, alternative=alternative)
    mean = (r_a + r_b) / 2
    covariance = r_ab * (1 - 2 * mean**2) - mean**2 * (1 - 2 * mean**2 - r_ab**2) / 2
    squared = max(2 - 2 * covariance / (1 - mean**2) ** 2, 0.0) / (n - 3)
    far = 0.0 if r_a == r_b else np.arctanh(r_a) - np.arctanh(r_b)
    z = float(t_statistics(far, math.sqrt(squared)))
    return Finding(z, tail_pvalue(z, alternative, stats.norm.sf), "z")


def without_rounding(r):
    """Return a correlation; 1 or -1 where rounding alone keeps it from that.

    Examples
    --------
    >>> without_rounding(-1 + 1e-15), without_rounding(0.5)
    (-1.0, 0.5)
    """
    return math.copysign(1.0, r) if abs(r) >= 1 - 1e-12 else r


def correlation_t_test(r, n, *, alternative):
    """Test whether a correlation is 0, by Student's t.

    Parameters
    ----------
    r : float
        The correlation: Pearson's, or Spearman's for an approximation.
    n : int
        The number of rows, three at least.
    alternative : {"greater", "less", "two-sided"}
        Whether it is positive, negative, or either.

    Returns
    -------
    Finding
        The statistic is ``r * sqrt((n - 2) / (1 - r ** 2))``, with ``n - 2`` degrees of
        freedom.

    Notes
    -----
    *Null hypothesis*: the variables are not correlated. *Assumption*: they are normal
    together, or n is large. *Degenerate*: a correlation of 1 gives an infinite t, and
    the p-value of ``n`` values in one order of all: ``1 / n!``.

    Examples
    --------
    >>> test = correlation_t_test(0.5, 30, alternative="two-sided")
    >>> round(test.statistic, 3), round(test.pvalue, 4)
    (3.055, 0.0049)
    """
    _check_rows(n, 3)
    if abs(r) >= 1:
        sides = 2 if alternative == "two-sided" else 1
        bound = at_least_tiny(math.exp(-math.lgamma(n + 1)) * sides)
        pvalue = bound if EXTREMES[alternative](r) > 0 else 1.0
        return Finding(math.copysign(math.inf, r), pvalue, "bound")
    error = math.sqrt((1 - r**2) / (n - 2))
    return _t_finding(r, error, n - 2, alternative)


def correlation_difference_error(y, a, b):
    """Return the standard error of a difference of two correlations with one truth.

    It assumes no shape: it is the standard deviation of what single rows add to the
    difference (their influence) by the root of their number, which is the bootstrap's
    in large samples.

    Parameters
    ----------
    y, a, b : array-like of shape (n,)
        The truth and the predictions of A and B.

    Returns
    -------
    float
        The standard error.

    References
    ----------
    .. [1] Devlin, S. J., Gnanadesikan, R. and Kettenring, J. R. (1975). Robust
       estimation and outlier detection with correlation coefficients. Biometrika
       62(3), 531-545. :doi:`10.1093/biomet/62.3.531`

    Examples
    --------
    >>> y, a, b = [1.0, 2.0, 3.0, 4.0, 5.0], [1, 3, 2, 5, 4], [2, 1, 4, 3, 5]
    >>> round(correlation_difference_error(y, a, b), 3)
    0.126
    """
    y, a, b = (stats.zscore(np.asarray(values, dtype=float)) for values in (y, a, b))
    of_a, of_b = (y * z - np.mean(y * z) * (y**2 + z**2) / 2 for z in (a, b))
    return float(np.std(of_a - of_b) / math.sqrt(len(y)))


def correlation_interval(r, n, confidence_level):
    """Return Fisher's interval for a correlation.

    Parameters
    ----------
    r : float
        The correlation.
    n : int
        The number of rows, four at least.
    confidence_level : float
        The nominal coverage.

    Returns
    -------
    ConfidenceInterval
        Symmetric for the inverse hyperbolic tangent; without width for 1 and -1.

    Examples
    --------
    >>> low, high = correlation_interval(0.5, 30, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.17, 0.729)
    """
    _check_rows(n, 4)
    if abs(r) >= 1:
        return ConfidenceInterval(float(r), float(r))
    width = stats.norm.ppf((1 + confidence_level) / 2) / math.sqrt(n - 3)
    center = math.atanh(r)
    return ConfidenceInterval(math.tanh(center - width), math.tanh(center + width))


def difference_interval(r_a, r_b, r_ab, n, confidence_level):
    """Return Zou's interval for the difference of correlations with the same variable.

    Parameters
    ----------
    r_a, r_b : float
        The correlations of A's and of B's predictions with the truth.
    r_ab : float
        The correlation of A's predictions with B's.
    n : int
        The number of rows, four at least.
    confidence_level : float
        The nominal coverage.

    Returns
    -------
    ConfidenceInterval
        For ``r_a - r_b``.

    References
    ----------
    .. [1] Zou, G. Y. (2007). Toward using confidence intervals to compare correlations.
       Psychological Methods 12(4), 399-413. :doi:`10.1037/1082-989X.12.4.399`

    Examples
    --------
    >>> low, high = difference_interval(0.396, 0.179, 0.088, 66, 0.95)
    >>> round(low, 3), round(high, 3)
    (-0.093, 0.517)
    """
    low_a, high_a = correlation_interval(r_a, n, confidence_level)
    low_b, high_b = correlation_interval(r_b, n, confidence_level)
    spread = (1 - r_a**2) * (1 - r_b**2)
    common = 1 - r_a**2 - r_b**2 - r_ab**2
    c = ((r_ab - r_a * r_b / 2) * common + r_ab**3) / spread if spread else 0.0

    def reach(of_a, of_b):
        return math.sqrt(max(of_a**2 + of_b**2 - 2 * c * of_a * of_b, 0.0))

    delta = r_a - r_b
    low = delta - reach(r_a - low_a, high_b - r_b)
    return ConfidenceInterval(low, delta + reach(high_a - r_a, r_b - low_b))


def _check_rows(n, least):
    if n < least:
        raise ValueError(f"`n` must be at least {least}: rows, not degrees. Got {n}.")


def _t_finding(far, error, df, alternative):
    t = float(t_statistics(far, error))
    return Finding(t, tail_pvalue(t, alternative, stats.t.sf, df), "t")
