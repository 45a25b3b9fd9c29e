"""Posteriors as numbers: intervals, regions and decisions."""

import numpy as np
import pytest
from scipy import stats

from skcompare.exceptions import MultimodalPosteriorWarning
from skcompare.stats.folds import student_posterior
from skcompare.stats.paired import StudentEstimate
from skcompare.stats.posterior import (
    CredibleInterval,
    as_rope,
    decide,
    density_of,
    equally_likely,
    hdi,
    is_multimodal,
    summarize_draws,
)


def hdi_by_density(distribution, probability):
    """Find the region whose density is above a level, by bisection of the level."""
    grid = np.linspace(*distribution.ppf([1e-9, 1 - 1e-9]), 200_001)
    density = distribution.pdf(grid)
    low, high = 0.0, density.max()
    for _ in range(40):
        level = (low + high) / 2
        inside = grid[density >= level]
        mass = distribution.cdf(inside[-1]) - distribution.cdf(inside[0])
        low, high = (level, high) if mass > probability else (low, level)
    return inside[0], inside[-1]


@pytest.mark.parametrize(
    "distribution", [stats.norm(0.1, 2.0), stats.beta(3, 20), stats.gamma(2.5)]
)
@pytest.mark.parametrize("probability", [0.5, 0.95])
def test_the_interval_of_many_values_is_that_of_the_exact_density(
    distribution, probability
):
    expected = hdi_by_density(distribution, probability)
    draws = equally_likely(distribution, 200_000)
    spread = distribution.std()
    np.testing.assert_allclose(hdi(draws, probability), expected, atol=5e-3 * spread)


def test_the_interval_is_the_shortest_by_enumeration():
    draws = np.random.default_rng(0).gamma(2.0, size=60)
    ordered = np.sort(draws)
    windows = [
        (ordered[j] - ordered[i], ordered[i], ordered[j])
        for i in range(60)
        for j in range(i, 60)
        if (j - i + 1) / 60 >= 0.8
    ]
    assert hdi(draws, 0.8) == min(windows)[1:]


def test_a_share_that_is_whole_needs_no_further_draw():
    # 0.07 * 100 is a little more than 7 in floating point.
    assert hdi(np.arange(100.0), 0.07) == (0.0, 6.0)


def test_draws_that_are_all_the_same_give_an_interval_without_width():
    assert hdi([0.25, 0.25, 0.25]) == (0.25, 0.25)
    assert hdi(np.full(10, 0.3)) == (0.3, 0.3)  # whose deviation is not quite 0
    assert hdi([3.0]) == (3.0, 3.0)


def test_several_peaks_are_warned_of():
    rng = np.random.default_rng(0)
    draws = np.concatenate([rng.normal(-3, 1, 4_000), rng.normal(3, 1, 2_000)])
    with pytest.warns(MultimodalPosteriorWarning, match="several peaks"):
        hdi(draws)


@pytest.mark.parametrize("n_far", [1, 50, 100])
def test_a_few_draws_far_away_do_not_hide_two_peaks(n_far):
    rng = np.random.default_rng(0)
    peaks = [rng.normal(0, 1, 5_000), rng.normal(10, 1, 5_000)]
    with pytest.warns(MultimodalPosteriorWarning, match="several peaks"):
        hdi(np.concatenate([*peaks, np.full(n_far, 1e4)]))


def test_a_few_draws_far_away_are_no_peak():
    rng = np.random.default_rng(0)
    assert not is_multimodal(np.append(rng.normal(size=5_000), [50.0, 51.0, -70.0]))
    assert not is_multimodal(rng.standard_cauchy(5_000))


LATTICES = {
    "binomial 3": lambda rng: rng.binomial(3, 0.5, 50_000),
    "binomial 2": lambda rng: rng.binomial(2, 0.5, 50_000),
    "binomial 20": lambda rng: rng.binomial(20, 0.3, 50_000) / 20,
    "poisson": lambda rng: rng.poisson(0.7, 5_000),
    "hardly varied": lambda rng: rng.poisson(0.15, 50_000),
    "rounded": lambda rng: rng.normal(size=5_000).round(1),
    # the same values, apart by rounding
    "smeared": lambda rng: rng.binomial(3, 0.5, 5_000) + 1e-15 * rng.normal(size=5_000),
}


@pytest.mark.parametrize("make", LATTICES.values(), ids=LATTICES)
def test_the_gaps_of_a_lattice_are_no_valleys(make):
    assert not is_multimodal(make(np.random.default_rng(0)).astype(float))


def test_a_lattice_may_have_two_peaks():
    rng = np.random.default_rng(0)
    assert is_multimodal(rng.choice([-100.0, 1.0], 300))
    assert is_multimodal(rng.choice([-100.0, 0.0, 1.0], 300, p=[0.45, 0.1, 0.45]))
    far = 12 * rng.binomial(1, 0.3, 5_000)
    assert is_multimodal((rng.binomial(3, 0.5, 5_000) + far).astype(float))


@pytest.mark.parametrize("n_draws", [50, 1_000, 50_000])
@pytest.mark.parametrize("kind", ["normal", "exponential", "standard_t"])
def test_one_peak_is_not_taken_for_several(n_draws, kind):
    rng = np.random.default_rng(1)
    args = (3,) if kind == "standard_t" else ()
    alarms = [is_multimodal(getattr(rng, kind)(*args, size=n_draws)) for _ in range(50)]
    # Fifty draws may have two clusters by chance, and the far draws of t do; a clear
    # second peak is rare.
    assert sum(alarms) <= (2 if n_draws == 50 else 0)


