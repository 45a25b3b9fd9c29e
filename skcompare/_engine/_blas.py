"""One BLAS thread at a time: sums that do not depend on how many there are."""

import contextlib
import functools
import threading

from threadpoolctl import ThreadpoolController


class OneThread:
    """A limit of BLAS threads that those who work side by side share.

    The limit is one of the process, so the first to come sets it and the last to leave
    lifts it: whoever leaves earlier takes it from nobody.
    """

    def __init__(self):
        self._lock, self._users = threading.Lock(), 0

    @functools.cached_property
    def _controller(self):
        return ThreadpoolController()  # finds the libraries that are loaded by now

    @contextlib.contextmanager
    def held(self):
        """Hold the limit."""
        with self._lock:
            if self._users == 0:
                self._limit = self._controller.limit(limits=1, user_api="blas")
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    self._limit.restore_original_limits()


_OF_THIS_PROCESS = OneThread()


def one_blas_thread():
    """Return a context in which BLAS runs on one thread.

    Sums then do not depend on how many threads a worker would have, and workers on one
    machine do not fight for its cores.
    """
    return _OF_THIS_PROCESS.held()
