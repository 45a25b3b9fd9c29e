"""What is read out of a search: candidates, tests, luck, parameters."""

import dataclasses
import json
import pickle
from types import SimpleNamespace

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import make_classification, make_moons
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import FitFailedWarning, NotFittedError
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    HalvingRandomSearchCV,
    KFold,
    RandomizedSearchCV,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from statsmodels.stats.multitest import multipletests

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    CorrectedTTest,
    CorrelationTest,
    DeLong,
    FiveByTwoCV,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
    SearchComparison,
    SimplestNotWorse,
)
from skcompare.exceptions import FailedFitWarning, PooledScoreWarning
from skcompare.results import candidate_labels
from skcompare.stats.selection import (
    adjust_against_best,
    against_best,
    best_intervals,
)
from tests.rates import assert_level, assert_level_kept

COLUMNS = [
    "candidate",
    "params",
    "mean_score",
    "delta",
    "low",
    "high",
    "best_low",
    "best_high",
    "pvalue",
    "pvalue_adjusted",
    "indistinguishable",
]
DEPTHS = {"max_depth": [1, 2, 4, 8]}


@pytest.fixture(scope="module")
def data():
    """Rows and classes of a problem that deeper trees learn better, up to a point."""
    return make_classification(
        240, n_features=8, n_informative=5, flip_y=0.1, random_state=1
    )


def tree():
    return DecisionTreeClassifier(random_state=0)


@pytest.fixture(scope="module")
def grid(data):
    """A fitted grid search with ten folds."""
    params = {**DEPTHS, "min_samples_leaf": [1, 15]}
    return GridSearchCV(tree(), params, cv=10, scoring="accuracy").fit(*data)


def compare(search, *data, **params):
    return SearchComparison(search, random_state=0, n_resamples=50, **params).fit(*data)


def split_scores(search, metric="score"):
    results = search.cv_results_
    columns = [results[f"split{i}_test_{metric}"] for i in range(search.n_splits_)]
    return np.column_stack(columns)


def nadeau_bengio(differences, ratio):
    """Compute t, p and the 95 % interval anew, from the formula alone."""
    k, mean = len(differences), np.mean(differences)
    error = np.sqrt((1 / k + ratio) * np.var(differences, ddof=1))
    margin = stats.t.ppf(0.975, k - 1) * error
    return stats.t.sf(mean / error, k - 1), mean - margin, mean + margin


# From cv_results_ alone


def test_numbers_are_those_of_the_formula(grid):
    frame = compare(grid).result_.to_frame()
    assert list(frame) == COLUMNS
    scores, best = split_scores(grid), grid.best_index_
    assert frame["candidate"][0] == best
    others = frame[1:]
    tested = 0
    for row in others.itertuples():
        differences = scores[best] - scores[row.candidate]
        assert row.delta == pytest.approx(differences.mean())
        assert row.params == grid.cv_results_["params"][row.candidate]
        if differences.std() > 0:
            expected = nadeau_bengio(differences, 1 / 9)
            assert (row.pvalue, row.low, row.high) == pytest.approx(expected)
            tested += 1
    assert tested >= 5
    adjusted = multipletests(others["pvalue"], method="holm")[1]
    np.testing.assert_allclose(others["pvalue_adjusted"], adjusted)
    np.testing.assert_array_equal(others["indistinguishable"], adjusted > 0.05)
    assert set(others["indistinguishable"]) == {True, False}
    np.testing.assert_allclose(
        frame["mean_score"], grid.cv_results_["mean_test_score"][frame["candidate"]]
    )


def test_two_candidates_give_the_numbers_of_the_corrected_t_test(data):
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    search = GridSearchCV(tree(), {"max_depth": [1, 5]}, cv=cv).fit(*data)
    result = compare(search).result_
    test = CorrectedTTest(*(tree().set_params(**p) for p in result.params), cv=cv)
    test.fit(*data)
    assert result.pvalues[1] == pytest.approx(test.pvalue_, rel=1e-6)
    assert result.deltas[1] == pytest.approx(test.delta_)
    np.testing.assert_allclose(
        result.intervals[1], test.confidence_interval_, rtol=1e-6
    )


def test_the_best_itself_has_no_difference_and_p_one(grid):
    first = compare(grid).result_.to_frame().iloc[0]
    assert (first["delta"], first["low"], first["high"]) == (0, 0, 0)
    assert first["pvalue"] == first["pvalue_adjusted"] == 1
    assert first["indistinguishable"]


def test_the_published_example_of_scikit_learn():
    """Its "Statistical comparison of models using grid search" prints these numbers."""
    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    grid = [{"kernel": ["linear", "rbf"]}, {"kernel": ["poly"], "degree": [2, 3]}]
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    search = GridSearchCV(SVC(), grid, scoring="roc_auc", cv=cv, refit=False).fit(X, y)
    result = compare(search).result_
    kernels = [(p["kernel"], p.get("degree")) for p in result.params]
    assert kernels == [("rbf", None), ("linear", None), ("poly", 3), ("poly", 2)]
    np.testing.assert_allclose(result.mean_scores, [0.94, 0.93, 0.9044, 0.6852], 1e-4)
    t = stats.t.isf(result.pvalues[1:], 99)
    np.testing.assert_allclose(t, [0.750, 1.657, 4.565], atol=6e-4)
    assert result.pvalues[1] == pytest.approx(0.227, abs=5e-4)
    np.testing.assert_allclose(result.intervals[1], [-0.016445, 0.036445], atol=1e-6)


@pytest.mark.parametrize("correction", ["bonferroni", "hochberg", "bh", "by", "none"])
def test_corrections_are_those_of_statsmodels(grid, correction):
    result = compare(grid, correction=correction).result_
    names = {"hochberg": "simes-hochberg", "bh": "fdr_bh", "by": "fdr_by"}
    expected = result.pvalues[1:]
    if correction != "none":
        method = names.get(correction, correction)
        expected = multipletests(expected, method=method)[1]
    np.testing.assert_allclose(result.pvalues_adjusted[1:], expected)


