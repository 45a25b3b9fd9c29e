"""Metadata reach models, searches inside them, scorers and splitters."""

import itertools

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.metadata_routing import MetadataRouter

import skcompare
from skcompare import (
    CorrectedTTest,
    CrossValidationCLT,
    FoldReplicability,
    NestedCVInterval,
    PairedBootstrap,
    PairwiseComparison,
    SearchComparison,
)
from tests.pairs import in_pairs

# Few rows are quick.
pytestmark = pytest.mark.filterwarnings(
    "ignore::skcompare.exceptions.SmallSampleWarning"
)

RNG = np.random.default_rng(0)
Y = RNG.integers(2, size=96)
X = RNG.normal(size=(96, 3)) + 0.7 * Y[:, None]
GROUPS = np.repeat(np.arange(24), 4)
FEW = {"n_resamples": 19, "random_state": 0}


def search():
    return GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=GroupKFold(2))


COMPARISONS = {
    "rows": lambda a, b: PairedBootstrap(a, b, cv=GroupKFold(3), **FEW),
    "clt": lambda a, b: CrossValidationCLT(a, b, cv=GroupKFold(3)),
    "folds": lambda a, b: CorrectedTTest(a, b, cv=GroupKFold(3)),
    "nested": lambda a, b: NestedCVInterval(
        a, b, cv=GroupKFold(3, shuffle=True), n_repeats=1, random_state=0
    ),
    "pairs": lambda a, b: PairwiseComparison(
        [("a", a), ("b", b)],
        cv=GroupKFold(3),
        test=PairedBootstrap(n_resamples=19, alternative="two-sided"),
        correction="none",
        random_state=0,
    ),
    "replicability": lambda a, b: FoldReplicability(
        PairedBootstrap(a, b, **FEW), cv=GroupKFold(3)
    ),
}


@pytest.mark.parametrize(
    ("kind", "wrap", "routing"),
    in_pairs(
        itertools.product(
            COMPARISONS, [lambda m: m, lambda m: make_pipeline(m)], [False, True]
        )
    ),
)
def test_groups_reach_the_splits_of_a_search_that_is_compared(kind, wrap, routing):
    with sklearn.config_context(enable_metadata_routing=routing):
        comparison = COMPARISONS[kind](wrap(search()), GaussianNB())
        comparison.fit(X, Y, groups=GROUPS)
    assert comparison.result_ is not None


def test_the_winner_is_fitted_on_all_rows_with_groups():
    test = PairedBootstrap(search(), search(), cv=GroupKFold(3), **FEW)
    with pytest.warns(skcompare.exceptions.ComparisonWarning):
        test.fit(X, Y, groups=GROUPS)
    assert test.best_estimator_.n_splits_ == 2


def test_models_that_do_not_request_groups_get_none():
    test = PairedBootstrap(LogisticRegression(), GaussianNB(), cv=GroupKFold(3), **FEW)
    test.fit(X, Y, groups=GROUPS)  # their fit would not take any


def share_of_some(y_true, y_pred, *, some):
    return float(np.mean((y_true == y_pred)[some == 1]))


def asking_scorer():
    return make_scorer(share_of_some).set_score_request(some=True)


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def test_a_scorer_gets_the_metadata_that_it_requests(routing):
    some, scorer = np.arange(96) % 2, asking_scorer()
    models = GaussianNB(), LogisticRegression()
    by_folds = CorrectedTTest(*models, scoring=scorer, cv=4).fit(X, Y, some=some)
    expected = cross_validate(
        GaussianNB(), X, Y, scoring=scorer, cv=4, params={"some": some}
    )
    assert by_folds.score_a_ == pytest.approx(expected["test_score"].mean())
    fitted = [clone(model).fit(X, Y) for model in models]
    by_rows = PairedBootstrap(*fitted, scoring=scorer, **FEW).fit(X, Y, some=some)
    assert by_rows.score_a_ == share_of_some(Y, fitted[0].predict(X), some=some)
    low, high = by_rows.confidence_interval_
    assert low <= by_rows.delta_ <= high


def test_metadata_that_no_object_requests_are_an_error(routing):
    models = GaussianNB(), LogisticRegression()
    for test in (PairedBootstrap(*models, cv=3), NestedCVInterval(*models, cv=3)):
        with pytest.raises(TypeError, match="unheard_of, which none requests"):
            test.fit(X, Y, unheard_of=np.ones(96))
    fitted = [model.fit(X, Y) for model in models]
    with pytest.raises(TypeError, match="unexpected keyword argument 'unheard_of'"):
        PairedBootstrap(*fitted).fit(X, Y, unheard_of=np.ones(96))


@pytest.mark.parametrize("kind", COMPARISONS)
def test_comparisons_are_metadata_routers(kind):
    comparison = COMPARISONS[kind](search(), GaussianNB())
    router = comparison.get_metadata_routing()
    assert isinstance(router, MetadataRouter)
    assert router.consumes("fit", ["groups", "names"]) == {"groups"}


