"""Letting scikit-learn's callbacks follow a comparison, where it has them.

`sklearn.callback` came with scikit-learn 1.9 and is experimental. Its guide has third
parties inherit from `CallbackSupportMixin`, decorate `fit` by `with_callbacks` and call
`_init_callback_context`, which it counts as public in spite of its name. All of that is
in this file, so that it can be mended in one place, or left out. Here `with_callbacks`
decorates what ends a context and not `fit`: a decorator would stand between `fit` and
its caller, whom our warnings point to.
"""

import contextlib
import functools

from skcompare._progress import follow_stages

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:
        """A comparison that no callbacks can follow."""

    def with_callbacks(method):
        """Return the method as it is."""
        return method


# A stage is told in at most so many steps: callbacks keep something of each.
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
    if not hasattr(estimator, "_skl_callbacks"):
        yield
        return
    try:
        context = estimator._init_callback_context(task, max_subtasks=None)
        context.call_on_fit_task_begin(estimator=estimator)
        with follow_stages(functools.partial(Stage, estimator, context)):
            yield
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
        self._context = context.subcontext(label, max_subtasks=self._n_steps)
        self._begin(self._context)
        self._begin_step()

    def _begin(self, context):
        context.call_on_fit_task_begin(estimator=self._estimator)

    def _begin_step(self):
        self._step = self._context.subcontext("step")
        self._begin(self._step)

    def _end(self, context):
        # A callback may ask to stop, but a test that has fewer resamples because of
        # what somebody saw is not valid, so nobody listens.
        context.call_on_fit_task_end(estimator=self._estimator)

    def update(self, n):
        """Note that `n` more is done."""
        self._done += n
        while self._steps < self._n_steps * self._done // self._total:
            self._steps += 1
            self._end(self._step)
            if self._steps < self._n_steps:
                self._begin_step()

    def close(self):
        """End the stage if its work is done."""
        if self._done >= self._total:
            self._end(self._context)
