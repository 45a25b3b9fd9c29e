"""The bootstrap is right: rules that agree, few groups, rare differences."""

import itertools
import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import get_scorer, make_scorer

from skcompare import (
    ApproxRandomization,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    WildClusterBootstrap,
)
from skcompare.exceptions import DegenerateDataWarning, SmallSampleWarning
from skcompare.metrics import pearson_scorer
from skcompare.stats import (
    clopper_pearson_interval,
    effective_number,
    wild_cluster_pvalue,
)
from tests.pairs import in_pairs
from tests.rates import assert_level_kept

quiet = pytest.mark.usefixtures("quiet")


def regression(seed, n_rows=40, noise=(1.0, 1.2)):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n_rows)
    a, b = (truth + size * rng.normal(size=n_rows) for size in noise)
    return truth, a, b


def classes(seed, n_rows=120, rates=(0.85, 0.75)):
    rng = np.random.default_rng(seed)
    truth = rng.integers(2, size=n_rows)
    a, b = (np.where(rng.random(n_rows) < r, truth, 1 - truth) for r in rates)
    return truth, a, b


# p-value and interval


@pytest.mark.parametrize(
    ("scoring", "method"),
    [
        ("accuracy", "shift"),
        ("f1", "shift"),
        ("balanced_accuracy", "shift"),
        ("neg_mean_squared_error", "shift"),
        ("r2", "percentile"),
        ("neg_root_mean_squared_error", "percentile"),
        (pearson_scorer(), "percentile"),
        ("roc_auc", "percentile"),
        ("average_precision", "percentile"),
    ],
)
def test_the_rule_is_named_and_depends_on_the_metric(scoring, method):
    by_labels = scoring in ("accuracy", "f1", "balanced_accuracy")
    truth, a, b = classes(0) if by_labels else regression(0, 120)
    if scoring in ("roc_auc", "average_precision"):
        truth = (truth > 0).astype(int)
    test = PairedBootstrap(scoring=scoring, n_resamples=199, random_state=0)
    result = test.fit_predictions(truth, a, b).result_
    assert result.method == method
    assert f"method: {method}" in str(result) or method in str(result)


@pytest.mark.parametrize("n_rows", [30, 100])
@pytest.mark.parametrize("scoring", ["accuracy", "f1", "neg_mean_squared_error", "r2"])
def test_the_default_interval_excludes_zero_just_if_the_p_value_is_small(
    scoring, n_rows
):
    test = PairedBootstrap(
        scoring=scoring, n_resamples=399, alternative="two-sided", random_state=0
    )
    draw = classes if scoring in ("accuracy", "f1") else regression
    n_rejected = 0
    for seed in range(25):
        test.fit_predictions(*draw(seed, n_rows))
        low, high = test.confidence_interval_
        rejected = test.pvalue_ <= 0.05
        # Quantiles between two order statistics may be on either side of 0.
        if abs(test.pvalue_ - 0.05) > 1 / 200 and min(abs(low), abs(high)) > 1e-12:
            assert (low > 0 or high < 0) == rejected
        n_rejected += rejected
    assert 0 < n_rejected < 25


@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
@pytest.mark.parametrize("methods", [("shift", "percentile"), ("percentile", "shift")])
def test_a_rule_that_decides_otherwise_has_a_caveat(methods, alternative):
    """With its p-value, which is the one that it gives; and only then."""
    n_caveats = 0
    for seed in range(12):
        settings = {"scoring": "r2", "n_resamples": 199, "random_state": 0}
        data, other = regression(seed, 40, (1.0, 1.5)), methods[1]
        tests = [
            PairedBootstrap(method=m, alternative=alternative, **settings)
            for m in methods
        ]
        pvalues = [test.fit_predictions(*data).pvalue_ for test in tests]
        for alpha in (0.05, min(pvalues)):  # a p-value of the level is significant
            tests[0].set_params(alpha=alpha).fit_predictions(*data)
            caveats = [c for c in tests[0].result_.caveats if "opposite decision" in c]
            decided = [pvalue <= alpha for pvalue in pvalues]
            assert len(caveats) == (decided[0] != decided[1])
            for caveat in caveats:
                assert caveat.startswith(
                    f"`method={other!r}` would give p = {pvalues[1]:.4f}, and the "
                    f"opposite decision at the level {alpha:g}. On fewer "
                    "than about 300 rows"
                )
                assert "must be chosen before seeing the data" in caveat
            n_caveats += len(caveats)
    assert 0 < n_caveats < 24


