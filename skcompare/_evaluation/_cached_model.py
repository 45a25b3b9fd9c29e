"""What a model predicts for the rows of a sample, and how a scorer sees it."""

import copy
import functools

from skcompare._engine import concatenate_rows, response_rows

RESPONSE_METHODS = (
    "predict",
    "predict_proba",
    "decision_function",
    "predict_log_proba",
)


class CachedModel:
    """What one model predicts for the rows of a sample.

    The model is asked for each response at most once, for all rows.

    Parameters
    ----------
    name : str
        What the model is called.
    methods : tuple of str
        The response methods that the model has.
    classes : ndarray, list or None
        The classes of the columns of probabilities, None if there are none.
    tags : Tags
        The tags of the model.
    ask : callable
        ``ask(method)`` gives a response for all rows.
    model : object or None, default=None
        The fitted model, where there is a single one behind the responses.
    """

    def __init__(self, name, *, methods, classes, tags, ask, model=None):
        self.name, self.classes, self.tags, self.model = name, classes, tags, model
        self.own_methods = self.methods = methods
        self._ask, self._rows, self._responses = ask, None, {}
        self._hands_over = False

    @property
    def responses(self):
        """The responses that were asked for, by method."""
        return {method: self.response(method) for method in self._responses}

    def response(self, method):
        """Return a response; ask for it if nobody has."""
        if method not in self._responses:
            self._responses[method] = self._ask(method)
        response = self._responses[method]
        return response if self._rows is None else response_rows(response, self._rows)

    def real_model(self, wanted):
        """Return the fitted model, or say that there is no single one."""
        if self.model is None:
            remedy = "Wrap a metric of predictions by sklearn.metrics.make_scorer."
            if wanted == "score":
                remedy = "Pass `scoring`, such as 'accuracy' or 'r2'."
            raise AttributeError(
                f"The scorer asks for {wanted!r}, but there is no single model behind "
                "these responses: only the response methods can be used, and only on "
                f"the X that the scorer was given. {remedy}"
            )
        return self.model

    def offering(self, methods):
        """Return the same, with some of the response methods for scorers."""
        return self._with(methods=methods)

    def handing_over(self):
        """Return the same, with the fitted model itself for scorers."""
        return self._with(_hands_over=True)

    def at(self, rows):
        """Return what the model predicts for some of the rows."""
        return self._with(_rows=rows if self._rows is None else self._rows[rows])

    def pooled_with(self, others):
        """Return predictions for the rows of this model, then those of the others."""
        responses = {
            method: concatenate_rows([m.response(method) for m in (self, *others)])
            for method in self._responses
        }
        return self._with(
            _responses=responses,
            _rows=None,
            _hands_over=False,
            model=None,
            methods=tuple(responses),
        )

    def as_estimator(self, X, rows=None):
        """Return what a scorer gets for a fitted model; `X` are some of the rows."""
        if self._hands_over:
            return self.model
        return EstimatorView(self if rows is None else self.at(rows), X)

    def _with(self, **changes):
        copied = copy.copy(self)
        vars(copied).update(changes)
        return copied


class EstimatorView:
    """A fitted model as scorers see it, which responds from memory.

    It has no public attributes of its own: all others are those of the model.

    Parameters
    ----------
    cached : CachedModel
        What the model predicts.
    X : object
        The rows that it predicts for.
    """

    def __init__(self, cached, X):
        self._cached, self._X = cached, X

    def _respond(self, method, X, **options):
        if X is self._X and not options:
            return self._cached.response(method)
        # A scorer that cuts X up itself asks about rows of its own choosing.
        return getattr(self._cached.real_model(method), method)(X, **options)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        cached = self._cached
        if name in RESPONSE_METHODS:
            if name not in cached.methods:
                raise AttributeError(
                    f"there is no {name} to ask for; scorers get what models predict "
                    "only on the X that the scorer was given",
                    name=name,
                    obj=self,
                )
            respond = functools.partial(self._respond, name)
            respond.__name__ = name  # scikit-learn reads it
            return respond
        if name == "classes_" and cached.classes is not None:
            return cached.classes
        return getattr(cached.real_model(name), name)

    def __getitem__(self, key):
        return self._cached.real_model(f"[{key!r}]")[key]

    def __sklearn_tags__(self):
        return self._cached.tags

    def __sklearn_is_fitted__(self):
        return True
