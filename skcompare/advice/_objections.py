"""What rules a test out, whether or not another one is recommended."""

import inspect

from skcompare.advice._tree import NO_EXCHANGE, has_normal_mean
from skcompare.comparison import (
    ApproxRandomization,
    BayesianComparison,
    CorrectedTTest,
    CrossValidationCLT,
    DeLong,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
    PairedTTest,
)
from skcompare.comparison._caveats import FEWEST_UNITS
from skcompare.comparison._classical import RowComparison
from skcompare.comparison._delong import FEWEST_ROWS
from skcompare.comparison._folds import FoldComparison

__all__ = ["objections"]


def objections(test, facts, alpha):
    """List what speaks against a test, whether or not it is the one recommended.

    Parameters
    ----------
    test : estimator
        A test of two models.
    facts : Facts
        What is known about the comparison.
    alpha : float
        The level of the single test.

    Returns
    -------
    list of str
        A sentence for each reason not to use it.
    """
    found = [objection(test, facts, alpha) for objection in _OBJECTIONS]
    return list(filter(None, found))


def _asks_about_learning(test, facts, alpha):
    if not isinstance(test, FoldComparison | NestedCVInterval):
        return None
    scores = ", or scores of folds to fit_scores" * isinstance(test, FoldComparison)
    return (
        f"{type(test).__name__} asks which way of learning is better, on other "
        "training data too. The answers of models cannot tell: give it the models and "
        f"data to learn from, as in fit(X, y){scores}."
    )


def _takes_folds_as_independent(test, facts, alpha):
    if not isinstance(test, CorrectedTTest) or test.correction != "none":
        return None
    return (
        "correction='none' takes scores of folds as independent, which they are not: "
        "it finds differences far too often. Use correction='nadeau-bengio'."
    )


def _ignores_groups(test, facts, alpha):
    if not facts.grouped or "groups" in inspect.signature(test.fit).parameters:
        return None
    return (
        f"{type(test).__name__} takes rows as independent and ignores that "
        f"{facts.n_rows:,} rows come in {facts.n_units:,} groups: its p-values would "
        "be too small."
    )


def _needs_whole_folds(test, facts, alpha):
    if not isinstance(test, CrossValidationCLT):
        return None
    if facts.retested:
        return (
            "CrossValidationCLT is for cross-validation that tests no row twice, and "
            "here rows are tested several times."
        )
    if facts.torn_groups:
        return (
            "CrossValidationCLT needs folds that keep groups together, such as those "
            "of GroupKFold, and here some group has rows in several."
        )
    return None


def _tests_another_score(test, facts, alpha):
    name = type(test).__name__
    if isinstance(test, McNemar) and not facts.is_accuracy:
        return f"{name} compares accuracy, that is right and wrong, not {facts.metric}."
    if isinstance(test, DeLong) and facts.kind != "roc auc":
        return f"{name} compares the ROC AUC of two classes, not {facts.metric}."
    return None


def _needs_an_average(test, facts, alpha):
    of_rows = isinstance(test, RowComparison | NestedCVInterval)
    if facts.averages or not of_rows or isinstance(test, McNemar):
        return None
    return (
        f"{_called(test)} needs a score that is an average of one number per row, and "
        f"{facts.metric} is not, or not known to be."
    )


def _takes_categories_for_numbers(test, facts, alpha):
    if facts.kind != "right or wrong" or not isinstance(test, PairedTTest):
        return None
    return (
        f"A t-test is for numbers, and the outcomes of {facts.metric} are categorical: "
        "a row is right or wrong."
    )


def _called(test):
    return "A t-test" if isinstance(test, PairedTTest) else type(test).__name__


def _needs_a_normal_mean(test, facts, alpha):
    needs_it = isinstance(test, PairedTTest | CrossValidationCLT)
    if facts.kind != "average" or not needs_it:
        return None
    normal, sentence = has_normal_mean(facts, alpha)
    if normal:
        return None
    return f"{_called(test)} needs a normal mean difference. {sentence}"


def _rests_on_few(test, facts, alpha):
    if facts.n_units >= FEWEST_UNITS:
        return None
    few = f"{facts.n_units} {facts.units} are fewer than {FEWEST_UNITS}"
    if isinstance(test, PairedBootstrap):
        return (
            f"A bootstrap of a small test set is unreliable: {few}, and need not "
            "resemble where they come from."
        )
    if isinstance(test, BayesianComparison) and test.posterior == "paired":
        return (
            f"A posterior from a small test set is too narrow: {few}, and it knows "
            "only what these show."
        )
    if isinstance(test, CrossValidationCLT):
        return f"A normal limit is unreliable on a small test set: {few}."
    return None


def _has_a_tiny_class(test, facts, alpha):
    if facts.kind != "roc auc" or not isinstance(test, DeLong):
        return None
    size = min(facts.class_sizes.values())
    if size >= FEWEST_ROWS:
        return None
    return (
        f"DeLong's variance needs {FEWEST_ROWS} rows of each class or more, and the "
        f"smaller one has {size}."
    )


def _approximates_few(test, facts, alpha):
    if not isinstance(test, McNemar) or test.variant != "chi2":
        return None
    if facts.n_discordant >= FEWEST_ROWS:
        return None
    return (
        f"The chi-square approximation needs {FEWEST_ROWS} discordant rows or more, "
        f"and there are {facts.n_discordant}: use variant='midp' or 'exact'."
    )


def _finds_a_limit_of_few(test, facts, alpha):
    limit = isinstance(test, CrossValidationCLT) and facts.kind == "right or wrong"
    if not limit or facts.n_discordant_units >= FEWEST_ROWS:
        return None
    return (
        f"The normal limit of right and wrong needs {FEWEST_ROWS} discordant "
        f"{facts.units} or more, and there are {facts.n_discordant_units}."
    )


def _cannot_exchange(test, facts, alpha):
    if facts.exchangeable or not isinstance(test, ApproxRandomization):
        return None
    return f"ApproxRandomization cannot be computed: {NO_EXCHANGE}."


def _has_no_posterior(test, facts, alpha):
    if not isinstance(test, BayesianComparison):
        return None
    if test.posterior == "paired" and not facts.weighable:
        return (
            f"posterior='paired' weighs rows, and {facts.metric} takes no weights. "
            "PairedBootstrap and ApproxRandomization take any scorer."
        )
    try:
        test._posterior.check(facts.question)
    except ValueError as error:
        return str(error)
    return None


_OBJECTIONS = (
    _asks_about_learning,
    _takes_folds_as_independent,
    _ignores_groups,
    _needs_whole_folds,
    _tests_another_score,
    _needs_an_average,
    _takes_categories_for_numbers,
    _needs_a_normal_mean,
    _rests_on_few,
    _has_a_tiny_class,
    _approximates_few,
    _finds_a_limit_of_few,
    _cannot_exchange,
    _has_no_posterior,
)
