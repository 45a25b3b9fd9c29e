"""Summarize the posterior of a difference: probabilities, interval and decision.

A posterior is an array of draws, or a frozen SciPy distribution if there is a closed
form. A *region of practical equivalence* (ROPE) contains the differences that are too
small to matter.
"""

import math
import numbers
import warnings
from typing import NamedTuple

import numpy as np
from scipy import ndimage, stats

from skcompare._parameters import RULES, Fraction
from skcompare.exceptions import MultimodalPosteriorWarning, ParameterError
from skcompare.stats.intervals import score_range

GRID_SIZE = 512

# Number of grid points for the standard deviation of differences between data sets.
SPREAD_GRID_SIZE = 4_000

# Relative variation of draws up to which it is attributed to rounding.
NO_SPREAD = 1e-12

# The bandwidth is not reduced further for more draws than this, so that random bumps
# are smoothed away.
MOST_DRAWS_FOR_BANDWIDTH = 2_000

# A second peak is clear if its height is at least LEAST_PEAK of the highest peak, and
# the density in the valley before it at most SHALLOWEST_VALLEY of its own height.
LEAST_PEAK = 0.1
SHALLOWEST_VALLEY = 0.5

# Share of draws in each tail that is ignored in the search for peaks.
TAIL = 0.01

# Values that differ by no more than this share of their range count as equal.
LEAST_STEP = 1e-9


class CredibleInterval(NamedTuple):
    """The two ends of an interval that contains a given share of a posterior.

    Examples
    --------
    >>> from skcompare.stats import CredibleInterval
    >>> interval = CredibleInterval(0.1, 0.3)
    >>> interval.low, interval.high
    (0.1, 0.3)
    """

    low: float
    high: float


class Rope(NamedTuple):
    """The region of practical equivalence, a closed interval."""

    low: float
    high: float


class PosteriorSummary(NamedTuple):
    """Summary of the posterior of a difference A - B.

    Attributes
    ----------
    posterior_mean : float
        The mean.
    posterior_mode : float
        The maximum of the density, or maximum a posteriori (MAP) estimate; for draws,
        the maximum of a smoothed density.
    hdi : CredibleInterval
        The shortest interval with the requested probability.
    p_better, p_equivalent, p_worse : float
        The probabilities that the difference is above, inside and below the region of
        practical equivalence. They sum to 1.
    p_direction : float
        The larger of the probabilities that the difference is above and below 0.
    decision : {">>", "<<", "~", "?"}
        The decision based on the interval.
    """

    posterior_mean: float
    posterior_mode: float
    hdi: CredibleInterval
    p_better: float
    p_equivalent: float
    p_worse: float
    p_direction: float
    decision: str


def as_rope(rope):
    """Turn a number or a pair into a region of practical equivalence.

    Parameters
    ----------
    rope : float or pair of float
        A number makes the region symmetric about 0. A pair must include 0.

    Returns
    -------
    Rope
        The region.

    Examples
    --------
    >>> as_rope(0.01)
    Rope(low=-0.01, high=0.01)
    >>> as_rope((0, 0.05))
    Rope(low=0.0, high=0.05)
    """
    RULES["rope"].check("rope", rope)
    low, high = (-rope, rope) if isinstance(rope, numbers.Real) else rope
    return Rope(0.0 + float(low), float(high))


def rope_within(rope, scoring, scores):
    """Turn a number or a pair into a region that does not cover all differences.

    Parameters
    ----------
    rope : float or pair of float
        The region, as for `as_rope`.
    scoring : str
        The name of the metric.
    scores : array-like
        Scores of the metric.

    Returns
    -------
    Rope
        The region.

    Raises
    ------
    ParameterError
        If the region contains all possible differences of the metric.

    Examples
    --------
    >>> rope_within(0.01, "accuracy", [0.8, 0.7])
    Rope(low=-0.01, high=0.01)
    """
    region, (low, high) = as_rope(rope), score_range(scoring, scores)
    largest = high - low
    if region.low <= -largest and region.high >= largest:
        raise ParameterError(
            "rope",
            f"be narrower than {-largest:g} to {largest:g}, the range of all possible "
            f"differences in {scoring}",
            repr(rope),
            "0.01 is one percentage point of a metric between 0 and 1.",
        )
    return region


