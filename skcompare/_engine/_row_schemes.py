"""Schemes that draw rows, for metrics that must be called on the rows of each resample.

Each block is one draw. Swaps are arrays of shape (2, n_rows) with the number of the
model whose prediction each of two models gets. Only units on which the models differ
are swapped; swapping others has no effect.
"""

import numpy as np

from skcompare._engine._cell_schemes import AllLabelings, normalized


class RowScheme:
    """Base class of schemes whose blocks are single draws of rows.

    Parameters
    ----------
    units : Units
        The units to draw, leave out, swap or weight.

    Attributes
    ----------
    chunk_size : int
        The number of draws that share a generator. It is fixed, so that results depend
        on the seed only: chunk i has the same generator on every worker. It is small,
        so that a few slow draws are still spread evenly over workers.
    """

    chunk_size = 16

    def __init__(self, units):
        self.units = units

    def blocks(self, start, size, rng):
        """Yield draws number `start`, `start` + 1, ..."""
        for number in range(start, start + size):
            yield self.draw(number, rng)


class Bootstrap(RowScheme):
    """Resample all units with replacement within each stratum."""

    def draw(self, number, rng):
        """Return the rows of a resample."""
        return self._rows(self._positions(rng))

    def _positions(self, rng):
        """Draw positions in the layout, from its own range in each stratum."""
        sizes = self.units.stratum_sizes
        if len(sizes) == 1:
            return rng.integers(sizes[0], size=sizes[0])
        offsets = np.repeat(np.cumsum(sizes) - sizes, sizes)
        return offsets + rng.integers(np.repeat(sizes, sizes))

    def _rows(self, positions):
        return self.units.rows(self.units.at(positions))


class NestedBootstrap(Bootstrap):
    """Nested bootstrap: resample each resample to estimate its standard error.

    Parameters
    ----------
    units : Units
        The units to draw.
    n_inner : int
        The number of inner resamples per resample.
    """

    def __init__(self, units, n_inner):
        super().__init__(units)
        self.n_inner = n_inner

    def draw(self, number, rng):
        """Return the rows of a resample, then those of its inner resamples."""
        outer = self._positions(rng)
        # Draws keep strata at the same positions, so positions can be resampled.
        inner = [outer[self._positions(rng)] for _ in range(self.n_inner)]
        return [self._rows(positions) for positions in (outer, *inner)]


class Jackknife(RowScheme):
    """Leave out one unit at a time."""

    def draw(self, number, rng):
        """Return the rows of all units but one."""
        return self.units.rows(np.delete(np.arange(self.units.n_units), number))


class RandomSwaps(RowScheme):
    """Swap each discordant unit with probability 1/2.

    Parameters
    ----------
    units : Units
        The units to swap.
    discordant : ndarray
        The units on which the two models differ.
    """

    def __init__(self, units, discordant):
        super().__init__(units)
        self.discordant, self.n_discordant = discordant, len(discordant)

    def draw(self, number, rng):
        """Return the model whose prediction each model gets, by a random labeling."""
        return self._authors(rng.integers(2, size=self.n_discordant))

    def _authors(self, swapped):
        of_unit = np.zeros(self.units.n_units, dtype=np.intp)
        of_unit[self.discordant] = swapped
        first = self.units.spread(of_unit)
        return np.stack([first, 1 - first])


class AllSwaps(AllLabelings, RandomSwaps):
    """Enumerate half of all labelings."""

    def draw(self, number, rng):
        """Return the model whose prediction each model gets, by labeling `number`."""
        return self._authors(self.labelings(number))


class RowWeights(RowScheme):
    """Draw Dirichlet weights of units; each row gets the weight of its unit."""

    def draw(self, number, rng):
        """Return weights of rows."""
        units = self.units
        drawn = rng.standard_exponential((1, units.n_units))
        weights = normalized(drawn, units.stratum_of_unit, units.stratum_sizes)
        return units.spread(weights[0])
