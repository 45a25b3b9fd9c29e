"""How a metric is computed on resampled rows: from a scorer to a `Statistic`."""

from skcompare.statistics._answers import RESPONSE_METHODS, Answers
from skcompare.statistics._base import CountedStatistic, Statistic
from skcompare.statistics._build import as_statistic, as_weighable
from skcompare.statistics._cells import joint_codes
from skcompare.statistics._folds import fold_mean_statistic
from skcompare.statistics._responses import concatenate_rows, differing_rows
from skcompare.statistics._rows import row_scores
from skcompare.statistics._sample import Sample
from skcompare.statistics._set_counts import SetCounts, set_counts
from skcompare.statistics.additive import AdditiveTable

__all__ = [
    "AdditiveTable",
    "Answers",
    "CountedStatistic",
    "RESPONSE_METHODS",
    "Sample",
    "SetCounts",
    "Statistic",
    "as_statistic",
    "as_weighable",
    "concatenate_rows",
    "differing_rows",
    "fold_mean_statistic",
    "joint_codes",
    "row_scores",
    "set_counts",
]
