"""Resampling schemes: draw counts of cells of interchangeable units, or draw rows.

Drawing n units with replacement and counting them by cell is one multinomial draw;
swapping each unit of a cell of size c with probability 1/2 is one binomial draw. The
cost of a resample therefore depends on the number of cells, not on the number of units.

The Bayesian bootstrap (Rubin, 1981) weights units at random. The posterior of the
frequencies of rows in the population gives the n units of a sample Dirichlet weights
with parameters 1. The weights of interchangeable units add up to Dirichlet weights with
the counts as parameters. Dirichlet weights are gamma variables, with those parameters
as shapes, divided by their sum.

If a metric requires rows, each block is one draw of rows. Swaps are then arrays of
shape (2, n_rows) with the number of the model whose prediction each of two models gets.
Only units on which the models differ are swapped; swapping others has no effect.
"""

import numpy as np
from scipy import sparse

from skcompare._engine._multinomial import Multinomial, counts_of_units, rate_of_units

# Number of elements in a block, which fits in the cache, and in a chunk, one task.
BLOCK_ELEMENTS = 2**19
CHUNK_ELEMENTS = 2**22

# Number of random bits per chunk: sixteen megabytes.
PACKED_BITS = 2**27

# Number of single units that cost about as much to draw and count as a binomial draw.
HEAVY_CELL = 32


