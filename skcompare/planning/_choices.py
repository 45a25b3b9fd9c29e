"""Which test is chosen: an ordered list of tests, and the facts that lead to them.

It follows section 3.3 and figure 1 of Dror et al. (2018). What is ours are the numbers:
what counts as few rows, and as enough of them for a theorem.
"""

import functools
from typing import NamedTuple

from skcompare.comparison import (
    FEWEST_UNITS,
    NO_EXCHANGE,
    ApproxRandomization,
    CorrelationTest,
    DeLong,
    Fact,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    SignTest,
    WildClusterBootstrap,
)
from skcompare.planning._facts import FEWEST_FOR_SPREAD
from skcompare.planning._normality import normal_mean

# With fewer rows checks of normality find little: Shapiro-Wilk notices that ten
# exponential numbers are not normal in less than half of all cases, twenty in 83 %.
FEWEST_CHECKED = 20
# The share of discordant rows up to which the mid-p test keeps its level.
MOST_DISCORDANT = 0.5
# The fewest rows of each class for DeLong's variance. With 12 and 20 of 200 rows its
# level is right in simulations, and swaps of scores on unlike scales lose much power.
FEWEST_OF_CLASS = 10


# Facts: what holds, and the sentence that says so


@functools.partial(Fact, "Do rows have groups or weights?")
def grouped_or_weighted(facts):
    """Say whether rows are resampled in groups, or with weights."""
    if facts.block_length:
        return True, (
            "Rows depend on those before them: the differences of neighboring rows "
            f"correlate by {facts.neighbors_correlation:.2f}. So blocks of "
            f"{facts.block_length} rows in a row are taken as groups, "
            f"{facts.n_units:,} in all: only tests that resample or swap whole groups "
            "are valid."
        )
    if facts.grouped:
        return True, (
            f"Rows belong together: {facts.n_rows:,} rows in {facts.n_units:,} groups. "
            "Only tests that resample or swap whole groups are valid."
        )
    if facts.weighted:
        return True, (
            "Rows have weights: only tests that resample or swap rows take them."
        )
    return False, "No `groups` join rows: they are taken as independent."


@functools.partial(Fact, f"So uneven that they count as fewer than {FEWEST_UNITS}?")
def uneven(facts):
    """Say whether many units are worth few, and turning their signs is possible."""
    if not (facts.uneven and facts.adds_up):
        return False, ""
    return True, (
        f"There are {facts.n_units:,} {facts.units}, so uneven that they are worth "
        f"{facts.n_effective:.0f} even ones (Kish), fewer than {FEWEST_UNITS}: a plain "
        "bootstrap rejects too often."
    )


@functools.partial(Fact, f"R2 or the like, fewer than {FEWEST_FOR_SPREAD} rows?")
def few_for_spread(facts):
    """Say whether the spread of the truth is too uncertain to divide by."""
    if not (facts.few_for_spread and facts.exchangeable):
        return False, ""
    return True, (
        f"{facts.metric} divides by the spread of the truth, which varies much from "
        f"resample to resample of {facts.n_units:,} {facts.units}, fewer than "
        f"{FEWEST_FOR_SPREAD}: swaps leave it as it is."
    )


@functools.partial(Fact, "Is each row right or wrong?")
def right_or_wrong(facts):
    """Say whether outcomes are categorical."""
    if facts.kind != "right or wrong":
        return False, f"{facts.metric} is not the share of rows that are right."
    if facts.positive is None:
        return True, (
            f"{facts.metric} is a mean of per-row scores with two values: a row is "
            "right or wrong, a categorical outcome."
        )
    return True, (
        f"{facts.metric} is the accuracy on the {facts.n_rows:,} rows of class "
        f"{facts.positive!r}: these are compared, and a row is right or wrong, a "
        "categorical outcome."
    )


@functools.partial(Fact, "Right if it equals the truth?")
def accuracy(facts):
    """Say whether right means equal to the truth."""
    if facts.is_accuracy:
        return True, "A row is right if the prediction equals the truth."
    return False, (
        "What makes a row right is not just that prediction and truth are equal."
    )


@functools.partial(Fact, "ROC AUC of two classes?")
def roc_auc(facts):
    """Say whether DeLong's theory applies."""
    if facts.kind == "roc auc":
        return True, "ROC AUC compares rows in pairs, and theory gives its variance."
    return False, f"{facts.metric} is not the ROC AUC of two classes."


@functools.partial(Fact, "Pearson's correlation of normal values?")
def correlation(facts):
    """Say whether the theory of correlations with one truth applies."""
    if facts.correlation != "pearson" or facts.n_rows < FEWEST_UNITS:
        return False, ""
    if facts.normal_values:
        return True, (
            "Truth and predictions show no sign that they are not normal, which the "
            "theory of Pearson's correlation assumes."
        )
    return False, (
        "Truth or predictions are not normal, which the theory of Pearson's "
        "correlation assumes."
    )


@functools.partial(Fact, "A mean of per-row scores?")
def average(facts):
    """Say whether rows have scores."""
    if facts.averages:
        return True, f"{facts.metric} is a mean of per-row scores."
    return False, (
        f"{facts.metric} is not a mean of per-row scores, as far as can be seen: the "
        "distribution of the difference is unknown."
    )


@functools.partial(Fact, f"At least {FEWEST_CHECKED} rows?")
def checkable(facts):
    """Say whether a check of normality can notice anything."""
    if facts.n_rows >= FEWEST_CHECKED:
        return True, f"{facts.n_rows:,} rows are enough to check for normality."
    return False, (
        f"With {facts.n_rows} rows, fewer than {FEWEST_CHECKED}, a check of normality "
        "would notice next to nothing."
    )


