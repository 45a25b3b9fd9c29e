"""Posteriors have their nominal coverage where few rows can move a score."""

import importlib.util
import itertools
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.rates import assert_level_kept

pytestmark = pytest.mark.usefixtures("quiet")

PAGE = Path(__file__).parents[2] / "doc" / "simulations" / "few_disagreements.py"


@pytest.fixture(scope="module")
def simulation():
    spec = importlib.util.spec_from_file_location("few_disagreements", PAGE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NAMES = ["recall, 10 positives", "accuracy, 1 % discordant"]
ALL = [*NAMES, "balanced accuracy, 20 classes"]


# A rare class may be predicted, and not be there.
@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true")
def test_intervals_cover_with_the_default_prior(simulation, random_seed, simulations):
    names, level, n = simulations((NAMES[:1], 0.9, None), (ALL, 0.95, 1_000))
    for name in names:
        rng = np.random.default_rng(random_seed)
        missed = (
            simulation.coverage(name, 0.5, 1, seed=rng, level=level)[0] == 0
            for _ in itertools.count()
        )
        assert_level_kept(missed, n, 1 - level)


def test_without_prior_they_do_not(simulation, random_seed, simulations):
    """The simulation detects that the plain Bayesian bootstrap is too sure."""
    n = simulations(60, 1_000)
    held, _ = simulation.coverage(NAMES[0], 0.0, n, seed=random_seed)
    assert stats.binomtest(round((1 - held) * n), n, 0.1, "greater").pvalue < 1e-3
