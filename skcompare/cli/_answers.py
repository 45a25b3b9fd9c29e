"""From columns to what a comparison takes: truth, labels, numbers, probabilities."""

import numpy as np

from skcompare.cli._columns import Column
from skcompare.cli._errors import UsageError

__all__ = ["against_the_rest", "as_matrix", "as_probabilities", "as_truth_and_singles"]


def as_truth_and_singles(truth, singles, *, texts):
    """Give the truth and the models' single columns types that go together.

    Labels are compared as numbers where all of them are numbers, else as texts. Numbers
    beside a truth of texts score classes, unless some of them are labels themselves.

    Parameters
    ----------
    truth : Column
        The truth.
    singles : list of Column
        Columns that answer all by themselves.
    texts : bool
        Whether the metric is one of texts: then cells stay as they are written.

    Returns
    -------
    tuple
        The truth and a list of answers, as arrays.
    """
    columns = [truth, *singles]
    if texts:
        return truth.texts(raw=True), [column.texts(raw=True) for column in singles]
    for column in columns:
        column.check_complete()
        column.check_decimal_points()
    if any(column.sequences() for column in columns):
        return _nested(truth), [_nested(column) for column in singles]
    numbers = [column.numbers() for column in columns]
    if all(values is not None for values in numbers):
        return numbers[0], numbers[1:]
    _refuse_texts_for_numbers(truth, numbers, columns)
    labels = truth.texts()
    return labels, [_labels_or_scores(column, labels) for column in singles]


def _refuse_texts_for_numbers(truth, numbers, columns):
    """Raise if the truth is measured and some answer is not a number."""
    if numbers[0] is None or np.array_equal(numbers[0], np.round(numbers[0])):
        return
    for column, values in zip(columns, numbers, strict=True):
        if values is None:
            row, cell = _first_text(column)
            raise UsageError(
                f"{truth.title} has numbers, {column.title} texts: {cell!r} in row "
                f"{row:,}"
            )


def _first_text(column):
    """Return the row, from 1, and the cell of the first text among numbers."""
    for row, code in enumerate(column.codes, start=1):
        try:
            float(column.levels[code])
        except ValueError:
            return row, column.levels[code]
    return 1, column.levels[column.codes[0]]


def _labels_or_scores(column, truth):
    values, labels = column.numbers(), column.texts()
    if values is None or np.isin(np.unique(labels), np.unique(truth)).any():
        return labels
    return values


def _nested(column):
    """Return sequences of numbers as a matrix, others as objects."""
    cells = [_unquoted(column.levels[code]) for code in column.codes]
    try:
        return np.array(cells, dtype=float)
    except (TypeError, ValueError):
        return np.fromiter(cells, dtype=object, count=len(cells))


def _unquoted(cell):
    """Give the numbers in a sequence their type back."""
    if isinstance(cell, tuple):
        return tuple(map(_unquoted, cell))
    for parse in (int, float):
        try:
            return parse(cell)
        except (TypeError, ValueError):
            continue
    return cell


def as_probabilities(columns, parts, truth, what):
    """Turn the columns of a pattern into probabilities of classes.

    Parameters
    ----------
    columns : list of Column
        The columns.
    parts : list of str
        What the ``*`` stands for in their names: classes, or numbers from 0.
    truth : ndarray
        The truth, for its classes.
    what : str
        What to call the columns in messages.

    Returns
    -------
    dict
        "predict_proba", with the columns in the order of "classes".
    """
    matrix = as_matrix(columns)
    classes = np.unique(truth)
    names = _classes_named(parts, classes)
    if names is None:
        raise UsageError(
            f"{what}: the * must stand for classes of the truth, which are "
            f"{', '.join(map(str, classes[:10]))}, or for their numbers from 0 in "
            f"sorted order. Got {', '.join(parts[:10])}"
        )
    order = np.argsort(names)
    return {"predict_proba": matrix[:, order], "classes": names[order]}


def as_matrix(columns):
    """Put columns of numbers side by side."""
    for column in columns:
        column.check_complete()
        column.check_decimal_points()
        if column.numbers() is None:
            row, cell = _first_text(column)
            raise UsageError(f"{column.title} has a text, {cell!r} in row {row:,}")
    return np.column_stack([column.numbers() for column in columns])


def _classes_named(parts, classes):
    """Return the class of each column, None if the names do not tell."""
    column = Column("", parts, np.arange(len(parts)))
    named = column.texts() if classes.dtype.kind in "OU" else column.numbers()
    if named is None:
        return None
    if set(classes.tolist()) <= set(named.tolist()):
        return named
    numbered = [str(number) for number in range(len(classes))]
    if sorted(parts) == sorted(numbered):
        return classes[np.array(parts).astype(int)]
    return None


def against_the_rest(answers, positive):
    """Make one class 1 and all others 0.

    Parameters
    ----------
    answers : list
        The truth, then the answers of each model.
    positive : str
        The class.

    Returns
    -------
    list
        The same as ones and zeros, or as probabilities of that class.

    Examples
    --------
    >>> truth, labels = np.array(["ham", "spam"]), np.array(["spam", "spam"])
    >>> probabilities = {"classes": truth, "predict_proba": np.array([[1, 0], [0, 1]])}
    >>> against_the_rest([truth, labels, probabilities], "spam")
    [array([0, 1]), array([1, 1]), array([0, 1])]
    """
    truth = answers[0]
    classes = np.unique(truth)
    label = _classes_named([positive], classes[:0])
    if label is None or label[0] not in classes:
        raise UsageError(
            "--positive must be a class of the truth, that is one of "
            f"{', '.join(map(str, classes[:10]))}. Got {positive!r}"
        )
    return [_of_class(answer, label[0], classes) for answer in answers]


def _of_class(answer, label, classes):
    if isinstance(answer, dict):
        return answer["predict_proba"][:, answer["classes"] == label][:, 0]
    holds_labels = answer.dtype.kind in "OU" or np.isin(answer, classes).all()
    return (answer == label).astype(int) if holds_labels else answer
