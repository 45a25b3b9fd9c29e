"""P-values of resampling tests, and helpers for p-values in general."""

import numpy as np

from skcompare._parameters import ALTERNATIVES as ALTERNATIVES
from skcompare._parameters import OneOf

# Numbers that differ by less, relative to the scores that they were computed from, are
# equal. Summing a million terms in another order changes a sum by about 1e-13 of its
# size. The steps of a metric, such as 1 / n for accuracy, are far larger.
RELATIVE_TOLERANCE = 1e-12

# Standard errors from numerical derivatives are accurate to about nine digits.
T_TOLERANCE = 1e-8

# Number of resamples from which the typical size of scores is estimated.
ENOUGH_SIZES = 1_000

# Functions that map extreme values to large ones.
EXTREMES = {"greater": np.positive, "less": np.negative, "two-sided": np.abs}


def at_least_tiny(pvalue):
    """Clip a p-value to at most 1, and to above 0 in case of underflow."""
    return float(np.clip(pvalue, np.finfo(float).tiny, 1.0))


def tail_pvalue(statistic, alternative, survival, *parameters):
    """Return the p-value of a statistic whose null distribution is symmetric about 0.

    Parameters
    ----------
    statistic : float
        The statistic.
    alternative : {"greater", "less", "two-sided"}
        Which values count as extreme.
    survival : callable
        The survival function of the null distribution, called with the statistic first.
    *parameters : float
        Further arguments of `survival`, such as degrees of freedom.

    Returns
    -------
    float
        The p-value; the smallest positive normal float if it underflows.

    Examples
    --------
    >>> from scipy import stats
    >>> round(tail_pvalue(-1.96, "two-sided", stats.norm.sf), 3)
    0.05
    """
    sides = 2 if alternative == "two-sided" else 1
    tail = survival(EXTREMES[alternative](statistic), *parameters)
    return at_least_tiny(sides * tail)


def pvalue_of_tails(upper, lower, alternative):
    """Combine the probabilities of both tails into a p-value of at most 1.

    Examples
    --------
    >>> pvalue_of_tails(0.01, 0.99, "two-sided")
    0.02
    """
    tails = {"greater": upper, "less": lower, "two-sided": 2 * min(lower, upper)}
    return min(tails[alternative], 1.0)


