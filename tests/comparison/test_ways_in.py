"""Ways into a test: parameters of fits, predictions with folds, scores of rows."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    BayesianHierarchical,
    BayesianSignedRank,
    CochranQ,
    CorrectedTTest,
    DeLong,
    FoldReplicability,
    FriedmanTest,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    RankComparison,
    SignTest,
    WilcoxonSignedRank,
)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3))
    return X, (X[:, 0] + rng.normal(size=150) > 0).astype(int)


class Counting(LogisticRegression):
    """A model whose fit takes a further parameter of rows."""

    seen = None

    def fit(self, X, y, sample_weight=None, costs=None):
        type(self).seen = None if costs is None else len(costs)
        assert costs is None or len(costs) == len(X)
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize(
    "test",
    [PairedBootstrap(n_resamples=9, random_state=0), McNemar(), CorrectedTTest()],
    ids=lambda test: type(test).__name__,
)
def test_parameters_of_rows_reach_the_fits_of_the_models(test, data):
    X, y = data
    test = clone(test).set_params(
        estimator_a=Counting(), estimator_b=Counting(C=0.01), cv=5
    )
    test.fit(X, y, costs=np.ones(150))
    assert Counting.seen == 150  # of the winner, which is fitted on all rows


def test_parameters_of_fits_are_refused_where_nothing_is_fitted(data):
    models = [LogisticRegression().fit(*data), GaussianNB().fit(*data)]
    with pytest.raises(TypeError, match=r"'costs'.*cv='prefit' fits no model"):
        McNemar(*models).fit(*data, costs=np.ones(150))


def test_out_of_fold_predictions_can_be_used_again(data):
    X, y = data
    models = [LogisticRegression(), GaussianNB()]
    params = {"scoring": "accuracy", "n_resamples": 99, "random_state": 0}
    first = PairedBootstrap(*models, cv=5, aggregate="fold-mean", **params).fit(X, y)
    again = PairedBootstrap(aggregate="fold-mean", **params).fit_predictions(
        y, *first.predictions_, fold=first.fold_
    )
    assert again.delta_ == first.delta_
    np.testing.assert_array_equal(again.distribution_, first.distribution_)
    other = McNemar().fit_predictions(y, *first.predictions_, fold=first.fold_)
    assert other.delta_ == pytest.approx(first.delta_, abs=0.02)


@pytest.mark.parametrize(
    "test",
    [
        PairedBootstrap(n_resamples=99, random_state=0),
        ApproxRandomization(n_resamples=99, random_state=0),
        BayesianComparison(n_draws=99, random_state=0),
        PairedTTest(),
        SignTest(),
        WilcoxonSignedRank(),
    ],
    ids=lambda test: type(test).__name__,
)
def test_scores_of_rows_are_compared_by_their_means(test):
    rng = np.random.default_rng(1)
    a, b = rng.random(60) + 0.1, rng.random(60)
    result = test.fit_row_scores(a, b, names=("new", "old")).result_
    assert result.delta == pytest.approx(a.mean() - b.mean())
    assert (result.name_a, result.scoring) == ("new", "score")


def test_scores_of_rows_give_the_result_of_a_metric_of_them():
    rng = np.random.default_rng(2)
    truth, a, b = rng.normal(size=(3, 80))
    by_metric = PairedTTest(scoring="neg_mean_absolute_error")
    by_metric.fit_predictions(truth, a, b)
    by_rows = PairedTTest().fit_row_scores(-np.abs(truth - a), -np.abs(truth - b))
    assert by_rows.pvalue_ == pytest.approx(by_metric.pvalue_)
    assert by_rows.delta_ == pytest.approx(by_metric.delta_)


def test_right_and_wrong_rows_can_be_counted_and_nothing_else():
    a, b = [1, 1, 1, 0, 1, 1], [0, 1, 0, 0, 1, 0]
    assert McNemar().fit_row_scores(a, b).table_.tolist() == [[2, 3], [0, 1]]
    with pytest.raises(ValueError, match="must be 0 or 1 for McNemar"):
        McNemar().fit_row_scores([0.5, 1, 1], b[:3])
    assert not hasattr(DeLong(), "fit_row_scores")


def test_a_clone_of_a_test_of_fitted_models_can_be_fitted(data):
    X, y = data
    models = [
        LogisticRegression().fit(X[:75], y[:75]),
        GaussianNB().fit(X[:75], y[:75]),
    ]
    test = McNemar(*models).fit(X[75:], y[75:])
    copied = clone(clone(test))
    assert isinstance(copied.estimator_a, FrozenEstimator)
    assert copied.estimator_a.estimator is models[0]  # wrapped once
    copied.fit(X[75:], y[75:])
    assert copied.pvalue_ == test.pvalue_
    assert copied.result_.name_a == "LogisticRegression"


def test_a_clone_of_a_cross_validated_test_has_unfitted_models(data):
    test = McNemar(LogisticRegression().fit(*data), GaussianNB(), cv=3)
    assert not hasattr(clone(test).estimator_a, "coef_")


def test_a_fitted_test_shows_its_result_in_a_notebook(data):
    X, y = data
    test = McNemar(LogisticRegression().fit(X, y), GaussianNB().fit(X, y))
    assert "skcompare" not in test._repr_html_()[:200]
    html = test.fit(X, y)._repr_html_()
    assert "significantly better" in html
    assert "p-value" in html


# Models that stay fitted, and those that do not


def pair_of_models(data):
    stump = DecisionTreeClassifier(max_depth=1, max_features=1, random_state=2)
    return [("a", LogisticRegression().fit(*data)), ("b", stump.fit(*data))]


@pytest.mark.parametrize("container", [list, tuple, dict])
@pytest.mark.parametrize("comparison", [PairwiseComparison, CochranQ])
def test_a_clone_of_a_comparison_of_fitted_models_can_be_fitted(
    comparison, container, data
):
    models = container(pair_of_models(data))
    test = comparison(models)
    copied = clone(clone(test)).fit(*data).result_
    assert copied.names == ("a", "b")
    assert copied.scores.tolist() == test.fit(*data).result_.scores.tolist()
    assert test.estimators is models


def test_fitted_pairs_can_be_tuned_by_a_search(data):
    pairs = PairwiseComparison(pair_of_models(data), random_state=0)
    search = GridSearchCV(pairs, {"alpha": [0.01, 0.2]}, cv=2).fit(*data)
    assert search.best_params_ == {"alpha": 0.01}
    assert search.best_estimator_.champion_ in ("a", "b")


@pytest.mark.parametrize("comparison", [PairwiseComparison, CochranQ])
def test_a_clone_of_several_cross_validated_models_has_unfitted_ones(comparison, data):
    copied = clone(comparison(pair_of_models(data), cv=3))
    assert not any(hasattr(model, "classes_") for _, model in copied.estimators)


@pytest.mark.parametrize("comparison", [PairwiseComparison, CochranQ])
@pytest.mark.parametrize("container", [list, dict])
def test_models_and_their_parameters_can_be_set_by_name(comparison, container, data):
    models = container([("lr", LogisticRegression()), ("nb", GaussianNB())])
    test = comparison(models, cv=3)
    params = test.get_params()
    assert params["lr"] is dict(test.estimators)["lr"]
    assert params["nb__var_smoothing"] == 1e-9
    assert "lr" not in test.get_params(deep=False)
    assert clone(test).set_params(**params).get_params() == params
    assert test.set_params(lr__C=0.5, nb=GaussianNB(var_smoothing=1e-3)) is test
    lr, nb = dict(test.estimators).values()
    assert (lr.C, nb.var_smoothing) == (0.5, 1e-3)
    assert dict(models)["nb"].var_smoothing == 1e-9  # the caller's list is not changed
    other = [("x", LogisticRegression()), ("y", LogisticRegression())]
    test.set_params(estimators=other, x__C=2.0)
    assert test.estimators[0][1].C == 2.0
    with pytest.raises(ValueError, match="Invalid parameter 'lr'"):
        test.set_params(lr__C=1.0)


def test_a_model_may_have_the_name_of_a_parameter():
    models = [("baseline", LogisticRegression()), ("a__b", GaussianNB())]
    test = PairwiseComparison(models, baseline="baseline")
    assert test.get_params()["baseline"] == "baseline"
    assert not {"baseline__C", "a__b"} & set(test.get_params())
    assert test.set_params(baseline="a__b").estimators == models


# Names


PREDICTIONS = {"a": [0, 1] * 20, "b": [0, 1, 1, 1] * 10, "c": [0] * 40}
LABELS = [0, 1] * 20


def test_several_predictions_can_be_named():
    names = ("x", "y", "z")
    test = CochranQ().fit_predictions(LABELS, PREDICTIONS, names=names)
    assert test.names_ == names
    with pytest.raises(ValueError, match="`names` must have one name for each model"):
        CochranQ().fit_predictions(LABELS, PREDICTIONS, names=("x", "y"))


def test_several_models_can_be_named(data):
    test = CochranQ(pair_of_models(data)).fit(*data, names=("new", "old"))
    assert test.names_ == ("new", "old")


def test_cochrans_test_refuses_what_it_does_not_know():
    with pytest.raises(TypeError, match="typo"):
        CochranQ().fit_predictions(LABELS, PREDICTIONS, typo=1)
    for name in ("groups", "strata", "sample_weight"):
        with pytest.raises(ValueError, match=f"`{name}` must be None for CochranQ"):
            CochranQ().fit_predictions(LABELS, PREDICTIONS, **{name: LABELS})


def test_models_tested_on_folds_can_be_named(data):
    test = McNemar(LogisticRegression(), GaussianNB())
    folds = FoldReplicability(test, cv=3).fit(*data, names=("new", "old"))
    assert {(r.name_a, r.name_b) for r in folds.fold_results_} == {("new", "old")}
    with pytest.raises(ValueError, match="`names` must be different"):
        FoldReplicability(test, cv=3).fit(*data, names=("new", "new"))


@pytest.mark.parametrize("test", [FriedmanTest, RankComparison])
def test_models_of_a_table_can_be_named(test):
    scores = np.random.default_rng(0).random((6, 3))
    assert test().fit_scores(scores).names_ == ("0", "1", "2")
    named = test().fit_scores(scores, names=("x", "y", "z"))
    assert named.names_ == ("x", "y", "z")
    with pytest.raises(ValueError, match="`names` must have one name for each model"):
        test().fit_scores(scores, names=("x", "y"))


@pytest.mark.parametrize(
    ("test", "shape"), [(BayesianSignedRank, 8), (BayesianHierarchical, (8, 5))]
)
def test_models_compared_over_data_sets_can_be_named(test, shape):
    rng = np.random.default_rng(0)
    scores = rng.random(shape), rng.random(shape)
    test = test(n_draws=99, random_state=0)
    assert str(test.fit_scores(*scores).result_).startswith("For data sets like these")
    result = test.fit_scores(*scores, names=("new", "old")).result_
    assert (result.name_a, result.name_b) == ("new", "old")
    assert result.heading().startswith("new against old on 8 data sets")
    assert result.sentence().startswith("For A (new) and B (old) on data sets like")


# Folds of predictions of several models


@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
def test_pairs_of_out_of_fold_predictions_are_scored_fold_by_fold(test, data):
    X, y = data
    params = {"scoring": "roc_auc", "random_state": 0, "n_resamples": 99}
    alone = test(LogisticRegression(), GaussianNB(), cv=5, **params).fit(X, y)
    pairs = PairwiseComparison(test=test(**params)).fit_predictions(
        y, dict(zip("ab", alone.predictions_, strict=True)), fold=alone.fold_
    )
    assert pairs.result_.deltas.tolist() == [alone.delta_]
    assert pairs.result_.cv == "predictions, fold-mean"


def test_cochrans_test_takes_the_folds_of_predictions():
    fold = np.arange(40) % 4
    test = CochranQ().fit_predictions(LABELS, PREDICTIONS, fold=fold)
    assert test.pvalue_ == CochranQ().fit_predictions(LABELS, PREDICTIONS).pvalue_
    with pytest.raises(ValueError, match="`fold` must have one entry per row"):
        CochranQ().fit_predictions(LABELS, PREDICTIONS, fold=fold[1:])


# What has no winning model says why


@pytest.mark.parametrize("attribute", ["best_estimator_", "classes_", "predict"])
def test_the_reason_for_having_no_winner_is_given(attribute, data):
    X, y = data
    models = LogisticRegression(), GaussianNB()
    made = "made from predictions or scores, without models: there is no best_estim"
    tests = {
        made: [
            McNemar().fit_predictions(y, y, 1 - y),
            PairedTTest().fit_row_scores([0.0, 1.0, 0.5], [0.5, 0.0, 0.25]),
            CorrectedTTest().fit_scores([0.9, 0.8], [0.8, 0.75], test_train_ratio=0.5),
            PairwiseComparison().fit_predictions(LABELS, PREDICTIONS),
            McNemar(*models, cv=3).fit(X, y).fit_predictions(y, y, 1 - y),
        ],
        "With refit=False the winning model is not fitted on all data": [
            McNemar(*models, cv=3, refit=False).fit(X, y),
            CorrectedTTest(*models, cv=3, refit=False).fit(X, y),
            PairwiseComparison(
                list(zip("ab", models, strict=True)), cv=3, refit=False, random_state=0
            ).fit(X, y),
        ],
    }
    for reason, fitted in tests.items():
        for test in fitted:
            with pytest.raises(AttributeError, match=reason):
                getattr(test, attribute)
            assert not hasattr(test, "predict")
