"""Student's t for scores of cross-validation, whose training sets overlap."""

import math
from typing import NamedTuple

import numpy as np
from scipy import stats

from skcompare.inference._intervals import ConfidenceInterval

__all__ = ["StudentEstimate", "corrected_estimate"]


class StudentEstimate(NamedTuple):
    """An estimate whose error follows Student's t.

    Attributes
    ----------
    mean : float
        The estimate.
    error : float
        Its standard error; 0 if the scores do not vary.
    df : int
        The degrees of freedom.
    """

    mean: float
    error: float
    df: int

    @property
    def statistic(self):
        """Student's t: 0 for a mean of 0 without error, else infinite without one."""
        if self.error > 0:
            return self.mean / self.error
        return 0.0 if self.mean == 0 else math.copysign(math.inf, self.mean)

    def pvalue(self, alternative):
        """Return the p-value for a mean of 0: 1 for 0 without error, else its limit."""
        t = self.statistic
        if self.error == 0 and self.mean == 0:
            return 1.0
        if alternative == "two-sided":
            return float(2 * stats.t.sf(abs(t), self.df))
        return float(stats.t.sf(t if alternative == "greater" else -t, self.df))

    def interval(self, confidence_level):
        """Return the equal-tailed interval."""
        margin = stats.t.ppf((1 + confidence_level) / 2, self.df) * self.error
        return ConfidenceInterval(float(self.mean - margin), float(self.mean + margin))


def corrected_estimate(differences, ratio):
    """Estimate a mean of fold differences with Nadeau and Bengio's variance.

    Fold scores are correlated, for their training sets overlap. With the correlation
    taken as the share of test rows, the variance of their mean is
    ``(1 / k + ratio) * s ** 2`` with k folds of variance ``s ** 2``.

    Parameters
    ----------
    differences : ndarray of shape (k,)
        Differences of scores, two at least.
    ratio : float
        The number of test rows over that of training rows; 0 gives the naive t.

    Returns
    -------
    StudentEstimate
        With ``k - 1`` degrees of freedom. The error is exactly 0 if the differences
        are the same but for rounding.

    Examples
    --------
    >>> differences = np.array([0.01, 0.02, 0.00, 0.03, 0.02])
    >>> found = corrected_estimate(differences, 1 / 4)
    >>> round(found.statistic, 4), round(found.pvalue("greater"), 4)
    (2.0919, 0.0523)
    """
    k, mean = len(differences), float(np.mean(differences))
    spread = float(np.std(differences, ddof=1))
    if spread <= 1e-12 * np.max(np.abs(differences)):
        return StudentEstimate(mean, 0.0, k - 1)
    return StudentEstimate(mean, math.sqrt(1 / k + ratio) * spread, k - 1)
