"""Schemes that draw rows: with replacement, all but one, or whose predictions they get.

Each block is one draw. Swaps are arrays of shape (2, n_rows): whose prediction each of
two models gets. Only units on which the models differ are swapped; the others cannot
matter.
"""

import numpy as np
from scipy import sparse


class RowScheme:
    """A scheme whose blocks are single draws, made of row numbers.

    Parameters
    ----------
    units : Units
        What to draw, leave out, swap or weigh.

    Attributes
    ----------
    chunk_size : int
        The number of draws that share a generator. It is fixed, so that the numbers
        depend on the seed alone: chunk i always has the same generator, whoever works
        on it. It is small, so that few slow draws still spread evenly over workers.
    """

    chunk_size = 16

    def __init__(self, units):
        self.units = units

    def blocks(self, start, size, rng):
        """Yield draws number `start`, `start` + 1, ..."""
        for number in range(start, start + size):
            yield self.draw(number, rng)


class Bootstrap(RowScheme):
    """Draw as many units as there are, with replacement, within each stratum."""

    def draw(self, number, rng):
        """Return the rows of a resample."""
        return self._rows(self._positions(rng))

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

    def draw(self, number, rng):
        """Return the rows of a resample, then those of `n_inner` resamples of it."""
        outer = self._positions(rng)
        # A draw keeps the strata in their places, so positions can be redrawn.
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
        What is swapped as a whole.
    discordant : ndarray
        The units on which the two models differ.
    """

    def __init__(self, units, discordant):
        super().__init__(units)
        self.discordant, self.n_discordant = discordant, len(discordant)

    def draw(self, number, rng):
        """Return whose prediction each model gets, by a random labeling."""
        return self._authors(rng.integers(2, size=self.n_discordant))

    def _authors(self, swapped):
        of_unit = np.zeros(self.units.n_units, dtype=np.intp)
        of_unit[self.discordant] = swapped
        first = self.units.spread(of_unit)
        return np.stack([first, 1 - first])


class AllLabelings:
    """Numbers the labelings in which the last discordant unit is not swapped.

    Labeling number i swaps the units whose bit is set in i. The other half of the
    labelings are the complements of these: they exchange the two models throughout.
    """

    @property
    def n_labelings(self):
        """The number of all labelings."""
        return 2**self.n_discordant

    @property
    def n_draws(self):
        """The number of labelings to go through."""
        return max(self.n_labelings // 2, 1)

    def labelings(self, numbers):
        """Return which units are swapped in the labelings of given numbers."""
        return (
            np.asarray(numbers)[..., np.newaxis] >> np.arange(self.n_discordant)
        ) & 1

    def with_complements(self, scores):
        """Add the scores under the other labelings.

        Models are on the last axis; standard errors of their difference may follow.
        """
        mirrored = np.concatenate([scores[..., 1::-1], scores[..., 2:]], axis=-1)
        return np.concatenate([scores, mirrored])[: self.n_labelings]


class AllSwaps(AllLabelings, RandomSwaps):
    """Go through half of all labelings."""

    def draw(self, number, rng):
        """Return whose prediction each model gets, by the labeling of that number."""
        return self._authors(self.labelings(number))


class RowWeights(RowScheme):
    """Draw Dirichlet weights of units, and give each row that of its unit."""

    def draw(self, number, rng):
        """Return weights of rows."""
        units = self.units
        drawn = rng.standard_exponential((1, units.n_units))
        weights = normalized(drawn, units.stratum_of_unit, units.stratum_sizes)
        return units.spread(weights[0])


def normalized(drawn, strata, totals):
    """Scale draws so that those of each stratum sum to its total.

    Parameters
    ----------
    drawn : ndarray of shape (n_draws, n)
        Positive numbers.
    strata : ndarray of shape (n,)
        The stratum of each column, from 0.
    totals : ndarray of shape (n_strata,)
        What to scale to.

    Returns
    -------
    ndarray of shape (n_draws, n)
        Weights.

    Examples
    --------
    >>> drawn = np.array([[1.0, 3.0, 5.0]])
    >>> normalized(drawn, np.array([0, 0, 1]), np.array([2.0, 1.0])).tolist()
    [[0.5, 1.5, 1.0]]
    """
    if len(totals) == 1:
        return drawn * (totals[0] / drawn.sum(axis=1, keepdims=True))
    n = len(strata)
    member_of = sparse.csc_array((np.ones(n), strata, np.arange(n + 1)))
    sums = (member_of @ drawn.T).T
    return drawn * (totals / sums)[:, strata]
