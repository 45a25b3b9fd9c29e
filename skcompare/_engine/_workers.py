"""Run tasks in the calling process and in workers, with any joblib backend.

Worker processes on this machine take seconds to start, because they import libraries.
Until they are ready, the calling process works alone; then it goes on as one of the
`n_jobs`. So work that ends before they are ready takes as long as without workers, and
longer work never takes longer than without them. They are started as soon as there is
clearly enough work, possibly during the first task. With threads, clusters and other
backends, workers do everything but the first task.

Worker processes import modules anew, so a function may be another one there: a module
was edited, or a variable in it was set. If its results can be compared, each worker
repeats the first task, and gets others only if its result is the same.
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

# Minimum seconds of work for which workers are used: starting worker processes takes a
# second or two. The work is estimated after a fraction of this time, not earlier, since
# the first task is often slow.
SECONDS_WORTH_WORKERS = 2.5
ESTIMATION_FRACTION = 0.04

# Seconds of work that a worker gets at a time, unless a single task takes longer.
SECONDS_PER_BATCH = 0.05

# Number of consecutive losses of workers without any result after which to give up.
MAX_LOSSES = 3

# Errors raised for tasks whose worker dies or is stopped by another thread.
LOSS_ERRORS = (BrokenExecutor, CancelledError, ShutdownExecutorError)

# Seconds without work after which a worker process exits.
IDLE_TIMEOUT = 300

# Trackers of the memory and files that processes share.
TRACKERS = (resource_tracker, multiprocessing.resource_tracker)

# Environment variables with the number of threads of libraries in a worker process.
THREAD_VARIABLES = (
    "BLIS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


def results_of(function, tasks, *, n_jobs, prefer, same=None):
    """Yield ``function(*task)`` for each task, in order, with workers if worth it.

    Parameters
    ----------
    function : callable
        The function to call. It must return the same result for a task in any process.
    tasks : list of tuple
        The arguments of each call.
    n_jobs : int or None
        The number of processes or threads, as in joblib.
    prefer : {"processes", "threads"}
        The kind of workers to use unless the user has chosen a backend.
    same : callable or None, default=None
        ``same(a, b)`` returns whether two results of a task are the same. None if
        results cannot be compared, such as fitted models.

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
        nested = functools.partial(_call_nested, function)
        yield from _with_processes(nested, tasks, n_workers, n_threads, same)
        return
    began = time.perf_counter()
    yield function(*tasks[0])
    seconds_left = (time.perf_counter() - began) * (len(tasks) - 1)
    if seconds_left < SECONDS_WORTH_WORKERS:
        yield from (function(*task) for task in tasks[1:])
    else:
        yield from from_workers(function, tasks[1:], n_jobs=n_jobs, prefer=prefer)


def _call_nested(function, *task):
    """Call a function with the nested backend of joblib, here or in a worker process.

    As in joblib workers, parallel code in the function uses threads, and no task starts
    more processes.
    """
    backend, n_jobs = get_active_backend()[0].get_nested_backend()
    with joblib.parallel_config(backend=backend, n_jobs=n_jobs):
        return function(*task)


def _with_processes(function, tasks, n_workers, n_threads, same):
    """Yield results in order, of tasks run here and in worker processes."""
    todo, results = collections.deque(range(len(tasks))), {}
    helpers = Helpers(function, tasks, todo, results, (n_workers, n_threads), same)
    done, n_here, seconds = 0, 0, 0.0
    # If the first task takes this long, workers are started before it ends.
    fraction = max(ESTIMATION_FRACTION, 1 / len(tasks))
    early = threading.Timer(fraction * SECONDS_WORTH_WORKERS, helpers.start)
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
            except IndexError:  # workers are running the remaining tasks
                helpers.wait_for(done)
                continue
            began = time.perf_counter()
            result = results[number] = function(*tasks[number])
            if number == 0:
                helpers.end_first(result)
            n_here, seconds = n_here + 1, seconds + time.perf_counter() - began
            early.cancel()
            helpers.seconds_each = each = seconds / n_here
            left = min(each * len(todo), seconds / ESTIMATION_FRACTION)
            if left >= SECONDS_WORTH_WORKERS:
                helpers.start()
            helpers.check()
    finally:
        early.cancel()
        helpers.end()
        # After an error or an interrupt, here or in the consumer of results, workers
        # would continue their tasks and delay the exit of the script.
        if done < len(tasks):
            _end_pools()


