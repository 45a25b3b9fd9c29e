"""Effective sample size and wild cluster bootstrap for few or uneven groups."""

import itertools
import math

import numpy as np

from skcompare.stats.intervals import ConfidenceInterval
from skcompare.stats.paired import SignificanceResult
from skcompare.stats.pvalues import (
    EXTREMES,
    RELATIVE_TOLERANCE,
    resampling_pvalue,
    t_statistics,
)

# Relative difference up to which statistics count as tied.
TIE_TOLERANCE = 1e-9

# Number of signs drawn at a time.
BLOCK_ELEMENTS = 2**22

# Number of hypothetical means tried on each side of the estimate for an interval.
N_TRIED = 145

# Maximum distance of a finite interval end from the estimate, in standard errors.
MOST_ERRORS = 2.0**20


def effective_number(weights):
    """Return Kish's effective sample size.

    Parameters
    ----------
    weights : array-like of shape (n,)
        Non-negative weights of rows, or sizes of groups.

    Returns
    -------
    float
        ``sum(weights) ** 2 / sum(weights ** 2)``: n for n equal weights, 1 if all
        weights but one are 0, and 0 if all are 0.

    Notes
    -----
    The variance of a weighted mean of independent values with equal variances is this
    variance divided by the effective sample size. If it is below about 30, tests that
    require a large sample, such as the bootstrap or normal approximations, reject too
    often.

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


def fewest_of_label(labels, groups=None, weights=None):
    """Count the groups with rows of the label that occurs in the fewest of them.

    Parameters
    ----------
    labels : ndarray of int of shape (n,)
        The label of each row, from 0.
    groups : ndarray of int of shape (n,) or None, default=None
        The group of each row; None if each row is a group of its own.
    weights : ndarray of shape (n,) or None, default=None
        The weight of each row; None for equal weights.

    Returns
    -------
    count : int
        The smallest number of groups that have rows of positive weight with the same
        label; 0 if no row has a positive weight.
    effective : int
        The smallest effective number (Kish) of groups, of any label, rounded down.

    Examples
    --------
    >>> import numpy as np
    >>> labels, groups = np.array([0, 0, 0, 0, 1]), np.array([0, 0, 1, 1, 1])
    >>> fewest_of_label(labels, groups)
    (1, 1)
    >>> fewest_of_label(labels, weights=[9, 1, 1, 1, 0])
    (4, 1)
    """
    sizes = np.ones(len(labels)) if weights is None else np.asarray(weights, float)
    if groups is not None:
        pairs = np.stack([labels, groups])
        (labels, _), group = np.unique(pairs, axis=1, return_inverse=True)
        sizes = np.bincount(group.ravel(), weights=sizes)
    sizes = sizes / sizes.max(initial=np.finfo(float).tiny)
    counts, totals, squares = (
        np.bincount(labels, own) for own in (sizes > 0, sizes, sizes**2)
    )
    positive = squares > 0
    numbers = counts[positive], totals[positive] ** 2 / squares[positive]
    return tuple(int(min(own, default=0) + 1e-9) for own in numbers)


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
        The number of random sets of signs. If there are no more possible sets than
        this, each of them is used once.
    rng : numpy.random.Generator
        The source of randomness.

    Returns
    -------
    SignificanceResult
        The statistic is the mean divided by its cluster-robust standard error, without
        a small-sample correction, which would not change the p-value. `method` is
        "exact" if all sets of signs were used, otherwise "monte-carlo".

    Notes
    -----
    *Null hypothesis*: the mean over rows is 0. *Estimand*: ``sum(sums) / sum(sizes)``.
    This is the wild cluster bootstrap-t with the null hypothesis imposed [1]_: under
    the null hypothesis, the sum of a group is its error. The signs of groups are drawn
    at random (Rademacher weights), and the statistic and its standard error are
    recomputed. The test is exact if the sums are symmetric about 0, and valid in
    general for many groups. If groups are few or uneven, it is far closer to its
    nominal level than a bootstrap of groups.

    *Ties* and undefined statistics count as exceeding. Two-sided tests compare absolute
    statistics: changing all signs results in a tie, so two-sided p-values are never
    below ``2 ** (1 - n_groups)``. *Degenerate cases*: if all sums are 0, p is 1. If all
    groups have the same mean, the standard error is 0 and the statistic infinite.

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
    orient = EXTREMES[alternative]
    slack = TIE_TOLERANCE * abs(observed) if math.isfinite(observed) else 0.0
    slack = max(slack, RELATIVE_TOLERANCE)  # in case t is 0 up to rounding
    threshold = orient(observed) - slack
    exact, signs = _all_or_random_signs(len(sums), n_resamples, rng)
    drawn = [orient(_robust_t(block * sums, sizes)) for block in signs]
    count = sum(int(np.count_nonzero(~(block < threshold))) for block in drawn)
    n_drawn = sum(map(len, drawn))
    # The set of all signs includes the observed ones: do not add one.
    pvalue = resampling_pvalue(count, n_drawn, add_one=not exact)
    return SignificanceResult(observed, pvalue, "exact" if exact else "monte-carlo")


def wild_cluster_interval(sums, sizes, confidence_level, *, n_resamples, rng):
    """Return the confidence interval of the two-sided wild cluster bootstrap-t.

    Parameters
    ----------
    sums, sizes, n_resamples, rng
        As in `wild_cluster_pvalue`. Interval and p-value agree if the generators are in
        the same state.
    confidence_level : float
        The nominal coverage.

    Returns
    -------
    ConfidenceInterval
        The interval from the smallest to the largest mean that is not rejected, by
        bisection; infinite if there are too few groups to reject any mean. With uneven
        groups, some means inside the interval may be rejected, too.

    Notes
    -----
    *Estimand*: ``sum(sums) / sum(sizes)`` in the population. A mean m is rejected if
    `wild_cluster_pvalue` of ``sums - m * sizes`` is at most ``1 - confidence_level``.
    Four sums per set of signs determine the statistic for all m. *Degenerate case*: if
    all groups have the same mean, the interval is this single number, provided that
    there are enough groups to reject any other.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import wild_cluster_interval
    >>> sums, sizes = np.arange(12.0), np.full(12, 10)
    >>> low, high = wild_cluster_interval(sums, sizes, 0.95, n_resamples=999,
    ...                                   rng=np.random.default_rng(0))
    >>> round(low, 2), round(high, 2)
    (0.33, 0.78)
    """
    sums, sizes = (np.asarray(one, dtype=float) for one in (sums, sizes))
    mean = float(sums.sum() / sizes.sum())
    residuals, shares = (sums - mean * sizes) / sizes.sum(), sizes / sizes.sum()
    error = float(np.sqrt(np.sum(residuals**2)))
    if error <= RELATIVE_TOLERANCE * abs(mean):
        reach = 0.0 if 2.0 ** (1 - len(sums)) <= 1 - confidence_level else math.inf
        return ConfidenceInterval(mean - reach, mean + reach)
    parts = np.stack([residuals, shares, residuals * shares, shares**2], axis=1)
    exact, signs = _all_or_random_signs(len(sums), n_resamples, rng)
    drawn, unsigned = np.concatenate([block @ parts for block in signs]), parts.sum(0)

    def squared_t(products, shift):
        total = products[..., 0] + shift * products[..., 1]
        cross = products[..., 2] + shift * products[..., 3]
        square = np.sum((residuals + shift * shares) ** 2)
        square = square - 2 * total * cross + total**2 * unsigned[3]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(total == 0, 0.0, total**2 / np.maximum(square, 0.0))

    def rejects(shift):
        limit = squared_t(unsigned, shift) * (1 - TIE_TOLERANCE) - RELATIVE_TOLERANCE**2
        exceeding = squared_t(drawn, shift) >= limit
        count = int(np.count_nonzero(exceeding))
        pvalue = resampling_pvalue(count, len(drawn), add_one=not exact)
        return pvalue <= 1 - confidence_level + 1e-12

    reach = []
    for side in (1, -1):  # hypothetical means below the estimate, then above
        # The set of means not rejected may have gaps: search from the farthest mean.
        shifts = error * np.append(np.geomspace(MOST_ERRORS, 1 / 16, N_TRIED), 0.0)
        place = next(i for i, x in enumerate(shifts) if not rejects(side * x))
        if place == 0:
            reach.append(math.inf)
            continue
        outside, inside = shifts[place - 1 : place + 1]
        for _ in range(50):
            middle = (inside + outside) / 2
            if rejects(side * middle):
                outside = middle
            else:
                inside = middle
        reach.append(float(outside))
    return ConfidenceInterval(mean - reach[0], mean + reach[1])


def _all_or_random_signs(n_groups, n_resamples, rng):
    """Return whether all sets of signs are used, and blocks of sets of signs."""
    if 2 ** min(n_groups, 60) <= n_resamples:
        signs = itertools.product([1.0, -1.0], repeat=n_groups)
        return True, [np.array(list(signs))]
    step = max(1, BLOCK_ELEMENTS // n_groups)
    sizes = [min(step, n_resamples - done) for done in range(0, n_resamples, step)]
    return False, (rng.choice([-1.0, 1.0], size=(size, n_groups)) for size in sizes)


def _robust_t(sums, sizes):
    """Return the mean divided by its standard error for each row of sums."""
    totals = sums.sum(axis=1)
    residuals = sums - sizes * (totals / sizes.sum())[:, np.newaxis]
    squares = np.sum(residuals**2, axis=1)
    vary = squares > (RELATIVE_TOLERANCE * np.abs(sums).max(axis=1, initial=0.0)) ** 2
    return t_statistics(totals, np.where(vary, np.sqrt(squares), 0.0))
