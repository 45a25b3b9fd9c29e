"""Regression metrics from sums: equal to scikit-learn on the repeated rows."""

import functools
import itertools
import math

import numpy as np
import pytest
from sklearn import metrics

from skcompare._engine.additive._regression import BUILDERS
from tests.engine.by_hand import built, is_refused, reference

N_ROWS = 50
SHARES = [0.2, 0.5, 0.3]
PLAIN = [
    metrics.mean_squared_error,
    metrics.root_mean_squared_error,
    metrics.mean_absolute_error,
    metrics.mean_absolute_percentage_error,
    metrics.mean_pinball_loss,
]
LOG = [metrics.mean_squared_log_error, metrics.root_mean_squared_log_error]
EXPLAINED = [metrics.r2_score, metrics.explained_variance_score]
POWERS = [-1.5, -1, 0, 1, 1.001, 1.5, 2, 2.5, 3]


def resamples(n_rows, rng, *, n_resamples=9):
    """Return resamples of the sample's size, then of one row to a few."""
    sizes = [n_rows] * n_resamples + [1, 2, 2, 3, 5, 8]
    return [rng.integers(n_rows, size=size) for size in sizes]


def scored(metric, totals):
    """Return the score and whether it is doubtful."""
    with np.errstate(all="ignore"):
        score = metric.score(totals)
        doubtful = metric.doubtful(totals, score)
    return (score if np.isfinite(score) else math.nan), doubtful


def check(function, y, responses, weights, seed, *, atol=0.0, **kwargs):
    """Compare a metric with scikit-learn, models apart and mixed."""
    metric = built(function, y, responses, weights, **kwargs)
    everything = np.arange(len(y))
    tables = [metric.contributions(m, everything) for m in range(len(responses))]
    check_keys(metric.keys, tables)
    rng = np.random.default_rng(seed)
    mixed = rng.integers(len(responses), size=len(y))
    responses = [*responses, np.stack(responses)[mixed, everything]]
    tables = [*tables, np.stack(tables)[mixed, everything]]
    n_sure = 0
    cases = zip(
        resamples(len(y), rng), itertools.cycle(zip(responses, tables, strict=True))
    )
    for rows, (response, table) in cases:
        score, doubtful = scored(metric, table[rows].sum(axis=0))
        if not doubtful:
            n_sure += 1
            expected = reference(function, y, response, weights, rows, kwargs)
            np.testing.assert_allclose(score, expected, rtol=1e-12, atol=atol)
    return n_sure


def check_keys(keys, tables):
    """Rows that are alike in all keys must contribute alike."""
    seen = {}
    for row, key in enumerate(zip(*(key.tolist() for key in keys), strict=True)):
        same = seen.setdefault(key, row)
        assert all((table[row] == table[same]).all() for table in tables)


def regression_data(seed, kind, n_outputs=1):
    """Return truth and the predictions of two models."""
    rng = np.random.default_rng(seed)
    shape = (N_ROWS, n_outputs) if n_outputs > 1 else (N_ROWS,)
    y = {
        "normal": lambda: rng.normal(3, 2, shape),
        "offset": lambda: rng.normal(1e4, 1, shape),
        "ties": lambda: rng.integers(0, 4, shape),
        "zeros": lambda: np.where(
            rng.random(shape) < 0.8, 0.0, rng.normal(0, 1, shape)
        ),
        "constant": lambda: np.full(shape, 0.1),
    }[kind]()
    noisy = y + rng.normal(0.2, 1, shape)
    return y, [noisy, np.round(y + rng.normal(0, 0.7, shape))]


def positive_data(seed, *, zeros=False):
    """Return positive truth and predictions."""
    rng = np.random.default_rng(seed)
    y = rng.gamma(2, 2, N_ROWS)
    y = np.where(rng.random(N_ROWS) < 0.3, 0.0, y) if zeros else y
    return y, [rng.gamma(2, 2, N_ROWS), y + rng.gamma(1, 1, N_ROWS)]


def weights_of(kind, seed):
    """Return weights: none, positive, or with zeros."""
    rng = np.random.default_rng(seed + 1000)
    weights = rng.random(N_ROWS)
    return {
        "none": None,
        "positive": weights,
        "zeros": np.where(rng.random(N_ROWS) < 0.4, 0.0, weights),
    }[kind]


