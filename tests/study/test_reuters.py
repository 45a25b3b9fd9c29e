"""The study of text classifiers: its commands, on the file that it comes with."""

import contextlib
import csv
import gzip
import io
import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.metrics import f1_score

from benchmarks.reuters import study
from benchmarks.reuters.__main__ import main
from benchmarks.reuters.corpus import read_corpus
from benchmarks.reuters.labels import (
    LABELS,
    SYSTEMS,
    read_labels,
    read_matrix,
    write_labels,
)
from benchmarks.reuters.published import PAIRS, TABLE_3, TABLE_4, TABLE_5
from benchmarks.reuters.stump import SortedFeatures, Stump
from benchmarks.reuters.systems import Features
from benchmarks.reuters.tables import by_its_rule, slips, table_3, table_4

IN_DOCS = Path(__file__).parents[2] / "doc" / "studies" / "reuters"


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """Tables and figures of some of the documents, and what was printed.

    Supplied predictions, all of them right, replace a system.
    """
    folder, printed = tmp_path_factory.mktemp("study"), io.StringIO()
    truth, predictions = read_labels()
    some = np.union1d(np.arange(200), truth.argmax(axis=0))  # with every label
    small, mine = folder / "small.npz", folder / "mine.csv"
    write_labels(small, truth[some], {k: p[some] for k, p in predictions.items()})
    np.savetxt(mine, truth[some], fmt="%d", delimiter=",")
    few = ["--labels", str(small), "--resamples", "99", "--draws", "99"]
    with contextlib.redirect_stdout(printed):
        supplied = ["--predictions", f"DBERT={mine}", "--out", str(folder / "out")]
        main(["compare", *few, *supplied])
    return folder / "out", printed.getvalue()


