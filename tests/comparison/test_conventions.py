"""What holds for every test, metric and seed: the promises of the user guide."""

import json
import os
import subprocess
import sys
import threading
import time
import warnings
from itertools import product

import joblib
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, make_scorer, zero_one_loss

from skcompare import (
    ApproxRandomization,
    PairedBootstrap,
    PairwiseComparison,
    WildClusterBootstrap,
)
from skcompare._engine import Units, chunk_generator
from skcompare._validation import seed_of
from skcompare.exceptions import (
    ComparisonWarning,
    DegenerateDataWarning,
    SmallSampleWarning,
    UndefinedScoreWarning,
)
from skcompare.stats.intervals import percentile_interval
from skcompare.stats.pvalues import count_exceeding, rounding_tolerance

INTERVALS = ["percentile", "basic", "bca", "studentized"]
each_test = pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
each_way = pytest.mark.parametrize(
    ("test", "params"),
    [
        *((PairedBootstrap, {"interval": interval}) for interval in INTERVALS),
        (ApproxRandomization, {"method": "exact"}),
        (ApproxRandomization, {"method": "monte-carlo"}),
    ],
    ids=[*INTERVALS, "exact", "monte-carlo"],
)


def by_calls():
    """Return a scorer like accuracy, in a way that no engine can look into.

    Its function is local, so that it travels to workers, who do not know this module.
    """

    def mean_right(y_true, y_pred):
        return float((y_true == y_pred).mean())

    mean_right.recognize = False
    return make_scorer(mean_right)


BY_CALLS = by_calls()


@pytest.fixture(scope="module")
def scores():
    """Truth and two sets of scores of 60 rows."""
    rng = np.random.default_rng(4)
    truth = np.arange(60) % 2
    return truth, truth + rng.normal(size=60), truth + 1.5 * rng.normal(size=60)


# A and B change places


METRICS = ["accuracy", "f1", "roc_auc", "r2", BY_CALLS]
each_metric = pytest.mark.parametrize("scoring", METRICS, ids=lambda s: str(s)[:9])


@pytest.fixture
def data_for(labels, scores):
    """Return the data that suit a metric."""
    return lambda scoring: scores if scoring == "roc_auc" else labels


def both_orders(test, data, **params):
    truth, a, b = data
    comparison = test(random_state=0, **params)
    return [
        comparison.fit_predictions(truth, *pair).result_ for pair in ((a, b), (b, a))
    ]


def few_differences(truth, a, b, most=5):
    """Let B predict like A on all but some of the rows where they differ."""
    rows = np.flatnonzero(a != b)[most:]
    b = b.copy()
    b[rows] = a[rows]
    return truth, a, b


@each_metric
def test_exact_pvalues_do_not_depend_on_who_is_called_A(scoring, data_for):
    data = few_differences(*data_for(scoring))
    ways = {
        alternative: both_orders(
            ApproxRandomization,
            data,
            scoring=scoring,
            method="exact",
            swap="scores",
            alternative=alternative,
        )
        for alternative in ("greater", "less", "two-sided")
    }
    there, back = ways["two-sided"]
    assert there.delta == -back.delta != 0
    assert there.pvalue == back.pvalue
    assert ways["greater"][0].pvalue == ways["less"][1].pvalue
    assert ways["less"][0].pvalue == ways["greater"][1].pvalue


@each_metric
def test_bootstrap_does_not_depend_on_who_is_called_A(scoring, data_for):
    data = data_for(scoring)
    ways = {
        alternative: both_orders(
            PairedBootstrap,
            data,
            scoring=scoring,
            n_resamples=99,
            alternative=alternative,
        )
        for alternative in ("greater", "less", "two-sided")
    }
    there, back = ways["two-sided"]
    np.testing.assert_array_equal(there.distribution, -back.distribution)
    assert there.pvalue == back.pvalue
    assert ways["greater"][0].pvalue == ways["less"][1].pvalue
    assert ways["less"][0].pvalue == ways["greater"][1].pvalue
    low, high = back.confidence_interval
    assert there.confidence_interval == pytest.approx((-high, -low))


# The p-value


@each_way
@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_pvalues_lie_between_one_resample_and_one(test, params, alternative):
    for n_wrong in (0, 5, 8):
        assert_pvalue_in_range(test, params, n_wrong, alternative)


