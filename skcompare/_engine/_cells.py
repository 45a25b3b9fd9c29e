"""Units of resampling, and cells: counts of units that metrics do not distinguish."""

import dataclasses
import functools

import numpy as np
from scipy import sparse

from skcompare._validation import codes_of

# If few of this number of evenly spaced rows are duplicates, few of all rows are.
N_PROBED = 1024
MIN_DUPLICATES = 0.02


class Units:
    """The units of resampling: single rows, or groups of rows.

    Units are numbered; `layout` lists them stratum by stratum.

    Parameters
    ----------
    n_rows : int
        The number of rows.
    groups : ndarray of shape (n_rows,) or None
        Rows with the same code form one unit. If None, each row is a unit.
    strata : ndarray of shape (n_rows,) or None
        The stratum of each row. All rows of a unit must be in the same stratum.

    Examples
    --------
    >>> units = Units(5, groups=np.array([0, 0, 1, 1, 2]))
    >>> len(units)
    3
    >>> units.rows(np.array([2, 0])).tolist()
    [4, 0, 1]
    """

    def __init__(self, n_rows, groups=None, strata=None):
        self.n_rows = n_rows
        self.groups = groups
        self.n_units = n_rows if groups is None else int(groups.max()) + 1
        if groups is not None:
            self._by_unit = np.argsort(groups, kind="stable")
            self._lengths = np.bincount(groups, minlength=self.n_units)
            self._starts = np.cumsum(self._lengths) - self._lengths
        if strata is None:
            strata = np.broadcast_to(np.intp(0), self.n_units)  # takes no memory
        elif groups is not None:
            first_rows = self._by_unit[self._starts]
            split = np.flatnonzero(strata != strata[first_rows][groups])
            if len(split):
                raise ValueError(
                    "`groups` must nest in `strata`: all rows of a group must be in "
                    "the same stratum. Got a group with rows in several strata: that "
                    f"of row {split[0]}. Pass strata that are constant within groups, "
                    "or omit one of the two."
                )
            strata = strata[first_rows]
        self.stratum_of_unit = strata
        self.stratum_sizes = np.bincount(strata)

    @functools.cached_property
    def layout(self):
        """The units, stratum by stratum."""
        return np.argsort(self.stratum_of_unit, kind="stable")

    def at(self, positions):
        """Return the units at these positions of the layout."""
        return positions if len(self.stratum_sizes) == 1 else self.layout[positions]

    def __len__(self):
        return self.n_units

    def rows(self, units):
        """Return the rows of the given units, unit by unit."""
        if self.groups is None:
            return units
        lengths = self._lengths[units]
        before = np.cumsum(lengths) - lengths
        shifts = np.repeat(self._starts[units] - before, lengths)
        return self._by_unit[shifts + np.arange(len(shifts))]

    def spread(self, values):
        """Return the value of its unit for each row."""
        return values if self.groups is None else values[..., self.groups]

    def containing(self, row_mask):
        """Return the units that contain at least one row of a mask."""
        rows = np.flatnonzero(row_mask)
        return rows if self.groups is None else np.unique(self.groups[rows])


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Cells:
    """The units and metrics of a problem, ready for resampling.

    If some metric requires rows, there are no tables and no cells.

    Parameters
    ----------
    units : Units
        The units of resampling.
    statistics : dict
        A `Statistic` for each metric, by name.
    engines : dict
        How each metric is computed on resamples, as a short label, by name.
    tables : dict or None
        A `Table` for each metric, by name, which maps counts of cells to scores.
    cell_of_unit : ndarray of shape (n_units,) or None
        The cell of each unit.
    counts : ndarray of shape (n_cells,) or None
        The number of units in each cell.
    strata : ndarray of shape (n_cells,) or None
        The stratum of each cell.
    """

    units: Units
    statistics: dict
    engines: dict
    tables: dict | None = None
    cell_of_unit: np.ndarray | None = None
    counts: np.ndarray | None = None
    strata: np.ndarray | None = None

    @property
    def add_up(self):
        """Whether all metrics are functions of sums over units."""
        return self.tables is not None and all(t.adds_up for t in self.tables.values())

    @functools.cached_property
    def by_cell(self):
        """The units, cell by cell, and the start of each cell."""
        cell = self.cell_of_unit
        if len(self.counts) < 2**16:
            cell = cell.astype(np.uint16)  # sorted much faster
        order = np.argsort(cell, kind="stable")
        return order, np.cumsum(self.counts) - self.counts

    def by_rows(self):
        """Return a copy without tables, so that metrics are called on rows."""
        engines = dict.fromkeys(self.statistics, "generic")
        return Cells(units=self.units, statistics=self.statistics, engines=engines)


def cells_of(units, statistics, *, alike=None):
    """Count the units of each cell, if all metrics can be computed from counts.

    Parameters
    ----------
    units : Units
        The units of resampling.
    statistics : dict
        A `Statistic` for each metric, by name.
    alike : dict, default=None
        The statistics that define the cells; by default, `statistics`. If these are the
        statistics of more models, all pairs of these models have the same cells, so
        that one seed gives all pairs the same resamples.

    Returns
    -------
    Cells
        With tables, if these reproduce the scores of scikit-learn on the sample.
    """
    generic = dict.fromkeys(statistics, "generic")
    by_rows = Cells(units=units, statistics=statistics, engines=generic)
    if not all(statistic.counted for statistic in statistics.values()):
        return by_rows
    keys = [key for one in (alike or statistics).values() for key in one.keys]
    if units.groups is None and len(units.stratum_sizes) > 1:
        keys.append(units.stratum_of_unit)
    cell_of_row = first_rows = codes = joint_codes(keys)  # valid if all rows differ
    n_cells = codes.max() + 1
    if n_cells < units.n_rows:
        # Cells are in the order of their first rows, so that one seed draws the same
        # counts if the two models are exchanged.
        first = np.empty(n_cells, dtype=np.intp)
        first[codes[::-1]] = np.arange(units.n_rows)[::-1]
        order = np.argsort(first)
        cell_of_row, first_rows = np.argsort(order)[codes], first[order]
    tables = {name: s.tabulate(first_rows) for name, s in statistics.items()}
    if None in tables.values():  # too large
        return by_rows
    if units.groups is None:
        cell_of_unit, strata = cell_of_row, units.stratum_of_unit[first_rows]
    else:
        # The count of each cell in each group. Each group is then one cell.
        cell_of_unit, strata = np.arange(units.n_units), units.stratum_of_unit
        ones = np.ones(units.n_rows)
        membership = sparse.coo_array((ones, (units.groups, cell_of_row))).tocsr()
        tables = {name: table.grouped(membership) for name, table in tables.items()}
    counts = np.bincount(cell_of_unit)
    for table, statistic in zip(tables.values(), statistics.values(), strict=True):
        if not statistic.are_observed(table.scores(counts[np.newaxis])[0]):
            return by_rows
    counted = "cells" if len(counts) < units.n_units else "rows"
    return Cells(
        units=units,
        statistics=statistics,
        engines={name: f"{s.engine}/{counted}" for name, s in statistics.items()},
        tables=tables,
        cell_of_unit=cell_of_unit,
        counts=counts,
        strata=strata,
    )


def joint_codes(keys):
    """Return codes of rows, equal for rows with equal keys.

    If hardly any rows are duplicates, each row has a code of its own.

    Parameters
    ----------
    keys : list of ndarray of shape (n,)
        The keys of the rows.

    Returns
    -------
    ndarray of shape (n,)
        The codes.

    Examples
    --------
    >>> joint_codes([np.array([0, 0, 1, 1]), np.array([5, 5, 5, 6])]).tolist()
    [0, 0, 1, 2]
    >>> joint_codes([np.array([0.5, 0.3, 0.7])]).tolist()
    [0, 1, 2]
    """
    n = len(keys[0])
    if n > N_PROBED:
        probed = np.linspace(0, n - 1, N_PROBED).astype(np.intp)
        if joint_codes([key[probed] for key in keys]).max() + 1 == N_PROBED:
            return np.arange(n)
    each = map(codes_of, keys)
    joint, _ = next(each)
    for codes, distinct in each:
        joint = codes_of(joint * len(distinct) + codes)[0]
    few_alike = joint.max(initial=-1) + 1 > (1 - MIN_DUPLICATES) * n
    return np.arange(n) if few_alike and n <= N_PROBED else joint
