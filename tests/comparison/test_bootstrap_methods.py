"""How the bootstrap's p-value is computed: shift, percentile, studentized."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from skcompare import PairedBootstrap, PairwiseComparison
from skcompare.results import DeltaDisplay

RNG = np.random.default_rng(7)
TRUTH = RNG.integers(2, size=150)
A = np.where(RNG.random(150) < 0.84, TRUTH, 1 - TRUTH)
B = np.where(RNG.random(150) < 0.76, TRUTH, 1 - TRUTH)


def fitted(**params):
    params = {"scoring": "accuracy", "n_resamples": 1_999, "random_state": 0} | params
    return PairedBootstrap(**params).fit_predictions(TRUTH, A, B)


def test_a_studentized_pvalue_counts_the_statistics_that_the_result_keeps():
    test = fitted(method="studentized")
    result = test.result_
    null = result.statistic_distribution
    assert len(null) == result.n_resamples
    assert np.count_nonzero(null >= result.statistic) == result.n_exceeding
    assert np.sign(result.statistic) == np.sign(result.delta)
    for method in ("shift", "percentile"):
        plain = fitted(method=method).result_
        assert plain.statistic is plain.statistic_distribution is None


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_percentile_counts_differences_on_the_other_side_of_zero(alternative):
    test = fitted(method="percentile", alternative=alternative)
    deltas, sign = test.distribution_, 1 if alternative == "greater" else -1
    expected = np.count_nonzero(sign * deltas <= 1e-12)
    assert test.n_exceeding_ == expected
    assert test.pvalue_ == (expected + 1) / 2_000


def test_two_sided_percentile_is_twice_the_smaller_tail():
    test = fitted(method="percentile", alternative="two-sided")
    tail = np.count_nonzero(test.distribution_ <= 1e-12)
    assert test.pvalue_ == min(1, 2 * (tail + 1) / 2_000)
    swapped = PairedBootstrap(
        scoring="accuracy",
        n_resamples=1_999,
        random_state=0,
        method="percentile",
        alternative="two-sided",
    ).fit_predictions(TRUTH, B, A)
    assert swapped.pvalue_ == test.pvalue_


@pytest.mark.parametrize(
    ("method", "interval"),
    [("shift", "symmetric"), ("percentile", "percentile")],
)
@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.99])
def test_the_interval_that_belongs_to_a_method_agrees_with_its_p_value(
    method, interval, level
):
    test = fitted(
        method=method,
        interval=interval,
        confidence_level=level,
        alternative="two-sided",
        add_one=False,
    )
    low, high = test.confidence_interval_
    rejected = test.pvalue_ < 1 - level
    # On a lattice of differences both may sit on the same step.
    on_the_edge = (
        min(abs(low), abs(high)) < 1e-9 or abs(test.pvalue_ - 1 + level) < 0.02
    )
    assert on_the_edge or rejected == (low > 0 or high < 0)


def test_symmetric_reaches_as_far_to_both_sides():
    test = fitted(interval="symmetric")
    low, high = test.confidence_interval_
    assert high - test.delta_ == pytest.approx(test.delta_ - low)
    reach = np.sort(np.abs(test.distribution_ - test.delta_))[1_899]  # 1,900 of 2,000
    assert high - test.delta_ == pytest.approx(reach)


def test_studentized_is_close_to_t_for_a_mean_of_many_rows():
    truth = RNG.normal(size=400)
    a, b = truth + RNG.normal(size=400), truth + 1.1 * RNG.normal(size=400)
    test = PairedBootstrap(
        scoring="neg_mean_absolute_error",
        method="studentized",
        n_resamples=9_999,
        random_state=0,
    ).fit_predictions(truth, a, b)
    differences = np.abs(truth - b) - np.abs(truth - a)
    expected = stats.ttest_1samp(differences, 0, alternative="greater").pvalue
    error = np.sqrt(expected * (1 - expected) / 9_999)
    assert test.pvalue_ == pytest.approx(expected, abs=5 * error + 0.004)


@pytest.mark.parametrize("method", ["percentile", "studentized"])
def test_two_sided_is_twice_the_smaller_one_sided(method):
    one_sided = [
        fitted(method=method, alternative=side).pvalue_ for side in ("greater", "less")
    ]
    two_sided = fitted(method=method, alternative="two-sided").pvalue_
    assert two_sided == pytest.approx(min(1, 2 * min(one_sided)))


def test_studentized_cannot_stop_early():
    test = PairedBootstrap(method="studentized", n_resamples="auto")
    with pytest.raises(ValueError, match="`n_resamples` must be an int for `method="):
        test.fit_predictions(TRUTH, A, B)


@pytest.mark.parametrize("method", ["percentile", "studentized"])
def test_the_other_side_is_not_computed_by_another_rule(method):
    """Only the p-value of the shift can be read off the distribution."""
    ahead = fitted(method=method, alternative="two-sided").delta_ > 0
    wrong_side = "less" if ahead else "greater"
    words = fitted(method=method, alternative=wrong_side).result_.sentence()
    assert "would give p" not in words


@pytest.mark.parametrize(
    ("method", "words", "n_regions"),
    [("percentile", "0 or less", 1), ("studentized", "studentized differences", 0)],
)
def test_plots_mark_the_differences_that_the_p_value_counts(method, words, n_regions):
    pytest.importorskip("matplotlib")
    result = fitted(method=method).result_
    display = DeltaDisplay.from_result(result)
    assert display.exceeding.sum() == result.n_exceeding > 0
    assert len(display.regions_) == n_regions
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    label = " ".join(labels[1].split())
    assert label.startswith("resamples counted by the p-value")
    assert words in label
    assert label.endswith(f"p = {result.pvalue:.4f}")


@pytest.mark.parametrize(
    ("method", "correction"), [("percentile", "max-t"), ("studentized", "holm")]
)
def test_many_models_can_be_compared_by_every_method(method, correction):
    test = PairedBootstrap(
        scoring="accuracy", n_resamples=199, random_state=0, method=method
    )
    models = {"a": A, "b": B, "c": 1 - B}
    many = PairwiseComparison(test=test, correction=correction)
    many.fit_predictions(TRUTH, models)
    raw = [result.pvalue for result in many.result_.results]
    assert (many.result_.pvalues_adjusted >= np.array(raw)).all()


def test_a_lead_that_is_rounding_favors_no_model():
    result = fitted().result_
    rounding = dataclasses.replace(
        result, score_a=0.3, score_b=0.1 + 0.2 - 1e-16, delta=5e-17, pvalue=0.01
    )
    assert not rounding.favors_a


def test_models_that_predict_alike_have_p_one_by_every_method():
    for method in ("shift", "percentile", "studentized"):
        test = PairedBootstrap(method=method, n_resamples=99, random_state=0)
        with pytest.warns(UserWarning, match="predict the same"):
            assert test.fit_predictions(TRUTH, A, A).pvalue_ == 1


def test_percentile_finds_r2_on_few_rows_where_the_shift_does_not():
    """Both from the same resamples, of 30 rows with a real difference."""
    rejected = {"shift": 0, "percentile": 0}
    rng = np.random.default_rng(3)
    for _ in range(40):
        truth = rng.normal(size=30)
        a, b = truth + 0.8 * rng.normal(size=30), truth + 1.2 * rng.normal(size=30)
        for method in rejected:
            test = PairedBootstrap(
                scoring="r2", method=method, n_resamples=199, random_state=0
            )
            rejected[method] += test.fit_predictions(truth, a, b).pvalue_ <= 0.05
    assert rejected["percentile"] > rejected["shift"] + 8


def test_a_method_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="`method` must be one of 'auto'"):
        fitted(method="bca")
    with pytest.raises(ValueError, match="`method` must be one of 'auto', 'shift'"):
        fitted(method="percentile", n_resamples="ideal")
    for studentized in ({"method": "studentized"}, {"interval": "studentized"}):
        with pytest.raises(ValueError, match="not divide them by standard errors"):
            fitted(**studentized, n_resamples="ideal")


@pytest.mark.parametrize("n_resamples", [1_999, "ideal"])
def test_bca_needs_ten_rows_that_differ(n_resamples):
    few = np.where(np.arange(150) < 3, 1 - TRUTH, TRUTH)
    enough = np.where(np.arange(150) < 15, 1 - TRUTH, TRUTH)
    for other, falls_back in ((few, True), (enough, False)):
        results = {}
        for interval in ("bca", "percentile"):
            test = PairedBootstrap(
                scoring="accuracy",
                n_resamples=n_resamples,
                interval=interval,
                random_state=0,
            )
            results[interval] = test.fit_predictions(TRUTH, TRUTH, other).result_
        bca, percentile = results["bca"], results["percentile"]
        has_caveat = any("interval by 'bca'" in caveat for caveat in bca.caveats)
        assert has_caveat == falls_back
        same = bca.confidence_interval == percentile.confidence_interval
        assert same == falls_back


@pytest.mark.usefixtures("quiet")
def test_rows_without_weight_are_no_signs():
    """A is right and B wrong on all of 20 rows, five of which have a weight."""
    y, weights = np.zeros(20, dtype=int), np.repeat([1.0, 0.0], [5, 15])
    test = PairedBootstrap(scoring="accuracy", n_resamples=999, random_state=0)
    test.fit_predictions(y, y, 1 - y, sample_weight=weights)
    assert test.pvalue_ == 0.5**5


def skewed(**params):
    """Return the result of a bootstrap of differences with a long tail."""
    d = np.random.default_rng(1).gamma(0.3, size=40) - 0.15
    options = {"alternative": "two-sided", "method": "percentile", "random_state": 0}
    test = PairedBootstrap(**{**options, "n_resamples": 999, **params})
    return test.fit_row_scores(d, np.zeros(40)).result_


def test_an_interval_by_name_that_disagrees_with_the_p_value_has_a_caveat():
    result = skewed(interval="basic")
    assert result.pvalue < 0.05
    assert result.confidence_interval.low < 0 < result.confidence_interval.high
    caveats = [c for c in result.caveats if "does not agree with the p-value" in c]
    assert len(caveats) == 1
    assert "basic" in caveats[0]
    assert "'percentile'" in caveats[0]
    assert not any("agree" in c for c in skewed().caveats)


def test_a_p_value_next_to_the_level_of_the_interval_has_a_caveat():
    """An interval excludes 0 at a level that its p-value only just misses."""
    pvalue = skewed(n_resamples=299).pvalue
    result = skewed(n_resamples=299, confidence_level=1 - pvalue + 1e-9)
    assert result.confidence_interval.low > 0
    assert any("close to 0.0133 that" in caveat for caveat in result.caveats)
    assert not any("close to" in caveat for caveat in skewed(n_resamples=299).caveats)


@pytest.mark.parametrize("n_resamples", [1, 5, 19, 38, 39])
def test_few_resamples_exclude_nothing(n_resamples):
    """The smallest two-sided p-value of 38 resamples is above 0.05."""
    result = skewed(n_resamples=n_resamples)
    excludes = np.isfinite([*result.confidence_interval, *result.score_a_interval])
    assert excludes.all() == (n_resamples >= 39) == excludes.any()
    assert (result.pvalue > 0.05) or n_resamples >= 39
    assert not any("close to" in caveat for caveat in result.caveats)


@pytest.mark.parametrize("add_one", [True, False])
def test_the_other_rule_that_is_quoted_counts_as_this_one_does(add_one):
    options = {"n_resamples": 199, "add_one": add_one, "alpha": 0.03}
    other = skewed(method="shift", **options).pvalue
    caveats = [c for c in skewed(**options).caveats if "opposite decision" in c]
    assert len(caveats) == 1
    assert f"`method='shift'` would give p = {other:.4f}," in caveats[0]


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("n_differing", [9, 10])
def test_a_studentized_p_value_of_few_rows_falls_back_with_a_caveat(n_differing):
    y = np.zeros(60, dtype=int)
    b = np.where(np.arange(60) < n_differing, 1, 0)
    test = PairedBootstrap(
        scoring="accuracy", method="studentized", n_resamples=199, random_state=0
    )
    result = test.fit_predictions(y, y, b).result_
    has_caveat = any("p-value by 'studentized'" in caveat for caveat in result.caveats)
    assert has_caveat == (n_differing < 10) == (result.method == "percentile")


@pytest.mark.usefixtures("quiet")
def test_no_interval_excludes_0_where_more_resamples_than_its_tail_lack_a_value():
    """Three rows of a class are missing from one resample in twenty or so."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [37, 3])
    a, b = y + 0.1 * rng.random(40), rng.random(40)
    b[-3:] = 0.2
    test = PairedBootstrap(scoring="roc_auc", n_resamples=999, random_state=0)
    free = test.fit_predictions(y, a, b).result_
    assert 0.025 < free.n_undefined / 999 < 0.1
    assert free.confidence_interval.low == 0
    assert any("0 cannot be excluded" in caveat for caveat in free.caveats)
    assert test.fit_predictions(y, a, b, strata=y).confidence_interval_.low > 0


