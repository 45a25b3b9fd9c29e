"""From models and data, or from predictions, to a sample that can be resampled."""

from skcompare._evaluation._cross_validation import (
    evaluate_out_of_fold,
    fit_on_folds,
    name_of_splits,
    shared_splits,
    trains_on_the_past,
)
from skcompare._evaluation._fold_problem import (
    FoldProblem,
    check_splits,
    fold_problem,
    fold_problem_of_scores,
)
from skcompare._evaluation._leakage import frozen_note, tears_groups
from skcompare._evaluation._predictions import evaluate_predictions
from skcompare._evaluation._prefit import evaluate_fitted
from skcompare._evaluation._problem import (
    Problem,
    check_rows,
    problem_of_models,
    problem_of_predictions,
    problem_of_row_scores,
)
from skcompare._evaluation._scoring import resolve_scoring
from skcompare._evaluation._source import name_of
from skcompare._evaluation._statistics import as_statistic
from skcompare._evaluation._weights import fit_parameters

__all__ = [
    "FoldProblem",
    "Problem",
    "as_statistic",
    "check_rows",
    "check_splits",
    "evaluate_fitted",
    "evaluate_out_of_fold",
    "evaluate_predictions",
    "fit_on_folds",
    "fit_parameters",
    "fold_problem",
    "fold_problem_of_scores",
    "frozen_note",
    "name_of",
    "name_of_splits",
    "problem_of_models",
    "problem_of_predictions",
    "problem_of_row_scores",
    "resolve_scoring",
    "shared_splits",
    "tears_groups",
    "trains_on_the_past",
]
