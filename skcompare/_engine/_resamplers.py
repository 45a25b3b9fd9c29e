"""Resamplers: a scheme that draws from cells, and a function that scores the draws.

Each kind of resampling is a function from cells to a `Resampler`. To add one, add a
function here and a scheme class. Scores have the shape (n_resamples, n_metrics,
n_models). The scoring function is a partial of a module-level function, so that only
the data it requires are pickled for workers.
"""

import functools
from typing import NamedTuple

import numpy as np

from skcompare._engine import _cell_schemes as cell_schemes
from skcompare._engine import _draw as replays
from skcompare._engine import _row_schemes as row_schemes

# Efron and Tibshirani (1993, section 6.4): 25 to 50 are enough for a standard error.
N_INNER = 50

# Number of units per batch that are swapped one at a time to see if the score changes.
SWAPS_PER_BATCH = 128


class Resampler(NamedTuple):
    """A scheme, a function that scores a block of its draws, and the kind of workers.

    ``replay(blocks, number)`` returns the rows or weights of a draw of a chunk, after
    the name of the method of `Statistic` that scores them. It is None if blocks already
    contain rows.
    """

    scheme: object
    score: object
    prefer: str = "threads"
    replay: object = None


def bootstrap(cells):
    """Return a resampler that draws units with replacement."""
    if cells.tables is None:
        return _by_rows(row_schemes.Bootstrap(cells.units), "on_rows", cells)
    if cells.strata.any():
        scheme = cell_schemes.StratifiedCellBootstrap(cells.counts, cells.strata)
    else:
        scheme = cell_schemes.CellBootstrap(cells.counts)
    replay = functools.partial(replays.rows_of_counts, cells)
    return _by_counts(scheme, "scores", cells, replay=replay)


def bootstrap_with_errors(cells):
    """Return a bootstrap resampler that adds standard errors of the difference.

    The standard errors of the difference of two models follow the scores on the last
    axis. They are computed by the delta method if all metrics are additive, otherwise
    by resampling each resample.
    """
    plain = bootstrap(cells)
    if cells.add_up:
        return _with_errors(plain, "standard_errors", cells)
    score = functools.partial(_score_nested, plain.score)
    if cells.tables is None:
        scheme = row_schemes.NestedBootstrap(cells.units, N_INNER)
        return plain._replace(scheme=scheme, score=score)
    scheme = cell_schemes.NestedCellBootstrap(plain.scheme, N_INNER)
    replay = functools.partial(_replay_nested, plain.replay)
    return plain._replace(scheme=scheme, score=score, replay=replay)


def _replay_nested(replay, blocks, number):
    """Replay a resample, which precedes its inner resamples."""
    return replay((counts[:1] for (counts,) in blocks), number)


def swaps(cells, units, *, errors=False):
    """Return a resampler that swaps predictions for units with probability 1/2 each.

    With `errors`, standard errors of the difference of the two models follow the scores
    on the last axis: by the delta method if a metric is additive, otherwise nan.
    """
    if cells.tables is None:
        return _by_rows(
            row_schemes.RandomSwaps(cells.units, units), "on_reassigned", cells
        )
    swapped = np.unique(cells.cell_of_unit[units])
    single = len(swapped) and cells.counts[swapped].max() == 1
    if cells.add_up and single and not errors:
        first = next(iter(cells.tables.values()))
        scheme = cell_schemes.PackedSwaps(first.n_packed_bits(swapped))
        method, args = "packed_swapped_scores", (cells.counts, swapped)
        replay = functools.partial(replays.authors_of_bits, cells, swapped)
        return _by_counts(scheme, method, cells, *args, replay=replay)
    return _by_swaps(cell_schemes.CellSwaps(cells.counts, swapped), cells, errors)


def all_swaps(cells, units, *, errors=False):
    """Return a resampler that enumerates all labelings of some units.

    The scheme has the number of labelings as an attribute, and a method that appends
    the complementary half. `errors` is as in `swaps`.
    """
    if cells.tables is None:
        return _by_rows(
            row_schemes.AllSwaps(cells.units, units), "on_reassigned", cells
        )
    scheme = cell_schemes.AllCellSwaps(cells.counts, cells.cell_of_unit[units])
    return _by_swaps(scheme, cells, errors)


def random_weights(cells):
    """Return a resampler of random weights; statistics must support weights."""
    if cells.tables is None:
        return _by_rows(row_schemes.RowWeights(cells.units), "on_weights", cells)
    scheme = cell_schemes.CellWeights(cells.counts, cells.strata)
    replay = functools.partial(replays.spread_weights, cells)
    return _by_counts(scheme, "scores", cells, replay=replay, as_weights=True)


def left_out_scores(cells, draw):
    """Score the sample with each unit left out.

    ``draw(resampler, n)`` evaluates the resampler if metrics must be called on rows.

    Returns
    -------
    ndarray of shape (n_units, n_metrics, n_models)
        The scores.
    """
    if cells.tables is None:
        jackknife = _by_rows(row_schemes.Jackknife(cells.units), "on_rows", cells)
        return draw(jackknife, cells.units.n_units)
    # Leaving out any unit of a cell gives the same scores.
    tables = cells.tables.values()
    return _score_counts(tables, "left_out_scores", cells.counts)[cells.cell_of_unit]


