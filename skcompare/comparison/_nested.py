"""Nested cross-validation: intervals that account for overlapping training folds."""

import copy
import dataclasses
import numbers
from itertools import combinations

import numpy as np
from sklearn.utils import indexable

from skcompare._caveats import Caveat
from skcompare._engine import chunk_generator
from skcompare._evaluation import (
    as_statistic,
    evaluate_out_of_fold,
    facts_of_models,
    fit_parameters_of,
    frozen_note,
    name_of,
    name_of_splits,
    resolve_scoring,
    shared_splits,
    splitter_for,
)
from skcompare._format import format_count
from skcompare._parameters import FOLDS
from skcompare._progress import track
from skcompare._validation import as_array, check_rows, model_names
from skcompare.comparison._base import (
    GivesIntervals,
    few_units_caveat,
    hypotheses,
    outcome_of,
)
from skcompare.comparison._folds import (
    LearnerComparison,
    folds_of_units,
)
from skcompare.comparison._needs import AVERAGE, MODELS_TO_FIT, Advice
from skcompare.comparison._rows import cut_interval, limit_caveat, scores_of_rows
from skcompare.comparison._winner import result_attributes
from skcompare.exceptions import DegenerateDataWarning
from skcompare.results import ComparisonResult, ScoreResult
from skcompare.stats.folds import nested_estimate, nested_round
from skcompare.stats.paired import paired_differences


