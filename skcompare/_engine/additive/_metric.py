"""What a metric has to say to be computed from sums over rows."""

import abc

import numpy as np


class AdditiveMetric(abc.ABC):
    """A metric that is a function of sums over rows.

    An instance belongs to one sample: it knows the truth, the weights and the responses
    of all models. Rows with equal `keys` must have equal contributions.

    Attributes
    ----------
    keys : list of ndarray
        Arrays with one entry per row, that together settle the row's contributions
        for all models.
    sample_weight : ndarray or None
        The weights of the rows.
    averages_rows : bool
        Whether the score, wherever it is defined, is the first total divided by the
        last, which the responses have no part in: a mean of per-row scores.
    is_mean : bool
        Whether, besides, it is always defined.
    set_score : SetScore or None
        The ratio of set sizes that the score is; it then has `set_sums`.
    counts_labels : bool
        Whether totals are counts of labels.
    swap_statistic : {"difference", "studentized"}
        What a permutation test compares: the difference in score, or that divided by
        its standard error where the difference does not keep its level for models of
        equal scores.
    """

    averages_rows = False
    is_mean = False
    sample_weight = None
    set_score = None
    counts_labels = False
    swap_statistic = "difference"

    @property
    @abc.abstractmethod
    def keys(self):
        """Arrays that settle what a row contributes."""

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

    @property
    def bootstrap_method(self):
        """The rule of the textbooks for counts and means; it loses power for others."""
        return "shift" if self.counts_labels or self.averages_rows else "percentile"

    @property
    def _weight_keys(self):
        """The weights of the rows, if there are any, as keys."""
        return [] if self.sample_weight is None else [self.sample_weight]

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
