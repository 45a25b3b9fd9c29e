"""Which test is chosen: a tree of questions, each with the sentence that answers it.

It follows section 3.3 and figure 1 of Dror et al. (2018). What is ours are the numbers:
what counts as few rows, and as enough of them for a theorem.
"""

import functools
import math
import time
from collections.abc import Callable
from typing import NamedTuple

from skcompare import comparison
from skcompare._engine import bootstrap, draw, swaps
from skcompare.comparison import FEWEST_UNITS, NO_EXCHANGE
from skcompare.planning._facts import FEWEST_FOR_SPREAD

# With fewer rows checks of normality find little: Shapiro-Wilk notices that ten
# exponential numbers are not normal in less than half of all cases, twenty in 83 %.
FEWEST_CHECKED = 20
# The share of discordant rows up to which the mid-p test keeps its level.
MOST_DISCORDANT = 0.5
# The fewest rows of each class for DeLong's variance. With 12 and 20 of 200 rows its
# level is right in simulations, and swaps of scores on unlike scales lose much power.
FEWEST_OF_CLASS = 10
# The usual number of resamples, and the fewest where they take long.
N_RESAMPLES, FEWEST_RESAMPLES = 9_999, 999
# Where all of these take longer than so many seconds, the fewest are recommended.
LONG = 600
# So many resamples should be able to make a p-value of the level.
RESAMPLES_BELOW_LEVEL = 20
# Resamples are timed in ever larger lots, until they took so many seconds or are many.
SECONDS_TIMED, MUCH_TIMED, MOST_TIMED = 0.1, 1.0, 2_000


class Fact(NamedTuple):
    """A question about a comparison that leads to one test or another.

    Parameters
    ----------
    question : str
        The question in a few words.
    answer : callable
        ``answer(facts)`` returns whether the fact holds, and the sentence that says so;
        an empty one if there is nothing to say.
    """

    question: str
    answer: Callable


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
    if facts.metric != "pearson" or facts.n_rows < FEWEST_UNITS:
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


normal_mean = Fact("Is the mean difference normal?", lambda facts: facts.normal_mean)


# Choices: the tests, and what speaks for them


class Choice(NamedTuple):
    """A test, and what speaks for it.

    Parameters
    ----------
    test : type
        The class of the test.
    why : str
        What speaks for it.
    variants : tuple of (callable, dict, str), default=()
        Parameters other than the default, of which the first counts for which
        ``when(facts)`` holds, and why.
    """

    test: type
    why: str
    variants: tuple = ()


WILD = Choice(
    comparison.WildClusterBootstrap,
    "The wild cluster bootstrap turns the signs of what units add to the difference, "
    "and studentizes: it keeps closer to its level than a plain bootstrap if few units "
    "carry most of the weight.",
)
BOOTSTRAP = Choice(
    comparison.PairedBootstrap,
    "The bootstrap assumes no distribution, takes the size of differences into account "
    "and gives an interval.",
)
SWAPS = Choice(
    comparison.ApproxRandomization,
    "A permutation test (approximate randomization) swaps the models' predictions: for "
    "exchangeable ones it is valid at any size and for any metric, and exact where few "
    "rows differ.",
    variants=(
        (
            lambda facts: comparison.unequal_rates(facts.statistic) and facts.adds_up,
            {"statistic": "studentized"},
            "One model predicts the class far more often than the other: the "
            "difference is divided by its standard error, since plain swaps reject "
            "too often where only the scores are equal.",
        ),
    ),
)
MCNEMAR = Choice(
    comparison.McNemar,
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
)
SIGN = Choice(
    comparison.SignTest,
    "The sign test counts the rows on which one model does better: McNemar's exact "
    "test, for any two values.",
)
DELONG = Choice(
    comparison.DeLong,
    "DeLong's test needs no resampling, mixes no predictions of the two models and "
    "gives intervals.",
)
CORRELATION = Choice(
    comparison.CorrelationTest,
    "Williams' test is made for two correlations with one truth: it needs no "
    "resampling and gives intervals.",
)
STUDENT = Choice(
    comparison.PairedTTest,
    "Where the distribution is known, the test that uses it has the most power: "
    "Student's t, with an interval.",
)


# The tree


class Node(NamedTuple):
    """A question, and where its answers lead.

    Parameters
    ----------
    fact : Fact
        What is asked.
    yes, no : Node or Choice
        What comes next.
    """

    fact: Fact
    yes: object
    no: object

    @property
    def question(self):
        """The question in a few words."""
        return self.fact.question


