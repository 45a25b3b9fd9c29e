"""Base class and helpers of displays: results, axes, colors and labels."""

import abc
import bisect
import dataclasses
import re
import warnings

import numpy as np

from skcompare._format import format_pvalue, optional_import
from skcompare._parameters import RULES
from skcompare.results._document import one_line

# Okabe and Ito's color-blind safe colors; the hatch is for prints without color.
BLUE, ORANGE, GRAY, PALE = "#0072b2", "#e69f00", "#767676", "#e6e6e6"
HATCH = "////"

# Where a name or sentence can be broken, and where a word can that does not fit.
_BREAKS = (
    re.compile(
        r"(?<![=<]) (?![=<])(?!(?<=\d, )[-+\d])"  # not in "p = 0.01" or "[0.1, 0.2]"
        r"|(?<=\S[,(/])(?=[^\s)])|(?<=[A-Za-z]-)(?=[A-Za-z])"
    ),
    re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=_)(?=\S)"),
)

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


def room(ax):
    """Return the width of axes in points."""
    return 72 * ax.bbox.width / ax.figure.dpi


def text_width(text, size):
    """Return the width of a text in points, at a font size in points."""
    textpath = optional_import("matplotlib.textpath")
    font = optional_import("matplotlib.font_manager").FontProperties(size=size)
    with warnings.catch_warnings():  # drawing warns of missing characters
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        measure = textpath.text_to_path.get_text_width_height_descent
        return measure(text, font, ismath=False)[0] if text else 0.0


def literal(text):
    """Return a text that matplotlib draws as written, not as a formula in dollar signs.

    Examples
    --------
    >>> print(literal("cost in $, at $5"))
    cost in \\$, at \\$5
    """
    return text.replace("$", r"\$")


def fitted(text, width, size="medium", *, n_lines=1):
    """Break a text into lines that fit into a width, and truncate it if it must be.

    Parameters
    ----------
    text : object
        The text, converted to a string.
    width : float
        The width in points.
    size : float or str, default="medium"
        The font size.
    n_lines : int, default=1
        Maximum number of lines.

    Returns
    -------
    str
        The lines. They are broken at spaces and after punctuation, if possible, and
        `literal`.
    """
    lines, rest = [], one_line(str(text))
    while rest:
        # The number of characters that fit.
        lengths = range(1, len(rest) + 1)
        n = bisect.bisect(lengths, width, key=lambda n: text_width(rest[:n], size))
        if n == len(rest):
            return literal("\n".join([*lines, rest]))
        if len(lines) == n_lines - 1:
            last = f"{rest[: max(n - 1, 1)].rstrip()}\u2026"
            return literal("\n".join([*lines, last]))
        ends = (
            [match.end() for match in breaks.finditer(rest) if match.start() <= n]
            for breaks in _BREAKS
        )
        end = next(filter(None, ends), [max(n, 1)])[-1]
        lines.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return literal("\n".join(lines))


def draw_legend(ax, handles, labels, below):
    """Draw a legend below the axes, at a distance in points."""
    shift = optional_import("matplotlib.transforms").ScaledTranslation
    down = shift(0, -below / 72, ax.figure.dpi_scale_trans)
    ax.legend(
        handles,
        [fitted(label, 0.95 * room(ax), n_lines=4) for label in labels],
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        bbox_transform=ax.transAxes + down,
        borderaxespad=0.0,
        frameon=False,
    )


def draw_title(ax, title, pad=6.0):
    """Write a title in as many lines as the width of the axes needs."""
    lines = str(title).splitlines()
    lines = [fitted(line, 1.1 * room(ax), n_lines=3) for line in lines]
    ax.set_title("\n".join(lines), pad=pad, fontsize="medium")


def result_title(result):
    """Return a title: the decision of a test, its name, the metric and the p-value."""
    bound = result.pvalue_is_bound
    number = format_pvalue(result.pvalue, bound=bound, sign="= ")
    verdict = result.verdict().removesuffix(".")
    return f"{verdict}\n{result.test}, {result.scoring}: p {number}"


def claim(name, width, size="medium"):
    """Return that a model is better, in lines of a width in points."""
    lines = fitted(name, width, size, n_lines=4)
    last = lines.rpartition("\n")[2]
    fits = text_width(f"{last} better", size) <= width
    return f"{lines} better" if fits else f"{lines}\nbetter"


def lettered(letter, name):
    """Return the letter of a model, with its name if it has another one."""
    return letter if name == letter else f"{letter} ({name})"


def figure_width():
    """Return the usual width of a figure in inches."""
    return optional_import("matplotlib").rcParams["figure.figsize"][0]


def line_height(size="medium"):
    """Return the height of a line of text in points, at a font size."""
    font = optional_import("matplotlib.font_manager").FontProperties(size=size)
    return 1.2 * font.get_size_in_points()


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
