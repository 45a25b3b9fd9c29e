"""The commands and their options."""

import dataclasses
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcompare._format import format_pvalue
from skcompare._parameters import OneOf
from skcompare.cli._data import NO_DATA, load, of_two
from skcompare.cli._options import (
    AUTO,
    COLUMNS,
    GROUPS,
    ONE_METRIC,
    OPTION_OF,
    OPTIONS,
    TESTS,
    as_options,
    rule_of_tests,
)
from skcompare.cli._tables import UsageError
from skcompare.comparison import PairedBootstrap, advice_on
from skcompare.model_selection import PairwiseComparison
from skcompare.planning import power, recommend_test
from skcompare.reports import report, results_sections, write_file
from skcompare.results import SUFFIXES as DOCUMENTS
from skcompare.results import Code, Notes, Paragraph, Section, Table
from skcompare.stats.intervals import score_range

# Options ignored by tests that do not support them: in general, and with --test auto.
INDIFFERENT = {"--test", "--margin", "--seed", "--jobs", "--correction"}
TEST_DEPENDENT = {"--n-resamples", "--interval", "--method", "--statistic", "--variant"}

# The first and last lines of the demo.
DEMO_DATA = "Breast cancer data: half for training, half for the comparison."
NEXT_STEPS = (
    Paragraph(
        "For your own data, save the truth and the predictions of both models in a "
        "table with one row per example, and run"
    ),
    Code("skcompare compare preds.csv --truth gold --a new --b old --scoring f1_macro"),
    Paragraph(
        "`skcompare advise` recommends a test, and `skcompare power` computes how many "
        "rows are needed."
    ),
)


class Output(NamedTuple):
    """The output of a command.

    Parameters
    ----------
    content : Presentable or dict
        The content of JSON.
    sections : iterable of Section
        The content of other formats.
    status : int, default=0
        The exit status.
    drawn : Result or None, default=None
        The result plotted by --plot.
    remark : str, default=""
        A remark for standard error.
    """

    content: object
    sections: tuple
    status: int = 0
    drawn: object = None
    remark: str = ""


# Tests


def options_set(options, names):
    """Return the options among `names` that have a value, by name in Python."""
    values = {n: getattr(options, n, None) for n in names.replace("-", "_").split()}
    return {name: value for name, value in values.items() if value is not None}


def make_test(options, data):
    """Return the test for the options, and the rows to use it on.

    Parameters
    ----------
    options : argparse.Namespace
        `test`, `scoring` and settings of the test.
    data : Data
        The data to compare models on.

    Returns
    -------
    test : estimator
        The test, not yet fitted, with those options that it supports.
    data : Data
        All rows, or those of a class if the test compares its recall; in blocks if they
        are recommended.
    """
    if options.test != AUTO:
        test = TESTS[options.test]()
        metrics = options.own_metrics
        if "recall" in metrics and options.scoring == ["recall"]:
            data = data.of_class(1)
        elif metrics and options.scoring and "statistic" in test.get_params():
            test.set_params(statistic=options.scoring[0])
    elif "strata" in data.layout:
        test = PairedBootstrap()  # its resamples keep the sizes of strata
    else:
        advice = recommended(options, data)
        test = advice.test
        if advice.positive is not None:
            data = data.of_class(advice.positive)
        if advice.block_length:
            data = data.in_blocks(advice.block_length)
    names = test.get_params(deep=False)
    if options.scoring is not None and "scoring" in names:
        test.set_params(scoring=options.scorers)
    settings = options_set(options, GROUPS["testing"])
    values = {OPTION_OF[name]: value for name, value in settings.items()}
    used = {name: OPTION_OF[name] for name in names if OPTION_OF.get(name) in values}
    test.set_params(**{name: values[option] for name, option in used.items()})
    ignored = INDIFFERENT | TEST_DEPENDENT if options.test == AUTO else INDIFFERENT
    for option in values:
        if option not in ignored and option not in used.values():
            raise UsageError(f"--test {options.test} does not support {option}")
    return test, data


def recommended(options, data):
    """Return the recommendation for two models."""
    return recommend_test(
        *of_two(data),
        scoring=options.scorers,
        groups=data.layout.get("groups"),
        **options_set(options, "alpha n_comparisons"),
    )


# compare


