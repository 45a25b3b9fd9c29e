"""The power of McNemar's test, and how many rows it needs."""

import math

import numpy as np
from scipy import optimize, stats

from skcompare.stats.power import NORMAL_FROM, points_there, smallest_size, whole_size

# The number of rows beyond which power is taken to grow with every row.
STEADY_FROM = 10_000

# The probability of the numbers of discordant rows that are left out, on either side.
LEFT_OUT = 1e-13


def mcnemar_power(p_only_a, p_only_b, n, *, alpha, alternative, variant="exact"):
    """Return the probability that McNemar's test rejects.

    1. The number of discordant rows, of `n`, is binomial.
    2. Given that number, so is the number of those on which only A is right, and the
       test rejects if it is large or small enough.
    3. Add up over the numbers of discordant rows.

    Parameters
    ----------
    p_only_a, p_only_b : float
        The probabilities that only A, only B is right on a row.
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
        The power: no approximation, whatever the variant and the number of rows, but
        for numbers of discordant rows that have a probability below 1e-12 together.

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
    """Return the power for several numbers of rows, in ascending order."""
    sizes, p_discordant = np.asarray(sizes)[:, None], min(p_only_a + p_only_b, 1.0)
    if not p_discordant > 0:
        return np.zeros(len(sizes))
    low = stats.binom.ppf(LEFT_OUT, sizes[0, 0], p_discordant)
    high = stats.binom.isf(LEFT_OUT, sizes[-1, 0], p_discordant)
    counts = np.arange(int(low), int(high) + 1)
    to_a, to_b = p_only_a / p_discordant, p_only_b / p_discordant
    # Many rows for A are few for B.
    sides = {"greater": (to_b,), "less": (to_a,), "two-sided": (to_a, to_b)}
    chosen = sides[alternative]
    limits = _rejection_limits(counts, alpha / len(chosen), variant)
    rejected = sum(stats.binom.cdf(limits, counts, min(p, 1.0)) for p in chosen)
    power = stats.binom.pmf(counts, sizes, p_discordant) @ rejected
    return np.clip(power, 0.0, 1.0)


def _rejection_limits(n_discordant, level, variant):
    """Bisect for the largest counts of a side that are significantly few, -1 if none.

    The level is that of one side.
    """
    low, high = np.full(len(n_discordant), -1), n_discordant + (n_discordant > 0)
    while np.any(high - low > 1):
        middle = (low + high) // 2
        rejected = _lower_tail(middle, n_discordant, variant) <= level
        low, high = np.where(rejected, middle, low), np.where(rejected, high, middle)
    return low


def _lower_tail(counts, n_discordant, variant):
    """Return the one-sided p-values of McNemar's tests for few rows of a side."""
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
    """Return how many rows McNemar's test needs.

    Parameters
    ----------
    p_only_a, p_only_b : float
        The probabilities that only A, only B is right on a row.
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
        The number of rows from which on the power is never less. Counts are whole, so
        the power of such tests is a saw-tooth: it may reach a value, fall below it
        with one more row, and reach it again. Above 10,000 rows it is the first number
        that reaches the power: by then there are no teeth unless the models disagree
        on most rows. Above a million it is that of the normal approximation. None if
        there is no such number, since the effect is 0 or of the other sign, or if it
        is above 10**12.

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
    if not points_there(p_only_a - p_only_b, alternative):
        return None
    n_normal = _connor_size(p_only_a, p_only_b, alpha, alternative, power)
    if n_normal > NORMAL_FROM:
        return whole_size(n_normal)

    def curve(sizes):
        return _mcnemar_curve(p_only_a, p_only_b, sizes, alpha, alternative, variant)

    first = smallest_size(lambda n: curve([n])[0] >= power, 1)
    # More than two teeth: with D discordant rows they are at most 1.6 sqrt(D) wide.
    width = 8 + math.ceil(4 * math.sqrt(first / (p_only_a + p_only_b)))
    while first < STEADY_FROM:
        sizes = np.arange(first, first + width)
        short = curve(sizes) < power
        if not short.any():
            break
        first = int(sizes[short][-1]) + 1
    return first


def _connor_size(p_only_a, p_only_b, alpha, alternative, power):
    """Return the number of rows by the normal approximation of Connor (1987)."""
    effect, p_discordant = p_only_a - p_only_b, p_only_a + p_only_b
    sides = 2 if alternative == "two-sided" else 1
    spread = math.sqrt(max(p_discordant - effect**2, 0.0))
    reach = stats.norm.isf(alpha / sides) * math.sqrt(p_discordant)
    return float((reach - stats.norm.isf(power) * spread) / effect) ** 2


def mcnemar_detectable_effect(
    p_discordant, n, *, alpha, alternative, power=0.8, variant="exact"
):
    """Return the smallest difference in accuracy that McNemar's test shows.

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
        The size of the difference, without its sign; None if the power is less even
        if all discordant rows fall to one model.

    Examples
    --------
    >>> found = mcnemar_detectable_effect(0.4, 50, alpha=0.05, alternative="greater")
    >>> round(found, 4)
    0.229
    >>> mcnemar_detectable_effect(0.04, 50, alpha=0.05, alternative="greater") is None
    True
    """
    sign = -1.0 if alternative == "less" else 1.0

    def excess(size):
        more, less = (p_discordant + size) / 2, (p_discordant - size) / 2
        shares = (more, less) if sign > 0 else (less, more)
        how = {"alpha": alpha, "alternative": alternative, "variant": variant}
        return mcnemar_power(*shares, n, **how) - power

    if excess(p_discordant) < 0:
        return None
    return float(optimize.brentq(excess, 0.0, p_discordant, xtol=1e-12))
