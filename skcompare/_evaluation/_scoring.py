"""From `scoring` to metrics."""

import contextlib
import inspect
from collections.abc import Mapping

from sklearn import get_config
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import get_routing_for_object

from skcompare._evaluation._models import is_classification, name_of
from skcompare._metric import Metric, as_metric, function_name
from skcompare._validation import (
    BaseSearchCV,
    as_array,
    metric_of,
    named_scorer,
    number_of_rows,
)


def resolve_scoring(scoring, *, y, models=(), has_weights=False, params=None):
    """Turn `scoring` into metrics.

    Parameters
    ----------
    scoring : str, callable, list, tuple, set, dict or None
        What the user asked for. None means the models' own `score`, and for bare
        predictions accuracy or R2.
    y : object
        The truth.
    models : iterable of estimators, default=()
        The models, if there are any.
    has_weights : bool, default=False
        Whether there are weights for scorers.
    params : dict or None, default=None
        With metadata routing on, further parameters, which scorers may request.

    Returns
    -------
    dict of Metric
        Metrics by name.

    Examples
    --------
    >>> list(resolve_scoring(["f1_macro", "accuracy"], y=[0, 1]))
    ['f1_macro', 'accuracy']
    >>> list(resolve_scoring(None, y=[0.5, 1.5]))
    ['r2']
    """
    if scoring is None:
        named = _default_scorers(models, y)
    elif isinstance(scoring, Mapping):
        named = list(scoring.items())
    elif isinstance(scoring, list | tuple | set | frozenset):
        items = scoring if isinstance(scoring, list | tuple) else sorted(scoring)
        named = [(None, item) for item in items]
    else:
        named = [(None, scoring)]
    n_rows, metrics = number_of_rows(y, "y"), []
    for name, item in named:
        if isinstance(item, str):
            name, item = name or item, named_scorer(item)
        scorer = item.scorer if isinstance(item, Metric) else item
        if metric_of(scorer) is None:
            _check_scorer(scorer)
        metrics.append(
            as_metric(name, scorer, n_rows, has_weights=has_weights, params=params)
        )
    by_name = {metric.name: metric for metric in metrics}
    if not by_name or len(by_name) < len(metrics):
        raise ValueError(
            "`scoring` must name at least one metric and none twice. Got "
            f"{[metric.name for metric in metrics]}. Metrics that share a name can be "
            "distinguished in a dict."
        )
    return by_name


def _check_scorer(item):
    """Refuse what is no scorer, and a metric function, of which one can be made."""
    if not callable(item):
        raise ValueError(
            "`scoring` must be a name, a scorer, a callable scorer(estimator, X, y), "
            f"or a list, tuple or dict of those. Got {item!r}."
        )
    module, names = getattr(item, "__module__", None) or "", []
    with contextlib.suppress(TypeError, ValueError):  # some have no signature
        parameters = inspect.signature(item).parameters.values()
        names = [p.name for p in parameters if p.kind in _POSITIONAL]
    of_sklearn = module.startswith("sklearn.metrics.") and inspect.isfunction(item)
    if of_sklearn or len(names) == 2 or names[:1] in (["y_true"], ["labels_true"]):
        shown = ", ".join(names[:2] or ["y_true", "y_pred"])
        name = function_name(item)
        raise ValueError(
            "`scoring` must be a scorer, called as scorer(estimator, X, y). Got the "
            f"metric function {name}({shown}). Wrap it: "
            f"sklearn.metrics.make_scorer({name})."
        )


_POSITIONAL = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)


def _default_scorers(models, y):
    """Return the scorer that the models' own `score` stands for."""
    scorers = [_own_score(model, y) for model in models] or [_by_target(y)]
    names = [name for name, _ in scorers]
    if len(set(names)) > 1:
        whose = " and ".join(
            f"{name} for {name_of(model)}"
            for name, model in zip(names, models, strict=True)
        )
        raise ValueError(
            "`scoring` must be given where the models' own score methods differ. "
            f"Got None, which means {whose}. Pass scoring={_by_target(y)[0]!r}, say."
        )
    return scorers[:1]


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
        if model.scoring is None:
            return _own_score(model.estimator, y)
        metrics = resolve_scoring(model.scoring, y=y)
        chosen = model.refit if model.refit in list(metrics) else next(iter(metrics))
        return chosen, metrics[chosen]
    score = getattr(type(model), "score", None)
    if score is None:
        return _by_target(y)
    full_name = f"{score.__module__}.{getattr(score, '__qualname__', '')}"
    name = _NAMES.get(score) or _NAMES_IN_FULL.get(full_name)
    if name is None:
        return score.__qualname__, _score_method
    own = getattr(model, "scoring", None)  # of LogisticRegressionCV
    if own not in (None, "warn") and full_name in _NAMES_IN_FULL:  # "warn" is accuracy
        return next(iter(resolve_scoring(own, y=y).items()))
    scorer = named_scorer(name)
    if get_config()["enable_metadata_routing"] and hasattr(model, "set_score_request"):
        # It asks for weights if the model asks for them in its `score`.
        requests = get_routing_for_object(model).score.requests
        scorer.set_score_request(sample_weight=requests.get("sample_weight"))
    return name, scorer


_NAMES = {
    ClassifierMixin.score: "accuracy",
    DummyClassifier.score: "accuracy",
    DummyRegressor.score: "r2",
    RegressorMixin.score: "r2",
}


# Those that call the score of their base class, unless they have a `scoring` of their
# own; importing them for that takes long.
_NAMES_IN_FULL = dict.fromkeys(
    (
        "sklearn.linear_model._logistic.LogisticRegressionCV.score",
        "sklearn.neighbors._classification.KNeighborsClassifier.score",
        "sklearn.neighbors._classification.RadiusNeighborsClassifier.score",
    ),
    "accuracy",
)


def _by_target(y):
    y = as_array(y, "y")
    if y.dtype.names:
        raise ValueError(
            "`scoring` must be given for a truth of records, with the fields "
            f"{', '.join(y.dtype.names)}. Got None. Pass a scorer that reads them."
        )
    name = "accuracy" if is_classification(y) else "r2"
    return name, named_scorer(name)


def _score_method(estimator, X, y, **kwargs):
    """Ask the model itself: what its own score method computes is not known."""
    return estimator.score(X, y, **kwargs)
