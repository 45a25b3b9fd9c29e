"""Parametric and exact tests for paired numbers and counts, without resampling."""

import math
from typing import NamedTuple

import numpy as np
from scipy import special, stats

from skcompare.stats.intervals import ConfidenceInterval, constant_interval
from skcompare.stats.pvalues import (
    EXTREMES,
    RELATIVE_TOLERANCE,
    at_least_tiny,
    pvalue_of_tails,
    t_statistics,
    tail_pvalue,
)

MCNEMAR_VARIANTS = ("exact", "mid-p", "chi2", "corrected")

# Maximum number of additions for an exact p-value, with method "auto" and "exact".
MAX_WORK_AUTO, MAX_WORK_EXACT = 1e8, 1e10


class SignificanceResult(NamedTuple):
    """The statistic, the p-value and the method of a test.

    Examples
    --------
    >>> SignificanceResult(3.0, 0.125, "exact").pvalue
    0.125
    """

    statistic: float
    pvalue: float
    method: str


def constant_pvalue(mean, n, alternative):
    """Bound the p-value of n identical differences.

    Their variance is 0, so a t-test would return a p-value of 0. The sign test still
    applies: if both signs are equally likely, all n differences have one given sign
    with a probability of at most ``2 ** -n``.

    Parameters
    ----------
    mean : float
        The difference.
    n : int
        The number of differences.
    alternative : {"greater", "less", "two-sided"}
        Whether the mean is positive, negative, or either.

    Returns
    -------
    float
        ``2 ** -n``, or ``2 ** (1 - n)`` if two-sided; above 0 even if that underflows.
        1 for a difference of 0 or of the opposite sign.

    Examples
    --------
    >>> [constant_pvalue(0.1, 5, side) for side in ("greater", "less", "two-sided")]
    [0.03125, 1.0, 0.0625]
    """
    if EXTREMES[alternative](mean) <= 0:
        return 1.0
    sides = 2 if alternative == "two-sided" else 1
    return at_least_tiny(sides * 0.5**n)


def constant_interval_of_sign(mean, n, confidence_level):
    """Return the confidence interval for the mean of n identical differences.

    They contain no information about the spread, so only the sign of the mean can be
    inferred.

    Parameters
    ----------
    mean : float
        The difference.
    n : int
        The number of independent differences.
    confidence_level : float
        The confidence level.

    Returns
    -------
    ConfidenceInterval
        From 0 (excluded) to infinity on the side of `mean` if the two-sided
        `constant_pvalue` is at most ``1 - confidence_level``; otherwise, and for
        differences of 0, the whole real line.

    Examples
    --------
    >>> constant_interval_of_sign(0.1, 5, 0.95)
    ConfidenceInterval(low=-inf, high=inf)
    >>> constant_interval_of_sign(0.1, 6, 0.95)
    ConfidenceInterval(low=0.0, high=inf)
    """
    low, high = -math.inf, math.inf
    if constant_pvalue(mean, n, "two-sided") <= 1 - confidence_level:
        low, high = (0.0, high) if mean > 0 else (low, 0.0)
    return ConfidenceInterval(low, high)


class StudentEstimate(NamedTuple):
    """An estimate whose studentized error follows Student's t distribution.

    Attributes
    ----------
    mean : float
        The estimate.
    error : float
        The standard error; 0 if the scores do not vary.
    df : float
        The degrees of freedom.
    n : int
        The number of independent values with the sign of the estimate, or 1 if signs
        differ or the values are dependent. It bounds the p-value if the error is 0.
    """

    mean: float
    error: float
    df: float
    n: int

    @property
    def statistic(self):
        """Student's t. If the error is 0: 0 for a mean of 0, otherwise infinite."""
        return float(t_statistics(self.mean, self.error))

    def pvalue(self, alternative):
        """Return the p-value for a mean of 0; if the error is 0, of a sign test."""
        if self.error == 0:
            return constant_pvalue(self.mean, self.n, alternative)
        return tail_pvalue(self.statistic, alternative, stats.t.sf, self.df)

    def interval(self, confidence_level):
        """Return the equal-tailed interval; if the error is 0, from a sign test."""
        if self.error == 0:
            return constant_interval_of_sign(self.mean, self.n, confidence_level)
        margin = stats.t.ppf((1 + confidence_level) / 2, self.df) * self.error
        return ConfidenceInterval(float(self.mean - margin), float(self.mean + margin))


