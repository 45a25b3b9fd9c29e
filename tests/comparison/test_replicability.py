"""In how many data sets, or folds, there is an effect."""

import json
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_digits
from sklearn.dummy import DummyClassifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from statsmodels.stats.multitest import multipletests

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    CorrectedTTest,
    CrossValidationCLT,
    FoldReplicability,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
    PairedTTest,
    replicability_analysis,
)
from skcompare.exceptions import (
    DegenerateDataWarning,
    DependentFoldsWarning,
    FailedFitWarning,
    LeakageWarning,
    ParameterError,
    SmallSampleWarning,
)
from tests.rates import assert_level

PAIR = KNeighborsClassifier(), GaussianNB()
DROR = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]


# The published example, and formulas against independent ones


def test_the_published_example():
    any_dependence = replicability_analysis(DROR)
    independent = replicability_analysis(DROR, dependence="independent")
    assert (any_dependence.k, independent.k) == (1, 2)
    assert any_dependence.rejected == independent.rejected == (5,)


@pytest.mark.parametrize("seed", range(5))
def test_bonferroni_is_holms_procedure(seed):
    rng = np.random.default_rng(seed)
    pvalues = np.round(rng.beta(0.1, 1, size=12), 3)  # with ties
    result = replicability_analysis(pvalues)
    rejected, adjusted, *_ = multipletests(pvalues, alpha=0.05, method="holm")
    np.testing.assert_allclose(result.partial_conjunction_pvalues, np.sort(adjusted))
    assert result.rejected == tuple(np.flatnonzero(rejected))
    assert result.k == rejected.sum() > 0


@pytest.mark.parametrize(
    ("pvalues", "k", "rejected"),
    [
        ([0.0, 0.0, 1.0], 2, (0, 1)),
        ([1.0, 1.0], 0, ()),
        ([0.05], 1, (0,)),
        ([0.0501], 0, ()),
        ([0.025, 0.025], 2, (0, 1)),
        ([0.026, 0.026], 0, ()),
    ],
)
def test_edges(pvalues, k, rejected):
    result = replicability_analysis(pvalues)
    assert (result.k, result.rejected) == (k, rejected)
    assert replicability_analysis(pvalues, dependence="independent").k >= k


def test_fisher_counts_more_than_can_be_named():
    result = replicability_analysis([0.04] * 8, dependence="independent")
    assert result.k > 0
    assert result.rejected == ()


# How often it is too large


def simulated_k(rng, n_sets, n_effects, dependence, correlation):
    noise = rng.normal(size=n_sets) * np.sqrt(1 - correlation)
    z = noise + rng.normal() * np.sqrt(correlation)
    z[:n_effects] += 3
    pvalues = stats.norm.sf(z)
    return replicability_analysis(pvalues, dependence=dependence, alpha=0.1).k


@pytest.mark.parametrize("n_effects", [0, 3])
@pytest.mark.parametrize(
    ("dependence", "correlation"), [("any", 0.0), ("any", 0.8), ("independent", 0.0)]
)
def test_k_is_a_lower_bound(
    n_effects, dependence, correlation, random_seed, simulations
):
    n_simulations = simulations(500, 5000)
    rng = np.random.default_rng(random_seed)
    too_many = sum(
        simulated_k(rng, 8, n_effects, dependence, correlation) > n_effects
        for _ in range(n_simulations)
    )
    assert_level(too_many, n_simulations, 0.1)


def test_fisher_is_wrong_for_dependent_data_sets(random_seed, simulations):
    """The simulation detects a wrong level."""
    n_simulations = simulations(500, 5000)
    rng = np.random.default_rng(random_seed)
    too_many = sum(
        simulated_k(rng, 8, 0, "independent", 0.8) > 0 for _ in range(n_simulations)
    )
    assert stats.binomtest(too_many, n_simulations, 0.1).pvalue < 1e-4


# Names, words and exports


def test_names_come_from_dicts_and_series():
    by_name = {"news": 0.001, "tweets": 0.4, "reviews": 0.02}
    for pvalues in (by_name, pd.Series(by_name)):
        result = replicability_analysis(pvalues)
        assert result.names == ("news", "tweets", "reviews")
        assert result.rejected == ("news", "reviews")
    assert "finds an effect in these data sets: news, reviews." in result.sentence()
    assert "at least 2 of 3 data sets (K_Bonferroni)" in result.sentence()
    assert "none" in replicability_analysis([0.5]).sentence()


def test_results_print_and_export():
    result = replicability_analysis({"news": 0.001, "tweets": 0.4})
    assert "news" in result.summary()
    assert "H0(u): fewer than u" in str(result)
    assert "<table>" in result._repr_html_()
    exported = json.loads(json.dumps(result.to_dict()))
    assert exported["k"] == 1
    assert exported["partial_conjunction_pvalues"] == [0.002, 0.4]
    frame = result.to_frame()
    assert frame.loc["news"].tolist() == [0.001, True]
    assert frame["rejected"].tolist() == [True, False]
    assert "dependence:any" in result.signature


