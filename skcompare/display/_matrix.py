"""Square tables of coloured cells with words in them."""

import numpy as np

from skcompare._optional import optional_import
from skcompare.display._base import HATCH, font_size

__all__ = ["draw_matrix"]


def draw_matrix(ax, words, colors, labels, *, hatched, cell_kwargs, text_kwargs):
    """Draw a square table, rows from top to bottom, with labels left and on top.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to draw.
    words : ndarray of str of shape (n_labels, n_labels)
        What is written into the cells.
    colors : ndarray of float of shape (n_labels, n_labels, 3)
        The colours of the cells.
    labels : list of str
        The names of both rows and columns.
    hatched : ndarray of bool of shape (n_labels, n_labels)
        Which cells are hatched.
    cell_kwargs, text_kwargs : dict
        Options of the cells and the words.

    Returns
    -------
    cells, texts : ndarray of matplotlib Rectangle, ndarray of matplotlib Text
        What was drawn, of shape (n_labels, n_labels).
    """
    patches = optional_import("matplotlib.patches", "plot")
    cells, texts = np.empty((2, *words.shape), dtype=object)
    size = {"fontsize": font_size(ax, (1 + _most_lines(words)) * len(labels))}
    for row, column in np.ndindex(*words.shape):
        color = colors[row, column]
        look = {"facecolor": color, "edgecolor": "white", "linewidth": 1.5}
        if hatched[row, column]:
            look |= {"hatch": HATCH}
        corner = column - 0.5, row - 0.5
        cell = patches.Rectangle(corner, 1, 1, **{**look, **cell_kwargs})
        cells[row, column] = ax.add_patch(cell)
        ink = {"color": _ink_on(color), "ha": "center", "va": "center", **size}
        if hatched[row, column]:
            ink |= {"bbox": {"boxstyle": "round,pad=0.2", "color": color}}
        texts[row, column] = ax.text(
            column, row, words[row, column], **{**ink, **text_kwargs}
        )
    _label_axes(ax, labels)
    return cells, texts


def _most_lines(words):
    return max(word.count("\n") + 1 for word in words.flat)


def _ink_on(color):
    """Return black or white, whichever is read better on a colour."""
    return "black" if np.dot(color, [0.299, 0.587, 0.114]) > 0.45 else "white"


def _label_axes(ax, labels):
    n_labels, slanted = len(labels), len(labels) * max(map(len, labels)) > 40
    turn = {"rotation": 45, "ha": "left", "rotation_mode": "anchor"} if slanted else {}
    size = font_size(ax, n_labels)
    ax.set_xticks(range(n_labels), labels, fontsize=size, **turn)
    ax.set_yticks(range(n_labels), labels, fontsize=size)
    ax.set(xlim=(-0.5, n_labels - 0.5), ylim=(n_labels - 0.5, -0.5), aspect="equal")
    ax.xaxis.set_label_position("top")
    ax.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    ax.spines[:].set_visible(False)
