"""Scorers that scikit-learn does not have, all of which say how they add up."""

from skcompare.metrics._additive import check_additive_scorer, make_additive_scorer
from skcompare.metrics._ratios import (
    las_scorer,
    pearson_scorer,
    perplexity_scorer,
    uas_scorer,
)
from skcompare.metrics._text import bleu_scorer, chrf_scorer, ter_scorer

__all__ = [
    "bleu_scorer",
    "check_additive_scorer",
    "chrf_scorer",
    "las_scorer",
    "make_additive_scorer",
    "pearson_scorer",
    "perplexity_scorer",
    "ter_scorer",
    "uas_scorer",
]
