"""Rules for parameter values, shared by the tests and the command line.

A rule on one parameter is in `RULES`, or in the `_rules` of a class where the parameter
has a different meaning. `CheckedParameters` checks all of them. A rule on two
parameters stays in the class.
"""

import dataclasses
import difflib
import inspect
import math
import numbers
import sys

import numpy as np

from skcompare.exceptions import ParameterError

# Larger values are taken for typing errors.
MOST_RESAMPLES = MOST_ROWS = 100_000_000
MOST = 1_000_000


def _is_number(value, kind=numbers.Real):
    return isinstance(value, kind) and not isinstance(value, bool)


def _is_region(value):
    """Return whether a value is a size, or a pair (low, high) that contains 0."""
    ends = value if isinstance(value, list | tuple | np.ndarray) else (0, value)
    if len(ends) != 2 or not all(map(_is_number, ends)):
        return False
    return -math.inf < ends[0] <= 0 <= ends[1] < math.inf


# Names that other libraries or users have for some choices.
_OTHER_NAMES = {
    "fdr": "bh",
    "fdr_bh": "bh",
    "fdr_by": "by",
    "benjamini-hochberg": "bh",
    "mse": "neg_mean_squared_error",
    "rmse": "neg_root_mean_squared_error",
    "mae": "neg_mean_absolute_error",
    "mape": "neg_mean_absolute_percentage_error",
    "log_loss": "neg_log_loss",
    "brier_score_loss": "neg_brier_score",
    "auc": "roc_auc",
    "acc": "accuracy",
    "mcc": "matthews_corrcoef",
}


def suggestion(word, words):
    """Return a question that suggests similar words, or "" if there are none.

    Examples
    --------
    >>> suggestion("monte-carlo", ["auto", "exact", "monte-carlo"])
    "Did you mean 'monte-carlo'?"
    >>> suggestion("x", ["auto", "exact"])
    ''
    >>> suggestion("mse", ["accuracy", "neg_mean_squared_error"])
    "Did you mean 'neg_mean_squared_error'?"
    """
    alias = _OTHER_NAMES.get(str(word).lower())
    spelled = str(word).lower().replace("_", "-").replace(" ", "-")
    close = [w for w in words if w == alias or w.lower().replace("_", "-") == spelled]
    close = close or difflib.get_close_matches(str(word), words, n=3, cutoff=0.65)
    return f"Did you mean {' or '.join(map(repr, close))}?" if close else ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rule:
    """Allowed values of a parameter: strings, numbers in a range, or other objects.

    A rule with neither words nor choices allows anything.

    Parameters
    ----------
    words : str, default=""
        The requirement on values other than the choices, in words after "must".
    choices : tuple of str, default=()
        The allowed strings, spelled with hyphens.
    number : type, default=()
        The type of allowed numbers; True and False do not count as numbers.
    low, high : float
        The smallest and the largest allowed number.
    kinds : type, tuple of type or union, default=()
        Other allowed types.
    fits : callable or None, default=None
        ``fits(value)`` returns whether any other value is allowed.
    none : bool, default=False
        Whether None is allowed.
    help : str, default=""
        The help text of the command-line option.
    metavar : str, default="VALUE"
        The placeholder for the value in that help.
    typed : str, default=""
        Replaces `demand` for values typed on the command line, if these are more
        restricted than values passed in Python.
    reader : callable, default=str
        Converts typed text that is not one of the choices to a value; raises a
        ValueError if it cannot.
    """

    words: str = ""
    choices: tuple = ()
    number: object = ()
    low: float = -math.inf
    high: float = math.inf
    kinds: object = ()
    fits: object = None
    none: bool = False
    help: str = ""
    metavar: str = "VALUE"
    typed: str = ""
    reader: object = str

    @property
    def demand(self):
        """The requirement on a value, in words after "must"."""
        if not self.choices:
            return self.words
        listed = ", ".join(map(repr, self.choices))
        listed = f"one of {listed}" if len(self.choices) > 1 else listed
        others = f", or {self.words.removeprefix('be ')}" if self.words else ""
        return f"be {listed}{others}"

    def check(self, name, value, text=None):
        """Return a value if it is allowed, else raise a `ParameterError`.

        Parameters
        ----------
        name : str
            The parameter.
        value : object
            Its value.
        text : str or None, default=None
            The typed text, if the value was read from the command line.

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
        fine = isinstance(value, str) and value in self.choices
        if isinstance(value, self.number) and not isinstance(value, bool):
            exact = isinstance(value, int)  # an int may be too large for a float
            short = isinstance(value, np.floating)  # float32(0.01) is not 0.01
            number = value if exact else float(str(value) if short else value)
            fine = self.low <= number <= self.high
        fine = fine or isinstance(value, self.kinds)
        fine = fine or (self.fits is not None and self.fits(value))
        demand = "" if fine else self.demand
        if not demand:
            return value
        if text is not None:
            demand, value = self.typed or demand, text
        hint = suggestion(value, self.choices) if isinstance(value, str) else ""
        raise ParameterError(name, demand, repr(value), hint)

    def parse(self, name, text):
        """Convert the typed text of an option to its value.

        Parameters
        ----------
        name : str
            The parameter.
        text : str
            The typed text.

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
            value = text if text in self.choices else self.reader(text)
        except ValueError:
            value = text
        return self.check(name, value, text)


