"""``skcompare compare``: two models, or all pairs of several."""

from skcompare.cli._data import load
from skcompare.cli._errors import UsageError
from skcompare.cli._options import (
    add_data,
    add_level,
    add_output,
    add_run,
    add_test,
)
from skcompare.cli._output import check_destination, deliver, render, tell
from skcompare.cli._tests import TESTS, compared, make_test
from skcompare.model_selection import PairwiseComparison

__all__ = ["HELP", "EXAMPLES", "add_options", "run"]

HELP = "compare models by what they answered"
EXAMPLES = """\
examples:
  one table with the truth and the answers of both models
    skcompare compare preds.csv --truth gold --a lr --b nb --scoring f1_macro
  the truth, A and B in three files, aligned by an id
    skcompare compare gold.csv a.csv b.csv --id id
  A and B in two files, both with the truth
    skcompare compare a.csv b.csv --id id --truth gold --a pred --b pred
  probabilities, a column for each class
    skcompare compare preds.csv --truth gold --a "svm_proba_*" --b "nb_proba_*" \\
        --scoring neg_log_loss
  texts, one per line: references, A, B
    skcompare compare ref.txt a.txt b.txt --scoring bleu
  all pairs of several models
    skcompare compare preds.csv --truth gold --models lr nb svm
  from a pipe
    zcat preds.csv.gz | skcompare compare - --truth gold --a lr --b nb

exit codes:
  0  the comparison was made, whatever it found
  2  an error, told in one line on standard error
"""


def add_options(parser):
    """Add the options of this command."""
    add_data(parser, many=True)
    testing = parser.add_argument_group("testing")
    add_test(testing, TESTS)
    add_level(testing)
    add_run(testing)
    testing.add_argument(
        "--correction", metavar="NAME", help="for several models (default: holm)"
    )
    add_output(parser.add_argument_group("output"))


def run(options):
    """Compare, and say what was found."""
    check_destination(options.output, options.files)
    data = load(options)
    results = _many(options, data) if _in_pairs(options, data) else _two(options, data)
    deliver(render(results, options.format, options.words), options.output)
    return 0


def _in_pairs(options, data):
    """Return whether no model is the challenger: there are several, or a list."""
    listed = options.models is not None and options.test not in ("auto", "bayes")
    return listed or len(data.models) > 2


def _two(options, data):
    if options.correction is not None:
        raise UsageError("--correction is for several models")
    test = make_test(options, data)
    results = compared(test, data)
    if options.test == "auto":
        tell(f"--test auto takes {test!r}")
    return results


def _many(options, data):
    if options.test in ("auto", "bayes"):
        raise UsageError(
            f"--test {options.test} is for two models. Choose another for several"
        )
    if options.alternative is None:  # no model of a pair is the challenger
        options.alternative = "two-sided"
    settings = {"correction": options.correction, "alpha": options.alpha}
    given = {name: value for name, value in settings.items() if value is not None}
    pairwise = PairwiseComparison(test=make_test(options, data), **given)
    pairwise.fit_predictions(data.truth, data.models, **data.layout)
    return list(pairwise.results_.values())
