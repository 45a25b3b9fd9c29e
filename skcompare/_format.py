"""Formatting of numbers, and imports of packages that only some output needs."""

import importlib
import math


def format_number(value, sign="", *, size=None, scale=0.0):
    """Format a score with four decimals below 10, and fewer above, for five digits.

    Parameters
    ----------
    value : float
        The score.
    sign : {"", "+"}, default=""
        Whether a positive number gets a sign, too.
    size : float or None, default=None
        The largest of several numbers shown together, which sets their format: numbers
        within the rounding error of numerical algorithms (1e-8 of it) are shown as 0.
    scale : float, default=0.0
        The magnitude of the numbers that it was computed from: values within their
        rounding error are shown as 0.

    Returns
    -------
    str
        The number; very small and very large numbers have an exponent.

    Examples
    --------
    >>> format_number(0.25), format_number(1.5e-7), format_number(0.25, "+")
    ('0.2500', '1.5e-07', '+0.2500')
    >>> format_number(12.3456), format_number(13700.0), format_number(-100, size=7305)
    ('12.346', '13700', '-100.0')
    >>> format_number(0.3 - (0.1 + 0.2)), format_number(0.3 - (0.1 + 0.2), scale=0.3)
    ('-5.551e-17', '0.0000')
    >>> format_number(3.4e-5, size=0.25), format_number(3.4e-5, size=1e-4 / 2)
    ('0.0000', '3.400e-05')
    """
    rounding = 1e-14 * abs(scale)
    together = size is not None and rounding < abs(size) < math.inf
    size = abs(size if together else value)
    if abs(value) <= max(rounding, 1e-8 * size if together else 0.0) < math.inf:
        value = 0.0  # drops the sign of -0.0
        size = size if together else 0.0
    if size and not 1e-4 <= size < 1e6:
        return format(value, f"{sign}.3e" if together and value else f"{sign}.4g")
    decimals = 4 - math.floor(math.log10(size)) if 10 <= size < math.inf else 4
    return format(value, f"{sign}.{max(0, decimals)}f")


def format_numbers(values, sign="", *, scale=0.0):
    """Format the scores of a column alike, with decimals for the largest.

    Parameters
    ----------
    values : sequence of float
        The scores.
    sign : {"", "+"}, default=""
        Whether positive numbers get a sign, too.
    scale : float, default=0.0
        The magnitude of the numbers that they were computed from.

    Returns
    -------
    list of str
        The numbers.

    Examples
    --------
    >>> format_numbers([0.0, 3.4e-5, 0.25]), format_numbers([0.0, 3.4e-5])
    (['0.0000', '0.0000', '0.2500'], ['0', '3.400e-05'])
    """
    size = max((abs(value) for value in values if math.isfinite(value)), default=None)
    return [format_number(value, sign, size=size, scale=scale) for value in values]


def format_count(number, noun):
    """Format a number with what it counts.

    Parameters
    ----------
    number : int
        The number.
    noun : str
        The name of what it counts, in the plural.

    Returns
    -------
    str
        The number and the noun, in the singular for 1.

    Examples
    --------
    >>> format_count(2000, "rows"), format_count(1, "rows"), format_count(0, "folds")
    ('2,000 rows', '1 row', '0 folds')
    """
    return f"{number:,} {noun.removesuffix('s') if number == 1 else noun}"


def describe(value, most=60):
    """Describe any object in one line for a message.

    Parameters
    ----------
    value : object
        The object.
    most : int, default=60
        The maximum length of its repr.

    Returns
    -------
    str
        The type and shape of an array or a data frame; the repr of other objects, cut
        off if it is long.

    Examples
    --------
    >>> import numpy as np
    >>> describe(np.zeros((3, 2))), describe("five")
    ('ndarray of shape (3, 2)', "'five'")
    >>> describe(list(range(100)), most=20)
    '[0, 1, 2, 3, 4, 5, ...'
    """
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"{type(value).__name__} of shape {shape}"
    text = " ".join(repr(value).split())
    return text if len(text) <= most else f"{text[:most]}..."


def bracket(interval):
    """Format an interval with equal decimals at both ends; None and nan are empty.

    Examples
    --------
    >>> bracket((-0.01, 0.2)), bracket((-100.0, 7305.0)), bracket(None)
    ('[-0.0100, 0.2000]', '[-100.0, 7305.0]', '')
    >>> bracket((-2e-11, 0.0667)), bracket((-2e-5, 0.0667))
    ('[0.0000, 0.0667]', '[-0.0000, 0.0667]')
    """
    if interval is None or all(map(math.isnan, interval)):
        return ""
    return f"[{', '.join(format_numbers(interval))}]"


def format_probability(probability):
    """Format a probability with three decimals, never rounded to 0 or 1.

    Examples
    --------
    >>> format_probability(0.25), format_probability(1e-6), format_probability(0.9999)
    ('0.250', '< 0.001', '> 0.999')
    """
    if 0 < probability < 0.0005:
        return "< 0.001"
    return "> 0.999" if 0.9995 <= probability < 1 else f"{probability:.3f}"


def format_pvalue(pvalue, *, bound=False, sign=""):
    """Format a p-value with four decimals, or two significant digits below 0.001.

    Parameters
    ----------
    pvalue : float
        The p-value.
    bound : bool, default=False
        Whether it is the smallest p-value that this number of resamples allows; more
        resamples may give a smaller one.
    sign : {"", "= "}, default=""
        The text between "p" and a number that is not a bound.

    Returns
    -------
    str
        The p-value.

    Examples
    --------
    >>> format_pvalue(0.0123), format_pvalue(1.234e-5), format_pvalue(1e-4, bound=True)
    ('0.0123', '1.2e-05', '<= 0.0001')
    """
    number = f"{pvalue:.4f}" if pvalue >= 0.001 else f"{pvalue:.2g}"
    return f"<= {number}" if bound else f"{sign}{number}"


def optional_import(module):
    """Import a module, or raise an error that says how to install it.

    Parameters
    ----------
    module : str
        The name of the module.

    Returns
    -------
    module
        The module.

    Examples
    --------
    >>> optional_import("math").sqrt(4)
    2.0
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        raise ImportError(
            f"This needs {package}, which is not installed: pip install {package}"
        ) from error
