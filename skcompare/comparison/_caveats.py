"""Caveats about the data of a test, as pairs of warning class and text."""

import numpy as np

from skcompare._caveats import Caveat
from skcompare.exceptions import (
    DependentFoldsWarning,
    SmallSampleWarning,
    UndefinedScoreWarning,
)
from skcompare.stats.clusters import effective_number

FEWEST_UNITS = 30


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
        return Caveat(SmallSampleWarning, few.format(f"{n_units} {unit}"))
    n_lonely = int(np.count_nonzero(units.stratum_sizes == 1))
    if n_lonely:
        return Caveat(SmallSampleWarning, f"{n_lonely} strata have {lonely}")
    return None


def uneven_caveat(problem, remedy):
    """Say so if units are many and weigh so unevenly that few of them count."""
    n_effective = effective_number(problem.sizes)
    if problem.n_counted < FEWEST_UNITS or n_effective >= FEWEST_UNITS:
        return None
    return Caveat(
        SmallSampleWarning,
        f"{problem.n_counted:,} {problem.unit} of such uneven "
        f"{'weight' if problem.unit == 'rows' else 'size'} are worth "
        f"{n_effective:.3g} even ones (Kish), fewer than {FEWEST_UNITS}: intervals are "
        f"too narrow and p-values too small. {remedy}",
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