def test_an_interval_that_contradicts_the_p_value_has_a_caveat():
    with_caveat = []
    for seed in range(60):
        test = PairedBootstrap(
            scoring="r2",
            method="shift",
            interval="percentile",
            alternative="two-sided",
            n_resamples=199,
            random_state=0,
        ).fit_predictions(*regression(seed, 40, (1.0, 1.5)))
        low, high = test.confidence_interval_
        agrees = (low > 0 or high < 0) == (test.pvalue_ <= 0.05)
        has_caveat = any("`interval='auto'` does" in c for c in test.result_.caveats)
        assert has_caveat != agrees
        with_caveat.append(has_caveat)
    assert any(with_caveat)


def test_a_one_sided_p_value_beside_a_two_sided_interval_is_called_so():
    test = PairedBootstrap(scoring="accuracy", n_resamples=199, random_state=0)
    words = test.fit_predictions(*classes(0)).result_.sentence()
    assert "two-sided 95 % interval" in words
    assert "one-sided p" in words


@quiet
@pytest.mark.parametrize(
    ("scoring", "draw", "least"),
    [
        ("r2", lambda seed: regression(seed, 30, (1.0, 1.8)), 0.5),
        ("neg_mean_squared_error", lambda seed: regression(seed, 30, (1, 1.8)), 0.4),
    ],
)
def test_small_data_have_power(scoring, draw, least):
    rejected = [
        PairedBootstrap(scoring=scoring, n_resamples=199, random_state=seed)
        .fit_predictions(*draw(seed))
        .pvalue_
        <= 0.05
        for seed in range(60)
    ]
    assert np.mean(rejected) > least


@quiet
@pytest.mark.parametrize("scoring", ["accuracy", "f1", "r2", "roc_auc"])
def test_equal_models_are_rejected_at_the_level(scoring, simulations):
    def draw(seed):
        if scoring in ("accuracy", "f1"):
            return classes(seed, 100, (0.75, 0.75))
        truth, a, b = regression(seed, 100, (1.0, 1.0))
        return (truth > 0).astype(int) if scoring == "roc_auc" else truth, a, b

    rejected = (
        PairedBootstrap(
            scoring=scoring, n_resamples=99, random_state=seed, alternative="two-sided"
        )
        .fit_predictions(*draw(seed))
        .pvalue_
        <= 0.1
        for seed in itertools.count()
    )
    assert_level_kept(rejected, simulations(None, 1_000), 0.1)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_studentized_pvalue_agrees_with_the_studentized_interval(level):
    rng, decisions = np.random.default_rng(4), []
    for seed in range(60):
        a, b = rng.exponential(size=30) - 0.7, np.zeros(30)
        test = PairedBootstrap(
            method="studentized",
            alternative="two-sided",
            confidence_level=level,
            n_resamples=399,
            random_state=seed,
        ).fit_row_scores(a, b)
        low, high = test.confidence_interval_
        if abs(test.pvalue_ - (1 - level)) > 2 / 400:  # the interval interpolates
            decisions.append(test.pvalue_ < 1 - level)
            assert decisions[-1] == (not low <= 0 <= high)
    assert 5 < sum(decisions) < 55


