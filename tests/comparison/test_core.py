"""The pure core: `compare` changes nothing, results hold no data, `extend` adds."""

import gc
import pickle
import weakref

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    DeLong,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    SignTest,
    WilcoxonSignedRank,
)
from skcompare.exceptions import ParameterError

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(2, size=120)
A = np.where(RNG.random(120) < 0.85, TRUTH, 1 - TRUTH)
B = np.where(RNG.random(120) < 0.75, TRUTH, 1 - TRUTH)

TESTS = [
    PairedBootstrap(n_resamples=99, random_state=0),
    ApproxRandomization(n_resamples=99, method="monte-carlo", random_state=0),
    BayesianComparison(n_draws=99, random_state=0),
    McNemar(),
    SignTest(),
    WilcoxonSignedRank(),
    PairedTTest(),
    DeLong(),
]
each_test = pytest.mark.parametrize("test", TESTS, ids=lambda t: type(t).__name__)


def predictions_for(test):
    """Labels, or scores of the positive class where these are compared."""
    noise = np.linspace(0, 0.3, len(TRUTH))
    return (A + noise, B - noise) if isinstance(test, DeLong) else (A, B)


def problem_for(test):
    a, b = predictions_for(test)
    return test.make_problem_of_predictions(TRUTH, {"y_pred_a": a, "y_pred_b": b})


@each_test
def test_comparing_stores_nothing_and_warns_of_nothing(test):
    problem, before = problem_for(test), dict(vars(test))
    outcome = test.compare(problem)  # warnings are errors here
    assert vars(test) == before
    assert outcome.results


@each_test
def test_comparing_a_problem_equals_fitting(test):
    (result,) = test.compare(problem_for(test)).results.values()
    fitted = test.fit_predictions(TRUTH, *predictions_for(test)).result_
    assert fitted.delta == result.delta
    assert fitted.sentence() == result.sentence()


def test_the_same_problem_can_be_compared_on_some_rows():
    test = PairedBootstrap(n_resamples=99, random_state=0)
    rows = np.arange(40)
    part = test.compare(problem_for(test).at(rows)).results["accuracy"]
    alone = test.fit_predictions(TRUTH[rows], A[rows], B[rows]).result_
    np.testing.assert_array_equal(part.distribution, alone.distribution)
    assert part.confidence_interval == alone.confidence_interval


def test_a_pair_of_three_equals_the_two_alone():
    test = ApproxRandomization(n_resamples=99, method="monte-carlo", random_state=0)
    models = {"a": A, "b": B, "c": 1 - A}
    everyone = test.make_problem_of_predictions(
        TRUTH, {f"y_preds[{name!r}]": own for name, own in models.items()}
    )
    pair = test.compare(everyone.of_pair(0, 1)).results["accuracy"]
    alone = test.fit_predictions(TRUTH, A, B).result_
    np.testing.assert_array_equal(pair.distribution, alone.distribution)
    assert pair.pvalue == alone.pvalue


@pytest.fixture
def fitted_models():
    X = RNG.normal(size=(200, 4)) + TRUTH.mean()
    y = (X[:, 0] + RNG.normal(size=200) > X[:, 0].mean()).astype(int)
    return (
        LogisticRegression().fit(X[:100], y[:100]),
        GaussianNB().fit(X[:100], y[:100]),
        X[100:],
        y[100:],
    )


class Rows(np.ndarray):
    """An array that can be referred to weakly."""


def tracked(X):
    rows = X.copy().view(Rows)
    return rows, weakref.ref(rows)


@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", ["f1", "neg_log_loss"]])
def test_neither_result_nor_test_keeps_the_data_of_scorers_by_name(
    fitted_models, scoring
):
    a, b, X, y = fitted_models
    X, alive = tracked(X)
    test = PairedBootstrap(a, b, scoring=scoring, n_resamples=19, random_state=0)
    results = test.fit(X, y).results_
    del X
    gc.collect()
    assert alive() is None
    assert results


def test_only_a_scorer_that_has_to_see_data_keeps_it(fitted_models):
    a, b, X, y = fitted_models

    def opaque(model, X, y):
        return float(np.mean(model.predict(X) == y))

    X, alive = tracked(X)
    test = PairedBootstrap(a, b, scoring=opaque, n_resamples=19, random_state=0)
    result = test.fit(X, y).result_
    del X
    gc.collect()
    assert alive() is not None
    del test
    gc.collect()
    assert alive() is None
    assert result.n_resamples == 19


def test_models_of_folds_are_let_go(fitted_models):
    _, _, X, y = fitted_models
    alive = []

    class Remembered(GaussianNB):
        def fit(self, X, y, sample_weight=None):
            alive.append(weakref.ref(self))
            return super().fit(X, y, sample_weight)

    test = PairedBootstrap(
        Remembered(),
        Remembered(var_smoothing=0.1),
        scoring=["accuracy", "neg_log_loss"],
        cv=5,
        n_resamples=19,
        random_state=0,
    ).fit(X, y)
    gc.collect()
    assert len(alive) == 11
    assert [ref() for ref in alive if ref() is not None] == [test.best_estimator_]


