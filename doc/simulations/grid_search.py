"""What a search shows of candidates that are equally good, and that are not.

Candidate j is a least-squares fit on feature j alone, judged by 10-fold
cross-validation in R2. The target is the sum of all features, weighted, plus noise:
with equal weights all candidates are equally good in expectation, by symmetry. The
share of candidates significantly worse than the best is then, on average over
searches, the probability that a given one is.

Run it with ``python doc/simulations/grid_search.py``; it takes a few minutes.
"""

import sys

import numpy as np
from scipy import stats

from skcompare.model_selection._best import expected_lead, selection_by_splits
from skcompare.stats.selection import adjust_against_best, against_best

N_FOLDS, N_ROWS, N_NEW = 10, 200, 20_000


def draw(rng, weights, n_rows):
    X = rng.normal(size=(n_rows, len(weights)))
    return X, X @ weights + rng.normal(size=n_rows)


def slopes(X, y):
    X, y = X - X.mean(axis=0), y - y.mean()
    return X.T @ y / (X**2).sum(axis=0)


def squared_errors(X, y, fitted_on):
    """Judge each feature's own line, fitted on other rows."""
    X_train, y_train = fitted_on
    slope = slopes(X_train, y_train)
    predicted = y_train.mean() + (X - X_train.mean(axis=0)) * slope
    return (y[:, np.newaxis] - predicted) ** 2


def r2(y, errors):
    return 1 - errors.sum(axis=0) / ((y - y.mean()) ** 2).sum()


def out_of_fold(X, y):
    """Return R2 by candidate and fold, and squared errors by row and candidate."""
    fold, errors, scores = np.arange(len(y)) % N_FOLDS, np.empty(X.shape), []
    for f in range(N_FOLDS):
        test = fold == f
        errors[test] = squared_errors(X[test], y[test], (X[~test], y[~test]))
        scores.append(r2(y[test], errors[test]))
    return np.column_stack(scores), errors


def share_rejected_by_rows(errors):
    """Return the share of candidates that a paired t over rows finds worse."""
    errors = errors[:, np.argsort(errors.mean(axis=0))].T
    pvalues = [stats.ttest_rel(e, errors[0], alternative="greater")[1] for e in errors]
    return (adjust_against_best(np.array(pvalues), "holm") <= 0.05).mean()


def repeated_folds(rng):
    """Yield which rows are tested in ten times ten folds."""
    for _ in range(10):
        fold = rng.permutation(np.arange(N_ROWS) % N_FOLDS)
        for f in range(N_FOLDS):
            yield fold == f


def random_splits(rng):
    """Yield which rows are tested in 30 random splits, about 2 : 1."""
    for _ in range(30):
        yield rng.permutation(N_ROWS) < N_ROWS // 3


def share_rejected_by_splits(rng, weights, splits):
    """Return the share that the corrected t over such splits finds worse."""
    X, y = draw(rng, weights, N_ROWS)
    scores = []
    for test in splits(rng):
        errors = squared_errors(X[test], y[test], (X[~test], y[~test]))
        scores.append(r2(y[test], errors))
    scores, ratio = np.column_stack(scores), test.sum() / (~test).sum()
    order = np.argsort(-scores.mean(axis=1))
    differences = against_best(scores[order], 0, ratio, 0.95)
    return (adjust_against_best(differences.pvalues, "holm") <= 0.05).mean()


def search(rng, weights):
    """Return the shares significantly worse than the best, and the winner's leads.

    By the corrected t over folds, and by a paired t over rows; the lead in the
    search, what is expected of it, and that on new rows.
    """
    X, y = draw(rng, weights, N_ROWS)
    scores, errors = out_of_fold(X, y)
    means = scores.mean(axis=1)
    order = np.argsort(-means)
    differences = against_best(scores[order], 0, 1 / (N_FOLDS - 1), 0.95)
    adjusted = adjust_against_best(differences.pvalues, "holm")
    seed = int(rng.integers(2**32))
    positions, ratio = np.arange(len(scores)), 1 / (N_FOLDS - 1)
    selection = selection_by_splits(scores, positions, ratio, True)
    expected = expected_lead(selection, 200, seed=seed).value
    X_new, y_new = draw(rng, weights, N_NEW)
    elsewhere = r2(y_new, squared_errors(X_new, y_new, (X, y)))
    lasting = elsewhere[order[0]] - elsewhere.mean()
    rejected = (adjusted <= 0.05).mean()
    lead = means.max() - means.mean()
    return rejected, share_rejected_by_rows(errors), lead, expected, lasting


def leads_by_repeated_folds(rng, weights):
    """Return the lead by ten times ten folds, as expected, as if splits shared no row.

    The last is that on new rows.
    """
    X, y = draw(rng, weights, N_ROWS)
    scores = []
    for test in repeated_folds(rng):
        errors = squared_errors(X[test], y[test], (X[~test], y[~test]))
        scores.append(r2(y[test], errors))
    scores = np.column_stack(scores)
    means, positions = scores.mean(axis=1), np.arange(len(scores))
    leads = [
        expected_lead(selection, 200, seed=int(rng.integers(2**32))).value
        for selection in (
            selection_by_splits(scores, positions, 1 / (N_FOLDS - 1), disjoint)
            for disjoint in (False, True)
        )
    ]
    X_new, y_new = draw(rng, weights, N_NEW)
    elsewhere = r2(y_new, squared_errors(X_new, y_new, (X, y)))
    lasting = elsewhere[means.argmax()] - elsewhere.mean()
    return means.max() - means.mean(), *leads, lasting


def format_shares(shares):
    return f"{(shares > 0).mean():.3f} ({shares.mean():.3f})"


def main(n_simulations):
    sys.stdout.write(
        "some (a certain one) rejected by folds, by rows, "
        "lead, expected lead, lead on new rows\n"
    )
    for n_candidates in (2, 5, 20):
        for name, first in (("equal", 0.3), ("one better", 0.6)):
            weights = np.full(n_candidates, 0.3)
            weights[0] = first
            rng = np.random.default_rng(0)
            runs = np.array([search(rng, weights) for _ in range(n_simulations)], float)
            lead, expected, lasting = runs[:, 2:].mean(axis=0)
            sys.stdout.write(
                f"{n_candidates} candidates, {name}: {format_shares(runs[:, 0])}, "
                f"{format_shares(runs[:, 1])}, "
                f"{lead:.4f}, {expected:.4f}, {lasting:.4f}\n"
            )
    sys.stdout.write("leads by ten times ten folds: lead, expected, naive, lasting\n")
    for n_candidates in (5, 20):
        for name, first in (("equal", 0.3), ("one better", 0.6)):
            weights, rng = np.full(n_candidates, 0.3), np.random.default_rng(0)
            weights[0] = first
            n_runs = n_simulations // 10
            runs = [leads_by_repeated_folds(rng, weights) for _ in range(n_runs)]
            means = ", ".join(f"{mean:.4f}" for mean in np.mean(runs, axis=0))
            sys.stdout.write(f"{n_candidates} candidates, {name}: {means}\n")
    sys.stdout.write("rejected among equals by other splits\n")
    for splits in (repeated_folds, random_splits):
        for n_candidates in (2, 5, 20):
            weights, rng = np.full(n_candidates, 0.3), np.random.default_rng(0)
            shares = [
                share_rejected_by_splits(rng, weights, splits)
                for _ in range(n_simulations)
            ]
            sys.stdout.write(
                f"{n_candidates} candidates, {splits.__name__}: "
                f"{format_shares(np.array(shares))}\n"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 600)
