"""What all comparisons of two models on the same rows share."""

import abc
import reprlib
from typing import NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted, column_or_1d

from skcompare._caveats import Caveat, warn_of
from skcompare._evaluation import (
    problem_of_models,
    problem_of_predictions,
    problem_of_row_scores,
)
from skcompare._parameters import settings_of
from skcompare._progress import followed
from skcompare._validation import seed_of
from skcompare.comparison._winner import WinnerPredicts, refitted, result_attributes
from skcompare.exceptions import DegenerateDataWarning, SmallSampleWarning
from skcompare.results import ComparisonResult
from skcompare.stats.clusters import effective_number

# Fewer rows, or groups, are too few for a bootstrap or a normal approximation.
FEWEST_UNITS = 30

# What rows can come with, and why a test may not take it.
_WHY_REFUSED = {
    "groups": "takes rows as independent, which those of a group are not",
    "strata": "has no resamples whose strata could keep their size",
    "sample_weight": "lets every row count alike",
}


class Outcome(NamedTuple):
    """What a test makes of a problem: nothing is warned of or stored yet.

    Attributes
    ----------
    results : dict
        A result for each metric, by name.
    caveats : tuple of Caveat
        What to bear in mind.
    """

    results: dict
    caveats: tuple


def outcome_of(test, kind, fields, early, late=()):
    """Return an outcome, given the fields of its results.

    Parameters
    ----------
    test : estimator
        What made them.
    kind : type
        The class of results.
    fields : dict of dict
        Fields of the result of each metric, by name. Caveats and cautions among them
        are texts that are kept with the result, and not warned of.
    early, late : list of Caveat or None
        What to warn of: early ones are kept with the results that they are about, late
        ones tell of something that results have a field for.

    Returns
    -------
    Outcome
        Results, and caveats that are there, each once.
    """
    early, late = (list(dict.fromkeys(filter(None, each))) for each in (early, late))
    made = {"test": type(test).__name__, "settings": settings_of(test)}
    results = {}
    for metric, own in fields.items():
        about = [caveat for caveat in early if caveat.metric in (None, metric)]
        briefs = dict.fromkeys(caveat.brief for caveat in about if caveat.brief)
        texts = (*(caveat.text for caveat in about), *own.get("caveats", ()))
        said = {"caveats": texts, "cautions": (*briefs, *own.get("cautions", ()))}
        results[metric] = kind(**{**made, **own, **said})
    return Outcome(results, (*early, *late))


def publish_single(test, outcome):
    """Keep the one result of an outcome, and warn the caller of what is odd."""
    warn_of(outcome.caveats)
    (test.result_,) = outcome.results.values()


@result_attributes("delta", "score_a", "score_b")
class TwoModelComparison(WinnerPredicts, abc.ABC):
    """Two models: does A score better than B?

    A subclass says in `make_problem` what the models are asked about data, and in
    `compare` what that shows.
    """

    # Whether rows are redrawn. If not, predictions of the two models change hands, so
    # that both models must be asked for the same responses.
    redraws_rows = True

    # Whether one set of resamples can serve all pairs of many models.
    shares_resamples = False

    # Whether `estimator_b` may be None: the result then is an interval for one score.
    takes_one_model = False

    @abc.abstractmethod
    def compare(self, problem):
        """Compare the two models of a problem.

        Parameters
        ----------
        problem : Problem
            What `make_problem` returns: predictions of two models, metrics, and what is
            redrawn together; or their scores on folds.

        Returns
        -------
        Outcome
            Results and caveats. Nothing is warned of, and the test stays as it is.
        """

    def _seed(self):
        """Return the seed of random draws, None for a test that makes none."""
        return seed_of(self.random_state) if "random_state" in vars(self) else None

    def _fit(self, X, y, names, params, **rows):
        """Ask the models about data, compare them, and keep the one that won.

        Parameters
        ----------
        X, y, names : object
            What `fit` got.
        params : dict
            Further parameters for the fits of the models.
        **rows : dict
            `groups`, `strata` and `sample_weight`, as far as `fit` names them.

        Returns
        -------
        object
            The problem that was compared.
        """
        refuse_untaken(self, rows)
        params = refuse_untaken(self, params)
        self.check_parameters()
        models = check_models(self, self._without_models)
        y = as_target(y, type(self).__name__)
        with followed(self):
            problem = self.make_problem(
                models, X, y, names=names, params=params, **rows
            )
            self._publish(problem)
        winner = self._winner(models)
        if problem.origin == "prefit":
            self.best_estimator_ = winner
        elif self.refit:
            rows.pop("strata", None)
            self.best_estimator_ = refitted(winner, X, y, params=params, **rows)
        return problem

    def _publish(self, problem):
        """Compare, and keep what comes of it."""
        self._keep(problem, self.compare(problem))

    def _keep(self, problem, outcome):
        """Keep the results of a fit, and warn the caller of what is odd."""
        warn_of(outcome.caveats)
        for name in ("best_estimator_", "fold_", "indices_", "splits_"):
            vars(self).pop(name, None)  # this fit may have less than an earlier one
        self.results_, self._problem = outcome.results, problem

    def _candidates(self):
        """Return the models one of which may win, as they were given."""
        one = self.takes_one_model and self.estimator_b is None
        return [self.estimator_a] if one else [self.estimator_a, self.estimator_b]

    def _winner(self, models):
        """Return A if it won in every metric or is alone, else B.

        Asking for all metrics is an intersection-union test: it keeps the level.
        """
        a, *others = models.values()
        if not others or all(result.favors_a for result in self.results_.values()):
            return a
        return others[0]


