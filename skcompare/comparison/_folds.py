"""What tests on the scores of cross-validation folds share."""

import numpy as np
from sklearn.model_selection import StratifiedKFold

from skcompare._caveats import Caveat
from skcompare._evaluation import (
    fold_problem,
    fold_problem_of_scores,
    splitter_for,
    trains_on_the_past,
)
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
    "All training rows precede their test rows, as in a series in time. Scores of "
    "neighboring folds may be alike for reasons other than the rows that they share, "
    "and training sets that grow change them: the test does not account for that."
)


class LearnerComparison(TwoModelComparison):
    """Two learning algorithms: does A score better than B on average?

    Both are fitted and scored on the same splits. A subclass says in `make_problem`
    how, and in `compare` what the scores show.
    """

    # What the test takes, besides models and data.
    takes = frozenset({"groups"})

    def fit(self, X, y=None, *, groups=None, names=None, **params):
        """Compare the two models by cross-validation.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or list
            The data for cross-validation.
        y : array-like
            The truth.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same label are not independent. Passed to the splitter, which
            keeps them together, and to models that search with a splitter of groups.
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
        self._fit(X, y, names, params, groups=groups)
        return self


class FoldComparison(LearnerComparison):
    """Two learning algorithms, compared by their scores on folds."""

    takes = frozenset({"splits", "groups"})

    # The class of its results.
    _result = None

    _method_without_models = "fit_scores"
    _without_models = "For scores of folds use fit_scores"

    def _splitter(self, models, y, groups, seed):
        """Return what makes the splits."""
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
            What to call the models.
        params : dict or None, default=None
            Further parameters for the fits of the models.
        **rows : dict
            `strata` and `sample_weight`, which must be None.

        Returns
        -------
        FoldProblem
            What `compare` takes; of more than two models, `of_pair` first. These are
            compared on the folds on which all of them have a score.
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
        return problem if len(models) == 2 else problem.where_all_have_one()

    def fit_scores(self, scores_a, scores_b=None, *, test_train_ratio=None, names=None):
        """Compare two models by scores of folds that are there already.

        Parameters
        ----------
        scores_a, scores_b : array-like or dict
            The scores of A and of B on the same folds in the same order, higher for
            better, or what :func:`~sklearn.model_selection.cross_validate` returned
            for them. Repeats of cross-validation may follow one another or be the rows
            of a matrix. nan marks a fold on which a fit failed. Tests that take one
            model need no `scores_b`.
        test_train_ratio : float, default=None
            The number of test rows over that of training rows: ``1 / (k - 1)`` for k
            folds. None takes it from the `indices` that `cross_validate` gives with
            ``return_indices=True``.
        names : pair of str, default=None
            What to call A and B.

        Returns
        -------
        object
            The fitted comparison itself. It has results, and no model to predict with.
        """
        self.check_parameters()
        if scores_b is None and not self.takes_one_model:
            raise ValueError(
                f"`scores_b` must be given to {type(self).__name__}, which compares "
                "two models. Got None. For an interval of one model's score use "
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

    def _outcome(self, problem, fields, odd=None, early=()):
        """Return an outcome, given what is this test's own.

        Parameters
        ----------
        problem : FoldProblem
            What was compared.
        fields : dict of dict
            Fields of the result of each metric, by name.
        odd : dict of Caveat or None, default=None
            What the test itself says of a metric, by name.
        early : sequence of Caveat, default=()
            What to say first, of all metrics.
        """
        results, caveats = {}, [*early]
        unit = "rows" if problem.groups is None else "groups"
        for metric, own in fields.items():
            scores_a, *others = problem.pairs(metric)
            caveats += [*fold_caveats(problem, metric), (odd or {}).get(metric)]
            facts = {
                "scoring": metric,
                "score_a": float(np.mean(scores_a)),
                "name_a": problem.names[0],
                "n_rows": len(scores_a),
                "n_units": len(scores_a),
                "unit": "folds",
                "cv": problem.origin,
                "seed": problem.seed,
            }
            estimand = "the expected score of the learning algorithm"
            if others:
                facts["score_b"] = float(np.mean(others[0]))
                facts["delta"] = float(np.mean(problem.differences(metric)))
                facts["name_b"] = problem.names[1]
                estimand = (
                    "the difference in expected score between both learning algorithms"
                )
            facts["estimand"] = (
                f"{estimand}, after training on {training_size(problem, metric)}, on "
                f"new {unit} like those given"
            )
            results[metric] = facts | own
        kind = ScoreResult if len(problem.names) == 1 else self._result
        return outcome_of(self, kind, results, caveats)


@result_attributes("pvalue", "statistic")
class FoldTest(FoldComparison):
    """A comparison of fold scores that ends in a p-value."""

    gives = "p-value"

    _result = ComparisonResult

    _hypotheses = hypotheses(
        "over training and test sets of this size, {}'s learning algorithm scores no "
        "better than {}'s on average",
        "over training and test sets of this size, both learning algorithms score the "
        "same on average",
    )

    def _outcome(self, problem, fields, odd=None, early=()):
        if len(problem.names) == 2:
            shared = {
                "hypothesis": self._hypotheses[self.alternative],
                "alternative": self.alternative,
                "alpha": float(self.alpha),
            }
            odd = {
                metric: limit_caveat(own["statistic"], metric, "fold")
                for metric, own in fields.items()
            }
            fields = {metric: {**shared, **own} for metric, own in fields.items()}
        return super()._outcome(problem, fields, odd, early)

    def _estimate_outcome(self, problem, estimates, *, method, early=()):
        """Return an outcome of a `StudentEstimate` for each metric.

        It is that of a test of the difference of two models, or an interval for the
        score of one.
        """
        fields, odd, level = {}, {}, float(self.confidence_level)
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
                if not estimate.error:  # nothing is known of how scores vary
                    interval = ConfidenceInterval(-np.inf, np.inf)
                own["confidence_interval"], odd[metric] = cut_interval(
                    interval, metric, problem.pairs(metric)
                )
            else:
                own["statistic"] = estimate.statistic
                own["statistic_name"] = "z" if own["df"] is None else "t"
                own["pvalue"] = estimate.pvalue(self.alternative)
        return self._outcome(problem, fields, odd, early)


class RandomSplits(FoldTest):
    """A test on random splits of its own, all of whose scores it needs."""

    takes = frozenset({"groups"})
    error_score = "raise"

    def _seed(self):
        return super()._seed() % N_SEEDS


def is_stratified(models, y):
    """Return whether splits keep the shares of classes, as scikit-learn's do."""
    return isinstance(splitter_for(models, as_array(y, "y"), 2), StratifiedKFold)


