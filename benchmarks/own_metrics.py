"""Compare the engine on custom metrics with the user's own loop; print ratios.

    python benchmarks/own_metrics.py             # metrics, then workers
    python benchmarks/own_metrics.py --metrics   # metrics alone: four minutes
    python benchmarks/own_metrics.py --workers   # workers alone, on a quiet machine

The loop calls the function on resampled arrays. It is timed on as many resamples as fit
in a second, scaled to 10,000; the engine is timed in full, from `fit_predictions` to
the result, after a short warm-up run. The two alternate, and the ratio is that of their
medians, in processor seconds of one core.

For a metric that is not recognized, the cost of trying is printed, as a share of the
time of the loop.

Workers are timed in wall-clock seconds, each run in a process of its own, which starts
without a pool: `n_jobs=1` and `n_jobs=2` alternate, and the processor seconds of all
processes are recorded, too. Other load on the machine can only add time, so the fastest
round counts. If a worker was started, the cost of starting it is subtracted; the rest
beyond the time of one job is overhead. The start is measured separately: a process
sleeps for some seconds, with and without a worker that starts beside it, imports the
modules that the work needs and gets no task.
Two cores share caches and memory, so that each is slower while the other works: for
reference, two processes are started at once, each with half of the work and one job.
The amounts of work are calibrated in advance to take half a second to half a minute on
one core.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import time

import run  # sets the number of threads

# isort: split

import numpy as np
from sklearn.metrics import cohen_kappa_score, f1_score, make_scorer

from skcompare import ApproxRandomization, BayesianComparison, PairedBootstrap
from skcompare._engine._workers import _POOLS, results_of
from skcompare._engine.recognition import recognize

N_RESAMPLES = 10_000
ROUNDS = 5

# Number of rounds for work that takes this many seconds on one core.
LENGTHS = {0.5: 5, 1.5: 5, 3.0: 5, 10.0: 3, 30.0: 3}
COST = np.array([[0.0, 1.0], [5.0, 0.0]])


def cost_matrix(y, p):
    """Return the mean cost of a decision."""
    return COST[y, p].mean()


def python_loop(y, p):
    """Return a mean loss, row by row."""
    total = 0.0
    for i in range(len(y)):
        if y[i] != p[i]:
            total += 5.0 if y[i] == 1 else 1.0
    return total / len(y)


def opaque_f1(y, p):
    """Return F1, without exposing scikit-learn's function."""
    return f1_score(y, p)


def rmse(y, p):
    """Return the root of the mean squared error."""
    return np.sqrt(np.mean((y - p) ** 2))


def rmsle(y, p):
    """Return the root of the mean squared error of logarithms."""
    return np.sqrt(np.mean((np.log1p(y) - np.log1p(p)) ** 2))


def wape(y, p):
    """Return the absolute error relative to the truth."""
    return np.abs(y - p).sum() / np.abs(y).sum()


def smape(y, p):
    """Return the symmetric relative error."""
    return np.mean(2 * np.abs(y - p) / (np.abs(y) + np.abs(p)))


def pinball(y, p):
    """Return the pinball loss of a quantile of 0.9."""
    return np.mean(np.where(y > p, 0.9 * (y - p), 0.1 * (p - y)))


def median_error(y, p):
    """Return the median absolute error, which is not additive."""
    return np.median(np.abs(y - p))


def kappa(y, p):
    """Return Cohen's kappa, a metric of labels that is not additive."""
    return cohen_kappa_score(y, p)


def positive_numbers(n, seed=0):
    """Return a positive truth and two predictions."""
    rng = np.random.default_rng(seed)
    y = rng.gamma(2.0, size=n) + 0.1
    return y, *np.abs(y + rng.normal(size=(2, n)) * [[0.5], [0.51]])


def resampled(test, data, rng):
    """Return a resample as a user would draw it."""
    y, a, b = data
    n = len(y)
    if test is PairedBootstrap:
        rows = rng.integers(n, size=n)
        return y[rows], a[rows], b[rows]
    swapped = rng.random(n) < 0.5
    return y, np.where(swapped, b, a), np.where(swapped, a, b)


def seconds_of_loop(test, metric, data, rng):
    """Return the processor seconds of 10,000 resamples of the loop."""
    began, n = time.process_time(), 0
    while time.process_time() - began < 1.0:
        y, a, b = resampled(test, data, rng)
        metric(y, a) - metric(y, b)
        n += 1
    return (time.process_time() - began) / n * N_RESAMPLES


