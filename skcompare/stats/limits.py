"""What few units can show at most, whatever resamples of them say."""

from typing import NamedTuple

from scipy import special

from skcompare.stats.intervals import ConfidenceInterval, constant_interval
from skcompare.stats.paired import constant_interval_of_sign
from skcompare.stats.pvalues import EXTREMES

# So many units that move a score show how it varies.
ENOUGH_SIGNS = 10


class Limits(NamedTuple):
    """On how few units a difference rests: what bounds its p-values and intervals.

    Attributes
    ----------
    n_signs : int
        The number of units whose difference moves the score.
    n_trials : float or None
        On how many independent trials the scores rest, if they have bounds.
    span : float or None
        How far apart two scores can be, if they have bounds.
    shares : bool
        Whether scores are shares of the trials, all of which count alike.
    varies : bool
        Whether the difference is another on some resample.
    undefined : float
        The share of resamples without a value.
    resolution : float
        The least p-value that resamples tell from 0: a bound below it is none.

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
        """Return the least p-value: that of as many equal signs.

        Parameters
        ----------
        alternative : {"greater", "less", "two-sided"}
            What counts as extreme.

        Returns
        -------
        float
            ``2 ** -n_signs``, two-sided twice that; 0 if resamples cannot tell it from
            0.
        """
        sides = 2 if alternative == "two-sided" else 1
        pvalue = min(1.0, sides * 0.5**self.n_signs)
        return pvalue if pvalue > self.resolution else 0.0

    def margin_pvalue(self, delta, margin, alternative):
        """Return the least p-value against a margin: that of units that might differ.

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
            If the difference is the margin, some share of all units at least must
            count against the alternative. It is the probability that no more of them
            do than are seen, net of those that count for it: the binomial test of
            Clopper and Pearson, which knows effective numbers, too. Of scores
            without bounds 1 if nothing varies, else 0: no bound. There is none either
            for scores that are no shares, such as areas, if many units move them:
            resamples show how they vary.

        Notes
        -----
        Units that agree differ by 0; if no resample varies, by `delta`. A unit that
        counts against the alternative takes off no more than that and `span`. If k of
        n units do, the share q that makes the margin gives P(Bin(n, q) <= k); without
        any, ``(1 - q) ** n``.

        Examples
        --------
        Models that agree on 100 rows may well differ by a hundredth in accuracy:

        >>> alike = Limits(n_signs=0, n_trials=100, span=1.0, varies=False)
        >>> round(alike.margin_pvalue(0.0, -0.01, "greater"), 4), round(0.99**100, 4)
        (0.366, 0.366)
        """
        if self.n_trials is None:
            return 0.0 if self.varies else 1.0
        if self.varies and not self.shares and self.n_signs >= ENOUGH_SIGNS:
            return 0.0
        turn = -1.0 if EXTREMES[alternative](1.0) < 0 else 1.0
        delta, margin = turn * delta, turn * margin
        agreeing = 0.0 if self.varies else delta
        most = agreeing + self.span  # what a unit may take off
        if most <= 0:  # there is nothing left to take
            return 1.0
        count = self.n_trials * (agreeing - delta) / most
        share = (agreeing - margin) / most
        if count <= -1:
            return 0.0
        if share <= 0 or count >= self.n_trials:
            return 1.0
        if share >= 1:
            return 0.0
        return float(special.betainc(self.n_trials - count, count + 1, 1 - share))

    def interval(self, interval, delta, level):
        """Return an interval that says no more than so few units can.

        Parameters
        ----------
        interval : ConfidenceInterval
            What resamples say.
        delta : float
            The observed difference.
        level : float
            The confidence level.

        Returns
        -------
        ConfidenceInterval
            The interval, widened to 0 where `pvalue`, or the share of resamples without
            a value, does not let it be excluded. If no resample varies, Clopper and
            Pearson's bound for trials that all agree; of scores without bounds no more
            than the sign is known.

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
        """Return the interval of a difference that no resample varies."""
        if self.n_trials is None:
            return constant_interval_of_sign(delta, self.n_signs, level)
        span = self.span
        return constant_interval(delta, -span, span, self.n_trials, level)