def test_the_plot_fills_as_many_dots_as_there_are_effects():
    plt = pytest.importorskip("matplotlib.pyplot")
    ax = plt.figure().subplots()
    result = replicability_analysis([0.0, 0.01, 0.3, 0.02])
    display = result.plot(ax=ax)
    assert display.ax_ is ax
    assert display.significant_.get_xdata().tolist() == list(range(1, result.k + 1))
    assert display.others_.get_xdata().tolist() == list(range(result.k + 1, 5))
    assert display.significant_.get_ydata()[0] > 0  # a logarithmic axis has no zero
    np.testing.assert_array_equal(
        display.frame()["pvalue"], result.partial_conjunction_pvalues
    )
    assert f"at least {result.k} of 4 data sets" in ax.get_title()
    plt.close(ax.figure)


@pytest.mark.parametrize(
    ("pvalues", "message"),
    [
        ([0.1, 1.2], r"between 0 and 1.*Got 1.2 for 1"),
        ([-0.1], r"between 0 and 1.*Got -0.1 for 0"),
        ({"a": 0.1, "b": np.nan}, r"none missing.*Got nan for 'b'"),
        ([], r"one-dimensional.*\(0,\)"),
        (0.05, r"one-dimensional.*\(\)"),
        ([[0.1, 0.2]], r"one-dimensional.*\(1, 2\)"),
        (["small"], "must be numbers"),
        ([None], "Got nan for 0"),
        (pd.Series([0.1, 0.2], index=["a", "a"]), "name every data set once"),
    ],
)
def test_bad_pvalues_are_refused(pvalues, message):
    with pytest.raises(ValueError, match=f"`pvalues` .*{message}"):
        replicability_analysis(pvalues)


def test_options_are_checked():
    with pytest.raises(ValueError, match="`dependence` must be one of 'any'"):
        replicability_analysis([0.1], dependence="positive")
    with pytest.raises(ValueError, match="`alpha` must lie strictly between"):
        replicability_analysis([0.1], alpha=1)


# Folds


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:600], y[:600]


def by_hand(test, X, y, splits):
    """Fit on each training set and test on each test set, one by one."""
    pvalues = []
    for train, rows in splits:
        pair = [
            clone(model).fit(X[train], y[train])
            for model in (test.estimator_a, test.estimator_b)
        ]
        a, b = (model.predict(X[rows]) for model in pair)
        fresh = clone(test).fit_predictions(y[rows], a, b)
        pvalues.append(fresh.pvalue_)
    return pvalues


def test_every_fold_is_tested_as_on_its_own(digits):
    X, y = digits
    test = McNemar(*PAIR)
    comparison = FoldReplicability(test, cv=4).fit(X, y)
    expected = by_hand(test, X, y, StratifiedKFold(4).split(X, y))
    np.testing.assert_allclose(comparison.pvalues_, expected)
    analysis = replicability_analysis(expected)
    assert comparison.k_ == analysis.k > 0
    assert comparison.rejected_ == analysis.rejected
    np.testing.assert_allclose(
        comparison.partial_conjunction_pvalues_, analysis.partial_conjunction_pvalues
    )
    assert [r.n_rows for r in comparison.fold_results_] == [150] * 4
    assert "of 4 folds" in comparison.result_.sentence()
    assert "test:McNemar" in comparison.result_.signature


@pytest.mark.parametrize(
    "cv",
    [
        KFold(3, shuffle=True, random_state=0),
        ShuffleSplit(3, test_size=0.3, random_state=0),
        TimeSeriesSplit(3),
        [(np.arange(300), np.arange(300, 350)), (np.arange(300), np.arange(350, 600))],
    ],
    ids=["shuffled", "overlapping", "time series", "unequal"],
)
@pytest.mark.usefixtures("quiet")  # splits of a series in time are warned of
def test_any_splitter_will_do(cv, digits):
    X, y = digits
    test = PairedTTest(*PAIR, scoring="accuracy")
    comparison = FoldReplicability(test, cv=cv).fit(X, y)
    splits = cv.split(X, y) if hasattr(cv, "split") else cv
    np.testing.assert_allclose(comparison.pvalues_, by_hand(test, X, y, splits))


def test_pipelines_and_searches_and_resampling(digits):
    X, y = digits
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=2)
    test = ApproxRandomization(
        make_pipeline(StandardScaler(), search),
        make_pipeline(StandardScaler(), GaussianNB()),
        scoring="f1_macro",
        n_resamples=199,
        random_state=0,
    )
    alone = FoldReplicability(test, cv=3).fit(X, y)
    with joblib.parallel_config("threading"):
        together = FoldReplicability(test, cv=3, n_jobs=2).fit(X, y)
    assert alone.k_ == 3
    np.testing.assert_array_equal(alone.pvalues_, together.pvalues_)


