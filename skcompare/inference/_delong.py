"""The areas under ROC curves and their covariance (DeLong et al., 1988).

The *placement* of a positive is the share of negatives that score lower, that of a
negative the share of positives that score higher; ties are half lower, half higher. The
area is the mean of either. Placements are kept as whole numbers of half pairs, so that
what is equal is equal, and a variance that should be 0 is 0.
"""

from typing import NamedTuple

import numpy as np
from scipy import special, stats

from skcompare.inference._intervals import ConfidenceInterval

__all__ = ["RocAreas", "delong_interval", "delong_test", "roc_areas", "roc_interval"]


class RocAreas(NamedTuple):
    """The areas of several models on the same rows.

    Attributes
    ----------
    areas : ndarray of shape (n_models,)
        The areas under their ROC curves.
    covariance : ndarray of shape (n_models, n_models)
        The estimated covariance of these areas.
    n_positive, n_negative : int
        The number of rows of each class.
    """

    areas: np.ndarray
    covariance: np.ndarray
    n_positive: int
    n_negative: int

    @property
    def n_pairs(self):
        """The number of pairs, one positive and one negative, without a common row."""
        return min(self.n_positive, self.n_negative)


class DeLongTest(NamedTuple):
    """The difference of two areas, its standard error, z and p-value."""

    delta: float
    standard_error: float
    statistic: float
    pvalue: float


def roc_areas(positive, scores):
    """Return areas under ROC curves and their covariance, in O(n log n) per model.

    Parameters
    ----------
    positive : ndarray of bool of shape (n_rows,)
        Which rows are positive: at least two, and two are not.
    scores : sequence of array-like of shape (n_rows,)
        The scores of each model; they need not be on one scale.

    Returns
    -------
    RocAreas
        The areas and their covariance.

    References
    ----------
    .. [1] DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Comparing the
       areas under two or more correlated receiver operating characteristic curves: a
       nonparametric approach. Biometrics 44(3), 837-845. :doi:`10.2307/2531595`
    .. [2] Sun, X. and Xu, W. (2014). Fast implementation of DeLong's algorithm for
       comparing the areas under correlated receiver operating characteristic curves.
       IEEE Signal Processing Letters 21(11), 1389-1393.
       :doi:`10.1109/LSP.2014.2337313`

    Examples
    --------
    >>> positive = np.array([True, True, True, False, False])
    >>> found = roc_areas(positive, [[3, 2, 0, 1, 0], [5, 5, 5, 5, 5]])
    >>> found.areas.round(4).tolist()
    [0.75, 0.5]
    >>> found.covariance.round(4).tolist()
    [[0.0694, 0.0], [0.0, 0.0]]
    """
    positive = np.asarray(positive, dtype=bool)
    n_positive, n_negative = _class_sizes(positive)
    halves = [_half_pairs(positive, np.asarray(one)) for one in scores]
    of_positives, of_negatives = (np.array(part) for part in zip(*halves, strict=True))
    n_halves = 2 * n_positive * n_negative
    # Each class adds the variance of its mean; half pairs become shares at the end.
    covariance = (
        _covariance(of_positives) * n_positive + _covariance(of_negatives) * n_negative
    )
    return RocAreas(
        of_positives.sum(axis=1) / n_halves,
        covariance / float(n_halves) ** 2,
        n_positive,
        n_negative,
    )


def _class_sizes(positive):
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    if min(n_positive, n_negative) < 2:
        raise ValueError(
            "The variance of a ROC AUC needs at least two positive and two negative "
            f"rows. Got {n_positive} positive and {n_negative} negative."
        )
    return n_positive, n_negative


def _half_pairs(positive, scores):
    """Return for every positive, and every negative, how many half pairs are right.

    The rank of a positive among all rows, less its rank among positives, is the number
    of negatives below it [2]_.
    """
    ranks = _double_ranks(scores)
    of_positives = ranks[positive] - _double_ranks(scores[positive])
    below = ranks[~positive] - _double_ranks(scores[~positive])
    return of_positives, 2 * int(positive.sum()) - below


def _double_ranks(scores):
    """Return twice the midranks: whole numbers."""
    return np.rint(2 * stats.rankdata(scores)).astype(np.int64)


def _covariance(values):
    """Return the covariance of rows; exactly 0 for one that does not vary."""
    deviations = values - values.mean(axis=1, keepdims=True)
    return deviations @ deviations.T / (values.shape[1] - 1)


