"""Intervals of resamples with strata and groups, against those made by hand.

What was drawn is read from the outside: metrics that count rows share the resamples of
the metric in question, and metric functions record the rows that they are called on.
"""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import accuracy_score, make_scorer, roc_auc_score

from skcompare import PairedBootstrap, make_additive_scorer

pytestmark = pytest.mark.usefixtures("quiet")  # small data are the point here

BCA, STUDENTIZED = "bca", "studentized"
LEVEL = 0.9
TAILS = (0.05, 0.95)

N = 48
rng = np.random.default_rng(7)
# Two strata of unequal size, unrelated to the order of rows and to the truth.
STRATA = rng.permutation(np.repeat([0, 1], [18, 30]))
# Groups of one to four rows, each within a stratum.
GROUPS = 100 * STRATA + np.where(STRATA == 0, np.arange(N) % 8, np.arange(N) % 13)
TRUTH = rng.gamma(2.0, size=N)
# The errors of A are skewed and depend on the stratum: ignoring strata shows.
PRED_A = TRUTH + rng.gamma(0.5, size=N) * np.where(STRATA == 0, 3.0, 0.2)
PRED_B = TRUTH + rng.normal(size=N)
LABELS = np.digitize(TRUTH, [np.median(TRUTH)])

UNITS = {
    "rows": {},
    "strata": {"strata": STRATA},
    "groups": {"groups": GROUPS},
    "groups in strata": {"groups": GROUPS, "strata": STRATA},
}
each_units = pytest.mark.parametrize("units", UNITS.values(), ids=UNITS)


def codes_of(units):
    """Return the unit of each row, the stratum of each unit, both from 0."""
    groups = np.unique(units.get("groups", np.arange(N)), return_inverse=True)[1]
    strata = np.asarray(units.get("strata", np.zeros(N, dtype=int)))
    first = np.unique(groups, return_index=True)[1]
    return groups, strata[first]


def relative_error(y, pred):
    return np.abs(y - pred).sum() / y.sum()


def upper_error(y, pred):
    return np.quantile(np.abs(y - pred), 0.75)


ADDITIVE = make_additive_scorer(
    lambda y, p: np.column_stack([np.abs(y - p), y]),
    lambda totals: totals[..., 0] / totals[..., 1],
    name="relative_error",
    greater_is_better=False,
)
GENERIC = make_scorer(upper_error, greater_is_better=False)


def negated(metric):
    return lambda y, pred: -metric(y, pred)


METRICS = {
    "additive": (ADDITIVE, negated(relative_error), (TRUTH, PRED_A, PRED_B)),
    "generic": (GENERIC, negated(upper_error), (TRUTH, PRED_A, PRED_B)),
    "ranking": ("roc_auc", roc_auc_score, (LABELS, PRED_A, PRED_B)),
}
each_metric = pytest.mark.parametrize("engine", METRICS)


def bootstrap(interval, scoring, **params):
    options = {"n_resamples": 60, "random_state": 0, "confidence_level": LEVEL}
    return PairedBootstrap(scoring=scoring, interval=interval, **{**options, **params})


def bca_by_hand(deltas, delta, left_out, strata):
    """Efron and Tibshirani, chapter 14; deviations are from the mean of a stratum."""
    below = (deltas < delta).mean() + (deltas == delta).mean() / 2
    bias = stats.norm.ppf(below)
    means = np.array([left_out[strata == s].mean() for s in range(strata.max() + 1)])
    influence = means[strata] - left_out
    acceleration = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
    z = bias + stats.norm.ppf(TAILS)
    shares = stats.norm.cdf(bias + z / (1 - acceleration * z))
    return np.quantile(deltas, shares)


@each_units
@each_metric
def test_bca_leaves_out_units_and_centers_in_strata(engine, units):
    scoring, metric, (y, a, b) = METRICS[engine]
    test = bootstrap(BCA, scoring, n_resamples=199)
    test.fit_predictions(y, a, b, **units)
    assert test.result_.engine.split("/")[0] == engine
    unit_of_row, strata = codes_of(units)
    left_out = np.array(
        [
            metric(y[kept], a[kept]) - metric(y[kept], b[kept])
            for kept in (unit_of_row != unit for unit in range(len(strata)))
        ]
    )
    expected = bca_by_hand(test.distribution_, test.delta_, left_out, strata)
    np.testing.assert_allclose(test.confidence_interval_, expected, rtol=1e-9)


def studentized_by_hand(deltas, errors, delta, error):
    low, high = np.quantile((deltas - delta) / errors, TAILS)
    return delta - high * error, delta - low * error