def assert_pvalue_in_range(test, params, n_wrong, alternative):
    truth = np.arange(40) % 2
    b = np.where(np.arange(40) < n_wrong, 1 - truth, truth)
    result = (
        test(
            scoring="accuracy",
            n_resamples=39,
            alternative=alternative,
            random_state=0,
            **params,
        )
        .fit_predictions(truth, truth, b)
        .result_
    )
    fewest = 2.0**-n_wrong if result.method == "exact" else 1 / 40
    assert fewest <= result.pvalue <= 1


@pytest.mark.filterwarnings("ignore:The difference in mean_right is the same")
def test_a_perfect_model_has_the_smallest_pvalue_there_is():
    truth = np.arange(40) % 2
    for test in (PairedBootstrap, ApproxRandomization):
        comparison = test(scoring=BY_CALLS, n_resamples=99, random_state=0)
        assert comparison.fit_predictions(truth, truth, 1 - truth).pvalue_ == 1 / 100
        assert comparison.n_exceeding_ == 0
        assert comparison.fit_predictions(truth, 1 - truth, truth).pvalue_ == 1


@each_test
def test_add_one_counts_the_sample_itself_and_is_a_choice(test, labels):
    params = {"scoring": BY_CALLS, "n_resamples": 50, "random_state": 0}
    with_it = test(**params).fit_predictions(*labels)
    without = test(add_one=False, **params).fit_predictions(*labels)
    assert with_it.n_exceeding_ == without.n_exceeding_
    assert with_it.pvalue_ == (with_it.n_exceeding_ + 1) / 51
    assert without.pvalue_ == without.n_exceeding_ / 50
    for comparison in (with_it, without):
        p = comparison.pvalue_
        assert comparison.pvalue_error_ == pytest.approx(np.sqrt(p * (1 - p) / 50))


def test_an_exact_pvalue_counts_the_observed_labeling_once():
    truth, a, b = [0, 1, 0, 1], [0, 1, 0, 1], [1, 0, 0, 1]
    for add_one in (True, False):
        test = ApproxRandomization(scoring="accuracy", method="exact", add_one=add_one)
        assert test.fit_predictions(truth, a, b).pvalue_ == 1 / 4


@each_test
def test_discordant_rows_that_balance_give_one_in_two_sided_tests(test):
    truth = np.arange(40) % 2
    a, b = truth.copy(), truth.copy()
    a[:8], b[8:16] = 1 - a[:8], 1 - b[8:16]
    comparison = test(scoring="accuracy", alternative="two-sided", n_resamples=99)
    assert comparison.fit_predictions(truth, a, b).pvalue_ == pytest.approx(
        1, abs=1e-12
    )


@pytest.mark.parametrize(
    ("n_discordant", "n_resamples", "method"),
    [(5, 31, "monte-carlo"), (5, 32, "exact"), (25, 99, "monte-carlo")],
)
def test_auto_is_exact_if_that_is_no_more_work(n_discordant, n_resamples, method):
    truth = np.arange(40) % 2
    b = np.where(np.arange(40) < n_discordant, 1 - truth, truth)
    test = ApproxRandomization(scoring=BY_CALLS, n_resamples=n_resamples)
    result = test.fit_predictions(truth, truth, b).result_
    assert result.method == method
    assert result.n_resamples == n_resamples


# Ties


def test_ties_are_counted_in_spite_of_rounding():
    """Errors in tenths: many labelings have the same mean, few the same float."""
    tenths_a, tenths_b = np.array([[1, 2, 3, 1, 2, 3, 6], [3, 3, 1, 2, 6, 1, 7]])
    truth = np.arange(7) + 0.5
    comparison = ApproxRandomization(
        scoring="neg_mean_absolute_error", method="exact"
    ).fit_predictions(truth, truth + tenths_a / 10, truth - tenths_b / 10)
    gains = tenths_b - tenths_a
    signs = np.array(list(product([1, -1], repeat=7)))
    expected = np.sum(signs @ gains >= gains.sum())
    assert comparison.pvalue_ == pytest.approx(expected / 2**7)
    # the comparison of raw floats, which this is about, gets it wrong
    assert np.sum(comparison.distribution_ >= comparison.delta_) != expected


