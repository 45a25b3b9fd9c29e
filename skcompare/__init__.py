from skcompare import exceptions, metrics, results, stats
from skcompare._version import __version__
from skcompare.comparison import *
from skcompare.stats import adjust_pvalues, hdi
from skcompare.metrics import check_additive_scorer, make_additive_scorer
from skcompare.model_selection import (
    PairwiseComparison,
    RankComparison,
    SearchComparison,
    SimplestNotWorse,
)
