"""Having work done here and by workers, whatever joblib's backend.

Worker processes of this machine take seconds to start, for they import what the work
needs. Until they are ready the calling process works alone, and from then on together
with them: it is one of the `n_jobs`. So work that ends before they are ready takes as
long as without them, and longer work never takes longer. They are started as soon as it
is clear that there is enough to do, be it in the midst of the first task. Threads,
clusters and other backends are given all of the work but its beginning.
"""

import collections
import contextlib
import functools
import math
import multiprocessing.resource_tracker
import os
import signal
import sys
import threading
import time
import warnings
from concurrent.futures import BrokenExecutor, CancelledError

import joblib
from joblib.parallel import get_active_backend
from sklearn import get_config
from sklearn.utils.parallel import Parallel, delayed

from skcompare._engine import _handover
from skcompare._foreign import (
    ProcessPoolExecutor,
    ShutdownExecutorError,
    resource_tracker,
)

# Starting worker processes takes a second or two; less work is done here and now. How
# long it will take shows after a small part of that: the first task is often slow.
SECONDS_WORTH_WORKERS = 2.5
PART_TO_JUDGE_BY = 0.04

# Workers get so many seconds of work at a time, or one task.
SECONDS_AT_A_TIME = 0.05

# So often in a row may workers get lost before any result has come.
MOST_LOSSES = 3

# What becomes of tasks whose worker dies, or is ended by another thread.
LOSSES = (BrokenExecutor, CancelledError, ShutdownExecutorError)

# So many seconds without work end a worker process.
PATIENCE = 300

# What keeps account of the memory and files that processes share.
TRACKERS = (resource_tracker, multiprocessing.resource_tracker)

