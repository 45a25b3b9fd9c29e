"""Compare twenty models at once, and estimate the time of a careful user's loop.

    python benchmarks/pairwise.py
    python benchmarks/pairwise.py --models 10 --rows 1000

The engine is timed in full, from `fit_predictions` to the result with adjusted p-values
and intervals of all pairs, after a small warm-up run. The loop scores every model on
every resample with scikit-learn's function; it is timed on as many resamples as fit in
a few seconds, scaled to the full number. It does less: the pairs are not compared. Both
run on one core and are measured in processor time, which other load hardly changes.
"""

import argparse
import os
import time

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from sklearn.metrics import f1_score

from skcompare import PairedBootstrap, PairwiseComparison

N_CLASSES = 5
SECONDS_OF_LOOP = 5.0


def predictions(n_models, n_rows, seed=0):
    """Return a truth and predictions of models that are right on 60 to 80 % of rows."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(N_CLASSES, size=n_rows)
    shares = np.linspace(0.5, 0.75, n_models)
    guesses = rng.integers(N_CLASSES, size=(n_models, n_rows))
    right = rng.random((n_models, n_rows)) < shares[:, np.newaxis]
    predictions = np.where(right, truth, guesses)
    return truth, {f"model {i}": p for i, p in enumerate(predictions)}


def seconds_of_engine(truth, predictions, n_resamples):
    """Return the wall-clock and the processor seconds of the engine."""
    test = PairedBootstrap(alternative="two-sided", n_resamples=n_resamples)
    comparison = PairwiseComparison(
        test=test, scoring="f1_macro", correction="max-t", random_state=0
    )
    wall, cpu = time.perf_counter(), time.process_time()
    comparison.fit_predictions(truth, predictions)
    return time.perf_counter() - wall, time.process_time() - cpu


def seconds_of_loop(truth, predictions, n_resamples):
    """Return the estimated seconds of scoring every model on every resample."""
    rng = np.random.default_rng(0)
    began, done = time.process_time(), 0
    while time.process_time() - began < SECONDS_OF_LOOP and done < n_resamples:
        rows = rng.integers(len(truth), size=len(truth))
        for prediction in predictions.values():
            f1_score(truth[rows], prediction[rows], average="macro")
        done += 1
    return (time.process_time() - began) * n_resamples / done


def main():
    """Time both and print a line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--resamples", type=int, default=10_000)
    args = parser.parse_args()
    data = predictions(args.models, args.rows)
    seconds_of_engine(*predictions(3, 200), 99)
    wall, cpu = seconds_of_engine(*data, args.resamples)
    loop = seconds_of_loop(*data, args.resamples)
    print(
        f"{args.models} models, {args.rows:,} rows of {N_CLASSES} classes, "
        f"{args.resamples:,} resamples, macro F1, max-t: {cpu:.1f} s processor time "
        f"({wall:.1f} s wall-clock time). The loop: {loop:,.0f} s processor time, "
        f"{loop / cpu:.0f} times as much."
    )


if __name__ == "__main__":
    main()
