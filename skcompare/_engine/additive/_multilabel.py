"""Sets of labels: how often each label, or any, is right, predicted and true."""

import numpy as np
from scipy import sparse

from skcompare._engine.additive._metric import AdditiveMetric


class PooledLabels(AdditiveMetric):
    """A ratio of counts pooled over all labels (micro average).

    Parameters
    ----------
    y : ndarray of shape (n_rows, n_labels)
        True labels as booleans.
    responses : list of ndarray of shape (n_rows, n_labels)
        Predicted labels, model by model.
    sample_weight : ndarray or None
        The weights of the rows.
    set_score : SetScore
        The ratio.
    """

    counts_labels = True

    def __init__(self, y, responses, sample_weight, set_score):
        self._counts = [set_sizes(y, response) for response in responses]
        self.sample_weight, self.set_score = sample_weight, set_score

    @property
    def keys(self):
        """The set sizes of each row, and weights."""
        columns = [column for sizes in self._counts for column in sizes.T]
        return columns + self._weight_keys

    def contributions(self, model, rows):
        """Return how many labels are right, predicted and true."""
        return self._weighted(_and_one(self._counts[model][rows]), rows)

    def score(self, totals):
        """Take the ratio."""
        return self.set_score.ratio(*np.moveaxis(totals[..., :3], -1, 0))

    def set_sums(self, totals):
        """Return how often all labels together are right, predicted and true."""
        return _and_all(np.split(totals[..., :3], 3, axis=-1))

    def doubtful(self, totals):
        """Mark resamples that have no weight."""
        return totals[..., -1] <= 0


class EachLabel(AdditiveMetric):
    """A ratio for each label, averaged over labels (macro and weighted average).

    Parameters
    ----------
    y : ndarray of shape (n_rows, n_labels)
        True labels as booleans.
    responses : list of ndarray of shape (n_rows, n_labels)
        Predicted labels, model by model.
    sample_weight : ndarray or None
        The weights of the rows.
    set_score : SetScore
        The ratio and its average.
    """

    counts_labels = True

    def __init__(self, y, responses, sample_weight, set_score):
        self._truth, self._predicted = y, responses
        self.sample_weight, self.set_score = sample_weight, set_score
        self._keys = [_pattern_codes(labels) for labels in (y, *responses)]

    @property
    def keys(self):
        """The label sets of each row, and weights."""
        return self._keys + self._weight_keys

    def contributions(self, model, rows):
        """Return indicators of being right, predicted and true, label by label."""
        true, predicted = self._truth[rows], self._predicted[model][rows]
        sums = np.concatenate([true & predicted, predicted, true], axis=1)
        return self._weighted(_and_one(sums), rows)

    def doubtful(self, totals):
        """Mark resamples that have no weight."""
        return totals[..., -1] <= 0

    def score(self, totals):
        """Average the ratios of all labels."""
        return self.set_score.score(*self.set_sums(totals))

    def set_sums(self, totals):
        """Return how often labels are right, predicted and true."""
        return _and_all(np.split(totals[..., :-1], 3, axis=-1))


def _and_all(sums):
    """Add that all labels count."""
    return [*sums, np.ones(sums[0].shape, dtype=bool)]


def _and_one(columns):
    """Add a column of ones, whose sum is the weight of a resample."""
    return np.column_stack([columns, np.ones(len(columns))])


def set_sizes(y, response):
    parts = (y & response, response, y)
    return np.stack([part.sum(axis=1) for part in parts], axis=1)


def _pattern_codes(indicator):
    """Number the distinct rows of a boolean matrix."""
    packed = np.ascontiguousarray(np.packbits(indicator, axis=1))
    whole = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    return np.unique(whole, return_inverse=True)[1]


def as_indicator(labels):
    """Return a boolean matrix, None for anything but indicators."""
    if sparse.issparse(labels):
        labels = labels.toarray()
    if getattr(labels, "ndim", 0) != 2 or labels.dtype.kind not in "biuf":
        return None
    return labels != 0 if np.isin(labels, (0, 1)).all() else None
