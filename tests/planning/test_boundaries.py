"""Advice, pairs and letters exactly at their limits."""

import warnings

import numpy as np
import pytest
from scipy import signal, stats
from sklearn.dummy import DummyRegressor
from sklearn.model_selection import GroupKFold

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    ConservativeZ,
    CorrelationTest,
    CrossValidationCLT,
    DeLong,
    FiveByTwoCV,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    SignTest,
    WilcoxonSignedRank,
    WildClusterBootstrap,
    check_choice,
    recommend_test,
    recommend_test_for_models,
)
from skcompare.exceptions import FewResamplesWarning
from skcompare.metrics import pearson_scorer

pytestmark = pytest.mark.usefixtures("quiet")

MID_P, EXACT, CHI2 = "mid-p", "exact", "chi2"
NOT_SIGNIFICANT = "n.s."  # the sign of a pair whose p-value is above the level
FEWEST_UNITS, FEWEST_CHECKED, MANY_ROWS, FEWEST_ROWS = 30, 20, 100, 10


def recommended(*data, **options):
    return recommend_test(*data, **options).test


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
    advice = recommend_test(*data, **MAE)
    assert isinstance(advice.test, test)
    enough = "20 rows are enough to check" in " ".join(advice.reasons)
    assert enough == (n == FEWEST_CHECKED)


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


@pytest.mark.parametrize("n", [3, 2])
def test_the_fewest_rows_that_a_t_test_can_be_right_for(n):
    verdict = check_choice(
        PairedTTest(**MAE), *losses_of(np.array([0.1, 0.2, 0.35][:n]))
    )
    assert verdict.ok == (n == 3)
    assert ("2 rows are too few" in str(verdict)) == (n == 2)


def skewed(n, shape, seed=0):
    """Return differences with gamma quantiles about 0.1, without a trend."""
    values = stats.gamma.ppf((np.arange(n) + 0.5) / n, shape)
    return np.random.default_rng(seed).permutation(values - values.mean() + 0.1)


def test_a_t_test_may_be_off_by_a_tenth_of_its_level():
    """By the first term of Edgeworth's expansion of Student's t, at the level 0.05."""
    z, n, seen = stats.norm.isf(0.05), 400, set()
    slope = (2 * z**2 + 1) * stats.norm.pdf(z) / 6
    for shape in (4.4, 4.6):
        differences = skewed(n, shape)
        share = stats.skew(differences) * slope / np.sqrt(n) / 0.05
        assert abs(share - 0.1) < 0.002
        verdict = check_choice(PairedTTest(**MAE), *losses_of(differences))
        assert verdict.ok == (share <= 0.1)
        seen.add(verdict.ok)
    assert seen == {True, False}


@pytest.mark.parametrize("n", [20, 19])
def test_the_fewest_differing_rows_that_are_checked_for_symmetry(n):
    differences = np.append(skewed(n, 0.3), np.zeros(5))
    verdict = check_choice(WilcoxonSignedRank(**MAE), *losses_of(differences))
    assert verdict.ok == (n == 19)


def test_mean_and_median_may_be_2_58_standard_errors_apart():
    """The test of Miao, Gel and Gastwirth, at a two-sided level of 0.01."""
    quantile, seen = stats.norm.isf(0.005), set()
    for n in (65, 67):
        differences = skewed(n, 2.0)
        median = np.median(differences)
        spread = np.sqrt(np.pi / 2) * np.mean(np.abs(differences - median))
        error = spread * np.sqrt((np.pi / 2 - 1) / n)
        apart = (differences.mean() - median) / error
        assert abs(apart - quantile) < 0.05
        verdict = check_choice(WilcoxonSignedRank(**MAE), *losses_of(differences))
        assert verdict.ok == (apart <= quantile)
        seen.add(verdict.ok)
    assert seen == {True, False}


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


@pytest.mark.parametrize("n_discordant", [FEWEST_ROWS, FEWEST_ROWS - 1])
def test_the_fewest_discordant_rows_for_the_limit_of_cross_validation(n_discordant):
    data = labels_of(60, n_discordant - 2, 2)
    verdict = check_choice(CrossValidationCLT(scoring="accuracy"), *data)
    assert verdict.ok == (n_discordant == FEWEST_ROWS)


# Uneven groups, few rows for a spread


def counts_of_groups(*numbers_and_sizes):
    """Return labels of groups: so many of such a size, one kind after another."""
    sizes = np.concatenate(
        [np.full(number, size) for number, size in numbers_and_sizes]
    )
    return np.repeat(np.arange(len(sizes)), sizes)


