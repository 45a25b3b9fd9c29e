"""What is known about a comparison before any test: score, rows, shape, time."""

import dataclasses
import functools
import time

import numpy as np
from sklearn.metrics import roc_auc_score

from skcompare._engine import as_statistic, as_weighable, evaluate_draws, row_scores
from skcompare._validation import (
    as_labels,
    metric_of,
    named_scorer,
    response_methods_of,
)
from skcompare.advice._normality import Normality, check_normality
from skcompare.comparison._question import Question, pose_question
from skcompare.stats import paired_differences

__all__ = ["Facts", "gather_facts"]

# Resamples are timed in ever larger lots until one takes so many seconds.
SECONDS_TIMED, MOST_TIMED = 0.05, 2_000


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Facts:
    """What a decision tree can ask about a comparison.

    Parameters
    ----------
    metric : str
        The name of the metric.
    question : Question
        The rows, the answers and the score.
    kind : {"right or wrong", "average", "roc auc", "other"}
        What the score is: an average over rows of two values, or of more; the area
        under a ROC curve of two classes; or something else.
    differences : ndarray or None
        The score of A less that of B on every row, if the score is their average.
    is_accuracy : bool
        Whether a row is scored by whether the answer equals the truth.
    exchangeable : bool
        Whether both models can answer in the way the scorer asks.
    normality : Normality or None
        What checks say about the differences of an average, if they vary; with groups
        about sums of their deviations from the mean, over groups.
    """

    metric: str
    question: Question
    kind: str
    differences: np.ndarray | None
    is_accuracy: bool
    exchangeable: bool
    normality: Normality | None

    @property
    def n_rows(self):
        """The number of rows."""
        return self.question.sample.n_rows

    @property
    def n_units(self):
        """The number of groups, or of rows if there are no groups."""
        return len(self.question.units)

    @property
    def grouped(self):
        """Whether rows belong together."""
        return self.question.units.groups is not None

    @property
    def units(self):
        """What is resampled, in a word."""
        return "groups" if self.grouped else "rows"

    @property
    def groups_given(self):
        """Whether groups are the user's, not just rows tested several times."""
        indices, groups = self.question.sample.indices, self.question.units.groups
        by_row = indices is not None and np.array_equal(
            np.unique(indices, return_inverse=True)[1], groups
        )
        return self.grouped and not by_row

    @property
    def cross_validated(self):
        """Whether rows are answered out of fold."""
        return self.question.sample.fold is not None

    @property
    def n_splits(self):
        """The number of splits of cross-validation that test rows, 0 without."""
        return len(np.unique(self.question.sample.fold)) if self.cross_validated else 0

    @property
    def retested(self):
        """Whether cross-validation tests rows several times."""
        indices = self.question.sample.indices
        return self.cross_validated and len(np.unique(indices)) < self.n_rows

    @property
    def partitioned(self):
        """Whether cross-validation tests every row of the data, and only once."""
        sample = self.question.sample
        return not self.retested and sample.n_given == sample.n_rows

    @property
    def torn_groups(self):
        """Whether a group has rows in several folds, where rows are tested once."""
        if not self.cross_validated or not self.grouped or self.retested:
            return False
        both = np.column_stack([self.question.units.groups, self.question.sample.fold])
        return len(np.unique(both, axis=0)) > self.n_units

    @functools.cached_property
    def weighable(self):
        """Whether the scorer takes weights of rows."""
        return as_weighable(self.question.statistics[self.metric])[0] is not None

    @property
    def averages(self):
        """Whether the score is an average over rows."""
        return self.differences is not None

    @property
    def n_discordant(self):
        """The number of rows on which the models differ: in score, if rows have one."""
        return int(np.count_nonzero(self._discordant_rows()))

    @property
    def n_discordant_units(self):
        """The number of rows, or of groups, with a row on which the models differ."""
        return len(self.question.units.containing(self._discordant_rows()))

    def _discordant_rows(self):
        if self.averages:
            return self.differences != 0
        return self.question.sample.discordant_rows()

    @property
    def class_sizes(self):
        """The number of rows of each class, largest first, where there are classes."""
        labels, sizes = np.unique(self.question.sample.y_array, return_counts=True)
        order = np.argsort(-sizes, kind="stable")
        return dict(zip(labels[order].tolist(), sizes[order].tolist(), strict=True))

    def neighbours_correlation(self):
        """Return the correlation of differences of neighbouring rows, 0 if unknown."""
        if not self.averages or not np.any(self.differences):
            return 0.0
        centred = self.differences - self.differences.mean()
        spread = centred @ centred
        return float(centred[:-1] @ centred[1:] / spread) if spread > 0 else 0.0

    def seconds(self, exchanges):
        """Estimate how long a resample takes, from a few of them.

        Parameters
        ----------
        exchanges : bool
            Whether answers are exchanged, or rows redrawn.

        Returns
        -------
        float
            Seconds per resample with one worker.
        """
        plan = self._plan(exchanges)
        n_draws, seconds = 2, 0.0
        while seconds < SECONDS_TIMED and n_draws < MOST_TIMED:
            n_draws *= 4
            began = time.perf_counter()
            evaluate_draws(plan.scheme, plan.score, n_draws, seed=0)
            seconds = time.perf_counter() - began
        return seconds / n_draws

    def _plan(self, exchanges):
        question = self.question
        discordant = question.units.containing(question.sample.discordant_rows())
        if exchanges and len(discordant):
            return question.layout.swap_plan(discordant)
        return question.layout.bootstrap_plan()


