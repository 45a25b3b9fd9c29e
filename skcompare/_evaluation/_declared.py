"""Metrics of a column per class: which classes, though a resample may lack some."""

import functools
import inspect
import math

import numpy as np
from sklearn import metrics

# Averages over rows, and ratios of such: defined whatever classes there are.
OF_COLUMNS = {
    metrics.brier_score_loss,
    metrics.d2_log_loss_score,
    metrics.hinge_loss,
    metrics.log_loss,
    metrics.top_k_accuracy_score,
}
if hasattr(metrics, "d2_brier_score"):  # since 1.8
    OF_COLUMNS.add(metrics.d2_brier_score)


def class_options(metric, sample):
    """Return the options that tell a metric the classes of the models.

    Without them the metric takes the classes of the rows that it gets: where these lack
    one, it fails, or takes a column for that of another class.

    Parameters
    ----------
    metric : Metric
        A metric with a function.
    sample : Sample
        Rows and predictions.

    Returns
    -------
    dict
        Further keyword arguments, empty for metrics that need none.
    """
    first, *others = (model.classes for model in sample.models)
    one_output = isinstance(first, np.ndarray) and sample.y_array.ndim == 1
    if metric.function not in OF_COLUMNS or not one_output or len(first) < 2:
        return {}
    if not all(np.array_equal(first, other) for other in others):
        return {}
    strange = np.unique(sample.y_array[~np.isin(sample.y_array, first)])
    if len(strange):
        raise ValueError(
            f"`y` must have no classes but those of the models, {first.tolist()[:10]}, "
            f"for a metric of probabilities. Got {strange.tolist()[:10]}, too."
        )
    options = {"labels": first}
    if len(first) == 2 and first.dtype.kind in "iubf":
        # Of texts scikit-learn must be passed the positive one.
        options["pos_label"] = first[1].item()
    taken = inspect.signature(metric.function).parameters
    return {
        name: value
        for name, value in options.items()
        if name in taken and metric.kwargs.get(name) is None
    }


def defined_metric(function):
    """Return a metric function that is nan where scikit-learn divides by rounding."""
    return _of_two_classes if function is metrics.d2_log_loss_score else function


@functools.wraps(metrics.d2_log_loss_score)
def _of_two_classes(y_true, y_proba, **kwargs):
    """Compute the share of log loss explained, of which one class alone has none."""
    if (y_true == y_true[0]).all():
        return math.nan
    return metrics.d2_log_loss_score(y_true, y_proba, **kwargs)
