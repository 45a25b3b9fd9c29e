"""Where advice begins: answers, or models and data."""

from collections.abc import Iterator

from skcompare._frames import check_same_order
from skcompare._validation import (
    as_array,
    check_option,
    check_same_length,
    number_of_rows,
)
from skcompare.advice._advisor import recommend
from skcompare.advice._facts import gather_facts
from skcompare.advice._setting import Setting
from skcompare.evaluation import (
    evaluate_fitted,
    evaluate_out_of_fold,
    evaluate_predictions,
    resolve_scoring,
)

__all__ = ["facts_of_predictions", "recommend_test"]


def recommend_test(
    y_true,
    y_pred_a,
    y_pred_b,
    *,
    scoring,
    groups=None,
    n_comparisons=1,
    alpha=0.05,
):
    """Recommend the test that fits a metric and the answers of two models.

    The decision tree is that of Dror et al. [1]_: a parametric test where the
    distribution of the difference is known, else resampling; and never a test on data
    that it is not made for. ``recommend_test.from_estimators(estimator_a, estimator_b,
    X, y)`` does the same for models, fitted or, with ``cv=``, to be fitted.

    Read more in the :ref:`User Guide <which_test_to_use>`.

    Parameters
    ----------
    y_true : array-like
        The truth.
    y_pred_a, y_pred_b : array-like or dict
        What the models answered, as for `PairedBootstrap.fit_predictions`.
    scoring : str, callable or None
        The metric: one, as in scikit-learn. None is accuracy or R2.
    groups : array-like of shape (n_samples,), default=None
        Rows with the same label belong together.
    n_comparisons : int, default=1
        The number of comparisons that are made in all. The `alpha` of the recommended
        test is that of all divided by it (Bonferroni).
    alpha : float, default=0.05
        The level of all comparisons together: the chance of a false finding.

    Returns
    -------
    Recommendation
        The test, ready to fit, with reasons, warnings, alternatives, and what answers
        other questions.

    See Also
    --------
    check_choice : Judge a test that was chosen already.

    Notes
    -----
    A test must not be chosen by its p-value. Nothing here looks at it: what counts is
    the kind of score, the number of rows and groups, and the shape of the differences,
    not where they lie.

    Right and wrong get `McNemar` with ``variant="midp"``. Its level is an average over
    how many rows happen to be discordant: at most .0502 for .05 as long as half of all
    rows or fewer are, for any number of rows up to 500; that of the exact variant is
    about .03. Where more rows are discordant the exact variant is recommended.

    References
    ----------
    .. [1] Dror, R., Baumer, G., Shlomov, S. and Reichart, R. (2018). The hitchhiker's
       guide to testing statistical significance in natural language processing. ACL
       2018, 1383-1392. :doi:`10.18653/v1/P18-1128`

    Examples
    --------
    >>> from skcompare import recommend_test
    >>> truth = [0, 1] * 20
    >>> pred_a, pred_b = [0, 1] * 18 + [1, 0] * 2, [0, 1] * 12 + [1, 0, 0, 1] * 4
    >>> advice = recommend_test(truth, pred_a, pred_b, scoring="accuracy")
    >>> advice.test
    McNemar(variant='midp')
    >>> print(advice.reasons[1])
    accuracy is an average over rows, and a row has one of two values: ...
    >>> test = advice.test.fit_predictions(truth, pred_a, pred_b)

    F1 is no average over rows:

    >>> recommend_test(truth, pred_a, pred_b, scoring="f1").test
    PairedBootstrap(scoring='f1')

    What the test does not answer:

    >>> for other in advice.other_questions:
    ...     print(other.question, type(other.test).__name__)
    How probable is it that A is better, by enough to matter? BayesianComparison
    """
    setting = Setting(scoring=scoring, n_comparisons=n_comparisons, alpha=alpha)
    facts = facts_of_predictions(y_true, y_pred_a, y_pred_b, scoring, groups)
    return recommend(facts, setting)


