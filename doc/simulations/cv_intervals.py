"""The figures of the user guide: how often intervals from cross-validation cover.

Two least squares regressions are compared by squared errors. Model A sees p normal
features and B sees p others, of which the target depends in the same way, so that the
two ways of learning are equally good over data sets of any size. The error of any
fitted model on new rows is known without simulating such rows, and so is the expected
error over data sets.

All models without one or two of the folds come from sums over folds, in one call of a
solver. Estimates and errors come from the functions that skcompare uses itself.

Run it with ``python doc/simulations/cv_intervals.py``; it takes about a minute.
"""

import sys

import numpy as np

from skcompare.stats.folds import clt_estimate, nested_estimate, nested_round

LEVEL = 0.9
N_FOLDS = 10
SIZES = ((100, 20), (100, 5), (400, 20), (400, 5))


class LeastSquares:
    """A regression fitted without each pair of folds; j = k leaves out one."""

    def __init__(self, X, y, fold, slope):
        members = np.eye(N_FOLDS)[fold]
        products = np.einsum("nf,np,nq->fpq", members, X, X, optimize=True)
        moments = np.einsum("nf,np,n->fp", members, X, y, optimize=True)
        left_out = np.maximum(np.eye(N_FOLDS)[:, None], np.eye(N_FOLDS))
        kept = 1 - left_out
        coefs = np.linalg.solve(
            np.einsum("jkf,fpq->jkpq", kept, products, optimize=True),
            np.einsum("jkf,fp->jkp", kept, moments, optimize=True)[..., None],
        )[..., 0]
        predictions = np.einsum("np,nkp->nk", X, coefs[fold], optimize=True)
        self.losses = (y[:, None] - predictions) ** 2
        # The features of the other model are noise to this one.
        noise = 1 + len(slope) * slope[0] ** 2
        outer = coefs[np.arange(N_FOLDS), np.arange(N_FOLDS)]
        self.risks = noise + ((outer - slope) ** 2).sum(axis=1)


def draw_data(n, p, rng):
    """Draw the features of both models, and the target."""
    slope = np.full(p, 0.3 / np.sqrt(p))
    X = rng.normal(size=(2, n, p))
    return X, (X @ slope).sum(axis=0) + rng.normal(size=n), slope


def one_split(X, y, slope, rng):
    """Return folds, losses and risks of A, and of A less B, for a random split."""
    fold = rng.permutation(np.arange(len(y)) % N_FOLDS)
    a, b = (LeastSquares(features, y, fold, slope) for features in X)
    pairs = {"one model": (a.losses, a.risks)}
    pairs["difference"] = (a.losses - b.losses, a.risks - b.risks)
    return fold, pairs


def round_of(losses, fold):
    """Turn losses of rows, by the other fold left out, into a nested round."""
    other = np.broadcast_to(np.arange(N_FOLDS), losses.shape)
    outer = other == fold[:, None]
    return nested_round(losses[outer], fold, losses[~outer], other[~outer])


def expected_risks(n, p, slope):
    """Return the expected error of A trained on n rows, and that of A less B."""
    noise = 1 + p * slope[0] ** 2
    return {"one model": noise * (1 + p / (n - p - 1)), "difference": 0.0}


def covers(estimate, value):
    """Return whether the interval holds the value."""
    low, high = estimate.interval(LEVEL)
    return low <= value <= high


def coverage(n, p, *, n_data_sets, n_repeats, rng):
    """Return the shares of data sets whose intervals hold what they should."""
    held = {}
    for _ in range(n_data_sets):
        X, y, slope = draw_data(n, p, rng)
        splits = [one_split(X, y, slope, rng) for _ in range(n_repeats)]
        for estimand, expected in expected_risks(n, p, slope).items():
            fold, first = splits[0][0], splits[0][1][estimand]
            own = first[0][np.arange(n), fold]
            clt = clt_estimate(own, variance="all-pairs")
            rounds = [round_of(pairs[estimand][0], fold) for fold, pairs in splits]
            nested, inflation = nested_estimate(rounds, N_FOLDS)
            outcomes = {
                "CLT, these models": covers(clt, first[1].mean()),
                "CLT, expected": covers(clt, expected),
                "nested, expected": covers(nested, expected),
                "width": inflation,
            }
            for name, value in outcomes.items():
                held.setdefault((estimand, name), []).append(value)
    return {name: float(np.mean(values)) for name, values in held.items()}


def report(sizes=SIZES, n_data_sets=250, n_repeats=20):
    """Yield the lines of the table."""
    yield f"Coverage of nominal {LEVEL:.0%} intervals, {N_FOLDS} folds"
    for n, p in sizes:
        rng = np.random.default_rng([n, p])
        shares_held = coverage(
            n, p, n_data_sets=n_data_sets, n_repeats=n_repeats, rng=rng
        )
        for estimand in ("one model", "difference"):
            shares = "  ".join(
                f"{name} {share:.3f}"
                for (w, name), share in shares_held.items()
                if w == estimand
            )
            yield f"  n = {n:>5}  p = {p:>2}  {estimand:<10}  {shares}"


if __name__ == "__main__":
    for line in report():
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
