"""Reports: results in one document, slices of the rows, and single rows."""

from skcompare.reports._report import (
    ComparisonReport,
    report,
    results_sections,
    write_file,
)

__all__ = ["ComparisonReport", "report", "results_sections", "write_file"]
