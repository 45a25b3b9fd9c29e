"""Counts of cells are drawn from the very distribution that single units have."""

import itertools

import numpy as np
import pytest
from scipy import stats

from skcompare import ApproxRandomization, PairedBootstrap
from skcompare._engine import (
    Cells,
    Resampler,
    Units,
    _cell_schemes,
    _draw,
    chunk_generator,
    draw,
)
from skcompare._engine._cell_schemes import (
    AllCellSwaps,
    CellBootstrap,
    CellSwaps,
    NestedCellBootstrap,
    PackedSwaps,
    StratifiedCellBootstrap,
)
from skcompare._engine._cells import joint_codes

N_DRAWS = 20_000
# Several hundred statistics are looked at in this file; none may be so far out.
RARE = 1e-5

CELLS = {
    "all heavy": [40, 300, 25, 90],
    "all light": [1, 24, 7, 2, 5],
    "single units": [1] * 12,
    "mixed": [1, 60, 3, 24, 25, 200, 1],
    "one cell": [50],
    "one light cell": [5],
    "many units in light cells": [20] * 150 + [400],
    "empty cells": [0, 2, 1, 1],
    "empty cells beside heavy ones": [0, 2, 40, 0, 1],
}
STRATA = {
    "all heavy": [0, 1, 0, 1],
    "all light": [1, 0, 0, 2, 1],
    "mixed": [0, 0, 1, 1, 0, 2, 2],
}
each_cells = pytest.mark.parametrize("name", CELLS)
each_strata = pytest.mark.parametrize("name", STRATA)


def draw_all(scheme, n_draws, seed=0):
    """Return all draws of a scheme in one array."""
    blocks = scheme.blocks(0, n_draws, np.random.default_rng(seed))
    return np.concatenate(list(blocks))


def bootstrap_of(name, strata=None):
    counts = np.array(CELLS[name])
    if strata is None:
        return counts, CellBootstrap(counts)
    return counts, StratifiedCellBootstrap(counts, np.array(strata))


def assert_multinomial(drawn, sizes):
    """Check sums, means and covariances of counts of all units of one stratum."""
    n = sizes.sum()
    assert (drawn.sum(axis=1) == n).all()
    assert (drawn >= 0).all()
    assert (drawn == np.rint(drawn)).all()
    assert not drawn[:, sizes == 0].any()
    drawn, sizes = drawn[:, sizes > 0], sizes[sizes > 0]
    if len(sizes) == 1:
        return
    covariances = stats.multinomial(n, sizes / n).cov()
    error = np.sqrt(np.diag(covariances) / len(drawn))
    assert_no_outlier((drawn.mean(axis=0) - sizes) / error)
    products = (drawn - sizes)[:, :, np.newaxis] * (drawn - sizes)[:, np.newaxis]
    error = products.std(axis=0) / np.sqrt(len(drawn))
    assert_no_outlier((products.mean(axis=0) - covariances) / error)


def assert_no_outlier(z):
    assert np.abs(z).max() < stats.norm.isf(RARE / 2 / np.size(z))


def assert_binomial(drawn, n, p):
    """Compare the frequencies of all values with the binomial distribution."""
    values = np.arange(n + 1)
    expected = stats.binom.pmf(values, n, p) * len(drawn)
    frequencies = np.bincount(drawn.astype(int), minlength=n + 1)
    common = expected >= 5
    frequencies = np.append(frequencies[common], frequencies[~common].sum())
    expected = np.append(expected[common], expected[~common].sum())
    if expected[-1] < 5:  # too rare to judge alone
        frequencies, expected = merge_last(frequencies), merge_last(expected)
    assert stats.chisquare(frequencies, expected).pvalue > RARE


def merge_last(frequencies):
    return np.append(frequencies[:-2], frequencies[-2:].sum())


@each_cells
def test_counts_have_the_moments_of_a_multinomial(name):
    counts, scheme = bootstrap_of(name)
    n_draws = 1_000 if len(counts) > 100 else N_DRAWS
    assert_multinomial(draw_all(scheme, n_draws), counts)


@each_strata
def test_counts_are_multinomial_within_each_stratum(name):
    strata = np.array(STRATA[name])
    counts, scheme = bootstrap_of(name, strata)
    drawn = draw_all(scheme, N_DRAWS)
    for stratum in np.unique(strata):
        cells = strata == stratum
        assert_multinomial(drawn[:, cells], counts[cells])


