"""Evaluating many draws in chunks: reproducible, parallel, one block at a time."""

import contextlib
import functools
import threading
import warnings

import numpy as np
from threadpoolctl import ThreadpoolController

from skcompare._engine._workers import results_of
from skcompare._progress import track
from skcompare._random import chunk_generator


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
        warnings.catch_warnings(action="ignore"),
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
        blocks = scheme.blocks(start, size, rng)
        return np.concatenate([resampler.score(block) for block in blocks])


class OneThread:
    """A limit of BLAS threads that those who work side by side share.

    The limit is one of the process, so the first to come sets it and the last to leave
    lifts it: whoever leaves earlier takes it from nobody.
    """

    def __init__(self):
        self._lock, self._users, self._controller = threading.Lock(), 0, None

    @contextlib.contextmanager
    def held(self):
        """Hold the limit."""
        with self._lock:
            if self._controller is None:  # finds the libraries that are loaded by now
                self._controller = ThreadpoolController()
            if self._users == 0:
                self._limit = self._controller.limit(limits=1, user_api="blas")
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    self._limit.restore_original_limits()


# A context in which BLAS runs on one thread. Sums then do not depend on how many a
# worker would have, and workers on one machine do not fight for its cores.
one_blas_thread = OneThread().held
