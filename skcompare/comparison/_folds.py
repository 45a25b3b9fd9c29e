"""Base classes of tests on the scores of cross-validation folds."""

import numpy as np
from sklearn.model_selection import StratifiedKFold

from skcompare._caveats import Caveat
from skcompare._evaluation import (
    fold_problem,
    fold_problem_of_scores,
    splitter_for,
    trains_on_the_past,
)
from skcompare._format import format_count
from skcompare._parameters import RULES
from skcompare._validation import as_array
from skcompare.comparison._base import (
    TwoModelComparison,
    as_target,
    hypotheses,
    outcome_of,
    refuse_untaken,
)
from skcompare.comparison._rows import cut_interval, limit_caveat
from skcompare.comparison._winner import result_attributes
from skcompare.exceptions import (
    DegenerateDataWarning,
    DependentFoldsWarning,
    FailedFitWarning,
)
from skcompare.results import ComparisonResult, ScoreResult
from skcompare.stats.folds import corrected_estimate
from skcompare.stats.intervals import ConfidenceInterval

# scikit-learn's splitters take seeds of 32 bits.
N_SEEDS = 2**32

IN_TIME = (
    "All training rows precede their test rows, as in a time series. Scores of "
    "neighboring folds may be similar for reasons other than the rows that they share, "
    "and growing training sets change them: the test does not account for that."
)


