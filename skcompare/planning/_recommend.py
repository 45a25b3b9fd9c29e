"""Recommend a test for predictions or models, or judge one that was chosen already."""

import dataclasses
import functools
from collections.abc import Iterator

from skcompare import comparison
from skcompare._evaluation import (
    problem_of_models,
    problem_of_predictions,
    resolve_scoring,
)
from skcompare._parameters import RULES
from skcompare._validation import as_array
from skcompare.comparison import FEWEST_UNITS, advice_on
from skcompare.planning._choices import choose
from skcompare.planning._facts import gather_facts
from skcompare.planning._judge import (
    cautions_about_data,
    cautions_about_test,
    objections,
    unmet_needs,
)
from skcompare.planning._questions import made, other_questions
from skcompare.planning._results import Alternative, Recommendation, Verdict

# All tests of the same question, in the order in which they are listed.
TESTS = (
    comparison.McNemar,
    comparison.PairedTTest,
    comparison.DeLong,
    comparison.PairedBootstrap,
    comparison.ApproxRandomization,
    comparison.WilcoxonSignedRank,
    comparison.SignTest,
)
# The level of all comparisons together that a chosen test should keep.
ALPHA = 0.05

ABOUT_SIDES = (
    "The test is one-sided: is A, the challenger, better? If it was not decided "
    "beforehand which model that is, set alternative='two-sided'."
)


def _refuse_models(function):
    """Let a function of predictions say what to call instead if it gets models."""

    @functools.wraps(function)
    def checked(*args, **kwargs):
        models = [v for v in (*args, *kwargs.values()) if hasattr(v, "predict")]
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
    asked = _asked(scoring, n_comparisons, alpha)
    rows = {"groups": groups, "sample_weight": sample_weight}
    return recommend(_facts_of_predictions(asked, y_true, y_pred_a, y_pred_b, **rows))


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
    asked = _asked(scoring, n_comparisons, alpha, models={**models, "cv": cv})
    rows = {"groups": groups, "sample_weight": sample_weight}
    scorers = _one_scorer(scoring, y=y, models=list(models.values()))
    problem = problem_of_models(models, X, y, scoring=scorers, cv=cv, **rows)
    return recommend(gather_facts(problem, scorers, **asked))


def check_choice(
    test,
    y_true,
    y_pred_a,
    y_pred_b=None,
    *,
    scoring=None,
    groups=None,
    sample_weight=None,
    n_comparisons=1,
):
    """Say whether a test that was chosen already fits the data.

    The three wrong uses that Dror et al. [1]_ counted in published papers are caught: a
    t-test on a metric that is not a mean of per-row scores, a t-test on categorical
    outcomes, and a bootstrap on a small test set. So are groups that a test ignores, a
    test of another metric, a t-test on differences whose mean is not normal, and
    several comparisons without a correction; a posterior from few rows, or of a metric
    that takes no weights; and tests on folds, which ask another question than
    predictions can tell.

    Read more in the :ref:`User Guide <which_test_to_use>`.

    Parameters
    ----------
    test : estimator
        The test, such as ``PairedTTest(scoring="f1")``. It is not fitted or changed.
    y_true : array-like
        The truth.
    y_pred_a, y_pred_b : array-like or dict
        What the models predicted, as for `PairedBootstrap.fit_predictions`.
    scoring : str, callable or None, default=None
        The metric that the comparison is about. None takes the test's own.
    groups : array-like of shape (n_samples,), default=None
        Rows with the same label belong together.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of rows, which the scorer takes.
    n_comparisons : int, default=1
        The number of comparisons that are made in all. More than one call for a test
        with an `alpha` of at most 0.05 divided by their number, or a posterior whose
        `credible_level` is at least 1 less that.

    Returns
    -------
    Verdict
        Whether it fits, what speaks against it, what to bear in mind with it, and what
        to use instead.

    See Also
    --------
    recommend_test : Recommend a test in the first place.

    References
    ----------
    .. [1] Dror, R., Baumer, G., Shlomov, S. and Reichart, R. (2018). The hitchhiker's
       guide to testing statistical significance in natural language processing. ACL
       2018, 1383-1392. :doi:`10.18653/v1/P18-1128`

    Examples
    --------
    >>> from skcompare import PairedTTest, check_choice
    >>> truth = [0, 1] * 20
    >>> pred_a, pred_b = [0, 1] * 18 + [1, 0] * 2, [0, 1] * 12 + [1, 0, 0, 1] * 4
    >>> print(check_choice(PairedTTest(scoring="f1"), truth, pred_a, pred_b))
    This test does not fit.
    <BLANKLINE>
      A t-test needs a mean of per-row scores, and f1 is not ...
    <BLANKLINE>
    Recommended:
    <BLANKLINE>
      PairedBootstrap(scoring='f1')
    """
    if y_pred_b is None:
        raise ValueError(
            "`y_true`, `y_pred_a` and `y_pred_b` must be given together: the truth, "
            "and what both models predict. Got no `y_pred_b`. For models call "
            "check_choice(test, y, a.predict(X), b.predict(X)), or "
            "recommend_test_for_models(a, b, X, y)."
        )
    if isinstance(test, type) or advice_on(test) is None:
        remedy = ""
        if isinstance(test, type):
            remedy = f" That is a class: pass {test.__name__}(), with its parameters."
        raise TypeError(
            "`test` must be a test of two models, such as McNemar() or "
            f"PairedBootstrap(). Got {test!r}.{remedy}"
        )
    test.check_parameters()
    metric = test.scoring if scoring is None else scoring
    asked = _asked(metric, n_comparisons, ALPHA, narrowed=False)
    rows = {"groups": groups, "sample_weight": sample_weight}
    facts = _facts_of_predictions(asked, y_true, y_pred_a, y_pred_b, **rows)
    posterior = test.gives == "posterior"
    level = 1 - float(test.credible_level) if posterior else float(test.alpha)
    of_test = dataclasses.replace(facts, level=level)
    problems = tuple(objections(test, of_test, scoring))
    return Verdict(
        ok=not problems,
        problems=problems,
        warnings=tuple(cautions_about_test(test, of_test)),
        better=recommend(facts),
    )