@pytest.mark.parametrize(
    ("groups", "test"),
    [
        (counts_of_groups((29, 1), (1, 2)), WildClusterBootstrap),
        (counts_of_groups((28, 1), (1, 2)), ApproxRandomization),
        # Worth (40 + 5 * 4) ** 2 / (40 + 5 * 16) = 30 even ones
        (counts_of_groups((40, 1), (5, 4)), PairedBootstrap),
        (counts_of_groups((40, 1), (4, 4), (1, 5)), WildClusterBootstrap),
    ],
    ids=["30 groups", "29 groups", "worth 30", "worth less"],
)
def test_the_fewest_uneven_groups_and_their_effective_number(groups, test):
    data = labels_of(len(groups), 8, 3)
    options = {"scoring": "accuracy", "groups": groups}
    assert isinstance(recommended(*data, **options), test)
    fits = check_choice(PairedBootstrap(scoring="accuracy"), *data, groups=groups)
    assert fits.ok == (test is PairedBootstrap)


@pytest.mark.parametrize(
    ("n", "test"), [(MANY_ROWS, PairedBootstrap), (MANY_ROWS - 1, ApproxRandomization)]
)
def test_the_fewest_rows_that_a_spread_is_divided_by(n, test):
    rng = np.random.default_rng(0)
    y = rng.normal(size=n)
    a, b = y + rng.normal(size=(2, n)) * [[0.5], [0.7]]
    assert isinstance(recommended(y, a, b, scoring="r2"), test)


def test_shapiro_wilk_is_for_5000_differences():
    differences = np.random.default_rng(0).normal(0.1, size=5_001)
    for n in (5_000, 5_001):
        advice = recommend_test(*losses_of(differences[:n]), **MAE)
        assert ("Shapiro-Wilk" in str(advice)) == (n == 5_000)


@pytest.mark.parametrize("n", [FEWEST_UNITS, FEWEST_UNITS - 1])
def test_the_wild_bootstrap_is_an_alternative_for_few_groups_only(n):
    data, groups = labels_of(3 * n, 5, 3), np.arange(3 * n) // 3
    advice = recommend_test(*data, scoring="accuracy", groups=groups)
    others = [str(other) for other in advice.alternatives]
    listed = any(other.startswith("WildClusterBootstrap") for other in others)
    assert listed == (n < FEWEST_UNITS)


# Rows in time


def remembering(y):
    """Return truth and predictions whose errors remember those before them."""
    shocks = np.random.default_rng(0).normal(scale=[[1.0], [1.1]], size=(2, len(y)))
    return y, *(y + signal.lfilter([1.0], [1.0, -0.8], shocks, axis=1))


@pytest.mark.parametrize(("n_values", "is_series"), [(20, True), (19, False)])
def test_the_fewest_values_of_a_series(n_values, is_series):
    y = np.random.default_rng(1).permutation(np.arange(600) % n_values)
    advice = recommend_test(*remembering(y.astype(float)), **MAE)
    assert ("groups=" in advice.call) == is_series


@pytest.mark.parametrize("turn", [1, -1], ids=["up", "down"])
def test_sorted_values_with_ties_are_no_series(turn):
    y = turn * np.repeat(np.arange(60.0), 10)
    assert "groups=" not in recommend_test(*remembering(y), **MAE).call
    y[[0, 1, -1]] = y[[-1, 0, 1]]  # no longer in order
    assert "groups=" in recommend_test(*remembering(y), **MAE).call


# Other questions


def other_tests(advice):
    """Return the other questions by the class of their test."""
    return {type(other.test): other for other in advice.other_questions}


@pytest.mark.parametrize(
    ("n", "n_discordant", "caution"),
    [
        (FEWEST_UNITS, 6, None),
        (FEWEST_UNITS - 1, 6, "too narrow"),
        (FEWEST_UNITS, 5, "The models differ on only 5 rows"),
    ],
)
def test_the_fewest_rows_and_discordant_rows_for_a_posterior(n, n_discordant, caution):
    advice = recommend_test(*labels_of(n, n_discordant - 1, 1), scoring="accuracy")
    why = other_tests(advice)[BayesianComparison].why
    assert caution is None or caution in why
    assert ("too narrow" in why or "overstates the certainty" in why) == (
        caution is not None
    )


