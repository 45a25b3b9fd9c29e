"""The figures of the user guide: error rates of tests on scores of cross-validation.

Labels of 100 rows are +1 and -1, half of them each. Model A sees three features that
have the mean +d or -d, the sign being the label's, and B sees three others of the same
kind. If d is the same for both, then by symmetry the two ways of learning are equally
good over training sets of any size: the true difference is 0. Two learners are tried,
of which the second depends much more on which rows it is trained on. *means* projects
a row on the difference of the class means and takes the sign; *neighbor* takes the
label of the nearest training row.

P-values and intervals come from the functions that skcompare uses itself.

Run it with ``python doc/simulations/cross_validation.py``; it takes about a minute.
"""

import sys

import numpy as np
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit

from skcompare.stats.folds import corrected_estimate, five_by_two_f, five_by_two_t

ALPHA = 0.05
N_ROWS, N_FEATURES = 100, 3

SPLITTERS = {
    "10 folds": KFold(10),
    "10 x 10 folds": RepeatedKFold(n_splits=10, n_repeats=10, random_state=0),
    "30 random thirds": ShuffleSplit(n_splits=30, test_size=1 / 3, random_state=0),
    "5 x 2 folds": RepeatedKFold(n_splits=2, n_repeats=5, random_state=0),
}


def split_masks(splitter):
    """Return which rows each split trains and tests on, of shape (n_splits, N_ROWS)."""
    splits = list(splitter.split(np.zeros(N_ROWS)))
    train, test = np.zeros((2, len(splits), N_ROWS))
    for number, (train_rows, test_rows) in enumerate(splits):
        train[number, train_rows] = test[number, test_rows] = 1
    return train, test


def means_scores(X, y, train, test):
    """Score the classifier by class means on each split of each data set."""
    signed = X * y[:, None]
    directions = np.einsum("kn,snp->skp", train, signed, optimize=True)
    right = np.einsum("skp,snp->skn", directions, signed, optimize=True) > 0
    return np.einsum("skn,kn->sk", right, test, optimize=True) / test.sum(axis=1)


def neighbor_scores(X, y, train, test):
    """Score the classifier by the nearest neighbor on each split of each data set."""
    squares = (X**2).sum(axis=2)
    distances = squares[:, None, :] - 2 * X @ X.transpose(0, 2, 1)
    scores = np.empty((len(X), len(train)))
    for number, (train_mask, test_mask) in enumerate(zip(train, test, strict=True)):
        train_rows, test_rows = np.flatnonzero(train_mask), np.flatnonzero(test_mask)
        nearest = distances[:, test_rows][:, :, train_rows].argmin(axis=2)
        scores[:, number] = np.mean(y[train_rows[nearest]] == y[test_rows], axis=1)
    return scores


LEARNERS = {"means": means_scores, "neighbor": neighbor_scores}


def differences(learner, splits, shifts, *, n_data_sets, rng, chunk=100):
    """Return differences of fold scores, of shape (n_data_sets, n_splits)."""
    y = np.where(np.arange(N_ROWS) % 2, 1.0, -1.0)
    chunks = []
    for _ in range(n_data_sets // chunk):
        scores = [
            LEARNERS[learner](
                rng.normal(size=(chunk, N_ROWS, N_FEATURES)) + shift * y[:, None],
                y,
                *splits,
            )
            for shift in shifts
        ]
        chunks.append(scores[0] - scores[1])
    return np.concatenate(chunks)


def tests_for(name, ratio):
    """Return the tests that suit the splits: differences to p-value, and interval."""
    if name == "5 x 2 folds":
        return {
            "t": lambda d: (five_by_two_t(d.reshape(5, 2)).pvalue("two-sided"), None),
            "F": lambda d: (five_by_two_f(d.reshape(5, 2)).pvalue, None),
        }

    def student(ratio):
        def examine(differences):
            estimate = corrected_estimate(differences, ratio)
            return estimate.pvalue("two-sided"), estimate.interval(1 - ALPHA)

        return examine

    return {"naive t": student(0.0), "corrected t": student(ratio)}


def rates(learner, name, shifts, *, n_data_sets, rng):
    """Return how often each test rejects, and its interval holds the difference.

    The mean difference over all data sets stands for the true one: cross-validation
    estimates it without bias.
    """
    train, test = splits = split_masks(SPLITTERS[name])
    drawn = differences(learner, splits, shifts, n_data_sets=n_data_sets, rng=rng)
    truth = 0.0 if shifts[0] == shifts[1] else drawn.mean()
    ratio = float(np.mean(test.sum(axis=1) / train.sum(axis=1)))
    rates_by_test = {}
    for kind, examine in tests_for(name, ratio).items():
        pvalues, intervals = zip(*map(examine, drawn), strict=True)
        covered = None
        if intervals[0] is not None:
            covered = np.mean([low <= truth <= high for low, high in intervals])
        rates_by_test[kind] = float(np.mean(np.array(pvalues) <= ALPHA)), covered
    return rates_by_test


def lines(shifts, *, n_data_sets, rng):
    """Yield a line for each learner, splitter and test."""
    for learner in LEARNERS:
        for name in SPLITTERS:
            by_test = rates(learner, name, shifts, n_data_sets=n_data_sets, rng=rng)
            for kind, (rejected, covered) in by_test.items():
                cover = "" if covered is None else f"  covers {covered:.3f}"
                yield f"  {learner:<10} {name:<17} {kind:<12} {rejected:.3f}{cover}"


def report():
    """Yield the lines of both tables."""
    rng = np.random.default_rng(0)
    yield "Rejections at .05, two-sided, no true difference; coverage of 95 % intervals"
    yield from lines((0.5, 0.5), n_data_sets=10_000, rng=rng)
    yield "The same where A is better"
    yield from lines((0.6, 0.4), n_data_sets=2_000, rng=rng)


if __name__ == "__main__":
    for line in report():
        sys.stdout.write(f"{line}\n")