def test_bootstrap_ties_are_counted_in_spite_of_rounding():
    """Accuracies of ten documents are tenths: 0.9 - 0.7 is twice 0.8 - 0.7 or not."""
    truth, documents = np.arange(10) % 2, np.arange(10)
    a = np.where(documents < 2, 1 - truth, truth)
    b = np.where((documents > 1) & (documents < 5), 1 - truth, truth)
    test = PairedBootstrap(scoring="accuracy", n_resamples=499, random_state=0)
    with pytest.warns(SmallSampleWarning):
        comparison = test.fit_predictions(truth, a, b)
    expected = np.sum(np.round(10 * comparison.distribution_) >= 2)
    assert comparison.n_exceeding_ == expected
    # as above: 0.2 - 0.1 comes out below 0.8 - 0.7
    assert (
        np.sum(comparison.distribution_ - comparison.delta_ >= comparison.delta_)
        != expected
    )


@each_test
@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize("slope", [0.5, 0.0])
def test_scores_that_differ_by_rounding_alone_are_equal(test, alternative, slope):
    """What a prediction adds throughout explains no variance.

    Both scores are 0.75 or, for constants, 0: that of a difference of ones.
    """
    truth = np.random.default_rng(0).normal(3.0, size=40)
    a, b = slope * truth + 0.1, slope * truth + 0.7
    comparison = test(
        scoring="explained_variance",
        alternative=alternative,
        n_resamples=99,
        random_state=0,
    ).fit_predictions(truth, a, b)
    assert comparison.delta_ == pytest.approx(0, abs=1e-12)
    assert comparison.pvalue_ > 0.3


@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e20])
def test_the_unit_of_a_loss_does_not_matter(scale):
    rng = np.random.default_rng(1)
    truth, a, b = rng.normal(size=(3, 12)) * scale
    comparison = ApproxRandomization(scoring="neg_mean_absolute_error", method="exact")
    comparison.fit_predictions(truth, a, b)
    unscaled = ApproxRandomization(scoring="neg_mean_absolute_error", method="exact")
    unscaled.fit_predictions(truth / scale, a / scale, b / scale)
    assert comparison.pvalue_ == unscaled.pvalue_


def test_tolerance_is_relative_to_the_scores_and_counts_both_ways():
    null = np.array([0.1 + 0.2, -(0.1 + 0.2), 0.0, np.nan])
    tolerance = rounding_tolerance([0.7, 0.4])
    assert 0 < tolerance < 1e-10
    observed = 0.3 + 2e-16
    assert count_exceeding(null, observed, "greater", tolerance=tolerance) == 2
    assert count_exceeding(null, -observed, "less", tolerance=tolerance) == 2
    assert count_exceeding(null, observed, "two-sided", tolerance=tolerance) == 3


# Seeds


@each_way
def test_the_same_seed_gives_the_same_numbers(test, params, labels):
    data = few_differences(*labels)
    runs = [
        test(scoring="f1", n_resamples=40, random_state=seed, **params)
        .fit_predictions(*data)
        .result_
        for seed in (0, 0, 1)
    ]
    np.testing.assert_array_equal(runs[0].distribution, runs[1].distribution)
    assert runs[0].to_dict() == runs[1].to_dict()
    if params.get("method") != "exact":  # 0 is a seed like any other
        assert (runs[0].distribution != runs[2].distribution).any()


@each_test
@pytest.mark.parametrize("make", [np.random.RandomState, np.random.default_rng])
def test_a_generator_is_a_source_of_seeds(test, make, labels):
    def run(random_state):
        comparison = test(scoring="f1", n_resamples=40, random_state=random_state)
        return comparison.fit_predictions(*labels).result_

    shared = make(0)
    first, second, fresh = run(shared), run(shared), run(make(0))
    assert first.seed != second.seed
    np.testing.assert_array_equal(first.distribution, fresh.distribution)
    assert (first.distribution != second.distribution).any()
    again = run(first.seed)  # the seed of a result repeats it
    np.testing.assert_array_equal(first.distribution, again.distribution)


@each_test
def test_a_run_without_a_seed_can_be_repeated_from_its_result(test, labels):
    first = test(scoring="f1", n_resamples=40).fit_predictions(*labels).result_
    other = test(scoring="f1", n_resamples=40).fit_predictions(*labels).result_
    assert first.seed != other.seed
    again = test(scoring="f1", n_resamples=40, random_state=first.seed)
    again.fit_predictions(*labels)
    np.testing.assert_array_equal(first.distribution, again.distribution_)


