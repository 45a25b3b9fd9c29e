"""The calling process works until others are ready, and then beside them."""

import itertools
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path

import joblib
import numpy as np
import pytest
import sklearn
from joblib.externals.loky.process_executor import ShutdownExecutorError
from joblib.parallel import get_active_backend
from sklearn.datasets import make_classification
from sklearn.metrics import make_scorer
from sklearn.tree import DecisionTreeClassifier

from skcompare import ApproxRandomization, BayesianComparison, PairedBootstrap
from skcompare._engine import _handover, _workers, results_of

HERE = os.getpid()


@pytest.fixture
def workers_always(monkeypatch):
    """Let workers start however little there is to do."""
    monkeypatch.setattr(_workers, "SECONDS_WORTH_WORKERS", 0.0)


class Elsewhere:
    """Worker processes that are never heard of."""

    def submit(self, *args):
        return self

    def add_done_callback(self, callback):
        """Never call."""


def done_by_two(function, n_tasks):
    tasks = [(number,) for number in range(n_tasks)]
    return list(results_of(function, tasks, n_jobs=2, prefer="processes"))


def waiting(flag, here=HERE):
    """Return a function of numbers that leaves work to a worker, if one comes."""

    def square(number):
        if os.getpid() != here:
            flag.touch()
        elif not flag.exists():
            time.sleep(0.3)
        return number**2, os.getpid()

    return square


def test_results_come_in_order_from_any_worker(workers_always, tmp_path):
    results = done_by_two(waiting(tmp_path / "flag"), 200)
    numbers, processes = zip(*results, strict=True)
    assert numbers == tuple(number**2 for number in range(200))
    assert len(set(processes)) == 2


@pytest.fixture
def started(monkeypatch):
    """Record how many workers are requested, and start none."""
    numbers = []
    monkeypatch.setattr(_workers, "_pool", lambda n, n_threads: numbers.append(n))
    return numbers


def test_little_work_starts_no_workers(started):
    assert done_by_two(lambda number: number + 1, 50) == list(range(1, 51))
    assert not started


def test_no_more_workers_than_tasks_besides_the_first(monkeypatch, workers_always):
    """The calling process does one of them."""
    requested = []

    def no_pool(n_workers, n_threads):
        requested.append(n_workers)
        raise OSError("no room for a process")

    monkeypatch.setattr(_workers, "_pool", no_pool)
    tasks = [(number,) for number in range(3)]
    assert list(results_of(abs, tasks, n_jobs=6, prefer="processes")) == [0, 1, 2]
    assert requested == [2]


