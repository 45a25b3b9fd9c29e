"""Arguments of a scorer with one entry per row are resampled with the rows."""

import functools

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    log_loss,
    make_scorer,
    mean_squared_error,
    roc_auc_score,
)
from sklearn.model_selection import KFold, ShuffleSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    ComparisonReport,
    CorrectedTTest,
    FoldReplicability,
    PairedBootstrap,
    PairwiseComparison,
    power,
)
from skcompare.exceptions import FailedFitWarning

N_ROWS = 120


def parity(y_true, y_pred, sensitive_features):
    """How far apart the shares of hits of two groups of people are, negated."""
    right, group = np.asarray(y_true) == y_pred, np.asarray(sensitive_features)
    return -abs(right[group == 1].mean() - right[group == 0].mean())


def parity_in_x(estimator, X, y):
    """The same, by features that are a column of the data."""
    return parity(y, estimator.predict(X), X[:, -1])


def at_row_numbers(feature):
    """The same of bare predictions, whose `X` are the numbers of the rows."""
    return lambda estimator, X, y: parity(y, estimator.predict(X), feature[X])


@pytest.fixture(scope="module")
def people():
    """Truth, predictions of two models, and a feature that one of them is bad at."""
    rng = np.random.default_rng(0)
    y, feature = rng.integers(2, size=(2, N_ROWS))
    a = np.where(rng.random(N_ROWS) < 0.9 - 0.4 * feature, y, 1 - y)
    b = np.where(rng.random(N_ROWS) < 0.7, y, 1 - y)
    return y, a, b, feature


