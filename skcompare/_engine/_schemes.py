"""Resampling schemes: draw counts of cells of interchangeable units, or draw rows.

Drawing n units with replacement and counting them by cell is one multinomial draw;
swapping each unit of a cell of size c with probability 1/2 is one binomial draw. The
cost of a resample therefore depends on the number of cells, not on the number of units.
Units that all differ get Poisson counts, which are then adjusted to the required sum.

The Bayesian bootstrap (Rubin, 1981) weights units at random. The posterior of the
frequencies of rows in the population gives the n units of a sample Dirichlet weights
with parameters 1. The weights of interchangeable units add up to Dirichlet weights with
the counts as parameters. Dirichlet weights are gamma variables, with those parameters
as shapes, divided by their sum.

If a metric requires rows, each block is one draw of rows. Swaps are then arrays of
shape (2, n_rows) with the number of the model whose prediction each of two models gets.
Only units on which the models differ are swapped; swapping others has no effect.
"""

import functools

import numpy as np
from scipy import sparse
from scipy.stats import poisson

# Number of elements in a block, which fits in the cache, and in a chunk, one task.
BLOCK_ELEMENTS = 2**19
CHUNK_ELEMENTS = 2**22

# Number of random bits per chunk: sixteen megabytes.
PACKED_BITS = 2**27

# Number of single units that cost about as much to draw and count as a binomial draw.
HEAVY_CELL = 32

# Counts of single units are looked up four at a time, by 16 random bits. Entries that
# do not determine the counts, one in a hundred, are marked as undecided.
TABLE_SIZE, UNDECIDED = 2**16, np.uint32(2**32 - 1)
MAX_COUNT = 16  # fewer than one in 1e13 Poisson counts are larger
MIN_PROBABILITY = 1e-17  # fewer than one in 1e12 quadruples of counts are left out

# Number of 64-bit words drawn per batch, for the units of one or several resamples.
WORDS_PER_BATCH = 2**14

# Standard deviations by which the expected sum of looked-up counts falls short of the
# number of draws.
SHORTFALL = 3.0
N_RATES = 256


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
    sequential : bool
        Whether draws are independent of the number of draws that follow in a block.
    """

    sequential = False

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

    Counts are multinomial. The number of draws from light cells is binomial.
    Conditional on it, draws from light cells are draws of single units, and the others
    are multinomial over the heavy cells. This is exactly multinomial over all cells.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    strata : ndarray of shape (n_cells,) or None, default=None
        The stratum of each cell, from 0.
    """

    def __init__(self, counts, strata=None):
        super().__init__(counts)
        self._strata = []
        if strata is not None and strata.any():
            places = [np.flatnonzero(strata == s) for s in range(strata.max() + 1)]
            self._strata = [(cells, CellBootstrap(counts[cells])) for cells in places]
            return
        self.total = int(counts.sum())
        self._heavy = np.flatnonzero(counts > HEAVY_CELL)
        self._light = np.flatnonzero((counts > 0) & (counts <= HEAVY_CELL))
        self.sequential = not len(self._light)
        # Largest first, so that few draws remain for the many small cells.
        self._heavy = self._heavy[np.argsort(-counts[self._heavy], kind="stable")]
        sizes = counts[self._light]
        self._starts = None if (sizes == 1).all() else np.cumsum(sizes) - sizes
        self._n_units = int(sizes.sum())
        self._share = self._n_units / self.total
        spread = np.sqrt(self.total * self._share * (1 - self._share))
        fewest = max(0.0, self.total * self._share - 6 * spread)
        expected = max(0.0, fewest - SHORTFALL * np.sqrt(fewest))
        self._rate = int(N_RATES * expected / max(1, self._n_units))

    def block(self, size, rng):
        """Return counts of shape (size, n_cells), as floats for matrix products."""
        shape = (size, len(self.counts))
        if self._strata:
            drawn = np.empty(shape)
            for cells, stratum in self._strata:
                drawn[:, cells] = stratum.block(size, rng)
            return drawn
        n_light = np.full(size, 0 if len(self._heavy) else self.total)
        if len(self._light) == len(self.counts):
            return self._of_units(n_light, rng)
        drawn = np.zeros(shape)
        if len(self._heavy):
            if len(self._light):
                n_light = rng.binomial(self.total, self._share, size=size)
            sizes = self.counts[self._heavy]
            drawn[:, self._heavy] = rng.multinomial(
                self.total - n_light, sizes / sizes.sum()
            )
        if len(self._light):
            drawn[:, self._light] = self._of_units(n_light, rng)
        return drawn

    def _of_units(self, n_draws, rng):
        """Return counts of light cells for the number of draws of each resample.

        Independent Poisson counts of equal rates are multinomial conditional on their
        sum. So units get Poisson counts whose sum is slightly smaller than the number
        of draws, and the missing units are drawn one by one: the counts are exactly
        multinomial. Counts whose sum is larger by chance are drawn again.
        (`benchmarks/tricks.py` measures the speedup.)
        """
        n_units = self._n_units
        counts = poisson_counts(self._rate, (len(n_draws), n_units), rng)
        ones = np.ones(n_units)
        missing = n_draws - counts @ ones  # faster than a sum
        while (missing < 0).any():
            again = np.flatnonzero(missing < 0)
            counts[again] = poisson_counts(self._rate, (len(again), n_units), rng)
            missing[again] = n_draws[again] - counts[again] @ ones
        first = np.arange(len(counts)) * n_units
        units = np.repeat(first, missing.astype(np.intp))
        units += rng.integers(n_units, size=len(units), dtype=np.uint32)
        np.add.at(counts.reshape(-1), units, 1.0)
        if self._starts is None:
            return counts
        return np.add.reduceat(counts, self._starts, axis=1)


