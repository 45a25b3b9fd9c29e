"""From a posterior of a difference to probabilities, an interval and a decision.

A posterior is an array of draws, or a distribution of SciPy where there is a closed
form. A *region of practical equivalence* (ROPE) holds the differences that are too
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

# The points of a grid over the standard deviation of data sets' differences.
SPREAD_GRID_SIZE = 4_000

# Draws that vary by no more than this, relative to their size, vary by rounding alone.
NO_SPREAD = 1e-12

# A bandwidth for no more draws than this smooths away what might be chance.
MOST_DRAWS_FOR_BANDWIDTH = 2_000

# A second peak is clear if it is at least so high, and the valley before it at most so
# deep, both relative: to the highest peak, and to the lower of the two peaks.
LEAST_PEAK = 0.1
SHALLOWEST_VALLEY = 0.5

# The share of draws, at either end, that peaks are not looked for in.
TAIL = 0.01

# Values that differ by less than this share of their range differ by rounding.
LEAST_STEP = 1e-9


class CredibleInterval(NamedTuple):
    """The two ends of an interval that holds a given part of a posterior.

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
    """The region of practical equivalence, its ends included."""

    low: float
    high: float


class PosteriorSummary(NamedTuple):
    """What a posterior of a difference A - B says.

    Attributes
    ----------
    posterior_mean : float
        The mean.
    posterior_mode : float
        Where the density is highest, the maximum a posteriori (MAP) estimate; of draws,
        where a smooth density is.
    hdi : CredibleInterval
        The shortest interval of the probability asked for.
    p_better, p_equivalent, p_worse : float
        The probabilities that the difference is above, inside and below the region of
        practical equivalence. They sum to 1.
    p_direction : float
        The larger of the probabilities that the difference is above and below 0.
    decision : {">>", "<<", "~", "?"}
        What the interval decides.
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
        A number makes the region symmetric about 0. A pair must hold 0.

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
    """Turn a number or a pair into a region that leaves room for a difference.

    Parameters
    ----------
    rope : float or pair of float
        The region, as for `as_rope`.
    scoring : str
        The name of the metric.
    scores : array-like
        Scores in it.

    Returns
    -------
    Rope
        The region. One that holds all differences that scores of the metric can have
        is refused.

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
            f"be narrower than {-largest:g} to {largest:g}, all differences that "
            f"{scoring} can have: none would be outside, and nothing would be decided",
            repr(rope),
            "0.01 is one point of a metric between 0 and 1.",
        )
    return region


def hdi(draws, probability=0.95):
    """Return the highest-density interval: the shortest that holds enough draws.

    Parameters
    ----------
    draws : array-like of shape (n_draws,)
        Draws from a distribution, such as a posterior.
    probability : float, default=0.95
        The share of draws inside, at least.

    Returns
    -------
    CredibleInterval
        Its ends are draws. Of several that are equally short the lowest.

    Warns
    -----
    MultimodalPosteriorWarning
        If the draws clearly have several peaks: the region of highest density is then
        several intervals, and the one returned may hold improbable values.

    Notes
    -----
    The interval is exact for the draws: no density is estimated. Draws that are all
    the same give an interval of no width. Unlike quantiles, the interval of a
    transformed quantity is not the transformed interval.

    Examples
    --------
    >>> from skcompare.stats import hdi
    >>> hdi([0.0, 1.0, 2.0, 2.5, 2.6, 2.7], probability=0.5)
    CredibleInterval(low=2.5, high=2.7)
    """
    Fraction().check("probability", probability)
    rule = "`draws` must be a one-dimensional array of finite numbers, one at least."
    try:
        draws = np.asarray(draws, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{rule} Got {draws!r}.") from None
    if draws.ndim != 1 or not len(draws) or not np.isfinite(draws).all():
        n_not_finite = np.count_nonzero(~np.isfinite(draws))
        raise ValueError(
            f"{rule} Got shape {draws.shape} with {n_not_finite} that are not finite."
        )
    if is_multimodal(draws):
        warnings.warn(
            "The draws have several peaks: the shortest interval may hold improbable "
            "values between them. Look at a plot.",
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
        Where the density was estimated, and the density: a histogram on that grid,
        smoothed by a normal kernel. Draws without spread have the density of a kernel
        about as wide as the rounding of the numbers.
    """
    return _smoothed(draws, _bandwidth(draws))


def mode_of(draws):
    """Return where a smooth density of draws is highest.

    Parameters
    ----------
    draws : ndarray of shape (n_draws,)
        Finite numbers.

    Returns
    -------
    float
        The highest point of `density_of`; the value itself where draws do not vary.

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
    """Say whether draws clearly have several peaks, judged by a smooth density.

    Parameters
    ----------
    draws : ndarray of shape (n_draws,)
        Finite numbers.

    Returns
    -------
    bool
        Whether there is a second peak of a tenth of the highest or more, behind a
        valley of half its own height or less. The outermost draws do not count, so
        that a few far away do not hide the others; nor do the gaps of a lattice of
        three values or more.
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
    """Return the usual distance of neighbors that differ: tiny if not a lattice.

    The lower median of two distances is the smaller one. A single one is no lattice.
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
        A is better, if the interval lies wholly above the region; B, if wholly below;
        "~", practically equivalent, if wholly inside; else "?", undecided.

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
    """Summarize a posterior given by draws.

    Parameters
    ----------
    draws : ndarray of shape (n_draws,)
        Draws of the difference, finite.
    rope : Rope
        The region of practical equivalence; what lies on its ends is inside.
    probability : float
        The probability of the interval.

    Returns
    -------
    PosteriorSummary
        Probabilities are shares of draws. Several draws that are all the same know
        nothing of what was not seen, and decide nothing: "?".

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
    """Return values that stand for a distribution as draws do, without chance.

    Parameters
    ----------
    distribution : frozen distribution of SciPy
        Any.
    n : int, default=10_000
        How many.

    Returns
    -------
    ndarray of shape (n,)
        The medians of n parts of equal probability.
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
    """Return mean and variance of the center given the spread."""
    precision = 1 / variances
    total = precision.sum(axis=1)
    return (precision @ means) / total, 1 / total
