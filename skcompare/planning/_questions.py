"""Related questions that the recommended test does not address, and their tests."""

from typing import NamedTuple

from sklearn import model_selection
from sklearn.base import is_classifier

from skcompare import comparison
from skcompare._format import format_count
from skcompare.model_selection import PairwiseComparison
from skcompare.planning._judge import unmet_needs
from skcompare.planning._results import OtherQuestion, code_of

# Parameters of a test of two models that PairwiseComparison sets itself.
OF_PAIRS = ("estimator_a", "estimator_b", "scoring", "cv", "alpha", "alternative")
# Repetitions of k-fold, and the number of folds that replaces leave-one-out.
N_REPEATS, MOST_FOLDS = 10, 10
REPEATED = {
    model_selection.KFold: model_selection.RepeatedKFold,
    model_selection.StratifiedKFold: model_selection.RepeatedStratifiedKFold,
}
# Minimum number of folds of nested cross-validation.
FEWEST_FOLDS = 3
# Minimum number of rows or groups such that a fifth of a half can be a test set.
FEWEST_HALVED = 40
# Number of fits of each model for five times two folds, and the minimum number of rows:
# with 100 rows the test rejected a true null hypothesis in 10 to 16 % of cases.
N_HALVES, FEWEST_FOR_HALVES = 10, 300
# Number of fits of each model for ConservativeZ.
CONSERVATIVE = comparison.ConservativeZ()
N_CONSERVATIVE = CONSERVATIVE.n_splits * (1 + 2 * CONSERVATIVE.n_repeats)


