"""What parameters may be: one table of rules, for tests and for the command line.

A rule on one parameter is in `RULES`, or in the `_rules` of a class where the parameter
means something of its own there. ``check_parameters(estimator)`` checks all of them. A
rule on two parameters stays in the class.
"""

import dataclasses
import difflib
import math
import numbers

import numpy as np

from skcompare.exceptions import ParameterError

# More than this is a slip of the pen.
MOST_RESAMPLES = 100_000_000
MOST = 1_000_000


def _is_number(value, kind=numbers.Real):
    return isinstance(value, kind) and not isinstance(value, bool)


def suggestion(word, words):
    """Return a question that names the word which may have been meant, if any.

    Examples
    --------
    >>> suggestion("monte-carlo", ["auto", "exact", "monte-carlo"])
    "Did you mean 'monte-carlo'?"
    >>> suggestion("x", ["auto", "exact"])
    ''
    """
    spelled = str(word).lower().replace("_", "-").replace(" ", "-")
    close = [w for w in words if w.lower().replace("_", "-") == spelled]
    close = close or difflib.get_close_matches(str(word), words, n=3, cutoff=0.65)
    return f"Did you mean {' or '.join(map(repr, close))}?" if close else ""


@dataclasses.dataclass(frozen=True)
class Rule:
    """What a parameter may be: anything, unless a subclass says otherwise.

    Parameters
    ----------
    none : bool, default=False
        Whether it may be None, too.
    help : str, default=""
        What it is, for the help of an option.
    metavar : str, default="VALUE"
        What stands for the value there.
    typed : str, default=""
        What a typed value must do, where other values than these can be passed.
    """

    none: bool = dataclasses.field(default=False, kw_only=True)
    help: str = dataclasses.field(default="", kw_only=True)
    metavar: str = dataclasses.field(default="VALUE", kw_only=True)
    typed: str = dataclasses.field(default="", kw_only=True)

    def broken_by(self, value):
        """Return what a value must do and does not, None if it is fine.

        Parameters
        ----------
        value : object
            The value, not None.

        Returns
        -------
        str or None
            Words that go after "must".
        """
        return None

    def remedy(self, value):
        """Return a sentence on what to do instead, or nothing."""
        return ""

    def read(self, text):
        """Turn what was typed into a value: ValueError if that cannot be."""
        return text

    def check(self, name, value):
        """Return a value if it is fine.

        Parameters
        ----------
        name : str
            The parameter.
        value : object
            Its value.

        Returns
        -------
        object
            The value.

        Examples
        --------
        >>> RULES["alternative"].check("alternative", "two-sided")
        'two-sided'
        """
        if value is None and self.none:
            return value
        rule = self.broken_by(value)
        if rule is not None:
            raise ParameterError(name, rule, repr(value), self.remedy(value))
        return value

    def parse(self, name, text):
        """Return the value of an option that was typed.

        Parameters
        ----------
        name : str
            The parameter.
        text : str
            What was typed.

        Returns
        -------
        object
            The value.

        Examples
        --------
        >>> RULES["n_resamples"].parse("n_resamples", "999")
        999
        """
        try:
            value = self.read(text)
        except ValueError:
            value = text
        rule = self.broken_by(value)
        if rule is not None:
            raise ParameterError(
                name, self.typed or rule, repr(text), self.remedy(text)
            )
        return value


@dataclasses.dataclass(frozen=True)
class Fraction(Rule):
    """A number between 0 and 1, neither of them."""

    metavar: str = dataclasses.field(default="LEVEL", kw_only=True)

    def broken_by(self, value):
        fine = _is_number(value) and 0 < value < 1
        return None if fine else "lie strictly between 0 and 1"

    def read(self, text):
        return float(text)


@dataclasses.dataclass(frozen=True)
class Number(Rule):
    """A finite number of at least `low`, or above it, or of any size.

    Parameters
    ----------
    low : float or None, default=None
        The least that it may be.
    words : str, default=""
        What it must be, where that says more than the number.
    above : bool, default=False
        Whether `low` itself is too little.
    advice : str, default=""
        A sentence on what to do instead.
    """

    low: float | None = None
    words: str = ""
    above: bool = False
    advice: str = ""
    metavar: str = dataclasses.field(default="SIZE", kw_only=True)

    def broken_by(self, value):
        low = -math.inf if self.low is None else self.low
        finite = _is_number(value) and math.isfinite(value)
        if finite and (low < value or (low == value and not self.above)):
            return None
        least = "" if self.low is None else f" of at least {low}"
        return f"be {self.words or 'a finite number' + least}"

    def remedy(self, value):
        return self.advice

    def read(self, text):
        return float(text)


