"""Out-of-fold responses of clones, with the same folds for every model."""

import functools

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import check_cv, cross_val_predict, cross_validate
from sklearn.utils.multiclass import check_classification_targets

from skcompare._engine import Sample, concatenate_rows
from skcompare._evaluation._leakage import frozen_note, split_groups_note
from skcompare._evaluation._responses import as_response
from skcompare._evaluation._source import (
    available_methods,
    make_answers,
    name_of,
    tags_for,
    target_classes,
)
from skcompare._evaluation._weights import fit_parameters
from skcompare._validation import (
    as_array,
    as_labels,
    number_of_rows,
    response_methods_of,
    take_rows,
    wants_weights,
)


class Folds:
    """The data and one set of splits, shared by all models.

    Attributes
    ----------
    indices : ndarray
        The rows that are tested, in order; a row tested twice is there twice.
    fold : ndarray
        The split that tests each of them.
    is_partition : bool
        Whether each row is tested exactly once.
    """

    def __init__(self, X, y, splits, *, sample_weight, n_jobs):
        self.X, self.y, self.splits = X, y, splits
        self.sample_weight, self.n_jobs = sample_weight, n_jobs
        tested = np.concatenate([test for _, test in splits])
        self.order = np.argsort(tested, kind="stable")
        sizes = [len(test) for _, test in splits]
        self.indices = tested[self.order]
        self.fold = np.repeat(np.arange(len(splits)), sizes)[self.order]
        everything = np.arange(number_of_rows(X, "X"))
        self.is_partition = np.array_equal(self.indices, everything)


class OutOfFold:
    """Responses of one model by `cross_val_predict`."""

    model = None  # one per fold: there is no single model to ask for more

    def __init__(self, model, folds):
        self._unfitted, self._folds = model, folds
        self._params = fit_parameters(model, folds.sample_weight)
        self.name = name_of(model)
        self.methods = available_methods(model)
        self.tags = tags_for(model, folds.y)
        self.classes = None
        if self.tags.estimator_type == "classifier":
            check_classification_targets(folds.y)
            self.classes = target_classes(folds.y)

    def respond(self, method):
        """Fit clones fold by fold and ask each about the rows it has not seen."""
        folds = self._folds
        response = cross_val_predict(
            self._unfitted,
            folds.X,
            folds.y,
            cv=folds.splits,
            method=method,
            n_jobs=folds.n_jobs,
            params=self._params,
        )
        if isinstance(response, list):
            return response
        return self._shaped(response, method, self.classes)

    def _shaped(self, response, method, columns):
        """Return a response to rows of any number with a column for each class."""
        return as_response(
            response,
            method,
            y=self._folds.y,
            columns=columns,
            classes=self.classes,
            name=f"out-of-fold {method} of {self.name}",
        )


class FoldModels(OutOfFold):
    """Responses of one model by `cross_validate`, which keeps the fitted clones.

    Fits once per fold however many response methods are asked for, and serves
    splitters that test a row several times or never.
    """

    @functools.cached_property
    def _fitted(self):
        folds = self._folds
        return fit_on_folds(
            self._unfitted,
            folds.X,
            folds.y,
            folds.splits,
            params=self._params,
            n_jobs=folds.n_jobs,
        )

    def respond(self, method):
        """Ask each fold's clone about the rows it has not seen."""
        folds = self._folds
        parts = []
        for model, (_, test) in zip(self._fitted, folds.splits, strict=True):
            response = getattr(model, method)(take_rows(folds.X, test))
            if not isinstance(response, list) or method == "predict":
                seen = getattr(model, "classes_", self.classes)
                response = self._shaped(response, method, seen)
            parts.append(response)
        pooled = concatenate_rows(parts)
        if isinstance(pooled, list):
            return [output[folds.order] for output in pooled]
        return pooled[folds.order]


def fit_on_folds(model, X, y, splits, *, params=None, error_score="raise", n_jobs=None):
    """Fit a clone of a model on every training set.

    Parameters
    ----------
    model : estimator
        The model; it is cloned.
    X, y : object
        The data.
    splits : list of tuple of ndarray
        The positions of training and test rows.
    params : dict or None, default=None
        Passed to `fit`, row by row.
    error_score : nan or "raise", default="raise"
        Whether a fit that fails is a gap or an error.
    n_jobs : int or None, default=None
        The number of folds fitted at a time.

    Returns
    -------
    list of estimator or None
        The fitted clones, None where the fit failed.
    """
    found = cross_validate(
        model,
        X,
        y,
        cv=splits,
        scoring=_no_score,
        n_jobs=n_jobs,
        params=params,
        return_estimator=True,
        error_score=error_score,
    )
    failed = np.isnan(found["test_score"])
    return [
        None if gap else fitted
        for fitted, gap in zip(found["estimator"], failed, strict=True)
    ]


