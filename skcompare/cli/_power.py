"""``skcompare power``: what a test could show, and how many rows it takes."""

import dataclasses

from skcompare.advice import power
from skcompare.cli._data import load
from skcompare.cli._errors import UsageError
from skcompare.cli._options import (
    add_data,
    add_level,
    add_output,
    add_seed,
    add_test,
)
from skcompare.cli._output import (
    as_dict,
    check_destination,
    deliver,
    rendered_json,
    wrapped,
)
from skcompare.cli._tests import TESTS, make_test

__all__ = ["EXAMPLES", "HELP", "add_options", "run"]

HELP = "tell how many rows it takes to show a difference"
EXAMPLES = """\
The table is a pilot: the answers of two models to some rows.

examples:
  skcompare power pilot.csv --truth gold --a lr --b nb --test mcnemar --effect 0.02
  skcompare power pilot.csv --truth gold --a lr --b nb --scoring f1_macro --n-rows 5000
"""


def add_options(parser):
    """Add the options of this command."""
    add_data(parser)
    testing = parser.add_argument_group("testing")
    add_test(testing, [name for name in TESTS if name != "bayes"])
    add_level(testing)
    planning = parser.add_argument_group("planning")
    planning.add_argument(
        "--effect",
        type=float,
        metavar="SIZE",
        help="the true difference hoped for (default: that of the pilot)",
    )
    planning.add_argument(
        "--n-rows", type=int, metavar="N", help="default: as many as the pilot has"
    )
    planning.add_argument(
        "--target",
        type=float,
        default=0.8,
        metavar="POWER",
        help="the power wanted (default: 0.8)",
    )
    planning.add_argument(
        "--n-simulations", type=int, default=500, metavar="N", help="default: 500"
    )
    add_seed(planning)
    add_output(parser.add_argument_group("output"), ("text", "json"))
    parser.set_defaults(n_resamples=None, jobs=None)


def run(options):
    """Compute the power of a test."""
    check_destination(options.output, options.files)
    data = load(options)
    if data.layout:
        raise UsageError("power takes rows as independent: no --groups, no --strata")
    found = power(
        make_test(options, data),
        data.truth,
        *data.pair,
        effect=options.effect,
        n_rows=options.n_rows,
        target=options.target,
        n_simulations=options.n_simulations,
        random_state=options.seed,
    )
    show = _as_json if options.format == "json" else _as_text
    deliver(show(found, options.words), options.output)
    return 0


def _as_json(found, words):
    return rendered_json(as_dict(found, words))


def _as_text(found, words):
    notes = tuple(map(words, found.notes))
    return wrapped(str(dataclasses.replace(found, notes=notes)))
