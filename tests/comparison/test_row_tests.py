"""The sign, signed-rank and t tests of scores of single rows."""

import itertools
import json
import math

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, make_scorer
from sklearn.model_selection import RepeatedKFold

from skcompare import McNemar, PairedTTest, SignTest, WilcoxonSignedRank
from skcompare.exceptions import ComparisonWarning, DegenerateDataWarning
from skcompare.stats.paired import (
    mean_and_error,
    paired_differences,
    signed_ranks,
)
from skcompare.stats.pvalues import ALTERNATIVES
from tests.rates import assert_level_kept

TESTS = [SignTest, WilcoxonSignedRank, PairedTTest]
each_test = pytest.mark.parametrize("test", TESTS)
each_alternative = pytest.mark.parametrize("alternative", ALTERNATIVES)
each_zero_method = pytest.mark.parametrize("zero_method", ["wilcox", "pratt"])

# Hours of sleep gained with two drugs: Student (1908), R's data set sleep.
SLEEP = np.array(
    [
        [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
        [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
    ]
)
# Heights of cross- less self-fertilized maize: Darwin (1876), Fisher (1935).
DARWIN = np.array([6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75.0])


def as_losses(scores_a, scores_b):
    """Return a truth and predictions with negative absolute errors that differ so.

    Scores may have any sign; losses are a constant less the score.
    """
    most = max(np.max(scores_a), np.max(scores_b)) + 1.0
    predictions = ({"predict": most - scores} for scores in (scores_a, scores_b))
    return np.zeros(len(scores_a)), *predictions


def fit_scores(test, scores_a, scores_b, **params):
    return test(scoring="neg_mean_absolute_error", **params).fit_predictions(
        *as_losses(np.asarray(scores_a), np.asarray(scores_b))
    )


# Published numbers


def test_students_sleep():
    """R: t.test(extra ~ group, paired) gives 4.0621, 0.002833 and this interval."""
    comparison = fit_scores(PairedTTest, SLEEP[1], SLEEP[0], alternative="two-sided")
    assert comparison.statistic_ == pytest.approx(4.0621, abs=5e-5)
    assert comparison.pvalue_ == pytest.approx(0.002833, abs=5e-7)
    assert comparison.confidence_interval_ == pytest.approx(
        (0.7001142, 2.4598858), abs=5e-8
    )
    assert comparison.delta_ == pytest.approx(1.58)


def test_signed_ranks_of_the_sleep_data_have_a_tie_and_a_zero():
    """Patients 3 and 4 gained 1.3 hours more, patient 5 none."""
    differences, tolerances = paired_differences(SLEEP[1], SLEEP[0])
    assert np.count_nonzero(differences) == 9
    signed = signed_ranks(differences, tolerances, zero_method="wilcox")
    assert sorted(signed.ranks) == [1, 2, 3, 4.5, 4.5, 6, 7, 8, 9]
    comparison = fit_scores(
        WilcoxonSignedRank, SLEEP[1], SLEEP[0], alternative="two-sided"
    )
    assert comparison.pvalue_ == pytest.approx(2 / 2**9)
    assert comparison.statistic_ == 45
    assert comparison.effect_size_ == {"rank_biserial": 1.0}


def test_darwins_maize():
    """Fisher: t = 2.148; scipy's documentation: 24 of 120 and p = 0.0413."""
    comparison = fit_scores(PairedTTest, DARWIN, np.zeros(15), alternative="two-sided")
    assert comparison.statistic_ == pytest.approx(2.148, abs=5e-4)
    assert comparison.pvalue_ == pytest.approx(0.0497, abs=5e-5)
    ranked = fit_scores(
        WilcoxonSignedRank, DARWIN, np.zeros(15), alternative="two-sided"
    )
    assert ranked.statistic_ == 96
    assert ranked.pvalue_ == pytest.approx(0.041259765625)
    assert ranked.effect_size_["rank_biserial"] == pytest.approx((96 - 24) / 120)
    signs = fit_scores(SignTest, DARWIN, np.zeros(15), alternative="two-sided")
    assert signs.pvalue_ == pytest.approx(stats.binomtest(13, 15).pvalue)


# Against scipy and enumeration


@pytest.fixture(scope="module")
def skewed():
    """Scores of 40 rows of two models, with differences of very different size."""
    rng = np.random.default_rng(1)
    return rng.standard_t(3, size=40) + 0.4, 1.5 * rng.standard_t(3, size=40)


@each_alternative
def test_t_test_is_scipys(skewed, alternative):
    expected = stats.ttest_rel(*skewed, alternative=alternative)
    comparison = fit_scores(
        PairedTTest, *skewed, alternative=alternative, confidence_level=0.8
    )
    assert comparison.statistic_ == pytest.approx(expected.statistic)
    assert comparison.pvalue_ == pytest.approx(expected.pvalue)
    differences = skewed[0] - skewed[1]
    assert comparison.standard_error_ == pytest.approx(stats.sem(differences))
    two_sided = stats.ttest_rel(*skewed).confidence_interval(0.8)
    assert comparison.confidence_interval_ == pytest.approx(tuple(two_sided))
    assert comparison.effect_size_["cohens_d"] == pytest.approx(
        differences.mean() / differences.std(ddof=1)
    )


@each_alternative
def test_sign_test_is_scipys_binomial_test(skewed, alternative):
    n_better = int(np.sum(skewed[0] > skewed[1]))
    expected = stats.binomtest(n_better, 40, alternative=alternative).pvalue
    comparison = fit_scores(SignTest, *skewed, alternative=alternative)
    assert comparison.pvalue_ == pytest.approx(expected)
    assert comparison.statistic_ == n_better


def enumerated(differences, alternative, zero_method):
    """Go through all signs of the ranks, with scipy's mean ranks."""
    kept = differences[differences != 0] if zero_method == "wilcox" else differences
    ranks = stats.rankdata(np.abs(kept))[kept != 0]
    observed = ranks[kept[kept != 0] > 0].sum()
    sums = np.array(
        [ranks @ signs for signs in itertools.product([0, 1], repeat=len(ranks))]
    )
    center = ranks.sum() / 2
    return {
        "greater": np.mean(sums >= observed),
        "less": np.mean(sums <= observed),
        "two-sided": np.mean(np.abs(sums - center) >= abs(observed - center)),
    }[alternative]


def test_right_and_wrong_come_down_to_mcnemar(labels):
    for alternative in ALTERNATIVES:
        exact = McNemar(variant="exact", alternative=alternative)
        expected = exact.fit_predictions(*labels).pvalue_
        for test in (SignTest, WilcoxonSignedRank):
            comparison = test(alternative=alternative).fit_predictions(*labels)
            assert comparison.result_.scoring == "accuracy"
            assert comparison.pvalue_ == pytest.approx(expected)


# Scores of rows


@each_test
@pytest.mark.parametrize(
    "scoring", ["neg_log_loss", "neg_brier_score", "accuracy", "neg_mean_squared_error"]
)
def test_the_scores_of_rows_average_to_the_score(test, scoring):
    rng = np.random.default_rng(5)
    truth = rng.integers(2, size=50)
    a, b = (np.clip(truth + rng.normal(0, s, size=50), 0.05, 0.95) for s in (0.6, 0.9))
    if scoring == "accuracy":
        a, b = a.round(), b.round()
    elif scoring == "neg_mean_squared_error":
        a, b = {"predict": a}, {"predict": b}
    comparison = test(scoring=scoring).fit_predictions(truth, a, b)
    assert 0 < comparison.pvalue_ <= 1
    if test is PairedTTest:
        low, high = comparison.confidence_interval_
        assert (low + high) / 2 == pytest.approx(comparison.delta_)
    if scoring == "neg_log_loss" and test is SignTest:
        losses = [
            [log_loss([y], [p], labels=[0, 1]) for y, p in zip(truth, x, strict=True)]
            for x in (a, b)
        ]
        assert comparison.statistic_ == np.sum(np.array(losses[0]) < losses[1])


def test_several_metrics_each_have_a_result(regression, regressors):
    *_, X, y = regression
    metrics = ["neg_mean_squared_error", "neg_mean_absolute_error"]
    comparison = PairedTTest(*regressors, scoring=metrics).fit(X, y)
    assert list(comparison.results_) == metrics
    with pytest.raises(AttributeError, match="Several metrics"):
        _ = comparison.statistic_
    for result in comparison.results_.values():
        json.dumps(result.to_dict())
        assert "Cohen's d" in str(result)


@each_test
@pytest.mark.parametrize("scoring", ["f1", "r2", "balanced_accuracy", "roc_auc"])
def test_metrics_that_are_no_averages_over_rows_are_refused(test, scoring, labels):
    truth, a, b = labels
    if scoring == "roc_auc":
        a, b = {"predict_proba": a * 0.9}, {"predict_proba": b * 0.9}
    with pytest.raises(ValueError, match="F1 is a ratio of sums") as error:
        test(scoring=scoring).fit_predictions(truth, a, b)
    for part in (test.__name__, scoring, "PairedBootstrap", "ApproxRandom", "DeLong"):
        assert part in str(error.value)


def test_metrics_that_are_not_looked_into_are_refused(labels):
    def own(y, pred):
        return float(np.mean(y == pred))

    own.recognize = False
    with pytest.raises(ValueError, match="not recognized as one"):
        SignTest(scoring={"own": make_scorer(own)}).fit_predictions(*labels)


def test_the_default_score_of_regressors_is_refused(regression, regressors):
    *_, X, y = regression
    with pytest.raises(ValueError, match="R2 divides by the variance"):
        PairedTTest(*regressors).fit(X, y)


# A and B change places


@each_test
def test_the_test_does_not_depend_on_who_is_called_A(test, skewed):
    a, b = (np.round(x, 1) for x in skewed)  # with ties

    def fitted(alternative, *, swap=False):
        pair = (b, a) if swap else (a, b)
        return fit_scores(test, *pair, alternative=alternative)

    there, back = fitted("two-sided"), fitted("two-sided", swap=True)
    assert there.pvalue_ == pytest.approx(back.pvalue_, rel=1e-12)
    for one, other in (("greater", "less"), ("less", "greater")):
        p = fitted(other, swap=True).pvalue_
        assert fitted(one).pvalue_ == pytest.approx(p, rel=1e-12)
    assert fitted("greater").pvalue_ + fitted("less").pvalue_ >= 1 - 1e-12
    if test is PairedTTest:
        low, high = back.confidence_interval_
        assert there.confidence_interval_ == pytest.approx((-high, -low))


# Rounding


@each_test
@each_alternative
def test_scores_that_differ_by_rounding_alone_are_ties(test, alternative):
    truth = np.full(20, 0.5)
    a, b = truth + (0.1 + 0.2), truth - 0.3
    assert (abs(truth - a) != abs(truth - b)).all()
    with pytest.warns(DegenerateDataWarning, match="same neg_mean_absolute_error"):
        comparison = test(
            scoring="neg_mean_absolute_error", alternative=alternative
        ).fit_predictions(truth, a, b)
    assert comparison.pvalue_ == 1
    assert comparison.statistic_ == 0


@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e20])
@each_test
def test_the_unit_of_a_loss_does_not_matter(test, scale):
    rng = np.random.default_rng(1)
    truth, a, b = rng.integers(-5, 6, size=(3, 30)) / 10
    test = test(scoring="neg_mean_absolute_error")
    expected = test.fit_predictions(truth, a, b).pvalue_
    pvalue = test.fit_predictions(truth * scale, a * scale, b * scale).pvalue_
    assert pvalue == pytest.approx(expected, rel=1e-9)


