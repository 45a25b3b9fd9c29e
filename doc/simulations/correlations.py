"""How often Williams' test rejects equal correlations, by the shape of the values.

Also, how often `CorrelationTest` warns of the shape. Run it with
``python doc/simulations/correlations.py``; it takes a minute.
"""

import sys
import warnings

import numpy as np
from scipy import stats

from skcompare import CorrelationTest
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


def skewed_truth(rng, n_rows):
    """Draw a lognormal truth and two models with normal errors."""
    truth = rng.lognormal(size=n_rows)
    return truth + np.vstack([np.zeros(n_rows), 2 * rng.normal(size=(2, n_rows))])


def share_rejected(draw, n_rows, *, ranks):
    """Return how often the test rejects, and how often it warns."""
    rng, count, n_warned = np.random.default_rng(0), 0, 0
    for _ in range(N_SAMPLES):
        values = draw(rng, n_rows)
        values = stats.rankdata(values, axis=1) if ranks else values
        r = np.corrcoef(values)
        test = williams_test(r[0, 1], r[0, 2], r[1, 2], n_rows, alternative="two-sided")
        count += test.pvalue <= ALPHA
        if not ranks:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = CorrelationTest().fit_predictions(*values).result_
            n_warned += "heavy tails" in " ".join(result.caveats)
    return count / N_SAMPLES, n_warned / N_SAMPLES


if __name__ == "__main__":
    for n_rows in (30, 100, 300):
        for draw in (normal, lognormal, heavy, skewed_truth):
            (pearson, warned), (spearman, _) = (
                share_rejected(draw, n_rows, ranks=ranks) for ranks in (False, True)
            )
            sys.stdout.write(
                f"{draw.__name__:12} n = {n_rows:3}: Pearson {pearson:.3f}, warned "
                f"{warned:.3f}, Spearman {spearman:.3f}\n"
            )
