"""From scorers to statistics, from statistics to cells, from cells to resampled scores.

A scorer on a sample is a `Statistic`. Units that are alike in all statistics are
`Cells`. A scheme of resampling is a function from cells to a `Resampler`, and `draw`
evaluates that in chunks. Nothing here knows tests, p-values or intervals.
"""

from skcompare._engine._build import as_statistic, as_weighable
from skcompare._engine._cached_model import RESPONSE_METHODS, Answers
from skcompare._engine._codes import joint_codes
from skcompare._engine._count_schemes import (
    AllCellSwaps,
    CellBootstrap,
    CellSwaps,
    NestedCellBootstrap,
    PackedSwaps,
)
from skcompare._engine._dirichlet import CellWeights, RowWeights
from skcompare._engine._draw import evaluate_draws
from skcompare._engine._fold_mean import fold_mean_statistic
from skcompare._engine._gamma import GammaDraws
from skcompare._engine._responses import concatenate_rows, differing_rows
from skcompare._engine._row_schemes import Bootstrap, Jackknife, NestedBootstrap
from skcompare._engine._rows import row_scores
from skcompare._engine._sample import Sample
from skcompare._engine._set_counts import SetCounts, set_counts
from skcompare._engine._statistic import CountedStatistic, Statistic
from skcompare._engine._swaps import AllSwaps, RandomSwaps
from skcompare._engine._unit_counts import UnitCounts
from skcompare._engine._units import Units
from skcompare._engine.additive import AdditiveTable

__all__ = [
    "AdditiveTable",
    "AllCellSwaps",
    "AllSwaps",
    "Answers",
    "Bootstrap",
    "CellBootstrap",
    "CellSwaps",
    "CellWeights",
    "CountedStatistic",
    "GammaDraws",
    "Jackknife",
    "NestedBootstrap",
    "NestedCellBootstrap",
    "PackedSwaps",
    "RESPONSE_METHODS",
    "RandomSwaps",
    "RowWeights",
    "Sample",
    "SetCounts",
    "Statistic",
    "UnitCounts",
    "Units",
    "as_statistic",
    "as_weighable",
    "concatenate_rows",
    "differing_rows",
    "evaluate_draws",
    "fold_mean_statistic",
    "joint_codes",
    "row_scores",
    "set_counts",
]
