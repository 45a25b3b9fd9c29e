"""The rows that a test was made on, to look at them more closely."""

import numpy as np

from skcompare._evaluation import check_rows, problem_of_predictions
from skcompare.comparison import refuse_untaken


def rows_of(test, *, y_true, y_pred_a, y_pred_b, X, groups, strata, sample_weight):
    """Return the problem that a test was made on, or raise if rows cannot be those.

    Parameters
    ----------
    test : estimator or None
        The fitted test, if there is one.
    y_true, y_pred_a, y_pred_b : object
        Truth and predictions. Without truth the test's own rows are taken, and without
        predictions its fitted models are asked.
    X : object
        What the models are asked about.
    groups, strata, sample_weight : object
        As the test got them.

    Returns
    -------
    Problem
        Rows, predictions and metrics.
    """
    rows = {"groups": groups, "strata": strata, "sample_weight": sample_weight}
    if y_true is None and test is not None:
        return test.problem_
    if y_true is None:
        raise ValueError(
            "`y_true` must be given to look at single rows: for `slices`, and for rows "
            "on which the models disagree. Got None."
        )
    check_rows("y_true", y_true, X=X, **rows)
    predictions = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    missing = [name for name, values in predictions.items() if values is None]
    if test is None and not missing:
        return problem_of_predictions(y_true, predictions, **rows)
    askable = test is not None and test.cv == "prefit" and test.estimator_a is not None
    if len(missing) == 1 or (missing and (X is None or not askable)):
        raise ValueError(
            f"`{missing[0]}` must be given along with `y_true`: what the models "
            "predicted for those rows. Only a test of fitted models (cv='prefit') can "
            "be passed with `X` instead. Without `y_true`, a fitted test's own rows "
            "are taken."
        )
    refuse_untaken(test, rows)
    if missing:
        models = {"estimator_a": test.estimator_a, "estimator_b": test.estimator_b}
        problem = test.make_problem(models, X, y_true, **rows)
    else:
        problem = test.make_problem_of_predictions(y_true, predictions, **rows)
    _check_same_rows(test, problem, groups)
    return problem


def _check_same_rows(test, problem, groups):
    """Check that rows and predictions are those that the test saw."""
    for metric, result in test.results_.items():
        if problem.n_rows != result.n_rows:
            raise ValueError(
                "`y_true` must have the rows that the test was made on, i.e. "
                f"{result.n_rows}. Got {problem.n_rows}."
            )
        if groups is None and result.n_units != result.n_rows:
            raise ValueError(
                "`groups` must be given as to the test, which was made on "
                f"{result.n_units} groups. Got None."
            )
        seen = result.score_a, result.score_b
        scores = problem.statistics[metric].observed
        same = np.allclose(seen, scores, rtol=1e-9, atol=1e-12)
        if result.cv in ("prefit", "predictions") and not same:
            raise ValueError(
                "`y_true`, `y_pred_a` and `y_pred_b` must be what the test saw, in the "
                "same order, and so must `sample_weight`. There A and B scored "
                f"{seen[0]:.6g} and {seen[1]:.6g} in {metric}. Got predictions that "
                f"score {scores[0]:.6g} and {scores[1]:.6g}."
            )


def compare_at(test, problem, rows):
    """Make a test on some of the rows of a problem.

    All metrics share their resamples. If the test refuses one of them on these rows,
    each is tested by itself.

    Parameters
    ----------
    test : estimator
        The test.
    problem : Problem
        All rows.
    rows : ndarray of int
        Which of them.

    Returns
    -------
    results : dict of Result
        The results by metric, of those that are not refused.
    remarks : dict of list of str
        For each metric what is odd about it, or why it is refused.
    """
    try:
        outcome = test.compare(problem.at(rows))
    except ValueError as error:  # such as a slice that lacks a class
        if len(problem.statistics) == 1:
            return {}, {m: [f"not tested: {error}"] for m in problem.statistics}
        results, remarks = {}, {}
        for metric in problem.statistics:
            alone = compare_at(test, problem.with_metrics([metric]), rows)
            results, remarks = results | alone[0], remarks | alone[1]
        return results, remarks
    texts = [caveat.text for caveat in outcome.caveats]
    return outcome.results, dict.fromkeys(problem.statistics, texts)
