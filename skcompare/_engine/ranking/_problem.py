"""What a metric function ranks on a sample, and how it averages."""

import dataclasses
import functools
import inspect
from collections.abc import Callable

import numpy as np
from scipy.stats import rankdata
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.utils.multiclass import type_of_target

from skcompare._engine.ranking._curves import AveragePrecision, PartialRocArea, RocArea
from skcompare._engine.ranking._tasks import (
    column_tasks,
    macro,
    pair_tasks,
    pairwise_macro,
    pairwise_weighted,
    pooled_task,
    weighted,
)

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


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Problem:
    """A ranking metric on a sample.

    Parameters
    ----------
    truth : ndarray of bool of shape (n_rows, n_columns)
        Which entries are positive.
    scores : list of ndarray of shape (n_rows, n_columns)
        The scores that each model gives.
    sample_weight : ndarray or None
        The weights of the rows, none negative; integers if they all are.
    curve : callable
        From places, scores and truth of entries to the area under their curve.
    tasks : callable
        From the truth to the tasks.
    average : callable
        From the scores of tasks to the score.
    needs_all : bool
        Whether there must be a positive row in each column.
    """

    truth: np.ndarray
    scores: list
    sample_weight: np.ndarray | None
    curve: Callable
    tasks: Callable
    average: Callable
    needs_all: bool = False

    @property
    def keys(self):
        """The truth, the scores and the weights, column by column."""
        columns = [column for table in (self.truth, *self.scores) for column in table.T]
        weights = [] if self.sample_weight is None else [self.sample_weight]
        return [*columns, *weights]

    def ranks(self, scores):
        """Rank the scores of a model: what is ranked together, all columns or each."""
        together = self.tasks is pooled_task
        return rankdata(scores, axis=None if together else 0).reshape(np.shape(scores))

    @property
    def is_integral(self):
        """Whether a resample gives entries integers for weights."""
        return self.sample_weight is None or self.sample_weight.dtype.kind == "i"


def ranking_problem(generic):
    """Return what a statistic ranks, None if that is not understood completely.

    Parameters
    ----------
    generic : MetricStatistic
        A metric function, its keyword arguments and a sample.

    Returns
    -------
    Problem or None
        The problem.
    """
    builder = _builder_of(generic.metric)
    if builder is None or not _are_plain(generic):
        return None
    try:
        call = inspect.signature(builder).bind(generic, **generic.kwargs)
    except TypeError:  # an option that the builder does not know
        return None
    parts = builder(*call.args, **call.kwargs)
    if parts is None:
        return None
    scores = [np.asarray(response) for response in generic.responses]
    scores = [s[:, np.newaxis] if s.ndim == 1 else s for s in scores]
    return Problem(scores=scores, sample_weight=_weights(generic), **parts)


def _builder_of(metric):
    # By identity: a user's callable need not be hashable.
    builders = (builder for own, builder in BUILDERS.items() if own is metric)
    return next(builders, None)


def _are_plain(generic):
    y, responses, weights = generic.y, generic.responses, generic.sample_weight
    if not all(isinstance(part, np.ndarray) for part in (y, *responses)):
        return False
    shapes = {response.shape for response in responses}
    return (
        len(shapes) == 1
        and y.ndim in (1, 2)
        and responses[0].ndim in (1, 2)
        and len(y) == len(responses[0]) > 0
        and all(_is_finite(response) for response in responses)
        and (weights is None or _are_weights(weights, len(y)))
    )


def _is_finite(values):
    return values.dtype.kind in "biuf" and bool(np.isfinite(values).all())


def _are_weights(weights, n_rows):
    # With narrower floats scikit-learn sums the weights of columns less precisely.
    return (
        isinstance(weights, np.ndarray)
        and weights.shape == (n_rows,)
        and (weights.dtype.kind in "iu" or weights.dtype == np.float64)
        and _is_finite(weights)
        and bool((weights >= 0).all())
    )


