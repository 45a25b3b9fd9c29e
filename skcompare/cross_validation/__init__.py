"""Comparing learning procedures: tests on the scores of cross-validation."""

from skcompare.cross_validation._bayesian_t import BayesianCorrelatedTTest
from skcompare.cross_validation._clt import CrossValidationCLT
from skcompare.cross_validation._corrected_t import CorrectedTTest
from skcompare.cross_validation._five_by_two import FiveByTwoCV
from skcompare.cross_validation._fold_replicability import FoldReplicability
from skcompare.cross_validation._nested import NestedCVInterval
from skcompare.cross_validation._replicability import replicability_analysis

__all__ = [
    "BayesianCorrelatedTTest",
    "CorrectedTTest",
    "CrossValidationCLT",
    "FiveByTwoCV",
    "FoldReplicability",
    "NestedCVInterval",
    "replicability_analysis",
]