def roc_interval(area, variance, n_pairs, confidence_level):
    """Return an interval for one area, within [0, 1].

    The interval is symmetric for the logit of the area. Without variance there is none:
    then all pairs are alike (in the right order, tied, or in the wrong order), and the
    limits are those of `without_variance`.

    Parameters
    ----------
    area : float
        The area under the ROC curve.
    variance : float
        Its variance.
    n_pairs : int
        The number of pairs without a common row: the size of the smaller class.
    confidence_level : float
        The nominal coverage.

    Returns
    -------
    ConfidenceInterval
        The interval.

    References
    ----------
    .. [1] Pepe, M. S. (2003). The Statistical Evaluation of Medical Tests for
       Classification and Prediction. Oxford University Press, section 5.2.

    Examples
    --------
    >>> low, high = roc_interval(0.9, 0.0016, 50, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.79, 0.956)
    >>> low, high = roc_interval(1.0, 0.0, 50, 0.95)
    >>> round(low, 3), high
    (0.929, 1.0)
    """
    if variance <= 0:
        return without_variance(area, 0.0, 1.0, n_pairs, confidence_level)
    center = special.logit(area)
    width = _normal_quantile(confidence_level) * np.sqrt(variance) / area / (1 - area)
    low, high = special.expit([center - width, center + width]).tolist()
    return ConfidenceInterval(low, high)


def delong_interval(delta, variance, n_pairs, confidence_level):
    """Return an interval for the difference of two areas, within [-1, 1].

    Parameters
    ----------
    delta : float
        The difference.
    variance : float
        Its variance; where it is 0 the limits are those of `without_variance`.
    n_pairs : int
        The number of pairs without a common row: the size of the smaller class.
    confidence_level : float
        The nominal coverage.

    Returns
    -------
    ConfidenceInterval
        The normal interval, cut off at -1 and 1.

    Examples
    --------
    >>> low, high = delong_interval(0.1, 0.0016, 50, 0.95)
    >>> round(low, 4), round(high, 4)
    (0.0216, 0.1784)
    >>> delong_interval(0.9, 0.04, 5, 0.95).high
    1.0
    """
    if variance <= 0:
        return without_variance(delta, -1.0, 1.0, n_pairs, confidence_level)
    width = _normal_quantile(confidence_level) * float(np.sqrt(variance))
    return ConfidenceInterval(max(delta - width, -1.0), min(delta + width, 1.0))


def without_variance(value, lowest, highest, n_pairs, confidence_level):
    """Return how far a mean over pairs can be from the value that all pairs have.

    If a share s of all pairs in the population have this value, then so have all of
    `n_pairs` independent ones with probability s^n_pairs. Smaller s than makes this
    (1 - confidence_level) / 2 are ruled out; the other pairs may have any value. This
    is Clopper and Pearson's interval where all trials agree.

    Parameters
    ----------
    value : float
        The value of all pairs.
    lowest, highest : float
        The least and the greatest value that a pair can have.
    n_pairs : int
        The number of independent pairs.
    confidence_level : float
        The least coverage.

    Returns
    -------
    ConfidenceInterval
        The interval.

    References
    ----------
    .. [1] Clopper, C. J. and Pearson, E. S. (1934). The use of confidence or fiducial
       limits illustrated in the case of the binomial. Biometrika 26(4), 404-413.
       :doi:`10.1093/biomet/26.4.404`

    Examples
    --------
    >>> without_variance(0.5, 0.0, 1.0, 1, 0.9)
    ConfidenceInterval(low=0.025..., high=0.975)
    """
    share = ((1 - confidence_level) / 2) ** (1 / n_pairs)
    others = 1 - share
    return ConfidenceInterval(
        float(share * value + others * lowest), float(share * value + others * highest)
    )


def delong_test(found, alternative):
    """Test whether the first of two areas is greater than the second.

    Without variance the p-value is the bound to which `without_variance` leads: if the
    mean over pairs were at most 0, all of n independent pairs would have a value of
    delta > 0 with probability at most (1 + delta)^-n. Where delta is 0, too, it is 1.

    Parameters
    ----------
    found : RocAreas
        The areas of two models.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.

    Returns
    -------
    DeLongTest
        Difference, standard error, z and p-value; without variance z is the normal
        quantile of that bound.

    Examples
    --------
    >>> positive = np.arange(12) < 6
    >>> up = np.arange(12)
    >>> test = delong_test(roc_areas(positive, [-up, up]), "greater")
    >>> test.delta, test.standard_error, test.pvalue == 0.5**6
    (1.0, 0.0, True)
    """
    delta = float(found.areas[0] - found.areas[1])
    contrast = np.array([1.0, -1.0])
    variance = max(float(contrast @ found.covariance @ contrast), 0.0)
    error = float(np.sqrt(variance))
    if variance > 0:
        z = delta / error
        return DeLongTest(delta, error, z, _normal_pvalue(z, alternative))
    bound = (1 + abs(delta)) ** -float(found.n_pairs)
    z = float(np.copysign(max(stats.norm.isf(bound), 0.0), delta)) if delta else 0.0
    return DeLongTest(delta, error, z, _bounded_pvalue(delta, bound, alternative))


def _normal_pvalue(z, alternative):
    if alternative == "two-sided":
        return float(min(2 * stats.norm.sf(abs(z)), 1.0))
    return float(stats.norm.sf(z if alternative == "greater" else -z))


def _bounded_pvalue(delta, bound, alternative):
    if alternative == "two-sided":
        return min(2 * bound, 1.0)
    return bound if (delta > 0) == (alternative == "greater") and delta else 1.0


def _normal_quantile(confidence_level):
    return float(stats.norm.ppf((1 + confidence_level) / 2))
