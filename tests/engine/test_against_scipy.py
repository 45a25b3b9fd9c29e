"""Both tests and all intervals against scipy.stats."""

import functools
import inspect

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    make_scorer,
    mean_squared_error,
    roc_auc_score,
)

from skcompare import ApproxRandomization, PairedBootstrap
from skcompare.stats.intervals import (
    basic_interval,
    bca_interval,
    percentile_interval,
    studentized_interval,
)
from skcompare.stats.pvalues import ALTERNATIVES

each_alternative = pytest.mark.parametrize("alternative", ALTERNATIVES)


def seeded(rng):
    """Return the option of scipy that takes a generator, which it renamed in 1.15."""
    renamed = "rng" in inspect.signature(stats.bootstrap).parameters
    return {"rng" if renamed else "random_state": rng}


def rmse(truth, pred):
    return np.sqrt(np.mean((truth - pred) ** 2))


@pytest.fixture(scope="module")
def skewed():
    """Truth and two predictions of 40 rows, with errors of very different size."""
    rng = np.random.default_rng(1)
    truth = rng.normal(size=40)
    return truth, *(truth + s * rng.standard_t(3, size=40) for s in (0.8, 1.2))


SWAPPED = {
    "accuracy": (accuracy_score, [1, 0, 1, 1, 0, 0, 1, 1], "01110011", "10110100"),
    "f1": (f1_score, [1, 0, 1, 1, 0, 0, 1, 0], "11110010", "10101100"),
    "roc_auc": (
        roc_auc_score,
        [1, 0, 1, 1, 0, 0, 1],
        [0.9, 0.2, 0.6, 0.3, 0.4, 0.1, 0.7],
        [0.3, 0.5, 0.8, 0.2, 0.6, 0.35, 0.4],
    ),
    "neg_mean_squared_error": (
        lambda truth, pred: -mean_squared_error(truth, pred),
        [0.3, 1.0, -1.0, 2.0, 0.7, 1.5, 0.1],
        [0.1, 1.4, -0.8, 1.9, 0.5, 1.1, 0.6],
        [0.9, 0.7, -1.9, 2.6, 0.6, 0.4, 0.2],
    ),
}


@functools.cache
def score_of(scoring, predictions):
    """Score predictions, each once: swaps of all rows are needed many times."""
    metric, truth, *_ = SWAPPED[scoring]
    return metric(truth, predictions)


def swap_case(scoring):
    truth, a, b = (
        np.array([int(c) for c in x] if isinstance(x, str) else x)
        for x in SWAPPED[scoring][1:]
    )
    return (
        truth,
        a,
        b,
        lambda a, b: score_of(scoring, tuple(a)) - score_of(scoring, tuple(b)),
    )


@each_alternative
@pytest.mark.parametrize("scoring", SWAPPED)
def test_exact_pvalue_is_that_of_scipys_permutation_test(scoring, alternative):
    truth, a, b, delta = swap_case(scoring)
    expected = stats.permutation_test(
        (a, b),
        delta,
        permutation_type="samples",
        vectorized=False,
        n_resamples=np.inf,
        alternative=alternative,
    )
    comparison = ApproxRandomization(
        scoring=scoring, alternative=alternative, method="exact", swap="scores"
    ).fit_predictions(truth, a, b)
    assert comparison.delta_ == pytest.approx(expected.statistic)
    assert comparison.pvalue_ == pytest.approx(expected.pvalue)


@each_alternative
def test_random_pvalue_is_that_of_scipys_permutation_test(
    skewed, alternative, random_seed
):
    truth, a, b = skewed
    expected = stats.permutation_test(
        (a, b),
        lambda a, b: rmse(truth, b) - rmse(truth, a),
        permutation_type="samples",
        vectorized=False,
        n_resamples=1999,
        alternative=alternative,
        **seeded(np.random.default_rng(random_seed)),
    ).pvalue
    comparison = ApproxRandomization(
        scoring=make_scorer(rmse, greater_is_better=False),
        alternative=alternative,
        n_resamples=1999,
        random_state=random_seed,
    ).fit_predictions(*skewed)
    error = np.sqrt(2 * expected * (1 - expected) / 1999)  # of the difference of two
    # scipy doubles the smaller tail, and with it the error of that tail
    assert comparison.pvalue_ == pytest.approx(expected, abs=4 * np.sqrt(2) * error)


