"""Every scorer gives what it gives in scikit-learn, on the sample and resampled."""

import functools
import itertools
import warnings
from collections import Counter
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    fbeta_score,
    get_scorer,
    get_scorer_names,
    log_loss,
    make_scorer,
    roc_auc_score,
)
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from skcompare import ApproxRandomization, CorrectedTTest, PairedBootstrap
from skcompare._engine import chunk_generator

BOTH_TESTS = [PairedBootstrap, ApproxRandomization]
each_test = pytest.mark.parametrize("test", BOTH_TESTS)


def _blobs(n_classes):
    rng = np.random.default_rng(n_classes)
    y = np.arange(90) % n_classes
    return rng.normal(size=(90, 4)) + y[:, None] * [1.0, -0.7, 0.3, 0.0], y


def _multilabel():
    X, Y = make_multilabel_classification(
        90, n_features=6, n_classes=3, allow_unlabeled=False, random_state=0
    )
    return X, Y


def _positive_target():
    X, y = _blobs(3)
    return X, np.exp(y + 0.3 * X[:, 0])


# The data, and two models to fit on its first half.
TASKS = {
    "binary": (_blobs(2), LogisticRegression(), GaussianNB()),
    "strings": (
        (_blobs(2)[0], np.where(_blobs(2)[1], "yes", "no")),
        LogisticRegression(),
        LogisticRegression(C=0.01),
    ),
    "without probabilities": (_blobs(2), LinearSVC(C=1.0), LinearSVC(C=0.001)),
    "forests": (
        _blobs(2),
        RandomForestClassifier(5, random_state=0),
        RandomForestClassifier(5, max_depth=1, random_state=1),
    ),
    "multiclass": (_blobs(3), LogisticRegression(), GaussianNB()),
    "multilabel": (
        _multilabel(),
        OneVsRestClassifier(LogisticRegression()),
        OneVsRestClassifier(GaussianNB()),
    ),
    "multilabel forests": (
        _multilabel(),
        RandomForestClassifier(5, random_state=0),
        RandomForestClassifier(5, max_depth=2, random_state=1),
    ),
    "regression": (
        _positive_target(),
        RandomForestRegressor(5, random_state=0),
        RandomForestRegressor(5, max_depth=1, random_state=1),
    ),
    "linear regression": (_positive_target(), LinearRegression(), Ridge(alpha=100.0)),
}
each_task = pytest.mark.parametrize("task", TASKS)


@pytest.fixture(scope="module")
def fitted():
    """Return a function: task -> fitted A, fitted B, test rows X and y."""
    fitted_by_task = {}

    def fit(task):
        if task not in fitted_by_task:
            (X, y), *models = TASKS[task]
            train, held_out = slice(None, 40), slice(40, None)
            a, b = (model.fit(X[train], y[train]) for model in models)
            fitted_by_task[task] = a, b, X[held_out], y[held_out]
        return fitted_by_task[task]

    return fit


def by_hand(scorer, model, X, y):
    """Call a scorer; nan where it raises or is not finite."""
    try:
        score = scorer(model, X, y)
    except Exception:
        return np.nan
    return score if np.isfinite(score) else np.nan


def drawn_rows(n_rows, n_resamples, seed, **fit_params):
    """Return the resamples of rows that a seed stands for, as a scorer sees them."""
    seen = []

    def record(estimator, X, y):
        seen.append(X)  # the row numbers, where there are only predictions
        return float(estimator.predict(X).mean())

    test = PairedBootstrap(scoring=record, n_resamples=n_resamples, random_state=seed)
    truth = np.arange(n_rows) % 2
    test.fit_predictions(truth, truth, 1 - truth, **fit_params)
    # The first two calls are for all rows, then it is A, B, A, B; at last other checks.
    return seen[2 : 2 + 2 * n_resamples : 2]


@pytest.fixture(scope="module")
def three_draws():
    """Return a function: number of rows -> those of three resamples, with seed 0."""
    return functools.cache(lambda n_rows: drawn_rows(n_rows, 3, seed=0))


def test_the_first_resample_is_drawn_by_the_generator_of_the_first_chunk(random_seed):
    expected = chunk_generator(random_seed, 0).integers(50, size=50)
    np.testing.assert_array_equal(drawn_rows(50, 1, random_seed)[0], expected)


