"""What is to be known about a comparison before a test is chosen."""

import dataclasses
import functools
import time

import numpy as np
from sklearn.metrics import roc_auc_score

from skcompare._engine import (
    as_weighable,
    bootstrap,
    draw,
    row_scores,
    set_counts,
    swaps,
)
from skcompare._evaluation import Problem, problem_of_predictions
from skcompare._validation import (
    check_fraction,
    check_integer,
)
from skcompare.planning._normality import (
    NORMAL_MEAN,
    Normality,
    check_normality,
    t_level_error,
)
from skcompare.stats import paired_differences

# Resamples are timed in ever larger lots, until they took so many seconds or are many.
SECONDS_TIMED, MOST_TIMED = 0.1, 2_000


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Setting:
    """What a user asks for, besides the data.

    Parameters
    ----------
    scoring : object
        The metric, as the user gave it.
    n_comparisons : int
        The number of comparisons of which this is one.
    alpha : float
        The level of all of them together.
    models : dict, default={}
        `estimator_a` and `estimator_b`, where there are models.
    cv : object, default="prefit"
        How models are to be judged.
    """

    scoring: object
    n_comparisons: int
    alpha: float
    models: dict = dataclasses.field(default_factory=dict)
    cv: object = "prefit"

    def __post_init__(self):
        check_integer("n_comparisons", self.n_comparisons, 1, 1_000_000)
        check_fraction("alpha", self.alpha)

    @property
    def level(self):
        """The level of this comparison, by Bonferroni."""
        return float(self.alpha) / int(self.n_comparisons)

    @property
    def of_models(self):
        """Parameters that models, if there are any, give to a test."""
        return {**self.models, "cv": self.cv} if self.models else {}


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Facts:
    """What advice can ask about a comparison.

    Parameters
    ----------
    setting : Setting
        What the user asks for.
    level : float
        The level of the single test.
    problem : Problem
        The rows, the predictions and the score.
    metric : str
        The name of the metric.
    kind : {"right or wrong", "average", "roc auc", "other"}
        What the score is: an average over rows of two values, or of more; the area
        under a ROC curve of two classes; or something else.
    averages : bool
        Whether the score is an average over rows.
    is_accuracy : bool
        Whether a row is scored by whether the prediction equals the truth.
    exchangeable : bool
        Whether both models can respond in the way the scorer asks.
    decision_values : bool
        Whether the models respond by decision values.
    weighable : bool
        Whether the scorer takes weights of rows.
    counts_sets : bool
        Whether the score is precision, recall or F, of a label or averaged.
    normality : Normality or None
        What checks say about the differences of an average, if they vary; with groups
        about sums of their deviations from the mean, over groups.
    neighbors_correlation : float
        The correlation of differences of neighboring rows, 0 if there is none.
    n_rows, n_units : int
        The number of rows, and of groups, or of rows if there are no groups.
    grouped, groups_given : bool
        Whether rows belong together, and whether the user says so: they also do if
        cross-validation tests them several times.
    n_discordant, n_discordant_units : int
        The number of rows on which the models differ, in score if rows have one, and of
        units with such a row.
    class_sizes : dict
        The number of rows of each class, largest first, where the score is about
        classes.
    n_splits : int
        The number of splits of cross-validation that test rows, 0 without.
    retested : bool
        Whether cross-validation tests rows several times.
    partitioned : bool
        Whether every row of the data is tested once.
    torn_groups : bool
        Whether a group has rows in several folds, where rows are tested once.
    """

    setting: Setting
    level: float
    problem: Problem
    metric: str
    kind: str
    averages: bool
    is_accuracy: bool
    exchangeable: bool
    decision_values: bool
    weighable: bool
    counts_sets: bool
    normality: Normality | None
    neighbors_correlation: float
    n_rows: int
    n_units: int
    grouped: bool
    groups_given: bool
    n_discordant: int
    n_discordant_units: int
    class_sizes: dict
    n_splits: int
    retested: bool
    partitioned: bool
    torn_groups: bool

    @property
    def units(self):
        """What is resampled, in a word."""
        return "groups" if self.grouped else "rows"

    @property
    def cross_validated(self):
        """Whether rows are predicted out of fold."""
        return self.n_splits > 0

    @property
    def smallest_class(self):
        """The number of rows of the smallest class."""
        return min(self.class_sizes.values())

    @functools.cached_property
    def normal_mean(self):
        """Whether the mean difference of units may be taken as normal, and why."""
        return NORMAL_MEAN.ask(self)

    @property
    def level_error(self):
        """How far the level of a t-test is off because of skewness."""
        return t_level_error(self.normality.skewness, self.n_units, self.level)

    def fit_call(self, predictions="y_pred_a, y_pred_b"):
        """Return how to fit a test: on models and data, or on predictions."""
        groups = ", groups=groups" if self.groups_given else ""
        if self.setting.models:
            return f"fit(X, y{groups})"
        return f"fit_predictions(y_true, {predictions}{groups})"


