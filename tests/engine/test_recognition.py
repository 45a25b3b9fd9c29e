"""A metric of one's own that adds up is computed from sums; any other is called."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.metrics import make_scorer

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    PairedBootstrap,
    PairwiseComparison,
)
from skcompare._engine.recognition import recognize
from skcompare._evaluation import problem_of_predictions
from skcompare.exceptions import ComparisonWarning, UndefinedScoreWarning
from skcompare.metrics import recognize_metric

N = 400
COST = np.array([[0.0, 1.3], [5.0, -0.2]])


def make_labels(seed=0, n=N, classes=2, right=(0.9, 0.8)):
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=n)
    other = rng.integers(classes, size=(len(right), n))
    kept = rng.random((len(right), n)) < np.array(right)[:, np.newaxis]
    return y, *np.where(kept, y, other)


def make_numbers(seed=0, n=N):
    rng = np.random.default_rng(seed)
    y = rng.gamma(2.0, size=n) + 0.1
    noise = rng.normal(size=(2, n)) * [[0.5], [0.6]]
    return y, *np.abs(y + noise)


LABELS, NUMBERS = make_labels(), make_numbers()


def python_loss(y, p):
    total = 0.0
    for true, predicted in zip(y.tolist(), p.tolist(), strict=True):
        if true != predicted:
            total += 5.0 if true else 1.0
    return total / len(y)


def pinball(y, p):
    return np.mean(np.where(y > p, 0.9 * (y - p), 0.1 * (p - y)))


OF_LABELS = {
    "accuracy": (lambda y, p: np.mean(y == p), "mean"),
    "f1": (lambda y, p: sk.f1_score(y, p), "ratio of sums"),
    "own f1": (lambda y, p: 2 * (y & p).sum() / (y.sum() + p.sum()), "ratio of sums"),
    "f2": (lambda y, p: sk.fbeta_score(y, p, beta=2), "ratio of sums"),
    "precision": (lambda y, p: sk.precision_score(y, p), "ratio of sums"),
    "recall": (lambda y, p: sk.recall_score(y, p), "ratio of sums"),
    "jaccard": (lambda y, p: sk.jaccard_score(y, p), "ratio of sums"),
    "cost": (lambda y, p: COST[y, p].mean(), "mean"),
    "profit": (lambda y, p: COST[y, p].sum(), "sum"),
    "python": (python_loss, "mean"),
}
OF_NUMBERS = {
    "rmse": (lambda y, p: np.sqrt(np.mean((y - p) ** 2)), "square root of a mean"),
    "rmsle": (
        lambda y, p: np.sqrt(np.mean((np.log1p(y) - np.log1p(p)) ** 2)),
        "square root of a mean",
    ),
    "wape": (lambda y, p: np.abs(y - p).sum() / np.abs(y).sum(), "ratio of sums"),
    "mape": (lambda y, p: np.mean(np.abs((y - p) / y)), "mean"),
    "smape": (lambda y, p: np.mean(2 * np.abs(y - p) / (y + p)), "mean"),
    "pinball": (pinball, "mean"),
    "one minus wape": (
        lambda y, p: 1 - np.abs(y - p).sum() / np.abs(y).sum(),
        "ratio of sums",
    ),
    "geometric": (
        lambda y, p: np.exp(np.mean(np.log(np.abs(y - p)))),
        "exponential of a mean",
    ),
}
NO_SUMS_OF_LABELS = {
    "macro": lambda y, p: sk.f1_score(y, p, average="macro"),
    "kappa": sk.cohen_kappa_score,
    "mcc": sk.matthews_corrcoef,
}
NO_SUMS_OF_NUMBERS = {
    "r2": sk.r2_score,
    "median": lambda y, p: np.median(np.abs(y - p)),
    "correlation": lambda y, p: np.corrcoef(y, p)[0, 1],
    "maximum": lambda y, p: np.abs(y - p).max(),
    "median in disguise": lambda y, p: np.mean(np.sort(np.abs(y - p))[len(y) // 2 :]),
    "clipped mean": lambda y, p: min(np.mean(np.abs(y - p)), 0.6),
    "order": lambda y, p: np.abs(np.diff(y - p, prepend=0)).mean(),
}

SLOW = {"f1", "f2", "precision", "jaccard"}  # as scikit-learn has them

RECOGNIZED = [(f, kind, LABELS) for f, kind in OF_LABELS.values()]
RECOGNIZED += [(f, kind, NUMBERS) for f, kind in OF_NUMBERS.values()]
NAMES = [*OF_LABELS, *OF_NUMBERS]
REFUSED = [(f, LABELS) for f in NO_SUMS_OF_LABELS.values()]
REFUSED += [(f, NUMBERS) for f in NO_SUMS_OF_NUMBERS.values()]
NAMES_REFUSED = [*NO_SUMS_OF_LABELS, *NO_SUMS_OF_NUMBERS]


def switched_off(metric):
    def plain(*args, **kwargs):
        return metric(*args, **kwargs)

    plain.recognize = False
    return plain


def bootstrap(metric, data, test=PairedBootstrap, **params):
    params = {"n_resamples": 600, "random_state": 0} | params
    return test(scoring=make_scorer(metric), **params).fit_predictions(*data)


# What is recognized


@pytest.mark.parametrize(("metric", "kind", "data"), RECOGNIZED, ids=NAMES)
def test_metrics_that_add_up_are_recognized(metric, kind, data):
    recognized = recognize_metric(metric, *data[:2])
    assert (recognized.kind, recognized.reason) == (kind, "")
    assert recognized.value == pytest.approx(metric(*data[:2]))


@pytest.mark.parametrize(("metric", "data"), REFUSED, ids=NAMES_REFUSED)
def test_metrics_that_do_not_add_up_are_not(metric, data):
    with warnings.catch_warnings(action="ignore"):
        recognized = recognize_metric(metric, *data[:2])
    assert not recognized
    assert recognized.reason
    assert recognized.n_calls < 120  # whatever the number of rows and resamples


@pytest.mark.parametrize("name", OF_LABELS)
def test_label_metrics_take_few_calls(name):
    metric, _ = OF_LABELS[name]
    with warnings.catch_warnings(action="ignore"):
        assert recognize_metric(metric, *make_labels(n=5_000)[:2]).n_calls <= 65


def test_contributions_of_f1_are_its_counts():
    y, p, _ = LABELS
    recognized = recognize_metric(OF_LABELS["own f1"][0], y, p)
    np.testing.assert_array_equal(recognized.numerators, 2 * (y & p))
    np.testing.assert_array_equal(recognized.denominators, y + p)


@pytest.mark.parametrize(
    ("scorer", "metric"),
    [
        (make_scorer(sk.fbeta_score, beta=2), OF_LABELS["f2"][0]),
        (sk.get_scorer("neg_mean_squared_error"), lambda y, p: -np.mean((y - p) ** 2)),
    ],
    ids=["options", "sign"],
)
def test_a_scorer_stands_for_its_function_options_and_sign(scorer, metric):
    y, p, _ = LABELS
    of_scorer, of_metric = (recognize_metric(m, y, p) for m in (scorer, metric))
    assert (of_scorer.kind, of_scorer.value) == (of_metric.kind, of_metric.value)
    np.testing.assert_allclose(of_scorer.influence, of_metric.influence)


def test_influence_is_the_change_by_a_row():
    y, p, _ = NUMBERS
    for metric, _ in OF_NUMBERS.values():
        recognized = recognize_metric(metric, y, p)
        without = [metric(np.delete(y, i), np.delete(p, i)) for i in range(20)]
        change = recognized.value - np.array(without)
        np.testing.assert_allclose(
            recognized.influence[:20], change, rtol=0.1, atol=1e-3
        )


def test_metrics_that_are_random_or_keep_state_are_not_recognized():
    rng, calls = np.random.default_rng(0), []

    def noisy(y, p):
        return np.mean(y == p) + 1e-6 * rng.random()

    def counting(y, p):
        calls.append(1)
        return np.mean(y == p) + 1e-3 * len(calls)

    assert not recognize_metric(noisy, *LABELS[:2])
    assert not recognize_metric(counting, *LABELS[:2])


def test_more_distinct_rows_than_resamples_are_worth_are_not_tried():
    y, p, _ = make_numbers(n=5_000)
    calls = []

    def score(rows):
        calls.append(len(rows))
        return np.mean(np.abs(y[rows] - p[rows]))

    observed = [score(np.arange(5_000))]
    few = recognize(score, np.arange(5_000), observed, n_resamples=1_000)
    assert few.sums is None
    assert "not worth it" in few.reason
    assert len(calls) < 100
    many = recognize(score, np.arange(5_000), observed, n_resamples=9_999)
    assert many.sums.kind == "mean"


@pytest.mark.parametrize("n_rare", [90, 3])
def test_rows_that_score_otherwise_may_be_rare(n_rare):
    loss = np.zeros(3_000)
    loss[:n_rare] = 1 + np.arange(n_rare)
    score = lambda rows: loss[rows].mean()  # noqa: E731
    recognized = recognize(score, np.arange(3_000), [loss.mean()])
    assert recognized.sums.kind == "mean"


def counting(function):
    """Return the function of rows, and the list of the sizes of its calls."""
    sizes = []

    def score(rows):
        if rows.ndim > 1:  # one by one
            raise ValueError
        sizes.append(len(rows))
        return function(rows)

    return score, sizes


@pytest.mark.parametrize("n_resamples", [2_500, 9_999])
def test_scoring_rows_takes_no_more_than_calls_on_resamples(n_resamples):
    """A call on one row may take as long as one on all."""
    error = np.random.default_rng(0).gamma(2.0, size=10_000)
    score, sizes = counting(lambda rows: error[rows].mean())
    halves = error.reshape(2, -1).mean(axis=1)
    result = recognize(score, np.arange(10_000), halves, n_resamples=n_resamples)
    assert ("not worth it" in result.reason) == (n_resamples == 2_500)
    assert len(sizes) <= result.n_calls < 2 * n_resamples


def test_trimmed_means_are_refused_by_few_rows():
    """Means of single rows until something is trimmed: of a hundred or more."""
    error = np.random.default_rng(0).gamma(2.0, size=4_000)

    def trimmed(rows):
        return np.sort(error[rows])[: len(rows) - len(rows) // 100].mean()

    score, sizes = counting(trimmed)
    observed = [trimmed(half) for half in np.arange(4_000).reshape(2, -1)]
    assert recognize(score, np.arange(4_000), observed).sums is None
    assert len(sizes) < 100


def test_all_rows_are_scored_in_vain_once():
    """Clipped above a quantile, which no few rows exceed, it is a mean of each row."""
    error = np.random.default_rng(0).gamma(2.0, size=4_000)
    clip = np.quantile(error, 0.995)

    def clipped(rows):
        own = error[rows]
        return np.minimum(own, clip).mean() if len(own) > 300 else own.mean()

    score, sizes = counting(clipped)
    observed = [clipped(half) for half in np.arange(4_000).reshape(2, -1)]
    assert recognize(score, np.arange(4_000), observed).sums is None
    assert len(sizes) < 4_000 + 200


@pytest.mark.parametrize("share", [0.5, 0.2])
def test_rows_without_weight_are_no_references(share):
    """Of a recall weighted by amounts, 0 without positives, negatives score 0."""
    found = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        y, amount = (rng.random(2_000) < share).astype(int), rng.gamma(2.0, size=2_000)
        p = np.where(rng.random(2_000) < 0.7, y, 1 - y)

        def recall(rows, y=y, p=p, amount=amount):
            total = (amount[rows] * y[rows]).sum()
            return (amount[rows] * y[rows] * p[rows]).sum() / total if total else 0.0

        observed = [recall(half) for half in np.arange(2_000).reshape(2, -1)]
        found.append(recognize(recall, np.arange(2_000), observed).sums is not None)
    assert sum(found) >= 8


def test_units_of_a_metric_do_not_matter():
    y, a, _ = (1e-13 * part for part in NUMBERS)
    metric = OF_NUMBERS["wape"][0]
    scaled = lambda y, p: 1e-13 * metric(y, p)  # noqa: E731
    assert recognize_metric(scaled, y, a).kind == "ratio of sums"


# The same numbers


FAST = {n: case for n, case in zip(NAMES, RECOGNIZED, strict=True) if n not in SLOW}


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weights"])
@pytest.mark.parametrize(("metric", "kind", "data"), FAST.values(), ids=FAST)
def test_sums_score_resampled_rows_as_the_metric_does(metric, kind, data, weighted):
    y, a, b = (part[:150] for part in data)
    weights = np.random.default_rng(1).integers(1, 4, size=150) if weighted else None

    def with_weights(y, p, sample_weight=None):
        times = 1 if sample_weight is None else sample_weight.astype(int)
        return metric(np.repeat(y, times), np.repeat(p, times))

    problem = problem_of_predictions(
        y,
        {"a": a, "b": b},
        scoring=make_scorer(with_weights),
        sample_weight=weights,
    )
    cells = problem.cells(10_000)
    (name,) = cells.statistics
    assert cells.engines[name].startswith(kind if not weighted else "")
    assert "recognized" in cells.engines[name]
    statistic, table = cells.statistics[name], cells.tables[name]
    rng = np.random.default_rng(2)
    for _ in range(10):
        rows = rng.integers(150, size=150)
        counts = np.bincount(cells.cell_of_unit[rows], minlength=len(cells.counts))
        by_sums = table.scores(counts[np.newaxis])[0]
        by_rows = statistic.generic.on_rows(rows)
        np.testing.assert_allclose(by_sums, by_rows, rtol=1e-9)
        swapped = rng.integers(2, size=150)
        moved = np.bincount(
            cells.cell_of_unit, weights=swapped, minlength=len(cells.counts)
        )
        by_sums = table.swapped_scores(cells.counts, moved[np.newaxis])[0]
        by_rows = statistic.generic.on_reassigned(np.stack([swapped, 1 - swapped]))
        np.testing.assert_allclose(by_sums, by_rows, rtol=1e-9)


@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
def test_recognized_and_called_metrics_lead_to_the_same_conclusion(test):
    metric, params = OF_LABELS["own f1"][0], {"n_resamples": 3_000}
    fast = bootstrap(metric, LABELS, test, **params)
    slow = bootstrap(switched_off(metric), LABELS, test, **params)
    assert fast.result_.engine == "ratio of sums, recognized/cells"
    assert slow.result_.engine == "generic"
    assert fast.delta_ == slow.delta_
    error = fast.pvalue_error_ + slow.pvalue_error_
    assert abs(fast.pvalue_ - slow.pvalue_) <= 4 * error
    assert "ratio of sums, recognized" in fast.result_.signature


# Metrics that differ where it is rare


def without_positives(y, p):
    """F1, but 1 where the truth has no positives."""
    return 2 * (y & p).sum() / (y.sum() + p.sum()) if y.any() else 1.0


def capped(y, p):
    """Accuracy, but never above what few resamples reach."""
    return min(np.mean(y == p), 0.925)


@pytest.mark.parametrize("metric", [without_positives, capped])
@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
def test_a_rare_branch_changes_no_conclusion(metric, test):
    if metric is without_positives:
        y = np.zeros(60, dtype=int)
        y[:3] = 1
        data = y, np.where(np.arange(60) % 7 == 0, 1 - y, y), np.roll(y, 1) | y
    else:
        data = make_labels(n=300)
    fast, slow = (
        bootstrap(f, data, test, n_resamples=2_000, alternative="two-sided")
        for f in (metric, switched_off(metric))
    )
    if fast.result_.engine == "generic":
        np.testing.assert_array_equal(slow.distribution_, fast.distribution_)
    else:  # the branch was on none of the resamples
        error = fast.pvalue_error_ + slow.pvalue_error_
        assert abs(fast.pvalue_ - slow.pvalue_) <= 4 * error + 1e-9


def test_a_branch_that_refutes_one_form_refutes_those_that_amount_to_the_same():
    """A mean that is clipped on some resamples is no ratio of the same sums."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=5_000)
    a, b = (np.where(rng.random(5_000) < p, truth, 1 - truth) for p in (0.92, 0.90))

    def clipped(y, p):
        return min(np.mean(y == p), 0.95 if len(y) >= 20 else 1.0)

    test = PairedBootstrap(scoring=make_scorer(clipped), n_resamples=600)
    assert test.fit_predictions(truth, a, b).result_.engine == "generic"


