"""Bootstrap confidence intervals, and exact ones for shares and constant values.

The bootstrap functions take the resampled values, which must be finite unless noted
otherwise, and the observed value. If the resampled values do not vary, the interval is
[observed, observed].
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


# The minimum and maximum score of metrics, by the beginning of their names.
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
    """Return the minimum and maximum score that a metric can have.

    Parameters
    ----------
    scoring : str
        The name of the metric in scikit-learn.
    scores : array-like
        Scores of the metric. If any is outside the range of the scikit-learn metric,
        it must be a different metric with the same name, such as accuracy in percent.

    Returns
    -------
    ConfidenceInterval
        The range, with infinite ends where it is unknown.

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
    if np.min(scores) < low or np.max(scores) > high:  # different metric
        low, high = -np.inf, np.inf
    return ConfidenceInterval(low, high)


def cut_to_range(interval, scoring, scores):
    """Clip an interval for a difference to the possible differences of a metric.

    Parameters
    ----------
    interval : ConfidenceInterval
        An interval for the difference of two scores.
    scoring : str
        The name of the metric.
    scores : array-like
        Scores of the metric, as for `score_range`.

    Returns
    -------
    ConfidenceInterval
        The clipped interval. Infinite ends mean that no limit is known, and are kept.

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
    """Return the interval between two quantiles of the resampled values.

    Parameters
    ----------
    distribution : ndarray
        The resampled values.
    confidence_level : float
        The share of values inside the interval.

    Returns
    -------
    ConfidenceInterval
        The quantiles that leave equal shares of the values on both sides. Infinite if
        the values are too few to have such quantiles: fewer than 39 for 95 %.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import percentile_interval
    >>> percentile_interval(np.arange(101.0), 0.5)
    ConfidenceInterval(low=25.0, high=75.0)
    """
    tail = (1 - confidence_level) / 2
    if _are_too_few(distribution, tail):
        return ConfidenceInterval(-np.inf, np.inf)
    ends = np.quantile(distribution, [tail, 1 - tail])
    return ConfidenceInterval(*ends.tolist())


def _are_too_few(distribution, tail):
    """Return whether resampled values have no quantile with this share in a tail."""
    return tail * (len(distribution) + 1) < 1 - 1e-9


def basic_interval(distribution, observed, confidence_level):
    """Return the percentile interval reflected about the observed value.

    Parameters
    ----------
    distribution : ndarray
        The resampled values.
    observed : float
        The value on the original sample.
    confidence_level : float
        The nominal coverage.

    Returns
    -------
    ConfidenceInterval
        Twice the observed value minus the percentile interval.

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
    """Return the observed value plus and minus a quantile of absolute deviations.

    Parameters
    ----------
    distribution : ndarray
        The resampled values; undefined values (nan) count as infinitely far away.
    observed : float
        The value on the original sample.
    confidence_level : float
        The nominal coverage.

    Returns
    -------
    ConfidenceInterval
        ``observed`` plus and minus the order statistic of ``|distribution - observed|``
        for which at most a share of ``1 - confidence_level`` is as large or larger,
        with the observed data counted as one of the resamples. Infinite if there are
        too few resamples.

    Notes
    -----
    The interval is dual to the two-sided p-value of the shifted bootstrap: it excludes
    0 exactly when the share of ``|distribution - observed| >= |observed|``, with one
    added to both counts, is at most ``1 - confidence_level``.

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
    sizes = np.sort(np.abs(distribution - observed))  # nan are sorted last
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
        The value on the original sample.
    confidence_level : float
        The nominal coverage.
    jackknife : ndarray
        The leave-one-out values; nan where undefined.
    strata : ndarray
        The stratum of each left-out unit, numbered from 0.
    tolerance : float, default=0.0
        The largest difference at which a resampled value counts as equal to `observed`.

    Returns
    -------
    ConfidenceInterval
        The interval; infinite if the values are too few, as in `percentile_interval`.

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
    tail = (1 - confidence_level) / 2
    if _are_too_few(distribution, tail):
        return ConfidenceInterval(-np.inf, np.inf)
    below = np.mean(distribution < observed - tolerance)
    tied = np.mean(np.abs(distribution - observed) <= tolerance)
    # Half of the ties count as below. Clip to avoid an infinite bias correction.
    edge = 0.5 / len(distribution)
    bias = stats.norm.ppf(np.clip(below + tied / 2, edge, 1 - edge))
    acceleration = _acceleration(jackknife, strata)
    z = bias + stats.norm.ppf([tail, 1 - tail])
    bend = 1 - acceleration * z
    # Beyond the pole of the correction, use the extreme of the distribution.
    beyond = np.where(z > 0, np.inf, -np.inf)
    shares = bias + np.where(bend > 0, z / np.where(bend > 0, bend, 1), beyond)
    ends = np.quantile(distribution, np.sort(stats.norm.cdf(shares)))
    return ConfidenceInterval(*ends.tolist())


def _acceleration(jackknife, strata):
    """Return the acceleration, from deviations from the mean of each stratum.

    Leaving out a unit changes the overall score by the unit's deviation divided by the
    total number of rows, whatever the size of its stratum.
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
        The value on the original sample.
    confidence_level : float
        The nominal coverage.
    standard_errors : ndarray
        The standard error of each resampled value. Where it is 0 or undefined, the
        studentized deviation is infinite, unless the value equals `observed`.
    standard_error : float
        The standard error of the observed value.
    tolerance : float, default=0.0
        Deviations and standard errors up to this size count as 0.

    Returns
    -------
    ConfidenceInterval
        The interval; an end is infinite if too many studentized deviations are. Both
        are if the values are too few for the quantiles, as in `percentile_interval`.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import studentized_interval
    >>> studentized_interval(np.arange(101.0), 50.0, 0.5,
    ...                      standard_errors=np.full(101, 2.0), standard_error=4.0)
    ConfidenceInterval(low=0.0, high=100.0)
    """
    tail = (1 - confidence_level) / 2
    if _are_too_few(distribution, tail):
        return ConfidenceInterval(-np.inf, np.inf)
    pivots = t_statistics(distribution - observed, standard_errors, tolerance)
    if standard_error <= tolerance or not pivots.any():
        return ConfidenceInterval(observed, observed)
    # Interpolation involving infinite values can yield nan: do not interpolate.
    method = "linear" if np.isfinite(pivots).all() else "inverted_cdf"
    low, high = np.quantile(pivots, [tail, 1 - tail], method=method).tolist()
    return ConfidenceInterval(
        observed - high * standard_error, observed - low * standard_error
    )


def clopper_pearson_interval(count, n, confidence_level):
    """Return the exact confidence interval for a proportion.

    Parameters
    ----------
    count : float
        The number of successes.
    n : float
        The number of trials, at least one. If trials are dependent, pass effective
        numbers for `count` and `n`; they need not be integers [2]_.
    confidence_level : float
        The minimum coverage.

    Returns
    -------
    ConfidenceInterval
        The proportions that neither one-sided binomial test at level
        ``(1 - confidence_level) / 2`` rejects. The width is never 0: for 0 of n, the
        lower end is 0 and the upper end is above 0.

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
    """Return the confidence interval for a mean if all n observed units are equal.

    If a share s of the population has this value, all of n independent units have it
    with probability s^n. Values of s for which this is below (1 - confidence_level) / 2
    are excluded; the rest of the population may have any value between two bounds. This
    is the Clopper-Pearson interval for trials with equal outcomes. It is used for the
    mean of rows that all have the same score, such as the accuracy of a model without
    errors, and for a difference that is the same on every row.

    Parameters
    ----------
    value : float
        The value of all observed units.
    lowest, highest : float
        The minimum and maximum value that a unit can have.
    n : float
        The number of independent units: rows, groups or pairs. It may be an effective
        number.
    confidence_level : float
        The minimum coverage.

    Returns
    -------
    ConfidenceInterval
        The interval; it ends at `value` if that is the minimum or maximum. Without any
        units, all possible values.

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
    share = ((1 - confidence_level) / 2) ** (1 / n) if n else 0.0
    others = 1 - share
    return ConfidenceInterval(
        float(share * value + others * lowest), float(share * value + others * highest)
    )
