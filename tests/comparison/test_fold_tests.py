"""Tests on the scores of cross-validation folds: t, 5x2cv and Bayesian."""

import math
import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, stats
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.datasets import make_classification, make_moons
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from skcompare import (
    BayesianCorrelatedTTest,
    ConservativeZ,
    CorrectedTTest,
    FiveByTwoCV,
)
from skcompare.exceptions import (
    DegenerateDataWarning,
    DependentFoldsWarning,
    FailedFitWarning,
    ParameterError,
)
from skcompare.stats.folds import five_by_two_f, five_by_two_t
from skcompare.stats.posterior import as_rope
from tests.models import FEW_STEPS
from tests.rates import assert_level

ALTERNATIVES = ("greater", "less", "two-sided")
each_test = pytest.mark.parametrize(
    "test", [CorrectedTTest, FiveByTwoCV, BayesianCorrelatedTTest]
)
any_splits = pytest.mark.parametrize("test", [CorrectedTTest, BayesianCorrelatedTTest])


@pytest.fixture(scope="module")
def data():
    """Rows of two classes: ``X, y``."""
    rng = np.random.default_rng(0)
    y = np.arange(90) % 2
    return rng.normal(size=(90, 4)) + 0.8 * y[:, None], y


@pytest.fixture(scope="module")
def models():
    return LogisticRegression(), GaussianNB()


@pytest.fixture
def scores():
    """Scores of two models on ten folds."""
    rng = np.random.default_rng(1)
    b = rng.uniform(0.7, 0.8, size=10)
    return b + rng.normal(0.02, 0.02, size=10), b


HALVES = np.array([[3, 5], [2, 4], [4, 4], [1, 5], [3, 4]]) / 128


# The corrected t: formulas


@pytest.mark.parametrize("ratio", [1 / 9, 0.5, 2.0])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_corrected_t_is_the_formula_of_nadeau_and_bengio(ratio, alternative, scores):
    a, b = scores
    test = CorrectedTTest(alternative=alternative, confidence_level=0.9)
    test.fit_scores(a, b, test_train_ratio=ratio)
    d = [x - y for x, y in zip(a, b, strict=True)]
    mean = sum(d) / 10
    variance = sum((x - mean) ** 2 for x in d) / 9
    error = math.sqrt((1 / 10 + ratio) * variance)
    tails = {"greater": stats.t(9).sf, "less": stats.t(9).cdf}
    expected = (
        2 * stats.t(9).sf(abs(mean / error))
        if alternative == "two-sided"
        else tails[alternative](mean / error)
    )
    assert test.delta_ == pytest.approx(mean)
    assert test.standard_error_ == pytest.approx(error)
    assert test.statistic_ == pytest.approx(mean / error)
    assert test.pvalue_ == pytest.approx(expected)
    assert test.confidence_interval_ == pytest.approx(
        stats.t(9, mean, error).interval(0.9)
    )


def test_the_naive_test_is_that_of_scipy_and_has_a_caveat(scores):
    test = CorrectedTTest(variance="naive", alternative="two-sided")
    with pytest.warns(DependentFoldsWarning, match=r"rejected .* at the level 0.05"):
        test.fit_scores(*scores)
    expected = stats.ttest_rel(*scores)
    assert test.statistic_ == pytest.approx(expected.statistic)
    assert test.pvalue_ == pytest.approx(expected.pvalue)
    interval = expected.confidence_interval(0.95)
    assert test.confidence_interval_ == pytest.approx((interval.low, interval.high))
    (caveat,) = test.result_.caveats
    assert caveat.startswith("variance='naive' takes scores of folds as independent")


def test_scikit_learns_example_gives_the_numbers_that_it_prints():
    """Statistical comparison of models using grid search: rbf against linear."""
    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    rbf, linear = SVC(kernel="rbf"), SVC(kernel="linear")
    test = CorrectedTTest(rbf, linear, scoring="roc_auc", cv=cv).fit(X, y)
    assert test.statistic_ == pytest.approx(0.750, abs=5e-4)
    assert test.pvalue_ == pytest.approx(0.227, abs=5e-4)
    scores = test.fold_scores_["roc_auc"].T
    bayesian = BayesianCorrelatedTTest(rope=0.01)
    bayesian.fit_scores(*scores, test_train_ratio=1 / 9)
    assert bayesian.p_direction_ == pytest.approx(0.773, abs=5e-4)
    assert bayesian.p_equivalent_ == pytest.approx(0.432, abs=5e-4)


def test_the_correction_widens_by_the_share_of_shared_rows(scores):
    with pytest.warns(DependentFoldsWarning):
        naive = CorrectedTTest(variance="naive").fit_scores(*scores)
    corrected = CorrectedTTest().fit_scores(*scores, test_train_ratio=1 / 9)
    ratio = corrected.standard_error_ / naive.standard_error_
    assert ratio == pytest.approx(math.sqrt(1 + 10 / 9))