@pytest.mark.filterwarnings("ignore")  # warnings of scorers about odd (re)samples
@pytest.mark.parametrize("name", get_scorer_names())
def test_every_named_scorer_scores_as_scikit_learn_or_raises(name, fitted, three_draws):
    scorer, applies = get_scorer(name), []
    for task in TASKS:
        a, b, X, y = fitted(task)
        expected = [by_hand(scorer, model, X, y) for model in (a, b)]
        test = PairedBootstrap(a, b, scoring=name, n_resamples=3, random_state=0)
        if np.isnan(expected).any():
            with pytest.raises((ValueError, AttributeError, TypeError)):
                test.fit(X, y)
            continue
        test.fit(X, y)
        assert [test.score_a_, test.score_b_] == expected, task
        applies.append(task)
        if test.result_.engine != "generic":
            continue  # a fast engine draws in its own way; it has tests of its own
        deltas = [
            by_hand(scorer, a, X[rows], y[rows]) - by_hand(scorer, b, X[rows], y[rows])
            for rows in three_draws(len(y))
        ]
        np.testing.assert_allclose(
            test.distribution_, deltas, rtol=1e-9, atol=1e-12, err_msg=task
        )
    assert applies


def call_scorer_on_rows(name):
    """Return a plain callable: the engine cannot look inside it."""
    scorer = get_scorer(name)

    def score(estimator, X, y):
        return scorer(estimator, X, y)

    return score


@pytest.mark.parametrize(
    ("task", "name"),
    [
        ("binary", "f1"),
        ("binary", "roc_auc"),
        ("strings", "neg_log_loss"),
        ("without probabilities", "average_precision"),
        ("multiclass", "roc_auc_ovr"),
        ("multilabel", "f1_samples"),
        ("multilabel forests", "roc_auc"),
        ("regression", "r2"),
    ],
)
def test_resampled_scores_are_those_of_the_models_on_the_rows(
    task, name, fitted, random_seed
):
    a, b, X, y = fitted(task)
    scorer = get_scorer(name)
    n_resamples = 20  # more than the 16 of the first chunk of rows
    test = PairedBootstrap(
        a,
        b,
        scoring=call_scorer_on_rows(name),
        n_resamples=n_resamples,
        random_state=random_seed,
    ).fit(X, y)
    assert test.result_.engine == "generic"
    deltas = [
        by_hand(scorer, a, X[rows], y[rows]) - by_hand(scorer, b, X[rows], y[rows])
        for rows in drawn_rows(len(y), n_resamples, random_seed)
    ]
    np.testing.assert_allclose(test.distribution_, deltas, rtol=1e-9, atol=1e-12)


def test_resampled_scores_of_groups_are_those_of_their_rows(
    classifiers, classification
):
    *_, X, y = classification
    groups = np.arange(80) // 2
    scorer = call_scorer_on_rows("accuracy")
    test = PairedBootstrap(*classifiers, scoring=scorer, n_resamples=5, random_state=1)
    test.fit(X, y, groups=groups)
    deltas = [
        np.subtract(*(scorer(model, X[rows], y[rows]) for model in classifiers))
        for rows in drawn_rows(80, 5, seed=1, groups=groups)
    ]
    np.testing.assert_allclose(test.distribution_, deltas)


SWAPPED = {
    "labels": ("f1_macro", f1_score, {"average": "macro"}),
    "probabilities": ("neg_log_loss", log_loss, {}),
    "several classes": ("roc_auc_ovr", roc_auc_score, {"multi_class": "ovr"}),
    "multilabel": ("f1_samples", f1_score, {"average": "samples"}),
    "sparse multilabel": ("f1_samples", f1_score, {"average": "samples"}),
}


def swapped_data(kind):
    """Return truth and responses that differ on the first four rows."""
    rng = np.random.default_rng(9)
    truth = {
        "labels": np.arange(12) % 3,
        "probabilities": np.arange(12) % 2,
        "several classes": np.arange(12) % 3,
    }.get(kind, 1 - np.eye(3, dtype=int)[np.arange(12) % 3])
    if kind == "labels":
        a = rng.integers(3, size=12)
    elif kind in ("probabilities", "several classes"):
        a = rng.dirichlet(np.ones(truth.max() + 1), size=12)
    else:
        a = rng.integers(2, size=(12, 3))
        a[:, 0] = 1  # no row without labels: that would be another matter
    b = a.copy()
    b[:4] = (a[:4] + 1) % 3 if a.ndim == 1 else a[:4, ::-1]
    b[:4] = 1 - truth[:4] if kind.endswith("multilabel") else b[:4]
    return truth, a, b


