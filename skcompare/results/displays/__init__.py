"""Plots of numbers; matplotlib is imported when something is drawn."""

from skcompare.results.displays._base import Display
from skcompare.results.displays._critical_difference import CriticalDifferenceDisplay
from skcompare.results.displays._curves import PowerDisplay, ReplicabilityDisplay
from skcompare.results.displays._delta import DeltaDisplay
from skcompare.results.displays._forest import ForestDisplay
from skcompare.results.displays._matrix import DisagreementDisplay, PValueHeatmapDisplay
from skcompare.results.displays._posterior import PosteriorDisplay, RegionDisplay

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
