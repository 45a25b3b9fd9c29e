"""Compute scores on resamples: from statistics to cells to resampled scores.

A metric on a sample is a `Statistic`. `Cells` count units that no statistic
distinguishes. A resampling scheme is a function from cells to a `Resampler`, which
`draw` evaluates in chunks. This package does not depend on tests, p-values or
intervals.
"""

from skcompare._engine._cell_schemes import GammaDraws
from skcompare._engine._cells import Cells, Units, cells_of
from skcompare._engine._draw import Misrecognized, chunk_generator, confirm, draw
from skcompare._engine._fold_mean import Folds, MeanOverFolds
from skcompare._engine._generic import MetricStatistic, ScorerStatistic
from skcompare._engine._labels_prior import (
    ConfusionDraws,
    cells_with_prior,
    confusion_model,
    is_label_metric,
)
from skcompare._engine._recognized import recognition_of
from skcompare._engine._resamplers import (
    Resampler,
    all_swaps,
    bootstrap,
    bootstrap_with_errors,
    left_out_scores,
    n_moving_units,
    random_weights,
    score_units,
    standard_errors,
    swaps,
)
from skcompare._engine._statistic import (
    as_number,
    concatenate_rows,
    differing_rows,
)
from skcompare._engine._weighted import as_weighable
from skcompare._engine._workers import results_of
