"""The estimator-style tests, one per file."""

from skcompare.comparison._bootstrap import PairedBootstrap
from skcompare.comparison._randomization import ApproxRandomization

__all__ = ["ApproxRandomization", "PairedBootstrap"]