@each_strata
def test_strata_are_drawn_independently(name):
    strata = np.array(STRATA[name])
    counts, scheme = bootstrap_of(name, strata)
    drawn = draw_all(scheme, N_DRAWS) - counts
    for first, second in itertools.combinations(range(len(counts)), 2):
        if strata[first] != strata[second] and drawn[:, first].any():
            products = drawn[:, first] * drawn[:, second]
            error = products.std() / np.sqrt(N_DRAWS)
            assert abs(products.mean()) <= stats.norm.isf(RARE / 2) * error


@pytest.mark.parametrize("name", [name for name in CELLS if len(CELLS[name]) > 1])
def test_the_count_of_a_cell_is_binomial(name):
    counts, scheme = bootstrap_of(name)
    n, drawn = counts.sum(), draw_all(scheme, 3_000, seed=1)
    for cell in np.flatnonzero(counts)[:: 1 + len(counts) // 10]:
        assert_binomial(drawn[:, cell], n, counts[cell] / n)


def test_counts_of_tiny_samples_have_all_their_probabilities():
    """The joint distribution, not just moments: three draws from three cells."""
    counts = np.array([1, 1, 2])
    drawn, times = np.unique(
        draw_all(CellBootstrap(counts), N_DRAWS), axis=0, return_counts=True
    )
    expected = stats.multinomial(4, counts / 4).pmf(drawn) * N_DRAWS
    assert len(drawn) == 15  # ways to put four draws into three cells
    assert stats.chisquare(times, expected).pvalue > RARE


def test_heavy_and_light_cells_are_drawn_jointly(monkeypatch):
    """The same, where one cell is drawn by binomials and the others unit by unit."""
    monkeypatch.setattr(_cell_schemes, "HEAVY_CELL", 1)
    test_counts_of_tiny_samples_have_all_their_probabilities()


@pytest.mark.parametrize("n", [7, 100])
def test_rows_of_all_kinds_come_as_often_as_by_single_draws(n):
    """How many units come 0, 1, 2, ... times, beside NumPy's own integers."""
    drawn = draw_all(CellBootstrap(np.ones(n, dtype=int)), 4_000)
    rng = np.random.default_rng(1)
    plain = np.array([np.bincount(rng.integers(n, size=n), minlength=n) for _ in drawn])
    for times in range(4):
        of_both = ((counts == times).sum(axis=1) for counts in (drawn, plain))
        table = stats.contingency.crosstab(
            np.repeat([0, 1], 4_000), np.concatenate(list(of_both))
        )
        frequencies = table.count[:, table.count.sum(axis=0) >= 10]
        assert stats.chi2_contingency(frequencies).pvalue > RARE


@pytest.mark.parametrize("counts", [[1] * 6, [40, 1, 2, 1], [40, 90, 30]])
def test_nested_counts_are_drawn_from_the_resample_itself(counts):
    counts = np.array(counts)
    scheme = NestedCellBootstrap(CellBootstrap(counts), N_DRAWS)
    for (nested,) in scheme.blocks(0, 3, np.random.default_rng(0)):
        assert_multinomial(nested[1:], nested[0])


def test_nested_counts_stay_within_their_strata():
    counts, strata = np.array([3, 1, 40, 2, 2]), np.array([0, 0, 0, 1, 1])
    scheme = NestedCellBootstrap(StratifiedCellBootstrap(counts, strata), N_DRAWS)
    ((nested,),) = scheme.blocks(0, 1, np.random.default_rng(0))
    for stratum in (0, 1):
        cells = strata == stratum
        assert_multinomial(nested[1:, cells], nested[0, cells])


@pytest.mark.parametrize("n_cells", [2**16 - 1, 2**16, 2**16 + 1])
def test_units_are_in_the_order_of_their_cells_however_many_there_are(n_cells):
    cell = np.random.default_rng(0).permutation(n_cells)
    counts = np.ones(n_cells, dtype=np.intp)
    layout = {"cell_of_unit": cell, "counts": counts}
    cells = Cells(units=Units(n_cells), statistics={}, engines={}, **layout)
    order, starts = cells.by_cell
    assert cell[order].tolist() == starts.tolist() == list(range(n_cells))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 9, 31, 32, 33, 63, 64, 65, 100, 1000])
def test_swapped_units_of_a_cell_are_binomial(size):
    scheme = CellSwaps(np.array([size]), np.array([0]))
    drawn = draw_all(scheme, 4_000, seed=size)[:, 0]
    assert drawn.min() >= 0
    assert drawn.max() <= size
    assert_binomial(drawn, size, 0.5)


