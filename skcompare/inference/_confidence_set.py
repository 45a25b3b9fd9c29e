"""The Model Confidence Set: which of several models may be the best."""

import numpy as np

from skcompare.inference._max_t import max_t_pvalues, studentize

__all__ = ["confidence_set_pvalues"]


def confidence_set_pvalues(observed, resampled, tolerance=0.0, *, add_one=True):
    """Return for each model how well the data agree with its being among the best.

    Models are eliminated one by one: as long as there are several, the hypothesis that
    all of them are equally good is tested by the largest studentised shortfall of a
    model behind the mean of all, and the model to which it belongs goes [1]_. The
    p-value of a model is the largest of the tests up to the one that eliminated it,
    and that of the last model is 1.

    Parameters
    ----------
    observed : ndarray of shape (n_models,)
        The scores.
    resampled : ndarray of shape (n_resamples, n_models)
        The same of bootstrap resamples; a resample with a nan counts as exceeding.
    tolerance : float, default=0.0
        How far apart equal scores may be by rounding.
    add_one : bool, default=True
        Count the observed data among the resamples.

    Returns
    -------
    ndarray of shape (n_models,)
        The p-values. Models whose p-value is above a level are a set that has the best
        models in it with a probability of at least one less that level, in large
        samples.

    References
    ----------
    .. [1] Hansen, P. R., Lunde, A. and Nason, J. M. (2011). The model confidence set.
       Econometrica 79(2), 453-497. :doi:`10.3982/ECTA5771`

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scores = np.array([0.80, 0.79, 0.60])
    >>> resampled = scores + rng.normal(scale=0.02, size=(999, 3))
    >>> confidence_set_pvalues(scores, resampled).round(2).tolist()
    [1.0, 0.71, 0.0]
    """
    left = list(range(len(observed)))
    pvalues, largest = np.ones(len(observed)), 0.0
    while len(left) > 1:
        pvalue, worst = _weakest(
            observed[left], resampled[:, left], tolerance, add_one=add_one
        )
        largest = max(largest, pvalue)
        pvalues[left.pop(worst)] = largest
    return pvalues


def _weakest(observed, resampled, tolerance, *, add_one):
    """Test whether models are equally good, and say which is the first to go."""
    behind = observed.mean() - observed
    resampled_behind = resampled.mean(axis=1, keepdims=True) - resampled
    tolerances = np.full(len(observed), tolerance)
    shortfalls = studentize(behind, resampled_behind - behind, tolerances)
    # Of equals, the one that was named last goes first.
    worst = len(observed) - 1 - int(np.argmax(shortfalls.observed[::-1]))
    pvalues = max_t_pvalues(shortfalls, "greater", add_one=add_one)
    return pvalues[worst], worst
