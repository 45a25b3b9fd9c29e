"""Exact p-values of swapped predictions, where a metric adds up."""

import numpy as np

from skcompare.stats.exact import ExactTail, lattice_moves, sign_flip_tail, tail_of

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


def exact_swap_pvalue(cells, metric, alternative, *, tolerance, n_resamples, wanted):
    """Return the exact p-value of a metric, None if it cannot be had.

    Parameters
    ----------
    cells : Cells
        What is swapped.
    metric : str
        The name of the metric.
    alternative : {"greater", "less", "two-sided"}
        What counts as extreme.
    tolerance : float
        How far apart ties may be.
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
    score_a, score_b = cells.statistics[metric].observed
    delta, differences = score_a - score_b, table.differences
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
