"""What is redrawn: rows, groups and strata; and the chunked, parallel engine."""

from skcompare.resampling._bootstrap import Bootstrap, Jackknife, NestedBootstrap
from skcompare.resampling._cells import (
    AllCellSwaps,
    CellBootstrap,
    CellSwaps,
    NestedCellBootstrap,
    PackedSwaps,
)
from skcompare.resampling._counts import UnitCounts
from skcompare.resampling._dirichlet import CellWeights, RowWeights
from skcompare.resampling._engine import evaluate_draws
from skcompare.resampling._gamma import GammaDraws
from skcompare.resampling._swaps import AllSwaps, RandomSwaps
from skcompare.resampling._units import Units

__all__ = [
    "AllCellSwaps",
    "AllSwaps",
    "Bootstrap",
    "CellBootstrap",
    "CellSwaps",
    "CellWeights",
    "GammaDraws",
    "Jackknife",
    "NestedBootstrap",
    "NestedCellBootstrap",
    "PackedSwaps",
    "RandomSwaps",
    "RowWeights",
    "UnitCounts",
    "Units",
    "evaluate_draws",
]
