"""A document as Markdown, with the tables that GitHub knows."""

import re

from skcompare.reporting._document import (
    Notes,
    Paragraph,
    Signature,
    numeric_columns,
    one_line,
    set_blocks,
)
from skcompare.results import Table

__all__ = ["render_markdown"]

# Entities work wherever HTML does; backslashes are for what Markdown makes of text.
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
    | {character: f"\\{character}" for character in "\\`*_[]|~#$"}
)


def render_markdown(document):
    """Set a document as Markdown.

    Parameters
    ----------
    document : Document
        What to set.

    Returns
    -------
    str
        The Markdown.
    """
    parts = [f"# {_escaped(document.title)}"] if document.title else []
    for section in document.sections:
        if section.title:
            parts.append(f"## {_escaped(section.title)}")
        parts += set_blocks(section, _SETTERS)
    return "\n\n".join(parts)


def _escaped(text):
    """Escape what Markdown or HTML would take as more than text.

    Examples
    --------
    >>> print(_escaped("a|b <i>_c_"))
    a\\|b &lt;i&gt;\\_c\\_
    """
    return one_line(text).translate(_ESCAPES)


def _line(text):
    """Escape a text that begins a line, where marks of lists mean something."""
    return re.sub(r"^([+-]|\d+[.)])", _with_backslash, _escaped(text))


def _with_backslash(mark):
    return f"{mark[0][:-1]}\\{mark[0][-1]}"


def _paragraph(block):
    return _line(block.text)


def _notes(block):
    return "\n".join(
        [f"**{_escaped(block.title)}**", "", *(f"- {_line(x)}" for x in block.lines)]
    )


def _signature(block):
    """Set code between more backticks than it has itself."""
    text = one_line(block.text)
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}" if longest else f"{fence}{text}{fence}"


def _table(table):
    numeric = numeric_columns(table)
    head = table.columns or [""] * len(numeric)
    rules = ["--:" if number else "---" for number in numeric]
    lines = [_row(map(_escaped, head)), _row(rules)]
    lines += [_row(map(_escaped, row)) for row in table.rows]
    caption = [f"**{_escaped(table.caption)}**", ""] if table.caption else []
    return "\n".join(caption + lines)


def _row(cells):
    return f"| {' | '.join(cells)} |"


_SETTERS = {
    Paragraph: _paragraph,
    Table: _table,
    Notes: _notes,
    Signature: _signature,
}
