"""Verdicts are right: a model with the lower score is never called better."""

import re
import warnings

import numpy as np
import pytest
from scipy import stats

from skcompare import (
    DeLong,
    McNemar,
    PairedTTest,
    PairwiseComparison,
    SignTest,
    WilcoxonSignedRank,
)
from skcompare.cli import main
from skcompare.exceptions import ComparisonWarning, DegenerateDataWarning
from skcompare.stats.location import hodges_lehmann, sign_median_interval
from skcompare.stats.paired import mcnemar_interval

BY_SIGN = [SignTest, WilcoxonSignedRank]
ALTERNATIVES = ["greater", "less", "two-sided"]


def heavy_tails(seed, n_rows=300, excess=1.02):
    """A is closer than B on most rows, and has a larger mean squared error.

    Errors of A are those of Student's t, scaled to a mean square just above B's.
    """
    rng = np.random.default_rng(seed)
    errors_a = stats.t.rvs(3, size=n_rows, random_state=rng)
    errors_b = rng.normal(size=n_rows)
    ratio = np.mean(errors_b**2) / np.mean(errors_a**2)
    return np.zeros(n_rows), errors_a * np.sqrt(excess * ratio), errors_b


def quietly(test, *predictions):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        return test.fit_predictions(*predictions).result_


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("kind", BY_SIGN)
def test_the_model_with_the_lower_score_is_never_called_better(kind, alternative):
    test = kind(scoring="neg_mean_squared_error", alternative=alternative)
    n_rejected = 0
    for seed in range(20):
        y, a, b = heavy_tails(seed)
        for pair, lower in (((a, b), "A"), ((b, a), "B")):
            result = quietly(test, y, *pair)
            assert (result.delta < 0) == (lower == "A")
            better = re.search(rf"{lower} is (significantly )?better", str(result))
            assert better is None
            assert not (result.favors_a and lower == "A")
            n_rejected += result.significant
    assert n_rejected > 10  # the scenario is one in which these tests do reject


@pytest.mark.parametrize("kind", BY_SIGN)
def test_opposite_signs_of_location_and_score_have_a_caveat(kind):
    y, a, b = heavy_tails(0, n_rows=2_000)
    test = kind(scoring="neg_mean_squared_error")
    with pytest.warns(ComparisonWarning, match="model with the lower score"):
        result = test.fit_predictions(y, a, b).result_
    assert result.significant
    assert result.location > 0 > result.delta
    assert result.direction == 1
    (caveat,) = result.caveats
    assert "in favor of A (+" in caveat
    assert "in favor of B (A - B: -" in caveat
    assert "neither model is shown to be better" in result.sentence()
    # The other way round, B is ahead by ranks alone, and nothing is rejected.
    swapped = test.fit_predictions(y, b, a).result_
    assert "in favor of B (-" in swapped.caveats[0]
    assert "row differences is not significantly above 0" in swapped.verdict()


@pytest.mark.parametrize("kind", BY_SIGN)
def test_evidence_for_b_does_not_choose_a_for_its_score(kind):
    y, a, b = heavy_tails(0, n_rows=2_000)
    test = kind(scoring="neg_mean_squared_error", alternative="two-sided")
    result = quietly(test, y, b, a)
    assert result.significant
    assert result.delta > 0 > result.direction
    assert not result.favors_a


@pytest.mark.parametrize("kind", BY_SIGN)
def test_evidence_for_the_baseline_lets_no_model_beat_it(kind):
    y, tails, normal = heavy_tails(0, n_rows=2_000)
    test = kind(scoring="neg_mean_squared_error", alternative="two-sided")
    pairs = PairwiseComparison(test=test, baseline="tails")
    with pytest.warns(ComparisonWarning, match="model with the lower score"):
        pairs.fit_predictions(y, {"tails": tails, "normal": normal})
    (delta,), (significant,) = pairs.result_.deltas, pairs.result_.significant
    assert delta > 0
    assert significant
    assert pairs.result_.beating_baseline == ()


