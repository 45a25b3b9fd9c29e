"""Student's paired t-test of per-row scores."""

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
    """Test whether model A scores better than B on average, by Student's t-test.

    1. Score both models on every row and subtract the scores.
    2. Divide the mean of the differences by its standard error: `statistic_`.
    3. The p-value is the probability that a Student's t variable with ``n - 1`` degrees
       of freedom, for n rows, is at least as large.

    Read more in the :ref:`User Guide <two_tests>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`.
    scoring : str, callable, list, tuple, dict or None, default=None
        One or several metrics, as in scikit-learn, that are averages of one value per
        row, such as "accuracy", "neg_log_loss" or "neg_mean_squared_error". None uses
        the models' own `score`, which is suitable for classifiers.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" evaluates fitted models on the data passed to `fit`. Other values are
        interpreted as in :func:`~sklearn.model_selection.cross_val_predict`: clones are
        evaluated on their out-of-fold responses, with the same folds for both models.
        The test is over rows, not over folds.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        The alternative hypothesis: A is better, B is better, or they differ.
    confidence_level : float, default=0.95
        Nominal coverage of the interval, which is two-sided for every `alternative`.
    alpha : float, default=0.05
        Significance level for selecting `best_estimator_` and wording the result.
    refit : bool, default=True
        With `cv`, whether to refit the winning model on all the data. If False, there
        is no `best_estimator_` to predict with.
    error_score : "raise" or nan, default="raise"
        How to handle failed fits with `cv`: "raise" raises the error; nan excludes the
        rows of that fold for both models and issues a `FailedFitWarning`.
    n_jobs : int, default=None
        Number of joblib workers for cross-validation. None means 1 unless in a
        :func:`joblib.parallel_config` context.
    verbose : int, default=0
        If nonzero, show the progress of fits on standard error after two seconds.

    Attributes
    ----------
    results_ : dict of ComparisonResult
        The result for each metric, by name.
    result_ : ComparisonResult
        The result, if there is only one metric; the attributes below are its fields.
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
        Student's interval ``(low, high)`` for the difference. It ignores the range of
        the score.
    effect_size_ : dict
        "cohens_d": the mean of the differences in units of their standard deviation,
        also called d_z. "hedges_g": the same, corrected for small-sample bias.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha` (with several metrics: in each of
        them), else B; with `cv`, refitted on all the data. Not set by
        `fit_predictions`.
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
    PairedBootstrap : Needs no normal distribution; supports any metric.
    McNemar : For predictions that are right or wrong.
    WilcoxonSignedRank : Less sensitive to a few large differences.

    Notes
    -----
    *Null hypothesis*: in the population that the rows come from, A scores no better
    than B (two-sided: they score the same). *Assumptions*: rows are independent draws
    from that population, and the mean of their differences is approximately normal:
    either because the differences are, or because there are many rows and none of them
    dominates. Exchangeability of the two models is not assumed; their variances may
    differ. *Estimand*: the difference in score of these fitted models on that
    population.

    *When it misleads*: on few rows with categorical outcomes, such as right and wrong,
    for which `McNemar` is exact; on losses with heavy tails, such as log loss or
    squared errors, if a few rows account for most of the variance; on rows that come in
    groups. It is also not suitable for the scores of cross-validation folds, whose
    training sets overlap.

    Models that score the same on every row have t = 0 and p = 1. If A is better or
    worse by the same amount on every row, the variance is 0. Then t is infinite, and p
    is a bound, the probability ``2 ** -n`` that all n signs are equal (two-sided: twice
    that), or 1 for the opposite alternative. The interval extends from 0 to infinity on
    the side of the leading model if the two-sided p-value is at most
    ``1 - confidence_level``; otherwise, and for a difference of 0, it is unbounded. For
    right and wrong predictions it is the Clopper-Pearson bound. A
    `DegenerateDataWarning` is issued and the sentence of the result contains a caution,
    because a t-test is not suitable for such data.

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
        why_not="normality is not rejected, but with so few rows a normality test has "
        "little power.",
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
        """Return fields of the result from the per-row scores of both models."""
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
