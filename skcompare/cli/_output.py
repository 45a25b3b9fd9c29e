"""What was found, written to the terminal or to a file: whole, or not at all."""

import json
import math
import os
import sys
import textwrap
from pathlib import Path

from skcompare.cli._errors import UsageError
from skcompare.reporting import render_document, results_document, write_file

__all__ = [
    "as_dict",
    "check_destination",
    "deliver",
    "render",
    "rendered_json",
    "tell",
    "wrapped",
]

WIDTH = 79


def render(results, format, words):
    """Turn results into text of a format.

    Parameters
    ----------
    results : list of Result
        What was found.
    format : {"text", "json", "markdown", "html", "latex"}
        The format.
    words : callable
        Turns what the library says into words of the command line.

    Returns
    -------
    str
        The text.
    """
    if format == "json":
        return rendered_json({"results": [as_dict(r, words) for r in results]})
    return render_document(results_document(results).reworded(words), format)


def as_dict(result, words):
    """Return a result as a dict, with its remarks in words of the command line."""
    found = result.to_dict()
    remarks = {name: found[name] for name in ("caveats", "notes") if name in found}
    return found | {name: list(map(words, lines)) for name, lines in remarks.items()}


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
        raise UsageError(f"{path} is no file in a folder that exists")
    if not os.access(folder, os.W_OK):
        raise UsageError(f"{path} cannot be written: its folder is not writable")
    taken = {Path(name).resolve() for name in inputs}
    if Path(path).resolve() in taken:
        raise UsageError(f"{path} is an input, which the output would overwrite")


def deliver(text, path):
    """Print a text, or write it to a file."""
    if path is not None:
        write_file(path, f"{text}\n".encode())
    elif sys.stdout is None:
        raise UsageError("Standard output is closed: name a file with --output")
    else:
        sys.stdout.write(_printable(f"{text}\n", sys.stdout.encoding or "utf-8"))
        sys.stdout.flush()


def _printable(text, encoding):
    """Write what an encoding lacks as codes.

    Examples
    --------
    >>> _printable("na\u00efve", "ascii")
    'na\\\\xefve'
    """
    return text.encode(encoding, "backslashreplace").decode(encoding)


def tell(line):
    """Say something on standard error, if there is one."""
    if sys.stderr is not None:
        sys.stderr.write(f"skcompare: {line}\n")
