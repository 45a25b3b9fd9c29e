"""Options that commands share."""

import argparse
import difflib
from pathlib import Path

from skcompare.cli._formats import FORMATS
from skcompare.cli._scoring import OWN, metric_names
from skcompare.stats import ALTERNATIVES

__all__ = [
    "add_data",
    "add_level",
    "add_output",
    "add_run",
    "add_seed",
    "add_test",
    "format_of",
    "metrics",
    "number",
    "whole_number",
]

OUTPUT_FORMATS = ("text", "json", "markdown", "html", "latex")
COUNTS = ("auto", "ideal")
SUFFIXES = {".json": "json", ".md": "markdown", ".html": "html", ".tex": "latex"}


def metrics(text):
    """Split names of metrics at commas.

    Examples
    --------
    >>> metrics("f1_macro, accuracy")
    ['f1_macro', 'accuracy']
    """
    found = [name.strip() for name in text.split(",")]
    if not all(found) or len(set(found)) < len(found):
        raise argparse.ArgumentTypeError(
            f"must name metrics, separated by commas, none twice. Got {text!r}"
        )
    for name in found:
        _check_known(name)
    return found


def _check_known(name):
    known = metric_names()
    if name not in known:
        close = difflib.get_close_matches(name, known, n=3)
        hint = f". Did you mean {' or '.join(map(repr, close))}?" if close else ""
        raise argparse.ArgumentTypeError(
            f"must name a scorer of scikit-learn, such as f1_macro, or one of "
            f"{', '.join(OWN)}. Got {name!r}{hint}"
        )


def whole_number(text):
    """Read a whole number."""
    try:
        return int(text)
    except ValueError:
        raise _not_a("whole number", text) from None


def number(text):
    """Read a number."""
    try:
        return float(text)
    except ValueError:
        raise _not_a("number", text) from None


def _count(text):
    """Read a number of resamples, or a word for one."""
    if text.lstrip("+-").isdecimal() or text in COUNTS:
        return text if text in COUNTS else int(text)
    raise _not_a(f"whole number, {' or '.join(COUNTS)}", text)


def _seed(text):
    seed = whole_number(text)
    if seed < 0:
        raise _not_a("whole number from 0 on", text)
    return seed


def _workers(text):
    workers = whole_number(text)
    if workers == 0:
        raise _not_a("number of workers, or -1 for all processors", text)
    return workers


def _not_a(what, text):
    return argparse.ArgumentTypeError(f"must be a {what}. Got {text!r}")


def _character(text):
    """Read a delimiter; shells have no easy way to write a tab."""
    character = "\t" if text == r"\t" else text
    if len(character) != 1 or character in '"\r\n':
        raise argparse.ArgumentTypeError(
            f"must be one character, no line break and no quotation mark. Got {text!r}"
        )
    return character


def add_data(parser, *, many=False):
    """Add the files, their columns, and how to read them.

    Parameters
    ----------
    parser : ArgumentParser
        Where to add them.
    many : bool, default=False
        Whether there may be more than two models.
    """
    parser.add_argument(
        "files",
        nargs="+",
        metavar="file",
        help="one table with all columns; or the files of A and B; or those of the "
        "truth, A and B; - is standard input",
    )
    columns = parser.add_argument_group("columns")
    columns.add_argument("--truth", metavar="COLUMN", help="the truth")
    columns.add_argument(
        "--a", metavar="COLUMN", help="the challenger; 'svm_proba_*' is a pattern"
    )
    columns.add_argument("--b", metavar="COLUMN", help="the baseline")
    if many:
        columns.add_argument(
            "--models", nargs="+", metavar="COLUMN", help="all models, instead of two"
        )
    else:
        parser.set_defaults(models=None)
    columns.add_argument("--groups", metavar="COLUMN", help="rows that belong together")
    columns.add_argument(
        "--strata", metavar="COLUMN", help="strata that keep their sizes"
    )
    columns.add_argument("--id", metavar="COLUMN", help="what aligns several files")
    columns.add_argument(
        "--positive", metavar="LABEL", help="the class that f1, roc_auc etc. look for"
    )
    columns.add_argument(
        "--scoring",
        type=metrics,
        metavar="NAME",
        help="a scorer of scikit-learn, such as f1_macro, or one of "
        f"{', '.join(OWN)}; several with commas (default: accuracy or r2)",
    )
    reading = parser.add_argument_group("reading")
    reading.add_argument(
        "--input-format",
        choices=list(FORMATS),
        help="default: by the ending of the name, csv for standard input",
    )
    reading.add_argument(
        "--encoding", default="utf-8", metavar="NAME", help="default: utf-8"
    )
    reading.add_argument(
        "--delimiter",
        type=_character,
        metavar="CHARACTER",
        help=r"default: , or tab, which is written \t",
    )
    reading.add_argument(
        "--no-quotes",
        dest="quotes",
        action="store_false",
        help='take " in CSV and TSV files as any other character',
    )


def add_test(parser, tests):
    """Add the choice of a test."""
    parser.add_argument(
        "--test", choices=list(tests), default="bootstrap", help="default: bootstrap"
    )
    if "bayes" not in tests:
        parser.set_defaults(rope=None)
        return
    parser.add_argument(
        "--rope",
        type=float,
        metavar="SIZE",
        help="differences up to this do not matter, for --test bayes",
    )


def add_level(parser, *, sided=True):
    """Add the level of the test, and its alternative."""
    parser.add_argument(
        "--alpha", type=float, metavar="LEVEL", help="the level (default: 0.05)"
    )
    if sided:
        parser.add_argument(
            "--alternative",
            choices=ALTERNATIVES,
            help="A is better (default), B is, or they differ",
        )


def add_run(parser, *, seed=None):
    """Add how resamples are drawn."""
    parser.add_argument(
        "--n-resamples",
        type=_count,
        metavar="N",
        help="default: 9999; auto stops when the decision is clear, ideal is the limit "
        "of ever more, where it is known",
    )
    add_seed(parser, seed)
    parser.add_argument(
        "--jobs",
        type=_workers,
        metavar="N",
        help="parallel workers (default: 1; -1 takes all processors)",
    )


def add_seed(parser, seed=None):
    """Add what repeats a run."""
    parser.add_argument(
        "--seed",
        type=_seed,
        default=seed,
        metavar="N",
        help="a number that repeats the run",
    )


def format_of(path, formats):
    """Return the format that the name of a file asks for, text if none.

    Examples
    --------
    >>> format_of("answer.html", OUTPUT_FORMATS), format_of(None, OUTPUT_FORMATS)
    ('html', 'text')
    """
    asked = SUFFIXES.get(Path(path or "").suffix.lower(), "text")
    return asked if asked in formats else "text"


def add_output(parser, formats=OUTPUT_FORMATS):
    """Add where the answer goes, and how it looks."""
    parser.add_argument(
        "--format", choices=formats, help="default: by the name of FILE, else text"
    )
    parser.set_defaults(formats=formats)
    parser.add_argument("--output", metavar="FILE", help="default: standard output")
