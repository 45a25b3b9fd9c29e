"""Fast scores are those that scikit-learn gives on the physically repeated rows."""

import copy
import dataclasses
import functools
import inspect
import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from scipy import sparse
from sklearn import metrics
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import make_scorer

from skcompare import BayesianComparison, PairedBootstrap
from skcompare._engine import (
    all_swaps,
    bootstrap,
    draw,
    left_out_scores,
    swaps,
)
from skcompare._engine._cell_schemes import PackedSwaps
from skcompare._engine._generic import BUILDERS
from skcompare._evaluation import problem_of_predictions
from skcompare.exceptions import ComparisonWarning

bounded = settings(
    derandomize=True,
    deadline=None,
    max_examples=6,
    phases=[Phase.generate],  # examples are small; shrinking them takes minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


# Metrics that are defined for rows which lack a class, if the classes are passed.
OF_COLUMNS = {
    getattr(metrics, name)
    for name in (
        "brier_score_loss",
        "d2_brier_score",
        "d2_log_loss_score",
        "log_loss",
        "top_k_accuracy_score",
    )
    if hasattr(metrics, name)
}


@functools.wraps(metrics.d2_log_loss_score)
def d2_log_loss_of_two_classes(y_true, y_proba, **kwargs):
    if len(np.unique(y_true)) < 2:
        return math.nan  # the null model has no loss but a rounding error
    return metrics.d2_log_loss_score(y_true, y_proba, **kwargs)


# A case: a scorer, the truth and what two models answered.


@dataclasses.dataclass(eq=False, kw_only=True)
class Case:
    """A scorer and the data to call it on; `predictions` are those of two models."""

    scorer: object
    y: object
    predictions: tuple
    method: str = "predict"
    classes: object = None
    sample_weight: object = None

    @property
    def n_rows(self):
        return self.y.shape[0]

    @functools.cached_property
    def _models(self):
        """Both models in one, by row number: those of the second come last."""
        stack = sparse.vstack if sparse.issparse(self.y) else np.concatenate
        pool = stack(self.predictions)
        pool = pool.tocsr() if sparse.issparse(pool) else pool

        def respond(self, rows):
            return pool[rows]

        respond.__name__ = self.method  # scikit-learn reads it
        kind = RegressorMixin if self.classes is None else ClassifierMixin
        model = type("Replay", (kind, BaseEstimator), {self.method: respond})()
        if self.classes is not None:
            model.classes_ = np.asarray(self.classes)
        return model

    @functools.cached_property
    def _scorer(self):
        """The scorer; metrics of a column per class get the models' classes."""
        scorer, options = self.scorer, dict(self.scorer._kwargs)
        function, classes = scorer._score_func, self.classes
        if function not in OF_COLUMNS or self.method == "predict":
            return scorer
        own = {"labels": classes}
        if len(classes) == 2 and not isinstance(classes[0], str):
            own["pos_label"] = classes[1]
        taken = inspect.signature(function).parameters
        own = {name: value for name, value in own.items() if name in taken}
        scorer = copy.copy(scorer)
        scorer._kwargs = own | options
        if function is metrics.d2_log_loss_score and "labels" not in options:
            scorer._score_func = d2_log_loss_of_two_classes
        return scorer

    def score(self, rows, authors):
        """Call the scorer on rows answered by some model each; nan if it cannot."""
        weights = {}
        if self.sample_weight is not None:
            weights = {"sample_weight": self.sample_weight[rows]}
        places = authors * self.n_rows + rows
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                value = self._scorer(self._models, places, self.y[rows], **weights)
        except (ValueError, ZeroDivisionError, IndexError):
            return math.nan
        return value if math.isfinite(value) else math.nan

    def both_scores(self, rows, swapped=False):
        """Score both models, which have exchanged their predictions to some rows."""
        authors = np.broadcast_to(swapped, rows.shape).astype(int)
        return [self.score(rows, authors), self.score(rows, 1 - authors)]

    def is_settled(self, rows, swapped=False):
        """Return by model whether its score is the same in any order of the rows."""
        rng = np.random.default_rng(0)
        swapped = np.broadcast_to(swapped, rows.shape)
        orders = [rng.permutation(len(rows)) for _ in range(20)]
        scores = [self.both_scores(rows[order], swapped[order]) for order in orders]
        return np.isclose(
            scores, scores[0], rtol=1e-13, atol=1e-13, equal_nan=True
        ).all(axis=0)

    def problem(self, groups=None):
        responses = [{self.method: predicted} for predicted in self.predictions]
        if self.classes is not None:
            responses = [{**one, "classes": self.classes} for one in responses]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings of scikit-learn about the sample
            return problem_of_predictions(
                self.y,
                dict(zip(("y_pred_a", "y_pred_b"), responses, strict=True)),
                scoring={"it": self.scorer},
                groups=groups,
                sample_weight=self.sample_weight,
            )


class LaidOut:
    """A case laid out for resampling, and scores by scikit-learn."""

    def __init__(self, case, groups=None):
        self.case, self.groups = case, groups
        self.problem = case.problem(groups)
        self.units = self.problem.units
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of metrics called where in doubt
            self.cells = self.problem.cells()

    def __repr__(self):
        return f"{self.case}, groups={self.groups}"

    @property
    def statistic(self):
        return self.problem.statistics["it"]

    @property
    def is_fast(self):
        return self.cells.tables is not None

    @property
    def is_fast_if_counted(self):
        """Whether a fast statistic agrees with scikit-learn on the sample itself."""
        if self.is_fast or not self.statistic.counted:
            return True
        return not self.case.is_settled(np.arange(self.case.n_rows)).all()

    def on_units(self, resamples):
        """Score resamples, each a list of units, as the engine does."""
        blocks = [self.units.rows(units) for units in resamples]
        if self.is_fast:
            blocks = [self._in_cells(resamples)]
        return self._quietly(bootstrap(self.cells).score, blocks)

    def on_swapped(self, masks):
        """Score exchanges of predictions, each a mask of units, as the engine does."""
        if self.is_fast:
            blocks = [self._in_cells([np.flatnonzero(mask) for mask in masks])]
        else:
            first = [self.units.spread(mask).astype(int) for mask in masks]
            blocks = [np.stack([f, 1 - f]) for f in first]
        everyone = np.arange(len(self.units))
        return self._quietly(all_swaps(self.cells, everyone).score, blocks)

    def on_packed(self, masks):
        """Score exchanges given as bits, None where the engine does not pack them."""
        resampler = swaps(self.cells, np.arange(len(self.units)))
        if not isinstance(resampler.scheme, PackedSwaps):
            return None
        in_order = np.array(masks)[:, np.argsort(self.cells.cell_of_unit)]
        return self._quietly(resampler.score, [np.packbits(in_order.T, axis=0)])

    def without_each_unit(self):
        """Score the sample without each unit."""
        evaluate = functools.partial(draw, seed=0)
        return self._quietly(left_out_scores, [self.cells], evaluate)

    def _in_cells(self, resamples):
        n_cells, of_unit = len(self.cells.counts), self.cells.cell_of_unit
        counts = [np.bincount(of_unit[units], minlength=n_cells) for units in resamples]
        return np.array(counts)

    @staticmethod
    def _quietly(score, blocks, *args):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # as the engine does
            return np.concatenate([score(block, *args) for block in blocks])[:, 0]


def assert_scores(case, all_scores, rows_and_swaps):
    """Check that scikit-learn gives the same, if it always gives the same itself.

    A sum of squares that is 0 but for rounding, say, depends on the order of the rows.
    """
    for scores, drawn in zip(all_scores, rows_and_swaps, strict=True):
        expected = case.both_scores(*drawn)
        if not np.allclose(scores, expected, rtol=1e-12, atol=1e-12, equal_nan=True):
            expected = np.where(case.is_settled(*drawn), expected, scores)
        np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=1e-12)


