"""Documents in Markdown, with tables in GitHub's syntax."""

import re

from skcompare.results._document import Writer, one_line, with_code

# Entities escape HTML; backslashes escape Markdown.
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
    | {character: f"\\{character}" for character in "\\`*_[]|~#$"}
)


class MarkdownWriter(Writer):
    """Formats Markdown."""

    suffixes = (".md",)

    def title(self, title):
        """Format the title of a document."""
        return f"# {_escaped(title)}"

    def heading(self, title):
        """Format the title of a section."""
        return f"## {_escaped(title)}"

    def paragraph(self, block):
        """Format a paragraph."""
        return _line(block.text)

    def notes(self, block):
        """Format notes as a list."""
        items = [f"- {_line(line)}" for line in block.lines]
        title = [f"**{_escaped(block.title)}**", ""] if block.title else []
        return "\n".join(title + items)

    def code(self, block):
        """Format code between more backticks than it contains."""
        text = one_line(block.text)
        longest = max(map(len, re.findall("`+", text)), default=0)
        fence = "`" * (longest + 1)
        return f"{fence} {text} {fence}" if longest else f"{fence}{text}{fence}"

    def table(self, table):
        """Format a table, with numbers right-aligned."""
        rules = ["--:" if number else "---" for number in table.numeric]
        lines = [map(_escaped, table.columns), rules]
        lines += [map(_escaped, row) for row in table.rows]
        caption = [f"**{_escaped(table.caption)}**", ""] if table.caption else []
        return "\n".join(caption + [f"| {' | '.join(cells)} |" for cells in lines])


def _escaped(text):
    """Escape characters with a special meaning in Markdown or HTML.

    Examples
    --------
    >>> print(_escaped("a|b <i>_c_"))
    a\\|b &lt;i&gt;\\_c\\_
    """
    return one_line(text).translate(_ESCAPES)


def _line(text):
    """Escape a text at the beginning of a line, including list markers, but not code.

    Examples
    --------
    >>> print(_line("1. first"), _line("- second"), _line("`a_b` or c_d"))
    1\\. first \\- second `a_b` or c\\_d
    """
    marked = with_code(text, lambda words: words.translate(_ESCAPES), "`{}`".format)
    return re.sub(r"^(\d*)([+-]|(?<=\d)[.)])", r"\1\\\2", marked)
