"""Hodges and Lehmann's estimate and the median, with their intervals."""

import numpy as np
import pytest
from scipy import stats

from skcompare.stats import location
from skcompare.stats.location import hodges_lehmann, sign_median_interval
from skcompare.stats.paired import sign_test, signed_rank_test, signed_ranks

# Hamilton's depression scale before and after a tranquilizer: Hollander and Wolfe,
# table 3.1; also in the examples of R's wilcox.test.
BEFORE = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
AFTER = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
FALL = np.subtract(BEFORE, AFTER)


def test_the_estimate_of_hollander_and_wolfe():
    """They find 0.46, and (0.01, 0.786) at the exact level of 0.961."""
    result = hodges_lehmann(FALL, 0.96)
    assert result.estimate == pytest.approx(0.46)
    assert result.interval == pytest.approx((0.01, 0.786))


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_interval_holds_the_locations_that_scipys_exact_signed_rank_test_keeps(
    level,
):
    rng = np.random.default_rng(0)
    for n in (6, 9, 20):
        x = rng.normal(0.5, size=n)
        low, high = hodges_lehmann(x, level).interval
        for center, kept in (
            (low - 1e-9, False),
            (low + 1e-9, True),
            (high - 1e-9, True),
            (high + 1e-9, False),
        ):
            p = stats.wilcoxon(x - center, method="exact").pvalue
            assert (p > 1 - level) == kept


def test_the_estimate_is_the_median_of_all_averages_of_pairs():
    x = np.random.default_rng(1).standard_t(2, size=31)
    i, j = np.triu_indices(31)
    assert hodges_lehmann(x).estimate == pytest.approx(np.median((x[i] + x[j]) / 2))


def test_exact_and_asymptotic_levels_meet(monkeypatch):
    x = np.random.default_rng(2).normal(size=200)
    exact = hodges_lehmann(x)
    monkeypatch.setattr(location, "MOST_EXACT", 0)
    limit = hodges_lehmann(x)
    assert (exact.method, limit.method) == ("exact", "asymptotic")
    assert limit.interval == pytest.approx(exact.interval, abs=2e-3)


@pytest.mark.parametrize("values", ["normal", "cauchy", "tenths", "signs"])
def test_searching_and_sorting_give_the_same_order_statistics(values, monkeypatch):
    rng = np.random.default_rng(3)
    x = {
        "normal": rng.normal(size=501),
        "cauchy": rng.standard_cauchy(size=501),
        "tenths": np.round(rng.normal(size=501), 1),
        "signs": rng.choice([-1.0, 0.0, 1.0], p=[0.1, 0.7, 0.2], size=501),
    }[values]
    sorted_out = hodges_lehmann(x)
    monkeypatch.setattr(location, "MOST_SORTED", 40)
    result = hodges_lehmann(x)
    assert result.estimate == pytest.approx(sorted_out.estimate, abs=1e-12)
    assert result.interval == pytest.approx(sorted_out.interval, abs=1e-12)


@pytest.mark.parametrize("n", [150, 201, 207])
def test_the_interval_of_many_differences_is_that_of_the_signed_rank_test(n):
    """Exact, or by a normal approximation with a correction for continuity."""
    x = np.random.default_rng(n).normal(1, size=n)
    result = hodges_lehmann(x)
    assert result.method == ("exact" if n <= 200 else "asymptotic")

    def pvalue(center):
        signed = signed_ranks(x - center, np.zeros(n), zero_method="wilcox")
        test = signed_rank_test(signed, method=result.method, alternative="two-sided")
        return test.pvalue

    low, high = result.interval
    assert min(pvalue(low + 1e-9), pvalue(high - 1e-9)) > 0.05
    assert max(pvalue(low - 1e-9), pvalue(high + 1e-9)) <= 0.05


def test_the_medians_interval_is_scipys():
    rng = np.random.default_rng(4)
    for n in (8, 25, 100):
        x = rng.normal(size=n)
        # scipy's ends are those of two one-sided tests; it keeps the level as well.
        expected = stats.quantile_test(x, p=0.5).confidence_interval(0.95)
        result = sign_median_interval(x)
        assert result.interval == pytest.approx((expected.low, expected.high))
        assert result.estimate == np.median(x)


@pytest.mark.parametrize("n", [5, 6, 13])
def test_the_medians_interval_excludes_the_medians_that_the_sign_test_rejects(n):
    x = np.random.default_rng(n).normal(1, size=n)
    low, high = sign_median_interval(x).interval
    for center in np.r_[x - 1e-9, x + 1e-9]:
        counts = int(np.sum(x > center)), int(np.sum(x < center))
        p = sign_test(*counts, alternative="two-sided").pvalue
        assert (low <= center <= high) == (p > 0.05)


@pytest.mark.parametrize("estimate", [hodges_lehmann, sign_median_interval])
def test_degenerate_differences(estimate):
    assert estimate([0.25] * 7)[:2] == (0.25, (0.25, 0.25))
    assert estimate([1.0, 2.0, 3.0])[:2] == (2.0, (-np.inf, np.inf))
    with pytest.raises(ValueError, match="finite numbers"):
        estimate([1.0, np.nan])
    with pytest.raises(ValueError, match="Got 0"):
        estimate([])