@result_attributes("pvalue", "statistic", "standard_error")
class NestedCVInterval(GivesIntervals, LearnerComparison):
    """Interval and test for two learning algorithms, by nested cross-validation.

    The usual interval for a cross-validation score treats the scores of rows as
    independent and is too short, since every row is also used for training. Nested
    cross-validation [1]_ estimates by how much:

    1. Set one of K folds aside and cross-validate on the others.
    2. Compare the resulting mean score with the mean score, on the fold set aside, of
       models trained on the others. The squared difference, minus the part due to the
       finite number of rows set aside, estimates the squared error of cross-validation.
    3. Average this over all folds and many random splits.

    Read more in the :ref:`User Guide <cv_intervals>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. With A alone, the result is an interval for its
        score instead of a test.
    scoring : str, callable, list, tuple, dict or None, default=None
        One or several metrics, as in scikit-learn, that are averages of one value per
        row, such as "accuracy", "neg_log_loss" or "neg_mean_squared_error". None uses
        the models' own `score`, which is suitable for classifiers.
    cv : int or splitter, default=10
        The number of folds K, at least three, which are redrawn for every repeat
        (stratified for classifiers); or a splitter that shuffles, such as
        ``GroupKFold(5, shuffle=True)``, whose `random_state` is set for every repeat.
        Its test sets must partition the data.
    n_repeats : int, default=50
        Number of random splits. Each requires ``K * (K + 1) / 2`` fits of both models.
        With few repeats the width of the interval is highly variable.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        The alternative hypothesis: A is better, B is better, or they differ.
    confidence_level : float, default=0.95
        Nominal coverage of the intervals, which are two-sided for every `alternative`.
    bias_correction : bool, default=True
        Whether to correct scores for training on fewer rows than the full data. If
        False, they are the scores of K-fold cross-validation.
    alpha : float, default=0.05
        Significance level for selecting `best_estimator_` and wording the result.
    refit : bool, default=True
        Whether to refit the winning model on all the data. If False, there is no
        `best_estimator_` to predict with.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random splits, which do not depend on `n_jobs`.
    n_jobs : int, default=None
        Number of joblib workers for the fits. None means 1 unless in a
        :func:`joblib.parallel_config` context.
    verbose : int, default=0
        If nonzero, show progress on standard error after two seconds.

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
        Scores of the two learning algorithms. Higher is better. The bias correction may
        move them slightly outside the range of a metric.
    pvalue_ : float
        The p-value.
    statistic_ : float
        The difference in units of its standard error.
    standard_error_ : float
        The standard error of `delta_`.
    confidence_interval_ : ConfidenceInterval
        Confidence interval ``(low, high)`` for the difference.
    score_a_interval_, score_b_interval_ : ConfidenceInterval
        Intervals for the two scores.
    inflation_ : dict of float
        For each metric, the width of the interval for the difference relative to that
        for independent rows: from 1 to the square root of K.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha` (with several metrics: in each of
        them), else B; refitted on all the data.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Attributes of `best_estimator_`.

    See Also
    --------
    CrossValidationCLT : For the k models fitted by cross-validation; needs only one
        round of cross-validation.
    CorrectedTTest : The same question, with a rule of thumb for the variance.

    Notes
    -----
    *Estimand*: the difference in expected score, on new rows, of models that the two
    procedures fit to data sets of this size; without `bias_correction`, to data sets of
    (K - 1) / K of this size. *Null hypothesis*: A's is no better (two-sided: they are
    the same). *Assumptions*: rows (with `groups`: groups) are independent draws from
    one population, so that folds are exchangeable; the estimate is approximately
    normal, with a variance that depends little on the data set. Exchangeability of the
    two models is not assumed.

    With means over folds and repeats, the squared error is estimated by the mean of
    ``(inner mean - outer mean) ** 2 - outer variance / rows of the fold``, times
    (K - 1) / K since the inner data sets are smaller by that factor. Its square root is
    restricted to lie between the standard error of independent rows and the square root
    of K times that. The bias is ``(1 + (K - 2) / K) * (inner mean - outer mean)``,
    which follows from a bias proportional to one over the number of training rows. This
    is algorithm 1 of the paper and its section on bias; the models without folds j and
    k serve as inner models of both.

    With `groups`, variances are those of sums over groups, which is not in the paper.

    *One model*: without `estimator_b`, the score, standard error and interval are
    computed for A and refer to the expected score of its learning algorithm. There is
    no p-value, and `best_estimator_` is A.

    *Degenerate cases*: learning algorithms that score the same on every row give p = 1;
    a constant nonzero difference on every row gives the p-value of a single sign, 1/2
    (or 1 if two-sided or for the opposite alternative). The interval is infinite, and a
    `DegenerateDataWarning` is issued. Fewer than 30 rows or groups give a
    `SmallSampleWarning`. Splits that leave rows untested, as those for time series do,
    raise an error, and so does a failed fit, since the mean over folds would be
    missing.

    References
    ----------
    .. [1] Bates, S., Hastie, T. and Tibshirani, R. (2023). Cross-validation: what does
       it estimate and how well does it do it? Journal of the American Statistical
       Association 119(546), 1434-1445. :doi:`10.1080/01621459.2023.2197686`

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Lasso, LinearRegression
    >>> from skcompare import NestedCVInterval
    >>> X, y = load_diabetes(return_X_y=True)
    >>> test = NestedCVInterval(LinearRegression(), Lasso(),
    ...                         scoring="neg_mean_absolute_error",
    ...                         cv=5, n_repeats=5, random_state=0).fit(X, y)
    >>> low, high = test.confidence_interval_
    >>> print(f"{test.delta_:.1f} [{low:.1f}, {high:.1f}]")
    8.4 [6.0, 10.9]
    """

    takes_one_model = True
    gives = "p-value"
    instead_of_pairs = (
        " It fits both models of a pair on nested splits of its own: fit it to each "
        "pair, and correct its `pvalue_` by adjust_pvalues."
    )

    _without_models = "Nested cross-validation fits models itself"

    _hypotheses = hypotheses(
        "on data sets like this one, {}'s learning algorithm scores no better than "
        "{}'s on average",
        "on data sets like this one, both learning algorithms score the same on "
        "average",
    )

    _advice = Advice(needs=(MODELS_TO_FIT, AVERAGE))

    _rules = {"cv": FOLDS}

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        scoring=None,
        cv=10,
        n_repeats=50,
        alternative="greater",
        confidence_level=0.95,
        bias_correction=True,
        alpha=0.05,
        refit=True,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.estimator_a = estimator_a
        self.estimator_b = estimator_b
        self.scoring = scoring
        self.cv = cv
        self.n_repeats = n_repeats
        self.alternative = alternative
        self.confidence_level = confidence_level
        self.bias_correction = bias_correction
        self.alpha = alpha
        self.refit = refit
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def make_problem(self, models, X, y, *, groups=None, names=None, params=None):
        """Fit and score models on nested folds, as `fit` does.

        Parameters
        ----------
        models : dict
            One or two models, by parameter name.
        X, y : object
            The data.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same label are not independent; the splitter must test them in
            the same fold.
        names : sequence of str or None, default=None
            Names of the models.
        params : dict or None, default=None
            Additional parameters for fitting the models.

        Returns
        -------
        NestedProblem
            The argument of `compare`.
        """
        rows = check_rows("X", X, y=y, groups=groups)
        (X,), seed, units = indexable(X), self._seed(), rows["groups"]
        metrics = resolve_scoring(
            self.scoring, y=y, models=list(models.values()), params=params
        )
        params = fit_parameters_of(models, metrics, groups=groups, params=params)
        repeats = draw_folds(
            models,
            X,
            as_array(y, "y"),
            cv=self.cv,
            n_repeats=self.n_repeats,
            groups=groups,
            units=units,
            seed=seed,
        )
        arguments = (models, X, y, metrics, params)
        rounds = (self._round(fold, units, *arguments) for fold in repeats)
        settings = {"total": self.n_repeats, "label": "repeats"}
        with track(rounds, verbose=self.verbose, **settings) as tracked:
            rounds = list(tracked)
        n_folds = int(repeats[0].max()) + 1
        return NestedProblem(
            names=model_names(names, [name_of(model) for model in models.values()]),
            rounds={metric: [each[metric] for each in rounds] for metric in metrics},
            n_folds=n_folds,
            n_rows=len(repeats[0]),
            n_units=len(repeats[0]) if units is None else int(units.max()) + 1,
            unit="rows" if groups is None else "groups",
            origin=name_of_splits(self.cv, range(n_folds)),
            seed=seed,
            notes=(
                *(note for metric in metrics.values() for note in metric.notes),
                *filter(None, [frozen_note(models)]),
            ),
        )

    def _round(self, fold, units, models, X, y, metrics, params):
        """Return the `NestedRound` of the difference, A and B for each metric.

        With a single model there is only its own. Models trained without one fold are
        the outer models, tested on that fold; models trained without two folds are the
        inner models, tested on both.
        """
        folds = range(fold.max() + 1)
        left_out = [*((number,) for number in folds), *combinations(folds, 2)]
        tested = [np.isin(fold, numbers) for numbers in left_out]
        sample = evaluate_out_of_fold(
            models,
            X,
            y,
            [(np.flatnonzero(~test), np.flatnonzero(test)) for test in tested],
            metrics=list(metrics.values()),
            params=params,
            n_jobs=self.n_jobs,
        )
        outer = sample.fold < len(folds)
        # For inner models, the other one of the two folds left out of training.
        both = np.array([sum(numbers) for numbers in left_out])
        other = both[sample.fold] - fold[sample.indices]
        by_metric = {}
        for name, metric in metrics.items():
            scores = scores_of_rows(as_statistic(metric, sample), name, self)
            tolerances = np.zeros(len(scores[0]))
            if len(scores) == 2:
                differences, tolerances = paired_differences(*scores)
                scores = (differences, *scores)
            by_metric[name] = [
                nested_round(
                    *(own[outer], fold, own[~outer], other[~outer]),
                    unit=units,
                    tolerance=tolerances[outer],
                )
                for own in scores
            ]
        return by_metric

    def _publish(self, problem):
        super()._publish(problem)
        self.inflation_ = {
            metric: self._estimates(problem, metric)[0][1] for metric in problem.rounds
        }

    def compare(self, problem):
        """Compare the two models of a problem, or compute the interval of one model.

        Parameters
        ----------
        problem : NestedProblem
            Scores of the models in nested cross-validation.

        Returns
        -------
        Outcome
            Results and caveats. No warnings are issued, and the test is not changed.
        """
        n_train, level = problem.n_rows, self.confidence_level
        if not self.bias_correction:
            n_train = round(n_train * (problem.n_folds - 1) / problem.n_folds)
        trained = f"trained on {n_train:,} rows like these"
        fields, caveats = {}, [*problem.notes]
        kind, hypotheses = ComparisonResult, self._hypotheses
        if len(problem.names) == 1:
            kind, hypotheses = ScoreResult, None
        for metric in problem.rounds:
            # Estimates of the difference, A and B; or of A alone.
            first, *of_models = (e for e, _ in self._estimates(problem, metric))
            scores = of_models or [first]
            intervals, cuts = zip(
                *(cut_interval(s.interval(level), metric, [s.mean]) for s in scores),
                strict=True,
            )
            means = [score.mean for score in scores]
            own = fields[metric] = {
                **problem.facts(metric),
                **facts_of_models(problem.names, means, first.mean),
                "standard_error": first.error,
                "confidence_level": level,
                "method": f"nested in {format_count(self.n_repeats, 'repeats')}",
            }
            if not of_models:
                caveats += cuts
                own["confidence_interval"] = intervals[0]
                own["estimand"] = (
                    "the expected score, on new rows, of the learning algorithm, "
                    f"{trained}"
                )
                continue
            own |= {
                "statistic": first.statistic,
                "statistic_name": "z",
                "pvalue": first.pvalue(self.alternative),
                "confidence_interval": first.interval(level),
                "score_a_interval": intervals[0],
                "score_b_interval": intervals[1],
                "estimand": "the difference in expected score, on new rows, between "
                f"both learning algorithms, {trained}",
            }
            caveats += [_tie_caveat(first, metric), limit_caveat(own, metric, "fold")]
        caveats.append(few_units_caveat(problem.n_units, problem.unit))
        return outcome_of(self, kind, fields, caveats, hypotheses=hypotheses)

    def _estimates(self, problem, metric):
        """Estimate the difference, A and B: (estimate, inflation of its error) each.

        With a single model there is only its own.
        """
        return [
            nested_estimate(
                list(rounds), problem.n_folds, bias_correction=self.bias_correction
            )
            for rounds in zip(*problem.rounds[metric], strict=True)
        ]


