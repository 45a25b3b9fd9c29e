"""Options of commands: rules by name, taken from the library where it has them."""

import dataclasses
import re
from pathlib import Path

from sklearn.metrics import get_scorer, get_scorer_names

from skcompare import comparison, metrics
from skcompare._foreign import metric_of
from skcompare._parameters import RULES, OneOf, Rule
from skcompare.cli._tables import FORMATS
from skcompare.results import SUFFIXES as DOCUMENT_SUFFIXES

# Scorers that scikit-learn does not have.
OWN_SCORERS = {
    name: getattr(metrics, f"{name}_scorer")
    for name in (
        "bleu",
        "chrf",
        "las",
        "pearson",
        "perplexity",
        "spearman",
        "ter",
        "uas",
    )
}


def compares_labels(metric):
    """Return whether a metric compares labels of classes.

    Examples
    --------
    >>> [compares_labels(name) for name in ("accuracy", "roc_auc", "r2", "bleu")]
    [True, False, False, False]
    """
    if metric in OWN_SCORERS:
        return False
    function, _, _, responses = metric_of(get_scorer(metric))
    return responses == ("predict",) and "_classification" in function.__module__


# Tests, by the values of --test.
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

# What --test says of them.
_TITLES = {
    "bootstrap": "paired bootstrap, the default",
    "randomization": "approximate randomization, a permutation test",
    "wild": "wild cluster bootstrap, for few or uneven groups or weights",
    "mcnemar": "McNemar's test",
    "t": "paired t-test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "delong": "DeLong's test of ROC AUC",
    "correlation": "Williams' or Steiger's test of correlations",
    "bayes": "Bayesian comparison",
    AUTO: "the test that `skcompare advise` recommends",
}


def rule_of_tests(names=(*TESTS, AUTO)):
    """Return the rule for --test with some of the tests.

    Examples
    --------
    >>> rule_of_tests(["t", "sign"]).help
    'significance test: t (paired t-test) or sign (sign test)'
    """
    *others, last = (f"{n} ({_TITLES[n]})" if n in _TITLES else n for n in names)
    text = f"significance test: {', '.join(others)} or {last}"
    return OneOf(*names, help=text)


# Output formats by file extension.
SUFFIXES = {**DOCUMENT_SUFFIXES, ".json": "json"}

SCORERS = (*get_scorer_names(), *OWN_SCORERS)

PLOT_SUFFIXES = (".png", ".svg", ".pdf")

COLUMNS = {
    "truth": "true classes or values",
    "a": "predictions of the challenger, A; a pattern such as 'svm_proba_*' stands for "
    "one column per class",
    "b": "predictions of the baseline, B",
    "models": "predictions of several models, all pairs of which are compared; "
    "replaces --a and --b",
    "groups": "labels of groups of dependent rows, such as sentences of a document",
    "strata": "labels of strata, which have the same size in every resample of "
    "--test bootstrap and --test bayes",
    "id": "row ids, by which the rows of several files are matched",
}

# Options whose choices are those of all tests with this parameter.
OF_TESTS = {
    "interval": "kind of bootstrap confidence interval (default: auto, the one that "
    "agrees with the p-value)",
    "method": "how the p-value is computed: shift, percentile or studentized for the "
    "bootstrap; exact, monte-carlo or asymptotic for other tests (default: auto)",
    "statistic": "test statistic: difference or studentized for --test randomization "
    "(default: auto), pearson or spearman for --test correlation (default: pearson)",
    "variant": "variant of the test: exact, mid-p, chi2 or corrected for --test "
    "mcnemar (default: mid-p), williams or steiger for --test correlation (default: "
    "williams)",
}

# All options in the order of the help, by group title.
GROUPS = {
    "columns": "truth a b models names groups block-length strata id",
    "metric": "positive scoring list-scorers",
    "input": "input-format encoding delimiter decimal no-quotes",
    "testing": "test alpha margin n-comparisons alternative confidence-level interval "
    "method statistic variant n-resamples seed jobs correction rope",
    "planning": "effect p-discordant sd n-rows target n-simulations",
    "output": "format output plot quiet traceback",
}

