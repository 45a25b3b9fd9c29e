"""Formats of files, each opened as a table whose rows are read later."""

import csv
import dataclasses
import io
import itertools
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from skcompare._format import optional_import
from skcompare.cli._columns import ColumnBuilder, plain_cell, with_point
from skcompare.cli._errors import UsageError

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


def _open_csv(path, stack, options, delimiter=","):
    rows = _csv_rows(path, stack, options, options.delimiter or delimiter)
    names = next(rows, None)
    if names is None:
        raise UsageError(f"{title_of(path)} is empty: it has no header")
    others = [give for mark, give in OTHER_DELIMITERS.items() if mark in names[0]]
    misread = len(names) == 1 and others
    note = f"If these are several columns, give {others[0]}" if misread else ""

    def picked(positions):
        return ([row[position] for position in positions] for row in rows)

    return Table(path, names, picked, note=note)


def _open_tsv(path, stack, options):
    return _open_csv(path, stack, options, "\t")


def _csv_rows(path, stack, options, delimiter):
    """Yield the header and the rows, which must be as long; blank lines are none."""
    reader = csv.reader(
        _lines(path, stack, options.encoding, newline=""),
        delimiter=delimiter,
        quoting=csv.QUOTE_MINIMAL if options.quotes else csv.QUOTE_NONE,
        strict=True,
    )
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
            f"{title_of(path)}, line {reader.line_num:,}: {error}. If quotation marks "
            "are just characters there, give --no-quotes"
        ) from None


def _open_json_lines(path, stack, options):
    objects = _json_objects(path, _lines(path, stack, options.encoding))
    first = next(objects, None)
    if first is None:
        raise UsageError(f"{title_of(path)} is empty")
    names = list(first)

    def rows(positions):
        wanted = [names[position] for position in positions]
        for item in itertools.chain([first], objects):
            yield [plain_cell(item.get(name)) for name in wanted]

    return Table(path, names, rows)


def _json_objects(path, lines):
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
                f"{title_of(path)}, line {number:,}: a row must be an object such as "
                f'{{"id": 1, "gold": "yes"}}. Got {line.strip()[:40]}'
            )
        yield row


def _seekable(stream):
    return stream if stream.seekable() else io.BytesIO(stream.read())


def _open_parquet(path, stack, options):
    pyarrow = optional_import("pyarrow", "parquet")
    parquet = optional_import("pyarrow.parquet", "parquet")
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


def _open_npy(path, stack, options):
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


def _open_text(path, stack, options):
    lines = _lines(path, stack, options.encoding)
    note = (
        "It is read as plain text, one output per line; --input-format names another "
        "format"
    )

    def rows(positions):
        return ([line.rstrip("\n")] * len(positions) for line in lines)

    return Table(path, ["line"], rows, positional=True, note=note)


FORMATS = {
    "csv": _open_csv,
    "tsv": _open_tsv,
    "jsonl": _open_json_lines,
    "parquet": _open_parquet,
    "npy": _open_npy,
    "text": _open_text,
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
