"""Exchanges of predictions by which simulated power gets an effect."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score, roc_auc_score

from skcompare import PairedBootstrap
from skcompare.planning._simulation import simulation_of


@pytest.mark.parametrize("metric", [f1_score, roc_auc_score])
def test_few_groups_have_the_effect_exactly(metric):
    rng = np.random.default_rng(0)
    y, groups, effect = rng.integers(2, size=80), np.arange(80) % 8, 0.03
    a, b = (np.where(rng.random(80) < right, y, 1 - y) for right in (0.8, 0.7))
    test = PairedBootstrap(scoring=metric.__name__.removesuffix("_score"))
    if metric is roc_auc_score:  # without ties, and on the common scale of ranks
        a, b = (stats.rankdata(rng.random(80) + labels) for labels in (a, b))
    predictions = {"y_pred_a": a, "y_pred_b": b}
    pilot = test.make_problem_of_predictions(y, predictions, groups=groups)
    settings = {"n_simulations": 1, "seed": 0, "n_jobs": None, "verbose": 0}
    exchanged = simulation_of(test, pilot, effect, **settings).chances[groups]
    weights = np.r_[1 - exchanged, exchanged]
    score_a, score_b = (
        metric(np.r_[y, y], np.r_[first, second], sample_weight=weights)
        for first, second in ((a, b), (b, a))
    )
    assert score_a - score_b == pytest.approx(effect, abs=1e-5)
