"""What a recommendation looks at before it names a test."""

import dataclasses
import functools
import math
from typing import NamedTuple

import numpy as np
from sklearn import metrics

from skcompare import comparison
from skcompare._engine import Units, as_weighable
from skcompare._evaluation import Problem, problem_of_predictions
from skcompare.stats.clusters import effective_number
from skcompare.stats.normality import FEWEST_NUMBERS, check_normality, t_level_error
from skcompare.stats.paired import paired_differences

# Neighboring rows that correlate by so many standard errors are taken for dependent.
DEPENDENT = 3
# A truth of fewer distinct values is taken for classes, not for a series.
FEWEST_VALUES = 20
# With fewer rows the spread of the truth, as a divisor, makes a bootstrap conservative.
FEWEST_FOR_SPREAD = 100
OVER_SPREAD = (
    metrics.r2_score,
    metrics.explained_variance_score,
    metrics.d2_absolute_error_score,
)
# Mean and median of fewer numbers are not compared; of more, a distance between them of
# so many standard errors shows that the numbers are skewed (Miao, Gel and Gastwirth,
# 2006, whose variance is that of normal numbers).
FEWEST_COMPARED, SKEWED, GAP_VARIANCE = 20, 2.58, math.pi / 2 - 1
# The fewest units for which the central limit theorem is called upon, and how far the
# level of a t-test may be off by skewness, as a share of the level.
MANY_UNITS, TOLERATED_ERROR = 100, 0.1