N_GROUPS = 6


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("groups", [None, np.arange(60) % N_GROUPS], ids=["rows", "6"])
@pytest.mark.parametrize(
    ("scoring", "n_trials", "n_effective"), [("precision", 8, 5), ("recall", 12, 6)]
)
def test_scores_without_errors_rest_on_the_rows_of_their_class(
    scoring, n_trials, n_effective, groups
):
    """A is right on 8 of 8 rows that it calls positive, or on 12 of 12 that are.

    Two rows of two of the groups and one of the others have an effective number of 5.
    """
    rows = np.arange(60)
    y = (rows < 12).astype(int)
    a = (rows < (8 if scoring == "precision" else 30)).astype(int)
    b = ((rows >= 12) & (rows < 40)).astype(int)  # never right
    test = PairedBootstrap(scoring=scoring, n_resamples=99, random_state=0)
    result = test.fit_predictions(y, a, b, groups=groups).result_
    n = n_trials if groups is None else n_effective
    share = 0.025 ** (1 / n)
    assert result.delta == 1
    assert result.score_a_interval == pytest.approx((share, 1.0))
    # That of the difference is limited by the fewer rows of the two models.
    assert result.confidence_interval == pytest.approx((2 * share - 1, 1.0))


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_a_rare_class_matters_where_classes_count_alike(average):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [50, 47, 3])
    a, b = (np.where(rng.random(100) < p, y, rng.permutation(y)) for p in (0.9, 0.6))
    test = PairedBootstrap(scoring=f"f1_{average}", n_resamples=99, random_state=0)
    caveats = test.fit_predictions(y, a, b).result_.caveats
    has_caveat = any("depends on a class with only" in caveat for caveat in caveats)
    assert has_caveat == (average == "macro")
