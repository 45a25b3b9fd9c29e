"""Responses of fitted models."""

import functools

from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from skcompare._evaluation._cached_model import CachedModel
from skcompare._evaluation._responses import as_response, common_classes
from skcompare._evaluation._sample import Sample
from skcompare._evaluation._source import (
    available_methods,
    for_swaps,
    name_of,
    tags_for,
    target_classes,
)
from skcompare._validation import as_array, number_of_rows, take_rows


def _classes_of(model, y):
    """Return the classes of a model, those of the truth if it does not know its own."""
    classes = getattr(model, "classes_", None)
    if classes is None and tags_for(model, y).estimator_type == "classifier":
        return target_classes(y)
    return (
        classes if isinstance(classes, list | None) else as_array(classes, "classes_")
    )


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
    for parameter, model in models.items():
        _check_fitted(model, parameter, X)
    y_array = as_array(y, "y")
    columns = [_classes_of(model, y_array) for model in models.values()]
    cached = tuple(
        CachedModel(
            name_of(model),
            methods=available_methods(model),
            classes=classes,
            tags=tags_for(model, y_array),
            ask=functools.partial(_ask, model, X, y_array, own, classes),
            model=model,
        )
        for model, own, classes in zip(
            models.values(), columns, common_classes(columns), strict=True
        )
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
