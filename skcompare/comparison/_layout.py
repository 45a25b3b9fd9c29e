"""How the units of a question are laid out for resampling: as rows, or as cells.

Both layouts offer the same plans: what to draw, and how to score it.
"""

import abc
from typing import NamedTuple

import numpy as np
from scipy import sparse

from skcompare._engine import (
    AllCellSwaps,
    AllSwaps,
    Bootstrap,
    CellBootstrap,
    CellSwaps,
    CellWeights,
    CountedStatistic,
    Jackknife,
    NestedBootstrap,
    NestedCellBootstrap,
    PackedSwaps,
    RandomSwaps,
    RowWeights,
    joint_codes,
)

__all__ = ["CellLayout", "Plan", "RowLayout", "lay_out"]

# Efron and Tibshirani (1993, section 6.4): 25 to 50 are enough for a standard error.
N_INNER = 50


class Plan(NamedTuple):
    """What to draw, and how to score a block of draws."""

    scheme: object
    score: object


class Layout(abc.ABC):
    """The units and metrics of a question, ready for resampling.

    Scores have the shape (n_resamples, n_metrics, n_models).
    """

    def __init__(self, units, statistics):
        self.units, self.statistics = units, statistics

    @abc.abstractmethod
    def bootstrap_plan(self):
        """Return how to resample units."""

    @abc.abstractmethod
    def weighting_plan(self):
        """Return how to weigh units at random; statistics must be made for weights."""

    @abc.abstractmethod
    def swap_plan(self, discordant):
        """Return how to exchange answers at random, to the given units."""

    @abc.abstractmethod
    def enumeration_plan(self, discordant):
        """Return how to go through all exchanges of answers to the given units."""

    @abc.abstractmethod
    def left_out_scores(self, draw):
        """Score the sample without each unit; `draw` evaluates a plan."""

    @abc.abstractmethod
    def engine(self, metric):
        """Return how a metric is computed, in a word."""

    @abc.abstractmethod
    def studentized_plan(self):
        """Return how to resample units and tell standard errors of differences.

        They come after the scores of the models, on the last axis.
        """

    def observed_standard_errors(self):
        """Return the standard errors of the observed differences, None if unknown."""
        return None

    @staticmethod
    def _with_errors(nested):
        """Turn scores of a resample and of its resamples into scores and errors."""
        inner = nested[1:, :, 0] - nested[1:, :, 1]
        errors = np.nanstd(inner, axis=0, ddof=1)
        return np.concatenate([nested[0], errors[:, np.newaxis]], axis=1)[np.newaxis]


class RowLayout(Layout):
    """Every metric is called on the rows of every resample."""

    def bootstrap_plan(self):
        """Return how to resample units."""
        return Plan(Bootstrap(self.units), self.score_rows)

    def weighting_plan(self):
        """Return how to weigh units at random."""
        return Plan(RowWeights(self.units), self.score_weights)

    def swap_plan(self, discordant):
        """Return how to exchange answers at random, to the given units."""
        return Plan(RandomSwaps(self.units, discordant), self.score_reassigned)

    def enumeration_plan(self, discordant):
        """Return how to go through all exchanges of answers to the given units."""
        return Plan(AllSwaps(self.units, discordant), self.score_reassigned)

    def left_out_scores(self, draw):
        """Score the sample without each unit."""
        plan = Plan(Jackknife(self.units), self.score_rows)
        return draw(plan, len(self.units), "jackknife")

    def studentized_plan(self):
        """Return how to resample units, and each resample for its standard error."""
        return Plan(NestedBootstrap(self.units, N_INNER), self._score_nested)

    def _score_nested(self, draw):
        scores = [self.score_rows(rows) for rows in draw]
        return self._with_errors(np.concatenate(scores))

    def engine(self, metric):
        """Return how a metric is computed, in a word."""
        return "generic"

    def score_rows(self, rows):
        """Score one resample of rows."""
        return np.array([[s.on_rows(rows) for s in self.statistics.values()]])

    def score_weights(self, weights):
        """Score all rows with weights."""
        return np.array([[s.on_weights(weights) for s in self.statistics.values()]])

    def score_reassigned(self, authors):
        """Score all metrics after answers have changed hands."""
        return np.array([[s.on_reassigned(authors) for s in self.statistics.values()]])


