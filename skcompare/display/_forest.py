"""Intervals of many differences, one below the other."""

import numpy as np

from skcompare._format import format_pvalue
from skcompare._optional import optional_import
from skcompare.display._base import (
    BLUE,
    GREY,
    axes_for,
    check_result,
    font_size,
    labels_of,
    numbers_of,
)

__all__ = ["ForestDisplay"]


class ForestDisplay:
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
        runs out of the picture.
    reference : float or None, default=0.0
        Where the line of no difference is drawn; None draws none.
    highlighted : array-like of bool or None, default=None
        Which rows are drawn filled and in colour; the others are hollow and grey. None
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
    >>> from skcompare import ForestDisplay
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
    def from_result(cls, result, *, ax=None, **plot_kwargs):
        """Draw the difference of one result with its interval.

        Parameters
        ----------
        result : ComparisonResult
            What a comparison gave.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        **plot_kwargs : dict
            Passed on to `plot`.

        Returns
        -------
        ForestDisplay
            The display, drawn.
        """
        check_result(result, "a ComparisonResult, of two models", "delta", "pvalue")
        models = f"{result.name_a} - {result.name_b}"
        label = f"{models}, p = {format_pvalue(result.pvalue)}"
        return cls.from_results({label: result}, ax=ax, **plot_kwargs)

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
        labelled = isinstance(results, dict)
        found = list(results.values() if labelled else results)
        none = (np.nan, np.nan)
        display = cls(
            list(results) if labelled else _telling_labels(found),
            [result.delta for result in found],
            [result.confidence_interval or none for result in found],
            highlighted=[result.significant for result in found],
            xlabel=_common_axis(found),
            meaning=_common_level(found),
        )
        return display.plot(ax=ax, **plot_kwargs)

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
        self._draw_reference(ax)
        self.lines_ = [
            self._draw_bar(ax, row, *pair, filled, line_kwargs or {})
            for row, (pair, filled) in enumerate(zip(ends, highlighted, strict=True))
        ]
        self.markers_ = [
            self._draw_dot(ax, row, delta, filled, marker_kwargs or {})
            for row, (delta, filled) in enumerate(zip(deltas, highlighted, strict=True))
        ]
        self._finish(ax, labels, (left, right), highlighted)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _span(self, deltas, intervals):
        """Return the limits of the axis: all that is finite, and a margin."""
        values = np.append(np.ravel(intervals), deltas)
        if self.reference is not None:
            values = np.append(values, self.reference)
        values = values[np.isfinite(values)]
        low, high = (values.min(), values.max()) if len(values) else (0.0, 0.0)
        margin = 0.06 * (high - low) or 0.1 * max(abs(high), 1.0)
        return low - margin, high + margin

    def _draw_reference(self, ax):
        if self.reference is not None:
            ax.axvline(self.reference, color="0.3", linewidth=1, linestyle=":")

    def _draw_bar(self, ax, row, low, high, filled, line_kwargs):
        look = {"color": BLUE, "linewidth": 2} if filled else {"color": GREY}
        style = {"linewidth": 1.2, "solid_capstyle": "butt", **look, **line_kwargs}
        return ax.plot([low, high], [row, row], **style)[0]

    def _draw_dot(self, ax, row, delta, filled, marker_kwargs):
        color = BLUE if filled else GREY
        look = {"color": color, "markerfacecolor": color if filled else "white"}
        style = {"marker": "o", "markersize": 5.5, "linestyle": "", **look}
        return ax.plot([delta], [row], **{**style, **marker_kwargs})[0]

    def _finish(self, ax, labels, span, highlighted):
        ax.set_yticks(range(len(labels)), labels, fontsize=font_size(ax, len(labels)))
        ax.set(xlabel=self.xlabel, xlim=span, ylim=(len(labels) - 0.4, -0.6))
        ax.locator_params(axis="x", nbins=6)
        ax.tick_params(axis="y", length=0)
        ax.spines[["top", "right", "left"]].set_visible(False)
        if self.meaning is not None:
            self._draw_legend(ax, highlighted)

    def _draw_legend(self, ax, highlighted):
        words = {True: self.meaning, False: f"not {self.meaning}"}
        shown = [filled for filled in words if (highlighted == filled).any()]
        ax.legend(
            [self.markers_[np.argmax(highlighted == filled)] for filled in shown],
            [words[filled] for filled in shown],
            loc="lower center",
            bbox_to_anchor=(0.5, 1.0),
            frameon=False,
        )


def _telling_labels(results):
    """Return labels of what differs between results; of the models if nothing does."""
    columns = [
        [f"{result.name_a} - {result.name_b}" for result in results],
        [result.scoring for result in results],
        [result.test for result in results],
    ]
    telling = [column for column in columns if len(set(column)) > 1] or columns[:1]
    return [", ".join(parts) for parts in zip(*telling, strict=True)]


def _common_axis(results):
    metrics = {result.scoring for result in results}
    return f"difference in {metrics.pop() if len(metrics) == 1 else 'score'} (A - B)"


def _common_level(results):
    levels = {result.alpha for result in results}
    at = f"{levels.pop():g}" if len(levels) == 1 else "its level"
    return f"significant at {at}"
