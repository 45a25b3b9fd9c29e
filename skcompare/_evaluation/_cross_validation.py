"""Out-of-fold responses of cloned models, with the same folds for every model."""

import dataclasses
import functools

import numpy as np
from sklearn import get_config
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import check_cv
from sklearn.utils.multiclass import check_classification_targets

from skcompare._caveats import Caveat
from skcompare._engine import concatenate_rows
from skcompare._evaluation._fits import fit_on_folds, requested_by
from skcompare._evaluation._models import (
    as_response,
    name_of,
    tags_for,
    target_classes,
    target_type,
)
from skcompare._evaluation._sample import RESPONSE_METHODS, CachedModel, Sample
from skcompare._evaluation._scoring import arguments_of_rows
from skcompare._format import format_count
from skcompare._validation import (
    as_array,
    codes_of,
    number_of_rows,
    response_rows,
    take_rows,
)
from skcompare.exceptions import (
    DegenerateDataWarning,
    DependentFoldsWarning,
    FailedFitWarning,
    LeakageWarning,
)


def _respond(wanted, all_methods, keeps_model, model, X, rows):
    """Return the responses of a fold's model for its test rows.

    Parameters
    ----------
    wanted : list of tuple of str
        The response methods that each scorer uses, in order of preference.
    all_methods : bool
        Whether to compute all of these, not just the first that the model has.
    keeps_model : bool
        Whether to keep the model, because some scorer may need other responses.
    model : estimator
        The fitted model.
    X : object
        The test rows.
    rows : ndarray
        Their positions.
    """
    cached = CachedModel(
        name=name_of(model),
        methods=tuple(name for name in RESPONSE_METHODS if hasattr(model, name)),
        classes=getattr(model, "classes_", None),
        tags=None,
        compute=functools.partial(_call_method, model, X),
    )
    for names in wanted:
        usable = [name for name in names if name in cached.methods]
        for name in usable if all_methods else usable[:1]:
            cached.response(name)
    return cached if keeps_model else dataclasses.replace(cached, compute=None)


def _call_method(model, X, method):
    return getattr(model, method)(X)


def _pooled(folds, order, y, method, *, classes, name):
    """Return a response pooled over the models of all folds, in row order."""
    parts = [
        as_response(
            fold.response(method),
            method,
            y=y,
            columns=classes if fold.classes is None else fold.classes,
            classes=classes,
            name=f"out-of-fold {method} of {name}",
        )
        for fold in folds
    ]
    return response_rows(concatenate_rows(parts), order)


def evaluate_out_of_fold(
    models, X, y, splits, *, metrics, same_methods=False, origin="splits", **fits
):
    """Evaluate clones of the models on the rows that they were not fitted on.

    Parameters
    ----------
    models : dict
        Models by parameter name; they are cloned.
    X, y : object
        The data.
    splits : list of tuple of ndarray
        The positions of training and test rows.
    metrics : iterable of Metric
        The metrics whose scorers will use the responses.
    same_methods : bool, default=False
        Whether scorers will need the same response methods from all models.
    origin : str, default="splits"
        The name of the splits.
    **fits : dict
        `params`, `error_score`, `n_jobs` and `verbose`, as in `fit_on_folds`. Folds on
        which a fit fails are left out.

    Returns
    -------
    Sample
        The tested rows and the models' predictions for them.
    """
    y_array, n_rows = as_array(y, "y"), number_of_rows(X, "X")
    tags = [tags_for(model, y_array) for model in models.values()]
    _check_task(models, tags, y_array)
    n_tested = sum(len(test) for _, test in splits)
    for metric in metrics:
        arguments_of_rows(metric.keywords, n_rows, n_tested)
    wanted = [metric.responses for metric in metrics if metric.responses is not None]
    keeps_model = len(wanted) < len(metrics)
    fitted, errors = fit_on_folds(
        models,
        X,
        y_array,
        splits,
        then=functools.partial(_respond, wanted, same_methods, keeps_model),
        **fits,
    )
    complete = [None not in of_fold for of_fold in zip(*fitted, strict=True)]
    notes = () if all(complete) else (_failed_note(complete, errors[0]),)
    kept = np.flatnonzero(complete)
    tested = np.concatenate([splits[fold][1] for fold in kept])
    fold = np.repeat(kept, [len(splits[fold][1]) for fold in kept])
    order = np.argsort(tested, kind="stable")
    rows, classes, cached = tested[order], target_classes(y_array), []
    for own_tags, of_model in zip(tags, fitted, strict=True):
        folds = [of_model[fold] for fold in kept]
        own = {
            "name": folds[0].name,
            "classes": classes if own_tags.estimator_type == "classifier" else None,
        }
        compute = functools.partial(_pooled, folds, order, y_array, **own)
        cached.append(
            CachedModel(methods=folds[0].methods, tags=own_tags, compute=compute, **own)
        )
    in_order = np.array_equal(rows, np.arange(n_rows))  # each row is tested once
    return Sample(
        X=X if in_order else take_rows(X, rows),
        y=y if in_order else take_rows(y, rows),
        y_array=y_array[rows],
        models=tuple(cached),
        fold=fold[order],
        indices=rows,
        n_given=n_rows,
        forward=len(splits) > 1 and trains_on_the_past(splits),
        notes=notes,
        origin=origin,
    )


