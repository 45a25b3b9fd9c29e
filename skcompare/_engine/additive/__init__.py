"""Metrics that are functions of sums over rows, one family per file.

A family maps metric functions of scikit-learn to builders. A builder takes the
statistic that calls the metric, which has the truth, the responses of all models and
the weights, and the keyword arguments of the metric. It returns an `AdditiveMetric`, or
None for input that it does not fully support: a builder must not raise. scikit-learn
has already scored the sample, so builders need not check for input that it rejects.
"""

from skcompare._engine.additive import (
    _labels,
    _metric,
    _probabilities,
    _regression,
    _sets,
)
from skcompare._engine.additive._metric import (
    AdditiveFunction,
    AdditiveFunctionMetric,
    AdditiveMetric,
)

FAMILIES = (
    _metric,
    _labels,
    _sets,
    _probabilities,
    _regression,
)