@quiet
@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_without_a_standard_error_the_studentized_bootstrap_counts_signs(alternative):
    """As the other rules do, and as its interval: [0, inf]."""
    settings = {"n_resamples": 99, "random_state": 0, "alternative": alternative}
    test = PairedBootstrap(method="studentized", **settings)
    test.fit_row_scores(np.ones(40), np.zeros(40))
    plain = PairedBootstrap(method="percentile", **settings)
    assert test.pvalue_ == plain.fit_row_scores(np.ones(40), np.zeros(40)).pvalue_
    assert test.pvalue_ == {"greater": 0.01, "less": 1, "two-sided": 0.02}[alternative]


# Few groups, uneven weights


def zipf_groups(seed, n_groups=100, n_rows=1_000):
    """Rows of groups of Zipf's sizes, that share an effect of their group."""
    rng = np.random.default_rng(seed)
    sizes = n_rows / np.arange(1, n_groups + 1) / np.sum(1 / np.arange(1, n_groups + 1))
    groups = np.repeat(np.arange(n_groups), np.maximum(sizes, 1).astype(int))
    effects = rng.normal(size=(2, n_groups))[:, groups]
    return *(effects + rng.normal(size=(2, len(groups)))), groups


def test_uneven_groups_and_weights_are_warned_of_with_the_cure():
    a, b, groups = zipf_groups(0)
    test = PairedBootstrap(n_resamples=99, random_state=0)
    n = effective_number(np.bincount(groups))
    with pytest.warns(
        SmallSampleWarning, match=rf"effective sample size of {n:.3g} .*Wild"
    ):
        test.fit_row_scores(a, b, groups=groups)
    truth, a, b = classes(0, 200)
    weights = np.random.default_rng(0).lognormal(sigma=3.0, size=200)
    test = PairedBootstrap(scoring="accuracy", n_resamples=99, random_state=0)
    with pytest.warns(SmallSampleWarning, match="uneven weight"):
        test.fit_predictions(truth, a, b, sample_weight=weights)
    # The cure is not warned of.
    cure = WildClusterBootstrap(scoring="accuracy", n_resamples=99, random_state=0)
    assert not cure.fit_predictions(truth, a, b, sample_weight=weights).result_.caveats


@quiet
def test_the_wild_bootstrap_keeps_its_level_on_uneven_groups(simulations):
    level, n_simulations = simulations((0.1, None), (0.05, 1_000))

    def rejected(kind):
        test = kind(alternative="two-sided", n_resamples=99, random_state=0)
        for seed in itertools.count():
            a, b, groups = zipf_groups(seed)
            yield test.fit_row_scores(a, b, groups=groups).pvalue_ <= level

    assert_level_kept(rejected(WildClusterBootstrap), n_simulations, level)
    with pytest.raises(AssertionError, match="above"):
        assert_level_kept(rejected(PairedBootstrap), n_simulations, level)


@quiet
@pytest.mark.parametrize("n_groups", [12, 11, 0])
def test_the_wild_test_counts_its_signs(n_groups):
    """Fewer than twelve are warned of, and none at all are another matter."""
    groups, truth = np.repeat(np.arange(14), 3), np.ones(42, dtype=int)
    worse = np.where((groups < n_groups) & (np.arange(42) % 3 == 0), 0, 1)
    settings = {"scoring": "accuracy", "random_state": 0}
    for n_resamples, exact in ((20_000, True), (199, False)):
        test = WildClusterBootstrap(n_resamples=n_resamples, **settings)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = test.fit_predictions(truth, truth, worse, groups=groups).result_
        few = [w for w in caught if "fewer than 12" in str(w.message)]
        assert len(few) == (n_groups == 11)
        assert result.method == ("exact" if exact else "monte-carlo")
        assert result.n_resamples == (2**14 if exact else n_resamples)
        assert (result.pvalue_error == 0) == (exact or result.pvalue == 1)


