"""HTML: a fragment for a notebook, and a self-contained page."""

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
from skcompare.results._document import Writer, number_in, one_line, with_code

# Maximum number of characters of cells and column names that stay on one line.
LONGEST_UNBROKEN = 32
LONGEST_UNBROKEN_NAME = 10

# Maximum number of characters of words that are not broken before a capital letter.
LONGEST_WORD = 20

# Width in points of the content of a page on a phone of 390 pixels.
PHONE_WIDTH = 268

# The smallest scale of plots, whose text then has 10 pixels.
SMALLEST_SCALE = 0.78


def _file(name):
    """Read a file next to this module, preceded by a line break."""
    return "\n" + resources.files(__package__).joinpath(name).read_text("utf-8")


# The style of blocks, in a page and in a notebook.
BLOCKS = _file("blocks.css")
STYLE = _file("page.css").replace("/* blocks.css */\n", BLOCKS)

# The text and background colors of the notebook are kept. Plots have a white
# background, unless the notebook is recognized as dark.
NOTEBOOK_STYLE = _file("notebook.css").replace(
    "\n/* blocks.css */\n",
    re.sub(
        r"(?m)^([^{}\s][^{}]*) \{",
        lambda rule: (
            ", ".join(f".skcompare {part}" for part in rule[1].split(", ")) + " {"
        ),
        BLOCKS.replace("rem", "em"),  # root font sizes of notebooks differ
    ),
)

SCRIPT = _file("page.js")
_DIGEST = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()

# No external resources are loaded, and no other script runs.
POLICY = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_DIGEST}'"

PAGE = _file("page.html").strip()

# Plots are narrow, so that their text is not much smaller than that of the page.
# Text as paths looks the same everywhere.
PLOT_STYLE = {
    "figure.figsize": (4.4, 4.0),
    "svg.fonttype": "path",
    "svg.hashsalt": "skcompare",
}

# Transparent, not cropped, and without metadata such as dates, for reproducible files.
_SAVING = {
    "format": "svg",
    "transparent": True,
    "bbox_inches": "tight",
    "metadata": dict.fromkeys(("Creator", "Date", "Format", "Type")),
}


class FragmentWriter(Writer):
    """Formats HTML without style or script, with plots if matplotlib is installed."""

    # Formats of column names and cell alignment, which pages override.
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
        """Format the title of a section."""
        return f"<h2>{escaped(title)}</h2>"

    def section(self, section):
        """Format a section; unsupported blocks are omitted.

        Parameters
        ----------
        section : Section
            The section to format.

        Returns
        -------
        str
            The title, if any, and the blocks.
        """
        return f"<section>\n{super().section(section)}\n</section>"

    def paragraph(self, block):
        """Format a paragraph."""
        return f"<p>{_marked(block.text)}</p>"

    def notes(self, block):
        """Format notes as a list."""
        title = f"<h3>{escaped(block.title)}</h3>\n" if block.title else ""
        lines = "\n".join(f"<li>{_marked(line)}</li>" for line in block.lines)
        return f"<aside>{title}<ul>\n{lines}\n</ul></aside>"

    def code(self, block):
        """Format code."""
        return f'<p class="code"><code>{escaped(block.text)}</code></p>'

    def table(self, table):
        """Format a table; numbers are marked as such."""
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
        """Draw a figure as SVG that can share a page with others."""
        if self._missing:
            return ""
        self._n_figures += 1
        plt = optional_import("matplotlib.pyplot")
        with plt.rc_context(PLOT_STYLE), plt.ioff(), warnings.catch_warnings():
            # Characters missing from the font are still in the text next to the plot.
            warnings.filterwarnings("ignore", "Glyph .* missing from (current )?font")
            display = block.source.plot()
            file = io.StringIO()
            display.figure_.savefig(file, **_SAVING)
            plt.close(display.figure_)
        caption = escaped(block.caption or inspect.getdoc(display).splitlines()[0])
        svg = file.getvalue()
        width = float(re.search(r'<svg[^>]* width="([\d.]+)pt"', svg)[1])
        digest = hashlib.sha256(svg.encode()).hexdigest()[:8]  # unique on the page
        svg = _inlined(svg, f"figure{self._n_figures}-{digest}-")
        labeled = svg.replace("<svg", f'<svg role="img" aria-label="{caption}"', 1)
        # Text is not scaled down further: plots that are still too wide are scrolled.
        least = SMALLEST_SCALE * width
        keys = ' tabindex="0"' if least > PHONE_WIDTH else ""
        head = f'<figure style="--least: {least:.0f}pt"{keys}>'
        return f"{head}\n{labeled}\n<figcaption>{caption}</figcaption>\n</figure>"

    def _head_cell(self, name, kind):
        """Format the name of a column; short words with a hyphen stay on one line."""
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
        longest = max(map(len, text.split()), default=0)
        kind += " long" * (longest > LONGEST_UNBROKEN)  # may be broken within words
        kind += " words" * any(map(str.isalpha, text))  # may be broken on phones
        look = self._look(kind, len(text) <= LONGEST_UNBROKEN)
        words = " ".join(map(_breakable, escaped(text).split(" ")))
        return f"<td {look}{value}>{words}</td>"

    def _look(self, kind, short):
        side = self._alignment.format("right" if kind == "number" else "left")
        return f'class="{kind}{" short" if short else ""}"{side}'


