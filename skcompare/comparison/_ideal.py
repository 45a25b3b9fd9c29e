"""Bootstrap results without resampling, for averages over rows."""

import numpy as np

from skcompare.stats.ideal import ideal_sum
from skcompare.stats.intervals import basic_interval, bca_interval, percentile_interval
from skcompare.stats.pvalues import rounding_tolerance

IDEAL_INTERVALS = ("percentile", "basic", "bca")


def ideal_bootstrap(cells, metric, scale, *, alternative, interval, level):
    """Return what infinitely many bootstrap resamples would show.

    Parameters
    ----------
    cells : Cells
        What would be resampled.
    metric : str
        The name of the metric.
    scale : float
        The size of the numbers that scores are differences of.
    alternative : {"greater", "less", "two-sided"}
        What counts as extreme.
    interval : {"percentile", "basic", "bca"}
        The kind of interval.
    level : float
        Its confidence level.

    Returns
    -------
    dict
        Fields of a `ComparisonResult`.
    """
    scores = cells.statistics[metric].observed
    delta = scores[0] - scores[1]
    a, b = _unit_values(cells, metric)
    sums = [ideal_sum(x, cells.counts, cells.strata) for x in (a, b, a - b)]
    of_a, of_b, of_delta = (ideal.quantiles() for ideal in sums)
    tolerance = rounding_tolerance(scores, scale)
    tail = sums[2].pvalue(delta, alternative, tolerance=tolerance)
    return {
        "pvalue": tail.pvalue,
        "pvalue_error": tail.error,
        "n_exceeding": None,
        "n_resamples": "ideal",
        "n_undefined": 0,
        "standard_error": _standard_error(a - b, cells),
        "center": delta,
        "distribution": of_delta,
        "confidence_interval": _interval(
            interval, of_delta, delta, level, cells, metric
        ),
        "confidence_level": level,
        "score_a_interval": percentile_interval(of_a, level),
        "score_b_interval": percentile_interval(of_b, level),
    }


def _unit_values(cells, metric):
    """Return what a unit of each cell adds to the two scores."""
    table = None if cells.tables is None else cells.tables[metric]
    if table is None or not table.has_equal_units:
        raise ValueError(
            "`n_resamples` 'ideal' is for averages over rows of equal weight, such as "
            f"accuracy or mean squared error. Got {metric!r}. Give a number instead."
        )
    numerators, denominators = table.average_terms(cells.counts)
    return numerators / denominators


def _standard_error(values, cells):
    """Return the standard deviation of the sum of a resample."""
    variance = 0.0
    for stratum in range(cells.strata.max() + 1):
        within = cells.strata == stratum
        n, x = cells.counts[within], values[within]
        variance += n @ (x - n @ x / n.sum()) ** 2
    return float(np.sqrt(variance))


def _interval(kind, distribution, delta, level, cells, metric):
    if kind == "percentile":
        return percentile_interval(distribution, level)
    if kind == "basic":
        return basic_interval(distribution, delta, level)
    of_cells = cells.tables[metric].left_out_scores(cells.counts)
    scores = of_cells[cells.cell_of_unit]
    return bca_interval(
        distribution,
        delta,
        level,
        jackknife=scores[:, 0] - scores[:, 1],
        strata=cells.units.stratum_of_unit,
        tolerance=1e-9 * float(np.ptp(distribution)),
    )