def test_the_wild_bootstrap_takes_rounding_for_nothing():
    """Errors of equal size and opposite sign: R2 is the same but for rounding."""
    groups = zipf_groups(0)[2]
    rng = np.random.default_rng(3)
    for seed in range(10):
        noise = rng.normal(size=(2, len(groups)))
        middle = rng.normal(size=len(groups))
        test = WildClusterBootstrap(
            scoring="r2",
            alternative="two-sided",
            n_resamples=99,
            random_state=seed,
        )
        truth, models = middle + noise.mean(axis=0), middle + noise
        assert test.fit_predictions(truth, *models, groups=groups).pvalue_ == 1


@pytest.mark.parametrize("scoring", ["accuracy", "f1", "r2"])
def test_the_wild_interval_has_the_differences_that_the_wild_test_does_not_reject(
    scoring,
):
    draw = regression if scoring == "r2" else classes
    decided = []
    for seed in range(12):
        test = WildClusterBootstrap(
            scoring=scoring,
            alternative="two-sided",
            n_resamples=199,
            random_state=seed,
        ).fit_predictions(*draw(seed, 80))
        low, high = test.confidence_interval_
        decided.append(test.pvalue_ <= 0.05)
        if min(abs(low), abs(high)) > 1e-9:  # else 0 is the end itself
            assert decided[-1] == (low > 0 or high < 0)
        assert low < test.delta_ < high
    assert any(decided)


@quiet
def test_the_wild_test_of_recall_is_that_of_true_positives():
    """Both models divide by the same number of positives: a mean over these."""
    rng = np.random.default_rng(0)
    groups, truth = rng.integers(25, size=400), rng.integers(2, size=400)
    a, b = np.where(rng.random((2, 400)) < [[0.8], [0.7]], truth, 1 - truth)
    settings = {"alternative": "two-sided", "n_resamples": 999, "random_state": 0}
    test = WildClusterBootstrap(scoring="recall", **settings)
    test.fit_predictions(truth, a, b, groups=groups)
    positive = truth == 1
    rows = WildClusterBootstrap(**settings)
    rows.fit_row_scores(a[positive], b[positive], groups=groups[positive])
    assert test.pvalue_ == rows.pvalue_
    assert test.statistic_ == pytest.approx(rows.statistic_)
    assert test.confidence_interval_ == pytest.approx(rows.confidence_interval_)


@quiet
@pytest.mark.parametrize(
    "scoring", ["precision", "f1", "f1_macro", "balanced_accuracy", "r2"]
)
def test_the_sum_of_a_group_is_half_of_the_change_by_its_exchange(scoring):
    """By scikit-learn's own scores, with the predictions of one group swapped."""
    rng, score = np.random.default_rng(1), get_scorer(scoring)
    groups, truth = np.repeat(np.arange(40), 25), rng.integers(2, size=1_000)
    models = np.where(rng.random((2, 1_000)) < [[0.8], [0.75]], truth, 1 - truth)
    if scoring == "r2":
        truth = rng.normal(size=1_000)
        models = truth + rng.normal(size=(2, 1_000)) * [[0.5], [0.6]]

    def delta(a, b):
        return np.subtract(
            *(
                score._sign * score._score_func(truth, m, **score._kwargs)
                for m in (a, b)
            )
        )

    taken = []
    for group in range(40):
        swapped = np.where(groups == group, models[::-1], models)
        taken.append((delta(*models) - delta(*swapped)) / 2)
    test = WildClusterBootstrap(scoring=scoring, n_resamples=999, random_state=0)
    test.fit_predictions(truth, *models, groups=groups)
    assert sum(taken) == pytest.approx(test.delta_, rel=0.02)
    by_hand = wild_cluster_pvalue(
        taken,
        np.ones(40),
        "greater",
        n_resamples=999,
        rng=np.random.default_rng(0),
    )
    assert test.statistic_ == pytest.approx(by_hand.statistic, rel=0.05)
    assert test.pvalue_ == pytest.approx(by_hand.pvalue, abs=0.03)


