"""What was found, written to the terminal or to a file: whole, or not at all."""

import json
import math
import os
import sys
import textwrap
from pathlib import Path

from skcompare.reporting import report, write_file

__all__ = [
    "check_destination",
    "deliver",
    "render",
    "rendered_json",
    "wrapped",
]

WIDTH = 79


def render(results, format):
    """Turn results into text of a format.

    Parameters
    ----------
    results : list of Result
        What was found.
    format : {"text", "json", "markdown", "html", "latex"}
        The format.

    Returns
    -------
    str
        The text.
    """
    if format == "json":
        return rendered_json({"results": [result.to_dict() for result in results]})
    return report(results, format=format)


def rendered_json(found):
    """Return JSON, with null for numbers that JSON does not have."""
    return json.dumps(_finite(found), indent=2, allow_nan=False)


def _finite(value):
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(name): _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def wrapped(text):
    """Break long lines, keeping their indentation.

    Examples
    --------
    >>> print(wrapped("  " + "word " * 17))
      word word word word word word word word word word word word word word word
      word word
    """
    lines = []
    for line in text.splitlines():
        indent = " " * (len(line) - len(line.lstrip()))
        how = {"initial_indent": indent, "subsequent_indent": indent}
        lines += textwrap.wrap(
            line.strip(), WIDTH, break_long_words=False, break_on_hyphens=False, **how
        ) or [""]
    return "\n".join(lines)


def check_destination(path, inputs=()):
    """Raise if a file cannot be written, before work is done for it.

    Parameters
    ----------
    path : str or None
        The file; None is standard output.
    inputs : iterable of str, default=()
        Files that must not be overwritten.
    """
    if path is None:
        return
    folder = Path(path).resolve().parent
    if os.path.isdir(path) or not folder.is_dir():
        raise ValueError(f"{path} is no file in a folder that exists")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"{path} cannot be written: its folder is not writable")
    taken = {Path(name).resolve() for name in inputs}
    if Path(path).resolve() in taken:
        raise ValueError(f"{path} is an input, which the output would overwrite")


def deliver(text, path):
    """Print a text, or write it to a file."""
    if path is None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    else:
        write_file(path, f"{text}\n".encode())
