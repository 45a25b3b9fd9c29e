"""What else may have been meant: questions that the recommended test leaves open."""

from skcompare.advice._learning import learning_questions
from skcompare.advice._objections import objections
from skcompare.advice._posing import pose
from skcompare.comparison import (
    ApproxRandomization,
    BayesianComparison,
    PairedBootstrap,
)
from skcompare.comparison._caveats import FEWEST_UNITS
from skcompare.comparison._posteriors import FEWEST_DISCORDANT
from skcompare.model_selection import PairwiseComparison
from skcompare.model_selection._families import shares_resamples

__all__ = ["other_questions"]

# Parameters of a test of two models that PairwiseComparison has itself.
OF_THE_FAMILY = ("estimator_a", "estimator_b", "scoring", "cv", "alpha", "alternative")


def other_questions(test, facts, setting):
    """List questions that the recommended test does not answer.

    Parameters
    ----------
    test : estimator
        The test that is recommended.
    facts : Facts
        What is known about the comparison.
    setting : Setting
        What the user asks for.

    Returns
    -------
    tuple of OtherQuestion
        The questions, each with a test.
    """
    others = [_several(test, facts, setting), _probable(facts, setting)]
    return (*learning_questions(facts, setting), *filter(None, others))


def _several(test, facts, setting):
    if setting.n_comparisons == 1:
        return None
    pair = _test_of_pairs(test, facts, setting)
    shared = shares_resamples(pair) and facts.n_units >= FEWEST_UNITS
    takes_scoring = "scoring" in pair.get_params(deep=False)
    return pose(
        "Which of several models differ on these rows, all pairs at once?",
        PairwiseComparison,
        {
            "test": pair,
            "correction": "max-t" if shared else "holm",
            "alpha": setting.alpha,
            "scoring": setting.scoring if takes_scoring else None,
            "cv": setting.cv if facts.cross_validated else None,
        },
        given=("estimators",) if setting.models else (),
        fit=setting.fit_call(facts, answers="y_preds"),
        why=f"{_about_correction(shared)} {_about_models(setting)} For several metrics "
        "or data sets correct the p-values by adjust_pvalues.",
    )


def _test_of_pairs(test, facts, setting):
    """Return a two-sided test of pairs: one that shares resamples, if that is valid."""
    resamples = isinstance(test, PairedBootstrap | ApproxRandomization)
    if not resamples and not objections(PairedBootstrap(), facts, setting.level):
        return PairedBootstrap(alternative="two-sided")
    kept = {
        name: value
        for name, value in test.get_params(deep=False).items()
        if name not in OF_THE_FAMILY
    }
    return type(test)(alternative="two-sided", **kept)


def _about_correction(shared):
    if not shared:
        return (
            "It corrects all p-values by Holm's procedure, which finds no less than "
            "Bonferroni's, and often more."
        )
    return (
        "All pairs are judged on the same resamples. So max-t knows how differences "
        "hang together, and in large samples it finds more than Bonferroni or Holm at "
        "the same level."
    )


def _about_models(setting):
    what = "`y_preds` are their answers, a dict by name"
    if setting.models:
        what = "`estimators` is a list of (name, model)"
    return f"{what}; `baseline` names one to compare all others with."


def _probable(facts, setting):
    if not facts.weighable or not facts.n_discordant:
        return None
    return pose(
        "How probable is it that A is better, by enough to matter?",
        BayesianComparison,
        {**setting.ways_in, "scoring": setting.scoring, "rope": 0.01},
        given=("a", "b") if setting.models else (),
        fit=setting.fit_call(facts),
        why="A p-value does not say. This weighs rows at random, the same for both "
        "models (Bayesian bootstrap), and gives probabilities. `rope` are differences "
        f"in {facts.metric} that are too small to matter: set it before looking."
        + _about_few(facts),
    )


def _about_few(facts):
    if facts.n_units < FEWEST_UNITS:
        return f" From {facts.n_units} {facts.units} the posterior is too narrow."
    n_discordant = facts.n_discordant_units
    if n_discordant < FEWEST_DISCORDANT:
        return (
            f" The models differ on {n_discordant} {facts.units} alone: the sign will "
            "look too sure."
        )
    return ""
