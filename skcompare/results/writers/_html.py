"""HTML: a fragment for a notebook, and a page that needs nothing else."""

import base64
import hashlib
import html
import inspect
import io
import re
import warnings
from importlib import resources

from skcompare._format import optional_import
from skcompare._version import __version__
from skcompare.results._document import Writer, number_in, one_line

# Cells of so many characters stay on one line, and so do names of columns.
LONGEST_UNBROKEN = 32
LONGEST_UNBROKEN_NAME = 10


def _file(name):
    """Read a file beside this module; it begins in a line of its own."""
    return "\n" + resources.files(__package__).joinpath(name).read_text("utf-8")


# How blocks look, in a page and in a notebook.
BLOCKS = _file("blocks.css")
STYLE = _file("page.css").replace("/* blocks.css */\n", BLOCKS)

# Notebooks have inks and papers of their own, which are taken as they are. A plot has
# white paper, unless a notebook is known to be dark.
NOTEBOOK_STYLE = _file("notebook.css").replace(
    "\n/* blocks.css */\n",
    re.sub(
        r"(?m)^([^{}\s][^{}]*) \{",
        lambda rule: (
            ", ".join(f".skcompare {part}" for part in rule[1].split(", ")) + " {"
        ),
        BLOCKS.replace("rem", "em"),  # notebooks differ in their root
    ),
)

SCRIPT = _file("page.js")
_DIGEST = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()

# Nothing is loaded from anywhere, and no script runs but that one.
POLICY = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_DIGEST}'"

PAGE = _file("page.html").strip()

# Text as paths looks the same everywhere, and a name with dollars is no formula.
PLOT_STYLE = {
    "svg.fonttype": "path",
    "svg.hashsalt": "skcompare",
    "text.parse_math": False,
}

# The page is the background. Nothing is cut off, and no dates make a difference.
_SAVING = {
    "format": "svg",
    "transparent": True,
    "bbox_inches": "tight",
    "metadata": dict.fromkeys(("Creator", "Date", "Format", "Type")),
}


class FragmentWriter(Writer):
    """Sets HTML without a style or script, with plots if matplotlib is installed."""

    # How the name of a column is set, and cells aligned: notebooks do it otherwise.
    _head = "{}"
    _alignment = ' style="text-align: {}"'

    def __init__(self):
        self._n_figures = 0
        self._missing = ""
        try:
            optional_import("matplotlib.pyplot")
        except ImportError as error:
            self._missing = str(error)

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

    def figure(self, block):
        """Draw a figure as an SVG that can stand in a page beside others."""
        if self._missing:
            return ""
        self._n_figures += 1
        plt = optional_import("matplotlib.pyplot")
        with plt.rc_context(PLOT_STYLE), plt.ioff(), warnings.catch_warnings():
            # Names in scripts that the font lacks are in the text beside the plot.
            warnings.filterwarnings("ignore", "Glyph .* missing from (current )?font")
            display = block.source.plot()
            file = io.StringIO()
            display.figure_.savefig(file, **_SAVING)
            plt.close(display.figure_)
        caption = escaped(block.caption or inspect.getdoc(display).splitlines()[0])
        svg = file.getvalue()
        digest = hashlib.sha256(svg.encode()).hexdigest()[:8]  # others are on the page
        svg = _inlined(svg, f"figure{self._n_figures}-{digest}-")
        labeled = svg.replace("<svg", f'<svg role="img" aria-label="{caption}"', 1)
        return f"<figure>\n{labeled}\n<figcaption>{caption}</figcaption>\n</figure>"

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


class PageWriter(FragmentWriter):
    """Sets a page of HTML, with plots if matplotlib is installed."""

    suffixes = (".html", ".htm")
    _head = '<button type="button">{}</button>'  # the script sorts by it
    _alignment = ""  # the style aligns cells

    def write(self, document):
        """Set a document as a page, which loads nothing from anywhere.

        Parameters
        ----------
        document : Document
            What to set.

        Returns
        -------
        str
            The page.
        """
        footer = f"Made by skcompare {__version__}."
        if self._missing:
            footer += f" There are no plots. {escaped(self._missing)}"
        return PAGE.format(
            title=escaped(document.title or "Model comparison"),
            policy=POLICY,
            style=STYLE,
            content="\n".join(map(self.section, document.sections)),
            footer=footer,
            script=SCRIPT,
        )


def notebook(section):
    """Set a section for a notebook, light or dark.

    Parameters
    ----------
    section : Section
        What to set.

    Returns
    -------
    str
        A fragment of HTML with a style of its own, which nothing else takes.
    """
    content = FragmentWriter().section(section)
    return (
        f'<div class="skcompare">\n<style>{NOTEBOOK_STYLE}</style>\n{content}\n</div>'
    )


def escaped(text):
    """Escape what HTML would take as more than text."""
    return html.escape(one_line(text))


def _inlined(svg, prefix):
    """Turn an SVG file into an element whose ids begin with a prefix.

    Examples
    --------
    >>> _inlined('<?xml?><svg xmlns="x"><g id="a"/><use xlink:href="#a"/></svg>', "b-")
    '<svg><g id="b-a"/><use href="#b-a"/></svg>'
    """
    svg = svg[svg.index("<svg") :].strip()
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.S)
    svg = re.sub(r' xmlns(:\w+)?="[^"]*"', "", svg)
    # A style within would hold for all of the page; what it says is inherited as well.
    rule = re.search(r"<style[^>]*>\s*\*\s*\{([^}]*)\}\s*</style>", svg)
    if rule is not None:
        svg = svg.replace(rule[0], "").replace("<svg", f'<svg style="{rule[1]}"', 1)
    svg = svg.replace("xlink:href", "href")
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}", svg)