@pytest.mark.parametrize("kind", SWAPPED)
def test_exchanged_responses_are_scored_as_if_passed_so(kind):
    name, metric, params = SWAPPED[kind]
    truth, a, b = swapped_data(kind)
    sign = -1 if name.startswith("neg") else 1
    discordant = np.flatnonzero((a != b).reshape(12, -1).any(axis=1))
    expected = []
    for swapped in itertools.product([False, True], repeat=len(discordant)):
        rows = discordant[list(swapped)]
        first, second = a.copy(), b.copy()
        first[rows], second[rows] = b[rows], a[rows]
        scores = (metric(truth, pred, **params) for pred in (first, second))
        expected.append(sign * np.subtract(*scores))
    pack = sparse.csr_array if kind.startswith("sparse") else np.asarray
    test = ApproxRandomization(
        scoring=name, method="exact", statistic="difference", swap="scores"
    )
    test.fit_predictions(pack(truth) if truth.ndim == 2 else truth, pack(a), pack(b))
    np.testing.assert_allclose(np.sort(test.distribution_), np.sort(expected))


@pytest.fixture
def table(classification):
    """The test rows as a DataFrame with a column of costs and a shuffled index."""
    *_, X, y = classification
    frame = pd.DataFrame(X, columns=list("abcde"), index=np.arange(80)[::-1])
    return frame.assign(cost=np.linspace(1, 5, 80)), y


@pytest.fixture
def table_models(classification):
    """Two models that take the columns of `table`."""
    X, y, *_ = classification
    frame = pd.DataFrame(X, columns=list("abcde")).assign(cost=1.0)
    return LogisticRegression().fit(frame, y), GaussianNB().fit(frame[:20], y[:20])


def cost_of_errors(estimator, X, y):
    return -float(np.sum(X["cost"] * (estimator.predict(X) != y)) / np.sum(X["cost"]))


@each_test
def test_a_callable_may_read_columns_of_X(test, table, table_models):
    comparison = test(*table_models, scoring=cost_of_errors, n_resamples=19).fit(*table)
    assert comparison.score_a_ == cost_of_errors(table_models[0], *table)
    assert comparison.score_b_ == cost_of_errors(table_models[1], *table)
    assert comparison.result_.n_undefined == 0
    assert list(comparison.results_) == ["cost_of_errors"]


def accuracy_where_dear(estimator, X, y):
    dear = (X["cost"] > 3).to_numpy()
    return accuracy_score(y[dear], estimator.predict(X[dear]))


def test_a_callable_may_predict_rows_of_its_own_choice(table, table_models):
    comparison = PairedBootstrap(
        *table_models, scoring=accuracy_where_dear, n_resamples=19
    ).fit(*table)
    assert comparison.score_a_ == accuracy_where_dear(table_models[0], *table)
    assert comparison.distribution_.std() > 0


def test_exchanging_refuses_a_callable_that_predicts_other_rows(table, table_models):
    test = ApproxRandomization(
        *table_models, scoring=accuracy_where_dear, n_resamples=99
    )
    message = "only on the X that they are called with"
    with pytest.raises(ValueError, match=message):
        test.fit(*table)


def confident_accuracy(estimator, X, y):
    confident = estimator.predict_proba(X).max(axis=1) > 0.6
    return np.mean((estimator.predict(X) == y)[confident])


@each_test
def test_a_callable_may_use_several_responses(test, classifiers, classification):
    *_, X, y = classification
    comparison = test(*classifiers, scoring=confident_accuracy, n_resamples=19).fit(
        X, y
    )
    assert comparison.score_a_ == confident_accuracy(classifiers[0], X, y)
    assert comparison.score_b_ == confident_accuracy(classifiers[1], X, y)


@pytest.mark.parametrize(
    ("scoring", "names"),
    [
        (None, ["accuracy"]),
        ("f1", ["f1"]),
        (["f1", "roc_auc"], ["f1", "roc_auc"]),
        (("recall", "precision"), ["recall", "precision"]),
        ({"mine": "f1", "other": confident_accuracy}, ["mine", "other"]),
        (make_scorer(fbeta_score, beta=2), ["fbeta_score(beta=2)"]),
        (["f1", make_scorer(f1_score, average="macro")], None),
    ],
)
def test_scoring_takes_the_values_that_scikit_learn_takes(
    scoring, names, classifiers, classification
):
    *_, X, y = classification
    comparison = PairedBootstrap(*classifiers, scoring=scoring, n_resamples=19).fit(
        X, y
    )
    names = names or ["f1", "f1_score(average=macro)"]
    assert list(comparison.results_) == names
    assert [r.scoring for r in comparison.results_.values()] == names


