"""What a metric function ranks on a sample, and how it averages.

Averages of scores of tasks are those of scikit-learn; they take scores and the weights
of the positives, of shape (n_resamples, n_tasks).
"""

import functools

import numpy as np
from sklearn import metrics
from sklearn.utils.multiclass import type_of_target

from skcompare._engine.ranking._curves import AveragePrecision, PartialRocArea, RocArea
from skcompare._engine.ranking._statistic import (
    RankingStatistic,
    column_tasks,
    pair_tasks,
    pooled_task,
)

# A sum of weights that scikit-learn takes to be 0 (the `atol` of `isclose`).
NEGLIGIBLE = 1e-8


def build_roc_auc(
    generic, average="macro", max_fpr=None, multi_class="raise", labels=None
):
    kind, curve = _kind(generic), RocArea
    if max_fpr is not None and max_fpr != 1:
        curve = functools.partial(PartialRocArea, max_fpr=float(max_fpr))
    if kind == "binary" and generic.responses[0].ndim == 1:
        # Always the second label, whichever a resample has.
        return _binary(generic, np.unique(generic.y)[-1], curve)
    if kind == "multilabel-indicator":
        return _multilabel(generic, average, curve)
    if kind not in ("binary", "multiclass") or curve is not RocArea:
        return None
    shape = generic.responses[0].shape
    if len(shape) != 2 or shape[1] < 3:
        return None
    averages = COLUMN_AVERAGES if multi_class == "ovr" else {}
    if multi_class == "ovo" and generic.sample_weight is None:
        averages = PAIR_AVERAGES
    classes = np.unique(generic.y) if labels is None else np.asarray(labels)
    return _multiclass(
        generic, classes, averages.get(average), curve, needs_all=labels is None
    )


def build_average_precision(generic, average="macro", pos_label=1):
    kind, curve = _kind(generic), AveragePrecision
    if kind == "binary" and generic.responses[0].ndim == 1:
        return _binary(generic, pos_label, curve)
    if isinstance(pos_label, str) or pos_label != 1:
        return None
    if kind == "multilabel-indicator":
        return _multilabel(generic, average, curve)
    if kind != "multiclass":
        return None
    classes, options = np.unique(generic.y), COLUMN_AVERAGES.get(average)
    return _multiclass(generic, classes, options, curve, needs_all=True)


def _kind(generic):
    """Return the kind of target, if truth, scores and weights are plain arrays."""
    y, responses, weights = generic.y, generic.responses, generic.sample_weight
    if not all(isinstance(part, np.ndarray) for part in (y, *responses)):
        return None
    first = responses[0]
    if not {y.ndim, first.ndim} <= {1, 2} or not len(y) == len(first) > 0:
        return None
    if not all(r.shape == first.shape and _is_finite(r) for r in responses):
        return None
    if weights is not None:
        # With narrower floats scikit-learn sums weights of columns less precisely.
        wide = weights.dtype.kind in "iu" or weights.dtype == np.float64
        fits = wide and weights.shape == (len(y),)
        if not (fits and _is_finite(weights) and (weights >= 0).all()):
            return None
    kind = type_of_target(y)
    return kind if (y.ndim == 2) == (kind == "multilabel-indicator") else None


def _is_finite(values):
    return values.dtype.kind in "biuf" and bool(np.isfinite(values).all())


def _binary(generic, pos_label, curve):
    y = generic.y
    if len(np.unique(y)) != 2 or isinstance(pos_label, str) != (y.dtype.kind in "OU"):
        return None
    truth = np.asarray(y == pos_label, dtype=bool)[:, np.newaxis]
    averaging = COLUMN_AVERAGES["macro"]
    return RankingStatistic(generic, truth, curve, averaging) if truth.any() else None


def _multilabel(generic, average, curve):
    y, averaging = generic.y, COLUMN_AVERAGES.get(average)
    if averaging is None or generic.responses[0].shape != y.shape:
        return None
    if not np.isin(y, (0, 1)).all():
        return None
    return RankingStatistic(generic, y.astype(bool), curve, averaging)


def _multiclass(generic, classes, averaging, curve, *, needs_all):
    y, scores = generic.y, generic.responses[0]
    if averaging is None or scores.shape != (len(y), classes.size):
        return None
    # Labels of these types are compared without conversion.
    kinds = {y.dtype.kind, classes.dtype.kind}
    alike = len(kinds) == 1 or kinds == {"O", "U"}
    if not alike or not np.array_equal(np.unique(classes), classes):
        return None
    truth = y[:, np.newaxis] == classes
    if not truth.any(axis=1).all():
        return None
    return RankingStatistic(generic, truth, curve, averaging, needs_all=needs_all)


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
