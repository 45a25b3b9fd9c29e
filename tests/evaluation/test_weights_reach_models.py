"""Weights reach the fit of every model that is cross-validated, or are refused."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.feature_selection import RFE
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, get_scorer, make_scorer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcompare import PairedBootstrap, PairwiseComparison, SearchComparison
from skcompare.exceptions import (
    DegenerateDataWarning,
    LeakageWarning,
    PooledScoreWarning,
)

FOLDS = KFold(3)
LOGISTIC = LogisticRegression()
FAINT = LogisticRegression(C=1e-4)  # predicts the same for all rows


def scaled(model):
    return make_pipeline(StandardScaler(), model)


@pytest.fixture(scope="module")
def weighted():
    """Data, and weights that shift where a model draws the line."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y = (X[:, 0] + rng.normal(size=90) > 0).astype(int)
    return X, y, np.where(y == 1, 0.3, 1.0) * rng.uniform(0.5, 1.5, size=90)


# Models, and by which name their fit takes weights.
REACHED = {
    "plain": (GaussianNB(), "sample_weight"),
    "pipeline": (scaled(LOGISTIC), "logisticregression__sample_weight"),
    "nested pipeline": (
        make_pipeline(StandardScaler(), scaled(LOGISTIC)),
        "pipeline__logisticregression__sample_weight",
    ),
    "search": (GridSearchCV(LOGISTIC, {"C": [0.01, 1]}, cv=2), "sample_weight"),
    "search of a pipeline": (
        GridSearchCV(scaled(LOGISTIC), {"logisticregression__C": [0.01, 1]}, cv=2),
        "logisticregression__sample_weight",
    ),
    "pipeline of a search": (
        scaled(GridSearchCV(LOGISTIC, {"C": [0.01, 1]}, cv=2)),
        "gridsearchcv__sample_weight",
    ),
    "voting": (
        VotingClassifier([("lr", LOGISTIC), ("nb", GaussianNB())], voting="soft"),
        "sample_weight",
    ),
    "voting, one dropped": (
        VotingClassifier([("lr", LOGISTIC), ("knn", "drop")]),
        "sample_weight",
    ),
    "stacking": (
        StackingClassifier([("nb", GaussianNB())], GaussianNB(), cv=2),
        "sample_weight",
    ),
    "bagging": (
        BaggingClassifier(LOGISTIC, n_estimators=3, random_state=0),
        "sample_weight",
    ),
    "calibrated": (CalibratedClassifierCV(LOGISTIC, cv=2), "sample_weight"),
    "selection": (RFE(LOGISTIC, n_features_to_select=1), "sample_weight"),
}


@pytest.mark.parametrize("kind", REACHED)
def test_weights_reach_the_model(kind, weighted):
    X, y, weights = weighted
    model, parameter = REACHED[kind]
    test = PairedBootstrap(
        model, FAINT, cv=FOLDS, scoring="accuracy", n_resamples=9, alpha=0.999
    )
    test.fit(X, y, sample_weight=weights)
    plain, expected = (
        accuracy_score(
            y,
            cross_val_predict(model, X, y, cv=FOLDS, params=params),
            sample_weight=weights,
        )
        for params in ({}, {parameter: weights})
    )
    assert test.score_a_ == pytest.approx(expected)
    assert test.score_a_ != pytest.approx(plain)


def test_weights_reach_the_regressor_of_a_transformed_target(weighted):
    X, y, weights = weighted
    y = y + X[:, 1]
    model = TransformedTargetRegressor(Ridge())
    tests = [
        PairedBootstrap(m, Ridge(9), cv=FOLDS, n_resamples=9, scoring="r2", alpha=0.999)
        for m in (model, Ridge())
    ]
    scores = []
    for test in tests:
        with pytest.warns(PooledScoreWarning, match="r2 of pooled"):
            scores.append(test.fit(X, y, sample_weight=weights).score_a_)
    assert scores[0] == pytest.approx(scores[1])


@pytest.mark.parametrize("kind", ["pipeline", "search of a pipeline", "voting"])
def test_the_winner_is_fitted_again_with_weights(kind, weighted):
    X, y, weights = weighted
    model, parameter = REACHED[kind]
    test = PairedBootstrap(FAINT, model, cv=FOLDS, scoring="accuracy", n_resamples=9)
    winner = test.fit(X, y, sample_weight=weights).best_estimator_
    expected = clone(model).fit(X, y, **{parameter: weights})
    np.testing.assert_allclose(winner.predict_proba(X), expected.predict_proba(X))


