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
    check_same_order,
    column_names,
    number_of_rows,
    row_index,
)

HOW_ARRAYS_ARE_READ = (
    " An array is read as labels, probabilities or decision values by what it holds; a "
    'mapping such as {"predict_proba": array} says what it is.'
)


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
    n_rows, classes = y.shape[0], target_classes(y)
    read = {
        parameter: _read(parameter, own, y_true, y, classes)
        for parameter, own in predictions.items()
    }
    if row_index(y_true) is None:  # those of the models must at least agree
        of_models = [
            next(iter(own.values())) if isinstance(own, Mapping) else own
            for own in predictions.values()
        ]
        check_same_order(**dict(zip(predictions, of_models, strict=True)))
    common, models = common_classes([columns for _, columns, _ in read.values()]), []
    for (parameter, (arrays, columns, hint)), own in zip(
        read.items(), common, strict=True
    ):
        # A for `y_pred_a`, 'nb' for `y_preds['nb']`
        name = parameter[-1].upper()
        if parameter.startswith("y_preds["):
            name = parameter.removeprefix("y_preds[").removesuffix("]")
        models.append(
            CachedModel(
                name=name,
                methods=tuple(arrays),
                classes=own,
                tags=tags_by_classes(columns),
                ask=functools.partial(_shaped, arrays, y, columns, own, parameter),
                hint=hint,
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
        models=tuple(models),
        origin="predictions",
        **folds,
    )


def _read(parameter, predictions, y_true, y, classes):
    """Read what a user passed for a model.

    A mapping says for itself which responses it has, and may name the classes of their
    columns; a single array stands for every response that it can be read as.

    Returns
    -------
    arrays : dict
        Responses by method, with their rows in the order of the truth.
    columns : ndarray, list or None
        The classes of their columns: as a mapping or a frame says, else the truth's.
    hint : str
        What to add to the notes of errors about them.
    """
    says = isinstance(predictions, Mapping)
    arrays = dict(predictions) if says else {"array": predictions}
    columns = arrays.pop("classes", None)
    for method, array in arrays.items():
        per_output = method == "predict_proba" and is_per_output(array)
        column = array[0] if per_output else array
        number_of_rows(column, parameter, ("y_true", y.shape[0]))
        arrays[method] = aligned_rows(array, y_true, parameter, "y_true")
    if columns is not None:
        columns = as_array(columns, f"{parameter}['classes']")
    else:
        columns = classes
        names = column_names(arrays.get("predict_proba" if says else "array"))
        more = names is not None and classes is not None and len(names) > len(classes)
        if more and y.ndim == 1:
            names = as_array(names, parameter)
            columns = names if np.isin(classes, names).all() else classes
    if not says:
        arrays = _read_as(arrays["array"], y, columns, parameter)
        return arrays, columns, HOW_ARRAYS_ARE_READ
    if not arrays or not arrays.keys() <= set(RESPONSE_METHODS):
        raise ValueError(
            f"A mapping given as `{parameter}` must have keys among "
            f"{', '.join(RESPONSE_METHODS)} and classes. Got {sorted(arrays)}."
        )
    return arrays, columns, ""


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