class LearnerComparison(TwoModelComparison):
    """Test whether learning algorithm A scores better than B on average.

    Both are fitted and scored on the same splits. Subclasses implement `make_problem`,
    which computes the scores, and `compare`, which tests them.
    """

    # Inputs that the test accepts, besides models and data.
    takes = frozenset({"groups"})

    def fit(self, X, y=None, *, groups=None, names=None, **params):
        """Compare the two models by cross-validation.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or list
            The data for cross-validation.
        y : array-like
            The target values.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same label are not independent. Passed to the splitter, which
            keeps them together, and to search estimators whose splitter uses groups.
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
        self._fit(X, y, names, params, groups=groups)
        return self


class FoldComparison(LearnerComparison):
    """Two learning algorithms, compared by their scores on folds."""

    takes = frozenset({"splits", "groups"})

    # The class of the results, and the null hypotheses of a test by alternative.
    _result = None
    _hypotheses = None

    _without_models = "For scores of folds use fit_scores"

    def _splitter(self, models, y, groups, seed):
        """Return the splitter."""
        return self.cv

    def make_problem(
        self, models, X, y, *, groups=None, names=None, params=None, **rows
    ):
        """Fit and score models on folds, as `fit` does.

        Parameters
        ----------
        models : dict
            Two models or more, by parameter name.
        X, y : object
            The data.
        groups : array-like of shape (n_samples,), default=None
            Passed to the splitter.
        names : sequence of str or None, default=None
            Names of the models.
        params : dict or None, default=None
            Additional parameters for fitting the models.
        **rows : dict
            `strata` and `sample_weight`, which must be None.

        Returns
        -------
        FoldProblem
            The input of `compare`; for more than two models, call `of_pair` first. More
            than two models are compared on the folds on which all of them have a score.
        """
        refuse_untaken(self, rows)
        y, seed = as_target(y, type(self).__name__), self._seed()
        problem = fold_problem(
            models,
            X,
            y,
            scoring=self.scoring,
            cv=self._splitter(models, y, groups, seed),
            groups=groups,
            names=names,
            seed=seed,
            error_score=self.error_score,
            params=params,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
        )
        return problem if len(models) == 2 else problem.on_common_folds()

    def fit_scores(self, scores_a, scores_b=None, *, test_train_ratio=None, names=None):
        """Compare two models by precomputed fold scores.

        Parameters
        ----------
        scores_a, scores_b : array-like or dict
            The scores of A and of B on the same folds in the same order, higher is
            better, or the dicts that :func:`~sklearn.model_selection.cross_validate`
            returned for them. Repeats of cross-validation may be concatenated or be the
            rows of a matrix. nan marks a fold on which a fit failed. Tests that accept
            a single model need no `scores_b`.
        test_train_ratio : float, default=None
            The number of test rows divided by the number of training rows:
            ``1 / (k - 1)`` for k folds. If None, it is computed from the `indices` that
            `cross_validate` returns with ``return_indices=True``.
        names : pair of str, default=None
            Names of A and B.

        Returns
        -------
        object
            The fitted comparison. It has results but no model to predict with.
        """
        self.check_parameters()
        if scores_b is None and not self.takes_one_model:
            raise ValueError(
                f"`scores_b` must be passed to {type(self).__name__}, which compares "
                "two models. Got None. For an interval for one model's score use "
                "CorrectedTTest."
            )
        if test_train_ratio is not None:
            RULES["test_train_ratio"].check("test_train_ratio", test_train_ratio)
        problem = fold_problem_of_scores(
            scores_a,
            scores_b,
            scoring=self.scoring,
            test_train_ratio=test_train_ratio,
            names=names,
        )
        self._publish(problem)
        return self

    def _publish(self, problem):
        super()._publish(problem)
        self.fold_scores_ = {metric: s.T for metric, s in problem.scores.items()}
        if problem.splits is not None:
            self.splits_ = problem.splits

    def _outcome(self, problem, fields, metric_caveats=None, early=()):
        """Return an outcome with the fields and caveats that all tests share.

        Parameters
        ----------
        problem : FoldProblem
            The problem that was compared.
        fields : dict of dict
            Fields of the result of each metric, by name.
        metric_caveats : dict of Caveat or None, default=None
            The caveats of the test about each metric, by name.
        early : sequence of Caveat, default=()
            Caveats to put first, about all metrics.
        """
        kind, hypotheses = self._result, self._hypotheses
        estimand = "the difference in expected score between both learning algorithms"
        if len(problem.names) == 1:
            kind, hypotheses = ScoreResult, None
            estimand = "the expected score of the learning algorithm"
        results, caveats = {}, [*early]
        unit = "rows" if problem.groups is None else "groups"
        for metric, own in fields.items():
            caveats += fold_caveats(problem, metric)
            caveats.append((metric_caveats or {}).get(metric))
            results[metric] = {
                **problem.facts(metric),
                "estimand": f"{estimand}, after training on "
                f"{training_size(problem, metric)}, on new {unit} like these",
                **own,
            }
        return outcome_of(self, kind, results, caveats, hypotheses=hypotheses)


@result_attributes("pvalue", "statistic")
class FoldTest(FoldComparison):
    """A comparison of fold scores with a p-value."""

    gives = "p-value"

    _result = ComparisonResult

    _hypotheses = hypotheses(
        "over training and test sets of this size, {}'s learning algorithm scores no "
        "better than {}'s on average",
        "over training and test sets of this size, both learning algorithms score the "
        "same on average",
    )

    def _outcome(self, problem, fields, metric_caveats=None, early=()):
        if len(problem.names) == 2:
            metric_caveats = {
                metric: limit_caveat(own, metric, "fold")
                for metric, own in fields.items()
            }
        return super()._outcome(problem, fields, metric_caveats, early)

    def _estimate_outcome(self, problem, estimates, *, method, early=()):
        """Return an outcome from a `StudentEstimate` for each metric.

        For two models it is a test of the difference, for one model an interval for its
        score.
        """
        fields, metric_caveats, level = {}, {}, float(self.confidence_level)
        for metric, estimate in estimates.items():
            fields[metric] = own = {
                "df": estimate.df if np.isfinite(estimate.df) else None,
                "standard_error": estimate.error,
                "confidence_interval": estimate.interval(level),
                "confidence_level": level,
                "method": method,
            }
            if len(problem.names) == 1:
                interval = own["confidence_interval"]
                if not estimate.error:  # the variance cannot be estimated
                    interval = ConfidenceInterval(-np.inf, np.inf)
                own["confidence_interval"], metric_caveats[metric] = cut_interval(
                    interval, metric, problem.pairs(metric)
                )
            else:
                own["statistic"] = estimate.statistic
                own["statistic_name"] = "z" if own["df"] is None else "t"
                own["pvalue"] = estimate.pvalue(self.alternative)
        return self._outcome(problem, fields, metric_caveats, early)


class RandomSplits(FoldTest):
    """A test on its own random splits, which needs the scores of all splits."""

    takes = frozenset({"groups"})
    error_score = "raise"

    def _seed(self):
        return super()._seed() % N_SEEDS


def is_stratified(models, y):
    """Return whether scikit-learn would stratify the splits for these models."""
    return isinstance(splitter_for(models, as_array(y, "y"), 2), StratifiedKFold)


def training_size(problem, metric):
    """Return a phrase for the number of training rows of the folds."""
    if problem.splits is None:
        return "as many rows as these training folds have"
    smallest, largest = np.quantile(problem.sizes(metric)[0], [0, 1]).astype(int)
    # Ignore small differences in size.
    if largest - smallest <= 0.05 * largest:
        return f"about {format_count(largest, 'rows')}"
    return f"{smallest:,} to {largest:,} rows"


def corrected_differences(problem, metric):
    """Return the `StudentEstimate` of the difference, corrected by the fold ratio."""
    ratio = problem.ratio(metric)
    if ratio is None:
        raise ValueError(
            "`test_train_ratio` must be passed if the splits are unknown. Got None. "
            "For k folds it is 1 / (k - 1). Or pass the output of cross_validate with "
            "return_indices=True."
        )
    return corrected_estimate(problem.differences(metric), ratio)


def folds_of_units(fold, groups):
    """Return the fold of each group, or raise if a group is in several folds.

    Parameters
    ----------
    fold : ndarray of int of shape (n_rows,)
        The fold of each row.
    groups : ndarray of int of shape (n_rows,) or None
        The code of each row's group. None makes every row a group of its own.

    Returns
    -------
    ndarray of int of shape (n_groups,)
        The fold of each group.

    Examples
    --------
    >>> folds_of_units(np.array([0, 0, 1]), np.array([1, 1, 0])).tolist()
    [1, 0]
    """
    if groups is None:
        return fold
    fold_of_group = np.empty(groups.max() + 1, dtype=int)
    fold_of_group[groups] = fold
    split = np.flatnonzero(fold_of_group[groups] != fold)
    if len(split):
        raise ValueError(
            "`groups` must lie in one fold each: training and test rows must not come "
            "from the same group. Got a group with rows in several folds: that of row "
            f"{split[0]}. Use GroupKFold, or another splitter that keeps groups "
            "together."
        )
    return fold_of_group


def fold_caveats(problem, metric):
    """Yield caveats about folds that apply to every test."""
    n_models, n_folds = problem.scores[metric].shape
    differences, gaps = problem.differences(metric), problem.gaps_in(metric)
    if gaps:
        scored = "both models" if n_models > 1 else "the mean"
        text = (
            f"No {metric} on some folds, counted from 0: {gaps}. They are left out "
            f"for {'all models' if problem.gaps else scored}, and "
            f"{len(differences)} of {n_folds} folds remain. If fits do not "
            "fail at random, the remaining folds are not a random selection."
        )
        if metric in problem.errors:
            text += f" The first error: {problem.errors[metric]}"
        yield Caveat(FailedFitWarning, text, metric=metric)
    if problem.splits is not None and trains_on_the_past(problem.splits):
        yield Caveat(DependentFoldsWarning, IN_TIME)
    yield from problem.notes
    if n_models == 1 and corrected_estimate(differences, 0.0).error == 0:
        text = (
            f"{metric} is the same on each of the {len(differences)} folds: its "
            "variance cannot be estimated, and the interval covers the whole range of "
            "the metric. Use more folds, or CrossValidationCLT, whose interval is then "
            "a bound if each row is right or wrong."
        )
        brief = "scores of folds do not vary"
        yield Caveat(DegenerateDataWarning, text, brief=brief, metric=metric)
    elif not np.any(differences):
        text = (
            f"Both models have the same {metric} on each of the {len(differences)} "
            "folds: the difference is 0, and so is its variance."
        )
        yield Caveat(DegenerateDataWarning, text, metric=metric)
