"""Responses that the user already has."""

import functools
from collections.abc import Mapping

import numpy as np
from scipy import sparse

from skcompare._evaluation._models import (
    as_response,
    common_classes,
    is_per_output,
    tags_by_classes,
    target_classes,
)
from skcompare._evaluation._sample import RESPONSE_METHODS, CachedModel, Sample
from skcompare._validation import (
    aligned_rows,
    as_array,
    as_labels,
    check_rows,
    column_names,
    number_of_rows,
    row_index,
)

HOW_ARRAYS_ARE_READ = (
    " An array is read as labels, probabilities or decision values by what it holds; a "
    'mapping such as {"predict_proba": array} says what it is.'
)

# In place of the response method, of an array that comes without one.
BARE = object()


def _cached(arrays, y, columns, classes, parameter):
    """Return arrays as the model that they stand for.

    A single array stands for every response method that it can be read as; a mapping
    says for itself.
    """
    hint = HOW_ARRAYS_ARE_READ if BARE in arrays else ""
    arrays = {method: arrays[method] for method in arrays if method != "classes"}
    if BARE in arrays:
        arrays = _read_as(arrays[BARE], y, columns, parameter)
    elif not arrays or not arrays.keys() <= set(RESPONSE_METHODS):
        raise ValueError(
            f"A mapping given as `{parameter}` must have keys among "
            f"{', '.join(RESPONSE_METHODS)} and classes. Got {sorted(arrays)}."
        )
    # A for `y_pred_a`, 'nb' for `y_preds['nb']`
    name = parameter[-1].upper()
    if parameter.startswith("y_preds["):
        name = parameter.removeprefix("y_preds[").removesuffix("]")
    return CachedModel(
        name=name,
        methods=tuple(arrays),
        classes=classes,
        tags=tags_by_classes(columns),
        ask=functools.partial(_shaped, arrays, y, columns, classes, parameter),
        hint=hint,
    )


def _shaped(arrays, y, columns, classes, parameter, method):
    """Return the array for a response method in its usual shape."""
    response = as_response(
        arrays[method], method, y=y, columns=columns, classes=classes, name=parameter
    )
    one_output = y.ndim == 1 and not isinstance(response, list)
    if method == "predict" or columns is None or not one_output:
        return response
    if response.ndim == 2 and response.shape[1] != len(classes):
        raise ValueError(
            f"`{parameter}` must have one column per class of `y_true`, i.e. "
            f"{len(columns)}. Got {response.shape[1]}. If `y_true` lacks a class, pass "
            'a mapping with the classes: {"predict_proba": ..., "classes": [...]}.'
        )
    return response


def _read_as(predictions, y, classes, parameter):
    """Return the response methods that bare predictions can be read as.

    - Anything is a prediction of a target without classes, such as a continuous one or
      sequences, and labels are labels.
    - Integers are labels, too, or decision values if they are not among those of y.
    - One number per row for more than two classes can only be a prediction of a target
      that happens to be integer.
    - Other numbers score classes: as probabilities if they lie in [0, 1]; as decision
      values unless they have the columns that only probabilities have. They can also be
      predictions of classes that are numbers, if the scorer takes them for that.
    """
    if is_per_output(predictions) and y.ndim == 2:
        return {"predict_proba": predictions}
    array = as_array(predictions, parameter, y.ndim)
    if classes is None or sparse.issparse(array) or array.dtype.kind not in "fiub":
        return {"predict": array}
    labels = [0, 1] if y.ndim == 2 else y
    if array.ndim == y.ndim and np.isin(array, labels).all():
        return {"predict": array}
    if array.ndim == y.ndim and array.dtype.kind in "iub":
        return {"predict": array, "decision_function": array}
    if array.ndim == 1 and len(classes) > 2:
        return {"predict": array}
    readings = {}
    if array.min() >= 0 and array.max() <= 1:
        readings["predict_proba"] = predictions
    if not readings or array.ndim == y.ndim:
        readings["decision_function"] = predictions
    if array.ndim == y.ndim and y.dtype.kind in "fiub":
        readings["predict"] = array
    return readings


def _columns_of(arrays, y, classes, parameter):
    """Return the classes of columns: as a mapping or a frame says, else the truth's."""
    if "classes" in arrays:
        return as_array(arrays["classes"], f"{parameter}['classes']")
    names = column_names(arrays.get(BARE, arrays.get("predict_proba")))
    if names is None or y.ndim == 2 or classes is None or len(names) <= len(classes):
        return classes
    names = as_array(names, parameter)
    return names if np.isin(classes, names).all() else classes


def _in_rows_of(y_true, predictions):
    """Return arrays of predictions by method, with their rows in the truth's order.

    Where the truth has no index, those of the models must at least agree.
    """
    rows, aligned, first = ("y_true", number_of_rows(y_true, "y_true")), {}, {}
    for parameter, own in predictions.items():
        arrays = dict(own) if isinstance(own, Mapping) else {BARE: own}
        for method, array in arrays.items():
            if method == "classes":
                continue
            per_output = method == "predict_proba" and is_per_output(array)
            column = array[0] if per_output else array
            number_of_rows(column, parameter, rows)
            first.setdefault(parameter, column)
            arrays[method] = aligned_rows(array, y_true, parameter, "y_true")
        aligned[parameter] = arrays
    if row_index(y_true) is None:
        check_rows("y_true", y_true, **first)
    return aligned


def evaluate_predictions(y_true, predictions, fold=None):
    """Take responses as they are given.

    Parameters
    ----------
    y_true : object
        The truth.
    predictions : dict
        The responses of each model by parameter name: arrays, or mappings from
        response method to array.
    fold : array-like or None, default=None
        The fold that each row was tested in, if predictions are out-of-fold.

    Returns
    -------
    Sample
        The rows and what the models predict; row numbers stand for `X`.
    """
    y = as_array(y_true, "y_true", 1)
    n_rows, predictions = y.shape[0], _in_rows_of(y_true, predictions)
    classes = target_classes(y)
    columns = [_columns_of(p, y, classes, name) for name, p in predictions.items()]
    models = tuple(
        _cached(responses, y, own, common, parameter)
        for (parameter, responses), own, common in zip(
            predictions.items(), columns, common_classes(columns), strict=True
        )
    )
    folds = {}
    if fold is not None:
        number_of_rows(fold, "fold", ("y_true", n_rows))
        fold = as_labels(fold, "fold")
        folds = {"fold": fold, "indices": np.arange(n_rows), "n_given": n_rows}
    return Sample(
        X=np.arange(n_rows),
        y=y,
        y_array=y,
        models=models,
        origin="predictions",
        **folds,
    )
