"""Estimates from cross-validation, accounting for overlapping training sets."""

import math
from typing import NamedTuple

import numpy as np
from scipy import stats

from skcompare.stats.paired import (
    SignificanceResult,
    StudentEstimate,
)
from skcompare.stats.posterior import (
    CredibleInterval,
    PosteriorSummary,
    decide,
    equally_likely,
    summarize_draws,
)
from skcompare.stats.pvalues import RELATIVE_TOLERANCE, at_least_tiny


def corrected_estimate(differences, ratio):
    """Estimate a mean of fold differences with Nadeau and Bengio's variance.

    Fold scores are correlated because their training sets overlap. If the correlation
    is approximated by the share of test rows, the variance of the mean of k fold
    differences with variance ``s ** 2`` is ``(1 / k + ratio) * s ** 2``.

    Parameters
    ----------
    differences : ndarray of shape (k,)
        Differences of scores, at least two.
    ratio : float
        The number of test rows divided by that of training rows; 0 gives the naive
        t-test.

    Returns
    -------
    StudentEstimate
        The estimate, with ``k - 1`` degrees of freedom. The error is exactly 0 if the
        differences are equal up to rounding. As all folds come from the same rows,
        their signs then count as a single one.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import corrected_estimate
    >>> differences = np.array([0.01, 0.02, 0.00, 0.03, 0.02])
    >>> estimate = corrected_estimate(differences, 1 / 4)
    >>> round(estimate.statistic, 4), round(estimate.pvalue("greater"), 4)
    (2.0919, 0.0523)
    """
    k, mean = len(differences), float(np.mean(differences))
    spread = float(np.std(differences, ddof=1))
    if spread <= RELATIVE_TOLERANCE * np.max(np.abs(differences)):
        return StudentEstimate(mean, 0.0, k - 1, 1)
    return StudentEstimate(mean, math.sqrt(1 / k + ratio) * spread, k - 1, 1)


def conservative_estimate(differences, halves):
    """Estimate a mean of fold differences with Nadeau and Bengio's conservative Z.

    Parameters
    ----------
    differences : ndarray of shape (k,)
        Differences of scores on splits of all rows.
    halves : ndarray of shape (m, 2)
        Mean differences on splits of the first and of the second half of the rows, for
        m random divisions into halves. These splits have the same number of test rows.

    Returns
    -------
    StudentEstimate
        The mean of `differences`. Its variance is half the mean squared difference
        between two halves; the degrees of freedom are infinite.

    Notes
    -----
    *Null hypothesis*: two learning algorithms, trained on this number of rows, have the
    same expected score. The two halves share no rows, so their means are independent.
    The variance is unbiased for a mean on splits of half of the rows, and therefore
    conservative for a mean on splits of all rows. *Degenerate case*: if the two halves
    never differ, the variance is 0 and the p-value is that of two equal signs, those of
    the halves of one division. Other divisions use the same rows.

    References
    ----------
    .. [1] Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning 52(3), 239-281, section 4.2. :doi:`10.1023/A:1024068626366`

    Examples
    --------
    >>> differences = np.array([0.02, 0.03, 0.01, 0.02, 0.02])
    >>> halves = np.array([[0.03, 0.01], [0.00, 0.02], [0.02, 0.03]])
    >>> estimate = conservative_estimate(differences, halves)
    >>> round(estimate.mean, 4), round(estimate.error, 4)
    (0.02, 0.0122)
    >>> round(estimate.pvalue("greater"), 4)
    0.0512
    """
    mean, sizes = float(np.mean(differences)), np.abs(halves)
    apart = halves[:, 0] - halves[:, 1]
    apart[np.abs(apart) <= RELATIVE_TOLERANCE * sizes.max()] = 0.0
    agree = np.all(differences * mean > 0) and np.all(halves * mean > 0)
    error = math.sqrt(np.mean(apart**2) / 2)
    return StudentEstimate(mean, error, math.inf, 2 if agree else 1)


def five_by_two_t(differences):
    """Compute Dietterich's t statistic of 5x2 cross-validation.

    Parameters
    ----------
    differences : ndarray of shape (5, 2)
        Differences of scores, with one row for each repetition of 2-fold
        cross-validation.

    Returns
    -------
    StudentEstimate
        The mean is the first difference; the error is the root of the mean variance
        within repetitions, with 5 degrees of freedom. If the two differences are equal
        in every repetition, the p-value is that of a single sign, since both folds of
        a repetition are trained or tested on the same rows.

    Examples
    --------
    >>> differences = np.array(
    ...     [[0.02, 0.04], [0.01, 0.03], [0.03, 0.03], [0.00, 0.04], [0.02, 0.03]]
    ... )
    >>> estimate = five_by_two_t(differences)
    >>> round(estimate.statistic, 4), round(estimate.pvalue("two-sided"), 4)
    (1.2649, 0.2617)
    """
    error = math.sqrt(np.mean(_halving_variances(differences)))
    first = float(differences[0, 0])
    return StudentEstimate(first, error, len(differences), 1)