def test_a_pool_that_is_large_enough_is_taken_again(monkeypatch):
    """Fits are few and resamples many: the one must not end workers of the other."""
    pools = []

    class Pool:
        def __init__(self, max_workers, **kwargs):
            self.max_workers, self.ended = max_workers, False
            pools.append(self)

        def shutdown(self, wait, kill_workers=False):
            self.ended = True

    monkeypatch.setattr(_workers, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(_workers, "_POOLS", {})
    for n_workers in (3, 2, 3, 4):
        _workers._pool(n_workers, n_threads=1)
    assert [(pool.max_workers, pool.ended) for pool in pools] == [(3, True), (4, False)]


def test_a_first_task_that_is_slow_starts_no_worker(started):
    """As it is where something is imported or compiled on first use."""
    began = []

    def slow_at_first(number):
        if not began:
            began.append(number)
            time.sleep(0.02)
        return number

    assert done_by_two(slow_at_first, 1_000) == list(range(1_000))
    assert not started


def test_workers_start_while_the_first_task_runs(monkeypatch, tmp_path):
    """A task that takes half a minute need not end to show that the rest is long."""
    monkeypatch.setattr(_workers, "SECONDS_WORTH_WORKERS", 0.1)
    flag, here = tmp_path / "flag", HERE

    def long(number):
        if os.getpid() != here:
            flag.touch()
        began = time.perf_counter()
        while not flag.exists() and time.perf_counter() - began < 50:
            time.sleep(0.01)
        return number

    assert done_by_two(long, 4) == list(range(4))
    assert flag.exists()


def test_data_that_change_during_pickling_are_pickled_again(monkeypatch, tmp_path):
    """The task that runs may change it, such as by keeping what it has computed."""
    monkeypatch.setattr(_workers, "SECONDS_WORTH_WORKERS", 0.01)
    save, failures = _handover.save, iter([RuntimeError("changed")])

    def failing_once(call):
        for error in failures:
            raise error
        return save(call)

    monkeypatch.setattr(_handover, "save", failing_once)
    results = done_by_two(waiting(tmp_path / "flag"), 20)
    assert len({process for _, process in results}) == 2


def test_work_that_ends_early_does_not_wait(workers_always, monkeypatch):
    """Whatever becomes of the workers."""
    monkeypatch.setattr(_workers, "_pool", lambda *args: Elsewhere())
    assert done_by_two(lambda number: number + 1, 50) == list(range(1, 51))


def test_tasks_that_cannot_be_pickled_run_in_this_process(workers_always):
    lock = threading.Lock()

    def locked(number):
        with lock:
            return number

    assert done_by_two(locked, 20) == list(range(20))


def test_an_error_of_a_worker_is_raised_here(workers_always, tmp_path):
    flag, here = tmp_path / "flag", HERE

    def failing(number):
        if os.getpid() != here:
            flag.touch()
            raise KeyError("of a worker")
        time.sleep(0.0 if flag.exists() else 0.3)

    with pytest.raises(KeyError, match="of a worker"):
        done_by_two(failing, 200)


def is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def is_soon(condition, seconds=30):
    """Return whether something becomes true while we wait for it."""
    end = time.perf_counter() + seconds
    while not condition() and time.perf_counter() < end:
        time.sleep(0.02)
    return condition()


def same_numbers(a, b):
    return a == b


def done_alike(function, n_tasks):
    tasks = [(number,) for number in range(n_tasks)]
    options = {"n_jobs": 2, "prefer": "processes", "same": same_numbers}
    return list(results_of(function, tasks, **options))


@pytest.mark.parametrize("kind", ["other results", "errors"])
def test_workers_that_compute_something_else_are_not_used(
    workers_always, tmp_path, kind
):
    """As if a module had changed since they imported it."""
    flag, here = tmp_path / "flag", os.getpid()

    def square(number):
        if os.getpid() != here:
            flag.touch()
            if kind == "errors":
                raise ModuleNotFoundError("module")
            return -1
        if not flag.exists():
            time.sleep(0.1)
        time.sleep(0.001)
        return number**2

    assert done_alike(square, 200) == [number**2 for number in range(200)]
    assert flag.exists()


def test_workers_that_compute_the_same_are_used(workers_always, tmp_path):
    flag, here = tmp_path / "flag", os.getpid()

    def square(number):
        if os.getpid() != here and number:  # not only the task that is repeated
            flag.touch()
        elif not flag.exists():
            time.sleep(0.3)
        return number**2

    assert done_alike(square, 200) == [number**2 for number in range(200)]
    assert flag.exists()


CHANGED = """
import importlib, sys, pathlib
import numpy as np
from sklearn.metrics import make_scorer
from skcompare import PairedBootstrap
from skcompare._engine import _workers

_workers.SECONDS_WORTH_WORKERS = 0.0
sys.path.insert(0, ".")
pathlib.Path("own_metric.py").write_text(
    "import numpy as np, time\\nLEVEL = 0.5\\n"
    "def loss(y, p):\\n"
    "    time.sleep(0.004)\\n"
    "    return np.quantile(np.abs(y - p), LEVEL)\\n"
)
import own_metric

rng = np.random.default_rng(0)
y = rng.normal(size=200)
a, b = y + rng.normal(size=(2, 200))
scorer = make_scorer(own_metric.loss, greater_is_better=False)

def fit(n_jobs):
    test = PairedBootstrap(scoring=scorer, n_resamples=480, random_state=0)
    return test.set_params(n_jobs=n_jobs).fit_predictions(y, a, b).distribution_

def main():
    fit(2)
    own_metric.LEVEL = 0.9
    print(np.array_equal(fit(1), fit(2)))

if __name__ == "__main__":
    main()
"""


def test_a_variable_that_is_set_later_reaches_all_resamples(tmp_path):
    """Workers that still run import the module with the variable as it was."""
    (tmp_path / "script.py").write_text(CHANGED)
    script = [sys.executable, "script.py"]
    done = subprocess.run(
        script, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True"]


def test_an_error_here_ends_the_tasks_of_workers(workers_always, tmp_path):
    """Else the script ends when their tasks do, which may take hours."""
    flag, here = tmp_path / "flag", HERE

    def failing(number):
        if os.getpid() != here:
            (tmp_path / "part").write_text(str(os.getpid()))
            (tmp_path / "part").rename(flag)
            time.sleep(60)
        if flag.exists():
            raise ValueError("here")
        time.sleep(0.3)

    with pytest.raises(ValueError, match="here"):
        done_by_two(failing, 1_000)
    worker = int(flag.read_text())
    assert is_soon(lambda: not is_alive(worker))


def test_workers_that_another_thread_has_ended_are_lost(workers_always, monkeypatch):
    class Ended:
        def submit(self, *args):
            future = Future()
            future.set_exception(ShutdownExecutorError("by another thread"))
            return future

    monkeypatch.setattr(_workers, "_pool", lambda *args: Ended())
    assert done_by_two(lambda number: number + 1, 50) == list(range(1, 51))


@pytest.fixture(autouse=True)
def own_temporary_files(monkeypatch, tmp_path):
    """Other tests that run at the same time leave theirs elsewhere."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def left_behind():
    return set(Path(tempfile.gettempdir()).glob("skcompare-*"))


def test_an_interrupt_ends_the_work_and_the_next_begins_anew(workers_always, tmp_path):
    flag, here, before = tmp_path / "flag", HERE, left_behind()

    def interrupted(number):
        if os.getpid() != here:
            flag.touch()
        elif flag.exists():
            raise KeyboardInterrupt
        else:
            time.sleep(0.3)
        return number

    with pytest.raises(KeyboardInterrupt):
        done_by_two(interrupted, 10_000)
    assert flag.exists()
    assert left_behind() <= before
    assert done_by_two(lambda number: number + 1, 50) == list(range(1, 51))


EARLY = """
import os, signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
from skcompare._engine import _workers, results_of

_workers.SECONDS_WORTH_WORKERS = 0.0

def slow(number):
    if number == 1:
        time.sleep(0.5)  # the worker imports what it needs
        os.killpg(0, signal.SIGINT)
    time.sleep(0.01)

try:
    list(results_of(slow, [(n,) for n in range(500)], n_jobs=2, prefer="processes"))
except KeyboardInterrupt:
    print("INTERRUPTED")
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs groups of processes")
def test_an_interrupt_while_workers_start_shows_nothing(tmp_path):
    """The terminal sends it to all processes, not to the calling one alone."""
    script = tmp_path / "script.py"
    script.write_text(EARLY)
    done = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        start_new_session=True,
        check=True,
    )
    assert done.stdout == "INTERRUPTED\n"
    assert done.stderr == ""


def test_an_interrupt_of_a_worker_ends_the_work(workers_always, tmp_path):
    flag, here = tmp_path / "flag", HERE

    def interrupted(number):
        if os.getpid() != here:
            flag.touch()
            raise KeyboardInterrupt
        time.sleep(0.0 if flag.exists() else 0.3)

    with pytest.raises(KeyboardInterrupt):
        done_by_two(interrupted, 200)


def test_results_need_not_be_taken_to_the_end(workers_always, tmp_path):
    before, tasks = left_behind(), [(number,) for number in range(200)]
    square = waiting(tmp_path / "flag")
    results = results_of(square, tasks, n_jobs=2, prefer="processes")
    assert next(results)[0] == 0
    assert next(results)[0] == 1
    results.close()
    assert left_behind() <= before
    assert not _workers._POOLS  # as after Ctrl-C during a comparison


def test_settings_reach_workers_and_nothing_is_left_behind(workers_always, tmp_path):
    flag, here = tmp_path / "flag", HERE
    folder = Path(tempfile.gettempdir())
    before = set(folder.glob("skcompare-*"))

    def settings(number):
        if os.getpid() != here:
            flag.touch()
        elif not flag.exists():
            time.sleep(0.3)
        warnings.warn("of a task", UserWarning, stacklevel=1)
        return sklearn.get_config()["assume_finite"]

    with sklearn.config_context(assume_finite=True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert done_by_two(settings, 400) == [True] * 400
    assert flag.exists()
    assert set(folder.glob("skcompare-*")) <= before


def test_parallel_work_within_a_task_takes_threads(workers_always, tmp_path):
    """As in `cross_validate`: else each of two jobs would start two processes."""
    flag, here = tmp_path / "flag", HERE

    def backend(number):
        if os.getpid() != here:
            flag.touch()
        elif not flag.exists():
            time.sleep(0.3)
        joblib.Parallel(n_jobs=2)(joblib.delayed(abs)(n) for n in range(2))
        return type(get_active_backend()[0]).__name__, os.getpid()

    backends, processes = zip(*done_by_two(backend, 200), strict=True)
    assert set(backends) == {"ThreadingBackend"}
    assert len(set(processes)) == 2
    alone = results_of(backend, [(0,), (1,)], n_jobs=1, prefer="processes")
    assert {name for name, _ in alone} == {"LokyBackend"}


@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
def test_resamples_are_the_same_with_and_without_workers(
    workers_always, tmp_path, test
):
    rng = np.random.default_rng(0)
    y = rng.normal(size=100)
    a, b = y + rng.normal(size=(2, 100)) * [[0.5], [0.6]]
    flag, here = tmp_path / "flag", HERE

    def median(y, p):
        if os.getpid() != here:
            flag.touch()
        elif not flag.exists():
            time.sleep(0.005)
        return np.median(np.abs(y - p))

    median.recognize = False
    together, alone = (
        test(scoring=make_scorer(median), n_resamples=800, random_state=0, n_jobs=n)
        .fit_predictions(y, a, b)
        .distribution_
        for n in (2, 1)
    )
    assert flag.exists()
    np.testing.assert_array_equal(alone, together)


def test_fits_are_the_same_with_and_without_workers(workers_always):
    X, y = make_classification(200, random_state=0)
    models = [DecisionTreeClassifier(max_depth=d, random_state=0) for d in (1, 3)]
    alone, together = (
        PairedBootstrap(*models, cv=5, n_resamples=200, random_state=0, n_jobs=n)
        .fit(X, y)
        .distribution_
        for n in (1, 2)
    )
    np.testing.assert_array_equal(alone, together)


def test_posteriors_are_the_same_with_and_without_workers(workers_always, tmp_path):
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=100)
    a, b = (np.where(rng.random(100) < q, y, 1 - y) for q in (0.9, 0.7))
    flag, here = tmp_path / "flag", HERE

    def share(y, p, sample_weight=None):
        if os.getpid() != here:
            flag.touch()
        elif sample_weight is not None and not flag.exists():
            time.sleep(0.02)
        return float(np.average(y == p, weights=sample_weight))

    share.recognize = False
    together, alone = (
        BayesianComparison(
            scoring=make_scorer(share), n_draws=300, random_state=0, n_jobs=n
        ).fit_predictions(y, a, b)
        for n in (2, 1)
    )
    assert flag.exists()
    np.testing.assert_array_equal(alone.posterior_, together.posterior_)


def test_a_killed_worker_costs_no_results(workers_always, tmp_path):
    flag, here = tmp_path / "flag", HERE

    def deadly(number):
        if os.getpid() != here and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.0 if flag.exists() else 0.3)
        return number

    assert done_by_two(deadly, 100) == list(range(100))
    assert flag.exists()


