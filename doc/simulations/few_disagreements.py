"""How often posteriors hold the truth where two models disagree on few rows.

Three populations in which a handful of rows can move the score: recall with ten
positives, balanced accuracy of twenty classes of uneven size, and accuracy where one
row of a hundred is discordant. Highest-density intervals of 95 %, without and with the
prior of pseudo-counts that is the default.

Run it with ``python doc/simulations/few_disagreements.py``; it takes three minutes.
"""

import sys
import warnings

import numpy as np

from skcompare import BayesianComparison

N_DATA_SETS = 500


def rare_positives(rng):
    """Ten positives of 200: each model alone is right on a tenth of them."""
    truth = np.repeat([1, 0], [10, 190])
    return truth, *_disagreeing(rng, truth, 2, 0.1, 0.1, 0.1)


def uneven_classes(rng):
    """Twenty classes of sizes like 1, 1/2, 1/3 in 200 rows: 2 % and 1 %."""
    sizes = 1 / np.arange(1, 21)
    truth = rng.choice(20, size=200, p=sizes / sizes.sum())
    return truth, *_disagreeing(rng, truth, 20, 0.02, 0.01, 0.1)


def few_discordant(rng):
    """Accuracy on 200 rows: A alone is right on 0.7 % of rows, B alone on 0.3 %."""
    truth = rng.integers(2, size=200)
    return truth, *_disagreeing(rng, truth, 2, 0.007, 0.003, 0.1)


def _disagreeing(rng, truth, n_classes, only_a, only_b, neither):
    """Return predictions of two models that are wrong on shares of the rows."""
    kind = rng.random(len(truth))
    other = (truth + rng.integers(1, n_classes, size=len(truth))) % n_classes
    edges = np.cumsum([only_b, only_a, neither])
    a_wrong = (kind < edges[0]) | ((kind >= edges[1]) & (kind < edges[2]))
    b_wrong = (kind >= edges[0]) & (kind < edges[2])
    return np.where(a_wrong, other, truth), np.where(b_wrong, other, truth)


SCENARIOS = {
    "recall, 10 positives": ("recall", rare_positives, 0.0),
    "balanced accuracy, 20 classes": ("balanced_accuracy", uneven_classes, 0.01),
    "accuracy, 1 % discordant": ("accuracy", few_discordant, 0.004),
}


def coverage(name, prior, n_data_sets, seed=0, level=0.95):
    """Return how often the interval holds the true difference, and its mean width."""
    scoring, make, delta = SCENARIOS[name]
    rng, held, widths = np.random.default_rng(seed), 0, 0.0
    for number in range(n_data_sets):
        test = BayesianComparison(
            scoring=scoring,
            prior=prior,
            n_draws=1_000,
            credible_level=level,
            random_state=number,
        )
        low, high = test.fit_predictions(*make(rng)).hdi_
        held += low <= delta <= high
        widths += high - low
    return held / n_data_sets, widths / n_data_sets


def report():
    """Yield the lines of the table."""
    yield f"{'coverage and mean width':<32}{'prior=0':>16}{'prior=0.5':>16}"
    for name in SCENARIOS:
        cells = [coverage(name, prior, N_DATA_SETS) for prior in (0.0, 0.5)]
        entries = (f"{held:>10.3f} {width:.3f}" for held, width in cells)
        yield f"{name:<32}{''.join(entries)}"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for line in report():
        sys.stdout.write(f"{line}\n")