def five_by_two_f(differences):
    """Test whether the differences of 5x2 cross-validation are 0, by Alpaydin's F test.

    Parameters
    ----------
    differences : ndarray of shape (5, 2)
        Differences of scores, with one row for each repetition of 2-fold
        cross-validation.

    Returns
    -------
    SignificanceResult
        The statistic is F, with 10 and 5 degrees of freedom. If all differences are 0,
        F = 0 and p = 1. If nonzero differences are equal within every repetition, F is
        infinite but p = 1, since their variance cannot be estimated.

    Examples
    --------
    >>> differences = np.array(
    ...     [[0.02, 0.04], [0.01, 0.03], [0.03, 0.03], [0.00, 0.04], [0.02, 0.03]]
    ... )
    >>> estimate = five_by_two_f(differences)
    >>> round(estimate.statistic, 4), round(estimate.pvalue, 4)
    (3.08, 0.1131)
    """
    if not np.any(differences):
        return SignificanceResult(0.0, 1.0, "F")
    variance = np.mean(_halving_variances(differences))
    if variance == 0:
        return SignificanceResult(math.inf, 1.0, "F")
    f = float(np.mean(differences**2) / variance)
    pvalue = at_least_tiny(stats.f.sf(f, differences.size, len(differences)))
    return SignificanceResult(f, pvalue, "F")


def _halving_variances(differences):
    """Return the variance of the two differences of each repetition."""
    apart = differences[:, 0] - differences[:, 1]
    apart[np.abs(apart) <= RELATIVE_TOLERANCE * np.max(np.abs(differences))] = 0.0
    return apart**2 / 2


def student_posterior(estimate, rope, probability):
    """Summarize the posterior given by Student's t distribution around an estimate.

    Parameters
    ----------
    estimate : StudentEstimate
        Location, scale and degrees of freedom. If the scale is 0, the spread is
        unknown: the interval is infinite and the decision is "?".
    rope : Rope
        The region of practical equivalence.
    probability : float
        The probability of the interval.

    Returns
    -------
    summary : PosteriorSummary
        Probabilities, interval and decision. `posterior_mean` is the location, even for
        one degree of freedom, where the mean is undefined.
    values : ndarray
        Equally likely values; a single one if the scale is 0.
    curve : tuple of ndarray or None
        Grid and density; None if the scale is 0.

    Examples
    --------
    >>> from skcompare.stats.posterior import as_rope
    >>> estimate = StudentEstimate(0.02, 0.01, 9, 10)
    >>> summary, *_ = student_posterior(estimate, as_rope(0.01), 0.95)
    >>> round(summary.p_better, 4), summary.decision
    (0.8283, '?')
    """
    location, scale, df, _ = estimate
    if scale == 0:
        point = np.array([location])
        everything = CredibleInterval(-math.inf, math.inf)
        summary = summarize_draws(point, rope, probability)
        return summary._replace(hdi=everything, decision="?"), point, None
    posterior = stats.t(df, location, scale)
    interval = CredibleInterval(*estimate.interval(probability))  # t is symmetric
    better, worse = posterior.sf(rope.high), posterior.cdf(rope.low)
    summary = PosteriorSummary(
        posterior_mean=location,
        posterior_mode=location,
        hdi=interval,
        p_better=float(better),
        p_equivalent=float(max(0.0, 1 - better - worse)),
        p_worse=float(worse),
        p_direction=float(max(posterior.sf(0), posterior.cdf(0))),
        decision=decide(interval, rope),
    )
    grid = np.linspace(*posterior.ppf([0.001, 0.999]), 512)
    return summary, equally_likely(posterior), (grid, posterior.pdf(grid))


