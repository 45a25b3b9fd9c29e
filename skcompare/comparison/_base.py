"""Base classes of comparisons of two models on the same rows."""

import abc
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import check_is_fitted, column_or_1d

from skcompare._caveats import Caveat, warn_of
from skcompare._evaluation import (
    problem_of_models,
    problem_of_predictions,
    problem_of_row_scores,
)
from skcompare._format import describe, format_count
from skcompare._parameters import settings_of
from skcompare._progress import followed
from skcompare._validation import seed_of
from skcompare.comparison._winner import (
    NO_MODELS,
    NOT_REFITTED,
    WinnerPredicts,
    refitted,
    result_attributes,
)
from skcompare.exceptions import DegenerateDataWarning, SmallSampleWarning
from skcompare.results import ComparisonResult
from skcompare.stats.clusters import effective_number

# Minimum number of rows, or groups, for a bootstrap or a normal approximation.
FEWEST_UNITS = 30

# Reasons why a test may refuse these parameters.
_WHY_REFUSED = {
    "groups": "assumes independent rows, which rows of one group are not",
    "strata": "does not resample within strata",
    "sample_weight": "weights all rows equally",
}


_COLUMN_VECTOR = Caveat(
    DataConversionWarning,
    "A column-vector y was passed when a 1d array was expected. Please change the "
    "shape of y to (n_samples, ), for example using ravel().",
)


class Outcome(NamedTuple):
    """Results of a test on a problem, before warnings are issued or results stored.

    Attributes
    ----------
    results : dict
        A result for each metric, by name.
    caveats : tuple of Caveat
        The warnings to issue.
    """

    results: dict
    caveats: tuple


def outcome_of(test, kind, fields, early, late=(), *, hypotheses=None):
    """Return an outcome from the fields of its results.

    Parameters
    ----------
    test : estimator
        The test that computed the fields.
    kind : type
        The class of the results.
    fields : dict of dict
        Fields of the result of each metric, by name. The texts in `caveats` and
        `cautions` are stored in the result without a warning.
    early, late : list of Caveat or None
        Caveats to warn about. Early ones are also stored in the results that they
        concern; late ones repeat information that results have a field for.
    hypotheses : dict of str or None, default=None
        The null hypotheses of a test of two models, by alternative. Its results state
        what was tested.

    Returns
    -------
    Outcome
        Results, and caveats without None and duplicates.
    """
    early, late = (list(dict.fromkeys(filter(None, each))) for each in (early, late))
    origin = {"test": type(test).__name__, "settings": settings_of(test)}
    if hypotheses is not None:
        origin |= {
            "alternative": test.alternative,
            "alpha": float(test.alpha),
            "hypothesis": hypotheses[test.alternative],
        }
    results = {}
    for metric, own in fields.items():
        about = [caveat for caveat in early if caveat.metric in (None, metric)]
        briefs = dict.fromkeys(caveat.brief for caveat in about if caveat.brief)
        texts = (*(caveat.text for caveat in about), *own.get("caveats", ()))
        notes = {"caveats": texts, "cautions": (*briefs, *own.get("cautions", ()))}
        results[metric] = kind(**{**origin, **own, **notes})
    return Outcome(results, (*early, *late))


def publish_single(test, outcome):
    """Store the only result of an outcome, and issue its warnings."""
    warn_of(outcome.caveats)
    (test.result_,) = outcome.results.values()


