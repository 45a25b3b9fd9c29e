"""Metrics that are functions of sums over rows, one family per file.

A family maps metric functions of scikit-learn to builders. A builder takes the
statistic that calls the metric, which has the truth, the responses of all models and
the weights, and the metric's own keyword arguments. It returns an `AdditiveMetric`, or
None for anything it does not understand completely. scikit-learn has scored the sample
by then, so that what it refuses need not be looked for.
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
    AdditiveMetric,
    GivenMetric,
)

FAMILIES = (_metric, _labels, _sets, _probabilities, _regression)
