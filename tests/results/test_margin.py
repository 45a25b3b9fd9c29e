"""P-values against a margin: non-inferiority, equivalence by two one-sided tests."""

import itertools
import warnings

import numpy as np
import pytest
from scipy import stats

from skcompare import ApproxRandomization, McNemar, PairedBootstrap
from skcompare.exceptions import DegenerateDataWarning, ParameterError
from skcompare.stats import margin_pvalue
from skcompare.stats.intervals import constant_interval
from tests.rates import assert_level_kept

N_ROWS = 60


@pytest.fixture(scope="module")
def labels():
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=N_ROWS)
    a, b = (np.where(rng.random(N_ROWS) < p, truth, 1 - truth) for p in (0.9, 0.7))
    return truth, a, b


def result_of(labels, **settings):
    settings = {"scoring": "accuracy", "n_resamples": 999, "random_state": 0} | settings
    return PairedBootstrap(**settings).fit_predictions(*labels).result_


def test_no_margin_is_the_test_itself(labels):
    result = result_of(labels)
    assert result.margin_pvalue(0.0) == result.pvalue
    assert result.margin_pvalue(1e-300) == result.pvalue
    mcnemar = McNemar().fit_predictions(*labels).result_
    assert mcnemar.margin_pvalue(0) == mcnemar.pvalue


@pytest.mark.parametrize("add_one", [True, False])
@pytest.mark.parametrize("method", ["shift", "percentile"])
def test_a_margin_counts_as_the_textbook_does(labels, method, add_one):
    result = result_of(labels, method=method, add_one=add_one, alternative="two-sided")
    # In whole rows, so that no rounding blurs ties.
    deltas = np.round(N_ROWS * result.distribution).astype(int)
    delta = round(N_ROWS * result.delta)
    for rows in (-6, 0, 3, 9, delta, delta + 2):
        above, below = deltas <= rows, deltas >= rows
        if method == "shift":
            above = deltas - delta >= delta - rows
            below = deltas - delta <= delta - rows
        for far, alternative, turn in ((above, "greater", -1), (below, "less", 1)):
            expected = (far.sum() + add_one) / (999 + add_one)
            if turn * rows > 0:  # so many rows, net, count against the alternative
                least = stats.binom.cdf(turn * delta, N_ROWS, turn * rows / N_ROWS)
                expected = max(expected, least)
            pvalue = result.margin_pvalue(rows / N_ROWS, alternative)
            assert pvalue == pytest.approx(expected, rel=1e-9)


def test_two_one_sided_tests_show_equivalence():
    deltas = np.linspace(-0.04, 0.06, 101)
    greater = margin_pvalue(deltas, 0.01, -0.045, "greater")
    less = margin_pvalue(deltas, 0.01, 0.065, "less")
    assert greater == less == 1 / 102
    # At a margin of 0.045 the upper side is unclear: 16 resamples are 0.035 below.
    less = margin_pvalue(deltas, 0.01, 0.045, "less", tolerance=1e-12)
    assert less == 17 / 102


def test_a_larger_margin_is_never_easier_to_show(labels):
    for method in ("shift", "percentile"):
        result = result_of(labels, method=method)
        pvalues = [result.margin_pvalue(m) for m in np.linspace(-0.3, 0.5, 33)]
        assert pvalues == sorted(pvalues)


def rows_of(n_rows, n_only_a, n_only_b):
    """Return a truth and two models that are right alone on so many rows."""
    truth = np.ones(n_rows, dtype=int)
    a, b = truth.copy(), truth.copy()
    b[:n_only_a] = 0
    a[n_only_a : n_only_a + n_only_b] = 0
    return truth, a, b


@pytest.mark.parametrize("side", ["greater", "less"])
def test_a_lead_without_spread_is_no_surer_beyond_a_margin(side):
    """Five rows that all agree may hide some that do not."""
    right, wrong = np.ones(5, dtype=int), np.zeros(5, dtype=int)
    models = (right, wrong) if side == "greater" else (wrong, right)
    with warnings.catch_warnings(action="ignore"):
        result = result_of((right, *models), alternative=side)
    sign = 1 if side == "greater" else -1
    assert result.delta == sign
    assert result.pvalue > 1 / 1_000
    # Up to 3/4 of all rows favor it, if the difference is 1/2 and others the reverse.
    pvalue = result.margin_pvalue(0.5 * sign, side)
    assert pvalue == pytest.approx(0.75**5)
    assert pvalue > result.pvalue


def test_rows_that_agree_have_the_pvalue_of_a_binomial_test(labels):
    truth, a, _ = labels
    with pytest.warns(UserWarning, match="predict the same"):
        result = result_of((truth, a, a), n_resamples=99)
    for margin in (0.001, 0.01, 0.1):
        expected = max(0.01, (1 - margin) ** N_ROWS)
        assert result.margin_pvalue(-margin) == pytest.approx(expected)
        assert result.margin_pvalue(margin, "less") == pytest.approx(expected)
    assert result.margin_pvalue(0.0) == result.margin_pvalue(0.01) == 1


@pytest.mark.parametrize("method", ["shift", "percentile"])
@pytest.mark.parametrize("n_losses", [1, 2, 5])
def test_losses_alone_show_no_more_than_a_binomial_test(method, n_losses):
    rows, margin = rows_of(300, 0, n_losses), 0.03
    result = result_of(rows, method=method)
    least = stats.binom.cdf(n_losses, 300, margin)
    assert result.margin_pvalue(-margin) >= least * (1 - 1e-9)
    truth, a, b = rows
    mirrored = result_of((truth, b, a), method=method).margin_pvalue(margin, "less")
    assert mirrored >= least * (1 - 1e-9)