weighted = pytest.mark.parametrize("weights", ["none", "zeros"])


@weighted
@pytest.mark.parametrize("kind", ["normal", "offset", "ties", "zeros", "constant"])
@pytest.mark.parametrize("function", PLAIN)
def test_plain_losses(function, kind, weights):
    y, responses = regression_data(0, kind)
    assert check(function, y, responses, weights_of(weights, 0), seed=1)


@weighted
@pytest.mark.parametrize("multioutput", ["uniform_average", SHARES, [0, 1, 0]])
@pytest.mark.parametrize("function", PLAIN)
def test_plain_losses_of_several_outputs(function, multioutput, weights):
    y, responses = regression_data(2, "normal", n_outputs=3)
    weights = weights_of(weights, 2)
    assert check(function, y, responses, weights, seed=3, multioutput=multioutput)


@weighted
@pytest.mark.parametrize("function", LOG)
def test_losses_of_logarithms(function, weights):
    y, responses = positive_data(4, zeros=True)
    assert check(function, y - 0.5, responses, weights_of(weights, 4), seed=5)


@pytest.mark.parametrize("alpha", [0, 0.1, 1])
def test_pinball_levels(alpha):
    y, responses = regression_data(6, "ties")
    assert check(metrics.mean_pinball_loss, y, responses, None, seed=7, alpha=alpha)


@weighted
@pytest.mark.parametrize("power", POWERS)
def test_deviances(power, weights):
    y, responses = positive_data(8, zeros=1 <= power < 2)
    y = y - 3 if power <= 0 else y
    weights = weights_of(weights, 8)
    function = metrics.mean_tweedie_deviance
    assert check(function, y, responses, weights, seed=9, power=power)


@pytest.mark.parametrize(
    "function", [metrics.mean_poisson_deviance, metrics.mean_gamma_deviance]
)
def test_named_deviances(function):
    y, responses = positive_data(10)
    assert check(function, y, responses, weights_of("positive", 10), seed=11)


@weighted
@pytest.mark.parametrize("power", POWERS)
def test_deviance_explained(power, weights):
    y, responses = positive_data(12, zeros=1 <= power < 2)
    y = y - 1 if power <= 0 else y
    weights = weights_of(weights, 12)
    function = metrics.d2_tweedie_score
    assert check(function, y, responses, weights, seed=13, power=power, atol=1e-12)


@weighted
@pytest.mark.parametrize("kind", ["normal", "offset", "ties", "zeros"])
@pytest.mark.parametrize("force_finite", [True, False])
@pytest.mark.parametrize("function", EXPLAINED)
def test_explained(function, force_finite, kind, weights):
    y, responses = regression_data(14, kind)
    options = {"force_finite": force_finite, "atol": 1e-12}
    assert check(function, y, responses, weights_of(weights, 14), seed=15, **options)


@weighted
@pytest.mark.parametrize(
    "multioutput", ["uniform_average", "variance_weighted", SHARES, [0, 1, 0]]
)
@pytest.mark.parametrize("kind", ["normal", "ties"])
@pytest.mark.parametrize("function", EXPLAINED)
def test_explained_of_several_outputs(function, kind, multioutput, weights):
    y, responses = regression_data(16, kind, n_outputs=3)
    options = {"multioutput": multioutput, "atol": 1e-12}
    assert check(function, y, responses, weights_of(weights, 16), seed=17, **options)


@pytest.mark.parametrize("function", [*EXPLAINED, metrics.d2_tweedie_score])
def test_constant_truth_is_always_doubtful(function):
    y, responses = regression_data(18, "constant")
    assert check(function, y, responses, None, seed=19) == 0


@pytest.mark.parametrize("function", EXPLAINED)
def test_perfect_and_biased_models(function):
    y, (noisy, _) = regression_data(20, "normal")
    check(function, y, [y, y + 5], None, seed=21, atol=1e-12)
    assert check(function, y, [noisy, noisy + 5], None, seed=21, atol=1e-12)