class CountScheme:
    """Base class of schemes that draw counts: sizes of chunks and blocks.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.

    Attributes
    ----------
    chunk_size : int
        The number of resamples that share a generator.
    block_size : int
        The largest number of resamples in a block.
    """

    def __init__(self, counts):
        self.counts = counts
        self.chunk_size = max(16, min(CHUNK_ELEMENTS // len(counts), 1024))
        self.block_size = max(1, BLOCK_ELEMENTS // len(counts))

    def blocks(self, start, size, rng):
        """Yield arrays of counts, one row per resample."""
        for done in range(0, size, self.block_size):
            yield self.block(min(self.block_size, size - done), rng)


class CellBootstrap(CountScheme):
    """Resample all units with replacement within each stratum.

    Counts of the heavy cells and of all light cells together are multinomial. Given
    their number, draws from light cells are draws of single units. This is exactly
    multinomial over all cells.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    strata : ndarray of shape (n_cells,) or None, default=None
        The stratum of each cell, from 0.
    """

    def __init__(self, counts, strata=None):
        super().__init__(counts)
        if strata is None:
            strata = np.zeros(len(counts), dtype=np.intp)
        self._strata = [
            Stratum(counts, np.flatnonzero(strata == s))
            for s in range(strata.max() + 1)
        ]

    def blocks(self, start, size, rng):
        """Yield arrays of counts, as floats for matrix products."""
        groups = [stratum.groups.counts(size, rng) for stratum in self._strata]
        for done in range(0, size, self.block_size):
            end = done + self.block_size
            yield self._block([drawn[:, done:end] for drawn in groups], rng)

    def _block(self, groups, rng):
        first, n_cells = self._strata[0], len(self.counts)
        if len(first.light) == n_cells:
            return first.light_counts(groups[0][-1], rng)
        drawn = np.zeros((len(groups[0].T), n_cells))
        for stratum, counts in zip(self._strata, groups, strict=True):
            drawn[:, stratum.heavy] = counts[: len(stratum.heavy)].T
            if len(stratum.light):
                drawn[:, stratum.light] = stratum.light_counts(counts[-1], rng)
        return drawn


class Stratum:
    """The cells of a stratum.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell, of any stratum.
    cells : ndarray of int
        The cells of the stratum.

    Attributes
    ----------
    heavy, light : ndarray of int
        The cells with more than `HEAVY_CELL` units, and those with fewer.
    groups : Multinomial
        The heavy cells, then all light cells together, if there are any.
    """

    def __init__(self, counts, cells):
        sizes = counts[cells]
        self.heavy = cells[sizes > HEAVY_CELL]
        self.light = cells[(sizes > 0) & (sizes <= HEAVY_CELL)]
        self._sizes = counts[self.light]
        self._n_units, total = int(self._sizes.sum()), int(sizes.sum())
        groups = counts[self.heavy]
        if len(self.light):
            groups = np.append(groups, self._n_units)
        self.groups = Multinomial(groups)
        spread = np.sqrt(self._n_units * (1 - self._n_units / total))
        self._rate = rate_of_units(max(1, self._n_units), self._n_units - 6 * spread)

    def light_counts(self, n_draws, rng):
        """Return counts of light cells for the number of draws of each resample."""
        counts = counts_of_units(n_draws, self._n_units, self._rate, rng)
        if len(self.light) == self._n_units:
            return counts
        return np.add.reduceat(counts, np.cumsum(self._sizes) - self._sizes, axis=1)


class NestedCellBootstrap(CellBootstrap):
    """Nested bootstrap: resample each resample to estimate its standard error.

    Each draw is a list of one array: the counts of the resample, then the counts of
    `n_inner` resamples drawn from it.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    strata : ndarray of shape (n_cells,) or None
        The stratum of each cell, from 0.
    n_inner : int
        The number of inner resamples per resample.
    """

    def __init__(self, counts, strata, n_inner):
        super().__init__(counts, strata)
        self._stratum_of_cell, self._n_inner = strata, n_inner

    def blocks(self, start, size, rng):
        """Yield `size` resamples, each followed by its inner resamples."""
        for _ in range(size):
            (outer,) = super().blocks(start, 1, rng)
            inner = CellBootstrap(outer[0].astype(np.int64), self._stratum_of_cell)
            yield [np.concatenate([outer, *inner.blocks(0, self._n_inner, rng)])]


class CellSwaps(CountScheme):
    """Swap each unit with probability 1/2; count the swapped units of each cell.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    cells : ndarray
        The cells to swap; swapping others has no effect.
    """

    def __init__(self, counts, cells):
        super().__init__(counts)
        by_bits = counts[cells] <= 64
        self._few, self._many = cells[by_bits], cells[~by_bits]
        # One random bit per unit of a cell, set if the unit is swapped.
        self._mask = np.uint64(2**64 - 1) >> (64 - counts[self._few]).astype(np.uint64)

    def block(self, size, rng):
        """Return the number of swapped units of each cell."""
        swapped = np.zeros((size, len(self.counts)), dtype=np.int64)
        if len(self._few):
            words = rng.integers(
                2**64 - 1, size=(size, len(self._few)), dtype=np.uint64, endpoint=True
            )
            swapped[:, self._few] = np.bitwise_count(words & self._mask)
        if len(self._many):
            n_units = self.counts[self._many]
            swapped[:, self._many] = rng.binomial(
                n_units, 0.5, size=(size, len(n_units))
            )
        return swapped


class AllLabelings:
    """Enumeration of the labelings in which the last discordant unit is not swapped.

    Labeling number i swaps the units whose bit is set in i. The other half of the
    labelings are the complements of the first half, with the two models exchanged.
    """

    @property
    def n_labelings(self):
        """The number of all labelings."""
        return 2**self.n_discordant

    @property
    def n_draws(self):
        """The number of labelings to enumerate."""
        return max(self.n_labelings // 2, 1)

    def labelings(self, numbers):
        """Return which units are swapped in the labelings with these numbers."""
        return (
            np.asarray(numbers)[..., np.newaxis] >> np.arange(self.n_discordant)
        ) & 1

    def with_complements(self, scores):
        """Append the scores under the complementary labelings.

        Models are on the last axis, optionally followed by standard errors of their
        difference.
        """
        mirrored = np.concatenate([scores[..., 1::-1], scores[..., 2:]], axis=-1)
        return np.concatenate([scores, mirrored])[: self.n_labelings]


class AllCellSwaps(AllLabelings, CountScheme):
    """Enumerate half of all labelings; count the swapped units of each cell.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    cell_of_discordant : ndarray
        The cell of each discordant unit.
    """

    def __init__(self, counts, cell_of_discordant):
        super().__init__(counts)
        self.n_discordant = len(cell_of_discordant)
        self._cells = cell_of_discordant

    def blocks(self, start, size, rng):
        """Yield labelings number `start`, `start` + 1, ..."""
        for first in range(start, start + size, self.block_size):
            numbers = np.arange(first, min(first + self.block_size, start + size))
            swapped = np.zeros((len(numbers), len(self.counts)), dtype=np.int64)
            for cell, bits in zip(self._cells, self.labelings(numbers).T, strict=True):
                swapped[:, cell] += bits
            yield swapped


class PackedSwaps:
    """Swap each of many single units with probability 1/2, using one bit per unit.

    A block has shape (ceil(n_units / 8), n_resamples), eight units to a byte.

    Parameters
    ----------
    n_units : int
        The number of units to swap.
    """

    def __init__(self, n_units):
        self.n_units = n_units
        self.chunk_size = max(64, min(PACKED_BITS // n_units, 1024))

    def blocks(self, start, size, rng):
        """Yield all resamples of the chunk at once."""
        n_bytes = -(-self.n_units // 8)
        yield np.frombuffer(rng.bytes(n_bytes * size), np.uint8).reshape(n_bytes, size)


class GammaDraws(CountScheme):
    """Draw independent gamma variables.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The shape parameters; the scale is 1.
    """

    def block(self, size, rng):
        """Return draws of shape (size, n_cells)."""
        shape = (size, len(self.counts))
        if (self.counts == 1).all():  # such as rows that all differ: twice as fast
            return rng.standard_exponential(shape)
        return rng.standard_gamma(self.counts, shape)


class CellWeights(GammaDraws):
    """Draw Dirichlet weights of cells that sum to the size of each stratum.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    strata : ndarray of shape (n_cells,)
        The stratum of each cell, from 0.
    """

    def __init__(self, counts, strata):
        super().__init__(counts)
        self._strata, self._totals = strata, np.bincount(strata, weights=counts)

    def block(self, size, rng):
        """Return weights of shape (size, n_cells)."""
        return normalized(super().block(size, rng), self._strata, self._totals)


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


def normalized(drawn, strata, totals):
    """Scale draws so that they sum to the given total in each stratum.

    Parameters
    ----------
    drawn : ndarray of shape (n_draws, n)
        Positive numbers.
    strata : ndarray of shape (n,)
        The stratum of each column, from 0.
    totals : ndarray of shape (n_strata,)
        The required sum of each stratum.

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