def seconds_of_engine(test, metric, data):
    """Return the processor seconds of a comparison, and the engine that it used."""
    scorer = make_scorer(metric, greater_is_better=False)
    comparison = test(scoring=scorer, n_resamples=N_RESAMPLES, random_state=0)
    began = time.process_time()
    comparison.fit_predictions(*data)
    return time.process_time() - began, comparison.result_.engine


def run_metrics():
    """Print the speedup of recognized metrics over the loop."""
    of_labels, of_numbers = run.labels(10_000, 2), positive_numbers(5_000)
    goals = {cost_matrix: 100, python_loop: 1_000, opaque_f1: 300}
    cases = [(metric, of_labels, goal) for metric, goal in goals.items()]
    cases += [(m, of_numbers, 4) for m in (rmse, rmsle, wape, smape, pinball)]
    rng = np.random.default_rng(0)
    for metric, data, goal in cases:
        for test in (PairedBootstrap, ApproxRandomization):
            seconds_of_engine(test, metric, data)
            loops, engines = [], []
            for _ in range(ROUNDS):
                loops.append(seconds_of_loop(test, metric, data, rng))
                seconds, engine = seconds_of_engine(test, metric, data)
                engines.append(seconds)
            loop, ours = statistics.median(loops), statistics.median(engines)
            print(
                f"{metric.__name__:12} {test.__name__:20} n = {len(data[0]):6,} "
                f"{engine:40} loop {loop:7.2f} s, {1000 * ours:7.1f} ms: "
                f"{loop / ours:8,.1f} times (at least {goal:,})",
                flush=True,
            )


def run_refused():
    """Print the cost of trying to recognize metrics in vain, relative to the loop."""
    of_labels, of_numbers = run.labels(10_000, 2), positive_numbers(5_000)
    rng = np.random.default_rng(0)
    for metric, data in ((kappa, of_labels), (median_error, of_numbers)):
        y, *predictions = data
        n, pool = len(y), np.concatenate(predictions)
        twice = np.tile(y, 2)
        codes = np.arange(2 * n)
        if metric is kappa:
            codes = 2 * twice + pool

        def score(places, metric=metric, twice=twice, pool=pool):
            return metric(twice[places], pool[places])

        loop = seconds_of_loop(PairedBootstrap, metric, data, rng)
        observed = [metric(y, p) for p in predictions]
        began = time.process_time()
        result = recognize(score, codes, observed, n_resamples=N_RESAMPLES)
        tried = time.process_time() - began
        assert result.sums is None
        print(
            f"{metric.__name__:12} not recognized after {result.n_calls} calls, "
            f"{1000 * tried:.1f} ms: {1 + tried / loop:.4f} of the loop "
            "(at most 1.02)",
            flush=True,
        )