def test_splits_are_read_in_numeric_order(data):
    """The 12 splits of a search sort as 0, 1, 10, 11, 2 by their names."""
    search = GridSearchCV(tree(), {"max_depth": [1, 5]}, cv=12).fit(*data)
    result = SearchComparison(search, test_train_ratio=1 / 11).fit().result_
    scores = split_scores(search)[[search.best_index_, 1 - search.best_index_]]
    expected = nadeau_bengio(scores[0] - scores[1], 1 / 11)[0]
    assert result.pvalues[1] == pytest.approx(expected)


def test_top_compares_only_the_best(grid):
    everyone, three = compare(grid).result_, compare(grid, top=3).result_
    np.testing.assert_array_equal(three.candidates, everyone.candidates[:3])
    np.testing.assert_array_equal(three.pvalues, everyone.pvalues[:3])
    assert len(compare(grid, top=99).result_.candidates) == 8
    # The winner was chosen among all of them, not only those compared.
    assert (three.lead, three.expected_lead) == (everyone.lead, everyone.expected_lead)


# Searches of every kind


def test_randomized_searches_are_read(data):
    search = RandomizedSearchCV(
        LogisticRegression(),
        {"C": stats.loguniform(1e-3, 10)},
        n_iter=6,
        cv=4,
        random_state=0,
    ).fit(*data)
    result = compare(search).result_
    assert sorted(result.candidates) == list(range(6))
    assert result.test_train_ratio == pytest.approx(1 / 3)
    assert "RandomizedSearchCV" in result.signature


@pytest.mark.parametrize(("other", "words"), [(1, "cannot"), (1e-6, "can")])
def test_one_other_candidate_is_not_counted(data, other, words):
    search = GridSearchCV(LogisticRegression(), {"C": [1.0, other]}, cv=5).fit(*data)
    sentence = compare(search).result_.sentence()
    assert f"the other one {words} be ruled out as the best (" in sentence


@pytest.mark.parametrize("kind", [HalvingGridSearchCV, HalvingRandomSearchCV])
def test_of_halving_searches_the_last_iteration_counts(data, kind):
    search = kind(
        tree(),
        {"max_depth": [1, 2, 3, 4, 5, 6, 7]},
        cv=3,
        factor=2,
        random_state=0,
        min_resources=60,
    ).fit(*data)
    result = compare(search).result_
    iteration = search.cv_results_["iter"]
    last = np.flatnonzero(iteration == iteration.max())
    np.testing.assert_array_equal(np.sort(result.candidates), last)
    assert result.candidates[0] == search.best_index_
    assert any("Only the last iteration" in text for text in result.caveats)
    # Who survived the earlier rounds was selected, too, and that cannot be repeated.
    assert np.isnan(
        [result.expected_lead, result.selection_bias, result.expected_lead_error]
    ).all()
    assert "selection bias" not in result.sentence()
    assert "nan" not in result.summary()
    again = compare(search, *data).result_
    np.testing.assert_array_equal(np.sort(again.candidates), last)


@pytest.fixture(scope="module")
def several(data):
    """A search with several metrics that refits by one of them."""
    scoring = {"acc": "accuracy", "auc": "roc_auc"}
    search = GridSearchCV(tree(), DEPTHS, cv=5, scoring=scoring, refit="auc")
    return search.fit(*data)


@pytest.mark.parametrize(("scoring", "metric"), [(None, "auc"), ("acc", "acc")])
def test_of_several_metrics_one_is_named_or_refitted_by(several, scoring, metric):
    comparison = compare(several, scoring=scoring)
    assert comparison.result_.scoring == metric
    ranks = several.cv_results_[f"rank_test_{metric}"]
    assert comparison.best_index_ == np.argmin(ranks)
    np.testing.assert_allclose(
        comparison.result_.mean_scores,
        several.cv_results_[f"mean_test_{metric}"][comparison.result_.candidates],
    )


def test_several_metrics_without_a_choice_are_an_error(data):
    search = GridSearchCV(
        tree(), DEPTHS, cv=3, scoring=["accuracy", "f1"], refit=False
    ).fit(*data)
    with pytest.raises(ValueError, match=r"`scoring` must name one.*'accuracy', 'f1'"):
        compare(search)
    assert compare(search, scoring="f1").result_.scoring == "f1"
    assert compare(search, *data, scoring="accuracy").result_.scoring == "accuracy"


def test_a_search_that_refits_by_none_of_its_metrics_takes_any_other(data):
    search = GridSearchCV(
        tree(), DEPTHS, cv=3, scoring=["accuracy", "f1"], refit=False
    ).fit(*data)
    result = compare(search, *data, scoring="neg_log_loss", top=2).result_
    assert result.scoring == "neg_log_loss"
    first = np.argsort(search.cv_results_["rank_test_accuracy"], kind="stable")[:2]
    assert sorted(result.candidates) == sorted(first)


def test_a_metric_that_the_search_lacks_needs_data(grid, data):
    message = r"metric of the search.*: 'accuracy'\. Got 'f1'.*Use fit\(X, y\)"
    with pytest.raises(ValueError, match=message):
        compare(grid, scoring="f1")
    assert compare(grid, scoring="accuracy").result_.scoring == "accuracy"


def test_the_choice_of_refit_is_mentioned_and_changes_no_number(data):
    results = {}
    best = GridSearchCV(tree(), DEPTHS, cv=3).fit(*data).best_index_
    rules = {
        "default": True,
        "none": False,
        "simplest": SimplestNotWorse("max_depth", tolerance=1.0),
        "best": lambda cv_results: best,
    }
    for name, refit in rules.items():
        search = GridSearchCV(tree(), DEPTHS, cv=3, refit=refit).fit(*data)
        results[name] = compare(search).result_
        np.testing.assert_array_equal(results[name].pvalues, results["default"].pvalues)
        assert results[name].candidates[0] == best
    (note,) = results.pop("simplest").caveats
    assert note.startswith("The `refit` of the search chose candidate")
    assert "max_depth=1" in note
    assert all(result.caveats == () for result in results.values())