@quiet
@pytest.mark.parametrize("scoring", ["recall", "opaque"])
def test_groups_without_positives_are_no_evidence_on_recall(scoring):
    """Both models predict no positives there: recall is the same with and without."""
    if scoring == "opaque":
        scoring = make_scorer(lambda y, p: (y * p).sum() / y.sum())
    pvalues = []
    for n_empty in (0, 5, 200):
        truth = np.r_[np.ones(40, int), np.zeros(10 * n_empty, int)]
        a, b = truth.copy(), 0 * truth
        a[[1, 2, 3, 11, 12, 21, 22, 23, 31, 32]], b[:8] = 0, 1
        test = WildClusterBootstrap(
            scoring=scoring, alternative="two-sided", random_state=0
        )
        test.fit_predictions(truth, a, b, groups=np.arange(len(truth)) // 10)
        pvalues.append(test.pvalue_)
    assert pvalues == [0.25] * 3


@quiet
def test_the_wild_test_keeps_its_level_where_few_groups_hold_the_class(simulations):
    groups = np.repeat(np.arange(60), 10)
    test = WildClusterBootstrap(
        scoring="recall", alternative="two-sided", n_resamples=99, random_state=0
    )

    def rejected(seed):
        rng = np.random.default_rng(seed)
        truth = ((groups < 8) & (rng.random(600) < 0.7)).astype(int)
        right = rng.normal(size=(2, 60))[:, groups] + rng.normal(size=(2, 600)) > -0.5
        a, b = np.where(right, truth, 1 - truth)
        return test.fit_predictions(truth, a, b, groups=groups).pvalue_ <= 0.1

    runs = map(rejected, itertools.count())
    assert_level_kept(runs, simulations(None, 2_000), 0.1)


@quiet
def test_the_wild_interval_has_all_means_that_are_not_rejected():
    """Uneven groups can leave gaps between them."""
    means = [-1.99, -2.43, -5.51, -4.49, -2.34, -1.46, -4.44, -1.98]
    sizes = [100, 2, 7, 6, 6, 3, 1, 9]
    d = np.repeat(means, sizes)
    test = WildClusterBootstrap(alternative="two-sided", random_state=0)
    test.fit_row_scores(d, 0 * d, groups=np.repeat(range(8), sizes))
    assert test.pvalue_ > 0.05
    assert test.confidence_interval_.low < 0 <= test.confidence_interval_.high


def test_few_signs_are_warned_of():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(8), 20)
    with pytest.warns(SmallSampleWarning, match=r"depends on only 8 groups \(fewer"):
        WildClusterBootstrap(random_state=0).fit_row_scores(
            *rng.normal(size=(2, 160)), groups=groups
        )


def test_the_wild_test_refuses_strata():
    rng = np.random.default_rng(0)
    truth, a, b = rng.integers(2, size=(3, 60))
    strata = np.arange(60) % 2
    with pytest.raises(ValueError, match="`strata` must be None for Wild"):
        WildClusterBootstrap().fit_predictions(truth, a, b, strata=strata)


def test_the_wild_test_is_close_to_t_for_a_mean_of_many_even_rows():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 400)) + np.array([[0.12], [0.0]])
    test = WildClusterBootstrap(random_state=0)
    test.fit_row_scores(a, b)
    expected = stats.ttest_rel(a, b, alternative="greater").pvalue
    assert test.pvalue_ == pytest.approx(expected, abs=0.01)
    interval = stats.ttest_rel(a, b).confidence_interval()
    assert test.confidence_interval_ == pytest.approx(tuple(interval), abs=0.01)


def test_the_wild_test_refuses_other_metrics_and_data():
    truth, a, b = regression(0)
    test = WildClusterBootstrap(scoring="roc_auc", n_resamples=99)
    with pytest.raises(ValueError, match="add up over rows"):
        test.fit_predictions((truth > 0).astype(int), a, b)
    test = WildClusterBootstrap(scoring="r2", n_resamples="auto")
    with pytest.raises(ValueError, match="`n_resamples` must be an int"):
        test.fit_predictions(truth, a, b)
    pairs = PairwiseComparison(test=WildClusterBootstrap(), correction="max-t")
    with pytest.raises(ValueError, match="'max-t'"):
        pairs.fit_predictions(truth, {"a": a, "b": b})


