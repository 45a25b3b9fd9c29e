"""The bootstrap distribution of an average in the limit of many resamples."""

import numpy as np

from skcompare.stats.exact import NEGLIGIBLE, ExactTail, common_step

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
        shares = []
        for slack in (self.slack, -self.slack):
            above = 1 - self._below(observed + reach - tolerance + slack)
            low_end = observed + reach if alternative == "less" else observed - reach
            below = self._below(low_end + tolerance + self._step / 2 - slack)
            shares.append(
                {"greater": above, "less": below}.get(alternative, above + below)
            )
        low, high = shares
        # The upper bound: a tie that rounding has moved must not be lost.
        pvalue = np.clip(high + self.error, np.finfo(float).tiny, 1.0)
        return ExactTail(float(pvalue), float(high - low + 2 * self.error))

    @property
    def _step(self):
        return self.places[1] - self.places[0]

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
    parts = [_Stratum(values[cells], counts[cells]) for cells in each]
    spread = np.sqrt(2 * _LOG * sum(part.variance for part in parts))
    width = 2.2 * (spread + _LOG / 3 * max(part.range for part in parts))
    step = common_step(values)
    if step is None or width / step > 8 * N_GRID:
        step = width / N_GRID if width > 0 else 1.0
    n_grid = int(2 ** np.ceil(np.log2(max(width / step, 16))))
    rounded = [part.rounded(step) for part in parts]
    transform = np.prod([part.transform(n_grid) for part in rounded], axis=0)
    mass = np.fft.irfft(transform, n_grid)
    center = int(np.rint(sum(part.total_multiple for part in rounded)))
    offsets = np.arange(-n_grid // 2, n_grid // 2)
    places = step * (center + offsets) + sum(part.residual for part in rounded)
    variance = sum(part.residual_variance for part in rounded)
    slack = np.sqrt(2 * _LOG * variance) + _LOG / 3 * step * (variance > 0)
    error = 4 * NEGLIGIBLE + counts.sum() * np.finfo(float).eps
    return IdealSum(places, mass[(center + offsets) % n_grid], slack, error)


class _Stratum:
    """Units that are drawn among themselves."""

    def __init__(self, values, counts):
        self.values, self.counts, self.n = values, counts, counts.sum()
        mean = values @ counts / self.n
        self.variance = (values - mean) ** 2 @ counts
        self.range = np.ptp(values)

    def rounded(self, step):
        """Return the same on a grid."""
        return _RoundedStratum(self, step)


class _RoundedStratum:
    """Units whose values are multiples of a step, and what rounding has left over."""

    def __init__(self, stratum, step):
        self.n, self.weights = stratum.n, stratum.counts / stratum.n
        self.multiples = np.rint(stratum.values / step)
        left = stratum.values - self.multiples * step
        left[np.abs(left) <= 1e-12 * np.abs(stratum.values)] = 0.0
        self.total_multiple = self.n * (self.weights @ self.multiples)
        self.residual = self.n * (self.weights @ left)
        self.residual_variance = self.n * (
            self.weights @ (left - left @ self.weights) ** 2
        )

    def transform(self, n_grid):
        """Return the characteristic function of the sum of all draws."""
        histogram = np.bincount(
            (self.multiples % n_grid).astype(np.intp), self.weights, minlength=n_grid
        )
        return np.fft.rfft(histogram) ** int(self.n)
