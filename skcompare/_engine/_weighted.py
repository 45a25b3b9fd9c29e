"""Weights in place of repetition: of metrics for which they are the same, and of any.

A weighted statistic calls its metric on distinct rows, with counts as weights.
"""

import numpy as np
import sklearn
from sklearn import metrics

from skcompare._caveats import quiet
from skcompare._engine._recognized import RecognizedStatistic
from skcompare._engine._statistic import CountedStatistic, Table, are_equal

# Weights as repetition: checked for each of these against repeated rows. Means of
# per-row scores and agreements,
SHIFTED = {
    metrics.brier_score_loss,
    metrics.cohen_kappa_score,
    metrics.log_loss,
    metrics.top_k_accuracy_score,
}
# and others, for which the textbooks' p-value loses power.
OTHERS = {metrics.d2_absolute_error_score, metrics.d2_pinball_score}
if tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 8):
    # Until then its weighted median was another than that of repeated values.
    OTHERS.add(metrics.median_absolute_error)

# So often a recognized metric has to agree with itself called with weights.
N_WEIGHTINGS = 4


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
    repeatable = generic.metric in SHIFTED | OTHERS
    return WeightedStatistic(generic) if repeatable and plain else None


class WeightedStatistic(CountedStatistic):
    """A metric that takes counts as weights.

    Parameters
    ----------
    generic : MetricStatistic
        The metric on this sample.
    """

    engine = "weighted"

    def __init__(self, generic):
        super().__init__(generic, [generic.y, *generic.responses])
        self.counts_labels = generic.metric is metrics.cohen_kappa_score
        self.lowest = -1.0 if self.counts_labels else 0.0
        self.bootstrap_method = "shift" if generic.metric in SHIFTED else "percentile"

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

    def scores(self, counts, *, as_weights=False):
        """Score every model on resamples."""
        models = range(len(self.generic.observed))
        return np.array(
            [[self._score(row, np.full(len(row), m)) for m in models] for row in counts]
        )

    def swapped_scores(self, counts, swapped):
        """Score two models after they have exchanged predictions."""
        authors = np.repeat([0, 1], len(counts))
        both = np.concatenate([counts - swapped, swapped], axis=1)
        return np.array(
            [[self._score(row, authors), self._score(row, 1 - authors)] for row in both]
        )

    def _score(self, counts, authors):
        """Score the cells, once or twice over, with as many predictions of a model."""
        present = counts > 0
        rows = np.resize(self.rows, len(counts))[present]
        authors, counts = authors[present], counts[present]
        if len(rows) == 1:
            # One row and several that are alike are not the same to some metrics.
            rows, authors = (np.repeat(a, int(counts[0])) for a in (rows, authors))
            counts = None
        return self.generic.score_or_nan(rows, authors, counts)


def as_weighable(statistic):
    """Return the same statistic, made for weights of any size in place of counts.

    Rows without weights get weights of 1, which a metric that takes weights makes
    nothing of.

    Parameters
    ----------
    statistic : Statistic
        A score of all models of a sample.

    Returns
    -------
    statistic : Statistic or None
        None if the scorer does not take weights.
    trouble : str or None
        Why it does not.
    """
    if statistic.sample_weight is not None:
        return _recognized_with_weights(statistic), None
    n_rows = statistic.generic.n_rows
    weighted = statistic.with_weights(np.ones(n_rows))
    with quiet():  # given when the sample was scored
        scores = weighted.on_rows(np.arange(n_rows))
    if are_equal(scores, statistic.observed):
        return _recognized_with_weights(weighted), None
    trouble = weighted.generic.trouble
    if trouble is None:
        return None, "weights of 1 change its value"
    # Whatever adds up can be weighed, also if the metric knows nothing of weights.
    adding = statistic.recognize()
    if isinstance(adding, RecognizedStatistic):
        return adding, None
    return None, trouble


def _recognized_with_weights(statistic):
    """Return a statistic that adds up with any weights, if the metric does."""
    adding = statistic.recognize()
    if not isinstance(adding, RecognizedStatistic):
        return adding
    sums, n_models = adding.sums, len(adding.observed)
    rng = np.random.default_rng(len(sums.numerators))
    for _ in range(N_WEIGHTINGS):
        factors = rng.standard_exponential(adding.n_rows)
        with quiet():
            scores = statistic.on_weights(factors)
        added, weights = (
            part.reshape(n_models, -1) @ factors
            for part in (sums.numerators, sums.denominators)
        )
        if not are_equal(sums.score(added, weights), scores):
            return statistic
    return adding
