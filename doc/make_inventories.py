"""Write the inventories by which pages link to numpy, scipy and scikit-learn.

    python doc/make_inventories.py

An inventory maps a name to the page that documents it. The projects publish theirs, but
a build must not need a network: these are made from the names that the installed
packages export, and from the address that each project gives to the page of a name.
"""

from pathlib import Path
from zlib import compress

import numpy as np
import scipy
import sklearn
from scipy import stats
from sklearn import model_selection
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.utils.discovery import all_displays, all_estimators, all_functions

FOLDER = Path(__file__).parent / "_inventories"


def entries_of_sklearn():
    """Yield the public classes and functions, under the modules that document them."""
    for name, member in all_estimators() + all_displays() + all_functions():
        module = member.__module__.partition("._")[0]
        yield f"{module}.{name}", isinstance(member, type)
    yield from entries_of(model_selection, model_selection.__all__)
    yield from entries_of(sklearn, ["config_context", "set_config"])


def entries_of(module, names):
    """Yield names of one module."""
    for name in names:
        yield f"{module.__name__}.{name}", isinstance(getattr(module, name), type)


def write(project, version, page, entries):
    """Write one inventory in the format of Sphinx, version 2."""
    head = (
        "# Sphinx inventory version 2\n"
        f"# Project: {project}\n"
        f"# Version: {version}\n"
        "# The remainder of this file is compressed using zlib.\n"
    )
    kinds = {True: "py:class", False: "py:function"}
    lines = (
        f"{name} {kinds[is_class]} 1 {page.format(name)}#$ -\n"
        for name, is_class in sorted(set(entries))
    )
    body = compress("".join(lines).encode(), 9)
    (FOLDER / f"{project}.inv").write_bytes(head.encode() + body)


def main():
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    write(
        "sklearn",
        sklearn.__version__,
        "modules/generated/{}.html",
        entries_of_sklearn(),
    )
    write(
        "scipy",
        scipy.__version__,
        "reference/generated/{}.html",
        entries_of(stats, stats.__all__),
    )
    arrays = ("ndarray", "array", "mean", "quantile", "unique", "percentile")
    write(
        "numpy",
        np.__version__,
        "reference/generated/{}.html",
        entries_of(np, arrays),
    )


if __name__ == "__main__":
    main()