@pytest.mark.parametrize(
    ("model", "side", "test"),
    [
        # Of resamples, the best are of A and the worst of B: no other model has them.
        (0, 1, PairedBootstrap),
        (1, -1, PairedBootstrap),
        (0, -1, ApproxRandomization),
        (1, 1, ApproxRandomization),
    ],
)
def test_a_bound_that_some_resample_exceeds_is_noticed(model, side, test):
    """Of either model, and at full size only, where no fewer rows would show it."""
    truth, *predictions = data = make_labels(n=300, right=(0.85, 0.8))
    right, other = (predictions[m] == truth for m in (model, 1 - model))
    rng = np.random.default_rng(0)
    scores = rng.binomial(300, right.mean(), 5_000)
    if test is ApproxRandomization:
        scores = (right & other).sum() + rng.binomial(
            (right != other).sum(), 0.5, 5_000
        )
    bound, beyond = np.quantile(side * scores / 300, 0.99), []

    def bounded(y, p):
        value = np.mean(y == p)
        if len(y) == 300 and side * value > bound:
            beyond.append(value)
            return side * bound
        return value

    slow = bootstrap(switched_off(bounded), data, test, n_resamples=5_000)
    assert len(beyond) > 10  # so that others of the same distribution have some, too
    fast = bootstrap(bounded, data, test, n_resamples=5_000)
    assert fast.result_.engine == "generic"
    np.testing.assert_array_equal(fast.distribution_, slow.distribution_)


