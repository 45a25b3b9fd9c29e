"""Showing how far a long run has come, to people and to callbacks."""

import contextlib
import contextvars
import sys
import time

# Work that is done sooner, in seconds, shows nothing.
PATIENCE = 2.0

# What makes an observer of a stage from its label, for whoever follows the run.
_follower = contextvars.ContextVar("follower", default=None)


@contextlib.contextmanager
def follow_stages(observe):
    """Have all work that is tracked meanwhile observed.

    Parameters
    ----------
    observe : callable
        Called as ``observe(label, total)`` when a stage of the work begins; returns
        an object with the methods ``update(n)`` and ``close()``.
    """
    token = _follower.set(observe)
    try:
        yield
    finally:
        _follower.reset(token)


@contextlib.contextmanager
def track(items, *, total, label, verbose=0, size=None):
    """Give `items` with their progress shown; tidy up in any case when it ends.

    With ``verbose=0`` and nobody following, the items themselves are given: silence
    costs nothing. Otherwise, after two seconds, there is a tqdm bar on standard error
    where tqdm is installed, and plain lines where it is not.

    Parameters
    ----------
    items : iterable
        The items; each one that comes is work done.
    total : int
        How much work there is.
    label : str
        What the work is called.
    verbose : int, default=0
        Whether to show progress.
    size : callable or None, default=None
        Tells how much work an item is. By default each is 1.

    Yields
    ------
    iterable
        The items.

    Examples
    --------
    >>> with track([1, 2, 3], total=3, label="adding", verbose=1) as numbers:
    ...     sum(numbers)
    6
    """
    observers = _observers(total, label, verbose)
    if not observers:
        yield items
        return
    with contextlib.ExitStack() as stack:
        for observer in observers:
            stack.callback(observer.close)
        yield _observed(items, observers, size)


def _observers(total, label, verbose):
    observe = _follower.get()
    observers = [] if observe is None else [observe(label, total)]
    return [*observers, _shown(total, label)] if verbose else observers


def _observed(items, observers, size):
    for item in items:
        for observer in observers:
            observer.update(1 if size is None else size(item))
        yield item


def _shown(total, label):
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return PlainLines(total, label)
    return tqdm(desc=label, total=total, delay=PATIENCE, unit="")


class PlainLines:
    """Whole lines on standard error: when patience ends, then at every tenth.

    Parameters
    ----------
    total : int
        How much work there is.
    label : str
        What the work is called.
    """

    def __init__(self, total, label):
        self.total, self.label = total, label
        self._began, self._done, self._told = time.monotonic(), 0, -1

    def update(self, n):
        """Note that `n` more is done."""
        self._done += n
        seconds = time.monotonic() - self._began
        tenth = 10 * self._done // self.total
        if seconds >= PATIENCE and tenth > self._told:
            self._told = tenth
            sys.stderr.write(self._line(seconds))

    def _line(self, seconds):
        rate = self._done / max(seconds, 1e-9)
        left = (self.total - self._done) / rate
        return (
            f"[skcompare] {self.label}: {self._done:,} of {self.total:,}, "
            f"{rate:,.3g} per second, {left:,.0f} s left\n"
        )

    def close(self):
        """Leave: every line is whole."""
        sys.stderr.flush()
