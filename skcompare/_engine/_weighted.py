"""Metrics whose `sample_weight` is the same as repetition, called on distinct rows."""

import numpy as np
import sklearn
from sklearn import metrics

from skcompare._engine._statistic import CountedStatistic, Table

# Weights as repetition: checked for each of these against repeated rows. First those
# that are made of how often classes are predicted for classes,
OF_LABELS = {
    metrics.balanced_accuracy_score,
    metrics.cohen_kappa_score,
    metrics.f1_score,
    metrics.fbeta_score,
    metrics.jaccard_score,
    metrics.precision_score,
    metrics.recall_score,
}
# means of per-row scores,
MEANS = {
    metrics.brier_score_loss,
    metrics.log_loss,
    metrics.top_k_accuracy_score,
}
# and others.
REPEATABLE = OF_LABELS | MEANS
REPEATABLE |= {
    metrics.average_precision_score,
    metrics.d2_absolute_error_score,
    metrics.d2_pinball_score,
    metrics.roc_auc_score,
}
if tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 8):
    # Until then its weighted median was another than that of repeated values.
    REPEATABLE.add(metrics.median_absolute_error)


def weighted_statistic(generic):
    """Return a statistic that passes counts as weights, None if those may differ.

    Parameters
    ----------
    generic : MetricStatistic
        The metric on this sample.

    Returns
    -------
    WeightedStatistic or None
        The statistic.
    """
    plain = all(
        isinstance(array, np.ndarray) and array.ndim == 1
        for array in (generic.y, *generic.responses)
    )
    if generic.metric not in REPEATABLE or not plain:
        return None
    return WeightedStatistic(generic)


class WeightedStatistic(CountedStatistic):
    """A metric that takes counts as weights.

    Parameters
    ----------
    generic : MetricStatistic
        The metric on this sample.
    """

    engine = "weighted"

    def __init__(self, generic):
        super().__init__(generic)
        self.lowest = -1.0 if generic.metric is metrics.cohen_kappa_score else 0.0

    @property
    def counts_labels(self):
        """Whether the score is made of how often classes are predicted for classes."""
        return self.generic.metric in OF_LABELS

    @property
    def bootstrap_method(self):
        """The rule of the textbooks for counts and means; it loses power for others."""
        return "shift" if self.generic.metric in OF_LABELS | MEANS else "percentile"

    @property
    def keys(self):
        """Truth, responses and weights."""
        weights = self.generic.sample_weight
        own = [] if weights is None else [weights]
        return [self.generic.y, *self.generic.responses, *own]

    def tabulate(self, rows):
        """Return the table of cells, given one row of each."""
        return WeightedTable(self.generic, rows)


class WeightedTable(Table):
    """One row for each cell, for a metric function written in Python.

    Parameters
    ----------
    generic : MetricStatistic
        The metric on the whole sample.
    rows : ndarray
        One row of each cell.
    """

    workers = "processes"

    def __init__(self, generic, rows):
        self.generic, self.rows = generic, rows

    def scores(self, counts):
        """Score every model on resamples."""
        models = range(len(self.generic.observed))
        return np.array(
            [[self._score(row, np.full(len(row), m)) for m in models] for row in counts]
        )

    def swapped_scores(self, counts, swapped):
        """Score two models after they have exchanged predictions."""
        authors = np.repeat([0, 1], len(counts))
        return np.array(
            [
                [
                    self._score(np.concatenate([counts - moved, moved]), authors),
                    self._score(np.concatenate([counts - moved, moved]), 1 - authors),
                ]
                for moved in swapped
            ]
        )

    def _score(self, counts, authors):
        """Score the cells, once or twice over, with as many predictions of a model."""
        present = counts > 0
        rows = np.resize(self.rows, len(counts))[present]
        authors, counts = authors[present], counts[present]
        if len(rows) == 1:
            # One row and several that are alike are not the same to some metrics.
            times = int(counts[0])
            return self.generic.mixed_score_or_nan(
                np.repeat(rows, times), np.repeat(authors, times)
            )
        return self.generic.weighted_score_or_nan(rows, authors, counts)
