"""The rule that lets a search choose the simplest candidate that is not worse."""

import logging
import pickle
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    RandomizedSearchCV,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier

from skcompare import SimplestNotWorse
from skcompare.exceptions import DependentFoldsWarning


def results(scores, fit_times=None, **params):
    """Make up `cv_results_` of candidates with these scores, a row each."""
    scores = np.asarray(scores, dtype=float)
    names, n = list(params), len(scores)
    means = scores.mean(axis=1)
    return {
        "params": [{name: params[name][i] for name in names} for i in range(n)],
        "mean_fit_time": np.ones(n) if fit_times is None else np.array(fit_times),
        "rank_test_score": stats.rankdata(-means, method="min"),
        **{f"split{k}_test_score": column for k, column in enumerate(scores.T)},
    }


# The first is worse for sure, the second and third are within noise of the last.
SCORES = [
    [0.50, 0.51, 0.49, 0.52, 0.50],
    [0.78, 0.84, 0.79, 0.83, 0.80],
    [0.80, 0.81, 0.82, 0.80, 0.81],
    [0.82, 0.81, 0.81, 0.82, 0.80],
]
DEPTH = [1, 2, 3, 4]


@pytest.mark.parametrize("rule", ["one-standard-error", "test"])
def test_the_simplest_candidate_that_is_not_worse_is_chosen(rule):
    cv_results = results(SCORES, depth=DEPTH)
    assert SimplestNotWorse("depth", rule=rule)(cv_results) == 1
    assert SimplestNotWorse("depth", rule=rule)(pd.DataFrame(cv_results)) == 1
    assert SimplestNotWorse("depth")(cv_results) == 1
    assert SimplestNotWorse("-depth")(cv_results) == 3
    assert SimplestNotWorse(lambda params: abs(params["depth"] - 3))(cv_results) == 2


def test_one_standard_error_is_that_of_the_difference():
    scores = np.array([SCORES[2], SCORES[3]])
    differences = scores[1] - scores[0]
    error = np.sqrt((1 / 5 + 1 / 4) * np.var(differences, ddof=1))
    for n_errors, chosen in ((0.99, 0), (1.01, 1)):
        shift = n_errors * error - differences.mean()
        moved = results(scores - [[shift], [0.0]], depth=[1, 2])
        assert SimplestNotWorse("depth")(moved) == chosen
        assert SimplestNotWorse("depth", tolerance=0.02 * error)(moved) == 0
        assert SimplestNotWorse("depth", test_train_ratio=0.3)(moved) == 0


def test_the_level_is_that_of_the_corrected_t():
    scores = np.array([SCORES[2], SCORES[3]]) - [[0.01], [0.0]]
    differences = scores[1] - scores[0]
    error = np.sqrt((1 / 5 + 1 / 4) * np.var(differences, ddof=1))
    pvalue = stats.t.sf(differences.mean() / error, 4)
    cv_results = results(scores, depth=[1, 2])
    rule = SimplestNotWorse("depth", rule="test", alpha=pvalue * 0.999)
    assert rule(cv_results) == 0
    assert rule.set_params(alpha=pvalue * 1.001)(cv_results) == 1
    assert rule.set_params(test_train_ratio=1.0)(cv_results) == 0


def test_a_tolerance_lets_more_candidates_qualify():
    scores = [[0.79, 0.80, 0.79, 0.80], [0.80, 0.81, 0.80, 0.81001]]
    cv_results = results(scores, depth=[1, 2])
    assert SimplestNotWorse("depth")(cv_results) == 1
    assert SimplestNotWorse("depth", tolerance=0.005)(cv_results) == 1
    assert SimplestNotWorse("depth", tolerance=0.02)(cv_results) == 0


def test_a_difference_of_just_the_tolerance_qualifies():
    cv_results = results([[0.7, 0.7, 0.7], [0.8, 0.8, 0.8]], depth=[1, 2])
    assert SimplestNotWorse("depth")(cv_results) == 1
    assert SimplestNotWorse("depth", tolerance=0.1)(cv_results) == 0


def test_several_parameters_count_in_their_order():
    cv_results = results(
        [SCORES[1]] * 4, depth=[2, 1, 2, 1], leaf=[1, 9, 3, 5], fit_times=[4, 3, 2, 1]
    )
    assert SimplestNotWorse(["depth", "-leaf"])(cv_results) == 1
    assert SimplestNotWorse(["depth", "leaf"])(cv_results) == 3
    assert SimplestNotWorse(["-leaf", "depth"])(cv_results) == 1
    assert SimplestNotWorse("fit_time")(cv_results) == 3


def test_missing_times_qualify_no_candidate():
    cv_results = results(SCORES, depth=DEPTH)
    del cv_results["mean_fit_time"]
    assert SimplestNotWorse("depth")(cv_results) == 1
    with pytest.raises(ValueError, match="'fit_time' needs `mean_fit_time`"):
        SimplestNotWorse("fit_time")(cv_results)