def assert_swapped(it, masks):
    """Check exchanges of predictions, as masks of units, by counts and by bits."""
    everything = np.arange(it.case.n_rows)
    rows = [(everything, it.units.spread(mask)) for mask in masks]
    assert_scores(it.case, it.on_swapped(masks), rows)
    packed = it.on_packed(masks)
    if packed is not None:
        assert_scores(it.case, packed, rows)


# What to draw. Values are few, so that there are ties; often only some of them occur.

ALPHABETS = (
    [0, 1],
    [1, 2],
    [-1, 1],
    [False, True],
    [0.0, 1.0],
    ["no", "yes"],
    [0, 1, 2],
    [3, 5, 9],
    [0, 1, 2, 3],
    ["a", "b", "cc"],
)
WEIGHTS = (0.0, 0.1, 0.5, 1.0, 2.0, 3.7)
n_rows = st.integers(2, 12)


def lists_of(values, n):
    return st.lists(values, min_size=n, max_size=n)


def of_some(values, n):
    """Lists of `n` values out of some of the given ones."""
    some = st.just(values) | st.sets(st.sampled_from(values), min_size=1).map(sorted)
    return some.flatmap(lambda chosen: lists_of(st.sampled_from(chosen), n))


def arrays(values, shape):
    """Arrays whose columns have some of the given values each."""
    n, *n_columns = shape
    if not n_columns:
        return of_some(values, n).map(lambda v: np.array(v, np.array(values).dtype))
    columns = lists_of(arrays(values, (n,)), n_columns[0])
    return columns.map(lambda c: np.ascontiguousarray(np.transpose(c)))


