"""The figures of the chapter on validity: rates before and after each cure.

Run it with ``python doc/simulations/validity.py``, or with names of sections:
signs, swaps, power, scales, rules, groups, wild, few, rare, shares. Each takes up to
ten minutes.
"""

import sys
import warnings

import numpy as np
from scipy import stats
from sklearn.metrics import cohen_kappa_score, make_scorer

from skcompare import (
    ApproxRandomization,
    CrossValidationCLT,
    PairedBootstrap,
    SignTest,
    WilcoxonSignedRank,
    WildClusterBootstrap,
    make_additive_scorer,
)
from skcompare.metrics import pearson_scorer
from skcompare.stats import (
    bca_interval,
    margin_pvalue,
    mcnemar_interval,
    percentile_interval,
    precision_test,
    resampling_pvalue,
    studentized_interval,
    wild_cluster_pvalue,
)
from skcompare.stats.intervals import constant_interval
from skcompare.stats.pvalues import count_exceeding

ALPHA, LEVEL = 0.05, 0.95


def write_line(line):
    """Write a line of the report."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def labels(rng, n_rows, share, *rates):
    """Draw a truth, and predictions given the rates of class 1 in both classes."""
    truth = (rng.random(n_rows) < share).astype(int)
    models = [
        (rng.random(n_rows) < np.where(truth, *pair)).astype(int) for pair in rates
    ]
    return truth, *models


def of_precision(recall, precision, share):
    """Return the rates of class 1 of a model with this recall and precision."""
    return recall, share * recall * (1 - precision) / (precision * (1 - share))


def share_rejected(test, draw, n_samples, **rows):
    """Return how often a test rejects."""
    rng, count = np.random.default_rng(0), 0
    for seed in range(n_samples):
        if "random_state" in test.get_params():
            test.set_params(random_state=seed)
        count += test.fit_predictions(*draw(rng), **rows).pvalue_ <= ALPHA
    return count / n_samples


def signs(n_samples=500):
    """Equal mean squared error, unequal tails: what tests of signs reject."""
    scale = 1 / np.sqrt(3)  # of Student's t with 3 degrees of freedom, to variance 1
    for n_rows in (100, 500):
        for kind in (WilcoxonSignedRank, SignTest):
            test = kind(scoring="neg_mean_squared_error")
            rng, rejected, lower, chosen = np.random.default_rng(0), 0, 0, 0
            for _ in range(n_samples):
                a = scale * stats.t.rvs(3, size=n_rows, random_state=rng)
                b = rng.normal(size=n_rows)
                result = test.fit_predictions(np.zeros(n_rows), a, b).result_
                rejected += result.significant
                lower += result.favors_a and result.delta < 0
                chosen += result.favors_a
            write_line(
                f"{kind.__name__:20} n = {n_rows}: rejects {rejected / n_samples:.3f}, "
                f"chooses A {chosen / n_samples:.3f}, of which with the lower score "
                f"{lower / n_samples:.3f}"
            )


def swaps(n_samples=200):
    """Equal scores, not exchangeable: difference and studentized, level and power."""
    precise = {
        "precision .5, recall .9/.1": ("precision", 0.3, (0.9, 0.5), (0.1, 0.5)),
        "precision .8, recall .9/.2": ("precision", 0.3, (0.9, 0.8), (0.2, 0.8)),
        "F1, 1/.2 and .2/1": ("f1", 0.1, (0.2, 1.0), (1.0, 0.2)),
    }
    equal = {
        "balanced accuracy": ("balanced_accuracy", 0.2, (0.95, 0.55), (0.45, 0.05)),
        "Matthews": ("matthews_corrcoef", 0.3, (0.95, 0.472), (0.4, 0.047)),
    }
    for n_rows in (100, 300, 1_000):
        cases = {
            name: (metric, share, of_precision(*a, share), of_precision(*b, share))
            for name, (metric, share, a, b) in precise.items()
        } | equal
        for name, (metric, share, a, b) in cases.items():
            rates = [
                share_rejected(
                    swapping(metric, statistic),
                    lambda rng, s=share, a=a, b=b, n=n_rows: labels(rng, n, s, a, b),
                    n_samples,
                )
                for statistic in ("difference", "studentized")
            ]
            line = f"{name:28} n = {n_rows:5}: {rates[0]:.3f} -> {rates[1]:.3f}"
            write_line(
                line + score_statistic(n_rows, share, a, b) * (metric == "precision")
            )


def score_statistic(n_rows, *scenario, n_samples=20_000):
    """Format how often the score statistic of precision rejects."""
    rng, count = np.random.default_rng(0), 0
    for _ in range(n_samples):
        rows = labels(rng, n_rows, *scenario)
        count += precision_test(*rows, alternative="two-sided").pvalue <= ALPHA
    return f", score statistic {count / n_samples:.3f}"


def power(n_samples=200):
    """Unequal scores: the power of the difference and of the studentized one."""
    kappa = make_scorer(cohen_kappa_score)
    metrics = (kappa, "matthews_corrcoef", "balanced_accuracy", "precision_macro")
    for metric in (*metrics, "precision"):
        for n_rows in (100, 300):
            step = np.sqrt(100 / n_rows)
            worse = (0.9 - 0.17 * step, 0.2 + 0.1 * step)
            rates = [
                share_rejected(
                    swapping(metric, statistic),
                    lambda rng, n=n_rows, w=worse: labels(rng, n, 0.3, (0.9, 0.2), w),
                    n_samples,
                )
                for statistic in ("difference", "studentized")
            ]
            name = metric if isinstance(metric, str) else "kappa"
            write_line(
                f"power {name:22} n = {n_rows:5}: {rates[0]:.3f} -> {rates[1]:.3f}"
            )


def swapping(metric, statistic):
    return ApproxRandomization(
        scoring=metric,
        statistic=statistic,
        alternative="two-sided",
        method="monte-carlo",
        n_resamples=199,
    )


def scales(n_samples=300):
    """Models on unlike scales: raw swaps and swaps of ranks or standardized values."""

    def ranked(rng, spread=1.6):
        truth = (rng.random(250) < 0.5).astype(int)
        a, b = (truth + s * rng.normal(size=250) for s in (0.7, spread))
        return truth, a, 0.1 * b + 2

    def correlated(rng, spread=1.5):
        truth = rng.normal(size=150)
        a, b = (truth + s * rng.normal(size=150) for s in (1.0, spread))
        return truth, a, 20 * b

    equal = {"ranked": {"spread": 0.7}, "correlated": {"spread": 1.0}}
    for name, scoring, draw in (
        ("ROC AUC", "roc_auc", ranked),
        ("average precision", "average_precision", ranked),
        ("Pearson", pearson_scorer(), correlated),
    ):
        for quantity, options in (("power", {}), ("level", equal[draw.__name__])):
            rates = [
                share_rejected(
                    ApproxRandomization(
                        scoring=scoring,
                        swap=swap,
                        alternative="two-sided",
                        n_resamples=199,
                    ),
                    lambda rng, draw=draw, o=options: draw(rng, **o),
                    n_samples,
                )
                for swap in ("scores", "auto")
            ]
            write_line(f"{quantity} {name:18}: raw {rates[0]:.3f} -> {rates[1]:.3f}")


def rules(n_samples=1_000):
    """Rules of the bootstrap: level, power and coverage of the interval that agrees."""

    def regression(rng, n_rows, better):
        truth = rng.normal(size=n_rows)
        noise = (1.0, 1.0 + better * 4.5 / np.sqrt(n_rows))
        return truth, *(truth + s * rng.normal(size=n_rows) for s in noise)

    def classified(rng, n_rows, better):
        low = 0.8 - better * 1.7 / np.sqrt(n_rows)
        return labels(rng, n_rows, 0.4, (0.8, 0.2), (low, 1 - low))

    def ranked(rng, n_rows, better):
        truth, a, b = regression(rng, n_rows, better)
        return (truth > 0).astype(int), a, b

    draws = {
        "accuracy": classified,
        "f1": classified,
        "neg_mean_squared_error": regression,
        "r2": regression,
        "roc_auc": ranked,
    }
    for n_rows in (30, 100, 300, 1_000):
        for metric, draw in draws.items():
            rng = np.random.default_rng(n_rows)
            counts = {}
            for better in (0, 1):
                for seed in range(n_samples):
                    test = PairedBootstrap(
                        scoring=metric, n_resamples=199, random_state=seed
                    ).fit_predictions(*draw(rng, n_rows, better))
                    for key, rejects in decisions(test.distribution_, test.delta_):
                        counts[better, *key] = counts.get((better, *key), 0) + rejects
            for rule in ("shift", "percentile"):
                level, both, power = (
                    counts[key] / n_samples
                    for key in (
                        (0, rule, "greater"),
                        (0, rule, "two-sided"),
                        (1, rule, "greater"),
                    )
                )
                write_line(
                    f"{metric:24} n = {n_rows:5} {rule:11} level {level:.3f}, both "
                    f"sides {both:.3f} (coverage {1 - both:.3f}), power {power:.3f}"
                )


def decisions(deltas, delta):
    """Yield what both rules decide; two-sided ones are also those of intervals."""
    for side in ("greater", "two-sided"):
        count = count_exceeding(deltas - delta, delta, side, tolerance=1e-12)
        yield ("shift", side), resampling_pvalue(count, len(deltas)) <= ALPHA
    rule = {"method": "percentile", "tolerance": 1e-12}
    greater, less = (
        margin_pvalue(deltas, delta, 0.0, side, **rule) for side in ("greater", "less")
    )
    yield ("percentile", "greater"), greater <= ALPHA
    yield ("percentile", "two-sided"), 2 * min(greater, less) <= ALPHA


def mean_prediction():
    """Make a scorer of the mean of what is predicted."""
    return make_additive_scorer(
        lambda y_true, y_pred: np.column_stack([y_pred, np.ones(len(y_pred))]),
        lambda totals: totals[..., 0] / totals[..., 1],
        name="mean",
    )


def bootstrap(method, **settings):
    """Return a bootstrap by the name of its rule, or the wild cluster bootstrap."""
    if method == "wild":
        return WildClusterBootstrap(**settings)
    return PairedBootstrap(method=method, **settings)


def groups(n_samples=500):
    """Groups of Zipf's sizes, and lognormal weights: level and coverage."""

    def zipf(rng, n_groups=100):
        sizes = 1_000 / np.arange(1, n_groups + 1)
        sizes = np.maximum(sizes / np.sum(1 / np.arange(1, n_groups + 1)), 1).astype(
            int
        )
        group = np.repeat(np.arange(n_groups), sizes)
        effects = rng.normal(size=(2, n_groups))[:, group]
        return effects + rng.normal(size=(2, len(group))), {"groups": group}

    def weighted(rng):
        weights = rng.lognormal(sigma=2.5, size=200)
        return rng.normal(size=(2, 200)), {"sample_weight": weights}

    for name, draw in (("Zipf groups", zipf), ("lognormal weights", weighted)):
        for method in ("shift", "percentile", "wild"):
            rng, rejected, covered = np.random.default_rng(0), 0, 0
            for seed in range(n_samples):
                (a, b), layout = draw(rng)
                test = bootstrap(
                    method,
                    scoring=mean_prediction(),
                    alternative="two-sided",
                    n_resamples=199,
                    random_state=seed,
                ).fit_predictions(np.zeros(len(a)), a, b, **layout)
                low, high = test.confidence_interval_
                rejected += test.pvalue_ <= ALPHA
                covered += low <= 0 <= high
            write_line(
                f"{name:18} {method:11} level {rejected / n_samples:.3f}, coverage "
                f"{covered / n_samples:.3f}",
            )


