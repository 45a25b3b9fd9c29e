"""Candidates of a search by the parameters that vary."""

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
        Names without the steps of a pipeline, where those are not needed to
        distinguish them. A single candidate has all of its parameters.

    Examples
    --------
    >>> candidate_labels([{"svc__C": 1, "svc__kernel": "rbf"},
    ...                   {"svc__C": 10, "svc__kernel": "rbf"}])
    ['C=1', 'C=10']
    """
    names = dict.fromkeys(name for candidate in params for name in candidate)
    if len(params) > 1:
        missing = object()  # unlike any value
        values = {n: {repr(c.get(n, missing)) for c in params} for n in names}
        names = [name for name in names if len(values[name]) > 1]
    last = [name.rpartition("__")[2] for name in names]
    short = last if len(set(last)) == len(last) else names
    return [
        listed({s: c[name] for name, s in zip(names, short, strict=True) if name in c})
        for c in params
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
