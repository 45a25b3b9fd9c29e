"""Generic statistics: any scorer, called on each resample.

`MetricStatistic` calls the metric function of a `make_scorer` scorer, once per model
and resample. `ScorerStatistic` calls other scorers on models that return stored
predictions.
"""

import abc
import copy
import dataclasses
import functools
import inspect
import math
from collections.abc import Callable, Hashable

import numpy as np

from skcompare._caveats import quiet
from skcompare._engine import _queries as queries
from skcompare._engine import _ranking
from skcompare._engine._recognized import recognized_statistic
from skcompare._engine._statistic import (
    DEFAULT_RESAMPLES,
    Statistic,
    as_number,
    as_real,
    concatenate_rows,
)
from skcompare._engine._weighted import weighted_statistic
from skcompare._engine.additive import (
    FAMILIES,
    AdditiveFunction,
    AdditiveFunctionMetric,
)
from skcompare._validation import arguments_at, response_rows, take_rows

# Builders of statistics that compute metric functions of scikit-learn from counts.
BUILDERS = {
    metric: builder
    for family in (*FAMILIES, _ranking)
    for metric, builder in family.BUILDERS.items()
}

# Number of resamples below which it is not worth trying to recognize a metric.
MIN_RESAMPLES = 500


class GenericStatistic(Statistic, abc.ABC):
    """Base class of statistics that call a metric on the rows of each resample.

    Attributes
    ----------
    last_error : str or None
        The last exception raised on a resample.
    arguments : dict
        Keyword arguments that have one entry per row.
    ids : Ids or None
        The location of group ids, which are replaced by one id per copy of a group.
    recognizable : bool
        Whether `recognize` may call the metric.
    sees_more_than_keys : bool
        Whether rows with equal `row_keys` may have different scores.
    """

    recognizable = True
    sees_more_than_keys = False
    last_error = None
    ids = None
    rescale = None

    @property
    def generic(self):
        """This statistic."""
        return self

    def fastest(self):
        """Return an equivalent statistic computed from counts, if any, or `self`."""
        return self

    @abc.abstractmethod
    def row_keys(self):
        """Return arrays that distinguish rows, model by model."""

    def on_places(self, places):
        """Score rows, numbered model by model; exceptions are not caught.

        The columns of a matrix are separate samples.
        """
        return self._score(self._inputs(places % self.n_rows), self._pool, places)

    @functools.cached_property
    def recognitions(self):
        """Cached results of `recognize`, by the number of resamples."""
        return {}

    def recognize(self, n_resamples=DEFAULT_RESAMPLES):
        """Return an additive statistic, if calls show that the metric is additive."""
        if not self.recognizable or n_resamples < MIN_RESAMPLES:
            return self
        if n_resamples not in self.recognitions:
            recognized = recognized_statistic(self, n_resamples)
            self.recognitions[n_resamples] = recognized
        return self.recognitions[n_resamples] or self

    def row_scores(self):
        """Return the scores of single rows, if calls show that the metric is a mean."""
        recognized = self.recognize()
        return None if recognized is self else recognized.row_scores()

    def on_rows(self, rows, factors=None):
        """Score each model on the given rows, with weights multiplied by factors."""
        inputs = self._inputs(rows, factors)
        return [self._or_nan(inputs, own, rows) for own in self._predictions]

    def on_weights(self, weights):
        """Score each model on all rows, with their weights multiplied by `weights`."""
        return self.on_rows(np.arange(self.n_rows), weights)

    def on_reassigned(self, authors):
        """Score each model after predictions have been exchanged between models."""
        rows = np.arange(self.n_rows)
        inputs = self._inputs(rows)
        places = authors * self.n_rows + rows
        return [self._or_nan(inputs, self._pool, own) for own in places]

    def score_or_nan(self, rows, author, counts=None):
        """Score rows with the predictions of one model, or of one model for each row.

        `counts` are passed as weights of the rows, for metrics for which weights are
        equivalent to repeated rows.
        """
        inputs = self._inputs(rows, None if counts is None else counts.astype(float))
        if np.ndim(author) == 0:
            return self._or_nan(inputs, self._predictions[author], rows)
        return self._or_nan(inputs, self._pool, author * self.n_rows + rows)

    def _or_nan(self, *args):
        """Return the score, nan if it is not a finite number or the metric raises."""
        try:
            value = as_real(self._score(*args), self.name)
        except Exception as error:  # metrics may raise anything on odd resamples
            self.last_error = f"{type(error).__name__}: {error}"
            return math.nan
        return value if math.isfinite(value) else math.nan

    def _of_models(self, models):
        observed = tuple(self.observed[model] for model in models)
        return self._with(observed=observed, **self._fields_of(models)).fastest()

    @abc.abstractmethod
    def _fields_of(self, models):
        """Return the fields that change if some models are selected, by name."""

    @abc.abstractmethod
    def _fields_at(self, rows):
        """Return the fields that change if some rows are selected, by name."""

    def at(self, rows):
        """Return the statistic of some rows, with their own observed scores."""
        taken = self._with(
            arguments=arguments_at(self.arguments, rows),
            ids=self.ids and self.ids.at(rows),
            **self._fields_at(rows),
        )
        return taken.scored_anew().fastest()

    def scored_anew(self):
        """Return a copy whose observed scores are recomputed from its rows."""
        rows = np.arange(self.n_rows)
        inputs = self._inputs(rows)
        scores = [self._score(inputs, own, rows) for own in self._predictions]
        observed = tuple(as_number(score, self.name) for score in scores)
        return self._with(observed=observed)

    def _with(self, **changes):
        """Return a copy with changed fields, without cached values or an error."""
        copied = copy.copy(self)
        for own in ("_pool", "recognitions", "last_error"):
            vars(copied).pop(own, None)
        vars(copied).update(changes)
        return copied

    def _repeated(self, arrays):
        """Return arrays of rows, repeated for each model."""
        return [concatenate_rows([a] * len(self.observed)) for a in arrays]

    def separate_copies(self, groups):
        """Find ids of groups, so that copies of a group are scored as separate groups.

        Arguments that only distinguish groups are ids: other ids give the same score.
        Each copy of a group in a resample gets an id of its own.

        Parameters
        ----------
        groups : ndarray of shape (n_rows,)
            Codes of the groups.
        """
        codes = np.unique(groups, return_inverse=True)[1]
        if codes.max() + 1 == len(codes):
            return  # all groups are single rows
        others, names = queries.other_ids(codes), []
        for name, ids in self.arguments.items():
            if queries.same_groups(ids, codes):
                renamed = self.arguments | {name: queries.renamed(ids, others)}
                names += [name] if self._scores_unchanged(arguments=renamed) else []
        column = self._id_column(codes, others)
        if names or column is not None:
            self.ids = queries.Ids(codes, tuple(names), column)

    def _id_column(self, codes, others):
        """Return the column of `X` that contains ids of groups, or None."""
        return None

    def _scores_unchanged(self, **changes):
        """Return whether scores are as observed with changed attributes."""
        changed = self._with(**changes)
        with quiet():
            scores = changed.on_rows(np.arange(self.n_rows))
        return self.are_observed(scores)

    def _keywords(self, rows, copies, factors):
        """Return arguments and weights of rows, with ids of copies of groups, if any.

        Weights are multiplied by `factors`, if any.
        """
        keywords, weights = arguments_at(self.arguments, rows), self.sample_weight
        if copies is not None:
            for name in self.ids.arguments:
                keywords[name] = queries.renamed(self.arguments[name], copies)
        if weights is not None:
            factors = weights[rows] if factors is None else weights[rows] * factors
        return keywords if factors is None else keywords | {"sample_weight": factors}

    @abc.abstractmethod
    def _inputs(self, rows, factors=None):
        """Return the inputs of the scores of all models on the given rows.

        Weights are multiplied by `factors`, if any. Each model is scored with copies,
        in case the metric modifies its inputs.
        """

    @abc.abstractmethod
    def _score(self, inputs, predictions, places):
        """Score the predictions of a model or of the pool at the given places."""


