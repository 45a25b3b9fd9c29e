"""Which entries are ranked against each other, and how scores of tasks are averaged.

Averages are those of scikit-learn. They take scores and the weights of the positives,
of shape (n_resamples, n_tasks).
"""

import dataclasses
import itertools

import numpy as np

# A sum of weights that scikit-learn takes to be 0 (the `atol` of `isclose`).
NEGLIGIBLE = 1e-8


@dataclasses.dataclass(frozen=True, eq=False)
class Task:
    """Entries of a table of scores that are ranked together.

    Parameters
    ----------
    cells, columns : ndarray of shape (n_entries,)
        Where the entries are.
    positive : ndarray of shape (n_entries,)
        Which of them are positive.
    """

    cells: np.ndarray
    columns: np.ndarray
    positive: np.ndarray

    def scores(self, table):
        """Take the entries from a table of scores."""
        return table[self.cells, self.columns]


def column_tasks(truth):
    """Rank within each column.

    Parameters
    ----------
    truth : ndarray of bool of shape (n_cells, n_columns)
        The truth.

    Returns
    -------
    list of Task
        One per column.
    """
    everything = np.arange(len(truth))
    return [_within(everything, column, truth) for column in range(truth.shape[1])]


def pooled_task(truth):
    """Rank all entries of all columns together: a list of one task."""
    cells, columns = (places.ravel() for places in np.indices(truth.shape))
    return [Task(cells, columns, truth.ravel())]


def pair_tasks(truth):
    """Rank the rows of two classes by the scores of either, for each two classes.

    Returns
    -------
    list of Task
        Two per pair, one below the other.
    """
    tasks = []
    for first, second in itertools.combinations(range(truth.shape[1]), 2):
        cells = np.flatnonzero(truth[:, first] | truth[:, second])
        tasks += [_within(cells, column, truth) for column in (first, second)]
    return tasks


def _within(cells, column, truth):
    return Task(cells, np.full(len(cells), column), truth[cells, column])


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
