"""What else may have been meant: questions that the recommended test leaves open."""

from typing import NamedTuple

from sklearn import model_selection
from sklearn.base import is_classifier

from skcompare import comparison
from skcompare.model_selection import PairwiseComparison
from skcompare.planning._judge import unmet_needs
from skcompare.planning._results import OtherQuestion, code_of

# Parameters of a test of two models that PairwiseComparison has itself.
OF_PAIRS = ("estimator_a", "estimator_b", "scoring", "cv", "alpha", "alternative")
# How often folds are repeated, and how many take the place of folds of single rows.
N_REPEATS, MOST_FOLDS = 10, 10
REPEATED = {
    model_selection.KFold: model_selection.RepeatedKFold,
    model_selection.StratifiedKFold: model_selection.RepeatedStratifiedKFold,
}
# The fewest folds of nested cross-validation.
FEWEST_FOLDS = 3
# The fewest rows, or groups, of which a fifth of a half can be tested.
FEWEST_HALVED = 40
# How many fits of each model five times two folds take, and the fewest rows: with 100
# the test rejected a true hypothesis 10 to 16 times of 100.
N_HALVES, FEWEST_FOR_HALVES = 10, 300
# How many fits of each model a conservative z takes.
CONSERVATIVE = comparison.ConservativeZ()
N_CONSERVATIVE = CONSERVATIVE.n_splits * (1 + 2 * CONSERVATIVE.n_repeats)


def other_questions(test, facts):
    """List questions that the recommended test does not answer.

    Parameters
    ----------
    test : estimator
        The test that is recommended.
    facts : Facts
        What is known about the comparison.

    Returns
    -------
    tuple of OtherQuestion
        The questions, each with a test.
    """
    questions = []
    if facts.n_splits > 1:
        questions += about_learning(facts)
    if facts.n_comparisons > 1:
        questions.append(about_pairs(test, facts))
    if facts.weighable and facts.n_discordant:
        questions.append(about_probabilities(facts))
    return tuple(questions)


def made(test, wanted):
    """Return a test with those of the wanted parameters that it takes."""
    taken = test().get_params(deep=False)
    return test(**{name: value for name, value in wanted.items() if name in taken})


def pose(facts, question, test, wanted, why, *, several=False, spelled=()):
    """Return a question with its test: configured as an object, spelled out as code.

    Parameters
    ----------
    facts : Facts
        What is known about the comparison.
    question : str
        The question.
    test : type
        The class of the test.
    wanted : dict
        Parameters of the test, of which those that it does not take are left out.
    why : str
        What speaks for the test.
    several : bool, default=False
        Whether it is about several models, and not about two.
    spelled : dict, default=()
        Code for values of parameters, where that is not how they print.

    Returns
    -------
    OtherQuestion
        The question.
    """
    models = ("estimators",) if several else ("a", "b")
    code = code_of(test, wanted, models if facts.models else (), spelled)
    fit = facts.fit_call("y_preds") if several else facts.fit_call()
    return OtherQuestion(question, made(test, wanted), f"{code}.{fit}", why)


def about_probabilities(facts):
    """Offer a posterior of the difference on these rows."""
    few = ""
    if facts.n_units < comparison.FEWEST_UNITS:
        few = f" From {facts.n_units} {facts.units} the posterior is too narrow."
    elif facts.n_discordant_units < comparison.FEWEST_DISCORDANT:
        few = (
            f" The models differ on {facts.n_discordant_units} {facts.units} "
            "alone: the sign will look too certain."
        )
    return pose(
        facts,
        "How probable is it that A is better, by enough to matter?",
        comparison.BayesianComparison,
        {**facts.models, "scoring": facts.scoring, "rope": 0.01},
        "A p-value does not say. This test weighs rows at random, the same for "
        "both models (Bayesian bootstrap), and gives probabilities. `rope` is the "
        f"largest difference in {facts.metric} that is too small to matter: set it "
        f"before looking.{few}",
    )


def about_pairs(test, facts):
    """Offer all pairs of several models, on shared resamples if these are valid."""
    bootstrap = comparison.PairedBootstrap()
    if not test.shares_resamples and not unmet_needs(bootstrap, facts):
        test = bootstrap
    kept = {n: v for n, v in test.get_params(deep=False).items() if n not in OF_PAIRS}
    pair = type(test)(alternative="two-sided", **kept)
    shared = pair.shares_resamples and facts.n_holding >= comparison.FEWEST_UNITS
    takes_scoring = "scoring" in pair.get_params(deep=False)
    correction = (
        "All pairs are judged on the same resamples. So max-t takes into account how "
        "differences are correlated, and in large samples it rejects more than "
        "Bonferroni or Holm at the same level."
        if shared
        else "It corrects all p-values by Holm's procedure, which rejects no less than "
        "Bonferroni's, and often more."
    )
    return pose(
        facts,
        "Which of several models differ on these rows, all pairs at once?",
        PairwiseComparison,
        {
            "test": pair,
            "correction": "max-t" if shared else "holm",
            "alpha": facts.alpha,
            "scoring": facts.scoring if takes_scoring else None,
            "cv": facts.models.get("cv", "prefit"),
        },
        f"{correction} For several metrics or data sets correct the p-values by "
        "adjust_pvalues.",
        several=True,
    )


# Learning algorithms: would it be so on other training data, too?


