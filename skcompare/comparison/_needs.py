"""Requirements that tests declare, for code that chooses, plans or combines tests.

The inputs and outputs of a test are attributes of its class (`takes`, `gives`,
`redraws_rows`, `shares_resamples`). The class attribute `_advice`, read by `advice_on`,
adds the requirements of the test, and the sentences to show if they are not met.

Requirements are checked on the attributes of a single facts object, which
`skcompare.planning` builds. A new fact that concerns several tests belongs in one of
the shared needs: dependence between rows, for instance, in `INDEPENDENT`.
"""

import dataclasses
from collections.abc import Callable, Mapping
from typing import NamedTuple


def format_sentence(sentence, test, facts):
    """Return a sentence about a test.

    Parameters
    ----------
    sentence : str or callable
        A template with placeholders for facts (``{facts.n_rows:,}``), parameters
        (``{test.method!r}``), the name of the class (``{name}``) and the display name
        of the test (``{display_name}``); or a function ``sentence(test, facts)``.
    test : estimator
        The test.
    facts : Facts
        The facts about the comparison.
    """
    if callable(sentence):
        return sentence(test, facts)
    name = type(test).__name__
    display_name = advice_on(test).display_name or name
    return sentence.format(test=test, facts=facts, name=name, display_name=display_name)


class Need(NamedTuple):
    """A requirement of a test, with the sentence to show if it is not met.

    Parameters
    ----------
    holds : callable
        ``holds(test, facts)`` returns whether the requirement is met.
    sentence : str or callable
        The sentence, for `format_sentence`.
    """

    holds: Callable
    sentence: str | Callable

    def explain(self, test, facts):
        """Return the sentence to show if the requirement is not met."""
        return format_sentence(self.sentence, test, facts)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Advice:
    """Declarations of a test for advice on it.

    Parameters
    ----------
    needs : tuple of Need, default=()
        Requirements for the validity of the test, in display order.
    cautions : tuple of Need, default=()
        Recommendations. If one is not met, the test is still valid, and the sentence is
        shown as a caution.
    why_not : str or callable, default=""
        Why another test was chosen although this one is valid: a sentence for
        `format_sentence`, whose `test` is the chosen test.
    display_name : str, default=None
        The name of the test at the beginning of a sentence; None for its class name.
    smallest_pvalue : callable or None, default=None
        For a test that counts the units on which the models differ, or flips their
        signs: ``smallest_pvalue(test, n_units)`` returns the one-sided p-value if all
        of them favor A.
    about_mean : bool, default=True
        Whether the test is about the difference in score that it reports, and not
        about signs, ranks or another mean. If not, `SYMMETRIC` is one of its needs.
    power_from : {"p_discordant", "sd"} or None, default=None
        The parameter of the rows that determines the power, if there is a closed form.
    simulated_with : dict, default={}
        Parameters for simulations of power: faster values where they do not affect the
        p-value.
    metrics : tuple of str, default=()
        The metrics of a test that has no parameter `scoring`.
    listed : callable, default=always
        ``listed(facts)`` returns whether the test is worth listing as an alternative,
        valid or not.
    """

    needs: tuple = ()
    cautions: tuple = ()
    why_not: str | Callable = ""
    display_name: str | None = None
    smallest_pvalue: Callable | None = None
    about_mean: bool = True
    power_from: str | None = None
    simulated_with: Mapping = dataclasses.field(default_factory=dict)
    metrics: tuple = ()
    listed: Callable = lambda facts: True


def advice_on(test):
    """Return the `Advice` of a test or its class; None for other objects."""
    return getattr(test, "_advice", None)


def pvalue_of_signs(test, n_units):
    """Return the one-sided p-value of a test of signs if all units favor A."""
    return 0.5**n_units


def declares(test, **declared):
    """Return whether an object is a test with these class attributes.

    Examples
    --------
    >>> from skcompare import BayesianComparison, McNemar
    >>> declares(McNemar(), gives="p-value"), declares(McNemar, gives="p-value")
    (True, False)
    >>> declares(BayesianComparison(), gives="p-value"), declares(1, gives="p-value")
    (False, False)
    """
    is_class = isinstance(test, type)
    return not is_class and all(
        getattr(test, name, None) == value for name, value in declared.items()
    )


# Minimum number of discordant rows for a normal approximation of their count.
FEWEST_COUNTED = 10

NO_EXCHANGE = (
    "the models have different response methods, so that responses cannot be swapped"
)

# Needs that several tests share

INDEPENDENT = Need(
    lambda test, facts: not facts.grouped,
    lambda test, facts: (
        f"{type(test).__name__} assumes independent rows and ignores that "
        + (
            "the differences of neighboring rows have a correlation of "
            f"{facts.neighbors_correlation:.2f}"
            if facts.block_length
            else f"{facts.n_rows:,} rows come in {facts.n_units:,} groups"
        )
        + ": its p-values would be too small."
    ),
)
AVERAGE = Need(
    lambda test, facts: facts.averages,
    "{display_name} needs a mean of per-row scores, and {facts.metric} is not "
    "recognized as one.",
)
NORMAL_MEAN = Need(
    lambda test, facts: facts.kind != "average" or facts.normal_mean.holds,
    "{display_name} needs a normal mean difference. {facts.normal_mean.sentence}",
)
SYMMETRIC = Need(
    lambda test, facts: facts.symmetric,
    "{name} does not test the mean of the differences, which is the difference in "
    "{facts.metric}, and could favor the model with the worse score: the differences "
    "are skewed, with mean and median {facts.asymmetry[0]:.2f} standard deviations "
    "apart.",
)

_MODELS_TO_FIT = (
    "{name} tests which learning algorithm is better, on other training data too. "
    "Predictions are not enough: pass it the models and training data, as in fit(X, y)"
)
MODELS_TO_FIT = Need(lambda test, facts: False, f"{_MODELS_TO_FIT}.")
MODELS_OR_SCORES = Need(
    lambda test, facts: False, f"{_MODELS_TO_FIT}, or scores of folds to fit_scores."
)

# A caution that several tests share, with the same text as in their results

RARE_CLASS = Need(lambda test, facts: not facts.rare_class, "{facts.rare_class}")
