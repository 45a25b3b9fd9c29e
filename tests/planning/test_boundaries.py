"""Advice, pairs and letters exactly at their limits."""

import warnings

import numpy as np
import pytest
from scipy import stats

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    CorrelationTest,
    DeLong,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    SignTest,
    check_choice,
    recommend_test,
)
from skcompare.exceptions import FewResamplesWarning
from skcompare.metrics import pearson_scorer

pytestmark = pytest.mark.usefixtures("quiet")

MID_P, EXACT, CHI2 = "mid-p", "exact", "chi2"
NOT_SHOWN = "n.s."  # the sign of a pair whose p-value is above the level
FEWEST_UNITS, FEWEST_CHECKED, MANY_ROWS, FEWEST_ROWS = 30, 20, 100, 10


def recommended(*data, **given):
    return recommend_test(*data, **given).test


def cautions(advice):
    return " ".join(advice.warnings)


def labels_of(n, n_only_a, n_only_b, y=None):
    """Return truth and predictions that differ on so many rows."""
    y = np.arange(n) % 2 if y is None else y
    rows = np.arange(n)
    only_a, only_b = rows < n_only_a, (rows >= n_only_a) & (rows < n_only_a + n_only_b)
    return y, np.where(only_b, 1 - y, y), np.where(only_a, 1 - y, y)


def losses_of(differences):
    """Return truth and predictions whose absolute errors differ by just so much."""
    n = len(differences)
    return np.zeros(n), 10.0 - differences, np.full(n, 10.0)


MAE = {"scoring": "neg_mean_absolute_error"}


# Which test


@pytest.mark.parametrize(
    ("n", "test"),
    [(FEWEST_UNITS, PairedBootstrap), (FEWEST_UNITS - 1, ApproxRandomization)],
)
def test_the_fewest_rows_for_a_bootstrap(n, test):
    data = labels_of(n, 5, 3)
    assert isinstance(recommended(*data, scoring="f1"), test)
    fits = check_choice(PairedBootstrap(scoring="f1"), *data)
    assert fits.ok == (n == FEWEST_UNITS)
    assert ("small test set" in cautions(recommend_test(*data, scoring="f1"))) == (
        n < FEWEST_UNITS
    )
    posterior = check_choice(BayesianComparison(scoring="f1"), *data)
    assert posterior.ok == (n == FEWEST_UNITS)


@pytest.mark.parametrize(
    ("n", "test"),
    [(FEWEST_UNITS, PairedBootstrap), (FEWEST_UNITS - 1, ApproxRandomization)],
)
def test_the_fewest_groups_for_a_bootstrap(n, test):
    data, groups = labels_of(3 * n, 5, 3), np.arange(3 * n) // 3
    assert isinstance(recommended(*data, scoring="f1", groups=groups), test)


@pytest.mark.parametrize(
    ("n", "test"),
    [(FEWEST_CHECKED, PairedTTest), (FEWEST_CHECKED - 1, ApproxRandomization)],
)
def test_the_fewest_rows_that_are_checked_for_normality(n, test):
    differences = 0.3 + stats.norm.ppf((np.arange(n) + 0.5) / n)
    # In an order without a trend.
    data = losses_of(np.random.default_rng(0).permutation(differences))
    assert isinstance(recommended(*data, **MAE), test)


@pytest.mark.parametrize(
    ("n", "test"),
    [(FEWEST_UNITS, CorrelationTest), (FEWEST_UNITS - 1, ApproxRandomization)],
)
def test_the_fewest_rows_for_the_theory_of_correlations(n, test):
    """Truth and predictions are as normal as so many values can be."""
    rng = np.random.default_rng(0)
    normal = stats.norm.ppf((np.arange(n) + 0.5) / n)
    y = rng.permutation(normal)
    a, b = (normal[np.argsort(np.argsort(y + rng.normal(size=n)))] for _ in range(2))
    assert isinstance(recommended(y, a, b, scoring=pearson_scorer()), test)


