"""What is read from a search: its metric, its seed, and who wins a resample."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.metrics import make_scorer, mean_absolute_error
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit

from skcompare import PairedBootstrap, SearchComparison

pytestmark = pytest.mark.usefixtures("quiet")  # what is warned of is tested elsewhere

RARE = 50.0
UNLUCKY = 4.0


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = rng.normal(size=60)
    y[7] = RARE
    return np.zeros((60, 1)), y


def search_of(data, constants, **params):
    """Candidates that always predict the same number."""
    model, grid = DummyRegressor(strategy="constant"), {"constant": constants}
    options = {"cv": KFold(5), "scoring": "neg_mean_absolute_error"}
    return GridSearchCV(model, grid, **{**options, **params}).fit(*data)


def test_a_candidate_that_is_undefined_on_a_resample_does_not_win(data):
    """The bad candidate has a score only where the rare row is: never on both sides."""

    def error(y, pred):
        if pred[0] == UNLUCKY and RARE not in y:
            return np.nan
        return np.median(np.abs(y - pred))

    search = search_of(data, [0.1, 0.2, UNLUCKY])
    comparison = SearchComparison(
        search,
        scoring=make_scorer(error, greater_is_better=False),
        test=PairedBootstrap(n_resamples=30, random_state=0),
        n_resamples=60,
        random_state=0,
    ).fit(*data)
    assert comparison.best_params_ != {"constant": UNLUCKY}
    # A good candidate leads the mean of two good ones and one that is behind by 3.
    assert comparison.result_.expected_lead == pytest.approx(1.1, abs=0.3)


def test_the_lead_on_splits_that_share_rows_is_that_of_normal_noise(data):
    """Of two equals the lucky one wins; on other data it is as far behind."""
    splits, test_size = np.array([0.3, -0.1, -0.4, 0.2]), 0.2
    cv = ShuffleSplit(4, test_size=test_size, random_state=0)
    search = search_of(data, [0.0, 1.0], cv=cv, refit=False)
    for split, difference in enumerate(splits):
        search.cv_results_[f"split{split}_test_score"] = np.array([difference, 0.0])
    search.cv_results_["rank_test_score"] = np.array([1, 1])
    n_resamples = 4_000
    test = SearchComparison(search, random_state=0, n_resamples=n_resamples)
    result = test.fit().result_
    # Nadeau and Bengio: of the variance of a mean, the part that is due to overlap.
    variance = np.var(splits, ddof=1) * (1 / 4 + test_size / (1 - test_size))
    assert result.expected_lead_error == pytest.approx(np.sqrt(variance) / 2)
    # Half of the mean size of normal noise, whose deviation is 0.756 times the mean.
    expected = -np.sqrt(variance * 2 / np.pi) / 2
    allowed = 4 * 0.756 / np.sqrt(n_resamples)
    assert result.expected_lead == pytest.approx(expected, rel=allowed)


# Seeds


def compare(search, *data, seed, **params):
    test = SearchComparison(search, random_state=seed, n_resamples=40, **params)
    return test.fit(*data).result_


@pytest.mark.parametrize("with_data", [False, True], ids=["kept", "fitted again"])
def test_the_seed_decides_the_draws(data, with_data):
    search = search_of(data, [0.0, 0.3, 0.6, -0.5])
    fit_data = data if with_data else ()
    first, again, other = (compare(search, *fit_data, seed=s) for s in (1, 1, 2))
    assert first.expected_lead == again.expected_lead
    assert first.expected_lead != other.expected_lead
    assert (first.seed, other.seed) == (1, 2)
    np.testing.assert_array_equal(first.intervals, again.intervals)
    # Tests of rows draw; the corrected t of splits does not.
    same = np.array_equal(first.intervals, other.intervals)
    assert same != with_data


@pytest.mark.parametrize("with_data", [False, True], ids=["kept", "fitted again"])
def test_a_search_without_a_seed_can_be_repeated_from_its_result(data, with_data):
    search = search_of(data, [0.0, 0.3, 0.6, -0.5])
    fit_data = data if with_data else ()
    first, second = (compare(search, *fit_data, seed=None) for _ in range(2))
    assert first.seed != second.seed
    again = compare(search, *fit_data, seed=first.seed)
    assert again.expected_lead == first.expected_lead
    np.testing.assert_array_equal(again.intervals, first.intervals)


# The metric


METRICS = {"largest": "neg_max_error", "median": "neg_median_absolute_error"}
# The rare row pulls the best by the largest error, and nothing else, to its side.
CONSTANTS = [0.0, 10.0, 24.0]
BEST = {"largest": 2, "median": 0}


@pytest.fixture(scope="module")
def rare_in_both(data):
    """The same data with a rare row in either of two folds."""
    X, y = data
    return X, np.where(np.arange(60) == 40, RARE, y)


@pytest.mark.parametrize("refit", METRICS)
@pytest.mark.parametrize("with_data", [False, True], ids=["kept", "fitted again"])
def test_candidates_are_ranked_by_the_metric_that_the_search_refits_by(
    rare_in_both, refit, with_data
):
    search = search_of(
        rare_in_both, CONSTANTS, scoring=METRICS, refit=refit, cv=KFold(2)
    )
    assert search.best_index_ == BEST[refit]
    test = SearchComparison(
        search,
        test=PairedBootstrap(n_resamples=30, random_state=0) if with_data else None,
        n_resamples=9,
        random_state=0,
    ).fit(*(rare_in_both if with_data else ()))
    assert test.result_.scoring == refit
    assert test.best_index_ == BEST[refit]
    order = np.argsort(search.cv_results_[f"rank_test_{refit}"])
    np.testing.assert_array_equal(test.result_.candidates, order)


@pytest.mark.parametrize("refit", METRICS)
def test_the_best_by_the_metric_of_the_refit_are_judged_by_one_of_ones_own(
    rare_in_both, refit
):
    search = search_of(
        rare_in_both, CONSTANTS, scoring=METRICS, refit=refit, cv=KFold(2)
    )
    test = SearchComparison(
        search,
        scoring=make_scorer(mean_absolute_error, greater_is_better=False),
        test=PairedBootstrap(n_resamples=30, random_state=0),
        top=2,
        n_resamples=9,
        random_state=0,
    ).fit(*rare_in_both)
    order = np.argsort(search.cv_results_[f"rank_test_{refit}"])
    assert set(test.result_.candidates) == set(order[:2])


# Ties


def test_candidates_with_equal_means_are_behind_by_exactly_nothing(data):
    """The same scores on other splits: their differences add up to rounding alone."""
    search = search_of(data, [0.0, 1.0, 2.0], cv=KFold(3), refit=False)
    splits = [(0.1, 0.2, 0.2), (0.2, 0.9, 0.1), (0.9, 0.1, 0.9 - 3e-10)]
    for split, scores in enumerate(splits):
        search.cv_results_[f"split{split}_test_score"] = np.array(scores)
    search.cv_results_["rank_test_score"] = np.array([1, 1, 3])
    result = compare(search, seed=0)
    assert result.deltas[:2].tolist() == [0.0, 0.0]
    assert result.deltas[2] == pytest.approx(1e-10, rel=1e-4)  # and this is no tie


@pytest.mark.parametrize("gap", [3e-10, 0.0], ids=["small", "rounding"])
def test_a_lead_of_1e_10_is_one_and_a_lead_by_rounding_is_exactly_none(data, gap):
    search = search_of(data, [0.0, 1.0], cv=KFold(3), refit=False)
    splits = [(0.1, 0.1), (0.2, 0.9), (0.9, 0.2 - gap)]
    for split, scores in enumerate(splits):
        search.cv_results_[f"split{split}_test_score"] = np.array(scores)
    search.cv_results_["rank_test_score"] = np.array([1, 2])
    lead = compare(search, seed=0).lead
    assert lead == (pytest.approx(5e-11, rel=1e-4) if gap else 0.0)
