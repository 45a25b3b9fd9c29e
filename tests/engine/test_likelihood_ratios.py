"""Likelihood ratios from class counts, with scikit-learn's rules for 0 / 0."""

import warnings

import numpy as np
import pytest
from sklearn.metrics import get_scorer

from skcompare._engine import bootstrap
from skcompare._evaluation import problem_of_predictions


def reference(scorer, y, predicted):
    """Return what scikit-learn gives, nan if it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return scorer._sign * scorer._score_func(y, predicted)
        except ValueError:
            return np.nan


@pytest.mark.filterwarnings("ignore")  # scikit-learn warns of every undefined ratio
@pytest.mark.parametrize(
    "name", ["positive_likelihood_ratio", "neg_negative_likelihood_ratio"]
)
def test_ratios_are_those_of_the_repeated_rows(name):
    rng, scorer = np.random.default_rng(0), get_scorer(name)
    y, a, b = rng.integers(0, 2, (3, 12))
    predictions = {"y_pred_a": a, "y_pred_b": b}
    cells = problem_of_predictions(y, predictions, scoring=[name]).cells()
    assert cells.engines[name].startswith("additive")
    for size in (2, 3, 5, 12) * 20:
        rows = rng.integers(12, size=size)
        drawn = cells.cell_of_unit[rows]
        counts = np.bincount(drawn, minlength=len(cells.counts))
        expected = [reference(scorer, y[rows], p[rows]) for p in (a, b)]
        np.testing.assert_allclose(
            bootstrap(cells).score(counts[np.newaxis])[0, 0], expected, rtol=1e-12
        )
