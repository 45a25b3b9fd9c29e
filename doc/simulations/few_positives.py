"""How often models of equal scores differ significantly where positives are few.

A hundred rows with two, three or five positives; the models have the same distribution,
and are independent. Two-sided, level 0.05: the bootstrap without strata, with strata=y,
and swaps.

Run it with ``python doc/simulations/few_positives.py``; it takes ten minutes.
"""

import sys
import warnings

import numpy as np

from skcompare import ApproxRandomization, PairedBootstrap

LEVEL, N_DATA_SETS, N_RESAMPLES, N_ROWS = 0.05, 400, 399, 100


def predictions(scoring, truth, rng):
    """Return labels for balanced accuracy, else scores that rise with the truth."""
    if scoring != "balanced_accuracy":
        return truth + rng.normal(size=len(truth))
    right = rng.random(len(truth)) < np.where(truth, 0.6, 0.95)
    return np.where(right, truth, 1 - truth)


def rejections(scoring, n_positive, seed):
    """Return whether each of the three tests rejects."""
    rng, truth = np.random.default_rng(seed), np.zeros(N_ROWS, dtype=int)
    truth[:n_positive] = 1
    a, b = (predictions(scoring, truth, rng) for _ in "ab")
    settings = {"scoring": scoring, "alternative": "two-sided"}
    settings |= {"n_resamples": N_RESAMPLES, "random_state": seed}
    bootstrap, swaps = PairedBootstrap(**settings), ApproxRandomization(**settings)
    pvalues = [
        bootstrap.fit_predictions(truth, a, b).pvalue_,
        bootstrap.fit_predictions(truth, a, b, strata=truth).pvalue_,
        swaps.fit_predictions(truth, a, b).pvalue_,
    ]
    return np.array(pvalues) <= LEVEL


def report():
    """Yield the lines of the table."""
    yield f"{'metric':<20}{'positives':<11}{'no strata':<11}{'strata=y':<10}swaps"
    for scoring in ("roc_auc", "average_precision", "balanced_accuracy"):
        for n_positive in (2, 3, 5):
            rejected = [rejections(scoring, n_positive, s) for s in range(N_DATA_SETS)]
            plain, strata, swaps = np.mean(rejected, axis=0)
            yield (
                f"{scoring:<20}{n_positive:<11}{plain:<11.3f}{strata:<10.3f}{swaps:.3f}"
            )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for line in report():
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
