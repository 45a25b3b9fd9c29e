"""Exact p-values of exchanged predictions against going through all exchanges."""

import itertools

import numpy as np
import pytest
from sklearn.metrics import make_scorer, precision_score

from skcompare import ApproxRandomization

ALTERNATIVES = ("greater", "less", "two-sided")
EXACT = "exact"

rng = np.random.default_rng(11)
N = 14
TRUTH = rng.normal(size=N)
# No two sums of such losses are equal, and none is a multiple of a common step.
PRED_A = TRUTH + rng.gamma(1.0, size=N)
PRED_B = TRUTH - rng.gamma(1.5, size=N)


def all_exchanges(a, b, groups):
    """Return the difference of means after each exchange, row by row or by groups."""
    codes = np.unique(groups, return_inverse=True)[1]
    sums = np.bincount(codes, weights=a - b) / len(a)
    signs = np.array(list(itertools.product([1, -1], repeat=len(sums))))
    return signs @ sums


def pvalue_of(null, observed, alternative):
    slack = 1e-12 * np.abs(null).max()
    if alternative == "two-sided":
        null, observed = np.abs(null), abs(observed)
    elif alternative == "less":
        null, observed = -null, -observed
    return (null >= observed - slack).mean()


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("groups", [np.arange(N), np.arange(N) // 2 * 2 % 11])
@pytest.mark.parametrize("n_resamples", [50, 20_000], ids=["counted", "gone through"])
@pytest.mark.parametrize(
    ("pred_a", "pred_b"), [(PRED_A, PRED_B), (PRED_B, PRED_A)], ids=["a lead", "a lag"]
)
def test_exact_pvalue_of_losses_that_are_on_no_lattice(
    pred_a, pred_b, n_resamples, groups, alternative
):
    test = ApproxRandomization(
        scoring="neg_mean_squared_error",
        alternative=alternative,
        n_resamples=n_resamples,
        random_state=0,
    )
    test.fit_predictions(TRUTH, pred_a, pred_b, groups=groups)
    null = all_exchanges(-((TRUTH - pred_a) ** 2), -((TRUTH - pred_b) ** 2), groups)
    expected = pvalue_of(null, test.delta_, alternative)
    assert test.result_.method == EXACT
    assert 0.02 < expected < 0.98  # neither end hides a factor
    assert test.pvalue_ == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n_resamples", [50, 20_000], ids=["counted", "gone through"])
def test_exact_pvalue_of_losses_in_steps(n_resamples, alternative):
    steps_a, steps_b = rng.integers(1, 4, size=N), rng.integers(3, 6, size=N)
    test = ApproxRandomization(
        scoring="neg_mean_absolute_error",
        alternative=alternative,
        n_resamples=n_resamples,
        random_state=0,
    )
    test.fit_predictions(np.zeros(N), 0.3 * steps_a, 0.3 * steps_b)
    null = all_exchanges(-0.3 * steps_a, -0.3 * steps_b, np.arange(N))
    assert test.result_.method == EXACT
    expected = pvalue_of(null, test.delta_, alternative)
    assert test.pvalue_ == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n", [40, 60], ids=["in two halves", "on a grid"])
def test_the_two_sided_exact_pvalue_is_twice_the_one_sided_one(n):
    """Signs make a symmetric distribution, too large here to be gone through."""
    noise = np.random.default_rng(3)
    truth, a = np.zeros(n), noise.gamma(1.0, size=n)
    b = noise.gamma(1.3, size=n)
    comparisons = {
        alternative: ApproxRandomization(
            scoring="neg_mean_squared_error",
            method=EXACT,
            alternative=alternative,
            n_resamples=9,
            random_state=0,
        ).fit_predictions(truth, a, b)
        for alternative in ALTERNATIVES
    }
    one_sided = min(comparisons["greater"].pvalue_, comparisons["less"].pvalue_)
    assert 0.001 < one_sided < 0.4
    error = comparisons["two-sided"].pvalue_error_
    assert comparisons["two-sided"].pvalue_ == pytest.approx(
        2 * one_sided, rel=1e-9, abs=2 * error
    )
    assert error < 0.01 * one_sided


@pytest.mark.parametrize("method", ["exact", "auto"])
def test_exchanges_without_a_score_have_no_exact_pvalue(method):
    """Where all positive predictions go to one model the other has no precision."""
    rows = np.arange(60)
    scoring = make_scorer(precision_score, zero_division=np.nan)
    test = ApproxRandomization(
        scoring=scoring, statistic="difference", method=method, random_state=0
    )
    predictions = rows % 2, (rows < 25).astype(int), (rows == 30).astype(int)
    if method == "exact":
        with pytest.raises(ValueError, match="'exact' is not available"):
            test.fit_predictions(*predictions)
    else:
        assert test.fit_predictions(*predictions).result_.method == "monte-carlo"
