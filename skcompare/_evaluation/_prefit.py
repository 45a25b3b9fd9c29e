"""Responses of fitted models."""

from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from skcompare._engine import Sample
from skcompare._evaluation._responses import as_response, common_classes
from skcompare._evaluation._source import (
    available_methods,
    make_answers,
    name_of,
    tags_for,
    target_classes,
)
from skcompare._validation import as_array, number_of_rows


class FittedModel:
    """A fitted model and the rows that it is asked about.

    Parameters
    ----------
    model : estimator
        The model.
    X, y : object
        The rows, and their truth as an array.
    columns : ndarray, list or None
        The classes of the model, in its own order.
    classes : ndarray, list or None
        The classes of all models.
    """

    def __init__(self, model, X, y, columns, classes):
        self.model, self._X, self._y = model, X, y
        self._columns, self.classes = columns, classes
        self.name = name_of(model)
        self.methods = available_methods(model)
        self.tags = tags_for(model, y)

    def respond(self, method):
        """Ask the model about all rows."""
        response = getattr(self.model, method)(self._X)
        if isinstance(response, list) and method != "predict":
            return response  # one array per output, as multilabel forests answer
        response = as_response(
            response,
            method,
            y=self._y,
            columns=self._columns,
            classes=self.classes,
            name=f"{method} of {self.name}",
        )
        n_rows = number_of_rows(self._X, "X")
        if response.shape[0] != n_rows:
            raise ValueError(
                f"{self.name}.{method} must return one entry per row of `X`, i.e. "
                f"{n_rows}. Got {response.shape[0]}."
            )
        return response


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
        The rows and what the models say about them.
    """
    for parameter, model in models.items():
        _check_fitted(model, parameter)
    y_array = as_array(y, "y")
    columns = [_classes_of(model, y_array) for model in models.values()]
    sources = [
        FittedModel(model, X, y_array, own, everyones)
        for model, own, everyones in zip(
            models.values(), columns, common_classes(columns), strict=True
        )
    ]
    return Sample(
        X=X,
        y=y,
        y_array=y_array,
        answers=make_answers(sources, X, same_methods=same_methods),
        sample_weight=sample_weight,
        origin="prefit",
        subject="these two fitted models",
    )


def _check_fitted(model, parameter):
    if not hasattr(model, "fit") or not hasattr(model, "__sklearn_tags__"):
        return  # a model of some other library
    try:
        check_is_fitted(model)
    except NotFittedError:
        raise NotFittedError(
            f"`{parameter}` ({name_of(model)}) is not fitted, and with cv='prefit' "
            "models are used as they are. Fit it first, or pass `cv=` (say cv=5) to "
            "judge clones of it by cross-validation. A fitted model inside a search or "
            "another cloned object stays fitted in sklearn.frozen.FrozenEstimator."
        ) from None
