"""The ranking engine gives what scikit-learn gives on the rows themselves."""

import itertools
import tracemalloc
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.metrics import accuracy_score, average_precision_score, roc_auc_score

from tests.engine.by_hand import generic_statistic, is_refused
from tests.pairs import in_pairs

N_ROWS = 60
TOLERANCE = {"rtol": 0, "atol": 1e-12}


def quietly(function, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args)


def scores_of(rng, shape, spread):
    """Scores with ties: many, some, none, or all the same."""
    scores = rng.normal(size=shape)
    rounded = {"none": scores, "some": scores.round(1), "many": scores.round()}
    return rounded.get(spread, np.zeros(shape))


def probabilities_of(rng, shape, spread):
    powers = np.exp(scores_of(rng, shape, spread))
    return powers / powers.sum(axis=1, keepdims=True)


def weights_of(rng, kind):
    if kind is None:
        return None
    if kind == "whole":
        return rng.integers(0, 4, N_ROWS)
    return rng.random(N_ROWS) * (rng.random(N_ROWS) < 0.7)


def resamples_of(rng, y):
    """Ordinary resamples, resamples of few rows, and of one class or column only."""
    rows = [rng.integers(N_ROWS, size=N_ROWS) for _ in range(3)]
    rows += [rng.integers(N_ROWS, size=size) for size in (1, 2, 3, 4, 6, 8)]
    labels = y if y.ndim == 1 else y[:, 0]
    for label in np.unique(labels):
        rows.append(np.flatnonzero(labels == label))
        rows.append(np.flatnonzero(labels != label))
    if y.ndim == 2:
        rows.append(np.flatnonzero(y.any(axis=1)))
        rows.append(np.flatnonzero(~y.any(axis=1)))
    return [some for some in rows if len(some)]


def cells_of(keys):
    """One row of each cell, and the cell of each row."""
    rows = np.column_stack([key.astype(float) for key in keys])
    _, first, cells = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, cells.ravel()


def layouts_of(statistic):
    """Every row by itself, and rows that are alike together."""
    yield np.arange(N_ROWS), np.arange(N_ROWS)
    yield cells_of(statistic.keys)


def check_resamples(statistic, generic, rng):
    resamples = resamples_of(rng, generic.y)
    expected = [quietly(generic.on_rows, rows) for rows in resamples]
    for first, cells in layouts_of(statistic):
        table, n_cells = statistic.tabulate(first), len(first)
        counts = [np.bincount(cells[rows], minlength=n_cells) for rows in resamples]
        scores = table.scores(np.array(counts))
        np.testing.assert_allclose(scores, expected, **TOLERANCE)
        np.testing.assert_array_equal(scores, table.scores(np.array(counts, float)))
    np.testing.assert_allclose(
        quietly(statistic.on_rows, resamples[0]), expected[0], **TOLERANCE
    )


def check_swaps(statistic, generic, rng):
    swaps = rng.integers(2, size=(4, N_ROWS))
    swaps[0] = 1
    authors = [np.stack([swap, 1 - swap]) for swap in swaps]
    expected = [quietly(generic.on_reassigned, some) for some in authors]
    np.testing.assert_allclose(
        quietly(statistic.on_reassigned, authors[-1]), expected[-1], **TOLERANCE
    )
    for first, cells in layouts_of(statistic):
        counts = np.bincount(cells, minlength=len(first))
        swapped = [np.bincount(cells, swap, minlength=len(first)) for swap in swaps]
        for dtype in (float, int):
            scores = statistic.tabulate(first).swapped_scores(
                counts, np.array(swapped, dtype=dtype)
            )
            np.testing.assert_allclose(scores, expected, **TOLERANCE)


def check(metric, y, responses, kwargs, weights, rng, sign=1):
    generic = generic_statistic(
        metric, y, responses, kwargs=kwargs, sample_weight=weights, sign=sign
    )
    statistic = generic.fastest()
    assert statistic.engine == "ranking"
    assert statistic.observed == generic.observed
    check_resamples(statistic, generic, rng)
    check_swaps(statistic, generic, rng)


SITUATIONS = [("none", None), ("some", "real"), ("many", "whole"), ("constant", None)]
BINARY = [
    (roc_auc_score, {}),
    (roc_auc_score, {"average": None, "max_fpr": 1}),
    (roc_auc_score, {"max_fpr": 0.3}),
    (roc_auc_score, {"max_fpr": 0.01}),
    (average_precision_score, {}),
    (average_precision_score, {"pos_label": 0}),
]


