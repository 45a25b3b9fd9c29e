"""What tests declare about themselves, for whoever chooses, plans or combines them.

What a test takes and gives are attributes of its class (`takes`, `gives`,
`redraws_rows`, `shares_resamples`). Here is what `_advice` adds, which `advice_on`
reads: what must hold for the test, and what to say if it does not.

The facts that needs ask about are attributes of one object, which `skcompare.planning`
gathers. A new fact that concerns several tests belongs in one of the shared needs: what
makes rows depend on each other, for instance, in `INDEPENDENT`.
"""

import dataclasses
from collections.abc import Callable
from typing import NamedTuple


def format_sentence(sentence, test, facts):
    """Return a sentence about a test.

    Parameters
    ----------
    sentence : str or callable
        A template with places for facts (``{facts.n_rows:,}``), for parameters
        (``{test.method!r}``), for the name of the class (``{name}``) and for what the
        test is called at the beginning of a sentence (``{display_name}``); or a function
        ``sentence(test, facts)``.
    test : estimator
        The test.
    facts : Facts
        What is known about the comparison.
    """
    if callable(sentence):
        return sentence(test, facts)
    name = type(test).__name__
    display_name = advice_on(test).display_name or name
    return sentence.format(test=test, facts=facts, name=name, display_name=display_name)


class Need(NamedTuple):
    """What must hold for a test, and the sentence if it does not.

    Parameters
    ----------
    holds : callable
        ``holds(test, facts)`` says whether it does.
    sentence : str or callable
        The sentence, for `format_sentence`.
    """

    holds: Callable
    sentence: str | Callable

    def explain(self, test, facts):
        """Return the sentence."""
        return format_sentence(self.sentence, test, facts)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Advice:
    """What a test declares for advice on it.

    Parameters
    ----------
    needs : tuple of Need, default=()
        What must hold, in the order in which it is said.
    cautions : tuple of Need, default=()
        What had better hold: what to bear in mind with the test if it does not,
        although all that must hold does.
    why_not : str or callable, default=""
        Why another test was chosen although this one is valid: a sentence for `format_sentence`,
        about the test that was chosen.
    display_name : str, default=None
        What to call the test at the beginning of a sentence, if not by its class.
    counts : bool, default=False
        Whether the p-value counts units on which the models differ, so that a few of
        them cannot make it small.
    about_mean : bool, default=True
        Whether it tests the difference in score that it reports; not so if it looks
        at signs or ranks.
    power_from : {"p_discordant", "sd"} or None, default=None
        The one number about the rows from which its power follows, if there is a
        closed form.
    metrics : tuple of str, default=()
        The metrics of a test that has no parameter `scoring`.
    """

    needs: tuple = ()
    cautions: tuple = ()
    why_not: str | Callable = ""
    display_name: str | None = None
    counts: bool = False
    about_mean: bool = True
    power_from: str | None = None
    metrics: tuple = ()


def advice_on(test):
    """Return what a test, or its class, declares; None for anything else."""
    return getattr(test, "_advice", None)


# With fewer discordant rows an approximation by a normal count is poor.
FEWEST_COUNTED = 10

NO_EXCHANGE = (
    "the models respond in different ways, so that responses cannot be swapped"
)

# Needs that several tests share

INDEPENDENT = Need(
    lambda test, facts: not facts.grouped,
    lambda test, facts: (
        f"{type(test).__name__} takes rows as independent and ignores that "
        + (
            "the differences of neighboring rows correlate by "
            f"{facts.neighbors_correlation:.2f}"
            if facts.block_length
            else f"{facts.n_rows:,} rows come in {facts.n_units:,} groups"
        )
        + ": its p-values would be too small."
    ),
)
AVERAGE = Need(
    lambda test, facts: facts.averages,
    "{display_name} needs a mean of per-row scores, and {facts.metric} is not one, as far as "
    "can be seen.",
)
NORMAL_MEAN = Need(
    lambda test, facts: facts.kind != "average" or facts.normal_mean.holds,
    "{display_name} needs a normal mean difference. {facts.normal_mean.sentence}",
)
SYMMETRIC = Need(
    lambda test, facts: facts.symmetric,
    "{name} looks at signs or ranks, not at the mean that {facts.metric} is, and here "
    "the two disagree: the differences are skewed, with mean and median "
    "{facts.asymmetry[0]:.2f} standard deviations apart. It could call the model with "
    "the worse score the better one.",
)

_MODELS_TO_FIT = (
    "{name} asks which learning algorithm is better, on other training data too. "
    "Predictions cannot tell: give it the models and data to learn from, as in "
    "fit(X, y)"
)
MODELS_TO_FIT = Need(lambda test, facts: False, f"{_MODELS_TO_FIT}.")
MODELS_OR_SCORES = Need(
    lambda test, facts: False, f"{_MODELS_TO_FIT}, or scores of folds to fit_scores."
)

# A caution that several tests share, in the words of their results

RARE_CLASS = Need(lambda test, facts: not facts.rare_class, "{facts.rare_class}")
