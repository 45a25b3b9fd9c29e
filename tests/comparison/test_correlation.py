"""CorrelationTest: do A's predictions correlate more with the truth than B's?"""

import functools
import itertools
import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import make_regression
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor

from skcompare import CorrelationTest
from skcompare.exceptions import (
    DegenerateDataWarning,
    PooledScoreWarning,
    SmallSampleWarning,
)
from skcompare.metrics import spearman_scorer
from skcompare.stats import williams_test
from skcompare.stats.correlations import (
    correlation_difference_error,
    difference_interval,
)
from tests.rates import assert_level_kept

ALTERNATIVES = ["greater", "less", "two-sided"]


def similarities(seed, n_rows=60, noise=(1.0, 1.0)):
    rng = np.random.default_rng(seed)
    truth, shared = rng.normal(size=(2, n_rows))
    return truth, *(truth + shared + e * rng.normal(size=n_rows) for e in noise)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("statistic", ["pearson", "spearman"])
def test_the_test_is_williams_of_scipys_correlations(statistic, alternative):
    truth, a, b = similarities(0, noise=(0.5, 2.0))
    correlate = getattr(stats, f"{statistic}r")
    r_a, r_b, r_ab = (
        correlate(*pair).statistic for pair in ((truth, a), (truth, b), (a, b))
    )
    test = CorrelationTest(statistic=statistic, alternative=alternative)
    test.fit_predictions(truth, a, b)
    assert (test.score_a_, test.score_b_) == pytest.approx((r_a, r_b))
    expected = williams_test(r_a, r_b, r_ab, 60, alternative=alternative)
    assert (test.statistic_, test.pvalue_) == pytest.approx(expected[:2])
    alone = stats.pearsonr(truth, a)
    if statistic == "pearson":
        low, high = alone.confidence_interval()
        assert test.score_a_interval_ == pytest.approx((low, high))
        t = test.effect_size_["t_a"]
        assert 2 * stats.t.sf(abs(t), 58) == pytest.approx(alone.pvalue)


def test_zous_example():
    """Zou (2007, p. 409): .396 and .179, .088, 66 rows: -.093 to .517."""
    interval = difference_interval(0.396, 0.179, 0.088, 66, 0.95)
    assert interval == pytest.approx((-0.093, 0.517), abs=6e-4)


@pytest.mark.filterwarnings("ignore:Truth or predictions are skewed")  # a few are
@pytest.mark.parametrize("variant", ["williams", "steiger"])
def test_level_and_coverage_hold(variant, random_seed, simulations):
    level, n = simulations((0.1, None), (0.05, 4_000))

    @functools.cache
    def fitted(seed):
        test = CorrelationTest(
            variant=variant, alternative="two-sided", confidence_level=1 - level
        )
        return test.fit_predictions(*similarities((random_seed, seed)))

    def missed(seed):
        low, high = fitted(seed).confidence_interval_
        return not low <= 0 <= high

    rejected = (fitted(seed).pvalue_ <= level for seed in itertools.count())
    assert_level_kept(rejected, n, level)
    assert_level_kept(map(missed, itertools.count()), n, level)


def test_power_is_there():
    truth, a, b = similarities(1, n_rows=200, noise=(0.5, 2.0))
    result = CorrelationTest().fit_predictions(truth, a, b).result_
    assert result.favors_a
    assert "correlate" in result.hypothesis


def test_models_are_compared_by_cross_validation():
    X, y = make_regression(80, 5, noise=30.0, random_state=0)
    test = CorrelationTest(Ridge(), KNeighborsRegressor(), cv=5)
    with pytest.warns(PooledScoreWarning, match="pearson of pooled"):
        test.fit(X, y)
    assert test.delta_ > 0
    assert test.best_estimator_.predict(X[:2]).shape == (2,)