def weights(n):
    positive = lists_of(st.sampled_from(WEIGHTS), n).filter(any).map(np.array)
    return st.none() | positive


def options(**choices):
    """Keyword arguments, each left out or one of the given."""
    return st.fixed_dictionaries(
        {}, optional={name: st.sampled_from(some) for name, some in choices.items()}
    )


def scorer_of(function, chosen, **more):
    """Make a scorer with those of the chosen options that the function has."""
    parameters = inspect.signature(function).parameters
    chosen = {name: value for name, value in chosen.items() if name in parameters}
    return make_scorer(function, **more, **chosen)


def triples(strategy):
    """Truth and two predictions, drawn alike."""
    return st.tuples(strategy, strategy, strategy)


@st.composite
def labeled(draw, scorers):
    """One label per row."""
    alphabet, n = draw(st.sampled_from(ALPHABETS)), draw(n_rows)
    y, *predictions = draw(triples(arrays(alphabet, (n,))))
    scorer = draw(scorers(alphabet))
    return Case(
        scorer=scorer,
        y=y,
        predictions=predictions,
        classes=alphabet,
        sample_weight=draw(weights(n)),
    )


SETS = (
    metrics.precision_score,
    metrics.recall_score,
    metrics.f1_score,
    metrics.fbeta_score,
    metrics.jaccard_score,
)
RATIOS = {"beta": (0.5, 2.0), "zero_division": (0.0, 1.0, math.nan, "warn")}


def ratio(function, chosen):
    """A scorer of a ratio of set sizes; F needs a beta, and Jaccard has no nan."""
    if function is metrics.fbeta_score:
        chosen = {"beta": 0.7, **chosen}
    if function is metrics.jaccard_score and chosen.get("zero_division") != "warn":
        chosen = {**chosen, "zero_division": int(chosen.get("zero_division") == 1)}
    return scorer_of(function, chosen)


def ratios_of_classes(alphabet):
    """Binary with any positive class, or averaged over some, all or foreign classes."""
    strange = "zz" if isinstance(alphabet[0], str) else 77
    labels = st.permutations([*alphabet, strange]).flatmap(
        lambda p: st.integers(1, len(p)).map(lambda n: p[:n])
    )
    averaged = options(**RATIOS).flatmap(
        lambda chosen: st.fixed_dictionaries(
            {"average": st.sampled_from(["micro", "macro", "weighted"])},
            optional={"labels": labels},
        ).map(lambda more: {**chosen, **more})
    )
    binary = options(**RATIOS).flatmap(
        lambda chosen: st.sampled_from(alphabet).map(
            lambda label: {**chosen, "pos_label": label}
        )
    )
    chosen = averaged if len(alphabet) > 2 else averaged | binary
    return st.builds(ratio, st.sampled_from(SETS), chosen)


def any_classes(function, **choices):
    """The same scorers whatever the classes are."""
    scorers = options(**choices).map(functools.partial(scorer_of, function))
    return lambda alphabet: scorers


@st.composite
def label_sets(draw, functions):
    """Indicators of three labels, dense or sparse, with empty rows and columns."""
    n = draw(n_rows)
    y, *predictions = draw(triples(arrays([0, 1], (n, 3))))
    if draw(st.booleans()):
        y, *predictions = map(sparse.csr_array, (y, *predictions))
    function = draw(st.sampled_from(functions))
    chosen = {}
    if function in SETS:
        chosen = {
            **draw(options(**RATIOS, labels=([0, 1], [2, 0], [1]))),
            "average": draw(st.sampled_from(["micro", "macro", "weighted", "samples"])),
        }
    return Case(
        scorer=ratio(function, chosen),
        y=y,
        predictions=predictions,
        classes=[0, 1, 2],
        sample_weight=draw(weights(n)),
    )


@st.composite
def numbers(draw, function, lowest=-3.5, n_outputs=(0, 1, 3), **choices):
    """Numbers with one output, given as a vector or a column, or with several."""
    n, columns = draw(n_rows), draw(st.sampled_from(n_outputs))
    grid = [v for v in (-3.5, -0.7, 0.0, 0.1, 0.3, 1.0, 2.2, 9.75) if v >= lowest]
    offset = draw(st.sampled_from([0.0, 0.0, 1000.0, 1e6]))
    scale = draw(st.sampled_from([1.0, 1.0, 1e-3]))
    shape = (n, columns) if columns else (n,)
    y, *predictions = (
        values * scale + offset for values in draw(triples(arrays(grid, shape)))
    )
    chosen = draw(options(**choices))
    if columns > 1:
        averages = ["uniform_average", [0.5, 0.3, 0.2], [1, 0, 3]]
        if function in (metrics.r2_score, metrics.explained_variance_score):
            averages += ["variance_weighted"]
        chosen["multioutput"] = draw(st.sampled_from(averages))
    return Case(
        scorer=scorer_of(function, chosen),
        y=y,
        predictions=predictions,
        sample_weight=draw(weights(n)),
    )


