"""What is left in a file for worker processes, and what becomes of it."""

import functools
import os
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from skcompare._engine import _handover


class Table:
    """A function with data."""

    def __init__(self, **data):
        self.data = data

    def __call__(self, name):
        return self.data[name]


@pytest.fixture(autouse=True)
def own_temporary_files(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(_handover, "SECONDS_BETWEEN_CHECKS", 0.01)
    _handover._loaded.clear()


@pytest.fixture
def taken():
    """Return a function as a worker gets it."""
    paths = []

    def taken(**data):
        paths.append(_handover.save(Table(**data)))
        return _handover.load(paths[-1])

    yield taken
    for path in paths:
        _handover.remove(path)


def base_of(array):
    while isinstance(array, np.ndarray):
        array = array.base
    return array.obj if isinstance(array, memoryview) else array


@pytest.mark.parametrize(
    "array",
    [
        np.arange(10_000.0),
        np.asfortranarray(np.arange(20_000.0).reshape(100, 200)),
        np.arange(40_000.0).reshape(200, 200)[::2, ::3],
        np.arange(30_000).astype("datetime64[s]"),
        np.array(["a", None] * 5_000, dtype=object),
        np.arange(3),
        np.empty((0, 5)),
    ],
    ids=["plain", "by column", "strided", "dates", "objects", "small", "empty"],
)
def test_arrays_arrive_as_they_were(array, taken):
    other = np.arange(5_001, dtype=np.int32)  # what comes next is aligned all the same
    function = taken(other=other, array=array)
    np.testing.assert_array_equal(function("array"), array)
    np.testing.assert_array_equal(function("other"), other)
    assert function("array").dtype == array.dtype
    assert function("array").flags.aligned
    assert function("array").flags.writeable


def test_frames_arrive_as_they_were(taken):
    frame = pd.DataFrame({"x": np.arange(9_000.0), "name": ["a", "b", "c"] * 3_000})
    pd.testing.assert_frame_equal(taken(frame=frame)("frame"), frame)


def test_an_array_that_must_not_change_stays_so(taken):
    X = np.arange(10_000.0)
    X.flags.writeable = False
    assert not taken(X=X)("X").flags.writeable


@pytest.mark.skipif(os.name != "posix", reason="what is mapped cannot be removed there")
def test_large_arrays_are_mapped_and_not_copied(taken):
    function = taken(X=np.arange(10_000.0), small=np.arange(3))
    assert type(base_of(function("X"))).__name__ == "mmap"
    assert type(base_of(function("small"))).__name__ != "mmap"


def test_writes_to_an_array_stay_in_their_process():
    path = _handover.save(Table(X=np.zeros(10_000)))
    before = Path(path).read_bytes()
    _handover.load(path)("X")[:] = 1.0
    assert Path(path).read_bytes() == before
    assert _handover.load(path)("X").all()
    _handover._loaded.clear()  # as another process would have it
    assert not _handover.load(path)("X").any()
    _handover.remove(path)


def test_a_worker_drops_removed_data():
    path = _handover.save(Table(X=np.zeros(10_000)))
    X = weakref.ref(_handover.load(path)("X"))
    assert X() is not None
    _handover.remove(path)
    end = time.perf_counter() + 30
    while X() is not None and time.perf_counter() < end:
        time.sleep(0.01)
    assert X() is None


def test_a_worker_keeps_data_that_came_later(monkeypatch):
    monkeypatch.setattr(_handover, "SECONDS_BETWEEN_CHECKS", 0.01)
    first, second = (_handover.save(Table(X=np.zeros(10_000))) for _ in "ab")
    _handover.load(first)
    X = _handover.load(second)("X")
    _handover.remove(first)
    time.sleep(0.2)
    assert _handover.load(second)("X") is X
    _handover.remove(second)


def test_a_file_that_cannot_be_written_is_removed(monkeypatch, tmp_path):
    def full(place):
        raise OSError("no space left")

    monkeypatch.setattr(_handover, "_aligned", full)
    with pytest.raises(OSError, match="no space"):
        _handover.save(Table(X=np.zeros(10_000)))
    assert not list(tmp_path.iterdir())


def test_a_folder_of_any_name_will_do(monkeypatch, tmp_path):
    folder = tmp_path / "größer"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    path = _handover.save(functools.partial(abs, -1))
    assert _handover.load(path)() == 1
    _handover.remove(path)
    assert not list(folder.iterdir())


KILLED = """
import os, sys, time
import numpy as np
from skcompare._engine import _workers, results_of

_workers.SECONDS_WORTH_WORKERS, here, X = 0.0, os.getpid(), np.zeros(10_000)

def slow(number):
    if os.getpid() != here:
        print(X.sum(), flush=True)
        time.sleep(60)
    time.sleep(0.01)

list(results_of(slow, [(n,) for n in range(5_000)], n_jobs=2, prefer="processes"))
"""


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_nothing_is_left_of_a_run_that_was_killed(tmp_path):
    """Neither the file, which is as large as the data, nor a worker."""
    with subprocess.Popen(
        [sys.executable, "-c", KILLED],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as script:
        assert script.stdout.readline()  # of a worker
        assert list(tmp_path.glob("skcompare-*"))
        script.send_signal(signal.SIGTERM)
    # What keeps account of files removes them when all processes have ended.
    end = time.perf_counter() + 30
    while list(tmp_path.glob("skcompare-*")) and time.perf_counter() < end:
        time.sleep(0.01)
    assert not list(tmp_path.glob("skcompare-*"))


STARTING = """
import os, sys, time
from skcompare._engine import _workers, results_of

_workers.SECONDS_WORTH_WORKERS = 0.0

def square(number):
    time.sleep(0.05)
    if number == 2:  # a worker is being started
        executors = [pool for pool in _workers._POOLS.values()]
        print(*(p for pool in executors for p in pool._processes), flush=True)
    return number**2

list(results_of(square, [(n,) for n in range(5_000)], n_jobs=2, prefer="processes"))
"""


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_worker_that_is_starting_ends_with_its_parent(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", STARTING],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as script:
        worker = int(script.stdout.readline())
        script.kill()
    end = time.perf_counter() + 30
    while Path(f"/proc/{worker}").exists() and time.perf_counter() < end:
        time.sleep(0.05)
    assert not Path(f"/proc/{worker}").exists()
