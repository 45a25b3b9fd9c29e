"""Any scorer at all, called on every resample.

Two statistics that differ in what they call. `MetricStatistic` knows the metric
function inside a `make_scorer` scorer, so that a resample costs just its two calls;
`ScorerStatistic` calls the scorer itself on models that predict from memory.
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
    USUAL_RESAMPLES,
    Statistic,
    are_equal,
    as_number,
    concatenate_rows,
)
from skcompare._engine._weighted import weighted_statistic
from skcompare._engine.additive import FAMILIES, AdditiveFunction, GivenMetric
from skcompare._validation import arguments_at, response_rows, take_rows

# What computes metric functions of scikit-learn from counts, if it understands them.
BUILDERS = {
    metric: builder
    for family in (*FAMILIES, _ranking)
    for metric, builder in family.BUILDERS.items()
}

# For fewer resamples it is not worth trying to recognize a metric.
FEWEST_RESAMPLES = 500


class GenericStatistic(Statistic, abc.ABC):
    """A score that is computed row by row from scratch on each resample.

    Attributes
    ----------
    trouble : str or None
        What was last raised on a resample.
    arguments : dict
        Keyword arguments that have one entry per row.
    ids : Ids or None
        Where ids of groups are, each copy of which has its own in a resample.
    recognizable : bool
        Whether calls may find out how the metric adds up.
    sees_more_than_keys : bool
        Whether rows that are alike in `row_keys` may still score differently.
    """

    recognizable = True
    sees_more_than_keys = False
    trouble = None
    ids = None
    rescale = None

    @property
    def generic(self):
        """This statistic."""
        return self

    def fastest(self):
        """Return what computes the same from counts, if anything does."""
        return self

    @abc.abstractmethod
    def row_keys(self):
        """Return arrays with all that tells rows apart, model after model."""

    def on_places(self, places):
        """Score rows of all models, numbered model after model; it may well fail.

        The columns of a matrix are samples of their own, side by side.
        """
        return self._score(self._inputs(places % self.n_rows), self._pool, places)

    @functools.cached_property
    def recognitions(self):
        """What calling the metric has shown, by the number of resamples."""
        return {}

    def recognize(self, n_resamples=USUAL_RESAMPLES):
        """Return a statistic that adds up, where calls show that the metric does."""
        if not self.recognizable or n_resamples < FEWEST_RESAMPLES:
            return self
        if n_resamples not in self.recognitions:
            adding = recognized_statistic(self, n_resamples)
            self.recognitions[n_resamples] = adding
        return self.recognitions[n_resamples] or self

    def row_scores(self):
        """Return the scores of single rows, if calls show that it is a mean of them."""
        adding = self.recognize()
        return None if adding is self else adding.row_scores()

    def on_rows(self, rows, factors=None):
        """Score every model on the given rows, whose weights are times factors."""
        inputs = self._inputs(rows, factors)
        return [self._or_nan(inputs, own, rows) for own in self._predictions]

    def on_weights(self, weights):
        """Score every model on all rows with weights, on top of those they have."""
        return self.on_rows(np.arange(self.n_rows), weights)

    def on_reassigned(self, authors):
        """Score every model after its predictions have been exchanged."""
        rows = np.arange(self.n_rows)
        inputs = self._inputs(rows)
        places = authors * self.n_rows + rows
        return [self._or_nan(inputs, self._pool, own) for own in places]

    def score_or_nan(self, rows, author, counts=None):
        """Score some rows with the predictions of a model, or of one for each row.

        Rows stand for as many as are counted, if that is given: only for metrics whose
        weights mean repetition.
        """
        inputs = self._inputs(rows, None if counts is None else counts.astype(float))
        if np.ndim(author) == 0:
            return self._or_nan(inputs, self._predictions[author], rows)
        return self._or_nan(inputs, self._pool, author * self.n_rows + rows)

    def _or_nan(self, *args):
        """Score; a resample on which that fails or is not finite is undefined."""
        try:
            value = self._score(*args)
        except Exception as error:  # whatever a metric raises on an odd resample
            self.trouble = f"{type(error).__name__}: {error}"
            return math.nan
        return value if math.isfinite(value) else math.nan

    def _of_models(self, models):
        observed = tuple(self.observed[model] for model in models)
        return self._with(observed=observed, **self._fields_of(models)).fastest()

    @abc.abstractmethod
    def _fields_of(self, models):
        """Return the fields that are others for some of the models, by name."""

    @abc.abstractmethod
    def _fields_at(self, rows):
        """Return the fields that are others for some of the rows, by name."""

    def at(self, rows):
        """Return the statistic of some of the rows, scored anew."""
        taken = self._with(
            arguments=arguments_at(self.arguments, rows),
            ids=self.ids and self.ids.at(rows),
            **self._fields_at(rows),
        )
        return taken.scored_anew().fastest()

    def scored_anew(self):
        """Return the same with the scores of its own rows as those observed."""
        rows = np.arange(self.n_rows)
        inputs = self._inputs(rows)
        scores = [self._score(inputs, own, rows) for own in self._predictions]
        observed = tuple(as_number(score, self.name) for score in scores)
        return self._with(observed=observed)

    def _with(self, **changes):
        """Return a copy with other fields, and no pool of its own yet."""
        copied = copy.copy(self)
        for derived in ("_pool", "recognitions"):
            vars(copied).pop(derived, None)
        vars(copied).update(changes)
        return copied

    def _repeated(self, arrays):
        """Return arrays of rows once for each model."""
        return [concatenate_rows([a] * len(self.observed)) for a in arrays]

    def tell_copies_apart(self, groups):
        """Have copies of a group score as groups of their own.

        Arguments that tell groups apart, and do nothing else, are ids: the score is the
        same with any others. A copy of a group gets its own in each resample.

        Parameters
        ----------
        groups : ndarray of shape (n_rows,)
            Codes of the groups.
        """
        codes = np.unique(groups, return_inverse=True)[1]
        if codes.max() + 1 == len(codes):
            return  # rows of their own, not groups
        others, names = queries.other_ids(codes), []
        for name, ids in self.arguments.items():
            if queries.same_groups(ids, codes):
                renamed = self.arguments | {name: queries.renamed(ids, others)}
                names += [name] if self._scores_alike(arguments=renamed) else []
        column = self._id_column(codes, others)
        if names or column is not None:
            self.ids = queries.Ids(codes, tuple(names), column)

    def _id_column(self, codes, others):
        """Return the column of `X` in which groups may have other ids, or None."""
        return None

    def _scores_alike(self, **changes):
        """Return whether scores are as observed if some attributes are others."""
        changed = self._with(**changes)
        with quiet():
            scores = changed.on_rows(np.arange(self.n_rows))
        return are_equal(scores, self.observed)

    def _keywords(self, rows, copies, factors):
        """Return arguments and weights of some rows, with the ids of copies, if any.

        Weights are multiplied by factors, if there are any.
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
        """Return what all models are scored with on the given rows, taken once.

        Their weights are multiplied by factors, if there are any.

        Each model gets copies, in case that a metric changes them.
        """

    @abc.abstractmethod
    def _score(self, inputs, predictions, places):
        """Score the predictions at some places, those of a model or of the pool."""


