"""Few or uneven groups."""

import itertools

import numpy as np
import pytest
import statsmodels.api as sm

from skcompare.stats.clusters import effective_number, wild_cluster_pvalue
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
    found = fit.fit(
        cov_type="cluster", cov_kwds={"groups": group, "use_correction": False}
    )
    return found.tvalues[0]


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_all_signs_give_what_statsmodels_errors_give(alternative):
    rng, sizes = np.random.default_rng(0), [12, 5, 3, 2, 2, 1]
    rows, group = clustered(rng, sizes, effect=1.0)
    sums = np.bincount(group, rows)
    found = wild_cluster_pvalue(sums, sizes, alternative, n_resamples=99, rng=rng)
    assert found.statistic == pytest.approx(robust_t(rows, group))
    signs = np.array(list(itertools.product([1, -1], repeat=6)))
    drawn = np.array([robust_t(rows * sign[group], group) for sign in signs])
    turn = {"greater": 1, "less": -1}.get(alternative)
    compare = np.abs if turn is None else lambda t: turn * t
    share = np.mean(compare(drawn) >= compare(drawn[0]) - 1e-9)
    assert (found.pvalue, found.method) == (share, "exact")


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
        found = wild_cluster_pvalue(sums, sizes, alternative, n_resamples=199, rng=rng)
        pvalues.append(found.pvalue)
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


def test_kishs_number():
    assert effective_number(np.full(7, 0.3)) == pytest.approx(7)
    assert effective_number([5, 0, 0]) == 1
    assert effective_number([]) == effective_number([0, 0]) == 0
    assert effective_number([1e200, 1e200]) == 2
    rng, weights = np.random.default_rng(4), np.array([8.0, 4, 2, 1, 1])
    means = rng.normal(size=(200_000, 5)) @ weights / weights.sum()
    assert 1 / means.var() == pytest.approx(effective_number(weights), rel=0.02)
