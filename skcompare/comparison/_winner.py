"""Base classes of comparisons, which predict with the winning model."""

import copy
import itertools
import operator

from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.utils import get_tags, metadata_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from skcompare._evaluation import fit_parameters, metadata_router
from skcompare._parameters import CheckedParameters
from skcompare._progress import CallbackSupportMixin
from skcompare._validation import as_array
from skcompare.comparison._named import like, pairs_in
from skcompare.results import notebook_html


class FittedAttributes(CheckedParameters, BaseEstimator):
    """An estimator whose fitted attributes raise NotFittedError before `fit`."""

    def __getattr__(self, name):
        """Raise a NotFittedError before `fit`, and the original error after it."""
        is_fitted = any(own.endswith("_") for own in vars(self))
        if name.endswith("_") and not name.startswith("_") and not is_fitted:
            raise NotFittedError(
                f"This {type(self).__name__} is not fitted yet: there is no {name}."
            )
        return self.__getattribute__(name)


def result_attributes(*fields):
    """Add fitted attributes to a class that return these fields of its `result_`."""

    def decorate(cls):
        for field in fields:
            read = operator.attrgetter(f"result_.{field}")
            setattr(cls, f"{field}_", property(read))
        return cls

    return decorate


def from_winner(attribute):
    """Return a property that reads a fitted attribute of the winning model."""

    def read(self):
        return getattr(self.best_estimator_, attribute)

    return property(read)


def _winner_has(method):
    """Check that the winning model, or before `fit` every candidate, has a method."""

    def check(self):
        fitted = "results_" in vars(self)
        for model in [self.best_estimator_] if fitted else self._candidates():
            getattr(model, method)
        return True

    return check


def _frozen(models):
    """Return a model, or several, that stay fitted when cloned; others are cloned."""
    pairs = pairs_in(models)
    if pairs is not None:
        return like(models, [(name, _frozen(model)) for name, model in pairs])
    try:
        check_is_fitted(models)
    except (NotFittedError, TypeError):  # not fitted, or not an estimator
        return clone(models, safe=False)
    return models if isinstance(models, FrozenEstimator) else FrozenEstimator(models)


def refitted(model, X, y, **arguments):
    """Return a clone fitted on all rows, with the arguments of `fit_parameters`."""
    return clone(model).fit(X, as_array(y, "y"), **fit_parameters(model, **arguments))


