"""A document as LaTeX, to be put into another."""

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

__all__ = ["render_latex"]

# Texts of so many characters stay on one line; columns of longer ones are broken.
LONGEST_UNBROKEN = 40
LONG = r"p{0.3\linewidth}"

_ESCAPES = str.maketrans(
    {character: f"\\{character}" for character in "{}$&#_%"}
    | {
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "`": r"{\char96}",
        '"': r"{\char34}",
    }
)


def render_latex(document):
    r"""Set a document as LaTeX without a preamble, for ``\input``.

    Parameters
    ----------
    document : Document
        What to set.

    Returns
    -------
    str
        The LaTeX. Tables need the package booktabs.
    """
    parts = [r"% Needs \usepackage{booktabs}."]
    if document.title:
        parts.append(rf"\section*{{{_escaped(document.title)}}}")
    for section in document.sections:
        if section.title:
            parts.append(rf"\subsection*{{{_escaped(section.title)}}}")
        parts += set_blocks(section, _SETTERS)
    return "\n\n".join(parts)


def _escaped(text):
    r"""Escape what LaTeX would take as more than text.

    Examples
    --------
    >>> print(_escaped("50 % of $x_1$"))
    50 \% of \$x\_1\$
    """
    return re.sub("-(?=-)", "-{}", one_line(text).translate(_ESCAPES))


def _cell(text, side):
    """Set a cell; numbers, in brackets or not, get a minus instead of a hyphen.

    Examples
    --------
    >>> print(_cell("[-0.0220, 0.1819]", "l"), _cell("gpt-4", "l"), _cell("a_b", LONG))
    [$-$0.0220, 0.1819] gpt-4 a\\_\\allowbreak{}b
    """
    cell = re.sub(r"(?<![^\[ ])-(?=\d)", "$-$", _escaped(text))
    return cell.replace(r"\_", r"\_\allowbreak{}") if side == LONG else cell


def _paragraph(block):
    return _escaped(block.text)


def _notes(block):
    items = [rf"  \item {{}}{_escaped(line)}" for line in block.lines]
    return "\n".join([r"\begin{itemize}", *items, r"\end{itemize}"])


def _signature(block):
    """Set code that may be broken after each of its parts."""
    code = _escaped(block.text).replace(r"\textbar{}", r"\textbar{}\allowbreak{}")
    return rf"{{\raggedright\footnotesize\ttfamily {code}\par}}"


def _table(table):
    numeric = numeric_columns(table)
    cells = zip(table.columns or [""] * len(numeric), *table.rows, strict=True)
    sides = list(map(_side, cells, numeric))
    head = [_row(map(_escaped, table.columns)), r"\midrule"] if table.columns else []
    body = [_row(map(_cell, row, sides)) for row in table.rows]
    tabular = [
        rf"\begin{{tabular}}{{{''.join(sides)}}}",
        r"\toprule",
        *head,
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    caption = [rf"\caption{{{_escaped(table.caption)}}}"] if table.caption else []
    return "\n".join(
        [r"\begin{table}[htbp]", r"\centering", *caption, *tabular, r"\end{table}"]
    )


def _side(cells, number):
    """Return how a column is set: numbers to the right, long texts in several lines."""
    if number:
        return "r"
    longest = max(len(one_line(cell)) for cell in cells)
    return "l" if longest <= LONGEST_UNBROKEN else LONG


def _row(cells):
    return " & ".join(f"{{{cell}}}" for cell in cells) + r" \\"


_SETTERS = {
    Paragraph: _paragraph,
    Table: _table,
    Notes: _notes,
    Signature: _signature,
}
