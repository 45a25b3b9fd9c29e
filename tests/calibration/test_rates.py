"""The checks of levels that simulations share pass and fail at their rates."""

import itertools

import numpy as np
import pytest
from scipy import stats

from tests.rates import assert_level_kept


def errors(rng, rate):
    return (rng.random() < rate for _ in itertools.count())


def n_failed(rng, rate, n_runs, **params):
    failed = 0
    for _ in range(n_runs):
        try:
            assert_level_kept(errors(rng, rate), **params)
        except AssertionError:
            failed += 1
    return failed


@pytest.mark.parametrize(
    ("nominal", "slack"), [(0.05, 0.0), (0.1, 0.0), (0.1, 0.02), (0.2, 0.0)]
)
def test_a_rate_at_the_level_passes_and_twice_that_fails(nominal, slack, random_seed):
    rng, params = np.random.default_rng(random_seed), {"nominal": nominal}
    failed = n_failed(rng, nominal + slack, 200, slack=slack, **params)
    assert failed <= stats.binom.isf(1e-4, 200, 0.001)
    failed = n_failed(rng, 2 * nominal, 200, slack=slack, **params)
    assert failed >= stats.binom.ppf(1e-4, 200, 0.9)


def test_few_simulations_without_any_error_are_not_enough():
    with pytest.raises(AssertionError, match="20 simulations end before it is clear"):
        assert_level_kept([False] * 20, nominal=0.05)
    with pytest.raises(AssertionError, match="samples notice twice the level"):
        assert_level_kept([False] * 20, 20, nominal=0.05)