def _check_task(models, tags, y):
    """Check the target of classifiers; raise an error for clusterers."""
    for (parameter, model), own in zip(models.items(), tags, strict=True):
        if own.estimator_type == "classifier":
            check_classification_targets(y)
        if own.estimator_type == "clusterer":
            raise ValueError(
                f"`{parameter}` must not be a clusterer with `cv`: the clones of "
                "different folds number their clusters differently, so their labels "
                "cannot be scored as one test set. Got "
                f"{name_of(model)}. Fit the clusterers on other rows and "
                "use cv='prefit', or use a test of fold scores, such as "
                "CorrectedTTest, which scores each fold separately."
            )


def _failed_note(complete, error):
    """Return the caveat that folds are left out because a fit failed."""
    n_failed, n_folds = complete.count(False), len(complete)
    if n_failed == n_folds:
        raise ValueError(
            "There must be a fold on which all models can be fitted. Got none of "
            f"{n_folds}. The first error: {error}"
        )
    return Caveat(
        FailedFitWarning,
        f"The rows of {n_failed} of {n_folds} folds are left out for all models, since "
        "a fit failed there. Where models fail, rows may be hard to predict: the "
        f"scores may be too good. The first error: {error}",
    )


def shared_splits(models, X, y, *, cv, groups, params=None):
    """Return one list of (train, test) positions for all models.

    Parameters
    ----------
    models : dict
        Models by parameter name. The first determines whether this is classification.
    X, y : object
        The data.
    cv : int, splitter, iterable or None
        As in scikit-learn.
    groups : object
        Passed to the splitter.
    params : dict or None, default=None
        Further parameters; with metadata routing on, the splitter gets those that it
        requests.

    Returns
    -------
    list of tuple of ndarray
        The positions of training and test rows, a pair for each split.
    """
    splitter = splitter_for(models, y, cv)
    routes = get_config()["enable_metadata_routing"]
    # Routed parameters may contain groups, under another name.
    routed = requested_by(splitter, "split", params or {}) if routes else {}
    pairs = splitter.split(X, y, routed.pop("groups", groups), **routed)
    try:
        splits = [tuple(map(np.asarray, pair)) for pair in pairs]
    except ValueError as error:
        if groups is None and "'groups' parameter should not be None" in str(error):
            raise ValueError(
                f"`groups` must be passed for cv={splitter!r}, which keeps the rows of "
                "a group together. Got None. Pass fit(X, y, groups=...)."
            ) from error
        raise
    if not splits:
        raise ValueError("`cv` must give at least one split. Got none.")
    return [  # masks become positions
        tuple(np.flatnonzero(p) if p.dtype == bool else p for p in pair)
        for pair in splits
    ]