@pytest.mark.parametrize("side", [-1, 1])
def test_a_bound_on_numbers_that_all_differ_is_noticed(side):
    """Where both models have their extremes together, differences show nothing."""
    rng = np.random.default_rng(0)
    size = rng.gamma(2.0, size=1_500)
    truth = rng.normal(size=1_500)
    data = truth, truth + size, truth - size - 0.1 * rng.normal(size=1_500)
    draws = rng.multinomial(1_500, np.full(1_500, 1 / 1_500), 2_000) @ size / 1_500
    bound = np.quantile(side * draws, 0.99)

    def bounded(y, p):
        value = np.mean(np.abs(y - p))
        beyond = len(y) == 1_500 and side * value > bound
        return side * bound if beyond else value

    fast = bootstrap(bounded, data, n_resamples=2_000)
    assert fast.result_.engine == "generic"


NUMERIC_TOTALS = {
    "surplus": (lambda y, p: np.sum(p - y), 0.95),
    "size of the surplus": (lambda y, p: abs(np.sum(p - y)), 0.95),
    "product": (lambda y, p: np.sum((p - y) * (y - 2)), 0.95),
}


@pytest.mark.parametrize("name", NUMERIC_TOTALS)
@pytest.mark.parametrize("seed", range(5))
def test_a_branch_on_a_total_of_numbers_is_noticed(name, seed):
    """Scores do not show it, nor does any number of a few rows."""
    total, level = NUMERIC_TOTALS[name]
    y, a, b = make_numbers(seed, n=1_000)
    rows = np.random.default_rng(seed).integers(1_000, size=(500, 1_000))
    bound = np.quantile([total(y[r], p[r]) for r in rows for p in (a, b)], level)
    bound = max(bound, total(y, a) + 1e-9, total(y, b) + 1e-9)

    def penalized(y, p):
        return np.mean(np.abs(y - p)) + 0.1 * (len(y) > 400) * (total(y, p) > bound)

    fitted = bootstrap(penalized, (y, a, b), n_resamples=2_000)
    assert fitted.result_.engine == "generic"


