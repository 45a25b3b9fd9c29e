"""The program: its options, its commands, and how it ends."""

import argparse
import contextlib
import os
import sys
import traceback
import warnings
from pathlib import Path

from skcompare._parameters import suggestion
from skcompare._version import __version__
from skcompare.cli._commands import COMMANDS
from skcompare.cli._options import SUFFIXES, add_options
from skcompare.cli._output import (
    check_destination,
    in_shell_words,
    new_figure,
    option_of,
    tell,
)
from skcompare.cli._tables import UsageError
from skcompare.exceptions import (
    ComparisonWarning,
    ParameterError,
    UndefinedScoreWarning,
)

ERROR, INTERRUPTED, BROKEN_PIPE = 2, 130, 141


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
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    name = arguments[0] if arguments else "--help"
    if name not in COMMANDS:
        return _without_command(name)
    try:
        options = read_options(name, arguments[1:])
        for path in filter(None, (options.output, options.plot)):
            check_destination(path, options.files)
        if options.plot is not None:
            new_figure(options.plot)  # before the work is done
        with _warnings_in_one_line():
            return COMMANDS[name].run(options)
    except KeyboardInterrupt:
        tell("interrupted")
        return INTERRUPTED
    except BrokenPipeError:  # whoever read the output, such as head, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        if "--traceback" in arguments:
            traceback.print_exc()
        tell(f"error: {_in_one_line(error)}")
        return ERROR


def _without_command(argument):
    """Print help or the version, or say that there is no such command."""
    width = max(map(len, COMMANDS))
    commands = "\n".join(f"  {n:{width}}  {c.help}" for n, c in COMMANDS.items())
    parser = Parser(
        prog="skcompare",
        usage="skcompare COMMAND ...",
        description="Is model A really better than model B? Significance tests, "
        "confidence intervals\nand sample sizes from files of predictions.",
        epilog=f"commands:\n{commands}\n\nskcompare COMMAND --help says more, with "
        "examples.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    if argument.startswith("-"):
        parser.parse_args([argument])
    hint = suggestion(argument, list(COMMANDS)).replace("'", "")
    parser.error(
        f"there is no command {argument!r}. {hint or 'Choose ' + ', '.join(COMMANDS)}"
    )


def read_options(name, arguments):
    """Return the options of a command.

    Parameters
    ----------
    name : str
        The command.
    arguments : list of str
        What follows it.

    Returns
    -------
    argparse.Namespace
        The options, with values of their types.
    """
    command = COMMANDS[name]
    parser = Parser(
        prog=f"skcompare {name}",
        description=f"{command.help[0].upper()}{command.help[1:]}.",
        epilog=command.epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    if command.has_files:
        parser.add_argument(
            "files",
            nargs="+",
            metavar="file",
            help="one table with all columns; or the files of A and B; or those of the "
            "truth, A and B; - is standard input",
        )
    absent = dict.fromkeys(("models", "format", "output", "plot"))
    parser.set_defaults(files=(), quiet=False, **absent)
    rules = add_options(parser, command.options, command.narrowed, command.defaults)
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        names = [f"--{name}" for group in command.options.values() for name in group]
        hint = suggestion(unknown[0].partition("=")[0], names).replace("'", "")
        parser.error(f"there is no {' '.join(unknown)} here. {hint}".rstrip(". "))
    for option, rule in rules.items():
        place = option.replace("-", "_")
        if isinstance(text := getattr(options, place), str):
            setattr(options, place, rule.parse(option, text))
    if options.format is None:  # that of the file's name, if the command has it
        choices = rules["format"].choices if "format" in rules else ("text",)
        endings = {suffix: n for suffix, n in SUFFIXES.items() if n in choices}
        suffix = Path(options.output or "").suffix.lower()
        overwrites = options.output in options.files  # an error of its own
        if "format" in rules and suffix not in ("", *endings) and not overwrites:
            raise UsageError(
                f"--output must end in one of {', '.join(endings)}, or come with "
                f"--format. Got {options.output!r}"
            )
        options.format = endings.get(suffix, "text")
    options.arguments = arguments
    return options


@contextlib.contextmanager
def _warnings_in_one_line():
    """Tell warnings in a line each, in the end, unless there is an error to tell.

    Those about data are in the results already, but for what some resamples lack.
    """
    texts = {}

    def keep(message, *_, **__):
        texts[in_shell_words(" ".join(str(message).split()))] = None

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


def _in_one_line(error):
    """Return what went wrong; a parameter is called by its option."""
    if isinstance(error, OSError) and error.strerror is not None:
        where = "" if error.filename is None else f"{error.filename}: "
        return f"{where}{error.strerror}"
    text = str(error)
    if isinstance(error, ParameterError):
        text = error.message_for(option_of(error.parameter) or f"`{error.parameter}`")
    text = " ".join(text.split()).rstrip(".")
    if isinstance(error, UsageError | ImportError | OSError):
        return text
    name = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
    return f"{name}{in_shell_words(text)}"
