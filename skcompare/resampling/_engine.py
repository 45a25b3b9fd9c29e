"""Evaluating many draws in chunks: reproducible, parallel, one chunk at a time."""

import time
import warnings

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from skcompare._progress import track
from skcompare._random import chunk_generator

__all__ = ["evaluate_draws"]

# Fixed, so that the numbers depend on the seed alone: chunk i always has the same
# generator, whoever works on it. Small, so that few slow draws still spread evenly.
CHUNK_SIZE = 16

# Starting worker processes takes a second or two; less work is done here and now.
SECONDS_WORTH_WORKERS = 2.0


def evaluate_draws(scheme, score, n_draws, *, seed, n_jobs=None, verbose=0, label=""):
    """Apply `score` to every draw of a resampling scheme.

    Parameters
    ----------
    scheme : object
        Its ``draws(start, size, rng)`` yields draws number `start` and following.
    score : callable
        Turns a draw into an array of numbers, always of the same shape.
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
    starts = range(0, n_draws, CHUNK_SIZE)
    tasks = [(scheme, score, s, min(CHUNK_SIZE, n_draws - s), seed) for s in starts]
    # A scorer warns on odd resamples; what matters of it is counted and reported.
    # Filters are set here, once, and reach the workers: threads share them.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chunks = _in_order(tasks, n_jobs)
        chunks = track(chunks, total=len(tasks), label=label, verbose=verbose)
        return _collect(chunks, n_draws)


def _evaluate_chunk(scheme, score, start, size, seed):
    rng = chunk_generator(seed, start // CHUNK_SIZE)
    return np.array([score(draw) for draw in scheme.draws(start, size, rng)])


def _in_order(tasks, n_jobs):
    """Yield the results of all tasks, with workers if the work is worth them."""
    began = time.perf_counter()
    first = _evaluate_chunk(*tasks[0])
    seconds_left = (time.perf_counter() - began) * (len(tasks) - 1)
    yield first
    if effective_n_jobs(n_jobs) == 1 or seconds_left < SECONDS_WORTH_WORKERS:
        yield from (_evaluate_chunk(*task) for task in tasks[1:])
    else:
        yield from _parallel(n_jobs)(delayed(_evaluate_chunk)(*t) for t in tasks[1:])


def _parallel(n_jobs):
    """Return a `Parallel` that streams where the backend can."""
    try:
        return Parallel(n_jobs=n_jobs, return_as="generator")
    except ValueError:  # "multiprocessing" and "ray" cannot
        return Parallel(n_jobs=n_jobs)


def _collect(chunks, n_draws):
    results, filled = None, 0
    for chunk in chunks:
        if results is None:
            results = np.empty((n_draws, *chunk.shape[1:]))
        results[filled : filled + len(chunk)] = chunk
        filled += len(chunk)
    return results
