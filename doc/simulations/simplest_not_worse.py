"""What it costs to take a simpler candidate than the best of a search.

Half of a data set, drawn at random, is searched by 10-fold cross-validation; the other
half shows what the choice is worth. Regret is the score there of the candidate with the
best mean less that of the candidate that a rule chose.

Run it with ``python doc/simulations/simplest_not_worse.py``; it takes a minute.
"""

import sys

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcompare import SimplestNotWorse

N_HALVES = 20
TREE = DecisionTreeClassifier(random_state=0)
DEPTHS = {"max_depth": [1, 2, 3, 4, 5, 6, 8, 10]}
SEARCHES = {
    "wine, tree": (load_wine, TREE, DEPTHS, "max_depth"),
    "breast cancer, tree": (load_breast_cancer, TREE, DEPTHS, "max_depth"),
    "digits, tree": (load_digits, TREE, DEPTHS, "max_depth"),
    "diabetes, tree": (
        load_diabetes,
        DecisionTreeRegressor(random_state=0),
        DEPTHS,
        "max_depth",
    ),
    "breast cancer, neighbors": (
        load_breast_cancer,
        KNeighborsClassifier(),
        {"n_neighbors": [1, 3, 5, 9, 15, 25, 45, 75]},
        "-n_neighbors",
    ),
}
RULES = ("one-standard-error", "test")


def best_score_error(results):
    """Choose by one standard error of the best score, for trees and neighbors alike."""
    scores = np.column_stack([results[f"split{k}_test_score"] for k in range(10)])
    means = scores.mean(axis=1)
    best = means.argmax()
    error = scores[best].std(ddof=1) / np.sqrt(10)
    qualified = np.flatnonzero(means >= means[best] - error)
    (name,) = results["params"][0]
    sign = -1 if name == "n_neighbors" else 1
    return min(qualified, key=lambda i: sign * results["params"][i][name])


def main():
    header = ["error of the best", *RULES]
    heads = "".join(f"{name:>28}" for name in header)
    sys.stdout.write(f"{'':26}{'best':>6}{heads}\n")
    for name, (load, model, grid, complexity) in SEARCHES.items():
        rules = [best_score_error] + [
            SimplestNotWorse(complexity, rule=rule) for rule in RULES
        ]
        halves = np.array(
            [one_half(load, model, grid, rules, s) for s in range(N_HALVES)]
        )
        regret = halves[:, :1, 0] - halves[:, 1:, 0]
        means, errors = regret.mean(axis=0), regret.std(axis=0, ddof=1)
        sizes = np.median(halves[:, :, 1], axis=0)
        cells = [
            f"{mean:12.4f} +- {error / np.sqrt(N_HALVES):.4f} ({size:4.1f})"
            for mean, error, size in zip(means, errors, sizes[1:], strict=True)
        ]
        row = "".join(f"{cell:>28}" for cell in cells)
        sys.stdout.write(f"{name:26}{sizes[0]:6.1f}{row}\n")


def one_half(load, model, grid, rules, seed):
    """Return score and size of the best by mean, then of the choice of each rule."""
    halves = train_test_split(*load(return_X_y=True), test_size=0.5, random_state=seed)
    X, X_new, y, y_new = halves
    search = GridSearchCV(model, grid, cv=10).fit(X, y)
    results, (name,) = search.cv_results_, grid
    chosen = [search.best_index_, *(rule(results) for rule in rules)]
    sizes = [results["params"][i][name] for i in chosen]
    new = {
        size: search.estimator.set_params(**{name: size}).fit(X, y).score(X_new, y_new)
        for size in set(sizes)
    }
    return [(new[size], size) for size in sizes]


if __name__ == "__main__":
    main()
