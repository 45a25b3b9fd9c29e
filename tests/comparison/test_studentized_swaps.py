"""Permutation tests that allow for models that are not exchangeable."""

import itertools

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from skcompare import ApproxRandomization, PairedBootstrap, PairwiseComparison
from skcompare.exceptions import ComparisonWarning
from skcompare.metrics import pearson_scorer
from tests.rates import assert_level_kept

ALTERNATIVES = ["greater", "less", "two-sided"]


def jackknife_t(score, truth, a, b):
    """Return a difference over its standard error, in another way than ours."""
    n = len(truth)
    keep = ~np.eye(n, dtype=bool)
    without = np.array(
        [score(truth[k], a[k]) - score(truth[k], b[k]) for k in keep], dtype=float
    )
    error = np.sqrt((n - 1) / n * np.sum((without - without.mean()) ** 2))
    return (score(truth, a) - score(truth, b)) / error


def labels(seed, n_rows, rates=((0.8, 0.2), (0.7, 0.3)), share=0.4):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n_rows) < share).astype(int)
    pairs = [
        (rng.random(n_rows) < np.where(truth == 1, *pair)).astype(int) for pair in rates
    ]
    return truth, *pairs


def of_precision(recall, precision, share):
    """Return the rates of predicting class 1 in both classes."""
    wrong = share * recall * (1 - precision) / (precision * (1 - share))
    return recall, wrong


@pytest.mark.parametrize(
    ("scoring", "score"),
    [
        ("precision", lambda y, p: np.mean(y[p == 1])),
        ("recall", lambda y, p: np.mean(p[y == 1])),
        ("f1", lambda y, p: 2 * (y @ p) / (y.sum() + p.sum())),
    ],
)
def test_the_statistic_is_the_difference_over_its_standard_error(scoring, score):
    truth, a, b = labels(0, 400)
    test = ApproxRandomization(
        scoring=scoring, statistic="studentized", n_resamples=99, random_state=0
    ).fit_predictions(truth, a, b)
    # The jackknife and the delta method differ by 1 / n or so.
    assert test.statistic_ == pytest.approx(jackknife_t(score, truth, a, b), rel=0.02)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_all_labelings_are_compared_by_their_own_standard_errors(alternative):
    truth, a, b = labels(3, 30)
    rows = np.flatnonzero(a != b)[:8]
    b = np.where(np.isin(np.arange(30), rows), b, a)
    test = ApproxRandomization(
        scoring="precision", statistic="studentized", alternative=alternative
    ).fit_predictions(truth, a, b)
    assert test.result_.n_resamples == 2 ** len(rows)

    def t(first, second):
        def influence(predicted):
            total = predicted.sum()
            precision = np.sum(predicted * truth) / total
            return predicted * (truth - precision) / total, precision

        (of_first, one), (of_second, two) = map(influence, (first, second))
        spread = of_first - of_second
        error = np.sqrt(np.sum((spread - spread.mean()) ** 2))
        return (one - two) / error if error else 0.0

    null = []
    for signs in itertools.product([False, True], repeat=len(rows)):
        swapped = np.isin(np.arange(30), rows[np.array(signs)])
        null.append(t(np.where(swapped, b, a), np.where(swapped, a, b)))
    null, observed = np.array(null), t(a, b)
    turn = {"greater": np.positive, "less": np.negative, "two-sided": np.abs}
    reached = turn[alternative](null) >= turn[alternative](observed) - 1e-8
    assert test.statistic_ == pytest.approx(observed, rel=1e-6)
    assert test.n_exceeding_ == np.count_nonzero(reached)
    assert test.pvalue_ == pytest.approx(np.mean(reached))


def test_of_a_mean_both_statistics_order_labelings_alike():
    rng = np.random.default_rng(1)
    truth, a, b = rng.normal(size=(3, 12))
    pvalues = [
        ApproxRandomization(
            scoring="neg_mean_absolute_error", statistic=statistic, alternative=side
        )
        .fit_predictions(truth, a, b)
        .pvalue_
        for side in ALTERNATIVES
        for statistic in ("difference", "studentized")
    ]
    assert pvalues[::2] == pytest.approx(pvalues[1::2])


