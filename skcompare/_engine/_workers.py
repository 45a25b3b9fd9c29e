"""Having workers do tasks, whatever joblib's backend: threads, processes, a cluster."""

import sys
from concurrent.futures import BrokenExecutor, CancelledError

from sklearn.utils.parallel import Parallel, delayed

# Arrays of at least so many bytes are shared by worker processes, not sent with each
# task.
LARGE = 2**14

# So often in a row may workers get lost before any result has come.
MOST_LOSSES = 3


def from_workers(function, tasks, *, n_jobs, prefer):
    """Yield ``function(*task)`` of each task, in order, computed by workers.

    Tasks whose results had not come when a worker died are sent again, so `function`
    must return the same each time.

    Parameters
    ----------
    function : callable
        What to compute. Worker processes on one machine share the large arrays in it.
    tasks : list of tuple
        What is special to each task.
    n_jobs : int or None
        The number of workers, as in joblib.
    prefer : {"processes", "threads"}
        The kind of workers that suit the work, where the user does not say.

    Yields
    ------
    object
        The results.
    """
    done, losses = 0, 0
    while done < len(tasks):
        calls = (delayed(function)(*task) for task in tasks[done:])
        try:
            for result in _parallel(n_jobs, prefer)(calls):
                yield result
                done, losses = done + 1, 0
        except _losses():
            losses += 1
            if losses == MOST_LOSSES:
                raise


def _parallel(n_jobs, prefer):
    """Return a `Parallel` that streams where the backend can."""
    settings = {"n_jobs": n_jobs, "prefer": prefer, "max_nbytes": LARGE}
    try:
        return Parallel(return_as="generator", **settings)
    except ValueError:  # "multiprocessing" and "ray" cannot
        return Parallel(**settings)


def _losses():
    """Return the errors that tell of a lost worker: of loky, dask and ray."""
    ray = sys.modules.get("ray.exceptions")
    return (BrokenExecutor, CancelledError, *([ray.RayActorError] if ray else []))
