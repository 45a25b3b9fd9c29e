"""Evaluating many draws in chunks: reproducible, parallel, one block at a time.

Recognized metrics are then called on the resamples with the lowest and the highest
score: there a clip or a rare branch of a metric would bite.
"""

import contextlib
import functools
import itertools

import numpy as np
from threadpoolctl import ThreadpoolController

from skcompare._caveats import SharedContext, quiet
from skcompare._engine._workers import results_of
from skcompare._progress import track

# The libraries that are loaded when this is first asked for.
_libraries = functools.cache(ThreadpoolController)

# A context in which BLAS runs on one thread. Sums then do not depend on how many a
# worker would have, and workers on one machine do not fight for its cores.
one_blas_thread = SharedContext(lambda: _libraries().limit(limits=1, user_api="blas"))

# Of the units of a cell so many are one in a resample that is called again.
REPEATED = 50


def chunk_generator(seed, chunk):
    """Return the generator of one chunk: a function of the two numbers alone."""
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
        Its scheme has ``blocks(start, size, rng)``, which yields draws number `start`
        and following, one or several at a time, and `chunk_size`, the number of draws
        that share a generator. Its score turns a block into an array with a row per
        draw.
    n_draws : int
        The number of draws.
    so_far : ndarray or None, default=None
        What the same resampler and seed gave for the first draws: kept, and added to.
    seed : int
        The seed of all random draws.
    n_jobs : int or None
        The number of workers, as in joblib.
    verbose : int
        Whether to show progress.
    label : str
        What to call the work when showing progress.

    Returns
    -------
    ndarray of shape (n_draws, ...)
        The results, in the order of the draws.
    """
    step = resampler.scheme.chunk_size
    n_so_far = 0 if so_far is None else len(so_far)
    if n_so_far >= n_draws:
        return so_far[:n_draws]
    # What a chunk begins with depends on its size: one cut short is drawn again.
    first = n_so_far - n_so_far % step
    starts = range(first, n_draws, step)
    tasks = [(start, min(step, n_draws - start)) for start in starts]
    # Workers score blocks, and need nothing that is for replaying them.
    evaluate = functools.partial(_evaluate_chunk, resampler._replace(replay=None), seed)
    # A scorer warns on odd resamples; what matters of it is counted and reported.
    # Filters are set here, once, and reach the workers: threads share them.
    with (
        quiet(),
        one_blas_thread(),
        contextlib.closing(
            results_of(evaluate, tasks, n_jobs=n_jobs, prefer=resampler.prefer)
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
        # By `map`, for which a block is gone before the next one is drawn.
        scores = map(resampler.score, scheme.blocks(start, size, rng))
        return np.concatenate(list(scores))


class Misrecognized(Exception):
    """A metric that was recognized gives another score on some resample."""


def confirm(cells, resampler, drawn, seed):
    """Call metrics that were recognized where their scores are the most extreme.

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

    Raises
    ------
    Misrecognized
        If some metric, called on the rows, gives other scores.
    """
    if cells.tables is None:
        return
    scheme = resampler.scheme
    for place, statistic in enumerate(cells.statistics.values()):
        of_metric = drawn[:, place]
        if not statistic.recognized or np.isnan(of_metric).all():
            continue
        # If a score of any resample is beyond some bound, one of these two is.
        for extreme in (np.nanargmin(of_metric), np.nanargmax(of_metric)):
            number, model = divmod(int(extreme), of_metric.shape[1])
            start = number - number % scheme.chunk_size
            # Blocks after that of this one are not drawn again.
            size = min(scheme.chunk_size, len(drawn) - start)
            rng = chunk_generator(seed, start // scheme.chunk_size)
            blocks = scheme.blocks(start, size, rng)
            method, resample = resampler.replay(blocks, number - start)
            generic = statistic.generic
            if method == "on_weights" and generic.sample_weight is None:
                continue  # the metric takes none
            with quiet():
                if method == "on_reassigned":  # whose predictions each model gets
                    scores = generic.on_reassigned(resample[[model]])
                else:
                    scores = getattr(generic.of_models([model]), method)(resample)
            expected, rounding = of_metric[number, model], {"rtol": 1e-9, "atol": 1e-11}
            if not np.allclose(scores, expected, **rounding, equal_nan=True):
                raise Misrecognized


def _draw_number(blocks, number):
    """Return a draw of a chunk."""
    return next(itertools.islice(itertools.chain.from_iterable(blocks), number, None))


def rows_of_counts(cells, blocks, number):
    """Return rows such that as many of them are of each cell as were counted."""
    counts = _draw_number(blocks, number).astype(np.intp)
    order, starts = cells.by_cell
    # Few units of a cell, repeated: in all but what makes them alike that is more
    # extreme than resamples are.
    few = -(-cells.counts // REPEATED)
    first = starts + np.random.default_rng(number).integers(cells.counts - few + 1)
    within = np.arange(counts.sum()) % np.repeat(few, counts)
    return "on_rows", cells.units.rows(order[np.repeat(first, counts) + within])


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
    order, starts = cells.by_cell
    cell, rng = cells.cell_of_unit[order], np.random.default_rng(len(order))
    # The first units of each cell, counted from any one on.
    rank = np.arange(len(order)) - starts[cell] + rng.integers(cells.counts)[cell]
    of_unit = np.empty(len(order), dtype=np.intp)
    of_unit[order] = rank % cells.counts[cell] < swapped[cell]
    first = cells.units.spread(of_unit)
    return "on_reassigned", np.stack([first, 1 - first])
