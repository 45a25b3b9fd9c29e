"""One p-value for every resampling test."""

import numpy as np

from skcompare._parameters import ALTERNATIVES as ALTERNATIVES
from skcompare._parameters import OneOf

# Sums of a million terms in another order differ by about 1e-13 of their size; the
# steps of a metric, such as 1 / n for accuracy, are far larger.
RELATIVE_TOLERANCE = 1e-12

# So many resamples tell how large scores are.
ENOUGH_SIZES = 1_000

# What makes the extreme values large ones.
EXTREMES = {"greater": np.positive, "less": np.negative, "two-sided": np.abs}


def at_least_tiny(pvalue):
    """Keep a p-value that underflows above 0, and rounding below 1."""
    return float(np.clip(pvalue, np.finfo(float).tiny, 1.0))


def tail_pvalue(statistic, alternative, survival, *parameters):
    """Return the p-value of a statistic whose null distribution is symmetric about 0.

    Parameters
    ----------
    statistic : float
        The statistic.
    alternative : {"greater", "less", "two-sided"}
        What counts as extreme.
    survival : callable
        The probability of a value at least as large as its first argument.
    *parameters : float
        Its other arguments, such as degrees of freedom.

    Returns
    -------
    float
        The p-value; where it underflows, the smallest float above 0.

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
    """Return the p-value of the probabilities of both tails, at most 1.

    Examples
    --------
    >>> pvalue_of_tails(0.01, 0.99, "two-sided")
    0.02
    """
    tails = {"greater": upper, "less": lower, "two-sided": 2 * min(lower, upper)}
    return min(tails[alternative], 1.0)


def rounding_tolerance(scores, scale=0.0):
    """Return how far apart two differences of such scores may be by rounding alone.

    The scale is that of the scores, not of their difference: the difference of two
    equal scores is 0 and its rounding error is not. The median keeps one wild
    resample from making everything a tie; that of a thousand resamples, evenly
    spread, will do.

    Parameters
    ----------
    scores : array_like of shape (n_resamples, ...)
        Scores from whose differences a p-value is computed; nan is left out.
    scale : float, default=0.0
        The least size to take the scores for.

    Returns
    -------
    float
        The tolerance.

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
    """Mark the values under the null that are at least as extreme as the observed.

    Values that differ by no more than `tolerance` are ties and count. So do undefined
    (nan) values: a p-value may be too large, never too small.

    Parameters
    ----------
    null_distribution : ndarray
        Values under the null hypothesis, around 0.
    observed : float
        The observed value.
    alternative : {"greater", "less", "two-sided"}
        What counts as extreme.
    tolerance : float, default=0.0
        How far apart ties may be.

    Returns
    -------
    ndarray of bool
        Which values exceed.

    Examples
    --------
    >>> null = np.array([-0.2, 0.0, 0.1 + 0.2, np.nan])
    >>> exceeding(null, 0.3, "greater").tolist()
    [False, False, True, True]
    >>> exceeding(-null, 0.3, "greater").tolist()
    [False, False, False, True]
    """
    turn = EXTREMES[alternative]
    return ~(turn(null_distribution) < turn(observed) - tolerance)


def count_exceeding(null_distribution, observed, alternative, *, tolerance=0.0):
    """Count the values under the null that `exceeding` marks.

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
        How many resamples are at least as extreme as the observed value.
    n_resamples : int
        How many there are.
    add_one : bool, default=True
        Count the observed data among the resamples, which keeps the test valid and
        the p-value above 0. The share in textbooks is ``add_one=False``.

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
        Bootstrapped differences, around the observed one; nan where undefined.
    delta : float
        The observed difference.
    margin : float
        The margin; a negative one with "greater" asks for non-inferiority.
    alternative : {"greater", "less"}, default="greater"
        Whether the difference is above the margin, or below it.
    method : {"shift", "percentile"}, default="shift"
        "shift" counts the resamples that are at least as far from the observed
        difference as that is from the margin, "percentile" those at the margin or on
        the other side of it.
    tolerance : float, default=0.0
        How far apart ties may be by rounding.
    add_one : bool, default=True
        Count the observed data among the resamples.

    Returns
    -------
    float
        The p-value.

    Notes
    -----
    *Null hypothesis*: the difference is the margin, or on the other side of it.
    *Assumption*: the resampled differences vary around the observed one as that does
    around the true one. *Ties and undefined values* count: the p-value may be too
    large, never too small. Two models are *equivalent* within a margin at a level if
    both one-sided tests reject at it: "greater" against minus the margin, and "less"
    against the margin. *Degenerate*: differences that hardly vary know nothing of units
    that were not seen, and the p-value is too small. `ComparisonResult.margin_pvalue`
    knows how many there are, and is never below that of a binomial test.

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
        What counts as 0.

    Returns
    -------
    ndarray
        0 for a difference of 0, else infinite without an error.

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
    """Return the standard error that a p-value has because resamples are finite.

    Parameters
    ----------
    pvalue : float
        A p-value from random resamples.
    n_resamples : int
        How many there were.

    Returns
    -------
    float
        The binomial standard error.

    Examples
    --------
    >>> round(monte_carlo_error(0.05, 9_999), 4)
    0.0022
    """
    return float(np.sqrt(pvalue * (1 - pvalue) / n_resamples))
