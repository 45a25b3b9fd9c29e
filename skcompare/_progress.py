"""Showing how far a long run has come, to people and to callbacks.

`sklearn.callback` came with scikit-learn 1.9 and is experimental. Its guide has third
parties inherit from `CallbackSupportMixin`, decorate `fit` by `with_callbacks` and call
a method whose name is private, which is in `_foreign.py`. All else of that is in this
file, so that it can be mended in one place, or left out. Here `with_callbacks`
decorates what ends a context and not `fit`: a decorator would stand between `fit` and
its caller, which our warnings point to.
"""

import contextlib
import contextvars
import functools
import sys
import time

from skcompare._foreign import CALLBACKS, callback_context

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:
        """A comparison that no callbacks can follow."""

    def with_callbacks(method):
        """Return the method as it is."""
        return method


# Work that is done sooner, in seconds, shows nothing.
PATIENCE = 2.0

# What makes an observer, with methods `update(n)` and `close()`, of a stage from its
# label and total, for whoever follows the run.
_follower = contextvars.ContextVar("follower", default=None)


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
    observe = _follower.get()
    observers = [] if observe is None else [observe(label, total)]
    if verbose:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            observers.append(PlainLines(total, label))
        else:
            observers.append(tqdm(desc=label, total=total, delay=PATIENCE, unit=""))
    if not observers:
        yield items
        return
    with contextlib.ExitStack() as stack:
        for observer in observers:
            stack.callback(observer.close)
        yield _observed(items, observers, size)


def _observed(items, observers, size):
    for item in items:
        for observer in observers:
            observer.update(1 if size is None else size(item))
        yield item


class PlainLines:
    """Lines on standard error: when patience ends, then at every tenth.

    Parameters
    ----------
    total : int
        How much work there is.
    label : str
        What the work is called.
    """

    def __init__(self, total, label):
        self.total, self.label = total, label
        self._began, self._done, self._tenth = time.monotonic(), 0, -1

    def update(self, n):
        """Note that `n` more is done."""
        self._done += n
        seconds = time.monotonic() - self._began
        tenth = 10 * self._done // self.total
        if seconds >= PATIENCE and tenth > self._tenth:
            self._tenth = tenth
            rate = self._done / max(seconds, 1e-9)
            left = (self.total - self._done) / rate
            sys.stderr.write(
                f"[skcompare] {self.label}: {self._done:,} of {self.total:,}, "
                f"{rate:,.3g} per second, {left:,.0f} s left\n"
            )

    def close(self):
        """Show all lines."""
        sys.stderr.flush()


# A stage has at most so many steps: callbacks keep something of each.
MOST_STEPS = 100


@contextlib.contextmanager
def followed(estimator, task="fit"):
    """Have what is done meanwhile followed by the callbacks of an estimator, if any.

    Callbacks see a task for all of it, in that one for each stage of long work, and in
    that one for each step of the stage.

    Parameters
    ----------
    estimator : object
        Whose callbacks follow.
    task : str, default="fit"
        The method that is running.
    """
    if CALLBACKS not in vars(estimator):
        yield
        return
    try:
        context = callback_context(estimator, task)
        context.call_on_fit_task_begin(estimator=estimator)
        token = _follower.set(functools.partial(Stage, estimator, context))
        try:
            yield
        finally:
            _follower.reset(token)
        context.call_on_fit_task_end(estimator=estimator)
    finally:
        _tear_down(estimator)


@with_callbacks
def _tear_down(estimator):
    """Do nothing: what comes after it, the decorator does."""


class Stage:
    """Tells callbacks how far a stage of the work has come.

    Parameters
    ----------
    estimator : object
        The comparison whose callbacks follow.
    context : CallbackContext
        The task that the stage is part of.
    label : str
        What the stage is called.
    total : int
        How much work there is.
    """

    def __init__(self, estimator, context, label, total):
        self._estimator, self._total, self._done = estimator, total, 0
        self._n_steps, self._steps = min(total, MOST_STEPS), 0
        self._context = self._begun(context, label, max_subtasks=self._n_steps)
        self._step = self._begun(self._context, "step")

    def _begun(self, context, name, **settings):
        """Return a task within another, begun."""
        task = context.subcontext(name, **settings)
        task.call_on_fit_task_begin(estimator=self._estimator)
        return task

    def update(self, n):
        """Note that `n` more is done.

        A callback may ask to stop, but a test that has fewer resamples because of what
        somebody saw is not valid, so nobody listens.
        """
        self._done += n
        while self._steps < self._n_steps * self._done // self._total:
            self._steps += 1
            self._step.call_on_fit_task_end(estimator=self._estimator)
            if self._steps < self._n_steps:
                self._step = self._begun(self._context, "step")

    def close(self):
        """End the stage if its work is done."""
        if self._done >= self._total:
            self._context.call_on_fit_task_end(estimator=self._estimator)
