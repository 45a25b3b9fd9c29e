"""Cochran's Q and Friedman's test: against statsmodels, scipy and published numbers."""

import dataclasses
import itertools
import json
import math
import pickle

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB

from skcompare import CochranQ, FriedmanTest, RankComparison
from skcompare.exceptions import DegenerateDataWarning, SmallSampleWarning
from skcompare.stats.blocks import cochran_q, friedman_chi2, iman_davenport, rank_blocks
from tests.rates import assert_level
from tests.texts import unbroken


def draw_predictions(rng, n_rows=80, accuracies=(0.8, 0.7, 0.7)):
    """Return truth and predictions by name."""
    truth = rng.integers(3, size=n_rows)
    wrong = (truth + rng.integers(1, 3, size=n_rows)) % 3
    preds = {
        f"model {i}": np.where(rng.random(n_rows) < share, truth, wrong)
        for i, share in enumerate(accuracies)
    }
    return truth, preds


# Cochran's Q


def test_q_is_that_of_statsmodels(random_seed):
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    rng = np.random.default_rng(random_seed)
    for n_models in (2, 3, 7):
        truth, preds = draw_predictions(rng, accuracies=rng.uniform(0.5, 0.9, n_models))
        right = np.column_stack([pred == truth for pred in preds.values()])
        expected = tables.cochrans_q(right.astype(int))
        test = CochranQ().fit_predictions(truth, preds)
        assert test.statistic_ == pytest.approx(expected.statistic, rel=1e-12)
        assert test.pvalue_ == pytest.approx(expected.pvalue, rel=1e-9)
        assert test.df_ == n_models - 1
        np.testing.assert_array_equal(test.scores_, right.mean(axis=0))


def test_q_by_the_formula_of_the_textbook():
    """k (k - 1) sum (G_j - mean G)^2 / (k sum L_i - sum L_i^2), from the totals."""
    right = np.array([[1, 1, 0]] * 5 + [[1, 0, 0]] * 3 + [[0, 1, 1]] * 2 + [[1] * 3])
    totals, rows = right.sum(axis=0), right.sum(axis=1)
    expected = (
        6 * np.sum((totals - totals.mean()) ** 2) / (3 * rows.sum() - rows @ rows)
    )
    result = cochran_q(right)
    assert result.statistic == pytest.approx(expected)
    assert result.pvalue == pytest.approx(math.exp(-expected / 2))  # two degrees


def test_two_models_give_mcnemar_without_correction(random_seed):
    truth, preds = draw_predictions(
        np.random.default_rng(random_seed), accuracies=(0.8, 0.6)
    )
    a, b = (pred == truth for pred in preds.values())
    only_a, only_b = np.sum(a & ~b), np.sum(b & ~a)
    test = CochranQ().fit_predictions(truth, preds)
    assert test.statistic_ == pytest.approx((only_a - only_b) ** 2 / (only_a + only_b))


def test_q_has_the_moments_of_its_permutation_distribution():
    """Deal out the right predictions of each of six rows in all 3^6 ways."""
    ways = np.eye(3)
    qs = [
        cochran_q(np.array(rows)).statistic
        for rows in itertools.product(ways, repeat=6)
    ]
    # The mean is that of chi-square; the variance, 4, less a share of 1 / n_rows.
    assert np.mean(qs) == pytest.approx(2)
    assert np.var(qs) == pytest.approx(4 * (1 - 1 / 6))


@pytest.mark.parametrize("n_models", [2, 3, 5])
def test_models_that_are_right_on_the_same_rows_give_p_1(n_models):
    truth = np.tile([0, 1], 10)
    pred = np.where(np.arange(20) < 15, truth, 1 - truth)
    preds = {str(i): pred for i in range(n_models)}
    with pytest.warns(DegenerateDataWarning, match="p-value 1"):
        test = CochranQ().fit_predictions(truth, preds)
    assert (test.statistic_, test.pvalue_) == (0, 1)
    assert test.effect_size_ == {"eta_squared": 0, "accuracy_range": 0}
    assert "p-value 1" in test.result_.summary()


def test_models_that_balance_give_p_1():
    right = np.tile(np.eye(3, dtype=bool), (4, 1))
    result = cochran_q(right)
    assert (result.statistic, result.pvalue) == (0, 1)


