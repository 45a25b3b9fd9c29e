"""From models and data, or from predictions, to paired responses."""

import itertools
import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError, UnsetMetadataPassedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    get_scorer,
    log_loss,
    make_scorer,
    mean_squared_error,
    r2_score,
    roc_auc_score,
)
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from skcompare import ApproxRandomization, PairedBootstrap
from skcompare.exceptions import DegenerateDataWarning, PooledScoreWarning
from tests.pairs import in_pairs

each_test = pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])


# Fitted models


class OnlyPredicts:
    """A model of some other library: not an estimator, nothing but `predict`."""

    def predict(self, X):
        return (np.asarray(X)[:, 0] > 0).astype(int)


class FitsAndPredicts(OnlyPredicts):
    """A model of some other library that is trained by `fit`."""

    def fit(self, X, y):
        self.trained = True
        return self


WRAPPED = {
    "pipeline": lambda model, X, y: make_pipeline(StandardScaler(), model).fit(X, y),
    "search": lambda model, X, y: GridSearchCV(model, {}, cv=2).fit(X, y),
    "frozen": lambda model, X, y: FrozenEstimator(model.fit(X, y)),
    "duck": lambda model, X, y: OnlyPredicts(),
    "duck with fit": lambda model, X, y: FitsAndPredicts().fit(X, y),
}


@each_test
@pytest.mark.parametrize("kind", WRAPPED)
@pytest.mark.parametrize("scoring", ["accuracy", None])
def test_fitted_models_of_any_kind_are_judged_as_they_are(
    test, kind, scoring, classification, classifiers
):
    X_train, y_train, X, y = classification
    a = WRAPPED[kind](LogisticRegression(), X_train, y_train)
    comparison = test(a, classifiers[1], scoring=scoring, n_resamples=19).fit(X, y)
    assert comparison.score_a_ == accuracy_score(y, a.predict(X))
    assert comparison.score_b_ == accuracy_score(y, classifiers[1].predict(X))
    assert comparison.result_.cv == "prefit"
    assert not hasattr(comparison, "fold_")


@each_test
@pytest.mark.parametrize("place", ["estimator_a", "estimator_b"])
@pytest.mark.parametrize(
    "unfitted",
    [
        GaussianNB(),
        make_pipeline(StandardScaler(), GaussianNB()),
        GridSearchCV(GaussianNB(), {}),
    ],
    ids=lambda model: type(model).__name__,
)
def test_an_unfitted_model_is_named_and_pointed_to_cv(
    test, place, unfitted, classifiers, classification
):
    *_, X, y = classification
    comparison = test(*classifiers).set_params(**{place: unfitted})
    with pytest.raises(NotFittedError, match=rf"`{place}` .*not fitted.*`cv=`"):
        comparison.fit(X, y)


def test_a_pipeline_is_called_by_its_last_step(classification, classifiers):
    X_train, y_train, X, y = classification
    a = make_pipeline(StandardScaler(), LinearSVC()).fit(X_train, y_train)
    comparison = PairedBootstrap(a, classifiers[1], n_resamples=9).fit(X, y)
    assert (comparison.result_.name_a, comparison.result_.name_b) == (
        "LinearSVC",
        "GaussianNB",
    )


@each_test
@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("cv", ["prefit", 3])
def test_the_callers_models_stay_as_they_were(test, cv, classification):
    X_train, y_train, X, y = classification
    models = [
        make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train),
        RandomForestClassifier(5, random_state=0).fit(X_train, y_train),
    ]
    before = [pickle.dumps(model) for model in models]
    arrays = X.copy(), y.copy()
    test(*models, cv=cv, n_resamples=19).fit(X, y)
    assert [pickle.dumps(model) for model in models] == before
    np.testing.assert_array_equal(X, arrays[0])
    np.testing.assert_array_equal(y, arrays[1])


def test_unfitted_models_stay_unfitted_with_cv(classification):
    *_, X, y = classification
    a, b = LogisticRegression(), GaussianNB()
    PairedBootstrap(a, b, cv=3, n_resamples=9).fit(X, y)
    assert vars(a) == vars(LogisticRegression())
    assert vars(b) == vars(GaussianNB())


def test_rows_may_be_dataframes_sparse_or_documents(classification):
    X_train, y_train, X, y = classification
    for pack in (pd.DataFrame, pl.DataFrame, sparse.csr_array):
        models = [
            LogisticRegression(C=C).fit(pack(X_train), y_train) for C in (1.0, 1e-3)
        ]
        comparison = PairedBootstrap(*models, n_resamples=9).fit(pack(X), y)
        assert comparison.score_a_ == models[0].score(pack(X), y)

    class Parrot:
        def predict(self, documents):
            return [document[0] for document in documents]

    class Inverse:
        def predict(self, documents):
            return [document[-1] for document in documents]

    documents, truth = ["ab", "ba", "aa", "bb"] * 10, list("abba" * 10)
    comparison = PairedBootstrap(Parrot(), Inverse(), n_resamples=9).fit(
        documents, truth
    )
    assert comparison.score_a_ == 0.5


