"""Formats of files, each opened as a table."""

import csv
import io
import itertools
import json
import os
import sys
from pathlib import Path

import numpy as np

from skcompare._optional import optional_import
from skcompare.cli._columns import plain_cell
from skcompare.cli._errors import UsageError
from skcompare.cli._table import BLOCK, STDIN, Table, title_of

__all__ = ["FORMATS", "open_table"]

# What to give where fields are separated by another character than was thought.
OTHER_DELIMITERS = {
    ";": "--delimiter ';'",
    "\t": "--input-format tsv",
    "|": "--delimiter '|'",
    ",": "--delimiter ,",
}

AS_LINES = (
    "It is read as plain text, one output per line; --input-format names another format"
)


def open_table(path, stack, *, format=None, encoding="utf-8", **how):
    """Open a file, whose rows are read later.

    Parameters
    ----------
    path : str
        The file, "-" for standard input.
    stack : contextlib.ExitStack
        What closes the file in the end.
    format : str or None, default=None
        One of `FORMATS`. None goes by the ending of the name.
    encoding : str, default="utf-8"
        The encoding of text files.
    **how : dict
        `delimiter` and `quotes`, for delimited files.

    Returns
    -------
    Table
        The table.
    """
    return FORMATS[format or _format_of(path)](path, stack, encoding, **how)


def _open_binary(path, stack):
    if path == STDIN:
        return _standard_input()
    if os.path.isdir(path):
        raise UsageError(f"{path} is a folder, not a file")
    return stack.enter_context(open(path, "rb"))


def _standard_input():
    if sys.stdin is None:
        raise UsageError("Standard input is closed")
    return sys.stdin.buffer


def _format_of(path):
    if path == STDIN:
        return "csv"
    return ENDINGS.get(Path(path).suffix.lower(), "text")


def _lines(path, stack, encoding, newline=None):
    """Return the lines of a text file; an encoding that does not fit is an error."""
    with_mark = {"utf8": "utf-8-sig", "utf-8": "utf-8-sig"}
    codec = with_mark.get(encoding.lower(), encoding)
    try:
        "".encode(codec)
    except LookupError:
        raise UsageError(
            f"--encoding must be one of text, such as utf-8. Got {encoding!r}"
        ) from None
    stream = _open_binary(path, stack)
    text = io.TextIOWrapper(stream, encoding=codec, newline=newline)
    stack.callback(text.detach)
    return _decoded(text, title_of(path), encoding)


def _decoded(text, title, encoding):
    n_lines = 0
    try:
        for line in text:
            n_lines += 1
            yield line
    except UnicodeError as error:
        raise UsageError(
            f"{title} is not in {encoding}, as seen after line {n_lines:,}: "
            f"{getattr(error, 'reason', error)}. Give its --encoding, such as latin-1 "
            "or utf-16"
        ) from None


# Delimited text


def _open_csv(path, stack, encoding, *, delimiter=None, quotes=True):
    return _open_delimited(path, stack, encoding, delimiter or ",", quotes)


def _open_tsv(path, stack, encoding, *, delimiter=None, quotes=True):
    return _open_delimited(path, stack, encoding, delimiter or "\t", quotes)


def _open_delimited(path, stack, encoding, delimiter, quotes):
    quoting = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    lines = _without_nul(_lines(path, stack, encoding, newline=""), title_of(path))
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)
    rows = _csv_rows(path, reader)
    names = next(rows, None)
    if names is None:
        raise UsageError(f"{title_of(path)} is empty: it has no header")
    note = "" if len(names) > 1 else _other_delimiter(names[0])
    return Table(path, names, lambda positions: _picked(rows, positions), note=note)


def _without_nul(lines, title):
    """Yield lines; a character that no table has tells that this is none."""
    for number, line in enumerate(lines, start=1):
        if "\0" in line:
            raise UsageError(
                f"{title}, line {number:,} has the character NUL: it is no text, or in "
                "an encoding such as utf-16. Give its --encoding"
            )
        yield line