class Helpers:
    """Worker processes that run tasks as soon as they are ready.

    Parameters
    ----------
    function : callable
        The function to call.
    tasks : list of tuple
        The arguments of each call.
    todo : deque of int
        The numbers of the tasks that have not been started.
    results : dict
        The results, by task number, to which results of workers are added.
    of_pool : tuple of int
        The number of workers, and the number of threads of each.
    same : callable or None
        Compares the result of the first task with that of a worker.

    Attributes
    ----------
    seconds_each : float
        Mean duration of a task here: workers get several short tasks at a time.

    Notes
    -----
    Three threads use this object: the calling thread, which runs tasks; a timer, which
    may call `start` during the first task; and one of the pool, which calls `_receive`.

    ===============  ================  ================================================
    field            changed by        guarded by
    ===============  ================  ================================================
    todo             calling, pool     nothing: popping a number is atomic
    results          calling, pool     nothing: each number is added and removed once
    path, tries      calling, timer    starting
    error, lost      pool              news, for which the calling thread may wait
    differs          pool              news
    ended, first     calling           news, so that the pool takes no number after it
    ===============  ================  ================================================
    """

    def __init__(self, function, tasks, todo, results, of_pool, same=None):
        call, _, _ = delayed(function)()
        # Set here, because the configuration of scikit-learn is thread-local.
        self._call = call.with_config_and_warning_filters(
            get_config(), warnings.filters
        )
        self._tasks, self._todo, self._results = tasks, todo, results
        self._of_pool, self.seconds_each = of_pool, math.inf
        self._news, self._path, self._ended = threading.Condition(), None, False
        self._starting, self._tries = threading.Lock(), 2
        self._error, self._lost, self._losses = None, False, 0
        self._same, self._first, self._differs = same, [], False

    def start(self):
        """Save the function to a file and start workers, once.

        Functions that cannot be pickled are called here only. Pickling is tried twice,
        because it may fail just because a task is running.
        """
        if not self._starting.acquire(blocking=False):  # another thread starts them
            return
        try:
            if self._todo and not self._ended and self._path is None and self._tries:
                self._tries -= 1
                try:
                    self._path = _handover.save(self._call)
                except Exception:  # from pickling user-defined objects, or disk full
                    return
                self._submit_first()
        except OSError:  # no memory for a process
            return
        finally:
            self._starting.release()

    def _submit_first(self):
        """Submit the first task, or none, to each worker; it gets others afterwards."""
        self._lost, pool = False, _pool(*self._of_pool)
        repeated = [] if self._same is None else [0]
        with _interrupts_blocked():
            for _ in range(self._of_pool[0]):
                self._submit(pool, [], repeated)

    def _submit(self, pool, numbers, repeated=()):
        """Submit tasks, and those that are repeated to compare their results."""
        tasks = [self._tasks[number] for number in (*repeated, *numbers)]
        try:
            future = pool.submit(_run, self._path, tasks)
        except (RuntimeError, BrokenExecutor):  # another worker has died
            self._take_back(numbers)
        else:
            future.add_done_callback(functools.partial(self._receive, pool, numbers))

    def _receive(self, pool, numbers, future):
        """Store the results of a worker, and submit more tasks to it."""
        error = CancelledError() if future.cancelled() else future.exception()
        if isinstance(error, LOSS_ERRORS):
            self._take_back(numbers)
            return
        more, n_more = [], 1 + int(SECONDS_PER_BATCH / max(self.seconds_each, 1e-6))
        with self._news:
            if self._same is not None and not numbers:
                self._differs |= not self._repeats_first(error, future)
            elif error is not None:
                self._error = error
            else:
                self._results.update(zip(numbers, future.result(), strict=True))
            if not self._differs and self._error is None:
                self._losses = 0 if numbers else self._losses
                with contextlib.suppress(IndexError):  # no task is left
                    while not self._ended and len(more) < n_more:
                        more.append(self._todo.popleft())
            self._news.notify()
        if more:
            self._submit(pool, more)

    def _repeats_first(self, error, future):
        """Return whether a worker's result of the first task is that of this process.

        So is an interrupt, which ends the work. Other errors are those of the worker.
        """
        if error is not None and not isinstance(error, Exception):
            self._error = error
            return True
        self._news.wait_for(lambda: self._first or self._ended)
        if self._ended:
            return True
        return error is None and self._same(self._first[0], future.result()[0])

    def end_first(self, result):
        """Keep the result of the first task, to compare it with those of workers."""
        with self._news:
            self._first = [result]
            self._news.notify_all()

    def _take_back(self, numbers):
        with self._news:
            self._todo.extendleft(reversed(numbers))
            self._lost = True
            self._news.notify()

    def check(self):
        """Raise the error of a task, if any; replace lost workers, end other ones."""
        if self._error is not None:
            raise self._error
        if self._differs:  # all tasks are run here
            _end_pools()
        elif self._lost:
            _POOLS.clear()
            self._losses += 1
            if self._losses < MAX_LOSSES:  # otherwise all tasks are run here
                self._submit_first()

    def wait_for(self, number):
        """Wait for a result, an error or the loss of a worker, for up to a second."""
        with self._news:
            self._news.wait_for(
                lambda: number in self._results or self._error or self._lost, timeout=1
            )
        self.check()

    def end(self):
        """Submit no more tasks to workers, and remove the file."""
        with self._news:
            self._ended = True
            self._news.notify_all()
        with self._starting:  # wait if workers are being started
            if self._path is not None:
                _handover.remove(self._path)


