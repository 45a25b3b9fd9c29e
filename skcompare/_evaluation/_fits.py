"""Fits of cloned models on folds, in one pool of workers, and the parameters of `fit`.

Weights, groups and further parameters reach a model as in scikit-learn: by metadata
routing if it is on, otherwise through the last step of a pipeline and the models inside
a search or an ensemble.
"""

import contextlib
import functools
import inspect
import itertools
from collections.abc import Mapping

from sklearn import get_config
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import get_scorer
from sklearn.pipeline import Pipeline
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    get_routing_for_object,
)
from sklearn.utils.validation import has_fit_parameter

from skcompare._engine import results_of
from skcompare._evaluation._models import name_of
from skcompare._foreign import rows_of_parameters
from skcompare._parameters import suggestion
from skcompare._progress import track
from skcompare._validation import split_data

# Parameters of `fit` that comparisons use themselves.
_OF_COMPARISONS = ("groups", "strata", "sample_weight", "names")


def fit_on_folds(
    models,
    X,
    y,
    splits,
    *,
    then,
    params=None,
    error_score="raise",
    n_jobs=None,
    verbose=0,
):
    """Fit clones of models on every training set, all in one pool of workers.

    Parameters
    ----------
    models : dict
        Models by parameter name; they are cloned.
    X, y : object
        The data.
    splits : list of tuple of ndarray
        The positions of training and test rows.
    then : callable
        Called with each fitted clone: ``then(fitted, X_test, rows)``.
    params : dict of dict or None, default=None
        Passed to `fit` of each model, at the training rows.
    error_score : nan or "raise", default="raise"
        Whether a fit that fails is left out or raises its error.
    n_jobs : int or None, default=None
        The number of parallel fits.
    verbose : int, default=0
        Whether to show progress.

    Returns
    -------
    results : list of list
        For each model the results of `then` on its folds, None where the fit failed.
    errors : list of str
        The errors of the fits that failed.
    """
    for parameter, model in models.items():
        if not any(hasattr(model, n) for n in ("get_params", "__sklearn_clone__")):
            raise TypeError(
                f"`{parameter}` must be a model that can be cloned to be fitted on "
                f"folds. Got {type(model).__name__} without get_params. Derive its "
                "class from sklearn.base.BaseEstimator, or fit it yourself and use "
                "cv='prefit' on other rows."
            )
    (X,) = indexable(X)
    options = {"params": params or {}, "then": then, "error_score": error_score}
    fit = functools.partial(_fit_fold, models, X, y, splits, **options)
    pairs = list(itertools.product(models, range(len(splits))))
    fits = results_of(fit, pairs, n_jobs=n_jobs, prefer="processes")
    total, n_folds = len(pairs), len(splits)
    with (
        contextlib.closing(fits),
        track(fits, total=total, label="fits", verbose=verbose) as tracked,
    ):
        results, errors = zip(*tracked, strict=True)
    for start in range(0, total, n_folds):
        if all(errors[start : start + n_folds]):
            raise ValueError(f"No fold could be fitted. {errors[start]}")
    by_model = [list(results[i : i + n_folds]) for i in range(0, total, n_folds)]
    return by_model, list(filter(None, errors))


def _fit_fold(models, X, y, splits, parameter, fold, *, params, then, error_score):
    """Return the result of a fold and None, or None and the error of its fit."""
    model, (train, test) = clone(models[parameter]), splits[fold]
    params = params.get(parameter, {})
    X_train, y_train = split_data(model, X, y, train)
    X_test, _ = split_data(model, X, y, test, train)
    failed, rows = "could not be fitted", "on"
    try:
        model.fit(X_train, y_train, **rows_of_parameters(X, params, train))
        failed, rows = "failed", "on the test rows of"
        return then(model, X_test, test), None
    except Exception as error:  # models may raise anything
        step = f"`{parameter}` ({name_of(model)}) {failed}"
        if error_score != "raise":
            return None, f"{step}: {type(error).__name__}: {error}"
        step += f" {rows} fold {fold + 1} of {len(splits)}"
        if len(error.args) == 1 and isinstance(error.args[0], str):
            error.args = (f"{error} ({step})",)
        else:
            error.add_note(step)
        raise