class RowComparison(TwoModelComparison):
    """Two models and their predictions for the same rows: does A score better than B?

    `compare` is all that a subclass has to write; who wants to ask the test about
    something else makes a problem and calls it.
    """

    # What the test takes, besides models and data.
    takes = frozenset({"predictions", "splits", "groups", "strata", "sample_weight"})

    # What is drawn at random as often as `n_resamples` says: "rows", "predictions" that
    # models swap, "signs" of what units add to the difference; None if nothing is.
    randomizes = None

    # Whether the test can be made on some of its rows.
    takes_slices = True

    # What these are where a test has no such parameters: how out-of-fold predictions
    # become a score, and what becomes of a fit that fails.
    aggregate = None
    error_score = "raise"

    # What the difference estimates, with a place for whose difference it is.
    _estimand = "the difference in score, on new rows like those given, between {}"

    def make_problem(self, models, X, y, *, names=None, params=None, **rows):
        """Ask models about data, as `fit` does.

        Parameters
        ----------
        models : dict
            Two models or more, by parameter name.
        X, y : object
            The data.
        names : sequence of str or None, default=None
            What to call the models.
        params : dict or None, default=None
            Further parameters for the fits of the models.
        **rows : dict
            `groups`, `strata` and `sample_weight`.

        Returns
        -------
        Problem
            What `compare` takes; of more than two models, `of_pair` first.
        """
        return problem_of_models(
            models,
            X,
            as_target(y, type(self).__name__),
            scoring=self.scoring,
            cv=self.cv,
            aggregate=self.aggregate,
            names=names,
            redraws_rows=self.redraws_rows,
            params=params,
            error_score=self.error_score,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
            seed=self._seed(),
            **rows,
        )

    def make_problem_of_predictions(self, y_true, predictions, *, names=None, **rows):
        """Take predictions for what models say about data, as `fit_predictions` does.

        Parameters
        ----------
        y_true : array-like
            The truth.
        predictions : dict
            The predictions of two models or more, by parameter name.
        names : sequence of str or None, default=None
            What to call the models.
        **rows : dict
            `groups`, `strata` and `sample_weight`.

        Returns
        -------
        Problem
            What `compare` takes; of more than two models, `of_pair` first.
        """
        return problem_of_predictions(
            y_true,
            predictions,
            scoring=self.scoring,
            aggregate=self.aggregate,
            names=names,
            redraws_rows=self.redraws_rows,
            seed=self._seed(),
            **rows,
        )

    def fit(
        self,
        X,
        y=None,
        *,
        groups=None,
        strata=None,
        sample_weight=None,
        names=None,
        **params,
    ):
        """Compare the two models on data.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or list
            With ``cv="prefit"`` a held-out test set, which neither model has seen;
            otherwise the data for cross-validation.
        y : array-like
            The truth.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same label are resampled together. Also passed to the
            splitter, and to models that search with a splitter of groups.
        strata : array-like of shape (n_samples,), default=None
            Each stratum keeps its size in every resample.
        sample_weight : array-like of shape (n_samples,), default=None
            Passed to the scorers, and with `cv` to the fits of the models, in pipelines
            to the last step. A model that cannot take weights is an error.
        names : pair of str, default=None
            What to call A and B; None takes the names of their classes.
        **params : dict
            With `cv`, further parameters for the fits of the models, as the `params` of
            :func:`~sklearn.model_selection.cross_validate`: those with one entry per
            row are taken at the training rows; with metadata routing on, each model
            and scorer gets those that it requests.

        Returns
        -------
        object
            The fitted comparison itself.
        """
        rows = {"groups": groups, "strata": strata, "sample_weight": sample_weight}
        problem = self._fit(X, y, names, params, **rows)
        if problem.fold is not None:
            self.fold_, self.indices_ = problem.fold, problem.indices
        return self

    def fit_predictions(
        self,
        y_true,
        y_pred_a,
        y_pred_b,
        *,
        groups=None,
        strata=None,
        sample_weight=None,
        fold=None,
        names=None,
    ):
        """Compare two models by their predictions.

        Parameters
        ----------
        y_true : array-like
            The truth.
        y_pred_a, y_pred_b : array-like or dict
            The response that the scorer asks for: labels, values, probabilities (of
            the positive class, or a column per class in sorted order) or decision
            values. A dict such as ``{"predict": ..., "predict_proba": ...}`` serves
            several scorers; its entry ``"classes"`` names the columns where `y_true`
            lacks a class. Frames whose columns are named after classes are read by
            these names, and rows with the index of `y_true` in another order by that;
            everything else goes by position.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same label are resampled together.
        strata : array-like of shape (n_samples,), default=None
            Each stratum keeps its size in every resample.
        sample_weight : array-like of shape (n_samples,), default=None
            Passed to the scorers.
        fold : array-like of shape (n_samples,), default=None
            The fold that each row was tested in, of out-of-fold predictions, such as
            the `predictions_` and `fold_` of a test that was fitted with `cv`.
        names : pair of str, default=None
            What to call A and B.

        Returns
        -------
        object
            The fitted comparison itself. It has results, and no model to predict with.
        """
        rows = {"groups": groups, "strata": strata, "sample_weight": sample_weight}
        refuse_untaken(self, rows)
        self.check_parameters()
        predictions = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
        if self.takes_one_model and y_pred_b is None:
            del predictions["y_pred_b"]
        with followed(self, "fit_predictions"):
            problem = self.make_problem_of_predictions(
                y_true, predictions, fold=fold, names=names, **rows
            )
            self._publish(problem)
        return self

    @property
    def problem_(self):
        """What was compared: predictions, metrics, and what is redrawn together."""
        check_is_fitted(self, "results_")
        return self._problem

    @property
    def predictions_(self):
        """The responses that were compared: for each model a dict, by method."""
        return self.problem_.predictions


