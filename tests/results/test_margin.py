"""P-values against a margin: non-inferiority, equivalence by two one-sided tests."""

import warnings

import numpy as np
import pytest

from skcompare import ApproxRandomization, McNemar, PairedBootstrap
from skcompare.exceptions import ParameterError
from skcompare.stats import margin_pvalue
from tests.rates import assert_level

N_ROWS = 60


@pytest.fixture(scope="module")
def labels():
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=N_ROWS)
    a, b = (np.where(rng.random(N_ROWS) < p, truth, 1 - truth) for p in (0.9, 0.7))
    return truth, a, b


def result_of(labels, **settings):
    settings = {"scoring": "accuracy", "n_resamples": 999, "random_state": 0} | settings
    return PairedBootstrap(**settings).fit_predictions(*labels).result_


def test_no_margin_is_the_test_itself(labels):
    result = result_of(labels)
    assert result.margin_pvalue(0.0) == result.pvalue
    assert result.margin_pvalue(1e-300) == result.pvalue
    mcnemar = McNemar().fit_predictions(*labels).result_
    assert mcnemar.margin_pvalue(0) == mcnemar.pvalue


@pytest.mark.parametrize("add_one", [True, False])
@pytest.mark.parametrize("method", ["shift", "percentile"])
def test_a_margin_counts_as_the_textbook_does(labels, method, add_one):
    result = result_of(labels, method=method, add_one=add_one, alternative="two-sided")
    # In whole rows, so that no rounding blurs ties.
    deltas = np.round(N_ROWS * result.distribution).astype(int)
    delta = round(N_ROWS * result.delta)
    for rows in (-6, 0, 3, 9, delta, delta + 2):
        above, below = deltas <= rows, deltas >= rows
        if method == "shift":
            above = deltas - delta >= delta - rows
            below = deltas - delta <= delta - rows
        for far, alternative in ((above, "greater"), (below, "less")):
            expected = (far.sum() + add_one) / (999 + add_one)
            assert result.margin_pvalue(rows / N_ROWS, alternative) == expected


def test_two_one_sided_tests_show_equivalence():
    deltas = np.linspace(-0.04, 0.06, 101)
    greater = margin_pvalue(deltas, 0.01, -0.045, "greater")
    less = margin_pvalue(deltas, 0.01, 0.065, "less")
    assert greater == less == 1 / 102
    # At a margin of 0.045 the upper side is not shown: 16 resamples are 0.035 below.
    less = margin_pvalue(deltas, 0.01, 0.045, "less", tolerance=1e-12)
    assert less == 17 / 102


def test_a_larger_margin_is_never_easier_to_show(labels):
    for method in ("shift", "percentile"):
        result = result_of(labels, method=method)
        pvalues = [result.margin_pvalue(m) for m in np.linspace(-0.3, 0.5, 33)]
        assert pvalues == sorted(pvalues)


@pytest.mark.parametrize("side", ["greater", "less"])
def test_a_lead_without_spread_is_no_surer_beyond_a_margin(side):
    """Five rows that all say the same are five equal signs, whatever the resamples."""
    right, wrong = np.ones(5, dtype=int), np.zeros(5, dtype=int)
    models = (right, wrong) if side == "greater" else (wrong, right)
    with warnings.catch_warnings(action="ignore"):
        result = result_of((right, *models), alternative=side)
    sign = 1 if side == "greater" else -1
    assert result.delta == sign
    assert result.pvalue > 1 / 1_000
    assert result.margin_pvalue(0.5 * sign, side) == result.pvalue


def test_models_that_agree_are_not_worse_but_not_better(labels):
    truth, a, _ = labels
    with pytest.warns(UserWarning, match="predict the same"):
        result = result_of((truth, a, a), n_resamples=99)
    assert result.margin_pvalue(-0.01) == 0.01
    assert result.margin_pvalue(0.0) == result.margin_pvalue(0.01) == 1


def test_other_tests_have_no_margin(labels):
    others = [
        ApproxRandomization(scoring="accuracy", n_resamples=99, random_state=0),
        PairedBootstrap(scoring="accuracy", n_resamples="ideal"),
        PairedBootstrap(scoring="accuracy", n_resamples="auto", random_state=0),
        McNemar(),
    ]
    for test in others:
        result = test.fit_predictions(*labels).result_
        with pytest.raises(ParameterError, match="`margin` must be 0 unless"):
            result.margin_pvalue(0.1)
    with pytest.raises(ParameterError, match="`alternative` must be one of"):
        result.margin_pvalue(0.1, "two-sided")


def test_a_true_difference_of_the_margin_is_seldom_exceeded(simulations):
    """At the boundary of the hypothesis the test rejects as often as its level says."""
    n_simulations, level, margin = simulations(410, 4000), 0.05, 0.05
    rng = np.random.default_rng(0)
    truth, n_passed = np.ones(300, dtype=int), 0
    for seed in range(n_simulations):
        a, b = (rng.random(300) < p for p in (0.8, 0.75))
        test = PairedBootstrap(n_resamples=399, random_state=seed, scoring="accuracy")
        result = test.fit_predictions(truth, a.astype(int), b.astype(int)).result_
        n_passed += result.margin_pvalue(margin) <= level
    assert n_passed > 0
    assert_level(n_passed, n_simulations, level)
