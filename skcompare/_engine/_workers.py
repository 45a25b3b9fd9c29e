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
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    wait,
)

import joblib
from joblib.externals.loky import ProcessPoolExecutor
from joblib.externals.loky.backend import resource_tracker
from joblib.externals.loky.process_executor import ShutdownExecutorError
from joblib.parallel import LokyBackend, get_active_backend
from sklearn import get_config
from sklearn.utils.parallel import Parallel, delayed

from skcompare._engine import _handover

# Starting worker processes takes a second or two; less work is done here and now. How
# long it will take shows after a small part of that: the first task is often slow.
SECONDS_WORTH_WORKERS = 2.5
PART_TO_JUDGE_BY = 0.04

# Workers get so many seconds of work at a time, or one task.
SECONDS_AT_A_TIME = 0.25

# So often in a row may workers get lost before any result has come.
MOST_LOSSES = 3

# What becomes of tasks whose worker dies, or is ended by another thread.
LOSSES = (BrokenExecutor, CancelledError, ShutdownExecutorError)

# So many seconds without work end a worker process.
PATIENCE = 300

# What keeps account of the memory and files that processes share.
TRACKERS = (resource_tracker, multiprocessing.resource_tracker)


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
    if type(backend) is LokyBackend:
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
    helpers = Helpers(function, tasks, n_workers, n_threads)
    todo, results = helpers.todo, helpers.results
    done, n_here, seconds = 0, 0, 0.0
    helpers.start()
    try:
        while done < len(tasks):
            if helpers.error is not None:
                raise helpers.error
            if done in results:
                yield results.pop(done)
                done += 1
                continue
            try:
                number = todo.popleft()
            except IndexError:  # the others are at the rest of it
                helpers.news.wait(timeout=1)
                helpers.news.clear()
                continue
            began = time.perf_counter()
            results[number] = function(*tasks[number])
            n_here, seconds = n_here + 1, seconds + time.perf_counter() - began
            helpers.seconds_each = each = seconds / n_here
            left = min(each * len(todo), seconds / PART_TO_JUDGE_BY)
            if left >= SECONDS_WORTH_WORKERS and not helpers.worth_it.is_set():
                helpers.worth_it.set()
                helpers.news.wait(timeout=1)  # they start sooner if we do nothing
    finally:
        helpers.end()
        # An error or an interrupt, here or where results go: who still has a task would
        # go on, and have the script wait for it in the end.
        while done < len(tasks) and _POOLS:
            _POOLS.popitem()[1].shutdown(wait=False, kill_workers=True)


class Helpers(threading.Thread):
    """A thread that has worker processes take tasks, from when they are ready to work.

    Parameters
    ----------
    function : callable
        What to compute.
    tasks : list of tuple
        What is special to each task.
    n_workers, n_threads : int
        The numbers of workers, and of threads that each may run.

    Attributes
    ----------
    todo : deque of int
        The numbers of the tasks that nobody has begun. Whoever takes one has it alone.
    results : dict
        What was computed, here or by workers, by number.
    error : BaseException or None
        What a task of a worker has raised.
    news : Event
        Set by this thread, for which the calling one may wait: workers were started,
        there are more results, an error, or tasks to do again.
    worth_it : Event
        Set by the calling thread as soon as it knows that there is enough to do.
    seconds_each : float
        How long a task takes, as the calling thread has found, infinity before it has
        done any: workers get several short ones at a time.
    """

    def __init__(self, function, tasks, n_workers, n_threads):
        super().__init__(daemon=True)
        call, _, _ = delayed(function)()
        # Set here: the configuration of scikit-learn is one of the thread.
        self._call = call.with_config_and_warning_filters(
            get_config(), warnings.filters
        )
        self._tasks, self._n_workers, self._n_threads = tasks, n_workers, n_threads
        self.todo, self.results = collections.deque(range(len(tasks))), {}
        self.news, self.worth_it = threading.Event(), threading.Event()
        self.error, self.seconds_each = None, math.inf
        self._ended, self._losses = Future(), 0

    def run(self):
        """Start workers when they are worth it, and replace those that get lost.

        What cannot leave this process is done in it. While a task runs, pickling can
        fail because of that alone: so there is a second try, when none does.
        """
        # A first task that takes this long shows before its end that the rest is long.
        part = max(PART_TO_JUDGE_BY, 1 / len(self._tasks))
        clear = self.worth_it.wait(part * SECONDS_WORTH_WORKERS)
        if not clear and self.seconds_each < math.inf:
            self.worth_it.wait()
        path, n_tries = None, 2
        while path is None and n_tries and self.todo and not self._ended.done():
            n_tries -= 1
            with contextlib.suppress(Exception):  # what objects of a user raise, or I/O
                path = _handover.leave(self._call)
            if path is None:
                self.worth_it.wait()  # after which the calling thread waits for news
        if path is None:
            self.news.set()
            return
        # Ctrl-C in a terminal goes to all processes, and would end imports of workers
        # with a traceback: they begin without heeding it.
        if hasattr(signal, "pthread_sigmask"):  # not on Windows
            for tracker in TRACKERS:  # processes that lift the mask when they start
                tracker.ensure_running()
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        with contextlib.suppress(OSError):  # no room for a process
            while self._losses < MOST_LOSSES:
                try:
                    self._serve(path)
                    break
                except LOSSES:
                    _POOLS.clear()
                    self._losses += 1
        self.news.set()
        _handover.remove(path)

    def _serve(self, path):
        """Have workers do tasks until none are left; raise if some got lost."""
        pool, loss = _pool(self._n_workers, self._n_threads), None
        # At first all get ready.
        under_way = {pool.submit(_do, path, []): [] for _ in range(self._n_workers)}
        self.news.set()
        while under_way:
            done, _ = wait([*under_way, self._ended], return_when=FIRST_COMPLETED)
            if self._ended in done:
                break
            for future in done:
                numbers = under_way.pop(future)
                try:
                    self.results.update(zip(numbers, future.result(), strict=True))
                    self._losses = 0 if numbers else self._losses
                    if numbers := self._next_numbers():
                        tasks = [self._tasks[number] for number in numbers]
                        under_way[pool.submit(_do, path, tasks)] = numbers
                except LOSSES as error:
                    self.todo.extendleft(reversed(numbers))
                    loss = error
                except BaseException as error:  # of a task
                    self.error = error
            self.news.set()
        if loss is not None:
            raise loss

    def _next_numbers(self):
        """Take tasks for a worker, several short ones unless few are left."""
        most = min(
            SECONDS_AT_A_TIME / max(self.seconds_each, 1e-6),
            len(self.todo) / (4 * self._n_workers),
        )
        numbers = []
        with contextlib.suppress(IndexError):  # nothing is left
            while len(numbers) <= most:
                numbers.append(self.todo.popleft())
        return numbers

    def end(self):
        """Take nothing more from workers."""
        self._ended.set_result(None)
        self.worth_it.set()
        self.join()


# The worker processes that are there, by their number and that of their threads.
_POOLS = {}


def _pool(n_workers, n_threads):
    """Return so many workers; more may be there, and get nothing to do."""
    for (n_there, n_threads_there), pool in list(_POOLS.items()):
        if n_there >= n_workers and n_threads_there == n_threads:
            return pool
    while _POOLS:
        _POOLS.popitem()[1].shutdown(wait=False)
    names = (n for n in LokyBackend.MAX_NUM_THREADS_VARS if n not in os.environ)
    env = dict.fromkeys(names, str(n_threads))
    pool = ProcessPoolExecutor(max_workers=n_workers, timeout=PATIENCE, env=env)
    _POOLS[n_workers, n_threads] = pool
    return pool


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
    settings = {"n_jobs": n_jobs, "prefer": prefer, "max_nbytes": _handover.LARGE}
    done, losses = 0, 0
    while done < len(tasks):
        try:
            parallel = Parallel(return_as="generator", **settings)
        except ValueError:  # "multiprocessing" and "ray" cannot
            parallel = Parallel(**settings)
        try:
            for result in parallel(delayed(function)(*task) for task in tasks[done:]):
                yield result
                done, losses = done + 1, 0
        except _losses():
            losses += 1
            if losses == MOST_LOSSES:
                raise


def _losses():
    """Return the errors that tell of a lost worker: of loky, dask and ray."""
    ray = sys.modules.get("ray.exceptions")
    return (*LOSSES, *([ray.RayActorError] if ray else []))
