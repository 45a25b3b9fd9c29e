"""Areas under curves: ROC, whole or up to a false positive rate, and precision."""

import numpy as np

from skcompare._engine.ranking._order import (
    at,
    cumulated,
    ranks_of,
    row_products,
    runs,
    sorted_by,
)


class RocArea:
    """The share of pairs, one positive and one negative, that are in the right order.

    A tie is half right. With w the weights of positives p, and F(p) and G(p) the
    weights of all negatives that score higher than p, without and with those that tie,

        area = 1 - sum_p w(p) (F(p) + G(p)) / (2 P N).

    Numerator and denominator are integers when the weights are.

    Parameters
    ----------
    places : ndarray of shape (n_entries,)
        Where the weight of each entry is found.
    scores : ndarray of shape (n_entries,)
        The scores of the entries.
    positive : ndarray of shape (n_entries,)
        Which entries are positive.
    """

    def __init__(self, places, scores, positive):
        ranks = ranks_of(scores)
        self.positives = places[positive]
        negatives, self.negatives = sorted_by(ranks[~positive], places[~positive])
        self.above = np.searchsorted(negatives, ranks[positive])
        through = np.searchsorted(negatives, ranks[positive], side="right")
        self.through = None if np.array_equal(through, self.above) else through

    def __call__(self, weights):
        """Return area and weight of the positives, by resample.

        Parameters
        ----------
        weights : ndarray of shape (n_resamples, n_places)
            The weights of the entries, none negative.
        """
        own = weights.take(self.positives, axis=1)
        n_positive = own.sum(axis=1, dtype=own.dtype).astype(float)
        n_negative, ahead = self._ahead(weights)
        n_pairs = 2 * n_positive * n_negative
        wrong = row_products(own, ahead, n_pairs.max(initial=0))
        return (n_pairs - wrong) / n_pairs, n_positive

    def _ahead(self, weights):
        """Return the weight of all negatives, and F + G of each positive."""
        sums = cumulated(weights, self.negatives)
        ahead = sums.take(self.above, axis=1)
        ahead += ahead if self.through is None else sums.take(self.through, axis=1)
        return sums[:, -1].astype(float), ahead


class PartialRocArea:
    """The area under the ROC curve up to a false positive rate, standardized.

    Along the distinct scores of negatives, false positives grow from F to F + f while
    true positives grow, in a straight line, from T to T + t; positives in between
    raise the curve without adding area. Cut off where false positives reach a limit,
    the step from F is g <= f wide, and

        area = sum (g T + t g^2 / (2 f)) / (P N).

    Parameters
    ----------
    places, scores, positive : ndarray of shape (n_entries,)
        As in `RocArea`.
    max_fpr : float
        Where the curve is cut off, in (0, 1).
    """

    def __init__(self, places, scores, positive, *, max_fpr):
        ranks, self.max_fpr = ranks_of(scores), max_fpr
        positives, self.positives = sorted_by(ranks[positive], places[positive])
        negatives, self.negatives = sorted_by(ranks[~positive], places[~positive])
        self.starts, self.ends = runs(negatives)
        distinct = np.unique(negatives)
        self.above = np.searchsorted(positives, distinct)
        self.through = np.searchsorted(positives, distinct, side="right")

    def __call__(self, weights):
        """Return standardized area and weight of the positives, by resample."""
        true, false = (
            cumulated(weights, places).astype(float, copy=False)
            for places in (self.positives, self.negatives)
        )
        n_positive, n_negative = true[:, -1], false[:, -1]
        area = self._area(true, false) / (n_positive * n_negative)
        smallest, largest = 0.5 * self.max_fpr**2, self.max_fpr
        standardized = 0.5 * (1 + (area - smallest) / (largest - smallest))
        return standardized, n_positive

    def _area(self, true, false):
        limit = self.max_fpr * false[:, -1:]
        widths = at(false, self.ends) - at(false, self.starts)
        cut = np.minimum(false, limit)
        inside = at(cut, self.ends) - at(cut, self.starts)
        above = true.take(self.above, axis=1)
        gained = true.take(self.through, axis=1) - above
        share = inside / np.maximum(widths, np.finfo(float).tiny)
        return (inside * (above + 0.5 * gained * share)).sum(axis=1)


class AveragePrecision:
    """The precision at each positive's score, averaged over positives.

    Only scores that positives have are thresholds at which recall grows. There, with t
    positives at the threshold itself and T and F the true and false positives down to
    it,

        average precision = sum t T / (T + F) / P.

    Without positives it is 0.

    Parameters
    ----------
    places, scores, positive : ndarray of shape (n_entries,)
        As in `RocArea`.
    """

    def __init__(self, places, scores, positive):
        ranks = ranks_of(scores)
        positives, self.positives = sorted_by(ranks[positive], places[positive])
        negatives, self.negatives = sorted_by(ranks[~positive], places[~positive])
        self.starts, self.ends = runs(positives)
        self.through = np.searchsorted(negatives, np.unique(positives), side="right")

    def __call__(self, weights):
        """Return average precision and weight of the positives, by resample.

        Parameters
        ----------
        weights : ndarray of shape (n_resamples, n_places)
            The weights of the entries, none negative.
        """
        true = cumulated(weights, self.positives)
        false = cumulated(weights, self.negatives)
        n_positive, n_negative = true[:, -1].astype(float), false[:, -1]
        down_to = at(true, self.ends)
        gained = down_to - at(true, self.starts)
        precision = _ratio(down_to, false.take(self.through, axis=1))
        average = row_products(gained, precision, np.inf) / n_positive
        average[(n_positive == 0) & (n_negative > 0)] = 0
        return average, n_positive


def _ratio(true, false):
    """Divide true by all positives; 0 where there are none yet."""
    false += true
    least = 1 if false.dtype.kind == "i" else np.finfo(false.dtype).tiny
    return true / np.maximum(false, least, out=false)
