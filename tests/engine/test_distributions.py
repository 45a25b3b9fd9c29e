"""Resampled differences have one distribution, whichever engine computes them."""

from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score, fbeta_score, get_scorer, make_scorer

from skcompare import ApproxRandomization, PairedBootstrap

pytestmark = pytest.mark.usefixtures("quiet")

N_ROWS = 60
N_FAST = 1_000
# Below a hundred tests are made here: a false alarm would be rarer than one in 1,000.
RARE = 1e-5


class Data(NamedTuple):
    """Truth and the predictions of two models."""

    truth: np.ndarray
    pred_a: object
    pred_b: object


def _noisy(rng, truth, n_classes, share_right):
    guesses = rng.integers(n_classes, size=len(truth))
    return np.where(rng.random(len(truth)) < share_right, truth, guesses)


def _classes(n_classes):
    rng = np.random.default_rng(n_classes)
    truth = rng.integers(n_classes, size=N_ROWS)
    return Data(truth, *(_noisy(rng, truth, n_classes, p) for p in (0.6, 0.4)))


def _rare_class():
    """One class so rare that many resamples lack it."""
    truth, pred_a, pred_b = _classes(2)
    rare = np.arange(N_ROWS) < 2
    return Data(
        np.where(rare, 2, truth), np.where(rare, 2, pred_a), np.where(rare, 0, pred_b)
    )


def _probabilities(n_classes):
    rng = np.random.default_rng(10 + n_classes)
    truth = rng.integers(n_classes, size=N_ROWS)
    predictions = []
    for sharpness in (1.5, 0.7):
        odds = rng.gumbel(size=(N_ROWS, n_classes))
        odds[np.arange(N_ROWS), truth] += sharpness
        shares = np.exp(odds) / np.exp(odds).sum(axis=1, keepdims=True)
        predictions.append({"predict_proba": shares})
    return Data(truth, *predictions)


def _numbers():
    rng = np.random.default_rng(20)
    truth = rng.gamma(3, size=N_ROWS)
    return Data(
        truth, *(truth * rng.lognormal(sigma=s, size=N_ROWS) for s in (0.3, 0.4))
    )


def _label_sets():
    rng = np.random.default_rng(30)
    truth = rng.random((N_ROWS, 4)) < [0.5, 0.3, 0.1, 0.02]
    truth[:, 0] |= ~truth.any(axis=1)  # an empty set makes scikit-learn warn
    predictions = [truth ^ (rng.random((N_ROWS, 4)) < p) for p in (0.1, 0.2)]
    return Data(*(labels.astype(int) for labels in (truth, *predictions)))


DATA = {
    "binary": _classes(2),
    "three classes": _classes(3),
    "rare class": _rare_class(),
    "probabilities": _probabilities(2),
    "class probabilities": _probabilities(3),
    "numbers": _numbers(),
    "label sets": _label_sets(),
}
SCORERS = {
    "kappa": make_scorer(cohen_kappa_score, weights="quadratic"),
    "f2_macro": make_scorer(fbeta_score, beta=2, average="macro", zero_division=np.nan),
}
# That each metric is scored as scikit-learn does, on any rows and swaps, is tested in
# test_equality.py. Here it is about what is drawn, so that one of the two tests has it;
# what is drawn for a slow one is what is drawn for another metric of the same data.
CASES = [
    ("accuracy", "binary"),
    ("f1", "binary"),
    pytest.param("matthews_corrcoef", "binary", marks=pytest.mark.slow),
    pytest.param("jaccard", "binary", marks=pytest.mark.slow),
    ("f1_macro", "three classes"),
    ("kappa", "rare class"),
    pytest.param("balanced_accuracy", "rare class", marks=pytest.mark.slow),
    pytest.param("f2_macro", "rare class", marks=pytest.mark.slow),
    ("neg_log_loss", "probabilities"),
    pytest.param(
        "neg_brier_score",
        "class probabilities",
        marks=pytest.mark.needs("scikit-learn>=1.7", "Brier score of many classes"),
    ),
    ("roc_auc", "probabilities"),
    ("average_precision", "probabilities"),
    ("r2", "numbers"),
    pytest.param(
        "neg_median_absolute_error",
        "numbers",
        marks=pytest.mark.needs(
            "scikit-learn>=1.8", "median that weights of 1 do not change"
        ),
    ),
    pytest.param("f1_micro", "label sets", marks=pytest.mark.slow),
    ("neg_mean_squared_error", "numbers"),
    pytest.param("roc_auc_ovr", "class probabilities", marks=pytest.mark.slow),
    ("f1_macro", "label sets"),
    ("f1_samples", "label sets"),
]