# Rare and degenerate


@quiet
@pytest.mark.parametrize(
    ("a", "b"), [([1.0, 1, 1.1], [0, 0, 0]), ([1.0, 2.0], [0.0, 0.5])]
)
def test_few_rows_show_no_more_than_their_signs(a, b):
    test = PairedBootstrap(random_state=0, n_resamples=999).fit_row_scores(a, b)
    assert test.pvalue_ == 0.5 ** len(a)
    assert any("in which all signs agree" in text for text in test.result_.caveats)


def test_a_share_that_resamples_do_not_separate_from_0_stays_0():
    """Signs of fifty rows would make 1e-15 of it, which 999 resamples do not show."""
    ahead = np.linspace(1.0, 2.0, 50)
    test = PairedBootstrap(add_one=False, random_state=0, n_resamples=999)
    assert test.fit_row_scores(ahead, np.zeros(50)).pvalue_ == 0.0


@quiet
def test_four_positives_show_no_more_than_four_signs():
    """McNemar's exact test on the positives has the same p-value."""
    truth = np.r_[np.ones(4, int), np.zeros(96, int)]
    test = PairedBootstrap(
        scoring="recall", alternative="two-sided", n_resamples=999, random_state=0
    ).fit_predictions(truth, truth, 0 * truth)
    assert test.pvalue_ == 0.125


@quiet
@pytest.mark.parametrize("test", [PairedBootstrap, WildClusterBootstrap])
def test_an_error_that_never_varies_has_an_interval_around_it(test):
    y = np.arange(100.0)
    settings = {"n_resamples": 99, "random_state": 0}
    test = test(scoring="neg_mean_absolute_error", **settings)
    test.fit_predictions(y, y, y + 3, sample_weight=np.ones(100))
    assert test.confidence_interval_ == (0, np.inf)  # only the sign is certain


@quiet
def test_bounds_stay_in_the_range_of_the_metric():
    truth = np.r_[np.ones(3, int), np.zeros(97, int)]
    settings = {"n_resamples": 99, "random_state": 0}
    test = PairedBootstrap(scoring="accuracy", **settings)
    weights = np.linspace(1, 2, 100)
    low, high = test.fit_predictions(truth, truth, truth).confidence_interval_
    weighted = test.fit_predictions(truth, truth, truth, sample_weight=weights)
    assert weighted.confidence_interval_ == pytest.approx((low, high), rel=0.05)
    test = PairedBootstrap(scoring="balanced_accuracy", **settings)
    result = test.fit_predictions(truth, truth, 1 - truth).result_
    assert 0 <= result.score_a_interval.low < result.score_a_interval.high == 1
    assert 0 == result.score_b_interval.low < result.score_b_interval.high <= 1
    assert -1 <= result.confidence_interval.low < result.confidence_interval.high <= 1


def test_a_rare_class_has_a_caveat():
    truth = np.repeat([1, 0], [7, 93])
    a, b = truth.copy(), truth.copy()
    a[5], b[2:5], b[9:12] = 0, 0, 1
    for scoring, has_caveat in (("f1", True), ("accuracy", False)):
        test = PairedBootstrap(scoring=scoring, n_resamples=99, random_state=0)
        caveats = test.fit_predictions(truth, a, b).result_.caveats
        assert (
            any("f1 depends on a class with only 7" in caveat for caveat in caveats)
            == has_caveat
        )


def right_and_wrong(n_only_a, n_only_b, n_rows=100):
    truth = np.zeros(n_rows, dtype=int)
    a, b = truth.copy(), truth.copy()
    b[:n_only_a] = 1
    a[n_only_a : n_only_a + n_only_b] = 1
    return truth, a, b


