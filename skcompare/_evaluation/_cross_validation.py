"""Out-of-fold responses of clones, with the same folds for every model."""

import functools
import warnings

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import check_cv
from sklearn.utils import indexable
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed

from skcompare._engine import concatenate_rows
from skcompare._evaluation._cached_model import CachedModel
from skcompare._evaluation._leakage import frozen_note, split_groups_note
from skcompare._evaluation._responses import as_response
from skcompare._evaluation._sample import Sample
from skcompare._evaluation._source import (
    available_methods,
    for_swaps,
    name_of,
    tags_for,
    target_classes,
)
from skcompare._evaluation._weights import fit_parameters_of
from skcompare._progress import track
from skcompare._validation import (
    as_array,
    as_labels,
    number_of_rows,
    rows_of_parameters,
    split_data,
    take_rows,
)


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
    """Fit clones of models on every training set, all of them in one pool of workers.

    Parameters
    ----------
    models : dict
        Models by parameter name; they are cloned.
    X, y : object
        The data.
    splits : list of tuple of ndarray
        The positions of training and test rows.
    then : callable
        What to do with each of them: ``then(fitted, X_test, rows)``.
    params : dict of dict or None, default=None
        Passed to `fit` of each model, at the training rows.
    error_score : nan or "raise", default="raise"
        Whether a fit that fails is a gap or an error.
    n_jobs : int or None, default=None
        The number of fits at a time.
    verbose : int, default=0
        Whether to show progress.

    Returns
    -------
    list of list
        For each model what came of its folds, None where the fit failed.
    """
    (X,) = indexable(X)
    total, n_folds = len(models) * len(splits), len(splits)
    jobs = (
        delayed(_fit_fold)(
            clone(model),
            *(X, y, splits, fold),
            params=(params or {}).get(parameter, {}),
            then=then,
            error_score=error_score,
        )
        for parameter, model in models.items()
        for fold in range(n_folds)
    )
    fits = Parallel(n_jobs=n_jobs, return_as="generator")(jobs)
    with track(fits, total=total, label="fits", verbose=verbose) as tracked:
        results, errors = zip(*tracked, strict=True)
    failed = [error for error in errors if error is not None]
    for start in range(0, total, n_folds):
        if all(error is not None for error in errors[start : start + n_folds]):
            raise ValueError(f"No fold could be fitted. {errors[start]}")
    if failed:
        warnings.warn(
            f"{len(failed)} of {total} fits failed. The first: {failed[0]}",
            FitFailedWarning,
            stacklevel=2,
        )
    return [list(results[i : i + n_folds]) for i in range(0, total, n_folds)]


def _fit_fold(model, X, y, splits, fold, *, params, then, error_score):
    """Return what comes of a fold, and what went wrong with its fit, if anything."""
    train, test = splits[fold]
    X_train, y_train = split_data(model, X, y, train)
    X_test, _ = split_data(model, X, y, test, train)
    try:
        model.fit(X_train, y_train, **rows_of_parameters(X, params, train))
    except Exception as error:  # whatever a model raises
        where = f"{name_of(model)} could not be fitted on fold {fold + 1} of "
        where += f"{len(splits)}"
        if error_score != "raise":
            return None, f"{where}: {type(error).__name__}: {error}"
        if len(error.args) == 1 and isinstance(error.args[0], str):
            error.args = (f"{error} ({where})",)
        else:
            error.add_note(where)
        raise
    return then(model, X_test, test), None


def _respond(wanted, every, keeps, model, X, rows):
    """Return what scorers ask a fitted model for, and the model if that is unclear.

    Parameters
    ----------
    wanted : list of tuple of str
        The response methods that each scorer takes, best first.
    every : bool
        Whether to ask for all of these, not the first that the model has.
    keeps : bool
        Whether to return the model.
    model : estimator
        The fitted model.
    X : object
        The rows to respond to.
    rows : ndarray
        Their positions.
    """
    methods = available_methods(model)
    asked = {}
    for names in wanted:
        own = [name for name in names if name in methods]
        for name in own if every else own[:1]:
            if name not in asked:
                asked[name] = getattr(model, name)(X)
    classes = getattr(model, "classes_", None)
    return methods, classes, asked, (model, X) if keeps else None


