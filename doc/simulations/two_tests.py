"""The figures of the user guide: error rates of the two tests, coverage of intervals.

Two classifiers are compared in accuracy. A row adds +1 to the difference (only A is
right), -1 (only B is right) or 0, so a bootstrap resample is one multinomial draw of
three counts, and the randomization test is a binomial one. P-values and intervals come
from the functions that skcompare uses itself.

Run it with ``python doc/simulations/two_tests.py``; it takes about a minute.
"""

import sys

import numpy as np
from scipy import stats

from skcompare.stats.intervals import (
    basic_interval,
    bca_interval,
    percentile_interval,
    studentized_interval,
)
from skcompare.stats.pvalues import count_exceeding, resampling_pvalue

SIZES = (50, 200, 1_000)
LEVEL = 0.95
ALPHA = 0.05
N_RESAMPLES = 999
STEPS = np.array([1, -1, 0])


def resampled_deltas(counts, rng, n_resamples=N_RESAMPLES):
    """Draw bootstrap resamples of the rows and return counts and differences."""
    n = counts.sum()
    drawn = rng.multinomial(n, counts / n, size=n_resamples)
    return drawn, drawn @ STEPS / n


def standard_error(counts):
    """Return the standard error of the difference, one for each row of counts."""
    n = counts.sum(axis=-1)
    return np.sqrt((counts @ STEPS**2 / n - (counts @ STEPS / n) ** 2) / n)


def intervals(counts, rng):
    """Return the four intervals for the difference of one data set."""
    n = counts.sum()
    delta = counts @ STEPS / n
    drawn, deltas = resampled_deltas(counts, rng)
    left_out = (n * delta - np.repeat(STEPS, counts)) / (n - 1)
    return {
        "percentile": percentile_interval(deltas, LEVEL),
        "basic": basic_interval(deltas, delta, LEVEL),
        "bca": bca_interval(
            deltas,
            delta,
            LEVEL,
            jackknife=left_out,
            strata=np.zeros(n, dtype=int),
            tolerance=1e-12,
        ),
        "studentized": studentized_interval(
            deltas,
            delta,
            LEVEL,
            standard_errors=standard_error(drawn),
            standard_error=float(standard_error(counts)),
        ),
    }


def coverage(n, *, n_data_sets, rng):
    """Return the share of data sets whose interval holds the true difference.

    Differences from 0 to .2 are equally frequent: a single one would lie on or off the
    grid of multiples of 1 / n on which small intervals end, and that matters.
    """
    held = {}
    for only_a in rng.uniform(0.15, 0.25, size=n_data_sets):
        chances = np.array([only_a, 0.3 - only_a, 0.7])
        for kind, interval in intervals(rng.multinomial(n, chances), rng).items():
            inside = interval.low <= chances @ STEPS <= interval.high
            held.setdefault(kind, []).append(inside)
    return {kind: float(np.mean(inside)) for kind, inside in held.items()}


def bootstrap_pvalue(counts, rng):
    """Return the p-value of the paired bootstrap, alternative "greater"."""
    delta = counts @ STEPS / counts.sum()
    deltas = resampled_deltas(counts, rng)[1]
    reached = count_exceeding(deltas - delta, delta, "greater", tolerance=1e-12)
    return resampling_pvalue(reached, N_RESAMPLES)


def randomization_pvalue(counts, rng):
    """Return the p-value of the exact randomization test, alternative "greater"."""
    only_a, only_b, _ = counts
    return stats.binom.sf(only_a - 1, only_a + only_b, 0.5)


def error_rates(n, chances, pvalue, *, n_data_sets, rng):
    """Return how often the test rejects: direction fixed, and for the leader."""
    fixed = leader = 0
    for counts in rng.multinomial(n, chances, size=n_data_sets):
        fixed += pvalue(counts, rng) <= ALPHA
        ahead = counts if counts[0] >= counts[1] else counts[[1, 0, 2]]
        leader += pvalue(ahead, rng) <= ALPHA
    return fixed / n_data_sets, leader / n_data_sets


def report():
    """Yield the lines of both tables."""
    rng = np.random.default_rng(0)
    tests = {"bootstrap": bootstrap_pvalue, "randomization": randomization_pvalue}
    equal = np.array([0.15, 0.15, 0.7])
    yield "Rejections at level .05: only A right 15 %, only B right 15 %"
    for n in SIZES:
        for name, pvalue in tests.items():
            fixed, leader = error_rates(n, equal, pvalue, n_data_sets=20_000, rng=rng)
            yield f"  n = {n:>5}  {name:<14} fixed {fixed:.3f}  leader {leader:.3f}"
    yield "Coverage of nominal 95 % intervals: one model right 30 %"
    for n in SIZES:
        coverages = coverage(n, n_data_sets=10_000, rng=rng)
        shares = "  ".join(f"{kind} {share:.3f}" for kind, share in coverages.items())
        yield f"  n = {n:>5}  {shares}"


if __name__ == "__main__":
    for line in report():
        sys.stdout.write(f"{line}\n")
