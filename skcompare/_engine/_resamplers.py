"""A resampler says what to draw from cells, and how to score the draws.

A scheme of resampling is a function from cells to a resampler; a new one is a new
function here, and a class that draws it. Scores have the shape (n_resamples, n_metrics,
n_models). What scores is a partial of a module's function: it travels to workers with
what it needs, and nothing else.
"""

import functools
from typing import NamedTuple

import numpy as np

from skcompare._engine import _draw as replays
from skcompare._engine import _schemes as schemes

# Efron and Tibshirani (1993, section 6.4): 25 to 50 are enough for a standard error.
N_INNER = 50

# So many units at a time are swapped alone, to see whether that moves a score.
SWAPS_AT_A_TIME = 128


class Resampler(NamedTuple):
    """What to draw, how to score a block of draws, and which workers suit that.

    `replay(blocks, number)` says by which method statistics score the rows of a draw
    of a chunk, and what they are given, where blocks hold no rows.
    """

    scheme: object
    score: object
    prefer: str = "threads"
    replay: object = None


def bootstrap(cells):
    """Return how to draw units with replacement."""
    if cells.tables is None:
        return _by_rows(schemes.Bootstrap(cells.units), "on_rows", cells)
    scheme = schemes.CellBootstrap(cells.counts, cells.strata)
    replay = functools.partial(replays.rows_of_counts, cells)
    return _by_counts(scheme, "scores", cells, replay=replay)


def bootstrap_with_errors(cells):
    """Return how to draw units, and standard errors of the difference of two models.

    The errors come after the scores, on the last axis: by the delta method where all
    metrics add up, else by resampling each resample.
    """
    plain = bootstrap(cells)
    if cells.add_up:
        return _with_errors(plain, "standard_errors", cells)
    score = functools.partial(_score_nested, plain.score)
    if cells.tables is None:
        scheme = schemes.NestedBootstrap(cells.units, N_INNER)
        return plain._replace(scheme=scheme, score=score)
    scheme = schemes.NestedCellBootstrap(cells.counts, cells.strata, N_INNER)
    replay = functools.partial(_replay_nested, plain.replay)
    return plain._replace(scheme=scheme, score=score, replay=replay)


def _replay_nested(replay, blocks, number):
    """Replay a resample itself, which comes before those of its own."""
    return replay((block[:1] for block in blocks), number)


def swaps(cells, units, *, errors=False):
    """Return how to swap the predictions for some units, each with probability 1/2.

    With errors, those of the difference of the two models come after the scores, on
    the last axis: by the delta method where a metric adds up, else nan.
    """
    if cells.tables is None:
        return _by_rows(schemes.RandomSwaps(cells.units, units), "on_reassigned", cells)
    swapped = np.unique(cells.cell_of_unit[units])
    single = len(swapped) and cells.counts[swapped].max() == 1
    if cells.add_up and single and not errors:
        first = next(iter(cells.tables.values()))
        scheme = schemes.PackedSwaps(first.n_packed_bits(swapped))
        method, args = "packed_swapped_scores", (cells.counts, swapped)
        replay = functools.partial(replays.authors_of_bits, cells, swapped)
        return _by_counts(scheme, method, cells, *args, replay=replay)
    return _by_swaps(schemes.CellSwaps(cells.counts, swapped), cells, errors)


def all_swaps(cells, units, *, errors=False):
    """Return how to go through all ways to swap the predictions for some units.

    The scheme knows how many there are, and adds those that it left out because they
    mirror others. Errors are as in `swaps`.
    """
    if cells.tables is None:
        return _by_rows(schemes.AllSwaps(cells.units, units), "on_reassigned", cells)
    scheme = schemes.AllCellSwaps(cells.counts, cells.cell_of_unit[units])
    return _by_swaps(scheme, cells, errors)


def random_weights(cells):
    """Return how to weigh units at random; statistics must be made for weights."""
    if cells.tables is None:
        return _by_rows(schemes.RowWeights(cells.units), "on_weights", cells)
    scheme = schemes.CellWeights(cells.counts, cells.strata)
    replay = functools.partial(replays.spread_weights, cells)
    return _by_counts(scheme, "scores", cells, replay=replay, as_weights=True)


