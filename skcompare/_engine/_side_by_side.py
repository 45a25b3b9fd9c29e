"""Calling a metric on many small samples at once.

Most metrics in NumPy are made of operations on single elements, of sums and of means.
They do not mind matrices if sums and means are taken over each column: what they return
are the scores of all columns.
"""

import numpy as np


class SideBySide(np.ndarray):
    """Samples as columns: a sum or a mean of all elements is one of each column."""

    @property
    def size(self):
        """The size of a sample."""
        return len(self)

    def sum(self, axis=None, **kwargs):
        """Sum each column."""
        return np.asarray(self).sum(axis=0 if axis is None else axis, **kwargs)

    def mean(self, axis=None, **kwargs):
        """Average each column."""
        return np.asarray(self).mean(axis=0 if axis is None else axis, **kwargs)

    def __array_function__(self, func, types, args, kwargs):
        """Call a function of NumPy; matrices that it returns are samples again."""
        result = super().__array_function__(func, types, args, kwargs)
        if isinstance(result, np.ndarray) and result.ndim == 2:
            return result.view(SideBySide)
        return result


def side_by_side(y, response, arguments):
    """Return truth, predictions and arguments as samples side by side.

    Parameters
    ----------
    y, response : ndarray of shape (n_rows, n_samples)
        Truth and predictions, a sample in each column.
    arguments : dict
        Such arrays by name.

    Returns
    -------
    tuple
        The same, such that a metric may score all samples in one call.

    Examples
    --------
    >>> y = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]])
    >>> y, p, _ = side_by_side(y, np.zeros((2, 3)), {})
    >>> np.sqrt(np.mean((y - p) ** 2))
    array([1.        , 1.58113883, 2.23606798])
    """
    own = {name: values.view(SideBySide) for name, values in arguments.items()}
    return y.view(SideBySide), response.view(SideBySide), own
