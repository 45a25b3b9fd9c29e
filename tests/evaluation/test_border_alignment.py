"""Rows go together by their names, labels by their spelling; doubts have a warning."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

from skcompare import (
    ApproxRandomization,
    BayesianSignedRank,
    CochranQ,
    CorrectedTTest,
    FriedmanTest,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    RankComparison,
)
from skcompare.exceptions import LabelMismatchWarning
from skcompare.results import DisagreementDisplay


@pytest.fixture
def predictions():
    """A truth and two predictions whose index is that of a shuffled split."""
    rng = np.random.default_rng(0)
    index = rng.choice(500, 80, replace=False)
    y = rng.choice(["ham", "spam"], 80)
    predicted = [np.where(rng.random(80) < p, y, "ham") for p in (0.9, 0.5)]
    return [pd.Series(values, index=index) for values in (y, *predicted)]


def shuffled(values, seed=0):
    return values.sample(frac=1, random_state=seed)


TESTS = (
    PairedBootstrap(scoring="f1_macro", n_resamples=49, random_state=0),
    ApproxRandomization(scoring="accuracy", n_resamples=49, random_state=0),
    McNemar(),
)
each_test = pytest.mark.parametrize("test", TESTS, ids=lambda t: type(t).__name__)


# Rows


@each_test
def test_predictions_in_another_order_are_put_into_that_of_the_truth(test, predictions):
    y, a, b = predictions
    expected = test.fit_predictions(y, a, b)
    expected = expected.delta_, expected.pvalue_
    for one, other in ((shuffled(a), b), (a, shuffled(b)), (shuffled(a), shuffled(b))):
        comparison = test.fit_predictions(y, one, other)
        assert (comparison.delta_, comparison.pvalue_) == expected
    comparison = test.fit_predictions(y, {"predict": shuffled(a)}, b.to_numpy())
    assert (comparison.delta_, comparison.pvalue_) == expected


def test_a_truth_that_is_numbered_has_an_order_too(predictions):
    y, a, b = (values.reset_index(drop=True) for values in predictions)
    expected = TESTS[0].fit_predictions(y, a, b).delta_
    assert TESTS[0].fit_predictions(y, shuffled(a), b).delta_ == expected


def test_probabilities_are_aligned_by_rows_and_columns(predictions):
    y = predictions[0]
    rng = np.random.default_rng(0)
    a, b = (
        pd.DataFrame(rng.dirichlet([1, 1], 80), index=y.index, columns=["ham", "spam"])
        for _ in "ab"
    )
    test = PairedBootstrap(scoring="neg_log_loss", n_resamples=49, random_state=0)
    expected = test.fit_predictions(y, a, b).delta_
    assert test.fit_predictions(y, shuffled(a)[["spam", "ham"]], b).delta_ == expected


def test_many_models_are_aligned_each_by_itself(predictions):
    y, a, b = predictions
    plain, moved = {"a": a, "b": b}, {"a": shuffled(a), "b": shuffled(b, seed=1)}
    for test in (CochranQ(), PairwiseComparison(test=McNemar())):
        expected = test.fit_predictions(y, plain).result_.to_dict()
        assert test.fit_predictions(y, moved).result_.to_dict() == expected


def test_a_drawn_table_of_disagreement_is_aligned_too(predictions):
    y, a, b = predictions
    expected = DisagreementDisplay.from_predictions(y, a, b).table
    table = DisagreementDisplay.from_predictions(y, shuffled(a), b).table
    np.testing.assert_array_equal(table, expected)
    column = a.to_numpy().reshape(-1, 1)
    table = DisagreementDisplay.from_predictions(y.to_frame(), column, b).table
    np.testing.assert_array_equal(table, expected)


@each_test
def test_numbered_predictions_go_by_position(test):
    """``Series(model.predict(X_test))`` beside the shuffled index of a split."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(200, 3)), columns=list("abc"))
    y = pd.Series(np.where(frame["a"] + rng.normal(size=200) > 0, "yes", "no"))
    X_train, X_test, y_train, y_test = train_test_split(frame, y, random_state=0)
    models = [m.fit(X_train, y_train) for m in (LogisticRegression(), GaussianNB())]
    for X, truth in ((X_test, y_test), (shuffled(frame), y.loc[shuffled(frame).index])):
        arrays = [model.predict(X) for model in models]
        expected = test.fit_predictions(truth, *arrays).delta_
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            delta = test.fit_predictions(truth, *map(pd.Series, arrays)).delta_
        assert delta == expected


