"""From models and data, or from predictions, to a sample that can be resampled."""

from skcompare.evaluation._cross_validation import (
    evaluate_out_of_fold,
    fit_on_folds,
    name_of_splits,
    shared_splits,
    trains_on_the_past,
)
from skcompare.evaluation._predictions import evaluate_predictions
from skcompare.evaluation._prefit import evaluate_fitted
from skcompare.evaluation._scoring import resolve_scoring
from skcompare.evaluation._source import name_of
from skcompare.evaluation._weights import fit_parameters

__all__ = [
    "evaluate_fitted",
    "evaluate_out_of_fold",
    "evaluate_predictions",
    "fit_on_folds",
    "fit_parameters",
    "name_of",
    "name_of_splits",
    "resolve_scoring",
    "shared_splits",
    "trains_on_the_past",
]
