"""Checks of normality, the error of a level without it, and durations in words."""

import numpy as np
import pytest
from scipy import stats

from skcompare.planning._choices import about_time
from skcompare.stats.normality import MOST_SHAPIRO, check_normality, t_level_error

DISTANCES = ["Anderson-Darling", "Kolmogorov-Smirnov"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.01, "at most 0.1 s"), (12.3, "about 12 s"), (7200, "about 2 h")],
)
def test_durations_are_rounded(seconds, words):
    assert f"take {words} here with one worker" in about_time(9_999, seconds)


@pytest.mark.parametrize("n", [10, 20, 60, 100, 700])
@pytest.mark.parametrize("draw", ["normal", "exponential", "uniform"])
def test_normality_checks_agree_with_statsmodels(n, draw):
    diagnostic = pytest.importorskip("statsmodels.stats.diagnostic")
    values = getattr(np.random.default_rng(n), draw)(size=n)
    result = check_normality(values)
    statistic, p = diagnostic.normal_ad(values)
    anderson, kolmogorov = (result.checks[name] for name in DISTANCES)
    assert anderson[0] == pytest.approx(statistic)
    # Monte Carlo errors of 1,999 samples, and those of statsmodels' formulas
    assert anderson[1] == pytest.approx(p, abs=0.05)
    statistic, p = diagnostic.lilliefors(values, pvalmethod="table")
    assert kolmogorov[0] == pytest.approx(statistic)
    assert min(kolmogorov[1], 0.2) == pytest.approx(min(p, 0.2), abs=0.03)


def test_normality_checks_keep_their_level():
    normal = np.random.default_rng(1).normal(size=(400, 40))
    results = [check_normality(values) for values in normal]
    for name in DISTANCES:
        rate = np.mean([one.checks[name][1] < 0.05 for one in results])
        assert abs(rate - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 400)


def test_shapiro_wilk_is_left_out_for_more_rows_than_it_is_made_for():
    values = np.random.default_rng(0).normal(size=MOST_SHAPIRO + 1)
    result = check_normality(values)
    assert list(result.checks) == DISTANCES
    assert list(check_normality(values[:-1]).checks) == ["Shapiro-Wilk", *DISTANCES]


@pytest.mark.parametrize("values", [[1.0, 2.0], [3.0] * 10])
def test_there_is_nothing_to_check_in_numbers_that_are_few_or_alike(values):
    assert check_normality(values) is None


def test_the_error_of_the_level_is_that_of_a_simulated_t_test():
    n_rows, n_samples = 200, 20_000
    rng = np.random.default_rng(0)
    samples = rng.exponential(size=(n_samples, n_rows)) - 1
    t = samples.mean(axis=1) / stats.sem(samples, axis=1)
    rates = [np.mean(s * t >= stats.t.isf(0.05, n_rows - 1)) for s in (1, -1)]
    error = t_level_error(2.0, n_rows, 0.05)
    # the next term of the expansion, of order 1 / n, and the Monte Carlo error
    tolerance = 1 / n_rows + 4 * np.sqrt(0.05 * 0.95 / n_samples)
    np.testing.assert_allclose(rates, [0.05 - error, 0.05 + error], atol=tolerance)