def _other_delimiter(header):
    """Say so if a header of one field looks like one of several."""
    remedies = [give for mark, give in OTHER_DELIMITERS.items() if mark in header]
    return f"If these are several columns, give {remedies[0]}" if remedies else ""


def _picked(rows, positions):
    for row in rows:
        yield [row[position] for position in positions]


def _csv_rows(path, reader):
    """Yield the header and the rows, which must be as long; blank lines are none."""
    width = None
    try:
        for row in filter(None, reader):
            width = width or len(row)
            if len(row) == width:
                yield row
            else:
                raise UsageError(
                    f"{title_of(path)}, line {reader.line_num:,}: the header has "
                    f"{width} fields, this row {len(row)}"
                )
    except csv.Error as error:
        raise UsageError(
            f"{title_of(path)}, line {reader.line_num:,}: {error}. If quotation marks "
            "are just characters there, give --no-quotes"
        ) from None


# Other formats


def _open_json_lines(path, stack, encoding, **_):
    rows = _json_rows(path, _lines(path, stack, encoding))
    first = next(rows, None)
    if first is None:
        raise UsageError(f"{title_of(path)} is empty")
    names = list(first)

    def blocks(positions):
        wanted = [names[position] for position in positions]
        for row in itertools.chain([first], rows):
            yield [plain_cell(row.get(name)) for name in wanted]

    return Table(path, names, blocks)


def _json_rows(path, lines):
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


def _open_parquet(path, stack, encoding, **_):
    pyarrow = optional_import("pyarrow", "parquet")
    parquet = optional_import("pyarrow.parquet", "parquet")
    try:
        file = parquet.ParquetFile(_seekable(_open_binary(path, stack)))
    except pyarrow.ArrowInvalid as error:
        raise UsageError(f"{title_of(path)} is not a Parquet file: {error}") from None
    names = file.schema_arrow.names

    def blocks(positions):
        wanted = [names[position] for position in positions]
        for batch in file.iter_batches(batch_size=BLOCK, columns=wanted):
            cells = [batch.column(name).to_pylist() for name in wanted]
            for row in zip(*cells, strict=True):
                yield [plain_cell(value) for value in row]

    return Table(path, names, blocks)


def _seekable(stream):
    return stream if stream.seekable() else io.BytesIO(stream.read())


def _open_npy(path, stack, encoding, **_):
    try:
        array = _load_npy(path)
    except (ValueError, EOFError):
        raise UsageError(
            f"{title_of(path)} is not a .npy file of numbers or texts"
        ) from None
    names, columns = _npy_columns(path, array)

    def blocks(positions):
        wanted = [columns[position] for position in positions]
        for row in range(len(array)):
            yield [plain_cell(column[row].item()) for column in wanted]

    return Table(path, names, blocks, positional=True)


def _load_npy(path):
    if path == STDIN:
        return np.load(_seekable(_standard_input()), allow_pickle=False)
    return np.load(path, mmap_mode="r", allow_pickle=False)


def _npy_columns(path, array):
    """Return names and columns: the fields, or the columns by number from 0."""
    if not isinstance(array, np.ndarray) or array.ndim not in (1, 2):
        raise UsageError(f"{title_of(path)} must hold an array of 1 or 2 dimensions")
    if array.dtype.names:
        return list(array.dtype.names), [array[name] for name in array.dtype.names]
    columns = [array] if array.ndim == 1 else list(array.T)
    return [str(number) for number in range(len(columns))], columns


def _open_lines(path, stack, encoding, **_):
    lines = _lines(path, stack, encoding)

    def blocks(positions):
        for line in lines:
            yield [line.rstrip("\n")] * len(positions)

    return Table(path, ["line"], blocks, positional=True, note=AS_LINES)


FORMATS = {
    "csv": _open_csv,
    "tsv": _open_tsv,
    "jsonl": _open_json_lines,
    "parquet": _open_parquet,
    "npy": _open_npy,
    "text": _open_lines,
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
