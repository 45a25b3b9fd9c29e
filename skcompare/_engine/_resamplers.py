"""Schemes of resampling: each a function from cells to what is drawn and scored.

A new scheme is a new function here, and a class that draws it. Scores have the shape
(n_resamples, n_metrics, n_models). What scores is a partial of a module's function: it
travels to workers with what it needs, and nothing else.
"""

import functools
from typing import NamedTuple

import numpy as np

from skcompare._engine._count_schemes import (
    AllCellSwaps,
    CellBootstrap,
    CellSwaps,
    CellWeights,
    NestedCellBootstrap,
    PackedSwaps,
)
from skcompare._engine._draw import (
    authors_of_bits,
    authors_of_swaps,
    rows_of_counts,
    spread_weights,
)
from skcompare._engine._row_schemes import (
    AllSwaps,
    Bootstrap,
    Jackknife,
    NestedBootstrap,
    RandomSwaps,
    RowWeights,
)

# Efron and Tibshirani (1993, section 6.4): 25 to 50 are enough for a standard error.
N_INNER = 50


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
        return _by_rows(Bootstrap(cells.units), "on_rows", cells)
    scheme = CellBootstrap(cells.counts, cells.strata)
    replay = functools.partial(rows_of_counts, cells)
    return _by_counts(scheme, "scores", cells)._replace(replay=replay)


def bootstrap_with_errors(cells):
    """Return how to draw units, and standard errors of the difference of two models.

    The errors come after the scores, on the last axis: by the delta method where all
    metrics add up, else by resampling each resample.
    """
    plain = bootstrap(cells)
    score = functools.partial(_score_nested, plain.score)
    if cells.tables is None:
        scheme = NestedBootstrap(cells.units, N_INNER)
    elif not cells.add_up:
        scheme = NestedCellBootstrap(cells.counts, cells.strata, N_INNER)
        plain = plain._replace(replay=functools.partial(_replay_nested, plain.replay))
    else:
        scheme, tables = plain.scheme, tuple(cells.tables.values())
        score = functools.partial(_score_with_errors, tables, cells.strata)
    return plain._replace(scheme=scheme, score=score)


def _replay_nested(replay, blocks, number):
    """Replay a resample itself, which comes before those of its own."""
    return replay((block[:1] for block in blocks), number)


def swaps(cells, units, *, errors=False):
    """Return how to swap the predictions for some units, each with probability 1/2.

    With errors, those of the difference of the two models come after the scores, on
    the last axis: by the delta method where a metric adds up, else nan.
    """
    if cells.tables is None:
        return _by_rows(RandomSwaps(cells.units, units), "on_reassigned", cells)
    swapped = np.unique(cells.cell_of_unit[units])
    single = len(swapped) and cells.counts[swapped].max() == 1
    if cells.add_up and single and not errors:
        first = next(iter(cells.tables.values()))
        scheme = PackedSwaps(first.n_packed_bits(swapped))
        args = cells.counts, swapped
        replay = functools.partial(authors_of_bits, cells, swapped)
        packed = _by_counts(scheme, "packed_swapped_scores", cells, *args)
        return packed._replace(replay=replay)
    marked = np.isin(np.arange(len(cells.counts)), swapped)
    return _by_swaps(CellSwaps(cells.counts, marked), cells, errors)


def all_swaps(cells, units, *, errors=False):
    """Return how to go through all ways to swap the predictions for some units.

    The scheme knows how many there are, and adds those that it left out because they
    mirror others. Errors are as in `swaps`.
    """
    if cells.tables is None:
        return _by_rows(AllSwaps(cells.units, units), "on_reassigned", cells)
    scheme = AllCellSwaps(cells.counts, cells.cell_of_unit[units])
    return _by_swaps(scheme, cells, errors)


def _by_swaps(scheme, cells, errors):
    by_counts = _by_counts(scheme, "swapped_scores", cells, cells.counts)
    plain = by_counts._replace(replay=functools.partial(authors_of_swaps, cells))
    if not errors:
        return plain
    score = functools.partial(_score_swaps_with_errors, cells, plain.score)
    return plain._replace(score=score)


def random_weights(cells):
    """Return how to weigh units at random; statistics must be made for weights."""
    if cells.tables is None:
        return _by_rows(RowWeights(cells.units), "on_weights", cells)
    scheme = CellWeights(cells.counts, cells.strata)
    weighted = _by_counts(scheme, "weighted_scores", cells)
    return weighted._replace(replay=functools.partial(spread_weights, cells))


def left_out_scores(cells, draw):
    """Score the sample without each unit; `draw(resampler, n)` evaluates rows.

    Returns
    -------
    ndarray of shape (n_units, n_metrics, n_models)
        The scores.
    """
    if cells.tables is None:
        jackknife = _by_rows(Jackknife(cells.units), "on_rows", cells)
        return draw(jackknife, len(cells.units))
    # Units of a cell are alike, and so are the scores without one of them.
    scores = [table.left_out_scores(cells.counts) for table in cells.tables.values()]
    return np.stack(scores, axis=1)[cells.cell_of_unit]


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
    n_cells = len(cells.counts)
    of_cells = np.bincount(cells.cell_of_unit, weights=counts, minlength=n_cells)
    return bootstrap(cells).score(of_cells[np.newaxis])[0]


def standard_errors(cells):
    """Return the standard errors of the observed differences of two models, by metric.

    They are nan where some metric does not add up.
    """
    if not cells.add_up:
        return np.full(len(cells.statistics), np.nan)
    everything = cells.counts[np.newaxis]
    tables = cells.tables.values()
    errors = [table.standard_errors(everything, cells.strata) for table in tables]
    return np.stack(errors, axis=1)[0]


def _by_rows(scheme, method, cells):
    """Return a resampler that has a method of all statistics score each draw."""
    statistics = tuple(cells.statistics.values())
    score = functools.partial(_score_rows, statistics, method)
    return Resampler(scheme, score, "processes")


def _by_counts(scheme, method, cells, *args):
    """Return a resampler that has a method of all tables score each block.

    The method gets `args`, then the block; workers are those that the tables want.
    """
    tables = tuple(cells.tables.values())
    workers = {table.workers for table in tables}
    prefer = "processes" if "processes" in workers else "threads"
    score = functools.partial(_score_counts, tables, method, *args)
    return Resampler(scheme, score, prefer)


def _score_rows(statistics, method, drawn):
    return np.array([[getattr(s, method)(drawn) for s in statistics]])


def _score_counts(tables, method, *args):
    return np.stack([getattr(table, method)(*args) for table in tables], axis=1)


def _score_nested(score, draws):
    """Turn the scores of a resample and of its resamples into scores and errors."""
    nested = np.concatenate([score(drawn) for drawn in draws])
    inner = nested[1:, :, 0] - nested[1:, :, 1]
    errors = np.nanstd(inner, axis=0, ddof=1)
    return np.concatenate([nested[0], errors[:, None]], axis=1)[np.newaxis]


def _score_with_errors(tables, strata, counts):
    errors = [table.standard_errors(counts, strata) for table in tables]
    scores = _score_counts(tables, "scores", counts)
    return np.concatenate([scores, np.stack(errors, axis=1)[..., None]], axis=2)


def _score_swaps_with_errors(cells, score, swapped):
    unknown = np.full(len(swapped), np.nan)
    errors = [
        table.swapped_standard_errors(cells.counts, swapped, cells.strata)
        if table.adds_up
        else unknown
        for table in cells.tables.values()
    ]
    return np.concatenate([score(swapped), np.stack(errors, axis=1)[..., None]], axis=2)
