"""Calling recognized metrics on the most extreme of the resamples that were drawn.

There a clip or a rare branch of a metric would bite, and there p-values and intervals
are made.
"""

import warnings

import numpy as np

from skcompare._random import chunk_generator

# Resamples of more cells take long to draw again: fewer of them are looked at.
MANY_CELLS = 1_000


def confirmed(cells, resampler, drawn, seed):
    """Return whether metrics that were recognized are so on extreme resamples.

    Parameters
    ----------
    cells : Cells
        What was resampled.
    resampler : Resampler
        How.
    drawn : ndarray of shape (n_resamples, n_metrics, n_models)
        The scores.
    seed : int
        The seed of the draws.

    Returns
    -------
    bool
        False if some metric, called on the rows, gives other scores.
    """
    statistics = list(cells.statistics.values())
    places = [
        place for place, s in enumerate(statistics) if s.engine.endswith("recognized")
    ]
    if cells.tables is None or not places:
        return True
    few, scheme = len(cells.counts) > MANY_CELLS, resampler.scheme
    for place in places:
        generic = statistics[place].generic
        for number, models in _extremes(drawn[:, place], few):
            start = number - number % scheme.chunk_size
            size = min(scheme.chunk_size, len(drawn) - start)
            rng = chunk_generator(seed, start // scheme.chunk_size)
            blocks = scheme.blocks(start, size, rng)
            method, resample = resampler.replay(blocks, number - start)
            if method == "on_weights" and generic.sample_weight is None:
                continue  # the metric takes none
            if method == "on_reassigned":
                models = [0, 1]
            with warnings.catch_warnings(action="ignore"):
                scores = getattr(generic.of_models(models), method)(resample)
            if not _alike(scores, drawn[number, place, models]):
                return False
    return True


def _extremes(scores, few):
    """Return the resamples with the most extreme scores, and the models to look at."""
    undefined = np.isnan(scores)
    if undefined.all():
        return []
    scores = np.where(undefined, scores[~undefined].mean(), scores)
    differences, both = scores[:, 0] - scores[:, -1], [0, scores.shape[1] - 1]
    extremes = [(differences.argmin(), both), (differences.argmax(), both)]
    if not few:
        far = np.abs(scores - scores.mean(axis=0))
        number, model = divmod(far.argmax(), scores.shape[1])
        extremes.append((number, [model]))
    return [(int(number), models) for number, models in extremes]


def _alike(scores, expected):
    """Return whether scores are the same to rounding, also where they are undefined."""
    return np.allclose(scores, expected, rtol=1e-9, atol=1e-11, equal_nan=True)


def _draw_number(blocks, number):
    """Return a draw of a chunk."""
    for block in blocks:
        if number < len(block):
            return block[number]
        number -= len(block)
    raise AssertionError("a chunk has as many draws as were asked for")


def rows_of_counts(cells, blocks, number):
    """Return rows such that as many of them are of each cell as were counted."""
    counts = _draw_number(blocks, number).astype(np.intp)
    order, starts = _by_cell(cells)
    cell = np.repeat(np.arange(len(counts)), counts)
    shares = np.random.default_rng(len(cell)).random(len(cell))
    within = (shares * cells.counts[cell]).astype(np.intp)
    return "on_rows", cells.units.rows(order[starts[cell] + within])


def authors_of_swaps(cells, blocks, number):
    """Return whose predictions models get if so many units of each cell are swapped."""
    return _authors(cells, _draw_number(blocks, number))


def authors_of_bits(cells, swapped, blocks, number):
    """Return whose predictions models get if some single units are swapped."""
    table, (block,) = next(iter(cells.tables.values())), blocks
    return _authors(cells, table.unpacked(len(cells.counts), swapped, block[:, number]))


def spread_weights(cells, blocks, number):
    """Return weights of rows that add up to those of the cells."""
    of_units = (_draw_number(blocks, number) / cells.counts)[cells.cell_of_unit]
    return "on_weights", cells.units.spread(of_units)


def _authors(cells, swapped):
    order, starts = _by_cell(cells)
    cell, rng = cells.cell_of_unit[order], np.random.default_rng(len(order))
    # The first units of each cell, counted from any one on.
    rank = np.arange(len(order)) - starts[cell] + rng.integers(cells.counts)[cell]
    of_unit = np.empty(len(order), dtype=np.intp)
    of_unit[order] = rank % cells.counts[cell] < swapped[cell]
    first = cells.units.spread(of_unit)
    return "on_reassigned", np.stack([first, 1 - first])


def _by_cell(cells):
    """Return the units cell by cell, and where each cell begins."""
    cell = cells.cell_of_unit
    if len(cells.counts) < 2**16:
        cell = cell.astype(np.uint16)  # sorted much faster
    order = np.argsort(cell, kind="stable")
    return order, np.cumsum(cells.counts) - cells.counts
