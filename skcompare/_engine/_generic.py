"""Any scorer at all, called on every resample.

Two statistics that differ in what they call. `MetricStatistic` knows the metric
function inside a `make_scorer` scorer, so that a resample costs just its two calls;
`ScorerStatistic` calls the scorer itself on models that answer from memory.
"""

import abc
import copy
import dataclasses
import functools
import math

import numpy as np

from skcompare._engine._responses import concatenate_rows, response_rows
from skcompare._engine._statistic import Statistic, as_number
from skcompare._validation import take_rows

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
        return self._score_all(rows)

    def on_weights(self, weights):
        """Score every model on all rows with weights, on top of those they have."""
        return self._score_all(np.arange(self.n_rows), weights)

    def _score_all(self, rows, factors=None):
        given = self._given(rows, factors)
        return [
            self._or_nan(self._score, given, answers, rows) for answers in self._answers
        ]

    @abc.abstractmethod
    def with_weights(self, weights):
        """Return the same statistic of rows that have the given weights."""

    @abc.abstractmethod
    def of_models(self, models):
        """Return the statistic of some of the models, by number."""

    @abc.abstractmethod
    def at(self, rows):
        """Return the statistic of some of the rows, scored anew."""

    def score_or_nan(self, model, rows):
        """Score one model on the given rows, nan if that is undefined."""
        answers = self._answers[model]
        return self._or_nan(self._score, self._given(rows), answers, rows)

    def on_reassigned(self, authors):
        """Score every model after its answers have changed hands."""
        rows = np.arange(authors.shape[1])
        given = self._given(rows)
        return [
            self._or_nan(self._score, given, self._pool, self._places(rows, mine))
            for mine in authors
        ]

    def mixed_score_or_nan(self, rows, authors):
        """Score the given rows with an answer of some model to each."""
        places = self._places(rows, authors)
        return self._or_nan(self._score, self._given(rows), self._pool, places)

    def _places(self, rows, authors):
        """Return where the pool has the answers of some models to some rows."""
        return authors * self.n_rows + rows

    def _or_nan(self, score, *args):
        """Call `score`; a resample on which it fails or is not finite is undefined."""
        try:
            value = score(*args)
        except Exception as error:  # whatever a metric raises on an odd resample
            self.trouble = f"{type(error).__name__}: {error}"
            return math.nan
        return value if math.isfinite(value) else math.nan

    @abc.abstractmethod
    def _given(self, rows, factors=None):
        """Return what all models are scored with on the given rows, taken once.

        Their weights are multiplied by factors, if there are any.

        The truth is not part of it: each model gets its own copy, in case that a
        metric changes it.
        """

    @abc.abstractmethod
    def _score(self, given, answers, places):
        """Score the answers at the given places, those of a model or of the pool."""


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
    name : str
        What to call the metric in messages.
    call : callable or None, default=None
        What computes the metric, if not the function itself.
    """

    def __init__(
        self,
        metric,
        sign,
        kwargs,
        *,
        y,
        responses,
        sample_weight,
        observed,
        name,
        call=None,
    ):
        self.metric, self.sign, self.kwargs, self.name = metric, sign, kwargs, name
        self._call = metric if call is None else call
        self.y, self.responses, self.sample_weight = y, responses, sample_weight
        self.observed = observed
        # What is better if greater is a share or the like; what is not is a loss, whose
        # unit may be of any size.
        self.scale = 1.0 if sign > 0 else 0.0

    @property
    def n_rows(self):
        """The number of rows of the sample."""
        return self.y.shape[0]

    @property
    def _answers(self):
        return self.responses

    @functools.cached_property
    def _pool(self):
        return concatenate_rows(self.responses)

    def _with(self, **changes):
        """Return a copy with other fields, and no pool of its own yet."""
        copied = copy.copy(self)
        vars(copied).pop("_pool", None)
        vars(copied).update(changes)
        return copied

    def with_weights(self, weights):
        """Return the same statistic of rows that have the given weights."""
        return self._with(sample_weight=weights)

    def of_models(self, models):
        """Return the statistic of some of the models, by number."""
        return self._with(
            responses=[self.responses[model] for model in models],
            observed=tuple(self.observed[model] for model in models),
        )

    def at(self, rows):
        """Return the statistic of some of the rows, scored anew."""
        weights = self.sample_weight
        part = self._with(
            y=self.y[rows],
            responses=[response_rows(response, rows) for response in self.responses],
            sample_weight=None if weights is None else weights[rows],
        )
        everything = np.arange(len(rows))
        given = part._given(everything)
        scores = [part._score(given, r, everything) for r in part.responses]
        return part._with(observed=tuple(as_number(s, self.name) for s in scores))

    def _given(self, rows, factors=None):
        weights = _weights_at(rows, self.sample_weight, factors)
        return rows, {} if weights is None else {"sample_weight": weights}

    def _score(self, given, answers, places):
        rows, weights = given
        y, response = self.y[rows], response_rows(answers, places)
        return self.sign * self._call(y, response, **self.kwargs, **weights)

    def weighted_score_or_nan(self, rows, authors, counts):
        """Score rows that stand for as many others, with an answer of some model each.

        Only for metrics whose weights mean repetition.
        """
        given = self._given(rows, counts.astype(float))
        return self._or_nan(self._score, given, self._pool, self._places(rows, authors))


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
    name : str
        What to call the scorer in messages.
    """

    def __init__(self, scorer, sample, *, observed, name):
        self.scorer, self.sample = scorer, sample
        self.observed, self.name = observed, name

    @functools.cached_property
    def _pool(self):
        first, *others = self.sample.answers
        return first.pooled_with(others)

    @property
    def n_rows(self):
        """The number of rows of the sample."""
        return self.sample.n_rows

    @property
    def _answers(self):
        return self.sample.answers

    def with_weights(self, weights):
        """Return the same statistic of rows that have the given weights."""
        sample = dataclasses.replace(self.sample, sample_weight=weights)
        return self._on(sample, self.observed)

    def of_models(self, models):
        """Return the statistic of some of the models, by number."""
        observed = tuple(self.observed[model] for model in models)
        return self._on(self.sample.of_models(models), observed)

    def at(self, rows):
        """Return the statistic of some of the rows, scored anew."""
        sample = self.sample.at(rows)
        scores = [
            call_scorer(self.scorer, answers, sample.X, sample.y, sample.sample_weight)
            for answers in sample.answers
        ]
        return self._on(sample, tuple(as_number(s, self.name) for s in scores))

    def _on(self, sample, observed):
        return ScorerStatistic(self.scorer, sample, observed=observed, name=self.name)

    @property
    def sample_weight(self):
        """The weights of the rows, None if there are none."""
        return self.sample.sample_weight

    def _given(self, rows, factors=None):
        weights = _weights_at(rows, self.sample_weight, factors)
        return rows, self.sample.X_at(rows), weights

    def _score(self, given, answers, places):
        rows, X, weights = given
        y = take_rows(self.sample.y, rows)
        return call_scorer(self.scorer, answers.on(places, X), X, y, weights)


def _weights_at(rows, sample_weight, factors):
    """Return the weights of some rows, times factors; None if there are neither."""
    if sample_weight is None:
        return factors
    own = sample_weight[rows]
    return own if factors is None else own * factors


def call_scorer(scorer, estimator, X, y, sample_weight):
    """Call a scorer, with weights by keyword if there are any."""
    if sample_weight is None:
        return scorer(estimator, X, y)
    return scorer(estimator, X, y, sample_weight=sample_weight)