# Counts


def mcnemar_test(n_only_a, n_only_b, *, variant, alternative):
    """Test whether discordant rows favor A and B with the same probability.

    Parameters
    ----------
    n_only_a, n_only_b : int
        The numbers of rows on which only A, or only B, is right.
    variant : {"exact", "mid-p", "chi2", "corrected"}
        The binomial test, its mid-p version, McNemar's chi-square test, or the latter
        with a continuity correction, which never exceeds the difference it corrects.
    alternative : {"greater", "less", "two-sided"}
        Whether more of these rows favor A, B, or either. One-sided chi-square tests
        treat the signed root of the statistic as normal.

    Returns
    -------
    SignificanceResult
        The statistic is `n_only_a` for "exact" and "mid-p", otherwise chi-square.
        Without discordant rows the p-value is 1.

    References
    ----------
    .. [1] Fagerland, M. W., Lydersen, S. and Laake, P. (2013). The McNemar test for
       binary matched-pairs data: mid-p and asymptotic are better than exact
       conditional. BMC Medical Research Methodology 13, 91.
       :doi:`10.1186/1471-2288-13-91`

    Examples
    --------
    >>> from skcompare.stats import mcnemar_test
    >>> for variant in ("exact", "mid-p", "chi2", "corrected"):
    ...     test = mcnemar_test(7, 1, variant=variant, alternative="two-sided")
    ...     print(f"{variant:9} {test.statistic:.3f} {test.pvalue:.4f}")
    exact     7.000 0.0703
    mid-p     7.000 0.0391
    chi2      4.500 0.0339
    corrected 3.125 0.0771
    """
    gap, n_discordant = n_only_a - n_only_b, n_only_a + n_only_b
    if variant in ("exact", "mid-p"):
        mid = variant == "mid-p"
        pvalue = _binomial_pvalue(n_only_a, n_discordant, alternative, mid=mid)
        return SignificanceResult(float(n_only_a), pvalue, variant)
    if not n_discordant:
        return SignificanceResult(0.0, 1.0, variant)
    size = max(abs(gap) - 1, 0) if variant == "corrected" else abs(gap)
    root = math.copysign(size / math.sqrt(n_discordant), gap)
    return SignificanceResult(
        root**2, tail_pvalue(root, alternative, stats.norm.sf), variant
    )


def precision_test(truth, pred_a, pred_b, *, alternative):
    """Test whether two models have the same precision, with a score test.

    Parameters
    ----------
    truth : array-like of bool, shape (n_rows,)
        Which rows are positive.
    pred_a, pred_b : array-like of bool, shape (n_rows,)
        Which rows A and B predict to be positive.
    alternative : {"greater", "less", "two-sided"}
        Whether the precision of A is higher, lower, or different.

    Returns
    -------
    SignificanceResult
        The statistic is the difference in precision divided by its standard error
        under the null hypothesis. It is treated as standard normal.

    Notes
    -----
    *Null hypothesis*: the share of true positives among predicted positives is the
    same for A and B. *Estimand*: the difference of these shares. *Assumptions*: rows
    are independent; the two predictions of a row need be neither independent nor
    exchangeable. The variance assumes a common precision p, estimated from all
    positive predictions of both models: it is the sum of ``(truth - p) ** 2`` over
    rows that exactly one model predicts to be positive, divided by both numbers of
    positive predictions. The test controls the type I error if one model predicts few
    positives; permutation tests and bootstraps do not. With truth and predictions
    negated, it compares negative predictive values.

    *Degenerate cases*: the statistic is 0 and p = 1 if both models predict the same
    positives, if all positive predictions are right, if all are wrong, or if a model
    has no positive predictions, so that its precision is undefined.

    References
    ----------
    .. [1] Kosinski, A. S. (2013). A weighted generalized score statistic for comparison
       of predictive values of diagnostic tests. Statistics in Medicine 32(6), 964-977.
       :doi:`10.1002/sim.5587`

    Examples
    --------
    >>> from skcompare.stats import precision_test
    >>> truth = np.repeat([True, False], [40, 60])
    >>> pred_a = np.r_[np.ones(30), np.zeros(10), np.ones(10), np.zeros(50)]
    >>> pred_b = np.r_[np.ones(8), np.zeros(32), np.ones(2), np.zeros(50), np.ones(8)]
    >>> found = precision_test(truth, pred_a, pred_b, alternative="two-sided")
    >>> round(found.statistic, 3), round(found.pvalue, 4)
    (2.662, 0.0078)
    """
    truth, a, b = (np.asarray(one, dtype=bool) for one in (truth, pred_a, pred_b))
    n_a, n_b = np.count_nonzero(a), np.count_nonzero(b)
    right_a, right_b = np.count_nonzero(a & truth), np.count_nonzero(b & truth)
    common = (right_a + right_b) / max(n_a + n_b, 1)
    squares = float(np.sum((truth[a ^ b] - common) ** 2))
    if not (n_a and n_b and squares):
        return SignificanceResult(0.0, 1.0, "score")
    z = float(right_a / n_a - right_b / n_b) / math.sqrt(squares / (n_a * n_b))
    return SignificanceResult(z, tail_pvalue(z, alternative, stats.norm.sf), "score")


