"""What is shown to a person, before it is set in any format.

A document has sections, and a section has blocks: paragraphs, tables, notes, code and
figures. A writer knows how to set each of them, and nothing about results.
"""

import abc
import dataclasses
import re

# A print cuts cells that are longer.
LONGEST_CELL = 60

_NUMBER = re.compile(r"[<>]?=?\s*([+-]?(?:\d[\d,]*\.?\d*(?:e[+-]?\d+)?|inf))", re.I)


@dataclasses.dataclass(frozen=True)
class Paragraph:
    """A few sentences."""

    text: str


@dataclasses.dataclass(frozen=True)
class Table:
    """Rows of strings under the names of their columns.

    Parameters
    ----------
    rows : list of tuple of str
        The cells.
    columns : tuple of str
        The head.
    caption : str, default=""
        What the table shows.
    n_brief : int or None, default=None
        How many rows a print shows at most; 0 leaves the table out, None shows all.
    """

    rows: list
    columns: tuple
    caption: str = ""
    n_brief: int | None = None

    @classmethod
    def from_cells(cls, rows, caption="", n_brief=None):
        """Make a table of rows that may lack some of the columns.

        Parameters
        ----------
        rows : list of dict of str
            Cells by name of the column.
        caption : str, default=""
            What the table shows.
        n_brief : int or None, default=None
            How many rows a print shows at most.

        Returns
        -------
        Table
            With all columns that have something in them.

        Examples
        --------
        >>> Table.from_cells([{"a": "1", "c": ""}, {"a": "2", "b": "3"}]).rows
        [('1', ''), ('2', '3')]
        """
        columns = dict.fromkeys(name for cells in rows for name in cells if cells[name])
        filled = [tuple(cells.get(name, "") for name in columns) for cells in rows]
        return cls(filled, tuple(columns), caption, n_brief)

    @classmethod
    def from_columns(cls, columns, caption=""):
        """Make a table of columns of strings.

        Parameters
        ----------
        columns : dict of iterable of str
            Cells by name of the column.
        caption : str, default=""
            What the table shows.

        Returns
        -------
        Table
            With as many rows as the columns have cells.

        Examples
        --------
        >>> Table.from_columns({"a": ["1", "2"], "b": ["x", "y"]}).rows
        [('1', 'x'), ('2', 'y')]
        """
        rows = list(zip(*columns.values(), strict=True))
        return cls(rows, tuple(columns), caption)

    @property
    def numeric(self):
        """Whether all cells of a column, but empty ones, are numbers; for each column.

        Examples
        --------
        >>> Table([("a", "1", ""), ("b", "2", "-0.5")], ("x", "y", "z")).numeric
        [False, True, True]
        """
        columns = [[row[i] for row in self.rows] for i in range(len(self.columns))]
        return [
            any(cells) and all(_NUMBER.fullmatch(c.strip()) for c in cells if c)
            for cells in columns
        ]

    def brief(self):
        """Return what a print shows, if anything: first rows, and cells cut short.

        Examples
        --------
        >>> Table([("a",), ("b",), ("c",)], ("x",), "Letters", n_brief=2).brief().rows
        [('a',), ('b',)]
        """
        if self.n_brief == 0:
            return None
        shown = self.rows[: self.n_brief]
        caption = self.caption
        if len(shown) < len(self.rows):
            number = f"{len(shown)} of {len(self.rows)}"
            caption = f"{caption} ({number}; to_frame() has all)".lstrip()
        rows = [tuple(shortened(cell, LONGEST_CELL) for cell in row) for row in shown]
        return Table(rows, self.columns, caption)


@dataclasses.dataclass(frozen=True)
class Notes:
    """Remarks that belong together, under a title; an empty title is not set."""

    title: str
    lines: tuple


@dataclasses.dataclass(frozen=True)
class Code:
    """A line to be copied as it is."""

    text: str


@dataclasses.dataclass(frozen=True)
class Figure:
    """A plot, drawn by formats that have plots.

    Parameters
    ----------
    source : Result or Display
        What is drawn, by its `plot`.
    caption : str or None, default=None
        What it shows; None takes the first sentence of the display's documentation.
    """

    source: object
    caption: str | None = None


@dataclasses.dataclass(frozen=True)
class Section:
    """Blocks under a title; an empty title is not set.

    Parameters
    ----------
    title : str
        The title.
    blocks : tuple
        What it holds: paragraphs, tables, notes, code and figures.
    about : str, default=""
        What an untitled section is about, for formats whose tables need a caption.
    """

    title: str
    blocks: tuple
    about: str = ""

    def brief(self):
        """Return the section as a print shows it: untitled, with tables cut."""
        brief = [b.brief() if isinstance(b, Table) else b for b in self.blocks]
        return Section("", tuple(block for block in brief if block is not None))


@dataclasses.dataclass(frozen=True)
class Document:
    """Sections under a title; an empty title is not set where a format allows it."""

    title: str
    sections: tuple


class Writer(abc.ABC):
    """Sets a document in one format; a subclass says how each kind of block is set.

    A kind of block is set by the method of its name.
    """

    # What the names of files in this format end in.
    suffixes = ()

    # What sets a figure, in formats that have some.
    figure = None

    def write(self, document):
        """Set a document.

        Parameters
        ----------
        document : Document
            What to set.

        Returns
        -------
        str
            The document.
        """
        parts = [self.title(document.title)] if document.title else []
        return "\n\n".join([*parts, *map(self.section, document.sections)])

    def section(self, section):
        """Set a section; empty notes, and what a format does not have, are left out.

        Parameters
        ----------
        section : Section
            What to set.

        Returns
        -------
        str
            Its title, if there is one, and its blocks.
        """
        parts = [self.heading(section.title)] if section.title else []
        for block in section.blocks:
            set_block = getattr(self, type(block).__name__.lower())
            empty = isinstance(block, Notes) and not block.lines
            if set_block is not None and not empty:
                parts.append(set_block(block))
        return "\n\n".join(filter(None, parts))

    def title(self, title):
        """Set the title of a document; by default like that of a section."""
        return self.heading(title)

    @abc.abstractmethod
    def heading(self, title):
        """Set the title of a section."""

    @abc.abstractmethod
    def paragraph(self, block):
        """Set a paragraph."""

    @abc.abstractmethod
    def table(self, table):
        """Set a table."""

    @abc.abstractmethod
    def notes(self, block):
        """Set notes."""

    @abc.abstractmethod
    def code(self, block):
        """Set code."""


def number_in(text):
    """Return the number that a cell holds, None if it holds something else.

    Examples
    --------
    >>> number_in("+0.045"), number_in("<= 0.001"), number_in("1,200"), number_in("3 a")
    (0.045, 0.001, 1200.0, None)
    """
    match = _NUMBER.fullmatch(text.strip())
    return None if match is None else float(match[1].replace(",", ""))


def one_line(text):
    """Return a text without line breaks and characters that cannot be printed.

    Examples
    --------
    >>> one_line("two\\nlines\\x00")
    'two lines'
    """
    words = " ".join(text.split())
    return "".join(character for character in words if character.isprintable())


def shortened(text, longest):
    """Cut a text that is too long.

    Examples
    --------
    >>> shortened("logistic regression", 10)
    'logistic\u2026'
    """
    if len(text) <= longest:
        return text
    return text[: longest - 1].rstrip() + "\u2026"
