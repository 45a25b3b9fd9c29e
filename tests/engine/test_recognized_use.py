"""What follows where a metric of one's own adds up; and what scorers may do to rows."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.metrics import accuracy_score, make_scorer

from skcompare import (
    ApproxRandomization,
    CrossValidationCLT,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    SignTest,
    WilcoxonSignedRank,
)
from skcompare._engine import MetricStatistic, recognition_of
from skcompare.metrics import recognize_metric
from skcompare.planning import recommend_test

N = 300


def make_labels(n=N):
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=n)
    return y, *(np.where(rng.random(n) < q, y, 1 - y) for q in (0.9, 0.8))


def make_numbers(n=N):
    rng = np.random.default_rng(0)
    y = rng.gamma(2.0, size=n) + 0.1
    return y, *np.abs(y + rng.normal(size=(2, n)) * [[0.5], [0.6]])


LABELS, NUMBERS = make_labels(), make_numbers()


def own_accuracy(y, p):
    return np.mean(y == p)


def own_error(y, p):
    return np.mean(np.abs(y - p))


def own_f1(y, p):
    return 2 * np.sum(y & p) / (np.sum(y) + np.sum(p))


# Tests of single rows


@pytest.mark.parametrize(
    "test", [PairedTTest, WilcoxonSignedRank, SignTest, CrossValidationCLT]
)
@pytest.mark.parametrize(
    ("own", "usual", "data"),
    [
        (make_scorer(own_accuracy), "accuracy", LABELS),
        (
            make_scorer(own_error, greater_is_better=False),
            "neg_mean_absolute_error",
            NUMBERS,
        ),
    ],
    ids=["labels", "numbers"],
)
def test_tests_of_rows_take_a_recognized_mean(test, own, usual, data):
    ours, theirs = (
        test(scoring=scoring).fit_predictions(*data).result_ for scoring in (own, usual)
    )
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)
    assert ours.delta == pytest.approx(theirs.delta, rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_tests_of_rows_take_a_mean_of_rare_events(seed):
    """Whether it is recognized does not depend on the rows that are looked at first."""
    rng = np.random.default_rng(seed)
    y = (rng.random(4_000) < 0.005).astype(int)
    a, b = (np.where(rng.random(4_000) < 0.4, y, 0) for _ in "ab")
    amount = rng.gamma(2.0, size=4_000)
    mean_cost = lambda y, p, amount: np.mean(amount * (y != p))  # noqa: E731
    scorer = make_scorer(mean_cost, greater_is_better=False, amount=amount)
    result = PairedTTest(scoring=scorer).fit_predictions(y, a, b).result_
    assert result.n_rows == 4_000


def test_all_pairs_of_models_have_rows():
    y, a, b = LABELS
    models = {"a": a, "b": b, "c": 1 - a}
    ours, theirs = (
        PairwiseComparison(test=PairedTTest(scoring=scoring)).fit_predictions(y, models)
        for scoring in (make_scorer(own_accuracy), "accuracy")
    )
    np.testing.assert_allclose(ours.result_.pvalues, theirs.result_.pvalues, rtol=1e-9)


@pytest.mark.parametrize(
    "metric",
    [own_f1, lambda y, p: np.median(y == p), lambda y, p: np.sum(y == p)],
    ids=["ratio", "median", "sum"],
)
def test_tests_of_rows_refuse_metrics_that_are_no_mean(metric):
    with pytest.raises(ValueError, match="average of one number per row"):
        PairedTTest(scoring=make_scorer(metric)).fit_predictions(*LABELS)


def test_tests_of_rows_refuse_a_metric_that_wants_to_be_called():
    scorer = make_scorer(own_accuracy)
    scorer.recognize = False
    with pytest.raises(ValueError, match="average of one number per row"):
        PairedTTest(scoring=scorer).fit_predictions(*LABELS)


def test_a_mean_of_few_rows_that_is_another_of_all_has_no_rows():
    def on_large_samples(y, p):
        return np.mean(y == p) - (0.01 if len(y) > 290 else 0.0)

    assert not recognize_metric(on_large_samples, *LABELS[:2])
    with pytest.raises(ValueError, match="average of one number per row"):
        PairedTTest(scoring=make_scorer(on_large_samples)).fit_predictions(*LABELS)


def test_advice_is_that_for_the_same_metric_by_its_name():
    ours, theirs = (
        recommend_test(*LABELS, scoring=scoring).test
        for scoring in (make_scorer(own_accuracy), "accuracy")
    )
    assert type(ours) is type(theirs)


# More resamples


@pytest.mark.parametrize(
    "test", [PairedBootstrap(), ApproxRandomization(method="monte-carlo")]
)
@pytest.mark.parametrize("first", [99, 499, 600])
def test_more_resamples_are_the_same_as_all_at_once(test, first):
    test = clone(test).set_params(scoring=make_scorer(own_f1), random_state=0)
    extended, at_once = (
        clone(test).set_params(n_resamples=n).fit_predictions(*LABELS)
        for n in (first, 1_000)
    )
    assert ("recognized" in extended.result_.engine) == (first >= 500)
    extended.extend(1_000 - first)
    assert extended.result_.engine == at_once.result_.engine
    assert "recognized" in at_once.result_.engine
    np.testing.assert_array_equal(extended.distribution_, at_once.distribution_)
    assert extended.pvalue_ == at_once.pvalue_


def test_more_resamples_may_show_that_none_are_needed():
    """Of sums the p-value of all labelings is computed, where it is worth its time."""
    scorer = make_scorer(own_f1)
    test = ApproxRandomization(scoring=scorer, n_resamples=99, random_state=0)
    assert test.fit_predictions(*LABELS).result_.method == "monte-carlo"
    assert test.extend(900).result_.method == "exact"


def test_rows_too_many_for_few_resamples_are_tried_for_more():
    y, a, b = NUMBERS

    def error(y, p):  # one sample at a time
        return float(np.mean(np.abs(y - p)))

    y, a, b = (np.tile(x, 3) + np.arange(3 * N) / 1e6 for x in NUMBERS)
    extended, at_once = (
        PairedBootstrap(
            scoring=make_scorer(error), n_resamples=n, random_state=0
        ).fit_predictions(y, a, b)
        for n in (600, 2_000)
    )
    assert extended.result_.engine == "generic"  # 1,800 rows against 600 resamples
    extended.extend(1_400)
    assert extended.result_.engine == at_once.result_.engine == "mean, recognized/rows"
    np.testing.assert_array_equal(extended.distribution_, at_once.distribution_)


def test_resamples_drawn_by_calls_are_not_drawn_again():
    calls = []

    def median(y, p):
        calls.append(1)
        return np.median(np.abs(y - p))

    test = PairedBootstrap(scoring=make_scorer(median), n_resamples=800, random_state=0)
    test.fit_predictions(*NUMBERS)
    calls.clear()
    test.extend(32)
    assert len(calls) < 200  # 64 of new resamples, and what trying costs


# Many samples in one call


OF_NUMBERS = {
    "rmse": lambda y, p: np.sqrt(np.mean((y - p) ** 2)),
    "wape": lambda y, p: np.abs(y - p).sum() / np.abs(y).sum(),
    "one minus wape": lambda y, p: 1 - np.sum(np.abs(y - p)) / np.sum(np.abs(y)),
    "pinball": lambda y, p: np.mean(np.where(y > p, 0.9 * (y - p), 0.1 * (p - y))),
    "by size": lambda y, p: np.sum(np.abs(y - p)) / y.size,
    "by length": lambda y, p: sum(np.abs(y - p)) / len(y),
}
ONE_BY_ONE = {
    "float": lambda y, p: float(np.mean(np.abs(y - p))),
    "loop": lambda y, p: sum(abs(a - b) for a, b in zip(y, p, strict=True)) / len(y),
    "mask": lambda y, p: np.mean((y - p)[y > p]),
    "guarded": lambda y, p: np.sum(y - p) / np.sum(y) if np.sum(y) else 0.0,
}


@pytest.mark.parametrize("metric", OF_NUMBERS.values(), ids=OF_NUMBERS)
def test_rows_are_scored_side_by_side(metric):
    y, p, _ = make_numbers(n=20_000)
    recognized = recognize_metric(metric, y, p)
    assert recognized.n_calls < 200
    row = recognize_metric(metric, y[:500], p[:500])
    np.testing.assert_allclose(
        recognized.row_scores[:500], row.row_scores, rtol=1e-7, atol=1e-9
    )


@pytest.mark.parametrize("name", [*OF_NUMBERS, *ONE_BY_ONE])
def test_side_by_side_and_one_by_one_find_the_same(name):
    metric = (OF_NUMBERS | ONE_BY_ONE)[name]
    y, p, _ = NUMBERS

    def for_vectors(y, p):
        assert y.ndim == 1
        return metric(y, p)

    both = recognize_metric(metric, y, p), recognize_metric(for_vectors, y, p)
    assert both[0].kind == both[1].kind
    if both[0]:
        for part in ("row_scores", "numerators", "influence"):
            ours, theirs = (getattr(one, part) for one in both)
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


def test_a_metric_that_is_another_side_by_side_is_called_row_by_row():
    def sly(y, p):
        wrong = 1.0 if y.ndim > 1 else 0.0
        return np.mean(np.abs(y - p)) + wrong

    y, p, _ = NUMBERS
    recognized = recognize_metric(sly, y, p)
    assert recognized.kind == "mean"
    np.testing.assert_allclose(recognized.row_scores, np.abs(y - p))


def test_a_metric_that_is_another_side_by_side_of_some_rows_is_not_recognized():
    def slyer(y, p):
        errors = np.abs(y - p)
        if y.ndim > 1 and y.shape[1] > 100:
            errors[0, 7] += 1.0
        return np.mean(errors)

    y, p, _ = NUMBERS
    statistic = MetricStatistic(
        metric=slyer,
        sign=1,
        kwargs={},
        y=y,
        responses=[p],
        sample_weight=None,
        observed=(np.mean(np.abs(y - p)),),
        arguments={},
        name="slyer",
    )
    assert recognition_of(statistic).sums is None


# Scorers that change what they get


def changing_truth(y, p):
    y -= p
    return np.mean(np.abs(y))


def changing_predictions(y, p):
    p -= y
    return np.mean(np.abs(p))


def changing_weights(y, p, sample_weight=None):
    value = np.average(np.abs(y - p), weights=sample_weight)
    if sample_weight is not None:
        sample_weight[:] = 0.0
    return value


def as_callable(metric):
    def scorer(estimator, X, y):
        return metric(y, estimator.predict(X))

    return scorer


@pytest.mark.parametrize("n_resamples", [99, 600])
@pytest.mark.parametrize("wrap", [make_scorer, as_callable])
@pytest.mark.parametrize("metric", [changing_truth, changing_predictions])
def test_a_metric_that_changes_its_arguments_changes_no_data(metric, wrap, n_resamples):
    data = [part.copy() for part in NUMBERS]
    changing, plain = (
        PairedBootstrap(scoring=wrap(f), n_resamples=n_resamples, random_state=0)
        .fit_predictions(*data)
        .distribution_
        for f in (metric, own_error)
    )
    np.testing.assert_array_equal(data, NUMBERS)
    np.testing.assert_allclose(changing, plain, rtol=1e-12)


@pytest.mark.parametrize("n_resamples", [99, 600])
def test_a_metric_that_changes_its_weights_changes_no_data(n_resamples):
    weights = np.linspace(1.0, 2.0, N)
    scorer = make_scorer(changing_weights)
    test = PairedBootstrap(scoring=scorer, n_resamples=n_resamples, random_state=0)
    test.fit_predictions(*NUMBERS, sample_weight=weights)
    np.testing.assert_array_equal(weights, np.linspace(1.0, 2.0, N))
    usual = PairedBootstrap(
        scoring="neg_mean_absolute_error", n_resamples=n_resamples, random_state=0
    ).fit_predictions(*NUMBERS, sample_weight=weights)
    assert test.delta_ == pytest.approx(-usual.delta_)
    assert test.standard_error_ == pytest.approx(usual.standard_error_, rel=0.2)


def test_a_scorer_that_changes_x_changes_no_data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = X[:, 0] + rng.normal(size=60)
    models = [LinearRegression(fit_intercept=i).fit(X, y) for i in (True, False)]

    def scorer(estimator, X, y):
        value = np.mean(np.abs(y - estimator.predict(X)))
        X *= 2.0
        return value

    before = X.copy()
    test = PairedBootstrap(*models, scoring=scorer, n_resamples=99, random_state=0)
    test.fit(X, y)
    np.testing.assert_array_equal(X, before)
    expected = [np.mean(np.abs(y - model.predict(X))) for model in models]
    assert test.delta_ == pytest.approx(expected[0] - expected[1])


def test_the_public_function_leaves_its_arrays_alone():
    y, p, _ = (part.copy() for part in NUMBERS)
    assert recognize_metric(changing_predictions, y, p).kind == "mean"
    np.testing.assert_array_equal([y, p], NUMBERS[:2])
    with pytest.raises(ValueError, match="must return one number"):
        recognize_metric(lambda y, p: y == p, *LABELS[:2])
    assert recognize_metric(accuracy_score, *LABELS[:2]).kind == "mean"