def _pooled(responded, order, y, classes, name, method):
    """Return a response of the models of all folds, in the order of rows."""
    parts = []
    for _, seen, responses, kept in responded:
        if method in responses:
            part = responses[method]
        else:
            part = getattr(kept[0], method)(kept[1])
        if not isinstance(part, list) or method == "predict":
            part = as_response(
                part,
                method,
                y=y,
                columns=classes if seen is None else seen,
                classes=classes,
                name=f"out-of-fold {method} of {name}",
            )
        parts.append(part)
    pooled = concatenate_rows(parts)
    if isinstance(pooled, list):
        return [output[order] for output in pooled]
    return pooled[order]


def evaluate_out_of_fold(
    models,
    X,
    y,
    *,
    cv,
    metrics,
    groups,
    sample_weight,
    same_methods,
    n_jobs,
    params=None,
    verbose=0,
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
    metrics : iterable of Metric
        The metrics whose scorers will ask.
    groups : object
        Passed on to the splitter.
    sample_weight : ndarray or None
        Weights for the scorers, and for the fits of the models.
    same_methods : bool
        Whether scorers must ask all models for the same responses.
    n_jobs : int or None
        The number of fits at a time.
    params : dict or None, default=None
        Further parameters for the fits of the models.
    verbose : int, default=0
        Whether to show progress.

    Returns
    -------
    Sample
        The tested rows and what the models predict for them.
    """
    y_array = as_array(y, "y")
    tags = {parameter: tags_for(model, y_array) for parameter, model in models.items()}
    for parameter, own in tags.items():
        if own.estimator_type == "classifier":
            check_classification_targets(y_array)
        if own.estimator_type == "clusterer":
            raise ValueError(
                f"`{parameter}` must not be a clusterer with `cv`: the clones of "
                "different folds number their clusters each in its own way, so their "
                "labels cannot be scored as one test set. Got "
                f"{name_of(models[parameter])}. Fit the clusterers on other rows and "
                "use cv='prefit', or use a test of fold scores, such as "
                "CorrectedTTest, which scores each fold by itself."
            )
    splits = shared_splits(models, X, y_array, cv=cv, groups=groups)
    tested = np.concatenate([test for _, test in splits])
    order = np.argsort(tested, kind="stable")
    rows, n_rows = tested[order], number_of_rows(X, "X")
    fold = np.repeat(np.arange(len(splits)), [len(test) for _, test in splits])[order]
    in_order = np.array_equal(rows, np.arange(n_rows))  # each row is tested once
    for metric in metrics:
        metric.check_tested(n_rows, len(rows))
    wanted = [metric.responses for metric in metrics if metric.responses is not None]
    responded = fit_on_folds(
        models,
        X,
        y_array,
        splits,
        then=functools.partial(
            _respond, wanted, same_methods, len(wanted) < len(metrics)
        ),
        params=fit_parameters_of(models, sample_weight, params),
        n_jobs=n_jobs,
        verbose=verbose,
    )
    classes = target_classes(y_array)
    cached = []
    for (parameter, model), by_fold in zip(models.items(), responded, strict=True):
        own = classes if tags[parameter].estimator_type == "classifier" else None
        name = name_of(model)
        cached.append(
            CachedModel(
                name,
                methods=by_fold[0][0],
                classes=own,
                tags=tags[parameter],
                ask=functools.partial(_pooled, by_fold, order, y_array, own, name),
            )
        )
    groups = None if groups is None else as_labels(groups, "groups")
    notes = (frozen_note(models), split_groups_note(groups, splits))
    return Sample(
        X=X if in_order else take_rows(X, rows),
        y=y if in_order else take_rows(y, rows),
        y_array=y_array[rows],
        models=for_swaps(cached) if same_methods else tuple(cached),
        sample_weight=None if sample_weight is None else sample_weight[rows],
        fold=fold,
        indices=rows,
        n_given=n_rows,
        forward=len(splits) > 1 and trains_on_the_past(splits),
        notes=tuple(filter(None, notes)),
        origin=name_of_splits(cv, splits),
        subject="models trained on such folds, by their out-of-fold predictions, "
        "pooled and scored as one test set",
        swapped=same_methods,
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
    splits = [tuple(map(np.asarray, pair)) for pair in splitter.split(X, y, groups)]
    if not splits:
        raise ValueError("`cv` must give at least one split. Got none.")
    return [  # masks become positions
        tuple(np.flatnonzero(p) if p.dtype == bool else p for p in pair)
        for pair in splits
    ]


def trains_on_the_past(splits):
    """Return whether all training rows of each split precede its test rows."""
    return all(np.max(train) < np.min(test) for train, test in splits)


def name_of_splits(cv, splits):
    """Return what to call splits: the splitter, or how many there are."""
    return str(cv) if hasattr(cv, "split") else f"{len(splits)} folds"
