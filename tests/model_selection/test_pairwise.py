"""Several models at once: the single test for two, corrections, sets and ranks."""

import dataclasses
import itertools
import json
import pathlib
import pickle
import re
import runpy
import string
import sys
import warnings

import joblib
import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone, is_classifier
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import KFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    BayesianCorrelatedTTest,
    CorrectedTTest,
    CrossValidationCLT,
    DeLong,
    FiveByTwoCV,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    SignTest,
    WilcoxonSignedRank,
    WildClusterBootstrap,
    adjust_pvalues,
)
from skcompare.exceptions import (
    DegenerateDataWarning,
    FailedFitWarning,
    FewResamplesWarning,
    ParameterError,
    SmallSampleWarning,
)
from skcompare.stats.max_t import (
    Studentized,
    max_t_intervals,
    max_t_pvalues,
    studentize,
)
from skcompare.stats.model_sets import compact_letters, indistinct_groups
from tests.rates import assert_level_kept


def correlated_predictions(rng, n_rows, accuracies, *, n_classes=3, shared=0.6):
    """Return the truth and predictions of models that often err on the same rows."""
    truth = rng.integers(n_classes, size=n_rows)
    difficulty = rng.random(n_rows)
    predictions = {}
    for number, accuracy in enumerate(accuracies):
        alone = rng.random(n_rows)
        wrong = np.where(rng.random(n_rows) < shared, difficulty, alone) > accuracy
        other = (truth + rng.integers(1, n_classes, size=n_rows)) % n_classes
        predictions[f"m{number}"] = np.where(wrong, other, truth)
    return truth, predictions


@pytest.fixture
def four():
    """Predictions of four models, two of them alike in accuracy."""
    return correlated_predictions(np.random.default_rng(0), 300, [0.9, 0.8, 0.79, 0.6])


def no_accuracy_gain(y_true, y_pred):
    """A metric that no fast path knows: the balanced accuracy of two classes."""
    right = y_true == y_pred
    return float(np.mean([right[y_true == label].mean() for label in (0, 1)]))


# Two models are the single test.


@pytest.mark.parametrize(
    "test",
    [
        PairedBootstrap(n_resamples=300),
        PairedBootstrap(n_resamples=300, interval="bca", alternative="two-sided"),
        PairedBootstrap(n_resamples=300, interval="basic", alternative="less"),
        PairedBootstrap(n_resamples=200, interval="studentized"),
        PairedBootstrap(n_resamples="ideal"),
        ApproxRandomization(n_resamples=300),
        ApproxRandomization(n_resamples=300, method="monte-carlo"),
        McNemar(),
        PairedTTest(),
    ],
    ids=repr,
)
@pytest.mark.parametrize("correction", ["holm", "max-t"])
def test_two_models_give_the_numbers_of_the_single_test(four, test, correction):
    truth, predictions = four
    a, b = predictions["m1"], predictions["m2"]
    single = clone(test)
    if hasattr(test, "random_state"):
        single.set_params(random_state=7)
    single.fit_predictions(truth, a, b)
    comparison = PairwiseComparison(test=test, random_state=7, correction=correction)
    shared = isinstance(test, PairedBootstrap | ApproxRandomization) and not (
        getattr(test, "interval", None) == "studentized" or test.n_resamples == "ideal"
    )
    if correction == "max-t" and not shared:
        with pytest.raises(ValueError, match="`correction` 'max-t' needs a fixed"):
            comparison.fit_predictions(truth, {"a": a, "b": b})
        return
    result = comparison.fit_predictions(truth, {"a": a, "b": b}).result_
    (pair,) = result.results
    assert pair.pvalue == single.pvalue_
    assert pair.delta == single.delta_
    assert pair.confidence_interval == single.result_.confidence_interval
    assert pair.standard_error == single.result_.standard_error
    assert result.pvalues_adjusted[0] == pytest.approx(single.pvalue_, abs=1e-12)
    if correction == "holm" and pair.confidence_interval is not None:
        assert result.intervals[0].tolist() == list(pair.confidence_interval)
        assert result.confidence_level == 0.95