@result_attributes("delta", "score_a", "score_b")
class TwoModelComparison(WinnerPredicts, abc.ABC):
    """Test whether model A scores better than model B.

    Subclasses implement `make_problem`, which evaluates the models on data, and
    `compare`, which tests the difference.
    """

    # Whether rows are resampled. If not, predictions are swapped between the two
    # models, which requires the same response method for both.
    redraws_rows = True

    # Whether one set of resamples can serve all pairs of many models.
    shares_resamples = False

    # Whether `estimator_b` may be None; the result is then an interval for one score.
    takes_one_model = False

    # Whether the test can be applied to subsets of its rows.
    takes_slices = False

    @abc.abstractmethod
    def compare(self, problem):
        """Compare the two models of a problem.

        Parameters
        ----------
        problem : Problem
            The problem returned by `make_problem`: predictions of two models, metrics
            and resampling units; or their scores on folds.

        Returns
        -------
        Outcome
            Results and caveats. No warnings are issued, and the test is not modified.
        """

    def _seed(self):
        """Return the seed of random draws, or None for a test without any."""
        return seed_of(self.random_state) if "random_state" in vars(self) else None

    def _fit(self, X, y, names, params, **rows):
        """Evaluate the models on data, compare them, and store the winner.

        Parameters
        ----------
        X, y, names : object
            The arguments of `fit`.
        params : dict
            Additional parameters for fitting the models.
        **rows : dict
            Those of `groups`, `strata` and `sample_weight` that `fit` has.

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
        winner, self._no_winner = self._winner(models), NOT_REFITTED
        if problem.origin == "prefit":
            self.best_estimator_ = winner
        elif self.refit:
            rows.pop("strata", None)
            self.best_estimator_ = refitted(winner, X, y, params=params, **rows)
        return problem

    def _publish(self, problem):
        """Compare, and store the outcome."""
        self._keep(problem, self.compare(problem))

    def _keep(self, problem, outcome):
        """Store the results of a fit, and issue its warnings."""
        warn_of(outcome.caveats)
        for name in ("best_estimator_", "fold_", "indices_", "splits_"):
            vars(self).pop(name, None)  # left over from an earlier fit
        self.results_, self._problem = outcome.results, problem
        self._no_winner = NO_MODELS

    def _candidates(self):
        """Return the models that are compared, as passed."""
        one = self.takes_one_model and self.estimator_b is None
        return [self.estimator_a] if one else super()._candidates()

    def _winner(self, models):
        """Return A if it is favored in every metric or is the only model, else B.

        Requiring all metrics is an intersection-union test, whose level is `alpha`.
        """
        a, *others = models.values()
        if not others or all(result.favors_a for result in self.results_.values()):
            return a
        return others[0]


class RowComparison(TwoModelComparison):
    """Test whether A scores better than B by their predictions for the same rows.

    Subclasses need to implement only `compare`. To apply a test to other inputs, make a
    problem and pass it to `compare`.
    """

    # Inputs that the test accepts, besides models and data.
    takes = frozenset({"predictions", "splits", "groups", "strata", "sample_weight"})

    # What is randomized `n_resamples` times: "rows" are resampled, "predictions" are
    # swapped between models, or "signs" of the units' contributions are flipped; None
    # if nothing is.
    randomizes = None

    takes_slices = True

    # Values for tests without these parameters: how out-of-fold predictions are
    # aggregated into a score, and how failed fits are handled.
    aggregate = None
    error_score = "raise"

    # The estimand of the difference, with a placeholder for the models compared.
    _estimand = "the difference in score, on new rows like these, between {}"

    def make_problem(self, models, X, y, *, names=None, params=None, **rows):
        """Evaluate models on data, as `fit` does.

        Parameters
        ----------
        models : dict
            Two models or more, by parameter name.
        X, y : object
            The data.
        names : sequence of str or None, default=None
            Names of the models.
        params : dict or None, default=None
            Additional parameters for fitting the models.
        **rows : dict
            `groups`, `strata` and `sample_weight`.

        Returns
        -------
        Problem
            The input of `compare`; for more than two models, call `of_pair` first.
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
        """Make a problem from predictions, as `fit_predictions` does.

        Parameters
        ----------
        y_true : array-like
            The target values.
        predictions : dict
            The predictions of two models or more, by parameter name.
        names : sequence of str or None, default=None
            Names of the models.
        **rows : dict
            `groups`, `strata` and `sample_weight`.

        Returns
        -------
        Problem
            The input of `compare`; for more than two models, call `of_pair` first.
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
            With ``cv="prefit"``, a held-out test set that neither model was fitted on;
            otherwise the data for cross-validation.
        y : array-like
            The target values.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same label are resampled, or swapped, together. Also passed to
            the splitter, and to search estimators whose splitter uses groups.
        strata : array-like of shape (n_samples,), default=None
            Each stratum keeps its size in every resample.
        sample_weight : array-like of shape (n_samples,), default=None
            Passed to the scorers and, with `cv`, to the `fit` of the models, in
            pipelines to the last step. A model that does not accept weights raises an
            error.
        names : pair of str, default=None
            Names of A and B. If None, their class names are used.
        **params : dict
            With `cv`, additional parameters for fitting the models, like the `params`
            of :func:`~sklearn.model_selection.cross_validate`: parameters with one
            entry per row are indexed by the training rows; with metadata routing
            enabled, each model and scorer receives those that it requests.

        Returns
        -------
        object
            The fitted comparison.
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
            The target values.
        y_pred_a, y_pred_b : array-like or dict
            The response that the scorer requires: labels, values, probabilities (of
            the positive class, or a column per class in sorted order) or decision
            values. A dict such as ``{"predict": ..., "predict_proba": ...}`` serves
            several scorers; its entry ``"classes"`` names the columns if `y_true`
            lacks a class. The columns of a DataFrame are matched by name if they are
            named after the classes, and its rows by index if that is the index of
            `y_true` in another order; otherwise both are matched by position.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same label are resampled, or swapped, together.
        strata : array-like of shape (n_samples,), default=None
            Each stratum keeps its size in every resample.
        sample_weight : array-like of shape (n_samples,), default=None
            Passed to the scorers.
        fold : array-like of shape (n_samples,), default=None
            The fold in which each row was tested, for out-of-fold predictions, such as
            the `predictions_` and `fold_` of a test fitted with `cv`.
        names : pair of str, default=None
            Names of A and B.

        Returns
        -------
        object
            The fitted comparison. It has results but no model to predict with.
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
        """The comparison problem: predictions, metrics and units resampled together."""
        check_is_fitted(self, "results_")
        return self._problem

    @property
    def predictions_(self):
        """The compared responses: a dict by response method for each model."""
        return self.problem_.predictions


class TakesRowScores(RowComparison):
    """A comparison that also accepts precomputed per-row scores."""

    def fit_row_scores(
        self, scores_a, scores_b, *, groups=None, strata=None, names=None
    ):
        """Compare two models by precomputed per-row scores.

        Examples are nDCG per query, ROUGE per summary, or the grades of a judge.

        Parameters
        ----------
        scores_a, scores_b : array-like of shape (n_samples,)
            The scores of the two models for the same rows; higher is better. Their
            means are compared.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same label are resampled, or swapped, together.
        strata : array-like of shape (n_samples,), default=None
            Each stratum keeps its size in every resample.
        names : pair of str, default=None
            Names of A and B.

        Returns
        -------
        object
            The fitted comparison. It has results but no model to predict with.
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
    """Mixin for comparisons with confidence intervals for the difference and scores."""


