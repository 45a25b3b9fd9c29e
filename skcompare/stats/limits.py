"""Bounds for the p-values and intervals of resampling tests with few units."""

from typing import NamedTuple

from scipy import special

from skcompare.stats.intervals import ConfidenceInterval, constant_interval
from skcompare.stats.paired import constant_interval_of_sign
from skcompare.stats.pvalues import EXTREMES

# Number of units moving a score from which resamples show how the score varies.
ENOUGH_SIGNS = 10


class Limits(NamedTuple):
    """Sample sizes that bound the p-values and intervals of a difference.

    Attributes
    ----------
    n_signs : int
        The number of units whose difference moves the score.
    n_trials : float or None
        The (effective) number of independent trials in the scores, 0 if there are none;
        None for unbounded scores.
    span : float or None
        The largest possible difference of two scores; None for unbounded scores.
    shares : bool
        Whether scores are proportions of the trials, whose number may be effective.
    varies : bool
        Whether the difference varies between resamples.
    undefined : float
        The share of resamples with an undefined difference.
    resolution : float
        The smallest p-value that resamples can distinguish from 0. Bounds on p-values
        that do not exceed it are replaced by 0.

    Examples
    --------
    >>> few = Limits(n_signs=3, n_trials=100, span=1.0)
    >>> few.pvalue("greater"), few.pvalue("two-sided")
    (0.125, 0.25)
    """

    n_signs: int
    n_trials: float | None = None
    span: float | None = None
    shares: bool = True
    varies: bool = True
    undefined: float = 0.0
    resolution: float = 0.0

    def pvalue(self, alternative):
        """Return the smallest possible p-value, that of `n_signs` equal signs.

        Parameters
        ----------
        alternative : {"greater", "less", "two-sided"}
            Which values count as extreme.

        Returns
        -------
        float
            ``2 ** -n_signs``, or twice that if two-sided; 0 if it does not exceed
            `resolution`.
        """
        sides = 2 if alternative == "two-sided" else 1
        pvalue = min(1.0, sides * 0.5**self.n_signs)
        return pvalue if pvalue > self.resolution else 0.0

    def margin_pvalue(self, delta, margin, alternative):
        """Return the smallest possible p-value of a test against a margin.

        Parameters
        ----------
        delta : float
            The observed difference.
        margin : float
            The margin.
        alternative : {"greater", "less"}
            Whether the difference is above the margin, or below it.

        Returns
        -------
        float
            If the true difference equals the margin, at least some share of all units
            must count against the alternative. The bound is the probability of no more
            such units than observed, net of those in favor of the alternative: the
            binomial test of Clopper and Pearson, extended to effective numbers. For
            unbounded scores it is 1 if nothing varies, and otherwise 0 (no bound). It
            is also 0 if many units move scores that are not proportions, such as areas:
            resamples then show how the scores vary.

        Notes
        -----
        Units that agree contribute a difference of 0, or of `delta` if the difference
        does not vary. A unit that counts against the alternative reduces this value by
        at most the value plus `span`. If k of n units do, and q is the share of such
        units that results in the margin, the bound is P(Bin(n, q) <= k); for k = 0,
        ``(1 - q) ** n``.

        Examples
        --------
        Two models that agree on 100 rows may still differ by 0.01 in accuracy:

        >>> alike = Limits(n_signs=0, n_trials=100, span=1.0, varies=False)
        >>> round(alike.margin_pvalue(0.0, -0.01, "greater"), 4), round(0.99**100, 4)
        (0.366, 0.366)
        """
        if self.n_trials is None:
            return 0.0 if self.varies else 1.0
        if self.varies and not self.shares and self.n_signs >= ENOUGH_SIGNS:
            return 0.0
        sign = -1.0 if EXTREMES[alternative](1.0) < 0 else 1.0
        delta, margin = sign * delta, sign * margin
        agreeing = 0.0 if self.varies else delta
        largest = agreeing + self.span  # the most by which a unit can reduce it
        if largest <= 0:
            return 1.0
        count = self.n_trials * (agreeing - delta) / largest
        share = (agreeing - margin) / largest
        if count <= -1:
            return 0.0
        if share <= 0 or count >= self.n_trials:
            return 1.0
        if share >= 1:
            return 0.0
        return float(special.betainc(self.n_trials - count, count + 1, 1 - share))

    def interval(self, interval, delta, level):
        """Widen a confidence interval if there are too few units.

        Parameters
        ----------
        interval : ConfidenceInterval
            The interval computed from resamples.
        delta : float
            The observed difference.
        level : float
            The confidence level.

        Returns
        -------
        ConfidenceInterval
            The interval, widened to include 0 if the two-sided `pvalue`, or twice the
            share of undefined resamples, is above ``1 - level``. If the difference does
            not vary, the Clopper-Pearson bound for trials with equal outcomes; for
            unbounded scores, `constant_interval_of_sign`.

        Examples
        --------
        >>> Limits(n_signs=3).interval(ConfidenceInterval(0.1, 0.3), 0.2, 0.95)
        ConfidenceInterval(low=0.0, high=0.3)
        """
        low, high = interval
        if not self.varies:
            low, high = self.interval_without_spread(delta, level)
        if max(self.pvalue("two-sided"), 2 * self.undefined) > 1 - level + 1e-12:
            low, high = min(low, 0.0), max(high, 0.0)
        return ConfidenceInterval(low, high)

    def interval_without_spread(self, delta, level):
        """Return the interval for a difference that does not vary."""
        if self.n_trials is None:
            return constant_interval_of_sign(delta, self.n_signs, level)
        span = self.span
        return constant_interval(delta, -span, span, self.n_trials, level)
