"""Few or uneven groups."""

import itertools
import math

import numpy as np
import pytest
import statsmodels.api as sm

from skcompare.stats.clusters import (
    effective_number,
    fewest_of_label,
    wild_cluster_interval,
    wild_cluster_pvalue,
)
from tests.rates import assert_level


def clustered(rng, sizes, effect=0.0):
    """Return rows that share an effect of their group, and their groups."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    return effect + rng.normal(size=len(sizes))[group] + rng.normal(
        size=len(group)
    ), group


def robust_t(rows, group):
    """Return statsmodels' cluster-robust t of a mean."""
    fit = sm.OLS(rows, np.ones(len(rows)))
    fitted = fit.fit(
        cov_type="cluster", cov_kwds={"groups": group, "use_correction": False}
    )
    return fitted.tvalues[0]


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_all_signs_give_the_pvalue_of_statsmodels_errors(alternative):
    rng, sizes = np.random.default_rng(0), [12, 5, 3, 2, 2, 1]
    rows, group = clustered(rng, sizes, effect=1.0)
    sums = np.bincount(group, rows)
    result = wild_cluster_pvalue(sums, sizes, alternative, n_resamples=99, rng=rng)
    assert result.statistic == pytest.approx(robust_t(rows, group))
    signs = np.array(list(itertools.product([1, -1], repeat=6)))
    drawn = np.array([robust_t(rows * sign[group], group) for sign in signs])
    turn = {"greater": 1, "less": -1}.get(alternative)
    compare = np.abs if turn is None else lambda t: turn * t
    share = np.mean(compare(drawn) >= compare(drawn[0]) - 1e-9)
    assert (result.pvalue, result.method) == (share, "exact")


# Two-sided p-values of the Python package wildboottest 0.3.2 for a mean of these rows
# less some number, with all 1,024 signs: sets of signs that go further than the rows.
PEER = {-0.5: 20, -0.3316: 48, -0.3296: 50, -0.0613: 102, 0.0: 156, 1.2600: 104}
PEER |= {1.3325: 50, 1.3345: 48, 1.6: 0}


def rows_of_the_peer():
    sizes = np.array([12, 9, 7, 5, 4, 3, 2, 2, 1, 1])
    group, row = np.repeat(np.arange(10), sizes), np.arange(46)
    rows = 0.45 + np.cos(1.7 * group) + 0.8 * np.sin(2.3 * row)
    return np.bincount(group, rows), sizes


def test_pvalues_are_those_of_wildboottest():
    """It leaves out the signs of the rows themselves and their opposites."""
    sums, sizes = rows_of_the_peer()
    for mean, count in PEER.items():
        result = wild_cluster_pvalue(
            sums - mean * sizes, sizes, "two-sided", n_resamples=1_024, rng=None
        )
        assert (result.pvalue * 1_024, result.method) == (count + 2, "exact")
    # Its statistic has a factor for few groups, which changes no p-value.
    result = wild_cluster_pvalue(sums, sizes, "two-sided", n_resamples=1_024, rng=None)
    assert result.statistic * np.sqrt(0.9) == pytest.approx(1.8726452529)


def test_the_interval_ends_where_wildboottest_begins_to_reject():
    interval = wild_cluster_interval(
        *rows_of_the_peer(), 0.95, n_resamples=1_024, rng=None
    )
    ends = [m for m, count in PEER.items() if 0.045 < (count + 2) / 1_024 < 0.055]
    assert ends[0] < interval.low < ends[1]
    assert ends[2] < interval.high < ends[3]


