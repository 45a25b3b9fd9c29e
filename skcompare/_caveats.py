"""Caveats about data and results, and the warnings that report or suppress them."""

import contextlib
import functools
import inspect
import os
import threading
import warnings
from pathlib import Path
from typing import NamedTuple

# Path prefix of the files of this package.
HOME = str(Path(__file__).parent) + os.sep


# Maximum number of comparisons named in a merged caveat.
MOST_NAMED = 3


class Caveat(NamedTuple):
    """A warning to issue and to store with the result.

    Attributes
    ----------
    category : type
        A class of `skcompare.exceptions`.
    text : str
        The warning message.
    severity : float or None
        Severity, for caveats of which only the worst of each category is kept.
    brief : str
        Short form for the sentence of a result, if it may overturn the verdict.
    metric : str or None
        The metric concerned; None for all metrics.
    """

    category: type
    text: str
    severity: float | None = None
    brief: str = ""
    metric: str | None = None


NOTHING = Caveat(UserWarning, "", -1.0)


def merge_caveats(caveats_of, *, all_of_them=""):
    """Merge the caveats of several comparisons without duplicates.

    Parameters
    ----------
    caveats_of : dict of iterable of Caveat
        The caveats of each comparison, by its label.
    all_of_them : str, default=""
        The label of caveats that apply to all comparisons; empty for none.

    Returns
    -------
    list of Caveat
        Caveats, which begin with the labels of the comparisons that they apply to.

    Examples
    --------
    >>> few = Caveat(UserWarning, "There are few rows.")
    >>> [caveat.text for caveat in merge_caveats({"fold 0": [], "fold 1": [few]})]
    ['fold 1: There are few rows.']
    """
    concerned, worst = {}, {}
    for label, caveats in caveats_of.items():
        for caveat in caveats:
            if caveat.severity is None:
                concerned.setdefault(caveat, []).append(label)
            elif caveat.severity > worst.get(caveat.category, NOTHING).severity:
                worst[caveat.category] = caveat
    merged = []
    for caveat, labels in concerned.items():
        listed = all_of_them
        if len(labels) < len(caveats_of):
            more = len(labels) - MOST_NAMED
            listed = ", ".join(labels[:MOST_NAMED])
            listed += f" and {more} more" if more > 0 else ""
        text = f"{listed}: {caveat.text}" if listed else caveat.text
        merged.append(caveat._replace(text=text))
    return [*merged, *worst.values()]


def warn_of(caveats):
    """Issue each caveat once, as a warning that points to the caller of the package."""
    frame, level = inspect.currentframe().f_back, 2
    while frame is not None and frame.f_code.co_filename.startswith(HOME):
        frame, level = frame.f_back, level + 1
    for caveat in dict.fromkeys(caveats):
        warnings.warn(caveat.text, caveat.category, stacklevel=level)


class SharedContext:
    """A process-wide context entered by the first thread and exited by the last.

    If each thread had a context of its own, threads that do not exit in the reverse
    order of entry would restore the setting of another thread, not the original one.

    Parameters
    ----------
    setting : callable
        Returns a context manager that applies the setting when it is entered.
    """

    def __init__(self, setting):
        self._setting, self._lock, self._users = setting, threading.Lock(), 0

    @contextlib.contextmanager
    def __call__(self):
        """Apply the setting."""
        with self._lock:
            if self._users == 0:
                self._stack = contextlib.ExitStack()
                self._stack.enter_context(self._setting())
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    self._stack.close()


# Context without warnings. The library uses no other filter: a second one, in another
# thread, could again restore the wrong setting.
quiet = SharedContext(functools.partial(warnings.catch_warnings, action="ignore"))
