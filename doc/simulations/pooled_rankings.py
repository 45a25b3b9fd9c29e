"""What pooling over folds does to ROC AUC.

Truth and features of 100 rows are noise, or each feature has means that differ by a
signal, the same for both models: their areas are equal. B is a linear regression of the
truth on five features; A is one on five others, shrunk so much that it hardly predicts
more than the mean of the training rows. Where a test fold has more positives its
training rows have fewer: pooled into one ranking, A's scores point the wrong way.
Within a fold they do not.

Within folds the variances of areas add up if folds are independent. They are not: each
trains the models of the others. The second table has what that does, for two linear
regressions and for the share of positives among ten neighbors.

P-values come from the functions that DeLong uses itself.

Run it with ``python doc/simulations/pooled_rankings.py``; it takes ten minutes.
"""

import functools
import sys

import numpy as np
from scipy import stats
from sklearn.metrics import roc_auc_score

from skcompare.stats.delong import delong_test, fold_roc_areas, roc_areas
from skcompare.stats.folds import corrected_estimate

N_ROWS, N_FOLDS, N_DATA_SETS = 100, 5, 1_000
SHRINKAGE = 0.01
# Rows, folds and features.
SIZES = ((50, 5, 5), (100, 5, 5), (100, 2, 5), (100, 10, 5), (100, 5, 20), (300, 5, 5))


def regression(X, y, rows, share=1):
    """Return scores of rows by least squares, shrunk to a share."""
    slopes = np.linalg.lstsq(X, y - y.mean(), rcond=None)[0]
    return y.mean() + share * rows @ slopes


def neighbors(X, y, rows):
    """Return the share of positives among the ten nearest training rows."""
    distances = ((rows[:, None] - X) ** 2).sum(axis=2)
    return y[np.argsort(distances, axis=1)[:, :10]].mean(axis=1)


SHRUNK = (functools.partial(regression, share=SHRINKAGE), regression)


def out_of_fold(
    rng, n_rows=N_ROWS, n_folds=N_FOLDS, signal=0.0, models=SHRUNK, n_features=5
):
    """Return truth, scores of A and of B, and folds."""
    y, fold = rng.permutation(np.arange(n_rows) % 2), np.arange(n_rows) % n_folds
    features = rng.normal(size=(2, n_rows, n_features)) + signal * (y[:, None] - 0.5)
    scores = np.empty((2, n_rows))
    for one in range(n_folds):
        train, test = fold != one, fold == one
        for place, (X, model) in enumerate(zip(features, models, strict=True)):
            scores[place, test] = model(X[train], y[train], X[test])
    return y, *scores, fold


def rejections(n_data_sets, signal, seed=0):
    """Return how often areas differ at 0.05, pooled and within folds."""
    rng, counts = np.random.default_rng(seed), np.zeros(2)
    for _ in range(n_data_sets):
        y, *scores, fold = out_of_fold(rng, signal=signal)
        pooled = roc_areas(y == 1, scores)
        within = fold_roc_areas(y == 1, scores, fold)
        for place, areas in enumerate((pooled, within)):
            counts[place] += delong_test(areas, "two-sided").pvalue <= 0.05
    return counts / n_data_sets


def dependence(n_data_sets, *, seed=0, **data):
    """Return mean area, variance over the sum of those of folds, and rejections.

    The latter by that sum, by what DeLong makes of it, by the corrected t, and by the
    t-test over rows of accuracy.
    """
    rng, rows = np.random.default_rng(seed), []
    for _ in range(n_data_sets):
        y, *scores, fold = out_of_fold(rng, **data)
        try:
            after = fold_roc_areas(y == 1, scores, fold)
        except ValueError:  # a fold of one class
            continue
        before = after._replace(inflation=1.0)
        tests = [delong_test(areas, "two-sided") for areas in (before, after)]
        gaps = np.array([np.subtract(*own.areas) for own in after.folds])
        corrected = corrected_estimate(gaps, 1 / (len(gaps) - 1)).pvalue("two-sided")
        right = [(own > 0.5) == (y == 1) for own in scores]
        of_rows = stats.ttest_rel(*np.array(right, dtype=float)).pvalue
        pvalues = (*(test.pvalue for test in tests), corrected, of_rows)
        rejected = [p <= 0.05 for p in pvalues]
        error = tests[0].standard_error
        rows.append([after.areas.mean(), gaps.mean(), error**2, *rejected])
    area, _, variance, *rates = np.mean(rows, axis=0)
    return area, np.var([row[1] for row in rows]) / variance, *rates


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
    yield "model, rows, folds, features, signal: area, variance, and rejections by"
    yield "the sum of variances, DeLong, corrected t, t of accuracy over rows"
    linear, near = (regression,) * 2, (neighbors,) * 2
    cases = [(linear, n, k, p, 0.0) for n, k, p in SIZES]
    cases += [(linear, 100, 5, 5, signal) for signal in (0.1, 0.2, 0.3, 0.5)]
    cases += [(near, 100, 5, 5, signal) for signal in (0.0, 0.4)]
    for models, n_rows, n_folds, n_features, signal in cases:
        area, ratio, *rates = dependence(
            N_DATA_SETS,
            models=models,
            n_rows=n_rows,
            n_folds=n_folds,
            n_features=n_features,
            signal=signal,
        )
        case = f"{models[0].__name__:<11}{n_rows:5}{n_folds:4}{n_features:4}{signal:5}"
        entries = ", ".join(f"{rate:.3f}" for rate in rates)
        yield f"{case}: {area:.2f}, {ratio:.2f}, {entries}"


if __name__ == "__main__":
    for line in report():
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