class CellLayout(Layout):
    """Units that are alike in all metrics are counted together.

    Parameters
    ----------
    units : Units
        What is redrawn.
    statistics : dict
        A `CountedStatistic` for each metric, by name.
    tables : dict
        A `Table` for each metric, by name.
    cell_of_unit : ndarray of shape (n_units,)
        The cell of each unit.
    """

    def __init__(self, units, statistics, tables, cell_of_unit):
        super().__init__(units, statistics)
        self.tables, self.cell_of_unit = tables, cell_of_unit
        self.counts = np.bincount(cell_of_unit)
        self.strata = np.broadcast_to(np.intp(0), len(self.counts))
        if len(units.stratum_sizes) > 1:
            self.strata = self.strata.copy()
            self.strata[cell_of_unit] = units.stratum_of_unit
        self._adds_up = all(table.adds_up for table in tables.values())

    def _plan(self, scheme, score):
        """Return a plan with the workers that the tables want."""
        workers = {table.workers for table in self.tables.values()}
        scheme.prefer = "processes" if "processes" in workers else "threads"
        return Plan(scheme, score)

    def bootstrap_plan(self):
        """Return how to resample units."""
        return self._plan(CellBootstrap(self.counts, self.strata), self.scores)

    def weighting_plan(self):
        """Return how to weigh units at random."""
        return self._plan(CellWeights(self.counts, self.strata), self.weighted_scores)

    def weighted_scores(self, weights):
        """Score weights of cells."""
        return self._stacked(lambda table: table.weighted_scores(weights))

    def scores(self, counts):
        """Score counts of cells."""
        return self._stacked(lambda table: table.scores(counts))

    def _stacked(self, of_table):
        return np.stack([of_table(table) for table in self.tables.values()], axis=1)

    def swap_plan(self, discordant):
        """Return how to exchange answers at random, to the given units."""
        cells = np.unique(self.cell_of_unit[discordant])
        single = len(cells) > 0 and self.counts[cells].max() == 1
        if single and self._adds_up:
            first = next(iter(self.tables.values()))
            scheme = PackedSwaps(first.n_packed_bits(cells))
            return Plan(scheme, PackedScore(self, cells))
        marked = np.isin(np.arange(len(self.counts)), cells)
        return self._plan(CellSwaps(self.counts, marked), self.swapped_scores)

    def enumeration_plan(self, discordant):
        """Return how to go through all exchanges of answers to the given units."""
        cells = self.cell_of_unit[discordant]
        return self._plan(AllCellSwaps(self.counts, cells), self.swapped_scores)

    def swapped_scores(self, swapped):
        """Score numbers of swapped units in each cell."""
        return self._stacked(lambda table: table.swapped_scores(self.counts, swapped))

    def packed_swapped_scores(self, cells, packed):
        """Score swaps of single units given as packed bits."""
        return self._stacked(
            lambda table: table.packed_swapped_scores(self.counts, cells, packed)
        )

    def left_out_scores(self, draw):
        """Score the sample without each unit: those of a cell are alike."""
        scores = self._stacked(lambda table: table.left_out_scores(self.counts))
        return scores[self.cell_of_unit]

    def studentized_plan(self):
        """Return how to resample units, with standard errors by the delta method.

        Where a metric does not add up, resamples are resampled.
        """
        if self._adds_up:
            return Plan(CellBootstrap(self.counts, self.strata), self._linearised)
        scheme = NestedCellBootstrap(self.counts, self.strata, N_INNER)
        return self._plan(scheme, self._score_nested)

    def _linearised(self, counts):
        errors = self._errors(counts)[..., np.newaxis]
        return np.concatenate([self.scores(counts), errors], axis=2)

    def _score_nested(self, counts):
        return self._with_errors(self.scores(counts))

    def _errors(self, counts):
        return self._stacked(lambda table: table.standard_errors(counts, self.strata))

    def observed_standard_errors(self):
        """Return the standard errors of the observed differences, None if unknown."""
        return self._errors(self.counts[np.newaxis])[0] if self._adds_up else None

    def engine(self, metric):
        """Return how a metric is computed, in a word, and what is counted."""
        counted = "cells" if len(self.counts) < len(self.cell_of_unit) else "rows"
        return f"{self.statistics[metric].engine}/{counted}"

    def agrees(self):
        """Return whether all tables give the scores that scikit-learn gave."""
        scores = self.scores(self.counts[np.newaxis])[0]
        observed = [statistic.observed for statistic in self.statistics.values()]
        return np.allclose(scores, observed, rtol=1e-9, atol=1e-12)


class PackedScore(NamedTuple):
    """Scores blocks of packed swaps; travels to workers."""

    layout: CellLayout
    cells: np.ndarray

    def __call__(self, packed):
        """Score a block."""
        return self.layout.packed_swapped_scores(self.cells, packed)


def lay_out(units, statistics, *, alike=None):
    """Lay the units out as cells if all metrics allow it, else as rows.

    Parameters
    ----------
    units : Units
        What is redrawn.
    statistics : dict
        A `Statistic` for each metric, by name.
    alike : dict, default=None
        The statistics that say which units are alike; None takes these. With those of
        more models, pairs of them share their cells: one seed then redraws them alike.

    Returns
    -------
    Layout
        Cells, if all metrics can be computed from counts and their tables agree with
        scikit-learn on the whole sample.
    """
    if all(isinstance(s, CountedStatistic) for s in statistics.values()):
        layout = _cells_of(units, statistics, alike or statistics)
        if layout is not None and layout.agrees():
            return layout
    return RowLayout(
        units, {name: getattr(s, "generic", s) for name, s in statistics.items()}
    )


def _cells_of(units, statistics, alike):
    keys = [key for statistic in alike.values() for key in statistic.keys]
    grouped = units.groups is not None
    if not grouped and len(units.stratum_sizes) > 1:
        keys.append(units.stratum_of_unit)
    cell_of_row, rows = _cells_of_rows(keys, units.n_rows)
    tables = {name: s.tabulate(rows) for name, s in statistics.items()}
    if None in tables.values():
        return None
    if not grouped:
        return CellLayout(units, statistics, tables, cell_of_row)
    membership = _membership(units.groups, cell_of_row)
    tables = {name: table.grouped(membership) for name, table in tables.items()}
    return CellLayout(units, statistics, tables, np.arange(len(units)))


def _cells_of_rows(keys, n_rows):
    """Return the cell of each row, and one row of each cell."""
    codes = joint_codes(keys)
    if codes is None:
        return np.arange(n_rows), np.arange(n_rows)
    first = np.empty(codes.max() + 1, dtype=np.intp)
    first[codes[::-1]] = np.arange(n_rows)[::-1]
    # Cells are in the order of their first rows, whichever model is called A: then
    # the same seed draws the same counts.
    order = np.argsort(first)
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    return number[codes], first[order]


def _membership(groups, cell_of_row):
    """Count how often each cell occurs in each group."""
    ones = np.ones(len(groups))
    return sparse.coo_array((ones, (groups, cell_of_row))).tocsr()
