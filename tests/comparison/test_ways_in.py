"""Ways into a test: parameters of fits, predictions with folds, scores of rows."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    CorrectedTTest,
    DeLong,
    McNemar,
    PairedBootstrap,
    PairedTTest,
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