@each_alternative
def test_exact_accuracy_is_the_binomial_test_of_discordant_rows(alternative):
    truth = np.tile([0, 1], 15)
    a, b = truth.copy(), truth.copy()
    a[:3], b[3:12] = 1 - a[:3], 1 - b[3:12]  # 3 rows to B, 9 to A, 18 to both
    expected = stats.binomtest(9, 12, alternative=alternative).pvalue
    comparison = ApproxRandomization(
        scoring="accuracy", alternative=alternative, method="exact"
    ).fit_predictions(truth, a, b)
    assert comparison.pvalue_ == pytest.approx(expected)


def test_swapping_groups_is_a_permutation_test_of_group_sums(skewed):
    truth, a, b = skewed
    groups = np.repeat(np.arange(10), 4)
    losses = (np.bincount(groups, weights=np.abs(truth - p)) / 40 for p in (b, a))
    expected = stats.permutation_test(
        tuple(losses),
        lambda b, a: np.sum(b - a),
        permutation_type="samples",
        vectorized=False,
        n_resamples=np.inf,
        alternative="greater",
    ).pvalue
    comparison = ApproxRandomization(scoring="neg_mean_absolute_error").fit_predictions(
        *skewed, groups=groups
    )
    assert comparison.result_.method == "exact"
    assert comparison.pvalue_ == pytest.approx(expected)


def quantile_error(standard_error, n_resamples, level=0.95):
    """Return the Monte Carlo error of a difference of two runs' interval ends.

    That of a quantile is sqrt(q (1 - q) / B) / density; the density is about normal.
    """
    tail = (1 - level) / 2
    density = stats.norm.pdf(stats.norm.ppf(tail)) / standard_error
    return np.sqrt(2 * tail * (1 - tail) / n_resamples) / density


@pytest.mark.parametrize("interval", ["percentile", "basic", "bca"])
def test_intervals_are_those_of_scipys_bootstrap(skewed, interval, random_seed):
    n_resamples = 4999
    expected = stats.bootstrap(
        skewed,
        lambda truth, a, b: rmse(truth, b) - rmse(truth, a),
        paired=True,
        vectorized=False,
        method=interval,
        n_resamples=n_resamples,
        **seeded(np.random.default_rng(random_seed)),
    )
    comparison = PairedBootstrap(
        scoring=make_scorer(rmse, greater_is_better=False),
        interval=interval,
        n_resamples=n_resamples,
        random_state=random_seed,
    ).fit_predictions(*skewed)
    error = quantile_error(expected.standard_error, n_resamples)
    assert comparison.standard_error_ == pytest.approx(
        expected.standard_error, rel=0.06
    )
    np.testing.assert_allclose(
        comparison.confidence_interval_,
        expected.confidence_interval,
        rtol=0,
        atol=4 * error,
    )


def test_cluster_bootstrap_is_scipys_bootstrap_of_groups(random_seed):
    rng = np.random.default_rng(5)
    groups = np.repeat(np.arange(60), rng.integers(1, 6, size=60))
    truth, a, b = (
        rng.normal(size=(3, len(groups))) + rng.normal(size=(3, 60))[:, groups]
    )
    gains = np.bincount(groups, weights=np.abs(truth - b) - np.abs(truth - a))
    expected = stats.bootstrap(
        (gains, np.bincount(groups)),
        lambda gain, size: gain.sum() / size.sum(),
        paired=True,
        vectorized=False,
        method="percentile",
        n_resamples=1999,
        **seeded(np.random.default_rng(random_seed)),
    )
    comparison = PairedBootstrap(
        scoring="neg_mean_absolute_error",
        interval="percentile",
        n_resamples=1999,
        random_state=random_seed,
    ).fit_predictions(truth, a, b, groups=groups)
    error = quantile_error(expected.standard_error, 1999)
    np.testing.assert_allclose(
        comparison.confidence_interval_,
        expected.confidence_interval,
        rtol=0,
        atol=4 * error,
    )


@pytest.fixture(scope="module")
def scipys_run():
    """Return data of a skewed mean and a function that bootstraps it with scipy."""
    x = np.random.default_rng(2).lognormal(sigma=1.5, size=25)

    def run(method, **params):
        return stats.bootstrap(
            (x,), np.mean, method=method, n_resamples=999, **seeded(7), **params
        )

    return x, run


def test_bca_of_scipys_distribution_is_scipys_interval(scipys_run):
    x, run = scipys_run
    expected = run("BCa", confidence_level=0.9)
    interval = bca_interval(
        expected.bootstrap_distribution,
        x.mean(),
        0.9,
        jackknife=(x.sum() - x) / (len(x) - 1),
        strata=np.zeros(len(x), dtype=int),
    )
    assert interval == pytest.approx(expected.confidence_interval, rel=1e-12)
    # and is not what a plain percentile interval would be
    plain = percentile_interval(expected.bootstrap_distribution, 0.9)
    assert interval.low - plain.low > 0.1 * expected.standard_error


