"""Pictures of numbers; matplotlib is imported when something is drawn."""

from skcompare.display._delta import DeltaDisplay

__all__ = ["DeltaDisplay"]
