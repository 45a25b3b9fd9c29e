"""Corrected resampled t-test on scores of cross-validation folds."""

import numpy as np

from skcompare._caveats import Caveat
from skcompare._parameters import FOLDS, OneOf
from skcompare.comparison._folds import FoldTest, corrected_differences
from skcompare.comparison._needs import MODELS_OR_SCORES, Advice, Need
from skcompare.comparison._winner import result_attributes
from skcompare.exceptions import DependentFoldsWarning
from skcompare.stats.folds import corrected_estimate

# The rates are from doc/simulations/cross_validation.py, for two learning algorithms.
NAIVE = Caveat(
    DependentFoldsWarning,
    "variance='naive' takes scores of folds as independent, which they are not. In "
    "simulations without any difference this test rejected in 6 and 14 % of data sets "
    "at the level 0.05 (two-sided) with 10 folds, and in 55 and 65 % with 10 times 10.",
)


@result_attributes("standard_error", "confidence_interval")
class CorrectedTTest(FoldTest):
    """Test whether A scores better than B over folds, by the corrected t-test.

    1. Fit and score both models on the same splits and subtract: one difference per
       fold.
    2. Estimate the variance of their mean. Training sets overlap, so the differences
       are correlated: their variance is multiplied by ``1 / k + n_test / n_train``
       instead of ``1 / k``.
    3. Divide ``delta_`` by the resulting standard error and compute the p-value from
       Student's t distribution with ``k - 1`` degrees of freedom.

    Read more in the :ref:`User Guide <only_cross_validation>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline; they are cloned. Not needed for `fit_scores`.
        With A alone, the result is an interval for its score instead of a test.
    scoring : str, callable, list, tuple, dict or None, default=None
        One or several metrics of any kind, as in scikit-learn. None uses the models'
        own `score`.
    cv : int, splitter or iterable, default=10
        The splits, as in :func:`~sklearn.model_selection.cross_validate`. Repeated
        splitters, such as ``RepeatedStratifiedKFold`` or ``ShuffleSplit``, are allowed.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        The alternative hypothesis: A is better, B is better, or they differ.
    confidence_level : float, default=0.95
        Nominal coverage of the interval, which is two-sided for every `alternative`.
    variance : {"nadeau-bengio", "naive"}, default="nadeau-bengio"
        "naive" treats fold scores as independent; this test rejects far too often and
        issues a warning.
    alpha : float, default=0.05
        Significance level for selecting `best_estimator_` and wording the result.
    refit : bool, default=True
        Whether to refit the winning model on all the data. If False, there is no
        `best_estimator_` to predict with.
    error_score : nan or "raise", default=nan
        How to handle failed fits and scores: nan excludes the fold for both models and
        issues a `FailedFitWarning`; "raise" raises the error.
    n_jobs : int, default=None
        Number of folds fitted in parallel. None means 1 unless in a
        :func:`joblib.parallel_config` context.
    verbose : int, default=0
        If nonzero, show the progress of fits on standard error after two seconds.

    Attributes
    ----------
    results_ : dict of ComparisonResult or ScoreResult
        The result for each metric, by name, for two models or A alone.
    result_ : ComparisonResult or ScoreResult
        The result, if there is only one metric; the attributes below are its fields.
        For A alone, these are `score_a_`, `standard_error_` and `confidence_interval_`,
        which refer to its score.
    delta_ : float
        Mean over folds of the score of A minus that of B.
    score_a_, score_b_ : float
        Mean scores of the two models. Higher is better.
    pvalue_ : float
        The p-value.
    statistic_ : float
        Student's t.
    standard_error_ : float
        Corrected standard error of `delta_`.
    confidence_interval_ : ConfidenceInterval
        Student's t confidence interval ``(low, high)`` for the difference.
    fold_scores_ : dict of ndarray of shape (n_folds, 2)
        Scores of A and B on each fold, by metric; nan where a fit failed.
    splits_ : list of tuple of ndarray
        Training and test rows of each fold, if known; can be passed as `cv`.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha` (with several metrics: in each of
        them), else B; refitted on all the data. Not set by `fit_scores`.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Attributes of `best_estimator_`.

    See Also
    --------
    FiveByTwoCV : Five twofold cross-validations, for models that are cheap to fit.
    BayesianCorrelatedTTest : The same variance, with probabilities instead of p-values.
    PairedTTest : Over rows, for models as fitted.

    Notes
    -----
    *Null hypothesis*: over draws of training and test sets of these sizes, A's learning
    algorithm scores no better than B's on average (two-sided: the same). *Assumptions*:
    fold differences have a common mean, variance and correlation, which is the fraction
    of test rows, ``n_test / (n_train + n_test)``. This correlation is a rule of thumb,
    since cross-validation cannot estimate the true one [3]_. It suits learning
    algorithms that depend little on the particular training rows. For others it can be
    too small, and the test then rejects too often, though far less often than the naive
    one: the user guide reports rates. *Estimand*: the difference in expected score of
    the two learning algorithms on training sets of this size, not of the two models
    that would be fitted on all rows.

    With unequal splits, the mean of their ratios is used. Repeats improve the estimate
    of the fold variance, but the term ``n_test / n_train`` does not shrink: repeated
    splitting cannot replace additional data.

    Models that score the same on every fold give t = 0 and p = 1. If A is better by the
    same amount on every fold, the variance is unknown. Folds share their rows, so all
    signs count as one: p is 1/2, or 1 if two-sided (and 1 for the opposite
    alternative), and the interval is infinite. A `DegenerateDataWarning` is issued and
    repeated in the sentence of the result.

    *When it misleads*: in time series, whose folds are also correlated otherwise;
    with grouped rows, unless `cv` keeps groups together. Choices based on these same
    folds, such as tuning, belong inside the model, as in ``GridSearchCV``.

    *One model*: without `estimator_b`, or `scores_b`, the score, standard error and
    interval are computed for A by the same formulas and refer to the expected score of
    its learning algorithm. There is no p-value, and `best_estimator_` is A. The
    interval is clipped to the range of the metric, if known, with a
    `SmallSampleWarning`; if the scores do not vary, it is the whole range.

    References
    ----------
    .. [1] Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning 52, 239-281. :doi:`10.1023/A:1024068626366`
    .. [2] Bouckaert, R. R. and Frank, E. (2004). Evaluating the replicability of
       significance tests for comparing learning algorithms. PAKDD, LNCS 3056, 3-12.
       :doi:`10.1007/978-3-540-24775-3_3`
    .. [3] Bengio, Y. and Grandvalet, Y. (2004). No unbiased estimator of the variance
       of K-fold cross-validation. JMLR 5, 1089-1105.

    Examples
    --------
    Precomputed scores of ten folds:

    >>> from skcompare import CorrectedTTest
    >>> scores_a = [0.90, 0.88, 0.93, 0.91, 0.87, 0.92, 0.90, 0.89, 0.94, 0.91]
    >>> scores_b = [0.88, 0.87, 0.90, 0.91, 0.86, 0.89, 0.90, 0.86, 0.92, 0.88]
    >>> test = CorrectedTTest().fit_scores(scores_a, scores_b, test_train_ratio=1 / 9)
    >>> round(test.delta_, 3), round(test.statistic_, 3), round(test.pvalue_, 4)
    (0.018, 3.187, 0.0055)

    Models to be fitted:

    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> a = make_pipeline(StandardScaler(), LogisticRegression())
    >>> test = CorrectedTTest(a, GaussianNB(), scoring="roc_auc")
    >>> test = test.fit(*load_breast_cancer(return_X_y=True))
    >>> round(test.delta_, 4)
    0.0077

    An interval for the score of one model:

    >>> test = CorrectedTTest(a).fit(*load_breast_cancer(return_X_y=True))
    >>> low, high = test.confidence_interval_
    >>> print(f"{test.score_a_:.3f} [{low:.3f}, {high:.3f}]")
    0.981 [0.965, 0.997]
    """

    takes_one_model = True

    _advice = Advice(
        needs=(
            MODELS_OR_SCORES,
            Need(
                lambda test, facts: test.variance != "naive",
                "variance='naive' takes scores of folds as independent, which they "
                "are not: it rejects far too often. Use variance='nadeau-bengio'.",
            ),
        )
    )

    _rules = {"cv": FOLDS, "variance": OneOf("nadeau-bengio", "naive")}

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        scoring=None,
        cv=10,
        alternative="greater",
        confidence_level=0.95,
        variance="nadeau-bengio",
        alpha=0.05,
        refit=True,
        error_score=np.nan,
        n_jobs=None,
        verbose=0,
    ):
        self.estimator_a = estimator_a
        self.estimator_b = estimator_b
        self.scoring = scoring
        self.cv = cv
        self.alternative = alternative
        self.confidence_level = confidence_level
        self.variance = variance
        self.alpha = alpha
        self.refit = refit
        self.error_score = error_score
        self.n_jobs = n_jobs
        self.verbose = verbose

    def compare(self, problem):
        """Compare the two models of a problem."""
        naive = self.variance == "naive"
        estimates = {
            metric: corrected_estimate(problem.differences(metric), 0.0)
            if naive
            else corrected_differences(problem, metric)
            for metric in problem.scores
        }
        early = [NAIVE] if naive else []
        return self._estimate_outcome(
            problem, estimates, method=self.variance, early=early
        )
