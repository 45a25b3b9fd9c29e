"""Options, seeds and the small data sets that all tests share."""

import gc
import warnings
from importlib import metadata

import numpy as np
import pytest
from packaging.requirements import Requirement
from sklearn.datasets import make_classification, make_regression
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from threadpoolctl import threadpool_limits

from skcompare.exceptions import ComparisonWarning
from tests.commands import CLASSES, columns_of, write_csv


def pytest_addoption(parser):
    parser.addoption(
        "--run-slow",
        action="store_true",
        help="run tests marked slow, and simulations in full, not a bounded sample",
    )
    parser.addoption(
        "--seeds",
        default="42",
        help="seeds of the random_seed fixture: a number or a range such as 0-99",
    )


def pytest_collection_modifyitems(config, items):
    if config.getoption("--run-slow"):
        return
    skip = pytest.mark.skip(reason="slow: needs --run-slow")
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(skip)


def pytest_collection_finish():
    """Spare the garbage collector modules and tests, which are there to stay."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item):
    for mark in item.iter_markers("needs"):
        requirement, feature = Requirement(mark.args[0]), mark.args[1]
        version = metadata.version(requirement.name)
        if not requirement.specifier.contains(version, prereleases=True):
            pytest.skip(f"{requirement.name} {version} has no {feature}")


def pytest_generate_tests(metafunc):
    if "random_seed" in metafunc.fixturenames:
        first, _, last = metafunc.config.getoption("--seeds").partition("-")
        metafunc.parametrize("random_seed", range(int(first), int(last or first) + 1))


@pytest.fixture(scope="session", autouse=True)
def _one_blas_thread():
    """Keep the small problems of these tests from fighting for cores."""
    with threadpool_limits(limits=1, user_api="blas"):
        yield


@pytest.fixture
def quiet():
    """Silence warnings of skcompare about data, in tests of something else."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        yield


@pytest.fixture(scope="session")
def simulations(pytestconfig):
    """Choose how many times to simulate: ``simulations(bounded, in_full)``.

    None is as many times as `assert_level_kept` needs.
    """
    in_full = pytestconfig.getoption("--run-slow")
    return lambda bounded, full: full if in_full else bounded


@pytest.fixture(scope="session")
def classification():
    """Training and test rows of a binary problem: ``X_train, y_train, X, y``."""
    X, y = make_classification(
        160, n_features=5, n_informative=3, flip_y=0.2, random_state=0
    )
    return X[:80], y[:80], X[80:], y[80:]


@pytest.fixture(scope="session")
def classifiers(classification):
    """Two fitted classifiers that differ on some of the test rows."""
    X, y, *_ = classification
    return LogisticRegression().fit(X, y), GaussianNB().fit(X[:20], y[:20])


@pytest.fixture(scope="session")
def regression():
    """Training and test rows of a regression problem: ``X_train, y_train, X, y``."""
    X, y = make_regression(120, n_features=4, noise=30.0, random_state=0)
    return X[:60], y[:60], X[60:], y[60:]


@pytest.fixture(scope="session")
def regressors(regression):
    """Two fitted regressors."""
    X, y, *_ = regression
    return Ridge().fit(X, y), Ridge(alpha=20.0).fit(X, y)


@pytest.fixture(scope="session")
def labels():
    """Truth and two sets of binary predictions for 60 rows."""
    rng = np.random.default_rng(3)
    truth = rng.integers(2, size=60)
    pred_a, pred_b = (
        np.where(rng.random(60) < p, truth, 1 - truth) for p in (0.8, 0.6)
    )
    return truth, pred_a, pred_b


@pytest.fixture(scope="session")
def ten_documents():
    """The worked example of Jurafsky and Martin: A is right on 7 of 10, B on 5."""
    documents, truth = np.arange(1, 11), np.tile([0, 1], 5)
    right_a = np.isin(documents, [1, 2, 3, 5, 7, 8, 10])
    right_b = np.isin(documents, [1, 3, 4, 6, 8])
    return (
        truth,
        np.where(right_a, truth, 1 - truth),
        np.where(right_b, truth, 1 - truth),
    )


@pytest.fixture(scope="session")
def demsar_ranks():
    """The ranks of table 6 of Demsar (2006): four versions of C4.5 on 14 data sets."""
    return np.array(
        [
            [4, 3, 2, 1],
            [1, 2, 3, 4],
            [4, 1, 2, 3],
            [4, 1, 3, 2],
            [4, 2, 3, 1],
            [1, 2.5, 4, 2.5],
            [3, 2, 4, 1],
            [2.5, 2.5, 4, 1],
            [4, 3, 2, 1],
            [2.5, 2.5, 2.5, 2.5],
            [4, 2.5, 1, 2.5],
            [3, 2, 4, 1],
            [4, 1, 2, 3],
            [3, 1, 4, 2],
        ]
    )


@pytest.fixture(scope="session")
def predictions():
    """Truth, two sets of labels, and probabilities, of 60 rows in three classes."""
    rng = np.random.default_rng(0)
    truth = rng.choice(CLASSES, size=60)
    lr, nb = (
        np.where(rng.random(60) < p, truth, rng.choice(CLASSES, size=60))
        for p in (0.7, 0.4)
    )
    proba = rng.dirichlet(np.ones(3), size=60).round(6)
    proba[:, 2] = 1 - proba[:, :2].sum(axis=1)
    return {"gold": truth, "lr": lr, "nb": nb, "proba": proba}


@pytest.fixture
def table(tmp_path, predictions):
    """A CSV file of these, with an id and a document for every row."""
    return write_csv(tmp_path / "preds.csv", columns_of(predictions))