def test_cells_are_swapped_independently():
    counts = np.array([1, 2, 63, 64, 65, 200])
    drawn = draw_all(CellSwaps(counts, np.flatnonzero(counts)), N_DRAWS)
    correlations = np.corrcoef(drawn.T)[np.triu_indices(len(counts), 1)]
    assert_no_outlier(correlations * np.sqrt(N_DRAWS))


def test_concordant_cells_are_never_swapped():
    counts = np.array([1, 5, 64, 100, 7])
    discordant = np.array([True, False, False, False, True])
    drawn = draw_all(CellSwaps(counts, np.flatnonzero(discordant)), 200)
    assert not drawn[:, ~discordant].any()
    assert drawn[:, discordant].any(axis=0).all()


def test_every_packed_bit_is_a_fair_coin():
    scheme = PackedSwaps(13)
    (block,) = scheme.blocks(0, N_DRAWS, np.random.default_rng(0))
    bits = np.unpackbits(block, axis=0)[:13].astype(float)
    assert_no_outlier((bits.mean(axis=1) - 0.5) * 2 * np.sqrt(N_DRAWS))
    correlations = np.corrcoef(bits)[np.triu_indices(13, 1)]
    assert_no_outlier(correlations * np.sqrt(N_DRAWS))


def test_all_labelings_are_counted_once():
    counts, cells = np.array([3, 1, 4]), np.array([0, 2, 2])
    scheme = AllCellSwaps(counts, cells)
    half = draw_all(scheme, scheme.n_draws)
    whole = np.concatenate([half, [1, 0, 2] - half])
    labelings = sorted(map(tuple, whole))
    choices = itertools.product([0, 1], repeat=3)
    assert labelings == sorted((a, 0, b + c) for a, b, c in choices)


# The cost of a resample, in random numbers rather than seconds.


class Tally:
    """A generator that counts the numbers that it has drawn."""

    def __init__(self, seed):
        self._rng, self.n_drawn = np.random.default_rng(seed), 0

    def __getattr__(self, name):
        def counted(*args, **kwargs):
            drawn = getattr(self._rng, name)(*args, **kwargs)
            self.n_drawn += len(drawn) if isinstance(drawn, bytes) else np.size(drawn)
            return drawn

        return counted


def numbers_drawn(scheme, n_draws=10):
    tally = Tally(0)
    for _ in scheme.blocks(0, n_draws, tally):
        pass
    return tally.n_drawn


SHARES, STRATA_OF_CELLS = np.array([5, 10, 15, 70]) / 100, np.array([0, 0, 1, 1])
SAMPLERS = {
    "bootstrap": CellBootstrap,
    "stratified": lambda counts: StratifiedCellBootstrap(
        counts, np.array([0, 0, 1, 1])
    ),
    "swaps": lambda counts: CellSwaps(counts, np.flatnonzero(counts)),
}
each_sampler = pytest.mark.parametrize("sampler", SAMPLERS.values(), ids=SAMPLERS)


@each_sampler
def test_a_million_rows_cost_as_many_draws_as_a_thousand(sampler):
    few, many = (
        numbers_drawn(sampler((n * SHARES).astype(int))) for n in (10**3, 10**6)
    )
    assert few == many <= 10 * len(SHARES)


@pytest.mark.parametrize("sampler", [CellBootstrap, SAMPLERS["stratified"]])
@pytest.mark.parametrize("n", [10**3, 10**6, 10**9])
def test_nor_do_lookups_cost_more(sampler, n):
    """Rejected draws and counts that words leave undecided are included."""
    drawn = numbers_drawn(sampler((n * SHARES).astype(np.int64)), n_draws=1_000)
    assert drawn <= 3 * len(SHARES) * 1_000


def test_light_cells_cost_as_many_draws_as_they_have_units():
    light = np.ones(100, dtype=int)
    few, many = (
        numbers_drawn(CellBootstrap(np.append(light, heavy)), n_draws=1_000) / 1_000
        for heavy in (10**3, 10**6)
    )
    # 13 words for eight units each, units that are missing, some counts that words
    # leave open, the share of light cells, and the heavy cell
    for drawn in (few, many):
        assert 15 < drawn < 102


