"""Options of commands: rules by name, those of the library where it has them."""

import dataclasses
import re

from sklearn.metrics import get_scorer_names

from skcompare import comparison, metrics
from skcompare._parameters import (
    RULES,
    Integer,
    Number,
    OneOf,
    Rule,
    suggestion,
)
from skcompare.cli._tables import FORMATS
from skcompare.results import SUFFIXES as DOCUMENT_SUFFIXES

# Scorers that scikit-learn does not have.
OWN_SCORERS = {
    name: getattr(metrics, f"{name}_scorer")
    for name in (
        *("bleu", "chrf", "las", "pearson", "perplexity", "spearman", "ter", "uas"),
    )
}

TESTS = {
    "bootstrap": comparison.PairedBootstrap,
    "randomization": comparison.ApproxRandomization,
    "wild": comparison.WildClusterBootstrap,
    "mcnemar": comparison.McNemar,
    "t": comparison.PairedTTest,
    "wilcoxon": comparison.WilcoxonSignedRank,
    "sign": comparison.SignTest,
    "delong": comparison.DeLong,
    "correlation": comparison.CorrelationTest,
    "bayes": comparison.BayesianComparison,
}
AUTO = "auto"

# Parameters of the library whose options have other names.
OPTION_OF = {
    "y_true": "truth",
    "y_pred_a": "a",
    "y_pred_b": "b",
    "y_preds": "models",
    "credible_level": "confidence-level",
    "n_draws": "n-resamples",
    "random_state": "seed",
    "n_jobs": "jobs",
}

# Formats of output by what names of files end in.
SUFFIXES = {**DOCUMENT_SUFFIXES, ".json": "json"}

SCORERS = (*get_scorer_names(), *OWN_SCORERS)


class Scorers(Rule):
    """Names of metrics, separated by commas."""

    def demand(self, value):
        if not all(value) or len(set(value)) < len(value):
            return "name metrics, separated by commas, none twice"
        return (
            "name scorers of scikit-learn, such as f1_macro, or of "
            f"{', '.join(OWN_SCORERS)} (--list-scorers lists all)"
        )

    def remedy(self, value):
        unknown = [name for name in self.reader(value) if name not in SCORERS]
        return suggestion(unknown[0], SCORERS) if unknown else ""


def as_scoring(names):
    """Turn names of scorers into `scoring`.

    Examples
    --------
    >>> as_scoring(["f1_macro"]), list(as_scoring(["accuracy", "pearson"]))
    ('f1_macro', ['accuracy', 'pearson'])
    """
    if names is None:
        return None
    scorers = {n: OWN_SCORERS[n]() if n in OWN_SCORERS else n for n in names}
    return scorers if len(scorers) > 1 else next(iter(scorers.values()))


def _of_tests(parameter, help):
    """Return the rule of an option: what the tests that have a parameter take."""
    rules = [test.rules.get(parameter, OneOf()) for test in TESTS.values()]
    choices = dict.fromkeys(choice for rule in rules for choice in rule.choices)
    return OneOf(*choices, help=help)


COLUMNS = {
    "truth": "the truth: true classes or values",
    "a": "predictions of the challenger, A; 'svm_proba_*' is a pattern",
    "b": "predictions of the baseline, B",
    "models": "predictions of all models, for all pairs, instead of --a, --b",
    "groups": "labels of rows that belong together, such as a document",
    "strata": "labels of strata, which keep their sizes",
    "id": "what aligns the rows of several files",
}