# Existing pools of worker processes, by the numbers of workers and of threads of each.
_POOLS = {}


def _end_pools():
    """End all workers, and the tasks that they run."""
    while _POOLS:
        _POOLS.popitem()[1].shutdown(wait=False, kill_workers=True)


def _pool(n_workers, n_threads):
    """Return a pool of at least `n_workers`, of which others remain idle."""
    for (n_existing, n_existing_threads), pool in list(_POOLS.items()):
        if n_existing >= n_workers and n_existing_threads == n_threads:
            return pool
    while _POOLS:
        _POOLS.popitem()[1].shutdown(wait=False)
    names = (name for name in THREAD_VARIABLES if name not in os.environ)
    env = dict.fromkeys(names, str(n_threads))
    pool = ProcessPoolExecutor(
        max_workers=n_workers,
        timeout=IDLE_TIMEOUT,
        env=env,
        initializer=_handover.watch_parent,
        initargs=(os.getpid(),),
    )
    _POOLS[n_workers, n_threads] = pool
    return pool


@contextlib.contextmanager
def _interrupts_blocked():
    """Let processes that are started here ignore Ctrl-C until they are ready.

    A terminal sends it to all processes: it would end their imports with a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    for tracker in TRACKERS:  # processes that unblock the signal when they start
        tracker.ensure_running()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _run(path, tasks):
    """Run tasks in a worker process; without tasks, just load the function."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    function = _handover.load(path)
    return [function(*task) for task in tasks]


def from_workers(function, tasks, *, n_jobs, prefer):
    """Yield ``function(*task)`` for each task, in order, computed by workers.

    When a worker dies, tasks without results are submitted again, so `function` must be
    deterministic.

    Parameters
    ----------
    function : callable
        The function to call. Worker processes on one machine share its large arrays.
    tasks : list of tuple
        The arguments of each call.
    n_jobs : int or None
        The number of workers, as in joblib.
    prefer : {"processes", "threads"}
        The kind of workers to use unless the user has chosen a backend.

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
        except _loss_errors():
            losses += 1
            if losses == MAX_LOSSES:
                raise


def _parallel(n_jobs, prefer):
    """Return a `Parallel` that yields results one by one if the backend supports it."""
    settings = {"n_jobs": n_jobs, "prefer": prefer, "max_nbytes": _handover.LARGE}
    try:
        return Parallel(return_as="generator", **settings)
    except ValueError:  # "multiprocessing" and "ray" do not support generators
        return Parallel(**settings)


def _loss_errors():
    """Return the errors raised for lost workers by loky, dask and ray."""
    ray = sys.modules.get("ray.exceptions")
    return (*LOSS_ERRORS, *([ray.RayActorError] if ray else []))