def test_results_alone_are_enough(grid, tmp_path):
    expected = compare(grid).result_
    frame = pd.DataFrame(grid.cv_results_)
    frame.to_csv(tmp_path / "results.csv", index=False)
    saved = pd.read_csv(tmp_path / "results.csv")
    for results in (grid.cv_results_, frame, saved, saved.drop(columns="params")):
        result = SearchComparison.from_cv_results(
            results, test_train_ratio=1 / 9, n_resamples=50, random_state=0
        ).result_
        np.testing.assert_array_equal(result.candidates, expected.candidates)
        np.testing.assert_allclose(result.pvalues, expected.pvalues, atol=1e-9)
        assert list(result.params) == list(expected.params)
        assert result.caveats == ()


def test_results_alone_are_taken_as_those_of_k_folds(grid, data):
    comparison = SearchComparison.from_cv_results(grid.cv_results_)
    assert comparison.result_.test_train_ratio == pytest.approx(1 / 9)
    assert any("to be those of plain k-fold" in c for c in comparison.result_.caveats)
    with pytest.raises(ValueError, match=r"`search` must have an `estimator`.*fit\(\)"):
        comparison.fit(*data)
    with pytest.raises(ValueError, match="must have the scores of individual splits"):
        SearchComparison.from_cv_results({"params": [{}], "mean_test_score": [0.5]})


@pytest.mark.parametrize("kind", [dict, pd.DataFrame, pl.DataFrame])
def test_the_repr_of_results_has_their_number_only(kind):
    depths = {"param_max_depth": list(range(30))}
    results = kind(depths | {f"split{n}_test_score": [0.5] * 30 for n in range(3)})
    text = repr(SearchComparison(results, random_state=0))
    assert text == (
        "SearchComparison(random_state=0, search=<results of 30 candidates>)"
    )


def test_the_repr_of_a_search_and_of_no_results_is_short(grid):
    assert "GridSearchCV(" in repr(SearchComparison(grid))
    assert "search=<results of 0 candidates>" in repr(SearchComparison({}))


def test_any_search_with_results_will_do(grid, data):
    class Other:
        estimator, cv, scoring = grid.estimator, 10, "accuracy"
        cv_results_ = grid.cv_results_

    expected = compare(grid, *data, top=3).result_
    result = compare(Other(), *data, top=3).result_
    np.testing.assert_array_equal(result.pvalues, expected.pvalues)
    assert result.search == "Other"


def test_trials_of_optuna_are_read(grid):
    """OptunaSearchCV keeps the scores of splits with each trial."""
    kept = grid.cv_results_
    scores = [
        name for name in kept if name.endswith("test_score") and "rank" not in name
    ]

    trials = [
        SimpleNamespace(params=p, user_attrs={name: kept[name][i] for name in scores})
        for i, p in enumerate(kept["params"])
    ]
    trials.append(SimpleNamespace(params={"max_depth": -1}, user_attrs={}))
    optuna = SimpleNamespace(cv=10, trials_=trials)
    result, expected = compare(optuna).result_, compare(grid).result_
    np.testing.assert_allclose(result.mean_scores, expected.mean_scores)
    np.testing.assert_allclose(result.pvalues, expected.pvalues, atol=1e-9)
    assert result.failed == {8: {"max_depth": -1}}


def test_a_scorer_may_return_several_numbers(data):
    def scores(model, X, y):
        guess = model.predict(X)
        return {"acc": accuracy_score(y, guess), "f1": f1_score(y, guess)}

    search = GridSearchCV(tree(), DEPTHS, cv=4, scoring=scores, refit="f1").fit(*data)
    assert compare(search).result_.scoring == "f1"
    few = PairedBootstrap(n_resamples=9)
    result = compare(search, *data, scoring="acc", test=few).result_
    assert result.scoring == "acc"
    guesses = GridSearchCV(tree(), DEPTHS, cv=4, scoring="accuracy").fit(*data)
    np.testing.assert_allclose(
        result.mean_scores,
        guesses.cv_results_["mean_test_score"][result.candidates],
        atol=1e-12,
    )


# Failed, tied and single candidates


def test_failed_candidates_are_listed_without_numbers(data):
    search = GridSearchCV(LogisticRegression(), {"C": [0.01, -1.0, 1.0]}, cv=4)
    with pytest.warns(UserWarning, match="non-finite"), pytest.warns(FitFailedWarning):
        search.fit(*data)
    result = compare(search).result_
    frame = result.to_frame()
    assert sorted(frame["candidate"]) == [0, 1, 2]
    failed = frame.iloc[-1]
    assert failed["candidate"] == 1
    assert failed["params"] == {"C": -1.0}
    assert failed[["mean_score", "delta", "low", "pvalue_adjusted"]].isna().all()
    assert not failed["indistinguishable"]
    assert result.pvalues_adjusted[1] == result.pvalues[1]  # only one comparison counts
    assert any("without a score on every split: 1" in text for text in result.caveats)
    assert set(result.by_parameter()["value"]) == {0.01, 1.0}
    again = compare(search, *data).result_.to_frame()
    assert sorted(again["candidate"]) == [0, 1, 2]
    assert np.isnan(again["pvalue"].iloc[-1])


def test_candidates_that_all_failed_are_an_error(data):
    search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=3).fit(*data)
    for split in range(3):
        search.cv_results_[f"split{split}_test_score"][:] = np.nan
    message = "Got none among 2 candidates: none of them has a score on any split"
    with pytest.raises(ValueError, match=message):
        compare(search)


