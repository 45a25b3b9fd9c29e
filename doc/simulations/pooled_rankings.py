"""What pooling over folds does to ROC AUC.

Truth and features of 100 rows are noise, or each feature has means that differ by a
signal, the same for both models: their areas are equal. B is a linear regression of the
truth on five features; A is one on five others, shrunk so much that it hardly predicts
more than the mean of the training rows. Where a test fold has more positives its
training rows have fewer: pooled into one ranking, A's scores point the wrong way.
Within a fold they do not.

P-values come from the functions that DeLong uses itself.

Run it with ``python doc/simulations/pooled_rankings.py``; it takes a minute.
"""

import sys

import numpy as np
from sklearn.metrics import roc_auc_score

from skcompare.stats.delong import delong_test, fold_roc_areas, roc_areas

N_ROWS, N_FOLDS, N_DATA_SETS = 100, 5, 1_000
SHRINKAGE = 0.01


def out_of_fold(rng, n_rows=N_ROWS, n_folds=N_FOLDS, signal=0.0):
    """Return truth, scores of A and of B, and folds."""
    y, fold = rng.permutation(np.arange(n_rows) % 2), np.arange(n_rows) % n_folds
    features = rng.normal(size=(2, n_rows, 5)) + signal * (y[:, None] - 0.5)
    scores = np.empty((2, n_rows))
    for one in range(n_folds):
        train, test = fold != one, fold == one
        mean = y[train].mean()
        for model, (X, share) in enumerate(zip(features, (SHRINKAGE, 1), strict=True)):
            slopes = np.linalg.lstsq(X[train], y[train] - mean, rcond=None)[0]
            scores[model, test] = mean + share * X[test] @ slopes
    return y, *scores, fold


def rejections(n_data_sets, signal, seed=0):
    """Return how often areas differ at 0.05, pooled and within folds."""
    rng, found = np.random.default_rng(seed), np.zeros(2)
    for _ in range(n_data_sets):
        y, *scores, fold = out_of_fold(rng, signal=signal)
        pooled = roc_areas(y == 1, scores)
        within = fold_roc_areas(y == 1, scores, fold)
        for place, areas in enumerate((pooled, within)):
            found[place] += delong_test(areas, "two-sided").pvalue <= 0.05
    return found / n_data_sets


def report():
    """Yield the lines of the table."""
    rng, areas = np.random.default_rng(1), np.zeros((2, 2))
    for row, n_folds in enumerate((N_FOLDS, N_ROWS)):
        for _ in range(200):
            y, *scores, _ = out_of_fold(rng, n_folds=n_folds)
            areas[row] += [roc_auc_score(y, one) / 200 for one in scores]
    yield f"mean pooled area of A and B, 5 folds:        {areas[0].round(3)}"
    yield f"mean pooled area of A and B, leave-one-out:  {areas[1].round(3)}"
    for signal in (0.0, 0.5, 1.0):
        pooled, within = rejections(N_DATA_SETS, signal)
        rates = f"pooled {pooled:.3f}, within folds {within:.3f}"
        yield f"rejections at 0.05, signal {signal}: {rates}"


if __name__ == "__main__":
    for line in report():
        sys.stdout.write(f"{line}\n")