def hdi(draws, probability=0.95):
    """Return the highest-density interval, the shortest that contains enough draws.

    Parameters
    ----------
    draws : array-like of shape (n_draws,)
        Draws from a distribution, such as a posterior.
    probability : float, default=0.95
        The minimum share of draws inside the interval.

    Returns
    -------
    CredibleInterval
        The interval, whose ends are draws. If several are equally short, the lowest.

    Warns
    -----
    MultimodalPosteriorWarning
        If the draws clearly have several peaks. The region of highest density then
        consists of several intervals, and the returned one may contain improbable
        values.

    Notes
    -----
    The interval is exact for the draws: no density is estimated. If all draws are
    equal, its width is 0. Unlike for quantiles, the interval of a transformed quantity
    is not the transformed interval.

    Examples
    --------
    >>> from skcompare.stats import hdi
    >>> hdi([0.0, 1.0, 2.0, 2.5, 2.6, 2.7], probability=0.5)
    CredibleInterval(low=2.5, high=2.7)
    """
    Fraction().check("probability", probability)
    rule = "`draws` must be a non-empty one-dimensional array of finite numbers."
    try:
        draws = np.asarray(draws, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{rule} Got {draws!r}.") from None
    if draws.ndim != 1 or not len(draws) or not np.isfinite(draws).all():
        n_not_finite = np.count_nonzero(~np.isfinite(draws))
        raise ValueError(
            f"{rule} Got shape {draws.shape} with {n_not_finite} non-finite values."
        )
    if is_multimodal(draws):
        warnings.warn(
            "The draws have several peaks: the shortest interval may contain "
            "improbable values between them. Look at a plot.",
            MultimodalPosteriorWarning,
            stacklevel=2,
        )
    return _shortest(draws, probability)


def _shortest(draws, probability):
    draws = np.sort(draws)
    n_inside = max(1, math.ceil(probability * len(draws) - 1e-9))
    lows, highs = draws[: len(draws) - n_inside + 1], draws[n_inside - 1 :]
    best = int(np.argmin(highs - lows))
    return CredibleInterval(float(lows[best]), float(highs[best]))


def density_of(draws):
    """Estimate a density from draws, for a plot.

    Parameters
    ----------
    draws : ndarray of shape (n_draws,)
        Finite numbers.

    Returns
    -------
    grid, density : ndarray of shape (512,)
        The grid and the density on it: a histogram smoothed by a normal kernel. For
        draws that do not vary, the kernel is about as wide as the rounding errors.
    """
    return _smoothed(draws, _bandwidth(draws))


def mode_of(draws):
    """Return the mode of draws, the maximum of a smoothed density.

    Parameters
    ----------
    draws : ndarray of shape (n_draws,)
        Finite numbers.

    Returns
    -------
    float
        The grid point with the highest `density_of`; the common value if draws do not
        vary.

    Examples
    --------
    >>> abs(mode_of(np.random.default_rng(0).gamma(5.0, size=50_000)) - 4) < 0.2
    True
    """
    if np.ptp(draws) <= NO_SPREAD * np.max(np.abs(draws)):
        return float(np.median(draws))
    grid, density = density_of(draws)
    return float(grid[np.argmax(density)])


def _bandwidth(draws):
    size, spread = float(np.max(np.abs(draws))), float(np.std(draws))
    if spread <= NO_SPREAD * size:
        spread = 1e-9 * max(1.0, size)
    n_effective = min(len(draws), MOST_DRAWS_FOR_BANDWIDTH)
    return 1.06 * spread * n_effective**-0.2


def _smoothed(draws, bandwidth):
    low, high = draws.min() - 4 * bandwidth, draws.max() + 4 * bandwidth
    counts, edges = np.histogram(draws, bins=GRID_SIZE, range=(low, high))
    step = edges[1] - edges[0]
    smooth = ndimage.gaussian_filter1d(
        counts.astype(float), bandwidth / step, mode="constant", truncate=8.0
    )
    return (edges[:-1] + edges[1:]) / 2, smooth / (smooth.sum() * step)


def is_multimodal(draws):
    """Return whether a smoothed density of draws clearly has several peaks.

    Parameters
    ----------
    draws : ndarray of shape (n_draws,)
        Finite numbers.

    Returns
    -------
    bool
        Whether there is a second peak of at least a tenth of the height of the highest
        one, behind a valley of at most half its own height. The outermost draws are
        ignored, so that a few outliers do not hide the other draws, and so are the gaps
        of a lattice of three or more values.
    """
    ordered = np.sort(draws)
    n_cut = int(TAIL * len(ordered))
    central = ordered[n_cut : len(ordered) - n_cut]
    bandwidth = max(_bandwidth(central), _lattice_step(ordered) / 2)
    density = _smoothed(central, bandwidth)[1]
    highest = int(np.argmax(density))
    for side in (density[highest:], density[highest::-1]):
        deepest = np.minimum.accumulate(side)
        high_enough = side >= LEAST_PEAK * side[0]
        if np.any(high_enough & (deepest <= SHALLOWEST_VALLEY * side)):
            return True
    return False


def _lattice_step(ordered):
    """Return the lower median distance of distinct neighbors; tiny if not a lattice.

    A single distance does not make a lattice: returns 0.
    """
    steps = np.diff(ordered)
    steps = np.sort(steps[steps > LEAST_STEP * (ordered[-1] - ordered[0])])
    return float(steps[(len(steps) - 1) // 2]) if len(steps) > 1 else 0.0


def decide(interval, rope):
    """Compare an interval with the region of practical equivalence.

    Parameters
    ----------
    interval : CredibleInterval
        The highest-density interval of A - B.
    rope : Rope
        The region.

    Returns
    -------
    {">>", "<<", "~", "?"}
        ">>" (A is better) if the whole interval is above the region, "<<" (B is better)
        if it is below, "~" (practically equivalent) if it is inside, and "?"
        (undecided) otherwise.

    Examples
    --------
    >>> decide(CredibleInterval(0.02, 0.05), as_rope(0.01))
    '>>'
    >>> decide(CredibleInterval(-0.02, 0.05), as_rope(0.01))
    '?'
    """
    if interval.low > rope.high:
        return ">>"
    if interval.high < rope.low:
        return "<<"
    inside = rope.low <= interval.low and interval.high <= rope.high
    return "~" if inside else "?"


def summarize_draws(draws, rope, probability):
    """Summarize the draws from a posterior.

    Parameters
    ----------
    draws : ndarray of shape (n_draws,)
        Finite draws of the difference.
    rope : Rope
        The region of practical equivalence; draws on its ends count as inside.
    probability : float
        The probability of the interval.

    Returns
    -------
    PosteriorSummary
        The summary, whose probabilities are shares of draws. If there are several draws
        and all are equal, the decision is "?": they do not represent unseen data.

    Examples
    --------
    >>> draws = np.array([-0.02, 0.0, 0.02, 0.03, 0.04])
    >>> summary = summarize_draws(draws, as_rope(0.01), 0.6)
    >>> summary.p_better, summary.p_equivalent, summary.p_worse, summary.decision
    (0.6, 0.2, 0.2, '>>')
    """
    n_above, n_below = np.sum(draws > rope.high), np.sum(draws < rope.low)
    n_up, n_down = np.sum(draws > 0), np.sum(draws < 0)
    interval, n = _shortest(draws, probability), len(draws)
    is_point = n > 1 and np.ptp(draws) == 0
    return PosteriorSummary(
        posterior_mean=float(np.mean(draws)),
        posterior_mode=mode_of(draws),
        hdi=interval,
        p_better=float(n_above / n),
        p_equivalent=float((n - n_above - n_below) / n),
        p_worse=float(n_below / n),
        p_direction=float(max(n_up, n_down) / n),
        decision="?" if is_point else decide(interval, rope),
    )


def equally_likely(distribution, n=10_000):
    """Return equally likely values that represent a distribution without randomness.

    Parameters
    ----------
    distribution : frozen distribution of SciPy
        The distribution.
    n : int, default=10_000
        The number of values.

    Returns
    -------
    ndarray of shape (n,)
        The medians of n intervals of equal probability.
    """
    return distribution.ppf((np.arange(n) + 0.5) / n)


def walsh_regions(differences, rope, *, tolerance=0.0):
    """Mark the averages of two differences that are above and below a region.

    Parameters
    ----------
    differences : ndarray of shape (n,)
        Differences of scores, one per data set.
    rope : Rope
        The region of practical equivalence.
    tolerance : float, default=0.0
        The rounding error up to which an average beyond an end counts as inside.

    Returns
    -------
    above, below : ndarray of shape (n, n)
        1 where the average of two differences is above, or below, the region, else 0.

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
    """Return the shares of pairs that are above, inside and below a region.

    Parameters
    ----------
    weights : ndarray of shape (n_draws, n)
        Positive weights of the members of pairs; they need not sum to 1.
    above, below : ndarray of shape (n, n)
        1 for pairs that are above, or below, the region, else 0.

    Returns
    -------
    ndarray of shape (n_draws, 3)
        The weighted shares of pairs above, inside and below.

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
        Means and non-negative standard deviations.
    rope : Rope
        The region of practical equivalence.

    Returns
    -------
    ndarray of shape (n_draws, 3)
        The shares above, inside and below.

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
    """Return the share of draws in which each region has the largest share.

    Parameters
    ----------
    shares : ndarray of shape (n_draws, 3)
        Shares above, inside and below.

    Returns
    -------
    p_better, p_equivalent, p_worse : float
        The shares of draws, which sum to 1. In case of ties, inside has priority.

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
    """Draws from the posterior of a quantity that varies between data sets.

    Attributes
    ----------
    center, spread : ndarray of shape (n_draws,)
        The mean and standard deviation of the quantity over data sets.
    deltas : ndarray of shape (n_datasets,)
        The posterior mean for each data set, shrunk towards the center.
    """

    center: np.ndarray
    spread: np.ndarray
    deltas: np.ndarray


def hierarchy_draws(means, errors, n_draws, rng):
    """Draw from the posterior of a normal hierarchical model, without a Markov chain.

    Estimates are normally distributed around true values, which are normally
    distributed around a center. The prior of center and spread is flat. Given the
    spread, all posteriors are normal. The marginal posterior of the spread is
    one-dimensional and is sampled on a grid.

    Parameters
    ----------
    means, errors : ndarray of shape (n_datasets,)
        Estimates and their standard errors, for at least three data sets.
    n_draws : int
        The number of draws.
    rng : numpy.random.Generator
        The source of randomness.

    Returns
    -------
    HierarchyDraws
        Posterior draws of center and spread, and posterior means.

    References
    ----------
    .. [1] Gelman, A. et al. (2014). Bayesian Data Analysis, 3rd edition, section 5.4.

    Examples
    --------
    >>> means = np.array([28.0, 8, -3, 7, -1, 1, 18, 12])  # [1], eight schools
    >>> errors = np.array([15.0, 10, 16, 11, 9, 11, 10, 18])
    >>> draws = hierarchy_draws(means, errors, 20_000, np.random.default_rng(0))
    >>> round(float(draws.center.mean())), round(float(np.median(draws.spread)))
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
    u = (np.arange(SPREAD_GRID_SIZE) + 0.5) / SPREAD_GRID_SIZE
    spread = scale * u / (1 - u)
    variances = errors**2 + spread[:, np.newaxis] ** 2
    mean, variance = _center(means, variances)
    away = (means - mean[:, np.newaxis]) ** 2 / variances
    log_density = 0.5 * (np.log(variance) - (np.log(variances) + away).sum(axis=1))
    log_density -= 2 * np.log(1 - u)  # dt / du
    weights = np.exp(log_density - log_density.max())
    cells = rng.choice(SPREAD_GRID_SIZE, size=n_draws, p=weights / weights.sum())
    u = (cells + rng.random(n_draws)) / SPREAD_GRID_SIZE
    return scale * u / (1 - u)


def _center(means, variances):
    """Return the mean and variance of the center, conditional on the spread."""
    precision = 1 / variances
    total = precision.sum(axis=1)
    return (precision @ means) / total, 1 / total
