"""The decision tree of tests, with questions and the sentences that answer them.

It follows section 3.3 and figure 1 of Dror et al. (2018). The thresholds are our own:
how many rows are few, and how many suffice for asymptotic theory.
"""

import functools
import math
import time
from collections.abc import Callable
from typing import NamedTuple

from skcompare import comparison
from skcompare._engine import bootstrap, draw, swaps
from skcompare._format import format_count
from skcompare.comparison import FEWEST_UNITS, NO_EXCHANGE
from skcompare.planning._facts import FEWEST_FOR_SPREAD

# With fewer rows, normality tests have little power: Shapiro-Wilk rejects normality of
# 10 exponential numbers in less than half of all cases, of 20 in 83 %.
FEWEST_CHECKED = 20
# The largest share of discordant rows for which mid-p controls the type I error.
MOST_DISCORDANT = 0.5
# Minimum number of rows of each class for DeLong's variance. With 12 and 20 of 200 rows
# its level is right in simulations, and swapping scores on different scales loses much
# power.
FEWEST_OF_CLASS = 10
# Default number of resamples, and the minimum if resampling is slow.
N_RESAMPLES, FEWEST_RESAMPLES = 9_999, 999
# Seconds for `N_RESAMPLES` above which the minimum is recommended.
LONG = 600
# Minimum expected number of exceeding resamples if the p-value equals the level.
RESAMPLES_BELOW_LEVEL = 20
# Ever larger batches of resamples are timed, until one takes `SECONDS_TIMED` (for the
# first, `MUCH_TIMED`) or has `MOST_TIMED` resamples.
SECONDS_TIMED, MUCH_TIMED, MOST_TIMED = 0.1, 1.0, 2_000


class Fact(NamedTuple):
    """A yes-or-no question about a comparison, on which the choice of a test depends.

    Parameters
    ----------
    question : str
        The question in a few words.
    check : callable
        ``check(facts)`` returns whether the answer is yes, and a sentence that explains
        it, which may be empty.
    """

    question: str
    check: Callable


@functools.partial(Fact, "Do rows have groups or weights?")
def grouped_or_weighted(facts):
    """Check whether rows are resampled in groups, or with weights."""
    if facts.block_length:
        return True, (
            "Rows depend on the rows before them: differences of neighboring rows have "
            f"a correlation of {facts.neighbors_correlation:.2f}. Blocks of "
            f"{facts.block_length} consecutive rows are therefore treated as groups, "
            f"{facts.n_units:,} in all: only tests that resample or swap whole groups "
            "are valid."
        )
    if facts.grouped:
        return True, (
            f"Rows are in groups: {facts.n_rows:,} rows in {facts.n_units:,} groups. "
            "Only tests that resample or swap whole groups are valid."
        )
    if facts.weighted:
        return True, (
            "Rows have weights: only tests that resample or swap rows support them."
        )
    return False, "No `groups` were passed, so rows are treated as independent."


@functools.partial(Fact, f"Uneven, with an effective number below {FEWEST_UNITS}?")
def uneven(facts):
    """Check whether the effective number of units is small and signs can be flipped."""
    if not (facts.uneven and facts.adds_up):
        return False, ""
    return True, (
        f"There are {facts.n_units:,} {facts.units}, so uneven that their effective "
        f"number (Kish) is {facts.n_effective:.0f}, below {FEWEST_UNITS}: a plain "
        "bootstrap rejects too often."
    )


@functools.partial(Fact, f"R2 or similar, with fewer than {FEWEST_FOR_SPREAD} rows?")
def few_for_spread(facts):
    """Check whether the spread of true values, a divisor, is too uncertain."""
    if not (facts.few_for_spread and facts.exchangeable):
        return False, ""
    return True, (
        f"{facts.metric} divides by the spread of the true values, which varies a lot "
        f"between resamples of {facts.n_units:,} {facts.units}, fewer than "
        f"{FEWEST_FOR_SPREAD}: swapping predictions does not change it."
    )


@functools.partial(Fact, "Is each row right or wrong?")
def right_or_wrong(facts):
    """Check whether outcomes are categorical."""
    if facts.kind != "right or wrong":
        return False, f"{facts.metric} is not the share of rows that are right."
    if facts.positive is None:
        return True, (
            f"{facts.metric} is a mean of per-row scores with two values: a row is "
            "right or wrong, a categorical outcome."
        )
    return True, (
        f"{facts.metric} is the accuracy on the {facts.n_rows:,} rows of class "
        f"{facts.positive!r}: only these are compared, and a row is right or wrong, a "
        "categorical outcome."
    )


@functools.partial(Fact, "Right if prediction and truth are equal?")
def accuracy(facts):
    """Check whether a prediction is right exactly if it equals the truth."""
    if facts.is_accuracy:
        return True, "A row is right if the prediction equals the truth."
    return False, "Being right is not the same as prediction and truth being equal."


@functools.partial(Fact, "ROC AUC of two classes?")
def roc_auc(facts):
    """Check whether DeLong's theory applies."""
    if facts.kind == "roc auc":
        return True, "The variance of ROC AUC, which compares pairs of rows, is known."
    return False, f"{facts.metric} is not the ROC AUC of two classes."


