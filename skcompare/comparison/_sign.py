"""The sign test of scores of single rows."""

import numpy as np

from skcompare.comparison._base import result_attributes
from skcompare.comparison._needs import AVERAGE, INDEPENDENT, SYMMETRIC, Advice
from skcompare.comparison._rows import RowMeanTest
from skcompare.stats.location import sign_median_interval
from skcompare.stats.paired import discordance_sizes, paired_differences, sign_test


@result_attributes("location", "location_interval")
class SignTest(RowMeanTest):
    """Test whether model A scores better than B on more rows than it scores worse.

    1. Score both models on every single row, and drop the rows on which they score
       the same.
    2. If A is better as often as it is worse, each of the others falls to either model
       with probability 1/2.
    3. The p-value is the binomial probability that so many of them, or more, fall to A.

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
        out-of-fold responses of clones, with the same folds for both models.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        Whether A is better, B is better, or they differ.
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
        ``score_a_ - score_b_``; positive if A is better on average.
    score_a_, score_b_ : float
        The scores of the two models. Higher is better.
    pvalue_ : float
        The p-value.
    statistic_ : float
        The number of rows on which A scores better.
    location_ : float
        The median of the row differences other than 0, which is what the test speaks
        of; 0 if all are.
    location_interval_ : ConfidenceInterval
        Its interval of level ``1 - alpha``, by order statistics: it excludes 0 exactly
        when the two-sided p-value is at most `alpha`. Infinite for too few rows,
        or if none differs.
    effect_size_ : dict
        "superiority": the share of rows on which A is better, ties counting half.
        "odds_ratio": rows on which A is better for each on which B is; inf if there
        are none of these, nan if there are none of both. "cohens_g": the share of rows
        without ties on which A is better, less 1/2; 0 if all are ties.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha` and so does a t-test of the
        score, which is the mean (with several metrics: in each of them), else B; with
        `cv` fitted on all the data. Not with `fit_predictions`.
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
    McNemar : The same for right and wrong, with an interval.
    WilcoxonSignedRank : Takes the size of differences into account by their ranks.
    PairedTTest : Tests the mean of the differences.

    Notes
    -----
    *Null hypothesis*: on new rows, A scores better than B as often as worse, or less
    often (two-sided: as often). *Assumption*: rows are independent, nothing else.
    Given that they differ, the two scores of a row are *exchangeable* as far as the
    sign of their difference goes. *Estimand*: the median of row differences, of rows on
    which the models do not score the same, which is `location_`; `delta_` is the mean
    of all, for which no interval follows.

    *When it misleads*: a model that is slightly better on most rows and much worse on
    a few wins here and loses in the mean, as with errors of equal mean square but
    heavier tails. No sentence calls a model better: the verdict is about the median of
    row differences, and adds what a t-test shows of the mean (`mean_pvalue` of the
    result). Signs alone choose no `best_estimator_`. Where `location_` and `delta_` are
    of opposite signs, the caveats say so, with a `ComparisonWarning` if the test
    rejects. Since sizes are ignored, power is low.

    Scores that differ by rounding alone (a relative 1e-12) are ties, and ties are
    dropped. If all are ties the p-value is 1.

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
        "the median of row differences in score, on new rows like those given on which "
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
        counts=True,
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
        """Return fields of the result, given the scores of the rows of both models."""
        differences, _ = paired_differences(rows_a, rows_b)
        n_better = int(np.count_nonzero(differences > 0))
        n_worse = int(np.count_nonzero(differences < 0))
        odds_ratio, cohens_g = discordance_sizes(n_better, n_worse)
        n_rows, differing = len(differences), differences[differences != 0]
        level = 1 - float(self.alpha)
        # Where no row differs nothing is known of those that do: as of a single 0.
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
