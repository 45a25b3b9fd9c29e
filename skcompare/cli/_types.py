"""Types of columns: labels, numbers or probabilities, as the metrics need them."""

import numpy as np

from skcompare.cli._options import compares_labels
from skcompare.cli._tables import Column, UsageError, number_of

# Metrics of texts, which are not parsed then, and of sequences, which JSON supports.
OF_TEXTS = {"bleu", "chrf", "ter"}
OF_SEQUENCES = {"las", "uas"}

# Metrics of probabilities, which cannot be computed from a column of labels; and of a
# ranking, for which decision values are sufficient.
OF_PROBABILITIES = {
    *("neg_log_loss", "neg_brier_score", "d2_log_loss_score", "d2_brier_score"),
    *("roc_auc_ovr", "roc_auc_ovo", "roc_auc_ovr_weighted", "roc_auc_ovo_weighted"),
}
OF_RANKING = {"roc_auc", "average_precision"}

# Metrics of one class, which is 1 unless --positive is passed: of labels, of
# probabilities, and of probabilities if there is a single column of them.
OF_ONE_LABEL = {"f1", "precision", "recall", "jaccard"}
OF_ONE_CLASS = {"average_precision", "neg_brier_score"}
OF_ONE_COLUMN = {"roc_auc", "neg_log_loss"}


def typed_values(columns, texts, options):
    """Return the truth, and the predictions of each model.

    Parameters
    ----------
    columns : Columns
        The columns, with their cells.
    texts : bool
        Whether cells are texts.
    options : argparse.Namespace
        The metrics, the positive class and the decimal separator.

    Returns
    -------
    list
        Arrays, or dicts by response method.
    """
    truth, models = columns.truth, list(columns.models.values())
    if truth.parts is not None:
        return _matrices(truth, models)
    metrics = options.scoring or options.own_metrics[:1]
    single = [source for source in models if source.parts is None]
    alone = [source.columns[0] for source in (truth, *single)]
    for metric in OF_SEQUENCES.intersection(metrics):
        for column in alone:
            if not column.has_lists:
                raise UsageError(
                    f"--scoring {metric} needs a list in each cell, as in JSON lines. "
                    f"{column.title} has none"
                )
    if texts:
        values, *arrays = [column.texts(raw=True) for column in alone]
    else:
        values, *arrays = typed_columns(*alone, points=options.decimal is None)
        check_kinds(values, models, arrays, metrics)
    if metrics and set(metrics) <= OF_PROBABILITIES | OF_RANKING:
        arrays = map(with_sure_probabilities, arrays)
    typed, arrays = [values], iter(arrays)
    for source in models:
        is_single = source.parts is None
        typed.append(next(arrays) if is_single else as_probabilities(source, values))
    if options.positive is not None:
        return one_against_rest(typed, options.positive)
    check_classes(values, bool(single), metrics)
    return typed


def check_kinds(truth, models, arrays, metrics):
    """Raise an error for labels where a metric needs probabilities, and vice versa.

    Parameters
    ----------
    truth : ndarray
        The truth.
    models : list of Source
        The predictions of each model.
    arrays : list of ndarray
        The predictions of those with a single column.
    metrics : list of str
        The metrics. Without any, the default is used.
    """
    arrays = iter(arrays)
    measured = truth.dtype.kind == "f" and (truth != np.round(truth)).any()
    if not metrics and not measured:
        metrics = ["accuracy"]
    for source in models:
        title, values = f"columns {source.spec}", None
        if source.parts is None:
            title, values = source.columns[0].title, next(arrays)
        for metric in metrics:
            problem = kind_problem(metric, truth, values)
            if problem:
                raise UsageError(f"--scoring {metric} {problem.format(title)}")


