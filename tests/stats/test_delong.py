"""DeLong's numbers: against brute force, scikit-learn, the jackknife and scipy."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score

from skcompare.stats.delong import (
    delong_interval,
    delong_test,
    fold_roc_areas,
    roc_areas,
    roc_interval,
)
from tests.rates import assert_level


def draw(rng, n=40, *, ties=False, signal=(1.0, 0.5)):
    """Return truth and correlated scores of two models."""
    truth = np.r_[0, 0, 1, 1, rng.integers(2, size=n - 4)]
    shared = rng.normal(size=n)
    scores = [s * truth + shared + rng.normal(size=n) for s in signal]
    return truth, *(np.round(one) if ties else one for one in scores)


def brute_force(truth, *scores):
    """Return areas and covariance from all pairs."""
    positive = np.asarray(truth) == 1
    kernels = []
    for one in map(np.asarray, scores):
        gap = one[positive][:, np.newaxis] - one[~positive]
        kernels.append((gap > 0) + 0.5 * (gap == 0))
    of_positives = np.cov([k.mean(axis=1) for k in kernels])
    of_negatives = np.cov([k.mean(axis=0) for k in kernels])
    sizes = positive.sum(), (~positive).sum()
    areas = np.array([k.mean() for k in kernels])
    return areas, of_positives / sizes[0] + of_negatives / sizes[1]


# Oracles


@pytest.mark.parametrize("ties", [False, True], ids=["distinct", "ties"])
def test_areas_and_covariance_are_those_of_all_pairs(ties, random_seed):
    rng = np.random.default_rng(random_seed)
    for _ in range(20):
        truth, a, b = draw(rng, int(rng.integers(6, 60)), ties=ties)
        result = roc_areas(truth == 1, [a, b])
        areas, covariance = brute_force(truth, a, b)
        np.testing.assert_allclose(result.areas, areas, rtol=1e-12)
        np.testing.assert_allclose(result.covariance, covariance, atol=1e-15)


def test_areas_are_those_of_scikit_learn(random_seed):
    truth, a, b = draw(np.random.default_rng(random_seed), ties=True)
    expected = [roc_auc_score(truth, one) for one in (a, b)]
    np.testing.assert_allclose(roc_areas(truth == 1, [a, b]).areas, expected)


def test_variance_is_that_of_the_jackknife_of_each_class(random_seed):
    """Leaving out a positive changes the area by its placement over m - 1."""
    truth, a, b = draw(np.random.default_rng(random_seed))
    positive = truth == 1

    def delta(rows):
        return roc_auc_score(truth[rows], a[rows]) - roc_auc_score(truth[rows], b[rows])

    variance, everything = 0.0, np.arange(len(truth))
    for mine in (positive, ~positive):
        left_out = [delta(everything != i) for i in np.flatnonzero(mine)]
        n = len(left_out)
        variance += (n - 1) / n * np.sum((left_out - np.mean(left_out)) ** 2)
    test = delong_test(roc_areas(positive, [a, b]), "greater")
    assert test.standard_error**2 == pytest.approx(variance, rel=1e-9)


def test_a_huge_perfect_difference_is_finite():
    positive = np.arange(4000) < 2000
    test = delong_test(roc_areas(positive, [positive, ~positive]), "greater")
    assert test.pvalue == 0  # 2 ** -2000
    assert 50 < test.statistic < 60


def test_intervals_stay_within_bounds(random_seed):
    rng = np.random.default_rng(random_seed)
    for _ in range(200):
        n = int(rng.integers(5, 12))
        truth, a, b = draw(rng, n, ties=True, signal=rng.normal(scale=5, size=2))
        areas = roc_areas(truth == 1, [a, b])
        test = delong_test(areas, "two-sided")
        low, high = delong_interval(
            test.delta, test.standard_error**2, areas.n_pairs, 0.95
        )
        assert -1 <= low <= test.delta <= high <= 1
        assert low < high
        for area, variance in zip(areas.areas, np.diag(areas.covariance), strict=True):
            low, high = roc_interval(area, variance, areas.n_pairs, 0.95)
            assert 0 <= low <= area <= high <= 1
            assert low < high
        assert 0 <= test.pvalue <= 1
        assert np.isfinite(test.statistic)


# Calibration


def rejections(rng, n_simulations, *, n, signal, alternative="two-sided"):
    count = 0
    for _ in range(n_simulations):
        truth, a, b = draw(rng, n, signal=signal)
        areas = roc_areas(truth == 1, [a, b])
        count += delong_test(areas, alternative).pvalue <= 0.05
    return count


@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
def test_type_i_error_is_nominal(alternative, simulations):
    n_simulations = simulations(600, 10_000)
    count = rejections(
        np.random.default_rng(5),
        n_simulations,
        n=100,
        signal=(1, 1),
        alternative=alternative,
    )
    # Liberal by less than half a point at n = 100.
    assert_level(count, n_simulations, slack=0.005)
    assert count > stats.binom.ppf(0.001, n_simulations, 0.045)


def test_power_grows_with_the_rows():
    rng = np.random.default_rng(6)
    few, many = (rejections(rng, 150, n=n, signal=(1.5, 0.5)) for n in (40, 200))
    assert few + 30 < many
    assert many > 120


def test_interval_of_an_area_covers(simulations):
    n_simulations = simulations(710, 10_000)
    rng, positive = np.random.default_rng(7), np.arange(60) < 25
    covered = 0
    for _ in range(n_simulations):
        areas = roc_areas(positive, [2 * positive + rng.normal(size=60)])
        area, variance = float(areas.areas[0]), float(areas.covariance[0, 0])
        low, high = roc_interval(area, variance, areas.n_pairs, 0.95)
        covered += low <= stats.norm.cdf(2 / np.sqrt(2)) <= high
    assert_level(n_simulations - covered, n_simulations, slack=0.01)


def test_the_bound_of_a_perfect_model_is_sharp():
    """Let each positive be above all negatives with probability s, else below all.

    Then s is the area and s ** n the probability that n positives look perfect: at the
    lower limit just that of the tail.
    """
    low, high = roc_interval(1.0, 0.0, 8, 0.95)
    assert low**8 == pytest.approx(0.025)
    assert high == 1


def test_degrees_of_freedom_are_scipys_of_welch():
    """The variance is that of Welch's t between placements of the two classes."""
    truth, a, b = draw(np.random.default_rng(8), 30)
    areas = roc_areas(truth == 1, [a, b])
    for i, expected in enumerate(areas.df):
        welch = stats.ttest_ind(
            areas.of_positives[i] / (truth == 0).sum(),
            areas.of_negatives[i] / (truth == 1).sum(),
            equal_var=False,
        )
        assert expected == pytest.approx(welch.df)
    test = delong_test(areas, "two-sided")
    assert test.df == pytest.approx(areas.difference().df[0])
    assert test.pvalue == pytest.approx(2 * stats.t.sf(abs(test.statistic), test.df))


