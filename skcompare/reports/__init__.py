"""Reports: documents of results, tests on slices, and rows of disagreement."""

from skcompare.reports._report import (
    ComparisonReport,
    report,
    results_sections,
    write_file,
)

__all__ = ["ComparisonReport", "report", "results_sections", "write_file"]
