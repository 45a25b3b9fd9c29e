"""Samples made from fitted models or from a user's predictions."""

import copy
import dataclasses
import functools
from collections.abc import Mapping

import numpy as np
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils import Tags, TargetTags, get_tags
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from skcompare._caveats import quiet
from skcompare._evaluation._sample import RESPONSE_METHODS, CachedModel, Sample
from skcompare._validation import (
    aligned_rows,
    as_array,
    as_labels,
    check_rows,
    codes_of,
    column_names,
    number_of_rows,
    row_index,
    take_rows,
)


def facts_of_models(names, scores, delta=None):
    """Return the fields of a result about its models: names, scores and difference.

    Parameters
    ----------
    names : sequence of str
        The names of one or two models.
    scores : sequence of float
        Their scores.
    delta : float or None, default=None
        The difference of two models; None subtracts the scores.

    Returns
    -------
    dict
        The fields; those of B, and the difference, only for two models.

    Examples
    --------
    >>> facts_of_models(["new"], [0.75])
    {'name_a': 'new', 'score_a': 0.75}
    >>> facts_of_models(["new", "old"], [0.75, 0.5])["delta"]
    0.25
    """
    facts = {"name_a": names[0], "score_a": scores[0]}
    if len(names) == 1:
        return facts
    delta = scores[0] - scores[1] if delta is None else delta
    return {**facts, "name_b": names[1], "score_b": scores[1], "delta": delta}


def name_of(model):
    """Return the name of a model: its class, or that of a pipeline's last step."""
    while isinstance(model, Pipeline | FrozenEstimator):
        frozen = isinstance(model, FrozenEstimator)
        model = model.estimator if frozen else model.steps[-1][1]
    return type(model).__name__


# Kinds of arrays whose entries are neither labels nor numbers to scikit-learn.
KINDS_WITHOUT_TYPE = {"M": "Datetime", "c": "Complex"}


def target_type(y):
    """Return scikit-learn's type of a target, without its warnings."""
    dtype = getattr(y, "dtype", None)
    if dtype is not None and (dtype.names or dtype.kind in KINDS_WITHOUT_TYPE):
        return "unknown"  # records, such as events and times of a survival analysis
    with quiet():
        try:
            return type_of_target(y)
        except ValueError:  # such as sequences of different lengths
            return "unknown"


def target_classes(y):
    """Return the classes of a target, None if it has no classes."""
    kind = target_type(y)
    if kind == "multilabel-indicator":
        return [np.array([0, 1])] * y.shape[1]
    if kind == "multiclass-multioutput":
        return [np.unique(column) for column in y.T]
    return codes_of(y)[1] if kind in ("binary", "multiclass") else None


def tags_for(model, y):
    """Return the tags of any model for a scorer.

    Models without tags are assumed to be of the kind that the target requires.
    """
    if hasattr(model, "__sklearn_tags__"):
        return copy.deepcopy(get_tags(model))
    return tags_by_classes(target_classes(y))


def tags_by_classes(classes):
    """Return the tags of a model that predicts a target with these classes."""
    # Targets without classes, such as sequences, are not those of classifiers.
    kind = "regressor" if classes is None else "classifier"
    return Tags(estimator_type=kind, target_tags=TargetTags(required=True))


def evaluate_fitted(models, X, y):
    """Evaluate fitted models on `X`.

    Parameters
    ----------
    models : dict
        Fitted models by parameter name.
    X, y : object
        The test data.

    Returns
    -------
    Sample
        The rows and the models' predictions for them.
    """
    y_array, evaluated = as_array(y, "y"), []
    for parameter, model in models.items():
        methods = tuple(name for name in RESPONSE_METHODS if hasattr(model, name))
        if hasattr(model, "fit") and hasattr(model, "__sklearn_tags__"):
            try:
                check_is_fitted(model)
            except NotFittedError:
                _check_predicts(model, methods, parameter, X)
        tags = tags_for(model, y_array)
        classes = getattr(model, "classes_", None)
        if classes is None and tags.estimator_type == "classifier":
            classes = target_classes(y_array)  # of a classifier without `classes_`
        elif not isinstance(classes, list | None):
            classes = as_array(classes, "classes_")
        evaluated.append((model, methods, tags, classes))
    common = common_classes([classes for *_, classes in evaluated])
    cached = tuple(
        CachedModel(
            name=name_of(model),
            methods=methods,
            classes=classes,
            tags=tags,
            compute=functools.partial(_response, model, X, y_array, own, classes),
            model=model,
        )
        for (model, methods, tags, own), classes in zip(evaluated, common, strict=True)
    )
    return Sample(X=X, y=y, y_array=y_array, models=cached, origin="prefit")


