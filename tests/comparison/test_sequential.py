"""Sequential Monte Carlo p-values: valid, and decided with a stated risk."""

import itertools

import numpy as np
import pytest
from scipy import special, stats
from sklearn.metrics import make_scorer

from skcompare import ApproxRandomization, PairedBootstrap
from skcompare.stats.sequential import StoppingRule


def endings(rule):
    """Return all ways that runs can end: (count, resamples, paths), by enumeration."""
    found = {}
    for path in itertools.product((0, 1), repeat=int(rule.looks[-1])):
        counts = np.cumsum(path)[rule.looks - 1]
        place = next(
            i
            for i, (s, n) in enumerate(zip(counts, rule.looks, strict=True))
            if rule.stops(s, n)
        )
        n = int(rule.looks[place])
        found.setdefault((int(counts[place]), n), set()).add(path[:n])
    return {ending: len(paths) for ending, paths in found.items()}


RULES = [
    StoppingRule([2, 4, 6, 10], alpha=0.4, risk=30.0),
    StoppingRule([3, 12], alpha=0.3, risk=60.0),
    StoppingRule([5, 6, 7, 8, 9], alpha=0.5, risk=20.0),
]
# A risk of 30 spends 30 * 2 / 1002 at two resamples: tiny runs that do stop early.


@pytest.mark.parametrize("rule", RULES)
def test_pvalues_are_those_of_all_paths_under_a_uniform_share(rule):
    ways = endings(rule)
    assert len({n for _, n in ways}) > 1  # some runs stop early
    chances = {
        (s, n): paths * special.beta(s + 1, n - s + 1) for (s, n), paths in ways.items()
    }
    assert sum(chances.values()) == pytest.approx(1)
    for s, n in ways:
        as_small = [p for (t, m), p in chances.items() if t * n <= s * m]
        assert rule.pvalue(s, n) == pytest.approx(sum(as_small))


@pytest.mark.parametrize("rule", RULES)
def test_pvalues_are_valid_at_every_level(rule):
    chances = [
        (rule.pvalue(s, n), paths * special.beta(s + 1, n - s + 1))
        for (s, n), paths in endings(rule).items()
    ]
    for level, _ in chances:
        small = sum(chance for pvalue, chance in chances if pvalue <= level + 1e-12)
        assert small <= level + 1e-12


def test_a_single_look_gives_the_usual_pvalue():
    rule = StoppingRule([99], alpha=0.05, risk=1e-3)
    for s in (0, 4, 50, 99):
        assert rule.pvalue(s, 99) == pytest.approx((s + 1) / 100)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_the_risk_is_kept_at_the_level_itself(alpha):
    """Exactly, by the distribution of counts at a share of alpha."""
    risk, looks = 1e-3, [64, 128, 256, 512, 1_024]
    rule = StoppingRule(looks, alpha=alpha, risk=risk)
    alive, done, below, above = {0: 1.0}, 0, 0.0, 0.0
    for look in looks:
        after = {}
        for s, chance in alive.items():
            for more, p in enumerate(
                stats.binom.pmf(range(look - done + 1), look - done, alpha)
            ):
                after[s + more] = after.get(s + more, 0.0) + chance * p
        settled = [s for s in after if rule.settles(s, look)]
        below += sum(after[s] for s in settled if s < alpha * look)
        above += sum(after[s] for s in settled if s > alpha * look)
        alive = {s: p for s, p in after.items() if s not in set(settled)}
        done = look
    assert 0 < above <= risk
    assert below <= risk


def test_clear_cases_stop_early_and_close_ones_go_on():
    looks = np.arange(112, 9_999, 112)
    rule = StoppingRule(looks, alpha=0.05, risk=1e-3)
    assert rule.stops(56, 112)
    assert rule.stops(0, 224)
    assert not rule.stops(56, 1_120)


BOTH_TESTS = {
    PairedBootstrap: {},
    ApproxRandomization: {"method": "monte-carlo"},
}
each_test = pytest.mark.parametrize("test", BOTH_TESTS)


def plain_accuracy(y_true, y_pred):
    return float(np.mean(y_true == y_pred))


def answers(n_rows, shares, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n_rows)
    return y, *(np.where(rng.random(n_rows) < share, y, 1 - y) for share in shares)


def compare(test, data, **options):
    options = {"scoring": make_scorer(plain_accuracy), **BOTH_TESTS[test], **options}
    return test(random_state=0, **options).fit_predictions(*data).result_


@each_test
@pytest.mark.parametrize("shares", [(0.9, 0.6), (0.6, 0.9), (0.7, 0.7)])
def test_a_clear_decision_stops_early_and_agrees_with_a_full_run(test, shares):
    data = answers(300, shares)
    found = compare(test, data, n_resamples="auto")
    full = compare(test, data, n_resamples=9_999)
    assert found.n_resamples <= 0.4 * full.n_resamples
    assert found.decision_risk == 1e-3
    assert found.significant == full.significant
    assert len(found.distribution) == found.n_resamples
    np.testing.assert_array_equal(
        found.distribution, full.distribution[: found.n_resamples]
    )
    assert f"Stopped after {found.n_resamples:,} resamples" in found.summary()
    assert "|stopping:auto|" in found.signature