def sign_test(n_greater, n_smaller, *, alternative):
    """Test whether differences are positive or negative with the same probability.

    Parameters
    ----------
    n_greater, n_smaller : int
        The numbers of positive and of negative differences.
    alternative : {"greater", "less", "two-sided"}
        Whether positive differences are more probable, less probable, or either.

    Returns
    -------
    SignificanceResult
        The statistic is `n_greater`. Without nonzero differences the p-value is 1.

    Examples
    --------
    >>> from skcompare.stats import sign_test
    >>> sign_test(5, 0, alternative="greater")
    SignificanceResult(statistic=5.0, pvalue=0.03125, method='exact')
    """
    return mcnemar_test(n_greater, n_smaller, variant="exact", alternative=alternative)


def discordance_sizes(n_only_a, n_only_b):
    """Return two effect sizes of discordant rows.

    Parameters
    ----------
    n_only_a, n_only_b : int
        The numbers of rows that favor A, and B.

    Returns
    -------
    odds_ratio : float
        ``n_only_a / n_only_b``; inf if only the latter is 0, nan if both are 0.
    cohens_g : float
        The share of these rows that favor A, minus 1/2; 0 if there are none.

    References
    ----------
    .. [1] Cohen, J. (1988). Statistical Power Analysis for the Behavioral Sciences,
       2nd edition, chapter 5. :doi:`10.4324/9780203771587`

    Examples
    --------
    >>> discordance_sizes(6, 2)
    (3.0, 0.25)
    >>> discordance_sizes(0, 0)
    (nan, 0.0)
    """
    n_discordant = n_only_a + n_only_b
    if not n_discordant:
        return math.nan, 0.0
    odds_ratio = n_only_a / n_only_b if n_only_b else math.inf
    return odds_ratio, n_only_a / n_discordant - 0.5


def _binomial_pvalue(count, n, alternative, *, mid):
    """Return the p-value of a count; `mid` subtracts half of its own probability."""
    if not n:
        return 1.0
    half = _point(count, n) / 2 if mid else 0.0
    if alternative == "two-sided" and 2 * count == n:
        # The center is a single, least extreme outcome: do not count it in both tails.
        return float(1 - half)
    lower = stats.binom.cdf(count - mid, n, 0.5) + half
    upper = stats.binom.cdf(n - count - mid, n, 0.5) + half
    return at_least_tiny(pvalue_of_tails(upper, lower, alternative))


def _point(count, n):
    """Return the probability of a count, bitwise symmetric in count and n - count."""
    count = np.minimum(count, n - count)
    if n <= 1000:  # binomial coefficients fit into floats, small ones exactly
        return np.ldexp(special.binom(n, count), -n)
    return stats.binom.pmf(count, n, 0.5)


