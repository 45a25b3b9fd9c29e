"""Nested cross-validation: random folds, what is left out of training, and scores."""

import copy
import dataclasses
import itertools
import numbers

import numpy as np
from sklearn.utils import indexable

from skcompare._engine import chunk_generator
from skcompare._evaluation import (
    as_statistic,
    check_rows,
    evaluate_out_of_fold,
    fit_parameters_of,
    frozen_note,
    name_of,
    name_of_splits,
    resolve_scoring,
    shared_splits,
    sign_notes,
    splitter_for,
)
from skcompare._progress import track
from skcompare._validation import as_array, as_labels, model_names
from skcompare.comparison._folds import folds_of_units
from skcompare.comparison._rows import scores_of_rows
from skcompare.stats.folds import nested_round
from skcompare.stats.paired import paired_differences


class NestedFolds:
    """Folds that are left out of training one by one, and in pairs.

    Models without one fold are the outer ones, tested on that fold; models without two
    are the inner ones, tested on both.

    Parameters
    ----------
    fold : ndarray of int of shape (n_rows,)
        The fold of each row: 0, 1, ...
    units : ndarray of int of shape (n_rows,) or None
        Codes of rows that belong together.

    Examples
    --------
    >>> nested = NestedFolds(np.array([0, 1, 2, 0]), None)
    >>> nested.left_out
    [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    >>> train, test = nested.splits()[3]
    >>> train.tolist(), test.tolist()
    ([2], [0, 1, 3])
    """

    def __init__(self, fold, units):
        self.fold, self.units = fold, units
        self.n_folds = int(fold.max()) + 1
        self.n_units = len(fold) if units is None else int(units.max()) + 1
        self.left_out = [
            folds
            for n_left_out in (1, 2)
            for folds in itertools.combinations(range(self.n_folds), n_left_out)
        ]

    def splits(self):
        """Return the positions of training and test rows of all models."""
        tested = [np.isin(self.fold, folds) for folds in self.left_out]
        return [(np.flatnonzero(~test), np.flatnonzero(test)) for test in tested]

    def summarize(self, scores, sample, tolerances):
        """Return the `NestedRound` of out-of-fold scores.

        Parameters
        ----------
        scores : ndarray
            A score for each row of the sample.
        sample : Sample
            Whose `fold` is the number of the split, and `indices` the row.
        tolerances : ndarray
            How far each score may be off by rounding.

        Returns
        -------
        NestedRound
            Means, mean squared error and variance.
        """
        outer = sample.fold < self.n_folds
        # Of the two folds that an inner model has not seen, the one not tested here.
        both = np.array([sum(folds) for folds in self.left_out])
        other = both[sample.fold] - self.fold[sample.indices]
        return nested_round(
            scores[outer],
            self.fold,
            scores[~outer],
            other[~outer],
            unit=self.units,
            tolerance=tolerances[outer],
        )


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class NestedProblem:
    """One or two models and their scores in nested cross-validation.

    Parameters
    ----------
    names : tuple of str
        What the models are called.
    rounds : dict of list
        For each metric and repeat the `NestedRound` of the difference, of A and of B;
        of a single model just its own.
    n_folds, n_rows, n_units : int
        The number of folds, of rows, and of what is independent.
    unit : str
        What is independent, in a word: "rows" or "groups".
    origin : str
        Where the splits come from.
    seed : int
        The seed of the splits.
    notes : tuple of Caveat
        What models may have seen of test rows in training.
    """

    names: tuple
    rounds: dict
    n_folds: int
    n_rows: int
    n_units: int
    unit: str
    origin: str
    seed: int
    notes: tuple = ()