@pytest.mark.parametrize(
    ("n", "test"), [(MANY_ROWS, PairedTTest), (MANY_ROWS - 2, PairedBootstrap)]
)
def test_the_fewest_rows_for_the_central_limit_theorem(n, test):
    """Differences that are far from normal, and symmetric about their mean."""
    sides = np.tile([0.5, -0.3], n // 2) + np.repeat([0.001, -0.001], n // 2)
    data = losses_of(np.random.default_rng(0).permutation(sides))
    assert isinstance(recommended(*data, **MAE), test)
    assert check_choice(PairedTTest(**MAE), *data).ok == (n == MANY_ROWS)


@pytest.mark.parametrize(
    ("size", "test"), [(FEWEST_ROWS, DeLong), (FEWEST_ROWS - 1, ApproxRandomization)]
)
def test_the_smallest_class_for_delong(size, test):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [50, size])
    a, b = y + rng.normal(size=(2, len(y)))
    assert isinstance(recommended(y, a, b, scoring="roc_auc"), test)


@pytest.mark.parametrize(
    ("size", "is_small"), [(FEWEST_UNITS, False), (FEWEST_UNITS - 1, True)]
)
def test_the_smallest_class_that_delong_needs_no_caution_for(size, is_small):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [50, size])
    a, b = y + rng.normal(size=(2, len(y)))
    advice = recommend_test(y, a, b, scoring="roc_auc")
    assert isinstance(advice.test, DeLong)
    assert ("smaller class" in cautions(advice)) == is_small


@pytest.mark.parametrize("size", [FEWEST_ROWS, FEWEST_ROWS - 1])
def test_the_smallest_class_that_delong_puts_up_with(size):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [50, size])
    a, b = y + rng.normal(size=(2, len(y)))
    verdict = check_choice(DeLong(), y, a, b, scoring="roc_auc")
    assert verdict.ok == (size == FEWEST_ROWS)


@pytest.mark.parametrize(("n_discordant", "variant"), [(20, MID_P), (21, EXACT)])
def test_mid_p_is_for_no_more_than_half_of_the_rows(n_discordant, variant):
    data = labels_of(40, n_discordant - 4, 4)
    test = recommended(*data, scoring="accuracy")
    assert isinstance(test, McNemar)
    assert test.variant == variant


@pytest.mark.parametrize("n_discordant", [FEWEST_ROWS, FEWEST_ROWS - 1])
def test_the_fewest_discordant_rows_for_chi_square(n_discordant):
    data = labels_of(60, n_discordant - 2, 2)
    verdict = check_choice(McNemar(variant=CHI2), *data)
    assert verdict.ok == (n_discordant == FEWEST_ROWS)


# What to bear in mind


@pytest.mark.parametrize("n_rare", [10, 9])
def test_nine_tenths_of_one_class_are_not_yet_imbalanced(n_rare):
    y = np.zeros(100, dtype=int)
    y[::10][:n_rare] = 1
    data = labels_of(100, 12, 3, y)
    told = cautions(recommend_test(*data, scoring="accuracy"))
    assert ("balanced_accuracy" in told) == (n_rare == 9)


@pytest.mark.parametrize(
    ("n_discordant", "alpha", "possible"),
    [(4, 0.05, True), (3, 0.05, False), (4, 1 / 32, True), (4, 1 / 33, False)],
)
def test_mid_p_of_four_discordant_rows_can_show_something(
    n_discordant, alpha, possible
):
    """Half of 1 / 16 is 1 / 32: at that level a finding is just possible."""
    data = labels_of(60, n_discordant, 0)
    told = recommend_test(*data, scoring="accuracy", alpha=alpha)
    assert told.test.variant == MID_P
    assert ("impossible" in cautions(told)) != possible
    shown = told.test.fit_predictions(*data).result_.significant
    assert shown == possible


@pytest.mark.parametrize(("n_discordant", "possible"), [(5, True), (4, False)])
def test_exact_tests_of_four_discordant_rows_can_show_nothing(n_discordant, possible):
    data = labels_of(FEWEST_UNITS - 1, n_discordant, 0)
    told = recommend_test(*data, scoring="f1")
    assert isinstance(told.test, ApproxRandomization)
    assert ("impossible" in cautions(told)) != possible


# Several comparisons


