"""Plots of square tables: agreement of two models, and pairwise p-values."""

import dataclasses
import itertools
import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats.contingency import crosstab

from skcompare._format import optional_import
from skcompare._parameters import OneOf
from skcompare._validation import aligned_rows, as_array, number_of_rows
from skcompare.results.displays._base import (
    BLUE,
    HATCH,
    ORANGE,
    PALE,
    Display,
    display_class,
    draw_legend,
    draw_title,
    figure_width,
    fitted,
    lettered,
    line_height,
    literal,
    result_title,
    room,
    shaped,
    text_width,
)

# Maximum number of labels for which shares are shown.
MOST_WITH_SHARES = 4

# Maximum number of models for which p-values are shown; with more, only marks are.
MOST_WITH_NUMBERS = 12

# Shades of p-values above alpha, and up to alpha, a fifth and a fiftieth of it.
_SHADES = ["#f7f7f7", "#a6cee3", "#4a98c9", "#08418c"]


class MatrixDisplay(Display):
    """Base class of square tables."""

    def _matrix_axes(self, ax, labels, cell, above, below):
        """Return axes, new ones if None, and the size of a cell in points.

        A new figure has room for cells of a size, for the labels, and above and below
        the matrix, all in inches.
        """
        if ax is not None:
            ax = self._axes(ax)
            height = 72 * ax.bbox.height / ax.figure.dpi
            return ax, 0.8 * min(room(ax), height) / len(labels)
        side = max(2.4, len(labels) * cell)
        cell = 72 * side / len(labels)
        widest = _widest(labels, cell) / 72
        # Slanted labels of columns are as high as they extend to the right.
        n_lines = 1 + max(label.count("\n") for label in labels)
        slant = 0.71 * (widest + n_lines * line_height(_label_size(cell)) / 72)
        slant = slant if _are_slanted(labels, cell) else 0.0
        width = max(1.0 + widest + side + slant, 0.75 * figure_width())
        ax = self._axes(None, (width, above + below + 0.3 + side + slant))
        # Without padding, the layout cuts off the ends of slanted labels.
        ax.figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12)
        return ax, cell


def _label_size(cell):
    """Return the font size of labels of rows and columns, for the size of a cell."""
    return float(np.clip(0.75 * cell, 4.0, 10.0))


def _are_slanted(labels, cell):
    """Return whether labels are too long to be written above their columns."""
    return _widest(labels, cell) > 0.95 * cell


def _widest(labels, cell):
    """Return the width of the longest line of labels in points."""
    lines = [line for label in labels for line in label.split("\n")]
    return max(text_width(line, _label_size(cell)) for line in lines)