@pytest.mark.parametrize("unit", [1.0, 1e-10])
def test_a_bound_is_noticed_in_any_unit(unit):
    truth, a, b = make_labels(n=300, right=(0.85, 0.8))
    rng = np.random.default_rng(0)
    bound = np.quantile(rng.binomial(300, np.mean(truth == a), 5_000) / 300, 0.99)

    def bounded(y, p):
        share = np.mean(y == p)
        return unit * (min(share, bound) if len(y) == 300 else share)

    assert (
        bootstrap(bounded, (truth, a, b), n_resamples=5_000).result_.engine == "generic"
    )


# Totals that few rows never reach; those of resamples deviate from the sample's.
TOTALS = {
    "positives": lambda y, p: p.sum(),
    "false positives": lambda y, p: ((y == 0) & (p == 1)).sum(),
    "wrong rows": lambda y, p: (y != p).sum(),
    "more predicted than true": lambda y, p: p.sum() - y.sum(),
    "more missed than false": lambda y, p: y.sum() - p.sum(),
    "more positives than negatives": lambda y, p: 2 * y.sum() - len(y),
}


@pytest.mark.parametrize("total", TOTALS.values(), ids=TOTALS)
@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
def test_a_branch_on_a_total_is_noticed(total, test):
    truth, a, b = make_labels(n=1_000, right=(0.86, 0.84))
    bound = max(total(truth, p) for p in (a, b)) + 10

    def penalized(y, p):
        return float(np.mean(y == p) - 0.05 * (total(y, p) > bound))

    fitted = bootstrap(penalized, (truth, a, b), test)
    assert fitted.result_.engine == "generic"


