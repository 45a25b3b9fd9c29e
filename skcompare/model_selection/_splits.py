"""Properties of the splits of a search that follow from its `cv` without the data."""

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
    "Splits may test the same rows repeatedly. The expected lead is based on normal "
    "noise with the variance of the corrected t-test; fit(X, y) resamples rows instead."
)
RANDOM_SPLITS = (
    "On random splits the corrected t-test is less conservative than on folds: in a "
    "simulation with 2 to 20 equally good candidates, some were significantly worse "
    "than the best in 8 to 15 % of searches at level 0.05, a particular one in 2 to "
    "4 %. With repeated folds it was 1 to 4 %, and up to 2 %."
)
EQUAL_GROUPS = (
    "Group folds are assumed to be of equal size. If they are not, p-values are too "
    "small: pass the mean ratio of test rows to training rows as `test_train_ratio`."
)


class Splits(NamedTuple):
    """Properties of splits.

    Attributes
    ----------
    ratio : float or None
        The number of test rows divided by that of training rows, averaged over splits;
        None if it depends on the data.
    disjoint : bool
        Whether it is certain that no two splits test the same row.
    notes : tuple of str
        Notes on the splits.
    """

    ratio: float | None
    disjoint: bool
    notes: tuple

    def with_ratio(self, ratio):
        """Return the same splits with a ratio passed by the user."""
        notes = tuple(note for note in self.notes if note != EQUAL_GROUPS)
        return self._replace(ratio=ratio, notes=notes)


def k_fold_ratio(n_folds):
    """Return the ratio of plain cross-validation: one fold to all others."""
    return 1 / (n_folds - 1)


def sizes_ratio(splits):
    """Return the ratio of test to training rows, averaged over splits."""
    return float(np.mean([len(test) / len(train) for train, test in splits]))


# Ratios from `cv` and the number of its splits; None if they depend on the data.


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
    # Segments of equal length, each tested by a model trained on all previous ones.
    return float(np.mean(1 / np.arange(1, n_splits + 1)))


def _leaving_p_out(cv, n_splits):
    # The smallest number of rows from which `n_splits` sets of p rows can be chosen.
    n_rows = next(n for n in itertools.count(cv.p) if math.comb(n, cv.p) >= n_splits)
    return cv.p / (n_rows - cv.p)


# Properties of each splitter: ratio, if any, whether test sets are disjoint, and notes.
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
    """Return the properties of splits that follow from `cv`.

    The ratio does not depend on shuffling nor, except for rounding, on the number of
    rows: neither the data nor a seed is needed. Splits of a time series train on 1, 2,
    ... segments of equal length, unless their sizes or a gap are set in rows. Group
    folds are assumed to be of equal size, which their splitters approximate; the sizes
    for leave-one-group-out are unknown.

    Parameters
    ----------
    cv : int, splitter, iterable or None
        The parameter of a search.
    n_splits : int
        The number of splits.

    Returns
    -------
    Splits
        The properties of the splits.

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
        is_k_fold = cv is None or isinstance(cv, numbers.Integral)
        kind = model_selection.KFold if is_k_fold else type(cv)
        base = next(base for base in kind.__mro__ if base in KINDS)
        ratio_of, disjoint, *notes = KINDS[base]
        ratio = None if ratio_of is None else ratio_of(cv, n_splits)
    if not disjoint:
        notes = [SHARED_ROWS, *notes]
    return Splits(ratio, disjoint, tuple(notes))


def _positions(rows):
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows
