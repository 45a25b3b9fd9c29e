"""What all resamples together would show, where that can be had without drawing any.

Exact p-values of swapped predictions, where a metric adds up, and the ideal bootstrap,
where it is a mean of per-row scores.
"""

import numpy as np

from skcompare.comparison._resampling import Resampled
from skcompare.stats.exact import (
    ExactTail,
    ideal_sum,
    lattice_moves,
    sign_flip_tail,
    tail_of,
)
from skcompare.stats.pvalues import rounding_tolerance

# The most moves of totals, and values to split in halves, if exactness is asked for.
MOST_MOVES = 2**24
MOST_SPLIT = 44
# Where it is not: adding a move costs as much as so many draws for a cell, few moves
# cost nothing, and up to so many values the exact count costs less than resampling.
DRAWS_PER_MOVE = 64
FEW_MOVES = 2**12
CHEAP_SPLIT = 30

# An exact p-value whose error bound is larger than both is none.
LARGEST_ERROR, LARGEST_ERROR_SHARE = 1e-4, 0.1


def exact_swap_pvalue(cells, metric, alternative, *, n_resamples, wanted):
    """Return the exact p-value of a metric, None if it cannot be had.

    Parameters
    ----------
    cells : Cells
        What is swapped.
    metric : str
        The name of the metric.
    alternative : {"greater", "less", "two-sided"}
        What counts as extreme.
    n_resamples : int
        What random labelings would cost: as many.
    wanted : bool
        Whether an exact p-value is wanted at any cost.

    Returns
    -------
    ExactTail or None
        The p-value and its error bound.
    """
    if cells.tables is None:
        return None
    table, counts = cells.tables[metric], cells.counts
    observed, scale = cells.statistics[metric].observed, cells.statistics[metric].scale
    tolerance = rounding_tolerance(observed, scale)
    delta, differences = observed[0] - observed[1], table.differences
    if (
        differences is not None
        and np.array_equal(differences, np.rint(differences))
        and (counts @ np.abs(differences) < 2**53).all()
    ):
        # Sums of differences are integers that doubles can hold: list all moves of the
        # totals with their probabilities, and score them.
        cheap = max(FEW_MOVES, n_resamples * len(counts) // DRAWS_PER_MOVE)
        most = MOST_MOVES if wanted else min(MOST_MOVES, cheap)
        moves, shares = lattice_moves(differences.astype(np.int64), counts, most)
        if moves is None:
            return None
        scores = table.shifted_scores(counts, moves, None)
        deltas = scores[:, 0] - scores[:, 1]
        if np.isnan(deltas).any():
            return None
        return ExactTail(tail_of(deltas, shares, delta, alternative, tolerance), 0.0)
    terms = table.average_terms(counts)
    if terms is None:
        return None
    # Flip the signs of the differences that units make to an average.
    (a, b), denominators = terms
    values = np.repeat((a - b) / denominators, counts)
    values = values[values != 0]
    if not wanted and len(values) > CHEAP_SPLIT:
        return None
    tail = sign_flip_tail(
        values, delta, alternative, tolerance=tolerance, most_split=MOST_SPLIT
    )
    vague = tail.error > max(LARGEST_ERROR, LARGEST_ERROR_SHARE * tail.pvalue)
    return None if vague else tail


def ideal_bootstrap(problem, metric, cells, alternative, *, left_out):
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
    left_out : bool
        Whether scores without each unit are wanted, too.

    Returns
    -------
    sample : Resampled
        Scores and differences at evenly spaced probabilities.
    fields : dict
        Fields of a `ComparisonResult`: the p-value and what it comes from.
    """
    table = None if cells.tables is None else cells.tables[metric]
    if table is None or not table.has_equal_units:
        raise ValueError(
            "`n_resamples` 'ideal' is for means of per-row scores of equal weight, "
            f"such as accuracy or mean squared error. Got {metric!r}. Give a number "
            "instead."
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
    scores = table.left_out_scores(cells.counts) if left_out else None
    sample = Resampled(
        problem=problem,
        metric=metric,
        delta=delta,
        scores=np.column_stack([of_a, of_b]),
        deltas=of_delta,
        defined=np.isfinite(of_delta),
        tolerance=1e-9 * float(np.ptp(of_delta)),
        left_out=scores[cells.cell_of_unit] if left_out else None,
    )
    fields = {
        "pvalue": tail.pvalue,
        "pvalue_error": tail.error,
        "n_exceeding": None,
        "n_resamples": "ideal",
        "n_undefined": 0,
        "standard_error": float(np.sqrt(variance)),
        "center": delta,
        "distribution": of_delta,
    }
    return sample, fields
