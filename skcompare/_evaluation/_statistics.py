"""From a metric on a sample to a `Statistic`."""

import copy
import dataclasses
import functools

from skcompare._engine import (
    Folds,
    MetricStatistic,
    ScorerStatistic,
    as_number,
    fastest,
    mean_over_folds,
)
from skcompare._evaluation._cached_model import RESPONSE_METHODS, EstimatorView
from skcompare._evaluation._declared import class_options, defined_metric
from skcompare._metric import arguments_at
from skcompare._validation import as_weights


def as_statistic(metric, sample):
    """Score the sample once and return what can score its resamples.

    A wrong scorer fails here, at once, with scikit-learn's own message.

    Parameters
    ----------
    metric : Metric
        What to score by.
    sample : Sample
        Rows and predictions.

    Returns
    -------
    Statistic
        The statistic of that metric on this sample.
    """
    arguments = {}
    if metric.arguments:
        arguments = arguments_at(metric.arguments, sample.rows_of_data[1])
    own_weights = arguments.pop("sample_weight", None)
    if own_weights is not None and metric.weighted:
        raise ValueError(
            f"`sample_weight` was passed, but the scorer {metric.name!r} has one of "
            "its own, as an argument of make_scorer. Leave out one of the two."
        )
    weights = sample.sample_weight if metric.weighted else as_weights(own_weights)
    sample = dataclasses.replace(sample, sample_weight=weights)
    if metric.function is None:
        generic = _of_scorer(metric, sample, arguments)
    else:
        generic = _of_function(metric, sample, arguments)
    generic.recognizable = metric.recognizable
    if sample.groups is not None:
        generic.tell_copies_apart(sample.groups)
    return fastest(generic)


def _of_function(metric, sample, arguments):
    """Return the statistic of a metric whose function is known.

    The scorer picks the positive class's column or flips a sign on the way; what
    arrives at its metric function is what a resample has to take rows of.
    """
    declared = class_options(metric, sample)
    call = defined_metric(metric.function) if declared else metric.function
    responses = []

    @functools.wraps(metric.function)  # the scorer reads the signature of its metric
    def spy(y_true, response, **kwargs):
        responses.append(response)
        return call(y_true, response, **declared | kwargs)

    scorer = metric.scorer_with(arguments, spy)
    observed = [
        _score(scorer, metric, sample, m, sample.y_array) for m in sample.models
    ]
    fixed = {k: v for k, v in metric.kwargs.items() if k not in metric.arguments}
    return MetricStatistic(
        metric.function,
        metric.sign,
        fixed | declared,
        call=call,
        y=sample.y_array,
        responses=responses,
        sample_weight=sample.sample_weight,
        observed=tuple(as_number(score, metric.name) for score in observed),
        arguments=arguments,
        name=metric.name,
    )


def _of_scorer(metric, sample, arguments):
    """Return the statistic of any other scorer.

    One that fails on what stands for the models gets the fitted models themselves,
    where there are some.
    """
    scorer = metric.scorer_with(arguments)
    try:
        observed = [_score(scorer, metric, sample, m, sample.y) for m in sample.models]
    except Exception:  # whatever a scorer raises that looks closely at a model
        if sample.swapped or any(model.model is None for model in sample.models):
            raise
        models = tuple(model.handing_over() for model in sample.models)
        sample = dataclasses.replace(sample, models=models)
        observed = [_score(scorer, metric, sample, m, sample.y) for m in models]
    return ScorerStatistic(
        scorer,
        sample,
        observed=tuple(as_number(score, metric.name) for score in observed),
        arguments=arguments,
        name=metric.name,
    )


def fold_mean_statistic(metric, sample):
    """Score every fold once and return what can score resamples of all of them.

    Parameters
    ----------
    metric : Metric
        What to score by.
    sample : Sample
        Rows and predictions, with folds.

    Returns
    -------
    Statistic
        The mean over folds; counted if the statistics of all folds are.
    """
    folds, statistics = Folds(sample.fold), []
    for rows in folds:
        try:
            statistics.append(as_statistic(metric, sample.at(rows)))
        except ValueError as error:
            as_statistic(metric, sample)  # fails by itself if the metric is wrong
            raise ValueError(
                "The mean over folds scores every fold by itself, which fails on "
                f"one of {len(rows)} rows: {str(error).rstrip('.')}. If folds lack a "
                "class or are too small, use a stratified splitter, fewer folds, or "
                "aggregate='pooled'."
            ) from error
    return mean_over_folds(folds, statistics)


def _score(scorer, metric, sample, model, y):
    name, wanted = metric.name, metric.responses
    if wanted is not None and not set(wanted) & set(model.methods):
        raise ValueError(_no_response(name, " or ".join(wanted), sample))
    own_y = copy.copy(y)  # a metric may change it
    weights = sample.sample_weight
    weights = {} if weights is None else {"sample_weight": weights}
    try:
        return scorer(model.as_estimator(sample.X), sample.X, own_y, **weights)
    except TypeError as error:
        if "sample_weight" not in str(error):
            raise
        raise ValueError(
            f"`sample_weight` was given, but the scorer {name!r} does not take it."
        ) from error
    except ValueError as error:
        if sample.origin != "predictions":
            raise
        asked = " and ".join(model.responses) or " or ".join(wanted or ())
        raise ValueError(
            f"The scorer {name!r} asks for {asked}; the predictions of {model.name}, "
            f"read as that, fail: {str(error).rstrip('.')}.{_HOW_ARRAYS_ARE_READ}"
        ) from error
    except AttributeError as error:
        of_view = isinstance(error.obj, EstimatorView)
        if not of_view or error.name not in RESPONSE_METHODS:
            raise
        raise ValueError(_no_response(name, error.name, sample)) from error


_HOW_ARRAYS_ARE_READ = (
    " An array is read as labels, probabilities or decision values by what it holds; a "
    'mapping such as {"predict_proba": array} says what it is.'
)


def _no_response(name, wanted, sample):
    """Explain that some model has no response that a scorer asks for."""
    has = ", ".join(f"{a.name} has {'/'.join(a.own_methods)}" for a in sample.models)
    text = f"The scorer {name!r} asks for {wanted}; {has}."
    if any(a.methods != a.own_methods for a in sample.models):
        text += (
            " The test swaps predictions row by row, so both models must be asked for "
            "the same response, and this is none that both have."
        )
    return text + _HOW_ARRAYS_ARE_READ * (sample.origin == "predictions")
