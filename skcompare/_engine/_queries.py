"""Ids of groups, such as queries: a separate id for each copy in a resample.

A group that is drawn twice counts twice. Scorers that score group by group would treat
two copies with the same id as one larger group; so each copy gets an id of its own.
"""

from numbers import Number
from typing import NamedTuple

import numpy as np
from scipy import sparse

from skcompare._validation import as_array


class Ids(NamedTuple):
    """The location of the ids of groups in the input of a scorer.

    Parameters
    ----------
    codes : ndarray of shape (n_rows,)
        The groups, numbered 0, 1, ...
    arguments : tuple of str
        The names of the arguments that contain ids.
    column : int or None
        The number of the column of `X` that contains ids.
    """

    codes: np.ndarray
    arguments: tuple
    column: int | None

    def at(self, rows):
        """Return the ids of some rows."""
        return self._replace(codes=self.codes[rows])

    def of_copies(self, rows):
        """Return new ids of resampled rows, a different one for each copy of a group.

        Parameters
        ----------
        rows : ndarray
            The rows of the resample, which consists of whole groups.

        Returns
        -------
        ndarray
            The ids; None if no group occurs twice.

        Examples
        --------
        >>> ids = Ids(np.array([0, 0, 1]), ("query",), None)
        >>> ids.of_copies(np.array([0, 1, 2, 0, 1])).tolist()
        [0, 0, 1, 2, 2]
        """
        order = np.argsort(rows, kind="stable")
        drawn = rows[order]
        copy = np.empty(len(rows), dtype=np.intp)
        copy[order] = np.arange(len(rows)) - np.searchsorted(drawn, drawn)
        if not copy.any():
            return None
        return self.codes[rows] + copy * (self.codes.max() + 1)


def other_ids(codes):
    """Return different ids of the same groups, in reverse order."""
    return 2 * codes.max() + 1 - codes


def renamed(values, ids):
    """Return new ids with the container and kind (numbers or strings) of the old ones.

    Parameters
    ----------
    values : array-like
        The old ids.
    ids : ndarray of int
        The new ids.

    Returns
    -------
    array-like
        The new ids.
    """
    ids = _of_kind(ids, np.asarray(values).dtype)
    if isinstance(values, np.ndarray):
        return ids
    return type(values)(ids.tolist())


def same_groups(values, codes):
    """Return whether the entries of an argument define the same groups.

    Parameters
    ----------
    values : object
        An argument with one entry per row.
    codes : ndarray of shape (n_rows,)
        The groups, numbered 0, 1, ...

    Returns
    -------
    bool
        Whether they do; False if they are not one-dimensional or have missing values.
    """
    try:
        array = as_array(values, "ids")
        if array.ndim != 1:
            return False
        _, first, own = np.unique(array, return_index=True, return_inverse=True)
    except (TypeError, ValueError):  # missing values, or values without an order
        return False
    return len(first) == codes.max() + 1 and np.array_equal(codes[first][own], codes)


def column_of_groups(X, codes):
    """Return the number of the column of `X` that identifies groups, or None."""
    if getattr(X, "ndim", 1) != 2 or sparse.issparse(X):
        return None
    if hasattr(X, "isetitem"):  # pandas DataFrame
        columns = (X.iloc[:, place].to_numpy() for place in range(X.shape[1]))
    elif isinstance(X, np.ndarray) and X.dtype in (np.float64, np.int64, object):
        columns = X.T
    else:
        return None
    first = np.unique(codes, return_index=True)[1]
    for place, column in enumerate(columns):
        constant = np.asarray(column == column[first][codes], dtype=bool).all()
        if constant and same_groups(column, codes):
            return place
    return None


def with_column(X, place, ids):
    """Return a copy of `X` with new ids in a column."""
    X = X.copy()
    if isinstance(X, np.ndarray):
        as_numbers = X.dtype != object or isinstance(X[0, place], Number)
        X[:, place] = ids if as_numbers else ids.astype(str)
    else:
        X.isetitem(place, _of_kind(ids, X.iloc[:, place].to_numpy().dtype))
    return X


def _of_kind(ids, dtype):
    return ids if dtype.kind in "iuf" else ids.astype(str)