def tango_interval(n_only_a, n_only_b, n_rows, confidence_level):
    """Return Tango's score interval for a difference of paired proportions.

    It contains the differences that a score test does not reject. For a difference of
    0 this is McNemar's chi-square test without correction, so interval and test agree.

    Parameters
    ----------
    n_only_a, n_only_b : int
        The numbers of rows on which only A, or only B, is right.
    n_rows : int
        The number of rows.
    confidence_level : float
        The nominal coverage.

    Returns
    -------
    ConfidenceInterval
        An interval within [-1, 1] for the difference that is estimated by
        ``(n_only_a - n_only_b) / n_rows``. Its width is never 0.

    References
    ----------
    .. [1] Tango, T. (1998). Equivalence test and confidence interval for the
       difference in proportions for the paired-sample design. Statistics in Medicine
       17(8), 891-908.
       :doi:`10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B`

    Examples
    --------
    >>> from skcompare.stats import tango_interval
    >>> low, high = tango_interval(1, 7, 21, 0.95)
    >>> round(low, 3), round(high, 3)
    (-0.517, -0.026)
    """
    z = stats.norm.isf((1 - confidence_level) / 2)
    high = _tango_limit(n_only_a, n_only_b, n_rows, z)
    low = -_tango_limit(n_only_b, n_only_a, n_rows, z)
    return ConfidenceInterval(low, high)


class McNemarInterval(NamedTuple):
    """Tango's interval, and whether an end was moved to 0.

    Examples
    --------
    >>> McNemarInterval(ConfidenceInterval(0.0, 0.4), True).moved
    True
    """

    interval: ConfidenceInterval
    moved: bool


def mcnemar_interval(n_only_a, n_only_b, n_rows, confidence_level, *, variant):
    """Return Tango's interval, adjusted to agree with McNemar's test.

    Parameters
    ----------
    n_only_a, n_only_b : int
        The numbers of rows on which only A, or only B, is right.
    n_rows : int
        The number of rows.
    confidence_level : float
        The nominal coverage.
    variant : {"exact", "mid-p", "chi2", "corrected"}
        The variant of McNemar's test that the interval has to agree with.

    Returns
    -------
    McNemarInterval
        The interval for the difference in accuracy. If Tango's interval excludes 0
        although the two-sided p-value is above ``1 - confidence_level``, or includes 0
        although it is not, the endpoint closer to 0 is moved to 0.

    Notes
    -----
    McNemar's tests condition on the number of discordant rows and have no dual
    interval for the difference in accuracy. Tango's interval is dual to "chi2", so its
    endpoints are never moved for that variant. An endpoint at 0 is closed (0 is not
    excluded) if the p-value is above ``1 - confidence_level``, and open otherwise. The
    interval always contains the observed difference.

    Examples
    --------
    >>> from skcompare.stats import mcnemar_interval, tango_interval
    >>> shown = mcnemar_interval(5, 0, 40, 0.95, variant="exact")  # p = 0.0625
    >>> shown.interval.low, round(shown.interval.high, 3), shown.moved
    (0.0, 0.261, True)
    >>> low, high = tango_interval(5, 0, 40, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.026, 0.261)
    """
    low, high = tango_interval(n_only_a, n_only_b, n_rows, confidence_level)
    if n_only_a == n_only_b == 0:  # same bound as for identical scores in general
        bound = constant_interval(0.0, -1.0, 1.0, n_rows, confidence_level)
        return McNemarInterval(bound, False)
    test = mcnemar_test(n_only_a, n_only_b, variant=variant, alternative="two-sided")
    rejected = test.pvalue <= 1 - confidence_level
    excluded = low > 0 or high < 0
    if variant == "chi2" or rejected == excluded:
        return McNemarInterval(ConfidenceInterval(low, high), False)
    ends = (0.0, high) if n_only_a > n_only_b else (low, 0.0)
    return McNemarInterval(ConfidenceInterval(*ends), True)


def _tango_limit(b, c, n, z):
    """Bisect for the largest difference that is not rejected."""
    inside, outside = (b - c) / n, 1.0
    for _ in range(100):
        middle = (inside + outside) / 2
        variance = 2 * _tango_cell(middle, b, c, n) + middle * (1 - middle)
        if (b - c - n * middle) ** 2 <= z**2 * n * variance:
            inside = middle
        else:
            outside = middle
    return inside


def _tango_cell(difference, b, c, n):
    """Estimate the probability of cell c, given the difference; solve a quadratic."""
    linear = (2 * n - b + c) * difference - b - c
    constant = -c * difference * (1 - difference)
    root = math.sqrt(max(linear**2 - 8 * n * constant, 0.0))
    if linear > 0:  # avoid cancellation
        return -2 * constant / (root + linear)
    return (root - linear) / (4 * n)


