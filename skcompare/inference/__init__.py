"""From arrays of resampled numbers to p-values, errors and intervals."""

from skcompare.inference._intervals import (
    ConfidenceInterval,
    basic_interval,
    bca_interval,
    percentile_interval,
    studentized_interval,
)
from skcompare.inference._pvalues import (
    ALTERNATIVES,
    count_exceeding,
    monte_carlo_error,
    resampling_pvalue,
    rounding_tolerance,
)

__all__ = [
    "ALTERNATIVES",
    "ConfidenceInterval",
    "basic_interval",
    "bca_interval",
    "count_exceeding",
    "monte_carlo_error",
    "percentile_interval",
    "resampling_pvalue",
    "rounding_tolerance",
    "studentized_interval",
]