def test_arrays_and_lists_go_by_position(predictions):
    y, a, b = predictions
    expected = TESTS[0].fit_predictions(y, a, b).delta_
    comparison = TESTS[0].fit_predictions(y, a.to_numpy(), b.tolist())
    assert comparison.delta_ == expected


def test_indices_of_other_rows_are_refused(predictions):
    y, a, b = predictions
    other = a.set_axis(a.index + 1)
    with pytest.raises(ValueError, match=r"`y_pred_a` must have the index of `y_true`"):
        TESTS[0].fit_predictions(y, other, b)
    # An index of another kind has other names for the same rows.
    named = a.set_axis([f"row {n}" for n in range(80)])
    expected = TESTS[0].fit_predictions(y, a, b).delta_
    assert TESTS[0].fit_predictions(y, named, b).delta_ == expected


def test_an_index_with_repeats_cannot_align(predictions):
    y, a, b = (values.set_axis(np.arange(80) // 2) for values in predictions)
    TESTS[0].fit_predictions(y, a, b)
    with pytest.raises(ValueError, match=r"`y_pred_a`.*repeats.*to_numpy"):
        TESTS[0].fit_predictions(y, a.iloc[::-1], b)


def test_models_that_disagree_on_the_order_are_refused(predictions):
    y, a, b = predictions
    with pytest.raises(ValueError, match="`y_pred_b` must have its rows in the order"):
        TESTS[0].fit_predictions(y.to_numpy(), a, shuffled(b))


@pytest.mark.parametrize("parameter", ["groups", "strata", "sample_weight"])
def test_arrays_of_rows_must_have_their_order(parameter, predictions):
    y, a, b = predictions
    beside = pd.Series(np.arange(80) // 2 + 1, index=y.index)
    test = TESTS[0]
    test.fit_predictions(y, a, b, **{parameter: beside})
    with pytest.raises(
        ValueError, match=f"`{parameter}` must have its rows in the order"
    ):
        test.fit_predictions(y, a, b, **{parameter: shuffled(beside)})
    many = PairwiseComparison(test=test, correction="max-t")
    with pytest.raises(
        ValueError, match=f"`{parameter}` must have its rows in the order"
    ):
        many.fit_predictions(y, {"a": a, "b": b}, **{parameter: shuffled(beside)})


@pytest.mark.parametrize("parameter", ["groups", "strata", "sample_weight", "fold"])
def test_what_goes_with_rows_is_compared_with_a_truth_that_is_numbered(
    parameter, predictions
):
    y, a, b = (values.reset_index(drop=True) for values in predictions)
    beside = pd.Series(np.arange(80) // 2 + 1)
    test, match = TESTS[1], rf"`{parameter}`.*in the order of `y_true`.*{parameter}.loc"
    test.fit_predictions(y, a, b, **{parameter: beside})
    with pytest.raises(ValueError, match=match):
        test.fit_predictions(y, a, b, **{parameter: shuffled(beside)})
    # A numbered companion of a truth in another order goes by position.
    test.fit_predictions(shuffled(y), a, b, **{parameter: beside})


@pytest.mark.parametrize("parameter", ["groups", "strata"])
def test_what_goes_with_scores_of_rows_has_their_order(parameter):
    scores = pd.Series(np.linspace(0, 1, 80), [f"row {n}" for n in range(80)])
    beside = pd.Series(np.arange(80) // 2, scores.index)
    test = PairedBootstrap(n_resamples=49, random_state=0)
    test.fit_row_scores(scores, scores**2, **{parameter: beside})
    with pytest.raises(ValueError, match=f"`{parameter}`.*in the order of `scores_a`"):
        test.fit_row_scores(scores, scores**2, **{parameter: shuffled(beside)})


def test_scores_of_data_sets_and_folds_have_one_order():
    scores = pd.Series(np.linspace(0, 1, 8), [f"set {n}" for n in range(8)])
    other = shuffled(scores**2)
    match = "`scores_b` must have its rows in the order of `scores_a`"
    for test in (BayesianSignedRank(), CorrectedTTest(), PairedTTest()):
        fit = getattr(test, "fit_scores", None) or test.fit_row_scores
        with pytest.raises(ValueError, match=match):
            fit(scores, other)
    table = {"a": scores, "b": other, "c": scores**3}
    for test in (FriedmanTest(), RankComparison()):
        with pytest.raises(ValueError, match=r"`scores\['b'\]`.*of `scores\['a'\]`"):
            test.fit_scores(table)
        ordered = test.fit_scores(table | {"b": scores**2}).mean_ranks_
        # The rows of a frame are those of all its columns.
        framed = test.fit_scores(pd.DataFrame(table)).mean_ranks_
        np.testing.assert_array_equal(framed, ordered)


@pytest.mark.parametrize("test", [PairedBootstrap, CorrectedTTest])
def test_data_and_truth_must_have_the_same_order(test, predictions):
    y = predictions[0]
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(80, 2)), index=y.index)
    models = LogisticRegression(), GaussianNB()
    with pytest.raises(ValueError, match="`y` must have its rows in the order of `X`"):
        test(*models, cv=3).fit(X, shuffled(y))


# Labels


@each_test
def test_labels_spelled_in_two_ways_are_named(test, predictions):
    y, a, b = predictions
    with pytest.warns(LabelMismatchWarning, match="A predicts 'Spam' for 'spam'"):
        comparison = test.fit_predictions(y, a.replace("spam", "Spam"), b)
    assert any("'Spam' for 'spam'" in text for text in comparison.result_.caveats)
    with pytest.warns(LabelMismatchWarning, match="B predicts 'ham ' for 'ham'"):
        test.fit_predictions(y, a, b.replace("ham", "ham "))


def test_truth_and_predictions_without_a_common_label_are_named(predictions):
    y, a, b = predictions
    a, b = ("is " + values for values in (a, b))
    with pytest.warns(LabelMismatchWarning, match="'is ham', 'is spam' where"):
        comparison = TESTS[1].fit_predictions(y, a, b)
    assert comparison.score_a_ == comparison.score_b_ == 0
    assert any("'is ham', 'is spam'" in text for text in comparison.result_.caveats)
    coded = [values.map({"ham": 0, "spam": 1}) for values in predictions]
    with pytest.warns(LabelMismatchWarning, match="2, 3 where the truth has 0, 1"):
        TESTS[1].fit_predictions(coded[0], coded[1] + 2, coded[2] + 2)
    with pytest.warns(LabelMismatchWarning, match="'is ham', 'is spam' where"):
        CochranQ().fit_predictions(
            y, {"x": a, "y": predictions[1], "z": predictions[2]}
        )


def test_no_word_where_labels_may_differ(predictions):
    y, a, b = predictions
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # A class that only some model predicts.
        TESTS[1].fit_predictions(y, a.replace("spam", "junk"), b)
        # A truth of one class.
        TESTS[1].fit_predictions(["x"] * 40, ["x"] * 30 + ["z"] * 10, ["z"] * 40)
        # A model that predicts one class of its own.
        TESTS[1].fit_predictions(y, a, ["junk"] * 80)
        # Counts that are predicted rather than classified.
        counts = np.arange(40) // 4
        test = PairedBootstrap(
            scoring="neg_mean_absolute_error", n_resamples=49, random_state=0
        )
        test.fit_predictions(counts, counts + 0.25, counts - np.tile([0.5, 0.4], 20))


@pytest.mark.parametrize("wrong", ["groups", "strata", "sample_weight"])
def test_all_that_belongs_to_rows_must_be_as_long(wrong):
    y = np.arange(40) % 2
    rows = {name: np.ones(40, dtype=int) for name in ("strata", "sample_weight")}
    rows = {"groups": np.arange(40), **rows}
    rows[wrong] = rows[wrong][:-1]
    with pytest.raises(ValueError, match=rf"`{wrong}`.*40.*39"):
        PairedBootstrap(n_resamples=9).fit_predictions(y, y, 1 - y, **rows)


def test_mappings_of_two_models_must_name_the_same_rows_in_one_order():
    y, index = np.arange(40) % 2, [f"row {number}" for number in range(40)]
    a, b = pd.Series(y, index=index), pd.Series(1 - y, index=index)
    test = PairedBootstrap(n_resamples=9, random_state=0)
    with pytest.raises(ValueError, match=r"`y_pred_b`.*in the order of `y_pred_a`"):
        test.fit_predictions(y, {"predict": a}, {"predict": b[::-1]})


def test_transformed_features_are_numbered_anew_and_go_by_position():
    rng = np.random.default_rng(0)
    y = pd.Series(rng.integers(2, size=60)).sample(frac=1, random_state=0)
    X = pd.DataFrame(rng.normal(size=(60, 2)) + y.to_numpy()[:, np.newaxis])
    a, b = LogisticRegression().fit(X, y), LogisticRegression(C=1e-4).fit(X, y)
    expected = McNemar(a, b).fit(X, y.to_numpy()).pvalue_
    assert McNemar(a, b).fit(X, y).pvalue_ == expected
