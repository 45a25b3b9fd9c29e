"""Weighing units at random: the Bayesian bootstrap (Rubin, 1981).

A posterior of how frequent each kind of row is in the population gives the n units of a
sample Dirichlet weights with parameters 1. The weights of units that are alike add up,
to Dirichlet weights with the counts as parameters. And Dirichlet weights are gamma
variables, with those parameters as shapes, over their sum.
"""

import numpy as np
from scipy import sparse

from skcompare._engine._gamma import GammaDraws
from skcompare._engine._row_schemes import RowScheme


class CellWeights(GammaDraws):
    """Draw Dirichlet weights of cells; those of a stratum sum to its size.

    Parameters
    ----------
    counts : ndarray of shape (n_cells,)
        The number of units in each cell.
    strata : ndarray of shape (n_cells,)
        The stratum of each cell, from 0.
    """

    def __init__(self, counts, strata):
        super().__init__(counts.astype(float))
        self._strata, self._totals = strata, np.bincount(strata, weights=counts)

    def block(self, size, rng):
        """Return weights of shape (size, n_cells)."""
        return normalized(super().block(size, rng), self._strata, self._totals)


class RowWeights(RowScheme):
    """Draw Dirichlet weights of units, and give each row that of its unit.

    Each draw is an array of weights of rows.

    Parameters
    ----------
    units : Units
        What is weighed.
    """

    def __init__(self, units):
        self.units = units

    def blocks(self, start, size, rng):
        """Yield `size` arrays of weights."""
        units = self.units
        for _ in range(size):
            drawn = rng.standard_exponential((1, len(units)))
            weights = normalized(drawn, units.stratum_of_unit, units.stratum_sizes)
            yield units.spread(weights[0])


def normalized(drawn, strata, totals):
    """Scale draws so that those of each stratum sum to its total.

    Parameters
    ----------
    drawn : ndarray of shape (n_draws, n)
        Positive numbers.
    strata : ndarray of shape (n,)
        The stratum of each column, from 0.
    totals : ndarray of shape (n_strata,)
        What to scale to.

    Returns
    -------
    ndarray of shape (n_draws, n)
        Weights.

    Examples
    --------
    >>> drawn = np.array([[1.0, 3.0, 5.0]])
    >>> normalized(drawn, np.array([0, 0, 1]), np.array([2.0, 1.0])).tolist()
    [[0.5, 1.5, 1.0]]
    """
    if len(totals) == 1:
        return drawn * (totals[0] / drawn.sum(axis=1, keepdims=True))
    n = len(strata)
    member_of = sparse.csc_array((np.ones(n), strata, np.arange(n + 1)))
    sums = (member_of @ drawn.T).T
    return drawn * (totals / sums)[:, strata]
