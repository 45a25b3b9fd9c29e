"""The same labels are the same comparison, whatever holds them."""

import functools

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB

from skcompare import (
    CochranQ,
    McNemar,
    PairedBootstrap,
    PairwiseComparison,
)

CLASSES = ["ant", "bee", "cow"]


def few_labels(labels, wrong, n=120):
    """Return a truth and two predictions, labels by labels."""
    rng = np.random.default_rng(0)
    truth = rng.choice(labels, n)
    return truth, *(
        np.where(rng.random(n) < share, rng.choice(labels, n), truth) for share in wrong
    )


TEXTS = few_labels(CLASSES, (0.2, 0.4))
INTEGERS = few_labels([0, 1, 2], (0.2, 0.4))
BOOLEANS = few_labels([False, True], (0.2, 0.4))

OF_TEXTS = {
    "list": lambda v: v.tolist(),
    "tuple": lambda v: tuple(v.tolist()),
    "list of numpy strings": list,
    "numpy objects": lambda v: v.astype(object),
    "wide numpy strings": lambda v: v.astype("<U40"),
    "pandas": pd.Series,
    "pandas objects": lambda v: pd.Series(v, dtype=object),
    "pandas string[python]": lambda v: pd.Series(v, dtype="string[python]"),
    "pandas string[pyarrow]": lambda v: pd.Series(v, dtype="string[pyarrow]"),
    "pandas Arrow": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.string())),
    "pandas category": lambda v: pd.Series(v, dtype="category"),
    "Categorical": pd.Categorical,
    "pandas index": pd.Index,
    "pandas frame": lambda v: pd.DataFrame({"label": v}),
    "polars": lambda v: pl.Series(v.tolist()),
    "polars categorical": lambda v: pl.Series(v.tolist(), dtype=pl.Categorical),
    "polars enum": lambda v: pl.Series(v.tolist(), dtype=pl.Enum(CLASSES)),
    "polars frame": lambda v: pl.DataFrame({"label": v.tolist()}),
    "Arrow": lambda v: pa.array(v.tolist()),
    "Arrow chunks": lambda v: pa.chunked_array([v[:50].tolist(), v[50:].tolist()]),
    "Arrow dictionary": lambda v: pa.array(v.tolist()).dictionary_encode(),
    "column": lambda v: v.reshape(-1, 1),
    "column of objects": lambda v: v.astype(object).reshape(-1, 1),
}
if hasattr(np.dtypes, "StringDType"):  # since NumPy 2
    OF_TEXTS["StringDType"] = lambda v: v.astype(np.dtypes.StringDType())

OF_INTEGERS = {
    "list": lambda v: v.tolist(),
    "int8": lambda v: v.astype(np.int8),
    "unsigned": lambda v: v.astype(np.uint16),
    "floats": lambda v: v.astype(float),
    "numpy objects": lambda v: v.astype(object),
    "pandas Int64": lambda v: pd.Series(v, dtype="Int64"),
    "pandas Arrow": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.int32())),
    "pandas category": lambda v: pd.Series(v, dtype="category"),
    "polars": lambda v: pl.Series(v.tolist(), dtype=pl.Int16),
    "Arrow": lambda v: pa.array(v.tolist()),
    "column": lambda v: v.reshape(-1, 1),
}

OF_BOOLEANS = {
    "list": lambda v: v.tolist(),
    "integers": lambda v: v.astype(int),
    "numpy objects": lambda v: v.astype(object),
    "pandas boolean": lambda v: pd.Series(v, dtype="boolean"),
    "pandas Arrow": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.bool_())),
    "polars": lambda v: pl.Series(v.tolist()),
    "Arrow": lambda v: pa.array(v.tolist()),
}

KINDS = {
    "texts": (TEXTS, OF_TEXTS),
    "integers": (INTEGERS, OF_INTEGERS),
    "booleans": (BOOLEANS, OF_BOOLEANS),
}

each_container = pytest.mark.parametrize(
    ("kind", "container"),
    [(kind, name) for kind, (_, held) in KINDS.items() for name in held],
)
each_place = pytest.mark.parametrize("place", ["truth", "A", "all"])

TESTS = (
    PairedBootstrap(scoring="f1_macro", n_resamples=49, random_state=0),
    McNemar(),
)


def summary(result):
    fast = getattr(result, "engine", None)
    return fast, result.delta, result.score_a, result.score_b, result.pvalue


def in_container(values, convert, place):
    held = {"truth": [0], "A": [1], "all": [0, 1, 2]}[place]
    return [convert(v) if n in held else v for n, v in enumerate(values)]


@functools.cache
def of_arrays(kind):
    """What all tests show of plain arrays."""
    return [summary(test.fit_predictions(*KINDS[kind][0]).result_) for test in TESTS]


@each_place
@each_container
def test_a_container_changes_neither_numbers_nor_engine(kind, container, place):
    values, containers = KINDS[kind]
    held = in_container(values, containers[container], place)
    for test, expected in zip(TESTS, of_arrays(kind), strict=True):
        assert summary(test.fit_predictions(*held).result_) == expected


