"""Plots of distributions: resampled differences and posteriors."""

import dataclasses

import numpy as np
from numpy.typing import ArrayLike

from skcompare._format import bracket, format_numbers, format_probability, format_pvalue
from skcompare.results.displays._base import (
    BLUE,
    GRAY,
    HATCH,
    ORANGE,
    PALE,
    Display,
    claim,
    display_class,
    draw_legend,
    draw_title,
    figure_width,
    fitted,
    lettered,
    line_height,
    literal,
    room,
    shaped,
)
from skcompare.stats.posterior import as_rope
from skcompare.stats.pvalues import T_TOLERANCE, exceeding

_DARK = "#7f4f00"
_ALL = {"color": "#c6dbef", "edgecolor": "#6baed6", "linewidth": 0.5}
_EXCEEDING = {"color": ORANGE, "edgecolor": _DARK, "linewidth": 0.5, "hatch": HATCH}

# The resamples counted by the p-value, by the alternative.
_AROUND_0 = {
    "greater": "the observed difference or more",
    "less": "the observed difference or less",
    "two-sided": "at least as far from 0 as the observed difference",
}
# Resamples around the observed difference, from which 0 is as far as its double.
_AROUND_DELTA = {
    "greater": "twice the observed difference or more",
    "less": "twice the observed difference or less",
    "two-sided": "at least as far from the observed difference as 0",
}
_BEYOND_0 = {
    "greater": "0 or less",
    "less": "0 or more",
    "two-sided": "on the side of 0 with fewer, whose share is doubled",
}


