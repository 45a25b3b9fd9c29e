"""The Bayesian correlated t-test on scores of cross-validation folds."""

import numpy as np

from skcompare._caveats import Caveat
from skcompare._parameters import FOLDS
from skcompare.comparison._folds import FoldComparison, corrected_differences
from skcompare.comparison._needs import MODELS_OR_SCORES, Advice
from skcompare.comparison._posteriors import GivesPosterior
from skcompare.exceptions import DegenerateDataWarning
from skcompare.results import PosteriorResult
from skcompare.stats.folds import student_posterior
from skcompare.stats.posterior import rope_within

_NO_VARIANCE = "differences do not vary from fold to fold"


class BayesianCorrelatedTTest(GivesPosterior, FoldComparison):
    """Estimate the probability that A is better than B from scores on folds.

    1. Fit and score both models on the same splits and subtract: one difference per
       fold.
    2. Assume that the differences are normal, with a flat prior, and that the
       correlation of any two of them is the fraction of test rows. The posterior of
       their mean is then Student's t centered at `delta_`, with ``k - 1`` degrees of
       freedom and the standard error of `CorrectedTTest` as its scale.
    3. Compute its probabilities above, inside and below the region of practical
       equivalence.

    Read more in the :ref:`User Guide <only_cross_validation>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline; they are cloned. Not needed for `fit_scores`.
    scoring : str, callable, list, tuple, dict or None, default=None
        One or several metrics of any kind, as in scikit-learn. None uses the models'
        own `score`.
    cv : int, splitter or iterable, default=10
        The splits, as in :func:`~sklearn.model_selection.cross_validate`. Repeated
        splitters, such as ``RepeatedStratifiedKFold``, are allowed.
    rope : float or pair of float, default=0.01
        The region of practical equivalence: differences too small to matter, from
        ``-rope`` to ``rope`` or between the two numbers of a pair. It is in units of
        the score; the default suits accuracy and similar metrics.
    credible_level : float, default=0.95
        Probability mass of the highest-density interval.
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
    results_ : dict of PosteriorResult
        The result for each metric, by name.
    result_ : PosteriorResult
        The result, if there is only one metric; the attributes below are its fields.
    p_better_, p_equivalent_, p_worse_ : float
        Probabilities of a difference above, inside and below `rope`. They sum to 1.
    p_direction_ : float
        The larger of the probabilities that the difference is above and below 0.
    hdi_ : CredibleInterval
        Highest-density interval ``(low, high)`` of the difference.
    decision_ : {">>", "<<", "~", "?"}
        A is better, B is better, practically equivalent, undecided: `hdi_` is entirely
        above, below or inside the region, or none of these.
    delta_ : float
        Mean over folds of the score of A minus that of B.
    score_a_, score_b_ : float
        Mean scores of the two models. Higher is better.
    posterior_mean_, posterior_mode_ : float
        Mean and mode of the posterior, both equal to `delta_`.
    fold_scores_ : dict of ndarray of shape (n_folds, 2)
        Scores of A and B on each fold, by metric; nan where a fit failed.
    splits_ : list of tuple of ndarray
        Training and test rows of each fold, if known; can be passed as `cv`.
    best_estimator_ : estimator
        A if the decision is ">>" (with several metrics: in each of them), else B;
        refitted on all the data. Not set by `fit_scores`.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Attributes of `best_estimator_`.

    See Also
    --------
    CorrectedTTest : The frequentist counterpart, with a p-value.

    Notes
    -----
    *Model*: fold differences are normal with a common mean, variance and correlation,
    which is fixed at ``n_test / (n_train + n_test)``; the prior of mean and variance is
    flat and improper. There is no null hypothesis. *Estimand*: the difference in
    expected score of the two learning algorithms on training sets of this size. With
    that prior, the posterior mirrors `CorrectedTTest`: the probability that the
    difference is negative equals its p-value for "greater", and the highest-density
    interval equals its confidence interval. The addition is the region of practical
    equivalence, which makes it possible to conclude that models hardly differ. The
    limitations of the assumed correlation apply here too.

    Models that score the same on every fold, or differ by the same amount on each,
    leave no variance. The posterior is then a single point, with all probability on
    one side or inside the region, and a `DegenerateDataWarning` is issued. That
    probability is meaningless: `hdi_` is infinite and `decision_` is "?".

    References
    ----------
    .. [1] Corani, G. and Benavoli, A. (2015). A Bayesian approach for comparing
       cross-validated algorithms on multiple data sets. Machine Learning 100, 285-304.
       :doi:`10.1007/s10994-015-5486-z`
    .. [2] Benavoli, A., Corani, G., Demsar, J. and Zaffalon, M. (2017). Time for a
       change: a tutorial for comparing multiple classifiers through Bayesian analysis.
       JMLR 18(77), 1-36.

    Examples
    --------
    >>> from skcompare import BayesianCorrelatedTTest
    >>> scores_a = [0.90, 0.88, 0.93, 0.91, 0.87, 0.92, 0.90, 0.89, 0.94, 0.91]
    >>> scores_b = [0.88, 0.87, 0.90, 0.91, 0.86, 0.89, 0.90, 0.86, 0.92, 0.88]
    >>> test = BayesianCorrelatedTTest(rope=0.01)
    >>> test = test.fit_scores(scores_a, scores_b, test_train_ratio=1 / 9)
    >>> round(test.p_better_, 3), round(test.p_equivalent_, 3), round(test.p_worse_, 3)
    (0.905, 0.095, 0.0)
    >>> test.decision_
    '?'
    """

    _result = PosteriorResult

    _advice = Advice(needs=(MODELS_OR_SCORES,))

    _rules = {"cv": FOLDS}

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        scoring=None,
        cv=10,
        rope=0.01,
        credible_level=0.95,
        refit=True,
        error_score=np.nan,
        n_jobs=None,
        verbose=0,
    ):
        self.estimator_a = estimator_a
        self.estimator_b = estimator_b
        self.scoring = scoring
        self.cv = cv
        self.rope = rope
        self.credible_level = credible_level
        self.refit = refit
        self.error_score = error_score
        self.n_jobs = n_jobs
        self.verbose = verbose

    def compare(self, problem):
        """Compare the two models of a problem."""
        probability = float(self.credible_level)
        fields, caveats = {}, {}
        for metric in problem.scores:
            rope = rope_within(self.rope, metric, problem.pairs(metric))
            estimate = corrected_differences(problem, metric)
            summary, values, curve = student_posterior(estimate, rope, probability)
            fields[metric] = {
                **summary._asdict(),
                "posterior": values,
                "curve": curve,
                "rope": rope,
                "credible_level": probability,
                "method": "Student's t",
                "model": "fold differences are normal, correlated by the fraction of "
                "test rows, with a flat prior",
            }
            if estimate.error == 0:
                fields[metric]["cautions"] = (_NO_VARIANCE,)
            if estimate.error == 0 and estimate.mean != 0:
                caveats[metric] = Caveat(
                    DegenerateDataWarning,
                    f"Differences in {metric} do not vary from fold to fold, so their "
                    "variance is unknown. The posterior is a single point, its "
                    "probabilities are meaningless, and the decision is '?'.",
                    metric=metric,
                )
        return self._outcome(problem, fields, caveats)
