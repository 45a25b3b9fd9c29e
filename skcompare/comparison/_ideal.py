"""Bootstrap results without resampling, for averages over rows."""

import numpy as np

from skcompare.stats import (
    basic_interval,
    bca_interval,
    ideal_sum,
    percentile_interval,
)

__all__ = ["IDEAL_INTERVALS", "ideal_findings"]

IDEAL_INTERVALS = ("percentile", "basic", "bca")


def ideal_findings(question, metric, facts, *, alternative, interval, level):
    """Return what infinitely many resamples would find.

    Parameters
    ----------
    question : Question
        What is asked.
    metric : str
        The name of the metric.
    facts : dict
        What is known of the metric before resampling.
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
    layout, delta = question.layout, facts["delta"]
    a, b = _unit_values(layout, metric)
    sums = [ideal_sum(x, layout.counts, layout.strata) for x in (a, b, a - b)]
    of_a, of_b, of_delta = (ideal.quantiles() for ideal in sums)
    tolerance = question.tolerance(metric, [facts["score_a"], facts["score_b"]])
    tail = sums[2].pvalue(delta, alternative, tolerance=tolerance)
    return {
        "pvalue": tail.pvalue,
        "pvalue_error": tail.error,
        "n_exceeding": None,
        "n_resamples": "ideal",
        "n_undefined": 0,
        "standard_error": _standard_error(a - b, layout),
        "center": delta,
        "distribution": of_delta,
        "confidence_interval": _interval(
            interval, of_delta, delta, level, layout, metric
        ),
        "confidence_level": level,
        "score_a_interval": percentile_interval(of_a, level),
        "score_b_interval": percentile_interval(of_b, level),
    }


def _unit_values(layout, metric):
    """Return what a unit of each cell adds to the two scores."""
    table = getattr(layout, "tables", {}).get(metric)
    if table is None or not table.has_equal_units:
        raise ValueError(
            "`n_resamples` 'ideal' is for averages over rows of equal weight, such as "
            f"accuracy or mean squared error. Got {metric!r}. Give a number instead."
        )
    numerators, denominators = table.average_terms(layout.counts)
    return numerators / denominators


def _standard_error(values, layout):
    """Return the standard deviation of the sum of a resample."""
    variance = 0.0
    for stratum in range(layout.strata.max() + 1):
        cells = layout.strata == stratum
        n, x = layout.counts[cells], values[cells]
        variance += n @ (x - n @ x / n.sum()) ** 2
    return float(np.sqrt(variance))


def _interval(kind, distribution, delta, level, layout, metric):
    if kind == "percentile":
        return percentile_interval(distribution, level)
    if kind == "basic":
        return basic_interval(distribution, delta, level)
    of_cells = layout.tables[metric].left_out_scores(layout.counts)
    scores = of_cells[layout.cell_of_unit]
    return bca_interval(
        distribution,
        delta,
        level,
        jackknife=scores[:, 0] - scores[:, 1],
        strata=layout.units.stratum_of_unit,
        tolerance=1e-9 * float(np.ptp(distribution)),
    )