def test_bca_intervals_of_pairs_leave_out_rows_of_their_own_models():
    """Rows that are all different are the same cells, however many models there are."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=60)
    shapes = {"a": 0.3, "b": 1.0, "c": 2.0}
    predictions = {m: truth + rng.gamma(shape, size=60) for m, shape in shapes.items()}
    test = PairedBootstrap(
        scoring="neg_mean_squared_error",
        n_resamples=300,
        interval="bca",
        alternative="two-sided",
    )
    pairs = PairwiseComparison(test=test, random_state=7, correction="none")
    result = pairs.fit_predictions(truth, predictions).result_
    for (a, b), pair in zip(result.pairs, result.results, strict=True):
        single = clone(test).set_params(random_state=7)
        single.fit_predictions(truth, predictions[a], predictions[b])
        assert pair.confidence_interval == single.confidence_interval_


@pytest.mark.parametrize(
    "scoring", ["f1_macro", "roc_auc", make_scorer(no_accuracy_gain)], ids=str
)
def test_two_models_on_every_engine_with_groups(scoring):
    rng = np.random.default_rng(3)
    truth = rng.integers(2, size=80)
    groups = np.arange(80) // 2
    scores = {k: truth + rng.normal(scale=s, size=80) for k, s in (("a", 1), ("b", 2))}
    if scoring != "roc_auc":
        scores = {k: (v > 0.5).astype(int) for k, v in scores.items()}
    test = PairedBootstrap(n_resamples=60, random_state=1, scoring=scoring)
    single = clone(test).fit_predictions(truth, scores["a"], scores["b"], groups=groups)
    both = PairwiseComparison(test=test).fit_predictions(truth, scores, groups=groups)
    assert both.result_.pvalues[0] == single.pvalue_
    assert both.result_.results[0].engine == single.result_.engine


@pytest.mark.parametrize(
    "test", [ApproxRandomization(n_resamples=99), McNemar(), PairedTTest()], ids=repr
)
def test_each_pair_of_a_test_without_shared_resamples_is_the_single_test(four, test):
    truth, predictions = four
    if hasattr(test, "random_state"):
        test.set_params(random_state=5)
    result = PairwiseComparison(test=test).fit_predictions(truth, predictions).result_
    for (a, b), pair in zip(result.pairs, result.results, strict=True):
        single = clone(test).fit_predictions(truth, predictions[a], predictions[b])
        assert pair.pvalue == single.pvalue_
    assert result.pvalues_adjusted == pytest.approx(adjust_pvalues(result.pvalues))


def test_shared_resamples_are_those_of_the_rows():
    """Additive cells over all models give what resampled rows give, in distribution."""
    truth, predictions = correlated_predictions(
        np.random.default_rng(1), 150, [0.8, 0.7, 0.6], n_classes=2
    )
    fast, slow = (
        PairwiseComparison(
            test=PairedBootstrap(alternative="two-sided", n_resamples=n),
            scoring=scoring,
            random_state=0,
        )
        .fit_predictions(truth, predictions)
        .result_
        for n, scoring in (
            (9_999, "balanced_accuracy"),
            (500, make_scorer(no_accuracy_gain)),
        )
    )
    assert fast.deltas == pytest.approx(slow.deltas)
    errors = [[r.standard_error for r in result.results] for result in (fast, slow)]
    # The relative error of a standard deviation from 500 draws is about 1 / sqrt(1000).
    assert errors[0] == pytest.approx(errors[1], rel=5 / np.sqrt(1000))


def test_numbers_do_not_depend_on_n_jobs(four):
    truth, predictions = four
    results = [
        PairwiseComparison(random_state=0, n_jobs=n, correction="max-t")
        .fit_predictions(truth, predictions)
        .result_
        for n in (1, 2)
    ]
    assert results[0].pvalues_adjusted.tolist() == results[1].pvalues_adjusted.tolist()
    assert results[0].intervals.tolist() == results[1].intervals.tolist()


def test_a_seed_repeats_a_run_without_one(four):
    truth, predictions = four
    first = PairwiseComparison().fit_predictions(truth, predictions).result_
    again = PairwiseComparison(random_state=first.seed).fit_predictions(
        truth, predictions
    )
    assert again.result_.pvalues.tolist() == first.pvalues.tolist()


# Baselines and champions.


def test_baseline_is_subtracted_and_only_its_pairs_are_compared(four):
    truth, predictions = four
    comparison = PairwiseComparison(baseline="m2", random_state=0)
    result = comparison.fit_predictions(truth, predictions).result_
    assert result.pairs == (("m0", "m2"), ("m1", "m2"), ("m3", "m2"))
    accuracy = {
        name: np.mean(predicted == truth) for name, predicted in predictions.items()
    }
    expected = [accuracy[name] - accuracy["m2"] for name in ("m0", "m1", "m3")]
    assert result.deltas == pytest.approx(expected)
    assert comparison.champion_ == "m0"
    assert comparison.champion_set_ == result.beating_baseline == ("m0",)
    assert comparison.letters_ is None
    assert result.decisions[0] == ">>"
    assert result.decisions[2] == "<<"


def test_a_baseline_that_no_model_beats_is_the_champion(four):
    truth, predictions = four
    comparison = PairwiseComparison(baseline="m0", random_state=0)
    comparison.fit_predictions(truth, predictions)
    assert comparison.champion_ == "m0"
    assert comparison.champion_set_ == ("m0",)
    alike = {name: predictions[name] for name in ("m1", "m2")}
    comparison = PairwiseComparison(baseline="m2", random_state=0)
    comparison.fit_predictions(truth, alike)
    assert comparison.champion_ == "m2"
    assert set(comparison.champion_set_) == {"m1", "m2"}


def test_champion_set_has_the_models_not_significantly_worse(four):
    truth, predictions = four
    comparison = PairwiseComparison(random_state=0).fit_predictions(truth, predictions)
    frame = comparison.result_.to_frame()
    assert comparison.champion_ == comparison.ranking_[0] == "m0"
    with_champion = frame[(frame.a == "m0") | (frame.b == "m0")]
    rejected = with_champion[with_champion.pvalue_adjusted <= 0.05]
    others = set(rejected.a) | set(rejected.b) - {"m0"}
    assert set(comparison.champion_set_) == set(predictions) - others | {"m0"}


@pytest.mark.parametrize("correction", ["holm", "max-t"])
def test_intervals_with_the_best_follow_from_those_of_all_pairs(four, correction):
    test = PairedBootstrap(n_resamples=499, random_state=0, alternative="two-sided")
    result = PairwiseComparison(test=test, correction=correction)
    result = result.fit_predictions(*four).result_
    for model, (low, high) in enumerate(result.best_intervals):
        lead = result.scores[model] - np.delete(result.scores, model).max()
        assert low <= 0 <= high
        assert low <= lead <= high
    assert result.best_intervals[3, 1] == 0  # significantly worse than others
    table = result.tables()[0]
    assert "ahead of the best other" in str(result)
    assert len(table.rows) == len(result.names)
    assert np.shape(result.to_dict()["best_intervals"]) == (len(result.names), 2)


def test_there_are_no_intervals_with_the_best_of_single_pairs(four):
    test = PairedBootstrap(n_resamples=99, random_state=0, alternative="two-sided")
    truth, models = four
    alone = PairwiseComparison(test=test, correction="none")
    assert alone.fit_predictions(truth, models).result_.best_intervals is None
    beside = PairwiseComparison(test=test, baseline=next(iter(models)))
    assert beside.fit_predictions(truth, models).result_.best_intervals is None


def test_intervals_with_the_best_hold_together(simulations):
    """Also if the model that came out on top is not the best."""
    rng = np.random.default_rng(0)
    test = PairedBootstrap(n_resamples=99, random_state=0, alternative="two-sided")
    test.set_params(confidence_level=0.9)
    leads = np.array([0.05, -0.05, -0.05, -0.05])

    def missed():
        while True:
            truth, models = correlated_predictions(rng, 150, [0.75, 0.7, 0.7, 0.7])
            pairs = PairwiseComparison(test=test, correction="max-t")
            result = pairs.fit_predictions(truth, models).result_
            lows, highs = result.best_intervals.T
            yield not ((lows <= leads) & (leads <= highs)).all()

    assert_level_kept(missed(), simulations(None, 1_000), 0.1)


def test_several_metrics_share_resamples_and_have_a_result_each(four):
    truth, predictions = four
    comparison = PairwiseComparison(
        scoring=["accuracy", "f1_macro"], random_state=0, baseline="m2"
    ).fit_predictions(truth, predictions)
    alone = PairwiseComparison(scoring="f1_macro", random_state=0, baseline="m2")
    alone.fit_predictions(truth, predictions)
    assert list(comparison.results_) == ["accuracy", "f1_macro"]
    assert comparison.results_["f1_macro"].deltas == pytest.approx(alone.result_.deltas)
    assert comparison.champion_ == "m0"
    with pytest.raises(AttributeError, match="Several metrics"):
        _ = comparison.champion_set_


# Fitted models, cross-validation and pipelines.


@pytest.fixture(scope="module")
def data():
    return make_classification(200, 6, flip_y=0.1, random_state=0)


MODELS = [
    ("dummy", DummyClassifier()),
    ("tree", DecisionTreeClassifier(max_depth=2, random_state=0)),
    ("logreg", LogisticRegression()),
]


def test_prefit_models_are_scored_and_the_champion_predicts(data):
    X, y = data
    fitted = [(name, clone(model).fit(X[:100], y[:100])) for name, model in MODELS]
    comparison = PairwiseComparison(fitted, random_state=0).fit(X[100:], y[100:])
    best = dict(fitted)[comparison.champion_]
    assert comparison.best_estimator_ is best
    assert comparison.predict(X).tolist() == best.predict(X).tolist()
    assert comparison.predict_proba(X).tolist() == best.predict_proba(X).tolist()
    assert comparison.classes_.tolist() == [0, 1]


def test_as_last_step_of_a_pipeline_it_predicts_with_the_champion_refitted(data):
    X, y = data
    gate = PairwiseComparison(MODELS, cv=3, random_state=0, baseline="dummy")
    pipeline = make_pipeline(StandardScaler(), gate).fit(X, y)
    champion = dict(MODELS)[pipeline[-1].champion_]
    expected = make_pipeline(StandardScaler(), clone(champion)).fit(X, y)
    assert pipeline.predict(X).tolist() == expected.predict(X).tolist()
    assert not hasattr(champion, "classes_")  # the caller's models are not fitted


def test_how_failed_fits_are_handled_is_set_in_the_comparison(data):
    X, y = data
    remedy = r"`test` must not set `error_score`.* Use PairwiseComparison\(error_score="
    for test in (McNemar(error_score=np.nan), CorrectedTTest(error_score="raise")):
        with pytest.raises(ParameterError, match=remedy):
            PairwiseComparison(MODELS, test=test, cv=3).fit(X, y)
    halves = PairwiseComparison(MODELS, test=FiveByTwoCV(), error_score=np.nan)
    with pytest.raises(
        ParameterError, match="`error_score` must be 'raise' for FiveByTwoCV"
    ):
        halves.fit(X, y)


@pytest.mark.parametrize("test", [None, McNemar(), CorrectedTTest()], ids=str)
def test_with_nan_folds_on_which_some_model_fails_are_left_out(test):
    X, y = make_classification(n_samples=160, n_features=6, random_state=2)
    X[0] = 0
    models = [
        ("tree", DecisionTreeClassifier(max_depth=1)),
        ("nb", GaussianNB()),
        ("fails", FailsOnSomeFolds(max_depth=3, random_state=0)),
    ]
    pairs = PairwiseComparison(models, test=test, cv=KFold(4), random_state=0)
    with pytest.raises(ValueError, match="the first row is missing"):
        pairs.fit(X, y)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pairs.set_params(error_score=np.nan).fit(X, y)
    (failed,) = [w for w in caught if w.category is FailedFitWarning]
    assert failed.filename == __file__
    text = str(failed.message)
    assert "could not be fitted: ValueError: the first row" in text
    if pairs.result_.unit == "folds":
        assert "counted from 0: fails on 0. They are left out for all models" in text
    assert pairs.result_.n_rows == (3 if pairs.result_.unit == "folds" else 120)


class TestWithParameters(McNemar):
    """A test that cannot be made without parameters."""

    __test__ = False

    def __init__(
        self, level, estimator_a=None, estimator_b=None, cv="prefit", alpha=0.05
    ):
        super().__init__(estimator_a, estimator_b, cv=cv, alpha=alpha)
        self.level = level


def test_a_test_of_pairs_may_have_parameters_without_defaults(four):
    pairs = PairwiseComparison(test=TestWithParameters(level=1))
    assert len(pairs.fit_predictions(*four).result_.pvalues) == 6


def test_level_and_refit_are_set_in_the_comparison_and_not_in_its_test(four):
    truth, predictions = four
    for parameter, value in (("alpha", 0.2), ("refit", False)):
        test = McNemar(**{parameter: value})
        remedy = rf"`test` must not set `{parameter}`.*\({parameter}={value}\)"
        with pytest.raises(ParameterError, match=remedy):
            PairwiseComparison(test=test).fit_predictions(truth, predictions)
        same = PairwiseComparison(test=test, **{parameter: value})
        alone = PairwiseComparison(test=McNemar(), **{parameter: value})
        same, alone = (
            comparison.fit_predictions(truth, predictions).result_.decisions
            for comparison in (same, alone)
        )
        assert same == alone


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.FewResamplesWarning")
def test_a_max_t_pvalue_is_a_bound_only_at_its_own_smallest_value():
    rng = np.random.default_rng(1)
    truth = rng.integers(2, size=400)
    predictions = {
        name: np.where(rng.random(400) < share, truth, 1 - truth)
        for name, share in {"a": 0.96, "b": 0.92, "c": 0.88, "d": 0.5}.items()
    }
    bootstrap, swaps = (
        kind(n_resamples=99, alternative="two-sided")
        for kind in (PairedBootstrap, ApproxRandomization)
    )

    def result_of(test, correction):
        pairs = PairwiseComparison(test=test, correction=correction, random_state=0)
        return pairs.fit_predictions(truth, predictions).result_

    def printed(result):
        rows = {row[:2]: row for row in result.tables()[1].rows}
        return [rows["a", other][-3:-1] for other in ("b", "d")]

    drawn = result_of(bootstrap, "max-t")
    assert printed(drawn) == [("<= 0.0100", "<= 0.0100")] * 2
    larger = np.where([pair == ("a", "b") for pair in drawn.pairs], 0.03, 0.01)
    drawn = dataclasses.replace(drawn, pvalues_adjusted=larger)
    assert printed(drawn) == [("<= 0.0100", "0.0300"), ("<= 0.0100", "<= 0.0100")]
    # Exact p-values of single pairs do not make those of all pairs exact.
    assert printed(result_of(swaps, "max-t")) == [
        ("0.00058", "0.0300"),
        ("6.5e-43", "<= 0.0100"),
    ]
    # Those of Holm are multiples of the p-values of single pairs.
    with pytest.warns(FewResamplesWarning):
        holm = result_of(bootstrap, "holm")
    assert printed(holm)[0] == ("<= 0.0100", "<= 0.0600")


def test_splits_are_set_in_the_comparison_and_not_in_its_test(data):
    X, y = data
    for test in (McNemar(cv=3), CorrectedTTest(cv=3)):
        comparison = PairwiseComparison(MODELS, test=test)
        with pytest.raises(ValueError, match=r"`test` must not set `cv`.*\(cv=3\)"):
            comparison.fit(X, y)
    folds = PairwiseComparison(MODELS, test=CorrectedTTest())
    with pytest.raises(
        ValueError, match=r"`cv` must be an integer such as 10, a splitter"
    ):
        folds.fit(X, y)
    halves = PairwiseComparison(MODELS, test=FiveByTwoCV(), cv=3)
    with pytest.raises(ValueError, match="`cv` must be 'prefit' for FiveByTwoCV"):
        halves.fit(X, y)
    assert PairwiseComparison(MODELS, cv=None).fit(X, y).result_.cv == "5 folds"


def test_models_can_be_called_otherwise(data):
    X, y = data
    comparison = PairwiseComparison(MODELS, cv=3, baseline="old", random_state=0)
    comparison.fit(X, y, names=["old", "new", "newer"])
    assert comparison.result_.names == ("old", "new", "newer")
    assert comparison.champion_ in ("old", "new", "newer")
    preds = {name: clone(model).fit(X, y).predict(X) for name, model in MODELS}
    comparison.fit_predictions(y, preds, names=["old", "new", "newer"])
    assert comparison.result_.names == ("old", "new", "newer")
    with pytest.raises(ValueError, match="`names` must have one name for each model"):
        comparison.fit(X, y, names=["old", "new"])
    with pytest.raises(ValueError, match="`names` must be different from each other"):
        comparison.fit(X, y, names=["old", "old", "new"])


def test_it_survives_pickling_and_is_of_the_kind_of_its_models(data):
    X, y = data
    comparison = PairwiseComparison(MODELS, cv=3, random_state=0).fit(X, y)
    again = pickle.loads(pickle.dumps(comparison))
    assert again.predict(X).tolist() == comparison.predict(X).tolist()
    assert is_classifier(comparison)


@pytest.mark.filterwarnings("ignore")  # checks use tiny, odd and constant data
@parametrize_with_checks(
    [
        PairwiseComparison(
            [("nb", GaussianNB()), ("tree", DecisionTreeClassifier(random_state=0))],
            test=PairedBootstrap(n_resamples=19, alternative="two-sided"),
            cv=2,
            random_state=0,
        )
    ]
)
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)


def test_fold_tests_score_each_model_once_on_the_same_splits(data):
    X, y = data
    comparison = PairwiseComparison(MODELS, test=CorrectedTTest(), cv=4).fit(X, y)
    result = comparison.result_
    expected = [cross_val_score(model, X, y, cv=4).mean() for _, model in MODELS]
    assert result.scores == pytest.approx(expected)
    single = CorrectedTTest(MODELS[1][1], MODELS[2][1], cv=4).fit(X, y)
    place = result.pairs.index(("tree", "logreg"))
    assert result.pvalues[place] == pytest.approx(single.pvalue_)
    assert result.unit == "folds"


@pytest.mark.parametrize(
    ("test", "scoring"),
    [
        (CrossValidationCLT(), "accuracy"),
        (FiveByTwoCV(random_state=0), "f1"),
        (WilcoxonSignedRank(), "accuracy"),
        (PairedBootstrap(interval="studentized", n_resamples=50), "accuracy"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_any_test_for_two_models_is_applied_to_each_pair(data, test, scoring):
    X, y = data
    test = clone(test).set_params(scoring=scoring)
    if hasattr(test, "random_state"):
        test.set_params(random_state=0)
    cv = {"cv": 4} if hasattr(test, "cv") else {}
    comparison = PairwiseComparison(MODELS, test=test, correction="none", **cv)
    result = comparison.fit(X, y).result_
    a, b = MODELS[1][1], MODELS[2][1]
    single = clone(test).set_params(estimator_a=a, estimator_b=b, **cv).fit(X, y)
    assert result.pvalues[2] == pytest.approx(single.pvalue_)
    assert result.deltas[2] == pytest.approx(single.delta_)


def test_it_clones_and_shows_its_parameters():
    comparison = PairwiseComparison(MODELS, test=McNemar(), baseline="dummy")
    copied = clone(comparison)
    assert copied.get_params(deep=False)["baseline"] == "dummy"
    assert isinstance(copied.test, McNemar)
    with pytest.raises(NotFittedError):
        comparison.predict([[0]])


# Max-t.


def naive_max_t(observed, null, alternative):
    """Step down, hypothesis by hypothesis, as in the definition."""
    turn = {"greater": lambda x: x, "less": lambda x: -x, "two-sided": np.abs}
    t, resampled = turn[alternative](observed), turn[alternative](null)
    left, adjusted, largest = list(range(len(t))), np.ones(len(t)), 0.0
    while left:
        first = max(left, key=lambda h: t[h])
        count = sum(max(row[h] for h in left) >= t[first] for row in resampled)
        largest = max(largest, (count + 1) / (len(resampled) + 1))
        adjusted[first] = largest
        left.remove(first)
    return adjusted


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_max_t_is_the_step_down_of_the_definition(alternative):
    rng = np.random.default_rng(0)
    null = rng.normal(size=(199, 6)) @ rng.normal(size=(6, 6))
    observed = rng.normal(size=6) * 3
    studentized = Studentized(observed, null.copy(), np.zeros(6), np.ones(6))
    adjusted = max_t_pvalues(studentized, alternative)
    assert adjusted == pytest.approx(naive_max_t(observed, null, alternative))


def test_max_t_rejects_no_less_than_bonferroni_and_no_more_than_each_alone(four):
    truth, predictions = four
    result = (
        PairwiseComparison(correction="max-t", random_state=0)
        .fit_predictions(truth, predictions)
        .result_
    )
    n_pairs = len(result.pairs)
    assert (result.pvalues_adjusted >= result.pvalues).all()
    # Single pairs are compared on their own scale: a union bound holds up to the
    # granularity of p-values.
    bound = n_pairs * (result.pvalues + 1e-4)
    smallest = np.argmin(result.pvalues)
    assert result.pvalues_adjusted[smallest] <= max(bound[smallest], 1e-3)


def test_intervals_by_max_t_are_as_wide_as_the_range_demands():
    """Independent normal differences: their largest has a quantile by formula."""
    rng = np.random.default_rng(0)
    deltas, null = np.zeros(5), rng.normal(size=(20_000, 5)) * [1, 2, 3, 4, 5]
    intervals = max_t_intervals(deltas, studentize(deltas, null, np.zeros(5)), 0.9)
    quantile = stats.norm.ppf((1 + 0.9 ** (1 / 5)) / 2)
    widths = np.array([high for _, high in intervals]) / [1, 2, 3, 4, 5]
    assert widths == pytest.approx(np.full(5, quantile), rel=0.03)


def test_undefined_resamples_count_as_exceeding_in_max_t():
    null = np.array([[0.1, 0.1], [np.nan, 0.1], [0.1, -0.2], [-0.1, 0.1]])
    studentized = Studentized(np.array([5.0, 4.0]), null, np.zeros(2), np.ones(2))
    assert max_t_pvalues(studentized, "two-sided").tolist() == [0.4, 0.4]


def test_undefined_resamples_are_left_out_of_intervals_by_max_t():
    rng = np.random.default_rng(0)
    null = rng.normal(size=(99, 2))
    gaps = np.vstack([null, [[np.nan, 0.5], [0.5, np.nan]]])
    deltas = np.array([1.0, 2.0])
    studentized = studentize(deltas, gaps, np.zeros(2))
    assert np.isfinite(max_t_intervals(deltas, studentized, 0.9)).all()
    assert studentized.errors == pytest.approx(np.nanstd(gaps, axis=0, ddof=1))
    one = studentize(deltas, np.array([[0.3, 0.0]]), np.zeros(2))
    assert one.errors.tolist() == [0, 0]


@pytest.mark.parametrize("nothing", [0.0, 1e-16, -1e-16])
def test_a_difference_without_spread_is_nothing_or_everything(nothing):
    null = np.zeros((19, 2))
    studentized = studentize(np.array([nothing, 0.5]), null, np.full(2, 1e-12))
    assert studentized.observed.tolist() == [0.0, np.inf]
    assert max_t_pvalues(studentized, "two-sided").tolist() == [1.0, 0.05]
    intervals = max_t_intervals(np.array([0.0, 0.5]), studentized, 0.95)
    assert [tuple(interval) for interval in intervals] == [(0.0, 0.0), (0.5, 0.5)]


@pytest.mark.parametrize("correction", ["holm", "max-t", "bh", "none"])
def test_models_that_predict_alike_have_a_pvalue_of_one(four, correction):
    truth, predictions = four
    predictions = {**predictions, "copy": predictions["m0"].copy()}
    comparison = PairwiseComparison(correction=correction, random_state=0)
    with pytest.warns(DegenerateDataWarning, match="m0 - copy: Both models predict"):
        result = comparison.fit_predictions(truth, predictions).result_
    place = result.pairs.index(("m0", "copy"))
    assert result.pvalues_adjusted[place] == 1
    assert result.letters["m0"] == result.letters["copy"]
    assert result.decisions[place] == "n.s."
    assert "m0 - copy" in result.caveats[0]


def test_all_labelings_are_shared_by_randomization_with_max_t():
    truth = np.ones(8, dtype=int)
    predictions = {
        "a": np.array([1, 1, 1, 1, 1, 1, 1, 1]),
        "b": np.array([0, 0, 0, 0, 0, 1, 1, 1]),
        "c": np.array([0, 0, 0, 1, 1, 1, 1, 0]),
    }
    result = (
        PairwiseComparison(
            test=ApproxRandomization(alternative="two-sided"),
            scoring="accuracy",
            correction="max-t",
        )
        .fit_predictions(truth, predictions)
        .result_
    )
    rows = np.array([predictions[name] for name in "abc"])
    moves = np.array([rows[i] - rows[j] for i, j in ((0, 1), (0, 2), (1, 2))]).T / 8
    signs = np.array(list(itertools.product([1, -1], repeat=6)))
    null = signs @ moves[np.any(moves != 0, axis=1)]
    t = result.deltas / null.std(axis=0, ddof=1)
    scaled = np.abs(null / null.std(axis=0, ddof=1))
    order = np.argsort(-np.abs(t), kind="stable")
    expected = [
        np.mean(scaled[:, order[s:]].max(axis=1) >= abs(t[order[s]]) - 1e-9)
        for s in range(3)
    ]
    adjusted = result.pvalues_adjusted[order]
    assert adjusted == pytest.approx(np.maximum.accumulate(expected))
    assert result.pvalues[0] == 2 / 2**5  # all five differing rows favor A


@pytest.mark.parametrize("n_rows", [40, 400])
@pytest.mark.parametrize("scoring", ["accuracy", make_scorer(accuracy_score)], ids=str)
@pytest.mark.parametrize(
    "test",
    [
        PairedBootstrap(alternative="two-sided", n_resamples=50),
        ApproxRandomization(n_resamples=50, method="monte-carlo"),
    ],
    ids=repr,
)
def test_differences_of_one_resample_belong_together(test, scoring, n_rows):
    """On the same rows, or after the same swaps, a - b and b - c add up to a - c."""
    truth, predictions = correlated_predictions(
        np.random.default_rng(0), n_rows, [0.8, 0.7, 0.5]
    )
    result = (
        PairwiseComparison(test=test, scoring=scoring, correction="max-t")
        .fit_predictions(truth, predictions)
        .result_
    )
    ab, ac, bc = (pair.distribution for pair in result.results)
    assert ab + bc == pytest.approx(ac, abs=1e-12)
    assert np.ptp(ab) > 0


def false_rejections(seed, *, test, correction, n_models=4, n_rows=120, alpha=0.05):
    """Yield whether any of equally good, correlated models is rejected, by study."""
    rng = np.random.default_rng(seed)
    for run in itertools.count():
        truth, predictions = correlated_predictions(rng, n_rows, [0.8] * n_models)
        comparison = PairwiseComparison(
            test=test,
            correction=correction,
            scoring="accuracy",
            alpha=alpha,
            random_state=run,
        )
        yield comparison.fit_predictions(truth, predictions).result_.significant.any()


SETUPS = [
    pytest.param(PairedBootstrap(alternative="two-sided", n_resamples=199), id="boot"),
    pytest.param(
        ApproxRandomization(
            alternative="two-sided", n_resamples=199, method="monte-carlo"
        ),
        id="swap",
    ),
]


@pytest.mark.parametrize("test", SETUPS)
def test_max_t_keeps_the_familywise_error(test, simulations):
    rejected = false_rejections(0, test=test, correction="max-t", alpha=0.1)
    assert_level_kept(rejected, simulations(None, 1_000), 0.1)


@pytest.mark.slow
@pytest.mark.parametrize("test", SETUPS)
def test_max_t_is_not_far_below_the_level_with_more_rows(test):
    rejected = false_rejections(1, test=test, correction="max-t", n_rows=600)
    count = sum(itertools.islice(rejected, 400))
    assert count >= stats.binom.ppf(0.001, 400, 0.03)


def test_without_correction_the_familywise_error_is_far_off():
    rejected = false_rejections(2, test=SETUPS[0].values[0], correction="none")
    with pytest.raises(AssertionError, match="above"):
        assert_level_kept(rejected)


# Letters and groups.


@pytest.mark.parametrize("seed", range(5))
def test_models_share_a_letter_just_if_they_do_not_differ(seed):
    rng = np.random.default_rng(seed)
    differ = np.triu(rng.random((8, 8)) < 0.5, 1)
    differ |= differ.T
    letters = compact_letters(differ, rng.permutation(8))
    for i, j in itertools.combinations(range(8), 2):
        assert bool(set(letters[i]) & set(letters[j])) == (not differ[i, j])
    groups = indistinct_groups(differ)
    assert not any(
        set(a) < set(b) for a, b in itertools.permutations(groups, 2)
    )  # none is superfluous


def test_letters_begin_with_the_best_and_go_beyond_the_alphabet():
    differ = ~np.eye(54, dtype=bool)
    letters = compact_letters(differ, range(53, -1, -1))
    assert letters[::-1] == (*string.ascii_letters, "[53]", "[54]")
    assert compact_letters(np.zeros((3, 3), dtype=bool)) == ("a", "a", "a")


# Intervals.


def test_corrected_intervals_are_wider_and_labeled(four):
    truth, predictions = four
    results = {
        correction: PairwiseComparison(correction=correction, random_state=0)
        .fit_predictions(truth, predictions)
        .result_
        for correction in ("none", "holm", "max-t")
    }
    widths = {c: np.diff(r.intervals).ravel() for c, r in results.items()}
    assert (widths["none"] < widths["max-t"]).all()
    assert (widths["none"] < widths["holm"]).all()
    assert results["none"].interval_kind == "marginal"
    assert results["holm"].interval_kind == "bonferroni"
    assert results["max-t"].interval_kind == "max-t"
    assert {r.confidence_level for r in results.values()} == {0.95}
    assert results["holm"].results[0].confidence_level == pytest.approx(1 - 0.05 / 6)
    summary = results["holm"].summary()
    assert "95 % for all pairs at once, by Bonferroni" in summary
    assert "Holm's correction" in summary


@pytest.mark.parametrize(
    "correction", ["max-t", pytest.param("holm", marks=pytest.mark.slow)]
)
def test_corrected_intervals_cover_all_true_differences_at_once(
    correction, simulations
):
    accuracies = [0.9, 0.8, 0.8, 0.6]
    true = np.array([a - b for a, b in itertools.combinations(accuracies, 2)])
    rng = np.random.default_rng(0)
    test = PairedBootstrap(
        alternative="two-sided", n_resamples=499, confidence_level=0.9
    )

    def missed(run):
        truth, predictions = correlated_predictions(rng, 300, accuracies)
        comparison = PairwiseComparison(
            test=test, correction=correction, scoring="accuracy", random_state=run
        )
        low, high = comparison.fit_predictions(truth, predictions).result_.intervals.T
        return not ((low <= true + 1e-9) & (true - 1e-9 <= high)).all()

    runs = map(missed, itertools.count())
    assert_level_kept(runs, simulations(None, 500), 0.1)


def test_intervals_that_rest_on_few_resamples_have_a_note(four):
    truth, predictions = four
    test = PairedBootstrap(alternative="two-sided", n_resamples=499)
    few = PairwiseComparison(test=test, random_state=0).fit_predictions(
        truth, predictions
    )
    # 2.5 % of 499, divided by six pairs
    assert "the outermost 3 resamples on either side" in few.result_.notes()[3]
    many = PairwiseComparison(random_state=0).fit_predictions(truth, predictions)
    assert "outermost" not in many.result_.summary()


@pytest.mark.parametrize("n_resamples", [99, np.int64(99)])
def test_resamples_too_few_for_the_correction_are_warned_of(four, n_resamples):
    truth, predictions = four
    test = PairedBootstrap(alternative="two-sided", n_resamples=n_resamples)
    comparison = PairwiseComparison(test=test, random_state=0)
    with pytest.warns(
        FewResamplesWarning, match=r"corrected for 6 pairs, is below 0\.06"
    ):
        result = comparison.fit_predictions(truth, predictions).result_
    assert result.pvalues_adjusted.min() == pytest.approx(0.06)
    assert "none can be significant" in result.caveats[-1]
    comparison.set_params(correction="max-t").fit_predictions(truth, predictions)
    assert comparison.result_.significant.any()


@pytest.mark.parametrize(
    ("correction", "n_resamples", "smallest"),
    [
        *[("max-t", 9, "0.2"), ("none", 9, "0.2"), ("bh", 9, "0.2")],
        *[("hochberg", 9, "0.2"), ("by", 79, "0.061"), ("holm", 199, "0.06")],
    ],
)
def test_twice_a_tail_and_every_correction_are_warned_of(
    four, correction, n_resamples, smallest
):
    """A two-sided percentile p-value is at least ``2 / (n_resamples + 1)``."""
    truth, predictions = four
    test = PairedBootstrap(
        alternative="two-sided", n_resamples=n_resamples, method="percentile"
    )
    comparison = PairwiseComparison(test=test, correction=correction, random_state=0)
    with pytest.warns(FewResamplesWarning, match=rf"is below {smallest}: none can be"):
        result = comparison.fit_predictions(truth, predictions).result_
    assert not result.significant.any()


def test_signs_too_few_for_the_correction_are_warned_of(four):
    truth, predictions = four
    test = WildClusterBootstrap(
        scoring="accuracy", alternative="two-sided", n_resamples=99
    )
    comparison = PairwiseComparison(test=test, random_state=0)
    groups = np.arange(len(truth)) // 2
    with pytest.warns(FewResamplesWarning, match="corrected for 6 pairs"):
        comparison.fit_predictions(truth, predictions, groups=groups)


# The result.


def test_result_exports_a_tidy_table_matrices_and_json(four):
    truth, predictions = four
    result = (
        PairwiseComparison(random_state=0).fit_predictions(truth, predictions).result_
    )
    frame = result.to_frame()
    columns = "a b delta low high pvalue pvalue_adjusted decision"
    assert list(frame.columns) == columns.split()
    assert len(frame) == 6
    pvalues, deltas = result.matrix(), result.matrix("delta")
    assert np.isnan(np.diag(pvalues)).all()
    assert pvalues.at["m0", "m3"] == pvalues.at["m3", "m0"]
    assert pvalues.at["m0", "m3"] == result.pvalues_adjusted[2]
    assert deltas.at["m0", "m3"] == -deltas.at["m3", "m0"] == result.deltas[2]
    for axis, model in zip(deltas.axes, ("a", "b"), strict=True):
        assert (axis.name, tuple(axis)) == (model, result.names)
    loaded = json.loads(json.dumps(result.to_dict()))
    assert loaded["champion"] == "m0"
    assert "<table>" in result._repr_html_()
    with pytest.raises(ValueError, match="`column` must be one of 'pvalue_adjusted'"):
        result.matrix("low")


def test_onesided_pvalues_fill_one_of_two_mirrored_entries(four):
    truth, predictions = four
    test = PairedBootstrap(n_resamples=199, random_state=0)
    result = PairwiseComparison(test=test).fit_predictions(truth, predictions).result_
    assert np.isnan(result.matrix("pvalue").at["m3", "m0"])
    assert result.matrix("pvalue").at["m0", "m3"] == 0.005


def test_matrices_and_heat_maps_do_without_pandas(four, monkeypatch):
    plt = pytest.importorskip("matplotlib.pyplot")
    truth, predictions = four
    result = (
        PairwiseComparison(random_state=0).fit_predictions(truth, predictions).result_
    )
    named = result.matrix()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        result.matrix()
    np.testing.assert_array_equal(result.matrix(as_frame=False), named)
    plt.close(result.plot().figure_)


def pairs_in(summary):
    """Return the lines of the table of pairs, below its head."""
    _, below = re.split("Pairs, (?:best model first|as tested)", summary)
    table = below.split("\n\n")[1]
    lines = table.splitlines()
    return lines[1 + next(n for n, line in enumerate(lines) if "--" in line) :]


@pytest.mark.parametrize("baseline", [None, "m1"])
def test_tables_are_aligned_and_go_from_the_best_to_the_worst(four, baseline):
    truth, predictions = four
    comparison = PairwiseComparison(
        baseline=baseline, correction="max-t", random_state=0
    )
    result = comparison.fit_predictions(
        truth, dict(reversed(predictions.items()))
    ).result_
    lines = pairs_in(result.summary())
    printed = [tuple(line.split()[:2]) for line in lines]
    assert sorted(map(sorted, printed)) == sorted(map(sorted, result.pairs))
    ranks = [sorted(map(result.ranking.index, pair)) for pair in printed]
    assert ranks == sorted(ranks)
    assert len({line.index("[") for line in lines}) == 1
    assert [row[:2] for row in result.tables()[1].rows] == printed
    if baseline is not None:
        assert {b for _, b in printed} == {baseline}
        return
    assert all(a < b for a, b in (map(result.ranking.index, pair) for pair in printed))
    assert not any("<" in line.split()[-1] or " -0" in line[:20] for line in lines)


def test_onesided_pairs_stay_as_they_were_tested(four):
    truth, predictions = four
    test = PairedBootstrap(n_resamples=999, random_state=0)
    models = dict(reversed(predictions.items()))
    comparison = PairwiseComparison(test=test, correction="none")
    result = comparison.fit_predictions(truth, models).result_
    printed = [tuple(line.split()[:2]) for line in pairs_in(result.summary())]
    assert sorted(printed) == sorted(result.pairs)


def test_of_many_pairs_those_of_the_champion_are_listed_best_first():
    rng = np.random.default_rng(0)
    truth, predictions = correlated_predictions(rng, 300, np.linspace(0.6, 0.9, 8))
    result = (
        PairwiseComparison(random_state=0).fit_predictions(truth, predictions).result_
    )
    lines = pairs_in(result.summary())
    others = [set(line.split()[:2]) - {result.champion} for line in lines]
    assert [name for (name,) in others] == list(result.ranking[1:])


@pytest.mark.parametrize(
    "test",
    [
        ApproxRandomization(alternative="two-sided", n_resamples=99, random_state=0),
        SignTest(alternative="two-sided"),  # its interval is one for the median
    ],
)
def test_results_without_intervals_have_no_column_and_no_note_for_them(four, test):
    truth, predictions = four
    result = PairwiseComparison(test=test).fit_predictions(truth, predictions).result_
    assert np.isnan(result.intervals).all()
    assert result.interval_kind is result.confidence_level is None
    columns = "a", "b", "a - b", "p-value", "adjusted p-value", "decision"
    assert result.tables()[1].columns == columns
    assert not any("interval" in note.lower() for note in result.notes())


def test_symbols_double_at_a_fifth_of_alpha():
    truth, predictions = correlated_predictions(
        np.random.default_rng(4), 400, [0.8, 0.74]
    )
    result = (
        PairwiseComparison(random_state=0).fit_predictions(truth, predictions).result_
    )
    pvalue = result.pvalues_adjusted[0]
    assert 0.0001 < pvalue < 0.2
    for alpha, symbol in (
        (5.5 * pvalue, ">>"),
        (2 * pvalue, ">"),
        (pvalue / 2, "n.s."),
    ):
        again = PairwiseComparison(random_state=0, alpha=min(alpha, 0.99))
        assert again.fit_predictions(truth, predictions).result_.decisions == (symbol,)


@pytest.mark.parametrize("kind", [None, "heatmap", "forest"])
@pytest.mark.parametrize("baseline", [None, "m1"])
def test_results_draw_themselves(four, kind, baseline):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    truth, predictions = four
    comparison = PairwiseComparison(random_state=0, baseline=baseline)
    result = comparison.fit_predictions(truth, predictions).result_
    display = result.plot(kind=kind)
    forest = kind == "forest" or (kind is None and baseline)
    assert type(display).__name__ == (
        "ForestDisplay" if forest else "PValueHeatmapDisplay"
    )
    if forest:
        frame = display.frame()
        expected = {
            None: (f"m0 - {result.ranking[1]}", "m0 - m3"),
            "m1": ("m0 - m1", "m3 - m1"),
        }
        assert (frame.index[0], frame.index[-1]) == expected[baseline]
        assert np.sign(frame.delta.iloc[-1]) == (-1 if baseline else 1)
        assert ((frame.low < frame.delta) & (frame.delta < frame.high)).all()


def test_max_t_of_two_models_has_the_pvalue_and_the_interval_of_the_test(four):
    truth, predictions = four
    pair = {name: predictions[name] for name in list(predictions)[:2]}
    params = {"scoring": "accuracy", "random_state": 0}
    pairs = PairwiseComparison(correction="max-t", **params)
    pairs = pairs.fit_predictions(truth, pair).result_
    alone = PairedBootstrap(alternative="two-sided", **params)
    alone = alone.fit_predictions(truth, *pair.values()).result_
    assert pairs.pvalues_adjusted.tolist() == [alone.pvalue]
    (low, high), (delta,) = pairs.intervals[0], pairs.deltas
    assert high - delta == pytest.approx(delta - low)
    assert alone.delta == delta
    assert (low, high) == pytest.approx(alone.confidence_interval)


# Bad input.


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"baseline": "m9"}, r"`baseline` must be the name of one.*Got 'm9'"),
        ({"correction": "sidak"}, r"`correction` must be one of .*Got 'sidak'"),
        ({"alpha": 1.5}, r"`alpha` must lie strictly between 0 and 1"),
        ({"test": "mcnemar"}, r"`test` must be a test of two models.*Got 'mcnemar'"),
        (
            {"estimators": McNemar()},
            r"`estimators` must be a list .* Got McNemar\(\)\. .* test=McNemar\(\)",
        ),
        (
            {"test": BayesianComparison()},
            r"`test` must be .* that gives a p-value.*Got BayesianComparison\(\)\. A "
            "posterior has no p-value",
        ),
        (
            {"test": BayesianCorrelatedTTest()},
            r"Got BayesianCorrelatedTTest\(\)\. A posterior has no p-value",
        ),
        (
            {"test": NestedCVInterval()},
            r"Got NestedCVInterval\(\)\. It fits .* splits of its own: fit it to each "
            "pair, and correct its `pvalue_` by adjust_pvalues",
        ),
        (
            {"test": McNemar(), "scoring": "f1"},
            r"`scoring` must be None or 'accuracy' for McNemar, .*Got 'f1'",
        ),
        # the numbers are those that were passed
        (
            {"test": CorrectedTTest()},
            r"a test of predictions .*Got CorrectedTTest\(\), ",
        ),
        (
            {"test": FiveByTwoCV()},
            r"a test of predictions .*Got FiveByTwoCV\(\), which",
        ),
        (
            {"test": PairedTTest(), "scoring": "accuracy", "correction": "max-t"},
            r"'max-t' needs.* Got PairedTTest\(\) as `test`",
        ),
        (
            {"test": McNemar(), "correction": "max-t"},
            r"'max-t' needs a fixed number of resamples.*Got McNemar\(",
        ),
    ],
)
def test_bad_parameters_are_named(four, parameters, message):
    with pytest.raises(ValueError, match=message):
        PairwiseComparison(**parameters).fit_predictions(*four)


def test_bad_predictions_are_named(four):
    truth, _ = four
    comparison = PairwiseComparison()
    with pytest.raises(ValueError, match=r"`y_preds` must be a dict.*Got ndarray"):
        comparison.fit_predictions(truth, truth)
    with pytest.raises(ValueError, match=r"`y_preds` must have at least two models"):
        comparison.fit_predictions(truth, {"a": truth})
    with pytest.raises(ValueError, match=r"`y_preds\['b'\]` must have one entry"):
        comparison.fit_predictions(truth, {"a": truth, "b": truth[:-1]})
    with pytest.raises(ValueError, match="`y_preds` must have at least two models"):
        comparison.fit_predictions(truth, {})


def test_bad_models_are_named(data):
    X, y = data
    twice = [("a", GaussianNB()), ("a", GaussianNB())]
    with pytest.raises(ValueError, match=r"`estimators` must have at least two models"):
        PairwiseComparison(twice, cv=3).fit(X, y)
    with pytest.raises(ValueError, match=r"`estimators` must be a list of \(name, mod"):
        PairwiseComparison().fit(X, y)
    with pytest.raises(ValueError, match="Got a list of 'lr', 'nb'"):
        PairwiseComparison(["lr", "nb"], cv=3).fit(X, y)
    with pytest.raises(NotFittedError, match="`tree`"):
        PairwiseComparison(MODELS[1:]).fit(X, y)
    with pytest.raises(ValueError, match="requires y"):
        PairwiseComparison(MODELS, cv=3).fit(X)


def test_messages_name_models_as_the_user_does():
    labels, scores = np.tile([0, 1, 2], 20), np.full((60, 3), 1 / 3)
    message = "`y_preds['forest']` must contain labels for the scorer 'accuracy'"
    with pytest.raises(ValueError, match=re.escape(message)):
        PairwiseComparison(scoring="accuracy").fit_predictions(
            labels, {"nb": labels, "forest": scores}
        )


def test_the_sentence_notes_that_pairs_were_tested_in_one_direction():
    rng = np.random.default_rng(0)
    truth, predictions = correlated_predictions(rng, 300, (0.4, 0.8))
    sentences, notes = [], []
    for alternative in ("greater", "two-sided"):
        test = PairedBootstrap(alternative=alternative, n_resamples=199)
        comparison = PairwiseComparison(test=test, scoring="accuracy", random_state=0)
        result = comparison.fit_predictions(truth, predictions).result_
        sentences.append(result.sentence())
        notes.append(" ".join(result.notes()))
    assert "from m0, but each pair was tested in one direction only, in" in sentences[0]
    assert "pass `test=PairedBootstrap(alternative='two-sided')`." in notes[0]
    assert "direction" not in notes[1]
    assert "All others are significantly worse." in sentences[1]


def test_mixed_kinds_of_responses_are_refused_where_they_are_exchanged(data):
    _, y = data
    labels, probabilities = y, np.linspace(0, 1, len(y))
    comparison = PairwiseComparison(test=ApproxRandomization(), scoring="roc_auc")
    with pytest.raises(ValueError, match="roc_auc"):
        comparison.fit_predictions(
            y,
            {
                "labels": {"predict": labels},
                "scores": {"predict_proba": probabilities},
            },
        )


def test_inputs_that_a_test_does_not_take_are_refused(four):
    truth, predictions = four
    with pytest.raises(ValueError, match="`groups` must be None for McNemar"):
        PairwiseComparison(test=McNemar()).fit_predictions(
            truth, predictions, groups=np.arange(len(truth))
        )


def test_few_rows_are_warned_of_once():
    truth, predictions = correlated_predictions(
        np.random.default_rng(0), 20, [0.8, 0.7, 0.6]
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        PairwiseComparison(random_state=0).fit_predictions(truth, predictions)
    assert [w.category for w in caught] == [SmallSampleWarning]
    assert caught[0].filename == __file__


def test_pairs_may_have_as_many_resamples_as_they_need(four):
    truth, predictions = four
    test = PairedBootstrap(alternative="two-sided", n_resamples="auto", random_state=0)
    result = PairwiseComparison(test=test).fit_predictions(truth, predictions).result_
    assert result.n_resamples == "auto" or isinstance(result.n_resamples, int)
    single = clone(test).fit_predictions(truth, predictions["m1"], predictions["m2"])
    assert result.pvalues[3] == single.pvalue_


def test_delong_compares_areas_pair_by_pair():
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=100)
    scores = {f"s{s}": truth + rng.normal(scale=s, size=100) for s in (1, 2, 3)}
    result = (
        PairwiseComparison(test=DeLong(alternative="two-sided"))
        .fit_predictions(truth, scores)
        .result_
    )
    single = DeLong(alternative="two-sided").fit_predictions(
        truth, scores["s1"], scores["s3"]
    )
    assert result.pvalues[1] == single.pvalue_


# The script in the user guide.


@pytest.fixture
def promote():
    """The `main` of doc/examples/promote.py."""
    path = pathlib.Path(__file__).parents[2] / "doc" / "examples" / "promote.py"
    return runpy.run_path(str(path))["main"]


@pytest.mark.parametrize(("depth", "code"), [(None, 0), (1, 3)])
def test_the_retraining_script_promotes_the_better_model(
    promote, data, tmp_path, monkeypatch, depth, code
):
    X, y = data
    monkeypatch.chdir(tmp_path)
    challenger = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y)
    stump = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y)
    joblib.dump(stump, "champion.joblib")
    joblib.dump(challenger, "challenger.joblib")
    np.savetxt("test.csv", np.column_stack([X, y]), delimiter=",", header="columns")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateDataWarning)  # the same stump twice
        assert promote("champion.joblib", "test.csv", "challenger.joblib") == code
    deployed = joblib.load("champion.joblib")
    expected = challenger if code == 0 else stump
    assert deployed.predict(X).tolist() == expected.predict(X).tolist()


def test_pairs_tested_in_one_direction_get_no_letters():
    y = np.arange(60) % 2
    models = {"wrong": np.where(np.arange(60) < 55, 1 - y, y), "right": y}
    for alternative, letters in (
        ("greater", None),
        ("two-sided", {"wrong": "b", "right": "a"}),
    ):
        test = PairedBootstrap(
            scoring="accuracy", alternative=alternative, random_state=0
        )
        comparison = PairwiseComparison(test=test).fit_predictions(y, models)
        assert comparison.letters_ == letters


class FailsOnSomeFolds(DecisionTreeClassifier):
    """Cannot be fitted without the first row."""

    def fit(self, X, y):
        if not (X == 0).all(axis=1).any():
            raise ValueError("the first row is missing")
        return super().fit(X, y)


def test_folds_on_which_some_model_fails_count_for_none():
    X, y = make_classification(n_samples=100, random_state=0)
    X[0] = 0
    models = [
        ("tree", DecisionTreeClassifier(random_state=0)),
        ("nb", GaussianNB()),
        ("fails", FailsOnSomeFolds(random_state=0)),
    ]
    comparison = PairwiseComparison(models, test=CorrectedTTest(), cv=4)
    with pytest.raises(ValueError, match="the first row is missing"):
        comparison.fit(X, y)
    with (
        pytest.warns(FailedFitWarning, match="the first row is missing"),
        pytest.warns(DegenerateDataWarning, match="tree - fails: "),
    ):
        result = comparison.set_params(error_score=np.nan).fit(X, y).result_
    scores = dict(zip(result.names, result.scores, strict=True))
    assert scores["tree"] == scores["fails"]
    folds = cross_val_score(models[1][1], X, y, cv=4)
    assert scores["nb"] == pytest.approx(folds[1:].mean())


# What few rows can show of pairs


quiet_pairs = pytest.mark.filterwarnings(
    "ignore::skcompare.exceptions.ComparisonWarning"
)


@quiet_pairs
@pytest.mark.parametrize("scoring", ["accuracy", "f1_macro"])
@pytest.mark.parametrize("n_rows", [3, 4, 5])
@pytest.mark.parametrize("baseline", [None, "b"])
def test_pairs_show_no_more_than_their_few_rows(scoring, n_rows, baseline):
    """Rows that differ all favor A: two-sided, as many signs show 2 / 2^n."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=200)
    a = np.where(rng.random(200) < 0.8, truth, 1 - truth)
    b, right = a.copy(), np.flatnonzero(a == truth)[:n_rows]
    b[right] = 1 - b[right]
    comparison = PairwiseComparison(
        scoring=scoring, correction="max-t", baseline=baseline, random_state=0
    ).fit_predictions(truth, {"a": a, "b": b, "twin": b.copy()})
    result = comparison.result_
    place = result.pairs.index(("a", "b"))
    assert result.pvalues[place] == 2 * 0.5**n_rows
    assert result.intervals[place][0] <= 0
    assert comparison.confidence_set_ == ("a", "b", "twin")
    assert result.confidence_set_pvalues.tolist() == [1, *[2 * 0.5**n_rows] * 2]
    # Twins differ by no more than so many rows that agree may hide.
    twins = [k for k, pair in enumerate(result.pairs) if set(pair) == {"b", "twin"}]
    low, high = result.intervals[twins[0]]
    assert low < 0 < high