@dataclasses.dataclass(frozen=True)
class Integer(Rule):
    """An integer in a range."""

    low: int
    high: int
    metavar: str = dataclasses.field(default="N", kw_only=True)

    def broken_by(self, value):
        fine = _is_number(value, numbers.Integral) and self.low <= value <= self.high
        return None if fine else f"be an integer from {self.low:,} to {self.high:,}"

    def read(self, text):
        return int(text)


# What choices are called elsewhere.
_OTHER_NAMES = {"fdr": "bh", "fdr_bh": "bh", "fdr_by": "by", "benjamini-hochberg": "bh"}


@dataclasses.dataclass(frozen=True, init=False)
class OneOf(Rule):
    """One of several words, spelled with hyphens."""

    choices: tuple

    def __init__(self, *choices, none=False, help=""):
        metavar = f"{{{','.join(choices)}}}"
        super().__init__(none=none, help=help, metavar=metavar)
        object.__setattr__(self, "choices", choices)

    def broken_by(self, value):
        if isinstance(value, str) and value in self.choices:
            return None
        words = ", ".join(map(repr, self.choices))
        return f"be one of {words}" if len(self.choices) > 1 else f"be {words}"

    def remedy(self, value):
        if not isinstance(value, str):
            return ""
        meant = _OTHER_NAMES.get(value.lower())
        if meant in self.choices:
            return f"Did you mean {meant!r}?"
        return suggestion(value, self.choices)


@dataclasses.dataclass(frozen=True)
class WordOr(Rule):
    """One of some words, or what another rule allows."""

    words: OneOf
    other: Rule

    def broken_by(self, value):
        other = self.other.broken_by(value)
        words = self.words.broken_by(value)
        if not isinstance(value, str) or words is None:
            return words and other
        return f"{words}, or {other.removeprefix('be ')}"

    def remedy(self, value):
        rule = self.words if isinstance(value, str) else self.other
        return rule.remedy(value)

    def read(self, text):
        return text if text in self.words.choices else self.other.read(text)


@dataclasses.dataclass(frozen=True)
class OfKind(Rule):
    """An object of some kind, or an integer of at least `low`.

    Parameters
    ----------
    kind : type, tuple of type or union
        What it may be.
    words : str
        What a value must do.
    low : int or None, default=None
        The least integer, where integers will do as well.
    """

    kind: object
    words: str
    low: int | None = None

    def broken_by(self, value):
        integer = self.low is not None and _is_number(value, numbers.Integral)
        fine = isinstance(value, self.kind) or (integer and value >= self.low)
        return None if fine else self.words

    def read(self, text):
        return int(text)


@dataclasses.dataclass(frozen=True)
class Where(Rule):
    """Whatever a function says is fine.

    Parameters
    ----------
    fits : callable
        ``fits(value)`` says whether a value is fine.
    words : str
        What a value must do.
    reader : callable, default=str
        Turns what was typed into a value.
    """

    fits: object
    words: str
    reader: object = str

    def broken_by(self, value):
        return None if self.fits(value) else self.words

    def read(self, text):
        return self.reader(text)


@dataclasses.dataclass(frozen=True)
class Region(Rule):
    """A region of practical equivalence: a size, or a pair (low, high) about 0."""

    metavar: str = dataclasses.field(default="SIZE", kw_only=True)

    def broken_by(self, value):
        if _is_number(value):
            return Number(0).broken_by(value)
        pair = tuple(value) if isinstance(value, list | tuple | np.ndarray) else ()
        if len(pair) != 2 or not all(map(_is_number, pair)):
            return "be a number or a pair (low, high) of numbers"
        if -math.inf < pair[0] <= 0 <= pair[1] < math.inf:
            return None
        return (
            "be a pair (low, high) of finite numbers, low <= 0 <= high: models that "
            "score the same are equivalent"
        )

    def read(self, text):
        return float(text)


ALTERNATIVES = ("greater", "less", "two-sided")
CORRECTIONS = ("bonferroni", "holm", "hochberg", "bh", "by", "none")

FLAG = OfKind(bool | np.bool_, "be True or False")

# `cv` of tests that fit models themselves; others take "prefit" as well.
FOLDS = Where(
    lambda cv: not isinstance(cv, str),
    "be an integer, a splitter or an iterable of splits: the models are fitted on each "
    "training fold",
    int,
)

