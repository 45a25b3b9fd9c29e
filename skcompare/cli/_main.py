"""The program: its commands, and how it ends."""

import argparse
import contextlib
import difflib
import os
import re
import sys
import traceback
import warnings

from skcompare._version import __version__
from skcompare.cli import _advise, _compare, _demo, _gate, _power
from skcompare.cli._errors import UsageError
from skcompare.cli._options import format_of, number, whole_number
from skcompare.cli._output import tell
from skcompare.cli._words import Words
from skcompare.exceptions import ComparisonWarning, UndefinedScoreWarning

__all__ = ["main"]

COMMANDS = {
    "compare": _compare,
    "gate": _gate,
    "advise": _advise,
    "power": _power,
    "demo": _demo,
}

ERROR, INTERRUPTED, BROKEN_PIPE = 2, 130, 141

_QUOTE = "'"


class Parser(argparse.ArgumentParser):
    """A parser that tells errors in one line, and without the names of types."""

    def __init__(self, **settings):
        super().__init__(**settings)
        self.register("type", int, whole_number)
        self.register("type", float, number)

    def error(self, message):
        """Leave with the message."""
        told = _told(message)
        self.exit(ERROR, f"{self.prog}: error: {told} (see {self.prog} --help)\n")


def _told(message):
    """Say what argparse found in the form that all messages have.

    Examples
    --------
    >>> _told("argument --test: invalid choice: 'x' (choose from 'mcnemar', 'auto')")
    "--test must be one of mcnemar, auto. Got 'x'"
    >>> _told("argument --alpha: must be a number. Got 'x'")
    "--alpha must be a number. Got 'x'"
    """
    choice = re.match(
        r"argument (\S+): invalid choice: (.+) \(choose from (.+)\)", message
    )
    if choice is None:
        return re.sub(r"^argument (\S+): must", r"\1 must", message)
    name, got, allowed = choice.groups()
    return f"{name} must be one of {allowed.replace(_QUOTE, '')}. Got {got}"


def main(arguments=None):
    """Run the command line.

    Parameters
    ----------
    arguments : list of str, default=None
        The arguments; those of the process if None.

    Returns
    -------
    int
        The exit status: 0, 1 for a gate that did not open, 2 for an error, 130 if
        interrupted.
    """
    options = _parse(arguments)
    try:
        with _warnings_in_one_line(options.words):
            return options.run(options)
    except KeyboardInterrupt:
        return _end(INTERRUPTED, "interrupted")
    except BrokenPipeError:  # whoever read the output, such as head, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        if options.traceback:
            traceback.print_exc()
        return _end(ERROR, f"error: {_in_one_line(error, options.words)}")


def _parse(arguments):
    options, unknown = _parser().parse_known_args(arguments)
    if unknown:
        options.parser.error(_not_known(unknown, options.words.options))
    if getattr(options, "format", "given") is None:
        options.format = format_of(options.output, options.formats)
    return options


def _not_known(arguments, known):
    name = arguments[0].partition("=")[0]
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.75)
    hint = f". Did you mean {close[0]}?" if close else ""
    return f"there is no {' '.join(arguments)} here{hint}"


def _parser():
    parser = Parser(
        prog="skcompare",
        description="Is model A really better than model B?",
        epilog="skcompare COMMAND --help tells more, with examples.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="command")
    for name, command in COMMANDS.items():
        added = commands.add_parser(
            name,
            help=command.HELP,
            description=f"{command.HELP[0].upper()}{command.HELP[1:]}.",
            epilog=command.EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_options(added)
        added.add_argument(
            "--traceback", action="store_true", help="show where an error came from"
        )
        words = Words(added.format_usage())
        added.set_defaults(run=command.run, parser=added, words=words)
    return parser


def _end(status, message):
    tell(message)
    return status


@contextlib.contextmanager
def _warnings_in_one_line(words):
    """Tell warnings in a line each, in the end, unless there is an error to tell.

    Those about data are in the results already, but for what some resamples lack.
    """
    texts = {}

    def keep(message, *_, **__):
        texts[words(_flat(str(message)))] = None

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for category in (RuntimeWarning, UserWarning):
            warnings.simplefilter("always", category)
        warnings.simplefilter("ignore", ComparisonWarning)
        warnings.simplefilter("always", UndefinedScoreWarning)
        warnings.showwarning = keep
        yield
    for text in texts:
        tell(f"warning: {text}")


def _in_one_line(error, words):
    """Return what went wrong, in the words of the command line."""
    if isinstance(error, OSError) and error.strerror is not None:
        where = "" if error.filename is None else f"{error.filename}: "
        return f"{where}{error.strerror}"
    text = _flat(str(error))
    if isinstance(error, UsageError | ImportError | OSError):
        return text.rstrip(".")
    name = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
    return f"{name}{words(text)}".rstrip(".")


def _flat(text):
    return " ".join(text.split())