@pytest.mark.parametrize(
    ("n_holding", "correction"),
    [(FEWEST_UNITS, "max-t"), (FEWEST_UNITS - 1, "holm")],
)
def test_the_fewest_groups_with_the_class_for_resamples_that_pairs_share(
    n_holding, correction
):
    y, groups = np.zeros(90, dtype=int), np.arange(90) // 2
    y[: 2 * n_holding : 2] = 1
    rng = np.random.default_rng(0)
    a, b = (np.where(rng.random(90) < q, y, 1 - y) for q in (0.9, 0.8))
    advice = recommend_test(y, a, b, scoring="f1", groups=groups, n_comparisons=3)
    assert other_tests(advice)[PairwiseComparison].test.correction == correction


def advice_on_learning(n, cv, groups=None):
    """Return the other questions about two models of n rows, which are learnt anew."""
    X = np.random.default_rng(0).normal(size=(n, 1))
    models = DummyRegressor(), DummyRegressor(strategy="median")
    return other_tests(
        recommend_test_for_models(*models, X, X[:, 0], cv=cv, groups=groups, **MAE)
    )


@pytest.mark.parametrize(("n", "offered"), [(40, True), (39, False)])
def test_the_fewest_rows_of_which_halves_are_split_again(n, offered):
    assert (ConservativeZ in advice_on_learning(n, 2)) == offered


@pytest.mark.parametrize(("n", "large"), [(300, True), (299, False)])
def test_the_fewest_rows_for_five_times_two_folds(n, large):
    offered = advice_on_learning(n, 2)
    assert (FiveByTwoCV in offered) == large
    assert ("With only" in offered[ConservativeZ].why) != large


@pytest.mark.parametrize(("n_folds", "offered"), [(11, True), (10, False)])
def test_ten_fits_are_offered_to_those_who_would_have_more(n_folds, offered):
    groups = np.arange(600) // 2
    tests = advice_on_learning(600, GroupKFold(n_folds), groups)
    assert (FiveByTwoCV in tests) == offered


@pytest.mark.parametrize(("n", "offered"), [(6, True), (5, False)])
def test_the_fewest_rows_for_nested_folds(n, offered):
    assert (NestedCVInterval in advice_on_learning(n, 2)) == offered


def test_nested_folds_are_three_to_ten():
    for n, cv, n_folds in ((6, 2, 3), (40, 12, 10), (40, 4, 4), (14, 9, 7)):
        assert advice_on_learning(n, cv)[NestedCVInterval].test.cv == n_folds


# What to bear in mind


@pytest.mark.parametrize("n_rare", [10, 9])
def test_nine_tenths_of_one_class_are_not_yet_imbalanced(n_rare):
    y = np.zeros(100, dtype=int)
    y[::10][:n_rare] = 1
    data = labels_of(100, 12, 3, y)
    text = cautions(recommend_test(*data, scoring="accuracy"))
    assert ("balanced_accuracy" in text) == (n_rare == 9)


@pytest.mark.parametrize(
    ("n_discordant", "alpha", "possible"),
    [(4, 0.05, True), (3, 0.05, False), (4, 1 / 32, True), (4, 1 / 33, False)],
)
def test_mid_p_of_four_discordant_rows_can_show_something(
    n_discordant, alpha, possible
):
    """Half of 1 / 16 is 1 / 32: at that level a finding is just possible."""
    data = labels_of(60, n_discordant, 0)
    advice = recommend_test(*data, scoring="accuracy", alpha=alpha)
    assert advice.test.variant == MID_P
    assert ("impossible" in cautions(advice)) != possible
    smallest = 0.5 ** (n_discordant + 1)
    assert (f"the p-value would be {smallest:.3g}" in cautions(advice)) != possible
    significant = advice.test.fit_predictions(*data).result_.significant
    assert significant == possible


@pytest.mark.parametrize(("n_discordant", "possible"), [(5, True), (4, False)])
def test_exact_tests_of_four_discordant_rows_can_show_nothing(n_discordant, possible):
    data = labels_of(FEWEST_UNITS - 1, n_discordant, 0)
    advice = recommend_test(*data, scoring="f1")
    assert isinstance(advice.test, ApproxRandomization)
    assert ("impossible" in cautions(advice)) != possible


# Several comparisons


