"""What a comparison of two models is as a model itself: the one that won."""

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
    """An estimator of which nothing can be read that `fit` sets before it does."""

    def __getattr__(self, name):
        """Raise a NotFittedError before `fit`, and otherwise what was raised."""
        is_fitted = any(own.endswith("_") for own in vars(self))
        if name.endswith("_") and not name.startswith("_") and not is_fitted:
            raise NotFittedError(
                f"This {type(self).__name__} is not fitted yet: there is no {name}."
            )
        return self.__getattribute__(name)


def result_attributes(*fields):
    """Give a class a fitted attribute for each of these fields of its one result."""

    def decorate(cls):
        for field in fields:
            read = operator.attrgetter(f"result_.{field}")
            setattr(cls, f"{field}_", property(read))
        return cls

    return decorate


def from_winner(attribute):
    """Make a fitted attribute that is read from the model that won."""

    def read(self):
        return getattr(self._fitted_winner(), attribute)

    return property(read)


def _winner_has(method):
    """Ask the model that won; before it has, all that may."""

    def check(self):
        fitted = "results_" in vars(self)
        for model in [self._fitted_winner()] if fitted else self._candidates():
            getattr(model, method)
        return True

    return check


def _frozen(model):
    """Return a model as one that stays fitted where it is cloned, if it is fitted."""
    try:
        check_is_fitted(model)
    except (NotFittedError, TypeError):  # not fitted, or no estimator at all
        return clone(model, safe=False)
    return model if isinstance(model, FrozenEstimator) else FrozenEstimator(model)


def refitted(model, X, y, **arguments):
    """Return a clone fitted on all rows, with the arguments of `fit_parameters`."""
    return clone(model).fit(X, as_array(y, "y"), **fit_parameters(model, **arguments))


def set_input_tags(tags, models):
    """Have the tags of a comparison say which data all its models take.

    Parameters
    ----------
    tags : Tags
        The tags, which are changed.
    models : list
        The models.

    Returns
    -------
    list of Tags
        Those of the models; empty if some model has none.
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
    """A comparison of models that predicts with the one that won.

    A subclass says in `_candidates` which may win, and keeps a result for each metric
    in `results_` and the winner in `best_estimator_`.
    """

    # What to call where there are no models, and the hint that says so.
    _method_without_models = "fit_predictions"
    _without_models = "For arrays of predictions use fit_predictions"

    classes_ = from_winner("classes_")
    n_features_in_ = from_winner("n_features_in_")
    feature_names_in_ = from_winner("feature_names_in_")

    __metadata_request__fit = {"names": metadata_routing.UNUSED}

    def get_metadata_routing(self):
        """Return the router that says where metadata of `fit` go.

        Returns
        -------
        MetadataRouter
            To the comparison itself, to the models, to scorers and to the splitter.
        """
        models = [model for model in self._candidates() if model is not None]
        models = {f"model_{number}": model for number, model in enumerate(models)}
        own = self.get_params(deep=False)
        return metadata_router(
            self, models, scoring=own.get("scoring"), cv=own.get("cv")
        )

    def __sklearn_clone__(self):
        """Return an unfitted copy; models that are used as they are stay fitted."""
        if not isinstance(getattr(self, "cv", None), str):  # an array equals no text
            return super().__sklearn_clone__()
        models = {
            name: _frozen(value)
            for name, value in self.get_params(deep=False).items()
            if name in ("estimator_a", "estimator_b")
        }
        return BaseEstimator.__sklearn_clone__(copy.copy(self).set_params(**models))

    @property
    def result_(self):
        """The result, if there was one metric."""
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
            made_by = self._method_without_models
            why = f"The comparison was made by {made_by}, without models"
            if not self.refit:
                why = "With refit=False the model that won is not fitted on all data"
            elif "fold_" in vars(self):
                why = "By `extend` the other model won, and only `fit` would fit that"
            raise AttributeError(f"{why}: there is no best_estimator_ to predict with.")
        return self.best_estimator_

    def _repr_html_inner(self):
        """Show the result above the parameters, once there is one."""
        shown = super()._repr_html_inner()
        results = vars(self).get("results_")
        return shown if results is None else notebook_html(results.values()) + shown

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

    @available_if(_winner_has("predict_log_proba"))
    def predict_log_proba(self, X):
        """Predict logarithms of probabilities with the model that won.

        Parameters
        ----------
        X : array-like
            The rows.

        Returns
        -------
        ndarray
            What ``best_estimator_.predict_log_proba`` returns.
        """
        return self._fitted_winner().predict_log_proba(X)

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
        own = set_input_tags(tags, self._candidates())
        if own:
            first = own[0]
            tags.estimator_type = first.estimator_type
            tags.classifier_tags = copy.deepcopy(first.classifier_tags)
            tags.regressor_tags = copy.deepcopy(first.regressor_tags)
        return tags
