"""Problems made of models, of predictions, or of scores of rows."""

import dataclasses

import numpy as np
from sklearn.metrics import make_scorer

from skcompare._engine import Folds, Units
from skcompare._engine.additive import AdditiveFunction
from skcompare._evaluation._cross_validation import (
    evaluate_out_of_fold,
    name_of_splits,
    shared_splits,
)
from skcompare._evaluation._fits import fit_parameters_of
from skcompare._evaluation._models import evaluate_fitted
from skcompare._evaluation._notes import (
    label_note,
    notes_on_splits,
    pooling_note,
)
from skcompare._evaluation._predictions import evaluate_predictions
from skcompare._evaluation._problem import Problem, differing, recoded
from skcompare._evaluation._scoring import resolve_scoring
from skcompare._evaluation._statistics import as_statistic, fold_mean_statistic
from skcompare._frames import check_same_order
from skcompare._parameters import RULES
from skcompare._validation import (
    as_array,
    as_labels,
    as_weights,
    check_same_length,
    number_of_rows,
    without_lone_column,
)


def problem_of_models(
    models,
    X,
    y,
    *,
    scoring=None,
    cv="prefit",
    aggregate=None,
    groups=None,
    strata=None,
    sample_weight=None,
    names=None,
    redraws_rows=True,
    params=None,
    error_score="raise",
    n_jobs=None,
    verbose=0,
):
    """Ask models about rows and make a problem of what they predict.

    Parameters
    ----------
    models : dict
        Models by parameter name; with `cv` they are cloned.
    X, y : object
        The data.
    scoring : object
        As in scikit-learn.
    cv : "prefit", int, splitter, iterable or None
        Whether models are fitted already, or how clones of them are cross-validated.
    aggregate : {"auto", "pooled", "fold-mean"} or None, default=None
        With `cv`, whether out-of-fold predictions are scored as one test set, or each
        fold by itself; "auto" does the latter for ranking metrics. None pools them, and
        notes where that is another score.
    groups, strata, sample_weight : array-like or None
        What belongs together, what keeps its size, what counts how much.
    names : sequence of str or None
        What to call the models.
    redraws_rows : bool, default=True
        Whether rows are redrawn; if not, predictions are swapped, so that all models
        must be asked for the same responses.
    params : dict or None, default=None
        With `cv`, further parameters for the fits of the models, as in
        `cross_validate`: those with one entry per row at the training rows; with
        metadata routing on, those that a model or a scorer requests.
    error_score : nan or "raise", default="raise"
        With `cv` and nan, folds on which some fit fails are left out.
    n_jobs : int or None
        The number of fits at a time.
    verbose : int, default=0
        Whether to show progress.

    Returns
    -------
    Problem
        Without a seed.
    """
    weights = as_weights(sample_weight)
    rows = {"groups": groups, "strata": strata, "sample_weight": sample_weight}
    check_rows("X", X, y=y, **rows)
    metrics = resolve_scoring(
        scoring,
        y=y,
        models=list(models.values()),
        has_weights=weights is not None,
        params=params,
    )
    asked = {"sample_weight": weights, "same_methods": not redraws_rows}
    drawn = {"groups": groups, "strata": strata, "redraws_rows": redraws_rows}
    if isinstance(cv, str):
        RULES["cv"].check("cv", cv)
        keywords = [metric.keywords for metric in metrics.values()]
        for name in set(params or {}).difference(*keywords):
            raise TypeError(
                f"fit got an unexpected keyword argument {name!r}. Further parameters "
                "go to the fits of models, of which cv='prefit' makes none."
            )
        sample, notes = evaluate_fitted(models, X, y, **asked), ()
    else:
        splits = shared_splits(models, X, as_array(y, "y"), cv=cv, groups=groups)
        own = {"groups": groups, "sample_weight": weights, "params": params}
        sample = evaluate_out_of_fold(
            models,
            X,
            y,
            splits,
            metrics=list(metrics.values()),
            params=fit_parameters_of(models, metrics, **own),
            error_score=error_score,
            n_jobs=n_jobs,
            verbose=verbose,
            origin=name_of_splits(cv, splits),
            **asked,
        )
        notes = notes_on_splits(models, groups, splits)
    return _problem(sample, metrics, aggregate, names, notes=notes, **drawn)


