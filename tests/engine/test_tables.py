"""What the command line reads from tables: types of cells, encodings, large columns."""

import json
import os
import tracemalloc

import numpy as np
import pytest

from skcompare.cli import main, read_options
from skcompare.cli._data import load
from skcompare.cli._tables import MANY_LEVELS, Column
from tests.commands import (
    CLASSES,
    COLUMNS,
    FAST,
    failure,
    run_json,
    write_csv,
)


def data_of(*arguments):
    """Read what a command would compare."""
    return load(read_options("compare", list(map(str, arguments))))


def test_json_lines_with_several_references(tmp_path):
    path = tmp_path / "texts.jsonl"
    rows = [
        {"gold": ["one", "1"], "a": "one", "b": "two"},
        {"gold": "x", "a": "", "b": "y"},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    columns = ["--truth", "gold", "--a", "a", "--b", "b", "--scoring", "bleu"]
    data = data_of(path, *columns)
    assert data.truth.tolist() == [("one", "1"), "x"]
    assert data.models["a"].tolist() == ["one", ""]


def test_sequences_in_json_lines(tmp_path):
    path = tmp_path / "parses.jsonl"
    row = {"gold": [[2, "x"], [0, "y"]], "a": [[2, "x"]], "b": [0.25, 0.75]}
    path.write_text("\n".join([json.dumps(row)] * 2))
    data = data_of(path, "--truth", "gold", "--a", "a", "--b", "b", "--scoring", "las")
    assert data.truth.tolist() == [((2, "x"), (0, "y"))] * 2
    assert data.models["b"].tolist() == [[0.25, 0.75]] * 2


def test_ids_stay_as_they_are_written(tmp_path):
    files = []
    for name, ids in (("gold", ["1", "01"]), ("a", ["01", "1"]), ("b", ["1", "01"])):
        columns = {"id": ids, name: [ids[0], ids[1]]}
        files.append(write_csv(tmp_path / f"{name}.csv", columns))
    data = data_of(*files, "--id", "id", "--scoring", "bleu")
    assert data.truth.tolist() == data.models["a"].tolist() == ["1", "01"]


def read(tmp_path, *rows, more=()):
    """Read truth, A and B from a small table."""
    path = tmp_path / "small.csv"
    path.write_text("\n".join(["gold,a,b", *rows]) + "\n")
    data = data_of(path, "--truth", "gold", "--a", "a", "--b", "b", *more)
    return data.truth.tolist(), data.models["a"].tolist(), data.models["b"].tolist()


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["1,1,0", "0,1,0"], ([1, 0], [1, 1], [0, 0])),
        (["1.5,1,2", "0,1,0"], ([1.5, 0.0], [1, 1], [2, 0])),
        (["True,false,True", "False,true,TRUE"], ([1, 0], [0, 1], [1, 1])),
        (["yes,0.9,0.5", "no,0.1,0.4"], (["yes", "no"], [0.9, 0.1], [0.5, 0.4])),
        # A class that some model does not give must not change the type of the rest.
        (["1,1,1", "x,1,x"], (["1", "x"], ["1", "1"], ["1", "x"])),
        (["1,unsure,1.0", "2,2,01"], (["1", "2"], ["unsure", "2"], ["1", "1"])),
        (["1" + 25 * "0" + ",1,2", "0,1,2"], ([1e25, 0.0], [1, 1], [2, 2])),
        (["1_0,1_0,x", "x,x,x"], (["1_0", "x"], ["1_0", "x"], ["x", "x"])),
    ],
)
def test_cells_get_types_that_go_together(tmp_path, rows, expected):
    assert read(tmp_path, *rows, more=("--scoring", "pearson")) == expected


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
@pytest.mark.parametrize("numbered", [False, True])
def test_probabilities_by_a_pattern(tmp_path, predictions, order, numbered):
    names = [str(k) if numbered else CLASSES[k] for k in order]
    columns = {"gold": predictions["gold"], "lr_pos": predictions["lr"]}
    columns |= {
        f"p_{name}": predictions["proba"][:, k]
        for name, k in zip(names, order, strict=True)
    }
    path = write_csv(tmp_path / "p.csv", columns)
    options = ["--truth", "gold", "--a", "p_*", "--b", "lr_pos"]
    model = data_of(path, *options, "--scoring", "pearson").models["p_*"]
    np.testing.assert_array_equal(model["predict_proba"], predictions["proba"])
    assert model["classes"].tolist() == CLASSES


