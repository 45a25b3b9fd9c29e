"""Metrics on samples by hand: as a statistic, how they add up, and by scikit-learn."""

import math
import warnings

import numpy as np

from skcompare._engine import MetricStatistic
from skcompare._engine._generic import BUILDERS


def generic_statistic(metric, y, responses, *, kwargs, sample_weight=None, sign=1):
    """The reference: the metric function called on rows."""
    return MetricStatistic(
        metric=metric,
        sign=sign,
        kwargs=kwargs,
        y=y,
        responses=responses,
        sample_weight=sample_weight,
        observed=(0.0,) * len(responses),
        arguments={},
        name="it",
    )


def built(metric, y, responses, weights, **kwargs):
    """Return how a metric adds up on a sample, None if that is not understood."""
    own = {"kwargs": kwargs, "sample_weight": weights}
    return BUILDERS[metric](generic_statistic(metric, y, responses, **own), **kwargs)


def is_refused(metric, y, response, **kwargs):
    """Return whether scikit-learn itself does not score a sample by one number."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return not np.isfinite(float(metric(y, response, **kwargs)))
        except (TypeError, ValueError, ZeroDivisionError):
            return True


def reference(metric, y, response, weights, rows, kwargs):
    """Call scikit-learn; nan where that fails or is not finite."""
    if weights is not None:
        kwargs = {**kwargs, "sample_weight": weights[rows]}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            value = float(metric(y[rows], response[rows], **kwargs))
        except (ValueError, ZeroDivisionError):
            return math.nan
    return value if math.isfinite(value) else math.nan
