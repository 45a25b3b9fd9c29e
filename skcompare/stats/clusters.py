"""Few or uneven groups: how many they are in effect, and a test that allows for it."""

import itertools
import math

import numpy as np

from skcompare.stats.intervals import ConfidenceInterval
from skcompare.stats.paired import Finding
from skcompare.stats.pvalues import EXTREMES, resampling_pvalue, t_statistics

# How far apart means that are equal may be, relative to their size.
RELATIVE_TOLERANCE = 1e-12

# How far apart statistics that tie may be, relative to their size.
TIE_TOLERANCE = 1e-9

# Signs that are drawn at a time.
BLOCK_ELEMENTS = 2**22

# So many means on each side of the estimate are tried for ends of an interval.
N_TRIED = 145

# No end of an interval is so many standard errors away.
MOST_ERRORS = 2.0**20


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

    *Ties* and undefined statistics count as exceeding; turning all signs always gives
    one, so that no two-sided p-value is below ``2 ** (1 - n_groups)``. Two-sided, sizes
    of statistics are compared. *Degenerate*: without differences p is 1; a sample whose
    groups all have the same mean has no standard error, and is taken as infinitely far
    from 0.

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
    turn = EXTREMES[alternative]
    slack = TIE_TOLERANCE * abs(observed) if math.isfinite(observed) else 0.0
    slack = max(slack, RELATIVE_TOLERANCE)  # t is 0 but for rounding
    threshold = turn(observed) - slack
    exact, signs = _all_or_random_signs(len(sums), n_resamples, rng)
    drawn = [turn(_robust_t(block * sums, sizes)) for block in signs]
    count = sum(int(np.count_nonzero(~(block < threshold))) for block in drawn)
    # All signs hold the observed ones.
    n_drawn = sum(map(len, drawn))
    pvalue = resampling_pvalue(count, n_drawn, add_one=not exact)
    return Finding(observed, pvalue, "exact" if exact else "monte-carlo")


def wild_cluster_interval(sums, sizes, confidence_level, *, n_resamples, rng):
    """Return the means that the two-sided wild cluster bootstrap-t does not reject.

    Parameters
    ----------
    sums, sizes, n_resamples, rng
        As in `wild_cluster_pvalue`; a generator in the same state makes them agree.
    confidence_level : float
        The nominal coverage.

    Returns
    -------
    ConfidenceInterval
        From the smallest to the largest mean that is not rejected, by bisection;
        infinite if signs of so few groups can reject nothing. Where uneven groups leave
        gaps, means between the two ends may be rejected, too.

    Notes
    -----
    *Estimand*: ``sum(sums) / sum(sizes)`` in the population. A mean m is rejected if
    `wild_cluster_pvalue` of ``sums - m * sizes`` is at most ``1 - confidence_level``.
    Four sums for each set of signs give the statistic of every m. *Degenerate*: groups
    that all have the same mean give an interval of that one number, if they are enough
    for their signs to reject another one.

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
    own, shares = (sums - mean * sizes) / sizes.sum(), sizes / sizes.sum()
    error = float(np.sqrt(np.sum(own**2)))
    if error <= RELATIVE_TOLERANCE * abs(mean):
        reach = 0.0 if 2.0 ** (1 - len(sums)) <= 1 - confidence_level else math.inf
        return ConfidenceInterval(mean - reach, mean + reach)
    parts = np.stack([own, shares, own * shares, shares**2], axis=1)
    exact, signs = _all_or_random_signs(len(sums), n_resamples, rng)
    drawn, unsigned = np.concatenate([block @ parts for block in signs]), parts.sum(0)

    def squared_t(products, away):
        total = products[..., 0] + away * products[..., 1]
        cross = products[..., 2] + away * products[..., 3]
        square = np.sum((own + away * shares) ** 2)
        square = square - 2 * total * cross + total**2 * unsigned[3]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(total == 0, 0.0, total**2 / np.maximum(square, 0.0))

    def rejects(away):
        own_t = squared_t(unsigned, away) * (1 - TIE_TOLERANCE) - RELATIVE_TOLERANCE**2
        reached = squared_t(drawn, away) >= own_t
        count = int(np.count_nonzero(reached))
        pvalue = resampling_pvalue(count, len(drawn), add_one=not exact)
        return pvalue <= 1 - confidence_level + 1e-12

    reach = []
    for side in (1, -1):  # hypothetical means below the estimate, then above
        # The means that are not rejected may have gaps: look for the farthest of them.
        tried = error * np.append(np.geomspace(MOST_ERRORS, 1 / 16, N_TRIED), 0.0)
        place = next(i for i, away in enumerate(tried) if not rejects(side * away))
        if place == 0:
            reach.append(math.inf)
            continue
        outside, inside = tried[place - 1 : place + 1]
        for _ in range(50):
            middle = (inside + outside) / 2
            if rejects(side * middle):
                outside = middle
            else:
                inside = middle
        reach.append(float(outside))
    return ConfidenceInterval(mean - reach[0], mean + reach[1])


def _all_or_random_signs(n_groups, n_resamples, rng):
    """Return whether all signs are gone through, and blocks of signs."""
    if 2 ** min(n_groups, 60) <= n_resamples:
        signs = itertools.product([1.0, -1.0], repeat=n_groups)
        return True, [np.array(list(signs))]
    step = max(1, BLOCK_ELEMENTS // n_groups)
    sizes = [min(step, n_resamples - done) for done in range(0, n_resamples, step)]
    return False, (rng.choice([-1.0, 1.0], size=(size, n_groups)) for size in sizes)


def _robust_t(sums, sizes):
    """Return means over their standard errors, a row for each sample of sums."""
    totals = sums.sum(axis=1)
    residuals = sums - sizes * (totals / sizes.sum())[:, np.newaxis]
    squares = np.sum(residuals**2, axis=1)
    vary = squares > (RELATIVE_TOLERANCE * np.abs(sums).max(axis=1, initial=0.0)) ** 2
    return t_statistics(totals, np.where(vary, np.sqrt(squares), 0.0))
