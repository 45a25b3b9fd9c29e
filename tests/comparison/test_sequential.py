"""Tests that stop early, and tests that are extended."""

import pickle

import numpy as np
import pytest
from sklearn.metrics import make_scorer

from skcompare import ApproxRandomization, PairedBootstrap

BOTH_TESTS = {
    PairedBootstrap: {},
    ApproxRandomization: {"method": "monte-carlo"},
}
each_test = pytest.mark.parametrize("test", BOTH_TESTS)


def plain_accuracy(y_true, y_pred):
    return float(np.mean(y_true == y_pred))


plain_accuracy.recognize = False


def predictions(n_rows, shares, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n_rows)
    return y, *(np.where(rng.random(n_rows) < share, y, 1 - y) for share in shares)


def fitted(test, data, **options):
    options = {"scoring": make_scorer(plain_accuracy), **BOTH_TESTS[test], **options}
    return test(random_state=0, **options).fit_predictions(*data)


def compare(test, data, **options):
    return fitted(test, data, **options).result_


@pytest.mark.parametrize(
    ("test", "shares"),
    [
        (PairedBootstrap, (0.9, 0.6)),
        (ApproxRandomization, (0.6, 0.9)),
        (ApproxRandomization, (0.7, 0.7)),
    ],
)
def test_a_clear_decision_stops_early_and_agrees_with_a_full_run(test, shares):
    data = predictions(300, shares)
    result = compare(test, data, n_resamples="auto")
    full = compare(test, data, n_resamples=9_999)
    assert result.n_resamples <= 0.4 * full.n_resamples
    assert result.decision_risk == 1e-3
    assert result.significant == full.significant
    assert len(result.distribution) == result.n_resamples
    np.testing.assert_array_equal(
        result.distribution, full.distribution[: result.n_resamples]
    )
    assert f"Stopped after {result.n_resamples:,} resamples" in result.summary()
    assert "|n_resamples:auto" in result.signature


def test_a_close_decision_runs_to_the_end_with_a_caveat():
    data = predictions(300, (0.8, 0.7))
    result = compare(ApproxRandomization, data, n_resamples="auto")
    assert 0.04 < result.pvalue < 0.06
    assert result.n_resamples == 9_999
    assert result.decision_risk == 1
    assert "too close to the level" in result.summary()


def test_a_slow_metric_is_called_seldom():
    calls = []

    def counted(y_true, y_pred):
        calls.append(1)
        return plain_accuracy(y_true, y_pred)

    data = predictions(300, (0.7, 0.7))
    scoring = make_scorer(counted)
    compare(ApproxRandomization, data, scoring=scoring, n_resamples="auto")
    assert len(calls) < 500


def plain_recall(y_true, y_pred):
    return float(np.mean(y_pred[y_true == 1] == 1))


plain_recall.recognize = False


@each_test
def test_each_of_several_metrics_stops_when_it_is_certain(test):
    data = predictions(300, (0.8, 0.72))
    scoring = {"a": make_scorer(plain_accuracy), "r": make_scorer(plain_recall)}
    options = {"n_resamples": "auto", "random_state": 0, **BOTH_TESTS[test]}
    together = test(scoring=scoring, **options).fit_predictions(*data).results_
    assert together["a"].n_resamples != together["r"].n_resamples
    for name, scorer in scoring.items():
        alone = test(scoring=scorer, **options).fit_predictions(*data)
        assert alone.pvalue_ == together[name].pvalue


@each_test
def test_workers_do_not_change_where_a_run_stops(test):
    data = predictions(300, (0.8, 0.72))
    results = [compare(test, data, n_resamples="auto", n_jobs=n) for n in (None, 2)]
    assert results[0].to_dict(arrays=True) == results[1].to_dict(arrays=True)