def other_questions(test, facts):
    """Return questions that the recommended test does not address.

    Parameters
    ----------
    test : estimator
        The recommended test.
    facts : Facts
        The facts about the comparison.

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


def build_test(test, params):
    """Return an instance of a test with those of the parameters that it has."""
    own = test().get_params(deep=False)
    return test(**{name: value for name, value in params.items() if name in own})


def make_question(facts, question, test, params, why, *, several=False, spelled=()):
    """Return a question with its test, both as an object and as code.

    Parameters
    ----------
    facts : Facts
        The facts about the comparison.
    question : str
        The question.
    test : type
        The class of the test.
    params : dict
        Parameters of the test; those that it does not have are ignored.
    why : str
        The reasons for the test.
    several : bool, default=False
        Whether the test compares several models instead of two.
    spelled : dict, default=()
        Code for values of parameters, if it differs from their repr.

    Returns
    -------
    OtherQuestion
        The question.
    """
    models = ("estimators",) if several else ("a", "b")
    code = code_of(test, params, models if facts.models else (), spelled)
    fit = facts.fit_call("y_preds") if several else facts.fit_call()
    return OtherQuestion(question, build_test(test, params), f"{code}.{fit}", why)


def about_probabilities(facts):
    """Return the question answered by a posterior of the difference on these rows."""
    few = ""
    if facts.n_units < comparison.FEWEST_UNITS:
        few = f" With {facts.n_units} {facts.units} the posterior is too narrow."
    elif facts.n_discordant_units < comparison.FEWEST_DISCORDANT:
        few = (
            f" The models differ on only {facts.n_discordant_units} {facts.units}: "
            "the posterior overstates the certainty of the sign."
        )
    return make_question(
        facts,
        "How probable is it that A is better by more than a negligible amount?",
        comparison.BayesianComparison,
        {**facts.models, "scoring": facts.scoring, "rope": 0.01},
        "A p-value is not this probability. This test draws random weights for the "
        "rows, the same for both models (Bayesian bootstrap), and gives posterior "
        f"probabilities. `rope` is the largest difference in {facts.metric} that is "
        f"too small to matter: set it before seeing the results.{few}",
    )


def about_pairs(test, facts):
    """Return the question on all pairs of models, with shared resamples if valid."""
    bootstrap = comparison.PairedBootstrap()
    if not test.shares_resamples and not unmet_needs(bootstrap, facts):
        test = bootstrap
    kept = {n: v for n, v in test.get_params(deep=False).items() if n not in OF_PAIRS}
    pair = type(test)(alternative="two-sided", **kept)
    shared = pair.shares_resamples and facts.n_holding >= comparison.FEWEST_UNITS
    takes_scoring = "scoring" in pair.get_params(deep=False)
    correction = (
        "All pairs are compared on the same resamples, so that max-t accounts for the "
        "correlations between differences: in large samples, it rejects more than "
        "Bonferroni or Holm at the same level."
        if shared
        else "All p-values are corrected by Holm's procedure, which rejects no less "
        "than Bonferroni's, and often more."
    )
    return make_question(
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
        f"{correction} For several metrics or data sets, correct the p-values with "
        "adjust_pvalues.",
        several=True,
    )


# Learning algorithms: would the result hold on other training data?


def about_learning(facts):
    """Yield questions about learning algorithms, for cross-validated models."""
    splits, n_units = learning_splits(facts), facts.n_units
    can_redraw, large = splits.n_folds is not None, n_units >= FEWEST_FOR_HALVES

    def question_with(question, test, why, **params):
        common = {"scoring": facts.scoring, "alpha": facts.level}
        params = {**common, **facts.models, **params}
        spelled = {"alpha": facts.level_code}
        return make_question(facts, question, test, params, why, spelled=spelled)

    yield question_with(
        "Which learning algorithm is better, on other training data too?",
        comparison.CorrectedTTest,
        "It treats the training rows as random, too, and corrects the variance over "
        "folds for overlapping training sets. It takes "
        f"{format_count(splits.n_splits, 'fits')} of each model, {splits.remark}. For "
        "learners that are sensitive to single rows, such as nearest neighbors, it can "
        "reject too often.",
        cv=splits.cv,
    )
    if can_redraw and n_units >= FEWEST_HALVED:
        few = f" With only {n_units:,} {facts.units}, models trained on halves vary."
        yield question_with(  # valid for any learner
            "Which learning algorithm is better, if models depend strongly on their "
            "training rows?",
            comparison.ConservativeZ,
            "In simulations of sensitive learners, such as nearest neighbors, only "
            "this test controlled the type I error: halves of the data share no rows, "
            "so that their scores are independent. The price is less power and "
            f"{N_CONSERVATIVE:,} fits of each model.{'' if large else few}",
            random_state=0,
        )
    if can_redraw and large and splits.n_splits > N_HALVES:
        yield question_with(  # fewer fits than the folds
            f"Which learning algorithm is better, with only {N_HALVES} fits of each?",
            comparison.FiveByTwoCV,
            f"Useful if {splits.n_splits:,} fits of each model are too many and half "
            "of the rows are enough to learn from: it compares the algorithms trained "
            f"on {facts.problem.n_given // 2:,} rows. It is two-sided and gives no "
            "interval.",
            statistic="f",
            alternative="two-sided",
            random_state=0,
        )
    if can_redraw and facts.averages and n_units >= 2 * FEWEST_FOLDS:
        n_folds = max(min(splits.n_folds, MOST_FOLDS, n_units // 2), FEWEST_FOLDS)
        n_fits = comparison.NestedCVInterval().n_repeats * n_folds * (n_folds + 1) // 2
        group_folds = model_selection.GroupKFold(n_splits=n_folds, shuffle=True)
        yield question_with(  # an interval for a mean of per-row scores
            "Which learning algorithm is better, with the error of cross-validation "
            "estimated from the data?",
            comparison.NestedCVInterval,
            "It estimates this error by cross-validating again within the training "
            "folds, where CorrectedTTest uses a rule of thumb. It takes "
            f"{n_fits:,} fits of each model.",
            cv=group_folds if facts.has_user_groups else n_folds,
            random_state=0,
        )
    yield question_with(
        "How probable is it that A's algorithm is better by more than a negligible "
        "amount?",
        comparison.BayesianCorrelatedTTest,
        "The Bayesian version of CorrectedTTest, on the same folds: it gives posterior "
        f"probabilities. `rope` is the largest difference in {facts.metric} that is "
        "too small to matter: set it before seeing the results.",
        cv=splits.cv,
        rope=0.01,
    )


class Splits(NamedTuple):
    """Splits of the data for questions about learning algorithms.

    Attributes
    ----------
    cv : object
        The number of folds, splitter or iterable of splits.
    n_splits : int
        The number of splits, and of fits of each model.
    n_folds : int or None
        The number of folds that can be drawn anew; None if the splits are the user's.
    remark : str
        A remark on the splits that follows the number of fits.
    """

    cv: object
    n_splits: int
    n_folds: int | None
    remark: str


def learning_splits(facts):
    """Choose splits with varying training sets, as close as possible to the user's.

    Parameters
    ----------
    facts : Facts
        The facts about the comparison, which is cross-validated.

    Returns
    -------
    Splits
        The splits.
    """
    cv, n_splits = facts.models["cv"], facts.n_splits
    own_splits = Splits(cv, n_splits, None, "on the splits of `cv`")
    if facts.has_user_groups:
        remark = (
            "since scikit-learn has no repeated group k-fold. With many groups, "
            "GroupShuffleSplit makes more splits and gives more power"
        )
        if facts.torn_groups:
            n_folds = min(n_splits, facts.n_units)
            folds = model_selection.GroupKFold(n_splits=n_folds)
            return Splits(folds, n_folds, n_folds, remark)
        group_splits = Splits(cv, n_splits, n_splits, remark)
        tested_once = not facts.retested and facts.problem.n_given == facts.n_rows
        return group_splits if tested_once else own_splits
    y = facts.problem.y
    classifier = is_classifier(facts.models["estimator_a"])
    folds = model_selection.check_cv(cv, y, classifier=classifier)
    if isinstance(folds, model_selection.LeaveOneOut):
        n_folds = max(2, min(MOST_FOLDS, facts.n_rows // 2))
        folds = model_selection.check_cv(n_folds, y, classifier=classifier)
    if type(folds) not in REPEATED:
        return own_splits
    n_folds = folds.get_n_splits()
    repeated = REPEATED[type(folds)](
        n_splits=n_folds, n_repeats=N_REPEATS, random_state=0
    )
    remark = (
        f"{n_folds} folds repeated {N_REPEATS} times for more power. The folds are "
        "drawn at random, so do not use them for rows ordered in time"
    )
    return Splits(repeated, N_REPEATS * n_folds, n_folds, remark)
