"""How often a model passes a test of non-inferiority that is worse by the margin.

Rows agree but for a few: A alone is wrong on a share of them that exceeds the share on
which B alone is wrong by the margin. Accuracy, level 0.05, 199 resamples.
"""

import warnings

import numpy as np

from skcompare import PairedBootstrap
from skcompare.exceptions import ComparisonWarning
from skcompare.stats import margin_pvalue

LEVEL, N_SAMPLES, N_RESAMPLES = 0.05, 2_000, 199


def passes(n_rows, margin, share_won, seed):
    """Return whether A passes by resamples alone, and with the bound."""
    rng = np.random.default_rng(seed)
    drawn, truth = rng.random(n_rows), np.ones(n_rows, dtype=int)
    a, b = truth.copy(), truth.copy()
    b[drawn < share_won] = 0
    a[drawn > 1 - share_won - margin] = 0
    test = PairedBootstrap(
        scoring="accuracy", n_resamples=N_RESAMPLES, random_state=seed
    )
    result = test.fit_predictions(truth, a, b).result_
    tolerance = 1e-9
    resampled = margin_pvalue(
        result.distribution, result.delta, -margin, tolerance=tolerance
    )
    return resampled <= LEVEL, result.margin_pvalue(-margin) <= LEVEL


def main():
    """Print a table for the guide."""
    warnings.simplefilter("ignore", ComparisonWarning)
    print("rows   margin  B alone wrong  resamples  with the bound")
    for n_rows, margin in ((100, 0.01), (300, 0.01), (300, 0.02), (1_000, 0.01)):
        for share_won in (0.0, 0.01, 0.05):
            passed = [passes(n_rows, margin, share_won, s) for s in range(N_SAMPLES)]
            resampled, bounded = np.mean(passed, axis=0)
            print(
                f"{n_rows:<6} {margin:<7} {share_won:<14} {resampled:<10.3f} {bounded:.3f}"
            )


if __name__ == "__main__":
    main()
