"""The commands: what each does, and which options it has."""

import dataclasses
import shlex
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcompare._format import format_pvalue
from skcompare.cli._data import load
from skcompare.cli._options import AUTO, TESTS, as_scoring
from skcompare.cli._output import (
    check_destination,
    deliver,
    draw,
    option_of,
    present,
    sections_of,
    tell,
    typed_form,
)
from skcompare.cli._tables import UsageError
from skcompare.comparison import PairedBootstrap, advice_on
from skcompare.model_selection import PairwiseComparison
from skcompare.planning import power, recommend_test
from skcompare.reports import report, results_sections, write_file
from skcompare.results import Code, Document, Notes, Paragraph, Section, Table, write

# Options that set parameters of tests.
SETTINGS = (
    *("alpha", "alternative", "confidence_level", "interval", "method", "statistic"),
    *("variant", "n_resamples", "rope", "seed", "jobs"),
)

# What the demo begins and ends with.
DEMO_DATA = "Breast cancer data: half for training, half for the comparison.\n"
NEXT_STEPS = """
The whole report is in {path}: what was tested, on what,
and a plot where matplotlib is installed.

For your own data: save the truth and the predictions of both models in a table, a row
for each example, and type

  skcompare compare preds.csv --truth gold --a new --b old --scoring f1_macro

`skcompare advise` says which test fits, `skcompare power` how many rows it takes."""

# Options that make no difference to a test that does not take them, and those that the
# test which is recommended may not take.
INDIFFERENT = frozenset(("--seed", "--jobs"))
UNCLEAR = frozenset(
    ("--n-resamples", "--interval", "--method", "--statistic", "--variant")
)


# Tests


def make_test(options, data):
    """Return the test that was asked for, and the rows that it is made on.

    Parameters
    ----------
    options : argparse.Namespace
        `test`, `scoring` and settings of the test.
    data : Data
        What the test is for.

    Returns
    -------
    test : estimator
        The test, not yet fitted, with as much of the options as it takes.
    data : Data
        All rows, or those of a class if the test is about its recall; in blocks if
        the recommended test takes them so.
    """
    if options.test != AUTO:
        test = TESTS[options.test]()
        metrics = advice_on(test).metrics
        if metrics and options.scoring not in (None, *([name] for name in metrics)):
            raise UsageError(
                f"--test {options.test} compares by {' or '.join(metrics)} and takes "
                f"no other --scoring. Got {','.join(options.scoring)}"
            )
        if "recall" in metrics and options.scoring == ["recall"]:
            data = data.of_class(1)
        elif metrics and options.scoring and "statistic" in test.get_params():
            test.set_params(statistic=options.scoring[0])
    elif "strata" in data.layout:
        test = PairedBootstrap()  # the one test in which strata make a difference
    else:
        advice = recommended(options, data)
        test = advice.test
        if advice.positive is not None:
            data = data.of_class(advice.positive)
        if advice.block_length:
            data = data.in_blocks(advice.block_length)
    taken = test.get_params(deep=False)
    if options.scoring is not None and "scoring" in taken:
        test.set_params(scoring=as_scoring(options.scoring))
    values = {
        option_of(name): value
        for name in SETTINGS
        if (value := getattr(options, name, None)) is not None
    }
    fitting = {name: option_of(name) for name in taken if option_of(name) in values}
    test.set_params(**{name: values[option] for name, option in fitting.items()})
    ignored = INDIFFERENT | UNCLEAR if options.test == AUTO else INDIFFERENT
    for option in values:
        if option not in ignored and option not in fitting.values():
            raise UsageError(f"--test {options.test} takes no {option}")
    return test, data


def recommended(options, data, **setting):
    """Return the recommendation for two models."""
    if options.alpha is not None:
        setting["alpha"] = options.alpha
    return recommend_test(
        data.truth,
        *data.pair,
        scoring=as_scoring(options.scoring),
        groups=data.layout.get("groups"),
        **setting,
    )


def compare_two(test, data):
    """Return the results of a test of two models, one for each metric."""
    names = tuple(data.models)
    test.fit_predictions(data.truth, *data.pair, names=names, **data.layout)
    return list(test.results_.values())


# compare


