"""A document as one page of HTML that needs nothing else."""

import html
import itertools

from skcompare._version import __version__
from skcompare.reporting._document import (
    Figure,
    Notes,
    Paragraph,
    Signature,
    number_in,
    numeric_columns,
    one_line,
    set_blocks,
)
from skcompare.reporting._page import PAGE, POLICY, SCRIPT, STYLE
from skcompare.reporting._pictures import as_svg, what_is_missing
from skcompare.results import Table

__all__ = ["render_html"]

# Cells of so many characters stay on one line, and so do names of columns.
LONGEST_UNBROKEN = 32
LONGEST_UNBROKEN_NAME = 10


def render_html(document):
    """Set a document as HTML, with pictures if matplotlib is installed.

    Parameters
    ----------
    document : Document
        What to set.

    Returns
    -------
    str
        The page.
    """
    missing = what_is_missing()
    setters = _SETTERS if missing else _SETTERS | {Figure: _Figures()}
    sections = [_section(section, setters) for section in document.sections]
    return PAGE.format(
        title=_escaped(document.title or "Model comparison"),
        policy=POLICY,
        style=STYLE,
        content="\n".join(sections),
        footer=_footer(missing),
        script=SCRIPT,
    )


def _footer(missing):
    made = f"Made by skcompare {__version__}."
    if missing is None:
        return made
    return f"{made} There are no pictures. {_escaped(missing)}"


def _escaped(text):
    return html.escape(one_line(text))


def _section(section, setters):
    heading = [f"<h2>{_escaped(section.title)}</h2>"] if section.title else []
    blocks = set_blocks(section, setters)
    return "\n".join(["<section>", *heading, *blocks, "</section>"])


def _paragraph(block):
    return f"<p>{_escaped(block.text)}</p>"


def _notes(block):
    lines = "\n".join(f"<li>{_escaped(line)}</li>" for line in block.lines)
    return f"<aside><h3>{_escaped(block.title)}</h3>\n<ul>\n{lines}\n</ul></aside>"


def _signature(block):
    return f'<p class="signature"><code>{_escaped(block.text)}</code></p>'


class _Figures:
    """Sets figures, one after the other."""

    def __init__(self):
        self._numbers = itertools.count(1)

    def __call__(self, block):
        svg, caption = as_svg(block, next(self._numbers))
        labelled = f'<svg role="img" aria-label="{_escaped(caption)}"'
        svg = svg.replace("<svg", labelled, 1)
        caption = f"<figcaption>{_escaped(caption)}</figcaption>"
        return f"<figure>\n{svg}\n{caption}\n</figure>"


def _table(table):
    kinds = ["number" if number else "text" for number in numeric_columns(table)]
    parts = [
        f"<caption>{_escaped(table.caption)}</caption>" if table.caption else "",
        _head(table.columns, kinds) if table.columns else "",
        "<tbody>",
        *(_row(row, kinds) for row in table.rows),
        "</tbody>",
    ]
    rows = "\n".join(filter(None, parts))
    return f'<div class="table"><table>\n{rows}\n</table></div>'


def _head(columns, kinds):
    return f"<thead><tr>{''.join(map(_head_cell, columns, kinds))}</tr></thead>"


def _head_cell(name, kind):
    short = " short" if len(name) <= LONGEST_UNBROKEN_NAME else ""
    words = " ".join(map(_head_word, _escaped(name).split(" ")))
    button = f'<button type="button">{words}</button>'
    return f'<th scope="col" class="{kind}{short}">{button}</th>'


def _head_word(word):
    """Keep a short word with a hyphen on one line."""
    breaks = "-" in word and len(word) <= LONGEST_UNBROKEN_NAME
    return f'<span class="short">{word}</span>' if breaks else word


def _row(row, kinds):
    return f"<tr>{''.join(map(_cell, row, kinds))}</tr>"


def _cell(text, kind):
    number = number_in(text)
    value = "" if number is None else f' data-number="{number!r}"'
    short = " short" if len(text) <= LONGEST_UNBROKEN else ""
    return f'<td class="{kind}{short}"{value}>{_escaped(text)}</td>'


_SETTERS = {
    Paragraph: _paragraph,
    Table: _table,
    Notes: _notes,
    Signature: _signature,
}
