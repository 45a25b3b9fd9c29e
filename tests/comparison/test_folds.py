"""Tests of folds: problems are data, `compare` neither warns nor stores."""

import dataclasses
import pickle
import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import (
    BayesianCorrelatedTTest,
    ConservativeZ,
    CorrectedTTest,
    CrossValidationCLT,
    FiveByTwoCV,
    FoldReplicability,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
)
from skcompare.exceptions import DegenerateDataWarning

RNG = np.random.default_rng(0)
Y = np.arange(90) % 2
X = RNG.normal(size=(90, 3)) + 0.5 * Y[:, None]
MODELS = {
    "a": LogisticRegression(),
    "b": DecisionTreeClassifier(random_state=0),
    "c": GaussianNB(),
}
PAIR = {"estimator_a": MODELS["a"], "estimator_b": MODELS["b"]}

TESTS = {
    "corrected t": CorrectedTTest(**PAIR, cv=4),
    "correlated t": BayesianCorrelatedTTest(**PAIR, cv=4),
    "5x2": FiveByTwoCV(**PAIR, random_state=3),
    "clt": CrossValidationCLT(**PAIR, cv=4),
}
each_test = pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)


@each_test
def test_compare_returns_the_result_of_fit_and_stores_nothing(test):
    problem = test.make_problem(PAIR, X, Y)
    before = dict(vars(test))
    outcome = test.compare(problem)
    assert vars(test) == before
    fitted = test.fit(X, Y)
    results = {metric: result.to_dict() for metric, result in outcome.results.items()}
    assert results == {m: result.to_dict() for m, result in fitted.results_.items()}


@each_test
def test_compare_returns_its_caveats_and_does_not_warn(test):
    same = {"estimator_a": GaussianNB(), "estimator_b": GaussianNB()}
    problem = test.make_problem(same, X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome = test.compare(problem)
    categories = [caveat.category for caveat in outcome.caveats]
    assert DegenerateDataWarning in categories
    (result,) = outcome.results.values()
    assert result.caveats == tuple(caveat.text for caveat in outcome.caveats)


@each_test
def test_pairs_of_many_models_are_compared_as_if_alone(test):
    everyone = test.make_problem(MODELS, X, Y, names=("a", "b", "c"))
    for i, j in ((0, 1), (2, 0)):
        pair = everyone.of_pair(i, j)
        (result,) = test.compare(pair).results.values()
        assert (result.name_a, result.name_b) == ("abc"[i], "abc"[j])
        models = [MODELS["abc"[i]], MODELS["abc"[j]]]
        alone = test.make_problem(dict(zip(PAIR, models, strict=True)), X, Y)
        (expected,) = test.compare(alone).results.values()
        assert result.delta == expected.delta
        assert result.score_a == expected.score_a


ONE_OR_TWO = {
    **TESTS,
    "nested": NestedCVInterval(**PAIR, cv=3, n_repeats=1, random_state=0),
    "conservative z": ConservativeZ(**PAIR, n_splits=2, n_repeats=2, random_state=0),
    "rows": PairedBootstrap(**PAIR, cv=4, n_resamples=19, random_state=0),
}


@pytest.mark.parametrize("n_models", [1, 2])
@pytest.mark.parametrize("test", ONE_OR_TWO.values(), ids=ONE_OR_TWO)
def test_fields_of_every_result_are_facts_of_its_problem(test, n_models):
    if n_models == 1 and not test.takes_one_model:
        pytest.skip("for two models")
    models = dict(list(PAIR.items())[:n_models])
    problem = test.make_problem(models, X, Y)
    (result,) = test.compare(problem).results.values()
    facts = problem.facts("accuracy")
    assert {"scoring", "n_rows", "n_units", "cv", "seed"} <= facts.keys()
    if isinstance(test, ConservativeZ):  # its scores are those of the first splits
        facts = {name: facts[name] for name in ("scoring", "name_a", "cv", "seed")}
    for name, value in facts.items():
        assert getattr(result, name) == value


def test_many_models_are_compared_on_folds_where_all_have_scores():
    problem = CorrectedTTest(cv=4).make_problem(MODELS, X, Y)
    scores = problem.scores["accuracy"].copy()
    scores[2, 1] = np.nan
    gap = dataclasses.replace(problem, scores={"accuracy": scores})
    (result,) = (
        CorrectedTTest().compare(gap.on_common_folds().of_pair(0, 1)).results.values()
    )
    assert result.n_units == 3
    (result,) = CorrectedTTest().compare(gap.of_pair(0, 1)).results.values()
    assert result.n_units == 4


@each_test
def test_problems_can_be_pickled(test):
    problem = test.make_problem(PAIR, X, Y)
    copied = pickle.loads(pickle.dumps(problem))
    first, second = (
        next(iter(test.compare(p).results.values())).to_dict()
        for p in (problem, copied)
    )
    assert first == second


@pytest.mark.parametrize(
    "test",
    [*TESTS.values(), NestedCVInterval(**PAIR, cv=3, n_repeats=1)],
    ids=[*TESTS, "nested"],
)
def test_models_have_the_names_that_fit_gets(test):
    result = test.fit(X, Y, names=("new", "old")).result_
    assert (result.name_a, result.name_b) == ("new", "old")


def test_scores_have_the_names_that_fit_scores_gets():
    scores = RNG.uniform(size=(2, 5, 2))
    for test, ratio in (
        (CorrectedTTest(), {"test_train_ratio": 1}),
        (FiveByTwoCV(), {}),
    ):
        result = test.fit_scores(*scores, names=("new", "old"), **ratio).result_
        assert (result.name_a, result.name_b) == ("new", "old")


def test_folds_of_a_seeded_test_do_not_depend_on_the_state():
    """The test of each fold draws as a fresh copy of the user's test would."""
    state = np.random.RandomState(3)
    before = state.get_state()[1].copy()
    test = PairedBootstrap(**PAIR, n_resamples=99, random_state=state)
    results = FoldReplicability(test, cv=3).fit(X, Y).fold_results_
    assert len({result.seed for result in results}) == 1
    np.testing.assert_array_equal(state.get_state()[1], before)


def test_groups_are_refused_before_models_are_fitted():
    class Explodes(GaussianNB):
        def fit(self, X, y):
            raise AssertionError("fitted")

    test = McNemar(Explodes(), GaussianNB())
    with pytest.raises(ValueError, match="`groups` must be None for McNemar"):
        FoldReplicability(test, cv=3).fit(X, Y, groups=np.arange(90))