@pytest.mark.parametrize(
    ("n_jobs", "inner", "expected"),
    [(2, None, (1, 4)), (3, None, (2, 2)), (16, None, (15, 1)), (2, 3, (1, 3))],
)
def test_cores_are_shared_by_all_processes(
    workers_always, monkeypatch, n_jobs, inner, expected
):
    """The calling process is one of them; threads are as many as the user sets."""
    pools = []
    monkeypatch.setattr(
        _workers, "_pool", lambda *numbers: pools.append(numbers) or Elsewhere()
    )
    monkeypatch.setattr(_workers.joblib, "cpu_count", lambda: 8)
    tasks = [(number,) for number in range(20)]
    with joblib.parallel_config(backend="loky", inner_max_num_threads=inner):
        done = results_of(lambda n: n, tasks, n_jobs=n_jobs, prefer="processes")
        assert list(done) == list(range(20))
    assert pools == [expected]


def test_threads_of_workers_are_limited_by_default(monkeypatch):
    made = []
    monkeypatch.setattr(_workers, "_POOLS", {})
    monkeypatch.setattr(_workers, "ProcessPoolExecutor", lambda **own: made.append(own))
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    before = dict(os.environ)
    _workers._pool(2, 3)
    (settings,) = made
    assert settings["max_workers"] == 2
    assert settings["env"]["MKL_NUM_THREADS"] == "3"
    assert "OMP_NUM_THREADS" not in settings["env"]  # workers inherit what is set
    assert os.environ == before