# Differences


def paired_differences(values_a, values_b):
    """Subtract paired numbers, setting differences due to rounding to exactly 0.

    The tolerance is relative to the size of the pair, or to the median size of all
    numbers if that is larger, since numbers near 0 may come from larger ones and have
    their rounding errors.

    Parameters
    ----------
    values_a, values_b : array_like of shape (n,)
        The numbers.

    Returns
    -------
    differences : ndarray of shape (n,)
        ``values_a - values_b``.
    tolerances : ndarray of shape (n,)
        The largest possible rounding error of each difference.

    Examples
    --------
    >>> differences, _ = paired_differences([0.1 + 0.2, 0.5], [0.3, 0.25])
    >>> differences.tolist()
    [0.0, 0.25]
    """
    values = np.array([values_a, values_b], dtype=float)
    sizes = np.abs(values)
    scales = np.maximum(sizes.max(axis=0), np.median(sizes))
    tolerances = RELATIVE_TOLERANCE * scales
    differences = values[0] - values[1]
    differences[np.abs(differences) <= tolerances] = 0.0
    return differences, tolerances


class SignedRanks(NamedTuple):
    """Ranks of the absolute nonzero differences, and which of these are positive.

    Examples
    --------
    >>> ranks = SignedRanks(np.array([1.0, 2.0]), np.array([False, True]))
    >>> ranks.sum_positive, round(ranks.biserial_correlation, 4)
    (2.0, 0.3333)
    """

    ranks: np.ndarray
    positive: np.ndarray

    @property
    def sum_positive(self):
        """The sum of the ranks of positive differences."""
        return float(self.ranks[self.positive].sum())

    @property
    def biserial_correlation(self):
        """The share of the rank sum that is positive minus that which is negative."""
        total = float(self.ranks.sum())
        return (2 * self.sum_positive - total) / total if total else 0.0


def signed_ranks(differences, tolerances, *, zero_method):
    """Rank differences by absolute value; ties up to rounding get their mean rank.

    Parameters
    ----------
    differences : ndarray of shape (n,)
        The differences.
    tolerances : ndarray of shape (n,)
        The largest possible rounding error of each difference.
    zero_method : {"wilcox", "pratt"}
        Whether zeros are dropped before or after ranking.

    Returns
    -------
    SignedRanks
        The ranks and signs of the nonzero differences.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import signed_ranks
    >>> differences = np.array([0.0, 2.0, -1.0, 2.0])
    >>> signed_ranks(differences, np.zeros(4), zero_method="wilcox").ranks.tolist()
    [2.5, 1.0, 2.5]
    >>> signed_ranks(differences, np.zeros(4), zero_method="pratt").ranks.tolist()
    [3.5, 2.0, 3.5]
    """
    if zero_method == "wilcox":
        kept = differences != 0
        differences, tolerances = differences[kept], tolerances[kept]
    sizes = np.abs(differences)
    order = np.argsort(sizes, kind="stable")
    sorted_sizes, slack = sizes[order], tolerances[order]
    # Neighbors are tied if they differ by no more than the larger of their tolerances.
    apart = np.diff(sorted_sizes) > np.maximum(slack[1:], slack[:-1])
    tie_groups = np.concatenate([[0], np.cumsum(apart)])[: len(sizes)]
    counts = np.bincount(tie_groups)
    mean_ranks = np.cumsum(counts) - (counts - 1) / 2
    ranks = np.empty(len(sizes))
    ranks[order] = mean_ranks[tie_groups]
    nonzero = differences != 0
    return SignedRanks(ranks[nonzero], differences[nonzero] > 0)