def test_the_engine_that_containers_share_is_the_fast_one():
    result = TESTS[0].fit_predictions(*TEXTS).result_
    assert result.engine == "additive/cells"


@pytest.mark.parametrize("container", OF_TEXTS)
def test_a_container_changes_no_pair_of_many_models(container):
    convert = OF_TEXTS[container]
    truth, a, b = TEXTS
    plain = {"a": a, "b": b, "c": truth}
    held = {"a": convert(a), "b": b, "c": convert(truth)}
    many = PairwiseComparison(test=TESTS[0], correction="max-t")
    expected = many.fit_predictions(truth, plain).result_
    result = many.fit_predictions(convert(truth), held).result_
    np.testing.assert_array_equal(result.deltas, expected.deltas)
    np.testing.assert_array_equal(result.pvalues, expected.pvalues)
    expected = CochranQ().fit_predictions(truth, plain).result_.pvalue
    assert CochranQ().fit_predictions(convert(truth), held).result_.pvalue == expected


def test_labels_longer_than_most_are_labels_like_others():
    long = {"cow": "cow " + 100 * "o"}
    held = [np.array([long.get(v, v) for v in values]) for values in TEXTS]
    test = TESTS[0]
    expected = summary(test.fit_predictions(*TEXTS).result_)
    assert summary(test.fit_predictions(*held).result_) == expected
    as_objects = [held[0].astype(object), held[1].tolist(), pd.Series(held[2])]
    assert summary(test.fit_predictions(*as_objects).result_) == expected
    # One model does not predict the long label, and so has a narrower dtype.
    short = np.where(TEXTS[1] == "cow", "ant", TEXTS[1])
    result = test.fit_predictions(as_objects[0], short, as_objects[2]).result_
    assert result.engine == "additive/cells"


# Models

pooled = pytest.mark.filterwarnings(
    "ignore::skcompare.exceptions.PooledScoreWarning"  # not the subject here
)


class ReturnsColumn(ClassifierMixin, BaseEstimator):
    """Labels of shape (n, 1), as CatBoost returns them."""

    def fit(self, X, y):
        self.model_ = GaussianNB().fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X).astype(object).reshape(-1, 1)

    def predict_proba(self, X):
        return self.model_.predict_proba(X)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    y = rng.choice(CLASSES, 90)
    X = rng.normal(size=(90, 3)) + np.searchsorted(CLASSES, y)[:, np.newaxis]
    return X, y


@pooled
@pytest.mark.parametrize("cv", ["prefit", 3])
@pytest.mark.parametrize(
    "container",
    ["numpy objects", "pandas", "pandas string[pyarrow]", "pandas category"],
)
def test_models_of_different_dtypes_are_compared_fast(container, cv, data):
    X, y = data
    held = OF_TEXTS[container](y)
    for scoring in ("f1_macro", ["f1_macro", "neg_log_loss"]):
        models = LogisticRegression().fit(X, held), GaussianNB().fit(X, y)
        test = PairedBootstrap(
            *models, scoring=scoring, cv=cv, n_resamples=49, random_state=0
        )
        expected = summary(test.fit(X, y).results_["f1_macro"])
        assert expected[0].startswith("additive")
        assert summary(test.fit(X, held).results_["f1_macro"]) == expected


@pooled
@pytest.mark.parametrize("cv", ["prefit", 3])
@pytest.mark.parametrize("test", TESTS, ids=lambda test: type(test).__name__)
def test_predictions_of_one_column_are_vectors(test, cv, data):
    X, y = data
    plain, column = GaussianNB().fit(X, y), ReturnsColumn().fit(X, y)
    other = LogisticRegression(C=0.01).fit(X, y)
    test = clone(test).set_params(estimator_b=other, cv=cv)
    expected = summary(test.set_params(estimator_a=plain).fit(X, y).result_)
    assert summary(test.set_params(estimator_a=column).fit(X, y).result_) == expected


@pooled
def test_predictions_of_one_column_are_vectors_where_rows_are_tested_twice(data):
    X, y = data
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    results = [
        PairedBootstrap(
            model,
            LogisticRegression(C=0.01),
            scoring="f1_macro",
            cv=cv,
            n_resamples=49,
            random_state=0,
        )
        .fit(X, y)
        .result_
        for model in (GaussianNB(), ReturnsColumn())
    ]
    assert summary(results[0]) == summary(results[1])
    assert results[1].engine.startswith("additive")


# Gaps


@pytest.mark.parametrize("gap", [None, float("nan"), pd.NA])
@pytest.mark.parametrize("parameter", ["y_true", "y_pred_a", "y_pred_b"])
def test_a_missing_label_is_refused_by_the_name_of_its_parameter(parameter, gap):
    place = ["y_true", "y_pred_a", "y_pred_b"].index(parameter)
    for convert in (list, lambda v: np.array(v, dtype=object), pd.Series):
        held = [values.astype(object) for values in TEXTS]
        held[place][7] = gap
        held[place] = convert(held[place].tolist())
        with pytest.raises(ValueError, match=f"`{parameter}` must not have missing"):
            TESTS[0].fit_predictions(*held)
