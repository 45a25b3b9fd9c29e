"""A central limit theorem for cross-validation: how sure is its score?"""

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
from skcompare.stats.folds import clt_estimate
from skcompare.stats.paired import paired_differences, standardized_mean


@result_attributes("standard_error")
class CrossValidationCLT(GivesIntervals, RowMeanTest):
    """Test and interval for the score of k-fold cross-validation, by its normal limit.

    1. Score both models on every row by cross-validation, and subtract.
    2. Divide the mean of the differences by its standard error: `statistic_`.
    3. P-value and interval are those of a normal distribution.

    This is valid although training folds overlap [1]_, if the learning algorithms are
    stable, and for one estimand: the average score of the k models that were fitted.

    Read more in the :ref:`User Guide <cv_intervals>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`. With A alone
        there is no test, but an interval for its score.
    scoring : str, callable, list, tuple, dict or None, default=None
        The metric, or several, as in scikit-learn: averages of one number per row,
        such as "accuracy", "neg_log_loss" or "neg_mean_squared_error". None takes the
        models' own `score`, which will do for classifiers.
    cv : int, splitter or iterable, default=5
        As in scikit-learn, with the same folds for both models. No row may be tested
        twice. Folds may have different sizes.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        Whether A is better, B is better, or they differ.
    confidence_level : float, default=0.95
        The nominal coverage of the intervals, two-sided whatever the alternative.
    variance : {"all-pairs", "within-fold"}, default="all-pairs"
        Whether the variance is that of all rows about their mean, or that within folds.
        The first also serves folds of a single row.
    alpha : float, default=0.05
        The level at which `best_estimator_` is chosen and the result worded.
    refit : bool, default=True
        Whether the model that wins is fitted on all the data. Without that there is no
        `best_estimator_` to predict with.
    n_jobs : int, default=None
        The number of joblib workers for cross-validation. None means 1 unless in a
        :func:`joblib.parallel_config` context.
    verbose : int, default=0
        Whether to show the progress of fits on standard error, after two seconds.

    Attributes
    ----------
    results_ : dict of ComparisonResult or ScoreResult
        The result for each metric, by name: of two models, or of A alone.
    result_ : ComparisonResult or ScoreResult
        The result, if there is one metric. So are the following; of A alone there are
        `score_a_`, `standard_error_` and `confidence_interval_`, those of its score.
    delta_ : float
        ``score_a_ - score_b_``; positive if A is better.
    score_a_, score_b_ : float
        The mean scores of rows out of fold. Higher is better.
    pvalue_ : float
        The p-value.
    statistic_ : float
        The difference in units of its standard error.
    standard_error_ : float
        The standard error of `delta_`.
    confidence_interval_ : ConfidenceInterval
        The interval ``(low, high)`` for the difference.
    score_a_interval_, score_b_interval_ : ConfidenceInterval
        Intervals for the scores of the two models.
    effect_size_ : dict
        "cohens_d" and "hedges_g" as in `PairedTTest`.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha` (with several metrics: in each
        of them), else B; fitted on all the data. Not with `fit_predictions`.
    fold_, indices_ : ndarray
        The fold and the position in the data of every tested row.
    problem_ : object
        What was compared: names, predictions, metrics, and what is redrawn together.
    predictions_ : tuple of dict
        For each model the responses that were compared, by method.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Those of `best_estimator_`.

    See Also
    --------
    NestedCVInterval : For the learning procedures rather than k fitted models; takes
        many more fits.
    PairedTTest : The same for models that are fitted already.

    Notes
    -----
    *Estimand*: the k-fold test error. The model of each fold has a score on the
    population that the rows come from; this is their average, weighted by the sizes of
    the test folds. It depends on the training folds, and is neither the score of the
    model fitted on all rows nor the average over many data sets: for the latter the
    interval is too short. *Null hypothesis*: in this sense A scores no better than B
    (two-sided: they score the same). *Assumptions*: rows are independent draws from
    the population, there are many of them, and both learning algorithms are stable:
    leaving one row out of training changes the loss of another by an amount that
    vanishes faster than the root of one over the number of rows. Regularized linear
    models and averages of trees are such; a nearest neighbor is not. Exchangeability
    of the two models is not assumed.

    With d the differences of n rows, "all-pairs" takes the variance
    ``sum((d - mean(d)) ** 2) / n``, and "within-fold" the variances of folds (with one
    degree of freedom less than their rows), averaged with the sizes of folds as
    weights. The standard error is the root of it over n.

    With `groups`, deviations are added up within groups before they are squared, so
    that groups need to be independent, and rows do not. This usual estimate for
    clusters is not in the paper. All rows of a group must be in the same fold.

    *One model*: without `estimator_b`, or `y_pred_b`, score, standard error and
    interval are those of the models of A's folds. There is no p-value, and
    `best_estimator_` is A. For right and wrong the interval of a score is Clopper and
    Pearson's with the effective number of rows that the standard error amounts to [2]_;
    fewer than 10 errors are a `SmallSampleWarning`. Intervals of other scores are cut
    where the metric ends, if its range is known.

    *When it misleads*: on fewer than some 30 rows or groups (`SmallSampleWarning`); on
    series in time, where neighboring rows are alike. A splitter that leaves rows
    untested, as those for time series do, gives a `DependentFoldsWarning`, for the
    theory knows only folds that make up the data.

    Models that score the same on every row give p = 1. If A is better or worse by the
    same amount on every row, the statistic is infinite and the p-value a bound, that
    all n signs are the same (``2 ** -n``, two-sided twice that, and 1 for the other
    alternative). Both with a `DegenerateDataWarning`. The interval then goes from 0 to
    infinity on the side of the lead if two-sided p is that small, and has no ends
    otherwise, nor for a difference of 0; for right and wrong it is Clopper and
    Pearson's bound.

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
    takes_slices = False  # the rows of a slice are not folds of a data set
    _hypotheses = hypotheses(
        "of the models fitted on these folds, {} scores no better on average",
        "of the models fitted on these folds, A and B score the same on average",
    )
    _estimand = (
        "the difference in score, on new rows like those given, between the models "
        "fitted on these training folds, averaged over the folds"
    )

    _advice = Advice(
        needs=(
            Need(
                lambda test, facts: not facts.retested,
                "CrossValidationCLT is for cross-validation that tests no row twice, "
                "and here rows are tested several times.",
            ),
            Need(
                lambda test, facts: not facts.torn_groups,
                "CrossValidationCLT needs folds that keep groups together, such as "
                "those of GroupKFold, and here some group has rows in several.",
            ),
            AVERAGE,
            NORMAL_MEAN,
            Need(
                lambda test, facts: facts.n_units >= FEWEST_UNITS,
                "A normal limit is unreliable on a small test set: {facts.n_units} "
                "{facts.units} "
                f"are fewer than {FEWEST_UNITS}.",
            ),
            Need(
                lambda test, facts: (
                    facts.kind != "right or wrong"
                    or facts.n_discordant_units >= FEWEST_COUNTED
                ),
                f"The normal limit of right and wrong needs {FEWEST_COUNTED} "
                "discordant {facts.units} or more, and there are "
                "{facts.n_discordant_units}.",
            ),
        ),
        why_not="the same question by a normal limit, which holds although training "
        "folds overlap, if the learning algorithms are stable. It gives intervals for "
        "both scores, too.",
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
            The truth.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same label are not independent. Also passed to the splitter,
            which must test them in the same fold, as
            :class:`~sklearn.model_selection.GroupKFold` does.
        names : pair of str, default=None
            What to call A and B; None takes the names of their classes.
        **params : dict
            Further parameters for the fits of the models, as the `params` of
            :func:`~sklearn.model_selection.cross_validate`. `strata` and
            `sample_weight`, which the resampling tests take, are refused here unless
            they are None.

        Returns
        -------
        object
            The fitted comparison itself.
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
            The truth.
        y_pred_a, y_pred_b : array-like or dict
            The response that the scorer asks for, as in `PairedTTest`. Each row must
            have been left out of the training of the models that predict for it.
            Without `y_pred_b` there is one model.
        fold : array-like of shape (n_samples,), default=None
            The fold of each row, as an attribute `fold_` has it. Not needed with
            ``variance="all-pairs"``.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same label are not independent.
        names : pair of str, default=None
            What to call A and B.
        **rows : dict
            `strata` and `sample_weight`, which the resampling tests take, are refused
            here unless they are None.

        Returns
        -------
        object
            The fitted comparison itself. It has results, and no model to predict with.
        """
        rows |= {"fold": fold, "groups": groups, "names": names}
        return super().fit_predictions(y_true, y_pred_a, y_pred_b, **rows)

    def compare(self, problem):
        """Compare the two models of a problem, or give the interval of a single one."""
        rows = self._row_scores(problem)
        problem = dataclasses.replace(problem, series=_untested_caveat(problem))
        groups = {"fold": self._fold_of_rows(problem), "unit": problem.units.groups}
        few = few_units_caveat(len(problem.units), problem.unit)
        if len(problem.names) == 1:
            return self._of_one_model(problem, rows, few, **groups)
        fields, ties, limits = {}, [], []
        for metric, pair in rows.items():
            own = self.examine_rows(*pair, metric=metric, **groups)
            fields[metric] = {**problem.facts(metric), **own}
            ties.append(tie_caveat(problem, metric, paired_differences(*pair)[0]))
            limits.append(limit_caveat(own["statistic"], metric))
        return self._outcome(problem, fields, [*ties, *limits, few])

    def _of_one_model(self, problem, rows, few, *, fold, unit):
        """Return the scores of one model, given those of rows, and their intervals."""
        fields, caveats = {}, [*problem.notes, few, problem.series]
        level, n = self.confidence_level, None if unit is None else problem.n_units
        settings = {"variance": self.variance, "fold": fold, "unit": unit}
        for metric, (scores,) in rows.items():
            estimate = clt_estimate(scores, **settings)
            interval, caveat = score_interval(estimate, level, scores, metric, n)
            caveats.append(caveat)
            fields[metric] = {
                "scoring": metric,
                "score_a": problem.statistics[metric].observed[0],
                "confidence_interval": interval,
                "confidence_level": level,
                "standard_error": estimate.error,
                "name_a": problem.names[0],
                "n_rows": problem.n_rows,
                "n_units": problem.n_units,
                "method": self.variance,
                "cv": problem.origin,
                "estimand": "the score, on new rows like those given, of the models "
                "fitted on these training folds, averaged over the folds",
            }
        return outcome_of(self, ScoreResult, fields, caveats)

    def examine_rows(self, rows_a, rows_b, *, metric="score", fold=None, unit=None):
        """Return fields of the result, given the scores of the rows of both models.

        Parameters
        ----------
        rows_a, rows_b : ndarray of shape (n_rows,)
            The scores.
        metric : str, default="score"
            The name of the metric.
        fold, unit : ndarray of int of shape (n_rows,), default=None
            The fold of each row, and codes of rows that belong together.
        """
        differences, tolerances = paired_differences(rows_a, rows_b)
        settings = {"variance": self.variance, "fold": fold, "unit": unit}
        delta = clt_estimate(differences, tolerance=tolerances, **settings)
        level, n = self.confidence_level, None if unit is None else unit.max() + 1
        of_a, of_b = (
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
            "score_a_interval": of_a,
            "score_b_interval": of_b,
            "confidence_level": level,
            "effect_size": {"cohens_d": cohens_d, "hedges_g": hedges_g},
            "method": self.variance,
        }

    def _check_rows_are_single(self, problem):
        """Refuse cross-validation that tests rows several times."""
        tested = problem.indices
        if tested is None or (n_rows := len(np.unique(tested))) == len(tested):
            return
        raise ValueError(
            f"`cv` must test every row at most once for {type(self).__name__}. Got "
            f"{len(tested)} predictions for {n_rows} rows. Use a splitter whose test "
            "sets do not overlap, such as KFold, or a test that is made for "
            "repeated splits, such as CorrectedTTest."
        )

    def _fold_of_rows(self, problem):
        """Return the fold of each row, of two at least; a single one if none matter."""
        within = self.variance == "within-fold"
        if problem.fold is None and not within:
            return np.zeros(problem.n_rows, dtype=int)
        remedy = "Use cv=5 or more."
        if problem.fold is None:
            remedy = "With fit_predictions tell the `fold` of each row."
        elif problem.origin == "predictions":
            remedy = "Leave `fold` out: variance='all-pairs' does not need it."
            if within:
                remedy = "`fold` must name the one that each row was tested in."
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


def _untested_caveat(problem):
    """Say so if some rows are not tested: the theory is for folds of all of them."""
    if problem.n_given in (None, problem.n_rows):
        return None
    return Caveat(
        DependentFoldsWarning,
        f"Only {problem.n_rows} of the {problem.n_given} rows are tested, as by a "
        "splitter for time series. The theory is for folds that make up the data, with "
        "independent rows: if neighboring rows are alike, intervals are too short.",
    )