@each_alternative
@each_zero_method
def test_differences_in_tenths_are_ranked_as_whole_numbers(alternative, zero_method):
    tenths_a, tenths_b = np.array([[1, 2, 3, 1, 2, 3, 6, 4], [3, 3, 1, 2, 6, 1, 7, 4]])
    truth = np.arange(8) + 0.5
    comparison = WilcoxonSignedRank(
        scoring="neg_mean_absolute_error",
        alternative=alternative,
        zero_method=zero_method,
    ).fit_predictions(truth, truth + tenths_a / 10, truth - tenths_b / 10)
    expected = enumerated((tenths_b - tenths_a).astype(float), alternative, zero_method)
    assert comparison.pvalue_ == pytest.approx(expected, rel=1e-12)


# Degenerate data


@each_test
@each_alternative
def test_models_that_always_agree_have_pvalue_one(test, alternative):
    truth, pred = np.arange(10.0), np.arange(10.0) + 0.5
    with pytest.warns(DegenerateDataWarning, match="same on all 10 rows"):
        comparison = test(
            scoring="neg_mean_absolute_error", alternative=alternative
        ).fit_predictions(truth, pred, pred)
    assert comparison.pvalue_ == 1
    assert comparison.delta_ == 0
    assert comparison.statistic_ == 0
    assert len(comparison.result_.caveats) == 1