def hypotheses(no_better, same):
    """Return null hypotheses by alternative; `no_better` has two model placeholders."""
    return {
        "greater": no_better.format("A", "B"),
        "less": no_better.format("B", "A"),
        "two-sided": same,
    }


@result_attributes("pvalue")
class RowTest(RowComparison):
    """A comparison of two models on the same rows with a p-value."""

    gives = "p-value"

    # The null hypothesis for each alternative.
    _hypotheses = hypotheses(
        "in the population the rows come from, {} scores no better than {}",
        "in the population the rows come from, A and B score the same",
    )

    def n_tails(self, problem, metric):
        """Return 2 if the p-value is twice the proportion in one tail, else 1."""
        return 1

    def _outcome(self, problem, fields, caveats=(), late=()):
        """Return an outcome with the fields and caveats that all tests share.

        Parameters
        ----------
        problem : Problem
            The problem that was compared.
        fields, late : dict of dict, list of Caveat or None
            As in `outcome_of`; fields that are not shared by all tests.
        caveats : sequence of Caveat or None, default=()
            Caveats of the test, placed between those about predictions and splits.
        """
        identical = None
        if not problem.differs.any():
            text = (
                f"Both models predict the same on all {problem.n_rows} rows: the "
                "difference is 0 and the p-value 1 for every metric. An interval for "
                "the difference is a bound: rows on which the models differ may be "
                "rare."
            )
            identical = Caveat(DegenerateDataWarning, text)
        early = [identical, *problem.notes, *caveats, problem.series]
        estimand, subjects = self._estimand, problem.subjects
        fields = {
            metric: {"estimand": estimand.format(subjects[metric]), **own}
            for metric, own in fields.items()
        }
        return outcome_of(
            self, ComparisonResult, fields, early, late, hypotheses=self._hypotheses
        )


