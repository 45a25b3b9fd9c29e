"""Recommend a test for predictions or models, or check one that was already chosen."""

import dataclasses
import functools
from collections.abc import Iterator

from skcompare import comparison
from skcompare._evaluation import (
    problem_of_models,
    problem_of_predictions,
    resolve_scoring,
)
from skcompare._format import format_count
from skcompare._parameters import RULES
from skcompare._validation import as_array
from skcompare.comparison import advice_on
from skcompare.planning._choices import choose
from skcompare.planning._facts import gather_facts
from skcompare.planning._judge import (
    cautions_about_data,
    cautions_about_test,
    objections,
    unmet_needs,
)
from skcompare.planning._questions import build_test, other_questions
from skcompare.planning._results import (
    Alternative,
    Recommendation,
    Verdict,
    code_of,
)

# All tests of the same question, in the order of the list of alternatives. Some are
# listed only for some comparisons, as they declare.
TESTS = (
    comparison.McNemar,
    comparison.PairedTTest,
    comparison.DeLong,
    comparison.PairedBootstrap,
    comparison.ApproxRandomization,
    comparison.WilcoxonSignedRank,
    comparison.SignTest,
    comparison.CorrelationTest,
    comparison.WildClusterBootstrap,
    comparison.CrossValidationCLT,
)
# The level of all comparisons together, assumed for a test that was already chosen.
ALPHA = 0.05

ABOUT_SIDES = (
    "The test is one-sided: the alternative is that A, the challenger, is better than "
    "B. Unless you decided beforehand which model is the challenger, set "
    "`alternative='two-sided'`."
)


