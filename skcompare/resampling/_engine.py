"""Evaluating many draws in chunks: reproducible, parallel, one block at a time."""

import functools
import time
import warnings

import joblib
import numpy as np
from sklearn.utils.parallel import Parallel, delayed
from threadpoolctl import ThreadpoolController

from skcompare._progress import track
from skcompare._random import chunk_generator

__all__ = ["RowScheme", "evaluate_draws"]

# Starting worker processes takes a second or two; less work is done here and now.
SECONDS_WORTH_WORKERS = 2.0

# Arrays of at least so many bytes are shared by worker processes, not sent with each
# task.
LARGE = 2**14


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


def evaluate_draws(scheme, score, n_draws, *, seed, n_jobs=None, verbose=0, label=""):
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
    starts, step = range(0, n_draws, scheme.chunk_size), scheme.chunk_size
    tasks = [(scheme, score, s, min(step, n_draws - s), seed) for s in starts]
    # A scorer warns on odd resamples; what matters of it is counted and reported.
    # Filters are set here, once, and reach the workers: threads share them. With one
    # BLAS thread the sums do not depend on how many there are, nor fight for cores.
    with warnings.catch_warnings(), _blas().limit(limits=1, user_api="blas"):
        warnings.simplefilter("ignore")
        chunks = _in_order(tasks, n_jobs, scheme.prefer)
        chunks = track(chunks, total=len(tasks), label=label, verbose=verbose)
        return _collect(chunks, n_draws)


@functools.cache
def _blas():
    return ThreadpoolController()


def _evaluate_chunk(scheme, score, start, size, seed):
    rng = chunk_generator(seed, start // scheme.chunk_size)
    return np.concatenate([score(block) for block in scheme.blocks(start, size, rng)])


def _in_order(tasks, n_jobs, prefer):
    """Yield the results of all tasks, with workers if the work is worth them."""
    began = time.perf_counter()
    first = _evaluate_chunk(*tasks[0])
    seconds_left = (time.perf_counter() - began) * (len(tasks) - 1)
    yield first
    if joblib.effective_n_jobs(n_jobs) == 1 or seconds_left < SECONDS_WORTH_WORKERS:
        yield from (_evaluate_chunk(*task) for task in tasks[1:])
    else:
        yield from _parallel(n_jobs, prefer)(
            delayed(_evaluate_chunk)(*task) for task in tasks[1:]
        )


def _parallel(n_jobs, prefer):
    """Return a `Parallel` that streams where the backend can."""
    try:
        return Parallel(
            n_jobs=n_jobs, prefer=prefer, return_as="generator", max_nbytes=LARGE
        )
    except ValueError:  # "multiprocessing" and "ray" cannot
        return Parallel(n_jobs=n_jobs, prefer=prefer, max_nbytes=LARGE)


def _collect(chunks, n_draws):
    results, filled = None, 0
    for chunk in chunks:
        if results is None:
            results = np.empty((n_draws, *chunk.shape[1:]))
        results[filled : filled + len(chunk)] = chunk
        filled += len(chunk)
    return results
