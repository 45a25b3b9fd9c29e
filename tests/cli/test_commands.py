"""The command line, on files as people have them."""

import csv
import doctest
import io
import itertools
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    DeLong,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    SignTest,
    WilcoxonSignedRank,
    power,
    recommend_test,
)
from skcompare.reports import write_file
from tests.commands import (
    CLASSES,
    COLUMNS,
    FAST,
    columns_of,
    failure,
    run,
    run_json,
    write_csv,
)

# The same numbers as in Python


def test_a_table_gives_the_result_of_the_class(capsys, table, predictions):
    result = run_json(
        capsys, "compare", table, *COLUMNS, "--scoring", "f1_macro", *FAST
    )
    test = PairedBootstrap(scoring="f1_macro", n_resamples=99, random_state=0)
    expected = test.fit_predictions(
        *(predictions[n] for n in ("gold", "lr", "nb"))
    ).result_
    assert result["pvalue"] == expected.pvalue
    assert result["confidence_interval"] == expected.confidence_interval._asdict()
    assert (result["name_a"], result["name_b"]) == ("lr", "nb")
    assert result["signature"] == expected.signature


def test_settings_reach_the_test(capsys, table, predictions):
    result = run_json(
        capsys,
        *("compare", table, *COLUMNS, *FAST, "--test", "randomization"),
        *("--groups", "doc", "--alternative", "two-sided", "--alpha", "0.2"),
        *("--scoring", "f1_macro", "--jobs", "1"),
    )
    test = ApproxRandomization(
        scoring="f1_macro", n_resamples=99, random_state=0, alternative="two-sided"
    )
    labels = [predictions[name] for name in ("gold", "lr", "nb")]
    test.fit_predictions(*labels, groups=np.arange(60) // 3)
    assert result["pvalue"] == test.pvalue_
    assert (result["alpha"], result["n_units"]) == (0.2, 20)


def test_strata_reach_the_test(capsys, table, predictions):
    result = run_json(capsys, "compare", table, *COLUMNS, *FAST, "--strata", "gold")
    labels = [predictions[name] for name in ("gold", "lr", "nb")]
    test = PairedBootstrap(n_resamples=99, random_state=0)
    test.fit_predictions(*labels, strata=labels[0])
    assert result["standard_error"] == test.standard_error_


def test_mcnemar(capsys, table, predictions):
    result = run_json(capsys, "compare", table, *COLUMNS, "--test", "mcnemar")
    labels = [predictions[name] for name in ("gold", "lr", "nb")]
    assert result["pvalue"] == McNemar().fit_predictions(*labels).pvalue_


def test_auto_takes_the_recommended_test_with_a_note(capsys, table, predictions):
    options = ["compare", table, *COLUMNS, "--scoring", "accuracy", "--test", "auto"]
    status, out, err = run(capsys, *options)
    labels = [predictions[name] for name in ("gold", "lr", "nb")]
    expected = recommend_test(*labels, scoring="accuracy").test
    assert status == 0
    assert type(expected) is McNemar
    assert err.startswith("skcompare: --test auto uses --test mcnemar\n")
    assert "(McNemar, " in out.replace("\n", " ")


def test_auto_with_strata_is_the_bootstrap(capsys, table):
    options = [*COLUMNS, *FAST, "--test", "auto", "--strata", "gold"]
    assert run_json(capsys, "compare", table, *options)["test"] == "PairedBootstrap"


def test_several_metrics(capsys, table):
    options = [*COLUMNS, *FAST, "--scoring", "accuracy,f1_macro", "--format", "json"]
    _, out, _ = run(capsys, "compare", table, *options)
    metrics = [result["scoring"] for result in json.loads(out)["results"]]
    assert metrics == ["accuracy", "f1_macro"]


def test_bayes(capsys, table, predictions):
    labels = [predictions[name] for name in ("gold", "lr", "nb")]
    options = [*COLUMNS, *FAST, "--test", "bayes", "--rope", "0.05"]
    result = run_json(capsys, "compare", table, *options)
    test = BayesianComparison(rope=0.05, n_draws=99, random_state=0)
    assert result["p_better"] == test.fit_predictions(*labels).result_.p_better
    assert result["name_a"] == "lr"
    assert "--test bayes does not support --alpha" in failure(
        capsys, "compare", table, *options, "--alpha", "0.1"
    )


def test_all_pairs(capsys, table, three_files, predictions):
    models = {name: predictions[name] for name in ("lr", "nb", "gold")}
    test = PairedBootstrap(n_resamples=99, random_state=0, alternative="two-sided")
    expected = PairwiseComparison(test=test, correction="bonferroni", alpha=0.04)
    result = expected.fit_predictions(predictions["gold"], models).result_
    options = [*FAST, "--correction", "bonferroni", "--alpha", "0.04"]
    gold, lr, nb = three_files
    same = str(shutil.copy(gold, Path(gold).with_name("copy.csv")))
    exported = run_json(capsys, "compare", gold, lr, nb, same, "--id", "id", *options)
    assert exported["names"] == ["lr", "nb", "copy"]
    assert exported["pvalues_adjusted"] == list(result.pvalues_adjusted)
    columns = ["--truth", "gold", "--models", "lr", "nb", "id", *options]
    assert run_json(capsys, "compare", table, *columns)["names"] == ["lr", "nb", "id"]
    assert "--test auto is for two models" in failure(
        capsys, "compare", table, *columns, "--test", "auto"
    )


@pytest.mark.parametrize("command", ["gate", "advise", "power"])
def test_other_commands_are_for_two_models(capsys, three_files, command):
    gold, lr, nb = three_files
    copy = shutil.copy(gold, Path(gold).with_name("copy.csv"))
    options = ["--id", "id", "--scoring", "accuracy"]
    message = failure(capsys, command, gold, lr, nb, copy, *options)
    assert "This command compares two models. Got 3: lr, nb, copy" in message


def test_an_option_that_a_test_does_not_take_is_refused(capsys, table):
    options = [*COLUMNS, "--test", "mcnemar"]
    assert "does not support --n-resamples" in failure(
        capsys, "compare", table, *options, "--n-resamples", "99"
    )
    assert "supports no other --scoring. Got f1_macro" in failure(
        capsys, "compare", table, *options, "--scoring", "f1_macro"
    )


def test_advise(capsys, table, predictions):
    labels = [predictions[name] for name in ("gold", "lr", "nb")]
    advice = recommend_test(*labels, scoring="accuracy", n_comparisons=3)
    options = [*COLUMNS, "--scoring", "accuracy", "--n-comparisons", "3"]
    _, out, _ = run(capsys, "advise", table, *options)
    command = f"skcompare compare {table} {' '.join(COLUMNS)} --scoring accuracy"
    command += " --test mcnemar --alpha 0.0166667"
    assert out.startswith("Use --test mcnemar --alpha 0.0166667. Run it with:")
    assert f"\n  {command}\n" in out
    for title in ("Why", "Bear in mind", "Also possible", "Not valid here"):
        assert f"\n\n{title}:\n  " in out
    assert "--test randomization: valid at any size" in out
    assert "fit_predictions" not in out
    _, out, _ = run(capsys, "advise", table, *options, "--format", "json")
    exported = json.loads(out)
    assert exported["reasons"] == list(advice.reasons)
    assert exported["command"] == command
    # The command runs.
    status, out, _ = run(capsys, *shlex.split(exported["command"])[1:])
    assert status == 0
    assert "(McNemar, " in out.replace("\n", " ")


def test_power(capsys, table, predictions):
    labels = [predictions[name] for name in ("gold", "lr", "nb")]
    expected = power(McNemar(alpha=0.01), *labels, effect=0.1, n_rows=200, target=0.9)
    options = [*COLUMNS, "--test", "mcnemar", "--effect", "0.1", "--n-rows", "200"]
    options += ["--target", "0.9", "--alpha", "0.01"]
    _, out, _ = run(capsys, "power", table, *options, "--format", "json")
    assert json.loads(out) == expected.to_dict()
    _, out, _ = run(capsys, "power", table, *options)
    assert " ".join(out.split()) == " ".join(str(expected).split())


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (
            ["--test", "mcnemar", "--p-discordant", "0.1", "--alternative", "less"],
            {"test": McNemar(alternative="less"), "p_discordant": 0.1},
        ),
        (
            ["--test", "t", "--sd", "0.3", "--alpha", "0.01", "--n-rows", "500"],
            {"test": PairedTTest(alpha=0.01), "sd": 0.3, "n_rows": 500},
        ),
        (
            ["--test", "t", "--sd", "0.3", "--scoring", "r2", "--target", "0.9"],
            {"test": PairedTTest(scoring="r2"), "sd": 0.3, "target": 0.9},
        ),
    ],
)
def test_power_without_a_pilot(capsys, options, settings):
    effect = -0.03 if "less" in options else 0.03
    expected = power(effect=effect, **settings)
    command = ["power", *options, f"--effect={effect}"]
    status, out, err = run(capsys, *command, "--format", "json")
    assert (status, err) == (0, "")
    assert json.loads(out) == expected.to_dict()
    _, out, _ = run(capsys, *command)
    assert " ".join(out.split()) == " ".join(str(expected).split())


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], "--test must be mcnemar, with --p-discordant, or t, with --sd. Got boot"),
        (["--test", "auto"], "Without the file of a pilot, --test must be mcnemar"),
        (["--test", "mcnemar"], "--p-discordant must be passed for --test mcnemar"),
        (["--test", "mcnemar"], "it is --p-discordant 0.1"),
        (["--test", "t", "--sd", "x"], "--sd must be a finite number above 0. Got 'x'"),
        (
            ["--test", "t", "--p-discordant", "0.1"],
            "--p-discordant cannot be used",
        ),
        (["--test", "t", "--sd", "1"], "--effect must be passed without a pilot"),
        (["--test", "t", "--a", "lr"], "--a needs the file of a pilot"),
        (["--test", "t", "--block-length", "5"], "--block-length needs the file"),
        (["{table}", *COLUMNS, "--test", "t", "--sd", "1"], "--sd cannot be used with"),
    ],
)
def test_power_names_missing_options(capsys, table, options, expected):
    options = [option.format(table=table) for option in options]
    assert expected in failure(capsys, "power", *options)


