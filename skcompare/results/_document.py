"""Documents: the content of output, independent of its format.

A document has sections, and a section has blocks: paragraphs, tables, notes, code and
figures. Writers format each kind of block and do not depend on results.
"""

import abc
import dataclasses
import re

# Maximum length of a cell when printed; longer cells are truncated.
LONGEST_CELL = 60

_NUMBER = re.compile(r"[<>]?=?\s*([+-]?(?:\d[\d,]*\.?\d*(?:e[+-]?\d+)?|inf))", re.I)


@dataclasses.dataclass(frozen=True)
class Paragraph:
    """A few sentences."""

    text: str


@dataclasses.dataclass(frozen=True)
class Table:
    """Rows of strings under column names.

    Parameters
    ----------
    rows : list of tuple of str
        The cells.
    columns : tuple of str
        The names of the columns.
    caption : str, default=""
        The caption of the table.
    n_brief : int or None, default=None
        Maximum number of rows to print; 0 omits the table, None prints all rows.
    """

    rows: list
    columns: tuple
    caption: str = ""
    n_brief: int | None = None

    @classmethod
    def from_cells(cls, rows, caption="", n_brief=None):
        """Make a table from rows that may lack some of the columns.

        Parameters
        ----------
        rows : list of dict of str
            Cells by column name.
        caption : str, default=""
            The caption of the table.
        n_brief : int or None, default=None
            Maximum number of rows to print.

        Returns
        -------
        Table
            A table with all columns that are not empty.

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
        """Make a table from columns of strings.

        Parameters
        ----------
        columns : dict of iterable of str
            Cells by column name.
        caption : str, default=""
            The caption of the table.

        Returns
        -------
        Table
            A table with one row per cell of a column.

        Examples
        --------
        >>> Table.from_columns({"a": ["1", "2"], "b": ["x", "y"]}).rows
        [('1', 'x'), ('2', 'y')]
        """
        rows = list(zip(*columns.values(), strict=True))
        return cls(rows, tuple(columns), caption)

    @property
    def numeric(self):
        """For each column, whether all of its non-empty cells are numbers.

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
        """Return the table as printed: first rows, with long cells truncated; or None.

        Examples
        --------
        >>> Table([("a",), ("b",), ("c",)], ("x",), "Letters", n_brief=2).brief().rows
        [('a',), ('b',)]
        """
        if self.n_brief == 0:
            return None
        first = self.rows[: self.n_brief]
        caption = self.caption
        if len(first) < len(self.rows):
            number = f"{len(first)} of {len(self.rows)}"
            caption = f"{caption} ({number}; to_frame() has all)".lstrip()
        rows = [tuple(shortened(cell, LONGEST_CELL) for cell in row) for row in first]
        return Table(rows, self.columns, caption)


@dataclasses.dataclass(frozen=True)
class Notes:
    """Related remarks under a title; an empty title is omitted."""

    title: str
    lines: tuple


@dataclasses.dataclass(frozen=True)
class Code:
    """A line to be copied verbatim.

    Parameters
    ----------
    text : str
        The line.
    language : {"", "python", "signature"}, default=""
        The language, which determines where printed text breaks a long line: Python
        after a comma, a signature after "|", and other code nowhere. Without the line
        breaks and the spaces that follow them, a signature is what it was.
    """

    text: str
    language: str = ""


@dataclasses.dataclass(frozen=True)
class Figure:
    """A plot, for formats that support plots.

    Parameters
    ----------
    source : Result or Display
        The object whose `plot` method draws the figure.
    caption : str or None, default=None
        The caption; None uses the first line of the display's docstring.
    """

    source: object
    caption: str | None = None


@dataclasses.dataclass(frozen=True)
class Section:
    """Blocks under a title; an empty title is omitted.

    Parameters
    ----------
    title : str
        The title.
    blocks : tuple
        Paragraphs, tables, notes, code and figures.
    about : str, default=""
        The topic of an untitled section, for formats whose tables need a caption.
    """

    title: str
    blocks: tuple
    about: str = ""

    def brief(self):
        """Return the section as printed: without title, with tables truncated."""
        brief = [b.brief() if isinstance(b, Table) else b for b in self.blocks]
        return Section("", tuple(block for block in brief if block is not None))


@dataclasses.dataclass(frozen=True)
class Document:
    """Sections under a title; an empty title is omitted if the format allows it."""

    title: str
    sections: tuple


class Writer(abc.ABC):
    """Formats documents; each subclass is for one format.

    Each kind of block is formatted by the method named after it.
    """

    # File name suffixes of this format.
    suffixes = ()

    # The method that formats figures, in formats that support them.
    figure = None

    def write(self, document):
        """Format a document.

        Parameters
        ----------
        document : Document
            The document to format.

        Returns
        -------
        str
            The formatted document.
        """
        parts = [self.title(document.title)] if document.title else []
        return "\n\n".join([*parts, *map(self.section, document.sections)])

    def section(self, section):
        """Format a section; empty notes and unsupported blocks are omitted.

        Parameters
        ----------
        section : Section
            The section to format.

        Returns
        -------
        str
            The title, if any, and the blocks.
        """
        parts = [self.heading(section.title)] if section.title else []
        for block in section.blocks:
            format_block = getattr(self, type(block).__name__.lower())
            empty = isinstance(block, Notes) and not block.lines
            if format_block is not None and not empty:
                parts.append(format_block(block))
        return "\n\n".join(filter(None, parts))

    def title(self, title):
        """Format the title of a document; by default like the title of a section."""
        return self.heading(title)

    @abc.abstractmethod
    def heading(self, title):
        """Format the title of a section."""

    @abc.abstractmethod
    def paragraph(self, block):
        """Format a paragraph."""

    @abc.abstractmethod
    def table(self, table):
        """Format a table."""

    @abc.abstractmethod
    def notes(self, block):
        """Format notes."""

    @abc.abstractmethod
    def code(self, block):
        """Format code."""


def number_in(text):
    """Return the number in a cell, or None if it contains anything else.

    Examples
    --------
    >>> number_in("+0.045"), number_in("<= 0.001"), number_in("1,200"), number_in("3 a")
    (0.045, 0.001, 1200.0, None)
    """
    match = _NUMBER.fullmatch(text.strip())
    return None if match is None else float(match[1].replace(",", ""))


def one_line(text):
    """Return a text without line breaks and unprintable characters.

    Examples
    --------
    >>> one_line("two\\nlines\\x00")
    'two lines'
    """
    words = " ".join(text.split())
    return "".join(character for character in words if character.isprintable())


def with_code(text, format_words, format_code):
    """Format a text and the code in it, which is between backticks.

    Parameters
    ----------
    text : str
        The text.
    format_words, format_code : callable
        Functions that take the words outside of code, or the code, and format them.

    Returns
    -------
    str
        The formatted text.

    Examples
    --------
    >>> with_code("Use `refit=False`, or none.", str.upper, "<{}>".format)
    'USE <refit=False>, OR NONE.'
    """
    parts = re.split("`([^`]+)`", one_line(text))
    formats = (format_words, format_code)
    return "".join(formats[place % 2](part) for place, part in enumerate(parts))


def shortened(text, longest):
    """Truncate a text that is too long.

    Examples
    --------
    >>> shortened("logistic regression", 10)
    'logistic\u2026'
    """
    if len(text) <= longest:
        return text
    return text[: longest - 1].rstrip() + "\u2026"