def rounding_tolerance(scores, scale=0.0):
    """Return the tolerance for rounding errors of differences between scores.

    The tolerance is relative to the scores, not to their difference: the difference of
    two equal scores is 0 but its rounding error is not. It uses the median size, so
    that a single outlying resample does not turn all others into ties. A thousand
    evenly spaced resamples are enough to estimate the median.

    Parameters
    ----------
    scores : array_like of shape (n_resamples, ...)
        Scores from whose differences a p-value is computed; nan is ignored.
    scale : float, default=0.0
        A lower bound for the size of the scores.

    Returns
    -------
    float
        The tolerance: differences that are no further apart count as equal.

    Examples
    --------
    >>> rounding_tolerance([0.5, -1.0, np.nan])
    7.5e-13
    >>> rounding_tolerance([0.0, 0.0], scale=1.0)
    1e-12
    """
    scores = np.asarray(scores, dtype=float)
    sizes = np.abs(scores[:: max(1, len(scores) // ENOUGH_SIZES)]).ravel()
    sizes = sizes[np.isfinite(sizes)]
    size = float(np.median(sizes)) if len(sizes) else 0.0
    return RELATIVE_TOLERANCE * max(scale, size)


def exceeding(null_distribution, observed, alternative, *, tolerance=0.0):
    """Mark the null values that are at least as extreme as the observed value.

    Ties, which differ by no more than `tolerance`, are marked. So are undefined (nan)
    values: the p-value may become too large, but never too small.

    Parameters
    ----------
    null_distribution : ndarray
        Values under the null hypothesis, around 0.
    observed : float
        The observed value.
    alternative : {"greater", "less", "two-sided"}
        Which values count as extreme.
    tolerance : float, default=0.0
        The largest difference between ties.

    Returns
    -------
    ndarray of bool
        True for each value that is at least as extreme.

    Examples
    --------
    >>> null = np.array([-0.2, 0.0, 0.1 + 0.2, np.nan])
    >>> exceeding(null, 0.3, "greater").tolist()
    [False, False, True, True]
    >>> exceeding(-null, 0.3, "greater").tolist()
    [False, False, False, True]
    """
    orient = EXTREMES[alternative]
    return ~(orient(null_distribution) < orient(observed) - tolerance)


def count_exceeding(null_distribution, observed, alternative, *, tolerance=0.0):
    """Count the null values that `exceeding` marks.

    Examples
    --------
    >>> count_exceeding(np.array([-0.2, 0.0, 0.1 + 0.2, np.nan]), 0.3, "greater")
    2
    """
    marked = exceeding(null_distribution, observed, alternative, tolerance=tolerance)
    return int(np.count_nonzero(marked))


def resampling_pvalue(n_exceeding, n_resamples, *, add_one=True):
    """Turn a count of exceeding resamples into a p-value.

    Parameters
    ----------
    n_exceeding : int
        The number of resamples that are at least as extreme as the observed value.
    n_resamples : int
        The number of resamples.
    add_one : bool, default=True
        Count the observed data as one of the resamples, which keeps the test valid and
        the p-value above 0. With False, the p-value is the plain share of many
        textbooks.

    Returns
    -------
    float
        The p-value.

    References
    ----------
    .. [1] Phipson, B. and Smyth, G. K. (2010). Permutation p-values should never be
       zero. Statistical Applications in Genetics and Molecular Biology 9(1).
       :doi:`10.2202/1544-6115.1585`

    Examples
    --------
    >>> from skcompare.stats import resampling_pvalue
    >>> resampling_pvalue(47, 10_000, add_one=False)
    0.0047
    >>> resampling_pvalue(0, 9_999)
    0.0001
    """
    extra = int(add_one)
    return (n_exceeding + extra) / (n_resamples + extra)


def margin_pvalue(
    deltas,
    delta,
    margin,
    alternative="greater",
    *,
    method="shift",
    tolerance=0.0,
    add_one=True,
):
    """Return the p-value of a bootstrapped difference against a margin.

    Parameters
    ----------
    deltas : ndarray of shape (n_resamples,)
        The bootstrap distribution of the difference, centered at about the observed
        difference; nan where undefined.
    delta : float
        The observed difference.
    margin : float
        The margin; a negative one with "greater" tests for non-inferiority.
    alternative : {"greater", "less"}, default="greater"
        Whether the difference is above the margin, or below it.
    method : {"shift", "percentile"}, default="shift"
        "shift" counts the resamples that are at least as far from the observed
        difference as the latter is from the margin; "percentile" those at the margin
        or on its other side.
    tolerance : float, default=0.0
        The largest difference between ties, due to rounding.
    add_one : bool, default=True
        Count the observed data as one of the resamples.

    Returns
    -------
    float
        The p-value.

    Notes
    -----
    *Null hypothesis*: the difference is equal to the margin, or on its other side.
    *Assumption*: the resampled differences vary around the observed difference as the
    latter varies around the true difference. *Ties and undefined values* are counted:
    the p-value may be too large, but never too small. Two models are *equivalent*
    within a margin if both one-sided tests reject: "greater" against minus the margin,
    and "less" against the margin. *Degenerate case*: if the resampled differences
    hardly vary, the p-value is too small, because resamples do not represent unseen
    units. `ComparisonResult.margin_pvalue` takes the number of units into account and
    is never smaller than the p-value of a binomial test.

    References
    ----------
    .. [1] Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure
       and the power approach for assessing the equivalence of average bioavailability.
       Journal of Pharmacokinetics and Biopharmaceutics 15(6), 657-680.
       :doi:`10.1007/BF01068419`

    Examples
    --------
    The observed difference, 0.1, is 0.3 above the margin, and one of four resamples is
    0.3 above the observed difference:

    >>> import numpy as np
    >>> from skcompare.stats import margin_pvalue
    >>> deltas = np.array([-0.15, 0.0, 0.2, 0.5])
    >>> margin_pvalue(deltas, 0.1, -0.2)
    0.4
    >>> margin_pvalue(deltas, 0.1, -0.2, add_one=False)
    0.25
    >>> margin_pvalue(deltas, 0.1, -0.2, method="percentile")
    0.2
    """
    OneOf("greater", "less").check("alternative", alternative)
    OneOf("shift", "percentile").check("method", method)
    deviations = deltas - delta if method == "shift" else delta - deltas
    n_exceeding = count_exceeding(
        deviations, delta - margin, alternative, tolerance=tolerance
    )
    return resampling_pvalue(n_exceeding, len(deltas), add_one=add_one)


def t_statistics(differences, errors, tolerance=0.0):
    """Divide differences by their standard errors.

    Parameters
    ----------
    differences, errors : array-like
        Differences, nan where undefined, and their standard errors.
    tolerance : float, default=0.0
        Differences and errors up to this size count as 0.

    Returns
    -------
    ndarray
        The ratios. If the error is 0: 0 for a difference of 0, otherwise infinite.

    Examples
    --------
    >>> t_statistics([1.0, 0.0, -1.0], [0.5, 0.0, 0.0]).tolist()
    [2.0, 0.0, -inf]
    """
    differences, errors = np.asarray(differences, float), np.asarray(errors, float)
    size = np.where(np.abs(differences) <= tolerance, 0.0, differences)
    usable = errors > tolerance
    certain = np.where(size == 0, size, np.copysign(np.inf, size))
    certain = np.where(np.isnan(size), np.nan, certain)
    return np.where(usable, size / np.where(usable, errors, 1.0), certain)


def monte_carlo_error(pvalue, n_resamples):
    """Return the Monte Carlo standard error of a p-value.

    Parameters
    ----------
    pvalue : float
        A p-value from random resamples.
    n_resamples : int
        The number of resamples.

    Returns
    -------
    float
        The binomial standard error due to the finite number of resamples.

    Examples
    --------
    >>> round(monte_carlo_error(0.05, 9_999), 4)
    0.0022
    """
    return float(np.sqrt(pvalue * (1 - pvalue) / n_resamples))
