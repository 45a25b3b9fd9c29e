"""Intervals for the score of one learning algorithm: tests for folds without B."""

import json

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.naive_bayes import GaussianNB

from skcompare import (
    BayesianCorrelatedTTest,
    ConservativeZ,
    CorrectedTTest,
    CrossValidationCLT,
    FiveByTwoCV,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
)
from skcompare.exceptions import DegenerateDataWarning, SmallSampleWarning
from skcompare.results import ForestDisplay, ScoreResult, notebook_html

TESTS = {
    "corrected t": CorrectedTTest(cv=5),
    "conservative Z": ConservativeZ(n_splits=4, n_repeats=3, random_state=0),
    "CLT": CrossValidationCLT(cv=5),
    "nested": NestedCVInterval(cv=4, n_repeats=2, random_state=0),
}
each_test = pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
SCORES = np.array([0.90, 0.88, 0.93, 0.91, 0.87, 0.92, 0.90, 0.89, 0.94, 0.91])


def alone(test, data, **params):
    test = clone(test).set_params(estimator_a=GaussianNB(), **params)
    return test.fit(*data)


@pytest.fixture(scope="module")
def data(classification):
    X_train, y_train, X, y = classification
    return np.vstack([X_train, X]), np.append(y_train, y)


@each_test
def test_one_model_has_a_score_an_interval_and_no_pvalue(test, data):
    test = alone(test, data)
    result = test.result_
    assert isinstance(result, ScoreResult)
    low, high = test.confidence_interval_
    assert low < test.score_a_ < high
    counts = isinstance(test, CrossValidationCLT)  # of right and wrong
    assert counts or (low + high) / 2 == pytest.approx(test.score_a_)
    assert test.standard_error_ == result.standard_error > 0
    assert not hasattr(test, "pvalue_")
    assert not hasattr(result, "pvalue")
    X, y = data
    assert test.score_a_ == pytest.approx(GaussianNB().fit(X, y).score(X, y), abs=0.1)


@each_test
def test_the_score_and_its_interval_are_those_of_the_model_in_a_pair(test, data):
    """A second model that scores 0 everywhere, or the score of A itself."""
    one = alone(test, data)
    pair = alone(test, data, estimator_b=LogisticRegression())
    assert one.score_a_ == pytest.approx(pair.score_a_)
    if pair.result_.score_a_interval is not None:
        assert one.confidence_interval_ == pytest.approx(pair.score_a_interval_)
        return
    scores = one.fold_scores_["accuracy"][:, 0]
    other = clone(test)
    if isinstance(test, ConservativeZ):
        scores = scores.reshape(-1, test.n_splits)
        other.fit_scores(scores, np.zeros_like(scores))
    else:
        other.fit_scores(scores, np.zeros_like(scores), test_train_ratio=1 / 4)
    assert one.confidence_interval_ == pytest.approx(other.confidence_interval_)


def test_the_corrected_interval_is_that_of_the_formula():
    test = CorrectedTTest().fit_scores(SCORES, test_train_ratio=1 / 9)
    error = np.sqrt((1 / 10 + 1 / 9) * SCORES.var(ddof=1))
    ends = SCORES.mean() + stats.t.ppf([0.025, 0.975], 9) * error
    assert test.standard_error_ == pytest.approx(error)
    assert test.confidence_interval_ == pytest.approx(ends)
    assert test.result_.df == 9


def test_scores_of_cross_validate_have_their_splits(data):
    scores = cross_validate(GaussianNB(), *data, cv=5, return_indices=True)
    expected = alone(TESTS["corrected t"], data).confidence_interval_
    assert CorrectedTTest().fit_scores(scores).confidence_interval_ == expected


def test_predictions_of_one_model_are_enough_for_the_normal_limit(data):
    fitted, y = alone(TESTS["CLT"], data), data[1]
    test = CrossValidationCLT().fit_predictions(
        y[fitted.indices_], fitted.predictions_[0]["predict"]
    )
    assert test.confidence_interval_ == pytest.approx(fitted.confidence_interval_)
    right = y[fitted.indices_] == fitted.predictions_[0]["predict"]
    assert test.standard_error_ == pytest.approx(right.std() / np.sqrt(len(y)))