def signed_rank_test(signed, *, method, alternative):
    """Test whether differences are distributed symmetrically about 0.

    Under the null hypothesis, given the absolute values, the signs are independent and
    each has probability 1/2. The exact distribution of the sum of positive ranks is
    computed rank by rank. Doubled mean ranks are integers, so the test is exact with
    ties and zeros, too. All terms are positive, so far tails keep their precision.

    Parameters
    ----------
    signed : SignedRanks
        The ranks and signs of the differences.
    method : {"auto", "exact", "asymptotic"}
        "exact" is described above. "asymptotic" uses a normal approximation with the
        variance of the observed ranks (correction for ties) and a continuity
        correction of 1/2. "auto" is "exact" if that takes a fraction of a second: up to
        about 600 differences, more with ties.
    alternative : {"greater", "less", "two-sided"}
        Whether differences tend to be positive, negative, or either.

    Returns
    -------
    SignificanceResult
        The statistic is the sum of the ranks of positive differences; `method` is the
        method used. Without nonzero differences the p-value is 1.

    References
    ----------
    .. [1] Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics
       Bulletin 1(6), 80-83. :doi:`10.2307/3001968`
    .. [2] Pratt, J. W. (1959). Remarks on zeros and ties in the Wilcoxon signed rank
       procedures. Journal of the American Statistical Association 54(287), 655-667.
       :doi:`10.1080/01621459.1959.10501526`

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import signed_rank_test
    >>> from skcompare.stats.paired import SignedRanks
    >>> signed = SignedRanks(np.array([1.0, 2.5, 2.5]), np.array([True, True, True]))
    >>> signed_rank_test(signed, method="auto", alternative="greater")
    SignificanceResult(statistic=6.0, pvalue=0.125, method='exact')
    """
    statistic = signed.sum_positive
    if not len(signed.ranks):
        return SignificanceResult(
            statistic, 1.0, "exact" if method == "auto" else method
        )
    # Doubled ranks as multiples of their greatest common divisor, most frequent first.
    doubled = np.rint(2 * signed.ranks).astype(int)
    doubled, counts = np.unique(doubled, return_counts=True)
    order, unit = np.argsort(-counts, kind="stable"), int(np.gcd.reduce(doubled))
    steps, counts = doubled[order] // unit, counts[order]
    lengths = 1.0 + np.cumsum(steps.astype(float) * counts)
    work = lengths[0] + float(lengths[:-1] @ (counts[1:] + 1.0))  # additions
    if method == "exact" and work > MAX_WORK_EXACT:
        raise ValueError(
            "`method` 'exact' must take no more than about ten seconds. Got "
            f"{len(signed.ranks):,} differences with {len(steps):,} distinct ranks. "
            "Use `method='asymptotic'`, which is as good for this number, or 'auto'."
        )
    if method == "asymptotic" or work > MAX_WORK_AUTO:
        pvalue = _normal_rank_pvalue(signed.ranks, statistic, alternative)
        return SignificanceResult(statistic, pvalue, "asymptotic")
    probabilities = sum_probabilities(steps, counts)
    place = round(2 * statistic / unit)
    lower, upper = probabilities[: place + 1].sum(), probabilities[place:].sum()
    pvalue = pvalue_of_tails(upper, lower, alternative)
    return SignificanceResult(statistic, at_least_tiny(pvalue), "exact")


