"""Conservative Z test of Nadeau and Bengio, with a variance from halves of the data."""

import dataclasses

import numpy as np
from sklearn.model_selection import (
    GroupShuffleSplit,
    ShuffleSplit,
    StratifiedShuffleSplit,
)

from skcompare._parameters import MOST, Integer
from skcompare._validation import as_array
from skcompare.comparison._folds import RandomSplits, is_stratified
from skcompare.comparison._needs import MODELS_OR_SCORES, Advice
from skcompare.comparison._winner import result_attributes
from skcompare.exceptions import ParameterError
from skcompare.stats.folds import conservative_estimate


@result_attributes("standard_error", "confidence_interval")
class ConservativeZ(RandomSplits):
    """Test whether A scores better than B over splits, with a conservative variance.

    1. Split the rows into training and test rows at random, `n_splits` times. Fit and
       score both models, and subtract: ``delta_`` is the mean difference.
    2. Split the rows into random halves, `n_repeats` times. Repeat step 1 within each
       half, with the same number of test rows and thus fewer training rows. The means
       of two halves are independent, since they share no row.
    3. Half the mean square of their differences estimates the variance of such a mean
       on half of the rows, which exceeds that of a mean on all rows. ``statistic_`` is
       ``delta_`` divided by its square root; the p-value uses the normal distribution.

    Read more in the :ref:`User Guide <only_cross_validation>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline; they are cloned. Not needed for `fit_scores`.
        With A alone, the result is an interval for its score instead of a test.
    scoring : str, callable, list, tuple, dict or None, default=None
        One or several metrics of any kind, as in scikit-learn. None uses the models'
        own `score`.
    n_splits : int, default=15
        Number of splits of all rows, and of each half.
    n_repeats : int, default=10
        Number of random halvings. Each model is fitted
        ``n_splits * (1 + 2 * n_repeats)`` times, at least two thirds of them on less
        than half of the rows.
    test_size : float, default=0.1
        Fraction of all rows tested in each split, also within halves; less than 0.5.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        The alternative hypothesis: A is better, B is better, or they differ.
    confidence_level : float, default=0.95
        Nominal coverage of the interval, which is two-sided for every `alternative`.
    alpha : float, default=0.05
        Significance level for selecting `best_estimator_` and wording the result.
    refit : bool, default=True
        Whether to refit the winning model on all the data. If False, there is no
        `best_estimator_` to predict with.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random splits and halves.
    n_jobs : int, default=None
        Number of splits fitted in parallel. None means 1 unless in a
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
        Mean over splits of all rows of the score of A minus that of B.
    score_a_, score_b_ : float
        Mean scores of the two models on these splits. Higher is better.
    pvalue_ : float
        The p-value.
    statistic_ : float
        The Z statistic.
    standard_error_ : float
        Square root of the variance from halves: an upward biased estimate of that of
        `delta_`.
    confidence_interval_ : ConfidenceInterval
        Normal confidence interval ``(low, high)`` for the difference.
    fold_scores_ : dict of ndarray of shape (n_splits * (1 + 2 * n_repeats), 2)
        Scores of A and B on each split, by metric: first the splits of all rows, then
        those of the two halves of each halving.
    splits_ : list of tuple of ndarray
        Training and test rows of each of these splits, if known.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha` (with several metrics: in each of
        them), else B; refitted on all the data. Not set by `fit_scores`.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Attributes of `best_estimator_`.

    See Also
    --------
    CorrectedTTest : Far fewer fits; rejects too often for learning algorithms that
        depend strongly on their training rows.
    FiveByTwoCV : Ten fits of each model, on half of the rows.

    Notes
    -----
    *Null hypothesis*: over draws of training and test sets of these sizes, A's learning
    algorithm scores no better than B's on average (two-sided: the same). It concerns
    learning algorithms, not the models fitted on these rows. *Assumptions*: rows, or
    the groups if `groups` is passed, are independent draws; means over splits are
    approximately normal. Nothing is assumed about the correlation of scores between
    splits: two halves share no row, so their means are independent for any learning
    algorithm. *Estimand*: the difference in expected score of the two learning
    algorithms, trained on a fraction ``1 - test_size`` of this number of rows.

    The variance is that of a mean on half of the rows, with less than half of the
    training rows. It is too large, by a factor of about two where scores improve
    slowly, so the power is that of half of the rows: the price of controlling the
    level. In simulations its type I error did not exceed the level where that of other
    tests did: the user guide has a table of all tests for learning algorithms.
    Different halvings share rows, and more than ten repeats add little.

    Splits are stratified for classifiers, as in cross-validation; with `groups`, groups
    are split and halved. All scores are required: a failed fit raises its error.

    Models that score the same on all splits give Z = 0 and p = 1. If differences never
    vary and are not 0, the p-value is that of two equal signs, since two halves share
    no row: 1/4, or 1/2 if two-sided. The interval is then infinite, and a
    `DegenerateDataWarning` is issued and repeated in the sentence of the result.

    *One model*: without `estimator_b`, or `scores_b`, the score, standard error and
    interval are computed for A by the same formulas and refer to the expected score of
    its learning algorithm. There is no p-value, and `best_estimator_` is A. The
    interval is clipped to the range of the metric, if known, with a
    `SmallSampleWarning`; if the scores do not vary, it is the whole range.

    References
    ----------
    .. [1] Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning 52(3), 239-281. :doi:`10.1023/A:1024068626366`

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from skcompare import ConservativeZ
    >>> a = make_pipeline(StandardScaler(), LogisticRegression())
    >>> test = ConservativeZ(a, GaussianNB(), n_splits=5, n_repeats=3, random_state=0)
    >>> test = test.fit(*load_breast_cancer(return_X_y=True))
    >>> test.delta_ > 0, len(test.splits_)
    (True, 35)
    """

    takes_one_model = True

    _advice = Advice(needs=(MODELS_OR_SCORES,))

    _rules = {"n_repeats": Integer(2, MOST)}

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        scoring=None,
        n_splits=15,
        n_repeats=10,
        test_size=0.1,
        alternative="greater",
        confidence_level=0.95,
        alpha=0.05,
        refit=True,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.estimator_a = estimator_a
        self.estimator_b = estimator_b
        self.scoring = scoring
        self.n_splits = n_splits
        self.n_repeats = n_repeats
        self.test_size = test_size
        self.alternative = alternative
        self.confidence_level = confidence_level
        self.alpha = alpha
        self.refit = refit
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def check_parameters(self):
        """Raise a `ParameterError` if a parameter is invalid."""
        super().check_parameters()
        if self.test_size >= 0.5:
            raise ParameterError(
                "test_size",
                "be less than 0.5, since each half has the same number of test rows",
                repr(self.test_size),
            )

    def fit_scores(self, scores_a, scores_b=None, *, names=None):
        """Compare two models by precomputed scores of splits.

        Parameters
        ----------
        scores_a, scores_b : array-like of shape (1 + 2 * n_repeats, n_splits)
            Scores of A and B; higher is better. The first row holds the splits of all
            rows, followed by two rows for the two halves of each halving. Without
            `scores_b`, only A is scored.
        names : pair of str, default=None
            Names of A and B.

        Returns
        -------
        object
            The fitted comparison. It has results but no model to predict with.
        """
        self.check_parameters()
        expected = (1 + 2 * self.n_repeats, self.n_splits)
        one = {"scores_a": scores_a}
        both = one if scores_b is None else {**one, "scores_b": scores_b}
        for name, scores in both.items():
            if (shape := np.shape(scores)) != expected:
                raise ValueError(
                    f"`{name}` must have a row for all rows and two for each of "
                    f"n_repeats={self.n_repeats} halvings, and n_splits="
                    f"{self.n_splits} columns: shape {expected}. Got shape {shape}."
                )
        return super().fit_scores(scores_a, scores_b, names=names)

    def _splitter(self, models, y, groups, seed):
        """Return splits of all rows, then of the two halves of each halving."""
        y, rng = as_array(y, "y"), np.random.RandomState(seed)
        if groups is not None:
            groups, kind = np.asarray(groups), GroupShuffleSplit
        else:
            kind = StratifiedShuffleSplit if is_stratified(models, y) else ShuffleSplit

        def split(rows, n_splits, test_size):
            splitter = kind(
                n_splits, test_size=test_size, random_state=rng.randint(2**31)
            )
            of_rows = None if groups is None else groups[rows]
            try:
                parts = list(splitter.split(rows, y[rows], of_rows))
            except ValueError as error:
                raise ParameterError(
                    "test_size",
                    "leave training and test rows, for classifiers of every class, in "
                    "all of the data and in halves of it",
                    repr(self.test_size),
                    f"Of {len(rows)} rows, {test_size:g} cannot be tested: "
                    f"{str(error).rstrip('.')}. Pass another test_size or more rows, "
                    "or use CorrectedTTest, which does not halve the data.",
                ) from error
            return [(rows[train], rows[test]) for train, test in parts]

        all_rows = np.arange(len(y))
        splits = split(all_rows, self.n_splits, self.test_size)
        for halves in split(all_rows, self.n_repeats, 0.5):
            for half in halves:
                splits += split(np.sort(half), self.n_splits, 2 * self.test_size)
        return splits

    def compare(self, problem):
        """Compare the two models of a problem."""
        estimates, full_scores = {}, {}
        n_sets = 1 + 2 * self.n_repeats
        for metric, scores in problem.scores.items():
            differences = problem.differences(metric)
            if len(differences) != n_sets * self.n_splits:
                raise ValueError(
                    f"ConservativeZ needs the models' scores on {n_sets} times "
                    f"{self.n_splits} splits. Got {len(differences)} for {metric!r}."
                )
            first, *halves = differences.reshape(n_sets, self.n_splits)
            means = np.mean(halves, axis=1).reshape(self.n_repeats, 2)
            estimates[metric] = conservative_estimate(first, means)
            full_scores[metric] = scores[:, : self.n_splits]
        splits = None if problem.splits is None else problem.splits[: self.n_splits]
        of_all_rows = dataclasses.replace(problem, scores=full_scores, splits=splits)
        return self._estimate_outcome(of_all_rows, estimates, method="conservative Z")
