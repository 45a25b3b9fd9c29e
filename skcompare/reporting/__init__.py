"""Results as documents: text, Markdown, HTML and LaTeX."""

from skcompare.reporting._report import ComparisonReport, report

__all__ = ["ComparisonReport", "report"]
