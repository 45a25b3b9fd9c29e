"""McNemar's interval and the p-values of differences that do not vary."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportions_ztest

from skcompare.stats.blocks import friedman_chi2, iman_davenport
from skcompare.stats.correlations import steiger_test
from skcompare.stats.folds import (
    NestedRound,
    clt_estimate,
    conservative_estimate,
    corrected_estimate,
    five_by_two_f,
    five_by_two_t,
    nested_estimate,
)
from skcompare.stats.paired import (
    MCNEMAR_VARIANTS,
    constant_pvalue,
    mcnemar_interval,
    mcnemar_test,
    paired_t_test,
    precision_test,
    sign_test,
    tango_interval,
)
from tests.rates import assert_level

ALTERNATIVES = ["greater", "less", "two-sided"]


# Precision


def predicted(*counts):
    """Return truth and predictions, given counts of (truth, A, B) from 000 to 111."""
    return np.repeat(np.indices((2, 2, 2)).reshape(3, -1), counts, axis=1).astype(bool)


def test_the_score_statistic_of_precision_is_the_published_formula():
    """Kosinski (2013): with the pooled value p and the part of rows that are shared."""
    rows = truth, a, b = predicted(30, 4, 9, 3, 20, 5, 17, 12)
    n_a, n_b = a.sum(), b.sum()
    p = ((a & truth).sum() + (b & truth).sum()) / (n_a + n_b)
    right, wrong = (a & b & truth).sum(), (a & b & ~truth).sum()
    shared = (right * (1 - p) ** 2 + wrong * p**2) / (n_a + n_b)
    variance = (p * (1 - p) - 2 * shared) * (1 / n_a + 1 / n_b)
    difference = truth[a].mean() - truth[b].mean()
    result = precision_test(*rows, alternative="two-sided")
    assert result.statistic**2 == pytest.approx(difference**2 / variance)
    assert result.pvalue == pytest.approx(stats.chi2.sf(result.statistic**2, 1))
    sides = [precision_test(*rows, alternative=side).pvalue for side in ALTERNATIVES]
    assert sides[0] + sides[1] == pytest.approx(1)
    assert sides[2] == pytest.approx(2 * min(sides[:2]))


def test_precisions_of_disjoint_predictions_are_two_proportions():
    rows = truth, a, b = predicted(40, 6, 11, 0, 25, 14, 29, 0)
    counts, totals = [(a & truth).sum(), (b & truth).sum()], [a.sum(), b.sum()]
    z, pvalue = proportions_ztest(counts, totals)
    result = precision_test(*rows, alternative="two-sided")
    assert (result.statistic, result.pvalue) == pytest.approx((z, pvalue))


@pytest.mark.parametrize(
    "counts",
    [
        (5, 0, 0, 4, 5, 0, 0, 6),  # the same predictions
        (5, 0, 0, 0, 5, 3, 4, 6),  # all of them right
        (5, 3, 4, 6, 5, 0, 0, 0),  # all of them wrong
        (5, 3, 0, 0, 5, 3, 0, 0),  # A predicts no positives
        (5, 0, 0, 0, 5, 0, 0, 0),  # nor does B
    ],
)
def test_precisions_that_cannot_be_compared_have_a_pvalue_of_one(counts):
    result = precision_test(*predicted(*counts), alternative="two-sided")
    assert result[:2] == (0, 1)


@pytest.mark.parametrize(
    ("recall", "precision"), [((0.9, 0.1), 0.5), ((0.9, 0.2), 0.8)]
)
def test_equal_precisions_are_rejected_at_the_level(recall, precision, simulations):
    """On 100 rows, where swaps and resamples reject .10 to .26."""
    rng, n, count = np.random.default_rng(0), simulations(2_000, 20_000), 0
    rates = [(r, 3 / 7 * r * (1 - precision) / precision) for r in recall]
    for _ in range(n):
        truth = rng.random(100) < 0.3
        models = [rng.random(100) < np.where(truth, *rate) for rate in rates]
        result = precision_test(truth, *models, alternative="two-sided")
        count += result.pvalue <= 0.05
    assert_level(count, n)
    assert count > 0.03 * n


@pytest.mark.parametrize("variant", MCNEMAR_VARIANTS)
def test_mcnemars_interval_and_pvalue_agree_on_every_small_table(variant):
    n_moved = 0
    for b in range(13):
        for c in range(13):
            result = mcnemar_interval(b, c, 30, 0.95, variant=variant)
            low, high = result.interval
            p = mcnemar_test(b, c, variant=variant, alternative="two-sided").pvalue
            assert (low < 0 < high) <= (p > 0.05)  # 0 within: not rejected
            assert (low > 0 or high < 0) <= (p <= 0.05)
            assert low <= (b - c) / 30 <= high
            assert low < high
            n_moved += result.moved
            if not result.moved and b + c > 0:
                assert (low, high) == tango_interval(b, c, 30, 0.95)
    assert (n_moved == 0) == (variant == "chi2")


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("mean", [0.5, -0.5, 0.0])
def test_constant_differences_have_the_pvalue_of_the_sign_test(mean, alternative):
    n = 6
    signs = sign_test(n * (mean > 0), n * (mean < 0), alternative=alternative).pvalue
    same = np.full(n, mean)
    assert constant_pvalue(mean, n, alternative) == signs
    assert paired_t_test(same, np.zeros(n), alternative=alternative).pvalue == signs
    clt = clt_estimate(same, variance="all-pairs")
    assert clt.pvalue(alternative) == signs


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("mean", [0.5, -0.5, 0.0])
def test_folds_of_the_same_rows_count_as_one_sign(mean, alternative):
    one = sign_test(int(mean > 0), int(mean < 0), alternative=alternative).pvalue
    halves = np.full((5, 2), mean)
    nested, _ = nested_estimate([NestedRound(mean, mean, 0.0, 0.0)], 6)
    for estimate in (
        corrected_estimate(np.full(6, mean), 0.25),
        nested,
        five_by_two_t(halves),
    ):
        assert estimate.pvalue(alternative) == one
        assert estimate.interval(0.95) == (-np.inf, np.inf)
    assert five_by_two_f(halves).pvalue == 1


def test_no_pvalue_is_zero():
    assert 0 < constant_pvalue(1.0, 10**6, "two-sided") < 1e-300
    halves = np.array([[0.1, 0.100001], [0.1, 0.100001]])
    sure = conservative_estimate(np.full(5, 0.1), halves)
    assert 0 < sure.pvalue("greater") < 1e-300
    assert 0 < steiger_test(0.9, 0.1, 0.0, 10**4, alternative="greater").pvalue < 1e-300
    ranks = np.tile([1.0, 2.0, 3.0], (2_000, 1))
    assert 0 < friedman_chi2(ranks).pvalue < 1e-300
    assert 0 < iman_davenport(ranks).pvalue < 1e-300
    ranks[0] = 3, 2, 1
    assert 0 < iman_davenport(ranks).pvalue < 1e-300


def test_signs_that_disagree_bound_nothing():
    """Folds that are constant within, of opposite signs, have no variance within."""
    scores, fold = np.array([3.0, 3.0, -1.0, -1.0]), np.array([0, 0, 1, 1])
    result = clt_estimate(scores, variance="within-fold", fold=fold)
    assert (result.error, result.pvalue("greater")) == (0, 0.5)
    halves = np.array([[2, 2], [-1, -1], [1, 1], [1, 1], [1, 1]]) / 8
    assert five_by_two_t(halves).pvalue("two-sided") == 1
