"""What the `cv` of a search tells about its splits, without the data."""

import itertools
import math
import numbers
from functools import partial
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    LeavePOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)

from skcompare._evaluation import trains_on_the_past


class Splits(NamedTuple):
    """What is known of splits.

    Attributes
    ----------
    ratio : float or None
        The number of test rows over that of training rows, averaged over splits; None
        if sizes are not known without the data.
    disjoint : bool
        Whether it is known that no two splits test the same row.
    forward : bool
        Whether it is known that all training sets precede their test sets.
    at_random : bool
        Whether each split draws its test rows anew.
    of_groups : bool
        Whether the ratio is that of groups that are equally large.
    """

    ratio: float | None
    disjoint: bool = False
    forward: bool = False
    at_random: bool = False
    of_groups: bool = False


def k_fold_ratio(n_folds):
    """Return the ratio of plain cross-validation: one fold to all the others."""
    return 1 / (n_folds - 1)


def sizes_ratio(splits):
    """Return the ratio of test to training rows, averaged over splits."""
    return float(np.mean([len(test) / len(train) for train, test in splits]))


# Ratios by `cv` and the number of splits that it gave; None where it does not tell.


def _folds(cv, n_splits):
    return k_fold_ratio(n_splits)


def _repeated_folds(cv, n_splits):
    return k_fold_ratio(n_splits // cv.n_repeats)


def _shuffled(cv, n_splits, test_size=0.1):
    test, train = cv.test_size, cv.train_size
    if test is None and train is None:
        test = test_size
    are_numbers = [isinstance(size, numbers.Integral) for size in (test, train)]
    if any(are_numbers) and not all(are_numbers):
        return None
    test = 1 - train if test is None else test
    return test / (1 - test if train is None else train)


def _series(cv, n_splits):
    if cv.test_size is not None or cv.max_train_size is not None or cv.gap:
        return None
    # Equal stretches, each tested by models of all that precede it.
    return float(np.mean(1 / np.arange(1, n_splits + 1)))


def _leaving_p_out(cv, n_splits):
    # Of so many rows there are so many selections of p.
    n_rows = next(n for n in itertools.count(cv.p) if math.comb(n, cv.p) >= n_splits)
    return cv.p / (n_rows - cv.p)


def _unknown(cv, n_splits):
    return None


# What each kind tells: its ratio, and what is known besides.
KINDS = {
    KFold: (_folds, "disjoint"),
    StratifiedKFold: (_folds, "disjoint"),
    LeaveOneOut: (_folds, "disjoint"),
    GroupKFold: (_folds, "disjoint", "of_groups"),
    StratifiedGroupKFold: (_folds, "disjoint", "of_groups"),
    RepeatedKFold: (_repeated_folds,),
    RepeatedStratifiedKFold: (_repeated_folds,),
    ShuffleSplit: (_shuffled, "at_random"),
    StratifiedShuffleSplit: (_shuffled, "at_random"),
    GroupShuffleSplit: (partial(_shuffled, test_size=0.2), "at_random", "of_groups"),
    TimeSeriesSplit: (_series, "disjoint", "forward"),
    PredefinedSplit: (lambda cv, n: sizes_ratio(cv.split()), "disjoint"),
    LeaveOneGroupOut: (_unknown, "disjoint"),
    LeavePOut: (_leaving_p_out,),
    object: (_unknown,),
}


def splits_of(cv, n_splits):
    """Return what a `cv` tells about its splits.

    Sizes do not depend on how rows are shuffled, nor, but for rounding, on how many
    there are: so neither the data nor a seed is needed. Splits of a series in time have
    1, 2, ... stretches of equal length to train on, unless their sizes or a gap were
    given as numbers of rows. Folds of whole groups, which splitters make as equal as
    they can, are taken as equal; leaving one group out makes no such attempt, and is
    unknown.

    Parameters
    ----------
    cv : int, splitter, iterable or None
        The argument of a search.
    n_splits : int
        The number of splits that it gave.

    Returns
    -------
    Splits
        What is known.

    Examples
    --------
    >>> splits_of(5, 5).ratio, splits_of(5, 5).disjoint
    (0.25, True)
    >>> splits_of(ShuffleSplit(30, test_size=0.2), 30).ratio
    0.25
    """
    if isinstance(cv, list | tuple):
        splits = [[_positions(rows) for rows in split] for split in cv]
        tested = np.concatenate([test for _, test in splits])
        disjoint = len(np.unique(tested)) == len(tested)
        return Splits(sizes_ratio(splits), disjoint, trains_on_the_past(splits))
    kind = KFold if cv is None or isinstance(cv, numbers.Integral) else type(cv)
    ratio, *known = next(KINDS[base] for base in kind.__mro__ if base in KINDS)
    return Splits(ratio(cv, n_splits), **dict.fromkeys(known, True))


def _positions(rows):
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows
