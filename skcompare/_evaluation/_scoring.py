"""Conversion of `scoring` to metrics."""

import dataclasses
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from sklearn import get_config
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import get_routing_for_object

from skcompare._caveats import Caveat
from skcompare._evaluation._fits import requested_by
from skcompare._evaluation._models import KINDS_WITHOUT_TYPE, name_of, target_type
from skcompare._foreign import BaseSearchCV, calling, metric_of
from skcompare._parameters import suggestion
from skcompare._validation import (
    LONGEST_LABEL,
    arguments_at,
    as_array,
    number_of_rows,
)
from skcompare.exceptions import ComparisonWarning, ParameterError

# Arguments of scikit-learn's metrics that have entries for classes or outputs: these
# are not resampled, even if there happen to be as many entries as rows.
NOT_OF_ROWS = {"labels", "multioutput"}

# Placeholder for the weights of the comparison itself, which it passes to scorers.
_OWN_WEIGHTS = object()

# Suffixes of scikit-learn functions whose values are lower for better models.
_LOWER_IS_BETTER = ("_error", "_loss", "_deviance")

# Words in the names of other functions whose values are lower for better models.
_LOWER_WORDS = ("cost", "loss", "error", "deviance", "regret", "penalty")


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Metric:
    """A scorer and its properties.

    Parameters
    ----------
    name : str
        The name of the metric.
    scorer : callable
        ``scorer(estimator, X, y)``.
    function : callable or None
        The metric function of a `make_scorer` scorer; None for any other callable.
    sign : int
        1 if greater values of the function are better, -1 otherwise.
    kwargs : dict
        The keyword arguments of the function that are the same for all rows.
    responses : tuple of str or None
        The response methods that the scorer uses, in order of preference; None if
        unknown.
    keywords : dict
        The keyword arguments of the function, and of `functools.partial` around it or
        the scorer.
    arguments : dict
        The keyword arguments that have one entry per row of the data.
    weighted : bool
        Whether the scorer is called with weights, if there are any.
    takes_array : bool
        Whether the truth is passed as an array, as it is to functions of this library
        or of scikit-learn. Others get the container of the user, with its index.
    recognizable : bool
        Whether the metric may be recognized as additive by calling it: unless the
        scorer or its function has an attribute `recognize` that is False.
    notes : tuple of Caveat
        A caveat if it is a scikit-learn function named an error, a loss or a deviance
        whose sign is not flipped.
    """

    name: str
    scorer: Callable
    function: Callable | None
    sign: int
    kwargs: dict
    responses: tuple | None
    keywords: dict
    arguments: dict
    weighted: bool
    takes_array: bool
    recognizable: bool
    notes: tuple

    def scorer_at(self, rows):
        """Return the scorer for some rows of the data, with its arguments at these."""
        arguments = arguments_at(self.arguments, rows)
        if self.function is None:
            return functools.partial(self.scorer, **arguments)
        return calling(self.scorer, self.function, self.kwargs | arguments)


