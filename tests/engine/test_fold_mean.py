"""The mean of fold scores as the statistic of the two resampling tests."""

import dataclasses
import itertools
import warnings

import numpy as np
import pytest
from sklearn import metrics
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
    StratifiedKFold,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB

from skcompare import ApproxRandomization, PairedBootstrap
from skcompare._engine import (
    all_swaps,
    bootstrap,
    left_out_scores,
    standard_errors,
    swaps,
)
from skcompare._engine._cell_schemes import PackedSwaps
from skcompare._evaluation import problem_of_models
from skcompare.exceptions import (
    DegenerateDataWarning,
    DependentFoldsWarning,
    PooledScoreWarning,
    SmallSampleWarning,
)
from tests.rates import assert_level_kept

each_test = pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])

CV = KFold(6, shuffle=True, random_state=1)  # of 80 or 60 rows: sizes differ for 80


def plain(estimator, X, y):
    """A scorer that nothing can look into, and no mean of per-row scores."""
    return float(np.mean(estimator.predict(X) == y)) ** 2


class Column(BaseEstimator):
    """A model that has its predictions from a column of the data."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X[:, self.column]


class LabelColumn(ClassifierMixin, Column):
    def predict(self, X):
        return (X[:, self.column] > 0).astype(int)

    def decision_function(self, X):
        return X[:, self.column]


class NumberColumn(RegressorMixin, Column):
    pass


def replayed(test, model=LabelColumn, **params):
    """A comparison of two models whose predictions are two columns."""
    params = {"n_resamples": 99, "random_state": 0, "aggregate": "fold-mean", **params}
    return test(model(0), model(1), **params)


@pytest.fixture
def scores():
    """Two columns of scores for 80 rows, and the truth."""
    rng = np.random.default_rng(5)
    y = rng.integers(2, size=80)
    return (2 * y - 1)[:, None] + rng.normal(size=(80, 2)) * [0.9, 1.3], y


# The score


@each_test
@pytest.mark.usefixtures("quiet")  # resamples may lack a class
@pytest.mark.parametrize(
    "scoring", ["accuracy", "f1_macro", "roc_auc", "neg_log_loss", plain]
)
def test_scores_are_the_means_of_cross_validate(test, scoring, classification):
    *_, X, y = classification
    models = LogisticRegression(), GaussianNB()
    comparison = test(
        *models, scoring=scoring, cv=CV, aggregate="fold-mean", n_resamples=9
    ).fit(X, y)
    of_folds = [
        cross_validate(m, X, y, scoring=scoring, cv=CV)["test_score"] for m in models
    ]
    assert comparison.score_a_ == pytest.approx(of_folds[0].mean(), rel=1e-12)
    assert comparison.score_b_ == pytest.approx(of_folds[1].mean(), rel=1e-12)
    difference = np.mean(of_folds[0] - of_folds[1])
    assert comparison.delta_ == pytest.approx(difference, rel=1e-12, abs=1e-14)


@each_test
def test_r2_is_the_mean_of_cross_validate(test, regression):
    *_, X, y = regression
    cv, models = KFold(7), (Ridge(), Ridge(alpha=20.0))
    comparison = test(
        *models, scoring="r2", cv=cv, aggregate="fold-mean", n_resamples=9
    ).fit(X, y)
    a, b = (cross_validate(m, X, y, scoring="r2", cv=cv)["test_score"] for m in models)
    assert comparison.delta_ == pytest.approx(np.mean(a - b), rel=1e-12)


def test_classes_that_a_fold_lacks_count_as_in_cross_validate():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 20)
    X = rng.normal(size=(60, 2)) + y[:, None]
    cv = PredefinedSplit(np.r_[np.tile([0, 1], 20), np.tile([1, 2], 10)])
    models = LogisticRegression(), GaussianNB()
    comparison = PairedBootstrap(
        *models, scoring="f1_macro", cv=cv, aggregate="fold-mean", n_resamples=9
    ).fit(X, y)
    expected = [
        np.mean(cross_validate(m, X, y, scoring="f1_macro", cv=cv)["test_score"])
        for m in models
    ]
    assert comparison.score_a_ == pytest.approx(expected[0], rel=1e-12)
    assert comparison.score_b_ == pytest.approx(expected[1], rel=1e-12)


def test_weights_count_within_folds(scores):
    X, y = scores
    weights = np.linspace(0.2, 3.0, 80)
    comparison = replayed(PairedBootstrap, scoring="f1", cv=CV, n_resamples=9)
    comparison.fit(X, y, sample_weight=weights)
    assert comparison.score_a_ == pytest.approx(
        np.mean(
            [
                metrics.f1_score(y[t], X[t, 0] > 0, sample_weight=weights[t])
                for _, t in CV.split(X)
            ]
        )
    )


@pytest.mark.parametrize(
    ("test", "params"),
    [(PairedBootstrap, {}), (ApproxRandomization, {"method": "monte-carlo"})],
)
def test_one_fold_is_the_pooled_score(test, params, scores):
    X, y = scores
    params = {"scoring": "f1", "cv": [(np.arange(10), np.arange(10, 80))], **params}
    mean, pooled = (
        replayed(test, aggregate=aggregate, **params).fit(X, y).result_
        for aggregate in ("fold-mean", "pooled")
    )
    assert mean.pvalue == pooled.pvalue
    np.testing.assert_allclose(mean.distribution, pooled.distribution, atol=1e-15)


def test_equal_folds_of_an_average_are_the_pooled_score(scores):
    X, y = scores
    mean, pooled = (
        replayed(
            ApproxRandomization,
            scoring="accuracy",
            cv=KFold(8),
            aggregate=aggregate,
            method="exact",
        ).fit(X, y)
        for aggregate in ("fold-mean", "pooled")
    )
    assert mean.delta_ == pytest.approx(pooled.delta_)
    assert mean.pvalue_ == pytest.approx(pooled.pvalue_, rel=1e-9)


# The engine against scikit-learn on the repeated rows


@dataclasses.dataclass
class Case:
    """A metric, the truth, predictions of two models and folds of unequal size."""

    metric: object
    scoring: object
    y: np.ndarray
    predictions: np.ndarray
    fold: np.ndarray

    def score(self, rows, swapped=False):
        """Score both models by calling the metric fold by fold, then averaging."""
        authors = np.broadcast_to(swapped, rows.shape).astype(int)
        return [
            np.mean([self._score_fold(f, rows, a) for f in np.unique(self.fold)])
            for a in (authors, 1 - authors)
        ]

    def _score_fold(self, fold, rows, authors):
        own = self.fold[rows] == fold
        y, predicted = self.y[rows[own]], self.predictions[authors[own], rows[own]]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of classes that a resample lacks
            try:
                return self.metric(y, predicted)
            except ValueError:
                return np.nan

    def problem(self, groups=None, redraws_rows=True):
        is_label = self.predictions.dtype.kind == "i"
        model = LabelColumn if is_label or self.y.dtype.kind == "i" else NumberColumn
        return problem_of_models(
            {"model_a": model(0), "model_b": model(1)},
            self.predictions.T - 0.5 if is_label else self.predictions.T,
            self.y,
            scoring={"it": self.scoring},
            cv=[
                (np.flatnonzero(self.fold != f), np.flatnonzero(self.fold == f))
                for f in np.unique(self.fold)
            ],
            aggregate="fold-mean",
            groups=groups,
            redraws_rows=redraws_rows,
        )


def negative_squares(y, values):
    return -metrics.mean_squared_error(y, values)


def macro_f1(y, labels):
    return metrics.f1_score(y, labels, average="macro")


def squared_share(y, labels):
    return float(np.mean(y == labels)) ** 2


def median_error(y, values):
    return -metrics.median_absolute_error(y, values)


KINDS = {
    "accuracy": (metrics.accuracy_score, "additive/cells"),
    "f1_macro": (macro_f1, "additive/cells"),
    "roc_auc": (metrics.roc_auc_score, "ranking/rows"),
    "neg_mean_squared_error": (negative_squares, "additive/rows"),
    "r2": (metrics.r2_score, "additive/rows"),
    "neg_median_absolute_error": (median_error, "weighted/rows"),
    "by function": (squared_share, "generic"),
    "by callable": (squared_share, "generic"),
}
OPAQUE = {"by function": make_scorer(squared_share), "by callable": plain}
since_1_8 = pytest.mark.needs(
    "scikit-learn>=1.8", "median that weights of 1 do not change"
)
each_kind = pytest.mark.parametrize(
    "scoring",
    [
        pytest.param(
            kind, marks=since_1_8 if kind == "neg_median_absolute_error" else ()
        )
        for kind in KINDS
    ],
)


def case_of(scoring, n_rows=47, n_folds=4):
    rng = np.random.default_rng(11)
    y = rng.integers(2, size=n_rows)
    values = y + rng.normal(size=(2, n_rows))
    if scoring in ("accuracy", "f1_macro", *OPAQUE):
        values = (values > 0.5).astype(int)
    elif scoring != "roc_auc":
        y = y + rng.normal(size=n_rows).round(1)
    fold = np.sort(rng.integers(n_folds, size=n_rows))  # rows come fold by fold
    return Case(KINDS[scoring][0], OPAQUE.get(scoring, scoring), y, values, fold)


GROUPINGS = ("rows", "nested", "spanning")


def groups_of(grouping, fold):
    """Rows one by one, pairs within folds, or pairs whichever fold they are in."""
    if grouping == "rows":
        return None
    order = np.argsort(fold, kind="stable") if grouping == "nested" else slice(None)
    groups = np.empty(len(fold), dtype=int)
    groups[order] = np.arange(len(fold)) // 2
    return groups + 1000 * fold if grouping == "nested" else groups


def quietly(score, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as the engine does
        return score(*args)[:, 0]


def counts_of(cells, units):
    """Return how often each cell occurs among some units, as a block of one draw."""
    return np.bincount(cells.cell_of_unit[units], minlength=len(cells.counts))[None]


@each_kind
@pytest.mark.parametrize("grouping", GROUPINGS[:2])
def test_resamples_score_as_scikit_learn_has_it(scoring, grouping):
    case = case_of(scoring)
    problem = case.problem(groups_of(grouping, case.fold))
    cells, units = problem.cells(), problem.units
    if grouping == "rows":
        assert cells.engines["it"] == KINDS[scoring][1]
    rng = np.random.default_rng(0)
    for _ in range(4):
        chosen = rng.integers(len(units), size=len(units))
        rows = units.rows(chosen)
        block = rows if scoring in OPAQUE else counts_of(cells, chosen)
        scores = quietly(bootstrap(cells).score, block)
        expected = case.score(rows)
        np.testing.assert_allclose(scores[0], expected, rtol=1e-12, atol=1e-12)
        generic = problem.statistics["it"].on_rows(rows)
        np.testing.assert_allclose(generic, expected, rtol=1e-12, atol=1e-12)


@each_kind
@pytest.mark.parametrize("grouping", GROUPINGS)
def test_exchanges_score_as_scikit_learn_has_it(scoring, grouping):
    case = case_of(scoring)
    problem = case.problem(groups_of(grouping, case.fold), redraws_rows=False)
    cells, units = problem.cells(), problem.units
    everything, everyone = np.arange(len(case.y)), np.arange(len(units))
    for mask in np.random.default_rng(0).random((4, len(units))) < 0.5:
        swapped = units.spread(mask)
        block = np.stack([swapped, ~swapped]).astype(int)
        if scoring not in OPAQUE:
            block = counts_of(cells, mask)
        scores = quietly(all_swaps(cells, everyone).score, block)
        expected = case.score(everything, swapped)
        np.testing.assert_allclose(scores[0], expected, rtol=1e-12, atol=1e-12)


def test_packed_exchanges_score_as_scikit_learn_has_it():
    case = case_of("neg_mean_squared_error")
    everything = np.arange(len(case.y))
    resampler = swaps(case.problem(redraws_rows=False).cells(), everything[3:])
    assert isinstance(resampler.scheme, PackedSwaps)
    (packed,) = resampler.scheme.blocks(0, 15, np.random.default_rng(0))
    scores = quietly(resampler.score, packed)
    bits, start = np.unpackbits(packed, axis=0).astype(bool), 0
    swapped = np.zeros((len(everything), 15), dtype=bool)
    for f in np.unique(case.fold):  # each fold begins a new byte
        own = np.setdiff1d(np.flatnonzero(case.fold == f), [0, 1, 2])
        swapped[own] = bits[start : start + len(own)]
        start += 8 * -(-len(own) // 8)
    assert start == len(bits)
    expected = [case.score(everything, mask) for mask in swapped.T]
    np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=1e-12)


def test_predictions_for_a_unit_in_several_folds_are_never_packed_apart():
    case = case_of("neg_mean_squared_error")
    groups = groups_of("spanning", case.fold)
    cells = case.problem(groups, redraws_rows=False).cells()
    resampler = swaps(cells, np.arange(len(cells.units)))
    assert not isinstance(resampler.scheme, PackedSwaps)


@pytest.mark.parametrize(
    ("scoring", "grouping"),
    [("f1_macro", "rows"), ("roc_auc", "rows"), ("r2", "nested")],
)
def test_scores_without_each_unit(scoring, grouping):
    case = case_of(scoring)
    problem = case.problem(groups_of(grouping, case.fold))
    units = problem.units
    everyone = np.arange(len(units))
    expected = [case.score(units.rows(np.delete(everyone, u))) for u in everyone]
    scores = quietly(left_out_scores, problem.cells(), None)
    np.testing.assert_allclose(scores, expected, rtol=1e-10, atol=1e-12)


def test_the_standard_error_of_an_average_adds_up_over_folds():
    case = case_of("neg_mean_squared_error")
    errors = standard_errors(case.problem().cells())
    a, b = -((case.predictions - case.y) ** 2)
    n_folds = len(np.unique(case.fold))
    variances = [
        np.var(d) / len(d) for d in ((a - b)[case.fold == f] for f in range(n_folds))
    ]
    assert errors == pytest.approx(np.sqrt(sum(variances)) / n_folds, rel=1e-6)


@each_test
@pytest.mark.parametrize(
    ("scoring", "engine"),
    [
        ("accuracy", "additive/cells"),
        ("f1", "additive/cells"),
        ("roc_auc", "ranking/rows"),
        ("average_precision", "ranking/rows"),
        (plain, "generic"),
    ],
)
def test_fast_paths_are_kept(test, scoring, engine, scores):
    comparison = replayed(test, scoring=scoring, cv=StratifiedKFold(5), n_resamples=19)
    assert comparison.fit(*scores).result_.engine == engine


@each_test
@pytest.mark.parametrize("scoring", ["neg_mean_absolute_error", "r2"])
def test_fast_paths_are_kept_in_regression(test, scoring, scores):
    X, y = scores
    comparison = replayed(test, NumberColumn, scoring=scoring, cv=7, n_resamples=19)
    assert comparison.fit(X, y + 0.3 * X.sum(axis=1)).result_.engine == "additive/rows"


# What is redrawn


def test_folds_and_strata_keep_their_sizes(scores):
    X, y = scores

    def squared_size(estimator, X, y):
        estimator.predict(X)
        return float(np.sum(y) ** 2 + len(y) ** 2)

    comparison = replayed(PairedBootstrap, scoring=squared_size, cv=CV, n_resamples=39)
    by_fold = comparison.fit(X, y).score_a_interval_
    assert by_fold.high > by_fold.low
    by_both = comparison.fit(X, y, strata=y).score_a_interval_
    assert by_both.high == by_both.low == comparison.score_a_

    def only_size(estimator, X, y):
        estimator.predict(X)
        return float(len(y) ** 2)

    comparison = replayed(PairedBootstrap, scoring=only_size, cv=CV, n_resamples=39)
    assert comparison.fit(X, y).score_a_interval_ == (
        comparison.score_a_,
        comparison.score_a_,
    )


def local_scorer():
    """Return a scorer that travels to workers, who do not know this module."""

    def share(y_true, y_pred):
        return float((y_true == y_pred).mean()) ** 2

    return make_scorer(share)


@pytest.mark.parametrize(
    ("test", "scoring"),
    [
        (PairedBootstrap, "f1"),
        (ApproxRandomization, "roc_auc"),
        (PairedBootstrap, local_scorer()),
    ],
    ids=["additive", "ranking", "generic"],
)
def test_numbers_do_not_depend_on_n_jobs(test, scoring, classification):
    *_, X, y = classification
    one, two = (
        test(
            LogisticRegression(),
            GaussianNB(),
            scoring=scoring,
            cv=4,
            aggregate="fold-mean",
            n_resamples=50,
            random_state=0,
            n_jobs=n_jobs,
        ).fit(X, y)
        for n_jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.distribution_, two.distribution_)


@each_test
@pytest.mark.parametrize("scoring", ["f1", "roc_auc", plain])
def test_who_is_called_A_makes_no_difference(test, scoring, scores):
    X, y = scores
    params = {"scoring": scoring, "cv": 4, "alternative": "two-sided"}
    there = replayed(test, **params).fit(X, y)
    back = replayed(test, **params).fit(X[:, ::-1], y)
    assert there.delta_ == -back.delta_
    assert there.pvalue_ == back.pvalue_
    np.testing.assert_allclose(there.distribution_, -back.distribution_, atol=1e-14)


@each_test
def test_groups_that_nest_in_folds_stay_together(test, scores):
    groups = np.repeat(np.arange(40), 2)
    comparison = replayed(test, scoring="accuracy", cv=GroupKFold(5))
    result = comparison.fit(*scores, groups=groups).result_
    assert result.n_units == 40
    assert result.engine == "additive/rows"


def test_predictions_of_several_repeats_are_exchanged_together(scores):
    X, y = scores
    cv = RepeatedKFold(n_splits=4, n_repeats=3, random_state=0)
    comparison = replayed(ApproxRandomization, scoring="f1", cv=cv).fit(X, y)
    once = [metrics.f1_score(y[t], X[t, 0] > 0) for _, t in cv.split(X)]
    assert comparison.score_a_ == pytest.approx(np.mean(once))
    assert (comparison.result_.n_rows, comparison.result_.n_units) == (240, 80)
    assert comparison.result_.engine == "additive/rows"


def test_scores_of_folds_are_those_of_the_folds_averaged_over(scores):
    X, y = scores
    comparison = replayed(ApproxRandomization, scoring="f1", cv=4).fit(X, y)
    ((statistic,), fold) = comparison.problem_.statistics.values(), comparison.fold_
    by_fold = statistic.by_fold(fold)
    assert by_fold.mean(axis=1).tolist() == pytest.approx(statistic.observed)
    assert statistic.by_fold(fold + 7).tolist() == by_fold.tolist()
    with pytest.raises(ValueError, match="`fold` must be the folds"):
        statistic.by_fold(np.arange(80) % 2)


@each_test
def test_models_that_always_agree(test, scores):
    X, y = scores
    comparison = replayed(test, scoring="f1", cv=4)
    with pytest.warns(DegenerateDataWarning):
        comparison.fit(X[:, [0, 0]], y)
    assert (comparison.delta_, comparison.pvalue_) == (0.0, 1.0)


# Exact and ideal


def exact_pvalue(X, y, cv):
    """Return the share of all exchanges with as large a mean of fold accuracies.

    Adds the rows up one by one, in units of which the shares are multiples.
    """
    folds = [test for _, test in cv.split(X, y)]
    unit = np.lcm.reduce([len(rows) for rows in folds])
    chances, observed = {0: 1.0}, 0
    for rows in folds:
        right = (X[rows] > 0).astype(int) == y[rows, None]
        steps = (right[:, 0].astype(int) - right[:, 1]) * (unit // len(rows))
        observed += int(steps.sum())
        for step in steps[steps != 0]:
            moved = {}
            for total, chance in chances.items():
                for way in (total + step, total - step):
                    moved[way] = moved.get(way, 0.0) + chance / 2
            chances = moved
    return sum(chance for total, chance in chances.items() if total >= observed)


@pytest.mark.parametrize("n_rows", [30, 80])
def test_exact_pvalues_of_unequal_folds(n_rows, scores):
    X, y = (part[:n_rows] for part in scores)
    cv = KFold(7)
    comparison = replayed(
        ApproxRandomization, scoring="accuracy", cv=cv, method="exact"
    )
    assert comparison.fit(X, y).result_.method == "exact"
    assert comparison.pvalue_ == pytest.approx(exact_pvalue(X, y, cv), rel=1e-9)


def test_auto_falls_back_to_random_exchanges(scores):
    comparison = replayed(ApproxRandomization, scoring="f1", cv=4).fit(*scores)
    assert comparison.result_.method == "monte-carlo"
    with pytest.raises(ValueError, match="`method` 'exact' is not available for 'f1'"):
        comparison.set_params(method="exact").fit(*scores)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("interval", ["percentile", "basic", "bca"])
def test_ideal_is_the_limit_of_all_resamples(interval):
    """Two folds of three and four rows have 27 * 256 resamples in all."""
    X = np.array([[1, -1], [1, -1], [-1, 1], [1, 1], [1, -1], [1, -1], [-1, 1]])
    y, cv = np.array([1, 1, 0, 1, 0, 1, 1]), PredefinedSplit([0, 0, 0, 1, 1, 1, 1])
    X = X * (2 * y - 1)[:, None]  # 1 is right and -1 is wrong
    right = (X > 0) == y[:, None]
    d = right[:, 0].astype(int) - right[:, 1]
    deltas = [
        np.mean(d[list(first)]) / 2 + np.mean(d[list(second)]) / 2
        for first in itertools.product(range(3), repeat=3)
        for second in itertools.product(range(3, 7), repeat=4)
    ]
    comparison = replayed(
        PairedBootstrap,
        scoring="accuracy",
        cv=cv,
        n_resamples="ideal",
        interval=interval,
    ).fit(X, y)
    assert comparison.delta_ == pytest.approx((d[:3].mean() + d[3:].mean()) / 2)
    reached = np.mean(np.array(deltas) >= 2 * comparison.delta_ - 1e-12)
    assert comparison.pvalue_ == pytest.approx(reached, abs=1e-9)
    assert comparison.standard_error_ == pytest.approx(np.std(deltas))
    low, high = comparison.confidence_interval_
    assert low < comparison.delta_ < high


def test_ideal_names_its_metrics(scores):
    comparison = replayed(PairedBootstrap, scoring="f1", cv=4, n_resamples="ideal")
    with pytest.raises(ValueError, match="'ideal' is for means of per-row scores"):
        comparison.fit(*scores)


@pytest.mark.parametrize(
    ("interval", "scoring"),
    [
        ("basic", "roc_auc"),
        ("bca", "f1"),
        ("bca", plain),
        ("studentized", "f1"),
        ("studentized", "roc_auc"),
    ],
)
def test_all_kinds_of_intervals(interval, scoring, scores):
    comparison = replayed(PairedBootstrap, scoring=scoring, cv=4, interval=interval)
    low, high = comparison.fit(*scores).confidence_interval_
    assert low < comparison.delta_ < high
    assert high - low == pytest.approx(4 * comparison.standard_error_, rel=0.5)


# Words


@each_test
def test_the_result_states_that_folds_are_averaged(test, scores):
    comparison = replayed(test, scoring="f1", cv=4).fit(*scores)  # warnings are errors
    assert "the mean over folds of their scores" in comparison.result_.estimand
    assert "pooled" not in comparison.result_.estimand
    assert comparison.result_.cv == "4 folds, fold-mean"
    assert comparison.result_.caveats == ()


def test_the_warning_of_pooled_scores_offers_the_mean(scores):
    comparison = replayed(PairedBootstrap, scoring="f1", cv=4, aggregate="auto")
    with pytest.warns(PooledScoreWarning, match="aggregate='fold-mean'"):
        comparison.fit(*scores)


@each_test
def test_without_folds_there_is_nothing_to_average(test, scores):
    X, y = scores
    comparison = test(
        LabelColumn(0).fit(X, y), LabelColumn(1).fit(X, y), aggregate="fold-mean"
    )
    with pytest.raises(ValueError, match=r"`aggregate` 'fold-mean'.*\(prefit\).*`cv`"):
        comparison.fit(X, y)
    with pytest.raises(ValueError, match=r"`aggregate`.*without folds \(predictions\)"):
        comparison.fit_predictions(y, y, 1 - y)


@each_test
def test_unknown_aggregates_are_refused(test, scores):
    with pytest.raises(ValueError, match=r"`aggregate` must be one of 'auto'.*'mean'"):
        replayed(test, aggregate="mean", cv=4).fit(*scores)


def test_the_bootstrap_needs_groups_within_folds(scores):
    cv = list(KFold(4).split(*scores))  # a list does not mind groups
    comparison = replayed(PairedBootstrap, scoring="f1", cv=cv)
    groups = np.arange(80) % 30
    with pytest.raises(ValueError, match=r"`groups` must nest in folds.*GroupKFold"):
        comparison.fit(*scores, groups=groups)
    exchanged = replayed(ApproxRandomization, scoring="f1", cv=cv)
    with pytest.warns(DependentFoldsWarning, match="In 4 of 4 splits groups have"):
        assert exchanged.fit(*scores, groups=groups).result_.n_units == 30


def test_groups_must_still_nest_in_strata(scores):
    X, y = scores
    comparison = replayed(PairedBootstrap, scoring="f1", cv=list(KFold(4).split(X)))
    with pytest.raises(ValueError, match=r"`groups` must nest in `strata`"):
        comparison.fit(
            X, y, groups=np.repeat(np.arange(40), 2), strata=np.arange(80) % 2
        )


def test_the_bootstrap_needs_rows_that_are_tested_once(scores):
    cv = RepeatedKFold(n_splits=4, n_repeats=2, random_state=0)
    comparison = replayed(PairedBootstrap, scoring="f1", cv=cv)
    with pytest.raises(ValueError, match=r"`aggregate`.*test each row once.*Corrected"):
        comparison.fit(*scores)


def test_the_bootstrap_needs_folds_of_several_units(scores):
    comparison = replayed(PairedBootstrap, scoring="accuracy", cv=LeaveOneOut())
    with pytest.raises(ValueError, match=r"several of them\. Got one per fold"):
        comparison.fit(*scores)
    comparison = replayed(PairedBootstrap, scoring="accuracy", cv=LeaveOneGroupOut())
    with pytest.raises(ValueError, match=r"several of them\. Got one per fold"):
        comparison.fit(*scores, groups=np.repeat(np.arange(10), 8))


def test_a_fold_of_a_single_row_is_warned_of(scores):
    X, y = scores
    fold = np.r_[0, np.arange(1, 80) % 3 + 1]
    comparison = replayed(PairedBootstrap, scoring="accuracy", cv=PredefinedSplit(fold))
    with pytest.warns(SmallSampleWarning, match="Folds are strata here"):
        comparison.fit(X, y)


@pytest.mark.filterwarnings("ignore:Only one class")
@pytest.mark.parametrize("scoring", ["roc_auc", "r2"])
def test_folds_that_cannot_be_scored_are_named(scoring, scores):
    X, y = scores
    cv = KFold(4) if scoring == "roc_auc" else PredefinedSplit([0, *[1] * 79])
    order = np.argsort(y)
    comparison = replayed(ApproxRandomization, scoring=scoring, cv=cv)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warnings of scikit-learn about such folds
        with pytest.raises(ValueError, match=r"scores every fold separately.*fails on"):
            comparison.fit(X[order], y[order])


@each_test
def test_a_wrong_scorer_is_not_blamed_on_folds(test, regression):
    *_, X, y = regression
    comparison = test(Ridge(), Ridge(), scoring="roc_auc", cv=4, aggregate="fold-mean")
    with pytest.raises(ValueError, match=r"^The scorer 'roc_auc' needs"):
        comparison.fit(X, (y > 0).astype(int))


# Error rates


def rejections(test, rng, scoring, alpha=0.2):
    """Yield whether one of two equally good models is significantly better."""
    n_rows = 60
    y, fold = np.tile([0, 1], n_rows // 2), np.arange(n_rows) // 20
    test = test(
        scoring=scoring, aggregate="fold-mean", n_resamples=39, random_state=rng
    )
    while True:
        noise = rng.normal(size=n_rows) + rng.normal(size=(2, n_rows))
        models = (2 * y - 1) + 0.8 * noise
        if scoring != "roc_auc":
            models = (models > 0).astype(int)
        yield test.fit_predictions(y, *models, fold=fold).pvalue_ <= alpha


# One resample in 200,000 has a fold that lacks a class.
@pytest.mark.filterwarnings("ignore::skcompare.exceptions.UndefinedScoreWarning")
@pytest.mark.parametrize(
    ("test", "slack"), [(ApproxRandomization, 0.0), (PairedBootstrap, 0.02)]
)
@pytest.mark.parametrize(
    "scoring",
    ["roc_auc", *(pytest.param(m, marks=pytest.mark.slow) for m in ("f1", "accuracy"))],
)
def test_the_level_is_kept(test, slack, scoring, random_seed, simulations):
    """The bootstrap is an approximation: a little more than the level is granted."""
    rejected = rejections(test, np.random.default_rng(random_seed), scoring)
    assert_level_kept(rejected, simulations(None, 600), 0.2, slack=slack)
