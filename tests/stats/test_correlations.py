"""Tests of correlations with the same target."""

import numpy as np
import pytest
from scipy import stats

from skcompare.stats.correlations import (
    correlation_t_test,
    steiger_test,
    williams_test,
    without_rounding,
)
from tests.rates import assert_level

ALTERNATIVES = ["greater", "less", "two-sided"]


def test_the_figures_of_psych():
    """R: psych::r.test(103, .4, .5, .1) gives t = -.89 and p = .37."""
    result = williams_test(0.4, 0.5, 0.1, 103, alternative="two-sided")
    assert round(result.statistic, 2) == -0.89
    assert round(result.pvalue, 2) == 0.37
    few = williams_test(0.4, 0.9, 0.1, 6, alternative="two-sided")
    assert few.pvalue == pytest.approx(2 * stats.t.cdf(few.statistic, 6 - 3))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_a_single_correlation_is_tested_as_by_scipy(alternative):
    x, y = np.random.default_rng(0).normal(size=(2, 17))
    expected = stats.pearsonr(x, x + 2 * y, alternative=alternative)
    result = correlation_t_test(expected.statistic, 17, alternative=alternative)
    assert result.pvalue == pytest.approx(expected.pvalue)


def test_a_perfect_correlation_has_the_chance_of_one_order():
    assert correlation_t_test(1.0, 5, alternative="greater").pvalue == pytest.approx(
        1 / 120
    )
    assert correlation_t_test(1.0, 5, alternative="less").pvalue == 1
    assert 0 < correlation_t_test(-1.0, 10**6, alternative="less").pvalue < 1e-300


@pytest.mark.parametrize("test", [williams_test, steiger_test])
@pytest.mark.parametrize("correlation", [0.0, 0.8])
def test_the_level_is_kept(test, correlation, simulations):
    n_simulations = simulations(710, 10_000)
    rng, count = np.random.default_rng(1), 0
    for _ in range(n_simulations):
        truth, shared = rng.normal(size=(2, 30))
        mixed = np.sqrt(correlation) * shared
        own = np.sqrt(1 - correlation) * rng.normal(size=(2, 30))
        r = np.corrcoef(np.vstack([truth, truth + mixed + own]))
        result = test(r[0, 1], r[0, 2], r[1, 2], 30, alternative="two-sided")
        count += result.pvalue <= 0.05
    assert_level(count, n_simulations, slack=0.01)
    assert count > stats.binom.ppf(0.001, n_simulations, 0.04)


@pytest.mark.parametrize("test", [williams_test, steiger_test])
def test_sides_and_ties(test):
    sides = [test(0.6, 0.4, 0.5, 40, alternative=a).pvalue for a in ALTERNATIVES]
    assert sides[0] + sides[1] == pytest.approx(1)
    assert sides[2] == pytest.approx(2 * min(sides[:2]))
    assert test(0.6, 0.6, 1.0, 40, alternative="two-sided")[:2] == (0, 1)
    with pytest.raises(ValueError, match="at least 4"):
        test(0.6, 0.5, 0.4, 3, alternative="greater")


def test_both_tests_meet_for_many_rows():
    both = [
        test(0.62, 0.60, 0.5, 5_000, alternative="greater").pvalue
        for test in (williams_test, steiger_test)
    ]
    assert both[0] == pytest.approx(both[1], rel=0.02)


def test_opposite_models_test_for_a_correlation():
    result = williams_test(0.3, -0.3, -1.0, 50, alternative="two-sided")
    assert result == correlation_t_test(0.3, 50, alternative="two-sided")


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_correlation_of_1_less_1e_10_is_not_1(sign):
    assert without_rounding(sign * (1 - 1e-10)) == sign * (1 - 1e-10)
    assert without_rounding(sign * (1 - 1e-15)) == sign
