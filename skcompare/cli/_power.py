"""``skcompare power``: what a test could show, and how many rows it takes."""

from skcompare.advice import power
from skcompare.cli._data import load
from skcompare.cli._options import add_data, add_level, add_output, add_test
from skcompare.cli._output import check_destination, deliver, rendered_json, wrapped
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
        "--target", type=float, default=0.8, help="the power wanted (default: 0.8)"
    )
    planning.add_argument(
        "--n-simulations", type=int, default=500, metavar="N", help="default: 500"
    )
    planning.add_argument("--seed", type=int, help="a number that repeats the run")
    add_output(parser.add_argument_group("output"), ("text", "json"))
    parser.set_defaults(n_resamples=None, jobs=None)


def run(options):
    """Compute the power of a test."""
    check_destination(options.output, options.files)
    data = load(options)
    if data.layout:
        raise ValueError("power takes rows as independent: no --groups, no --strata")
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
    as_json = options.format == "json"
    text = rendered_json(found.to_dict()) if as_json else wrapped(str(found))
    deliver(text, options.output)
    return 0