def test_a_branch_on_rows_without_a_part_in_a_ratio_is_noticed():
    """Precision, less something for missed positives, which its sums do not have."""
    rng = np.random.default_rng(0)
    truth = (rng.random(1_000) < 0.64).astype(int)
    wrong = rng.random((2, 1_000)) < np.where(truth == 1, 0.06, [[0.17], [0.19]])
    a, b = np.where(wrong, 1 - truth, truth)
    bound = ((truth == 1) & (a == 0)).sum() + 10

    def penalized(y, p):
        if not p.any():
            return np.nan
        missed = ((y == 1) & (p == 0)).sum()
        return ((y == 1) & (p == 1)).sum() / p.sum() - 0.05 * (missed > bound)

    fitted = bootstrap(penalized, (truth, a, b))
    assert fitted.result_.engine == "generic"


@pytest.mark.parametrize("n_critical", [2, 6, 20])
def test_a_branch_on_a_total_of_single_rows_is_noticed(n_critical):
    rng = np.random.default_rng(0)
    truth = rng.gamma(2.0, size=500)
    truth[:n_critical] += 100
    a = truth + rng.normal(size=500)
    b = np.where(np.arange(500) < 440, a, truth + rng.normal(size=500))

    def penalized(y, p):
        critical = (y > 50).sum()
        return np.mean(np.abs(y - p)) + 0.5 * (critical > 1.5 * n_critical)

    fitted = bootstrap(penalized, (truth, a, b))
    assert fitted.result_.engine == "generic"


def test_a_branch_on_a_row_drawn_twice_is_noticed():
    """Of rows that all differ, one is critical: to have it twice is one too many."""
    rng = np.random.default_rng(0)
    truth = rng.gamma(2.0, size=1_200)
    a, b = truth + rng.normal(size=(2, 1_200))
    critical = truth[7]

    def accepted(y, p):
        error = float(np.mean(np.abs(y - p)))
        return error if np.sum(y == critical) < 2 else error + 1

    fitted = bootstrap(accepted, (truth, a, b), n_resamples=2_000)
    assert fitted.result_.engine == "generic"


def test_a_branch_detected_late_falls_back_to_the_numbers_of_calls():
    data = make_labels(n=300, right=(0.85, 0.8))

    def capped_late(y, p):
        value = np.mean(y == p)
        return value if len(y) < 300 or value < 0.96 else 0.5

    fast = bootstrap(capped_late, data, n_resamples=3_000)
    slow = bootstrap(switched_off(capped_late), data, n_resamples=3_000)
    assert slow.distribution_.min() < -0.2  # the branch was taken
    assert fast.result_.engine == "generic"
    np.testing.assert_array_equal(fast.distribution_, slow.distribution_)
    more = [test.extend(200).distribution_ for test in (fast, slow)]
    np.testing.assert_array_equal(*more)


# What the user sees


def test_odd_rows_cause_no_warning():
    def dividing(y, p):
        if len(y) < 3:
            warnings.warn("few rows", stacklevel=2)
        return np.float64(2 * (y & p).sum()) / (y.sum() + p.sum())

    assert "recognized" in bootstrap(dividing, LABELS).result_.engine


def test_a_metric_that_warns_of_the_sample_does_so_as_often_as_called_for_it():
    def warning(y, p):
        warnings.warn("of every sample", UserWarning, stacklevel=2)
        return np.mean(y == p)

    for metric in (warning, switched_off(warning)):
        with pytest.warns(UserWarning, match="of every sample") as caught:
            bootstrap(metric, LABELS)
        assert len(caught) == 2  # one for each model