@functools.partial(Fact, "Pearson's correlation of normal values?")
def correlation(facts):
    """Check whether the theory of two correlations with the same truth applies."""
    if facts.metric != "pearson" or facts.n_rows < FEWEST_UNITS:
        return False, ""
    if facts.normal_values:
        return True, (
            "The theory of Pearson's correlation assumes normal values, and there is "
            "no evidence that truth or predictions are not normal."
        )
    return False, (
        "The theory of Pearson's correlation assumes normal values, but truth or "
        "predictions are not normal."
    )


@functools.partial(Fact, "A mean of per-row scores?")
def average(facts):
    """Check whether the metric is a mean of per-row scores."""
    if facts.averages:
        return True, f"{facts.metric} is a mean of per-row scores."
    return False, (
        f"{facts.metric} {facts.is_no_average}: the distribution of the difference is "
        "unknown."
    )


@functools.partial(Fact, f"At least {FEWEST_CHECKED} rows?")
def checkable(facts):
    """Check whether there are enough rows for a normality test."""
    if facts.n_rows >= FEWEST_CHECKED:
        return True, f"{facts.n_rows:,} rows are enough to check for normality."
    return False, (
        f"With {facts.n_rows} rows, fewer than {FEWEST_CHECKED}, a check of normality "
        "has hardly any power."
    )


@functools.partial(Fact, f"At least {FEWEST_OF_CLASS} rows of each class?")
def large_classes(facts):
    """Check whether DeLong's variance is reliable, or the only option."""
    size = f"The smaller class has {format_count(facts.smallest_class, 'rows')}"
    if facts.smallest_class >= FEWEST_OF_CLASS:
        return True, (
            f"{size}, at least {FEWEST_OF_CLASS}: enough for the theory to apply."
        )
    if facts.exchangeable:
        return False, f"{size}, fewer than {FEWEST_OF_CLASS}: too few for the theory."
    return True, (
        f"{size}, which is few, but {NO_EXCHANGE}: the theory is the only option left."
    )


@functools.partial(Fact, f"At least {FEWEST_UNITS} rows, or groups?")
def many_units(facts):
    """Check whether there are enough units for a bootstrap, or no other option."""
    number = f"There are {facts.n_units:,} {facts.units}"
    if facts.n_holding < facts.n_units:
        number += (
            f", and a class that {facts.metric} depends on occurs in "
            f"{facts.n_holding:,} of them"
        )
    if min(facts.n_effective, facts.n_holding) >= FEWEST_UNITS:
        return True, f"{number}, at least {FEWEST_UNITS}: enough for a bootstrap."
    if not facts.exchangeable:
        return True, (
            f"{number}, which is few, but {NO_EXCHANGE}: the bootstrap is the only "
            "option left."
        )
    effective = ""
    if facts.uneven:
        effective = f"with an effective number (Kish) of {facts.n_effective:.0f}, "
    return False, (
        f"{number}, {effective}fewer than {FEWEST_UNITS}: too few for a bootstrap."
    )


normal_mean = Fact("Is the mean difference normal?", lambda facts: facts.normal_mean)


# Choices: the tests, and the reasons for them


class Choice(NamedTuple):
    """A test, and the reason for it.

    Parameters
    ----------
    test : type
        The class of the test.
    why : str
        The reason for it.
    variants : tuple of (callable, dict, str), default=()
        Conditions ``when(facts)``, non-default parameters and reasons. The first
        variant whose condition holds is used.
    """

    test: type
    why: str
    variants: tuple = ()


WILD = Choice(
    comparison.WildClusterBootstrap,
    "The wild cluster bootstrap flips the signs of the units' contributions to the "
    "difference, and studentizes: its type I error is closer to the nominal level than "
    "that of a plain bootstrap if few units carry most of the weight.",
)
BOOTSTRAP = Choice(
    comparison.PairedBootstrap,
    "The bootstrap assumes no distribution, takes the size of differences into account "
    "and gives a confidence interval.",
)
SWAPS = Choice(
    comparison.ApproxRandomization,
    "A permutation test (approximate randomization) swaps the models' predictions: if "
    "they are exchangeable, it is valid for any sample size and any metric; if few "
    "rows differ, its p-value is computed exactly.",
    variants=(
        (
            lambda facts: comparison.unequal_rates(facts.statistic) and facts.adds_up,
            {"statistic": "studentized"},
            "One model predicts the class far more often than the other: the "
            "difference is divided by its standard error, since plain swaps reject "
            "too often if the models are equal only in score.",
        ),
    ),
)
MCNEMAR = Choice(
    comparison.McNemar,
    "McNemar's test is designed for paired right-or-wrong outcomes: it uses the rows "
    "on which exactly one model is right.",
    variants=(
        (
            lambda facts: facts.n_discordant > MOST_DISCORDANT * facts.n_rows,
            {"variant": "exact"},
            "More than half of all rows are discordant, in which case the type I error "
            "of the mid-p test can exceed the level; that of the exact test cannot.",
        ),
        (
            lambda facts: True,
            {"variant": "mid-p"},
            "The type I error of the mid-p variant is close to the nominal level, that "
            "of the exact variant well below it: mid-p has more power.",
        ),
    ),
)
SIGN = Choice(
    comparison.SignTest,
    "The sign test counts the rows on which one model does better: it is McNemar's "
    "exact test, for any two values.",
)
DELONG = Choice(
    comparison.DeLong,
    "DeLong's test needs no resampling, does not mix predictions of the two models and "
    "gives confidence intervals.",
)
CORRELATION = Choice(
    comparison.CorrelationTest,
    "Williams' test is designed for two correlations with the same truth: it needs no "
    "resampling and gives confidence intervals.",
)
STUDENT = Choice(
    comparison.PairedTTest,
    "If the distribution is known, the test that uses it has the most power: Student's "
    "t-test, which also gives a confidence interval.",
)


