"""Numbers depend neither on the worker that draws them nor on workers that die."""

import contextlib
import os
import signal
import threading
import time
import warnings
from concurrent.futures import BrokenExecutor

import joblib
import numpy as np
import pytest
from sklearn.metrics import make_scorer
from threadpoolctl import threadpool_info

from skcompare import ApproxRandomization, PairedBootstrap
from skcompare._engine import Resampler, _draw, _workers
from skcompare._engine._draw import one_blas_thread
from skcompare._engine._workers import MAX_LOSSES, from_workers

TESTS = [PairedBootstrap, ApproxRandomization]

# What dask and ray do at the ends of their threads and sockets is not ours to mend.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning:ray"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(autouse=True)
def _all_work_goes_to_workers(monkeypatch):
    monkeypatch.setattr(_workers, "SECONDS_WORTH_WORKERS", 0.0)


@pytest.fixture
def labels():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=300)
    flip = rng.random((2, 300)) < [[0.2], [0.25]]
    return y, *np.where(flip, 1 - y, y)


def share_right():
    """Return a scorer that travels by value: workers cannot import this file."""

    def score(y_true, y_pred):
        return float(np.mean(y_true == y_pred))

    return make_scorer(score)


def deadly(folder):
    """Return a scorer that kills one of those who work for this process, midway."""
    here = os.getpid()

    def score(y_true, y_pred):
        if os.getpid() == here:
            time.sleep(0.02)  # leaves something to the workers
        else:
            with open(folder / "calls", "ab") as calls:
                calls.write(b".")
            if os.path.getsize(folder / "calls") > 100:
                with contextlib.suppress(FileExistsError):
                    os.close(os.open(folder / "died", os.O_CREAT | os.O_EXCL))
                    os.kill(os.getpid(), signal.SIGKILL)
        return float(np.mean(y_true == y_pred))

    return make_scorer(score)


def distribution(labels, scoring, test=PairedBootstrap, n_resamples=200):
    test = test(scoring=scoring, n_resamples=n_resamples, random_state=0)
    return test.fit_predictions(*labels).distribution_


def assert_same_bits(labels, test):
    """Compare rows scored one by one, and counts of cells, with what one core gives."""
    for scoring, n_resamples in {"rand_score": 99, "f1": 2_000}.items():
        there = distribution(labels, scoring, test, n_resamples)
        with joblib.parallel_config("sequential"):
            here = distribution(labels, scoring, test, n_resamples)
        np.testing.assert_array_equal(there, here)


def assert_survives(labels, folder):
    there = distribution(labels, deadly(folder))
    assert (folder / "died").exists()
    with joblib.parallel_config("sequential"):
        here = distribution(labels, share_right())
    np.testing.assert_array_equal(there, here)


# Backends on one machine


@pytest.mark.parametrize(
    ("backend", "test"),
    [
        ("loky", PairedBootstrap),
        ("threading", ApproxRandomization),
        ("multiprocessing", ApproxRandomization),
    ],
)
def test_backends_of_joblib_give_the_same_bits(backend, test, labels):
    with joblib.parallel_config(backend, n_jobs=2):
        assert_same_bits(labels, test)


@pytest.mark.slow
def test_a_killed_process_of_loky_costs_time_and_no_numbers(labels, tmp_path):
    with joblib.parallel_config("loky", n_jobs=2):
        assert_survives(labels, tmp_path)


def test_workers_compute_with_one_blas_thread():
    """Else sums could depend on how many threads a worker has."""

    class Draws:
        chunk_size = 1

        def blocks(self, start, size, rng):
            yield start

    resampler = Resampler(Draws(), lambda block: blas_threads())
    assert set(_draw.draw(resampler, 1, seed=0)) == {1}