@pytest.mark.parametrize(
    ("test", "ok"),
    [
        (McNemar(alpha=0.05 / 4), True),
        (McNemar(alpha=0.0126), False),
        (McNemar(), False),
        (BayesianComparison(scoring="accuracy", credible_level=1 - 0.05 / 4), True),
        (BayesianComparison(scoring="accuracy", credible_level=0.987), False),
        (PairwiseComparison(test=McNemar(alternative="two-sided")), True),
        (
            PairwiseComparison(
                test=McNemar(alternative="two-sided"), correction="none"
            ),
            False,
        ),
    ],
    ids=lambda value: "" if isinstance(value, bool) else type(value).__name__,
)
def test_the_level_of_one_of_four_comparisons(test, ok):
    data = labels_of(100, 15, 5)
    verdict = check_choice(test, *data, scoring="accuracy", n_comparisons=4)
    assert verdict.ok == ok
    assert any("4 comparisons" in problem for problem in verdict.problems) != ok
    assert verdict.better.test.alpha == pytest.approx(0.05 / 4)


@pytest.mark.parametrize(("n_comparisons", "ok"), [(2, True), (1, False)])
def test_metrics_that_are_counted_as_comparisons_need_no_other_level(n_comparisons, ok):
    test = PairedBootstrap(scoring=["accuracy", "f1"], alpha=0.025)
    asked = {"scoring": "f1", "n_comparisons": n_comparisons}
    verdict = check_choice(test, *labels_of(100, 15, 5), **asked)
    assert verdict.ok == ok
    assert any("2 metrics" in problem for problem in verdict.problems) != ok


def test_a_single_comparison_may_have_any_level():
    data = labels_of(100, 15, 5)
    assert check_choice(McNemar(alpha=0.2), *data).ok
    assert not check_choice(McNemar(alpha=0.2), *data, n_comparisons=2).ok


# Decisions


@pytest.mark.parametrize(
    ("alpha", "sign"),
    [(1 / 32, ">"), (5 / 32, ">>"), (0.9 / 32, NOT_SHOWN), (4.9 / 32, ">")],
)
def test_a_pvalue_of_just_the_level_is_shown(alpha, sign):
    """Six discordant rows that all fall to A: p = 2 / 64, two-sided."""
    y, a, b = labels_of(40, 6, 0)
    test = SignTest(scoring="accuracy", alternative="two-sided")
    comparison = PairwiseComparison(test=test, correction="none", alpha=alpha)
    result = comparison.fit_predictions(y, {"a": a, "b": b}).result_
    assert result.pvalues.tolist() == [1 / 32]
    shown = sign != NOT_SHOWN
    assert result.decisions == (sign,)
    assert result.significant.tolist() == [shown]
    assert result.champion_set == (("a",) if shown else ("a", "b"))
    letters = {"a": "a", "b": "b"} if shown else {"a": "a", "b": "a"}
    assert result.letters == letters
    single = SignTest(scoring="accuracy", alternative="two-sided", alpha=alpha)
    assert single.fit_predictions(y, a, b).result_.significant == shown


@pytest.mark.parametrize("n_resamples", [59, 58])
def test_three_pairs_of_59_resamples_can_just_show_something(n_resamples):
    """The smallest corrected p-value is 3 / (n + 1): 0.05 for 59."""
    y, a, b = labels_of(60, 20, 2)
    test = PairedBootstrap(
        scoring="accuracy", n_resamples=n_resamples, alternative="two-sided"
    )
    comparison = PairwiseComparison(test=test, correction="holm", random_state=0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        comparison.fit_predictions(y, {"a": a, "b": b, "c": 1 - y})
    few = [w for w in caught if issubclass(w.category, FewResamplesWarning)]
    assert len(few) == (n_resamples == 58)


def test_a_model_whose_pvalue_is_the_level_is_not_in_the_confidence_set():
    y, a, b = labels_of(60, 20, 2)
    test = PairedBootstrap(scoring="accuracy", n_resamples=99, alternative="two-sided")
    for alpha, expected in ((0.01, ("a",)), (0.0099, ("a", "b"))):
        comparison = PairwiseComparison(test=test, alpha=alpha, random_state=0)
        result = comparison.fit_predictions(y, {"a": a, "b": b}).result_
        assert result.confidence_set_pvalues.tolist() == [1.0, 0.01]
        assert result.confidence_set == expected
