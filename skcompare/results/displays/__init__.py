"""Plots of numbers; matplotlib is imported when something is drawn."""

from skcompare.results.displays._base import Display
from skcompare.results.displays._critical_difference import CriticalDifferenceDisplay
from skcompare.results.displays._delta import DeltaDisplay
from skcompare.results.displays._disagreement import DisagreementDisplay
from skcompare.results.displays._forest import ForestDisplay
from skcompare.results.displays._posterior import PosteriorDisplay
from skcompare.results.displays._power import PowerDisplay
from skcompare.results.displays._pvalue_heatmap import PValueHeatmapDisplay
from skcompare.results.displays._region import RegionDisplay
from skcompare.results.displays._replicability import ReplicabilityDisplay

__all__ = [
    "CriticalDifferenceDisplay",
    "DeltaDisplay",
    "DisagreementDisplay",
    "Display",
    "ForestDisplay",
    "PValueHeatmapDisplay",
    "PosteriorDisplay",
    "PowerDisplay",
    "RegionDisplay",
    "ReplicabilityDisplay",
]
