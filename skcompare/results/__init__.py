"""Results of comparisons, which can be printed, exported and plotted.

Also the displays that plot them, and the document sections that represent them.
"""

from skcompare.results._base import Presentable, Result, notebook_html
from skcompare.results._comparison import ComparisonResult, ScoreResult
from skcompare.results._document import (
    Code,
    Document,
    Figure,
    Notes,
    Paragraph,
    Section,
    Table,
    one_line,
    shortened,
)
from skcompare.results._omnibus import OmnibusResult, RankResult, ReplicabilityResult
from skcompare.results._pairwise import PairwiseResult
from skcompare.results._posterior import PosteriorResult, RegionResult
from skcompare.results._search import SearchResult, candidate_labels
from skcompare.results.displays._base import Display
from skcompare.results.displays._distributions import (
    DeltaDisplay,
    PosteriorDisplay,
    RegionDisplay,
)
from skcompare.results.displays._lines import (
    CriticalDifferenceDisplay,
    ForestDisplay,
    PowerDisplay,
    ReplicabilityDisplay,
)
from skcompare.results.displays._matrix import DisagreementDisplay, PValueHeatmapDisplay
from skcompare.results.writers import SUFFIXES, write

__all__ = [
    "SUFFIXES",
    "Code",
    "ComparisonResult",
    "CriticalDifferenceDisplay",
    "DeltaDisplay",
    "DisagreementDisplay",
    "Display",
    "Document",
    "Figure",
    "ForestDisplay",
    "Notes",
    "OmnibusResult",
    "PValueHeatmapDisplay",
    "PairwiseResult",
    "Paragraph",
    "PosteriorDisplay",
    "PosteriorResult",
    "PowerDisplay",
    "RankResult",
    "RegionDisplay",
    "RegionResult",
    "ReplicabilityDisplay",
    "ReplicabilityResult",
    "Result",
    "ScoreResult",
    "SearchResult",
    "Section",
    "Presentable",
    "Table",
    "candidate_labels",
    "notebook_html",
    "one_line",
    "shortened",
    "write",
]