# The tree


class Node(NamedTuple):
    """A question, and the next node for each answer.

    Parameters
    ----------
    fact : Fact
        The question.
    yes, no : Node or Choice
        The next question, or the test that is chosen.
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
    """Choose a test by following the decision tree.

    Parameters
    ----------
    facts : Facts
        The facts about the comparison.

    Returns
    -------
    test : type
        The class of the test.
    params : dict
        Its non-default parameters.
    reasons : list of str
        The sentences, if any, of the questions on the path, the reason for the test,
        and how long resampling takes.
    """
    choice, sentences = TREE, []
    while isinstance(choice, Node):
        holds, sentence = choice.fact.check(facts)
        sentences.append(sentence)
        choice = choice.yes if holds else choice.no
    if facts.ranked_by_fold:
        sentences.append(
            "Each fold has its own model, and ranking the scores of different models "
            f"together is biased: {facts.metric} is computed in each of the "
            f"{facts.n_splits:,} folds, and its mean is compared."
        )
    variants = ((params, why) for when, params, why in choice.variants if when(facts))
    params, reason = next(variants, ({}, ""))
    sentences += [choice.why, reason]
    if choice.test.randomizes:
        n_resamples, duration = plan_resamples(choice.test, facts)
        params = {**params, "n_resamples": n_resamples}
        sentences.append(duration)
    return choice.test, params, [*filter(None, sentences)]


# The number of resamples, and the time that they take


def plan_resamples(test, facts):
    """Choose the number of resamples of a test.

    Parameters
    ----------
    test : type
        The class of a resampling test of rows, predictions or signs.
    facts : Facts
        The facts about the comparison.

    Returns
    -------
    n_resamples : int
        The number of resamples.
    sentence : str
        A sentence on how long drawing them takes.
    """
    seconds = seconds_per_resample(facts.problem, test)
    default = N_RESAMPLES if seconds * N_RESAMPLES <= LONG else FEWEST_RESAMPLES
    n_resamples = max(default, math.ceil(RESAMPLES_BELOW_LEVEL / facts.level) - 1)
    # There are finitely many ways to swap predictions or flip signs.
    n_flips = {"predictions": facts.n_discordant_units, "signs": facts.n_units}
    n_ways = 2 ** n_flips[test.randomizes] if test.randomizes in n_flips else math.inf
    n_drawn = min(n_resamples, n_ways)
    return n_resamples, about_time(n_drawn, n_drawn * seconds)


def seconds_per_resample(problem, test):
    """Estimate the time per resample with one worker by timing a few.

    Parameters
    ----------
    problem : Problem
        The rows, the predictions and the score.
    test : type
        The class of a resampling test of rows, predictions or signs.

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
        start = time.perf_counter()
        if test.randomizes == "signs":
            test(n_resamples=n_draws).compare(problem)
        else:
            draw(resampler, n_draws, seed=0)
        seconds = time.perf_counter() - start
        # One-time costs, such as loading code and starting threads, slow down the first
        # batch: it is used only if it takes so long that they do not matter.
        slow = seconds > (MUCH_TIMED if n_draws == 2 else SECONDS_TIMED)
        if slow or n_draws >= MOST_TIMED:
            return seconds / n_draws
        n_draws *= 4


def about_time(n_resamples, seconds):
    """Return a sentence on how long resampling will take.

    Examples
    --------
    >>> for seconds in (0.01, 12.3, 7200):
    ...     print(about_time(9_999, seconds)[:38])
    9,999 resamples take at most 0.1 s her
    9,999 resamples take about 12 s here w
    9,999 resamples take about 2 h here wi
    """
    duration = "at most 0.1 s"
    if seconds >= 6_000:
        duration = f"about {seconds / 3600:.0f} h"
    elif seconds >= 100:
        duration = f"about {seconds / 60:.0f} min"
    elif seconds >= 0.1:
        duration = f"about {seconds:.2g} s"
    text = (
        f"{n_resamples:,} resamples take {duration} here with one worker (estimated "
        "from a few)"
    )
    if seconds > 60:
        return f"{text}. With `n_jobs=-1`, all processors share the work."
    return f"{text}: resampling is feasible."
