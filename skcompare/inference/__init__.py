"""From arrays of resampled numbers to p-values, errors and intervals."""

from skcompare.inference._exact import (
    ExactTail,
    lattice_moves,
    sign_flip_tail,
    tail_of,
)
from skcompare.inference._ideal import IdealSum, ideal_sum
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
    "ExactTail",
    "IdealSum",
    "basic_interval",
    "bca_interval",
    "count_exceeding",
    "ideal_sum",
    "lattice_moves",
    "monte_carlo_error",
    "percentile_interval",
    "resampling_pvalue",
    "rounding_tolerance",
    "sign_flip_tail",
    "studentized_interval",
    "tail_of",
]
