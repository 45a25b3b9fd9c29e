"""Central limit theorem for cross-validation: tests and intervals for scores."""

import dataclasses

import numpy as np

from skcompare._caveats import Caveat
from skcompare._parameters import FOLDS, OneOf
from skcompare.comparison._base import (
    FEWEST_UNITS,
    GivesIntervals,
    few_units_caveat,
    hypotheses,
    outcome_of,
    result_attributes,
)
from skcompare.comparison._folds import folds_of_units
from skcompare.comparison._needs import (
    AVERAGE,
    FEWEST_COUNTED,
    NORMAL_MEAN,
    Advice,
    Need,
)
from skcompare.comparison._rows import (
    RowMeanTest,
    difference_interval,
    limit_caveat,
    score_interval,
    tie_caveat,
)
from skcompare.exceptions import DependentFoldsWarning
from skcompare.results import ScoreResult
from skcompare.stats.clusters import effective_number
from skcompare.stats.folds import clt_estimate
from skcompare.stats.paired import paired_differences, standardized_mean


@result_attributes("standard_error")
class CrossValidationCLT(GivesIntervals, RowMeanTest):
    """Test and interval for k-fold cross-validation by a normal approximation.

    1. Score both models on every row by cross-validation, and subtract.
    2. Divide the mean of the differences by its standard error: `statistic_`.
    3. Compute the p-value and the interval from the normal distribution.

    Although training folds overlap, this is valid [1]_ if the learning algorithms are
    stable, and for one estimand: the average score of the k models that were fitted.

    Read more in the :ref:`User Guide <cv_intervals>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`. With A alone,
        the result is an interval for its score instead of a test.
    scoring : str, callable, list, tuple, dict or None, default=None
        One or several metrics, as in scikit-learn, that are averages of one value per
        row, such as "accuracy", "neg_log_loss" or "neg_mean_squared_error". None uses
        the models' own `score`, which is suitable for classifiers.
    cv : int, splitter or iterable, default=5
        As in scikit-learn, with the same folds for both models. No row may be tested
        twice. Folds may differ in size.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        The alternative hypothesis: A is better, B is better, or they differ.
    confidence_level : float, default=0.95
        Nominal coverage of the intervals, which are two-sided for every `alternative`.
    variance : {"all-pairs", "within-fold"}, default="all-pairs"
        Whether the variance is taken around the mean of all rows, or within folds.
        "all-pairs" also supports folds of a single row.
    alpha : float, default=0.05
        Significance level for selecting `best_estimator_` and wording the result.
    refit : bool, default=True
        Whether to refit the winning model on all the data. If False, there is no
        `best_estimator_` to predict with.
    n_jobs : int, default=None
        Number of joblib workers for cross-validation. None means 1 unless in a
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
        ``score_a_ - score_b_``; positive if A is better.
    score_a_, score_b_ : float
        Mean scores over the rows, out of fold. Higher is better.
    pvalue_ : float
        The p-value.
    statistic_ : float
        The difference in units of its standard error.
    standard_error_ : float
        The standard error of `delta_`.
    confidence_interval_ : ConfidenceInterval
        Confidence interval ``(low, high)`` for the difference.
    score_a_interval_, score_b_interval_ : ConfidenceInterval
        Intervals for the scores of the two models.
    effect_size_ : dict
        "cohens_d" and "hedges_g" as in `PairedTTest`.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha` (with several metrics: in each of
        them), else B; refitted on all the data. Not set by `fit_predictions`.
    fold_, indices_ : ndarray
        The fold of each tested row and its position in the data.
    problem_ : object
        The comparison problem: names, predictions, metrics and units resampled
        together.
    predictions_ : tuple of dict
        The compared responses of each model, by response method.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Attributes of `best_estimator_`.

    See Also
    --------
    NestedCVInterval : For learning algorithms rather than k fitted models; needs many
        more fits.
    PairedTTest : The same for models that are already fitted.

    Notes
    -----
    *Estimand*: the k-fold test error. The model of each fold has a score on the
    population that the rows come from; this is their average, weighted by the sizes of
    the test folds. It depends on the training folds, and is neither the score of the
    model fitted on all rows nor the average over many data sets, for which the interval
    is too short. *Null hypothesis*: for this average, A scores no better than B
    (two-sided: they score the same). *Assumptions*: rows are independent draws from
    the population, there are many of them, and both learning algorithms are stable:
    leaving one row out of training changes the loss of another row by an amount that
    vanishes faster than one over the square root of the number of rows. Regularized
    linear models and averages of trees are stable; a single nearest neighbor is not.
    Exchangeability of the two models is not assumed.

    With d the differences of n rows, "all-pairs" uses the variance
    ``sum((d - mean(d)) ** 2) / n``, and "within-fold" averages the variances within
    folds (with one degree of freedom less than their rows), weighted by the sizes of
    the folds. The standard error is the square root of the variance over n.

    With `groups`, deviations are summed within groups before they are squared, so
    groups must be independent, but rows need not be. This common estimate for clusters
    is not in the paper. All rows of a group must be in the same fold.

    *One model*: without `estimator_b`, or `y_pred_b`, the score, standard error and
    interval refer to the models of A's folds. There is no p-value, and
    `best_estimator_` is A. For right and wrong predictions, the interval of a score is
    the Clopper-Pearson interval with the effective number of rows that corresponds to
    the standard error [2]_; fewer than 10 errors give a `SmallSampleWarning`. Intervals
    of other scores are clipped to the range of the metric, if it is known.

    *When it misleads*: with fewer than about 30 rows or groups (`SmallSampleWarning`);
    in time series, where neighboring rows are dependent. A splitter that leaves rows
    untested, as those for time series do, gives a `DependentFoldsWarning`, since the
    theory covers only folds that partition the data.

    Models that score the same on every row give p = 1. If A is better or worse by the
    same amount on every row, the statistic is infinite and the p-value is a bound: the
    probability that all n signs are equal (``2 ** -n``, twice that if two-sided, and 1
    for the opposite alternative). Both give a `DegenerateDataWarning`. The interval
    then extends from 0 to infinity on the side of the difference if the two-sided
    p-value is at most ``1 - confidence_level``; otherwise, and for a difference of 0,
    it is infinite. For right and wrong predictions it is the Clopper-Pearson bound.

    References
    ----------
    .. [1] Bayle, P., Bayle, A., Janson, L. and Mackey, L. (2020). Cross-validation
       confidence intervals for test error. NeurIPS 33, 16339-16350.
    .. [2] Korn, E. L. and Graubard, B. I. (1998). Confidence intervals for proportions
       with small expected number of positive counts estimated from survey data. Survey
       Methodology 24(2), 193-201.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from skcompare import CrossValidationCLT
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> logistic = make_pipeline(StandardScaler(), LogisticRegression())
    >>> test = CrossValidationCLT(logistic, GaussianNB(), cv=10).fit(X, y)
    >>> low, high = test.confidence_interval_
    >>> print(f"{test.delta_:.3f} [{low:.3f}, {high:.3f}]")
    0.044 [0.024, 0.064]
    """

    takes = frozenset({"predictions", "splits", "groups"})
    takes_one_model = True
    takes_slices = False  # the rows of a slice do not form the folds of a data set
    _hypotheses = hypotheses(
        "of the models fitted on these folds, {} scores no better on average",
        "of the models fitted on these folds, A and B score the same on average",
    )
    _estimand = (
        "the difference in score, on new rows like these, between the models "
        "fitted on these training folds, averaged over the folds"
    )

    _advice = Advice(
        needs=(
            Need(
                lambda test, facts: not facts.retested,
                "CrossValidationCLT needs cross-validation that tests no row twice, "
                "but here rows are tested several times.",
            ),
            Need(
                lambda test, facts: not facts.torn_groups,
                "CrossValidationCLT needs folds that keep groups together, such as "
                "those of GroupKFold, but here a group has rows in several folds.",
            ),
            AVERAGE,
            NORMAL_MEAN,
            Need(
                lambda test, facts: facts.n_units >= FEWEST_UNITS,
                "A normal approximation is unreliable on a small test set: "
                "{facts.n_units} {facts.units} "
                f"are fewer than {FEWEST_UNITS}.",
            ),
            Need(
                lambda test, facts: (
                    facts.kind != "right or wrong"
                    or facts.n_discordant_units >= FEWEST_COUNTED
                ),
                f"The normal approximation of a count needs {FEWEST_COUNTED} "
                "discordant {facts.units} or more, and there are "
                "{facts.n_discordant_units}.",
            ),
        ),
        listed=lambda facts: facts.cross_validated,
        why_not="addresses the same question by a normal approximation, which holds "
        "although training folds overlap, if the learning algorithms are stable. It "
        "also gives intervals for both scores.",
    )

    _rules = {"cv": FOLDS, "variance": OneOf("all-pairs", "within-fold")}

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        scoring=None,
        cv=5,
        alternative="greater",
        confidence_level=0.95,
        variance="all-pairs",
        alpha=0.05,
        refit=True,
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
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X, y=None, *, groups=None, names=None, **params):
        """Compare the two models by cross-validation.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or list
            The data.
        y : array-like
            The target values.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same label are not independent. Also passed to the splitter,
            which must test these rows in the same fold, as
            :class:`~sklearn.model_selection.GroupKFold` does.
        names : pair of str, default=None
            Names of A and B. If None, their class names are used.
        **params : dict
            Additional parameters for fitting the models, like the `params` of
            :func:`~sklearn.model_selection.cross_validate`. `strata` and
            `sample_weight`, which the resampling tests accept, must be None here.

        Returns
        -------
        object
            The fitted comparison.
        """
        return super().fit(X, y, groups=groups, names=names, **params)

    def fit_predictions(
        self,
        y_true,
        y_pred_a,
        y_pred_b=None,
        *,
        fold=None,
        groups=None,
        names=None,
        **rows,
    ):
        """Compare two models by their out-of-fold predictions.

        Parameters
        ----------
        y_true : array-like
            The target values.
        y_pred_a, y_pred_b : array-like or dict
            The response that the scorer requires, as in `PairedTTest`. Each row must
            have been left out of the training of the models that predict it. Without
            `y_pred_b`, only A is scored.
        fold : array-like of shape (n_samples,), default=None
            The fold of each row, such as the attribute `fold_`. Not needed with
            ``variance="all-pairs"``.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same label are not independent.
        names : pair of str, default=None
            Names of A and B.
        **rows : dict
            `strata` and `sample_weight`, which the resampling tests accept, must be
            None here.

        Returns
        -------
        object
            The fitted comparison. It has results but no model to predict with.
        """
        rows |= {"fold": fold, "groups": groups, "names": names}
        return super().fit_predictions(y_true, y_pred_a, y_pred_b, **rows)

    def compare(self, problem):
        """Compare the two models of a problem, or compute the interval of one model."""
        rows = self._row_scores(problem)
        problem = dataclasses.replace(problem, series=_untested_caveat(problem))
        options = {"fold": self._fold_of_rows(problem), "unit": problem.units.groups}
        few = few_units_caveat(len(problem.units), problem.unit)
        if len(problem.names) == 1:
            return self._of_one_model(problem, rows, few, **options)
        fields, ties, limits = {}, [], []
        for metric, pair in rows.items():
            own = self.examine_rows(*pair, metric=metric, **options)
            fields[metric] = {**problem.facts(metric), **own}
            ties.append(tie_caveat(problem, metric, paired_differences(*pair)[0]))
            limits.append(limit_caveat(own, metric))
        return self._outcome(problem, fields, [*ties, *limits, few])

    def _of_one_model(self, problem, rows, few, *, fold, unit):
        """Return the outcome of one model: its scores and their intervals."""
        fields, caveats = {}, [*problem.notes, few, problem.series]
        level, n = self.confidence_level, _number_of_groups(unit)
        settings = {"variance": self.variance, "fold": fold, "unit": unit}
        for metric, (scores,) in rows.items():
            estimate = clt_estimate(scores, **settings)
            interval, caveat = score_interval(estimate, level, scores, metric, n)
            caveats.append(caveat)
            fields[metric] = {
                **problem.facts(metric),
                "confidence_interval": interval,
                "confidence_level": level,
                "standard_error": estimate.error,
                "method": self.variance,
                "estimand": "the score, on new rows like these, of the models "
                "fitted on these training folds, averaged over the folds",
            }
        return outcome_of(self, ScoreResult, fields, caveats)

    def examine_rows(self, rows_a, rows_b, *, metric="score", fold=None, unit=None):
        """Return the result fields computed from the row scores of both models.

        Parameters
        ----------
        rows_a, rows_b : ndarray of shape (n_rows,)
            The scores.
        metric : str, default="score"
            The name of the metric.
        fold, unit : ndarray of int of shape (n_rows,), default=None
            The fold of each row, and the group codes.
        """
        differences, tolerances = paired_differences(rows_a, rows_b)
        settings = {"variance": self.variance, "fold": fold, "unit": unit}
        delta = clt_estimate(differences, tolerance=tolerances, **settings)
        level, n = self.confidence_level, _number_of_groups(unit)
        interval_a, interval_b = (
            score_interval(clt_estimate(own, **settings), level, own, metric, n)[0]
            for own in (rows_a, rows_b)
        )
        cohens_d, hedges_g = standardized_mean(differences, tolerances)
        return {
            "statistic": delta.statistic,
            "statistic_name": "z",
            "pvalue": delta.pvalue(self.alternative),
            "standard_error": delta.error,
            "confidence_interval": difference_interval(
                delta.interval(level), level, rows_a, rows_b, n
            ),
            "score_a_interval": interval_a,
            "score_b_interval": interval_b,
            "confidence_level": level,
            "effect_size": {"cohens_d": cohens_d, "hedges_g": hedges_g},
            "method": self.variance,
        }

    def _check_rows_are_single(self, problem):
        """Raise if cross-validation tests rows several times."""
        tested = problem.indices
        if tested is None or (n_rows := len(np.unique(tested))) == len(tested):
            return
        raise ValueError(
            f"`cv` must test every row at most once for {type(self).__name__}. Got "
            f"{len(tested)} predictions for {n_rows} rows. Use a splitter whose test "
            "sets do not overlap, such as KFold, or a test for repeated splits, such "
            "as CorrectedTTest."
        )

    def _fold_of_rows(self, problem):
        """Return the fold of each row, at least two folds, or all 0 if not needed."""
        within = self.variance == "within-fold"
        if problem.fold is None and not within:
            return np.zeros(problem.n_rows, dtype=int)
        remedy = "Use cv=5 or more."
        if problem.fold is None:
            remedy = "With fit_predictions, pass the `fold` of each row."
        elif problem.origin == "predictions":
            remedy = "Omit `fold`: variance='all-pairs' does not need it."
            if within:
                remedy = "`fold` must contain the fold that each row was tested in."
        labels = np.zeros(problem.n_rows) if problem.fold is None else problem.fold
        fold = np.unique(labels, return_inverse=True)[1]
        sizes = np.bincount(folds_of_units(fold, problem.units.groups))
        if len(sizes) < 2:
            raise ValueError(f"There must be at least 2 folds. Got 1. {remedy}")
        if within and min(sizes) < 2:
            raise ValueError(
                "`variance` 'within-fold' needs at least 2 rows, or groups, in every "
                f"fold. Got a fold with {min(sizes)}. Use variance='all-pairs', or "
                "fewer folds."
            )
        return fold


def _number_of_groups(groups):
    """Return Kish's effective number of groups, None if rows are independent."""
    return None if groups is None else effective_number(np.bincount(groups))


def _untested_caveat(problem):
    """Return a caveat if some rows are not tested, since the theory requires all."""
    if problem.n_given in (None, problem.n_rows):
        return None
    return Caveat(
        DependentFoldsWarning,
        f"Only {problem.n_rows} of the {problem.n_given} rows are tested, as by a "
        "splitter for time series. The theory requires folds that partition the data "
        "and independent rows: if neighboring rows are dependent, intervals are too "
        "short.",
    )
