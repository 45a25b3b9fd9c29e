"""Columns of cells: small while they are read, given a type when all are known."""

import dataclasses
import functools
import math
import re
from array import array as packed

import numpy as np

from skcompare._validation import LONGEST_LABEL
from skcompare.cli._errors import UsageError

# A column with more different cells than this is kept as numbers, if they are numbers.
MANY_LEVELS = 100_000

GAPS = frozenset(("", "nan"))
BOOLEANS = {"true": 1, "false": 0}

DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+(?:[eE][-+]?\d+)?\s*")
WHOLE = re.compile(r"\s*[-+]?\d+\s*")


def plain_cell(value):
    """Turn a value of JSON, Parquet or NumPy into what a CSV file would have.

    Examples
    --------
    >>> plain_cell(None), plain_cell(True), plain_cell(0.5), plain_cell([1, "a"])
    ('', 'True', '0.5', ('1', 'a'))
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple | np.ndarray):
        return tuple(plain_cell(item) for item in value)
    return "" if value is None else str(value)


def with_point(cell):
    """Write a number that has a decimal comma with a point.

    Examples
    --------
    >>> with_point("0,25"), with_point("a, b")
    ('0.25', 'a, b')
    """
    return cell.replace(",", ".") if DECIMAL_COMMA.fullmatch(cell) else cell


@dataclasses.dataclass(frozen=True, eq=False)
class Column:
    """The cells of a column: the different ones, and which of them each row has.

    Parameters
    ----------
    title : str
        What to call the column in messages.
    levels : list or ndarray
        The different cells: strings, tuples, or floats in an array.
    codes : ndarray of int
        The place in `levels` of each row.
    """

    title: str
    levels: object
    codes: np.ndarray

    def take(self, order):
        """Return the column with its rows in another order."""
        return Column(self.title, self.levels, self.codes[order])

    @functools.cached_property
    def numbers(self):
        """The cells as an array of numbers, None if they are not numbers."""
        if isinstance(self.levels, np.ndarray):
            return self.levels[self.codes]
        if self.has_lists or any("_" in level for level in self.levels):
            return None  # Python would take 1_000 for a number
        lower = [level.lower() for level in self.levels]
        if BOOLEANS.keys() >= set(lower):
            return np.array([BOOLEANS[level] for level in lower])[self.codes]
        for kind in (int, float):
            try:
                values = np.array([kind(level) for level in self.levels])
            except ValueError:
                continue
            if values.dtype != object:  # as integers of many digits would be
                return values[self.codes]
        return None

    @property
    def has_lists(self):
        """Whether some cells are sequences, as JSON can have them."""
        return any(isinstance(level, tuple) for level in self.levels)

    def texts(self, *, raw=False):
        """Return the cells as an array of texts.

        Parameters
        ----------
        raw : bool, default=False
            Leave numbers as they were written: otherwise 1, 01 and 1.0 are the same.

        Returns
        -------
        ndarray
            Strings, or objects if some are long or are sequences.
        """
        levels = [cell if raw else _canonical(cell) for cell in self.levels]
        short = all(isinstance(t, str) and len(t) <= LONGEST_LABEL for t in levels)
        array = np.fromiter(levels, dtype=object, count=len(levels))
        return (array.astype(str) if short else array)[self.codes]

    def labels(self):
        """Return the cells as numbers if they are written in one way, else as texts.

        So 1 and 2 are in the order of numbers, and 1 and 01 are two labels.
        """
        self.check_complete()
        one_way = all(level == _canonical(level) for level in self.levels)
        numeric = one_way and self.numbers is not None
        return self.numbers if numeric else self.texts(raw=True)

    def check_complete(self):
        """Raise if there are empty cells, or numbers that are not finite."""
        if self.numbers is None:
            gaps = [
                isinstance(c, str) and c.strip().lower() in GAPS for c in self.levels
            ]
            missing = np.flatnonzero(np.asarray(gaps)[self.codes])
        else:
            missing = np.flatnonzero(~np.isfinite(self.numbers))
        if len(missing):
            raise UsageError(
                f"{self.title} has {len(missing):,} empty, nan or infinite cells, the "
                f"first in row {missing[0] + 1:,}. Drop those rows for all models, or "
                "fill them"
            )

    def check_points(self):
        """Raise if all cells would be numbers, were it not for decimal commas."""
        if self.has_lists:
            return
        commas = [bool(DECIMAL_COMMA.fullmatch(level)) for level in self.levels]
        if any(commas) and all(
            comma or WHOLE.fullmatch(level)
            for comma, level in zip(commas, self.levels, strict=True)
        ):
            raise UsageError(
                f"{self.title} holds numbers with decimal commas; pass --decimal , (or "
                "--decimal . if they are labels)"
            )

    def first_text(self):
        """Return the row, from 1, and the cell of the first text among numbers."""
        texts = [not _is_number(level) for level in self.levels]
        row = int(np.argmax(np.asarray(texts)[self.codes]))
        return row + 1, self.levels[self.codes[row]]


def _canonical(level):
    """Write a number in one way only."""
    if not _is_number(level):
        return level
    number = float(level)
    return str(int(number)) if number.is_integer() else str(number)


def _number(cell):
    if isinstance(cell, str) and "_" in cell:  # Python would take 1_000 for a number
        raise ValueError
    return float(cell)


def _is_number(cell):
    try:
        _number(cell)
    except (TypeError, ValueError):
        return False
    return True


class ColumnBuilder:
    """Collects the cells of a column, a block at a time.

    Cells that repeat, as labels do, are kept once, with a code for each row. Very many
    different numbers are kept as numbers instead.

    Parameters
    ----------
    title : str
        What to call the column in messages.
    numeric : bool
        Whether numbers may be kept as numbers: not so for ids, which must stay as they
        are written.
    """

    def __init__(self, title, *, numeric):
        self.title, self._may_be_numeric = title, numeric
        self._codes, self._levels = packed("q"), {}
        self._numbers = None

    def extend(self, cells):
        """Add a block of cells."""
        if self._numbers is not None:
            self._extend_numbers(cells)
            return
        levels = self._levels
        self._codes.extend([levels.setdefault(cell, len(levels)) for cell in cells])
        if self._may_be_numeric and len(levels) > MANY_LEVELS:
            self._become_numeric()

    def _become_numeric(self):
        try:
            values = np.array([_number_or_gap(level) for level in self._levels])
        except (TypeError, ValueError):
            self._may_be_numeric = False
            return
        self._numbers = packed("d", values[np.asarray(self._codes)].tobytes())
        self._levels = self._codes = None

    def _extend_numbers(self, cells):
        n_before = len(self._numbers)
        try:
            self._numbers.extend([_number_or_gap(cell) for cell in cells])
        except (TypeError, ValueError):
            row = next(r for r, c in enumerate(cells) if not _is_number(c or "nan"))
            raise UsageError(
                f"{self.title} has numbers, and in row {n_before + row + 1:,} "
                f"{cells[row]!r}, which is none"
            ) from None

    def column(self):
        """Return the column of all cells so far."""
        if self._numbers is not None:
            values = np.asarray(self._numbers)
            return Column(self.title, values, np.arange(len(values)))
        codes = np.array(self._codes, dtype=np.int64)
        return Column(self.title, list(self._levels), codes)


def _number_or_gap(cell):
    blank = isinstance(cell, str) and not cell.strip()
    return math.nan if blank else _number(cell)


# Columns that go together


def typed_columns(truth, singles, *, texts, points):
    """Give the truth and the models' single columns types that go together.

    Labels are compared as numbers where all of them are numbers, else as texts. Numbers
    beside a truth of texts score classes, unless some of them are labels themselves.

    Parameters
    ----------
    truth : Column
        The truth.
    singles : list of Column
        Models' predictions of one column each.
    texts : bool
        Whether the metric is one of texts: then cells stay as they are written.
    points : bool
        Whether to refuse numbers with decimal commas.

    Returns
    -------
    list of ndarray
        The truth, and the predictions of each model.
    """
    columns = [truth, *singles]
    if texts:
        return [column.texts(raw=True) for column in columns]
    for column in columns:
        column.check_complete()
        if points and column.numbers is None:
            column.check_points()
    if any(column.has_lists for column in columns):
        return [_nested(column) for column in columns]
    numbers = [column.numbers for column in columns]
    if all(values is not None for values in numbers):
        return numbers
    measured = numbers[0] is not None and (numbers[0] != np.round(numbers[0])).any()
    for column in columns if measured else ():
        if column.numbers is None:
            row, cell = column.first_text()
            raise UsageError(
                f"{truth.title} has numbers, {column.title} texts: {cell!r} in row "
                f"{row:,}"
            )
    labels = truth.texts()
    return [labels, *(_labels_or_scores(column, labels) for column in singles)]


def _labels_or_scores(column, truth):
    values, labels = column.numbers, column.texts()
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


def as_matrix(columns):
    """Put columns of numbers side by side."""
    for column in columns:
        column.check_complete()
        if column.numbers is None:
            column.check_points()
            row, cell = column.first_text()
            raise UsageError(f"{column.title} has a text, {cell!r} in row {row:,}")
    return np.column_stack([column.numbers for column in columns])


def as_probabilities(columns, parts, truth, pattern):
    """Turn the columns of a pattern into probabilities of classes.

    Parameters
    ----------
    columns : list of Column
        The columns.
    parts : list of str
        What the ``*`` stands for in their names: classes, or numbers from 0.
    truth : ndarray
        The truth, for its classes.
    pattern : str
        The pattern, for messages.

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
            f"{pattern}: the * must stand for classes of the truth, which are "
            f"{listed(classes)}, or for their numbers from 0 in sorted order. Got "
            f"{listed(parts)}"
        )
    order = np.argsort(names)
    return {"predict_proba": matrix[:, order], "classes": names[order]}


