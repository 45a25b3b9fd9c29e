"""Which test is chosen: an ordered list of tests, and the facts that lead to them.

It follows section 3.3 and figure 1 of Dror et al. (2018). What is ours are the numbers:
what counts as few rows, and as enough of them for a theorem.
"""

import dataclasses
from typing import NamedTuple

from skcompare.comparison import (
    FEWEST_UNITS,
    NO_EXCHANGE,
    ApproxRandomization,
    DeLong,
    Fact,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    SignTest,
    advice_on,
)
from skcompare.planning._facts import FEWEST_FOR_SPREAD
from skcompare.planning._normality import NORMAL_MEAN

# With fewer rows checks of normality find little: Shapiro-Wilk notices that ten
# exponential numbers are not normal in less than half of all cases, twenty in 83 %.
FEWEST_CHECKED = 20
# The share of discordant rows up to which the mid-p test keeps its level.
MOST_DISCORDANT = 0.5
# The fewest rows of each class for DeLong's variance. With 12 and 20 of 200 rows its
# level is right in simulations, and swaps of scores on unlike scales lose much power.
FEWEST_OF_CLASS = 10


# Facts


def _yes_or_no(question, holds, yes, no):
    """Return a fact with two answers."""
    return Fact(question, ((holds, True, yes), (_otherwise, False, no)))


def _otherwise(facts):
    return True


GROUPED = Fact(
    "Do rows belong together?",
    (
        (
            lambda facts: facts.block_length > 0,
            True,
            lambda facts: (
                "Rows depend on those before them: the differences of neighboring rows "
                f"correlate by {facts.neighbors_correlation:.2f}. So blocks of "
                f"{facts.block_length} rows in a row are taken as groups, "
                f"{facts.n_units:,} in all: only tests that resample or swap whole "
                "groups are valid."
            ),
        ),
        (
            lambda facts: facts.grouped,
            True,
            lambda facts: (
                f"Rows belong together: {facts.n_rows:,} rows in {facts.n_units:,} "
                "groups. Only tests that resample or swap whole groups are valid."
            ),
        ),
        (
            _otherwise,
            False,
            lambda facts: "There are no `groups`: rows are taken as independent.",
        ),
    ),
)
WEIGHTED = _yes_or_no(
    "Do rows have weights?",
    lambda facts: facts.weighted,
    lambda facts: "Rows have weights: only tests that resample or swap rows take them.",
    lambda facts: "",
)
SPREAD = _yes_or_no(
    f"R2 or the like, fewer than {FEWEST_FOR_SPREAD} rows?",
    lambda facts: facts.few_for_spread and facts.exchangeable,
    lambda facts: (
        f"{facts.metric} divides by the spread of the truth, which varies much from "
        f"resample to resample of {facts.n_units:,} {facts.units}, fewer than "
        f"{FEWEST_FOR_SPREAD}: swaps leave it as it is."
    ),
    lambda facts: "",
)
RIGHT_OR_WRONG = _yes_or_no(
    "Is each row right or wrong?",
    lambda facts: facts.kind == "right or wrong",
    lambda facts: (
        f"{facts.metric} is a mean of per-row scores, and a row has one of two: it is "
        "right or wrong, a categorical outcome."
        if facts.positive is None
        else f"{facts.metric} is the accuracy on the {facts.n_rows:,} rows of class "
        f"{facts.positive!r}: these are compared, and a row is right or wrong, a "
        "categorical outcome."
    ),
    lambda facts: f"{facts.metric} does not just count which rows are right.",
)
ACCURACY = _yes_or_no(
    "Right if it equals the truth?",
    lambda facts: facts.is_accuracy,
    lambda facts: "A row is right if the prediction equals the truth.",
    lambda facts: (
        "What makes a row right is not just that prediction and truth are equal."
    ),
)
ROC_AUC = _yes_or_no(
    "ROC AUC of two classes?",
    lambda facts: facts.kind == "roc auc",
    lambda facts: "ROC AUC compares rows in pairs, and theory gives its variance.",
    lambda facts: f"{facts.metric} is not the ROC AUC of two classes.",
)
AVERAGE = _yes_or_no(
    "A mean of per-row scores?",
    lambda facts: facts.averages,
    lambda facts: f"{facts.metric} is a mean of per-row scores.",
    lambda facts: (
        f"{facts.metric} is not a mean of per-row scores, as far as can be seen: the "
        "distribution of the difference is unknown."
    ),
)
CHECKABLE = _yes_or_no(
    f"At least {FEWEST_CHECKED} rows?",
    lambda facts: facts.n_rows >= FEWEST_CHECKED,
    lambda facts: f"{facts.n_rows:,} rows are enough to check for normality.",
    lambda facts: (
        f"With {facts.n_rows} rows, fewer than {FEWEST_CHECKED}, a check of normality "
        "would notice next to nothing."
    ),
)
LARGE_CLASSES = Fact(
    f"At least {FEWEST_OF_CLASS} rows of each class?",
    (
        (
            lambda facts: facts.smallest_class >= FEWEST_OF_CLASS,
            True,
            lambda facts: (
                f"The smaller class has {facts.smallest_class:,} rows, at least "
                f"{FEWEST_OF_CLASS}: enough for a normal variance."
            ),
        ),
        (
            lambda facts: facts.exchangeable,
            False,
            lambda facts: (
                f"The smaller class has {facts.smallest_class:,} rows, fewer than "
                f"{FEWEST_OF_CLASS}: the theory is for more."
            ),
        ),
        (
            _otherwise,
            True,
            lambda facts: (
                f"The smaller class has {facts.smallest_class:,} rows, which is few, "
                f"but {NO_EXCHANGE}: the theory is all that is left."
            ),
        ),
    ),
)
MANY_UNITS = Fact(
    f"At least {FEWEST_UNITS} rows, or groups?",
    (
        (
            lambda facts: facts.n_effective >= FEWEST_UNITS,
            True,
            lambda facts: (
                f"There are {facts.n_units:,} {facts.units}, at least {FEWEST_UNITS}: "
                "enough for a bootstrap."
            ),
        ),
        (
            lambda facts: facts.exchangeable and facts.n_units >= FEWEST_UNITS,
            False,
            lambda facts: (
                f"There are {facts.n_units:,} {facts.units}, so uneven that they are "
                f"worth {facts.n_effective:.0f} even ones (Kish), fewer than "
                f"{FEWEST_UNITS}: too few for a bootstrap."
            ),
        ),
        (
            lambda facts: facts.exchangeable,
            False,
            lambda facts: (
                f"There are {facts.n_units:,} {facts.units}, fewer than "
                f"{FEWEST_UNITS}: too few for a bootstrap."
            ),
        ),
        (
            _otherwise,
            True,
            lambda facts: (
                f"There are {facts.n_units:,} {facts.units}, which is few, but "
                f"{NO_EXCHANGE}: the bootstrap is all that is left."
            ),
        ),
    ),
)