def fit_parameters(model, *, groups=None, sample_weight=None, params=None):
    """Return the keyword arguments for the `fit` of a model.

    With metadata routing on, the model must request its metadata: as in scikit-learn, a
    model that accepts weights but neither requests nor declines them raises an error.
    Without routing, weights must reach every model, and a model that does not accept
    them raises an error; groups reach searches whose splitter uses them.

    Parameters
    ----------
    model : estimator
        The model.
    groups : array-like or None, default=None
        The group of each row.
    sample_weight : ndarray or None, default=None
        The weights.
    params : dict or None, default=None
        Further arguments; with metadata routing on, those that the model requests are
        passed.

    Returns
    -------
    dict
        Arguments for `fit`.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> model = make_pipeline(StandardScaler(), Ridge())
    >>> fit_parameters(model, sample_weight=[1, 2])
    {'ridge__sample_weight': [1, 2]}
    """
    params, own = dict(params or {}), {"groups": groups, "sample_weight": sample_weight}
    if get_config()["enable_metadata_routing"]:
        params |= {name: value for name, value in own.items() if value is not None}
        return requested_by(model, "fit", params)
    if sample_weight is not None:
        params[_weight_parameter(model)] = sample_weight
    if groups is not None:
        path = ""
        while isinstance(model, Pipeline):
            step, model = model.steps[-1]
            path += f"{step}__"
        splitter = getattr(model, "cv", None)
        if get_routing_for_object(splitter).split.requests.get("groups"):
            params.setdefault(f"{path}groups", groups)
    return params


def requested_by(consumer, method, params):
    """Return the metadata that a model, scorer or splitter has requested.

    With metadata routing on, requests are set by `set_fit_request` and the like. As in
    `cross_validate`, a model or scorer that accepts metadata but neither requests nor
    declines them raises an error, and a plain function gets nothing.

    Parameters
    ----------
    consumer : estimator, scorer or splitter
        The object that gets the metadata.
    method : {"fit", "score", "split"}
        The method that gets them.
    params : dict
        The available metadata, by their names in `fit`.

    Returns
    -------
    dict
        The requested metadata, by their names in the method: these differ after
        ``set_fit_request(sample_weight="other")`` and the like.
    """
    routed = _router_to(consumer, method).route_params(caller="fit", params=params)
    return dict(routed.consumer[method])


def _router_to(consumer, method):
    """Return a router whose `fit` passes metadata to one method of a consumer."""
    mapping = MethodMapping().add(caller="fit", callee=method)
    router = MetadataRouter(owner="comparison")
    return router.add(consumer=consumer, method_mapping=mapping)


def fit_parameters_of(
    models, metrics, *, cv=None, groups=None, sample_weight=None, params=None
):
    """Return the arguments for the `fit` of several models, by parameter name.

    Parameters
    ----------
    models : dict
        Models by parameter name; with metadata routing off, they get all `params`.
    metrics : dict of Metric
        Metrics by name, whose scorers may have requested some of the `params`.
    cv : object, default=None
        The splitter, which may have requested some of them, too.
    groups, sample_weight, params : object
        As for `fit_parameters`. One of the `params` that is not used raises an error.

    Returns
    -------
    dict of dict
        Arguments by model.
    """
    own = {"groups": groups, "sample_weight": sample_weight, "params": params}
    by_model = {name: fit_parameters(model, **own) for name, model in models.items()}
    left = set(params or {})
    if get_config()["enable_metadata_routing"]:
        consumers = [(model, "fit") for model in models.values()]
        consumers += [(metric.scorer, "score") for metric in metrics.values()]
        for consumer, method in (*consumers, (cv, "split")):
            left -= _router_to(consumer, method).consumes("fit", left)
    elif models:
        return by_model
    if left and not models:
        hint = suggestion(min(left), _OF_COMPARISONS)
        hint = f" {hint}" if hint else ""
        raise TypeError(
            f"fit got an unexpected keyword argument {min(left)!r}.{hint} Further "
            "parameters are passed to `fit` of the models, but cv='prefit' fits no "
            "model."
        )
    if left:
        raise TypeError(
            "Every parameter for `fit` must be requested by a model, a scorer or the "
            f"splitter. Got {', '.join(sorted(left))}, which none requests. Call "
            "set_fit_request on the models, set_score_request on the scorer or "
            "set_split_request on the splitter, or leave it out."
        )
    return by_model


