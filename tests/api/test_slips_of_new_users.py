"""Slips that new users made: an error or a warning, never a wrong result in silence."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC, LinearSVC

from skcompare import (
    CochranQ,
    CorrectedTTest,
    McNemar,
    PairedBootstrap,
    PairwiseComparison,
)
from skcompare.cli import main
from skcompare.exceptions import ComparisonWarning, LabelMismatchWarning

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 2))
Y = (X[:, 0] + RNG.normal(size=90) > 0).astype(int)
QUICK = {"n_resamples": 99, "random_state": 0}


@pytest.mark.parametrize(
    "models",
    [
        [make_pipeline(scaler(), SVC()) for scaler in (StandardScaler, MinMaxScaler)],
        [RandomForestClassifier(), GaussianNB()],
    ],
    ids=["pipelines of two steps", "a forest"],
)
def test_models_without_names_are_no_pairs(models):
    test = PairwiseComparison(models, scoring="accuracy", cv=3)
    with pytest.raises(ValueError, match=r"must be a list of \(name, model\) pairs"):
        test.fit(X, Y)


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.ComparisonWarning")
def test_models_come_in_a_dict_too():
    models = {"nb": GaussianNB(), "svm": SVC()}
    test = PairwiseComparison(models, test=PairedBootstrap(**QUICK), cv=3)
    assert set(test.fit(X, Y).result_.names) == {"nb", "svm"}


def test_labels_that_most_rows_lack_in_the_truth_are_warned_of():
    """Labels from 1 on where the truth has 0 and 1: a few of them still match."""
    shifted = np.where(X[:, 1] > 1.8, 1, 2)
    with pytest.warns(LabelMismatchWarning, match="where the truth has 0, 1"):
        McNemar().fit_predictions(Y, shifted, Y)


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.DegenerateDataWarning")
def test_a_truth_of_row_numbers_is_warned_of():
    with pytest.warns(LabelMismatchWarning, match="predicts 0, 1 where the truth has"):
        McNemar().fit_predictions(np.arange(90) + 10, Y, 1 - Y)


def test_probabilities_of_the_other_class_are_warned_of():
    proba = 1 / (1 + np.exp(-3 * X[:, 0])), 1 / (1 + np.exp(-2 * X[:, 0] - X[:, 1]))
    test = PairedBootstrap(scoring="roc_auc", **QUICK)
    with pytest.warns(ComparisonWarning, match="rank rows in the wrong direction"):
        test.fit_predictions(np.where(Y, "benign", "malignant"), *proba)


@pytest.mark.parametrize("scoring", ["roc_auc", "neg_log_loss"])
def test_the_command_line_requires_the_class_of_probabilities(
    scoring, tmp_path, capsys
):
    path, noise = tmp_path / "p.csv", RNG.random((90, 2)) / 2
    lines = [
        f"{'benign' if y else 'bad'},{a + 0.4 * y},{b + 0.2 * y}"
        for y, (a, b) in zip(Y, noise, strict=True)
    ]
    path.write_text("\n".join(["y,a,b", *lines]))
    columns = ["--truth", "y", "--a", "a", "--b", "b", "--scoring", scoring]
    assert main(["compare", str(path), *columns]) == 2
    assert "pass it to --positive" in capsys.readouterr().err
    assert main(["compare", str(path), *columns, "--positive", "benign"]) == 0


def test_several_metrics_may_come_in_a_set_for_the_router_too():
    test = PairedBootstrap(GaussianNB(), SVC(), scoring={"accuracy", "f1"}, cv=3)
    assert test.get_metadata_routing().consumes("fit", ["groups"]) == set()


def splits_in_an_array():
    splits = np.empty(2, dtype=object)
    splits[:] = [(np.arange(45), np.arange(45, 90)), (np.arange(45, 90), np.arange(45))]
    return splits


def test_splits_may_come_in_an_array():
    test = PairedBootstrap(GaussianNB(), SVC(), cv=splits_in_an_array(), **QUICK)
    again = clone(test)
    assert again.fit(X, Y).pvalue_ == test.fit(X, Y).pvalue_
    assert test.extend(100).result_.n_resamples == 199


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.ComparisonWarning")
def test_splits_of_pairs_may_come_in_an_array():
    models, splits = {"nb": GaussianNB(), "svm": SVC()}, splits_in_an_array()
    pairs = PairwiseComparison(models, test=PairedBootstrap(**QUICK), cv=splits)
    assert set(clone(pairs).fit(X, Y).result_.names) == {"nb", "svm"}
    own = PairwiseComparison(models, test=PairedBootstrap(cv=splits))
    with pytest.raises(ValueError, match="not set `cv`, which is a parameter of the"):
        own.fit(X, Y)


@pytest.mark.parametrize("parameter", ["groups", "strata", "sample_weight"])
def test_the_name_of_a_column_is_no_column(parameter):
    test = PairedBootstrap(GaussianNB(), SVC(), cv=3, **QUICK)
    message = rf"`{parameter}` must be an array.*Got the string 'city'.*df\['city'\]"
    with pytest.raises(ValueError, match=message):
        test.fit(X, Y, **{parameter: "city"})
    with pytest.raises(ValueError, match=message):
        test.fit_predictions(Y, Y, 1 - Y, **{parameter: "city"})


def test_the_name_of_a_column_of_groups_is_none_for_folds_either():
    test = CorrectedTTest(GaussianNB(), SVC(), cv=3)
    with pytest.raises(ValueError, match=r"`groups` must be an array.*df\['city'\]"):
        test.fit(X, Y, groups="city")


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.filterwarnings("ignore::skcompare.exceptions.ComparisonWarning")
def test_predictions_of_many_models_may_be_the_columns_of_a_frame(library):
    frames = pytest.importorskip(library)
    columns = {"a": Y, "b": 1 - Y, "c": np.roll(Y, 1)}
    pairs = PairwiseComparison(test=PairedBootstrap(**QUICK), random_state=0)
    of_frame = pairs.fit_predictions(Y, frames.DataFrame(columns)).result_
    of_dict = pairs.fit_predictions(Y, columns).result_
    assert str(of_frame) == str(of_dict)
    assert of_frame.names == of_dict.names
    q = CochranQ()
    pvalue = q.fit_predictions(Y, frames.DataFrame(columns)).result_.pvalue
    assert pvalue == q.fit_predictions(Y, columns).result_.pvalue


def test_columns_without_names_or_with_equal_ones_are_no_models():
    pandas = pytest.importorskip("pandas")
    labels = np.column_stack([Y, 1 - Y])
    for frame, message in (
        (pandas.DataFrame(labels, columns=["a", "a"]), "with different names"),
        (pandas.DataFrame(labels), "must be a dict of predictions by the name"),
        (labels, "must be a dict of predictions by the name"),
    ):
        with pytest.raises(ValueError, match=message):
            PairwiseComparison(scoring="accuracy").fit_predictions(Y, frame)


class Odd(GaussianNB):
    """A model that predicts texts on request."""

    def __init__(self, odd=False):
        super().__init__()
        self.odd = odd

    def predict(self, X):
        labels = super().predict(X)
        return labels.astype(str) if self.odd else labels


@pytest.mark.parametrize("cv", ["prefit", 3])
def test_an_error_names_one_of_two_models_of_one_class(cv):
    models = [Odd().fit(X, Y), Odd(True).fit(X, Y)]
    with pytest.raises(ValueError, match="The scorer 'accuracy' fails for Odd B: "):
        McNemar(*models, cv=cv).fit(X, Y)
    with pytest.raises(ValueError, match="The scorer 'accuracy' fails for Odd A: "):
        McNemar(*models[::-1], cv=cv).fit(X, Y)
    pairs = PairwiseComparison({"a": models[0], "b": models[0], "c": models[1]}, cv=cv)
    with pytest.raises(ValueError, match=r"fails for Odd \(model 3 of 3\): "):
        pairs.set_params(test=McNemar()).fit(X, Y)


def test_models_without_a_response_are_named_by_letter():
    models = [LinearSVC().fit(X, Y), LinearSVC().fit(X, Y)]
    test = PairedBootstrap(*models, scoring="neg_log_loss")
    with pytest.raises(ValueError, match=r"LinearSVC A has .*, LinearSVC B has "):
        test.fit(X, Y)