def test_undefined_and_unreliable_correlations_are_reported():
    truth, a, _ = similarities(0)
    test = CorrelationTest(alternative="two-sided")
    with pytest.warns(DegenerateDataWarning, match="equal up to rescaling"):
        test.fit_predictions(truth, a, 3 * a - 1)
    assert test.pvalue_ == 1
    with pytest.raises(ValueError, match="must be defined on the whole sample"):
        CorrelationTest().fit_predictions(truth, a, np.zeros(60))
    with pytest.warns(SmallSampleWarning, match="Correlations of 12 rows"):
        CorrelationTest().fit_predictions(*(v[:12] for v in similarities(0)))
    with pytest.raises(ValueError, match="at least 4 rows"):
        CorrelationTest().fit_predictions(*(v[:3] for v in similarities(0)))


def test_of_equal_predictions_no_shape_is_warned_of():
    rng = np.random.default_rng(0)
    y = rng.gamma(0.3, size=50)
    pred = y + rng.normal(size=50)
    with pytest.warns(DegenerateDataWarning) as warned:
        CorrelationTest().fit_predictions(y, pred, pred)
    assert len(warned) == 1


def test_the_error_without_a_shape_is_that_of_the_bootstrap():
    rng = np.random.default_rng(0)
    truth = rng.standard_t(4, size=400)
    a, b = truth + rng.standard_t(4, size=(2, 400))
    draws = rng.integers(400, size=(1_000, 400))
    deltas = [
        np.corrcoef(truth[rows], a[rows])[0, 1]
        - np.corrcoef(truth[rows], b[rows])[0, 1]
        for rows in draws
    ]
    error = correlation_difference_error(truth, a, b)
    assert error == pytest.approx(np.std(deltas), rel=0.1)


def shaped(shape, rng, n_rows=100):
    """Return two equal models of a shape, and whether the level holds for them."""
    truth = {"normal": rng.normal, "gamma": rng.normal, "skewed truth": rng.exponential}
    truth = truth[shape](size=n_rows)
    errors = rng.normal(size=(2, n_rows))
    if shape == "gamma":
        truth = rng.gamma(0.5, size=n_rows)
        errors = rng.gamma(0.5, size=(2, n_rows))
    return truth, *(truth + errors)


@pytest.mark.parametrize(
    ("shape", "least", "most"),
    [("normal", 0, 0.1), ("skewed truth", 0, 0.1), ("gamma", 0.7, 1)],
)
def test_shapes_that_break_the_level_are_warned_of_and_no_others(shape, least, most):
    """The level is .05, .05 and .17; a skewed truth by itself does no harm."""
    n_warned = 0
    for seed in range(60):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            data = shaped(shape, np.random.default_rng(seed))
            CorrelationTest().fit_predictions(*data)
        n_warned += any("skewed or have heavy tails" in str(w.message) for w in caught)
    assert least <= n_warned / 60 <= most


def test_the_scorer_is_scipys_with_ties():
    rng = np.random.default_rng(0)
    truth, pred = rng.integers(5, size=(2, 40))
    expected = stats.spearmanr(truth, pred).statistic
    assert spearman_scorer()._score_func(truth, pred) == pytest.approx(expected)


@pytest.mark.parametrize("variant", ["williams", "steiger"])
def test_correlations_of_one_but_for_rounding_are_bounds(variant):
    """A correlation of -1 that rounds to -1 + 1e-16 gave p = 0 on four rows."""
    test = CorrelationTest(variant=variant)
    for seed in range(10):
        y = np.random.default_rng(seed).normal(size=4)
        with pytest.warns((SmallSampleWarning, DegenerateDataWarning)):
            test.fit_predictions(y, y, 1 - 3 * y)
        np.testing.assert_allclose(test.pvalue_, 1 / 24)  # of one order of all
        assert test.effect_size_["correlation_of_predictions"] == -1


def test_without_fishers_transform_williams_takes_the_place_of_steiger():
    """The transform of 1 is infinite: p was 0, on four rows."""
    y = np.array([1.0, 2.0, 4.0, 3.0])
    results = []
    for variant in ("williams", "steiger"):
        test = CorrelationTest(variant=variant)
        with pytest.warns((SmallSampleWarning, DegenerateDataWarning)):
            results.append(test.fit_predictions(y, y, [1.0, 3.0, 2.0, 4.0]).result_)
    assert results[0].pvalue == results[1].pvalue > 0.01
    assert results[1].statistic_name == "t"
