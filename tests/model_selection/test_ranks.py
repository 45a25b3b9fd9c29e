"""Mean ranks: who is better, and by how much ranks must differ."""

import numpy as np
import pytest
from scipy import stats

from skcompare import (
    McNemar,
    PairedBootstrap,
    PairwiseComparison,
    RankComparison,
    replicability_analysis,
)

NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
NOT_SIGNIFICANT = "n.s."  # the sign of a pair whose p-value is above the level
NO_CORRECTION = "none"


@pytest.fixture
def demsar(demsar_ranks):
    """Scores with the ranks of table 6 of Demsar (2006): higher is better."""
    return dict(zip(NAMES, -demsar_ranks.T, strict=True))


def test_decisions_name_the_better_model(demsar):
    result = RankComparison(alpha=0.10).fit_scores(demsar).result_
    signs = dict(zip(result.pairs, result.decisions, strict=True))
    # C4.5 has a mean rank of 3.143, the variants that tune m have 2.0 and 1.964.
    assert signs.pop(("C4.5", "C4.5+m")) == "<"
    assert signs.pop(("C4.5", "C4.5+m+cf")) == "<"
    assert set(signs.values()) == {NOT_SIGNIFICANT}
    deltas = dict(zip(result.pairs, result.deltas, strict=True))
    assert deltas["C4.5", "C4.5+m"] == pytest.approx(2.0 - 44 / 14)


def test_the_other_order_of_names_turns_the_signs(demsar):
    backwards = dict(reversed(demsar.items()))
    result = RankComparison(alpha=0.10).fit_scores(backwards).result_
    signs = dict(zip(result.pairs, result.decisions, strict=True))
    assert signs["C4.5+m", "C4.5"] == ">"
    assert signs["C4.5+m+cf", "C4.5"] == ">"


def test_models_that_beat_the_baseline_are_named_best_first(demsar):
    result = RankComparison(baseline="C4.5").fit_scores(demsar).result_
    assert result.beating_baseline == ("C4.5+m+cf", "C4.5+m")
    assert result.champion == "C4.5+m+cf"
    signs = dict(zip(result.pairs, result.decisions, strict=True))
    assert {a for (a, b), sign in signs.items() if b == "C4.5" and ">" in sign} == {
        "C4.5+m",
        "C4.5+m+cf",
    }


def test_nothing_beats_the_best_model_as_a_baseline(demsar):
    result = RankComparison(baseline="C4.5+m+cf").fit_scores(demsar).result_
    assert result.significant.any()  # C4.5 is worse
    assert result.beating_baseline == ()
    assert result.champion == "C4.5+m+cf"


@pytest.mark.parametrize("baseline", [None, "C4.5"])
def test_the_critical_difference_without_correction_is_that_of_one_pair(
    demsar, baseline
):
    test = RankComparison(baseline=baseline, correction=NO_CORRECTION, alpha=0.05)
    result = test.fit_scores(demsar).result_
    error = np.sqrt(4 * 5 / (6 * 14))
    assert result.critical_difference == pytest.approx(stats.norm.isf(0.025) * error)
    beyond = np.abs(result.deltas) >= result.critical_difference
    np.testing.assert_array_equal(beyond, result.significant)
    np.testing.assert_array_equal(result.pvalues_adjusted, result.pvalues)
    widths = result.intervals[:, 1] - result.intervals[:, 0]
    assert widths == pytest.approx(2 * result.critical_difference)


def test_a_result_explains_the_sign_of_differences_in_rank(demsar):
    text = " ".join(RankComparison().fit_scores(demsar).result_.summary().split())
    assert "the mean rank of b minus that of a, positive if a is better" in text


# Published examples


def test_demsar_s_example_of_nemenyi_s_test(demsar):
    result = RankComparison(alpha=0.10).fit_scores(demsar).result_
    assert result.mean_ranks.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    # Section 3.2.2: critical differences 1.25 at 0.05 and 1.12 at 0.10; at 0.10 C4.5
    # is worse than both variants that tune m, and nothing else is significant.
    assert result.critical_difference == pytest.approx(1.12, abs=0.005)
    significant_pairs = [
        p
        for p, significant in zip(result.pairs, result.significant, strict=True)
        if significant
    ]
    assert significant_pairs == [("C4.5", "C4.5+m"), ("C4.5", "C4.5+m+cf")]
    assert result.indistinguishable == (
        ("C4.5+m+cf", "C4.5+m", "C4.5+cf"),
        ("C4.5+cf", "C4.5"),
    )
    at_five = RankComparison().fit_scores(demsar)
    assert at_five.critical_difference_ == pytest.approx(1.25, abs=0.005)
    assert at_five.omnibus_.significant


def test_demsar_s_example_of_comparisons_with_a_control(demsar):
    result = RankComparison(baseline="C4.5").fit_scores(demsar).result_
    # Section 3.2.2: z of 2.342, 0.512 and 2.416; Holm rejects the two at 0.05.
    assert result.correction == "holm"
    z = [2.342, 0.512, 2.416]
    assert result.pvalues == pytest.approx(2 * stats.norm.sf(z), abs=5e-4)
    assert result.significant.tolist() == [True, False, True]
    dunn = RankComparison(baseline="C4.5", correction="bonferroni").fit_scores(demsar)
    # Bonferroni-Dunn: 2.394 standard errors of 0.488, i.e. 1.17.
    assert dunn.critical_difference_ == pytest.approx(1.17, abs=0.005)


