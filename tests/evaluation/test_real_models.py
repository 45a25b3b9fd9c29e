"""Models as people have them: wrappers, stacks, detectors, rules, own scores."""

import re

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import (
    IsolationForest,
    RandomForestClassifier,
    StackingClassifier,
    StackingRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.linear_model import (
    BayesianRidge,
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    Ridge,
)
from sklearn.metrics import (
    f1_score,
    hinge_loss,
    log_loss,
    make_scorer,
    mean_absolute_error,
    mean_pinball_loss,
    roc_auc_score,
)
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import OneClassSVM

from skcompare import ApproxRandomization, CorrectedTTest, PairedBootstrap
from skcompare._evaluation import (
    fold_problem,
    problem_of_models,
    problem_of_predictions,
    problem_of_row_scores,
)
from skcompare.exceptions import ComparisonWarning, DegenerateDataWarning

few = {"n_resamples": 49, "random_state": 0}


@pytest.fixture(scope="module")
def classes():
    return make_classification(120, random_state=0)


@pytest.fixture(scope="module")
def numbers():
    return make_regression(80, 4, noise=20.0, random_state=0)


class Wrapper(ClassifierMixin, BaseEstimator):
    """A classifier that keeps what it learns in an attribute without underscore."""

    def fit(self, X, y):
        self.inner = GaussianNB().fit(X, y)
        return self

    def predict(self, X):
        return self.inner.predict(X)


class Rule(ClassifierMixin, BaseEstimator):
    """A baseline that has nothing to learn."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return (np.asarray(X)[:, 0] > 0).astype(int)


class OwnScore(RegressorMixin, BaseEstimator):
    """A regressor whose score is none of scikit-learn's."""

    def fit(self, X, y):
        self.mean_ = np.mean(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)

    def score(self, X, y):
        return -float(np.mean(np.abs(y - self.predict(X))))


class Foreign:
    """A model that has no parameters, no tags and no fit, as of another library."""

    def predict(self, X):
        return np.asarray(X)[:, 0]


# Fitted models


@pytest.mark.parametrize("wrap", [lambda m: m, FrozenEstimator], ids=["bare", "frozen"])
@pytest.mark.parametrize("kind", [Wrapper, Rule])
def test_a_model_that_predicts_is_fitted(classes, kind, wrap):
    X, y = classes
    other = LogisticRegression().fit(X, y)
    test = PairedBootstrap(wrap(kind().fit(X, y)), other, **few)
    assert test.fit(X, y).score_a_ == np.mean(kind().fit(X, y).predict(X) == y)


def test_a_model_that_does_not_predict_is_not_fitted(classes):
    with pytest.raises(
        NotFittedError, match=r"`estimator_a` \(Wrapper\) is not fitted"
    ):
        PairedBootstrap(Wrapper(), Rule(), scoring="accuracy").fit(*classes)


def test_models_of_other_libraries_are_compared(numbers):
    X, y = numbers
    test = PairedBootstrap(Ridge().fit(X, y), Foreign(), scoring="r2", **few)
    assert test.fit(X, y).score_a_ > test.score_b_


# Models whose methods show after fit, or that are no classifiers


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.ComparisonWarning")
@pytest.mark.parametrize("kind", [PairedBootstrap, ApproxRandomization, CorrectedTTest])
def test_stacks_are_cross_validated(classes, numbers, kind):
    options = {} if kind is CorrectedTTest else few
    stack = StackingClassifier([("a", GaussianNB()), ("b", Rule())], cv=3)
    test = kind(stack, GaussianNB(), cv=3, scoring="accuracy", **options).fit(*classes)
    assert test.score_a_ > 0.7
    stack = StackingRegressor([("a", Ridge()), ("b", LinearRegression())], cv=3)
    test = kind(stack, Ridge(), cv=3, scoring="r2", **options).fit(*numbers)
    assert test.score_a_ > 0.6


def test_outlier_detectors_are_ranked(classes):
    X, _ = classes
    y = np.where(np.arange(len(X)) % 10 == 0, -1, 1)
    X = X + 5.0 * (y == -1)[:, None]
    a, b = IsolationForest(random_state=0).fit(X), OneClassSVM().fit(X)
    test = PairedBootstrap(a, b, scoring="roc_auc", **few).fit(X, y)
    assert test.score_a_ == pytest.approx(roc_auc_score(y, a.decision_function(X)))
    assert PairedBootstrap(a, b, scoring="accuracy", **few).fit(X, y).score_a_ > 0.5


def test_chains_are_ranked(classes):
    X, y = classes
    Y = np.column_stack([y, X[:, 0] > 0]).astype(int)
    a = ClassifierChain(LogisticRegression()).fit(X, Y)
    b = ClassifierChain(GaussianNB()).fit(X, Y)
    test = PairedBootstrap(a, b, scoring="roc_auc", **few).fit(X, Y)
    assert test.score_b_ == pytest.approx(roc_auc_score(Y, b.predict_proba(X)))


# Scores of their own


@pytest.mark.needs("scikit-learn>=1.8", "parameter use_legacy_attributes")
def test_the_score_of_a_search_over_penalties_is_its_scoring(classes):
    X, y = classes
    a = LogisticRegressionCV(
        cv=3, Cs=3, l1_ratios=(0.0,), use_legacy_attributes=False, scoring=None
    )
    test = PairedBootstrap(a.fit(X, y), GaussianNB().fit(X, y), **few).fit(X, y)
    assert list(test.results_) == ["accuracy"]
    a.set_params(scoring="roc_auc")
    test = PairedBootstrap(a.fit(X, y), a, scoring=None, **few)
    with pytest.warns(ComparisonWarning):
        assert list(test.fit(X, y).results_) == ["roc_auc"]


def test_own_scores_are_those_of_fitted_models(numbers):
    X, y = numbers
    a, b = OwnScore().fit(X, y), OwnScore().fit(X[:9], y[:9])
    assert PairedBootstrap(a, b, **few).fit(X, y).score_a_ == a.score(X, y)


def test_own_scores_that_cannot_be_used_are_refused_with_a_remedy(numbers):
    with pytest.raises(ValueError, match="Pass `scoring`, such as 'r2'"):
        PairedBootstrap(OwnScore(), Ridge(), cv=3).fit(*numbers)
    with pytest.raises(AttributeError, match="Pass `scoring`"):
        PairedBootstrap(OwnScore(), OwnScore(), cv=3).fit(*numbers)


def test_several_outputs_are_scored_by_the_models_themselves(classes):
    X, y = classes
    Y = np.column_stack([y, X[:, 0] > 0]).astype(int)
    a = MultiOutputClassifier(LogisticRegression()).fit(X, Y)
    b = MultiOutputClassifier(GaussianNB()).fit(X, Y)
    assert PairedBootstrap(a, b, **few).fit(X, Y).score_a_ == a.score(X, Y)


# What scorers get


def test_scorers_see_the_fitted_model(numbers):
    X, y = numbers

    def sharpness(model, X, y):
        return -float(np.mean(model.predict(X, return_std=True)[1]))

    a, b = GaussianProcessRegressor(alpha=1.0).fit(X, y), BayesianRidge().fit(X, y)
    test = PairedBootstrap(a, b, scoring=sharpness, **few).fit(X, y)
    assert test.score_b_ == sharpness(b, X, y)
    assert np.ptp(test.distribution_) > 0


def test_scorers_may_take_a_pipeline_apart(numbers):
    X, y = numbers

    def sparsity(model, X, y):
        steps, last = len(model), model[-1]
        return steps + float(np.sum(np.abs(last.coef_) < 1)) + 1e-9 * X[:, 0].max()

    a, b = (make_pipeline(StandardScaler(), Ridge(alpha=k)).fit(X, y) for k in (1, 9))
    test = PairedBootstrap(a, b, scoring=sparsity, **few)
    with pytest.warns(DegenerateDataWarning, match="same on every resample"):
        test.fit(X, y)
    assert test.score_a_ == sparsity(a, X, y)


@pytest.mark.parametrize(
    "metric",
    [lambda y, p: 0.0, lambda truth, guess: 0.0, mean_absolute_error],
    ids=["y, p", "truth, guess", "of scikit-learn"],
)
def test_a_bare_metric_is_refused_with_the_call_that_wraps_it(numbers, metric):
    with pytest.raises(ValueError, match=r"Pass scoring=.*sklearn\.metrics\.make_scor"):
        PairedBootstrap(scoring=metric).fit_predictions(numbers[1], *[numbers[1]] * 2)
    wrapped = make_scorer(metric)
    assert problem_of_predictions(
        numbers[1], {"y_pred_a": numbers[1], "y_pred_b": numbers[1]}, scoring=wrapped
    )


@pytest.mark.parametrize(
    ("metric", "hint"),
    [
        (mean_absolute_error, "Pass scoring='neg_mean_absolute_error', or"),
        (mean_absolute_error, "(mean_absolute_error, greater_is_better=False, ...)"),
        (mean_pinball_loss, "(mean_pinball_loss, greater_is_better=False)."),
        (f1_score, "Pass scoring='f1' (or 'f1_macro', 'f1_micro', "),
        (roc_auc_score, "Pass scoring='roc_auc' ("),
        (roc_auc_score, "response_method=('decision_function', 'predict_proba'), ..."),
        (log_loss, "Pass scoring='neg_log_loss', or"),
        (log_loss, "greater_is_better=False, response_method='predict_proba', ..."),
        (hinge_loss, "greater_is_better=False, response_method='decision_function')."),
    ],
)
def test_a_bare_metric_is_refused_with_the_name_of_its_scorer(numbers, metric, hint):
    with pytest.raises(ValueError, match=re.escape(hint)):
        PairedBootstrap(scoring=metric).fit_predictions(numbers[1], *[numbers[1]] * 2)


# Parameters of fit, folds, errors


class RecordsFit(ClassifierMixin, BaseEstimator):
    """A classifier that records the arguments of its fit."""

    def __init__(self, fails=False):
        self.fails = fails

    def fit(self, X, y, hint=None, depth=None):
        if self.fails:
            raise ArithmeticError("too hard")
        self.classes_, self.n_, self.depth_ = np.unique(y), len(X), depth
        self.hint_ = hint
        return self

    def predict(self, X):
        assert len(self.hint_) == self.n_
        assert self.depth_ == 3
        return np.full(len(X), self.hint_[0])


@pytest.mark.parametrize("make", [problem_of_models, fold_problem])
def test_parameters_reach_fit_at_the_training_rows(classes, make):
    X, y = classes
    models = {"estimator_a": RecordsFit(), "estimator_b": RecordsFit()}
    params = {"hint": y.copy(), "depth": 3}
    problem = make(models, X, y, scoring="accuracy", cv=3, params=params)
    assert problem.names == ("RecordsFit A", "RecordsFit B")
    with config_context(enable_metadata_routing=True):
        models["estimator_b"] = LogisticRegression()
        with pytest.raises(TypeError, match="which none requests"):
            make(
                {"estimator_b": LogisticRegression()},
                *(X, y),
                scoring="accuracy",
                cv=3,
                params={"unheard_of": y},
            )
        models["estimator_a"].set_fit_request(hint=True, depth=True)
        make(models, X, y, scoring="accuracy", cv=3, params=params)


def test_a_failing_fit_names_model_and_fold(classes):
    test = PairedBootstrap(
        RecordsFit(fails=True), GaussianNB(), cv=3, scoring="accuracy"
    )
    with pytest.raises(
        ArithmeticError, match=r"too hard \(`estimator_a` \(RecordsFit\) .* fold 1 of 3"
    ):
        test.fit(*classes)


def test_out_of_fold_predictions_come_back_with_their_folds(classes):
    X, y = classes
    models = {
        "y_pred_a": RandomForestClassifier(9, random_state=0),
        "y_pred_b": GaussianNB(),
    }
    options = {"scoring": "accuracy", "aggregate": "fold-mean"}
    fitted = problem_of_models(models, X, y, cv=4, **options)
    predictions = dict(zip(models, fitted.predictions, strict=True))
    back = problem_of_predictions(y, predictions, fold=fitted.fold, **options)
    assert back.facts("accuracy")["delta"] == fitted.facts("accuracy")["delta"]
    np.testing.assert_array_equal(back.fold, fitted.fold)
    with pytest.raises(ValueError, match="`fold` must have one entry per row"):
        problem_of_predictions(y, predictions, fold=[0, 1], **options)


def test_scores_of_rows_from_anywhere_are_compared():
    a, b = np.linspace(0.1, 1.0, 40), np.linspace(0.0, 1.0, 40)
    problem = problem_of_row_scores(
        a, b, names=("new", "old"), groups=np.arange(40) // 2
    )
    facts = problem.facts("score")
    assert facts["delta"] == pytest.approx(np.mean(a - b))
    assert (facts["n_units"], facts["name_a"]) == (20, "new")
    np.testing.assert_array_equal(problem.predictions[0]["predict"], a)
    resampled = PairedBootstrap(**few).compare(problem).results["score"]
    assert resampled.engine.startswith("additive")
    with pytest.raises(ValueError, match="`scores_b` must have one entry per row"):
        problem_of_row_scores(a, b[1:])
    with pytest.raises(ValueError, match="must be numbers, one for each row"):
        problem_of_row_scores(["x"] * 40, b)
