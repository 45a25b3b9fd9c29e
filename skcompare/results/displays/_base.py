"""Base class and helpers of displays: results, axes, colors and labels."""

import abc
import dataclasses

import numpy as np

from skcompare._format import optional_import
from skcompare._parameters import RULES
from skcompare.results._document import shortened

# Okabe and Ito's color-blind safe colors; the hatch is for prints without color.
BLUE, ORANGE, GRAY, PALE = "#0072b2", "#e69f00", "#767676", "#e6e6e6"
HATCH = "////"

LONGEST_LABEL = 40

# The decorator of all displays, whose fields are the data to draw.
display_class = dataclasses.dataclass(eq=False, repr=False)


def shaped(*shape, **field):
    """Return a field of numbers with sizes given as ints or as names of fields."""
    return dataclasses.field(metadata={"shape": shape}, **field)


class Display(abc.ABC):
    """Base class of plots: the data are parameters, which `plot` draws.

    matplotlib is imported only when something is drawn.
    """

    # The argument of `from_result` in words, and the attributes that it must have.
    _result = "a result"
    _needed = ()

    # The index column of `frame`; None for a default index.
    _index = None

    def __post_init__(self):
        for field in dataclasses.fields(self):
            value, shape = getattr(self, field.name), field.metadata.get("shape")
            if field.name in ("alpha", "alternative", "rope"):
                RULES[field.name].check(field.name, value)
            if value is None or shape is None:
                continue
            sizes = [len(getattr(self, n)) if isinstance(n, str) else n for n in shape]
            if 0 in sizes:
                empty = shape[sizes.index(0)]
                raise ValueError(f"`{empty}` must have at least one entry. Got 0.")
            setattr(self, field.name, numbers_of(value, field.name, tuple(sizes)))

    @classmethod
    def undrawn(cls, result, **parameters):
        """Return the display of a result, not yet drawn.

        Parameters
        ----------
        result : Result
            The result to draw.
        **parameters : dict
            Parameters of the display. All others are taken from the attributes of the
            result with the same names, if it has them.

        Returns
        -------
        Display
            The display.
        """
        names = [field.name for field in dataclasses.fields(cls)]
        same = {n: getattr(result, n) for n in names if hasattr(result, n)}
        return cls(**same | parameters)

    @classmethod
    def from_result(cls, result, *, ax=None, **plot_kwargs):
        """Draw a result.

        Parameters
        ----------
        result : Result
            The result to draw. It must have the attributes that the display needs.
        ax : matplotlib Axes, default=None
            The axes to draw on; a new figure if None.
        **plot_kwargs : dict
            Passed to `plot`.

        Returns
        -------
        Display
            The display, drawn.
        """
        cls._check_result(result)
        return cls.undrawn(result).plot(ax=ax, **plot_kwargs)

    @classmethod
    def _check_result(cls, result):
        """Raise an error if a result lacks attributes that this display needs."""
        missing = [name for name in cls._needed if getattr(result, name, None) is None]
        if missing:
            remedy = " Call its plot() instead." if hasattr(result, "plot") else ""
            if hasattr(result, "result_"):
                remedy = " Pass its result_."
            raise ValueError(
                f"`result` must be {cls._result}. Got {type(result).__name__} without "
                f"{' and '.join(missing)}.{remedy}"
            )

    @abc.abstractmethod
    def _columns(self):
        """Return the columns of `frame`, by name."""

    def frame(self):
        """Return the plotted data as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            The columns described in the documentation of the class.
        """
        frame = optional_import("pandas").DataFrame(self._columns())
        return frame if self._index is None else frame.set_index(self._index)

    @abc.abstractmethod
    def plot(self, ax=None):
        """Draw on axes, or a new figure, and return the display itself."""

    def _axes(self, ax, size=None):
        """Return the axes to draw on, new ones if None, and store them as `ax_`."""
        if ax is None:
            plt = optional_import("matplotlib.pyplot")
            ax = plt.subplots(figsize=size, layout="constrained")[1]
        elif not hasattr(ax, "bbox"):
            raise ValueError(
                f"`ax` must be matplotlib Axes. Got {ax!r}. Pass other arguments by "
                "keyword."
            )
        self.ax_, self.figure_ = ax, ax.figure
        return ax


def font_size(ax, n_rows):
    """Return the font size at which `n_rows` lines fit into the height of the axes."""
    height = 72 * ax.bbox.height / ax.figure.dpi
    return float(np.clip(0.75 * height / n_rows, 4.0, 10.0))


def short_labels(values):
    """Return labels as strings that are short enough for a plot."""
    return [shortened(str(value), LONGEST_LABEL) for value in values]


def numbers_of(values, name, shape):
    """Check that values are numbers with a shape, and return them as an array."""
    try:
        array = np.asarray(values)
        array = array if array.dtype.kind in "biuf" else array.astype(float)
    except (TypeError, ValueError):
        raise ValueError(f"`{name}` must be numbers. Got {values!r}.") from None
    if array.shape != shape:
        raise ValueError(f"`{name}` must have shape {shape}. Got {array.shape}.")
    return array