@pytest.mark.parametrize(
    ("scoring", "statistic"),
    [
        ("precision", "studentized"),
        ("balanced_accuracy", "studentized"),
        ("matthews_corrcoef", "studentized"),
        ("f1", "difference"),
        ("recall", "difference"),
        ("accuracy", "difference"),
        ("r2", "difference"),
    ],
)
def test_which_statistic_is_the_default(scoring, statistic):
    truth, a, b = labels(0, 200)
    tests = [
        ApproxRandomization(
            scoring=scoring, statistic=one, n_resamples=199, random_state=0
        ).fit_predictions(truth, a, b)
        for one in ("auto", statistic)
    ]
    assert tests[0].pvalue_ == tests[1].pvalue_
    assert (tests[0].statistic_ is not None) == (statistic == "studentized")


def test_metrics_of_one_test_may_differ_in_their_statistic():
    truth, a, b = labels(0, 200)
    test = ApproxRandomization(
        scoring=["precision", "accuracy", "roc_auc"], n_resamples=199, random_state=0
    )
    models = ({"predict": x, "predict_proba": 0.5 + 0.1 * x} for x in (a, b))
    results = test.fit_predictions(truth, *models).results_
    of = {metric: result.statistic for metric, result in results.items()}
    assert of["precision"] is not None
    assert of["accuracy"] is of["roc_auc"] is None


def test_groups_are_swapped_and_studentized_as_a_whole():
    truth, a, b = labels(0, 120)
    copies = [np.repeat(x, 3) for x in (truth, a, b)]
    options = {"scoring": "precision", "n_resamples": 199, "random_state": 0}
    alone = ApproxRandomization(**options).fit_predictions(truth, a, b)
    grouped = ApproxRandomization(**options)
    grouped.fit_predictions(*copies, groups=np.repeat(np.arange(120), 3))
    assert grouped.statistic_ == pytest.approx(alone.statistic_, rel=1e-6)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_each_labeling_is_studentized_within_strata(alternative):
    """Of two strata, one has the larger differences: their means differ."""
    n, rng = 24, np.random.default_rng(1)
    strata, differences = np.arange(n) % 3 // 2, np.zeros(n)
    differences[:10] = np.where(strata[:10], 1.0, -0.2) + rng.normal(scale=0.8, size=10)
    worse = np.full(n, 10.0)
    test = ApproxRandomization(
        scoring="neg_mean_absolute_error",
        statistic="studentized",
        alternative=alternative,
    ).fit_predictions(np.zeros(n), worse - differences, worse, strata=strata)
    assert test.result_.n_resamples == 2**10
    signs = np.ones((2**10, n))
    signs[:, :10] = list(itertools.product([1, -1], repeat=10))

    def t_within(groups):
        drawn = signs * differences
        squares = [
            np.sum((part - part.mean(axis=1, keepdims=True)) ** 2, axis=1)
            for part in (drawn[:, groups == one] for one in np.unique(groups))
        ]
        return drawn.sum(axis=1) / np.sqrt(np.sum(squares, axis=0))

    def share(t):
        extreme = {"greater": t, "less": -t, "two-sided": np.abs(t)}[alternative]
        return np.mean(extreme >= extreme[0] - 1e-6)

    within = t_within(strata)
    assert test.statistic_ == pytest.approx(within[0], rel=1e-4)
    assert test.pvalue_ == share(within)
    assert test.pvalue_ != share(t_within(np.zeros(n)))  # and strata matter here


