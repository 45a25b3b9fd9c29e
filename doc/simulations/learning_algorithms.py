"""How often tests of learning algorithms find a difference where there is none.

Model A sees three features that have the mean +d or -d, the sign being the label's, and
B sees three others of the same kind: by symmetry both ways of learning are equally good
over training sets of any size. Three learners: *means*, a linear classifier by class
means; *5 neighbors*; and *1 neighbor*, which depends most on which rows it is trained
on. Two-sided tests at the level 0.05; ten folds and t of all rows (what a pooled test
of these models amounts to), the corrected t of 10 x 10 folds, 5x2cv t and F, and the
conservative Z with 15 splits and 10 halvings.

Also how often intervals of 95 % for the score of one learner hold its expected score,
which is the mean of all estimates.

P-values and intervals come from the functions that skcompare uses itself.

Run it with ``python doc/simulations/learning_algorithms.py``; it takes six minutes.
"""

import sys

import numpy as np
from sklearn.model_selection import RepeatedKFold, ShuffleSplit

from skcompare.stats.folds import (
    clt_estimate,
    conservative_estimate,
    corrected_estimate,
    five_by_two_f,
    five_by_two_t,
)

N_FEATURES, SHIFT, N_DATA_SETS, CHUNK = 3, 0.5, 400, 50
N_SPLITS, N_HALVINGS = 15, 10


def repeated(n_folds, n_repeats):
    """Return a function that makes splits of so many rows."""
    return lambda n: list(
        RepeatedKFold(n_splits=n_folds, n_repeats=n_repeats, random_state=0).split(
            np.zeros(n)
        )
    )