def score_units(cells, counts):
    """Score the models on units repeated by their counts.

    Parameters
    ----------
    cells : Cells
        The units and metrics.
    counts : ndarray of shape (n_units,)
        The number of occurrences of each unit; with tables, also fractions.

    Returns
    -------
    ndarray of shape (n_metrics, n_models)
        The scores, nan where undefined.
    """
    if cells.tables is None:
        units = np.repeat(np.arange(len(counts)), counts)
        return bootstrap(cells).score(cells.units.rows(units))[0]
    n_cells, tables = len(cells.counts), cells.tables.values()
    of_cells = np.bincount(cells.cell_of_unit, weights=counts, minlength=n_cells)
    options = {"as_weights": counts.dtype.kind == "f"}
    return _score_counts(tables, "scores", of_cells[np.newaxis], **options)[0]


def standard_errors(cells):
    """Return the standard errors of the observed differences of two models, by metric.

    They are all nan unless all metrics are additive.
    """
    if not cells.add_up:
        return np.full(len(cells.statistics), np.nan)
    tables, everything = cells.tables.values(), cells.counts[np.newaxis]
    return _score_counts(tables, "standard_errors", everything, cells.strata)[0]


def n_moving_units(cells, units, limit):
    """Count the units for which exchanging predictions changes the score.

    Parameters
    ----------
    cells : Cells
        The units of two models, and one metric.
    units : ndarray
        The units on which predictions differ.
    limit : int
        Counting stops when this number is reached.

    Returns
    -------
    int
        The number of units, or some number not below `limit` if there are at least that
        many. If the metric is not additive, the number of all units on which
        predictions differ.
    """
    if not cells.add_up:
        return len(units)
    (table,) = cells.tables.values()
    before, n_moving = table.scores(cells.counts[np.newaxis]), 0
    rounding = 1e-12 * (np.nanmax(np.abs(before)) or 1.0)
    different, sizes = np.unique(cells.cell_of_unit[units], return_counts=True)
    for start in range(0, len(different), SWAPS_PER_BATCH):
        batch = different[start : start + SWAPS_PER_BATCH]
        swapped_at = functools.partial(_single_swap, len(cells.counts), batch)
        if table.differences is None:
            swaps = (swapped_at(place)[np.newaxis] for place in range(len(batch)))
            after = [table.swapped_scores(cells.counts, swapped) for swapped in swaps]
            after = np.concatenate(after)
        else:
            changes = table.differences[batch]
            after = table.shifted_scores(cells.counts, changes, swapped_at)
        moves = ~(np.abs(after - before).max(axis=1) <= rounding)
        n_moving += int(sizes[start : start + SWAPS_PER_BATCH][moves].sum())
        if n_moving >= limit:
            break
    return n_moving


def _single_swap(n_cells, cells, place):
    """Return the number of swapped units of all cells if one unit is swapped."""
    swapped = np.zeros(n_cells, dtype=np.int64)
    swapped[cells[place]] = 1
    return swapped


def _by_rows(scheme, method, cells):
    """Return a resampler that scores each draw by a method of all statistics."""
    statistics = tuple(statistic.generic for statistic in cells.statistics.values())
    score = functools.partial(_score_rows, statistics, method)
    return Resampler(scheme, score, "processes")


def _by_counts(scheme, method, cells, *args, replay, **options):
    """Return a resampler that scores each block by a method of all tables.

    The method gets `args`, the block and `options`. Workers are processes if any table
    requires them.
    """
    tables = tuple(cells.tables.values())
    workers = {table.workers for table in tables}
    prefer = "processes" if "processes" in workers else "threads"
    score = functools.partial(_score_counts, tables, method, *args, **options)
    return Resampler(scheme, score, prefer, replay)


def _by_swaps(scheme, cells, errors):
    """Return a resampler of counts of swapped units."""
    replay = functools.partial(replays.authors_of_swaps, cells)
    plain = _by_counts(scheme, "swapped_scores", cells, cells.counts, replay=replay)
    if not errors:
        return plain
    return _with_errors(plain, "swapped_standard_errors", cells, counts=cells.counts)


def _with_errors(plain, method, cells, **options):
    """Return a resampler that also computes errors by a method of all tables."""
    tables, options = tuple(cells.tables.values()), {"strata": cells.strata, **options}
    errors = functools.partial(_score_counts, tables, method, **options)
    return plain._replace(score=functools.partial(_score_both, plain.score, errors))


def _score_rows(statistics, method, drawn):
    return np.array([[getattr(s, method)(drawn) for s in statistics]])


def _score_counts(tables, method, *args, **options):
    scores = [getattr(table, method)(*args, **options) for table in tables]
    return np.stack(scores, axis=1)


def _score_nested(score, draws):
    """Return the scores of a resample and errors from its inner resamples."""
    nested = np.concatenate([score(drawn) for drawn in draws])
    errors = np.nanstd(nested[1:, :, 0] - nested[1:, :, 1], axis=0, ddof=1)
    return np.concatenate([nested[:1], errors[np.newaxis, :, np.newaxis]], axis=2)


def _score_both(score, errors, block):
    """Append standard errors to the scores of the models."""
    return np.concatenate([score(block), errors(block)[..., np.newaxis]], axis=2)