@pytest.mark.parametrize(
    ("cv", "kind", "strings"),
    in_pairs(
        itertools.product(
            ["prefit", 3],
            ["list", "object", "series", "category", "polars"],
            [False, True],
        )
    ),
)
def test_the_truth_may_be_in_any_container(cv, kind, strings, classification):
    X_train, y_train, X, y = (
        np.where(part, "yes", "no") if strings and part.ndim == 1 else part
        for part in classification
    )
    models = (
        LogisticRegression().fit(X_train, y_train),
        GaussianNB().fit(X_train[:20], y_train[:20]),
    )
    scores = [
        PairedBootstrap(*models, cv=cv, scoring=["accuracy", "neg_log_loss"])
        .set_params(n_resamples=9)
        .fit(X, target)
        .results_
        for target in (y, CONTAINERS[kind](y))
    ]
    for name, result in scores[0].items():
        assert result.score_a == pytest.approx(scores[1][name].score_a)


@pytest.mark.parametrize("cv", ["prefit", 3])
def test_pipelines_take_lists_of_documents(cv):
    documents = ["good fine day", "bad day", "fine good", "bad sad night"] * 12
    truth = ["up", "down"] * 24
    a = make_pipeline(CountVectorizer(), LogisticRegression()).fit(documents, truth)
    b = make_pipeline(CountVectorizer(vocabulary=["day"]), LogisticRegression())
    b.fit(documents, truth)
    comparison = PairedBootstrap(a, b, cv=cv, scoring="accuracy", n_resamples=19)
    assert comparison.fit(documents, truth).score_a_ == 1


def test_metadata_routing_may_be_on(classification):
    *_, X, y = classification
    weight = np.linspace(0.5, 2.0, 80)
    models = LogisticRegression(), LogisticRegression(C=0.01)
    test = PairedBootstrap(*models, cv=3, scoring="accuracy", n_resamples=9)
    plain = test.fit(X, y, sample_weight=weight).score_a_
    with config_context(enable_metadata_routing=True):
        asking = [clone(m).set_fit_request(sample_weight=True) for m in models]
        test.set_params(estimator_a=asking[0], estimator_b=asking[1])
        test.scoring = get_scorer("accuracy").set_score_request(sample_weight=True)
        assert test.fit(X, y, sample_weight=weight).score_a_ == plain


def test_with_metadata_routing_models_must_request_weights_or_not(
    classification,
):
    *_, X, y = classification
    weight = np.linspace(0.5, 2.0, 80)
    silent = LogisticRegression()
    test = PairedBootstrap(silent, silent, cv=3, scoring="accuracy", n_resamples=9)
    refusing = LogisticRegression(C=0.5)
    with config_context(enable_metadata_routing=True):
        test.scoring = get_scorer("accuracy").set_score_request(sample_weight=True)
        with pytest.raises(UnsetMetadataPassedError, match=r"set_fit_request"):
            test.fit(X, y, sample_weight=weight)
        refusing.set_fit_request(sample_weight=False)
        test.set_params(estimator_a=refusing, estimator_b=KNeighborsClassifier(3))
        winner = test.fit(X, y, sample_weight=weight).best_estimator_
    unweighted = clone(winner).fit(X, y)
    np.testing.assert_array_equal(winner.predict(X), unweighted.predict(X))


# Cross-validation


def splitter_of_folds(kind, y):
    """Return a fresh `cv` of that kind, and what scikit-learn makes of it."""
    shuffled = StratifiedKFold(4, shuffle=True, random_state=1)
    return {
        "int": (4, StratifiedKFold(4)),
        "splitter": (shuffled, shuffled),
        "generator": (shuffled.split(y, y), shuffled),
        "list": (list(shuffled.split(y, y)), shuffled),
        "masks": (
            [
                (np.isin(np.arange(len(y)), train), np.isin(np.arange(len(y)), test))
                for train, test in shuffled.split(y, y)
            ],
            shuffled,
        ),
        "none": (None, StratifiedKFold(5)),
    }[kind]


