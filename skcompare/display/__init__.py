"""Pictures of numbers; matplotlib is imported when something is drawn."""

from skcompare.display._critical_difference import CriticalDifferenceDisplay
from skcompare.display._delta import DeltaDisplay
from skcompare.display._disagreement import DisagreementDisplay
from skcompare.display._forest import ForestDisplay
from skcompare.display._posterior import PosteriorDisplay
from skcompare.display._power import PowerDisplay
from skcompare.display._pvalue_heatmap import PValueHeatmapDisplay
from skcompare.display._region import RegionDisplay
from skcompare.display._replicability import ReplicabilityDisplay

__all__ = [
    "CriticalDifferenceDisplay",
    "DeltaDisplay",
    "DisagreementDisplay",
    "ForestDisplay",
    "PValueHeatmapDisplay",
    "PosteriorDisplay",
    "PowerDisplay",
    "RegionDisplay",
    "ReplicabilityDisplay",
]
