"""Precision, recall, F and Jaccard, of one label per row or of sets of labels.

The same arithmetic serves classes and labels of multilabel data: `tp` counts rows in
both sets of a label, `predicted` and `true` those in each.
"""

import numbers

import numpy as np
from sklearn.metrics import (
    f1_score,
    fbeta_score,
    jaccard_score,
    precision_score,
    recall_score,
)

from skcompare._engine.additive._labels import LabelMetric, are_labels, kind_of
from skcompare._engine.additive._means import MeanMetric
from skcompare._engine.additive._multilabel import (
    EachLabel,
    PooledLabels,
    as_indicator,
    set_sizes,
)


def _fbeta(tp, predicted, true, beta):
    return (1 + beta**2) * tp, beta**2 * true + predicted


def _precision(tp, predicted, true, beta):
    return tp, predicted


def _recall(tp, predicted, true, beta):
    return tp, true


def _jaccard(tp, predicted, true, beta):
    return tp, predicted + true - tp


_FRACTIONS = {
    "fbeta": _fbeta,
    "jaccard": _jaccard,
    "precision": _precision,
    "recall": _recall,
}


class SetScore:
    """A ratio of set sizes, averaged over labels.

    Parameters
    ----------
    kind : {"fbeta", "jaccard", "precision", "recall"}
        The ratio.
    average : {"binary", "micro", "macro", "weighted"}
        How ratios of labels become one number.
    zero_division : float
        What 0 / 0 is.
    beta : float, default=1.0
        The weight of recall in F.
    """

    def __init__(self, kind, average, zero_division, beta=1.0):
        self.kind, self.average = kind, average
        self.zero_division, self.beta = zero_division, beta

    def ratio(self, tp, predicted, true):
        """Return the ratio for each label."""
        above, below = _FRACTIONS[self.kind](tp, predicted, true, self.beta)
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
        score = SetScore(kind, average, _zero_division(zero_division), beta)
        if are_labels(y, responses):
            chosen = [pos_label] if average == "binary" else labels
            return _of_labels(y, responses, sample_weight, score, chosen)
        return _of_label_sets(y, responses, sample_weight, score, labels)

    return build


def _zero_division(zero_division):
    return 0.0 if zero_division == "warn" else float(zero_division)


def _of_labels(y, responses, sample_weight, score, labels):
    supported = score.average in ("binary", "micro", "macro", "weighted")
    if not supported or not _can_be_ordered(labels, y):
        return None
    return SetMetric(y, responses, sample_weight, score, labels)


def _can_be_ordered(labels, y):
    """Return whether labels given as an option are distinct and of the kind of y's."""
    if labels is None:
        return True
    numeric = all(isinstance(label, numbers.Real | np.bool_) for label in labels)
    return len(set(labels)) == len(labels) and numeric == (kind_of(y) == "number")


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
