"""Caveats about the folds of a test."""

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
    """Return what is unusual about folds, whatever the test."""
    caveats, missing = [], np.isnan(problem.scores[metric])
    differences = problem.differences(metric)
    if missing.any():
        who = " and ".join(
            f"{name} on {', '.join(map(str, np.flatnonzero(gaps)))}"
            for name, gaps in zip(problem.names, missing, strict=True)
            if gaps.any()
        )
        text = (
            f"No {metric} on some folds, counted from 0: {who}. They are left out for "
            f"both models, and {len(differences)} of {missing.shape[1]} folds remain. "
            "If failures are not by chance, neither is what remains."
        )
        caveats.append(Caveat(FailedFitWarning, text))
    if problem.splits is not None and trains_on_the_past(problem.splits):
        caveats.append(Caveat(DependentFoldsWarning, IN_TIME))
    caveats += problem.notes
    if not np.any(differences):
        text = (
            f"Both models have the same {metric} on each of the {len(differences)} "
            "folds: the difference is 0, and so is its variance."
        )
        caveats.append(Caveat(DegenerateDataWarning, text))
    return caveats


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