def test_few_differing_rows_are_warned_of():
    truth = np.ones(10, dtype=int)
    preds = {str(i): np.where(np.arange(10) == i, 0, 1) for i in range(3)}
    with pytest.warns(SmallSampleWarning, match="differ on only 3 of ") as record:
        CochranQ().fit_predictions(truth, preds)
    assert record[0].filename == __file__


def test_many_models_are_no_trouble():
    """Linear in the number of models: 2^60 patterns are not gone through."""
    truth, preds = draw_predictions(np.random.default_rng(0), 200, np.full(60, 0.7))
    test = CochranQ().fit_predictions(truth, preds)
    assert test.df_ == 59
    assert 0 < test.pvalue_ < 1


def test_order_of_rows_and_models_does_not_count(random_seed):
    rng = np.random.default_rng(random_seed)
    truth, preds = draw_predictions(rng)
    order = rng.permutation(len(truth))
    shuffled = {name: preds[name][order] for name in reversed(preds)}
    first = CochranQ().fit_predictions(truth, preds)
    second = CochranQ().fit_predictions(truth[order], shuffled)
    assert first.statistic_ == second.statistic_


def test_sets_of_labels_are_right_if_all_are():
    rng = np.random.default_rng(1)
    truth = rng.integers(2, size=(60, 3))
    preds = {
        name: np.where(rng.random((60, 3)) < 0.8, truth, 1 - truth) for name in "abc"
    }
    right = np.column_stack([(p == truth).all(axis=1) for p in preds.values()])
    test = CochranQ().fit_predictions(truth, preds)
    assert test.statistic_ == pytest.approx(cochran_q(right).statistic)


def fitted_models(X, y):
    models = [LogisticRegression(), GaussianNB(), DummyClassifier()]
    return [(type(model).__name__, model.fit(X, y)) for model in models]


def test_fitted_models_predict_themselves(classification):
    X_train, y_train, X, y = classification
    models = fitted_models(X_train, y_train)
    test = CochranQ(models).fit(X, y)
    by_hand = CochranQ().fit_predictions(y, {n: m.predict(X) for n, m in models})
    assert test.pvalue_ == by_hand.pvalue_
    assert test.names_ == ("LogisticRegression", "GaussianNB", "DummyClassifier")
    assert test.result_.cv == "prefit"


def test_a_column_of_truth_is_flattened_with_a_warning(classification):
    X_train, y_train, X, y = classification
    test = CochranQ(fitted_models(X_train, y_train))
    with pytest.warns(DataConversionWarning):
        column = test.fit(X, y[:, np.newaxis]).pvalue_
    assert column == test.fit(X, y).pvalue_


def test_cross_validation_judges_clones(classification):
    *_, X, y = classification
    models = [("lr", LogisticRegression()), ("nb", GaussianNB())]
    test = CochranQ(models, cv=4).fit(X, y)
    preds = {name: cross_val_predict(model, X, y, cv=4) for name, model in models}
    assert test.pvalue_ == CochranQ().fit_predictions(y, preds).pvalue_
    assert not hasattr(models[0][1], "coef_")


def test_rows_tested_twice_are_refused(classification):
    *_, X, y = classification
    twice = RepeatedStratifiedKFold(n_splits=2, n_repeats=2, random_state=0)
    models = [("lr", LogisticRegression()), ("nb", GaussianNB())]
    with pytest.raises(ValueError, match="at most once"):
        CochranQ(models, cv=twice).fit(X, y)


@pytest.mark.parametrize(
    ("preds", "match"),
    [
        ({"a": [0, 1, 0]}, "at least two models"),
        ([[0, 1, 0], [1, 1, 0]], "must be a dict"),
        ({"a": [0, 1, 0], "reference": [0, 1]}, r"`y_preds\['reference'\]`"),
        ({1: [0, 1, 0], "1": [0, 1, 1]}, "different names"),
        ({"a": [0, 1, 0], "b": [0.2, 0.7, 0.1]}, "needs classes.*for 'b'"),
        (
            {"a": [0, 1, 0], "b": {"predict_proba": [0.2, 0.7, 0.1]}},
            "Got predict_proba for 'b'",
        ),
    ],
)
def test_bad_predictions_are_refused(preds, match):
    with pytest.raises(ValueError, match=match):
        CochranQ().fit_predictions([0, 1, 1], preds)