def test_ties_of_studentized_labelings_count_in_spite_of_rounding():
    """Rows of three sizes: many labelings differ by which of equal rows they swap."""
    sizes = np.repeat([0.1, 0.3, 0.7], 4)
    differences = sizes * np.array([1, 1, 1, -1] * 3)
    worse = np.full(12, 1.3)
    test = ApproxRandomization(
        scoring="neg_mean_absolute_error", statistic="studentized"
    ).fit_predictions(np.zeros(12), worse - differences, worse)
    # Without strata, means and studentized means order labelings alike.
    signs = np.array(list(itertools.product([1, -1], repeat=12)))
    sums = np.rint(10 * (signs * sizes).sum(axis=1))
    observed = np.rint(10 * differences.sum())
    assert np.mean(sums == observed) > 0.01
    assert test.result_.n_resamples == 2**12
    assert test.pvalue_ == np.mean(sums >= observed)


@pytest.mark.parametrize(("gap", "n_exceeding"), [(1e-7, 1), (1e-12, 2)])
def test_studentized_labelings_that_are_1e_8_apart_are_no_ties(gap, n_exceeding):
    """Exchanging the last row takes a small part of the statistic away, or nothing."""
    differences = np.array([0.5, 0.3, 0.4, 0.2, gap])
    worse = np.full(5, 1.3)
    test = ApproxRandomization(
        scoring="neg_mean_absolute_error", statistic="studentized"
    ).fit_predictions(np.zeros(5), worse - differences, worse)
    assert test.result_.n_resamples == 2**5
    assert test.pvalue_ == n_exceeding / 2**5


def test_a_metric_that_does_not_add_up_has_no_studentized_statistic():
    truth, a, b = labels(0, 60)
    test = ApproxRandomization(scoring="roc_auc", statistic="studentized")
    with pytest.raises(ValueError, match="all metrics to add up over rows"):
        test.fit_predictions(truth, 0.5 + 0.1 * a, 0.5 + 0.1 * b)


def test_unequal_rates_have_a_caveat_unless_studentized():
    truth, a, b = labels(0, 300, rates=((0.2, 0.0), (1.0, 0.44)), share=0.1)
    options = {"scoring": "f1", "n_resamples": 199, "random_state": 0}
    with pytest.warns(ComparisonWarning, match="statistic='studentized'"):
        test = ApproxRandomization(**options).fit_predictions(truth, a, b)
    assert any("not exchangeable" in caveat for caveat in test.result_.caveats)
    test = ApproxRandomization(statistic="studentized", **options)
    assert test.fit_predictions(truth, a, b).result_.caveats == ()


def test_identical_models_have_p_one():
    truth, a, _ = labels(0, 60)
    test = ApproxRandomization(scoring="precision")
    with pytest.warns(UserWarning, match="predict the same"):
        test.fit_predictions(truth, a, a)
    assert test.pvalue_ == 1
    assert test.statistic_ == 0


@pytest.mark.parametrize("scoring", ["roc_auc", "average_precision"])
def test_ranks_are_swapped_whatever_the_scale(scoring):
    rng = np.random.default_rng(0)
    truth = (rng.random(150) < 0.4).astype(int)
    a, b = truth + rng.normal(size=(2, 150))
    options = {"scoring": scoring, "n_resamples": 199, "random_state": 0}
    pvalues = [
        ApproxRandomization(**options).fit_predictions(truth, a, other).pvalue_
        for other in (b, 1e-3 * b + 5, np.exp(3 * b))
    ]
    assert len(set(pvalues)) == 1
    raw = ApproxRandomization(swap="scores", **options)
    assert raw.fit_predictions(truth, a, 1e-3 * b + 5).pvalue_ not in pvalues


def auc(truth, scores):
    pairs = scores[truth == 1][:, np.newaxis] - scores[truth == 0]
    return np.mean((pairs > 0) + 0.5 * (pairs == 0))