def gather_facts(sample, scorers, groups):
    """Find out what a decision tree may ask.

    Parameters
    ----------
    sample : Sample
        Rows and answers.
    scorers : dict
        One scorer, by name.
    groups : array-like or None
        Labels of rows that belong together.

    Returns
    -------
    Facts
        What is known.
    """
    if groups is not None:
        groups = as_labels(groups, "groups")
    question = pose_question(sample, scorers, groups=groups, strata=None, seed=0)
    ((metric, scorer),) = scorers.items()
    statistic = question.statistics[metric]
    rows = row_scores(statistic)
    differences = None if rows is None else paired_differences(*rows)[0]
    is_accuracy = rows is not None and _is_accuracy(rows, sample)
    kind = _kind(rows, is_accuracy, scorer, statistic, sample)
    return Facts(
        metric=metric,
        question=question,
        kind=kind,
        differences=differences,
        is_accuracy=is_accuracy,
        exchangeable=_can_exchange(scorer, sample),
        normality=_normality(differences, question) if kind == "average" else None,
    )


def _normality(differences, question):
    """Check the differences of rows for normality, or their sums over groups."""
    groups = question.units.groups
    if groups is None or not np.ptp(differences) > 0:
        return check_normality(differences)
    return check_normality(np.bincount(groups, differences - differences.mean()))


def _kind(rows, is_accuracy, scorer, statistic, sample):
    if rows is not None:
        two_valued = len(np.unique(rows)) == 2
        return "right or wrong" if two_valued or is_accuracy else "average"
    return "roc auc" if _is_roc_auc(scorer, statistic, sample) else "other"


def _named_statistic(name, sample):
    """Return one of scikit-learn's scores of a sample, None where it has none."""
    try:
        return as_statistic(named_scorer(name), name, sample)
    except (TypeError, ValueError):
        return None


def _is_accuracy(rows, sample):
    """Return whether the better of two row scores is had just by equal labels."""
    low, high = np.min(rows), np.max(rows)
    if not np.isin(rows, [low, high]).all():
        return False
    accuracy = _named_statistic("accuracy", sample)
    right = None if accuracy is None else row_scores(accuracy)
    if right is None:
        return False
    return low == high or np.array_equal(np.array(rows) == high, np.array(right) > 0.5)


def _is_roc_auc(scorer, statistic, sample):
    """Return whether a score is the ROC AUC of two classes that DeLong tests."""
    metric = metric_of(scorer)
    if metric is None or metric[0] is not roc_auc_score or sample.y_array.ndim > 1:
        return False
    if len(np.unique(sample.y_array)) != 2:
        return False
    usual = _named_statistic("roc_auc", sample)
    return usual is not None and np.allclose(usual.observed, statistic.observed)


def _can_exchange(scorer, sample):
    """Return whether both models can give the response that the scorer asks for."""
    a, b = sample.answers
    wanted = response_methods_of(scorer)
    if wanted is None:
        return set(a.responses) == set(b.responses)
    return bool(set(wanted) & set(a.own_methods) & set(b.own_methods))
