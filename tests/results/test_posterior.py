"""Results of posteriors: sentence, summary and export."""

import json
import re

import numpy as np
import pytest
from scipy import stats

from skcompare.results import PosteriorResult
from skcompare.stats.posterior import (
    as_rope,
    equally_likely,
    summarize_draws,
)


def a_result(draws, rope=0.01, **changes):
    fields = {
        "test": "BayesianComparison",
        "scoring": "f1",
        "score_a": 0.8,
        "score_b": 0.75,
        "delta": 0.05,
        "rope": as_rope(rope),
        "credible_level": 0.95,
        "n_rows": 100,
        "n_units": 100,
        "n_draws": len(draws),
        "method": "paired",
        "cv": "predictions",
        "seed": 0,
        "name_a": "A",
        "name_b": "B",
        "model": "a model",
        "estimand": "a difference",
        "posterior": draws,
        **summarize_draws(draws, as_rope(rope), 0.95)._asdict(),
        **changes,
    }
    return PosteriorResult(**fields)


@pytest.fixture(scope="module")
def draws():
    return equally_likely(stats.norm(0.03, 0.01), 2_001)


def test_the_sentence_has_the_probabilities(draws):
    sentence = a_result(draws).sentence()
    assert "A is better than B by more than 0.01 with probability 0.977" in sentence
    sentence = a_result(-draws, (-0.02, 0)).sentence()
    assert "B is better than A by more than 0.02 with probability 0.842" in sentence
    sentence = a_result(draws, 0.06).sentence()
    assert "A minus B lies in [-0.06, 0.06] with probability 0.999" in sentence
    sentence = a_result(draws, 0).sentence()
    assert "A is better than B with probability 0.999" in sentence
    assert sentence.endswith(
        "is wholly above the region of practical equivalence, [0, 0]: A is better."
    )


def test_draws_never_show_certainty(draws):
    text = str(a_result(draws + 1))
    assert "with probability > 0.999" in text
    assert re.search(r"P\(< -0.01\) +< 0.001", text)
    constant = str(a_result(np.zeros(100)))  # a point has no probabilities
    assert re.search(r"P\(in \[-0.01, 0.01\]\) +nan", constant)
    assert "is a single point, +0.0000" in constant
    assert "probability" not in constant


def test_closed_forms_have_no_monte_carlo_error(draws):
    assert "Monte Carlo" in a_result(draws).summary()
    closed = a_result(draws, n_draws=None, curve=(np.arange(3), np.ones(3)))
    assert "Monte Carlo" not in closed.summary()
    assert closed.density()[0] is closed.curve[0]


def test_any_claim_has_a_probability(draws):
    result = a_result(draws)
    assert result.probability_of(lambda delta: delta > 0.01) == result.p_better
    assert result.probability_of(lambda d: np.abs(d) < 0.03) == pytest.approx(0.5, 0.01)


@pytest.mark.parametrize("claim", [lambda d: d, lambda d: True, lambda d: d[:2] > 0])
def test_a_claim_has_to_hold_or_not(draws, claim):
    with pytest.raises(ValueError, match="`claim` must return True or False for each"):
        a_result(draws).probability_of(claim)


def test_results_export(draws):
    result = a_result(draws)
    exported = json.loads(json.dumps(result.to_dict()))
    assert exported["hdi"] == {"low": result.hdi.low, "high": result.hdi.high}
    assert exported["signature"] == result.signature
    assert "posterior" not in exported
    assert len(result.to_dict(arrays=True)["posterior"]) == len(draws)
    frame = result.to_frame()
    assert frame.loc["f1", "decision"] == ">>"
    assert "<table>" in result._repr_html_()


def test_results_draw_themselves(draws):
    pytest.importorskip("matplotlib").use("Agg")
    result = a_result(draws)
    display = result.plot()
    np.testing.assert_array_equal(display.density, result.density()[1])
    display.figure_.clear()