def sum_probabilities(steps, counts):
    """Return the distribution of a sum of steps, each taken with probability 1/2.

    Parameters
    ----------
    steps, counts : sequence of int
        The distinct step lengths, and the number of steps of each length.

    Returns
    -------
    ndarray
        The probabilities of 0, 1, 2, ...

    Examples
    --------
    >>> sum_probabilities([1, 2], [1, 1]).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    probabilities = np.ones(1)
    for step, count in zip(steps, counts, strict=True):
        weights = _point(np.arange(count + 1), count)
        if len(probabilities) == 1:
            probabilities = np.zeros(step * count + 1)
            probabilities[::step] = weights
            continue
        added = np.zeros(len(probabilities) + step * count)
        for taken, weight in enumerate(weights):
            start = taken * step
            added[start : start + len(probabilities)] += weight * probabilities
        probabilities = added
    return probabilities


def _normal_rank_pvalue(ranks, statistic, alternative):
    excess = statistic - ranks.sum() / 2
    correction = {
        "greater": 0.5,
        "less": -0.5,
        "two-sided": math.copysign(min(0.5, abs(excess)), excess),
    }[alternative]
    deviation = math.sqrt(np.sum(ranks**2)) / 2
    return tail_pvalue((excess - correction) / deviation, alternative, stats.norm.sf)


def mean_and_error(differences, tolerances):
    """Return the mean of differences and its standard error.

    Parameters
    ----------
    differences : ndarray of shape (n,)
        The differences, at least two.
    tolerances : ndarray of shape (n,)
        The largest possible rounding error of each difference.

    Returns
    -------
    mean, error : float
        The error is exactly 0 if the differences are equal up to rounding.

    Examples
    --------
    >>> mean_and_error(np.array([0.0, 2.0]), np.zeros(2))
    (1.0, 1.0)
    """
    mean = float(np.mean(differences))
    if np.all(np.abs(differences - mean) <= tolerances):
        return mean, 0.0
    return mean, float(np.std(differences, ddof=1) / math.sqrt(len(differences)))


def paired_t_test(differences, tolerances, *, alternative):
    """Test whether the mean of differences is 0, with Student's t-test.

    Parameters
    ----------
    differences : ndarray of shape (n,)
        The differences, at least two.
    tolerances : ndarray of shape (n,)
        The largest possible rounding error of each difference.
    alternative : {"greater", "less", "two-sided"}
        Whether the mean is positive, negative, or either.

    Returns
    -------
    SignificanceResult
        The statistic is t. If all differences are 0, t = 0 and p = 1. If they are all
        equal and not 0, t is infinite and p is the bound of `constant_pvalue`.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import paired_t_test
    >>> differences = np.array([1.0, 2.0, 3.0])
    >>> test = paired_t_test(differences, np.zeros(3), alternative="greater")
    >>> round(test.statistic, 3), round(test.pvalue, 3)
    (3.464, 0.037)
    """
    n, (mean, error) = len(differences), mean_and_error(differences, tolerances)
    estimate = StudentEstimate(mean, error, n - 1, n)
    return SignificanceResult(estimate.statistic, estimate.pvalue(alternative), "t")


def paired_t_interval(differences, tolerances, confidence_level):
    """Return Student's t interval for the mean of differences.

    Parameters
    ----------
    differences : ndarray of shape (n,)
        The differences, at least two.
    tolerances : ndarray of shape (n,)
        The largest possible rounding error of each difference.
    confidence_level : float
        The nominal coverage.

    Returns
    -------
    ConfidenceInterval
        The interval; that of `constant_interval_of_sign` if all differences are equal.
        For bounded scores, `constant_interval` is an alternative in that case.

    Examples
    --------
    >>> low, high = paired_t_interval(np.array([1.0, 2.0, 3.0]), np.zeros(3), 0.95)
    >>> round(low, 3), round(high, 3)
    (-0.484, 4.484)
    """
    mean, error = mean_and_error(differences, tolerances)
    if error == 0:
        return constant_interval_of_sign(mean, len(differences), confidence_level)
    reach = error * float(stats.t.isf((1 - confidence_level) / 2, len(differences) - 1))
    return ConfidenceInterval(mean - reach, mean + reach)


def standardized_mean(differences, tolerances):
    """Return the mean of differences in units of their standard deviation.

    Parameters
    ----------
    differences : ndarray of shape (n,)
        The differences, at least two.
    tolerances : ndarray of shape (n,)
        The largest possible rounding error of each difference.

    Returns
    -------
    cohens_d : float
        Cohen's d of the differences, also called d_z; infinite if the differences are
        all equal and not 0, and 0 if they are all 0.
    hedges_g : float
        Cohen's d with Hedges' correction for small-sample bias. For two differences,
        where the correction factor is 0, it is 0 unless d is infinite.

    References
    ----------
    .. [1] Hedges, L. V. (1981). Distribution theory for Glass's estimator of effect
       size and related estimators. Journal of Educational Statistics 6(2), 107-128.
       :doi:`10.3102/10769986006002107`

    Examples
    --------
    >>> d, g = standardized_mean(np.array([1.0, 2.0, 3.0]), np.zeros(3))
    >>> round(d, 4), round(g, 4)
    (2.0, 1.1284)
    """
    mean, error = mean_and_error(differences, tolerances)
    d = float(t_statistics(mean, error * math.sqrt(len(differences))))
    half = (len(differences) - 1) / 2
    if math.isinf(d) or half == 0.5:
        return d, d if math.isinf(d) else 0.0
    log_correction = special.gammaln(half) - special.gammaln(half - 0.5)
    return d, d * math.exp(log_correction) / math.sqrt(half)