def test_the_blas_limit_lasts_until_the_last_one_leaves():
    inside, leave = threading.Event(), threading.Event()

    def stay():
        with one_blas_thread():
            inside.set()
            leave.wait(10)

    other = threading.Thread(target=stay)
    before = blas_threads()
    with one_blas_thread():
        other.start()
        assert inside.wait(10)
    assert blas_threads() == [1] * len(before)
    leave.set()
    other.join()
    assert blas_threads() == before


def test_draws_in_several_threads_leave_the_filters_of_warnings_as_they_were():
    """The one that came first leaves first, while the other is at work."""

    class Draws:
        chunk_size = 1

        def blocks(self, start, size, rng):
            yield start

    def draws_that(meanwhile):
        def score(block):
            meanwhile()
            warnings.warn("of a metric", UserWarning, stacklevel=1)
            return np.zeros(1)

        return _draw.draw(Resampler(Draws(), score), 1, seed=0)

    def begin_and_wait():
        first_is_in.set()
        second_is_in.wait(10)

    def let_the_first_end():
        second_is_in.set()
        first.join(10)

    first_is_in, second_is_in = threading.Event(), threading.Event()
    first = threading.Thread(target=draws_that, args=[begin_and_wait])
    before = list(warnings.filters)
    first.start()
    assert first_is_in.wait(10)
    draws_that(let_the_first_end)
    assert not first.is_alive()
    assert warnings.filters == before


def blas_threads():
    return [d["num_threads"] for d in threadpool_info() if d["user_api"] == "blas"]


# Losses


class Flaky:
    """A function of tasks whose workers get lost some times."""

    def __init__(self, n_losses):
        self.left, self.calls = n_losses, []

    def __call__(self, number):
        self.calls.append(number)
        if number == 5 and self.left:
            self.left -= 1
            raise BrokenExecutor("a worker died")
        return number * 10


def results_of(flaky):
    with joblib.parallel_config("sequential"):
        tasks = [(number,) for number in range(9)]
        return list(from_workers(flaky, tasks, n_jobs=1, prefer="processes"))


def test_only_lost_tasks_are_done_again():
    flaky = Flaky(MAX_LOSSES - 1)
    assert results_of(flaky) == [10 * number for number in range(9)]
    assert flaky.calls == [0, 1, 2, 3, 4, 5, 5, 5, 6, 7, 8]


def test_a_task_that_always_kills_its_worker_is_given_up():
    with pytest.raises(BrokenExecutor, match="a worker died"):
        results_of(Flaky(MAX_LOSSES))


# dask


@pytest.fixture(scope="module")
def dask_cluster():
    distributed = pytest.importorskip("dask.distributed", reason="needs dask")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def dask_client(dask_cluster):
    dask_cluster.wait_for_workers(2, timeout=60)  # one may have been killed
    return dask_cluster


@pytest.mark.parametrize("test", TESTS)
def test_dask_gives_the_same_bits(dask_client, labels, test):
    with joblib.parallel_config("dask"):
        assert_same_bits(labels, test)


@pytest.mark.slow
def test_a_killed_worker_of_dask_costs_time_and_no_numbers(
    dask_client, labels, tmp_path
):
    with joblib.parallel_config("dask"):
        assert_survives(labels, tmp_path)


# ray


@pytest.fixture(scope="module")
def ray_backend():
    ray = pytest.importorskip("ray", reason="needs ray")
    from ray.util.joblib import register_ray

    register_ray()
    ray.init(
        num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False
    )
    yield "ray"
    ray.shutdown()


def test_ray_gives_the_same_bits(ray_backend, labels):
    with joblib.parallel_config(ray_backend, n_jobs=2):
        there = distribution(labels, share_right())
    np.testing.assert_array_equal(there, distribution(labels, share_right()))


@pytest.mark.slow
def test_a_killed_worker_of_ray_costs_time_and_no_numbers(
    ray_backend, labels, tmp_path
):
    with joblib.parallel_config(ray_backend, n_jobs=2):
        assert_survives(labels, tmp_path)
