"""The rows on which models are judged, with what each model predicts for them."""

import dataclasses
import functools
from collections.abc import Callable

import numpy as np
from sklearn.metrics import roc_auc_score

from skcompare._caveats import Caveat
from skcompare._engine import concatenate_rows
from skcompare._validation import N_EXAMPLES, codes_of, response_rows, take_rows
from skcompare.exceptions import ComparisonWarning, LabelMismatchWarning

RESPONSE_METHODS = (
    "predict",
    "predict_proba",
    "decision_function",
    "predict_log_proba",
)

# The dtypes of labels: whole numbers, booleans, texts.
LABEL_KINDS = "iubUO"

# No models that learned anything are so far below the ROC AUC of chance.
FAR_BELOW_CHANCE = 0.3

# So many rows, evenly spread, have all labels that matter.
N_PROBED = 2**16


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
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
    withheld : frozenset of str
        Those of the response methods that scorers cannot ask for.
    responses : dict
        The responses that were asked for, by method.
    hands_over : bool, default=False
        Whether scorers get the fitted model itself.
    """

    name: str
    methods: tuple
    classes: object
    tags: object
    ask: Callable
    model: object = None
    withheld: frozenset = frozenset()
    responses: dict = dataclasses.field(default_factory=dict)
    hands_over: bool = False

    def response(self, method, rows=None):
        """Return a response, to some of the rows; ask for it if nobody has."""
        if method not in self.responses:
            self.responses[method] = self.ask(method)
        response = self.responses[method]
        return response if rows is None else response_rows(response, rows)

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

    def at(self, rows):
        """Return what the model predicts for some of the rows."""
        ask = functools.partial(self.response, rows=rows)
        return dataclasses.replace(self, ask=ask, responses={})

    def pooled_with(self, others):
        """Return predictions for the rows of this model, then those of the others."""
        responses = {
            method: concatenate_rows([m.response(method) for m in (self, *others)])
            for method in self.responses
        }
        own = {"methods": tuple(responses), "responses": responses}
        return dataclasses.replace(self, ask=None, model=None, hands_over=False, **own)

    def as_estimator(self, X, rows):
        """Return what a scorer gets for a fitted model; `X` are some of the rows."""
        if self.hands_over:
            return self.model
        return EstimatorView(self, X, rows)


class EstimatorView:
    """A fitted model as scorers see it, which responds from memory.

    It has no public attributes of its own: all others are those of the model.

    Parameters
    ----------
    cached : CachedModel
        What the model predicts.
    X : object
        The rows that it predicts for.
    rows : ndarray or None, default=None
        Their positions; then each call returns a new array, which scorers may change.
    """

    def __init__(self, cached, X, rows=None):
        self._cached, self._X, self._rows = cached, X, rows

    def _respond(self, method, X, **options):
        if X is self._X and not options:
            return self._cached.response(method, self._rows)
        # A scorer that cuts X up itself asks about rows of its own choosing.
        return getattr(self._cached.real_model(method), method)(X, **options)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        cached = self._cached
        if name in RESPONSE_METHODS:
            if name not in cached.methods or name in cached.withheld:
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


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Sample:
    """Rows, truth and the predictions of every model.

    Parameters
    ----------
    X : object
        The rows as the user gave them; row numbers where there were none.
    y : object
        The truth, in the user's container.
    y_array : ndarray or sparse matrix
        The truth as an array.
    models : tuple of CachedModel
        What each model predicts for the rows.
    origin : str
        Where the predictions come from: "prefit", "predictions" or the splitter.
    sample_weight : ndarray or None
        The weights that scorers get.
    groups : ndarray or None
        Codes of the user's groups, where these are redrawn.
    fold : ndarray or None
        With cross-validation, the fold that each row was tested in.
    indices : ndarray or None
        With cross-validation, and of some rows of a sample, the position of each row
        in the data.
    n_given : int or None
        With cross-validation, the number of rows of the data, tested or not.
    forward : bool
        Whether this is cross-validation by which models were always trained on rows
        before those that they were tested on.
    notes : tuple of Caveat
        With cross-validation, what models may have seen of test rows in training.
    swapped : bool
        Whether predictions are to be swapped between models.
    """

    X: object
    y: object
    y_array: object
    models: tuple
    origin: str
    sample_weight: np.ndarray | None = None
    groups: np.ndarray | None = None
    fold: np.ndarray | None = None
    indices: np.ndarray | None = None
    n_given: int | None = None
    forward: bool = False
    notes: tuple = ()
    swapped: bool = False

    def X_at(self, rows):
        """Return some rows of `X`; of predictions, whose X are row numbers, these."""
        return rows if self.origin == "predictions" else take_rows(self.X, rows)

    def at(self, rows):
        """Return some rows as a sample of their own, which has no folds."""
        weights = self.sample_weight
        return dataclasses.replace(
            self,
            X=self.X_at(rows),
            y=take_rows(self.y, rows),
            y_array=self.y_array[rows],
            models=tuple(model.at(rows) for model in self.models),
            sample_weight=None if weights is None else weights[rows],
            groups=None if self.groups is None else self.groups[rows],
            fold=None,
            indices=rows if self.indices is None else self.indices[rows],
        )

    def of_models(self, models):
        """Return the same rows with predictions of some of the models, by number."""
        return dataclasses.replace(self, models=tuple(self.models[i] for i in models))

    def for_swaps(self):
        """Return a sample whose models withhold the response methods that not all have.

        Then scorers ask all of them for the same, and predictions can be swapped.
        """
        common = set.intersection(*(set(model.methods) for model in self.models))
        models = (
            dataclasses.replace(model, withheld=frozenset(model.methods) - common)
            for model in self.models
        )
        return dataclasses.replace(self, models=tuple(models), swapped=True)


def notes_on_labels(sample, metrics, statistics):
    """Say so if labels are not those of the truth, or scores are of another label.

    Parameters
    ----------
    sample : Sample
        The truth, and what the models predict.
    metrics : dict of Metric
        What they are scored by.
    statistics : dict of Statistic
        Their scores.

    Returns
    -------
    list of Caveat
        On labels that differ from those of the truth or are written otherwise, and on
        each ROC AUC of classes that are words that is far below one half for every
        model.
    """
    y, notes, vectors = sample.y_array, [], []
    for name, metric in metrics.items():
        is_area = metric.function is roc_auc_score and y.dtype.kind in "OUST"
        if is_area and max(statistics[name].observed) < FAR_BELOW_CHANCE:
            text = (
                f"{name} is below {FAR_BELOW_CHANCE} for every model: they rank rows "
                "the wrong way round. A column of probabilities is taken as that of "
                "the second class, in sorted order: these may be of the other."
            )
            brief = f"{name} is far below one half for every model"
            notes.append(Caveat(ComparisonWarning, text, brief=brief))
    for model in sample.models:
        labels = model.responses.get("predict")
        if model.classes is None or labels is None or labels.ndim != 1:
            continue
        if labels.dtype.kind in LABEL_KINDS:
            vectors.append((model.name, labels))
    if not vectors or y.ndim != 1 or y.dtype.kind not in LABEL_KINDS:
        return notes
    rows = np.linspace(0, len(y) - 1, min(len(y), N_PROBED)).astype(np.intp)
    true = codes_of(y[rows])[1]
    seen = [(name, labels, codes_of(labels[rows])[1]) for name, labels in vectors]
    if 2 * len(true) > len(rows):  # texts or counts, unless models predict few labels
        seen = [one for one in seen if 2 * len(one[2]) <= len(rows)]
    if all(set(labels.tolist()) <= set(true.tolist()) for *_, labels in seen):
        return notes
    true = np.unique(y)
    texts = list(filter(None, (_mismatch(*one, true) for one in seen)))
    if not texts:
        return notes
    text = (
        f"Labels differ from those of the truth: {'; '.join(texts)}. Such predictions "
        "count as wrong on every row. Write the labels of truth and models alike."
    )
    brief = "labels differ from those of the truth"
    return [*notes, Caveat(LabelMismatchWarning, text, brief=brief)]


def _mismatch(name, labels, predicted, true):
    """Describe how predicted labels differ from true ones, None if they do not."""
    strange = np.setdiff1d(predicted, true).tolist()
    spellings = {str(label).strip().casefold(): label for label in true.tolist()}
    alike = [
        f"{label!r} for {spellings[key]!r}"
        for label in strange
        if (key := str(label).strip().casefold()) in spellings
    ]
    if alike:
        return f"{name} predicts {', '.join(alike[:N_EXAMPLES])}"
    # Some classes need not occur on the other side, unless hardly any row has others.
    some_occur = 10 * np.isin(labels, true).sum() > len(labels)
    if min(len(true), len(predicted)) < 2 or some_occur:
        return None
    return (
        f"{name} predicts {_examples(strange)} where the truth has "
        f"{_examples(true.tolist())}"
    )


def _examples(labels):
    more = ", ..." if len(labels) > N_EXAMPLES else ""
    return ", ".join(map(repr, labels[:N_EXAMPLES])) + more