def shares(n, n_classes):
    """Rows of probabilities, some of them 0 or 1."""
    parts = lists_of(st.integers(0, 3), n_classes).filter(any)
    rows = lists_of(parts, n).map(lambda r: np.array(r, dtype=float))
    return rows.map(lambda r: r / r.sum(axis=1, keepdims=True))


@st.composite
def scored_classes(draw, function, alphabets=ALPHABETS, **choices):
    """One label per row, answered by probabilities or decision values of classes."""
    alphabet, n = draw(st.sampled_from(alphabets)), draw(n_rows)
    choices["labels"] = (alphabet,)
    if len(alphabet) == 2:
        choices["pos_label"] = alphabet
    predictions, method = shares(n, len(alphabet)), "predict_proba"
    if len(alphabet) == 2 and function in RANKINGS and draw(st.booleans()):
        predictions, method = arrays([-1.5, 0.0, 0.25, 3.0], (n,)), "decision_function"
    return Case(
        scorer=scorer_of(function, draw(options(**choices)), response_method=method),
        y=draw(arrays(alphabet, (n,))),
        predictions=draw(st.tuples(predictions, predictions)),
        method=method,
        classes=alphabet,
        sample_weight=draw(weights(n)),
    )


RANKINGS = (metrics.roc_auc_score, metrics.average_precision_score)
SEVERAL = tuple(alphabet for alphabet in ALPHABETS if len(alphabet) > 2)
TWO = tuple(alphabet for alphabet in ALPHABETS if len(alphabet) == 2)


@st.composite
def scored_labels(draw, function, **choices):
    """Indicators of three labels, answered by a number for each."""
    n = draw(n_rows)
    values = arrays([0.0, 0.2, 0.5, 0.9], (n, 3))
    method = draw(st.sampled_from(["predict_proba", "decision_function"]))
    return Case(
        scorer=scorer_of(function, draw(options(**choices)), response_method=method),
        y=draw(arrays([0, 1], (n, 3))),
        predictions=draw(st.tuples(values, values)),
        method=method,
        classes=[0, 1, 2],
        sample_weight=draw(weights(n)),
    )


def ranked(function, averages, several, **choices):
    """All kinds of data that a ranking metric takes."""
    return (
        scored_classes(function, TWO, **choices)
        | scored_labels(function, average=averages, **choices)
        | scored_classes(function, SEVERAL, **several)
    )


