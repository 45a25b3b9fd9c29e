"""Entries in the order of their scores, and sums of weights along it."""

import numpy as np

# Integers up to here are added up exactly in 32 bits.
LARGEST_INT32 = 2**31 - 1


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