def variances_of_means(scores, fold=None, *, unit=None, tolerance=0.0):
    """Estimate the variance of the mean score of each fold.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        Scores of rows.
    fold : ndarray of int of shape (n,), default=None
        The fold of each row: 0, 1, ... None means a single fold.
    unit : ndarray of int of shape (n,), default=None
        Rows with the same code form a unit, all in the same fold; only sums over units
        are independent. None makes every row a unit.
    tolerance : float or ndarray of shape (n,), default=0
        The largest possible rounding error of each score.

    Returns
    -------
    ndarray of shape (n_folds,)
        The variances of the means; nan for a fold with a single unit.

    Examples
    --------
    >>> variances_of_means(np.array([1.0, 3.0, 5.0, 5.0]), np.array([0, 0, 1, 1]))
    array([1., 0.])
    """
    fold = np.zeros(len(scores), dtype=int) if fold is None else fold
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
    """Estimate the test error of cross-validated models, with the CLT of Bayle et al.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        Out-of-fold scores of rows, or differences of two models' scores.
    variance : {"all-pairs", "within-fold"}
        Whether deviations are from the overall mean or from the fold means.
    fold : ndarray of int of shape (n,), default=None
        The fold of each row: 0, 1, ...; not needed for "all-pairs".
    unit : ndarray of int of shape (n,), default=None
        Rows with the same code form a unit; units are independent. None makes every
        row a unit.
    tolerance : float or ndarray of shape (n,), default=0
        The largest possible rounding error of each score.

    Returns
    -------
    StudentEstimate
        The mean of all scores and its standard error, with infinite degrees of freedom
        as the limit is normal.

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
    n_units = len(scores) if unit is None else int(unit.max()) + 1
    if variance == "all-pairs":
        corrected = variances_of_means(scores, **shared)[0]
        squared_error = corrected * (n_units - 1) / n_units
    else:
        shares = np.bincount(fold) / len(scores)
        squared_error = shares**2 @ variances_of_means(scores, fold, **shared)
    n = n_units if np.all(scores * mean > 0) else 1
    return StudentEstimate(mean, math.sqrt(squared_error), math.inf, n)


class NestedRound(NamedTuple):
    """The results of one round of nested cross-validation.

    Attributes
    ----------
    inner : float
        The mean score of inner cross-validation, with two folds left out of training.
    outer : float
        The mean score of cross-validation, with one fold left out of training.
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
    """Compare inner cross-validation with the scores on the fold left out of it.

    The mean score on the left-out fold differs from the estimate by inner
    cross-validation for two reasons: both have an error. Subtracting the variance of
    the mean from the squared difference gives the squared error of the estimate.

    Parameters
    ----------
    outer : ndarray of shape (n,)
        Scores of rows by models trained without the row's fold.
    outer_fold : ndarray of int of shape (n,)
        The fold of each row: 0, 1, ...
    inner : ndarray of shape (m,)
        Scores of rows by models trained without the row's fold and another fold.
    inner_fold : ndarray of int of shape (m,)
        This other fold.
    unit : ndarray of int of shape (n,), default=None
        Rows with the same code form a unit. None makes every row a unit.
    tolerance : float or ndarray of shape (n,), default=0
        The largest possible rounding error of each outer score.

    Returns
    -------
    NestedRound
        Mean scores, mean squared error and variance.

    Examples
    --------
    >>> outer, outer_fold = np.array([1.0, 3.0, 5.0, 5.0]), np.array([0, 0, 1, 1])
    >>> inner, inner_fold = np.array([4.0, 4.0, 2.0, 2.0]), np.array([0, 0, 1, 1])
    >>> estimate = nested_round(outer, outer_fold, inner, inner_fold)
    >>> estimate.inner, estimate.outer, estimate.mse  # ((4 - 1) + (9 - 0)) / 2
    (3.0, 3.5, 6.0)
    """
    shared = {"unit": unit, "tolerance": tolerance}
    means = [
        np.bincount(fold, scores) / np.bincount(fold)
        for scores, fold in ((outer, outer_fold), (inner, inner_fold))
    ]
    own_errors = variances_of_means(outer, outer_fold, **shared)
    return NestedRound(
        inner=float(np.mean(inner)),
        outer=float(np.mean(outer)),
        mse=float(np.mean((means[0] - means[1]) ** 2 - own_errors)),
        variance=float(variances_of_means(outer, **shared)[0]),
    )


def nested_estimate(rounds, n_folds, *, bias_correction=True):
    """Estimate a score by nested cross-validation, by Bates, Hastie and Tibshirani.

    Parameters
    ----------
    rounds : list of NestedRound
        The results of each random split into folds.
    n_folds : int
        The number of folds, K.
    bias_correction : bool, default=True
        Whether to extrapolate from training sets of K - 2 and K - 1 folds to all rows.
        Otherwise the mean is that of cross-validation with K folds.

    Returns
    -------
    estimate : StudentEstimate
        Mean and standard error. The latter is at least that of independent scores, and
        at most sqrt(K) times as large.
    inflation : float
        The ratio of the standard error to that of independent scores; 1 if both are 0.

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
    return StudentEstimate(float(mean), error, math.inf, 1), inflation
