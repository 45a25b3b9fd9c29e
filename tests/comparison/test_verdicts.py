"""No verdict misleads: no p-value, interval, effect or sentence is too strong."""

import math
import re
import warnings

import numpy as np
import pytest
from scipy import stats

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    BayesianCorrelatedTTest,
    BayesianSignedRank,
    ConservativeZ,
    CorrectedTTest,
    CrossValidationCLT,
    DeLong,
    FiveByTwoCV,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    SignTest,
    WilcoxonSignedRank,
    WildClusterBootstrap,
)
from skcompare.exceptions import DegenerateDataWarning, SmallSampleWarning
from skcompare.stats.power import mcnemar_detectable_effect, paired_t_power
from tests.rates import assert_level_kept

BY_SIGN = [SignTest, WilcoxonSignedRank]
TWO_SIDED = {"alternative": "two-sided"}


@pytest.fixture
def quiet():
    """Let pass warnings about small or degenerate data, which are expected here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallSampleWarning)
        warnings.simplefilter("ignore", DegenerateDataWarning)
        yield


def equal_scores(rng, n_rows=100):
    """Scores of rows with the same mean: A is closer on most rows, far off on a few."""
    errors_a = stats.t.rvs(3, size=n_rows, random_state=rng) / np.sqrt(3)
    return -(errors_a**2), -(rng.normal(size=n_rows) ** 2)


# The minimum detectable effect


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_the_detectable_effect_of_a_t_test_is_detected_four_times_in_five(alternative):
    differences = np.array([1.0, 2.0, 3.1])
    test = PairedTTest(alternative=alternative).fit_row_scores(differences, np.zeros(3))
    effect, sd = test.result_.detectable_effect, differences.std(ddof=1)
    power = paired_t_power(effect, sd, 3, alpha=0.05, alternative=alternative)
    assert power == pytest.approx(0.8, abs=1e-6)
    assert (effect < 0) == (alternative == "less")


def test_the_detectable_effect_of_mcnemar_is_that_of_its_own_power(quiet):
    y = np.zeros(60, dtype=int)
    a, b = np.repeat([0, 1], [50, 10]), np.repeat([1, 0], [8, 52])
    result = McNemar(**TWO_SIDED).fit_predictions(y, a, b).result_
    expected = mcnemar_detectable_effect(
        18 / 60, 60, alpha=0.05, alternative="two-sided", variant="mid-p"
    )
    assert result.detectable_effect == pytest.approx(expected)


def test_a_test_that_cannot_reject_has_no_detectable_effect(quiet):
    scores = np.random.default_rng(0).normal(size=(2, 40))
    groups = np.repeat(range(4), 10)
    few = {"groups": groups, "names": None}
    wild = WildClusterBootstrap(**TWO_SIDED, random_state=0)
    assert wild.fit_row_scores(*scores, **few).result_.detectable_effect is None
    swaps = ApproxRandomization(**TWO_SIDED, random_state=0)
    assert swaps.fit_row_scores(*scores, **few).result_.detectable_effect is None
    y = np.zeros(20, dtype=int)
    counts = McNemar(**TWO_SIDED).fit_predictions(y, y, np.repeat([1, 0], [3, 17]))
    assert counts.result_.detectable_effect is None
    assert "detectable" not in str(wild.result_) + str(swaps.result_)
    # With groups enough they have one.
    many = {"groups": np.repeat(range(20), 2)}
    assert wild.fit_row_scores(*scores, **many).result_.detectable_effect > 0
    assert swaps.fit_row_scores(*scores, **many).result_.detectable_effect > 0


@pytest.mark.parametrize("kind", BY_SIGN)
def test_a_test_that_is_not_about_the_mean_has_no_detectable_mean(kind):
    scores = np.random.default_rng(0).normal(size=(2, 40))
    assert kind().fit_row_scores(*scores).result_.detectable_effect is None


def test_no_detectable_effect_is_larger_than_scores_can_differ(quiet):
    y = np.repeat([1, 0], [2, 30])
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 32))
    delong = DeLong(**TWO_SIDED).fit_predictions(y, a, b).result_
    assert not delong.significant
    assert delong.detectable_effect is None
    labels = np.stack([y, y])
    labels[0, 0] = labels[1, 1] = 0
    swaps = ApproxRandomization(
        **TWO_SIDED, scoring="recall", random_state=0, alpha=0.5
    )
    assert swaps.fit_predictions(y, *labels).result_.detectable_effect is None


def test_a_lead_that_varies_by_rounding_alone_has_no_detectable_effect(quiet):
    scores = np.random.default_rng(0).normal(size=20)
    test = PairedBootstrap(n_resamples=199, random_state=0, alternative="less")
    result = test.fit_row_scores(scores + 0.1, scores).result_
    assert result.detectable_effect is None


# Signs and ranks


@pytest.mark.parametrize("kind", BY_SIGN)
def test_a_test_of_signs_or_ranks_names_its_claim(kind):
    rng = np.random.default_rng(0)
    scores = rng.normal(size=40)
    center = {SignTest: "median", WilcoxonSignedRank: "pseudo-median"}[kind]
    for lead, alternative, claim in [
        (1.0, "greater", "is significantly above 0"),
        (0.0, "greater", "is not significantly above 0"),
        (-1.0, "less", "is significantly below 0"),
        (0.0, "less", "is not significantly below 0"),
        (1.0, "two-sided", "is significantly different from 0"),
        (0.0, "two-sided", "is not significantly different from 0"),
    ]:
        noise = 0.5 * rng.permutation(np.linspace(-1, 1, 40))
        test = kind(alternative=alternative).fit_row_scores(
            scores + lead + noise, scores
        )
        verdict = test.result_.verdict()
        assert f"The {center} of row differences {claim}" in verdict
        assert not re.search(r"[AB] is (not )?significantly better", str(test.result_))
        assert center in test.result_.estimand
        assert "the mean" in verdict or not test.result_.significant


@pytest.mark.parametrize("kind", BY_SIGN)
def test_signs_and_ranks_alone_promote_no_model(kind):
    """Of equal scores they choose A only where a test of the score does, too."""
    rng, n_significant, n_chosen = np.random.default_rng(0), 0, 0
    for _ in range(100):
        scores = equal_scores(rng)
        with warnings.catch_warnings(action="ignore"):
            result = kind().fit_row_scores(*scores).result_
        by_mean = PairedTTest().fit_row_scores(*scores).result_
        assert result.mean_pvalue == pytest.approx(by_mean.pvalue) or result.delta < 0
        assert result.favors_a == (result.significant and by_mean.favors_a)
        if not result.favors_a and result.significant:
            assert re.search("mean, .* is not|neither model is", result.verdict())
        n_significant += result.significant
        n_chosen += result.favors_a
    assert n_significant > 50  # which is right: A is closer on most rows
    assert n_chosen < n_significant / 2


@pytest.mark.parametrize(
    "kind", [SignTest, pytest.param(WilcoxonSignedRank, marks=pytest.mark.slow)]
)
def test_signs_and_ranks_promote_equal_models_at_the_level(kind, simulations):
    """Equal squared errors, of which A's have heavier tails, but a variance."""
    rng = np.random.default_rng(0)

    def chosen():
        while True:
            errors = rng.standard_t(10, size=100) * np.sqrt(0.8), rng.normal(size=100)
            scores = (-(own**2) for own in errors)
            with warnings.catch_warnings(action="ignore"):
                result = kind().fit_row_scores(*scores).result_
            yield result.favors_a

    assert_level_kept(chosen(), simulations(None, 4_000), slack=0.01)