@pytest.fixture(scope="module")
def data():
    """Rows whose last column is a feature of people."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(N_ROWS, 4))
    X[:, -1] = rng.integers(2, size=N_ROWS)
    y = (X[:, 0] + rng.normal(size=N_ROWS) > 0).astype(int)
    return X, y


def test_the_interval_is_that_of_the_difference_that_was_observed(people):
    y, a, b, feature = people
    test = PairedBootstrap(
        scoring=make_scorer(parity, sensitive_features=feature),
        n_resamples=199,
        random_state=0,
    ).fit_predictions(y, a, b)
    low, high = test.score_a_interval_
    assert low < test.score_a_ < high
    rows = np.random.default_rng(0).integers(N_ROWS, size=(999, N_ROWS))
    expected = [parity(y[r], a[r], feature[r]) for r in rows]
    np.testing.assert_allclose(
        [low, high], np.quantile(expected, [0.025, 0.975]), atol=0.05
    )


@pytest.mark.parametrize(
    "kind", [list, tuple, pd.Series, pl.Series, "shifted", "frame"]
)
def test_any_container_serves(people, kind):
    y, a, b, feature = people
    packed = {
        "shifted": lambda f: pd.Series(f, index=np.arange(N_ROWS)[::-1] + 7),
        "frame": lambda f: pd.DataFrame({"f": f}),
    }.get(kind, kind)(feature.tolist())

    def metric(y_true, y_pred, sensitive_features):
        return parity(y_true, y_pred, np.asarray(sensitive_features).ravel())

    comparisons = [
        PairedBootstrap(
            scoring=scoring, n_resamples=29, random_state=0
        ).fit_predictions(y, a, b)
        for scoring in (
            make_scorer(metric, sensitive_features=packed),
            at_row_numbers(feature),
        )
    ]
    np.testing.assert_array_equal(
        comparisons[0].distribution_, comparisons[1].distribution_
    )


@pytest.mark.parametrize(
    "test",
    [
        ApproxRandomization(),
        PairedBootstrap(interval="percentile"),
        PairedBootstrap(interval="bca"),
        PairedBootstrap(interval="studentized"),
    ],
)
@pytest.mark.parametrize(
    "cv", ["prefit", 3, KFold(3, shuffle=True, random_state=0), TimeSeriesSplit(3)]
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_an_argument_and_a_column_of_the_data_give_the_same(test, cv, data):
    X, y = data
    a, b = (model.fit(X[:60], y[:60]) for model in (LogisticRegression(), GaussianNB()))
    options = {"estimator_a": a, "estimator_b": b, "cv": cv, "n_resamples": 29}
    comparisons = [
        clone(test).set_params(scoring=scoring, random_state=0, **options).fit(X, y)
        for scoring in (make_scorer(parity, sensitive_features=X[:, -1]), parity_in_x)
    ]
    assert comparisons[0].delta_ == comparisons[1].delta_
    np.testing.assert_array_equal(
        comparisons[0].distribution_, comparisons[1].distribution_
    )
    intervals = [one.result_.confidence_interval for one in comparisons]
    assert intervals[0] == intervals[1]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_rows_that_are_tested_several_times_bring_their_entries(data):
    X, y = data
    cv = ShuffleSplit(4, test_size=0.4, random_state=0)
    comparisons = [
        PairedBootstrap(
            LogisticRegression(), GaussianNB(), cv=cv, n_resamples=19, random_state=0
        )
        .set_params(scoring=scoring)
        .fit(X, y)
        for scoring in (make_scorer(parity, sensitive_features=X[:, -1]), parity_in_x)
    ]
    np.testing.assert_array_equal(
        comparisons[0].distribution_, comparisons[1].distribution_
    )


def test_means_of_folds_take_the_entries_of_each_fold(data):
    X, y = data
    comparisons = [
        PairedBootstrap(
            LogisticRegression(),
            GaussianNB(),
            cv=3,
            aggregate="fold-mean",
            n_resamples=19,
            random_state=0,
            scoring=scoring,
        ).fit(X, y)
        for scoring in (make_scorer(parity, sensitive_features=X[:, -1]), parity_in_x)
    ]
    np.testing.assert_array_equal(
        comparisons[0].distribution_, comparisons[1].distribution_
    )


def test_tests_of_fold_scores_take_the_entries_of_each_fold(data):
    X, y = data
    comparisons = [
        CorrectedTTest(LogisticRegression(), GaussianNB(), cv=4, scoring=scoring).fit(
            X, y
        )
        for scoring in (make_scorer(parity, sensitive_features=X[:, -1]), parity_in_x)
    ]
    assert comparisons[0].pvalue_ == comparisons[1].pvalue_
    assert comparisons[0].score_a_ == comparisons[1].score_a_


def test_a_fold_that_cannot_be_scored_is_a_gap_or_an_error(data):
    X, y = data
    feature = np.where(
        np.arange(N_ROWS) < 30, 2, X[:, -1]
    )  # the first fold has no 0, 1

    def strict(y_true, y_pred, sensitive_features):
        if not np.isin([0, 1], sensitive_features).all():
            raise ValueError("no such people")
        return parity(y_true, y_pred, sensitive_features)

    test = CorrectedTTest(
        LogisticRegression(),
        GaussianNB(),
        cv=KFold(4),
        scoring=make_scorer(strict, sensitive_features=feature),
    )
    with pytest.raises(ValueError, match="no such people"):
        test.set_params(error_score="raise").fit(X, y)
    with pytest.warns(FailedFitWarning, match="3 of 4 folds remain.*no such people"):
        test.set_params(error_score=np.nan).fit(X, y)
    assert np.isfinite(test.pvalue_)


def test_replicability_takes_the_entries_of_each_test_set(data):
    X, y = data
    comparisons = [
        FoldReplicability(
            PairedBootstrap(
                LogisticRegression(),
                GaussianNB(),
                n_resamples=19,
                random_state=0,
                scoring=scoring,
            ),
            cv=3,
        ).fit(X, y)
        for scoring in (make_scorer(parity, sensitive_features=X[:, -1]), parity_in_x)
    ]
    for one, other in zip(
        comparisons[0].fold_results_, comparisons[1].fold_results_, strict=True
    ):
        assert one.pvalue == other.pvalue


def test_slices_take_the_entries_of_their_rows(people):
    y, a, b, feature = people
    half = np.repeat(["first", "second"], N_ROWS // 2)
    scoring = make_scorer(parity, sensitive_features=feature)
    test = PairedBootstrap(scoring=scoring, n_resamples=99, random_state=0)
    test.fit_predictions(y, a, b)
    report = ComparisonReport(test, slices={"half": half})
    text = report.render()
    for rows in (half == "first", half == "second"):
        alone = parity(y[rows], a[rows], feature[rows]) - parity(
            y[rows], b[rows], feature[rows]
        )
        assert f"{alone:+.4f}"[:6] in text


def test_all_pairs_take_the_entries_of_the_rows_drawn(people):
    y, a, b, feature = people
    scoring = make_scorer(parity, sensitive_features=feature)
    test = PairedBootstrap(scoring=scoring, n_resamples=699, random_state=0)
    comparison = PairwiseComparison(test=test).fit_predictions(
        y, {"a": a, "b": b, "c": b[::-1]}
    )
    for (low, high), delta in zip(
        comparison.result_.intervals, comparison.result_.deltas, strict=True
    ):
        assert low < delta < high


def test_random_weights_leave_the_entries_where_they_are(people):
    y, a, b, feature = people

    def weighted_gap(y_true, y_pred, sensitive_features, sample_weight=None):
        right = np.asarray(y_true) == y_pred
        weights = np.ones(len(right)) if sample_weight is None else sample_weight
        shares = [
            np.average(
                right[sensitive_features == g], weights=weights[sensitive_features == g]
            )
            for g in (0, 1)
        ]
        return -abs(shares[0] - shares[1])

    comparison = BayesianComparison(
        scoring=make_scorer(weighted_gap, sensitive_features=feature),
        n_draws=199,
        random_state=0,
    ).fit_predictions(y, a, b)
    low, high = comparison.result_.hdi
    assert low < comparison.delta_ < high


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        (accuracy_score, {}),
        (f1_score, {"average": "macro"}),
        (roc_auc_score, {"response_method": ("decision_function", "predict_proba")}),
        (log_loss, {"response_method": "predict_proba", "greater_is_better": False}),
    ],
)
@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
def test_weights_of_a_scorer_are_weights_of_the_rows(metric, options, test, data):
    X, y = data
    weights = np.random.default_rng(0).uniform(0.5, 2, size=N_ROWS)
    models = [LogisticRegression().fit(X, y), GaussianNB().fit(X[:60], y[:60])]
    own = test(*models, n_resamples=49, random_state=0)
    own.set_params(scoring=make_scorer(metric, sample_weight=weights, **options)).fit(
        X, y
    )
    passed = test(*models, n_resamples=49, random_state=0)
    passed.set_params(scoring=make_scorer(metric, **options)).fit(
        X, y, sample_weight=weights
    )
    assert own.delta_ == passed.delta_
    assert own.result_.engine == passed.result_.engine
    np.testing.assert_array_equal(own.distribution_, passed.distribution_)


def test_weights_of_a_scorer_follow_the_rows_that_folds_test(data):
    X, y = data
    weights = np.random.default_rng(0).uniform(0.5, 2, size=N_ROWS)
    cv = KFold(3, shuffle=True, random_state=0)
    scoring = make_scorer(
        mean_squared_error, greater_is_better=False, sample_weight=weights.tolist()
    )
    test = PairedBootstrap(
        Ridge(), Ridge(100), cv=cv, scoring=scoring, n_resamples=9, random_state=0
    )
    test.fit(X, y)
    predicted = np.empty(N_ROWS)
    for train, rows in cv.split(X):
        predicted[rows] = Ridge().fit(X[train], y[train]).predict(X[rows])
    expected = -mean_squared_error(y, predicted, sample_weight=weights)
    assert test.score_a_ == pytest.approx(expected)


def test_weights_passed_twice_are_refused(people):
    y, a, b, _ = people
    scoring = make_scorer(accuracy_score, sample_weight=np.ones(N_ROWS))
    with pytest.raises(ValueError, match="has one of its own"):
        PairedBootstrap(scoring=scoring).fit_predictions(
            y, a, b, sample_weight=np.ones(N_ROWS)
        )


@pytest.mark.parametrize("where", ["metric", "scorer"])
def test_arguments_of_a_partial_function_are_resampled(where, people):
    y, a, b, feature = people
    if where == "metric":
        scoring = make_scorer(functools.partial(parity, sensitive_features=feature))
    else:

        def scorer(estimator, X, y, sensitive_features):
            return parity(y, estimator.predict(X), sensitive_features)

        scoring = functools.partial(scorer, sensitive_features=feature)
    comparisons = [
        PairedBootstrap(scoring=one, n_resamples=49, random_state=0).fit_predictions(
            y, a, b
        )
        for one in (scoring, at_row_numbers(feature))
    ]
    np.testing.assert_array_equal(
        comparisons[0].distribution_, comparisons[1].distribution_
    )


def test_an_argument_that_is_passed_twice_is_that_of_the_scorer(people):
    """As calling it has it: keywords of a call go before those of a partial."""
    *labels, feature = people
    inner = functools.partial(parity, sensitive_features=1 - np.roll(feature, 7))
    scoring = make_scorer(inner, sensitive_features=feature)
    distributions = [
        PairedBootstrap(scoring=one, n_resamples=49, random_state=0)
        .fit_predictions(*labels)
        .distribution_
        for one in (scoring, at_row_numbers(feature))
    ]
    np.testing.assert_array_equal(*distributions)


@pytest.mark.parametrize("kind", ["of a function", "of the user"])
def test_folds_are_scored_with_the_entries_of_their_rows(kind, data):
    """Where models are fitted and scored fold by fold, row by row as numbered."""
    X, y = data
    entries = np.arange(len(y))

    def checked(y_true, y_pred, numbers):
        np.testing.assert_array_equal(y_true, y[numbers])
        return float(np.mean(y_true == y_pred))

    def scorer(estimator, X, y, numbers):
        return checked(y, estimator.predict(X), numbers)

    scoring = {
        "of a function": make_scorer(checked, numbers=entries),
        "of the user": functools.partial(scorer, numbers=entries),
    }[kind]
    models = LogisticRegression(), GaussianNB()
    cv = KFold(4, shuffle=True, random_state=0)
    result, plain = (
        CorrectedTTest(*models, scoring=s, cv=cv).fit(X, y).result_
        for s in (scoring, "accuracy")
    )
    assert result.delta == pytest.approx(plain.delta)
    assert result.pvalue == pytest.approx(plain.pvalue)


@pytest.mark.parametrize("argument", ["labels", "multioutput"])
def test_entries_for_classes_or_outputs_stay_even_if_there_are_as_many_as_rows(
    argument, people
):
    y, a, b, _ = people
    values = np.arange(N_ROWS)[::-1]

    def metric(y_true, y_pred, **kwargs):
        np.testing.assert_array_equal(kwargs[argument], values)
        return accuracy_score(y_true, y_pred)

    scoring = {"metric": make_scorer(metric, **{argument: values})}
    test = PairedBootstrap(scoring=scoring, n_resamples=9, random_state=0)
    test.fit_predictions(y, a, b)
    assert test.result_.n_undefined == 0


def test_names_of_metrics_leave_arrays_out(people):
    y, a, b, feature = people
    scoring = make_scorer(parity, sensitive_features=feature)
    test = PairedBootstrap(scoring=scoring, n_resamples=9).fit_predictions(y, a, b)
    assert test.result_.scoring == "parity(sensitive_features=...)"


def test_rows_inside_a_dict_are_refused(people):
    y, a, b, feature = people
    scoring = make_scorer(parity, sensitive_features={"sex": feature})
    with pytest.raises(
        ValueError, match="`sensitive_features` of a scorer must be an arr"
    ):
        PairedBootstrap(scoring=scoring).fit_predictions(y, a, b)


def test_arguments_that_cannot_be_indexed_are_refused(people):
    y, a, b, feature = people

    class Odd:
        shape = (N_ROWS,)

        def __eq__(self, other):
            return feature == other

        __hash__ = None

    def by_odd(y_true, y_pred, odd):
        return float((y_true == y_pred)[odd == 1].mean())

    scoring = {"odd": make_scorer(by_odd, odd=Odd())}
    with pytest.raises(ValueError, match="`odd` of a scorer has one entry per row"):
        PairedBootstrap(scoring=scoring).fit_predictions(y, a, b)


def test_weights_of_another_length_are_refused(people):
    y, a, b, _ = people
    scoring = {"acc": make_scorer(accuracy_score, sample_weight=np.ones(7))}
    with pytest.raises(ValueError, match=r"i\.e\. 120. Got ndarray with 7 entries"):
        PairedBootstrap(scoring=scoring).fit_predictions(y, a, b)


@pytest.mark.parametrize("container", [pd.Series, np.array, list])
def test_an_argument_that_lacks_rows_is_described_and_not_printed(container, people):
    y, a, b, feature = people

    def gain(y_true, y_pred, amount):
        return np.mean((np.asarray(y_true) == y_pred) * np.asarray(amount))

    amount = container(feature[:-1].astype(float))
    test = PairedBootstrap(scoring=make_scorer(gain, amount=amount))
    message = (
        r"^The scorer 'gain\(amount=\.\.\.\)' fails for `y_pred_a`, read as labels: "
        r".*\. The argument `amount` of the scorer has 119 entries, the data 120 "
        r"rows\.$"
    )
    with pytest.raises(ValueError, match=message):
        test.fit_predictions(y, a, b)


def test_an_argument_much_shorter_than_the_data_is_described(people):
    y, a, b, _ = people

    def loss(y_true, y_pred, amount):
        return np.sum(amount * (y_true != y_pred))

    test = PairedBootstrap(scoring=make_scorer(loss, amount=np.ones(10)))
    message = r"`amount` of the scorer has 10 entries, the data 120 rows\.$"
    with pytest.raises(ValueError, match=message):
        test.fit_predictions(y, a, b)


@pytest.mark.parametrize("n_entries", [2, 3, 120])
def test_an_argument_of_rows_or_classes_is_not_blamed_for_an_error(n_entries):
    y = np.arange(120) % 3

    def fails(y_true, y_pred, values):
        raise ValueError("Something else.")

    test = PairedBootstrap(scoring=make_scorer(fails, values=np.ones(n_entries)))
    with pytest.raises(ValueError, match=r": Something else\.$"):
        test.fit_predictions(y, y, (y + 1) % 3)


def test_an_argument_for_the_tested_rows_alone_is_refused(data):
    X, y = data
    cv = TimeSeriesSplit(3)
    tested = np.concatenate([rows for _, rows in cv.split(X)])
    scoring = make_scorer(parity, sensitive_features=X[tested, -1])
    test = PairedBootstrap(LogisticRegression(), GaussianNB(), cv=cv, scoring=scoring)
    with pytest.raises(
        ValueError, match=r"one entry per row of the data, i\.e\. 120\. Got"
    ):
        test.fit(X, y)


def test_power_refuses_arguments_of_rows(people):
    y, a, b, feature = people
    scoring = make_scorer(parity, sensitive_features=feature)
    with pytest.raises(
        ValueError, match="must not have arguments with one entry per row"
    ):
        power(PairedBootstrap(scoring=scoring), y, a, b)