@pytest.mark.parametrize(("spread", "weights"), SITUATIONS)
@pytest.mark.parametrize(("metric", "kwargs"), BINARY)
def test_binary(metric, kwargs, spread, weights):
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=N_ROWS)
    responses = [scores_of(rng, N_ROWS, spread) + 0.3 * y for _ in range(2)]
    check(metric, y, responses, kwargs, weights_of(rng, weights), rng)


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.uint16, bool])
def test_types_of_scores(dtype):
    rng = np.random.default_rng(1)
    y = np.where(rng.random(N_ROWS) < 0.3, "yes", "no")
    responses = [(3 * rng.random(N_ROWS)).astype(dtype) for _ in range(2)]
    check(roc_auc_score, y, responses, {}, None, rng, sign=-1)
    check(average_precision_score, y, responses, {"pos_label": "no"}, None, rng)


@pytest.mark.parametrize(
    ("area", "average", "data"),
    in_pairs(
        itertools.product(
            [
                (roc_auc_score, {}),
                (roc_auc_score, {"max_fpr": 0.4}),
                (average_precision_score, {}),
            ],
            ["macro", "weighted", "micro"],
            [
                ("some", None, "dense"),
                ("many", "real", "dense"),
                ("many", "real", "an empty column"),
                ("some", None, "empty"),
            ],
        )
    ),
)
def test_multilabel(area, average, data):
    (metric, options), (spread, weights, sparsity) = area, data
    rng = np.random.default_rng(2)
    y = (rng.random((N_ROWS, 3)) < [0.5, 0.2, 0.05]).astype(int)
    if sparsity == "an empty column":
        y[:, 1] = 0
    elif sparsity == "empty":
        y[:] = 0
    responses = [scores_of(rng, y.shape, spread) for _ in range(2)]
    kwargs = {"average": average, **options}
    check(metric, y, responses, kwargs, weights_of(rng, weights), rng)


@pytest.mark.parametrize(("spread", "weights"), SITUATIONS)
@pytest.mark.parametrize(
    ("metric", "kwargs"),
    [
        (roc_auc_score, {"multi_class": "ovr"}),
        (roc_auc_score, {"multi_class": "ovr", "average": "weighted"}),
        (roc_auc_score, {"multi_class": "ovr", "average": "micro"}),
        (average_precision_score, {}),
        (average_precision_score, {"average": "weighted"}),
        (average_precision_score, {"average": "micro"}),
    ],
)
def test_multiclass(metric, kwargs, spread, weights):
    rng = np.random.default_rng(3)
    y = rng.choice(3, size=N_ROWS, p=[0.6, 0.3, 0.1])
    responses = [probabilities_of(rng, (N_ROWS, 3), spread) for _ in range(2)]
    check(metric, y, responses, kwargs, weights_of(rng, weights), rng)


@pytest.mark.parametrize(
    ("average", "multi_class", "n_present", "with_labels"),
    in_pairs(
        itertools.product(
            ["macro", "weighted"], ["ovr", "ovo"], [2, 3, 4], [False, True]
        )
    ),
)
def test_classes_that_are_missing(average, multi_class, n_present, with_labels):
    rng = np.random.default_rng(4)
    names = np.array(["a", "b", "c", "d"])
    y = rng.choice(names[:n_present], size=N_ROWS)
    n_columns = 4 if with_labels else max(3, n_present)
    responses = [probabilities_of(rng, (N_ROWS, n_columns), "some") for _ in range(2)]
    kwargs = {"average": average, "multi_class": multi_class}
    if with_labels:
        kwargs["labels"] = list(names)
    elif n_present < 3:
        assert is_refused(roc_auc_score, y, responses[0], **kwargs)
        return
    check(roc_auc_score, y, responses, kwargs, None, rng)


@pytest.mark.parametrize(
    ("container", "multi_class"),
    [(tuple, "ovr"), (np.array, "ovo"), (pd.Index, "ovr"), (pd.Series, "ovo")],
)
def test_labels_may_be_in_any_container(container, multi_class):
    rng = np.random.default_rng(8)
    names = ["a", "b", "c"]
    y = rng.choice(names, size=N_ROWS)
    responses = [probabilities_of(rng, (N_ROWS, 3), "some") for _ in range(2)]
    kwargs = {"multi_class": multi_class, "labels": container(names)}
    check(roc_auc_score, y, responses, kwargs, None, rng)


def test_present_classes_may_have_no_weight():
    rng = np.random.default_rng(5)
    y = np.arange(N_ROWS) % 3
    responses = [probabilities_of(rng, (N_ROWS, 3), "some") for _ in range(2)]
    weights = np.where(y == 2, 0.0, rng.random(N_ROWS))
    kwargs = {"average": "weighted", "multi_class": "ovr"}
    check(roc_auc_score, y, responses, kwargs, weights, rng)
    check(average_precision_score, y, responses, {}, weights, rng)
    check(roc_auc_score, y, responses, kwargs, np.zeros(N_ROWS), rng)