def test_a_continuous_target_is_refused():
    with pytest.raises(ValueError, match="for the truth"):
        CochranQ().fit_predictions([0.5, 1.5], {"a": [0.5, 1.5], "b": [0.5, 1.0]})


@pytest.mark.parametrize(
    ("estimators", "match"),
    [
        (None, "list of"),
        ([GaussianNB(), GaussianNB()], "list of"),
        ([("a", GaussianNB())], "at least two"),
        ([("a", GaussianNB()), ("a", GaussianNB())], "different names"),
        ([("a", 1), ("b", 2)], "predict method"),
    ],
)
def test_bad_lists_of_models_are_refused(estimators, match):
    with pytest.raises(ValueError, match=match):
        CochranQ(estimators).fit([[0], [1]], [0, 1])


def test_missing_or_unknown_inputs_are_named(classification):
    X_train, y_train, X, y = classification
    test = CochranQ(fitted_models(X_train, y_train))
    with pytest.raises(ValueError, match="requires y"):
        test.fit(X)
    with pytest.raises(ValueError, match="`y` must have one entry per row"):
        test.fit(X, y[:-1])
    with pytest.raises(ValueError, match="`groups` must be None for CochranQ"):
        test.fit(X, y, groups=y)
    with pytest.raises(ValueError, match="`cv` must be 'prefit', or an integer"):
        clone(test).set_params(cv="five").fit(X, y)
    with pytest.raises(ValueError, match="`alpha` must lie"):
        clone(test).set_params(alpha=5).fit(X, y)


def test_q_is_calibrated(simulations):
    n_simulations = simulations(600, 10_000)
    rng = np.random.default_rng(2)
    right = rng.random((n_simulations, 100, 4)) < 0.7
    count = sum(cochran_q(one).pvalue <= 0.05 for one in right)
    assert_level(count, n_simulations)
    assert count > stats.binom.ppf(0.001, n_simulations, 0.05)


# Friedman


def test_published_example_but_for_its_ties(demsar_ranks):
    """Mean ranks, 9.28 and 3.69 are printed; correcting for ties changes the latter."""
    test = FriedmanTest(variant="chi2").fit_scores(-demsar_ranks)
    np.testing.assert_array_equal(test.ranks_, demsar_ranks)
    np.testing.assert_allclose(
        test.mean_ranks_, [3.143, 2.000, 2.893, 1.964], atol=5e-4
    )
    n, k = demsar_ranks.shape
    printed = (
        12 * n / (k * (k + 1)) * (np.sum(test.mean_ranks_**2) - k * (k + 1) ** 2 / 4)
    )
    assert printed == pytest.approx(9.28, abs=5e-3)
    assert (n - 1) * printed / (n * (k - 1) - printed) == pytest.approx(3.69, abs=5e-3)
    expected = stats.friedmanchisquare(*demsar_ranks.T)
    assert test.statistic_ == pytest.approx(expected.statistic)
    assert test.statistic_ == pytest.approx(10.23, abs=5e-3)
    assert test.pvalue_ == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("decimals", [1, 2, 9])
def test_chi_square_is_that_of_scipy(decimals, random_seed):
    rng = np.random.default_rng(random_seed)
    for shape in ((2, 3), (5, 4), (30, 8)):
        scores = rng.random(shape).round(decimals)
        expected = stats.friedmanchisquare(*scores.T)
        test = FriedmanTest(variant="chi2").fit_scores(scores)
        assert test.statistic_ == pytest.approx(expected.statistic)
        assert test.pvalue_ == pytest.approx(expected.pvalue)
        assert test.df_ == shape[1] - 1


def test_iman_davenport_is_an_analysis_of_variance_of_ranks(random_seed):
    """F of the two-way layout of ranks, by sums of squares."""
    ranks = rank_blocks(np.random.default_rng(random_seed).random((9, 4)).round(1))
    n, k = ranks.shape
    models = n * np.sum((ranks.mean(axis=0) - (k + 1) / 2) ** 2)
    total = np.sum((ranks - (k + 1) / 2) ** 2)
    f = (models / (k - 1)) / ((total - models) / ((k - 1) * (n - 1)))
    result = iman_davenport(ranks)
    assert result.statistic == pytest.approx(f)
    assert result.df == (3, 24)
    assert result.pvalue == pytest.approx(stats.f.sf(f, 3, 24))
    chi2 = friedman_chi2(ranks).statistic
    assert f == pytest.approx((n - 1) * chi2 / (n * (k - 1) - chi2))


