"""Documents in plain text, for a terminal or a file."""

import itertools
import re
import textwrap
import unicodedata

from skcompare.results._document import Writer, one_line

WIDTH = 79

# Texts in tables with more characters may be broken into lines.
BREAKABLE = 20

# The parts of a line of code between which it can be broken, by language.
_PARTS = {
    "": ".+",
    "python": r"""(?:'[^']*'|"[^"]*"|.)+?(?:, |$)""",  # commas outside of strings
    "signature": r".+?(?:\||$)",
}

# Spaces at which lines are not broken.
_UNBROKEN = re.compile(r" (?=<?=|%)|(?<==) |(?<=and) (?=[\d,]+ more)|(?<=\d) (?=more)")


class TextWriter(Writer):
    """Formats plain text of at most 79 columns, except for code without a language."""

    suffixes = (".txt",)

    def title(self, title):
        """Format the title of a document."""
        return _underlined(title, "=")

    def heading(self, title):
        """Format the title of a section."""
        return _underlined(title, "-")

    def paragraph(self, block):
        """Format a paragraph."""
        return _wrapped(block.text)

    def notes(self, block):
        """Format notes, one paragraph each."""
        lines = [_wrapped(line, "  ") for line in block.lines]
        title = [f"{one_line(block.title)}:"] if block.title else []
        return "\n".join(title + lines)

    def code(self, block):
        """Format code; a line that is too long is broken between its parts."""
        text = one_line(block.text)
        lines = ["  "]
        for part in re.findall(_PARTS[block.language], text):
            if lines == ["  "] or _width(lines[-1] + part.rstrip()) <= WIDTH:
                lines[-1] += part
            else:
                lines.append(f"    {part}")
        return "\n".join(line.rstrip() for line in lines)

    def table(self, table):
        """Format a table in columns: numbers right-aligned, all else left-aligned.

        If it is too wide, column names and long texts are broken into lines, then texts
        of any length except in the first column, which identifies the row. If it is
        still too wide, rows are formatted as records with one line per cell.
        """
        lines = [tuple(map(one_line, row)) for row in (table.columns, *table.rows)]
        numeric, columns = table.numeric, zip(*lines, strict=True)
        widths, long, words = [], [], []  # unbroken, long texts broken, all broken
        for (name, *cells), number in zip(columns, numeric, strict=True):
            head = max(map(_width, name.split()), default=0)
            body = max(map(_width, cells), default=0)
            word = max((_width(w) for cell in cells for w in cell.split()), default=0)
            widths.append(max(body, _width(name)))
            long.append(max(head, body if number else min(body, BREAKABLE)))
            words.append(max(head, body if number else min(word, BREAKABLE)))
        for least in (long, long[:1] + words[1:]):
            while 2 * len(widths) + sum(widths) > WIDTH and widths != least:
                slack = [width - few for width, few in zip(widths, least, strict=True)]
                widths[slack.index(max(slack))] -= 1
        caption = [f"{one_line(table.caption)}:", ""] if table.caption else []
        if 2 * len(widths) + sum(widths) > WIDTH:
            return "\n".join([*caption, "\n\n".join(_records(*lines))])
        lines.insert(1, ["-" * width for width in widths])
        rows = [_set_row(line, widths, numeric) for line in lines]
        return "\n".join([*caption, *itertools.chain(*rows)])


def _set_row(cells, widths, numeric):
    """Return the lines of a row, several if a cell is broken."""
    broken = [
        [cell] if _width(cell) <= width else textwrap.wrap(cell, width)
        for cell, width in zip(cells, widths, strict=True)
    ]
    lines = []
    for line in itertools.zip_longest(*broken, fillvalue=""):
        spaces = [" " * (w - _width(x)) for x, w in zip(line, widths, strict=True)]
        padded = [
            space + cell if to_the_right else cell + space
            for cell, space, to_the_right in zip(line, spaces, numeric, strict=True)
        ]
        lines.append(f"  {'  '.join(padded)}".rstrip())
    return lines


def _records(names, *rows):
    """Yield each row as a separate table, with column names on the left."""
    width = min(max(map(_width, names)), WIDTH // 2)
    for row in rows:
        pairs = [pair for pair in zip(names, row, strict=True) if pair[1]]
        widths = width, WIDTH - width - 4
        rows = [_set_row(pair, widths, (False, False)) for pair in pairs]
        yield "\n".join(itertools.chain(*rows))


def _underlined(title, character):
    title = one_line(title)
    return f"{title}\n{character * _width(title)}"


def _width(text):
    """Return the number of terminal columns that a text occupies.

    Examples
    --------
    >>> _width("abc"), _width("\u65e5\u672c"), _width("e\u0301")
    (3, 4, 1)
    """
    return sum(
        0 if unicodedata.combining(x) else 1 + (unicodedata.east_asian_width(x) in "WF")
        for x in text
    )


def _wrapped(text, indent=""):
    """Wrap a text, but not within "95 %", "p = 0.01" or "and 3 more"."""
    lines = textwrap.fill(
        _UNBROKEN.sub("\N{NO-BREAK SPACE}", one_line(text)),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=2 * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines.replace("\N{NO-BREAK SPACE}", " ")
