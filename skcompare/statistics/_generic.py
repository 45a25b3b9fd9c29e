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
    """A score that is computed row by row from scratch on each resample."""

    engine = "generic"

    def on_rows(self, rows):
        """Score every model on the given rows."""
        models = range(len(self.observed))
        return [_or_nan(self._score, model, rows) for model in models]

    def on_reassigned(self, authors):
        """Score every model after its answers have changed hands."""
        n_rows = authors.shape[1]
        places = authors * n_rows + np.arange(n_rows)
        return [
            _or_nan(self._score_pooled, model, rows)
            for model, rows in enumerate(places)
        ]

    @abc.abstractmethod
    def _score(self, model, rows):
        """Score one model on the given rows."""

    @abc.abstractmethod
    def _score_pooled(self, model, places):
        """Score all rows with the answers at `places` in the pool of all models."""


def _or_nan(score, *args):
    """Call `score`; a resample on which it fails or is not finite is undefined."""
    try:
        value = score(*args)
    except Exception:  # whatever a user's metric raises on an odd resample
        return math.nan
    return value if math.isfinite(value) else math.nan


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

    @functools.cached_property
    def _pool(self):
        return concatenate_rows(self.responses)

    def _score(self, model, rows):
        response = response_rows(self.responses[model], rows)
        if self.sample_weight is None:
            return self._call(self.y[rows], response)
        return self._call(
            self.y[rows], response, sample_weight=self.sample_weight[rows]
        )

    def _score_pooled(self, model, places):
        response = response_rows(self._pool, places)
        if self.sample_weight is None:
            return self._call(self.y, response)
        return self._call(self.y, response, sample_weight=self.sample_weight)

    def _call(self, y_true, response, **weights):
        return self.sign * self.metric(y_true, response, **self.kwargs, **weights)


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
        sample = self.sample
        X, weights = take_rows(sample.X, rows), sample.sample_weight
        answers = sample.answers[model].on(rows, X)
        weights = None if weights is None else weights[rows]
        return call_scorer(self.scorer, answers, X, take_rows(sample.y, rows), weights)

    def _score_pooled(self, model, places):
        sample = self.sample
        answers = self._pool.on(places, sample.X)
        return call_scorer(
            self.scorer, answers, sample.X, sample.y, sample.sample_weight
        )


def call_scorer(scorer, estimator, X, y, sample_weight):
    """Call a scorer, with weights by keyword if there are any."""
    if sample_weight is None:
        return scorer(estimator, X, y)
    return scorer(estimator, X, y, sample_weight=sample_weight)
