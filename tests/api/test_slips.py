"""Slips of a first call are answered with what to pass instead."""

import pytest
from sklearn.tree import DecisionTreeClassifier

from skcompare import McNemar, PairedBootstrap, PairwiseComparison

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
def test_short_names_of_metrics_are_known(short, name):
    with pytest.raises(ValueError, match=f"Did you mean '{name}"):
        PairedBootstrap(scoring=short).fit_predictions(*DATA)


def test_other_names_of_corrections_are_known():
    y, a, b = DATA
    with pytest.raises(ValueError, match="Did you mean 'bh'"):
        PairwiseComparison(correction="fdr").fit_predictions(y, {"a": a, "b": b})