class TakesRowScores(RowComparison):
    """A comparison that can be made on scores of single rows, from wherever."""

    def fit_row_scores(
        self, scores_a, scores_b, *, groups=None, strata=None, names=None
    ):
        """Compare two models by a score for every row, from wherever it comes.

        Such as nDCG per query, ROUGE per summary, or the grades of a judge.

        Parameters
        ----------
        scores_a, scores_b : array-like of shape (n_samples,)
            The scores of the two models for the same rows, higher for better. Their
            means are compared.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same label are resampled together.
        strata : array-like of shape (n_samples,), default=None
            Each stratum keeps its size in every resample.
        names : pair of str, default=None
            What to call A and B.

        Returns
        -------
        object
            The fitted comparison itself. It has results, and no model to predict with.
        """
        self.check_parameters()
        rows = {"groups": groups, "strata": strata}
        refuse_untaken(self, rows)
        problem = problem_of_row_scores(
            scores_a,
            scores_b,
            names=names,
            redraws_rows=self.redraws_rows,
            seed=self._seed(),
            **rows,
        )
        with followed(self, "fit_row_scores"):
            self._publish(problem)
        return self


@result_attributes("confidence_interval", "score_a_interval", "score_b_interval")
class GivesIntervals:
    """What comparisons have in common that also give an interval for either score."""


def hypotheses(no_better, same):
    """Return null hypotheses by alternative, one of them with places for the models."""
    return {
        "greater": no_better.format("A", "B"),
        "less": no_better.format("B", "A"),
        "two-sided": same,
    }


@result_attributes("pvalue")
class RowTest(RowComparison):
    """A comparison of two models on the same rows that ends in a p-value."""

    gives = "p-value"

    # The null hypothesis in words, for each alternative.
    _hypotheses = hypotheses(
        "in the population the rows come from, {} scores no better than {}",
        "in the population the rows come from, A and B score the same",
    )

    def _outcome(self, problem, fields, caveats=(), late=()):
        """Return an outcome with what all tests share.

        Parameters
        ----------
        problem : Problem
            What was compared.
        fields, late : dict of dict, list of Caveat or None
            As in `outcome_of`: facts of the problem and what is the test's own.
        caveats : sequence of Caveat or None, default=()
            What the test itself has to say, between what is odd about predictions and
            about splits.
        """
        shared = {
            "estimand": self._estimand.format(problem.subject),
            "alternative": self.alternative,
            "alpha": float(self.alpha),
            "hypothesis": self._hypotheses[self.alternative],
        }
        same = None
        if not problem.differs.any():
            text = (
                f"Both models predict the same on all {problem.n_rows} rows: the "
                "difference is 0 and the p-value 1, whatever the metric. An interval "
                "for it is a bound: rows on which the models differ may be rare."
            )
            same = Caveat(DegenerateDataWarning, text)
        early = [same, *problem.notes, *caveats, problem.series]
        fields = {metric: {**shared, **own} for metric, own in fields.items()}
        return outcome_of(self, ComparisonResult, fields, early, late)