def _refuse_models(function):
    """Make a function of predictions raise an error with a remedy if passed models."""

    @functools.wraps(function)
    def checked(*args, **kwargs):
        models = [v for v in (*args, *kwargs.values()) if hasattr(v, "predict")]
        if models:
            raise TypeError(
                f"{function.__name__} takes true values and the predictions of two "
                f"models. Got a model, of the class {type(models[0]).__name__}. Call "
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

    The decision tree follows Dror et al. [1]_: a parametric test if the distribution of
    the difference is known, otherwise resampling, and never a test that is invalid for
    the data. :func:`recommend_test_for_models` does the same for models, either fitted
    or, with ``cv=``, to be fitted.

    Read more in the :ref:`User Guide <which_test_to_use>`.

    Parameters
    ----------
    y_true : array-like
        True labels or values.
    y_pred_a, y_pred_b : array-like or dict
        Predictions of the models, as for `PairedBootstrap.fit_predictions`.
    scoring : str, callable or None
        A single metric, as in scikit-learn. None means accuracy or R2.
    groups : array-like of shape (n_samples,), default=None
        Rows with the same label belong together.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of rows, passed to the scorer.
    n_comparisons : int, default=1
        The total number of comparisons. The `alpha` of the recommended test is the
        `alpha` passed here divided by it (Bonferroni).
    alpha : float, default=0.05
        The level of all comparisons together: the probability of any false positive.

    Returns
    -------
    Recommendation
        The test, ready to fit, with reasons, warnings, alternatives, and tests for
        other questions.

    See Also
    --------
    recommend_test_for_models : Recommend a test for models and data.
    check_choice : Check a test that was already chosen.

    Notes
    -----
    A test must not be chosen by its p-value, which is not used here. The choice depends
    on the kind of score, the number of rows and groups, and the shape of the
    distribution of the differences, but not on its location.

    For right-or-wrong outcomes, `McNemar` with ``variant="mid-p"`` is recommended. Its
    actual level, averaged over the number of discordant rows, is at most .0502 for a
    nominal .05 if at most half of all rows are discordant, for any number of rows up to
    500; that of the exact variant is about .03. If more rows are discordant, the exact
    variant is recommended.

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

    Questions that the test does not address:

    >>> for other in advice.other_questions:
    ...     print(other.question, type(other.test).__name__)
    How probable is it that A is better by more than a negligible amount? \
BayesianComparison
    """
    settings = _checked_settings(scoring, n_comparisons, alpha)
    rows = {"groups": groups, "sample_weight": sample_weight}
    facts = _facts_of_predictions(settings, y_true, y_pred_a, y_pred_b, **rows)
    return recommend(facts)


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
        With ``cv="prefit"``, a held-out test set that neither model has seen; otherwise
        the data for cross-validation.
    y : array-like
        True labels or values.
    scoring : str, callable or None, default=None
        A single metric, as in scikit-learn. None means the models' own `score`.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" uses the fitted models; anything else fits clones.
    groups : array-like of shape (n_samples,), default=None
        Rows with the same label belong together. Also passed to the splitter.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of rows, passed to the scorer and, with `cv`, to the fits of the models.
    n_comparisons : int, default=1
        The total number of comparisons.
    alpha : float, default=0.05
        The level of all comparisons together.

    Returns
    -------
    Recommendation
        The test, with the models, ready to fit. With `cv`, it compares the models
        fitted on these folds; `other_questions` has tests of which learning algorithm
        is better.

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

    Whether the result would hold on other training data is a different question:

    >>> print(advice.other_questions[0].question)
    Which learning algorithm is better, on other training data too?
    >>> advice.other_questions[0].test.cv
    RepeatedKFold(n_repeats=10, n_splits=5, random_state=0)
    """
    cv = list(cv) if isinstance(cv, Iterator) else cv  # used more than once
    models = {"estimator_a": estimator_a, "estimator_b": estimator_b}
    parameters = {**models, "cv": cv}
    settings = _checked_settings(scoring, n_comparisons, alpha, models=parameters)
    rows = {"groups": groups, "sample_weight": sample_weight}
    scorers = _one_scorer(scoring, y=y, models=list(models.values()))
    problem = problem_of_models(models, X, y, scoring=scorers, cv=cv, **rows)
    return recommend(gather_facts(problem, scorers, **settings))


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
    """Check whether a test that was already chosen fits the data.

    It detects the three kinds of misuse that Dror et al. [1]_ counted in published
    papers: a t-test on a metric that is not a mean of per-row scores, a t-test on
    categorical outcomes, and a bootstrap on a small test set. It also detects groups
    that a test ignores, a test of another metric, a t-test on differences whose mean is
    not normal, and multiple comparisons without a correction; a posterior from few
    rows, or of a metric that does not accept weights; and tests on folds, whose
    question cannot be answered from predictions.

    Read more in the :ref:`User Guide <which_test_to_use>`.

    Parameters
    ----------
    test : estimator
        The test, such as ``PairedTTest(scoring="f1")``. It is not fitted or changed.
    y_true : array-like
        True labels or values.
    y_pred_a, y_pred_b : array-like or dict
        Predictions of the models, as for `PairedBootstrap.fit_predictions`.
    scoring : str, callable or None, default=None
        The metric of the comparison. None means that of the test.
    groups : array-like of shape (n_samples,), default=None
        Rows with the same label belong together.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of rows, passed to the scorer.
    n_comparisons : int, default=1
        The total number of comparisons. If there are several, the test needs an `alpha`
        of at most 0.05 divided by their number, or a posterior a `credible_level` of at
        least 1 minus that.

    Returns
    -------
    Verdict
        Whether the test fits, objections to it, warnings, and the recommended test.

    See Also
    --------
    recommend_test : Recommend a test.

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
    This test is not suitable for these data.
    <BLANKLINE>
      A t-test needs a mean of per-row scores, and f1 is not ...
    <BLANKLINE>
    Recommended:
    <BLANKLINE>
      PairedBootstrap(scoring='f1')
    """
    if y_pred_b is None:
        raise ValueError(
            "`y_true`, `y_pred_a` and `y_pred_b` must be passed together: true values "
            "and the predictions of both models. Got no `y_pred_b`. For models, call "
            "check_choice(test, y, a.predict(X), b.predict(X)), or "
            "recommend_test_for_models(a, b, X, y)."
        )
    if isinstance(test, type) or advice_on(test) is None:
        remedy = ""
        if isinstance(test, type):
            remedy = f" That is a class: pass an instance, {test.__name__}()."
        raise TypeError(
            "`test` must be a test of two models, such as McNemar() or "
            f"PairedBootstrap(). Got {test!r}.{remedy}"
        )
    test.check_parameters()
    metric = test.scoring if scoring is None else scoring
    settings = _checked_settings(metric, n_comparisons, ALPHA, narrowed=False)
    rows = {"groups": groups, "sample_weight": sample_weight}
    facts = _facts_of_predictions(settings, y_true, y_pred_a, y_pred_b, **rows)
    posterior = test.gives == "posterior"
    level = 1 - float(test.credible_level) if posterior else float(test.alpha)
    at_own_level = dataclasses.replace(facts, level=level)
    problems = tuple(objections(test, at_own_level, scoring))
    return Verdict(
        ok=not problems,
        problems=problems,
        warnings=tuple(cautions_about_test(test, at_own_level)),
        better=recommend(facts),
    )


# From data to facts


def _checked_settings(scoring, n_comparisons, alpha, **others):
    """Check the user's settings and return them as arguments of `gather_facts`."""
    RULES["n_comparisons"].check("n_comparisons", n_comparisons)
    RULES["alpha"].check("alpha", alpha)
    settings = {"scoring": scoring, "n_comparisons": n_comparisons, "alpha": alpha}
    return {**settings, "level": float(alpha) / int(n_comparisons), **others}


def _facts_of_predictions(settings, y_true, y_pred_a, y_pred_b, **rows):
    """Gather facts about predictions; `rows` contains groups and weights."""
    scorers = _one_scorer(settings["scoring"], y=as_array(y_true, "y_true"))
    predictions = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    problem = problem_of_predictions(y_true, predictions, scoring=scorers, **rows)
    return gather_facts(problem, scorers, **settings)


def _one_scorer(scoring, **data):
    """Return a dict with the scorer of a single metric."""
    scorers = resolve_scoring(scoring, **data)
    if len(scorers) > 1:
        raise ValueError(
            "`scoring` must be a single metric, since each may need a different test. "
            f"Got {', '.join(map(repr, scorers))}. Call this once for each metric with "
            f"`n_comparisons={len(scorers)}`, which corrects for their number."
        )
    return scorers


# From facts to a recommendation


def recommend(facts):
    """Recommend a test.

    Parameters
    ----------
    facts : Facts
        The facts about the comparison.

    Returns
    -------
    Recommendation
        The test, ready to fit.
    """
    test_class, params, reasons = choose(facts)
    common = {"scoring": facts.scoring, "alpha": facts.level}
    test = build_test(test_class, {**facts.models, **common, **params})
    narrowing = ""
    if facts.positive is not None:
        truth = "y" if facts.models else "y_true"
        narrowing = f"rows = {truth} == {facts.positive!r}; "
    models = ("a", "b") if facts.models else ()
    values, spelled = test.get_params(deep=False), {"alpha": facts.level_code}
    return Recommendation(
        test=test,
        code=code_of(test_class, values, models, spelled),
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
    """Return a sentence on which models cross-validation compares, or ""."""
    if not facts.cross_validated:
        return ""
    score = "mean score over folds" if facts.ranked_by_fold else "pooled predictions"
    remedy = "for that, see the tests under the other questions below."
    if facts.n_splits == 1:
        remedy = "that requires several splits."
    return (
        "This test compares these models, as fitted on "
        f"{format_count(facts.n_splits, 'splits')}, by their {score}. It does "
        f"not show which learning algorithm is better on other training data: {remedy}"
    )


def alternatives_to(test, facts):
    """Return the other tests of the same question, valid ones first."""
    alternatives = []
    for other in TESTS:
        advice = advice_on(other)
        if other is type(test) or not advice.listed(facts):
            continue
        unmet = unmet_needs(other(), facts)
        why = unmet or [comparison.format_sentence(advice.why_not, test, facts)]
        alternatives.append(Alternative(other.__name__, not unmet, " ".join(why)))
    return tuple(sorted(alternatives, key=lambda other: not other.valid))
