"""Evaluation of models, or of predictions, into a problem that can be resampled."""

from skcompare._evaluation._cross_validation import (
    evaluate_out_of_fold,
    frozen_note,
    groups_overlap,
    name_of_splits,
    shared_splits,
    splitter_for,
    trains_on_the_past,
)
from skcompare._evaluation._fits import (
    fit_on_folds,
    fit_parameters,
    fit_parameters_of,
    metadata_router,
)
from skcompare._evaluation._fold_problem import (
    FoldProblem,
    check_splits,
    fold_problem,
    fold_problem_of_scores,
)
from skcompare._evaluation._models import facts_of_models, name_of, target_type
from skcompare._evaluation._problem import (
    Problem,
    problem_of_models,
    problem_of_predictions,
    problem_of_row_scores,
)
from skcompare._evaluation._scoring import resolve_scoring, scoring_at
from skcompare._evaluation._statistics import as_statistic
