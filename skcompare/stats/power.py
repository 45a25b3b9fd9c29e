"""Power, sample size and minimum detectable effect of tests."""

import math

import numpy as np
from scipy import optimize, stats

from skcompare.stats.pvalues import EXTREMES

# Sample sizes above this are computed by the normal approximation.
NORMAL_FROM = 1_000_000

# Maximum sample size to report.
MOST_ROWS = 10**12


def detectable_effect(standard_error, *, alpha, alternative, power=0.8):
    """Return the minimum detectable effect of a test with a normal estimate.

    It is the smallest true difference that the test detects with a probability of
    `power`. The estimate is assumed to be normally distributed around the true
    difference, with this standard error; the test rejects if it is far enough from 0.

    Parameters
    ----------
    standard_error : float
        The standard error of the difference.
    alpha : float
        The level of the test.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.
    power : float, default=0.8
        The probability of a rejection.

    Returns
    -------
    float
        The absolute difference. For one-sided tests it is
        ``(z(1 - alpha) + z(power)) * standard_error``. For two-sided tests, rejections
        on either side count, so it is slightly less than
        ``(z(1 - alpha / 2) + z(power)) * standard_error``; at a power of 0.8, by less
        than 1e-6 of its value. It is 0 if `power` is not above `alpha`, the
        probability of a rejection if there is no difference.

    Examples
    --------
    >>> from skcompare.stats import detectable_effect
    >>> round(detectable_effect(0.01, alpha=0.05, alternative="greater"), 5)
    0.02486
    >>> round(detectable_effect(0.01, alpha=0.05, alternative="two-sided"), 5)
    0.02802
    """
    if power <= alpha:
        return 0.0
    if alternative != "two-sided":
        return float((stats.norm.isf(alpha) - stats.norm.isf(power)) * standard_error)

    def excess(z):
        return normal_power(z, alpha=alpha, alternative=alternative) - power

    # Upper bound: rejections on one side only need a slightly larger effect.
    enough = stats.norm.isf(alpha / 2) - stats.norm.isf(power)
    return float(optimize.brentq(excess, 0.0, enough + 1e-9) * standard_error)


def normal_power(size, *, alpha, alternative):
    """Return the probability that a test of a normal estimate rejects.

    Parameters
    ----------
    size : float or ndarray
        The true effect in standard errors, positive in the direction of `alternative`.
    alpha : float
        The level of the test.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.

    Returns
    -------
    float or ndarray
        The power.

    Examples
    --------
    >>> round(float(normal_power(0.0, alpha=0.05, alternative="two-sided")), 3)
    0.05
    >>> round(float(normal_power(2.486, alpha=0.05, alternative="greater")), 3)
    0.8
    """
    if alternative != "two-sided":
        return stats.norm.sf(stats.norm.isf(alpha) - size)
    critical = stats.norm.isf(alpha / 2)
    return stats.norm.sf(critical - size) + stats.norm.sf(critical + size)


def has_direction(effect, alternative):
    """Return whether an effect has the direction of the alternative."""
    return EXTREMES[alternative](effect) > 0


def smallest_size(reaches, low):
    """Return the smallest integer n >= `low` with reaches(n), if all above it do."""
    high = low
    while not reaches(high):
        low, high = high + 1, 2 * high
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle + 1, high)
    return high


def whole_size(n_rows):
    """Round a number of rows up; return None if it is above MOST_ROWS."""
    return math.ceil(n_rows) if n_rows <= MOST_ROWS else None


def paired_t_power(effect, sd, n, *, alpha, alternative):
    """Return the probability that a paired t-test rejects.

    Parameters
    ----------
    effect : float
        The true mean of the differences.
    sd : float
        The true standard deviation of the differences.
    n : int
        The number of rows, at least two.
    alpha : float
        The level of the test.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.

    Returns
    -------
    float
        The power for normally distributed differences, from the noncentral t
        distribution. If `sd` is 0: 1 if the effect has the direction of `alternative`,
        otherwise 0.

    References
    ----------
    .. [1] Cohen, J. (1988). Statistical Power Analysis for the Behavioral Sciences,
       2nd edition, chapter 2. :doi:`10.4324/9780203771587`

    Examples
    --------
    >>> round(paired_t_power(0.5, 1.0, 34, alpha=0.05, alternative="two-sided"), 4)
    0.8078
    >>> round(paired_t_power(0.0, 1.0, 34, alpha=0.05, alternative="two-sided"), 4)
    0.05
    """
    if not sd > 0:
        return float(has_direction(effect, alternative))
    noncentrality, df = effect / sd * math.sqrt(n), n - 1
    shifts = {
        "greater": (noncentrality,),
        "less": (-noncentrality,),
        "two-sided": (noncentrality, -noncentrality),
    }[alternative]
    critical = stats.t.isf(alpha / len(shifts), df)
    power = sum(stats.nct.sf(critical, df, shift) for shift in shifts)
    return float(np.clip(power, 0.0, 1.0))


