"""Ranking metrics, ROC AUC and average precision, computed from one sort per model.

Resampling does not change the order of the scores. So the entries are sorted once, and
their weights in a resample are accumulated in that order, for many resamples at a time.

A task is an index (rows and columns) of entries of a table that are ranked against each
other. Scores of tasks are averaged as in scikit-learn; the averaging functions take
scores and weights of positives, of shape (n_resamples, n_tasks).

A curve has the entries of a task in the order of their scores. The area under it is
computed from cumulative sums of weights.
"""

import functools
import itertools

import numpy as np
from scipy.stats import rankdata
from sklearn import metrics
from sklearn.utils.multiclass import type_of_target

from skcompare._engine._statistic import CountedStatistic, Table

# Number of weights per block, which fit in the cache.
BLOCK_SIZE = 2**17

# Sums of the weights of entries below this, of two models and doubled, fit in 32 bits.
LARGEST_TOTAL = 2**29

# Sums of weights up to this are 0 for scikit-learn (the `atol` of `isclose`).
NEGLIGIBLE = 1e-8


class RankingStatistic(CountedStatistic):
    """A metric of the ranking of rows by their scores.

    Parameters
    ----------
    generic : MetricStatistic
        The statistic that calls the metric function, with the scores of the models.
    truth : ndarray of bool of shape (n_rows, n_columns)
        Which entries of the tables of scores are positive.
    curve : callable
        Returns a curve from the places, scores and truth of entries.
    averaging : tuple of callable
        A function from truth to tasks, and a function that averages their scores.
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
        own = self.sample_weight
        self.is_integral = own is None or bool((own == np.rint(own)).all())

    def rescale(self, scores):
        """Rank the scores of a model, all columns together or each column."""
        together = self.tasks is pooled_task
        return rankdata(scores, axis=None if together else 0).reshape(np.shape(scores))

    def tabulate(self, rows):
        """Return the table of cells from one row of each."""
        return RankingTable(self, rows)


class RankingTable(Table):
    """Cells in the order of their scores.

    Parameters
    ----------
    statistic : RankingStatistic
        The statistic.
    rows : ndarray of shape (n_cells,)
        One row of each cell.
    """

    def __init__(self, statistic, rows):
        self.statistic, self.rows = statistic, rows
        self.truth = statistic.truth[rows]
        self.tasks = statistic.tasks(self.truth)
        n_entries = max((len(cells) for cells, _ in self.tasks), default=0)
        self.entries_per_row = -(-n_entries // max(1, len(rows)))

    @functools.cached_property
    def curves(self):
        """The curves of each model, sorted."""
        tables = [scores[self.rows] for scores in self.statistic.scores]
        return [[self._curve(task, [table]) for task in self.tasks] for table in tables]

    @functools.cached_property
    def merged_curves(self):
        """The curves of the scores of both models, sorted together."""
        tables = [scores[self.rows] for scores in self.statistic.scores]
        return [self._curve(task, tables) for task in self.tasks]

    def _curve(self, task, tables):
        """Return the curve of the entries of some models, with concatenated weights."""
        starts = len(self.rows) * np.arange(len(tables))
        return self.statistic.curve(
            np.concatenate([task[0] + start for start in starts]),
            np.concatenate([table[task] for table in tables]),
            np.tile(self.truth[task], len(tables)),
        )

    def scores(self, counts, *, as_weights=False):
        """Score each model on resamples."""
        scores = np.empty((len(counts), len(self.statistic.scores)))
        for part in self._blocks(len(counts), 1):
            weights = self._weights(counts[part], as_weights)
            for model, curves in enumerate(self.curves):
                scores[part, model] = self._score(curves, weights)
            scores[part][self._undefined(counts[part])] = np.nan
        return scores

    def swapped_scores(self, counts, swapped):
        """Score two models after they have exchanged responses."""
        scores = np.full((len(swapped), 2), np.nan)
        vars(self).pop("curves", None)  # frees memory for the merged curves
        if self._undefined(counts[np.newaxis])[0]:
            return scores
        for part in self._blocks(len(swapped), 2):
            kept, moved = map(self._weights, (counts - swapped[part], swapped[part]))
            for model, pair in enumerate(((kept, moved), (moved, kept))):
                weights = np.concatenate(pair, axis=1)
                scores[part, model] = self._score(self.merged_curves, weights)
        return scores

    def _blocks(self, n_resamples, n_responses):
        n_entries = max(len(cells) for cells, _ in self.tasks)
        n_weights = n_responses * max(n_entries, len(self.rows))
        step = max(1, BLOCK_SIZE // n_weights)
        starts = range(0, n_resamples, step)
        return [slice(start, start + step) for start in starts]

    def _weights(self, counts, as_weights=False):
        """Multiply counts of cells by the weights of their rows.

        Integers are converted to 32 bits if their sums fit: these are summed exactly,
        and in half the time (`benchmarks/tricks.py`).
        """
        own = self.statistic.sample_weight
        weights = counts if own is None else counts * own[self.rows]
        fits = self.statistic.is_integral and not as_weights
        largest = LARGEST_TOTAL / max(1, self.entries_per_row)
        fits = fits and weights.sum(axis=1).max(initial=0) < largest
        return np.ascontiguousarray(weights, dtype=np.int32 if fits else float)

    def _score(self, curves, weights):
        with np.errstate(divide="ignore", invalid="ignore"):
            areas = [curve(weights) for curve in curves]
            scores, n_positive = (
                np.stack(part, 1) for part in zip(*areas, strict=True)
            )
            return self.statistic.sign * self.statistic.average(scores, n_positive)

    def _undefined(self, counts):
        """Mark resamples without rows, or without a required class."""
        if not self.statistic.needs_all:
            return ~counts.any(axis=1)
        classes = [counts[:, positive].any(axis=1) for positive in self.truth.T]
        return ~np.all(classes, axis=0)


class RocArea:
    """The share of pairs of a positive and a negative that are in the right order.

    A tie counts one half. Let w(p) be the weight of a positive p, F(p) the weight of
    all negatives with higher scores, G(p) the same including ties, and P and N the
    total weights of positives and negatives:

        area = 1 - sum_p w(p) (F(p) + G(p)) / (2 P N).

    Numerator and denominator are integers if the weights are.

    Parameters
    ----------
    places : ndarray of shape (n_entries,)
        The column of the weights of each entry.
    scores : ndarray of shape (n_entries,)
        The scores of the entries.
    positive : ndarray of shape (n_entries,)
        Which entries are positive.
    """

    def __init__(self, places, scores, positive):
        ranks = ranks_of(scores)
        self.positives = places[positive]
        negatives, self.negatives = sorted_by(ranks[~positive], places[~positive])
        self.above = np.searchsorted(negatives, ranks[positive])
        through = np.searchsorted(negatives, ranks[positive], side="right")
        self.through = None if np.array_equal(through, self.above) else through

    def __call__(self, weights):
        """Return area and weight of the positives, by resample.

        Parameters
        ----------
        weights : ndarray of shape (n_resamples, n_places)
            The weights of the entries, none negative.
        """
        own = weights.take(self.positives, axis=1)
        n_positive = own.sum(axis=1, dtype=float)
        sums = cumulated(weights, self.negatives)
        ahead = sums.take(self.above, axis=1)  # F + G
        ahead += ahead if self.through is None else sums.take(self.through, axis=1)
        n_pairs = 2 * n_positive * sums[:, -1].astype(float)
        return (n_pairs - row_products(own, ahead)) / n_pairs, n_positive


class PartialRocArea:
    """The area under the ROC curve up to a false positive rate, standardized.

    At each distinct score of negatives, false positives increase from F to F + f while
    true positives increase linearly from T to T + t; positives with other scores raise
    the curve without adding area. If the curve is cut off at a limit of false
    positives, the step from F has width g <= f, and

        area = sum (g T + t g^2 / (2 f)) / (P N).

    Parameters
    ----------
    places, scores, positive : ndarray of shape (n_entries,)
        As in `RocArea`.
    max_fpr : float
        The false positive rate at which the curve is cut off, in (0, 1).
    """

    def __init__(self, places, scores, positive, *, max_fpr):
        ranks, self.max_fpr = ranks_of(scores), max_fpr
        positives, self.positives = sorted_by(ranks[positive], places[positive])
        negatives, self.negatives = sorted_by(ranks[~positive], places[~positive])
        self.bounds = bounds_of_ties(negatives)
        distinct = np.unique(negatives)
        self.above = np.searchsorted(positives, distinct)
        self.through = np.searchsorted(positives, distinct, side="right")

    def __call__(self, weights):
        """Return standardized area and weight of the positives, by resample."""
        true = cumulated(weights, self.positives).astype(float)
        false = cumulated(weights, self.negatives).astype(float)
        n_positive, n_negative = true[:, -1], false[:, -1]
        at_bounds = false.take(self.bounds, axis=1)
        cut = np.minimum(at_bounds, self.max_fpr * false[:, -1:])
        widths, inside = np.diff(at_bounds), np.diff(cut)
        above = true.take(self.above, axis=1)
        gained = true.take(self.through, axis=1) - above
        share = inside / np.maximum(widths, np.finfo(float).tiny)
        area = (inside * (above + 0.5 * gained * share)).sum(axis=1)
        area /= n_positive * n_negative
        smallest, largest = 0.5 * self.max_fpr**2, self.max_fpr
        standardized = 0.5 * (1 + (area - smallest) / (largest - smallest))
        return standardized, n_positive


class AveragePrecision:
    """The precision at the score of each positive, averaged over positives.

    Recall increases only at thresholds equal to scores of positives. With t the weight
    of positives at a threshold, T and F the true and false positives down to it, and P
    the weight of all positives,

        average precision = sum t T / (T + F) / P.

    Without positives it is 0.

    Parameters
    ----------
    places, scores, positive : ndarray of shape (n_entries,)
        As in `RocArea`.
    """

    def __init__(self, places, scores, positive):
        ranks = ranks_of(scores)
        positives, self.positives = sorted_by(ranks[positive], places[positive])
        negatives, self.negatives = sorted_by(ranks[~positive], places[~positive])
        self.bounds = bounds_of_ties(positives)
        self.through = np.searchsorted(negatives, np.unique(positives), side="right")

    def __call__(self, weights):
        """Return average precision and weight of the positives, by resample.

        Parameters
        ----------
        weights : ndarray of shape (n_resamples, n_places)
            The weights of the entries, none negative.
        """
        true = cumulated(weights, self.positives)
        false = cumulated(weights, self.negatives)
        n_positive, n_negative = true[:, -1], false[:, -1]
        at_bounds = true.take(self.bounds, axis=1)
        down_to, gained = at_bounds[:, 1:], np.diff(at_bounds)
        predicted = false.take(self.through, axis=1)
        predicted += down_to
        precision = down_to / np.maximum(predicted, np.finfo(float).tiny)
        average = row_products(gained, precision) / n_positive
        average[(n_positive == 0) & (n_negative > 0)] = 0
        return average, n_positive


def ranks_of(scores):
    """Return ranks from the highest score, 0, to the lowest; ties have equal ranks.

    Examples
    --------
    >>> ranks_of(np.array([0.1, 0.7, 0.1, 0.4])).tolist()
    [2, 0, 2, 1]
    """
    order = np.argsort(scores, kind="stable")[::-1]
    ordered = scores[order]
    steps = np.cumsum(ordered[1:] != ordered[:-1], dtype=np.int32)
    ranks = np.zeros(len(scores), dtype=np.int32)
    ranks[order[1:]] = steps
    return ranks


def sorted_by(ranks, places):
    """Return ranks in ascending order, and places in the same order."""
    order = np.argsort(ranks, kind="stable")
    return ranks[order], places[order]


def bounds_of_ties(ranks):
    """Return the starts of runs of equal ranks, and the end of the last run.

    Examples
    --------
    >>> bounds_of_ties(np.array([0, 0, 1, 3, 3])).tolist()
    [0, 2, 3, 5]
    """
    return np.flatnonzero(np.diff(ranks, prepend=-1, append=-1))


def cumulated(weights, places):
    """Return cumulative sums of weights in the given order, starting with 0.

    Parameters
    ----------
    weights : ndarray of shape (n_resamples, n_places)
        The weights.
    places : ndarray of shape (n,)
        Columns of `weights`, in the order in which to sum them.

    Returns
    -------
    ndarray of shape (n_resamples, n + 1)
        The sums before the first and after each of the places.
    """
    sums = np.empty((len(weights), len(places) + 1), dtype=weights.dtype)
    sums[:, 0] = 0
    taken = weights.take(places, axis=1)
    np.cumsum(taken, axis=1, dtype=sums.dtype, out=sums[:, 1:])
    return sums


def row_products(left, right):
    """Return the inner products of the rows of two matrices in double precision."""
    left, right = left.astype(float, copy=False), right.astype(float, copy=False)
    return np.matmul(left[:, np.newaxis, :], right[:, :, np.newaxis])[:, 0, 0]


def column_tasks(truth):
    """Return one task per column of a table."""
    everything = np.arange(len(truth))
    return [(everything, column) for column in range(truth.shape[1])]


def pooled_task(truth):
    """Return a single task with the entries of all columns, as a list."""
    return [tuple(places.ravel() for places in np.indices(truth.shape))]


def pair_tasks(truth):
    """Return two tasks per pair of classes: their rows by the scores of each class."""
    tasks = []
    for pair in itertools.combinations(range(truth.shape[1]), 2):
        cells = np.flatnonzero(truth[:, pair].any(axis=1))
        tasks += [(cells, column) for column in pair]
    return tasks


def macro(scores, n_positive):
    """Average over tasks."""
    return scores.mean(axis=1)


def weighted(scores, n_positive):
    """Average over tasks, weighted by their positives; 0 if there are none."""
    total = n_positive.sum(axis=1)
    average = (np.where(n_positive == 0, 0, scores) * n_positive).sum(axis=1) / total
    average[total <= NEGLIGIBLE] = 0
    return average


def pairwise_macro(scores, n_positive):
    """Average over pairs of present classes."""
    return _pairwise(scores, (n_positive > 0).astype(float), np.minimum)


def pairwise_weighted(scores, n_positive):
    """Average over pairs of present classes, weighted by their rows."""
    return _pairwise(scores, n_positive, np.add)


def _pairwise(scores, sizes, joined):
    first, second = sizes[:, ::2], sizes[:, 1::2]
    share = np.where((first > 0) & (second > 0), joined(first, second), 0)
    halves = np.where(share > 0, scores[:, ::2] + scores[:, 1::2], 0)
    return (share * halves).sum(axis=1) / (2 * share.sum(axis=1))


# Tasks and averages of the columns of an indicator matrix, and of pairs of classes.
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
    curve = RocArea
    if max_fpr is not None and max_fpr != 1:
        curve = functools.partial(PartialRocArea, max_fpr=float(max_fpr))
    averages = {"ovr": COLUMN_AVERAGES, "ovo": PAIR_AVERAGES}.get(multi_class, {})
    return _build(generic, curve, average, averages, labels=labels)


def build_average_precision(generic, average="macro", pos_label=1):
    positive = {"pos_label": pos_label}
    return _build(generic, AveragePrecision, average, COLUMN_AVERAGES, **positive)


def _build(generic, curve, average, averages, *, pos_label=None, labels=None):
    """Return the statistic, or None unless truth and scores are arrays that match.

    By default, the positive label is the larger label of the whole sample, even for
    resamples with only one label.
    """
    y, first = generic.y, generic.responses[0]
    if not all(isinstance(part, np.ndarray) for part in (y, *generic.responses)):
        return None
    if any(response.shape != first.shape for response in generic.responses):
        return None
    kind, needs_all = type_of_target(y), False
    if (y.ndim == 2) != (kind == "multilabel-indicator"):
        return None
    if y.ndim == 2:
        truth, averaging = y == 1, COLUMN_AVERAGES.get(average)
    elif kind == "binary" and first.ndim == 1:
        present = np.unique(y)
        positive = present[-1] if pos_label is None else pos_label
        truth = np.asarray(y == positive, dtype=bool)[:, np.newaxis]
        averaging = COLUMN_AVERAGES["macro"] if len(present) == 2 else None
    else:
        classes = np.unique(y) if labels is None else np.asarray(labels)
        truth = y[:, np.newaxis] == classes
        averaging, needs_all = averages.get(average), labels is None
    if averaging is None or truth.shape != first.reshape(len(first), -1).shape:
        return None
    return RankingStatistic(generic, truth, curve, averaging, needs_all=needs_all)


BUILDERS = {
    metrics.roc_auc_score: build_roc_auc,
    metrics.average_precision_score: build_average_precision,
}
