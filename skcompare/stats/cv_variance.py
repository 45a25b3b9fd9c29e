"""How sure a mean of out-of-fold scores of rows is."""

import math
from typing import NamedTuple

import numpy as np

from skcompare.stats.folds import StudentEstimate

CV_VARIANCES = ("all-pairs", "within-fold")


def variances_of_means(scores, fold, *, unit=None, tolerance=0.0):
    """Estimate for each fold how much the mean of its scores varies.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        Scores of rows.
    fold : ndarray of int of shape (n,)
        The fold of each row: 0, 1, ...
    unit : ndarray of int of shape (n,), default=None
        Rows with the same code belong together: only sums over them are independent.
        All are in the same fold. None makes every row a unit.
    tolerance : float or ndarray of shape (n,), default=0
        How far each score may be off by rounding.

    Returns
    -------
    ndarray of shape (n_folds,)
        Variances of means. That of a fold with a single unit is nan.

    Examples
    --------
    >>> variances_of_means(np.array([1.0, 3.0, 5.0, 5.0]), np.array([0, 0, 1, 1]))
    array([1., 0.])
    """
    sizes = np.bincount(fold)
    residuals = scores - (np.bincount(fold, scores) / sizes)[fold]
    residuals[np.abs(residuals) <= tolerance] = 0.0
    unit = np.arange(len(scores)) if unit is None else unit
    fold_of_unit = np.empty(unit.max() + 1, dtype=int)
    fold_of_unit[unit] = fold
    n_units = np.bincount(fold_of_unit)
    squares = np.bincount(fold_of_unit, np.bincount(unit, residuals) ** 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        return n_units / (n_units - 1) * squares / sizes**2


def clt_estimate(scores, *, variance, fold=None, unit=None, tolerance=0.0):
    """Estimate the test error of the models of cross-validation, by Bayle et al.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        Out-of-fold scores of rows, or differences of two models' scores.
    variance : {"all-pairs", "within-fold"}
        Whether deviations are from the mean of all scores or from those of folds.
    fold : ndarray of int of shape (n,), default=None
        The fold of each row: 0, 1, ...; not needed for "all-pairs".
    unit : ndarray of int of shape (n,), default=None
        Rows with the same code belong together. None makes every row a unit.
    tolerance : float or ndarray of shape (n,), default=0
        How far each score may be off by rounding.

    Returns
    -------
    StudentEstimate
        The mean of all scores and its standard error, with infinitely many degrees of
        freedom: the limit is normal.

    References
    ----------
    .. [1] Bayle, P., Bayle, A., Janson, L. and Mackey, L. (2020). Cross-validation
       confidence intervals for test error. NeurIPS 33, 16339-16350.

    Examples
    --------
    >>> scores, fold = np.array([1.0, 3.0, 5.0, 7.0]), np.array([0, 0, 1, 1])
    >>> round(clt_estimate(scores, variance="all-pairs").error, 3)
    1.118
    >>> round(clt_estimate(scores, variance="within-fold", fold=fold).error, 3)
    0.707
    """
    mean, shared = float(np.mean(scores)), {"unit": unit, "tolerance": tolerance}
    if variance == "all-pairs":
        together = np.zeros(len(scores), dtype=int)
        n_units = len(scores) if unit is None else unit.max() + 1
        corrected = variances_of_means(scores, together, **shared)[0]
        squared_error = corrected * (n_units - 1) / n_units
    else:
        shares = np.bincount(fold) / len(scores)
        squared_error = shares**2 @ variances_of_means(scores, fold, **shared)
    return StudentEstimate(mean, math.sqrt(squared_error), math.inf)


class NestedRound(NamedTuple):
    """What one round of nested cross-validation found.

    Attributes
    ----------
    inner : float
        The mean score by inner cross-validation, with two folds left out of training.
    outer : float
        The mean score by cross-validation, with one fold left out.
    mse : float
        The estimated mean squared error of inner cross-validation.
    variance : float
        The variance of `outer` if its rows were independent.
    """

    inner: float
    outer: float
    mse: float
    variance: float


def nested_round(outer, outer_fold, inner, inner_fold, *, unit=None, tolerance=0.0):
    """Compare inner cross-validation with the fold that was left out of it.

    The mean score on a fold that inner cross-validation has not seen differs from its
    estimate for two reasons: the estimate has an error, and so has the mean. Taking the
    variance of the mean from the squared difference leaves that of the estimate.

    Parameters
    ----------
    outer : ndarray of shape (n,)
        Scores of rows by models trained on all folds but the row's own.
    outer_fold : ndarray of int of shape (n,)
        The fold of each row: 0, 1, ...
    inner : ndarray of shape (m,)
        Scores of rows by models trained without the row's own fold and another.
    inner_fold : ndarray of int of shape (m,)
        That other fold.
    unit : ndarray of int of shape (n,), default=None
        Rows with the same code belong together. None makes every row a unit.
    tolerance : float or ndarray of shape (n,), default=0
        How far each outer score may be off by rounding.

    Returns
    -------
    NestedRound
        Means, mean squared error and variance.

    Examples
    --------
    >>> outer, outer_fold = np.array([1.0, 3.0, 5.0, 5.0]), np.array([0, 0, 1, 1])
    >>> inner, inner_fold = np.array([4.0, 4.0, 2.0, 2.0]), np.array([0, 0, 1, 1])
    >>> found = nested_round(outer, outer_fold, inner, inner_fold)
    >>> found.inner, found.outer, found.mse  # ((4 - 1) + (9 - 0)) / 2
    (3.0, 3.5, 6.0)
    """
    shared = {"unit": unit, "tolerance": tolerance}
    means = [
        np.bincount(fold, scores) / np.bincount(fold)
        for scores, fold in ((outer, outer_fold), (inner, inner_fold))
    ]
    own_errors = variances_of_means(outer, outer_fold, **shared)
    together = np.zeros(len(outer), dtype=int)
    return NestedRound(
        inner=float(np.mean(inner)),
        outer=float(np.mean(outer)),
        mse=float(np.mean((means[0] - means[1]) ** 2 - own_errors)),
        variance=float(variances_of_means(outer, together, **shared)[0]),
    )


def nested_estimate(rounds, n_folds, *, bias_correction=True):
    """Estimate a score by nested cross-validation, by Bates, Hastie and Tibshirani.

    Parameters
    ----------
    rounds : list of NestedRound
        What each random split into folds found.
    n_folds : int
        The number of folds, K.
    bias_correction : bool, default=True
        Whether to go on from training sets of K - 2 and K - 1 folds to one of all rows.
        Otherwise the mean is that of cross-validation with K folds.

    Returns
    -------
    estimate : StudentEstimate
        Mean and standard error. The latter is at least that of independent scores and
        at most the root of K times as large.
    inflation : float
        How many times the error of independent scores that is; 1 without any error.

    References
    ----------
    .. [1] Bates, S., Hastie, T. and Tibshirani, R. (2023). Cross-validation: what does
       it estimate and how well does it do it? Journal of the American Statistical
       Association 119(546), 1434-1445. :doi:`10.1080/01621459.2023.2197686`

    Examples
    --------
    >>> rounds = [NestedRound(inner=0.70, outer=0.72, mse=0.0018, variance=0.0004)]
    >>> estimate, inflation = nested_estimate(rounds, 10)
    >>> round(estimate.mean, 3), round(estimate.error, 4), round(inflation, 3)
    (0.736, 0.0402, 2.012)
    """
    inner, outer, mse, variance = np.mean(rounds, axis=0)
    naive = math.sqrt(variance)
    scaled = math.sqrt(max(mse, 0.0) * (n_folds - 1) / n_folds)
    error = min(max(scaled, naive), math.sqrt(n_folds) * naive)
    bias = (1 + (n_folds - 2) / n_folds) * (inner - outer)
    mean = inner - bias if bias_correction else outer
    inflation = error / naive if naive > 0 else 1.0
    return StudentEstimate(float(mean), error, math.inf), inflation
