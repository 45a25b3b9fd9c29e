"""One BLAS thread at a time: sums that do not depend on how many there are."""

import contextlib
import threading

from threadpoolctl import ThreadpoolController


class OneThread:
    """A limit of BLAS threads that those who work side by side share.

    The limit is one of the process, so the first to come sets it and the last to leave
    lifts it: whoever leaves earlier takes it from nobody.
    """

    def __init__(self):
        self._lock, self._users, self._controller = threading.Lock(), 0, None

    @contextlib.contextmanager
    def held(self):
        """Hold the limit."""
        with self._lock:
            if self._controller is None:  # finds the libraries that are loaded by now
                self._controller = ThreadpoolController()
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


# A context in which BLAS runs on one thread. Sums then do not depend on how many a
# worker would have, and workers on one machine do not fight for its cores.
one_blas_thread = OneThread().held