@pytest.mark.parametrize("kind", BY_SIGN)
def test_signs_and_ranks_choose_a_model_that_is_better_in_both_ways(kind):
    scores = np.random.default_rng(0).normal(size=(2, 60))
    result = kind().fit_row_scores(scores[0] + 1, scores[1]).result_
    assert result.favors_a
    assert "So is the mean" in result.verdict()


@pytest.mark.parametrize("kind", BY_SIGN)
def test_pairs_differ_in_score_only_if_their_means_do(kind):
    rng, n_significant, n_called = np.random.default_rng(3), 0, 0
    pairs = PairwiseComparison(test=kind(scoring="neg_mean_squared_error", **TWO_SIDED))
    for _ in range(20):
        a, b = equal_scores(rng, 200)
        models = {"a": np.sqrt(-a), "b": np.sqrt(-b)}
        with warnings.catch_warnings(action="ignore"):
            pairs.fit_predictions(np.zeros(200), models)
        called = pairs.result_.decisions != ("n.s.",)
        by_mean = PairedTTest(**TWO_SIDED).fit_row_scores(a, b)
        assert by_mean.result_.significant or not called
        n_significant += pairs.result_.significant.all()
        n_called += called
    assert n_called < n_significant / 2


# A lead that is the same everywhere


def test_folds_without_variance_show_nothing_with_a_caveat():
    ahead, behind = [0.9, 0.8, 0.7], [0.8, 0.7, 0.6]
    for n_copies, alternative in [(1, "greater"), (40, "two-sided")]:
        test = CorrectedTTest(alternative=alternative)
        with pytest.warns(DegenerateDataWarning, match="fold to fold"):
            test.fit_scores(ahead * n_copies, behind * n_copies, test_train_ratio=0.5)
        assert test.pvalue_ >= 0.5
        assert test.confidence_interval_ == (-math.inf, math.inf)
        assert "Caution: differences do not vary" in test.result_.sentence()
        assert not any("that of a sign test" in c for c in test.result_.caveats)


