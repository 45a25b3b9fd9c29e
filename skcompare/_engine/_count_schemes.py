"""Redrawing counts: how often each cell of units that are alike occurs in a resample.

Drawing n units with replacement and counting them by cells is one multinomial draw;
swapping each unit of a cell of size c with probability 1/2 is one binomial draw. So the
cost of a resample is that of its cells, however many units there are. Units that are
all different are counted by Poisson variables, whose sum is then made the right one.

The Bayesian bootstrap (Rubin, 1981) weighs units at random. A posterior of how frequent
each kind of row is in the population gives the n units of a sample Dirichlet weights
with parameters 1. The weights of units that are alike add up, to Dirichlet weights with
the counts as parameters. And Dirichlet weights are gamma variables, with those
parameters as shapes, over their sum.
"""

import functools

import numpy as np
from scipy.stats import poisson

from skcompare._engine._row_schemes import AllLabelings, normalized

# Blocks of draws that a core's cache holds, and chunks of them worth a task.
BLOCK_ELEMENTS = 2**17
CHUNK_ELEMENTS = 2**22

# Sixteen megabytes of random bits at a time.
PACKED_BITS = 2**27

# A binomial draw costs about as much as drawing and counting so many single units.
HEAVY_CELL = 24

# Counts of single units are looked up two at a time by so many random values. Those
# that leave the counts open, one in a thousand, are marked.
LOOKED_UP, OPEN = 2**16, np.uint16(2**16 - 1)
MOST_OF_A_UNIT = 16  # less than one in 1e13 Poisson counts is larger

# So many 64-bit words are drawn at a time, for the units of one large resample or more.
WORDS_AT_A_TIME = 2**14

# Looked-up counts fall short of what is to be drawn by so many standard deviations.
SHORT_BY = 3.0
N_RATES = 256


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
    at_once : int
        A chunk begins alike whatever multiple of this number is drawn.
    """

    # Whether some cells are drawn for all of a block, then others.
    by_kind = False

    def __init__(self, counts):
        self.counts = counts
        self.chunk_size = max(16, min(CHUNK_ELEMENTS // len(counts), 1024))
        self.block_size = max(1, BLOCK_ELEMENTS // len(counts))

    @property
    def at_once(self):
        """How many resamples cannot be drawn one by one."""
        return self.block_size if self.by_kind else 1

    def blocks(self, start, size, rng):
        """Yield arrays of counts, one row per resample."""
        for done in range(0, size, self.block_size):
            yield self.block(min(self.block_size, size - done), rng)


class CellBootstrap(CountScheme):
    """Draw as many units as there are, with replacement, within each stratum.

    Counts are multinomial. The number of draws that fall on light cells is binomial;
    given it, the light draws are single units and the others multinomial over the heavy
    cells. So the counts are multinomial over all cells, exactly.

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
            self.by_kind = True
            return
        self.total = int(counts.sum())
        self._heavy = np.flatnonzero(counts > HEAVY_CELL)
        self._light = np.flatnonzero((counts > 0) & (counts <= HEAVY_CELL))
        # From the largest on, so that little is left to draw for the many small ones.
        self._heavy = self._heavy[np.argsort(-counts[self._heavy], kind="stable")]
        self._share = counts[self._light].sum() / self.total
        spread = np.sqrt(self.total * self._share * (1 - self._share))
        fewest = self.total * self._share - 6 * spread
        self._units = UnitSampler(counts[self._light], fewest)
        self.by_kind = len(self._light) > 0

    def block(self, size, rng):
        """Return counts of shape (size, n_cells), as floats: products want them."""
        shape = (size, len(self.counts))
        if self._strata:
            drawn = np.empty(shape)
            for cells, stratum in self._strata:
                drawn[:, cells] = stratum.block(size, rng)
            return drawn
        n_light = np.full(size, 0 if len(self._heavy) else self.total)
        if len(self._light) == len(self.counts):
            return self._units.draw(n_light, rng)
        drawn = np.zeros(shape)
        if len(self._heavy):
            if len(self._light):
                n_light = rng.binomial(self.total, self._share, size=size)
            sizes = self.counts[self._heavy]
            drawn[:, self._heavy] = rng.multinomial(
                self.total - n_light, sizes / sizes.sum()
            )
        if len(self._light):
            drawn[:, self._light] = self._units.draw(n_light, rng)
        return drawn


