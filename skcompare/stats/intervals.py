"""Bootstrap confidence intervals.

Every function takes the finite resampled values and the observed one. A distribution
without spread gives the interval [observed, observed].
"""

from typing import NamedTuple

import numpy as np
from scipy import stats


class ConfidenceInterval(NamedTuple):
    """The two ends of an interval.

    Examples
    --------
    >>> interval = ConfidenceInterval(0.1, 0.3)
    >>> interval.low, interval.high
    (0.1, 0.3)
    """

    low: float
    high: float


def percentile_interval(distribution, confidence_level):
    """Return the central part of the resampled values.

    Parameters
    ----------
    distribution : ndarray
        The resampled values.
    confidence_level : float
        The share of values inside.

    Returns
    -------
    ConfidenceInterval
        The quantiles that leave equal shares on both sides.

    Examples
    --------
    >>> percentile_interval(np.arange(101.0), 0.5)
    ConfidenceInterval(low=25.0, high=75.0)
    """
    return _quantiles(distribution, *_tails(confidence_level))


def basic_interval(distribution, observed, confidence_level):
    """Return the percentile interval mirrored at the observed value.

    Parameters
    ----------
    distribution : ndarray
        The resampled values.
    observed : float
        The value on the sample itself.
    confidence_level : float
        The nominal coverage.

    Returns
    -------
    ConfidenceInterval
        Twice the observed value less the percentile interval.

    Examples
    --------
    >>> basic_interval(np.arange(101.0), 60.0, 0.5)
    ConfidenceInterval(low=45.0, high=95.0)
    """
    low, high = percentile_interval(distribution, confidence_level)
    return ConfidenceInterval(2 * observed - high, 2 * observed - low)


def bca_interval(
    distribution, observed, confidence_level, *, jackknife, strata, tolerance=0.0
):
    """Return the bias-corrected and accelerated percentile interval.

    Parameters
    ----------
    distribution : ndarray
        The resampled values.
    observed : float
        The value on the sample itself.
    confidence_level : float
        The nominal coverage.
    jackknife : ndarray
        The values with one unit left out at a time; nan where undefined.
    strata : ndarray
        The stratum, from 0, of the unit left out.
    tolerance : float, default=0.0
        How far apart resampled and observed value may be to count as equal.

    Returns
    -------
    ConfidenceInterval
        The interval.

    References
    ----------
    .. [1] Efron, B. and Tibshirani, R. (1993). An Introduction to the Bootstrap,
       section 14.3 and, for several samples, eq. 15.36.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 4.0, 9.0])
    >>> rows = np.random.default_rng(0).integers(4, size=(999, 4))
    >>> leave_one_out = (x.sum() - x) / 3
    >>> low, high = bca_interval(x[rows].mean(axis=1), x.mean(), 0.9,
    ...                          jackknife=leave_one_out, strata=np.zeros(4, dtype=int))
    >>> bool(low > percentile_interval(x[rows].mean(axis=1), 0.9).low)
    True
    """
    below = np.mean(distribution < observed - tolerance)
    tied = np.mean(np.abs(distribution - observed) <= tolerance)
    # Half of the ties count as below. All on one side would be a bias of infinity.
    edge = 0.5 / len(distribution)
    bias = stats.norm.ppf(np.clip(below + tied / 2, edge, 1 - edge))
    acceleration = _acceleration(jackknife, strata)
    z = bias + stats.norm.ppf(_tails(confidence_level))
    bend = 1 - acceleration * z
    # Beyond the pole of the correction there is only the end of the distribution.
    beyond = np.where(z > 0, np.inf, -np.inf)
    shares = bias + np.where(bend > 0, z / np.where(bend > 0, bend, 1), beyond)
    return _quantiles(distribution, *np.sort(stats.norm.cdf(shares)))


def _acceleration(jackknife, strata):
    """Return the skewness term, with deviations from the mean of each stratum.

    Leaving out a unit changes a score of all rows together by its deviation over the
    number of all rows, whatever the size of its stratum.
    """
    defined = np.isfinite(jackknife)
    jackknife, strata = jackknife[defined], strata[defined]
    sizes = np.maximum(np.bincount(strata), 1)
    means = np.bincount(strata, weights=jackknife) / sizes
    influence = means[strata] - jackknife
    variance = np.sum(influence**2)
    if variance <= np.finfo(float).tiny:
        return 0.0
    return float(np.sum(influence**3) / (6 * variance**1.5))


def studentized_interval(
    distribution,
    observed,
    confidence_level,
    *,
    standard_errors,
    standard_error,
    tolerance=0.0,
):
    """Return the bootstrap-t interval.

    Parameters
    ----------
    distribution : ndarray
        The resampled values.
    observed : float
        The value on the sample itself.
    confidence_level : float
        The nominal coverage.
    standard_errors : ndarray
        The standard error of each resampled value. Where it is 0, or undefined, a
        value other than the observed one is infinitely many of them away.
    standard_error : float
        The standard error of the observed value.
    tolerance : float, default=0.0
        What counts as 0.

    Returns
    -------
    ConfidenceInterval
        The interval; an end is infinite if too many resamples have no spread to tell.

    Examples
    --------
    >>> studentized_interval(np.arange(101.0), 50.0, 0.5,
    ...                      standard_errors=np.full(101, 2.0), standard_error=4.0)
    ConfidenceInterval(low=0.0, high=100.0)
    """
    far = distribution - observed
    far[np.abs(far) <= tolerance] = 0.0
    usable = standard_errors > tolerance
    away = np.where(far == 0, 0.0, np.copysign(np.inf, far))
    pivots = np.where(usable, far / np.where(usable, standard_errors, 1.0), away)
    if standard_error <= tolerance or not pivots.any():
        return ConfidenceInterval(observed, observed)
    # Quantiles between a number and infinity are infinite.
    method = "linear" if np.isfinite(pivots).all() else "inverted_cdf"
    low, high = np.quantile(pivots, _tails(confidence_level), method=method).tolist()
    return ConfidenceInterval(
        observed - high * standard_error, observed - low * standard_error
    )


def _tails(confidence_level):
    tail = (1 - confidence_level) / 2
    return np.array([tail, 1 - tail])


def _quantiles(distribution, *shares):
    return ConfidenceInterval(*np.quantile(distribution, shares).tolist())