# All options by name, apart from those that take no value.
OPTIONS = {
    **{name: Rule(metavar="COLUMN", help=help) for name, help in COLUMNS.items()},
    "names": Rule(metavar="NAME", help="what to call the models: NEW OLD"),
    "block-length": Integer(
        2, 10**12, help="so many rows in a row belong together, as in a time series"
    ),
    "positive": Rule(
        metavar="LABEL", help="the class that f1, precision, roc_auc etc. look for"
    ),
    "scoring": Scorers(
        fits=lambda names: len(set(names)) == len(names) and set(names) <= set(SCORERS),
        reader=lambda text: [name.strip() for name in text.split(",")],
        metavar="NAME",
        help="metric: a scorer of scikit-learn, such as f1_macro, or one of "
        f"{', '.join(OWN_SCORERS)}; several with commas (default: accuracy or r2)",
    ),
    # Reading
    "input-format": OneOf(
        *FORMATS, help="default: by the ending of the name, csv for standard input"
    ),
    "encoding": Rule(metavar="NAME", help="default: utf-8"),
    "delimiter": Rule(
        fits=lambda text: len(text) == 1 and text not in '"\r\n',
        words="be one character, no line break and no quotation mark",
        reader=lambda text: text.replace(r"\t", "\t"),  # shells have no easy tab
        metavar="CHARACTER",
        help=r"what separates fields (default: , or tab, which is written \t)",
    ),
    "decimal": OneOf(".", ",", help="what separates decimals of numbers (default: .)"),
    # Testing
    "test": OneOf(
        *TESTS,
        AUTO,
        help="significance test: paired bootstrap (default), approximate randomization "
        "(a permutation test), wild cluster bootstrap (few or uneven groups or "
        "weights), McNemar's, paired t, Wilcoxon's, sign or DeLong's test, Williams' "
        "test of correlations, Bayesian comparison, or the one that advise "
        "recommends",
    ),
    "alpha": RULES["alpha"],
    "alternative": RULES["alternative"],
    "confidence-level": RULES["confidence_level"],
    "n-resamples": RULES["n_resamples"],
    "correction": RULES["correction"],
    "rope": RULES["rope"],
    "interval": _of_tests(
        "interval",
        "kind of bootstrap confidence interval (default: auto, the one that agrees "
        "with the p-value)",
    ),
    "method": _of_tests(
        "method",
        "how the p-value is computed: of the bootstrap shift, percentile or "
        "studentized, of other tests exact or not (default: auto)",
    ),
    "statistic": _of_tests(
        "statistic",
        "what a test is about: of randomization the difference or the studentized "
        "one, of correlations pearson or spearman (default: auto, or pearson)",
    ),
    "variant": _of_tests(
        "variant",
        "p-value of McNemar's test (the first four; default: mid-p) or of the test of "
        "correlations (default: williams)",
    ),
    "seed": RULES["random_state"],
    "jobs": RULES["n_jobs"],
    "margin": Number(
        help="A must be better by more than this (default: 0); a negative one asks for "
        "non-inferiority: A may be worse by less than that"
    ),
    "n-comparisons": Integer(
        1, 1_000_000, help="number of comparisons of which this is one (default: 1)"
    ),
    # Planning
    "effect": Number(
        help="true difference hoped for, in units of the metric (default: that of the "
        "pilot)"
    ),
    "p-discordant": Number(
        help="without a pilot, for McNemar's test: the share of rows on which just one "
        "of the models is right",
        metavar="SHARE",
    ),
    "sd": Number(
        help="without a pilot, for the t-test: the standard deviation of differences "
        "between the scores of rows"
    ),
    "n-rows": Integer(
        2,
        10**12,
        help="sample size (default: as many rows as the pilot has or, without one, as "
        "it takes)",
    ),
    "target": dataclasses.replace(
        RULES["alpha"], metavar="POWER", help="power wanted (default: 0.8)"
    ),
    "n-simulations": Integer(2, 1_000_000, help="simulated samples (default: 500)"),
    # Output
    "format": OneOf(
        *dict.fromkeys(SUFFIXES.values()),
        help="default: by the name of FILE, else text",
    ),
    "output": Rule(metavar="FILE", help="where to write (default: standard output)"),
    "plot": Rule(metavar="FILE", help="draw the result into a .png, .svg or .pdf file"),
}

DEFAULTS = {
    "encoding": "utf-8",
    "test": "bootstrap",
    "margin": 0.0,
    "n-comparisons": 1,
    "target": 0.8,
    "n-simulations": 500,
}