means = functools.partial(any_classes, normalize=(True, False))
AVERAGES = ("macro", "micro", "weighted")
POWERS = (-1, 0, 1, 1.5, 2, 3)
STRATEGIES = {
    "accuracy": labeled(means(metrics.accuracy_score)),
    "zero_one": labeled(means(metrics.zero_one_loss)),
    "hamming": labeled(means(metrics.hamming_loss)),
    "ratios": labeled(ratios_of_classes),
    "balanced_accuracy": labeled(
        any_classes(metrics.balanced_accuracy_score, adjusted=(True,))
    ),
    "matthews": labeled(any_classes(metrics.matthews_corrcoef)),
    "kappa": labeled(
        any_classes(
            metrics.cohen_kappa_score,
            weights=("linear", "quadratic"),
            replace_undefined_by=(0.0, -1.0),
        )
    ),
    "multilabel ratios": label_sets(SETS),
    "multilabel means": label_sets(
        (metrics.accuracy_score, metrics.zero_one_loss, metrics.hamming_loss)
    ),
    "mse": numbers(metrics.mean_squared_error),
    "rmse": numbers(metrics.root_mean_squared_error),
    "mae": numbers(metrics.mean_absolute_error),
    "mape": numbers(metrics.mean_absolute_percentage_error),
    "msle": numbers(metrics.mean_squared_log_error, lowest=-0.7),
    "rmsle": numbers(metrics.root_mean_squared_log_error, lowest=-0.7),
    "pinball": numbers(metrics.mean_pinball_loss, alpha=(0.1, 0.9)),
    "r2": numbers(metrics.r2_score, force_finite=(False,)),
    "explained_variance": numbers(
        metrics.explained_variance_score, force_finite=(False,)
    ),
    "poisson": numbers(metrics.mean_poisson_deviance, lowest=0.1, n_outputs=(0,)),
    "gamma": numbers(metrics.mean_gamma_deviance, lowest=0.1, n_outputs=(0,)),
    "tweedie": numbers(
        metrics.mean_tweedie_deviance, lowest=0.1, n_outputs=(0,), power=POWERS
    ),
    "d2_tweedie": numbers(
        metrics.d2_tweedie_score, lowest=0.1, n_outputs=(0,), power=POWERS
    ),
    "d2_absolute_error": numbers(metrics.d2_absolute_error_score),
    "d2_pinball": numbers(metrics.d2_pinball_score, alpha=(0.1, 0.9)),
    "median_absolute_error": numbers(metrics.median_absolute_error),
    "log_loss": scored_classes(metrics.log_loss, normalize=(False,)),
    "d2_log_loss": scored_classes(metrics.d2_log_loss_score),
    "brier": scored_classes(metrics.brier_score_loss, scale_by_half=(True, False)),
    "top_k": scored_classes(
        metrics.top_k_accuracy_score, SEVERAL, k=(1, 2), normalize=(False,)
    ),
    "roc_auc": ranked(
        metrics.roc_auc_score,
        AVERAGES,
        several={"multi_class": ("ovr", "ovo"), "average": AVERAGES},
        max_fpr=(0.1, 0.5, 1.0),
    ),
    "average_precision": ranked(
        metrics.average_precision_score, AVERAGES, several={"average": AVERAGES}
    ),
}
if hasattr(metrics, "d2_brier_score"):  # since 1.8
    STRATEGIES["d2_brier"] = scored_classes(metrics.d2_brier_score)
each_metric = pytest.mark.parametrize("metric", STRATEGIES)


@st.composite
def laid_out(draw, metric):
    """A case of which every row, or every group of rows, is a unit."""
    case = draw(STRATEGIES[metric])
    groups = draw(st.none() | lists_of(st.integers(0, 4), case.n_rows))
    assume(groups is None or len(set(groups)) > 1)
    assume(np.isfinite(case.both_scores(np.arange(case.n_rows))).all())
    groups = None if groups is None else np.unique(groups, return_inverse=True)[1]
    return LaidOut(case, groups)


def several(draws):
    return st.lists(draws.map(np.array), min_size=1, max_size=4)


@bounded
@each_metric
@given(data=st.data())
def test_every_path_scores_as_scikit_learn_on_the_rows(metric, data):
    """Resamples by counts and by rows, swaps by counts and by bits, units left out."""
    it = data.draw(laid_out(metric))
    n_rows, everyone = it.case.n_rows, np.arange(len(it.units))
    it.statistic.generic.from_builder()  # may not raise, which the engine would catch
    assert it.is_fast_if_counted

    units = lists_of(st.integers(0, len(everyone) - 1), len(everyone))
    resamples = data.draw(several(units))
    rows = [(it.units.rows(drawn),) for drawn in resamples]
    assert_scores(it.case, it.on_units(resamples), rows)

    rows = data.draw(lists_of(st.integers(0, n_rows - 1), n_rows).map(np.array))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as the engine does
        assert_scores(it.case, [it.statistic.on_rows(rows)], [(rows,)])

    assert_swapped(it, data.draw(several(lists_of(st.booleans(), len(everyone)))))

    if len(everyone) > 1:
        rows = [(it.units.rows(np.delete(everyone, unit)),) for unit in everyone]
        assert_scores(it.case, it.without_each_unit(), rows)


NEW_MEDIAN = pytest.mark.needs(
    "scikit-learn>=1.8", "median that weights of 1 do not change"
)


@pytest.mark.parametrize(
    "metric",
    [
        pytest.param(name, marks=NEW_MEDIAN if "median" in name else ())
        for name in STRATEGIES
    ],
)
def test_metrics_are_computed_from_counts_on_some_of_the_data(metric):
    """Otherwise the test above compares scikit-learn with itself."""
    try:
        find(laid_out(metric), lambda it: it.statistic.counted, settings=bounded)
    except NoSuchExample:
        pytest.fail(
            f"{metric} is called on every resample: its builder returns None, or is "
            "not among those of FAMILIES"
        )


# Rarities that random data seldom meet.


def few_rows(metric, y, predictions, sample_weight=None, **options):
    classes = None if isinstance(y[0], float) else [0, 1]
    return LaidOut(
        Case(
            scorer=make_scorer(metric, **options),
            y=np.array(y),
            predictions=tuple(map(np.array, predictions)),
            classes=classes,
            sample_weight=None if sample_weight is None else np.array(sample_weight),
        )
    )


