"""What users must be told about their folds."""

import numpy as np

from skcompare._caveats import Caveat
from skcompare._evaluation import trains_on_the_past
from skcompare.exceptions import (
    DegenerateDataWarning,
    DependentFoldsWarning,
    FailedFitWarning,
)

IN_TIME = (
    "All training rows precede their test rows, as in a series in time. Scores of "
    "neighboring folds may be alike for reasons other than the rows that they share, "
    "and training sets that grow change them: the test does not account for that."
)


def fold_caveats(problem, metric):
    """Return what is odd about folds whatever the test, None where there is nothing."""
    return [
        _failure_caveat(problem, metric),
        _order_caveat(problem),
        *problem.notes,
        _tie_caveat(problem, metric),
    ]


def _failure_caveat(problem, metric):
    """Say on which folds a model has no score."""
    missing = np.isnan(problem.scores[metric])
    if not missing.any():
        return None
    who = " and ".join(
        f"{name} on {', '.join(map(str, np.flatnonzero(gaps)))}"
        for name, gaps in zip(problem.names, missing, strict=True)
        if gaps.any()
    )
    n_left = int(problem.defined(metric).sum())
    return Caveat(
        FailedFitWarning,
        f"No {metric} on some folds, counted from 0: {who}. They are left out for both "
        f"models, and {n_left} of {missing.shape[1]} folds remain. If failures are not "
        "by chance, neither is what remains.",
    )


def _order_caveat(problem):
    """Say so if every training set precedes its test set: a series in time."""
    if problem.splits is None or not trains_on_the_past(problem.splits):
        return None
    return Caveat(DependentFoldsWarning, IN_TIME)


def _tie_caveat(problem, metric):
    """Say so if the two models score the same on every fold."""
    differences = problem.differences(metric)
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
        "statistic is infinite, and the p-value a bound: that of all signs being the "
        "same.",
    )