def test_scoring_none_is_r2_for_regressors(regressors, regression):
    *_, X, y = regression
    comparison = PairedBootstrap(*regressors, n_resamples=19).fit(X, y)
    assert list(comparison.results_) == ["r2"]
    assert comparison.score_a_ == regressors[0].score(X, y)


@pytest.mark.parametrize("wrap", [lambda m: m, lambda m: make_pipeline(m)])
def test_scoring_none_takes_a_dummy_for_a_baseline(
    wrap, classifiers, classification, regressors, regression
):
    """Dummies override `score`, and mean accuracy and R2 by it as all others do."""
    for model, dummy, (X_train, y_train, X, y), name in (
        (classifiers[0], DummyClassifier(), classification, "accuracy"),
        (regressors[0], DummyRegressor(), regression, "r2"),
    ):
        baseline = wrap(dummy).fit(X_train, y_train)
        comparison = PairedBootstrap(model, baseline, n_resamples=19).fit(X, y)
        assert list(comparison.results_) == [name]
        assert comparison.score_b_ == pytest.approx(baseline.score(X, y))


class ScoresItself(GaussianNB):
    """A model whose `score` is its own."""

    def score(self, X, y, sample_weight=None):
        return 10 * super().score(X, y, sample_weight)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda model: model,
        lambda model: make_pipeline(StandardScaler(), model),
        lambda model: GridSearchCV(model, {"var_smoothing": [1e-9, 1e-3]}, cv=2),
    ],
    ids=["plain", "pipeline", "search"],
)
def test_scoring_none_calls_a_score_method_of_the_models_own(wrap, classification):
    X_train, y_train, X, y = classification
    models = [
        wrap(ScoresItself()).fit(X_train[:n], y_train[:n]) for n in (len(y_train), 20)
    ]
    comparison = PairedBootstrap(*models, n_resamples=19).fit(X, y)
    assert comparison.score_a_ == pytest.approx(models[0].score(X, y))
    assert comparison.score_b_ == pytest.approx(models[1].score(X, y))


def test_scoring_none_is_the_scoring_of_a_search(classification):
    X_train, y_train, X, y = classification
    a, b = (
        GridSearchCV(LogisticRegression(), {"C": Cs}, scoring="roc_auc", cv=2).fit(
            X_train, y_train
        )
        for Cs in ([1.0], [1e-4])
    )
    comparison = PairedBootstrap(a, b, n_resamples=19).fit(X, y)
    assert list(comparison.results_) == ["roc_auc"]
    assert comparison.score_a_ == a.score(X, y)


def test_scoring_none_refuses_models_that_score_differently(
    classifiers, classification
):
    X_train, y_train, X, y = classification
    search = GridSearchCV(GaussianNB(), {}, scoring="f1", cv=2).fit(X_train, y_train)
    test = PairedBootstrap(classifiers[0], search)
    with pytest.raises(ValueError, match=r"`scoring` must be passed .*accuracy .*f1"):
        test.fit(X, y)


@each_test
@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", "f1", None])
def test_sample_weight_reaches_the_scorer(test, scoring, classifiers, classification):
    *_, X, y = classification
    weight = np.linspace(0.1, 3, len(y))
    scorer = get_scorer(scoring or "accuracy")
    comparison = test(*classifiers, scoring=scoring, n_resamples=19)
    comparison.fit(X, y, sample_weight=weight)
    assert comparison.score_a_ == scorer(classifiers[0], X, y, sample_weight=weight)
    assert comparison.score_b_ == scorer(classifiers[1], X, y, sample_weight=weight)


def test_sample_weight_is_resampled_with_the_rows(labels):
    truth, a, b = labels
    weight = np.linspace(0.1, 3, len(truth))

    def weighted_accuracy(y_true, y_pred, sample_weight):
        return np.average(y_true == y_pred, weights=sample_weight)

    comparison = PairedBootstrap(
        scoring=make_scorer(weighted_accuracy), n_resamples=9, random_state=0
    ).fit_predictions(truth, a, b, sample_weight=weight)
    expected = [
        np.average((truth == a).astype(int)[rows], weights=weight[rows])
        - np.average((truth == b).astype(int)[rows], weights=weight[rows])
        for rows in drawn_rows(len(truth), 9, seed=0)
    ]
    np.testing.assert_allclose(comparison.distribution_, expected)


