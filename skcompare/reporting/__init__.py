"""Reports under their old address; they are in `skcompare.reports`."""

from skcompare.reports import (
    ComparisonReport,
    report,
    results_document,
    write_file,
)
from skcompare.results import write as render_document

__all__ = [
    "ComparisonReport",
    "render_document",
    "report",
    "results_document",
    "write_file",
]
