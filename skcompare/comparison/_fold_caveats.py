"""What users must be told about their folds."""

import numpy as np

from skcompare._evaluation import trains_on_the_past
from skcompare.comparison._caveats import Caveat
from skcompare.exceptions import (
    DegenerateDataWarning,
    DependentFoldsWarning,
    FailedFitWarning,
)

__all__ = [
    "IN_TIME",
    "failure_caveat",
    "group_caveat",
    "limit_caveat",
    "order_caveat",
    "tears_groups",
    "tie_caveat",
]

IN_TIME = (
    "All training rows precede their test rows, as in a series in time. Scores of "
    "neighbouring folds may be alike for reasons other than the rows that they share, "
    "and training sets that grow change them: the test does not account for that."
)


def failure_caveat(folds, metric):
    """Say on which folds a model has no score."""
    missing = np.isnan(folds.scores[metric])
    if not missing.any():
        return None
    who = " and ".join(
        f"{name} on {', '.join(map(str, np.flatnonzero(gaps)))}"
        for name, gaps in zip(folds.names, missing, strict=True)
        if gaps.any()
    )
    n_left = int(folds.defined(metric).sum())
    return Caveat(
        FailedFitWarning,
        f"No {metric} on some folds, counted from 0: {who}. They are left out for both "
        f"models, and {n_left} of {missing.shape[1]} folds remain. If failures are not "
        "by chance, neither is what remains.",
    )


def order_caveat(folds):
    """Say so if every training set precedes its test set: a series in time."""
    if folds.splits is None or not trains_on_the_past(folds.splits):
        return None
    return Caveat(DependentFoldsWarning, IN_TIME)


def group_caveat(folds):
    """Say so if groups that were given have rows in training and in test sets."""
    if folds.groups is None:
        return None
    leaking = sum(tears_groups(folds.groups, split) for split in folds.splits)
    if not leaking:
        return None
    return Caveat(
        DependentFoldsWarning,
        f"In {leaking} of {len(folds.splits)} splits groups have rows in the training "
        "and in the test set: `cv` does not keep them together. Use GroupKFold, or "
        "another splitter that does.",
    )


def tears_groups(groups, split):
    """Return whether some group has rows in the training and in the test set."""
    train, test = split
    return bool(np.isin(groups[test], groups[train]).any())


def tie_caveat(folds, metric):
    """Say so if the two models score the same on every fold."""
    differences = folds.differences(metric)
    if np.any(differences):
        return None
    return Caveat(
        DegenerateDataWarning,
        f"Both models have the same {metric} on each of the {len(differences)} folds: "
        "the difference is 0, and so is its variance.",
    )


def limit_caveat(statistic, metric):
    """Say so if differences without variance make the statistic infinite."""
    if np.isfinite(statistic):
        return None
    return Caveat(
        DegenerateDataWarning,
        f"Differences in {metric} do not vary from fold to fold: without variance the "
        "statistic is infinite, and the p-value the limit of that.",
    )