class SampleColumns(np.ndarray):
    """Array whose columns are separate samples: sums and means are column by column.

    Most metrics written in NumPy consist of operations on single elements, sums and
    means. They can be called on matrices if sums and means are taken over each column,
    and then return the scores of all columns.

    Examples
    --------
    >>> y = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]).view(SampleColumns)
    >>> np.sqrt(np.mean((y - np.zeros((2, 3))) ** 2))
    array([1.        , 1.58113883, 2.23606798])
    """

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
        """Call a NumPy function; the columns of matrices it returns are samples."""
        result = super().__array_function__(func, types, args, kwargs)
        if isinstance(result, np.ndarray) and result.ndim == 2:
            return result.view(SampleColumns)
        return result


@dataclasses.dataclass(eq=False, kw_only=True, repr=False)
class MetricStatistic(GenericStatistic):
    """Statistic that calls a metric function on resampled truth and responses.

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
        The responses of each model, as required by the metric.
    sample_weight : ndarray or None
        Weights, passed as a keyword argument.
    observed : tuple of float
        The score of each model on the sample itself.
    arguments : dict
        Keyword arguments of the metric that have one entry per row.
    name : str
        The name of the metric in messages.
    call : callable or None, default=None
        The function that computes the metric, if not `metric` itself.
    """

    metric: Callable
    sign: int
    kwargs: dict
    y: object
    responses: list
    sample_weight: np.ndarray | None
    observed: tuple
    arguments: dict
    name: str
    call: Callable | None = None

    def __post_init__(self):
        self.call = self.metric if self.call is None else self.call
        # Metrics to be maximized are usually shares; losses may have any unit.
        self.scale = 1.0 if self.sign > 0 else 0.0

    @property
    def n_rows(self):
        """The number of rows of the sample."""
        return self.y.shape[0]

    @property
    def rescale(self):
        """A function that maps responses to a common scale, if the metric has one."""
        return getattr(self.metric, "rescale", None)

    def fastest(self):
        """Return an equivalent statistic computed from counts, if any, or `self`."""
        if isinstance(self.metric, AdditiveFunction):
            return AdditiveFunctionMetric(self)
        if not isinstance(self.metric, Hashable):
            return self
        try:
            counted = self.from_builder()
        except Exception:  # without it, the metric is called, which has worked once
            counted = None
        return counted or weighted_statistic(self) or self

    def from_builder(self):
        """Return the statistic made by the builder of the metric, or None.

        It is None if there is no builder, or if the builder does not cover this input.
        """
        builder = BUILDERS.get(self.metric)
        if builder is None:
            return None
        uncovered = self.kwargs.keys() - inspect.signature(builder).parameters.keys()
        return None if uncovered else builder(self, **self.kwargs)

    @property
    def _predictions(self):
        return self.responses

    @functools.cached_property
    def _pool(self):
        return concatenate_rows(self.responses)

    def row_keys(self):
        """Return truth, weights, arguments and responses."""
        weights = [] if self.sample_weight is None else [self.sample_weight]
        common = [self.y, *weights, *self.arguments.values()]
        pool = self._pool if isinstance(self._pool, list) else [self._pool]
        return [*self._repeated(common), *pool]

    def with_weights(self, weights):
        """Return the statistic with other weights of rows; None removes the weights."""
        return self._with(sample_weight=weights).fastest()

    def with_responses(self, responses):
        """Return the statistic with other responses that have the same scores."""
        return self._with(responses=responses).fastest()

    def with_rows(self, y, responses, weights):
        """Return the statistic of other rows, with their own observed scores."""
        changed = self._with(y=y, responses=responses, sample_weight=weights)
        with quiet():
            return changed.scored_anew().fastest()

    def _fields_of(self, models):
        return {"responses": [self.responses[model] for model in models]}

    def _fields_at(self, rows):
        weights = self.sample_weight
        return {
            "y": self.y[rows],
            "responses": [response_rows(r, rows) for r in self.responses],
            "sample_weight": None if weights is None else weights[rows],
        }

    def _inputs(self, rows, factors=None):
        copies = self.ids and self.ids.of_copies(rows)
        return self.y[rows], self._keywords(rows, copies, factors)

    def _score(self, inputs, predictions, places):
        truth, arguments = inputs
        y, response = truth.copy(), response_rows(predictions, places)
        own = {name: copy.copy(values) for name, values in arguments.items()}
        if places.ndim > 1:
            y, response = y.view(SampleColumns), response.view(SampleColumns)
            own = {name: values.view(SampleColumns) for name, values in own.items()}
        return self.sign * self.call(y, response, **self.kwargs, **own)


