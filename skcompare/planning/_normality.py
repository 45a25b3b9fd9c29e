"""Checks of normality, and what a lack of it does to the level of a t-test."""

import functools
from typing import NamedTuple

import numpy as np
from scipy import stats

from skcompare.comparison import Fact

# The level at which a check of normality rejects.
NORMALITY_LEVEL = 0.05
# The fewest numbers that have a shape to check.
FEWEST_NUMBERS = 3
# Royston's approximation of the Shapiro-Wilk p-value is good for as many rows.
MOST_SHAPIRO = 5_000
# Simulated samples, and the most rows of each: corrected for their size, the two
# statistics are distributed alike for more.
N_SIMULATED, MOST_SIMULATED = 1_999, 100
# The fewest units for which the central limit theorem is called upon.
MANY_UNITS = 100
# How far the level of a t-test may be off by skewness, as a share of the level.
TOLERATED_ERROR = 0.1


class Normality(NamedTuple):
    """What checks say about normality.

    Parameters
    ----------
    checks : dict of pair of float
        Statistic and p-value of each check, by its name. Shapiro-Wilk is not among them
        for more than 5,000 numbers; the others take mean and variance from the numbers,
        and have p-values by simulation.
    skewness : float
        The skewness of the numbers.
    """

    checks: dict
    skewness: float

    @property
    def rejected(self):
        """Whether any of the checks rejects normality at 0.05."""
        return any(p < NORMALITY_LEVEL for _, p in self.checks.values())

    def __str__(self):
        return ", ".join(
            f"{name} {statistic:.3f} ({f'p = {p:.3f}' if p >= 0.001 else 'p < 0.001'})"
            for name, (statistic, p) in self.checks.items()
        )


def check_normality(values):
    """Check whether numbers may come from a normal distribution.

    Parameters
    ----------
    values : array_like of shape (n,)
        The numbers.

    Returns
    -------
    Normality or None
        What the checks say; None for fewer than three numbers, and for numbers that
        do not vary.

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
    distances = _distances(values[np.newaxis])[:, 0]
    simulated = _simulated_distances(min(len(values), MOST_SIMULATED))
    corrected = _corrected(distances, len(values))
    n_beyond = np.count_nonzero(simulated >= corrected[:, np.newaxis], axis=1)
    pvalues = (n_beyond + 1) / (N_SIMULATED + 1)
    checks = {}
    if len(values) <= MOST_SHAPIRO:
        checks["Shapiro-Wilk"] = tuple(stats.shapiro(values))
    checks["Anderson-Darling"], checks["Kolmogorov-Smirnov"] = zip(
        distances, pvalues, strict=True
    )
    return Normality(checks, float(stats.skew(values)))


def _distances(ordered):
    """Return A-squared and D of every row of ordered numbers from its own normal."""
    n = ordered.shape[1]
    centered = ordered - ordered.mean(axis=1, keepdims=True)
    z = centered / np.std(centered, axis=1, ddof=1, keepdims=True)
    below, rank = stats.norm.cdf(z), np.arange(1, n + 1)
    logs = stats.norm.logcdf(z) + stats.norm.logsf(z[:, ::-1])
    anderson = -n - np.mean((2 * rank - 1) * logs, axis=1)
    kolmogorov = np.maximum(rank / n - below, below - (rank - 1) / n).max(axis=1)
    return np.array([anderson, kolmogorov])


def _corrected(distances, n):
    """Make distances comparable between numbers of rows (Stephens, 1974)."""
    anderson, kolmogorov = distances
    root = np.sqrt(n)
    return np.array(
        [
            anderson * (1 + 0.75 / n + 2.25 / n**2),
            kolmogorov * (root - 0.01 + 0.85 / root),
        ]
    )


def t_level_error(skewness, n_rows, alpha):
    """Return how far the level of a one-sided t-test is off because of skewness.

    This is the first term of the Edgeworth expansion of Student's t: for the skewness
    g and the normal quantile z, ``|g| (2 z**2 + 1) phi(z) / (6 sqrt(n))``.

    Parameters
    ----------
    skewness : float
        The skewness of the differences.
    n_rows : int
        Their number.
    alpha : float
        The nominal level.

    Returns
    -------
    float
        By how much the level is too small for one side and too large for the other.

    Examples
    --------
    >>> round(t_level_error(skewness=2.0, n_rows=400, alpha=0.05), 3)
    0.011
    """
    z = stats.norm.isf(alpha)
    slope = (2 * z**2 + 1) * stats.norm.pdf(z) / 6
    return float(abs(skewness) * slope / np.sqrt(n_rows))


@functools.lru_cache
def _simulated_distances(n):
    """Return the corrected distances of normal samples, always the same ones."""
    normal = np.random.default_rng(0).standard_normal((N_SIMULATED, n))
    return _corrected(_distances(np.sort(normal, axis=1)), n)


# With groups it is their sums that must be normal, or many.
@functools.partial(Fact, "Is the mean difference normal?")
def normal_mean(facts):
    """Say whether a t-test may take the mean difference as normal."""
    unit = facts.units[:-1]
    if facts.n_units < FEWEST_NUMBERS:
        return False, f"{facts.n_units} {facts.units} are too few to tell."
    if facts.normality is None:
        return False, (
            f"The differences between the models do not vary from {unit} to {unit}."
        )
    values = "sums over groups" if facts.grouped else "differences"
    outcome = "rejected" if facts.normality.rejected else "not rejected"
    checked = (
        f"Normality of the {facts.n_units:,} {values} is {outcome} at 0.05: "
        f"{facts.normality}."
    )
    if not facts.normality.rejected:
        return True, checked
    if facts.n_units < MANY_UNITS:
        return False, (
            f"{checked} With fewer than {MANY_UNITS} {facts.units} no limit theorem "
            "helps."
        )
    skewness = facts.normality.skewness
    error = t_level_error(skewness, facts.n_units, facts.level)
    level = (
        f"with a skewness of {skewness:.2f} the level {facts.level:.3g} of a one-sided "
        f"t-test is off by about {error:.2g}"
    )
    if error <= TOLERATED_ERROR * facts.level:
        return True, (
            f"{checked} But the central limit theorem makes their mean normal: "
            f"{level}, less than a tenth of it."
        )
    return False, (
        f"{checked} Nor does the central limit theorem make their mean normal enough: "
        f"{level}, more than a tenth of it."
    )