# What says how many threads libraries run in a worker process.
THREAD_VARIABLES = (
    "BLIS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


def results_of(function, tasks, *, n_jobs, prefer):
    """Yield ``function(*task)`` of each task, in order, with workers if worth it.

    Parameters
    ----------
    function : callable
        What to compute. It returns the same each time, whoever calls it.
    tasks : list of tuple
        What is special to each task.
    n_jobs : int or None
        The number of processes or threads that work, as in joblib.
    prefer : {"processes", "threads"}
        The kind of workers that suit the work, where the user does not say.

    Yields
    ------
    object
        The results.
    """
    n_jobs = joblib.effective_n_jobs(n_jobs)
    if n_jobs == 1 or len(tasks) == 1:
        yield from (function(*task) for task in tasks)
        return
    backend = get_active_backend(prefer=prefer)[0]
    if type(backend).__name__ == "LokyBackend":
        n_threads = backend.inner_max_num_threads
        n_threads = n_threads or max(joblib.cpu_count() // n_jobs, 1)
        n_workers = min(n_jobs, len(tasks)) - 1
        nested = functools.partial(_nested, function)
        yield from _here_and_there(nested, tasks, n_workers, n_threads)
        return
    began = time.perf_counter()
    yield function(*tasks[0])
    seconds_left = (time.perf_counter() - began) * (len(tasks) - 1)
    if seconds_left < SECONDS_WORTH_WORKERS:
        yield from (function(*task) for task in tasks[1:])
    else:
        yield from from_workers(function, tasks[1:], n_jobs=n_jobs, prefer=prefer)


def _nested(function, *task):
    """Do a task, here or in a worker process; what it has done in parallel is nested.

    As in workers of joblib it takes threads, and no task starts more processes.
    """
    backend, n_jobs = get_active_backend()[0].get_nested_backend()
    with joblib.parallel_config(backend=backend, n_jobs=n_jobs):
        return function(*task)


def _here_and_there(function, tasks, n_workers, n_threads):
    """Yield results in order, of tasks done here and by other processes."""
    todo, results = collections.deque(range(len(tasks))), {}
    helpers = Helpers(function, tasks, todo, results, (n_workers, n_threads))
    done, n_here, seconds = 0, 0, 0.0
    # A first task that takes this long shows before its end that the rest is long, too.
    part = max(PART_TO_JUDGE_BY, 1 / len(tasks))
    early = threading.Timer(part * SECONDS_WORTH_WORKERS, helpers.start)
    early.daemon = True
    early.start()
    try:
        while done < len(tasks):
            if done in results:
                yield results.pop(done)
                done += 1
                continue
            try:
                number = todo.popleft()
            except IndexError:  # the others are at the rest of it
                helpers.wait_for(done)
                continue
            began = time.perf_counter()
            results[number] = function(*tasks[number])
            n_here, seconds = n_here + 1, seconds + time.perf_counter() - began
            early.cancel()
            helpers.seconds_each = each = seconds / n_here
            left = min(each * len(todo), seconds / PART_TO_JUDGE_BY)
            if left >= SECONDS_WORTH_WORKERS:
                helpers.start()
            helpers.check()
    finally:
        early.cancel()
        helpers.end()
        # An error or an interrupt, here or where results go: who still has a task would
        # go on, and have the script wait for it in the end.
        while done < len(tasks) and _POOLS:
            _POOLS.popitem()[1].shutdown(wait=False, kill_workers=True)


class Helpers:
    """Worker processes that take tasks, from when they are ready to work.

    Parameters
    ----------
    function : callable
        What to compute.
    tasks : list of tuple
        What is special to each task.
    todo : deque of int
        The numbers of the tasks that nobody has begun.
    results : dict
        Where results go, by number.
    of_pool : tuple of int
        The numbers of workers, and of threads that each may run.

    Attributes
    ----------
    seconds_each : float
        How long a task takes here: workers get several short ones at a time.

    Notes
    -----
    Three threads meet here: the calling one, which works; a timer, which may `start`
    workers while the first task runs; and one of the pool, which calls `_receive`.

    ============  ==================  =================================================
    field         changed by          guarded by
    ============  ==================  =================================================
    todo          calling, pool       nothing: who takes a number has it alone
    results       calling, pool       nothing: each number comes once, and goes once
    path, tries   calling, timer      starting
    error, lost   pool                news, for which the calling thread may wait
    ended         calling             news, so that the pool takes no number after it
    ============  ==================  =================================================
    """

    def __init__(self, function, tasks, todo, results, of_pool):
        call, _, _ = delayed(function)()
        # Set here: the configuration of scikit-learn is one of the thread.
        self._call = call.with_config_and_warning_filters(
            get_config(), warnings.filters
        )
        self._tasks, self._todo, self._results = tasks, todo, results
        self._of_pool, self.seconds_each = of_pool, math.inf
        self._news, self._path, self._ended = threading.Condition(), None, False
        self._starting, self._tries = threading.Lock(), 2
        self._error, self._lost, self._losses = None, False, 0

    def start(self):
        """Start workers, once, and leave the function where they find it.

        What cannot leave this process is done in it. While a task runs, pickling can
        fail because of that alone: so there is a second try.
        """
        if not self._starting.acquire(blocking=False):  # another thread is at it
            return
        try:
            if self._todo and not self._ended and self._path is None and self._tries:
                self._tries -= 1
                try:
                    self._path = _handover.leave(self._call)
                except Exception:  # whatever objects of a user raise, or no room
                    return
                self._call_workers()
        except OSError:  # no room for a process
            return
        finally:
            self._starting.release()

    def _call_workers(self):
        """Have all workers get ready; each takes tasks when it is."""
        self._lost, pool = False, _pool(*self._of_pool)
        with _interrupts_held_back():
            for _ in range(self._of_pool[0]):
                self._submit(pool, [])

    def _submit(self, pool, numbers):
        try:
            future = pool.submit(_do, self._path, [self._tasks[n] for n in numbers])
        except (RuntimeError, BrokenExecutor):  # another worker has died
            self._take_back(numbers)
        else:
            future.add_done_callback(functools.partial(self._receive, pool, numbers))

    def _receive(self, pool, numbers, future):
        """Keep what a worker has done, and give it more."""
        error = CancelledError() if future.cancelled() else future.exception()
        if isinstance(error, LOSSES):
            self._take_back(numbers)
            return
        more, at_a_time = [], 1 + int(SECONDS_AT_A_TIME / max(self.seconds_each, 1e-6))
        with self._news:
            if error is not None:
                self._error = error
            else:
                self._results.update(zip(numbers, future.result(), strict=True))
                self._losses = 0 if numbers else self._losses
                with contextlib.suppress(IndexError):  # nothing is left
                    while not self._ended and len(more) < at_a_time:
                        more.append(self._todo.popleft())
            self._news.notify()
        if more:
            self._submit(pool, more)

    def _take_back(self, numbers):
        with self._news:
            self._todo.extendleft(reversed(numbers))
            self._lost = True
            self._news.notify()

    def check(self):
        """Raise what a task has raised; replace workers that got lost."""
        if self._error is not None:
            raise self._error
        if self._lost:
            _POOLS.clear()
            self._losses += 1
            if self._losses < MOST_LOSSES:  # else the work is done here alone
                self._call_workers()

    def wait_for(self, number):
        """Wait until a result has come, or something is to be done about it."""
        with self._news:
            self._news.wait_for(
                lambda: number in self._results or self._error or self._lost, timeout=1
            )
        self.check()

    def end(self):
        """Take nothing more from workers."""
        with self._news:
            self._ended = True
        with self._starting:  # if they are being started, when they are
            if self._path is not None:
                _handover.remove(self._path)


# The worker processes that are there, by their number and that of their threads.
_POOLS = {}


def _pool(n_workers, n_threads):
    """Return so many workers; more may be there, and get nothing to do."""
    for (n_there, n_threads_there), pool in list(_POOLS.items()):
        if n_there >= n_workers and n_threads_there == n_threads:
            return pool
    while _POOLS:
        _POOLS.popitem()[1].shutdown(wait=False)
    names = (name for name in THREAD_VARIABLES if name not in os.environ)
    env = dict.fromkeys(names, str(n_threads))
    pool = ProcessPoolExecutor(max_workers=n_workers, timeout=PATIENCE, env=env)
    _POOLS[n_workers, n_threads] = pool
    return pool


@contextlib.contextmanager
def _interrupts_held_back():
    """Let processes that are started here begin without heeding Ctrl-C.

    A terminal sends it to all processes: it would end imports with a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    for tracker in TRACKERS:  # processes that lift the mask when they start
        tracker.ensure_running()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _do(path, tasks):
    """Do tasks in a worker process; none make it load the function."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    function = _handover.take(path)
    return [function(*task) for task in tasks]


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
    settings = {"n_jobs": n_jobs, "prefer": prefer, "max_nbytes": _handover.LARGE}
    try:
        return Parallel(return_as="generator", **settings)
    except ValueError:  # "multiprocessing" and "ray" cannot
        return Parallel(**settings)


def _losses():
    """Return the errors that tell of a lost worker: of loky, dask and ray."""
    ray = sys.modules.get("ray.exceptions")
    return (*LOSSES, *([ray.RayActorError] if ray else []))