def _classes_named(parts, classes):
    """Return the class of each column, None if the names do not tell."""
    column = Column("", list(parts), np.arange(len(parts)))
    named = column.texts() if classes.dtype.kind in "OU" else column.numbers
    if named is None:
        return None
    if set(classes.tolist()) <= set(named.tolist()):
        return named
    if sorted(parts) == sorted(str(number) for number in range(len(classes))):
        return classes[np.array(parts).astype(int)]
    return None


def one_against_rest(values, positive):
    """Make one class 1 and all others 0.

    Parameters
    ----------
    values : list
        The truth, then the predictions of each model.
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
    >>> one_against_rest([truth, labels, probabilities], "spam")
    [array([0, 1]), array([1, 1]), array([0, 1])]
    """
    classes = np.unique(values[0])
    named = _classes_named([positive], classes[:0])
    if named is None or named[0] not in classes:
        raise UsageError(
            "--positive must be a class of the truth, that is one of "
            f"{listed(classes)}. Got {positive!r}"
        )
    label, ones = named[0], []
    for value in values:
        if isinstance(value, dict):
            ones.append(value["predict_proba"][:, value["classes"] == label][:, 0])
        elif value.dtype.kind in "OU" or np.isin(value, classes).all():
            ones.append((value == label).astype(int))
        else:
            ones.append(value)
    return ones


def listed(items, most=10):
    """Return the first of several things for a message."""
    return ", ".join(map(str, items[:most])) + (", ..." if len(items) > most else "")