def compare(options):
    """Compare, and write the results."""
    data = load(options)
    # No model is the challenger among several, or in a list.
    alone = options.test in (AUTO, "bayes")
    if len(data.models) > 2 or (options.models is not None and not alone):
        if alone:
            raise UsageError(
                f"--test {options.test} is for two models. Choose another for several"
            )
        options.alternative = options.alternative or "two-sided"
        settings = {"correction": options.correction, "alpha": options.alpha}
        chosen = {name: value for name, value in settings.items() if value is not None}
        test, data = make_test(options, data)
        pairwise = PairwiseComparison(test=test, **chosen)
        pairwise.fit_predictions(data.truth, data.models, **data.layout)
        results = list(pairwise.results_.values())
    elif options.correction is not None:
        raise UsageError("--correction is for several models")
    else:
        test, data = make_test(options, data)
        results = compare_two(test, data)
        if options.test == AUTO and not options.quiet:
            tell(f"--test auto takes {typed_form(test)}")
    if options.plot is not None:
        draw(results[0], options.plot)
    present(
        options,
        lambda: {"results": [result.to_dict() for result in results]},
        sections_of(results, options),
    )
    return 0


# gate


def gate(options):
    """Compare, and let A pass or not."""
    several = options.scoring is not None and len(options.scoring) > 1
    if options.margin != 0 and several:
        raise UsageError(
            "--margin is in units of one metric. Got --scoring "
            f"{','.join(options.scoring)}"
        )
    results = compare_two(*make_test(options, load(options)))
    pvalues = [result.margin_pvalue(options.margin) for result in results]
    # A test of signs or ranks does not show by itself that the score is higher.
    passed = all(
        pvalue <= result.alpha and (options.margin != 0 or result.favors_a)
        for pvalue, result in zip(pvalues, results, strict=True)
    )
    content = {
        "passed": passed,
        "margin": options.margin,
        "seed": options.seed,
        "results": [
            {**result.to_dict(), "gate_pvalue": pvalue}
            for result, pvalue in zip(results, pvalues, strict=True)
        ],
    }
    shown = () if options.quiet else results_sections(results)
    verdict = _verdict(passed, options, pvalues, results)
    present(options, lambda: content, (verdict, *shown))
    return 0 if passed else 1


def _verdict(passed, options, pvalues, results):
    """Return a section: the verdict, and how it goes with what follows."""
    margin = options.margin
    claim = "better than B" + (f" by more than {margin:g}" if margin else "")
    if margin < 0:
        claim = f"less than {-margin:g} worse than B"
    numbers = ", ".join(
        f"p = {format_pvalue(pvalue)} in {result.scoring}"
        # A test of signs or ranks is not about the score, which must be shown, too.
        + f" and {format_pvalue(result.mean_pvalue)} for its mean"
        * (result.direction is not None)
        for result, pvalue in zip(results, pvalues, strict=True)
    )
    word = "PASSED: A is" if passed else "NOT PASSED: A is not"
    text = (
        f"{word} shown to be {claim} ({numbers}, level {results[0].alpha:g}, seed "
        f"{options.seed})."
    )
    about = (
        f"This verdict is about the margin of {margin:g}. What follows is about no "
        "margin: whether A is better than B at all."
    )
    texts = [text, about] if margin and not options.quiet else [text]
    return Section("", tuple(map(Paragraph, texts)))


# advise


def advise(options):
    """Recommend a test, and say how to run it."""
    advice = recommended(options, load(options), n_comparisons=options.n_comparisons)
    level = advice.test.get_params(deep=False).get("alpha")
    typed = typed_form(advice.test)
    if advice.block_length:
        typed += f" --block-length {advice.block_length}"
    command = _command_of(
        options.arguments, typed, level if options.n_comparisons > 1 else None
    )
    content = {**advice.to_dict(), "command": command}
    others = []
    for other in advice.other_questions:  # with options in place of lines of Python
        call = typed_form(other.test)
        if isinstance(other.test, PairwiseComparison):
            call = f"--models COLUMN ... --correction {other.test.correction}"
        others.append(dataclasses.replace(other, call=f"{call}."))
    notes = [block for block in advice.section().blocks if isinstance(block, Notes)]
    notes.append(Notes("Other questions", tuple(map(str, others))))
    rows = "" if advice.positive is None else f", on the rows of {advice.positive!r}"
    use = Paragraph(f"Use {typed}{rows}. This runs it:")
    present(options, lambda: content, [Section("", (use, Code(command), *notes))])
    return 0


