"""The workflow of the user guide: its command runs, and writes what is read next."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from skcompare.cli import main

GUIDE = Path(__file__).parents[2] / "doc" / "user_guide" / "command_line.rst"


@pytest.fixture(scope="module")
def workflow():
    """The YAML block of the guide that runs a gate."""
    blocks = re.findall(
        r"^\.\. code-block:: yaml\n\n((?:   .*\n|\n)+)", GUIDE.read_text(), re.M
    )
    (block,) = [block for block in blocks if "skcompare gate" in block]
    return block


def gate_command(workflow):
    """Return the command of the step "Gate", whose lines YAML folds into one."""
    (folded,) = re.findall(r"name: Gate\n +run: >-\n((?: {13}.*\n)+)", workflow)
    return shlex.split(folded)


@pytest.mark.parametrize(("better", "code"), [("new", 0), ("old", 1)])
def test_the_command_of_the_workflow_runs(
    workflow, better, code, tmp_path, monkeypatch, capsys
):
    program, *arguments = gate_command(workflow)
    assert program == "skcompare"
    rng = np.random.default_rng(0)
    gold = rng.integers(3, size=150)
    shares = {"new": 0.9, "old": 0.9} | {better: 1.0}
    columns = {
        name: np.where(rng.random(150) < share, gold, (gold + 1) % 3)
        for name, share in shares.items()
    }
    lines = zip(gold, columns["new"], columns["old"], strict=True)
    text = "\n".join(",".join(map(str, line)) for line in lines)
    (tmp_path / "preds.csv").write_text(f"gold,new,old\n{text}\n")
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == code
    verdict = (tmp_path / "gate.md").read_text()
    assert ("NOT PASSED" in verdict) == bool(code)
    assert "| --- |" in verdict or "|---|" in verdict or "|:---|" in verdict
    out, err = capsys.readouterr()
    assert out == ""
    assert "Wrote gate.md." in err


def test_the_workflow_is_yaml_with_the_file_that_the_gate_writes(workflow):
    yaml = pytest.importorskip("yaml")
    steps = yaml.safe_load(workflow)["jobs"]["gate"]["steps"]
    named = {step.get("name"): step.get("run") for step in steps}
    written = named["Gate"].split("--output ")[1]
    assert f"cat {written}" in named["Comment"]
    assert f"--body-file {written}" in named["Comment"]
