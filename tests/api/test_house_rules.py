"""The rules of the house: rooms keep to themselves, parameters keep their order."""

import ast
import inspect
from pathlib import Path

import pytest
from sklearn.base import BaseEstimator

import skcompare

PACKAGE = Path(skcompare.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

# Methods of named tuples that are public in spite of their names.
PUBLIC_IN_TUPLES = {"_asdict", "_replace", "_fields", "_make"}

# Files that read private names of other packages, with the reasons beside them there.
READS_FOREIGN_NAMES = {
    "_text.py",  # of sacrebleu, whose statistics of sentences have no public names
    "_validation.py",
    "_progress.py",
    "_caveats.py",
}


def trees():
    for path in MODULES:
        yield path.relative_to(PACKAGE), ast.parse(path.read_text())


def room_of(module):
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def test_no_room_imports_a_private_module_of_another():
    reaches = []
    for path, tree in trees():
        own = path.parts[0].removesuffix(".py")
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or not node.module:
                continue
            parts = node.module.split(".")
            if parts[0] != "skcompare" or len(parts) < 3 or parts[1] == own:
                continue
            if any(part.startswith("_") for part in parts[2:]):
                reaches.append(f"{path}: {node.module}")
    assert not reaches


def test_no_object_reads_a_private_attribute_of_another():
    reads = []
    for path, tree in trees():
        if path.name in READS_FOREIGN_NAMES:
            continue
        for node in ast.walk(tree):
            if not isinstance(node, ast.Attribute) or node.attr.startswith("__"):
                continue
            if not node.attr.startswith("_") or node.attr in PUBLIC_IN_TUPLES:
                continue
            owner = node.value
            own = isinstance(owner, ast.Name) and owner.id in ("self", "cls")
            is_super = isinstance(owner, ast.Call) and (
                getattr(owner.func, "id", "") == "super"
            )
            if not own and not is_super:
                reads.append(f"{path}:{node.lineno} {ast.unparse(node)}")
    assert not reads


def test_scikit_learns_private_names_are_in_one_module():
    imports = []
    for path, tree in trees():
        if path.name in ("_validation.py", "_progress.py"):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [*node.module.split("."), *(a.name for a in node.names)]
                if names[0] == "sklearn" and any(n.startswith("_") for n in names):
                    imports.append(f"{path}: {node.module}")
    assert not imports


ORDER = [
    ("estimator_a", "estimator_b", "estimators", "search", "complexity"),
    ("scoring", "cv", "aggregate"),
    ("test", "baseline", "posterior", "rope", "prior", "dependence", "top", "rule"),
    ("correction",),
    ("n_resamples", "n_draws", "n_folds", "n_splits", "n_repeats", "test_size"),
    ("alternative",),
    ("confidence_level", "credible_level"),
    (
        "method",
        "statistic",
        "swap",
        "variant",
        "variance",
        "zero_method",
        "interval",
        "bias_correction",
    ),
    ("test_train_ratio",),
    ("alpha", "tolerance", "add_one"),
    ("error_score",),
    ("random_state", "n_jobs", "verbose"),
]
PLACE = {
    name: (group, place)
    for group, names in enumerate(ORDER)
    for place, name in enumerate(names)
}


def estimators():
    public = (getattr(skcompare, name) for name in skcompare.__all__)
    return [
        value
        for value in public
        if inspect.isclass(value) and issubclass(value, BaseEstimator)
    ]


@pytest.mark.parametrize("estimator", estimators(), ids=lambda cls: cls.__name__)
def test_parameters_are_in_the_order_of_the_house(estimator):
    parameters = inspect.signature(estimator).parameters.values()
    names = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    assert names == sorted(names, key=PLACE.__getitem__)
