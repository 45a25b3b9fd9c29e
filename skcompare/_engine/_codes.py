"""Finding rows that are alike."""

import numpy as np

# Integers in so small a range are numbered by a table, without sorting.
SMALL_RANGE = 2**16

# If hardly any of so many rows, evenly spread, are alike, few of all are.
N_PROBED = 1024
FEWEST_ALIKE = 0.02


def codes_of(values):
    """Number the distinct values of an array from 0, in their order.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Numbers, strings or objects that can be ordered.

    Returns
    -------
    codes : ndarray of shape (n,)
        The number of each value.
    distinct : ndarray
        The distinct values.
    """
    if values.dtype.kind in "iub" and len(values):
        low, high = int(values.min()), int(values.max())
        if high - low < SMALL_RANGE:
            shifted = values.astype(np.intp) - low
            present = np.bincount(shifted, minlength=high - low + 1) > 0
            places = np.flatnonzero(present)
            return (np.cumsum(present) - 1)[shifted], (places + low).astype(
                values.dtype
            )
    distinct, codes = np.unique(values, return_inverse=True)
    return codes, distinct


def joint_codes(keys):
    """Number the rows that are alike in all keys, or None if hardly any are.

    Parameters
    ----------
    keys : list of ndarray of shape (n,)
        What makes rows alike.

    Returns
    -------
    ndarray of shape (n,) or None
        The cell of each row.

    Examples
    --------
    >>> joint_codes([np.array([0, 0, 1, 1]), np.array([5, 5, 5, 6])]).tolist()
    [0, 0, 1, 2]
    >>> joint_codes([np.arange(4) / 3]) is None
    True
    """
    n = len(keys[0])
    if n <= N_PROBED:
        codes = _combined(keys)
        return None if _mostly_distinct(codes) else codes
    probed = np.linspace(0, n - 1, N_PROBED).astype(np.intp)
    hardly_alike = _mostly_distinct(_combined([key[probed] for key in keys]))
    return None if hardly_alike else _combined(keys)


def _combined(keys):
    joint = np.zeros(len(keys[0]), dtype=np.intp)
    for key in keys:
        codes, distinct = codes_of(key)
        joint = codes_of(joint * len(distinct) + codes)[0]
    return joint


def _mostly_distinct(codes):
    return codes.max(initial=-1) + 1 > (1 - FEWEST_ALIKE) * len(codes)
