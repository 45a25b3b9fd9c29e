"""Swapping many single units, a bit each, and summing over those that are swapped."""

import numpy as np

# Sixteen megabytes of random bits at a time.
PACKED_BITS = 2**27

# patterns[i] says which of eight members are in the subset whose byte is i.
_PATTERNS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1)
_TABLES_AT_A_TIME = 256


class PackedSwaps:
    """Swap each of many single units with probability 1/2: a bit each.

    A block has shape (ceil(n_units / 8), n_resamples), eight units to a byte.

    Parameters
    ----------
    n_units : int
        The number of units to swap.
    """

    def __init__(self, n_units):
        self.n_units = n_units

    @property
    def chunk_size(self):
        """The number of resamples that share a generator."""
        return max(64, min(PACKED_BITS // self.n_units, 1024))

    def blocks(self, start, size, rng):
        """Yield all resamples of the chunk at once."""
        n_bytes = -(-self.n_units // 8)
        yield np.frombuffer(rng.bytes(n_bytes * size), np.uint8).reshape(n_bytes, size)


def subset_sums(values, packed):
    """Sum the rows of `values` over random subsets.

    The sums over all 256 subsets of eight rows are tabulated, so that a byte of random
    bits costs one look-up.

    Parameters
    ----------
    values : ndarray of shape (n, k)
        What to sum.
    packed : ndarray of uint8, shape (ceil(n / 8), n_subsets)
        The subsets: bits, highest first, of the bytes of a column.

    Returns
    -------
    ndarray of shape (n_subsets, k)
        The sums.

    Examples
    --------
    >>> values = np.array([[1.0], [10.0], [100.0]])
    >>> subset_sums(values, np.array([[0b10100000, 0b01000000]], dtype=np.uint8))
    array([[101.],
           [ 10.]])
    """
    n_bytes, n_subsets = packed.shape
    n_values, k = values.shape
    eights = np.zeros((8 * n_bytes, k))
    eights[:n_values] = values
    eights = eights.reshape(n_bytes, 8, k)
    sums, part = np.zeros((k, n_subsets)), np.empty(n_subsets)
    for start in range(0, n_bytes, _TABLES_AT_A_TIME):
        tables = _PATTERNS @ eights[start : start + _TABLES_AT_A_TIME]
        tables = np.ascontiguousarray(tables.transpose(0, 2, 1))
        for table, picks in zip(tables, packed[start:], strict=False):
            for column in range(k):
                # "clip" spares a check: a byte is never out of bounds.
                sums[column] += table[column].take(picks, out=part, mode="clip")
    return sums.T
