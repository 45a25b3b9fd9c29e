"""Over several data sets: in which region does the difference of two models fall?

A posterior of how a difference is distributed over data sets gives three shares: above,
inside and below the region of practical equivalence. Where shares are drawn, each draw
has a largest one.
"""

from typing import NamedTuple

import numpy as np
from scipy import stats

GRID_SIZE = 4_000


def walsh_regions(differences, rope, *, tolerance=0.0):
    """Mark the averages of two differences that are above and below a region.

    Parameters
    ----------
    differences : ndarray of shape (n,)
        Differences of scores, one per data set.
    rope : Rope
        The region of practical equivalence.
    tolerance : float, default=0.0
        How far beyond an end rounding alone may lead.

    Returns
    -------
    above, below : ndarray of shape (n, n)
        Ones and zeros.

    Examples
    --------
    >>> above, below = walsh_regions(np.array([0.0, 0.04, -0.1]), (-0.01, 0.01))
    >>> above.tolist()
    [[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    low, high = rope
    averages = (differences[:, np.newaxis] + differences) / 2
    above, below = averages > high + tolerance, averages < low - tolerance
    return above.astype(float), below.astype(float)


def pair_shares(weights, *, above, below):
    """Return the shares of pairs that are above, inside and below.

    Parameters
    ----------
    weights : ndarray of shape (n_draws, n)
        Weights of the members of pairs, positive; their sum makes no difference.
    above, below : ndarray of shape (n, n)
        Which pairs are, as ones and zeros.

    Returns
    -------
    ndarray of shape (n_draws, 3)
        The shares.

    Examples
    --------
    >>> above, below = walsh_regions(np.array([0.0, 0.04, -0.1]), (-0.01, 0.01))
    >>> pair_shares(np.array([[1.0, 1.0, 2.0]]), above=above, below=below)
    array([[0.1875, 0.0625, 0.75  ]])
    """
    shares = weights / weights.sum(axis=1, keepdims=True)
    better, worse = ((shares @ pairs * shares).sum(axis=1) for pairs in (above, below))
    return np.stack([better, 1 - better - worse, worse], axis=1)


def next_regions(center, spread, rope):
    """Return the shares of a normal distribution above, inside and below a region.

    Parameters
    ----------
    center, spread : ndarray of shape (n_draws,)
        Means and standard deviations, the latter not negative.
    rope : Rope
        The region of practical equivalence.

    Returns
    -------
    ndarray of shape (n_draws, 3)
        The shares.

    Examples
    --------
    >>> next_regions(np.array([0.01]), np.array([0.01]), (-0.01, 0.01)).round(3)
    array([[0.5  , 0.477, 0.023]])
    """
    low, high = rope
    point = spread == 0
    spread = np.where(point, 1.0, spread)
    above = np.where(point, center > high, stats.norm.sf((high - center) / spread))
    below = np.where(point, center < low, stats.norm.cdf((low - center) / spread))
    return np.stack([above, 1 - above - below, below], axis=1)


def largest_region(shares):
    """Return how often each region has the largest share.

    Parameters
    ----------
    shares : ndarray of shape (n_draws, 3)
        Shares above, inside and below.

    Returns
    -------
    p_better, p_equivalent, p_worse : float
        They sum to 1. Where shares tie, the inside counts before the outside.

    Examples
    --------
    >>> largest_region(np.array([[0.7, 0.2, 0.1], [0.4, 0.5, 0.1]]))
    (0.5, 0.5, 0.0)
    """
    inside_first = shares[:, [1, 0, 2]]
    counts = np.bincount(np.argmax(inside_first, axis=1), minlength=3)
    equivalent, better, worse = (counts / len(shares)).tolist()
    return better, equivalent, worse


class HierarchyDraws(NamedTuple):
    """Draws of how a quantity varies over data sets.

    Attributes
    ----------
    center, spread : ndarray of shape (n_draws,)
        Its mean and standard deviation over data sets.
    deltas : ndarray of shape (n_datasets,)
        Its posterior mean on each of them, drawn towards the center.
    """

    center: np.ndarray
    spread: np.ndarray
    deltas: np.ndarray


def hierarchy_draws(means, errors, n_draws, rng):
    """Draw from the posterior of a normal hierarchy, without a Markov chain.

    Estimates are normal about true values, which are normal about a center. The prior
    of center and spread is flat. Given the spread everything is normal; the posterior
    of the spread itself is one-dimensional, and is drawn from on a grid.

    Parameters
    ----------
    means, errors : ndarray of shape (n_datasets,)
        Estimates and their standard errors; three data sets at least.
    n_draws : int
        The number of draws.
    rng : numpy.random.Generator
        The source of randomness.

    Returns
    -------
    HierarchyDraws
        The draws.

    References
    ----------
    .. [1] Gelman, A. et al. (2014). Bayesian Data Analysis, 3rd edition, section 5.4.

    Examples
    --------
    >>> means = np.array([28.0, 8, -3, 7, -1, 1, 18, 12])  # [1], eight schools
    >>> errors = np.array([15.0, 10, 16, 11, 9, 11, 10, 18])
    >>> found = hierarchy_draws(means, errors, 20_000, np.random.default_rng(0))
    >>> round(float(found.center.mean())), round(float(np.median(found.spread)))
    (8, 5)
    """
    scale = float(np.std(means) + np.mean(errors))
    if scale <= 1e-12 * np.max(np.abs(means), initial=0.0):
        center = np.full(n_draws, np.mean(means))
        return HierarchyDraws(center, np.zeros(n_draws), means)
    spread = _drawn_spread(means, errors, scale, n_draws, rng)
    variances = errors**2 + spread[:, np.newaxis] ** 2
    mean, variance = _center(means, variances)
    center = rng.normal(mean, np.sqrt(variance))
    kept = spread[:, np.newaxis] ** 2 / variances
    deltas = (kept * means + (1 - kept) * center[:, np.newaxis]).mean(axis=0)
    return HierarchyDraws(center, spread, deltas)


def _drawn_spread(means, errors, scale, n_draws, rng):
    """Draw the spread t = scale u / (1 - u) from a grid of u in (0, 1)."""
    u = (np.arange(GRID_SIZE) + 0.5) / GRID_SIZE
    spread = scale * u / (1 - u)
    variances = errors**2 + spread[:, np.newaxis] ** 2
    mean, variance = _center(means, variances)
    away = (means - mean[:, np.newaxis]) ** 2 / variances
    log_density = 0.5 * (np.log(variance) - (np.log(variances) + away).sum(axis=1))
    log_density -= 2 * np.log(1 - u)  # dt / du
    weights = np.exp(log_density - log_density.max())
    cells = rng.choice(GRID_SIZE, size=n_draws, p=weights / weights.sum())
    u = (cells + rng.random(n_draws)) / GRID_SIZE
    return scale * u / (1 - u)


def _center(means, variances):
    """Return mean and variance of the center given the spread."""
    precision = 1 / variances
    total = precision.sum(axis=1)
    return (precision @ means) / total, 1 / total
