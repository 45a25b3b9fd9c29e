"""A query that is drawn twice is two queries to a scorer that scores query by query."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import GroupKFold, cross_val_predict

from skcompare import ApproxRandomization, PairedBootstrap

N_QUERIES = 40


def mean_of_queries(y_true, y_pred, query):
    """The mean over queries of the share of relevance that the best document has."""
    y_true, y_pred, query = map(np.asarray, (y_true, y_pred, query))
    scores = []
    for one in np.unique(query):
        mine = query == one
        relevance = y_true[mine]
        scores.append(relevance[np.argmax(y_pred[mine])] / relevance.max())
    return float(np.mean(scores))


def by_column(estimator, X, y):
    """The same, by ids that are the last column of the data."""
    ids = X.iloc[:, -1] if hasattr(X, "iloc") else X[:, -1]
    return mean_of_queries(y, estimator.predict(X), ids)


def cut_by_column(estimator, X, y):
    """The same, by a model that predicts query by query."""
    scores = []
    for one in np.unique(X[:, -1]):
        mine = X[:, -1] == one
        best = np.argmax(estimator.predict(X[mine]))
        scores.append(y[mine][best] / y[mine].max())
    return float(np.mean(scores))


@pytest.fixture(scope="module")
def ranking():
    """Documents of queries of several sizes, and two rankings, A good at some."""
    rng = np.random.default_rng(0)
    query = np.repeat(np.arange(N_QUERIES), rng.integers(2, 9, size=N_QUERIES))
    X = rng.normal(size=(len(query), 3))
    y = X[:, 0] + rng.normal(size=len(query)) + 10
    hard = rng.normal(size=len(query)) * 5 * (query % 3 == 0)
    return X, y, query, y + hard, X[:, 0] + rng.normal(size=len(query))


def resampled_queries(y, pred_a, pred_b, query):
    """Return the standard error of the mean over queries, each a row of its own."""
    of_query = [
        mean_of_queries(y[query == q], pred_a[query == q], query[query == q])
        - mean_of_queries(y[query == q], pred_b[query == q], query[query == q])
        for q in np.unique(query)
    ]
    return np.std(of_query) / np.sqrt(len(of_query))


def test_the_standard_error_is_that_of_the_mean_over_queries(ranking):
    _, y, query, a, b = ranking
    scoring = make_scorer(mean_of_queries, query=query)
    test = PairedBootstrap(scoring=scoring, n_resamples=399, random_state=0)
    test.fit_predictions(y, a, b, groups=query)
    expected = resampled_queries(y, a, b, query)
    # By 399 resamples, its relative error is about 1 / sqrt(2 * 399).
    assert test.standard_error_ == pytest.approx(expected, rel=4 / np.sqrt(2 * 399))
    assert test.result_.n_undefined == 0


@pytest.mark.parametrize(
    "named",
    [
        lambda q: q * 7 - 100,
        lambda q: np.char.add("q", q.astype(str)),
        lambda q: (1.5 * q).tolist(),
        lambda q: pd.Series(q, index=q + 3),
        lambda q: pd.Series(np.char.add("q", q.astype(str)), dtype="category"),
    ],
)
def test_names_of_queries_do_not_matter(named, ranking):
    _, y, query, a, b = ranking
    comparisons = [
        PairedBootstrap(
            scoring=make_scorer(mean_of_queries, query=ids),
            n_resamples=29,
            random_state=0,
        ).fit_predictions(y, a, b, groups=query)
        for ids in (query, named(query))
    ]
    np.testing.assert_allclose(
        comparisons[0].distribution_, comparisons[1].distribution_
    )
    assert np.std(comparisons[0].distribution_) > 0


@pytest.mark.parametrize(
    ("scorer", "pack"),
    [
        (by_column, np.asarray),
        (by_column, pd.DataFrame),
        (cut_by_column, np.asarray),
    ],
)
def test_ids_in_a_column_of_the_data_count_as_often_as_they_are_drawn(
    scorer, pack, ranking
):
    X, y, query, *_ = ranking
    rows = pack(np.column_stack([X, query]))

    class Column:
        def __init__(self, place):
            self.place = place

        def predict(self, X):
            return np.asarray(X)[:, self.place]

    a, b = Column(0), Column(1)
    test = PairedBootstrap(a, b, scoring=scorer, n_resamples=399, random_state=0)
    test.fit(rows, y, groups=query)
    expected = resampled_queries(y, X[:, 0], X[:, 1], query)
    assert test.standard_error_ == pytest.approx(expected, rel=4 / np.sqrt(2 * 399))


@pytest.mark.parametrize("aggregate", ["pooled", "fold-mean"])
@pytest.mark.filterwarnings("ignore::skcompare.exceptions.PooledScoreWarning")
def test_queries_of_folds_count_as_often_as_they_are_drawn(aggregate, ranking):
    X, y, query, *_ = ranking
    models, cv = (Ridge(), RowMean()), GroupKFold(4)
    test = PairedBootstrap(
        *models,
        cv=cv,
        scoring=make_scorer(mean_of_queries, query=query),
        aggregate=aggregate,
        n_resamples=399,
        random_state=0,
    ).fit(X, y, groups=query)
    a, b = (cross_val_predict(m, X, y, cv=cv, groups=query) for m in models)
    folds = [np.arange(len(y))]
    if aggregate == "fold-mean":
        folds = [rows for _, rows in cv.split(X, y, query)]
    errors = [resampled_queries(y[f], a[f], b[f], query[f]) for f in folds]
    expected = np.linalg.norm(errors) / len(errors)
    assert test.standard_error_ == pytest.approx(expected, rel=4 / np.sqrt(2 * 399))


class RowMean(RegressorMixin, BaseEstimator):
    """Predicts the mean of the features."""

    def fit(self, X, y):
        return self

    def __sklearn_is_fitted__(self):
        return True

    def predict(self, X):
        return X.mean(axis=1)


def test_values_that_matter_are_no_ids(ranking):
    _, y, query, a, b = ranking

    def recent_first(y_true, y_pred, day):
        weights = np.exp(-np.asarray(day) / 30)
        return -float(np.average(np.abs(y_true - y_pred), weights=weights))

    comparisons = [
        PairedBootstrap(
            scoring=make_scorer(recent_first, day=query), n_resamples=29, random_state=0
        ).fit_predictions(y, a, b, groups=query),
        PairedBootstrap(
            scoring="neg_mean_absolute_error", n_resamples=29, random_state=0
        ).fit_predictions(y, a, b, groups=query, sample_weight=np.exp(-query / 30)),
    ]
    low, high = comparisons[0].confidence_interval_
    assert low < comparisons[0].delta_ < high
    assert comparisons[0].delta_ == pytest.approx(comparisons[1].delta_)


def test_other_features_of_queries_stay(ranking):
    _, y, query, a, b = ranking
    market = query % 4

    def worst_market(y_true, y_pred, market):
        if not np.isin(market, [0, 1, 2, 3]).all():
            raise ValueError("no such market")
        error = np.abs(np.asarray(y_true) - y_pred)
        return -max(error[market == one].mean() for one in np.unique(market))

    scoring = make_scorer(worst_market, market=market)
    test = PairedBootstrap(scoring=scoring, n_resamples=99, random_state=0)
    test.fit_predictions(y, a, b, groups=query)
    assert test.result_.n_undefined == 0


def test_swaps_leave_ids_as_they_are(ranking):
    _, y, query, a, b = ranking

    def checked_queries(y_true, y_pred, query):
        if not np.isin(query, np.arange(N_QUERIES)).all():
            raise ValueError("no such query")
        return mean_of_queries(y_true, y_pred, query)

    scoring = make_scorer(checked_queries, query=query)
    test = ApproxRandomization(scoring=scoring, n_resamples=49, random_state=0)
    test.fit_predictions(y, a, b, groups=query)
    assert test.result_.n_undefined == 0