@display_class
class DisagreementDisplay(MatrixDisplay):
    """Counts of rows by the outcomes of two models.

    Cells on the diagonal, where the models agree, are gray: they do not show which
    model is better. Cells above it are blue, cells below it orange and hatched; the
    more rows, the stronger the color. If the models are equally good, a row is equally
    likely to fall into a cell and into its mirror image. `frame` has the counts: a row
    for each outcome of A, a column for each outcome of B.

    Read more in the :ref:`User Guide <displays>`.

    Parameters
    ----------
    table : array-like of shape (n_labels, n_labels)
        Counts of rows, by the outcome of A, from top to bottom, and of B, from left to
        right: ``[[both right, only A], [only B, both wrong]]``.
    labels : sequence of str, default=("right", "wrong")
        The names of the outcomes.
    name_a, name_b : str, default="A", "B"
        The names of the models.
    title : str or None, default=None
        The title, such as the verdict of the test and its p-value.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the plot.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    cells_ : ndarray of matplotlib Rectangle
        The cells.
    texts_ : ndarray of matplotlib Text
        The counts in the cells.

    See Also
    --------
    McNemar : The test based on this table.

    Notes
    -----
    The table describes the rows and is not a test. A row counts as right if the
    prediction equals the truth, for multilabel data in all labels.

    Examples
    --------
    >>> from skcompare.results import DisagreementDisplay
    >>> display = DisagreementDisplay([[80, 12], [5, 3]], name_a="lr", name_b="nb")
    >>> display.frame()
    nb     right  wrong
    lr
    right     80     12
    wrong      5      3
    """

    _result = "a result of McNemar"
    _needed = ("table",)

    table: ArrayLike = shaped("labels", "labels")
    _: dataclasses.KW_ONLY
    labels: ArrayLike = ("right", "wrong")
    name_a: str = "A"
    name_b: str = "B"
    title: str | None = None

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn."""
        return super().undrawn(result, title=result_title(result))

    @classmethod
    def from_predictions(
        cls,
        y_true,
        y_pred_a,
        y_pred_b,
        *,
        kind="right",
        names=("A", "B"),
        ax=None,
        **plot_kwargs,
    ):
        """Draw the table of two models' predictions.

        Parameters
        ----------
        y_true : array-like
            The true labels.
        y_pred_a, y_pred_b : array-like
            The predictions of the two models.
        kind : {"right", "predictions"}, default="right"
            "right" counts which models are right. "predictions" counts pairs of
            predictions, with a row and a column for each prediction that occurs.
        names : pair of str, default=("A", "B")
            The names of the models.
        ax : matplotlib Axes, default=None
            The axes to draw on; a new figure if None.
        **plot_kwargs : dict
            Passed to `plot`.

        Returns
        -------
        DisagreementDisplay
            The display, drawn.
        """
        OneOf("right", "predictions").check("kind", kind)
        if len(names) != 2:
            raise ValueError(f"`names` must have 2 entries. Got {len(names)}.")
        name_a, name_b = map(str, names)
        by_name = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
        truth = as_array(y_true, "y_true", 1)
        predictions = []
        for name, values in by_name.items():
            number_of_rows(values, name, ("y_true", len(truth)))
            values = aligned_rows(values, y_true, name, "y_true")
            predictions.append(as_array(values, name, truth.ndim))
        if kind == "right":
            wrong = [
                (p != truth).reshape(len(truth), -1).any(axis=1) for p in predictions
            ]
            outcomes, labels = wrong, ("right", "wrong")
        else:
            labels, codes = np.unique(np.concatenate(predictions), return_inverse=True)
            outcomes = codes.reshape(2, -1)
        places = range(len(labels))
        table = crosstab(*outcomes, levels=(places, places)).count
        title = "Rows by the predictions of two models"
        if kind == "right":
            title = "Rows by whether two models predict them right"
        names = {"name_a": name_a, "name_b": name_b}
        display = cls(table, labels=labels, **names, title=title)
        return display.plot(ax=ax, **plot_kwargs)

    @classmethod
    def from_estimators(cls, estimator_a, estimator_b, X, y, *, names=None, **kwargs):
        """Draw the table of the predictions of two fitted models.

        Parameters
        ----------
        estimator_a, estimator_b : estimator
            Fitted models with `predict`.
        X : array-like
            The rows to predict.
        y : array-like
            The true labels.
        names : pair of str, default=None
            The names of the models. None means the names of their classes.
        **kwargs : dict
            Passed to `from_predictions`.

        Returns
        -------
        DisagreementDisplay
            The display, drawn.
        """
        models = estimator_a, estimator_b
        if names is None:
            names = [type(model).__name__ for model in models]
        predictions = (model.predict(X) for model in models)
        return cls.from_predictions(y, *predictions, names=names, **kwargs)

    def _columns(self):
        return dict(zip(self.labels, self.table.T, strict=True))

    def frame(self):
        """Return the plotted data as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            The counts, with a row per outcome of A and a column per outcome of B.
        """
        frame = super().frame().set_axis(list(self.labels))
        return frame.rename_axis(index=self.name_a, columns=self.name_b)

    def plot(self, ax=None, *, cell_kwargs=None, text_kwargs=None):
        """Draw the cells and write the counts into them.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes to draw on; a new figure if None.
        cell_kwargs : dict, default=None
            Options for the cells.
        text_kwargs : dict, default=None
            Options for the counts.

        Returns
        -------
        DisagreementDisplay
            The display itself.
        """
        labels = [fitted(label, 150) for label in self.labels]
        cell = 0.7 if len(labels) > MOST_WITH_SHARES else 1.2
        ax, cell = self._matrix_axes(ax, labels, cell, above=1.2, below=1.0)
        content = self._cell_texts(), _colors(self.table), labels, cell
        hatched = np.tri(len(labels), k=-1, dtype=bool)
        self.cells_, self.texts_ = draw_matrix(
            ax, *content, cell_kwargs, text_kwargs, hatched
        )
        a, b = lettered("A", self.name_a), lettered("B", self.name_b)
        a_in_lines, b_in_lines = (fitted(x, 0.9 * room(ax), n_lines=2) for x in (a, b))
        ax.set(xlabel=b_in_lines, ylabel=a_in_lines)
        words = {(0, 0): "equal predictions", (0, 1): "different predictions"}
        words |= {(1, 0): "the same two predictions, the other way around"}
        if tuple(self.labels) == ("right", "wrong"):
            words = {(0, 0): "both models are right, or both are wrong"}
            words |= {(0, 1): f"only {a} is right", (1, 0): f"only {b} is right"}
        colors, patch = _colors(np.ones((2, 2))), optional_import("matplotlib.patches")
        handles = [
            patch.Patch(facecolor=colors[cell], edgecolor="white", hatch=hatch)
            for cell, hatch in zip(words, (None, None, HATCH), strict=True)
        ]
        draw_legend(ax, handles, list(words.values()), below=8)
        if self.title is not None:
            draw_title(ax, self.title, pad=10)
        return self

    def _cell_texts(self):
        """Return the counts, with shares if there is room for them."""
        table = self.table
        shares = 100 * table / max(table.sum(), 1)
        roomy = len(table) <= MOST_WITH_SHARES
        words = [
            f"{count:,.0f}\n{share:.1f} %" if roomy else f"{count:,.0f}"
            for count, share in zip(table.flat, shares.flat, strict=True)
        ]
        return np.array(words).reshape(table.shape)


def _colors(table):
    """Return gray on the diagonal, blue above, orange below, scaled by counts."""
    to_rgb = optional_import("matplotlib.colors").to_rgb
    diagonal = np.eye(len(table), dtype=bool)[..., None]
    below = np.tri(len(table), dtype=bool)[..., None]
    apart = np.where(diagonal[..., 0], 0, table)[..., None]
    strength = 0.1 + 0.1 * (apart > 0) + 0.45 * apart / max(apart.max(), 1)
    full = np.where(below, to_rgb(ORANGE), to_rgb(BLUE))
    return np.where(diagonal, to_rgb(PALE), 1 - strength * (1 - full))


@display_class
class PValueHeatmapDisplay(MatrixDisplay):
    """A heat map of the p-values of all pairs of models.

    The darker a cell, the smaller its p-value; cells that are not significant are
    almost white. The steps are at `alpha`, a fifth and a fiftieth of it: 0.05, 0.01 and
    0.001. If `deltas` are passed, marks in significant cells show which model is
    better: ``+`` the model of the row, ``-`` the model of the column. Without them the
    mark is ``*``. The p-values themselves are shown for up to twelve models, with
    enough decimals not to be rounded to `alpha`. `frame` has a row for each cell with a
    p-value: columns `row`, `column`, `pvalue`, `significant` and, if `deltas` are
    passed, `delta`.

    Read more in the :ref:`User Guide <displays>`.

    Parameters
    ----------
    names : sequence of str
        The names of the models.
    pvalues : array-like of shape (n_models, n_models)
        The p-values of the model of a row against the model of a column, corrected for
        multiple comparisons or not. They need not be symmetric: one-sided p-values are
        not. nan, as on the diagonal, leaves a cell empty.
    deltas : array-like of shape (n_models, n_models) or None, default=None
        The score of the model of the row minus that of the column. Use nan if neither
        is significantly higher; the mark is then ``*``.
    alpha : float, default=0.05
        The level.
    scoring : str or None, default=None
        The metric, for a title that explains the marks; None sets no title.
    label : str, default="p-value"
        The label of the color bar.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the plot.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    cells_ : ndarray of matplotlib Rectangle
        The cells.
    texts_ : ndarray of matplotlib Text
        The texts in the cells.

    See Also
    --------
    CriticalDifferenceDisplay : Models on an axis of mean ranks.

    Notes
    -----
    A p-value measures how surprising the data are if two models are equally good, not
    how much they differ; a dark cell can be a tiny difference on many rows. Cells that
    are almost white do not show that models are equally good.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.results import PValueHeatmapDisplay
    >>> pvalues = [[np.nan, 0.03], [0.03, np.nan]]
    >>> deltas = [[0.0, 0.02], [-0.02, 0.0]]
    >>> display = PValueHeatmapDisplay(["lr", "nb"], pvalues, deltas=deltas)
    >>> display.frame()
      row column  pvalue  significant  delta
    0  lr     nb    0.03         True   0.02
    1  nb     lr    0.03         True  -0.02
    """

    _result = "a PairwiseResult, of several models"
    _needed = ("pairs", "matrix")

    names: ArrayLike
    pvalues: ArrayLike = shaped("names", "names")
    _: dataclasses.KW_ONLY
    deltas: ArrayLike | None = shaped("names", "names", default=None)
    alpha: float = 0.05
    scoring: str | None = None
    label: str = "p-value"

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn: the best model first."""
        order = [result.names.index(name) for name in result.ranking]
        square, deltas = np.ix_(order, order), result.matrix("delta", as_frame=False)
        # Tests of signs or ranks can reject although no score is significantly higher.
        unclear = result.significant & (np.array(result.decisions) == "n.s.")
        for pair in itertools.compress(result.pairs, unclear):
            a, b = map(result.names.index, pair)
            deltas[a, b] = deltas[b, a] = np.nan
        return cls(
            result.ranking,
            result.matrix(as_frame=False)[square],
            deltas=deltas[square],
            alpha=result.alpha,
            scoring=result.scoring,
            label="p-value" if result.correction == "none" else "adjusted p-value",
        )

    def __post_init__(self):
        super().__post_init__()
        outside = (self.pvalues < 0) | (self.pvalues > 1)
        if outside.any():
            raise ValueError(
                "`pvalues` must lie between 0 and 1, or be nan. "
                f"Got {float(self.pvalues[outside][0])}."
            )

    def _columns(self):
        where = np.isfinite(self.pvalues)
        pvalues, (rows, columns) = self.pvalues[where], np.nonzero(where)
        names = np.array(list(self.names), dtype=object)
        cells = {"row": names[rows], "column": names[columns]}
        cells |= {"pvalue": pvalues, "significant": pvalues <= self.alpha}
        if self.deltas is not None:
            cells |= {"delta": self.deltas[where]}
        return cells

    def plot(self, ax=None, *, colorbar=True, cell_kwargs=None, text_kwargs=None):
        """Draw the cells, their marks and numbers.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes to draw on; a new figure if None.
        colorbar : bool, default=True
            Whether to add a color bar that explains the shades.
        cell_kwargs : dict, default=None
            Options for the cells.
        text_kwargs : dict, default=None
            Options for the marks and numbers.

        Returns
        -------
        PValueHeatmapDisplay
            The display itself.
        """
        n_lines, width, cell = (2, 165, 0.62) if self._numbered else (1, 230, 0.3)
        names = [fitted(name, width, n_lines=n_lines) for name in self.names]
        pvalues = self.pvalues
        ax, cell = self._matrix_axes(ax, names, cell, above=0.8, below=0.8)
        mpl = optional_import("matplotlib.colors")
        steps = [0.0, *(np.nextafter(self.alpha / n, 1) for n in (50, 5, 1)), 1.0]
        cmap = mpl.ListedColormap(_SHADES[::-1])
        norm = mpl.BoundaryNorm(steps, len(_SHADES), clip=True)
        colors = cmap(norm(np.nan_to_num(pvalues, nan=1.0)))[..., :3]
        colors[np.isnan(pvalues)] = mpl.to_rgb(PALE)
        self.cells_, self.texts_ = draw_matrix(
            ax, self._cell_texts(), colors, names, cell, cell_kwargs, text_kwargs
        )
        if colorbar:
            length = cell * len(names)  # of the bar, as wide as the matrix, in points
            look = {"spacing": "uniform", "orientation": "horizontal"}
            look |= {"cax": ax.inset_axes([0.0, -24 / length, 1.0, 12 / length])}
            colored = optional_import("matplotlib.cm").ScalarMappable(norm, cmap)
            bar = ax.figure.colorbar(colored, **look)
            bar.set_ticks(steps, labels=[f"{step:.3g}" for step in steps])
            bar.ax.tick_params(length=0)
            bar.set_label(literal(self.label))
        if self.scoring is not None:
            title = f"{self.label}s in {self.scoring}\n"
            title += "+ row better than column, \N{MINUS SIGN} worse"
            if (self._marks() == "*").any():
                title += "\n* significant, but no score shown to be higher"
            draw_title(ax, title, pad=12)
        return self

    @property
    def _numbered(self):
        """Whether the p-values are written."""
        return len(self.pvalues) <= MOST_WITH_NUMBERS

    def _marks(self):
        """Return the marks of the better models in significant cells."""
        deltas = np.zeros_like(self.pvalues) if self.deltas is None else self.deltas
        mark = np.select([deltas > 0, deltas < 0], ["+", "\N{MINUS SIGN}"], "*")
        return np.where(self.pvalues <= self.alpha, mark, "")

    def _cell_texts(self):
        """Return the mark of the better model and, if there is room, the p-value."""
        pvalues = self.pvalues
        numbers = [
            _brief(p, self.alpha) if self._numbered else "" for p in pvalues.flat
        ]
        words = [
            "\n".join(filter(None, pair))
            for pair in zip(self._marks().flat, numbers, strict=True)
        ]
        return np.array(words).reshape(pvalues.shape)


