"""The decision tree: questions about a comparison, and the tests they lead to.

It follows section 3.3 and figure 1 of Dror et al. (2018). What is ours are the numbers:
what counts as few rows, and as enough of them for a theorem.
"""

import dataclasses
from collections.abc import Callable

from skcompare.advice._normality import FEWEST_NUMBERS, t_level_error
from skcompare.comparison import (
    ApproxRandomization,
    DeLong,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    SignTest,
)
from skcompare.comparison._caveats import FEWEST_UNITS

__all__ = ["NO_EXCHANGE", "TREE", "Leaf", "Node", "has_normal_mean", "walk"]

# With fewer rows checks of normality find little: Shapiro-Wilk notices that ten
# exponential numbers are not normal in less than half of all cases, twenty in 83 %.
FEWEST_CHECKED = 20
# The fewest rows for which the central limit theorem is called upon.
MANY_ROWS = 100
# How far the level of a t-test may be off by skewness, as a share of the level.
TOLERATED_ERROR = 0.1


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
    ask : callable
        ``ask(facts, alpha)`` returns the answer, True or False, and a sentence that
        says it with numbers.
    yes, no : Node or Leaf
        What comes next.
    """

    question: str
    ask: Callable
    yes: object
    no: object


def walk(facts, alpha):
    """Go through the tree.

    Parameters
    ----------
    facts : Facts
        What is known about the comparison.
    alpha : float
        The level of the single test.

    Returns
    -------
    leaf : Leaf
        Where the path ends.
    reasons : list of str
        A sentence for each question on the way, and for the end.
    """
    node, reasons = TREE, []
    while isinstance(node, Node):
        answer, sentence = node.ask(facts, alpha)
        reasons.append(sentence)
        node = node.yes if answer else node.no
    return node, [*reasons, node.why]


def has_normal_mean(facts, alpha):
    """Say whether the mean difference of rows may be taken as normal, and why.

    With groups it is their sums that must be normal, or many.
    """
    found, n_units, unit = facts.normality, facts.n_units, facts.units[:-1]
    if found is None and n_units < FEWEST_NUMBERS:
        return False, f"{n_units} {facts.units} are too few to tell."
    if found is None:
        return False, (
            f"The differences between the models do not vary from {unit} to {unit}."
        )
    what = f"{n_units:,} {'sums over groups' if facts.grouped else 'differences'}"
    if not found.rejected:
        return True, f"Normality of the {what} is not rejected at 0.05: {found}."
    error = t_level_error(found.skewness, n_units, alpha)
    enough = n_units >= MANY_ROWS and error <= TOLERATED_ERROR * alpha
    return enough, (
        f"Normality of the {what} is rejected at 0.05: {found}. "
        + _about_theorem(facts, alpha, enough)
    )


def _about_theorem(facts, alpha, enough):
    if facts.n_units < MANY_ROWS:
        return f"With fewer than {MANY_ROWS} {facts.units} no limit theorem helps."
    skewness = facts.normality.skewness
    error = t_level_error(skewness, facts.n_units, alpha)
    return (
        f"{'But' if enough else 'Nor does'} the central limit theorem "
        f"{'makes' if enough else 'make'} their mean normal"
        f"{'' if enough else ' enough'}: with a skewness of {skewness:.2f} the level "
        f"{alpha:.3g} of a one-sided t-test is off by about {error:.2g}, "
        f"{'less' if enough else 'more'} than a tenth of it."
    )


def _rows_belong_together(facts, alpha):
    if not facts.grouped:
        return False, "No groups were given: rows are taken as independent."
    return True, (
        f"Rows belong together: {facts.n_rows:,} rows in {facts.n_units:,} groups. "
        "Only tests that redraw or exchange whole groups are valid."
    )


def _is_right_or_wrong(facts, alpha):
    if facts.kind == "right or wrong":
        return True, (
            f"{facts.metric} is an average over rows, and a row has one of two values: "
            "it is right or wrong, a categorical outcome."
        )
    return False, f"{facts.metric} does not just count which rows are right."


def _is_accuracy(facts, alpha):
    if facts.is_accuracy:
        return True, "A row is right if the answer equals the truth."
    return False, "What makes a row right is not just that answer and truth are equal."


def _is_roc_auc(facts, alpha):
    if facts.kind == "roc auc":
        return True, "ROC AUC compares rows in pairs, and theory gives its variance."
    return False, f"{facts.metric} is not the ROC AUC of two classes."


def _has_large_classes(facts, alpha):
    size = min(facts.class_sizes.values())
    text = f"The smaller class has {size:,} rows"
    if size >= FEWEST_UNITS:
        return True, f"{text}, at least {FEWEST_UNITS}: enough for a normal variance."
    if facts.exchangeable:
        return False, f"{text}, fewer than {FEWEST_UNITS}: the theory is for more."
    return True, f"{text}, which is few, but {NO_EXCHANGE}: the theory has to do."


def _is_average(facts, alpha):
    if facts.averages:
        return True, f"{facts.metric} is an average over rows of one number per row."
    return False, (
        f"{facts.metric} is not an average over rows, or not known to be one: the "
        "distribution of the difference is unknown."
    )


def _can_check(facts, alpha):
    n_rows = facts.n_rows
    if n_rows >= FEWEST_CHECKED:
        return True, f"{n_rows:,} rows are enough to check for normality."
    return False, (
        f"With {n_rows} rows, fewer than {FEWEST_CHECKED}, a check of normality would "
        "find next to nothing."
    )


NO_EXCHANGE = "the models answer in different ways, so that answers cannot be swapped"


def _can_bootstrap(facts, alpha):
    text = f"There are {facts.n_units:,} {facts.units}"
    if facts.n_units >= FEWEST_UNITS:
        return True, f"{text}, at least {FEWEST_UNITS}: enough for a bootstrap."
    if facts.exchangeable:
        return False, f"{text}, fewer than {FEWEST_UNITS}: too few for a bootstrap."
    return True, f"{text}, which is few, but {NO_EXCHANGE}: the bootstrap has to do."


_RANDOMISE = Leaf(
    ApproxRandomization,
    "Exchanging the models' answers is valid at any size, for any metric, and exact "
    "where there are few.",
)
_RESAMPLE = Node(
    f"At least {FEWEST_UNITS} rows, or groups?",
    _can_bootstrap,
    yes=Leaf(
        PairedBootstrap,
        "The bootstrap assumes no distribution, takes the size of differences into "
        "account and gives an interval.",
    ),
    no=_RANDOMISE,
)
_AVERAGE = Node(
    f"At least {FEWEST_CHECKED} rows?",
    _can_check,
    yes=Node(
        "Is the mean difference normal?",
        has_normal_mean,
        yes=Leaf(
            PairedTTest,
            "Where the distribution is known, the test that uses it has the most "
            "power: Student's t, with an interval.",
        ),
        no=_RESAMPLE,
    ),
    no=_RANDOMISE,
)
_RIGHT_OR_WRONG = Node(
    "Right if it equals the truth?",
    _is_accuracy,
    yes=Leaf(
        McNemar,
        "McNemar's test is made for pairs of right and wrong: it looks at the rows on "
        "which just one model is right.",
    ),
    no=Leaf(
        SignTest,
        "The sign test counts the rows on which one model does better: McNemar's exact "
        "test, for any two values.",
    ),
)
_ROC_AUC = Node(
    f"At least {FEWEST_UNITS} rows of each class?",
    _has_large_classes,
    yes=Leaf(
        DeLong,
        "DeLong's test needs no resampling, mixes no answers of the two models and "
        "gives intervals.",
    ),
    no=_RANDOMISE,
)

# Where every path begins.
TREE = Node(
    "Do rows belong together?",
    _rows_belong_together,
    yes=_RESAMPLE,
    no=Node(
        "Is each row right or wrong?",
        _is_right_or_wrong,
        yes=_RIGHT_OR_WRONG,
        no=Node(
            "ROC AUC of two classes?",
            _is_roc_auc,
            yes=_ROC_AUC,
            no=Node(
                "An average over rows?",
                _is_average,
                yes=_AVERAGE,
                no=_RESAMPLE,
            ),
        ),
    ),
)