def test_sample_weight_for_a_scorer_without_weights_is_an_error(
    classifiers, classification
):
    *_, X, y = classification
    test = PairedBootstrap(*classifiers, scoring=confident_accuracy)
    with pytest.raises(ValueError, match="'confident_accuracy' does not take it"):
        test.fit(X, y, sample_weight=np.ones(len(y)))


class Counting(LogisticRegression):
    """A model that counts its calls, over all its clones."""

    calls: ClassVar = Counter()

    def fit(self, X, y, sample_weight=None):
        self.calls["fit", self.C] += 1
        return super().fit(X, y, sample_weight)

    def predict(self, X):
        self.calls["predict", self.C] += 1
        return LogisticRegression.predict(self, X)

    def predict_proba(self, X):
        self.calls["predict_proba", self.C] += 1
        return LogisticRegression.predict_proba(self, X)

    def decision_function(self, X):
        return LogisticRegression.decision_function(self, X)


@pytest.fixture
def counting(classification):
    """Two counting models, and their counts from here on."""
    X, y, *_ = classification
    models = Counting(C=1.0).fit(X, y), Counting(C=0.01).fit(X, y)
    Counting.calls.clear()
    return *models, Counting.calls


MANY = {
    "accuracy": "accuracy",
    "f1": "f1",
    "loss": "neg_log_loss",
    "brier": "neg_brier_score",
    "mine": confident_accuracy,
}


@each_test
def test_each_response_of_each_model_is_computed_once(test, counting, classification):
    *_, X, y = classification
    a, b, calls = counting
    test(a, b, scoring=MANY, n_resamples=19).fit(X, y)
    assert calls == Counter(
        itertools.product(("predict", "predict_proba"), (1.0, 0.01))
    )


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss", MANY])
def test_each_model_is_fitted_once_a_fold(scoring, counting, classification):
    *_, X, y = classification
    a, b, calls = counting
    PairedBootstrap(a, b, scoring=scoring, cv=4, n_resamples=19).fit(X, y)
    fits = {key: count for key, count in calls.items() if key[0] == "fit"}
    # the winner, which is B unless A is significantly better, is fitted once more
    assert sorted(fits.values()) == [4, 5]


@pytest.mark.parametrize("test", BOTH_TESTS)
def test_warnings_of_scorers_on_resamples_are_silenced(test):
    """A resample without predicted positives is no news to the user."""
    truth = np.tile([0, 0, 0, 1], 10)
    a, b = truth.copy(), np.zeros(40, dtype=int)
    b[3] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        comparison = test(scoring="precision", n_resamples=99, random_state=0)
        comparison.fit_predictions(truth, a, b)
    assert comparison.result_.n_undefined == 0


def accuracy_that_spoils_the_truth(y_true, y_pred):
    score = float(np.mean(y_true == y_pred))
    y_true[:] = -1
    return score


@each_test
def test_a_metric_that_changes_the_truth_does_not_change_the_numbers(test):
    y, a, b = np.random.default_rng(0).integers(0, 2, (3, 60))
    options = {"n_resamples": 20, "random_state": 0}
    spoiling = make_scorer(accuracy_that_spoils_the_truth)
    comparison = test(scoring=spoiling, **options).fit_predictions(y.copy(), a, b)
    plain = make_scorer(lambda y, p: float(np.mean(y == p)))
    expected = test(scoring=plain, **options).fit_predictions(y, a, b)
    np.testing.assert_array_equal(comparison.distribution_, expected.distribution_)


def accuracy_that_asks_twice(model, X, y):
    model.predict(X)[:] = -1
    return float(np.mean(model.predict(X) == y))


@each_test
def test_a_scorer_that_changes_predictions_gets_them_unchanged_again(test):
    y, a, b = np.random.default_rng(0).integers(0, 2, (3, 60))
    options = {"n_resamples": 20, "random_state": 0}
    twice = test(scoring=accuracy_that_asks_twice, **options).fit_predictions(y, a, b)
    once = test(scoring=lambda m, X, y: float(np.mean(m.predict(X) == y)), **options)
    once.fit_predictions(y, a, b)
    assert twice.score_a_ == np.mean(y == a)
    np.testing.assert_array_equal(twice.distribution_, once.distribution_)