def _brief(pvalue, alpha):
    """Format a p-value with three decimals, or more if they would show it as alpha.

    Examples
    --------
    >>> [_brief(pvalue, 0.05) for pvalue in (0.0123, 0.0495, 0.05, 0.0504, 1e-5)]
    ['.012', '.0495', '.050', '.0504', '<.001']
    """
    if np.isnan(pvalue):
        return ""
    if pvalue < 0.001 < alpha:
        return "<.001"
    side, decimals = np.sign(pvalue - alpha), 3
    if 0 < pvalue < 0.001:
        decimals = 1 - math.floor(math.log10(pvalue))
    while np.sign(round(pvalue, decimals) - alpha) != side:
        decimals += 1
    return f"{pvalue:.{decimals}f}".removeprefix("0")


def draw_matrix(
    ax, words, colors, labels, cell, cell_kwargs, text_kwargs, hatched=False
):
    """Draw a square table, from top to bottom, with labels on the left and on top.

    Parameters
    ----------
    ax : matplotlib Axes
        The axes to draw on.
    words : ndarray of str of shape (n_labels, n_labels)
        The texts in the cells.
    colors : ndarray of float of shape (n_labels, n_labels, 3)
        The colors of the cells.
    labels : list of str
        The names of both rows and columns.
    cell : float
        The size of a cell in points.
    cell_kwargs, text_kwargs : dict or None
        Options for the cells and the words.
    hatched : ndarray of bool of shape (n_labels, n_labels), or False, default=False
        Which cells are hatched.

    Returns
    -------
    cells, texts : ndarray of matplotlib Rectangle, ndarray of matplotlib Text
        The cells and their texts, of shape (n_labels, n_labels).
    """
    patches = optional_import("matplotlib.patches")
    cells, texts = np.empty((2, *words.shape), dtype=object)
    n_lines = 2 + max(word.count("\n") for word in words.flat)
    widest = max(
        text_width(line, 10) for word in words.flat for line in word.split("\n")
    )
    size = float(np.clip(min(0.75 * cell / n_lines, 9 * cell / max(widest, 1)), 4, 10))
    hatched = np.broadcast_to(hatched, words.shape)
    for place in np.ndindex(*words.shape):
        (row, column), color = place, colors[place]
        dark = np.dot(color, [0.299, 0.587, 0.114]) <= 0.45
        look = {"facecolor": color, "edgecolor": "white", "linewidth": 1.5}
        ink = {"color": "white" if dark else "black", "ha": "center", "va": "center"}
        ink |= {"fontsize": size}
        if hatched[place]:
            look |= {"hatch": HATCH}
            ink |= {"bbox": {"boxstyle": "round,pad=0.2", "color": color}}
        look, ink = look | (cell_kwargs or {}), ink | (text_kwargs or {})
        square = patches.Rectangle((column - 0.5, row - 0.5), 1, 1, **look)
        cells[place] = ax.add_patch(square)
        texts[place] = ax.text(column, row, words[place], **ink)
    n_labels, slanted = len(labels), _are_slanted(labels, cell)
    turn = {"rotation": 45, "ha": "left", "rotation_mode": "anchor"} if slanted else {}
    size = _label_size(cell)
    ax.set_xticks(range(n_labels), labels, fontsize=size, **turn)
    ax.set_yticks(range(n_labels), labels, fontsize=size)
    ax.set(xlim=(-0.5, n_labels - 0.5), ylim=(n_labels - 0.5, -0.5), aspect="equal")
    ax.xaxis.set_label_position("top")
    ax.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    ax.spines[:].set_visible(False)
    return cells, texts
