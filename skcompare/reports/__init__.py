"""Reports: results in one document, slices of the rows, and single rows."""

from skcompare.reports._contents import results_document
from skcompare.reports._files import write_file
from skcompare.reports._report import ComparisonReport, report

__all__ = [
    "ComparisonReport",
    "report",
    "results_document",
    "write_file",
]