@pytest.mark.parametrize(
    ("function", "kwargs"),
    [
        *itertools.product(EXPLAINED, [{}, {"multioutput": "variance_weighted"}]),
        *(
            (metrics.d2_tweedie_score, {"power": power})
            for power in POWERS
            if power != 1.001
        ),
    ],
)
@weighted
def test_ordinary_data_leave_no_doubt(function, kwargs, weights):
    y, responses = positive_data(22)
    metric = built(function, y, responses, weights_of(weights, 22), **kwargs)
    rng = np.random.default_rng(23)
    counts = rng.multinomial(N_ROWS, np.full(N_ROWS, 1 / N_ROWS), size=200)
    for model in range(2):
        totals = counts @ metric.contributions(model, np.arange(N_ROWS))
        assert not metric.doubtful(totals, metric.score(totals)).any()
        assert metric.score(totals).shape == (200,)


def test_large_counts_leave_no_doubt():
    rng = np.random.default_rng(24)
    y = rng.poisson(1000, N_ROWS)
    responses = [rng.normal(1000, 10, N_ROWS), np.full(N_ROWS, 990.0)]
    function = metrics.d2_tweedie_score
    assert check(function, y, responses, None, 25, power=1, atol=1e-12) >= 9


def test_r2_is_the_same_for_one_column():
    y, responses = regression_data(26, "normal")
    columns = [response[:, np.newaxis] for response in responses]
    assert check(metrics.r2_score, y, columns, None, seed=27, atol=1e-12)
    metric = built(metrics.r2_score, y, columns, None, multioutput=None)
    assert metric is not None


@pytest.mark.parametrize("function", PLAIN)
def test_single_precision_predictions_of_doubles(function):
    y, responses = regression_data(28, "normal")
    responses = [response.astype(np.float32) for response in responses]
    assert check(function, y, responses, None, seed=29)


def test_means_declare_that_they_average_rows():
    y, responses = positive_data(30)
    roots = {metrics.root_mean_squared_error, metrics.root_mean_squared_log_error}
    not_means = {*roots, *EXPLAINED, metrics.d2_tweedie_score}
    for function in BUILDERS:
        assert built(function, y, responses, None).averages_rows == (
            function not in not_means
        )


Y, RESPONSES = positive_data(31)
PAIR = [np.column_stack([r, r]) for r in RESPONSES]


@pytest.mark.parametrize("function", BUILDERS)
def test_strange_arrays_fall_back(function):
    build = functools.partial(built, function)
    single = [r.astype(np.float32) for r in RESPONSES]
    assert build(Y.astype(np.float32), single, None) is None
    assert build(np.ones(N_ROWS, dtype=int), single, None) is None
    assert build(Y.astype(object), RESPONSES, None) is None
    assert build(Y, [r.tolist() for r in RESPONSES], None) is None


@pytest.mark.parametrize("function", BUILDERS)
def test_scikit_learn_refuses_gaps_and_other_shapes(function):
    assert is_refused(function, Y, PAIR[0])
    assert is_refused(function, np.where(Y > 3, np.nan, Y), RESPONSES[0])


@pytest.mark.parametrize("function", [*PLAIN, *LOG, *EXPLAINED])
def test_scikit_learn_refuses_strange_averages(function):
    y = np.column_stack([Y, Y])
    assert not is_refused(function, y, PAIR[0])
    for strange in (
        "raw_values",
        "other",
        [1],
        [1, -1],
        [0, 0],
        [1, np.nan],
        ["a", "b"],
    ):
        assert is_refused(function, y, PAIR[0], multioutput=strange), strange


@pytest.mark.parametrize("power", [-1, 1, 1.5, 2, 3])
@pytest.mark.parametrize(
    "function", [metrics.mean_tweedie_deviance, metrics.d2_tweedie_score]
)
def test_scikit_learn_refuses_values_outside_the_domain(function, power):
    low = RESPONSES[0] - 3
    assert built(function, Y, RESPONSES, None, power=power) is not None
    assert is_refused(function, Y, low, power=power)
    if power > 0:
        assert is_refused(function, Y - 3, RESPONSES[0], power=power)
    if power >= 2:
        assert is_refused(function, np.maximum(Y - 3, 0), RESPONSES[0], power=power)
    assert is_refused(function, np.column_stack([Y, Y]), PAIR[0], power=power)


@pytest.mark.parametrize("function", LOG)
def test_scikit_learn_refuses_logarithms_outside_the_domain(function):
    assert is_refused(function, Y - 3, RESPONSES[0])