def halvings(n, n_splits=N_SPLITS, n_halvings=N_HALVINGS):
    """Return splits of all rows, then of the two halves of each halving."""

    def split(rows, test_size, seed):
        splitter = ShuffleSplit(n_splits, test_size=test_size, random_state=seed)
        return [(rows[a], rows[b]) for a, b in splitter.split(rows)]

    rng, everyone = np.random.default_rng(0), np.arange(n)
    splits = split(everyone, n // 10, 0)
    for number in range(n_halvings):
        for half in np.split(rng.permutation(everyone), 2):
            splits += split(half, n // 10, number)
    return splits


def means_hits(X, y, train, test):
    """Return which test rows a classifier by class means has right."""
    signed = X * y[:, None]
    directions = signed[:, train].sum(axis=1)
    return np.einsum("sp,snp->sn", directions, signed[:, test]) > 0


def neighbors_hits(k):
    """Return the same for the majority of the k nearest training rows."""

    def hits(X, y, train, test):
        a, b = X[:, test], X[:, train]
        distances = (b**2).sum(axis=2)[:, None] - 2 * a @ b.transpose(0, 2, 1)
        nearest = np.argpartition(distances, k - 1, axis=2)[..., :k]
        return y[train[nearest]].sum(axis=2) * y[test] > 0

    return hits


LEARNERS = {
    "means": means_hits,
    "5 neighbors": neighbors_hits(5),
    "1 neighbor": neighbors_hits(1),
}


def rows_t(hits):
    """Return the estimate by Student's t over rows, of ten folds of one repeat."""
    return corrected_estimate(np.concatenate(hits), 0.0)


def corrected_t(hits):
    """Return that by the corrected t of 10 x 10 folds, or of ten."""
    return corrected_estimate(np.array([one.mean() for one in hits]), 1 / 9)


def all_pairs(hits):
    """Return that by the central limit theorem."""
    return clt_estimate(np.concatenate(hits), variance="all-pairs")


def halves_t(hits):
    """Return that by Dietterich's t."""
    return five_by_two_t(np.array([one.mean() for one in hits]).reshape(5, 2))


def halves_f(hits):
    """Return Alpaydin's F."""
    return five_by_two_f(np.array([one.mean() for one in hits]).reshape(5, 2))


def conservative_z(hits):
    """Return the estimate by the conservative Z."""
    first, *halves = np.array([one.mean() for one in hits]).reshape(-1, N_SPLITS)
    return conservative_estimate(first, np.mean(halves, axis=1).reshape(-1, 2))


TESTS = {
    "rows": (repeated(10, 1), rows_t),
    "corrected t": (repeated(10, 10), corrected_t),
    "5x2cv t": (repeated(2, 5), halves_t),
    "5x2cv F": (repeated(2, 5), halves_f),
    "conservative Z": (halvings, conservative_z),
}

# What gives intervals for one learner.
INTERVALS = {
    "CLT": (repeated(10, 1), all_pairs),
    "corrected t, 10": (repeated(10, 1), corrected_t),
    "corrected t": (repeated(10, 10), corrected_t),
    "conservative Z": (halvings, conservative_z),
}


def on_splits(learner, splits, n_rows, n_data_sets, shifts, seed):
    """Yield for each data set the hits on each split, of A or less those of B."""
    rng, y = np.random.default_rng(seed), np.where(np.arange(n_rows) % 2, 1.0, -1.0)
    for start in range(0, n_data_sets, CHUNK):
        size = min(CHUNK, n_data_sets - start)
        of_models = [
            rng.normal(size=(size, n_rows, N_FEATURES)) + shift * y[:, None]
            for shift in shifts
        ]
        hits, *others = (
            [
                LEARNERS[learner](X, y, train, rows).astype(float)
                for train, rows in splits
            ]
            for X in of_models
        )
        for other in others:
            hits = [a - b for a, b in zip(hits, other, strict=True)]
        yield from ([one[place] for one in hits] for place in range(size))


def rejections(learner, test, n_rows, n_data_sets, *, shifts=(SHIFT, SHIFT), seed=0):
    """Return how often a test rejects at 0.05."""
    make, find = TESTS[test]
    hits = on_splits(learner, make(n_rows), n_rows, n_data_sets, shifts, seed)
    tests = [find(own) for own in hits]
    if test != "5x2cv F":
        return np.mean([one.pvalue("two-sided") <= 0.05 for one in tests])
    return np.mean([one.pvalue <= 0.05 for one in tests])


def coverage(learner, interval, n_rows, n_data_sets, *, seed=0):
    """Return how often an interval holds the learner's score, and its mean width."""
    make, find = INTERVALS[interval]
    hits = on_splits(learner, make(n_rows), n_rows, n_data_sets, (SHIFT,), seed)
    estimates = [find(own) for own in hits]
    low, high = np.transpose([one.interval(0.95) for one in estimates])
    score = np.mean([one.mean for one in estimates])
    return np.mean((low <= score) & (score <= high)), np.mean(high - low)


def report():
    """Yield the lines of the table."""
    yield f"{'':<22}" + "".join(f"{test:>16}" for test in TESTS)
    for learner in LEARNERS:
        for n_rows in (100, 300):
            rates = [rejections(learner, t, n_rows, N_DATA_SETS) for t in TESTS]
            row = "".join(f"{rate:>16.3f}" for rate in rates)
            yield f"{learner:<14}{n_rows:>8}{row}"
    shifts = (0.75, 0.5)
    rates = [rejections("means", t, 300, N_DATA_SETS, shifts=shifts) for t in TESTS]
    yield f"{'means, power':<14}{300:>8}{''.join(f'{r:>16.3f}' for r in rates)}"
    yield ""
    yield f"{'one learner':<22}" + "".join(f"{name:>20}" for name in INTERVALS)
    for learner in LEARNERS:
        for n_rows in (100, 300):
            coverages = [coverage(learner, i, n_rows, 1_000) for i in INTERVALS]
            row = "".join(f"{c:>13.3f} ({w:.2f})" for c, w in coverages)
            yield f"{learner:<14}{n_rows:>8}{row}"


if __name__ == "__main__":
    for line in report():
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