def test_tiny_weights_count_as_none_as_in_scikit_learn():
    rng = np.random.default_rng(6)
    y = rng.integers(2, size=(N_ROWS, 2))
    responses = [scores_of(rng, y.shape, "some") for _ in range(2)]
    weights = rng.random(N_ROWS) * 1e-9
    for metric in (roc_auc_score, average_precision_score):
        check(metric, y, responses, {"average": "weighted"}, weights, rng)
        check(metric, y, responses, {"average": "macro"}, weights, rng)


@pytest.mark.parametrize("metric", [roc_auc_score, average_precision_score])
def test_any_number_of_models(metric):
    rng = np.random.default_rng(7)
    y = rng.integers(2, size=N_ROWS)
    responses = [scores_of(rng, N_ROWS, "some") for _ in range(3)]
    generic = generic_statistic(metric, y, responses, kwargs={})
    check_resamples(generic.fastest(), generic, rng)


@pytest.mark.parametrize(
    ("metric", "kwargs"),
    [
        (roc_auc_score, {}),
        (roc_auc_score, {"max_fpr": 0.3}),
        (average_precision_score, {}),
    ],
)
def test_leaving_out(metric, kwargs):
    rng = np.random.default_rng(8)
    y = (np.arange(N_ROWS) < 1).astype(int)  # without the first row, one class
    responses = [scores_of(rng, N_ROWS, "many") for _ in range(2)]
    generic = generic_statistic(metric, y, responses, kwargs=kwargs)
    statistic = generic.fastest()
    first, cells = cells_of(statistic.keys)
    left_out = statistic.tabulate(first).left_out_scores(np.bincount(cells))
    everything = np.arange(N_ROWS)
    expected = [
        quietly(generic.on_rows, np.delete(everything, row)) for row in everything
    ]
    np.testing.assert_allclose(left_out[cells], expected, **TOLERANCE)