@each_test
@pytest.mark.parametrize(
    "kind", ["int", "splitter", "generator", "list", "masks", "none"]
)
def test_out_of_fold_responses_are_those_of_cross_val_predict(
    test, kind, classification
):
    *_, X, y = classification
    cv, reference = splitter_of_folds(kind, y)
    models = LogisticRegression(), GaussianNB()
    comparison = test(*models, cv=cv, scoring="accuracy", n_resamples=19).fit(X, y)
    predicted = [cross_val_predict(model, X, y, cv=reference) for model in models]
    assert comparison.score_a_ == accuracy_score(y, predicted[0])
    assert comparison.score_b_ == accuracy_score(y, predicted[1])
    np.testing.assert_array_equal(comparison.indices_, np.arange(len(y)))
    for number, (_, tested) in enumerate(reference.split(X, y)):
        assert set(comparison.fold_[tested]) == {number}


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    ("scoring", "method", "metric"),
    [
        ("neg_log_loss", "predict_proba", lambda y, p: -log_loss(y, p)),
        ("roc_auc", "decision_function", roc_auc_score),
        ("f1", "predict", f1_score),
    ],
)
@pytest.mark.parametrize("several", [False, True])
def test_every_response_is_that_of_cross_val_predict(
    scoring, method, metric, several, classification
):
    *_, X, y = classification
    models = LogisticRegression(), LogisticRegression(C=0.01)
    metrics = ["accuracy", scoring, "neg_brier_score"] if several else scoring
    pooled = {"aggregate": "pooled", "n_resamples": 9}
    comparison = PairedBootstrap(*models, cv=4, scoring=metrics, **pooled).fit(X, y)
    expected = cross_val_predict(models[0], X, y, cv=4, method=method)
    assert comparison.results_[scoring].score_a == pytest.approx(metric(y, expected))


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("forests", [False, True])
def test_multilabel_responses_are_those_of_cross_val_predict(forests):
    X, Y = make_multilabel_classification(80, n_classes=3, random_state=0)
    a, b = (RandomForestClassifier(5, max_depth=d, random_state=0) for d in (6, 1))
    scoring = ["f1_micro", "roc_auc"] if forests else "f1_micro"
    pooled = {"aggregate": "pooled", "n_resamples": 9}
    comparison = PairedBootstrap(a, b, cv=3, scoring=scoring, **pooled).fit(X, Y)
    expected = f1_score(Y, cross_val_predict(a, X, Y, cv=3), average="micro")
    assert comparison.results_["f1_micro"].score_a == pytest.approx(expected)
    if forests:
        columns = cross_val_predict(a, X, Y, cv=3, method="predict_proba")
        expected = roc_auc_score(Y, np.column_stack([c[:, 1] for c in columns]))
        assert comparison.results_["roc_auc"].score_a == pytest.approx(expected)


def test_string_labels_in_folds_of_probabilities(classification):
    *_, X, y = classification
    words = np.where(y, "yes", "no")
    models = LogisticRegression(), LogisticRegression(C=0.01)
    scores = [
        PairedBootstrap(*models, cv=3, scoring="neg_log_loss", n_resamples=9)
        .fit(X, target)
        .score_a_
        for target in (y, words)
    ]
    assert scores[0] == pytest.approx(scores[1])


@each_test
def test_both_models_get_the_same_folds_of_a_shuffled_splitter(test, classification):
    *_, X, y = classification
    model = LogisticRegression()
    comparison = test(model, model, cv=KFold(4, shuffle=True), n_resamples=9)
    with pytest.warns(DegenerateDataWarning):
        comparison.fit(X, y)
    assert comparison.delta_ == 0


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    "cv",
    [
        ShuffleSplit(5, test_size=0.4, random_state=0),
        RepeatedKFold(n_splits=4, n_repeats=3, random_state=0),
        TimeSeriesSplit(4),
        PredefinedSplit(np.repeat([-1, 0, 1, 2], 20)),
    ],
    ids=lambda cv: type(cv).__name__,
)
def test_splitters_need_not_be_partitions(cv, classification):
    *_, X, y = classification
    models = LogisticRegression(), GaussianNB()
    comparison = PairedBootstrap(*models, cv=cv, scoring="accuracy", n_resamples=9).fit(
        X, y
    )
    tested = [test for _, test in cv.split(X, y)]
    assert len(comparison.indices_) == len(comparison.fold_) == sum(map(len, tested))
    for number, rows in enumerate(tested):
        assert set(comparison.indices_[comparison.fold_ == number]) == set(rows)
    right = [
        model_fit.predict(X[rows]) == y[rows]
        for model_fit, rows in (
            (LogisticRegression().fit(X[train], y[train]), rows)
            for train, rows in cv.split(X, y)
        )
    ]
    assert comparison.score_a_ == pytest.approx(np.concatenate(right).mean())
    # rows that were tested several times are redrawn together
    assert comparison.result_.n_units == len(np.unique(comparison.indices_))


@pytest.mark.usefixtures("quiet")
def test_groups_reach_the_splitter_and_the_resampling(classification):
    *_, X, y = classification
    groups = np.array(list("abcdefghijklmnop"))[np.arange(80) % 16]
    models = LogisticRegression(), GaussianNB()
    comparison = PairedBootstrap(*models, cv=GroupKFold(4), n_resamples=9)
    comparison.fit(X, y, groups=groups)
    assert comparison.result_.n_units == 16
    for group in set(groups):
        assert len(set(comparison.fold_[groups == group])) == 1


