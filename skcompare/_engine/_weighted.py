"""Weights instead of repeated rows, and statistics that support arbitrary weights.

A weighted statistic calls its metric on distinct rows, with counts as weights.
"""

import numpy as np
import sklearn
from sklearn import metrics

from skcompare._caveats import quiet
from skcompare._engine._recognized import RecognizedStatistic
from skcompare._engine._statistic import ATOL, RTOL, CountedStatistic, Table

# Metrics for which weights are equivalent to repeated rows, as verified for each: means
# of per-row scores and measures of agreement,
SHIFTED = {
    metrics.brier_score_loss,
    metrics.cohen_kappa_score,
    metrics.log_loss,
    metrics.top_k_accuracy_score,
}
# and others, for which the textbook p-value loses power.
OTHERS = {metrics.d2_absolute_error_score, metrics.d2_pinball_score}
if tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 8):
    # Before, its weighted median differed from the median of repeated values.
    OTHERS.add(metrics.median_absolute_error)

# Number of random weightings on which a recognized metric is compared with calls.
N_WEIGHTINGS = 4


def weighted_statistic(generic):
    """Return a statistic that passes counts as weights.

    Parameters
    ----------
    generic : MetricStatistic
        The metric on this sample.

    Returns
    -------
    WeightedStatistic or None
        The statistic, None if weights may not be equivalent to repeated rows.
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
        """Return the table of cells from one row of each."""
        return WeightedTable(self.generic, rows)


class WeightedTable(Table):
    """A table that calls a metric function on one row of each cell.

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
        """Score each model on resamples."""
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
        """Score cells, listed once or twice, with the predictions of their authors."""
        present = counts > 0
        rows = np.resize(self.rows, len(counts))[present]
        authors, counts = authors[present], counts[present]
        if len(rows) == 1:
            # Some metrics distinguish a single row from several equal rows.
            rows, authors = (np.repeat(a, int(counts[0])) for a in (rows, authors))
            counts = None
        return self.generic.score_or_nan(rows, authors, counts)


def as_weighable(statistic):
    """Return the statistic in a form that supports arbitrary weights.

    Rows without weights get weights of 1, which do not change the score of a metric
    that supports weights.

    Parameters
    ----------
    statistic : Statistic
        A score of all models of a sample.

    Returns
    -------
    statistic : Statistic or None
        The statistic, None if the scorer does not support weights.
    reason : str or None
        The reason why it does not.
    """
    if statistic.sample_weight is not None:
        return _recognized_with_weights(statistic), None
    n_rows = statistic.generic.n_rows
    weighted = statistic.with_weights(np.ones(n_rows))
    with quiet():  # warnings were issued when the sample was scored
        scores = weighted.on_rows(np.arange(n_rows))
    if statistic.are_observed(scores):
        return _recognized_with_weights(weighted), None
    reason = weighted.generic.last_error
    if reason is None:
        return None, "weights of 1 change its value"
    # Sums can be weighted even if the metric does not support weights.
    recognized = statistic.recognize()
    if isinstance(recognized, RecognizedStatistic):
        return recognized, None
    return None, reason


def _recognized_with_weights(statistic):
    """Return an additive statistic, if the metric is additive with any weights."""
    recognized = statistic.recognize()
    if not isinstance(recognized, RecognizedStatistic):
        return recognized
    sums, n_models = recognized.sums, len(recognized.observed)
    rng = np.random.default_rng(len(sums.numerators))
    for _ in range(N_WEIGHTINGS):
        factors = rng.standard_exponential(recognized.n_rows)
        with quiet():
            scores = statistic.on_weights(factors)
        added, weights = (
            part.reshape(n_models, -1) @ factors
            for part in (sums.numerators, sums.denominators)
        )
        if not np.allclose(sums.score(added, weights), scores, RTOL, ATOL):
            return statistic
    return recognized
