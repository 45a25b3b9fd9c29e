"""Candidates of a search by what tells them from each other."""

import numbers

from skcompare.results._document import shortened

# Numbers of more characters are rounded, other values cut.
LONGEST_NUMBER, LONGEST_VALUE = 8, 30


def candidate_labels(params):
    """Return for each candidate the parameters that vary among all.

    Parameters
    ----------
    params : sequence of dict
        The parameters of each candidate.

    Returns
    -------
    list of str
        Names without the steps of a pipeline, where those are not needed to tell them
        apart. A single candidate has all of its parameters.

    Examples
    --------
    >>> candidate_labels([{"svc__C": 1, "svc__kernel": "rbf"},
    ...                   {"svc__C": 10, "svc__kernel": "rbf"}])
    ['C=1', 'C=10']
    """
    names = _varying(params) if len(params) > 1 else list(params[0])
    called = dict(zip(names, _short_names(names), strict=True))
    return [
        listed({called[name]: given[name] for name in names if name in given})
        for given in params
    ]


def listed(params):
    """Return parameters and their values in a line.

    Examples
    --------
    >>> listed({"C": 0.1 + 0.2, "kernel": "rbf"}), listed({})
    ('C=0.3, kernel=rbf', 'as it is')
    """
    named = ", ".join(f"{name}={brief(value)}" for name, value in params.items())
    return named or "as it is"


def _varying(params):
    """Return the names of parameters that not all candidates have alike."""
    names = dict.fromkeys(name for given in params for name in given)
    missing = object()  # unlike any value
    return [n for n in names if len({repr(p.get(n, missing)) for p in params}) > 1]


def _short_names(names):
    """Return what follows the last "__"; the whole names if that is not unique."""
    last = [name.rpartition("__")[2] for name in names]
    return last if len(set(last)) == len(last) else names


def brief(value):
    """Return a value in a few characters of one line.

    Examples
    --------
    >>> brief(1.0), brief(0.1 + 0.2), brief(True)
    ('1.0', '0.3', 'True')
    """
    text = " ".join(str(value).split())
    is_real, whole = (isinstance(value, n) for n in (numbers.Real, numbers.Integral))
    if is_real and not whole and len(text) > LONGEST_NUMBER:
        return format(float(value), ".4g")
    return shortened(text, LONGEST_VALUE)