# Formats of files


def test_every_format_gives_the_same(capsys, table, tmp_path, predictions):
    columns = columns_of(predictions)
    expected = run_json(capsys, "compare", table, *COLUMNS, *FAST)
    rows = [
        dict(zip(columns, r, strict=True)) for r in zip(*columns.values(), strict=True)
    ]
    (tmp_path / "preds.jsonl").write_text("\n\n".join(map(json.dumps, rows)))
    write_csv(tmp_path / "preds.tsv", columns, delimiter="\t")
    write_csv(tmp_path / "semicolon.csv", columns, delimiter=";")
    fields = np.rec.fromarrays(list(columns.values()), names=list(columns))
    np.save(tmp_path / "preds.npy", np.asarray(fields))
    for name, *options in (
        ("preds.jsonl",),
        ("preds.tsv",),
        ("semicolon.csv", "--delimiter", ";"),
        ("preds.npy",),
    ):
        assert run_json(
            capsys, "compare", tmp_path / name, *COLUMNS, *FAST, *options
        ) == (expected), name


def test_parquet(capsys, table, tmp_path, predictions):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    expected = run_json(capsys, "compare", table, *COLUMNS, *FAST)
    columns = {n: list(map(str, c)) for n, c in columns_of(predictions).items()}
    parquet.write_table(pa.table(columns), tmp_path / "preds.parquet")
    assert run_json(capsys, "compare", tmp_path / "preds.parquet", *COLUMNS, *FAST) == (
        expected
    )
    (tmp_path / "no.parquet").write_text("id,gold\n")
    assert "is not a Parquet file" in failure(
        capsys, "compare", tmp_path / "no.parquet", *COLUMNS
    )


def test_standard_input(capsys, table, monkeypatch):
    expected = run_json(capsys, "compare", table, *COLUMNS, *FAST)
    content = io.BytesIO(Path(table).read_bytes())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(content))
    assert run_json(capsys, "compare", "-", *COLUMNS, *FAST) == expected
    assert "only once" in failure(capsys, "compare", "-", "-", *COLUMNS)