class Answer(NamedTuple):
    """Whether something holds, and the sentence that says so with numbers."""

    holds: bool
    sentence: str


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Facts:
    """What advice asks about a comparison; a property is computed when it is asked.

    Parameters
    ----------
    problem : Problem
        The rows, the predictions and the score of both models.
    scorer : Metric
        The metric.
    scoring : object
        The metric, as the user gave it.
    n_comparisons : int
        The number of comparisons of which this is one.
    alpha : float
        The level of all of them together.
    level : float
        The level of the single test.
    models : dict, default={}
        Parameters that models, if there are any, give to a test: `estimator_a`,
        `estimator_b` and `cv`.
    positive : object, default=None
        The class to whose rows the comparison is restricted, since the score is its
        recall; None if it is about all rows.
    block_length : int, default=0
        Rows follow one another in time, and so many in a row are taken as a group; 0
        if they do not.
    """

    problem: Problem
    scorer: object
    scoring: object
    n_comparisons: int
    alpha: float
    level: float
    models: dict = dataclasses.field(default_factory=dict)
    positive: object = None
    block_length: int = 0

    # The score

    @property
    def metric(self):
        """The name of the metric."""
        return next(iter(self.problem.statistics))

    @functools.cached_property
    def statistic(self):
        """The score of both models."""
        return self.problem.statistics[self.metric]

    @functools.cached_property
    def row_scores(self):
        """The scores of both models on each row, None if the score is no mean."""
        return self.statistic.row_scores()

    @property
    def averages(self):
        """Whether the score is a mean of per-row scores."""
        return self.row_scores is not None

    @functools.cached_property
    def differences(self):
        """The differences of per-row scores, None if there are none."""
        return paired_differences(*self.row_scores)[0] if self.averages else None

    @functools.cached_property
    def is_accuracy(self):
        """Whether a row has the better of two scores just if the labels are equal."""
        if not self.averages:
            return False
        low, high = np.min(self.row_scores), np.max(self.row_scores)
        if not np.isin(self.row_scores, [low, high]).all():
            return False
        right = named_row_scores("accuracy", self.problem)
        if right is None:
            return False
        better = np.array(self.row_scores) == high
        return low == high or np.array_equal(better, np.array(right) > 0.5)

    @functools.cached_property
    def kind(self):
        """What the score is.

        "right or wrong" and "average" are means over rows of two values, or of more;
        "roc auc" is that of two classes; anything else is "other".
        """
        if self.averages:
            two_valued = len(np.unique(self.row_scores)) == 2
            return "right or wrong" if two_valued or self.is_accuracy else "average"
        y, function = self.problem.y, getattr(self.statistic.generic, "metric", None)
        two_classes = y.ndim == 1 and len(np.unique(y)) == 2
        if function is not metrics.roc_auc_score or not two_classes:
            return "other"
        usual = named_statistic("roc_auc", self.problem)
        same = usual and np.allclose(usual.observed, self.statistic.observed)
        return "roc auc" if same else "other"

    @property
    def ranked_by_fold(self):
        """Whether rows are put in order by a score that each fold has for itself."""
        return self.cross_validated and self.statistic.ranks

    @functools.cached_property
    def exchangeable(self):
        """Whether both models can respond in the way the scorer asks."""
        wanted = self.scorer.responses
        if wanted is None:
            a, b = self.problem.predictions
            return set(a) == set(b)
        a, b = self.problem.methods
        return bool(set(wanted) & set(a) & set(b))

    @property
    def on_one_scale(self):
        """Whether swaps take ranks or standardized values, which are on one scale."""
        return self.problem.on_one_scale().statistics != self.problem.statistics

    @property
    def weighable(self):
        """Whether the scorer takes weights of rows."""
        return as_weighable(self.statistic)[0] is not None

    @property
    def label(self):
        """The class that a score of one class is about."""
        return self.scorer.kwargs.get("pos_label", 1)

    @functools.cached_property
    def kind_of_label(self):
        """Which ratio of a class the score is, such as "recall"; None if it is none."""
        counts = self.statistic.set_counts
        return counts.kind if counts and counts.average == "binary" else None

    @property
    def averages_classes(self):
        """Whether the score is an average over classes in which all count alike."""
        counts = self.statistic.set_counts
        macro = counts is not None and counts.average == "macro"
        return macro or self.scorer.function is metrics.balanced_accuracy_score

    @property
    def few_for_spread(self):
        """Whether the score divides by the spread of too few rows for a bootstrap."""
        divides = self.scorer.function in OVER_SPREAD
        return divides and self.n_units < FEWEST_FOR_SPREAD

    @functools.cached_property
    def table(self):
        """The sums over rows from which the score is computed, None if it is not."""
        table = (self.problem.cells().tables or {}).get(self.metric)
        return table if table is not None and table.adds_up else None

    @property
    def adds_up(self):
        """Whether the score is computed from sums over rows."""
        return self.table is not None

    @property
    def swap_statistic(self):
        """What is computed on swapped predictions, unless a test says otherwise."""
        return self.table.swap_statistic if self.adds_up else "difference"

    @property
    def normal_values(self):
        """Whether truth and predictions may be normal."""
        values = self.problem.y, *(p["predict"] for p in self.problem.predictions)
        checks = [check_normality(v) for v in values]
        return not any(check is None or check.rejected for check in checks)

    # The differences between the models

    @functools.cached_property
    def normality(self):
        """What checks say about the differences of an average, if they vary.

        With groups they are about sums of deviations from the mean, over groups.
        """
        if self.kind != "average":
            return None
        values, groups = self.differences, self.problem.units.groups
        if groups is not None and np.ptp(values) > 0:
            values = np.bincount(groups, values - values.mean())
        return check_normality(values)

    @functools.cached_property
    def normal_mean(self):
        """Whether a t-test may take the mean difference as normal, and why.

        With groups it is their sums that must be normal, or many.
        """
        if self.n_units < FEWEST_NUMBERS:
            return Answer(False, f"{self.n_units} {self.units} are too few to tell.")
        if self.normality is None:
            same = f"do not vary from {self.units[:-1]} to {self.units[:-1]}."
            return Answer(False, f"The differences between the models {same}")
        values = "sums over groups" if self.grouped else "differences"
        rejected, skewness = self.normality.rejected, self.normality.skewness
        checked = (
            f"Normality of the {self.n_units:,} {values} is "
            f"{'rejected' if rejected else 'not rejected'} at 0.05: {self.normality}."
        )
        if not rejected:
            return Answer(True, checked)
        if self.n_units < MANY_UNITS:
            few = f"fewer than {MANY_UNITS} {self.units}"
            return Answer(False, f"{checked} With {few} no limit theorem helps.")
        error = t_level_error(skewness, self.n_units, self.level)
        holds = error <= TOLERATED_ERROR * self.level
        theorem = "Nor does the central limit theorem make their mean normal enough"
        if holds:
            theorem = "But the central limit theorem makes their mean normal"
        return Answer(
            holds,
            f"{checked} {theorem}: with a skewness of {skewness:.2f} the level "
            f"{self.level:.3g} of a one-sided t-test is off by about {error:.2g}, "
            f"{'less' if holds else 'more'} than a tenth of it.",
        )

    @functools.cached_property
    def asymmetry(self):
        """How far mean and median of differences lie apart.

        In standard deviations, and in standard errors (Miao, Gel and Gastwirth). Rows
        on which the models do not differ have no say in signs and ranks.
        """
        values = self.differences[self.differences != 0]
        if len(values) < FEWEST_COMPARED or not np.ptp(values) > 0:
            return 0.0, 0.0
        median = np.median(values)
        gap = abs(values.mean() - median)
        spread = math.sqrt(math.pi / 2) * np.abs(values - median).mean()
        error = spread * math.sqrt(GAP_VARIANCE / len(values))
        return float(gap / values.std()), float(gap / error)

    @property
    def symmetric(self):
        """Whether the differences may be symmetric about their mean."""
        return self.kind != "average" or self.asymmetry[1] <= SKEWED

    @functools.cached_property
    def differs(self):
        """On which rows the models differ, in score if rows have one."""
        if self.averages:
            return self.differences != 0
        of_class = True
        if self.kind_of_label == "recall":
            of_class = self.problem.y == self.label
        return self.problem.differs & of_class

    @property
    def n_discordant(self):
        """The number of rows on which the models differ."""
        return int(np.count_nonzero(self.differs))

    @property
    def n_discordant_units(self):
        """The number of units with such a row."""
        return len(self.problem.units.containing(self.differs))

    # Rows, groups, classes

    @property
    def n_rows(self):
        """The number of rows."""
        return self.problem.n_rows

    @property
    def n_units(self):
        """The number of groups, or of rows if there are no groups."""
        return self.problem.n_units

    @property
    def units(self):
        """What is resampled, in a word."""
        return self.problem.unit

    @functools.cached_property
    def n_holding(self):
        """The number of units, if these are groups only of those that hold the class.

        That is the class that the score is about, or the rarest if it is about all.
        """
        y, statistic = self.problem.y, self.statistic
        if not self.grouped or y.ndim > 1 or statistic.averages_rows:
            return self.n_units
        if self.kind_of_label:
            labels, units = [y], self.problem.units
            if self.kind_of_label == "precision":
                labels += [model["predict"] for model in self.problem.predictions]
            return min(len(units.containing(held == self.label)) for held in labels)
        two_classes = statistic.counts_labels and len(np.unique(y)) == 2
        if two_classes or self.averages_classes or statistic.engine == "ranking":
            return comparison.units_of_rarest_class(self.problem)
        return self.n_units

    @functools.cached_property
    def rare_class(self):
        """What to say of a score that rests on few rows of a class, if anything."""
        caveat = comparison.rare_class_caveat(self.problem, self.metric)
        if caveat is None:
            return ""
        remedy = " Merge rare classes, or report a weighted average as well."
        return caveat.text + remedy * self.averages_classes

    @functools.cached_property
    def n_effective(self):
        """How many units of equal size or weight these are worth (Kish)."""
        return effective_number(self.problem.sizes)

    @property
    def uneven(self):
        """Whether many units are worth few even ones."""
        return self.n_units >= comparison.FEWEST_UNITS > self.n_effective

    @property
    def weighted(self):
        """Whether rows have weights."""
        return self.problem.sample_weight is not None

    @functools.cached_property
    def class_sizes(self):
        """The number of rows of each class, largest first, for a score of classes."""
        y, whole = self.problem.y, self.positive is None
        of_classes = self.is_accuracy or self.kind == "roc auc"
        if not of_classes or not whole or y.ndim > 1:
            return {}
        labels, sizes = np.unique(y, return_counts=True)
        order = np.argsort(-sizes, kind="stable")
        return dict(zip(labels[order].tolist(), sizes[order].tolist(), strict=True))

    @property
    def smallest_class(self):
        """The number of rows of the smallest class."""
        return min(self.class_sizes.values())

    @property
    def grouped(self):
        """Whether rows belong together, as those that are tested several times do."""
        return self.problem.units.groups is not None

    @functools.cached_property
    def groups_given(self):
        """Whether the user says that they do."""
        if not self.grouped or not self.cross_validated:
            return self.grouped and not self.block_length
        by_row = np.unique(self.problem.indices, return_inverse=True)[1]
        return not np.array_equal(by_row, self.problem.units.groups)

    @functools.cached_property
    def neighbors_correlation(self):
        """How far differences of neighboring rows correlate, 0 if there are none.

        Where rows have no scores, it is that of their squared errors.
        """
        differences = self.differences
        if differences is None and self.problem.y.ndim == 1 and not self.weighted:
            rows = named_row_scores("neg_mean_squared_error", self.problem)
            differences = None if rows is None else paired_differences(*rows)[0]
        if differences is None:
            return 0.0
        centered = differences - differences.mean()
        spread = centered @ centered
        return float(centered[:-1] @ centered[1:] / spread) if spread > 0 else 0.0

    @property
    def dependent(self):
        """Whether neighboring rows correlate by more than chance."""
        return self.neighbors_correlation * math.sqrt(self.n_rows) > DEPENDENT

    # Cross-validation

    @functools.cached_property
    def n_splits(self):
        """The number of splits of cross-validation that test rows, 0 without."""
        fold = self.problem.fold
        return 0 if fold is None else len(np.unique(fold))

    @property
    def cross_validated(self):
        """Whether rows are predicted out of fold."""
        return self.n_splits > 0

    @functools.cached_property
    def retested(self):
        """Whether cross-validation tests rows several times."""
        indices = self.problem.indices
        return self.cross_validated and len(np.unique(indices)) < self.n_rows

    @functools.cached_property
    def torn_groups(self):
        """Whether a group has rows in several folds, where rows are tested once."""
        if not self.cross_validated or not self.grouped or self.retested:
            return False
        pairs = np.column_stack([self.problem.units.groups, self.problem.fold])
        return len(np.unique(pairs, axis=0)) > self.n_units

    @functools.cached_property
    def n_folds_of_one_class(self):
        """The number of folds with rows of one class only."""
        y, fold = self.problem.y, self.problem.fold
        if not self.cross_validated or y.ndim > 1:
            return 0
        return sum(len(np.unique(y[fold == f])) == 1 for f in np.unique(fold))

    # Code

    def fit_call(self, predictions="y_pred_a, y_pred_b"):
        """Return how to fit a test: on models and data, or on predictions."""
        groups = self.blocks if self.block_length else "groups"
        rows = f", groups={groups}" if self.groups_given or self.block_length else ""
        if self.weighted:
            rows += ", sample_weight=sample_weight"
        of_class = "" if self.positive is None else "[rows]"
        if self.models:
            return f"fit(X{of_class}, y{of_class}{rows})"
        predictions = predictions.replace(",", f"{of_class},") + of_class
        return f"fit_predictions(y_true{of_class}, {predictions}{rows})"

    @property
    def blocks(self):
        """Code for the groups that rows in a row are."""
        return f"np.arange({self.n_rows}) // {self.block_length}"