class NormalTest(PairedTTest):
    """A test without variance whose p-value is 0 and whose interval has no width."""

    def examine_rows(self, rows_a, rows_b):
        fields = super().examine_rows(rows_a, rows_b)
        return {**fields, "pvalue": 0.0, "confidence_interval": (0.3, 0.3)}


def test_without_variance_only_bounds_are_called_bounds():
    scores = np.arange(8) / 10
    said = {}
    for test, sides in itertools.product([PairedTTest, NormalTest], ALTERNATIVES):
        with pytest.warns(DegenerateDataWarning, match="do not vary") as caught:
            fit_scores(test, scores + 0.3, scores, alternative=sides)
        said[test, sides] = str(caught[0].message)
    assert "p-value is that of a sign test" in said[PairedTTest, "greater"]
    assert "p-value" not in said[PairedTTest, "less"]  # 1: no bound is needed
    for sides in ALTERNATIVES:
        assert "the interval is a bound" in said[PairedTTest, sides]
        assert said[NormalTest, sides].endswith("their variance cannot be estimated.")


@pytest.mark.parametrize(
    ("gain", "alternative", "wins"),
    [
        (1, "greater", True),
        (1, "less", False),
        (1, "two-sided", True),
        (-1, "greater", False),
        (-1, "less", True),
        (-1, "two-sided", True),
    ],
)
def test_a_t_test_without_variance_has_the_pvalue_of_the_signs(gain, alternative, wins):
    scores = np.arange(8) / 10
    with pytest.warns(DegenerateDataWarning, match="do not vary from row to row"):
        comparison = fit_scores(
            PairedTTest, scores + 0.3 * gain, scores, alternative=alternative
        )
    sides = 2 if alternative == "two-sided" else 1
    assert comparison.pvalue_ == (sides * 2**-8 if wins else 1)
    assert comparison.statistic_ == gain * math.inf
    assert comparison.effect_size_ == {
        "cohens_d": gain * math.inf,
        "hedges_g": gain * math.inf,
    }
    side = (0, math.inf) if gain > 0 else (-math.inf, 0)
    assert comparison.confidence_interval_ == side
    assert str(comparison.result_)