@pytest.mark.parametrize(
    ("test", "ok"),
    [
        (McNemar(alpha=0.05 / 4), True),
        (McNemar(alpha=0.0126), False),
        (McNemar(), False),
        (BayesianComparison(scoring="accuracy", credible_level=1 - 0.05 / 4), True),
        (BayesianComparison(scoring="accuracy", credible_level=0.987), False),
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
    options = {"scoring": "f1", "n_comparisons": n_comparisons}
    verdict = check_choice(test, *labels_of(100, 15, 5), **options)
    assert verdict.ok == ok
    assert any("2 metrics" in problem for problem in verdict.problems) != ok


def test_several_comparisons_have_a_caveat_with_the_levels_of_holm():
    """Three tests at 0.05: 1 - 0.95 ** 3 is 14 %, a little less than 15."""
    data = labels_of(60, 8, 3)
    text = cautions(recommend_test(*data, scoring="accuracy", n_comparisons=3))
    assert "would be up to 14% if they were independent" in text
    assert "`alpha` is set to 0.05 / 3 = 0.0167 (Bonferroni)" in text
    assert "must be at most 0.0167, the next 0.05 / 2, and so on" in text


def test_a_single_comparison_may_have_any_level():
    data = labels_of(100, 15, 5)
    assert check_choice(McNemar(alpha=0.2), *data).ok
    assert not check_choice(McNemar(alpha=0.2), *data, n_comparisons=2).ok


# Decisions


@pytest.mark.parametrize(
    ("alpha", "sign"),
    [(1 / 32, ">"), (5 / 32, ">>"), (0.9 / 32, NOT_SIGNIFICANT), (4.9 / 32, ">")],
)
def test_a_pvalue_of_just_the_level_is_significant(alpha, sign):
    """Six discordant rows that all fall to A: p = 2 / 64, two-sided."""
    y, a, b = labels_of(40, 6, 0)
    test = SignTest(scoring="accuracy", alternative="two-sided")
    comparison = PairwiseComparison(test=test, correction="none", alpha=alpha)
    result = comparison.fit_predictions(y, {"a": a, "b": b}).result_
    assert result.pvalues.tolist() == [1 / 32]
    significant = sign != NOT_SIGNIFICANT
    assert result.decisions == (sign,)
    assert result.significant.tolist() == [significant]
    assert result.champion_set == (("a",) if significant else ("a", "b"))
    letters = {"a": "a", "b": "b"} if significant else {"a": "a", "b": "a"}
    assert result.letters == letters
    single = SignTest(scoring="accuracy", alternative="two-sided", alpha=alpha)
    assert single.fit_predictions(y, a, b).result_.significant == significant


def test_signs_are_significant_if_the_p_value_of_the_mean_is_just_the_level():
    """A rejection by signs counts if the means differ by a t-test, too."""
    data = losses_of(np.append(np.linspace(0.2, 0.5, 35), np.full(5, -1.2)))
    y, predictions = data[0], {"a": data[1], "b": data[2]}
    test = SignTest(**MAE, alternative="two-sided")

    def result_at(alpha):
        comparison = PairwiseComparison(test=test, correction="none", alpha=alpha)
        return comparison.fit_predictions(y, predictions).result_

    level = result_at(0.5).results[0].mean_pvalue
    assert result_at(level).pvalues[0] < 0.9 * level
    assert result_at(level).decisions[0] in (">", ">>")
    assert result_at(0.999 * level).decisions == (NOT_SIGNIFICANT,)
    # With three pairs, the level of each t-test is a third.
    predictions["c"] = data[1] - 20.0
    assert result_at(3 * level).decisions[0] in (">", ">>")
    assert result_at(2.999 * level).decisions[0] == NOT_SIGNIFICANT


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


@pytest.mark.parametrize(("n_resamples", "outermost"), [(590, 5), (610, 6)])
def test_intervals_of_pairs_that_end_at_the_fifth_resample_have_a_caveat(
    n_resamples, outermost
):
    """With three pairs at 0.95, a share of 0.05 / 6 lies beyond either end."""
    assert outermost == np.ceil(n_resamples * 0.05 / 6)
    y, a, b = labels_of(60, 20, 2)
    test = PairedBootstrap(scoring="accuracy", n_resamples=n_resamples)
    comparison = PairwiseComparison(test=test, correction="holm", random_state=0)
    result = comparison.fit_predictions(y, {"a": a, "b": b, "c": 1 - y}).result_
    text = " ".join(str(result).split())
    assert ("depend on the outermost 5 resamples" in text) == (outermost == 5)
    assert "outermost 6" not in text


def test_a_model_whose_pvalue_is_the_level_is_not_in_the_confidence_set():
    y, a, b = labels_of(60, 20, 2)
    test = PairedBootstrap(scoring="accuracy", n_resamples=99, alternative="two-sided")
    for alpha, expected in ((0.01, ("a",)), (0.0099, ("a", "b"))):
        comparison = PairwiseComparison(test=test, alpha=alpha, random_state=0)
        result = comparison.fit_predictions(y, {"a": a, "b": b}).result_
        assert result.confidence_set_pvalues.tolist() == [1.0, 0.01]
        assert result.confidence_set == expected
