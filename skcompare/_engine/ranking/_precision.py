"""Average precision."""

import numpy as np

from skcompare._engine.ranking._order import (
    at,
    cumulated,
    ranks_of,
    row_products,
    runs,
    sorted_by,
)


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
