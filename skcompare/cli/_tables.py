"""Tables: files in any format, whose columns are small and have a type in the end."""

import csv
import dataclasses
import functools
import io
import itertools
import json
import math
import os
import re
import sys
from array import array as packed
from collections.abc import Callable
from pathlib import Path

import numpy as np

from skcompare._format import optional_import
from skcompare._validation import LONGEST_LABEL


class UsageError(ValueError):
    """A call or file that cannot be used, reported in the words of the command line."""


# Cells and columns

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
            n_before = len(self._numbers)
            try:
                self._numbers.extend([_number_or_gap(cell) for cell in cells])
            except (TypeError, ValueError):
                row = next(r for r, c in enumerate(cells) if not _is_number(c or "nan"))
                raise UsageError(
                    f"{self.title} has numbers, and in row {n_before + row + 1:,} "
                    f"{cells[row]!r}, which is none"
                ) from None
            return
        levels = self._levels
        self._codes.extend([levels.setdefault(cell, len(levels)) for cell in cells])
        if not self._may_be_numeric or len(levels) <= MANY_LEVELS:
            return
        try:
            values = np.array([_number_or_gap(level) for level in levels])
        except (TypeError, ValueError):
            self._may_be_numeric = False
            return
        self._numbers = packed("d", values[np.asarray(self._codes)].tobytes())
        self._levels = self._codes = None

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


# Files

STDIN = "-"

# Rows that are read before they go into columns.
BLOCK = 10_000

# Names listed in a message.
N_LISTED = 10

# What to give where fields are separated by another character than was thought.
OTHER_DELIMITERS = {
    ";": "--delimiter ';'",
    "\t": "--input-format tsv",
    "|": "--delimiter '|'",
    ",": "--delimiter ,",
}


@dataclasses.dataclass(frozen=True, eq=False)
class Table:
    """A file with named columns, of which those asked for are read.

    Parameters
    ----------
    path : str
        The file, "-" for standard input.
    names : list of str
        The names of its columns.
    rows : callable
        ``rows(positions)`` yields for each row the cells at these positions.
    positional : bool, default=False
        Whether rows have nothing but their position to tell them by.
    note : str, default=""
        How the file was read, where that may explain why a column is not there.
    """

    path: str
    names: list
    rows: Callable
    positional: bool = False
    note: str = ""

    @property
    def title(self):
        """What to call the file in messages."""
        return title_of(self.path)

    def match(self, wanted):
        """Return the columns of a name, or of a pattern with one ``*``, in order."""
        if wanted in self.names or wanted.count("*") != 1:
            return tuple(name for name in self.names if name == wanted)
        start, end = wanted.split("*")
        shortest = len(start) + len(end)
        return tuple(
            name
            for name in self.names
            if name.startswith(start) and name.endswith(end) and len(name) > shortest
        )

    def listing(self):
        """Return the names of columns for a message, and how they were read."""
        listed = ", ".join(self.names[:N_LISTED])
        more = len(self.names) - N_LISTED
        listed += f" and {more:,} more" if more > 0 else ""
        return f"{listed}. {self.note}" if self.note else listed

    def read(self, names, *, as_written, decimal):
        """Read some columns.

        Parameters
        ----------
        names : iterable of str
            Which ones.
        as_written : set of str
            Those to keep as they are written, numbers or not.
        decimal : str or None
            What separates decimals: "," turns such numbers into those with a point.

        Returns
        -------
        dict
            Each `Column` by name.
        """
        for name in names:
            if self.names.count(name) > 1:
                raise UsageError(f"{self.title} has more than one column {name!r}")
        builders = {
            name: ColumnBuilder(
                f"column {name!r} of {self.title}", numeric=name not in as_written
            )
            for name in names
        }
        rows = iter(self.rows([self.names.index(name) for name in names]))
        while block := list(itertools.islice(rows, BLOCK)):
            for name, cells in zip(names, zip(*block, strict=True), strict=True):
                if decimal == "," and name not in as_written:
                    cells = [with_point(c) if isinstance(c, str) else c for c in cells]
                builders[name].extend(cells)
        columns = {name: builder.column() for name, builder in builders.items()}
        if not columns or not len(next(iter(columns.values())).codes):
            raise UsageError(f"{self.title} has no rows")
        return columns


def title_of(path):
    """Return what to call a file in messages."""
    return "standard input" if path == STDIN else path


def open_table(path, stack, options):
    """Open a file, whose rows are read later.

    Parameters
    ----------
    path : str
        The file, "-" for standard input.
    stack : contextlib.ExitStack
        What closes the file in the end.
    options : argparse.Namespace
        `input_format`, `encoding`, `delimiter` and `quotes`.

    Returns
    -------
    Table
        The table.
    """
    ending = Path(path).suffix.lower()
    by_name = "csv" if path == STDIN else ENDINGS.get(ending, "text")
    return FORMATS[options.input_format or by_name](path, stack, options)


def _open_binary(path, stack):
    if path != STDIN:
        if os.path.isdir(path):
            raise UsageError(f"{path} is a folder, not a file")
        return stack.enter_context(open(path, "rb"))
    if sys.stdin is None:
        raise UsageError("Standard input is closed")
    return sys.stdin.buffer


def _lines(path, stack, encoding, newline=None):
    """Return the lines of a text file; one that cannot be opened is an error here."""
    codec = {"utf8": "utf-8-sig", "utf-8": "utf-8-sig"}.get(encoding.lower(), encoding)
    try:
        "".encode(codec)
    except LookupError:
        raise UsageError(
            f"--encoding must be one of text, such as utf-8. Got {encoding!r}"
        ) from None
    text = io.TextIOWrapper(_open_binary(path, stack), encoding=codec, newline=newline)
    stack.callback(text.detach)
    return _decoded(text, title_of(path), encoding)


