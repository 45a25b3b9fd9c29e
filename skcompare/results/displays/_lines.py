"""Plots of intervals, mean ranks, power, and p-values."""

import dataclasses

import numpy as np
from numpy.typing import ArrayLike

from skcompare._format import optional_import
from skcompare.results.displays._base import (
    BLUE,
    GRAY,
    Display,
    display_class,
    draw_title,
    figure_width,
    fitted,
    font_size,
    line_height,
    literal,
    result_title,
    room,
    shaped,
    text_width,
)
from skcompare.stats.model_sets import indistinct_groups
from skcompare.stats.power import detectable_effect, normal_power


@display_class
class ForestDisplay(Display):
    """Differences and their intervals, in one row each, with a line at no difference.

    Rows, such as models, metrics, slices of the data or candidates of a search, are
    drawn from top to bottom in the order passed. `frame` has the same rows: columns
    `delta`, `low`, `high` and `highlighted`, indexed by label.

    Read more in the :ref:`User Guide <displays>`.

    Parameters
    ----------
    labels : sequence of str
        The labels of the rows; long ones are broken into two lines, and truncated if
        that is not enough.
    deltas : array-like of shape (n_rows,)
        The differences, drawn as dots; nan draws none.
    intervals : array-like of shape (n_rows, 2)
        The intervals ``(low, high)``. nan means that there is no interval; an infinite
        end extends to the edge of the plot.
    reference : float or None, default=0.0
        The position of the line of no difference; None draws none.
    highlighted : array-like of bool or None, default=None
        Which rows are drawn filled and in color; others are hollow and gray. None means
        all.
    xlabel : str, default="difference in score"
        The label of the axis.
    meaning : str or None, default=None
        The meaning of highlighted rows, for the legend; None draws no legend.
    title : str or None, default=None
        The title, such as the verdict.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the plot.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    markers_ : list of matplotlib Line2D
        The dots, one per row.
    lines_ : list of matplotlib Line2D
        The bars of the intervals, one per row.

    See Also
    --------
    DeltaDisplay : The resampling distribution of one difference.

    Notes
    -----
    An interval can exclude the reference although the test does not reject, or the
    reverse, if the test is one-sided, corrected for multiple comparisons, or of another
    kind than the interval. The meaning of filled dots is defined by `highlighted`.

    Examples
    --------
    >>> from skcompare.results import ForestDisplay
    >>> display = ForestDisplay(
    ...     ["accuracy", "f1"],
    ...     deltas=[0.02, 0.05],
    ...     intervals=[[-0.01, 0.05], [0.01, 0.09]],
    ...     highlighted=[False, True],
    ... )
    >>> display.frame()
               delta   low  high  highlighted
    label
    accuracy    0.02 -0.01  0.05        False
    f1          0.05  0.01  0.09         True
    """

    _result = "a ComparisonResult, of two models"
    _needed = ("delta", "pvalue")
    _index = "label"

    labels: ArrayLike
    deltas: ArrayLike = shaped("labels")
    intervals: ArrayLike = shaped("labels", 2)
    _: dataclasses.KW_ONLY
    reference: float | None = 0.0
    highlighted: ArrayLike | None = shaped("labels", default=None)
    xlabel: str = "difference in score"
    meaning: str | None = None
    title: str | None = None

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn."""
        display = cls._from_rows([f"{result.name_a} - {result.name_b}"], [result])
        display.meaning, display.title = None, result_title(result)
        return display

    @classmethod
    def from_results(cls, results, *, ax=None, **plot_kwargs):
        """Draw the differences of several results, filled if significant.

        Parameters
        ----------
        results : list or dict of ComparisonResult
            The results. The keys of a dict are the labels; labels of a list are made of
            the names that differ: models, metrics, tests.
        ax : matplotlib Axes, default=None
            The axes to draw on; a new figure if None.
        **plot_kwargs : dict
            Passed to `plot`.

        Returns
        -------
        ForestDisplay
            The display, drawn.
        """
        named = isinstance(results, dict)
        labels, results = list(results), list(results.values() if named else results)
        for result in results:
            cls._check_result(result)
        if not named:
            models = [f"{result.name_a} - {result.name_b}" for result in results]
            columns = [models, [r.scoring for r in results], [r.test for r in results]]
            varying = [c for c in columns if len(set(c)) > 1] or [models]
            labels = [", ".join(parts) for parts in zip(*varying, strict=True)]
        return cls._from_rows(labels, results).plot(ax=ax, **plot_kwargs)

    @classmethod
    def _from_rows(cls, labels, results):
        """Return a display with a row for each result, filled if significant."""
        metrics = {result.scoring for result in results}
        metric = metrics.pop() if len(metrics) == 1 else "score"
        levels = {result.alpha for result in results}
        level = f"{levels.pop():g}" if len(levels) == 1 else "its level"
        none = (np.nan, np.nan)
        return cls(
            labels,
            [result.delta for result in results],
            [result.confidence_interval or none for result in results],
            highlighted=[result.significant for result in results],
            xlabel=f"difference in {metric} (A - B)",
            meaning=f"significant at {level}",
        )

    @property
    def _filled(self):
        n_rows = len(self.deltas)
        return np.ones(n_rows, bool) if self.highlighted is None else self.highlighted

    def _columns(self):
        low, high = self.intervals.T
        columns = {"label": list(self.labels), "delta": self.deltas}
        return columns | {"low": low, "high": high, "highlighted": self._filled}

    def plot(self, ax=None, *, marker_kwargs=None, line_kwargs=None):
        """Draw the rows from top to bottom.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes to draw on; if None, a new figure as high as the rows need.
        marker_kwargs : dict, default=None
            Options for the dots.
        line_kwargs : dict, default=None
            Options for the bars.

        Returns
        -------
        ForestDisplay
            The display itself.
        """
        labels, highlighted = list(self.labels), self._filled
        if ax is None:
            ax, labels, size = self._axes_for(labels)
        else:
            ax, size = self._axes(ax), font_size(ax, len(labels))
            labels = [fitted(label, 0.45 * room(ax), size) for label in labels]
        left, right = self._ends()
        ends = np.nan_to_num(self.intervals, nan=np.nan, neginf=left, posinf=right)
        alone = len(labels) == 1
        if self.reference is not None:
            look = {"color": "0.3", "linewidth": 1, "linestyle": ":"}
            ax.axvline(self.reference, ymax=0.65 if alone else 1.0, **look)
        self.lines_, self.markers_ = [], []
        for row, (delta, pair, filled) in enumerate(
            zip(self.deltas, ends, highlighted, strict=True)
        ):
            color = BLUE if filled else GRAY
            bar = {"color": color, "linewidth": 2 if filled else 1.2}
            bar |= {"solid_capstyle": "butt", **(line_kwargs or {})}
            self.lines_ += ax.plot(pair, [row, row], **bar)
            dot = {"color": color, "markerfacecolor": color if filled else "white"}
            dot |= {"marker": "o", "markersize": 5.5, "linestyle": ""}
            self.markers_ += ax.plot([delta], [row], **{**dot, **(marker_kwargs or {})})
        if alone:  # above the dot, where there is room
            label = fitted(self.labels[0], room(ax), size, n_lines=2)
            place = {"transform": ax.transAxes, "ha": "center", "va": "top"}
            ax.text(0.5, 1.0, label, fontsize=size, **place)
            labels = [""]
        ax.set_yticks(range(len(labels)), labels, fontsize=size)
        xlabel = literal(self.xlabel)
        if np.isnan(self.intervals).all():
            xlabel += "\n(no confidence interval)"
        ax.set(xlabel=xlabel, xlim=(left, right), ylim=(len(labels) - 0.4, -0.6))
        ax.locator_params(axis="x", nbins=6)
        ax.tick_params(axis="y", length=0)
        ax.spines[["top", "right", "left"]].set_visible(False)
        pad = 6.0
        if self.meaning is not None:
            meaning = literal(self.meaning)
            words = {True: meaning, False: f"not {meaning}"}
            kinds = [filled for filled in words if (highlighted == filled).any()]
            ax.legend(
                [self.markers_[np.argmax(highlighted == filled)] for filled in kinds],
                [words[filled] for filled in kinds],
                loc="lower center",
                bbox_to_anchor=(0.5, 1.0),
                frameon=False,
            )
            pad += 12 + 1.2 * line_height() * len(kinds)
        if self.title is not None:
            draw_title(ax, self.title, pad=pad)
        return self

    def _axes_for(self, labels):
        """Return axes of a new figure that the labels fit beside, and the labels."""
        usual, size = figure_width(), 10.0
        labels = [fitted(label, 38 * usual, size, n_lines=2) for label in labels]
        lines = [line for label in labels for line in label.split("\n")]
        widest = max(text_width(line, size) for line in lines) / 72
        n_lines = 1 + max(label.count("\n") for label in labels)
        row = (n_lines * line_height(size) + 7) / 72
        height = 1.15 + row * max(len(labels), 2) + 0.5 * (self.title is not None)
        ax = self._axes(None, (max(usual, 0.56 * usual + widest), height))
        return ax, labels, size

    def _ends(self):
        """Return the ends of the axis: all finite values, and a margin."""
        values = np.concatenate([self.deltas, *self.intervals])
        values = np.append(values, np.nan if self.reference is None else self.reference)
        values = values[np.isfinite(values)]
        low, high = (values.min(), values.max()) if len(values) else (0.0, 0.0)
        margin = 0.06 * (high - low)
        if len(self.deltas) == 1 and np.isnan(self.intervals).all():
            margin = 1.5 * (high - low)
            low = high = np.nan_to_num(self.deltas[0])  # a single dot, in the middle
        margin = margin or 0.1 * max(abs(high), 1.0)
        return low - margin, high + margin


# The distance between bars, in lines of text.
STEP = 0.6

# Width in points up to which names beside the axis are not truncated.
_WIDEST_NAME = 230


@display_class
class CriticalDifferenceDisplay(Display):
    """Demsar's critical difference diagram of mean ranks, best on the right.

    Models that are not significantly different are joined by a bar, with a dot for each
    model. The critical difference, if any, is drawn as a ruler above the axis. `frame`
    has a row for each model, best first, indexed by model: the column `mean_rank`, and
    a column for each bar with the models that it joins.

    Read more in the :ref:`User Guide <displays>`.

    Parameters
    ----------
    names : sequence of str
        The names of the models.
    mean_ranks : array-like of shape (n_models,)
        The rank of each model, averaged over data sets; 1 is best.
    critical_difference : float or None, default=None
        The smallest difference in mean ranks that is significant.
    groups : sequence of sequences of str, or None, default=None
        Names of models that are not significantly different, one sequence for each
        bar; single models have no bar. None means the largest sets of models whose mean
        ranks all differ by less than the critical difference, if any.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the plot.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    bars_ : list of matplotlib Line2D
        The bars of the groups.
    texts_ : list of matplotlib Text
        The names, best first.

    See Also
    --------
    FriedmanTest : Test for any difference between the models.
    PValueHeatmapDisplay : The p-values of all pairs.

    Notes
    -----
    A mean rank depends on which other models are ranked, and does not measure the size
    of a difference in score. A bar does not show that models are equally good. A model
    can be joined to two others that are not joined to each other.

    References
    ----------
    .. [1] Demsar, J. (2006). Statistical comparisons of classifiers over multiple data
       sets. Journal of Machine Learning Research 7, 1-30.
       https://jmlr.org/papers/v7/demsar06a.html

    Examples
    --------
    >>> from skcompare.results import CriticalDifferenceDisplay
    >>> display = CriticalDifferenceDisplay(
    ...     ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"],
    ...     [3.143, 2.000, 2.893, 1.964],
    ...     critical_difference=1.12,
    ... )
    >>> display.joined
    [('C4.5+m+cf', 'C4.5+m', 'C4.5+cf'), ('C4.5+cf', 'C4.5')]
    """

    _result = "a result of RankComparison or FriedmanTest, with mean ranks"
    _needed = ("names", "mean_ranks")
    _index = "model"

    names: ArrayLike
    mean_ranks: ArrayLike = shaped("names")
    _: dataclasses.KW_ONLY
    critical_difference: float | None = None
    groups: ArrayLike | None = None

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn."""
        return super().undrawn(result, groups=result.indistinguishable)

    @property
    def joined(self):
        """The groups of names that are joined by a bar, each from best to worst."""
        names, ranks, groups = list(self.names), self.mean_ranks, []
        if self.groups is not None:
            unknown = {name for group in self.groups for name in group} - set(names)
            if unknown:
                raise ValueError(
                    "`groups` must contain only `names`. Got "
                    f"{sorted(map(str, unknown))}."
                )
            groups = [[i for i in self._order if names[i] in g] for g in self.groups]
        elif self.critical_difference is not None:
            differ = np.abs(ranks[:, None] - ranks) >= self.critical_difference
            groups = indistinct_groups(differ, self._order)
        return [tuple(names[i] for i in group) for group in groups if len(group) > 1]

    @property
    def _order(self):
        """The models from best to worst."""
        return np.argsort(self.mean_ranks, kind="stable")

    def _columns(self):
        names = [self.names[model] for model in self._order]
        columns = {"model": names, "mean_rank": self.mean_ranks[self._order]}
        for number, group in enumerate(self.joined, start=1):
            columns[f"group_{number}"] = [name in group for name in names]
        return columns

    def plot(self, ax=None, *, bar_kwargs=None, line_kwargs=None, text_kwargs=None):
        """Draw the axis, the names on both sides, and the bars.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes to draw on; a new figure if None.
        bar_kwargs : dict, default=None
            Options for the bars.
        line_kwargs : dict, default=None
            Options for the lines from the axis to the names.
        text_kwargs : dict, default=None
            Options for the names.

        Returns
        -------
        CriticalDifferenceDisplay
            The display itself.
        """
        names, ranks = list(self.names), self.mean_ranks
        rank_of = dict(zip(names, ranks, strict=True))
        bars = [[rank_of[name] for name in group] for group in self.joined]
        levels = _stacked(bars)
        depth = STEP * (max(levels, default=0) + 1)
        n_lines = depth + (len(names) + 1) // 2
        labels = [fitted(name, _WIDEST_NAME) for name in names]
        widest = max(text_width(f"{label}  10.00", "medium") for label in labels) / 72
        ax = self._axes(ax, (0.7 * figure_width() + 2 * widest, 1.4 + 0.27 * n_lines))
        look = {"color": BLUE, "linewidth": 3, "marker": "o", "markersize": 5}
        look |= {"clip_on": False}  # a model may be at the end of the axis
        look |= bar_kwargs or {}
        self.bars_ = [
            ax.plot(bar, [STEP * level] * len(bar), **look)[0]
            for bar, level in zip(bars, levels, strict=True)
        ]
        worst, above = len(names), 0
        edges = worst, min(1, worst - (self.critical_difference or 0))
        self.texts_ = self._draw_names(
            ax, labels, edges, depth, line_kwargs or {}, text_kwargs or {}
        )
        if self.critical_difference is not None:
            height, above = -2.8, 4.1
            ends = [worst, worst - self.critical_difference]
            ax.plot(ends, [height] * 2, color="black", linewidth=1.5, marker="|")
            words = f"critical difference {self.critical_difference:.3g}"
            ax.text(worst, height - 0.4, words, ha="left", va="bottom")
        ax.set(xlim=edges, ylim=(n_lines, -above), yticks=[])
        ax.set_xticks(range(1, worst + 1, 1 + worst // 12))
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
        ax.set_xlabel("mean rank")
        ax.spines["top"].set_position(("data", 0))
        ax.spines[["left", "right", "bottom"]].set_visible(False)
        return self

    def _draw_names(self, ax, labels, edges, depth, line_kwargs, text_kwargs):
        """Draw a line from the axis to the name of each model, and return the names.

        The better half is on the right and the rest on the left, outermost on top, so
        that the lines do not cross.
        """
        n_models, texts = len(self.mean_ranks), []
        look = {"color": "0.4", "linewidth": 1, **line_kwargs}
        for place, model in enumerate(self._order):
            on_right, rank = place < n_models // 2, self.mean_ranks[model]
            edge, height = edges[on_right], depth + min(place, n_models - 1 - place)
            ax.plot([rank, rank, edge], [0, height, height], **look)
            pair = labels[model], f"{rank:.2f}"
            text = ax.annotate(
                "  ".join(pair if on_right else pair[::-1]),
                (edge, height),
                xytext=(4 if on_right else -4, 0),
                textcoords="offset points",
                **{"ha": "left" if on_right else "right", "va": "center"} | text_kwargs,
            )
            texts.append(text)
        return texts


def _stacked(bars, gap=0.1):
    """Return a level for each bar, from 1, such that bars of a level do not overlap."""
    taken, levels = [], []
    for bar in bars:
        low, high = min(bar) - gap, max(bar) + gap
        free = [all(max(o) < low or min(o) > high for o in row) for row in taken]
        level = [*free, True].index(True)
        if level == len(taken):
            taken.append([])
        taken[level].append(bar)
        levels.append(level + 1)
    return levels


# The curve extends the range of the two numbers of rows by this factor on both sides.
MARGIN, N_POINTS = 4.0, 121

# Smaller p-values are drawn at this value: a logarithmic axis has no zero.
SMALLEST = 1e-16

# The axis of p-values extends beyond 1, and beyond the smallest, by this factor.
HEADROOM = 1.6

MOST_TICKS = 10


@display_class
class PowerDisplay(Display):
    """The power of a test as a function of the number of rows.

    The curve reaches `target` at the number of rows needed. The filled dot is the power
    for `n_rows` rows. `frame` has the curve: columns `n_rows` and `power`.

    Read more in the :ref:`User Guide <power>`.

    Parameters
    ----------
    n_rows : int
        The number of rows of the filled dot.
    power : float
        The power for `n_rows` rows.
    n_needed : int or None
        The number of rows for which the power is `target`. None draws no curve.
    target : float, default=0.8
        The required power.
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
        The axes of the plot.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    line_ : matplotlib Line2D or None
        The curve.
    marker_ : matplotlib container
        The dot at `n_rows`, and its error.
    needed_ : matplotlib Line2D or None
        The dot at `n_needed`.

    See Also
    --------
    power : Computes the power and the number of rows needed.

    Notes
    -----
    The curve is an approximation: the estimate is assumed to be normal, and its mean in
    standard errors proportional to the square root of the number of rows. It is exact
    at the number of rows needed, if that number is. The filled dot may lie off the
    curve: the test may be discrete, or the power simulated.

    Examples
    --------
    >>> from skcompare.results import PowerDisplay
    >>> display = PowerDisplay(300, 0.245, n_needed=1_663)
    >>> display.frame().round(3).iloc[[0, -1]]
         n_rows  power
    0      75.0  0.132
    120  6652.0  1.000
    """

    _result = "a result of `power`"
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
        """Return numbers of rows and the power for each; empty without `n_needed`."""
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
            The axes to draw on; a new figure if None.
        line_kwargs : dict, default=None
            Options for the curve.
        marker_kwargs : dict, default=None
            Options for the dots.

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
        look = {"marker": "o", "label": words, "capsize": 3, **dot}
        error, self.needed_ = self.power_error or None, None
        self.marker_ = ax.errorbar(self.n_rows, self.power, error, **look)
        if self.n_needed is not None:
            words = f"{self.n_needed:,} rows: power {self.target:g} (target)"
            hollow = {**dot, "marker": "D", "markerfacecolor": "white", "label": words}
            (self.needed_,) = ax.plot(self.n_needed, self.target, **hollow)
        ax.set(xlabel="rows", ylabel="power", ylim=(0, 1.03), xscale="log")
        # Round tick labels: in full, or as 10k and 1M for a wide range.
        ticker = optional_import("matplotlib.ticker")
        left, right = ax.get_xlim()
        wide = right > 1_000 * left
        steps = (1,) if wide else (1, 2, 5)
        form = ticker.EngFormatter(sep="") if wide else "{x:,.0f}"
        ax.xaxis.set_major_locator(ticker.LogLocator(subs=steps, numticks=8))
        ax.xaxis.set_major_formatter(form)
        ax.minorticks_off()
        ax.spines[["top", "right"]].set_visible(False)
        entries = ax.get_legend_handles_labels()[1]
        width = sum(text_width(entry, "medium") + 45 for entry in entries)
        columns = len(entries) if width < room(ax) else 1
        ax.legend(
            loc="lower center",
            bbox_to_anchor=(0.5, 1.0),
            ncols=columns,
            frameon=False,
        )
        if self.title is not None:
            n_lines = len(entries) // columns
            draw_title(ax, self.title, pad=14 + 1.3 * line_height() * n_lines)
        return self


@display_class
class ReplicabilityDisplay(Display):
    """P-values for an effect in at least 1, 2, ... data sets.

    Filled dots are at most `alpha`; their number is the lower bound on the number of
    data sets with an effect. `frame` has a row for each dot: columns `at_least` and
    `pvalue`.

    Read more in the :ref:`User Guide <replicability>`.

    Parameters
    ----------
    pvalues : array-like of shape (n_datasets,)
        For u = 1, 2, ... the partial conjunction p-value for "fewer than u data sets
        have an effect".
    alpha : float, default=0.05
        The level.
    unit : str, default="data sets"
        The name of the data sets, in the plural.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the plot.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    significant_, others_ : matplotlib Line2D
        The dots at most `alpha`, and those above.

    See Also
    --------
    replicability_analysis : Computes the p-values.

    Examples
    --------
    >>> from skcompare.results import ReplicabilityDisplay
    >>> ReplicabilityDisplay([0.01, 0.04, 0.3]).frame()
       at_least  pvalue
    0         1    0.01
    1         2    0.04
    2         3    0.30
    """

    _result = "a result of `replicability_analysis`"
    _needed = ("partial_conjunction_pvalues",)

    pvalues: ArrayLike = shaped("pvalues")
    _: dataclasses.KW_ONLY
    alpha: float = 0.05
    unit: str = "data sets"

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn."""
        return super().undrawn(result, pvalues=result.partial_conjunction_pvalues)

    def _columns(self):
        return {"at_least": 1 + np.arange(len(self.pvalues)), "pvalue": self.pvalues}

    def plot(self, ax=None, *, marker_kwargs=None):
        """Draw a dot for each number of data sets, and the level.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes to draw on; a new figure if None.
        marker_kwargs : dict, default=None
            Options for the dots.

        Returns
        -------
        ReplicabilityDisplay
            The display itself.
        """
        ax, pvalues = self._axes(ax), self.pvalues
        significant = pvalues <= self.alpha
        look = {"marker": "o", "markersize": 8, "linestyle": ""} | (marker_kwargs or {})
        numbers, heights = np.arange(1, len(pvalues) + 1), pvalues.clip(SMALLEST)
        (self.significant_,) = ax.plot(
            numbers[significant], heights[significant], color=BLUE, **look
        )
        hollow = {"color": GRAY, "markerfacecolor": "white", **look}
        (self.others_,) = ax.plot(
            numbers[~significant], heights[~significant], **hollow
        )
        ax.axhline(self.alpha, color=GRAY, linestyle="--", linewidth=1)
        lowest = min(heights.min(), max(self.alpha, SMALLEST))
        counted = f"at least {significant.sum()} of {len(pvalues)} {self.unit}"
        ax.set(
            xlabel=literal(f"minimum number of {self.unit} with an effect"),
            ylabel="p-value",
            yscale="log",
            xlim=(0.5, len(pvalues) + 0.5),
            ylim=(lowest / HEADROOM, HEADROOM),
        )
        draw_title(ax, f"at the level {self.alpha:g}: an effect in {counted}")
        # Integers on the x axis, and powers of ten as plain numbers on the y axis.
        ticker = optional_import("matplotlib.ticker")
        steps = {"integer": True, "min_n_ticks": 1, "steps": [1, 2, 5, 10]}
        ax.xaxis.set_major_locator(ticker.MaxNLocator(MOST_TICKS, **steps))
        ax.yaxis.set_major_locator(ticker.LogLocator(numticks=MOST_TICKS))
        ax.yaxis.set_major_formatter("{x:g}")
        ax.yaxis.set_minor_formatter(ticker.NullFormatter())
        ax.spines[["top", "right"]].set_visible(False)
        return self