# Rules for the values of options, by name.
OPTIONS = {
    **{name: Rule(metavar="COLUMN", help=help) for name, help in COLUMNS.items()},
    "names": Rule(metavar="NAME", help="names for the models in the output"),
    "block-length": dataclasses.replace(
        RULES["n_rows"],
        help="number of consecutive rows that form a group, for time series",
    ),
    "positive": Rule(
        metavar="LABEL",
        help="positive class of metrics such as f1, precision and roc_auc",
    ),
    "scoring": Rule(
        choices=SCORERS,
        typed="name scorers of scikit-learn, such as f1_macro, or some of "
        f"{', '.join(OWN_SCORERS)} (--list-scorers lists all)",
        metavar="NAME",
        help="metric: a scorer of scikit-learn, such as f1_macro, or one of "
        f"{', '.join(OWN_SCORERS)}; or several, separated by commas (default: "
        "accuracy, or r2 if the truth has fractions)",
    ),
    # Input
    "input-format": OneOf(
        *FORMATS,
        help="format of the input files (default: from the file extension; csv for "
        "standard input)",
    ),
    "encoding": Rule(metavar="NAME", help="character encoding (default: utf-8)"),
    "delimiter": Rule(
        fits=lambda text: len(text) == 1 and text not in '"\r\n',
        words="be a single character, not a line break or quotation mark",
        reader=lambda text: text.replace(r"\t", "\t"),  # tabs are hard to type
        metavar="CHARACTER",
        help=r"field separator, \t for a tab (default: a comma; a tab for TSV files)",
    ),
    "decimal": OneOf(".", ",", help="decimal separator (default: .)"),
    # Testing
    "test": rule_of_tests(),
    **{
        name: OneOf(
            *dict.fromkeys(
                choice
                for rules in (test.rules for test in TESTS.values())
                if name in rules
                for choice in rules[name].choices
            ),
            help=help,
        )
        for name, help in OF_TESTS.items()
    },
    "seed": RULES["random_state"],
    "jobs": RULES["n_jobs"],
    # Output
    "format": OneOf(
        *dict.fromkeys(SUFFIXES.values()),
        help="output format (default: from the extension of --output, else text)",
    ),
    "output": Rule(metavar="FILE", help="output file (default: standard output)"),
    "plot": Rule(
        fits=lambda path: Path(path).suffix.lower() in PLOT_SUFFIXES,
        words="end in .png, .svg or .pdf",
        metavar="FILE",
        help="save a plot of the result to a .png, .svg or .pdf file",
    ),
}
SCORING = OPTIONS["scoring"]
ONE_METRIC = dataclasses.replace(
    SCORING, help=SCORING.help.replace("; or several, separated by commas", "")
)

DEFAULTS = {"encoding": "utf-8", "test": "bootstrap", "margin": 0.0, "n-comparisons": 1}

# Options without a value: keyword arguments of argparse.
FLAGS = {
    "no-quotes": {
        "dest": "quotes",
        "action": "store_false",
        "help": 'treat " in CSV and TSV files like any other character',
    },
    "quiet": {
        "action": "store_true",
        "help": "print only the summary sentence, or the verdict of a gate (text and "
        "Markdown)",
    },
    "list-scorers": {
        "action": "version",
        "version": "\n".join(SCORERS),
        "help": "list the metrics for --scoring and exit",
    },
    "traceback": {
        "action": "store_true",
        "help": "print the Python traceback of an error",
    },
}

# All other options are parameters of the library, with the same names.
OPTIONS |= {
    name: RULES[name.replace("-", "_")]
    for name in " ".join(GROUPS.values()).split()
    if name not in OPTIONS | FLAGS
}


# Parameters and tests of the library as options

# Options by the name of the parameter that they set, or of the class that they run.
OPTION_OF = {name.replace("-", "_"): f"--{name}" for name in OPTIONS} | {
    "y_true": "--truth",
    "y_pred_a": "--a",
    "y_pred_b": "--b",
    "y_preds": "--models",
    "credible_level": "--confidence-level",
    "n_draws": "--n-resamples",
    "random_state": "--seed",
    "n_jobs": "--jobs",
}
_CLASSES = {test.__name__: f"--test {name}" for name, test in TESTS.items()}
_CLASSES["PairwiseComparison"] = "--models"
OPTION_OF |= _CLASSES

_VALUE = r"'[\w-]+'|[\w.+-]+"
# Code in messages is in backticks: `alpha`, `alpha=0.05`, `y_preds['nb']`, or
# `McNemar(alternative='less')`, possibly as the value of `test`.
_CODE = re.compile(
    rf"`(?:test=)?(\w+)(?:=({_VALUE})|\[('\w+')\]|\((\w+)=({_VALUE})\))?`"
    rf"|\b({'|'.join(_CLASSES)})\b(?!['(])"
)


# An option has no value that means None.
_NONE = re.compile(r"(--[\w-]+) must be None (?:for|with)\b")


def with_option_names(text):
    """Replace code in backticks, and names of tests, by options.

    All other text, such as that of scikit-learn's errors, is left as it is.

    Examples
    --------
    >>> with_option_names("`n_resamples` is small. Set `alternative='less'`.")
    '--n-resamples is small. Set --alternative less.'
    >>> with_option_names("Use McNemar, or `test=McNemar(variant='exact')`.")
    'Use --test mcnemar, or --test mcnemar --variant exact.'
    >>> with_option_names("`estimator` stays, and so do alpha=1 and McNemar's test.")
    "`estimator` stays, and so do alpha=1 and McNemar's test."
    >>> with_option_names("`strata` must be None for McNemar.")
    '--strata cannot be used with --test mcnemar.'
    """

    def as_typed(match):
        name, value, key, setting, setting_value, test = match.groups()
        words = [OPTION_OF.get(name or test), value or key]
        if setting is not None:
            words += [OPTION_OF.get(setting), setting_value]
        if words[0] is None or (setting is not None and words[2] is None):
            return match[0]
        return " ".join(word.strip("'") for word in words if word)

    return _NONE.sub(r"\1 cannot be used with", _CODE.sub(as_typed, text))


def as_options(test):
    """Return the command-line options for a recommended test.

    Examples
    --------
    >>> from skcompare import McNemar
    >>> as_options(McNemar(alternative="less"))
    '--test mcnemar --alternative less'
    """
    defaults = type(test)().get_params(deep=False)
    options = OPTION_OF[type(test).__name__]
    for name, value in test.get_params(deep=False).items():
        if name != "scoring" and repr(value) != repr(defaults[name]):
            text = f"{value:.6g}" if isinstance(value, float) else value
            options += f" {OPTION_OF[name]} {text}"
    return options