def compare(options):
    r"""Compare models by their predictions: difference, confidence interval, p-value.

    examples:
      one table with the truth and the predictions of both models
        skcompare compare preds.csv --truth gold --a lr --b nb --scoring f1_macro
      the truth, A and B in three files, aligned by an id
        skcompare compare gold.csv a.csv b.csv --id id
      A and B in two files, each with the truth
        skcompare compare a.csv b.csv --id id --truth gold --a pred --b pred
      probabilities, a column for each class
        skcompare compare preds.csv --truth gold --a "svm_proba_*" --b "nb_proba_*" \
            --scoring neg_log_loss
      texts, one per line: references, A and B
        skcompare compare ref.txt a.txt b.txt --scoring bleu
      all pairs of several models
        skcompare compare preds.csv --truth gold --models lr nb svm
      a permutation test, and a plot
        skcompare compare preds.csv --truth gold --a lr --b nb --test randomization \
            --plot result.png
      from a pipe
        zcat preds.csv.gz | skcompare compare - --truth gold --a lr --b nb

    exit codes:
      0  the comparison was made, regardless of the result
      2  an error, reported in one line on standard error
    """
    data = load(options)
    for_two, remark = options.test in (AUTO, "bayes"), ""
    # Several models, or models in a list, have no challenger.
    if len(data.models) > 2 or (options.models is not None and not for_two):
        if for_two:
            raise UsageError(
                f"--test {options.test} is for two models. Choose another test for "
                "several"
            )
        options.alternative = options.alternative or "two-sided"
        test, data = make_test(options, data)
        settings = options_set(options, "correction alpha")
        if options.correction == "max-t" and not test.shares_resamples:
            raise UsageError(
                "--correction max-t needs resamples that all pairs share: --test "
                "bootstrap or randomization, not studentized, with a fixed "
                f"--n-resamples. Got --test {options.test}"
            )
        test = PairwiseComparison(test=test, **settings)
        test.fit_predictions(data.truth, data.models, **data.layout)
    elif options.correction is not None:
        raise UsageError("--correction is for several models")
    else:
        test, data = make_test(options, data)
        names = tuple(data.models)
        test.fit_predictions(
            data.truth, *data.models.values(), names=names, **data.layout
        )
        if options.test == AUTO:
            remark = f"--test auto uses {as_options(test)}"
    results = list(test.results_.values())
    sections = results_sections(results)
    if options.quiet and options.format in ("text", "markdown"):
        sections = [Section("", (Paragraph(r.sentence()),)) for r in results]
    return Output({"results": results}, sections, drawn=results[0], remark=remark)


# gate


def gate(options):
    """Exit with code 0 only if A is significantly better than B, or not worse.

    A passes if the test rejects, at level --alpha, the hypothesis that A is better than
    B by at most --margin. With several metrics, A must pass for each of them. A
    negative margin makes this a test of non-inferiority: with --margin=-0.02, A passes
    if it is shown not to be worse than B by 0.02 or more.

    The default --seed is 0, so that the same files give the same verdict.

    examples:
      skcompare gate preds.csv --truth gold --a new --b old --scoring f1_macro
      skcompare gate preds.csv --truth gold --a new --b old --margin 0.01 --alpha 0.01
      skcompare gate preds.csv --truth gold --a new --b old --margin=-0.02
      as a comment for a pull request
        skcompare gate preds.csv --truth gold --a new --b old --format markdown

    exit codes:
      0  A passed
      1  A did not pass
      2  an error, reported in one line on standard error
    """
    several = options.scoring is not None and len(options.scoring) > 1
    if options.margin != 0 and several:
        raise UsageError(
            "--margin is in units of one metric. Got --scoring "
            f"{','.join(options.scoring)}"
        )
    test, data = make_test(options, load(options))
    test.fit_predictions(*of_two(data), names=tuple(data.models), **data.layout)
    result = next(iter(test.results_.values()))
    low, high = score_range(result.scoring, [result.score_a, result.score_b])
    if abs(options.margin) >= high - low:
        raise UsageError(
            f"--margin must lie strictly between {low - high:g} and {high - low:g}, "
            f"the limits of a difference in {result.scoring}. Got {options.margin:g}. "
            "0.01 is one percentage point"
        )
    pvalues = {r: r.margin_pvalue(options.margin) for r in test.results_.values()}
    # A test of signs or ranks alone does not show that the score is higher.
    passed = all(
        pvalue <= result.alpha and (options.margin != 0 or result.favors_a)
        for result, pvalue in pvalues.items()
    )
    content = {
        "passed": passed,
        "margin": options.margin,
        "seed": options.seed,
        "results": [
            {**result.to_dict(), "gate_pvalue": pvalue}
            for result, pvalue in pvalues.items()
        ],
    }
    sections = results_sections(list(pvalues), requires_all=True)
    details = () if options.quiet else sections
    verdict = _verdict(passed, options, pvalues)
    return Output(content, (verdict, *details), status=0 if passed else 1)


