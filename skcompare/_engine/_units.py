"""Which rows are redrawn together, and which strata keep their size."""

import functools

import numpy as np


class Units:
    """The units of resampling: single rows, or groups of rows.

    Units are numbered; `layout` lists them stratum by stratum.

    Parameters
    ----------
    n_rows : int
        The number of rows.
    groups : ndarray of shape (n_rows,) or None
        Rows with the same code are one unit. None makes every row a unit.
    strata : ndarray of shape (n_rows,) or None
        The stratum of each row. All rows of a unit must have the same.

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
        self._size = n_rows if groups is None else int(groups.max()) + 1
        if groups is not None:
            self._by_unit = np.argsort(groups, kind="stable")
            self._lengths = np.bincount(groups, minlength=self._size)
            self._starts = np.cumsum(self._lengths) - self._lengths
        self.stratum_of_unit = self._strata_of_units(strata)
        self.stratum_sizes = np.bincount(self.stratum_of_unit)

    @functools.cached_property
    def layout(self):
        """The units, stratum by stratum."""
        return np.argsort(self.stratum_of_unit, kind="stable")

    def at(self, positions):
        """Return the units at some positions of the layout."""
        return positions if len(self.stratum_sizes) == 1 else self.layout[positions]

    def __len__(self):
        return self._size

    def _strata_of_units(self, strata):
        if strata is None:
            return np.broadcast_to(np.intp(0), len(self))  # takes no memory
        if self.groups is None:
            return strata
        first_rows = self._by_unit[self._starts]
        split = np.flatnonzero(strata != strata[first_rows][self.groups])
        if len(split):
            raise ValueError(
                "`groups` must nest in `strata`: all rows of a group must be in the "
                f"same stratum. Got a group with rows in several: that of row "
                f"{split[0]}. Give strata that are constant within groups, or leave "
                "out one of the two."
            )
        return strata[first_rows]

    def rows(self, units):
        """Return the rows of the given units, one unit after the other."""
        if self.groups is None:
            return units
        lengths = self._lengths[units]
        ends = np.cumsum(lengths)
        within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(
            ends - lengths, lengths
        )
        return self._by_unit[np.repeat(self._starts[units], lengths) + within]

    def spread(self, values):
        """Give every row the value of its unit."""
        return values if self.groups is None else values[..., self.groups]

    def containing(self, row_mask):
        """Return the units that have at least one of the marked rows."""
        rows = np.flatnonzero(row_mask)
        return rows if self.groups is None else np.unique(self.groups[rows])
