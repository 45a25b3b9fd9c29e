"""What a recommendation looks at before it names a test."""

import dataclasses
import functools
import math
import time

import numpy as np
from sklearn.metrics import (
    balanced_accuracy_score,
    d2_absolute_error_score,
    explained_variance_score,
    r2_score,
    roc_auc_score,
)

from skcompare._engine import (
    Units,
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
from skcompare.comparison import is_set_score
from skcompare.planning._normality import (
    NORMAL_MEAN,
    Normality,
    check_normality,
    t_level_error,
)
from skcompare.stats.paired import paired_differences

# Resamples are timed in ever larger lots, until they took so many seconds or are many.
SECONDS_TIMED, MOST_TIMED = 0.1, 2_000

# Neighboring rows that correlate by so many standard errors are taken for dependent.
DEPENDENT = 3
# A truth of fewer distinct values is taken for classes, not for a series.
FEWEST_VALUES = 20
# With fewer rows the spread of the truth, as a divisor, makes a bootstrap conservative.
FEWEST_FOR_SPREAD = 100
OVER_SPREAD = (r2_score, explained_variance_score, d2_absolute_error_score)
# Mean and median of fewer numbers are not compared; of more, a distance between them of
# so many standard errors shows that the numbers are skewed (Miao, Gel and Gastwirth,
# 2006, whose variance is that of normal numbers).
FEWEST_COMPARED, SKEWED, GAP_VARIANCE = 20, 2.58, math.pi / 2 - 1


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
    positive : object
        The class to whose rows the comparison is restricted, since the score is its
        recall; None if it is about all rows.
    kind : {"right or wrong", "average", "roc auc", "other"}
        What the score is: a mean of per-row scores of two values, or more; the area
        under a ROC curve of two classes; or something else.
    averages : bool
        Whether the score is a mean of per-row scores.
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
    averages_classes : bool
        Whether the score is an average over classes in which all count alike.
    few_for_spread : bool
        Whether the score divides by the spread of the truth, as R2 does, and rows are
        too few for a bootstrap of that.
    normality : Normality or None
        What checks say about the differences of an average, if they vary; with groups
        about sums of their deviations from the mean, over groups.
    mean_median_gap : float
        How far mean and median of differences lie apart, in standard deviations.
    symmetric : bool
        Whether the differences may be symmetric about their mean.
    neighbors_correlation : float
        The correlation of differences of neighboring rows, 0 if there is none.
    block_length : int
        Rows follow one another in time, and so many in a row are taken as a group; 0
        if they do not.
    n_rows, n_units : int
        The number of rows, and of groups, or of rows if there are no groups.
    n_effective : float
        How many units of equal size or weight these are worth (Kish).
    weighted : bool
        Whether rows have weights.
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
    positive: object
    kind: str
    averages: bool
    is_accuracy: bool
    exchangeable: bool
    decision_values: bool
    weighable: bool
    counts_sets: bool
    averages_classes: bool
    few_for_spread: bool
    normality: Normality | None
    mean_median_gap: float
    symmetric: bool
    neighbors_correlation: float
    block_length: int
    n_rows: int
    n_units: int
    n_effective: float
    weighted: bool
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
        rows = ", groups=groups" if self.groups_given else ""
        if self.block_length:
            rows = f", groups={self.blocks}"
        if self.weighted:
            rows += ", sample_weight=sample_weight"
        of_class = "" if self.positive is None else "[rows]"
        if self.setting.models:
            return f"fit(X{of_class}, y{of_class}{rows})"
        predictions = predictions.replace(",", f"{of_class},") + of_class
        return f"fit_predictions(y_true{of_class}, {predictions}{rows})"

    @property
    def blocks(self):
        """Code for the groups that rows in a row are."""
        return f"np.arange({self.n_rows}) // {self.block_length}"


def gather_facts(problem, asked, setting, *, narrowed=True):
    """Find out what advice may ask.

    Parameters
    ----------
    problem : Problem
        The predictions of two models, in one metric.
    asked : Metric
        The metric.
    setting : Setting
        What the user asks for.
    narrowed : bool, default=True
        Whether a recall is asked about on the rows of its class, where it is the
        accuracy.

    Returns
    -------
    Facts
        What advice may ask.
    """
    (metric,) = problem.statistics
    function, arguments = asked.function, asked.kwargs
    counts = set_counts(problem.statistic(metric))
    positive = None
    recall = counts is not None and counts.kind == "recall"
    recall = recall and counts.average == "binary"
    alone = problem.fold is None and problem.units.groups is None
    if recall and narrowed and alone:
        positive = arguments.get("pos_label", 1)
        problem = problem.at(np.flatnonzero(problem.y == positive))
        accuracy = _named_statistic("accuracy", problem)
        problem = dataclasses.replace(problem, statistics={metric: accuracy})
    statistic = problem.statistic(metric)
    rows = row_scores(statistic)
    differences = None if rows is None else paired_differences(*rows)[0]
    differs = problem.differs if rows is None else differences != 0
    kind, is_accuracy = _kind(rows, statistic, problem)
    correlation, block_length = _order(differences, problem)
    if block_length:
        blocks = np.arange(problem.n_rows) // block_length
        units = Units(problem.n_rows, blocks)
        problem = dataclasses.replace(problem, units=units)
    units, weights = problem.units, problem.sample_weight
    sizes = np.ones(problem.n_rows) if weights is None else weights
    sizes = sizes if units.groups is None else np.bincount(units.groups, sizes)
    gap, symmetric = _symmetry(differences if kind == "average" else ())
    averages_classes = function is balanced_accuracy_score or (
        counts is not None and counts.average == "macro"
    )
    about_classes = is_accuracy or averages_classes or kind == "roc auc"
    return Facts(
        setting=setting,
        level=setting.level,
        problem=problem,
        metric=metric,
        positive=positive,
        kind=kind,
        averages=rows is not None,
        is_accuracy=is_accuracy,
        exchangeable=_can_exchange(asked, problem),
        decision_values="decision_function" in problem.predictions[0],
        weighable=as_weighable(statistic)[0] is not None,
        counts_sets=is_set_score(counts),
        averages_classes=averages_classes,
        few_for_spread=function in OVER_SPREAD and len(units) < FEWEST_FOR_SPREAD,
        normality=_normality(differences, units) if kind == "average" else None,
        mean_median_gap=gap,
        symmetric=symmetric,
        neighbors_correlation=correlation,
        block_length=block_length,
        n_rows=problem.n_rows,
        n_units=len(units),
        n_effective=float(sizes.sum() ** 2 / (sizes @ sizes)),
        weighted=weights is not None,
        n_discordant=int(np.count_nonzero(differs)),
        n_discordant_units=len(units.containing(differs)),
        class_sizes=_class_sizes(problem.y)
        if about_classes and positive is None
        else {},
        **_about_splits(problem),
    )


def _order(differences, problem):
    """Return how neighboring rows correlate, and the length of blocks of a series.

    The length is that of Carlstein (1986) for a series of first order. Rows of classes,
    and sorted ones, are alike by their order, not by the time between them.
    """
    y = problem.y
    if differences is None and y.ndim == 1 and problem.sample_weight is None:
        squares = _named_statistic("neg_mean_squared_error", problem)
        rows = None if squares is None else row_scores(squares)
        differences = None if rows is None else paired_differences(*rows)[0]
    if differences is None:
        return 0.0, 0
    centered, n = differences - differences.mean(), len(differences)
    spread = centered @ centered
    correlation = float(centered[:-1] @ centered[1:] / spread) if spread > 0 else 0.0
    independent = correlation * math.sqrt(n) <= DEPENDENT
    if independent or problem.fold is not None or problem.units.groups is not None:
        return correlation, 0
    values = np.asarray(y)
    if y.ndim > 1 or values.dtype.kind not in "iuf":
        return correlation, 0
    steps = np.diff(values)
    in_order = (steps >= 0).all() or (steps <= 0).all()
    if len(np.unique(values)) < FEWEST_VALUES or in_order:
        return correlation, 0
    memory = (2 * correlation / (1 - correlation**2)) ** (2 / 3)
    return correlation, int(np.clip(math.ceil(n ** (1 / 3) * memory), 2, n // 2))


def _symmetry(differences):
    """Return how far mean and median lie apart, and whether that may be chance.

    Rows on which the models do not differ have no say in signs and ranks.
    """
    values = np.asarray(differences)[np.asarray(differences) != 0]
    if len(values) < FEWEST_COMPARED or not np.ptp(values) > 0:
        return 0.0, True
    median = np.median(values)
    gap = abs(values.mean() - median)
    spread = math.sqrt(math.pi / 2) * np.abs(values - median).mean()
    error = math.sqrt(GAP_VARIANCE / len(values))
    return float(gap / values.std()), bool(gap / spread <= SKEWED * error)


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


def _class_sizes(y):
    """Count rows by class, largest class first."""
    if y.ndim > 1:
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
