"""What all displays share: results, axes, colors, labels and squares of cells."""

import abc

import numpy as np

from skcompare._optional import optional_import
from skcompare.results._document import shortened

# Okabe and Ito's colors suit color-blind readers; in print without color hatches help.
BLUE, ORANGE, GREY, PALE = "#0072b2", "#e69f00", "#767676", "#e6e6e6"
HATCH = "////"

LONGEST_LABEL = 40


class Display(abc.ABC):
    """A plot of numbers: the data are its parameters, `plot` draws them.

    matplotlib is imported when something is drawn.
    """

    # What `from_result` takes, in words, and the attributes that it must have.
    _result = "a result"
    _needed = ()

    @classmethod
    @abc.abstractmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn.

        Parameters
        ----------
        result : Result
            What to draw.

        Returns
        -------
        Display
            The display.
        """

    @classmethod
    def from_result(cls, result, *, ax=None, **plot_kwargs):
        """Draw a result.

        Parameters
        ----------
        result : Result
            What to draw. It must have what this display shows.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        **plot_kwargs : dict
            Passed on to `plot`.

        Returns
        -------
        Display
            The display, drawn.
        """
        missing = [name for name in cls._needed if getattr(result, name, None) is None]
        if missing:
            remedy = " Its own plot() draws it." if hasattr(result, "plot") else ""
            if hasattr(result, "result_"):
                remedy = " Pass its result_."
            raise ValueError(
                f"`result` must be {cls._result}. Got {type(result).__name__} without "
                f"{' and '.join(missing)}.{remedy}"
            )
        return cls.undrawn(result).plot(ax=ax, **plot_kwargs)

    @abc.abstractmethod
    def frame(self):
        """Return what is drawn as a pandas DataFrame."""

    @abc.abstractmethod
    def plot(self, ax=None):
        """Draw on axes, or a new figure, and return the display itself."""

    def _drawn_on(self, ax):
        """Remember where the display was drawn, and return it."""
        self.ax_, self.figure_ = ax, ax.figure
        return self


def axes_for(ax, size=None):
    """Return the axes to draw on: those given, or those of a new figure."""
    if ax is not None and not hasattr(ax, "bbox"):
        raise ValueError(
            f"`ax` must be axes of matplotlib. Got {ax!r}. Anything else goes by "
            "keyword."
        )
    if ax is not None:
        return ax
    plt = optional_import("matplotlib.pyplot", "plot")
    return plt.subplots(figsize=size, layout="constrained")[1]


def draw_interval(ax, interval, *, color, label):
    """Draw an interval as a bar below the axes, and return it."""
    (bar,) = ax.plot(
        interval,
        [-0.03, -0.03],
        transform=ax.get_xaxis_transform(),
        color=color,
        linewidth=4,
        solid_capstyle="butt",
        clip_on=False,
        label=label,
    )
    ax.tick_params(axis="x", pad=9)  # room for the bar
    return bar


def font_size(ax, n_rows, *, most=10.0, least=4.0):
    """Return the size of type at which so many rows fit into the height of the axes."""
    height = 72 * ax.bbox.height / ax.figure.dpi
    return float(np.clip(0.75 * height / max(n_rows, 1), least, most))


def labels_of(values, name, n_labels=None):
    """Check that there are so many labels, and return them as short strings."""
    labels = [str(value) for value in values]
    if not labels or (n_labels is not None and len(labels) != n_labels):
        rule = "at least one entry" if n_labels is None else f"{n_labels} entries"
        raise ValueError(f"`{name}` must have {rule}. Got {len(labels)}.")
    return [shortened(label, LONGEST_LABEL) for label in labels]


def numbers_of(values, name, shape):
    """Check that values are numbers of a shape, and return them as an array."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"`{name}` must be numbers. Got {values!r}.") from None
    if array.shape != shape:
        raise ValueError(f"`{name}` must have shape {shape}. Got {array.shape}.")
    return array


def draw_matrix(ax, words, colors, labels, *, hatched, cell_kwargs, text_kwargs):
    """Draw a square table, rows from top to bottom, with labels left and on top.

    Parameters
    ----------
    ax : matplotlib Axes
        Where to draw.
    words : ndarray of str of shape (n_labels, n_labels)
        What is written into the cells.
    colors : ndarray of float of shape (n_labels, n_labels, 3)
        The colors of the cells.
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
    n_lines = 2 + max(word.count("\n") for word in words.flat)
    size = {"fontsize": font_size(ax, n_lines * len(labels))}
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


def _ink_on(color):
    """Return black or white, whichever is read better on a color."""
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
