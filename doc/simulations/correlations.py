"""How often Williams' test rejects equal correlations, by the shape of the values.

Run it with ``python doc/simulations/correlations.py``; it takes half a minute.
"""

import sys

import numpy as np
from scipy import stats

from skcompare.stats import williams_test

ALPHA, N_SAMPLES = 0.05, 2_000


def normal(rng, n_rows):
    """Draw a truth and two models with normal errors."""
    truth = rng.normal(size=n_rows)
    return truth + np.vstack([np.zeros(n_rows), rng.normal(size=(2, n_rows))])


def lognormal(rng, n_rows):
    """Draw values that are skewed."""
    return np.exp(normal(rng, n_rows))


def heavy(rng, n_rows):
    """Draw values with heavy tails: Student's t with 3 degrees of freedom."""
    truth = rng.standard_t(3, size=n_rows)
    errors = rng.standard_t(3, size=(2, n_rows))
    return truth + np.vstack([np.zeros(n_rows), errors])


def share_rejected(draw, n_rows, *, ranks):
    """Return how often the test rejects."""
    rng, count = np.random.default_rng(0), 0
    for _ in range(N_SAMPLES):
        values = draw(rng, n_rows)
        values = stats.rankdata(values, axis=1) if ranks else values
        r = np.corrcoef(values)
        test = williams_test(r[0, 1], r[0, 2], r[1, 2], n_rows, alternative="two-sided")
        count += test.pvalue <= ALPHA
    return count / N_SAMPLES


if __name__ == "__main__":
    for n_rows in (30, 100, 300):
        for draw in (normal, lognormal, heavy):
            pearson, spearman = (
                share_rejected(draw, n_rows, ranks=ranks) for ranks in (False, True)
            )
            sys.stdout.write(
                f"{draw.__name__:10} n = {n_rows:3}: Pearson {pearson:.3f}, Spearman "
                f"{spearman:.3f}\n"
            )
