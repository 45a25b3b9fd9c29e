"""Warnings point to the line of the user, wherever that is."""

from pathlib import Path

import pytest

import skcompare
from skcompare.exceptions import DegenerateDataWarning


def test_also_in_a_file_whose_path_begins_like_that_of_the_package():
    path = str(Path(skcompare.__file__).parent) + "_experiments.py"
    call = "McNemar().fit_predictions([0, 1, 1], [0, 1, 1], [0, 1, 1])"
    code = compile(f"from skcompare import McNemar\n{call}", path, "exec")
    with pytest.warns(DegenerateDataWarning) as caught:
        exec(code, {})
    assert {(w.filename, w.lineno) for w in caught} == {(path, 2)}
