"""Is model A really better than model B, or did it get lucky on this test set?

The tests are here; results and displays are in `skcompare.results`, numeric functions
in `skcompare.stats`, scorers in `skcompare.metrics`, warnings in
`skcompare.exceptions`.
"""

from skcompare import exceptions, metrics, results, stats
from skcompare._version import __version__
from skcompare.comparison import (
    ApproxRandomization,
    BayesianComparison,
    BayesianCorrelatedTTest,
    BayesianHierarchical,
    BayesianSignedRank,
    CochranQ,
    ConservativeZ,
    CorrectedTTest,
    CorrelationTest,
    CrossValidationCLT,
    DeLong,
    FiveByTwoCV,
    FoldReplicability,
    FriedmanTest,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
    PairedTTest,
    SignTest,
    WilcoxonSignedRank,
    WildClusterBootstrap,
    replicability_analysis,
)
from skcompare.metrics import check_additive_scorer, make_additive_scorer
from skcompare.model_selection import (
    PairwiseComparison,
    RankComparison,
    SearchComparison,
    SimplestNotWorse,
)
from skcompare.planning import (
    check_choice,
    power,
    recommend_test,
    recommend_test_for_models,
)
from skcompare.reports import ComparisonReport, report
from skcompare.stats.corrections import adjust_pvalues

__all__ = [
    "ApproxRandomization",
    "BayesianComparison",
    "BayesianCorrelatedTTest",
    "BayesianHierarchical",
    "BayesianSignedRank",
    "CochranQ",
    "ComparisonReport",
    "ConservativeZ",
    "CorrectedTTest",
    "CorrelationTest",
    "CrossValidationCLT",
    "DeLong",
    "FiveByTwoCV",
    "FoldReplicability",
    "FriedmanTest",
    "McNemar",
    "NestedCVInterval",
    "PairedBootstrap",
    "PairedTTest",
    "PairwiseComparison",
    "RankComparison",
    "SearchComparison",
    "SignTest",
    "SimplestNotWorse",
    "WilcoxonSignedRank",
    "WildClusterBootstrap",
    "__version__",
    "adjust_pvalues",
    "check_additive_scorer",
    "check_choice",
    "exceptions",
    "make_additive_scorer",
    "metrics",
    "power",
    "recommend_test",
    "recommend_test_for_models",
    "replicability_analysis",
    "report",
    "results",
    "stats",
]
