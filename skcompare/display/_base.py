"""What all pictures share: where they are drawn, their colours, and short names."""

import numpy as np

from skcompare._optional import optional_import

__all__ = [
    "BLUE",
    "GREY",
    "ORANGE",
    "PALE",
    "HATCH",
    "axes_for",
    "check_result",
    "font_size",
    "labels_of",
    "numbers_of",
    "shortened",
]

# Okabe and Ito's colours are told apart by colour-blind readers; in grey hatches help.
BLUE, ORANGE, GREY, PALE = "#0072b2", "#e69f00", "#767676", "#e6e6e6"
HATCH = "////"

LONGEST_LABEL = 40


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


def check_result(result, wanted, *needed):
    """Check that a result has what is drawn.

    Parameters
    ----------
    result : object
        What came.
    wanted : str
        What should have come, in words.
    *needed : str
        The attributes that are drawn.
    """
    missing = [name for name in needed if getattr(result, name, None) is None]
    if missing:
        raise ValueError(
            f"`result` must be {wanted}. Got {type(result).__name__} without "
            f"{' and '.join(missing)}.{_remedy(result)}"
        )


def _remedy(result):
    if hasattr(result, "result_"):
        return " Pass its result_."
    return " Its own plot() draws it." if hasattr(result, "plot") else ""


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
    return [shortened(label) for label in labels]


def shortened(label, longest=LONGEST_LABEL):
    """Cut a label that is too long.

    Examples
    --------
    >>> shortened("logistic regression", 10)
    'logistic\u2026'
    """
    if len(label) <= longest:
        return label
    return label[: longest - 1].rstrip() + "\u2026"


def numbers_of(values, name, shape):
    """Check that values are numbers of a shape, and return them as an array."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"`{name}` must be numbers. Got {values!r}.") from None
    if array.shape != shape:
        raise ValueError(f"`{name}` must have shape {shape}. Got {array.shape}.")
    return array
