"""The shape of the package: layers, light imports, public names."""

import ast
import importlib
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

import skcompare

ROOT = Path(__file__).parents[2]


def test_layers_import_only_from_those_below():
    pytest.importorskip("importlinter")
    code = "from importlinter.cli import lint_imports_command as lint; lint()"
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 broken" in run.stdout


OPTIONAL = {"matplotlib", "pandas", "polars", "pyarrow", "tqdm"}


def run_python(code):
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return run.stdout.strip()


def test_importing_takes_no_optional_package_that_scikit_learn_does_not():
    printed = run_python(
        "import sys, sklearn.metrics, sklearn.model_selection, sklearn.pipeline\n"
        "before = set(sys.modules)\n"
        "from skcompare.results import ForestDisplay\n"
        f"print(sorted({OPTIONAL} & (set(sys.modules) - before)))\n"
        "frame = ForestDisplay(['a'], [1.0], [[0.0, 2.0]]).frame()\n"
        "print('matplotlib' in sys.modules, len(frame))"
    )
    # matplotlib not even for a display, as long as it is not drawn
    assert printed.splitlines() == ["[]", "False 1"]


def test_core_dependencies_are_enough():
    printed = run_python(
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.split('.')[0] in {OPTIONAL}:\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Missing())\n"
        "import skcompare\n"
        "y, a, b = [0, 1] * 20, [0, 1] * 20, [1] * 40\n"
        "for test in (skcompare.PairedBootstrap, skcompare.ApproxRandomization):\n"
        "    result = test(n_resamples=9, verbose=1).fit_predictions(y, a, b).result_\n"
        "    print(result.delta, len(result.summary()) > 100)"
    )
    assert printed == "0.5 True\n0.5 True"


def is_public(name, value):
    module = isinstance(value, types.ModuleType)
    return not name.startswith("_") and (not module or name in skcompare.__all__)


def test_public_names_are_listed_once_and_sorted():
    order = sorted(skcompare.__all__)
    assert skcompare.__all__ == order, "sort __all__, with capitals first"
    names = {name for name, value in vars(skcompare).items() if is_public(name, value)}
    assert names | {"__version__"} == set(skcompare.__all__)


def test_public_objects_have_documentation_that_begins_with_a_sentence():
    for name in skcompare.__all__:
        if name != "__version__":
            first = getattr(skcompare, name).__doc__.strip().splitlines()[0]
            assert first.endswith((".", "?")), name


def referenced():
    """Yield the names that the API reference lists, with the modules they are of."""
    module = None
    for line in (ROOT / "doc" / "api.rst").read_text().splitlines():
        if line.startswith(".. currentmodule:: "):
            module = line.split()[-1]
        elif re.fullmatch(r"   [A-Za-z]\w*", line):
            yield module, line.strip()


def test_the_reference_lists_every_public_name():
    public = {("skcompare", name) for name in skcompare.__all__ if name[0] != "_"}
    public -= {("skcompare", name) for name in ("exceptions", "metrics")}
    public -= {("skcompare", name) for name in ("results", "stats")}
    for module in (skcompare.exceptions, skcompare.metrics, skcompare.stats):
        public |= {(module.__name__, name) for name in module.__all__}
    public -= {("skcompare.metrics", name) for name in skcompare.__all__}
    public |= {
        ("skcompare.results", name)
        for name in skcompare.results.__all__
        if name.endswith(("Result", "Display")) and name not in ("Result", "Display")
    }
    missing = sorted(".".join(name) for name in public - set(referenced()))
    assert not missing, f"list in doc/api.rst, under the module: {missing}"


def test_the_reference_lists_names_that_exist_and_no_name_twice():
    names = list(referenced())
    assert len(set(names)) == len(names) > 50
    for module, name in names:
        assert name in importlib.import_module(module).__all__, (module, name)


SCRIPTS = [
    *(ROOT / "doc").glob("[!_a]*/*.py"),
    *(ROOT / "benchmarks").glob("*.py"),
]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_import_names_that_exist(script):
    for node in ast.walk(ast.parse(script.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("skcompare"):
            module = importlib.import_module(node.module)
            assert all(hasattr(module, alias.name) for alias in node.names)


def test_the_citation_is_of_this_version():
    citation = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {skcompare.__version__}\n" in citation
