"""Having workers do tasks, whatever joblib's backend: threads, processes, a cluster."""

import sys
from concurrent.futures import BrokenExecutor, CancelledError

from sklearn.utils.parallel import Parallel, delayed

# Arrays of at least so many bytes are shared by worker processes, not sent with each
# task.
LARGE = 2**14

# So often in a row may workers get lost before any result has come.
MOST_LOSSES = 3


class Shared:
    """What all tasks have in common: sent to a worker once, if the backend can.

    Processes on this machine share the large arrays in it, whatever object holds them.
    The backend of dask sends arguments once that say that they are large.

    Parameters
    ----------
    *parts : object
        What the tasks need.
    """

    def __init__(self, *parts):
        self.parts = parts

    def __sizeof__(self):
        return LARGE


def from_workers(function, shared, tasks, *, n_jobs, prefer):
    """Yield ``function(shared, *task)`` of each task, in order, computed by workers.

    Tasks whose results had not come when a worker died are sent again, so `function`
    must return the same each time.

    Parameters
    ----------
    function : callable
        What to compute.
    shared : Shared
        What all tasks have in common.
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
        calls = (delayed(function)(shared, *task) for task in tasks[done:])
        try:
            for result in _parallel(n_jobs, prefer)(calls):
                yield result
                done, losses = done + 1, 0
        except _lost_worker():
            losses += 1
            if losses == MOST_LOSSES:
                raise


def _parallel(n_jobs, prefer):
    """Return a `Parallel` that streams where the backend can."""
    how = {"n_jobs": n_jobs, "prefer": prefer, "max_nbytes": LARGE}
    try:
        return Parallel(return_as="generator", **how)
    except ValueError:  # "multiprocessing" and "ray" cannot
        return Parallel(**how)


def _lost_worker():
    """Return the errors that tell of a lost worker: of loky, dask and ray."""
    ray = sys.modules.get("ray.exceptions")
    return (BrokenExecutor, CancelledError, *([ray.RayActorError] if ray else []))
