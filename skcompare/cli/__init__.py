"""The command line: its options, its commands, what it writes, and how it ends."""

import argparse
import contextlib
import dataclasses
import inspect
import io
import json
import os
import sys
import traceback
import warnings
from pathlib import Path

from skcompare._format import optional_import
from skcompare._parameters import OneOf, suggestion
from skcompare._version import __version__
from skcompare.cli._commands import COMMANDS
from skcompare.cli._options import (
    DEFAULTS,
    FLAGS,
    GROUPS,
    OPTION_OF,
    OPTIONS,
    OWN_SCORERS,
    SUFFIXES,
    in_shell_words,
)
from skcompare.cli._tables import UsageError
from skcompare.exceptions import (
    ComparisonWarning,
    ParameterError,
    UndefinedScoreWarning,
)
from skcompare.reports import write_file
from skcompare.results import Document, Notes, Shown, write

__all__ = ["main"]

ERROR, INTERRUPTED, BROKEN_PIPE = 2, 130, 141

# What results say to bear in mind, which JSON has in words of the shell, too.
REMARKS = ("caveats", "notes")


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
        if options.plot is not None:
            new_figure(options.plot)  # which may be refused before the work is done
        with _warnings_in_one_line():
            output = COMMANDS[name].run(options)
            if output.remark and not options.quiet:
                tell(output.remark)
            if options.plot is not None:
                draw(output.drawn, options.plot)
            deliver(output, options)
        return output.status
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


# What is typed


