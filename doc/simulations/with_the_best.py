"""How often intervals hold that compare the winner of a search with the others.

Ten candidates are scored on ten splits. Errors of splits correlate as Nadeau and Bengio
assume, with n_test / n = 1/10. Either all candidates are equally good, or their
expected scores are evenly spaced. Intervals of 95 %.

Run it with ``python doc/simulations/with_the_best.py``; it takes half a minute.
"""

import sys

import numpy as np

from skcompare.stats import best_intervals
from skcompare.stats.selection import against_best

N_CANDIDATES, N_SPLITS, N_SEARCHES = 10, 10, 2_000
RATIO = 1 / (N_SPLITS - 1)
CORRELATION = 1 / N_SPLITS


def coverage(spacing, n_searches, seed=0):
    """Return how often single intervals hold, all of them, and all of Hsu's."""
    rng = np.random.default_rng(seed)
    expected = spacing * np.arange(N_CANDIDATES)
    shape, held = (N_CANDIDATES, N_SPLITS), np.zeros(3)
    others = [np.delete(expected, one).max() for one in range(N_CANDIDATES)]
    for _ in range(n_searches):
        shared = np.sqrt(CORRELATION) * rng.normal(size=(N_CANDIDATES, 1))
        own = np.sqrt(1 - CORRELATION) * rng.normal(size=shape)
        scores = expected[:, None] + shared + own + rng.normal(size=N_SPLITS)
        best = int(np.argmax(scores.mean(axis=1)))
        intervals = against_best(scores, best, RATIO, 0.95).intervals
        gaps = expected[best] - expected
        single = (intervals[:, 0] <= gaps) & (gaps <= intervals[:, 1])
        lows, highs = best_intervals(scores, RATIO, 0.95).T
        together = np.all((lows <= expected - others) & (expected - others <= highs))
        rest = np.delete(single, best)
        held += rest.mean(), rest.all(), together
    return held / n_searches


def report():
    """Yield the lines of the table."""
    yield f"{'expected scores':<18}{'each':>8}{'together':>10}{'Hsu, together':>15}"
    for name, spacing in {"equal": 0.0, "spaced": 0.2}.items():
        each, together, hsu = coverage(spacing, N_SEARCHES)
        yield f"{name:<18}{each:>8.3f}{together:>10.3f}{hsu:>15.3f}"


if __name__ == "__main__":
    for line in report():
        sys.stdout.write(f"{line}\n")