def test_all_pairs_and_candidates_of_a_search_are_fitted_with_weights(weighted):
    X, y, weights = weighted
    test = PairedBootstrap(scoring="accuracy", n_resamples=699, random_state=0)
    models = {"scaled": scaled(LOGISTIC), "faint": FAINT, "nb": GaussianNB()}
    comparison = PairwiseComparison(list(models.items()), test=test, cv=FOLDS)
    comparison.fit(X, y, sample_weight=weights)
    expected = accuracy_score(
        y,
        cross_val_predict(
            models["scaled"],
            X,
            y,
            cv=FOLDS,
            params={"logisticregression__sample_weight": weights},
        ),
        sample_weight=weights,
    )
    assert comparison.result_.scores[0] == pytest.approx(expected)
    search = GridSearchCV(
        scaled(LOGISTIC), {"logisticregression__C": [1, 1e-3]}, cv=FOLDS
    )
    search.fit(X, y, logisticregression__sample_weight=weights)
    judged = SearchComparison(search, test=test, scoring="accuracy")
    judged.fit(X, y, sample_weight=weights)
    assert pytest.approx(expected) in judged.result_.mean_scores.tolist()


REFUSED = {
    "KNeighborsClassifier": KNeighborsClassifier(),
    "KNeighborsClassifier in Pipeline": scaled(KNeighborsClassifier()),
    "KNeighborsClassifier in GridSearchCV": GridSearchCV(
        KNeighborsClassifier(), {"n_neighbors": [1, 3]}
    ),
    "KNeighborsClassifier in VotingClassifier": VotingClassifier(
        [("lr", LOGISTIC), ("knn", KNeighborsClassifier())]
    ),
    "KNeighborsClassifier in CalibratedClassifierCV": CalibratedClassifierCV(
        KNeighborsClassifier()
    ),
    "CalibratedClassifierCV, which": CalibratedClassifierCV(scaled(LOGISTIC)),
    "VotingClassifier, which": VotingClassifier(
        [("lr", LOGISTIC), ("scaled", scaled(LOGISTIC))]
    ),
}


@pytest.mark.parametrize("message", REFUSED)
def test_a_model_that_cannot_take_weights_is_named(message, weighted):
    X, y, weights = weighted
    test = PairedBootstrap(LOGISTIC, REFUSED[message], cv=FOLDS, scoring="accuracy")
    with pytest.raises(ValueError, match=f"must reach the fit .* Got {message}"):
        test.fit(X, y, sample_weight=weights)


def test_weights_are_refused_as_by_scikit_learn_without_routing(weighted):
    X, y, weights = weighted
    model = OneVsRestClassifier(LOGISTIC)
    test = PairedBootstrap(model, LOGISTIC, cv=FOLDS, scoring="accuracy", n_resamples=9)
    with pytest.raises(ValueError, match="enable_metadata_routing"):
        test.fit(X, y, sample_weight=weights)
    with config_context(enable_metadata_routing=True):
        asking = clone(LOGISTIC).set_fit_request(sample_weight=True)
        test.set_params(estimator_a=OneVsRestClassifier(asking), estimator_b=asking)
        test.scoring = get_scorer("accuracy").set_score_request(sample_weight=True)
        with pytest.warns(DegenerateDataWarning, match="same on all 90 rows"):
            test.fit(X, y, sample_weight=weights)


def test_fitted_and_frozen_models_are_not_fitted_and_need_no_weights(weighted):
    X, y, weights = weighted
    knn = KNeighborsClassifier().fit(X, y)
    fitted = PairedBootstrap(knn, knn, scoring="accuracy", n_resamples=9)
    frozen = PairedBootstrap(
        FrozenEstimator(knn), FrozenEstimator(knn), cv=FOLDS, scoring="accuracy"
    )
    expected = accuracy_score(y, knn.predict(X), sample_weight=weights)
    with pytest.warns(DegenerateDataWarning, match="same on all 90 rows"):
        fitted.fit(X, y, sample_weight=weights)
    with (
        pytest.warns(DegenerateDataWarning, match="same on all 90 rows"),
        pytest.warns(LeakageWarning, match="does not refit models that are already"),
    ):
        frozen.set_params(n_resamples=9).fit(X, y, sample_weight=weights)
    assert fitted.score_a_ == frozen.score_a_ == pytest.approx(expected)