def test_arrays(capsys, tmp_path):
    rng = np.random.default_rng(0)
    truth, a, b = rng.normal(size=(3, 50))
    for name, array in (("truth", truth), ("a", a), ("b", b)):
        np.save(tmp_path / f"{name}.npy", array)
    np.save(tmp_path / "all.npy", np.column_stack([truth, a, b]))
    files = [tmp_path / f"{name}.npy" for name in ("truth", "a", "b")]
    result = run_json(capsys, "compare", *files, *FAST)
    together = [tmp_path / "all.npy", "--truth", "0", "--a", "1", "--b", "2"]
    assert run_json(capsys, "compare", *together, *FAST) == result | {
        "name_a": "1",
        "name_b": "2",
    }
    test = PairedBootstrap(n_resamples=99, random_state=0)
    assert result["pvalue"] == test.fit_predictions(truth, a, b).pvalue_
    assert (result["scoring"], result["name_a"], result["name_b"]) == ("r2", "a", "b")


def test_texts_one_per_line(capsys, tmp_path):
    sacrebleu = pytest.importorskip("sacrebleu")
    references = [f"the {w} sat on mat {i}" for i, w in enumerate(["cat", "dog"] * 20)]
    a = references[:30] + ["the bird sat on mat"] * 10
    b = ["a " + text[4:] for text in references[:39]] + [""]
    for name, lines in (("ref", references), ("a", a), ("b", b)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    files = [tmp_path / f"{name}.txt" for name in ("ref", "a", "b")]
    result = run_json(capsys, "compare", *files, "--scoring", "bleu", *FAST)
    assert result["score_a"] == pytest.approx(
        sacrebleu.corpus_bleu(a, [references]).score
    )
    assert result["score_b"] == pytest.approx(
        sacrebleu.corpus_bleu(b, [references]).score
    )
    (tmp_path / "b.txt").write_text("too\nfew\n")
    assert "b.txt has 2 rows and" in failure(
        capsys, "compare", *files, "--scoring", "bleu"
    )
    assert "in the order truth, A, B" in failure(capsys, "compare", *files[:2])


# Files that are aligned


@pytest.fixture
def three_files(tmp_path, predictions):
    """Truth, A and B in files of their own, each in another order."""
    ids = np.array([f"r{row}" for row in range(60)])
    orders = [
        np.arange(60),
        np.random.default_rng(0).permutation(60),
        np.arange(60)[::-1],
    ]
    return [
        write_csv(
            tmp_path / f"{name}.csv",
            {"id": ids[order], "label": predictions[name][order]},
        )
        for name, order in zip(("gold", "lr", "nb"), orders, strict=True)
    ]


def test_three_files_are_aligned_by_their_ids(capsys, table, three_files):
    expected = run_json(capsys, "compare", table, *COLUMNS, *FAST)
    assert run_json(capsys, "compare", *three_files, "--id", "id", *FAST) == expected
    named = ["--truth", "label", "--a", "label", "--b", "label"]
    assert (
        run_json(capsys, "compare", *three_files, "--id", "id", *named, *FAST)
        == expected
    )


def test_two_files_with_the_truth_in_both(capsys, table, tmp_path, predictions):
    expected = run_json(capsys, "compare", table, *COLUMNS, *FAST)
    ids = np.arange(60)
    files = []
    for name, order in (("lr", ids), ("nb", ids[::-1])):
        columns = {"n": ids, "gold": predictions["gold"], "pred": predictions[name]}
        columns = {title: column[order] for title, column in columns.items()}
        files.append(write_csv(tmp_path / f"{name}.csv", columns))
    options = ["--id", "n", "--truth", "gold", "--a", "pred", "--b", "pred"]
    assert run_json(capsys, "compare", *files, *options, *FAST) == expected
    wrong = np.where(ids < 4, "other", predictions["gold"])
    write_csv(tmp_path / "nb.csv", {"n": ids, "gold": wrong, "pred": predictions["nb"]})
    assert "differ in 4 of 60 rows" in failure(capsys, "compare", *files, *options)


def test_a_column_is_read_from_the_file_that_has_it(capsys, table, three_files):
    expected = run_json(capsys, "compare", table, *COLUMNS, *FAST)
    files = [three_files[0], table]
    options = ["--id", "id", "--truth", "label", "--a", "lr", "--b", "nb"]
    assert run_json(capsys, "compare", *files, *options, *FAST) == expected


def test_ids_must_be_unique_and_the_same(capsys, three_files, tmp_path):
    gold, a, b = three_files
    lines = Path(b).read_text().splitlines(keepends=True)
    (tmp_path / "twice.csv").write_text("".join([*lines, lines[1], lines[5]]))
    message = failure(capsys, "compare", gold, a, tmp_path / "twice.csv", "--id", "id")
    assert "ids in more than one row: 2 of 60, such as 'r59', 'r55'" in message
    (tmp_path / "fewer.csv").write_text("".join([*lines[:-3], "x,pos\n"]))
    message = failure(capsys, "compare", gold, a, tmp_path / "fewer.csv", "--id", "id")
    assert "lacks 3 of its 60 ids, such as 'r0', 'r1', 'r2'" in message
    assert "and has others (1), such as 'x'" in message
    assert "pass its name to --id" in failure(capsys, "compare", gold, a, b)
    assert "There is no column 'key'" in failure(
        capsys, "compare", gold, a, b, "--id", "key"
    )


def test_the_id_of_a_single_table_is_checked_too(capsys, table):
    message = failure(capsys, "compare", table, *COLUMNS, "--id", "doc")
    assert "ids in more than one row: 20 of 20, such as '0', '1', '2'" in message


# Labels, numbers, probabilities


def test_texts_cannot_be_predictions_of_a_measured_truth(capsys, tmp_path):
    path = write_csv(
        tmp_path / "n.csv", {"gold": [0.5, 1.5], "a": [0.1, "n/a"], "b": [1, 2]}
    )
    message = failure(
        capsys, "compare", path, "--truth", "gold", "--a", "a", "--b", "b"
    )
    assert "column 'a' of" in message
    assert "'n/a' in row 2" in message


def test_a_pattern_must_name_classes(capsys, tmp_path, predictions):
    columns = {"gold": predictions["gold"], "p_x": np.ones(60), "p_neg": np.ones(60)}
    path = write_csv(tmp_path / "p.csv", columns | {"q": np.ones(60)})
    options = ["--truth", "gold", "--b", "q", "--scoring", "neg_log_loss"]
    assert "neg, neu, pos, or for their numbers from 0" in failure(
        capsys, "compare", path, *options, "--a", "p_*"
    )
    assert "There are no columns like 'q_*'" in failure(
        capsys, "compare", path, *options, "--a", "q_*"
    )


def test_a_pattern_must_name_classes_that_are_numbers(capsys, tmp_path, predictions):
    truth = [CLASSES.index(label) for label in predictions["gold"]]
    columns = {"gold": truth, "p_x": np.ones(60), "p_y": np.ones(60), "q": np.ones(60)}
    path = write_csv(tmp_path / "p.csv", columns)
    options = ["--truth", "gold", "--a", "p_*", "--b", "q"]
    options += ["--scoring", "neg_log_loss"]
    assert "0, 1, 2, or for their numbers" in failure(capsys, "compare", path, *options)


def test_log_loss_of_probabilities(capsys, tmp_path, predictions):
    columns = {"gold": predictions["gold"]}
    for model, proba in (("a", predictions["proba"]), ("b", np.full((60, 3), 1 / 3))):
        columns |= {f"{model}_{CLASSES[k]}": proba[:, k] for k in (2, 1, 0)}
    path = write_csv(tmp_path / "p.csv", columns)
    options = ["--truth", "gold", "--a", "a_*", "--b", "b_*"]
    result = run_json(
        capsys, "compare", path, *options, *FAST, "--scoring", "neg_log_loss"
    )
    right = predictions["proba"][
        np.arange(60), np.searchsorted(CLASSES, predictions["gold"])
    ]
    assert result["score_a"] == pytest.approx(np.log(right).mean())
    assert result["score_b"] == pytest.approx(-np.log(3))


# Hostile files


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "is empty: it has no header"),
        (b"\n\n", "is empty: it has no header"),
        (b"gold,lr,nb\n", "has no rows"),
        (b"gold,lr,nb\na,b\n", "line 2: the header has 3 fields, this row has 2"),
        (
            b"gold,lr,nb\na,b,c\nd,e,f,g\n",
            "line 3: the header has 3 fields, this row has 4",
        ),
        (b"gold,lr\na,b\n", "There is no column 'nb'"),
        (b"gold,lr,nb,lr\na,b,c,d\n", "more than one column 'lr'"),
        (b"gold,lr,nb\na,,a\nb,b,a\n", "column 'lr' of"),
        (b"gold,lr,nb\n1,nan,1\n1,1,2\n2,NaN,2\n", "2 empty, nan or infinite cells"),
        (b"gold,lr,nb\n1,inf,1.5\n1,1,2\n", "infinite cell, the first in row 1"),
        (b"gold,lr,nb\na,\xe9,b\n", "utf-8: invalid continuation byte in line 2."),
        (b"g\xe9ld,lr,nb\na,b,c\n", "utf-8: invalid continuation byte in line 1."),
        (b"gold,lr,nb\r\n" + 9_999 * b"a,b,c\r\n" + b"a,\xe9,c\r\n", "in line 10,001."),
        ("gold,lr,nb\na,b,c\n".encode("utf-16"), "is not in utf-8"),
        (b'gold,lr,nb\na,"b,c\nd,e,f\n', "pass --no-quotes"),
        (b'gold,lr,nb\na,"b"x,c\nd,e,f\n', "line 2: ',' expected after '\"'"),
        (b"gold;lr;nb\na;b;c\n", "There is no column 'gold'"),
        (b"gold,lr,nb\na,b,c\n", "at least 2 rows"),
    ],
)
def test_hostile_tables_are_refused_in_one_line(capsys, tmp_path, content, expected):
    path = tmp_path / "hostile.csv"
    path.write_bytes(content)
    assert expected in failure(capsys, "compare", path, *COLUMNS)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "is empty"),
        ('{"gold": 1, "lr": 1, "nb": 0}\n{"gold"\n', "line 2 is not JSON"),
        ("[1, 2]\n", "line 1: a row must be an object"),
        ('{"gold": 1, "lr": 1, "nb": 0}\n{"gold": 1, "lr": 1}\n', "'nb' of"),
        ('{"gold": 1, "lr": NaN, "nb": 0}\n', "the first in row 1"),
    ],
)
def test_hostile_json_is_refused_in_one_line(capsys, tmp_path, content, expected):
    path = tmp_path / "hostile.jsonl"
    path.write_text(content)
    assert expected in failure(capsys, "compare", path, *COLUMNS)


