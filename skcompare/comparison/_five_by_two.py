"""5x2cv tests: five random halvings, each with both halves as training and test set."""

from collections.abc import Mapping

import numpy as np
from sklearn.model_selection import GroupKFold, RepeatedKFold, RepeatedStratifiedKFold

from skcompare._parameters import OneOf
from skcompare.comparison._folds import N_SEEDS, RandomSplits, is_stratified
from skcompare.comparison._needs import MODELS_OR_SCORES, Advice
from skcompare.exceptions import ParameterError
from skcompare.stats.folds import five_by_two_f, five_by_two_t

N_HALVINGS = 5


class FiveByTwoCV(RandomSplits):
    """Test whether two models differ in score, by five twofold cross-validations.

    1. Split the data into random halves, five times. Fit both models on one half and
       score them on the other, then swap the halves: ten differences.
    2. The two differences of a halving come from training sets that share no row. Their
       variance, averaged over the five halvings, estimates that of a single difference.
    3. Dietterich's t divides the very first difference by the square root of this
       variance, and has 5 degrees of freedom. Alpaydin's F divides the mean square of
       all ten differences by the variance, and has 10 and 5 degrees of freedom.

    Read more in the :ref:`User Guide <only_cross_validation>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline; they are cloned. Not needed for `fit_scores`.
    scoring : str, callable, list, tuple, dict or None, default=None
        One or several metrics of any kind, as in scikit-learn. None uses the models'
        own `score`.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        The alternative hypothesis: A is better, B is better, or they differ. F requires
        "two-sided".
    statistic : {"t", "f"}, default="t"
        Dietterich's t or Alpaydin's F.
    alpha : float, default=0.05
        Significance level for selecting `best_estimator_` and wording the result.
    refit : bool, default=True
        Whether to refit the winning model on all the data. If False, there is no
        `best_estimator_` to predict with.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random halvings.
    n_jobs : int, default=None
        Number of folds fitted in parallel. None means 1 unless in a
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
        Mean over the ten folds of the score of A minus that of B.
    score_a_, score_b_ : float
        Mean scores of the two models. Higher is better.
    pvalue_ : float
        The p-value.
    statistic_ : float
        t or F.
    fold_scores_ : dict of ndarray of shape (10, 2)
        Scores of A and B on each fold, by metric.
    splits_ : list of tuple of ndarray
        Training and test rows of each fold, if known.
    best_estimator_ : estimator
        A if the test rejects at `alpha` and `delta_` is positive (with several metrics:
        in each of them), else B; refitted on all the data. Not set by `fit_scores`.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Attributes of `best_estimator_`.

    See Also
    --------
    CorrectedTTest : For any splits, with an interval for the difference.

    Notes
    -----
    There is no `cv` parameter: the halvings are those of
    ``RepeatedStratifiedKFold(n_splits=2, n_repeats=5)`` for classifiers and of
    ``RepeatedKFold`` otherwise, with the integer `random_state` itself as the seed.
    With `groups`, the groups are halved.

    *Null hypothesis*: over draws of training sets of half the size and of test sets,
    both learning algorithms score the same on average (one-sided: A no better than B).
    *Assumptions*: under the null hypothesis, differences are normal with mean 0 and
    equal variance, and those of different folds are independent. In fact the halvings
    share rows, and the accuracy of the distributions has been studied by simulation.
    *Estimand*: the difference in expected score of the two learning algorithms on half
    of the rows; for algorithms that need much data it may differ from that on all rows.

    The numerator of t is the first of the ten differences, which is arbitrary: another
    seed gives another p-value, and t may differ in sign from `delta_`. F uses all ten
    and depends less on the seed. Neither provides an interval for the difference.

    Models that score the same on all folds give a statistic of 0 and p = 1. If both
    differences of each halving are equal and not 0, their variance is unknown. The
    statistic is infinite, and since halvings share their rows, all signs count as one:
    p is 1/2, or 1 if two-sided (also 1 for t with the opposite alternative or a first
    difference of 0). A `DegenerateDataWarning` is issued and repeated in the sentence
    of the result. All ten scores are required: a failed fit raises its error.

    References
    ----------
    .. [1] Dietterich, T. G. (1998). Approximate statistical tests for comparing
       supervised classification learning algorithms. Neural Computation 10(7),
       1895-1923. :doi:`10.1162/089976698300017197`
    .. [2] Alpaydin, E. (1999). Combined 5 x 2 cv F test for comparing supervised
       classification learning algorithms. Neural Computation 11(8), 1885-1892.
       :doi:`10.1162/089976699300016007`

    Examples
    --------
    >>> from skcompare import FiveByTwoCV
    >>> scores_a = [[.82, .84], [.81, .85], [.83, .83], [.82, .86], [.82, .83]]
    >>> scores_b = [[.80, .80], [.80, .82], [.80, .80], [.82, .82], [.80, .80]]
    >>> test = FiveByTwoCV().fit_scores(scores_a, scores_b)
    >>> round(test.statistic_, 3), round(test.pvalue_, 3)
    (1.265, 0.131)
    >>> test = FiveByTwoCV(statistic="f", alternative="two-sided")
    >>> test = test.fit_scores(scores_a, scores_b)
    >>> round(test.statistic_, 3), round(test.pvalue_, 3)
    (3.08, 0.113)
    """

    _advice = Advice(needs=(MODELS_OR_SCORES,))

    _rules = {"statistic": OneOf("t", "f")}

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        scoring=None,
        alternative="greater",
        statistic="t",
        alpha=0.05,
        refit=True,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.estimator_a = estimator_a
        self.estimator_b = estimator_b
        self.scoring = scoring
        self.alternative = alternative
        self.statistic = statistic
        self.alpha = alpha
        self.refit = refit
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit_scores(self, scores_a, scores_b, *, names=None):
        """Compare two models by precomputed scores of folds.

        Parameters
        ----------
        scores_a, scores_b : array-like of shape (5, 2), or dict
            Scores of A and B, higher is better, with a row for each halving and a
            column for each half; or the dicts that
            :func:`~sklearn.model_selection.cross_validate` returned for A and B with
            ``cv=RepeatedKFold(n_splits=2, n_repeats=5)`` or a similar splitter.
        names : pair of str, default=None
            Names of A and B.

        Returns
        -------
        object
            The fitted comparison. It has results but no model to predict with.
        """
        for name, scores in {"scores_a": scores_a, "scores_b": scores_b}.items():
            shape = np.shape(scores)
            if not isinstance(scores, Mapping) and shape != (N_HALVINGS, 2):
                raise ValueError(
                    f"`{name}` must have a row for each of {N_HALVINGS} halvings and a "
                    f"column for each half. Got an array of shape {shape}."
                )
        return super().fit_scores(scores_a, scores_b, names=names)

    def check_parameters(self):
        """Raise a `ParameterError` if a parameter is invalid."""
        super().check_parameters()
        if self.statistic == "f" and self.alternative != "two-sided":
            raise ParameterError(
                "alternative",
                "be 'two-sided' for statistic='f', which squares all differences",
                repr(self.alternative),
                "Use statistic='t'.",
            )

    def _splitter(self, models, y, groups, seed):
        if groups is not None:
            rng = np.random.RandomState(seed)
            seeds = rng.randint(N_SEEDS, size=N_HALVINGS, dtype=np.uint32)
            return [
                halves
                for each in seeds.tolist()
                for halves in GroupKFold(2, shuffle=True, random_state=each).split(
                    groups, groups=groups
                )
            ]
        stratified = is_stratified(models, y)
        kind = RepeatedStratifiedKFold if stratified else RepeatedKFold
        return kind(n_splits=2, n_repeats=N_HALVINGS, random_state=seed)

    def compare(self, problem):
        """Compare the two models of a problem."""
        fields = {}
        for metric in problem.scores:
            check_halvings(problem, metric)
            differences = problem.differences(metric).reshape(N_HALVINGS, 2)
            if self.statistic == "f":
                test, name = five_by_two_f(differences), "F"
                df, pvalue = (2 * N_HALVINGS, N_HALVINGS), test.pvalue
            else:
                test, name = five_by_two_t(differences), "t"
                df, pvalue = test.df, test.pvalue(self.alternative)
            fields[metric] = {
                "statistic": test.statistic,
                "statistic_name": name,
                "pvalue": pvalue,
                "method": name,
                "df": df,
            }
        return self._outcome(problem, fields)


def check_halvings(problem, metric):
    """Raise unless there are ten scores, from halves that swap roles."""
    _, n_folds = problem.scores[metric].shape
    n_scores = int(problem.defined(metric).sum())
    if n_scores < n_folds or n_folds != 2 * N_HALVINGS:
        raise ValueError(
            f"FiveByTwoCV needs both models' scores on {2 * N_HALVINGS} folds. Got "
            f"{n_scores} for {metric!r}. CorrectedTTest takes any number of folds."
        )
    rows = [tuple(map(set, split)) for split in problem.splits or ()]
    if not all(
        first == second[::-1] and first[0].isdisjoint(first[1])
        for first, second in zip(rows[::2], rows[1::2], strict=True)
    ):
        raise ValueError(
            "`scores_a` and `scores_b` must come from halvings, such that the test "
            "rows of a fold are the training rows of the next, as in "
            "RepeatedStratifiedKFold(n_splits=2, n_repeats=5). Their `indices` show "
            "other splits. CorrectedTTest takes any splits."
        )
