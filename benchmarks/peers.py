"""Do the same work with skcompare and with other tools; print times and ratios.

    pip install mlxtend baycomp autorank sacrebleu statsmodels
    python benchmarks/peers.py

Each pair of calls does the same work on the same data, and prints both results, to show
that the work is the same. The two alternate; the ratio is that of their medians, in
processor seconds of one core. A tool that is not installed is skipped.
"""

import importlib.util
import os
import statistics
import time
import warnings
from typing import NamedTuple

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np
from scipy import stats
from sklearn import metrics

import skcompare as skc
from skcompare.metrics import bleu_scorer

ROUNDS = 5
RNG = np.random.default_rng(0)


class Case(NamedTuple):
    """The same work, done with skcompare and with another tool."""

    tool: str
    work: str
    ours: object
    theirs: object


def labels(n):
    """Return a truth and two predictions of two classes."""
    y = RNG.integers(2, size=n)
    return y, *(np.where(RNG.random(n) < share, y, 1 - y) for share in (0.84, 0.82))


def sentences(n):
    """Return references and two translations with errors."""
    words = np.array([f"word{i}" for i in range(500)])
    truth = [list(RNG.choice(words, RNG.integers(8, 25))) for _ in range(n)]

    def translate(share):
        return [
            " ".join(w if RNG.random() < share else RNG.choice(words) for w in row)
            for row in truth
        ]

    return [" ".join(row) for row in truth], translate(0.82), translate(0.80)


def with_scipy():
    """A paired bootstrap and a permutation test of F1."""
    y, a, b = labels(1_000)
    rows = np.arange(len(y))

    def delta(rows):
        return metrics.f1_score(y[rows], a[rows]) - metrics.f1_score(y[rows], b[rows])

    def swapped(first, second):
        return metrics.f1_score(y, first) - metrics.f1_score(y, second)

    def ours(test):
        test = test.set_params(scoring="f1", n_resamples=999, random_state=0)
        return test.fit_predictions(y, a, b)

    yield Case(
        "scipy",
        "interval of F1, 999 resamples of 1,000 rows",
        lambda: ours(skc.PairedBootstrap(interval="percentile")).confidence_interval_,
        lambda: tuple(
            stats.bootstrap(
                (rows,),
                delta,
                n_resamples=999,
                vectorized=False,
                method="percentile",
                rng=0,
            ).confidence_interval
        ),
    )
    yield Case(
        "scipy",
        "permutation test of F1, 999 swaps of 1,000 rows",
        lambda: ours(skc.ApproxRandomization()).pvalue_,
        lambda: (
            stats.permutation_test(
                (a, b),
                swapped,
                permutation_type="samples",
                n_resamples=999,
                alternative="greater",
                vectorized=False,
                rng=0,
            ).pvalue
        ),
    )


def with_mlxtend():
    """Cochran's Q of several models."""
    from mlxtend.evaluate import cochrans_q

    y = labels(500)[0]
    models = [np.where(RNG.random(500) < 0.8, y, 1 - y) for _ in range(12)]
    yield Case(
        "mlxtend",
        "Cochran's Q, 12 models, 500 rows",
        lambda: (
            skc.CochranQ()
            .fit_predictions(y, {f"model {i}": m for i, m in enumerate(models)})
            .pvalue_
        ),
        lambda: cochrans_q(y, *models)[1],
    )


def with_baycomp():
    """The Bayesian signed-rank test over data sets."""
    import baycomp

    a = RNG.normal(0.81, 0.05, 40)
    b = a - RNG.normal(0.01, 0.02, 40)

    def ours():
        test = skc.BayesianSignedRank(rope=0.01, n_draws=50_000, random_state=0)
        result = test.fit_scores(a, b).result_
        return result.p_better, result.p_equivalent, result.p_worse

    def theirs():
        worse, equivalent, better = baycomp.SignedRankTest.probs(
            b, a, rope=0.01, nsamples=50_000
        )
        return better, equivalent, worse

    yield Case(
        "baycomp",
        "Bayesian signed ranks, 40 data sets, 50,000 draws",
        ours,
        theirs,
    )


def with_autorank():
    """Ranks of several models over data sets."""
    import pandas as pd
    from autorank import autorank

    scores = pd.DataFrame(
        RNG.normal(0.8, 0.1, (30, 6)) ** 3 + np.arange(6) / 50, columns=list("abcdef")
    )
    yield Case(
        "autorank",
        "Friedman and Nemenyi, 6 models, 30 data sets",
        lambda: skc.RankComparison(variant="chi2").fit_scores(scores).omnibus_.pvalue,
        lambda: autorank(scores, force_mode="nonparametric", verbose=False).pvalue,
    )


def with_sacrebleu():
    """Approximate randomization of BLEU."""
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    truth, a, b = sentences(500)

    def theirs():
        test = PairedTest(
            [("b", b), ("a", a)],
            {"BLEU": BLEU()},
            [truth],
            test_type="ar",
            n_samples=10_000,
        )
        return test()[1]["BLEU"][1].p_value

    yield Case(
        "sacreBLEU",
        "permutation test of BLEU, 10,000 swaps of 500 segments",
        lambda: (
            skc.ApproxRandomization(
                scoring=bleu_scorer(),
                n_resamples=10_000,
                alternative="two-sided",
                random_state=0,
            )
            .fit_predictions(truth, a, b)
            .pvalue_
        ),
        theirs,
    )


def with_statsmodels():
    """McNemar's exact test."""
    from statsmodels.stats.contingency_tables import mcnemar

    y, a, b = labels(10_000)

    def theirs():
        right_a, right_b = a == y, b == y
        table = [
            [np.sum(right_a & right_b), np.sum(right_a & ~right_b)],
            [np.sum(~right_a & right_b), np.sum(~right_a & ~right_b)],
        ]
        return mcnemar(table, exact=True).pvalue

    yield Case(
        "statsmodels",
        "McNemar's exact test, 10,000 rows",
        lambda: (
            skc.McNemar(variant="exact", alternative="two-sided")
            .fit_predictions(y, a, b)
            .pvalue_
        ),
        theirs,
    )


TOOLS = {
    "scipy": with_scipy,
    "mlxtend": with_mlxtend,
    "baycomp": with_baycomp,
    "autorank": with_autorank,
    "sacrebleu": with_sacrebleu,
    "statsmodels": with_statsmodels,
}


def seconds(call):
    """Return the processor seconds of one call, and its return value."""
    start = time.process_time()
    value = call()
    return time.process_time() - start, value


def format_values(value):
    """Return numbers as text."""
    return ", ".join(f"{float(v):.4g}" for v in np.ravel(value))


def main():
    """Run all cases."""
    warnings.simplefilter("ignore")
    for name, make in TOOLS.items():
        if importlib.util.find_spec(name) is None:
            print(f"{name}: not installed")
            continue
        for case in make():
            case.ours()  # warm up
            runs = [(seconds(case.ours), seconds(case.theirs)) for _ in range(ROUNDS)]
            ours = statistics.median(run[0][0] for run in runs)
            theirs = statistics.median(run[1][0] for run in runs)
            print(f"{case.tool}: {case.work}")
            results = [format_values(value) for _, value in runs[-1]]
            print(f"  skcompare  {ours * 1e3:10.1f} ms   {results[0]}")
            print(f"  {case.tool:10} {theirs * 1e3:10.1f} ms   {results[1]}")
            print(f"  ratio      {theirs / ours:10.1f}")


if __name__ == "__main__":
    main()
