"""Compare the engine with the plain loop of a careful user; print ratios.

    python benchmarks/run.py                  # everything, a few minutes
    python benchmarks/run.py --only auc mse   # cases whose name contains one of these
    python benchmarks/run.py --json out.json  # also write the table as JSON

The loop calls scikit-learn's metric function on resampled arrays. It is timed on as
many resamples as fit in a second, scaled to the full number; the engine is timed in
full, from `fit_predictions` to the result, after one warm-up run. The two alternate,
and the ratio is that of their medians. All cases run on one core, unless stated
otherwise.
"""

import argparse
import functools
import json
import os
import time
import warnings
from typing import NamedTuple

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from sklearn import metrics
from sklearn.base import BaseEstimator, RegressorMixin

from skcompare import ApproxRandomization, PairedBootstrap

ROUNDS = 7
SECONDS_OF_LOOP = 7.0


class Case(NamedTuple):
    """One benchmark: data, metric and the test that the engine runs."""

    name: str
    data: tuple
    metric: object
    scoring: object
    n_resamples: int
    test: type = PairedBootstrap
    options: dict = {}  # noqa: RUF012  never changed
    goal: float | None = None


def labels(n, n_classes, seed=0):
    """Return a truth and two predictions that are right on about 85 % and 83 %."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)

    def predict(share):
        return np.where(rng.random(n) < share, y, rng.integers(0, n_classes, n))

    return y, predict(0.83), predict(0.81)


def label_sets(n=3_000, n_labels=115, seed=0):
    """Return multilabel indicators with about as many labels a row as Reuters news."""
    rng = np.random.default_rng(seed)
    y = rng.random((n, n_labels)) < 1.3 / n_labels

    def predict(share):
        extra = rng.random((n, n_labels)) < 0.2 / n_labels
        return (y & (rng.random((n, n_labels)) < share)) | extra

    return tuple(array.astype(int) for array in (y, predict(0.85), predict(0.83)))


def numbers(n, seed=0):
    """Return a continuous truth and two noisy predictions."""
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    return y, y + rng.normal(size=n), y + 1.02 * rng.normal(size=n)


def scores(n, seed=0):
    """Return a binary truth and two scores of it."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return y, y + 1.5 * rng.normal(size=n), y + 1.6 * rng.normal(size=n)