def test_the_ratio_comes_from_the_splits(data, models):
    X, y = data
    for cv, ratio in (
        (KFold(10), 1 / 9),
        (ShuffleSplit(8, test_size=1 / 3, random_state=0), 1 / 2),
        (RepeatedKFold(n_splits=3, n_repeats=4, random_state=0), 1 / 2),
    ):
        fitted = CorrectedTTest(*models, cv=cv).fit(X, y)
        by_scores = CorrectedTTest().fit_scores(
            *fitted.fold_scores_["accuracy"].T, test_train_ratio=ratio
        )
        assert fitted.standard_error_ == pytest.approx(by_scores.standard_error_)


def test_unequal_splits_count_by_the_mean_of_their_ratios(data, models):
    X, y = data
    rows = np.random.default_rng(0).permutation(90)
    splits = [(rows[:60], rows[60:]), (rows[40:], rows[:40]), (rows[:45], rows[45:])]
    fitted = CorrectedTTest(*models, cv=splits).fit(X, y)
    ratio = (30 / 60 + 40 / 50 + 45 / 45) / 3
    d = np.diff(fitted.fold_scores_["accuracy"]).ravel()
    expected = math.sqrt((1 / 3 + ratio) * d.var(ddof=1))
    assert fitted.standard_error_ == pytest.approx(expected)
    assert "45 to 60 rows" in fitted.result_.estimand


def test_the_detectable_effect_is_detected_with_its_power(scores):
    """The minimal detectable effect knows how few degrees of freedom there are."""
    result = CorrectedTTest().fit_scores(*scores, test_train_ratio=1 / 9).result_
    shift = result.detectable_effect / result.standard_error
    critical = stats.t(9).isf(0.05)
    assert stats.nct(9, shift).sf(critical) == pytest.approx(0.8, abs=1e-6)


# Fold scores


@any_splits
@pytest.mark.parametrize(
    "cv",
    [
        4,
        KFold(5, shuffle=True, random_state=0),
        RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
        ShuffleSplit(6, random_state=0),
    ],
    ids=lambda cv: type(cv).__name__,
)
def test_fold_scores_are_those_of_cross_val_score(test, cv, data, models):
    fitted = test(*models, scoring="roc_auc", cv=cv).fit(*data)
    expected = [
        cross_val_score(model, *data, cv=cv, scoring="roc_auc") for model in models
    ]
    np.testing.assert_array_equal(fitted.fold_scores_["roc_auc"].T, expected)
    assert fitted.score_a_ == pytest.approx(np.mean(expected[0]))
    assert fitted.delta_ == pytest.approx(np.mean(expected[0]) - np.mean(expected[1]))
    assert fitted.result_.unit == "folds"


def test_splits_without_a_seed_are_shared_by_both_models(data):
    """Two clones of one model can only differ by their splits."""
    cv = ShuffleSplit(5, test_size=0.3)
    test = CorrectedTTest(GaussianNB(), GaussianNB(), cv=cv)
    with pytest.warns(DegenerateDataWarning):
        test.fit(*data)
    assert test.delta_ == 0


def test_splits_can_be_used_again(data, models):
    cv = ShuffleSplit(5, random_state=np.random.RandomState(0))  # moves on at each use
    test = CorrectedTTest(*models, cv=cv).fit(*data)
    again = cross_val_score(models[0], *data, cv=test.splits_)
    np.testing.assert_array_equal(again, test.fold_scores_["accuracy"][:, 0])


@each_test
def test_workers_give_the_same_numbers(test, data, models):
    params = {"random_state": 3} if test is FiveByTwoCV else {"cv": 4}
    alone, together = (
        test(*models, n_jobs=n, **params).fit(*data).result_ for n in (1, 2)
    )
    assert alone.to_dict() == together.to_dict()


def test_several_metrics_come_from_the_same_fits(data, models):
    scoring = ["roc_auc", "accuracy"]
    test = CorrectedTTest(*models, scoring=scoring, cv=4).fit(*data)
    assert list(test.results_) == scoring
    for metric in scoring:
        alone = CorrectedTTest(*models, scoring=metric, cv=4).fit(*data)
        assert test.results_[metric].to_dict() == alone.result_.to_dict()
    with pytest.raises(AttributeError, match=r"results_\[name\]"):
        _ = test.pvalue_


@pytest.mark.parametrize("indices", [True, False])
def test_dicts_of_cross_validate_do_as_well_as_fitting(indices, data, models):
    cv = KFold(5)
    dicts = [
        cross_validate(model, *data, cv=cv, scoring="accuracy", return_indices=indices)
        for model in models
    ]
    ratio = None if indices else 1 / 4
    by_scores = CorrectedTTest(scoring="accuracy").fit_scores(
        *dicts, test_train_ratio=ratio
    )
    fitted = CorrectedTTest(*models, scoring="accuracy", cv=cv).fit(*data)
    assert by_scores.pvalue_ == pytest.approx(fitted.pvalue_)
    assert by_scores.confidence_interval_ == pytest.approx(fitted.confidence_interval_)
    assert by_scores.result_.scoring == "accuracy"
    assert hasattr(by_scores, "splits_") == indices


def test_dicts_of_several_metrics_give_several_results(data, models):
    dicts = [
        cross_validate(m, *data, scoring=["f1", "accuracy"], return_indices=True)
        for m in models
    ]
    test = CorrectedTTest().fit_scores(*dicts)
    assert set(test.results_) == {"f1", "accuracy"}


