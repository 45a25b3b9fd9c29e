"""Redrawing counts: how often each cell of units that are alike occurs in a resample.

Drawing n units with replacement and counting them by cells is one multinomial draw;
swapping each unit of a cell of size c with probability 1/2 is one binomial draw. So the
cost of a resample is that of its cells, however many units there are.

The Bayesian bootstrap (Rubin, 1981) weighs units at random. A posterior of how frequent
each kind of row is in the population gives the n units of a sample Dirichlet weights
with parameters 1. The weights of units that are alike add up, to Dirichlet weights with
the counts as parameters. And Dirichlet weights are gamma variables, with those
parameters as shapes, over their sum.
"""

import numpy as np

from skcompare._engine._row_schemes import AllLabelings, normalized

# Blocks of draws that a core's cache holds, and chunks of them worth a task.
BLOCK_ELEMENTS = 2**17
CHUNK_ELEMENTS = 2**22

# Sixteen megabytes of random bits at a time.
PACKED_BITS = 2**27

# Fewer units than this are counted for many resamples in one call.
FEW_UNITS = 1_000

# More units are drawn so many at a time: the memory for twice as many costs more.
UNITS_AT_A_TIME = 2**15

# A binomial draw costs about as much as drawing and counting so many single units.
HEAVY_CELL = 24


