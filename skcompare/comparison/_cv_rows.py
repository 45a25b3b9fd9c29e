"""What tests on out-of-fold scores of rows share."""

import numpy as np

from skcompare._caveats import Caveat
from skcompare.comparison._caveats import FEWEST_UNITS
from skcompare.exceptions import SmallSampleWarning


def folds_of_units(fold, groups):
    """Return the fold of each group, or say which group is in several.

    Parameters
    ----------
    fold : ndarray of int of shape (n_rows,)
        The fold of each row.
    groups : ndarray of int of shape (n_rows,) or None
        The code of each row's group. None makes every row a group of its own.

    Returns
    -------
    ndarray of int of shape (n_groups,)
        The fold of each group.

    Examples
    --------
    >>> folds_of_units(np.array([0, 0, 1]), np.array([1, 1, 0])).tolist()
    [1, 0]
    """
    if groups is None:
        return fold
    fold_of_group = np.empty(groups.max() + 1, dtype=int)
    fold_of_group[groups] = fold
    torn = np.flatnonzero(fold_of_group[groups] != fold)
    if len(torn):
        raise ValueError(
            "`groups` must lie in one fold each, for rows that a model is tested on "
            "must not be like those that it was trained on. Got a group with rows in "
            f"several: that of row {torn[0]}. Use GroupKFold, or another splitter "
            "that keeps groups together."
        )
    return fold_of_group


def few_units_caveat(n_units, unit):
    """Say so if there are too few units, rows or groups, for a normal approximation."""
    if n_units >= FEWEST_UNITS:
        return None
    return Caveat(
        SmallSampleWarning,
        f"The normal approximation is unreliable on {n_units} {unit}: fewer than "
        f"{FEWEST_UNITS}.",
    )


def positive_pvalue(estimate, alternative):
    """Return the p-value of an estimate; where it underflows, the smallest float."""
    return max(estimate.pvalue(alternative), float(np.finfo(float).tiny))
