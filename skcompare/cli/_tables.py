"""Tables: reading files of several formats into compact, typed columns."""

import csv
import functools
import io
import itertools
import json
import os
import re
import sys
from array import array as packed
from pathlib import Path
from typing import NamedTuple

import numpy as np

from skcompare._format import format_count, optional_import
from skcompare._validation import LONGEST_LABEL


class UsageError(ValueError):
    """Invalid options or an invalid file, with a message for the command line."""


# Cells and columns

# A numeric column with more distinct cells than this is stored as numbers.
MANY_LEVELS = 100_000

GAPS = frozenset(("", "nan"))
BOOLEANS = {"true": 1, "false": 0}

DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+(?:[eE][-+]?\d+)?\s*")
WHOLE = re.compile(r"\s*[-+]?\d+\s*")
LINE_END = re.compile(rb"\r\n?|\n")


def plain_cell(value):
    """Convert a value of JSON, Parquet or NumPy to that of a CSV file.

    Examples
    --------
    >>> plain_cell(None), plain_cell(True), plain_cell(0.5), plain_cell([1, "a"])
    ('', 'True', '0.5', ('1', 'a'))
    """
    if isinstance(value, list | tuple | np.ndarray):
        return tuple(map(plain_cell, value))
    return "" if value is None else str(value)


def with_point(cell):
    """Replace the decimal comma of a number by a point.

    Examples
    --------
    >>> with_point("0,25"), with_point("a, b"), with_point(("0,5",))
    ('0.25', 'a, b', ('0,5',))
    """
    comma = isinstance(cell, str) and DECIMAL_COMMA.fullmatch(cell)
    return cell.replace(",", ".") if comma else cell


def comma_hint(cell):
    """Return how to read a number with a decimal comma, "" for other cells.

    Examples
    --------
    >>> comma_hint("1,4"), comma_hint("one")
    ('; for decimal commas pass --decimal ,', '')
    """
    is_number = with_point(cell) != cell
    return "; for decimal commas pass --decimal ," if is_number else ""


def number_of(cell):
    """Return the number in a cell, None if it contains something else.

    Examples
    --------
    >>> number_of("1e3"), number_of("nan"), number_of(""), number_of("1_000")
    (1000.0, nan, None, None)
    """
    text = str(cell)
    try:
        return None if "_" in text else float(text)  # Python parses 1_000 as a number
    except ValueError:
        return None


def canonical(cell):
    """Return the canonical form of a number.

    Examples
    --------
    >>> canonical("01"), canonical("1.0"), canonical("0.50"), canonical("one")
    ('1', '1', '0.5', 'one')
    """
    number = number_of(cell)
    if number is None:
        return cell
    return str(int(number)) if number.is_integer() else str(number)


