"""Mean ranks: who is better, and by how much ranks must differ."""

import numpy as np
import pytest
from scipy import stats

from skcompare import RankComparison

NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
NOT_SHOWN = "n.s."  # the sign of a pair whose p-value is above the level
NO_CORRECTION = "none"


@pytest.fixture
def demsar(demsar_ranks):
    """Scores with the ranks of table 6 of Demsar (2006): higher is better."""
    return dict(zip(NAMES, -demsar_ranks.T, strict=True))


def test_decisions_say_who_is_better(demsar):
    result = RankComparison(alpha=0.10).fit_scores(demsar).result_
    signs = dict(zip(result.pairs, result.decisions, strict=True))
    # C4.5 has a mean rank of 3.143, the variants that tune m have 2.0 and 1.964.
    assert signs.pop(("C4.5", "C4.5+m")) == "<"
    assert signs.pop(("C4.5", "C4.5+m+cf")) == "<"
    assert set(signs.values()) == {NOT_SHOWN}
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
