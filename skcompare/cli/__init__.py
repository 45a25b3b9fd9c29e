"""The command line: parsing of options, commands, output and exit status."""

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
from skcompare._parameters import suggestion
from skcompare._version import __version__
from skcompare.cli._commands import COMMANDS
from skcompare.cli._options import (
    DEFAULTS,
    FLAGS,
    GROUPS,
    OPTIONS,
    OWN_SCORERS,
    SUFFIXES,
    TESTS,
    with_option_names,
)
from skcompare.cli._tables import UsageError
from skcompare.comparison import advice_on
from skcompare.exceptions import (
    ComparisonWarning,
    ParameterError,
    UndefinedScoreWarning,
)
from skcompare.reports import write_file
from skcompare.results import Document, Notes, Presentable, write

__all__ = ["main"]

ERROR, INTERRUPTED, BROKEN_PIPE = 2, 130, 141

# Keys of caveats and notes, which also name options instead of parameters in JSON.
REMARKS = ("caveats", "notes")


class Parser(argparse.ArgumentParser):
    """A parser that prints errors in one line."""

    def error(self, message):
        """Exit with the message."""
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
        The exit status: 0 for success, 1 for a gate not passed, 2 for an error, 130
        for an interrupt.
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    name = arguments[0] if arguments else "--help"
    if name not in COMMANDS:
        return _without_command(name)
    try:
        options = read_options(name, arguments[1:])
        if options.plot is not None:
            optional_import("matplotlib")  # raises an error before the work is done
        with _warnings_in_one_line():
            output = COMMANDS[name].run(options)
            if output.remark and not options.quiet:
                print_to_stderr(output.remark)
            if options.plot is not None:
                draw(output.drawn, options.plot)
            write_output(output, options)
        return output.status
    except KeyboardInterrupt:
        print_to_stderr("interrupted")
        return INTERRUPTED
    except BrokenPipeError:  # the reader of the output, such as head, has exited
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        if "--traceback" in arguments:
            traceback.print_exc()
        print_to_stderr(f"error: {_error_line(error)}")
        return ERROR


# Parsing


def _without_command(argument):
    """Print the help or the version, or exit with an error for an unknown command."""
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
        epilog=f"commands:{commands}\n\nSee skcompare COMMAND --help for options and "
        "examples.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    if argument.startswith("-"):
        parser.parse_args([argument])
    hint = suggestion(argument, list(COMMANDS)).replace("'", "")
    parser.error(
        f"unknown command {argument!r}. {hint or 'Choose ' + ', '.join(COMMANDS)}"
    )