def wild(n_samples=300):
    """Labels in groups of Zipf's sizes: the level by metric, shift and wild."""
    group = np.repeat(np.arange(100), np.ceil(200 / np.arange(1, 101)).astype(int))
    for metric in ("r2", "accuracy", "f1", "precision"):
        rates = {}
        for method in ("shift", "percentile", "wild"):
            rng, rejected = np.random.default_rng(0), 0
            for seed in range(n_samples):
                truth = rng.integers(2, size=len(group))
                effects = rng.normal(size=(2, 100))[:, group]
                noise = effects + rng.normal(size=(2, len(group)))
                models = np.where(noise < 1.2, truth, 1 - truth)
                if metric == "r2":
                    truth = truth + rng.normal(size=len(group))
                    models = truth + noise
                test = bootstrap(
                    method,
                    scoring=metric,
                    alternative="two-sided",
                    n_resamples=199,
                    random_state=seed,
                )
                test.fit_predictions(truth, *models, groups=group)
                rejected += test.pvalue_ <= ALPHA
            rates[method] = rejected / n_samples
        write_line(
            f"{metric:10} " + ", ".join(f"{m} {r:.3f}" for m, r in rates.items())
        )


def few(n_samples=1_500):
    """Few groups of one size whose differences are skewed: levels of turned signs."""
    for name, center in (("exponential", 1.0), ("lognormal", np.exp(0.5))):
        for n_groups in (6, 8, 10, 12, 16, 20, 30, 50):
            rng, rejected = np.random.default_rng(n_groups), np.zeros(3)
            for _ in range(n_samples):
                sums = getattr(rng, name)(size=n_groups) - center
                for place, side in enumerate(("greater", "less", "two-sided")):
                    test = wild_cluster_pvalue(
                        sums, np.ones(n_groups), side, n_resamples=199, rng=rng
                    )
                    rejected[place] += test.pvalue <= ALPHA
            write_line(f"{name} {n_groups}: {(rejected / n_samples).round(3)}")