@each_test
@pytest.mark.parametrize("random_state", [None, 0])
def test_numpys_global_generator_is_left_alone(test, random_state, labels):
    before = np.random.get_state()  # noqa: NPY002
    test(n_resamples=40, random_state=random_state).fit_predictions(*labels)
    after = np.random.get_state()  # noqa: NPY002
    np.testing.assert_array_equal(before[1], after[1])
    assert before[2:] == after[2:]


def test_chunks_have_generators_of_their_own():
    draws = [
        chunk_generator(seed, i).random() for seed, i in product(range(3), repeat=2)
    ]
    assert len(set(draws)) == 9
    assert chunk_generator(1, 2).random() == chunk_generator(1, 2).random()
    assert seed_of(np.int64(7)) == 7


def test_fresh_seeds_survive_programs_that_read_numbers_as_floats():
    seeds = [seed_of(None) for _ in range(100)]
    assert len(set(seeds)) == 100
    assert all(int(float(seed)) == seed for seed in seeds)
    assert max(seeds) > 2**44


@each_test
@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", "r2", BY_CALLS], ids=str)
def test_more_resamples_add_to_the_same_whole_chunks(test, scoring, data_for):
    few, many = (
        test(scoring=scoring, n_resamples=n, random_state=3, **params)
        .fit_predictions(*data_for(scoring))
        .distribution_
        for params in [{"method": "monte-carlo"} if test is ApproxRandomization else {}]
        for n in (1024, 2 * 1024 + 5)
    )
    np.testing.assert_array_equal(few, many[:1024])


# Workers


@pytest.fixture
def workers_always(monkeypatch):
    """Let workers start however little there is to do."""
    monkeypatch.setattr("skcompare._engine._workers.SECONDS_WORTH_WORKERS", 0.0)


@each_test
@pytest.mark.usefixtures("workers_always")
@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_workers_give_the_same_bits(test, backend, data_for):
    for scoring, n_resamples in (("f1", 2500), (BY_CALLS, 70)):
        comparison = test(scoring=scoring, n_resamples=n_resamples, random_state=5)
        alone = comparison.fit_predictions(*data_for(scoring)).result_
        with joblib.parallel_config(backend=backend):
            comparison.set_params(n_jobs=2).fit_predictions(*data_for(scoring))
        np.testing.assert_array_equal(comparison.distribution_, alone.distribution)
        assert comparison.result_.to_dict() == alone.to_dict()


@pytest.mark.usefixtures("workers_always")
@pytest.mark.parametrize("interval", ["bca", "studentized"])
def test_intervals_are_the_same_with_workers(interval, labels):
    comparison = PairedBootstrap(
        scoring=BY_CALLS, interval=interval, n_resamples=40, random_state=5
    )
    alone = comparison.fit_predictions(*labels).confidence_interval_
    comparison.set_params(n_jobs=2).fit_predictions(*labels)
    assert comparison.confidence_interval_ == alone


@pytest.mark.usefixtures("workers_always")
@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_workers_do_work(backend, labels, tmp_path):
    here = os.getpid()

    def score(estimator, X, y):
        (tmp_path / f"{os.getpid()}-{threading.get_ident()}").touch()
        if backend == "loky" and os.getpid() == here and len(os.listdir(tmp_path)) < 2:
            time.sleep(0.05)  # while the other starts
        return float(np.mean(estimator.predict(X) == y))

    with joblib.parallel_config(backend=backend):
        PairedBootstrap(scoring=score, n_resamples=200, n_jobs=2).fit_predictions(
            *labels
        )
    assert len(list(tmp_path.iterdir())) > 1


# Data that make the question meaningless, or nearly so


@each_way
@pytest.mark.parametrize("scoring", ["accuracy", "f1", BY_CALLS], ids=str)
def test_models_that_always_agree_have_pvalue_one(test, params, scoring, labels):
    truth, pred, _ = labels
    comparison = test(scoring=scoring, n_resamples=19, random_state=0, **params)
    with pytest.warns(DegenerateDataWarning, match="same on all 60") as caught:
        result = comparison.fit_predictions(truth, pred, pred.copy()).result_
    assert len(caught) == 1
    assert (result.delta, result.pvalue) == (0, 1)
    if test is PairedBootstrap:
        low, high = result.confidence_interval
        assert low == -high
        assert np.isfinite(high) == (scoring != BY_CALLS)  # a bound, if there is one
    assert result.score_a == result.score_b


