"""What models, folds and arrays have in common: names, classes, tags, methods."""

import copy
import warnings

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils import Tags, TargetTags, get_tags
from sklearn.utils.multiclass import type_of_target

from skcompare._evaluation._cached_model import RESPONSE_METHODS


def name_of(model):
    """Return what to call a model: its class, or that of a pipeline's last step."""
    while isinstance(model, Pipeline | FrozenEstimator):
        frozen = isinstance(model, FrozenEstimator)
        model = model.estimator if frozen else model.steps[-1][1]
    return type(model).__name__


def available_methods(model):
    """Return the response methods that a model has."""
    return tuple(name for name in RESPONSE_METHODS if hasattr(model, name))


def target_type(y):
    """Return scikit-learn's word for a target, without its guesses about the task."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return type_of_target(y)
        except ValueError:  # such as sequences of different lengths
            return "unknown"


def is_classification(y):
    """Return whether the truth is one of classes or of labels."""
    return not target_type(y).startswith("continuous")


def target_classes(y):
    """Return the classes of a target, None if it has no classes."""
    kind = target_type(y)
    if kind == "multilabel-indicator":
        return [np.array([0, 1])] * y.shape[1]
    return np.unique(y) if kind in ("binary", "multiclass") else None


def tags_for(model, y):
    """Return the tags that a scorer needs, of whatever kind of model.

    Models that know nothing of scikit-learn are taken for what the target says.
    """
    if hasattr(model, "__sklearn_tags__"):
        return copy.deepcopy(get_tags(model))
    return tags_by_classes(target_classes(y))


def tags_by_classes(classes):
    """Return the tags of whoever predicts a target with such classes."""
    # A target without classes, such as sequences, is none of a classifier's.
    kind = "regressor" if classes is None else "classifier"
    return Tags(estimator_type=kind, target_tags=TargetTags(required=True))


def for_swaps(models):
    """Return models that offer scorers only the response methods that all have.

    Then scorers ask all of them for the same, and predictions can be swapped.
    """
    common = tuple(
        method
        for method in RESPONSE_METHODS
        if all(method in model.methods for model in models)
    )
    return tuple(model.offering(common) for model in models)