# Common rules, named after the values that they allow.


def OneOf(*choices, **options):
    """Return the rule for one of several strings."""
    return Rule(choices=choices, metavar=f"{{{','.join(choices)}}}", **options)


def Integer(low, high, **options):
    """Return the rule for an integer in a range."""
    words = f"be an integer from {low:,} to {high:,}"
    defaults = {"number": numbers.Integral, "reader": int, "metavar": "N"}
    return Rule(words=words, low=low, high=high, **defaults | options)


def Fraction(**options):
    """Return the rule for a number strictly between 0 and 1."""
    ends = {"low": math.nextafter(0.0, 1.0), "high": math.nextafter(1.0, 0.0)}
    defaults = {"number": numbers.Real, "reader": float, "metavar": "LEVEL"}
    return Rule(words="lie strictly between 0 and 1", **ends, **defaults | options)


def Number(low=None, words="", *, above=False, **options):
    """Return the rule for a finite number: at least `low`, above `low`, or any."""
    bound = "" if low is None else f" {'above' if above else 'of at least'} {low}"
    words = words or f"a finite number{bound}"
    low = -sys.float_info.max if low is None else low
    low = math.nextafter(low, math.inf) if above else low
    defaults = {"number": numbers.Real, "reader": float, "metavar": "SIZE"}
    ends = {"low": low, "high": sys.float_info.max}
    return Rule(words=f"be {words}", **ends, **defaults | options)


ALTERNATIVES = ("greater", "less", "two-sided")
CORRECTIONS = ("bonferroni", "holm", "hochberg", "bh", "by", "none")

FLAG = Rule(kinds=bool | np.bool_, words="be True or False")

# `cv` of tests that always fit models themselves; other tests also accept "prefit".
FOLDS = Rule(
    fits=lambda cv: not isinstance(cv, str),
    words="be an integer such as 10, a splitter or an iterable of splits: the models "
    "are fitted on each training fold",
)

