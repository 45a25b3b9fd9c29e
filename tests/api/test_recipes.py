"""The recipes of CONTRIBUTING.md work, followed to the letter in a copy of the tree."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BLOCK = re.compile(r"^```(python|diff|pycon)\n(.*?)^```$", re.M | re.S)


def blocks():
    """Yield the kind and the lines of each block of code under "Recipes"."""
    _, recipes = (ROOT / "CONTRIBUTING.md").read_text().split("\n## Recipes\n")
    for kind, text in BLOCK.findall(recipes):
        yield kind, text.splitlines()


def test_names_and_paths_in_the_text_exist():
    text = re.sub(
        r"^```.*?^```$", "", (ROOT / "CONTRIBUTING.md").read_text(), flags=re.M | re.S
    )
    code = "\n".join(p.read_text() for p in ROOT.glob("skcompare/**/*.py"))
    tables = set(re.findall(r"`([A-Z_]{2,})`", text))
    assert tables
    assert not [n for n in tables if not re.search(rf"^{n}\b.* = ", code, re.M)]
    paths = set(re.findall(r"`((?:skcompare|tests|doc)/[\w/.]+)`", text))
    assert paths
    assert not [path for path in paths if not (ROOT / path).exists()]


def last_import(lines):
    body = ast.parse("\n".join(lines)).body
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    return imports[-1].end_lineno


def patch(path, diff):
    """Make the changes of a diff, whose lines of context follow each other in the file.

    New lines before any context go after the last import.
    """
    lines, place = path.read_text().splitlines(), None
    for change in diff:
        sign, line = change[:1], change[1:]
        if sign == "+":
            if place is None:
                place = last_import(lines)
            lines.insert(place, line)
            place += 1
            continue
        after = place or 0
        assert line in lines[after:], (
            f"{path}: no line {line!r}; correct the recipe in CONTRIBUTING.md"
        )
        place = lines.index(line, after)
        if sign == "-":
            del lines[place]
        else:
            place += 1
    path.write_text("\n".join([*lines, ""]))


def test_a_recipe_that_is_out_of_date_is_named(tmp_path):
    file = tmp_path / "file.py"
    file.write_text("import numpy\nTESTS = (a, b)\n")
    message = f"{file}: no line 'TESTS = (a)'; correct the recipe in CONTRIBUTING.md"
    with pytest.raises(AssertionError, match=f"^{re.escape(message)}"):
        patch(file, ["-TESTS = (a)", "+TESTS = (a, b)"])


TESTS = (
    "tests/api/test_house_rules.py",
    "tests/api/test_architecture.py",
    "tests/engine/test_equality.py",
)


@pytest.fixture(scope="module")
def copy_with_recipes(tmp_path_factory):
    root = tmp_path_factory.mktemp("copy")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "skcompare", root / "skcompare", ignore=ignored)
    for name in ("setup.cfg", "pyproject.toml", "CITATION.cff", "doc/api.rst", *TESTS):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    for kind, (first, *lines) in blocks():
        path = root / first.removeprefix("# ")
        if kind == "python":
            assert not path.exists(), f"{path} exists: CONTRIBUTING.md needs another"
            path.write_text("\n".join([*lines, ""]))
        elif kind == "diff":
            patch(path, lines)
    return root


RUN = """
import doctest, sys, warnings
import pytest
import skcompare.comparison._z as test, skcompare.stats.normal as interval
from skcompare.cli._options import OPTIONS

warnings.simplefilter("error")
runs = [doctest.testfile("recipes.txt", module_relative=False)]
runs += [doctest.testmod(module) for module in (test, interval)]
assert "org" in OPTIONS["format"].choices and "normal" in OPTIONS["interval"].choices
assert all(run.attempted and not run.failed for run in runs)
sys.exit(pytest.main(sys.argv[1:]))
"""


# What is not about the package: which packages are imported, other tests, scripts; and
# the lists of values in docstrings and on pages, which the recipes leave to the text.
ELSEWHERE = (
    "optional_package or core_dependencies or tests_of_behavior or scripts "
    "or docstrings_of or pages"
)
# Of the tests of metrics, those of the new one.
CHOSEN = f"not ({ELSEWHERE}) and (not test_equality or coverage)"


def test_recipes_work_as_they_are_written_and_keep_to_the_rules(copy_with_recipes):
    """In one process, which takes seconds to start."""
    lines = [line for kind, block in blocks() if kind == "pycon" for line in block]
    (copy_with_recipes / "recipes.txt").write_text("\n".join([*lines, ""]))
    options = ("-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", ".")
    options += ("-o", "markers=needs")
    run = subprocess.run(
        [sys.executable, "-c", RUN, *options, "-k", CHOSEN, *TESTS],
        cwd=copy_with_recipes,
        env=os.environ
        | {"PYTHONPATH": str(copy_with_recipes), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert " passed" in run.stdout
