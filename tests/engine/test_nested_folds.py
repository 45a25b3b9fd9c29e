"""The folds that nested cross-validation draws are those of its result."""

from itertools import combinations

import pytest
from sklearn.datasets import make_regression
from sklearn.linear_model import LinearRegression, Ridge

from skcompare import NestedCVInterval
from tests.nested import nested_by_hand

MSE = "neg_mean_squared_error"


RIDGES = LinearRegression(), Ridge(alpha=30.0)


@pytest.fixture(scope="module")
def linear():
    return make_regression(90, n_features=6, noise=40.0, random_state=1)


def test_repeats_are_averaged(linear):
    X, y = linear
    test = NestedCVInterval(*RIDGES, scoring=MSE, cv=4, n_repeats=3, random_state=5)
    test.fit(X, y)
    folds = drawn_folds(test, X, y)
    assert any((first != second).any() for first, second in combinations(folds, 2))
    mean, error, _ = nested_by_hand(RIDGES, X, y, folds)
    assert test.delta_ == pytest.approx(mean)
    assert test.standard_error_ == pytest.approx(error)


def drawn_folds(test, X, y):
    from skcompare.comparison._nested import draw_folds

    return draw_folds(
        {"estimator_a": test.estimator_a},
        X,
        y,
        cv=test.cv,
        n_repeats=test.n_repeats,
        groups=None,
        units=None,
        seed=test.result_.seed,
    )