@display_class
class DeltaDisplay(Display):
    """Histogram of resampled differences; those counted by the p-value are shaded.

    The distribution of a bootstrap is centered on the observed difference. With
    ``method="shift"``, the p-value counts resamples at least as far from it as 0 is;
    with ``method="percentile"``, those on the other side of 0. The distribution of a
    permutation test (approximate randomization) is centered on 0, and the p-value
    counts resamples at least as far from 0 as the observed difference. If it counts
    studentized differences, the counted ones are shaded wherever they are. `frame` has
    a row for each resample: columns `delta` and `exceeding`.

    Read more in the :ref:`User Guide <displays>`.

    Parameters
    ----------
    distribution : ndarray
        The resampled differences; nan is omitted.
    delta : float
        The observed difference.
    center : float or None
        The center of the distribution, if the p-value counts resamples by their
        distance from it: `delta` for a bootstrap, 0 for a permutation test. None if it
        counts those on the other side of 0, or `counted`.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.
    counted : ndarray of bool or None, default=None
        Which of `distribution` the p-value counts, if this depends on other statistics,
        such as studentized differences.
    pvalue : float or None, default=None
        The p-value, for the legend.
    pvalue_is_bound : bool, default=False
        Whether `pvalue` is an upper bound, which more resamples may lower.
    confidence_interval : pair of float or None, default=None
        The interval to draw as a bar below the histogram.
    scoring : str, default="score"
        The name of the metric, for the axis.
    name_a, name_b : str, default="A", "B"
        The names of the models, for their sides of 0.
    title : str or None, default=None
        The title, such as the verdict.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the plot.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    line_ : matplotlib Line2D
        The line at the observed difference.
    interval_ : matplotlib Line2D or None
        The bar of the interval.
    regions_ : list of matplotlib Patch
        The shaded regions counted by the p-value.

    See Also
    --------
    ForestDisplay : Several differences with their intervals.

    Notes
    -----
    With ``method="shift"``, the limit of a bootstrap is twice the observed difference,
    not the observed difference: resamples are centered on the latter, so about half of
    them reach it for any data. The p-value counts resamples at least as far from the
    center as the center is from 0. A dashed line marks the limit.

    The p-value is shown as passed. It differs from the share of the colored part if the
    sample itself is counted, too, if the share of one side is doubled, or if resamples
    on which the score is undefined are counted, which are not drawn.

    The width of bins is chosen such that those of discrete differences do not look like
    a comb. A limit is the edge of a bin; with two limits, the other one may divide a
    bar.

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

    distribution: np.ndarray
    _: dataclasses.KW_ONLY
    delta: float
    center: float | None
    alternative: str
    counted: np.ndarray | None = None
    pvalue: float | None = None
    pvalue_is_bound: bool = False
    confidence_interval: tuple | None = None
    scoring: str = "score"
    name_a: str = "A"
    name_b: str = "B"
    title: str | None = None

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn."""
        counted, null = None, result.statistic_distribution
        if null is not None:
            observed, side = result.statistic, result.alternative
            # A bootstrap doubles the share of the smaller tail.
            doubled = result.method.partition(",")[0] == "studentized"
            sides = ["greater", "less"] if doubled and side == "two-sided" else [side]
            slack = {"tolerance": T_TOLERANCE * min(1.0, abs(observed))}
            tails = [exceeding(null, observed, side, **slack) for side in sides]
            counted = min(tails, key=np.count_nonzero)
        title = result.verdict().removesuffix(".")
        return super().undrawn(result, title=title, counted=counted)

    @property
    def limits(self):
        """Limits of counted values: at or below the first, at or above the second."""
        if self.counted is not None:
            return -np.inf, np.inf
        if self.center is None:
            below, above = (0.0, np.inf), (-np.inf, 0.0)
            fewer = min(below, above, key=lambda side: self._beyond(side).sum())
            return {"greater": below, "less": above, "two-sided": fewer}[
                self.alternative
            ]
        if self.alternative == "two-sided":
            return self.center - abs(self.delta), self.center + abs(self.delta)
        limit = self.center + self.delta
        return (-np.inf, limit) if self.alternative == "greater" else (limit, np.inf)

    @property
    def exceeding(self):
        """Which of the finite resampled differences the p-value counts."""
        if self.counted is not None:
            return self.counted[np.isfinite(self.distribution)]
        return self._beyond(self.limits)

    def _beyond(self, limits):
        """Return which of the finite differences are at limits or beyond."""
        values, (low, high) = self._finite, limits
        slack = 1e-9 * max(np.ptp(values), abs(self.delta)) if len(values) else 0.0
        return (values <= low + slack) | (values >= high - slack)

    @property
    def _finite(self):
        return self.distribution[np.isfinite(self.distribution)]

    def _columns(self):
        return {"delta": self._finite, "exceeding": self.exceeding}

    def plot(self, ax=None, *, hist_kwargs=None, line_kwargs=None):
        """Draw the histogram, the observed difference, the interval and the tail.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes to draw on; a new figure if None.
        hist_kwargs : dict, default=None
            Options for both histograms.
        line_kwargs : dict, default=None
            Options for the line at the observed difference.

        Returns
        -------
        DeltaDisplay
            The display itself.
        """
        ax = self._axes(ax)
        look = hist_kwargs or {}
        (bins, counts), (ends, counted) = self._bars()
        words = "resampled differences", self._counted_words()
        handles = [
            ax.hist(bins[:-1], bins, weights=counts, **{**_ALL, **look})[2],
            ax.hist(ends[:-1], ends, weights=counted, **{**_EXCEEDING, **look})[2],
        ]
        ax.axvline(0, color="0.3", linewidth=1, linestyle=":")
        style = {"color": "black", "linewidth": 1.5, **(line_kwargs or {})}
        self.line_, self.interval_ = ax.axvline(self.delta, **style), None
        interval, mark = self.confidence_interval, self.line_
        observed = format_numbers([self.delta, *(interval or ())], "+")[0]
        observed = f"observed {observed}"
        if interval is not None:
            self.interval_ = draw_interval(ax, interval, color=BLUE, label=None)
            observed += f", interval {bracket(interval)}"
            mark = (self.interval_, self.line_)
        for limit in filter(np.isfinite, self.limits):
            if limit not in (0, self.delta):
                ax.axvline(limit, color=_DARK, linestyle="--", linewidth=1)
        # Shade the counted regions, which may contain no resamples.
        left, right = ax.get_xlim()
        far = 100 * (right - left)
        shade = {"color": ORANGE, "alpha": 0.13, "linewidth": 0, "zorder": 0}
        self.regions_ = [
            ax.axvspan(limit, limit + side * far, **shade)
            for limit, side in zip(self.limits, (-1, 1), strict=True)
            if np.isfinite(limit)
        ]
        ax.set_xlim(left, right)
        xlabel = literal(f"difference in {self.scoring} (A - B)")
        ax.set(xlabel=xlabel, ylabel="resamples")
        ax.spines[["top", "right"]].set_visible(False)
        n_lines = self._name_sides(ax)
        draw_legend(ax, [*handles, mark], [*words, observed], below=45)
        if self.title is not None:
            draw_title(ax, self.title, pad=10 + n_lines * line_height("small"))
        return self

    def _bars(self):
        """Return edges and heights of all bars, and of the shaded parts of them."""
        values, limits = self._finite, self.limits
        if not np.ptp(values):
            drawn = np.array([0.0, values[0], *(self.confidence_interval or ())])
            width = np.ptp(drawn[np.isfinite(drawn)]) / 20 or 0.1
            bins = values[0] + np.array([-0.5, 0.5]) * width
        else:
            bins, limits = _histogram_bins(values, limits)
        counts, _ = np.histogram(values, bins)
        if self.counted is not None or len(counts) == 1:
            return (bins, counts), (bins, np.histogram(values[self.exceeding], bins)[0])
        ends = np.unique([*bins, *np.clip(limits, bins[0], bins[-1])])
        middles = (ends[:-1] + ends[1:]) / 2
        beyond = (middles < limits[0]) | (middles > limits[1])
        bar = np.searchsorted(bins, middles) - 1
        return (bins, counts), (ends, np.where(beyond, counts[bar], 0))

    def _counted_words(self):
        """Return which resamples the p-value counts, and the p-value."""
        rules = _AROUND_DELTA if self.center else _AROUND_0
        rules = _BEYOND_0 if self.center is None else rules
        words = f": {rules[self.alternative]} (shaded)"
        if self.counted is not None:
            words = " (shaded), which are selected by their studentized differences"
        words = f"resamples counted by the p-value{words}"
        n_undefined = len(self.distribution) - len(self._finite)
        if n_undefined:
            words += f", and {n_undefined:,} undefined"
        if self.pvalue is None:
            return words
        bound = self.pvalue_is_bound
        return f"{words}, p {format_pvalue(self.pvalue, bound=bound, sign='= ')}"

    def _name_sides(self, ax):
        """Write above the axes which model is better on each side of 0.

        Returns the number of lines.
        """
        left, right = ax.get_xlim()
        width, sides = 0.49 * room(ax), {}
        if left < 0:
            better = claim(lettered("B", self.name_b), width, "small")
            sides["left"] = f"\N{LEFTWARDS ARROW} {better}"
        if right > 0:
            better = claim(lettered("A", self.name_a), width, "small")
            sides["right"] = f"{better} \N{RIGHTWARDS ARROW}"
        place = {"transform": ax.transAxes, "va": "bottom", "fontsize": "small"}
        for side, words in sides.items():
            ax.text(float(side == "right"), 1.01, words, ha=side, **place)
        return max((1 + words.count("\n") for words in sides.values()), default=0)


