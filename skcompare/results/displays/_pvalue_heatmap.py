"""P-values of all pairs of models."""

import numpy as np

from skcompare._optional import optional_import
from skcompare._validation import check_fraction
from skcompare.results.displays._base import (
    PALE,
    Display,
    axes_for,
    draw_matrix,
    labels_of,
    numbers_of,
)

# Numbers are written for so many models at most; beyond, marks are all that is legible.
MOST_WITH_NUMBERS = 12

# Shades of p-values above alpha, and of those up to it, a fifth, a fiftieth of it.
_SHADES = ["#f7f7f7", "#a6cee3", "#4a98c9", "#08418c"]


class PValueHeatmapDisplay(Display):
    """A square of the p-values of all pairs of models.

    The darker a cell, the smaller its p-value; what is not significant is almost white.
    The steps are at `alpha`, a fifth and a fiftieth of it: 0.05, 0.01 and 0.001. Marks
    in significant cells say who is better, if `deltas` are given: ``+`` the model of
    the row, ``-`` the model of the column. Without them the mark is ``*``. The p-values
    themselves are written for up to twelve models.

    Read more in the :ref:`User Guide <displays>`.

    Parameters
    ----------
    names : sequence of str
        What the models are called.
    pvalues : array-like of shape (n_models, n_models)
        The p-value of the model of a row against that of a column, corrected for their
        number or not. It need not be symmetric: one-sided p-values are not. nan, as on
        the diagonal, leaves the cell empty.
    deltas : array-like of shape (n_models, n_models) or None, default=None
        The score of the model of the row less that of the column.
    alpha : float, default=0.05
        The level.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    cells_ : ndarray of matplotlib Rectangle
        The cells.
    texts_ : ndarray of matplotlib Text
        What is written into them.

    See Also
    --------
    CriticalDifferenceDisplay : Models on a line, by their mean ranks.

    Notes
    -----
    A p-value says how surprising the data are if two models are equally good, not how
    much they differ; a dark cell can be a tiny difference on many rows. Cells that are
    almost white do not show that models are alike.

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

    def __init__(self, names, pvalues, *, deltas=None, alpha=0.05):
        self.names = names
        self.pvalues = pvalues
        self.deltas = deltas
        self.alpha = alpha

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn: the best model first.

        Parameters
        ----------
        result : PairwiseResult
            What to draw.

        Returns
        -------
        PValueHeatmapDisplay
            The display.
        """
        order = [result.names.index(name) for name in result.ranking]
        square = np.ix_(order, order)
        return cls(
            result.ranking,
            result.matrix()[square],
            deltas=result.matrix("delta")[square],
            alpha=result.alpha,
        )

    def _matrices(self):
        """Return names, p-values and differences, checked."""
        names = labels_of(self.names, "names")
        shape = (len(names), len(names))
        pvalues = numbers_of(self.pvalues, "pvalues", shape)
        outside = (pvalues < 0) | (pvalues > 1)
        if outside.any():
            raise ValueError(
                "`pvalues` must lie between 0 and 1, or be nan. "
                f"Got {float(pvalues[outside][0])}."
            )
        check_fraction("alpha", self.alpha)
        if self.deltas is None:
            return names, pvalues, None
        return names, pvalues, numbers_of(self.deltas, "deltas", shape)

    def frame(self):
        """Return what is drawn as a pandas DataFrame, one row per cell with a p-value.

        Returns
        -------
        pandas.DataFrame
            Columns `row`, `column`, `pvalue`, `significant` and, if there are any,
            `delta`.
        """
        pd = optional_import("pandas", "all")
        _, pvalues, deltas = self._matrices()
        where = np.isfinite(pvalues)
        rows, columns = np.nonzero(where)
        names = np.array(list(self.names), dtype=object)
        cells = {"row": names[rows], "column": names[columns]}
        cells |= {"pvalue": pvalues[where], "significant": pvalues[where] <= self.alpha}
        if deltas is not None:
            cells |= {"delta": deltas[where]}
        return pd.DataFrame(cells)

    def plot(self, ax=None, *, colorbar=True, cell_kwargs=None, text_kwargs=None):
        """Draw the cells, their marks and numbers.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        colorbar : bool, default=True
            Whether to add a bar that says what the shades mean.
        cell_kwargs : dict, default=None
            Options of the cells.
        text_kwargs : dict, default=None
            Options of the marks and numbers.

        Returns
        -------
        PValueHeatmapDisplay
            The display itself.
        """
        names, pvalues, deltas = self._matrices()
        side = float(np.clip(2.6 + 0.5 * len(names), 4.4, 11))
        ax = axes_for(ax, (side + 1.0, side))
        mpl = optional_import("matplotlib.colors", "plot")
        steps = [0.0, *(np.nextafter(self.alpha / n, 1) for n in (50, 5, 1)), 1.0]
        cmap = mpl.ListedColormap(_SHADES[::-1])
        norm = mpl.BoundaryNorm(steps, len(_SHADES), clip=True)
        colors = cmap(norm(np.nan_to_num(pvalues, nan=1.0)))[..., :3]
        colors[np.isnan(pvalues)] = mpl.to_rgb(PALE)
        self.cells_, self.texts_ = draw_matrix(
            ax,
            self._words(pvalues, deltas),
            colors,
            names,
            hatched=np.zeros(pvalues.shape, dtype=bool),
            cell_kwargs=cell_kwargs or {},
            text_kwargs=text_kwargs or {},
        )
        if colorbar:
            _add_colorbar(ax, cmap, norm)
        return self._drawn_on(ax)

    def _words(self, pvalues, deltas):
        """Return the mark of who is better and, if there is room, the p-value."""
        signs = np.full(pvalues.shape, np.nan) if deltas is None else np.sign(deltas)
        mark = np.select([signs > 0, signs < 0], ["+", "\N{MINUS SIGN}"], "*")
        marks = np.where(pvalues <= self.alpha, mark, "")
        numbered = len(pvalues) <= MOST_WITH_NUMBERS
        words = [
            "\n".join(filter(None, (mark, _brief(p) if numbered else "")))
            for mark, p in zip(marks.flat, pvalues.flat, strict=True)
        ]
        return np.array(words).reshape(pvalues.shape)


def _brief(pvalue):
    """Format a p-value in five characters at most; nan as nothing."""
    if np.isnan(pvalue):
        return ""
    return "<.001" if pvalue < 0.001 else f"{pvalue:.3f}".removeprefix("0")


def _add_colorbar(ax, cmap, norm):
    cm = optional_import("matplotlib.cm", "plot")
    steps = norm.boundaries
    bar = ax.figure.colorbar(
        cm.ScalarMappable(norm, cmap), ax=ax, spacing="uniform", shrink=0.6, aspect=18
    )
    bar.set_ticks(steps, labels=[f"{step:.3g}" for step in steps])
    bar.ax.tick_params(length=0)
    bar.set_label("p-value")