# Options that take no value: what argparse needs to know of them.
FLAGS = {
    "no-quotes": {
        "dest": "quotes",
        "action": "store_false",
        "help": 'take " in CSV and TSV files as any other character',
    },
    "quiet": {
        "action": "store_true",
        "help": "print the sentence and no tables (text and Markdown)",
    },
    "list-scorers": {
        "action": "version",
        "version": "\n".join(SCORERS),
        "help": "list what --scoring takes, and exit",
    },
    "traceback": {"action": "store_true", "help": "show where an error came from"},
}


def add_options(parser, groups, narrowed, defaults):
    """Add options to the parser of a command.

    Parameters
    ----------
    parser : ArgumentParser
        Where to add them.
    groups : dict of str
        Names of options by the title of their group.
    narrowed : dict
        By option, the choices that the command has, where these are not all.
    defaults : dict
        By option, defaults of the command.

    Returns
    -------
    dict
        The rules of the options by name.
    """
    rules = {}
    for title, names in groups.items():
        group = parser.add_argument_group(title)
        for name in names.split():
            if name in FLAGS:
                group.add_argument(f"--{name}", **FLAGS[name])
                continue
            rule = OPTIONS[name]
            if name in narrowed:
                rule = OneOf(*narrowed[name], help=rule.help)
            rules[name] = rule
            group.add_argument(
                f"--{name}",
                metavar=rule.metavar,
                help=rule.help.replace("%", "%%"),
                nargs="+" if name in ("models", "names") else None,
                default=defaults.get(name, DEFAULTS.get(name)),
            )
    return rules


# Words of the library in those of the shell

_TESTS = {test.__name__: name for name, test in TESTS.items()}
_WORDS = re.compile(
    r"`(?P<parameter>\w+)`"
    r"|\b(?P<setting>\w+)=(?:'(?P<word>[^']*)'|(?P<number>[\d.]*\d))"
    rf"|\b(?P<test>{'|'.join(_TESTS)})\b(?!')(?:\((?P<settings>[^()]*)\))?"
)


def in_shell_words(text):
    """Name options and tests as the shell does where the library names them.

    Examples
    --------
    >>> in_shell_words("`n_resamples` is small. McNemar takes alternative='less'.")
    '--n-resamples is small. --test mcnemar takes --alternative less.'
    >>> in_shell_words("`estimator` stays")
    '`estimator` stays'
    """

    def word(match):
        if match["test"]:
            settings = in_shell_words(match["settings"] or "")
            return f"--test {_TESTS[match['test']]} {settings}".rstrip()
        option = option_of(match["parameter"] or match["setting"])
        if option is None:
            return match[0]
        return f"{option} {match['word'] or match['number'] or ''}".rstrip()

    return _WORDS.sub(word, text)


def option_of(parameter):
    """Return the option that sets a parameter, None if there is none.

    Examples
    --------
    >>> option_of("random_state"), option_of("n_rows"), option_of("X")
    ('--seed', '--n-rows', None)
    """
    name = OPTION_OF.get(parameter, parameter.replace("_", "-"))
    return f"--{name}" if name in OPTIONS else None


def typed_form(test):
    """Return what to type for a test, as far as there are options for it.

    Examples
    --------
    >>> from skcompare import McNemar
    >>> typed_form(McNemar(alternative="less"))
    '--test mcnemar --alternative less'
    """
    defaults = type(test)().get_params(deep=False)
    options, others = [in_shell_words(type(test).__name__)], []
    for name, value in test.get_params(deep=False).items():
        if name == "scoring" or repr(value) == repr(defaults[name]):
            continue
        shown = f"{value:.6g}" if isinstance(value, float) else value
        option = option_of(name)
        if option is None:
            others.append(f"{name} {shown}")
        else:
            options.append(f"{option} {shown}")
    return " ".join(options) + (f" with {', '.join(others)}" if others else "")