# Rules by parameter name, for every class that does not override them in its `_rules`.
RULES = {
    "alpha": Fraction(
        help="significance level: reject if the p-value is at most this (default: 0.05)"
    ),
    "confidence_level": Fraction(help="level of confidence intervals (default: 0.95)"),
    "credible_level": Fraction(),
    "alternative": OneOf(
        *ALTERNATIVES,
        help="alternative hypothesis: A is better (greater, the default), B is "
        "better (less), or they differ (two-sided)",
    ),
    "n_resamples": Integer(
        1,
        MOST_RESAMPLES,
        choices=("auto", "ideal"),
        help="number of resamples (default: 9999); auto stops when the decision is "
        "clear; ideal computes the limit of infinitely many, for metrics where that is "
        "possible",
    ),
    "n_draws": Integer(20, MOST_RESAMPLES),
    "n_repeats": Integer(1, MOST),
    "n_splits": Integer(2, MOST),
    "test_size": Fraction(),
    "top": Integer(1, MOST, none=True),
    "aggregate": OneOf("auto", "pooled", "fold-mean"),
    "posterior": OneOf("paired", "independent", "hierarchical"),
    "correction": OneOf(
        *CORRECTIONS,
        "max-t",
        help="correction of p-values for several comparisons (default: holm)",
    ),
    "zero_method": OneOf("wilcox", "pratt"),
    "rope": Rule(
        fits=_is_region,
        words="be a finite number of at least 0, or a pair (low, high) of finite "
        "numbers, low <= 0 <= high: models that score the same are equivalent",
        typed="be a finite number of at least 0",
        help="region of practical equivalence: differences up to this are too small to "
        "matter; for --test bayes (default: 0.01)",
        metavar="SIZE",
        reader=float,
    ),
    "prior": Number(0.01),
    "tolerance": Number(0),
    "test_train_ratio": Number(
        0,
        "a positive number, test rows over training rows: 1 / (k - 1) for k folds",
        above=True,
        none=True,
    ),
    "cv": dataclasses.replace(FOLDS, choices=("prefit",), none=True),
    "error_score": Rule(
        choices=("raise",),
        fits=lambda score: isinstance(score, numbers.Real) and math.isnan(score),
        words="be nan; a number would enter the average like a score",
    ),
    "add_one": FLAG,
    "refit": FLAG,
    "bias_correction": FLAG,
    "random_state": Rule(
        kinds=np.random.RandomState | np.random.Generator,
        number=numbers.Integral,
        low=0,
        words="be None, a non-negative integer, a numpy RandomState or a numpy "
        "Generator",
        none=True,
        reader=int,
        help="random seed: a non-negative integer that makes the run reproducible",
        metavar="N",
        typed="be a non-negative integer",
    ),
    "n_jobs": Rule(
        fits=lambda n: _is_number(n, numbers.Integral) and n != 0,
        words="be an integer other than 0; -1 uses all processors",
        reader=int,
        none=True,
        help="number of parallel workers (default: 1; -1 uses all processors)",
        metavar="N",
    ),
    "verbose": Rule(
        kinds=bool | np.bool_,
        number=numbers.Integral,
        low=0,
        words="be True, False or an integer of at least 0",
    ),
    "margin": Number(
        help="A must be better than B by more than this (default: 0); with a negative "
        "margin -m, A must not be worse than B by m or more (non-inferiority)"
    ),
    "n_comparisons": Integer(
        1,
        MOST,
        help="total number of comparisons, for Bonferroni's correction of the level "
        "(default: 1)",
    ),
    # Parameters of `power`
    "effect": Number(
        help="assumed true difference, in units of the metric (default: the difference "
        "in the pilot)",
    ),
    "p_discordant": Fraction(
        help="proportion of rows on which exactly one of the models is right; for "
        "--test mcnemar without a pilot",
        metavar="SHARE",
    ),
    "sd": Number(
        0,
        above=True,
        help="standard deviation of the per-row differences in score; for --test t "
        "without a pilot",
    ),
    "n_rows": Integer(
        2,
        MOST_ROWS,
        help="sample size (default: that of the pilot; without a pilot, the size "
        "required for the target power)",
    ),
    "target": Fraction(metavar="POWER", help="target power (default: 0.8)"),
    "n_simulations": Integer(
        2, MOST, help="number of simulated samples (default: 500)"
    ),
}


# Parameters that do not affect the numbers, or that a result has under another name.
_NO_SETTINGS = {
    *("estimator_a", "estimator_b", "estimators", "test", "search", "scoring", "cv"),
    *("baseline", "error_score", "refit", "random_state", "n_jobs", "verbose"),
}


def settings_of(estimator):
    """Return the parameters that determine the numbers, for the result to store.

    Parameters
    ----------
    estimator : BaseEstimator
        The estimator with the parameters.

    Returns
    -------
    dict
        The values as passed; with the seed and the data of a result they reproduce it.

    Examples
    --------
    >>> from skcompare import McNemar
    >>> settings_of(McNemar(alternative="less"))
    {'alpha': 0.05, 'alternative': 'less', 'confidence_level': 0.95, 'variant': 'mid-p'}
    """
    parameters = estimator.get_params(deep=False)
    return {n: v for n, v in parameters.items() if n not in _NO_SETTINGS}


def default_of(estimator, parameter):
    """Return the default value of a parameter of an estimator.

    Examples
    --------
    >>> from skcompare import CorrectedTTest
    >>> default_of(CorrectedTTest(cv=5), "cv")
    10
    """
    return inspect.signature(type(estimator)).parameters[parameter].default


class CheckedParameters:
    """Mixin for estimators whose parameters are checked by rules.

    A class lists its own rules in `_rules`, which extend `RULES` and the rules of its
    bases; `rules` contains all of them, by parameter.

    Examples
    --------
    >>> from skcompare import McNemar
    >>> McNemar(alpha=0.01).check_parameters()
    >>> McNemar(alternative="two_sided").check_parameters()
    Traceback (most recent call last):
        ...
    skcompare.exceptions.ParameterError: `alternative` must be one of 'greater', \
'less', 'two-sided'. Got 'two_sided'. Did you mean 'two-sided'?
    """

    rules = RULES

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        cls.rules = dict(RULES)
        for base in reversed(cls.__mro__):
            cls.rules |= vars(base).get("_rules", {})

    def check_parameters(self):
        """Raise a `ParameterError` if a parameter has a value that is not allowed."""
        for name, value in self.get_params(deep=False).items():
            if name in self.rules:
                self.rules[name].check(name, value)
