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
    """Find how probable it is that A scores better than B, from scores of folds.

    1. Fit and score both models on the same splits and subtract: a difference for each
       fold.
    2. Take the differences as normal, with a flat prior, and any two of them as
       correlated by the share of test rows. The posterior of their mean is then
       Student's t around `delta_`, with ``k - 1`` degrees of freedom and the standard
       error of `CorrectedTTest` as its scale.
    3. Compute how much of it lies above, inside and below the region of practical
       equivalence.

    Read more in the :ref:`User Guide <only_cross_validation>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline; they are cloned. Not needed for `fit_scores`.
    scoring : str, callable, list, tuple, dict or None, default=None
        The metric, or several, as in scikit-learn; any at all. None takes the models'
        own `score`.
    cv : int, splitter or iterable, default=10
        How to split, as in :func:`~sklearn.model_selection.cross_validate`. Repeated
        splitters, such as ``RepeatedStratifiedKFold``, are fine.
    rope : float or pair of float, default=0.01
        The region of practical equivalence: differences that are too small to matter,
        from ``-rope`` to ``rope`` or from the one to the other of the pair. It is in
        units of the score, so that the default suits accuracy and the like.
    credible_level : float, default=0.95
        The probability of the highest-density interval.
    refit : bool, default=True
        Whether the model that wins is fitted on all the data. Without that there is no
        `best_estimator_` to predict with.
    error_score : nan or "raise", default=nan
        With nan a fold on which a fit or a score fails is left out for both models,
        and a warning says so; "raise" raises the error.
    n_jobs : int, default=None
        The number of folds fitted at a time. None means 1 unless in a
        :func:`joblib.parallel_config` context.
    verbose : int, default=0
        Whether to show the progress of fits on standard error, after two seconds.

    Attributes
    ----------
    results_ : dict of PosteriorResult
        The result for each metric, by name.
    result_ : PosteriorResult
        The result, if there is one metric. So are the following.
    p_better_, p_equivalent_, p_worse_ : float
        The probabilities that the difference is above, inside and below the region of
        practical equivalence. They sum to 1.
    p_direction_ : float
        The larger of the probabilities that the difference is above and below 0.
    hdi_ : CredibleInterval
        The highest-density interval ``(low, high)`` of the difference.
    decision_ : {">>", "<<", "~", "?"}
        A is better, B is better, they are practically equivalent, undecided: by where
        `hdi_` lies, wholly above, below or inside the region, or none of these.
    delta_ : float
        The mean over folds of the score of A less that of B.
    score_a_, score_b_ : float
        The mean scores of the two models. Higher is better.
    posterior_mean_, posterior_mode_ : float
        The center of the posterior, which is `delta_`.
    fold_scores_ : dict of ndarray of shape (n_folds, 2)
        The scores of A and B on each fold, by metric; nan where a fit failed.
    splits_ : list of tuple of ndarray
        Training and test rows of each fold, if known. Good as `cv` elsewhere.
    best_estimator_ : estimator
        A if the decision is ">>" (with several metrics: in each of them), else B;
        fitted on all the data. Not with `fit_scores`.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Those of `best_estimator_`.

    See Also
    --------
    CorrectedTTest : The same numbers with a p-value.

    Notes
    -----
    *Model*: differences of folds are normal with one mean, one variance and one
    correlation, which is taken as known, ``n_test / (n_train + n_test)``; the prior of
    mean and variance is flat and improper. There is no null hypothesis. *Estimand*:
    the difference in expected score of the two learning procedures on training sets of
    this size. With that prior the posterior is the mirror image of `CorrectedTTest`:
    the probability that the difference is negative is its p-value for "greater", and
    the highest-density interval its confidence interval. What is new is the region
    of practical equivalence: it can be found probable that models hardly differ. What
    is wrong with the correlation is wrong here too.

    Models that score the same on every fold, or differ by the same amount on each,
    leave no variance. The posterior is then a single point, with all probability on
    one side or inside the region, and a `DegenerateDataWarning` says so. That
    probability means nothing: `hdi_` is infinite and `decision_` "?".

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
        fields, odd = {}, {}
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
                "model": "differences of folds are normal, correlated by the share of "
                "test rows, with a flat prior",
            }
            if estimate.error == 0:
                fields[metric]["cautions"] = (_NO_VARIANCE,)
            if estimate.error == 0 and estimate.mean != 0:
                odd[metric] = Caveat(
                    DegenerateDataWarning,
                    f"Differences in {metric} do not vary from fold to fold: nothing "
                    "is known of their variance. The posterior is a single point, its "
                    "probabilities mean nothing, and nothing is decided.",
                    metric=metric,
                )
        return self._outcome(problem, fields, odd)
