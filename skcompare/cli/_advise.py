"""``skcompare advise``: which test fits."""

from skcompare.cli._data import load
from skcompare.cli._options import add_data, add_level, add_output
from skcompare.cli._output import check_destination, deliver, rendered_json
from skcompare.cli._tests import recommended

__all__ = ["EXAMPLES", "HELP", "add_options", "run"]

HELP = "tell which test fits the data, and why"
EXAMPLES = """\
`skcompare compare` with the same options and --test auto runs that test.

examples:
  skcompare advise preds.csv --truth gold --a lr --b nb --scoring f1_macro
  skcompare advise preds.csv --truth gold --a lr --b nb --groups doc --n-comparisons 6
"""


def add_options(parser):
    """Add the options of this command."""
    add_data(parser)
    testing = parser.add_argument_group("testing")
    add_level(testing, sided=False)
    testing.add_argument(
        "--n-comparisons",
        type=int,
        default=1,
        metavar="N",
        help="the number of comparisons of which this is one (default: 1)",
    )
    add_output(parser.add_argument_group("output"), ("text", "json"))


def run(options):
    """Recommend a test."""
    check_destination(options.output, options.files)
    advice = recommended(options, load(options), n_comparisons=options.n_comparisons)
    show = _as_json if options.format == "json" else str
    deliver(show(advice), options.output)
    return 0


def _as_json(advice):
    return rendered_json(
        {
            "test": type(advice.test).__name__,
            "configured": repr(advice.test),
            "reasons": advice.reasons,
            "warnings": advice.warnings,
            "alternatives": [vars(other) for other in advice.alternatives],
            "other_questions": list(map(_as_dict, advice.other_questions)),
        }
    )


def _as_dict(other):
    return {**vars(other), "test": type(other.test).__name__}