class OfMiddleRows(PairedTTest):
    """A test of the rows in the middle, as of a trimmed mean."""

    def examine_rows(self, rows_a, rows_b):
        return super().examine_rows(rows_a[2:-2], rows_b[2:-2])


def test_an_infinite_statistic_of_differences_that_vary_is_not_blamed_on_them():
    differences = np.array([0.5, 0.7, 0.3, 0.3, 0.3, 0.9, 0.1])
    result = OfMiddleRows().fit_row_scores(differences, np.zeros(7)).result_
    assert result.statistic == math.inf
    assert result.caveats == ()


class WithoutStatistic(PairedTTest):
    """A test whose p-value comes without a statistic, an interval or a direction."""

    def examine_rows(self, rows_a, rows_b):
        absent = dict.fromkeys(("statistic", "confidence_interval", "direction"))
        return {"pvalue": 0.25, "method": "own", **absent}


@pytest.mark.parametrize("gains", [[0.5, 0.7, 0.3], [0.5, 0.5, 0.5]])
def test_a_test_may_have_no_statistic(gains):
    result = WithoutStatistic().fit_row_scores(gains, np.zeros(3)).result_
    assert result.statistic is None
    assert result.caveats == ()
    assert "p = 0.25" in str(result)


def test_two_rows_are_enough():
    test = fit_scores(PairedTTest, [1.0, 2.0], [0.5, 0.0])
    expected = stats.ttest_1samp([0.5, 2.0], 0, alternative="greater")
    assert test.pvalue_ == pytest.approx(expected.pvalue)
    assert test.effect_size_["hedges_g"] == 0  # two rows are too few
    estimate = mean_and_error(np.array([0.5, 2.0]), np.zeros(2))
    assert estimate == pytest.approx((1.25, 0.75))


@each_test
def test_far_tails_are_never_zero(test):
    scores = np.random.default_rng(0).normal(size=(2, 3_000))
    comparison = fit_scores(test, scores[0] + 1e3, scores[1])
    assert 0 < comparison.pvalue_ < 1e-200


# Effect sizes


def test_sizes_of_the_sign_test():
    comparison = fit_scores(SignTest, [1, 2, 3, 4, 5.0], [0, 1, 2, 5, 5.0])
    assert comparison.effect_size_ == {
        "superiority": pytest.approx(0.7),  # three, and half of the tie
        "odds_ratio": 3.0,
        "cohens_g": 0.25,
    }
    assert comparison.result_.confidence_interval is None
    never = fit_scores(SignTest, [0.0, 1, 1], [1, 2, 1.0])
    assert never.effect_size_["odds_ratio"] == 0
    always = fit_scores(SignTest, [1.0, 2, 1], [0, 1, 1.0])
    assert always.effect_size_["odds_ratio"] == math.inf


