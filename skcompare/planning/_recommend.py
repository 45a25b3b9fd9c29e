"""Recommend a test for predictions or models."""

import functools
import math
from collections.abc import Iterator

from skcompare._evaluation import (
    problem_of_models,
    problem_of_predictions,
    resolve_scoring,
)
from skcompare._validation import as_array, check_rows
from skcompare.comparison import (
    FEWEST_UNITS,
    ApproxRandomization,
    CorrelationTest,
    CrossValidationCLT,
    DeLong,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    SignTest,
    WilcoxonSignedRank,
    WildClusterBootstrap,
    advice_on,
)
from skcompare.planning._cautions import cautions_about_data, cautions_about_test
from skcompare.planning._choices import choose, unmet_needs
from skcompare.planning._facts import Setting, gather_facts
from skcompare.planning._questions import made, other_questions
from skcompare.planning._results import Alternative, Recommendation
from skcompare.planning._timing import about_time, seconds_per_resample

# All tests of the same question, in the order in which they are listed.
TESTS = (
    McNemar,
    PairedTTest,
    DeLong,
    PairedBootstrap,
    ApproxRandomization,
    WilcoxonSignedRank,
    SignTest,
)
# The usual number of resamples, and the fewest where they take long.
N_RESAMPLES, FEWEST_RESAMPLES = 9_999, 999
# Where all of these take longer than so many seconds, the fewest are recommended.
LONG = 600
# So many resamples should be able to make a p-value of the level.
RESAMPLES_BELOW_LEVEL = 20

ABOUT_SIDES = (
    "The test is one-sided: is A, the challenger, better? If it was not decided "
    "beforehand which model that is, set alternative='two-sided'."
)


def _refuse_models(function):
    """Let a function of predictions say what to call instead if it gets models."""

    @functools.wraps(function)
    def checked(*args, **kwargs):
        named = (kwargs.get(name) for name in ("y_true", "y_pred_a", "y_pred_b"))
        models = [a for a in (*args, *named) if hasattr(a, "predict")]
        if models:
            raise TypeError(
                f"{function.__name__} takes the truth and the predictions of two "
                f"models. Got a model, {models[0]!r}. Call "
                "recommend_test_for_models(estimator_a, estimator_b, X, y), with `cv` "
                "if the models are not fitted."
            )
        return function(*args, **kwargs)

    return checked


@_refuse_models
def recommend_test(
    y_true,
    y_pred_a,
    y_pred_b,
    *,
    scoring,
    groups=None,
    sample_weight=None,
    n_comparisons=1,
    alpha=0.05,
):
    """Recommend the test that fits a metric and the predictions of two models.

    The decision tree is that of Dror et al. [1]_: a parametric test where the
    distribution of the difference is known, else resampling; and never a test on data
    that it is not made for. :func:`recommend_test_for_models` does the same for models,
    fitted or, with ``cv=``, to be fitted.

    Read more in the :ref:`User Guide <which_test_to_use>`.

    Parameters
    ----------
    y_true : array-like
        The truth.
    y_pred_a, y_pred_b : array-like or dict
        What the models predicted, as for `PairedBootstrap.fit_predictions`.
    scoring : str, callable or None
        The metric: one, as in scikit-learn. None is accuracy or R2.
    groups : array-like of shape (n_samples,), default=None
        Rows with the same label belong together.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of rows, which the scorer takes.
    n_comparisons : int, default=1
        The number of comparisons that are made in all. The `alpha` of the recommended
        test is that of all divided by it (Bonferroni).
    alpha : float, default=0.05
        The level of all comparisons together: the chance of a false positive.

    Returns
    -------
    Recommendation
        The test, ready to fit, with reasons, warnings, alternatives, and tests of
        other questions.

    See Also
    --------
    recommend_test_for_models : Recommend a test for models and data.
    check_choice : Judge a test that was chosen already.

    Notes
    -----
    A test must not be chosen by its p-value. Nothing here looks at it: what counts is
    the kind of score, the number of rows and groups, and the shape of the differences,
    not where they lie.

    Right and wrong get `McNemar` with ``variant="mid-p"``. Its level is an average over
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
    McNemar()
    >>> print(advice.reasons[1])
    accuracy is a mean of per-row scores with two values: ...
    >>> test = advice.test.fit_predictions(truth, pred_a, pred_b)

    F1 is not a mean of per-row scores:

    >>> recommend_test(truth, pred_a, pred_b, scoring="f1").test
    PairedBootstrap(scoring='f1')

    What the test does not answer:

    >>> for other in advice.other_questions:
    ...     print(other.question, type(other.test).__name__)
    How probable is it that A is better, by enough to matter? BayesianComparison
    """
    setting = Setting(scoring=scoring, n_comparisons=n_comparisons, alpha=alpha)
    rows = {"groups": groups, "sample_weight": sample_weight}
    return recommend(facts_of_predictions(setting, y_true, y_pred_a, y_pred_b, **rows))