# Choices


class Choice(NamedTuple):
    """A test, and what leads to it.

    Parameters
    ----------
    test : type
        The class of the test.
    facts : dict of {Fact: bool}
        Which facts must hold, and which must not, in the order in which they are asked.
    why : str
        What speaks for the test, in a sentence.
    variants : tuple of (callable, dict, str), default=()
        Parameters of the test, of which the first counts for which ``when(facts)``
        holds, and why.
    """

    test: type
    facts: dict
    why: str
    variants: tuple = ()


_BOOTSTRAP = (
    "The bootstrap assumes no distribution, takes the size of differences into account "
    "and gives an interval."
)
_RANDOMIZE = (
    "A permutation test (approximate randomization) swaps the models' predictions: it "
    "is valid at any size, for any metric, and exact where few rows differ."
)

# The first whose facts are as they must be is chosen.
CHOICES = (
    Choice(PairedBootstrap, {GROUPED: True, MANY_UNITS: True}, _BOOTSTRAP),
    Choice(ApproxRandomization, {GROUPED: True}, _RANDOMIZE),
    Choice(PairedBootstrap, {WEIGHTED: True, MANY_UNITS: True}, _BOOTSTRAP),
    Choice(ApproxRandomization, {WEIGHTED: True}, _RANDOMIZE),
    Choice(
        McNemar,
        {RIGHT_OR_WRONG: True, ACCURACY: True},
        "McNemar's test is made for pairs of right and wrong: it looks at the rows on "
        "which just one model is right.",
        variants=(
            (
                lambda facts: facts.n_discordant > MOST_DISCORDANT * facts.n_rows,
                {"variant": "exact"},
                "More than half of all rows are discordant, where mid-p can exceed its "
                "level: the exact p-value cannot.",
            ),
            (
                _otherwise,
                {"variant": "mid-p"},
                "The mid-p variant comes close to its level, from which the exact one "
                "stays far: it has more power.",
            ),
        ),
    ),
    Choice(
        SignTest,
        {RIGHT_OR_WRONG: True},
        "The sign test counts the rows on which one model does better: McNemar's exact "
        "test, for any two values.",
    ),
    Choice(
        DeLong,
        {ROC_AUC: True, LARGE_CLASSES: True},
        "DeLong's test needs no resampling, mixes no predictions of the two models and "
        "gives intervals.",
    ),
    Choice(ApproxRandomization, {ROC_AUC: True}, _RANDOMIZE),
    Choice(
        PairedTTest,
        {AVERAGE: True, CHECKABLE: True, NORMAL_MEAN: True},
        "Where the distribution is known, the test that uses it has the most power: "
        "Student's t, with an interval.",
    ),
    Choice(ApproxRandomization, {AVERAGE: True, CHECKABLE: False}, _RANDOMIZE),
    Choice(ApproxRandomization, {AVERAGE: False, SPREAD: True}, _RANDOMIZE),
    Choice(PairedBootstrap, {MANY_UNITS: True}, _BOOTSTRAP),
    Choice(ApproxRandomization, {}, _RANDOMIZE),
)