# Calibration, and where a test misleads


@each_test
@each_alternative
@pytest.mark.parametrize("kind", ["normal", "tenths", "right"])
def test_type_one_error_is_at_most_the_level(
    test, alternative, kind, random_seed, simulations
):
    rng = np.random.default_rng(random_seed)
    level, n_simulations = simulations((0.1, None), (0.05, 2000))
    comparison = test(alternative=alternative)

    def rejected():
        while True:
            losses = rng.normal(size=40) + rng.normal(size=(2, 40)) + 5
            if kind == "tenths":
                losses = np.round(losses, 1)
            elif kind == "right":
                losses = (losses > 5.5).astype(float)
            yield comparison.examine_rows(*-losses)["pvalue"] <= level

    assert_level_kept(rejected(), n_simulations, level)


def test_signed_ranks_test_symmetry_and_not_the_mean(random_seed):
    """Differences with a mean of 0 and a long tail: what the Notes warn of."""
    rng = np.random.default_rng(random_seed)
    pvalues = {
        test: [
            test(alternative="two-sided").examine_rows(
                rng.exponential(size=200), np.ones(200)
            )["pvalue"]
            for _ in range(40)
        ]
        for test in (WilcoxonSignedRank, PairedTTest)
    }
    rejected = {test: np.mean(np.array(p) <= 0.05) for test, p in pvalues.items()}
    assert rejected[WilcoxonSignedRank] > 0.3
    assert rejected[PairedTTest] < 0.25


def test_a_model_that_is_often_better_and_worse_on_average_is_not_chosen():
    """A is better by 1 on 19 rows, and worse by 99 on one."""
    X, y = np.zeros((20, 1)), np.append(np.zeros(19), 100.0)
    a, b = (
        DummyRegressor(strategy="constant", constant=c).fit(X, y) for c in (0.0, 99.0)
    )
    y[:19] = 49.0
    with pytest.warns(ComparisonWarning, match="the model with the lower score"):
        comparison = SignTest(a, b, scoring="neg_mean_absolute_error").fit(X, y)
    assert comparison.pvalue_ < 0.05
    assert comparison.delta_ < 0
    assert comparison.best_estimator_ is b


# Calls


@pytest.mark.parametrize("test", [*TESTS, McNemar])
@pytest.mark.parametrize("parameter", ["groups", "strata", "sample_weight"])
def test_groups_strata_and_weights_are_refused(
    test, parameter, labels, classification, classifiers
):
    *_, X, y = classification
    message = f"`{parameter}` must be None for {test.__name__}.* Use PairedBootstrap"
    with pytest.raises(ValueError, match=message):
        test().fit_predictions(*labels, **{parameter: np.ones(60)})
    with pytest.raises(ValueError, match=message):
        test(*classifiers).fit(X, y, **{parameter: np.ones(len(y))})
    test().fit_predictions(*labels, **{parameter: None})
    with pytest.raises(TypeError, match="unexpected keyword argument 'weights'"):
        test().fit_predictions(*labels, weights=np.ones(60))


@each_test
def test_repeated_cross_validation_is_refused(test, classification):
    X, y, *_ = classification
    pair = (LogisticRegression(), LogisticRegression(C=0.01))
    with pytest.raises(ValueError, match="Got 160 predictions for 80 rows"):
        test(*pair, cv=RepeatedKFold(n_splits=3, n_repeats=2)).fit(X, y)


def test_options_are_checked(labels):
    for test, params, message in [
        (WilcoxonSignedRank, {"zero_method": "zsplit"}, "`zero_method` must be one of"),
        (WilcoxonSignedRank, {"method": "normal"}, "`method` must be one of"),
        (SignTest, {"alternative": "both"}, "`alternative` must be one of"),
        (PairedTTest, {"confidence_level": 1.0}, "`confidence_level` must lie"),
        (PairedTTest, {"alpha": 0}, "`alpha` must lie"),
    ]:
        with pytest.raises(ValueError, match=message):
            test(**params).fit_predictions(*labels)


@each_test
def test_there_is_no_seed_and_no_distribution(test, labels):
    result = test().fit_predictions(*labels).result_
    assert result.seed is None
    assert "seed" not in result.signature
    assert result.n_resamples is None
    assert result.distribution is None
