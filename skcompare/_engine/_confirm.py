"""Calling recognized metrics on the most extreme of the resamples that were drawn.

There a clip or a rare branch of a metric would bite, and there p-values and intervals
are made.
"""

import warnings

import numpy as np

from skcompare._random import chunk_generator


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
    extremes = {n for place in places for n in _extremes(drawn[:, place])}
    for number in sorted(extremes):
        method, given = resampler.replay(*_drawn_again(resampler, seed, number, drawn))
        for place in places:
            generic = statistics[place].generic
            if method == "on_weights" and generic.sample_weight is None:
                continue  # the metric takes none
            with warnings.catch_warnings(action="ignore"):
                scores = getattr(generic, method)(given)
            if not _alike(scores, drawn[number, place]):
                return False
    return True


def _extremes(scores):
    """Return the numbers of the resamples with the most extreme scores."""
    differences = scores[:, 0] - scores[:, -1]
    extremes = set()
    for measure in (differences, -differences, scores.max(axis=1), -scores.min(axis=1)):
        extremes.add(int(np.where(np.isnan(measure), -np.inf, measure).argmax()))
    return extremes


def _drawn_again(resampler, seed, number, drawn):
    """Return the block that a resample was in, and its place in that."""
    scheme = resampler.scheme
    start = number - number % scheme.chunk_size
    size = min(scheme.chunk_size, len(drawn) - start)
    rng, first = chunk_generator(seed, start // scheme.chunk_size), start
    for block in scheme.blocks(start, size, rng):
        n_draws = len(resampler.score(block))
        if number < first + n_draws:
            return block, number - first
        first += n_draws
    raise AssertionError("a chunk has as many draws as were asked for")


def _alike(scores, expected):
    """Return whether scores are the same to rounding, also where they are undefined."""
    return np.allclose(scores, expected, rtol=1e-9, atol=1e-11, equal_nan=True)


def rows_of_counts(cells, block, place):
    """Return rows such that as many of them are of each cell as were counted."""
    counts = block[place].astype(np.intp)
    order, starts = _by_cell(cells)
    cell = np.repeat(np.arange(len(counts)), counts)
    rng = np.random.default_rng(len(cell))
    within = rng.integers(cells.counts[cell])
    return "on_rows", cells.units.rows(order[starts[cell] + within])


def authors_of_swaps(cells, block, place):
    """Return whose predictions models get if so many units of each cell are swapped."""
    return _authors(cells, block[place])


def authors_of_bits(cells, swapped, block, place):
    """Return whose predictions models get if some single units are swapped."""
    table = next(iter(cells.tables.values()))
    return _authors(cells, table.unpacked(len(cells.counts), swapped, block[:, place]))


def spread_weights(cells, block, place):
    """Return weights of rows that add up to those of the cells."""
    of_units = (block[place] / cells.counts)[cells.cell_of_unit]
    return "on_weights", cells.units.spread(of_units)


def _authors(cells, swapped):
    order, starts = _by_cell(cells)
    cell = cells.cell_of_unit[order]
    of_unit = np.empty(len(order), dtype=np.intp)
    of_unit[order] = np.arange(len(order)) - starts[cell] < swapped[cell]
    first = cells.units.spread(of_unit)
    return "on_reassigned", np.stack([first, 1 - first])


def _by_cell(cells):
    """Return the units cell by cell, in random order, and where each cell begins."""
    n = len(cells.cell_of_unit)
    shuffled = np.random.default_rng(n).permutation(n)
    order = shuffled[np.argsort(cells.cell_of_unit[shuffled], kind="stable")]
    return order, np.cumsum(cells.counts) - cells.counts