def facts_of_predictions(y_true, y_pred_a, y_pred_b, scoring, groups):
    """Gather facts about answers that the user has."""
    _check_rows("y_true", y_true, groups=groups)
    scorers = _one_scorer(resolve_scoring(scoring, y=as_array(y_true, "y_true")))
    predictions = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    sample = evaluate_predictions(
        y_true, predictions, sample_weight=None, same_methods=False
    )
    return gather_facts(sample, scorers, groups)


def _from_estimators(
    estimator_a,
    estimator_b,
    X,
    y,
    *,
    scoring=None,
    cv="prefit",
    groups=None,
    n_comparisons=1,
    alpha=0.05,
):
    """Recommend the test that fits a metric and two models.

    Parameters
    ----------
    estimator_a, estimator_b : estimator
        The challenger and the baseline.
    X : array-like, sparse matrix, DataFrame or list
        With ``cv="prefit"`` test data that neither model has seen; otherwise the data
        for cross-validation.
    y : array-like
        The truth.
    scoring : str, callable or None, default=None
        The metric: one, as in scikit-learn. None takes the models' own `score`.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" takes fitted models as they are; anything else fits clones.
    groups : array-like of shape (n_samples,), default=None
        Rows with the same label belong together. Also passed to the splitter.
    n_comparisons : int, default=1
        The number of comparisons that are made in all.
    alpha : float, default=0.05
        The level of all comparisons together.

    Returns
    -------
    Recommendation
        The test, with the models, ready to fit. With `cv` it is about the models that
        were fitted on these folds; `other_questions` has the tests that ask which way
        of learning is better.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Lasso, Ridge
    >>> from skcompare import recommend_test
    >>> X, y = load_diabetes(return_X_y=True)
    >>> advice = recommend_test.from_estimators(
    ...     Ridge(), Lasso(), X, y, scoring="neg_mean_absolute_error", cv=5)
    >>> type(advice.test).__name__, advice.call
    ('PairedTTest', 'test.fit(X, y)')

    Would it be so on other training data, too? That is another question:

    >>> print(advice.other_questions[0].question)
    Which way of learning is better, on other training data too?
    >>> advice.other_questions[0].test.cv
    RepeatedKFold(n_repeats=10, n_splits=5, random_state=0)
    """
    cv = list(cv) if isinstance(cv, Iterator) else cv  # it will be asked again
    models = {"estimator_a": estimator_a, "estimator_b": estimator_b}
    setting = Setting(
        scoring=scoring,
        n_comparisons=n_comparisons,
        alpha=alpha,
        models=models,
        cv=cv,
    )
    _check_rows("X", X, y=y, groups=groups)
    scorers = _one_scorer(resolve_scoring(scoring, y=y, models=list(models.values())))
    sample = _evaluate(models, X, y, cv, scorers, groups)
    return recommend(gather_facts(sample, scorers, groups), setting)


_from_estimators.__name__ = "from_estimators"
_from_estimators.__qualname__ = "recommend_test.from_estimators"
recommend_test.from_estimators = _from_estimators


def _evaluate(models, X, y, cv, scorers, groups):
    shared = {"sample_weight": None, "same_methods": False}
    if isinstance(cv, str):
        check_option("cv", cv, ("prefit",))
        return evaluate_fitted(models, X, y, **shared)
    wanted = {"scorers": list(scorers.values()), "groups": groups, "n_jobs": None}
    return evaluate_out_of_fold(models, X, y, cv=cv, **wanted, **shared)


def _check_rows(name, values, **others):
    n_rows = number_of_rows(values, name)
    if n_rows < 2:
        raise ValueError(
            f"`{name}` must have at least 2 rows to compare models on. Got {n_rows}."
        )
    check_same_length((name, n_rows), **others)
    check_same_order(**{name: values}, **others)


def _one_scorer(scorers):
    if len(scorers) > 1:
        raise ValueError(
            "`scoring` must be one metric here, since each may call for another test. "
            f"Got {', '.join(map(repr, scorers))}. Ask for one after the other."
        )
    return scorers