RESAMPLED = Node(many_units, yes=BOOTSTRAP, no=SWAPS)
TREE = Node(
    grouped_or_weighted,
    yes=Node(uneven, yes=WILD, no=RESAMPLED),
    no=Node(
        right_or_wrong,
        yes=Node(accuracy, yes=MCNEMAR, no=SIGN),
        no=Node(
            roc_auc,
            yes=Node(large_classes, yes=DELONG, no=SWAPS),
            no=Node(
                correlation,
                yes=CORRELATION,
                no=Node(
                    average,
                    yes=Node(
                        checkable,
                        yes=Node(normal_mean, yes=STUDENT, no=RESAMPLED),
                        no=SWAPS,
                    ),
                    no=Node(few_for_spread, yes=SWAPS, no=RESAMPLED),
                ),
            ),
        ),
    ),
)


def choose(facts):
    """Choose a test: the one that the answers of the tree lead to.

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
        it, what speaks for the test, and how long its resamples take.
    """
    choice, sentences = TREE, []
    while isinstance(choice, Node):
        holds, sentence = choice.fact.answer(facts)
        sentences.append(sentence)
        choice = choice.yes if holds else choice.no
    if facts.ranked_by_fold:
        sentences.append(
            "Each fold has a model of its own, and scores of different models put into "
            f"one ranking are biased: {facts.metric} is computed in each of the "
            f"{facts.n_splits:,} folds, and its mean is compared."
        )
    variants = ((params, why) for when, params, why in choice.variants if when(facts))
    params, of_variant = next(variants, ({}, ""))
    sentences += [choice.why, of_variant]
    if choice.test.randomizes:
        n_resamples, duration = plan_resamples(choice.test, facts)
        params = {**params, "n_resamples": n_resamples}
        sentences.append(duration)
    return choice.test, params, [*filter(None, sentences)]


# How many resamples to recommend, and how long they take


def plan_resamples(test, facts):
    """Choose the number of resamples of a test.

    Parameters
    ----------
    test : type
        The class of a test that randomizes rows, predictions or signs.
    facts : Facts
        What is known about the comparison.

    Returns
    -------
    n_resamples : int
        Their number.
    sentence : str
        How long those that are drawn take.
    """
    seconds = seconds_per_resample(facts.problem, test)
    usual = N_RESAMPLES if seconds * N_RESAMPLES <= LONG else FEWEST_RESAMPLES
    n_resamples = max(usual, math.ceil(RESAMPLES_BELOW_LEVEL / facts.level) - 1)
    # What is turned or swapped has only so many ways.
    n_turned = {"predictions": facts.n_discordant_units, "signs": facts.n_units}
    n_ways = 2 ** n_turned[test.randomizes] if test.randomizes in n_turned else math.inf
    n_drawn = min(n_resamples, n_ways)
    return n_resamples, about_time(n_drawn, n_drawn * seconds)


def seconds_per_resample(problem, test):
    """Estimate how long a resample takes with one worker, from a few of them.

    Parameters
    ----------
    problem : Problem
        The rows, the predictions and the score.
    test : type
        The class of a test that randomizes rows, predictions or signs.

    Returns
    -------
    float
        Seconds per resample.
    """
    cells, units = problem.cells(), problem.swapped_units
    by_swaps = test.randomizes == "predictions" and len(units)
    resampler = swaps(cells, units) if by_swaps else bootstrap(cells)
    n_draws = 2
    while True:
        began = time.perf_counter()
        if test.randomizes == "signs":
            test(n_resamples=n_draws).compare(problem)
        else:
            draw(resampler, n_draws, seed=0)
        seconds = time.perf_counter() - began
        # What happens once, such as loading code and starting threads, makes the first
        # lot slow: it counts only if that cannot matter.
        slow = seconds > (MUCH_TIMED if n_draws == 2 else SECONDS_TIMED)
        if slow or n_draws >= MOST_TIMED:
            return seconds / n_draws
        n_draws *= 4


def about_time(n_resamples, seconds):
    """Say how long resamples will take.

    Examples
    --------
    >>> for seconds in (0.01, 12.3, 7200):
    ...     print(about_time(9_999, seconds)[:42])
    9,999 resamples take about 0.1 s or less h
    9,999 resamples take about 12 s here with
    9,999 resamples take about 2 h here with o
    """
    duration = "0.1 s or less"
    if seconds >= 6_000:
        duration = f"{seconds / 3600:.0f} h"
    elif seconds >= 100:
        duration = f"{seconds / 60:.0f} min"
    elif seconds >= 0.1:
        duration = f"{seconds:.2g} s"
    text = (
        f"{n_resamples:,} resamples take about {duration} here with one worker, as "
        "measured on a few of them"
    )
    if seconds > 60:
        return f"{text}. With n_jobs=-1 all processors share them."
    return f"{text}: the data are not too large to resample."