def as_metric(name, scorer, n_rows, *, has_weights=False, params=None):
    """Inspect a scorer.

    Parameters
    ----------
    name : str or None
        Its name; None uses the name of its function, with its arguments.
    scorer : callable
        ``scorer(estimator, X, y)``.
    n_rows : int
        The number of rows of the data.
    has_weights : bool, default=False
        Whether there are weights, which the scorer may request.
    params : dict or None, default=None
        With metadata routing on, further arguments, which the scorer may request.

    Returns
    -------
    Metric
        The scorer and its properties.

    Examples
    --------
    >>> from sklearn.metrics import accuracy_score, make_scorer
    >>> scorer = make_scorer(accuracy_score, sample_weight=[1, 2, 1], normalize=True)
    >>> metric = as_metric(None, scorer, 3)
    >>> metric.name, metric.responses
    ('accuracy_score(sample_weight=..., normalize=True)', ('predict',))
    >>> metric.arguments
    {'sample_weight': [1, 2, 1]}
    """
    function, sign, kwargs, responses = metric_of(scorer)
    if function is None:
        _check_scorer(scorer)
    weighted = has_weights
    if get_config()["enable_metadata_routing"]:
        own_weights = {"sample_weight": _OWN_WEIGHTS} if has_weights else {}
        routed = requested_by(scorer, "score", (params or {}) | own_weights)
        weighted = routed.get("sample_weight") is _OWN_WEIGHTS
        routed = {k: value for k, value in routed.items() if value is not _OWN_WEIGHTS}
        if routed and function is not None:
            kwargs = kwargs | routed
            scorer = calling(scorer, function, kwargs)
    inside, keywords, recognizable = scorer, {}, True
    while inside is not None:  # unwraps partials and scorers, nested in any order
        recognizable = recognizable and bool(getattr(inside, "recognize", True))
        if isinstance(inside, functools.partial):
            keywords, inside = inside.keywords | keywords, inside.func
        else:
            inside, _, fixed, _ = metric_of(inside)
            keywords = fixed | keywords
    arguments = arguments_of_rows(keywords, n_rows)
    if name is None:
        texts = {
            key: "..." if key in arguments else " ".join(str(value).split())
            for key, value in kwargs.items()
        }
        options = ", ".join(
            f"{key}={text if len(text) <= LONGEST_LABEL else '...'}"
            for key, text in texts.items()
        )
        name = function_name(function or scorer) + (f"({options})" if options else "")
        name = f"neg_{name}" if sign < 0 else name  # as in scikit-learn
    module = getattr(function, "__module__", None) or ""
    is_error = getattr(function, "__name__", "").endswith(_LOWER_IS_BETTER)
    notes = ()
    if is_error and sign > 0 and module.startswith("sklearn."):
        brief = f"{name} is lower for a better model"
        text = (
            f"Higher scores are taken as better, but {brief}: the verdict is reversed. "
            f"Use {_scorer_for(function)}."
        )
        notes = (Caveat(ComparisonWarning, text, brief=brief),)
    return Metric(
        name=name,
        scorer=scorer,
        function=function,
        sign=sign,
        kwargs={k: v for k, v in kwargs.items() if k not in arguments},
        responses=responses,
        keywords=keywords,
        arguments=arguments,
        weighted=weighted,
        takes_array=module.startswith(("sklearn.", "skcompare.")),
        recognizable=recognizable,
        notes=notes,
    )


def scoring_at(scoring, y, rows):
    """Return `scoring` for some rows of the data, with arguments at those rows.

    Parameters
    ----------
    scoring : str, callable, list, tuple, dict or None
        One or several scorers.
    y : object
        The truth of all rows.
    rows : ndarray of int
        The positions of the rows that will be scored.

    Returns
    -------
    dict or None
        Scorers by name; None, the models' own `score`, stays None.
    """
    if scoring is None:
        return None
    metrics = resolve_scoring(scoring, y=y)
    return {name: metric.scorer_at(rows) for name, metric in metrics.items()}


def function_name(function):
    """Return the name of a function, or of the class of another callable."""
    if isinstance(function, functools.partial):
        return function_name(function.func)
    return getattr(function, "__name__", type(function).__name__)


