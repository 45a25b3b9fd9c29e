"""A ranking metric as a statistic."""

import functools

import numpy as np

from skcompare._engine._statistic import CountedStatistic, Table
from skcompare._engine.ranking._problem import ranking_problem

# So many weights are worked on at a time: they stay in the cache.
BLOCK_SIZE = 2**18

# Twice a smaller total still fits in 32 bits.
LARGEST_INT32_TOTAL = 2**30


def ranking_statistic(generic):
    """Return a statistic that ranks once, None if the metric is not one of those.

    Parameters
    ----------
    generic : MetricStatistic
        The same statistic by calling the metric function.

    Returns
    -------
    RankingStatistic or None
        The statistic on the same sample.
    """
    problem = ranking_problem(generic)
    return None if problem is None else RankingStatistic(problem, generic)


class RankingStatistic(CountedStatistic):
    """A metric of the order into which scores put the rows.

    Parameters
    ----------
    problem : Problem
        What is ranked.
    generic : MetricStatistic
        The same by calling the metric function.
    """

    engine = "ranking"
    ranks = True

    def __init__(self, problem, generic):
        super().__init__(generic)
        self.problem, self.sign = problem, generic.sign
        self.keys = problem.keys

    @property
    def rescale(self):
        """What ranks the scores of a model."""
        return self.problem.ranks

    def tabulate(self, rows):
        """Return the table of cells, given one row of each."""
        return RankingTable(self.problem, self.sign, rows)


class RankingTable(Table):
    """Cells in the order of their scores.

    Parameters
    ----------
    problem : Problem
        What is ranked.
    sign : int
        1 if greater is better, -1 otherwise.
    rows : ndarray of shape (n_cells,)
        One row of each cell.
    """

    def __init__(self, problem, sign, rows):
        self.problem, self.sign, self.rows = problem, sign, rows
        self.truth = problem.truth[rows]
        self.tasks = problem.tasks(self.truth)

    @functools.cached_property
    def curves(self):
        """The curves of each model, sorted."""
        tables = [scores[self.rows] for scores in self.problem.scores]
        return [[self._curve(task, [table]) for task in self.tasks] for table in tables]

    @functools.cached_property
    def merged_curves(self):
        """The curves of the responses of both models, sorted together."""
        tables = [scores[self.rows] for scores in self.problem.scores]
        return [self._curve(task, tables) for task in self.tasks]

    def _curve(self, task, tables):
        """Sort the entries of some models; the weights of models are side by side."""
        starts = len(self.rows) * np.arange(len(tables))
        return self.problem.curve(
            np.concatenate([task[0] + start for start in starts]),
            np.concatenate([table[task] for table in tables]),
            np.tile(self.truth[task], len(tables)),
        )

    def scores(self, counts, weights_of=None):
        """Score every model on resamples; `weights_of` makes weights of counts."""
        weights_of = weights_of or self._weights
        scores = np.empty((len(counts), len(self.problem.scores)))
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
        if self.problem.is_integral:
            totals = sum(some.sum(axis=1) for some in counts)
            if totals.max(initial=0) < LARGEST_INT32_TOTAL:
                dtype = np.int32
        weights = [some.astype(dtype, order="C", copy=False) for some in counts]
        return weights[0] if len(weights) == 1 else np.concatenate(weights, axis=1)

    def _products(self, counts):
        """Multiply counts of cells by the weights of their rows."""
        own = self.problem.sample_weight
        return counts if own is None else counts * own[self.rows]

    def _score(self, curves, weights):
        with np.errstate(divide="ignore", invalid="ignore"):
            areas = [curve(weights) for curve in curves]
            scores, n_positive = (
                np.stack(part, 1) for part in zip(*areas, strict=True)
            )
            return self.sign * self.problem.average(scores, n_positive)

    def _undefined(self, counts):
        """Mark resamples without rows, or without a class that has to be there."""
        if not self.problem.needs_all:
            return ~counts.any(axis=1)
        classes = [counts[:, positive].any(axis=1) for positive in self.truth.T]
        return ~np.all(classes, axis=0)