@each_test
@pytest.mark.parametrize("cv", ["prefit", 3])
def test_a_model_compared_with_itself_has_pvalue_one(test, cv, classification):
    X_train, y_train, X, y = classification
    model = LogisticRegression().fit(X_train, y_train)
    comparison = test(model, model, cv=cv, scoring="neg_log_loss", n_resamples=19)
    with pytest.warns(DegenerateDataWarning) as caught:
        comparison.fit(X, y)
    assert len(caught) == 1
    assert (comparison.delta_, comparison.pvalue_) == (0, 1)
    assert comparison.best_estimator_ is not None


def test_few_rows_or_groups_are_warned_of(labels):
    truth, a, b = labels
    test = PairedBootstrap(scoring="accuracy", n_resamples=19)
    test.fit_predictions(truth[:30], a[:30], b[:30])  # warnings are errors
    with pytest.warns(SmallSampleWarning, match="29 rows .*ApproxRandomization"):
        test.fit_predictions(truth[:29], a[:29], b[:29])
    assert any("29 rows" in caveat for caveat in test.result_.caveats)
    with pytest.warns(SmallSampleWarning, match="20 groups .*ApproxRandomization"):
        test.fit_predictions(*labels, groups=np.arange(60) // 3)
    with pytest.warns(SmallSampleWarning, match="Strata of one row: 1. A unit alone"):
        test.fit_predictions(*labels, strata=np.arange(60) == 7)


ONE = np.arange(60) == 7


@pytest.mark.parametrize(
    ("test", "differs", "rows", "count"),
    [
        (PairedBootstrap(), np.arange(60) < 9, {"sample_weight": ONE}, "1 row of"),
        (WildClusterBootstrap(), ONE, {}, "1 row"),
        (ApproxRandomization(), ONE, {"groups": np.zeros(60)}, "60 rows in 1 group"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_count_of_one_is_singular(test, differs, rows, count):
    y = np.arange(60) % 2
    test.set_params(scoring="accuracy", random_state=0)
    with warnings.catch_warnings(action="ignore"):
        test.fit_predictions(y, np.where(differs, 1 - y, y), y, **rows)
    sentence = test.result_.sentence()
    assert count in sentence
    assert f"{count}s" not in sentence


def test_randomization_is_fine_with_few_rows(labels):
    test = ApproxRandomization(scoring="accuracy", n_resamples=19)
    test.fit_predictions(*(column[:8] for column in labels))  # warnings are errors


RARE = np.arange(60) % 20 == 0  # three positives: one resample in 21 has none


@pytest.fixture
def rare(scores):
    _, a, b = scores
    return RARE.astype(int), a, b


def auc_by_pairs(y_true, y_score):
    """Score as ROC AUC does, raising where there are no pairs."""
    pairs = np.subtract.outer(y_score[y_true == 1], y_score[y_true == 0])
    if not pairs.size:
        raise ZeroDivisionError
    return float(np.mean((pairs > 0) + 0.5 * (pairs == 0)))


RAISING = make_scorer(auc_by_pairs, response_method="decision_function")


@pytest.mark.parametrize("scoring", ["roc_auc", RAISING], ids=str)
@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_undefined_resamples_are_counted_and_never_help(scoring, alternative, rare):
    test = PairedBootstrap(
        scoring=scoring,
        n_resamples=200,
        alternative=alternative,
        method="shift",
        interval="percentile",
        random_state=0,
    )
    match = "ApproxRandomization, which is valid"  # strata of so few rows do not
    with pytest.warns(UndefinedScoreWarning, match=match) as caught:
        result = test.fit_predictions(*rare).result_
    assert len(caught) == 1
    share = 100 * result.n_undefined / 200
    caution = f"{share:.0f} % of resamples are undefined"
    assert (caution in result.sentence()) == (share > 5)
    undefined = np.isnan(result.distribution)
    assert result.n_undefined == undefined.sum() > 0
    assert f"of 200: {result.scoring} on {result.n_undefined}." in str(
        caught[0].message
    )
    defined = result.distribution[~undefined]
    among_defined = count_exceeding(
        defined - result.delta, result.delta, alternative, tolerance=1e-12
    )
    assert result.n_exceeding == among_defined + result.n_undefined
    assert result.confidence_interval == percentile_interval(defined, 0.95)
    assert result.standard_error == pytest.approx(defined.std(ddof=1))


@pytest.mark.parametrize("interval", INTERVALS)
def test_intervals_leave_undefined_resamples_out(interval, rare):
    test = PairedBootstrap(
        scoring="roc_auc", interval=interval, n_resamples=59, random_state=0
    )
    with pytest.warns(UndefinedScoreWarning):
        test.fit_predictions(*rare)
    low, high = test.confidence_interval_
    assert low < test.delta_ < high


@pytest.mark.parametrize("interval", INTERVALS)
def test_one_resample_is_few_and_no_error(interval, labels):
    test = PairedBootstrap(scoring=BY_CALLS, interval=interval, n_resamples=1)
    low, high = test.fit_predictions(*labels).confidence_interval_
    assert low <= high  # and is a number


@pytest.mark.parametrize("interval", INTERVALS)
def test_strata_keep_all_classes_in_every_resample(interval, rare):
    test = PairedBootstrap(scoring="roc_auc", interval=interval, n_resamples=59)
    test.fit_predictions(*rare, strata=rare[0])  # warnings are errors
    assert test.result_.n_undefined == 0


# Groups and strata


def drawn_rows(n_resamples=20, n_rows=60, **fit_params):
    """Return how often each row is in each resample, as a scorer sees it."""
    seen = []

    def record(estimator, X, y):
        seen.append(np.bincount(X, minlength=n_rows))
        return float(estimator.predict(X).mean())

    truth = np.arange(n_rows) % 2
    test = PairedBootstrap(scoring=record, n_resamples=n_resamples, random_state=0)
    test.fit_predictions(truth, truth, 1 - truth, **fit_params)
    return np.array(seen[2 : 2 + 2 * n_resamples : 2])


GROUPS = np.array([f"patient {number}" for number in np.arange(60) * 7 % 31])
CENTERS = np.array([f"center {number}" for number in (np.arange(60) * 7 % 31) % 3])


def test_rows_of_a_group_are_drawn_together():
    counts = drawn_rows(groups=GROUPS)
    for group in set(GROUPS):
        rows = counts[:, group == GROUPS]
        assert (rows == rows[:, :1]).all()
    one_of_each = [np.flatnonzero(group == GROUPS)[0] for group in sorted(set(GROUPS))]
    assert (counts[:, one_of_each].sum(axis=1) == 31).all()
    assert counts.max() > 1


def test_strata_keep_their_sizes():
    strata = np.array(["rare", "common", "common"])[np.arange(60) % 3]
    counts = drawn_rows(strata=strata)
    assert (counts[:, strata == "rare"].sum(axis=1) == 20).all()
    assert (counts[:, strata == "common"].sum(axis=1) == 40).all()
    assert counts.max() > 1


def test_groups_in_strata_keep_their_numbers():
    counts = drawn_rows(groups=GROUPS, strata=CENTERS)
    for center in set(CENTERS):
        members = sorted(set(GROUPS[center == CENTERS]))
        firsts = [np.flatnonzero(group == GROUPS)[0] for group in members]
        assert (counts[:, firsts].sum(axis=1) == len(members)).all()


@each_test
def test_groups_that_cross_strata_are_an_error(test, labels):
    comparison = test(n_resamples=19)
    with pytest.raises(ValueError, match="`groups` must nest in `strata`"):
        comparison.fit_predictions(*labels, groups=GROUPS, strata=np.arange(60) % 2)


def test_predictions_of_a_group_are_exchanged_together():
    seen = []

    def record(estimator, X, y):
        seen.append(estimator.predict(X))
        return float(seen[-1] @ np.arange(60))

    ones = np.ones(60, dtype=int)
    test = ApproxRandomization(scoring=record, n_resamples=20, random_state=0)
    test.fit_predictions(np.arange(60) % 2, ones, 1 - ones, groups=GROUPS)
    first, second = np.array(seen[2::2]), np.array(seen[3::2])
    np.testing.assert_array_equal(first, 1 - second)
    for group in set(GROUPS):
        rows = first[:, group == GROUPS]
        assert (rows == rows[:, :1]).all()
    assert 0.4 < first.mean() < 0.6


@each_test
@pytest.mark.parametrize("scoring", ["accuracy", BY_CALLS], ids=str)
def test_groups_of_one_row_are_rows(test, scoring, labels):
    by_row, by_group = (
        test(scoring=scoring, n_resamples=500, random_state=0)
        .fit_predictions(*labels, groups=groups)
        .result_
        for groups in (None, np.arange(60))
    )
    assert by_group.n_units == 60
    assert by_group.standard_error == pytest.approx(by_row.standard_error, rel=0.15)
    if scoring is BY_CALLS:
        np.testing.assert_array_equal(by_row.distribution, by_group.distribution)


@each_test
@pytest.mark.parametrize("scoring", ["accuracy", BY_CALLS], ids=str)
def test_doubling_every_row_into_a_group_changes_nothing(test, scoring, labels):
    once = test(scoring=scoring, n_resamples=800, random_state=0)
    once.fit_predictions(*labels)
    twice = test(scoring=scoring, n_resamples=800, random_state=1)
    twice.fit_predictions(
        *(np.repeat(column, 2) for column in labels), groups=np.arange(120) // 2
    )
    assert twice.delta_ == pytest.approx(once.delta_)
    assert twice.standard_error_ == pytest.approx(once.standard_error_, rel=0.15)


def test_strata_make_no_difference_to_an_exchange(labels):
    runs = [
        ApproxRandomization(scoring="accuracy", n_resamples=99, random_state=0)
        .fit_predictions(*labels, strata=strata)
        .pvalue_
        for strata in (None, labels[0])
    ]
    assert runs[0] == pytest.approx(runs[1], abs=0.1)


def test_units_refuse_groups_that_cross_strata():
    with pytest.raises(ValueError, match="that of row 1"):
        Units(3, groups=np.array([0, 0, 1]), strata=np.array([0, 1, 1]))


# Several metrics


@each_test
def test_several_metrics_share_their_resamples(test, labels):
    scoring = {
        "accuracy": "accuracy",
        "again": make_scorer(accuracy_score),
        "loss": make_scorer(zero_one_loss, greater_is_better=False),
        "by calls": BY_CALLS,
    }
    comparison = test(scoring=scoring, n_resamples=50, random_state=0)
    comparison.fit_predictions(*labels)
    first, *others = (result.distribution for result in comparison.results_.values())
    for other in others:
        np.testing.assert_allclose(first, other, atol=1e-12)


def lead_without_spread(n_rows=100):
    """Return labels of which A has all positives right, and B none."""
    truth = np.arange(n_rows) % 2
    a, b = truth.copy(), np.zeros(n_rows, dtype=int)
    a[:40:2] = 1
    return truth, a, b


def unequal_rates(n_rows=200):
    """Return labels that A calls positive far more often than B."""
    rows, truth = np.arange(n_rows), np.arange(n_rows) % 2
    return truth, np.where(rows < 150, 1, truth), np.where(rows < 30, truth, 0)


@pytest.mark.parametrize(
    ("test", "data", "groups", "metric", "words"),
    [
        (PairedBootstrap, lead_without_spread(), None, "recall", "same on every"),
        (ApproxRandomization, unequal_rates(), None, "f1", "not exchangeable"),
        (
            WildClusterBootstrap,
            [np.where(np.arange(100) < 16, p, 0) for p in lead_without_spread()],
            np.arange(100) // 2,
            "recall",
            "recall depends on only 8 groups",
        ),
    ],
)
def test_caveats_of_one_metric_are_kept_with_its_result(
    test, data, groups, metric, words
):
    test = test(scoring=["accuracy", metric], n_resamples=99, random_state=0)
    with pytest.warns(ComparisonWarning, match=words):
        test.fit_predictions(*data, groups=groups)
    caveats = {m: " ".join(result.caveats) for m, result in test.results_.items()}
    assert words in caveats[metric]
    assert words not in caveats["accuracy"]


def test_caveats_of_one_metric_of_pairs_are_kept_with_its_result():
    truth, a, b = lead_without_spread()
    pairs = PairwiseComparison(scoring=["accuracy", "recall"], random_state=0)
    with pytest.warns(DegenerateDataWarning, match="same on every resample"):
        pairs.fit_predictions(truth, {"a": a, "b": b})
    assert "same on every" in " ".join(pairs.results_["recall"].caveats)
    assert "same on every" not in " ".join(pairs.results_["accuracy"].caveats)


@each_test
def test_several_metrics_have_no_single_result(test, labels):
    comparison = test(scoring=["f1", "accuracy"], n_resamples=19).fit_predictions(
        *labels
    )
    assert list(comparison.results_) == ["f1", "accuracy"]
    names = [
        "result_",
        "delta_",
        "score_a_",
        "score_b_",
        "pvalue_",
        "pvalue_error_",
        "n_exceeding_",
        "standard_error_",
        "distribution_",
    ]
    if test is PairedBootstrap:
        names += ["confidence_interval_", "score_a_interval_", "score_b_interval_"]
    for name in names:
        with pytest.raises(AttributeError, match=r"results_\[name\].*'f1', 'accuracy'"):
            getattr(comparison, name)


@each_test
def test_one_metric_is_in_results_too(test, labels):
    comparison = test(scoring="f1", n_resamples=19).fit_predictions(*labels)
    assert comparison.results_ == {"f1": comparison.result_}
    assert comparison.pvalue_ == comparison.result_.pvalue


def test_score_intervals_are_percentiles_of_each_models_scores(labels):
    truth, a, _ = labels
    comparison = PairedBootstrap(scoring="accuracy", n_resamples=2000, random_state=0)
    comparison.fit_predictions(*labels)
    right = np.sum(truth == a)
    counts = np.random.default_rng(1).binomial(60, right / 60, size=20_000)
    np.testing.assert_allclose(
        comparison.score_a_interval_,
        np.quantile(counts / 60, [0.025, 0.975]),
        atol=1.5 / 60,
    )


# Attributes of an earlier fit


def test_a_new_fit_forgets_the_earlier_one(classification, classifiers):
    *_, X, y = classification
    test = PairedBootstrap(*classifiers, cv=3, n_resamples=9).fit(X, y)
    assert hasattr(test, "fold_")
    test.set_params(cv="prefit").fit(X, y)
    assert not hasattr(test, "fold_")
    assert test.best_estimator_ in classifiers
    a, b = (model.predict(X) for model in classifiers)
    test.fit_predictions(y, a, b)
    assert not hasattr(test, "best_estimator_")


# Progress


@each_test
@pytest.mark.parametrize("installed", [True, False], ids=["tqdm", "plain"])
def test_verbose_shows_progress_on_stderr(test, installed, labels, capsys, monkeypatch):
    if installed:
        pytest.importorskip("tqdm")
    else:
        for name in ("tqdm", "tqdm.auto"):
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr("skcompare._progress.PATIENCE", 0.0)
    test(scoring=BY_CALLS, n_resamples=100, verbose=1).fit_predictions(*labels)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert ("100/100" if installed else "100 of 100") in printed.err


@each_test
def test_silence_is_the_default(test, labels, capsys):
    test(scoring=BY_CALLS, n_resamples=100).fit_predictions(*labels)
    assert capsys.readouterr() == ("", "")


def test_seeds_mean_the_same_in_every_process(labels):
    """No hash of a string, no order of a set finds its way into the numbers."""
    code = (
        "import json, numpy as np; from skcompare import PairedBootstrap\n"
        "y, a, b = np.array(json.loads(input()))\n"
        "t = PairedBootstrap(scoring=['f1', 'accuracy'], n_resamples=50,"
        " random_state=1).fit_predictions(y, a, b)\n"
        "print(json.dumps([r.pvalue for r in t.results_.values()]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(np.array(labels).tolist()) + "\n",
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    here = PairedBootstrap(scoring=["f1", "accuracy"], n_resamples=50, random_state=1)
    here.fit_predictions(*labels)
    assert json.loads(run.stdout) == [r.pvalue for r in here.results_.values()]


@pytest.mark.parametrize("n", [3, 999, 40_000])
def test_the_tolerance_is_that_of_scores_of_all_models(n):
    """Whatever part of many resamples is looked at, no model and no size is missed."""
    small, large = np.full(n, 1e-3), np.full(n, 5.0)
    scores = np.column_stack([small, large, large])
    scores[0], scores[1, 2] = 1e9, np.nan
    assert rounding_tolerance(scores) == pytest.approx(5e-12)
