"""What comparisons found: frozen dataclasses that print, export and draw themselves."""

from skcompare.results._base import Result
from skcompare.results._comparison import ComparisonResult
from skcompare.results._omnibus import OmnibusResult
from skcompare.results._pairwise import PairwiseResult
from skcompare.results._posterior import PosteriorResult
from skcompare.results._ranks import RankResult
from skcompare.results._regions import RegionResult
from skcompare.results._replicability import ReplicabilityResult
from skcompare.results._search import SearchResult
from skcompare.results._table import Table

__all__ = [
    "ComparisonResult",
    "OmnibusResult",
    "PairwiseResult",
    "PosteriorResult",
    "RankResult",
    "RegionResult",
    "ReplicabilityResult",
    "Result",
    "SearchResult",
    "Table",
]
