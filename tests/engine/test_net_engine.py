"""Fast engines at the limits of their numbers, against the metric itself."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, cohen_kappa_score, make_scorer

from skcompare import ApproxRandomization, PairedBootstrap, make_additive_scorer

pytestmark = pytest.mark.usefixtures("quiet")  # what is warned of is tested elsewhere

MONTE_CARLO = {"method": "monte-carlo"}
TESTS = {
    "bootstrap": (PairedBootstrap, {}),
    "randomization": (ApproxRandomization, MONTE_CARLO),
}
each_test = pytest.mark.parametrize(("test", "params"), TESTS.values(), ids=TESTS)


def drawn(test, params, data, *, scoring, **row_params):
    """Return the result of a few resamples."""
    comparison = test(scoring=scoring, n_resamples=40, random_state=0, **params)
    return comparison.fit_predictions(*data, **row_params).result_


@each_test
@pytest.mark.parametrize("scoring", ["roc_auc", "average_precision"])
def test_80_000_rows_have_more_pairs_than_32_bits_count(test, params, scoring):
    """Rows are eight copies of 10,000, whose scores and resamples have no such size."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 5_000)
    # Models that put most pairs in the wrong order: those are counted.
    a, b = ((rng.normal(scale=s, size=10_000) - y).round(1) for s in (1.2, 1.3))
    small = drawn(test, params, (y, a, b), scoring=scoring)
    many = drawn(test, params, [np.tile(x, 8) for x in (y, a, b)], scoring=scoring)
    for result in (small, many):
        assert result.engine == "ranking/cells"
    # Eight times the rows: the same difference, with a spread smaller by sqrt(8).
    assert many.delta == pytest.approx(small.delta, rel=1e-12)
    ratio = many.standard_error / small.standard_error
    assert ratio == pytest.approx(1 / np.sqrt(8), rel=0.5)
    center = many.delta if test is PairedBootstrap else 0.0
    away = np.abs(many.distribution - center)
    assert away.max() < 4 * small.standard_error / np.sqrt(8)


@each_test
@pytest.mark.parametrize("scoring", ["roc_auc", "average_precision"])
@pytest.mark.parametrize("unit", [2**20, 2**22, 2**29], ids=["2^20", "2^22", "2^29"])
def test_the_unit_of_whole_weights_does_not_matter(test, params, scoring, unit):
    """A thousand weights of two units each add up to far more than 32 bits hold."""
    rng = np.random.default_rng(1)
    y, weights = rng.integers(2, size=1_000), rng.integers(1, 4, size=1_000)
    a, b = (y + rng.normal(scale=s, size=1_000) for s in (1.2, 1.4))
    light, heavy = (
        drawn(test, params, (y, a, b), scoring=scoring, sample_weight=w)
        for w in (weights, weights * unit)
    )
    for result in (light, heavy):
        assert result.engine == "ranking/rows"
    np.testing.assert_allclose(heavy.distribution, light.distribution, atol=1e-12)


@each_test
def test_whole_weights_that_32_bits_hold_may_have_twice_that_sum(test, params):
    """The ROC AUC adds the negatives above a positive to the same including ties."""
    rng = np.random.default_rng(1)
    y = (rng.random(1_000) < 0.2).astype(int)
    weights, unit = rng.integers(1, 4, size=1_000), 3 * 2**18
    assert unit * weights[y == 0].sum() > 2**30
    assert unit * weights.sum() < 0.8 * 2**31  # and that of no resample is larger
    # Models that put most pairs in the wrong order: those are counted.
    a, b = (rng.normal(scale=s, size=1_000) - y for s in (1.2, 1.4))
    light, heavy = (
        drawn(test, params, (y, a, b), scoring="roc_auc", sample_weight=w)
        for w in (weights, weights * unit)
    )
    np.testing.assert_allclose(heavy.distribution, light.distribution, atol=1e-12)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_of_resamples_that_lack_a_class_is_scikit_learns(weights):
    """The distance of classes counts those that occur; one in the middle is rare."""
    n = 40
    rng = np.random.default_rng(2)
    y = np.repeat([0, 2, 3], [14, 13, 13])
    y[[3, 20]] = 1
    a, b = (
        np.where(rng.random(n) < p, y, rng.choice([0, 2, 3], n)) for p in (0.8, 0.5)
    )
    a[3] = b[20] = 1

    def counter(row):
        return make_additive_scorer(
            lambda y, ids: (ids == row)[:, np.newaxis],
            lambda totals: totals[..., 0],
            response_method="decision_function",
        )

    kappa = make_scorer(cohen_kappa_score, weights=weights)
    scoring = {"kappa": kappa} | {f"row {row}": counter(row) for row in range(n)}
    test = PairedBootstrap(scoring=scoring, n_resamples=60, random_state=0)
    test.fit_predictions(
        y,
        {"predict": a, "decision_function": np.arange(n, dtype=float)},
        {"predict": b, "decision_function": np.full(n, -1.0)},
    )
    counts = np.array([test.results_[f"row {row}"].distribution for row in range(n)])
    result, lacking = test.results_["kappa"], 0
    assert result.engine.startswith("additive")
    for resample, delta in zip(counts.T, result.distribution, strict=True):
        rows = np.repeat(np.arange(n), np.rint(resample).astype(int))
        of_a, of_b = (
            cohen_kappa_score(y[rows], pred[rows], weights=weights) for pred in (a, b)
        )
        assert delta == pytest.approx(of_a - of_b, abs=1e-12)
        lacking += 1 not in y[rows]
    assert lacking > 3


@each_test
@pytest.mark.parametrize(
    "score",
    [
        lambda totals: totals[..., 0] / totals.sum(),
        lambda totals: totals[..., 0] / totals.sum(axis=-1) - 1e-7 * (totals.size > 2),
    ],
    ids=["by a lot", "by little"],
)
def test_an_engine_that_disagrees_with_the_scorer_is_not_used(test, params, score):
    """The score of several resamples at a time is another than that of one."""
    careless = make_additive_scorer(
        lambda y, p: np.column_stack([y == p, y != p]), score
    )
    rng = np.random.default_rng(4)
    y = rng.integers(2, size=50)
    a, b = (np.where(rng.random(50) < p, y, 1 - y) for p in (0.9, 0.6))
    by_calls = make_scorer(lambda y, pred: accuracy_score(y, pred))
    result, expected = (
        drawn(test, params, (y, a, b), scoring=scoring)
        for scoring in (careless, by_calls)
    )
    assert result.engine == expected.engine == "generic"
    np.testing.assert_allclose(result.distribution, expected.distribution, atol=1e-12)