def _verdict(passed, options, pvalues):
    """Return a section with the verdict and how the following results relate to it."""
    margin = options.margin
    claim = "better than B" + (f" by more than {margin:g}" if margin else "")
    if margin < 0:
        claim = f"less than {-margin:g} worse than B"
    numbers = ", ".join(
        f"p = {format_pvalue(pvalue)} in {result.scoring}"
        # A test of signs or ranks does not test the score, which is tested as well.
        + f" and {format_pvalue(result.mean_pvalue)} for its mean"
        * (result.direction is not None)
        for result, pvalue in pvalues.items()
    )
    word = "PASSED: A is" if passed else "NOT PASSED: A is not"
    level = next(iter(pvalues)).alpha
    text = (
        f"{word} shown to be {claim} ({numbers}, level {level:g}, seed {options.seed})."
    )
    about = (
        f"This verdict is about the margin of {margin:g}. The results below ignore it: "
        "they test whether A is better than B at all."
    )
    texts = [text, about] if margin and not options.quiet else [text]
    return Section("", tuple(map(Paragraph, texts)))


# advise


def advise(options):
    """Recommend a significance test for the data, with reasons.

    The output includes the command that runs the recommended test.
    `skcompare compare --test auto` runs it directly.

    examples:
      skcompare advise preds.csv --truth gold --a lr --b nb --scoring f1_macro
      skcompare advise preds.csv --truth gold --a lr --b nb --groups doc --n-comparisons 6
    """  # noqa: E501
    advice = recommended(options, load(options))
    test_args = as_options(advice.test)
    if advice.block_length:
        test_args += f" --block-length {advice.block_length}"
    alpha = advice.test.get_params(deep=False).get("alpha")
    if options.n_comparisons > 1 and alpha is not None and "--alpha" not in test_args:
        test_args += f" --alpha {alpha:.6g}"
    command = _command_of(options.arguments, test_args)
    others = []
    for other in advice.other_questions:  # with options instead of Python code
        if isinstance(other.test, PairwiseComparison):
            call = f"--models COLUMN ... --correction {other.test.correction}"
        else:
            call = as_options(other.test)
        others.append(dataclasses.replace(other, call=f"{call}."))
    notes = [block for block in advice.section().blocks if isinstance(block, Notes)]
    notes.append(Notes("Other questions", tuple(map(str, others))))
    rows = "" if advice.positive is None else f", on the rows of {advice.positive!r}"
    use = Paragraph(f"Use {test_args}{rows}. Run it with:")
    content = {**advice.to_dict(), "command": command}
    return Output(content, [Section("", (use, Code(command), *notes))])


def _command_of(arguments, test_args):
    """Return the command that runs the recommended test.

    Examples
    --------
    >>> arguments = ["p.csv", "--a", "new model", "--n-comparisons", "5"]
    >>> _command_of(arguments, "--test mcnemar --alpha 0.01")
    "skcompare compare p.csv --a 'new model' --test mcnemar --alpha 0.01"
    """
    kept, skip = [], False
    dropped = ("--n-comparisons", "--format", "--output", *test_args.split())
    for argument in arguments:
        name, equals, _ = argument.partition("=")
        if not (skip or name in dropped or argument == "--traceback"):
            kept.append(argument)
        skip = name in dropped and not equals
    return shlex.join(["skcompare", "compare", *kept, *test_args.split()])


# power


def plan(options):
    """Compute how many rows are needed to detect a difference (sample size, power).

    The files are a pilot sample: a truth and the predictions of two models. Without a
    pilot, pass an assumed value: --p-discordant for --test mcnemar, --sd for --test t.

    examples:
      skcompare power pilot.csv --truth gold --a lr --b nb --test mcnemar --effect 0.02
      skcompare power pilot.csv --truth gold --a lr --b nb --scoring f1_macro --n-rows 5000
      without a pilot: exactly one model is expected to be right on 10 % of the rows
        skcompare power --test mcnemar --effect 0.03 --p-discordant 0.1
    """  # noqa: E501
    if options.files:
        test, data = make_test(options, load(options))
        pilot, settings = of_two(data), data.layout
    else:
        for name in (*COLUMNS, "block-length", "positive"):
            if getattr(options, name.replace("-", "_")) is not None:
                raise UsageError(f"--{name} needs the file of a pilot")
        if options.test == AUTO or advice_on(TESTS[options.test]()).power_from is None:
            raise UsageError(
                "Without the file of a pilot, --test must be mcnemar, with "
                f"--p-discordant, or t, with --sd. Got {options.test}"
            )
        test, _ = make_test(options, NO_DATA)
        pilot, settings = (), {"scoring": options.scorers}
    planned = power(
        test,
        *pilot,
        **settings,
        **options_set(options, GROUPS["planning"]),
        random_state=options.seed,
        n_jobs=options.jobs,
    )
    return Output(planned, [planned.section().brief()])