@quiet_pairs
def test_a_confidence_set_with_a_baseline_uses_pairs_without_it():
    """The best model and the next differ on four rows, the baseline on many."""
    truth = np.zeros(200, dtype=int)
    wrong = np.arange(200)
    best, second, base = (np.where(wrong < n, 1, 0) for n in (10, 14, 80))
    comparison = PairwiseComparison(
        scoring="accuracy", baseline="base", random_state=0
    ).fit_predictions(truth, {"best": best, "second": second, "base": base})
    assert comparison.confidence_set_ == ("best", "second")
    assert comparison.result_.confidence_set_pvalues[1] == 0.125


@quiet_pairs
def test_max_t_intervals_stay_in_the_range_of_the_metric():
    rng = np.random.default_rng(3)
    truth = np.repeat([1, 0], [3, 57])
    scores = rng.normal(size=(3, 60)) + np.outer([4.0, 0.3, 0.0], truth)
    comparison = PairwiseComparison(
        scoring="roc_auc", correction="max-t", random_state=0
    ).fit_predictions(truth, dict(zip("abc", scores, strict=True)))
    assert np.abs(comparison.result_.intervals).max() <= 1
    by_pair = zip(comparison.result_.pvalues, comparison.result_.intervals, strict=True)
    assert all((low <= 0 <= high) for p, (low, high) in by_pair if p > 0.05)
