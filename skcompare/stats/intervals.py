"""Bootstrap confidence intervals.

Every function takes the finite resampled values and the observed one. A distribution
without spread gives the interval [observed, observed].
"""

from typing import NamedTuple

import numpy as np
from scipy import stats

from skcompare.stats.pvalues import t_statistics


class ConfidenceInterval(NamedTuple):
    """The two ends of an interval.

    Examples
    --------
    >>> from skcompare.stats import ConfidenceInterval
    >>> interval = ConfidenceInterval(0.1, 0.3)
    >>> interval.low, interval.high
    (0.1, 0.3)
    """

    low: float
    high: float


# The least and the greatest score of metrics, by how their names start.
_RANGES = {
    "neg_brier": (-2.0, 0.0),  # of more than two classes
    "neg_": (-np.inf, 0.0),
    "matthews_corrcoef": (-1.0, 1.0),
    "r2": (-np.inf, 1.0),
    "d2_": (-np.inf, 1.0),
    "explained_variance": (-np.inf, 1.0),
} | dict.fromkeys(
    (
        "accuracy",
        "average_precision",
        "balanced_accuracy",
        "f1",
        "jaccard",
        "precision",
        "recall",
        "roc_auc",
        "top_k_accuracy",
    ),
    (0.0, 1.0),
)


def score_range(scoring, scores):
    """Return the least and the greatest score that a metric can have.

    Parameters
    ----------
    scoring : str
        The name of the metric, as scikit-learn names it.
    scores : array-like
        Scores in it. A metric that has one outside of its range is another one of that
        name, such as accuracy in percent.

    Returns
    -------
    ConfidenceInterval
        The range; infinite where it is not known.

    Examples
    --------
    >>> from skcompare.stats.intervals import score_range
    >>> score_range("f1_macro", [0.8])
    ConfidenceInterval(low=0.0, high=1.0)
    >>> score_range("accuracy", [83.5])
    ConfidenceInterval(low=-inf, high=inf)
    """
    starts = (ends for start, ends in _RANGES.items() if scoring.startswith(start))
    low, high = next(starts, (-np.inf, np.inf))
    if np.min(scores) < low or np.max(scores) > high:  # another one of that name
        low, high = -np.inf, np.inf
    return ConfidenceInterval(low, high)


def cut_to_range(interval, scoring, scores):
    """Return what of an interval for a difference lies where differences can be.

    Parameters
    ----------
    interval : ConfidenceInterval
        An interval for the difference of two scores.
    scoring : str
        The name of the metric.
    scores : array-like
        Scores in it.

    Returns
    -------
    ConfidenceInterval
        The interval, which ends where the range of the metric lets differences end.
        Infinite ends, of which nothing is known, stay.

    Examples
    --------
    >>> cut_to_range(ConfidenceInterval(0.0, 1.3), "recall", [0.7, 0.0])
    ConfidenceInterval(low=0.0, high=1.0)
    """
    low, high = score_range(scoring, scores)
    ends = np.clip(interval, low - high, high - low)
    ends = np.where(np.isfinite(interval), ends, interval)
    return ConfidenceInterval(*ends.tolist())


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
    >>> import numpy as np
    >>> from skcompare.stats import percentile_interval
    >>> percentile_interval(np.arange(101.0), 0.5)
    ConfidenceInterval(low=25.0, high=75.0)
    """
    tail = (1 - confidence_level) / 2
    ends = np.quantile(distribution, [tail, 1 - tail])
    return ConfidenceInterval(*ends.tolist())


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
    >>> import numpy as np
    >>> from skcompare.stats import basic_interval
    >>> basic_interval(np.arange(101.0), 60.0, 0.5)
    ConfidenceInterval(low=45.0, high=95.0)
    """
    low, high = percentile_interval(distribution, confidence_level)
    return ConfidenceInterval(2 * observed - high, 2 * observed - low)


