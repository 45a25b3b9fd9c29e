"""All tests on odd data: no result claims more than the data show."""

import itertools
import re
import warnings

import numpy as np
import pytest

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    CrossValidationCLT,
    DeLong,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    SignTest,
    WilcoxonSignedRank,
    WildClusterBootstrap,
)
from skcompare.stats.intervals import score_range
from tests.pairs import in_pairs

RESAMPLES = {"n_resamples": 99, "random_state": 0}
ACCURACY, MAE = "accuracy", "neg_mean_absolute_error"
LABELS = (ACCURACY, "f1", "recall", "precision", "balanced_accuracy")
RANKS = ("roc_auc", "average_precision")
EVERY = (*LABELS, "matthews_corrcoef", *RANKS, MAE, "r2")
SUMS = tuple(metric for metric in EVERY if metric not in RANKS)
SOME = (ACCURACY, "f1", MAE)
# Exchanges depend on the metric by its scores alone; a bootstrap by its range, too.
EXCHANGED = (ACCURACY, "f1", "matthews_corrcoef", "roc_auc", MAE, "r2")

# The test, its parameters, and the metrics that it takes.
TESTS = {
    "bootstrap": (PairedBootstrap, RESAMPLES, EVERY),
    "shift": (PairedBootstrap, RESAMPLES | {"method": "shift"}, ("roc_auc", "r2")),
    "percentile": (PairedBootstrap, RESAMPLES | {"method": "percentile"}, SOME),
    "studentized": (PairedBootstrap, RESAMPLES | {"method": "studentized"}, SOME),
    "bca": (PairedBootstrap, RESAMPLES | {"interval": "bca"}, (*SOME, "roc_auc")),
    "ideal": (PairedBootstrap, {"n_resamples": "ideal"}, (ACCURACY, MAE)),
    "swaps": (ApproxRandomization, RESAMPLES, EXCHANGED),
    "studentized swaps": (
        ApproxRandomization,
        RESAMPLES | {"statistic": "studentized"},
        (ACCURACY, "f1", "recall"),
    ),
    "wild": (WildClusterBootstrap, RESAMPLES, SUMS),
    "mcnemar": (McNemar, {}, (ACCURACY,)),
    "t": (PairedTTest, {}, (ACCURACY, MAE)),
    "sign": (SignTest, {}, (ACCURACY, MAE)),
    "wilcoxon": (WilcoxonSignedRank, {}, (ACCURACY, MAE)),
    "clt": (CrossValidationCLT, {}, (ACCURACY, MAE)),
    "delong": (DeLong, {}, ("roc_auc",)),
}
# Tests that take a distribution for granted, whatever the number of rows.
BY_THEORY = ("t", "clt", "delong", "mcnemar")