def plain(scorer):
    """Hide what a scorer is, so that it is called on every resample."""

    def opaque(estimator, X, y, **weights):
        return scorer(estimator, X, y, **weights)

    opaque.recognize = False
    return opaque


def differences(test, scorer, data, *, n_resamples, seed, **fit):
    """Return the resampled differences and the engine that computed them."""
    options = {"method": "monte-carlo"} if test is ApproxRandomization else {}
    compared = test(
        scoring=scorer, n_resamples=n_resamples, random_state=seed, **options
    ).fit_predictions(*data, **fit)
    return compared.distribution_, compared.result_.engine


@pytest.fixture
def n_generic(simulations):
    """How often to call a scorer."""
    return simulations(200, 5_000)


def assert_same_distribution(test, metric, data, n_generic, **fit):
    """Compare many fast resamples with some generic ones."""
    scorer, data = SCORERS.get(metric) or get_scorer(metric), DATA[data]
    fast, engine = differences(test, scorer, data, n_resamples=N_FAST, seed=1, **fit)
    called, generic = differences(
        test, plain(scorer), data, n_resamples=n_generic, seed=2, **fit
    )
    assert engine != generic == "generic"
    assert min(pvalues(fast, called)) > RARE


def pvalues(fast, called):
    """Compare how often differences are undefined, their values and their spread."""
    undefined = [[np.isnan(d).sum(), np.isfinite(d).sum()] for d in (fast, called)]
    yield stats.fisher_exact(undefined).pvalue
    fast, called = (d[np.isfinite(d)] for d in (fast, called))
    # Values equal in theory may be apart by rounding.
    yield stats.ks_2samp(fast.round(9), called.round(9)).pvalue
    center = np.median(fast)
    spreads = (np.abs(d - center).round(9) for d in (fast, called))
    yield stats.ks_2samp(*spreads).pvalue


@pytest.mark.parametrize(("metric", "data"), CASES[::2])
def test_bootstrap_has_one_distribution(metric, data, n_generic):
    assert_same_distribution(PairedBootstrap, metric, data, n_generic)


@pytest.mark.parametrize(("metric", "data"), CASES[1::2])
def test_randomization_has_one_distribution(metric, data, n_generic):
    assert_same_distribution(ApproxRandomization, metric, data, n_generic)


RNG = np.random.default_rng(5)
DESIGNS = {
    "weights": {"sample_weight": RNG.integers(0, 4, size=N_ROWS) / 2},
    "groups": {"groups": RNG.integers(15, size=N_ROWS)},
    "strata": {"strata": RNG.integers(3, size=N_ROWS)},
    "grouped strata": {
        "groups": np.arange(N_ROWS) // 3,
        "strata": np.arange(N_ROWS) // 30,
        "sample_weight": RNG.random(N_ROWS),
    },
}


@pytest.mark.parametrize(
    ("test", "metric", "design"),
    [
        (PairedBootstrap, "kappa", "weights"),
        (PairedBootstrap, "r2", "groups"),
        (PairedBootstrap, "kappa", "strata"),
        (PairedBootstrap, "r2", "grouped strata"),
        (ApproxRandomization, "r2", "weights"),
        (ApproxRandomization, "kappa", "groups"),
        (ApproxRandomization, "r2", "strata"),
        (ApproxRandomization, "kappa", "grouped strata"),
    ],
)
def test_designs_have_one_distribution(test, metric, design, n_generic):
    data = {"kappa": "three classes", "r2": "numbers"}[metric]
    assert_same_distribution(test, metric, data, n_generic, **DESIGNS[design])


@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
def test_these_tests_would_see_another_metric(test, n_generic):
    """F1 and Jaccard measure much the same, but not in the same numbers."""
    fast, _ = differences(test, "f1", DATA["binary"], n_resamples=N_FAST, seed=1)
    jaccard = plain(get_scorer("jaccard"))
    called, _ = differences(
        test, jaccard, DATA["binary"], n_resamples=n_generic, seed=2
    )
    assert min(pvalues(fast, called)) < RARE