def parameters_of(function):
    """Return the parameters of a callable, an empty list if it has no signature."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def arguments_of_rows(keywords, n_rows, n_tested=None):
    """Return the keyword arguments of a scorer that have one entry per row.

    Parameters
    ----------
    keywords : dict
        All keyword arguments.
    n_rows : int
        The number of rows of the data.
    n_tested : int or None, default=None
        The number of tested rows: an argument with this many entries raises an error,
        unless the number equals `n_rows`.

    Returns
    -------
    dict
        The keyword arguments with one entry per row.
    """
    arguments = {}
    for name, value in keywords.items():
        if name in NOT_OF_ROWS:
            continue
        if isinstance(value, Mapping):
            inside = list(arguments_of_rows(value, n_rows))
            if inside:
                raise ValueError(
                    f"The argument `{name}` of a scorer must be an array, a list, a "
                    "Series or a DataFrame if it has one entry per row, so that it can "
                    f"be resampled with the rows. Got a {type(value).__name__} with "
                    f"{n_rows} entries for {inside[0]!r}. Pass a DataFrame, or one "
                    "argument per key."
                )
            continue
        size = number_of_entries(value)
        wrong = size is not None and size == n_tested
        wrong = wrong or (name == "sample_weight" and value is not None)
        if size == n_rows:
            arguments[name] = value
        elif wrong:
            raise ValueError(
                f"The argument `{name}` of a scorer must have one entry per row of the "
                f"data, i.e. {n_rows}. Got {type(value).__name__} with "
                f"{'no' if size is None else size} entries."
            )
    return arguments


def number_of_entries(value):
    """Return the number of entries of an array, list or Series, None for other objects.

    Examples
    --------
    >>> number_of_entries([1, 2]), number_of_entries("macro"), number_of_entries(1.0)
    (2, None, None)
    """
    shape = getattr(value, "shape", None)
    if shape is None and hasattr(value, "__array__"):
        shape = np.shape(value)
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        shape = (len(value),)
    return shape[0] if isinstance(shape, tuple) and shape else None


def resolve_scoring(scoring, *, y, models=(), has_weights=False, params=None):
    """Convert `scoring` to metrics.

    Parameters
    ----------
    scoring : str, callable, list, tuple, set, dict or None
        One or several scorers. None means the models' own `score`, and for predictions
        without models accuracy or R2.
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
    own = {"has_weights": has_weights, "params": params}
    for name, item in named:
        if isinstance(item, str):
            if item not in get_scorer_names():
                words = "be one of sklearn.metrics.get_scorer_names()"
                hint = suggestion(item, get_scorer_names())
                raise ParameterError("scoring", words, repr(item), hint)
            name, item = name or item, get_scorer(item)
        scorer = item.scorer if isinstance(item, Metric) else item
        metrics.append(as_metric(name, scorer, n_rows, **own))
    by_name = {metric.name: metric for metric in metrics}
    if not by_name or len(by_name) < len(metrics):
        raise ValueError(
            "`scoring` must name at least one metric and none twice. Got "
            f"{[metric.name for metric in metrics]}. To rename metrics of the same "
            "name, pass a dict."
        )
    dtype = getattr(y, "dtype", None)
    strange = KINDS_WITHOUT_TYPE.get(getattr(dtype, "kind", None))
    modules = (getattr(metric.function, "__module__", None) for metric in metrics)
    if strange and any((module or "").startswith("sklearn.") for module in modules):
        raise ParameterError(
            "y" if models else "y_true",
            "be labels or numbers",
            str(dtype),
            # scikit-learn's checks of estimators require the first four words.
            f"{strange} data not supported by metrics of scikit-learn: convert them to "
            "numbers or strings, or pass a scorer of your own.",
        )
    return by_name


def _check_scorer(item):
    """Raise an error for objects that are no scorers, such as metric functions."""
    if not callable(item):
        raise ValueError(
            "`scoring` must be a name, a scorer, a callable scorer(estimator, X, y), "
            f"or a list, tuple or dict of those. Got {item!r}."
        )
    names = [p.name for p in parameters_of(item) if p.kind in _POSITIONAL]
    module = getattr(item, "__module__", None) or ""
    of_sklearn = module.startswith("sklearn.metrics.") and inspect.isfunction(item)
    if of_sklearn or len(names) == 2 or names[:1] in (["y_true"], ["labels_true"]):
        arguments = ", ".join(names[:2] or ["y_true", "y_pred"])
        raise ValueError(
            "`scoring` must be a scorer, called as scorer(estimator, X, y). Got the "
            f"metric function {function_name(item)}({arguments}). Pass "
            f"{_scorer_for(item)}."
        )


# Response methods by the name of a metric function's second argument; else predict.
_RESPONSES = {
    "y_score": ("decision_function", "predict_proba"),
    "y_proba": ("predict_proba",),
    "y_prob": ("predict_proba",),
    "pred_decision": ("decision_function",),
}


def _scorer_for(function):
    """Return code that passes a metric function as `scoring`, by name if it has one."""
    scorers = {name: metric_of(get_scorer(name)) for name in get_scorer_names()}
    named = [name for name, parts in scorers.items() if parts[0] is function]
    name, responses = function_name(function), ("predict",)
    sign = -1 if any(word in name.lower() for word in _LOWER_WORDS) else 1
    if named:
        _, sign, _, responses = scorers[named[0]]
    else:
        for argument in parameters_of(function)[:2]:
            responses = _RESPONSES.get(argument.name, responses)
    made = f"sklearn.metrics.{make_scorer_code(function, sign, responses)}"
    if named:
        others = f" (or {', '.join(map(repr, named[1:]))})" if named[1:] else ""
        return f"scoring={named[0]!r}{others}, or to set options {made[:-1]}, ...)"
    if sign < 0 or (getattr(function, "__module__", None) or "").startswith("sklearn."):
        return f"scoring={made}"
    lower = make_scorer_code(function, -1, responses)
    return f"scoring={made} if higher is better, {lower} if lower is"