@pytest.mark.parametrize("statistic", ["t", "f"])
def test_halvings_without_variance_show_nothing_with_a_caveat(statistic):
    test = FiveByTwoCV(statistic=statistic, **TWO_SIDED)
    with pytest.warns(DegenerateDataWarning, match="fold to fold"):
        test.fit_scores(np.full((5, 2), 0.8), np.full((5, 2), 0.7))
    assert test.pvalue_ == 1
    assert "Caution: differences do not vary" in test.result_.sentence()


def test_halves_that_never_differ_count_as_the_two_that_share_no_row():
    test = ConservativeZ(n_splits=3, n_repeats=2)
    with pytest.warns(DegenerateDataWarning, match="fold to fold"):
        test.fit_scores(np.full((5, 3), 0.8), np.full((5, 3), 0.7))
    assert test.pvalue_ == 0.25
    assert test.confidence_interval_ == (-math.inf, math.inf)


def test_a_posterior_of_folds_without_variance_decides_nothing():
    test = BayesianCorrelatedTTest()
    with pytest.warns(DegenerateDataWarning, match="fold to fold"):
        test.fit_scores([0.9, 0.8, 0.7], [0.8, 0.7, 0.6], test_train_ratio=0.5)
    assert test.decision_ == "?"
    assert test.hdi_ == (-math.inf, math.inf)
    assert "Caution: differences do not vary" in test.result_.sentence()


@pytest.mark.parametrize("kind", [PairedTTest, CrossValidationCLT])
def test_a_constant_lead_of_rows_has_the_interval_of_its_pvalue(kind):
    few = np.arange(3.0)
    with pytest.warns() as warned:
        test = kind().fit_row_scores(few + 2, few)
    assert any("row to row" in str(w.message) for w in warned)
    assert not any("fold" in str(w.message) for w in warned)
    assert test.pvalue_ == 0.125
    assert test.confidence_interval_ == (-math.inf, math.inf)
    assert "differences do not vary" in test.result_.sentence()
    # Many equal signs show the sign of the lead, and no more.
    many = np.arange(40.0)
    for lead, interval in [(2, (0, math.inf)), (-2, (-math.inf, 0))]:
        with pytest.warns(DegenerateDataWarning):
            test = kind(**TWO_SIDED).fit_row_scores(many + lead, many)
        assert test.result_.significant
        assert test.confidence_interval_ == interval


