"""Sets of models: those that do not differ significantly, those that may be best."""

import string

import numpy as np

from skcompare.stats.max_t import studentize
from skcompare.stats.pvalues import resampling_pvalue


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
        second, ... members. Two models share a group exactly when they do not differ.

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
        models share a letter exactly when they do not differ.

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
    """Return for each model how well the data agree with its being among the best.

    Models are eliminated one by one: as long as there are several, the hypothesis that
    all of them are equally good is tested by the largest studentized difference of two
    of them, and the worse one of these goes [1]_. The p-value of a model is the largest
    of the tests up to the one that eliminated it, and that of the last model is 1.

    Parameters
    ----------
    observed : ndarray of shape (n_models,)
        The scores.
    resampled : ndarray of shape (n_resamples, n_models)
        The same of bootstrap resamples. One on which a model is undefined counts as
        exceeding as long as that model is left.
    tolerance : float, default=0.0
        How far apart equal scores may be by rounding.
    add_one : bool, default=True
        Count the observed data among the resamples.

    Returns
    -------
    ndarray of shape (n_models,)
        The p-values. Models whose p-value is above a level are a set that has all of
        the best models in it with a probability of at least one less that level, in
        large samples.

    Notes
    -----
    Differences are divided by the standard deviations of their resamples. Those of
    resamples, less the observed ones, are the null distribution: that of differences
    between models that are equally good.

    For two models this is the two-sided test of their difference. For more, a model
    that the max-t step-down test of all pairs separates from the best-scoring one
    is never in the set: when the set is complete, the largest difference within it
    is not significant among the pairs within it, let alone among more of them.

    Hansen, Lunde and Nason also study the largest shortfall of a model behind the mean
    of those that are left. Where one good model stands among many that are alike, that
    mean is about as bad as they are, and it takes many more rows to eliminate them.

    Models that score alike on all resamples have the same p-value, which is 1 if they
    are the best. Of several with the same shortfall, the one named last goes first.

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

    def behind(model, others):
        """Studentize how far a model is behind each of some others."""
        shortfalls = observed[others] - observed[model]
        null = resampled[:, others] - resampled[:, [model]] - shortfalls
        return studentize(shortfalls, null, np.full(len(others), tolerance))

    order, thresholds = _elimination(behind, len(observed))
    largest, steps = np.zeros(len(resampled)), []
    for place in reversed(range(len(thresholds))):
        sizes = np.abs(behind(order[place], order[place + 1 :]).null).max(axis=1)
        largest = np.maximum(largest, np.where(np.isnan(sizes), np.inf, sizes))
        count = int(np.count_nonzero(largest >= thresholds[place]))
        steps.append(resampling_pvalue(count, len(resampled), add_one=add_one))
    pvalues = np.ones(len(observed))
    pvalues[order[:-1]] = np.maximum.accumulate(np.array(steps[::-1], dtype=float))
    return pvalues


def _elimination(behind, n_models):
    """Return the models as they go, the last stays, and what resamples must exceed."""
    statistics, slack = np.zeros((2, n_models, n_models))
    for model in range(1, n_models):
        shortfalls = behind(model, np.arange(model))
        statistics[model, :model] = shortfalls.observed
        statistics[:model, model] = -shortfalls.observed
        slack[model, :model] = slack[:model, model] = shortfalls.tolerance
    left, order, thresholds = list(range(n_models)), [], []
    while len(left) > 1:
        # Of equals, the one that was named last goes first.
        worst = max(left, key=lambda model: (statistics[model, left].max(), model))
        rival = left[int(np.argmax(statistics[worst, left]))]
        thresholds.append(statistics[worst, rival] - slack[worst, rival])
        order.append(worst)
        left.remove(worst)
    return np.array([*order, *left]), thresholds
