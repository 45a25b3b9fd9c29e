"""How much of the winner's lead is luck: the selection itself is resampled."""

from typing import NamedTuple

import numpy as np

from skcompare._engine import UnitCounts, evaluate_draws
from skcompare.comparison._layout import CellLayout

__all__ = ["FoldScores", "UnitScores", "expected_lead"]


class FoldScores(NamedTuple):
    """Scores of all candidates on some of the splits.

    Attributes
    ----------
    scores : ndarray of shape (n_candidates, n_splits)
        Their scores on every split.
    """

    scores: np.ndarray

    def __call__(self, counts):
        """Return the mean over splits, each as often as it came."""
        return self.scores @ counts / counts.sum()


class UnitScores(NamedTuple):
    """Scores of all candidates on some of the rows, or groups of rows.

    Attributes
    ----------
    layout : Layout
        The units and one metric, ready for resampling.
    """

    layout: object

    def __call__(self, counts):
        """Return the scores on these units, each as often as it came."""
        layout = self.layout
        if isinstance(layout, CellLayout):
            cells = np.bincount(
                layout.cell_of_unit, weights=counts, minlength=len(layout.counts)
            )
            return layout.scores(cells[np.newaxis])[0, 0]
        units = np.repeat(np.arange(len(counts)), counts)
        return layout.score_rows(layout.units.rows(units))[0, 0]


class LeadOutside(NamedTuple):
    """The lead that the winner on the units drawn has on those left out.

    Attributes
    ----------
    score : callable
        Turns counts of units into a score of every candidate.
    order : ndarray of int
        The candidates, in the order in which they win ties. It must not depend on
        scores: those of all units would tell about the units left out.
    """

    score: object
    order: np.ndarray

    def __call__(self, counts):
        """Return the lead over the average candidate; nan where that is undefined."""
        left_out = counts == 0
        if not left_out.any():
            return np.array([np.nan])
        inside, outside = self.score(counts), self.score(left_out.astype(int))
        first = np.argmax(np.nan_to_num(inside, nan=-np.inf)[self.order])
        return np.array([outside[self.order[first]] - np.mean(outside)])


def expected_lead(score, n_units, *, positions, n_resamples, seed, n_jobs=None):
    """Estimate the lead of whoever wins such a selection, on data that did not select.

    Units are drawn with replacement; the candidate with the best score on those drawn
    wins, of several the first in the search; its lead over the average candidate is
    taken on those left out.

    Parameters
    ----------
    score : callable
        Turns counts of units into a score of every candidate.
    n_units : int
        The number of units: splits, rows or groups.
    positions : array-like of int
        Where the search has each candidate.
    n_resamples : int
        How often to draw.
    seed : int
        The seed of all draws.
    n_jobs : int or None
        The number of workers, as in joblib.

    Returns
    -------
    float
        The average over resamples; nan if there was none on which it is defined.
    """
    lead = LeadOutside(score, np.argsort(positions))
    leads = evaluate_draws(
        UnitCounts(n_units), lead, n_resamples, seed=seed, n_jobs=n_jobs
    )
    defined = leads[np.isfinite(leads)]
    return float(defined.mean()) if len(defined) else np.nan