def recommend_test_for_models(
    estimator_a,
    estimator_b,
    X,
    y,
    *,
    scoring=None,
    cv="prefit",
    groups=None,
    sample_weight=None,
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
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of rows, for the scorer and with `cv` for the fits of the models.
    n_comparisons : int, default=1
        The number of comparisons that are made in all.
    alpha : float, default=0.05
        The level of all comparisons together.

    Returns
    -------
    Recommendation
        The test, with the models, ready to fit. With `cv` it is about the models that
        were fitted on these folds; `other_questions` has the tests that ask which
        learning algorithm is better.

    See Also
    --------
    recommend_test : Recommend a test for predictions.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Lasso, Ridge
    >>> from skcompare import recommend_test_for_models
    >>> X, y = load_diabetes(return_X_y=True)
    >>> advice = recommend_test_for_models(
    ...     Ridge(), Lasso(), X, y, scoring="neg_mean_absolute_error", cv=5)
    >>> type(advice.test).__name__, advice.call
    ('PairedTTest', 'test.fit(X, y)')

    Would it be so on other training data, too? That is another question:

    >>> print(advice.other_questions[0].question)
    Which learning algorithm is better, on other training data too?
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
    check_rows("X", X, y=y, groups=groups, sample_weight=sample_weight)
    scorers = _one_scorer(scoring, y=y, models=list(models.values()))
    problem = problem_of_models(
        models,
        X,
        y,
        scoring=scorers,
        cv=cv,
        groups=groups,
        sample_weight=sample_weight,
    )
    return recommend(gather_facts(problem, next(iter(scorers.values())), setting))


def facts_of_predictions(setting, y_true, y_pred_a, y_pred_b, *, narrowed=True, **rows):
    """Gather facts about predictions; `rows` are groups and weights."""
    scorers = _one_scorer(setting.scoring, y=as_array(y_true, "y_true"))
    predictions = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    problem = problem_of_predictions(y_true, predictions, scoring=scorers, **rows)
    scorer = next(iter(scorers.values()))
    return gather_facts(problem, scorer, setting, narrowed=narrowed)


def _one_scorer(scoring, **data):
    """Return the scorer, by name, of a single metric."""
    scorers = resolve_scoring(scoring, **data)
    if len(scorers) > 1:
        raise ValueError(
            "`scoring` must be one metric here, since each may call for another test. "
            f"Got {', '.join(map(repr, scorers))}. Ask for one after the other, each "
            f"with n_comparisons={len(scorers)}: that corrects for their number."
        )
    return scorers


# From facts to a recommendation


def recommend(facts):
    """Recommend a test.

    Parameters
    ----------
    facts : Facts
        What is known about the comparison.

    Returns
    -------
    Recommendation
        The test, ready to fit.
    """
    chosen, params, reasons = choose(facts)
    setting, seconds = facts.setting, 0.0
    if chosen.randomizes:
        seconds = seconds_per_resample(facts.problem, chosen)
    usual = N_RESAMPLES if seconds * N_RESAMPLES <= LONG else FEWEST_RESAMPLES
    fewest = math.ceil(RESAMPLES_BELOW_LEVEL / setting.level) - 1
    n_resamples = max(usual, fewest)
    test = made(
        chosen,
        {
            **setting.of_models,
            "scoring": setting.scoring,
            "alpha": setting.level,
            "n_resamples": n_resamples,
            **params,
        },
    )
    # What is turned or swapped has only so many ways.
    n_turned = {"predictions": facts.n_discordant_units, "signs": facts.n_units}
    if chosen.randomizes in n_turned:
        n_resamples = min(n_resamples, 2 ** n_turned[chosen.randomizes])
    if chosen.randomizes:
        reasons.append(about_time(n_resamples, n_resamples * seconds))
    others = []
    tests = TESTS + (CorrelationTest,) * (facts.correlation is not None)
    few = min(facts.n_effective, facts.n_holding) < FEWEST_UNITS
    few = few and (facts.grouped or facts.weighted)
    tests += (WildClusterBootstrap,) * few
    tests += (CrossValidationCLT,) * facts.cross_validated
    for other in tests:
        if other is chosen:
            continue
        against = unmet_needs(other(), facts)
        remarks = (r for r in advice_on(other).why_not if r.when(test, facts))
        why = against or [next(remarks).text(test, facts)]
        others.append(Alternative(other.__name__, not against, " ".join(why)))
    truth = "y" if setting.models else "y_true"
    positive = facts.positive
    narrowing = "" if positive is None else f"rows = {truth} == {positive!r}; "
    return Recommendation(
        test=test,
        about=facts.about_folds(),
        call=narrowing + f"test.{facts.fit_call()}",
        positive=facts.positive,
        block_length=facts.block_length,
        reasons=(*reasons, ABOUT_SIDES),
        warnings=(
            *cautions_about_data(test, facts),
            *cautions_about_test(test, facts),
        ),
        alternatives=tuple(sorted(others, key=lambda other: not other.valid)),
        other_questions=other_questions(test, facts),
    )