class PageWriter(FragmentWriter):
    """Formats an HTML page, with plots if matplotlib is installed."""

    suffixes = (".html", ".htm")
    _head = '<button type="button">{}</button>'  # for sorting by the script
    _alignment = ""  # cells are aligned by the style

    def write(self, document):
        """Format a document as a page without external resources.

        Parameters
        ----------
        document : Document
            The document to format.

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
    """Format a section for a notebook, light or dark.

    Parameters
    ----------
    section : Section
        The section to format.

    Returns
    -------
    str
        A fragment of HTML with its own style, which does not affect anything else.
    """
    content = FragmentWriter().section(section)
    return (
        f'<div class="skcompare">\n<style>{NOTEBOOK_STYLE}</style>\n{content}\n</div>'
    )


def escaped(text):
    """Escape characters with a special meaning in HTML."""
    return html.escape(one_line(text))


def _marked(text):
    """Escape a text, and mark the code in it."""
    return with_code(
        text, html.escape, lambda code: f"<code>{html.escape(code)}</code>"
    )


def _breakable(word):
    """Allow a line break before the capital letter next to the middle of a long word.

    Examples
    --------
    >>> _breakable("LogisticRegression"), _breakable("RandomForestClassifier")
    ('LogisticRegression', 'RandomForest<wbr>Classifier')
    """
    places = [match.start() for match in re.finditer("(?<=[a-z])(?=[A-Z])", word)]
    if len(word) <= LONGEST_WORD or not places:
        return word
    place = min(places, key=lambda place: abs(place - len(word) / 2))
    return f"{word[:place]}<wbr>{word[place:]}"


def _inlined(svg, prefix):
    """Convert an SVG file to an element whose ids begin with a prefix.

    Examples
    --------
    >>> _inlined('<?xml?><svg xmlns="x"><g id="a"/><use xlink:href="#a"/></svg>', "b-")
    '<svg><g id="b-a"/><use href="#b-a"/></svg>'
    """
    svg = svg[svg.index("<svg") :].strip()
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.S)
    svg = re.sub(r' xmlns(:\w+)?="[^"]*"', "", svg)
    # An inner style would affect the whole page; an attribute is inherited as well.
    rule = re.search(r"<style[^>]*>\s*\*\s*\{([^}]*)\}\s*</style>", svg)
    if rule is not None:
        svg = svg.replace(rule[0], "").replace("<svg", f'<svg style="{rule[1]}"', 1)
    svg = svg.replace("xlink:href", "href")
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}", svg)
