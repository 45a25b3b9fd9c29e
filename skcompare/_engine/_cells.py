"""Units that are alike in all metrics, counted together."""

import dataclasses

import numpy as np
from scipy import sparse

from skcompare._engine._codes import joint_codes
from skcompare._engine._statistic import CountedStatistic
from skcompare._engine._units import Units


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Cells:
    """The units and metrics of a problem, ready for resampling.

    Where some metric must see rows, there are no tables, and every unit stands for
    itself.

    Parameters
    ----------
    units : Units
        What is redrawn.
    statistics : dict
        A `Statistic` for each metric, by name.
    tables : dict or None
        A `Table` for each metric, by name: from counts of cells to scores.
    cell_of_unit : ndarray of shape (n_units,) or None
        The cell of each unit.
    counts : ndarray of shape (n_cells,) or None
        The number of units in each cell.
    strata : ndarray of shape (n_cells,) or None
        The stratum of each cell.
    """

    units: Units
    statistics: dict
    tables: dict | None = None
    cell_of_unit: np.ndarray | None = None
    counts: np.ndarray | None = None
    strata: np.ndarray | None = None

    @property
    def add_up(self):
        """Whether all metrics are functions of sums over units."""
        return self.tables is not None and all(t.adds_up for t in self.tables.values())

    def by_rows(self):
        """Return the same units with metrics that are called on rows."""
        generic = {name: s.generic for name, s in self.statistics.items()}
        return Cells(units=self.units, statistics=generic)

    def engine(self, metric):
        """Return how a metric is computed on resamples, in a word."""
        if self.tables is None:
            return "generic"
        counted = "cells" if len(self.counts) < len(self.cell_of_unit) else "rows"
        return f"{self.statistics[metric].engine}/{counted}"


def cells_of(units, statistics, *, alike=None):
    """Count the units that are alike, if all metrics can be computed from counts.

    Parameters
    ----------
    units : Units
        What is redrawn.
    statistics : dict
        A `Statistic` for each metric, by name.
    alike : dict, default=None
        The statistics that say which units are alike; None takes these. With those of
        more models, pairs of them share their cells: one seed then redraws them alike.

    Returns
    -------
    Cells
        With tables, if these give the scores that scikit-learn gave on the sample.
    """
    if all(isinstance(s, CountedStatistic) for s in statistics.values()):
        cells = _counted(units, statistics, alike or statistics)
        if cells is not None and _agree(cells):
            return cells
    return Cells(units=units, statistics=statistics).by_rows()


def _counted(units, statistics, alike):
    keys = [key for statistic in alike.values() for key in statistic.keys]
    stratified = len(units.stratum_sizes) > 1
    if units.groups is None and stratified:
        keys.append(units.stratum_of_unit)
    cell_of_row, rows = _cells_of_rows(keys, units.n_rows)
    tables = {name: s.tabulate(rows) for name, s in statistics.items()}
    if None in tables.values():
        return None
    cell_of_unit = cell_of_row
    if units.groups is not None:
        # How often each cell occurs in each group; groups are then cells of their own.
        ones = np.ones(units.n_rows)
        membership = sparse.coo_array((ones, (units.groups, cell_of_row))).tocsr()
        tables = {name: table.grouped(membership) for name, table in tables.items()}
        cell_of_unit = np.arange(len(units))
    counts = np.bincount(cell_of_unit)
    strata = np.broadcast_to(np.intp(0), len(counts))
    if stratified:
        strata = strata.copy()
        strata[cell_of_unit] = units.stratum_of_unit
    return Cells(
        units=units,
        statistics=statistics,
        tables=tables,
        cell_of_unit=cell_of_unit,
        counts=counts,
        strata=strata,
    )


def _cells_of_rows(keys, n_rows):
    """Return the cell of each row, and one row of each cell."""
    codes = joint_codes(keys)
    if codes is None:
        return np.arange(n_rows), np.arange(n_rows)
    first = np.empty(codes.max() + 1, dtype=np.intp)
    first[codes[::-1]] = np.arange(n_rows)[::-1]
    # Cells are in the order of their first rows, whichever model is called A: then
    # the same seed draws the same counts.
    order = np.argsort(first)
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    return number[codes], first[order]


def _agree(cells):
    """Return whether all tables give the scores that scikit-learn gave."""
    everything = cells.counts[np.newaxis]
    return all(
        np.allclose(
            table.scores(everything)[0],
            cells.statistics[metric].observed,
            rtol=1e-9,
            atol=1e-12,
        )
        for metric, table in cells.tables.items()
    )