class Column:
    """The cells of a column, stored as distinct levels and a code for each row.

    Numbers are stored directly, one for each row, if there are very many distinct ones.

    Parameters
    ----------
    title : str
        The name of the column in messages.
    name : str, default=""
        The name of the column in its table.
    cells : sequence of str or tuple, default=()
        The first cells.

    Attributes
    ----------
    as_written : bool
        Whether numbers must be kept as written, like ids.
    levels : dict or array
        The distinct cells, with their positions; or the numbers of all rows.
    codes : array or slice
        The position of each row's cell in `levels`; or a slice of all rows.
    n_rows : int
        The number of rows.
    """

    def __init__(self, title, name="", cells=()):
        self.title, self.name, self.as_written = title, name, False
        self.levels, self.codes, self.n_rows = {}, packed("q"), 0
        self._may_be_numeric = True
        self.extend(cells)

    def extend(self, cells):
        """Add a block of cells."""
        levels = self.levels
        if isinstance(levels, dict):
            self.codes.extend([levels.setdefault(cell, len(levels)) for cell in cells])
            many = len(levels) > MANY_LEVELS and not self.as_written
            if many and self._may_be_numeric:
                numbers = _numbers_or_gaps(levels)
                self._may_be_numeric = None not in numbers
                if self._may_be_numeric:
                    values = np.array(numbers)[np.asarray(self.codes)]
                    self.levels = packed("d", values.tobytes())
                    self.codes = slice(None)
        else:
            numbers = _numbers_or_gaps(cells)
            if None in numbers:
                row = numbers.index(None)
                raise UsageError(
                    f"{self.title} has numbers, but in row {self.n_rows + row + 1:,} "
                    f"{cells[row]!r}, which is not a number{comma_hint(cells[row])}"
                )
            levels.extend(numbers)
        self.n_rows += len(cells)

    @functools.cached_property
    def numbers(self):
        """The cells as an array of numbers, None if some are not numbers."""
        levels = self.levels
        if not isinstance(levels, dict):
            return np.asarray(levels)[self.codes]
        lower = [str(level).lower() for level in levels]
        if BOOLEANS.keys() >= set(lower):
            return np.array([BOOLEANS[level] for level in lower])[self.codes]
        values = list(map(number_of, levels))
        if None in values:
            return None
        whole = all(map(WHOLE.fullmatch, levels)) and max(map(abs, values)) < 2**63
        return np.array(list(map(int, levels)) if whole else values)[self.codes]

    @functools.cached_property
    def has_lists(self):
        """Whether some cells are sequences, as in JSON."""
        return any(isinstance(level, tuple) for level in self.levels)

    def texts(self, *, raw=False):
        """Return the cells as an array of strings.

        Parameters
        ----------
        raw : bool, default=False
            Whether to keep numbers as written: otherwise 1, 01 and 1.0 are the same.

        Returns
        -------
        ndarray
            Strings, or objects if some are long or sequences.
        """
        levels = self.levels if raw else list(map(canonical, self.levels))
        short = not self.has_lists and max(map(len, levels)) <= LONGEST_LABEL
        array = np.fromiter(levels, dtype=object, count=len(levels))
        return (array.astype(str) if short else array)[self.codes]

    def labels(self):
        """Return the cells as numbers if all are in canonical form, else as strings.

        So numbers are in numeric order, and 1 and 01 are two labels.
        """
        self.check_complete()
        one_way = all(level == canonical(level) for level in self.levels)
        numeric = one_way and self.numbers is not None
        return self.numbers if numeric else self.texts(raw=True)

    def check_complete(self):
        """Raise an error for empty cells, or numbers that are not finite."""
        if self.numbers is None:
            gaps = [str(level).strip().lower() in GAPS for level in self.levels]
            missing = np.flatnonzero(np.array(gaps)[self.codes])
        else:
            missing = np.flatnonzero(~np.isfinite(self.numbers))
        if len(missing):
            raise UsageError(
                f"{self.title} has "
                f"{format_count(len(missing), 'empty, nan or infinite cells')}, the "
                f"first in row {missing[0] + 1:,}. Drop those rows for all models, or "
                "fill them"
            )

    def check_points(self):
        """Raise an error if all cells are numbers, some with decimal commas."""
        commas = [level for level in self.levels if with_point(level) != level]
        others = set(self.levels).difference(commas)
        if commas and all(WHOLE.fullmatch(str(level)) for level in others):
            raise UsageError(
                f"{self.title} has numbers with decimal commas; pass --decimal , (or "
                "--decimal . if they are labels)"
            )

    def first_text(self):
        """Describe the first cell that is not a number, by its content and row."""
        texts = [number_of(level) is None for level in self.levels]
        row = int(np.argmax(np.array(texts)[self.codes]))
        cell = list(self.levels)[self.codes[row]]
        return f"{cell!r} in row {row + 1:,}{comma_hint(cell)}"


def _numbers_or_gaps(cells):
    """Return the number in each cell, nan if it is empty, None if not a number."""
    return [number_of(str(cell).strip() or "nan") for cell in cells]


# Files

STDIN = "-"

# Number of rows read at once.
BLOCK = 10_000

# Number of names listed in a message.
N_LISTED = 10

# Options to suggest if fields are separated by another character.
OTHER_DELIMITERS = {
    ";": "--delimiter ';'",
    "\t": "--input-format tsv",
    "|": "--delimiter '|'",
    ",": "--delimiter ,",
}