def test_a_metric_without_a_value_on_some_split_is_an_error(data):
    search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=5).fit(*data)
    for split in (1, 3):
        search.cv_results_[f"split{split}_test_score"][:] = np.nan
    message = r"on split 1, 3 \(of 0 to 4\) no candidate has a score, for example if"
    for fit_data in ((), data):
        with pytest.raises(ValueError, match=message):
            compare(search, *fit_data)
    with pytest.raises(ValueError, match=message):
        SimplestNotWorse("C")(search.cv_results_)


def test_candidates_that_failed_here_and_there_are_an_error(data):
    search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=5).fit(*data)
    search.cv_results_["split0_test_score"][0] = np.nan
    search.cv_results_["split1_test_score"][1] = np.nan
    with pytest.raises(ValueError, match="each of them failed on some split"):
        compare(search)


def test_of_tied_candidates_the_first_is_the_best(data):
    search = GridSearchCV(
        DummyClassifier(strategy="prior"), {"random_state": [3, 1, 2]}, cv=4
    ).fit(*data)
    for comparison in (compare(search), compare(search, *data)):
        result = comparison.result_
        assert comparison.best_index_ == 0
        np.testing.assert_array_equal(result.candidates, [0, 1, 2])
        np.testing.assert_array_equal(result.deltas, 0)
        np.testing.assert_array_equal(result.pvalues_adjusted, 1)
        assert result.lead == pytest.approx(0, abs=1e-12)
        assert result.selection_bias_share == 0


def test_equal_means_of_other_scores_are_no_difference():
    """The mean of 0.1, 0.2 and 0.3 in another order is apart by rounding alone."""
    search = GridSearchCV(Ridge(), {"alpha": [1.0, 2.0]}, cv=3)
    X = np.random.default_rng(0).normal(size=(30, 2))
    search.fit(X, X[:, 0])
    for split, scores in enumerate([(0.1, 0.3), (0.2, 0.1), (0.3, 0.2)]):
        search.cv_results_[f"split{split}_test_score"] = np.array(scores)
    search.cv_results_["rank_test_score"] = np.array([1, 1])
    result = compare(search).result_
    assert result.deltas[1] == 0
    assert result.pvalues[1] == pytest.approx(0.5)


def test_scores_that_differ_by_rounding_alone_are_ties():
    scores = np.array([[0.8, 0.9, 0.7], [0.8, 0.9, 0.7]])
    scores[0] += 2e-16
    result = against_best(scores, 0, 0.5, 0.95)
    assert result.deltas.tolist() == [0, 0]
    assert result.pvalues.tolist() == [1, 1]


def test_a_single_candidate_has_nothing_to_compare_with(data):
    search = GridSearchCV(tree(), {"max_depth": [3]}, cv=4).fit(*data)
    for comparison in (compare(search), compare(search, *data)):
        assert comparison.indistinguishable_.tolist() == [0]
        assert comparison.result_.lead == comparison.result_.expected_lead == 0
        assert "one candidate" in comparison.result_.sentence()
        assert comparison.result_.by_parameter().empty
        assert "the best" in comparison.result_.summary()


def test_a_single_split_needs_the_data(data):
    cv = ShuffleSplit(1, test_size=0.4, random_state=0)
    search = GridSearchCV(tree(), {"max_depth": [1, 5]}, cv=cv).fit(*data)
    with pytest.raises(ValueError, match=r"at least 2 splits.*Got 1.*fit\(X, y\)"):
        compare(search)
    result = compare(search, *data).result_
    assert np.isfinite(result.pvalues).all()
    assert result.by_parameter()["pvalue"].isna().all()
    assert result.by_parameter()["indistinguishable"].all()


def test_random_splits_carry_a_caveat(data):
    for cv, warned in ((ShuffleSplit(5, random_state=0), True), (5, False)):
        search = GridSearchCV(tree(), {"max_depth": [1, 5]}, cv=cv).fit(*data)
        caveats = compare(search).result_.caveats
        assert any("On random splits" in caveat for caveat in caveats) == warned


# The ratio of test to training rows


def test_an_unknown_ratio_must_be_passed(data):
    cv = TimeSeriesSplit(4, gap=1)
    search = GridSearchCV(tree(), {"max_depth": [1, 5]}, cv=cv).fit(*data)
    message = (
        r"`test_train_ratio` must be passed .* a search stores neither the data nor "
        r"the number of rows\. Got None, with cv=TimeSeries.*np\.mean\(\[len\(test\)"
        r".*fit\(X, y\)"
    )
    with pytest.raises(ValueError, match=message):
        compare(search)
    result = compare(search, test_train_ratio=0.4).result_
    scores = split_scores(search)[result.candidates]
    expected = nadeau_bengio(scores[0] - scores[1], 0.4)[0]
    assert result.pvalues[1] == pytest.approx(expected)


def test_a_search_in_time_needs_no_ratio_and_has_a_caveat(data):
    search = GridSearchCV(tree(), {"max_depth": [1, 5]}, cv=TimeSeriesSplit(4)).fit(
        *data
    )
    result = compare(search).result_
    assert result.test_train_ratio == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4) / 4)
    assert any("precede their test rows" in text for text in result.caveats)


# Fitted again


def test_the_default_test_is_the_paired_bootstrap_on_out_of_fold_predictions(data):
    search = GridSearchCV(tree(), DEPTHS, cv=KFold(4), scoring="accuracy").fit(*data)
    result = compare(search, *data).result_
    models = [tree().set_params(**p) for p in result.params]
    for place in range(1, 4):
        single = PairedBootstrap(
            models[0],
            models[place],
            cv=KFold(4),
            scoring="accuracy",
            alternative="greater",
            random_state=0,
        ).fit(*data)
        assert result.deltas[place] == pytest.approx(single.delta_)
        assert result.pvalues[place] == pytest.approx(single.pvalue_)
        np.testing.assert_allclose(result.intervals[place], single.confidence_interval_)
    assert result.test == "PairedBootstrap"
    assert result.unit == "rows"
    assert any("These are different questions" in note for note in result.notes())
    by_splits = SearchComparison(search, random_state=0).fit().result_
    assert not any("different questions" in note for note in by_splits.notes())


