"""The figures of the chapter on posteriors: how often intervals hold the truth.

Two classifiers are judged on the same rows, and what is hard for one is hard for the
other: A is right on 80 % of the rows, B on 76 %, and the correlation of their errors is
about .5. The difference of the population is known; rows are drawn from it.

Run it with ``python doc/simulations/posteriors.py``; it takes about two minutes.
"""

import sys
import warnings

import numpy as np
from sklearn import metrics

from skcompare import BayesianComparison
from skcompare.exceptions import ComparisonWarning

SIZES = (50, 200, 1_000)
N_DATA_SETS = 2_000

# Truth, prediction of A and prediction of B, and how frequent the eight outcomes are.
TRUTH, A, B = np.indices((2, 2, 2)).reshape(3, -1)
BOTH_RIGHT, ONLY_A, ONLY_B, NEITHER = 0.70, 0.10, 0.06, 0.14
SHARES = np.select(
    [(TRUTH == A) & (TRUTH == B), TRUTH == A, TRUTH == B],
    [BOTH_RIGHT / 2, ONLY_A / 2, ONLY_B / 2],
    NEITHER / 2,
)
KINDS = {
    "accuracy, paired": {"scoring": "accuracy"},
    "F1, paired": {"scoring": "f1"},
    "F1, independent": {"scoring": "f1", "posterior": "independent"},
}


def true_difference(scoring):
    """Return the difference in score in the population."""
    metric = {"accuracy": metrics.accuracy_score, "f1": metrics.f1_score}[scoring]
    score_a, score_b = (metric(TRUTH, p, sample_weight=SHARES) for p in (A, B))
    return score_a - score_b


def coverage(n_rows, params, rng):
    """Return how often the interval holds the true difference, and its mean width."""
    test = BayesianComparison(n_draws=2_000, random_state=rng, **params)
    delta, held, widths = true_difference(params["scoring"]), [], []
    for _ in range(N_DATA_SETS):
        rows = rng.choice(8, size=n_rows, p=SHARES)
        low, high = test.fit_predictions(TRUTH[rows], A[rows], B[rows]).hdi_
        held.append(low <= delta <= high)
        widths.append(high - low)
    return np.mean(held), np.mean(widths)


def report():
    """Yield the lines of the table."""
    rng = np.random.default_rng(0)
    yield "Coverage of 95 % highest-density intervals, and their mean width"
    for n_rows in SIZES:
        for name, params in KINDS.items():
            held, width = coverage(n_rows, params, rng)
            yield f"  n = {n_rows:>5}  {name:<17} {held:.3f}  {width:.3f}"


if __name__ == "__main__":
    warnings.simplefilter("ignore", ComparisonWarning)
    for line in report():
        sys.stdout.write(f"{line}\n")
