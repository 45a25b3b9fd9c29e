"""From a scorer to a `Statistic`: the one place that chooses."""

import copy
import dataclasses
import functools
import warnings

import numpy as np

from skcompare._arguments import arguments_at, row_arguments
from skcompare._engine._cached_model import RESPONSE_METHODS, Answers
from skcompare._engine._declared import class_options, defined_metric
from skcompare._engine._fold_mean import Folds, MeanOverFolds, mean_over_folds
from skcompare._engine._generic import MetricStatistic, ScorerStatistic
from skcompare._engine._statistic import as_number
from skcompare._engine._weighted import weighted_statistic
from skcompare._engine.additive import AdditiveStatistic, additive_metric
from skcompare._engine.ranking import ranking_statistic
from skcompare._validation import (
    as_weights,
    metric_of,
    response_methods_of,
    wants_weights,
    with_arguments,
    with_metric,
)


def as_statistic(scorer, name, sample):
    """Score the sample once and return what can score its resamples.

    A wrong scorer fails here, at once, with scikit-learn's own message.

    Parameters
    ----------
    scorer : callable
        ``scorer(estimator, X, y)``.
    name : str
        What to call the scorer in messages.
    sample : Sample
        Rows and answers.

    Returns
    -------
    Statistic
        The statistic of that scorer on this sample.
    """
    if sample.sample_weight is not None and not wants_weights(scorer):
        sample = dataclasses.replace(sample, sample_weight=None)
    n_data, rows = sample.rows_of_data
    n_tested = n_data if sample.indices is None else sample.n_rows
    arguments = arguments_at(row_arguments(scorer, n_data, n_tested), rows)
    if arguments:
        weights = arguments.pop("sample_weight", None)
        scorer = with_arguments(scorer, arguments)
        sample = _weighted(sample, name, weights)
    metric = metric_of(scorer)
    if metric is None:
        observed = [_score(scorer, name, sample, a, sample.y) for a in sample.answers]
        generic = ScorerStatistic(
            scorer, sample, observed=tuple(observed), arguments=arguments, name=name
        )
    else:
        function, sign, kwargs = metric
        declared = class_options(function, kwargs, sample)
        call = defined_metric(function) if declared else function
        spy = functools.partial(call, **declared)
        spied = [_spied_score(scorer, spy, name, sample, a) for a in sample.answers]
        fixed = {key: value for key, value in kwargs.items() if key not in arguments}
        generic = MetricStatistic(
            function,
            sign,
            fixed | declared,
            call=call,
            y=sample.y_array,
            responses=[response for _, response in spied],
            sample_weight=sample.sample_weight,
            observed=tuple(score for score, _ in spied),
            arguments=arguments,
            name=name,
        )
    if sample.groups is not None:
        generic.tell_copies_apart(sample.groups)
    return fastest(generic)


def fold_mean_statistic(scorer, name, sample):
    """Score every fold once and return what can score resamples of all of them.

    Parameters
    ----------
    scorer : callable
        ``scorer(estimator, X, y)``.
    name : str
        What to call the scorer in messages.
    sample : Sample
        Rows and answers, with folds.

    Returns
    -------
    Statistic
        The mean over folds; counted if the statistics of all folds are.
    """
    folds, statistics = Folds(sample.fold), []
    for rows in folds:
        try:
            statistics.append(as_statistic(scorer, name, sample.at(rows)))
        except ValueError as error:
            as_statistic(scorer, name, sample)  # fails by itself if the scorer is wrong
            raise ValueError(
                "`aggregate` 'fold-mean' scores every fold by itself, which fails on "
                f"one of {len(rows)} rows: {str(error).rstrip('.')}. If folds lack a "
                "class or are too small, use a stratified splitter, fewer folds, or "
                "aggregate='pooled'."
            ) from error
    return mean_over_folds(folds, statistics)


def of_models(statistic, models):
    """Return the statistic of some of the models, by number, without scoring anew."""
    if tuple(models) == tuple(range(len(statistic.observed))):
        return statistic
    return fastest(statistic.generic.of_models(models))


def at_rows(statistic, rows):
    """Return the statistic of some of the rows, as if there were no others."""
    return fastest(statistic.generic.at(rows))


def unweighted(statistic):
    """Return the statistic of rows that count alike, whatever they weigh."""
    generic = statistic.generic
    if generic.sample_weight is None:
        return statistic
    return fastest(generic.with_weights(None))


