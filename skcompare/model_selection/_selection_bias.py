"""How much of the best candidate's lead is selection: what it keeps on other data."""

import functools

import numpy as np

from skcompare._engine import Resampler, UnitCounts, draw


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
    # Ties are won in an order that does not depend on scores: those of all units would
    # tell about the units left out.
    lead = functools.partial(_lead_outside, score, np.argsort(positions))
    resampler = Resampler(UnitCounts(n_units), lead, "processes")
    leads = draw(resampler, n_resamples, seed=seed, n_jobs=n_jobs)
    defined = leads[np.isfinite(leads)]
    return float(defined.mean()) if len(defined) else np.nan


def _lead_outside(score, order, counts):
    """Return the lead, on the units left out, of the winner on those drawn."""
    left_out = counts == 0
    if not left_out.any():
        return np.array([np.nan])
    inside, outside = score(counts), score(left_out.astype(int))
    first = np.argmax(np.nan_to_num(inside, nan=-np.inf)[order])
    return np.array([outside[order[first]] - np.mean(outside)])