def check_models(test, remedy):
    """Return the models of a test by parameter name, or raise if one is invalid."""
    models = {name: getattr(test, name) for name in test.model_parameters}
    if test.takes_one_model and test.estimator_b is None:
        del models["estimator_b"]
    for parameter, model in models.items():
        if isinstance(model, type):
            raise ValueError(
                f"`{parameter}` must be a model, not its class. Pass an instance: "
                f"{model.__name__}()."
            )
        # Check the class, too: stacking estimators have `predict` only once fitted.
        methods = ("predict", "predict_proba")
        if not any(hasattr(m, name) for m in (model, type(model)) for name in methods):
            if parameter == "estimator_b" and model is None:
                remedy += (
                    ". For one model alone use CorrectedTTest, ConservativeZ, "
                    "CrossValidationCLT or NestedCVInterval"
                )
            raise ValueError(
                f"`{parameter}` must be a model with a predict method. "
                f"Got {describe(model)}. {remedy}."
            )
    return models


def refuse_untaken(test, rows):
    """Raise an error for parameters that a test does not accept.

    Parameters
    ----------
    test : estimator
        The test, whose `takes` lists the accepted parameters.
    rows : dict
        The parameters passed besides the data, by name. None is always accepted.

    Returns
    -------
    dict
        The parameters without those that the test does not accept.
    """
    untaken = _WHY_REFUSED.keys() - test.takes
    for parameter, reason in _WHY_REFUSED.items():
        if parameter in untaken and rows.get(parameter) is not None:
            raise ValueError(
                f"`{parameter}` must be None for {type(test).__name__}, which "
                f"{reason}. Use PairedBootstrap or ApproxRandomization: they take "
                f"`{parameter}`."
            )
    return {name: value for name, value in rows.items() if name not in untaken}


def as_target(y, test):
    """Return the target that `fit` received, or raise if it is None.

    A column vector is raveled with the warning of scikit-learn, but pointing to the
    caller.
    """
    if y is None:
        raise ValueError(f"{test} requires y to be passed, but the target y is None.")
    if not hasattr(y, "shape") and not isinstance(y, list | tuple):
        y = np.asarray(y)
    shape = getattr(y, "shape", ())
    if len(shape) != 2 or shape[1] != 1:
        return y
    warn_of([_COLUMN_VECTOR])
    return column_or_1d(y)


def size_caveats(problem, few, single="", uneven=""):
    """Yield caveats about few units, strata of one unit, and unevenly weighted units.

    Raise an error if all strata have a single unit: there is nothing to resample.

    Parameters
    ----------
    problem : Problem
        The problem that is compared.
    few, single, uneven : str
        Texts about few units, with a placeholder for their number; about strata of one
        unit, following the number of strata; and about weights so uneven that the
        effective number of units is small, following that number.

    Yields
    ------
    Caveat
        The caveats.
    """
    units, unit, n_units = problem.units, problem.unit, problem.n_counted
    n_single = int(np.count_nonzero(units.stratum_sizes == 1))
    if n_single == len(units.stratum_sizes):
        raise ValueError(
            "`strata` must have at least one stratum, or fold, with 2 or more rows or "
            f"groups to resample. Got {len(units)} with one each."
        )
    if n_units < FEWEST_UNITS:
        count = format_count(n_units, unit)
        count += " of positive weight" * (n_units < len(units))
        yield Caveat(SmallSampleWarning, few.format(count), brief=f"only {count}")
        return
    if n_single:
        brief = f"strata of one {unit.removesuffix('s')}"
        text = f"S{brief[1:]}: {n_single}. {single}"
        yield Caveat(SmallSampleWarning, text, brief=brief)
    if units.groups is None and problem.sample_weight is None:
        return  # equal weights
    n_effective = effective_number(problem.sizes)
    if n_effective < FEWEST_UNITS:
        size = "weight" if unit == "rows" else "size"
        effective = f"an effective sample size of {n_effective:.3g}"
        yield Caveat(
            SmallSampleWarning,
            f"{n_units:,} {unit} of such uneven {size} have {effective} (Kish), less "
            f"than {FEWEST_UNITS}: {uneven}",
            brief=f"{unit} with {effective}",
        )


def few_units_caveat(n_units, unit):
    """Return a caveat if units are too few for a normal approximation, else None."""
    if n_units >= FEWEST_UNITS:
        return None
    count = format_count(n_units, unit)
    return Caveat(
        SmallSampleWarning,
        f"The normal approximation is unreliable on {count}: fewer than "
        f"{FEWEST_UNITS}.",
        brief=f"only {count}",
    )
