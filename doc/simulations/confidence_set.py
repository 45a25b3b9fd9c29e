"""Two statistics for the Model Confidence Set, in the chapter "Which of these ten?".

    python doc/simulations/confidence_set.py

How often does the set have all of the best models in it, and how large is it? The
largest difference of two models, which skcompare uses, is compared with the largest
shortfall of a model behind the mean of those left. Accuracy on 300 rows; models err on
the same hard rows more often than by chance. Takes two or three minutes.
"""

import sys

import numpy as np

from skcompare.stats.model_sets import confidence_set_pvalues

N_STUDIES, N_ROWS, N_RESAMPLES = 500, 300, 999
ALPHA = 0.05

# Name: the probabilities with which the models are right.
STUDIES = {
    "3 equal": [0.8] * 3,
    "10 equal": [0.8] * 10,
    "20 equal": [0.8] * 20,
    "3 equal, 7 worse": [0.85] * 3 + [0.75] * 7,
    "1 best of 10": [0.9] + [0.8] * 9,
    "1 best of 20": [0.9] + [0.8] * 19,
    "5 good, 5 bad": [0.87] * 5 + [0.8] * 5,
    "10 good, 10 bad": [0.87] * 10 + [0.8] * 10,
    "9 good, 1 bad": [0.87] * 9 + [0.8],
    "steps from 0.87 to 0.78": np.linspace(0.87, 0.78, 10),
}


def study(rng, accuracies, shared=0.6):
    """Return scores and resampled scores of models of such accuracies."""
    shape = N_ROWS, len(accuracies)
    hard, alone = rng.random((N_ROWS, 1)), rng.random(shape)
    luck = np.where(rng.random(shape) < shared, hard, alone)
    right = (luck < accuracies).astype(float)
    counts = rng.multinomial(N_ROWS, np.full(N_ROWS, 1 / N_ROWS), size=N_RESAMPLES)
    return right.mean(axis=0), counts @ right / N_ROWS


def behind_the_mean(observed, resampled):
    """Return the p-values of the other statistic."""
    left, pvalues, largest = list(range(len(observed))), np.ones(len(observed)), 0.0
    while len(left) > 1:
        behind = observed[left].mean() - observed[left]
        rest = resampled[:, left]
        null = rest.mean(axis=1, keepdims=True) - rest - behind
        error = null.std(axis=0, ddof=1)
        worst = int(np.argmax(behind / error))
        exceeding = (null / error).max(axis=1) >= (behind / error)[worst] - 1e-9
        largest = max(largest, (exceeding.sum() + 1) / (len(resampled) + 1))
        pvalues[left.pop(worst)] = largest
    return pvalues


def look_at(accuracies):
    """Return how often all best models are kept, and the mean size, by statistic."""
    rng, best = np.random.default_rng(0), np.isclose(accuracies, max(accuracies))
    kept, sizes = np.zeros((2, 2))
    for _ in range(N_STUDIES):
        observed, resampled = study(rng, accuracies)
        ours = confidence_set_pvalues(observed, resampled, 1e-12) > ALPHA
        other = behind_the_mean(observed, resampled) > ALPHA
        kept += [ours[best].all(), other[best].all()]
        sizes += [ours.sum(), other.sum()]
    return kept / N_STUDIES, sizes / N_STUDIES


if __name__ == "__main__":
    sys.stdout.write("all best in the set, mean size: by pairs, by the mean\n")
    for name, accuracies in STUDIES.items():
        kept, sizes = look_at(np.array(accuracies))
        cells = " ".join(f"{x:.3f}" for x in kept), " ".join(f"{x:.2f}" for x in sizes)
        sys.stdout.write(f"{name}: {cells[0]}, {cells[1]}\n")
