"""A document as plain text."""

import textwrap

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
    return f"{title}\n{character * len(title)}"


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
    widths = [max(map(len, column)) for column in zip(*head, *rows, strict=True)]
    aligned = [">" if number else "<" for number in numeric_columns(table)]
    lines = [
        "  ".join(
            f"{cell:{side}{width}}"
            for cell, side, width in zip(row, aligned, widths, strict=True)
        )
        for row in [*head, *rows]
    ]
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