def test_a_close_decision_runs_to_the_end_and_says_so():
    data = answers(300, (0.8, 0.7))
    found = compare(ApproxRandomization, data, n_resamples="auto")
    assert 0.04 < found.pvalue < 0.06
    assert found.n_resamples == 9_999
    assert found.decision_risk == 1
    assert "too close to the level" in found.summary()


def test_a_slow_metric_is_called_seldom():
    calls = []

    def counted(y_true, y_pred):
        calls.append(1)
        return plain_accuracy(y_true, y_pred)

    data = answers(300, (0.7, 0.7))
    scoring = make_scorer(counted)
    compare(ApproxRandomization, data, scoring=scoring, n_resamples="auto")
    assert len(calls) < 500


def plain_recall(y_true, y_pred):
    return float(np.mean(y_pred[y_true == 1] == 1))


@each_test
def test_each_of_several_metrics_stops_when_it_is_certain(test):
    data = answers(300, (0.8, 0.72))
    scoring = {"a": make_scorer(plain_accuracy), "r": make_scorer(plain_recall)}
    options = {"n_resamples": "auto", "random_state": 0, **BOTH_TESTS[test]}
    together = test(scoring=scoring, **options).fit_predictions(*data).results_
    assert together["a"].n_resamples != together["r"].n_resamples
    for name, scorer in scoring.items():
        alone = test(scoring=scorer, **options).fit_predictions(*data)
        assert alone.pvalue_ == together[name].pvalue


@each_test
def test_workers_do_not_change_where_a_run_stops(test):
    data = answers(300, (0.8, 0.72))
    found = [compare(test, data, n_resamples="auto", n_jobs=n) for n in (None, 2)]
    assert found[0].to_dict(arrays=True) == found[1].to_dict(arrays=True)


def test_exact_pvalues_need_no_stopping():
    found = compare(
        ApproxRandomization, answers(30, (0.9, 0.8)), n_resamples="auto", method="auto"
    )
    assert found.method == "exact"
    assert found.decision_risk is None


@pytest.mark.parametrize("interval", ["basic", "bca", "studentized"])
def test_other_intervals_can_stop_early_too(interval):
    data = answers(100, (0.9, 0.6))
    options = {"scoring": "accuracy", "interval": interval}
    found = compare(PairedBootstrap, data, n_resamples="auto", **options)
    assert 1_000 <= found.n_resamples < 9_999
    assert found.confidence_interval.low > 0


def fitted(test, data, **params):
    params = {**BOTH_TESTS[test], **params}
    return test(random_state=0, **params).fit_predictions(*data)


@each_test
@pytest.mark.parametrize("scoring", ["accuracy", "f1", make_scorer(plain_accuracy)])
def test_extending_gives_what_one_run_would_have_given(test, scoring):
    data = answers(200, (0.8, 0.75))
    begun = fitted(test, data, scoring=scoring, n_resamples=500)
    first = begun.result_
    found = begun.extend(1_000).extend(77).result_
    expected = fitted(test, data, scoring=scoring, n_resamples=1_577).result_
    assert found.to_dict(arrays=True) == expected.to_dict(arrays=True)
    assert first.n_resamples == 500


def test_extending_calls_the_metric_for_the_new_resamples_only():
    calls = []

    def counted(y_true, y_pred):
        calls.append(1)
        return plain_accuracy(y_true, y_pred)

    data = answers(100, (0.8, 0.7))
    test = fitted(PairedBootstrap, data, scoring=make_scorer(counted), n_resamples=160)
    before = len(calls)
    test.extend(16)
    assert len(calls) - before == 2 * 16


@pytest.mark.parametrize("n_resamples", ["auto", "ideal"])
def test_what_needs_no_more_resamples_cannot_be_extended(n_resamples):
    data = answers(300, (0.9, 0.6))
    options = {"scoring": "accuracy", "n_resamples": n_resamples}
    test = fitted(PairedBootstrap, data, **options)
    with pytest.raises(ValueError, match="nothing to extend"):
        test.extend(10)


def test_an_exact_pvalue_cannot_be_extended():
    data = answers(300, (0.9, 0.6))
    test = fitted(ApproxRandomization, data, scoring="accuracy", method="exact")
    assert test.result_.method == "exact"
    with pytest.raises(ValueError, match="An exact or ideal p-value needs no more"):
        test.extend(10)


@pytest.mark.parametrize("n", [0, -1, 1.5, "many"])
def test_extending_takes_a_positive_integer(n):
    test = fitted(PairedBootstrap, answers(50, (0.9, 0.6)), n_resamples=20)
    with pytest.raises(ValueError, match="`n_resamples` must be an integer from 1"):
        test.extend(n)


@each_test
def test_unknown_words_for_a_number_of_resamples_are_refused(test):
    with pytest.raises(ValueError, match="`n_resamples` must be one of"):
        compare(test, answers(50, (0.9, 0.6)), n_resamples="many")
