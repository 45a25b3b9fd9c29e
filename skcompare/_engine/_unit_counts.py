"""Drawing units with replacement, as counts that also say which were left out."""

import numpy as np

from skcompare._engine._draw import RowScheme


class UnitCounts(RowScheme):
    """Draw as many units as there are, with replacement.

    Each draw says how often each unit came: 0 for those left out.

    Parameters
    ----------
    n_units : int
        The number of units.

    Examples
    --------
    >>> draws = UnitCounts(4).blocks(0, 2, np.random.default_rng(0))
    >>> [counts.tolist() for counts in draws]
    [[0, 1, 2, 1], [3, 1, 0, 0]]
    """

    def __init__(self, n_units):
        self.n_units = n_units

    def blocks(self, start, size, rng):
        """Yield `size` resamples."""
        n = self.n_units
        for _ in range(size):
            yield np.bincount(rng.integers(n, size=n), minlength=n)
