"""The power of a test whose estimate is normal, and what searches for sizes share."""

import math

from scipy import optimize, stats

# Numbers of rows beyond which the normal approximation gives the number of rows.
NORMAL_FROM = 1_000_000

# No number of rows above this is given.
MOST_ROWS = 10**12


def detectable_effect(standard_error, *, alpha, alternative, power=0.8):
    """Return the smallest true difference that a test shows with some probability.

    The estimate is taken as normal around the true difference, with this standard
    error, and the test as rejecting if it is far enough from 0.

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
    return {"greater": effect > 0, "less": effect < 0, "two-sided": effect != 0}[
        alternative
    ]


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
    """Round a number of rows up; None if it is beyond all reason."""
    return math.ceil(n_rows) if n_rows <= MOST_ROWS else None