def test_wins_make_up_for_losses():
    """Where many rows differ, the p-value is that of resamples."""
    result = result_of(rows_of(1000, 60, 50))
    assert result.delta == pytest.approx(0.01)
    assert result.margin_pvalue(-0.02) < 0.01
    assert result.margin_pvalue(-0.02) < result.margin_pvalue(0.0) < 0.5


def test_areas_that_move_on_all_rows_need_no_bound():
    """Twelve positives do not agree: their ranks bound the difference of areas."""
    rng = np.random.default_rng(0)
    truth = np.repeat([1, 0], [12, 288])
    scores = 1.5 * truth + rng.normal(size=300)
    a, b = scores + 0.02 * rng.normal(size=(2, 300))
    result = result_of((truth, a, b), scoring="roc_auc")
    assert result.standard_error < 0.01
    assert result.margin_pvalue(-0.05) == 0.001
    # A single pair of rows that changes places is no bound for others.
    swapped = scores.copy()
    order = np.argsort(scores)
    place = np.flatnonzero(np.diff(truth[order]))[0]
    swapped[order[[place, place + 1]]] = scores[order[[place + 1, place]]]
    result = result_of((truth, scores, swapped), scoring="roc_auc")
    assert result.limits.n_signs == 2
    assert result.margin_pvalue(-0.05) >= min(0.25, 0.95**12)


def test_groups_that_differ_need_no_bound():
    """Twenty groups of fifty rows: the difference varies little from one to another."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=1000)
    a, b = (np.where(rng.random(1000) < 0.9, truth, 1 - truth) for _ in "ab")
    test = PairedBootstrap(scoring="accuracy", n_resamples=999, random_state=0)
    with warnings.catch_warnings(action="ignore"):
        result = test.fit_predictions(truth, a, b, groups=np.arange(1000) // 50).result_
        assert result.margin_pvalue(-0.1) == 0.001
        # Groups that all agree may hide some that do not.
        same = test.fit_predictions(truth, a, a, groups=np.arange(1000) // 50).result_
    assert same.margin_pvalue(-0.1) == pytest.approx(0.9**20)


def test_a_lead_without_spread_has_a_bound_for_its_margin_pvalue():
    truth = np.arange(40) % 2
    with pytest.warns(UserWarning, match="same on every resample"):
        result = result_of((truth, truth, 1 - truth))
    assert result.margin_pvalue(0.999) > 0.9
    assert result.margin_pvalue(-0.5) <= result.margin_pvalue(0.0) == 0.001
    # Where the p-value is the level, the interval of twice the level ends.
    low = constant_interval(1.0, -1.0, 1.0, 40, 0.9).low
    assert result.margin_pvalue(low) == pytest.approx(0.05)


def test_without_bounds_and_spread_only_the_sign_is_significant():
    rng = np.random.default_rng(0)
    truth, pred = rng.normal(size=(2, 40))
    settings = {"scoring": "neg_mean_squared_error"}
    with pytest.warns(UserWarning, match="predict the same"):
        result = result_of((truth, pred, pred), **settings)
    assert result.margin_pvalue(-1e-6) == result.margin_pvalue(1e-6, "less") == 1
    with pytest.warns(UserWarning, match="same on every resample"):
        result = result_of((truth, truth, truth + 1), **settings)
    assert result.margin_pvalue(0.5) == 1
    assert result.margin_pvalue(-0.5) <= result.pvalue


def test_other_alternatives_count_signs_of_few_rows():
    """Three rows on which B alone is right show as much as three signs."""
    rows = rows_of(300, 0, 3)
    for method in ("shift", "percentile"):
        for alternative in ("greater", "two-sided"):
            result = result_of(rows, method=method, alternative=alternative)
            assert result.margin_pvalue(0.0, "less") == 0.125
            assert "scores higher" not in result.sentence()
    result = result_of(rows_of(300, 0, 8))
    assert "'less' would give p = 0.00" in result.sentence()


def test_a_model_that_only_loses_seldom_passes(simulations):
    """At the boundary, with losses alone, the binomial test holds the level."""
    margin, rng, passed = 0.01, np.random.default_rng(0), []

    def passes(seed):
        rows = rows_of(300, 0, rng.binomial(300, margin))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateDataWarning)
            result = result_of(rows, n_resamples=199, random_state=seed)
        passed.append(result.margin_pvalue(-margin) <= 0.05)
        return passed[-1]

    assert_level_kept(map(passes, itertools.count()), simulations(None, 4000))
    assert any(passed)


def test_other_tests_have_no_margin(labels):
    others = [
        ApproxRandomization(scoring="accuracy", n_resamples=99, random_state=0),
        PairedBootstrap(scoring="accuracy", n_resamples="ideal"),
        PairedBootstrap(scoring="accuracy", n_resamples="auto", random_state=0),
        McNemar(),
    ]
    for test in others:
        result = test.fit_predictions(*labels).result_
        with pytest.raises(ParameterError, match="`margin` must be 0 unless"):
            result.margin_pvalue(0.1)
    with pytest.raises(ParameterError, match="`alternative` must be one of"):
        result.margin_pvalue(0.1, "two-sided")


def test_a_true_difference_of_the_margin_is_seldom_exceeded(simulations):
    """At the boundary of the hypothesis the test rejects at the rate of its level."""
    rng, truth, passed = np.random.default_rng(0), np.ones(300, dtype=int), []

    def passes(seed):
        a, b = (rng.random(300) < p for p in (0.8, 0.75))
        test = PairedBootstrap(n_resamples=399, random_state=seed, scoring="accuracy")
        result = test.fit_predictions(truth, a.astype(int), b.astype(int)).result_
        passed.append(result.margin_pvalue(0.05) <= 0.05)
        return passed[-1]

    assert_level_kept(map(passes, itertools.count()), simulations(None, 4000))
    assert any(passed)
