"""Exact distributions of permuted and of resampled sums, without random sampling."""

from typing import NamedTuple

import numpy as np
from scipy import stats

from skcompare.stats.pvalues import EXTREMES, exceeding

# Probability that may be ignored; error bounds include it.
NEGLIGIBLE = 1e-14

# Maximum number of steps, up or down, of a sum whose distribution is enumerated.
MOST_STEPS = 2**16


class ExactTail(NamedTuple):
    """A tail probability, and a bound on its error."""

    pvalue: float
    error: float


def lattice_moves(differences, counts, most):
    """Return all changes of integer totals by random swaps, and their probabilities.

    Each unit is swapped with probability 1/2 and then moves the totals by the
    difference of its cell. The moves are therefore sums of binomials times vectors.
    They are computed cell by cell, and equal moves are merged. All terms are positive,
    so far tails keep their precision.

    Parameters
    ----------
    differences : ndarray of integers, shape (n_cells, k)
        The change of the totals by a swapped unit of each cell.
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    most : int
        The maximum number of moves to hold at a time.

    Returns
    -------
    moves : ndarray of shape (n_moves, k) or None
        The moves; None if there are too many.
    probabilities : ndarray of shape (n_moves,) or None
        The probabilities of the moves.

    Examples
    --------
    >>> moves, probabilities = lattice_moves(np.array([[1], [-1]]), np.array([1, 1]), 9)
    >>> moves.ravel().tolist(), probabilities.round(12).tolist()
    ([-1, 0, 1], [0.25, 0.5, 0.25])
    """
    if not differences.any():
        return np.zeros((1, differences.shape[1]), dtype=np.int64), np.ones(1)
    vectors, sizes, offset = _merged_directions(differences, counts)
    reach = np.abs(vectors).T.astype(float) @ sizes
    if np.prod(2 * reach + 1) >= 2**62:
        return None, None
    # Encode a move as the flat index of its place in a grid around the origin. Adding a
    # step to a move then adds an integer to its code.
    origin = reach.astype(np.int64)
    grid = tuple(2 * origin + 1)
    ends = tuple(np.vstack([origin, origin + vectors]).T)
    start, *ends = np.ravel_multi_index(ends, grid, order="F")
    codes, probabilities = np.array([start]), np.ones(1)
    for step, size in zip(np.array(ends) - start, sizes, strict=True):
        if len(codes) * (size + 1) > most:
            return None, None
        # Add a binomial number of steps to each move.
        weights = stats.binom.pmf(np.arange(size + 1), size, 0.5)
        moved = (codes[:, np.newaxis] + step * np.arange(size + 1)).ravel()
        joint = (probabilities[:, np.newaxis] * weights).ravel()
        codes, places = np.unique(moved, return_inverse=True)
        probabilities = np.bincount(places, weights=joint)
    moves = np.column_stack(np.unravel_index(codes, grid, order="F")) - origin
    return moves + offset, probabilities


def _merged_directions(differences, counts):
    """Merge cells whose differences are equal or opposite.

    A random move by -v is a constant move by -v plus a random move by v.
    """
    moving = differences.any(axis=1)
    vectors, sizes = differences[moving], counts[moving]
    first = vectors[np.arange(len(vectors)), (vectors != 0).argmax(axis=1)]
    against = first < 0
    offset = sizes[against] @ vectors[against]
    lines = np.where(against[:, np.newaxis], -vectors, vectors)
    distinct, places = np.unique(lines, axis=0, return_inverse=True)
    merged = np.bincount(places.ravel(), weights=sizes, minlength=len(distinct))
    return distinct, merged.astype(np.int64), offset.astype(np.int64)


def tail_of(values, probabilities, observed, alternative, tolerance):
    """Return the probability of values at least as extreme as the observed one.

    Parameters
    ----------
    values : ndarray
        The values under the null hypothesis. Undefined values (nan) count as extreme.
    probabilities : ndarray
        The probabilities of the values.
    observed : float
        The observed value.
    alternative : {"greater", "less", "two-sided"}
        Which values count as extreme.
    tolerance : float
        The largest difference between ties.

    Returns
    -------
    float
        The probability, which is never 0.

    Examples
    --------
    >>> tail_of(np.array([-1, 0, 1]), np.array([0.25, 0.5, 0.25]), 1, "two-sided", 0)
    0.5
    """
    extreme = exceeding(values, observed, alternative, tolerance=tolerance)
    tail = np.sort(probabilities[extreme]).sum()
    return float(np.clip(tail, np.finfo(float).tiny, 1.0))


