"""What the `cv` of a search tells about its splits, without the data."""

import itertools
import math
import numbers
from functools import partial
from typing import NamedTuple

import numpy as np
from sklearn import model_selection

from skcompare._evaluation import trains_on_the_past
from skcompare.comparison import IN_TIME

SHARED_ROWS = (
    "Splits test the same rows repeatedly. The expected lead rests on normal noise "
    "with the variance of the corrected t; fit(X, y) resamples rows instead."
)
RANDOM_SPLITS = (
    "On random splits the corrected t is less cautious than on folds: in a simulation "
    "some of two to twenty equal candidates were significantly worse than the best in "
    "8 to 15 % of searches at the level 0.05, a given one in 2 to 4 %. By repeated "
    "folds it was 1 to 4 %, and up to 2 %."
)
EQUAL_GROUPS = (
    "Folds of groups are taken as equally large. If they are not, p-values are too "
    "small: give the mean of test rows over training rows as `test_train_ratio`."
)


class Splits(NamedTuple):
    """What is known of splits.

    Attributes
    ----------
    ratio : float or None
        The number of test rows over that of training rows, averaged over splits; None
        if sizes are not known without the data.
    disjoint : bool
        Whether it is known that no two splits test the same row.
    notes : tuple of str
        What to bear in mind about them.
    """

    ratio: float | None
    disjoint: bool
    notes: tuple

    def with_ratio(self, ratio):
        """Return the same splits with a ratio that is not taken from their kind."""
        notes = tuple(note for note in self.notes if note != EQUAL_GROUPS)
        return self._replace(ratio=ratio, notes=notes)


def k_fold_ratio(n_folds):
    """Return the ratio of plain cross-validation: one fold to all the others."""
    return 1 / (n_folds - 1)


def sizes_ratio(splits):
    """Return the ratio of test to training rows, averaged over splits."""
    return float(np.mean([len(test) / len(train) for train, test in splits]))


# Ratios by `cv` and the number of splits that it gave; None where these do not tell.


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


_of_groups = partial(_shuffled, test_size=0.2)


def _series(cv, n_splits):
    if cv.test_size is not None or cv.max_train_size is not None or cv.gap:
        return None
    # Equal stretches, each tested by models of all that precede it.
    return float(np.mean(1 / np.arange(1, n_splits + 1)))


def _leaving_p_out(cv, n_splits):
    # Of so many rows there are so many selections of p.
    n_rows = next(n for n in itertools.count(cv.p) if math.comb(n, cv.p) >= n_splits)
    return cv.p / (n_rows - cv.p)


# What each kind tells: its ratio, if any, whether test sets are disjoint, and notes.
KINDS = {
    model_selection.KFold: (_folds, True),
    model_selection.StratifiedKFold: (_folds, True),
    model_selection.LeaveOneOut: (_folds, True),
    model_selection.GroupKFold: (_folds, True, EQUAL_GROUPS),
    model_selection.StratifiedGroupKFold: (_folds, True, EQUAL_GROUPS),
    model_selection.RepeatedKFold: (_repeated_folds, False),
    model_selection.RepeatedStratifiedKFold: (_repeated_folds, False),
    model_selection.ShuffleSplit: (_shuffled, False, RANDOM_SPLITS),
    model_selection.StratifiedShuffleSplit: (_shuffled, False, RANDOM_SPLITS),
    model_selection.GroupShuffleSplit: (_of_groups, False, RANDOM_SPLITS, EQUAL_GROUPS),
    model_selection.TimeSeriesSplit: (_series, True, IN_TIME),
    model_selection.PredefinedSplit: (lambda cv, n: sizes_ratio(cv.split()), True),
    model_selection.LeaveOneGroupOut: (None, True),
    model_selection.LeavePOut: (_leaving_p_out, False),
    object: (None, False),
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
    >>> splits_of(model_selection.ShuffleSplit(30, test_size=0.2), 30).ratio
    0.25
    """
    if isinstance(cv, list | tuple):
        splits = [[_positions(rows) for rows in split] for split in cv]
        tested = np.concatenate([test for _, test in splits])
        disjoint = len(np.unique(tested)) == len(tested)
        notes = [IN_TIME] if trains_on_the_past(splits) else []
        ratio = sizes_ratio(splits)
    else:
        folds = cv is None or isinstance(cv, numbers.Integral)
        kind = model_selection.KFold if folds else type(cv)
        base = next(base for base in kind.__mro__ if base in KINDS)
        ratio_of, disjoint, *notes = KINDS[base]
        ratio = None if ratio_of is None else ratio_of(cv, n_splits)
    if not disjoint:
        notes = [SHARED_ROWS, *notes]
    return Splits(ratio, disjoint, tuple(notes))


def _positions(rows):
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows
