"""A function left in a file, where worker processes find it and share its arrays.

Large arrays are in the file as they are in memory, and processes map it: what they only
read is there once. Who writes to an array writes to a copy of that page, which nobody
else sees.
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

# Arrays of at least so many bytes are shared by worker processes.
LARGE = 2**14

# Arrays begin at multiples of so many bytes, as those that NumPy allocates.
ALIGNMENT = 64

# So often, in seconds, a worker looks whether the work is over.
SECONDS_BETWEEN_LOOKS = 1.0


def leave(function):
    """Write a function to a new file, and return the path of it."""
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
        with contextlib.suppress(ValueError):  # not in ASCII, or long
            # Whatever becomes of this process, the file is removed after it.
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
    """Remove the file; workers forget what was in it."""
    os.unlink(path)
    with contextlib.suppress(ValueError):
        resource_tracker.unregister(path, "file")


# The function that was last taken, by the path of its file.
_taken = {}


def take(path):
    """Return the function in a file, the same one each time until it is removed."""
    function = _taken.get(path)
    if function is None:
        function = _read(path)
        _taken.clear()
        _taken[path] = function
        watch = threading.Thread(target=_watch, args=[path, os.getppid()], daemon=True)
        watch.start()
    return function


def _read(path):
    with open(path, "rb") as file:
        pickled, sizes = pickle.load(file)
        start, arrays = file.tell(), []
        if os.name == "posix":
            memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        else:  # where what is mapped cannot be removed
            file.seek(0)
            memory = bytearray(file.read())
    for size, is_readonly in sizes:
        start = _aligned(start)
        array = memoryview(memory)[start : start + size]
        arrays.append(array.toreadonly() if is_readonly else array)
        start += size
    return pickle.loads(pickled, buffers=arrays)


def _watch(path, parent):
    """Forget the function when its file is removed; end when the parent was killed."""
    while os.path.exists(path):
        if os.getppid() != parent:  # then the file is removed after all of its workers
            os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(SECONDS_BETWEEN_LOOKS)
    _taken.pop(path, None)  # not what was taken since


def _aligned(place):
    return -(-place // ALIGNMENT) * ALIGNMENT
