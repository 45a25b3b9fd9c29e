"""Base classes of comparisons, which predict with the winning model."""

import copy
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
        return getattr(self._fitted_winner(), attribute)

    return property(read)


def _winner_has(method):
    """Check that the winning model, or before `fit` every candidate, has a method."""

    def check(self):
        fitted = "results_" in vars(self)
        for model in [self._fitted_winner()] if fitted else self._candidates():
            getattr(model, method)
        return True

    return check


def _frozen(model):
    """Return a model that stays fitted when cloned, or a clone if it is not fitted."""
    try:
        check_is_fitted(model)
    except (NotFittedError, TypeError):  # not fitted, or not an estimator
        return clone(model, safe=False)
    return model if isinstance(model, FrozenEstimator) else FrozenEstimator(model)


def refitted(model, X, y, **arguments):
    """Return a clone fitted on all rows, with the arguments of `fit_parameters`."""
    return clone(model).fit(X, as_array(y, "y"), **fit_parameters(model, **arguments))


def set_input_tags(tags, models):
    """Set the input tags of a comparison to those that all its models share.

    Parameters
    ----------
    tags : Tags
        The tags, which are modified.
    models : list
        The models.

    Returns
    -------
    list of Tags
        The tags of the models; empty if some model has none.
    """
    tags.target_tags.required = True
    if not all(hasattr(model, "__sklearn_tags__") for model in models):
        return []
    own = [get_tags(model) for model in models]
    if own:
        tags.input_tags.sparse = all(t.input_tags.sparse for t in own)
        tags.input_tags.allow_nan = all(t.input_tags.allow_nan for t in own)
        tags.input_tags.pairwise = all(t.input_tags.pairwise for t in own)
    return own


class WinnerPredicts(CallbackSupportMixin, MetaEstimatorMixin, FittedAttributes):
    """A comparison of models that predicts with the winning model.

    Subclasses return the candidate models in `_candidates`, and store a result for each
    metric in `results_` and the winner in `best_estimator_`.
    """

    # The method for comparisons without models, and a hint that recommends it.
    _method_without_models = "fit_predictions"
    _without_models = "For arrays of predictions use fit_predictions"

    classes_ = from_winner("classes_")
    n_features_in_ = from_winner("n_features_in_")
    feature_names_in_ = from_winner("feature_names_in_")

    __metadata_request__fit = {"names": metadata_routing.UNUSED}

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
        models = {
            name: _frozen(value)
            for name, value in self.get_params(deep=False).items()
            if name in ("estimator_a", "estimator_b")
        }
        return BaseEstimator.__sklearn_clone__(copy.copy(self).set_params(**models))

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

    def _fitted_winner(self):
        check_is_fitted(self, "results_")
        if "best_estimator_" not in vars(self):
            method = self._method_without_models
            reason = f"The comparison was made by {method}, without models"
            if not self.refit:
                reason = "With refit=False the winning model is not fitted on all data"
            elif "fold_" in vars(self):
                reason = "`extend` changed the winner, which only `fit` can refit"
            raise AttributeError(
                f"{reason}: there is no best_estimator_ to predict with."
            )
        return self.best_estimator_

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
        return self._fitted_winner().predict(X)

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
        return self._fitted_winner().predict_proba(X)

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
        return self._fitted_winner().predict_log_proba(X)

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
        return self._fitted_winner().decision_function(X)

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
        return self._fitted_winner().score(X, y, **params)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        own = set_input_tags(tags, self._candidates())
        if own:
            first = own[0]
            tags.estimator_type = first.estimator_type
            tags.classifier_tags = copy.deepcopy(first.classifier_tags)
            tags.regressor_tags = copy.deepcopy(first.regressor_tags)
        return tags