@pytest.mark.parametrize("lacks", ["files", "processes"])
def test_a_system_without_room_has_it_done_here(workers_always, monkeypatch, lacks):
    def no_room(*args, **kwargs):
        raise OSError(28, "No space left on device")

    place = (tempfile, "mkstemp") if lacks == "files" else (_workers, "_pool")
    monkeypatch.setattr(*place, no_room)
    assert done_by_two(lambda number: number + 1, 50) == list(range(1, 51))
    assert not left_behind()


def test_workers_that_always_get_lost_are_given_up(workers_always, monkeypatch):
    class Lost:
        def submit(self, *args):
            future = Future()
            future.set_exception(BrokenExecutor("killed"))
            return future

    started = []
    monkeypatch.setattr(_workers, "_pool", lambda *n: started.append(n) or Lost())

    def slow(number):
        time.sleep(0.002)
        return number

    assert done_by_two(slow, 50) == list(range(50))
    assert len(started) == _workers.MAX_LOSSES


def of_threads(function, n_tasks):
    tasks = [(number,) for number in range(n_tasks)]
    return _workers.from_workers(function, tasks, n_jobs=2, prefer="threads")


def test_only_the_unfinished_tasks_of_a_lost_worker_are_sent_again():
    """As dask and ray lose workers: here it happens in the midst of the work."""
    losses = iter([BrokenExecutor("killed")])

    def lost_once(number):
        if number == 5:
            for loss in losses:
                raise loss
        return number

    results = itertools.islice(of_threads(lost_once, 10), 20)
    assert list(results) == list(range(10))


def test_a_task_that_kills_its_workers_ends_the_work():
    calls = []

    def deadly(number):
        calls.append(number)
        if len(calls) > 100:
            raise KeyError("there is no end to it")
        raise BrokenExecutor("killed")

    with pytest.raises(BrokenExecutor):
        list(of_threads(deadly, 1))
    assert len(calls) == _workers.MAX_LOSSES
