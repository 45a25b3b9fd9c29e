"""Errors of the command line: in terms of its options, in one line."""

import csv
import io
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from skcompare.cli import main

FAST = "--n-resamples 49 --seed 0"
PAIR = "--truth gold --a lr --b nb"

COMMANDS = ("compare", "gate", "advise", "power", "demo")

# No message names a parameter, or how to pass arrays.
IN_PYTHON = re.compile(
    r"`(y_true|y_preds?(_[ab])?|credible_level|n_\w+|random_state|alpha|alternative"
    r"|confidence_level|interval|method|statistic|variant|correction|rope|scoring"
    r"|groups|strata|names|margin|effect|target)`|Traceback|model\.\w|argmax|mapping"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files as people have them, in a folder of their own."""
    folder = tmp_path_factory.mktemp("files")
    rng = np.random.default_rng(0)
    n = 60
    gold = rng.integers(2, size=n)
    three = rng.choice(["neg", "neu", "pos"], size=n)
    columns = {
        "id": np.arange(n),
        "gold": gold,
        "lr": np.where(rng.random(n) < 0.8, gold, 1 - gold),
        "nb": np.where(rng.random(n) < 0.7, gold, 1 - gold),
        "p": rng.random(n),
        "q": rng.random(n),
        "x": rng.normal(size=n),
        "z": rng.normal(size=n),
        "one": np.ones(n, dtype=int),
        "half": np.full(n, 1.5),
        "five": np.arange(n) // 5,
        "hole": ["" if row % 7 == 0 else row for row in range(n)],
        "text": [f"t{row}" for row in range(n)],
        "three": three,
        "three_a": rng.permutation(three),
        "three_b": rng.permutation(three),
        **{f"p_{k}": rng.random(n) for k in ("neg", "neu", "pos")},
    }
    write(folder / "t.csv", columns)
    small = {"gold": [1], "lr": [1], "nb": [0]}
    write(folder / "one.csv", small)
    write(folder / "two.csv", {"gold": [1, 0], "lr": [1, 0], "nb": [0, 1]})
    write(folder / "same.csv", {"gold": gold, "lr": gold, "nb": gold})
    write(folder / "only.csv", {"gold": [1] * 40, "lr": [1, 0] * 20, "nb": [0] * 40})
    text = "gold,lr,nb\n1,1,0\n0,0,1\n"
    for name, content in {
        "empty.csv": b"",
        "binary.csv": bytes(range(256)) * 4,
        "nul.csv": text.replace("1", "\0").encode(),
        "utf16.csv": text.encode("utf-16"),
        "utf16le.csv": text.encode("utf-16-le"),
        "semicolon.csv": text.replace(",", ";").encode(),
        "tab.csv": text.replace(",", "\t").encode(),
        "table.json": b'[{"gold": 1, "lr": 1, "nb": 0}]',
        "array.npy": b"gold,lr,nb\n",
        "gap.csv": b"gold,lr,nb\n1,,0\n0,1,1\n",
    }.items():
        (folder / name).write_bytes(content)
    (folder / "folder.csv").mkdir()
    return folder


def write(path, columns):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


@pytest.fixture
def run_line(folder, capsys, monkeypatch):
    """Run a command line and return its status, output and errors."""
    monkeypatch.chdir(folder)

    def run(line):
        try:
            status = main(shlex.split(line))
        except SystemExit as end:
            status = end.code
        return status, *capsys.readouterr()

    return run


# Errors

WRONG = {
    # Options
    f"compare t.csv {PAIR} --n-resamples 0": (
        "--n-resamples must be one of 'auto', 'ideal', or an integer from 1 to "
        "100,000,000. Got '0'"
    ),
    f"compare t.csv {PAIR} --n-resamples 1e4": "to 100,000,000. Got '1e4'",
    f"compare t.csv {PAIR} --n-resamples auto --test bayes": (
        "--n-resamples must be an integer from 20 to 100,000,000. Got 'auto'"
    ),
    f"compare t.csv {PAIR} --n-resamples 999999999999": "--n-resamples must be",
    f"compare t.csv {PAIR} --n-resamples ideal --test randomization": (
        "--n-resamples must be 'auto', or an integer from 1 to 100,000,000. Got 'ideal'"
    ),
    f"compare t.csv {PAIR} --n-resamples ideal --scoring f1": (
        "--n-resamples 'ideal' is for means of per-row scores"
    ),
    f"compare t.csv {PAIR} --test bayes --scoring adjusted_rand_score": (
        "--test bootstrap and --test randomization, which resample or swap rows, take"
    ),
    f"compare t.csv {PAIR} --alpha 0": "--alpha must lie strictly between 0 and 1",
    f"compare t.csv {PAIR} --alpha 2": "--alpha must lie strictly between 0 and 1",
    f"compare t.csv {PAIR} --alpha nan": "--alpha must lie strictly between 0 and 1",
    f"compare t.csv {PAIR} --alpha much": (
        "--alpha must lie strictly between 0 and 1. Got 'much'"
    ),
    f"compare t.csv {PAIR} --alternative two_sided": (
        "--alternative must be one of 'greater', 'less', 'two-sided'. Got 'two_sided'. "
        "Did you mean 'two-sided'?"
    ),
    f"compare t.csv {PAIR} --format pdf": "--format must be one of 'text', 'markdown'",
    f"gate t.csv {PAIR} --test bayes": "--test must be one of 'bootstrap', 'random",
    f"compare t.csv {PAIR} --seed -1": "--seed must be a non-negative integer",
    f"compare t.csv {PAIR} --seed x": "a non-negative integer. Got 'x'",
    f"compare t.csv {PAIR} --jobs 0": (
        "--jobs must be an integer other than 0; -1 uses all processors. Got '0'"
    ),
    f"compare t.csv {PAIR} --rope=-1 --test bayes": (
        "--rope must be a finite number of at least 0. Got '-1'"
    ),
    f"compare t.csv {PAIR} --rope 0.1": "--test bootstrap does not support --rope",
    f"compare t.csv {PAIR} --rope 2 --test bayes": (
        "Got 2.0. 0.01 is one percentage point of a metric between 0 and 1"
    ),
    f"compare t.csv {PAIR} --scoring nope": " (--list-scorers lists all). Got 'nope'",
    f"compare t.csv {PAIR} --scoring blue": "Did you mean 'bleu'",
    f"compare t.csv {PAIR} --alternativ less": "Did you mean --alternative?",
    f"gate t.csv {PAIR} --alternative less": (
        "unrecognized arguments: --alternative less"
    ),
    f"gate t.csv {PAIR} --margin x": "--margin must be a finite number. Got 'x'",
    f"gate t.csv {PAIR} --alpha 0": "--alpha must lie strictly between 0 and 1",
    f"power t.csv {PAIR} --n-rows 1": "--n-rows must be an integer from 2 to",
    f"power t.csv {PAIR} --effect nan": "--effect must be a finite number. Got 'nan'",
    f"power t.csv {PAIR} --effect 5": "--effect must lie between -",
    f"power t.csv {PAIR} --effect 0.9 --scoring f1": "--effect must lie between -",
    f"power t.csv {PAIR} --test mcnemar --effect 0.1 --groups lr": (
        "--groups cannot be used with --test mcnemar"
    ),
    f"power t.csv {PAIR} --target 0.01": "--target must be above --alpha, 0.05",
    f"power t.csv {PAIR} --n-simulations 0": "--n-simulations must be an integer",
    f"power t.csv {PAIR} --scoring accuracy,f1": "--scoring must be a single metric",
    f"advise t.csv {PAIR} --n-comparisons 0": "--n-comparisons must be an integer",
    f"advise t.csv {PAIR} --n-comparisons x": "--n-comparisons must be an integer",
    "compare t.csv --truth gold --models lr nb --correction nope": (
        "--correction must be one of 'bonferroni', 'holm'"
    ),
    "compare t.csv --truth gold --models lr nb one --correction max-t --test mcnemar": (
        "--correction max-t needs resamples that all pairs share: --test bootstrap or "
        "randomization, not studentized, with a fixed --n-resamples. Got --test mcnemar"
    ),
    f"compare t.csv {PAIR} --groups five --test mcnemar": (
        "--groups cannot be used with --test mcnemar, which assumes independent rows, "
        "which rows of one group are not. Use --test bootstrap or --test "
        "randomization: they take --groups"
    ),
    f"compare t.csv {PAIR} --strata gold --test mcnemar": "they take --strata",
    "compare t.csv --truth three --a three_a --b three_b --test correlation": (
        "The scorer 'pearson' fails for --a, read as labels: could not convert string "
        "to float"
    ),
    f"compare t.csv {PAIR} --groups five --strata gold": (
        "--groups must nest in --strata"
    ),
    # Columns
    f"compare t.csv {PAIR} --groups hole": "column 'hole' of t.csv has 9 empty",
    f"compare t.csv {PAIR} --strata hole": "column 'hole' of t.csv has 9 empty",
    f"compare t.csv {PAIR} --groups 'three_*'": (
        "--groups three_* is ambiguous: t.csv has three_a, three_b. Name one of them"
    ),
    f"compare t.csv {PAIR} --strata 'p_*'": (
        "--strata p_* is ambiguous: t.csv has p_neg, p_neu, p_pos. Name one of them"
    ),
    f"compare t.csv {PAIR} --id 'three_*'": "--id three_* is ambiguous: t.csv has thr",
    f"compare t.csv {PAIR} --scoring neg_log_loss": (
        "--scoring neg_log_loss needs probabilities, but column 'lr' of t.csv has "
        "labels: pass a pattern for the columns of all classes, such as 'svm_proba_*'"
    ),
    "compare t.csv --truth gold --a p --b q": (
        "--scoring accuracy compares labels, but column 'p' of t.csv has probabilities:"
        " pass a column of labels, or a metric of probabilities, such as --scoring roc_"
    ),
    "compare t.csv --truth three --a 'p_*' --b three_b --scoring accuracy": (
        "--scoring accuracy compares labels, but columns p_* have probabilities: pass "
        "columns of labels, or a metric of probabilities, such as --scoring neg_log_lo"
    ),
    "compare t.csv --truth gold --a x --b z --scoring neg_log_loss": (
        "--a must contain probabilities for the scorer 'neg_log_loss'. Got decision val"
    ),
    "compare t.csv --truth gold --a p --b lr --scoring roc_auc --test randomization": (
        "--scoring roc_auc needs probabilities or decision values, but column 'lr' of "
        "t.csv has labels: pass a column of probabilities, or a metric of labels, such"
    ),
    "compare t.csv --truth x --a z --b p --scoring accuracy": (
        "--scoring accuracy compares labels, but column 'z' of t.csv has numbers that "
        "are not labels: pass a column of labels, or a metric of numbers, such as --sco"
    ),
    "compare t.csv --truth three --a three_a --b three_b --scoring f1": (
        "--scoring f1 is for one class of the truth, which has neg, neu, pos: pass it "
        "to --positive, or use a metric of all classes, such as f1_macro"
    ),
    "compare t.csv --truth three --a 'p_*' --b 'p_*' --scoring roc_auc": "named twice",
    "compare t.csv --truth three --a three_a --b three_b --scoring r2": (
        "could not convert string to float"
    ),
    "compare t.csv --truth three --a three_a --b three_b --scoring las": (
        "--scoring las needs a list in each cell, as in JSON lines. column "
        "'three' of t.csv has none"
    ),
    "compare t.csv --truth x --a z --b p --scoring neg_mean_poisson_deviance": (
        "can only be used on non-negative y and strictly positive y_pred"
    ),
    f"compare only.csv {PAIR} --scoring roc_auc": "must be defined on the whole sample",
    "compare t.csv --truth x --a half --b z --scoring pearson": "Got nan",
    f"compare one.csv {PAIR}": "--truth must have at least 2 rows",
    f"compare one.csv {PAIR} --test mcnemar": "compare models on. Got n_samples = 1",
    f"gate one.csv {PAIR}": "--truth must have at least 2 rows",
    "compare t.csv --truth three --a 'three_*' --b 'p_*' --scoring neg_log_loss": (
        "column 'three_a' of t.csv has text: '"
    ),
    f"compare t.csv {PAIR} --id one": "ids in more than one row: 1 of 1, such as '1'",
    f"compare t.csv {PAIR} --positive 7": "--positive must be a class of the truth",
    # Files
    f"compare empty.csv {PAIR}": "empty.csv is empty: it has no header",
    f"compare binary.csv {PAIR}": "binary.csv is not in utf-8",
    f"compare nul.csv {PAIR}": "nul.csv, line 2 has a NUL character",
    f"compare utf16.csv {PAIR}": "Pass its --encoding, such as latin-1 or utf-16",
    f"compare utf16le.csv {PAIR}": "line 1 has a NUL character: the file is not text,",
    f"compare t.csv {PAIR} --encoding base64": "--encoding must be a text encoding",
    f"compare semicolon.csv {PAIR}": (
        "has gold;lr;nb. If these are several columns, pass --delimiter ';'"
    ),
    f"compare tab.csv {PAIR}": "pass --input-format tsv",
    f"compare table.json {PAIR}": "It is read as plain text, one output per line",
    f"compare array.npy {PAIR}": "array.npy is not a .npy file of numbers or strings",
    f"compare folder.csv {PAIR}": "folder.csv is a folder, not a file",
    f"compare nowhere.csv {PAIR}": "nowhere.csv: No such file or directory",
    f"compare gap.csv {PAIR}": "the first in row 1. Drop those rows for all models",
    f"compare t.csv {PAIR} --output no/where.txt": (
        "no/where.txt cannot be written: there is no folder no"
    ),
    "demo --plot no/where.png": "no/where.png cannot be written: there is no folder no",
    "demo --plot x.gif": "--plot must end in .png, .svg or .pdf. Got 'x.gif'",
    "demo --output .": ". cannot be written: it is a folder",
    # Options of other commands
    f"compare t.csv {PAIR} --margin 0.1": (
        "unrecognized arguments: --margin 0.1. --margin is an option of skcompare gate "
    ),
    f"advise t.csv {PAIR} --strata five": (
        "--strata is an option of skcompare compare and gate (see skcompare advise "
    ),
    f"power t.csv {PAIR} --strata=five": "is an option of skcompare compare and gate",
    f"power t.csv {PAIR} --names a b": "is an option of skcompare compare and gate and",
    # Names, margins
    f"compare t.csv {PAIR} --names new new": (
        "--names must be 2 different names, one for each model. Got new, new, with new "
        "more than once"
    ),
    f"gate t.csv {PAIR} --margin 1.5 {FAST}": (
        "--margin must lie strictly between -1 and 1, the limits of a difference in "
        "accuracy. Got 1.5. 0.01 is one percentage point"
    ),
    f"gate t.csv {PAIR} --margin=-1 {FAST}": "--margin must lie strictly between -1 an",
}


@pytest.mark.needs("scikit-learn>=1.9", "error for labels of two types")
def test_labels_of_two_types_are_refused(run_line):
    status, out, err = run_line("compare t.csv --truth text --a lr --b nb")
    assert (status, out) == (2, "")
    assert "Mix of label input types" in err


@pytest.mark.parametrize("line", WRONG)
def test_errors_name_options_of_the_command_line(run_line, line):
    status, out, err = run_line(line)
    assert (status, out) == (2, ""), err
    assert err.count("\n") == 1, err
    assert WRONG[line] in err
    assert not IN_PYTHON.search(err), err


def test_names_of_columns_are_left_alone(run_line, folder):
    columns = {"n_jobs": [1, 0, 1], "y_pred_a": [1, 0, 0], "predict": [1, 1, 0]}
    write(folder / "names.csv", columns)
    _, _, err = run_line("compare names.csv --truth n_jobs --a y_pred_a --b scoring")
    assert "no column 'scoring': names.csv has n_jobs, y_pred_a, predict" in err
    line = f"compare names.csv --truth n_jobs --models y_pred_a predict {FAST}"
    status, out, _ = run_line(line)
    assert status == 0
    assert "Model Confidence Set: y_pred_a, predict." in out


def test_a_pattern_of_one_column_is_as_good_as_its_name(run_line):
    named = run_line(f"compare t.csv {PAIR} --groups five --id id {FAST}")
    assert named[0] == 0
    assert run_line(f"compare t.csv {PAIR} --groups 'fi*e' --id 'i*' {FAST}") == named


def test_a_pattern_that_two_files_match_differently_is_refused(run_line, folder):
    rows = {"id": [1, 2, 3, 4], "gold": [1, 0, 1, 0]}
    write(folder / "a.csv", rows | {"lr": [1, 0, 1, 1], "doc_a": [1, 1, 2, 2]})
    write(folder / "b.csv", rows | {"nb": [0, 0, 1, 1], "doc_b": [1, 2, 1, 2]})
    line = f"compare a.csv b.csv --id id {PAIR} {FAST} --groups"
    status, _, err = run_line(f"{line} 'doc_*'")
    ambiguous = "--groups doc_* is ambiguous: a.csv has doc_a, b.csv has doc_b. Name"
    assert status == 2
    assert ambiguous in err
    assert run_line(f"{line} 'd*_b'") == run_line(f"{line} doc_b")


def test_ambiguous_or_useless_tables_are_named(run_line, folder):
    rows = {"id": [1, 2], "gold": [1, 0], "lr": [1, 0], "nb": [0, 0]}
    for name in ("full.csv", "copy.csv"):
        write(folder / name, rows)
    write(folder / "ids.csv", {"id": [1, 2], "doc": [1, 2]})
    _, _, err = run_line(f"compare ids.csv full.csv copy.csv --id id {PAIR}")
    assert "--truth gold is ambiguous: full.csv and copy.csv have it" in err
    _, _, err = run_line(f"compare full.csv ids.csv --id id {PAIR}")
    assert "No column of ids.csv is used: leave out the file" in err


def test_a_level_that_is_divided_replaces_the_one_that_was_typed(run_line):
    _, out, _ = run_line(f"advise t.csv {PAIR} --alpha 0.1 --n-comparisons 2")
    assert "--alpha 0.05" in out
    assert "--alpha 0.1" not in out


# Output


ADVICE = {
    f"compare two.csv {PAIR} {FAST}": "--test randomization is valid at any size.",
    f"compare t.csv --truth gold --models lr nb one {FAST}": (
        "of at least 600, or --correction max-t."
    ),
    f"compare t.csv {PAIR} --groups gold {FAST}": "--test randomization is valid",
    f"gate two.csv {PAIR} {FAST}": "--test randomization is valid at any size.",
    f"power t.csv {PAIR} --test mcnemar": "better to pass the smallest --effect that",
    f"power two.csv {PAIR} --n-simulations 20 --seed 0": "--test randomization is",
}


@pytest.mark.parametrize("line", ADVICE)
def test_remarks_in_output_name_options(run_line, line):
    status, out, err = run_line(line)
    assert status in (0, 1), err
    assert ADVICE[line] in " ".join(out.split())


@pytest.mark.parametrize("format", ["text", "json", "markdown", "html", "latex"])
def test_remarks_are_the_same_in_every_format(run_line, format):
    _, out, _ = run_line(f"compare two.csv {PAIR} {FAST} --format {format}")
    assert "ApproxRandomization" not in out
    assert re.search(r"-(\{\})?-test randomization is valid", " ".join(out.split()))


def test_a_lost_class_is_kept_by_strata(run_line, folder):
    truth = [1] * 2 + [0] * 58
    scores = np.random.default_rng(0).random((2, 60))
    write(folder / "rare.csv", {"gold": truth, "lr": scores[0], "nb": scores[1]})
    status, _, err = run_line(f"compare rare.csv {PAIR} --scoring roc_auc {FAST}")
    assert status == 0
    assert err.startswith("skcompare: warning: Undefined resamples, of 49: roc_auc on")
    assert err.count("\n") == 1
    kept = run_line(f"compare rare.csv {PAIR} --scoring roc_auc {FAST} --strata gold")
    assert (kept[0], kept[2]) == (0, "")


def test_json_has_the_remarks_of_power_in_the_same_words(run_line):
    _, out, _ = run_line(f"power t.csv {PAIR} --test mcnemar --format json")
    assert "--effect" in " ".join(json.loads(out)["notes"])


ALL_PAIRS = f"compare t.csv --truth gold --models lr nb one {FAST}"


def test_remarks_with_code_are_typed_as_options(run_line):
    _, out, _ = run_line(f"{ALL_PAIRS} --alternative greater")
    words = "For both directions pass --test bootstrap --alternative two-sided."
    assert words in " ".join(out.split())


def test_advice_names_no_python(run_line):
    line = f"advise t.csv {PAIR} --n-comparisons 3 --scoring f1"
    _, out, _ = run_line(line)
    assert "--models corrects them together" in " ".join(out.split())
    assert not re.search(r"PairwiseComparison|`[a-z_]+`|alternative='", out)


def test_errors_of_scikit_learn_are_left_as_they_are(run_line, monkeypatch):
    text = "`alpha` and `y_true` are unlike McNemar"

    def fails(*_, **__):
        raise ValueError(text)

    monkeypatch.setattr("sklearn.metrics._classification._check_targets", fails)
    _, _, err = run_line(f"compare t.csv {PAIR} --scoring f1")
    assert err == (
        f"skcompare: error: The scorer 'f1' fails for --a, read as labels: {text}\n"
    )


# Options of each command


def offered(run_line, command):
    """Return the options that the help of a command lists, and its text."""
    text = run_line(f"{command} --help")[1]
    usage = text.partition("\n\n")[0]
    return set(re.findall(r"\[(--[a-z-]+)", usage)), " ".join(text.split())


@pytest.mark.parametrize(
    ("command", "absent"),
    [
        ("compare", {"--margin", "--n-comparisons", "--effect"}),
        ("gate", {"--models", "--alternative", "--rope"}),
        ("advise", {"--strata", "--test", "--models"}),
        ("power", {"--strata", "--names", "--models", "--n-resamples"}),
    ],
)
def test_commands_offer_only_what_they_take(run_line, command, absent):
    options, text = offered(run_line, command)
    assert not options & absent
    several = "several, separated by commas" in text
    assert several == (command in ("compare", "gate"))


def test_defaults_are_in_the_help(run_line):
    _, text = offered(run_line, "compare")
    assert "--test bayes (default: 0.01)" in text
    assert {"--jobs", "--seed"} <= offered(run_line, "power")[0]


# Seeds


def test_a_seed_in_json_is_kept_by_programs_that_read_floats(run_line):
    line = f"compare t.csv {PAIR} --n-resamples 49 --format json"
    _, out, _ = run_line(line)
    seed = json.loads(out, parse_int=float)["results"][0]["seed"]
    _, again, _ = run_line(f"{line} --seed {seed:.0f}")
    assert json.loads(again) == json.loads(out)


def test_simulated_power_can_be_repeated_by_the_seed_that_is_printed(run_line):
    line = f"power t.csv {PAIR} --effect 0.1 --n-simulations 20"
    _, out, _ = run_line(line)
    seed = re.search(r"--seed (\d+) reproduces them", " ".join(out.split()))[1]
    assert run_line(f"{line} --seed {seed} --jobs 2") == (0, out, "")


# Names of options


@pytest.mark.parametrize("command", COMMANDS)
def test_options_are_written_with_hyphens(run_line, command):
    _, text, _ = run_line(f"{command} --help")
    named = re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", text)
    assert "--traceback" in named
    assert not [name for name in named if "_" in name or name != name.lower()]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_the_values_of_every_option(run_line, command):
    usage = run_line(f"{command} --help")[1].partition("\n\n")[0]
    for option, value in re.findall(r"--([a-z-]+) ([A-Z]+)\b", usage):
        assert value.lower() != option


# Odd streams


class Full(io.StringIO):
    def write(self, _):
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("command", ["compare", "gate"])
@pytest.mark.parametrize(
    ("stream", "thing", "expected"),
    [
        ("stdout", None, "Standard output is closed: name a file with --output"),
        ("stdout", Full(), "No space left on device"),
        ("stdin", None, "Standard input is closed"),
        ("stdin", io.TextIOWrapper(io.BytesIO()), "standard input is empty"),
    ],
    ids=["closed", "full", "no input", "empty input"],
)
def test_streams_that_cannot_be_used(
    run_line, monkeypatch, command, stream, thing, expected
):
    monkeypatch.setattr(sys, stream, thing)
    file = "-" if stream == "stdin" else "t.csv"
    status, _, err = run_line(f"{command} {file} {PAIR} {FAST}")
    assert status == 2
    assert err.startswith(f"skcompare: error: {expected}")
    assert err.count("\n") == 1


def test_an_error_that_cannot_be_printed_has_status_2(run_line, monkeypatch):
    """Without standard error the gate must not end with 1, which means: not passed."""
    monkeypatch.setattr(sys, "stderr", None)
    assert run_line(f"gate one.csv {PAIR}")[0] == 2


def test_a_terminal_that_lacks_letters_gets_codes(run_line, folder, monkeypatch):
    write(folder / "letters.csv", {"gold": [1, 0], "naïve": [1, 1], "nb": [0, 1]})
    content = io.BytesIO()
    stream = io.TextIOWrapper(content, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    line = f"compare letters.csv --truth gold --a naïve --b nb {FAST}"
    assert run_line(line)[0] == 0
    assert rb"A (na\xefve) scores" in content.getvalue()


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
def test_output_may_be_a_pipe_by_its_name_and_closed_by_its_reader(folder):
    program = f"{shlex.quote(sys.executable)} -m skcompare"
    line = f"{program} compare t.csv {PAIR} {FAST} --output /dev/stdout | head -1"
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stderr == ""
    assert done.stdout.startswith("A (lr) scores")
    assert done.stdout.count("\n") == 1


def test_tabs_can_be_written_as_in_most_programs(run_line):
    status, out, err = run_line(rf"compare tab.csv {PAIR} {FAST} --delimiter '\t'")
    assert (status, err) == (0, "")
    assert out.startswith("A (lr) scores 1.0000")
    for mark in ("'\"'", "'\n'", "ab", "''"):
        status, _, err = run_line(f"compare tab.csv {PAIR} --delimiter {mark}")
        assert status == 2
        assert "--delimiter must be a single character, not a line break" in err


def test_standard_input_in_another_encoding(run_line, monkeypatch):
    content = io.BytesIO("gold,lr,nb\n1,1,0\n0,0,1\n".encode("utf-16"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(content))
    assert run_line(f"compare - {PAIR} {FAST} --encoding utf-16")[0] == 0


@pytest.mark.parametrize("spelling", ["--n_resamples 9", "--n_resamples=9"])
def test_underscores_are_not_options_but_are_understood(run_line, spelling):
    status, _, err = run_line(f"compare t.csv {PAIR} {spelling}")
    assert status == 2
    assert f"unrecognized arguments: {spelling}. Did you mean --n-resamples?" in err
    assert "(see skcompare compare --help)" in err
