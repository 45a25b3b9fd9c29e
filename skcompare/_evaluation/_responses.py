"""Responses of any container and shape as arrays: rows as in y, columns as classes."""

import numpy as np

from skcompare._frames import column_names
from skcompare._validation import as_array, without_lone_column


def as_response(response, method, *, y, columns, classes, name):
    """Turn a response into an array of the shape that scikit-learn's models give it.

    Labels and values are vectors where the truth is one. Columns of probabilities and
    decision values are in the order of `classes`, by the names of a frame's columns, or
    by `columns` if it has no names.

    Parameters
    ----------
    response : object
        What a model returned or a user passed, in any container.
    method : str
        The response method.
    y : ndarray or sparse matrix
        The truth.
    columns : ndarray, list or None
        The class of each column; of two classes a vector belongs to the second. None
        where there are no classes, a list where there are several outputs.
    classes : ndarray, list or None
        The classes in order, with those of `columns` among them.
    name : str
        What to call the response in messages.

    Returns
    -------
    ndarray or sparse matrix
        The response.
    """
    array = as_array(response, name)
    if y.ndim == 2 or method == "predict" or isinstance(columns, list | None):
        return without_lone_column(array, y.ndim)
    columns = as_array(columns, "classes_")
    if array.ndim == 2 and array.shape[1] == 1 and len(columns) != 1:
        array = array[:, 0]
    if array.ndim == 1 and method == "predict_proba" and len(columns) <= 2:
        array = np.column_stack([1 - array, array])
    if array.ndim == 1 and len(columns) == 2 and columns[0] > columns[1]:
        return -array
    if method == "decision_function" and len(columns) < len(classes):
        raise ValueError(
            f"`{name}` must have a column for each of {len(classes)} classes. Got "
            f"{len(columns)}: the model has not seen the others in training. Fit it on "
            "all classes (with cross-validation, by a stratified splitter or fewer "
            "folds), or choose a metric of labels or probabilities."
        )
    if array.ndim == 1 or array.shape[1] != len(columns):
        return array
    return _in_order(array, method, _named(response, columns, name), classes, name)


def _in_order(array, method, columns, classes, name):
    """Give each class its column: those that a model does not know, probability 0."""
    if np.array_equal(columns, classes) or not np.isin(columns, classes).all():
        return array
    places = np.searchsorted(classes, columns)
    if len(columns) == len(classes):
        return array[:, np.argsort(places)]
    absent = 0.0 if method == "predict_proba" else np.finfo(float).min
    aligned = np.full((len(array), len(classes)), absent)
    aligned[:, places] = array
    return aligned


def _named(response, columns, name):
    """Return the class of each column by the names of a frame, if it has any.

    Names are the classes, or these with the same text before or after each of them.
    Other names say nothing about classes.
    """
    names = column_names(response)
    if names is None:
        return columns
    names, texts = [list(map(_as_text, labels)) for labels in (names, columns)]
    for text in texts:
        before, match, after = names[0].rpartition(text)
        expected = [before + text + after for text in texts]
        if match and sorted(expected) == sorted(names):
            return columns[[expected.index(one) for one in names]]
    if set(names) & set(texts):
        raise ValueError(
            f"Columns of `{name}` that are named after classes must be one for each of "
            f"{texts}. Got {names}. Rename them, or pass an array with columns in the "
            "order of the classes."
        )
    return columns


def _as_text(label):
    """Return the text of a label: 1 and 1.0 are the same."""
    whole = isinstance(label, float | np.floating) and label.is_integer()
    return str(int(label)) if whole else str(label)


def common_classes(every):
    """Return the classes that each model is to have columns for: those of all of them.

    Parameters
    ----------
    every : list of ndarray, list or None
        The classes of each model: None if it has none, a list of arrays for several
        outputs.

    Returns
    -------
    list
        The union, in order, for each model; what each of them has if they are not of
        one kind.
    """
    arrays = all(isinstance(classes, np.ndarray) for classes in every)
    if not arrays or len({classes.dtype.kind in "iubf" for classes in every}) > 1:
        return every
    return [np.unique(np.concatenate(every))] * len(every)