@each_test
def test_the_result_names_its_estimand(test, data):
    result = alone(test, data).result_
    learning = "of the learning algorithm" in result.estimand
    assert learning != ("of the models fitted on these" in result.estimand)
    assert learning == (result.test != "CrossValidationCLT")
    words = str(result)
    assert f"GaussianNB scores {result.score_a:.4f} in accuracy" in words
    assert "95 % interval" in words
    for term in ("H0", "p-value", "significant"):
        assert term not in words


@each_test
def test_the_result_exports_and_plots(test, data):
    result = alone(test, data).result_
    plain = json.loads(json.dumps(result.to_dict()))
    assert plain["score_a"] == result.score_a
    assert plain["confidence_interval"]["low"] == result.confidence_interval.low
    frame = result.to_frame()
    assert frame.loc["accuracy", "high"] == result.confidence_interval.high
    assert isinstance(result.plot(), ForestDisplay)
    assert f"{result.score_a:.4f}" in notebook_html([result, result])


@each_test
def test_the_model_predicts_once_it_is_fitted_on_all_rows(test, data):
    X, y = data
    unfitted = clone(test).set_params(estimator_a=GaussianNB())
    assert hasattr(unfitted, "predict_proba")
    assert not hasattr(clone(test), "predict")
    fitted = unfitted.fit(X, y)
    expected = GaussianNB().fit(X, y).predict(X)
    np.testing.assert_array_equal(fitted.predict(X), expected)
    assert fitted.classes_.tolist() == [0, 1]


def test_several_metrics_have_a_result_each(data):
    test = alone(CorrectedTTest(cv=5, scoring=["accuracy", "roc_auc"]), data)
    assert list(test.results_) == ["accuracy", "roc_auc"]
    with pytest.raises(AttributeError, match="Several metrics"):
        _ = test.confidence_interval_


def test_groups_widen_the_interval(data):
    X, y = data
    groups = np.arange(len(y)) // 4
    X = X[np.repeat(np.arange(0, len(y), 4), 4)]
    y = np.repeat(y[::4], 4)
    test = CrossValidationCLT(GaussianNB(), cv=GroupKFold(5))
    splits = list(test.cv.split(X, y, groups))
    by_rows = clone(test).set_params(cv=splits).fit(X, y).standard_error_
    assert test.fit(X, y, groups=groups).standard_error_ > 1.5 * by_rows
    assert "in 40 groups" in test.result_.sentence()


def test_a_perfect_model_has_a_bound_or_a_caution():
    y = np.arange(40) % 2
    with pytest.warns(SmallSampleWarning, match="0 errors"):
        test = CrossValidationCLT().fit_predictions(y, y)
    assert test.confidence_interval_.low == pytest.approx(0.025 ** (1 / 40))
    for scores in (0.8 + 0.1 * np.r_[1, 1, 1, 1, 1 + 1e-15], np.ones(5)):
        with pytest.warns(DegenerateDataWarning, match="variance cannot be"):
            test = CorrectedTTest().fit_scores(scores, test_train_ratio=1 / 4)
    assert test.confidence_interval_ == (-np.inf, np.inf)
    assert "Caution: scores of folds do not vary." in test.result_.sentence()


def test_few_rows_are_warned_of(regression):
    X, y, *_ = regression
    test = CrossValidationCLT(Ridge(), scoring="neg_mean_absolute_error")
    with pytest.warns(SmallSampleWarning, match="20 rows"):
        test.fit(X[:20], y[:20])
    assert test.result_.cautions


def test_a_fold_without_a_score_is_left_out():
    scores = SCORES.copy()
    scores[2] = np.nan
    test = CorrectedTTest()
    with pytest.warns(UserWarning, match="A on 2. They are left out for the mean"):
        test.fit_scores(scores, test_train_ratio=1 / 9)
    assert test.score_a_ == pytest.approx(np.nanmean(scores))
    assert test.result_.n_rows == 9


@pytest.mark.parametrize("test", [FiveByTwoCV, McNemar, PairedBootstrap])
def test_others_need_two_models(test, data):
    with pytest.raises(ValueError, match="`estimator_b` must be a model"):
        test(GaussianNB()).fit(*data)


def test_others_need_two_sets_of_scores():
    with pytest.raises(ValueError, match=r"`scores_b` must be passed.*CorrectedTTest"):
        BayesianCorrelatedTTest().fit_scores(SCORES, test_train_ratio=1 / 9)


def test_scores_of_halves_have_their_shape_alone_too():
    with pytest.raises(ValueError, match="`scores_a` must have a row for all rows"):
        ConservativeZ().fit_scores(SCORES)
