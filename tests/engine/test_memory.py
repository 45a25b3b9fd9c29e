"""Memory beside the data stays small, however many rows and resamples."""

import tracemalloc

import numpy as np
import pytest
from scipy import special

from skcompare import ApproxRandomization, BayesianComparison, PairedBootstrap

MEGABYTE = 2**20
MOST = 256 * MEGABYTE


def peak_of(fit):
    """Return the most memory that a fit has beside what there was before."""
    tracemalloc.start()
    try:
        fit()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def million():
    """Truth and predictions of a million rows."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=1_000_000)
    return truth, *(truth + rng.normal(size=len(truth)) for _ in range(2))


@pytest.fixture(scope="module")
def labeled():
    """Truth and predictions of 2,000 rows in three classes."""
    return np.random.default_rng(0).integers(3, size=(3, 2_000))


each_test = pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])


# An eighth of the rows in an eighth of the memory shows the same in less time.
each_part = pytest.mark.parametrize(
    "part", [8, pytest.param(1, marks=pytest.mark.slow)]
)


@each_part
@pytest.mark.parametrize(
    ("test", "scoring"),
    [
        (PairedBootstrap, "neg_mean_squared_error"),
        (PairedBootstrap, "explained_variance"),
        (ApproxRandomization, "neg_mean_squared_error"),
        (ApproxRandomization, "r2"),
    ],
)
def test_a_million_numbers_take_little_memory(test, scoring, part, million):
    compared = test(scoring=scoring, n_resamples=5, random_state=0)
    data = [values[: len(values) // part] for values in million]
    assert peak_of(lambda: compared.fit_predictions(*data)) < MOST / part


@each_part
@pytest.mark.parametrize(
    ("test", "scoring"),
    [
        (PairedBootstrap, "roc_auc"),
        (PairedBootstrap, "average_precision"),
        (PairedBootstrap, "neg_log_loss"),
        (ApproxRandomization, "roc_auc"),
    ],
)
def test_a_million_probabilities_take_little_memory(test, scoring, part, million):
    million = [values[: len(values) // part] for values in million]
    truth, *predictions = (special.expit(values) for values in million)
    compared = test(scoring=scoring, n_resamples=5, random_state=0)
    data = ((truth > 0.5).astype(int), *predictions)
    assert peak_of(lambda: compared.fit_predictions(*data)) < MOST / part


@each_test
@pytest.mark.parametrize("scoring", ["accuracy", "f1_macro"])
def test_a_million_labels_take_little_memory(test, scoring, million):
    labels = [np.clip(values, -1, 1).astype(int) for values in million]
    compared = test(scoring=scoring, n_resamples=999, random_state=0)
    assert peak_of(lambda: compared.fit_predictions(*labels)) < MOST


@each_test
def test_many_resamples_take_little_memory(test, labeled):
    compared = test(scoring="f1_macro", n_resamples=100_000, random_state=0)
    assert peak_of(lambda: compared.fit_predictions(*labeled)) < MOST


@pytest.mark.parametrize("interval", ["bca", "studentized"])
def test_every_interval_takes_little_memory(interval, labeled):
    compared = PairedBootstrap(
        scoring="f1_macro", n_resamples=100_000, interval=interval, random_state=0
    )
    assert peak_of(lambda: compared.fit_predictions(*labeled)) < MOST


def test_a_jackknife_of_a_million_numbers_takes_little_memory(million):
    compared = PairedBootstrap(
        scoring="neg_mean_squared_error", n_resamples=5, interval="bca", random_state=0
    )
    assert peak_of(lambda: compared.fit_predictions(*million)) < MOST


def test_two_workers_take_little_memory(million):
    compared = PairedBootstrap(
        scoring="neg_mean_squared_error", n_resamples=40, n_jobs=2, random_state=0
    )
    assert peak_of(lambda: compared.fit_predictions(*million)) < MOST


def test_many_strata_cost_no_table_of_rows_by_strata():
    truth, pred_a, pred_b = np.random.default_rng(0).integers(2, size=(3, 6_000))
    pairs = np.arange(6_000) // 2
    test = BayesianComparison(scoring="accuracy", n_draws=50, random_state=0)

    def fit():
        test.fit_predictions(truth, pred_a, pred_b, strata=pairs)

    assert peak_of(fit) < 30 * MEGABYTE  # a table alone would be 137
