"""The numbers of the sign, signed-rank and t tests."""

import itertools
import time

import numpy as np
import pytest
from scipy import stats

from skcompare.stats.paired import (
    SignedRanks,
    paired_differences,
    paired_t_interval,
    paired_t_test,
    sign_test,
    signed_rank_test,
    signed_ranks,
    standardized_mean,
)
from skcompare.stats.pvalues import ALTERNATIVES

each_alternative = pytest.mark.parametrize("alternative", ALTERNATIVES)
each_zero_method = pytest.mark.parametrize("zero_method", ["wilcox", "pratt"])


def signed_rank_pvalue(
    differences, alternative, *, zero_method="wilcox", method="auto"
):
    differences = np.asarray(differences, dtype=float)
    signed = signed_ranks(
        differences, np.zeros(len(differences)), zero_method=zero_method
    )
    return signed_rank_test(signed, method=method, alternative=alternative)


@each_alternative
@pytest.mark.parametrize("n", [1, 2, 5, 12, 40])
def test_signed_ranks_without_ties_are_scipys(alternative, n):
    differences = np.random.default_rng(n).normal(0.3, size=n)
    expected = stats.wilcoxon(differences, alternative=alternative, method="exact")
    result = signed_rank_pvalue(differences, alternative)
    assert result.method == "exact"
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-12)


def enumerated(differences, alternative, zero_method):
    """Go through all signs of the ranks, with scipy's mean ranks."""
    kept = differences[differences != 0] if zero_method == "wilcox" else differences
    ranks = stats.rankdata(np.abs(kept))[kept != 0]
    observed = ranks[kept[kept != 0] > 0].sum()
    sums = np.array(
        [ranks @ signs for signs in itertools.product([0, 1], repeat=len(ranks))]
    )
    center = ranks.sum() / 2
    return {
        "greater": np.mean(sums >= observed),
        "less": np.mean(sums <= observed),
        "two-sided": np.mean(np.abs(sums - center) >= abs(observed - center)),
    }[alternative]


@each_alternative
@each_zero_method
def test_exact_signed_ranks_with_ties_and_zeros(alternative, zero_method):
    for seed in range(8):
        rng = np.random.default_rng(seed)
        differences = rng.integers(-3, 5, size=rng.integers(1, 12)).astype(float)
        expected = enumerated(differences, alternative, zero_method)
        result = signed_rank_pvalue(differences, alternative, zero_method=zero_method)
        assert result.pvalue == pytest.approx(expected, rel=1e-12)
        assert result.method == "exact"


@each_zero_method
@pytest.mark.parametrize("correction", ["greater", "less", "two-sided"])
def test_normal_signed_ranks_are_scipys(zero_method, correction):
    rng = np.random.default_rng(3)
    differences = rng.integers(-6, 9, size=400).astype(float)
    expected = stats.wilcoxon(
        differences,
        zero_method=zero_method,
        alternative=correction,
        method="auto",  # normal for so many rows; its name differs between versions
        correction=True,
    )
    result = signed_rank_pvalue(
        differences, correction, zero_method=zero_method, method="asymptotic"
    )
    assert result.method == "asymptotic"
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-9)


@each_alternative
def test_the_approximation_is_near_the_exact_pvalue(alternative):
    differences = np.random.default_rng(0).normal(0.08, size=300)
    exact, normal = (
        signed_rank_pvalue(differences, alternative, method=m).pvalue
        for m in ("exact", "asymptotic")
    )
    assert normal == pytest.approx(exact, rel=0.01)


def test_far_tails_of_signed_ranks_keep_their_precision():
    for n in (10, 60, 300):
        differences = np.arange(1.0, n + 1)
        result = signed_rank_pvalue(differences, "greater", method="exact")
        assert result.pvalue == pytest.approx(2.0**-n, rel=1e-12)
        differences[0] = -1.0  # 1 + 1 sets of ranks sum to as much
        result = signed_rank_pvalue(differences, "greater", method="exact")
        assert result.pvalue == pytest.approx(2.0 ** (1 - n), rel=1e-12)
    for method in ("exact", "asymptotic"):
        tied = signed_rank_pvalue(np.ones(5_000), "greater", method=method)
        assert 0 < tied.pvalue < 1e-300