def kind_problem(metric, truth, values):
    """Return why a metric cannot be computed from predictions, None if it can."""
    is_label = values is not None and values.dtype.kind in "iOU"
    if metric in OF_PROBABILITIES and is_label:
        return (
            "needs probabilities, but {} has labels: pass a pattern for the columns of "
            "all classes, such as 'svm_proba_*'"
        )
    if metric in OF_RANKING and is_label and np.isin(values, truth).all():
        return (
            "needs probabilities or decision values, but {} has labels: pass a column "
            "of probabilities, or a metric of labels, such as --scoring f1_macro"
        )
    if is_label or not compares_labels(metric):
        return None
    if values is None:
        return (
            "compares labels, but {} have probabilities: pass columns of labels, or a "
            "metric of probabilities, such as --scoring neg_log_loss"
        )
    if (values == np.round(values)).all():
        return None
    kind, other = "numbers that are not labels", "numbers, such as --scoring r2"
    if 0 <= values.min() <= values.max() <= 1:
        kind, other = "probabilities", "probabilities, such as --scoring roc_auc"
    return (
        f"compares labels, but {{}} has {kind}: pass a column of labels, or a metric "
        f"of {other}"
    )


def check_classes(truth, single, metrics):
    """Raise an error if metrics of one class cannot know which class it is.

    Parameters
    ----------
    truth : ndarray
        The truth.
    single : bool
        Whether a model has a single column.
    metrics : list of str
        The metrics.
    """
    for metric in (OF_ONE_LABEL | OF_ONE_CLASS | OF_ONE_COLUMN).intersection(metrics):
        classes, other = np.unique(truth), None
        class_set = set(classes.tolist())
        if class_set <= {0, 1} or class_set <= {-1, 1}:
            continue
        if metric in OF_ONE_LABEL:
            other = "a metric of all classes, such as f1_macro"
        elif single and metric in OF_ONE_CLASS | OF_ONE_COLUMN:
            other = "columns of probabilities for all classes, such as 'svm_proba_*'"
        elif metric in OF_ONE_CLASS and len(classes) == 2:
            other = "a metric of all classes, such as neg_log_loss"
        if other is not None:
            raise UsageError(
                f"--scoring {metric} is for one class of the truth, which has "
                f"{listed(classes)}: pass it to --positive, or use {other}"
            )


def with_sure_probabilities(values):
    """Mark a column of 0.0 and 1.0 as probabilities, which would be read as labels."""
    if values.dtype.kind != "f" or not np.isin(values, [0, 1]).all():
        return values
    return {"predict_proba": values, "decision_function": values}


def _matrices(truth, models):
    """Return indicator matrices of multilabel data, with labels ordered as in truth."""
    matrices = [as_matrix(truth.columns)]
    for source in models:
        if set(source.parts or ()) != set(truth.parts):
            raise UsageError(
                f"{source.spec} must match a column for each of {truth.spec}: "
                f"{listed(truth.parts)}"
            )
        order = [source.parts.index(part) for part in truth.parts]
        matrices.append(as_matrix([source.columns[place] for place in order]))
    return matrices


# Columns of compatible types


def typed_columns(truth, *singles, points):
    """Return the truth and the single columns of models with compatible types.

    Labels are compared as numbers if all of them are numbers, otherwise as strings.
    Numbers for a truth of strings are scores, unless some of them are labels.

    Parameters
    ----------
    truth : Column
        The truth.
    *singles : tuple of Column
        Models' predictions of one column each.
    points : bool
        Whether to refuse numbers with decimal commas.

    Returns
    -------
    list of ndarray
        The truth, and the predictions of each model.
    """
    columns = [truth, *singles]
    for column in columns:
        column.check_complete()
        if points and column.numbers is None:
            column.check_points()
    numbers = [column.numbers for column in columns]
    if all(values is not None for values in numbers):
        return numbers
    if any(column.has_lists for column in columns):
        return [_nested(column) for column in columns]
    measured = numbers[0] is not None and (numbers[0] != np.round(numbers[0])).any()
    for column in columns if measured else ():
        if column.numbers is None:
            raise UsageError(
                f"{truth.title} has numbers, but {column.title} has text: "
                f"{column.first_text()}"
            )
    labels = truth.texts()
    typed = [labels]
    for column in singles:
        texts, values = column.texts(), column.numbers
        are_labels = np.isin(np.unique(texts), np.unique(labels)).any()
        typed.append(texts if values is None or are_labels else values)
    return typed