class CountScheme:
    """What schemes that draw counts share: sizes of chunks and blocks.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.

    Attributes
    ----------
    chunk_size : int
        The number of resamples that share a generator.
    block_size : int
        The number of resamples in a block, at most.
    in_order : bool
        Whether the first resamples of a chunk are the same, however many follow.
    """

    in_order = False

    def __init__(self, counts):
        self.counts = counts
        self.chunk_size = max(16, min(CHUNK_ELEMENTS // len(counts), 1024))
        self.block_size = max(1, BLOCK_ELEMENTS // len(counts))

    def blocks(self, start, size, rng):
        """Yield arrays of counts, one row per resample."""
        for done in range(0, size, self.block_size):
            yield self.block(min(self.block_size, size - done), rng)


class CellBootstrap(CountScheme):
    """Draw as many units as there are, with replacement, within each stratum.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    strata : ndarray of shape (n_cells,) or None, default=None
        The stratum of each cell, from 0.
    """

    def __init__(self, counts, strata=None):
        super().__init__(counts)
        if strata is None or not strata.any():
            self._strata = [(slice(None), StratumSampler(counts))]
        else:
            places = [np.flatnonzero(strata == s) for s in range(strata.max() + 1)]
            self._strata = [(cells, StratumSampler(counts[cells])) for cells in places]
        heavy = counts > HEAVY_CELL
        self.in_order = len(self._strata) == 1 and (heavy.all() or not heavy.any())

    def block(self, size, rng):
        """Return counts of shape (size, n_cells)."""
        if len(self._strata) == 1:
            return self._strata[0][1].draw(size, rng)
        drawn = np.empty((size, len(self.counts)), dtype=np.int64)
        for cells, sampler in self._strata:
            drawn[:, cells] = sampler.draw(size, rng)
        return drawn


class StratumSampler:
    """Multinomial counts of cells, heavy cells by binomials and light ones by units.

    The number of draws that fall on light cells is binomial; given it, the light draws
    are single units and the others multinomial over the heavy cells. So the counts
    are multinomial over all cells, exactly.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    """

    def __init__(self, counts):
        self.counts, self.total = counts, int(counts.sum())
        self._heavy = np.flatnonzero(counts > HEAVY_CELL)
        self._light = np.flatnonzero(counts <= HEAVY_CELL)
        # From the largest on, so that little is left to draw for the many small ones.
        self._heavy = self._heavy[np.argsort(-counts[self._heavy], kind="stable")]
        self._n_light = int(counts[self._light].sum())
        self._cell_of_unit = None  # every unit is a cell of its own
        if not (counts[self._light] == 1).all():
            cells = np.arange(len(self._light))
            self._cell_of_unit = np.repeat(cells, counts[self._light])

    def draw(self, size, rng):
        """Return counts of shape (size, n_cells)."""
        if not len(self._heavy):
            return self._draw_light(np.full(size, self.total), rng)
        n_light = np.zeros(size, dtype=np.int64)
        if len(self._light):
            n_light = rng.binomial(self.total, self._n_light / self.total, size=size)
        drawn = np.empty((size, len(self.counts)), dtype=np.int64)
        sizes = self.counts[self._heavy]
        drawn[:, self._heavy] = rng.multinomial(
            self.total - n_light, sizes / sizes.sum()
        )
        if len(self._light):
            drawn[:, self._light] = self._draw_light(n_light, rng)
        return drawn

    def _draw_light(self, n, rng):
        """Draw `n` single units for each resample and count them by cells."""
        n_cells = len(self._light)
        if self._n_light <= FEW_UNITS:  # all resamples at once
            cells = self._cells_of_units(n, rng)
            cells += np.repeat(np.arange(len(n)) * n_cells, n)
            counts = np.bincount(cells, minlength=len(n) * n_cells)
            return counts.reshape(len(n), n_cells)
        counts = np.empty((len(n), n_cells))  # floats, as products want them
        step = max(1, UNITS_AT_A_TIME // self._n_light)
        for first in range(0, len(n), step):
            sizes = n[first : first + step]
            cells, ends = self._cells_of_units(sizes, rng), np.cumsum(sizes)
            rows = zip(counts[first : first + step], ends - sizes, ends, strict=True)
            for row, start, end in rows:
                row[:] = np.bincount(cells[start:end], minlength=n_cells)
        return counts

    def _cells_of_units(self, n, rng):
        """Draw single units, `n` for each resample, and return their cells."""
        cells = rng.integers(self._n_light, size=int(n.sum()))
        return cells if self._cell_of_unit is None else self._cell_of_unit[cells]


class NestedCellBootstrap(CellBootstrap):
    """Bootstrap resamples, each with resamples of its own for its standard error.

    Each draw is a list of one array: the counts of the resample, then those of
    `n_inner` resamples of it.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    strata : ndarray of shape (n_cells,) or None
        The stratum of each cell, from 0.
    n_inner : int
        How often each resample is resampled.
    """

    def __init__(self, counts, strata, n_inner):
        super().__init__(counts, strata)
        self._stratum_of_cell, self._n_inner = strata, n_inner

    def blocks(self, start, size, rng):
        """Yield `size` resamples with their own resamples."""
        for _ in range(size):
            outer = self.block(1, rng).astype(np.int64)
            inner = CellBootstrap(outer[0], self._stratum_of_cell)
            yield [np.concatenate([outer, inner.block(self._n_inner, rng)])]


class CellSwaps(CountScheme):
    """Swap each unit with probability 1/2; count the swapped ones of each cell.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    discordant : ndarray of shape (n_cells,)
        Which cells to swap; the others cannot matter.
    """

    def __init__(self, counts, discordant):
        super().__init__(counts)
        bits = hasattr(np, "bitwise_count")  # NumPy 2
        by_bits = discordant & (counts <= 64) & bits
        self._few, self._many = (
            np.flatnonzero(by_bits),
            np.flatnonzero(discordant & ~by_bits),
        )
        self.in_order = not (len(self._few) and len(self._many))
        # As many random bits as the cell has units: each says whether one is swapped.
        self._mask = np.uint64(2**64 - 1) >> (64 - counts[self._few]).astype(np.uint64)

    def block(self, size, rng):
        """Return how many units of each cell are swapped."""
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


class AllCellSwaps(AllLabelings, CountScheme):
    """Go through half of all labelings, counting the swapped units of each cell.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    cell_of_discordant : ndarray
        The cell of each unit that is swapped.
    """

    def __init__(self, counts, cell_of_discordant):
        super().__init__(counts)
        self.n_discordant = len(cell_of_discordant)
        self._cells = cell_of_discordant

    def blocks(self, start, size, rng):
        """Yield labelings number `start` and following."""
        for first in range(start, start + size, self.block_size):
            numbers = np.arange(first, min(first + self.block_size, start + size))
            swapped = np.zeros((len(numbers), len(self.counts)), dtype=np.int64)
            for cell, bits in zip(self._cells, self.labelings(numbers).T, strict=True):
                swapped[:, cell] += bits
            yield swapped


class PackedSwaps:
    """Swap each of many single units with probability 1/2: a bit each.

    A block has shape (ceil(n_units / 8), n_resamples), eight units to a byte.

    Parameters
    ----------
    n_units : int
        The number of units to swap.
    """

    in_order = False

    def __init__(self, n_units):
        self.n_units = n_units

    @property
    def chunk_size(self):
        """The number of resamples that share a generator."""
        return max(64, min(PACKED_BITS // self.n_units, 1024))

    def blocks(self, start, size, rng):
        """Yield all resamples of the chunk at once."""
        n_bytes = -(-self.n_units // 8)
        yield np.frombuffer(rng.bytes(n_bytes * size), np.uint8).reshape(n_bytes, size)


class GammaDraws(CountScheme):
    """Draw independent gamma variables.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        Their shapes; the scale is 1.
    """

    in_order = True

    def block(self, size, rng):
        """Return draws of shape (size, n_cells)."""
        shape = (size, len(self.counts))
        if (self.counts == 1).all():  # as of rows that differ: in half the time
            return rng.standard_exponential(shape)
        return rng.standard_gamma(self.counts, shape)


class CellWeights(GammaDraws):
    """Draw Dirichlet weights of cells; those of a stratum sum to its size.

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