def symmetric_interval(distribution, observed, confidence_level):
    """Return the observed value less and plus a quantile of the sizes of deviations.

    Parameters
    ----------
    distribution : ndarray
        The resampled values; one that is undefined (nan) counts as infinitely far.
    observed : float
        The value on the sample itself.
    confidence_level : float
        The nominal coverage.

    Returns
    -------
    ConfidenceInterval
        ``observed`` -+ the order statistic of ``|distribution - observed|`` of which at
        most a share of ``1 - confidence_level`` is as large or larger, the observed
        data counted among the resamples; infinite if there are too few of them.

    Notes
    -----
    It is dual to the two-sided p-value of the shifted bootstrap: it excludes 0 exactly
    when the share of ``|distribution - observed| >= |observed|``, with one added to
    both counts, is at most ``1 - confidence_level``.

    References
    ----------
    .. [1] Hall, P. (1988). On symmetric bootstrap confidence intervals. Journal of the
       Royal Statistical Society B 50(1), 35-45.
       :doi:`10.1111/j.2517-6161.1988.tb01710.x`

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import symmetric_interval
    >>> symmetric_interval(np.arange(99.0), 49.0, 0.5)
    ConfidenceInterval(low=24.0, high=74.0)
    """
    sizes = np.sort(np.abs(distribution - observed))  # nan comes last
    place = int(np.ceil(confidence_level * (len(sizes) + 1) - 1e-9)) - 1
    reach = float(sizes[place]) if place < len(sizes) else np.inf
    reach = np.inf if np.isnan(reach) else reach
    return ConfidenceInterval(float(observed - reach), float(observed + reach))


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
    >>> import numpy as np
    >>> from skcompare.stats import bca_interval, percentile_interval
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
    tail = (1 - confidence_level) / 2
    z = bias + stats.norm.ppf([tail, 1 - tail])
    bend = 1 - acceleration * z
    # Beyond the pole of the correction there is only the end of the distribution.
    beyond = np.where(z > 0, np.inf, -np.inf)
    shares = bias + np.where(bend > 0, z / np.where(bend > 0, bend, 1), beyond)
    ends = np.quantile(distribution, np.sort(stats.norm.cdf(shares)))
    return ConfidenceInterval(*ends.tolist())


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
    >>> import numpy as np
    >>> from skcompare.stats import studentized_interval
    >>> studentized_interval(np.arange(101.0), 50.0, 0.5,
    ...                      standard_errors=np.full(101, 2.0), standard_error=4.0)
    ConfidenceInterval(low=0.0, high=100.0)
    """
    pivots = t_statistics(distribution - observed, standard_errors, tolerance)
    if standard_error <= tolerance or not pivots.any():
        return ConfidenceInterval(observed, observed)
    # Quantiles between a number and infinity are infinite.
    method = "linear" if np.isfinite(pivots).all() else "inverted_cdf"
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(pivots, [tail, 1 - tail], method=method).tolist()
    return ConfidenceInterval(
        observed - high * standard_error, observed - low * standard_error
    )


def clopper_pearson_interval(count, n, confidence_level):
    """Return the exact interval for a share.

    Parameters
    ----------
    count : float
        The number of successes.
    n : float
        The number of trials, one at least. Of trials that are not independent, both
        numbers are effective ones, which need not be whole [2]_.
    confidence_level : float
        The least coverage.

    Returns
    -------
    ConfidenceInterval
        The shares that neither one-sided binomial test at ``(1 - confidence_level) /
        2`` rejects; never of zero width: 0 of n has a lower end of 0, and an upper end
        above.

    References
    ----------
    .. [1] Clopper, C. J. and Pearson, E. S. (1934). The use of confidence or fiducial
       limits illustrated in the case of the binomial. Biometrika 26(4), 404-413.
       :doi:`10.1093/biomet/26.4.404`
    .. [2] Korn, E. L. and Graubard, B. I. (1998). Confidence intervals for proportions
       with small expected number of positive counts estimated from survey data. Survey
       Methodology 24(2), 193-201.

    Examples
    --------
    >>> from skcompare.stats import clopper_pearson_interval
    >>> low, high = clopper_pearson_interval(20, 20, 0.95)
    >>> round(low, 4), high
    (0.8316, 1.0)
    """
    tail = (1 - confidence_level) / 2
    low = stats.beta.ppf(tail, count, n - count + 1) if count else 0.0
    high = stats.beta.isf(tail, count + 1, n - count) if count < n else 1.0
    return ConfidenceInterval(float(low), float(high))


def constant_interval(value, lowest, highest, n, confidence_level):
    """Return how far a mean can be from the value that all n independent units have.

    If a share s of the population has this value, then so have all of n independent
    units with probability s^n. Smaller s than makes this (1 - confidence_level) / 2 are
    ruled out; the others may have any value between two bounds. This is Clopper and
    Pearson's interval where all trials agree. It is what stands for the mean of rows
    that all have the same score, such as the accuracy of a model without errors, and
    for a difference that is the same on every row.

    Parameters
    ----------
    value : float
        The value of all units.
    lowest, highest : float
        The least and the greatest value that a unit can have.
    n : int
        The number of independent units: rows, groups or pairs.
    confidence_level : float
        The least coverage.

    Returns
    -------
    ConfidenceInterval
        The interval; it ends at `value` if that is the least or the greatest.

    References
    ----------
    .. [1] Clopper, C. J. and Pearson, E. S. (1934). The use of confidence or fiducial
       limits illustrated in the case of the binomial. Biometrika 26(4), 404-413.
       :doi:`10.1093/biomet/26.4.404`

    Examples
    --------
    >>> low, high = constant_interval(0.5, 0.0, 1.0, 1, 0.9)
    >>> round(low, 4), round(high, 4)
    (0.025, 0.975)
    """
    share = ((1 - confidence_level) / 2) ** (1 / n)
    others = 1 - share
    return ConfidenceInterval(
        float(share * value + others * lowest), float(share * value + others * highest)
    )