def test_groups():
    rng = np.random.default_rng(9)
    y, groups = rng.integers(2, size=N_ROWS), np.arange(N_ROWS) // 5
    responses = [scores_of(rng, N_ROWS, "some") for _ in range(2)]
    generic = generic_statistic(roc_auc_score, y, responses, kwargs={})
    table = generic.fastest().tabulate(np.arange(N_ROWS))
    membership = sparse.csr_array((np.ones(N_ROWS), (groups, np.arange(N_ROWS))))
    counts = rng.integers(3, size=(4, N_ROWS // 5))
    expected = [
        quietly(generic.on_rows, np.repeat(np.arange(N_ROWS), some[groups]))
        for some in counts
    ]
    scores = table.grouped(membership).scores(counts)
    np.testing.assert_allclose(scores, expected, **TOLERANCE)


@pytest.mark.parametrize("count", [1, 1000, 10**6, 10**7])
@pytest.mark.parametrize("metric", [roc_auc_score, average_precision_score])
def test_large_counts(metric, count):
    # The score of many copies of all rows is that of the rows.
    rng = np.random.default_rng(10)
    y = rng.integers(2, size=N_ROWS)
    responses = [scores_of(rng, N_ROWS, "some") for _ in range(2)]
    generic = generic_statistic(metric, y, responses, kwargs={})
    table = generic.fastest().tabulate(np.arange(N_ROWS))
    scores = table.scores(np.full((3, N_ROWS), count))
    expected = [metric(y, response) for response in responses]
    np.testing.assert_allclose(scores, [expected] * 3, **TOLERANCE)


@pytest.mark.parametrize("count", [2 * 10**5, 10**6, 8 * 10**6])
@pytest.mark.parametrize("metric", [roc_auc_score, average_precision_score])
def test_large_counts_of_rows_with_many_entries(metric, count):
    # One ranking of all columns has the weight of a row once per column.
    rng = np.random.default_rng(11)
    y = rng.integers(2, size=(N_ROWS, 40))
    responses = [scores_of(rng, y.shape, "some") for _ in range(2)]
    generic = generic_statistic(metric, y, responses, kwargs={"average": "micro"})
    table = generic.fastest().tabulate(np.arange(N_ROWS))
    counts = np.full(N_ROWS, count)
    expected = [metric(y, response, average="micro") for response in responses]
    scores = table.scores(counts[np.newaxis])
    np.testing.assert_allclose(scores, [expected], **TOLERANCE)
    swapped = table.swapped_scores(counts, counts[np.newaxis])
    np.testing.assert_allclose(swapped, [expected[::-1]], **TOLERANCE)


def test_no_rows_at_all():
    rng = np.random.default_rng(11)
    y = rng.integers(2, size=(N_ROWS, 2))
    responses = [scores_of(rng, y.shape, "some") for _ in range(2)]
    for average in ("macro", "weighted", "micro"):
        generic = generic_statistic(
            average_precision_score, y, responses, kwargs={"average": average}
        )
        table = generic.fastest().tabulate(np.arange(N_ROWS))
        assert np.isnan(table.scores(np.zeros((1, N_ROWS), dtype=int))).all()


NOT_UNDERSTOOD = {
    "another metric": (accuracy_score, {}, {}),
    "an unknown option": (roc_auc_score, {"color": 1}, {}),
    "a list": (roc_auc_score, {}, {"responses": [[0.5] * N_ROWS] * 2}),
    "two columns": (roc_auc_score, {}, {"responses": [np.zeros((N_ROWS, 2))] * 2}),
    "one class": (roc_auc_score, {}, {"y": np.zeros(N_ROWS)}),
    "continuous": (roc_auc_score, {}, {"y": np.linspace(0, 1, N_ROWS)}),
}
MULTILABEL_NOT_UNDERSTOOD = {
    "samples": (roc_auc_score, {"average": "samples"}, {}),
    "no average": (average_precision_score, {"average": None}, {}),
    "sparse": (roc_auc_score, {}, {"y": sparse.csr_array(np.eye(N_ROWS, 3))}),
}


@pytest.mark.parametrize("case", NOT_UNDERSTOOD)
def test_unsupported_arguments_are_not_fast(case):
    metric, kwargs, parts = NOT_UNDERSTOOD[case]
    sample = {"y": np.arange(N_ROWS) % 2, "responses": [np.arange(N_ROWS)] * 2}
    generic = generic_statistic(metric, kwargs=kwargs, **{**sample, **parts})
    assert generic.fastest().engine != "ranking"


def test_arguments_that_scikit_learn_refuses_are_refused():
    y, scores = np.arange(N_ROWS) % 2, np.arange(N_ROWS)
    assert is_refused(roc_auc_score, y, np.full(N_ROWS, np.inf))
    assert is_refused(average_precision_score, y, scores, pos_label=3)
    assert is_refused(average_precision_score, y.astype(str), scores)
    three, table = np.arange(N_ROWS) % 3, np.eye(3)[np.arange(N_ROWS) % 3]
    assert not is_refused(roc_auc_score, three, table, multi_class="ovo")
    for options in (
        {"sample_weight": scores},
        {"max_fpr": 0.5},
        {"labels": [2, 1, 0]},
        {"labels": [0, 1, 1]},
        {"labels": [0, 1]},
    ):
        assert is_refused(roc_auc_score, three, table, multi_class="ovo", **options)
    assert is_refused(roc_auc_score, three, table[:, :2], multi_class="ovr")
    assert is_refused(average_precision_score, three, table, pos_label=2)
    few = generic_statistic(
        average_precision_score, three, [table[:, :2]] * 2, kwargs={}
    )
    assert few.fastest().engine != "ranking"  # refused since 1.7


@pytest.mark.parametrize("case", MULTILABEL_NOT_UNDERSTOOD)
def test_unsupported_arguments_of_several_labels_are_not_fast(case):
    metric, kwargs, parts = MULTILABEL_NOT_UNDERSTOOD[case]
    responses = [np.arange(3.0 * N_ROWS).reshape(N_ROWS, 3)] * 2
    sample = {"y": np.eye(N_ROWS, 3, dtype=int), "responses": responses}
    generic = generic_statistic(metric, kwargs=kwargs, **{**sample, **parts})
    assert generic.fastest().engine != "ranking"


@pytest.mark.parametrize(
    ("metric", "kwargs", "n_rows"),
    [
        (roc_auc_score, {}, 1_000),
        (roc_auc_score, {}, 200_000),
        (roc_auc_score, {"max_fpr": 0.1}, 1_000),
        (average_precision_score, {}, 200_000),
    ],
)
def test_memory_is_bounded(metric, kwargs, n_rows):
    rng = np.random.default_rng(12)
    y = rng.integers(2, size=n_rows)
    responses = [rng.random(n_rows) for _ in range(2)]
    weights = rng.random(n_rows)
    generic = generic_statistic(
        metric, y, responses, kwargs=kwargs, sample_weight=weights
    )
    table = generic.fastest().tabulate(np.arange(n_rows))
    counts = rng.integers(3, size=(2**21 // n_rows, n_rows), dtype=np.int64)
    table.scores(counts[:1])
    table.swapped_scores(counts[0], counts[:1] // 2)
    tracemalloc.start()
    table.scores(counts)
    table.swapped_scores(counts[0], np.zeros_like(counts))
    peak = tracemalloc.get_traced_memory()[1] - counts.nbytes  # the zeros
    tracemalloc.stop()
    assert peak < 2**26