def test_auto_is_exact_where_that_is_quick():
    rng = np.random.default_rng(0)
    few, many = rng.normal(size=500), rng.normal(size=5_000)
    assert signed_rank_pvalue(few, "greater").method == "exact"
    assert signed_rank_pvalue(many, "greater").method == "asymptotic"
    right = rng.choice([-1.0, 1.0], size=100_000)  # ranks that are all the same
    start = time.perf_counter()
    assert signed_rank_pvalue(right, "greater").method == "exact"
    assert time.perf_counter() - start < 5
    with pytest.raises(ValueError, match="`method` 'exact' must take no more"):
        signed_rank_pvalue(rng.normal(size=20_000), "greater", method="exact")


def test_hedges_correction_removes_the_bias(simulations):
    """The mean of g over samples of 5 is the true 0.8; that of d is a quarter more."""
    rng = np.random.default_rng(0)
    n_simulations = simulations(4_000, 40_000)
    sizes = np.array(
        [
            standardized_mean(rng.normal(0.8, size=5), np.zeros(5))
            for _ in range(n_simulations)
        ]
    )
    d, g = sizes.mean(axis=0)
    error = sizes[:, 1].std() / np.sqrt(n_simulations)
    assert g == pytest.approx(0.8, abs=4 * error)
    assert d > 0.8 + 4 * error
    factor = sizes[0, 1] / sizes[0, 0]
    assert factor == pytest.approx(1 - 3 / (4 * 4 - 1), rel=5e-3)


def test_small_differences_between_large_scores_count():
    differences, _ = paired_differences([1e6 + 1e-3, 1e-6, 0.0], [1e6, 2e-6, 0.0])
    assert (differences[:2] != 0).all()
    assert differences[2] == 0


def test_sizes_of_no_effect():
    empty = SignedRanks(np.array([]), np.array([], dtype=bool))
    assert empty.biserial_correlation == 0
    for method in ("auto", "exact", "asymptotic"):
        result = signed_rank_test(empty, method=method, alternative="greater")
        assert result.pvalue == 1
    zeros = (np.zeros(4), np.zeros(4))
    assert standardized_mean(*zeros) == (0, 0)
    assert paired_t_interval(*zeros, 0.95) == (-np.inf, np.inf)
    assert sign_test(0, 0, alternative="greater").pvalue == 1


def test_a_mean_of_zero_is_no_evidence_either_way():
    differences, exact = np.array([1.0, -1.0, 2.0, -2.0]), np.zeros(4)
    for alternative, expected in (("greater", 0.5), ("less", 0.5), ("two-sided", 1)):
        result = paired_t_test(differences, exact, alternative=alternative)
        assert result.pvalue == pytest.approx(expected)
    assert standardized_mean(differences, exact) == (0, 0)


def test_zeros_weigh_in_with_pratt():
    differences = np.array([0.0, 0, 0, 0, -1, 2, 3])
    wilcox, pratt = (
        signed_ranks(differences, np.zeros(7), zero_method=z)
        for z in ("wilcox", "pratt")
    )
    np.testing.assert_array_equal(wilcox.ranks, [1, 2, 3])
    np.testing.assert_array_equal(pratt.ranks, [5, 6, 7])
    assert wilcox.biserial_correlation == pytest.approx(4 / 6)
    assert pratt.biserial_correlation == pytest.approx(8 / 18)


@pytest.mark.parametrize("method", ["exact", "asymptotic"])
def test_ranks_that_balance_have_a_pvalue_of_one(method):
    """A correction for continuity does not go beyond the center."""
    balanced = SignedRanks(np.arange(1.0, 9), np.array([1, 0, 0, 1] * 2, dtype=bool))
    assert balanced.sum_positive == 18
    test = signed_rank_test(balanced, method=method, alternative="two-sided")
    assert test.pvalue == 1


def test_sizes_that_are_equal_but_for_rounding_share_a_rank():
    differences = np.array([0.3, -(0.1 + 0.2), 1.0, -1.0, 0.9999])
    signed = signed_ranks(differences, np.full(5, 1e-12), zero_method="wilcox")
    assert signed.ranks.tolist() == [1.5, 1.5, 4.5, 4.5, 3.0]
