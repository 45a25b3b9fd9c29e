"""Looked-up counts have exactly the probabilities of multinomial counts."""

import numpy as np
import pytest
from scipy import stats

from skcompare._engine import _cell_schemes
from skcompare._engine._cell_schemes import (
    CellBootstrap,
    Lookup,
    Multinomial,
    poisson_quadruples,
    relative_probabilities,
)

# No statistic in this file may be so far out.
RARE = 1e-6


class RecordedGenerator:
    """A generator that records the names of its methods that were called."""

    def __init__(self):
        self._rng, self.methods = np.random.default_rng(0), set()

    def __getattr__(self, name):
        self.methods.add(name)
        return getattr(self._rng, name)


def assert_probabilities(lookup, values, probabilities):
    """Check that decided and undecided entries together have these probabilities."""
    table, undecided = lookup._table, np.iinfo(values.dtype).max
    order = np.argsort(values)
    decided = table[table != undecided]
    places = order[np.searchsorted(values[order], decided)]
    assert (values[places] == decided).all()
    in_table = np.bincount(places, minlength=len(values)) / len(table)
    assert (in_table <= probabilities + 1e-12).all()
    remainders = np.diff(lookup._cumulated, prepend=0, append=1)
    total = in_table + remainders * np.mean(table == undecided)
    assert total == pytest.approx(probabilities, rel=1e-6, abs=1e-15)


@pytest.mark.parametrize("rate", [1, 120, 255])
def test_quadruples_are_independent_poisson_counts(rate):
    lookup = poisson_quadruples(rate)
    counts = lookup._values.view(np.uint8).reshape(-1, 4)
    assert len(np.unique(lookup._values)) == len(counts)
    probabilities = stats.poisson.pmf(counts, rate / 256).prod(axis=1)
    assert probabilities.sum() == pytest.approx(1, abs=1e-12)  # hardly any is left out
    assert_probabilities(lookup, lookup._values, probabilities)


@pytest.mark.parametrize("mean", [1, 2, 40, 5_000, 2**20])
def test_relative_probabilities_are_those_of_scipy(mean):
    lowest, probabilities = relative_probabilities(mean)
    counts = lowest + np.arange(len(probabilities))
    distribution = stats.poisson(mean)
    expected = distribution.pmf(counts) / distribution.pmf(mean)
    assert probabilities == pytest.approx(expected, rel=1e-7, abs=1e-15)
    assert probabilities.max() == 1
    assert distribution.cdf(counts[0] - 1) + distribution.sf(counts[-1]) < 1e-15


@pytest.mark.parametrize("mean", [1, 40, 5_000, 2**20])
def test_counts_of_cells_are_looked_up_as_poisson_counts(mean):
    _, others = Multinomial(np.array([2**20, mean]))._tables
    ((lowest, lookup),) = others
    counts = lowest + np.arange(len(lookup._values))
    assert len(counts) < 2**16 - 1  # the largest number marks undecided entries
    assert_probabilities(lookup, lookup._values, stats.poisson.pmf(counts, mean))


def test_random_numbers_may_be_the_largest():
    """Words and fractions that are as large as can be, which no seed will show."""

    class Largest(np.random.Generator):
        def integers(self, *args, size, dtype=np.int64, **options):
            return np.full(size, np.iinfo(dtype).max, dtype=dtype)

        def random(self, size):
            return np.full(size, 1 - 2.0**-53)

    values = np.array([7, 8, 9], dtype=np.uint16)
    drawn = np.zeros(10, dtype=np.uint16)
    lookup = Lookup(values, np.array([0.3, 0.3, 0.4]), bits=3)
    lookup.fill(drawn, Largest(np.random.PCG64(0)))
    assert (drawn == 9).all()


