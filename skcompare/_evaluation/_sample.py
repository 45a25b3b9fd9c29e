"""Samples: the rows on which models are evaluated, with each model's predictions."""

import dataclasses
import functools
from collections.abc import Callable

import numpy as np
from sklearn.metrics import roc_auc_score

from skcompare._caveats import Caveat
from skcompare._engine import concatenate_rows
from skcompare._format import format_count
from skcompare._validation import N_EXAMPLES, codes_of, response_rows, take_rows
from skcompare.exceptions import ComparisonWarning, LabelMismatchWarning

RESPONSE_METHODS = (
    "predict",
    "predict_proba",
    "decision_function",
    "predict_log_proba",
)

# Dtype kinds of labels: integers, booleans, strings.
LABEL_KINDS = "iubUO"

# Lowest ROC AUC expected of models that learned anything; chance is 0.5.
FAR_BELOW_CHANCE = 0.3

# How far sums of probabilities may be from 1: the square root of the precision of
# 32-bit floats, as in scikit-learn's log loss of these.
SUM_TOLERANCE = float(np.sqrt(np.finfo(np.float32).eps))

# Number of evenly spaced rows in which labels are looked for.
N_PROBED = 2**16


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class CachedModel:
    """Predictions of one model for the rows of a sample.

    Each response is computed at most once, for all rows.

    Parameters
    ----------
    name : str
        The name of the model.
    methods : tuple of str
        The response methods that the model has.
    classes : ndarray, list or None
        The classes of the columns of probabilities, None if there are none.
    tags : Tags
        The tags of the model.
    compute : callable
        ``compute(method)`` returns a response for all rows.
    model : object or None, default=None
        The fitted model, if a single one made the responses.
    withheld : frozenset of str
        The response methods that scorers cannot use.
    responses : dict
        The responses computed so far, by method.
    exposes_model : bool, default=False
        Whether scorers get the fitted model itself.
    parameter : str, default=""
        The parameter by which the predictions were passed, if not made by a model.
    """

    name: str
    methods: tuple
    classes: object
    tags: object
    compute: Callable
    model: object = None
    withheld: frozenset = frozenset()
    responses: dict = dataclasses.field(default_factory=dict)
    exposes_model: bool = False
    parameter: str = ""

    def response(self, method, rows=None):
        """Return a response, for some or all rows; compute it on first use."""
        if method not in self.responses:
            self.responses[method] = self.compute(method)
        response = self.responses[method]
        return response if rows is None else response_rows(response, rows)

    def fitted_model(self, attribute):
        """Return the fitted model; raise an error if there is no single one."""
        if self.model is None:
            remedy = "Wrap a metric of predictions with sklearn.metrics.make_scorer."
            if attribute == "score":
                remedy = "Pass `scoring`, such as 'accuracy' or 'r2'."
            raise AttributeError(
                f"The scorer needs {attribute!r}, but there is no single fitted model "
                "for these responses: only the response methods can be used, and only "
                f"on the X that the scorer was called with. {remedy}"
            )
        return self.model

    def at(self, rows):
        """Return the predictions of the model for some of the rows."""
        compute = functools.partial(self.response, rows=rows)
        return dataclasses.replace(self, compute=compute, responses={})

    def pooled_with(self, others):
        """Return predictions for the rows of this model followed by those of others."""
        responses = {
            method: concatenate_rows([m.response(method) for m in (self, *others)])
            for method in self.responses
        }
        own = {"methods": tuple(responses), "responses": responses}
        return dataclasses.replace(
            self, compute=None, model=None, exposes_model=False, **own
        )

    def as_estimator(self, X, rows):
        """Return the object to pass to a scorer as the model, with the rows `X`."""
        if self.exposes_model:
            return self.model
        return EstimatorView(self, X, rows)


