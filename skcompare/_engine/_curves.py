"""Areas under curves: ROC, whole or up to a false positive rate, and precision.

Entries are in the order of their scores, and weights are summed along it.
"""

import numpy as np

# Integers up to here are added up exactly in 32 bits.
LARGEST_INT32 = 2**31 - 1


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
        sums = cumulated(weights, self.negatives)
        ahead = sums.take(self.above, axis=1)  # F + G
        ahead += ahead if self.through is None else sums.take(self.through, axis=1)
        n_pairs = 2 * n_positive * sums[:, -1].astype(float)
        wrong = row_products(own, ahead, n_pairs.max(initial=0))
        return (n_pairs - wrong) / n_pairs, n_positive


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
        widths = at(false, self.ends) - at(false, self.starts)
        cut = np.minimum(false, self.max_fpr * false[:, -1:])
        inside = at(cut, self.ends) - at(cut, self.starts)
        above = true.take(self.above, axis=1)
        gained = true.take(self.through, axis=1) - above
        share = inside / np.maximum(widths, np.finfo(float).tiny)
        area = (inside * (above + 0.5 * gained * share)).sum(axis=1)
        area /= n_positive * n_negative
        smallest, largest = 0.5 * self.max_fpr**2, self.max_fpr
        standardized = 0.5 * (1 + (area - smallest) / (largest - smallest))
        return standardized, n_positive


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
        predicted = false.take(self.through, axis=1)
        predicted += down_to
        least = 1 if predicted.dtype.kind == "i" else np.finfo(predicted.dtype).tiny
        precision = down_to / np.maximum(predicted, least, out=predicted)
        average = row_products(gained, precision, np.inf) / n_positive
        average[(n_positive == 0) & (n_negative > 0)] = 0
        return average, n_positive


def ranks_of(scores):
    """Number scores from the highest, 0, to the lowest; equal ones alike.

    Examples
    --------
    >>> ranks_of(np.array([0.1, 0.7, 0.1, 0.4])).tolist()
    [2, 0, 2, 1]
    """
    order = np.argsort(scores, kind="stable")[::-1]
    ordered = scores[order]
    steps = np.cumsum(ordered[1:] != ordered[:-1], dtype=np.int32)
    ranks = np.zeros(len(scores), dtype=np.int32)
    ranks[order[1:]] = steps
    return ranks


def sorted_by(ranks, places):
    """Return ranks in ascending order, and places along with them."""
    order = np.argsort(ranks, kind="stable")
    return ranks[order], places[order]


def runs(ranks):
    """Return where runs of equal ranks start and end, as slices if all differ.

    Examples
    --------
    >>> starts, ends = runs(np.array([0, 0, 1, 3, 3]))
    >>> starts.tolist(), ends.tolist()
    ([0, 2, 3], [2, 3, 5])
    >>> runs(np.array([0, 1, 3]))
    (slice(0, 3, None), slice(1, 4, None))
    """
    bounds = np.flatnonzero(np.diff(ranks, prepend=-1, append=-1))
    if len(bounds) > len(ranks):
        return slice(0, len(ranks)), slice(1, len(ranks) + 1)
    return bounds[:-1], bounds[1:]


def cumulated(weights, places):
    """Add up weights along the given places, from 0 on.

    Parameters
    ----------
    weights : ndarray of shape (n_resamples, n_places)
        The weights.
    places : ndarray of shape (n,)
        Columns of `weights`, in the order in which to add them up.

    Returns
    -------
    ndarray of shape (n_resamples, n + 1)
        The sums before the first, and after each place.
    """
    sums = np.empty((len(weights), len(places) + 1), dtype=weights.dtype)
    sums[:, 0] = 0
    taken = weights.take(places, axis=1)
    np.cumsum(taken, axis=1, dtype=weights.dtype, out=sums[:, 1:])
    return sums


def at(sums, places):
    """Take columns, given by a slice or by an array."""
    if isinstance(places, slice):
        return sums[:, places]
    return sums.take(places, axis=1)


def row_products(left, right, bound):
    """Return the inner product of each row, exactly if the arrays hold integers.

    Parameters
    ----------
    left, right : ndarray of shape (n_resamples, n)
        The factors, not negative.
    bound : float
        No product is greater.

    Returns
    -------
    ndarray of shape (n_resamples,)
        The products, as floats.
    """
    if left.dtype == right.dtype == np.int32 and bound <= LARGEST_INT32:
        return np.einsum("ij,ij->i", left, right).astype(float)
    left, right = left.astype(float, copy=False), right.astype(float, copy=False)
    return np.matmul(left[:, np.newaxis, :], right[:, :, np.newaxis])[:, 0, 0]
