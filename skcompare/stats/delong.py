"""Areas under ROC curves and their covariance (DeLong et al., 1988).

The *placement* of a positive is the share of negatives with a lower score; that of a
negative is the share of positives with a higher score. Ties count one half. The area is
the mean of either. Placements are stored as integers, in half pairs, so that equality
is exact and a variance that should be 0 is 0.
"""

from typing import NamedTuple

import numpy as np
from scipy import special, stats

from skcompare.stats.intervals import ConfidenceInterval, constant_interval
from skcompare.stats.pvalues import EXTREMES, tail_pvalue

# Folds count as independent if areas are at least this many standard errors from 1/2.
CLEAR_ERRORS = 4.0


class RocAreas(NamedTuple):
    """Placements of several models on the same rows, with areas and covariance.

    Attributes
    ----------
    of_positives : ndarray of int of shape (n_models, n_positive)
        For each positive, the number of correctly ordered half pairs with negatives.
    of_negatives : ndarray of int of shape (n_models, n_negative)
        For each negative, the number of correctly ordered half pairs with positives.
    """

    of_positives: np.ndarray
    of_negatives: np.ndarray

    inflation = 1.0  # rows are independent

    @property
    def areas(self):
        """The areas under the ROC curves, one per model."""
        return self.of_positives.sum(axis=1) / self._n_halves

    @property
    def covariance(self):
        """The estimated covariance matrix of the areas."""
        parts = [_summed_products(half) for half in self]
        return (parts[0] + parts[1]) / self._n_halves**2

    @property
    def df(self):
        """The degrees of freedom of each variance, by Welch and Satterthwaite.

        A variance is the sum of two parts, for n positives and m negatives, with n - 1
        and m - 1 degrees of freedom. Infinite if the variance is 0.
        """
        parts = np.array([np.diag(_summed_products(half)) for half in self])
        return _satterthwaite(parts, np.array([half.shape[1] - 1 for half in self]))

    @property
    def n_pairs(self):
        """The number of disjoint pairs of a positive and a negative row."""
        return min(half.shape[1] for half in self)

    @property
    def _n_halves(self):
        return 2.0 * self.of_positives.shape[1] * self.of_negatives.shape[1]

    def difference(self):
        """Return the first area minus the second, as a `RocAreas` with one row."""
        return RocAreas(*(half[:1] - half[1:2] for half in self))


class FoldRocAreas(NamedTuple):
    """Mean areas over folds, where rows are ranked within each fold.

    The scores of models trained on different folds are on different scales; ranking
    them together would bias the area. As folds share no rows, the variances of their
    areas are added; the variance of placements is assumed to be equal in all folds.

    However, the areas of folds are correlated: a pattern that makes one fold easy for
    models trained on the others makes the others easy for models trained on that one.
    If there is nothing to learn, such chance patterns are all that a model learns. For
    a linear model, each chance agreement of two folds then counts twice, and the
    variance is twice the sum, for any number of folds.

    Attributes
    ----------
    folds : tuple of RocAreas
        The areas of the same models on each fold.
    inflation : float, default=1.0
        The factor by which the sum of the variances is multiplied.
    """

    folds: tuple
    inflation: float = 1.0

    @property
    def areas(self):
        """The mean areas, one per model."""
        return np.mean([fold.areas for fold in self.folds], axis=0)

    @property
    def covariance(self):
        """The estimated covariance matrix of the mean areas."""
        return self.inflation * sum(part for part, _ in self._parts())

    @property
    def df(self):
        """The degrees of freedom of each variance, which has two parts."""
        parts, dfs = zip(*self._parts(), strict=True)
        return _satterthwaite(np.array([np.diag(p) for p in parts]), np.array(dfs))

    def _parts(self):
        """Yield the covariance due to positives and to negatives, each with its df.

        Placements are assumed to have the same variance around the mean of their fold.
        """
        for side in (0, 1):
            products, df, shares = 0.0, 0, 0.0
            for fold in self.folds:
                placements = fold[side] / (2.0 * fold[1 - side].shape[1])
                centered = placements - placements.mean(axis=1, keepdims=True)
                # Detect constant values by the integers: the mean of shares is rounded.
                centered[np.ptp(fold[side], axis=1) == 0] = 0.0
                products = products + centered @ centered.T
                df, shares = df + centered.shape[1] - 1, shares + 1 / centered.shape[1]
            yield products / df * shares / len(self.folds) ** 2, df

    @property
    def n_pairs(self):
        """The number of disjoint pairs of a positive and a negative row."""
        return sum(fold.n_pairs for fold in self.folds)

    def difference(self):
        """Return the first area minus the second, as areas with one row."""
        folds = tuple(fold.difference() for fold in self.folds)
        return FoldRocAreas(folds, self.inflation)