@pytest.mark.parametrize(
    "metric",
    [
        metrics.accuracy_score,
        metrics.balanced_accuracy_score,
        metrics.cohen_kappa_score,
        metrics.f1_score,
        metrics.jaccard_score,
        metrics.matthews_corrcoef,
    ],
)
def test_resamples_without_weight_score_as_in_scikit_learn(metric):
    it = few_rows(metric, [0, 1, 1], ([0, 1, 0], [1, 1, 0]), [0.0, 0.0, 2.0])
    rows = np.array([0, 0, 1])
    assert_scores(it.case, it.on_units([rows]), [(rows,)])


def test_classes_without_weight_leave_no_rounding_error_in_matthews():
    it = few_rows(
        metrics.matthews_corrcoef,
        [0, 0, 1, 0, 0],
        ([0, 0, 0, 1, 0], [1, 0, 1, 1, 0]),
        [3.7, 0.0, 0.5, 0.1, 2.0],
    )
    rows = np.array([0, 1, 1, 2, 3])
    assert_scores(it.case, it.on_units([rows]), [(rows,)])


@pytest.mark.needs("scikit-learn>=1.9", "value for an undefined kappa")
def test_weighted_kappa_of_one_class_is_replaced_as_in_scikit_learn():
    it = few_rows(
        metrics.cohen_kappa_score,
        [0, 0, 1],
        ([1, 1, 1], [0, 0, 0]),
        [0.0, 0.5, 0.1],
        weights="quadratic",
        replace_undefined_by=-1.0,
    )
    rows = np.array([0, 0, 2])
    assert_scores(it.case, it.on_units([rows]), [(rows,)])


@pytest.mark.parametrize(
    "metric",
    [
        metrics.d2_absolute_error_score,
        metrics.d2_pinball_score,
        metrics.median_absolute_error,
        metrics.r2_score,
    ],
)
def test_one_row_repeated_scores_as_several(metric):
    it = few_rows(metric, [1.0, 1.0, 3.0], ([1.0, 2.0, 3.0], [1.0, 1.0, 2.0]))
    rows = np.array([0, 0, 0])
    assert_scores(it.case, it.on_units([rows]), [(rows,)])


ONE_CLASS = np.array([[0, 0, 1, 1, 5], [2, 3, 2, 3, 2], [4, 4, 4, 4, 4]])


AVERAGES = (
    {"average": "macro", "labels": [0, 1, 2]},
    {"average": "micro", "labels": [1]},
    {"average": "weighted", "labels": [1, 2]},
)


@pytest.mark.parametrize("in_sets", [False, True], ids=["labels", "sets"])
@pytest.mark.parametrize("metric", SETS)
def test_classes_that_a_resample_lacks_are_divided_as_in_scikit_learn(metric, in_sets):
    """By zero; a weighted average of no true labels is a plain one."""
    y, *predictions = [0, 0, 1, 1, 2, 0], [0, 0, 1, 1, 2, 1], [0, 1, 1, 2, 2, 0]
    own = {"beta": 2.0} if metric is metrics.fbeta_score else {}
    values = (0.0, 1.0) if metric is metrics.jaccard_score else (0.0, 1.0, math.nan)
    if in_sets:
        y, *predictions = (np.eye(3, dtype=int)[labels] for labels in (y, *predictions))
    for average, undefined in itertools.product(AVERAGES, values):
        options = {**average, **own, "zero_division": undefined}
        it = few_rows(metric, y, predictions, **options)
        assert it.is_fast
        assert_scores(it.case, it.on_units(ONE_CLASS), [(rows,) for rows in ONE_CLASS])


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", "samples"])
def test_sets_without_weight_score_as_in_scikit_learn(average):
    y, a, b = np.array([[[0, 1], [1, 1], [1, 0]], [[0, 1], [1, 0], [0, 0]]] * 2)[:3]
    it = few_rows(metrics.f1_score, y, (a, b), [0.0, 0.0, 2.0], average=average)
    rows = np.array([0, 0, 1])
    assert_scores(it.case, it.on_units([rows]), [(rows,)])


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", "samples"])
def test_sets_of_many_labels_are_alike_if_all_of_them_are(average):
    """More labels than bits of a byte, and rows that differ in the last ones alone."""
    y = np.zeros((40, 11), dtype=int)
    y[:, 0], y[::2, 9], y[::3, 10] = 1, 1, 1
    a, b = y.copy(), y.copy()
    a[::5, 10], b[::4, 9] = 1, 0
    it = few_rows(metrics.f1_score, y, (a, b), average=average)
    assert it.is_fast
    resamples = np.random.default_rng(0).integers(40, size=(5, 40))
    assert_scores(it.case, it.on_units(resamples), [(rows,) for rows in resamples])
    masks = np.random.default_rng(1).random((5, 40)) < 0.5
    assert_swapped(it, list(masks))