def test_hostile_arrays_are_refused_in_one_line(capsys, tmp_path):
    np.save(tmp_path / "objects.npy", np.array([{}, []], dtype=object))
    np.save(tmp_path / "cube.npy", np.ones((2, 2, 2)))
    (tmp_path / "text.npy").write_text("hello")
    for name in ("objects", "text"):
        assert "is not a .npy file of numbers or strings" in failure(
            capsys, "compare", tmp_path / f"{name}.npy", *COLUMNS
        )
    assert "1 or 2 dimensions" in failure(capsys, "compare", tmp_path / "cube.npy")


# Wrong calls


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["frobnicate"],
            "unknown command 'frobnicate'. Choose compare, gate, advise, ",
        ),
        (["compear"], "unknown command 'compear'. Did you mean compare?"),
        (["--frobnicate"], "unrecognized arguments: --frobnicate"),
        (["compare"], "arguments are required: file"),
        (["compare", "{table}"], "--truth must name a column of"),
        (["compare", "{table}", "--truth", "gold", "--a", "lr"], "--b must name"),
        (["compare", "{table}", *COLUMNS[:4], "--b", "lrr"], "Did you mean 'lr'?"),
        (["compare", "{table}", *COLUMNS[:4], "--b", "lr"], "is named twice"),
        (
            ["compare", "nowhere.csv", *COLUMNS],
            "nowhere.csv: No such file or directory",
        ),
        (["compare", "{folder}", *COLUMNS], "is a folder, not a file"),
        (["compare", "{table}", *COLUMNS, "--scoring", "f1_marco"], "'f1_macro'"),
        (["compare", "{table}", *COLUMNS, "--scoring", "f1,"], "separated by commas"),
        (["compare", "{table}", *COLUMNS, "--alpha", "2"], "--alpha must lie strictly"),
        (
            ["compare", "{table}", *COLUMNS, "--n-resamples", "0"],
            "--n-resamples must be",
        ),
        (["compare", "{table}", *COLUMNS, "--seed", "-1"], "--seed must be"),
        (
            ["compare", "{table}", *COLUMNS, "--output", "{folder}"],
            "cannot be written: it is a folder",
        ),
        (
            ["compare", "{table}", *COLUMNS, "--output", "{table}"],
            "is an input file, which would",
        ),
        (
            ["compare", "{table}", *COLUMNS, "--delimiter", "::"],
            "must be a single character",
        ),
        (["compare", "{table}", *COLUMNS, "--correction", "holm"], "several models"),
        (["compare", "{table}", *COLUMNS, "--models", "lr"], "--a and --b are for two"),
        (["compare", "{table}", "--truth", "gold", "--models", "lr"], "at least two"),
        (["gate", "{table}", *COLUMNS, "--margin", "nan"], "must be a finite number"),
        (
            ["gate", "{table}", *COLUMNS, "--margin", "0.5", "--test", "auto"],
            "bootstrap",
        ),
        (
            ["gate", "{table}", *COLUMNS, "--margin", "1", "--scoring", "f1,accuracy"],
            "in units of one metric",
        ),
    ],
)
def test_wrong_calls_have_an_error_of_one_line(
    capsys, table, tmp_path, arguments, expected
):
    filled = [a.format(table=table, folder=tmp_path) for a in arguments]
    assert expected in failure(capsys, *filled)