@functools.partial(Fact, f"At least {FEWEST_OF_CLASS} rows of each class?")
def large_classes(facts):
    """Say whether DeLong's variance can be relied upon, or nothing else is left."""
    size = f"The smaller class has {facts.smallest_class:,} rows"
    if facts.smallest_class >= FEWEST_OF_CLASS:
        return True, (
            f"{size}, at least {FEWEST_OF_CLASS}: enough for a normal variance."
        )
    if facts.exchangeable:
        return False, f"{size}, fewer than {FEWEST_OF_CLASS}: the theory is for more."
    return True, (
        f"{size}, which is few, but {NO_EXCHANGE}: the theory is all that is left."
    )


@functools.partial(Fact, f"At least {FEWEST_UNITS} rows, or groups?")
def many_units(facts):
    """Say whether units are many enough to resample, or nothing else is left."""
    number = f"There are {facts.n_units:,} {facts.units}"
    if facts.n_holding < facts.n_units:
        number += (
            f", and only {facts.n_holding:,} of them hold a class that {facts.metric} "
            "rests on"
        )
    if min(facts.n_effective, facts.n_holding) >= FEWEST_UNITS:
        return True, f"{number}, at least {FEWEST_UNITS}: enough for a bootstrap."
    if not facts.exchangeable:
        return True, (
            f"{number}, which is few, but {NO_EXCHANGE}: the bootstrap is all that is "
            "left."
        )
    worth = ""
    if facts.uneven:
        worth = f"so uneven that they are worth {facts.n_effective:.0f} even ones "
        worth += "(Kish), "
    return False, (
        f"{number}, {worth}fewer than {FEWEST_UNITS}: too few for a bootstrap."
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
_WILD = (
    "The wild cluster bootstrap turns the signs of what units add to the difference, "
    "and studentizes: it keeps closer to its level than a plain bootstrap if few units "
    "carry most of the weight."
)
_RANDOMIZE = (
    "A permutation test (approximate randomization) swaps the models' predictions: for "
    "exchangeable ones it is valid at any size and for any metric, and exact where few "
    "rows differ."
)


def _swaps(facts):
    """Return the choice of a permutation test."""
    return Choice(
        ApproxRandomization,
        facts,
        _RANDOMIZE,
        variants=(
            (
                lambda facts: facts.unequal_rates and facts.adds_up,
                {"statistic": "studentized"},
                "One model predicts the class far more often than the other: the "
                "difference is divided by its standard error, since plain swaps reject "
                "too often where only the scores are equal.",
            ),
        ),
    )


# The first whose facts are as they must be is chosen.
CHOICES = (
    Choice(WildClusterBootstrap, {grouped_or_weighted: True, uneven: True}, _WILD),
    Choice(PairedBootstrap, {grouped_or_weighted: True, many_units: True}, _BOOTSTRAP),
    _swaps({grouped_or_weighted: True}),
    Choice(
        McNemar,
        {right_or_wrong: True, accuracy: True},
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
                lambda facts: True,
                {"variant": "mid-p"},
                "The mid-p variant keeps close to its level, and the exact one stays "
                "well below it: mid-p has more power.",
            ),
        ),
    ),
    Choice(
        SignTest,
        {right_or_wrong: True},
        "The sign test counts the rows on which one model does better: McNemar's exact "
        "test, for any two values.",
    ),
    Choice(
        DeLong,
        {roc_auc: True, large_classes: True},
        "DeLong's test needs no resampling, mixes no predictions of the two models and "
        "gives intervals.",
    ),
    _swaps({roc_auc: True}),
    Choice(
        CorrelationTest,
        {correlation: True},
        "Williams' test is made for two correlations with one truth: it needs no "
        "resampling and gives intervals.",
    ),
    Choice(
        PairedTTest,
        {average: True, checkable: True, normal_mean: True},
        "Where the distribution is known, the test that uses it has the most power: "
        "Student's t, with an interval.",
    ),
    _swaps({average: True, checkable: False}),
    _swaps({average: False, few_for_spread: True}),
    Choice(PairedBootstrap, {many_units: True}, _BOOTSTRAP),
    _swaps({}),
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
    sentences = [answer.sentence for answer in answers.values()]
    if facts.ranked_by_fold:
        sentences.append(
            "Each fold has a model of its own, and scores of different models put into "
            f"one ranking are biased: {facts.metric} is computed in each of the "
            f"{facts.n_splits:,} folds, and its mean is compared."
        )
    reasons = [*filter(None, sentences), choice.why]
    for when, params, reason in choice.variants:
        if when(facts):
            return choice.test, params, [*reasons, reason]
    return choice.test, {}, reasons


# The tree that the list amounts to


class Node(NamedTuple):
    """A question, and where its answers lead.

    Parameters
    ----------
    question : str
        The question in a few words.
    yes, no : Node or Choice
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
    >>> tree.question, tree.yes.question
    ('Do rows have groups or weights?', 'So uneven that they count as fewer than 30?')
    >>> tree.yes.no.question, tree.yes.no.no.test.__name__
    ('At least 30 rows, or groups?', 'ApproxRandomization')
    """
    first = choices[0]
    if not first.facts:
        return first
    fact = next(iter(first.facts))

    def after(answer):
        left = [c for c in choices if c.facts.get(fact, answer) == answer]
        others = [{f: a for f, a in c.facts.items() if f != fact} for c in left]
        pairs = zip(left, others, strict=True)
        return as_tree([choice._replace(facts=facts) for choice, facts in pairs])

    return Node(fact.question, yes=after(True), no=after(False))


TREE = as_tree(CHOICES)
