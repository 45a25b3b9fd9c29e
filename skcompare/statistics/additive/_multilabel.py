"""Precision, recall, F and Jaccard of label sets."""

import numpy as np
from scipy import sparse
from sklearn.metrics import (
    f1_score,
    fbeta_score,
    jaccard_score,
    precision_score,
    recall_score,
)

from skcompare.statistics.additive._labels import zero_division_value
from skcompare.statistics.additive._means import MeanMetric
from skcompare.statistics.additive._metric import AdditiveMetric
from skcompare.statistics.additive._set_scores import SetScore

__all__ = ["BUILDERS"]


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

    def __init__(self, y, responses, sample_weight, set_score):
        self._counts = [_set_sizes(y, response) for response in responses]
        self.sample_weight, self._set_score = sample_weight, set_score

    @property
    def keys(self):
        """The set sizes of each row, and weights."""
        weights = [] if self.sample_weight is None else [self.sample_weight]
        return [column for sizes in self._counts for column in sizes.T] + weights

    def contributions(self, model, rows):
        """Return how many labels are right, predicted and true."""
        sizes = self._counts[model][rows].astype(float)
        if self.sample_weight is not None:
            sizes *= self.sample_weight[rows, np.newaxis]
        return sizes

    def score(self, totals):
        """Take the ratio."""
        return self._set_score.ratio(*np.moveaxis(totals, -1, 0))


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

    def __init__(self, y, responses, sample_weight, set_score):
        self._truth, self._predicted = y, responses
        self.sample_weight, self._set_score = sample_weight, set_score
        weights = [] if sample_weight is None else [sample_weight]
        self._keys = [_pattern_codes(y), *map(_pattern_codes, responses), *weights]

    @property
    def keys(self):
        """The label sets of each row, and weights."""
        return self._keys

    def contributions(self, model, rows):
        """Return indicators of being right, predicted and true, label by label."""
        true, predicted = self._truth[rows], self._predicted[model][rows]
        both = np.concatenate([true & predicted, predicted, true], axis=1).astype(float)
        if self.sample_weight is not None:
            both *= self.sample_weight[rows, np.newaxis]
        return both

    def score(self, totals):
        """Average the ratios of all labels."""
        parts = np.split(totals, 3, axis=-1)
        return self._set_score.score(*parts, np.ones(parts[0].shape, dtype=bool))


def _set_sizes(y, response):
    parts = (y & response, response, y)
    return np.stack([part.sum(axis=1) for part in parts], axis=1)


def _pattern_codes(indicator):
    """Number the distinct rows of a boolean matrix."""
    packed = np.ascontiguousarray(np.packbits(indicator, axis=1))
    whole = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    return np.unique(whole, return_inverse=True)[1]


def _as_indicator(labels):
    """Return a boolean matrix, None for anything but indicators."""
    if sparse.issparse(labels):
        labels = labels.toarray()
    if getattr(labels, "ndim", 0) != 2 or labels.dtype.kind not in "biuf":
        return None
    return labels != 0 if np.isin(labels, (0, 1)).all() else None


def _builder(kind):
    """Make the builder of one ratio; all have the same options."""

    def build(
        y,
        responses,
        sample_weight,
        labels=None,
        pos_label=1,
        average="binary",
        zero_division="warn",
        beta=1.0,
    ):
        truth, *predicted = map(_as_indicator, (y, *responses))
        if truth is None or any(p is None for p in predicted) or average is None:
            return None
        if labels is not None:
            labels = np.asarray(labels)
            truth, predicted = truth[:, labels], [p[:, labels] for p in predicted]
        score = SetScore(kind, average, zero_division_value(zero_division), beta)
        families = {"micro": PooledLabels, "macro": EachLabel, "weighted": EachLabel}
        if average in families:
            return families[average](truth, predicted, sample_weight, score)
        if average != "samples" or np.isnan(score.zero_division):
            return None
        ratios = [score.ratio(*_set_sizes(truth, p).T) for p in predicted]
        return MeanMetric(ratios, sample_weight)

    return build


BUILDERS = {
    f1_score: _builder("fbeta"),
    fbeta_score: _builder("fbeta"),
    jaccard_score: _builder("jaccard"),
    precision_score: _builder("precision"),
    recall_score: _builder("recall"),
}