def test_a_traceback_on_request(capsys, table):
    options = [*COLUMNS, "--alpha", "2", "--traceback"]
    status, _, err = run(capsys, "compare", table, *options)
    assert status == 2
    assert err.startswith("Traceback")


@pytest.mark.parametrize("command", ["compare", "gate", "advise", "power", "demo"])
def test_help_has_examples(capsys, command):
    status, out, _ = run(capsys, command, "--help")
    assert status == 0
    assert f"  skcompare {command}" in out


def test_version(capsys):
    import skcompare

    assert run(capsys, "--version")[:2] == (0, f"{skcompare.__version__}\n")


# Convenience


def test_without_arguments_there_is_help(capsys):
    status, out, err = run(capsys)
    assert (status, err) == (0, "")
    assert run(capsys, "--help")[1] == out
    for command in ("compare", "gate", "advise", "power", "demo"):
        assert f"\n  {command} " in out


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (
            "compare",
            ["confidence interval", "permutation test", "p-value", "bootstrap"],
        ),
        ("gate", ["non-inferiority", "significance level", "p-value"]),
        ("power", ["sample size", "power"]),
        ("advise", ["significance test"]),
    ],
)
def test_help_has_the_words_that_people_look_for(capsys, command, words):
    text = " ".join(run(capsys, command, "--help")[1].split())
    assert not [word for word in words if word not in text]


def test_scorers_are_listed(capsys):
    for command in ("compare", "gate", "demo"):
        status, out, _ = run(capsys, command, "--list-scorers")
        assert status == 0
        assert {"f1_macro", "roc_auc", "bleu", "pearson"} <= set(out.split())


def test_level_and_kind_of_the_interval(capsys, table, predictions):
    options = ["--confidence-level", "0.8", "--interval", "bca"]
    result = run_json(capsys, "compare", table, *COLUMNS, *FAST, *options)
    test = PairedBootstrap(
        n_resamples=99, random_state=0, confidence_level=0.8, interval="bca"
    )
    labels = [predictions[name] for name in ("gold", "lr", "nb")]
    expected = test.fit_predictions(*labels).result_
    assert result["confidence_interval"] == expected.confidence_interval._asdict()
    assert "--test mcnemar does not support --interval" in failure(
        capsys, "compare", table, *COLUMNS, "--test", "mcnemar", "--interval", "bca"
    )


def test_models_get_other_names(capsys, table):
    result = run_json(
        capsys, "compare", table, *COLUMNS, *FAST, "--names", "new", "old"
    )
    assert (result["name_a"], result["name_b"]) == ("new", "old")
    columns = ["--truth", "gold", "--models", "lr", "nb", "id", *FAST]
    result = run_json(capsys, "compare", table, *columns, "--names", "x", "y", "z")
    assert result["names"] == ["x", "y", "z"]
    for names in (["new"], ["new", "new"], ["a", "b", "c"]):
        assert "--names must be 2 different names, one for each model" in failure(
            capsys, "compare", table, *COLUMNS, "--names", *names
        )


def test_quiet_prints_the_sentence_only(capsys, table):
    _, full, _ = run(capsys, "compare", table, *COLUMNS, *FAST)
    options = [*COLUMNS, *FAST, "--quiet"]
    _, quiet, _ = run(capsys, "compare", table, *options)
    assert quiet == full.partition("\n\n")[0] + "\n"
    assert quiet.startswith("A (lr) scores")
    _, quiet, _ = run(capsys, "gate", table, *options)
    assert quiet.startswith("PASSED")
    assert "\n\n" not in quiet
    _, _, err = run(capsys, "compare", table, *COLUMNS, "--test", "auto", "--quiet")
    assert err == ""