def test_results_pickle_small():
    n = 20_000
    truth = RNG.integers(2, size=n)
    flipped = np.where(RNG.random(n) < 0.1, 1 - truth, truth)
    test = PairedBootstrap(n_resamples=99, random_state=0)
    result = test.fit_predictions(truth, truth, flipped).result_
    assert len(pickle.dumps(result)) < 10_000


@pytest.mark.parametrize(
    "test", [t for t in TESTS if hasattr(t, "extend")], ids=lambda t: type(t).__name__
)
def test_extending_is_asking_for_all_at_once_and_changes_nothing_else(test):
    test.fit_predictions(TRUTH, A, B)
    before = test.get_params()
    assert test.extend(150) is test
    assert test.get_params() == before
    assert test.result_.n_resamples == 249
    whole = type(test)(**{**before, "n_resamples": 249}).fit_predictions(TRUTH, A, B)
    np.testing.assert_array_equal(test.distribution_, whole.distribution_)
    assert test.pvalue_ == whole.pvalue_


def test_the_number_of_all_resamples_is_bounded_and_an_int():
    test = PairedBootstrap(n_resamples=99, random_state=0).fit_predictions(TRUTH, A, B)
    message = (
        r"`n_resamples` must be at most 100,000,000.*100,000,000 in addition to 99"
    )
    with pytest.raises(ParameterError, match=message):
        test.extend(100_000_000)
    result = test.extend(np.int64(100)).result_
    assert type(result.settings["n_resamples"]) is int
    assert (
        result.signature
        == PairedBootstrap(n_resamples=199, random_state=0)
        .fit_predictions(TRUTH, A, B)
        .result_.signature
    )


def test_extending_survives_a_pickle():
    test = PairedBootstrap(n_resamples=99, random_state=0).fit_predictions(TRUTH, A, B)
    copied = pickle.loads(pickle.dumps(test)).extend(10)
    assert copied.pvalue_ == test.extend(10).pvalue_


@pytest.mark.parametrize(
    ("settings", "later"),
    [
        ({"swap": "scores"}, {"swap": "auto"}),
        ({}, {"statistic": "studentized"}),
        ({}, {"alternative": "nonsense", "alpha": 2}),
        ({}, {"n_resamples": "auto", "add_one": False}),
    ],
    ids=str,
)
def test_extending_continues_with_the_parameters_of_the_fit(settings, later):
    rng = np.random.default_rng(0)
    scores = [TRUTH + rng.normal(scale=scale, size=len(TRUTH)) for scale in (1, 9)]
    params = {"scoring": "roc_auc", "method": "monte-carlo", "random_state": 0}
    test = ApproxRandomization(**params, **settings, n_resamples=99)
    test.fit_predictions(TRUTH, *scores).set_params(**later).extend(100)
    whole = ApproxRandomization(**params, **settings, n_resamples=199)
    whole.fit_predictions(TRUTH, *scores)
    np.testing.assert_array_equal(test.distribution_, whole.distribution_)
    assert test.result_.signature == whole.result_.signature
    assert test.pvalue_ == whole.pvalue_
    assert test.get_params() | later == test.get_params()


def test_a_bootstrap_is_extended_by_the_method_of_the_fit():
    test = PairedBootstrap(n_resamples=99, random_state=0).fit_predictions(TRUTH, A, B)
    test.set_params(method="studentized", interval="bca").extend(100)
    whole = PairedBootstrap(n_resamples=199, random_state=0)
    assert test.pvalue_ == whole.fit_predictions(TRUTH, A, B).pvalue_
    assert test.confidence_interval_ == whole.confidence_interval_


def test_a_number_of_resamples_set_later_makes_nothing_to_extend():
    test = PairedBootstrap(n_resamples="auto", random_state=0)
    test.fit_predictions(TRUTH, A, B).set_params(n_resamples=500)
    with pytest.raises(ValueError, match="There is nothing to extend"):
        test.extend(10)


def test_extending_chooses_among_the_models_of_the_fit(fitted_models):
    a, b, X, y = fitted_models
    test = PairedBootstrap(a, b, n_resamples=9, alpha=0.09, random_state=0).fit(X, y)
    test.set_params(estimator_a=None, estimator_b=None).extend(5_000)
    assert test.best_estimator_ is (a if test.result_.favors_a else b)


def test_a_winner_that_more_resamples_change_is_the_other_model(fitted_models):
    a, b, X, y = fitted_models
    test = PairedBootstrap(
        a, b, scoring="accuracy", n_resamples=9, alpha=0.09, random_state=0
    )
    test.fit(X, y).extend(5_000)
    assert test.best_estimator_ is (a if test.result_.favors_a else b)


def test_predictions_are_kept():
    test = PairedBootstrap(n_resamples=9, random_state=0).fit_predictions(TRUTH, A, B)
    for mine, own in zip((A, B), test.predictions_, strict=True):
        np.testing.assert_array_equal(own["predict"], mine)


def test_models_can_be_named():
    test = McNemar().fit_predictions(TRUTH, A, B, names=("new", "old"))
    assert (test.result_.name_a, test.result_.name_b) == ("new", "old")
