"""Files with decimal commas are numbers, not texts."""

import pytest

from skcompare.cli import main

ROWS = [
    ("1,5", "1,4", "1,0"),
    ("2,5", "2,5", "2,0"),
    ("7", "7,5", "8"),
    ("0,5", "0", "1"),
]


def write(path, rows, names=("truth", "a", "b")):
    path.write_text("\n".join(";".join(row) for row in [names, *rows]))
    return str(path)


def run(capsys, *args):
    code = main(["compare", "--delimiter", ";", "--n-resamples", "49", *args])
    return code, capsys.readouterr()


COLUMNS = ("--truth", "truth", "--a", "a", "--b", "b")


def test_decimal_commas_are_refused_with_a_remedy(tmp_path, capsys):
    code, printed = run(capsys, write(tmp_path / "comma.csv", ROWS), *COLUMNS)
    message = " ".join(printed.err.split())
    assert code == 2
    assert "column 'truth'" in message
    assert "has numbers with decimal commas; pass --decimal ," in message


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.SmallSampleWarning")
def test_the_same_with_decimal_points_is_compared(tmp_path, capsys):
    rows = [[cell.replace(",", ".") for cell in row] for row in ROWS]
    code, printed = run(capsys, write(tmp_path / "point.csv", rows), *COLUMNS)
    assert code in (0, 1)
    assert "r2" in printed.out


def test_decimal_commas_of_probabilities_are_refused(tmp_path, capsys):
    rows = [("x", "0,25", "0,75"), ("y", "0,5", "0,5")] * 5
    names = ("truth", "a", "b")
    code, printed = run(capsys, write(tmp_path / "p.csv", rows, names), *COLUMNS)
    assert code == 2
    assert "has numbers with decimal commas" in " ".join(printed.err.split())
    names = ("truth", "p_x", "p_y")
    args = ("--truth", "truth", "--a", "p_*", "--b", "p_*")
    code, printed = run(capsys, write(tmp_path / "q.csv", rows, names), *args)
    assert code == 2


def test_texts_with_commas_stay_texts(tmp_path, capsys):
    rows = [("a,b", "a,b", "c"), ("c", "c", "a,b"), ("1,2,3", "c", "c")] * 12
    code, printed = run(capsys, write(tmp_path / "texts.csv", rows), *COLUMNS)
    assert "accuracy" in printed.out
    assert not printed.err.startswith("skcompare: error")
    assert code in (0, 1)


def test_a_comma_among_points_is_refused_with_a_remedy(tmp_path, capsys):
    rows = [("1.5", "1,4", "1.2"), ("2.5", "2.4", "2.2"), ("3.1", "3.2", "3.3")]
    code, printed = run(capsys, write(tmp_path / "mixed.csv", rows), *COLUMNS)
    assert code == 2
    text = "has text: '1,4' in row 1; for decimal commas pass --decimal ,\n"
    assert printed.err.endswith(text)
    names = ("truth_x", "a_x", "b_x")
    rows = [("0", "0,5", "0.75"), ("1", "0.5", "0.25")]
    options = ["--truth", "truth_*", "--a", "a_*", "--b", "b_*"]
    code, printed = run(capsys, write(tmp_path / "sets.csv", rows, names), *options)
    assert code == 2
    assert "'0,5' in row 1; for decimal commas pass --decimal ,\n" in printed.err


def test_a_comma_after_many_numbers_is_refused_with_a_remedy(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr("skcompare.cli._tables.MANY_LEVELS", 3)
    monkeypatch.setattr("skcompare.cli._tables.BLOCK", 5)
    rows = [(f"{i}.5", f"{i}.25", f"{i}.75") for i in range(9)]
    rows.append(("9.5", "9,5", "9.5"))
    code, printed = run(capsys, write(tmp_path / "many.csv", rows), *COLUMNS)
    assert code == 2
    text = "'9,5', which is not a number; for decimal commas pass --decimal ,\n"
    assert printed.err.endswith(f"in row 10 {text}")