@pytest.mark.parametrize("test", [McNemar(), ApproxRandomization(random_state=3)])
def test_any_test_for_two_models_will_do(data, test):
    search = GridSearchCV(tree(), {"max_depth": [1, 5]}, cv=KFold(4)).fit(*data)
    result = compare(search, *data, test=test).result_
    single = clone(test).set_params(
        estimator_a=tree().set_params(**result.params[0]),
        estimator_b=tree().set_params(**result.params[1]),
        cv=KFold(4),
    )
    assert result.pvalues[1] == pytest.approx(single.fit(*data).pvalue_)
    assert result.test == type(test).__name__


def test_a_test_on_fold_scores_gives_the_scores_of_the_search(data):
    search = GridSearchCV(tree(), DEPTHS, cv=KFold(6)).fit(*data)
    kept = compare(search).result_
    again = compare(search, *data, test=CorrectedTTest()).result_
    np.testing.assert_allclose(again.pvalues, kept.pvalues, rtol=1e-6)
    np.testing.assert_allclose(again.deltas, kept.deltas, atol=1e-12)
    assert again.lead == pytest.approx(kept.lead)
    pd.testing.assert_frame_equal(again.by_parameter(), kept.by_parameter())


def test_folds_without_a_class_do_not_count(data):
    """The ROC AUC of five folds, of which the first has one class only."""
    X, y = data
    rows = np.append(np.flatnonzero(y)[:20], np.arange(80))
    search = GridSearchCV(tree(), DEPTHS, cv=KFold(5)).fit(X[rows], y[rows])
    with pytest.warns(FailedFitWarning, match="4 of 5 folds remain"):
        result = compare(
            search, X[rows], y[rows], scoring="roc_auc", test=CorrectedTTest()
        ).result_
    assert (np.diff(result.mean_scores) <= 0).all()
    assert (result.deltas >= 0).all()
    assert np.isfinite([result.lead, result.expected_lead]).all()
    table = result.by_parameter()
    np.testing.assert_allclose(table["pvalue"], result.pvalues)
    np.testing.assert_allclose(table["mean_score"], result.mean_scores)


def test_scores_that_are_undefined_on_every_fold_show_nothing(data):
    X, y = (part[:40] for part in data)
    folds = [half for c in (0, 1) for half in np.array_split(np.flatnonzero(y == c), 2)]
    cv = [(np.setdiff1d(np.arange(40), rows), rows) for rows in folds]
    search = GridSearchCV(tree(), {"max_depth": [1, 2]}, cv=cv).fit(X, y)
    test = PairedBootstrap(aggregate="pooled", random_state=0)
    with pytest.warns(PooledScoreWarning, match="is biased"):
        result = compare(search, X, y, scoring="roc_auc", test=test).result_
    assert np.isnan(result.best_intervals).all()
    table = result.by_parameter()
    assert table["pvalue"].isna().iloc[1]
    assert table["indistinguishable"].all()


def test_intervals_with_the_best_hold_for_all_candidates(grid):
    result = compare(grid).result_
    np.testing.assert_allclose(
        result.best_intervals,
        best_intervals(split_scores(grid)[result.candidates], result.test_train_ratio),
    )
    lows, highs = result.best_intervals.T
    assert (lows <= 0).all()
    assert (highs >= 0).all()
    # Who cannot be the best is significantly worse than the best there is.
    assert (highs[result.indistinguishable] > 0).any()
    few = compare(grid, top=3).result_
    np.testing.assert_array_equal(few.best_intervals, result.best_intervals[:3])


def test_a_metric_of_ones_own_ranks_anew(grid, data):
    with pytest.warns(PooledScoreWarning, match="f1"):
        result = compare(grid, *data, scoring="f1", top=5).result_
    assert result.scoring == "f1"
    assert (np.diff(result.mean_scores) <= 0).all()
    assert (result.deltas >= 0).all()
    assert any("f1 of pooled" in text for text in result.caveats)
    assert any("not refitted: 3." in text for text in result.caveats)


def test_shuffled_splits_are_made_once_for_all(data):
    cv = KFold(4, shuffle=True)
    search = GridSearchCV(
        DummyClassifier(strategy="stratified", random_state=0),
        {"constant": [0, 1, 2]},
        cv=cv,
    ).fit(*data)
    result = compare(search, *data).result_
    np.testing.assert_array_equal(result.deltas, 0)


def test_numbers_do_not_depend_on_n_jobs(grid, data):
    with joblib.parallel_config("threading"):
        one, two = (compare(grid, *data, top=3, n_jobs=n).result_ for n in (1, 2))
    np.testing.assert_array_equal(one.pvalues, two.pvalues)
    assert one.expected_lead == two.expected_lead


def test_groups_are_split_and_resampled_together(data):
    groups = np.arange(240) // 6
    search = GridSearchCV(tree(), {"max_depth": [1, 5]}, cv=GroupKFold(4))
    search.fit(*data, groups=groups)
    comparison = SearchComparison(search, random_state=0, n_resamples=20)
    result = comparison.fit(*data, groups=groups).result_
    assert result.unit == "groups"
    single = PairedBootstrap(
        *(tree().set_params(**p) for p in result.params),
        cv=GroupKFold(4),
        random_state=0,
    ).fit(*data, groups=groups)
    assert result.pvalues[1] == pytest.approx(single.pvalue_)


def test_weights_reach_fits_and_scores(data):
    weights = np.where(np.arange(240) % 2, 3.0, 0.5)
    search = GridSearchCV(tree(), {"max_depth": [1, 5]}, cv=KFold(4)).fit(*data)
    comparison = SearchComparison(search, scoring="accuracy", random_state=0)
    result = comparison.fit(*data, sample_weight=weights).result_
    single = PairedBootstrap(
        *(tree().set_params(**p) for p in result.params),
        cv=KFold(4),
        scoring="accuracy",
        random_state=0,
    ).fit(*data, sample_weight=weights)
    assert result.deltas[1] == pytest.approx(single.delta_)