def paired_t_sample_size(effect, sd, *, alpha, alternative, power=0.8):
    """Return the sample size, in rows, that a paired t-test needs.

    Parameters
    ----------
    effect : float
        The true mean of the differences.
    sd : float
        The true standard deviation of the differences.
    alpha : float
        The level of the test.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.
    power : float, default=0.8
        The probability of a rejection, above `alpha`.

    Returns
    -------
    int or None
        The smallest number of rows with this power, by the normal approximation if it
        is above a million. None if it is above 10**12, or does not exist because the
        effect is 0 or in the direction opposite to `alternative`.

    Examples
    --------
    >>> paired_t_sample_size(0.5, 1.0, alpha=0.05, alternative="two-sided")
    34
    """
    if not has_direction(effect, alternative):
        return None
    z = detectable_effect(1.0, alpha=alpha, alternative=alternative, power=power)
    n_normal = (z * sd / effect) ** 2
    if n_normal > NORMAL_FROM:
        return whole_size(n_normal)

    def reaches(n):
        reached = paired_t_power(effect, sd, n, alpha=alpha, alternative=alternative)
        return reached >= power

    return smallest_size(reaches, 2)


def paired_t_detectable_effect(sd, n, *, alpha, alternative, power=0.8):
    """Return the minimum detectable effect of a paired t-test.

    Parameters
    ----------
    sd : float
        The true standard deviation of the differences, above 0.
    n : int
        The number of rows, at least two.
    alpha : float
        The level of the test.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.
    power : float, default=0.8
        The probability of a rejection.

    Returns
    -------
    float
        The absolute difference. It is 0 if `power` is not above `alpha`, the
        probability of a rejection if there is no difference.

    Examples
    --------
    >>> round(paired_t_detectable_effect(1.0, 34, alpha=0.05, alternative="greater"), 4)
    0.4355
    """
    if power <= alpha:
        return 0.0
    sign = -1.0 if alternative == "less" else 1.0

    def excess(size):
        settings = {"alpha": alpha, "alternative": alternative}
        return paired_t_power(sign * size, sd, n, **settings) - power

    high = sd
    while excess(high) < 0:
        high *= 2
    return float(optimize.brentq(excess, 0.0, high, xtol=1e-12 * high))


# Above this number of rows, power is assumed to increase with every row.
STEADY_FROM = 10_000

# Probability of the numbers of discordant rows that are ignored in each tail.
LEFT_OUT = 1e-13


def mcnemar_power(p_only_a, p_only_b, n, *, alpha, alternative, variant="exact"):
    """Return the probability that McNemar's test rejects.

    1. The number of discordant rows among `n` is binomial.
    2. Given this number, the number of rows on which only A is right is binomial, too,
       and the test rejects if it is large or small enough.
    3. The probabilities are summed over the numbers of discordant rows.

    Parameters
    ----------
    p_only_a, p_only_b : float
        The probabilities that only A, and only B, is right on a row.
    n : int
        The number of rows.
    alpha : float
        The level of the test, below 1/2.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.
    variant : {"exact", "mid-p", "chi2", "corrected"}, default="exact"
        The variant of the test.

    Returns
    -------
    float
        The power. It is exact for all variants and numbers of rows, except that numbers
        of discordant rows with a total probability below 1e-12 are ignored.

    References
    ----------
    .. [1] Duffy, S. W. (1984). Asymptotic and exact power for the McNemar test and its
       analogue with R controls per case. Biometrics 40(4), 1005-1015.
       :doi:`10.2307/2531151`

    Examples
    --------
    >>> round(mcnemar_power(0.32, 0.08, 50, alpha=0.05, alternative="greater"), 4)
    0.8394
    >>> round(mcnemar_power(0.2, 0.2, 50, alpha=0.05, alternative="greater"), 4)
    0.0326
    """
    power = _mcnemar_curve(p_only_a, p_only_b, [n], alpha, alternative, variant)
    return float(power[0])


