"""Cells one below the other."""

import numpy as np

from skcompare._format import format_number

__all__ = ["aligned", "aligned_intervals"]


def aligned(words, justify=str.rjust):
    """Pad words to the same width, on the left or as `justify` does.

    Examples
    --------
    >>> aligned(["-0.5", "1"]), aligned(["0.02", "1e-05"], str.ljust)
    (['-0.5', '   1'], ['0.02 ', '1e-05'])
    """
    width = max(map(len, words), default=0)
    return [justify(word, width) for word in words]


def aligned_intervals(intervals):
    """Format intervals to be read one below the other; those of nan as blanks.

    Examples
    --------
    >>> aligned_intervals([(-0.25, 0.5), (0.5, 0.75)])
    ['[-0.2500, 0.5000]', '[ 0.5000, 0.7500]']
    >>> aligned_intervals([(np.nan, np.nan), (0.0, 1.0)])
    ['                ', '[0.0000, 1.0000]']
    """
    known = ~np.isnan(intervals).all(axis=1)
    ends = zip(*np.asarray(intervals)[known], strict=True)
    columns = [aligned([format_number(end) for end in side]) for side in ends]
    words = iter([f"[{low}, {high}]" for low, high in zip(*columns, strict=True)])
    found = [next(words) if is_known else "" for is_known in known]
    return aligned(found)