class ComparesModels(CallbackSupportMixin, MetaEstimatorMixin, FittedAttributes):
    """A comparison of models, which are values of its parameters."""

    # The parameters that hold the models: one each, or several by name.
    model_parameters = ("estimator_a", "estimator_b")

    __metadata_request__fit = {"names": metadata_routing.UNUSED}

    def _candidates(self):
        """Return the models that are compared, as passed."""
        values = [getattr(self, name) for name in self.model_parameters]
        named = ([model for _, model in pairs_in(v) or ()] or [v] for v in values)
        return list(itertools.chain(*named))

    def get_metadata_routing(self):
        """Return the router for the metadata of `fit`.

        Returns
        -------
        MetadataRouter
            Routes to the comparison itself, the models, scorers and the splitter.
        """
        models = [model for model in self._candidates() if model is not None]
        models = {f"model_{number}": model for number, model in enumerate(models)}
        own = self.get_params(deep=False)
        return metadata_router(
            self, models, scoring=own.get("scoring"), cv=own.get("cv")
        )

    def __sklearn_clone__(self):
        """Return an unfitted copy; models that are used as they are stay fitted."""
        if not isinstance(getattr(self, "cv", None), str):  # `cv` may be an array
            return super().__sklearn_clone__()
        frozen = {name: _frozen(getattr(self, name)) for name in self.model_parameters}
        return BaseEstimator.__sklearn_clone__(copy.copy(self).set_params(**frozen))

    def _tags_of_models(self):
        """Return the tags of the models; an empty list if some model has none."""
        models = self._candidates()
        if not all(hasattr(model, "__sklearn_tags__") for model in models):
            return []
        return [get_tags(model) for model in models]

    def __sklearn_tags__(self):
        """Return the tags; those of the input are shared by all models."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        own = [model.input_tags for model in self._tags_of_models()]
        for name in ("sparse", "allow_nan", "pairwise") if own else ():
            setattr(tags.input_tags, name, all(getattr(t, name) for t in own))
        return tags


# Why there is no winning model to predict with.
NO_MODELS = "The comparison was made from predictions or scores, without models"
NOT_REFITTED = "With refit=False the winning model is not fitted on all data"
OTHER_WINNER = "`extend` changed the winner, which only `fit` can refit"

# What a comparison without a winning model lacks.
OF_WINNER = {
    *("best_estimator_", "decision_function", "score"),
    *("predict", "predict_proba", "predict_log_proba"),
}


class WinnerPredicts(ComparesModels):
    """A comparison of models that predicts with the winning model.

    Subclasses store a result for each metric in `results_`, and the winner in
    `best_estimator_` or in `_no_winner` the reason why there is none.
    """

    # A hint that recommends the method for comparisons without models.
    _without_models = "For arrays of predictions use fit_predictions"

    classes_ = from_winner("classes_")
    n_features_in_ = from_winner("n_features_in_")
    feature_names_in_ = from_winner("feature_names_in_")

    def __getattr__(self, name):
        """Raise an error that explains why there is no winner to predict with."""
        own = vars(self)
        if name in OF_WINNER and "_no_winner" in own and "best_estimator_" not in own:
            raise AttributeError(
                f"{self._no_winner}: there is no best_estimator_ to predict with."
            )
        return super().__getattr__(name)

    @property
    def result_(self):
        """The result, if there is only one metric."""
        if len(self.results_) > 1:
            names = ", ".join(map(repr, self.results_))
            raise AttributeError(
                "Several metrics were compared, so there is no single result_, delta_, "
                f"pvalue_ and so on. Use results_[name], with name one of {names}."
            )
        return next(iter(self.results_.values()))

    def _repr_html_inner(self):
        """Return HTML with the results, if there are any, above the parameters."""
        html = super()._repr_html_inner()
        results = vars(self).get("results_")
        return html if results is None else notebook_html(results.values()) + html

    @available_if(_winner_has("predict"))
    def predict(self, X):
        """Predict with the winning model.

        Parameters
        ----------
        X : array-like
            The rows.

        Returns
        -------
        ndarray
            The output of ``best_estimator_.predict``.
        """
        return self.best_estimator_.predict(X)

    @available_if(_winner_has("predict_proba"))
    def predict_proba(self, X):
        """Predict probabilities with the winning model.

        Parameters
        ----------
        X : array-like
            The rows.

        Returns
        -------
        ndarray
            The output of ``best_estimator_.predict_proba``.
        """
        return self.best_estimator_.predict_proba(X)

    @available_if(_winner_has("predict_log_proba"))
    def predict_log_proba(self, X):
        """Predict logarithms of probabilities with the winning model.

        Parameters
        ----------
        X : array-like
            The rows.

        Returns
        -------
        ndarray
            The output of ``best_estimator_.predict_log_proba``.
        """
        return self.best_estimator_.predict_log_proba(X)

    @available_if(_winner_has("decision_function"))
    def decision_function(self, X):
        """Compute decision values with the winning model.

        Parameters
        ----------
        X : array-like
            The rows.

        Returns
        -------
        ndarray
            The output of ``best_estimator_.decision_function``.
        """
        return self.best_estimator_.decision_function(X)

    @available_if(_winner_has("score"))
    def score(self, X, y=None, **params):
        """Score the winning model.

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
            The output of ``best_estimator_.score``.
        """
        return self.best_estimator_.score(X, y, **params)

    def __sklearn_tags__(self):
        """Return the tags; those of the target are the first model's."""
        tags = super().__sklearn_tags__()
        for first in self._tags_of_models()[:1]:
            tags.estimator_type = first.estimator_type
            tags.classifier_tags = copy.deepcopy(first.classifier_tags)
            tags.regressor_tags = copy.deepcopy(first.regressor_tags)
        return tags
