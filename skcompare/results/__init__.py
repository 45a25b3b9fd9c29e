"""What comparisons found: frozen dataclasses that print, export and draw themselves."""

from skcompare.results._base import Result
from skcompare.results._comparison import ComparisonResult
from skcompare.results._omnibus import OmnibusResult

__all__ = ["ComparisonResult", "OmnibusResult", "Result"]