def test_swapped_ranks_against_enumeration():
    rng = np.random.default_rng(5)
    truth = np.array([0, 1, 0, 1, 1, 0, 1, 0])
    a, b = truth + rng.normal(size=(2, 8))
    test = ApproxRandomization(scoring="roc_auc").fit_predictions(truth, a, 100 * b)
    ranks = [np.argsort(np.argsort(x)) + 1 for x in (a, b)]
    null = []
    for signs in itertools.product([False, True], repeat=8):
        pair = np.where(signs, ranks[::-1], ranks)
        null.append(auc(truth, pair[0]) - auc(truth, pair[1]))
    observed = roc_auc_score(truth, a) - roc_auc_score(truth, b)
    assert test.delta_ == pytest.approx(observed)
    assert test.pvalue_ == pytest.approx(np.mean(np.array(null) >= observed - 1e-12))


def test_ranks_of_several_classes_and_of_folds_can_be_swapped():
    rng = np.random.default_rng(0)
    truth = np.tile([0, 1, 2], 40)
    scores = rng.normal(size=(2, 120, 3)) + 1.5 * np.eye(3)[truth]
    scores = np.exp(scores) / np.exp(scores).sum(axis=2, keepdims=True)
    test = ApproxRandomization(
        scoring=["roc_auc_ovr", "neg_log_loss"], n_resamples=199, random_state=0
    ).fit_predictions(truth, *scores)
    assert test.results_["roc_auc_ovr"].n_undefined == 0
    binary = (truth > 0).astype(int)
    fold = np.repeat([0, 1, 2], 40)
    test = ApproxRandomization(scoring="roc_auc", n_resamples=199, random_state=0)
    first, second = scores[:, :, 1] + 0.5 * binary
    once = test.fit_predictions(binary, first, second, fold=fold).pvalue_
    again = test.fit_predictions(binary, first, 9 * second, fold=fold).pvalue_
    assert once == again


def test_an_opaque_metric_beside_one_of_several_classes_is_no_obstacle():
    rng = np.random.default_rng(0)
    truth = np.tile([0, 1, 2], 20)
    scores = rng.dirichlet(np.ones(3), size=(2, 60))

    def opaque(model, X, y):
        return float(np.mean(model.predict_proba(X)[:, 0]))

    test = ApproxRandomization(
        scoring={"auc": "roc_auc_ovr", "own": opaque}, n_resamples=19, random_state=0
    ).fit_predictions(truth, *({"predict_proba": s} for s in scores))
    assert test.results_["auc"].n_undefined == 0


def test_standardized_values_are_swapped_for_a_correlation():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=100)
    a, b = truth + rng.normal(size=(2, 100))
    test = ApproxRandomization(
        scoring=pearson_scorer(), n_resamples=199, random_state=0
    )
    once = test.fit_predictions(truth, a, b)
    pvalue, delta = once.pvalue_, once.delta_
    again = test.fit_predictions(truth, a, 50 * b + 3)
    assert again.delta_ == pytest.approx(delta)
    assert again.pvalue_ == pvalue


def test_extended_swaps_are_those_of_one_run():
    truth, a, b = labels(0, 200)
    options = {"scoring": ["precision", "f1"], "random_state": 0}
    more = ApproxRandomization(n_resamples=199, **options).fit_predictions(truth, a, b)
    more.extend(200)
    once = ApproxRandomization(n_resamples=399, **options).fit_predictions(truth, a, b)
    for metric, result in once.results_.items():
        assert more.results_[metric].pvalue == result.pvalue


def test_a_certain_decision_stops_early():
    truth, a, b = labels(0, 400, rates=((0.9, 0.05), (0.5, 0.5)))
    test = ApproxRandomization(
        scoring="precision", n_resamples="auto", random_state=0
    ).fit_predictions(truth, a, b)
    assert test.result_.n_resamples < 9_999
    assert test.pvalue_ < 0.01


def rejections(scoring, draw, *, alpha=0.1, **params):
    """Yield two-sided decisions."""
    rng = np.random.default_rng(0)
    test = ApproxRandomization(
        scoring=scoring,
        alternative="two-sided",
        method="monte-carlo",
        n_resamples=39,
        **params,
    )
    for seed in itertools.count():
        test.set_params(random_state=seed).fit_predictions(*draw(rng))
        yield test.pvalue_ <= alpha