def _response(model, X, y, columns, classes, method):
    """Return the response of a fitted model for all rows."""
    name, n_rows = name_of(model), y.shape[0]
    options = {"columns": columns, "classes": classes, "name": f"{method} of {name}"}
    response = as_response(getattr(model, method)(X), method, y=y, **options)
    if not isinstance(response, list) and response.shape[0] != n_rows:
        raise ValueError(
            f"{name}.{method} must return one entry per row of `X`, i.e. {n_rows}. "
            f"Got {response.shape[0]}."
        )
    return response


def _check_predicts(model, methods, parameter, X):
    """Raise an error for a model that seems not to be fitted and cannot predict."""
    try:
        getattr(model, methods[0])(take_rows(X, [0]))
    except Exception as error:  # models that are not fitted may raise anything
        raise NotFittedError(
            f"`{parameter}` ({name_of(model)}) is not fitted, and with cv='prefit' "
            "models are used as they are. Fit it first, or pass `cv=` (e.g. cv=5) to "
            "evaluate clones of it by cross-validation. To keep a model fitted inside "
            "a search or another object that is cloned, wrap it in "
            "sklearn.frozen.FrozenEstimator."
        ) from error


def as_response(response, method, *, y, columns, classes, name):
    """Convert a response to an array of the shape that scikit-learn's models return.

    Labels and values become vectors if the truth is a vector. Columns of probabilities
    and decision values are put in the order of `classes`: by the column names of a
    data frame, or by `columns` if there are no names.

    Parameters
    ----------
    response : object
        The return value of a model or the input of a user, in any container.
    method : str
        The response method.
    y : ndarray or sparse matrix
        The truth.
    columns : ndarray, list or None
        The class of each column; with two classes, a vector belongs to the second. None
        if there are no classes, a list for several outputs.
    classes : ndarray, list or None
        The classes in order, including those of `columns`.
    name : str
        The name of the response in messages.

    Returns
    -------
    ndarray, sparse matrix or list of ndarray
        The response; a list has one array per output, as from multilabel forests.
    """
    if method != "predict" and is_per_output(response):
        return [as_array(output, name) for output in response]
    if y.ndim == 2 or method == "predict" or isinstance(columns, list | None):
        return as_array(response, name, y.ndim)
    columns = as_array(columns, "classes_")
    array = as_array(response, name, 1 if len(columns) != 1 else 2)
    if array.ndim == 1 and method == "predict_proba" and len(columns) <= 2:
        array = np.column_stack([1 - array, array])
    if array.ndim == 1 and len(columns) == 2 and columns[0] > columns[1]:
        return -array
    if method == "decision_function" and len(columns) < len(classes):
        raise ValueError(
            f"`{name}` must have a column for each of {len(classes)} classes. Got "
            f"{len(columns)}: the training data lack the others. Fit the model on all "
            "classes (with cross-validation, use a stratified splitter or fewer "
            "folds), or choose a metric of labels or probabilities."
        )
    if array.ndim == 1 or array.shape[1] != len(columns):
        return array
    columns = _named(response, columns, name)
    if np.array_equal(columns, classes) or not np.isin(columns, classes).all():
        return array
    # One column per class: classes that the model does not have get probability 0.
    places = np.searchsorted(classes, columns)
    if len(columns) == len(classes):
        return array[:, np.argsort(places)]
    absent = 0.0 if method == "predict_proba" else np.finfo(float).min
    aligned = np.full((len(array), len(classes)), absent)
    aligned[:, places] = array
    return aligned


def is_per_output(response):
    """Return whether a response is a list with one array for each output."""
    return isinstance(response, list) and bool(response) and np.ndim(response[0]) == 2