@pytest.mark.parametrize(
    ("row", "orders"), [([0.1, 0.2, 0.3, 0.4], 24), ([0.1, 0.1, 0.3, 0.4], 12)]
)
def test_full_agreement_is_the_pole_of_f(row, orders):
    test = FriedmanTest(variant="iman-davenport").fit_scores([row] * 5)
    assert test.statistic_ == math.inf
    assert test.pvalue_ == pytest.approx(orders**-4)
    assert test.effect_size_ == {"kendall_w": pytest.approx(1)}
    assert "inf" in test.result_.summary()


def test_full_agreement_of_many_models_does_not_overflow():
    scores = np.tile(np.arange(200), (3, 1))
    test = FriedmanTest(variant="iman-davenport").fit_scores(scores)
    assert 0 <= test.pvalue_ < 1e-300


@pytest.mark.parametrize("variant", ["chi2", "iman-davenport"])
def test_ties_throughout_give_p_1(variant):
    with pytest.warns(DegenerateDataWarning, match="tie on every") as record:
        test = FriedmanTest(variant=variant).fit_scores(np.full((4, 3), 0.7))
    assert record[0].filename == __file__
    assert (test.statistic_, test.pvalue_) == (0, 1)
    assert test.mean_ranks_.tolist() == [2, 2, 2]
    assert test.effect_size_ == {"kendall_w": 0}


@pytest.mark.parametrize("variant", ["chi2", "iman-davenport"])
def test_orders_that_balance_give_p_1(variant):
    scores = [[3, 2, 1], [2, 1, 3], [1, 3, 2]]
    test = FriedmanTest(variant=variant).fit_scores(scores)
    assert (test.statistic_, test.pvalue_) == (0, 1)


def test_scores_equal_but_for_rounding_tie():
    rows = [[0.1 + 0.2, 0.3, 0.1], [1e6 * (0.1 + 0.2), 3e5, 1.0], [1.0, 0.0, 0.0]]
    assert rank_blocks(rows).tolist() == [[1.5, 1.5, 3], [1.5, 1.5, 3], [1, 2.5, 2.5]]


def test_ranks_are_those_of_scipy(random_seed):
    scores = np.random.default_rng(random_seed).normal(size=(50, 6)).round(1)
    np.testing.assert_array_equal(rank_blocks(scores), stats.rankdata(-scores, axis=1))


def test_names_come_from_the_columns():
    pd = pytest.importorskip("pandas")
    columns = {"nb": [1, 2, 3], "svm": [2, 3, 4], "rf": [2, 4, 3]}
    from_dict = FriedmanTest().fit_scores(columns)
    from_frame = FriedmanTest().fit_scores(pd.DataFrame(columns))
    plain = FriedmanTest().fit_scores(np.column_stack(list(columns.values())))
    assert from_dict.names_ == from_frame.names_ == ("nb", "svm", "rf")
    assert plain.names_ == ("0", "1", "2")
    assert from_dict.pvalue_ == from_frame.pvalue_ == plain.pvalue_
    assert from_dict.scores_.tolist() == [2, 3, 3]


@pytest.mark.parametrize(
    ("scores", "match"),
    [
        ([[1, 2], [2, 1]], "at least 3 models.*WilcoxonSignedRank"),
        ([[1, 2, 3]], "2 data sets"),
        ([1, 2, 3], "must be a matrix"),
        (5, "must be a matrix"),
        ([[1, 2, np.nan], [1, 2, 3]], "Got 1, the first in row 0 for '2'"),
        ([[1, 2, None], [1, 2, 3]], "must not have missing.*row 0"),
        ([[1, 2, np.inf], [1, 2, 3]], "missing or infinite"),
        ([["a", "b", "c"], ["a", "b", "c"]], "must be numbers"),
        ({"a": [1, 2], "b": [1, 2], "c": [1]}, "every model for every data set"),
        ({}, "must be a matrix"),
        ([[1, 2, 3], [1, 2]], r"must be a matrix.* Got \[\[1, 2, 3\], \[1, 2\]\]"),
    ],
)
def test_bad_scores_are_refused(scores, match):
    with pytest.raises(ValueError, match=match):
        FriedmanTest().fit_scores(scores)


