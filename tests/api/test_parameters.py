"""Parameters: one table of rules, whose messages are those of the classes."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import skcompare
from skcompare._parameters import RULES, CheckedParameters, Integer
from skcompare.exceptions import ParameterError

# Without rules: models, data, scorers, names of models, tests.
WITHOUT_RULE = {
    "baseline",
    "complexity",
    "estimator_a",
    "estimator_b",
    "estimators",
    "scoring",
    "search",
    "test",
}


def classes():
    return [
        value
        for value in map(vars(skcompare).get, skcompare.__all__)
        if isinstance(value, type) and issubclass(value, BaseEstimator)
    ]


@pytest.mark.parametrize("cls", classes(), ids=lambda cls: cls.__name__)
def test_every_parameter_has_a_rule(cls):
    missing = {*cls._get_param_names()} - {*cls.rules} - WITHOUT_RULE
    assert not missing, (
        f"say what {missing} may be: in `_rules` of {cls.__name__}, or if it means the "
        "same in several classes in RULES of skcompare/_parameters.py"
    )


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("alpha", 2, "`alpha` must lie strictly between 0 and 1. Got 2."),
        ("alpha", True, "`alpha` must lie strictly between 0 and 1. Got True."),
        ("alpha", None, "`alpha` must lie strictly between 0 and 1. Got None."),
        (
            "confidence_level",
            "high",
            "`confidence_level` must lie strictly between 0 and 1. Got 'high'.",
        ),
        (
            "alternative",
            3,
            "`alternative` must be one of 'greater', 'less', 'two-sided'. Got 3.",
        ),
        (
            "n_resamples",
            0,
            "`n_resamples` must be one of 'auto', 'ideal', or an integer from 1 to "
            "100,000,000. Got 0.",
        ),
        (
            "n_resamples",
            "many",
            "`n_resamples` must be one of 'auto', 'ideal', or an integer from 1 to "
            "100,000,000. Got 'many'.",
        ),
        (
            "n_draws",
            1.5,
            "`n_draws` must be an integer from 20 to 100,000,000. Got 1.5.",
        ),
        ("add_one", 1, "`add_one` must be True or False. Got 1."),
        (
            "cv",
            "x",
            "`cv` must be 'prefit', or an integer such as 10, a splitter or an "
            "iterable of splits: the models are fitted on each training fold. Got 'x'.",
        ),
        *(
            (
                "rope",
                value,
                "`rope` must be a finite number of at least 0, or a pair (low, high) "
                "of finite numbers, low <= 0 <= high: models that score the same are "
                f"equivalent. Got {value!r}.",
            )
            for value in (-1, "wide", (1, 2))
        ),
        ("prior", 0, "`prior` must be a finite number of at least 0.01. Got 0."),
        (
            "tolerance",
            -1,
            "`tolerance` must be a finite number of at least 0. Got -1.",
        ),
        (
            "test_train_ratio",
            0,
            "`test_train_ratio` must be a positive number, test rows over training "
            "rows: 1 / (k - 1) for k folds. Got 0.",
        ),
        (
            "error_score",
            0.5,
            "`error_score` must be 'raise', or nan; a number would enter the average "
            "like a score. Got 0.5.",
        ),
        (
            "random_state",
            -1,
            "`random_state` must be None, a non-negative integer, a numpy RandomState "
            "or a numpy Generator. Got -1.",
        ),
        ("top", 0, "`top` must be an integer from 1 to 1,000,000. Got 0."),
        (
            "n_jobs",
            0,
            "`n_jobs` must be an integer other than 0; -1 uses all processors. Got 0.",
        ),
        (
            "verbose",
            "yes",
            "`verbose` must be True, False or an integer of at least 0. Got 'yes'.",
        ),
    ],
)
def test_messages_name_parameter_rule_and_value(name, value, message):
    with pytest.raises(ParameterError) as caught:
        RULES[name].check(name, value)
    assert str(caught.value) == message
    assert caught.value.parameter == name
    assert caught.value.got == repr(value)
    assert f" must {caught.value.rule}." in message


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("alpha", [0.05, np.float32(0.5)]),
        ("n_resamples", [1, np.int64(99), "auto", "ideal"]),
        ("cv", ["prefit", None, 5, [([0], [1])]]),
        ("rope", [0, 0.01, (-0.1, 0), np.array([0.0, 1.0])]),
        ("add_one", [True, np.False_]),
        ("tolerance", [0, 0.1]),
        ("prior", [0.01, np.float16(0.01), np.float32(0.01), Fraction(1, 100)]),
        ("error_score", [np.nan, "raise"]),
        ("random_state", [None, 0, 2**80, np.random.default_rng(0)]),
        ("random_state", [np.random.RandomState(0)]),
        ("n_jobs", [None, 1, -1, -2]),
        ("verbose", [0, 1, True, False]),
        ("aggregate", ["pooled", "fold-mean"]),
        ("correction", ["holm", "none", "max-t"]),
    ],
)
def test_values_that_are_fine_are_returned_as_they_are(name, values):
    for value in values:
        assert RULES[name].check(name, value) is value


@pytest.mark.parametrize("kind", [np.float16, np.float32, float])
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("alpha", [0, 1]),
        ("confidence_level", [0, 1]),
        ("test_train_ratio", [0, np.inf]),
        ("tolerance", [-1, np.inf]),
        ("prior", [0, np.inf]),
        ("rope", [-1, np.inf]),
    ],
)
def test_ends_are_the_same_for_numbers_of_any_precision(name, values, kind):
    """NumPy rounds what it compares with a float32 to one: 1e-300 is 0 there."""
    for value in map(kind, values):
        with pytest.raises(ParameterError):
            RULES[name].check(name, value)
    assert RULES[name].check(name, kind(0.25)) == 0.25


def messages_of(cls, **settings):
    """Return the error of a class about a parameter, if it refuses it."""
    test = cls(**settings)
    labels = [0, 1] * 20
    try:
        test.fit_predictions(labels, labels, labels[::-1])
    except ValueError as error:
        return str(error)
    return None


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("PairedBootstrap", {"alpha": 0}),
        ("PairedBootstrap", {"confidence_level": "x"}),
        ("PairedBootstrap", {"interval": "x"}),
        ("PairedBootstrap", {"n_resamples": "x"}),
        ("PairedBootstrap", {"n_resamples": 1.0}),
        ("PairedBootstrap", {"add_one": None}),
        ("PairedBootstrap", {"random_state": -1}),
        ("ApproxRandomization", {"n_resamples": "ideal"}),
        ("McNemar", {"alternative": None}),
        ("WilcoxonSignedRank", {"zero_method": "x"}),
        ("BayesianComparison", {"rope": "wide"}),
        ("BayesianComparison", {"prior": -1}),
        ("BayesianComparison", {"posterior": 1}),
        ("BayesianComparison", {"n_draws": 0}),
    ],
)
def test_the_table_has_the_settings_of_the_classes(name, settings):
    cls = getattr(skcompare, name)
    rules = cls.rules
    [(parameter, value)] = settings.items()
    with pytest.raises(ParameterError) as caught:
        rules[parameter].check(parameter, value)
    assert str(caught.value) == messages_of(cls, **settings)


@pytest.mark.parametrize(
    ("rule", "got", "meant"),
    [
        (
            skcompare.ApproxRandomization.rules["method"],
            "monte_carlo",
            "monte-carlo",
        ),
        (
            skcompare.FriedmanTest.rules["variant"],
            "iman_davenport",
            "iman-davenport",
        ),
        (skcompare.McNemar.rules["variant"], "mid_p", "mid-p"),
        (RULES["aggregate"], "fold_mean", "fold-mean"),
        (RULES["correction"], "max_t", "max-t"),
        (RULES["alternative"], "two_sided", "two-sided"),
        (RULES["alternative"], "Greater", "greater"),
        (skcompare.PairedBootstrap.rules["interval"], "percentil", "percentile"),
        (RULES["n_resamples"], "Ideal", "ideal"),
    ],
)
def test_a_near_miss_gets_a_suggestion(rule, got, meant):
    with pytest.raises(ParameterError, match=f"Did you mean '{meant}'\\?$") as caught:
        rule.check("name", got)
    assert caught.value.remedy == f"Did you mean '{meant}'?"


def test_no_value_is_spelled_with_an_underscore():
    rules = [rule for cls in classes() for rule in cls.rules.values()]
    words = [word for rule in rules for word in getattr(rule, "choices", ())]
    assert words
    assert not [word for word in words if "_" in word]


class Loose(CheckedParameters, BaseEstimator):
    """A base with a rule of its own."""

    _rules = {"alpha": Integer(1, 9), "size": Integer(1, 3)}  # noqa: RUF012

    def __init__(self, alpha=1, size=1, alternative="less", other=None):
        self.alpha = alpha
        self.size = size
        self.alternative = alternative
        self.other = other


class Strict(Loose):
    """A class that narrows a rule."""

    _rules = {"size": Integer(1, 2)}  # noqa: RUF012


def test_rules_of_a_class_go_before_those_of_its_bases_and_of_all():
    Loose(size=3).check_parameters()
    with pytest.raises(ParameterError, match="`alpha` must be an integer from 1 to 9"):
        Strict(alpha=0.05).check_parameters()
    with pytest.raises(ParameterError, match="`size` must be an integer from 1 to 2"):
        Strict(size=3).check_parameters()
    with pytest.raises(ParameterError, match="`alternative` must be one of"):
        Strict(alternative="more").check_parameters()


@pytest.mark.parametrize("cls", classes(), ids=lambda cls: cls.__name__)
def test_defaults_keep_the_rules(cls):
    needed = {"complexity": None, "search": None}
    test = cls(**{n: v for n, v in needed.items() if n in cls._get_param_names()})
    CheckedParameters.check_parameters(test)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("alpha", "0.01", 0.01),
        ("n_resamples", "99", 99),
        ("n_resamples", "auto", "auto"),
        ("rope", "0.02", 0.02),
        ("random_state", "7", 7),
        ("n_jobs", "-1", -1),
        ("alternative", "less", "less"),
    ],
)
def test_options_are_read_from_text(name, text, value):
    assert RULES[name].parse(name, text) == value


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("alpha", "much", "--x must lie strictly between 0 and 1. Got 'much'."),
        (
            "n_resamples",
            "1e4",
            "--x must be one of 'auto', 'ideal', or an integer from 1 to 100,000,000. "
            "Got '1e4'.",
        ),
        ("random_state", "-1", "--x must be a non-negative integer. Got '-1'."),
        (
            "alternative",
            "two_sided",
            "--x must be one of 'greater', 'less', 'two-sided'. Got 'two_sided'. Did "
            "you mean 'two-sided'?",
        ),
    ],
)
def test_errors_can_be_worded_for_options(name, text, message):
    with pytest.raises(ParameterError) as caught:
        RULES[name].parse(name, text)
    assert caught.value.message_for("--x") == message


def test_errors_survive_the_way_from_a_worker():
    error = pickle.loads(pickle.dumps(ParameterError("alpha", "be 1", "2", "Try 1.")))
    assert str(error) == "`alpha` must be 1. Got 2. Try 1."
    assert (error.parameter, error.remedy) == ("alpha", "Try 1.")
