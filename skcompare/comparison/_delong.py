"""DeLong's test of two areas under ROC curves."""

import numpy as np
from sklearn.utils.multiclass import type_of_target

from skcompare._caveats import Caveat
from skcompare._format import format_count
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

# In simulations the test controls the type I error with at least 10 rows in each
# class, unless the other class is much larger.
FEWEST_ROWS = 10
# With fewer rows Student's t is a rough approximation, and a warning is issued.
FEWEST_FOR_T = 20


_DEPEND = (
    "The mean of both areas is less than four standard errors away from 1/2. With a "
    "weak signal, folds are correlated through shared training rows: the variance is "
    "doubled."
)


@result_attributes("standard_error")
class DeLong(GivesIntervals, ClassicalTest):
    """Test whether model A has a greater ROC AUC than model B, without resampling.

    1. The ROC AUC is the fraction of pairs of one positive and one negative row that a
       model ranks correctly; a tie counts as half. ``delta_`` is the area of A minus
       that of B.
    2. Each row belongs to many pairs. The fraction of its pairs that are ranked
       correctly, computed from ranks in O(n log n), gives the variances of both areas
       and, since the rows are the same, their covariance.
    3. ``statistic_`` is ``delta_`` divided by its standard error. The p-value is that
       of Student's t, with the degrees of freedom of Welch and Satterthwaite.

    Read more in the :ref:`User Guide <two_tests>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`. One may
        return probabilities and the other decision values: only the order counts.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" evaluates fitted models on the data passed to `fit`. Other values are
        interpreted as in :func:`~sklearn.model_selection.cross_val_predict`: clones are
        evaluated on their out-of-fold responses, fold by fold, with the same folds for
        both models. Each row may be tested at most once.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        The alternative hypothesis: A is better, B is better, or they differ.
    confidence_level : float, default=0.95
        Nominal coverage of the intervals, which are two-sided for every `alternative`.
    alpha : float, default=0.05
        Significance level for selecting `best_estimator_` and wording the result.
    refit : bool, default=True
        With `cv`, whether to refit the winning model on all the data. If False, there
        is no `best_estimator_` to predict with.
    error_score : "raise" or nan, default="raise"
        How to handle failed fits with `cv`: "raise" raises the error; nan excludes the
        rows of that fold for both models and issues a `FailedFitWarning`.
    n_jobs : int, default=None
        Number of folds fitted in parallel.
    verbose : int, default=0
        If nonzero, show the progress of fits on standard error after two seconds.

    Attributes
    ----------
    results_ : dict of ComparisonResult
        The result, by the name of the metric, "roc_auc".
    result_ : ComparisonResult
        The result.
    delta_ : float
        ``score_a_ - score_b_``; positive if A is better.
    score_a_, score_b_ : float
        ROC AUCs of the two models.
    statistic_ : float
        ``delta_`` divided by its standard error.
    pvalue_ : float
        The p-value.
    confidence_interval_ : ConfidenceInterval
        Student's t interval for the difference, clipped at -1 and 1.
    score_a_interval_, score_b_interval_ : ConfidenceInterval
        Intervals for the areas, symmetric on the logit scale and thus within [0, 1].
    standard_error_ : float
        The standard error of `delta_`.
    effect_size_ : dict
        ``"auc_difference"``, and twice that value, ``"somers_d_difference"``.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha`, else B; with `cv`, refitted on
        all the data. Not set by `fit_predictions`.
    fold_, indices_ : ndarray
        With `cv`, the fold of each tested row and its position in the data.
    problem_ : object
        The comparison problem: names, predictions, metrics and units resampled
        together.
    predictions_ : tuple of dict
        The compared responses of each model, by response method.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Attributes of `best_estimator_`.

    See Also
    --------
    PairedBootstrap : The same question for any metric, also for grouped rows.
    ApproxRandomization : Exchanges ranks; valid at any sample size if they are
        exchangeable.

    Notes
    -----
    *Null hypothesis*: in the population that the rows come from, A's ROC AUC is no
    greater than B's (two-sided: they are equal). *Assumptions*: rows are independent
    draws from that population; there are enough rows of both classes for a mean to be
    approximately normal. Nothing is assumed about the scores, and nothing is exchanged:
    the models may rank rows quite differently, as long as their areas are equal.
    *Estimand*: the difference in area of these fitted models on that population; with
    `cv`, or with `fold` in `fit_predictions`, the mean over folds of the difference
    within each fold, of models trained on the others. The variance combines those
    within folds: folds share no row, so their variances add up, and the variance of the
    rows of a class is assumed to be the same in all folds. If there is hardly anything
    to learn, folds nevertheless depend on each other, since each is used to train the
    models of the others: unless the mean of both areas is four standard errors away
    from 1/2, the variance is doubled, which matches linear models without any signal.
    The :ref:`User Guide <validity_rankings>` reports rates. If the scores of models
    trained on different rows are pooled into one ranking, the area is biased: without
    any signal, leave-one-out gave 0.46 and 0.00 instead of 0.5. Every fold therefore
    needs both classes, and leave-one-out is rejected.

    *Without variance*: if both models put all pairs in the same order, `delta_` is 0
    and p = 1, whether they are perfect or not. If the difference is the same for all
    rows and not 0, for example if A is perfect and B ties all rows, the standard error
    is 0 and t would be infinite. However, such data are possible even if the true
    difference is smaller. The smaller class, of n rows, gives n pairs without a common
    row; under the null hypothesis all of them show the difference with probability at
    most ``(1 + delta_) ** -n``. This is the p-value (twice that if two-sided), and
    `statistic_` is its normal quantile. Intervals without variance follow from the same
    argument, like those of Clopper and Pearson: a perfect model has an area of at least
    ``((1 - confidence_level) / 2) ** (1 / n)``, 0.93 for n = 50, for any distribution
    of the scores. The same holds for the interval of a constant difference of 0: it
    contains 0 but is not a single point. A `DegenerateDataWarning` is issued.

    The variance is the sum of two estimates, one from the positive and one from the
    negative rows. Therefore t has the degrees of freedom of Welch and Satterthwaite,
    whereas DeLong et al. use a normal distribution. In simulations with 10 positive and
    200 negative rows, the two-sided test at 0.05 rejected a true null hypothesis in 5 %
    of cases; the normal test would have rejected in 8 %.

    *When it misleads*: with few rows in one class, Student's distribution is a rough
    approximation; fewer than 20 give a `SmallSampleWarning`. Far in its tail it gives
    p-values that few rows cannot support: all of n independent pairs favor A with
    probability ``0.5 ** n`` even if A and B are equally good, so smaller p-values, with
    n the size of the smaller class, mean little. The test is not designed for nested
    models that are compared on the rows they were fitted to: its null distribution is
    then not normal [3]_. With `cv`, the test concerns these models, not the learning
    algorithms on other training sets.

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
    aggregate = "auto"  # means over folds, since areas of pooled scores are biased

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
        why_not="it gives an interval, but with so few rows of one class its p-value "
        "is a rough approximation.",
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
        """Evaluate models on data as `fit` does, after checking for two classes."""
        check_rows("X", X, y=y)
        y = as_target(y, "DeLong")
        _check_two_classes(as_array(y, "y"))
        return super().make_problem(models, X, y, **rows)

    def make_problem_of_predictions(self, y_true, predictions, **rows):
        """Use predictions as `fit_predictions` does, after checking for two classes."""
        _check_two_classes(as_array(y_true, "y_true", 1))
        return super().make_problem_of_predictions(y_true, predictions, **rows)

    def compare(self, problem):
        """Compare the two models of a problem."""
        self._check_rows_are_single(problem)
        self._check_metric_is_own(problem)
        roc = _areas(problem)
        test = delong_test(roc, self.alternative)
        level, variance = self.confidence_level, test.standard_error**2
        interval_a, interval_b = (
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
            "score_a_interval": interval_a,
            "score_b_interval": interval_b,
            "confidence_level": level,
            "effect_size": {
                "auc_difference": test.delta,
                "somers_d_difference": 2 * test.delta,
            },
            "df": test.df if variance > 0 else None,
            "method": "t" if variance > 0 else "bound",
            "caveats": (_DEPEND,) * bool(variance > 0 and roc.inflation > 1),
        }
        # Equal predictions have a caveat already.
        caveat = _caveat(test, roc.n_pairs) if problem.differs.any() else None
        return self._outcome(problem, {"roc_auc": fields}, [caveat])


def _areas(problem):
    """Return the areas of two models, averaged over folds if there are any.

    The metric receives the scores of the positive class, which is the second label.
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
            "PairedBootstrap with `scoring='roc_auc'`."
        )
    classes, sizes = np.unique(y, return_counts=True)
    if len(classes) > 2:
        raise ValueError(
            "Only binary classification is supported. DeLong needs a target with two "
            f"classes. Got {len(classes)} distinct values. Use PairedBootstrap, for "
            "example with `scoring='roc_auc_ovr'`."
        )
    if len(classes) < 2 or sizes.min() < 2:
        counts = ", ".join(
            f"{size} of class {label!r}"
            for label, size in zip(classes.tolist(), sizes.tolist(), strict=True)
        )
        raise ValueError(
            "DeLong needs at least two rows of each of two classes to estimate the "
            f"variance of an area. Got {counts}."
        )


def _caveat(test, n_pairs):
    """Return a caveat if the difference does not vary or is hardly normal, or None."""
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
            f"{format_count(n_pairs, 'pairs')} of rows.",
        )
    if n_pairs < FEWEST_FOR_T:
        count = format_count(n_pairs, "rows")
        return Caveat(
            SmallSampleWarning,
            f"One class has only {count}: with fewer than "
            f"{FEWEST_FOR_T} the difference in ROC AUC need not be normal, and "
            f"p-values far below {0.5**n_pairs:.2g} mean little. For exchangeable "
            "ranks ApproxRandomization is valid at any size.",
            brief=f"only {count} of a class" if n_pairs < FEWEST_ROWS else "",
        )
    return None
