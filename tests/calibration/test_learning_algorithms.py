"""The conservative Z keeps its level for learning algorithms, on little data."""

import importlib.util
from pathlib import Path

import pytest
from scipy import stats

PAGE = Path(__file__).parents[2] / "doc" / "simulations" / "learning_algorithms.py"


@pytest.fixture(scope="module")
def simulation():
    spec = importlib.util.spec_from_file_location("learning_algorithms", PAGE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_conservative_z_keeps_its_level(simulation, random_seed, simulations):
    n, names = simulations(400, 1_000), simulations(["means"], simulation.LEARNERS)
    for learner in names:
        rate = simulation.rejections(
            learner, "conservative Z", 100, n, seed=random_seed
        )
        excess = stats.binomtest(round(rate * n), n, 0.05, alternative="greater")
        assert excess.pvalue > 0.01, (learner, rate)


@pytest.mark.slow
def test_five_by_two_does_not_on_a_hundred_rows(simulation, random_seed):
    """The simulation can tell: at twice the level the check above would fail."""
    rate = simulation.rejections("5 neighbors", "5x2cv F", 100, 1_000, seed=random_seed)
    assert rate > 0.08