def test_several_labels_by_patterns(tmp_path):
    columns = {"y_u": [0, 1], "y_v": [1, 0], "a_v": [1, 1], "a_u": [0, 0]}
    columns |= {"b_u": [1, 1], "b_v": [0, 0], "c_u": [0, 0]}
    path = write_csv(tmp_path / "m.csv", columns)
    data = data_of(path, "--truth", "y_*", "--a", "a_*", "--b", "b_*")
    assert data.truth.tolist() == [[0, 1], [1, 0]]
    assert data.models["a_*"].tolist() == [[0, 1], [0, 1]]
    with pytest.raises(ValueError, match="must match a column for each of y_"):
        data_of(path, "--truth", "y_*", "--a", "a_*", "--b", "c_*")


def test_the_positive_class(capsys, table, tmp_path, predictions):
    options = [*COLUMNS, *FAST, "--scoring", "f1"]
    result = run_json(capsys, "compare", table, *options, "--positive", "pos")
    gold, lr = (predictions[name] == "pos" for name in ("gold", "lr"))
    assert result["score_a"] == pytest.approx(
        2 * (gold & lr).sum() / (gold.sum() + lr.sum())
    )
    assert "one of neg, neu, pos. Got 'x'" in failure(
        capsys, "compare", table, *options, "--positive", "x"
    )
    rows, more = ["2,0.5,1", "1,0.7,2"], ["--positive", "1", "--scoring", "pearson"]
    assert read(tmp_path, *rows, more=more) == ([0, 1], [0.5, 0.7], [1, 0])


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbfgold,lr,nb\n1,1,0\n0,0,1\n",
        b"gold,lr,nb\r\n1,1,0\r\n0,0,1\r\n",
        b"gold,lr,nb\n1,1,0\n\n0,0,1\n\n\n",
        b'note,gold,lr,nb\n"two\nlines, ""quoted""",1,1,0\n,0,0,1',
        b'gold,"lr",nb\n 1,1, 0\n0,"0",1\n',
    ],
    ids=["mark", "CRLF", "blank lines", "quoted newline", "spaces"],
)
def test_odd_tables_that_are_fine(tmp_path, content):
    path = tmp_path / "odd.csv"
    path.write_bytes(content)
    data = data_of(path, *COLUMNS)
    assert data.truth.tolist() == [1, 0]
    assert [model.tolist() for model in data.models.values()] == [[1, 0], [0, 1]]


def test_other_encodings(capsys, tmp_path):
    path = tmp_path / "latin.csv"
    path.write_bytes("gold,lr,nb\né,é,b\nb,b,é\n".encode("latin-1"))
    data = data_of(path, *COLUMNS, "--encoding", "latin-1")
    assert data.truth.tolist() == ["é", "b"]
    path.write_bytes("gold,lr,nb\né,é,b\nb,b,é\n".encode("utf-16"))
    assert data_of(path, *COLUMNS, "--encoding", "utf-16").truth.tolist() == ["é", "b"]
    message = failure(capsys, "compare", path, *COLUMNS, "--encoding", "klingon")
    assert "--encoding must be a text encoding, such as utf-8. Got 'klingon'" in message


def test_quotation_marks_as_characters(tmp_path):
    path = tmp_path / "raw.tsv"
    path.write_text('gold\tlr\tnb\n"a\tb"\t"\nx\ty\tz\n')
    data = data_of(path, *COLUMNS, "--no-quotes")
    assert data.truth.tolist() == ['"a', "x"]


def write_text(path, text):
    path.write_text(text)
    return str(path)


DECIMALS = "gold;lr;nb\n1,5;1,25;2\n-2,5;2;1,5\n0,25;1;0,5\n"


def test_decimal_commas_are_read(tmp_path):
    path = write_text(tmp_path / "d.csv", DECIMALS)
    data = data_of(path, *COLUMNS, "--delimiter", ";", "--decimal", ",")
    assert data.truth.tolist() == [1.5, -2.5, 0.25]
    assert data.models["lr"].tolist() == [1.25, 2, 1]