@pytest.mark.parametrize("cv", ["prefit", 3])
def test_nearest_neighbors_score_by_accuracy(cv):
    X, y = make_classification(n_samples=90, random_state=0)
    models = KNeighborsClassifier(3), LogisticRegression()
    if cv == "prefit":
        models = [model.fit(X[::2], y[::2]) for model in models]
    test = PairedBootstrap(*models, cv=cv, n_resamples=19, random_state=0).fit(X, y)
    assert list(test.results_) == ["accuracy"]
    assert test.result_.engine.startswith("additive")


def length_of_labels(y_true, y_pred):
    return float((y_true.index.str.len() * (y_true == y_pred)).mean())


def length_of_right_rows(estimator, X, y):
    return length_of_labels(y, estimator.predict(X))


@pytest.mark.parametrize(
    "scorer", [make_scorer(length_of_labels), length_of_right_rows]
)
def test_scorers_of_folds_may_read_the_index_of_the_truth(scorer):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2))
    y = pd.Series(rng.integers(2, size=90), index=[f"r{i}" for i in range(90)])
    test = CorrectedTTest(LogisticRegression(), GaussianNB(), scoring=scorer, cv=3)
    test.fit(X, y)
    expected = cross_validate(LogisticRegression(), X, y, scoring=scorer, cv=3)
    assert test.score_a_ == expected["test_score"].mean()


def test_scorers_of_folds_are_called_once_a_fold_with_the_rows_unchanged():
    X, y, truths = np.arange(90.0)[:, None], pd.Series(np.arange(90) % 2), []

    def failing(estimator, X, y):
        truths.append(y)
        raise ValueError(f"a scorer of {type(y).__name__}")

    test = CorrectedTTest(
        LogisticRegression(), GaussianNB(), scoring=failing, cv=3, error_score="raise"
    )
    with pytest.raises(ValueError, match="a scorer of Series"):
        test.fit(X, y)
    assert len(truths) == 1


def test_a_scorer_that_fails_before_it_reads_predictions_is_named_with_its_error():
    def refuses(estimator, X, y):
        raise ValueError("I need a budget.")

    test = PairedBootstrap(scoring=refuses)
    message = r"^The scorer 'refuses' fails for `y_pred_a`: I need a budget\.$"
    with pytest.raises(ValueError, match=message) as raised:
        test.fit_predictions([0, 1, 1], [0, 1, 1], [0, 0, 1])
    assert not getattr(raised.value, "__notes__", [])


def test_a_metric_of_series_is_refused_with_the_conversion_that_it_needs():
    def median(y_true, y_pred):
        return -float((y_true - y_pred).abs().median())

    y = pd.Series(np.arange(90) % 2)
    scorer = make_scorer(median)
    cure = (
        r": 'numpy\.ndarray' object has no attribute 'abs'\. The metric receives "
        r"NumPy arrays, even if Series were passed: convert them inside median, e\.g\. "
        r"with pd\.Series\(y_true\)\."
    )
    with pytest.raises(ValueError, match=f"fails for `y_pred_a`, read as labels{cure}"):
        PairedBootstrap(scoring=scorer).fit_predictions(y, y, 1 - y)
    models = LogisticRegression(), GaussianNB()
    test = CorrectedTTest(*models, scoring=scorer, cv=3, error_score="raise")
    with pytest.raises(ValueError, match=f"fails for LogisticRegression{cure}"):
        test.fit(np.arange(90.0)[:, None], y.to_numpy())


@pytest.mark.parametrize("returned", [None, {"f1": 0.5}, "0.5"])
def test_a_metric_that_does_not_return_a_number_is_named_with_what_it_returns(returned):
    scorer = make_scorer(lambda y_true, y_pred: returned)
    message = rf"^The scorer .* must return one number\. Got {type(returned).__name__}"
    with pytest.raises(ValueError, match=message):
        PairedBootstrap(scoring=scorer).fit_predictions([0, 1, 1], [0, 1, 1], [0, 0, 1])


def test_an_error_of_a_metric_itself_is_not_that_of_its_return_value():
    scores = iter([True])

    def once(y_true, y_pred):
        for score in scores:
            return score
        raise TypeError("only once")

    with pytest.raises(TypeError, match=r"^only once$"):
        PairedBootstrap(scoring=make_scorer(once)).fit_predictions(
            [0, 1, 1], [0, 1, 1], [0, 0, 1]
        )