def probabilities(n, n_classes=5, seed=0):
    """Return a truth and two matrices of probabilities."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)

    def predict(strength):
        logits = strength * np.eye(n_classes)[y] + rng.normal(size=(n, n_classes))
        shares = np.exp(logits)
        return shares / shares.sum(axis=1, keepdims=True)

    return y, predict(1.5), predict(1.45)


def f1_macro(y, p):
    return metrics.f1_score(y, p, average="macro")


def f1_micro(y, p):
    return metrics.f1_score(y, p, average="micro")


def slow_metric(y, p):
    """Return a metric computed in plain Python, as users write them."""
    return sum(
        truth == guess for truth, guess in zip(y.tolist(), p.tolist(), strict=True)
    )


def slow_scorer(estimator, X, y):
    return slow_metric(y, estimator.predict(X))


slow_metric.recognize = slow_scorer.recognize = False  # called on every resample


def plain_scorer(estimator, X, y):
    return metrics.f1_score(y, estimator.predict(X), average="macro")


SLOW = Case(
    "slow Python metric, n=20,000",
    labels(20_000, 5),
    slow_metric,
    slow_scorer,
    400,
    goal=0.95,
)

MONTE_CARLO = {"method": "monte-carlo"}


def cases():
    """Yield all cases."""
    swap = {"test": ApproxRandomization, "options": MONTE_CARLO}
    five, twenty = labels(10_000, 5), labels(100_000, 20)
    yield Case(
        "accuracy, n=1,000",
        labels(1_000, 2),
        metrics.accuracy_score,
        "accuracy",
        10_000,
        goal=1_000,
    )
    yield Case(
        "f1_macro, 5 classes, n=10,000", five, f1_macro, "f1_macro", 10_000, goal=300
    )
    yield Case(
        "f1_macro, 5 classes, n=10,000, randomization",
        five,
        f1_macro,
        "f1_macro",
        10_000,
        goal=300,
        **swap,
    )
    yield Case(
        "f1_macro, 20 classes, n=100,000",
        twenty,
        f1_macro,
        "f1_macro",
        10_000,
        goal=150,
    )
    yield Case(
        "f1_macro, 5 classes, n=1,000,000",
        labels(1_000_000, 5),
        f1_macro,
        "f1_macro",
        10_000,
        goal=5_000,
    )
    yield Case(
        "micro-F1, 3,000 x 115 labels",
        label_sets(),
        f1_micro,
        "f1_micro",
        10_000,
        goal=500,
    )
    yield Case(
        "macro-F1, 3,000 x 115 labels",
        label_sets(),
        f1_macro,
        "f1_macro",
        10_000,
        goal=50,
    )
    yield Case(
        "log loss, 5 classes, n=10,000",
        probabilities(10_000),
        metrics.log_loss,
        "neg_log_loss",
        10_000,
        goal=80,
    )
    yield Case(
        "MSE, n=10,000",
        numbers(10_000),
        metrics.mean_squared_error,
        "neg_mean_squared_error",
        10_000,
        goal=12,
    )
    yield Case("R2, n=10,000", numbers(10_000), metrics.r2_score, "r2", 10_000, goal=12)
    yield Case(
        "MSE, n=10,000, randomization",
        numbers(10_000),
        metrics.mean_squared_error,
        "neg_mean_squared_error",
        10_000,
        goal=40,
        **swap,
    )
    yield Case(
        "ROC AUC, n=10,000",
        scores(10_000),
        metrics.roc_auc_score,
        "roc_auc",
        10_000,
        goal=30,
    )
    yield Case(
        "average precision, n=10,000",
        scores(10_000),
        metrics.average_precision_score,
        "average_precision",
        2_000,
        goal=20,
    )
    yield Case(
        "metric function of one's own, n=5,000",
        labels(5_000, 5),
        f1_macro,
        metrics.make_scorer(f1_macro),
        1_000,
        goal=0.95,
    )
    yield Case(
        "any callable, n=5,000",
        labels(5_000, 5),
        f1_macro,
        plain_scorer,
        1_000,
        goal=0.95,
    )
    yield SLOW


def time_loop(case, seconds, rng):
    """Return the seconds of one resample in the plain loop."""
    y, a, b = case.data
    n, done = len(y), 0
    swaps = case.test is ApproxRandomization
    began = time.perf_counter()
    while done < 3 or time.perf_counter() - began < seconds:
        if swaps:
            swap = rng.integers(2, size=n).astype(bool)
            case.metric(y, np.where(swap, b, a)) - case.metric(y, np.where(swap, a, b))
        else:
            rows = rng.integers(n, size=n)
            case.metric(y[rows], a[rows]) - case.metric(y[rows], b[rows])
        done += 1
    return (time.perf_counter() - began) / done


def time_engine(case):
    """Return the seconds of a whole fit, and the fitted test."""
    test = case.test(
        scoring=case.scoring,
        n_resamples=case.n_resamples,
        random_state=0,
        **case.options,
    )
    return _time(lambda: test.fit_predictions(*case.data)), test


def time_both(case):
    """Return the median seconds of loop and engine over alternating rounds."""
    _, test = time_engine(case)  # warm-up: one-time work such as imports is not timed
    rng, loop, engine = np.random.default_rng(0), [], []
    for _ in range(ROUNDS):
        engine.append(time_engine(case)[0])
        loop.append(time_loop(case, SECONDS_OF_LOOP / ROUNDS, rng))
    return np.median(loop) * case.n_resamples, np.median(engine), test.result_.engine


BLEU_GOALS = {("bs", "tokenizing included"): 1.5, ("bs", "resampling alone"): 10}
BLEU_OPTIONS = {PairedBootstrap: {}, ApproxRandomization: MONTE_CARLO}


def sentences(n=2_000, seed=0):
    """Return references and two sets of translations with words replaced."""
    rng = np.random.default_rng(seed)
    letters = list("abcdefghijklmnopqrstuvwxyz")
    words = ["".join(rng.choice(letters, rng.integers(2, 10))) for _ in range(8_000)]
    shares = 1 / np.arange(1, 8_001)
    shares /= shares.sum()
    references = [
        rng.choice(words, max(3, int(m)), p=shares) for m in rng.gamma(5, 5, n)
    ]

    def translate(share):
        return [
            " ".join(np.where(rng.random(len(r)) < share, r, rng.choice(words, len(r))))
            for r in references
        ]

    return [" ".join(r) for r in references], translate(0.75), translate(0.72)


def run_text():
    """Time corpus BLEU against sacrebleu's own paired test, if it is installed."""
    try:
        from sacrebleu import significance
        from sacrebleu.metrics import BLEU
    except ImportError:
        return []
    from skcompare.comparison import _resampling
    from skcompare.metrics import bleu_scorer

    references, a, b = sentences()
    systems, rows = [("a", a), ("b", b)], []
    tests = {
        "bs": (PairedBootstrap, "_paired_bs_test"),
        "ar": (ApproxRandomization, "_paired_ar_test"),
    }
    for kind, (test, step) in tests.items():
        bleu, scorer = BLEU(), bleu_scorer()
        # Statistics of segments in advance: ours are cached, theirs are patched in.
        counts = {
            id(h): bleu._extract_corpus_statistics(h, [references]) for h in (a, b)
        }
        bleu._extract_corpus_statistics = lambda h, _, counts=counts: counts[id(h)]

        def theirs(bleu=bleu, kind=kind):
            significance.PairedTest(
                systems, {"BLEU": bleu}, [references], kind, n_samples=1_000
            )()

        def ours(scorer=scorer, test=test):
            test(
                scoring=scorer, n_resamples=1_000, random_state=0, **BLEU_OPTIONS[test]
            ).fit_predictions(references, a, b)

        times = [
            {
                "tokenizing included": (
                    _time(functools.partial(theirs, BLEU())),
                    _time(functools.partial(ours, bleu_scorer())),
                ),
                "resampling alone": (
                    _time_within(significance, step, theirs),
                    _time_within(_resampling, "draw", ours),
                ),
            }
            for _ in range(ROUNDS)
        ]
        for part in times[0]:
            medians = np.median([both[part] for both in times], axis=0)
            name = f"BLEU, 2,000 sentences, {kind}, {part}"
            goal = BLEU_GOALS.get((kind, part))
            rows.append(_report(name, "additive/rows", *medians, goal))
    return rows


