"""How often a model passes a test of non-inferiority that is worse by the margin.

Rows agree but for a few: A alone is wrong on a share of them that exceeds the share on
which B alone is wrong by the margin. Accuracy, level 0.05: by resamples alone, and with
the bound of the binomial test.

Run it with ``python doc/simulations/margins.py``; it takes ten minutes.
"""

import sys
import warnings

import numpy as np

from skcompare import PairedBootstrap
from skcompare.stats import margin_pvalue

LEVEL, N_DATA_SETS, N_RESAMPLES = 0.05, 1_000, 199

SIZES = ((100, 0.01), (300, 0.01), (1_000, 0.01), (300, 0.02))
SHARES = (0.0, 0.01, 0.05)


def passes(n_rows, margin, only_a, seed):
    """Return whether A passes by resamples alone, and with the bound."""
    drawn = np.random.default_rng(seed).random(n_rows)
    truth = np.ones(n_rows, dtype=int)
    pred_a = np.where(drawn > 1 - only_a - margin, 0, 1)
    pred_b = np.where(drawn < only_a, 0, 1)
    test = PairedBootstrap(
        scoring="accuracy", n_resamples=N_RESAMPLES, random_state=seed
    )
    result = test.fit_predictions(truth, pred_a, pred_b).result_
    pvalue = margin_pvalue(result.distribution, result.delta, -margin, tolerance=1e-9)
    return pvalue <= LEVEL, result.margin_pvalue(-margin) <= LEVEL


def report():
    """Yield the lines of the table."""
    yield f"{'rows':<8}{'margin':<8}{'A alone right':<15}{'resamples':<11}with bound"
    for n_rows, margin in SIZES:
        for only_a in SHARES:
            passed = [passes(n_rows, margin, only_a, s) for s in range(N_DATA_SETS)]
            before, now = np.mean(passed, axis=0)
            yield f"{n_rows:<8}{margin:<8}{only_a:<15}{before:<11.3f}{now:.3f}"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for line in report():
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
