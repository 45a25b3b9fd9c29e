"""Evaluate draws in chunks: reproducibly, in parallel, one block at a time.

Recognized metrics are then called on the resamples with the lowest and the highest
score, which would reveal clipping or a rare branch of a metric, and on the first one,
which would reveal a frequent branch.
"""

import contextlib
import functools
import itertools

import numpy as np
from threadpoolctl import ThreadpoolController

from skcompare._caveats import SharedContext, quiet
from skcompare._engine._workers import results_of
from skcompare._progress import track

# The libraries that are loaded at the first call.
_libraries = functools.cache(ThreadpoolController)

# A context in which BLAS runs on one thread. Sums then do not depend on the number of
# threads of a worker, and workers on one machine do not compete for its cores.
one_blas_thread = SharedContext(lambda: _libraries().limit(limits=1, user_api="blas"))

# Number of units of a cell that one unit replaces when a resample is replayed.
UNITS_PER_SAMPLED_UNIT = 50


def chunk_generator(seed, chunk):
    """Return the generator of one chunk, which depends on `seed` and `chunk` only."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(chunk,)))


def draw(
    resampler,
    n_draws,
    *,
    so_far=None,
    seed,
    n_jobs=None,
    verbose=0,
    label="resamples",
):
    """Draw resamples and score them.

    Parameters
    ----------
    resampler : Resampler
        Its scheme has a method ``blocks(start, size, rng)``, which yields draws number
        `start`, `start` + 1, ..., one or several at a time, and an attribute
        `chunk_size`, the number of draws that share a generator. Its score turns a
        block into an array with one row per draw.
    n_draws : int
        The number of draws.
    so_far : ndarray or None, default=None
        The results of the same resampler and seed for the first draws, to be extended.
    seed : int
        The seed of all random draws.
    n_jobs : int or None
        The number of workers, as in joblib.
    verbose : int
        Whether to show progress.
    label : str
        The label of the progress display.

    Returns
    -------
    ndarray of shape (n_draws, ...)
        The results, in the order of the draws.
    """
    step = resampler.scheme.chunk_size
    n_so_far = 0 if so_far is None else len(so_far)
    if n_so_far >= n_draws:
        return so_far[:n_draws]
    # The draws of a chunk depend on its size, so an incomplete chunk is drawn again.
    first = n_so_far - n_so_far % step
    starts = range(first, n_draws, step)
    tasks = [(start, min(step, n_draws - start)) for start in starts]
    # Workers only score blocks; they do not replay them.
    evaluate = functools.partial(_evaluate_chunk, resampler._replace(replay=None), seed)
    # Scorers warn on degenerate resamples; undefined scores are counted and reported
    # instead. Warning filters are set here, once, and reach the workers: threads share
    # them.
    with (
        quiet(),
        one_blas_thread(),
        contextlib.closing(
            results_of(
                evaluate,
                tasks,
                n_jobs=n_jobs,
                prefer=resampler.prefer,
                same=functools.partial(np.array_equal, equal_nan=True),
            )
        ) as chunks,
        track(
            chunks, total=n_draws - first, label=label, verbose=verbose, size=len
        ) as tracked,
    ):
        more = np.concatenate(list(tracked))
    return np.concatenate([so_far[:first], more]) if first else more


def _evaluate_chunk(resampler, seed, start, size):
    scheme = resampler.scheme
    rng = chunk_generator(seed, start // scheme.chunk_size)
    with one_blas_thread():
        # `map` releases each block before the next one is drawn.
        scores = map(resampler.score, scheme.blocks(start, size, rng))
        return np.concatenate(list(scores))


class Misrecognized(Exception):
    """A recognized metric returns a different score on some resample."""


def confirm(cells, resampler, drawn, seed):
    """Call recognized metrics on resamples, the most extreme ones and the first.

    Parameters
    ----------
    cells : Cells
        The cells that were resampled.
    resampler : Resampler
        The resampler.
    drawn : ndarray of shape (n_resamples, n_metrics, n_models)
        The scores.
    seed : int
        The seed of the draws.

    Raises
    ------
    Misrecognized
        If some metric returns a different score when called on the rows.
    """
    if cells.tables is None:
        return
    scheme = resampler.scheme
    for place, statistic in enumerate(cells.statistics.values()):
        of_metric = drawn[:, place]
        if not statistic.recognized or np.isnan(of_metric).all():
            continue
        largest = np.nanmax(np.abs(of_metric))
        # If the score of any resample is beyond a bound, so is that of an extreme one.
        extremes = int(np.nanargmin(of_metric)), int(np.nanargmax(of_metric))
        for score in sorted({0, *extremes}):
            number, model = divmod(score, of_metric.shape[1])
            start = number - number % scheme.chunk_size
            size = min(scheme.chunk_size, len(drawn) - start)
            rng = chunk_generator(seed, start // scheme.chunk_size)
            blocks = scheme.blocks(start, size, rng)
            method, resample = resampler.replay(blocks, number - start)
            generic = statistic.generic
            if method == "on_weights" and generic.sample_weight is None:
                continue  # the metric does not support weights
            with quiet():
                if method == "on_reassigned":
                    scores = generic.on_reassigned(resample[[model]])
                else:
                    scores = getattr(generic.of_models([model]), method)(resample)
            expected, tolerance = of_metric[number, model], 1e-11 * largest
            if not np.allclose(scores, expected, 1e-9, tolerance, equal_nan=True):
                raise Misrecognized


def _draw_number(blocks, number):
    """Return draw `number` of a chunk."""
    return next(itertools.islice(itertools.chain.from_iterable(blocks), number, None))


def rows_of_counts(cells, blocks, number):
    """Return rows that match the counts of cells of a draw."""
    counts = _draw_number(blocks, number).astype(np.intp)
    order, starts = cells.by_cell
    # A few units of each cell, repeated. In any property that the cells ignore, such
    # samples are more extreme than resamples.
    few = -(-cells.counts // UNITS_PER_SAMPLED_UNIT)
    first = starts + np.random.default_rng(number).integers(cells.counts - few + 1)
    within = np.arange(counts.sum()) % np.repeat(few, counts)
    return "on_rows", cells.units.rows(order[np.repeat(first, counts) + within])


def authors_of_swaps(cells, blocks, number):
    """Return the model whose prediction each model gets, from swaps counted by cell."""
    return _authors(cells, _draw_number(blocks, number))


def authors_of_bits(cells, swapped, blocks, number):
    """Return the model whose prediction each model gets, from swaps of single units."""
    table, (block,) = next(iter(cells.tables.values())), blocks
    return _authors(cells, table.unpacked(len(cells.counts), swapped, block[:, number]))


def spread_weights(cells, blocks, number):
    """Return weights of rows that add up to the weights of the cells."""
    of_units = (_draw_number(blocks, number) / cells.counts)[cells.cell_of_unit]
    return "on_weights", cells.units.spread(of_units)


def _authors(cells, swapped):
    order, starts = cells.by_cell
    cell, rng = cells.cell_of_unit[order], np.random.default_rng(len(order))
    # The first units of each cell, counted cyclically from a random one.
    rank = np.arange(len(order)) - starts[cell] + rng.integers(cells.counts)[cell]
    of_unit = np.empty(len(order), dtype=np.intp)
    of_unit[order] = rank % cells.counts[cell] < swapped[cell]
    first = cells.units.spread(of_unit)
    return "on_reassigned", np.stack([first, 1 - first])