def splitter_for(models, y, cv):
    """Return the splitter that `cv` means: stratified if the first model classifies."""
    tags = tags_for(next(iter(models.values())), y)
    return check_cv(cv, y, classifier=tags.estimator_type == "classifier")


def trains_on_the_past(splits):
    """Return whether all training rows of each split precede its test rows."""
    return all(np.max(train) < np.min(test) for train, test in splits)


def name_of_splits(cv, splits):
    """Return the name of splits: the splitter, or their number."""
    return str(cv) if hasattr(cv, "split") else format_count(len(splits), "folds")


def frozen_note(models):
    """Return a caveat on models that cross-validation does not refit.

    Parameters
    ----------
    models : dict
        The models that are cross-validated, by name.

    Returns
    -------
    Caveat or None
        None if all of them are fitted on the training folds.
    """
    named = [
        f"`{name}` ({type(part).__name__})"
        for name, model in models.items()
        if (part := _prefit_part(model)) is not None
    ]
    if not named:
        return None
    return Caveat(
        LeakageWarning,
        f"Cross-validation does not refit models that are already fitted: "
        f"{', '.join(named)}. Test folds may contain rows that they were trained on, "
        "and their scores are then too good. Pass models that are not fitted, or "
        "compare fitted models with cv='prefit' on rows that they were not trained on.",
        brief="test folds may contain rows that models were trained on",
    )


def notes_on_splits(models, groups, splits, y):
    """Return caveats on leakage into training sets and on classes that these lack.

    Parameters
    ----------
    models : dict
        The models that are cross-validated, by name.
    groups : ndarray or None
        The code of the group of each row.
    splits : list of tuple of ndarray
        The positions of training and test rows.
    y : ndarray or sparse matrix
        The truth.

    Returns
    -------
    tuple of Caveat
        Caveats on models that are not refitted, on groups with rows on both sides, and
        on classes that occur in test rows only.
    """
    notes = [frozen_note(models)]
    n_torn = sum(groups is not None and groups_overlap(groups, s) for s in splits)
    kinds = {tags_for(model, y).estimator_type for model in models.values()}
    n_lacking = 0
    if "classifier" in kinds and target_type(y) in ("binary", "multiclass"):
        codes = codes_of(y.reshape(-1))[0]
        n_lacking = sum(
            not np.isin(codes[test], codes[train]).all() for train, test in splits
        )
    if n_torn:
        text = (
            f"In {n_torn} of {len(splits)} splits groups have rows in both the "
            "training and the test set: `cv` does not keep them together. Use "
            "GroupKFold, or another splitter that does."
        )
        brief = "groups have rows in training and in test sets"
        notes.append(Caveat(DependentFoldsWarning, text, brief=brief))
    if n_lacking:
        brief = "training rows lack a class"
        text = (
            f"In {n_lacking} of {len(splits)} splits the {brief}: models cannot "
            "predict it there. Use StratifiedKFold, or another splitter that keeps all "
            "classes in training."
        )
        notes.append(Caveat(DegenerateDataWarning, text, brief=brief))
    return tuple(filter(None, notes))


def groups_overlap(groups, split):
    """Return whether some group has rows in both the training and the test set."""
    train, test = split
    return bool(np.isin(groups[test], groups[train]).any())


def _prefit_part(model):
    """Return the part of a model, or the model, that its `fit` does not refit."""
    for part in (model, *_parameters(model).values()):
        params = _parameters(part)
        cv, prefit = params.get("cv"), params.get("prefit")
        is_prefit = prefit is True or (isinstance(cv, str) and cv == "prefit")
        # A comparison without models, such as the test of pairs, has nothing to refit.
        is_prefit = is_prefit and any(hasattr(p, "fit") for p in params.values())
        if is_prefit or isinstance(part, FrozenEstimator):
            return part
    return None


def _parameters(part):
    """Return the nested parameters of an estimator; empty for other objects."""
    is_estimator = hasattr(part, "get_params") and not isinstance(part, type)
    return part.get_params() if is_estimator else {}
