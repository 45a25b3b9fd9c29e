"""What is a tie, what is not, and where quantiles of resamples lie."""

import math

import numpy as np
import pytest
from scipy import stats

from skcompare import (
    ApproxRandomization,
    CorrectedTTest,
    FriedmanTest,
    PairedBootstrap,
    PairwiseComparison,
    SignTest,
    WilcoxonSignedRank,
)
from skcompare.stats.posterior import hdi

pytestmark = pytest.mark.usefixtures("quiet")  # small data are the point here

MAX_T = "max-t"

# Ties


@pytest.mark.parametrize(
    ("gap", "n_exceeding"), [(3e-10, 1), (1e-15, 2)], ids=["small", "rounding"]
)
def test_exchanges_whose_means_are_1e_10_apart_are_no_ties(gap, n_exceeding):
    """Exchanging the last row takes a small part of the difference away, or nothing."""
    truth, b = np.zeros(3), np.array([1.0, 1.3, 1.0])
    a = b - [0.5, 0.3, gap]
    test = ApproxRandomization(scoring="neg_mean_absolute_error", method="exact")
    test.fit_predictions(truth, a, b)
    assert test.pvalue_ == n_exceeding / 8


@pytest.mark.parametrize("gap", [1e-10, 1e-15], ids=["small", "rounding"])
@pytest.mark.parametrize("test", [SignTest, WilcoxonSignedRank])
def test_rows_whose_scores_are_1e_10_apart_are_no_ties(test, gap):
    """Five rows of which A is better by next to nothing, or by nothing but rounding."""
    b = np.ones(5)
    comparison = test(scoring="neg_mean_absolute_error")
    comparison.fit_predictions(np.zeros(5), b - gap, b)
    assert comparison.pvalue_ == (1 / 32 if gap == 1e-10 else 1.0)


@pytest.mark.parametrize("gap", [1e-10, 1e-15], ids=["small", "rounding"])
def test_models_whose_scores_are_1e_10_apart_do_not_share_a_rank(gap):
    scores = np.tile([0.8, 0.8 + gap, 0.7], (8, 1))
    ranks = FriedmanTest().fit_scores(scores).ranks_
    expected = [2, 1, 3] if gap == 1e-10 else [1.5, 1.5, 3]
    np.testing.assert_array_equal(ranks, np.tile(expected, (8, 1)))


@pytest.mark.parametrize("gap", [1e-10, 1e-15], ids=["small", "rounding"])
def test_folds_whose_scores_are_1e_10_apart_differ(gap):
    scores = np.array([0.8, 0.7, 0.9, 0.6])
    more = gap * np.array([1.0, 2.0, 3.0, 2.0])
    test = CorrectedTTest().fit_scores(scores + more, scores, test_train_ratio=1 / 3)
    if gap == 1e-10:
        assert test.pvalue_ < 0.05
        assert test.delta_ == pytest.approx(2e-10, rel=1e-5)
    else:
        assert test.pvalue_ == 1
        assert test.delta_ == 0


def test_differences_of_folds_that_vary_by_1e_10_have_a_spread():
    scores = np.array([0.8, 0.7, 0.9, 0.6])
    more = 0.1 + 3e-11 * np.array([1.0, 2.0, 3.0, 2.0])
    test = CorrectedTTest().fit_scores(scores + more, scores, test_train_ratio=1 / 3)
    error = np.std(more, ddof=1) * np.sqrt(1 / 4 + 1 / 3)
    assert test.standard_error_ == pytest.approx(error, rel=1e-4)
    low, high = test.confidence_interval_
    assert high - low == pytest.approx(2 * stats.t.ppf(0.975, 3) * error, rel=1e-4)


# Max-t


def joint(result):
    """Return null distributions and their standard errors, a column each pair."""
    null = np.column_stack([r.distribution - r.center for r in result.results])
    return null, null.std(axis=0, ddof=1)


@pytest.fixture
def four_models():
    rng = np.random.default_rng(5)
    y = rng.integers(2, size=60)
    shares = {"a": 0.85, "b": 0.75, "c": 0.7, "d": 0.6}
    return y, {n: np.where(rng.random(60) < p, y, 1 - y) for n, p in shares.items()}