def _satterthwaite(parts, dfs):
    """Return the degrees of freedom of sums of variances, infinite where they are 0."""
    squares = (parts**2 / dfs[:, np.newaxis]).sum(axis=0)
    total, vary = parts.sum(axis=0) ** 2, squares > 0
    return np.where(vary, total / np.where(vary, squares, 1.0), np.inf)


class DeLongTest(NamedTuple):
    """The difference of two areas and the result of its test.

    Attributes
    ----------
    delta, standard_error : float
        The difference and its standard error.
    statistic, pvalue : float
        Student's t and its p-value.
    df : float
        The degrees of freedom.
    """

    delta: float
    standard_error: float
    statistic: float
    pvalue: float
    df: float


def roc_areas(positive, scores):
    """Return areas under ROC curves and their covariance, in O(n log n) per model.

    Parameters
    ----------
    positive : ndarray of bool of shape (n_rows,)
        Which rows are positive. At least two must be positive and two negative.
    scores : sequence of array-like of shape (n_rows,)
        The scores of each model, on any scale.

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
    >>> import numpy as np
    >>> from skcompare.stats import roc_areas
    >>> positive = np.array([True, True, True, False, False])
    >>> roc = roc_areas(positive, [[3, 2, 0, 1, 0], [5, 5, 5, 5, 5]])
    >>> roc.areas.round(4).tolist()
    [0.75, 0.5]
    >>> roc.covariance.round(4).tolist()
    [[0.0694, 0.0], [0.0, 0.0]]
    """
    positive = np.asarray(positive, dtype=bool)
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    if min(n_positive, n_negative) < 2:
        raise ValueError(
            "The variance of a ROC AUC needs at least two positive and two negative "
            f"rows. Got {n_positive} positive and {n_negative} negative."
        )
    return _areas(positive, [np.asarray(one) for one in scores])


def fold_roc_areas(positive, scores, fold):
    """Return means over folds of areas under ROC curves, and their covariance.

    Parameters
    ----------
    positive : ndarray of bool of shape (n_rows,)
        Which rows are positive. Every fold must have positive and negative rows; at
        least one fold must have two positive rows, and one two negative rows.
    scores : sequence of array-like of shape (n_rows,)
        The scores of each model.
    fold : ndarray of shape (n_rows,)
        The fold of each row.

    Returns
    -------
    FoldRocAreas
        The mean areas, with equal weights for folds, and their covariance: the sum over
        folds, or twice this sum if the mean of all areas is less than four standard
        errors from 1/2, as the areas of folds are correlated if models learn almost
        nothing.

    Examples
    --------
    >>> import numpy as np
    >>> positive = np.array([1, 1, 0, 0, 1, 1, 0, 0], dtype=bool)
    >>> scores = [4, 3, 2, 1, -4, -1, -2, -3]
    >>> fold = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> fold_roc_areas(positive, [scores], fold).areas.tolist()
    [0.75]
    """
    parts = [fold == one for one in np.unique(fold)]
    sizes = np.array(
        [(positive[rows].sum(), (~positive[rows]).sum()) for rows in parts]
    )
    if sizes.min() < 1 or sizes.max(axis=0).min() < 2:
        raise ValueError(
            "The variance of a ROC AUC within folds needs positive and negative rows "
            "in every fold, at least two positive rows in some fold, and at least two "
            "negative rows in some fold. Got folds with "
            f"{sizes[:, 0].min()} to {sizes[:, 0].max()} positive and "
            f"{sizes[:, 1].min()} to {sizes[:, 1].max()} negative rows. Use a "
            "stratified splitter, or fewer folds."
        )
    scores = [np.asarray(one) for one in scores]
    areas = (_areas(positive[rows], [one[rows] for one in scores]) for rows in parts)
    roc = FoldRocAreas(tuple(areas))
    # Double the variance unless the mean area of all models is far from 1/2. For models
    # that are equally good, this mean contains almost no information about their
    # difference, so checking it first does not inflate the level of the test.
    threshold = CLEAR_ERRORS * float(np.sqrt(roc.covariance.mean()))
    clear = abs(float(roc.areas.mean()) - 0.5) >= threshold
    return roc._replace(inflation=1.0 if clear else 2.0)


def _areas(positive, scores):
    halves = [_half_pairs(positive, one) for one in scores]
    return RocAreas(*(np.array(half) for half in zip(*halves, strict=True)))


def _half_pairs(positive, scores):
    """Return the correctly ordered half pairs of every positive and every negative.

    The rank of a positive among all rows, minus its rank among positives, is the number
    of negatives below it (Sun and Xu, 2014).
    """
    ranks = _double_ranks(scores)
    of_positives = ranks[positive] - _double_ranks(scores[positive])
    below = ranks[~positive] - _double_ranks(scores[~positive])
    return of_positives, 2 * int(positive.sum()) - below


def _double_ranks(scores):
    """Return twice the midranks, which are integers."""
    return np.rint(2 * stats.rankdata(scores)).astype(np.int64)


