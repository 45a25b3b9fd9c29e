"""Pass a function to worker processes in a file, which shares its large arrays.

Large arrays are stored as in memory, and processes map the file, so that arrays that
are only read exist once. A process that writes to an array writes to a private copy of
the page.
"""

import contextlib
import mmap
import os
import pickle
import signal
import tempfile
import threading
import time

from skcompare._foreign import cloudpickle, resource_tracker

# Arrays of at least this number of bytes are shared by worker processes.
LARGE = 2**14

# Alignment of arrays in bytes, as for arrays allocated by NumPy.
ALIGNMENT = 64

# Seconds between a worker's checks that the work is over.
SECONDS_BETWEEN_CHECKS = 1.0


def save(function):
    """Write a function to a new file, and return its path."""
    arrays = []

    def stays_in_pickle(buffer):
        array = buffer.raw()
        if array.nbytes < LARGE:
            return True
        arrays.append(array)
        return False

    pickled = cloudpickle.dumps(function, protocol=5, buffer_callback=stays_in_pickle)
    handle, path = tempfile.mkstemp(prefix="skcompare-")
    try:
        with contextlib.suppress(ValueError):  # path is too long or not ASCII
            # The file is removed even if this process is killed.
            resource_tracker.register(path, "file")
        with os.fdopen(handle, "wb") as file:
            pickle.dump((pickled, [(a.nbytes, a.readonly) for a in arrays]), file)
            for array in arrays:
                file.seek(_aligned(file.tell()))
                file.write(array)
    except BaseException:
        remove(path)
        raise
    return path


def remove(path):
    """Remove the file; workers then discard the function."""
    os.unlink(path)
    with contextlib.suppress(ValueError):
        resource_tracker.unregister(path, "file")


# The most recently loaded function, by the path of its file.
_loaded = {}


def load(path):
    """Return the function in a file; it is cached until the file is removed."""
    function = _loaded.get(path)
    if function is None:
        function = _read(path)
        _loaded.clear()
        _loaded[path] = function
        threading.Thread(target=_watch, args=[path], daemon=True).start()
    return function


def _read(path):
    with open(path, "rb") as file:
        pickled, sizes = pickle.load(file)
        start, arrays = file.tell(), []
        if os.name == "posix":
            memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        else:  # mapped files cannot be removed
            file.seek(0)
            memory = bytearray(file.read())
    for size, is_readonly in sizes:
        start = _aligned(start)
        array = memoryview(memory)[start : start + size]
        arrays.append(array.toreadonly() if is_readonly else array)
        start += size
    return pickle.loads(pickled, buffers=arrays)


def _watch(path):
    """Discard the function when its file is removed."""
    while os.path.exists(path):
        time.sleep(SECONDS_BETWEEN_CHECKS)
    _loaded.pop(path, None)  # keeps a function that was loaded since


def watch_parent(parent):
    """Exit when the parent process was killed.

    Files that it has not removed are removed after all workers have exited.

    Parameters
    ----------
    parent : int
        The id of the process that started this worker.
    """

    def watch():
        while os.getppid() == parent:
            time.sleep(SECONDS_BETWEEN_CHECKS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


def _aligned(place):
    return -(-place // ALIGNMENT) * ALIGNMENT