def test_pipelines_and_steps_as_parameters(data):
    pipe = Pipeline([("scale", StandardScaler()), ("model", tree())])
    params = {"model": [tree(), GaussianNB()], "scale": ["passthrough"]}
    search = GridSearchCV(pipe, params, cv=3).fit(*data)
    for comparison in (compare(search), compare(search, *data)):
        table = comparison.result_.by_parameter()
        assert set(table["parameter"]) == {"model"}
        json.dumps(comparison.result_.to_dict())


# Candidates that are equally good


def scores_of_single_features(rng, n_features, n_rows=100, n_folds=10):
    """Return R2 by fold of least squares on each feature; all matter alike."""
    X = rng.normal(size=(n_rows, n_features))
    y = X.sum(axis=1) + rng.normal(size=n_rows)
    columns = []
    for fold in range(n_folds):
        test = np.arange(n_rows) % n_folds == fold
        center, mean = X[~test].mean(axis=0), y[~test].mean()
        train = X[~test] - center
        slope = train.T @ (y[~test] - mean) / (train**2).sum(axis=0)
        errors = y[test, None] - mean - (X[test] - center) * slope
        columns.append(1 - (errors**2).sum(axis=0) / np.sum((y[test] - mean) ** 2))
    return np.column_stack(columns)


@pytest.mark.parametrize("n_candidates", [2, 8])
def test_equally_good_candidates_rarely_differ_significantly(n_candidates, simulations):
    """In spite of the best being chosen by the same scores."""
    rng = np.random.default_rng(0)

    def rejections():
        while True:
            scores = scores_of_single_features(rng, n_candidates)
            best = np.argmax(scores.mean(axis=1))
            order = np.append(best, np.delete(np.arange(n_candidates), best))
            pvalues = against_best(scores[order], 0, 1 / 9, 0.95).pvalues
            yield adjust_against_best(pvalues, "holm").min() <= 0.05

    assert_level_kept(rejections(), simulations(None, 3_000))


@pytest.mark.parametrize("noise_of_first", [1.0, 0.05])
def test_a_certain_best_candidate_is_rarely_excluded(noise_of_first, simulations):
    """By Bonferroni at most in 5 % of searches, though chosen by the same scores."""
    rng, n_searches, n_rows = np.random.default_rng(0), simulations(410, 6_000), 15
    excluded, any_excluded = 0, 0
    for _ in range(n_searches):
        scores = rng.normal(size=(5, n_rows))
        scores[0] *= noise_of_first
        order = np.argsort(-scores.mean(axis=1))
        pvalues = against_best(scores[order], 0, 0.0, 0.95).pvalues
        rejected = order[adjust_against_best(pvalues, "bonferroni") <= 0.05]
        excluded += 0 in rejected
        any_excluded += len(rejected) > 0
    assert_level(excluded, n_searches)
    assert any_excluded > stats.binom.ppf(0.9999, n_searches, 0.05)  # not kept


# Luck


def test_ties_within_a_resample_are_broken_without_a_look_at_the_rest(data):
    """Drawn the second fold twice, the first in the search wins: 0.4 behind.

    That fold does not show that it is the worse one. Drawn the first fold twice,
    the better one wins and leads by 0.
    """
    search = GridSearchCV(tree(), {"max_depth": [1, 2]}, cv=2).fit(*data)
    for split, scores in enumerate([(0.1, 0.9), (0.5, 0.5)]):
        search.cv_results_[f"split{split}_test_score"] = np.array(scores)
    search.cv_results_["rank_test_score"] = np.array([2, 1])
    result = SearchComparison(search, n_resamples=2_000, random_state=0).fit().result_
    assert result.lead == pytest.approx(0.2)
    assert result.expected_lead == pytest.approx(-0.2, abs=4 * 0.2 / np.sqrt(1_000))


def test_luck_and_lead_add_up(grid, data):
    for result in (compare(grid).result_, compare(grid, *data, top=4).result_):
        assert result.selection_bias + result.expected_lead == pytest.approx(
            result.lead
        )
        assert result.expected_score == pytest.approx(
            result.mean_scores[0] - result.selection_bias
        )
        assert 0 <= result.selection_bias_share <= 1
    everyone = grid.cv_results_["mean_test_score"]
    assert compare(grid).result_.lead == pytest.approx(max(everyone) - everyone.mean())


def test_splits_that_share_rows_are_mentioned(grid, data):
    cv = RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)
    repeated = GridSearchCV(tree(), {"max_depth": [1, 5]}, cv=cv).fit(*data)
    assert any("same rows" in text for text in compare(repeated).result_.caveats)
    assert compare(grid).result_.caveats == ()
    assert compare(repeated, *data).result_.caveats == ()


def test_folds_of_groups_are_taken_as_equal_with_a_caveat(data):
    X, y = data
    search = GridSearchCV(tree(), {"max_depth": [1, 5]}, cv=GroupKFold(3))
    search.fit(X, y, groups=np.arange(len(y)) % 12)
    (caveat,) = compare(search).result_.caveats
    assert "assumed to be of equal size" in caveat
    assert compare(search, test_train_ratio=0.6).result_.caveats == ()


# Parameters


def test_values_are_averaged_over_all_other_parameters(grid):
    table = compare(grid).result_.by_parameter()
    by_hand = pd.DataFrame(grid.cv_results_["params"])
    by_hand["score"] = grid.cv_results_["mean_test_score"]
    for name in ("max_depth", "min_samples_leaf"):
        rows = table[table["parameter"] == name]
        means = by_hand.groupby(name)["score"].mean()
        np.testing.assert_allclose(rows["mean_score"], means[rows["value"]])
        assert (np.diff(rows["mean_score"]) <= 0).all()
        np.testing.assert_allclose(rows["range"], means.max() - means.min())
        assert rows["n_candidates"].sum() == 8
    assert (np.diff(table["range"]) <= 0).all()


