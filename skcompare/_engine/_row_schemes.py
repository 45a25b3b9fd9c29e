"""Drawing units with replacement, or leaving one out, as arrays of row numbers."""

import numpy as np

from skcompare._engine._draw import RowScheme


class Bootstrap(RowScheme):
    """Draw as many units as there are, with replacement, within each stratum.

    Each draw is an array of row numbers.

    Parameters
    ----------
    units : Units
        What to draw.
    """

    def __init__(self, units):
        self.units = units

    def blocks(self, start, size, rng):
        """Yield `size` resamples."""
        for _ in range(size):
            yield self._rows(self._positions(rng))

    def _positions(self, rng):
        """Draw positions in the layout: each stratum draws from its own stretch."""
        sizes = self.units.stratum_sizes
        if len(sizes) == 1:
            return rng.integers(sizes[0], size=sizes[0])
        offsets = np.repeat(np.cumsum(sizes) - sizes, sizes)
        return offsets + rng.integers(np.repeat(sizes, sizes))

    def _rows(self, positions):
        return self.units.rows(self.units.at(positions))


class NestedBootstrap(Bootstrap):
    """Bootstrap resamples, each with resamples of its own for its standard error.

    Each draw is a list: the rows of the resample, then those of `n_inner` bootstrap
    resamples drawn from it.

    Parameters
    ----------
    units : Units
        What to draw.
    n_inner : int
        How often each resample is resampled.
    """

    def __init__(self, units, n_inner):
        super().__init__(units)
        self.n_inner = n_inner

    def blocks(self, start, size, rng):
        """Yield `size` resamples with their own resamples."""
        for _ in range(size):
            outer = self._positions(rng)
            # A draw keeps the strata in their places, so positions can be redrawn.
            inner = [outer[self._positions(rng)] for _ in range(self.n_inner)]
            yield [self._rows(positions) for positions in (outer, *inner)]


class Jackknife(RowScheme):
    """Leave out one unit at a time; each draw is an array of row numbers.

    Parameters
    ----------
    units : Units
        What to leave out.
    """

    def __init__(self, units):
        self.units = units

    def blocks(self, start, size, rng):
        """Yield the resamples that lack unit `start`, `start` + 1, ..."""
        everyone = np.arange(len(self.units))
        for unit in range(start, start + size):
            yield self.units.rows(np.delete(everyone, unit))
