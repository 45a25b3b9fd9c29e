"""House rules: imports of subpackages, and names and order of parameters."""

import ast
import fnmatch
import functools
import inspect
import re
import tomllib
from pathlib import Path

import pytest
from sklearn.base import BaseEstimator

import skcompare
from skcompare.comparison._needs import SYMMETRIC
from skcompare.results import SUFFIXES
from skcompare.results.writers import WRITERS

PACKAGE = Path(skcompare.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

# Public in spite of their names: those of named tuples, and what a test declares.
PUBLIC = {"_asdict", "_replace", "_fields", "_make", "_advice"}

# The one module that takes private names and attributes of other libraries.
FOREIGN = Path("_foreign.py")


@functools.cache
def trees():
    return [
        (path.relative_to(PACKAGE), ast.parse(path.read_text())) for path in MODULES
    ]


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


def is_private(name):
    return name.startswith("_") and not name.startswith("__") and name not in PUBLIC


def attribute_of(node):
    """Return whose attribute is read or set, and its name; or None twice."""
    if isinstance(node, ast.Attribute):
        return node.value, node.attr
    by_name = isinstance(node, ast.Call) and len(node.args) > 1
    if by_name and getattr(node.func, "id", "") in {"getattr", "hasattr", "setattr"}:
        owner, name, *_ = node.args
        if isinstance(name, ast.Constant):
            return owner, name.value
    return None, None


def private_reads(tree):
    """Yield nodes that read or set a private attribute of another object."""
    for node in ast.walk(tree):
        owner, name = attribute_of(node)
        own = isinstance(owner, ast.Name) and owner.id in ("self", "cls")
        is_super = isinstance(owner, ast.Call) and (
            getattr(owner.func, "id", "") == "super"
        )
        if owner is not None and is_private(name) and not own and not is_super:
            yield node


def private_imports(tree):
    """Yield imports of what another library does not offer in public."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        module = getattr(node, "module", None) or ""
        names = [f"{module}.{alias.name}".strip(".").split(".") for alias in node.names]
        for library, *inside in names:
            # joblib's copies of other libraries are its own affair, too.
            private = any(is_private(part) or part == "externals" for part in inside)
            if library != "skcompare" and (private or is_private(library)):
                yield node


@pytest.mark.parametrize("private", [private_reads, private_imports])
def test_what_is_private_to_others_is_taken_in_one_module(private):
    taken = [
        f"{path}:{node.lineno} {ast.unparse(node)}"
        for path, tree in trees()
        if path != FOREIGN
        for node in private(tree)
    ]
    assert not taken, f"if there is no public alternative, take it in {FOREIGN}"


def test_the_one_module_of_private_names_takes_few_of_them():
    """A new one raises these numbers, with a reason in that module."""
    tree = dict(trees())[FOREIGN]
    reads = {attribute_of(node)[1] for node in private_reads(tree)}
    assert len(reads) <= 6
    assert len(list(private_imports(tree))) <= 9


@pytest.mark.parametrize(
    "code",
    [
        "scorer._sign",
        "scorer._sign = 1",
        "getattr(scorer, '_sign', 1)",
        "f(x)._sign",
    ],
)
def test_private_reads_are_seen(code):
    assert list(private_reads(ast.parse(code)))


@pytest.mark.parametrize(
    "code",
    [
        "from sklearn.utils import _safe_indexing as rows_at",
        "from sklearn.metrics._scorer import make_scorer",
        "import sklearn.metrics._scorer",
        "import _thread",
        "from joblib.externals import loky",
        "from joblib.externals.loky import ProcessPoolExecutor",
    ],
)
def test_private_imports_are_seen(code):
    assert list(private_imports(ast.parse(code)))


def test_files_that_are_no_modules_are_declared():
    settings = PACKAGE.parent / "pyproject.toml"
    if not settings.exists():
        pytest.skip("not a checkout")
    declared = tomllib.loads(settings.read_text())["tool"]["setuptools"]["package-data"]
    files = [f for f in PACKAGE.rglob("*.*") if f.suffix not in (".py", ".pyc")]
    missing = [
        file
        for file in files
        if not any(
            fnmatch.fnmatch(file.name, pattern)
            for pattern in declared.get(
                ".".join(file.parent.relative_to(PACKAGE.parent).parts), ()
            )
        )
    ]
    assert files
    assert not missing


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
    ("refit", "error_score"),
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


each_estimator = pytest.mark.parametrize(
    "estimator", estimators(), ids=lambda cls: cls.__name__
)


@each_estimator
def test_parameters_are_in_the_order_of_the_house(estimator):
    parameters = inspect.signature(estimator).parameters.values()
    names = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    new = [name for name in names if name not in PLACE]
    assert not new, f"add {new} to ORDER above, or use the names of other tests"
    assert names == sorted(names, key=PLACE.__getitem__)


def value_sets(docstring):
    """Yield parameters whose values a docstring lists in braces, with the values."""
    for name, listed in re.findall(r"^ *(\w+) : (\{[^}]*\})", docstring, re.M):
        yield name, ast.literal_eval(listed)


@each_estimator
def test_docstrings_of_tests_list_the_values_of_their_rules(estimator):
    parameters = inspect.signature(estimator).parameters.keys()
    for name, values in value_sets(estimator.__doc__):
        if name in parameters:
            allowed = set(estimator.rules[name].choices)
            assert values == allowed, f"`{name}` in the docstring of {estimator}"


def test_docstrings_of_reports_list_all_formats():
    documented = [
        (f"{path}: {node.name}", values)
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for name, values in value_sets(ast.get_docstring(node) or "")
        if name == "format"
    ]
    assert len(documented) >= 3
    assert [where for where, values in documented if values != WRITERS.keys()] == []


@each_estimator
def test_tests_of_another_parameter_than_the_mean_declare_it(estimator):
    """`_center` names the parameter; advice, power and the result depend on it."""
    if not hasattr(estimator, "_center"):
        return
    advice, is_mean = estimator._advice, estimator._center == "mean"
    assert advice.about_mean == is_mean, "set `about_mean=False` in `_advice`"
    assert is_mean or SYMMETRIC in advice.needs, "add SYMMETRIC to the needs"
    fields = {"location_", "location_interval_"}
    assert is_mean or fields <= set(dir(estimator)), (
        f'decorate {estimator} with @result_attributes("location", "location_interval")'
    )


def test_options_of_the_command_line_have_a_rule_and_a_command():
    try:
        from skcompare.cli._commands import COMMANDS
        from skcompare.cli._options import GROUPS
    except KeyError as name:
        pytest.fail(
            f"{name} is in GROUPS of skcompare/cli/_options.py: add it to RULES in "
            "skcompare/_parameters.py"
        )
    grouped = {name for names in GROUPS.values() for name in names.split()}
    used = {name for command in COMMANDS.values() for name in command.options.split()}
    assert grouped <= used, (
        f"no command has {grouped - used}: add the option to `_TESTING` in "
        "skcompare/cli/_commands.py, or to the commands themselves"
    )


def listed_on_pages():
    """Return what pages list, by page: values between backticks, formats by name."""
    from skcompare.cli._options import OWN_SCORERS, TESTS
    from skcompare.comparison._intervals import INTERVALS

    names = [*OWN_SCORERS, *TESTS, *WRITERS]
    endings = [f"``{suffix}``" for suffix in SUFFIXES]
    return {
        "README.md": WRITERS,
        "doc/user_guide/index.rst": WRITERS,
        "doc/user_guide/two_tests.rst": [f'``"{name}"``' for name in INTERVALS],
        "doc/user_guide/command_line.rst": [f"``{name}``" for name in names],
        "doc/user_guide/reports.rst": [
            *(f'``"{name}"``' for name in WRITERS),
            *endings,
        ],
    }


def test_pages_list_all_intervals_formats_and_names_of_options():
    root = PACKAGE.parent
    missing = [
        f"{page}: {word}"
        for page, words in listed_on_pages().items()
        for word in words
        if not re.search(
            rf"(?<!\w){re.escape(word)}(?!\w)", (root / page).read_text(), re.I
        )
    ]
    assert not missing


# One vocabulary, in the code and in all that users read: what is not said, and what is
# said instead.
WORDS = {
    r"told (from|apart)": "significantly different, or distinguished",
    r"ways? of learning": "learning algorithm",
    r"would have been shown": "minimum detectable effect (80 % power)",
    r"averages?\s+over\s+rows": "mean of per-row scores",
    r"pictures?": "plot",
    r"where\s+the\s+(draws|randomness)\s+comes?\s+from": "controls the random draws",
    r"whom|told\s+of|lonely|strays": "plainer words",
    r"answers?(?! (is|the question))": "predictions",
}
BRITISH = (
    r"\w+(isation|ise[drs]?|ising|yse[drs]?|ysing)|behaviou\w+|colou\w+|favou\w+"
    r"|neighbou\w+|centred?|centres|grey|labell\w+|modell\w+|judgement|artefact"
)
AMERICAN = (
    r"(bit|family-|like|other|pair|step)wise|noise|(un)?supervised|surpris(es?|ing)|(com)?promises?"
    r"|(adv|ar|r|ra)ise[ds]?|raising|analyses|exercise|expertise|precise|premise|revised"
)

# Here a question has answers, which are not those of models.
QUESTIONS = {"planning", "_needs.py"}

NO_NAMES = {"what", "how", "found", "known", "given", "told"}


def readable():
    """Yield what people read of the package, without the titles of references."""
    root = PACKAGE.parent
    pages = [root / name for name in ("README.md", "CONTRIBUTING.md")]
    for path in [*MODULES, *filter(Path.exists, pages)]:
        text = re.sub(r"\.\. \[\d+\](.|\n)*?\n\n", "\n", path.read_text())
        yield path, text


def test_words_are_those_of_the_field():
    violations = [
        f"{path.name}: {match[0]!r}, not {instead!r}"
        for path, text in readable()
        for word, instead in WORDS.items()
        if not (word.startswith("answer") and QUESTIONS & {*path.parts})
        for match in re.finditer(rf"\b({word})\b", text, re.I)
    ]
    assert not violations


def test_spelling_is_american():
    british = [
        f"{path.name}: {match[0]}"
        for path, text in readable()
        for match in re.finditer(rf"\b({BRITISH})\b", text.replace("_", " "), re.I)
        if not re.fullmatch(AMERICAN, match[0], re.I)
    ]
    assert not british


def test_things_are_called_by_their_names():
    nodes = [(path, node) for path, tree in trees() for node in ast.walk(tree)]
    called = [
        f"{path}:{node.lineno} {name}"
        for path, node in nodes
        for name in (getattr(node, field, None) for field in ("id", "arg", "name"))
        if isinstance(name, str) and name.strip("_") in NO_NAMES
    ]
    assert not called


# Rooms whose tests call what users call. Tests of internal names are below tests/engine
# and tests/stats.
FROM_OUTSIDE = (
    "cli",
    "planning",
    "model_selection",
    "reports",
    "results",
    "comparison",
)


def test_tests_of_behavior_import_no_private_module_of_a_room():
    tests = Path(__file__).parents[1]
    paths = [path for room in FROM_OUTSIDE for path in (tests / room).glob("*.py")]
    assert paths
    private = [
        f"{path.name}: {match[0].strip()}"
        for path in paths
        for match in re.finditer(
            r"^ *(from|import) skcompare\.\w+\._\w+", path.read_text(), re.M
        )
    ]
    assert not private