def _weights(generic):
    weights = generic.sample_weight
    if weights is None:
        return None
    whole = bool((weights == np.floor(weights)).all()) and weights.max() < 2**31
    return weights.astype(np.int64 if whole else np.float64)


def _roc_auc(generic, average="macro", max_fpr=None, multi_class="raise", labels=None):
    kind, one_column = _kind(generic)
    curve = RocArea
    if max_fpr is not None and max_fpr != 1:
        curve = functools.partial(PartialRocArea, max_fpr=float(max_fpr))
    if kind == "binary" and one_column:
        # Always the second label, whichever a resample has.
        return _binary(generic.y, np.unique(generic.y)[-1], curve)
    if kind == "multilabel-indicator":
        return _multilabel(generic, average, curve)
    if kind in ("binary", "multiclass") and curve is RocArea:
        return _multiclass_roc_auc(generic, average, multi_class, labels)
    return None


def _average_precision(generic, average="macro", pos_label=1):
    kind, one_column = _kind(generic)
    if kind == "binary" and one_column:
        return _binary(generic.y, pos_label, AveragePrecision)
    if isinstance(pos_label, str) or pos_label != 1:
        return None
    if kind == "multilabel-indicator":
        return _multilabel(generic, average, AveragePrecision)
    if kind == "multiclass":
        classes = np.unique(generic.y)
        options = COLUMN_AVERAGES.get(average)
        return _multiclass(generic, classes, options, AveragePrecision, needs_all=True)
    return None


def _kind(generic):
    y = generic.y
    kind = type_of_target(y)
    if (y.ndim == 2) != (kind == "multilabel-indicator"):
        kind = "unknown"
    return kind, generic.responses[0].ndim == 1


def _binary(y, pos_label, curve):
    if len(np.unique(y)) != 2 or isinstance(pos_label, str) != (y.dtype.kind in "OU"):
        return None
    truth = np.asarray(y == pos_label, dtype=bool)
    if not truth.any():
        return None
    return {
        "truth": truth[:, np.newaxis],
        "curve": curve,
        "tasks": column_tasks,
        "average": macro,
    }


def _multilabel(generic, average, curve):
    y, options = generic.y, COLUMN_AVERAGES.get(average)
    if options is None or generic.responses[0].shape != y.shape:
        return None
    if not np.isin(y, (0, 1)).all():
        return None
    tasks, mean = options
    return {
        "truth": y.astype(bool),
        "curve": curve,
        "tasks": tasks,
        "average": mean,
    }


def _multiclass_roc_auc(generic, average, multi_class, labels):
    n_columns = generic.responses[0].shape[-1]
    classes = np.unique(generic.y) if labels is None else np.asarray(labels)
    if generic.responses[0].ndim != 2 or n_columns < 3:
        return None
    if multi_class == "ovo" and generic.sample_weight is None:
        options = PAIR_AVERAGES.get(average)
    else:
        options = COLUMN_AVERAGES.get(average) if multi_class == "ovr" else None
    return _multiclass(generic, classes, options, RocArea, needs_all=labels is None)


def _multiclass(generic, classes, options, curve, *, needs_all):
    y, scores = generic.y, generic.responses[0]
    if options is None or scores.shape != (len(y), classes.size):
        return None
    if not _are_alike(y, classes) or not np.array_equal(np.unique(classes), classes):
        return None
    truth = y[:, np.newaxis] == classes
    if not truth.any(axis=1).all():
        return None
    tasks, mean = options
    return {
        "truth": truth,
        "curve": curve,
        "tasks": tasks,
        "average": mean,
        "needs_all": needs_all,
    }


def _are_alike(y, classes):
    """Say whether labels of these types are compared without conversion."""
    kinds = {y.dtype.kind, classes.dtype.kind}
    return len(kinds) == 1 or kinds == {"O", "U"}


BUILDERS = {roc_auc_score: _roc_auc, average_precision_score: _average_precision}
