"""Nested cross-validation: random folds, and what is left out of training."""

import copy
import dataclasses
import itertools
import numbers

import numpy as np

from skcompare._engine import chunk_generator
from skcompare._evaluation import shared_splits, splitter_for
from skcompare.comparison._folds import folds_of_units
from skcompare.stats.folds import nested_round


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