def _summed_products(halves):
    """Return n / (n - 1) times the summed products of deviations from the mean.

    The result is exactly 0 for values that do not vary.
    """
    n = halves.shape[1]
    deviations = halves - halves.mean(axis=1, keepdims=True)
    return deviations @ deviations.T * (n / (n - 1))


def roc_interval(area, variance, n_pairs, confidence_level, *, df=np.inf):
    """Return a confidence interval for one area, within [0, 1].

    The interval is symmetric on the logit scale. If the variance is 0, all pairs are
    alike (correctly ordered, tied, or incorrectly ordered), and the limits are those of
    `constant_interval`.

    Parameters
    ----------
    area : float
        The area under the ROC curve.
    variance : float
        The variance of the area.
    n_pairs : int
        The number of disjoint pairs, which is the size of the smaller class.
    confidence_level : float
        The nominal coverage.
    df : float, default=inf
        The degrees of freedom of the variance, such as those of `RocAreas.df`.

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
        return constant_interval(area, 0.0, 1.0, n_pairs, confidence_level)
    center = special.logit(area)
    quantile = stats.t.ppf((1 + confidence_level) / 2, df)
    width = quantile * np.sqrt(variance) / area / (1 - area)
    low, high = special.expit([center - width, center + width]).tolist()
    return ConfidenceInterval(low, high)


def delong_interval(delta, variance, n_pairs, confidence_level, *, df=np.inf):
    """Return a confidence interval for the difference of two areas, within [-1, 1].

    Parameters
    ----------
    delta : float
        The difference.
    variance : float
        The variance of the difference; if 0, the limits are those of
        `constant_interval`.
    n_pairs : int
        The number of disjoint pairs, which is the size of the smaller class.
    confidence_level : float
        The nominal coverage.
    df : float, default=inf
        The degrees of freedom of the variance, such as those of `DeLongTest.df`.

    Returns
    -------
    ConfidenceInterval
        Student's t interval, clipped to [-1, 1].

    Examples
    --------
    >>> low, high = delong_interval(0.1, 0.0016, 50, 0.95)
    >>> round(low, 4), round(high, 4)
    (0.0216, 0.1784)
    >>> delong_interval(0.9, 0.04, 5, 0.95).high
    1.0
    """
    if variance <= 0:
        return constant_interval(delta, -1.0, 1.0, n_pairs, confidence_level)
    width = float(stats.t.ppf((1 + confidence_level) / 2, df) * np.sqrt(variance))
    return ConfidenceInterval(max(delta - width, -1.0), min(delta + width, 1.0))


def delong_test(roc, alternative):
    """Test whether the first of two areas is greater than the second.

    If the variance is 0, the p-value is the bound that corresponds to
    `constant_interval`: if the mean over pairs were at most 0, the probability that all
    of n independent pairs have the value delta > 0 would be at most (1 + delta)^-n. If
    delta is 0, too, the p-value is 1.

    Parameters
    ----------
    roc : RocAreas or FoldRocAreas
        The areas of two models.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.

    Returns
    -------
    DeLongTest
        Difference, standard error, t and p-value. If the variance is 0, the statistic
        is the normal quantile of the bound.

    Notes
    -----
    *Null hypothesis*: the areas are equal in the population from which the rows of both
    classes are drawn. *Estimand*: their difference. *Ties* of scores count one half.
    The variance is the sum of two estimates, one from n positives with n - 1 degrees of
    freedom, and one from m negatives with m - 1. Student's t with the degrees of
    freedom of Welch [1]_ and Satterthwaite takes this into account. DeLong et al. use
    the normal distribution, whose intervals have low coverage if one class is rare
    (0.918 instead of 0.95 with ten positives).

    References
    ----------
    .. [1] Welch, B. L. (1947). The generalization of Student's problem when several
       different population variances are involved. Biometrika 34(1/2), 28-35.
       :doi:`10.1093/biomet/34.1-2.28`

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import delong_test, roc_areas
    >>> positive = np.arange(12) < 6
    >>> up = np.arange(12)
    >>> test = delong_test(roc_areas(positive, [-up, up]), "greater")
    >>> test.delta, test.standard_error, round(test.pvalue * 2**6, 9)
    (1.0, 0.0, 1.0)
    """
    difference = roc.difference()
    delta = float(difference.areas[0])
    error = float(np.sqrt(difference.covariance[0, 0]))
    if error > 0:
        t, df = delta / error, float(difference.df[0])
        pvalue = tail_pvalue(t, alternative, stats.t.sf, df)
        return DeLongTest(delta, error, t, pvalue, df)
    log_bound = -roc.n_pairs * float(np.log1p(abs(delta)))
    z = float(np.sign(delta) * max(-special.ndtri_exp(log_bound), 0.0))
    bound = float(np.exp(log_bound))
    sides = 2 if alternative == "two-sided" else 1
    pvalue = min(sides * bound, 1.0) if EXTREMES[alternative](delta) > 0 else 1.0
    return DeLongTest(delta, error, z, pvalue, np.inf)
