"""Averages over rows of one value per row."""

import numpy as np
from sklearn.metrics import accuracy_score, hamming_loss, zero_one_loss

from skcompare._engine._responses import differing_rows
from skcompare._engine.additive._metric import AdditiveMetric


class MeanMetric(AdditiveMetric):
    """The average, over rows, of a value that each model has for each row.

    Parameters
    ----------
    values : list of ndarray of shape (n_rows,)
        The values, model by model.
    sample_weight : ndarray or None
        The weights of the rows.
    normalize : bool, default=True
        Whether to divide by the sum of weights.
    """

    def __init__(self, values, sample_weight, *, normalize=True):
        self.values, self.sample_weight = values, sample_weight
        self.normalize = normalize
        self.averages_rows = self.is_mean = normalize

    @property
    def keys(self):
        """The values and the weights."""
        return [*self.values, *self._weight_keys]

    def contributions(self, model, rows):
        """Return weighted values and weights."""
        values = self.values[model][rows]
        return self._weighted(np.column_stack([values, np.ones(len(rows))]), rows)

    def score(self, totals):
        """Divide the sum of values by the sum of weights."""
        return totals[..., 0] / totals[..., 1] if self.normalize else totals[..., 0]


def _accuracy(y, responses, sample_weight, normalize=True):
    right = [(~differing_rows(y, response)).astype(float) for response in responses]
    return MeanMetric(right, sample_weight, normalize=normalize)


def _zero_one(y, responses, sample_weight, normalize=True):
    wrong = [differing_rows(y, response).astype(float) for response in responses]
    return MeanMetric(wrong, sample_weight, normalize=normalize)


def _hamming(y, responses, sample_weight):
    if y.ndim == 1:
        return _zero_one(y, responses, sample_weight)
    wrong = [np.asarray((y != r).mean(axis=1)).ravel() for r in responses]
    return MeanMetric(wrong, sample_weight)


BUILDERS = {
    accuracy_score: _accuracy,
    hamming_loss: _hamming,
    zero_one_loss: _zero_one,
}
