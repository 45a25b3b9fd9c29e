"""Pictures as SVG that can stand in a page beside others."""

import inspect
import io
import re
import warnings

from skcompare._optional import optional_import

__all__ = ["as_svg", "what_is_missing"]

# Text as paths looks the same everywhere, and a name with dollars is no formula.
_STYLE = {"svg.fonttype": "path", "svg.hashsalt": "skcompare", "text.parse_math": False}

# The page is the background. Nothing is cut off, and no dates make a difference.
_SAVING = {
    "format": "svg",
    "transparent": True,
    "bbox_inches": "tight",
    "metadata": dict.fromkeys(("Creator", "Date", "Format", "Type")),
}


def what_is_missing():
    """Return how to install what pictures need, None if it is there."""
    try:
        optional_import("matplotlib.pyplot", "plot")
    except ImportError as error:
        return str(error)
    return None


def as_svg(figure, number):
    """Draw a figure of a document.

    Parameters
    ----------
    figure : Figure
        What to draw.
    number : int
        The place of the figure in the document, which makes its ids unique.

    Returns
    -------
    svg, caption : str
        The element and what it shows.
    """
    matplotlib = optional_import("matplotlib", "plot")
    plt = optional_import("matplotlib.pyplot", "plot")
    with matplotlib.rc_context(_STYLE), plt.ioff(), warnings.catch_warnings():
        # Names in scripts that the font lacks are in the text beside the picture.
        warnings.filterwarnings("ignore", "Glyph .* missing from (current )?font")
        display = figure.draw()
        text = io.StringIO()
        display.figure_.savefig(text, **_SAVING)
        plt.close(display.figure_)
    caption = inspect.getdoc(display).splitlines()[0]
    return _inlined(text.getvalue(), f"figure{number}-"), figure.caption or caption


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
    svg = svg.replace("xlink:href", "href")
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}", svg)
