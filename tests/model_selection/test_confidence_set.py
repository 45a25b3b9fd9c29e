"""The Model Confidence Set of a comparison of several models."""

import numpy as np
import pytest

from skcompare import PairedBootstrap, PairwiseComparison
from skcompare.exceptions import DegenerateDataWarning


def predictions_of(rng, n_rows, accuracies, shared=0.6):
    """Return the truth and predictions of models that often err on the same rows."""
    truth, hard = rng.integers(2, size=n_rows), rng.random(n_rows)
    predictions = {}
    for number, accuracy in enumerate(accuracies):
        luck = np.where(rng.random(n_rows) < shared, hard, rng.random(n_rows))
        predictions[f"m{number}"] = np.where(luck < accuracy, truth, 1 - truth)
    return truth, predictions


def test_two_models_compared_have_the_p_value_of_max_t():
    rng = np.random.default_rng(1)
    truth, predictions = predictions_of(rng, 200, [0.8, 0.74])
    comparison = PairwiseComparison(correction="max-t", random_state=0)
    result = comparison.fit_predictions(truth, predictions).result_
    assert 0.001 < result.pvalues_adjusted[0] < 0.9
    assert result.confidence_set_pvalues.min() == result.pvalues_adjusted[0]


@pytest.mark.parametrize("seed", range(10))
def test_models_that_max_t_rejects_are_not_in_the_confidence_set(seed):
    rng = np.random.default_rng(seed)
    truth, predictions = predictions_of(rng, 200, rng.uniform(0.7, 0.9, size=7))
    test = PairedBootstrap(alternative="two-sided", n_resamples=199)
    result = (
        PairwiseComparison(test=test, correction="max-t", random_state=seed, alpha=0.1)
        .fit_predictions(truth, predictions)
        .result_
    )
    assert set(result.confidence_set) <= set(result.champion_set)
    assert result.confidence_set[0] == result.champion


def test_a_copy_of_the_best_model_stays_with_it():
    truth, predictions = predictions_of(
        np.random.default_rng(0), 300, [0.9, 0.8, 0.79, 0.6]
    )
    predictions["copy"] = predictions["m0"].copy()
    with pytest.warns(DegenerateDataWarning):
        result = (
            PairwiseComparison(random_state=0)
            .fit_predictions(truth, predictions)
            .result_
        )
    pvalues = dict(zip(result.names, result.confidence_set_pvalues, strict=True))
    assert pvalues["m0"] == pvalues["copy"] == 1
    assert pvalues["m3"] <= 0.001
    assert set(result.confidence_set) == {n for n, p in pvalues.items() if p > 0.05}
