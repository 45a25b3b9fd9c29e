"""How the answers of cross-validation folds become one score.

Each way is a class here and an entry in `AGGREGATES`: it says what is scored, what that
is called, and within what rows are redrawn.
"""

import numpy as np

from skcompare._engine import as_statistic, fold_mean_statistic
from skcompare.comparison._caveats import pooling_caveat

__all__ = ["AGGREGATES", "POOLED"]


class Pooled:
    """All answers are scored as one test set."""

    # What to do about strata of a single unit.
    remedy = "Merge small strata."

    def statistic(self, scorer, name, sample):
        """Return the statistic of a scorer."""
        return as_statistic(scorer, name, sample)

    def subject(self, sample):
        """Return whose scores are compared, in words."""
        return sample.subject

    def origin(self, sample):
        """Return where the scores come from."""
        return sample.origin

    def strata(self, sample, groups, strata):
        """Return the strata within which rows, or groups of them, are redrawn."""
        return strata

    def caveat(self, sample, statistics):
        """Return what users must be told about such scores."""
        return pooling_caveat(sample, statistics)


class FoldMean:
    """Each fold is scored by itself, and the scores are averaged.

    Rows are redrawn within folds, which are strata: a fold keeps its size.
    """

    remedy = "Folds are strata here: use fewer of them, and merge small strata."

    def statistic(self, scorer, name, sample):
        """Return the statistic of a scorer."""
        if sample.fold is None:
            raise ValueError(
                "`aggregate` 'fold_mean' averages over the folds of a "
                f"cross-validation. Got answers without folds ({sample.origin}). Give "
                "`cv` a number of folds or a splitter, or use aggregate='pooled'."
            )
        return fold_mean_statistic(scorer, name, sample)

    def subject(self, sample):
        """Return whose scores are compared, in words."""
        return "models trained on such folds, by the mean over folds of their scores"

    def origin(self, sample):
        """Return where the scores come from."""
        return f"{sample.origin}, fold_mean"

    def strata(self, sample, groups, strata):
        """Return folds, divided further by the strata given, if any."""
        units = np.arange(sample.n_rows) if groups is None else groups
        _check_nesting(sample, units)
        if strata is None:
            return sample.fold
        return sample.fold * (strata.max() + 1) + strata

    def caveat(self, sample, statistics):
        """Return what users must be told about such scores: nothing."""
        return None


def _check_nesting(sample, units):
    """Check that folds have several units, and each unit is in one fold."""
    fold_of_pair, unit_of_pair = np.unique(np.stack([sample.fold, units]), axis=1)
    if len(np.unique(unit_of_pair)) < len(unit_of_pair):
        _refuse_split_units(sample)
    if np.bincount(fold_of_pair).max() < 2:
        raise ValueError(
            "`aggregate` 'fold_mean' redraws rows, or groups, within folds, so folds "
            f"must have several of them. Got one in each ({sample.origin}). Use fewer "
            "folds, or aggregate='pooled'."
        )


def _refuse_split_units(sample):
    if len(np.unique(sample.indices)) < sample.n_rows:
        raise ValueError(
            "`aggregate` 'fold_mean' redraws rows within folds, so `cv` must test each "
            f"row once. Got rows that are tested several times ({sample.origin}). For "
            "repeated cross-validation use CorrectedTTest, or aggregate='pooled'."
        )
    raise ValueError(
        "`groups` must nest in folds with aggregate='fold_mean', which redraws groups "
        f"within folds. Got groups with rows in several folds ({sample.origin}). Use a "
        "splitter such as GroupKFold, or aggregate='pooled'."
    )


POOLED = Pooled()
AGGREGATES = {"pooled": POOLED, "fold_mean": FoldMean()}
