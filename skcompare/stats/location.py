"""Estimates of location of paired differences, from their ranks or signs."""

from typing import NamedTuple

import numpy as np
from scipy import stats

from skcompare.stats.intervals import ConfidenceInterval
from skcompare.stats.paired import sum_probabilities

# Maximum number of differences for the exact distribution of rank sums. Above it, the
# normal approximation is as good.
MOST_EXACT = 200

# Maximum number of averages of pairs to sort at once.
MOST_SORTED = 2**17


class Location(NamedTuple):
    """An estimate of location with its confidence interval.

    Attributes
    ----------
    estimate : float
        The estimate.
    interval : ConfidenceInterval
        The interval; infinite if there are too few differences for the level.
    method : {"exact", "asymptotic"}
        The null distribution from which the interval was computed.
    """

    estimate: float
    interval: ConfidenceInterval
    method: str


def hodges_lehmann(differences, confidence_level=0.95):
    """Estimate the pseudo-median of differences, with the signed-rank test's interval.

    Parameters
    ----------
    differences : array-like of shape (n,)
        The differences; zeros and ties are allowed.
    confidence_level : float, default=0.95
        The minimum coverage; approximate for more than 200 differences.

    Returns
    -------
    Location
        The estimate, its interval and the method.

    Notes
    -----
    *Estimand*: the pseudo-median, which is the median of the mean of two independent
    differences. It is the center of a symmetric distribution, but in general neither
    the mean nor the median. *Estimate*: the median of the averages of all pairs of
    differences, including pairs of a difference with itself (Walsh averages).
    *Interval*: the centers of symmetry that the two-sided signed-rank test does not
    reject at ``1 - confidence_level``; its ends are two order statistics of these
    averages.

    *Ties and zeros*: the interval is computed as if there were none, which makes the
    coverage of the closed interval at least the nominal coverage. It may therefore
    contain 0 although the p-value of a test that drops zeros or corrects for ties is
    just below the level. *Degenerate cases*: with too few differences for the level,
    the test never rejects and the interval is infinite. If all differences are equal,
    the width of the interval is 0.

    For up to about 500 differences, all averages are sorted. For more, their order
    statistics are selected without computing all averages.

    References
    ----------
    .. [1] Hodges, J. L. and Lehmann, E. L. (1963). Estimates of location based on rank
       tests. Annals of Mathematical Statistics 34(2), 598-611.
       :doi:`10.1214/aoms/1177704172`
    .. [2] Hollander, M., Wolfe, D. A. and Chicken, E. (2014). Nonparametric Statistical
       Methods, 3rd edition. Wiley, sections 3.2 and 3.3.
    .. [3] Johnson, D. B. and Mizoguchi, T. (1978). Selecting the Kth element in X + Y
       and X1 + ... + Xm. SIAM Journal on Computing 7(2), 147-153.
       :doi:`10.1137/0207013`

    Examples
    --------
    >>> from skcompare.stats import hodges_lehmann
    >>> estimate, interval, method = hodges_lehmann([1.0, 2.0, 3.0, 4.0, 5.0, 9.0])
    >>> estimate, interval, method
    (3.5, ConfidenceInterval(low=1.0, high=9.0), 'exact')
    """
    x = np.sort(_finite(differences))
    n, n_averages = len(x), len(x) * (len(x) + 1) // 2
    if n <= MOST_EXACT:
        method, ranks = "exact", np.arange(1, n + 1)
        below = np.cumsum(sum_probabilities(ranks, np.ones(n, dtype=int)))
        place = _order_below(below, confidence_level)
    else:
        method = "asymptotic"
        deviation = np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        z = stats.norm.isf((1 - confidence_level) / 2)
        place = max(int(np.floor(n_averages / 2 + 0.5 - z * deviation)), 0)
    places = [(n_averages + 1) // 2, n_averages // 2 + 1]
    if place:
        places += [place, n_averages + 1 - place]
    *middle, low, high = [*_walsh_averages(x, places), -np.inf, np.inf][:4]
    return Location(float(np.mean(middle)), ConfidenceInterval(low, high), method)


def sign_median_interval(differences, confidence_level=0.95):
    """Estimate the median of differences, with the sign test's interval.

    Parameters
    ----------
    differences : array-like of shape (n,)
        The differences; zeros and ties are allowed.
    confidence_level : float, default=0.95
        The minimum coverage.

    Returns
    -------
    Location
        The sample median and its exact interval.

    Notes
    -----
    *Estimand*: the median of the differences, for any distribution. *Interval*: the
    medians that the two-sided sign test does not reject. Its ends are two order
    statistics for which the binomial probability of so few differences on one side of
    the median is at most ``(1 - confidence_level) / 2``.

    *Ties and zeros*: with ties at the median, the coverage of the closed interval is at
    least the nominal coverage. The sign test drops zeros but this interval includes
    them: if many differences are 0, so is the median, whatever the signs of the others.
    *Degenerate cases*: with too few differences for the level (five or fewer at 0.95),
    the interval is infinite. If all differences are equal, its width is 0.

    References
    ----------
    .. [1] Hollander, M., Wolfe, D. A. and Chicken, E. (2014). Nonparametric Statistical
       Methods, 3rd edition. Wiley, sections 3.5 and 3.6.

    Examples
    --------
    >>> from skcompare.stats.location import sign_median_interval
    >>> sign_median_interval([1.0, 2.0, 3.0, 4.0, 5.0, 9.0]).interval
    ConfidenceInterval(low=1.0, high=9.0)
    >>> sign_median_interval([1.0, 2.0, 3.0]).interval
    ConfidenceInterval(low=-inf, high=inf)
    """
    x = np.sort(_finite(differences))
    below = stats.binom.cdf(np.arange(len(x) + 1), len(x), 0.5)
    place = _order_below(below, confidence_level)
    ends = (x[place - 1], x[-place]) if place else (-np.inf, np.inf)
    interval = ConfidenceInterval(*map(float, ends))
    return Location(float(np.median(x)), interval, "exact")


def _finite(differences):
    x = np.asarray(differences, dtype=float).ravel()
    if not len(x) or not np.isfinite(x).all():
        raise ValueError(
            "`differences` must be a non-empty array of finite numbers. Got "
            f"{len(x)}, of which {np.count_nonzero(~np.isfinite(x))} are not finite."
        )
    return x


def _order_below(cumulative, confidence_level):
    """Return the number of values with a tail of at most (1 - confidence_level) / 2."""
    tail = (1 - confidence_level) / 2
    return int(np.searchsorted(cumulative, tail * (1 + 1e-9), side="right"))


def _walsh_averages(x, places):
    """Return order statistics, numbered from 1, of averages of pairs of sorted x."""
    if len(x) * (len(x) + 1) // 2 <= MOST_SORTED:
        i, j = np.triu_indices(len(x))
        sums = np.sort(x[i] + x[j])
        return [float(sums[place - 1]) / 2 for place in places]
    selected = {place: _select_sum(x, place) / 2 for place in set(places)}
    return [selected[place] for place in places]


def _select_sum(x, place):
    """Return the order statistic of x[i] + x[j], i <= j, of sorted x.

    The range of candidates is narrowed down until few sums are left. Each pivot is the
    weighted median of the medians of rows.
    """
    n = len(x)
    i = np.arange(n)
    # Remaining sums: in row i, columns start[i] to stop[i] - 1.
    start, stop, n_below = i.copy(), np.full(n, n), 0
    while (n_left := int((stop - start).sum())) > MOST_SORTED:
        rows = np.flatnonzero(stop > start)
        sums = x[rows] + x[(start[rows] + stop[rows]) // 2]
        order = np.argsort(sums)
        weights = np.cumsum((stop - start)[rows][order])
        pivot = sums[order][np.searchsorted(weights, n_left / 2)]
        # Sums within `slack` of the pivot equal it up to rounding.
        slack = 1e-14 * max(abs(pivot), np.abs(x[[0, -1]]).max())
        under = np.clip(np.searchsorted(x, pivot - slack - x, "left"), start, stop)
        upto = np.clip(np.searchsorted(x, pivot + slack - x, "right"), start, stop)
        if place - n_below <= int((under - start).sum()):
            stop = under
        elif place - n_below <= int((upto - start).sum()):
            return float(pivot)
        else:
            n_below += int((upto - start).sum())
            start = upto
    rows = np.repeat(i, stop - start)
    first = np.repeat(np.cumsum(stop - start) - (stop - start), stop - start)
    columns = np.arange(len(rows)) - first + np.repeat(start, stop - start)
    return float(
        np.partition(x[rows] + x[columns], place - n_below - 1)[place - n_below - 1]
    )