def left_out_scores(cells, draw):
    """Score the sample without each unit; `draw(resampler, n)` evaluates rows.

    Returns
    -------
    ndarray of shape (n_units, n_metrics, n_models)
        The scores.
    """
    if cells.tables is None:
        jackknife = _by_rows(schemes.Jackknife(cells.units), "on_rows", cells)
        return draw(jackknife, cells.units.n_units)
    # Units of a cell are alike, and so are the scores without one of them.
    tables = cells.tables.values()
    return _score_counts(tables, "left_out_scores", cells.counts)[cells.cell_of_unit]


def score_units(cells, counts):
    """Score the models on units, each as often as it is counted.

    Parameters
    ----------
    cells : Cells
        The units and metrics.
    counts : ndarray of int, shape (n_units,)
        How often each unit occurs.

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
    return _score_counts(tables, "scores", of_cells[np.newaxis])[0]


def standard_errors(cells):
    """Return the standard errors of the observed differences of two models, by metric.

    They are nan where some metric does not add up.
    """
    if not cells.add_up:
        return np.full(len(cells.statistics), np.nan)
    tables, everything = cells.tables.values(), cells.counts[np.newaxis]
    return _score_counts(tables, "standard_errors", everything, cells.strata)[0]


def n_moving_units(cells, units, most):
    """Count units on which an exchange of predictions changes a score.

    Parameters
    ----------
    cells : Cells
        The units of two models, and one metric.
    units : ndarray
        Those on which predictions differ.
    most : int
        Where to stop counting.

    Returns
    -------
    int
        The number, `most` or more if it is at least that. Where the metric does not
        come from counts, that of all units on which predictions differ.
    """
    if not cells.add_up:
        return len(units)
    (table,) = cells.tables.values()
    before, n_moving = table.scores(cells.counts[np.newaxis]), 0
    rounding = 1e-12 * (np.nanmax(np.abs(before)) or 1.0)
    different, sizes = np.unique(cells.cell_of_unit[units], return_counts=True)
    for start in range(0, len(different), SWAPS_AT_A_TIME):
        some = different[start : start + SWAPS_AT_A_TIME]
        after = _swapped_alone(table, cells.counts, some)
        moves = ~(np.abs(after - before).max(axis=1) <= rounding)
        n_moving += int(sizes[start : start + SWAPS_AT_A_TIME][moves].sum())
        if n_moving >= most:
            break
    return n_moving


def _swapped_alone(table, counts, cells):
    """Score two models that exchange predictions for a unit of each cell, by itself."""

    def swapped_at(place):
        swapped = np.zeros(len(counts), dtype=np.int64)
        swapped[cells[place]] = 1
        return swapped

    if table.differences is not None:
        return table.shifted_scores(counts, table.differences[cells], swapped_at)
    swapped = (swapped_at(place)[np.newaxis] for place in range(len(cells)))
    return np.concatenate([table.swapped_scores(counts, one) for one in swapped])


def _by_rows(scheme, method, cells):
    """Return a resampler that has a method of all statistics score each draw."""
    statistics = tuple(statistic.generic for statistic in cells.statistics.values())
    score = functools.partial(_score_rows, statistics, method)
    return Resampler(scheme, score, "processes")


def _by_counts(scheme, method, cells, *args, replay, **options):
    """Return a resampler that has a method of all tables score each block.

    The method gets `args`, the block and `options`; workers are those that the tables
    want.
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
    """Return a resampler that has a method of all tables add errors to the scores."""
    tables, options = tuple(cells.tables.values()), {"strata": cells.strata, **options}
    errors = functools.partial(_score_counts, tables, method, **options)
    return plain._replace(score=functools.partial(_score_both, plain.score, errors))


def _score_rows(statistics, method, drawn):
    return np.array([[getattr(s, method)(drawn) for s in statistics]])


def _score_counts(tables, method, *args, **options):
    scores = [getattr(table, method)(*args, **options) for table in tables]
    return np.stack(scores, axis=1)


def _score_nested(score, draws):
    """Turn the scores of a resample and of its resamples into scores and errors."""
    nested = np.concatenate([score(drawn) for drawn in draws])
    errors = np.nanstd(nested[1:, :, 0] - nested[1:, :, 1], axis=0, ddof=1)
    return np.concatenate([nested[:1], errors[np.newaxis, :, np.newaxis]], axis=2)


def _score_both(score, errors, block):
    """Put standard errors behind the scores of models."""
    return np.concatenate([score(block), errors(block)[..., np.newaxis]], axis=2)
