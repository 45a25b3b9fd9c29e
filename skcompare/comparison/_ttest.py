"""Student's paired t-test of scores of single rows."""

from skcompare.comparison._base import result_attributes
from skcompare.comparison._needs import (
    AVERAGE,
    INDEPENDENT,
    NORMAL_MEAN,
    Advice,
    Need,
)
from skcompare.comparison._rows import RowMeanTest, difference_interval
from skcompare.stats import paired


@result_attributes("confidence_interval", "standard_error")
class PairedTTest(RowMeanTest):
    """Test whether model A scores better than B on average, by Student's t.

    1. Score both models on every single row and subtract.
    2. Divide the mean of the differences by its standard error: `statistic_`.
    3. The p-value is the probability that Student's t with one degree of freedom less
       than there are rows is as large or larger.

    Read more in the :ref:`User Guide <two_tests>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`.
    scoring : str, callable, list, tuple, dict or None, default=None
        The metric, or several, as in scikit-learn: averages of one number per row,
        such as "accuracy", "neg_log_loss" or "neg_mean_squared_error". None takes the
        models' own `score`, which will do for classifiers.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" judges fitted models on the data given to `fit`. Anything else is
        taken as by :func:`~sklearn.model_selection.cross_val_predict` and judges the
        out-of-fold responses of clones, with the same folds for both models. The test
        is over rows, not over folds.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        Whether A is better, B is better, or they differ.
    confidence_level : float, default=0.95
        The nominal coverage of the interval, two-sided whatever the alternative.
    alpha : float, default=0.05
        The level at which `best_estimator_` is chosen and the result worded.
    refit : bool, default=True
        With `cv`, whether the model that wins is fitted on all the data. Without that
        there is no `best_estimator_` to predict with.
    error_score : "raise" or nan, default="raise"
        With `cv`, what becomes of a fit that fails: an error, or with nan a fold whose
        rows are left out for both models, with a `FailedFitWarning`.
    n_jobs : int, default=None
        The number of joblib workers for cross-validation. None means 1 unless in a
        :func:`joblib.parallel_config` context.
    verbose : int, default=0
        Whether to show the progress of fits on standard error, after two seconds.

    Attributes
    ----------
    results_ : dict of ComparisonResult
        The result for each metric, by name.
    result_ : ComparisonResult
        The result, if there is one metric. So are the following.
    delta_ : float
        ``score_a_ - score_b_``; positive if A is better.
    score_a_, score_b_ : float
        The scores of the two models. Higher is better.
    pvalue_ : float
        The p-value.
    statistic_ : float
        Student's t.
    standard_error_ : float
        The standard error of `delta_`.
    confidence_interval_ : ConfidenceInterval
        Student's interval ``(low, high)`` for the difference. It knows nothing of the
        bounds that a score may have.
    effect_size_ : dict
        "cohens_d": the mean of the differences in units of their standard deviation,
        also called d_z. "hedges_g": the same, corrected for its bias on few rows.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha` (with several metrics: in each
        of them), else B; with `cv` fitted on all the data. Not with `fit_predictions`.
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
    PairedBootstrap : Needs no normal distribution; takes any metric.
    McNemar : For right and wrong.
    WilcoxonSignedRank : Less sensitive to a few large differences.

    Notes
    -----
    *Null hypothesis*: in the population that the rows come from, A scores no better
    than B (two-sided: they score the same). *Assumptions*: rows are independent draws
    from that population, and the mean of their differences is about normal: because
    the differences are, or because there are many rows and none dominates.
    Exchangeability of the two models is not assumed; their variances may differ.
    *Estimand*: the difference in score of these fitted models on that population.

    *When it misleads*: on few rows with categorical outcomes, such as right and wrong,
    for which `McNemar` is exact; on losses with heavy tails, such as log loss or
    squared errors, where a few rows make up the variance; on rows that come in groups.
    Nor is it a test over the scores of cross-validation folds, whose training sets
    overlap.

    Models that score the same on every row give t = 0 and p = 1. If A is better or
    worse by the same amount on every row, the variance is 0. Then t is infinite and p a
    bound: that all n signs are the same, ``2 ** -n``, two-sided twice that, and 1 for
    the other alternative. The interval then goes from 0 to infinity on the side of the
    lead if two-sided p is that small, and has no ends otherwise, nor for a difference
    of 0; for right and wrong it is Clopper and Pearson's bound. A
    `DegenerateDataWarning` and the sentence say so, for a t-test has no business there.

    References
    ----------
    .. [1] Student (1908). The probable error of a mean. Biometrika 6(1), 1-25.
       :doi:`10.2307/2331554`
    .. [2] Hedges, L. V. (1981). Distribution theory for Glass's estimator of effect
       size and related estimators. Journal of Educational Statistics 6(2), 107-128.
       :doi:`10.3102/10769986006002107`
    .. [3] Dror, R., Baumer, G., Shlomov, S. and Reichart, R. (2018). The hitchhiker's
       guide to testing statistical significance in natural language processing. ACL.
       :doi:`10.18653/v1/P18-1128`

    Examples
    --------
    >>> from skcompare import PairedTTest
    >>> truth = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    >>> pred_a = [1.1, 2.1, 3.0, 4.2, 5.1, 6.0]
    >>> pred_b = [1.5, 2.4, 3.1, 4.1, 5.9, 6.7]
    >>> test = PairedTTest(scoring="neg_mean_absolute_error")
    >>> round(test.fit_predictions(truth, pred_a, pred_b).statistic_, 3)
    2.607
    >>> round(test.pvalue_, 3)
    0.024
    >>> round(test.effect_size_["cohens_d"], 3)
    1.064
    """

    _is_student = True

    _advice = Advice(
        needs=(
            INDEPENDENT,
            AVERAGE,
            Need(
                lambda test, facts: facts.kind != "right or wrong",
                "A t-test is for numbers, and the outcomes of {facts.metric} are "
                "categorical: a row is right or wrong.",
            ),
            NORMAL_MEAN,
        ),
        why_not="normality is not rejected, but with so few rows it would hardly be, "
        "whatever the truth.",
        display_name="A t-test",
        power_from="sd",
    )

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        scoring=None,
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
        self.scoring = scoring
        self.cv = cv
        self.alternative = alternative
        self.confidence_level = confidence_level
        self.alpha = alpha
        self.refit = refit
        self.error_score = error_score
        self.n_jobs = n_jobs
        self.verbose = verbose

    def examine_rows(self, rows_a, rows_b):
        """Return fields of the result, given the scores of the rows of both models."""
        pairs, level = paired.paired_differences(rows_a, rows_b), self.confidence_level
        interval = paired.paired_t_interval(*pairs, level)
        cohens_d, hedges_g = paired.standardized_mean(*pairs)
        return {
            **paired.paired_t_test(*pairs, alternative=self.alternative)._asdict(),
            "statistic_name": "t",
            "df": len(rows_a) - 1,
            "confidence_interval": difference_interval(interval, level, rows_a, rows_b),
            "confidence_level": level,
            "effect_size": {"cohens_d": cohens_d, "hedges_g": hedges_g},
        }
