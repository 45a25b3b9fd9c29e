"""Exact distributions of swapped and of resampled sums, without drawing any."""

from typing import NamedTuple

import numpy as np
from scipy import stats

from skcompare.stats.pvalues import EXTREMES, exceeding

# Chances that are left out of account, and reported in error bounds.
NEGLIGIBLE = 1e-14

# The most steps, up or down, of a sum whose distribution is listed.
MOST_STEPS = 2**16


class ExactTail(NamedTuple):
    """A tail probability, and by how much it may be wrong at most."""

    pvalue: float
    error: float


def lattice_moves(differences, counts, most):
    """Return how swapping moves integer totals: all moves and their probabilities.

    Each unit of a cell moves the totals by the cell's difference with probability 1/2.
    So the moves are sums of binomials times vectors, added up cell by cell; moves that
    coincide are merged. All terms are positive, so far tails keep their precision.

    Parameters
    ----------
    differences : ndarray of integers, shape (n_cells, k)
        How a swapped unit of each cell moves the totals.
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    most : int
        The largest number of moves to hold at a time.

    Returns
    -------
    moves : ndarray of shape (n_moves, k) or None
        The moves; None if there are too many.
    probabilities : ndarray of shape (n_moves,) or None
        Their probabilities.

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
    # A move is a place in a grid about the origin, whose number steps add up to.
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
    """Merge cells that move totals along the same line, either way.

    A swap against a line is a constant move and a swap along it.
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
        The values under the null hypothesis, nan where undefined: those count.
    probabilities : ndarray
        Their probabilities.
    observed : float
        The observed value.
    alternative : {"greater", "less", "two-sided"}
        What counts as extreme.
    tolerance : float
        How far apart ties may be.

    Returns
    -------
    float
        The probability, never 0.

    Examples
    --------
    >>> tail_of(np.array([-1, 0, 1]), np.array([0.25, 0.5, 0.25]), 1, "two-sided", 0)
    0.5
    """
    counts = exceeding(values, observed, alternative, tolerance=tolerance)
    tail = np.sort(probabilities[counts]).sum()
    return float(np.clip(tail, np.finfo(float).tiny, 1.0))


def sign_flip_tail(values, observed, alternative, *, tolerance, most_split=44):
    """Return the tail of a sum of values with random signs.

    Up to `most_split` values the sums of two halves are listed, sorted and matched: the
    probability is exact. Beyond, values are rounded to a grid and the distribution of
    their sum comes from its characteristic function, a product of cosines; the error
    bound accounts for rounding and for what lies beyond the grid.

    Parameters
    ----------
    values : ndarray
        The values; zeros have no part.
    observed : float
        The observed sum.
    alternative : {"greater", "less", "two-sided"}
        What counts as extreme.
    tolerance : float
        How far apart ties may be.
    most_split : int, default=44
        The largest number of values for the exact count.

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
    if step is not None:  # multiples of it, none of which is rounded
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
    """Return the largest step that all values are multiples of, None if unseen.

    Parameters
    ----------
    values : ndarray
        The values.
    most_values : int, default=1_000
        With more different values none is looked for.
    tolerance : float, default=1e-9
        What counts as nothing, relative to the largest value.

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
    nothing, step = tolerance * sizes[-1], sizes[0]
    for size in sizes:
        rest = size
        while rest > nothing:  # Euclid's algorithm
            step, rest = rest, step % rest
            rest = 0.0 if step - rest <= nothing else rest
    if step < 1e3 * nothing:
        return None
    multiples = np.rint(sizes / step)
    step = float(sizes[-1] / multiples[-1])  # what repeated division has lost
    return step if np.allclose(multiples * step, sizes, rtol=1e-12, atol=0.0) else None


def _split_tail(values, limit):
    """Count the signs whose sum reaches the limit: meet in the middle."""
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

    Hoeffding: a sum of values with random signs exceeds ``sqrt(2 log(2 / e))`` times
    the root of their sum of squares with probability at most e. That bounds both what
    is beyond the grid and what rounding to it can add up to.
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
    # The upper bound: a tie that rounding has moved must not be lost.
    return high + 4 * NEGLIGIBLE, high - low + 8 * NEGLIGIBLE


N_GRID = 2**20
N_QUANTILES = 99_999

# Chances at least so small are bounded by what follows from Bernstein's inequality.
_LOG = np.log(2 / NEGLIGIBLE)


class IdealSum:
    """The distribution of a sum of draws with replacement, on a grid.

    Parameters
    ----------
    places : ndarray
        The points of the grid, ascending.
    mass : ndarray
        Their probabilities.
    slack : float
        How far a sum may be from the grid point that stands for it.
    error : float
        The probability that is out of account.
    """

    def __init__(self, places, mass, slack, error):
        self.places, self.slack = places, slack
        cumulative = np.concatenate([[0.0], np.cumsum(np.maximum(mass, 0.0))])
        self._cumulative = cumulative / cumulative[-1]
        self.error = error + abs(cumulative[-1] - 1)

    def _below(self, limit):
        """Return the probability of less than the limit."""
        return self._cumulative[np.searchsorted(self.places, limit, side="left")]

    def pvalue(self, observed, alternative, *, tolerance):
        """Return the share of sums as far from the observed one as that is from 0.

        Parameters
        ----------
        observed : float
            The observed value, around which the sums are.
        alternative : {"greater", "less", "two-sided"}
            What counts as extreme.
        tolerance : float
            How far apart ties may be.

        Returns
        -------
        ExactTail
            The share, taken for as large as rounding allows, and its error bound.
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
        # The upper bound: a tie that rounding has moved must not be lost.
        pvalue = np.clip(high + self.error, np.finfo(float).tiny, 1.0)
        return ExactTail(float(pvalue), float(high - low + 2 * self.error))

    def quantiles(self):
        """Return the sums at evenly spaced probabilities: an ideal sample.

        Returns
        -------
        ndarray of shape (99_999,)
            Quantiles, ascending.
        """
        levels = (np.arange(N_QUANTILES) + 0.5) / N_QUANTILES * self._cumulative[-1]
        places = np.searchsorted(self._cumulative[1:], levels, side="left")
        return self.places[np.minimum(places, len(self.places) - 1)]


