"""Exact p-values and the ideal bootstrap, where rounding or size could mislead them."""

import functools

import numpy as np
import pytest
from scipy import stats

from skcompare import ApproxRandomization, PairedBootstrap
from skcompare.stats import exact
from skcompare.stats.exact import sign_flip_tail


def test_huge_values_are_not_taken_for_integers():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=200) * 1e12
    a, b = truth + rng.normal(size=200) * 1e11, truth + rng.normal(size=200) * 1e12
    params = {"scoring": "neg_mean_squared_error", "random_state": 0}
    pvalues = {
        method: ApproxRandomization(method=method, **params)
        .fit_predictions(truth, a, b)
        .pvalue_
        for method in ("auto", "exact", "monte-carlo")
    }
    assert max(pvalues.values()) < 0.001


def test_ties_of_losses_that_are_no_integers_are_counted():
    """Half points: 37 of 60 rows fall to A, each by as much."""
    better = np.arange(60) < 37
    a, b = np.where(better, 0.5, 1.0), np.where(better, 1.0, 0.5)
    test = ApproxRandomization(scoring="neg_mean_absolute_error", method="exact")
    comparison = test.fit_predictions(np.zeros(60) + 0.25, a + 0.25, b + 0.25)
    expected = stats.binomtest(37, 60, alternative="greater").pvalue
    assert comparison.pvalue_ == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("n", [46, 200])
def test_the_grid_gives_an_upper_bound_within_its_error(n):
    rng = np.random.default_rng(n)
    values = rng.normal(size=n)
    observed = 1.5 * np.linalg.norm(values)
    tail = sign_flip_tail(values, observed, "greater", tolerance=0.0)
    signs = rng.choice([-1, 1], size=(100_000, n))
    share = np.mean(signs @ values >= observed)
    error = 4 * np.sqrt(share / 100_000)
    assert tail.pvalue - tail.error - error <= share <= tail.pvalue + error


@pytest.mark.parametrize("gap", [4e-10, 4e-16], ids=["small", "rounding"])
def test_values_that_are_1e_10_off_a_lattice_do_not_tie(gap):
    """Of the sums of 1, 1 and 2 with signs, two of eight are 0, or a little away."""
    values = np.array([-1.0, -1.0, 2.0 + gap])
    tail = sign_flip_tail(values, values.sum(), "greater", tolerance=1e-12)
    assert tail.pvalue == pytest.approx((4 if gap == 4e-10 else 5) / 8)


def test_the_two_sided_error_bound_is_twice_the_one_sided_one():
    values = np.random.default_rng(0).normal(0.3, size=60)
    one, two = (
        sign_flip_tail(values, values.sum(), side, tolerance=0.0)
        for side in ("greater", "two-sided")
    )
    assert 0 < two.error == 2 * one.error
    assert two.pvalue == pytest.approx(2 * one.pvalue, rel=1e-12)


def test_an_error_bound_as_large_as_the_pvalue_is_refused(monkeypatch):
    # As coarse a grid as 400,000 rows have.
    coarse = functools.partial(exact._grid_tail, n_grid=2**10)
    monkeypatch.setattr(exact, "_grid_tail", coarse)
    truth, noise_a, noise_b = np.random.default_rng(0).normal(size=(3, 2_000))
    a, b = truth + noise_a, truth + noise_b
    test = ApproxRandomization(
        scoring="neg_mean_absolute_error", method="exact", n_resamples=9
    )
    with pytest.raises(ValueError, match="'exact' is not available"):
        test.fit_predictions(truth, a, b)


def test_the_ideal_bootstrap_counts_ties_of_steps_of_different_size():
    gains = np.repeat([2.0, -3.0, 0.0], [6, 3, 21])
    data = np.zeros(30), 5.0 - gains, np.full(30, 5.0)
    ideal = PairedBootstrap(scoring="neg_mean_absolute_error", n_resamples="ideal")
    drawn = PairedBootstrap(
        scoring="neg_mean_absolute_error", n_resamples=99_999, random_state=0
    )
    expected = drawn.fit_predictions(*data)
    comparison = ideal.fit_predictions(*data)
    assert comparison.pvalue_error_ < 1e-9
    assert abs(comparison.pvalue_ - expected.pvalue_) < 4 * expected.pvalue_error_


def test_a_studentized_interval_does_not_end_at_the_estimate():
    """Resamples without spread are in the tail of the pivot, not nowhere."""
    truth = np.arange(30) % 2
    b = np.where(np.arange(30) == 0, truth, 1 - truth)
    test = PairedBootstrap(
        scoring="accuracy", interval="studentized", n_resamples=999, random_state=0
    )
    low, high = test.fit_predictions(truth, truth, b).confidence_interval_
    assert low < test.delta_ - 0.01
    assert high > test.delta_


def test_an_outlier_does_not_blow_up_a_studentized_interval():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=60), 1.3 * rng.normal(size=60)
    a[0], b[0] = 1e4, 1e4 + 0.5
    test = PairedBootstrap(
        scoring="neg_root_mean_squared_error",
        interval="studentized",
        n_resamples=1999,
        random_state=0,
    )
    low, high = test.fit_predictions(np.zeros(60), a, b).confidence_interval_
    assert -1 < low < high < 1
