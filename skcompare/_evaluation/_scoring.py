"""From `scoring` to named scorers."""

import functools
import inspect
from collections.abc import Mapping

from sklearn import get_config
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import get_routing_for_object

from skcompare._arguments import shown_arguments
from skcompare._evaluation._source import is_classification, name_of
from skcompare._validation import (
    BaseSearchCV,
    as_array,
    metric_of,
    named_scorer,
    number_of_rows,
)


def resolve_scoring(scoring, *, y, models=()):
    """Turn `scoring` into a dict of scorers.

    Parameters
    ----------
    scoring : str, callable, list, tuple, set, dict or None
        What the user asked for. None means the models' own `score`, and for bare
        predictions accuracy or R2.
    y : object
        The truth.
    models : iterable of estimators, default=()
        The models, if there are any.

    Returns
    -------
    dict
        Scorers by name.

    Examples
    --------
    >>> list(resolve_scoring(["f1_macro", "accuracy"], y=[0, 1]))
    ['f1_macro', 'accuracy']
    >>> list(resolve_scoring(None, y=[0.5, 1.5]))
    ['r2']
    """
    if scoring is None:
        return _default_scorers(models, y)
    if isinstance(scoring, Mapping):
        named = list(scoring.items())
    elif isinstance(scoring, list | tuple | set | frozenset):
        items = scoring if isinstance(scoring, list | tuple) else sorted(scoring)
        named = [(_name(item, y), item) for item in items]
    else:
        named = [(_name(scoring, y), scoring)]
    names = [name for name, _ in named]
    if not named or len(set(names)) < len(names):
        raise ValueError(
            f"`scoring` must name at least one metric and none twice. Got {names}. "
            "Metrics that share a name can be told apart in a dict."
        )
    return {name: _scorer(item) for name, item in named}


def _name(item, y):
    if isinstance(item, str):
        return item
    metric = metric_of(item)
    if metric is None:
        return _function_name(item)
    function, _, kwargs = metric
    options = shown_arguments(kwargs, number_of_rows(y, "y"))
    return _function_name(function) + (f"({options})" if options else "")


def _function_name(function):
    if isinstance(function, functools.partial):
        return _function_name(function.func)
    return getattr(function, "__name__", type(function).__name__)


def _scorer(item):
    if isinstance(item, str):
        return named_scorer(item)
    if not callable(item):
        raise ValueError(
            "`scoring` must be a name, a scorer, a callable scorer(estimator, X, y), "
            f"or a list, tuple or dict of those. Got {item!r}."
        )
    if _takes_predictions(item):
        name = _function_name(item)
        raise ValueError(
            "`scoring` must be a scorer, called as scorer(estimator, X, y). Got the "
            f"metric function {name}(y_true, y_pred). Wrap it: "
            f"sklearn.metrics.make_scorer({name})."
        )
    return item


def _takes_predictions(function):
    """Return whether a callable looks like metric(y_true, y_pred)."""
    if metric_of(function) is not None:
        return False
    module = getattr(function, "__module__", None) or ""
    if module.startswith("sklearn.metrics.") and inspect.isfunction(function):
        return True
    try:
        first = list(inspect.signature(function).parameters)[:2]
    except (TypeError, ValueError):  # built-in callables have no signature
        return False
    return len(first) == 2 and first[0] in ("y_true", "labels_true")


def _default_scorers(models, y):
    """Return the scorer that the models' own `score` stands for."""
    found = [_own_score(model, y) for model in models] or [_by_target(y)]
    names = [name for name, _ in found]
    if len(set(names)) > 1:
        whose = " and ".join(
            f"{name} for {name_of(model)}"
            for name, model in zip(names, models, strict=True)
        )
        raise ValueError(
            "`scoring` must be given where the models' own score methods differ. "
            f"Got None, which means {whose}."
        )
    return dict(found[:1])


def _own_score(model, y):
    """Return (name, scorer) of what ``model.score`` computes.

    Where that is accuracy or R2 of its predictions, or the scorer of a search, the
    scorer is used itself: the model need not be asked again for every resample.
    """
    if isinstance(model, Pipeline):
        return _own_score(model.steps[-1][1], y)
    if isinstance(model, FrozenEstimator):
        return _own_score(model.estimator, y)
    if isinstance(model, BaseSearchCV):
        return _search_score(model, y)
    score = getattr(type(model), "score", None)
    if score is None:
        return _by_target(y)
    name = _NAMES.get(score) or _NAMES_IN_FULL.get(_full_name(score))
    if name is not None:
        return name, _requesting_as(model, named_scorer(name))
    return f"{score.__qualname__}", _score_method


def _requesting_as(model, scorer):
    """Have a scorer ask for weights if the model asks for them in its `score`."""
    if get_config()["enable_metadata_routing"] and hasattr(model, "set_score_request"):
        requests = get_routing_for_object(model).score.requests
        scorer.set_score_request(sample_weight=requests.get("sample_weight"))
    return scorer


def _full_name(function):
    return f"{function.__module__}.{getattr(function, '__qualname__', '')}"


_NAMES = {
    ClassifierMixin.score: "accuracy",
    DummyClassifier.score: "accuracy",
    DummyRegressor.score: "r2",
    RegressorMixin.score: "r2",
}


# Nearest neighbours call ClassifierMixin.score; importing them for that takes long.
_NAMES_IN_FULL = {
    f"sklearn.neighbors._classification.{kind}NeighborsClassifier.score": "accuracy"
    for kind in ("K", "Radius")
}


def _search_score(search, y):
    scoring = search.scoring
    if scoring is None:
        return _own_score(search.estimator, y)
    scorers = resolve_scoring(scoring, y=y)
    chosen = search.refit if search.refit in list(scorers) else next(iter(scorers))
    return chosen, scorers[chosen]


def _by_target(y):
    name = "accuracy" if is_classification(as_array(y, "y")) else "r2"
    return name, named_scorer(name)


def _score_method(estimator, X, y, **kwargs):
    """Ask the model itself: what its own score method computes is not known."""
    return estimator.score(X, y, **kwargs)
