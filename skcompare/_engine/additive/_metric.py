"""What a metric has to say to be computed from sums over rows; means say the least."""

import abc
import functools

import numpy as np
from sklearn import metrics

from skcompare._engine._statistic import differing_rows


class AdditiveMetric(abc.ABC):
    """A metric that is a function of sums over rows.

    An instance belongs to one sample: it knows the truth, the weights and the responses
    of all models. Rows with equal `keys` and weights must have equal contributions.

    Attributes
    ----------
    keys : list of ndarray
        Arrays with one entry per row, that together with its weight settle the row's
        contributions for all models.
    sample_weight : ndarray or None
        The weights of the rows.
    averages_rows : bool
        Whether the score is always the first total divided by the last, which the
        responses have no part in: a mean of per-row scores.
    set_score : SetScore or None
        The ratio of set sizes that the score is; it then has `set_sums`, and the
        `sample_totals` of rows without weights.
    counts_labels : bool
        Whether totals are counts of labels.
    lowest : float or None
        The lowest score, if it counts labels and the highest is 1; None if it has no
        such bounds.
    is_ratio : bool
        Whether the score is a function of the first total divided by the last.
    swap_statistic : {"difference", "studentized"}
        What a permutation test compares: the difference in score, or that divided by
        its standard error where the difference does not keep its level for models of
        equal scores.
    """

    averages_rows = False
    set_score = None
    counts_labels = False
    lowest = 0.0
    is_ratio = False
    swap_statistic = "difference"

    @abc.abstractmethod
    def contributions(self, model, rows):
        """Return what the given rows add to the totals of a model.

        Parameters
        ----------
        model : int
            The number of the model.
        rows : ndarray
            Row numbers.

        Returns
        -------
        ndarray of shape (len(rows), n_totals)
            The contributions, with the weights of the rows multiplied in.
        """

    @abc.abstractmethod
    def score(self, totals):
        """Return the metric, as the metric function would, from sums over rows.

        Parameters
        ----------
        totals : ndarray of shape (..., n_totals)
            Sums of contributions.

        Returns
        -------
        ndarray of shape (...)
            The metric; nan where the metric function raises or returns nan.
        """

    def _weighted(self, columns, rows):
        """Multiply columns by the weights of the rows that they belong to."""
        if self.sample_weight is None:
            return columns
        return columns * self.sample_weight[rows, np.newaxis]

    def doubtful(self, totals):
        """Mark totals from which the metric cannot be computed to full precision.

        On such resamples the metric function itself is called.
        """
        return np.zeros(totals.shape[:-1], dtype=bool)


class MeanMetric(AdditiveMetric):
    """The average, over rows, of a value that each model has for each row.

    Parameters
    ----------
    values : list of ndarray of shape (n_rows,)
        The values, model by model.
    sample_weight : ndarray or None
        The weights of the rows.
    normalize : bool, default=True
        Whether to divide by the sum of weights.
    counts_labels : bool, default=False
        Whether values are 1 or 0, for labels that are right and wrong.
    """

    def __init__(self, values, sample_weight, *, normalize=True, counts_labels=False):
        self.values = self.keys = values
        self.counts_labels = counts_labels
        self.sample_weight = sample_weight
        self.normalize = normalize
        self.averages_rows = self.is_ratio = normalize

    def contributions(self, model, rows):
        """Return weighted values and weights."""
        values = self.values[model][rows]
        return self._weighted(np.column_stack([values, np.ones(len(rows))]), rows)

    def score(self, totals):
        """Divide the sum of values by the sum of weights."""
        return totals[..., 0] / totals[..., 1] if self.normalize else totals[..., 0]


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
        self.averages_rows = self.is_ratio = function.is_mean
        self._added = [function.of_rows(y, response) for response in responses]
        self.keys = [column for added in self._added for column in added.T]
        self.sample_weight = sample_weight

    def contributions(self, model, rows):
        """Return weighted contributions."""
        return self._weighted(self._added[model][rows], rows)

    def score(self, totals):
        """Call the user's function."""
        return np.asarray(self._score(totals), dtype=float)


def build_zero_one(y, responses, sample_weight, normalize=True, *, right=False):
    """Return the share, or the number, of labels that are wrong, or right."""
    values = [(differing_rows(y, r) != right).astype(float) for r in responses]
    return MeanMetric(
        values, sample_weight, normalize=normalize, counts_labels=normalize
    )


def build_hamming(y, responses, sample_weight):
    if y.ndim == 1:
        return build_zero_one(y, responses, sample_weight)
    wrong = [np.asarray((y != r).mean(axis=1)).ravel() for r in responses]
    return MeanMetric(wrong, sample_weight)


BUILDERS = {
    metrics.accuracy_score: functools.partial(build_zero_one, right=True),
    metrics.hamming_loss: build_hamming,
    metrics.zero_one_loss: build_zero_one,
}
