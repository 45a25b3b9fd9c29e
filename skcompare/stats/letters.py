"""Compact letters: which of several models do not differ significantly."""

import string

import numpy as np


def indistinct_groups(differ, order=None):
    """Return the largest groups of models no two of which differ.

    By inserting and absorbing [1]_: start with one group of all models; a pair that
    differs splits each group that has both; groups inside others are dropped.

    Parameters
    ----------
    differ : ndarray of bool, shape (n_models, n_models)
        Which models differ; symmetric.
    order : array-like of int, default=None
        The models, best first. None takes them as they are numbered.

    Returns
    -------
    list of tuple of int
        Groups of models, each in this order, and the groups by their first, then
        second, ... members. Two models share a group just if they do not differ.

    References
    ----------
    .. [1] Piepho, H.-P. (2004). An algorithm for a letter-based representation of
       all-pairwise comparisons. Journal of Computational and Graphical Statistics
       13(2), 456-466. :doi:`10.1198/1061860043515`

    Examples
    --------
    >>> differ = np.zeros((3, 3), dtype=bool)
    >>> differ[0, 2] = differ[2, 0] = True
    >>> indistinct_groups(differ)
    [(0, 1), (1, 2)]
    """
    order = range(len(differ)) if order is None else [int(model) for model in order]
    place = {model: number for number, model in enumerate(order)}
    groups = {frozenset(order)}
    for i, j in np.argwhere(np.triu(differ)).tolist():
        groups = _split(groups, i, j)
    listed = [sorted(place[model] for model in group) for group in groups]
    return [tuple(order[number] for number in group) for group in sorted(listed)]


def _split(groups, i, j):
    """Split the groups that have both models, and keep the largest groups."""
    parts = {g - {m} for g in groups if i in g and j in g for m in (i, j)}
    whole = {g for g in groups if i not in g or j not in g}
    return whole | {
        part
        for part in parts
        if not any(part < other for other in parts)
        and not any(part <= other for other in whole)
    }


def compact_letters(differ, order=None):
    """Give every model the letters of its groups.

    Parameters
    ----------
    differ : ndarray of bool, shape (n_models, n_models)
        Which models differ; symmetric.
    order : array-like of int, default=None
        The models, best first: the group of the best is "a".

    Returns
    -------
    tuple of str
        The letters of each model: a, b, ..., z, A, ..., Z, then [53], [54], ... Two
        models share a letter just if they do not differ.

    Examples
    --------
    >>> differ = np.zeros((3, 3), dtype=bool)
    >>> differ[0, 2] = differ[2, 0] = True
    >>> compact_letters(differ)
    ('a', 'ab', 'b')
    """
    letters = [""] * len(differ)
    for number, group in enumerate(indistinct_groups(differ, order)):
        for model in group:
            letters[model] += (
                string.ascii_letters[number] if number < 52 else f"[{number + 1}]"
            )
    return tuple(letters)
