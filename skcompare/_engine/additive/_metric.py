"""Base class of metrics that are computed from sums over rows, and means."""

import abc
import functools

import numpy as np
from sklearn import metrics

from skcompare._engine._statistic import CountedStatistic, differing_rows
from skcompare._engine.additive._table import AdditiveTable

# Maximum number of contributions per model in a table, to limit its memory.
MAX_CONTRIBUTIONS = 2**23


class AdditiveMetric(CountedStatistic, abc.ABC):
    """Base class of statistics that are functions of sums over rows.

    Rows with equal `keys` and weights must have equal contributions.

    Attributes
    ----------
    averages_rows : bool
        Whether the score is always the first total divided by the last, which does not
        depend on the responses: a mean of per-row scores.
    is_ratio : bool
        Whether the score is a function of the first total divided by the last.
    swap_statistic : {"difference", "studentized"}
        The statistic of a permutation test: the difference in score, or that divided by
        its standard error if a test of the difference does not control the type I error
        for models with equal scores.
    """

    engine = "additive"
    is_ratio = False
    swap_statistic = "difference"

    @abc.abstractmethod
    def contributions(self, model, rows):
        """Return the contributions of the given rows to the totals of a model.

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
        """Return the value of the metric function from sums over rows.

        Parameters
        ----------
        totals : ndarray of shape (..., n_totals)
            Sums of contributions.

        Returns
        -------
        ndarray of shape (...)
            The metric; nan where the metric function raises or returns nan.
        """

    def doubtful(self, totals, scores):
        """Mark totals, with their scores, that do not determine the metric.

        On such resamples the metric function itself is called.
        """
        return np.zeros(totals.shape[:-1], dtype=bool)

    def _weighted(self, columns, rows):
        """Multiply columns by the weights of the rows."""
        if self.sample_weight is None:
            return columns
        return columns * self.sample_weight[rows, np.newaxis]

    def tabulate(self, rows):
        """Return the table of cells from one row of each; None if it is too large."""
        n_totals = self.contributions(0, rows[:1]).shape[1]
        if len(rows) * n_totals > MAX_CONTRIBUTIONS:
            return None
        models = range(len(self.observed))
        return AdditiveTable(self, rows, [self.contributions(m, rows) for m in models])

    def row_scores(self):
        """Return the scores of single rows, by model; None if the metric is no mean."""
        if not self.averages_rows or self.sample_weight is not None:
            return None
        models, rows = range(len(self.observed)), np.arange(self.generic.n_rows)
        added = [self.contributions(model, rows) for model in models]
        return [self.sign * one[:, 0] / one[:, -1] for one in added]


class MeanMetric(AdditiveMetric):
    """The mean over rows of a value for each row and model.

    Parameters
    ----------
    generic : MetricStatistic
        The statistic that calls the metric function.
    values : list of ndarray of shape (n_rows,)
        The values, model by model.
    normalize : bool, default=True
        Whether to divide by the sum of weights.
    counts_labels : bool, default=False
        Whether values are 1 or 0, depending on whether a label is right or wrong.
    """

    def __init__(self, generic, values, *, normalize=True, counts_labels=False):
        super().__init__(generic, values)
        self.values, self.counts_labels = values, counts_labels
        self.averages_rows = self.is_ratio = normalize
        if normalize:
            self.bootstrap_method = "shift"

    def contributions(self, model, rows):
        """Return weighted values and weights."""
        values = self.values[model][rows]
        return self._weighted(np.column_stack([values, np.ones(len(rows))]), rows)

    def score(self, totals):
        """Divide the sum of values by the sum of weights."""
        return totals[..., 0] / totals[..., 1] if self.is_ratio else totals[..., 0]


class AdditiveFunction:
    """A metric function defined by contributions of rows and a score of their totals.

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
        Whether the score is always the first total divided by the last: a mean of
        per-row scores.
    rescale : callable or None, default=None
        ``rescale(y_pred)`` maps the predictions of any model to a common scale without
        changing their score.
    """

    def __init__(self, contributions, score, name, *, is_mean=False, rescale=None):
        self.contributions, self.score = contributions, score
        self.__name__, self.is_mean, self.rescale = name, is_mean, rescale

    def __call__(self, y_true, y_pred, sample_weight=None):
        """Return the metric."""
        added = self.of_rows(y_true, y_pred)
        if sample_weight is not None:
            added = added * np.asarray(sample_weight, dtype=float)[:, np.newaxis]
        total = added.sum(axis=0)
        several = np.tile(total, (len(total) + 1, 1))  # as many as there are no totals
        scores = np.asarray(self.score(several), dtype=float)
        if scores.shape != several.shape[:1]:
            raise ValueError(
                f"`score` of the additive scorer {self.__name__!r} must return one "
                "number for each row of totals: use totals[..., k] for total k. Got "
                f"shape {scores.shape} for totals of shape {several.shape}."
            )
        return float(self.score(total))

    def of_rows(self, y_true, y_pred):
        """Return the contributions of all rows, after checking their shape."""
        added = np.asarray(self.contributions(y_true, y_pred), dtype=float)
        n_rows = len(y_true)
        if added.ndim != 2 or len(added) != n_rows:
            remedy = " Use values[:, np.newaxis]." if added.shape == (n_rows,) else ""
            raise ValueError(
                f"`contributions` of the additive scorer {self.__name__!r} must return "
                f"one row per row of the data, an array of shape ({n_rows}, n_totals). "
                f"Got shape {added.shape}.{remedy}"
            )
        return added


class AdditiveFunctionMetric(AdditiveMetric):
    """An `AdditiveFunction` on a sample.

    Parameters
    ----------
    generic : MetricStatistic
        The statistic that calls the function.
    """

    def __init__(self, generic):
        function, y = generic.metric, generic.y
        self._added = [function.of_rows(y, response) for response in generic.responses]
        super().__init__(generic, self._added)
        self._score = function.score
        self.averages_rows = self.is_ratio = function.is_mean
        if function.is_mean:
            self.bootstrap_method = "shift"

    def contributions(self, model, rows):
        """Return weighted contributions."""
        return self._weighted(self._added[model][rows], rows)

    def score(self, totals):
        """Call the user's function."""
        return np.asarray(self._score(totals), dtype=float)


def build_zero_one(generic, normalize=True, *, right=False):
    """Return the share or number of labels that are wrong (with `right`, right)."""
    y, responses = generic.y, generic.responses
    values = [(differing_rows(y, r) != right).astype(float) for r in responses]
    return MeanMetric(generic, values, normalize=normalize, counts_labels=normalize)


def build_hamming(generic):
    y = generic.y
    if y.ndim == 1:
        return build_zero_one(generic)
    wrong = [np.asarray((y != r).mean(axis=1)).ravel() for r in generic.responses]
    return MeanMetric(generic, wrong)


BUILDERS = {
    metrics.accuracy_score: functools.partial(build_zero_one, right=True),
    metrics.hamming_loss: build_hamming,
    metrics.zero_one_loss: build_zero_one,
}
