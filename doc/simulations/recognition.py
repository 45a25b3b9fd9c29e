"""How often a metric with a rule on totals is taken for a mean.

``python doc/simulations/recognition.py`` prints the table of the user guide's page on
why it is fast (four minutes on one core). The metric is accuracy, less five points if
a total, or a difference of totals, is beyond a bound that about one resample in twenty
exceeds; or the mean absolute error of numbers, plus 0.1. It is no mean.
"""

import functools
import sys

import numpy as np
from sklearn.metrics import make_scorer

from skcompare import PairedBootstrap

N_SAMPLES, N_ROWS, N_RESAMPLES = 50, 1_000, 1_000

TOTALS = {
    "predictions of a class": lambda y, p: (p == 1).sum(),
    "errors of a kind": lambda y, p: ((y == 0) & (p == 1)).sum(),
    "all errors": lambda y, p: (y != p).sum(),
    "errors of a kind less those of the other": lambda y, p: (
        ((y == 0) & (p == 1)).sum() - ((y == 1) & (p == 0)).sum()
    ),
    "predictions less rows of a class": lambda y, p: (p == 1).sum() - (y == 1).sum(),
    "predictions of a class less those of another": lambda y, p: (
        (p == 1).sum() - (p == 0).sum()
    ),
    "errors in a class less those in another": lambda y, p: (
        ((y == 1) & (p != 1)).sum() - ((y == 0) & (p != 0)).sum()
    ),
}


TOTALS_OF_NUMBERS = {
    "predictions less truth": lambda y, p: np.sum(p - y),
    "size of predictions less truth": lambda y, p: abs(np.sum(p - y)),
    "product of error and truth": lambda y, p: np.sum((p - y) * (y - 2)),
}


def classes(n_classes, rng):
    """Return truth and predictions of two models."""
    truth = rng.integers(n_classes, size=N_ROWS)
    wrong = rng.random((2, N_ROWS)) < [[0.2], [0.22]]
    return truth, *np.where(wrong, rng.integers(n_classes, size=(2, N_ROWS)), truth)


def numbers(rng):
    """Return truth and predictions of two models."""
    truth = rng.gamma(2.0, size=N_ROWS)
    return truth, *(truth + rng.normal(size=(2, N_ROWS)) * [[0.6], [0.62]])


def n_taken_for_a_mean(total, data, score):
    """Return how many samples' bootstraps do not notice the rule."""
    taken = 0
    for seed in range(N_SAMPLES):
        rng = np.random.default_rng(seed)
        truth, a, b = data(rng)
        drawn = rng.integers(N_ROWS, size=(400, N_ROWS))
        bound = np.quantile([total(truth[rows], a[rows]) for rows in drawn], 0.95)

        def metric(y, p, bound=bound):
            return score(y, p, total(y, p) > bound)

        test = PairedBootstrap(
            scoring=make_scorer(metric), n_resamples=N_RESAMPLES, random_state=seed
        ).fit_predictions(truth, a, b)
        taken += test.result_.engine != "generic"
    return taken


def main():
    """Print the table."""
    sys.stdout.write(f"of {N_SAMPLES}, with 2, 3 and 5 classes\n")
    for name, total in TOTALS.items():
        taken = [
            n_taken_for_a_mean(
                total,
                functools.partial(classes, n_classes),
                lambda y, p, beyond: np.mean(y == p) - 0.05 * beyond,
            )
            for n_classes in (2, 3, 5)
        ]
        sys.stdout.write(f"{name:45} {taken}\n")
        sys.stdout.flush()
    sys.stdout.write("with numbers\n")
    for name, total in TOTALS_OF_NUMBERS.items():
        taken = n_taken_for_a_mean(
            total,
            numbers,
            lambda y, p, beyond: np.mean(np.abs(y - p)) + 0.1 * beyond,
        )
        sys.stdout.write(f"{name:45} {taken}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
