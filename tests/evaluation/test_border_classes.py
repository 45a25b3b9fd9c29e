"""Means of per-row scores are defined on resamples that lack a class."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    d2_log_loss_score,
    get_scorer_names,
    hinge_loss,
    log_loss,
    make_scorer,
    roc_auc_score,
    top_k_accuracy_score,
)
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB

from skcompare import ApproxRandomization, PairedBootstrap
from skcompare.exceptions import DegenerateDataWarning, UndefinedScoreWarning

ROW_AVERAGES = ("neg_log_loss", "neg_brier_score", "top_k_accuracy")
RATIOS = ("d2_brier_score", "d2_log_loss_score")
RATIOS = tuple(name for name in RATIOS if name in get_scorer_names())
LABELS = {"integers": [0, 1, 2], "texts": ["a", "b", "c"], "floats": [0.0, 1.0, 2.0]}

SAME = {
    "neg_log_loss": lambda *args, **kwargs: -log_loss(*args, **kwargs),
    "top_k_accuracy": top_k_accuracy_score,
    "d2_log_loss_score": d2_log_loss_score,
}
SAME = {name: metric for name, metric in SAME.items() if name in get_scorer_names()}

each_kind = pytest.mark.parametrize("kind", LABELS)


@pytest.fixture
def rare():
    """Three classes, of which one occurs once: a third of all resamples lack it."""
    rng = np.random.default_rng(0)
    codes = np.r_[2, rng.integers(0, 2, 119)]
    noise = rng.dirichlet([1, 1, 1], 120)
    own = np.eye(3)[codes]
    return codes, 0.6 * own + 0.4 * noise, 0.3 * own + 0.7 * noise


def bootstrap(scoring, **kwargs):
    return PairedBootstrap(scoring=scoring, n_resamples=499, random_state=0, **kwargs)


@each_kind
@pytest.mark.parametrize("scoring", ROW_AVERAGES + RATIOS)
def test_a_resample_without_a_rare_class_is_defined(scoring, kind, rare):
    codes, a, b = rare
    y = np.array(LABELS[kind])[codes]
    result = bootstrap(scoring).fit_predictions(y, a, b).result_
    assert result.n_undefined == 0
    assert result.engine.startswith("additive")
    if scoring != "top_k_accuracy":
        assert result.pvalue == 1 / 500


@pytest.mark.parametrize(
    "scoring",
    [
        pytest.param(name, marks=[pytest.mark.slow] * name.startswith("d2"))
        for name in SAME
    ],
)
def test_rows_and_sums_agree_on_resamples_without_a_class(scoring, rare):
    codes, a, b = rare
    expected = bootstrap(scoring).fit_predictions(codes, a, b).result_

    def same(estimator, X, y):
        return SAME[scoring](y, estimator.predict_proba(X), labels=[0, 1, 2])

    comparison = bootstrap(same).fit_predictions(
        codes, {"predict_proba": a}, {"predict_proba": b}
    )
    assert comparison.result_.engine == "generic"
    assert comparison.delta_ == pytest.approx(expected.delta, rel=1e-12)
    assert comparison.result_.n_undefined == 0
    # Their draws differ: shares agree within the error of 499 resamples. (P-values need
    # not: sums show how few rows move the score, which bounds them.)
    assert comparison.n_exceeding_ == pytest.approx(expected.n_exceeding, abs=25)


def test_a_loss_of_decision_values_is_defined_row_by_row(rare):
    codes, a, b = rare
    scorer = make_scorer(
        hinge_loss, greater_is_better=False, response_method="decision_function"
    )
    decision_values = [{"decision_function": 4 * values - 1} for values in (a, b)]
    assert (
        bootstrap(scorer).fit_predictions(codes, *decision_values).result_.n_undefined
        == 0
    )


def test_a_score_of_classes_stays_undefined_without_one(rare):
    with pytest.warns(UndefinedScoreWarning, match="lack a class"):
        result = bootstrap("roc_auc_ovr").fit_predictions(*rare).result_
    assert result.n_undefined > 100


@pytest.mark.parametrize("labels", [[0, 1], [1, 2], [-1, 1], ["no", "yes"]])
def test_two_classes_of_which_one_is_rare(labels):
    rng = np.random.default_rng(1)
    codes = np.r_[1, np.zeros(40, dtype=int)]
    y, p = np.array(labels)[codes], rng.uniform(0, 0.4, 41)
    q = np.clip(p + 0.3, 0, 1)
    comparison = bootstrap("neg_log_loss").fit_predictions(y, p, q).result_
    assert comparison.n_undefined == 0
    assert comparison.pvalue == 1 / 500
    if isinstance(labels[0], int):
        # The loss of a row does not depend on which other rows there are.
        comparison = bootstrap("neg_brier_score").fit_predictions(y, p, q)
        expected = bootstrap("neg_brier_score").fit_predictions(codes, p, q)
        assert (
            comparison.result_.confidence_interval
            == expected.result_.confidence_interval
        )
    if RATIOS:
        with pytest.warns(UndefinedScoreWarning):  # nothing to explain in one class
            comparison = bootstrap(RATIOS[-1]).fit_predictions(y, p, q).result_
        assert 100 < comparison.n_undefined < 300


def test_classes_that_only_the_models_have_count(rare):
    codes, a, b = rare
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2)) + codes[:, np.newaxis]
    models = (
        LogisticRegression().fit(X, codes),
        GaussianNB(var_smoothing=1).fit(X, codes),
    )
    test = PairedBootstrap(
        *models, scoring="neg_log_loss", n_resamples=199, random_state=0
    )
    comparison = test.fit(X[1:], codes[1:])  # none of the rare class
    expected = -log_loss(codes[1:], models[0].predict_proba(X[1:]), labels=[0, 1, 2])
    assert comparison.score_a_ == pytest.approx(expected)
    probabilities = [{"predict_proba": p[1:], "classes": [0, 1, 2]} for p in (a, b)]
    comparison = bootstrap("neg_log_loss").fit_predictions(codes[1:], *probabilities)
    assert comparison.score_a_ == pytest.approx(
        -log_loss(codes[1:], a[1:], labels=[0, 1, 2])
    )


def test_a_fold_without_a_class_has_a_mean():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 30)
    X = rng.normal(size=(90, 2)) + y[:, np.newaxis]
    test = bootstrap(
        "neg_log_loss",
        estimator_a=GaussianNB(),
        estimator_b=LogisticRegression(),
        cv=KFold(9),
        aggregate="fold-mean",
    )
    assert test.fit(X, y).result_.n_undefined == 0


def test_classes_of_the_truth_that_no_model_has_are_refused():
    y, p = np.repeat(["a", "b", "x"], 10), np.full((30, 3), 1 / 3)
    model = Proba(["a", "b", "c"], p)
    test = PairedBootstrap(model, model, scoring="neg_log_loss", n_resamples=9)
    with pytest.raises(ValueError, match=r"only classes of the models.*'x'"):
        test.fit(np.arange(30)[:, np.newaxis], y)


# Whose column is whose


class Proba(ClassifierMixin, BaseEstimator):
    """A model that predicts from a table, with classes in any order."""

    def __init__(self, classes=None, table=None):
        self.classes, self.table = classes, table
        self.classes_ = np.asarray(classes)

    def fit(self, X, y):
        return self

    def predict_proba(self, X):
        return self.table


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_columns_are_those_of_the_models_classes(order, rare):
    codes, a, b = rare
    y, names = np.array(["a", "b", "c"])[codes], np.array(["a", "b", "c"])
    X = np.arange(len(y))[:, np.newaxis]
    for scoring in ("neg_log_loss", "roc_auc_ovr"):
        plain = [{"predict_proba": p} for p in (a, b)]
        test = ApproxRandomization(scoring=scoring, n_resamples=99, random_state=0)
        expected = test.fit_predictions(y, *plain).score_a_
        mapped = [
            {"predict_proba": p[:, order], "classes": names[order]} for p in (a, b)
        ]
        assert test.fit_predictions(y, *mapped).score_a_ == pytest.approx(expected)
        models = [Proba(names[order], p[:, order]) for p in (a, b)]
        test.set_params(estimator_a=models[0], estimator_b=models[1])
        assert test.fit(X, y).score_a_ == pytest.approx(expected)


def test_a_class_that_one_of_two_models_lacks_has_probability_zero():
    y = np.repeat(["a", "b", "c"], [20, 19, 1])
    rng = np.random.default_rng(0)
    three, two = rng.dirichlet([1, 1, 1], 40), rng.dirichlet([1, 1], 40)
    models = Proba(["a", "b", "c"], three), Proba(["a", "b"], two)
    test = PairedBootstrap(
        *models, scoring="neg_log_loss", n_resamples=99, random_state=0
    )
    comparison = test.fit(np.arange(40)[:, np.newaxis], y)
    expected = -log_loss(y, np.c_[two, np.zeros(40)], labels=["a", "b", "c"])
    assert comparison.score_b_ == pytest.approx(expected)


@pytest.mark.parametrize("prefix", ["", "p_", "proba of "])
@each_kind
def test_columns_of_a_frame_are_those_of_its_names(kind, prefix, rare):
    codes, a, b = rare
    classes = LABELS[kind]
    y = np.array(classes)[codes]
    expected = bootstrap("neg_log_loss").fit_predictions(y, a, b)
    names = classes if not prefix else [f"{prefix}{label}" for label in classes]
    frames = [pd.DataFrame(p, columns=names).iloc[:, [2, 0, 1]] for p in (a, b)]
    comparison = bootstrap("neg_log_loss").fit_predictions(y, *frames)
    assert (comparison.delta_, comparison.pvalue_) == (
        expected.delta_,
        expected.pvalue_,
    )
    probabilities = [{"predict_proba": frame} for frame in frames]
    assert (
        bootstrap("neg_log_loss").fit_predictions(y, *probabilities).delta_
        == comparison.delta_
    )


def test_columns_of_a_polars_frame_are_those_of_its_names(rare):
    pl = pytest.importorskip("polars")
    codes, a, b = rare
    y = np.array(["a", "b", "c"])[codes]
    expected = bootstrap("neg_log_loss").fit_predictions(y, a, b).delta_
    frame = pl.DataFrame({"c": a[:, 2], "b": a[:, 1], "a": a[:, 0]})
    assert bootstrap("neg_log_loss").fit_predictions(y, frame, b).delta_ == expected
    table = frame.to_arrow()
    assert bootstrap("neg_log_loss").fit_predictions(y, table, b).delta_ == expected


def test_names_that_are_no_classes_leave_columns_in_place(rare):
    codes, a, b = rare
    y = codes + 1
    expected = bootstrap("neg_log_loss").fit_predictions(y, a, b).delta_
    for names in (None, ["x", "y", "z"], ["column_0", "column_1", "column_2"]):
        frame = pd.DataFrame(a, columns=names)
        assert bootstrap("neg_log_loss").fit_predictions(y, frame, b).delta_ == expected


def test_names_of_some_classes_only_are_refused(rare):
    codes, a, b = rare
    y = np.array(["a", "b", "c"])[codes]
    frame = pd.DataFrame(a, columns=["a", "b", "see"])
    with pytest.raises(ValueError, match="`y_pred_a` that are named after classes"):
        bootstrap("neg_log_loss").fit_predictions(y, frame, b)


def test_column_names_give_classes_that_the_truth_lacks(rare):
    codes, a, b = rare
    y = np.array(["a", "b", "c"])[codes][1:]
    frames = [pd.DataFrame(p[1:], columns=["a", "b", "c"]) for p in (a, b)]
    comparison = bootstrap("neg_log_loss").fit_predictions(y, *frames)
    assert comparison.score_a_ == pytest.approx(
        -log_loss(y, a[1:], labels=["a", "b", "c"])
    )


def test_models_that_return_frames_are_read_by_name(rare):
    codes, a, b = rare
    y = np.array(["a", "b", "c"])[codes]
    X = np.arange(len(y))[:, np.newaxis]
    frame = pd.DataFrame(a, columns=["a", "b", "c"])[["b", "c", "a"]]
    models = Proba(["a", "b", "c"], frame), Proba(["a", "b", "c"], b)
    test = bootstrap("neg_log_loss", estimator_a=models[0], estimator_b=models[1])
    expected = bootstrap("neg_log_loss").fit_predictions(y, a, b)
    assert test.fit(X, y).delta_ == expected.delta_


@pytest.mark.needs("scikit-learn>=1.8", "scorer of the explained log loss")
def test_a_comparison_in_explained_log_loss_can_be_pickled():
    rng = np.random.default_rng(0)
    y, a, b = rng.integers(2, size=60), rng.random(60), rng.random(60)
    test = PairedBootstrap(scoring="d2_log_loss_score", n_resamples=99, random_state=0)
    test.fit_predictions(y, a, b)
    assert (
        pickle.loads(pickle.dumps(test)).extend(100).pvalue_ == test.extend(100).pvalue_
    )


def test_decision_values_of_two_classes_belong_to_the_second_that_is_named():
    rng = np.random.default_rng(0)
    y, values = np.arange(60) % 2, rng.normal(size=60)
    a = {"decision_function": values, "classes": [0, 1]}
    b = {"decision_function": -values, "classes": [1, 0]}
    test = PairedBootstrap(scoring="roc_auc", n_resamples=9, random_state=0)
    with pytest.warns(DegenerateDataWarning):
        test.fit_predictions(y, a, b)
    assert test.score_a_ == test.score_b_ == roc_auc_score(y, values)


NOT_OF_ONE = np.random.default_rng(0).random((2, 80, 2))
OF_ONE = NOT_OF_ONE / NOT_OF_ONE.sum(axis=2, keepdims=True)


class Careless(ClassifierMixin, BaseEstimator):
    """Its probabilities of two classes sum to 1.4."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.7)


