"""Checks of normality, and the effect of skewness on the level of a t-test."""

import functools
from typing import NamedTuple

import numpy as np
from scipy import stats

# The level at which a check of normality rejects.
NORMALITY_LEVEL = 0.05
# Minimum number of values for a check.
FEWEST_NUMBERS = 3
# Maximum sample size for Royston's approximation of the Shapiro-Wilk p-value.
MOST_SHAPIRO = 5_000
# Number of simulated samples, and their maximum size. For larger sizes, the corrected
# statistics have the same distribution.
N_SIMULATED, MOST_SIMULATED = 1_999, 100


class Normality(NamedTuple):
    """Results of checks of normality.

    Parameters
    ----------
    checks : dict of pair of float
        Statistic and p-value of each check, by its name. Shapiro-Wilk is omitted for
        more than 5,000 values. The others estimate mean and variance from the values,
        and their p-values are simulated.
    skewness : float
        The skewness of the values.
    """

    checks: dict
    skewness: float

    @property
    def rejected(self):
        """Whether any check rejects normality at level 0.05."""
        return any(p < NORMALITY_LEVEL for _, p in self.checks.values())

    def __str__(self):
        return ", ".join(
            f"{name} {statistic:.3f} ({f'p = {p:.3f}' if p >= 0.001 else 'p < 0.001'})"
            for name, (statistic, p) in self.checks.items()
        )


def check_normality(values):
    """Check whether values may come from a normal distribution.

    Parameters
    ----------
    values : array_like of shape (n,)
        The values.

    Returns
    -------
    Normality or None
        The results; None for fewer than three values, and for values that do not vary.

    Examples
    --------
    >>> found = check_normality(np.random.default_rng(0).exponential(size=50))
    >>> found.rejected
    True
    >>> print(found)
    Shapiro-Wilk 0.806 (p < 0.001), Anderson-Darling ..., Kolmogorov-Smirnov ...
    """
    values = np.sort(np.asarray(values, dtype=float))
    if len(values) < FEWEST_NUMBERS or not np.ptp(values) > 0:
        return None
    distances = _distances(values[np.newaxis])
    simulated = _simulated_distances(min(len(values), MOST_SIMULATED))
    corrected = distances * _corrections(len(values))
    n_beyond = np.count_nonzero(simulated >= corrected, axis=1)
    pvalues = (n_beyond + 1) / (N_SIMULATED + 1)
    checks = {}
    if len(values) <= MOST_SHAPIRO:
        checks["Shapiro-Wilk"] = tuple(stats.shapiro(values))
    checks["Anderson-Darling"], checks["Kolmogorov-Smirnov"] = zip(
        distances[:, 0], pvalues, strict=True
    )
    return Normality(checks, float(stats.skew(values)))


def _distances(ordered):
    """Return A-squared and D of each sorted row, from a normal fitted to the row."""
    n = ordered.shape[1]
    centered = ordered - ordered.mean(axis=1, keepdims=True)
    z = centered / np.std(centered, axis=1, ddof=1, keepdims=True)
    below, rank = stats.norm.cdf(z), np.arange(1, n + 1)
    logs = stats.norm.logcdf(z) + stats.norm.logsf(z[:, ::-1])
    anderson = -n - np.mean((2 * rank - 1) * logs, axis=1)
    kolmogorov = np.maximum(rank / n - below, below - (rank - 1) / n).max(axis=1)
    return np.array([anderson, kolmogorov])


def _corrections(n):
    """Return Stephens' (1974) factors, which correct distances for the sample size."""
    root = np.sqrt(n)
    return np.array([[1 + 0.75 / n + 2.25 / n**2], [root - 0.01 + 0.85 / root]])


@functools.lru_cache
def _simulated_distances(n):
    """Return the corrected distances of normal samples from a fixed seed."""
    normal = np.random.default_rng(0).standard_normal((N_SIMULATED, n))
    return _distances(np.sort(normal, axis=1)) * _corrections(n)


def t_level_error(skewness, n_rows, alpha):
    """Return the error in the level of a one-sided t-test due to skewness.

    This is the first term of the Edgeworth expansion of Student's t: for skewness g and
    the normal quantile z, ``|g| (2 z**2 + 1) phi(z) / (6 sqrt(n))``.

    Parameters
    ----------
    skewness : float
        The skewness of the differences.
    n_rows : int
        The number of differences.
    alpha : float
        The nominal level.

    Returns
    -------
    float
        The amount by which the level is too low for one side and too high for the
        other.

    Examples
    --------
    >>> round(t_level_error(skewness=2.0, n_rows=400, alpha=0.05), 3)
    0.011
    """
    z = stats.norm.isf(alpha)
    slope = (2 * z**2 + 1) * stats.norm.pdf(z) / 6
    return float(abs(skewness) * slope / np.sqrt(n_rows))
