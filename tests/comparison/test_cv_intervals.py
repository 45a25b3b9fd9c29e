"""How sure a score of cross-validation is: normal theory, and nested rounds."""

import importlib.util
import itertools
import math
from pathlib import Path

import joblib
import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from skcompare import CrossValidationCLT, NestedCVInterval, PairedTTest
from skcompare.exceptions import (
    DegenerateDataWarning,
    DependentFoldsWarning,
    SmallSampleWarning,
)
from skcompare.stats.folds import (
    NestedRound,
    clt_estimate,
    nested_estimate,
    nested_round,
    variances_of_means,
)
from tests.nested import nested_by_hand
from tests.rates import assert_level, assert_level_kept

MSE = "neg_mean_squared_error"
RIDGES = LinearRegression(), Ridge(alpha=30.0)
CLASSIFIERS = LogisticRegression(), GaussianNB()
ignores_groups = pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
BOTH = [CrossValidationCLT, NestedCVInterval]


def quick(test, *models, n_repeats=2, **params):
    """Make either test, nested cross-validation with few folds and repeats."""
    if test is NestedCVInterval:
        params = {"cv": 3, "random_state": 0, "n_repeats": n_repeats} | params
    return test(*models, **params)


@pytest.fixture(scope="module")
def linear():
    return make_regression(90, n_features=6, noise=40.0, random_state=1)


@pytest.fixture(scope="module")
def binary():
    return make_classification(
        120, n_features=5, n_informative=3, flip_y=0.2, random_state=0
    )


def losses(model, X, y, cv):
    return (cross_val_predict(model, X, y, cv=cv) - y) ** 2


# The normal approximation: formulas


