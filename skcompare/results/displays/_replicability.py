"""In how many data sets there is an effect."""

import numpy as np

from skcompare._optional import optional_import
from skcompare.results.displays._base import (
    BLUE,
    GREY,
    Display,
    axes_for,
)

# Smaller p-values are drawn as this one: an axis of powers of ten has no zero.
SMALLEST = 1e-16

# The axis of p-values goes beyond 1, and beyond the smallest, by this factor.
HEADROOM = 1.6

MOST_TICKS = 10


class ReplicabilityDisplay(Display):
    """P-values for an effect in at least 1, 2, ... of several data sets.

    Filled dots are at most `alpha`; there are as many of them as data sets that are
    shown to have an effect.

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

    def __init__(self, pvalues, *, alpha=0.05, unit="data sets"):
        self.pvalues = pvalues
        self.alpha = alpha
        self.unit = unit

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn.

        Parameters
        ----------
        result : ReplicabilityResult
            What to draw.

        Returns
        -------
        ReplicabilityDisplay
            The display.
        """
        return cls(
            result.partial_conjunction_pvalues, alpha=result.alpha, unit=result.unit
        )

    def frame(self):
        """Return the p-values as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            Columns `at_least` and `pvalue`.
        """
        pd = optional_import("pandas", "all")
        numbers = np.arange(1, len(self.pvalues) + 1)
        return pd.DataFrame({"at_least": numbers, "pvalue": np.asarray(self.pvalues)})

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
        ax = axes_for(ax)
        pvalues = np.asarray(self.pvalues, dtype=float)
        shown = pvalues <= self.alpha
        look = {
            "marker": "o",
            "markersize": 8,
            "linestyle": "",
            **(marker_kwargs or {}),
        }
        numbers, heights = np.arange(1, len(pvalues) + 1), pvalues.clip(SMALLEST)
        (self.shown_,) = ax.plot(numbers[shown], heights[shown], color=BLUE, **look)
        hollow = {"color": GREY, "markerfacecolor": "white", **look}
        (self.others_,) = ax.plot(numbers[~shown], heights[~shown], **hollow)
        ax.axhline(self.alpha, color=GREY, linestyle="--", linewidth=1)
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
        _set_ticks(ax)
        ax.spines[["top", "right"]].set_visible(False)
        return self._drawn_on(ax)


def _set_ticks(ax):
    """Set whole numbers below, and powers of ten as plain numbers on the left."""
    ticker = optional_import("matplotlib.ticker", "plot")
    steps = {"integer": True, "min_n_ticks": 1, "steps": [1, 2, 5, 10]}
    ax.xaxis.set_major_locator(ticker.MaxNLocator(MOST_TICKS, **steps))
    ax.yaxis.set_major_locator(ticker.LogLocator(numticks=MOST_TICKS))
    ax.yaxis.set_major_formatter("{x:g}")
    ax.yaxis.set_minor_formatter(ticker.NullFormatter())
