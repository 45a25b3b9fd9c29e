"""From models and data, or from predictions, to a sample that can be resampled."""

from skcompare.evaluation._cross_validation import evaluate_out_of_fold
from skcompare.evaluation._predictions import evaluate_predictions
from skcompare.evaluation._prefit import evaluate_fitted
from skcompare.evaluation._scoring import resolve_scoring
from skcompare.evaluation._weights import accepts_weights

__all__ = [
    "accepts_weights",
    "evaluate_fitted",
    "evaluate_out_of_fold",
    "evaluate_predictions",
    "resolve_scoring",
]
