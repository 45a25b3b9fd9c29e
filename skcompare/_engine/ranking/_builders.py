"""What a metric function ranks on a sample, and how it averages.

Averages of scores of tasks are those of scikit-learn; they take scores and the weights
of the positives, of shape (n_resamples, n_tasks).
"""

import functools

import numpy as np
from sklearn import metrics
from sklearn.utils.multiclass import type_of_target

from skcompare._engine._statistic import call_builder
from skcompare._engine.ranking._curves import AveragePrecision, PartialRocArea, RocArea
from skcompare._engine.ranking._statistic import (
    RankingStatistic,
    column_tasks,
    pair_tasks,
    pooled_task,
)

# A sum of weights that scikit-learn takes to be 0 (the `atol` of `isclose`).
NEGLIGIBLE = 1e-8


def ranking_statistic(generic):
    """Return a statistic that ranks once, None if the metric is not understood.

    Parameters
    ----------
    generic : MetricStatistic
        The same statistic by calling the metric function.

    Returns
    -------
    RankingStatistic or None
        The statistic on the same sample.
    """
    builder = BUILDERS.get(generic.metric)
    if builder is None or not _are_plain(generic):
        return None
    parts = call_builder(builder, generic, **generic.kwargs)
    return parts and RankingStatistic(generic, *parts)


def _are_plain(generic):
    """Return whether truth, scores and weights are arrays that can be ranked."""
    y, responses, weights = generic.y, generic.responses, generic.sample_weight
    if not all(isinstance(part, np.ndarray) for part in (y, *responses)):
        return False
    first = responses[0]
    if not {y.ndim, first.ndim} <= {1, 2} or not len(y) == len(first) > 0:
        return False
    if not all(r.shape == first.shape and _is_finite(r) for r in responses):
        return False
    if weights is None:
        return True
    # With narrower floats scikit-learn sums weights of columns less precisely.
    wide = weights.dtype.kind in "iu" or weights.dtype == np.float64
    fits = wide and weights.shape == (len(y),)
    return bool(fits and _is_finite(weights) and (weights >= 0).all())


def _is_finite(values):
    return values.dtype.kind in "biuf" and bool(np.isfinite(values).all())


# Builders return truth, curve, how tasks are made and averaged, and whether all classes
# have to be there; or None.


def build_roc_auc(
    generic, average="macro", max_fpr=None, multi_class="raise", labels=None
):
    kind, y, shape = _kind(generic), generic.y, generic.responses[0].shape
    curve = RocArea
    if max_fpr is not None and max_fpr != 1:
        curve = functools.partial(PartialRocArea, max_fpr=float(max_fpr))
    if kind == "binary" and len(shape) == 1:
        # Always the second label, whichever a resample has.
        return _binary(y, np.unique(y)[-1], curve)
    if kind == "multilabel-indicator":
        return _multilabel(generic, average, curve)
    if kind not in ("binary", "multiclass") or curve is not RocArea:
        return None
    if len(shape) != 2 or shape[1] < 3:
        return None
    averages = COLUMN_AVERAGES if multi_class == "ovr" else {}
    if multi_class == "ovo" and generic.sample_weight is None:
        averages = PAIR_AVERAGES
    classes = np.unique(y) if labels is None else np.asarray(labels)
    return _multiclass(
        generic, classes, averages.get(average), curve, needs_all=labels is None
    )


def build_average_precision(generic, average="macro", pos_label=1):
    kind, curve = _kind(generic), AveragePrecision
    if kind == "binary" and generic.responses[0].ndim == 1:
        return _binary(generic.y, pos_label, curve)
    if isinstance(pos_label, str) or pos_label != 1:
        return None
    if kind == "multilabel-indicator":
        return _multilabel(generic, average, curve)
    if kind != "multiclass":
        return None
    classes, options = np.unique(generic.y), COLUMN_AVERAGES.get(average)
    return _multiclass(generic, classes, options, curve, needs_all=True)


def _kind(generic):
    kind = type_of_target(generic.y)
    return kind if (generic.y.ndim == 2) == (kind == "multilabel-indicator") else None


def _binary(y, pos_label, curve):
    if len(np.unique(y)) != 2 or isinstance(pos_label, str) != (y.dtype.kind in "OU"):
        return None
    truth = np.asarray(y == pos_label, dtype=bool)
    if not truth.any():
        return None
    return truth[:, np.newaxis], curve, COLUMN_AVERAGES["macro"], False


def _multilabel(generic, average, curve):
    y, options = generic.y, COLUMN_AVERAGES.get(average)
    if options is None or generic.responses[0].shape != y.shape:
        return None
    return (y.astype(bool), curve, options, False) if np.isin(y, (0, 1)).all() else None


def _multiclass(generic, classes, options, curve, *, needs_all):
    y, scores = generic.y, generic.responses[0]
    if options is None or scores.shape != (len(y), classes.size):
        return None
    # Labels of these types are compared without conversion.
    kinds = {y.dtype.kind, classes.dtype.kind}
    alike = len(kinds) == 1 or kinds == {"O", "U"}
    if not alike or not np.array_equal(np.unique(classes), classes):
        return None
    truth = y[:, np.newaxis] == classes
    return (truth, curve, options, needs_all) if truth.any(axis=1).all() else None


def macro(scores, n_positive):
    """Average over tasks."""
    return scores.mean(axis=1)


def weighted(scores, n_positive):
    """Average over tasks in proportion to their positives; 0 if there are none."""
    total = n_positive.sum(axis=1)
    average = (np.where(n_positive == 0, 0, scores) * n_positive).sum(axis=1) / total
    average[total <= NEGLIGIBLE] = 0
    return average


def pairwise_macro(scores, n_positive):
    """Average over the pairs of classes that are both present."""
    return _pairwise(scores, (n_positive > 0).astype(float), np.minimum)


def pairwise_weighted(scores, n_positive):
    """Average over pairs of present classes in proportion to their rows."""
    return _pairwise(scores, n_positive, np.add)


def _pairwise(scores, sizes, joined):
    first, second = sizes[:, ::2], sizes[:, 1::2]
    share = np.where((first > 0) & (second > 0), joined(first, second), 0)
    halves = np.where(share > 0, scores[:, ::2] + scores[:, 1::2], 0)
    return (share * halves).sum(axis=1) / (2 * share.sum(axis=1))


# How the columns of an indicator matrix are ranked and averaged.
COLUMN_AVERAGES = {
    "macro": (column_tasks, macro),
    "weighted": (column_tasks, weighted),
    "micro": (pooled_task, macro),
}
PAIR_AVERAGES = {
    "macro": (pair_tasks, pairwise_macro),
    "weighted": (pair_tasks, pairwise_weighted),
}
BUILDERS = {
    metrics.roc_auc_score: build_roc_auc,
    metrics.average_precision_score: build_average_precision,
}