def test_values_are_tested_on_the_same_splits(grid):
    table = compare(grid).result_.by_parameter()
    rows = table[table["parameter"] == "max_depth"]
    scores, depth = (
        split_scores(grid),
        [p["max_depth"] for p in grid.cv_results_["params"]],
    )
    best, worst = (
        scores[np.array(depth) == value].mean(axis=0)
        for value in rows["value"].iloc[[0, -1]]
    )
    p, low, high = nadeau_bengio(best - worst, 1 / 9)
    last = rows.iloc[-1]
    assert (last["pvalue"], last["low"], last["high"]) == pytest.approx((p, low, high))
    adjusted = multipletests(rows["pvalue"][1:], method="holm")[1]
    np.testing.assert_allclose(rows["pvalue_adjusted"][1:], adjusted)


def test_parameters_that_only_some_candidates_have(data):
    params = [{"max_depth": [1, 4]}, {"min_samples_leaf": [2, 9, 30]}]
    table = compare(
        GridSearchCV(tree(), params, cv=4).fit(*data)
    ).result_.by_parameter()
    counted = table.groupby("parameter")["n_candidates"].sum()
    assert counted.to_dict() == {"max_depth": 2, "min_samples_leaf": 3}


# The result


@pytest.mark.parametrize("model", [tree(), RandomForestClassifier(3)])
def test_the_metric_of_a_search_without_scoring_is_named(data, model):
    search = GridSearchCV(model, {"max_depth": [1, 4, 9]}, cv=4).fit(*data)
    result = compare(search).result_
    assert result.scoring == "accuracy"
    assert " in accuracy. At the level" in result.sentence()


def test_the_result_prints_and_exports(grid):
    result = compare(grid).result_
    alike = result.indistinguishable.sum() - 1
    excluded = f"{7 - alike} of the 7 others can be ruled out as the best; {alike} "
    assert excluded in result.sentence()
    assert "cannot (corrected t" in result.sentence()
    assert "SimplestNotWorse, as `refit` of the search" in result.summary()
    assert "is selection bias" in result.sentence()
    text = result.summary()
    assert "candidate  parameters" in text
    assert "* significantly worse than the best" in text
    assert "selected by the same scores" in text
    assert "<table>" in result._repr_html_()
    assert f"splits:{grid.n_splits_}" in result.signature
    exported = json.loads(json.dumps(result.to_dict()))
    assert exported["indistinguishable"] == result.indistinguishable.tolist()


def test_tables_name_the_parameters_that_vary_and_are_aligned(data):
    pipe = Pipeline([("scale", StandardScaler()), ("tree", tree())])
    params = {
        "tree__max_depth": [1, 3],
        "tree__min_impurity_decrease": [0.0, 0.1 / 3],
        "tree__criterion": ["gini"],
    }
    result = compare(GridSearchCV(pipe, params, cv=4).fit(*data)).result_
    lines = result.summary().splitlines()
    rows = [line for line in lines if "max_depth=" in line and "[" in line]
    assert len(rows) == 4
    assert not any("criterion" in row for row in rows)
    assert any("min_impurity_decrea" in line for line in lines)
    assert len({row.index("[") for row in rows}) == 1
    cells = [row[1] for row in result.tables()[0].rows]
    assert sorted(cells)[0] == "max_depth=1, min_impurity_decrease=0.0"
    assert "tree__criterion=gini" in result.sentence()


def test_long_values_are_cut_and_whole_numbers_are_not_taken_for_shares():
    params = [
        {"model": LogisticRegression(C=value), "max_features": value, "n": 10**9 + n}
        for n, value in enumerate((1, 1.0))
    ]
    assert [label.split(", ")[-2:] for label in candidate_labels(params)] == [
        ["max_features=1", "n=1000000000"],
        ["max_features=1.0", "n=1000000001"],
    ]
    wide = RandomForestClassifier(criterion="entropy", max_features=None, n_jobs=3)
    (label,) = candidate_labels([{"model": wide}])
    assert label == "model=RandomForestClassifier(criter\u2026"


def test_names_of_steps_are_kept_where_they_are_needed():
    params = [{"a__C": 1, "b__C": n} for n in (1, 2)]
    assert candidate_labels(params) == ["C=1", "C=2"]
    params = [{"a__C": n, "b__C": n} for n in (1, 2)]
    assert candidate_labels(params) == ["a__C=1, b__C=1", "a__C=2, b__C=2"]
    assert candidate_labels([{"C": 1}, {}]) == ["C=1", "parameters as given"]


def test_long_tables_are_cut_in_print_only(data):
    search = GridSearchCV(tree(), {"min_samples_leaf": range(1, 15)}, cv=3).fit(*data)
    result = compare(search).result_
    assert "(10 of 14; to_frame() has all)" in result.summary()
    assert len(result.to_frame()) == 14


def test_every_candidate_is_drawn(grid):
    plt = pytest.importorskip("matplotlib.pyplot")
    result = compare(grid).result_
    display = result.plot()
    labels = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert labels[0].startswith(f"{grid.best_index_}: max_depth=")
    assert len(labels) == 8
    np.testing.assert_array_equal(display.highlighted, ~result.indistinguishable)
    plt.close(display.figure_)


def test_the_plot_labels_its_intervals_as_not_adjusted(grid, data):
    plt = pytest.importorskip("matplotlib.pyplot")
    label_text = "95 % intervals, not adjusted for multiple comparisons"
    display = compare(grid).result_.plot()
    assert " ".join(display.ax_.get_xlabel().splitlines()[1:]) == label_text
    display.figure_.canvas.draw()
    label, page = display.ax_.xaxis.label.get_window_extent(), display.figure_.bbox
    assert page.x0 < label.x0 < label.x1 < page.x1
    swaps = ApproxRandomization(n_resamples=49)  # has no intervals
    without = compare(grid, *data, test=swaps, top=2).result_.plot()
    assert without.ax_.get_xlabel() == "behind the best in accuracy"
    plt.close("all")