class ScorerStatistic(GenericStatistic):
    """Statistic that calls a scorer on models that return stored predictions.

    Parameters
    ----------
    scorer : callable
        ``scorer(estimator, X, y)``.
    sample : Sample
        The rows and the predictions of each model.
    observed : tuple of float
        The score of each model on the sample itself.
    arguments : dict
        Keyword arguments of the scorer that have one entry per row.
    name : str
        The name of the scorer in messages.
    """

    sign = 1

    def __init__(self, scorer, sample, *, observed, arguments, name):
        self.scorer, self.sample = scorer, sample
        self.observed, self.arguments, self.name = observed, arguments, name

    def _id_column(self, codes, others):
        column = queries.column_of_groups(self.sample.X, codes)
        if column is None:
            return None
        X = queries.with_column(self.sample.X, column, others)
        renamed = dataclasses.replace(self.sample, X=X)
        return column if self._scores_unchanged(sample=renamed) else None

    @functools.cached_property
    def _pool(self):
        first, *others = self.sample.models
        return first.pooled_with(others)

    @property
    def n_rows(self):
        """The number of rows of the sample."""
        return self.sample.y_array.shape[0]

    @property
    def _predictions(self):
        return self.sample.models

    def with_weights(self, weights):
        """Return the statistic with other weights of rows; None removes the weights."""
        sample = dataclasses.replace(self.sample, sample_weight=weights)
        return self._with(sample=sample)

    def _fields_of(self, models):
        return {"sample": self.sample.of_models(models)}

    def _fields_at(self, rows):
        return {"sample": self.sample.at(rows)}

    @property
    def sees_more_than_keys(self):
        """Whether the scorer has access to `X` or to the models themselves."""
        return self.sample.origin != "predictions"

    def row_keys(self):
        """Return truth, arguments, weights and stored responses."""
        models, weights = self.sample.models, self.sample_weight
        responses = [model.responses for model in models]
        if not responses[0] or any(set(r) != set(responses[0]) for r in responses):
            return [np.arange(self.n_rows * len(models))]
        pools = []
        for method in responses[0]:
            pool = concatenate_rows([r[method] for r in responses])
            pools += pool if isinstance(pool, list) else [pool]
        common = [self.sample.y_array, *self.arguments.values()]
        common += [] if weights is None else [weights]
        return [*self._repeated(common), *pools]

    @property
    def sample_weight(self):
        """The weights of the rows, None if there are none."""
        return self.sample.sample_weight

    def _inputs(self, rows, factors=None):
        copies, X = self.ids and self.ids.of_copies(rows), self.sample.X_at(rows)
        if copies is not None and self.ids.column is not None:
            X = queries.with_column(X, self.ids.column, copies)
        return rows, X, self._keywords(rows, copies, factors)

    def _score(self, inputs, model, places):
        rows, X, arguments = inputs
        y = take_rows(self.sample.y, rows)
        own = {name: copy.copy(values) for name, values in arguments.items()}
        return self.scorer(model.as_estimator(X, places), X, y, **own)
