"""The resampling distribution of a difference, and what makes its p-value."""

import numpy as np

from skcompare._format import optional_import
from skcompare.results._document import shortened
from skcompare.results.displays._base import (
    BLUE,
    HATCH,
    ORANGE,
    Display,
    axes_for,
    draw_interval,
)

LONGEST_NAME = 24

_DARK = "#7f4f00"
_ALL = {"color": "#c6dbef", "edgecolor": "#6baed6", "linewidth": 0.5}
_EXCEEDING = {"color": ORANGE, "edgecolor": _DARK, "linewidth": 0.5, "hatch": HATCH}


class DeltaDisplay(Display):
    """Histogram of resampled differences, with the part that makes the p-value.

    A bootstrap distribution lies around the observed difference and the p-value counts
    how much of it is as far from there as the observed difference is from 0. A
    randomization distribution lies around 0 and the p-value counts how much of it is
    as far out as the observed difference.

    Read more in the :ref:`User Guide <displays>`.

    Parameters
    ----------
    distribution : ndarray
        The resampled differences; nan is left out.
    delta : float
        The observed difference.
    center : float or None
        What the distribution is centered on: `delta` for a bootstrap, 0 for a
        randomization. None if the p-value does not count differences by how far they
        are from a center; then none are marked.
    alternative : {"greater", "less", "two-sided"}
        The side that the p-value counts.
    pvalue : float or None, default=None
        The p-value, for the legend.
    confidence_interval : pair of float or None, default=None
        Drawn as a bar below the histogram.
    scoring : str, default="score"
        The name of the metric, for the axis.
    name_a, name_b : str, default="A", "B"
        What the models are called, on their sides of 0.
    title : str or None, default=None
        The title, such as the verdict.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    line_ : matplotlib Line2D
        The line at the observed difference.
    interval_ : matplotlib Line2D or None
        The bar of the interval.
    regions_ : list of matplotlib Patch
        The shaded regions that the p-value counts.

    See Also
    --------
    ForestDisplay : Several differences with their intervals.

    Notes
    -----
    The limit of a bootstrap is twice the observed difference, and not the observed
    difference: resamples lie around the latter, so about half of them reach it whatever
    the data. What counts is to stray from the center by as much as the center is from
    0. A dashed line marks where that begins.

    The p-value is written as given. It is not the share of the colored part where the
    sample itself is counted as well.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.results import DeltaDisplay
    >>> null = np.random.default_rng(0).normal(size=999)
    >>> display = DeltaDisplay(null, delta=2.0, center=0.0, alternative="greater")
    >>> int(display.exceeding.sum())
    17
    """

    _result = "a ComparisonResult, of two models, with resamples"
    _needed = ("delta", "pvalue", "distribution")

    def __init__(
        self,
        distribution,
        *,
        delta,
        center,
        alternative,
        pvalue=None,
        confidence_interval=None,
        scoring="score",
        name_a="A",
        name_b="B",
        title=None,
    ):
        self.distribution = distribution
        self.delta = delta
        self.center = center
        self.alternative = alternative
        self.pvalue = pvalue
        self.confidence_interval = confidence_interval
        self.scoring = scoring
        self.name_a = name_a
        self.name_b = name_b
        self.title = title

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn.

        Parameters
        ----------
        result : ComparisonResult
            What to draw.

        Returns
        -------
        DeltaDisplay
            The display.
        """
        return cls(
            result.distribution,
            delta=result.delta,
            center=result.center,
            alternative=result.alternative,
            pvalue=result.pvalue,
            confidence_interval=result.confidence_interval,
            scoring=result.scoring,
            name_a=result.name_a,
            name_b=result.name_b,
            title=result.verdict().removesuffix("."),
        )

    @property
    def limits(self):
        """The ends of the region that counts: at or below, at or above."""
        if self.center is None:
            return -np.inf, np.inf
        far = self.delta if self.alternative != "two-sided" else abs(self.delta)
        low = self.center + (far if self.alternative == "less" else -far)
        high = self.center + far
        return {
            "greater": (-np.inf, high),
            "less": (low, np.inf),
            "two-sided": (low, high),
        }[self.alternative]

    @property
    def exceeding(self):
        """Which of the finite resampled differences the p-value counts."""
        values, (low, high) = self._finite, self.limits
        slack = 1e-9 * max(np.ptp(values), abs(self.delta)) if len(values) else 0.0
        at_or_below = values <= low + slack if np.isfinite(low) else False
        at_or_above = values >= high - slack if np.isfinite(high) else False
        return np.logical_or(at_or_below, at_or_above) & np.ones(
            len(values), dtype=bool
        )

    @property
    def _finite(self):
        return self.distribution[np.isfinite(self.distribution)]

    def frame(self):
        """Return what is drawn as a pandas DataFrame, one row per resample.

        Returns
        -------
        pandas.DataFrame
            Columns `delta` and `exceeding`.
        """
        pd = optional_import("pandas", "all")
        return pd.DataFrame({"delta": self._finite, "exceeding": self.exceeding})

    def plot(self, ax=None, *, hist_kwargs=None, line_kwargs=None):
        """Draw the histogram, the observed difference, the interval and the tail.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        hist_kwargs : dict, default=None
            Options of both histograms.
        line_kwargs : dict, default=None
            Options of the line at the observed difference.

        Returns
        -------
        DeltaDisplay
            The display itself.
        """
        ax = axes_for(ax)
        values, exceeding = self._finite, self.exceeding
        bins, look = _bin_edges(values), hist_kwargs or {}
        parts = {"resampled differences": (values, _ALL)}
        if self.center is not None:
            parts["counted by the p-value"] = values[exceeding], _EXCEEDING
        handles = [
            ax.hist(part, bins=bins, **{**colors, **look})[2]
            for part, colors in parts.values()
        ]
        labels = list(parts)
        if self.pvalue is not None:
            labels[-1] += f" (p = {self.pvalue:.3g})"
        ax.axvline(0, color="0.3", linewidth=1, linestyle=":")
        style = {"color": "black", "linewidth": 1.5, **(line_kwargs or {})}
        self.line_, self.interval_ = ax.axvline(self.delta, **style), None
        observed, mark = f"observed {self.delta:+.3g}", self.line_
        if self.confidence_interval is not None:
            low, high = self.confidence_interval
            self.interval_ = draw_interval(ax, (low, high), color=BLUE, label=None)
            observed += f", interval [{low:.3g}, {high:.3g}]"
            mark = (self.interval_, self.line_)
        for limit in filter(np.isfinite, self.limits):
            if limit not in (0, self.delta):
                ax.axvline(limit, color=_DARK, linestyle="--", linewidth=1)
        self.regions_ = self._shade_regions(ax)
        ax.set(xlabel=f"difference in {self.scoring} (A - B)", ylabel="resamples")
        ax.spines[["top", "right"]].set_visible(False)
        self._name_sides(ax)
        ax.legend(
            [*handles, mark],
            [*labels, observed],
            loc="upper center",
            bbox_to_anchor=(0.5, -0.19),
            ncols=2,
            frameon=False,
        )
        if self.title is not None:
            ax.set_title(self.title, pad=24, fontsize="medium", wrap=True)
        return self._drawn_on(ax)

    def _name_sides(self, ax):
        """Write above the axes on which side which model is better."""
        names = {"A": self.name_a, "B": self.name_b}
        a, b = (
            letter if name == letter else f"{letter} ({shortened(name, LONGEST_NAME)})"
            for letter, name in names.items()
        )
        left, right = ax.get_xlim()
        place = {"transform": ax.transAxes, "va": "bottom", "fontsize": "small"}
        if left < 0:
            ax.text(0, 1.01, f"\N{LEFTWARDS ARROW} {b} better", ha="left", **place)
        if right > 0:
            ax.text(1, 1.01, f"{a} better \N{RIGHTWARDS ARROW}", ha="right", **place)

    def _shade_regions(self, ax):
        """Shade where the p-value counts, which may be where no resample is."""
        left, right = ax.get_xlim()
        far = 100 * (right - left)
        look = {"color": ORANGE, "alpha": 0.13, "linewidth": 0, "zorder": 0}
        regions = [
            ax.axvspan(limit, limit + side * far, **look)
            for limit, side in zip(self.limits, (-1, 1), strict=True)
            if np.isfinite(limit)
        ]
        ax.set_xlim(left, right)
        return regions


def _bin_edges(values, most=60):
    """Return edges of at most so many bars, each as many steps of the metric wide.

    A bar that held one more value of a discrete metric than its neighbors would look
    like a peak.
    """
    distinct = np.unique(np.round(values, 12))
    if len(distinct) == 1:
        return distinct[0] + np.array([-0.5, 0.5]) * max(abs(distinct[0]), 1e-3) / 10
    gaps = np.diff(distinct)
    steps = gaps / gaps.min()
    if len(distinct) > 20 * most or np.abs(steps - np.rint(steps)).max() > 0.01:
        return np.linspace(distinct[0], distinct[-1], most + 1)
    n_steps = round(np.ptp(distinct) / gaps.min())
    width = gaps.min() * max(1, -(-n_steps // most))
    return np.arange(distinct[0] - gaps.min() / 2, distinct[-1] + width, width)