def about_learning(facts):
    """Yield questions about learning algorithms, where models are cross-validated."""
    splits, n_units = learning_splits(facts), facts.n_units
    shared = f" / {facts.n_comparisons:_}" if facts.n_comparisons > 1 else ""
    alpha = f"{float(facts.alpha)!r}{shared}"
    redrawn, large = splits.n_folds is not None, n_units >= FEWEST_FOR_HALVES

    def offer(question, test, why, **params):
        usual = {"scoring": facts.scoring, "alpha": facts.level}
        wanted = {**usual, **facts.models, **params}
        return pose(facts, question, test, wanted, why, spelled={"alpha": alpha})

    yield offer(
        "Which learning algorithm is better, on other training data too?",
        comparison.CorrectedTTest,
        "It takes the choice of training rows for chance, too, and corrects the "
        f"variance over folds for training sets that overlap. {splits.n_splits:,} fits "
        f"of each model, {splits.remark}. For learners that depend on single rows, "
        "such as nearest neighbors, it can reject too often.",
        cv=splits.cv,
    )
    if redrawn and n_units >= FEWEST_HALVED:
        few = f" Models fitted on as few as {n_units:,} {facts.units} vary."
        yield offer(  # a level that holds whatever the learner
            "Which learning algorithm is better, if fits vary much with their rows?",
            comparison.ConservativeZ,
            "In simulations of sensitive learners, such as nearest neighbors, it alone "
            "kept its level: halves of the data share no row, so that their scores "
            f"are independent. The price is less power and {N_CONSERVATIVE:,} fits of "
            f"each model.{'' if large else few}",
            random_state=0,
        )
    if redrawn and large and splits.n_splits > N_HALVES:
        yield offer(  # halves, where they are cheaper than the folds
            f"Which learning algorithm is better, with only {N_HALVES} fits of each?",
            comparison.FiveByTwoCV,
            f"Useful if {splits.n_splits:,} fits of each model are too many, and half "
            "of the rows enough to learn from: it asks who is better after training on "
            f"{facts.problem.n_given // 2:,} rows. It is two-sided and has no "
            "interval.",
            statistic="f",
            alternative="two-sided",
            random_state=0,
        )
    if redrawn and facts.averages and n_units >= 2 * FEWEST_FOLDS:
        n_folds = max(min(splits.n_folds, MOST_FOLDS, n_units // 2), FEWEST_FOLDS)
        n_fits = comparison.NestedCVInterval().n_repeats * n_folds * (n_folds + 1) // 2
        of_groups = model_selection.GroupKFold(n_splits=n_folds, shuffle=True)
        yield offer(  # an interval for a mean of per-row scores
            "Which learning algorithm is better, with its error measured?",
            comparison.NestedCVInterval,
            "It measures how far cross-validation is off, by cross-validating again "
            "within the training folds, where CorrectedTTest has a rule of thumb. "
            f"{n_fits:,} fits of each model.",
            cv=of_groups if facts.groups_given else n_folds,
            random_state=0,
        )
    yield offer(
        "How probable is it that A's algorithm is better, by enough to matter?",
        comparison.BayesianCorrelatedTTest,
        "CorrectedTTest in probabilities, by the same folds. `rope` is the largest "
        f"difference in {facts.metric} that is too small to matter: set it before "
        "looking.",
        cv=splits.cv,
        rope=0.01,
    )


class Splits(NamedTuple):
    """How to split the data for questions about learning algorithms.

    Attributes
    ----------
    cv : object
        What makes the splits.
    n_splits : int
        The number of them, and of fits of each model.
    n_folds : int or None
        The number of folds that can be drawn anew; None if they are the user's own.
    remark : str
        What to say about them, after the number of fits.
    """

    cv: object
    n_splits: int
    n_folds: int | None
    remark: str


def learning_splits(facts):
    """Choose splits that training sets vary by, as near as can be to the user's.

    Parameters
    ----------
    facts : Facts
        What is known about the comparison, which is cross-validated.

    Returns
    -------
    Splits
        How to split.
    """
    cv, n_splits = facts.models["cv"], facts.n_splits
    as_given = Splits(cv, n_splits, None, "on the splits given")
    if facts.groups_given:
        remark = (
            "since scikit-learn has no repeated folds of groups. If there are many "
            "groups, GroupShuffleSplit makes more splits, for more power"
        )
        if facts.torn_groups:
            n_folds = min(n_splits, facts.n_units)
            folds = model_selection.GroupKFold(n_splits=n_folds)
            return Splits(folds, n_folds, n_folds, remark)
        whole = Splits(cv, n_splits, n_splits, remark)
        tested_once = not facts.retested and facts.problem.n_given == facts.n_rows
        return whole if tested_once else as_given
    y = facts.problem.y
    classifier = is_classifier(facts.models["estimator_a"])
    folds = model_selection.check_cv(cv, y, classifier=classifier)
    if isinstance(folds, model_selection.LeaveOneOut):
        n_folds = max(2, min(MOST_FOLDS, facts.n_rows // 2))
        folds = model_selection.check_cv(n_folds, y, classifier=classifier)
    if type(folds) not in REPEATED:
        return as_given
    n_folds = folds.get_n_splits()
    repeated = REPEATED[type(folds)](
        n_splits=n_folds, n_repeats=N_REPEATS, random_state=0
    )
    remark = (
        f"{n_folds} folds {N_REPEATS} times over, since repeats buy power. They are "
        "drawn at random, so not for rows that follow one another in time"
    )
    return Splits(repeated, N_REPEATS * n_folds, n_folds, remark)
