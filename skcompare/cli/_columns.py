"""Columns of cells: small while they are read, given a type when all are known."""

import re
from array import array as packed

import numpy as np

from skcompare._validation import LONGEST_LABEL
from skcompare.cli._errors import UsageError

__all__ = ["Column", "ColumnBuilder", "plain_cell"]

# A column with more different cells than this is kept as numbers, if they are numbers.
MANY_LEVELS = 100_000

GAPS = frozenset(("", "nan"))
BOOLEANS = {"true": 1, "false": 0}

# A number as many countries write it.
_WITH_COMMA = re.compile(r"[+-]?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?([eE][+-]?\d+)?")


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

    def __init__(self, title, levels, codes):
        self.title, self.levels, self.codes = title, levels, codes

    def __len__(self):
        return len(self.codes)

    def take(self, order):
        """Return the column with its rows in another order."""
        return Column(self.title, self.levels, self.codes[order])

    def numbers(self):
        """Return the cells as an array of numbers, None if they are not numbers."""
        parsed = self._parsed()
        return None if parsed is None else parsed[self.codes]

    def _parsed(self):
        if isinstance(self.levels, np.ndarray):
            return self.levels
        for parse in (_boolean, int, float):
            try:
                values = np.array([parse(_checked(level)) for level in self.levels])
            except (AttributeError, KeyError, TypeError, ValueError):
                continue
            if values.dtype != object:  # as integers of many digits would be
                return values
        return None

    def check_decimal_points(self):
        """Raise if all cells are numbers, and some of them have a decimal comma."""
        cells = [level for level in self.levels if isinstance(level, str)]
        with_comma = [cell for cell in cells if "," in cell]
        if not with_comma or len(cells) < len(self.levels):
            return
        if all(_WITH_COMMA.fullmatch(cell.strip()) for cell in cells):
            row = 1 + int(np.argmax(self.codes == self.levels.index(with_comma[0])))
            point = with_comma[0].strip().replace(".", "").replace(",", ".")
            raise UsageError(
                f"{self.title} has numbers with decimal commas, such as "
                f"{with_comma[0]!r} in row {row:,}, which would be taken for texts. "
                f"Write them with decimal points: {point}"
            )

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
        if all(level == _canonical(level) for level in self.levels):
            numbers = self.numbers()
            return self.texts(raw=True) if numbers is None else numbers
        return self.texts(raw=True)

    def sequences(self):
        """Return whether some cells are sequences, as JSON can have them."""
        return any(isinstance(level, tuple) for level in self.levels)

    def check_complete(self):
        """Raise if there are empty cells, or numbers that are not finite."""
        parsed = self._parsed()
        gaps = (
            list(map(_is_gap, self.levels)) if parsed is None else ~np.isfinite(parsed)
        )
        missing = np.flatnonzero(np.asarray(gaps)[self.codes])
        if len(missing):
            raise UsageError(
                f"{self.title} has {len(missing):,} empty, nan or infinite cells, the "
                f"first in row {missing[0] + 1:,}. Drop those rows for all models, or "
                "fill them"
            )


def _checked(level):
    if "_" in level:  # Python would take 1_000 for a number
        raise ValueError
    return level


def _boolean(level):
    return BOOLEANS[level.lower()]


def _is_gap(level):
    return isinstance(level, str) and level.strip().lower() in GAPS


def _canonical(level):
    """Write a number in one way only."""
    try:
        number = float(level if isinstance(level, float) else _checked(level))
        return str(int(number)) if number.is_integer() else str(number)
    except (TypeError, ValueError):
        return level


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
            values = np.array([_number(level) for level in self._levels])
        except (TypeError, ValueError):
            self._may_be_numeric = False
            return
        self._numbers = packed("d", values[np.asarray(self._codes)].tobytes())
        self._levels = self._codes = None

    def _extend_numbers(self, cells):
        n_before = len(self._numbers)
        try:
            self._numbers.extend([_number(cell) for cell in cells])
        except (TypeError, ValueError):
            row, cell = next(
                (row, cell) for row, cell in enumerate(cells) if not _is_number(cell)
            )
            raise UsageError(
                f"{self.title} has numbers, and in row {n_before + row + 1:,} "
                f"{cell!r}, which is none"
            ) from None

    def column(self):
        """Return the column of all cells so far."""
        if self._numbers is not None:
            values = np.asarray(self._numbers)
            return Column(self.title, values, np.arange(len(values)))
        codes = np.array(self._codes, dtype=np.int64)
        return Column(self.title, list(self._levels), codes)


def _number(cell):
    return float(_checked(cell).strip() or "nan")


def _is_number(cell):
    try:
        _number(cell)
    except (TypeError, ValueError):
        return False
    return True