def sign_flip_tail(values, observed, alternative, *, tolerance, most_split=44):
    """Return the tail probability of a sum of values with random signs.

    For up to `most_split` values, the sums of two halves are enumerated, sorted and
    matched, and the probability is exact. For more, values are rounded to a grid, and
    the distribution of their sum is computed from its characteristic function, a
    product of cosines. The error bound accounts for rounding and for the probability
    outside the grid.

    Parameters
    ----------
    values : ndarray
        The values; zeros are ignored.
    observed : float
        The observed sum.
    alternative : {"greater", "less", "two-sided"}
        Which sums count as extreme.
    tolerance : float
        The largest difference between ties.
    most_split : int, default=44
        The maximum number of values for the exact count.

    Returns
    -------
    ExactTail
        The probability and its error bound.

    Examples
    --------
    >>> tail = sign_flip_tail(np.array([1.0, 2.0, 4.0]), 5.0, "greater", tolerance=0.0)
    >>> round(tail.pvalue, 12), tail.error
    (0.25, 0.0)
    """
    values = np.abs(values[values != 0])
    observed = EXTREMES[alternative](observed)
    if alternative == "two-sided" and observed <= tolerance:
        return ExactTail(1.0, 0.0)
    pvalue, error = _upper_tail(values, observed - tolerance, most_split)
    sides = 2 if alternative == "two-sided" else 1
    pvalue = np.clip(sides * pvalue, max(sides * error, np.finfo(float).tiny), 1.0)
    return ExactTail(float(pvalue), float(sides * error))


def _upper_tail(values, limit, most_split):
    step = common_step(values)
    if step is not None:  # values are multiples of it: no rounding
        multiples, counts = np.unique(np.rint(values / step), return_counts=True)
        n_steps = int(multiples @ counts)
        if n_steps <= MOST_STEPS:
            vectors = multiples[:, np.newaxis].astype(np.int64)
            moves, probabilities = lattice_moves(vectors, counts, 2**62)
            reached = n_steps - 2 * moves[:, 0] >= limit / step - 1e-6
            return np.sort(probabilities[reached]).sum(), 0.0
    upper = _split_tail if len(values) <= most_split else _grid_tail
    return upper(values, limit)


def common_step(values, most_values=1_000, tolerance=1e-9):
    """Return the largest step of which all values are multiples; None if not detected.

    Parameters
    ----------
    values : ndarray
        The values.
    most_values : int, default=1_000
        The maximum number of distinct values for which a step is searched.
    tolerance : float, default=1e-9
        Remainders up to this size, relative to the largest value, count as 0.

    Returns
    -------
    float or None
        The step.

    Examples
    --------
    >>> round(common_step(np.array([0.2, -0.3])), 12)
    0.1
    >>> common_step(np.array([1.0, np.pi])) is None
    True
    """
    sizes = np.unique(np.abs(values[values != 0]))
    if not 0 < len(sizes) <= most_values:
        return None
    negligible, step = tolerance * sizes[-1], sizes[0]
    for size in sizes:
        rest = size
        while rest > negligible:  # Euclid's algorithm
            step, rest = rest, step % rest
            rest = 0.0 if step - rest <= negligible else rest
    if step < 1e3 * negligible:
        return None
    multiples = np.rint(sizes / step)
    step = float(sizes[-1] / multiples[-1])  # undo accumulated rounding
    return step if np.allclose(multiples * step, sizes, rtol=1e-12, atol=0.0) else None


def _split_tail(values, limit):
    """Count the sets of signs whose sum reaches the limit, by meeting in the middle."""
    half = len(values) // 2
    left, right = _all_sums(values[:half]), np.sort(_all_sums(values[half:]))
    reached = len(right) - np.searchsorted(right, limit - left, side="left")
    return float(reached.sum() / 2.0 ** len(values)), 0.0


def _all_sums(values):
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums - value, sums + value])
    return sums


