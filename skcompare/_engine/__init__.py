"""From statistics to cells, from cells to resampled scores.

A metric on a sample is a `Statistic`. Units that are alike in all statistics are
`Cells`. A scheme of resampling is a function from cells to a `Resampler`, and `draw`
evaluates that in chunks. Nothing here knows tests, p-values or intervals.
"""

from skcompare._engine._build import (
    as_weighable,
    at_rows,
    fastest,
    of_models,
    on_one_scale,
    recognized,
    row_scores,
    unweighted,
)
from skcompare._engine._cells import Cells, Units, cells_of, codes_of, joint_codes
from skcompare._engine._count_schemes import GammaDraws
from skcompare._engine._draw import Misrecognized, chunk_generator, confirm, draw
from skcompare._engine._fold_mean import Folds, mean_over_folds
from skcompare._engine._generic import MetricStatistic, ScorerStatistic
from skcompare._engine._labels_prior import (
    ConfusionDraws,
    cells_with_prior,
    confusion_model,
    is_label_metric,
    n_moving_units,
)
from skcompare._engine._recognized import recognition_of
from skcompare._engine._resamplers import (
    Resampler,
    all_swaps,
    bootstrap,
    bootstrap_with_errors,
    left_out_scores,
    random_weights,
    score_units,
    standard_errors,
    swaps,
)
from skcompare._engine._row_schemes import UnitCounts
from skcompare._engine._statistic import (
    CountedStatistic,
    Statistic,
    as_number,
    concatenate_rows,
    differing,
    response_rows,
)
from skcompare._engine._workers import results_of
from skcompare._engine.additive import (
    AdditiveTable,
    SetCounts,
    set_counts,
)

__all__ = [
    "n_moving_units",
    "is_label_metric",
    "confusion_model",
    "cells_with_prior",
    "codes_of",
    "ConfusionDraws",
    "AdditiveTable",
    "Cells",
    "CountedStatistic",
    "Misrecognized",
    "Folds",
    "GammaDraws",
    "MetricStatistic",
    "Resampler",
    "ScorerStatistic",
    "SetCounts",
    "Statistic",
    "UnitCounts",
    "Units",
    "all_swaps",
    "as_number",
    "as_weighable",
    "at_rows",
    "bootstrap",
    "bootstrap_with_errors",
    "cells_of",
    "chunk_generator",
    "concatenate_rows",
    "confirm",
    "differing",
    "draw",
    "fastest",
    "joint_codes",
    "left_out_scores",
    "mean_over_folds",
    "of_models",
    "on_one_scale",
    "random_weights",
    "recognition_of",
    "recognized",
    "response_rows",
    "results_of",
    "row_scores",
    "score_units",
    "set_counts",
    "standard_errors",
    "swaps",
    "unweighted",
]
