"""McNemar's interval and the p-values of differences that do not vary."""

import numpy as np
import pytest

from skcompare.stats.folds import (
    NestedRound,
    clt_estimate,
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
    sign_test,
    tango_interval,
)

ALTERNATIVES = ["greater", "less", "two-sided"]


@pytest.mark.parametrize("variant", MCNEMAR_VARIANTS)
def test_mcnemars_interval_and_pvalue_agree_on_every_small_table(variant):
    n_moved = 0
    for b in range(13):
        for c in range(13):
            found = mcnemar_interval(b, c, 30, 0.95, variant=variant)
            low, high = found.interval
            p = mcnemar_test(b, c, variant=variant, alternative="two-sided").pvalue
            assert (low < 0 < high) <= (p > 0.05)  # 0 within: not rejected
            assert (low > 0 or high < 0) <= (p <= 0.05)
            assert low <= (b - c) / 30 <= high
            assert low < high
            n_moved += found.moved
            if not found.moved and b + c > 0:
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
    assert corrected_estimate(same, 0.25).pvalue(alternative) == signs
    clt = clt_estimate(same, variance="all-pairs")
    assert clt.pvalue(alternative) == signs
    nested, _ = nested_estimate([NestedRound(mean, mean, 0.0, 0.0)], n)
    assert nested.pvalue(alternative) == signs
    if alternative == "two-sided":
        ten = sign_test(10 * (mean > 0), 10 * (mean < 0), alternative=alternative)
        halves = np.full((5, 2), mean)
        assert five_by_two_f(halves).pvalue == ten.pvalue
        assert five_by_two_t(halves).pvalue(alternative) == ten.pvalue


def test_no_pvalue_is_zero():
    assert 0 < constant_pvalue(1.0, 10**6, "two-sided") < 1e-300


def test_signs_that_disagree_bound_nothing():
    """Folds that are constant within, of opposite signs, have no variance within."""
    scores, fold = np.array([3.0, 3.0, -1.0, -1.0]), np.array([0, 0, 1, 1])
    found = clt_estimate(scores, variance="within-fold", fold=fold)
    assert (found.error, found.pvalue("greater")) == (0, 0.5)
    halves = np.array([[2, 2], [-1, -1], [1, 1], [1, 1], [1, 1]]) / 8
    assert five_by_two_t(halves).pvalue("two-sided") == 1
