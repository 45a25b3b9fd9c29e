"""What is written: to the terminal or to a file, whole or not at all."""

import io
import json
import math
import os
import re
import sys
from pathlib import Path

from skcompare._format import optional_import
from skcompare.cli._options import OPTION_OF, OPTIONS, TESTS
from skcompare.cli._tables import UsageError
from skcompare.reports import results_sections, write_file
from skcompare.results import Document, Paragraph, Section, write

# What results say to bear in mind, which JSON has in words of the shell, too.
REMARKS = ("caveats", "notes")

_TESTS = {test.__name__: name for name, test in TESTS.items()}
_WORDS = re.compile(
    r"`(?P<parameter>\w+)`"
    r"|\b(?P<setting>\w+)='(?P<value>[^']*)'"
    rf"|\b(?P<test>{'|'.join(_TESTS)})\b(?!')(?:\((?P<settings>[^()]*)\))?"
)


def in_shell_words(text):
    """Name options and tests as the shell does where the library names them.

    Examples
    --------
    >>> in_shell_words("`n_resamples` is small. McNemar takes alternative='less'.")
    '--n-resamples is small. --test mcnemar takes --alternative less.'
    >>> in_shell_words("`estimator` stays")
    '`estimator` stays'
    """

    def word(match):
        if match["test"]:
            settings = in_shell_words(match["settings"] or "")
            return f"--test {_TESTS[match['test']]} {settings}".rstrip()
        option = option_of(match["parameter"] or match["setting"])
        if option is None:
            return match[0]
        return f"{option} {match['value']}" if match["setting"] else option

    return _WORDS.sub(word, text)


def option_of(parameter):
    """Return the option that sets a parameter, None if there is none.

    Examples
    --------
    >>> option_of("random_state"), option_of("n_rows"), option_of("X")
    ('--seed', '--n-rows', None)
    """
    name = OPTION_OF.get(parameter, parameter.replace("_", "-"))
    return f"--{name}" if name in OPTIONS else None


def typed_form(test):
    """Return what to type for a test, as far as there are options for it.

    Examples
    --------
    >>> from skcompare import McNemar
    >>> typed_form(McNemar(alternative="less"))
    '--test mcnemar --alternative less'
    """
    defaults = type(test)().get_params(deep=False)
    options, others = [in_shell_words(type(test).__name__)], []
    for name, value in test.get_params(deep=False).items():
        if name != "scoring" and repr(value) != repr(defaults[name]):
            option = option_of(name)
            if option is None:
                others.append(f"{name} {value}")
            else:
                shown = f"{value:.6g}" if isinstance(value, float) else value
                options.append(f"{option} {shown}")
    return " ".join(options) + (f" with {', '.join(others)}" if others else "")


def sections_of(results, options):
    """Return sections on results: all about them, or their sentences with --quiet."""
    if options.quiet and options.format in ("text", "markdown"):
        return [Section("", (Paragraph(result.sentence()),)) for result in results]
    return results_sections(results)


def present(options, content, sections):
    """Write what a command gives, in the format and to the place that was asked for.

    Parameters
    ----------
    options : argparse.Namespace
        `format` and `output`.
    content : callable
        ``content()`` is what JSON holds.
    sections : iterable of Section
        What documents hold.
    """
    if options.format == "json":
        deliver(as_json(content()), options.output)
        return
    document = Document("", tuple(sections)).reworded(in_shell_words)
    deliver(write(document, options.format), options.output)


def as_json(content):
    """Return JSON, with null for numbers that JSON does not have."""
    return json.dumps(_for_json(content), indent=2, allow_nan=False)


def _for_json(value):
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        remarks = {n: map(in_shell_words, value[n]) for n in REMARKS if n in value}
        return {str(n): _for_json(item) for n, item in (value | remarks).items()}
    if isinstance(value, list | tuple | map):
        return [_for_json(item) for item in value]
    return value


def check_destination(path, inputs=()):
    """Raise if a file cannot be written, before work is done for it.

    Parameters
    ----------
    path : str
        The file.
    inputs : iterable of str, default=()
        Files that must not be overwritten.
    """
    folder = Path(path).resolve().parent
    if os.path.isdir(path) or not folder.is_dir():
        raise UsageError(f"{path} is no file in a folder that exists")
    if not os.access(folder, os.W_OK):
        raise UsageError(f"{path} cannot be written: its folder is not writable")
    if Path(path).resolve() in {Path(name).resolve() for name in inputs}:
        raise UsageError(f"{path} is an input, which the output would overwrite")


def deliver(text, path=None):
    """Print a text, or write it to a file."""
    if path is not None:
        write_file(path, f"{text}\n".encode())
        if Path(path).is_file():  # and no pipe
            tell(f"Wrote {path}.")
        return
    if sys.stdout is None:
        raise UsageError("Standard output is closed: name a file with --output")
    # What the encoding of a terminal lacks is written as codes.
    encoding = sys.stdout.encoding or "utf-8"
    printable = f"{text}\n".encode(encoding, "backslashreplace").decode(encoding)
    sys.stdout.write(printable)
    sys.stdout.flush()


def new_figure(path):
    """Return an empty figure that can be saved under a name, or raise."""
    figure = optional_import("matplotlib.figure").Figure(layout="constrained")
    suffixes = [f".{name}" for name in figure.canvas.get_supported_filetypes()]
    if Path(path).suffix.lower() not in suffixes:
        raise UsageError(
            f"--plot must end in one of {', '.join(suffixes)}. Got {path!r}"
        )
    return figure


def draw(result, path):
    """Draw a result into a file, in the format that its name ends in."""
    figure, content = new_figure(path), io.BytesIO()
    result.plot(ax=figure.subplots())
    figure.savefig(content, format=Path(path).suffix.lstrip(".").lower())
    write_file(path, content.getvalue())
    tell(f"Wrote {path}.")


def tell(line):
    """Say something on standard error, if there is one."""
    if sys.stderr is not None:
        sys.stderr.write(f"skcompare: {line}\n")
