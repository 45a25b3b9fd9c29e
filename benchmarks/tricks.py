"""Run comparisons with and without each trick of the engine; print what it gains.

    python benchmarks/tricks.py               # all, a few minutes
    python benchmarks/tricks.py --only gamma  # those whose name has the word

A trick is code that does in a clever way what a plain line would do as well. It stays
if some comparison takes at least 1.5 times as long without it, from `fit_predictions`
to the result. Both ways run in processes of their own, in turn; times are medians of
processor seconds of one core, or of seconds where the work is done by other processes.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np

ROUNDS = 5
WORTH_IT = 1.5


def scores(n, seed=0):
    """Return a binary truth and two scores of it."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return y, y + rng.normal(size=n), y + 1.1 * rng.normal(size=n)


def numbers(n, seed=0):
    """Return a continuous truth and two noisy predictions."""
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    return y, y + rng.normal(size=n), y + 1.02 * rng.normal(size=n)


def labels(n, n_classes, seed=0):
    """Return a truth and two predictions of classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    shares = (0.83, 0.81)
    return y, *(
        np.where(rng.random(n) < s, y, rng.integers(n_classes, size=n)) for s in shares
    )


def compare(test, data, **params):
    """Return the processor seconds of one comparison, after a short one to warm up."""
    import skcompare

    make = getattr(skcompare, test)
    number = {"n_draws", "n_resamples"} & set(params)
    make(**params | dict.fromkeys(number, 50), random_state=0).fit_predictions(*data)
    began = time.process_time()
    make(**params, random_state=0).fit_predictions(*data)
    return time.process_time() - began


def without_memory():
    """Have temporary arrays of rankings take the memory that malloc gives."""
    from skcompare._engine.ranking import _statistic

    _statistic.keep_freed_memory = lambda: None


def without_pairs():
    """Draw units one at a time."""
    from skcompare._engine import _count_schemes

    _count_schemes.draw_in_pairs = _count_schemes.draw_singly


def without_gamma():
    """Draw gamma variables as NumPy does."""
    from skcompare._engine._gamma import GammaDraws

    def block(self, size, rng):
        return rng.standard_gamma(self.counts, size=(size, len(self.counts)))

    GammaDraws._block = block


def without_packing():
    """Draw swaps of single rows as counts."""
    from skcompare._engine import Cells

    Cells.add_up = False


def without_sparse():
    """Multiply by dense contributions whatever they hold."""
    from skcompare._engine.additive import _statistic

    _statistic.SPARSE_DENSITY = 0.0


def without_light():
    """Draw the counts of all cells from one multinomial distribution."""
    from skcompare._engine import _count_schemes

    _count_schemes.HEAVY_CELL = 0


def boot(data, **params):
    """Return the seconds of a bootstrap."""
    return compare("PairedBootstrap", data, n_resamples=9_999, **params)


def swap(data, **params):
    """Return the seconds of a randomization test."""
    return compare(
        "ApproxRandomization", data, n_resamples=9_999, method="monte-carlo", **params
    )


def bayes(data, **params):
    """Return the seconds of a Bayesian bootstrap."""
    return compare("BayesianComparison", data, n_draws=9_999, **params)


CASES = {
    "memory: roc_auc of 1,000 rows": (
        without_memory,
        lambda: boot(scores(1_000), scoring="roc_auc"),
    ),
    "memory: roc_auc of 10,000 rows": (
        without_memory,
        lambda: boot(scores(10_000), scoring="roc_auc"),
    ),
    "pairs: mse of 5,000 rows": (
        without_pairs,
        lambda: boot(numbers(5_000), scoring="neg_mean_squared_error"),
    ),
    "pairs: roc_auc of 5,000 rows": (
        without_pairs,
        lambda: boot(scores(5_000), scoring="roc_auc"),
    ),
    "gamma: f1_macro of 10 classes": (
        without_gamma,
        lambda: bayes(labels(5_000, 10), scoring="f1_macro"),
    ),
    "gamma: mse of 2,000 rows": (
        without_gamma,
        lambda: bayes(numbers(2_000), scoring="neg_mean_squared_error"),
    ),
    "packing: mse of 5,000 rows": (
        without_packing,
        lambda: swap(numbers(5_000), scoring="neg_mean_squared_error"),
    ),
    "light: f1_macro of 30 classes": (
        without_light,
        lambda: boot(labels(5_000, 30), scoring="f1_macro"),
    ),
    "sparse: f1_macro of 30 classes": (
        without_sparse,
        lambda: boot(labels(5_000, 30), scoring="f1_macro"),
    ),
}


def main():
    """Print a line for each trick."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[""])
    parser.add_argument("--one", nargs=2)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    if options.one:
        name, how = options.one
        remove, run = CASES[name]
        if how == "without":
            remove()
        print(run())
        return
    for name in CASES:
        if not any(word in name for word in options.only):
            continue
        times = {"with": [], "without": []}
        for _ in range(options.rounds):
            for how, own in times.items():
                call = [sys.executable, __file__, "--one", name, how]
                own.append(
                    float(
                        subprocess.run(
                            call, capture_output=True, text=True, check=True
                        ).stdout
                    )
                )
        fast, plain = (statistics.median(own) for own in times.values())
        verdict = "worth it" if plain >= WORTH_IT * fast else "not worth it"
        print(
            f"{name:32} {fast:7.2f} s, without {plain:7.2f} s: {plain / fast:5.2f}  {verdict}",
            flush=True,
        )


if __name__ == "__main__":
    main()
