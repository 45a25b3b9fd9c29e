"""How many rows a search tested for each that it trained on."""

import itertools
import math
import numbers

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

_PARTITIONS = (KFold, StratifiedKFold, GroupKFold, StratifiedGroupKFold, LeaveOneOut)
_REPEATED = (RepeatedKFold, RepeatedStratifiedKFold)
_SHUFFLED = (ShuffleSplit, StratifiedShuffleSplit, GroupShuffleSplit)


def k_fold_ratio(n_folds):
    """Return the ratio of plain cross-validation: one fold to all the others."""
    return 1 / (n_folds - 1)


def has_disjoint_tests(cv):
    """Return whether it is known that no two splits of this `cv` test the same row."""
    if isinstance(cv, list | tuple):
        tested = np.concatenate([_positions(rows) for _, rows in cv])
        return len(np.unique(tested)) == len(tested)
    others = (LeaveOneGroupOut, PredefinedSplit, TimeSeriesSplit, numbers.Integral)
    return cv is None or isinstance(cv, (*_PARTITIONS, *others))


def runs_forward(cv):
    """Return whether it is known that all training sets precede their test sets."""
    if isinstance(cv, list | tuple):
        return trains_on_the_past([map(_positions, split) for split in cv])
    return isinstance(cv, TimeSeriesSplit)


def splits_at_random(cv):
    """Return whether each split draws its test rows anew."""
    return isinstance(cv, _SHUFFLED)


def keeps_groups(cv):
    """Return whether sizes are those of splits with groups that are equally large."""
    return isinstance(cv, GroupKFold | StratifiedGroupKFold | GroupShuffleSplit)


def implied_ratio(cv, n_splits):
    """Return the ratio of test to training rows that a `cv` implies.

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
    float or None
        The ratio, averaged over splits; None if sizes are not known without the data.

    Examples
    --------
    >>> implied_ratio(5, 5)
    0.25
    >>> implied_ratio(ShuffleSplit(30, test_size=0.2), 30)
    0.25
    """
    if cv is None or isinstance(cv, (numbers.Integral, *_PARTITIONS)):
        return k_fold_ratio(n_splits)
    if isinstance(cv, _REPEATED):
        return k_fold_ratio(n_splits // cv.n_repeats)
    if isinstance(cv, _SHUFFLED):
        return _shuffled_ratio(cv)
    if isinstance(cv, TimeSeriesSplit):
        if cv.test_size is not None or cv.max_train_size is not None or cv.gap:
            return None
        # Equal stretches, each tested by models of all that precede it.
        return float(np.mean(1 / np.arange(1, cv.n_splits + 1)))
    if isinstance(cv, LeavePOut):
        # Of so many rows there are so many selections of p.
        n_rows = next(
            n for n in itertools.count(cv.p) if math.comb(n, cv.p) >= n_splits
        )
        return cv.p / (n_rows - cv.p)
    if isinstance(cv, PredefinedSplit):
        return sizes_ratio(cv.split())
    return sizes_ratio(cv) if isinstance(cv, list | tuple) else None


def sizes_ratio(splits):
    """Return the ratio of test to training rows, averaged over splits."""
    sizes = [[len(_positions(rows)) for rows in pair] for pair in splits]
    return float(np.mean([test / train for train, test in sizes]))


def _positions(rows):
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows


def _shuffled_ratio(cv):
    """Return the ratio of two shares of the rows, or of two numbers of them."""
    test, train = cv.test_size, cv.train_size
    if test is None and train is None:
        test = 0.2 if isinstance(cv, GroupShuffleSplit) else 0.1
    sizes = [size for size in (test, train) if size is not None]
    if len({isinstance(size, numbers.Integral) for size in sizes}) > 1:
        return None
    whole = None if isinstance(sizes[0], numbers.Integral) else 1.0
    if len(sizes) < 2 and whole is None:
        return None
    test = whole - train if test is None else test
    return test / (whole - test if train is None else train)