class EstimatorView:
    """Stand-in for a fitted model in scorers, which returns cached responses.

    It has no public attributes of its own: all others are those of the model.

    Parameters
    ----------
    cached : CachedModel
        The predictions of the model.
    X : object
        The rows that they are for.
    rows : ndarray or None, default=None
        Their positions; if passed, each call returns a new array that scorers may
        modify.
    """

    def __init__(self, cached, X, rows=None):
        self._cached, self._X, self._rows = cached, X, rows

    def _respond(self, method, X, **options):
        if X is self._X and not options:
            return self._cached.response(method, self._rows)
        # The scorer passes other rows, such as a part of X that it selected itself.
        return getattr(self._cached.fitted_model(method), method)(X, **options)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        cached = self._cached
        if name in RESPONSE_METHODS:
            if name not in cached.methods or name in cached.withheld:
                raise AttributeError(
                    f"{name} is not available; scorers can get predictions only on the "
                    "X that they are called with",
                    name=name,
                    obj=self,
                )
            respond = functools.partial(self._respond, name)
            respond.__name__ = name  # scikit-learn reads it
            return respond
        if name == "classes_" and cached.classes is not None:
            return cached.classes
        return getattr(cached.fitted_model(name), name)

    def __getitem__(self, key):
        return self._cached.fitted_model(f"[{key!r}]")[key]

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
        The rows as the user passed them; row numbers if there were none.
    y : object
        The truth, in the user's container.
    y_array : ndarray or sparse matrix
        The truth as an array.
    models : tuple of CachedModel
        The predictions of each model for the rows.
    origin : str
        The source of the predictions: "prefit", "predictions" or the splitter.
    sample_weight : ndarray or None
        The weights that scorers get.
    groups : ndarray or None
        Codes of the user's groups, if these are resampled.
    fold : ndarray or None
        With cross-validation, the fold that each row was tested in.
    indices : ndarray or None
        With cross-validation, and for some rows of a sample, the position of each row
        in the data.
    n_given : int or None
        With cross-validation, the number of rows of the data, tested or not.
    forward : bool
        With cross-validation, whether models were always trained on rows that precede
        their test rows.
    notes : tuple of Caveat
        With cross-validation, caveats such as leakage of test rows into training.
    swapped : bool
        Whether predictions will be swapped between models.
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
        """Return some rows of `X`; for predictions, whose X are row numbers, `rows`."""
        return rows if self.origin == "predictions" else take_rows(self.X, rows)

    def at(self, rows):
        """Return some rows as a sample of its own, without folds."""
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
        """Return the sample with some of the models only, by index."""
        return dataclasses.replace(self, models=tuple(self.models[i] for i in models))

    def for_swaps(self):
        """Return a sample that withholds response methods that not all models have.

        Scorers then use the same response of all models, so that it can be swapped.
        """
        common = set.intersection(*(set(model.methods) for model in self.models))
        models = (
            dataclasses.replace(model, withheld=frozenset(model.methods) - common)
            for model in self.models
        )
        return dataclasses.replace(self, models=tuple(models), swapped=True)


def notes_on_labels(sample, metrics, statistics):
    """Return caveats on predicted labels that are not those of the truth.

    Parameters
    ----------
    sample : Sample
        The truth and the models' predictions.
    metrics : dict of Metric
        The metrics.
    statistics : dict of Statistic
        The scores.

    Returns
    -------
    list of Caveat
        Caveats on labels that do not occur in the truth or are spelled differently, on
        macro averages that include other labels for some models, on ROC AUCs of
        string classes that are far below one half for every model, and on
        probabilities of two classes that do not sum to one.
    """
    notes = [_note_on_area(m, sample, statistics) for m in metrics.values()]
    notes += [_note_on_sums(m, sample) for m in metrics.values()]
    spelling = _note_on_spelling(sample)
    if spelling is not None:
        notes.append(spelling)
    else:
        notes += [_note_on_average(m, sample, statistics) for m in metrics.values()]
    return [note for note in notes if note is not None]


def _note_on_area(metric, sample, statistics):
    """Return a caveat if every model has a ROC AUC far below one half."""
    strings = sample.y_array.dtype.kind in "OUST"
    if metric.function is not roc_auc_score or not strings:
        return None
    if max(statistics[metric.name].observed) >= FAR_BELOW_CHANCE:
        return None
    return Caveat(
        ComparisonWarning,
        f"{metric.name} is below {FAR_BELOW_CHANCE} for every model: they rank rows in "
        "the wrong direction. A column of probabilities is assumed to be that of the "
        "second class, in sorted order: these may be of the other.",
        brief=f"{metric.name} is far below one half for every model",
        metric=metric.name,
    )


