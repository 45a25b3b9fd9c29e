"""Bootstrap intervals agree with the p-values dual to them; bounds are no points."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from skcompare.comparison._intervals import INTERVALS
from skcompare.stats.intervals import (
    bca_interval,
    clopper_pearson_interval,
    constant_interval,
    percentile_interval,
    studentized_interval,
    symmetric_interval,
)
from skcompare.stats.pvalues import (
    count_exceeding,
    margin_pvalue,
    resampling_pvalue,
)

ALTERNATIVES = ["greater", "less", "two-sided"]


def resampled_means(rng, n=30, n_resamples=399, shift=0.3):
    x = rng.exponential(size=n) - 1 + shift
    drawn = x[rng.integers(n, size=(n_resamples, n))]
    errors = drawn.std(axis=1) / np.sqrt(n)
    return x, drawn.mean(axis=1), errors


def percentile_pvalue(deltas, alternative, **options):
    """Return the p-value by the percentile rule, against a margin of 0."""
    options["method"] = "percentile"
    return margin_pvalue(deltas, 0.25, 0.0, alternative, tolerance=1e-12, **options)


def test_percentile_pvalue_counts_ties_and_undefined_on_both_sides():
    deltas = np.array([-0.1, 0.0, 1e-15, np.nan, 0.2, 0.3, 0.4])
    for alternative, p in (("greater", 5 / 8), ("less", 7 / 8)):
        assert percentile_pvalue(deltas, alternative) == p
    assert percentile_pvalue(deltas, "greater", add_one=False) == 4 / 7


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95])
def test_percentile_pvalue_inverts_the_interval_of_order_statistics(level):
    rng = np.random.default_rng(0)
    decisions = []
    for _ in range(100):
        deltas = resampled_means(rng)[1]
        p = 2 * percentile_pvalue(deltas, "greater")
        low = np.sort(deltas)[round((1 - level) / 2 * 400) - 1]
        decisions.append(p <= 1 - level + 1e-12)
        assert decisions[-1] == (low > 0)
    assert 10 < sum(decisions) < 90


def test_percentile_pvalue_is_where_scipys_interval_ends_at_zero():
    x = np.random.default_rng(1).normal(0.1, size=100)
    drawn = stats.bootstrap([x], np.mean, n_resamples=999, rng=np.random.default_rng(2))
    p = 2 * percentile_pvalue(drawn.bootstrap_distribution, "greater")
    ends = [
        stats.bootstrap(
            [x],
            np.mean,
            n_resamples=0,
            bootstrap_result=drawn,
            confidence_level=1 - p + step,
            method="percentile",
        ).confidence_interval.low
        for step in (-0.005, 0.005)
    ]
    assert 0.01 < p < 0.9
    assert ends[0] > 0 > ends[1]


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_symmetric_interval_agrees_with_the_shifted_pvalue(level):
    rng, decisions = np.random.default_rng(3), []
    for _ in range(100):
        x, deltas, _ = resampled_means(rng)
        delta = x.mean()
        count = count_exceeding(deltas - delta, delta, "two-sided")
        decisions.append(resampling_pvalue(count, len(deltas)) <= 1 - level + 1e-12)
        low, high = symmetric_interval(deltas, delta, level)
        assert decisions[-1] == (not low <= 0 <= high)
        assert low + high == pytest.approx(2 * delta)
    assert 10 < sum(decisions) < 90


def test_undefined_resamples_widen_the_symmetric_interval():
    assert symmetric_interval(np.array([1.0] * 9 + [np.nan]), 1.0, 0.95).high == np.inf
    deltas = np.r_[np.arange(99.0), np.nan]
    assert symmetric_interval(deltas, 49.0, 0.5).high >= 74


def discordant(n_for, n_against, n=200):
    """Return resamples of two models with so many discordant rows."""
    x = np.r_[np.ones(n_for), -np.ones(n_against), np.zeros(n - n_for - n_against)]
    drawn = x[np.random.default_rng(5).integers(n, size=(1_999, n))]
    deltas, without = drawn.mean(axis=1), (x.sum() - x) / (n - 1)
    return SimpleNamespace(
        problem=SimpleNamespace(
            units=SimpleNamespace(stratum_of_unit=np.zeros(n, dtype=int)),
            swapped_units=np.flatnonzero(x),
        ),
        delta=x.mean(),
        deltas=deltas,
        defined=np.isfinite(deltas),
        tolerance=1e-12,
        errors=drawn.std(axis=1) / np.sqrt(n),
        error=x.std() / np.sqrt(n),
        left_out=np.column_stack([without, np.zeros(n)]),
    )


def bca_of(sample):
    return bca_interval(
        sample.deltas,
        sample.delta,
        0.95,
        jackknife=sample.left_out[:, 0],
        strata=sample.problem.units.stratum_of_unit,
        tolerance=sample.tolerance,
    )


def studentized_of(sample):
    errors = {"standard_errors": sample.errors, "standard_error": sample.error}
    return studentized_interval(sample.deltas, sample.delta, 0.95, **errors)


def test_few_discordant_rows_have_no_interval_but_the_percentile_one():
    sample = discordant(3, 0)
    assert bca_of(sample).low > 0
    assert not np.isfinite(studentized_of(sample)).all()
    assert INTERVALS["bca"].compute(sample, 0.95) is None
    assert INTERVALS["studentized"].compute(sample, 0.95) is None
    sample.problem.swapped_units = np.arange(30)
    assert INTERVALS["studentized"].compute(sample, 0.95) is None


def test_enough_discordant_rows_get_the_requested_interval():
    sample = discordant(20, 10)
    assert INTERVALS["bca"].compute(sample, 0.95) == bca_of(sample)
    expected = pytest.approx(studentized_of(sample))
    assert INTERVALS["studentized"].compute(sample, 0.95) == expected
    sample.problem.swapped_units = np.arange(9)
    assert INTERVALS["studentized"].compute(sample, 0.95) is None


@pytest.mark.parametrize("count", [0, 1, 7, 19, 20])
def test_clopper_pearson_is_scipys(count):
    expected = stats.binomtest(count, 20).proportion_ci(0.9, method="exact")
    assert clopper_pearson_interval(count, 20, 0.9) == pytest.approx(tuple(expected))


def test_a_constant_share_has_clopper_pearsons_interval():
    interval = constant_interval(1.0, 0.0, 1.0, 20, 0.95)
    assert interval == pytest.approx(clopper_pearson_interval(20, 20, 0.95))
    low, high = constant_interval(0.0, -1.0, 1.0, 20, 0.95)
    assert -low == high > 0


def test_the_place_of_a_symmetric_end_is_counted_in_whole_resamples():
    """Such as 55 of 100, though 0.55 * 100 is a little more than 55."""
    for percent in range(1, 100):
        interval = symmetric_interval(np.arange(1.0, 100.0), 0.0, percent / 100)
        assert interval == (-percent, percent)


SYMMETRIC = {"jackknife": np.array([-1.0, 1.0]), "strata": np.zeros(2, dtype=int)}


def test_half_of_the_ties_of_bca_count_as_below():
    """Resamples that lie evenly around the observed value are not biased."""
    resampled = np.repeat([-2.0, -1.0, 0.0, 1.0, 2.0], [5, 20, 50, 20, 5])
    resampled[25:75] += np.linspace(-1e-13, 1e-13, 50)  # tie by rounding
    interval = bca_interval(resampled, 0.0, 0.8, **SYMMETRIC, tolerance=1e-12)
    assert interval == percentile_interval(resampled, 0.8)


def test_resamples_of_bca_that_are_all_on_one_side_are_not_infinitely_biased():
    resampled = np.arange(100.0)
    interval = bca_interval(resampled, 200.0, 0.95, **SYMMETRIC)
    shares = stats.norm.cdf(
        2 * stats.norm.isf(0.5 / 100) + stats.norm.ppf([0.025, 0.975])
    )
    assert interval == pytest.approx(np.quantile(resampled, shares))
    assert interval.low < interval.high
