"""DeLong's test of two areas under ROC curves."""

import numpy as np
from sklearn.utils.multiclass import type_of_target

from skcompare._caveats import Caveat
from skcompare._validation import as_array, check_rows
from skcompare.comparison._base import (
    GivesIntervals,
    as_target,
    hypotheses,
    result_attributes,
)
from skcompare.comparison._needs import INDEPENDENT, Advice, Need
from skcompare.comparison._rows import ClassicalTest
from skcompare.exceptions import DegenerateDataWarning, SmallSampleWarning
from skcompare.stats.delong import (
    delong_interval,
    delong_test,
    fold_roc_areas,
    roc_areas,
    roc_interval,
)

# In simulations the test keeps its level, but for much larger other classes.
FEWEST_ROWS = 10
# Below that Student's t is a rough guess, and a warning says so.
FEWEST_FOR_T = 20


_DEPEND = (
    "The mean of both areas is less than four standard errors away from 1/2. Folds on "
    "which there is little to learn depend on each other, since each trains the models "
    "of the others: the variance is doubled."
)


@result_attributes("standard_error")
class DeLong(GivesIntervals, ClassicalTest):
    """Test whether model A has a greater ROC AUC than model B, without resampling.

    1. The ROC AUC is the share of pairs, one positive and one negative row, that a
       model puts in the right order; a tie is half right. ``delta_`` is the area of A
       less that of B.
    2. Each row is in many pairs. The shares of its own pairs that are right, which
       ranks give in O(n log n), give the variances of both areas and, since the rows
       are the same, their covariance.
    3. ``statistic_`` is ``delta_`` divided by its standard error, and the p-value is
       that of Student's t, with the degrees of freedom of Welch and Satterthwaite.

    Read more in the :ref:`User Guide <two_tests>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`. One may have
        probabilities and the other decision values: only the order counts.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" judges fitted models on the data given to `fit`. Anything else is
        taken as by :func:`~sklearn.model_selection.cross_val_predict` and judges the
        out-of-fold responses of clones, fold by fold, with the same folds for both
        models. Each row may be tested once.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        Whether A is better, B is better, or they differ.
    confidence_level : float, default=0.95
        The nominal coverage of intervals, two-sided whatever the alternative.
    alpha : float, default=0.05
        The level at which `best_estimator_` is chosen and the result worded.
    refit : bool, default=True
        With `cv`, whether the model that wins is fitted on all the data. Without that
        there is no `best_estimator_` to predict with.
    error_score : "raise" or nan, default="raise"
        With `cv`, what becomes of a fit that fails: an error, or with nan a fold whose
        rows are left out for both models, with a `FailedFitWarning`.
    n_jobs : int, default=None
        The number of folds fitted at a time.
    verbose : int, default=0
        Whether to show the progress of fits on standard error, after two seconds.

    Attributes
    ----------
    results_ : dict of ComparisonResult
        The result, by the name of the metric, "roc_auc".
    result_ : ComparisonResult
        The result.
    delta_ : float
        ``score_a_ - score_b_``; positive if A is better.
    score_a_, score_b_ : float
        The areas of the two models.
    statistic_ : float
        ``delta_`` in standard errors.
    pvalue_ : float
        The p-value.
    confidence_interval_ : ConfidenceInterval
        Student's interval for the difference, cut off at -1 and 1.
    score_a_interval_, score_b_interval_ : ConfidenceInterval
        Intervals for the areas, symmetric for their logits, and so within [0, 1].
    standard_error_ : float
        The standard error of `delta_`.
    effect_size_ : dict
        ``"auc_difference"``, and twice that, ``"somers_d_difference"``.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha`, else B; with `cv` fitted on all
        the data. Not with `fit_predictions`.
    fold_, indices_ : ndarray
        With `cv`, the fold and the position in the data of every tested row.
    problem_ : object
        What was compared: names, predictions, metrics, and what is redrawn together.
    predictions_ : tuple of dict
        For each model the responses that were compared, by method.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Those of `best_estimator_`.

    See Also
    --------
    PairedBootstrap : The same question for any metric, and for rows in groups.
    ApproxRandomization : Exchange ranks instead; valid at any sample size if they are
        exchangeable.

    Notes
    -----
    *Null hypothesis*: in the population that the rows come from, A's ROC AUC is no
    greater than B's (two-sided: they are equal). *Assumptions*: rows are independent
    draws from that population; there are enough of both classes for a mean to be about
    normal. Nothing is assumed about the scores, and nothing is exchanged: the models
    may rank rows quite differently, as long as their areas are equal. *Estimand*: the
    difference in area of these fitted models on that population; with `cv`, or with
    `fold` in `fit_predictions`, the mean over folds of the difference within each fold,
    of models trained on the others. The variance is that within folds, combined: folds
    share no row, so that variances add up, and how much rows of a class vary is taken
    as the same in all folds. Where there is hardly anything to learn, folds depend on
    each other all the same, since each trains the models of the others: unless the mean
    of both areas is four standard errors away from 1/2, the variance is doubled, which
    is what it is for linear models without any signal. The :ref:`User Guide
    <validity_rankings>` has rates. Pooled into one ranking, scores of models trained on
    different rows bias the area: without any signal, leave-one-out gave 0.46 and 0.00
    instead of 0.5. So every fold needs both classes, and leave-one-out is refused.

    *Without variance*: where the two models put all pairs in the same order, `delta_`
    is 0 and p = 1, whether they are perfect or not. Where the difference is the same
    for all rows and not 0, say if A is perfect and B ties all rows, the standard error
    is 0 and t would be infinite. But such data are possible without a difference as
    large. The smaller class, of n rows, gives n pairs without a common row; under the
    null hypothesis all of them show the difference with probability at most
    ``(1 + delta_) ** -n``. That is the p-value (twice that if two-sided), and
    `statistic_` is its normal quantile. Intervals without variance follow from the same
    argument, Clopper and Pearson's: a perfect model has an area of at least
    ``((1 - confidence_level) / 2) ** (1 / n)``, 0.93 for n = 50, whatever the
    distribution of the scores. So does the interval of a difference of 0 that does not
    vary: it contains 0 and is not just that. A `DegenerateDataWarning` is given.

    The variance is the sum of one over positive and one over negative rows, and t has
    the degrees of freedom of Welch and Satterthwaite, where DeLong et al. take it as
    normal. In simulations with 10 positive and 200 negative rows the two-sided test at
    0.05 rejected a true null hypothesis 5 times of 100; a normal one would have done so
    8 times.

    *When it misleads*: with few rows in one class Student's distribution is a rough
    guess; below 20 a `SmallSampleWarning` is given. And far in its tail it promises
    more than few rows can tell: all of n independent pairs favor A with probability
    ``0.5 ** n`` even if A and B are alike, so that smaller p-values, with n the size of
    the smaller class, mean little. Models of which one extends the
    other, compared on the rows that both were fitted to, are not what the test is for:
    on those its null distribution is not normal [3]_. With `cv` the test is about these
    models, not about the learning algorithms on other training sets.

    References
    ----------
    .. [1] DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Comparing the
       areas under two or more correlated receiver operating characteristic curves: a
       nonparametric approach. Biometrics 44(3), 837-845. :doi:`10.2307/2531595`
    .. [2] Sun, X. and Xu, W. (2014). Fast implementation of DeLong's algorithm for
       comparing the areas under correlated receiver operating characteristic curves.
       IEEE Signal Processing Letters 21(11), 1389-1393.
       :doi:`10.1109/LSP.2014.2337313`
    .. [3] Demler, O. V., Pencina, M. J. and D'Agostino, R. B. (2012). Misuse of DeLong
       test to compare AUCs for nested models. Statistics in Medicine 31(23),
       2577-2587. :doi:`10.1002/sim.5328`

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare import DeLong
    >>> truth = np.repeat([1, 0], 25)
    >>> noise_a, noise_b = np.random.default_rng(0).normal(size=(2, 50))
    >>> test = DeLong().fit_predictions(truth, 2 * truth + noise_a, truth + noise_b)
    >>> round(test.delta_, 4), round(test.statistic_, 4), round(test.pvalue_, 4)
    (0.0944, 1.1422, 0.1295)
    """

    scoring = "roc_auc"
    aggregate = "auto"  # means over folds, for areas of pooled scores are biased

    _hypotheses = hypotheses(
        "in the population the rows come from, {}'s area is no greater",
        "in the population the rows come from, both areas are the same",
    )

    _advice = Advice(
        needs=(
            INDEPENDENT,
            Need(
                lambda test, facts: facts.kind == "roc auc",
                "DeLong compares the ROC AUC of two classes, not {facts.metric}.",
            ),
            Need(
                lambda test, facts: (
                    facts.kind != "roc auc" or facts.smallest_class >= FEWEST_ROWS
                ),
                f"DeLong's variance needs {FEWEST_ROWS} rows of each class or more, "
                "and the smaller one has {facts.smallest_class}.",
            ),
        ),
        why_not="it gives an interval, but with so few rows of one class its level is "
        "a rough approximation.",
        metrics=("roc_auc",),
    )

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        cv="prefit",
        alternative="greater",
        confidence_level=0.95,
        alpha=0.05,
        refit=True,
        error_score="raise",
        n_jobs=None,
        verbose=0,
    ):
        self.estimator_a = estimator_a
        self.estimator_b = estimator_b
        self.cv = cv
        self.alternative = alternative
        self.confidence_level = confidence_level
        self.alpha = alpha
        self.refit = refit
        self.error_score = error_score
        self.n_jobs = n_jobs
        self.verbose = verbose

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        if tags.classifier_tags is not None:
            tags.classifier_tags.multi_class = False
        return tags

    def make_problem(self, models, X, y, **rows):
        """Ask models about data, as `fit` does, if there are two classes."""
        check_rows("X", X, y=y)
        _check_two_classes(as_array(as_target(y, "DeLong"), "y"))
        return super().make_problem(models, X, y, **rows)

    def make_problem_of_predictions(self, y_true, predictions, **rows):
        """Take predictions as `fit_predictions` does, if there are two classes."""
        _check_two_classes(as_array(y_true, "y_true", 1))
        return super().make_problem_of_predictions(y_true, predictions, **rows)

    def compare(self, problem):
        """Compare the two models of a problem."""
        self._check_rows_are_single(problem)
        self._check_metric_is_own(problem)
        roc = _areas(problem)
        test = delong_test(roc, self.alternative)
        level, variance = self.confidence_level, test.standard_error**2
        of_a, of_b = (
            roc_interval(float(area), float(own), roc.n_pairs, level, df=df)
            for area, own, df in zip(
                roc.areas, np.diag(roc.covariance), roc.df, strict=True
            )
        )
        fields = {
            **problem.facts("roc_auc"),
            "pvalue": test.pvalue,
            "statistic": test.statistic,
            "statistic_name": "t",
            "standard_error": test.standard_error,
            "confidence_interval": delong_interval(
                test.delta, variance, roc.n_pairs, level, df=test.df
            ),
            "score_a_interval": of_a,
            "score_b_interval": of_b,
            "confidence_level": level,
            "effect_size": {
                "auc_difference": test.delta,
                "somers_d_difference": 2 * test.delta,
            },
            "df": test.df if variance > 0 else None,
            "method": "t" if variance > 0 else "bound",
            "caveats": (_DEPEND,) * bool(variance > 0 and roc.inflation > 1),
        }
        # Of equal predictions all is said already.
        caveat = _caveat(test, roc.n_pairs) if problem.differs.any() else None
        return self._outcome(problem, {"roc_auc": fields}, [caveat])