def _named(response, columns, name):
    """Return the class of each column, by the names of a data frame if it has any.

    The names are the classes, or the classes with a common prefix or suffix. Other
    names are ignored.
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
    """Return a label as text, the same for 1 and 1.0."""
    whole = isinstance(label, float | np.floating) and label.is_integer()
    return str(int(label)) if whole else str(label)


def common_classes(class_lists):
    """Return the classes that each model needs columns for: those of all models.

    Parameters
    ----------
    class_lists : list of ndarray, list or None
        The classes of each model: None if it has none, a list of arrays for several
        outputs.

    Returns
    -------
    list
        The sorted union, once per model; `class_lists` itself if the classes are not
        all of one kind.
    """
    arrays = all(isinstance(classes, np.ndarray) for classes in class_lists)
    if not arrays or len({classes.dtype.kind in "iubf" for classes in class_lists}) > 1:
        return class_lists
    return [np.unique(np.concatenate(class_lists))] * len(class_lists)


def evaluate_predictions(y_true, predictions, fold=None):
    """Make a sample of predictions that a user passed.

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
        The rows and the predictions; `X` are row numbers.
    """
    y = as_array(y_true, "y_true", 1)
    rows, classes = np.arange(y.shape[0]), target_classes(y)
    read = {
        parameter: _read(parameter, own, y_true, y, classes)
        for parameter, own in predictions.items()
    }
    if row_index(y_true) is None:  # the indices of the predictions must still agree
        indexed = {}
        for parameter, own in predictions.items():
            arrays = own if isinstance(own, Mapping) else {"array": own}
            array = next(arrays[method] for method in arrays if method != "classes")
            if row_index(array) is not None:
                indexed[parameter] = array
        check_rows("y_true", y_true, **indexed)
    common = common_classes([columns for _, columns in read.values()])
    models = tuple(
        CachedModel(
            # A for `y_pred_a`, 'nb' for `y_preds['nb']`
            name=parameter.removeprefix("y_preds[").removesuffix("]")
            if parameter.startswith("y_preds[")
            else parameter[-1].upper(),
            methods=tuple(arrays),
            classes=own,
            tags=tags_by_classes(columns),
            compute=functools.partial(_shaped, arrays, y, columns, own, parameter),
            parameter=parameter,
        )
        for own, (parameter, (arrays, columns)) in zip(
            common, read.items(), strict=True
        )
    )
    sample = Sample(X=rows, y=y, y_array=y, models=models, origin="predictions")
    if fold is None:
        return sample
    number_of_rows(fold, "fold", ("y_true", len(rows)))
    fold = as_labels(fold, "fold")
    return dataclasses.replace(sample, fold=fold, indices=rows, n_given=len(rows))


def _read(parameter, predictions, y_true, y, classes):
    """Read the predictions that a user passed for a model.

    A mapping has responses by method, and may list the classes of their columns; a
    single array is used for every response that it can be read as.

    Returns
    -------
    arrays : dict
        Responses by method, with their rows in the order of the truth.
    columns : ndarray, list or None
        The classes of their columns: those of a mapping or a data frame, else those of
        the truth.
    """
    is_mapping = isinstance(predictions, Mapping)
    arrays = dict(predictions) if is_mapping else {"array": predictions}
    columns = arrays.pop("classes", None)
    for method, array in arrays.items():
        per_output = method == "predict_proba" and is_per_output(array)
        rows = array[0] if per_output else array
        number_of_rows(rows, parameter, ("y_true", y.shape[0]))
        arrays[method] = aligned_rows(array, y_true, parameter, "y_true")
    if columns is not None:
        columns = as_array(columns, f"{parameter}['classes']")
    else:
        columns = classes
        names = column_names(arrays.get("predict_proba" if is_mapping else "array"))
        more = names is not None and classes is not None and len(names) > len(classes)
        if more and y.ndim == 1:
            names = as_array(names, parameter)
            columns = names if np.isin(classes, names).all() else classes
    if not is_mapping:
        return _read_as(arrays["array"], y, columns, parameter), columns
    if not arrays or not arrays.keys() <= set(RESPONSE_METHODS):
        raise ValueError(
            f"A mapping passed as `{parameter}` must have keys among "
            f"{', '.join(RESPONSE_METHODS)} and classes. Got {sorted(arrays)}."
        )
    return arrays, columns


def _read_as(predictions, y, classes, parameter):
    """Return the response methods that an array of predictions can be read as.

    - Any array is read as predictions if the target has no classes, such as a
      continuous one or sequences; so are strings and arrays of labels of y.
    - Other integers are read as labels or decision values.
    - One number per row for more than two classes can only be a prediction, of a target
      that happens to be integer.
    - Other numbers score classes: as probabilities if they lie in [0, 1]; as decision
      values unless they have the columns that only probabilities have. They may also be
      predictions of numeric classes, if the scorer accepts them.
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
    of_columns = method != "predict" and columns is not None and one_output
    if of_columns and response.ndim == 2 and response.shape[1] != len(classes):
        raise ValueError(
            f"`{parameter}` must have one column per class of `y_true`, i.e. "
            f"{len(columns)}. Got {response.shape[1]}. If `y_true` lacks a class, pass "
            'a mapping with the classes: {"predict_proba": ..., "classes": [...]}.'
        )
    return response
