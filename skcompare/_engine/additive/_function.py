"""Metrics of users' own that say how they add up."""

import numpy as np

from skcompare._engine.additive._metric import AdditiveMetric


class AdditiveFunction:
    """A metric function made of contributions of rows and a score of their totals.

    Parameters
    ----------
    contributions : callable
        ``contributions(y_true, y_pred)`` returns an array of shape (n_rows, n_totals).
    score : callable
        ``score(totals)`` takes an array of shape (..., n_totals) and returns one of
        shape (...).
    name : str
        The name of the metric.
    is_mean : bool, default=False
        Whether the score is always the first total over the last: a mean of per-row
        scores.
    rescale : callable or None, default=None
        Puts predictions on a scale that is the same for all models, without changing
        their score: ``rescale(y_pred)``.
    """

    def __init__(self, contributions, score, name, *, is_mean=False, rescale=None):
        self.contributions, self.score = contributions, score
        self.__name__, self.is_mean, self.rescale = name, is_mean, rescale

    def __call__(self, y_true, y_pred, sample_weight=None):
        """Compute the metric as any metric function does."""
        added = self.of_rows(y_true, y_pred)
        if sample_weight is not None:
            added = added * np.asarray(sample_weight, dtype=float)[:, np.newaxis]
        return float(self.score(added.sum(axis=0)))

    def of_rows(self, y_true, y_pred):
        """Return the contributions of all rows, checked."""
        added = np.asarray(self.contributions(y_true, y_pred), dtype=float)
        n_rows = len(y_true)
        if added.ndim != 2 or len(added) != n_rows:
            raise ValueError(
                f"The contributions of {self.__name__!r} must be an array with one row "
                f"per row of the data, i.e. of shape ({n_rows}, n_totals). "
                f"Got shape {added.shape}."
            )
        return added


class GivenMetric(AdditiveMetric):
    """An `AdditiveFunction` on a sample.

    Parameters
    ----------
    function : AdditiveFunction
        The metric.
    y : ndarray
        The truth.
    responses : list
        The responses of all models.
    sample_weight : ndarray or None
        The weights of the rows.
    """

    def __init__(self, function, y, responses, sample_weight):
        self._score = function.score
        self.averages_rows = self.is_mean = function.is_mean
        self._added = [function.of_rows(y, response) for response in responses]
        self.sample_weight = sample_weight

    @property
    def keys(self):
        """All contributions, and weights."""
        columns = [column for added in self._added for column in added.T]
        return columns + self._weight_keys

    def contributions(self, model, rows):
        """Return weighted contributions."""
        return self._weighted(self._added[model][rows], rows)

    def score(self, totals):
        """Call the user's function."""
        return np.asarray(self._score(totals), dtype=float)