def test_nemenyi_s_decisions_are_those_of_the_critical_difference(demsar):
    for alpha in (0.02, 0.05, 0.1, 0.3):
        result = RankComparison(alpha=alpha).fit_scores(demsar).result_
        beyond = np.abs(result.deltas) >= result.critical_difference
        assert beyond.tolist() == result.significant.tolist()
        low, high = result.intervals.T
        assert ((low > 0) | (high < 0)).tolist() == result.significant.tolist()


def test_ranks_draw_a_critical_difference_diagram(demsar):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    result = RankComparison(alpha=0.10).fit_scores(demsar).result_
    assert len(result.plot().bars_) == 2
    assert type(result.plot(kind="heatmap")).__name__ == "PValueHeatmapDisplay"
    with pytest.raises(ValueError, match="`kind` must be one of"):
        result.plot(kind="violin")


def test_results_of_data_sets_count_those_in_which_pairs_differ():
    results = {}
    for seed in range(4):
        rng = np.random.default_rng(seed)
        truth = rng.integers(3, size=200)
        predictions = {
            name: np.where(rng.random(200) < accuracy, truth, (truth + 1) % 3)
            for name, accuracy in {"m0": 0.9, "m1": 0.7, "m2": 0.69}.items()
        }
        comparison = PairwiseComparison(
            test=PairedBootstrap(alternative="two-sided", n_resamples=499),
            random_state=0,
        )
        results[f"set {seed}"] = comparison.fit_predictions(truth, predictions).result_
    ranked = RankComparison().fit_results(results).result_
    for place in range(3):
        pvalues = [result.pvalues[place] for result in results.values()]
        assert ranked.replicability[place] == replicability_analysis(pvalues).k
    assert ranked.replicability[0] == 4
    assert list(ranked.to_frame().columns)[-1] == "replicability"
    assert ranked.mean_ranks[0] == 1
    results["odd"] = PairwiseComparison().fit_predictions(
        truth, predictions | {"z": truth}
    )
    results["odd"] = results["odd"].result_
    with pytest.raises(
        ValueError,
        match=r"same models, pairs and alternative.*different models and pairs for 'o",
    ):
        RankComparison().fit_results(results)


def results_of_data_sets(alternatives, **settings):
    truth = np.arange(60) % 2
    sizes = {"a": 9, "b": 20, "c": 50}
    predictions = {n: np.where(np.arange(60) < k, truth, 0) for n, k in sizes.items()}
    return {
        f"set {place}": PairwiseComparison(
            test=McNemar(alternative=alternative), **settings
        )
        .fit_predictions(truth, predictions)
        .result_
        for place, alternative in enumerate(alternatives)
    }


def test_results_of_data_sets_have_one_alternative():
    results = results_of_data_sets(["less", "two-sided"])
    with pytest.raises(ValueError, match="different alternative for 'set 1' and 'set"):
        RankComparison().fit_results(results)


def test_nothing_is_stored_if_results_of_data_sets_are_refused():
    results = results_of_data_sets(["two-sided", "two-sided"])
    of_baseline = results_of_data_sets(["less", "less"], baseline="a")
    for refused, dependence, message in (
        (of_baseline, "any", "a p-value for every pair"),
        (results, "none", "`dependence` must be one of"),
    ):
        comparison = RankComparison()
        with pytest.raises(ValueError, match=message):
            comparison.fit_results(refused, dependence=dependence)
        assert not hasattr(comparison, "result_")
        assert not hasattr(comparison, "ranks_")


def test_a_test_of_all_models_that_shows_nothing_is_mentioned():
    scores = np.random.default_rng(0).random((6, 4))
    result = RankComparison().fit_scores(scores).result_
    assert not result.omnibus.significant
    assert "shows no significant difference" in " ".join(result.summary().split())


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"correction": "nemenyi", "baseline": "C4.5"}, "'nemenyi' is for all pairs"),
        ({"correction": "max-t"}, "`correction` must be one of 'nemenyi'"),
        ({"baseline": "x"}, "`baseline` must be the name of one of the models"),
        ({"alpha": 0}, "`alpha` must lie strictly between 0 and 1"),
    ],
)
def test_bad_parameters_of_ranks_are_named(demsar, parameters, message):
    with pytest.raises(ValueError, match=message):
        RankComparison(**parameters).fit_scores(demsar)


def test_bad_results_are_named():
    with pytest.raises(ValueError, match="`results` must be a dict of PairwiseResult"):
        RankComparison().fit_results([])


def test_results_with_a_baseline_lack_the_other_pairs():
    results = results_of_data_sets(["two-sided", "two-sided"], baseline="a")
    with pytest.raises(ValueError, match=r"a p-value for every pair.*Got 2 without"):
        RankComparison().fit_results(results)
