"""Nested cross-validation by hand, as the paper's algorithm 1 has it."""

import math

import numpy as np
from sklearn.base import clone


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
