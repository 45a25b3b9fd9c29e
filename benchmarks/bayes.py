"""Compare posterior draws by the engine with the plain loop of a careful user.

    python benchmarks/bayes.py

The loop draws Dirichlet weights of rows and passes them to scikit-learn's metric
function; it is timed on a few draws, scaled to the full number. The engine is timed in
full, from `fit_predictions` to the result. The two alternate, and the ratio is that of
their medians, in processor seconds of one core.
"""

import functools
import time

import numpy as np
import run  # first: it sets the number of threads
from sklearn import metrics

from skcompare import BayesianComparison

N_LOOPED = 200
ROUNDS = 3

CASES = {
    "F1, 2,000 rows": (run.labels(2_000, 2), metrics.f1_score, "f1", {}),
    "macro F1, 20,000 rows, 5 classes": (
        run.labels(20_000, 5),
        functools.partial(metrics.f1_score, average="macro"),
        "f1_macro",
        {},
    ),
    "accuracy, a million rows, 5 classes": (
        run.labels(1_000_000, 5),
        metrics.accuracy_score,
        "accuracy",
        {},
    ),
    "macro F1, 10 classes: 1,000 cells": (
        run.labels(100_000, 10),
        functools.partial(metrics.f1_score, average="macro"),
        "f1_macro",
        {},
    ),
    "macro F1, 115 labels, independent": (
        run.label_sets(),
        functools.partial(metrics.f1_score, average="macro"),
        "f1_macro",
        {"posterior": "independent"},
    ),
    "ROC AUC, 2,000 rows": (
        run.scores(2_000),
        metrics.roc_auc_score,
        "roc_auc",
        {"n_draws": 10_000},
    ),
    "mean squared error, 2,000 rows": (
        run.numbers(2_000),
        metrics.mean_squared_error,
        "neg_mean_squared_error",
        {"n_draws": 10_000},
    ),
}


def loop(data, metric):
    """Score Dirichlet weights of rows, one draw at a time."""
    y, a, b = data
    rng, n_rows = np.random.default_rng(0), len(y)
    n_draws = max(3, min(N_LOOPED, 2_000_000 // n_rows))
    for _ in range(n_draws):
        weights = rng.dirichlet(np.ones(n_rows))
        metric(y, a, sample_weight=weights) - metric(y, b, sample_weight=weights)
    return n_draws


def seconds(call):
    """Return the processor seconds of a call, and its return value."""
    began = time.process_time()
    value = call()
    return time.process_time() - began, value


def measure(data, metric, test):
    """Return the seconds of the loop, scaled to all draws, and of the engine."""
    looped, n_looped = seconds(functools.partial(loop, data, metric))
    ours, _ = seconds(functools.partial(test.fit_predictions, *data))
    return looped * test.n_draws / n_looped, ours


def main():
    """Print a line for each case."""
    print(f"{'work':<48}{'engine':<18}{'loop':>10}{'engine':>10}{'ratio':>10}")
    for name, (data, metric, scoring, options) in CASES.items():
        test = BayesianComparison(scoring=scoring, random_state=0, **options)
        engine = test.fit_predictions(*data).result_.engine
        rounds = [measure(data, metric, test) for _ in range(ROUNDS)]
        run._report(name, engine, *np.median(rounds, axis=0), None)


if __name__ == "__main__":
    main()
