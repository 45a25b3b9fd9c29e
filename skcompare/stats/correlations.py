"""Tests and intervals for correlations, and for two correlations with one target."""

import math

import numpy as np
from scipy import stats

from skcompare.stats.intervals import ConfidenceInterval
from skcompare.stats.paired import SignificanceResult
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
        The correlations of the predictions of A, and of B, with the truth.
    r_ab : float
        The correlation between the predictions of A and B.
    n : int
        The number of rows, at least four.
    alternative : {"greater", "less", "two-sided"}
        Whether the correlation of A is larger, smaller, or either.

    Returns
    -------
    SignificanceResult
        The statistic is t, with ``n - 3`` degrees of freedom.

    Notes
    -----
    *Null hypothesis*: both correlations are equal. *Estimand*: their difference.
    *Assumption*: the three variables are jointly normal. Steiger [2]_ recommends this
    test for correlations that share a variable. *Degenerate cases*: equal correlations
    give t = 0 and p = 1 (one-sided 1/2), also if A and B are equal up to scale
    (``r_ab`` is 1). If B is A with the opposite sign (``r_ab`` is -1), the null
    hypothesis is that the correlation of A is 0, and `correlation_t_test` is used.

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
    return _t_test(r_a - r_b, math.sqrt(variance), n - 3, alternative)


def steiger_test(r_a, r_b, r_ab, n, *, alternative):
    """Test whether two correlations with the same variable differ, by Steiger's z.

    Parameters
    ----------
    r_a, r_b : float
        The correlations of the predictions of A, and of B, with the truth.
    r_ab : float
        The correlation between the predictions of A and B.
    n : int
        The number of rows, at least four.
    alternative : {"greater", "less", "two-sided"}
        Whether the correlation of A is larger, smaller, or either.

    Returns
    -------
    SignificanceResult
        The statistic is the difference of Fisher's z-transforms divided by its standard
        error, with the covariance evaluated at the mean of both correlations.

    Notes
    -----
    *Null hypothesis*, *estimand* and *assumption* are those of `williams_test`, in the
    limit of many rows. A correlation of 1 or -1 has no finite transform, and z would be
    infinite for any number of rows: `williams_test` is used instead, and `method` is
    "t".

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
    difference = 0.0 if r_a == r_b else np.arctanh(r_a) - np.arctanh(r_b)
    z = float(t_statistics(difference, math.sqrt(squared)))
    return SignificanceResult(z, tail_pvalue(z, alternative, stats.norm.sf), "z")


def without_rounding(r):
    """Return a correlation, replaced by 1 or -1 if it is that up to rounding.

    Examples
    --------
    >>> without_rounding(-1 + 1e-15), without_rounding(0.5)
    (-1.0, 0.5)
    """
    return math.copysign(1.0, r) if abs(r) >= 1 - 1e-12 else r


def correlation_t_test(r, n, *, alternative):
    """Test whether a correlation is 0, with Student's t-test.

    Parameters
    ----------
    r : float
        Pearson's correlation; for Spearman's, the test is approximate.
    n : int
        The number of rows, at least three.
    alternative : {"greater", "less", "two-sided"}
        Whether the correlation is positive, negative, or either.

    Returns
    -------
    SignificanceResult
        The statistic is ``r * sqrt((n - 2) / (1 - r ** 2))``, with ``n - 2`` degrees of
        freedom.

    Notes
    -----
    *Null hypothesis*: the variables are uncorrelated. *Assumption*: they are jointly
    normal, or n is large. *Degenerate case*: for a correlation of 1, t is infinite and
    the p-value is ``1 / n!``, the probability of one particular order of n values.

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
        return SignificanceResult(math.copysign(math.inf, r), pvalue, "bound")
    error = math.sqrt((1 - r**2) / (n - 2))
    return _t_test(r, error, n - 2, alternative)


def correlation_difference_error(y, a, b):
    """Return the standard error of the difference of two correlations with one target.

    No distribution is assumed: it is the standard deviation of the influence of single
    rows on the difference, divided by the root of the number of rows. In large samples
    it agrees with the bootstrap.

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
    """Return Fisher's confidence interval for a correlation.

    Parameters
    ----------
    r : float
        The correlation.
    n : int
        The number of rows, at least four.
    confidence_level : float
        The nominal coverage.

    Returns
    -------
    ConfidenceInterval
        The interval, symmetric on the scale of the inverse hyperbolic tangent. For 1
        and -1 its width is 0.

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
        The correlations of the predictions of A, and of B, with the truth.
    r_ab : float
        The correlation between the predictions of A and B.
    n : int
        The number of rows, at least four.
    confidence_level : float
        The nominal coverage.

    Returns
    -------
    ConfidenceInterval
        The interval for ``r_a - r_b``.

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
        raise ValueError(f"`n`, a number of rows, must be at least {least}. Got {n}.")


def _t_test(difference, error, df, alternative):
    t = float(t_statistics(difference, error))
    return SignificanceResult(t, tail_pvalue(t, alternative, stats.t.sf, df), "t")