def test_twice_a_tail_is_decided_at_half_of_the_level():
    """A tail of 0.06 is clearly above 0.025, and not clearly above 0.05."""
    data = predictions(150, (0.88, 0.75))
    options = {"scoring": "accuracy", "method": "percentile", "n_resamples": "auto"}
    two, half, whole = (
        compare(PairedBootstrap, data, alternative=side, alpha=alpha, **options)
        for side, alpha in (("two-sided", 0.05), ("greater", 0.025), ("greater", 0.05))
    )
    assert two.n_resamples == half.n_resamples < whole.n_resamples
    assert two.pvalue == 2 * half.pvalue


def test_exact_pvalues_need_no_stopping():
    result = compare(
        ApproxRandomization,
        predictions(30, (0.9, 0.8)),
        n_resamples="auto",
        method="auto",
    )
    assert result.method == "exact"
    assert result.decision_risk is None


@pytest.mark.parametrize("interval", ["basic", "bca", "studentized"])
def test_other_intervals_can_stop_early_too(interval):
    data = predictions(100, (0.9, 0.6))
    options = {"scoring": "accuracy", "interval": interval}
    result = compare(PairedBootstrap, data, n_resamples="auto", **options)
    assert 1_000 <= result.n_resamples < 9_999
    assert result.confidence_interval.low > 0


@each_test
@pytest.mark.parametrize("scoring", ["accuracy", "f1", make_scorer(plain_accuracy)])
def test_extending_gives_the_result_of_one_run(test, scoring):
    data = predictions(200, (0.8, 0.75))
    begun = fitted(test, data, scoring=scoring, n_resamples=500)
    first = begun.result_
    extended = begun.extend(1_000).extend(77).result_
    expected = compare(test, data, scoring=scoring, n_resamples=1_577)
    assert extended.to_dict(arrays=True) == expected.to_dict(arrays=True)
    assert first.n_resamples == begun.n_resamples == 500


def test_extending_calls_the_metric_for_the_new_resamples_only():
    calls = []

    def counted(y_true, y_pred):
        calls.append(1)
        return plain_accuracy(y_true, y_pred)

    data = predictions(100, (0.8, 0.7))
    test = fitted(PairedBootstrap, data, scoring=make_scorer(counted), n_resamples=160)
    before = len(calls)
    test.extend(16)
    # And for each model once more, to see whether it is random, and twice to see
    # whether it depends on the order of rows.
    assert len(calls) - before == 2 * 16 + 6


@pytest.mark.parametrize("n_resamples", ["auto", "ideal"])
def test_other_numbers_of_resamples_cannot_be_extended(n_resamples):
    data = predictions(300, (0.9, 0.6))
    test = fitted(PairedBootstrap, data, scoring="accuracy", n_resamples=n_resamples)
    with pytest.raises(ValueError, match="nothing to extend"):
        test.extend(10)


def test_an_exact_pvalue_cannot_be_extended():
    data = predictions(300, (0.9, 0.6))
    test = fitted(ApproxRandomization, data, scoring="accuracy", method="exact")
    assert test.result_.method == "exact"
    with pytest.raises(ValueError, match="An exact or ideal p-value needs no more"):
        test.extend(10)


def test_a_test_that_was_sent_elsewhere_can_be_extended_there():
    data = predictions(50, (0.9, 0.6))
    test = fitted(PairedBootstrap, data, scoring="accuracy", n_resamples=20)
    copied = pickle.loads(pickle.dumps(test))
    assert copied.extend(30).pvalue_ == test.extend(30).pvalue_
    assert copied.result_.n_resamples == 50


@pytest.mark.parametrize("n", [0, -1, 1.5, "many"])
def test_extending_takes_a_positive_integer(n):
    test = fitted(PairedBootstrap, predictions(50, (0.9, 0.6)), n_resamples=20)
    with pytest.raises(ValueError, match="`n_resamples` must be an integer from 1"):
        test.extend(n)


@each_test
def test_unknown_words_for_a_number_of_resamples_are_refused(test):
    with pytest.raises(ValueError, match=r"`n_resamples` must be (one of )?'auto'"):
        compare(test, predictions(50, (0.9, 0.6)), n_resamples="many")
