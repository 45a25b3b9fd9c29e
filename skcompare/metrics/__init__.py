"""Scorers that scikit-learn does not have, all of which say how they add up."""

from skcompare.metrics._additive import check_additive_scorer, make_additive_scorer

__all__ = ["check_additive_scorer", "make_additive_scorer"]