def rare(n_samples=1_000, n_rows=300):
    """One row in a hundred differs: intervals as published, and with the fall back."""
    rng = np.random.default_rng(0)
    chances = np.array([0.007, 0.003, 0.99])
    held, infinite = {}, 0
    steps = np.array([1, -1, 0])
    for _ in range(n_samples):
        counts = rng.multinomial(n_rows, chances)
        drawn = rng.multinomial(n_rows, counts / n_rows, size=499)
        deltas, delta = drawn @ steps / n_rows, counts @ steps / n_rows
        rows = np.repeat(steps, counts)
        variance = (drawn @ steps**2 / n_rows - deltas**2) / n_rows
        error = np.sqrt((counts @ steps**2 / n_rows - delta**2) / n_rows)
        intervals = {
            "bca": bca_interval(
                deltas,
                delta,
                LEVEL,
                jackknife=(rows.sum() - rows) / (n_rows - 1),
                strata=np.zeros(n_rows, dtype=int),
                tolerance=1e-12,
            ),
            "studentized": studentized_interval(
                deltas,
                delta,
                LEVEL,
                standard_errors=np.sqrt(variance),
                standard_error=float(error),
            ),
            "percentile (fall back)": percentile_interval(deltas, LEVEL),
            "McNemar": mcnemar_interval(*counts[:2], n_rows, LEVEL, variant="mid-p")[0],
        }
        if not counts[:2].any():
            bound = constant_interval(0.0, -1.0, 1.0, n_rows, LEVEL)
            intervals["percentile (fall back)"] = bound
        infinite += not np.isfinite(intervals["studentized"]).all()
        for kind, (low, high) in intervals.items():
            held[kind] = held.get(kind, 0) + (low <= 0.004 <= high)
    for kind, count in held.items():
        write_line(f"{kind}: coverage {count / n_samples:.3f}")
    write_line(f"studentized intervals that are infinite: {infinite / n_samples:.3f}")


