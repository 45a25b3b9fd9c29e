"""The estimator-style tests, one per file."""

from skcompare.comparison._bayesian import BayesianComparison
from skcompare.comparison._bayesian_hierarchical import BayesianHierarchical
from skcompare.comparison._bayesian_signed_rank import BayesianSignedRank
from skcompare.comparison._bootstrap import PairedBootstrap
from skcompare.comparison._caveats import FEWEST_UNITS
from skcompare.comparison._cochran import CochranQ
from skcompare.comparison._delong import DeLong
from skcompare.comparison._friedman import FriedmanTest
from skcompare.comparison._mcnemar import McNemar
from skcompare.comparison._needs import NO_EXCHANGE, Fact, Remark, advice_on, takes
from skcompare.comparison._posteriors import FEWEST_DISCORDANT
from skcompare.comparison._randomization import ApproxRandomization
from skcompare.comparison._sign import SignTest
from skcompare.comparison._ttest import PairedTTest
from skcompare.comparison._wilcoxon import WilcoxonSignedRank

__all__ = [
    "ApproxRandomization",
    "BayesianComparison",
    "BayesianHierarchical",
    "BayesianSignedRank",
    "CochranQ",
    "DeLong",
    "FEWEST_DISCORDANT",
    "FEWEST_UNITS",
    "Fact",
    "FriedmanTest",
    "McNemar",
    "NO_EXCHANGE",
    "PairedBootstrap",
    "PairedTTest",
    "Remark",
    "SignTest",
    "WilcoxonSignedRank",
    "advice_on",
    "takes",
]