def test_repeats_may_be_rows_of_a_matrix(scores):
    a, b = scores
    flat = CorrectedTTest().fit_scores(a, b, test_train_ratio=1 / 4)
    matrix = CorrectedTTest().fit_scores(
        a.reshape(2, 5), b.reshape(2, 5), test_train_ratio=1 / 4
    )
    assert flat.result_.to_dict() == matrix.result_.to_dict()


# Models of all kinds


@each_test
def test_pipelines_and_searches_are_fitted_anew_in_every_fold(test, data):
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    search = GridSearchCV(pipeline, {"logisticregression__C": [0.01, 1.0]}, cv=3)
    params = {"random_state": 0} if test is FiveByTwoCV else {"cv": 3}
    fitted = test(search, GaussianNB(), scoring="roc_auc", **params).fit(*data)
    expected = cross_val_score(search, *data, cv=fitted.splits_, scoring="roc_auc")
    np.testing.assert_array_equal(fitted.fold_scores_["roc_auc"][:, 0], expected)
    assert not hasattr(search, "best_estimator_")


@each_test
def test_the_winner_predicts_after_a_fit_on_all_rows(test, data):
    X, y = data
    params = {"random_state": 0} if test is FiveByTwoCV else {"cv": 5}
    constant = DummyClassifier()
    gate = test(LogisticRegression(), constant, scoring="roc_auc", **params).fit(X, y)
    refitted = LogisticRegression().fit(X, y)
    np.testing.assert_array_equal(gate.predict_proba(X), refitted.predict_proba(X))
    np.testing.assert_array_equal(gate.classes_, [0, 1])
    gate = clone(gate).set_params(estimator_a=constant, estimator_b=GaussianNB())
    assert isinstance(gate.fit(X, y).best_estimator_, GaussianNB)


def test_a_comparison_of_scores_has_no_model_to_predict_with(scores):
    test = CorrectedTTest().fit_scores(*scores, test_train_ratio=0.1)
    with pytest.raises(AttributeError, match="made from predictions or scores"):
        _ = test.classes_


def test_a_new_fit_forgets_the_earlier_one(data, models, scores):
    test = CorrectedTTest(*models, scoring="roc_auc", cv=3).fit(*data)
    test.fit_scores(*scores, test_train_ratio=0.1)
    assert not hasattr(test, "splits_")
    assert "best_estimator_" not in vars(test)


@pytest.mark.filterwarnings("ignore")  # checks use tiny, odd and constant data
@parametrize_with_checks([CorrectedTTest(*FEW_STEPS, cv=3, error_score="raise")])
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)


# Fits that fail


class FailsWithoutRow(ClassifierMixin, BaseEstimator):
    """A constant that cannot be fitted without a certain row."""

    def __init__(self, row=0):
        self.row = row

    def fit(self, X, y):
        if self.row not in X[:, 0]:
            raise RuntimeError("no such row")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.ones(len(X), dtype=int)


@any_splits
def test_folds_with_a_failed_fit_are_left_out_and_reported(test):
    X = np.arange(60.0)[:, None]
    y = np.random.default_rng(0).integers(2, size=60)
    cv = KFold(5)
    comparison = test(FailsWithoutRow(row=30), DummyClassifier(), cv=cv)
    with pytest.warns(FailedFitWarning, match="FailsWithoutRow on 2.*4 of 5 folds"):
        comparison.fit(X, y)
    scores = comparison.fold_scores_["accuracy"]
    assert np.isnan(scores[2, 0])
    assert np.isfinite(np.delete(scores, 2, axis=0)).all()
    kept = np.delete(scores, 2, axis=0)
    assert comparison.score_b_ == pytest.approx(kept[:, 1].mean())
    assert comparison.result_.n_rows == 4
    assert "4 of 5 folds remain" in comparison.result_.summary()
    with pytest.raises(RuntimeError, match="no such row"):
        comparison.set_params(error_score="raise").fit(X, y)


def test_gaps_in_scores_are_failed_fits(scores):
    a, b = scores
    gap = a.copy()
    gap[[2, 5]] = np.nan
    with pytest.warns(FailedFitWarning, match=r"A on 2, 5\. .*8 of 10 folds"):
        test = CorrectedTTest().fit_scores(gap, b, test_train_ratio=0.1)
    kept = np.delete(np.arange(10), [2, 5])
    without = CorrectedTTest().fit_scores(a[kept], b[kept], test_train_ratio=0.1)
    assert test.pvalue_ == without.pvalue_


def test_five_by_two_needs_all_ten_scores(data):
    scores = np.full((5, 2), 0.5)
    scores[1, 1] = np.nan
    with pytest.raises(ValueError, match=r"scores on 10 folds\. Got 9"):
        FiveByTwoCV().fit_scores(scores, np.zeros((5, 2)))
    X = np.arange(60.0)[:, None]
    with pytest.raises(RuntimeError, match="no such row"):
        FiveByTwoCV(FailsWithoutRow(), DummyClassifier()).fit(X, np.arange(60) % 2)


# Groups and series in time