def intervals_of(four_models, n_resamples, level):
    test = PairedBootstrap(
        scoring="accuracy", n_resamples=n_resamples, confidence_level=level
    )
    comparison = PairwiseComparison(test=test, correction=MAX_T, random_state=0)
    result = comparison.fit_predictions(*four_models).result_
    null, errors = joint(result)
    return result, np.sort(np.abs(null / errors).max(axis=1)), errors


@pytest.mark.parametrize(
    ("n_resamples", "level", "place"),
    [(19, 0.95, 19), (39, 0.95, 38), (38, 0.9, 36), (20, 0.5, 11)],
)
def test_max_t_intervals_reach_to_an_order_statistic(
    four_models, n_resamples, level, place
):
    """Of n + 1 maxima, the observed one among them, a share of `level` is inside."""
    assert place == math.ceil(level * (n_resamples + 1))
    result, largest, errors = intervals_of(four_models, n_resamples, level)
    reach = largest[place - 1] * errors
    expected = np.column_stack([result.deltas - reach, result.deltas + reach])
    np.testing.assert_allclose(result.intervals, expected, rtol=1e-9)


def test_max_t_intervals_of_too_few_resamples_are_infinite(four_models):
    result, *_ = intervals_of(four_models, 19, 0.96)
    assert np.isinf(result.intervals).all()


@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
def test_max_t_counts_ties_in_spite_of_rounding(test):
    """Accuracies of 30 rows are multiples of 1 / 30: many resamples tie exactly."""
    n_ties = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        y = rng.integers(2, size=30)
        predictions = {
            name: np.where(rng.random(30) < share, y, 1 - y)
            for name, share in {"a": 0.8, "b": 0.75, "c": 0.6}.items()
        }
        params = {"alternative": "two-sided", "n_resamples": 300}
        if test is ApproxRandomization:
            params["method"] = "monte-carlo"
        comparison = PairwiseComparison(
            test=test(scoring="accuracy", **params), correction=MAX_T, random_state=0
        )
        result = comparison.fit_predictions(y, predictions).result_
        null, errors = joint(result)
        whole, deltas = np.rint(30 * null), np.rint(30 * result.deltas)
        t, resampled = np.abs(deltas / errors), np.abs(whole / errors)
        order, expected, largest = np.argsort(-t, kind="stable"), {}, 0.0
        for step, pair in enumerate(order):
            most = resampled[:, order[step:]].max(axis=1)
            reached = most >= t[pair] * (1 - 1e-9)
            n_ties += np.count_nonzero(np.abs(most - t[pair]) < 1e-9)
            largest = max(largest, (np.count_nonzero(reached) + 1) / 301)
            expected[pair] = largest
        for pair, pvalue in expected.items():
            assert result.pvalues_adjusted[pair] == pytest.approx(pvalue, rel=1e-12)
    assert n_ties > 20


def test_the_confidence_set_counts_ties_in_spite_of_rounding():
    """Of two models, it is the two-sided test of their difference."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        y = rng.integers(2, size=30)
        a, b = (np.where(rng.random(30) < p, y, 1 - y) for p in (0.8, 0.6))
        test = PairedBootstrap(
            scoring="accuracy", alternative="two-sided", n_resamples=300
        )
        comparison = PairwiseComparison(test=test, random_state=0)
        result = comparison.fit_predictions(y, {"a": a, "b": b}).result_
        assert result.confidence_set_pvalues.min() == result.pvalues[0]


# Highest-density intervals


@pytest.mark.parametrize("probability", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("n", [7, 10, 33, 99])
def test_the_hdi_is_the_shortest_interval_that_holds_enough_draws(n, probability):
    draws = stats.gamma.ppf((np.arange(n) + 0.5) / n, 2.0)
    n_inside = next(k for k in range(n + 1) if k >= probability * n - 1e-9)
    expected = min(
        (draws[i : i + n_inside] for i in range(n - n_inside + 1)), key=np.ptp
    )
    interval = hdi(draws[::-1], probability)
    assert interval == (expected[0], expected[-1])
    inside = (draws >= interval.low) & (draws <= interval.high)
    assert inside.mean() >= probability - 1e-9