@pytest.mark.parametrize("metric", [metrics.mean_absolute_error, metrics.r2_score])
def test_swaps_of_more_rows_than_are_tabulated_at_a_time(metric):
    y, *predictions = np.random.default_rng(0).normal(size=(3, 2_100))
    it = few_rows(metric, y, predictions)
    masks = np.random.default_rng(1).random((3, 2_100)) < 0.5
    assert it.on_packed(masks) is not None
    assert_swapped(it, list(masks))


OUTLIER = ([1.0, 2.0, 1e9], ([1.1, 2.3, -1e9], [1.2, 2.1, 1e9]))
each_mean = pytest.mark.parametrize(
    "metric", [metrics.mean_squared_error, metrics.mean_absolute_error]
)


@each_mean
def test_an_outlier_left_out_leaves_no_trace(metric):
    it = few_rows(metric, *OUTLIER)
    everyone = np.arange(3)
    rows = [(np.delete(everyone, unit),) for unit in everyone]
    assert_scores(it.case, it.without_each_unit(), rows)


@each_mean
def test_an_outlier_swapped_leaves_no_trace(metric):
    it = few_rows(metric, *OUTLIER)
    masks = [np.array(mask) for mask in itertools.product([False, True], repeat=3)]
    assert_swapped(it, masks)


@pytest.mark.parametrize("seed", range(6))
def test_a_perfect_model_hands_over_all_its_predictions(seed):
    """What is left of the errors must be 0: rounding would show in the root."""
    truth, errors = np.random.default_rng(seed).normal(size=(2, 6))
    it = few_rows(metrics.root_mean_squared_error, truth, (truth + errors, truth))
    assert_swapped(it, [np.ones(6, dtype=bool)])


# Which scorers are fast.


def _classes(rng, n_classes):
    truth = rng.integers(n_classes, size=100)
    predictions = [rng.permutation(truth) for _ in range(2)]
    return {"y": truth, "predictions": predictions, "classes": range(n_classes)}


def _label_sets(rng):
    truth, *predictions = rng.integers(2, size=(3, 100, 3))
    return {"y": truth, "predictions": predictions, "classes": range(3)}


def _numbers(rng):
    truth = rng.gamma(3, size=100)
    return {"y": truth, "predictions": truth * rng.lognormal(sigma=0.3, size=(2, 100))}


def _scored(rng, sample):
    alphas = np.ones(len(sample["classes"]))
    predictions = [rng.dirichlet(alphas, size=100) for _ in range(2)]
    return {**sample, "predictions": predictions, "method": "predict_proba"}


