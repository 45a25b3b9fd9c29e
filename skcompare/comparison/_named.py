"""Several models, or their predictions, with a name for each."""

import reprlib
from collections.abc import Mapping

from skcompare._validation import column_names


def pairs_in(models):
    """Return (name, model) pairs of a dict or a list; None for other objects.

    Examples
    --------
    >>> pairs_in({"lr": 1}), pairs_in([("lr", 1)]), pairs_in([1, 2]), pairs_in(1)
    ([('lr', 1)], [('lr', 1)], None, None)
    """
    if isinstance(models, Mapping):
        return list(models.items())
    listed = isinstance(models, list | tuple)
    if not listed or not all(isinstance(pair, list | tuple) for pair in models):
        return None  # such as a pipeline or a forest, whose items are not pairs
    return list(models) if all(len(pair) == 2 for pair in models) else None


class NamedModels:
    """Mixin for comparisons with a parameter that holds several models by name.

    As in :class:`~sklearn.ensemble.VotingClassifier`, `get_params` and `set_params`
    offer the models by name, and their parameters as ``<name>__<parameter>``.
    """

    # The parameter that holds the models.
    model_parameters = ("estimators",)

    def get_params(self, deep=True):
        """Return the parameters.

        Parameters
        ----------
        deep : bool, default=True
            Whether to return the models, by name, and their parameters as well. A model
            whose name is a parameter of the comparison, or contains two underscores in
            a row, is only returned in its list.

        Returns
        -------
        dict
            Values by name.
        """
        params = super().get_params(deep=deep)
        if not deep:
            return params
        models = {}
        for name, model in self._models_by_name().items():
            models[name] = model
            if hasattr(model, "get_params") and not isinstance(model, type):
                nested = model.get_params()
                models |= {f"{name}__{key}": value for key, value in nested.items()}
        return models | params

    def set_params(self, **params):
        """Set parameters, models by name, and parameters of models.

        Parameters
        ----------
        **params : dict
            Values by name, as `get_params` returns them.

        Returns
        -------
        object
            The comparison itself.
        """
        (parameter,) = self.model_parameters
        if parameter in params:
            setattr(self, parameter, params.pop(parameter))
        named = self._models_by_name()
        replaced = {name: params.pop(name) for name in named if name in params}
        if replaced:
            models = getattr(self, parameter)
            pairs = [(name, replaced.get(name, old)) for name, old in pairs_in(models)]
            setattr(self, parameter, like(models, pairs))
        return super().set_params(**params)

    def _models_by_name(self):
        """Return the models whose names can be parameters."""
        own = super().get_params(deep=False)
        (parameter,) = self.model_parameters
        return {
            name: model
            for name, model in pairs_in(own[parameter]) or ()
            if isinstance(name, str) and "__" not in name and name not in own
        }


def like(models, pairs):
    """Return (name, model) pairs in the container of `models`: a dict or a list."""
    return dict(pairs) if isinstance(models, Mapping) else pairs


def named_models(estimators):
    """Return the models by name, or raise if the list is invalid."""
    pairs = pairs_in(estimators)
    if pairs is None:
        got = reprlib.repr(estimators)
        if isinstance(estimators, list | tuple):
            kinds = (
                repr(item) if isinstance(item, str) else type(item).__name__
                for item in estimators
            )
            got = f"a {type(estimators).__name__} of {', '.join(kinds)}"
        remedy = "Name each model, as in [('lr', model), ...]; for predictions use "
        remedy += "fit_predictions."
        if hasattr(estimators, "compare"):
            remedy = f"Pass a test by keyword: test={got}."
        raise ValueError(
            "`estimators` must be a list of (name, model) pairs, or a dict of models "
            f"by name. Got {got}. {remedy}"
        )
    pairs = [(str(name), model) for name, model in pairs]
    check_names("estimators", [name for name, _ in pairs])
    for name, model in pairs:
        if not hasattr(model, "predict"):
            raise ValueError(
                f"`estimators` must have models with a predict method. Got {model!r} "
                f"for {name!r}."
            )
    return dict(pairs)


def check_names(parameter, names):
    """Raise unless there are at least two names, all different."""
    if len(names) < 2 or len(set(names)) < len(names):
        raise ValueError(
            f"`{parameter}` must have at least two models, with different names. "
            f"Got {len(names)}: {', '.join(map(repr, names))}."
        )


def named_predictions(y_preds):
    """Return the names of models, and their predictions by parameter name."""
    keys = list(y_preds) if isinstance(y_preds, Mapping) else column_names(y_preds)
    if keys is None:
        raise ValueError(
            "`y_preds` must be a dict of predictions by the name of the model, or a "
            f"frame with a named column for each. Got {type(y_preds).__name__}."
        )
    names = tuple(map(str, keys))
    check_names("y_preds", names)
    return names, {f"y_preds[{key!r}]": y_preds[key] for key in keys}
