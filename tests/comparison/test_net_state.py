"""What a fit leaves behind, what a later call may change, and where rows come from."""

import itertools

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import KFold, PredefinedSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    CorrectedTTest,
    CrossValidationCLT,
    DeLong,
    FiveByTwoCV,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    SignTest,
    WilcoxonSignedRank,
)

pytestmark = pytest.mark.usefixtures("quiet")  # what is warned of is tested elsewhere

SAMPLED = {"method": "monte-carlo"}


def extended(test, n_resamples):
    """Return the result of a fitted test with more resamples than it has drawn."""
    return test.extend(n_resamples).result_


# More resamples


@pytest.mark.parametrize(
    ("kind", "params"), [(PairedBootstrap, {}), (ApproxRandomization, SAMPLED)]
)
def test_more_resamples_change_nothing_else(kind, params, labels):
    params = {"scoring": "accuracy", "random_state": 3, **params}
    test = kind(n_resamples=200, **params).fit_predictions(*labels)
    before, first = test.get_params(), test.result_
    distribution = first.distribution.copy()
    more = extended(test, 100)
    at_once = kind(n_resamples=300, **params).fit_predictions(*labels).result_
    np.testing.assert_array_equal(more.distribution, at_once.distribution)
    assert more.pvalue == at_once.pvalue
    assert (more.n_resamples, first.n_resamples) == (300, 200)
    np.testing.assert_array_equal(first.distribution, distribution)
    assert test.get_params() == before
    # A refit starts anew, with as many as the parameter.
    assert test.fit_predictions(*labels).result_.n_resamples == 200


# What an earlier fit left

OF_ROWS = {
    "PairedBootstrap": PairedBootstrap(scoring="accuracy", n_resamples=9),
    "ApproxRandomization": ApproxRandomization(scoring="accuracy", n_resamples=9),
    "BayesianComparison": BayesianComparison(scoring="accuracy", n_draws=50),
    "McNemar": McNemar(),
    "SignTest": SignTest(scoring="accuracy"),
    "WilcoxonSignedRank": WilcoxonSignedRank(scoring="accuracy"),
    "PairedTTest": PairedTTest(scoring="accuracy"),
    "DeLong": DeLong(),
}
OF_FOLDS = {"CorrectedTTest": CorrectedTTest(cv=3), "FiveByTwoCV": FiveByTwoCV()}


def winner(test):
    return getattr(test, "best_estimator_", None)


def check_has_no_winner(test, X):
    assert winner(test) is None
    with pytest.raises((NotFittedError, AttributeError)):
        test.predict(X)


@pytest.mark.parametrize("cv", ["prefit", 3])
@pytest.mark.parametrize("name", OF_ROWS)
def test_predictions_alone_leave_no_model_of_an_earlier_fit(
    name, cv, classification, classifiers
):
    *_, X, y = classification
    a, b = classifiers
    test = OF_ROWS[name].set_params(estimator_a=a, estimator_b=b, cv=cv).fit(X, y)
    assert winner(test) is not None
    assert hasattr(test, "fold_") == (cv == 3)
    kind = "predict_proba" if name == "DeLong" else "predict"
    responses = [getattr(model, kind)(X) for model in (a, b)]
    test.fit_predictions(y, *responses)
    check_has_no_winner(test, X)
    for attribute in ("fold_", "indices_"):
        assert not hasattr(test, attribute)
    assert test.result_.cv == "predictions"


@pytest.mark.parametrize("name", OF_FOLDS)
def test_scores_alone_leave_no_model_of_an_earlier_fit(name, classification):
    X, y, *_ = classification
    models = {"estimator_a": LogisticRegression(), "estimator_b": GaussianNB()}
    test = OF_FOLDS[name].set_params(**models).fit(X, y)
    assert winner(test) is not None
    scores = np.linspace(0.6, 0.9, 10).reshape(5, 2)
    ratio = {"test_train_ratio": 1 / 9} if name == "CorrectedTTest" else {}
    test.fit_scores(scores, scores[::-1] - 0.01, **ratio)
    check_has_no_winner(test, X)
    assert not hasattr(test, "splits_")


def test_predictions_of_folds_leave_no_model_of_an_earlier_fit(classification):
    X, y, *_ = classification
    test = CrossValidationCLT(
        LogisticRegression(), GaussianNB(), scoring="accuracy", cv=4
    ).fit(X, y)
    assert winner(test) is not None
    fold = np.arange(len(y)) % 4
    test.fit_predictions(y, y, 1 - y, fold=fold)
    check_has_no_winner(test, X)


