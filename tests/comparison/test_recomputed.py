"""Numbers of our own making, recomputed by scipy, statsmodels and scikit-learn."""

import itertools

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from sklearn import metrics

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    PairedBootstrap,
    SignTest,
    WilcoxonSignedRank,
    WildClusterBootstrap,
)

pytestmark = pytest.mark.usefixtures("quiet")
slow = pytest.mark.slow

SCORES = {
    "accuracy": metrics.accuracy_score,
    "precision": lambda *args, **kwargs: metrics.precision_score(
        *args, zero_division=0, **kwargs
    ),
    "recall": metrics.recall_score,
    "f1": metrics.f1_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "matthews_corrcoef": metrics.matthews_corrcoef,
    "neg_mean_absolute_error": lambda *args, **kwargs: (
        -metrics.mean_absolute_error(*args, **kwargs)
    ),
}


def difference(scoring, truth, a, b, **kwargs):
    """Return a difference in score by scikit-learn."""
    score = SCORES[scoring]
    return score(truth, a, **kwargs) - score(truth, b, **kwargs)


# The rule by which tests of signs and ranks promote


@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
@pytest.mark.parametrize("kind", [SignTest, WilcoxonSignedRank])
def test_signs_and_ranks_promote_if_two_tests_of_scipy_reject(kind, alternative):
    """That of signs or ranks, and the t-test, both in favor of A."""
    rng, kinds = np.random.default_rng(1), set()
    for _ in range(70):
        n, lead, df = rng.integers(20, 90), rng.normal(scale=0.3), rng.uniform(1.2, 8)
        d = lead + rng.standard_t(df, size=n) - rng.exponential(0.2, size=n) + 0.2
        result = kind(alternative=alternative).fit_row_scores(d, np.zeros(n)).result_
        if kind is SignTest:
            n_up = int(np.sum(d > 0))
            by_sign = stats.binomtest(n_up, n, alternative=alternative).pvalue
            ahead = n_up > n / 2
        else:
            signed_rank = stats.wilcoxon(d, alternative=alternative, method="exact")
            by_sign = signed_rank.pvalue
            up = stats.rankdata(np.abs(d))[d > 0].sum()
            ahead = up > n * (n + 1) / 4
        by_mean = stats.ttest_1samp(d, 0, alternative=alternative).pvalue
        promoted = by_sign <= 0.05 and by_mean <= 0.05 and ahead and d.mean() > 0
        assert result.pvalue == pytest.approx(by_sign)
        assert result.favors_a == promoted
        kinds.add((by_sign <= 0.05, by_mean <= 0.05))
    assert len(kinds) == 4  # there are samples of each kind


# The floor of bootstrapped p-values


@pytest.mark.parametrize(
    ("scoring", "n_differ"),
    [
        ("accuracy", 1),
        ("accuracy", 5),
        ("recall", 2),
        ("recall", 5),
        ("f1", 3),
        ("f1", 4),
        ("balanced_accuracy", 1),
        ("balanced_accuracy", 4),
        ("matthews_corrcoef", 2),
        ("matthews_corrcoef", 3),
    ],
)
def test_no_bootstrap_shows_more_than_all_exchanges_can(scoring, n_differ):
    """The p-value of all exchanges of the differing rows, by scikit-learn."""
    truth = np.arange(40) % 2
    a, b = truth.copy(), truth.copy()
    a[[30, 33]] = b[[30, 33]] = 1 - truth[[30, 33]]
    rows = 2 * np.arange(n_differ) + 1  # of class 1: A is right, B is not
    b[rows] = 0
    observed, null = difference(scoring, truth, a, b), []
    for exchanged in itertools.product([False, True], repeat=n_differ):
        swap = rows[np.array(exchanged)]
        first, second = a.copy(), b.copy()
        first[swap], second[swap] = b[swap], a[swap]
        null.append(difference(scoring, truth, first, second))
    smallest = np.mean(np.array(null) >= observed - 1e-12)
    assert smallest == 0.5**n_differ
    for method in ("shift", "percentile"):
        test = PairedBootstrap(
            scoring=scoring, method=method, n_resamples=999, random_state=0
        )
        assert test.fit_predictions(truth, a, b).pvalue_ >= smallest