def draw_interval(ax, interval, *, color, label):
    """Draw an interval as a bar below the axes, and return it."""
    look = {"color": color, "linewidth": 4, "solid_capstyle": "butt", "label": label}
    below = {"transform": ax.get_xaxis_transform(), "clip_on": False}
    (bar,) = ax.plot(interval, [-0.03, -0.03], **look, **below)
    ax.tick_params(axis="x", pad=9)  # room for the bar
    return bar


# Minimum and maximum number of bins of a histogram.
FEWEST_BINS, MOST_BINS = 12, 60

# Roughness of a histogram up to which its bins do not alias with the values.
ROUGH = 1.35

# Weights of a value and its neighbors in its distance from a cubic through the latter.
_CUBIC = np.array([1, -4, 6, -4, 1]) / 6


def _histogram_bins(values, limits):
    """Return the edges of bins of equal width, one of them at a limit.

    For a discrete metric, a bin with one more possible value than its neighbors would
    look like a peak. So the width is the smallest one whose bins do not look like a
    comb, or the best compromise. If the values are multiples of a step, widths are too.

    Parameters
    ----------
    values : ndarray
        The finite values, not all equal.
    limits : pair of float
        Limits of counted values, infinite if there are none.

    Returns
    -------
    edges : ndarray
        The edges of the bins.
    limits : ndarray
        The limits, moved such that all counted values are beyond them.
    """
    values = np.sort(values)
    low, span, n_values = values[0], np.ptp(values), len(values)
    slack = 1e-9 * span  # rounding errors; counted values may be equal to the limit
    gaps = np.diff(values)
    gaps = gaps[gaps > slack]
    step, steps = gaps.min(), gaps / gaps.min()
    most = np.clip(round(2 * n_values ** (1 / 3)), FEWEST_BINS, MOST_BINS)
    n_steps = round(span / step)
    dense = n_steps <= MOST_BINS or n_steps < min(2 * len(gaps), 20 * MOST_BINS)
    whole = dense and np.abs(steps - np.rint(steps)).max() < 0.01
    limits = (np.add(limits, (slack, -slack)) - low) / (step if whole else 1.0)
    if whole:  # in steps, with edges halfway between values
        limits = np.floor(limits[0]) + 0.5, np.ceil(limits[1]) - 0.5
        values = np.rint((values - low) / step)
        start, stop, unit = -0.5, n_steps + 0.5, step
        finest = 1 if n_steps <= MOST_BINS else -(-n_steps // most)
        widths = np.arange(finest, 2 + n_steps // FEWEST_BINS)
    else:
        values, start, stop, unit = values - low, 0.0, span + slack, 1.0
        widths = np.geomspace(span / most, span / FEWEST_BINS, MOST_BINS)
    anchor = max([limit for limit in limits if start < limit < stop], default=start)
    least = np.inf
    for width in widths:
        ends = np.floor((start - anchor) / width), np.ceil((stop - anchor) / width)
        edges = anchor + width * np.arange(ends[0], ends[1] + 1)
        roughness = _roughness(np.diff(np.searchsorted(values, edges)))
        loss = max(ROUGH, roughness) * width**0.5
        if loss < least:
            least, best = loss, edges
        if roughness <= ROUGH or (whole and width == 1):  # wider bins are not better
            break
    return low + unit * best, low + unit * np.array(limits)


def _roughness(counts):
    """Return how far counts are from curves through their neighbors.

    Their distance from a cubic through two neighbors on either side, relative to that
    of random counts: about 1 if counts differ by chance alone.
    """
    counts = np.pad(counts, 4)
    distance = np.convolve(counts, _CUBIC, "valid")
    return float(np.sqrt(distance @ distance / (counts.sum() * (_CUBIC @ _CUBIC))))


# The corners of the triangle: A better (right), equivalent (top), B better (left).
CORNERS = np.array([[1.0, 0.0], [0.5, np.sqrt(3) / 2], [0.0, 0.0]])

# Maximum number of dots; more would only overlap.
MOST_DOTS = 5_000


@display_class
class PosteriorDisplay(Display):
    """The posterior density of a difference, with the region of practical equivalence.

    The area to the right of the region of practical equivalence (ROPE) is the
    probability that A is better by more than its limit, the area to the left that B is.
    `frame` has a row for each point of the grid: columns `delta`, `density` and `part`,
    which is "better", "equivalent" or "worse".

    Read more in the :ref:`User Guide <displays>`.

    Parameters
    ----------
    grid : array-like of shape (n_points,)
        The differences, in ascending order.
    density : array-like of shape (n_points,)
        The posterior density of the differences.
    rope : float or pair of float
        The region of practical equivalence ``(low, high)``, which contains 0; a number
        means ``(-rope, rope)``. A region of width 0 is not drawn.
    hdi : pair of float or None
        The highest-density interval, drawn as a bar below the axis.
    probabilities : sequence of three float
        The probabilities that A is better, that both are equivalent, and that B is
        better.
    credible_level : float or None, default=None
        The probability of the interval, for the legend.
    scoring : str or None, default=None
        The name of the metric, for the axis.
    name_a, name_b : str, default="A", "B"
        The names of the models.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the plot.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    line_ : matplotlib Line2D
        The density.
    areas_ : dict of matplotlib collection
        The three parts of the area, by "better", "equivalent" and "worse".
    interval_ : matplotlib Line2D or None
        The bar of the interval.
    texts_ : dict of matplotlib Text
        The texts of the probabilities, by the same names.

    Notes
    -----
    The probabilities are shown as passed, and not computed from the density, which may
    be smoothed.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.stats import norm
    >>> from skcompare.results import PosteriorDisplay
    >>> posterior = norm(0.02, 0.01)
    >>> grid = np.linspace(-0.02, 0.06, 81)
    >>> display = PosteriorDisplay(
    ...     grid,
    ...     posterior.pdf(grid),
    ...     rope=0.01,
    ...     hdi=posterior.interval(0.95),
    ...     probabilities=[0.841, 0.158, 0.001],
    ... )
    >>> display.frame().part.value_counts().to_dict()
    {'better': 50, 'equivalent': 21, 'worse': 10}
    """

    _result = "a PosteriorResult, of a Bayesian comparison"
    _needed = ("density", "hdi")

    grid: ArrayLike = shaped("grid")
    density: ArrayLike = shaped("grid")
    _: dataclasses.KW_ONLY
    rope: float | tuple
    hdi: tuple | None = shaped(2)
    probabilities: tuple = shaped(3)
    credible_level: float | None = None
    scoring: str | None = None
    name_a: str = "A"
    name_b: str = "B"

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn."""
        grid, density = result.density()
        return super().undrawn(result, grid=grid, density=density)

    def _columns(self):
        grid, (low, high) = self.grid, as_rope(self.rope)
        part = np.select([grid > high, grid < low], ["better", "worse"], "equivalent")
        return {"delta": grid, "density": self.density, "part": part}

    def plot(self, ax=None, *, area_kwargs=None, line_kwargs=None, text_kwargs=None):
        """Draw the density, the region, the interval and the probabilities.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes to draw on; a new figure if None.
        area_kwargs : dict, default=None
            Options for the parts of the area.
        line_kwargs : dict, default=None
            Options for the line of the density.
        text_kwargs : dict, default=None
            Options for the texts of the probabilities.

        Returns
        -------
        PosteriorDisplay
            The display itself.
        """
        grid, density = self.grid, self.density
        ax = self._axes(ax)
        low, high = as_rope(self.rope)
        parts = {
            "worse": (-np.inf, low, {"facecolor": ORANGE, "hatch": HATCH}),
            "equivalent": (low, high, {"facecolor": PALE}),
            "better": (high, np.inf, {"facecolor": BLUE}),
        }
        self.areas_ = {}
        for name, (start, stop, look) in parts.items():
            inside = grid[(grid > start) & (grid < stop)]
            ends = np.clip([start, stop], grid[0], grid[-1])  # on the grid or not
            points = np.unique(np.concatenate([ends, inside]))
            heights = np.interp(points, grid, density)
            look |= {"edgecolor": "white", "linewidth": 0, **(area_kwargs or {})}
            self.areas_[name] = ax.fill_between(points, 0, heights, **look)
        look = {"color": "black", "linewidth": 1.2, **(line_kwargs or {})}
        (self.line_,) = ax.plot(grid, density, **look)
        if high > low:
            ax.axvspan(low, high, color="0.93", zorder=0, label="ROPE")
        for end in {low, high}:
            ax.axvline(end, color="0.3", linewidth=1, linestyle=":")
        self.interval_ = None
        if self.hdi is not None:
            level = self.credible_level
            label = "HDI" if level is None else f"{100 * level:g} % HDI"
            self.interval_ = draw_interval(ax, self.hdi, color="black", label=label)
        self.texts_ = self._write_probabilities(ax, text_kwargs or {})
        label = (
            f"difference in {self.scoring or 'score'} ({self.name_a} - {self.name_b})"
        )
        ax.set(xlabel=fitted(label, room(ax), n_lines=4))
        ax.set(ylabel="posterior density", yticks=[])
        ax.set_ylim(bottom=0)
        ax.spines[["top", "right", "left"]].set_visible(False)
        if ax.get_legend_handles_labels()[0]:
            ax.legend(frameon=False)
        return self

    def _write_probabilities(self, ax, text_kwargs):
        better, equivalent, worse = self.probabilities
        a, b = (claim(name, 0.36 * room(ax)) for name in (self.name_a, self.name_b))
        words = {
            "worse": (0.0, "left", b, worse),
            "equivalent": (0.5, "center", "equivalent", equivalent),
            "better": (1.0, "right", a, better),
        }
        if np.ptp(as_rope(self.rope)) == 0:
            del words["equivalent"]
        return {
            part: ax.text(
                x,
                1.02,
                f"{claim}\nprobability {format_probability(probability)}",
                transform=ax.transAxes,
                **{"ha": align, "va": "bottom", **text_kwargs},
            )
            for part, (x, align, claim, probability) in words.items()
        }


@display_class
class RegionDisplay(Display):
    """Draws of the frequencies of three regions, in a triangle.

    The closer a dot is to a corner, the more frequent is the region named there. Lines
    divide the triangle by the most frequent region, whose probability is the share of
    dots in that part. `frame` has a row for each draw: columns `better`, `equivalent`
    and `worse`.

    Read more in the :ref:`User Guide <displays>`.

    Parameters
    ----------
    regions : array-like of shape (n_draws, 3)
        Draws of the shares of data sets on which A is better, both are equivalent, and
        B is better. They sum to 1.
    probabilities : tuple of float
        The probability of each region being the most frequent.
    name_a, name_b : str, default="A", "B"
        The names of the models.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the plot.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    dots_ : matplotlib PathCollection
        The draws.
    texts_ : list of matplotlib Text
        The texts at the corners.

    See Also
    --------
    BayesianSignedRank : Computes such draws.
    BayesianHierarchical : Computes such draws with a hierarchical model.

    References
    ----------
    .. [1] Benavoli, A., Corani, G., Demsar, J. and Zaffalon, M. (2017). Time for a
       change: a tutorial for comparing multiple classifiers through Bayesian analysis.
       Journal of Machine Learning Research 18(77), 1-36.

    Examples
    --------
    >>> from skcompare.results import RegionDisplay
    >>> draws = [[0.5, 0.3, 0.2], [0.2, 0.7, 0.1]]
    >>> RegionDisplay(draws, probabilities=(0.5, 0.5, 0.0)).frame()
       better  equivalent  worse
    0     0.5         0.3    0.2
    1     0.2         0.7    0.1
    """

    _result = "a RegionResult, of several data sets"
    _needed = ("regions",)

    regions: ArrayLike = shaped("regions", 3)
    _: dataclasses.KW_ONLY
    probabilities: tuple = shaped(3)
    name_a: str = "A"
    name_b: str = "B"

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn."""
        return cls(result.regions, probabilities=result.probabilities)

    def _columns(self):
        names = "better", "equivalent", "worse"
        return dict(zip(names, self.regions.T, strict=True))

    def plot(self, ax=None, *, dot_kwargs=None):
        """Draw the triangle, its parts, and a dot for each draw.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes to draw on; a new figure if None.
        dot_kwargs : dict, default=None
            Options for the dots, as for matplotlib's `scatter`.

        Returns
        -------
        RegionDisplay
            The display itself.
        """
        ax = self._axes(ax, (figure_width(), 0.8 * figure_width()))
        step = -(-len(self.regions) // MOST_DOTS)
        x, y = (self.regions[::step] @ CORNERS).T
        look = {"s": 5, "alpha": 0.25, "color": BLUE, "linewidths": 0}
        self.dots_ = ax.scatter(x, y, **{**look, **(dot_kwargs or {})})
        ax.plot(*CORNERS[[0, 1, 2, 0]].T, color="black", linewidth=1)
        middle = CORNERS.mean(axis=0)
        for pair in ([0, 1], [1, 2], [0, 2]):
            end = CORNERS[pair].mean(axis=0)
            ax.plot(*np.transpose([middle, end]), color=GRAY, linestyle="--")
        a, b = (claim(name, 0.36 * room(ax)) for name in (self.name_a, self.name_b))
        claims = a, "equivalent", b
        places = np.add(CORNERS, [[0, -0.04], [0, 0.03], [0, -0.04]])
        self.texts_ = [
            ax.text(
                *place,
                f"{claim}\nprobability {format_probability(probability)}",
                ha="center",
                va="bottom" if claim == "equivalent" else "top",
            )
            for place, claim, probability in zip(
                places, claims, self.probabilities, strict=True
            )
        ]
        ax.set(aspect="equal", xlim=(-0.3, 1.3), ylim=(-0.25, 1.06))
        ax.set_axis_off()
        return self