@pytest.mark.parametrize("kind", BY_SIGN)
def test_pairs_are_not_called_different_in_score_by_signs_that_point_elsewhere(kind):
    y, tails, normal = heavy_tails(0, n_rows=2_000)
    test = kind(scoring="neg_mean_squared_error", alternative="two-sided")
    pairs = PairwiseComparison(test=test)
    with pytest.warns(ComparisonWarning, match="model with the lower score"):
        pairs.fit_predictions(y, {"tails": tails, "normal": normal})
    assert pairs.result_.significant.all()
    assert pairs.result_.decisions == ("n.s.",)
    assert pairs.champion_set_ == ("normal", "tails")
    # Where signs and scores agree, they are.
    pairs.fit_predictions(y, {"worse": 2 * normal, "normal": normal})
    assert pairs.result_.decisions == ("<<",)


@pytest.mark.parametrize("test", ["sign", "wilcoxon"])
def test_the_gate_lets_no_model_pass_whose_score_is_lower(test, tmp_path, capsys):
    y, tails, normal = heavy_tails(0, n_rows=500)
    columns = np.column_stack([y, tails, normal])
    path = tmp_path / "predictions.csv"
    header = "y,a,b"
    np.savetxt(path, columns, delimiter=",", header=header, comments="")
    names = ["--truth", "y", "--a", "a", "--b", "b"]
    options = ["--scoring", "neg_mean_squared_error", "--test", test]
    with warnings.catch_warnings(action="ignore"):
        code = main(["gate", str(path), *names, *options])
    out = " ".join(capsys.readouterr().out.split())
    assert "NOT PASSED" in out
    assert "for its mean" in out
    assert code == 1


@pytest.mark.parametrize("kind", BY_SIGN)
def test_the_sentence_gives_the_location_as_the_estimate(kind):
    result = quietly(kind(scoring="neg_mean_absolute_error"), *rows_with_ties(0))
    words = result.sentence()
    assert "median of row differences" in words
    assert f" of {result.location:+.4f}" in words
    assert "95 % interval" in words


def test_equal_signs_have_no_caveat():
    rng = np.random.default_rng(0)
    y = rng.normal(size=60)
    a, b = y + 0.1 * rng.normal(size=60), y + rng.normal(size=60)
    for kind in BY_SIGN:
        result = kind(scoring="neg_mean_squared_error").fit_predictions(y, a, b).result_
        assert result.caveats == ()
        assert result.favors_a
        assert (
            "significantly above 0 at the level 0.05, in favor of A" in result.verdict()
        )
        assert "So is the mean" in result.verdict()


def rows_with_ties(seed, n_rows=40):
    rng = np.random.default_rng(seed)
    differences = np.where(rng.random(n_rows) < 0.3, 0.0, rng.normal(0.3, 1, n_rows))
    b = 10 + rng.random(n_rows)
    return np.zeros(n_rows), b - differences, b


