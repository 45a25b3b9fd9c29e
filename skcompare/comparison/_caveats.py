"""Caveats about the data and the folds of a test, as warning class and text."""

import numpy as np

from skcompare._caveats import Caveat
from skcompare._evaluation import trains_on_the_past
from skcompare.exceptions import (
    DegenerateDataWarning,
    DependentFoldsWarning,
    FailedFitWarning,
    SmallSampleWarning,
    UndefinedScoreWarning,
)
from skcompare.stats.clusters import effective_number

FEWEST_UNITS = 30

IN_TIME = (
    "All training rows precede their test rows, as in a series in time. Scores of "
    "neighboring folds may be alike for reasons other than the rows that they share, "
    "and training sets that grow change them: the test does not account for that."
)


def small_sample_caveat(problem, few, lonely):
    """Say so if there are too few units, or strata that cannot vary.

    Parameters
    ----------
    problem : Problem
        What is compared.
    few, lonely : str
        What to say of few units, with a place for their number, and of strata of one
        unit, after theirs.
    """
    units, n_units = problem.units, problem.n_counted
    if n_units < FEWEST_UNITS:
        unit = problem.unit
        unit += " of positive weight" * (n_units < len(units))
        count = f"{n_units} {unit}"
        return Caveat(SmallSampleWarning, few.format(count), brief=f"only {count}")
    n_lonely = int(np.count_nonzero(units.stratum_sizes == 1))
    if n_lonely:
        return Caveat(SmallSampleWarning, f"{n_lonely} strata have {lonely}")
    return None


def uneven_caveat(problem, consequence):
    """Say so if units are many and weigh so unevenly that few of them count."""
    n_effective = effective_number(problem.sizes)
    if problem.n_counted < FEWEST_UNITS or n_effective >= FEWEST_UNITS:
        return None
    return Caveat(
        SmallSampleWarning,
        f"{problem.n_counted:,} {problem.unit} of such uneven "
        f"{'weight' if problem.unit == 'rows' else 'size'} are worth "
        f"{n_effective:.3g} even ones (Kish), fewer than {FEWEST_UNITS}: {consequence}",
        brief=f"{problem.unit} are worth {n_effective:.3g} even ones",
    )


def check_can_be_redrawn(units):
    """Check that redrawing units can give anything but the sample itself."""
    if (units.stratum_sizes == 1).all():
        raise ValueError(
            "`strata` must leave something to redraw: at least one of them with 2 rows "
            f"or groups. Got {len(units)} strata, or folds, of one each."
        )


def series_caveat(problem):
    """Say so if models were trained on what came before: a series in time."""
    if not problem.forward:
        return None
    remedy = (
        " Where they are not, give those that belong together as `groups` to a test "
        "that takes them, such as PairedBootstrap."
    )
    return Caveat(
        DependentFoldsWarning,
        "All training rows precede their test rows, as in a series in time: the score "
        "is that of models trained on different pasts. Neighboring rows may be alike, "
        f"and the test takes {problem.unit} as independent."
        f"{remedy if problem.unit == 'rows' else ''}",
    )


def undefined_caveat(fields):
    """Say on how many resamples some metric has no value, given fields of results."""
    counts = {m: own["n_undefined"] for m, own in fields.items() if own["n_undefined"]}
    if not counts:
        return None
    n_resamples = next(iter(fields.values()))["n_resamples"]
    listed = ", ".join(f"{name} on {count:,}" for name, count in counts.items())
    return Caveat(
        UndefinedScoreWarning,
        f"Undefined resamples, of {n_resamples:,}: {listed}. They count as exceeding "
        "in the p-value and are left out of intervals. If resamples lack a class, "
        "strata=y keeps all classes in each, in fixed shares.",
        severity=sum(counts.values()),
    )


def few_units_caveat(n_units, unit):
    """Say so if there are too few units, rows or groups, for a normal approximation."""
    if n_units >= FEWEST_UNITS:
        return None
    return Caveat(
        SmallSampleWarning,
        f"The normal approximation is unreliable on {n_units} {unit}: fewer than "
        f"{FEWEST_UNITS}.",
        brief=f"only {n_units} {unit}",
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
