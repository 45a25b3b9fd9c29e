"""Metrics that are functions of sums over rows, one family per file.

A family maps metric functions of scikit-learn to builders. A builder takes the truth,
the responses of all models, the weights and the metric's own keyword arguments, and
returns an `AdditiveMetric`, or None for anything it does not understand completely.
"""

import inspect

from skcompare._engine.additive import (
    _labels,
    _means,
    _probabilities,
    _regression,
    _sets,
)
from skcompare._engine.additive._function import AdditiveFunction, GivenMetric
from skcompare._engine.additive._metric import AdditiveMetric
from skcompare._engine.additive._parts import SetCounts, row_scores, set_counts
from skcompare._engine.additive._statistic import AdditiveStatistic, AdditiveTable

__all__ = [
    "AdditiveFunction",
    "AdditiveMetric",
    "AdditiveStatistic",
    "AdditiveTable",
    "SetCounts",
    "additive_metric",
    "row_scores",
    "set_counts",
]

FAMILIES = (_means, _labels, _sets, _probabilities, _regression)


def additive_metric(function, kwargs, *, y, responses, sample_weight):
    """Return how a metric function adds up on a sample, None if that is not known.

    Parameters
    ----------
    function : callable
        A metric function.
    kwargs : dict
        Its fixed keyword arguments.
    y : ndarray or sparse matrix
        The truth.
    responses : list of ndarray or sparse matrix
        The responses of all models.
    sample_weight : ndarray or None
        The weights.

    Returns
    -------
    AdditiveMetric or None
        The metric on this sample.
    """
    if isinstance(function, AdditiveFunction):
        return GivenMetric(function, y, responses, sample_weight)
    for family in FAMILIES:
        builder = family.BUILDERS.get(function)
        if builder is None:
            continue
        try:
            call = inspect.signature(builder).bind(
                y, responses, sample_weight, **kwargs
            )
        except TypeError:  # an option that the builder does not know
            continue
        metric = builder(*call.args, **call.kwargs)
        if metric is not None:
            return metric
    return None