def metadata_router(comparison, models, *, scoring=None, cv=None):
    """Return the router of a comparison, like those of scikit-learn's meta-estimators.

    Parameters
    ----------
    comparison : estimator
        The comparison, which uses metadata itself and passes them on.
    models : dict
        Models by parameter name.
    scoring : str, callable, list, tuple, set, dict or None, default=None
        One or several scorers, which may request metadata.
    cv : object, default=None
        A splitter, which may request groups; other objects request nothing.

    Returns
    -------
    MetadataRouter
        The router, which passes the metadata of `fit` to the fits of models, to scorers
        and to the splitter.
    """
    router = MetadataRouter(owner=comparison).add_self_request(comparison)
    mapping = MethodMapping().add(caller="fit", callee="fit")
    mapping.add(caller="score", callee="score")
    for name, model in models.items():
        router.add(**{name: model}, method_mapping=mapping)
    scorers = [] if scoring is None else [scoring]
    if isinstance(scoring, Mapping):
        scorers = scoring.values()
    elif isinstance(scoring, list | tuple | set | frozenset):
        scorers = scoring
    mapping = MethodMapping().add(caller="fit", callee="score")
    for number, scorer in enumerate(scorers):
        named = {f"scorer_{number}": get_scorer(scorer)}
        router.add(**named, method_mapping=mapping)
    if hasattr(cv, "split"):
        mapping = MethodMapping().add(caller="fit", callee="split")
        router.add(splitter=cv, method_mapping=mapping)
    return router


def _weight_parameter(model, outside=()):
    """Return the parameter of `fit` for weights; raise an error if there is none."""
    path = (*outside, type(model).__name__)
    if isinstance(model, FrozenEstimator):
        return "sample_weight"  # any name will do: its fit does nothing
    if isinstance(model, Pipeline):
        step, last = model.steps[-1]
        return f"{step}__{_weight_parameter(last, path)}"
    own = hasattr(model, "fit") and has_fit_parameter(model, "sample_weight")
    if own and path[-1] != "CalibratedClassifierCV":
        return "sample_weight"
    names = {_weight_parameter(inner, path) for inner in _models_inside(model)}
    if own and names <= {"sample_weight"}:
        return "sample_weight"
    # Under another name, weights would reach the model but not its calibration.
    if own or len(names) != 1:
        raise ValueError(
            "`sample_weight` must reach the fit of every model, or some would be "
            f"trained without it. Got {' in '.join(path[::-1])}, which takes no "
            "weights. Leave out `sample_weight`, or compare models that take it. With "
            "sklearn.set_config(enable_metadata_routing=True), set_fit_request "
            "determines which models get weights."
        )
    return names.pop()


def _models_inside(model):
    """Return the inner models to which a model passes the arguments of its `fit`."""
    parameters = inspect.signature(getattr(model, "fit", len)).parameters.values()
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        return []
    attributes = ("estimator", "regressor", "final_estimator")
    single = [getattr(model, name, None) for name in attributes]
    several = [inner for _, inner in getattr(model, "estimators", None) or []]
    return [inner for inner in (*single, *several) if hasattr(inner, "fit")]
