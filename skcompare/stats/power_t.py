"""The power of a paired t-test, and how many rows it needs."""

import math

import numpy as np
from scipy import optimize, stats

from skcompare.stats.power import (
    NORMAL_FROM,
    detectable_effect,
    points_there,
    smallest_size,
    whole_size,
)


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
    with np.errstate(divide="ignore"):  # scipy before 1.14, on its way to the number
        power = sum(stats.nct.sf(critical, df, shift) for shift in shifts)
    return float(np.clip(power, 0.0, 1.0))


def paired_t_sample_size(effect, sd, *, alpha, alternative, power=0.8):
    """Return how many rows a paired t-test needs.

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
        found = paired_t_power(effect, sd, n, alpha=alpha, alternative=alternative)
        return found >= power

    return smallest_size(reaches, 2)


def paired_t_detectable_effect(sd, n, *, alpha, alternative, power=0.8):
    """Return the smallest mean difference that a paired t-test shows.

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
        how = {"alpha": alpha, "alternative": alternative}
        return paired_t_power(sign * size, sd, n, **how) - power

    high = sd
    while excess(high) < 0:
        high *= 2
    return float(optimize.brentq(excess, 0.0, high, xtol=1e-12 * high))
