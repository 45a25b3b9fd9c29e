"""Metrics of probabilities from sums: equal to scikit-learn on the repeated rows."""

import functools
import itertools
import math

import numpy as np
import pytest
from sklearn import metrics

from skcompare._engine.additive._probabilities import BUILDERS
from tests.engine.by_hand import built, is_refused, reference
from tests.pairs import in_pairs

N_ROWS = 50
MANY_CLASSES = hasattr(metrics, "d2_brier_score")  # since 1.8
BRIER = [metrics.brier_score_loss]
EXPLAINED = [metrics.d2_log_loss_score]
if MANY_CLASSES:
    BRIER.append(metrics.d2_brier_score)
    EXPLAINED.append(metrics.d2_brier_score)


def resamples(y, rng):
    """Return resamples of all sizes, and some of one class alone."""
    sizes = [len(y)] * 6 + [1, 2, 2, 3, 5, 5, 8]
    drawn = [rng.integers(len(y), size=size) for size in sizes]
    alone = [np.flatnonzero(y == label) for label in np.unique(y)]
    return [*drawn, *alone, *(rows[:1] for rows in alone)]


def scored(metric, totals):
    """Return the score and whether it is doubtful."""
    with np.errstate(all="ignore"):
        score = metric.score(totals)
        doubtful = metric.doubtful(totals, score)
    return (score if np.isfinite(score) else math.nan), doubtful


def check(function, y, responses, weights, seed=0, **kwargs):
    """Compare a metric with scikit-learn, models apart and mixed.

    Returns how many scores were sure, doubtful, and undefined though sure.
    """
    metric = built(function, y, responses, weights, **kwargs)
    everything = np.arange(len(y))
    tables = [metric.contributions(m, everything) for m in range(len(responses))]
    check_keys(metric.keys, tables)
    rng = np.random.default_rng(seed)
    mixed = rng.integers(len(responses), size=len(y))
    responses = [*responses, np.stack(responses)[mixed, everything]]
    tables = [*tables, np.stack(tables)[mixed, everything]]
    atol = 1e-12 if function in EXPLAINED else 0.0
    outcomes = {"sure": 0, "doubtful": 0, "undefined": 0}
    cases = zip(resamples(y, rng), itertools.cycle(zip(responses, tables, strict=True)))
    for rows, (response, table) in cases:
        score, doubtful = scored(metric, table[rows].sum(axis=0))
        outcomes["doubtful" if doubtful else "sure"] += 1
        if not doubtful:
            outcomes["undefined"] += np.isnan(score)
            expected = reference(function, y, response, weights, rows, kwargs)
            np.testing.assert_allclose(score, expected, rtol=1e-12, atol=atol)
    return outcomes


def check_keys(keys, tables):
    """Rows that are alike in all keys must contribute alike."""
    seen = {}
    for row, key in enumerate(zip(*(key.tolist() for key in keys), strict=True)):
        same = seen.setdefault(key, row)
        assert all((table[row] == table[same]).all() for table in tables)


def classes_and_probabilities(labels, seed=0, *, n_columns=None, rounded=True):
    """Return truth and probabilities of two models, one of them with ties."""
    rng = np.random.default_rng(seed)
    n_columns = n_columns or len(labels)
    y = np.array(labels)[rng.integers(len(labels), size=N_ROWS)]
    tables = [rng.dirichlet(np.full(n_columns, 0.5), N_ROWS) for _ in range(2)]
    if rounded:  # zeros, ones and ties
        tables[1] = np.round(tables[1] * 4) / 4
        tables[1][:, -1] = 1 - tables[1][:, :-1].sum(axis=1).clip(0, 1)
    return y, [table.clip(0, 1) for table in tables]


def binary(labels, seed=0):
    """Return two classes and the probabilities of the second."""
    y, tables = classes_and_probabilities(labels, seed)
    return y, [table[:, 1] for table in tables]


def declared_for(function, labels, responses):
    """Return the options that declare the classes to a metric."""
    if function in BRIER and responses[0].ndim == 1:
        return {"pos_label": labels[1]}
    return {"labels": labels}


def weights_of(kind, seed=0):
    """Return weights: none, positive, or with zeros."""
    rng = np.random.default_rng(seed + 1000)
    weights = rng.random(N_ROWS)
    return {
        "none": None,
        "positive": weights,
        "zeros": np.where(rng.random(N_ROWS) < 0.4, 0.0, weights),
    }[kind]


