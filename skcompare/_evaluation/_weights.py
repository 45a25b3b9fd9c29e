"""How weights and other parameters reach the `fit` of a model."""

import inspect

from sklearn import get_config
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import has_fit_parameter


def fit_parameters(model, sample_weight, params=None):
    """Return the keyword arguments for the `fit` of a model, weights among them.

    With metadata routing on, the model has to say whether it wants weights: as
    everywhere in scikit-learn, one that could take them and does not say is an error.
    Without, they go to the last step of a pipeline and to the models inside a search
    or an ensemble, and a model that cannot take them is an error.

    Parameters
    ----------
    model : estimator
        The model.
    sample_weight : ndarray or None
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
    >>> fit_parameters(make_pipeline(StandardScaler(), Ridge()), [1, 2])
    {'ridge__sample_weight': [1, 2]}
    """
    params = dict(params or {})
    routed = get_config()["enable_metadata_routing"]
    if sample_weight is not None:
        params["sample_weight" if routed else _weight_parameter(model)] = sample_weight
    if not routed or not params:
        return params
    mapping = MethodMapping().add(caller="fit", callee="fit")
    router = MetadataRouter(owner="comparison").add(model=model, method_mapping=mapping)
    # The router looks at names only, and passes over what is None.
    wanted = router.route_params(caller="fit", params=dict.fromkeys(params, ()))
    return {name: params[name] for name in wanted.model.fit}


def fit_parameters_of(models, sample_weight, params=None):
    """Return the arguments for the `fit` of several models, by parameter name.

    Parameters
    ----------
    models : dict
        Models by parameter name.
    sample_weight : ndarray or None
        The weights.
    params : dict or None, default=None
        Further arguments. With metadata routing on, one that no model requests is an
        error.

    Returns
    -------
    dict of dict
        Arguments by model.
    """
    by_model = {
        parameter: fit_parameters(model, sample_weight, params)
        for parameter, model in models.items()
    }
    unused = set(params or {}).difference(*by_model.values())
    if unused:
        raise TypeError(
            f"Every parameter for `fit` must be requested by a model. Got "
            f"{', '.join(sorted(unused))}, which no model requests. Call "
            "set_fit_request on the models, or leave it out."
        )
    return by_model


def _weight_parameter(model, outside=()):
    """Return the name by which `fit` takes weights, or say that it takes none."""
    path = (*outside, type(model).__name__)
    if isinstance(model, FrozenEstimator):
        return "sample_weight"  # as good as any: its fit does nothing
    if isinstance(model, Pipeline):
        step, last = model.steps[-1]
        return f"{step}__{_weight_parameter(last, path)}"
    own = hasattr(model, "fit") and has_fit_parameter(model, "sample_weight")
    if own and path[-1] != "CalibratedClassifierCV":
        return "sample_weight"
    names = {_weight_parameter(inner, path) for inner in _models_inside(model)}
    if own and names <= {"sample_weight"}:
        return "sample_weight"
    # With another name, weights would reach the model and not its calibration.
    if own or len(names) != 1:
        raise ValueError(
            "`sample_weight` must reach the fit of every model, or some would learn "
            f"without it. Got {' in '.join(path[::-1])}, which takes no weights. Leave "
            "out `sample_weight`, or compare models that take it. With "
            "sklearn.set_config(enable_metadata_routing=True), models say by "
            "set_fit_request whether they want weights."
        )
    return names.pop()


def _models_inside(model):
    """Return the models that a model passes the arguments of its `fit` on to."""
    parameters = inspect.signature(getattr(model, "fit", len)).parameters.values()
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        return []
    attributes = ("estimator", "regressor", "final_estimator")
    single = [getattr(model, name, None) for name in attributes]
    several = [inner for _, inner in getattr(model, "estimators", None) or []]
    return [inner for inner in (*single, *several) if hasattr(inner, "fit")]