def _mcnemar_curve(p_only_a, p_only_b, sizes, alpha, alternative, variant):
    """Return the power for several numbers of rows, given in ascending order."""
    sizes, p_discordant = np.asarray(sizes)[:, None], min(p_only_a + p_only_b, 1.0)
    if not p_discordant > 0:
        return np.zeros(len(sizes))
    low = stats.binom.ppf(LEFT_OUT, sizes[0, 0], p_discordant)
    high = stats.binom.isf(LEFT_OUT, sizes[-1, 0], p_discordant)
    counts = np.arange(int(low), int(high) + 1)
    to_a, to_b = p_only_a / p_discordant, p_only_b / p_discordant
    # Many rows in favor of A are few in favor of B.
    sides = {"greater": (to_b,), "less": (to_a,), "two-sided": (to_a, to_b)}
    chosen = sides[alternative]
    limits = _rejection_limits(counts, alpha / len(chosen), variant)
    rejected = sum(stats.binom.cdf(limits, counts, min(p, 1.0)) for p in chosen)
    power = stats.binom.pmf(counts, sizes, p_discordant) @ rejected
    return np.clip(power, 0.0, 1.0)


def _rejection_limits(n_discordant, level, variant):
    """Bisect for the largest significantly small counts of one side; -1 if none.

    `level` is the one-sided level.
    """
    low, high = np.full(len(n_discordant), -1), n_discordant + (n_discordant > 0)
    while np.any(high - low > 1):
        middle = (low + high) // 2
        rejected = _lower_tail(middle, n_discordant, variant) <= level
        low, high = np.where(rejected, middle, low), np.where(rejected, high, middle)
    return low


def _lower_tail(counts, n_discordant, variant):
    """Return the one-sided p-values of McNemar's test for small counts of one side."""
    if variant == "exact":
        return stats.binom.cdf(counts, n_discordant, 0.5)
    if variant == "mid-p":
        below = stats.binom.cdf(counts - 1, n_discordant, 0.5)
        return (below + stats.binom.cdf(counts, n_discordant, 0.5)) / 2
    gaps = 2 * counts - n_discordant
    if variant == "corrected":
        gaps = np.sign(gaps) * np.maximum(np.abs(gaps) - 1, 0)
    return stats.norm.cdf(gaps / np.sqrt(np.maximum(n_discordant, 1)))


def mcnemar_sample_size(
    p_only_a, p_only_b, *, alpha, alternative, power=0.8, variant="exact"
):
    """Return the sample size, in rows, that McNemar's test needs.

    Parameters
    ----------
    p_only_a, p_only_b : float
        The probabilities that only A, and only B, is right on a row.
    alpha : float
        The level of the test, below 1/2.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.
    power : float, default=0.8
        The probability of a rejection, above `alpha`.
    variant : {"exact", "mid-p", "chi2", "corrected"}, default="exact"
        The variant of the test.

    Returns
    -------
    int or None
        The smallest number of rows at and above which the test has this power. As
        counts are integers, power is a saw-toothed function of the sample size: it may
        reach a value, fall below it with one more row, and reach it again. Above 10,000
        rows, the first number of rows with this power is returned: at this size there
        are no teeth unless the models disagree on most rows. Above a million, the
        normal approximation is used. None if the number is above 10**12, or does not
        exist because the effect is 0 or in the direction opposite to `alternative`.

    References
    ----------
    .. [1] Connor, R. J. (1987). Sample size for testing differences in proportions for
       the paired-sample design. Biometrics 43(1), 207-211. :doi:`10.2307/2531961`
    .. [2] Chernick, M. R. and Liu, C. Y. (2002). The saw-toothed behavior of power
       versus sample size and software solutions. The American Statistician 56(2),
       149-155. :doi:`10.1198/000313002317572835`

    Examples
    --------
    >>> mcnemar_sample_size(0.32, 0.08, alpha=0.05, alternative="greater")
    46
    >>> mcnemar_sample_size(
    ...     0.32, 0.08, alpha=0.05, alternative="greater", variant="chi2")
    39
    """
    if not has_direction(p_only_a - p_only_b, alternative):
        return None
    # The normal approximation of Connor (1987).
    effect, p_discordant = p_only_a - p_only_b, p_only_a + p_only_b
    sides = 2 if alternative == "two-sided" else 1
    spread = math.sqrt(max(p_discordant - effect**2, 0.0))
    reach = stats.norm.isf(alpha / sides) * math.sqrt(p_discordant)
    n_normal = float((reach - stats.norm.isf(power) * spread) / effect) ** 2
    if n_normal > NORMAL_FROM:
        return whole_size(n_normal)

    def curve(sizes):
        return _mcnemar_curve(p_only_a, p_only_b, sizes, alpha, alternative, variant)

    first = smallest_size(lambda n: curve([n])[0] >= power, 1)
    # Wider than two teeth: with D discordant rows, each is at most 1.6 sqrt(D) wide.
    width = 8 + math.ceil(4 * math.sqrt(first / p_discordant))
    while first < STEADY_FROM:
        sizes = np.arange(first, first + width)
        short = curve(sizes) < power
        if not short.any():
            break
        first = int(sizes[short][-1]) + 1
    return first


