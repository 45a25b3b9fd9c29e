"""Metrics of a ranking, ROC AUC and average precision, from one sort per model.

Whatever is resampled, the order of the scores stays. So the entries are sorted once,
and the weights that a resample gives them are accumulated along that order, for many
resamples at a time.

A task is an index, of rows and columns, of entries of a table that are ranked against
each other. Averages of scores of tasks are those of scikit-learn; they take scores and
the weights of the positives, of shape (n_resamples, n_tasks).
"""

import functools
import itertools

import numpy as np
from scipy.stats import rankdata
from sklearn import metrics
from sklearn.utils.multiclass import type_of_target

from skcompare._engine._curves import AveragePrecision, PartialRocArea, RocArea
from skcompare._engine._statistic import CountedStatistic, Table

# So many weights are worked on at a time: they stay in the cache.
BLOCK_SIZE = 2**18

# Twice a smaller total still fits in 32 bits.
LARGEST_INT32_TOTAL = 2**30

# A sum of weights that scikit-learn takes to be 0 (the `atol` of `isclose`).
NEGLIGIBLE = 1e-8


class RankingStatistic(CountedStatistic):
    """A metric of the order into which scores put the rows.

    Parameters
    ----------
    generic : MetricStatistic
        The same by calling the metric function; it has the scores of the models.
    truth : ndarray of bool of shape (n_rows, n_columns)
        Which entries of the tables of scores are positive.
    curve : callable
        From places, scores and truth of entries to the area under their curve.
    averaging : tuple of callable
        What makes tasks of the truth, and what averages their scores.
    needs_all : bool, default=False
        Whether there must be a positive row in each column.
    """

    engine = "ranking"
    ranks = True

    def __init__(self, generic, truth, curve, averaging, *, needs_all=False):
        self.scores = [r.reshape(len(r), -1) for r in generic.responses]
        super().__init__(generic, [truth, *self.scores])
        self.truth, self.curve, self.needs_all = truth, curve, needs_all
        self.tasks, self.average = averaging
        self.weights, self.is_integral = generic.sample_weight, True
        if self.weights is not None:
            # Whole ones are kept as integers, whose sums are exact.
            whole = (self.weights == np.floor(self.weights)).all()
            self.is_integral = bool(whole) and self.weights.max() < 2**31
            self.weights = self.weights.astype(np.int64 if self.is_integral else float)

    def rescale(self, scores):
        """Rank the scores of a model: what is ranked together, all columns or each."""
        together = self.tasks is pooled_task
        return rankdata(scores, axis=None if together else 0).reshape(np.shape(scores))

    def tabulate(self, rows):
        """Return the table of cells, given one row of each."""
        return RankingTable(self, rows)


class RankingTable(Table):
    """Cells in the order of their scores.

    Parameters
    ----------
    statistic : RankingStatistic
        What is ranked.
    rows : ndarray of shape (n_cells,)
        One row of each cell.
    """

    def __init__(self, statistic, rows):
        self.statistic, self.rows = statistic, rows
        self.truth = statistic.truth[rows]
        self.tasks = statistic.tasks(self.truth)

    @functools.cached_property
    def curves(self):
        """The curves of each model, sorted."""
        tables = [scores[self.rows] for scores in self.statistic.scores]
        return [[self._curve(task, [table]) for task in self.tasks] for table in tables]

    @functools.cached_property
    def merged_curves(self):
        """The curves of the responses of both models, sorted together."""
        tables = [scores[self.rows] for scores in self.statistic.scores]
        return [self._curve(task, tables) for task in self.tasks]

    def _curve(self, task, tables):
        """Sort the entries of some models; the weights of models are side by side."""
        starts = len(self.rows) * np.arange(len(tables))
        return self.statistic.curve(
            np.concatenate([task[0] + start for start in starts]),
            np.concatenate([table[task] for table in tables]),
            np.tile(self.truth[task], len(tables)),
        )

    def scores(self, counts, weights_of=None):
        """Score every model on resamples; `weights_of` makes weights of counts."""
        weights_of = weights_of or self._weights
        scores = np.empty((len(counts), len(self.statistic.scores)))
        for part in self._blocks(len(counts), 1):
            weights = weights_of(counts[part])
            for model, curves in enumerate(self.curves):
                scores[part, model] = self._score(curves, weights)
            scores[part][self._undefined(counts[part])] = np.nan
        return scores

    def weighted_scores(self, weights):
        """Score every model with weights in place of counts."""
        return self.scores(weights, self._products)

    def swapped_scores(self, counts, swapped):
        """Score two models after they have exchanged responses."""
        scores = np.full((len(swapped), 2), np.nan)
        vars(self).pop("curves", None)  # not needed beside the merged ones
        if self._undefined(counts[np.newaxis])[0]:
            return scores
        for part in self._blocks(len(swapped), 2):
            kept, moved = counts - swapped[part], swapped[part]
            for model, pair in enumerate(((kept, moved), (moved, kept))):
                weights = self._weights(*pair)
                scores[part, model] = self._score(self.merged_curves, weights)
        return scores

    def _blocks(self, n_resamples, n_responses):
        n_entries = max(len(cells) for cells, _ in self.tasks)
        n_weights = n_responses * max(n_entries, len(self.rows))
        step = max(1, BLOCK_SIZE // n_weights)
        starts = range(0, n_resamples, step)
        return [slice(start, start + step) for start in starts]

    def _weights(self, *counts):
        """Return the weights of cells, one model's responses beside the other's.

        Integers are kept as such where they fit: sums are exact, and faster.
        """
        counts = [self._products(some) for some in counts]
        dtype = np.float64
        if self.statistic.is_integral:
            totals = sum(some.sum(axis=1) for some in counts)
            if totals.max(initial=0) < LARGEST_INT32_TOTAL:
                dtype = np.int32
        weights = [some.astype(dtype, order="C", copy=False) for some in counts]
        return weights[0] if len(weights) == 1 else np.concatenate(weights, axis=1)

    def _products(self, counts):
        """Multiply counts of cells by the weights of their rows."""
        own = self.statistic.weights
        return counts if own is None else counts * own[self.rows]

    def _score(self, curves, weights):
        with np.errstate(divide="ignore", invalid="ignore"):
            areas = [curve(weights) for curve in curves]
            scores, n_positive = (
                np.stack(part, 1) for part in zip(*areas, strict=True)
            )
            return self.statistic.sign * self.statistic.average(scores, n_positive)

    def _undefined(self, counts):
        """Mark resamples without rows, or without a class that has to be there."""
        if not self.statistic.needs_all:
            return ~counts.any(axis=1)
        classes = [counts[:, positive].any(axis=1) for positive in self.truth.T]
        return ~np.all(classes, axis=0)


def column_tasks(truth):
    """Rank within each column of a table: a list of one task for each."""
    everything = np.arange(len(truth))
    return [(everything, column) for column in range(truth.shape[1])]


def pooled_task(truth):
    """Rank all entries of all columns together: a list of one task."""
    return [tuple(places.ravel() for places in np.indices(truth.shape))]


def pair_tasks(truth):
    """Rank the rows of two classes by the scores of either: two tasks per pair."""
    tasks = []
    for pair in itertools.combinations(range(truth.shape[1]), 2):
        cells = np.flatnonzero(truth[:, pair].any(axis=1))
        tasks += [(cells, column) for column in pair]
    return tasks


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


BUILDERS = {
    metrics.roc_auc_score: build_roc_auc,
    metrics.average_precision_score: build_average_precision,
}