def nested_problem(
    models,
    X,
    y,
    *,
    test,
    scoring=None,
    cv=None,
    n_repeats=1,
    groups=None,
    names=None,
    params=None,
    seed=0,
    n_jobs=None,
    verbose=0,
):
    """Score models in nested cross-validation, several times.

    Parameters
    ----------
    models : dict
        One or two models by parameter name; they are cloned.
    X, y : object
        The data.
    test : str
        What to call the test in messages.
    scoring : object
        As in scikit-learn, means of per-row scores.
    cv : int, splitter or None
        The number of folds, or what makes them.
    n_repeats : int, default=1
        How many times to split.
    groups : array-like or None
        What belongs together; passed on to the splitter.
    names : pair of str or None
        What to call the models.
    params : dict or None, default=None
        Further parameters for the fits of the models.
    seed : int, default=0
        The seed of all splits.
    n_jobs, verbose : int
        The number of fits at a time, and whether to show progress.

    Returns
    -------
    NestedProblem
        What each repeat shows.
    """
    check_rows("X", X, y=y, groups=groups)
    (X,) = indexable(X)
    scorers = resolve_scoring(scoring, y=y, models=list(models.values()), params=params)
    params = fit_parameters_of(models, scorers, groups=groups, params=params)
    repeats = draw_folds(
        models,
        X,
        as_array(y, "y"),
        cv=cv,
        n_repeats=n_repeats,
        groups=groups,
        units=None if groups is None else as_labels(groups, "groups"),
        seed=seed,
    )
    rounds = (
        fit_round(nested, models, X, y, scorers, test, params, n_jobs)
        for nested in repeats
    )
    settings = {"total": n_repeats, "label": "repeats", "verbose": verbose}
    with track(rounds, **settings) as tracked:
        rounds = list(tracked)
    first = repeats[0]
    return NestedProblem(
        names=model_names(names, [name_of(model) for model in models.values()]),
        rounds={metric: [each[metric] for each in rounds] for metric in scorers},
        n_folds=first.n_folds,
        n_rows=len(first.fold),
        n_units=first.n_units,
        unit="rows" if groups is None else "groups",
        origin=name_of_splits(cv, range(first.n_folds)),
        seed=seed,
        notes=(*sign_notes(scorers.values()), *filter(None, [frozen_note(models)])),
    )


def fit_round(nested, models, X, y, scorers, test, params, n_jobs):
    """Return for each metric the `NestedRound` of the difference, of A and of B.

    Of a single model there is just its own.
    """
    sample = evaluate_out_of_fold(
        models,
        X,
        y,
        nested.splits(),
        metrics=list(scorers.values()),
        params=params,
        n_jobs=n_jobs,
    )
    by_metric = {}
    for metric, resolved in scorers.items():
        scores = scores_of_rows(as_statistic(resolved, sample), metric, test)
        tolerances = np.zeros(len(scores[0]))
        if len(scores) == 2:
            differences, tolerances = paired_differences(*scores)
            scores = (differences, *scores)
        by_metric[metric] = [nested.summarize(s, sample, tolerances) for s in scores]
    return by_metric


def draw_folds(models, X, y, *, cv, n_repeats, groups, units, seed):
    """Split the rows into folds, at random and several times.

    Parameters
    ----------
    models : dict
        Models by parameter name. The first says whether folds are stratified.
    X : object
        The data.
    y : ndarray
        The truth.
    cv : int, splitter or None
        The number of folds, or what makes them.
    n_repeats : int
        How many times to split.
    groups : object
        Passed on to the splitter.
    units : ndarray of int of shape (n_rows,) or None
        The codes of groups.
    seed : int
        The seed of all splits.

    Returns
    -------
    list of NestedFolds
        The folds of each repeat.
    """
    is_number = cv is None or isinstance(cv, numbers.Integral)
    shuffles = is_number or getattr(cv, "shuffle", False)
    if isinstance(cv, str) or not (shuffles or n_repeats == 1):
        raise ValueError(
            "`cv` must be a number of folds or a splitter that shuffles, such as "
            f"KFold(10, shuffle=True), so that repeats differ. Got {cv!r}. Splits that "
            "are always the same need n_repeats=1."
        )
    splitter, drawn = splitter_for(models, y, cv), []
    for repeat in range(n_repeats):
        if shuffles:
            splitter = copy.copy(splitter)
            splitter.shuffle = True
            splitter.random_state = int(chunk_generator(seed, repeat).integers(2**32))
        splits = shared_splits(models, X, y, cv=splitter, groups=groups)
        fold = _fold_of_rows(splits, len(y))
        _check_sizes(np.bincount(folds_of_units(fold, units)))
        drawn.append(NestedFolds(fold, units))
    return drawn


def _fold_of_rows(splits, n_rows):
    """Return the fold that tests each row, or say that it is not just one."""
    tested = np.concatenate([test for _, test in splits])
    if not np.array_equal(np.sort(tested), np.arange(n_rows)):
        raise ValueError(
            "`cv` must test every row exactly once, for folds change roles in nested "
            f"cross-validation. Got {len(tested)} tests of {len(np.unique(tested))} of "
            f"{n_rows} rows. Use KFold or another splitter whose test sets make up the "
            "data; CorrectedTTest takes any."
        )
    fold = np.empty(n_rows, dtype=int)
    fold[tested] = np.repeat(np.arange(len(splits)), [len(test) for _, test in splits])
    return fold


def _check_sizes(sizes):
    if len(sizes) < 3 or min(sizes) < 2:
        raise ValueError(
            "`cv` must give at least 3 folds, each with at least 2 rows (or groups), "
            "since two folds at a time are left out and variances taken within. Got "
            f"{len(sizes)} folds, the smallest with {min(sizes)}."
        )
