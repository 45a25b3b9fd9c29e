"""Progress of long runs, shown to users and reported to callbacks.

`sklearn.callback` was added in scikit-learn 1.9 and is experimental. Its guide has
third parties inherit from `CallbackSupportMixin`, decorate `fit` with `with_callbacks`
and call a method with a private name, which is in `_foreign.py`. All other uses are in
this file, so that they can be adapted or removed in one place. Here `with_callbacks`
decorates the function that ends a context, not `fit`: a decorator of `fit` would add a
stack frame between `fit` and its caller, which our warnings point to.
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
        """A comparison without support for callbacks."""

    def with_callbacks(method):
        """Return the method unchanged."""
        return method


# Seconds of work before any progress is shown.
PATIENCE = 2.0

# Factory of observers for the callbacks of the current run, if any: called with the
# label and total of a stage, it returns an object with `update(n)` and `close()`.
_follower = contextvars.ContextVar("follower", default=None)


@contextlib.contextmanager
def track(items, *, total, label, verbose=0, size=None):
    """Yield `items` that show their progress; always clean up at the end.

    With ``verbose=0`` and without callbacks, the items are yielded as they are, at no
    cost. With `verbose`, a tqdm bar appears on standard error after two seconds, or
    plain lines if tqdm is not installed.

    Parameters
    ----------
    items : iterable
        The items; each counts as done when it is produced.
    total : int
        The total amount of work.
    label : str
        The name of the work.
    verbose : int, default=0
        Whether to show progress.
    size : callable or None, default=None
        Returns the amount of work of an item. By default it is 1.

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
    """Progress lines on standard error: after `PATIENCE` seconds, one per tenth.

    Parameters
    ----------
    total : int
        The total amount of work.
    label : str
        The name of the work.
    """

    def __init__(self, total, label):
        self.total, self.label = total, label
        self._began, self._done, self._tenth = time.monotonic(), 0, -1

    def update(self, n):
        """Record that `n` more is done."""
        self._done += n
        seconds = time.monotonic() - self._began
        tenth = 10 * self._done // self.total
        if seconds >= PATIENCE and tenth > self._tenth:
            self._tenth = tenth
            rate = self._done / max(seconds, 1e-9)
            left = (self.total - self._done) / rate
            sys.stderr.write(
                f"[skcompare] {self.label}: {self._done:,} of {self.total:,}, "
                f"{float(f'{rate:.3g}'):,.15g} per second, {left:,.0f} s left\n"
            )

    def close(self):
        """Flush standard error."""
        sys.stderr.flush()


# Maximum number of steps of a stage: callbacks store data for each step.
MOST_STEPS = 100


@contextlib.contextmanager
def followed(estimator, task="fit"):
    """Report work in this context to the callbacks of an estimator, if any.

    Callbacks see a task for the whole method, with a subtask for each stage of long
    work, which has a subtask for each of its steps.

    Parameters
    ----------
    estimator : object
        The estimator whose callbacks are called.
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
    """Do nothing: the decorator tears down the callbacks afterwards."""


class Stage:
    """Stage of the work, whose progress is reported to callbacks.

    Parameters
    ----------
    estimator : object
        The comparison whose callbacks are called.
    context : CallbackContext
        The task that the stage is part of.
    label : str
        The name of the stage.
    total : int
        The total amount of work.
    """

    def __init__(self, estimator, context, label, total):
        self._estimator, self._total, self._done = estimator, total, 0
        self._n_steps, self._steps = min(total, MOST_STEPS), 0
        self._context = self._begin(context, label, max_subtasks=self._n_steps)
        self._step = self._begin(self._context, "step")

    def _begin(self, context, name, **settings):
        """Begin a subtask of a task and return it."""
        task = context.subcontext(name, **settings)
        task.call_on_fit_task_begin(estimator=self._estimator)
        return task

    def update(self, n):
        """Record that `n` more is done.

        Requests of a callback to stop are ignored: a test with fewer resamples because
        of interim results is not valid.
        """
        self._done += n
        while self._steps < self._n_steps * self._done // self._total:
            self._steps += 1
            self._step.call_on_fit_task_end(estimator=self._estimator)
            if self._steps < self._n_steps:
                self._step = self._begin(self._context, "step")

    def close(self):
        """End the stage if its work is done."""
        if self._done >= self._total:
            self._context.call_on_fit_task_end(estimator=self._estimator)
