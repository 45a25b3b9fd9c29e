"""What all comparisons of two models share: data in, results and the winner out."""

import abc
import copy
import warnings

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, column_or_1d

from skcompare._validation import (
    as_array,
    as_labels,
    as_weights,
    check_fraction,
    check_option,
    check_same_length,
    number_of_rows,
)
from skcompare.comparison._caveats import (
    degenerate_caveat,
    pooling_caveat,
    undefined_caveat,
)
from skcompare.comparison._question import pose_question
from skcompare.evaluation import (
    accepts_weights,
    evaluate_fitted,
    evaluate_out_of_fold,
    evaluate_predictions,
    resolve_scoring,
)
from skcompare.inference import ALTERNATIVES

__all__ = ["BaseComparison", "as_vector", "from_result"]


def from_result(field):
    """Make a fitted attribute that is read from the one result."""

    def read(self):
        return getattr(self.result_, field)

    return property(read)


def from_winner(attribute):
    """Make a fitted attribute that is read from the model that won."""

    def read(self):
        return getattr(self._fitted_winner(), attribute)

    return property(read)


def _winner_has(method):
    def check(self):
        getattr(vars(self).get("best_estimator_", self.estimator_a), method)
        return True

    return check


class BaseComparison(MetaEstimatorMixin, BaseEstimator, abc.ABC):
    """Two models, one question: does A score better than B?

    A subclass says in `_answer` how a `Question` becomes results.
    """

    # How many calls up warnings point, to the caller of `fit`.
    _warning_level = 3

    # Whether answers of the two models change hands, so that both must be of one kind.
    _exchanges_answers = False

    delta_ = from_result("delta")
    score_a_ = from_result("score_a")
    score_b_ = from_result("score_b")
    pvalue_ = from_result("pvalue")

    classes_ = from_winner("classes_")
    n_features_in_ = from_winner("n_features_in_")
    feature_names_in_ = from_winner("feature_names_in_")

    @abc.abstractmethod
    def _answer(self, question, caveats):
        """Return a `ComparisonResult` for each metric, by name."""

    def _caveats(self, question):
        """Return what to warn of before the test, None where there is nothing."""
        sample = question.sample
        return [degenerate_caveat(sample), pooling_caveat(sample, question.statistics)]

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
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is "
                "None."
            )
        y = as_vector(y)
        weights = as_weights(sample_weight)
        _check_rows("X", X, y=y, groups=groups, strata=strata, sample_weight=weights)
        scorers = resolve_scoring(self.scoring, y=y, models=list(models.values()))
        sample = self._evaluate(models, X, y, scorers, groups, weights)
        self._conclude(sample, scorers, groups, strata)
        if sample.fold is not None:
            self.fold_, self.indices_ = sample.fold, sample.indices
        self.best_estimator_ = self._winner(models, X, as_array(y, "y"), weights)
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
            lacks a class.
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
        _check_rows(
            "y_true", y_true, groups=groups, strata=strata, sample_weight=weights
        )
        scorers = resolve_scoring(self.scoring, y=as_array(y_true, "y_true"))
        sample = evaluate_predictions(
            y_true,
            {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b},
            sample_weight=weights,
            same_methods=self._exchanges_answers,
        )
        self._conclude(sample, scorers, groups, strata)
        return self

    def _models(self):
        models = {"estimator_a": self.estimator_a, "estimator_b": self.estimator_b}
        for parameter, model in models.items():
            if not hasattr(model, "predict") and not hasattr(model, "predict_proba"):
                raise ValueError(
                    f"`{parameter}` must be a model with a predict method. "
                    f"Got {model!r}. For arrays of predictions use fit_predictions."
                )
        return models

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
        question = pose_question(
            sample,
            scorers,
            groups=None if groups is None else as_labels(groups, "groups"),
            strata=None if strata is None else as_labels(strata, "strata"),
            seed=self._seed(),
        )
        caveats = list(filter(None, self._caveats(question)))
        results = self._answer(question, tuple(c.text for c in caveats))
        caveats += filter(None, [undefined_caveat(results)])
        for caveat in caveats:
            warnings.warn(caveat.text, caveat.category, stacklevel=self._warning_level)
        for name in ("fold_", "indices_", "best_estimator_"):
            vars(self).pop(name, None)  # this fit may have less than an earlier one
        self.results_ = results

    @property
    def result_(self):
        """The result, if there was one metric."""
        check_is_fitted(self, "results_")
        if len(self.results_) > 1:
            names = ", ".join(map(repr, self.results_))
            raise AttributeError(
                "Several metrics were compared, so there is no single result_, delta_, "
                f"pvalue_ and so on. Use results_[name], with name one of {names}."
            )
        return next(iter(self.results_.values()))

    def _winner(self, models, X, y, weights):
        """Return A if it won in every metric, else B; with `cv`, fitted on all rows.

        Asking for all metrics is an intersection-union test: it keeps the level.
        """
        a, b = models.values()
        results = self.results_.values()
        winner = a if all(r.significant and r.delta > 0 for r in results) else b
        if isinstance(self.cv, str):
            return winner
        weighted = weights is not None and accepts_weights(winner)
        params = {"sample_weight": weights} if weighted else {}
        return clone(winner).fit(X, y, **params)

    def _fitted_winner(self):
        check_is_fitted(self, "results_")
        if "best_estimator_" not in vars(self):
            raise AttributeError(
                "The comparison was made by fit_predictions, without models: there is "
                "no best_estimator_ to predict with."
            )
        return self.best_estimator_

    @available_if(_winner_has("predict"))
    def predict(self, X):
        """Predict with the model that won.

        Parameters
        ----------
        X : array-like
            The rows.

        Returns
        -------
        ndarray
            What ``best_estimator_.predict`` returns.
        """
        return self._fitted_winner().predict(X)

    @available_if(_winner_has("predict_proba"))
    def predict_proba(self, X):
        """Predict probabilities with the model that won.

        Parameters
        ----------
        X : array-like
            The rows.

        Returns
        -------
        ndarray
            What ``best_estimator_.predict_proba`` returns.
        """
        return self._fitted_winner().predict_proba(X)

    @available_if(_winner_has("decision_function"))
    def decision_function(self, X):
        """Compute decision values with the model that won.

        Parameters
        ----------
        X : array-like
            The rows.

        Returns
        -------
        ndarray
            What ``best_estimator_.decision_function`` returns.
        """
        return self._fitted_winner().decision_function(X)

    @available_if(_winner_has("score"))
    def score(self, X, y=None, **params):
        """Score the model that won.

        Parameters
        ----------
        X : array-like
            The rows.
        y : array-like, default=None
            The truth.
        **params : dict
            Passed on, such as `sample_weight`.

        Returns
        -------
        float
            What ``best_estimator_.score`` returns.
        """
        return self._fitted_winner().score(X, y, **params)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        models = [self.estimator_a, self.estimator_b]
        known = [get_tags(m) for m in models if hasattr(m, "__sklearn_tags__")]
        if len(known) == len(models):
            first = known[0]
            tags.estimator_type = first.estimator_type
            tags.classifier_tags = copy.deepcopy(first.classifier_tags)
            tags.regressor_tags = copy.deepcopy(first.regressor_tags)
            tags.input_tags.sparse = all(t.input_tags.sparse for t in known)
            tags.input_tags.allow_nan = all(t.input_tags.allow_nan for t in known)
        return tags


def as_vector(y):
    """Turn a column into a vector, as scikit-learn does, with its warning."""
    if not hasattr(y, "shape") and not isinstance(y, list | tuple):
        y = np.asarray(y)
    shape = getattr(y, "shape", ())
    return column_or_1d(y, warn=True) if len(shape) == 2 and shape[1] == 1 else y


def _check_rows(name, values, **others):
    """Check that there are at least two rows, and one entry per row elsewhere."""
    n_rows = number_of_rows(values, name)
    if n_rows < 2:
        raise ValueError(
            f"`{name}` must have at least 2 rows to compare models on. "
            f"Got n_samples = {n_rows}."
        )
    check_same_length((name, n_rows), **others)
