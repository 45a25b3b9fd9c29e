"""Caveats: what to bear in mind about data, and the warnings that say so, or do not."""

import contextlib
import functools
import inspect
import os
import threading
import warnings
from pathlib import Path
from typing import NamedTuple

# What files of this package begin with, and none beside it.
HOME = str(Path(__file__).parent) + os.sep


# A warning names so many of those that it concerns.
MOST_NAMED = 3


class Caveat(NamedTuple):
    """A warning to give, and to keep with the result.

    Attributes
    ----------
    category : type
        A class of `skcompare.exceptions`.
    text : str
        What to say.
    severity : float or None
        How bad it is, for caveats of which the worst stands for all of its category.
    brief : str
        A few words for the sentence of the result, of what may overturn the verdict.
    metric : str or None
        The metric that it is about; None for all of them.
    """

    category: type
    text: str
    severity: float | None = None
    brief: str = ""
    metric: str | None = None


NOTHING = Caveat(UserWarning, "", -1.0)


def merge_caveats(caveats_of):
    """Return what concerns several comparisons, each thing once.

    Parameters
    ----------
    caveats_of : dict of iterable of Caveat
        The caveats of each comparison, by what it is called.

    Returns
    -------
    list of Caveat
        Those that do not hold for all comparisons begin with the names of theirs.
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
        if len(labels) < len(caveats_of):
            more = len(labels) - MOST_NAMED
            listed = ", ".join(labels[:MOST_NAMED])
            listed += f" and {more} more" if more > 0 else ""
            caveat = caveat._replace(text=f"{listed}: {caveat.text}")
        merged.append(caveat)
    return [*merged, *worst.values()]


def warn_of(caveats):
    """Give warnings, each once, at the first caller outside of this package."""
    frame, level = inspect.currentframe().f_back, 2
    while frame is not None and frame.f_code.co_filename.startswith(HOME):
        frame, level = frame.f_back, level + 1
    for caveat in dict.fromkeys(caveats):
        warnings.warn(caveat.text, caveat.category, stacklevel=level)


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


# A context without warnings. All of the library's own are this one: another kind of
# filter, held by another thread, would again put back what it found.
quiet = HeldTogether(functools.partial(warnings.catch_warnings, action="ignore"))