weighted = pytest.mark.parametrize("weights", ["none", "zeros"])
normalized = pytest.mark.parametrize("normalize", [True, False])
PAIRS = [[0, 1], [-1, 1], [1, 2], [0, 2], [-1, 0], [2, 3], [False, True], [0.0, 1.0]]
LABELS = [[0, 1, 2], ["a", "b", "c", "d"], [-3.0, 5.0, 7.0]]


@weighted
@pytest.mark.parametrize("labels", [*PAIRS, ["no", "yes"]])
def test_binary_log_loss(labels, weights):
    y, responses = binary(labels)
    weights = weights_of(weights)
    assert not check(metrics.log_loss, y, responses, weights, labels=labels)["doubtful"]
    columns = [response[:, np.newaxis] for response in responses]
    check(metrics.log_loss, y, columns, weights, labels=labels)


@weighted
@pytest.mark.parametrize("labels", [[0, 1], *LABELS])
def test_log_loss(labels, weights):
    y, tables = classes_and_probabilities(labels)
    options = {"labels": labels}
    weights = weights_of(weights)
    outcomes = check(metrics.log_loss, y, tables, weights, **options)
    assert not outcomes["doubtful"]
    metric = built(metrics.log_loss, y, tables, weights, **options)
    assert metric.averages_rows


@pytest.mark.parametrize("weights", ["none", "positive"])
def test_sum_of_log_losses(weights):
    y, tables = classes_and_probabilities([0, 1, 2])
    options = {"labels": [0, 1, 2]}
    weights = weights_of(weights)
    check(metrics.log_loss, y, tables, weights, normalize=False, **options)


@weighted
def test_log_loss_of_classes_that_never_occur(weights):
    y, tables = classes_and_probabilities(["a", "c"], n_columns=4)
    options = {"labels": ["a", "b", "c", "d"]}
    check(metrics.log_loss, y, tables, weights_of(weights), **options)
    check(metrics.log_loss, y.astype(object), tables, weights_of(weights), **options)


@pytest.mark.parametrize(
    ("function", "labels", "pos_label", "weights"),
    in_pairs(
        itertools.product(BRIER, [*PAIRS, ["no", "yes"]], [0, 1], ["none", "zeros"])
    ),
)
def test_brier_of_a_positive_label(function, labels, pos_label, weights):
    y, responses = binary(labels, seed=1)
    options = {"pos_label": labels[pos_label]}
    outcomes = check(function, y, responses, weights_of(weights), **options)
    assert function in EXPLAINED or not outcomes["doubtful"]


@pytest.mark.skipif(not MANY_CLASSES, reason="Brier of many classes needs 1.8")
@weighted
@pytest.mark.parametrize("labels", [[0, 1], *LABELS])
@pytest.mark.parametrize("function", BRIER)
def test_brier(function, labels, weights):
    y, tables = classes_and_probabilities(labels, seed=2)
    options = {"labels": labels}
    check(function, y, tables, weights_of(weights), **options)


@pytest.mark.skipif(not MANY_CLASSES, reason="Brier of many classes needs 1.8")
@pytest.mark.parametrize("scale_by_half", [True, False, "auto"])
@pytest.mark.parametrize("labels", [[0, 1], [0, 1, 2]])
def test_scale_of_brier(labels, scale_by_half):
    y, tables = classes_and_probabilities(labels, seed=3)
    options = {"scale_by_half": scale_by_half}
    check(metrics.brier_score_loss, y, tables, None, labels=labels, **options)
    if len(labels) == 2:
        responses = [table[:, 1] for table in tables]
        check(metrics.brier_score_loss, y, responses, None, pos_label=1, **options)


@weighted
@pytest.mark.parametrize("labels", [[0, 1], *LABELS])
def test_log_loss_explained(labels, weights):
    y, tables = classes_and_probabilities(labels, seed=4)
    options = {"labels": labels}
    check(metrics.d2_log_loss_score, y, tables, weights_of(weights), **options)


@weighted
@pytest.mark.parametrize("function", EXPLAINED)
def test_explained_of_a_rare_class(function, weights):
    y, responses = binary([0, 1], seed=5)
    y = np.where(np.arange(N_ROWS) == 3, 1, 0)
    options = declared_for(function, [0, 1], responses)
    assert check(function, y, responses, weights_of(weights), **options)["sure"]


@weighted
@normalized
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_top_k(k, normalize, weights):
    labels = ["a", "b", "c", "d"]
    y, tables = classes_and_probabilities(labels, seed=6)
    tables = [tables[0].astype(np.float32), (4 * tables[1]).astype(int)]
    options = {"labels": labels}
    options |= {"k": k, "normalize": normalize}
    outcomes = check(
        metrics.top_k_accuracy_score, y, tables, weights_of(weights), **options
    )
    assert not outcomes["doubtful"]