def test_of_equally_complex_candidates_the_best_is_chosen():
    cv_results = results(SCORES, depth=[1, 1, 1, 1])
    assert SimplestNotWorse("depth")(cv_results) == 3
    tied = results([SCORES[1], SCORES[1]], depth=[1, 1])
    assert SimplestNotWorse("depth")(tied) == 0


def test_failed_candidates_do_not_qualify():
    scores = np.array(SCORES)
    scores[1, 2] = np.nan
    cv_results = results(np.nan_to_num(scores), depth=DEPTH)
    cv_results["split2_test_score"] = scores[:, 2]
    assert SimplestNotWorse("depth")(cv_results) == 2
    cv_results["split2_test_score"] = np.full(4, np.nan)
    with pytest.raises(ValueError, match="at least one candidate with a score"):
        SimplestNotWorse("depth")(cv_results)


def test_a_single_candidate_and_a_single_split():
    assert SimplestNotWorse("depth")(results(SCORES[:1], depth=[7])) == 0
    single = results([[0.7], [0.8]], depth=[1, 2])
    assert SimplestNotWorse("depth", tolerance=0.05)(single) == 1
    assert SimplestNotWorse("depth", tolerance=0.2)(single) == 0
    with pytest.raises(ValueError, match=r"`tolerance` must be positive.*single split"):
        SimplestNotWorse("depth")(single)


# In searches


@pytest.fixture(scope="module")
def data():
    return make_classification(200, n_features=6, flip_y=0.2, random_state=0)


def tree():
    return DecisionTreeClassifier(random_state=0)


def test_a_grid_search_refits_with_it(data):
    grid = {"max_depth": [1, 2, 5, 10]}
    usual = GridSearchCV(tree(), grid, cv=10).fit(*data)
    simple = GridSearchCV(tree(), grid, cv=10, refit=SimplestNotWorse("max_depth"))
    simple.fit(*data)
    assert simple.best_params_["max_depth"] <= usual.best_params_["max_depth"]
    assert simple.best_estimator_.get_depth() <= simple.best_params_["max_depth"]
    assert simple.best_index_ == SimplestNotWorse("max_depth")(usual.cv_results_)
    assert simple.predict(data[0]).shape == (200,)