class Table:
    """A file with named columns, of which some are read.

    Parameters
    ----------
    path : str
        The file, "-" for standard input.
    stack : contextlib.ExitStack
        The context that closes the file.
    options : argparse.Namespace
        `input_format`, `encoding`, `delimiter`, `quotes` and `decimal`.

    Attributes
    ----------
    title : str
        The name of the file in messages: its path.
    names : list of str
        The names of its columns.
    positional : bool
        Whether the format has no ids, so that rows are aligned by position.
    """

    def __init__(self, path, stack, options):
        if path != STDIN:
            if os.path.isdir(path):
                raise UsageError(f"{path} is a folder, not a file")
            self.title, by_name = path, ENDINGS.get(Path(path).suffix.lower(), "text")
            stream = stack.enter_context(open(path, "rb"))  # noqa: SIM115
        elif sys.stdin is None:
            raise UsageError("Standard input is closed")
        else:
            self.title, by_name, stream = "standard input", "csv", sys.stdin.buffer
        format = options.input_format or by_name
        self.positional, self._decimal = format in POSITIONAL, options.decimal
        self._rows = FORMATS[format](self.title, stream, stack, options)
        self.names, self._note = next(self._rows)

    def find(self, spec):
        """Return the columns that match a name, or a pattern with one ``*``, in order.

        Parameters
        ----------
        spec : str
            The name or pattern.

        Returns
        -------
        Source
            The source, without columns if none match.
        """
        if spec in self.names or spec.count("*") != 1:
            names, parts = [name for name in self.names if name == spec], None
        else:
            start, end = map(re.escape, spec.split("*"))
            pattern = re.compile(f"{start}(.+){end}", re.DOTALL)
            matches = list(filter(None, map(pattern.fullmatch, self.names)))
            names, parts = [m[0] for m in matches], [m[1] for m in matches]
        titles = [f"column {name!r} of {self.title}" for name in names]
        return Source(self, spec, list(map(Column, titles, names)), parts)

    def listing(self):
        """Return the names of columns for a message, and a note on how to read them."""
        listed = ", ".join(self.names[:N_LISTED])
        more = len(self.names) - N_LISTED
        listed += f" and {more:,} more" if more > 0 else ""
        return f"{listed}. {self._note}" if self._note else listed

    def read(self, columns):
        """Fill some columns. This can be called only once.

        Parameters
        ----------
        columns : list of Column
            The columns to fill.
        """
        names = list(dict.fromkeys(column.name for column in columns))
        for name in names:
            if self.names.count(name) > 1:
                raise UsageError(f"{self.title} has more than one column {name!r}")
        try:
            first = self._rows.send(names)
        except StopIteration:
            raise UsageError(f"{self.title} has no rows") from None
        rows = itertools.chain([first], self._rows)
        while block := list(itertools.islice(rows, BLOCK)):
            by_name = dict(zip(names, zip(*block, strict=True), strict=True))
            for column in columns:
                cells = by_name[column.name]
                if self._decimal == "," and not column.as_written:
                    cells = list(map(with_point, cells))
                column.extend(cells)


class Source(NamedTuple):
    """Columns of a table, by a name or a pattern.

    Parameters
    ----------
    table : Table
        The table.
    spec : str
        The name or pattern.
    columns : list of Column
        The columns.
    parts : list of str or None
        The text that the ``*`` of the pattern matches in each column; None for a name.
    """

    table: Table
    spec: str
    columns: list
    parts: list | None


def _lines(title, stream, stack, encoding, newline=None):
    """Yield the lines of a text file, with an error for bytes not in the encoding."""
    codec = {"utf8": "utf-8-sig", "utf-8": "utf-8-sig"}.get(encoding.lower(), encoding)
    try:
        text = io.TextIOWrapper(stream, encoding=codec, newline=newline)
    except LookupError:
        raise UsageError(
            f"--encoding must be a text encoding, such as utf-8. Got {encoding!r}"
        ) from None
    stack.callback(text.detach)
    number = 0
    try:
        for number, line in enumerate(text, start=1):
            if "\0" in line:
                raise UsageError(
                    f"{title}, line {number:,} has a NUL character: the file is not "
                    "text, or has an encoding such as utf-16. Pass its --encoding"
                )
            yield line
    except UnicodeError as error:
        # Several lines are decoded together, the first of which is the next one.
        before = getattr(error, "object", b"")[: getattr(error, "start", 0)]
        line = number + 1 + len(LINE_END.findall(before))
        raise UsageError(
            f"{title} is not in {encoding}: {getattr(error, 'reason', error)} in line "
            f"{line:,}. Pass its --encoding, such as latin-1 or utf-16"
        ) from None


# Formats. A reader first yields the names of all columns, and a note that may explain
# why one is missing. It is then sent the names of the columns to read, and yields their
# rows.


