"""Run comparisons with and without each optimization of the engine; print speedups.

    python benchmarks/tricks.py                 # all, a few minutes
    python benchmarks/tricks.py --only packing  # those whose name contains the word

An optimization here is complex code that could be replaced by a plain line. It is kept
if some comparison takes at least 1.5 times as long without it, from `fit_predictions`
to the result. Both versions run in processes of their own, alternating; times are
medians, in processor seconds of one core.

Removed, because no such speedup was measured (medians of three, on a machine with other
load): units drawn two at a time (0.87 and 1.35 for the squared error of 5,000 rows,
1.23 for ROC AUC) and a hint to malloc to keep freed memory (1.09 and 0.93 for ROC AUC
of 1,000 and 10,000 rows). Shared data of tasks were sent to dask workers in advance;
three runs, in wall-clock seconds, were too noisy to show a speedup (12 and 22 with it,
15 without). Gamma variables of the Bayesian bootstrap were products of uniform
variables and cubes of normal variables, on whole arrays: 1.3 for macro F1 of 100,000
rows; the plain exponential variables that weight single rows are as fast. With 115
labels, sparse contributions are only 1.4 times as fast; with more labels they gain
more. Few columns of contributions are multiplied one by one, which gains only 1.15 for
the root mean squared error of 5,000 rows, but that is what its goal needs.
Multinomial counts by rejection gain 1.4 for a matrix of costs of 10,000 rows, which
needs that for its goal, too.
"""

import argparse
import statistics
import subprocess
import sys
import time

import run  # sets the number of threads

import skcompare

ROUNDS = 5
WORTH_IT = 1.5


def compare(test, data, **params):
    """Return the processor seconds of one comparison, after a short warm-up."""
    make = getattr(skcompare, test)
    number = {"n_draws", "n_resamples"} & set(params)
    make(**params | dict.fromkeys(number, 50), random_state=0).fit_predictions(*data)
    began = time.process_time()
    make(**params, random_state=0).fit_predictions(*data)
    return time.process_time() - began


def without_packing():
    """Draw swaps of single rows as counts."""
    from skcompare._engine import Cells

    Cells.add_up = False


def without_sparse():
    """Always multiply by dense contributions."""
    from skcompare._engine.additive import _table

    _table.SPARSE_DENSITY = 0.0


def without_light():
    """Draw the counts of all cells from one multinomial distribution."""
    from skcompare._engine import _cell_schemes

    _cell_schemes.HEAVY_CELL = 0


def without_rejection():
    """Draw multinomial counts by NumPy."""
    from skcompare._engine import _cell_schemes

    _cell_schemes.MIN_DRAWS = float("inf")


def without_poisson():
    """Draw the indices of single units and count them."""
    import numpy as np

    from skcompare._engine._cell_schemes import CellBootstrap

    def counts_of_units(scheme, n_draws, rng):
        n = scheme._n_units
        drawn = (rng.integers(n, size=int(size)) for size in n_draws)
        return np.array([np.bincount(units, minlength=n) for units in drawn], float)

    CellBootstrap._light_counts = counts_of_units


def without_integers():
    """Add up weights along rankings in doubles."""
    from skcompare._engine import _ranking

    _ranking.LARGEST_TOTAL = 0


def boot(data, **params):
    """Return the seconds of a bootstrap."""
    return compare("PairedBootstrap", data, n_resamples=9_999, **params)


def swap(data, **params):
    """Return the seconds of a randomization test."""
    return compare(
        "ApproxRandomization", data, n_resamples=9_999, method="monte-carlo", **params
    )


def rounded(data):
    """Return numbers with two digits, so that many rows are alike."""
    return [column.round(1) for column in data]


CASES = {
    "packing: mse of 5,000 rows": (
        without_packing,
        lambda: swap(run.numbers(5_000), scoring="neg_mean_squared_error"),
    ),
    "poisson: mse of 5,000 rows": (
        without_poisson,
        lambda: boot(run.numbers(5_000), scoring="neg_mean_squared_error"),
    ),
    "poisson: ROC AUC of 5,000 rows": (
        without_poisson,
        lambda: boot(run.scores(5_000), scoring="roc_auc"),
    ),
    "integers: ROC AUC of 10,000 rows": (
        without_integers,
        lambda: boot(run.scores(10_000), scoring="roc_auc"),
    ),
    "integers: average precision of 10,000 rows": (
        without_integers,
        lambda: boot(run.scores(10_000), scoring="average_precision"),
    ),
    "light: absolute error of rounded numbers": (
        without_light,
        lambda: boot(rounded(run.numbers(5_000)), scoring="neg_mean_absolute_error"),
    ),
    "rejection: accuracy of 1,000 rows": (
        without_rejection,
        lambda: boot(run.labels(1_000, 2), scoring="accuracy"),
    ),
    "rejection: macro F1 of 5 classes": (
        without_rejection,
        lambda: boot(run.labels(10_000, 5), scoring="f1_macro"),
    ),
    "rejection: macro F1 of 20 classes": (
        without_rejection,
        lambda: boot(run.labels(100_000, 20), scoring="f1_macro"),
    ),
    "sparse: macro F1 of 400 labels": (
        without_sparse,
        lambda: boot(run.label_sets(n_labels=400), scoring="f1_macro"),
    ),
}


def main():
    """Print a line for each optimization."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[""])
    parser.add_argument("--one", nargs=2)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    if options.one:
        name, variant = options.one
        remove, run = CASES[name]
        if variant == "without":
            remove()
        print(run())
        return
    for name in CASES:
        if not any(word in name for word in options.only):
            continue
        times = {"with": [], "without": []}
        for _ in range(options.rounds):
            for variant, own in times.items():
                call = [sys.executable, __file__, "--one", name, variant]
                own.append(
                    float(
                        subprocess.run(
                            call, capture_output=True, text=True, check=True
                        ).stdout
                    )
                )
        fast, plain = (statistics.median(own) for own in times.values())
        verdict = "worth it" if plain >= WORTH_IT * fast else "not worth it"
        gain = f"{fast:6.2f} s, without {plain:6.2f} s: {plain / fast:5.2f}"
        print(f"{name:32} {gain}  {verdict}", flush=True)


if __name__ == "__main__":
    main()
