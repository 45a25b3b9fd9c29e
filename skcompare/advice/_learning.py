"""Questions about ways of learning: would it be so on other training data, too?"""

from sklearn.model_selection import GroupKFold

from skcompare.advice._posing import pose
from skcompare.advice._splits import learning_splits
from skcompare.comparison import (
    BayesianCorrelatedTTest,
    CorrectedTTest,
    FiveByTwoCV,
    NestedCVInterval,
)
from skcompare.comparison._caveats import FEWEST_UNITS

__all__ = ["learning_questions"]

# The folds of nested cross-validation.
FEWEST_FOLDS, MOST_FOLDS = 3, 10
# How many fits of each model five times two folds take.
N_HALVES = 10


def learning_questions(facts, setting):
    """List questions about ways of learning, where models are cross-validated.

    Parameters
    ----------
    facts : Facts
        What is known about the comparison.
    setting : Setting
        What the user asks for.

    Returns
    -------
    list of OtherQuestion
        None without cross-validation.
    """
    splits = learning_splits(facts, setting)
    if splits is None:
        return []
    asked = (_corrected, _halved, _nested, _probable)
    return list(filter(None, (ask(facts, setting, splits) for ask in asked)))


def _pose(question, test, facts, setting, why, **params):
    wanted = {
        **setting.models,
        "scoring": setting.scoring,
        "alpha": setting.level,
        **params,
    }
    return pose(
        question,
        test,
        wanted,
        given=("a", "b"),
        fit=setting.fit_call(facts),
        why=why,
        texts={"alpha": setting.level_as_code},
    )


def _corrected(facts, setting, splits):
    return _pose(
        "Which way of learning is better, on other training data too?",
        CorrectedTTest,
        facts,
        setting,
        "It takes the choice of training rows for chance, too, and corrects the "
        "variance over folds for training sets that overlap. "
        f"{splits.n_splits:,} fits of each model, {splits.remark}. For learners that "
        "hang on single rows, such as one nearest neighbour, it can reject too often.",
        cv=splits.cv,
    )


def _halved(facts, setting, splits):
    """Offer halves where they are large, and cheaper than the folds."""
    large = facts.n_units >= 2 * FEWEST_UNITS
    if splits.n_folds is None or not large or splits.n_splits <= N_HALVES:
        return None
    n_trained = facts.question.sample.n_given // 2
    return _pose(
        f"Which way of learning is better, with only {N_HALVES} fits of each?",
        FiveByTwoCV,
        facts,
        setting,
        f"Apt if {splits.n_splits:,} fits of each model are too many, and half of the "
        f"rows enough to learn from: it asks who is better after training on "
        f"{n_trained:,} rows. It is two-sided and has no interval.",
        statistic="f",
        random_state=0,
    )


def _nested(facts, setting, splits):
    """Offer an interval for an average over rows, if folds can be drawn anew."""
    enough = facts.n_units >= 2 * FEWEST_FOLDS
    if splits.n_folds is None or not facts.averages or not enough:
        return None
    n_folds = min(splits.n_folds, MOST_FOLDS, facts.n_units // 2)
    n_folds = max(n_folds, FEWEST_FOLDS)
    grouped = GroupKFold(n_splits=n_folds, shuffle=True)
    n_fits = NestedCVInterval().n_repeats * n_folds * (n_folds + 1) // 2
    return _pose(
        "Which way of learning is better, with its error measured?",
        NestedCVInterval,
        facts,
        setting,
        "It measures how far cross-validation is off, by cross-validating again within "
        "the training folds, where CorrectedTTest has a rule of thumb. "
        f"{n_fits:,} fits of each model.",
        cv=grouped if facts.groups_given else n_folds,
        random_state=0,
    )


def _probable(facts, setting, splits):
    return _pose(
        "How probable is it that A's way of learning is better, by enough to matter?",
        BayesianCorrelatedTTest,
        facts,
        setting,
        "CorrectedTTest in probabilities, by the same folds. `rope` are differences in "
        f"{facts.metric} that are too small to matter: set it before looking.",
        cv=splits.cv,
        rope=0.01,
    )
