"""Partial conjunctions: p-values for an effect in so many of several data sets."""

import itertools

import numpy as np
import pytest
from scipy import stats

from skcompare.stats.corrections import partial_conjunction_pvalues


@pytest.mark.parametrize("dependence", ["any", "independent"])
def test_partial_conjunctions_are_maxima_over_all_subsets(dependence):
    """Fewer than u effects: some n - u + 1 data sets have none. All must be refuted."""
    pvalues = np.random.default_rng(0).beta(0.5, 1, size=6)
    method = {"any": lambda p: min(1, len(p) * min(p)), "independent": fisher}
    by_subsets = [
        max(map(method[dependence], itertools.combinations(pvalues, 6 - u + 1)))
        for u in range(1, 7)
    ]
    conjunctions = partial_conjunction_pvalues(pvalues, dependence=dependence)
    np.testing.assert_allclose(conjunctions, np.maximum.accumulate(by_subsets))


def fisher(pvalues):
    return stats.combine_pvalues(pvalues, method="fisher").pvalue


@pytest.mark.parametrize("dependence", ["any", "independent"])
def test_partial_conjunctions_never_decrease(dependence):
    # without the running maximum 4 * 0.01 would be followed by 3 * 0.0101
    conjunctions = partial_conjunction_pvalues(
        np.array([0.01, 0.0101, 0.5, 0.9]), dependence=dependence
    )
    assert (np.diff(conjunctions) >= 0).all()
    assert conjunctions[-1] >= 0.9