def test_with_routing_weights_go_where_they_are_requested(weighted):
    X, y, weights = weighted
    with config_context(enable_metadata_routing=True):
        asking = scaled(clone(LOGISTIC).set_fit_request(sample_weight=True))
        asking.steps[0][1].set_fit_request(sample_weight=False)
        silent = clone(LOGISTIC).set_fit_request(sample_weight=False)
        scorer = get_scorer("accuracy").set_score_request(sample_weight=False)
        test = PairedBootstrap(asking, silent, cv=FOLDS, scoring=scorer, n_resamples=9)
        test.fit(X, y, sample_weight=weights)
    weighted_fit = cross_val_predict(
        scaled(LOGISTIC),
        X,
        y,
        cv=FOLDS,
        params={"logisticregression__sample_weight": weights},
    )
    assert test.score_a_ == pytest.approx(accuracy_score(y, weighted_fit))
    plain = cross_val_predict(LOGISTIC, X, y, cv=FOLDS)
    assert test.score_b_ == pytest.approx(accuracy_score(y, plain))


@pytest.mark.parametrize("requests_weights", [True, False])
@pytest.mark.parametrize("by", ["scorer", "model"])
def test_score_requests_decide_whether_scores_are_weighted(
    requests_weights, by, weighted
):
    X, y, weights = weighted
    a, b = LogisticRegression().fit(X, y), GaussianNB().fit(X, y)
    with config_context(enable_metadata_routing=True):
        test = PairedBootstrap(a, b, n_resamples=9)
        if by == "scorer":
            scorer = get_scorer("accuracy").set_score_request(
                sample_weight=requests_weights
            )
            test.set_params(scoring={"accuracy": scorer})
        else:
            for model in (a, b):
                model.set_score_request(sample_weight=requests_weights)
        test.fit(X, y, sample_weight=weights)
    used = weights if requests_weights else None
    expected = accuracy_score(y, a.predict(X), sample_weight=used)
    assert test.score_a_ == pytest.approx(expected)


def test_metrics_of_one_call_may_differ_in_their_requests(weighted):
    X, y, weights = weighted
    a, b = LogisticRegression().fit(X, y), GaussianNB().fit(X, y)
    with config_context(enable_metadata_routing=True):
        scoring = {
            name: get_scorer("accuracy").set_score_request(sample_weight=request)
            for name, request in (("weighted", True), ("plain", False))
        }
        test = PairedBootstrap(a, b, scoring=scoring, n_resamples=9)
        test.fit(X, y, sample_weight=weights)
    results = test.results_
    assert results["plain"].score_a == pytest.approx(a.score(X, y))
    assert results["weighted"].score_a == pytest.approx(a.score(X, y, weights))


@pytest.mark.needs("scikit-learn>=1.9", "error for scores without a request")
@pytest.mark.parametrize("scoring", ["accuracy", None])
def test_a_score_without_a_request_is_an_error_as_in_cross_validate(scoring, weighted):
    X, y, weights = weighted
    a, b = LogisticRegression().fit(X, y), GaussianNB().fit(X, y)
    test = PairedBootstrap(a, b, scoring=scoring, n_resamples=9)
    with config_context(enable_metadata_routing=True):
        with pytest.raises(UnsetMetadataPassedError, match="set_score_request"):
            test.fit(X, y, sample_weight=weights)
        test.fit(X, y)  # nothing to request


def test_weights_that_a_scorer_has_of_its_own_need_no_request(weighted):
    X, y, weights = weighted
    a, b = LogisticRegression().fit(X, y), GaussianNB().fit(X, y)
    with config_context(enable_metadata_routing=True):
        scoring = make_scorer(accuracy_score, sample_weight=weights)
        test = PairedBootstrap(a, b, scoring=scoring, n_resamples=9).fit(X, y)
    assert test.score_a_ == pytest.approx(a.score(X, y, weights))


@pytest.mark.needs("scikit-learn>=1.9", "error for scores without a request")
def test_a_missing_request_is_noticed_before_models_are_fitted(weighted):
    X, y, weights = weighted

    class Unfittable(LogisticRegression):
        def fit(self, X, y, sample_weight=None):
            raise AssertionError("must not be fitted")

    with config_context(enable_metadata_routing=True):
        model = Unfittable().set_fit_request(sample_weight=True)
        test = PairedBootstrap(model, model, cv=FOLDS, scoring="accuracy")
        with pytest.raises(UnsetMetadataPassedError, match="set_score_request"):
            test.fit(X, y, sample_weight=weights)