def _time_within(module, name, call):
    """Return the seconds that a call spends in a function of a module."""
    function, spent = getattr(module, name), []

    def timed(*args, **kwargs):
        began = time.perf_counter()
        result = function(*args, **kwargs)
        spent.append(time.perf_counter() - began)
        return result

    setattr(module, name, timed)
    try:
        call()
    finally:
        setattr(module, name, function)
    return sum(spent)


def _time(call):
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def _report(name, engine, loop, ours, goal):
    """Print a line of the table and return it as a dict."""
    goal_text = "" if goal is None else f"{goal:,}x"
    print(
        f"{name:<48}{engine:<18}{loop:>9.2f}s{ours:>9.3f}s{_digits(loop / ours):>9}x"
        f"{goal_text:>8}",
        flush=True,
    )
    return {
        "work": name,
        "engine": engine,
        "loop_seconds": loop,
        "engine_seconds": ours,
        "ratio": loop / ours,
        "goal": goal,
    }


def _digits(ratio):
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def run_cores():
    """Time a slow metric on two cores against one, with warm and with cold workers."""
    one = SLOW._replace(n_resamples=20_000)
    two = one._replace(options={"n_jobs": 2})
    cold, test = time_engine(two)
    rounds = [(time_engine(one)[0], time_engine(two)[0]) for _ in range(3)]
    single, both = np.median(rounds, axis=0)
    name, engine = "slow Python metric, 2 cores against 1", test.result_.engine
    return [
        _report(name, engine, single, both, 1.7),
        _report(f"{name}, cold", engine, single, cold, None),
    ]


class Replay(RegressorMixin, BaseEstimator):
    """A model whose predictions are a column of the data."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.fitted_ = True
        return self

    def predict(self, X):
        return X[:, self.column]


def run_folds(n_loops=50):
    """Time the mean of ten fold scores: folds are resampled one by one."""
    y, a, b = numbers(20_000)
    X, rng = np.column_stack([a, b]), np.random.default_rng(0)
    test = PairedBootstrap(
        Replay(0), Replay(1), scoring="r2", cv=10, aggregate="fold-mean", random_state=0
    )

    def loop():
        for rows in np.array_split(np.arange(len(y)), 10) * n_loops:
            own = rng.choice(rows, len(rows))
            metrics.r2_score(y[own], a[own]) - metrics.r2_score(y[own], b[own])

    engine = test.fit(X, y).result_.engine
    rounds = [(_time(loop), _time(lambda: test.fit(X, y))) for _ in range(3)]
    looped, ours = np.median(rounds, axis=0)
    seconds = looped / n_loops * test.n_resamples
    return [_report("mean of 10 folds' r2, n=20,000", engine, seconds, ours, None)]


def run(words):
    """Time all cases, printing a line each, and return them as dicts."""
    print(f"{'work':<48}{'engine':<18}{'loop':>10}{'ours':>10}{'ratio':>10}{'goal':>8}")
    rows = []
    for case in cases():
        if words and not any(word.lower() in case.name.lower() for word in words):
            continue
        loop, ours, engine = time_both(case)
        rows.append(_report(case.name, engine, loop, ours, case.goal))
    if not words or "cores" in words:
        rows += run_cores()
    if not words or "folds" in words:
        rows += run_folds()
    if not words or "bleu" in map(str.lower, words):
        rows += run_text()
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = run(options.only)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=2)


if __name__ == "__main__":
    main()