def sums_caveats(test, *data):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = test(*data).result_
    texts = [str(warning.message) for warning in caught]
    return result, [text for text in texts if "do not sum to one" in text]


@pytest.mark.parametrize("labels", [[0, 1], ["n", "p"]])
def test_two_columns_that_do_not_sum_to_one_have_a_caveat_with_the_models(labels):
    y, (a, b) = np.array(labels)[np.arange(80) % 2], NOT_OF_ONE
    fit = bootstrap("neg_log_loss").fit_predictions
    result, texts = sums_caveats(fit, y, a, b)
    assert texts == [
        "The probabilities of A (80 rows) and B (80 rows) do not sum to one. "
        f"neg_log_loss is computed from the column of one class, {labels[1]}, alone. "
        "Pass probabilities of both classes that sum to one, or a vector of those of "
        "this class."
    ]
    assert "Caution: probabilities do not sum to one." in result.sentence()
    assert result.score_a == pytest.approx(-log_loss(y, a[:, 1]))
    (text,) = sums_caveats(fit, y, OF_ONE[0], b)[1]
    assert text.startswith("The probabilities of B (80 rows) do not")


def test_probabilities_of_a_careless_model_have_a_caveat():
    X, y = np.arange(80.0)[:, None] % 7, np.arange(80) % 2
    models = [Careless(), LogisticRegression()]
    of_folds = bootstrap("neg_log_loss", cv=4).set_params(
        estimator_a=models[0], estimator_b=models[1]
    )
    fitted = bootstrap("neg_log_loss").set_params(
        estimator_a=models[0].fit(X, y), estimator_b=models[1].fit(X, y)
    )
    for test in (of_folds, fitted):
        (text,) = sums_caveats(test.fit, X, y)[1]
        assert text.startswith("The probabilities of Careless (80 rows) do not")


@pytest.mark.parametrize("kind", ["sums", "32 bits", "vectors", "labels", "own scorer"])
def test_other_columns_have_no_caveat_about_sums(kind):
    y, pair, scoring = np.arange(80) % 2, OF_ONE, "neg_log_loss"
    if kind == "32 bits":
        pair = OF_ONE.astype(np.float32)
    elif kind == "vectors":
        pair = NOT_OF_ONE[..., 1]
    elif kind == "labels":
        labels = OF_ONE.argmax(axis=2)
        pair = [
            {"predict": own, "predict_proba": columns}
            for own, columns in zip(labels, NOT_OF_ONE, strict=True)
        ]
        scoring = "accuracy"
    elif kind == "own scorer":
        pair = NOT_OF_ONE

        def scoring(estimator, X, y):
            return np.ptp(estimator.predict_proba(X), axis=1).mean()

    assert sums_caveats(bootstrap(scoring).fit_predictions, y, *pair)[1] == []