def gather_facts(problem, scorers, *, narrowed=True, **asked):
    """Make facts about a problem of two models in one metric.

    Parameters
    ----------
    problem : Problem
        The predictions of two models, in one metric.
    scorers : dict of Metric
        The metric.
    narrowed : bool, default=True
        Whether a recall is asked about on the rows of its class, where it is the
        accuracy.
    **asked : dict
        What the user asks for: fields of `Facts`.

    Returns
    -------
    Facts
        What advice may ask. Rows that follow one another in time are taken in blocks;
        groups of one row each are no groups.
    """
    # A splitter may need groups, even such.
    if problem.n_units == problem.n_rows and problem.fold is None:
        problem = dataclasses.replace(problem, units=Units(problem.n_rows))
    (scorer,) = scorers.values()
    facts = Facts(problem=problem, scorer=scorer, **asked)
    plain = problem.fold is problem.units.groups is problem.sample_weight is None
    recall = facts.kind_of_label == "recall" and narrowed and plain
    rows = np.flatnonzero(problem.y == facts.label) if recall else ()
    if len(rows) > 1:  # a single one is too few for a problem
        problem = problem.at(rows)
        accuracy = named_statistic("accuracy", problem)
        problem = dataclasses.replace(problem, statistics={facts.metric: accuracy})
        facts = dataclasses.replace(facts, problem=problem, positive=facts.label)
    length = block_length(facts)
    if not length:
        return facts
    units = Units(problem.n_rows, np.arange(problem.n_rows) // length)
    blocks = dataclasses.replace(problem, units=units)
    return dataclasses.replace(facts, problem=blocks, block_length=length)


def block_length(facts):
    """Return how many rows of a series make a block, 0 for rows that are no series.

    The length is that of Carlstein (1986) for a series of first order. Rows of classes,
    and sorted ones, are alike by their order, not by the time between them.
    """
    y, n, correlation = facts.problem.y, facts.n_rows, facts.neighbors_correlation
    numeric = y.ndim == 1 and np.asarray(y).dtype.kind in "iuf"
    if not facts.dependent or facts.cross_validated or facts.grouped or not numeric:
        return 0
    steps = np.diff(y)
    in_order = (steps >= 0).all() or (steps <= 0).all()
    if len(np.unique(y)) < FEWEST_VALUES or in_order:
        return 0
    memory = (2 * correlation / (1 - correlation**2)) ** (2 / 3)
    return int(np.clip(math.ceil(n ** (1 / 3) * memory), 2, n // 2))


def named_statistic(name, problem):
    """Return one of scikit-learn's scores of the predictions, None if it has none."""
    predictions = dict(zip(("y_pred_a", "y_pred_b"), problem.predictions, strict=True))
    try:
        other = problem_of_predictions(problem.y, predictions, scoring=name)
    except (TypeError, ValueError):
        return None
    return other.statistics[name]


def named_row_scores(name, problem):
    """Return the scores of rows by such a score, None if rows have none."""
    statistic = named_statistic(name, problem)
    return None if statistic is None else statistic.row_scores()
