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


def _cell(text, number):
    """Set a cell; numbers get a minus sign instead of a hyphen."""
    if number and text.startswith("-"):
        return f"$-${_escaped(text[1:])}"
    return _escaped(text)


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
    sides = "".join("r" if number else "l" for number in numeric)
    head = [_row(map(_escaped, table.columns)), r"\midrule"] if table.columns else []
    body = [_row(map(_cell, row, numeric)) for row in table.rows]
    tabular = [
        rf"\begin{{tabular}}{{{sides}}}",
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


def _row(cells):
    return " & ".join(f"{{{cell}}}" for cell in cells) + r" \\"


_SETTERS = {
    Paragraph: _paragraph,
    Table: _table,
    Notes: _notes,
    Signature: _signature,
}