def test_the_plot_option_writes_an_image(capsys, table, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "result.svg"
    assert run(capsys, "compare", table, *COLUMNS, *FAST, "--plot", path)[0] == 0
    assert "<svg" in path.read_text()
    models = ["--truth", "gold", "--models", "lr", "nb", *FAST]
    path = tmp_path / "pairs.PNG"
    assert run(capsys, "compare", table, *models, "--plot", path)[0] == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    message = failure(capsys, "compare", table, *COLUMNS, "--plot", tmp_path / "x.txt")
    assert "--plot must end in .png, .svg or .pdf" in message
    shutil.copy(table, path := tmp_path / "table.svg")
    options = [*COLUMNS, "--input-format", "csv", "--plot", path]
    message = failure(capsys, "compare", path, *options)
    assert "is an input file, which would be overwritten" in message


@pytest.mark.parametrize(
    ("name", "test"),
    [("t", PairedTTest), ("wilcoxon", WilcoxonSignedRank), ("sign", SignTest)],
)
def test_tests_of_rows(capsys, table, predictions, name, test):
    result = run_json(capsys, "compare", table, *COLUMNS, "--test", name)
    labels = [predictions[name] for name in ("gold", "lr", "nb")]
    assert result["pvalue"] == test().fit_predictions(*labels).pvalue_


def test_delong(capsys, tmp_path, predictions):
    columns = {"gold": predictions["gold"], "lr": predictions["proba"][:, 2]}
    path = write_csv(tmp_path / "p.csv", columns | {"nb": predictions["proba"][:, 1]})
    options = [*COLUMNS, "--positive", "pos", "--test", "delong"]
    result = run_json(capsys, "compare", path, *options)
    test = DeLong().fit_predictions(
        (predictions["gold"] == "pos").astype(int),
        columns["lr"],
        predictions["proba"][:, 1],
    )
    assert result["pvalue"] == test.pvalue_
    assert "supports no other --scoring. Got f1" in failure(
        capsys, "compare", path, *options, "--scoring", "f1"
    )


@pytest.mark.parametrize("scoring", ["f1", "precision", "recall", "average_precision"])
def test_a_metric_of_one_class_needs_its_name(capsys, tmp_path, scoring):
    rows = {"gold": ["ham", "spam"] * 5, "lr": ["ham"] * 10, "nb": ["spam"] * 10}
    path = write_csv(tmp_path / "mail.csv", rows)
    if scoring == "average_precision":
        rows |= {"lr": np.linspace(0, 1, 10), "nb": np.linspace(1, 0, 10)}
        path = write_csv(tmp_path / "mail.csv", rows)
    message = failure(capsys, "compare", path, *COLUMNS, "--scoring", scoring)
    assert f"--scoring {scoring} is for one class of the truth, which has " in message
    assert "ham, spam: pass it to --positive" in message


@pytest.mark.parametrize(
    "scoring", ["roc_auc", "neg_log_loss", "neg_brier_score", "average_precision"]
)
def test_one_column_of_probabilities_needs_its_class(capsys, tmp_path, scoring):
    p = np.linspace(0.1, 0.9, 30)
    rows = {"gold": ["ham", "spam", "ham"] * 10, "lr": p, "nb": p[::-1]}
    path = write_csv(tmp_path / "mail.csv", rows)
    options = [*COLUMNS, "--scoring", scoring]
    message = failure(capsys, "compare", path, *options)
    assert "ham, spam: pass it to --positive, or use columns of prob" in message
    assert "all classes, such as 'svm_proba_*'" in message
    if scoring == "roc_auc":  # likewise for the test of this metric
        assert message == failure(capsys, "compare", path, *COLUMNS, "--test", "delong")
    truth = (np.array(rows["gold"]) == "spam").astype(int)
    expected = PairedBootstrap(scoring=scoring, n_resamples=99, random_state=0)
    expected.fit_predictions(truth, p, p[::-1])
    result = run_json(capsys, "compare", path, *options, "--positive", "spam", *FAST)
    assert result["score_a"] == expected.score_a_


def test_a_column_of_probabilities_needs_no_class_that_is_1(capsys, tmp_path):
    p = np.linspace(0.1, 0.9, 30)
    rows = {"gold": [0, 1, 0] * 10, "lr": p, "nb": p[::-1]}
    path = write_csv(tmp_path / "p.csv", rows)
    options = [*COLUMNS, "--scoring", "neg_log_loss", *FAST]
    plain = run_json(capsys, "compare", path, *options)
    assert plain == run_json(capsys, "compare", path, *options, "--positive", "1")


@pytest.mark.parametrize("positive", [[], ["--positive", "1"]])
@pytest.mark.parametrize("scoring", ["roc_auc", "neg_brier_score"])
def test_probabilities_of_a_model_that_is_always_sure(
    capsys, tmp_path, scoring, positive
):
    """Like those of a fully grown tree, written as 0.0 and 1.0."""
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 2
    sure = np.where(rng.random(60) < 0.8, truth, 1 - truth).astype(float)
    other = rng.random(60)
    path = write_csv(tmp_path / "p.csv", {"gold": truth, "lr": sure, "nb": other})
    options = [*COLUMNS, "--scoring", scoring, *positive, *FAST]
    result = run_json(capsys, "compare", path, *options)
    test = PairedBootstrap(scoring=scoring, n_resamples=99, random_state=0)
    test.fit_predictions(truth, {"predict_proba": sure}, other)
    assert result["score_a"] == test.score_a_


def test_the_same_column_of_the_same_file_twice(capsys, table):
    options = ["--id", "id", "--truth", "gold", "--a", "lr", "--b", "lr"]
    path = Path(table)
    for again in (table, path.parent / ".." / path.parent.name / path.name):
        message = failure(capsys, "compare", table, again, *options)
        assert "lr of " in message
        assert "is named twice" in message


# Decimal commas


def write_text(path, text):
    path.write_text(text)
    return str(path)


DECIMALS = "gold;lr;nb\n1,5;1,25;2\n-2,5;2;1,5\n0,25;1;0,5\n"


def test_decimal_commas_are_noticed(capsys, tmp_path):
    path = write_text(tmp_path / "d.csv", DECIMALS)
    message = failure(capsys, "compare", path, *COLUMNS, "--delimiter", ";")
    assert "column 'gold' of" in message
    assert "has numbers with decimal commas; pass --decimal ," in message


def test_decimal_commas_in_fields_that_commas_separate(capsys, tmp_path):
    path = write_text(tmp_path / "d.csv", "gold,lr,nb\n1,5,1,25,2,0\n")
    assert "decimal commas must be in quotation marks" in failure(
        capsys, "compare", path, *COLUMNS
    )


# What is written


def test_warnings_are_a_line_each(capsys, tmp_path, predictions):
    columns = {"gold": predictions["gold"]}
    for model, factor in (("a", 1), ("b", 0.5)):  # those of b sum to one half
        for name, probability in zip(CLASSES, predictions["proba"].T, strict=True):
            columns[f"{model}_{name}"] = factor * probability
    path = write_csv(tmp_path / "p.csv", columns)
    options = ["--truth", "gold", "--a", "a_*", "--b", "b_*", *FAST]
    status, _, err = run(capsys, "compare", path, *options, "--scoring", "neg_log_loss")
    assert status == 0
    assert err.startswith("skcompare: warning: ")
    assert "do not sum to one" in err
    assert err.count("\n") == 1


def test_caveats_are_in_the_output(capsys, tmp_path):
    path = write_csv(tmp_path / "s.csv", {"gold": [0, 1], "lr": [0, 1], "nb": [0, 1]})
    status, out, err = run(capsys, "compare", path, *COLUMNS, *FAST)
    assert (status, err) == (0, "")
    assert "Both models predict the same on all 2 rows" in out


def test_numbers_that_json_lacks_are_null(capsys, table, tmp_path):
    path = write_csv(
        tmp_path / "s.csv", {"gold": [0, 1, 1], "lr": [0, 1, 1], "nb": [0, 1, 0]}
    )
    result = run_json(capsys, "compare", path, *COLUMNS, "--test", "mcnemar")
    assert result["effect_size"]["odds_ratio"] is None


@pytest.mark.parametrize(
    ("format", "mark"), [("markdown", "|"), ("html", "<html"), ("latex", "\\begin{")]
)
def test_reports(capsys, table, format, mark):
    status, out, err = run(
        capsys, "compare", table, *COLUMNS, *FAST, "--format", format
    )
    assert (status, err) == (0, "")
    assert mark in out


def test_output_goes_to_a_file(capsys, table, tmp_path):
    _, expected, _ = run(capsys, "compare", table, *COLUMNS, *FAST)
    options = [*COLUMNS, *FAST, "--output", tmp_path / "result.txt"]
    code, out, err = run(capsys, "compare", table, *options)
    assert (code, out) == (0, "")
    assert err == f"skcompare: Wrote {tmp_path / 'result.txt'}.\n"
    assert (tmp_path / "result.txt").read_text() == expected
    assert sorted(os.listdir(tmp_path)) == ["preds.csv", "result.txt"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_device_is_written_to_and_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_file(tmp_path / "pipe", b"hello")
    assert os.read(reader, 9) == b"hello"
    os.close(reader)


def test_a_folder_that_is_not_writable_is_named(capsys, tmp_path, table, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode: False)  # root may always write
    output = ["--output", tmp_path / "result.txt"]
    message = failure(capsys, "compare", table, *COLUMNS, *output)
    assert "result.txt cannot be written: its folder is not writable" in message


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch, error):
    def fail(*_):
        raise error

    (tmp_path / "result.txt").write_text("old")
    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(error):
        write_file(tmp_path / "result.txt", b"new")
    assert os.listdir(tmp_path) == ["result.txt"]
    assert (tmp_path / "result.txt").read_text() == "old"


def test_the_demo_is_brief_saves_its_report_and_names_the_next_step(
    capsys, tmp_path, monkeypatch
):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    status, out, _ = run(capsys, "demo", "--n-resamples", "99", "--plot", "demo.png")
    assert status == 0
    assert out.count("significantly better") == 1
    assert "score A" in out
    assert "H0: " not in out
    assert "skcompare compare preds.csv" in out
    assert "is in skcompare-demo.html" in out
    page = (tmp_path / "skcompare-demo.html").read_text()
    assert "H0: " in page
    assert "<svg" in page
    assert (tmp_path / "demo.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("name", "mark"),
    [("d.md", "| --- |"), ("d.tex", r"\begin{tabular}"), ("d.txt", "H0")],
)
def test_the_demo_saves_its_report_in_the_format_of_the_suffix(
    capsys, tmp_path, name, mark
):
    options = ["--n-resamples", "99", "--output", str(tmp_path / name)]
    _, out, _ = run(capsys, "demo", *options)
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert mark in text
    assert "<html" not in text
    assert "a plot" not in out


def test_the_demo_refuses_a_suffix_without_a_format(capsys, tmp_path):
    path = tmp_path / "demo.pdf"
    message = failure(capsys, "demo", "--n-resamples", "99", "--output", str(path))
    assert "--output must end in one of .txt, .md, .html, .htm, .tex. Got" in message
    assert not path.exists()


# The gate


def test_the_gate_opens_only_for_the_better_model(capsys, table):
    options = ["--truth", "gold", *FAST]
    passed = run(capsys, "gate", table, *options, "--a", "lr", "--b", "nb")
    assert passed[0] == 0
    assert passed[1].startswith("PASSED: A is shown to be better than B (p = ")
    refused = run(capsys, "gate", table, *options, "--a", "nb", "--b", "lr")
    assert refused[0] == 1
    assert refused[1].startswith("NOT PASSED: A is not shown to be better than B")


def test_the_gate_requires_all_metrics(capsys, tmp_path):
    # B finds all positives, which A never does, and more that are none.
    columns = {"gold": [0] * 90 + [1] * 10, "lr": [0] * 100, "nb": [0] * 40 + [1] * 60}
    path = write_csv(tmp_path / "t.csv", columns)
    for scoring, status in (("accuracy", 0), ("recall", 1), ("accuracy,recall", 1)):
        options = [*COLUMNS, *FAST, "--scoring", scoring]
        assert run(capsys, "gate", path, *options)[0] == status, scoring


def test_a_gate_of_several_metrics_needs_no_adjustment(capsys, table):
    """Requiring all of them is an intersection-union test."""
    options = [*COLUMNS, *FAST, "--scoring", "f1_macro,accuracy"]
    caution = "The p-values are not adjusted for multiple comparisons."
    assert caution in run(capsys, "compare", table, *options)[1]
    _, out, _ = run(capsys, "gate", table, *options)
    assert "Overview" in out
    assert caution not in out


def test_the_margin_is_in_the_decision(capsys, table):
    options = [*COLUMNS, "--seed", "0", "--n-resamples", "999", "--format", "json"]
    pvalues = []
    for margin, status in (("-0.05", 0), ("0", 0), ("0.5", 1)):
        exit_status, out, _ = run(capsys, "gate", table, *options, f"--margin={margin}")
        assert exit_status == status
        exported = json.loads(out)
        assert exported["passed"] is (status == 0)
        pvalues.append(exported["results"][0]["gate_pvalue"])
    assert pvalues == sorted(pvalues)


@pytest.mark.parametrize(
    ("margin", "claim"),
    [
        ("0.01", "better than B by more than 0.01"),
        ("-0.5", "less than 0.5 worse than B"),
    ],
)
def test_the_gate_states_its_claim(capsys, table, margin, claim):
    _, out, _ = run(capsys, "gate", table, *COLUMNS, *FAST, f"--margin={margin}")
    assert f"shown to be {claim} (p = " in " ".join(out.split())


def test_the_seed_of_the_gate_is_fixed_and_printed(capsys, table):
    options = [*COLUMNS, "--n-resamples", "99"]
    first = run(capsys, "gate", table, *options)
    assert first == run(capsys, "gate", table, *options, "--seed", "0")
    assert ", seed 0)." in " ".join(first[1].split())
    _, out, _ = run(capsys, "gate", table, *options, "--format", "json")
    assert json.loads(out)["seed"] == 0


@pytest.mark.parametrize("ending", ["pdf", "xlsx", "csv"])
def test_an_ending_without_a_format_is_refused(capsys, table, tmp_path, ending):
    path = tmp_path / f"report.{ending}"
    message = failure(capsys, "compare", table, *COLUMNS, "--output", str(path))
    assert "--output must end in one of .txt, .md, .html, .htm, .tex, .json" in message
    assert not path.exists()


def test_the_gate_in_markdown(capsys, table):
    _, out, _ = run(capsys, "gate", table, *COLUMNS, *FAST, "--format", "markdown")
    assert out.startswith("PASSED: A is shown to be better than B (p = ")
    assert "\n| --- | --: | --- |\n" in out
    assert "margin" not in out


def test_rows_that_agree_pass_a_gate_only_if_they_are_many(capsys, tmp_path):
    """So few may all agree though models differ by the margin: (1 - m)^n."""
    for n_rows, status in ((3, 1), (298, 1), (299, 0)):
        path = tmp_path / f"{n_rows}.csv"
        path.write_text("gold,new,old\n" + "1,1,1\n" * n_rows, encoding="utf-8")
        columns = ["--truth", "gold", "--a", "new", "--b", "old", "--margin=-0.01"]
        options = [*columns, "--scoring", "accuracy", "--n-resamples", "999"]
        exit_status, out, _ = run(capsys, "gate", str(path), *options)
        assert exit_status == status
        assert out.startswith("PASSED" if status == 0 else "NOT PASSED")


def test_the_text_after_the_verdict_on_a_margin_does_not_contradict_it(capsys, table):
    options = [*COLUMNS, *FAST, "--margin", "0.5"]
    _, out, _ = run(capsys, "gate", table, *options)
    verdict, about, body, *_ = out.split("\n\n")
    assert verdict.startswith(
        "NOT PASSED: A is not shown to be better than B by more than 0.5"
    )
    assert "ignore it: they test whether A is better than B at all" in about.replace(
        "\n", " "
    )
    assert "A is significantly better than B" in body.replace("\n", " ")


# Large files


def test_many_rows(capsys, tmp_path):
    n_rows = 200_000
    labels = np.random.default_rng(0).integers(5, size=(3, n_rows))
    table = np.column_stack([np.arange(n_rows), *labels]).tolist()
    path = tmp_path / "many.csv"
    with open(path, "w") as file:
        file.write("id,gold,lr,nb\n")
        csv.writer(file).writerows(table)
    start = time.process_time()
    result = run_json(capsys, "compare", path, *COLUMNS, *FAST, "--scoring", "f1_macro")
    assert time.process_time() - start < 2
    assert result["n_rows"] == n_rows
    test = PairedBootstrap(scoring="f1_macro", n_resamples=99, random_state=0)
    assert result["pvalue"] == test.fit_predictions(*labels).pvalue_


# The real program


def program(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "skcompare", *map(str, arguments)],
        capture_output=True,
        timeout=120,
        check=False,
        **options,
    )