def _without_command(argument):
    """Print help or the version, or say that there is no such command."""
    width = max(map(len, COMMANDS))
    commands = ""
    for name in COMMANDS:
        line = parser_of(name)[0].description
        commands += f"\n  {name:{width}}  {line[0].lower()}{line[1:-1]}"
    parser = Parser(
        prog="skcompare",
        usage="skcompare COMMAND ...",
        description="Is model A really better than model B? Significance tests, "
        "confidence intervals\nand sample sizes from files of predictions.",
        epilog=f"commands:{commands}\n\nskcompare COMMAND --help says more, with "
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


def parser_of(name):
    """Return the parser of a command.

    Parameters
    ----------
    name : str
        The command. Its docstring is what the help says.

    Returns
    -------
    parser : Parser
        The parser. It leaves values as they are typed.
    rules : dict of Rule
        What values must be, by option.
    """
    command, rules = COMMANDS[name], {}
    names = command.options.split()
    text = inspect.getdoc(command.run) or f"{name}."  # python -OO has none
    description, _, examples = text.partition("\n\n")
    parser = Parser(
        prog=f"skcompare {name}",
        description=description,
        epilog=f"{examples}\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    if command.n_files:
        parser.add_argument(
            "files",
            nargs=command.n_files,
            metavar="file",
            help="one table with all columns; or the files of A and B; or those of the "
            "truth, A and B; - is standard input",
        )
    # What some commands have no option for.
    absent = {"models": None, "output": None, "plot": None, "format": "text"}
    parser.set_defaults(files=[], quiet=False, **absent)
    for title, options in GROUPS.items():
        group = parser.add_argument_group(title)
        for option in (option for option in options.split() if option in names):
            if option in FLAGS:
                group.add_argument(f"--{option}", **FLAGS[option])
                continue
            rule = OPTIONS[option]
            if option in command.narrowed:
                rule = OneOf(*command.narrowed[option], help=rule.help)
            rules[option] = rule
            group.add_argument(
                f"--{option}",
                metavar=rule.metavar,
                help=rule.help.replace("%", "%%"),
                nargs="+" if option in ("models", "names") else None,
                default=command.defaults.get(option, DEFAULTS.get(option)),
            )
    return parser, rules


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
        The options, with values of their types; `scorers` is what tests take as
        `scoring`, which has the names.
    """
    parser, rules = parser_of(name)
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        typed, *_ = unknown[0].partition("=")
        names = [f"--{option}" for option in COMMANDS[name].options.split()]
        hint = suggestion(typed, names).replace("'", "")
        parser.error(f"there is no {' '.join(unknown)} here. {hint}".rstrip(". "))
    for option, rule in rules.items():
        place = option.replace("-", "_")
        text = getattr(options, place)
        if not isinstance(text, str):  # a default, or a list of names
            continue
        if option == "scoring":
            names = [name.strip() for name in text.split(",")]
            if not all(names) or len(set(names)) < len(names):
                words = "name metrics, separated by commas, none twice"
                raise ParameterError(option, words, repr(text))
            options.scoring = [rule.parse(option, name) for name in names]
        else:
            setattr(options, place, rule.parse(place, text))
    names = options.scoring or ()
    scorers = {n: OWN_SCORERS[n]() if n in OWN_SCORERS else n for n in names}
    options.scorers = scorers if len(names) > 1 else next(iter(scorers.values()), None)
    for path in filter(None, (options.output, options.plot)):
        check_destination(path, options.files)
    if options.format is None:  # that of the file's name, if the command has it
        choices = rules["format"].choices
        endings = {suffix: n for suffix, n in SUFFIXES.items() if n in choices}
        suffix = Path(options.output or "").suffix.lower()
        if suffix not in ("", *endings):
            raise UsageError(
                f"--output must end in one of {', '.join(endings)}, or come with "
                f"--format. Got {options.output!r}"
            )
        options.format = endings.get(suffix, "text")
    options.arguments = arguments
    return options


# What is written: to the terminal or to a file, whole or not at all


def check_destination(path, inputs):
    """Raise if a file cannot be written, before work is done for it.

    Parameters
    ----------
    path : str
        The file.
    inputs : iterable of str
        Files that must not be overwritten.
    """
    folder = Path(path).resolve().parent
    if os.path.isdir(path) or not folder.is_dir():
        raise UsageError(f"{path} is no file in a folder that exists")
    if not os.access(folder, os.W_OK):
        raise UsageError(f"{path} cannot be written: its folder is not writable")
    if Path(path).resolve() in {Path(name).resolve() for name in inputs}:
        raise UsageError(f"{path} is an input, which the output would overwrite")


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


def deliver(output, options):
    """Write what a command gave, in the format and to the place that was asked for."""
    if options.format == "json":
        text = _as_json(output.content)
    else:
        sections = []
        for section in output.sections:
            blocks = tuple(
                Notes(block.title, tuple(map(in_shell_words, block.lines)))
                if isinstance(block, Notes)
                else block
                for block in section.blocks
            )
            sections.append(dataclasses.replace(section, blocks=blocks))
        text = write(Document("", tuple(sections)), options.format)
    if options.output is not None:
        write_file(options.output, f"{text}\n".encode())
        if Path(options.output).is_file():  # and no pipe
            tell(f"Wrote {options.output}.")
        return
    if sys.stdout is None:
        raise UsageError("Standard output is closed: name a file with --output")
    # What the encoding of a terminal lacks is written as codes.
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(f"{text}\n".encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()


def _as_json(content):
    """Write JSON: null for numbers that it lacks, and remarks in shell words."""

    def in_shell(item):
        remarks = {n: [*map(in_shell_words, item[n])] for n in REMARKS if n in item}
        return item | remarks

    text = json.dumps(content, default=Shown.to_dict)
    plain = json.loads(text, parse_constant=lambda _: None, object_hook=in_shell)
    return json.dumps(plain, indent=2)


# What is told on the side


def tell(line):
    """Say something on standard error, if there is one."""
    if sys.stderr is not None:
        sys.stderr.write(f"skcompare: {line}\n")


@contextlib.contextmanager
def _warnings_in_one_line():
    """Tell warnings in a line each, in the end, unless there is an error to tell.

    Those about data are in the results already, but for what some resamples lack.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        for category in (RuntimeWarning, UserWarning):
            warnings.simplefilter("always", category)
        warnings.simplefilter("ignore", ComparisonWarning)
        warnings.simplefilter("always", UndefinedScoreWarning)
        yield
    lines = [" ".join(str(warning.message).split()) for warning in caught]
    for line in dict.fromkeys(map(in_shell_words, lines)):
        tell(f"warning: {line}")


def _in_one_line(error):
    """Return what went wrong; a parameter is called by its option."""
    if isinstance(error, OSError) and error.strerror is not None:
        where = "" if error.filename is None else f"{error.filename}: "
        return f"{where}{error.strerror}"
    text = str(error)
    if isinstance(error, ParameterError):
        name = f"`{error.parameter}`"
        text = error.message_for(OPTION_OF.get(error.parameter, name))
    text = " ".join(text.split()).rstrip(".")
    if isinstance(error, UsageError | ImportError | OSError):
        return text
    name = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
    return f"{name}{in_shell_words(text)}"