class SideBySide(np.ndarray):
    """Samples as columns: a sum or a mean of all elements is one of each column.

    Most metrics in NumPy are made of operations on single elements, of sums and of
    means. They do not mind matrices if sums and means are taken over each column: what
    they return are the scores of all columns.

    Examples
    --------
    >>> y = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]).view(SideBySide)
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
        """Call a function of NumPy; matrices that it returns are samples again."""
        result = super().__array_function__(func, types, args, kwargs)
        if isinstance(result, np.ndarray) and result.ndim == 2:
            return result.view(SideBySide)
        return result


@dataclasses.dataclass(eq=False, kw_only=True, repr=False)
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
    arguments : dict
        Keyword arguments of the metric that have one entry per row.
    name : str
        What to call the metric in messages.
    call : callable or None, default=None
        What computes the metric, if not the function itself.
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
        # What is better if greater is a share or so; losses may have any unit.
        self.scale = 1.0 if self.sign > 0 else 0.0

    @property
    def n_rows(self):
        """The number of rows of the sample."""
        return self.y.shape[0]

    @property
    def rescale(self):
        """What puts the responses of a model on one scale for all, if anything."""
        return getattr(self.metric, "rescale", None)

    def fastest(self):
        """Return what computes the same from counts, if anything does."""
        if isinstance(self.metric, AdditiveFunction):
            return GivenMetric(self)
        if not isinstance(self.metric, Hashable):
            return self
        builder, counted = BUILDERS.get(self.metric), None
        if builder is not None:
            options = inspect.signature(builder).parameters
            if options.keys() >= self.kwargs.keys():
                counted = builder(self, **self.kwargs)
        return counted or weighted_statistic(self) or self

    @property
    def _predictions(self):
        return self.responses

    @functools.cached_property
    def _pool(self):
        return concatenate_rows(self.responses)

    def row_keys(self):
        """Return truth, responses, weights and arguments."""
        weights = [] if self.sample_weight is None else [self.sample_weight]
        common = [self.y, *weights, *self.arguments.values()]
        pool = self._pool if isinstance(self._pool, list) else [self._pool]
        return [*self._repeated(common), *pool]

    def with_weights(self, weights):
        """Return the same statistic of rows that have the given weights."""
        return self._with(sample_weight=weights).fastest()

    def with_responses(self, responses):
        """Return the same statistic of other responses that score the same."""
        return self._with(responses=responses).fastest()

    def with_rows(self, y, responses, weights):
        """Return the statistic of other rows, scored anew."""
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
            y, response = y.view(SideBySide), response.view(SideBySide)
            own = {name: values.view(SideBySide) for name, values in own.items()}
        return self.sign * self.call(y, response, **self.kwargs, **own)


class ScorerStatistic(GenericStatistic):
    """A scorer called on resampled rows of models that predict from memory.

    Parameters
    ----------
    scorer : callable
        ``scorer(estimator, X, y)``.
    sample : Sample
        The rows and the predictions of every model.
    observed : tuple of float
        The score of every model on the sample itself.
    arguments : dict
        Keyword arguments of the scorer that have one entry per row.
    name : str
        What to call the scorer in messages.
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
        alike = self._scores_alike(sample=dataclasses.replace(self.sample, X=X))
        return column if alike else None

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
        """Return the same statistic of rows that have the given weights."""
        sample = dataclasses.replace(self.sample, sample_weight=weights)
        return self._with(sample=sample)

    def _fields_of(self, models):
        return {"sample": self.sample.of_models(models)}

    def _fields_at(self, rows):
        return {"sample": self.sample.at(rows)}

    @property
    def sees_more_than_keys(self):
        """Whether the scorer sees X or the models themselves."""
        return self.sample.origin != "predictions"

    def row_keys(self):
        """Return truth, responses that were asked for, weights and arguments."""
        models, weights = self.sample.models, self.sample_weight
        asked = [model.responses for model in models]
        if not asked[0] or any(set(one) != set(asked[0]) for one in asked):
            return [np.arange(self.n_rows * len(models))]
        own = []
        for method in asked[0]:
            pool = concatenate_rows([one[method] for one in asked])
            own += pool if isinstance(pool, list) else [pool]
        common = [self.sample.y_array, *self.arguments.values()]
        common += [] if weights is None else [weights]
        return [*self._repeated(common), *own]

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
