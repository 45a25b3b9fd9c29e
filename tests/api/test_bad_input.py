"""Wrong input gets an error that names parameter, rule and value."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, confusion_matrix, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    CorrectedTTest,
    McNemar,
    PairedBootstrap,
    PairwiseComparison,
)
from skcompare.exceptions import SmallSampleWarning

each_test = pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])


def fit(test, data, /, *, fit_params=None, **params):
    params = {"n_resamples": 19, **params}
    return test(**params).fit_predictions(*data, **(fit_params or {}))


# Parameters of the constructor


@each_test
@pytest.mark.parametrize(
    ("parameter", "value", "rule"),
    [
        ("n_resamples", 0, "integer from 1 to 100,000,000"),
        ("n_resamples", -5, "integer from 1"),
        ("n_resamples", 99.0, "integer from 1"),
        ("n_resamples", 1e4, "integer from 1"),
        ("n_resamples", 10**9, "integer from 1 to 100,000,000"),
        ("n_resamples", True, "integer from 1"),
        ("n_resamples", None, "integer from 1"),
        ("alternative", "bigger", "one of 'greater', 'less', 'two-sided'"),
        ("alternative", None, "one of 'greater'"),
        ("alternative", ["less"], "one of 'greater'"),
        ("alpha", 0, "strictly between 0 and 1"),
        ("alpha", 1.0, "strictly between 0 and 1"),
        ("alpha", "0.05", "strictly between 0 and 1"),
        ("add_one", "yes", "True or False"),
        ("add_one", 1, "True or False"),
        ("random_state", -1, "None, a non-negative integer"),
        ("random_state", "seed", "None, a non-negative integer"),
        ("random_state", 1.5, "None, a non-negative integer"),
    ],
)
def test_parameters_are_checked(test, parameter, value, rule, labels):
    with pytest.raises(ValueError, match=f"`{parameter}` must .*{rule}.*Got") as caught:
        fit(test, labels, **{parameter: value})
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize("value", [-1, 1.5, "seed", True])
def test_pairs_check_the_seed_of_their_test(value, labels):
    truth, a, b = labels
    pairs = PairwiseComparison(test=PairedBootstrap(random_state=value))
    with pytest.raises(ValueError, match="`random_state` must be None, a non-negative"):
        pairs.fit_predictions(truth, {"a": a, "b": b})


@pytest.mark.parametrize("value", [0, 1, -0.5, 95, np.nan, "0.95", None])
def test_confidence_levels_are_checked(value, labels):
    rule = "`confidence_level` must lie strictly between 0 and 1"
    with pytest.raises(ValueError, match=rule):
        fit(PairedBootstrap, labels, confidence_level=value)


def test_kinds_of_intervals_are_checked(labels):
    rule = "`interval` must be one of 'auto', 'symmetric', 'percentile', 'basic'"
    with pytest.raises(ValueError, match=f"{rule}.*Got 'BCa'"):
        fit(PairedBootstrap, labels, interval="BCa")


def test_methods_are_checked(labels):
    rule = "`method` must be one of 'auto', 'exact', 'monte-carlo'"
    with pytest.raises(ValueError, match=f"{rule}.*Got 'approximate'"):
        fit(ApproxRandomization, labels, method="approximate")


def test_exact_is_refused_where_there_are_too_many_labelings():
    truth, a, b = np.random.default_rng(0).normal(size=(3, 40))
    with pytest.raises(ValueError, match=r"`method` 'exact' .*at most 20.*Got 40"):
        fit(ApproxRandomization, (truth, a, b), method="exact", scoring="r2")


@each_test
@pytest.mark.parametrize("cv", ["fitted", "5"])
def test_cv_is_checked(test, cv, classifiers, classification):
    with pytest.raises(ValueError, match=f"`cv` must be 'prefit', or .* Got '{cv}'"):
        test(*classifiers, cv=cv).fit(*classification[2:])


@pytest.mark.parametrize("cv", [1, 2.5])
def test_cv_is_checked_by_scikit_learn_too(cv, classifiers, classification):
    with pytest.raises(ValueError, match=r"at least one|integer"):
        PairedBootstrap(*classifiers, cv=cv).fit(*classification[2:])


def test_cv_must_have_splits(classifiers, classification):
    with pytest.raises(ValueError, match="`cv` must give at least one split"):
        PairedBootstrap(*classifiers, cv=[]).fit(*classification[2:])


# Scoring


@each_test
@pytest.mark.parametrize(
    ("scoring", "message"),
    [
        ("acuracy", "Got 'acuracy'. Did you mean 'accuracy'"),
        ("nonsense of no likeness", r"get_scorer_names\(\). Got 'nonsense"),
        (
            accuracy_score,
            r"metric function accuracy_score.*make_scorer\(accuracy_score",
        ),
        (lambda y_true, y_pred: 0.0, "metric function <lambda>"),
        (3, "`scoring` must be a name, a scorer.*Got 3"),
        ([], "at least one metric"),
        ({}, "at least one metric"),
        (["f1", "f1"], "none twice"),
        ({"mine": accuracy_score}, "metric function accuracy_score"),
        (make_scorer(confusion_matrix), "must return one number. Got ndarray"),
        (lambda estimator, X, y: [1.0], "must return one number. Got list"),
        (lambda estimator, X, y: {"a": 1.0}, "one number. Got dict. .*dict of scorers"),
        (lambda estimator, X, y: None, "must return one number. Got NoneType"),
        (lambda estimator, X, y: float("nan"), "defined on the whole sample. Got nan"),
        (lambda estimator, X, y: float("inf"), "defined on the whole sample. Got inf"),
    ],
)
def test_scoring_is_checked(test, scoring, message, labels):
    with pytest.raises(ValueError, match=message):
        fit(test, labels, scoring=scoring)


@each_test
def test_a_wrong_scorer_fails_with_its_own_message(test, labels):
    def broken(estimator, X, y):
        raise KeyError("no such column")

    with pytest.raises(KeyError, match="no such column"):
        fit(test, labels, scoring=broken)


def test_scikit_learns_message_is_passed_on():
    """Three classes, and an F1 that knows two."""
    truth = np.arange(60) % 3
    with pytest.raises(ValueError, match="Target is multiclass but average='binary'"):
        fit(PairedBootstrap, (truth, truth, truth[::-1]), scoring="f1")


@each_test
def test_a_scorer_that_is_undefined_on_all_resamples_is_an_error(test, labels):
    truth, a, b = labels
    calls = []

    def works_twice(estimator, X, y):
        calls.append(estimator.predict(X))
        return 0.5 if len(calls) < 3 else float("nan")

    with pytest.raises(ValueError, match="'works_twice' is undefined on all 19 resamp"):
        fit(test, (truth, a, b), scoring=works_twice)


# Models


@each_test
@pytest.mark.parametrize("model", [None, "LogisticRegression", StandardScaler(), 3])
@pytest.mark.parametrize("place", ["estimator_a", "estimator_b"])
def test_models_must_predict(test, model, place, classifiers, classification):
    comparison = test(*classifiers).set_params(**{place: model})
    with pytest.raises(ValueError, match=f"`{place}` must be a model with a predict"):
        comparison.fit(*classification[2:])


@each_test
def test_arrays_of_predictions_are_not_models(test, labels):
    truth, a, b = labels
    with pytest.raises(
        ValueError, match="For arrays of predictions use fit_predictions"
    ):
        test(a, b).fit(np.zeros((60, 1)), truth)


class AnswersTooShort:
    def predict(self, X):
        return np.zeros(len(X) - 1)


class AnswersNan:
    def predict(self, X):
        return np.full(len(X), np.nan)


@each_test
@pytest.mark.parametrize(
    ("model", "message"),
    [
        (AnswersTooShort(), "predict must return one entry per row of `X`, i.e. 80"),
        (AnswersNan(), "`predict of AnswersNan` must not have missing or infinite"),
    ],
)
def test_predictions_of_models_are_checked(
    test, model, message, classifiers, classification
):
    comparison = test(model, classifiers[1], scoring="accuracy")
    with pytest.raises(ValueError, match=message):
        comparison.fit(*classification[2:])


# Data


@each_test
def test_y_is_required(test, classifiers, classification):
    with pytest.raises(ValueError, match="requires y to be passed"):
        test(*classifiers).fit(classification[2])


@each_test
@pytest.mark.parametrize("n_rows", [0, 1])
def test_there_must_be_two_rows(test, n_rows, classifiers, classification):
    *_, X, y = classification
    message = f"at least 2 rows .*Got n_samples = {n_rows}"
    with pytest.raises(ValueError, match=f"`X` must have {message}"):
        test(*classifiers).fit(X[:n_rows], y[:n_rows])
    with pytest.raises(ValueError, match=f"`y_true` must have {message}"):
        test().fit_predictions(y[:n_rows], y[:n_rows], y[:n_rows])


@each_test
def test_rows_and_truth_must_match(test, classifiers, classification):
    *_, X, y = classification
    with pytest.raises(
        ValueError, match=r"`y` must have one entry per row of `X`, i.e. 80. Got 79"
    ):
        test(*classifiers).fit(X, y[:-1])


@each_test
@pytest.mark.parametrize("place", ["y_pred_a", "y_pred_b"])
def test_predictions_must_match_the_truth(test, place, labels):
    truth, a, b = labels
    predictions = {"y_pred_a": a, "y_pred_b": b}
    predictions[place] = predictions[place][:-1]
    message = f"`{place}` must have one entry per row of `y_true`, i.e. 60. Got 59"
    with pytest.raises(ValueError, match=message):
        test().fit_predictions(truth, **predictions)
    predictions = {"y_pred_a": a, "y_pred_b": b} | {place: {"predict": a[:-1]}}
    with pytest.raises(ValueError, match=message):
        test().fit_predictions(truth, **predictions)


@each_test
@pytest.mark.parametrize("name", ["groups", "strata", "sample_weight"])
@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.ones(59), "must have one entry per row of `{}`, i.e. {}. Got 59"),
        (np.ones((60, 2)), "must be one-dimensional"),
        (
            np.where(np.arange(60) == 3, np.nan, 1),
            "missing or infinite.*first in row 3",
        ),
    ],
)
def test_groups_strata_and_weights_are_checked(test, name, values, message, labels):
    message = message.format("y_true", 60)
    with pytest.raises(ValueError, match=f"`{name}` {message}|`{name}` must not have"):
        fit(test, labels, fit_params={name: values})


@each_test
@pytest.mark.parametrize("name", ["groups", "strata"])
def test_labels_of_rows_must_not_be_missing(test, name, labels):
    values = pd.Series(["a", None] * 30)
    with pytest.raises(ValueError, match=f"`{name}` must not have missing"):
        fit(test, labels, fit_params={name: values})


@each_test
@pytest.mark.parametrize("weights", [-np.ones(60), np.zeros(60)])
def test_weights_must_weigh(test, weights, labels):
    with pytest.raises(ValueError, match=r"`sample_weight` must be non-negative.*Got"):
        fit(test, labels, fit_params={"sample_weight": weights})


@each_test
def test_weights_are_numbers_and_labels_of_groups_have_an_order(test, labels):
    n = len(labels[0])
    with pytest.raises(ValueError, match=r"`sample_weight` must be numbers. Got .*'a'"):
        fit(test, labels, fit_params={"sample_weight": ["a"] * n})
    with pytest.raises(ValueError, match=r"`groups` must have labels that .* int, str"):
        fit(test, labels, fit_params={"groups": ["a", *range(n - 1)]})


@each_test
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("gap", [np.nan, np.inf, None, pd.NA])
def test_gaps_are_refused(test, place, gap, labels):
    columns = [column.astype(object) for column in labels]
    columns[place][5] = gap
    name = ["y_true", "y_pred_a", "y_pred_b"][place]
    message = f"`{name}` must not have missing or infinite values. Got 1, .* row 5"
    with pytest.raises(ValueError, match=message):
        fit(test, columns)


@each_test
def test_gaps_of_nullable_columns_are_refused(test, labels):
    truth, a, b = labels
    nullable = pd.Series(a, dtype="Int64")
    nullable[7] = pd.NA
    with pytest.raises(ValueError, match=r"`y_pred_a` must not have missing.*row 7"):
        fit(test, (truth, nullable, b))


# Responses of the wrong kind


@each_test
@pytest.mark.parametrize("columns", [1, 2])
def test_probabilities_are_no_labels(test, columns, labels):
    truth = labels[0]
    p = np.random.default_rng(0).random((2, 60))
    probabilities = p if columns == 1 else np.stack([1 - p, p], axis=2)
    message = (
        "`y_pred_a` must contain labels for the scorer 'accuracy'. Got probabilities. "
        "Pass model.predict(X), or threshold them."
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        fit(test, (truth, *probabilities), scoring="accuracy")


@each_test
@pytest.mark.parametrize("scoring", ["neg_log_loss", "neg_brier_score", "roc_auc"])
def test_labels_are_no_probabilities(test, scoring, labels):
    message = (
        rf"`y_pred_a` must contain .*probabilities for the scorer '{scoring}'\. Got "
        r"labels\. Pass .*model\.predict_proba\(X\)\[:, 1\]\. If these are probabilit"
        r"ies, pass \{'predict_proba': array\}\."
    )
    with pytest.raises(ValueError, match=message):
        fit(test, labels, scoring=scoring)


@each_test
def test_the_prediction_that_is_of_another_kind_is_named(test, labels):
    """A fully grown tree predicts probabilities of 0 and 1, which look like labels."""
    truth, sure, _ = labels
    probabilities = np.random.default_rng(0).random(60)
    for a, b, named in ((sure, probabilities, "a"), (probabilities, sure, "b")):
        message = f"`y_pred_{named}` must contain probabilities .*Got labels"
        with pytest.raises(ValueError, match=message):
            fit(test, (truth, a, b), scoring="neg_log_loss")
        message = "`y_pred_.` must contain labels .*Got probabilities"
        with pytest.raises(ValueError, match=message):
            fit(test, (truth, a, b), scoring="accuracy")


def test_a_column_of_numbers_for_more_classes_is_no_label():
    truth = np.arange(60) % 3
    message = "must contain labels .*Got other numbers.*or choose a metric of numbers"
    with pytest.raises(ValueError, match=message):
        fit(PairedBootstrap, (truth, truth + 0.5, truth), scoring="accuracy")


@each_test
def test_values_without_classes_have_no_ranking_metric(test):
    values = np.random.default_rng(0).random((3, 60))
    with pytest.raises(ValueError, match="values of `y_true` are not read as"):
        fit(test, values, scoring="roc_auc")


def test_labels_can_be_declared_probabilities(labels):
    truth, a, b = labels
    probabilities = ({"predict_proba": column.astype(float)} for column in (a, b))
    assert fit(PairedBootstrap, (truth, *probabilities), scoring="roc_auc").delta_ > 0


@each_test
def test_decision_values_are_no_probabilities(test, labels):
    values = np.random.default_rng(0).normal(size=(2, 60))
    message = "probabilities for the scorer 'neg_log_loss'. Got decision values"
    with pytest.raises(ValueError, match=message):
        fit(test, (labels[0], *values), scoring="neg_log_loss")


@each_test
@pytest.mark.parametrize("mapping", [{}, {"proba": [0.5] * 60}])
def test_mappings_must_name_responses(test, mapping, labels):
    truth, a, _ = labels
    message = "passed as `y_pred_b` must have keys among predict, predict_proba"
    with pytest.raises(ValueError, match=message):
        fit(test, (truth, a, mapping))


@each_test
def test_probabilities_must_have_a_column_for_each_class(test):
    truth = np.arange(60) % 3
    p = np.full((60, 2), 0.5)
    with pytest.raises(ValueError, match=r"`y_pred_a` must have one column per class"):
        fit(test, (truth, p, p), scoring="neg_log_loss")


@each_test
@pytest.mark.parametrize("names", [("new",), ("new", "old", "older"), "ab"])
def test_there_is_a_name_for_each_model(test, names, labels):
    with pytest.raises(ValueError, match=r"`names` must have one name for each model"):
        test().fit_predictions(*labels, names=names)


@each_test
def test_names_differ(test, labels):
    with pytest.raises(ValueError, match=r"`names` must be different.*\('x', 'x'\)"):
        test().fit_predictions(*labels, names=("x", "x"))


def test_models_without_names_are_listed_by_their_class():
    models = [LogisticRegression(C=2), LogisticRegression()]
    message = "Got a list of LogisticRegression, LogisticRegression. Name each model"
    with pytest.raises(ValueError, match=message):
        PairwiseComparison(models).fit([[0.0], [1.0]], [0, 1])


def test_no_predictions_at_all_are_named():
    with pytest.raises(ValueError, match=r"`y_pred_a` must have one entry .* Got None"):
        PairedBootstrap(scoring="accuracy").fit_predictions([0, 1], None, [0, 1])


def test_a_single_group_cannot_be_redrawn():
    truth, pred = np.tile([0, 1], 20), np.tile([0, 1, 1, 1], 10)
    alone = {"groups": np.zeros(40), "strata": None}
    with pytest.raises(ValueError, match=r"`groups` must have at least 2 .* Got 1"):
        PairedBootstrap(scoring="accuracy").fit_predictions(truth, truth, pred, **alone)
    test = ApproxRandomization(scoring="accuracy", random_state=0)
    assert test.fit_predictions(truth, truth, pred, **alone).pvalue_ == 0.5


def test_strata_of_one_row_each_leave_nothing_to_redraw():
    truth, pred = np.tile([0, 1], 20), np.tile([0, 1, 1, 1], 10)
    for test in (PairedBootstrap, BayesianComparison):
        with pytest.raises(
            ValueError, match=r"`strata` must have at least .* Got 40 with"
        ):
            test(scoring="accuracy").fit_predictions(
                truth, truth, pred, strata=np.arange(40)
            )


@pytest.mark.parametrize("test", [PairedBootstrap, BayesianComparison])
def test_rows_of_no_weight_do_not_make_a_sample_large(test):
    truth, pred = np.tile([0, 1], 30), np.tile([0, 1, 1, 1], 15)
    weights = np.where(np.arange(60) < 16, 1.0, 0.0)
    fit = test(scoring="accuracy", random_state=0).fit_predictions
    with pytest.warns(SmallSampleWarning, match="16 rows of positive weight"):
        fit(truth, truth, pred, sample_weight=weights)
    fit(truth, truth, pred, sample_weight=weights + 1)


NEITHER = {
    "Datetime": np.arange(40).astype("M8[D]"),
    "Datetime data in pandas": pd.Series(np.arange(40).astype("M8[s]")),
    "Complex": np.arange(40) + 1j,
}


@pytest.mark.parametrize("kind", NEITHER)
def test_a_truth_of_neither_labels_nor_numbers_is_refused(kind):
    y, pred = NEITHER[kind], np.tile([0, 1], 20)
    words = f"must be labels or numbers. Got {y.dtype}. {kind.split()[0]} data not "
    got = re.escape(f"{words}supported by metrics of scikit-learn: convert them to ")
    for test in (PairedBootstrap(), McNemar(), PairedBootstrap(scoring="r2")):
        with pytest.raises(ValueError, match=f"^`y_true` {got}"):
            test.fit_predictions(y, pred, 1 - pred)
    with pytest.raises(ValueError, match=f"^`y_true` {got}"):
        PairwiseComparison().fit_predictions(y, {"a": pred, "b": 1 - pred})
    models = LogisticRegression(), GaussianNB()
    for test in (PairedBootstrap(*models, cv=3), CorrectedTTest(*models, cv=3)):
        with pytest.raises(ValueError, match=f"^`y` {got}"):
            test.fit(pred[:, None], y)


def test_a_metric_of_dates_compares_them():
    y = np.arange(40).astype("M8[D]")
    rng = np.random.default_rng(0)
    a, b = (y + rng.integers(-3, 4, 40) for _ in "ab")

    def days(y_true, y_pred):
        return np.mean(np.abs(y_true - y_pred) / np.timedelta64(1, "D"))

    scorer = make_scorer(days, greater_is_better=False)
    result = fit(PairedBootstrap, (y, a, b), scoring=scorer).result_
    assert (result.score_a, result.score_b) == (-days(y, a), -days(y, b))