@pytest.mark.parametrize("scoring", ["accuracy", "f1_macro", "matthews_corrcoef"])
@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
def test_comparisons_of_large_samples_need_no_more_draws(test, scoring, monkeypatch):
    tallies = []

    def counted(seed, chunk):
        tallies.append(Tally([seed, chunk]))
        return tallies[-1]

    monkeypatch.setattr(_draw, "chunk_generator", counted)
    totals = []
    for n_repeats in (1, 50):
        truth, pred_a, pred_b = np.repeat(MANY_ROWS, n_repeats, axis=1)
        tallies.clear()
        compared = test(scoring=scoring, n_resamples=100, random_state=0)
        compared.fit_predictions(truth, pred_a, pred_b)
        totals.append(sum(tally.n_drawn for tally in tallies))
    assert totals[0] == totals[1] <= 100 * 27


def _many_rows():
    rng = np.random.default_rng(0)
    truth = rng.integers(3, size=4_000)
    predictions = [
        np.where(rng.random(4_000) < 0.4, truth, (truth + k) % 3) for k in (1, 2)
    ]
    predictions = [
        np.where(rng.random(4_000) < 0.4, 0, predicted) for predicted in predictions
    ]
    return np.stack([truth, *predictions])


MANY_ROWS = _many_rows()


# Chunks: the numbers depend on the seed alone.

SCHEMES = {
    "heavy": CellBootstrap(np.array([400, 100, 30])),
    "mixed": CellBootstrap(np.array([400, 3, 1, 30])),
    "strata": StratifiedCellBootstrap(np.array([40, 3, 1, 30]), np.array([0, 0, 1, 1])),
    "swaps": CellSwaps(np.array([400, 3, 64]), np.arange(3)),
}
each_scheme = pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)


def identity(block):
    return block


def evaluated(scheme, n_draws, n_jobs=None):
    return draw(Resampler(scheme, identity), n_draws, seed=7, n_jobs=n_jobs)


@each_scheme
def test_more_draws_begin_with_the_same_chunks(scheme):
    few = evaluated(scheme, 2 * scheme.chunk_size)
    many = evaluated(scheme, 3 * scheme.chunk_size + 5)
    np.testing.assert_array_equal(few, many[: len(few)])


@each_scheme
def test_a_chunk_is_drawn_by_its_own_generator(scheme):
    size = scheme.chunk_size
    alone = np.concatenate(list(scheme.blocks(size, size, chunk_generator(7, 1))))
    np.testing.assert_array_equal(alone, evaluated(scheme, 2 * size)[size:])


@each_scheme
def test_workers_do_not_change_the_numbers(scheme, monkeypatch):
    monkeypatch.setattr("skcompare._engine._workers.SECONDS_WORTH_WORKERS", 0)
    n_draws = 3 * scheme.chunk_size + 5
    alone, together = (evaluated(scheme, n_draws, n_jobs) for n_jobs in (1, 2))
    np.testing.assert_array_equal(alone, together)


@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
@pytest.mark.parametrize("scoring", ["f1_macro", "neg_mean_squared_error"])
def test_workers_do_not_change_a_comparison(test, scoring, monkeypatch):
    monkeypatch.setattr("skcompare._engine._workers.SECONDS_WORTH_WORKERS", 0)
    truth, pred_a, pred_b = MANY_ROWS[:, :300]
    if scoring == "neg_mean_squared_error":
        noise = np.random.default_rng(1).normal(size=(2, 300))
        pred_a, pred_b = pred_a + noise[0], pred_b + noise[1]
    distributions = [
        test(scoring=scoring, n_resamples=2_100, random_state=0, n_jobs=n_jobs)
        .fit_predictions(truth, pred_a, pred_b)
        .distribution_
        for n_jobs in (1, 2)
    ]
    np.testing.assert_array_equal(*distributions)


@pytest.mark.parametrize("n", [40, 1_024, 1_025, 5_000])
def test_rows_that_are_alike_in_all_keys_share_a_cell(n):
    """On both sides of the size from which a probe of the rows decides."""
    rng = np.random.default_rng(n)
    keys = [rng.integers(3, size=n), rng.choice(["a", "b"], size=n)]
    codes = joint_codes(keys).tolist()
    cells = list(zip(*(key.tolist() for key in keys), strict=True))
    same = dict(zip(cells, codes, strict=True))
    assert codes == [same[cell] for cell in cells]
    assert sorted(same.values()) == list(range(len(set(cells))))
    assert joint_codes([*keys, rng.random(n)]).tolist() == list(range(n))