def mcnemar_detectable_effect(
    p_discordant, n, *, alpha, alternative, power=0.8, variant="exact"
):
    """Return the minimum detectable effect, in accuracy, of McNemar's test.

    Parameters
    ----------
    p_discordant : float
        The probability that exactly one model is right on a row.
    n : int
        The number of rows.
    alpha : float
        The level of the test, below 1/2.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.
    power : float, default=0.8
        The probability of a rejection, above `alpha`.
    variant : {"exact", "mid-p", "chi2", "corrected"}, default="exact"
        The variant of the test.

    Returns
    -------
    float or None
        The absolute difference. None if the power is lower even if all discordant rows
        favor one model.

    Examples
    --------
    >>> effect = mcnemar_detectable_effect(0.4, 50, alpha=0.05, alternative="greater")
    >>> round(effect, 4)
    0.229
    >>> mcnemar_detectable_effect(0.04, 50, alpha=0.05, alternative="greater") is None
    True
    """
    sign = -1.0 if alternative == "less" else 1.0

    def excess(size):
        more, less = (p_discordant + size) / 2, (p_discordant - size) / 2
        shares = (more, less) if sign > 0 else (less, more)
        settings = {"alpha": alpha, "alternative": alternative, "variant": variant}
        return mcnemar_power(*shares, n, **settings) - power

    if excess(p_discordant) < 0:
        return None
    if excess(0.0) >= 0:
        return 0.0
    return float(optimize.brentq(excess, 0.0, p_discordant, xtol=1e-12))


def exchange_probabilities(differences, effect):
    """Return probabilities of exchanging scores that make the mean difference `effect`.

    Exchanging the two scores of a row changes the sign of their difference. Equal
    scores remain equal, and absolute differences do not change. For accuracy, this
    moves discordant rows from one model to the other.

    1. Towards 0, all rows are exchanged with the same probability of at most 1/2. At an
       effect of 0, no model is better on any kind of row.
    2. Away from 0, only rows that contradict the effect are exchanged.
    3. For an effect of the opposite sign, the models are exchanged first.

    Parameters
    ----------
    differences : ndarray of shape (n,)
        The differences in score of single rows.
    effect : float
        The desired mean difference.

    Returns
    -------
    ndarray of shape (n,)
        The probability of an exchange for each row. After these exchanges, the expected
        mean difference is `effect`.

    Examples
    --------
    >>> exchange_probabilities(np.array([1.0, 1.0, -1.0, 0.0]), 0.125).tolist()
    [0.25, 0.25, 0.25, 0.25]
    >>> exchange_probabilities(np.array([1.0, 1.0, -1.0, 0.0]), 0.5).tolist()
    [0.0, 0.0, 0.5, 0.0]
    """
    mean, reach = float(np.mean(differences)), float(np.mean(np.abs(differences)))
    if abs(effect) > reach * (1 + 1e-9):
        raise ValueError(
            f"`effect` must lie between -{reach:.4g} and {reach:.4g}, the differences "
            "that result if one model is better on all rows, or groups, with different "
            f"scores. Got {effect!r}."
        )
    if effect * mean < 0:
        return 1 - exchange_probabilities(-differences, effect)
    if mean and abs(effect) <= abs(mean):
        return np.full(len(differences), (1 - effect / mean) / 2)
    against = differences * math.copysign(1.0, effect) < 0
    lost = 2 * float(np.mean(np.abs(differences) * against))
    share = (abs(effect) - abs(mean)) / lost if lost else 0.0
    return np.where(against, min(share, 1.0), 0.0)
