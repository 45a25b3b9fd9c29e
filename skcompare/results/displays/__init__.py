"""Plots of numbers; matplotlib is imported when something is drawn."""

from skcompare.results.displays._base import Display
from skcompare.results.displays._curves import PowerDisplay, ReplicabilityDisplay
from skcompare.results.displays._distributions import (
    DeltaDisplay,
    PosteriorDisplay,
    RegionDisplay,
)
from skcompare.results.displays._lines import CriticalDifferenceDisplay, ForestDisplay
from skcompare.results.displays._matrix import DisagreementDisplay, PValueHeatmapDisplay

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