@pytest.mark.parametrize("interval", ["bca", "studentized"])
def test_few_discordant_rows_fall_back_to_percentile_with_a_caveat(interval):
    test = PairedBootstrap(
        scoring="accuracy", interval=interval, n_resamples=999, random_state=0
    ).fit_predictions(*right_and_wrong(3, 0))
    low, high = test.confidence_interval_
    assert low == 0 < high < 0.1
    assert any(f"'{interval}', which would be" in c for c in test.result_.caveats)
    # Enough of them need no fall back.
    test.fit_predictions(*right_and_wrong(20, 8))
    assert not any("misleads" in c for c in test.result_.caveats)


def test_the_bootstrap_t_falls_back_with_its_interval():
    options = {"scoring": "accuracy", "n_resamples": 499, "random_state": 0}
    data = right_and_wrong(3, 0)
    test = PairedBootstrap(method="studentized", **options).fit_predictions(*data)
    plain = PairedBootstrap(method="percentile", **options).fit_predictions(*data)
    assert test.pvalue_ == plain.pvalue_
    assert any("p-value by 'studentized'" in c for c in test.result_.caveats)


@pytest.mark.parametrize(("alternative", "sides"), [("greater", 1), ("two-sided", 2)])
def test_a_lead_without_spread_has_a_bound_for_a_p_value(alternative, sides):
    test = PairedBootstrap(alternative=alternative, n_resamples=9_999, random_state=0)
    rows = np.arange(5.0)
    with pytest.warns(UserWarning, match="a bound|unreliable") as caught:
        test.fit_row_scores(rows + 1, rows)
    assert any(issubclass(w.category, DegenerateDataWarning) for w in caught)
    assert test.pvalue_ == sides * 0.5**5


@pytest.mark.parametrize("n_rows", [20, 100])
def test_tests_agree_about_identical_models(n_rows):
    truth = np.arange(n_rows) % 2
    predictions = np.where(np.arange(n_rows) < 5, 1 - truth, truth)
    widths = []
    for test in (
        PairedBootstrap(scoring="accuracy", n_resamples=99, random_state=0),
        PairedBootstrap(scoring="accuracy", n_resamples="ideal"),
        PairedTTest(scoring="accuracy"),
        McNemar(),
    ):
        with pytest.warns(UserWarning, match=r"bound|unreliable|few") as caught:
            test.fit_predictions(truth, predictions, predictions)
        assert any("is a bound" in str(w.message) for w in caught)
        assert test.pvalue_ == 1
        widths.append(np.ptp(test.confidence_interval_))
    bound = 2 * (1 - 0.025 ** (1 / n_rows))
    assert widths == pytest.approx([bound] * len(widths))


@pytest.mark.parametrize("scoring", ["accuracy", "f1", "precision", "recall"])
def test_a_perfect_model_has_an_interval_of_some_width(scoring):
    truth = np.arange(60) % 3 == 0
    truth = truth.astype(int)
    flawed = truth.copy()
    flawed[:12] = 1 - flawed[:12]
    test = PairedBootstrap(scoring=scoring, n_resamples=199, random_state=0)
    test.fit_predictions(truth, truth, flawed)
    n = 60 if scoring == "accuracy" else 20
    expected = clopper_pearson_interval(n, n, 0.95)
    assert test.score_a_ == 1
    assert test.score_a_interval_ == pytest.approx(expected)


def test_a_perfect_ranking_has_an_interval_of_some_width():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1], [40, 15])
    a, b = truth + 0.2 * rng.random(55), truth + rng.normal(size=55)
    test = PairedBootstrap(scoring="roc_auc", n_resamples=199, random_state=0)
    low, high = test.fit_predictions(truth, a, b).score_a_interval_
    assert (low, high) == pytest.approx(clopper_pearson_interval(15, 15, 0.95))


def test_all_swaps_of_constant_differences_are_no_smaller_than_equal_signs():
    rows = np.arange(6.0)
    test = ApproxRandomization().fit_row_scores(rows + 1, rows)
    assert test.pvalue_ == 0.5**6


# Turned signs, and what they can show


