"""Figures quoted in the chapter "Which of these ten?".

    python doc/simulations/many_models.py

How often is some pair of equally good models called different? Models err on the same
hard rows more often than by chance, as real ones do. Takes a minute or two.
"""

import sys

import numpy as np

from skcompare import PairedBootstrap, PairwiseComparison, adjust_pvalues

N_STUDIES, N_ROWS, N_RESAMPLES = 400, 200, 1_999
ALPHA = 0.05


def predictions(rng, n_models, accuracy=0.8, shared=0.6):
    """Return a truth and predictions of models, all right with one probability."""
    truth = rng.integers(2, size=N_ROWS)
    hard = rng.random(N_ROWS)
    by_model = {}
    for number in range(n_models):
        alone = rng.random(N_ROWS)
        luck = np.where(rng.random(N_ROWS) < shared, hard, alone)
        by_model[f"model {number}"] = np.where(luck < accuracy, truth, 1 - truth)
    return truth, by_model


def false_findings(n_models):
    """Return the share of studies with a false finding, by correction."""
    rng = np.random.default_rng(0)
    counts = dict.fromkeys(("none", "holm", "max-t"), 0)
    for study in range(N_STUDIES):
        test = PairedBootstrap(alternative="two-sided", n_resamples=N_RESAMPLES)
        comparison = PairwiseComparison(
            test=test, correction="max-t", random_state=study, alpha=ALPHA
        )
        result = comparison.fit_predictions(*predictions(rng, n_models)).result_
        counts["max-t"] += result.significant.any()
        for method in ("none", "holm"):
            counts[method] += (adjust_pvalues(result.pvalues, method) <= ALPHA).any()
    return {method: count / N_STUDIES for method, count in counts.items()}


if __name__ == "__main__":
    for n_models in (3, 5, 10):
        shares = false_findings(n_models)
        listed = ", ".join(f"{method} {share:.3f}" for method, share in shares.items())
        sys.stdout.write(f"{n_models} models: {listed}\n")