def count_metrics():
    """Return metrics whose difference is how often each row was drawn."""

    def counter(row):
        return make_additive_scorer(
            lambda y, p: ((y == TRUTH[row]) & (p == PRED_A[row]))[:, np.newaxis],
            lambda totals: totals[..., 0],
        )

    return {f"row {row}": counter(row) for row in range(N)}


def delta_method(counts, unit_of_row, strata):
    """Return the standard error of a difference of ratios, given counts of units."""
    linear = 0.0
    for sign, pred in ((-1, PRED_A), (1, PRED_B)):
        top = np.bincount(unit_of_row, weights=np.abs(TRUTH - pred))
        bottom = np.bincount(unit_of_row, weights=TRUTH)
        ratio = (counts @ top) / (counts @ bottom)
        linear = linear + sign * (top - ratio * bottom) / (counts @ bottom)
    drawn, of = np.repeat(linear, counts), np.repeat(strata, counts)
    parts = [drawn[of == s] for s in range(strata.max() + 1)]
    return np.sqrt(sum(len(part) * part.var() for part in parts))


@each_units
def test_studentized_interval_of_a_ratio_is_that_of_the_delta_method(units):
    test = bootstrap(STUDENTIZED, {"ratio": ADDITIVE, **count_metrics()})
    test.fit_predictions(TRUTH, PRED_A, PRED_B, **units)
    result = test.results_["ratio"]
    unit_of_row, strata = codes_of(units)
    first = np.unique(unit_of_row, return_index=True)[1]
    counts = np.array([test.results_[f"row {row}"].distribution for row in first])
    counts = np.rint(counts.T).astype(int)
    for stratum in range(strata.max() + 1):
        drawn = counts[:, strata == stratum].sum(axis=1)
        assert (drawn == np.count_nonzero(strata == stratum)).all()
    errors = [delta_method(drawn, unit_of_row, strata) for drawn in counts]
    error = delta_method(np.ones(len(strata), dtype=int), unit_of_row, strata)
    expected = studentized_by_hand(result.distribution, errors, result.delta, error)
    assert result.engine == "additive/rows"
    np.testing.assert_allclose(result.confidence_interval, expected, rtol=1e-6)


def test_studentized_interval_of_cells_takes_spread_within_strata():
    """A is right and B wrong throughout the first stratum, which has no spread."""
    n, n_varying = 90, 60
    strata = np.repeat([0, 1], [30, 60])
    y = np.tile([0, 1, 1], 30)
    right_a = (np.arange(n) < 30) | (np.arange(n) % 5 < 3)
    a, b = np.where(right_a, y, 1 - y), np.where(right_a, 1 - y, y)
    test = bootstrap(STUDENTIZED, "accuracy", n_resamples=199)
    test.fit_predictions(y, a, b, strata=strata)
    assert test.result_.engine == "additive/cells"
    # The first stratum gives 30 rows to A; the rest of a difference is of the second.
    deltas = np.append(test.distribution_, test.delta_)
    means = (n * deltas - 30) / n_varying
    assert set(np.rint(n_varying * (1 + means)) % 2) == {0.0}
    errors = np.sqrt(n_varying * (1 - means**2)) / n
    expected = studentized_by_hand(
        test.distribution_, errors[:-1], test.delta_, errors[-1]
    )
    np.testing.assert_allclose(test.confidence_interval_, expected, rtol=1e-6)


def check_nested(batches, units):
    """Check that resamples keep to strata and are drawn from what they resample."""
    unit_of_row, strata = codes_of(units)
    sizes = np.bincount(unit_of_row)
    for outer, *inner in batches:
        for counts in (outer, *inner):
            of_units = np.bincount(unit_of_row, weights=counts) / sizes
            np.testing.assert_array_equal(of_units[unit_of_row], counts)
            drawn = np.bincount(strata, weights=of_units)
            np.testing.assert_array_equal(drawn, np.bincount(strata))
        # A resample of a resample has what the latter has, and in the same proportions.
        assert all((counts[outer == 0] == 0).all() for counts in inner)
    outers = np.concatenate([outer for outer, *_ in batches])
    means = np.concatenate([np.mean(inner, axis=0) for _, *inner in batches])
    assert np.polyfit(outers, means, 1) == pytest.approx([1.0, 0.0], abs=0.06)