def test_a_series_in_time_comes_with_a_caveat(data, models):
    with pytest.warns(DependentFoldsWarning, match="precede their test rows"):
        test = CorrectedTTest(*models, cv=TimeSeriesSplit(4)).fit(*data)
    assert "precede" in test.result_.summary()
    assert "18 to 72 rows" in test.result_.estimand


@any_splits
def test_groups_reach_the_splitter(test, data, models):
    groups = np.arange(90) // 5
    fitted = test(*models, cv=GroupKFold(4)).fit(*data, groups=groups)
    for train, tested in fitted.splits_:
        assert not set(groups[train]) & set(groups[tested])
    assert "on new groups" in fitted.result_.estimand


@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
def test_groups_that_the_splitter_tears_apart_come_with_a_caveat(data, models):
    with pytest.warns(DependentFoldsWarning, match="In 3 of 3 splits groups"):
        CorrectedTTest(*models, scoring="roc_auc", cv=3).fit(
            *data, groups=np.arange(90) % 7
        )


def test_five_by_two_halves_groups(data, models):
    groups = np.arange(90) // 5
    test = FiveByTwoCV(*models, random_state=0).fit(*data, groups=groups)
    assert len(test.splits_) == 10
    for train, tested in test.splits_:
        assert not set(groups[train]) & set(groups[tested])
    halves = {tuple(train) for train, _ in test.splits_}
    assert len(halves) == 10
    again = FiveByTwoCV(*models, random_state=0).fit(*data, groups=groups)
    assert again.result_.to_dict() == test.result_.to_dict()


# 5x2cv


def test_five_by_two_t_is_the_formula_of_dietterich():
    result = five_by_two_t(HALVES)
    variances = [np.var(pair, ddof=1) for pair in HALVES]
    expected = HALVES[0, 0] / math.sqrt(sum(variances) / 5)
    assert result.statistic == pytest.approx(expected)
    assert result.pvalue("two-sided") == pytest.approx(2 * stats.t(5).sf(expected))


def test_five_by_two_f_is_the_formula_of_alpaydin():
    result = five_by_two_f(HALVES)
    variances = [np.var(pair, ddof=1) for pair in HALVES]
    expected = sum(p**2 for p in HALVES.flat) / (2 * sum(variances))
    assert result.statistic == pytest.approx(expected)
    assert result.pvalue == pytest.approx(stats.f(10, 5).sf(expected))


def test_critical_values_are_those_that_the_papers_give():
    """Dietterich: |t| > 2.571. Alpaydin: f > 4.74."""
    assert stats.t(5).isf(0.025) == pytest.approx(2.571, abs=5e-4)
    assert stats.f(10, 5).isf(0.05) == pytest.approx(4.74, abs=5e-3)
    for size, rejected in ((2.56, False), (2.58, True)):
        halves = np.tile([0.0, 2.0**0.5], (5, 1))  # of variance 1
        halves[0] += size
        assert (five_by_two_t(halves).pvalue("two-sided") <= 0.05) == rejected


@pytest.mark.parametrize("statistic", ["t", "f"])
def test_five_by_two_takes_the_halvings_of_scikit_learn(statistic, data, models):
    options = {"statistic": statistic, "alternative": "two-sided"}
    test = FiveByTwoCV(*models, random_state=7, **options).fit(*data)
    cv = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=7)
    a, b = (cross_val_score(model, *data, cv=cv) for model in models)
    by_scores = FiveByTwoCV(**options).fit_scores(a.reshape(5, 2), b.reshape(5, 2))
    assert test.pvalue_ == by_scores.pvalue_
    assert test.result_.seed == 7
    assert test.result_.df == (5 if statistic == "t" else (10, 5))
    assert "about 45 rows" in test.result_.estimand


def test_five_by_two_of_a_regression_is_not_stratified():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    test = FiveByTwoCV(Ridge(), Ridge(alpha=50.0), random_state=0)
    test.fit(X, X[:, 0] + rng.normal(size=40))
    assert test.result_.cv.startswith("RepeatedKFold")


def test_a_run_without_a_seed_can_be_repeated(data, models):
    first = FiveByTwoCV(*models).fit(*data).result_
    again = FiveByTwoCV(*models, random_state=first.seed).fit(*data).result_
    assert first.to_dict() == again.to_dict()
    assert FiveByTwoCV(*models).fit(*data).result_.seed != first.seed


def test_five_by_two_takes_dicts_of_halvings_and_no_others(data, models):
    def dicts(cv):
        return [cross_validate(m, *data, cv=cv, return_indices=True) for m in models]

    halvings = RepeatedKFold(n_splits=2, n_repeats=5, random_state=0)
    assert FiveByTwoCV().fit_scores(*dicts(halvings)).result_.n_rows == 10
    for cv in (KFold(10), ShuffleSplit(10, test_size=0.5, random_state=0)):
        with pytest.raises(ValueError, match="must come from halvings"):
            FiveByTwoCV().fit_scores(*dicts(cv))


def test_f_is_two_sided_only():
    with pytest.raises(ValueError, match="`alternative` must be 'two-sided'"):
        FiveByTwoCV(statistic="f", alternative="greater").fit_scores(HALVES, HALVES)


# The Bayesian t


