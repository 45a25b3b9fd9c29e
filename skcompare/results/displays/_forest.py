"""Intervals of many differences, one below the other."""

import numpy as np

from skcompare._format import format_pvalue, optional_import
from skcompare.results.displays._base import (
    BLUE,
    GREY,
    Display,
    axes_for,
    font_size,
    labels_of,
    numbers_of,
)


class ForestDisplay(Display):
    """Differences with their intervals, a row each, beside a line of no difference.

    Rows are drawn from top to bottom in the order given: models, metrics, slices of
    the data, candidates of a search.

    Read more in the :ref:`User Guide <displays>`.

    Parameters
    ----------
    labels : sequence of str
        What each row is. Labels of more than 40 characters are cut.
    deltas : array-like of shape (n_rows,)
        The differences, drawn as dots; nan draws none.
    intervals : array-like of shape (n_rows, 2)
        Their intervals ``(low, high)``. nan means that there is none; an infinite end
        runs out of the plot.
    reference : float or None, default=0.0
        Where the line of no difference is drawn; None draws none.
    highlighted : array-like of bool or None, default=None
        Which rows are drawn filled and in color; the others are hollow and gray. None
        means all.
    xlabel : str, default="difference in score"
        The name of the axis.
    meaning : str or None, default=None
        What it means that a row is highlighted, for the legend. None draws no legend.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    markers_ : list of matplotlib Line2D
        The dots, a row each.
    lines_ : list of matplotlib Line2D
        The bars of the intervals, a row each.

    See Also
    --------
    DeltaDisplay : The resampling distribution of one difference.

    Notes
    -----
    An interval that leaves out the reference and a test that rejects are not the same
    if the test is one-sided, corrected for many comparisons, or of another kind than
    the interval. What a filled dot means is said by whoever fills `highlighted`.

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

    def __init__(
        self,
        labels,
        deltas,
        intervals,
        *,
        reference=0.0,
        highlighted=None,
        xlabel="difference in score",
        meaning=None,
    ):
        self.labels = labels
        self.deltas = deltas
        self.intervals = intervals
        self.reference = reference
        self.highlighted = highlighted
        self.xlabel = xlabel
        self.meaning = meaning

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn.

        Parameters
        ----------
        result : ComparisonResult
            What to draw.

        Returns
        -------
        ForestDisplay
            The display.
        """
        models = f"{result.name_a} - {result.name_b}"
        return cls._of([f"{models}, p = {format_pvalue(result.pvalue)}"], [result])

    @classmethod
    def from_results(cls, results, *, ax=None, **plot_kwargs):
        """Draw the differences of several results, filled where significant.

        Parameters
        ----------
        results : list or dict of ComparisonResult
            What comparisons gave; the keys of a dict are the labels. Those of a list
            are made of what differs: models, metrics, tests.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        **plot_kwargs : dict
            Passed on to `plot`.

        Returns
        -------
        ForestDisplay
            The display, drawn.
        """
        if isinstance(results, dict):
            display = cls._of(list(results), list(results.values()))
        else:
            columns = [
                [f"{result.name_a} - {result.name_b}" for result in results],
                [result.scoring for result in results],
                [result.test for result in results],
            ]
            varying = [c for c in columns if len(set(c)) > 1] or columns[:1]
            labels = [", ".join(parts) for parts in zip(*varying, strict=True)]
            display = cls._of(labels, results)
        return display.plot(ax=ax, **plot_kwargs)

    @classmethod
    def _of(cls, labels, results):
        """Return a row for each result, filled where significant."""
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

    def _rows(self):
        """Return labels, differences, intervals and highlights, checked."""
        labels = labels_of(self.labels, "labels")
        n_rows = len(labels)
        filled = np.ones(n_rows) if self.highlighted is None else self.highlighted
        return (
            labels,
            numbers_of(self.deltas, "deltas", (n_rows,)),
            numbers_of(self.intervals, "intervals", (n_rows, 2)),
            numbers_of(filled, "highlighted", (n_rows,)).astype(bool),
        )

    def frame(self):
        """Return what is drawn as a pandas DataFrame, one row per difference.

        Returns
        -------
        pandas.DataFrame
            Columns `delta`, `low`, `high` and `highlighted`, indexed by label.
        """
        pd = optional_import("pandas", "all")
        _, deltas, intervals, highlighted = self._rows()
        low, high = intervals.T
        return pd.DataFrame(
            {"delta": deltas, "low": low, "high": high, "highlighted": highlighted},
            index=pd.Index(list(self.labels), name="label"),
        )

    def plot(self, ax=None, *, marker_kwargs=None, line_kwargs=None):
        """Draw the rows from top to bottom.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure, as high as the rows need, if None.
        marker_kwargs : dict, default=None
            Options of the dots.
        line_kwargs : dict, default=None
            Options of the bars.

        Returns
        -------
        ForestDisplay
            The display itself.
        """
        labels, deltas, intervals, highlighted = self._rows()
        ax = axes_for(ax, (6.4, 1.3 + 0.26 * len(labels)))
        left, right = self._span(deltas, intervals)
        ends = np.nan_to_num(intervals, nan=np.nan, neginf=left, posinf=right)
        if self.reference is not None:
            ax.axvline(self.reference, color="0.3", linewidth=1, linestyle=":")
        self.lines_, self.markers_ = [], []
        for row, (delta, pair, filled) in enumerate(
            zip(deltas, ends, highlighted, strict=True)
        ):
            color = BLUE if filled else GREY
            bar = {"color": color, "linewidth": 2 if filled else 1.2}
            bar |= {"solid_capstyle": "butt", **(line_kwargs or {})}
            self.lines_ += ax.plot(pair, [row, row], **bar)
            dot = {"color": color, "markerfacecolor": color if filled else "white"}
            dot |= {"marker": "o", "markersize": 5.5, "linestyle": ""}
            self.markers_ += ax.plot([delta], [row], **{**dot, **(marker_kwargs or {})})
        ax.set_yticks(range(len(labels)), labels, fontsize=font_size(ax, len(labels)))
        ax.set(xlabel=self.xlabel, xlim=(left, right), ylim=(len(labels) - 0.4, -0.6))
        ax.locator_params(axis="x", nbins=6)
        ax.tick_params(axis="y", length=0)
        ax.spines[["top", "right", "left"]].set_visible(False)
        if self.meaning is not None:
            words = {True: self.meaning, False: f"not {self.meaning}"}
            shown = [filled for filled in words if (highlighted == filled).any()]
            ax.legend(
                [self.markers_[np.argmax(highlighted == filled)] for filled in shown],
                [words[filled] for filled in shown],
                loc="lower center",
                bbox_to_anchor=(0.5, 1.0),
                frameon=False,
            )
        return self._drawn_on(ax)

    def _span(self, deltas, intervals):
        """Return the limits of the axis: all that is finite, and a margin."""
        values = np.append(np.ravel(intervals), deltas)
        if self.reference is not None:
            values = np.append(values, self.reference)
        values = values[np.isfinite(values)]
        low, high = (values.min(), values.max()) if len(values) else (0.0, 0.0)
        margin = 0.06 * (high - low) or 0.1 * max(abs(high), 1.0)
        return low - margin, high + margin