class UnitSampler:
    """Multinomial counts of cells of few units, or one, by counting single units.

    Independent Poisson counts of equal rates are multinomial, given their sum. So the
    units get Poisson counts that add up to a little less than is to be drawn, and those
    missing are drawn one by one: the counts are multinomial, exactly. A sum that is
    larger by chance is drawn again. (`benchmarks/tricks.py` has what it gains.)

    Parameters
    ----------
    sizes : ndarray of shape (n_cells,)
        The number of units in each cell.
    n_draws : float
        So many units are drawn at least, or nearly always.
    """

    def __init__(self, sizes, n_draws):
        self.n_units = int(sizes.sum())
        self._starts = None if (sizes == 1).all() else np.cumsum(sizes) - sizes
        expected = max(0.0, n_draws - SHORT_BY * np.sqrt(max(0.0, n_draws)))
        self._rate = int(N_RATES * expected / max(1, self.n_units))

    def draw(self, n_draws, rng):
        """Return counts of cells, given how many units to draw for each resample."""
        counts, ones = self._poisson(len(n_draws), rng), np.ones(self.n_units)
        missing = n_draws - counts @ ones  # faster than a sum
        while (missing < 0).any():
            again = np.flatnonzero(missing < 0)
            counts[again] = self._poisson(len(again), rng)
            missing[again] = n_draws[again] - counts[again] @ ones
        first = np.arange(len(counts)) * self.n_units
        units = np.repeat(first, missing.astype(np.intp))
        units += rng.integers(self.n_units, size=len(units))
        np.add.at(counts.reshape(-1), units, 1.0)
        if self._starts is None:
            return counts
        return np.add.reduceat(counts, self._starts, axis=1)

    def _poisson(self, size, rng):
        """Return Poisson counts of units, for so many resamples."""
        if self._rate == 0:  # too few: all are drawn one by one
            return np.zeros((size, self.n_units))
        table, pairs, cumulated = pairs_of_counts(self._rate)
        n_words = size * -(-self.n_units // 8)  # eight units to a word
        counts = np.empty(4 * n_words, dtype=np.uint16)
        for start in range(0, 4 * n_words, 4 * WORDS_AT_A_TIME):
            looked_up = counts[start : start + 4 * WORDS_AT_A_TIME]
            words = rng.integers(
                2**64 - 1, size=len(looked_up) // 4, dtype=np.uint64, endpoint=True
            ).view(np.uint16)
            table.take(words, out=looked_up, mode="clip")  # all words are places
            still = np.flatnonzero(looked_up == OPEN)
            exactly = (words[still] + rng.random(len(still))) / LOOKED_UP
            # The last pair has no end: a sum may be rounded up to 1.
            places = np.searchsorted(cumulated[:-1], exactly, side="right")
            looked_up[still] = pairs[places]
        counts = counts.view(np.uint8).reshape(size, -1)
        return counts[:, : self.n_units].astype(float)


@functools.lru_cache(maxsize=64)
def pairs_of_counts(rate):
    """Return what turns random numbers into two independent Poisson counts.

    Parameters
    ----------
    rate : int
        Their mean, in 256ths.

    Returns
    -------
    table : ndarray of uint16, shape (65536,)
        The two counts, a byte each, for the first 16 bits of a random number in [0, 1);
        `OPEN` where they depend on the rest of it.
    pairs : ndarray of uint16
        All pairs of counts, the most probable first.
    cumulated : ndarray
        Below which number each of these ends.
    """
    each = poisson.pmf(np.arange(MOST_OF_A_UNIT), rate / N_RATES)
    joint = np.outer(each, each).ravel()
    order = np.argsort(-joint, kind="stable")
    pairs = (order // MOST_OF_A_UNIT + 256 * (order % MOST_OF_A_UNIT)).astype(np.uint16)
    cumulated = np.minimum(np.cumsum(joint[order]), 1.0)  # by rounding it may be more
    cumulated[-1] = 1.0
    table = np.full(LOOKED_UP, OPEN)
    ends = LOOKED_UP * cumulated
    starts = np.concatenate([[0.0], ends[:-1]])
    spans = zip(
        pairs, np.ceil(starts).astype(int), np.floor(ends).astype(int), strict=True
    )
    for pair, start, end in spans:
        table[start:end] = pair
    return table, pairs, cumulated


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
        self.by_kind = bool(len(self._few) and len(self._many))
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

    def __init__(self, n_units):
        self.n_units = n_units
        self.chunk_size = max(64, min(PACKED_BITS // n_units, 1024))
        self.at_once = self.chunk_size

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