@weighted
@pytest.mark.parametrize("labels", [[0, 1], [1, 2], [0, 1, 2]])
@pytest.mark.parametrize("function", BUILDERS)
def test_ordinary_data_leave_no_doubt(function, labels, weights):
    y, tables = classes_and_probabilities(labels, seed=8, rounded=False)
    responses = [table[:, 1] for table in tables] if len(labels) == 2 else tables
    if function is metrics.brier_score_loss and not MANY_CLASSES and len(labels) > 2:
        pytest.skip("Brier of many classes needs 1.8")
    if function is metrics.top_k_accuracy_score and len(labels) == 2:
        pytest.skip("left to scikit-learn")
    options = declared_for(function, labels, responses)
    metric = built(function, y, responses, weights_of(weights), **options)
    counts = np.random.default_rng(9).multinomial(
        N_ROWS, np.full(N_ROWS, 1 / N_ROWS), size=200
    )
    for model in range(2):
        totals = counts @ metric.contributions(model, np.arange(N_ROWS))
        assert not metric.doubtful(totals, metric.score(totals)).any()
        assert np.isfinite(metric.score(totals)).all()


Y, TABLES = classes_and_probabilities([0, 1, 2], seed=10)
TWO, POSITIVE = binary([0, 1], seed=10)


@pytest.mark.parametrize("function", BUILDERS)
def test_strange_arrays_fall_back(function):
    def build(y, responses, labels):
        options = declared_for(function, labels, list(map(np.asarray, responses)))
        return built(function, y, responses, None, **options)

    three, two = [0, 1, 2], [0, 1]
    assert build(Y + 0.5, TABLES, three) is None
    assert build(Y.astype(object), TABLES, three) is None
    assert build(np.eye(3)[Y], TABLES, three) is None
    assert build(Y, [table[:, :2] for table in TABLES], three) is None
    assert build(Y, POSITIVE, three) is None
    assert build(TWO, [POSITIVE[0], TABLES[0]], two) is None


@pytest.mark.parametrize("function", BUILDERS)
def test_classes_that_are_not_declared_are_left_to_scikit_learn(function):
    assert built(function, Y, TABLES, None) is None
    assert built(function, TWO, POSITIVE, None) is None


@pytest.mark.parametrize("function", [f for f in BUILDERS if "top" not in f.__name__])
def test_strange_probabilities_fall_back(function):
    build, options = (
        functools.partial(built, function),
        declared_for(function, [0, 1], POSITIVE),
    )
    assert build(TWO, POSITIVE, None, **options) is not None
    single = [r.astype(np.float32) for r in POSITIVE]
    assert build(TWO, single, None, **options) is None


@pytest.mark.parametrize("function", [f for f in BUILDERS if "top" not in f.__name__])
def test_numbers_that_are_no_probabilities_are_refused_or_clipped_by_scikit_learn(
    function,
):
    options = declared_for(function, [0, 1], POSITIVE)
    assert is_refused(function, TWO, POSITIVE[0] * np.nan, **options)
    for strange in ([2 * r for r in POSITIVE], [r - 0.5 for r in POSITIVE]):
        if not all(is_refused(function, TWO, r, **options) for r in strange):
            check(function, TWO, strange, None, **options)


@pytest.mark.parametrize("function", BUILDERS)
@pytest.mark.parametrize(
    "labels", [[2, 1, 0], [0, 1, 1], [0, 1], [0, 1, 3], ["0", "1", "2"], [0, 1, 2, 3]]
)
def test_strange_labels_fall_back(function, labels):
    assert built(function, Y, TABLES, None, labels=labels) is None


@pytest.mark.parametrize("function", BRIER)
def test_strange_positive_labels_fall_back(function):
    build = functools.partial(built, function)
    assert build(TWO, POSITIVE, None, pos_label=2) is None
    assert build(TWO.astype(str), POSITIVE, None) is None
    assert build(TWO.astype(str), POSITIVE, None, pos_label=1) is None


def test_sum_without_weight_falls_back():
    build, weights = functools.partial(built, metrics.log_loss), weights_of("zeros")
    assert build(TWO, POSITIVE, weights, labels=[0, 1]) is not None
    assert build(TWO, POSITIVE, weights, labels=[0, 1], normalize=False) is None


def test_top_k_of_two_classes_falls_back():
    build = functools.partial(built, metrics.top_k_accuracy_score)
    tables = [np.column_stack([1 - r, r]) for r in POSITIVE]
    for responses in (tables, POSITIVE, [4 * r - 2 for r in POSITIVE]):
        assert build(TWO, responses, None, labels=[0, 1]) is None
