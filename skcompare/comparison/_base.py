"""What all comparisons of two models share: data in, results and the winner out."""

import abc
import warnings

import numpy as np
from sklearn.utils.validation import column_or_1d

from skcompare._callbacks import followed
from skcompare._frames import check_same_order
from skcompare._validation import (
    as_array,
    as_labels,
    as_weights,
    check_fraction,
    check_option,
    check_same_length,
    number_of_rows,
)
from skcompare.comparison._aggregate import POOLED
from skcompare.comparison._caveats import (
    degenerate_caveat,
    label_caveat,
    series_caveat,
    undefined_caveat,
)
from skcompare.comparison._question import pose_question
from skcompare.comparison._winner import WinnerPredicts, from_result, refitted
from skcompare.evaluation import (
    evaluate_fitted,
    evaluate_out_of_fold,
    evaluate_predictions,
    resolve_scoring,
)
from skcompare.inference import ALTERNATIVES

__all__ = ["BaseComparison", "as_target", "as_vector", "check_rows", "from_result"]


class BaseComparison(WinnerPredicts, abc.ABC):
    """Two models, one question: does A score better than B?

    A subclass says in `_answer` how a `Question` becomes results.
    """

    # How many calls up warnings point, to the caller of `fit`.
    _warning_level = 3

    # How the answers of folds become one score.
    _aggregate = POOLED

    # Whether answers of the two models change hands, so that both must be of one kind.
    _exchanges_answers = False

    delta_ = from_result("delta")
    score_a_ = from_result("score_a")
    score_b_ = from_result("score_b")
    pvalue_ = from_result("pvalue")

    @abc.abstractmethod
    def _answer(self, question, caveats):
        """Return a `ComparisonResult` for each metric, by name."""

    def _caveats(self, question):
        """Return what to warn of before the test, None where there is nothing."""
        return [degenerate_caveat(question.sample), question.aggregate_caveat]

    def _split_caveat(self, question):
        """Return what to warn of in how rows were trained on and tested, or None."""
        return series_caveat(question.sample, question.units.groups)

    def _early_caveats(self, question):
        """Return all that is to be warned of before the test."""
        known = [*self._caveats(question), self._split_caveat(question)]
        known.append(label_caveat(question.sample.y_array, question.sample.labels()))
        return list(filter(None, known))

    def _late_caveats(self, results):
        """Return what to warn of after the test, None where there is nothing."""
        return [undefined_caveat(results)]

    def _seed(self):
        """Return the seed of random draws, None for a test that makes none."""
        return None

    def _check_parameters(self):
        check_option("alternative", self.alternative, ALTERNATIVES)
        check_fraction("alpha", self.alpha)

    def fit(self, X, y=None, *, groups=None, strata=None, sample_weight=None):
        """Compare the two models on data.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or list
            With ``cv="prefit"`` test data that neither model has seen; otherwise the
            data for cross-validation.
        y : array-like
            The truth.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same label are resampled together. Also passed to the
            splitter.
        strata : array-like of shape (n_samples,), default=None
            Each stratum keeps its size in every resample.
        sample_weight : array-like of shape (n_samples,), default=None
            Passed to the scorers, and with `cv` to the fits of models that take it.

        Returns
        -------
        object
            The fitted comparison itself.
        """
        self._check_parameters()
        models = self._models()
        y = as_target(y, type(self).__name__)
        weights = as_weights(sample_weight)
        layout = {"groups": groups, "strata": strata, "sample_weight": sample_weight}
        check_rows("X", X, y=y, **layout)
        scorers = resolve_scoring(self.scoring, y=y, models=list(models.values()))
        with followed(self):
            sample = self._evaluate(models, X, y, scorers, groups, weights)
            self._conclude(sample, scorers, groups, strata)
        if sample.fold is not None:
            self.fold_, self.indices_ = sample.fold, sample.indices
        winner = self._winner(models)
        if not isinstance(self.cv, str):
            winner = refitted(winner, X, as_array(y, "y"), weights)
        self.best_estimator_ = winner
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
    ):
        """Compare two models by what they answered.

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

        Returns
        -------
        object
            The fitted comparison itself. It has results, and no model to predict with.
        """
        self._check_parameters()
        weights = as_weights(sample_weight)
        layout = {"groups": groups, "strata": strata, "sample_weight": sample_weight}
        check_rows("y_true", y_true, **layout)
        scorers = resolve_scoring(self.scoring, y=as_array(y_true, "y_true"))
        sample = evaluate_predictions(
            y_true,
            {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b},
            sample_weight=weights,
            same_methods=self._exchanges_answers,
        )
        with followed(self, "fit_predictions"):
            self._conclude(sample, scorers, groups, strata)
        return self

    def _evaluate(self, models, X, y, scorers, groups, weights):
        shared = {"sample_weight": weights, "same_methods": self._exchanges_answers}
        if isinstance(self.cv, str):
            check_option("cv", self.cv, ("prefit",))
            return evaluate_fitted(models, X, y, **shared)
        return evaluate_out_of_fold(
            models,
            X,
            y,
            cv=self.cv,
            scorers=list(scorers.values()),
            groups=groups,
            n_jobs=self.n_jobs,
            **shared,
        )

    def _conclude(self, sample, scorers, groups, strata):
        """Ask the question, warn of what is odd about it, and keep the answer."""
        question = self._pose(sample, scorers, groups, strata)
        caveats = self._early_caveats(question)
        results = self._answer(question, tuple(c.text for c in caveats))
        caveats += filter(None, self._late_caveats(results))
        for caveat in caveats:
            warnings.warn(caveat.text, caveat.category, stacklevel=self._warning_level)
        for name in ("fold_", "indices_", "best_estimator_"):
            vars(self).pop(name, None)  # this fit may have less than an earlier one
        self.results_ = results

    def _pose(self, sample, scorers, groups, strata):
        """Return the question that the test is asked about a sample."""
        return pose_question(
            sample,
            scorers,
            groups=None if groups is None else as_labels(groups, "groups"),
            strata=None if strata is None else as_labels(strata, "strata"),
            seed=self._seed(),
            aggregate=self._aggregate,
            redraws_rows=not self._exchanges_answers,
        )


def as_target(y, test):
    """Return the target that `fit` got, or say that `test` needs one."""
    if y is None:
        raise ValueError(f"{test} requires y to be passed, but the target y is None.")
    return as_vector(y)


def as_vector(y):
    """Turn a column into a vector, as scikit-learn does, with its warning."""
    if not hasattr(y, "shape") and not isinstance(y, list | tuple):
        y = np.asarray(y)
    shape = getattr(y, "shape", ())
    return column_or_1d(y, warn=True) if len(shape) == 2 and shape[1] == 1 else y


def check_rows(name, values, **others):
    """Check that there are two rows or more, one entry for each, in the same order."""
    n_rows = number_of_rows(values, name)
    if n_rows < 2:
        raise ValueError(
            f"`{name}` must have at least 2 rows to compare models on. "
            f"Got n_samples = {n_rows}."
        )
    check_same_length((name, n_rows), **others)
    check_same_order(**{name: values}, **others)
