"""Is model A really better than model B, or did it get lucky on this test set?"""

from skcompare import exceptions, metrics
from skcompare._version import __version__
from skcompare.advice import (
    Alternative,
    PowerResult,
    Recommendation,
    Verdict,
    check_choice,
    power,
    recommend_test,
)
from skcompare.comparison import (
    ApproxRandomization,
    CochranQ,
    DeLong,
    FriedmanTest,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    SignTest,
    WilcoxonSignedRank,
)
from skcompare.display import DeltaDisplay
from skcompare.inference import ConfidenceInterval
from skcompare.metrics import check_additive_scorer, make_additive_scorer
from skcompare.results import ComparisonResult, OmnibusResult

__all__ = [
    "Alternative",
    "ApproxRandomization",
    "CochranQ",
    "ComparisonResult",
    "ConfidenceInterval",
    "DeLong",
    "DeltaDisplay",
    "FriedmanTest",
    "McNemar",
    "OmnibusResult",
    "PairedBootstrap",
    "PairedTTest",
    "PowerResult",
    "Recommendation",
    "SignTest",
    "Verdict",
    "WilcoxonSignedRank",
    "__version__",
    "check_additive_scorer",
    "check_choice",
    "exceptions",
    "make_additive_scorer",
    "metrics",
    "power",
    "recommend_test",
]