@pytest.mark.parametrize("n", [1, 3, 4, 5, 1_000])
@pytest.mark.parametrize("bits", [3, 14, 16])
def test_lookups_fill_arrays_of_any_length(n, bits):
    """Most entries are undecided if the table is small."""
    values = np.array([5, 6, 7, 8], dtype=np.uint16)
    shares = np.array([1, 2, 3, 5]) / 11
    lookup, rng = Lookup(values, shares, bits), np.random.default_rng(0)
    drawn = np.zeros((-(-20_000 // n), n), dtype=np.uint16)
    for row in drawn:
        lookup.fill(row, rng)
    frequencies = np.bincount(drawn.ravel(), minlength=9)[5:]
    assert stats.chisquare(frequencies, shares * drawn.size).pvalue > RARE


SIZES = [[1, 1, 2], [3, 1], [2, 2], [1, 4, 1], [5], [1, 1, 1, 1]]


def assert_multinomial(counts, sizes):
    """Compare the frequencies of all outcomes with the multinomial distribution."""
    assert (counts.sum(axis=0) == sum(sizes)).all()
    assert counts.min() >= 0
    outcomes, frequencies = np.unique(counts.T, axis=0, return_counts=True)
    shares = np.array(sizes) / sum(sizes)
    expected = stats.multinomial(sum(sizes), shares).pmf(outcomes) * counts.shape[1]
    common = expected >= 5
    rest = counts.shape[1] - expected[common].sum()
    frequencies = np.append(frequencies[common], frequencies[~common].sum())
    expected = np.append(expected[common], rest)
    if len(expected) > 2:
        kept = expected > 1
        assert (
            stats.chisquare(frequencies[kept], expected[kept], sum_check=False).pvalue
            > RARE
        )


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_accepted_counts_have_the_joint_distribution(sizes):
    counts = Multinomial(np.array(sizes)).counts(50_000, np.random.default_rng(0))
    assert_multinomial(counts, sizes)


@pytest.mark.parametrize("sizes", [[1, 1, 2], [1, 4, 1]], ids=str)
def test_further_proposals_follow_if_too_few_were_accepted(sizes):
    multinomial, rng = Multinomial(np.array(sizes)), np.random.default_rng(0)
    multinomial._acceptance = 8.0  # so that it takes about ten rounds
    assert_multinomial(multinomial.counts(50_000, rng), sizes)


@pytest.mark.parametrize(
    ("sizes", "n_draws", "looked_up"),
    [
        ([400, 300, 90], 1_000, True),
        ([400, 300, 90], 50, False),  # tables cost more than so few draws
        ([400], 1_000, False),  # nothing is random
        ([50] * 100, 1_000, False),  # nine of ten draws would be rejected
        ([50] * 40, 1_000, True),
        ([2**31, 2**20], 1_000, False),  # tables grow with the square root of sizes
    ],
)
def test_counts_are_looked_up_where_that_is_faster(sizes, n_draws, looked_up):
    rng = RecordedGenerator()
    counts = Multinomial(np.array(sizes)).counts(n_draws, rng)
    assert counts.shape == (len(sizes), n_draws)
    assert (counts.sum(axis=0) == sum(sizes)).all()
    assert ("multinomial" not in rng.methods) == looked_up


def test_counts_are_in_the_order_of_the_cells():
    sizes = np.array([40, 500, 100, 300])
    for n_draws in (100, 1_000):
        counts = Multinomial(sizes).counts(n_draws, np.random.default_rng(0))
        assert counts.mean(axis=1) == pytest.approx(sizes, rel=0.1)


@pytest.mark.parametrize("n", [5, 130])
def test_single_units_are_drawn_as_often_as_by_binomials(n):
    (counts,) = CellBootstrap(np.ones(n, dtype=int)).blocks(
        0, 4_000, np.random.default_rng(0)
    )
    assert (counts.sum(axis=1) == n).all()
    frequencies = np.bincount(counts[:, 0].astype(int), minlength=n + 1)
    expected = 4_000 * stats.binom.pmf(np.arange(n + 1), n, 1 / n)
    common = expected >= 5
    statistic = stats.chisquare(frequencies[common], expected[common], sum_check=False)
    assert statistic.pvalue > RARE


def test_sums_that_are_too_large_are_drawn_again(monkeypatch):
    """Also if that happens to half of all resamples, counts stay multinomial."""
    monkeypatch.setattr(_cell_schemes, "SHORTFALL", 0.0)
    monkeypatch.setattr(_cell_schemes, "BLOCK_ELEMENTS", 2**20)
    scheme = CellBootstrap(np.ones(4, dtype=int))
    (counts,) = scheme.blocks(0, 50_000, np.random.default_rng(0))
    assert_multinomial(counts.T, [1, 1, 1, 1])


def test_all_units_are_drawn_one_by_one_if_they_are_few(monkeypatch):
    """A light cell beside heavy ones may get no draws at all."""
    monkeypatch.setattr(_cell_schemes, "HEAVY_CELL", 1)
    scheme = CellBootstrap(np.array([1, 3]))
    assert scheme._rate == 0
    (counts,) = scheme.blocks(0, 50_000, np.random.default_rng(0))
    assert_multinomial(counts.T, [1, 3])