def make_scorer_code(function, sign, responses, options=()):
    """Return code that makes a scorer of a metric function.

    Parameters
    ----------
    function : callable
        The function.
    sign : int
        1 if greater values of the function are better, -1 otherwise.
    responses : tuple of str
        The response methods that the scorer uses, in order of preference.
    options : dict, default=()
        Code for the keyword arguments of the function, by name.

    Returns
    -------
    str
        The call.

    Examples
    --------
    >>> from sklearn.metrics import brier_score_loss
    >>> make_scorer_code(brier_score_loss, -1, ("predict_proba",))
    "make_scorer(brier_score_loss, greater_is_better=False, \
response_method='predict_proba')"
    """
    arguments = [function_name(function)]
    if sign < 0:
        arguments.append("greater_is_better=False")
    if responses != ("predict",):
        methods = responses if len(responses) > 1 else responses[0]
        arguments.append(f"response_method={methods!r}")
    arguments += [f"{key}={code}" for key, code in dict(options).items()]
    return f"make_scorer({', '.join(arguments)})"


_POSITIONAL = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)


def _default_scorers(models, y):
    """Return the scorer that corresponds to the models' own `score`."""
    scorers = [_own_score(model, y) for model in models] or [_by_target(y)]
    names = [name for name, _ in scorers]
    if len(set(names)) > 1:
        defaults = " and ".join(
            f"{name} for {name_of(model)}"
            for name, model in zip(names, models, strict=True)
        )
        raise ValueError(
            "`scoring` must be passed if the models' own score methods differ. Got "
            f"None, which means {defaults}. Pass `scoring`, such as "
            f"{_by_target(y)[0]!r}."
        )
    return scorers[:1]


def _own_score(model, y):
    """Return the (name, scorer) that corresponds to ``model.score``.

    If that is accuracy or R2 of its predictions, or the scorer of a search, that scorer
    is used directly, so that the model need not be called again for every resample.
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
    name = _SCORES.get(full_name)
    if name is None:
        return score.__qualname__, _score_method
    own = model.scoring if full_name == _WITH_SCORING else None
    if own not in (None, "warn"):  # "warn" is accuracy
        return next(iter(resolve_scoring(own, y=y).items()))
    scorer = get_scorer(name)
    if get_config()["enable_metadata_routing"] and hasattr(model, "set_score_request"):
        # It requests weights if the model requests them for its `score`.
        requests = get_routing_for_object(model).score.requests
        scorer.set_score_request(sample_weight=requests.get("sample_weight"))
    return name, scorer


# A score method that uses the model's own `scoring`, if it is set.
_WITH_SCORING = "sklearn.linear_model._logistic.LogisticRegressionCV.score"

# Metrics of score methods, by their full names: importing all of them would be slow.
_SCORES = {
    "sklearn.base.ClassifierMixin.score": "accuracy",
    "sklearn.base.RegressorMixin.score": "r2",
    "sklearn.dummy.DummyClassifier.score": "accuracy",
    "sklearn.dummy.DummyRegressor.score": "r2",
    "sklearn.neighbors._classification.KNeighborsClassifier.score": "accuracy",
    "sklearn.neighbors._classification.RadiusNeighborsClassifier.score": "accuracy",
    _WITH_SCORING: "accuracy",
}


def _by_target(y):
    y = as_array(y, "y")
    if y.dtype.names:
        raise ValueError(
            "`scoring` must be passed for a structured target with the fields "
            f"{', '.join(y.dtype.names)}. Got None. Pass a scorer that reads them."
        )
    name = "r2" if target_type(y).startswith("continuous") else "accuracy"
    return name, get_scorer(name)


def _score_method(estimator, X, y, **kwargs):
    """Call the model's own score method, whose metric is unknown."""
    return estimator.score(X, y, **kwargs)