def labels(n_rows=40, seed=0):
    """Return a truth of two classes and labels of two models."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n_rows) % 2
    return truth, *(
        np.where(rng.random(n_rows) < share, truth, 1 - truth) for share in (0.9, 0.7)
    )


def values(n_rows=40, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n_rows)
    return truth, *(truth + rng.normal(size=(2, n_rows)) * [[0.5], [1.0]])


def scores(n_rows=40, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.arange(n_rows) % 2
    return truth, *(truth + rng.normal(size=(2, n_rows)) * [[0.5], [1.0]])


def rare(n_positives, n_true_positives, n_rows=200):
    """Return labels of which A finds some positives and B none."""
    truth = (np.arange(n_rows) < n_positives).astype(int)
    return truth, (np.arange(n_rows) < n_true_positives).astype(int), 0 * truth


def few_ranked(n_positives):
    truth, a, b = scores(200)
    truth = (np.arange(200) < n_positives).astype(int)
    return truth, 0.5 * truth + a, 0.3 * truth + b


def huge():
    truth = np.arange(5_000) % 2
    b = truth.copy()
    b[7] = 1 - b[7]
    return truth, truth, b


def of(data, a=None, b=None):
    """Return data whose models are replaced by functions of the truth."""
    truth, *models = data
    pairs = zip(models, (a, b), strict=True)
    return truth, *(own if new is None else new(truth) for own, new in pairs)


def itself(truth):
    return truth


def opposite(truth):
    return 1 - truth


def nothing(truth):
    return 0 * truth


GROUPS = np.minimum(np.arange(40), 10)  # ten of one row, one of thirty

# Kind of metric: situation: data, and groups or weights.
SITUATIONS = {
    "labels": {
        "ordinary": (labels(), {}),
        "identical": ((labels()[0], *[labels()[1]] * 2), {}),
        "both perfect": (of(labels(), itself, itself), {}),
        "A perfect": (of(labels(), itself), {}),
        "A perfect, B never right": (of(labels(), itself, opposite), {}),
        "A predicts one class": (of(labels(), nothing), {}),
        "both predict one class": (of(labels(), nothing, nothing), {}),
        "one positive": (rare(1, 1), {}),
        "four positives": (rare(4, 3), {}),
        "one class": ((np.ones(40, dtype=int), *labels()[1:]), {}),
        "two rows": (labels(2), {}),
        "three rows": (of(labels(3), itself, opposite), {}),
        "one disagreement of many": (huge(), {}),
        "weights with zeros": (labels(), {"sample_weight": np.arange(40) // 20}),
        "one weight": (labels(), {"sample_weight": np.eye(40)[3]}),
        "groups of one row": (labels(), {"groups": np.arange(40)[::-1]}),
        "one large group": (labels(), {"groups": GROUPS}),
        "two groups": (labels(), {"groups": np.arange(40) // 20}),
    },
    "ranks": {
        "ordinary": (scores(), {}),
        "identical": ((scores()[0], *[scores()[1]] * 2), {}),
        "ties everywhere": (of(scores(), nothing, nothing), {}),
        "A perfect": (of(scores(), itself), {}),
        "A perfect, B never right": (of(scores(), itself, opposite), {}),
        "A perfect, B tied": (of(scores(), itself, nothing), {}),
        "one positive": (few_ranked(1), {}),
        "two positives": (few_ranked(2), {}),
        "four rows": (scores(4), {}),
        "one large group": (scores(), {"groups": GROUPS}),
    },
    "values": {
        "ordinary": (values(), {}),
        "identical": ((values()[0], *[values()[1]] * 2), {}),
        "A perfect": (of(values(), itself), {}),
        "constant lead": (of(values(), lambda y: y + 1, lambda y: y + 2), {}),
        "constant lead of B": (of(values(), lambda y: y + 2, lambda y: y + 1), {}),
        "constant lead of 5": (of(values(5), lambda y: y + 1, lambda y: y + 2), {}),
        "errors that tie": (of(values(), lambda y: y + 1, lambda y: y - 1), {}),
        "two rows": (values(2), {}),
        "weights with zeros": (values(), {"sample_weight": np.arange(40) // 20}),
        "one large group": (values(), {"groups": GROUPS}),
        "two groups": (values(), {"groups": np.arange(40) // 20}),
    },
}


def kind_of(metric):
    if metric in RANKS:
        return "ranks"
    return "values" if metric in (MAE, "r2") else "labels"


def cases(tests):
    """Yield the cases of some tests, the situations of a kind of metric together."""
    for kind, situations in SITUATIONS.items():
        yield [
            (test, metric, situation)
            for test in tests
            for metric in TESTS[test][2]
            for situation in situations
            if kind_of(metric) == kind
        ]


# Linear terms of the wild bootstrap are those of each metric in each situation.
OTHERS = [test for test in TESTS if test != "wild"]
CASES = [
    *itertools.chain(*cases(["wild"])),
    *itertools.chain(*map(in_pairs, cases(OTHERS))),
]


def result_of(name, metric, data, rows, alternative):
    """Return a result, or None where the test raises an error."""
    kind, params, _ = TESTS[name]
    test = kind(alternative=alternative, **params)
    if "scoring" in test.get_params():
        test.set_params(scoring=metric)
    message = ""
    with warnings.catch_warnings(action="ignore"):
        try:
            return test.fit_predictions(*data, **rows).result_
        except ValueError as error:
            message = str(error)
    # The error is one of ours.
    assert re.search(r"must|needs|asks|every|undefined|is for means", message)
    return None


def n_differing(data, rows):
    """Return the number of units that differ, at most of those with weight."""
    truth, a, b = data
    weights = rows.get("sample_weight", np.ones(len(truth)))
    groups = rows.get("groups", np.arange(len(truth)))
    if not (a != b)[weights > 0].any():
        return 0
    return min(len(np.unique(groups[a != b])), len(np.unique(groups[weights > 0])))


@pytest.mark.parametrize(("name", "metric", "situation"), CASES)
def test_verdicts_claim_no_more_than_the_test_shows(name, metric, situation):
    data, rows = SITUATIONS[kind_of(metric)][situation]
    two = result_of(name, metric, data, rows, "two-sided")
    one = result_of(name, metric, data, rows, "greater")
    if two is None or one is None:
        assert two is one is None
        return
    n = n_differing(data, rows)
    for result, sides in ((one, 1), (two, 2)):
        assert 0 < result.pvalue <= 1
        if n == 0:
            assert result.pvalue == pytest.approx(1)
        if name not in BY_THEORY:
            assert result.pvalue >= min(1.0, sides * 0.5**n) - 0.15 * (
                name in ("swaps", "studentized swaps", "wild")
            )
        assert not (result.significant and n < (5 if sides == 1 else 6)) or (
            name in BY_THEORY
        )
        text = str(result)
        assert "nan" not in text.replace("nan_", "")
        if not result.significant:
            assert not re.search("[AB] is significantly better", text)
    if one.delta <= 0:
        assert not one.significant or one.location is not None
        assert not one.favors_a
    low, high = two.confidence_interval or (-np.inf, np.inf)
    assert low <= two.delta + 1e-9
    assert two.delta - 1e-9 <= high
    ends = score_range(metric, [two.score_a, two.score_b])
    for end in (low, high):
        assert not np.isfinite(end) or abs(end) <= ends.high - ends.low + 1e-9
    for own in (two.score_a_interval, two.score_b_interval):
        if own is not None:
            assert ends.low - 1e-9 <= own.low <= own.high <= ends.high + 1e-9
    # An interval that excludes 0 and a large p-value contradict each other.
    if (low > 1e-9 or high < -1e-9) and two.pvalue > 0.1:
        assert any("agree" in caveat for caveat in two.caveats)
    # Where nothing is drawn, models may change places.
    if "random_state" not in TESTS[name][1]:
        truth, a, b = data
        back = result_of(name, metric, (truth, b, a), rows, "two-sided")
        if back is not None:
            assert two.delta == pytest.approx(-back.delta, abs=1e-12)
            assert two.pvalue == pytest.approx(back.pvalue, abs=1e-5)


@pytest.mark.parametrize(
    ("metric", "situation"),
    [
        (m, s)
        for m in (ACCURACY, "recall", "roc_auc", MAE)
        for s in SITUATIONS[kind_of(m)]
    ],
)
def test_posteriors_decide_nothing_from_next_to_nothing(metric, situation):
    data, rows = SITUATIONS[kind_of(metric)][situation]
    test = BayesianComparison(scoring=metric, n_draws=500, random_state=0, rope=0)
    with warnings.catch_warnings(action="ignore"):
        try:
            result = test.fit_predictions(*data, **rows).result_
        except ValueError:
            return
    low, high = result.hdi
    assert low <= high
    if n_differing(data, rows) < 4 and result.decision in (">>", "<<"):
        assert "Caution" in result.sentence() or result.caveats
