"""The power of tests, and how many rows they need."""

import math

import numpy as np
from scipy import optimize, stats

from skcompare.stats.pvalues import EXTREMES

# Numbers of rows beyond which the normal approximation gives the number of rows.
NORMAL_FROM = 1_000_000

# No number of rows above this is given.
MOST_ROWS = 10**12


def detectable_effect(standard_error, *, alpha, alternative, power=0.8):
    """Return the minimum detectable effect of a test with a normal estimate.

    It is the smallest true difference that the test shows with a probability of
    `power`. The estimate is taken as normal around the true difference, with this
    standard error, and the test as rejecting if it is far enough from 0.

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
        The size of the difference, without its sign. One-sided, it is
        ``(z(1 - alpha) + z(power)) * standard_error``. Two-sided, rejections on either
        side count, so that it is a little less than ``z(1 - alpha / 2) + z(power)``
        errors; for a power of 0.8 by less than 1e-6 of it. It is 0 if `power` is not
        above `alpha`: that often any test rejects.

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

    # One side alone needs a little more.
    enough = stats.norm.isf(alpha / 2) - stats.norm.isf(power)
    return float(optimize.brentq(excess, 0.0, enough + 1e-9) * standard_error)


def normal_power(size, *, alpha, alternative):
    """Return the probability that a test of a normal estimate rejects.

    Parameters
    ----------
    size : float or ndarray
        How far the truth is from 0, on the side that is tested for, in standard errors.
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


def points_there(effect, alternative):
    """Return whether an effect is of the kind that the alternative is about."""
    return EXTREMES[alternative](effect) > 0


def smallest_size(reaches, low):
    """Return the smallest whole number from `low` on that reaches, if all above do."""
    high = low
    while not reaches(high):
        low, high = high + 1, 2 * high
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle + 1, high)
    return high


def whole_size(n_rows):
    """Round a number of rows up; None if it is too large to be of use."""
    return math.ceil(n_rows) if n_rows <= MOST_ROWS else None


def paired_t_power(effect, sd, n, *, alpha, alternative):
    """Return the probability that a paired t-test rejects.

    Parameters
    ----------
    effect : float
        The true mean of the differences.
    sd : float
        Their true standard deviation.
    n : int
        The number of rows, two at least.
    alpha : float
        The level of the test.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.

    Returns
    -------
    float
        The power, for normal differences, from the noncentral t distribution. Without
        any variance, 1 if the effect is of the kind that is tested for, else 0.

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
        return float(points_there(effect, alternative))
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
        Their true standard deviation.
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
        is above a million; None if there is none, since the effect is 0 or of the
        other sign, or if it is above 10**12.

    Examples
    --------
    >>> paired_t_sample_size(0.5, 1.0, alpha=0.05, alternative="two-sided")
    34
    """
    if not points_there(effect, alternative):
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
        The number of rows, two at least.
    alpha : float
        The level of the test.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.
    power : float, default=0.8
        The probability of a rejection.

    Returns
    -------
    float
        The size of the difference, without its sign. It is 0 if `power` is not above
        `alpha`: that often any test rejects.

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
    """Return the sample size, in rows, that McNemar's test needs.

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
    # More than two teeth: with D discordant rows they are at most 1.6 sqrt(D) wide.
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
        The size of the difference, without its sign; None if the power is less even
        if all discordant rows fall to one model.

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
    """Return how often to exchange the scores of rows for them to differ by `effect`.

    Exchanging the two scores of a row turns the sign of their difference. Rows on
    which the models score the same stay so, and the sizes of differences stay as they
    are. For right and wrong it moves discordant rows from one model to the other.

    1. Towards 0, all rows are exchanged with the same probability, at most 1/2: at an
       effect of 0 no model is better on any kind of row.
    2. Away from 0, only rows that speak against the effect are exchanged.
    3. For an effect of the other sign, the models change places first.

    Parameters
    ----------
    differences : ndarray of shape (n,)
        The differences in score of single rows.
    effect : float
        The mean difference that is wanted.

    Returns
    -------
    ndarray of shape (n,)
        The probabilities. With them, the expected mean difference is `effect`.

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
            f"`effect` must lie between -{reach:.4g} and {reach:.4g}, which is what "
            "the models would differ by if all rows, or groups, on which their scores "
            f"differ favored the same one. Got {effect!r}."
        )
    if effect * mean < 0:
        return 1 - exchange_probabilities(-differences, effect)
    if mean and abs(effect) <= abs(mean):
        return np.full(len(differences), (1 - effect / mean) / 2)
    against = differences * math.copysign(1.0, effect) < 0
    lost = 2 * float(np.mean(np.abs(differences) * against))
    share = (abs(effect) - abs(mean)) / lost if lost else 0.0
    return np.where(against, min(share, 1.0), 0.0)
