"""The estimator-style tests, one per file."""

from skcompare.comparison._bootstrap import PairedBootstrap
from skcompare.comparison._mcnemar import McNemar
from skcompare.comparison._randomization import ApproxRandomization
from skcompare.comparison._sign import SignTest
from skcompare.comparison._ttest import PairedTTest
from skcompare.comparison._wilcoxon import WilcoxonSignedRank

__all__ = [
    "ApproxRandomization",
    "McNemar",
    "PairedBootstrap",
    "PairedTTest",
    "SignTest",
    "WilcoxonSignedRank",
]