def ideal_sum(values, counts, strata):
    """Return the distribution of the sum of a bootstrap resample.

    From each stratum as many units are drawn, with replacement, as it has. The sum of
    independent draws has the product of their characteristic functions; values are
    rounded to a grid for that, unless they lie on one.

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
    Ten coins, six of which show heads: the number of heads in a resample is binomial.

    >>> ideal = ideal_sum(np.array([0.0, 1.0]), np.array([4, 6]), np.array([0, 0]))
    >>> from scipy.stats import binom
    >>> bool(np.isclose(1 - ideal._below(8), binom.sf(7, 10, 0.6)))
    True
    """
    each = [strata == stratum for stratum in range(strata.max() + 1)]
    parts = [(values[cells], counts[cells]) for cells in each]
    variance = sum((v - v @ n / n.sum()) ** 2 @ n for v, n in parts)
    widest = max(np.ptp(v) for v, _ in parts)
    width = 2.2 * (np.sqrt(2 * _LOG * variance) + _LOG / 3 * widest)
    step = common_step(values)
    if step is None or width / step > 8 * N_GRID:
        step = width / N_GRID if width > 0 else 1.0
    n_grid = int(2 ** np.ceil(np.log2(max(width / step, 16))))
    # On a grid: the multiples of a step, and what rounding to them leaves over.
    transforms, center, left_over, left_variance = [], 0.0, 0.0, 0.0
    for own_values, own_counts in parts:
        n, weights = own_counts.sum(), own_counts / own_counts.sum()
        multiples = np.rint(own_values / step)
        left = own_values - multiples * step
        left[np.abs(left) <= 1e-12 * np.abs(own_values)] = 0.0
        places = (multiples % n_grid).astype(np.intp)
        histogram = np.bincount(places, weights, minlength=n_grid)
        transforms.append(np.fft.rfft(histogram) ** int(n))
        center += n * (weights @ multiples)
        left_over += n * (weights @ left)
        left_variance += n * (weights @ (left - left @ weights) ** 2)
    mass = np.fft.irfft(np.prod(transforms, axis=0), n_grid)
    center = int(np.rint(center))
    offsets = np.arange(-n_grid // 2, n_grid // 2)
    slack = np.sqrt(2 * _LOG * left_variance) + _LOG / 3 * step * (left_variance > 0)
    error = 4 * NEGLIGIBLE + counts.sum() * np.finfo(float).eps
    grid = step * (center + offsets) + left_over
    return IdealSum(grid, mass[(center + offsets) % n_grid], slack, error)