def read_csv(title, stream, stack, options, delimiter=","):
    """Read a table with a header and rows of the same length, skipping blank lines."""
    delimiter = options.delimiter or delimiter
    reader = csv.reader(
        _lines(title, stream, stack, options.encoding, newline=""),
        delimiter=delimiter,
        quoting=csv.QUOTE_MINIMAL if options.quotes else csv.QUOTE_NONE,
        strict=True,
    )
    rows = filter(None, reader)
    try:
        names = next(rows, None)
        if names is None:
            raise UsageError(f"{title} is empty: it has no header")
        others = [hint for mark, hint in OTHER_DELIMITERS.items() if mark in names[0]]
        misread = len(names) == 1 and others
        note = f"If these are several columns, pass {others[0]}" if misread else ""
        wanted = yield names, note
        places = [names.index(name) for name in wanted]
        for row in rows:
            if len(row) != len(names):
                hint = ". Numbers with decimal commas must be in quotation marks"
                raise UsageError(
                    f"{title}, line {reader.line_num:,}: the header has {len(names)} "
                    f"fields, this row has {len(row)}"
                    f"{hint if delimiter == ',' and len(row) > len(names) else ''}"
                )
            yield [row[place] for place in places]
    except csv.Error as error:
        raise UsageError(
            f"{title}, line {reader.line_num:,}: {error}. If quotation marks are "
            "ordinary characters there, pass --no-quotes"
        ) from None


def read_json_lines(title, stream, stack, options):
    """Read a table with an object in each line, skipping blank lines."""
    wanted = None
    lines = _lines(title, stream, stack, options.encoding)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise UsageError(f"{title}, line {number:,} is not JSON: {error}") from None
        if not isinstance(row, dict):
            raise UsageError(
                f'{title}, line {number:,}: a row must be an object such as {{"id": 1, '
                f'"gold": "yes"}}. Got {line.strip()[:40]}'
            )
        if wanted is None:
            wanted = yield list(row), ""
        yield [plain_cell(row.get(name)) for name in wanted]
    if wanted is None:
        raise UsageError(f"{title} is empty")


def read_parquet(title, stream, stack, options):
    """Read a Parquet file."""
    pyarrow = optional_import("pyarrow")
    parquet = optional_import("pyarrow.parquet")
    try:
        file = parquet.ParquetFile(_seekable(stream))
    except pyarrow.ArrowInvalid as error:
        raise UsageError(f"{title} is not a Parquet file: {error}") from None
    wanted = yield file.schema_arrow.names, ""
    for batch in file.iter_batches(batch_size=BLOCK, columns=wanted):
        columns = [batch.column(name).to_pylist() for name in wanted]
        yield from _rows_of(columns)


def read_npy(title, stream, stack, options):
    """Read a NumPy array."""
    try:
        array = np.load(_seekable(stream), allow_pickle=False)
    except (ValueError, EOFError):
        raise UsageError(f"{title} is not a .npy file of numbers or strings") from None
    if not isinstance(array, np.ndarray) or array.ndim not in (1, 2):
        raise UsageError(f"{title} must hold an array of 1 or 2 dimensions")
    if array.dtype.names:  # fields; otherwise columns are named 0, 1, ...
        columns = {name: array[name] for name in array.dtype.names}
    else:
        columns = {str(i): values for i, values in enumerate(np.atleast_2d(array.T))}
    wanted = yield list(columns), ""
    yield from _rows_of([columns[name].tolist() for name in wanted])


def read_text(title, stream, stack, options):
    """Read a text file as a table of one column, with a row for each line."""
    note = (
        "It is read as plain text, one output per line; pass another format to "
        "--input-format"
    )
    yield ["line"], note
    for line in _lines(title, stream, stack, options.encoding):
        yield [line.rstrip("\n")]


def _seekable(stream):
    return stream if stream.seekable() else io.BytesIO(stream.read())


def _rows_of(columns):
    """Yield the rows of columns of Python objects."""
    return (list(map(plain_cell, row)) for row in zip(*columns, strict=True))


FORMATS = {
    "csv": read_csv,
    "tsv": functools.partial(read_csv, delimiter="\t"),
    "jsonl": read_json_lines,
    "parquet": read_parquet,
    "npy": read_npy,
    "text": read_text,
}
POSITIONAL = ("npy", "text")
ENDINGS = {f".{name}": name for name in FORMATS}
ENDINGS |= {".tab": "tsv", ".ndjson": "jsonl", ".pq": "parquet"}