def _command_of(arguments, typed, alpha):
    """Return the command that runs the recommended test, at a level of its own if any.

    Examples
    --------
    >>> arguments = ["p.csv", "--a", "new model", "--n-comparisons", "5"]
    >>> _command_of(arguments, "--test mcnemar", 0.01)
    "skcompare compare p.csv --a 'new model' --test mcnemar --alpha 0.01"
    """
    kept, skip = [], False
    for argument in arguments:
        name, equals, _ = argument.partition("=")
        dropped = name in ("--n-comparisons", "--format", "--output")
        dropped = dropped or name in typed.split()
        dropped = dropped or (name == "--alpha" and alpha is not None)
        if not (skip or dropped or argument == "--traceback"):
            kept.append(argument)
        skip = dropped and not equals
    level = [] if alpha is None else ["--alpha", f"{alpha:.6g}"]
    own = [] if "--alpha" in typed else level
    return shlex.join(["skcompare", "compare", *kept, *typed.split(), *own])


# power


def plan(options):
    """Compute the power of a test."""
    data = load(options)
    if "strata" in data.layout:
        raise UsageError("power draws rows or groups: it takes no --strata")
    test, data = make_test(options, data)
    planned = power(
        test,
        data.truth,
        *data.pair,
        **data.layout,
        effect=options.effect,
        n_rows=options.n_rows,
        target=options.target,
        n_simulations=options.n_simulations,
        random_state=options.seed,
    )
    present(options, planned.to_dict, [planned.section().brief()])
    return 0


# demo


def demo(options):
    """Compare two classifiers, and save the report."""
    X_train, X_test, y_train, y_test = train_test_split(
        *load_breast_cancer(return_X_y=True), test_size=0.5, random_state=0
    )
    a = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    b = GaussianNB().fit(X_train, y_train)
    test = PairedBootstrap(
        a,
        b,
        scoring=as_scoring(options.scoring),
        n_resamples=options.n_resamples,
        random_state=options.seed,
        n_jobs=options.jobs,
    ).fit(X_test, y_test)
    results = list(test.results_.values())
    check_destination(options.output)
    write_file(options.output, report(test, format="html").encode())
    if options.plot is not None:
        draw(results[0], options.plot)
    kept = Paragraph if options.quiet else Paragraph | Table
    sections = [
        Section("", tuple(b for b in result.section().blocks if isinstance(b, kept)))
        for result in results
    ]
    text = write(Document("", tuple(section.brief() for section in sections)), "text")
    if not options.quiet:
        text = "\n".join([DEMO_DATA, text, NEXT_STEPS.format(path=options.output)])
    deliver(text)
    return 0


# What there is to know about them


class Command(NamedTuple):
    """What there is to know about a command.

    Parameters
    ----------
    run : callable
        ``run(options)`` does it and returns the exit status.
    help, epilog : str
        What it does, in a line and with examples.
    options : dict
        Names of its options by the title of their group.
    narrowed : mapping
        By option, the choices it has, where these are not all.
    defaults : mapping
        By option, its own defaults.
    has_files : bool
        Whether it reads files.
    """

    run: Callable
    help: str
    epilog: str
    options: dict
    narrowed: Mapping = MappingProxyType({})
    defaults: Mapping = MappingProxyType({})
    has_files: bool = True


_COLUMNS = (
    *("groups", "block-length", "strata", "id", "positive", "scoring", "list-scorers"),
)
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
                *("method", "statistic", "variant", *_DRAWING, "correction", "rope"),
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
            "testing": (
                *("test", "alpha", "margin", "method", "statistic", "variant"),
                *_DRAWING,
            ),
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
            "testing": (
                *("test", "alpha", "alternative", "method", "statistic", "variant"),
            ),
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
            "output": ("output", "plot", "quiet", "traceback"),
        },
        defaults={
            "scoring": ["f1_macro"],
            "n-resamples": 9_999,
            "seed": 0,
            "output": "skcompare-demo.html",
        },
        has_files=False,
    ),
}