# From data to facts


def _asked(scoring, n_comparisons, alpha, **others):
    """Return what the user asks for, besides the data, checked: for `gather_facts`."""
    RULES["n_comparisons"].check("n_comparisons", n_comparisons)
    RULES["alpha"].check("alpha", alpha)
    asked = {"scoring": scoring, "n_comparisons": n_comparisons, "alpha": alpha}
    return {**asked, "level": float(alpha) / int(n_comparisons), **others}


def _facts_of_predictions(asked, y_true, y_pred_a, y_pred_b, **rows):
    """Gather facts about predictions; `rows` are groups and weights."""
    scorers = _one_scorer(asked["scoring"], y=as_array(y_true, "y_true"))
    predictions = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    problem = problem_of_predictions(y_true, predictions, scoring=scorers, **rows)
    return gather_facts(problem, scorers, **asked)


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
    own = {"scoring": facts.scoring, "alpha": facts.level}
    test = made(chosen, {**facts.models, **own, **params})
    narrowing = ""
    if facts.positive is not None:
        truth = "y" if facts.models else "y_true"
        narrowing = f"rows = {truth} == {facts.positive!r}; "
    return Recommendation(
        test=test,
        about=about_folds(facts),
        call=narrowing + f"test.{facts.fit_call()}",
        positive=facts.positive,
        block_length=facts.block_length,
        reasons=(*reasons, ABOUT_SIDES),
        warnings=(*cautions_about_data(test, facts), *cautions_about_test(test, facts)),
        alternatives=alternatives_to(test, facts),
        other_questions=other_questions(test, facts),
    )


def about_folds(facts):
    """Say whose scores are compared with cross-validation; nothing without."""
    if not facts.cross_validated:
        return ""
    score = "mean score over folds" if facts.ranked_by_fold else "pooled predictions"
    splits = f"{facts.n_splits:,} splits"
    other = "the other questions below have tests for that."
    if facts.n_splits == 1:
        splits, other = "one split", "that takes several splits."
    return (
        f"This is about these models, those fitted on {splits}: the test compares "
        f"their {score}. It does not say which learning algorithm is better on other "
        f"training data, too: {other}"
    )


def alternatives_to(test, facts):
    """Return the other tests of the same question, those that are valid first."""
    few = min(facts.n_effective, facts.n_holding) < FEWEST_UNITS
    correlations = advice_on(comparison.CorrelationTest).metrics
    listed = {
        **dict.fromkeys(TESTS, True),
        comparison.CorrelationTest: facts.metric in correlations,
        comparison.WildClusterBootstrap: few and (facts.grouped or facts.weighted),
        comparison.CrossValidationCLT: facts.cross_validated,
    }
    alternatives = []
    for other, applies in listed.items():
        if not applies or other is type(test):
            continue
        against = unmet_needs(other(), facts)
        why = against or [
            comparison.format_sentence(advice_on(other).why_not, test, facts)
        ]
        alternatives.append(Alternative(other.__name__, not against, " ".join(why)))
    return tuple(sorted(alternatives, key=lambda other: not other.valid))