def test_test_and_interval_agree():
    truth, a, b = draw(np.random.default_rng(9), 30, signal=(2.0, 0.5))
    areas = roc_areas(truth == 1, [a, b])
    test = delong_test(areas, "two-sided")
    for level, excluded in ((1 - test.pvalue - 1e-9, 1), (1 - test.pvalue + 1e-9, 0)):
        low, high = delong_interval(
            test.delta, test.standard_error**2, areas.n_pairs, level, df=test.df
        )
        assert (low > 0 or high < 0) == excluded


def test_rare_positives_are_covered(simulations):
    """Ten positives of 200: the normal interval covers .913, this one .936."""
    n_simulations = simulations(950, 4_000)
    rng, positive, covered = np.random.default_rng(10), np.arange(200) < 10, 0
    truth = stats.norm.cdf(1.5 / np.sqrt(2)) - stats.norm.cdf(1 / np.sqrt(2))
    for _ in range(n_simulations):
        shared = np.sqrt(0.49) * rng.normal(size=200)
        a, b = (
            signal * positive + shared + np.sqrt(0.51) * rng.normal(size=200)
            for signal in (1.5, 1.0)
        )
        areas = roc_areas(positive, [a, b])
        test = delong_test(areas, "two-sided")
        low, high = delong_interval(
            test.delta, test.standard_error**2, areas.n_pairs, 0.95, df=test.df
        )
        covered += low <= truth <= high
    assert_level(n_simulations - covered, n_simulations, slack=0.015)


def test_rare_positives_keep_the_level(simulations):
    """Ten positives and 200 negatives: normal quantiles reject .080, these .049."""
    n_simulations = simulations(600, 6_000)
    rng, positive, count = np.random.default_rng(11), np.arange(210) < 10, 0
    for _ in range(n_simulations):
        shared = positive + rng.normal(size=210)
        scores = [shared + rng.normal(size=210) for _ in range(2)]
        count += delong_test(roc_areas(positive, scores), "two-sided").pvalue <= 0.05
    assert_level(count, n_simulations)


def test_a_constant_difference_within_folds_has_no_variance():
    """Shares such as 1 / 14 are rounded, and so is their mean: that was taken for one.

    In each fold B ties every positive with the negative that A puts below it.
    """
    for n in (7, 13, 20):
        positive = np.tile([False, True], 2 * n)
        a, b = (np.tile(one, 2) for one in (np.arange(2 * n), np.arange(2 * n) // 2))
        roc = fold_roc_areas(positive, [a, b], np.repeat([0, 1], 2 * n))
        test = delong_test(roc, "greater")
        assert test.standard_error == 0.0
        np.testing.assert_allclose(test.pvalue, (1 + 0.5 / n) ** (-2 * n))