def test_groups_reach_splitter_and_test(digits):
    X, y = digits
    groups = np.arange(600) // 4
    test = PairedBootstrap(*PAIR, scoring="accuracy", n_resamples=99, random_state=0)
    comparison = FoldReplicability(test, cv=GroupKFold(3)).fit(X, y, groups=groups)
    assert [r.n_units for r in comparison.fold_results_] == [50, 50, 50]
    with pytest.raises(ValueError, match="`groups` must be None for McNemar"):
        FoldReplicability(McNemar(*PAIR), cv=GroupKFold(3)).fit(X, y, groups=groups)
    torn = list(KFold(3, shuffle=True, random_state=0).split(X))
    with pytest.warns(DependentFoldsWarning, match="^all folds: Groups have rows"):
        comparison = FoldReplicability(test, cv=torn).fit(X, y, groups=groups)
    assert "does not keep them together" in comparison.result_.caveats[0]


def test_weights_reach_models_and_test(digits):
    X, y = digits
    weights = np.random.default_rng(0).integers(1, 4, len(y))
    test = PairedBootstrap(
        DecisionTreeClassifier(max_depth=4, random_state=0),
        GaussianNB(),
        scoring="accuracy",
        n_resamples=99,
        random_state=0,
    )
    splits = list(KFold(3).split(X))
    comparison = FoldReplicability(test, cv=splits)
    results = comparison.fit(X, y, sample_weight=weights).fold_results_
    for (train, tested), result in zip(splits, results, strict=True):
        a, b = (
            clone(model).fit(X[train], y[train], sample_weight=weights[train])
            for model in (test.estimator_a, test.estimator_b)
        )
        alone = clone(test).set_params(estimator_a=a, estimator_b=b)
        alone.fit(X[tested], y[tested], sample_weight=weights[tested])
        assert result.weighted
        assert (result.delta, result.pvalue) == (alone.delta_, alone.pvalue_)
    unweighted = McNemar(*PAIR)
    with pytest.raises(ValueError, match="`sample_weight` must be None for McNemar"):
        FoldReplicability(unweighted).fit(X, y, sample_weight=weights)


def test_strata_reach_the_test(digits):
    X, y = digits
    test = PairedBootstrap(*PAIR, scoring="accuracy", n_resamples=99, random_state=0)
    results = FoldReplicability(test, cv=3).fit(X, y, strata=y).fold_results_
    assert [result.n_strata for result in results] == [10, 10, 10]
    with pytest.raises(ValueError, match="`strata` must be None for McNemar"):
        FoldReplicability(McNemar(*PAIR)).fit(X, y, strata=y)


def test_models_of_kernel_matrices_get_the_columns_of_their_training_rows(digits):
    X, y = digits
    gamma = 0.001
    plain, of_kernel = (
        FoldReplicability(McNemar(SVC(**options), SVC(C=0.01, **options)), cv=3)
        for options in ({"gamma": gamma}, {"kernel": "precomputed"})
    )
    expected = plain.fit(X, y).pvalues_
    actual = of_kernel.fit(rbf_kernel(X, gamma=gamma), y).pvalues_
    np.testing.assert_allclose(actual, expected, rtol=1e-9)


def test_the_callers_test_and_models_stay_as_they_are(digits):
    X, y = digits
    test = McNemar(*PAIR)
    FoldReplicability(test, cv=3).fit(X, y)
    assert not hasattr(test, "results_")
    assert not hasattr(test.estimator_b, "theta_")
    assert test.cv == "prefit"