def test_a_scorer_can_opt_out_of_recognition():
    scorer = make_scorer(OF_LABELS["cost"][0])
    scorer.recognize = False
    test = PairedBootstrap(scoring=scorer, n_resamples=600, random_state=0)
    assert test.fit_predictions(*LABELS).result_.engine == "generic"


@pytest.mark.parametrize(
    ("size", "engine"), [(1e-7, "generic"), (0.0, "mean, recognized/cells")]
)
def test_a_metric_that_adds_up_but_for_a_ten_millionth_is_called(size, engine):
    """A small part of the score is the square of a mean, which is no mean."""

    def nearly_mean(y, pred):
        share = np.mean(y == pred)
        return share + size * share**2

    rng = np.random.default_rng(0)
    y = rng.integers(2, size=300)
    a, b = (np.where(rng.random(300) < p, y, 1 - y) for p in (0.8, 0.7))
    test = PairedBootstrap(
        scoring=make_scorer(nearly_mean), n_resamples=2_000, random_state=0
    )
    assert test.fit_predictions(y, a, b).result_.engine == engine


def test_few_resamples_are_not_worth_it():
    test = bootstrap(OF_LABELS["cost"][0], LABELS, n_resamples=99)
    assert test.result_.engine == "generic"


def test_a_metric_of_the_order_of_rows_is_cautioned_where_rows_are_redrawn():
    truth, a, b = data = make_labels(n=300)
    amount = np.random.default_rng(0).gamma(2.0, size=300)

    def loss(y, p):
        return np.mean(amount * (y != p))

    def with_argument(y, p, amount):
        return np.mean(amount * (y != p))

    with pytest.warns(ComparisonWarning, match="loss changes if the same rows"):
        test = bootstrap(loss, data)
    assert "Caution: loss depends on the order of rows." in test.result_.sentence()
    bootstrap(loss, data, ApproxRandomization)  # rows stay in their places
    scorer = make_scorer(with_argument, amount=amount)
    test = PairedBootstrap(scoring=scorer, n_resamples=99, random_state=0)
    assert test.fit_predictions(truth, a, b).result_.engine == "generic"


@pytest.mark.parametrize(
    ("metric", "error"),
    [
        (lambda y, p: (y == p).astype(float), "must return one number"),
        (lambda y, p: float("nan"), "defined on the whole sample"),
        (lambda y, p: y.missing, "missing"),
    ],
)
def test_bad_metrics_get_the_error_they_had(metric, error):
    for function in (metric, switched_off(metric)):
        with pytest.raises((ValueError, AttributeError), match=error):
            bootstrap(function, LABELS)


# Whatever is resampled, and however


@pytest.mark.parametrize("value", [None, "0.5", np.array([0.5]), 1j])
def test_what_is_no_number_on_some_resamples_is_undefined_there(value):
    data = make_labels(n=60, classes=3)

    def odd(y, p):
        return value if y[0] == 2 and len(y) == 60 else 1 - np.median(y != p) / 2

    scorer = lambda model, X, y: odd(np.asarray(y), model.predict(X))  # noqa: E731
    test = PairedBootstrap(scoring=scorer, n_resamples=99, random_state=0)
    first = np.flatnonzero(data[0] != 2)
    rows = np.concatenate([first[:1], np.setdiff1d(np.arange(60), first[:1])])
    with pytest.warns(UndefinedScoreWarning):
        test.fit_predictions(*(part[rows] for part in data))
    assert 10 < test.result_.n_undefined < 60


def test_fractions_are_numbers():
    share = lambda y, p: Fraction(int(np.sum(y == p)), len(y))  # noqa: E731
    for metric in (share, switched_off(share)):
        fitted = bootstrap(metric, LABELS, n_resamples=500)
        assert fitted.score_a_ == np.mean(LABELS[0] == LABELS[1])


@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
@pytest.mark.parametrize("parameter", ["groups", "strata", "sample_weight"])
def test_groups_strata_and_weights(parameter, test):
    y, a, b = LABELS

    def cost(y, p, sample_weight=None):
        return np.average(COST[y, p], weights=sample_weight)

    rng = np.random.default_rng(3)
    values = {
        "groups": rng.integers(40, size=N),
        "strata": y,
        "sample_weight": rng.integers(1, 4, size=N),
    }
    if parameter == "strata" and test is ApproxRandomization:
        pytest.skip("swaps know no strata")
    fast, slow = (
        test(scoring=make_scorer(metric), n_resamples=1_000, random_state=0)
        .fit_predictions(y, a, b, **{parameter: values[parameter]})
        .result_
        for metric in (cost, switched_off(cost))
    )
    assert "mean, recognized" in fast.engine
    assert fast.delta == pytest.approx(slow.delta)
    assert fast.standard_error == pytest.approx(slow.standard_error, rel=0.15)


