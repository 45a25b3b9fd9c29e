"""A document as plain text."""

import textwrap
import unicodedata

from skcompare.reporting._document import (
    Notes,
    Paragraph,
    Signature,
    numeric_columns,
    one_line,
    set_blocks,
)
from skcompare.results import Table

__all__ = ["render_text"]

WIDTH = 79


def render_text(document):
    """Set a document as plain text, at most 79 columns wide but for wide tables.

    Parameters
    ----------
    document : Document
        What to set.

    Returns
    -------
    str
        The text.
    """
    parts = [_underlined(document.title, "=")] if document.title else []
    for section in document.sections:
        if section.title:
            parts.append(_underlined(section.title, "-"))
        parts += set_blocks(section, _SETTERS)
    return "\n\n".join(parts)


def _underlined(title, character):
    title = one_line(title)
    return f"{title}\n{character * _width(title)}"


def _width(text):
    """Return how many columns of a terminal a text takes.

    Examples
    --------
    >>> _width("abc"), _width("\u65e5\u672c"), _width("e\u0301")
    (3, 4, 1)
    """
    return sum(
        0 if unicodedata.combining(x) else 1 + (unicodedata.east_asian_width(x) in "WF")
        for x in text
    )


def _padded(cell, width, to_the_right):
    spaces = " " * (width - _width(cell))
    return spaces + cell if to_the_right else cell + spaces


def _wrapped(text, indent=""):
    return textwrap.fill(
        one_line(text),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=2 * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _paragraph(block):
    return _wrapped(block.text)


def _notes(block):
    return "\n".join(_wrapped(line, "  ") for line in block.lines)


def _signature(block):
    return f"  {one_line(block.text)}"


def _table(table):
    """Set a table in columns: numbers to the right, all else to the left."""
    rows = [tuple(map(one_line, row)) for row in table.rows]
    head = [tuple(map(one_line, table.columns))] if table.columns else []
    widths = [max(map(_width, column)) for column in zip(*head, *rows, strict=True)]
    numeric = numeric_columns(table)
    lines = ["  ".join(map(_padded, row, widths, numeric)) for row in [*head, *rows]]
    if head:
        lines.insert(1, "  ".join("-" * width for width in widths))
    caption = [f"{one_line(table.caption)}:", ""] if table.caption else []
    return "\n".join(caption + [f"  {line}".rstrip() for line in lines])


_SETTERS = {
    Paragraph: _paragraph,
    Table: _table,
    Notes: _notes,
    Signature: _signature,
}