def test_a_truth_that_also_names_groups_is_read_as_numbers(tmp_path):
    path = write_text(tmp_path / "d.csv", DECIMALS)
    more = ["--delimiter", ";", "--decimal", ",", "--groups", "gold"]
    data = data_of(path, *COLUMNS, *more)
    assert data.truth.tolist() == [1.5, -2.5, 0.25]
    assert data.layout["groups"].tolist() == ["1,5", "-2,5", "0,25"]


def test_labels_with_commas_stay_labels(capsys, tmp_path):
    text = "gold;lr;nb\n1,2;1,2;2,3\n2,3;2,3;1,2\n"
    path = write_text(tmp_path / "d.csv", text)
    data = data_of(path, *COLUMNS, "--delimiter", ";", "--decimal", ".")
    assert data.truth.tolist() == ["1,2", "2,3"]
    text = "gold;lr;nb\na,2;a,2;b,3\nb,3;b,3;a,2\n"
    data = data_of(write_text(tmp_path / "d.csv", text), *COLUMNS, "--delimiter", ";")
    assert data.truth.tolist() == ["a,2", "b,3"]


def test_many_numbers_with_decimal_commas_are_packed(tmp_path):
    values = np.random.default_rng(0).normal(size=(MANY_LEVELS + 20_000, 3))
    lines = [";".join(map(str, row)).replace(".", ",") for row in values.tolist()]
    path = write_text(tmp_path / "d.csv", "\n".join(["gold;lr;nb", *lines]))
    data = data_of(path, *COLUMNS, "--delimiter", ";", "--decimal", ",")
    np.testing.assert_array_equal(data.truth, values[:, 0])


def test_columns_of_many_numbers_are_kept_as_numbers():
    values = np.random.default_rng(0).normal(size=MANY_LEVELS + 5_000)
    cells = list(map(str, values))
    for more in ([], ["1.5", ""]):
        column = Column("column")
        for start in range(0, len(cells), 10_000):
            column.extend(cells[start : start + 10_000])
        column.extend(more)
        assert not isinstance(column.levels, dict)
        np.testing.assert_array_equal(column.numbers[: len(cells)], values)
    with pytest.raises(ValueError, match="column has 1 empty"):
        column.check_complete()
    del column.numbers  # which look at the rows
    with pytest.raises(ValueError, match="in row 105,004 'n/a', which is not a n"):
        column.extend(["2.5", "n/a"])


def test_columns_of_many_texts_stay_texts():
    cells = [f"id {number}" for number in range(MANY_LEVELS + 10)]
    column = Column("column", cells=cells)
    column.extend(["id 3"])
    assert column.texts().tolist() == [*cells, "id 3"]


def peak_of_reading(path):
    tracemalloc.start()
    try:
        data_of(path, *COLUMNS)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_columns_that_are_not_used(tmp_path):
    labels = np.random.default_rng(0).integers(3, size=(3, 20_000))
    columns = dict(zip(("gold", "lr", "nb"), labels, strict=True))
    unused = {
        f"feature {k}": [f"{k} {n}" * 5 for n in range(20_000)] for k in range(20)
    }
    lean = write_csv(tmp_path / "lean.csv", columns)
    wide = write_csv(tmp_path / "wide.csv", unused | columns)
    assert os.path.getsize(wide) > 50 * os.path.getsize(lean)
    peak_of_reading(lean)
    assert peak_of_reading(wide) < peak_of_reading(lean) + 100_000


def test_very_many_numbers_are_brought_into_order_by_ids_as_any_are(
    tmp_path, capsys, monkeypatch
):
    """Ids that look like numbers stay as they are written: 1 and 01 are two."""
    rng = np.random.default_rng(0)
    ids = np.array(["1", *(f"{number:02d}" for number in range(39))])
    truth = rng.normal(size=40)
    files = []
    for name, scale in {"gold": 0.0, "a": 0.5, "b": 1.0}.items():
        values = truth + scale * rng.normal(size=40)
        lines = [f"{i},{v}" for i, v in zip(ids, values, strict=True)]
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join(["id,value", *rng.permutation(lines)]) + "\n")
        files.append(str(path))
    options = ["--id", "id", "--scoring", "r2", "--n-resamples", "99", "--seed", "0"]
    outputs = []
    for most in (MANY_LEVELS, 5):
        monkeypatch.setattr("skcompare.cli._tables.MANY_LEVELS", most)
        assert main(["compare", *files, *options]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