@pytest.mark.parametrize(("n_groups", "n_resamples"), [(12, 199), (12, 200), (7, 128)])
def test_the_interval_ends_where_the_p_value_of_the_same_signs_is_the_level(
    n_groups, n_resamples
):
    """Of random signs or of all: a p-value of just the level rejects, too."""
    rng, sizes = np.random.default_rng(5), np.arange(1, n_groups + 1)
    rows, group = clustered(rng, sizes, effect=0.8)
    sums = np.bincount(group, rows)
    level = 0.95 if n_groups == 12 else 1 - 8 / 128

    def pvalue(mean):
        signs = {"n_resamples": n_resamples, "rng": np.random.default_rng(6)}
        left = sums - mean * sizes
        return wild_cluster_pvalue(left, sizes, "two-sided", **signs).pvalue

    low, high = wild_cluster_interval(
        sums, sizes, level, n_resamples=n_resamples, rng=np.random.default_rng(6)
    )
    step = 1e-6 * (high - low)
    assert min(pvalue(low + step), pvalue(high - step)) > 1 - level + 1e-9
    assert max(pvalue(low - step), pvalue(high + step)) <= 1 - level + 1e-9


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_ties_are_the_same_in_any_unit(alternative):
    """Tenths are rounded where whole numbers are not, and tie all the same."""
    rng = np.random.default_rng(7)
    for sums in rng.integers(-9, 10, size=(20, 7)).astype(float):
        pvalues = {
            wild_cluster_pvalue(
                sums * unit, np.ones(7), alternative, n_resamples=128, rng=None
            ).pvalue
            for unit in (1.0, 0.1, 1e-7)
        }
        assert len(pvalues) == 1


@pytest.mark.parametrize(("gap", "n_ties"), [(1e-6, 1), (1e-10, 2)])
@pytest.mark.parametrize(("alternative", "sides"), [("greater", 1), ("two-sided", 2)])
def test_statistics_that_are_1e_7_apart_are_no_ties(gap, n_ties, alternative, sides):
    """The sign of the last group takes a ten-millionth of the statistic, or nothing."""
    sums = np.array([1.0, 2, 3, 4, 5, 6, gap])
    result = wild_cluster_pvalue(
        sums, np.ones(7), alternative, n_resamples=128, rng=None
    )
    assert result.pvalue == sides * n_ties / 128


def test_groups_whose_means_are_1e_10_apart_vary():
    apart, sizes = np.array([1.0, -2, 3, -1, 2, -3, 1, 4]), np.ones(8)
    sums = 1 + 1e-10 * apart
    test = wild_cluster_pvalue(sums, sizes, "greater", n_resamples=256, rng=None)
    error = np.sqrt(np.sum((sums - sums.mean()) ** 2))
    assert test.statistic == pytest.approx(sums.sum() / error, rel=1e-9)
    low, high = wild_cluster_interval(sums, sizes, 0.9, n_resamples=256, rng=None)
    expected = wild_cluster_interval(apart, sizes, 0.9, n_resamples=256, rng=None)
    assert (low - 1) / 1e-10 == pytest.approx(expected.low, abs=1e-4)
    assert (high - 1) / 1e-10 == pytest.approx(expected.high, abs=1e-4)
    # Rounding is not variation.
    same = wild_cluster_pvalue(
        1 + 1e-15 * apart, sizes, "greater", n_resamples=256, rng=None
    )
    assert same.statistic == np.inf


def test_random_signs_near_all_of_them():
    rng, sizes = np.random.default_rng(1), np.arange(1, 13)
    rows, group = clustered(rng, sizes, effect=0.8)
    sums = np.bincount(group, rows)
    exact = wild_cluster_pvalue(sums, sizes, "greater", n_resamples=4_096, rng=rng)
    drawn = wild_cluster_pvalue(sums, sizes, "greater", n_resamples=4_095, rng=rng)
    assert (exact.method, drawn.method) == ("exact", "monte-carlo")
    assert drawn.pvalue == pytest.approx(exact.pvalue, abs=4 * np.sqrt(0.25 / 4_095))