# One model


@pytest.mark.parametrize("variance", ["all-pairs", "within-fold"])
def test_the_interval_of_an_accuracy_stays_inside_and_shrinks_with_errors(
    variance, quiet
):
    y, fold = np.zeros(60, dtype=int), np.arange(60) % 5
    intervals = []
    for n_errors in range(61):
        a = np.repeat([1, 0], [n_errors, 60 - n_errors])
        test = CrossValidationCLT(scoring="accuracy", variance=variance)
        intervals.append(test.fit_predictions(y, a, fold=fold).confidence_interval_)
    low, high = np.array(intervals).T
    assert low.min() == 0
    assert high.max() == 1
    assert (np.diff(low) <= 0).all()
    assert (np.diff(high) <= 0).all()
    assert ((low < 1 - np.arange(61) / 60) | (low == 0)).all()


def test_few_errors_of_one_model_are_cautioned_against():
    y = np.zeros(60, dtype=int)
    a = np.repeat([1, 0], [3, 57])
    test = CrossValidationCLT(scoring="accuracy")
    with pytest.warns(SmallSampleWarning, match="3 errors"):
        test.fit_predictions(y, a)
    assert "only 3 errors" in test.result_.sentence()
    with pytest.warns(SmallSampleWarning, match="1 correct row of"):
        test.fit_predictions(y, 1 - np.eye(60, dtype=int)[0])
    with warnings.catch_warnings(action="error"):
        test.fit_predictions(y, np.repeat([1, 0], [12, 48]))


def test_the_interval_of_an_accuracy_has_its_coverage(quiet, simulations):
    rng, truth = np.random.default_rng(0), 0.97
    test = CrossValidationCLT(scoring="accuracy")

    def missed():
        while True:
            a = (rng.random(60) > truth).astype(int)
            test.fit_predictions(np.zeros(60, dtype=int), a)
            low, high = test.confidence_interval_
            yield not low <= truth <= high

    assert_level_kept(missed(), simulations(None, 2_000))


@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", "neg_brier_score"])
def test_intervals_of_fold_scores_end_where_scores_do(scoring):
    top = 0.0 if scoring.startswith("neg") else 1.0
    scores = top - np.array([0.0, 0.2, 0.0, 0.0, 0.1])
    test = CorrectedTTest(scoring=scoring)
    with pytest.warns(SmallSampleWarning, match="beyond"):
        test.fit_scores(scores, test_train_ratio=0.25)
    assert test.confidence_interval_.high == top
    assert f"interval cut at {top:g}" in test.result_.sentence()
    # For a score of unknown range it is not cut.
    unknown = CorrectedTTest().fit_scores(scores, test_train_ratio=0.25)
    assert unknown.confidence_interval_.high > top


def test_fold_scores_that_do_not_vary_leave_the_whole_range():
    test = CorrectedTTest(scoring="accuracy")
    with pytest.warns(DegenerateDataWarning, match="variance cannot be"):
        test.fit_scores([1.0] * 10, test_train_ratio=1 / 9)
    assert test.confidence_interval_ == (0, 1)


# Few data sets, strata of one row, ranks with ties


def test_few_data_sets_are_cautioned_against():
    test = BayesianSignedRank(n_draws=500, random_state=0)
    with pytest.warns(SmallSampleWarning, match="3 data sets"):
        test.fit_scores([0.8, 0.9, 0.85], [0.7, 0.8, 0.75])
    assert "Caution: only 3 data sets" in test.result_.sentence()
    with warnings.catch_warnings(action="error"):
        scores = np.linspace(0.7, 0.9, 6)
        test.fit_scores(scores + 0.1, scores)


