"""The sign test of per-row scores."""

import numpy as np

from skcompare.comparison._base import result_attributes
from skcompare.comparison._needs import (
    AVERAGE,
    INDEPENDENT,
    SYMMETRIC,
    Advice,
    pvalue_of_signs,
)
from skcompare.comparison._rows import RowMeanTest
from skcompare.stats.location import sign_median_interval
from skcompare.stats.paired import discordance_sizes, paired_differences, sign_test


@result_attributes("location", "location_interval")
class SignTest(RowMeanTest):
    """Test whether model A scores better than B on more rows than it scores worse.

    1. Score both models on every row, and drop the rows on which they score the same.
    2. If A is better as often as it is worse, each remaining row favors either model
       with probability 1/2.
    3. The p-value is the binomial probability that at least the observed number of rows
       favor A.

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
    alternative : {"greater", "less", "two-sided"}, default="greater"
        The alternative hypothesis: A is better, B is better, or they differ.
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
        ``score_a_ - score_b_``; positive if A is better on average.
    score_a_, score_b_ : float
        The scores of the two models. Higher is better.
    pvalue_ : float
        The p-value.
    statistic_ : float
        The number of rows on which A scores better.
    location_ : float
        The median of the row differences other than 0, which is the parameter that is
        tested; 0 if all differences are 0.
    location_interval_ : ConfidenceInterval
        The interval for `location_` of level ``1 - alpha``, by order statistics: it
        excludes 0 exactly when the two-sided p-value is at most `alpha`. Infinite if
        there are too few rows, or if all differences are 0.
    effect_size_ : dict
        "superiority": the proportion of rows on which A is better, with ties counted as
        one half. "odds_ratio": the number of rows on which A is better divided by the
        number on which B is better; inf if only the latter is 0, nan if both are.
        "cohens_g": the proportion of rows without ties on which A is better, minus 1/2;
        0 if all rows are ties.
    best_estimator_ : estimator
        A if both this test and a t-test of the mean difference reject in its favor at
        `alpha` (with several metrics: in each of them), else B; with `cv`, refitted on
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
    McNemar : The same for right and wrong predictions, with an interval.
    WilcoxonSignedRank : Accounts for the size of differences by their ranks.
    PairedTTest : Tests the mean of the differences.

    Notes
    -----
    *Null hypothesis*: on new rows, A scores better than B no more often than worse
    (two-sided: equally often). *Assumption*: rows are independent; no more is assumed.
    Given that they differ, the two scores of a row are *exchangeable* with respect to
    the sign of their difference. *Estimand*: the median of the row differences other
    than 0, which is `location_`. `delta_` is the mean of all row differences, for which
    the test gives no interval.

    *When it misleads*: a model that is slightly better on most rows and much worse on
    a few is favored by this test but has the lower mean, as with errors of equal mean
    square but heavier tails. Therefore the verdict does not call a model better: it is
    about the median of row differences, and adds the result of a t-test of the mean
    (`mean_pvalue` of the result). The sign test alone does not select
    `best_estimator_`. If `location_` and `delta_` have opposite signs, a caveat is
    added, with a `ComparisonWarning` if the test rejects. Since sizes are ignored,
    power is low.

    Scores that differ only by rounding (a relative 1e-12) are ties, and ties are
    dropped. If all rows are ties, the p-value is 1.

    References
    ----------
    .. [1] Dixon, W. J. and Mood, A. M. (1946). The statistical sign test. Journal of
       the American Statistical Association 41(236), 557-566.
       :doi:`10.1080/01621459.1946.10501898`
    .. [2] Dror, R., Baumer, G., Shlomov, S. and Reichart, R. (2018). The hitchhiker's
       guide to testing statistical significance in natural language processing. ACL.
       :doi:`10.18653/v1/P18-1128`

    Examples
    --------
    >>> from skcompare import SignTest
    >>> truth = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    >>> pred_a = [1.1, 2.1, 3.0, 4.2, 5.1, 6.0]
    >>> pred_b = [1.5, 2.4, 3.1, 4.1, 5.9, 6.7]
    >>> test = SignTest(scoring="neg_mean_absolute_error")
    >>> test.fit_predictions(truth, pred_a, pred_b).statistic_
    5.0
    >>> test.pvalue_
    0.109375
    """

    _hypotheses = {
        "greater": "on new rows, A scores better than B no more often than worse: the "
        "median of row differences other than 0 is at most 0",
        "less": "on new rows, B scores better than A no more often than worse: the "
        "median of row differences other than 0 is at least 0",
        "two-sided": "on new rows, A scores better than B as often as worse: the "
        "median of row differences other than 0 is 0",
    }
    _center = "median"
    _estimand = (
        "the median of row differences in score, on new rows like these on which "
        "they are not 0, between {}"
    )

    _advice = Advice(
        needs=(INDEPENDENT, AVERAGE, SYMMETRIC),
        why_not=lambda chosen, facts: (
            "the same as McNemar's exact test."
            if facts.kind == "right or wrong"
            else "it counts the rows on which A is better and ignores by how much: it "
            "has less power, and is about the median."
        ),
        smallest_pvalue=pvalue_of_signs,
        about_mean=False,
    )

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        scoring=None,
        cv="prefit",
        alternative="greater",
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
        self.alpha = alpha
        self.refit = refit
        self.error_score = error_score
        self.n_jobs = n_jobs
        self.verbose = verbose

    def examine_rows(self, rows_a, rows_b):
        """Return fields of the result from the per-row scores of both models."""
        differences, _ = paired_differences(rows_a, rows_b)
        n_better = int(np.count_nonzero(differences > 0))
        n_worse = int(np.count_nonzero(differences < 0))
        odds_ratio, cohens_g = discordance_sizes(n_better, n_worse)
        n_rows, differing = len(differences), differences[differences != 0]
        level = 1 - float(self.alpha)
        # If no row differs, use a single 0, whose interval is infinite.
        median = sign_median_interval(differing if len(differing) else [0.0], level)
        return {
            **sign_test(n_better, n_worse, alternative=self.alternative)._asdict(),
            "statistic_name": "rows on which A scores higher",
            "effect_size": {
                "superiority": 0.5 + (n_better - n_worse) / (2 * n_rows),
                "odds_ratio": odds_ratio,
                "cohens_g": cohens_g,
            },
            "location": median.estimate,
            "location_name": "median of row differences"
            + (" other than 0" if 0 < len(differing) < n_rows else ""),
            "location_interval": median.interval,
            "confidence_level": level,
            "direction": int(np.sign(n_better - n_worse)),
        }