# By name, what a parameter may be in every class that has it, unless the class says
# otherwise in its `_rules`.
RULES = {
    "alpha": Fraction(
        help="significance level: a p-value up to this rejects (default: 0.05)"
    ),
    "confidence_level": Fraction(help="level of confidence intervals (default: 0.95)"),
    "credible_level": Fraction(help="level of credible intervals (default: 0.95)"),
    "alternative": OneOf(
        *ALTERNATIVES, help="whether A is better (default), B is, or they differ"
    ),
    "n_resamples": WordOr(
        OneOf("auto", "ideal"),
        Integer(1, MOST_RESAMPLES),
        help="number of resamples (default: 9999); auto stops when the decision is "
        "clear, ideal is the limit of ever more, where it is known",
        metavar="N",
        typed=f"be a whole number from 1 to {MOST_RESAMPLES:,}, auto or ideal",
    ),
    "n_draws": Integer(1, MOST_RESAMPLES, help="the number of draws (default: 50000)"),
    "n_repeats": Integer(1, MOST, help="the number of repetitions"),
    "n_splits": Integer(2, MOST, help="the number of random splits"),
    "test_size": Fraction(help="the share of rows that a split tests"),
    "top": Integer(1, MOST, none=True, help="the number of candidates, the best first"),
    "aggregate": OneOf("auto", "pooled", "fold-mean", help="how folds make one score"),
    "posterior": OneOf("paired", "independent", "hierarchical", help="the posterior"),
    "correction": OneOf(
        *CORRECTIONS,
        "max-t",
        help="correction of p-values for several comparisons (default: holm)",
    ),
    "zero_method": OneOf("wilcox", "pratt", help="what becomes of differences of 0"),
    "rope": Region(
        help="region of practical equivalence: differences up to this do not matter"
    ),
    "prior": Number(0.01, help="pseudo-counts of the prior"),
    "tolerance": Number(
        0,
        "a number that is not negative, a difference in score",
        none=True,
        help="a difference in score that does not matter",
    ),
    "test_train_ratio": Number(
        0,
        "a positive number, test rows over training rows",
        above=True,
        advice="For k folds it is 1 / (k - 1).",
        none=True,
        help="test rows over training rows",
    ),
    "cv": WordOr(OneOf("prefit"), FOLDS, none=True),
    "error_score": Where(
        lambda score: (
            score == "raise"
            if isinstance(score, str)
            else _is_number(score) and math.isnan(score)
        ),
        "be nan or 'raise': a number in place of a failed fit would be averaged in",
        lambda text: text if text == "raise" else float(text),
    ),
    "add_one": FLAG,
    "refit": FLAG,
    "bias_correction": FLAG,
    "random_state": OfKind(
        np.random.RandomState | np.random.Generator,
        "be None, a non-negative integer, a numpy RandomState or a numpy Generator",
        low=0,
        none=True,
        help="random seed: a whole number that repeats the run",
        metavar="N",
        typed="be a whole number of at least 0",
    ),
    "n_jobs": Where(
        lambda n: _is_number(n, numbers.Integral) and n != 0,
        "be an integer other than 0; -1 takes all processors",
        int,
        none=True,
        help="number of parallel workers (default: 1; -1 takes all processors)",
        metavar="N",
    ),
    "verbose": OfKind(
        bool | np.bool_, "be True, False or an integer of at least 0", low=0
    ),
}


def rules_of(cls):
    """Return the rules of a class by parameter.

    Parameters
    ----------
    cls : type
        The class. Rules of its own are in `_rules`, which extends those of its bases.

    Returns
    -------
    dict
        The rules.
    """
    own = {}
    for base in reversed(cls.__mro__):
        own |= vars(base).get("_rules", {})
    return RULES | own


# Parameters that change no number, or that a result has under another name.
_NO_SETTINGS = {
    *("estimator_a", "estimator_b", "estimators", "test", "search", "scoring", "cv"),
    *("baseline", "error_score", "refit", "random_state", "n_jobs", "verbose"),
}


def settings_of(estimator):
    """Return the parameters that make the numbers, for a result to keep.

    Parameters
    ----------
    estimator : BaseEstimator
        What has the parameters.

    Returns
    -------
    dict
        Their values, as they were passed; with the seed and the data of a result they
        repeat it.

    Examples
    --------
    >>> from skcompare import McNemar
    >>> settings_of(McNemar(alternative="less"))
    {'alpha': 0.05, 'alternative': 'less', 'confidence_level': 0.95, 'variant': 'mid-p'}
    """
    parameters = estimator.get_params(deep=False)
    return {n: v for n, v in parameters.items() if n not in _NO_SETTINGS}


def check_parameters(estimator):
    """Check every parameter that has a rule.

    Parameters
    ----------
    estimator : BaseEstimator
        What has the parameters.

    Examples
    --------
    >>> from skcompare import McNemar
    >>> check_parameters(McNemar(alpha=0.01))
    >>> check_parameters(McNemar(alternative="two_sided"))
    Traceback (most recent call last):
        ...
    skcompare.exceptions.ParameterError: `alternative` must be one of 'greater', \
'less', 'two-sided'. Got 'two_sided'. Did you mean 'two-sided'?
    """
    rules = rules_of(type(estimator))
    for name, value in estimator.get_params(deep=False).items():
        if name in rules:
            rules[name].check(name, value)