@pytest.mark.parametrize(
    ("draws", "probability", "message"),
    [
        ([1.0, np.nan], 0.9, "`draws` must be a non-empty .* array of finite numbers"),
        ([[1.0, 2.0]], 0.9, "`draws` must be"),
        ([], 0.9, "`draws` must be"),
        ("a", 0.9, "`draws` must be a non-empty one-dimensional array of .* Got 'a'"),
        (None, 0.9, "`draws` must be"),
        ([[1.0], [1.0, 2.0]], 0.9, "`draws` must be a non-empty one-dimensional"),
        ([1.0, 2.0], 1.0, "`probability` must lie strictly between 0 and 1"),
    ],
)
def test_bad_input_of_hdi(draws, probability, message):
    with pytest.raises(ValueError, match=message):
        hdi(draws, probability)


@pytest.mark.parametrize(
    "rope", [-0.1, np.nan, np.inf, True, "0.1", None, (0.1,), (0.2, "0.3"), [0, 1, 2]]
)
def test_bad_ropes(rope):
    with pytest.raises(ValueError, match="`rope` must be"):
        as_rope(rope)


@pytest.mark.parametrize("rope", [(0.1, -0.1), (0.1, 0.2), (np.nan, 0.1), (-1, np.inf)])
def test_a_pair_of_the_wrong_order_or_without_zero(rope):
    with pytest.raises(ValueError, match="low <= 0 <= high"):
        as_rope(rope)


def test_ropes_are_pairs_in_the_end():
    assert as_rope(0.05) == (-0.05, 0.05)
    assert as_rope(np.float32(0.5)) == (-0.5, 0.5)
    assert as_rope(np.array([-0.01, 0.02])) == (-0.01, 0.02)
    assert str(as_rope(0)) == "Rope(low=0.0, high=0.0)"  # no negative zero


@pytest.mark.parametrize(
    ("interval", "rope", "decision"),
    [
        # The rules of the report by Iqbal, on its region of 0.05 ...
        ((-0.27, -0.15), 0.05, "<<"),
        ((0.11, 0.23), 0.05, ">>"),
        ((-0.04, 0.04), 0.05, "~"),
        # ... which calls this equivalent too, and we do not.
        ((-0.06, 0.06), 0.05, "?"),
        ((0.04, 0.16), 0.05, "?"),
        # Ends belong to the region.
        ((-0.05, 0.05), 0.05, "~"),
        ((0.05, 0.1), 0.05, "?"),
        # Without a region the sign decides.
        ((0.001, 0.1), 0, ">>"),
        ((-0.1, -0.001), 0, "<<"),
        ((-0.001, 0.1), 0, "?"),
        ((0.0, 0.0), 0, "~"),
    ],
)
def test_decisions(interval, rope, decision):
    assert decide(CredibleInterval(*interval), as_rope(rope)) == decision


def test_probabilities_are_shares_of_draws_and_sum_to_one():
    draws = np.array([-0.3, -0.1, -0.05, 0.0, 0.0, 0.1, 0.2])
    result = summarize_draws(draws, as_rope((-0.05, 0.1)), 0.9)
    assert (result.p_worse, result.p_equivalent, result.p_better) == (
        2 / 7,
        4 / 7,
        1 / 7,
    )
    assert result.p_direction == 3 / 7
    assert result.posterior_mean == pytest.approx(draws.mean())


def test_no_region_leaves_no_room_for_equivalence():
    draws = np.random.default_rng(0).normal(0.1, 1.0, size=1_000)
    result = summarize_draws(draws, as_rope(0), 0.95)
    assert result.p_equivalent == 0
    assert result.p_better + result.p_worse == 1
    assert result.p_direction == result.p_better


def test_closed_form_and_draws_agree():
    posterior, rope = stats.t(9, 0.02, 0.01), as_rope(0.01)
    estimate = StudentEstimate(0.02, 0.01, 9, 1)
    closed, *_ = student_posterior(estimate, rope, 0.9)
    drawn = summarize_draws(equally_likely(posterior, 100_000), rope, 0.9)
    np.testing.assert_allclose(closed[3:7], drawn[3:7], atol=2e-5)
    assert closed.posterior_mode == 0.02
    assert drawn.posterior_mode == pytest.approx(0.02, abs=1e-3)
    np.testing.assert_allclose(closed.hdi, drawn.hdi, atol=1e-4)
    np.testing.assert_allclose(closed.hdi, posterior.interval(0.9), atol=1e-7)


def test_the_density_is_near_that_of_the_distribution_and_sums_to_one():
    draws = np.random.default_rng(0).normal(size=50_000)
    grid, density = density_of(draws)
    assert np.sum(density) * (grid[1] - grid[0]) == pytest.approx(1.0)
    assert np.abs(density - stats.norm.pdf(grid)).max() < 0.03


def test_the_density_of_a_point_is_a_spike_about_it():
    grid, density = density_of(np.full(10, 0.5))
    assert abs(grid[np.argmax(density)] - 0.5) < 1e-8
    assert np.isfinite(density).all()


@pytest.fixture(scope="module")
def draws():
    return equally_likely(stats.norm(0.03, 0.01), 2_001)


def test_draws_that_vary_by_1e_10_have_a_mode_of_their_own():
    draws = stats.gamma.ppf((np.arange(4_000) + 0.5) / 4_000, 2.0)
    plain, small = (
        summarize_draws(each, as_rope(0.01), 0.95).posterior_mode
        for each in (draws, 1 + 1e-10 * draws)
    )
    assert plain < np.median(draws) - 0.3
    assert (small - 1) / 1e-10 == pytest.approx(plain, abs=1e-3)