def _tie_caveat(delta, metric):
    """Return a caveat if both learning algorithms score the same on every row."""
    if delta.error > 0 or delta.mean:
        return None
    return Caveat(
        DegenerateDataWarning,
        f"Both models have the same {metric} on every row, however they are trained: "
        "the difference is 0 and the p-value 1.",
        metric=metric,
    )


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class NestedProblem:
    """One or two models and their scores in nested cross-validation.

    Parameters
    ----------
    names : tuple of str
        Names of the models.
    rounds : dict of list
        For each metric and repeat, the `NestedRound` of the difference, A and B; with a
        single model only its own.
    n_folds, n_rows, n_units : int
        The numbers of folds, rows and independent units.
    unit : str
        The independent units: "rows" or "groups".
    origin : str
        Description of the splitter.
    seed : int
        The seed of the splits.
    notes : tuple of Caveat
        Caveats about test rows that models may have seen in training.
    """

    names: tuple
    rounds: dict
    n_folds: int
    n_rows: int
    n_units: int
    unit: str
    origin: str
    seed: int
    notes: tuple = ()

    def facts(self, metric):
        """Return the fields that every result for a metric has, except for scores."""
        return {
            "scoring": metric,
            "n_rows": self.n_rows,
            "n_units": self.n_units,
            "cv": self.origin,
            "seed": self.seed,
        }