def problem_of_predictions(
    y_true,
    predictions,
    *,
    scoring=None,
    aggregate=None,
    groups=None,
    strata=None,
    sample_weight=None,
    names=None,
    redraws_rows=True,
    fold=None,
):
    """Make a problem of predictions that are there already.

    Parameters
    ----------
    y_true : array-like
        The truth.
    predictions : dict
        The predictions of each model, by parameter name: arrays, or mappings from
        response method to array.
    scoring, aggregate, groups, strata, sample_weight, names, redraws_rows : object
        As in `problem_of_models`.
    fold : array-like or None, default=None
        The fold that each row was tested in, if predictions are out-of-fold.

    Returns
    -------
    Problem
        Without a seed.
    """
    weights = as_weights(sample_weight)
    rows = {"groups": groups, "strata": strata, "sample_weight": sample_weight}
    check_rows("y_true", y_true, **rows)
    metrics = resolve_scoring(
        scoring, y=as_array(y_true, "y_true"), has_weights=weights is not None
    )
    sample = evaluate_predictions(
        y_true,
        predictions,
        sample_weight=weights,
        same_methods=not redraws_rows,
        fold=fold,
    )
    drawn = {"groups": groups, "strata": strata, "redraws_rows": redraws_rows}
    return _problem(sample, metrics, aggregate, names, **drawn)


def problem_of_row_scores(
    scores_a,
    scores_b,
    *,
    groups=None,
    strata=None,
    names=None,
    redraws_rows=True,
):
    """Make a problem of scores of rows, from wherever they come.

    Parameters
    ----------
    scores_a, scores_b : array-like of shape (n_rows,)
        What each model scores on each row; higher is better. They take the place of
        predictions, and their mean is the metric "score".
    groups, strata, names, redraws_rows : object
        As in `problem_of_models`.

    Returns
    -------
    Problem
        Without a seed.

    Examples
    --------
    >>> problem = problem_of_row_scores([0.5, 1.0, 0.75], [0.25, 1.0, 0.5])
    >>> round(problem.facts("score")["delta"], 4)
    0.1667
    """
    predictions = {}
    for parameter, scores in {"scores_a": scores_a, "scores_b": scores_b}.items():
        array = without_lone_column(as_array(scores, parameter))
        if array.dtype.kind not in "fiub" or array.ndim != 1:
            raise ValueError(
                f"`{parameter}` must be numbers, one for each row. Got an array of "
                f"shape {array.shape} and dtype {array.dtype}."
            )
        predictions[parameter] = {"predict": array.astype(float)}
    check_rows("scores_a", scores_a, scores_b=scores_b)
    return problem_of_predictions(
        np.zeros(number_of_rows(scores_a, "scores_a")),
        predictions,
        scoring={"score": make_scorer(MEAN_SCORE)},
        groups=groups,
        strata=strata,
        names=names,
        redraws_rows=redraws_rows,
    )


def _scores_and_ones(y_true, scores):
    return np.column_stack([scores, np.ones(len(scores))])


def _mean(totals):
    return totals[..., 0] / totals[..., 1]


MEAN_SCORE = AdditiveFunction(_scores_and_ones, _mean, "score", is_mean=True)


def check_rows(name, values, **others):
    """Check that there are two rows or more, one entry for each, in the same order."""
    n_rows = number_of_rows(values, name)
    if n_rows < 2:
        raise ValueError(
            f"`{name}` must have at least 2 rows to compare models on. "
            f"Got n_samples = {n_rows}."
        )
    check_same_length((name, n_rows), **others)
    check_same_order(**{name: values}, **others)


def _problem(
    sample, metrics, aggregate, names, *, groups, strata, redraws_rows, notes=()
):
    """Score the sample and settle what is redrawn.

    Rows that cross-validation tested several times are predictions for the same data
    and are redrawn together, unless `groups` say more.
    """
    groups = None if groups is None else as_labels(groups, "groups")
    strata = None if strata is None else as_labels(strata, "strata")
    rows, n_rows = sample.indices, sample.n_rows
    if rows is not None:
        groups = None if groups is None else groups[rows]
        strata = None if strata is None else strata[rows]
    if groups is not None and redraws_rows:
        # To scorers that score group by group, a group drawn twice is two groups.
        sample = dataclasses.replace(sample, groups=groups)
    if rows is not None and groups is None and len(np.unique(rows)) < n_rows:
        groups = rows
    if sample.fold is None:
        if aggregate == "fold-mean":
            raise ValueError(
                "`aggregate` 'fold-mean' averages over the folds of a "
                "cross-validation. Got predictions without folds "
                f"({sample.origin}). Give `cv` a number of folds or a splitter, or use "
                "aggregate='pooled'."
            )
        statistics = {name: as_statistic(m, sample) for name, m in metrics.items()}
        by_fold, pooled = set(), None
    else:
        units = np.arange(n_rows) if groups is None else groups
        statistics, by_fold = _score_folds(sample, metrics, aggregate, units)
        if by_fold and redraws_rows:
            strata = _within_folds(sample, units, strata)
        others = {name: s for name, s in statistics.items() if name not in by_fold}
        if aggregate == "pooled":  # whoever says so knows, but for a bias
            others = {name: s for name, s in others.items() if s.engine == "ranking"}
        pooled = pooling_note(sample, others)
    predictions = tuple(model.responses for model in sample.models)
    units = Units(n_rows, recoded(groups), recoded(strata))
    if redraws_rows and units.n_units == 1:
        raise ValueError(
            "`groups` must have at least 2 different labels: groups are redrawn as a "
            "whole, and a single one shows no variance. Got 1."
        )
    subject = (
        "these models, as trained on these folds and not as their learning algorithms "
        "would turn out on other training rows, by the mean over folds of their scores"
    )
    all_by_fold = len(by_fold) == len(statistics)
    return Problem(
        names=tuple(names or (model.name for model in sample.models)),
        y=sample.y_array,
        predictions=predictions,
        methods=tuple(model.own_methods for model in sample.models),
        statistics=statistics,
        units=units,
        differs=differing(predictions, n_rows),
        sample_weight=sample.sample_weight,
        origin=f"{sample.origin}, fold-mean" if all_by_fold else sample.origin,
        subject=subject if all_by_fold else sample.subject,
        fold=sample.fold,
        indices=rows,
        n_given=sample.n_given,
        forward=sample.forward,
        folds_are_strata=bool(by_fold) and redraws_rows,
        notes=(*notes, *sample.notes, *filter(None, [pooled, label_note(sample)])),
        models=tuple(range(len(predictions))),
    )