def choose(facts):
    """Choose a test.

    Parameters
    ----------
    facts : Facts
        What is known about the comparison.

    Returns
    -------
    test : type
        The class of the test.
    params : dict
        Its parameters, where the facts call for others than the default.
    reasons : list of str
        A sentence for each fact that was asked, unless there is nothing to say about
        it, and what speaks for the test.
    """
    answers = {}
    for choice in CHOICES:
        for fact, wanted in choice.facts.items():
            if fact not in answers:
                answers[fact] = fact.ask(facts)
            if answers[fact].holds != wanted:
                break
        else:
            break
    sentences = (answer.sentence for answer in answers.values())
    reasons = [*filter(None, sentences), choice.why]
    for when, params, reason in choice.variants:
        if when(facts):
            return choice.test, params, [*reasons, reason]
    return choice.test, {}, reasons


def unmet_needs(test, facts):
    """Return what speaks against a test, whether or not it is the one recommended.

    Parameters
    ----------
    test : estimator
        A test of two models.
    facts : Facts
        What is known about the comparison.

    Returns
    -------
    list of str
        A sentence for each need that is not met.
    """
    if facts.weighted and "sample_weight" not in test.takes:
        return [
            f"{type(test).__name__} lets all rows count alike, whatever they weigh."
        ]
    needs = advice_on(test).needs
    return [
        need.otherwise(test, facts) for need in needs if not need.holds(test, facts)
    ]


# The tree that the list amounts to


@dataclasses.dataclass(frozen=True)
class Leaf:
    """An end of the tree.

    Parameters
    ----------
    test : type
        The class of the test.
    why : str
        What speaks for it, in a sentence.
    """

    test: type
    why: str


@dataclasses.dataclass(frozen=True)
class Node:
    """A question, and where its answers lead.

    Parameters
    ----------
    question : str
        The question in a few words.
    yes, no : Node or Leaf
        What comes next.
    """

    question: str
    yes: object
    no: object


def as_tree(choices):
    """Return the tree of questions that leads to the same tests as the list.

    Examples
    --------
    >>> tree = as_tree(CHOICES)
    >>> tree.question, tree.yes.question, tree.yes.no.test.__name__
    ('Do rows belong together?', 'At least 30 rows, or groups?', 'ApproxRandomization')
    """
    first = choices[0]
    if not first.facts:
        return Leaf(first.test, first.why)
    fact = next(iter(first.facts))
    branches = {
        answer: as_tree(
            [
                choice._replace(facts=_without(choice.facts, fact))
                for choice in choices
                if choice.facts.get(fact, answer) == answer
            ]
        )
        for answer in (True, False)
    }
    return Node(fact.question, yes=branches[True], no=branches[False])


def _without(facts, fact):
    return {other: wanted for other, wanted in facts.items() if other is not fact}


TREE = as_tree(CHOICES)