def test_fitted_models_are_fitted_anew_also_by_a_clone():
    """A model that has seen all rows knows them by heart: only that looks better."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 2)), rng.integers(2, size=200)
    heart = DecisionTreeClassifier(random_state=0).fit(X, y)
    constant = DummyClassifier(strategy="constant", constant=1).fit(X, y)
    folds = FoldReplicability(McNemar(heart, constant), cv=4)
    for copied in (folds, clone(folds), clone(clone(folds))):
        assert copied.fit(X, y).k_ == 0
    assert heart.score(X, y) == 1  # the caller's model is not fitted again
    with pytest.warns(LeakageWarning, match="does not refit"):
        frozen = FoldReplicability(clone(McNemar(heart, constant)), cv=4).fit(X, y)
    assert frozen.k_ == 4


@pytest.mark.parametrize(
    "test",
    [
        None,
        1,
        McNemar,
        BayesianComparison(),
        CorrectedTTest(),
        CrossValidationCLT(),
        NestedCVInterval(),
    ],
    ids=str,
)
def test_only_tests_of_rows_with_a_p_value_go_into_folds(test):
    with pytest.raises(ParameterError, match="`test` must be a test of two fitted mod"):
        FoldReplicability(test).fit([[0.0], [1.0]], [0, 1])
    clone(FoldReplicability(test))


def test_models_that_agree_have_no_effect_and_are_warned_of_once(digits):
    X, y = digits
    same = FoldReplicability(McNemar(GaussianNB(), GaussianNB()), cv=3)
    with pytest.warns(DegenerateDataWarning, match="all folds: Both models") as caught:
        same.fit(X, y)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert same.k_ == 0
    np.testing.assert_array_equal(same.pvalues_, 1)
    assert same.result_.caveats[0].startswith("all folds: ")


def test_caveats_name_their_folds(digits):
    X, y = digits
    train = np.append(np.arange(300), 599)  # not just the past
    cv = [(train, np.arange(300, 320)), (train, np.arange(320, 599))]
    test = PairedBootstrap(*PAIR, scoring="accuracy", n_resamples=99)
    with pytest.warns(SmallSampleWarning, match="^fold 0: .*20 rows"):
        FoldReplicability(test, cv=cv).fit(X, y)


class FailsWithout(ClassifierMixin, BaseEstimator):
    """Cannot be fitted unless the first row is among the training rows."""

    def __init__(self, first=0.0):
        self.first = first

    def fit(self, X, y):
        if not np.any(X[:, 0] == self.first):
            raise RuntimeError("no first row")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_failed_fits_are_reported_and_count_as_no_effect():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(240, 2)), np.arange(240) % 3 // 2
    test = McNemar(
        FailsWithout(X[0, 0]), DummyClassifier(strategy="constant", constant=1)
    )
    analysis = FoldReplicability(test, cv=KFold(3))
    text = r"^fold 0: A model could not .*: `estimator_a` \(FailsWithout\) could not be"
    with pytest.warns(FailedFitWarning, match=text) as caught:
        analysis.fit(X, y)
    (warned,) = caught
    assert warned.filename == __file__
    assert analysis.fold_results_[0] is None
    assert analysis.pvalues_[0] == 1
    assert (analysis.pvalues_[1:] < 0.05).all()
    assert (analysis.k_, analysis.result_.n_datasets) == (2, 3)
    with pytest.raises(RuntimeError, match="no first row"):
        analysis.set_params(error_score="raise").fit(X, y)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"test": None}, "`test` must be a test of two fitted models.*Got None"),
        ({"test": CrossValidationCLT(GaussianNB(), GaussianNB())}, "`test` must be"),
        ({"test": BayesianComparison(*PAIR)}, "`test` must be a test of two fitted"),
        ({"test": McNemar()}, "`estimator_a` must be a model"),
        ({"cv": [(np.arange(300), np.arange(300, 600))]}, "at least two splits. Got 1"),
        ({"alpha": 0}, "`alpha` must lie"),
        ({"error_score": 0}, "`error_score` must be 'raise', or nan"),
        ({"cv": "x"}, "`cv` must be an integer such as 10, a splitter .* Got 'x'"),
    ],
)
def test_bad_folds_and_tests_are_refused(params, message, digits):
    valid = {"test": McNemar(*PAIR), "cv": 2}
    with pytest.raises(ValueError, match=message):
        FoldReplicability(**(valid | params)).fit(*digits)


def test_one_metric_at_a_time(digits):
    test = PairedTTest(*PAIR, scoring=["accuracy", "neg_log_loss"])
    with pytest.raises(ValueError, match="`test` must have one metric"):
        FoldReplicability(test, cv=2).fit(*digits)
    with pytest.raises(ValueError, match="requires y to be passed"):
        FoldReplicability(PairedTTest(*PAIR), cv=2).fit(digits[0])


class SignOf(ClassifierMixin, BaseEstimator):
    """Predicts the sign of a feature, whatever the training rows."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return (X[:, self.column] > 0).astype(int)


@pytest.mark.slow
def test_k_is_a_lower_bound_over_folds(random_seed, simulations):
    """Two models without any difference: few data sets have a fold with an effect."""
    n_simulations = simulations(200, 1_000)
    rng = np.random.default_rng(random_seed)
    comparison = FoldReplicability(McNemar(SignOf(0), SignOf(1)), cv=3, alpha=0.1)
    too_many = 0
    for _ in range(n_simulations):
        X = rng.normal(size=(90, 3))
        y = (rng.random(90) < 0.5).astype(int)  # nothing to learn: all are equal
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateDataWarning)
            too_many += comparison.fit(X, y).k_ > 0
    assert_level(too_many, n_simulations, 0.1)