def test_predictions_of_many_models_leave_no_champion_of_an_earlier_fit(
    classification,
):
    X, y, *_ = classification
    test = PairwiseComparison(
        [("a", LogisticRegression()), ("b", GaussianNB()), ("c", DummyClassifier())],
        cv=3,
        test=PairedBootstrap(n_resamples=9),
        random_state=0,
    ).fit(X, y)
    assert winner(test) is not None
    test.fit_predictions(y, {"a": y, "b": 1 - y, "c": np.ones_like(y)})
    check_has_no_winner(test, X)


# Rows of splits


@pytest.mark.parametrize(
    "cv",
    [TimeSeriesSplit(4), KFold(3, shuffle=True, random_state=1)],
    ids=["in time", "shuffled"],
)
def test_discordant_rows_are_positions_in_the_data(cv):
    """In time, the first rows are trained on only; rows are not tested in order."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.integers(2, size=60)
    X[:, 0] += y
    a, b = LogisticRegression(), GaussianNB()
    test = McNemar(a, b, cv=cv).fit(X, y)
    expected = [
        row
        for train, rows in cv.split(X)
        for row in rows
        if (a.fit(X[train], y[train]).predict(X[[row]]) == y[row])
        != (b.fit(X[train], y[train]).predict(X[[row]]) == y[row])
    ]
    assert len(expected) > 2
    assert test.discordant_rows_.tolist() == sorted(expected)


# Folds


def test_groups_count_in_nested_cross_validation():
    """Rows that come four times, as groups, count like rows that come once."""
    rng = np.random.default_rng(1)
    X, fold = rng.normal(size=(60, 2)), np.arange(60) % 5
    y = X[:, 0] + X[:, 1] ** 2 + rng.normal(size=60)
    groups = np.repeat(np.arange(60), 4)
    models = LinearRegression(), LinearRegression(fit_intercept=False)

    def fitted(X, y, fold, **row_params):
        test = NestedCVInterval(
            *models,
            scoring="neg_mean_squared_error",
            cv=list(PredefinedSplit(fold).split()),
            n_repeats=1,
            random_state=0,
        )
        return test.fit(X, y, **row_params).result_

    once = fitted(X, y, fold)
    four_times = [array[groups] for array in (X, y, fold)]
    grouped, ungrouped = fitted(*four_times, groups=groups), fitted(*four_times)
    assert (grouped.n_units, ungrouped.n_units) == (60, 240)
    assert grouped.delta == pytest.approx(once.delta)
    assert grouped.standard_error == pytest.approx(once.standard_error)
    assert ungrouped.standard_error < 0.95 * grouped.standard_error


class SometimesFails(Ridge):
    """Cannot be fitted on few rows."""

    def fit(self, X, y):
        if len(X) < 30:
            raise ValueError("too few rows")
        return super().fit(X, y)


@pytest.fixture
def unequal():
    """Data with splits of other sizes each, the first of which trains on few rows."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 2))
    y = X[:, 0] + rng.normal(size=60)
    bounds = [0, 40, 45, 52, 60]
    tests = [np.arange(*pair) for pair in itertools.pairwise(bounds)]
    return X, y, [(np.setdiff1d(np.arange(60), rows), rows) for rows in tests]


def test_the_size_of_a_failed_fold_does_not_count(unequal):
    X, y, splits = unequal
    options = {"scoring": "neg_mean_squared_error", "error_score": np.nan}
    failed, left_out = (
        CorrectedTTest(SometimesFails(), Ridge(alpha=50.0), cv=cv, **options).fit(X, y)
        for cv in (splits, splits[1:])
    )
    assert failed.delta_ == left_out.delta_
    assert failed.pvalue_ == pytest.approx(left_out.pvalue_, rel=1e-12)
    assert failed.standard_error_ == pytest.approx(left_out.standard_error_, rel=1e-12)
    ratio = np.mean([len(test) / len(train) for train, test in splits[1:]])
    differences = -np.diff(failed.fold_scores_["neg_mean_squared_error"], axis=1)[1:]
    error = np.std(differences, ddof=1) * np.sqrt(1 / 3 + ratio)
    assert failed.standard_error_ == pytest.approx(error)


def test_the_size_of_a_fold_without_a_score_does_not_count(unequal):
    *_, splits = unequal
    train, test = zip(*splits, strict=True)
    scores_a, scores_b = np.array([[np.nan, 0.8, 0.7, 0.9], [0.9, 0.5, 0.6, 0.7]])

    def scores_from(scores, first):
        indices = {"train": train[first:], "test": test[first:]}
        return {"test_score": scores[first:], "indices": indices}

    failed, left_out = (
        CorrectedTTest().fit_scores(
            scores_from(scores_a, first), scores_from(scores_b, first)
        )
        for first in (0, 1)
    )
    assert failed.pvalue_ == pytest.approx(left_out.pvalue_, rel=1e-12)
    assert failed.confidence_interval_ == pytest.approx(left_out.confidence_interval_)
