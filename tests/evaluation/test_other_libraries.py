"""Models of other libraries, truths of records, and hints about metrics."""

import re

import numpy as np
import pytest
import sklearn.metrics
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, Ridge
from sklearn.metrics import f1_score, fbeta_score, make_scorer
from sklearn.naive_bayes import GaussianNB

from skcompare import (
    ApproxRandomization,
    CorrectedTTest,
    McNemar,
    PairedBootstrap,
    PairwiseComparison,
    WilcoxonSignedRank,
)
from skcompare.exceptions import ParameterError

RNG = np.random.default_rng(2)
X = RNG.normal(size=(90, 3))
Y = (X[:, 0] + RNG.normal(size=90) > 0).astype(int)
FEW = {"n_resamples": 19, "random_state": 0}


class Results:
    """What statsmodels returns from `fit`: parameters and a `predict`, no `fit`."""

    def __init__(self, params):
        self.params = params

    def predict(self, exog=None):
        return np.asarray(exog) @ self.params


class Duck:
    """A classifier that walks and quacks, and is none of scikit-learn's."""

    def fit(self, X, y):
        self.share = y.mean()
        return self

    def predict(self, X):
        return (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize("scoring", [None, "r2", "neg_mean_squared_error"])
def test_results_of_statsmodels_are_models(scoring):
    y = X @ [1.0, 0.5, 0.0] + RNG.normal(size=90)
    models = Results(np.array([1.0, 0.5, 0.0])), Ridge().fit(X, y)
    test = PairedBootstrap(*models, scoring=scoring, **FEW).fit(X, y)
    expected = PairedBootstrap(scoring=scoring, **FEW).fit_predictions(
        y, models[0].predict(X), models[1].predict(X)
    )
    assert test.delta_ == expected.delta_
    assert test.result_.name_a == "Results"


@pytest.mark.parametrize("scoring", [None, "accuracy", "f1"])
def test_a_duck_is_a_classifier_by_its_target(scoring):
    models = Duck().fit(X, Y), GaussianNB().fit(X, Y)
    test = PairedBootstrap(*models, scoring=scoring, **FEW).fit(X, Y)
    expected = PairedBootstrap(scoring=scoring, **FEW).fit_predictions(
        Y, models[0].predict(X), models[1].predict(X)
    )
    assert test.delta_ == expected.delta_
    assert len(test.predict(X)) == 90


@pytest.mark.parametrize("test", [PairedBootstrap, CorrectedTTest])
def test_models_that_cannot_be_cloned_are_refused_with_a_remedy(test):
    message = "`estimator_a` must be a model that can be cloned.*BaseEstimator.*prefit"
    with pytest.raises(TypeError, match=message):
        test(Duck(), GaussianNB(), cv=3).fit(X, Y)


def test_a_duck_with_parameters_is_cross_validated():
    class TameDuck(Duck):
        def get_params(self, deep=True):
            return {}

        def set_params(self):
            return self

    test = PairedBootstrap(TameDuck(), GaussianNB(), cv=3, **FEW).fit(X, Y)
    assert test.score_a_ == np.mean((X[:, 0] > 0) == Y)


RECORDS = np.zeros(90, dtype=[("event", bool), ("time", float)])
RECORDS["event"] = RNG.random(90) < 0.7
RECORDS["time"] = RNG.exponential(np.exp(-X[:, 0]))


def concordance(y_true, risk):
    earlier = y_true["event"][:, None] & (y_true["time"][:, None] < y_true["time"])
    return float(np.mean((risk[:, None] > risk)[earlier]))


class Hazard(BaseEstimator):
    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.n_events_ = y["event"].sum()
        return self

    def predict(self, X):
        return X[:, self.column]


@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
def test_a_truth_of_records_is_resampled_with_the_rows(test):
    scorer = make_scorer(concordance)
    fitted = test(Hazard().fit(X, RECORDS), Hazard(1).fit(X, RECORDS), scoring=scorer)
    fitted.set_params(**FEW).fit(X, RECORDS)
    bare = test(scoring=scorer, **FEW).fit_predictions(RECORDS, X[:, 0], X[:, 1])
    assert fitted.delta_ == bare.delta_ == fitted.score_a_ - fitted.score_b_
    assert bare.score_a_ == concordance(RECORDS, X[:, 0])
    assert fitted.pvalue_ == bare.pvalue_


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.PooledScoreWarning")
def test_a_truth_of_records_is_cross_validated():
    scorer = make_scorer(concordance)
    for test in (PairedBootstrap(cv=3, **FEW), CorrectedTTest(cv=3)):
        test.set_params(estimator_a=Hazard(), estimator_b=Hazard(1), scoring=scorer)
        assert test.fit(X, RECORDS).score_a_ > 0.5


def test_records_have_no_score_of_their_own():
    with pytest.raises(ValueError, match=r"`scoring` must be passed.*event, time"):
        PairedBootstrap().fit_predictions(RECORDS, X[:, 0], X[:, 1])


WORDS = np.array(["ham", "spam"])[Y]
THREE = np.digitize(X[:, 0], [-0.5, 0.5])


@pytest.mark.parametrize(
    ("y", "scoring", "hint"),
    [
        (WORDS, "f1", r"make_scorer\(f1_score, pos_label=\.\.\.\)\.$"),
        (THREE, "precision", r"make_scorer\(precision_score, average='macro'\)\.$"),
        (THREE, "roc_auc", "`scoring='roc_auc_ovr'` or `scoring='roc_auc_ovo'`"),
    ],
)
def test_metrics_of_two_classes_hint_at_metrics_of_more(y, scoring, hint):
    models = LogisticRegression().fit(X, y), GaussianNB().fit(X, y)
    with pytest.raises(ValueError, match=hint):
        PairedBootstrap(*models, scoring=scoring).fit(X, y)
    with pytest.raises(ValueError, match=hint.removesuffix("$")):
        CorrectedTTest(*models, scoring=scoring, error_score="raise").fit(X, y)


def test_the_hint_is_there_for_predictions_and_no_other():
    with pytest.raises(ValueError, match="pos_label") as caught:
        PairedBootstrap(scoring="f1").fit_predictions(WORDS, WORDS, WORDS)
    assert not getattr(caught.value, "__notes__", [])
    scorer = make_scorer(f1_score, pos_label="spam")
    test = PairedBootstrap(scoring=scorer, **FEW)
    assert test.fit_predictions(WORDS, WORDS, WORDS[::-1]).score_a_ == 1


@pytest.mark.parametrize(
    ("scoring", "call"),
    [
        ("f1", "make_scorer(f1_score, pos_label=...)"),
        (
            "neg_brier_score",
            "make_scorer(brier_score_loss, greater_is_better=False, "
            "response_method='predict_proba', pos_label=...)",
        ),
        (
            "average_precision",
            "make_scorer(average_precision_score, response_method="
            "('decision_function', 'predict_proba'), pos_label=...)",
        ),
        (
            make_scorer(fbeta_score, beta=2),
            "make_scorer(fbeta_score, beta=2, pos_label=...)",
        ),
    ],
)
def test_the_hint_at_the_positive_class_is_a_complete_call(scoring, call):
    needs_labels = scoring not in ("neg_brier_score", "average_precision")
    predictions = WORDS if needs_labels else np.linspace(0, 1, len(WORDS))
    with pytest.raises(ValueError, match=re.escape(f"positive class: {call}.")):
        PairedBootstrap(scoring=scoring).fit_predictions(WORDS, *[predictions] * 2)
    function = {"make_scorer": make_scorer, "fbeta_score": fbeta_score}
    function |= vars(sklearn.metrics)
    scorer = eval(call.replace("...", "'spam'"), function)
    test = PairedBootstrap(scoring=scorer, **FEW)
    score = test.fit_predictions(WORDS, predictions, predictions[::-1]).score_a_
    assert (score < 0) == (scoring == "neg_brier_score")


def test_labels_of_words_are_not_offered_as_probabilities():
    labels = {"predict": WORDS}
    for passed in (WORDS, labels):
        with pytest.raises(ParameterError, match="roc_auc") as caught:
            PairedBootstrap(scoring="roc_auc").fit_predictions(WORDS, passed, passed)
        assert caught.value.parameter == "y_pred_a"
        assert caught.value.remedy == (
            "Pass model.decision_function(X) or model.predict_proba(X)[:, 1]."
        )


def test_pairs_take_the_metric_that_their_test_has_anyway():
    models = [("a", GaussianNB().fit(X, Y)), ("b", LogisticRegression().fit(X, Y))]
    named = PairwiseComparison(models, test=McNemar(), scoring="accuracy").fit(X, Y)
    plain = PairwiseComparison(models, test=McNemar()).fit(X, Y)
    assert named.result_.to_dict() == plain.result_.to_dict()


def test_wilcoxon_states_whether_zeros_take_part():
    truth = np.arange(40.0)
    a, b = truth + 0.1, truth + np.tile([0.1, -0.3], 20)
    texts = {}
    for zero_method in ("wilcox", "pratt"):
        test = WilcoxonSignedRank(
            scoring="neg_mean_absolute_error", zero_method=zero_method
        )
        result = test.fit_predictions(truth, a, b).result_
        texts[zero_method] = result.hypothesis, result.estimand
    assert all("not 0" in text for text in texts["wilcox"])
    assert not any("not 0" in text for text in texts["pratt"])


@pytest.mark.filterwarnings("ignore::FutureWarning")  # its defaults are to change
def test_the_own_score_of_a_cross_validated_regression_is_accuracy():
    model = LogisticRegressionCV(cv=2).fit(X, Y)
    test = PairedBootstrap(model, GaussianNB().fit(X, Y), **FEW).fit(X, Y)
    assert test.result_.scoring == "accuracy"
    assert test.score_a_ == np.mean(model.predict(X) == Y)