@pytest.mark.parametrize("rope", [0.01, (-0.005, 0.02), 0])
def test_the_posterior_is_that_of_corani_and_benavoli(rope, scores):
    """By their formula, with rho, and by integrating the density."""
    a, b = scores
    test = BayesianCorrelatedTTest(rope=rope).fit_scores(a, b, test_train_ratio=1 / 9)
    d, rho = a - b, 0.1
    scale = math.sqrt(d.var(ddof=1) * (1 / 10 + rho / (1 - rho)))
    posterior = stats.t(9, d.mean(), scale)
    low, high = as_rope(rope)
    areas = [
        integrate.quad(posterior.pdf, *ends)[0]
        for ends in ((-1, low), (low, high), (high, 1))
    ]
    probabilities = [test.p_worse_, test.p_equivalent_, test.p_better_]
    assert probabilities == pytest.approx(areas, abs=1e-6)
    assert sum(probabilities) == pytest.approx(1)
    assert test.hdi_ == pytest.approx(posterior.interval(0.95), rel=1e-12)
    grid, density = test.result_.density()
    np.testing.assert_allclose(density, posterior.pdf(grid))


def test_the_posterior_is_the_mirror_image_of_the_corrected_t(scores):
    """The probability of a negative difference is the p-value for "greater"."""
    bayesian = BayesianCorrelatedTTest(rope=0).fit_scores(*scores, test_train_ratio=0.2)
    t = CorrectedTTest().fit_scores(*scores, test_train_ratio=0.2)
    assert bayesian.p_worse_ == pytest.approx(t.pvalue_)
    assert bayesian.hdi_ == t.confidence_interval_


@pytest.mark.parametrize(
    ("shift", "rope", "decision"),
    [(0.1, 0.01, ">>"), (-0.1, 0.01, "<<"), (0.0, 0.1, "~"), (0.01, 0.01, "?")],
)
def test_the_decision_is_where_the_interval_lies(shift, rope, decision, scores):
    _, b = scores
    noise = np.tile([0.01, -0.01], 5)
    test = BayesianCorrelatedTTest(rope=rope)
    test.fit_scores(b + shift + noise, b, test_train_ratio=1 / 9)
    assert test.decision_ == decision
    assert test.result_.favors_a == (decision == ">>")


def test_the_result_of_the_posterior_prints_and_exports(scores):
    pytest.importorskip("pandas")
    result = (
        BayesianCorrelatedTTest(scoring="f1")
        .fit_scores(*scores, test_train_ratio=1 / 9)
        .result_
    )
    assert "10 folds" in result.sentence()
    assert "flat prior" in result.summary()
    assert result.to_frame().loc["f1", "p_better"] == result.p_better
    assert result.probability_of(lambda delta: delta > 0.01) == pytest.approx(
        result.p_better, abs=1e-3
    )


def test_two_folds_have_a_posterior_without_a_mean():
    """With one degree of freedom it is Cauchy's: its center is given."""
    test = BayesianCorrelatedTTest().fit_scores(
        [0.8, 0.9], [0.7, 0.6], test_train_ratio=1
    )
    assert test.posterior_mean_ == pytest.approx(0.2)
    scale = math.sqrt((1 / 2 + 1) * 0.02)
    assert test.p_better_ == pytest.approx(stats.cauchy(0.2, scale).sf(0.01))


# Differences without variance


WITHOUT_RATIO = [
    *(FiveByTwoCV(alternative=alternative) for alternative in ALTERNATIVES),
    FiveByTwoCV(statistic="f", alternative="two-sided"),
]
EACH_WAY = [
    *((test, {}) for test in WITHOUT_RATIO),
    *((CorrectedTTest(alternative=a), {"test_train_ratio": 1}) for a in ALTERNATIVES),
]


@pytest.mark.parametrize(("test", "options"), EACH_WAY)
def test_models_that_score_alike_give_one(test, options):
    scores = np.linspace(0.5, 0.9, 10).reshape(5, 2)
    test = clone(test)
    with pytest.warns(DegenerateDataWarning, match="same score on each of the 10"):
        test.fit_scores(scores, scores + 1e-17, **options)
    assert test.pvalue_ == 1
    assert test.statistic_ == test.delta_ == 0


@pytest.mark.parametrize(("test", "options"), EACH_WAY)
def test_a_constant_difference_has_the_pvalue_of_a_single_sign(test, options):
    scores = np.linspace(0.5, 0.8, 10).reshape(5, 2)
    test = clone(test)
    with pytest.warns(DegenerateDataWarning, match="cannot reject"):
        test.fit_scores(scores + 0.1, scores, **options)
    expected = {"greater": 0.5, "less": 1, "two-sided": 1}
    assert test.pvalue_ == expected[test.alternative]
    assert test.statistic_ == math.inf
    if options:
        assert test.confidence_interval_ == (-math.inf, math.inf)


@pytest.mark.parametrize(
    ("shift", "shares"),
    [(0.1, (1, 0, 0)), (0.005, (0, 1, 0)), (-0.1, (0, 0, 1))],
)
def test_a_constant_difference_leaves_a_single_point(shift, shares):
    scores = np.linspace(0.5, 0.8, 10)
    test = BayesianCorrelatedTTest()
    with pytest.warns(DegenerateDataWarning, match="The posterior is a single point"):
        test.fit_scores(scores + shift, scores, test_train_ratio=1)
    assert (test.p_better_, test.p_equivalent_, test.p_worse_) == shares
    assert test.decision_ == "?"


