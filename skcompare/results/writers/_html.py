"""A section as a fragment of HTML, for a notebook."""

import html

from skcompare.results._document import number_in, one_line
from skcompare.results.writers._base import Writer

# Cells of so many characters stay on one line, and so do names of columns.
LONGEST_UNBROKEN = 32
LONGEST_UNBROKEN_NAME = 10


class FragmentWriter(Writer):
    """Sets HTML that needs no style or script, and has no plots."""

    # How the name of a column is set, and cells aligned: notebooks do it otherwise.
    _head = "{}"
    _alignment = ' style="text-align: {}"'

    def title(self, title):
        """Set the title of a document."""
        return f"<h1>{escaped(title)}</h1>"

    def heading(self, title):
        """Set the title of a section."""
        return f"<h2>{escaped(title)}</h2>"

    def section(self, section):
        """Set a section; what a format does not have is left out.

        Parameters
        ----------
        section : Section
            What to set.

        Returns
        -------
        str
            Its title, if there is one, and its blocks.
        """
        return f"<section>\n{super().section(section)}\n</section>"

    def paragraph(self, block):
        """Set a paragraph."""
        return f"<p>{escaped(block.text)}</p>"

    def notes(self, block):
        """Set notes as a list."""
        title = f"<h3>{escaped(block.title)}</h3>\n" if block.title else ""
        lines = "\n".join(f"<li>{escaped(line)}</li>" for line in block.lines)
        return f"<aside>{title}<ul>\n{lines}\n</ul></aside>"

    def code(self, block):
        """Set code."""
        return f'<p class="code"><code>{escaped(block.text)}</code></p>'

    def table(self, table):
        """Set a table; numbers are marked as such."""
        kinds = ["number" if number else "text" for number in table.numeric]
        head = "".join(map(self._head_cell, table.columns, kinds))
        rows = ["".join(map(self._cell, row, kinds)) for row in table.rows]
        caption = f"<caption>{escaped(table.caption)}</caption>"
        parts = [
            '<div class="table"><table>',
            caption if table.caption else "",
            f"<thead><tr>{head}</tr></thead>",
            "<tbody>",
            *(f"<tr>{row}</tr>" for row in rows),
            "</tbody>",
            "</table></div>",
        ]
        return "\n".join(filter(None, parts))

    def _head_cell(self, name, kind):
        """Set the name of a column; short words with a hyphen stay on one line."""
        words = " ".join(
            f'<span class="short">{word}</span>'
            if "-" in word and len(word) <= LONGEST_UNBROKEN_NAME
            else word
            for word in escaped(name).split(" ")
        )
        look = self._look(kind, len(name) <= LONGEST_UNBROKEN_NAME)
        return f'<th scope="col" {look}>{self._head.format(words)}</th>'

    def _cell(self, text, kind):
        number = number_in(text)
        value = "" if number is None else f' data-number="{number!r}"'
        look = self._look(kind, len(text) <= LONGEST_UNBROKEN)
        return f"<td {look}{value}>{escaped(text)}</td>"

    def _look(self, kind, short):
        side = self._alignment.format("right" if kind == "number" else "left")
        return f'class="{kind}{" short" if short else ""}"{side}'


def escaped(text):
    """Escape what HTML would take as more than text."""
    return html.escape(one_line(text))
