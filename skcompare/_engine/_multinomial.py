"""Multinomial counts from Poisson counts, which are looked up in tables.

Independent Poisson counts whose means are the sizes of cells are multinomial, given
their sum. There are two ways to give them the required sum. For a few large cells, one
of them, the largest, gets what the others leave, and a draw is accepted with a
probability proportional to that of this count. For many units, the counts fall
somewhat short of the sum, and the missing units are drawn one by one. Both are exact.
(`benchmarks/tricks.py` measures the speedup of each.)
"""

import functools

import numpy as np
from scipy.stats import poisson

# Counts of units are looked up four at a time, by 16 random bits; one entry in a
# hundred is undecided.
N_RATES = 256
MAX_COUNT = 16  # fewer than one in 1e13 Poisson counts are larger
MIN_PROBABILITY = 1e-17  # fewer than one in 1e12 quadruples of counts are left out

# Number of lookups per batch, for the units of one or several resamples.
LOOKUPS_PER_BATCH = 2**16

# Standard deviations by which the expected sum of looked-up counts falls short of the
# number of draws.
SHORTFALL = 3.0

# Counts of cells are looked up by 14 bits, since their tables are made for each test.
# Tables pay if they are used often enough, if most of their entries are decided, and if
# not too few draws are accepted.
CELL_BITS = 14
MIN_DRAWS, MAX_MEAN, MIN_ACCEPTANCE = 128, 2**20, 1 / 8


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
        words = rng.integers(
            2**64 - 1, size=-(-len(drawn) // 4), dtype=np.uint64, endpoint=True
        )
        entries = words.view(np.uint16)[: len(drawn)]
        entries >>= self._shift
        self._table.take(entries, out=drawn, mode="clip")  # all are valid indices
        undecided = np.flatnonzero(drawn == self._undecided)
        places = np.searchsorted(
            self._cumulated, rng.random(len(undecided)), side="right"
        )
        drawn[undecided] = self._values[places]


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


def counts_of_units(n_draws, n_units, rate, rng):
    """Return how often each unit is drawn.

    Units get Poisson counts whose sum is slightly smaller than the number of draws, and
    the missing units are drawn one by one. Counts whose sum is larger by chance are
    drawn again.

    Parameters
    ----------
    n_draws : ndarray of int, shape (n_resamples,)
        The numbers of draws, on average at most `n_units`.
    n_units : int
        The number of units.
    rate : int
        The mean of the Poisson counts, in 256ths.
    rng : Generator
        The random number generator.

    Returns
    -------
    ndarray of shape (n_resamples, n_units)
        The counts, as floats for matrix products.
    """
    counts = poisson_counts(rate, (len(n_draws), n_units), rng)
    ones = np.ones(n_units)
    missing = n_draws - counts @ ones  # faster than a sum
    while (missing < 0).any():
        again = np.flatnonzero(missing < 0)
        counts[again] = poisson_counts(rate, (len(again), n_units), rng)
        missing[again] = n_draws[again] - counts[again] @ ones
    first = np.arange(len(counts)) * n_units
    units = np.repeat(first, missing.astype(np.intp))
    units += rng.integers(n_units, size=len(units), dtype=np.uint32)
    np.add.at(counts.reshape(-1), units, 1.0)
    return counts


def rate_of_units(n_units, fewest):
    """Return the mean of Poisson counts, in 256ths, for at least so many draws."""
    expected = max(0.0, fewest - SHORTFALL * np.sqrt(max(0.0, fewest)))
    return int(N_RATES * expected / n_units)


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
    counts = np.empty(4 * size * -(-n_units // 16), dtype=np.uint32)
    for start in range(0, len(counts), LOOKUPS_PER_BATCH):
        quadruples(rate).fill(counts[start : start + LOOKUPS_PER_BATCH], rng)
    return counts.view(np.uint8).reshape(size, -1)[:, :n_units].astype(float)


@functools.lru_cache(maxsize=32)
def quadruples(rate):
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
