"""How much of the best candidate's lead is selection: what it keeps on other data."""

import functools
from typing import NamedTuple

import numpy as np

from skcompare._engine import Resampler, draw
from skcompare.stats.folds import corrected_estimate


class Lead(NamedTuple):
    """The lead of the winner of a selection on data that did not select it.

    Attributes
    ----------
    value : float
        The average over resamples; nan if there was none on which it is defined.
    error : float
        Its standard error: that of the lead of the candidate that was selected.
    """

    value: float
    error: float


class SelectionByUnits(NamedTuple):
    """Candidates, selected by their scores on rows or groups.

    Attributes
    ----------
    score : callable
        Turns counts of units into a score of every candidate.
    n_units : int
        The number of units.
    unit : str
        What they are.
    positions : ndarray of int
        Where the search has each candidate.
    """

    score: object
    n_units: int
    unit: str
    positions: np.ndarray

    @property
    def scores(self):
        """The score of every candidate on all units."""
        return self.score(np.ones(self.n_units, dtype=int))

    def expected_lead(self, n_resamples, **drawing):
        """Estimate the lead of whoever wins such a selection, on other data.

        Units are drawn with replacement; the candidate with the best score on those
        drawn wins; its lead over the average candidate is taken on those left out. The
        error is the standard deviation of the lead of the best on those drawn.

        Parameters
        ----------
        n_resamples : int
            How often to draw.
        **drawing : dict
            `seed`, `n_jobs` and `verbose`.

        Returns
        -------
        Lead
            The lead and its standard error.
        """
        order, best = np.argsort(self.positions), np.nanargmax(self.scores)
        counts = Draws(functools.partial(unit_counts, self.n_units))
        lead = functools.partial(_leads, self.score, order, best)
        resampler = Resampler(counts, lead, "processes")
        leads = draw(resampler, n_resamples, label="selections", **drawing)
        lasting, of_best = (column[np.isfinite(column)] for column in leads.T)
        error = float(of_best.std(ddof=1)) if len(of_best) > 1 else np.nan
        return Lead(float(lasting.mean()) if len(lasting) else np.nan, error)


class SelectionBySplits(NamedTuple):
    """Candidates, selected by their mean scores over splits.

    Attributes
    ----------
    split_scores : ndarray of shape (n_candidates, n_splits)
        Their scores on every split.
    ratio : float
        The number of test rows over that of training rows.
    disjoint : bool
        Whether no two splits test the same row.
    positions : ndarray of int
        Where the search has each candidate.
    """

    split_scores: np.ndarray
    ratio: float
    disjoint: bool
    positions: np.ndarray

    unit = "splits"

    @property
    def n_units(self):
        """The number of splits."""
        return self.split_scores.shape[1]

    @property
    def scores(self):
        """The mean score of every candidate."""
        return mean_over_splits(self.split_scores, np.ones(self.n_units, dtype=int))

    def expected_lead(self, n_resamples, **drawing):
        """Estimate the lead of whoever wins such a selection, on other data.

        Splits are drawn with replacement, as rows are in `SelectionByUnits`. Those that
        test rows of others cannot be left out. Where there are such splits, mean scores
        are taken as normal, with the covariance of the scores of splits times
        ``1 / k + ratio``. A draw from this noise is added to them for the selection
        and subtracted for the lead: the two sums are independent. The error is that of
        the corrected t.

        Parameters
        ----------
        n_resamples : int
            How often to draw.
        **drawing : dict
            `seed`, `n_jobs` and `verbose`.

        Returns
        -------
        Lead
            The lead and its standard error.
        """
        scores, n_splits = self.split_scores, self.n_units
        if n_splits < 2:
            return Lead(np.nan, np.nan)
        of_best = scores[np.argmax(self.scores)] - scores.mean(axis=0)
        error = corrected_estimate(of_best, self.ratio).error
        if self.disjoint:
            score = functools.partial(mean_over_splits, scores)
            by_splits = SelectionByUnits(score, n_splits, self.unit, self.positions)
            lead = by_splits.expected_lead(n_resamples, **drawing).value
            return Lead(lead, error)
        means, order = self.scores, np.argsort(self.positions)
        scale = np.sqrt((1 / n_splits + self.ratio) / (n_splits - 1))
        noise = scale * (scores - means[:, np.newaxis])
        normal = Draws(functools.partial(np.random.Generator.normal, size=n_splits))
        lead = functools.partial(_lead_with_noise, means, noise, order)
        resampler = Resampler(normal, lead, "processes")
        leads = draw(resampler, n_resamples, label="selections", **drawing)
        return Lead(float(leads.mean()), error)


class Draws(NamedTuple):
    """A scheme of resampling of which every draw is a call of one function.

    Attributes
    ----------
    one : callable
        ``one(rng)`` makes a draw.
    """

    one: object

    chunk_size = 16

    def blocks(self, start, n_draws, rng):
        """Yield so many draws."""
        for _ in range(n_draws):
            yield self.one(rng)


def unit_counts(n_units, rng):
    """Draw as many units as there are, with replacement: how often did each come?"""
    return np.bincount(rng.integers(n_units, size=n_units), minlength=n_units)


def mean_over_splits(scores, counts):
    """Return the mean over splits, each as often as it was drawn."""
    return scores @ counts / counts.sum()


def _leads(score, order, best, counts):
    """Return the lead of the winner on units left out, of the best on those drawn."""
    left_out, inside = counts == 0, score(counts)
    lasting = np.nan
    if left_out.any():
        lasting = _lead_of_winner(inside, score(left_out.astype(int)), order)
    return np.array([[lasting, inside[best] - np.mean(inside)]])


def _lead_with_noise(means, noise, order, draws):
    shift = noise @ draws
    return np.array([_lead_of_winner(means + shift, means - shift, order)])


def _lead_of_winner(inside, outside, order):
    """Return the lead by some scores of the winner by others.

    Ties are won in an order that does not depend on scores: those of all units would
    tell about the units left out.
    """
    first = np.argmax(np.nan_to_num(inside, nan=-np.inf)[order])
    return outside[order[first]] - np.mean(outside)
