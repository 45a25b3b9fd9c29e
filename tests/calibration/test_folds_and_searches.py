"""Rankings within folds keep their level; intervals with the best hold together."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.rates import assert_level, assert_level_kept

pytestmark = pytest.mark.usefixtures("quiet")

PAGES = Path(__file__).parents[2] / "doc" / "simulations"


def page(name):
    spec = importlib.util.spec_from_file_location(name, PAGES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rejections(signal, seed, kind):
    """Yield whether areas of rankings of one kind differ, by data set."""
    simulation, rng = page("pooled_rankings"), np.random.default_rng(seed)
    while True:
        rejected = simulation.rejections(1, signal, seed=rng)
        yield rejected[("pooled", "within").index(kind)] == 1


def test_areas_within_folds_keep_their_level_and_pooled_ones_do_not(
    random_seed, simulations
):
    n = simulations(None, 1_000)
    assert_level_kept(rejections(1.0, random_seed, "within"), n)
    with pytest.raises(AssertionError, match="above"):
        assert_level_kept(rejections(1.0, random_seed, "pooled"), n, 0.1)


@pytest.mark.parametrize("signal", [0.0, 0.2])
def test_areas_within_folds_keep_their_level_with_little_to_learn(
    signal, random_seed, simulations
):
    """Folds then depend on each other, and variances that add up are too small."""
    rejected = rejections(signal, random_seed, "within")
    assert_level_kept(rejected, simulations(None, 1_000))


@pytest.mark.parametrize("spacing", [0.0, 0.2])
def test_intervals_with_the_best_hold_together(spacing, random_seed, simulations):
    n = simulations(410, 2_000)
    _, singles, hsu = page("with_the_best").coverage(spacing, n, seed=random_seed)
    assert_level(round((1 - hsu) * n), n)
    # Single intervals do not, and the simulation detects it.
    misses = round((1 - singles) * n)
    assert stats.binomtest(misses, n, 0.10, "greater").pvalue < 1e-3