# demo


def demo(options):
    """Compare two classifiers on a data set from scikit-learn.

    examples:
      skcompare demo
      skcompare demo --scoring roc_auc --plot demo.png
    """
    suffix = Path(options.output).suffix.lower()
    if suffix not in DOCUMENTS:
        endings = ", ".join(DOCUMENTS)
        raise UsageError(
            f"--output must end in one of {endings}. Got {options.output!r}"
        )
    X_train, X_test, y_train, y_test = train_test_split(
        *load_breast_cancer(return_X_y=True), test_size=0.5, random_state=0
    )
    a = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    b = GaussianNB().fit(X_train, y_train)
    test = PairedBootstrap(
        a,
        b,
        scoring=options.scorers,
        n_resamples=options.n_resamples,
        random_state=options.seed,
        n_jobs=options.jobs,
    ).fit(X_test, y_test)
    results = list(test.results_.values())
    content = report(test, format=DOCUMENTS[suffix])
    write_file(options.output, f"{content}\n".encode())
    kinds = Paragraph if options.quiet else Paragraph | Table
    sections = [result.section().brief() for result in results]
    blocks = [b for section in sections for b in section.blocks if isinstance(b, kinds)]
    if not options.quiet:
        html = DOCUMENTS[suffix] == "html"
        full_report = f"The full report is in {options.output}, with the hypotheses" + (
            " and, if matplotlib is installed, a plot." if html else "."
        )
        blocks = [Paragraph(DEMO_DATA), *blocks, Paragraph(full_report), *NEXT_STEPS]
    options.output = None  # already used for the report: print the rest
    return Output({}, [Section("", tuple(blocks))], drawn=results[0])


# Definitions of the commands


class Command(NamedTuple):
    """Definition of a command.

    Parameters
    ----------
    run : callable
        ``run(options)`` runs it and returns an `Output`. Its docstring is the help: a
        summary line, and examples.
    options : str
        Names of its options.
    narrowed : dict
        The rules of options that allow fewer values than usual, by option.
    defaults : dict
        Defaults that differ from the usual ones, by option.
    n_files : {"+", "*"} or None
        The number of files: at least one, any number, or none.
    """

    run: Callable
    options: str
    narrowed: Mapping = MappingProxyType({})
    defaults: Mapping = MappingProxyType({})
    n_files: str | None = "+"


_FILES = (
    "truth a b groups block-length id positive scoring list-scorers input-format "
    "encoding delimiter decimal no-quotes format output traceback"
)
_TESTING = "test alpha method statistic variant"
_DRAWING = "n-resamples seed jobs"
_P_VALUES = rule_of_tests((*(name for name in TESTS if name != "bayes"), AUTO))


def _formats(*names):
    """Return the rule for --format with some of the formats."""
    return OneOf(*names, help=OPTIONS["format"].help)


COMMANDS = {
    "compare": Command(
        compare,
        f"{_FILES} models names strata {_TESTING} alternative confidence-level "
        f"interval {_DRAWING} correction rope plot quiet",
    ),
    "gate": Command(
        gate,
        f"{_FILES} names strata {_TESTING} margin {_DRAWING} quiet",
        {"test": _P_VALUES, "format": _formats("text", "json", "markdown")},
        {"seed": 0},
    ),
    "advise": Command(
        advise,
        f"{_FILES} names alpha n-comparisons",
        {"scoring": ONE_METRIC, "format": _formats("text", "json")},
    ),
    "power": Command(
        plan,
        f"{_FILES} {_TESTING} alternative effect p-discordant sd n-rows target "
        "n-simulations seed jobs",
        {
            "test": _P_VALUES,
            "scoring": ONE_METRIC,
            "format": _formats("text", "json"),
        },
        n_files="*",
    ),
    "demo": Command(
        demo,
        f"scoring list-scorers {_DRAWING} output plot quiet traceback",
        defaults={
            "scoring": ["f1_macro"],
            "n-resamples": 9_999,
            "seed": 0,
            "output": "skcompare-demo.html",
        },
        n_files=None,
    ),
}
