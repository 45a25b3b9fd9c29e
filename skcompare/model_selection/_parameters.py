"""Which parameters the differences between candidates are due to."""

import numpy as np

from skcompare.model_selection._cv_results import where_all_have_scores
from skcompare.stats.selection import adjust_against_best, against_best


def compare_values(params, scores, ratio, *, correction, confidence_level):
    """Compare the values of each parameter, averaged over all the others.

    Parameters
    ----------
    params : list of dict
        The parameters of each candidate.
    scores : ndarray of shape (n_candidates, n_splits)
        Their scores on the same splits; nan where undefined. Splits on which some
        candidate has none do not count.
    ratio : float
        The number of test rows over that of training rows.
    correction : str
        How to adjust the p-values of a parameter for their number.
    confidence_level : float
        The nominal coverage of intervals.

    Returns
    -------
    list of dict
        A row for each value of each parameter that varies: parameters in the order of
        the range of their values' mean scores, values in that of their mean scores.
    """
    scores = where_all_have_scores(scores)
    names = dict.fromkeys(name for candidate in params for name in candidate)
    tables = [
        _table(name, values, scores, ratio, correction, confidence_level)
        for name in names
        if len(values := _candidates_by_value(params, name)) > 1
    ]
    tables.sort(key=lambda rows: -rows[0]["range"])
    return [row for rows in tables for row in rows]


def _candidates_by_value(params, name):
    """Return pairs of a value and the candidates that have it, in order."""
    found = {}
    for place, candidate in enumerate(params):
        if name in candidate:
            value = candidate[name]
            found.setdefault(repr(value), (value, []))[1].append(place)
    return list(found.values())


def _table(name, values, scores, ratio, correction, confidence_level):
    """Return the rows of one parameter, the best value first."""
    by_value = np.array([scores[places].mean(axis=0) for _, places in values])
    means = by_value.mean(axis=1)
    order = np.argsort(-means, kind="stable")
    found = against_best(by_value[order], 0, ratio, confidence_level)
    adjusted = adjust_against_best(found.pvalues, correction)
    return [
        {
            "parameter": name,
            "value": values[place][0],
            "n_candidates": len(values[place][1]),
            "mean_score": float(means[place]),
            "delta": float(found.deltas[row]),
            "low": float(found.intervals[row, 0]),
            "high": float(found.intervals[row, 1]),
            "pvalue": float(found.pvalues[row]),
            "pvalue_adjusted": float(adjusted[row]),
            "range": float(np.ptp(means)),
        }
        for row, place in enumerate(order)
    ]