def draw_folds(models, X, y, *, cv, n_repeats, groups, units, seed):
    """Split the rows into folds at random, several times.

    Parameters
    ----------
    models : dict
        Models by parameter name. The first determines whether folds are stratified.
    X : object
        The data.
    y : ndarray
        The target values.
    cv : int, splitter or None
        The number of folds, or a splitter.
    n_repeats : int
        Number of splits.
    groups : object
        Passed on to the splitter.
    units : ndarray of int of shape (n_rows,) or None
        Group codes.
    seed : int
        The seed of all splits.

    Returns
    -------
    list of ndarray of int of shape (n_rows,)
        The fold of each row, 0, 1, ..., for each repeat.
    """
    is_number = cv is None or isinstance(cv, numbers.Integral)
    shuffles = is_number or getattr(cv, "shuffle", False)
    if isinstance(cv, str) or not (shuffles or n_repeats == 1):
        raise ValueError(
            "`cv` must be a number of folds or a splitter that shuffles, such as "
            f"KFold(10, shuffle=True), so that repeats differ. Got {cv!r}. A fixed "
            "splitter needs n_repeats=1."
        )
    splitter, drawn = splitter_for(models, y, cv), []
    for repeat in range(n_repeats):
        if shuffles:
            splitter = copy.copy(splitter)
            splitter.shuffle = True
            splitter.random_state = int(chunk_generator(seed, repeat).integers(2**32))
        splits = shared_splits(models, X, y, cv=splitter, groups=groups)
        fold = _fold_of_rows(splits, len(y))
        sizes = np.bincount(folds_of_units(fold, units))
        if len(sizes) < 3 or min(sizes) < 2:
            raise ValueError(
                "`cv` must give at least 3 folds, each with at least 2 rows (or "
                "groups), since two folds at a time are left out and variances are "
                f"computed within folds. Got {len(sizes)} folds, the smallest with "
                f"{min(sizes)}."
            )
        drawn.append(fold)
    return drawn


def _fold_of_rows(splits, n_rows):
    """Return the fold that tests each row, or raise if it is not exactly one."""
    tested = np.concatenate([test for _, test in splits])
    if not np.array_equal(np.sort(tested), np.arange(n_rows)):
        raise ValueError(
            "`cv` must test every row exactly once, since folds swap roles in nested "
            f"cross-validation. Got {len(tested)} tests of {len(np.unique(tested))} of "
            f"{n_rows} rows. Use KFold or another splitter whose test sets partition "
            "the data; CorrectedTTest takes any."
        )
    fold = np.empty(n_rows, dtype=int)
    fold[tested] = np.repeat(np.arange(len(splits)), [len(test) for _, test in splits])
    return fold
