"""Precision, recall, F and Jaccard from true positives and the sizes of two sets.

The same arithmetic serves classes and labels of multilabel data: `tp` counts rows in
both sets of a label, `predicted` and `true` those in each.
"""

import numpy as np


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