def shares(n_samples=2_000):
    """One model's accuracy: normal interval, and that of the effective counts."""
    z, test = stats.norm.isf((1 - LEVEL) / 2), CrossValidationCLT(scoring="accuracy")
    for n_rows, truth in ((60, 0.9), (60, 0.97), (60, 0.99), (300, 0.97), (300, 0.99)):
        rng, held, beyond = np.random.default_rng(0), np.zeros(2), 0
        drawn = rng.binomial(n_rows, truth, size=n_samples)
        for n_right, count in zip(*np.unique(drawn, return_counts=True), strict=True):
            labels = np.repeat([0, 1], [n_right, n_rows - n_right])
            result = test.fit_predictions(np.zeros(n_rows, dtype=int), labels).result_
            reach = z * result.standard_error
            normal = result.score_a - reach, result.score_a + reach
            if not reach:
                normal = ((1 - LEVEL) / 2) ** (1 / n_rows), 1.0
            for place, (low, high) in enumerate((normal, result.confidence_interval)):
                held[place] += count * (low <= truth <= high)
            beyond += count * (normal[1] > 1)
        before, after = held / n_samples
        write_line(
            f"{n_rows} rows, accuracy {truth}: normal {before:.3f}, beyond 1 "
            f"{beyond / n_samples:.3f}, now {after:.3f}"
        )


SECTIONS = (signs, swaps, power, scales, rules, groups, wild, few, rare, shares)

if __name__ == "__main__":
    sections = {f.__name__: f for f in SECTIONS}
    with warnings.catch_warnings(action="ignore"):
        for name in sys.argv[1:] or sections:
            write_line(f"== {name}: {sections[name].__doc__}")
            sections[name]()