def check_models(test, remedy):
    """Return the models of a test by parameter name, or say which is none."""
    models = {"estimator_a": test.estimator_a, "estimator_b": test.estimator_b}
    if test.takes_one_model and test.estimator_b is None:
        del models["estimator_b"]
    for parameter, model in models.items():
        if isinstance(model, type):
            raise ValueError(
                f"`{parameter}` must be a model, not its class. Pass an instance: "
                f"{model.__name__}()."
            )
        # Of the class, too: some models, such as stacks, have it only once fitted.
        methods = ("predict", "predict_proba")
        if not any(hasattr(m, name) for m in (model, type(model)) for name in methods):
            if parameter == "estimator_b" and model is None:
                remedy += (
                    ". For one model alone use CorrectedTTest, ConservativeZ, "
                    "CrossValidationCLT or NestedCVInterval"
                )
            raise ValueError(
                f"`{parameter}` must be a model with a predict method. "
                f"Got {reprlib.repr(model)}. {remedy}."
            )
    return models


def refuse_untaken(test, rows):
    """Raise if rows come with what a test does not take.

    Parameters
    ----------
    test : estimator
        The test, which says in `takes` what it takes.
    rows : dict
        What came besides the data, by name. What is None passes.

    Returns
    -------
    dict
        What the test may take.
    """
    untaken = _WHY_REFUSED.keys() - test.takes
    for parameter, why in _WHY_REFUSED.items():
        if parameter in untaken and rows.get(parameter) is not None:
            raise ValueError(
                f"`{parameter}` must be None for {type(test).__name__}, which {why}. "
                "Use PairedBootstrap or ApproxRandomization: they take "
                f"`{parameter}`."
            )
    return {name: value for name, value in rows.items() if name not in untaken}


def as_target(y, test):
    """Return the target that `fit` got, or say that `test` needs one.

    A column becomes a vector, as in scikit-learn, with its warning.
    """
    if y is None:
        raise ValueError(f"{test} requires y to be passed, but the target y is None.")
    if not hasattr(y, "shape") and not isinstance(y, list | tuple):
        y = np.asarray(y)
    shape = getattr(y, "shape", ())
    return column_or_1d(y, warn=True) if len(shape) == 2 and shape[1] == 1 else y


def size_caveats(problem, few, single="", uneven=""):
    """Say so if there are few units, strata that cannot vary, or units that count less.

    Units that are all strata of their own are an error: they cannot be redrawn.

    Parameters
    ----------
    problem : Problem
        What is compared.
    few, single, uneven : str
        What to say of few units, with a place for their number; of strata of one unit,
        after theirs; of units that weigh so unevenly that they count as few, at last.

    Yields
    ------
    Caveat
        The caveats.
    """
    units, unit, n_units = problem.units, problem.unit, problem.n_counted
    n_single = int(np.count_nonzero(units.stratum_sizes == 1))
    if n_single == len(units.stratum_sizes):
        raise ValueError(
            "`strata` must leave something to redraw: at least one of them with 2 rows "
            f"or groups. Got {len(units)} strata, or folds, of one each."
        )
    if n_units < FEWEST_UNITS:
        unit += " of positive weight" * (n_units < len(units))
        count = f"{n_units} {unit}"
        yield Caveat(SmallSampleWarning, few.format(count), brief=f"only {count}")
        return
    if n_single:
        brief = f"{n_single} strata of one {unit.removesuffix('s')}"
        text = f"{n_single} strata have {single}"
        yield Caveat(SmallSampleWarning, text, brief=brief)
    if unit == "rows" and problem.sample_weight is None:
        return  # all weigh alike
    n_effective = effective_number(problem.sizes)
    if n_effective < FEWEST_UNITS:
        worth = f"are worth {n_effective:.3g} even ones"
        yield Caveat(
            SmallSampleWarning,
            f"{n_units:,} {unit} of such uneven "
            f"{'weight' if unit == 'rows' else 'size'} {worth} (Kish), fewer than "
            f"{FEWEST_UNITS}: {uneven}",
            brief=f"{unit} {worth}",
        )


def few_units_caveat(n_units, unit):
    """Say so if there are too few units, rows or groups, for a normal approximation."""
    if n_units >= FEWEST_UNITS:
        return None
    return Caveat(
        SmallSampleWarning,
        f"The normal approximation is unreliable on {n_units} {unit}: fewer than "
        f"{FEWEST_UNITS}.",
        brief=f"only {n_units} {unit}",
    )