def test_strata_of_one_row_reach_the_sentence():
    scores = np.random.default_rng(0).normal(size=(2, 40))
    strata = np.r_[np.zeros(38), 1, 2]
    test = PairedBootstrap(n_resamples=99, random_state=0)
    with pytest.warns(SmallSampleWarning, match="Strata of one row: 2"):
        test.fit_row_scores(*scores, strata=strata)
    assert "Caution: strata of one row" in test.result_.sentence()


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt"])
def test_intervals_of_ranks_do_not_contradict_the_pvalue(zero_method):
    rng = np.random.default_rng(0)
    test, n_tied = WilcoxonSignedRank(zero_method=zero_method, **TWO_SIDED), 0
    for _ in range(200):
        n_rows = rng.integers(6, 16)
        differences = rng.integers(-3, 6, size=n_rows).astype(float)
        if not differences.any():
            continue
        with warnings.catch_warnings(action="ignore"):
            test.fit_row_scores(differences, np.zeros(n_rows))
        low, high = test.location_interval_
        if test.pvalue_ > 0.05:
            assert low <= 0 <= high
        else:
            has_caveat = any("rejects 0" in caveat for caveat in test.result_.caveats)
            assert has_caveat == (low <= 0 <= high)
            n_tied += has_caveat
    assert n_tied  # the caveat is one that some need


# Few of a class, and what never varies


def test_a_posterior_of_rankings_warns_of_few_rows_of_a_class():
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], [1, 199])
    test = BayesianComparison(scoring="roc_auc", n_draws=200, random_state=0)
    with pytest.warns(SmallSampleWarning, match="1 row of the smaller class"):
        result = test.fit_predictions(y, *(y + rng.normal(size=(2, 200)))).result_
    assert "Caution: only 1 " in result.sentence()
    y = np.arange(200) % 2
    with warnings.catch_warnings(action="error"):
        test.fit_predictions(y, *(y + rng.normal(size=(2, 200))))


@pytest.mark.parametrize("lead", [0.0, 1.0])
def test_a_posterior_without_spread_is_cautioned_against(lead):
    rows = np.arange(40.0)
    test = BayesianComparison(n_draws=200, random_state=0)
    with pytest.warns(DegenerateDataWarning):
        result = test.fit_row_scores(rows + lead, rows).result_
    assert "Caution: no draw varies" in result.sentence()


def test_the_interval_of_a_perfect_regression_is_no_share():
    """A mean absolute error of 0 on all rows is not 40 of 40 right."""
    y, rng = np.arange(40.0), np.random.default_rng(0)
    for scoring in ("neg_mean_absolute_error", "neg_mean_squared_error"):
        test = CrossValidationCLT(scoring=scoring)
        result = test.fit_predictions(y, y, y + rng.normal(size=40)).result_
        assert result.score_a_interval.high <= 0


@pytest.mark.parametrize("method", ["shift", "percentile", "studentized"])
@pytest.mark.parametrize(("alternative", "sides"), [("greater", 1), ("two-sided", 2)])
def test_p_and_interval_agree_where_nothing_varies(method, alternative, sides, quiet):
    y = np.zeros(10, dtype=int)
    test = PairedBootstrap(
        method=method, alternative=alternative, n_resamples=999, random_state=0
    ).fit_predictions(y, y, y + 1)
    assert test.pvalue_ == pytest.approx(sides * 0.5**10, abs=2.1e-3)
    assert test.confidence_interval_.low > 0


def test_intervals_of_a_difference_stay_in_its_range(quiet):
    y = np.repeat([1, 0], [3, 60])
    a, b = y.copy(), 0 * y
    a[2] = 0
    for interval in ("symmetric", "basic", "studentized", "auto"):
        for scoring in ("recall", "f1", "accuracy"):
            test = PairedBootstrap(
                scoring=scoring, interval=interval, n_resamples=199, random_state=0
            ).fit_predictions(y, a, b)
            low, high = test.confidence_interval_
            assert -1 <= low <= high <= 1
