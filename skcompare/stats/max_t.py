"""P-values and intervals of several differences from their joint distribution."""

from typing import NamedTuple

import numpy as np

from skcompare.stats.intervals import ConfidenceInterval
from skcompare.stats.pvalues import EXTREMES, resampling_pvalue


class Studentized(NamedTuple):
    """Differences in units of their standard errors.

    Attributes
    ----------
    observed : ndarray of shape (n_tests,)
        The observed differences.
    null : ndarray of shape (n_resamples, n_tests)
        The resampled differences minus their center; nan where undefined.
    tolerance : ndarray of shape (n_tests,)
        The largest differences between ties.
    errors : ndarray of shape (n_tests,)
        The standard errors; 0 for a difference without variation.
    """

    observed: np.ndarray
    null: np.ndarray
    tolerance: np.ndarray
    errors: np.ndarray


def studentize(deltas, null, tolerance):
    """Divide differences by the standard deviations of their null distributions.

    Parameters
    ----------
    deltas : ndarray of shape (n_tests,)
        The observed differences.
    null : ndarray of shape (n_resamples, n_tests)
        Differences under the null hypothesis, centered at 0; nan where undefined.
    tolerance : ndarray of shape (n_tests,)
        The largest differences between ties, due to rounding.

    Returns
    -------
    Studentized
        All three in units of standard errors. Observed differences whose null
        distribution has no variation become infinite, or 0 if they are 0.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import studentize
    >>> null = np.array([[1.0, 0.0], [-1.0, 0.0]])
    >>> studentize(np.array([2.0, 0.5]), null, np.zeros(2)).observed.round(4).tolist()
    [1.4142, inf]
    """
    # Standard deviations of columns, ignoring nan; 0 for a single value.
    n_more = np.maximum(np.count_nonzero(~np.isnan(null), axis=0) - 1, 1)
    squares = np.nansum((null - np.nanmean(null, axis=0)) ** 2, axis=0)
    errors = np.sqrt(squares / n_more)
    fixed = errors <= tolerance
    scale = np.where(fixed, 1.0, errors)
    moved = np.abs(deltas) > tolerance
    certain = np.where(moved, np.copysign(np.inf, deltas), 0.0)
    return Studentized(
        np.where(fixed, certain, deltas / scale),
        np.where(fixed & ~np.isnan(null), 0.0, null / scale),
        np.where(fixed, 0.0, tolerance / scale),
        np.where(fixed, 0.0, errors),
    )


def max_t_pvalues(studentized, alternative, *, add_one=True):
    """Adjust p-values by the distribution of the largest of several statistics.

    The largest observed statistic is compared with the largest of each resample, the
    next one with the largest of the remaining tests, and so on: the step-down procedure
    of Westfall and Young [1]_, and of Romano and Wolf [2]_. The statistics of each
    resample are correlated as those of the data are, so the procedure has more power
    than a correction that allows for any dependence.

    Parameters
    ----------
    studentized : Studentized
        Observed and resampled statistics. Undefined ones count as exceeding.
    alternative : {"greater", "less", "two-sided"}
        Which values count as extreme.
    add_one : bool, default=True
        Count the observed data as one of the resamples.

    Returns
    -------
    ndarray of shape (n_tests,)
        The adjusted p-values. For a single test, the unadjusted p-value.

    References
    ----------
    .. [1] Westfall, P. H. and Young, S. S. (1993). Resampling-Based Multiple Testing.
       Wiley.
    .. [2] Romano, J. P. and Wolf, M. (2005). Exact and approximate stepdown methods
       for multiple hypothesis testing. JASA 100(469), 94-108.
       :doi:`10.1198/016214504000000539`

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import max_t_pvalues
    >>> from skcompare.stats.max_t import Studentized
    >>> null = np.array([[1.0, -2.0], [0.5, 1.5], [-1.0, 0.0], [0.0, 0.5]])
    >>> two = Studentized(np.array([3.0, 1.5]), null, np.zeros(2), np.ones(2))
    >>> max_t_pvalues(two, "two-sided").tolist()
    [0.2, 0.6]
    """
    orient = EXTREMES[alternative]
    observed, null = orient(studentized.observed), orient(studentized.null)
    null[np.isnan(null)] = np.inf
    order = np.argsort(-observed, kind="stable")
    # Column j: the largest statistic of the tests that remain at step j.
    largest = np.maximum.accumulate(null[:, order[::-1]], axis=1)[:, ::-1]
    threshold = (observed - studentized.tolerance)[order]
    counts = np.count_nonzero(largest >= threshold, axis=0)
    steps = [resampling_pvalue(int(c), len(null), add_one=add_one) for c in counts]
    pvalues = np.empty(len(order))
    pvalues[order] = np.maximum.accumulate(np.array(steps, dtype=float))
    return pvalues


def max_t_intervals(deltas, studentized, level):
    """Return simultaneous confidence intervals for several differences.

    The half-width of each interval is the same multiple of its standard error: the
    `level` quantile, over resamples, of the largest absolute studentized difference.

    Parameters
    ----------
    deltas : ndarray of shape (n_tests,)
        The observed differences.
    studentized : Studentized
        The observed and the bootstrapped differences, studentized. Undefined ones count
        as infinitely large, as they do in the p-value.
    level : float
        The probability that all intervals cover the true differences.

    Returns
    -------
    list of ConfidenceInterval
        An interval for each difference; infinite if resamples are too few, or too many
        of them undefined.

    Examples
    --------
    >>> null = np.random.default_rng(0).normal(size=(9_999, 1))
    >>> five = np.array([5.0])
    >>> intervals = max_t_intervals(five, studentize(five, null, np.zeros(1)), 0.95)
    >>> [(round(low, 1), round(high, 1)) for low, high in intervals]
    [(3.0, 7.0)]
    """
    largest = np.sort(np.abs(studentized.null).max(axis=1))  # nan are sorted last
    place = int(np.ceil(level * (len(largest) + 1) - 1e-9)) - 1
    critical = largest[place] if place < len(largest) else np.nan
    reaches = [critical * error if error > 0 else 0.0 for error in studentized.errors]
    if np.isnan(critical):
        reaches = np.inf
    ends = zip(deltas - reaches, deltas + reaches, strict=True)
    return [ConfidenceInterval(float(low), float(high)) for low, high in ends]
