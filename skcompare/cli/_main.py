"""The program: its commands, and how it ends."""

import argparse
import contextlib
import os
import re
import sys
import traceback
import warnings

from skcompare._version import __version__
from skcompare.cli import _advise, _compare, _demo, _gate, _power
from skcompare.cli._options import format_of
from skcompare.exceptions import ComparisonWarning

__all__ = ["main"]

COMMANDS = {
    "compare": _compare,
    "gate": _gate,
    "advise": _advise,
    "power": _power,
    "demo": _demo,
}

ERROR, INTERRUPTED, BROKEN_PIPE = 2, 130, 141

# What options are called in messages of the library.
OPTIONS = {
    "y_true": "--truth",
    "y_pred_a": "--a",
    "y_pred_b": "--b",
    "random_state": "--seed",
    "n_jobs": "--jobs",
    **{
        name: f"--{name.replace('_', '-')}"
        for name in (
            "alpha",
            "alternative",
            "correction",
            "effect",
            "groups",
            "n_comparisons",
            "n_resamples",
            "n_rows",
            "n_simulations",
            "rope",
            "scoring",
            "strata",
            "target",
        )
    },
}


class Parser(argparse.ArgumentParser):
    """A parser that tells errors in one line."""

    def error(self, message):
        """Leave with the message."""
        self.exit(ERROR, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


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
    options = _parser().parse_args(arguments)
    if getattr(options, "format", "given") is None:
        options.format = format_of(options.output, options.formats)
    try:
        with _warnings_in_one_line():
            return options.run(options)
    except KeyboardInterrupt:
        return _end(INTERRUPTED, "interrupted")
    except BrokenPipeError:  # whoever read the output, such as head, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        if options.traceback:
            traceback.print_exc()
        return _end(ERROR, f"error: {_in_one_line(error)}")


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
        added.set_defaults(run=command.run)
    return parser


def _end(status, message):
    sys.stderr.write(f"skcompare: {message}\n")
    return status


@contextlib.contextmanager
def _warnings_in_one_line():
    """Tell warnings in a line each, in the end, unless there is an error to tell.

    Those about data are left out: they are in the results already.
    """
    texts = {}

    def keep(message, *_, **__):
        texts[_flat(str(message))] = None

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for category in (RuntimeWarning, UserWarning):
            warnings.simplefilter("always", category)
        warnings.simplefilter("ignore", ComparisonWarning)
        warnings.showwarning = keep
        yield
    for text in texts:
        sys.stderr.write(f"skcompare: warning: {text}\n")


def _in_one_line(error):
    """Return what went wrong, in the words of the command line."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    told = isinstance(error, ValueError | ImportError | OSError)
    text = _flat(str(error)) if told else f"{type(error).__name__}: {_flat(str(error))}"
    return re.sub(r"`(\w+)`", _option, text).rstrip(".")


def _option(match):
    return OPTIONS.get(match.group(1), match.group(0))


def _flat(text):
    return " ".join(text.split())