def test_strings_probabilities_and_rows_of_labels():
    y, a, b = LABELS
    words = np.array(["no", "yes"])

    def cost_of_words(y, p):
        return np.mean((y == "yes") * 5.0 * (p == "no") + (y == "no") * (p == "yes"))

    assert "mean" in bootstrap(cost_of_words, [words[x] for x in LABELS]).result_.engine

    rng = np.random.default_rng(0)
    probabilities = [
        np.clip(0.2 + 0.6 * x + 0.1 * rng.normal(size=N), 0, 1) for x in (a, b)
    ]

    def own_brier(y, p):
        return np.mean((y - p) ** 2)

    scorer = make_scorer(own_brier, response_method="predict_proba")
    test = PairedBootstrap(scoring=scorer, n_resamples=2_000, random_state=0)
    columns = [{"predict_proba": np.stack([1 - p, p], axis=1)} for p in probabilities]
    assert "mean, recognized" in test.fit_predictions(y, *columns).result_.engine

    many = rng.integers(2, size=(3, N, 4))

    def own_micro_f1(y, p):
        return 2 * (y & p).sum() / (y.sum() + p.sum())

    engine = bootstrap(own_micro_f1, many).result_.engine
    assert engine.startswith("ratio of sums, recognized")


def test_callables_that_see_the_model_and_x():
    y, a, b = LABELS

    def scorer(estimator, X, y):
        return -COST[y, estimator.predict(X)].mean()

    test = PairedBootstrap(scoring=scorer, n_resamples=1_000, random_state=0)
    assert test.fit_predictions(y, a, b).result_.engine == "mean, recognized/cells"


def test_callables_that_read_x_are_recognized_row_by_row(fitted_pair):
    a, b, X, y = fitted_pair

    def by_amount(estimator, X, y):
        amount = np.abs(X[:, 0])
        return np.sum(amount * (estimator.predict(X) == y)) / np.sum(amount)

    test = PairedBootstrap(a, b, scoring=by_amount, n_resamples=2_000, random_state=0)
    test.fit(X, y)
    assert test.result_.engine == "ratio of sums, recognized/rows"
    by_amount.recognize = False
    slow = PairedBootstrap(a, b, scoring=by_amount, n_resamples=2_000, random_state=0)
    slow.fit(X, y)
    assert slow.result_.engine == "generic"
    assert test.standard_error_ == pytest.approx(slow.standard_error_, rel=0.15)


@pytest.fixture
def fitted_pair():
    from sklearn.datasets import make_classification
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    X, y = make_classification(400, random_state=0)
    a = LogisticRegression().fit(X[:200], y[:200])
    b = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X[:200], y[:200])
    return a, b, X[200:], y[200:]


def test_all_pairs_of_many_models_share_recognition():
    y, *predictions = make_labels(right=(0.9, 0.8, 0.85))
    calls = []

    def cost(y, p):
        calls.append(len(y))
        return -COST[y, p].mean()

    test = PairedBootstrap(scoring=make_scorer(cost), n_resamples=1_000, random_state=0)
    pairs = PairwiseComparison(test=test, random_state=0)
    models = {f"m{i}": p for i, p in enumerate(predictions)}
    pairs.fit_predictions(y, models)
    assert len(calls) < 200


@pytest.mark.parametrize("takes_weights", [False, True])
def test_posteriors_weigh_additive_metrics(takes_weights):
    def cost(y, p, sample_weight=None):
        return -np.average(COST[y, p], weights=sample_weight)

    metric = cost if takes_weights else lambda y, p: -COST[y, p].mean()
    test = BayesianComparison(scoring=make_scorer(metric), random_state=0, rope=0.01)
    test.fit_predictions(*LABELS)
    assert test.result_.engine == "mean, recognized/cells"
    plain = switched_off(cost)
    slow = BayesianComparison(
        scoring=make_scorer(plain), random_state=0, rope=0.01, n_draws=1_000
    ).fit_predictions(*LABELS)
    assert slow.result_.engine == "generic"
    spread = [np.std(one.result_.posterior) for one in (test, slow)]
    assert spread[0] == pytest.approx(spread[1], rel=0.1)


def test_exact_and_studentized_follow():
    y, a, b = make_labels(n=120)
    exact = bootstrap(OF_LABELS["cost"][0], (y, a, b), ApproxRandomization)
    assert exact.result_.method == "exact"
    studentized = bootstrap(
        OF_LABELS["own f1"][0], (y, a, b), interval="studentized", n_resamples=999
    )
    assert "recognized" in studentized.result_.engine
    bca = bootstrap(OF_LABELS["own f1"][0], (y, a, b), interval="bca", n_resamples=999)
    assert "recognized" in bca.result_.engine


def test_nested_resamples_are_replayed():
    # Beside a ranking, standard errors are those of resamples of each resample.
    y, *labels = make_labels(n=120)
    rng = np.random.default_rng(0)
    scores = [0.1 * label + rng.random(len(y)).round(1) for label in labels]
    a, b = (
        {"predict": label, "predict_proba": np.column_stack([1 - score, score])}
        for label, score in zip(labels, scores, strict=True)
    )
    own = make_scorer(OF_LABELS["own f1"][0])
    test = PairedBootstrap(
        scoring={"own": own, "auc": "roc_auc"},
        method="studentized",
        n_resamples=999,
        random_state=0,
    ).fit_predictions(y, a, b)
    assert "recognized" in test.results_["own"].engine