def training_size(problem, metric):
    """Return in words on how many rows the models of folds were trained."""
    if problem.splits is None:
        return "as many rows as these training folds have"
    smallest, largest = np.quantile(problem.sizes(metric)[0], [0, 1]).astype(int)
    # Folds that differ by a row or two are of one size.
    if largest - smallest <= 0.05 * largest:
        return f"about {largest:,} rows"
    return f"{smallest:,} to {largest:,} rows"


def corrected_differences(problem, metric):
    """Return the `StudentEstimate` of the difference, by the ratio of the folds."""
    ratio = problem.ratio(metric)
    if ratio is None:
        raise ValueError(
            "`test_train_ratio` must be given where the splits are not known. Got "
            "None. For k folds it is 1 / (k - 1). Or pass what cross_validate returns "
            "with return_indices=True."
        )
    return corrected_estimate(problem.differences(metric), ratio)


def folds_of_units(fold, groups):
    """Return the fold of each group, or say which group is in several.

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
    torn = np.flatnonzero(fold_of_group[groups] != fold)
    if len(torn):
        raise ValueError(
            "`groups` must lie in one fold each, for rows that a model is tested on "
            "must not be like those that it was trained on. Got a group with rows in "
            f"several: that of row {torn[0]}. Use GroupKFold, or another splitter "
            "that keeps groups together."
        )
    return fold_of_group


def fold_caveats(problem, metric):
    """Yield what is unusual about folds, whatever the test."""
    missing = np.isnan(problem.scores[metric])
    differences = problem.differences(metric)
    if missing.any():
        who = " and ".join(
            f"{name} on {', '.join(map(str, np.flatnonzero(gaps)))}"
            for name, gaps in zip(problem.names, missing, strict=True)
            if gaps.any()
        )
        text = (
            f"No {metric} on some folds, counted from 0: {who}. They are left out for "
            f"{'both models' if len(missing) > 1 else 'the mean'}, and "
            f"{len(differences)} of {missing.shape[1]} folds remain. "
            "If failures are not by chance, neither is what remains."
        )
        yield Caveat(FailedFitWarning, text, metric=metric)
    if problem.splits is not None and trains_on_the_past(problem.splits):
        yield Caveat(DependentFoldsWarning, IN_TIME)
    yield from problem.notes
    if len(missing) == 1 and corrected_estimate(differences, 0.0).error == 0:
        text = (
            f"{metric} is the same on each of the {len(differences)} folds: it shows "
            "no variance, and the interval for it is all that it can be. Use more "
            "folds, or CrossValidationCLT, whose interval then is a bound for right "
            "and wrong."
        )
        said = {"brief": "scores of folds do not vary", "metric": metric}
        yield Caveat(DegenerateDataWarning, text, **said)
    elif not np.any(differences):
        text = (
            f"Both models have the same {metric} on each of the {len(differences)} "
            "folds: the difference is 0, and so is its variance."
        )
        yield Caveat(DegenerateDataWarning, text, metric=metric)