def as_weighable(statistic):
    """Return the same statistic, made for weights of any size in place of counts.

    Rows without weights get weights of 1, which a metric that takes weights makes
    nothing of.

    Parameters
    ----------
    statistic : Statistic
        A score of all models of a sample.

    Returns
    -------
    statistic : Statistic or None
        None if the scorer does not take weights.
    trouble : str or None
        Why it does not.
    """
    generic = statistic.generic
    if generic.sample_weight is not None:
        return statistic, None
    generic = generic.with_weights(np.ones(generic.n_rows))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # given already, when the sample was scored
        scores = generic.on_rows(np.arange(generic.n_rows))
    if not np.allclose(scores, statistic.observed, rtol=1e-9, atol=1e-12):
        return None, generic.trouble or "weights of 1 change its value"
    return fastest(generic), None


def fastest(generic):
    """Return what computes the same from counts, if anything does."""
    if isinstance(generic, MeanOverFolds):
        return mean_over_folds(generic.folds, [*map(fastest, generic.statistics)])
    if not isinstance(generic, MetricStatistic):
        return generic
    return next(filter(None, (fast(generic) for fast in FASTER)), generic)


def _additive_statistic(generic):
    metric = additive_metric(
        generic.metric,
        generic.kwargs,
        y=generic.y,
        responses=generic.responses,
        sample_weight=generic.sample_weight,
    )
    return None if metric is None else AdditiveStatistic(metric, generic)


# The first that understands a metric completely computes it.
FASTER = (_additive_statistic, ranking_statistic, weighted_statistic)


def _weighted(sample, name, weights):
    """Return the sample with the weights that a scorer brings along, if it does."""
    if weights is None:
        return sample
    if sample.sample_weight is not None:
        raise ValueError(
            f"`sample_weight` was passed, but the scorer {name!r} has one of its own, "
            "as an argument of make_scorer. Leave out one of the two."
        )
    return dataclasses.replace(sample, sample_weight=as_weights(weights))


def _score(scorer, name, sample, answers, y):
    wanted = response_methods_of(scorer)
    if wanted is not None and not set(wanted) & set(answers.methods):
        raise ValueError(_no_response(name, " or ".join(wanted), sample))
    own_y = copy.copy(y)  # a metric may change it
    weights = sample.sample_weight
    weights = {} if weights is None else {"sample_weight": weights}
    try:
        score = scorer(answers, sample.X, own_y, **weights)
    except TypeError as error:
        if "sample_weight" not in str(error):
            raise
        raise ValueError(
            f"`sample_weight` was given, but the scorer {name!r} does not take it."
        ) from error
    except ValueError as error:
        if sample.origin != "predictions":
            raise
        asked = " and ".join(answers.responses) or " or ".join(wanted or ())
        raise ValueError(
            f"The scorer {name!r} asks for {asked}; the answers of {answers.name}, "
            f"read as that, fail: {str(error).rstrip('.')}.{_HOW_ARRAYS_ARE_READ}"
        ) from error
    except AttributeError as error:
        if not isinstance(error.obj, Answers) or error.name not in RESPONSE_METHODS:
            raise
        raise ValueError(_no_response(name, error.name, sample)) from error
    return as_number(score, name)


_HOW_ARRAYS_ARE_READ = (
    " An array is read as labels, probabilities or decision values by what it holds; a "
    'mapping such as {"predict_proba": array} says what it is.'
)


def _no_response(name, wanted, sample):
    """Explain that some model cannot answer what a scorer asks for."""
    has = ", ".join(f"{a.name} has {'/'.join(a.own_methods)}" for a in sample.answers)
    text = f"The scorer {name!r} asks for {wanted}; {has}."
    if any(a.methods != a.own_methods for a in sample.answers):
        text += (
            " The test exchanges answers row by row, so both models must be asked for "
            "the same response, and this is none that both have."
        )
    return text + _HOW_ARRAYS_ARE_READ * (sample.origin == "predictions")


def _spied_score(scorer, call, name, sample, answers):
    """Score the sample and note the response that reached the metric.

    The scorer picks the positive class's column or flips a sign on the way; what
    arrives at its metric function is what a resample has to take rows of.
    """
    metric, seen = metric_of(scorer)[0], []

    @functools.wraps(metric)  # the scorer reads the signature of its metric
    def spy(y_true, response, **kwargs):
        seen.append(response)
        return call(y_true, response, **kwargs)

    spying = with_metric(scorer, spy)
    score = _score(spying, name, sample, answers, sample.y_array)
    return score, seen[0]
