"""What a report says, before it is set in any format.

A document has sections, and a section has blocks. A renderer knows how to set each kind
of block, and nothing about results.
"""

import dataclasses
import re

__all__ = [
    "Document",
    "Figure",
    "Notes",
    "Paragraph",
    "Section",
    "Signature",
    "number_in",
    "numeric_columns",
    "one_line",
    "set_blocks",
]


@dataclasses.dataclass(frozen=True)
class Paragraph:
    """A few sentences."""

    text: str


@dataclasses.dataclass(frozen=True)
class Notes:
    """Lines that belong together, under a title."""

    title: str
    lines: tuple


@dataclasses.dataclass(frozen=True)
class Signature:
    """A line of code that says how numbers came about."""

    text: str


@dataclasses.dataclass(frozen=True)
class Figure:
    """A picture that is drawn when a format has pictures.

    Parameters
    ----------
    draw : callable
        Without arguments, returns a display that is drawn, with its `figure_`.
    caption : str or None, default=None
        What it shows; None takes the first sentence of the display's documentation.
    """

    draw: object
    caption: str | None = None


@dataclasses.dataclass(frozen=True)
class Section:
    """Blocks under a title; an empty title is not set."""

    title: str
    blocks: tuple


@dataclasses.dataclass(frozen=True)
class Document:
    """Sections under a title; an empty title is not set where a format allows it."""

    title: str
    sections: tuple

    def reworded(self, reword):
        """Return the document with other words in its notes.

        Parameters
        ----------
        reword : callable
            Turns a line into another.

        Returns
        -------
        Document
            The same but for the lines of notes.
        """
        sections = [
            dataclasses.replace(s, blocks=tuple(_reworded(b, reword) for b in s.blocks))
            for s in self.sections
        ]
        return dataclasses.replace(self, sections=tuple(sections))


def _reworded(block, reword):
    if not isinstance(block, Notes):
        return block
    return dataclasses.replace(block, lines=tuple(map(reword, block.lines)))


def set_blocks(section, setters):
    """Set the blocks of a section, leaving out those that a format does not have.

    Parameters
    ----------
    section : Section
        What to set.
    setters : dict of callable
        For each type of block, what turns it into text.

    Returns
    -------
    list of str
        The blocks that were set.
    """
    known = [block for block in section.blocks if type(block) in setters]
    return [setters[type(block)](block) for block in known]


_NUMBER = re.compile(r"[<>]?\s*([+-]?(?:\d[\d,]*\.?\d*(?:e[+-]?\d+)?|inf))", re.I)


def number_in(text):
    """Return the number that a cell holds, None if it holds something else.

    Examples
    --------
    >>> number_in("+0.0450"), number_in("< 0.001"), number_in("1,200"), number_in("3 a")
    (0.045, 0.001, 1200.0, None)
    """
    match = _NUMBER.fullmatch(text.strip())
    return None if match is None else float(match[1].replace(",", ""))


def numeric_columns(table):
    """Say of each column of a table whether all its cells, but empty ones, are numbers.

    Examples
    --------
    >>> from skcompare.results import Table
    >>> numeric_columns(Table([("a", "1", ""), ("b", "2", "-0.5"), ("c", "", "")]))
    [False, True, True]
    """
    return [_all_numbers(column) for column in zip(*table.rows, strict=True)]


def _all_numbers(cells):
    filled = [cell for cell in cells if cell]
    return bool(filled) and all(number_in(cell) is not None for cell in filled)


def one_line(text):
    """Return a text without line breaks and characters that cannot be printed.

    Examples
    --------
    >>> one_line("two\\nlines\\x00")
    'two lines'
    """
    words = " ".join(text.split())
    return "".join(character for character in words if character.isprintable())
