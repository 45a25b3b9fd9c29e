"""Sets of models that do not differ significantly, and of models that may be best."""

import string

import numpy as np

from skcompare.stats.max_t import studentize
from skcompare.stats.pvalues import resampling_pvalue


def indistinct_groups(differ, order=None):
    """Return the maximal groups of models in which no two models differ.

    Uses the insert-and-absorb algorithm [1]_: start with a single group of all models;
    each pair that differs splits the groups that contain both; drop groups that are
    subsets of others.

    Parameters
    ----------
    differ : ndarray of bool, shape (n_models, n_models)
        Which models differ; symmetric.
    order : array-like of int, default=None
        The models, best first. None means the order of their indices.

    Returns
    -------
    list of tuple of int
        The groups of models. Models within groups are sorted by `order`, and groups by
        their first, second, ... members. Two models share a group if and only if they
        do not differ.

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
        parts = {g - {m} for g in groups if i in g and j in g for m in (i, j)}
        whole = {g for g in groups if i not in g or j not in g}
        groups = whole | {
            part
            for part in parts
            if not any(part < other for other in parts)
            and not any(part <= other for other in whole)
        }
    listed = [sorted(place[model] for model in group) for group in groups]
    return [tuple(order[number] for number in group) for group in sorted(listed)]


def compact_letters(differ, order=None):
    """Return a compact letter display of the groups of models.

    Parameters
    ----------
    differ : ndarray of bool, shape (n_models, n_models)
        Which models differ; symmetric.
    order : array-like of int, default=None
        The models, best first: the group of the best model is "a".

    Returns
    -------
    tuple of str
        The letters of each model: a, b, ..., z, A, ..., Z, then [53], [54], ... Two
        models share a letter if and only if they do not differ.

    Examples
    --------
    >>> differ = np.zeros((3, 3), dtype=bool)
    >>> differ[0, 2] = differ[2, 0] = True
    >>> compact_letters(differ)
    ('a', 'ab', 'b')
    """
    letters = [""] * len(differ)
    for number, group in enumerate(indistinct_groups(differ, order)):
        letter = string.ascii_letters[number] if number < 52 else f"[{number + 1}]"
        for model in group:
            letters[model] += letter
    return tuple(letters)


def confidence_set_pvalues(observed, resampled, tolerance=0.0, *, add_one=True):
    """Return the p-value of each model for the model confidence set.

    Models are eliminated one by one [1]_. While several models remain, the hypothesis
    that all of them are equally good is tested by the largest studentized difference of
    two models, and the worse model of this pair is eliminated. The p-value of a model
    is the largest p-value of the tests up to its elimination; that of the last model is
    1.

    Parameters
    ----------
    observed : ndarray of shape (n_models,)
        The observed scores.
    resampled : ndarray of shape (n_resamples, n_models)
        The scores on bootstrap resamples. A resample on which a model's score is
        undefined counts as exceeding until that model is eliminated.
    tolerance : float, default=0.0
        The largest difference between equal scores, due to rounding.
    add_one : bool, default=True
        Count the observed data as one of the resamples.

    Returns
    -------
    ndarray of shape (n_models,)
        The p-values. In large samples, the set of models whose p-value is above a level
        contains all of the best models with a probability of at least 1 minus this
        level.

    Notes
    -----
    Differences are divided by the standard deviations of their resamples. The resampled
    minus the observed differences are the null distribution, that of differences
    between equally good models.

    For two models this is the two-sided test of their difference. For more models, a
    model that differs significantly from the best-scoring one in the max-t step-down
    test of all pairs is never in the set: when elimination stops, the largest
    difference within the set is not significant among the pairs within it, let alone
    among a larger number of pairs.

    Hansen, Lunde and Nason also study the largest shortfall of a model behind the mean
    of the remaining models. With one good model among many similar models, this mean is
    about as bad as theirs, and many more rows are needed to eliminate them.

    Models with equal scores on all resamples have the same p-value, which is 1 if they
    are the best. Among models with equal shortfalls, the last one is eliminated first.

    References
    ----------
    .. [1] Hansen, P. R., Lunde, A. and Nason, J. M. (2011). The model confidence set.
       Econometrica 79(2), 453-497. :doi:`10.3982/ECTA5771`

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import confidence_set_pvalues
    >>> rng = np.random.default_rng(0)
    >>> scores = np.array([0.80, 0.79, 0.60])
    >>> resampled = scores + rng.normal(scale=0.02, size=(999, 3))
    >>> confidence_set_pvalues(scores, resampled).round(2).tolist()
    [1.0, 0.71, 0.0]
    """

    def shortfalls_of(model, others):
        """Return the studentized shortfalls of a model behind other models."""
        shortfalls = observed[others] - observed[model]
        null = resampled[:, others] - resampled[:, [model]] - shortfalls
        return studentize(shortfalls, null, np.full(len(others), tolerance))

    order, thresholds = _elimination(shortfalls_of, len(observed))
    largest, steps = np.zeros(len(resampled)), []
    for place in reversed(range(len(thresholds))):
        sizes = np.abs(shortfalls_of(order[place], order[place + 1 :]).null).max(axis=1)
        largest = np.maximum(largest, np.where(np.isnan(sizes), np.inf, sizes))
        count = int(np.count_nonzero(largest >= thresholds[place]))
        steps.append(resampling_pvalue(count, len(resampled), add_one=add_one))
    pvalues = np.ones(len(observed))
    pvalues[order[:-1]] = np.maximum.accumulate(np.array(steps[::-1], dtype=float))
    return pvalues


def _elimination(shortfalls_of, n_models):
    """Return the models in the order of elimination, and the thresholds of the tests.

    The last model is not eliminated.
    """
    statistics, slack = np.zeros((2, n_models, n_models))
    for model in range(1, n_models):
        shortfalls = shortfalls_of(model, np.arange(model))
        statistics[model, :model] = shortfalls.observed
        statistics[:model, model] = -shortfalls.observed
        slack[model, :model] = slack[:model, model] = shortfalls.tolerance
    left, order, thresholds = list(range(n_models)), [], []
    while len(left) > 1:
        # Among equal models, the last one is eliminated first.
        worst = max(left, key=lambda model: (statistics[model, left].max(), model))
        rival = left[int(np.argmax(statistics[worst, left]))]
        thresholds.append(statistics[worst, rival] - slack[worst, rival])
        order.append(worst)
        left.remove(worst)
    return np.array([*order, *left]), thresholds
