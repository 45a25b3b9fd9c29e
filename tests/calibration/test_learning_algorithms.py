"""The conservative Z keeps its level for learning algorithms, on little data."""

import importlib.util
from pathlib import Path

import pytest

from tests.rates import assert_level

PAGE = Path(__file__).parents[2] / "doc" / "simulations" / "learning_algorithms.py"


@pytest.fixture(scope="module")
def simulation():
    spec = importlib.util.spec_from_file_location("learning_algorithms", PAGE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_conservative_z_keeps_its_level(simulation, random_seed, simulations):
    n, names = simulations(410, 1_000), simulations(["means"], simulation.LEARNERS)
    for learner in names:
        rate = simulation.rejections(
            learner, "conservative Z", 100, n, seed=random_seed
        )
        assert_level(round(rate * n), n)


@pytest.mark.parametrize("interval", ["corrected t, 10", "conservative Z"])
def test_intervals_for_one_learner_cover(
    simulation, interval, random_seed, simulations
):
    n, names = simulations(410, 1_000), simulations(["means"], simulation.LEARNERS)
    for learner in names:
        held, _ = simulation.coverage(learner, interval, 100, n, seed=random_seed)
        assert_level(round((1 - held) * n), n)


def test_the_normal_limit_is_about_these_models_and_not_about_learning(
    simulation, random_seed, simulations
):
    """The simulation detects that intervals of rows are too short for neighbors."""
    n = simulations(410, 1_000)
    held, _ = simulation.coverage("1 neighbor", "CLT", 100, n, seed=random_seed)
    with pytest.raises(AssertionError, match="above"):
        assert_level(round((1 - held) * n), n)


@pytest.mark.slow
def test_five_by_two_does_not_on_a_hundred_rows(simulation, random_seed):
    """At twice the level the check above would fail."""
    rate = simulation.rejections("5 neighbors", "5x2cv F", 100, 1_000, seed=random_seed)
    assert rate > 0.08