def test_models_that_score_alike_on_all_folds_are_not_decided_to_be_equivalent():
    test = BayesianCorrelatedTTest(rope=0)
    with pytest.warns(DegenerateDataWarning, match="same score on each of the 3"):
        test.fit_scores([0.5, 0.6, 0.7], [0.5, 0.6, 0.7], test_train_ratio=1)
    assert test.p_equivalent_ == 1
    assert test.decision_ == "?"
    assert "Caution: differences do not vary" in test.result_.sentence()


@each_test
def test_warnings_point_to_the_caller(test, data):
    options = {} if test is FiveByTwoCV else {"test_train_ratio": 1}
    same = np.full((5, 2), 0.5)
    calls = [
        lambda: test().fit_scores(same, same, **options),
        lambda: test(GaussianNB(), GaussianNB()).fit(*data),
    ]
    for call in calls:
        with pytest.warns(DegenerateDataWarning) as caught:
            call()
        assert [warning.filename for warning in caught] == [__file__]


def test_a_first_difference_of_zero_without_variance_gives_one():
    halves = np.array([[0, 0], [1, 1], [1, 1], [1, 1], [1, 1]]) / 8
    assert five_by_two_t(halves).pvalue("two-sided") == 1
    assert five_by_two_f(halves).pvalue == 1


# Bad input


@pytest.mark.parametrize("ratio", [0, -0.1, np.nan, np.inf, "1/9", True])
def test_ratios_must_be_positive(ratio, scores):
    with pytest.raises(ValueError, match=r"`test_train_ratio` must be a positive"):
        CorrectedTTest().fit_scores(*scores, test_train_ratio=ratio)


@any_splits
def test_an_unknown_ratio_is_an_error_with_a_remedy(test, scores):
    with pytest.raises(ValueError, match=r"return_indices=True"):
        test().fit_scores(*scores)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([0.5, 0.6], [0.5, 0.6, 0.7], "Got 2 and 3 scores"),
        ([0.5], [0.6], "at least 2 folds .* Got 1 of 1"),
        ([0.5, np.nan], [0.6, 0.7], "at least 2 folds .* Got 1 of 2"),
        ([0.5, np.inf], [0.6, 0.7], "must be finite. Got infinite scores: 1"),
        (["x", "y"], [0.6, 0.7], "`scores_a` must be numbers"),
        ([0.6, 0.7], np.zeros((2, 2, 2)), r"`scores_b` .* shape \(2, 2, 2\)"),
        ({"fit_time": [1]}, [0.6, 0.7], "`scores_a` .* Got a dict with fit_time"),
        ({"test_f1": [1, 2]}, {"test_r2": [1, 2]}, "same metrics. Got f1 and r2"),
    ],
)
def test_scores_that_do_not_match_are_errors(a, b, message):
    with pytest.raises(ValueError, match=message):
        CorrectedTTest().fit_scores(a, b, test_train_ratio=1)


def test_dicts_of_different_splits_are_an_error(data, models):
    a, b = (
        cross_validate(model, *data, cv=cv, return_indices=True)
        for model, cv in zip(models, (KFold(4), KFold(4, shuffle=True)), strict=True)
    )
    with pytest.raises(ValueError, match="must come from the same splits"):
        CorrectedTTest().fit_scores(a, b)


def test_dicts_with_more_splits_than_scores_are_an_error(data, models):
    a, b = (cross_validate(m, *data, cv=4, return_indices=True) for m in models)
    for scores in (a, b):
        scores["test_score"] = scores["test_score"][:3]
    with pytest.raises(ValueError, match="Got 3 for 'score' and 4 splits"):
        CorrectedTTest().fit_scores(a, b)


@pytest.mark.parametrize("shape", [(10,), (2, 5), (5, 3)])
def test_five_by_two_is_five_by_two(shape):
    with pytest.raises(ValueError, match="`scores_b` must have a row for each of 5"):
        FiveByTwoCV().fit_scores(HALVES, np.zeros(shape))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (
            {"cv": "prefit"},
            "`cv` must be an integer such as 10, a splitter or an iterable",
        ),
        ({"cv": [(range(45), range(45, 90))]}, "`cv` must give at least two splits"),
        ({"cv": [([0], [1]), ([], [1])]}, "training and test rows in each"),
        ({"error_score": 0}, "`error_score` must be 'raise', or nan"),
        ({"variance": "bonferroni"}, "`variance` must be one of"),
        ({"alternative": "more"}, "`alternative` must be one of"),
        ({"alpha": 5}, "`alpha` must lie strictly"),
        ({"confidence_level": 95}, "`confidence_level` must lie strictly"),
        ({"estimator_a": None}, "`estimator_a` must be a model .* use fit_scores"),
    ],
)
def test_parameters_are_checked(params, message, data, models):
    a, b = models
    test = CorrectedTTest(a, b).set_params(**params)
    with pytest.raises(ValueError, match=message):
        test.fit(*data)


