"""Fewer cases where factors are combined: any two values meet, not any three."""

import itertools


def in_pairs(cases):
    """Choose as few of the cases as will do, so that all pairs of values still meet.

    What goes wrong for one value of a factor, or for two values of two factors, goes
    wrong in a case that is chosen.

    Parameters
    ----------
    cases : iterable of tuple
        One value of each factor, such as `itertools.product` gives. Values are the same
        if they print alike.

    Returns
    -------
    list of tuple
        Those chosen, in their order.
    """
    cases = list(cases)
    met = [
        {*itertools.combinations([(n, repr(value)) for n, value in enumerate(case)], 2)}
        for case in cases
    ]
    left, chosen = set().union(*met), set()
    for new in range(max(map(len, met)), 0, -1):
        for place, pairs in enumerate(met):
            if len(pairs & left) >= new:
                chosen.add(place)
                left -= pairs
    return [cases[place] for place in sorted(chosen)]