@quiet
@pytest.mark.parametrize(
    ("scoring", "alternative", "n_differ"),
    in_pairs(
        itertools.product(
            ["accuracy", "recall", "f1", "balanced_accuracy"],
            ["greater", "two-sided"],
            [1, 3, 5],
        )
    ),
)
def test_signs_of_rows_that_do_not_differ_are_no_evidence(
    scoring, alternative, n_differ
):
    """All rows that differ favor A: so do their signs, once in two to their number."""
    truth = np.arange(200) % 2
    b = truth.copy()
    b[2 * np.arange(n_differ) + 1] = 0
    test = WildClusterBootstrap(
        scoring=scoring, alternative=alternative, n_resamples=4_999, random_state=0
    ).fit_predictions(truth, truth, b)
    expected = 0.5**n_differ * (2 if alternative == "two-sided" else 1)
    assert test.pvalue_ == pytest.approx(expected, abs=0.02)
    assert test.confidence_interval_.low <= 1e-9


@quiet
@pytest.mark.parametrize("scoring", ["accuracy", "recall"])
def test_ties_of_turned_signs_count_as_those_of_mcnemar_do(scoring):
    """Signs of right and wrong have the p-value of the exact test, but for chance."""
    rng = np.random.default_rng(1)
    truth = np.arange(120) % 2
    a, b = (np.where(rng.random(120) < r, truth, 1 - truth) for r in (0.84, 0.8))
    rows = truth == 1 if scoring == "recall" else truth >= 0
    exact = McNemar(variant="exact").fit_predictions(truth[rows], a[rows], b[rows])
    test = WildClusterBootstrap(scoring=scoring, n_resamples=4_999, random_state=0)
    assert test.fit_predictions(truth, a, b).pvalue_ == pytest.approx(
        exact.pvalue_, abs=0.02
    )
    assert exact.pvalue_ > 0.1


def test_few_rows_that_differ_are_few_signs():
    truth = np.zeros(200, dtype=int)
    b = np.repeat([1, 0], [3, 197])
    with pytest.warns(SmallSampleWarning, match=r"depends on only 3 rows \(fewer"):
        WildClusterBootstrap(scoring="accuracy", random_state=0).fit_predictions(
            truth, truth, b
        )


@quiet
def test_a_lead_that_never_varies_has_a_bound_in_every_metric():
    truth = np.arange(40) % 2
    for scoring in ("accuracy", "f1", "balanced_accuracy", "matthews_corrcoef"):
        test = WildClusterBootstrap(scoring=scoring, n_resamples=99, random_state=0)
        test.fit_predictions(truth, truth, 1 - truth)
        low, high = test.confidence_interval_
        assert 0 < low < 0.9 * test.delta_
        assert high == pytest.approx(test.delta_)


@quiet
def test_a_score_that_is_defined_by_decree_has_no_terms():
    """Matthews' correlation of a model that predicts one class is 0 by convention."""
    truth = np.arange(40) % 2
    test = WildClusterBootstrap(scoring="matthews_corrcoef", n_resamples=99)
    with pytest.raises(ValueError, match=r"change smoothly .* ApproxRandomization"):
        test.fit_predictions(truth, truth, 0 * truth)


@quiet
def test_the_wild_bootstrap_keeps_its_level_with_uneven_weights(simulations):
    """Lognormal weights: 200 rows with an effective number of about ten."""
    test = WildClusterBootstrap(
        scoring="neg_mean_absolute_error",
        alternative="two-sided",
        n_resamples=99,
        random_state=0,
    )

    def rejected(seed):
        rng = np.random.default_rng(seed)
        weights, errors = rng.lognormal(sigma=2.5, size=200), rng.normal(size=(2, 200))
        test.fit_predictions(np.zeros(200), *errors, sample_weight=weights)
        return test.pvalue_ <= 0.1

    runs = map(rejected, itertools.count())
    assert_level_kept(runs, simulations(None, 1_000), 0.1)
