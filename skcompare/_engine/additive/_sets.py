"""Precision, recall, F and Jaccard, of one label per row or of sets of labels.

The same arithmetic serves classes and labels of multilabel data: `tp` counts rows in
both sets of a label, `predicted` and `true` those in each.
"""

import numbers
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.metrics import (
    f1_score,
    fbeta_score,
    jaccard_score,
    precision_score,
    recall_score,
)

from skcompare._engine.additive._labels import LabelMetric, are_labels, kind_of
from skcompare._engine.additive._metric import AdditiveMetric, MeanMetric


class SetScore(NamedTuple):
    """A ratio of set sizes, averaged over labels.

    Parameters
    ----------
    kind : {"fbeta", "jaccard", "precision", "recall"}
        The ratio.
    average : {"binary", "micro", "macro", "weighted", "samples"}
        How ratios of labels become one number.
    zero_division : float
        What 0 / 0 is.
    beta : float
        The weight of recall in F.
    """

    kind: str
    average: str
    zero_division: float
    beta: float

    def denominator(self, tp, predicted, true):
        """Return what the ratio of each label divides by."""
        return {
            "precision": predicted,
            "recall": true,
            "jaccard": predicted + true - tp,
            "fbeta": self.beta**2 * true + predicted,
        }[self.kind]

    def shares(self, counts, sums):
        """Return the share of a unit of each cell in the score.

        Parameters
        ----------
        counts : ndarray of shape (n_cells,)
            How often each cell occurs.
        sums : list of ndarray of shape (n_cells, n_labels)
            What a unit of each cell adds to `tp`, `predicted` and `true`.

        Returns
        -------
        ndarray of shape (n_cells,)
            Its share in the denominator, averaged over labels.
        """
        below = self.denominator(*sums[:3])
        if self.average == "micro":
            below = below.sum(axis=1, keepdims=True)
        totals = counts @ below
        return (below / np.where(totals == 0, 1, totals)).mean(axis=1)

    def ratio(self, tp, predicted, true):
        """Return the ratio for each label."""
        below = self.denominator(tp, predicted, true)
        above = (1 + self.beta**2) * tp if self.kind == "fbeta" else tp
        empty = below == 0
        return np.where(empty, self.zero_division, above / np.where(empty, 1, below))

    def score(self, tp, predicted, true, counted):
        """Average over the labels on the last axis.

        Parameters
        ----------
        tp, predicted, true : ndarray of shape (..., n_labels)
            Sums of weights.
        counted : ndarray of shape (..., n_labels)
            Which labels take part in a macro average.

        Returns
        -------
        ndarray of shape (...)
            The score.
        """
        if self.average == "micro":
            tp, predicted, true = (x.sum(axis=-1) for x in (tp, predicted, true))
            return self.ratio(tp, predicted, true)
        ratios = self.ratio(tp, predicted, true)
        counted = counted & ~np.isnan(ratios)
        ratios = np.where(counted, ratios, 0.0)
        plain = ratios.sum(axis=-1) / counted.sum(axis=-1)
        if self.average != "weighted":
            return plain
        weights = np.where(counted, true, 0.0)
        total = weights.sum(axis=-1)
        # Without any true label scikit-learn falls back on the plain average.
        weighted = (ratios * weights).sum(axis=-1) / np.where(total == 0, 1, total)
        return np.where(total == 0, plain, weighted)


class SetMetric(LabelMetric):
    """Precision, recall, F or Jaccard."""

    def __init__(self, y, responses, sample_weight, set_score, labels):
        fixed = labels is not None
        super().__init__(y, responses, sample_weight, labels if fixed else ())
        self.set_score = set_score
        places = np.searchsorted(self.classes, labels) if fixed else slice(None)
        self._places, self._fixed = places, fixed

    def score(self, totals):
        """Average the ratios of all labels."""
        return self.set_score.score(*self.set_sums(totals))

    def set_sums(self, totals):
        """Return how often labels are right, predicted and true, and which count."""
        tp, predicted, true, in_truth, in_prediction = self._parts(totals)
        counted = np.logical_or(in_truth, in_prediction) | self._fixed
        return [part[..., self._places] for part in (tp, predicted, true, counted)]


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
        """The set sizes of each row."""
        return [column for sizes in self._counts for column in sizes.T]

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
        self.keys = [_pattern_codes(labels) for labels in (y, *responses)]

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
        undefined = 0.0 if zero_division == "warn" else float(zero_division)
        score = SetScore(kind, average, undefined, beta)
        if not are_labels(y, responses):
            return _of_label_sets(y, responses, sample_weight, score, labels)
        if average not in ("binary", "micro", "macro", "weighted"):
            return None
        labels = [pos_label] if average == "binary" else labels
        if labels is not None:  # distinct ones, of the kind of y's, can be ordered
            numeric = all(isinstance(one, numbers.Real | np.bool_) for one in labels)
            distinct = len(set(labels)) == len(labels)
            if not distinct or numeric != (kind_of(y) == "number"):
                return None
        return SetMetric(y, responses, sample_weight, score, labels)

    return build


def _of_label_sets(y, responses, sample_weight, score, labels):
    truth, *predicted = map(as_indicator, (y, *responses))
    if truth is None or any(p is None for p in predicted):
        return None
    if labels is not None:
        places = np.asarray(labels)
        truth, predicted = truth[:, places], [p[:, places] for p in predicted]
    if score.average == "samples" and not np.isnan(score.zero_division):
        ratios = [score.ratio(*set_sizes(truth, p).T) for p in predicted]
        return MeanMetric(ratios, sample_weight)
    families = {"micro": PooledLabels, "macro": EachLabel, "weighted": EachLabel}
    family = families.get(score.average)
    return family and family(truth, predicted, sample_weight, score)


BUILDERS = {
    f1_score: _builder("fbeta"),
    fbeta_score: _builder("fbeta"),
    jaccard_score: _builder("jaccard"),
    precision_score: _builder("precision"),
    recall_score: _builder("recall"),
}