def test_bca_counts_half_of_the_ties_as_scipy_does():
    x = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0])
    expected = stats.bootstrap(
        (x,), np.mean, n_resamples=999, method="BCa", **seeded(3)
    )
    interval = bca_interval(
        expected.bootstrap_distribution,
        x.mean(),
        0.95,
        jackknife=(x.sum() - x) / (len(x) - 1),
        strata=np.zeros(len(x), dtype=int),
        tolerance=1e-12,
    )
    assert interval == pytest.approx(expected.confidence_interval, rel=1e-12)


def test_bca_of_two_strata_is_that_of_two_samples_in_scipy():
    """A score of all rows together: leaving one out is a mean over one row less."""
    rng = np.random.default_rng(4)
    x, y = rng.lognormal(size=5), rng.lognormal(size=32)
    together = np.concatenate([x, y])
    expected = stats.bootstrap(
        (x, y),
        lambda x, y: (5 * np.mean(x) + 32 * np.mean(y)) / 37,
        vectorized=False,
        **seeded(0),
    )
    interval = bca_interval(
        expected.bootstrap_distribution,
        together.mean(),
        0.95,
        jackknife=(together.sum() - together) / 36,
        strata=np.repeat([0, 1], [5, 32]),
    )
    assert interval == pytest.approx(expected.confidence_interval, rel=1e-9)


def test_bca_follows_the_formula_of_efron_and_tibshirani(skewed):
    """Equations 14.9 to 14.15, written out again."""
    truth, a, b = skewed

    def delta(rows):
        return rmse(truth[rows], b[rows]) - rmse(truth[rows], a[rows])

    everything = np.arange(40)
    resamples = np.random.default_rng(0).integers(40, size=(999, 40))
    values = np.array([delta(rows) for rows in resamples])
    left_out = np.array([delta(np.delete(everything, i)) for i in everything])
    pulls = left_out.mean() - left_out
    acceleration = np.sum(pulls**3) / (6 * np.sum(pulls**2) ** 1.5)
    bias = stats.norm.ppf(np.mean(values < delta(everything)))
    ends = [
        np.quantile(
            values,
            stats.norm.cdf(bias + (bias + z) / (1 - acceleration * (bias + z))),
        )
        for z in stats.norm.ppf([0.05, 0.95])
    ]
    interval = bca_interval(
        values,
        delta(everything),
        0.9,
        jackknife=left_out,
        strata=np.zeros(40, dtype=int),
    )
    assert interval == pytest.approx(tuple(ends))


@pytest.mark.parametrize("method", ["percentile", "basic"])
def test_plain_intervals_of_scipys_distribution_are_scipys(scipys_run, method):
    x, run = scipys_run
    expected = run(method, confidence_level=0.8)
    values = expected.bootstrap_distribution
    intervals = {
        "percentile": percentile_interval(values, 0.8),
        "basic": basic_interval(values, x.mean(), 0.8),
    }
    assert intervals[method] == pytest.approx(expected.confidence_interval, rel=1e-12)


def test_studentized_interval_inverts_the_pivot():
    """Quantiles of (value - observed) / error, times the observed error."""
    rng = np.random.default_rng(0)
    values, errors = rng.normal(3.0, 1.0, size=501), rng.uniform(0.5, 2.0, size=501)
    pivots = (values - 3.2) / errors
    expected = 3.2 - 0.7 * np.quantile(pivots, [0.95, 0.05])
    interval = studentized_interval(
        values, 3.2, 0.9, standard_errors=errors, standard_error=0.7
    )
    assert interval == pytest.approx(tuple(expected))


def test_studentized_interval_of_a_mean_is_near_students_t(random_seed):
    """For the mean of normal differences, bootstrap-t and t intervals agree."""
    rng = np.random.default_rng(8)
    truth = rng.normal(size=60)
    b = truth + rng.normal(2.0, 0.3, size=60)
    a = truth + rng.normal(1.5, 0.3, size=60)
    gains = b - a
    expected = stats.ttest_1samp(gains, 0).confidence_interval(0.9)

    def bias(truth, pred):
        return np.mean(pred - truth)

    comparison = PairedBootstrap(
        scoring=make_scorer(bias, greater_is_better=False),
        interval="studentized",
        confidence_level=0.9,
        n_resamples=499,
        random_state=random_seed,
    ).fit_predictions(truth, a, b)
    error = stats.sem(gains)
    np.testing.assert_allclose(
        comparison.confidence_interval_, expected, atol=0.5 * error
    )
