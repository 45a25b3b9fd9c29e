"""Evaluating many draws in chunks: reproducible, parallel, one block at a time."""

import contextlib
import time
import warnings

import joblib
import numpy as np

from skcompare._engine._blas import one_blas_thread
from skcompare._engine._workers import Shared, from_workers
from skcompare._progress import track
from skcompare._random import chunk_generator

__all__ = ["RowScheme", "evaluate_draws"]

# Starting worker processes takes a second or two; less work is done here and now.
SECONDS_WORTH_WORKERS = 2.0


class RowScheme:
    """A scheme whose blocks are single draws, made of row numbers.

    Attributes
    ----------
    chunk_size : int
        The number of draws that share a generator. It is fixed, so that the numbers
        depend on the seed alone: chunk i always has the same generator, whoever works
        on it. It is small, so that few slow draws still spread evenly over workers.
    prefer : {"processes", "threads"}
        The kind of workers that suit the work.
    """

    chunk_size = 16
    prefer = "processes"


def evaluate_draws(
    scheme, score, n_draws, *, seed, first=0, n_jobs=None, verbose=0, label="resamples"
):
    """Apply `score` to every draw of a resampling scheme.

    Parameters
    ----------
    scheme : object
        Its ``blocks(start, size, rng)`` yields draws number `start` and following, one
        or several at a time; its `chunk_size` is the number of draws that share a
        generator, and `prefer` the kind of workers.
    score : callable
        Turns a block of draws into an array with one row per draw.
    n_draws : int
        The number of draws.
    seed : int
        The seed of all random draws.
    first : int, default=0
        The number of the first draw to evaluate, a multiple of the chunk size: those
        before it are known.
    n_jobs : int or None
        The number of workers, as in joblib.
    verbose : int
        Whether to show progress.
    label : str
        What to call the work when showing progress.

    Returns
    -------
    ndarray of shape (n_draws - first, ...)
        The results, in the order of the draws.
    """
    starts, step = range(first, n_draws, scheme.chunk_size), scheme.chunk_size
    tasks = [(start, min(step, n_draws - start)) for start in starts]
    shared = Shared(scheme, score, seed)
    # A scorer warns on odd resamples; what matters of it is counted and reported.
    # Filters are set here, once, and reach the workers: threads share them.
    with (
        warnings.catch_warnings(action="ignore"),
        one_blas_thread(),
        contextlib.closing(_in_order(shared, tasks, n_jobs)) as chunks,
        track(
            chunks, total=n_draws - first, label=label, verbose=verbose, size=len
        ) as tracked,
    ):
        return _collect(tracked, n_draws - first)


def _in_order(shared, tasks, n_jobs):
    """Yield the results of all tasks, with workers if the work is worth them."""
    began = time.perf_counter()
    first = _evaluate_chunk(shared, *tasks[0])
    seconds_left = (time.perf_counter() - began) * (len(tasks) - 1)
    yield first
    if joblib.effective_n_jobs(n_jobs) == 1 or seconds_left < SECONDS_WORTH_WORKERS:
        yield from (_evaluate_chunk(shared, *task) for task in tasks[1:])
    else:
        prefer = shared.parts[0].prefer
        yield from from_workers(
            _evaluate_chunk, shared, tasks[1:], n_jobs=n_jobs, prefer=prefer
        )


def _evaluate_chunk(shared, start, size):
    scheme, score, seed = shared.parts
    rng = chunk_generator(seed, start // scheme.chunk_size)
    with one_blas_thread():
        blocks = scheme.blocks(start, size, rng)
        return np.concatenate([score(block) for block in blocks])


def _collect(chunks, n_draws):
    results, filled = None, 0
    for chunk in chunks:
        if results is None:
            results = np.empty((n_draws, *chunk.shape[1:]))
        results[filled : filled + len(chunk)] = chunk
        filled += len(chunk)
    return results
