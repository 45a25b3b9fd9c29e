"""Drawing many gamma variables at a time, exactly.

NumPy draws them one by one and prepares each anew. Here small integer shapes are
products of uniform variables, and large shapes the method of Marsaglia and Tsang (2000)
on whole arrays: a cube of a normal variable, rejected now and then.
"""

import numpy as np

from skcompare._engine._count_schemes import CountScheme

MOST_FACTORS = 4

# From this shape on, the bound in `cubes_of_normals` holds.
LEAST_CUBED = 5.0


class GammaDraws(CountScheme):
    """Draw independent gamma variables.

    Parameters
    ----------
    shapes : ndarray of shape (n_cells,)
        Their shapes; the scale is 1.
    """

    def __init__(self, shapes):
        super().__init__(shapes)
        few = np.isin(shapes, np.arange(1, MOST_FACTORS + 1))
        large = shapes >= LEAST_CUBED
        cells_by_sampler = {
            products_of_uniforms: _largest_first(np.flatnonzero(few), shapes),
            cubes_of_normals: np.flatnonzero(large),
            one_by_one: np.flatnonzero(~few & ~large),
        }
        self._parts = [
            (s, cells) for s, cells in cells_by_sampler.items() if len(cells)
        ]

    def block(self, size, rng):
        """Return draws of shape (size, n_cells)."""
        drawn = np.empty((len(self.counts), size))
        for sampler, cells in self._parts:
            drawn[cells] = sampler(self.counts[cells], size, rng)
        return drawn.T


def _largest_first(cells, shapes):
    return cells[np.argsort(-shapes[cells], kind="stable")]


def products_of_uniforms(shapes, size, rng):
    """Draw gamma variables of small integer shapes.

    A sum of k exponential variables is minus the logarithm of a product of k uniform
    ones.

    Parameters
    ----------
    shapes : ndarray of shape (n_cells,)
        Integers, from the largest on: those that take one more factor come first.
    size : int
        How many to draw of each.
    rng : Generator
        Where they come from.

    Returns
    -------
    ndarray of shape (n_cells, size)
        The draws.
    """
    products = rng.random((len(shapes), size))
    for least in range(2, int(shapes[0]) + 1):
        n_cells = np.count_nonzero(shapes >= least)
        products[:n_cells] *= rng.random((n_cells, size))
    np.maximum(products, np.finfo(float).tiny, out=products)  # one in 2 ** 53 is 0
    np.log(products, out=products)
    return np.negative(products, out=products)


def cubes_of_normals(shapes, size, rng):
    r"""Draw gamma variables of large shapes, with parameters as above.

    For a shape s let :math:`d = s - 1/3` and :math:`c = 1/\sqrt{9d}`; let x be normal,
    u uniform and :math:`v = (1 + cx)^3`. Then :math:`dv` is accepted if
    :math:`\log u < h = x^2/2 + d(1 - v + \log v)`. What is rejected is drawn anew.

    The logarithms are rarely needed: :math:`u < 1 - z` with :math:`z = c^2x^4/5` is
    enough. For with :math:`t = cx`, the remainder of the series of the logarithm gives
    :math:`h \ge -(3/4 + 3|t|/(5 - 5|t|))\,c^2x^4/9`. If :math:`z < 1` and
    :math:`s \ge 5`, then :math:`|t| < 0.59`, so :math:`h \ge -z \ge \log(1 - z)`.
    """
    d = (shapes - 1 / 3)[:, np.newaxis]
    c = 1 / np.sqrt(9 * d)
    normals = rng.standard_normal((len(shapes), size))
    uniforms = rng.random(normals.shape)
    roots, squares = 1 + c * normals, normals * normals
    candidates = d * roots * roots * roots
    doubtful = np.flatnonzero(uniforms + c * c / 5 * squares * squares >= 1)
    of_doubtful = (of.flat[doubtful] for of in (roots, squares, uniforms))
    refused = doubtful[~_accepted(d[doubtful // size, 0], *of_doubtful)]
    candidates.flat[refused] = rng.standard_gamma(shapes[refused // size])
    return candidates


def _accepted(d, roots, squares, uniforms):
    """Tell which candidates are kept; none whose root is not positive."""
    with np.errstate(divide="ignore", invalid="ignore"):
        h = squares / 2 + d * (1 - roots**3 + 3 * np.log(roots))
        return np.log(uniforms) < h


def one_by_one(shapes, size, rng):
    """Draw gamma variables of any shapes, as NumPy does, with parameters as above."""
    return rng.standard_gamma(shapes[:, np.newaxis], size=(len(shapes), size))