def check_nested_interval(result, batches, delta_of, units):
    check_nested(batches, units)
    deltas = np.array([delta_of(outer) for outer, *_ in batches])
    np.testing.assert_allclose(deltas, result.distribution, rtol=1e-9, atol=1e-12)
    errors = [np.std([delta_of(c) for c in inner], ddof=1) for _, *inner in batches]
    error = np.std(deltas, ddof=1)
    expected = studentized_by_hand(deltas, errors, result.delta, error)
    np.testing.assert_allclose(result.confidence_interval, expected, rtol=1e-9)


def in_batches(counts, n_resamples):
    size, rest = divmod(len(counts), n_resamples)
    assert rest == 0
    assert size > 25  # resamples of a resample, enough for a standard error
    return np.reshape(counts, (n_resamples, size, N))


@each_units
def test_studentized_interval_of_calls_resamples_each_resample(units):
    place_of = {value: row for row, value in enumerate(TRUTH)}
    seen = []

    def record(y, pred):
        rows = [place_of[value] for value in y]
        # Both models are scored on the same rows; the whole sample, in whatever order,
        # is no resample.
        if sorted(rows) != list(range(N)) and not (seen and seen[-1] == rows):
            seen.append(rows)
        return upper_error(y, pred)

    scorer = make_scorer(record, greater_is_better=False)
    test = bootstrap(STUDENTIZED, scorer, n_resamples=30)
    test.fit_predictions(TRUTH, PRED_A, PRED_B, **units)
    assert test.result_.engine == "generic"
    counts = [np.bincount(rows, minlength=N) for rows in seen]

    def delta_of(counts):
        rows = np.repeat(np.arange(N), counts)
        y, a, b = TRUTH[rows], PRED_A[rows], PRED_B[rows]
        return upper_error(y, b) - upper_error(y, a)

    check_nested_interval(test.result_, in_batches(counts, 30), delta_of, units)


@each_units
def test_studentized_interval_of_rankings_resamples_each_resample(units):
    place_of = {value: row for row, value in enumerate(PRED_A)}
    seen = []

    def rows_of_a(y, pred):
        rows = np.array([place_of.get(value, -1) for value in pred])
        return (rows[:, np.newaxis] == np.arange(N)).astype(float)

    def record(totals):
        # Those of B are all 0.
        if totals.ndim == 2:
            seen.extend(np.rint(totals[totals.any(axis=1)]).astype(int))
        return totals[..., 0]

    counter = make_additive_scorer(
        rows_of_a, record, response_method="decision_function"
    )
    scoring = {"roc_auc": "roc_auc", "rows": counter}
    test = bootstrap(STUDENTIZED, scoring, n_resamples=30)
    test.fit_predictions(LABELS, PRED_A, PRED_B, **units)
    result = test.results_["roc_auc"]
    assert result.engine == "ranking/rows"
    seen.clear()
    test.resample(test.problem_)  # the same again, without the conclusions
    drawn = seen[-(len(seen) // 30 * 30) :]  # after the whole sample, if at all
    assert all((counts == 1).all() for counts in seen[: len(seen) - len(drawn)])

    def delta_of(counts):
        positive, negative = counts * LABELS, counts * (1 - LABELS)
        areas = [positive @ (p[:, np.newaxis] > p) @ negative for p in (PRED_A, PRED_B)]
        return (areas[0] - areas[1]) / (positive.sum() * negative.sum())

    check_nested_interval(result, in_batches(drawn, 30), delta_of, units)


# Two strata


def test_two_strata_unrelated_to_the_truth_are_kept_by_cells_and_by_rows():
    """A beats B in one stratum and loses in the other: strata remove that spread."""
    n, strata = 120, np.tile([0, 1, 1], 40)
    y = np.repeat([0, 1, 0, 1], 30)
    good, bad = np.arange(n) % 10 != 0, np.arange(n) % 10 == 0
    a = np.where(np.where(strata == 0, good, bad), y, 1 - y)
    b = 1 - a
    d = (a == y).astype(float) - (b == y)
    within = [d[strata == s] for s in (0, 1)]
    expected = np.sqrt(sum(len(part) * part.var() for part in within)) / n
    assert expected < 0.7 * d.std() / np.sqrt(n)
    by_calls = make_scorer(lambda y, pred: accuracy_score(y, pred))
    by_calls.recognize = False
    for scoring, engine in (("accuracy", "additive/cells"), (by_calls, "generic")):
        test = bootstrap("percentile", scoring, n_resamples=1_000)
        test.fit_predictions(y, a, b, strata=strata)
        assert test.result_.engine == engine
        # The standard error of a standard deviation of 1,000 is 1 / sqrt(2,000).
        assert test.standard_error_ == pytest.approx(expected, rel=4 / np.sqrt(2_000))