def test_the_level_of_the_bootstrap_by_enumeration():
    """Infinitely many resamples, all samples of 40 rows, fair signs: no chance."""
    n, test = 40, PairedBootstrap(scoring="accuracy", n_resamples="ideal")
    level_given = np.zeros(n + 1)  # the level, given how many rows differ
    truth = np.zeros(n, dtype=int)
    for m in range(1, 17):
        for only_a in range(m // 2, m + 1):
            a, b = truth.copy(), truth.copy()
            b[:only_a] = a[only_a:m] = 1
            if test.fit_predictions(truth, a, b).pvalue_ <= 0.05:
                level_given[m] += stats.binom.pmf(only_a, m, 0.5)
    assert (level_given[1:5] == 0).all()  # four signs show nothing at this level
    assert level_given[5:17].max() > 0.02
    for share in (0.01, 0.03, 0.1, 0.2):
        chances = stats.binom.pmf(np.arange(n + 1), n, share)
        assert chances[17:].sum() < 0.002
        assert chances @ level_given + chances[17:].sum() <= 0.05


# The interval of the wild cluster bootstrap


@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=slow) for s in (1, 2))])
def test_the_wild_interval_ends_where_regressions_begin_to_reject(seed):
    """All signs of seven groups, with the cluster-robust errors of statsmodels."""
    rng, sizes = np.random.default_rng(seed), np.array([9, 6, 4, 3, 2, 2, 1])
    groups = np.repeat(np.arange(7), sizes)
    d = rng.normal(size=7)[groups] + rng.normal(size=len(groups)) + 0.5
    test = WildClusterBootstrap(alternative="two-sided", confidence_level=0.8)
    test.fit_row_scores(d, 0 * d, groups=groups)
    signs = np.array(list(itertools.product([1, -1], repeat=7)))

    def pvalue(mean):
        """Return the share of signs whose t is as far from 0 as that of the rows."""
        drawn = []
        for sign in signs:
            fit = sm.OLS((d - mean) * sign[groups], np.ones(len(d)))
            kwds = {"groups": groups, "use_correction": False}
            drawn.append(abs(fit.fit(cov_type="cluster", cov_kwds=kwds).tvalues[0]))
        return np.mean(np.array(drawn) >= drawn[0] - 1e-9)

    assert test.pvalue_ == pvalue(0.0)
    low, high = test.confidence_interval_
    width = high - low
    for end, out in ((low, -1), (high, 1)):
        assert pvalue(end + out * 1e-3 * width) <= 0.2
        assert pvalue(end - out * 1e-3 * width) > 0.2


# Studentized swaps on cells


OTHERS = ["f1", "balanced_accuracy", "matthews_corrcoef"]