def equal_precision(rng):
    rates = [of_precision(recall, 0.5, 0.3) for recall in (0.9, 0.1)]
    return labels(rng, 600, rates, share=0.3)


def equal_f1(rng):
    rates = [of_precision(*pair, 0.1) for pair in ((0.2, 1.0), (1.0, 0.2))]
    return labels(rng, 600, rates, share=0.1)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    ("scoring", "draw"), [("precision", equal_precision), ("f1", equal_f1)]
)
def test_models_of_equal_scores_are_rejected_at_the_level(scoring, draw, simulations):
    """By the statistic that is studentized; a point more is granted on 600 rows."""
    studentized = rejections(scoring, draw, statistic="studentized")
    assert_level_kept(studentized, simulations(None, 2_000), 0.1, slack=0.01)


@pytest.mark.usefixtures("quiet")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("scoring", "draw"), [("precision", equal_precision), ("f1", equal_f1)]
)
def test_plain_swaps_of_them_are_not(scoring, draw):
    """The simulation detects a wrong level."""
    plain = rejections(scoring, draw, statistic="difference")
    with pytest.raises(AssertionError, match="above"):
        assert_level_kept(plain, 1_000, 0.1, slack=0.01)


def unlike_scales(rng, spread=0.1):
    truth = (rng.random(250) < 0.5).astype(int)
    a = truth + 0.7 * rng.normal(size=250)
    b = truth + 1.6 * rng.normal(size=250)
    return truth, a, spread * b + 2


@pytest.mark.usefixtures("quiet")
def test_models_on_unlike_scales_are_compared_with_power():
    n_simulations = 40
    options = {"scoring": "roc_auc", "draw": unlike_scales, "alpha": 0.05}
    ranks, raw = (
        sum(itertools.islice(rejections(swap=swap, **options), n_simulations))
        for swap in ("auto", "scores")
    )
    assert ranks > 0.8 * n_simulations
    assert raw < ranks - 0.1 * n_simulations


def rejected_families(statistic):
    """Yield whether some of three models of equal precision differ significantly."""
    rng = np.random.default_rng(1)
    test = ApproxRandomization(
        statistic=statistic,
        method="monte-carlo",
        n_resamples=39,
        alternative="two-sided",
    )
    pairs = PairwiseComparison(test=test, scoring="precision", correction="max-t")
    rates = [of_precision(recall, 0.5, 0.3) for recall in (0.9, 0.1, 0.1)]
    for seed in itertools.count():
        truth, *models = labels(rng, 400, rates, share=0.3)
        pairs.set_params(random_state=seed)
        pairs.fit_predictions(truth, dict(zip("abc", models, strict=True)))
        yield (pairs.result_.pvalues_adjusted <= 0.1).any()


@pytest.mark.usefixtures("quiet")
def test_many_models_of_equal_precision_are_rejected_at_the_level_together(
    simulations,
):
    assert_level_kept(rejected_families("auto"), simulations(None, 1_000), 0.1)


@pytest.mark.usefixtures("quiet")
@pytest.mark.slow
def test_many_models_of_equal_precision_and_plain_swaps():
    with pytest.raises(AssertionError, match="above"):
        assert_level_kept(rejected_families("difference"), 500, 0.1)


def test_permutation_and_bootstrap_agree_where_probabilities_are_spread_unequally():
    rng = np.random.default_rng(2)
    truth, a, b = unlike_scales(rng)
    options = {"scoring": "roc_auc", "n_resamples": 999, "random_state": 0}
    swapped = ApproxRandomization(**options).fit_predictions(truth, a, b)
    redrawn = PairedBootstrap(method="percentile", **options).fit_predictions(
        truth, a, b
    )
    assert swapped.pvalue_ < 0.05
    assert redrawn.pvalue_ < 0.05
