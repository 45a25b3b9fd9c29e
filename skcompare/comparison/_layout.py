"""The units of a question, told apart only as far as its metrics see them."""

import dataclasses

import numpy as np
from scipy import sparse

from skcompare.statistics import CountedStatistic, joint_codes

__all__ = ["Layout", "lay_out"]


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Layout:
    """Cells of units that are alike in all metrics, and a table for each metric.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    strata : ndarray of shape (n_cells,)
        The stratum of each cell.
    cell_of_unit : ndarray of shape (n_units,)
        The cell of each unit.
    tables : dict
        A `Table` for each metric, by name.
    """

    counts: np.ndarray
    strata: np.ndarray
    cell_of_unit: np.ndarray
    tables: dict

    def scores(self, counts):
        """Score all metrics and models: shape (n_resamples, n_metrics, n_models)."""
        tables = self.tables.values()
        return np.stack([table.scores(counts) for table in tables], axis=1)

    def swapped_scores(self, swapped):
        """Score all metrics and both models after exchanging answers."""
        tables = self.tables.values()
        scores = [table.swapped_scores(self.counts, swapped) for table in tables]
        return np.stack(scores, axis=1)

    def left_out_scores(self):
        """Score all metrics and models with each unit left out."""
        tables = self.tables.values()
        of_cells = [table.left_out_scores(self.counts) for table in tables]
        return np.stack(of_cells, axis=1)[self.cell_of_unit]

    @property
    def engine(self):
        """What is counted: cells of several units, or single units."""
        return "cells" if len(self.counts) < len(self.cell_of_unit) else "rows"


def lay_out(question):
    """Find the cells of a question.

    Parameters
    ----------
    question : Question
        What is asked.

    Returns
    -------
    Layout or None
        None if some metric needs to see the rows themselves.
    """
    statistics, units = question.statistics, question.units
    if not all(isinstance(s, CountedStatistic) for s in statistics.values()):
        return None
    keys = [key for statistic in statistics.values() for key in statistic.keys]
    grouped = units.groups is not None
    if not grouped and len(units.stratum_sizes) > 1:
        keys.append(units.stratum_of_unit)
    cell_of_row, rows = _cells(keys, units.n_rows)
    tables = {name: s.tabulate(rows) for name, s in statistics.items()}
    if grouped:
        membership = _membership(units.groups, cell_of_row)
        tables = {name: table.grouped(membership) for name, table in tables.items()}
        cell_of_row = rows = np.arange(len(units))
    layout = Layout(
        counts=np.bincount(cell_of_row, minlength=len(rows)),
        strata=units.stratum_of_unit[rows],
        cell_of_unit=cell_of_row,
        tables=tables,
    )
    return layout if _agrees(layout, statistics) else None


def _cells(keys, n_rows):
    """Return the cell of each row, and one row of each cell."""
    codes = joint_codes(keys)
    if codes is None:
        return np.arange(n_rows), np.arange(n_rows)
    rows = np.empty(codes.max() + 1, dtype=np.intp)
    rows[codes[::-1]] = np.arange(n_rows)[::-1]
    return codes, rows


def _membership(groups, cell_of_row):
    """Count how often each cell occurs in each group."""
    ones = np.ones(len(groups))
    return sparse.coo_array((ones, (groups, cell_of_row))).tocsr()


def _agrees(layout, statistics):
    """Return whether all tables give the scores that scikit-learn gave."""
    scores = layout.scores(layout.counts[np.newaxis])[0]
    observed = np.array([statistic.observed for statistic in statistics.values()])
    return np.allclose(scores, observed, rtol=1e-9, atol=1e-12)