def _nested(column):
    """Return sequences as a matrix of numbers if possible, otherwise as objects."""

    def unquoted(cell):  # converts strings in sequences back to numbers
        if isinstance(cell, tuple):
            return tuple(map(unquoted, cell))
        number = number_of(cell)
        return cell if number is None else number

    levels = map(unquoted, column.levels)
    cells = np.fromiter(levels, dtype=object, count=len(column.levels))[column.codes]
    try:
        return np.array(cells.tolist(), dtype=float)
    except (TypeError, ValueError):
        return cells


def as_matrix(columns):
    """Put columns of numbers side by side."""
    for column in columns:
        column.check_complete()
        if column.numbers is None:
            column.check_points()
            raise UsageError(f"{column.title} has text: {column.first_text()}")
    return np.column_stack([column.numbers for column in columns])


def as_probabilities(source, truth):
    """Return the columns of a pattern as probabilities of classes.

    Parameters
    ----------
    source : Source
        The columns. The ``*`` of their pattern matches classes, or integers from 0.
    truth : ndarray
        The truth, from which the classes are taken.

    Returns
    -------
    dict
        "predict_proba", with the columns in the order of "classes".
    """
    matrix, classes = as_matrix(source.columns), np.unique(truth)
    names = _classes_named(source.parts, classes)
    if names is None:
        raise UsageError(
            f"{source.spec}: the * must stand for classes of the truth, which are "
            f"{listed(classes)}, or for their numbers from 0 in sorted order. Got "
            f"{listed(source.parts)}"
        )
    order = np.argsort(names)
    return {"predict_proba": matrix[:, order], "classes": names[order]}


def _classes_named(parts, classes):
    """Return the class of each column, None if its name does not identify it."""
    column = Column("", cells=parts)
    labels = column.texts() if classes.dtype.kind in "OU" else column.numbers
    if labels is None:
        return None
    if set(classes.tolist()) <= set(labels.tolist()):
        return labels
    if sorted(parts) == sorted(str(number) for number in range(len(classes))):
        return classes[np.array(parts).astype(int)]
    return None


def one_against_rest(values, positive):
    """Replace one class by 1 and all others by 0.

    Parameters
    ----------
    values : list
        The truth, then the predictions of each model.
    positive : str
        The class.

    Returns
    -------
    list
        The values as ones and zeros, or as probabilities of that class.

    Examples
    --------
    >>> truth, labels = np.array(["ham", "spam"]), np.array(["spam", "spam"])
    >>> probabilities = {"classes": truth, "predict_proba": np.array([[1, 0], [0, 1]])}
    >>> one_against_rest([truth, labels, probabilities], "spam")
    [array([0, 1]), array([1, 1]), array([0, 1])]
    """
    classes = np.unique(values[0])
    labels = _classes_named([positive], classes[:0])
    if labels is None or labels[0] not in classes:
        raise UsageError(
            "--positive must be a class of the truth, one of "
            f"{listed(classes)}. Got {positive!r}"
        )
    label, ones = labels[0], []
    for value in values:
        if isinstance(value, dict) and "classes" not in value:
            ones.append(value)
        elif isinstance(value, dict):
            ones.append(value["predict_proba"][:, value["classes"] == label][:, 0])
        elif value.dtype.kind in "OU" or np.isin(value, classes).all():
            ones.append((value == label).astype(int))
        else:
            ones.append(value)
    return ones


def listed(items, most=10):
    """Return the first items as text for a message."""
    return ", ".join(map(str, items[:most])) + (", ..." if len(items) > most else "")