@pytest.mark.usefixtures("quiet")
@pytest.mark.filterwarnings("ignore:The groups parameter is ignored:UserWarning")
def test_groups_and_strata_follow_rows_that_are_tested_twice(classification):
    *_, X, y = classification
    cv = RepeatedKFold(n_splits=4, n_repeats=2, random_state=0)
    groups = np.arange(80) // 4
    test = PairedBootstrap(LogisticRegression(), GaussianNB(), cv=cv, n_resamples=9)
    comparison = test.fit(X, y, groups=groups, strata=groups // 10)
    assert comparison.result_.n_units == 20


def test_a_class_that_a_training_fold_lacks_gets_probability_zero():
    rng = np.random.default_rng(0)
    y = np.array([0, 1] * 20 + [2] * 2)
    X = rng.normal(size=(42, 2)) + y[:, None]
    splits = [(np.arange(21), np.arange(21, 42)), (np.arange(21, 42), np.arange(21))]

    def certain(estimator, X, y):
        return -estimator.predict_proba(X)[:, 2].sum()

    comparison = PairedBootstrap(
        GaussianNB(), LogisticRegression(), cv=splits, scoring=certain, n_resamples=9
    )
    with (
        pytest.warns(PooledScoreWarning),
        pytest.warns(DegenerateDataWarning, match="training rows lack a class"),
    ):
        comparison.fit(X, y)
    later = GaussianNB().fit(X[21:], y[21:]).predict_proba(X[:21])[:, 2].sum()
    assert comparison.score_a_ == pytest.approx(-later)


def test_sample_weight_reaches_fits_within_cross_validation(classification):
    *_, X, y = classification
    weight = np.where(y == 1, 20.0, 1.0)
    a, b = LogisticRegression(), LogisticRegression(C=0.01)
    splits = list(StratifiedKFold(4).split(X, y))
    comparison = PairedBootstrap(a, b, cv=4, scoring="neg_log_loss", n_resamples=9)
    comparison.fit(X, y, sample_weight=weight)
    expected = np.empty((80, 2))
    for train, test in splits:
        model = LogisticRegression().fit(X[train], y[train], weight[train])
        expected[test] = model.predict_proba(X[test])
    assert comparison.score_a_ == pytest.approx(
        -log_loss(y, expected, sample_weight=weight)
    )


NOT_AVERAGES = ["f1", "precision", "matthews_corrcoef"]
AVERAGES = ["accuracy", "neg_log_loss", "neg_brier_score"]


@each_test
@pytest.mark.parametrize("scoring", NOT_AVERAGES)
def test_pooled_scores_that_are_no_averages_are_warned_of(
    test, scoring, classification
):
    *_, X, y = classification
    comparison = test(
        LogisticRegression(), GaussianNB(), cv=4, scoring=scoring, n_resamples=9
    )
    with pytest.warns(PooledScoreWarning, match=f"{scoring} of pooled") as caught:
        comparison.fit(X, y)
    assert len(caught) == 1
    assert "pooled" in comparison.result_.estimand
    assert str(caught[0].message) in comparison.result_.caveats


@pytest.mark.parametrize("scoring", AVERAGES)
@pytest.mark.parametrize("weighted", [False, True])
def test_pooled_averages_are_not_warned_of(scoring, weighted, classification):
    *_, X, y = classification  # warnings are errors
    weight = np.linspace(0.5, 2, 80) if weighted else None
    PairedBootstrap(
        LogisticRegression(), GaussianNB(), cv=7, scoring=scoring, n_resamples=9
    ).fit(X, y, sample_weight=weight)


@pytest.mark.parametrize(
    ("scoring", "warns"),
    [
        ("r2", True),
        ("neg_root_mean_squared_error", True),
        ("neg_mean_squared_error", False),
        ("neg_mean_absolute_error", False),
    ],
)
def test_pooled_regression_scores_are_warned_of_if_no_averages(
    scoring, warns, regression, recwarn
):
    *_, X, y = regression
    PairedBootstrap(
        Ridge(), Ridge(alpha=20.0), cv=7, scoring=scoring, n_resamples=9
    ).fit(X, y)
    assert [w.category for w in recwarn] == [PooledScoreWarning] * warns


def test_each_pooled_score_has_a_caveat_in_its_own_result(classification):
    *_, X, y = classification
    comparison = PairedBootstrap(
        LogisticRegression(),
        GaussianNB(),
        cv=4,
        scoring=["accuracy", *NOT_AVERAGES],
        n_resamples=9,
    )
    with pytest.warns(PooledScoreWarning) as caught:
        comparison.fit(X, y)
    assert len(caught) == len(NOT_AVERAGES)
    for name, result in comparison.results_.items():
        pooled = [text for text in result.caveats if "pooled out-of-fold" in text]
        assert [text.split()[0] for text in pooled] == [name] * (name in NOT_AVERAGES)


def test_each_metric_has_its_own_estimand_with_folds(classification):
    """Ranking metrics are means over folds, also beside metrics that are pooled."""
    *_, X, y = classification
    for test in (PairedBootstrap, ApproxRandomization):
        comparison = test(
            LogisticRegression(),
            GaussianNB(),
            cv=4,
            scoring=["roc_auc", "accuracy"],
            n_resamples=9,
        )
        results = comparison.fit(X, y).results_
        assert "mean over folds" in results["roc_auc"].estimand
        assert results["roc_auc"].cv.endswith(", fold-mean")
        assert "pooled" in results["accuracy"].estimand
        assert not results["accuracy"].cv.endswith("fold-mean")


def test_repeated_folds_are_averaged_by_the_permutation_test_only(classification):
    *_, X, y = classification
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    settings = {"cv": cv, "scoring": "f1", "n_resamples": 9}
    models = LogisticRegression(), GaussianNB()
    with pytest.warns(PooledScoreWarning, match="use ApproxRandomization with"):
        PairedBootstrap(*models, **settings).fit(X, y)
    ApproxRandomization(*models, **settings, aggregate="fold-mean").fit(X, y)


def test_the_check_of_pooled_scores_is_quiet_where_folds_lack_a_class():
    """There is one warning of ours, none of scikit-learn's."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 20)
    X = rng.normal(size=(40, 2)) + y[:, None]
    comparison = PairedBootstrap(
        GaussianNB(),
        LogisticRegression(),
        cv=KFold(4),
        scoring="f1",
        n_resamples=9,
    )
    with pytest.warns(PooledScoreWarning) as caught:
        comparison.fit(X, y)
    assert len(caught) == 1


@each_test
@pytest.mark.parametrize("scoring", ["roc_auc", "average_precision"])
def test_ranking_metrics_are_averaged_over_folds(test, scoring, classification):
    *_, X, y = classification
    models = LogisticRegression(), GaussianNB()
    comparison = test(*models, cv=4, scoring=scoring, n_resamples=9).fit(X, y)
    expected = cross_val_score(models[0], X, y, cv=4, scoring=scoring).mean()
    assert comparison.score_a_ == pytest.approx(expected)
    assert "mean over folds" in comparison.result_.estimand


def test_beside_a_ranking_metric_others_are_pooled(classification):
    *_, X, y = classification
    models = LogisticRegression(), GaussianNB()
    scoring = ["accuracy", "roc_auc"]
    comparison = PairedBootstrap(*models, cv=4, scoring=scoring, n_resamples=9)
    results = comparison.fit(X, y).results_
    pooled = accuracy_score(y, cross_val_predict(models[0], X, y, cv=4))
    assert results["accuracy"].score_a == pytest.approx(pooled)
    expected = cross_val_score(models[0], X, y, cv=4, scoring="roc_auc").mean()
    assert results["roc_auc"].score_a == pytest.approx(expected)


@pytest.mark.parametrize("scoring", ["roc_auc", "average_precision"])
def test_leaving_one_out_is_refused_for_ranking_metrics(scoring):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), np.arange(30) % 2
    comparison = PairedBootstrap(
        GaussianNB(), LogisticRegression(), cv=LeaveOneOut(), scoring=scoring
    )
    message = r"leave several rows out for ranking metrics.*stratified folds"
    with pytest.raises(ValueError, match=message):
        comparison.fit(X, y)


@pytest.mark.parametrize("scoring", ["f1", "matthews_corrcoef"])
def test_requested_pooled_scores_have_no_warning(scoring, classification):
    *_, X, y = classification
    models = LogisticRegression(), GaussianNB()
    pooled = {"aggregate": "pooled", "n_resamples": 9}
    comparison = PairedBootstrap(*models, cv=4, scoring=scoring, **pooled)
    assert not comparison.fit(X, y).result_.caveats  # warnings are errors here


# Predictions


@pytest.fixture(scope="module")
def predictions():
    """Truth of 60 rows and all responses of two models to them."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 3)) + y[:, None]
    models = LogisticRegression().fit(X, y), GaussianNB().fit(X[:10], y[:10])
    a = {
        method: getattr(models[0], method)(X)
        for method in ("predict", "predict_proba", "decision_function")
    }
    b = {method: getattr(models[1], method)(X) for method in tuple(a)[:2]}
    b["decision_function"] = np.log(b["predict_proba"][:, 1])
    return y, a, b


def delta_of(scoring, y, a, b, test=PairedBootstrap):
    return test(scoring=scoring, n_resamples=19).fit_predictions(y, a, b).delta_


CONTAINERS = {
    "list": list,
    "object": lambda v: np.array(list(v), dtype=object),
    "series": pd.Series,
    "shifted": lambda v: pd.Series(v, index=np.arange(60)[::-1] + 100),
    "category": lambda v: pd.Series(v).astype("category"),
    "polars": lambda v: pl.Series(list(v)),
    "column": lambda v: np.reshape(v, (-1, 1)),
}


NULLABLE = {
    "Int64": lambda v: pd.Series(v, dtype="Int64"),
    "string": lambda v: pd.Series(v, dtype="string"),
    "bool": lambda v: v.astype(bool),
}
KINDS_OF_LABELS = [
    *((kind, strings) for kind in CONTAINERS for strings in (False, True)),
    ("Int64", False),
    ("bool", False),
    ("string", True),
]


@each_test
@pytest.mark.parametrize(("kind", "strings"), KINDS_OF_LABELS)
def test_labels_in_any_container_are_labels(test, kind, strings, predictions):
    y, a, b = predictions
    columns = [y, a["predict"], b["predict"]]
    expected = accuracy_score(y, columns[1]) - accuracy_score(y, columns[2])
    if strings:
        columns = [np.where(c, "yes", "no") for c in columns]
    pack = (CONTAINERS | NULLABLE)[kind]
    delta = delta_of("accuracy", *map(pack, columns), test=test)
    assert delta == pytest.approx(expected)


@pytest.mark.parametrize(
    "mixed", [("list", "object"), ("series", "list"), ("column", "list")]
)
def test_truth_and_labels_may_be_in_different_containers(mixed, predictions):
    y, a, b = predictions
    truth, first, second = (
        np.where(c, "yes", "no") for c in (y, a["predict"], b["predict"])
    )
    pack, other = (CONTAINERS[kind] for kind in mixed)
    expected = accuracy_score(truth, first) - accuracy_score(truth, second)
    delta = delta_of("accuracy", pack(truth), other(first), second)
    assert delta == pytest.approx(expected)


@pytest.mark.parametrize("which", [0, 1])
def test_a_column_is_as_good_as_a_vector(which, predictions):
    """The truth of a one-column table, the predictions of a network with one output."""
    y, a, b = predictions
    columns = [y, a["predict"], b["predict"]]
    columns[which] = columns[which][:, np.newaxis]
    expected = accuracy_score(y, a["predict"]) - accuracy_score(y, b["predict"])
    assert delta_of("accuracy", *columns) == pytest.approx(expected)


@pytest.mark.parametrize("truth", [[1] * 8, [0, 1] * 4])
def test_labels_may_lack_or_add_classes(truth):
    """A test set without a class, a model that predicts one that is not there."""
    a, b = [1, 1, 0, 1, 1, 1, 0, 1], [2, 1, 1, 0, 2, 1, 0, 0]
    comparison = ApproxRandomization(scoring="accuracy").fit_predictions(truth, a, b)
    assert comparison.score_a_ == accuracy_score(truth, a)
    assert comparison.score_b_ == accuracy_score(truth, b)


@each_test
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("strings", [False, True])
def test_probabilities_have_one_column_or_two(test, columns, strings, predictions):
    y, *both = predictions
    truth = np.where(y, "yes", "no") if strings else y
    probabilities = [
        r["predict_proba"] if columns == 2 else r["predict_proba"][:, 1] for r in both
    ]
    for scoring, metric in (
        ("roc_auc", lambda y, p: roc_auc_score(y, p[:, 1])),
        ("neg_log_loss", lambda y, p: -log_loss(y, p)),
    ):
        expected = np.subtract(*(metric(truth, r["predict_proba"]) for r in both))
        delta = delta_of(scoring, truth, *probabilities, test=test)
        assert delta == pytest.approx(expected)


@each_test
def test_decision_values_are_ranked(test, predictions):
    y, *both = predictions
    values = [response["decision_function"] for response in both]
    expected = np.subtract(*(roc_auc_score(y, value) for value in values))
    assert delta_of("roc_auc", y, *values, test=test) == pytest.approx(expected)


def test_probabilities_of_several_classes():
    rng = np.random.default_rng(1)
    y = np.arange(60) % 3
    a, b = (rng.dirichlet(np.ones(3), size=60) for _ in "ab")
    expected = log_loss(y, b) - log_loss(y, a)
    assert delta_of("neg_log_loss", y, a, b) == pytest.approx(expected)
    delta = delta_of("roc_auc_ovr", np.array(list("xyz"))[y], a, b)
    expected = np.subtract(*(roc_auc_score(y, p, multi_class="ovr") for p in (a, b)))
    assert delta == pytest.approx(expected)


def test_classes_that_are_none_are_those_of_the_truth():
    rng = np.random.default_rng(0)
    y, p = rng.integers(2, size=50), rng.random((2, 50))
    test = PairedBootstrap(scoring="neg_log_loss", n_resamples=99, random_state=0)
    plain, with_none = (
        test.fit_predictions(y, *({"predict_proba": one, **more} for one in p)).delta_
        for more in ({}, {"classes": None})
    )
    assert plain == with_none


@pytest.mark.parametrize(("came", "words"), [(None, "None"), (3.5, "float")])
def test_predictions_without_rows_are_named(came, words):
    message = f"`y_pred_a` must have one entry per row. Got {words}."
    with pytest.raises(ValueError, match=re.escape(message)):
        PairedBootstrap().fit_predictions([0, 1, 1], came, [0, 1, 0])


def test_a_mapping_names_the_classes_that_the_truth_lacks():
    rng = np.random.default_rng(1)
    y = np.array(["x", "z"] * 30)
    a, b = (rng.dirichlet(np.ones(3), size=60) for _ in "ab")
    with pytest.raises(ValueError, match=r"one column per class of `y_true`, i\.e\. 2"):
        delta_of("neg_log_loss", y, a, b)
    loss = make_scorer(
        log_loss,
        greater_is_better=False,
        response_method="predict_proba",
        labels=["x", "y", "z"],
    )
    probabilities = ({"predict_proba": p, "classes": ["x", "y", "z"]} for p in (a, b))
    expected = np.subtract(*(log_loss(y, p, labels=["x", "y", "z"]) for p in (b, a)))
    assert delta_of(loss, y, *probabilities) == pytest.approx(expected)


@each_test
@pytest.mark.parametrize("pack", [np.asarray, sparse.csr_matrix, sparse.csr_array])
def test_multilabel_indicators_are_dense_or_sparse(test, pack):
    rng = np.random.default_rng(2)
    Y, a, b = (rng.integers(2, size=(60, 4)) for _ in "yab")
    expected = np.subtract(*(f1_score(Y, p, average="micro") for p in (a, b)))
    delta = delta_of("f1_micro", pack(Y), pack(a), pack(b), test=test)
    assert delta == pytest.approx(expected)


def as_forests_do(probabilities):
    """Return an array for each label, with a column for each of its values."""
    return [np.column_stack([1 - c, c]) for c in probabilities.T]


@pytest.mark.parametrize("n_labels", [2, 4])
@pytest.mark.parametrize(
    "pack",
    [
        lambda p: p,
        lambda p: {"predict_proba": p},
        lambda p: {"predict_proba": as_forests_do(p)},
    ],
    ids=["array", "mapping", "forests"],
)
def test_multilabel_probabilities(n_labels, pack):
    rng = np.random.default_rng(2)
    Y = rng.integers(2, size=(60, n_labels))
    a, b = rng.random((2, 60, n_labels))
    expected = np.subtract(*(roc_auc_score(Y, p) for p in (a, b)))
    assert delta_of("roc_auc", Y, pack(a), pack(b)) == pytest.approx(expected)


@each_test
@pytest.mark.parametrize("integers", [False, True])
@pytest.mark.parametrize("outputs", [1, 2])
def test_values_are_predictions_of_a_regression(test, integers, outputs):
    rng = np.random.default_rng(3)
    shape = 60 if outputs == 1 else (60, outputs)
    y = rng.integers(20, size=shape) if integers else rng.normal(size=shape)
    a, b = (y + rng.normal(size=shape) for _ in "ab")
    expected = mean_squared_error(y, b) - mean_squared_error(y, a)
    delta = delta_of("neg_mean_squared_error", y, a, b, test=test)
    assert delta == pytest.approx(expected)


def test_the_scorer_decides_the_kind_of_numbers():
    """Counts that happen to be 0 or 1 are a regression if the metric is one."""
    rng = np.random.default_rng(3)
    y, a, b = rng.integers(2, size=60), *rng.random((2, 60))
    expected = mean_squared_error(y, b) - mean_squared_error(y, a)
    assert delta_of("neg_mean_squared_error", y, a, b) == pytest.approx(expected)


@pytest.mark.parametrize("kind", ["Float64", "series", "polars", "list", "column"])
def test_regression_values_in_any_container(kind):
    rng = np.random.default_rng(3)
    y, a, b = rng.normal(size=(3, 60))
    containers = CONTAINERS | {"Float64": lambda v: pd.Series(v, dtype="Float64")}
    expected = np.subtract(*(r2_score(y, p) for p in (a, b)))
    assert delta_of("r2", *map(containers[kind], (y, a, b))) == pytest.approx(expected)


def overlap(estimator, X, y):
    """Score lists of words, a truth that no metric of scikit-learn knows."""
    pairs = zip(y, estimator.predict(X), strict=True)
    return float(
        np.mean([len(set(a) & set(b)) / len(set(a) | set(b)) for a, b in pairs])
    )


@each_test
def test_predictions_may_be_sequences_of_any_length(test):
    y = [["the", "cat"], ["sat"], ["on", "the", "mat"], ["it"]] * 10
    a = [["the", "cat"], ["sat"], ["on", "mat"], ["it"]] * 10
    b = [["cat"], ["sat", "down"], ["on", "the"], ["it"]] * 10
    comparison = test(scoring=overlap, n_resamples=19).fit_predictions(y, a, b)
    assert comparison.score_a_ == pytest.approx((1 + 1 + 2 / 3 + 1) / 4)
    assert comparison.score_b_ == pytest.approx((1 / 2 + 1 / 2 + 2 / 3 + 1) / 4)


@each_test
def test_a_mapping_serves_several_scorers(test, predictions):
    y, a, b = predictions
    names = ["accuracy", "roc_auc", "neg_log_loss"]
    comparison = test(scoring=names, n_resamples=19).fit_predictions(y, a, b)
    assert comparison.results_["accuracy"].score_a == accuracy_score(y, a["predict"])
    assert comparison.results_["neg_log_loss"].score_b == pytest.approx(
        -log_loss(y, b["predict_proba"])
    )


def test_scoring_none_follows_the_truth(predictions):
    y, a, b = predictions
    comparison = PairedBootstrap(n_resamples=9).fit_predictions(
        y, a["predict"], b["predict"]
    )
    assert list(comparison.results_) == ["accuracy"]
    comparison = PairedBootstrap(n_resamples=9).fit_predictions(y + 0.5, y, 1 - y)
    assert list(comparison.results_) == ["r2"]


def test_predictions_leave_no_model_to_predict_with(predictions):
    y, a, b = predictions
    comparison = PairedBootstrap(n_resamples=9).fit_predictions(
        y, a["predict"], b["predict"]
    )
    assert comparison.result_.cv == "predictions"
    assert (comparison.result_.name_a, comparison.result_.name_b) == ("A", "B")
    assert not hasattr(comparison, "predict")
    with pytest.raises(AttributeError, match="made from predictions or scores"):
        _ = comparison.classes_


# Which response the scorer gets


@pytest.fixture(scope="module")
def unlike_models(classification):
    """Models with decision values only, with probabilities only, and with both."""
    X, y, *_ = classification
    return {
        "values": LinearSVC().fit(X, y),
        "probabilities": GaussianNB().fit(X, y),
        "both": LogisticRegression().fit(X, y),
    }


def test_exchanging_takes_a_response_that_both_models_have(
    unlike_models, classification
):
    *_, X, y = classification
    a, b = unlike_models["both"], unlike_models["probabilities"]
    comparison = ApproxRandomization(
        a, b, scoring="roc_auc", n_resamples=99, random_state=0
    )
    comparison.fit(X, y)
    # as if both had predicted probabilities
    again = ApproxRandomization(scoring="roc_auc", n_resamples=99, random_state=0)
    again.fit_predictions(y, a.predict_proba(X), b.predict_proba(X))
    np.testing.assert_array_equal(comparison.distribution_, again.distribution_)
    assert comparison.delta_ == again.delta_


@pytest.mark.parametrize("cv", ["prefit", 3])
def test_exchanging_refuses_decision_values_for_probabilities(
    cv, unlike_models, classification
):
    *_, X, y = classification
    a, b = unlike_models["values"], unlike_models["probabilities"]
    test = ApproxRandomization(a, b, scoring="roc_auc", cv=cv)
    with pytest.raises(
        ValueError, match="needs a response method that all models have"
    ):
        test.fit(X, y)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("cv", ["prefit", 3])
def test_the_bootstrap_may_mix_decision_values_and_probabilities(
    cv, unlike_models, classification
):
    *_, X, y = classification
    a, b = unlike_models["values"], unlike_models["probabilities"]
    comparison = PairedBootstrap(a, b, scoring="roc_auc", cv=cv, n_resamples=19).fit(
        X, y
    )
    if cv == "prefit":
        assert comparison.score_a_ == roc_auc_score(y, a.decision_function(X))
        assert comparison.score_b_ == roc_auc_score(y, b.predict_proba(X)[:, 1])


def test_a_model_without_the_required_response_is_named(unlike_models, classification):
    *_, X, y = classification
    test = PairedBootstrap(
        unlike_models["values"], unlike_models["both"], scoring="neg_log_loss"
    )
    with pytest.raises(ValueError, match="needs predict_proba; LinearSVC has predict"):
        test.fit(X, y)