def test_it_works_with_several_metrics_pipelines_and_random_searches(data):
    pipe = Pipeline([("model", KNeighborsClassifier())])
    rule = SimplestNotWorse("-model__n_neighbors", scoring="roc_auc")
    search = RandomizedSearchCV(
        pipe,
        {"model__n_neighbors": range(1, 40)},
        n_iter=6,
        cv=5,
        scoring=["accuracy", "roc_auc"],
        refit=rule,
        random_state=0,
    ).fit(*data)
    assert search.best_index_ == rule(search.cv_results_)
    again = SimplestNotWorse("-model__n_neighbors")
    message = (
        "`scoring` must name one of the metrics of the search: 'accuracy', 'roc_auc'. "
        "Got None. Pass it to SimplestNotWorse: scoring='accuracy'."
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        again(search.cv_results_)


def test_the_ratio_is_logged_with_its_origin(data, caplog):
    search = GridSearchCV(tree(), {"max_depth": [1, 2, 5]}, cv=5).fit(*data)
    with caplog.at_level(logging.INFO, logger="skcompare"):
        SimplestNotWorse("max_depth")(search.cv_results_)
        SimplestNotWorse("max_depth", test_train_ratio=0.3)(search.cv_results_)
    assumed, passed = (record.getMessage() for record in caplog.records)
    assert assumed.endswith(
        " The test/train ratio is 0.25, assuming plain 5-fold cross-validation."
    )
    assert passed.endswith(" The test/train ratio is 0.3.")


@pytest.mark.parametrize(("n_splits", "warns"), [(20, False), (21, True)])
def test_many_splits_are_hardly_plain_folds(n_splits, warns):
    scores = np.random.default_rng(0).random((3, n_splits))
    cv_results = results(scores, depth=[1, 2, 3])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        SimplestNotWorse("depth")(cv_results)
        SimplestNotWorse("depth", test_train_ratio=0.25)(cv_results)
    assert [warning.category for warning in caught] == [DependentFoldsWarning] * warns
    assert all(f"the {n_splits} splits" in str(w.message) for w in caught)


def test_it_can_be_called_on_a_halving_search(data):
    search = HalvingGridSearchCV(
        tree(), {"max_depth": [1, 2, 3, 4]}, cv=3, factor=2, random_state=0
    ).fit(*data)
    chosen = SimplestNotWorse("max_depth")(search.cv_results_)
    iteration = search.cv_results_["iter"]
    assert iteration[chosen] == iteration.max()


def test_it_is_cloned_pickled_and_searched_with(data):
    rule = SimplestNotWorse(["max_depth"], alpha=0.2, tolerance=0.01)
    search = GridSearchCV(tree(), {"max_depth": [1, 2, 5]}, cv=5, refit=rule)
    copied = clone(search)
    assert copied.refit is not rule
    assert copied.refit.get_params() == rule.get_params()
    assert copied.set_params(refit__alpha=0.1).refit.alpha == 0.1
    loaded = pickle.loads(pickle.dumps(search.fit(*data)))
    assert loaded.refit(loaded.cv_results_) == search.best_index_
    assert len(cross_val_score(search, *data, cv=3)) == 3
    assert "SimplestNotWorse" in repr(rule)


def test_it_keeps_nothing_from_one_search_to_the_next():
    rule = SimplestNotWorse("depth")
    before = dict(vars(rule))
    first = rule(results(SCORES, depth=DEPTH))
    rule(results(SCORES[::-1], depth=DEPTH))
    assert vars(rule) == before
    assert rule(results(SCORES, depth=DEPTH)) == first


def test_the_choice_is_explained_in_a_log_record(caplog):
    with caplog.at_level(logging.INFO, logger="skcompare"):
        SimplestNotWorse("depth")(results(SCORES, depth=DEPTH))
    (record,) = caplog.records
    assert record.name == "skcompare"
    text = record.getMessage()
    assert "chose candidate 1 (depth=2)" in text
    assert "of those that qualify: 3 of 4 candidates. The best is" in text
    assert "candidate 3 (depth=4)" in text


def test_the_record_has_short_parameters_and_no_address_of_a_function(caplog):
    cv_results = results(SCORES, tree__depth=DEPTH, tree__kind=["a long word " * 9] * 4)
    with caplog.at_level(logging.INFO, logger="skcompare"):
        SimplestNotWorse(lambda params: params["tree__depth"])(cv_results)
    text = caplog.records[0].getMessage()
    assert "chose candidate 1 (depth=2)" in text
    assert "the simplest, by a function, of those that qualify" in text


def test_nothing_is_printed_by_default(capfd):
    SimplestNotWorse("depth")(results(SCORES, depth=DEPTH))
    assert capfd.readouterr() == ("", "")


# Bad input


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"complexity": "leaf"}, r"`complexity` must name.*'depth'.*Got 'leaf'"),
        ({"complexity": []}, r"`complexity` must be the name of a parameter"),
        ({"complexity": 3}, r"`complexity` must be the name of a parameter.*Got 3"),
        ({"complexity": ["depth", 3]}, r"`complexity` must be the name"),
        ({"complexity": "depth", "alpha": 1}, "`alpha` must lie strictly"),
        ({"complexity": "depth", "tolerance": -0.1}, "`tolerance` must be a finite"),
        ({"complexity": "depth", "tolerance": None}, "`tolerance` must be a finite"),
        ({"complexity": "depth", "rule": "1se"}, "`rule` must be one of 'one-standard"),
        ({"complexity": "depth", "test_train_ratio": 0}, "`test_train_ratio` must be"),
        ({"complexity": "depth", "scoring": "f1"}, "`scoring` must name one"),
    ],
)
def test_wrong_parameters_are_named(params, message):
    with pytest.raises(ValueError, match=message):
        SimplestNotWorse(**params)(results(SCORES, depth=DEPTH))


@pytest.mark.parametrize("value", [None, "deep", np.nan])
def test_values_that_are_no_numbers_need_a_function(value):
    cv_results = results(SCORES, depth=[1, 2, 3, value])
    with pytest.raises(ValueError, match=r"whose values are numbers.*Use a function"):
        SimplestNotWorse("depth")(cv_results)

    def depth(params):
        return params["depth"] if params["depth"] in DEPTH else np.inf

    assert SimplestNotWorse(depth)(cv_results) == 1


@pytest.mark.parametrize(
    "value", [None, np.nan, "deep", [1, 2], (1, np.nan), (1, None), (), (1, 2, 3)]
)
def test_a_function_that_returns_no_numbers_is_an_error(value):
    def complexity(params):
        return (params["depth"], 0) if params["depth"] != 3 else value

    with pytest.raises(ValueError, match=r"`complexity` must return a number .*Got "):
        SimplestNotWorse(complexity)(results(SCORES, depth=DEPTH))


def test_a_function_that_forgets_to_return_is_an_error():
    with pytest.raises(ValueError, match=r"`complexity` must return .* Got None\."):
        SimplestNotWorse(lambda params: None)(results(SCORES, depth=DEPTH))


def test_a_function_may_return_numbers_or_tuples_of_them():
    cv_results = results(SCORES, depth=DEPTH)
    for complexity in (
        lambda params: np.float64(params["depth"]),
        lambda params: (0, params["depth"]),
        lambda params: (-np.inf, np.int64(params["depth"])),
    ):
        assert SimplestNotWorse(complexity)(cv_results) == 1
