"""The tests as estimators: checks of scikit-learn, pipelines, searches, clones."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from skcompare import ApproxRandomization, PairedBootstrap
from tests.models import FEW_STEPS

TESTS = [PairedBootstrap, ApproxRandomization]
each_test = pytest.mark.parametrize("test", TESTS)

PAIRS = [
    (LogisticRegression(), LogisticRegression(C=0.1)),
    (LogisticRegression(), GaussianNB()),
    (Ridge(), Ridge(alpha=10.0)),
]


# All tests of rows share one `fit`: it is checked with models of each kind once, and
# what else a class may do is in `test_sklearn_contract`. The baseline wins, as no
# p-value of 19 resamples is below 0.05: repeated rows are more evidence than weights,
# so that they may lead to another winner.
@pytest.mark.filterwarnings("ignore")  # checks use tiny, odd and constant data
@parametrize_with_checks(
    [
        PairedBootstrap(*FEW_STEPS, cv=3, n_resamples=19, alpha=0.01),
        PairedBootstrap(*PAIRS[2], cv=3, n_resamples=19, alpha=0.01),
    ]
)
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def signal():
    """Data on which a model beats a constant for sure: ``X, y``."""
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    return rng.normal(size=(120, 3)) + 2.0 * y[:, None], np.where(y, "yes", "no")


def constant():
    return DummyClassifier(strategy="constant", constant="no")


class Remembers:
    """A model that predicts the labels it was made with, whatever the rows."""

    def __init__(self, predictions):
        self.predictions = predictions

    def predict(self, X):
        return self.predictions


@each_test
def test_the_challenger_predicts_where_it_won(test, signal):
    X, y = signal
    gate = test(
        LogisticRegression(), constant(), cv=3, scoring="accuracy", n_resamples=99
    ).fit(X, y)
    assert isinstance(gate.best_estimator_, LogisticRegression)
    refitted = LogisticRegression().fit(X, y)
    np.testing.assert_array_equal(gate.predict(X), refitted.predict(X))
    np.testing.assert_array_equal(gate.predict_proba(X), refitted.predict_proba(X))
    np.testing.assert_array_equal(
        gate.predict_log_proba(X), refitted.predict_log_proba(X)
    )
    np.testing.assert_array_equal(
        gate.decision_function(X), refitted.decision_function(X)
    )
    np.testing.assert_array_equal(gate.classes_, ["no", "yes"])
    assert gate.score(X, y) == refitted.score(X, y)
    assert gate.n_features_in_ == 3


@each_test
@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_the_baseline_predicts_where_the_challenger_did_not_win(
    test, alternative, signal
):
    X, y = signal
    gate = test(
        constant(),
        GaussianNB(),
        scoring="accuracy",
        cv=3,
        n_resamples=99,
        alternative=alternative,
    ).fit(X, y)
    assert isinstance(gate.best_estimator_, GaussianNB)
    assert not hasattr(gate, "decision_function")  # GaussianNB has none
    assert gate.score(X, y) > 0.9


@each_test
def test_fitted_models_predict_as_they_are(test, signal):
    X, y = signal
    a, b = LogisticRegression().fit(X, y), constant().fit(X, y)
    for pair in ((a, b), (b, a)):
        gate = test(*pair, scoring="accuracy", n_resamples=99).fit(X, y)
        assert gate.best_estimator_ is a


def test_the_level_decides(signal):
    _, y = signal
    weak = np.where(np.arange(120) < 6, "no", y)  # a small difference
    rows = np.arange(120)

    a, b = Remembers(y), Remembers(weak)
    for alpha, best in ((0.5, a), (1e-9, b)):
        gate = PairedBootstrap(a, b, scoring="accuracy", alpha=alpha, n_resamples=99)
        assert gate.fit(rows, y).best_estimator_ is best
        assert gate.result_.significant == (best is a)


def test_with_several_metrics_the_challenger_must_win_in_all():
    truth = np.arange(60) % 2
    careful = np.where(np.arange(60) < 40, truth, 0)  # precise, with little recall
    bold = np.ones(60, dtype=int)

    a, b = Remembers(careful), Remembers(bold)
    gate = PairedBootstrap(a, b, scoring=["precision", "accuracy"], n_resamples=99)
    assert gate.fit(truth, truth).best_estimator_ is a
    gate.set_params(scoring=["precision", "accuracy", "recall"])
    assert gate.fit(truth, truth).best_estimator_ is b


@each_test
def test_as_the_last_step_of_a_pipeline(test, signal):
    X, y = signal
    gate = test(
        LogisticRegression(), constant(), cv=3, scoring="accuracy", n_resamples=49
    )
    pipeline = Pipeline([("scale", StandardScaler()), ("gate", gate)]).fit(X, y)
    assert is_classifier(pipeline)
    scaled = StandardScaler().fit_transform(X)
    refitted = LogisticRegression().fit(scaled, y)
    np.testing.assert_array_equal(pipeline.predict(X), refitted.predict(scaled))
    assert pipeline.predict_proba(X).shape == (120, 2)
    assert pipeline.score(X, y) == refitted.score(scaled, y)
    np.testing.assert_array_equal(pipeline.classes_, ["no", "yes"])
    assert pipeline[-1].pvalue_ <= 0.05


@each_test
def test_a_search_goes_over_nested_parameters(test, signal):
    X, y = signal
    pipeline = make_pipeline(
        StandardScaler(),
        test(
            LogisticRegression(), constant(), cv=3, scoring="accuracy", n_resamples=19
        ),
    )
    step = test.__name__.lower()
    grid = {f"{step}__estimator_a__C": [0.5, 2.0], f"{step}__alpha": [1e-9, 0.05]}
    search = GridSearchCV(pipeline, grid, cv=2).fit(X, y)
    assert search.best_params_[f"{step}__alpha"] == 0.05  # else the constant predicts
    assert search.best_estimator_[-1].estimator_a.C in (0.5, 2.0)
    assert set(search.predict(X)) == {"no", "yes"}


def test_it_can_be_cross_validated_itself(signal):
    X, y = signal
    gate = PairedBootstrap(
        LogisticRegression(), constant(), cv=3, scoring="accuracy", n_resamples=19
    )
    assert cross_val_score(gate, X, y, cv=2).min() > 0.8


@each_test
@pytest.mark.parametrize("pair", PAIRS, ids=["linear", "classifiers", "regressors"])
def test_it_is_of_the_kind_of_its_models(test, pair):
    comparison = test(*pair)
    assert is_classifier(comparison) == is_classifier(pair[0])
    assert is_regressor(comparison) == is_regressor(pair[0])
    assert not hasattr(test(Ridge(), Ridge()), "predict_proba")
    assert not hasattr(test(LinearSVC(), Ridge()), "predict_proba")
    assert not hasattr(test(Ridge(), Ridge()), "predict_log_proba")


@each_test
def test_parameters_are_stored_unchanged_and_can_be_set(test):
    a, b = LogisticRegression(), GaussianNB()
    comparison = test(a, b, n_resamples=7, scoring=["f1"])
    params = comparison.get_params()
    assert params["estimator_a"] is a
    assert params["estimator_b"] is b
    assert params["scoring"] == ["f1"]
    assert params["estimator_a__C"] == 1.0
    comparison.set_params(estimator_a__C=3.0, alternative="less")
    assert a.C == 3.0
    assert comparison.alternative == "less"
    with pytest.raises(ValueError, match="Invalid parameter 'nonsense'"):
        comparison.set_params(nonsense=1)
    with pytest.raises(TypeError, match="positional"):
        test(a, b, "accuracy")


@each_test
def test_defaults_are_those_of_the_design(test):
    shared = {
        "scoring": None,
        "cv": "prefit",
        "aggregate": "auto",
        "n_resamples": 9_999,
        "alternative": "greater",
        "alpha": 0.05,
        "add_one": True,
        "refit": True,
        "error_score": "raise",
        "random_state": None,
        "n_jobs": None,
        "verbose": 0,
    }
    own = {
        PairedBootstrap: {
            "confidence_level": 0.95,
            "method": "auto",
            "interval": "auto",
        },
        ApproxRandomization: {"method": "auto", "statistic": "auto", "swap": "auto"},
    }
    models = {"estimator_a": None, "estimator_b": None}
    assert test().get_params() == {**models, **shared, **own[test]}


@each_test
def test_clones_are_unfitted_and_equal(test, signal):
    X, y = signal
    fitted = test(
        LogisticRegression(C=3.0), constant(), cv=3, scoring="accuracy", n_resamples=9
    ).fit(X, y)
    cloned = clone(fitted)
    assert not hasattr(cloned, "results_")
    assert cloned.estimator_a is not fitted.estimator_a
    assert cloned.estimator_a.C == 3.0
    assert repr(cloned) == repr(fitted)


@each_test
def test_fitted_comparisons_can_be_pickled(test, signal):
    X, y = signal
    fitted = test(
        LogisticRegression(), constant(), cv=3, scoring="accuracy", n_resamples=9
    ).fit(X, y)
    restored = pickle.loads(pickle.dumps(fitted))
    assert restored.result_.to_dict() == fitted.result_.to_dict()
    np.testing.assert_array_equal(restored.distribution_, fitted.distribution_)
    np.testing.assert_array_equal(restored.predict(X), fitted.predict(X))


@each_test
def test_before_fit_there_is_nothing(test, signal):
    comparison = test(LogisticRegression(), GaussianNB())
    for name in ("result_", "pvalue_", "classes_", "n_features_in_", "results_"):
        assert not hasattr(comparison, name)
    with pytest.raises(NotFittedError):
        comparison.predict(signal[0])


def test_names_of_columns_are_those_of_the_winner(signal):
    X, y = signal
    frame = pd.DataFrame(X, columns=["u", "v", "w"])
    gate = PairedBootstrap(
        LogisticRegression(), constant(), cv=3, scoring="accuracy", n_resamples=19
    )
    gate.fit(frame, y)
    np.testing.assert_array_equal(gate.feature_names_in_, ["u", "v", "w"])


@each_test
def test_it_is_drawn_in_notebooks(test, signal):
    X, y = signal
    for comparison in (
        test(),
        test(LogisticRegression(), GaussianNB()),
        test(
            LogisticRegression(), constant(), cv=3, scoring="accuracy", n_resamples=9
        ).fit(X, y),
    ):
        html = comparison._repr_html_()
        assert test.__name__ in html
        if comparison.estimator_a is not None:
            assert "LogisticRegression" in html


@each_test
def test_a_shaped_target_of_one_column_is_flattened_with_a_warning(test, signal):
    X, y = signal
    models = LogisticRegression().fit(X, y), GaussianNB().fit(X[:20], y[:20])
    with pytest.warns(match="column-vector y was passed"):
        comparison = test(*models, n_resamples=9).fit(X, y[:, None])
    assert comparison.score_a_ == models[0].score(X, y)


def test_before_a_fit_a_comparison_has_the_methods_of_all_its_models(signal):
    """The winner is not determined yet: hasattr must not promise more."""
    X, y = signal
    strong, lacking = LogisticRegression(), GaussianNB()
    test = PairedBootstrap(strong, lacking, cv=3, n_resamples=19)
    assert hasattr(test, "predict_proba")
    assert not hasattr(test, "decision_function")
    dummy = DummyClassifier(strategy="constant", constant="no")
    test.set_params(estimator_b=dummy, random_state=0).fit(X, y)
    assert hasattr(test, "decision_function") == isinstance(
        test.best_estimator_, LogisticRegression
    )
