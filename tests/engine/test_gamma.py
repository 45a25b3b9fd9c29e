"""Gamma variables are drawn from the distributions that scipy knows."""

import numpy as np
import pytest
from scipy import stats

from skcompare._engine import GammaDraws
from skcompare._engine._gamma import LEAST_CUBED, MOST_FACTORS, cubes_of_normals


def draw(shapes, n_draws, seed=0):
    """Return draws of shape (n_draws, n_shapes)."""
    rng = np.random.default_rng(seed)
    return np.concatenate(list(GammaDraws(shapes).blocks(0, n_draws, rng)))


def test_each_way_of_drawing_keeps_to_its_columns():
    """Small integers, small fractions and large shapes are drawn apart."""
    shapes = np.array([5.0, 1, 4, 0.5, 2, 3, 300, 1, 4.9, 7.5])
    drawn = draw(shapes, 4_000)
    for column, shape in zip(drawn.T, shapes, strict=True):
        assert stats.kstest(column, stats.gamma(shape).cdf).pvalue > 1e-4
    correlations = np.corrcoef(drawn.T)[np.triu_indices(len(shapes), 1)]
    assert np.abs(correlations).max() < 4.5 / np.sqrt(len(drawn))


@pytest.mark.parametrize("shape", [1.0, MOST_FACTORS, LEAST_CUBED, 5.5, 40.0, 1e7])
def test_long_runs_follow_the_distribution(shape):
    """So long that cubes of normals, none of them refused, would not pass for 5."""
    drawn = draw(np.full(1_000, shape), 2_000).ravel()
    uniform = stats.gamma(shape).cdf(drawn)
    assert stats.kstest(uniform, "uniform").pvalue > 1e-3
    assert np.mean(drawn) == pytest.approx(shape, abs=4 * np.sqrt(shape / len(drawn)))


def test_the_run_is_long_enough_to_see_a_missing_refusal():
    d = 5 - 1 / 3
    normals = np.random.default_rng(0).standard_normal(2_000_000)
    never_refused = d * (1 + normals / np.sqrt(9 * d)) ** 3
    uniform = stats.gamma(5).cdf(never_refused)
    assert stats.kstest(uniform, "uniform").pvalue < 1e-3


def test_what_is_accepted_without_logarithms_would_be_accepted_with_them():
    """The bound of the docstring, on a grid and at the least shape allowed."""
    for shape in (LEAST_CUBED, 6, 20, 1e3):
        d = shape - 1 / 3
        x = np.linspace(-12, 12, 100_001)
        t = x / np.sqrt(9 * d)
        z = x**4 / (9 * d) / 5
        x, t, z = (of[z < 1] for of in (x, t, z))
        h = x**2 / 2 + d * (1 - (1 + t) ** 3 + 3 * np.log1p(t))
        assert (np.log1p(-z) <= h + 1e-12).all()


class Worst:
    """A generator whose candidates are all to be refused."""

    def __init__(self, normal, uniform):
        self.normal, self.uniform = normal, uniform

    def standard_normal(self, size):
        return np.full(size, self.normal)

    def random(self, size):
        return np.full(size, self.uniform)

    def standard_gamma(self, shapes):
        return -shapes


@pytest.mark.parametrize(
    ("normal", "uniform", "refused"),
    [(-9.0, 0.0, True), (3.0, 0.999, True), (3.0, 0.5, False), (0.0, 0.999, False)],
)
def test_what_is_refused_is_drawn_anew_with_its_own_shape(normal, uniform, refused):
    """A root that is not positive is refused, however small the uniform variable."""
    shapes = np.array([5.0, 6.0])
    drawn = cubes_of_normals(shapes, 2, Worst(normal, uniform))
    expected = d_v(shapes, normal) if not refused else -shapes
    np.testing.assert_allclose(drawn, np.tile(expected, (2, 1)).T)


def d_v(shapes, normal):
    d = shapes - 1 / 3
    return d * (1 + normal / (3 * np.sqrt(d))) ** 3


def test_a_uniform_variable_of_zero_gives_a_finite_draw():
    class Zeros:
        def random(self, size):
            return np.zeros(size)

    assert np.isfinite(GammaDraws(np.array([2.0, 1.0])).block(3, Zeros())).all()
