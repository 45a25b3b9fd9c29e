"""Candidates of a search: which may be the best, and what of its lead lasts."""

import numpy as np
import pytest
from scipy import stats

from skcompare.stats.folds import conservative_estimate
from skcompare.stats.selection import (
    against_best,
    best_intervals,
    intervals_with_best,
)
from tests.rates import assert_level


def test_two_candidates_have_one_sided_bounds_of_their_difference():
    scores = np.random.default_rng(0).normal(size=(2, 12))
    gap = scores[0] - scores[1]
    reach = stats.ttest_1samp(gap, 0).confidence_interval(0.90).high - gap.mean()
    (low, high), (_, other) = best_intervals(scores, 0.0, 0.95)
    assert high == pytest.approx(max(gap.mean() + reach, 0))
    assert low == pytest.approx(min(gap.mean() - reach, 0))
    assert other == pytest.approx(-low)


@pytest.mark.parametrize("means", [[0, 0, 0, 0, 0], [2, 1.9, 1, 0, 0]])
def test_all_intervals_cover_together(means, simulations):
    n_simulations = simulations(410, 5_000)
    rng, covered = np.random.default_rng(1), 0
    means = np.array(means, dtype=float)
    truth = np.array([m - np.delete(means, i).max() for i, m in enumerate(means)])
    for _ in range(n_simulations):
        scores = means[:, np.newaxis] + rng.normal(size=(5, 10)) + rng.normal(size=10)
        lows, highs = best_intervals(scores, 0.0, 0.95).T
        covered += np.all((lows <= truth) & (truth <= highs))
    assert_level(n_simulations - covered, n_simulations)


def test_intervals_with_the_best_are_those_of_minitab():
    """Its example of the hardness of paints, 24 rows: intervals reach 5 on each side.

    Of the means of four blends those of the second and third end at 0, and those of the
    first and fourth do not.
    """
    means = np.array([14.733, 8.567, 12.983, 18.067])
    gaps = means[:, np.newaxis] - means
    intervals = intervals_with_best(gaps - 5.0, gaps + 5.0)
    assert intervals[1] == pytest.approx((-14.5, 0.0), abs=1e-3)
    assert intervals[2] == pytest.approx((-10.0833, 0.0), abs=1e-3)
    for low, high in intervals[[0, 3]]:
        assert low < 0 < high


def test_intervals_with_the_best_come_from_scipys_dunnett():
    """Hsu's, with each group in turn as the control that may be the best."""
    rng = np.random.default_rng(6)
    groups = rng.normal(size=(4, 8)) + np.array([[1.5], [1.2], [0.4], [-1.0]])
    n, lows = len(groups), np.zeros((4, 4))
    for best in range(n):
        others = np.delete(np.arange(n), best)
        test = stats.dunnett(
            *groups[others], control=groups[best], rng=rng, alternative="greater"
        )
        lows[others, best] = test.confidence_interval(0.95).low
    intervals = intervals_with_best(lows, -lows.T)
    ahead = np.array([np.delete(-lows[:, i], i).min() for i in range(n)])
    candidates = set(np.flatnonzero(ahead > 0))
    for one in range(n):
        rivals = list(candidates - {one})
        expected = min(0.0, *lows[one, rivals], 0.0) if rivals else 0.0
        assert intervals[one] == pytest.approx((expected, max(ahead[one], 0.0)))
    # All pairs are covered at least as far: the Bonferroni quantile is the larger.
    assert 0 < len(candidates) < n


def test_a_clear_winner_ends_at_zero_below_and_all_others_above():
    rng = np.random.default_rng(2)
    scores = np.array([[5.0], [1.0], [0.0]]) + rng.normal(scale=0.1, size=(3, 10))
    intervals = best_intervals(scores, 1 / 9)
    assert intervals[0, 0] == 0 < intervals[0, 1]
    assert (intervals[1:, 1] == 0).all()
    assert (intervals[1:, 0] < 0).all()


def test_candidates_that_tie_throughout_may_all_be_the_best():
    scores = np.tile(np.linspace(0.5, 0.9, 5), (3, 1))
    assert (best_intervals(scores, 1 / 4) == 0).all()


def test_two_of_one_score_do_not_exclude_each_other():
    """A parameter without effect made a worse candidate the only one to be best."""
    rng = np.random.default_rng(0)
    best, other = rng.normal([[0.9], [0.89]], 0.02, size=(2, 5))
    intervals = best_intervals(np.array([best, best, other]), 1 / 4)
    assert (intervals[:, 0] < 0).all()  # any may be the best
    assert intervals[:, 1].tolist()[:2] == [0.0, 0.0]  # neither is ahead of the other
    clear = best_intervals(np.array([best, best, other - 1]), 1 / 4)
    assert (clear[:2] == 0).all()
    assert clear[2, 0] < clear[2, 1] == 0


def test_a_lead_that_is_the_same_on_every_split_shows_nothing():
    """Of how it varies: `against_best` knew that, and these intervals were certain."""
    scores = np.linspace(0.5, 0.9, 5) + np.array([[0.1], [0.0], [-0.1]])
    intervals = best_intervals(scores, 1 / 4)
    assert (intervals[:, 0] < 0).all()
    assert (intervals[:, 1] > 0).all()
    assert np.isinf(against_best(scores, 0, 1 / 4, 0.95).intervals[1:]).all()


def test_leads_that_vary_by_1e_10_have_a_spread():
    base, more = np.linspace(0.5, 0.9, 5), np.array([1.0, -2.0, 3.0, -1.0, 2.0])
    intervals = best_intervals(np.array([base + 1e-10 * more, base]), 1 / 4)
    expected = best_intervals(np.array([more, np.zeros(5)]), 1 / 4)
    np.testing.assert_allclose(intervals, 1e-10 * expected, rtol=1e-5)


def test_the_conservative_variance_is_that_of_two_halves():
    """Half the mean square of the difference is the variance of either."""
    rng = np.random.default_rng(5)
    halves = rng.normal(0.3, 0.2, size=(100_000, 2))
    estimate = conservative_estimate(np.array([0.3, 0.4]), halves)
    assert estimate.error == pytest.approx(0.2, rel=0.01)
    assert estimate.pvalue("greater") == pytest.approx(
        stats.norm.sf(0.35 / 0.2), rel=0.02
    )


def test_halves_that_never_differ_have_the_pvalue_of_two_signs():
    same = conservative_estimate(np.full(5, 0.1), np.full((3, 2), 0.1))
    assert same.pvalue("greater") == 2**-2
    assert conservative_estimate(np.zeros(5), np.zeros((3, 2))).pvalue("less") == 1