def parser_of(name):
    """Return the parser of a command.

    Parameters
    ----------
    name : str
        The command. Its docstring is the text of the help.

    Returns
    -------
    parser : Parser
        The parser. It does not convert values.
    rules : dict of Rule
        The rules for values, by option.
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
            help="one table with all columns, two files for A and B, or one file "
            "for the truth and one for each model; - means standard input",
        )
    # Defaults of options that some commands do not have.
    absent = dict.fromkeys(("models", "names", "strata", "output", "plot"))
    parser.set_defaults(files=[], quiet=False, format="text", **absent)
    for title, options in GROUPS.items():
        group = parser.add_argument_group(title)
        for option in (option for option in options.split() if option in names):
            if option in FLAGS:
                group.add_argument(f"--{option}", **FLAGS[option])
                continue
            rules[option] = rule = command.narrowed.get(option, OPTIONS[option])
            default = command.defaults.get(option)
            group.add_argument(
                f"--{option}",
                metavar=rule.metavar,
                help=_with_default(rule.help, default).replace("%", "%%"),
                nargs="+" if option in ("models", "names") else None,
                default=DEFAULTS.get(option) if default is None else default,
            )
    return parser, rules


def _with_default(text, default):
    """Return the help of an option, with the default of the command if it has one.

    Examples
    --------
    >>> _with_default("the metric (default: r2)", ["f1", "roc_auc"])
    'the metric (default: f1,roc_auc)'
    >>> _with_default("the seed", 0)
    'the seed (default: 0)'
    >>> _with_default("the level (default: 0.05)", None)
    'the level (default: 0.05)'
    """
    if default is None:
        return text
    shown = f" (default: {','.join(default) if isinstance(default, list) else default})"
    return text.partition(" (default: ")[0] + shown + text.partition(")")[2]


def read_options(name, arguments):
    """Return the options of a command.

    Parameters
    ----------
    name : str
        The command.
    arguments : list of str
        The arguments after the command.

    Returns
    -------
    argparse.Namespace
        The options, converted to their types; `scoring` contains names, and `scorers`
        the corresponding `scoring` of tests.
    """
    parser, rules = parser_of(name)
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        option, *_ = unknown[0].partition("=")
        names = [f"--{option}" for option in COMMANDS[name].options.split()]
        hint = suggestion(option, names).replace("'", "")
        bare = option.removeprefix("--")
        if others := [n for n, c in COMMANDS.items() if bare in c.options.split()]:
            hint = f"{option} is an option of skcompare {' and '.join(others)}"
        parser.error(
            f"unrecognized arguments: {' '.join(unknown)}. {hint}".rstrip(". ")
        )
    for option, rule in rules.items():
        attribute = option.replace("-", "_")
        text = getattr(options, attribute)
        if not isinstance(text, str):  # a default, or a list of names
            continue
        if option == "scoring":
            names = [name.strip() for name in text.split(",")]
            if not all(names) or len(set(names)) < len(names):
                words = "be names of metrics, separated by commas, without repetition"
                raise ParameterError(option, words, repr(text))
            options.scoring = [rule.parse(option, name) for name in names]
        else:
            setattr(options, attribute, rule.parse(attribute, text))
    names = options.scoring or ()
    scorers = {n: OWN_SCORERS[n]() if n in OWN_SCORERS else n for n in names}
    options.scorers = scorers if len(names) > 1 else next(iter(scorers.values()), None)
    tested = advice_on(TESTS.get(getattr(options, "test", None)))
    options.own_metrics = () if tested is None else tested.metrics
    if options.own_metrics and options.scoring not in (
        None,
        *([name] for name in options.own_metrics),
    ):
        raise UsageError(
            f"--test {options.test} compares {' or '.join(options.own_metrics)} and "
            f"supports no other --scoring. Got {','.join(names)}"
        )
    for path in filter(None, (options.output, options.plot)):
        check_destination(path, options.files)
    if options.format is None:  # from the extension, if the command supports it
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


# Output to the terminal or to a file


def check_destination(path, inputs):
    """Raise an error if a file cannot be written, before the work is done.

    Parameters
    ----------
    path : str
        The file.
    inputs : iterable of str
        Files that must not be overwritten.
    """
    folder = Path(path).resolve().parent
    if os.path.isdir(path):
        raise UsageError(f"{path} cannot be written: it is a folder")
    if not folder.is_dir():
        raise UsageError(
            f"{path} cannot be written: there is no folder {Path(path).parent}"
        )
    if not os.access(folder, os.W_OK):
        raise UsageError(f"{path} cannot be written: its folder is not writable")
    if Path(path).resolve() in {Path(name).resolve() for name in inputs}:
        raise UsageError(f"{path} is an input file, which would be overwritten")


def draw(result, path):
    """Plot a result to a file, in the format of its extension."""
    figure = optional_import("matplotlib.figure").Figure(layout="constrained")
    content = io.BytesIO()
    result.plot(ax=figure.subplots())
    figure.savefig(content, format=Path(path).suffix.lstrip(".").lower())
    write_file(path, content.getvalue())
    print_to_stderr(f"Wrote {path}.")


def write_output(output, options):
    """Write the output of a command in the chosen format, to a file or the terminal."""
    if options.format == "json":
        text = _as_json(output.content)
    else:
        sections = []
        for section in output.sections:
            blocks = tuple(
                Notes(block.title, tuple(map(with_option_names, block.lines)))
                if isinstance(block, Notes)
                else block
                for block in section.blocks
            )
            sections.append(dataclasses.replace(section, blocks=blocks))
        text = write(Document("", tuple(sections)), options.format)
    if options.output is not None:
        write_file(options.output, f"{text}\n".encode())
        if Path(options.output).is_file():  # not a pipe
            print_to_stderr(f"Wrote {options.output}.")
        return
    if sys.stdout is None:
        raise UsageError("Standard output is closed: name a file with --output")
    # Characters that the terminal cannot encode are written as escapes.
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(f"{text}\n".encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()


def _as_json(content):
    """Return JSON, with null for nan and infinity, and option names in remarks."""

    def with_remarks(item):
        remarks = {n: [*map(with_option_names, item[n])] for n in REMARKS if n in item}
        return item | remarks

    text = json.dumps(content, default=Presentable.to_dict)
    plain = json.loads(text, parse_constant=lambda _: None, object_hook=with_remarks)
    return json.dumps(plain, indent=2)


# Messages on standard error


def print_to_stderr(line):
    """Print a line to standard error, if there is one."""
    if sys.stderr is not None:
        sys.stderr.write(f"skcompare: {line}\n")


@contextlib.contextmanager
def _warnings_in_one_line():
    """Print each warning in one line at the end, unless there is an error.

    Warnings about data are omitted, since the results contain them; undefined scores on
    some resamples are the exception.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        for category in (RuntimeWarning, UserWarning):
            warnings.simplefilter("always", category)
        warnings.simplefilter("ignore", ComparisonWarning)
        warnings.simplefilter("always", UndefinedScoreWarning)
        yield
    lines = {}
    for warning in caught:
        line = " ".join(str(warning.message).split())
        own = issubclass(warning.category, ComparisonWarning)
        lines[with_option_names(line) if own else line] = True
    for line in lines:
        print_to_stderr(f"warning: {line}")


def _error_line(error):
    """Return the error in one line, with options in place of parameters."""
    if isinstance(error, OSError) and error.strerror is not None:
        where = "" if error.filename is None else f"{error.filename}: "
        return f"{where}{error.strerror}"
    text = str(error)
    if isinstance(error, ParameterError) and error.parameter.startswith("y_"):
        text = text.removesuffix(error.remedy)  # which is about arrays
    if not isinstance(error, UsageError | ImportError | OSError):
        # The text of an error of another library, which it may contain, stays as it is.
        cause = str(error.__cause__ or "").rstrip(" .") or "\0"
        text = cause.join(map(with_option_names, text.split(cause)))
        name = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        text = f"{name}{text}"
    return " ".join(text.split()).rstrip(".")
