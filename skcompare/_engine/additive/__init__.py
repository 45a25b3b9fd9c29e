"""Metrics that are functions of sums over rows, one family per file.

A family maps metric functions of scikit-learn to builders. A builder takes the truth,
the responses of all models, the weights and the metric's own keyword arguments, and
returns an `AdditiveMetric`, or None for anything it does not understand completely.
"""

from skcompare._engine._statistic import call_builder
from skcompare._engine.additive import (
    _labels,
    _metric,
    _probabilities,
    _regression,
    _sets,
)
from skcompare._engine.additive._metric import (
    AdditiveFunction,
    AdditiveMetric,
    GivenMetric,
)
from skcompare._engine.additive._statistic import AdditiveStatistic

FAMILIES = (_metric, _labels, _sets, _probabilities, _regression)


def additive_statistic(generic):
    """Return a statistic of sums over rows, None if the metric is not known to be one.

    Parameters
    ----------
    generic : MetricStatistic
        The same statistic by calling the metric function.

    Returns
    -------
    AdditiveStatistic or None
        The statistic on the same sample.
    """
    sample = generic.y, generic.responses, generic.sample_weight
    if isinstance(generic.metric, AdditiveFunction):
        return AdditiveStatistic(GivenMetric(generic.metric, *sample), generic)
    for family in FAMILIES:
        if generic.metric in family.BUILDERS:
            builder = family.BUILDERS[generic.metric]
            metric = call_builder(builder, *sample, **generic.kwargs)
            if metric is not None:
                return AdditiveStatistic(metric, generic)
    return None