def gather_facts(problem, scorer, setting):
    """Find out what advice may ask.

    Parameters
    ----------
    problem : Problem
        The predictions of two models, in one metric.
    scorer : Metric
        The metric.
    setting : Setting
        What the user asks for.

    Returns
    -------
    Facts
        What is known.
    """
    (metric,) = problem.statistics
    units, statistic = problem.units, problem.statistic(metric)
    rows = row_scores(statistic)
    differences = None if rows is None else paired_differences(*rows)[0]
    differs = problem.differs if rows is None else differences != 0
    kind, is_accuracy = _kind(rows, statistic, problem)
    counts = set_counts(statistic)
    return Facts(
        setting=setting,
        level=setting.level,
        problem=problem,
        metric=metric,
        kind=kind,
        averages=rows is not None,
        is_accuracy=is_accuracy,
        exchangeable=_can_exchange(scorer, problem),
        decision_values="decision_function" in problem.predictions[0],
        weighable=as_weighable(statistic)[0] is not None,
        counts_sets=counts is not None
        and counts.kind in ("precision", "recall", "fbeta")
        and counts.average in ("binary", "micro", "macro"),
        normality=_normality(differences, units) if kind == "average" else None,
        neighbors_correlation=0.0 if rows is None else _correlation(differences),
        n_rows=problem.n_rows,
        n_units=len(units),
        n_discordant=int(np.count_nonzero(differs)),
        n_discordant_units=len(units.containing(differs)),
        class_sizes=_class_sizes(problem.y, kind, is_accuracy),
        **_about_splits(problem),
    )


def _kind(rows, statistic, problem):
    """Return what the score is, and whether it is accuracy."""
    if rows is None:
        roc_auc = _is_roc_auc(statistic, problem)
        return ("roc auc" if roc_auc else "other"), False
    is_accuracy = _is_accuracy(rows, problem)
    two_valued = len(np.unique(rows)) == 2
    return ("right or wrong" if two_valued or is_accuracy else "average"), is_accuracy


def _is_accuracy(rows, problem):
    """Return whether the better of two row scores is had just by equal labels."""
    low, high = np.min(rows), np.max(rows)
    if not np.isin(rows, [low, high]).all():
        return False
    accuracy = _named_statistic("accuracy", problem)
    right = None if accuracy is None else row_scores(accuracy)
    if right is None:
        return False
    return low == high or np.array_equal(np.array(rows) == high, np.array(right) > 0.5)


def _is_roc_auc(statistic, problem):
    """Return whether a score is the ROC AUC of two classes that DeLong tests."""
    function = getattr(statistic.generic, "metric", None)
    if function is not roc_auc_score or problem.y.ndim > 1:
        return False
    if len(np.unique(problem.y)) != 2:
        return False
    usual = _named_statistic("roc_auc", problem)
    return usual is not None and np.allclose(usual.observed, statistic.observed)


def _named_statistic(name, problem):
    """Return one of scikit-learn's scores of the predictions, None if it has none."""
    predictions = dict(zip(("y_pred_a", "y_pred_b"), problem.predictions, strict=True))
    try:
        other = problem_of_predictions(problem.y, predictions, scoring=name)
    except (TypeError, ValueError):
        return None
    return other.statistic(name)


def _can_exchange(scorer, problem):
    """Return whether both models can give the response that the scorer asks for."""
    wanted = scorer.responses
    if wanted is None:
        a, b = problem.predictions
        return set(a) == set(b)
    a, b = problem.methods
    return bool(set(wanted) & set(a) & set(b))


def _normality(differences, units):
    """Check the differences of rows for normality, or their sums over groups."""
    if units.groups is None or not np.ptp(differences) > 0:
        return check_normality(differences)
    return check_normality(np.bincount(units.groups, differences - differences.mean()))


def _correlation(differences):
    """Return how differences of neighboring rows correlate, 0 if they do not vary."""
    centered = differences - differences.mean()
    spread = centered @ centered
    return float(centered[:-1] @ centered[1:] / spread) if spread > 0 else 0.0


def _class_sizes(y, kind, is_accuracy):
    """Count rows by class, largest class first, if the score is about classes."""
    if y.ndim > 1 or not (is_accuracy or kind == "roc auc"):
        return {}
    labels, sizes = np.unique(y, return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    return dict(zip(labels[order].tolist(), sizes[order].tolist(), strict=True))


def _about_splits(problem):
    """Return facts about groups and folds, by name."""
    units, fold, indices = problem.units, problem.fold, problem.indices
    groups = units.groups
    grouped, folded = groups is not None, fold is not None
    distinct, by_row = np.unique(indices, return_inverse=True) if folded else ((), None)
    retested = folded and len(distinct) < problem.n_rows
    torn = folded and grouped and not retested
    if torn:
        parts = np.unique(np.column_stack([groups, fold]), axis=0)
        torn = len(parts) > len(units)
    return {
        "grouped": grouped,
        "groups_given": grouped and not (folded and np.array_equal(by_row, groups)),
        "n_splits": len(np.unique(fold)) if folded else 0,
        "retested": retested,
        "partitioned": not retested and problem.n_given == problem.n_rows,
        "torn_groups": torn,
    }


def seconds_per_resample(problem, by_swaps):
    """Estimate how long a resample takes with one worker, from a few of them.

    Parameters
    ----------
    problem : Problem
        The rows, the predictions and the score.
    by_swaps : bool
        Whether predictions are swapped, or rows redrawn.

    Returns
    -------
    float
        Seconds per resample.
    """
    cells, units = problem.cells(), problem.swapped_units
    resampler = swaps(cells, units) if by_swaps and len(units) else bootstrap(cells)
    # What happens once, such as loading code and starting threads, is not timed.
    draw(resampler, 2, seed=0)
    n_draws, seconds = 2, 0.0
    while seconds < SECONDS_TIMED and n_draws < MOST_TIMED:
        n_draws *= 4
        began = time.perf_counter()
        draw(resampler, n_draws, seed=0)
        seconds = time.perf_counter() - began
    return seconds / n_draws