def _grid_tail(values, limit, n_grid=2**17, most_work=2**28):
    """Return the upper tail from the characteristic function on a grid.

    By Hoeffding's inequality, the absolute sum of values with random signs exceeds
    ``sqrt(2 log(2 / e))`` times the root of their sum of squares with a probability of
    at most e. This bounds both the probability outside the grid and the total error of
    rounding to the grid.
    """
    n_grid = int(min(n_grid, 2 ** np.floor(np.log2(2 * most_work / len(values)))))
    reach = np.sqrt(2 * np.log(2 / NEGLIGIBLE))
    width = 2.1 * min(reach * np.linalg.norm(values), values.sum())
    step = width / n_grid
    multiples = np.rint(values / step)
    slack = reach * np.linalg.norm(values - multiples * step)
    angles = 2 * np.pi / n_grid * np.arange(n_grid // 2 + 1)
    product = np.ones(len(angles))
    for multiple in multiples:
        product *= np.cos(multiple * angles)
    mass = np.fft.irfft(product, n_grid)
    places = step * np.fft.fftfreq(n_grid, 1 / n_grid)
    low, high = (mass[places >= at].sum() for at in (limit + slack, limit - slack))
    # Return the upper bound, so that a tie moved by rounding is still counted.
    return high + 4 * NEGLIGIBLE, high - low + 8 * NEGLIGIBLE


N_GRID = 2**20
N_QUANTILES = 99_999

# Logarithm in Bernstein's inequality for deviations with probability NEGLIGIBLE.
_LOG = np.log(2 / NEGLIGIBLE)


class IdealSum:
    """The distribution of a sum of draws with replacement, on a grid.

    Parameters
    ----------
    places : ndarray
        The points of the grid, ascending.
    mass : ndarray
        The probabilities of the grid points.
    slack : float
        The largest distance of a sum from the grid point that represents it.
    error : float
        The probability that is ignored.
    """

    def __init__(self, places, mass, slack, error):
        self.places, self.slack = places, slack
        cumulative = np.concatenate([[0.0], np.cumsum(np.maximum(mass, 0.0))])
        self._cumulative = cumulative / cumulative[-1]
        self.error = error + abs(cumulative[-1] - 1)

    def _below(self, limit):
        """Return the probability of a sum below the limit."""
        return self._cumulative[np.searchsorted(self.places, limit, side="left")]

    def pvalue(self, observed, alternative, *, tolerance):
        """Return the share of sums at least as far from `observed` as it is from 0.

        Parameters
        ----------
        observed : float
            The observed value, around which the sums vary.
        alternative : {"greater", "less", "two-sided"}
            Which sums count as extreme.
        tolerance : float
            The largest difference between ties.

        Returns
        -------
        ExactTail
            The upper bound of the share, considering rounding, and its error bound.
        """
        reach = abs(observed) if alternative == "two-sided" else observed
        shares, half_step = [], (self.places[1] - self.places[0]) / 2
        for slack in (self.slack, -self.slack):
            above = 1 - self._below(observed + reach - tolerance + slack)
            low_end = observed + reach if alternative == "less" else observed - reach
            below = self._below(low_end + tolerance + half_step - slack)
            sides = {"greater": above, "less": below, "two-sided": above + below}
            shares.append(sides[alternative])
        low, high = shares
        # Return the upper bound, so that a tie moved by rounding is still counted.
        pvalue = np.clip(high + self.error, np.finfo(float).tiny, 1.0)
        return ExactTail(float(pvalue), float(high - low + 2 * self.error))

    def quantiles(self):
        """Return the quantiles at evenly spaced probabilities, as an ideal sample.

        Returns
        -------
        ndarray of shape (99_999,)
            The quantiles, in ascending order.
        """
        levels = (np.arange(N_QUANTILES) + 0.5) / N_QUANTILES * self._cumulative[-1]
        places = np.searchsorted(self._cumulative[1:], levels, side="left")
        return self.places[np.minimum(places, len(self.places) - 1)]


def ideal_sum(values, counts, strata):
    """Return the distribution of the sum of a bootstrap resample.

    The number of units drawn with replacement from each stratum is the size of the
    stratum. The characteristic function of a sum of independent draws is the product of
    theirs. For its computation, values are rounded to a grid unless they lie on one.

    Parameters
    ----------
    values : ndarray of shape (n_cells,)
        The value of each unit of a cell.
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    strata : ndarray of shape (n_cells,)
        The stratum of each cell, from 0.

    Returns
    -------
    IdealSum
        The distribution.

    Examples
    --------
    If six of ten coins show heads, the number of heads in a resample is binomial:

    >>> ideal = ideal_sum(np.array([0.0, 1.0]), np.array([4, 6]), np.array([0, 0]))
    >>> from scipy.stats import binom
    >>> bool(np.isclose(1 - ideal._below(8), binom.sf(7, 10, 0.6)))
    True
    """
    masks = [strata == stratum for stratum in range(strata.max() + 1)]
    parts = [(values[cells], counts[cells]) for cells in masks]
    variance = sum((v - v @ n / n.sum()) ** 2 @ n for v, n in parts)
    widest = max(np.ptp(v) for v, _ in parts)
    width = 2.2 * (np.sqrt(2 * _LOG * variance) + _LOG / 3 * widest)
    step = common_step(values)
    if step is None or width / step > 8 * N_GRID:
        step = width / N_GRID if width > 0 else 1.0
    n_grid = int(2 ** np.ceil(np.log2(max(width / step, 16))))
    # Split values into multiples of the step and the rest.
    transforms, center, total_rest, rest_variance = [], 0.0, 0.0, 0.0
    for own_values, own_counts in parts:
        n, weights = own_counts.sum(), own_counts / own_counts.sum()
        multiples = np.rint(own_values / step)
        rest = own_values - multiples * step
        rest[np.abs(rest) <= 1e-12 * np.abs(own_values)] = 0.0
        places = (multiples % n_grid).astype(np.intp)
        histogram = np.bincount(places, weights, minlength=n_grid)
        transforms.append(np.fft.rfft(histogram) ** int(n))
        center += n * (weights @ multiples)
        total_rest += n * (weights @ rest)
        rest_variance += n * (weights @ (rest - rest @ weights) ** 2)
    mass = np.fft.irfft(np.prod(transforms, axis=0), n_grid)
    center = int(np.rint(center))
    offsets = np.arange(-n_grid // 2, n_grid // 2)
    slack = np.sqrt(2 * _LOG * rest_variance) + _LOG / 3 * step * (rest_variance > 0)
    error = 4 * NEGLIGIBLE + counts.sum() * np.finfo(float).eps
    grid = step * (center + offsets) + total_rest
    return IdealSum(grid, mass[(center + offsets) % n_grid], slack, error)
