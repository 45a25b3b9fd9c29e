"""Exchanging the answers of two models, unit by unit.

Each draw is an array of shape (2, n_rows): whose answer each of the two models gives.
Only units on which the models differ are exchanged; the others cannot matter.
"""

import numpy as np

from skcompare._engine._draw import RowScheme


class Swaps(RowScheme):
    """What random and exhaustive swapping share.

    Parameters
    ----------
    units : Units
        What is swapped as a whole.
    discordant : ndarray
        The units on which the two models differ.
    """

    def __init__(self, units, discordant):
        self.units = units
        self.discordant = discordant

    def _authors(self, swapped):
        of_unit = np.zeros(len(self.units), dtype=np.intp)
        of_unit[self.discordant] = swapped
        first = self.units.spread(of_unit)
        return np.stack([first, 1 - first])


class RandomSwaps(Swaps):
    """Swap each discordant unit with probability 1/2."""

    def blocks(self, start, size, rng):
        """Yield `size` random labellings."""
        for _ in range(size):
            yield self._authors(rng.integers(2, size=len(self.discordant)))


class AllLabellings:
    """Numbers the labellings in which the last discordant unit is not swapped.

    Labelling number i swaps the units whose bit is set in i. The other half of the
    labellings are the complements of these: they exchange the two models throughout.
    """

    @property
    def n_labellings(self):
        """The number of all labellings."""
        return 2**self.n_discordant

    @property
    def n_draws(self):
        """The number of labellings to go through."""
        return max(self.n_labellings // 2, 1)

    def labellings(self, numbers):
        """Return which units are swapped in the labellings of given numbers."""
        return (
            np.asarray(numbers)[..., np.newaxis] >> np.arange(self.n_discordant)
        ) & 1

    def with_complements(self, scores):
        """Add the scores under the other labellings; models are on the last axis."""
        return np.concatenate([scores, scores[..., ::-1]])[: self.n_labellings]


class AllSwaps(AllLabellings, Swaps):
    """Go through half of all labellings."""

    @property
    def n_discordant(self):
        """The number of units that are swapped."""
        return len(self.discordant)

    def blocks(self, start, size, rng):
        """Yield labellings number `start`, `start` + 1, ..."""
        for number in range(start, start + size):
            yield self._authors(self.labellings(number))
