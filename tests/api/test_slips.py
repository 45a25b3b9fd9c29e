"""Slips of a first call are answered with what to pass instead."""

import re

import numpy as np
import pytest
from sklearn.linear_model import Lasso, Ridge
from sklearn.metrics import cohen_kappa_score, hamming_loss
from sklearn.model_selection import GroupKFold
from sklearn.tree import DecisionTreeClassifier

from skcompare import (
    CorrectedTTest,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    check_choice,
    power,
)

DATA = [0, 1] * 20, [0, 1] * 20, [0, 0] * 20


def test_a_class_of_models_is_no_model():
    test = McNemar(DecisionTreeClassifier, DecisionTreeClassifier())
    with pytest.raises(ValueError, match=r"`estimator_a` .* DecisionTree"):
        test.fit([[0], [1]], [0, 1])


def test_a_class_of_tests_is_no_test():
    y, a, b = DATA
    with pytest.raises(ValueError, match=r"`test` .* Pass an instance: McNemar\(\)"):
        PairwiseComparison(test=McNemar).fit_predictions(y, {"a": a, "b": b, "c": y})


@pytest.mark.parametrize(
    ("short", "name"),
    [("mse", "neg_mean_squared_error"), ("auc", "roc_auc"), ("mae", "neg_mean_abs")],
)
def test_short_names_of_metrics_are_suggested(short, name):
    with pytest.raises(ValueError, match=f"Did you mean '{name}"):
        PairedBootstrap(scoring=short).fit_predictions(*DATA)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("group", "groups"), ("stratum", "strata"), ("sample_weights", "sample_weight")],
)
def test_names_of_columns_are_suggested(typed, meant):
    models = [DecisionTreeClassifier(random_state=0).fit(X, Y) for _ in "ab"]
    message = f"argument '{typed}'. Did you mean '{meant}'? Further parameters are "
    with pytest.raises(TypeError, match=re.escape(message)):
        PairedBootstrap(*models).fit(X, Y, **{typed: Y})


def test_other_names_of_corrections_are_suggested():
    y, a, b = DATA
    with pytest.raises(ValueError, match="Did you mean 'bh'"):
        PairwiseComparison(correction="fdr").fit_predictions(y, {"a": a, "b": b})


X, Y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 2
TREE = DecisionTreeClassifier(random_state=0)


@pytest.mark.parametrize(
    ("fit", "message"),
    [
        (
            lambda: PairedBootstrap(TREE, cv=5).fit(X, Y),
            "For one model alone use CorrectedTTest, ConservativeZ, ",
        ),
        (
            lambda: McNemar(Ridge(), Lasso(), cv=5).fit(X, Y),
            "The scorer 'accuracy' fails for Ridge: Classification metrics can't",
        ),
        (
            lambda: CorrectedTTest(
                Ridge(), Lasso(), cv=5, scoring="f1", error_score="raise"
            ).fit(X, Y),
            "The scorer 'f1' fails for Ridge: ",
        ),
        (
            lambda: PairedBootstrap(Ridge(), Lasso(), cv=5, scoring="f1").fit(X, Y),
            "f1_score compares labels, and these predictions are numbers: ",
        ),
        (
            lambda: PairedBootstrap(TREE, TREE, cv=5).fit(Y, X),
            "Got X of shape (40,) and y of shape (40, 3): are they swapped",
        ),
        pytest.param(
            lambda: McNemar().fit_predictions(Y, Y.astype(str), Y.astype(str)),
            "[0 1] and ['0' '1']. The truth and the predictions must have labels of",
            marks=pytest.mark.needs(
                "scikit-learn>=1.9", "error for labels of two types"
            ),
        ),
        (
            lambda: PairedBootstrap(TREE, TREE, cv=GroupKFold(5)).fit(X, Y),
            "`groups` must be passed for cv=GroupKFold(n_splits=5,",
        ),
        (
            lambda: power(McNemar(), effect=0.02),
            "pilot: the share of rows on which exactly one of the models is right",
        ),
        (
            lambda: power(McNemar(), effect=2, p_discordant=0.1),
            "Got 2.0. 2 points are 0.02.",
        ),
        (
            lambda: power(McNemar(TREE, TREE), X, Y, effect=0.02),
            "Got no `y_pred_b`. For models, call power(test, y, a.predict(X), b.predic",
        ),
        (
            lambda: check_choice(PairedTTest(TREE, TREE, scoring="f1"), X, Y),
            "Got no `y_pred_b`. For models, call check_choice(test, y, a.predict(X), b",
        ),
    ],
)
def test_first_errors_name_the_remedy(fit, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        fit()


def test_messages_do_not_print_the_data():
    with pytest.raises(ValueError, match=r"`estimator_a` .* Got ndarray") as caught:
        PairedBootstrap(X, Y).fit(X, Y)
    assert len(str(caught.value)) < 150


def expected_cost(y_true, y_pred):
    return float(np.mean(y_true != y_pred))


def gain(y_true, y_pred):
    return float(np.mean(y_true == y_pred))


def own_curve(y_true, y_score):
    return float(np.mean(y_true * y_score))


MADE = "Pass scoring=sklearn.metrics.make_scorer"


@pytest.mark.parametrize(
    ("function", "remedy"),
    [
        (expected_cost, f"{MADE}(expected_cost, greater_is_better=False)."),
        (hamming_loss, f"{MADE}(hamming_loss, greater_is_better=False)."),
        (cohen_kappa_score, f"{MADE}(cohen_kappa_score)."),
        (
            gain,
            f"{MADE}(gain) if higher is better, make_scorer(gain, "
            "greater_is_better=False) if lower is.",
        ),
        (
            own_curve,
            "greater_is_better=False, response_method=('decision_function', "
            "'predict_proba')) if lower is.",
        ),
    ],
)
def test_a_metric_function_is_answered_with_its_direction_or_both(function, remedy):
    """Who follows the advice for a cost must not get the verdict turned round."""
    with pytest.raises(ValueError, match=re.escape(remedy)):
        PairedBootstrap(scoring=function).fit_predictions(Y, Y, 1 - Y)
