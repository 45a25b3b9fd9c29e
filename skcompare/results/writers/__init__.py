"""Writers, one per format. A new format is a new file and a line in `WRITERS`."""

from skcompare._parameters import OneOf
from skcompare.results.writers._html import PageWriter, notebook
from skcompare.results.writers._latex import LatexWriter
from skcompare.results.writers._markdown import MarkdownWriter
from skcompare.results.writers._text import TextWriter

__all__ = ["SUFFIXES", "WRITERS", "TextWriter", "notebook", "write"]

WRITERS = {
    "text": TextWriter,
    "markdown": MarkdownWriter,
    "html": PageWriter,
    "latex": LatexWriter,
}

SUFFIXES = {
    suffix: format for format, writer in WRITERS.items() for suffix in writer.suffixes
}


def write(document, format):
    """Format a document.

    Parameters
    ----------
    document : Document
        The document to format.
    format : {"text", "markdown", "html", "latex"}
        The format.

    Returns
    -------
    str
        The formatted document.

    Examples
    --------
    Only the tables of a result, for a paper:

    >>> from skcompare import McNemar
    >>> from skcompare.results import Document, Section, write
    >>> test = McNemar().fit_predictions([0, 1] * 20, [0, 1] * 20, [0, 0] * 20)
    >>> tables = Section(test.result_.heading(), tuple(test.result_.tables()))
    >>> text = write(Document("", (tables,)), "latex")
    >>> print(text[text.index(r"\\label") :].partition("\\n")[0])
    \\label{tab:a-against-b-in-accuracy-mcnemar}
    """
    OneOf(*WRITERS).check("format", format)
    return WRITERS[format]().write(document)