@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
def test_uneven_groups_keep_the_level(alternative, simulations):
    """Groups of Zipf's sizes, on which a bootstrap of groups rejects .11 to .14."""
    n_simulations = simulations(410, 4_000)
    rng, sizes = np.random.default_rng(2), np.maximum(200 // np.arange(1, 31), 1)
    pvalues = []
    for _ in range(n_simulations):
        rows, group = clustered(rng, sizes)
        sums = np.bincount(group, rows)
        result = wild_cluster_pvalue(sums, sizes, alternative, n_resamples=199, rng=rng)
        pvalues.append(result.pvalue)
    assert_level(np.sum(np.array(pvalues) <= 0.05), n_simulations)


def test_degenerate_groups():
    rng = np.random.default_rng(3)
    for alternative in ("greater", "two-sided"):
        zero = wild_cluster_pvalue(
            np.zeros(5), np.ones(5), alternative, n_resamples=99, rng=rng
        )
        assert (zero.statistic, zero.pvalue) == (0, 1)
    same = wild_cluster_pvalue([2.0, 4.0], [1, 2], "greater", n_resamples=99, rng=rng)
    assert (same.statistic, same.pvalue) == (np.inf, 1 / 4)
    sums = [1.0, 2.0, np.nan]
    unknown = wild_cluster_pvalue(sums, np.ones(3), "less", n_resamples=99, rng=rng)
    assert unknown.pvalue == 1


def test_kishs_number():
    assert effective_number(np.full(7, 0.3)) == pytest.approx(7)
    assert effective_number([5, 0, 0]) == 1
    assert effective_number([]) == effective_number([0, 0]) == 0
    assert effective_number([1e200, 1e200]) == 2
    rng, weights = np.random.default_rng(4), np.array([8.0, 4, 2, 1, 1])
    means = rng.normal(size=(200_000, 5)) @ weights / weights.sum()
    assert 1 / means.var() == pytest.approx(effective_number(weights), rel=0.02)


@pytest.mark.parametrize("seed", range(20))
def test_the_fewest_groups_of_a_label_are_counted_label_by_label(seed):
    rng = np.random.default_rng(seed)
    labels, groups = rng.integers(4, size=40), rng.integers(12, size=40)
    weights = rng.exponential(size=40) * rng.integers(2, size=40)
    for own in (np.arange(40), groups):
        for w in (np.ones(40), weights):
            counts, effective = [], []
            for label in set(labels[w > 0]):
                sums = [w[(labels == label) & (own == g)].sum() for g in set(own)]
                sums = np.array(sums)
                counts.append(np.count_nonzero(sums))
                effective.append(sums.sum() ** 2 / (sums**2).sum() + 1e-9)
            expected = min(counts), math.floor(min(effective))
            assert fewest_of_label(labels, own, w) == expected
    assert fewest_of_label(labels) == (min(np.bincount(labels)),) * 2
    assert fewest_of_label(labels, groups, np.zeros(40)) == (0, 0)


def test_groups_whose_weights_are_equal_but_for_rounding_are_all_counted():
    """Their effective number may be 3.9999999999999996, of four groups."""
    rng, groups, labels = np.random.default_rng(0), np.repeat(range(4), 4), [0] * 16
    for _ in range(300):
        weights = np.concatenate(
            [rng.permutation([0.1, 0.2, 0.3, 0.7]) for _ in "four"]
        )
        assert fewest_of_label(np.array(labels), groups, weights) == (4, 4)


@pytest.mark.parametrize("n_groups", [2, 5, 6])
def test_an_interval_of_groups_that_all_have_one_mean_agrees_with_the_pvalue(n_groups):
    """Of five groups signs reject no mean at 0.05: the interval was one number."""
    sizes = np.arange(1.0, n_groups + 1)
    draws = {"n_resamples": 999, "rng": np.random.default_rng(0)}
    low, high = wild_cluster_interval(0.3 * sizes, sizes, 0.95, **draws)
    for away in (-1.0, 1.0):
        sums = (0.3 - away) * sizes
        test = wild_cluster_pvalue(sums, sizes, "two-sided", **draws)
        assert (low <= away <= high) == (test.pvalue > 0.05)