def slow(y, p):
    """Return a trimmed share of right rows, which is not additive, in plain Python."""
    right = sorted(a == b for a, b in zip(y.tolist(), p.tolist(), strict=True))
    return sum(right[len(right) // 20 :]) / len(right)


def weighted_slow(y, p, sample_weight=None):
    """Return the same with weights."""
    weights = [1.0] * len(y) if sample_weight is None else sample_weight.tolist()
    rows = zip(y.tolist(), p.tolist(), weights, strict=True)
    right = sorted((a == b) * w for a, b, w in rows)
    return sum(right[len(right) // 20 :]) / sum(weights)


def work(kind, size, n_jobs=1):
    """Return a function that does some work: `size` resamples, draws or trees."""
    params = {"n_jobs": n_jobs, "random_state": 0}
    if kind == "fits":
        from sklearn.datasets import make_classification
        from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

        X, y = make_classification(2_000, random_state=0)
        a = RandomForestClassifier(size, random_state=0)
        b = ExtraTreesClassifier(size, random_state=0)
        test = PairedBootstrap(a, b, cv=10, scoring="accuracy", **params)
        return lambda: test.fit(X, y)
    data = run.labels(5_000, 2)
    if kind == "bayes":
        scorer = make_scorer(weighted_slow)
        test = BayesianComparison(scoring=scorer, n_draws=size, **params)
    else:
        test = PairedBootstrap(scoring=make_scorer(slow), n_resamples=size, **params)
    return lambda: test.fit_predictions(*data)


def seconds_of(function):
    """Return the wall-clock seconds of a call."""
    began = time.perf_counter()
    function()
    return time.perf_counter() - began


def size_of(kind, seconds):
    """Return the number of resamples, draws or trees that take about `seconds`."""
    few, more = {"fits": (5, 40), "bayes": (50, 200), "bootstrap": (50, 200)}[kind]
    work(kind, few)()
    at_few, at_more = (
        min(seconds_of(work(kind, n)) for _ in range(2)) for n in (few, more)
    )
    each = (at_more - at_few) / (more - few)
    return max(1, round(few + (seconds - at_few) / each))


def pause(seconds, needs):
    """Sleep; `needs` is an object whose class has to be imported."""
    time.sleep(seconds)


def beside_idle_worker(kind, n_jobs):
    """Sleep beside a worker that imports the modules for some work but gets no task."""
    needs = None
    if kind == "fits":
        from sklearn.ensemble import RandomForestClassifier

        needs = RandomForestClassifier()
    tasks = [(6.0, needs), (0.0, needs)]
    list(results_of(pause, tasks, n_jobs=n_jobs, prefer="processes"))


def cost_of_start(kind):
    """Return the processor seconds that a worker needs to start for some work."""
    alone, beside = (seconds_of_processes(["start", n, kind])[0] for n in ("1", "2"))
    return beside - alone


def seconds_of_processes(*cases):
    """Return the processor seconds of concurrent processes, and their output."""
    before = _of_children()
    processes = [
        subprocess.Popen(
            [sys.executable, __file__, "--one", *case],
            stdout=subprocess.PIPE,
            text=True,
        )
        for case in cases
    ]
    printed = [process.communicate()[0] for process in processes]
    assert not any(process.returncode for process in processes)
    return _of_children() - before, printed


def run_workers():
    """Print the times of work on one core and on two; takes half an hour."""
    cases = [("bootstrap", s, rounds) for s, rounds in LENGTHS.items()]
    longer = (3.0, 10.0, 30.0)
    cases += [(kind, s, LENGTHS[s]) for kind in ("fits", "bayes") for s in longer]
    starts = {}
    for kind in ("bootstrap", "fits", "bayes"):
        starts[kind] = min(cost_of_start(kind) for _ in range(3))
        print(f"a worker for {kind} starts in {starts[kind]:.2f} processor seconds")
    for kind, seconds, rounds in cases:
        size = size_of(kind, seconds)
        walls, cpus = {1: [], 2: []}, {1: [], 2: []}
        for _ in range(rounds):
            for n_jobs in (1, 2):
                cpu, (output,) = seconds_of_processes([kind, str(n_jobs), str(size)])
                wall, has_workers = output.split()
                walls[n_jobs].append(float(wall))
                cpus[n_jobs].append(cpu - starts[kind] * (has_workers == "True"))
        half = [kind, "1", str(max(1, size // 2))]
        once = min(seconds_of_processes(half)[0] for _ in range(2))
        at_once = min(seconds_of_processes(half, half)[0] for _ in range(2))
        alone, together = min(walls[1]), min(walls[2])
        of_one, of_two = min(cpus[1]), min(cpus[2])
        goal = {10.0: 1.4, 30.0: 1.7}.get(seconds, 0.95)
        print(
            f"{kind:10} {size:7,}: {alone:6.2f} s on one core, {together:6.2f} s on "
            f"two: {alone / together:.2f} times (at least {goal}); "
            f"processor {of_one:.2f} s and, without the start, {of_two:.2f} s, "
            f"{(of_two - of_one) / alone:+.1%} (at most 10%; two processes at once "
            f"{at_once / (2 * once) - 1:+.1%})",
            flush=True,
        )


def _of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    """Run the selected benchmarks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--metrics", action="store_true")
    parser.add_argument("--workers", action="store_true")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        kind, n_jobs, size = args.one
        if kind == "start":
            beside_idle_worker(size, int(n_jobs))
        else:
            print(seconds_of(work(kind, int(size), int(n_jobs))), bool(_POOLS))
        return
    if args.metrics or not args.workers:
        run_metrics()
        run_refused()
    if args.workers or not args.metrics:
        run_workers()


if __name__ == "__main__":
    main()
