"""Bootstrap results without resampling, for averages over rows."""

import numpy as np

from skcompare.stats.exact import ideal_sum
from skcompare.stats.intervals import (
    basic_interval,
    bca_interval,
    percentile_interval,
    symmetric_interval,
)
from skcompare.stats.pvalues import rounding_tolerance

IDEAL_INTERVALS = ("symmetric", "percentile", "basic", "bca")


def ideal_bootstrap(problem, metric, cells, *, alternative, interval, level):
    """Return what infinitely many bootstrap resamples would show.

    Parameters
    ----------
    problem : Problem
        Two models.
    metric : str
        The name of the metric.
    cells : Cells
        What would be resampled.
    alternative : {"greater", "less", "two-sided"}
        What counts as extreme.
    interval : {"symmetric", "percentile", "basic", "bca"}
        The kind of interval.
    level : float
        Its confidence level.

    Returns
    -------
    dict
        Fields of a `ComparisonResult`.
    """
    table = None if cells.tables is None else cells.tables[metric]
    if table is None or not table.has_equal_units:
        raise ValueError(
            "`n_resamples` 'ideal' is for averages over rows of equal weight, such as "
            f"accuracy or mean squared error. Got {metric!r}. Give a number instead."
        )
    numerators, denominators = table.average_terms(cells.counts)
    a, b = numerators / denominators  # what a unit of each cell adds to the two scores
    sums = [ideal_sum(x, cells.counts, cells.strata) for x in (a, b, a - b)]
    of_a, of_b, of_delta = (ideal.quantiles() for ideal in sums)
    variance = 0.0
    for stratum in range(cells.strata.max() + 1):
        within = cells.strata == stratum
        n, x = cells.counts[within], (a - b)[within]
        variance += n @ (x - n @ x / n.sum()) ** 2
    facts, scale = problem.facts(metric), problem.statistics[metric].scale
    delta = facts["delta"]
    tolerance = rounding_tolerance([facts["score_a"], facts["score_b"]], scale)
    tail = sums[2].pvalue(delta, alternative, tolerance=tolerance)
    if interval == "symmetric":
        of_difference = symmetric_interval(of_delta, delta, level)
    elif interval == "percentile":
        of_difference = percentile_interval(of_delta, level)
    elif interval == "basic":
        of_difference = basic_interval(of_delta, delta, level)
    else:
        scores = table.left_out_scores(cells.counts)[cells.cell_of_unit]
        of_difference = bca_interval(
            of_delta,
            delta,
            level,
            jackknife=scores[:, 0] - scores[:, 1],
            strata=cells.units.stratum_of_unit,
            tolerance=1e-9 * float(np.ptp(of_delta)),
        )
    return {
        **facts,
        "pvalue": tail.pvalue,
        "pvalue_error": tail.error,
        "n_exceeding": None,
        "n_resamples": "ideal",
        "n_undefined": 0,
        "standard_error": float(np.sqrt(variance)),
        "center": delta,
        "distribution": of_delta,
        "confidence_interval": of_difference,
        "confidence_level": level,
        "score_a_interval": percentile_interval(of_a, level),
        "score_b_interval": percentile_interval(of_b, level),
    }
