"""Results as documents: text, Markdown, HTML and LaTeX."""

from skcompare.reporting._contents import results_document
from skcompare.reporting._files import write_file
from skcompare.reporting._report import ComparisonReport, render_document, report

__all__ = [
    "ComparisonReport",
    "render_document",
    "report",
    "results_document",
    "write_file",
]