def poisson_counts(rate, shape, rng):
    """Draw Poisson counts, four at a time.

    Parameters
    ----------
    rate : int
        The mean of the counts, in 256ths.
    shape : tuple of int
        The numbers of resamples and of units.
    rng : Generator
        The random number generator.

    Returns
    -------
    ndarray of shape (n_resamples, n_units)
        The counts.
    """
    if rate == 0:  # few draws: all units are drawn one by one
        return np.zeros(shape)
    size, n_units = shape
    table, quadruples, cumulated = poisson_lookup(rate)
    n_words = size * -(-n_units // 16)  # sixteen units to a word
    counts = np.empty(4 * n_words, dtype=np.uint32)
    for start in range(0, 4 * n_words, 4 * WORDS_PER_BATCH):
        looked_up = counts[start : start + 4 * WORDS_PER_BATCH]
        words = rng.integers(
            2**64 - 1, size=len(looked_up) // 4, dtype=np.uint64, endpoint=True
        ).view(np.uint16)
        table.take(words, out=looked_up, mode="clip")  # all words are valid indices
        undecided = np.flatnonzero(looked_up == UNDECIDED)
        places = np.searchsorted(cumulated, rng.random(len(undecided)), side="right")
        looked_up[undecided] = quadruples[places]
    return counts.view(np.uint8).reshape(size, -1)[:, :n_units].astype(float)


@functools.lru_cache(maxsize=32)
def poisson_lookup(rate):
    """Return tables that map random numbers to four independent Poisson counts.

    The number of table entries of a quadruple is its probability times the size of the
    table, rounded down. The remainders are its probabilities at undecided entries.

    Parameters
    ----------
    rate : int
        The mean of the counts, in 256ths.

    Returns
    -------
    table : ndarray of uint32, shape (65536,)
        The four counts, one byte each, for each value of 16 random bits; `UNDECIDED`
        where these do not determine the counts.
    quadruples : ndarray of uint32
        All quadruples of counts.
    cumulated : ndarray
        Cumulative probabilities of all quadruples but the last at undecided entries.
    """
    each = poisson.pmf(np.arange(MAX_COUNT), rate / N_RATES)
    joint = functools.reduce(np.multiply.outer, [each] * 4)
    counts = np.argwhere(joint > MIN_PROBABILITY)
    counts = counts[np.argsort(counts.sum(axis=1), kind="stable")]
    expected = TABLE_SIZE * joint[tuple(counts.T)]
    quadruples = counts.astype(np.uint8, order="C").view(np.uint32).ravel()
    n_entries = np.floor(expected).astype(np.intp)
    table = np.full(TABLE_SIZE, UNDECIDED)
    table[: n_entries.sum()] = np.repeat(quadruples, n_entries)
    remainders = np.cumsum(expected - n_entries)
    return table, quadruples, remainders[:-1] / remainders[-1]


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
            outer = self.block(1, rng).astype(np.int64)
            inner = CellBootstrap(outer[0], self._stratum_of_cell)
            yield [np.concatenate([outer, inner.block(self._n_inner, rng)])]


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

    sequential = False

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
