"""One p-value for every resampling test."""

import numpy as np

ALTERNATIVES = ("greater", "less", "two-sided")

# Sums of a million terms in another order differ by about 1e-13 of their size; the
# steps of a metric, such as 1 / n for accuracy, are far larger.
RELATIVE_TOLERANCE = 1e-12

# So many resamples tell how large scores are.
ENOUGH_SIZES = 1_000


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
    if alternative == "less":
        null_distribution, observed = -null_distribution, -observed
    elif alternative == "two-sided":
        null_distribution, observed = np.abs(null_distribution), abs(observed)
    falls_short = null_distribution < observed - tolerance
    return ~falls_short


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
    >>> resampling_pvalue(47, 10_000, add_one=False)
    0.0047
    >>> resampling_pvalue(0, 9_999)
    0.0001
    """
    extra = int(add_one)
    return (n_exceeding + extra) / (n_resamples + extra)


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
