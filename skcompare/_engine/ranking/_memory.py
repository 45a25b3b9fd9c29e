"""Keeping the memory of temporary arrays in the process."""

import numpy as np

# Above all temporary arrays of a block of resamples, below glibc's limit of 32 MB.
LARGEST_KEPT = 24 * 2**20


def keep_freed_memory():
    """Make the C library keep the memory of freed arrays for the next ones.

    By default glibc returns it to the system, and page faults, to get it back for every
    block of resamples, cost several times the arithmetic. But once it has seen a block
    of some size freed, it keeps up to twice as much. The array here is never written
    to, so it takes no memory; elsewhere than on glibc nothing happens.
    """
    np.empty(LARGEST_KEPT, dtype=np.uint8)
