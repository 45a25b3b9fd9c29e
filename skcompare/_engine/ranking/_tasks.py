"""Which entries are ranked against each other."""

import dataclasses
import itertools

import numpy as np


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