@pytest.mark.parametrize("test", [FriedmanTest(), RankComparison()])
def test_names_of_scores_must_differ(test):
    pd = pytest.importorskip("pandas")
    scores = pd.DataFrame(np.eye(3), columns=["a", "a", "b"])
    message = r"`scores` must have .*different names\. Got 3: 'a', 'a', 'b'"
    with pytest.raises(ValueError, match=message):
        test.fit_scores(scores)


def test_rows_of_different_lengths_are_named():
    with pytest.raises(ValueError, match=r"`scores` must be a matrix.*Got \[\[1, 2\]"):
        RankComparison().fit_scores([[1, 2], [3]])


def test_bad_parameters_of_friedman_are_named():
    with pytest.raises(ValueError, match="`variant` must be one of"):
        FriedmanTest(variant="F").fit_scores(np.eye(3))
    with pytest.raises(ValueError, match="`alpha` must lie"):
        FriedmanTest(alpha=1).fit_scores(np.eye(3))


@pytest.mark.parametrize("variant", ["chi2", "iman-davenport"])
def test_friedman_is_calibrated(variant, simulations):
    n_simulations = simulations(600, 10_000)
    rng = np.random.default_rng(3)
    tables = rng.normal(size=(n_simulations, 20, 5)) + rng.normal(size=(20, 1))
    test = FriedmanTest(variant=variant)
    count = sum(test.fit_scores(one).pvalue_ <= 0.05 for one in tables)
    # Chi-square is a little conservative with 20 data sets, F hardly liberal.
    assert_level(count, n_simulations, slack=0.005)
    assert count > stats.binom.ppf(0.001, n_simulations, 0.04)


# Results


@pytest.fixture(params=["cochran", "friedman", "iman-davenport"])
def fitted(request):
    if request.param == "cochran":
        return CochranQ().fit_predictions(*draw_predictions(np.random.default_rng(4)))
    variant = "chi2" if request.param == "friedman" else request.param
    scores = np.random.default_rng(5).random((8, 3))
    return FriedmanTest(variant=variant).fit_scores(scores)


def test_result_has_a_sentence(fitted):
    result = fitted.result_
    text = str(result)
    assert text == result.summary()
    assert f"({fitted.result_.test})" in result.sentence()
    for part in (*result.names, "H0: ", "does not show which", result.signature):
        assert part in unbroken(text)
    assert "<table>" in result._repr_html_()
    assert f"pvalue={result.pvalue}" in repr(result)
    assert "scores" not in repr(result)


def test_a_pvalue_of_just_the_level_is_significant(fitted):
    pvalue = fitted.pvalue_
    for alpha, significant in ((pvalue, True), (np.nextafter(pvalue, 0), False)):
        result = dataclasses.replace(fitted.result_, alpha=alpha)
        assert result.significant == significant


def test_result_is_frozen_and_exported(fitted):
    result = fitted.result_
    with pytest.raises(AttributeError):
        result.pvalue = 0
    stored = json.loads(json.dumps(result.to_dict()))
    assert stored["pvalue"] == fitted.pvalue_
    assert stored["significant"] == (fitted.pvalue_ <= 0.05)
    assert stored["scores"] == fitted.scores_.tolist()


def test_result_as_a_frame_has_a_row_per_model(fitted):
    pytest.importorskip("pandas")
    frame = fitted.result_.to_frame()
    assert tuple(frame.index) == fitted.names_
    ranked = isinstance(fitted, FriedmanTest)
    assert list(frame) == (["score", "mean_rank"] if ranked else ["score"])


def test_html_is_escaped():
    scores = {"<b>": [1, 2], "b": [2, 1], "c": [3, 3]}
    html = FriedmanTest().fit_scores(scores).result_._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;" in html


def test_tests_clone_and_pickle_and_are_not_fitted(fitted):
    copy = pickle.loads(pickle.dumps(fitted))
    assert copy.pvalue_ == fitted.pvalue_
    fresh = clone(fitted)
    assert fresh.get_params() == fitted.get_params()
    assert not hasattr(fresh, "pvalue_")
    with pytest.raises(NotFittedError, match="is not fitted yet"):
        _ = fresh.pvalue_
    assert fresh._repr_html_()
    assert fitted._repr_html_()
