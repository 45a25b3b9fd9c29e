"""A question with its test: configured as an object, and spelt out as code."""

import inspect
import numbers

from skcompare.advice._configuration import made
from skcompare.advice._recommendation import OtherQuestion

__all__ = ["pose"]

# Parameters that are spelt out even if they are the default: the user has to decide.
ALWAYS_SPELT = ("rope",)


def pose(question, test, wanted, *, given, fit, why, texts=()):
    """Return a question with the test that answers it.

    Parameters
    ----------
    question : str
        The question.
    test : type
        The class of the test.
    wanted : dict
        Parameters of the test, of which those that it does not take are left out.
    given : tuple of str
        What the code has for parameters without names, such as models.
    fit : str
        How the test is fitted, as code.
    why : str
        What speaks for the test.
    texts : dict, default=()
        Code for values of parameters, where that is not how they print.

    Returns
    -------
    OtherQuestion
        The question.
    """
    spelt = [
        f"{name}={dict(texts).get(name) or _spelt(value, name)}"
        for name, value in _worth_spelling(test, wanted).items()
    ]
    return OtherQuestion(
        question=question,
        test=made(test, wanted),
        call=f"{test.__name__}({', '.join([*given, *spelt])}).{fit}",
        why=why,
    )


def _worth_spelling(test, wanted):
    """Return parameters by name that are not the default, and no models."""
    known = inspect.signature(test).parameters
    return {
        name: value
        for name, value in wanted.items()
        if name in known
        and not name.startswith("estimator")
        and (name in ALWAYS_SPELT or not _same(value, known[name].default))
    }


def _same(value, default):
    plain = isinstance(value, str | numbers.Number)
    return value is default or (plain and value == default)


def _spelt(value, name):
    """Return code for a value; its name where it does not print as code.

    Examples
    --------
    >>> _spelt("f1", "scoring"), _spelt(print, "scoring"), _spelt([], "cv")
    ("'f1'", 'scoring', 'cv')
    """
    plain = isinstance(value, str | numbers.Number)
    prints = hasattr(value, "get_params") or hasattr(value, "get_n_splits")
    code = " ".join(repr(value).split())
    return code if (plain or prints) and "<" not in code else name
