"""Models: what to call them, what they can be asked, and what fitted ones predict."""

import copy
import functools
import warnings

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils import Tags, TargetTags, get_tags
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from skcompare._evaluation._responses import as_response, common_classes
from skcompare._evaluation._sample import RESPONSE_METHODS, CachedModel, Sample
from skcompare._validation import as_array, number_of_rows, take_rows


def name_of(model):
    """Return what to call a model: its class, or that of a pipeline's last step."""
    while isinstance(model, Pipeline | FrozenEstimator):
        frozen = isinstance(model, FrozenEstimator)
        model = model.estimator if frozen else model.steps[-1][1]
    return type(model).__name__


def available_methods(model):
    """Return the response methods that a model has."""
    return tuple(name for name in RESPONSE_METHODS if hasattr(model, name))


def target_type(y):
    """Return scikit-learn's word for a target, without its guesses about the task."""
    if getattr(y, "dtype", None) is not None and y.dtype.names:
        return "unknown"  # records, such as events and times of a survival analysis
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return type_of_target(y)
        except ValueError:  # such as sequences of different lengths
            return "unknown"


def is_classification(y):
    """Return whether the truth is one of classes or of labels."""
    return not target_type(y).startswith("continuous")


def target_classes(y):
    """Return the classes of a target, None if it has no classes."""
    kind = target_type(y)
    if kind == "multilabel-indicator":
        return [np.array([0, 1])] * y.shape[1]
    return np.unique(y) if kind in ("binary", "multiclass") else None


def tags_for(model, y):
    """Return the tags that a scorer needs, of whatever kind of model.

    Models that know nothing of scikit-learn are taken for what the target says.
    """
    if hasattr(model, "__sklearn_tags__"):
        return copy.deepcopy(get_tags(model))
    return tags_by_classes(target_classes(y))


def tags_by_classes(classes):
    """Return the tags of whoever predicts a target with such classes."""
    # A target without classes, such as sequences, is none of a classifier's.
    kind = "regressor" if classes is None else "classifier"
    return Tags(estimator_type=kind, target_tags=TargetTags(required=True))


def for_swaps(models):
    """Return models that offer scorers only the response methods that all have.

    Then scorers ask all of them for the same, and predictions can be swapped.
    """
    common = tuple(
        method
        for method in RESPONSE_METHODS
        if all(method in model.methods for model in models)
    )
    return tuple(model.offering(common) for model in models)


def evaluate_fitted(models, X, y, *, sample_weight, same_methods):
    """Ask fitted models about `X`.

    Parameters
    ----------
    models : dict
        Fitted models by parameter name.
    X, y : object
        The test data.
    sample_weight : ndarray or None
        Weights for the scorers.
    same_methods : bool
        Whether scorers must ask all models for the same responses.

    Returns
    -------
    Sample
        The rows and what the models predict for them.
    """
    y_array, every = as_array(y, "y"), []
    for parameter, model in models.items():
        _check_fitted(model, parameter, X)
        tags = tags_for(model, y_array)
        classes = getattr(model, "classes_", None)
        if classes is None and tags.estimator_type == "classifier":
            classes = target_classes(y_array)  # of a model that does not know its own
        elif not isinstance(classes, list | None):
            classes = as_array(classes, "classes_")
        every.append((model, tags, classes))
    common = common_classes([classes for *_, classes in every])
    cached = tuple(
        CachedModel(
            name_of(model),
            methods=available_methods(model),
            classes=classes,
            tags=tags,
            ask=functools.partial(_ask, model, X, y_array, own, classes),
            model=model,
        )
        for (model, tags, own), classes in zip(every, common, strict=True)
    )
    return Sample(
        X=X,
        y=y,
        y_array=y_array,
        models=for_swaps(cached) if same_methods else cached,
        sample_weight=sample_weight,
        origin="prefit",
        subject="these two fitted models",
        swapped=same_methods,
    )


def _ask(model, X, y, columns, classes, method):
    """Ask a fitted model about all rows."""
    response, name = getattr(model, method)(X), name_of(model)
    if isinstance(response, list) and method != "predict":
        return response  # one array per output, as multilabel forests respond
    response = as_response(
        response,
        method,
        y=y,
        columns=columns,
        classes=classes,
        name=f"{method} of {name}",
    )
    n_rows = number_of_rows(X, "X")
    if response.shape[0] != n_rows:
        raise ValueError(
            f"{name}.{method} must return one entry per row of `X`, i.e. {n_rows}. "
            f"Got {response.shape[0]}."
        )
    return response


def _check_fitted(model, parameter, X):
    """Refuse a model that neither looks fitted nor predicts."""
    if not hasattr(model, "fit") or not hasattr(model, "__sklearn_tags__"):
        return  # a model of some other library
    try:
        check_is_fitted(model)
    except NotFittedError:
        try:
            method, *_ = available_methods(model)
            getattr(model, method)(take_rows(X, [0]))
        except Exception as error:  # whatever a model raises that is not fitted
            raise NotFittedError(
                f"`{parameter}` ({name_of(model)}) is not fitted, and with cv='prefit' "
                "models are used as they are. Fit it first, or pass `cv=` (say cv=5) "
                "to judge clones of it by cross-validation. A fitted model inside a "
                "search or another cloned object stays fitted in "
                "sklearn.frozen.FrozenEstimator."
            ) from error