def _score_folds(sample, metrics, aggregate, units):
    """Return the statistics of all metrics, and which of them are means over folds.

    Scores of different models put into one ranking are biased. So ranking metrics are
    averaged over folds where nothing else is asked for, and where folds can be redrawn
    by themselves: units, rows or groups, lie in one fold each.
    """
    if aggregate == "fold-mean":
        of_folds = {n: fold_mean_statistic(m, sample) for n, m in metrics.items()}
        return of_folds, set(of_folds)
    statistics = {name: as_statistic(m, sample) for name, m in metrics.items()}
    rankings = [name for name, s in statistics.items() if s.engine == "ranking"]
    if rankings and len(np.unique(sample.fold)) == sample.n_rows:
        raise ValueError(
            f"`cv` must leave several rows out for ranking metrics ({rankings[0]}): "
            "leave-one-out ranks scores of as many models as rows, which biases it "
            "(without any signal to 0.35 or even 0.00 instead of 0.5). Use stratified "
            "folds, whose fold means are compared (leave-pair-out would need a fit "
            "for every pair of rows), or a metric of labels."
        )
    pairs = np.unique(np.stack([units, sample.fold]), axis=1)
    if aggregate != "auto" or len(np.unique(units)) < pairs.shape[1]:
        return statistics, set()
    by_fold = set(rankings)
    if by_fold and sample.y_array.ndim == 1:
        of_folds = [sample.y_array[rows] for rows in Folds(sample.fold)]
        alike = [y for y in of_folds if len(np.unique(y)) < 2]
        if alike:
            raise ValueError(
                "`aggregate` 'auto' takes the mean over folds of ranking metrics, "
                "which need two classes in every fold. Got "
                f"{len(alike)} folds with one class. Use a stratified splitter, fewer "
                "folds, or aggregate='pooled', which puts scores of different models "
                "into one ranking."
            )
    of_folds = {n: fold_mean_statistic(metrics[n], sample) for n in by_fold}
    return statistics | of_folds, by_fold


def _within_folds(sample, units, strata):
    """Return the folds, divided further by strata, if units nest in them."""
    fold_of_pair, unit_of_pair = np.unique(np.stack([sample.fold, units]), axis=1)
    if len(np.unique(unit_of_pair)) < len(unit_of_pair):
        if len(np.unique(sample.indices)) < sample.n_rows:
            raise ValueError(
                "`aggregate` 'fold-mean' redraws rows within folds, so `cv` must test "
                "each row once. Got rows that are tested several times "
                f"({sample.origin}). For repeated cross-validation use CorrectedTTest, "
                "or aggregate='pooled'."
            )
        raise ValueError(
            "`groups` must nest in folds with aggregate='fold-mean', which redraws "
            "groups within folds. Got groups with rows in several folds "
            f"({sample.origin}). Use a splitter such as GroupKFold, or "
            "aggregate='pooled'."
        )
    if np.bincount(fold_of_pair).max() < 2:
        raise ValueError(
            "`aggregate` 'fold-mean' redraws rows, or groups, within folds, so folds "
            f"must have several of them. Got one in each ({sample.origin}). Use fewer "
            "folds, or aggregate='pooled'."
        )
    return sample.fold if strata is None else sample.fold * (strata.max() + 1) + strata
