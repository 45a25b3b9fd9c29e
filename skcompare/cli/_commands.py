"""The commands of the program: what each does, and which options it has."""

import dataclasses
from collections.abc import Callable

from skcompare.cli._options import AUTO, TESTS
from skcompare.cli._run import advise, compare, demo, gate, plan


@dataclasses.dataclass(frozen=True)
class Command:
    """What there is to know about a command.

    Parameters
    ----------
    run : callable
        ``run(options)`` does it and returns the exit status.
    help, epilog : str
        What it does, in a line and with examples.
    options : dict
        Names of its options by the title of their group.
    narrowed : dict
        By option, the choices it has, where these are not all.
    defaults : dict
        By option, its own defaults.
    has_files : bool
        Whether it reads files.
    """

    run: Callable
    help: str
    epilog: str
    options: dict
    narrowed: dict = dataclasses.field(default_factory=dict)
    defaults: dict = dataclasses.field(default_factory=dict)
    has_files: bool = True


_COLUMNS = ("groups", "strata", "id", "positive", "scoring", "list-scorers")
_PAIR = ("truth", "a", "b", "names", *_COLUMNS)
_READING = ("input-format", "encoding", "delimiter", "decimal", "no-quotes")
_DRAWING = ("n-resamples", "seed", "jobs")
_P_VALUES = (*(name for name in TESTS if name != "bayes"), AUTO)

COMMANDS = {
    "compare": Command(
        compare,
        "compare models by predictions: difference, confidence interval, p-value",
        """\
examples:
  one table with the truth and the predictions of both models
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
  a permutation test, and a plot
    skcompare compare preds.csv --truth gold --a lr --b nb --test randomization \\
        --plot result.png
  from a pipe
    zcat preds.csv.gz | skcompare compare - --truth gold --a lr --b nb

exit codes:
  0  the comparison was made, whatever it showed
  2  an error, reported in one line on standard error
""",
        {
            "columns": ("truth", "a", "b", "models", "names", *_COLUMNS),
            "reading": _READING,
            "testing": (
                *("test", "alpha", "alternative", "confidence-level", "interval"),
                *(*_DRAWING, "correction", "rope"),
            ),
            "output": ("format", "output", "plot", "quiet", "traceback"),
        },
    ),
    "gate": Command(
        gate,
        "exit with 0 only if A is better than B, or not worse (non-inferiority)",
        """\
A passes if the test rejects, at --alpha, that it is better than B by no more than
--margin. With several metrics it must pass in each of them. A negative margin is a
test of non-inferiority: whether A is at least not worse than B by so much.

The seed is 0 unless --seed is given, so that the same files give the same verdict.

examples:
  skcompare gate preds.csv --truth gold --a new --b old --scoring f1_macro
  skcompare gate preds.csv --truth gold --a new --b old --margin 0.01 --alpha 0.01
  skcompare gate preds.csv --truth gold --a new --b old --margin=-0.02
  for a comment on a pull request
    skcompare gate preds.csv --truth gold --a new --b old --format markdown

exit codes:
  0  A passed
  1  A did not pass
  2  an error, reported in one line on standard error
""",
        {
            "columns": _PAIR,
            "reading": _READING,
            "testing": ("test", "alpha", "margin", *_DRAWING),
            "output": ("format", "output", "quiet", "traceback"),
        },
        {"test": _P_VALUES, "format": ("text", "json", "markdown")},
        {"seed": 0},
    ),
    "advise": Command(
        advise,
        "say which significance test fits the data, and why",
        """\
`skcompare compare` with the same options and --test auto runs that test.

examples:
  skcompare advise preds.csv --truth gold --a lr --b nb --scoring f1_macro
  skcompare advise preds.csv --truth gold --a lr --b nb --groups doc --n-comparisons 6
""",
        {
            "columns": _PAIR,
            "reading": _READING,
            "testing": ("alpha", "n-comparisons"),
            "output": ("format", "output", "traceback"),
        },
        {"format": ("text", "json")},
    ),
    "power": Command(
        plan,
        "say how many rows it takes to show a difference (sample size, power)",
        """\
The table is a pilot: the predictions of two models for some rows.

examples:
  skcompare power pilot.csv --truth gold --a lr --b nb --test mcnemar --effect 0.02
  skcompare power pilot.csv --truth gold --a lr --b nb --scoring f1_macro --n-rows 5000
""",
        {
            "columns": _PAIR,
            "reading": _READING,
            "testing": ("test", "alpha", "alternative"),
            "planning": ("effect", "n-rows", "target", "n-simulations", "seed"),
            "output": ("format", "output", "traceback"),
        },
        {"test": _P_VALUES, "format": ("text", "json")},
    ),
    "demo": Command(
        demo,
        "compare two classifiers on data that ship with scikit-learn",
        """\
examples:
  skcompare demo
  skcompare demo --scoring roc_auc --plot demo.png
""",
        {
            "comparison": ("scoring", "list-scorers", *_DRAWING),
            "output": ("plot", "quiet", "traceback"),
        },
        defaults={"scoring": ["f1_macro"], "n-resamples": 9_999, "seed": 0},
        has_files=False,
    ),
}