@pytest.fixture(scope="module")
def of_all_documents():
    """The tables that have no posteriors, with few resamples."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study, "_posteriors", lambda *arguments: {})
        results = study.run_study(*read_labels(), n_resamples=199)
    tables = (table(results) for table in (table_3, table_4))
    return [
        [dict(zip(heads, row, strict=True)) for row in rows] for heads, rows in tables
    ]


def test_the_file_has_labels_of_the_test_documents_and_is_small():
    truth, predictions = read_labels()
    assert truth.shape == (3_019, 90)
    assert truth.sum() == 3_744
    assert truth.any(axis=0).all()
    assert tuple(predictions) == SYSTEMS
    assert all(p.shape == truth.shape for p in predictions.values())
    assert LABELS.stat().st_size < 100_000


def test_compare_writes_all_tables_and_figures(compared):
    folder, printed = compared
    assert sorted(path.name for path in folder.iterdir()) == [
        *(f"figure_{number}.svg" for number in (1, 2, 3, 4)),
        *(f"table_{number}.csv" for number in (3, 4, 5, 6)),
    ]
    assert [row["system"] for row in rows_of(folder / "table_3.csv")] == [*TABLE_3]
    for number in (4, 5, 6):
        rows = rows_of(folder / f"table_{number}.csv")
        assert [(row["A"], row["B"]) for row in rows] == list(PAIRS)
        assert f"Table {number}. " in printed


def test_scores_are_those_of_scikit_learn(of_all_documents):
    truth, predictions = read_labels()
    for row in of_all_documents[0]:
        for column, average in (("miF1", "micro"), ("maF1", "macro")):
            score = f1_score(
                truth, predictions[row["system"]], average=average, zero_division=0
            )
            assert row[column] == f"{score:.4f}"


def test_the_tables_in_the_documentation_are_of_these_labels(of_all_documents):
    scores, pairs = of_all_documents
    assert rows_of(IN_DOCS / "table_3.csv") == scores
    for ours, documented in zip(pairs, rows_of(IN_DOCS / "table_4.csv"), strict=True):
        assert (ours["A"], ours["B"]) == (documented["A"], documented["B"])
        assert abs(float(ours["p"]) - float(documented["p"])) < 0.15
        ends = (
            [float(end) for end in row["interval"][1:-1].split(",")]
            for row in (ours, documented)
        )
        np.testing.assert_allclose(*ends, atol=0.01)


def test_supplied_predictions_replace_a_system(compared):
    _, printed = compared
    lines = [line.split() for line in printed.splitlines()]
    (mine,) = [line for line in lines if line[:1] == ["DBERT"] and len(line) == 10]
    assert mine[4:7] == ["1.0000"] * 3


def test_predictions_that_cannot_be_are_refused(tmp_path):
    np.save(tmp_path / "short.npy", np.zeros((3, 90)))
    with pytest.raises(ValueError, match=r"shape \(3019, 90\), a row a test document"):
        read_matrix(tmp_path / "short.npy", (3_019, 90))
    with pytest.raises(SystemExit, match="must be SYSTEM=FILE"):
        main(["compare", "--predictions", "BERT=file.npy"])


@pytest.mark.parametrize("pair", PAIRS)
def test_figures_of_the_report_are_copied_consistently(pair):
    *shares, (low, high), _ = TABLE_5[pair]
    assert sum(shares) == pytest.approx(1.0, abs=0.015)
    assert low < high
    delta = TABLE_3[pair[0]][2] - TABLE_3[pair[1]][2]
    # These two intervals cannot be right in print.
    if pair not in {("SVM", "NNet"), ("RF", "AB")}:
        assert TABLE_4[pair][1][0] - 0.02 < delta < TABLE_4[pair][1][1] + 0.02


def test_the_rule_of_the_report_is_applied_to_its_own_intervals():
    assert by_its_rule((0.11, 0.23), ">>") == ">>"
    assert by_its_rule((0.05, 0.17), ">>") == ">>"  # 0.051 is printed as 0.05
    assert by_its_rule((0.01, 0.13), ">>") == "?"
    assert by_its_rule((-0.06, 0.06), "~") == "?"
    of_table = [line[:7] for line in slips()]
    assert (of_table.count("Table 4"), of_table.count("Table 5")) == (4, 19)


# Refitting


TEXTS = {
    "train": [("aa\nwheat large crop", ["grain"]), ("bb\nprofit dividend", ["earn"])],
    "test": [("cc\nwheat crop", ["grain"]), ("dd\ndividend and profit", ["earn"])],
}
EXTRA = ("ee\ngold mine", ["gold"])  # never in the test documents: not a category


def write_json(folder):
    rows = [
        {"split": split, "topics": topics, "text": text}
        for split, documents in TEXTS.items()
        for text, topics in documents * 30
    ]
    rows.append({"split": "train", "topics": EXTRA[1], "text": EXTRA[0]})
    rows.append({"split": "unused", "topics": ["earn"], "text": "x"})
    path = folder / "corpus.jsonl.gz"
    with gzip.open(path, "wt") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def write_nltk(folder):
    names, number = [], 0
    for split, documents in TEXTS.items():
        place = {"train": "training"}.get(split, split)
        (folder / place).mkdir()
        for text, topics in documents * 30:
            number += 1
            (folder / place / str(number)).write_text(text)
            names.append(f"{place}/{number} {' '.join(topics)}")
    (folder / "cats.txt").write_text("\n".join(reversed(names)))
    return folder


def write_sgml(folder):
    documents = [
        f'<REUTERS TOPICS="YES" LEWISSPLIT="{split.upper()}" NEWID="1">\n<TOPICS>'
        f"{''.join(f'<D>{topic}</D>' for topic in topics)}</TOPICS><TEXT>&#2;"
        f"<TITLE>A &lt;title></TITLE><BODY>{text[3:]}\n Reuter\n&#3;</BODY></TEXT>"
        "</REUTERS>"
        for split, pairs in TEXTS.items()
        for text, topics in pairs * 30
    ]
    unused = documents[0].replace('"TRAIN"', '"NOT-USED"')
    (folder / "reut2-000.sgm").write_text("\n".join([unused, *documents]))
    return folder


@pytest.mark.parametrize("write", [write_json, write_nltk, write_sgml])
def test_the_corpus_is_read_from_each_form(tmp_path, write):
    corpus = read_corpus(write(tmp_path))
    assert corpus.categories == ["earn", "grain"]
    assert len(corpus.train) == len(corpus.test) == 60
    np.testing.assert_array_equal(corpus.y_train[:2], [[0, 1], [1, 0]])
    assert Features(corpus).sparse[0].shape == (60, 5)
    assert Features(corpus, titles=True).sparse[0].shape[1] > 5
    assert "wheat" in corpus.test[0]
    assert "reuter" not in corpus.test[0].lower()
    assert "&" not in corpus.test[0]
    assert all(text.count("\n") == 1 for text in corpus.train)


def test_a_missing_corpus_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="`--corpus` must be a file of JSON"):
        read_corpus(tmp_path)


def test_refit_fits_and_can_be_taken_up_again(tmp_path, capsys):
    corpus = write_json(tmp_path)
    dense = np.random.default_rng(0).normal(size=(120, 3))
    dense[:, 0] += np.tile([0.0, 9.0], 60)
    np.savez(tmp_path / "dense.npz", train=dense[:60], test=dense[60:])
    arguments = [
        "refit",
        *("--corpus", str(corpus), "--out", str(tmp_path / "labels.npz")),
        *("--features", str(tmp_path / "dense.npz"), "--cache", str(tmp_path / "kept")),
    ]
    main(arguments)
    captured = capsys.readouterr()
    assert "60 training and 60 test documents, 2 categories" in captured.err
    truth, predictions = read_labels(tmp_path / "labels.npz")
    for system in ("SVM", "DT", "RF", "AB", "DBERT"):
        np.testing.assert_array_equal(predictions[system], truth)
    main(arguments)
    assert capsys.readouterr().err.count(": from ") == len(SYSTEMS)


def test_features_of_other_documents_are_refused(tmp_path):
    np.savez(tmp_path / "dense.npz", train=np.zeros((5, 3)), test=np.zeros((60, 3)))
    arguments = ["refit", "--corpus", str(write_json(tmp_path))]
    with pytest.raises(ValueError, match="60 in 'train' and 60 in 'test'"):
        main([*arguments, "--features", str(tmp_path / "dense.npz")])


def test_our_stumps_are_those_of_scikit_learn(random_seed):
    rng = np.random.default_rng(random_seed)
    X = rng.normal(size=(200, 20)).astype(np.float32)
    y = (X[:, 3] + X[:, 7] + rng.normal(size=200) > 1).astype(int)
    ours = AdaBoostClassifier(Stump(SortedFeatures(X)), n_estimators=15).fit(X, y)
    theirs = AdaBoostClassifier(n_estimators=15, random_state=0).fit(X, y)
    assert [s.feature_ for s in ours.estimators_] == [
        tree.tree_.feature[0] for tree in theirs.estimators_
    ]
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
