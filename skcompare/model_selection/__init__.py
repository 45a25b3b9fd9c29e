"""Comparing several models: pairs, ranks, and the candidates of a search."""

from skcompare.model_selection._pairwise import PairwiseComparison
from skcompare.model_selection._ranks import RankComparison
from skcompare.model_selection._refit import SimplestNotWorse
from skcompare.model_selection._search import SearchComparison

__all__ = [
    "PairwiseComparison",
    "RankComparison",
    "SearchComparison",
    "SimplestNotWorse",
]
