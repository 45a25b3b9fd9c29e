"""Gamma variables are drawn from the distributions that scipy knows."""

import numpy as np
from scipy import stats

from skcompare._engine import GammaDraws


def test_each_column_has_its_own_shape():
    shapes = np.array([5.0, 1, 4, 0.5, 300, 1, 4.9])
    blocks = GammaDraws(shapes).blocks(0, 4_000, np.random.default_rng(0))
    drawn = np.concatenate(list(blocks))
    for column, shape in zip(drawn.T, shapes, strict=True):
        assert stats.kstest(column, stats.gamma(shape).cdf).pvalue > 1e-4
    correlations = np.corrcoef(drawn.T)[np.triu_indices(len(shapes), 1)]
    assert np.abs(correlations).max() < 4.5 / np.sqrt(len(drawn))