def _note_on_sums(metric, sample):
    """Return a caveat if a metric gets one of two columns that do not sum to one.

    Scorers select the column of one class, so that the metric cannot warn of this.
    """
    texts = []
    for model in sample.models:
        used = [name for name in metric.responses or () if name in model.responses]
        if metric.function is None or used[:1] != ["predict_proba"]:
            continue
        columns, classes = model.responses["predict_proba"], model.classes
        if isinstance(columns, list) or columns.ndim < 2 or columns.shape[1] != 2:
            continue
        off = np.abs(columns.sum(axis=1) - 1) > SUM_TOLERANCE
        if sample.y_array.ndim == 1 and classes is not None and off.any():
            label = metric.kwargs.get("pos_label")
            label = classes[-1] if label is None else label
            texts.append(f"{model.name} ({format_count(int(off.sum()), 'rows')})")
    if not texts:
        return None
    return Caveat(
        ComparisonWarning,
        f"The probabilities of {' and '.join(texts)} do not sum to one. "
        f"{metric.name} is computed from the column of one class, {label}, alone. "
        "Pass probabilities of both classes that sum to one, or a vector of those of "
        "this class.",
        brief="probabilities do not sum to one",
        metric=metric.name,
    )


def _note_on_spelling(sample):
    """Return a caveat if predicted labels are not those of the truth."""
    y, vectors = sample.y_array, []
    for model in sample.models:
        labels = model.responses.get("predict")
        if model.classes is None or labels is None or labels.ndim != 1:
            continue
        if labels.dtype.kind in LABEL_KINDS:
            vectors.append((model.name, labels))
    if not vectors or y.ndim != 1 or y.dtype.kind not in LABEL_KINDS:
        return None
    rows = np.linspace(0, len(y) - 1, min(len(y), N_PROBED)).astype(np.intp)
    true = codes_of(y[rows])[1]
    seen = [(name, labels, codes_of(labels[rows])[1]) for name, labels in vectors]
    if 2 * len(true) > len(rows):  # texts or counts, unless models predict few labels
        seen = [entry for entry in seen if 2 * len(entry[2]) <= len(rows)]
    if all(set(labels.tolist()) <= set(true.tolist()) for *_, labels in seen):
        return None
    true = np.unique(y)
    texts = list(filter(None, (_mismatch(*entry, true) for entry in seen)))
    if not texts:
        return None
    return Caveat(
        LabelMismatchWarning,
        f"Labels differ from those of the truth: {'; '.join(texts)}. Such predictions "
        "count as wrong on every row. Spell labels the same way in the truth and the "
        "predictions.",
        brief="labels differ from those of the truth",
    )


def _note_on_average(metric, sample, statistics):
    """Return a caveat if a macro average includes other labels for some models."""
    if not statistics[metric.name].averages_predicted:
        return None
    predicted = [model.responses["predict"] for model in sample.models]
    others = [np.setdiff1d(labels, sample.y_array) for labels in predicted]
    common = functools.reduce(np.intersect1d, others)
    own = [np.setdiff1d(labels, common).tolist() for labels in others]
    texts = [
        f"{_examples(labels)} by {model.name}"
        for model, labels in zip(sample.models, own, strict=True)
        if labels
    ]
    if not texts:
        return None
    return Caveat(
        LabelMismatchWarning,
        f"{metric.name} averages over the labels that occur in the truth or in the "
        "model's predictions. Labels predicted that do not occur in the truth: "
        f"{'; '.join(texts)}. Each lowers the average of a model that predicts it even "
        "once. To average over the same labels, pass `labels` to the metric: "
        f"make_scorer({metric.function.__name__}, average='macro', pos_label=None, "
        "labels=...).",
        brief=f"{metric.name} averages over different labels",
        metric=metric.name,
    )


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
    # Truth and predictions may lack some classes of each other, but not nearly all.
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