@pytest.mark.parametrize(
    ("test", "message"),
    [
        (FiveByTwoCV(statistic="z"), "`statistic` must be one of 't', 'f'"),
        (FiveByTwoCV(alpha=2), "`alpha` must lie"),
        (BayesianCorrelatedTTest(rope=-1), "`rope` must be"),
        (BayesianCorrelatedTTest(credible_level=1), "`credible_level` must lie"),
    ],
)
def test_parameters_are_checked_for_scores(test, message):
    with pytest.raises(ValueError, match=message):
        test.fit_scores(HALVES, HALVES)


@each_test
@pytest.mark.parametrize("name", ["sample_weight", "strata"])
def test_row_parameters_are_refused(test, name, data, models):
    with pytest.raises(ValueError, match=f"`{name}` must be None for {test.__name__}"):
        test(*models).fit(*data, **{name: np.ones(90)})


def test_scores_of_one_metric_that_fails_leave_the_others_alone(data):
    def picky(y_true, y_pred):
        if sum(y_true) == 7:
            raise RuntimeError
        return float(np.mean(y_true == y_pred))

    X, y = data
    cv = KFold(5, shuffle=True, random_state=1)
    scoring = {"picky": make_scorer(picky), "accuracy": "accuracy"}
    test = CorrectedTTest(GaussianNB(), DummyClassifier(), scoring=scoring, cv=cv)
    with pytest.warns(FailedFitWarning, match="No picky on some folds") as caught:
        test.fit(X, y)
    assert len(caught) == 1
    error = "The first error: the scorer fails for GaussianNB: RuntimeError."
    assert str(caught[0].message).endswith(error)
    assert test.results_["picky"].n_rows < 5
    assert test.results_["accuracy"].n_rows == 5
    assert test.results_["accuracy"].caveats == ()


# How often they reject where there is no difference


class Columns(TransformerMixin, BaseEstimator):
    """Three columns of the data."""

    def __init__(self, start=0):
        self.start = start

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X[:, self.start : self.start + 3]


@pytest.fixture(scope="module")
def simulation():
    """The simulation whose figures the user guide quotes."""
    root = Path(__file__).parents[2]
    return runpy.run_path(str(root / "doc" / "simulations" / "cross_validation.py"))


# Shares of rejections as measured on 10,000 data sets, for each learner and splitter.
RATES = {
    ("means", "10 folds"): {"naive t": 0.055, "corrected t": 0.011},
    ("means", "10 x 10 folds"): {"naive t": 0.550, "corrected t": 0.040},
    ("means", "30 random thirds"): {"naive t": 0.607, "corrected t": 0.043},
    ("means", "5 x 2 folds"): {"t": 0.036, "F": 0.039},
    ("neighbor", "10 folds"): {"naive t": 0.140, "corrected t": 0.044},
    ("neighbor", "10 x 10 folds"): {"naive t": 0.650, "corrected t": 0.119},
    ("neighbor", "30 random thirds"): {"naive t": 0.662, "corrected t": 0.081},
    ("neighbor", "5 x 2 folds"): {"t": 0.117, "F": 0.145},
}


@pytest.mark.parametrize(("learner", "splits"), RATES)
def test_rates_of_rejection_are_those_of_the_user_guide(
    learner, splits, simulation, simulations, random_seed
):
    n = simulations(410, 4000)
    rng = np.random.default_rng(random_seed)
    rates = simulation["rates"](learner, splits, (0.5, 0.5), n_data_sets=n, rng=rng)
    for test, rate in RATES[learner, splits].items():
        error = math.sqrt(rate * (1 - rate) * (1 / n + 1 / 10_000))
        assert rates[test][0] == pytest.approx(rate, abs=3.3 * error)


def test_corrected_intervals_cover_a_difference_that_is_there(
    simulation, simulations, random_seed
):
    n = simulations(410, 4000)
    rng = np.random.default_rng(random_seed)
    rates = simulation["rates"](
        "means", "30 random thirds", (0.6, 0.4), n_data_sets=n, rng=rng
    )
    assert_level(round((1 - rates["corrected t"][1]) * n), n)
    assert rates["corrected t"][1] == pytest.approx(0.95, abs=0.03)
    assert rates["naive t"][1] < 0.5


@pytest.mark.slow
@pytest.mark.parametrize("test", [CorrectedTTest(cv=10), FiveByTwoCV()])
def test_stable_learners_keep_the_level_through_fit(test, random_seed):
    """The whole way, from models that see features of the same kind."""
    n = 410
    rng = np.random.default_rng(random_seed)
    sees = [make_pipeline(Columns(start), NearestCentroid()) for start in (0, 3)]
    test = clone(test).set_params(
        estimator_a=sees[0],
        estimator_b=sees[1],
        scoring="accuracy",
        alternative="two-sided",
    )
    if isinstance(test, FiveByTwoCV):
        test.set_params(random_state=rng)
    y = np.arange(60) % 2
    count = sum(
        test.fit(rng.normal(size=(60, 6)) + y[:, None], y).pvalue_ <= 0.05
        for _ in range(n)
    )
    assert_level(count, n)