def _decoded(text, title, encoding):
    """Yield lines; what is no text in this encoding is an error."""
    number = 0
    try:
        for number, line in enumerate(text, start=1):
            if "\0" in line:
                raise UsageError(
                    f"{title}, line {number:,} has the character NUL: it is no text, "
                    "or in an encoding such as utf-16. Give its --encoding"
                )
            yield line
    except UnicodeError as error:
        raise UsageError(
            f"{title} is not in {encoding}, as seen after line {number:,}: "
            f"{getattr(error, 'reason', error)}. Give its --encoding, such as latin-1 "
            "or utf-16"
        ) from None


def open_csv(path, stack, options, delimiter=","):
    """Open a table with a header and rows as long as that; blank lines are none."""
    delimiter = options.delimiter or delimiter
    reader = csv.reader(
        _lines(path, stack, options.encoding, newline=""),
        delimiter=delimiter,
        quoting=csv.QUOTE_MINIMAL if options.quotes else csv.QUOTE_NONE,
        strict=True,
    )

    def all_rows():
        width = None
        try:
            for row in filter(None, reader):
                width = width or len(row)
                if len(row) != width:
                    hint = ". Numbers with decimal commas must be in quotation marks"
                    raise UsageError(
                        f"{title_of(path)}, line {reader.line_num:,}: the header has "
                        f"{width} fields, this row {len(row)}"
                        f"{hint if delimiter == ',' and len(row) > width else ''}"
                    )
                yield row
        except csv.Error as error:
            raise UsageError(
                f"{title_of(path)}, line {reader.line_num:,}: {error}. If quotation "
                "marks are just characters there, give --no-quotes"
            ) from None

    rows = all_rows()
    names = next(rows, None)
    if names is None:
        raise UsageError(f"{title_of(path)} is empty: it has no header")
    others = [give for mark, give in OTHER_DELIMITERS.items() if mark in names[0]]
    misread = len(names) == 1 and others
    note = f"If these are several columns, give {others[0]}" if misread else ""

    def picked(positions):
        return ([row[position] for position in positions] for row in rows)

    return Table(path, names, picked, note=note)


def open_json_lines(path, stack, options):
    """Open a table with an object in each line; blank lines are none."""
    lines = _lines(path, stack, options.encoding)

    def all_objects():
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as error:
                raise UsageError(
                    f"{title_of(path)}, line {number:,} is not JSON: {error}"
                ) from None
            if not isinstance(row, dict):
                raise UsageError(
                    f"{title_of(path)}, line {number:,}: a row must be an object such "
                    f'as {{"id": 1, "gold": "yes"}}. Got {line.strip()[:40]}'
                )
            yield row

    objects = all_objects()
    first = next(objects, None)
    if first is None:
        raise UsageError(f"{title_of(path)} is empty")
    names = list(first)

    def rows(positions):
        wanted = [names[position] for position in positions]
        for item in itertools.chain([first], objects):
            yield [plain_cell(item.get(name)) for name in wanted]

    return Table(path, names, rows)


def _seekable(stream):
    return stream if stream.seekable() else io.BytesIO(stream.read())


def open_parquet(path, stack, options):
    """Open a Parquet file."""
    pyarrow = optional_import("pyarrow")
    parquet = optional_import("pyarrow.parquet")
    try:
        file = parquet.ParquetFile(_seekable(_open_binary(path, stack)))
    except pyarrow.ArrowInvalid as error:
        raise UsageError(f"{title_of(path)} is not a Parquet file: {error}") from None
    names = file.schema_arrow.names

    def rows(positions):
        wanted = [names[position] for position in positions]
        for batch in file.iter_batches(batch_size=BLOCK, columns=wanted):
            cells = [batch.column(name).to_pylist() for name in wanted]
            for row in zip(*cells, strict=True):
                yield [plain_cell(value) for value in row]

    return Table(path, names, rows)


def open_npy(path, stack, options):
    """Open an array of NumPy."""
    stdin = path == STDIN
    source = _seekable(_open_binary(path, stack)) if stdin else path
    try:
        array = np.load(source, mmap_mode=None if stdin else "r", allow_pickle=False)
    except (ValueError, EOFError):
        raise UsageError(
            f"{title_of(path)} is not a .npy file of numbers or texts"
        ) from None
    if not isinstance(array, np.ndarray) or array.ndim not in (1, 2):
        raise UsageError(f"{title_of(path)} must hold an array of 1 or 2 dimensions")
    if array.dtype.names:  # fields; otherwise columns are called 0, 1, ...
        names = list(array.dtype.names)
        columns = [array[name] for name in names]
    else:
        columns = [array] if array.ndim == 1 else list(array.T)
        names = [str(number) for number in range(len(columns))]

    def rows(positions):
        wanted = [columns[position] for position in positions]
        for row in range(len(array)):
            yield [plain_cell(column[row].item()) for column in wanted]

    return Table(path, names, rows, positional=True)


def open_text(path, stack, options):
    """Open a text as a table of one column, a line each."""
    lines = _lines(path, stack, options.encoding)
    note = (
        "It is read as plain text, one output per line; --input-format names another "
        "format"
    )

    def rows(positions):
        return ([line.rstrip("\n")] * len(positions) for line in lines)

    return Table(path, ["line"], rows, positional=True, note=note)


FORMATS = {
    "csv": open_csv,
    "tsv": functools.partial(open_csv, delimiter="\t"),
    "jsonl": open_json_lines,
    "parquet": open_parquet,
    "npy": open_npy,
    "text": open_text,
}
ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".npy": "npy",
}
