"""Schemes that draw counts of cells, each of interchangeable units.

Drawing n units with replacement and counting them by cell is one multinomial draw;
swapping each unit of a cell of size c with probability 1/2 is one binomial draw. The
cost of a resample therefore depends on the number of cells, not on the number of units.

Multinomial counts are made from Poisson counts, which are looked up in tables.
Independent Poisson counts whose means are the sizes of cells are multinomial, given
their sum. There are two ways to give them the required sum. For a few large cells, the
largest gets what the others leave, and the draw is accepted with a probability
proportional to that of this count. For many units, the counts fall somewhat short of
the sum, and the missing units are drawn one by one. Both are exact.
(`benchmarks/tricks.py` measures the speedup of each.)

The Bayesian bootstrap (Rubin, 1981) weights units at random. The posterior of the
frequencies of rows in the population gives the n units of a sample Dirichlet weights
with parameters 1. The weights of interchangeable units add up to Dirichlet weights with
the counts as parameters. Dirichlet weights are gamma variables, with those parameters
as shapes, divided by their sum.
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

# Number of units of a cell up to which they are drawn one by one.
HEAVY_CELL = 32

# Counts of units are looked up four at a time, by 16 random bits; one entry in a
# hundred is undecided.
N_RATES = 256
MAX_COUNT = 16  # fewer than one in 1e13 Poisson counts are larger
MIN_PROBABILITY = 1e-17  # fewer than one in 1e12 quadruples of counts are left out

# Number of lookups per batch, which fit in the cache.
LOOKUPS_PER_BATCH = 2**17

# Standard deviations by which the expected sum of looked-up counts falls short of the
# number of draws.
SHORTFALL = 3.0

# Counts of cells are looked up by 14 bits, since their tables are made for each test.
# Tables pay if they are used often enough, if most of their entries are decided, and if
# not too few draws are accepted.
CELL_BITS = 14
MIN_DRAWS, MAX_MEAN, MIN_ACCEPTANCE = 128, 2**20, 1 / 8


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
    """Resample all units with replacement.

    Counts of the heavy cells and of all light cells together are multinomial. Given
    their number, draws from light cells are draws of single units. This is exactly
    multinomial over all cells.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    """

    def __init__(self, counts):
        super().__init__(counts)
        self._heavy = np.flatnonzero(counts > HEAVY_CELL)
        self._light = np.flatnonzero((counts > 0) & (counts <= HEAVY_CELL))
        self._sizes, groups = counts[self._light], counts[self._heavy]
        self._n_units, total = int(self._sizes.sum()), int(counts.sum())
        if self._n_units:  # all light cells together are the last of the groups
            groups = np.append(groups, self._n_units)
            spread = np.sqrt(self._n_units * (1 - self._n_units / total))
            fewest = max(0.0, self._n_units - 6 * spread)
            expected = max(0.0, fewest - SHORTFALL * np.sqrt(fewest))
            self._rate = int(N_RATES * expected / self._n_units)
        self._groups = Multinomial(groups)

    def resampling(self, counts):
        """Return the scheme that resamples a resample."""
        return CellBootstrap(counts)

    def blocks(self, start, size, rng):
        """Yield arrays of counts, as floats for matrix products."""
        groups = self._groups.counts(size, rng).T
        for done in range(0, size, self.block_size):
            of_block = groups[done : done + self.block_size]
            if len(self._light) == len(self.counts):
                yield self._light_counts(of_block[:, -1], rng)
                continue
            drawn = np.zeros((len(of_block), len(self.counts)))
            drawn[:, self._heavy] = of_block[:, : len(self._heavy)]
            if self._n_units:
                drawn[:, self._light] = self._light_counts(of_block[:, -1], rng)
            yield drawn

    def _light_counts(self, n_draws, rng):
        """Return counts of light cells for the number of draws of each resample.

        Units get Poisson counts whose sum is slightly smaller than the number of draws,
        and the missing units are drawn one by one. Counts whose sum is larger by chance
        are drawn again.
        """
        n_units, n_words = self._n_units, -(-self._n_units // 16)
        counts = (np.empty if self._rate else np.zeros)((len(n_draws), n_units))
        missing, again = n_draws.copy(), slice(None) if self._rate else slice(0)
        while len(missing[again]):
            quadruples = np.empty((len(missing[again]), 4 * n_words), dtype=np.uint32)
            poisson_quadruples(self._rate).fill(quadruples.reshape(-1), rng)
            counts[again] = quadruples.view(np.uint8)[:, :n_units]
            sums = counts[again] @ np.ones(n_units)  # faster than a sum
            missing[again] = n_draws[again] - sums
            again = np.flatnonzero(missing < 0)
        first = np.arange(len(counts)) * n_units
        units = np.repeat(first, missing.astype(np.intp))
        units += rng.integers(n_units, size=len(units), dtype=np.uint32)
        np.add.at(counts.reshape(-1), units, 1.0)
        if len(self._light) == n_units:
            return counts
        return np.add.reduceat(counts, np.cumsum(self._sizes) - self._sizes, axis=1)


class StratifiedCellBootstrap(CountScheme):
    """Resample the units of each stratum with replacement.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    strata : ndarray of shape (n_cells,)
        The stratum of each cell, from 0.
    """

    def __init__(self, counts, strata):
        super().__init__(counts)
        self._strata = strata
        self._cells = [np.flatnonzero(strata == s) for s in range(strata.max() + 1)]
        self._parts = [CellBootstrap(counts[cells]) for cells in self._cells]
        for part in self._parts:
            part.block_size = self.block_size

    def resampling(self, counts):
        """Return the scheme that resamples a resample."""
        return StratifiedCellBootstrap(counts, self._strata)

    def blocks(self, start, size, rng):
        """Yield arrays of counts, as floats for matrix products."""
        for blocks in zip(
            *(part.blocks(start, size, rng) for part in self._parts), strict=True
        ):
            drawn = np.empty((len(blocks[0]), len(self.counts)))
            for cells, block in zip(self._cells, blocks, strict=True):
                drawn[:, cells] = block
            yield drawn


class NestedCellBootstrap(CountScheme):
    """Nested bootstrap: resample each resample to estimate its standard error.

    Each draw is a list of one array: the counts of the resample, then the counts of
    `n_inner` resamples drawn from it.

    Parameters
    ----------
    outer : CellBootstrap or StratifiedCellBootstrap
        The scheme of the resamples.
    n_inner : int
        The number of inner resamples per resample.
    """

    def __init__(self, outer, n_inner):
        super().__init__(outer.counts)
        self._outer, self._n_inner = outer, n_inner

    def blocks(self, start, size, rng):
        """Yield `size` resamples, each followed by its inner resamples."""
        for number in range(start, start + size):
            (counts,) = self._outer.blocks(number, 1, rng)
            inner = self._outer.resampling(counts[0].astype(np.int64))
            yield [np.concatenate([counts, *inner.blocks(0, self._n_inner, rng)])]


class Multinomial:
    """Multinomial counts of cells, by rejection from Poisson counts.

    Parameters
    ----------
    sizes : ndarray of int, shape (n_cells,)
        The sizes of the cells. Their sum is the number of draws.
    """

    def __init__(self, sizes):
        # Largest first: it gets what the others leave, or few draws remain for these.
        self._order = np.argsort(-sizes, kind="stable")
        self._sizes, self._total = sizes[self._order], sizes.sum()
        self._acceptance = np.sqrt(self._sizes[0] / self._total)
        self._pays = (
            len(sizes) > 1
            and self._sizes[0] <= MAX_MEAN
            and self._acceptance >= MIN_ACCEPTANCE
        )

    def counts(self, n_draws, rng):
        """Return draws of shape (n_cells, n_draws)."""
        counts = np.empty((len(self._sizes), n_draws))
        if n_draws < MIN_DRAWS or not self._pays:
            shares = self._sizes / self._total
            counts[self._order] = rng.multinomial(self._total, shares, n_draws).T
            return counts
        n_accepted = 0
        while n_accepted < n_draws:
            accepted = self._accepted(n_draws - n_accepted, rng)
            counts[self._order, n_accepted : n_accepted + accepted.shape[1]] = accepted
            n_accepted += accepted.shape[1]
        return counts

    def _accepted(self, n_draws, rng):
        """Return at most `n_draws` draws, and hardly ever fewer."""
        (least, chances), others = self._tables
        n_proposals = int((n_draws + 4 * np.sqrt(n_draws)) / self._acceptance) + 1
        proposals = np.empty((len(others), n_proposals), dtype=np.uint16)
        for (_, lookup), counts in zip(others, proposals, strict=True):
            lookup.fill(counts, rng)
        lowest = np.array([least, *(low for low, _ in others)])
        rest = self._total - lowest.sum() - proposals.sum(axis=0, dtype=np.intp)
        accepted = rng.random(n_proposals) < chances.take(rest, mode="clip")
        places = np.flatnonzero(accepted)[:n_draws]
        return np.vstack([rest[places], proposals[:, places]]) + lowest[:, np.newaxis]

    @functools.cached_property
    def _tables(self):
        """The chances of the counts of the first cell, and lookups of the others."""
        first, *others = (relative_probabilities(size) for size in self._sizes)
        return first, [
            (lowest, Lookup(np.arange(len(p), dtype=np.uint16), p / p.sum(), CELL_BITS))
            for lowest, p in others
        ]


def relative_probabilities(mean):
    """Return the probabilities of Poisson counts, relative to the most probable one.

    Parameters
    ----------
    mean : int
        The mean, at least 1.

    Returns
    -------
    lowest : int
        The first count, ten standard deviations below the mean, or more.
    probabilities : ndarray
        The probabilities of the counts from there to as far above the mean, divided by
        that of the mean; 0 for negative counts.

    Examples
    --------
    >>> lowest, probabilities = relative_probabilities(2)
    >>> probabilities[0 - lowest :][:5].round(4).tolist()
    [0.5, 1.0, 1.0, 0.6667, 0.3333]
    """
    steps = np.arange(10 + int(10 * np.sqrt(mean)))
    below, above = np.cumprod(1 - steps / mean), np.cumprod(mean / (mean + 1 + steps))
    return mean - len(steps), np.concatenate([below[::-1], [1.0], above])


@functools.lru_cache(maxsize=32)
def poisson_quadruples(rate):
    """Return a lookup of four independent Poisson counts, one byte each.

    Parameters
    ----------
    rate : int
        The mean of the counts, in 256ths.
    """
    each = poisson.pmf(np.arange(MAX_COUNT), rate / N_RATES)
    joint = functools.reduce(np.multiply.outer, [each] * 4)
    counts = np.argwhere(joint > MIN_PROBABILITY)
    counts = counts[np.argsort(counts.sum(axis=1), kind="stable")]
    values = counts.astype(np.uint8, order="C").view(np.uint32).ravel()
    return Lookup(values, joint[tuple(counts.T)], bits=16)


class Lookup:
    """A discrete distribution, whose draws are looked up by random bits.

    The number of table entries of a value is its probability times the size of the
    table, rounded down. The remainders are its probabilities at undecided entries.

    Parameters
    ----------
    values : ndarray of uint16 or uint32
        The values, below the maximum of their type, which marks undecided entries.
    probabilities : ndarray
        Their probabilities.
    bits : int
        The number of random bits per lookup, at most 16.
    """

    def __init__(self, values, probabilities, bits):
        expected = 2**bits * probabilities
        n_entries = np.floor(expected).astype(np.intp)
        self._values, self._shift = values, 16 - bits
        self._undecided = np.iinfo(values.dtype).max
        self._table = np.full(2**bits, self._undecided, dtype=values.dtype)
        self._table[: n_entries.sum()] = np.repeat(values, n_entries)
        remainders = np.cumsum(expected - n_entries)
        self._cumulated = remainders[:-1] / remainders[-1]

    def fill(self, drawn, rng):
        """Fill an array with independent draws."""
        for start in range(0, len(drawn), LOOKUPS_PER_BATCH):
            batch = drawn[start : start + LOOKUPS_PER_BATCH]
            words = rng.integers(
                2**64 - 1, size=-(-len(batch) // 4), dtype=np.uint64, endpoint=True
            )
            entries = words.view(np.uint16)[: len(batch)]
            entries >>= self._shift
            self._table.take(entries, out=batch, mode="clip")  # all are valid indices
            undecided = np.flatnonzero(batch == self._undecided)
            places = np.searchsorted(
                self._cumulated, rng.random(len(undecided)), side="right"
            )
            batch[undecided] = self._values[places]


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