def _no_score(estimator, X, y):
    return 0.0


def evaluate_out_of_fold(
    models, X, y, *, cv, scorers, groups, sample_weight, same_methods, n_jobs
):
    """Ask clones of the models about the rows that they were not fitted on.

    Parameters
    ----------
    models : dict
        Models by parameter name; they are cloned.
    X, y : object
        The data.
    cv : int, splitter, iterable or None
        As in scikit-learn.
    scorers : iterable of callable
        The scorers that will ask.
    groups : object
        Passed on to the splitter.
    sample_weight : ndarray or None
        Weights for the scorers, and for the fits of the models.
    same_methods : bool
        Whether scorers must ask all models for the same responses.
    n_jobs : int or None
        The number of folds fitted at a time.

    Returns
    -------
    Sample
        The tested rows and what the models say about them.
    """
    y_array = as_array(y, "y")
    for parameter, model in models.items():
        _check_labels_are_shared(model, parameter, y_array)
    splits = shared_splits(models, X, y_array, cv=cv, groups=groups)
    folds = Folds(X, y_array, splits, sample_weight=sample_weight, n_jobs=n_jobs)
    by_predict = folds.is_partition and _one_known_method(models.values(), scorers)
    source = OutOfFold if by_predict else FoldModels
    rows, sources = folds.indices, [source(model, folds) for model in models.values()]
    groups = None if groups is None else as_labels(groups, "groups")
    notes = (frozen_note(models), split_groups_note(groups, splits))
    if sample_weight is not None:
        for scorer in scorers:
            wants_weights(scorer)  # fails, if it does, before models are fitted
    X_tested = X if folds.is_partition else take_rows(X, rows)
    return Sample(
        X=X_tested,
        y=y if folds.is_partition else take_rows(y, rows),
        y_array=y_array[rows],
        answers=make_answers(sources, X_tested, same_methods=same_methods),
        sample_weight=None if sample_weight is None else sample_weight[rows],
        fold=folds.fold,
        indices=rows,
        n_given=y_array.shape[0],
        forward=len(splits) > 1 and trains_on_the_past(splits),
        notes=tuple(filter(None, notes)),
        origin=name_of_splits(cv, splits),
        subject="models trained on such folds, by their out-of-fold answers, pooled "
        "and scored as one test set",
    )


def _check_labels_are_shared(model, parameter, y):
    if tags_for(model, y).estimator_type == "clusterer":
        raise ValueError(
            f"`{parameter}` must not be a clusterer with `cv`: the clones of different "
            "folds number their clusters each in its own way, so their labels cannot "
            f"be scored as one test set. Got {name_of(model)}. Fit the clusterers on "
            "other rows and use cv='prefit', or use a test of fold scores, such as "
            "CorrectedTTest, which scores each fold by itself."
        )


def shared_splits(models, X, y, *, cv, groups):
    """Return one list of (train, test) positions for all models.

    Parameters
    ----------
    models : dict
        Models by parameter name. The first says whether this is classification.
    X, y : object
        The data.
    cv : int, splitter, iterable or None
        As in scikit-learn.
    groups : object
        Passed on to the splitter.

    Returns
    -------
    list of tuple of ndarray
        The positions of training and test rows, a pair for each split.
    """
    first = next(iter(models.values()))
    splitter = check_cv(cv, y, classifier=is_classifier(first))
    return _as_positions(splitter.split(X, y, groups))


def trains_on_the_past(splits):
    """Return whether all training rows of each split precede its test rows."""
    return all(np.max(train) < np.min(test) for train, test in splits)


def name_of_splits(cv, splits):
    """Return what to call splits: the splitter, or how many there are."""
    return str(cv) if hasattr(cv, "split") else f"{len(splits)} folds"


def _as_positions(splits):
    """Materialise splits; masks become positions."""
    pairs = [tuple(map(np.asarray, pair)) for pair in splits]
    if not pairs:
        raise ValueError("`cv` must give at least one split. Got none.")
    return [
        tuple(np.flatnonzero(p) if p.dtype == bool else p for p in pair)
        for pair in pairs
    ]


def _one_known_method(models, scorers):
    """Return whether all scorers are known to ask each model for just one response."""
    wanted = [response_methods_of(scorer) for scorer in scorers]
    if None in wanted:
        return False
    asked = [{_first_available(model, names) for names in wanted} for model in models]
    return all(len(methods) == 1 for methods in asked)


def _first_available(model, names):
    return next((name for name in names if hasattr(model, name)), None)