def test_means_over_folds(fitted_pair):
    from sklearn.dummy import DummyClassifier

    a, _, X, y = fitted_pair

    def own(y, p):
        return np.mean(y == p)

    test = PairedBootstrap(
        a,
        DummyClassifier(),
        scoring=make_scorer(own),
        cv=3,
        aggregate="fold-mean",
        n_resamples=600,
        random_state=0,
    ).fit(X, y)
    assert test.result_.engine.startswith("mean, recognized")


def test_searches_profit_in_all_their_comparisons(fitted_pair):
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    from skcompare import SearchComparison

    _, _, X, y = fitted_pair
    calls = []

    def cost(y, p):
        calls.append(len(y))
        return COST[y, p].mean()

    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0),
        {"max_depth": [1, 2, 4]},
        scoring=make_scorer(cost, greater_is_better=False),
        cv=3,
    ).fit(X, y)
    calls.clear()
    test = PairedBootstrap(n_resamples=600)
    SearchComparison(search, test=test, n_resamples=600, random_state=0).fit(X, y)
    assert len(calls) < 200  # of several thousand


def test_the_lead_of_a_search_is_that_of_calls_if_a_bound_is_noticed(fitted_pair):
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    from skcompare import SearchComparison

    _, _, X, y = fitted_pair
    n_rows, grid = len(y), {"max_depth": [1, 2, 4]}
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=3)
    search.set_params(scoring="accuracy").fit(X, y)
    bound = search.best_score_ + 0.005

    def bounded(y, p):
        share = np.mean(y == p)
        return min(share, bound) if len(y) == n_rows else share

    leads = []
    for metric in (bounded, switched_off(bounded)):
        search.set_params(scoring=make_scorer(metric)).fit(X, y)
        test = PairedBootstrap(n_resamples=600, random_state=0)
        compared = SearchComparison(search, test=test, n_resamples=600, random_state=0)
        result = compared.fit(X, y).result_
        leads.append((result.expected_lead, *result.pvalues))
    assert leads[0] == leads[1]


def direction(y, p):
    return np.mean(np.sign(np.diff(y)) == np.sign(np.diff(p)))


def test_an_order_that_is_the_same_backwards_is_noticed():
    rng = np.random.default_rng(0)
    y = np.cumsum(rng.normal(size=100))
    a, b = y + rng.normal(size=(2, 100))
    with pytest.warns(ComparisonWarning, match="direction changes if the same rows"):
        bootstrap(direction, (y, a, b))


@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
@pytest.mark.parametrize("kind", ["random", "stateful"])
def test_a_metric_that_is_not_deterministic_has_a_caveat(test, kind):
    noise = np.random.default_rng(0)
    noise = noise.normal if kind == "random" else iter(range(10_000)).__next__

    def noisy(y, p):
        return np.mean(y == p) + 1e-3 * noise()

    with pytest.warns(ComparisonWarning, match="it is random or keeps a state"):
        fitted = bootstrap(noisy, make_labels(n=100), test)
    assert "Caution: noisy is not deterministic." in fitted.result_.sentence()
    assert "reordered" not in " ".join(fitted.result_.caveats)


@pytest.mark.parametrize("seed", range(12))
def test_a_penalty_for_different_recalls_of_large_groups_is_noticed(seed):
    rng = np.random.default_rng(seed)
    y = (rng.random(4_000) < 0.4).astype(int)
    group = (rng.random(4_000) < 0.25).astype(int)

    def fair(y, p, *, group):
        recalls = []
        for g in (0, 1):
            rows = (group == g) & (y == 1)
            if rows.sum() < 150:
                return np.mean(y == p)
            recalls.append(np.mean(p[rows] == 1))
        return np.mean(y == p) - 0.2 * (abs(recalls[0] - recalls[1]) > 0.1)

    def predicted(*recalls, specificity):
        rates = np.where(y == 1, np.take(recalls, group), specificity)
        return np.where(rng.random(4_000) < rates, y, 1 - y)

    a = predicted(0.90, 0.84, specificity=0.84)
    b = predicted(0.88, 0.85, specificity=0.83)
    test = PairedBootstrap(
        scoring=make_scorer(fair, group=group), n_resamples=600, random_state=0
    )
    assert test.fit_predictions(y, a, b).result_.engine == "generic"


def test_rounding_of_numbers_of_32_bits_is_not_an_order():
    rng = np.random.default_rng(0)
    y = rng.normal(size=2_000)
    a, b = y + rng.normal(size=(2, 2_000))

    def single(y, p):
        squares = np.square(y - p).astype("f4")
        return float(np.cumsum(squares)[-1] / len(y))

    in_reverse = single(y[::-1], a[::-1])
    assert in_reverse != single(y, a)
    test = bootstrap(single, (y, a, b))
    assert test.result_.engine == "generic"
    assert not any("reordered" in text for text in test.result_.caveats)