def test_the_program_reads_a_pipe_and_has_an_exit_code(table):
    options = ["--truth", "gold", "--a", "nb", "--b", "lr", *FAST]
    with open(table, "rb") as file:
        done = program("gate", "-", *options, stdin=file)
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"A (nb) scores" in done.stdout


def test_the_program_fails_in_one_line(tmp_path, capsys):
    (tmp_path / "bad.csv").write_bytes(b"gold,lr,nb\na,b\xff,c\n")
    status, out, err = run(capsys, "compare", tmp_path / "bad.csv", *COLUMNS)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert "is not in utf-8" in err


def wait_until_read(pipe):
    """Wait until the other end of a pipe has read all that was written."""
    fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")
    for _ in range(600):
        waiting = fcntl.ioctl(pipe, termios.FIONREAD, bytes(4))
        if not int.from_bytes(waiting, sys.byteorder):
            return
        time.sleep(0.1)


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX systems")
def test_an_interrupted_program_leaves_no_file(table, tmp_path):
    options = [*COLUMNS, "--output", str(tmp_path / "result.txt")]
    process = subprocess.Popen(
        [sys.executable, "-m", "skcompare", "compare", "-", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdin.write(Path(table).read_bytes())
    process.stdin.flush()  # not closed: the program waits for more rows
    wait_until_read(process.stdin)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"skcompare: interrupted\n")
    assert os.listdir(tmp_path) == ["preds.csv"]


def test_a_reader_that_has_enough_is_no_error(table):
    command = (
        f"{sys.executable} -m skcompare compare {table} {' '.join(COLUMNS + FAST)}"
    )
    script = f"{{ {command}; echo $? >&2; }} | true"
    done = subprocess.run(["sh", "-c", script], capture_output=True, check=True)
    assert done.stderr in (b"141\n", b"0\n")


# The guide

GUIDE = Path(__file__).parents[2] / "doc" / "user_guide" / "command_line.rst"


def blocks_of(text, language):
    """Return the code blocks of a language, without their indentation."""
    start = f".. code-block:: {language}\n\n"
    for part in text.split(start)[1:]:
        lines = itertools.takewhile(
            lambda line: not line or line.startswith("   "), part.splitlines()
        )
        yield "\n".join(line[3:] for line in lines).strip()


def test_the_examples_of_the_guide(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = GUIDE.read_text()
    exec(next(blocks_of(text, "python")), {})
    examples = [
        example
        for block in blocks_of(text, "console")
        for example in block.split("$ skcompare ")[1:]
    ]
    assert len(examples) == len(re.findall(r"\$ skcompare \w+ ", text))
    check = doctest.OutputChecker().check_output
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    for example in examples:
        command, _, expected = example.partition("\n")
        if "bleu" in command:
            pytest.importorskip("sacrebleu")
        status, out, err = run(capsys, *shlex.split(command))
        assert status == ("NOT PASSED" in expected), err
        assert check(expected.strip(), out.strip(), flags), (command, out)


def test_two_listed_models_are_a_pair_without_a_challenger(capsys, table):
    columns = ["--truth", "gold", "--models", "lr", "nb", *FAST]
    result = run_json(capsys, "compare", table, *columns, "--correction", "max-t")
    assert result["names"] == ["lr", "nb"]
    assert result["alternative"] == "two-sided"


@pytest.mark.parametrize(
    ("name", "mark"),
    [
        ("a.html", "<!doctype html>"),
        ("a.json", '"results"'),
        ("a.md", "| --- |"),
        ("a.tex", r"\begin{tabular}"),
        ("a.txt", "  score A"),
    ],
)
def test_the_name_of_the_output_decides_its_format(capsys, table, tmp_path, name, mark):
    path = tmp_path / name
    assert run(capsys, "compare", table, *COLUMNS, *FAST, "--output", str(path))[0] == 0
    assert mark.lower() in path.read_text(encoding="utf-8").lower()