@pytest.mark.parametrize(
    "scoring", ["precision", *(pytest.param(one, marks=slow) for one in OTHERS)]
)
def test_studentized_swaps_are_those_of_swapped_rows(scoring, simulations):
    """300 rows, swapped one by one; errors by the jackknife with scikit-learn."""
    rng, n, n_swaps = np.random.default_rng(2), 300, simulations(100, 400)
    truth = (rng.random(n) < 0.4).astype(int)
    a, b = (
        (rng.random(n) < np.where(truth, *rates)).astype(int)
        for rates in ((0.75, 0.25), (0.7, 0.4))
    )
    test = ApproxRandomization(
        scoring=scoring,
        statistic="studentized",
        method="monte-carlo",
        n_resamples=4_999,
        random_state=0,
    ).fit_predictions(truth, a, b)

    def jackknife_t(first, second):
        """Return the difference over its error; equal rows are left out once."""
        rows = np.stack([truth, first, second], axis=1)
        kinds, counts = np.unique(rows, axis=0, return_counts=True)
        delta = difference(scoring, *kinds.T, sample_weight=counts)
        without = [
            difference(scoring, *kinds.T, sample_weight=counts - one)
            for one in np.eye(len(counts), dtype=int)
        ]
        mean = np.average(without, weights=counts)
        spread = np.average((np.array(without) - mean) ** 2, weights=counts)
        return delta / np.sqrt((n - 1) * spread)

    by_hand = []
    for _ in range(n_swaps):
        swap = rng.random(n) < 0.5
        by_hand.append(jackknife_t(np.where(swap, b, a), np.where(swap, a, b)))
    observed = jackknife_t(a, b)
    assert test.statistic_ == pytest.approx(observed, rel=0.02)
    ours = test.result_.statistic_distribution
    assert stats.ks_2samp(ours, by_hand).pvalue > 0.01
    reached = np.mean(np.array(by_hand) >= observed)
    error = np.sqrt(max(reached * (1 - reached), 0.003) / n_swaps)
    assert test.pvalue_ == pytest.approx(reached, abs=3 * error)


# The hierarchical posterior


def test_the_hierarchical_posterior_of_seven_classes(simulations):
    """Likelihoods by scipy on another grid, average F1 by scikit-learn."""
    rng, k = np.random.default_rng(0), 7
    sizes = np.array([120, 80, 60, 30, 12, 6, 3])
    truth = np.repeat(np.arange(k), sizes)
    models = [
        np.where(rng.random(len(truth)) < p, truth, rng.integers(k, size=len(truth)))
        for p in (0.75, 0.6)
    ]
    test = BayesianComparison(
        scoring="f1_macro",
        posterior="hierarchical",
        prior=1.0,
        n_draws=20_000,
        random_state=0,
    ).fit_predictions(truth, *models)
    # Concentrations s from 0.5 to 500, evenly on a logarithmic scale, and shares m.
    s = np.exp(np.linspace(np.log(0.5), np.log(500), 80))
    s, m = (one.ravel() for one in np.meshgrid(s, (np.arange(80) + 0.5) / 80))
    n_draws, confusions = simulations(400, 2_000), []
    for predicted in models:
        counts = metrics.confusion_matrix(truth, predicted)
        log = np.zeros(len(s))
        for row, count in enumerate(counts):
            alpha = np.repeat((s * (1 - m) / (k - 1))[:, np.newaxis], k, axis=1)
            alpha[:, row] = s * m
            log += stats.dirichlet_multinomial.logpmf(count, alpha, count.sum())
        weights = np.exp(log - log.max())
        drawn = rng.choice(len(s), size=n_draws, p=weights / weights.sum())
        others = s[drawn] * (1 - m[drawn]) / (k - 1)
        prior = others[:, None, None] + (s[drawn] * m[drawn] - others)[
            :, None, None
        ] * np.eye(k)
        rows = rng.standard_gamma(counts + prior)
        confusions.append(rows / rows.sum(axis=2, keepdims=True))
    shares = rng.dirichlet(sizes + 1.0, size=n_draws)[:, :, np.newaxis]
    true, guessed = (codes.ravel() for codes in np.indices((k, k)))
    for confusion, ours in zip(
        confusions, (test.posterior_a_, test.posterior_b_), strict=True
    ):
        expected = np.array(
            [
                metrics.f1_score(true, guessed, average="macro", sample_weight=w)
                for w in (confusion * shares).reshape(n_draws, -1)
            ]
        )
        error = expected.std() / np.sqrt(n_draws)
        assert ours.mean() == pytest.approx(expected.mean(), abs=4 * error)
        assert ours.std() == pytest.approx(expected.std(), rel=4 / np.sqrt(2 * n_draws))
        assert stats.ks_2samp(ours, expected).pvalue > 1e-3