def test_no_candidate_is_marked_beside_an_interval_that_holds_0(grid):
    plt = pytest.importorskip("matplotlib.pyplot")
    result = compare(grid).result_
    # One-sided p-values of 0.04: two-sided intervals of 95 % hold 0.
    pvalues = np.where(np.arange(8) > 0, 0.04, 1.0)
    intervals = result.deltas[:, np.newaxis] + np.array([-1.0, 1.0])
    intervals[3] = [0.01, 0.05]
    contrary = dataclasses.replace(
        result, pvalues_adjusted=pvalues, intervals=intervals
    )
    display = contrary.plot()
    assert np.flatnonzero(display.highlighted).tolist() == [3]
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    claim = "significantly worse than the best, by p-value and interval"
    assert legend == [claim, f"not {claim}"]
    # Where the two agree, or there are no intervals, there are only p-values.
    alone = dataclasses.replace(contrary, intervals=np.full((8, 2), np.nan)).plot()
    assert alone.highlighted.tolist() == [False] + 7 * [True]
    assert alone.meaning == "significantly worse than the best"
    plt.close("all")


def test_clones_and_pickles_keep_the_fitted_search(grid):
    comparison = compare(grid)
    copied = clone(comparison)
    assert not hasattr(copied, "result_")
    assert copied.fit().best_index_ == grid.best_index_
    loaded = pickle.loads(pickle.dumps(comparison))
    np.testing.assert_array_equal(loaded.result_.pvalues, comparison.result_.pvalues)


def test_the_search_is_not_changed(grid, data):
    before = pickle.dumps(grid)
    compare(grid, *data, top=2)
    assert pickle.dumps(grid) == before


# Bad input


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"correction": "tukey"}, "`correction` must be one of"),
        ({"alpha": 0}, "`alpha` must lie strictly between 0 and 1"),
        ({"confidence_level": 95}, "`confidence_level` must lie"),
        ({"top": 0}, "`top` must be an integer from 1"),
        ({"n_resamples": 1.5}, "`n_resamples` must be an integer"),
        ({"test_train_ratio": -1}, "`test_train_ratio` must be a positive number"),
        ({"scoring": "log"}, "`scoring` must be a metric of the search"),
        ({"random_state": "0"}, "`random_state` must be"),
    ],
)
def test_wrong_parameters_are_named(grid, params, message):
    with pytest.raises(ValueError, match=message):
        SearchComparison(grid, **params).fit()


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("bootstrap", r"`test` must be a test of two models.*Got 'bootstrap'"),
        (BayesianComparison(), "A posterior has no p-value to correct: fit it to each"),
        (NestedCVInterval(), r"It fits both models of a pair on nested splits of its"),
        (McNemar(alternative="two-sided"), r"`test` must have.*Got 'two-sided'"),
        (PairedBootstrap(n_resamples=0), "`n_resamples` must be"),
        (FiveByTwoCV(alternative="greater"), "`test` must use the splits of the sea"),
    ],
)
def test_wrong_tests_are_named(grid, data, test, message):
    with pytest.raises(ValueError, match=message):
        compare(grid, *data, test=test)


@pytest.mark.parametrize("test", [DeLong(), CorrelationTest()])
def test_a_test_of_another_metric_than_the_search_is_refused(grid, data, test):
    """The message was that of a dict that lacks a key."""
    with pytest.raises(ValueError, match=r"compares .*Got 'accuracy'"):
        compare(grid, *data, test=test, top=2)


def test_inputs_that_a_test_does_not_take_are_refused(grid, data):
    y = data[1]
    for test, options in [
        (McNemar(), {"groups": y}),
        (McNemar(), {"sample_weight": y}),
        (CorrectedTTest(), {"sample_weight": y}),
    ]:
        (name,) = options
        message = f"`{name}` must be None for {type(test).__name__}"
        with pytest.raises(ValueError, match=message):
            SearchComparison(grid, test=test).fit(*data, **options)


def test_splits_that_are_used_up_are_an_error(data):
    splits = (split for split in KFold(3).split(*data))
    search = GridSearchCV(tree(), {"max_depth": [1, 5]}, cv=splits).fit(*data)
    with pytest.raises(ValueError, match=r"exhausted\. Search with a list of splits"):
        compare(search, *data)
    with pytest.raises(ValueError, match="`test_train_ratio` must be passed"):
        compare(search)


def test_a_search_without_parameters_has_a_candidate(data):
    result = compare(GridSearchCV(tree(), {}, cv=3).fit(*data)).result_
    assert "candidate 0 (parameters as given), with a score of" in result.sentence()


def test_an_unfitted_search_is_an_error():
    with pytest.raises(NotFittedError, match="`search` must be fitted"):
        SearchComparison(GridSearchCV(tree(), DEPTHS)).fit()


@pytest.mark.parametrize("search", [None, tree(), GridSearchCV])
def test_other_objects_than_searches_are_an_error(search):
    with pytest.raises(ValueError, match="`search` must be a GridSearchCV"):
        SearchComparison(search).fit()


def test_rows_must_come_with_data(grid, data):
    X, y = data
    for options in ({"y": y}, {"groups": y}, {"sample_weight": y}):
        with pytest.raises(ValueError, match="must be passed together with `X`"):
            SearchComparison(grid).fit(**options)
    with pytest.raises(ValueError, match="requires y"):
        SearchComparison(grid).fit(X)
    with pytest.raises(ValueError, match="`y` must have one entry per row"):
        SearchComparison(grid).fit(X, y[:-1])


def test_one_metric_at_a_time(grid, data):
    with pytest.raises(ValueError, match="`scoring` must be a single metric"):
        compare(grid, *data, scoring=["f1", "roc_auc"])


def test_a_test_without_data_is_refused(grid):
    with pytest.raises(ValueError, match="`test` must be passed together with `X`"):
        SearchComparison(grid, test=PairedBootstrap()).fit()
