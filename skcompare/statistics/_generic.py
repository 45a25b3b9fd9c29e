"""Any scorer at all, called on every resample.

Two statistics that differ in what they call. `MetricStatistic` knows the metric
function inside a `make_scorer` scorer, so that a resample costs just its two calls;
`ScorerStatistic` calls the scorer itself on models that answer from memory.
"""

import abc
import functools
import math

import numpy as np

from skcompare._validation import take_rows
from skcompare.statistics._base import Statistic
from skcompare.statistics._responses import concatenate_rows, response_rows

__all__ = ["MetricStatistic", "ScorerStatistic"]


class GenericStatistic(Statistic):
    """A score that is computed row by row from scratch on each resample.

    Attributes
    ----------
    trouble : str or None
        What was last raised on a resample.
    """

    engine = "generic"
    trouble = None

    def on_rows(self, rows):
        """Score every model on the given rows."""
        models = range(len(self.observed))
        return [self.score_or_nan(model, rows) for model in models]

    def score_or_nan(self, model, rows):
        """Score one model on the given rows, nan if that is undefined."""
        return self._or_nan(self._score, model, rows)

    def on_reassigned(self, authors):
        """Score every model after its answers have changed hands."""
        rows = np.arange(authors.shape[1])
        return [self.mixed_score_or_nan(rows, mine) for mine in authors]

    def mixed_score_or_nan(self, rows, authors):
        """Score the given rows with an answer of some model to each."""
        return self._or_nan(self._score_mixed, rows, authors)

    def _or_nan(self, score, *args):
        """Call `score`; a resample on which it fails or is not finite is undefined."""
        try:
            value = score(*args)
        except Exception as error:  # whatever a metric raises on an odd resample
            self.trouble = f"{type(error).__name__}: {error}"
            return math.nan
        return value if math.isfinite(value) else math.nan

    @abc.abstractmethod
    def _score(self, model, rows):
        """Score one model on the given rows."""

    @abc.abstractmethod
    def _score_mixed(self, rows, authors):
        """Score the given rows with an answer of some model to each."""


class MetricStatistic(GenericStatistic):
    """A metric function called on resampled truth and responses.

    Parameters
    ----------
    metric : callable
        ``metric(y_true, response, **kwargs)``.
    sign : int
        1 if greater is better, -1 otherwise.
    kwargs : dict
        Fixed keyword arguments of the metric.
    y : ndarray or sparse matrix
        The truth.
    responses : list
        The response of every model as the metric takes it.
    sample_weight : ndarray or None
        Weights, passed on by keyword.
    observed : tuple of float
        The score of every model on the sample itself.
    """

    def __init__(self, metric, sign, kwargs, *, y, responses, sample_weight, observed):
        self.metric, self.sign, self.kwargs = metric, sign, kwargs
        self.y, self.responses, self.sample_weight = y, responses, sample_weight
        self.observed = observed
        # What is better if greater is a share or the like; what is not is a loss, whose
        # unit may be of any size.
        self.scale = 1.0 if sign > 0 else 0.0

    @functools.cached_property
    def _pool(self):
        return concatenate_rows(self.responses)

    def _score(self, model, rows):
        return self._call(rows, response_rows(self.responses[model], rows))

    def _score_mixed(self, rows, authors):
        places = authors * self.y.shape[0] + rows
        return self._call(rows, response_rows(self._pool, places))

    def _call(self, rows, response, **weights):
        if self.sample_weight is not None:
            counts = weights.get("sample_weight", 1)
            weights = {"sample_weight": counts * self.sample_weight[rows]}
        y = self.y[rows]
        return self.sign * self.metric(y, response, **self.kwargs, **weights)

    def weighted_score_or_nan(self, rows, authors, counts):
        """Score rows that stand for as many others, with an answer of some model each.

        Only for metrics whose weights mean repetition.
        """
        response = response_rows(self._pool, authors * self.y.shape[0] + rows)
        return self._or_nan(
            lambda: self._call(rows, response, sample_weight=counts.astype(float))
        )


class ScorerStatistic(GenericStatistic):
    """A scorer called on resampled rows of models that answer from memory.

    Parameters
    ----------
    scorer : callable
        ``scorer(estimator, X, y)``.
    sample : Sample
        The rows and the answers of every model.
    observed : tuple of float
        The score of every model on the sample itself.
    """

    def __init__(self, scorer, sample, *, observed):
        self.scorer, self.sample, self.observed = scorer, sample, observed

    @functools.cached_property
    def _pool(self):
        first, *others = self.sample.answers
        return first.pooled_with(others)

    def _score(self, model, rows):
        return self._call(rows, self.sample.answers[model], rows)

    def _score_mixed(self, rows, authors):
        return self._call(rows, self._pool, authors * self.sample.n_rows + rows)

    def _call(self, rows, answers, places):
        sample = self.sample
        X, y = take_rows(sample.X, rows), take_rows(sample.y, rows)
        weights = None if sample.sample_weight is None else sample.sample_weight[rows]
        return call_scorer(self.scorer, answers.on(places, X), X, y, weights)


def call_scorer(scorer, estimator, X, y, sample_weight):
    """Call a scorer, with weights by keyword if there are any."""
    if sample_weight is None:
        return scorer(estimator, X, y)
    return scorer(estimator, X, y, sample_weight=sample_weight)