SAMPLES = {
    "binary": lambda rng: _classes(rng, 2),
    "three classes": lambda rng: _classes(rng, 3),
    "label sets": _label_sets,
    "numbers": _numbers,
    "two probabilities": lambda rng: _scored(rng, _classes(rng, 2)),
    "three probabilities": lambda rng: _scored(rng, _classes(rng, 3)),
    "scored label sets": lambda rng: _scored(rng, _label_sets(rng)),
}
RATIO_NAMES = ("precision", "recall", "f1", "jaccard")
AVERAGED = [f"{name}_{average}" for name in RATIO_NAMES for average in AVERAGES]
ERRORS = (
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_gamma_deviance",
    "mean_poisson_deviance",
    "mean_squared_error",
    "mean_squared_log_error",
    "root_mean_squared_error",
    "root_mean_squared_log_error",
)
LOSSES = ["neg_log_loss", "neg_brier_score", "d2_log_loss_score", "d2_brier_score"]
FAST = {
    ("additive", "binary"): [*RATIO_NAMES, *AVERAGED],
    ("additive", "three classes"): [
        "accuracy",
        "balanced_accuracy",
        "matthews_corrcoef",
        *AVERAGED,
        make_scorer(metrics.balanced_accuracy_score, adjusted=True),
        make_scorer(metrics.cohen_kappa_score),
        make_scorer(metrics.cohen_kappa_score, weights="linear"),
        make_scorer(metrics.cohen_kappa_score, weights="quadratic"),
        make_scorer(metrics.fbeta_score, beta=2, average="macro", labels=[0, 2]),
        make_scorer(metrics.hamming_loss),
        make_scorer(metrics.zero_one_loss, normalize=False),
    ],
    ("additive", "label sets"): [
        "accuracy",
        *AVERAGED,
        *(f"{name}_samples" for name in RATIO_NAMES),
        make_scorer(metrics.hamming_loss),
    ],
    ("additive", "numbers"): [
        "r2",
        "explained_variance",
        *(f"neg_{error}" for error in ERRORS),
        make_scorer(metrics.mean_tweedie_deviance, power=1.5),
        make_scorer(metrics.mean_pinball_loss, alpha=0.1),
        make_scorer(metrics.d2_tweedie_score, power=1),
    ],
    ("additive", "two probabilities"): LOSSES,
    ("additive", "three probabilities"): [*LOSSES, "top_k_accuracy"],
    ("ranking", "two probabilities"): [
        "roc_auc",
        "average_precision",
        make_scorer(
            metrics.roc_auc_score, max_fpr=0.2, response_method="predict_proba"
        ),
    ],
    ("ranking", "three probabilities"): [
        "roc_auc_ovr",
        "roc_auc_ovr_weighted",
        "roc_auc_ovo",
        "roc_auc_ovo_weighted",
        "average_precision",
    ],
    ("ranking", "scored label sets"): ["roc_auc", "average_precision"],
    ("weighted", "numbers"): [
        "neg_median_absolute_error",
        "d2_absolute_error_score",
        make_scorer(metrics.d2_pinball_score, alpha=0.2),
    ],
    ("weighted", "three classes"): [
        make_scorer(metrics.cohen_kappa_score, labels=[0, 1]),
    ],
}
NEW = {
    "neg_brier_score, three probabilities": pytest.mark.needs(
        "scikit-learn>=1.7", "Brier score of many classes"
    ),
    "neg_median_absolute_error, numbers": NEW_MEDIAN,
}
SCORER_NAMES = set(metrics.get_scorer_names())  # D2 of the Brier score is new in 1.8
FAST_SCORERS = [
    pytest.param(engine, kind, scorer, id=title, marks=NEW.get(title, ()))
    for (engine, kind), scorers in FAST.items()
    for scorer in scorers
    if not isinstance(scorer, str) or scorer in SCORER_NAMES
    for title in [f"{scorer}, {kind}"]
]
DESIGNS = {
    "rows": (None, None),
    "groups": (None, np.arange(100) // 3),
    "weights": (np.arange(100) % 4 / 2, None),
}


@pytest.mark.parametrize(("engine", "kind", "scorer"), FAST_SCORERS)
def test_scorer_is_fast(engine, kind, scorer):
    scorer = metrics.get_scorer(scorer) if isinstance(scorer, str) else scorer
    for design, (weights, groups) in DESIGNS.items():
        sample = SAMPLES[kind](np.random.default_rng(0))
        if "ovo" in str(scorer):
            weights = None  # scikit-learn takes none
        it = LaidOut(Case(scorer=scorer, **sample, sample_weight=weights), groups)
        assert it.is_fast, design
        assert it.statistic.engine == engine


def test_a_builder_that_raises_leaves_the_metric_to_be_called(monkeypatch):
    def build(generic):
        raise TypeError("labels are strings")

    monkeypatch.setitem(BUILDERS, metrics.accuracy_score, build)
    it = few_rows(metrics.accuracy_score, [0, 1, 1], ([0, 1, 0], [1, 1, 0]))
    assert it.statistic.engine == "generic"
    assert it.statistic.observed == pytest.approx((2 / 3, 1 / 3))


def test_scores_of_tiny_numbers_are_compared_on_their_own_scale():
    """The mean squared error of values of size 1e-6 is of size 1e-12."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=300)
    a, b = y + rng.normal(size=(2, 300)) * [[0.5], [0.6]]
    amounts = rng.exponential(size=300)

    def tripled(y, p, sample_weight=None):
        if sample_weight is None:
            return np.mean((y - p) ** 2)
        return 3 * np.average((y - p) ** 2, weights=sample_weight)

    def ordered(y, p):
        return np.average((y - p) ** 2, weights=amounts)

    for size in (1.0, 1e-6):
        data = y * size, a * size, b * size
        scorer = make_scorer(tripled, greater_is_better=False)
        with pytest.raises(ValueError, match="weights of 1 change its value"):
            BayesianComparison(scoring=scorer).fit_predictions(*data)
        scorer = make_scorer(ordered, greater_is_better=False)
        with pytest.warns(ComparisonWarning, match="if the same rows are reordered"):
            PairedBootstrap(scoring=scorer, n_resamples=99).fit_predictions(*data)
    test = PairedBootstrap(scoring="neg_mean_squared_error", n_resamples=99)
    result = test.fit_predictions(y * 1e-7, a * 1e-7, b * 1e-7).result_
    assert not any("same on every resample" in text for text in result.caveats)