def test_scoring_chooses_among_the_metrics_of_scores():
    scores = [
        {"test_accuracy": [0.8, 0.9, 0.7], "test_f1": [0.5, 0.7, 0.6]},
        {"test_accuracy": [0.7, 0.8, 0.8], "test_f1": [0.4, 0.7, 0.5]},
    ]
    ratio = {"test_train_ratio": 0.5}
    assert set(CorrectedTTest().fit_scores(*scores, **ratio).results_) == {
        "accuracy",
        "f1",
    }
    test = CorrectedTTest(scoring="f1").fit_scores(*scores, **ratio)
    assert test.score_a_ == pytest.approx(0.6)
    both = CorrectedTTest(scoring=["f1", "accuracy"]).fit_scores(*scores, **ratio)
    assert list(both.results_) == ["f1", "accuracy"]
    with pytest.raises(ValueError, match=r"accuracy, f1\. Got 'recall'"):
        CorrectedTTest(scoring="recall").fit_scores(*scores, **ratio)


# ConservativeZ


def split_scores(seed, n_repeats=4, n_splits=3):
    rng = np.random.default_rng(seed)
    return rng.normal(0.8, 0.05, size=(2, 1 + 2 * n_repeats, n_splits))


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_conservative_z_is_its_formula(alternative):
    a, b = split_scores(0)
    test = ConservativeZ(n_splits=3, n_repeats=4, alternative=alternative)
    test.fit_scores(a, b)
    d = (a - b).mean(axis=1)
    variance = sum((d[i] - d[i + 1]) ** 2 for i in range(1, 9, 2)) / 8
    z = d[0] / np.sqrt(variance)
    expected = {
        "greater": stats.norm.sf(z),
        "less": stats.norm.cdf(z),
        "two-sided": 2 * stats.norm.sf(abs(z)),
    }
    assert test.statistic_ == pytest.approx(z)
    assert test.pvalue_ == pytest.approx(expected[alternative])
    assert test.delta_ == pytest.approx(d[0])
    assert test.score_a_ == pytest.approx(a[0].mean())
    half = stats.norm.ppf(0.975) * np.sqrt(variance)
    assert test.confidence_interval_ == pytest.approx((d[0] - half, d[0] + half))


@pytest.mark.parametrize("grouped", [False, True])
def test_halves_of_conservative_z_share_no_row_and_test_as_many(grouped):
    X, y = make_classification(120, random_state=0)
    groups = np.arange(120) // 3 if grouped else None
    test = ConservativeZ(
        LogisticRegression(), GaussianNB(), n_splits=2, n_repeats=3, random_state=0
    ).fit(X, y, groups=groups)
    sets = [test.splits_[i : i + 2] for i in range(0, 14, 2)]
    assert len(test.splits_) == 14
    assert {len(rows) for _, rows in test.splits_} == {12}
    rows = [set(np.concatenate([*map(np.concatenate, splits)])) for splits in sets]
    for one, other in zip(rows[1::2], rows[2::2], strict=True):
        assert one.isdisjoint(other)
        assert len(one | other) == 120
        if grouped:
            codes = ({row // 3 for row in half} for half in (one, other))
            assert set.isdisjoint(*codes)
    assert "about 108 rows" in test.result_.estimand
    assert "learning algorithm" in test.result_.hypothesis


def test_conservative_z_needs_all_scores_and_halves_to_test():
    a, b = split_scores(0)
    with pytest.raises(ValueError, match=r"shape \(21, 15\)\. Got shape \(9, 3\)"):
        ConservativeZ().fit_scores(a, b)
    with pytest.raises(ValueError, match=r"be less than 0\.5"):
        ConservativeZ(test_size=0.5).fit_scores(a, b)
    a[0, 0] = np.nan
    with pytest.raises(ValueError, match="needs the models' scores"):
        ConservativeZ(n_splits=3, n_repeats=4).fit_scores(a, b)


@pytest.mark.parametrize(
    ("n_rows", "rest"),
    [
        (20, "Of 20 rows, 0.1 cannot be tested: .*number of classes = 3"),
        (40, "Of 20 rows, 0.2 cannot be tested: .*member"),
    ],
)
def test_conservative_z_names_the_parameter_if_halves_are_too_small(n_rows, rest):
    X = np.arange(n_rows)[:, None]
    y = np.arange(n_rows) % 3
    if n_rows == 40:  # a row of each rare class in each half
        y[4:], y[:4] = 0, [1, 1, 2, 2]
    test = ConservativeZ(GaussianNB(), DummyClassifier(), random_state=0)
    message = rf"^`test_size` must leave training and test rows.* Got 0\.1\. {rest}"
    with pytest.raises(ParameterError, match=message + ".* or use CorrectedTTest"):
        test.fit(X, y)


def test_conservative_z_of_equal_scores_and_of_a_constant_lead():
    a, _ = split_scores(0)
    test = ConservativeZ(n_splits=3, n_repeats=4)
    with pytest.warns(DegenerateDataWarning, match="same score"):
        assert test.fit_scores(a, a).pvalue_ == 1
    with pytest.warns(DegenerateDataWarning, match="do not vary"):
        test.fit_scores(np.full((9, 3), 0.75), np.full((9, 3), 0.5))
    assert test.pvalue_ == 2**-2  # two halves share no row
