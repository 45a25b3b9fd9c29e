"""What is kept at the level where the best was chosen by the same scores.

    python doc/simulations/chosen_best.py

Scores of candidates on 30 independent rows are normal; the one with the best mean is
compared with each of the others by a one-sided paired t, corrected for their number.
How often is a candidate excluded that is truly among the best, and how often is any?
Figures of the chapter "After the grid search". Takes about a minute.
"""

import sys

import numpy as np
from scipy import stats

from skcompare.stats.selection import adjust_against_best

N_SEARCHES, N_ROWS, ALPHA, CHUNK = 40_000, 30, 0.05, 2_000
CORRECTIONS = "bonferroni", "holm"


def against_the_best(scores):
    """Return one-sided p-values, that of the best first, and who is where."""
    order = np.argsort(-scores.mean(axis=1), axis=1)
    ordered = np.take_along_axis(scores, order[:, np.newaxis], axis=2)
    lead = ordered[:, :, :1] - ordered[:, :, 1:]
    error = lead.std(axis=1, ddof=1) / np.sqrt(N_ROWS)
    pvalues = stats.t.sf(lead.mean(axis=1) / error, N_ROWS - 1)
    return np.column_stack([np.ones(len(scores)), pvalues]), order


def excluded(scores, correction):
    """Return who is significantly worse than the best, in each search."""
    pvalues, order = against_the_best(scores)
    worse = np.zeros(order.shape, dtype=bool)
    # No correction rejects anything unless Bonferroni's does.
    for search in np.flatnonzero(pvalues.min(axis=1) * (order.shape[1] - 1) <= ALPHA):
        rejected = adjust_against_best(pvalues[search], correction) <= ALPHA
        worse[search, order[search]] = rejected
    return worse


def shares(n_candidates, *, worse_by=0.0, noise_of_first=1.0):
    """Return how often the first is excluded, and how often any, by correction."""
    rng = np.random.default_rng(0)
    means = np.r_[0.0, np.full(n_candidates - 1, -worse_by / np.sqrt(N_ROWS))]
    noise = np.r_[noise_of_first, np.ones(n_candidates - 1)]
    counts = {correction: np.zeros(2) for correction in CORRECTIONS}
    for _ in range(N_SEARCHES // CHUNK):
        scores = means + noise * rng.normal(size=(CHUNK, N_ROWS, n_candidates))
        for correction in CORRECTIONS:
            worse = excluded(scores, correction)
            counts[correction] += worse[:, 0].sum(), worse.any(axis=1).sum()
    return {correction: count / N_SEARCHES for correction, count in counts.items()}


CASES = {
    "equally good": {},
    "others worse by a standard error": {"worse_by": 1.0},
    "equally good, the first with little noise": {"noise_of_first": 0.05},
}

if __name__ == "__main__":
    sys.stdout.write("a given best candidate is excluded, any candidate is\n")
    for case, setting in CASES.items():
        for n_candidates in (2, 3, 5, 20):
            for correction, (best, some) in shares(n_candidates, **setting).items():
                sys.stdout.write(
                    f"{case}, {n_candidates} candidates, {correction}: "
                    f"{best:.4f}, {some:.4f}\n"
                )
