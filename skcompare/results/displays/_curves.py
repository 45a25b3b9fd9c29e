"""How power grows with rows, and p-values for an effect in 1, 2, ... data sets."""

import dataclasses

import numpy as np
from numpy.typing import ArrayLike

from skcompare._format import optional_import
from skcompare.results.displays._base import BLUE, GRAY, Display, display_class
from skcompare.stats.power import detectable_effect, normal_power

# The curve runs from the smaller number of rows over this to the larger times this.
MARGIN, N_POINTS = 4.0, 121

# Smaller p-values are drawn as this one: an axis of powers of ten has no zero.
SMALLEST = 1e-16

# The axis of p-values goes beyond 1, and beyond the smallest, by this factor.
HEADROOM = 1.6

MOST_TICKS = 10


@display_class
class PowerDisplay(Display):
    """The power of a test against the number of rows.

    The curve goes through the number of rows that is needed. The filled dot is the
    power on the number of rows that was asked about. `frame` has the curve: columns
    `n_rows` and `power`.

    Read more in the :ref:`User Guide <power>`.

    Parameters
    ----------
    n_rows : int
        The number of rows that was asked about.
    power : float
        The power on so many rows.
    n_needed : int or None
        The number of rows on which the power is `target`. None draws no curve.
    target : float, default=0.8
        The power that is wanted.
    alpha : float, default=0.05
        The level of the test.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        The alternative hypothesis.
    power_error : float, default=0.0
        The standard error of `power`, if it was simulated.
    title : str or None, default=None
        The title of the plot.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    line_ : matplotlib Line2D or None
        The curve.
    asked_ : matplotlib container
        The dot of the number of rows asked about, and its error.
    needed_ : matplotlib Line2D or None
        The dot of the number of rows needed.

    See Also
    --------
    power : Computes what is drawn.

    Notes
    -----
    The curve is an approximation: the estimate is taken as normal, at a distance from 0
    that grows, in standard errors, with the root of the number of rows. It is exact at
    the number of rows needed, if that is. The filled dot need not lie on it: the test
    may be discrete, or the power simulated.

    Examples
    --------
    >>> from skcompare.results import PowerDisplay
    >>> display = PowerDisplay(300, 0.245, n_needed=1_663)
    >>> display.frame().round(3).iloc[[0, -1]]
         n_rows  power
    0      75.0  0.132
    120  6652.0  1.000
    """

    _result = "what `power` returned"
    _needed = ("power", "effect")

    n_rows: int
    power: float
    _: dataclasses.KW_ONLY
    n_needed: int | None
    target: float = 0.8
    alpha: float = 0.05
    alternative: str = "greater"
    power_error: float = 0.0
    title: str | None = None

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn."""
        effect = f"true difference {result.effect:+.4g} in {result.scoring}"
        return super().undrawn(result, title=f"{result.test}, {effect}")

    def _curve(self):
        """Return numbers of rows and the power on them; none if none is needed."""
        if self.n_needed is None:
            return np.empty(0), np.empty(0)
        low, high = sorted([self.n_rows, self.n_needed])
        sizes = np.geomspace(low / MARGIN, high * MARGIN, N_POINTS)
        settings = {"alpha": self.alpha, "alternative": self.alternative}
        reached = detectable_effect(1.0, power=self.target, **settings)
        return sizes, normal_power(reached * np.sqrt(sizes / self.n_needed), **settings)

    def _columns(self):
        return dict(zip(("n_rows", "power"), self._curve(), strict=True))

    def plot(self, ax=None, *, line_kwargs=None, marker_kwargs=None):
        """Draw the curve and the two dots.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        line_kwargs : dict, default=None
            Options of the curve.
        marker_kwargs : dict, default=None
            Options of the dots.

        Returns
        -------
        PowerDisplay
            The display itself.
        """
        ax = self._axes(ax)
        look = {"color": BLUE, "zorder": 2, **(line_kwargs or {})}
        (self.line_,) = ax.plot(*self._curve(), **look)
        ax.axhline(self.target, color=GRAY, linestyle="--", linewidth=1)
        dot = {"color": BLUE, "markersize": 8, "linestyle": "", **(marker_kwargs or {})}
        words = f"{self.n_rows:,} rows: power {self.power:.3f}"
        self.asked_ = ax.errorbar(
            self.n_rows,
            self.power,
            self.power_error or None,
            **{"marker": "o", "label": words, "capsize": 3, **dot},
        )
        self.needed_ = None
        if self.n_needed is not None:
            words = f"{self.n_needed:,} rows: power {self.target:g}, as wanted"
            hollow = {**dot, "marker": "D", "markerfacecolor": "white", "label": words}
            (self.needed_,) = ax.plot(self.n_needed, self.target, **hollow)
        ax.set(xlabel="rows", ylabel="power", ylim=(0, 1.03), xscale="log")
        # Round numbers of rows: in full, or as 10k and 1M if they differ widely.
        ticker = optional_import("matplotlib.ticker")
        left, right = ax.get_xlim()
        wide = right > 1_000 * left
        steps = (1,) if wide else (1, 2, 5)
        ax.xaxis.set_major_locator(ticker.LogLocator(subs=steps, numticks=8))
        ax.xaxis.set_major_formatter(
            ticker.EngFormatter(sep="") if wide else "{x:,.0f}"
        )
        ax.minorticks_off()
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)
        if self.title is not None:
            ax.set_title(self.title, pad=30)
        return self


@display_class
class ReplicabilityDisplay(Display):
    """P-values for an effect in at least 1, 2, ... of several data sets.

    Filled dots are at most `alpha`; there are as many of them as data sets that are
    shown to have an effect. `frame` has a row for each number of them: columns
    `at_least` and `pvalue`.

    Read more in the :ref:`User Guide <replicability>`.

    Parameters
    ----------
    pvalues : array-like of shape (n_datasets,)
        For u = 1, 2, ... the partial conjunction p-value for "fewer than u data sets
        have an effect".
    alpha : float, default=0.05
        The level.
    unit : str, default="data sets"
        What the data sets are.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    shown_, others_ : matplotlib Line2D
        The dots at most `alpha`, and above.

    See Also
    --------
    replicability_analysis : Computes what is drawn.

    Examples
    --------
    >>> from skcompare.results import ReplicabilityDisplay
    >>> ReplicabilityDisplay([0.01, 0.04, 0.3]).frame()
       at_least  pvalue
    0         1    0.01
    1         2    0.04
    2         3    0.30
    """

    _result = "what `replicability_analysis` returned"
    _needed = ("partial_conjunction_pvalues",)

    pvalues: ArrayLike
    _: dataclasses.KW_ONLY
    alpha: float = 0.05
    unit: str = "data sets"

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn."""
        return super().undrawn(result, pvalues=result.partial_conjunction_pvalues)

    def _columns(self):
        pvalues = np.asarray(self.pvalues)
        return {"at_least": np.arange(1, len(pvalues) + 1), "pvalue": pvalues}

    def plot(self, ax=None, *, marker_kwargs=None):
        """Draw a dot for each number of data sets, and the level.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        marker_kwargs : dict, default=None
            Options of the dots.

        Returns
        -------
        ReplicabilityDisplay
            The display itself.
        """
        ax = self._axes(ax)
        pvalues = np.asarray(self.pvalues, dtype=float)
        shown = pvalues <= self.alpha
        look = {"marker": "o", "markersize": 8, "linestyle": ""} | (marker_kwargs or {})
        numbers, heights = np.arange(1, len(pvalues) + 1), pvalues.clip(SMALLEST)
        (self.shown_,) = ax.plot(numbers[shown], heights[shown], color=BLUE, **look)
        hollow = {"color": GRAY, "markerfacecolor": "white", **look}
        (self.others_,) = ax.plot(numbers[~shown], heights[~shown], **hollow)
        ax.axhline(self.alpha, color=GRAY, linestyle="--", linewidth=1)
        lowest = min(heights.min(initial=1), max(self.alpha, SMALLEST))
        counted = f"at least {shown.sum()} of {len(pvalues)} {self.unit}"
        ax.set(
            xlabel=f"an effect in at least so many {self.unit}",
            ylabel="p-value",
            yscale="log",
            xlim=(0.5, len(pvalues) + 0.5),
            ylim=(lowest / HEADROOM, HEADROOM),
            title=f"at the level {self.alpha:g}: {counted}",
        )
        # Whole numbers below, and powers of ten as plain numbers on the left.
        ticker = optional_import("matplotlib.ticker")
        steps = {"integer": True, "min_n_ticks": 1, "steps": [1, 2, 5, 10]}
        ax.xaxis.set_major_locator(ticker.MaxNLocator(MOST_TICKS, **steps))
        ax.yaxis.set_major_locator(ticker.LogLocator(numticks=MOST_TICKS))
        ax.yaxis.set_major_formatter("{x:g}")
        ax.yaxis.set_minor_formatter(ticker.NullFormatter())
        ax.spines[["top", "right"]].set_visible(False)
        return self
