"""Settings of the whole process, which threads that work side by side hold together."""

import contextlib
import functools
import threading
import warnings

from threadpoolctl import ThreadpoolController


class HeldTogether:
    """A setting of the process that the first to come makes, and the last undoes.

    Whoever leaves earlier takes it from nobody, and what was before comes back. With a
    context of their own each, threads that do not leave in the reverse order of their
    coming would put back what they found, which is the setting of another.

    Parameters
    ----------
    setting : callable
        Returns a context manager that makes the setting when it is entered.
    """

    def __init__(self, setting):
        self._setting, self._lock, self._users = setting, threading.Lock(), 0

    @contextlib.contextmanager
    def __call__(self):
        """Hold the setting."""
        with self._lock:
            if self._users == 0:
                self._made = contextlib.ExitStack()
                self._made.enter_context(self._setting())
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    self._made.close()


# The libraries that are loaded when this is first asked for.
_libraries = functools.cache(ThreadpoolController)

# A context in which BLAS runs on one thread. Sums then do not depend on how many a
# worker would have, and workers on one machine do not fight for its cores.
one_blas_thread = HeldTogether(lambda: _libraries().limit(limits=1, user_api="blas"))

# A context without warnings. All of the library's own are this one: another kind of
# filter, held by another thread, would again put back what it found.
quiet = HeldTogether(functools.partial(warnings.catch_warnings, action="ignore"))