def test_locations_are_those_of_the_ranked_differences():
    y, a, b = rows_with_ties(0)
    differences = b - a
    differing = differences[differences != 0]
    scoring = {"scoring": "neg_mean_absolute_error"}
    sign = SignTest(**scoring, alpha=0.1).fit_predictions(y, a, b)
    assert sign.location_ == pytest.approx(np.median(differing))
    expected = sign_median_interval(differing, 0.9).interval
    assert sign.location_interval_ == pytest.approx(expected)
    for zero_method, kept in (("wilcox", differing), ("pratt", differences)):
        test = WilcoxonSignedRank(**scoring, zero_method=zero_method)
        test.fit_predictions(y, a, b)
        expected = hodges_lehmann(kept, 0.95)
        assert test.location_ == pytest.approx(expected.estimate, abs=1e-12)
        assert test.location_interval_ == pytest.approx(expected.interval, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_the_interval_of_the_median_and_the_sign_test_agree(seed):
    test = SignTest(scoring="neg_mean_absolute_error", alternative="two-sided")
    result = quietly(test, *rows_with_ties(seed))
    low, high = result.location_interval
    assert (low > 0 or high < 0) == result.significant


def test_models_that_tie_everywhere_have_location_0_and_no_bounds():
    """Rows that differ have no bound, as by the t-test."""
    y, a = np.zeros(10), np.ones(10)
    for kind in BY_SIGN:
        with pytest.warns(DegenerateDataWarning):
            test = kind(scoring="neg_mean_absolute_error").fit_predictions(y, a, -a)
        assert test.location_ == 0
        assert test.location_interval_ == (-np.inf, np.inf)
        assert test.result_.location_name.endswith("median of row differences")
        assert test.result_.direction == 0


@pytest.mark.parametrize("kind", BY_SIGN)
def test_results_name_the_hypothesis_of_their_test(kind):
    word = "median" if kind is SignTest else "pseudo-median"
    result = quietly(kind(scoring="neg_mean_absolute_error"), *rows_with_ties(0))
    assert f"the {word} of" in result.estimand
    assert word in result.hypothesis
    assert result.location_name == f"{word} of row differences other than 0"
    assert result.location_name in result.tables()[0].rows[3][0]


def right_and_wrong(n_only_a, n_only_b, n_rows=40):
    a, b = np.zeros(n_rows, dtype=int), np.zeros(n_rows, dtype=int)
    b[:n_only_a] = 1
    a[n_only_a : n_only_a + n_only_b] = 1
    return np.zeros(n_rows, dtype=int), a, b


def test_mid_p_is_the_default_of_mcnemar():
    test = McNemar().fit_predictions(*right_and_wrong(6, 1))
    assert test.variant == "mid-p"
    assert test.pvalue_ == pytest.approx(stats.binom.sf(5, 7, 0.5) - 0.5 * 7 / 2**7)


@pytest.mark.parametrize("variant", ["exact", "mid-p", "chi2", "corrected"])
def test_intervals_of_mcnemar_do_not_contradict_its_pvalue(variant):
    for n_only_a in range(10):
        test = McNemar(variant=variant, alternative="two-sided")
        counts = n_only_a, 1
        test.fit_predictions(*right_and_wrong(*counts))
        interval, moved = mcnemar_interval(*counts, 40, 0.95, variant=variant)
        assert test.confidence_interval_ == interval
        low, high = interval
        if test.pvalue_ > 0.05:
            assert low <= 0 <= high
        else:
            assert low >= 0 or high <= 0
        has_caveat = any("was moved to 0" in caveat for caveat in test.result_.caveats)
        assert has_caveat == moved


@pytest.mark.parametrize(("alternative", "sides"), [("greater", 1), ("two-sided", 2)])
def test_a_lead_without_variance_has_the_pvalue_of_equal_signs(alternative, sides):
    y, n_rows = np.arange(12.0), 12
    test = PairedTTest(scoring="neg_mean_absolute_error", alternative=alternative)
    with pytest.warns(DegenerateDataWarning, match="a bound"):
        test.fit_predictions(y, y + 1, y + 2)
    assert test.pvalue_ == pytest.approx(sides * 0.5**n_rows)


@pytest.mark.filterwarnings("ignore:One class has only 10 rows")
def test_delong_allows_for_the_degrees_of_freedom_of_its_variance():
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], [10, 40])
    scores = rng.normal(size=(2, 50)) + y
    test = DeLong(alternative="two-sided").fit_predictions(y, *scores)
    normal = 2 * stats.norm.sf(abs(test.statistic_))
    assert test.pvalue_ > normal
    low, high = test.confidence_interval_
    assert high - low > 2 * stats.norm.ppf(0.975) * test.standard_error_
