"""A model as scikit-learn's scorers see it, answering from memory."""

import functools

from skcompare._engine._responses import concatenate_rows, response_rows

RESPONSE_METHODS = (
    "predict",
    "predict_proba",
    "decision_function",
    "predict_log_proba",
)


class Answers:
    """What one model says about the rows of a sample.

    Looks like the fitted model to a scorer, but asks it for each response at most
    once, for all rows. `on` gives the same for a selection of rows.

    Parameters
    ----------
    source : object
        Where responses come from: has `methods` (the names it can answer),
        `respond(method)`, `classes`, `tags`, `name`, and `model`, which is None where
        there is no single model behind the responses.
    X : object
        The rows that the responses belong to.
    """

    def __init__(self, source, X, *, methods=None):
        self._source = source
        self._X = X
        self._methods = source.methods if methods is None else methods
        self._rows = None
        self._responses = {}

    @property
    def name(self):
        """The name of the model, for people."""
        return self._source.name

    @property
    def responses(self):
        """The responses asked for so far, by method."""
        if self._rows is None:
            return self._responses
        known = self._responses.items()
        return {method: response_rows(r, self._rows) for method, r in known}

    @property
    def methods(self):
        """The response methods that can be asked for."""
        return self._methods

    @property
    def own_methods(self):
        """The response methods that the model has."""
        return self._source.methods

    @property
    def classes(self):
        """The classes of the columns of probabilities, None if there are none."""
        return self._source.classes

    def on(self, rows, X):
        """Return the same answers for some rows only; `X` holds those rows."""
        view = object.__new__(type(self))
        own = rows if self._rows is None else self._rows[rows]
        view.__dict__.update(self.__dict__, _rows=own, _X=X)
        return view

    def pooled_with(self, others):
        """Return answers to the rows of this model, then to those of the others."""
        everyone = [self, *others]
        pool = Answers(_PooledSource(self._source), None, methods=tuple(self.responses))
        for method in self.responses:
            pool._responses[method] = concatenate_rows(
                [answers.responses[method] for answers in everyone]
            )
        return pool

    def _answer(self, method, X):
        if X is not self._X:
            # A scorer that cuts X up itself asks about rows of its own choosing.
            return getattr(self._real_model(method), method)(X)
        if method not in self._responses:
            self._responses[method] = self._source.respond(method)
        response = self._responses[method]
        return response if self._rows is None else response_rows(response, self._rows)

    def _real_model(self, attribute):
        if self._source.model is None:
            raise AttributeError(
                f"The scorer asks for {attribute!r}, but there is no single model "
                "behind these responses: only the response methods can be used, and "
                "only on the X that the scorer was given."
            )
        return self._source.model

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in RESPONSE_METHODS:
            if name not in self._methods:
                raise AttributeError(
                    f"there is no {name} to ask for; scorers get what models answer "
                    "only on the X that the scorer was given",
                    name=name,
                    obj=self,
                )
            answer = functools.partial(self._answer, name)
            answer.__name__ = name  # scikit-learn reads it
            return answer
        if name == "classes_" and self._source.classes is not None:
            return self._source.classes
        return getattr(self._real_model(name), name)

    def __sklearn_tags__(self):
        return self._source.tags

    def __sklearn_is_fitted__(self):
        return True


class _PooledSource:
    """The source of a pool: everything but responses, which it holds already."""

    model = None

    def __init__(self, source):
        self.classes, self.tags, self.name = source.classes, source.tags, source.name
