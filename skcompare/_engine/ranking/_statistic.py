"""A ranking metric as a statistic.

A task is an index, of rows and columns, of entries of a table that are ranked against
each other.
"""

import functools
import itertools

import numpy as np
from scipy.stats import rankdata

from skcompare._engine._statistic import CountedStatistic, Table

# So many weights are worked on at a time: they stay in the cache.
BLOCK_SIZE = 2**18

# Twice a smaller total still fits in 32 bits.
LARGEST_INT32_TOTAL = 2**30


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
