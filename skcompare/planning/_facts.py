"""Facts about a comparison on which the recommendation of a test is based."""

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

# Correlation of neighboring rows, in standard errors, above which they are dependent.
DEPENDENT = 3
# Minimum number of distinct true values of a time series; fewer are taken as classes.
FEWEST_VALUES = 20
# With fewer rows, dividing by the spread of the truth makes a bootstrap conservative.
FEWEST_FOR_SPREAD = 100
OVER_SPREAD = (
    metrics.r2_score,
    metrics.explained_variance_score,
    metrics.d2_absolute_error_score,
)
# The symmetry test of Miao, Gel and Gastwirth (2006): the minimum number of values, the
# distance of mean and median, in standard errors, above which they are skewed, and the
# factor of its variance, which is that of normal values.
FEWEST_COMPARED, SKEWED, GAP_VARIANCE = 20, 2.58, math.pi / 2 - 1
# The minimum number of units for the central limit theorem, and the tolerated error of
# the level of a t-test due to skewness, as a share of the level.
MANY_UNITS, TOLERATED_ERROR = 100, 0.1


class Condition(NamedTuple):
    """Whether a condition holds, and a sentence with the numbers behind it."""

    holds: bool
    sentence: str


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Facts:
    """Facts about a comparison. Properties are computed on access.

    Parameters
    ----------
    problem : Problem
        The rows, the predictions and the score of both models.
    scorer : Metric
        The metric.
    scoring : object
        The metric, as passed by the user.
    n_comparisons : int
        The total number of comparisons.
    alpha : float
        The level of all comparisons together.
    level : float
        The level of this test.
    models : dict, default={}
        Parameters of the test for models, if any: `estimator_a`, `estimator_b` and
        `cv`.
    positive : object, default=None
        The class to whose rows the comparison is restricted, since the metric is its
        recall; None for all rows.
    block_length : int, default=0
        The number of consecutive rows of a time series that are treated as a group; 0
        if the rows are not ordered in time.
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
        """The per-row scores of both models, None if the score is not their mean."""
        return self.statistic.row_scores()

    @property
    def averages(self):
        """Whether the score is a mean of per-row scores."""
        return self.row_scores is not None

    @property
    def is_no_average(self):
        """A verb phrase for a score that is not a mean of per-row scores."""
        # Metrics of scikit-learn and of this library are recognized if they are means.
        verb = "is not" if self.scorer.takes_array else "is not recognized as"
        return f"{verb} a mean of per-row scores"

    @functools.cached_property
    def differences(self):
        """The differences of per-row scores, None if there are none."""
        return paired_differences(*self.row_scores)[0] if self.averages else None

    @functools.cached_property
    def is_accuracy(self):
        """Whether rows have two scores, the better one exactly if labels are equal."""
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
        """The kind of score.

        "right or wrong" is a mean of two-valued per-row scores, "average" of others;
        "roc auc" is that of two classes; anything else is "other".
        """
        if self.averages:
            two_valued = len(np.unique(self.row_scores)) == 2
            return "right or wrong" if two_valued or self.is_accuracy else "average"
        y, function = self.problem.y, getattr(self.statistic.generic, "metric", None)
        two_classes = y.ndim == 1 and len(np.unique(y)) == 2
        if function is not metrics.roc_auc_score or not two_classes:
            return "other"
        standard = named_statistic("roc_auc", self.problem)
        same = standard and np.allclose(standard.observed, self.statistic.observed)
        return "roc auc" if same else "other"

    @property
    def ranked_by_fold(self):
        """Whether the metric ranks rows whose scores come from different folds."""
        return self.cross_validated and self.statistic.ranks

    @functools.cached_property
    def exchangeable(self):
        """Whether both models share a response method that the scorer uses."""
        methods = self.scorer.responses
        if methods is None:
            a, b = self.problem.predictions
            return set(a) == set(b)
        a, b = self.problem.methods
        return bool(set(methods) & set(a) & set(b))

    @property
    def on_one_scale(self):
        """Whether swaps use ranks or standardized values, which are on one scale."""
        return self.problem.on_one_scale().statistics != self.problem.statistics

    @property
    def weighable(self):
        """Whether the scorer accepts weights of rows."""
        return as_weighable(self.statistic)[0] is not None

    @property
    def label(self):
        """The positive class of a score of one class."""
        return self.scorer.kwargs.get("pos_label", 1)

    @functools.cached_property
    def kind_of_label(self):
        """The kind of a score of one class, such as "recall"; None for other scores."""
        counts = self.statistic.set_counts
        return counts.kind if counts and counts.average == "binary" else None

    @property
    def averages_classes(self):
        """Whether the score is an unweighted average over classes."""
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
        """The sums over rows that determine the score, None if there are none."""
        table = (self.problem.cells().tables or {}).get(self.metric)
        return table if table is not None and table.adds_up else None

    @property
    def adds_up(self):
        """Whether the score is computed from sums over rows."""
        return self.table is not None

    @property
    def swap_statistic(self):
        """The default test statistic for swapped predictions."""
        return self.table.swap_statistic if self.adds_up else "difference"

    @property
    def normal_values(self):
        """Whether normality of truth and predictions is not rejected."""
        values = self.problem.y, *(p["predict"] for p in self.problem.predictions)
        checks = [check_normality(v) for v in values]
        return not any(check is None or check.rejected for check in checks)

    # The differences between the models

    @functools.cached_property
    def normality(self):
        """Normality tests of the differences of an average, None if they do not vary.

        With groups, the tests use group sums of deviations from the mean.
        """
        if self.kind != "average":
            return None
        values, groups = self.differences, self.problem.units.groups
        if groups is not None and np.ptp(values) > 0:
            values = np.bincount(groups, values - values.mean())
        return check_normality(values)

    @functools.cached_property
    def normal_mean(self):
        """Whether a t-test may treat the mean difference as normal, and why.

        With groups, the group sums must be normal, or many.
        """
        if self.n_units < FEWEST_NUMBERS:
            few = f"{self.n_units} {self.units} are too few to check for normality."
            return Condition(False, few)
        if self.normality is None:
            same = f"do not vary from {self.units[:-1]} to {self.units[:-1]}."
            return Condition(False, f"The differences between the models {same}")
        values = "sums over groups" if self.grouped else "differences"
        rejected, skewness = self.normality.rejected, self.normality.skewness
        checked = (
            f"Normality of the {self.n_units:,} {values} is "
            f"{'rejected' if rejected else 'not rejected'} at 0.05: {self.normality}."
        )
        if not rejected:
            return Condition(True, checked)
        if self.n_units < MANY_UNITS:
            few = f"With fewer than {MANY_UNITS} {self.units}"
            return Condition(False, f"{checked} {few}, no limit theorem applies.")
        error = t_level_error(skewness, self.n_units, self.level)
        holds = error <= TOLERATED_ERROR * self.level
        theorem = "The central limit theorem does not suffice either"
        if holds:
            theorem = (
                "By the central limit theorem their mean is nevertheless approximately "
                "normal"
            )
        return Condition(
            holds,
            f"{checked} {theorem}: with a skewness of {skewness:.2f} the level "
            f"{self.level:.3g} of a one-sided t-test is off by about {error:.2g}, "
            f"{'less' if holds else 'more'} than a tenth of it.",
        )

    @functools.cached_property
    def asymmetry(self):
        """Distance of mean and median of the differences.

        In standard deviations, and in standard errors (Miao, Gel and Gastwirth). Rows
        on which the models do not differ do not affect signs and ranks, and are left
        out.
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
        """Whether symmetry of the differences about their mean is not rejected."""
        return self.kind != "average" or self.asymmetry[1] <= SKEWED

    @functools.cached_property
    def differs(self):
        """Whether the models differ on each row, in score if rows have scores."""
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
        """The resampled units in a word, such as "rows"."""
        return self.problem.unit

    @functools.cached_property
    def n_holding(self):
        """The number of units; for groups, only of those that contain the class.

        The class is the positive class of the score, or the rarest for a score of all.
        """
        y, statistic = self.problem.y, self.statistic
        if not self.grouped or y.ndim > 1 or statistic.averages_rows:
            return self.n_units
        if self.kind_of_label:
            labels, units = [y], self.problem.units
            if self.kind_of_label == "precision":
                labels += [model["predict"] for model in self.problem.predictions]
            return min(len(units.containing(own == self.label)) for own in labels)
        two_classes = statistic.counts_labels and len(np.unique(y)) == 2
        if two_classes or self.averages_classes or statistic.engine == "ranking":
            return comparison.units_of_rarest_class(self.problem)
        return self.n_units

    @functools.cached_property
    def rare_class(self):
        """The caveat of a score that depends on few rows of a class; empty if none."""
        caveat = comparison.support_of(self.problem, self.metric).rare
        if caveat is None:
            return ""
        remedy = " Merge rare classes, or report a weighted average as well."
        return caveat.text + remedy * self.averages_classes

    @functools.cached_property
    def n_effective(self):
        """The effective number of units of equal size or weight (Kish)."""
        return effective_number(self.problem.sizes)

    @property
    def uneven(self):
        """Whether units are many, but their effective number is small."""
        return self.n_units >= comparison.FEWEST_UNITS > self.n_effective

    @property
    def few_units(self):
        """Whether units, or those that contain the class, are few for a bootstrap."""
        return min(self.n_effective, self.n_holding) < comparison.FEWEST_UNITS

    @property
    def weighted(self):
        """Whether rows have weights."""
        return self.problem.sample_weight is not None

    @functools.cached_property
    def class_sizes(self):
        """The number of rows of each class, largest first, for accuracy or ROC AUC."""
        y, all_rows = self.problem.y, self.positive is None
        of_classes = self.is_accuracy or self.kind == "roc auc"
        if not of_classes or not all_rows or y.ndim > 1:
            return {}
        labels, sizes = np.unique(y, return_counts=True)
        order = np.argsort(-sizes, kind="stable")
        return dict(zip(labels[order].tolist(), sizes[order].tolist(), strict=True))

    @property
    def largest_class(self):
        """The label of the largest class, None if there are no classes."""
        return next(iter(self.class_sizes), None)

    @property
    def largest_share(self):
        """The share of rows of the largest class, 0 if there are no classes."""
        return self.class_sizes.get(self.largest_class, 0) / self.n_rows

    @property
    def smallest_class(self):
        """The number of rows of the smallest class."""
        return min(self.class_sizes.values())

    @property
    def grouped(self):
        """Whether rows are in groups, such as repeated tests of the same row."""
        return self.problem.units.groups is not None

    @functools.cached_property
    def has_user_groups(self):
        """Whether the user passed the groups."""
        if not self.grouped or not self.cross_validated:
            return self.grouped and not self.block_length
        by_row = np.unique(self.problem.indices, return_inverse=True)[1]
        return not np.array_equal(by_row, self.problem.units.groups)

    @functools.cached_property
    def neighbors_correlation(self):
        """Correlation between differences of neighboring rows, 0 if there are none.

        Differences are in squared errors if rows have no scores.
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
        """Whether neighboring rows correlate more than by chance."""
        return self.neighbors_correlation * math.sqrt(self.n_rows) > DEPENDENT

    # Cross-validation

    @functools.cached_property
    def n_splits(self):
        """The number of cross-validation splits, 0 without cross-validation."""
        fold = self.problem.fold
        return 0 if fold is None else len(np.unique(fold))

    @property
    def cross_validated(self):
        """Whether rows are predicted out of fold."""
        return self.n_splits > 0

    @functools.cached_property
    def retested(self):
        """Whether cross-validation tests some rows several times."""
        indices = self.problem.indices
        return self.cross_validated and len(np.unique(indices)) < self.n_rows

    @functools.cached_property
    def torn_groups(self):
        """Whether a group has rows in several folds, if rows are tested once."""
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

    @property
    def level_code(self):
        """Code for the level: that of all comparisons, divided by their number."""
        divisor = f" / {self.n_comparisons:_}" if self.n_comparisons > 1 else ""
        return f"{float(self.alpha)!r}{divisor}"

    def fit_call(self, predictions="y_pred_a, y_pred_b"):
        """Return code that fits a test, on models and data or on predictions."""
        groups = self.blocks if self.block_length else "groups"
        rows = f", groups={groups}" if self.has_user_groups or self.block_length else ""
        if self.weighted:
            rows += ", sample_weight=sample_weight"
        of_class = "" if self.positive is None else "[rows]"
        if self.models:
            return f"fit(X{of_class}, y{of_class}{rows})"
        predictions = predictions.replace(",", f"{of_class},") + of_class
        return f"fit_predictions(y_true{of_class}, {predictions}{rows})"

    @property
    def blocks(self):
        """Code that makes groups of consecutive rows."""
        return f"np.arange({self.n_rows}) // {self.block_length}"


def gather_facts(problem, scorers, *, narrowed=True, **settings):
    """Return facts about a problem of two models in one metric.

    Parameters
    ----------
    problem : Problem
        The predictions of two models, in one metric.
    scorers : dict of Metric
        The metric.
    narrowed : bool, default=True
        Whether to restrict a recall to the rows of its class, on which it is the
        accuracy.
    **settings : dict
        Settings of the user: fields of `Facts`.

    Returns
    -------
    Facts
        The facts. Rows ordered in time are put in blocks, and groups of one row each
        are ignored.
    """
    # With folds, groups of one row each are kept: a splitter may need them.
    if problem.n_units == problem.n_rows and problem.fold is None:
        problem = dataclasses.replace(problem, units=Units(problem.n_rows))
    (scorer,) = scorers.values()
    facts = Facts(problem=problem, scorer=scorer, **settings)
    plain = problem.fold is problem.units.groups is problem.sample_weight is None
    recall = facts.kind_of_label == "recall" and narrowed and plain
    rows = np.flatnonzero(problem.y == facts.label) if recall else ()
    if len(rows) > 1:  # a problem needs more than one row
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
    """Return the number of rows in a block of a time series, 0 for other rows.

    The length is that of Carlstein (1986) for a first-order autoregressive series.
    Classes and sorted values are not taken as a time series: neighbors are alike due to
    their order, not to the time between them.
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
    """Return a scikit-learn score of the predictions, None if it is undefined."""
    predictions = dict(zip(("y_pred_a", "y_pred_b"), problem.predictions, strict=True))
    try:
        scored = problem_of_predictions(problem.y, predictions, scoring=name)
    except (TypeError, ValueError):
        return None
    return scored.statistics[name]


def named_row_scores(name, problem):
    """Return per-row scores of a scikit-learn score, None if it has none."""
    statistic = named_statistic(name, problem)
    return None if statistic is None else statistic.row_scores()