def _areas(problem):
    """Return the areas of two models: where there are folds, means over these.

    The metric gets the scores of the positive class, which is the second label.
    """
    statistic = problem.statistics["roc_auc"].generic
    positive = np.unique(problem.y)[-1]
    if problem.fold is None:
        return roc_areas(statistic.y == positive, statistic.responses)
    folds = statistic.statistics
    fold = np.repeat(np.arange(len(folds)), [one.n_rows for one in folds])
    truth = np.concatenate([one.y for one in folds])
    pairs = zip(*(one.responses for one in folds), strict=True)
    return fold_roc_areas(truth == positive, [*map(np.concatenate, pairs)], fold)


def _check_two_classes(y):
    if y.ndim == 1 and type_of_target(y).startswith("continuous"):
        raise ValueError(
            "Unknown label type: DeLong needs a target with two classes. Got a "
            "continuous one."
        )
    n_outputs = 1 if y.ndim == 1 else y.shape[1]
    if n_outputs > 1:
        raise ValueError(
            f"DeLong needs one target with two classes. Got {n_outputs} targets. Use "
            "PairedBootstrap with scoring='roc_auc'."
        )
    classes, sizes = np.unique(y, return_counts=True)
    if len(classes) > 2:
        raise ValueError(
            "Only binary classification is supported. DeLong needs a target with two "
            f"classes. Got {len(classes)} distinct values. Use PairedBootstrap, say "
            "with scoring='roc_auc_ovr'."
        )
    if len(classes) < 2 or sizes.min() < 2:
        counts = ", ".join(
            f"{size} of class {label!r}"
            for label, size in zip(classes.tolist(), sizes.tolist(), strict=True)
        )
        raise ValueError(
            "DeLong needs at least two rows of each of two classes: the variance of an "
            f"area comes from both. Got {counts}."
        )


def _caveat(test, n_pairs):
    """Say so if the difference of the areas does not vary, or is hardly normal."""
    if test.standard_error == 0 and test.delta == 0:
        return Caveat(
            DegenerateDataWarning,
            "Both models put every positive and negative row in the same order: the "
            "difference in ROC AUC is 0 and the p-value 1.",
        )
    if test.standard_error == 0:
        return Caveat(
            DegenerateDataWarning,
            "The difference in ROC AUC is the same for every row, so that it has no "
            "standard error: the p-value and the interval are bounds from "
            f"{n_pairs} pairs of rows.",
        )
    if n_pairs < FEWEST_FOR_T:
        return Caveat(
            SmallSampleWarning,
            f"One class has {n_pairs} rows only: with fewer than {FEWEST_FOR_T} "
            "the difference in ROC AUC need not be normal, and p-values far below "
            f"{0.5**n_pairs:.2g} mean little. For exchangeable ranks "
            "ApproxRandomization is valid at any size.",
        )
    return None
