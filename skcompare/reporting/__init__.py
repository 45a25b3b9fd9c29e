"""Results as documents: text, Markdown, HTML and LaTeX."""

from skcompare.reporting._files import write_file
from skcompare.reporting._report import ComparisonReport, report

__all__ = ["ComparisonReport", "report", "write_file"]
