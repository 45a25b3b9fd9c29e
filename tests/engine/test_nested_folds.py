"""The folds that nested cross-validation draws are those of its result."""

import math
from itertools import combinations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_regression
from sklearn.linear_model import LinearRegression, Ridge

from skcompare import NestedCVInterval

MSE = "neg_mean_squared_error"


RIDGES = LinearRegression(), Ridge(alpha=30.0)


@pytest.fixture(scope="module")
def linear():
    return make_regression(90, n_features=6, noise=40.0, random_state=1)


def algorithm_one(models, X, y, fold):
    """Run the paper's algorithm for one split, fit by fit, on differences in loss."""
    n_folds = fold.max() + 1

    def gains(train, test):
        a, b = (clone(m).fit(X[train], y[train]).predict(X[test]) for m in models)
        return (y[test] - b) ** 2 - (y[test] - a) ** 2

    squares, inner, outer = [], [], np.empty(len(y))
    for k in range(n_folds):
        e_in = np.concatenate(
            [
                gains((fold != k) & (fold != j), fold == j)
                for j in range(n_folds)
                if j != k
            ]
        )
        e_out = gains(fold != k, fold == k)
        a, b = (e_in.mean() - e_out.mean()) ** 2, np.var(e_out, ddof=1) / len(e_out)
        squares.append(a - b)
        inner.append(e_in)
        outer[fold == k] = e_out
    return np.mean(squares), np.concatenate(inner), outer


def nested_by_hand(models, X, y, folds, *, bias_correction=True):
    runs = [algorithm_one(models, X, y, fold) for fold in folds]
    k = folds[0].max() + 1
    mse = np.mean([run[0] for run in runs])
    err_ncv = np.mean([run[1].mean() for run in runs])
    err_cv = np.mean([run[2].mean() for run in runs])
    naive = math.sqrt(np.mean([np.var(run[2], ddof=1) for run in runs]) / len(y))
    error = math.sqrt(max(mse, 0) * (k - 1) / k)
    error = min(max(error, naive), math.sqrt(k) * naive)
    bias = (1 + (k - 2) / k) * (err_ncv - err_cv)
    return (err_ncv - bias if bias_correction else err_cv), error, error / naive


def test_repeats_are_averaged(linear):
    X, y = linear
    test = NestedCVInterval(*RIDGES, scoring=MSE, cv=4, n_repeats=3, random_state=5)
    test.fit(X, y)
    folds = [nested.fold for nested in drawn_folds(test, X, y)]
    assert any((first != second).any() for first, second in combinations(folds, 2))
    mean, error, _ = nested_by_hand(RIDGES, X, y, folds)
    assert test.delta_ == pytest.approx(mean)
    assert test.standard_error_ == pytest.approx(error)


def drawn_folds(test, X, y):
    from skcompare.comparison._nested_folds import draw_folds

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