def test_both_variances_are_those_of_the_paper():
    """With folds of one size, as its authors compute them from sums of squares."""
    rng = np.random.default_rng(0)
    n, k = 60, 6
    h, fold = rng.exponential(size=n), np.repeat(np.arange(k), n // k)
    fold_means = h.reshape(k, -1).mean(axis=1)
    within = np.sqrt(n / (n - k) * (np.mean(h**2) - np.mean(fold_means**2)))
    pairs = np.sqrt(np.mean(h**2) - np.mean(h) ** 2)
    result = clt_estimate(h, variance="within-fold", fold=fold)
    assert result.error == pytest.approx(within / np.sqrt(n))
    result = clt_estimate(h, variance="all-pairs")
    assert result.error == pytest.approx(pairs / np.sqrt(n))
    assert result.mean == pytest.approx(h.mean())


def test_folds_of_different_sizes_count_by_their_rows():
    rng = np.random.default_rng(1)
    parts = [rng.normal(size=size) * size for size in (5, 9, 20)]
    n = sum(map(len, parts))
    variance = sum((len(p) / n) ** 2 * np.var(p, ddof=1) / len(p) for p in parts)
    fold = np.repeat([0, 1, 2], [5, 9, 20])
    result = clt_estimate(np.concatenate(parts), variance="within-fold", fold=fold)
    assert result.error == pytest.approx(math.sqrt(variance))


def test_groups_give_the_cluster_error_of_statsmodels():
    rng = np.random.default_rng(2)
    unit = np.sort(rng.integers(12, size=80))
    unit = np.unique(unit, return_inverse=True)[1]
    scores = rng.normal(size=unit.max() + 1)[unit] + rng.normal(size=80)
    fitted = sm.OLS(scores, np.ones(80)).fit(
        cov_type="cluster", cov_kwds={"groups": unit, "use_correction": False}
    )
    result = clt_estimate(scores, variance="all-pairs", unit=unit)
    assert result.error == pytest.approx(fitted.bse[0])
    assert result.error > 1.5 * clt_estimate(scores, variance="all-pairs").error


def test_groups_of_one_row_are_rows():
    scores, fold = np.arange(12.0) ** 2, np.arange(12) % 3
    for variance in ("all-pairs", "within-fold"):
        by_row, by_group = (
            clt_estimate(scores, variance=variance, fold=fold, unit=unit)
            for unit in (None, np.arange(12)[::-1])
        )
        assert by_row.error == pytest.approx(by_group.error)


def test_a_fold_with_one_unit_has_no_variance():
    variances = variances_of_means(np.array([1.0, 2.0, 4.0]), np.array([0, 1, 1]))
    assert np.isnan(variances[0])
    assert variances[1] == pytest.approx(np.var([2, 4], ddof=1) / 2)


# The normal approximation: models


@pytest.mark.parametrize("cv", [5, KFold(7), KFold(4, shuffle=True, random_state=0)])
def test_the_test_is_a_z_test_of_out_of_fold_losses(cv, linear):
    X, y = linear
    a, b = (losses(model, X, y, cv) for model in RIDGES)
    gain = b - a
    error = np.std(gain) / np.sqrt(len(y))
    comparison = CrossValidationCLT(*RIDGES, scoring=MSE, cv=cv).fit(X, y)
    z = gain.mean() / error
    assert comparison.delta_ == pytest.approx(gain.mean())
    assert comparison.standard_error_ == pytest.approx(error)
    assert comparison.statistic_ == pytest.approx(z)
    assert comparison.pvalue_ == pytest.approx(stats.norm.sf(z))
    reach = stats.norm.isf(0.025) * error
    assert comparison.confidence_interval_ == pytest.approx(
        (z * error - reach, z * error + reach)
    )
    low, high = comparison.score_a_interval_
    assert (low + high) / 2 == pytest.approx(-a.mean())
    assert high - low == pytest.approx(
        2 * stats.norm.isf(0.025) * np.std(a) / np.sqrt(len(y))
    )
    for alternative, p in [
        ("less", stats.norm.cdf(z)),
        ("two-sided", 2 * stats.norm.sf(abs(z))),
    ]:
        comparison.set_params(alternative=alternative).fit(X, y)
        assert comparison.pvalue_ == pytest.approx(p)


def test_variance_within_folds(linear):
    X, y = linear
    cv = KFold(4)
    gain = losses(RIDGES[1], X, y, cv) - losses(RIDGES[0], X, y, cv)
    comparison = CrossValidationCLT(*RIDGES, scoring=MSE, cv=cv, variance="within-fold")
    comparison.fit(X, y)
    parts = [gain[test] for _, test in cv.split(X)]
    variance = sum(np.var(p, ddof=1) * len(p) for p in parts) / len(y) ** 2
    assert comparison.standard_error_ == pytest.approx(math.sqrt(variance))
    assert comparison.result_.method == "within-fold"


def test_predictions_of_folds_give_the_same(binary):
    X, y = binary
    cv = StratifiedKFold(6)
    a, b = (cross_val_predict(model, X, y, cv=cv) for model in CLASSIFIERS)
    for variance in ("all-pairs", "within-fold"):
        test = CrossValidationCLT(*CLASSIFIERS, cv=cv, variance=variance).fit(X, y)
        by_models, fold = test.result_, [f"fold {number}" for number in test.fold_]
        test.fit_predictions(y, a, b, fold=fold)
        assert test.pvalue_ == pytest.approx(by_models.pvalue)
        assert test.standard_error_ == pytest.approx(by_models.standard_error)
    test.set_params(variance="all-pairs").fit_predictions(y, a, b)  # needs no folds
    test.set_params(variance="within-fold")
    with pytest.raises(ValueError, match=r"at least 2 folds.*pass the `fold`"):
        test.fit_predictions(y, a, b)
    with pytest.raises(
        ValueError, match=r"2 folds\. Got 1\. `fold` must contain the fold"
    ):
        test.fit_predictions(y, a, b, fold=np.zeros(len(y)))
    test.set_params(variance="all-pairs")
    with pytest.raises(ValueError, match=r"2 folds\. Got 1\. Omit `fold`"):
        test.fit_predictions(y, a, b, fold=np.zeros(len(y)))
    with pytest.raises(ValueError, match="`fold` must have one entry per row"):
        test.fit_predictions(y, a, b, fold=[0, 1])


@ignores_groups
def test_groups_widen_the_interval(linear):
    X, y = linear
    X, y, groups = np.repeat(X, 4, axis=0), np.repeat(y, 4), np.repeat(np.arange(90), 4)
    test = CrossValidationCLT(*RIDGES, scoring=MSE, cv=GroupKFold(5))
    result = test.fit(X, y, groups=groups).result_
    assert (result.n_rows, result.n_units) == (360, 90)
    predictions = [
        cross_val_predict(model, X, y, cv=GroupKFold(5), groups=groups)
        for model in RIDGES
    ]
    # copies of rows add no information: those of one copy have the same error
    once = slice(None, None, 4)
    alone = clone(test).fit_predictions(y[once], *(p[once] for p in predictions))
    assert result.standard_error == pytest.approx(alone.standard_error_)
    with pytest.raises(ValueError, match=r"`groups` must lie in one fold.*GroupKFold"):
        clone(test).set_params(cv=KFold(7)).fit(X, y, groups=groups)
    with pytest.raises(ValueError, match="Got a group with rows in several"):
        test.fit_predictions(y, *predictions, groups=groups, fold=np.arange(len(y)) % 2)


def test_one_group_is_not_enough(labels):
    with pytest.raises(ValueError, match="`groups` must have at least 2 different"):
        CrossValidationCLT().fit_predictions(*labels, groups=np.zeros(60))


def test_folds_of_one_prediction_each_are_taken(labels):
    folds = np.arange(60)
    test = CrossValidationCLT(scoring="accuracy", variance="all-pairs")
    assert 0 < test.fit_predictions(*labels, fold=folds).standard_error_ < 1


def test_leaving_one_out_needs_all_pairs(linear):
    X, y = (values[:40] for values in linear)
    test = CrossValidationCLT(*RIDGES, scoring=MSE, cv=LeaveOneOut()).fit(X, y)
    assert 0 < test.standard_error_ < np.inf
    with pytest.raises(
        ValueError, match=r"'within-fold' needs at least 2 rows.*with 1"
    ):
        test.set_params(variance="within-fold").fit(X, y)


def test_time_series_are_warned_of(linear):
    X, y = linear
    test = CrossValidationCLT(*RIDGES, scoring=MSE, cv=TimeSeriesSplit(4))
    with pytest.warns(DependentFoldsWarning, match="Only 72 of the 90 rows") as caught:
        test.fit(X, y)
    assert caught[0].filename == __file__
    assert any("time series" in caveat for caveat in test.result_.caveats)
    assert test.result_.n_rows == 72


def test_rows_at_the_end_that_are_never_tested_are_warned_of(linear):
    X, y = linear
    rows = np.arange(len(y))
    splits = [(rows[30:], rows[:30]), (np.r_[rows[:30], rows[60:]], rows[30:60])]
    test = CrossValidationCLT(*RIDGES, scoring=MSE, cv=splits)
    with pytest.warns(DependentFoldsWarning, match="Only 60 of the 90 rows"):
        test.fit(X, y)


# Nested cross-validation: formulas


@pytest.mark.parametrize("n_rows", [90, 61])  # folds of one size, and of two
@pytest.mark.parametrize("bias_correction", [True, False])
def test_nested_is_algorithm_one(n_rows, bias_correction, linear):
    X, y = (values[:n_rows] for values in linear)
    fold = np.empty(n_rows, dtype=int)
    for k, (_, test) in enumerate(KFold(5).split(X)):
        fold[test] = k
    mean, error, inflation = nested_by_hand(
        RIDGES, X, y, [fold], bias_correction=bias_correction
    )
    comparison = NestedCVInterval(
        *RIDGES,
        scoring=MSE,
        cv=KFold(5),
        n_repeats=1,
        bias_correction=bias_correction,
    ).fit(X, y)
    assert comparison.delta_ == pytest.approx(mean)
    assert comparison.standard_error_ == pytest.approx(error)
    assert comparison.inflation_[MSE] == pytest.approx(inflation)
    assert comparison.pvalue_ == pytest.approx(stats.norm.sf(mean / error))
    reach = stats.norm.isf(0.025) * error
    assert comparison.confidence_interval_ == pytest.approx(
        (mean - reach, mean + reach)
    )
    assert comparison.score_a_ - comparison.score_b_ == pytest.approx(comparison.delta_)


def test_bias_correction_removes_the_effect_of_fewer_training_rows():
    """A score of c - b / m with m training rows is c - b / n with all of them."""
    c, b, n, k = 0.9, 7.0, 100, 10
    rounds = [
        NestedRound(c - b / (n * (k - 2) / k), c - b / (n * (k - 1) / k), 1e-4, 1e-4)
    ]
    assert nested_estimate(rounds, k)[0].mean == pytest.approx(c - b / n)
    plain, _ = nested_estimate(rounds, k, bias_correction=False)
    assert plain.mean == rounds[0].outer


@pytest.mark.parametrize(
    ("mse", "inflation"),
    [(-0.01, 1), (0.0101, 1), (0.02, math.sqrt(1.8)), (9, 10**0.5)],
)
def test_the_error_keeps_between_its_bounds(mse, inflation):
    rounds = [NestedRound(0.5, 0.5, mse, 0.01)] * 3
    estimate, actual = nested_estimate(rounds, 10)
    assert actual == pytest.approx(inflation)
    assert estimate.error == pytest.approx(0.1 * inflation)


def test_rounds_with_groups_take_the_variance_of_groups():
    rng = np.random.default_rng(3)
    outer, fold = rng.normal(size=24), np.repeat([0, 1, 2], 8)
    inner, other = rng.normal(size=48), np.repeat([0, 1, 2], 16)
    twice = [np.repeat(values, 2) for values in (outer, fold, inner, other)]
    alone = nested_round(outer, fold, inner, other)
    grouped = nested_round(*twice, unit=np.arange(48) // 2)
    np.testing.assert_allclose(grouped, alone)
    assert nested_round(*twice).variance < 0.6 * alone.variance


# Nested cross-validation: models


def test_numbers_depend_on_the_seed_and_not_on_workers(binary):
    X, y = binary
    test = NestedCVInterval(*CLASSIFIERS, cv=4, n_repeats=3, random_state=1)
    alone = test.fit(X, y).result_.to_dict()
    with joblib.parallel_config("threading"):
        assert test.set_params(n_jobs=2).fit(X, y).result_.to_dict() == alone
    test.set_params(n_jobs=None, random_state=2).fit(X, y)
    assert test.result_.standard_error != alone["standard_error"]
    fresh = test.set_params(random_state=None).fit(X, y).result_
    again = test.set_params(random_state=fresh.seed).fit(X, y).result_
    assert fresh.to_dict() == again.to_dict()


def test_folds_of_classifiers_are_stratified_and_fits_are_few(binary):
    X, y = binary
    counts = []

    class Counting(LogisticRegression):
        def fit(self, X, y):
            counts.append(np.bincount(y).tolist())
            return super().fit(X, y)

    test = NestedCVInterval(Counting(), GaussianNB(), cv=5, n_repeats=2, random_state=0)
    test.fit(X, y)
    winner_is_a = isinstance(test.best_estimator_, Counting)
    assert len(counts) == 2 * 5 * 6 / 2 + winner_is_a
    ones = np.array([c[1] / sum(c) for c in counts])
    np.testing.assert_allclose(ones, y.mean(), atol=0.02)


@ignores_groups
def test_groups_stay_together_in_random_folds(linear):
    X, y = linear
    groups = np.arange(90) // 2
    test = NestedCVInterval(
        *RIDGES,
        scoring=MSE,
        cv=GroupKFold(4, shuffle=True),
        n_repeats=3,
        random_state=0,
    ).fit(X, y, groups=groups)
    assert (test.result_.n_rows, test.result_.n_units) == (90, 45)
    with pytest.raises(ValueError, match=r"`groups` must lie in one fold.*GroupKFold"):
        test.set_params(cv=4).fit(X, y, groups=groups)


def test_progress_is_printed_on_request(binary, capsys, monkeypatch):
    monkeypatch.setattr("skcompare._progress.PATIENCE", 0.0)
    test = quick(NestedCVInterval, *CLASSIFIERS)
    test.fit(*binary)
    assert capsys.readouterr() == ("", "")
    test.set_params(verbose=1).fit(*binary)
    assert "repeats" in capsys.readouterr().err


# Both


@pytest.mark.parametrize("test", BOTH)
def test_pipelines_searches_and_several_metrics(test, binary):
    X, y = binary
    search = GridSearchCV(LogisticRegression(), {"C": [0.01, 1.0]}, cv=2)
    comparison = quick(
        test,
        make_pipeline(StandardScaler(), search),
        make_pipeline(StandardScaler(), GaussianNB()),
        scoring=["accuracy", "neg_log_loss"],
    ).fit(X, y)
    assert list(comparison.results_) == ["accuracy", "neg_log_loss"]
    for result in comparison.results_.values():
        low, high = result.confidence_interval
        assert low < result.delta < high
        assert result.score_a_interval.low < result.score_a
    with pytest.raises(AttributeError, match="Several metrics"):
        _ = comparison.delta_
    assert len(comparison.predict(X)) == len(y)


@pytest.mark.parametrize("test", BOTH)
def test_the_winner_predicts(test, linear):
    X, y = linear
    comparison = quick(test, LinearRegression(), DummyRegressor(), scoring=MSE).fit(
        X, y
    )
    assert comparison.pvalue_ < 0.05
    assert isinstance(comparison.best_estimator_, LinearRegression)
    np.testing.assert_allclose(
        comparison.predict(X), LinearRegression().fit(X, y).predict(X)
    )
    comparison = quick(test, DummyRegressor(), LinearRegression(), scoring=MSE).fit(
        X, y
    )
    assert comparison.pvalue_ > 0.95
    assert isinstance(comparison.best_estimator_, LinearRegression)


@pytest.mark.parametrize("test", BOTH)
def test_results_name_their_estimand(test, binary):
    result = quick(test, *CLASSIFIERS).fit(*binary).result_
    text = result.summary()
    assert test.__name__ in text
    estimand = "training folds" if test is CrossValidationCLT else "trained on 120 rows"
    assert estimand in text
    assert "H0: o" in text  # of the models ..., on data sets ...
    assert result.to_dict()["score_a_interval"]["low"] < result.score_a


@pytest.mark.parametrize("test", BOTH)
@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_models_that_score_alike_have_pvalue_one(test, alternative, binary):
    same = quick(
        test, GaussianNB(), GaussianNB(), alternative=alternative, scoring="accuracy"
    )
    with pytest.warns(DegenerateDataWarning, match=r"same .* the p-value") as caught:
        same.fit(*binary)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert (same.delta_, same.pvalue_, same.statistic_) == (0, 1, 0)
    low, high = same.confidence_interval_  # a bound, where there is one
    assert low == -high
    assert high < 0.1 if test is CrossValidationCLT else high == np.inf


@pytest.mark.parametrize("test", BOTH)
def test_a_constant_difference_has_no_variance(test):
    X, y = np.zeros((60, 1)), np.zeros(60)
    ahead = quick(
        test,
        DummyRegressor(strategy="constant", constant=0.1),
        DummyRegressor(strategy="constant", constant=0.7),
        scoring="neg_mean_absolute_error",
    )
    with pytest.warns(DegenerateDataWarning, match="do not vary"):
        ahead.fit(X, y)
    assert ahead.statistic_ == np.inf
    by_rows = test is CrossValidationCLT
    assert ahead.pvalue_ == 2.0 ** -(60 if by_rows else 1)
    assert ahead.confidence_interval_ == (0 if by_rows else -np.inf, np.inf)
    with pytest.warns(DegenerateDataWarning, match="do not vary"):
        ahead.set_params(alternative="less").fit(X, y)
    assert ahead.pvalue_ == 1


@pytest.mark.parametrize("test", BOTH)
def test_few_rows_are_warned_of(test, linear):
    X, y = linear
    comparison = quick(test, *RIDGES, scoring=MSE)
    comparison.fit(X[:30], y[:30])  # warnings are errors
    with pytest.warns(SmallSampleWarning, match="29 rows: fewer than 30"):
        comparison.fit(X[:29], y[:29])
    assert any("29 rows" in caveat for caveat in comparison.result_.caveats)


@pytest.mark.parametrize("test", BOTH)
def test_metrics_that_are_no_averages_are_refused(test, binary):
    for scoring in ("f1", "roc_auc"):
        message = f"`scoring` must be an average .*{test.__name__}. Got '{scoring}'"
        with pytest.raises(ValueError, match=message):
            quick(test, *CLASSIFIERS, scoring=scoring).fit(*binary)


class Fails(ClassifierMixin, BaseEstimator):
    """Cannot be fitted."""

    def fit(self, X, y):
        raise RuntimeError("cannot be fitted")

    def predict(self, X):
        return X


@pytest.mark.parametrize("test", BOTH)
def test_failed_fits_are_errors(test, binary):
    with pytest.raises(RuntimeError, match="cannot be fitted"):
        quick(test, Fails(), GaussianNB(), scoring="accuracy").fit(*binary)


@pytest.mark.parametrize("test", BOTH)
@pytest.mark.parametrize("parameter", ["strata", "sample_weight"])
def test_strata_and_weights_are_refused(test, parameter, binary):
    X, y = binary
    with pytest.raises(
        ValueError, match=f"`{parameter}` must be None for {test.__name__}"
    ):
        quick(test, *CLASSIFIERS).fit(X, y, **{parameter: np.ones(len(y))})


ONE_SPLIT = [(np.arange(60), np.arange(60, 120))]


@pytest.mark.parametrize(
    ("test", "params", "message"),
    [
        *((test, {"alpha": 2}, "`alpha` must lie") for test in BOTH),
        *((test, {"confidence_level": 0}, "`confidence_level`") for test in BOTH),
        *((test, {"alternative": "both"}, "`alternative` must be") for test in BOTH),
        *((test, {"estimator_a": None}, "`estimator_a` must be") for test in BOTH),
        *(
            (test, {"cv": "prefit"}, "`cv` must be an integer such as 10, a splitter")
            for test in BOTH
        ),
        (CrossValidationCLT, {"variance": "pooled"}, "`variance` must be one of"),
        (CrossValidationCLT, {"cv": ONE_SPLIT}, "at least 2 folds. Got 1"),
        (
            CrossValidationCLT,
            {"cv": RepeatedKFold(n_splits=3, n_repeats=2)},
            "Got 240 predictions for 120 rows.*CorrectedTTest",
        ),
        (NestedCVInterval, {"n_repeats": 0}, "`n_repeats` must be an integer"),
        (NestedCVInterval, {"cv": 2}, "at least 3 folds.*Got 2 folds"),
        (NestedCVInterval, {"cv": KFold(5)}, "splitter that shuffles.*n_repeats=1"),
        (
            NestedCVInterval,
            {"cv": TimeSeriesSplit(4), "n_repeats": 1},
            "exactly once.*Got 96 tests of 96 of 120 rows",
        ),
        (
            NestedCVInterval,
            {"cv": RepeatedKFold(n_splits=3, n_repeats=2), "n_repeats": 1},
            "exactly once.*Got 240 tests of 120 of 120 rows",
        ),
        (
            NestedCVInterval,
            {"cv": LeaveOneOut(), "n_repeats": 1},
            "each with at least 2 rows.*the smallest with 1",
        ),
    ],
)
def test_bad_parameters_are_refused(test, params, message, binary):
    with pytest.raises(ValueError, match=message):
        quick(test, *CLASSIFIERS).set_params(**params).fit(*binary)


def test_a_test_on_fitted_models_is_nearly_the_same(binary):
    """The t-test on pooled rows differs by its degrees of freedom alone."""
    X, y = binary
    z = CrossValidationCLT(*CLASSIFIERS, cv=5).fit(X, y)
    t = PairedTTest(*CLASSIFIERS, cv=5).fit(X, y)
    assert z.standard_error_ == pytest.approx(t.standard_error_ * math.sqrt(119 / 120))
    assert z.result_.estimand != t.result_.estimand


@pytest.mark.filterwarnings("ignore")  # checks use tiny, odd and constant data
@parametrize_with_checks(
    [quick(NestedCVInterval, *RIDGES, scoring=MSE, cv=3, n_repeats=1)]
)
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)


# How often intervals cover: the papers' own checks, on a small scale


@pytest.fixture(scope="module")
def simulation():
    path = Path(__file__).parents[2] / "doc" / "simulations" / "cv_intervals.py"
    spec = importlib.util.spec_from_file_location("cv_intervals", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_simulation_fits_the_models_of_scikit_learn(simulation):
    rng = np.random.default_rng(0)
    X, y, slope = simulation.draw_data(60, 3, rng)
    fold = rng.permutation(np.arange(60) % 10)
    fitted = simulation.LeastSquares(X[0], y, fold, slope)
    train = (fold != 2) & (fold != 7)
    model = LinearRegression(fit_intercept=False).fit(X[0][train], y[train])
    test = fold == 2
    expected = (y[test] - model.predict(X[0][test])) ** 2
    np.testing.assert_allclose(fitted.losses[test, 7], expected)


def misses(simulation, seed, n_rows, n_features, n_repeats, intervals):
    """Return, for each kind of interval, whether it misses, by data set."""
    rng, size = np.random.default_rng(seed), (n_rows, n_features)
    coverages = (
        simulation.coverage(*size, n_data_sets=1, n_repeats=n_repeats, rng=rng)
        for _ in itertools.count()
    )
    copies = zip(intervals, itertools.tee(coverages, len(intervals)), strict=True)
    return [
        map(lambda held, interval=interval: not held[interval], copy)
        for interval, copy in copies
    ]


BOTH = ("one model", "difference")


def test_nested_intervals_cover(simulation, random_seed, simulations):
    intervals = [(estimand, "nested, expected") for estimand in BOTH]
    for missed in misses(simulation, random_seed, 100, 20, 5, intervals):
        assert_level_kept(missed, simulations(None, 400), 0.1)


def test_rows_taken_as_independent_do_not_cover(simulation, random_seed, simulations):
    """Two rows per feature: where they fail, nested intervals do not."""
    n, intervals = (
        simulations(None, 600),
        [(estimand, "nested, expected") for estimand in BOTH],
    )
    intervals.append(("one model", "CLT, expected"))
    *nested, of_rows = misses(simulation, random_seed, 60, 30, 1, intervals)
    for missed in nested:
        assert_level_kept(missed, n, 0.1, slack=0.02)
    with pytest.raises(AssertionError, match="above"):
        assert_level_kept(of_rows, n, 0.1)


@pytest.mark.parametrize("variance", ["all-pairs", "within-fold"])
def test_groups_keep_the_coverage(variance, random_seed, simulations):
    """Rows of a group share an effect; intervals for rows do not cover."""
    n = simulations(320, 3000)
    rng = np.random.default_rng(random_seed)
    unit, fold = np.repeat(np.arange(60), 5), np.repeat(np.arange(5), 60)
    held = {"groups": 0, "rows": 0}
    for _ in range(n):
        scores = rng.normal(size=60)[unit] + rng.normal(size=300)
        for name, codes in (("groups", unit), ("rows", None)):
            result = clt_estimate(scores, variance=variance, fold=fold, unit=codes)
            low, high = result.interval(0.9)
            held[name] += low <= 0 <= high
    assert_level(n - held["groups"], n, 0.1, slack=0.02)
    assert held["rows"] / n < 0.8


def test_the_normal_limit_covers_the_models_of_the_folds(
    simulation, random_seed, simulations
):
    intervals = [(estimand, "CLT, these models") for estimand in BOTH]
    for missed in misses(simulation, random_seed, 400, 5, 1, intervals):
        assert_level_kept(missed, simulations(None, 1000), 0.1, slack=0.02)