def test_others_are_metadata_routers_too():
    with sklearn.config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=True)
        others = [
            skcompare.CochranQ([("a", model), ("b", GaussianNB())], cv=3),
            SearchComparison(GridSearchCV(model, {"C": [1.0]}, cv=3).fit(X, Y)),
            PairedBootstrap(model, GaussianNB(), scoring=["accuracy", "f1"]),
            PairedBootstrap(model, GaussianNB(), scoring={"f": "f1"}),
        ]
        for comparison in others:
            router = comparison.get_metadata_routing()
            assert router.consumes("fit", ["sample_weight"]) == {"sample_weight"}
        without = PairedBootstrap().get_metadata_routing()
        assert without.consumes("fit", ["sample_weight", "names"]) == set()


def test_a_comparison_inside_a_cross_validation_gets_its_groups(routing):
    test = PairedBootstrap(search(), GaussianNB(), cv=GroupKFold(2), **FEW)
    test.set_fit_request(groups=True)
    scores = cross_validate(test, X, Y, params={"groups": GROUPS}, cv=GroupKFold(2))
    assert np.isfinite(scores["test_score"]).all()


def test_parameters_for_fits_are_taken_by_every_test_that_fits():
    class Noting(LogisticRegression):
        def fit(self, X, y, sample_weight=None, marks=None):
            assert len(marks) == len(X)
            return super().fit(X, y, sample_weight)

    marks = np.arange(96)
    for kind in ("clt", "nested", "pairs", "replicability"):
        comparison = COMPARISONS[kind](Noting(), Noting(C=0.01))
        comparison.set_params(cv=4)
        comparison.fit(X, Y, marks=marks)
    models = [("a", Noting()), ("b", Noting(C=0.01))]
    skcompare.CochranQ(models, cv=4).fit(X, Y, marks=marks)
    searched = GridSearchCV(Noting(), {"C": [0.01, 1.0]}, cv=3).fit(X, Y, marks=marks)
    comparison = SearchComparison(searched, n_resamples=9, random_state=0)
    assert len(comparison.fit(X, Y, marks=marks).result_.deltas) == 2


def test_steps_before_the_last_take_no_groups():
    model = make_pipeline(StandardScaler(), search())
    test = CorrectedTTest(model, GaussianNB(), cv=GroupKFold(3))
    assert test.fit(X, Y, groups=GROUPS).best_estimator_ is not None


def weighted_share(y_true, y_pred, sample_weight=None):
    return float(np.average(y_true == y_pred, weights=sample_weight))


WEIGHTS = np.random.default_rng(1).random(96) + 0.1
OTHER = WEIGHTS**3


def test_models_and_scorers_get_metadata_by_other_names_as_in_cross_validate(routing):
    a = LogisticRegression(C=0.01).set_fit_request(sample_weight="other")
    b = GaussianNB().set_fit_request(sample_weight="own")
    scorer = make_scorer(weighted_share).set_score_request(sample_weight="third")
    of_a, of_b = {"other": OTHER}, {"own": WEIGHTS}
    third, own = {"third": WEIGHTS**2}, {"scoring": scorer, "cv": 4}
    params = third | of_a | of_b
    expected = [
        cross_validate(model, X, Y, params=third | of, **own)["test_score"].mean()
        for model, of in ((a, of_a), (b, of_b))
    ]
    by_folds = CorrectedTTest(a, b, **own).fit(X, Y, **params)
    assert (by_folds.score_a_, by_folds.score_b_) == pytest.approx(expected)
    by_rows = PairedBootstrap(a, b, aggregate="fold-mean", **own, **FEW)
    by_rows.fit(X, Y, **params)
    assert (by_rows.score_a_, by_rows.score_b_) == pytest.approx(expected)
    winner = (a, b)[by_rows.delta_ < 0]
    weights = OTHER if winner is a else WEIGHTS
    fitted = clone(winner).fit(X, Y, sample_weight=weights)
    np.testing.assert_allclose(by_rows.predict_proba(X), fitted.predict_proba(X))


def test_a_scorer_of_fitted_models_gets_metadata_by_another_name(routing):
    fitted = [model.fit(X, Y) for model in (GaussianNB(), LogisticRegression())]
    scorer = make_scorer(weighted_share).set_score_request(sample_weight="other")
    test = PairedBootstrap(*fitted, scoring=scorer, **FEW)
    by_other = weighted_share(Y, fitted[0].predict(X), OTHER)
    assert test.fit(X, Y, other=OTHER).score_a_ == pytest.approx(by_other)
    test.fit(X, Y, other=OTHER, sample_weight=WEIGHTS)
    assert test.score_a_ == pytest.approx(by_other)


def test_a_splitter_gets_groups_by_another_name(routing):
    cv = GroupKFold(3).set_split_request(groups="city")
    test = CorrectedTTest(GaussianNB(), LogisticRegression(), cv=cv)
    test.fit(X, Y, city=GROUPS)
    expected = cross_validate(GaussianNB(), X, Y, cv=cv, params={"city": GROUPS})
    assert test.score_a_ == pytest.approx(expected["test_score"].mean())
