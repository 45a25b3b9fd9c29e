"""Options of commands: rules by name, those of the library where it has them."""

import dataclasses
import re

from sklearn.metrics import get_scorer_names

from skcompare import comparison, metrics
from skcompare._parameters import RULES, OneOf, Rule
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

# Formats of output by what names of files end in.
SUFFIXES = {**DOCUMENT_SUFFIXES, ".json": "json"}

SCORERS = (*get_scorer_names(), *OWN_SCORERS)


COLUMNS = {
    "truth": "the truth: true classes or values",
    "a": "predictions of the challenger, A; 'svm_proba_*' is a pattern",
    "b": "predictions of the baseline, B",
    "models": "predictions of all models, for all pairs, instead of --a, --b",
    "groups": "labels of rows that belong together, such as a document",
    "strata": "labels of strata, which keep their sizes",
    "id": "what aligns the rows of several files",
}

# Options whose choices are those of all tests that have such a parameter.
OF_TESTS = {
    "interval": "kind of bootstrap confidence interval (default: auto, the one that "
    "agrees with the p-value)",
    "method": "how the p-value is computed: of the bootstrap shift, percentile or "
    "studentized, of other tests exact or not (default: auto)",
    "statistic": "what a test is about: of randomization the difference or the "
    "studentized one, of correlations pearson or spearman (default: auto, or pearson)",
    "variant": "p-value of McNemar's test (the first four; default: mid-p) or of the "
    "test of correlations (default: williams)",
}

# All options in the order of the help, by the title of their group.
GROUPS = {
    "columns": "truth a b models names groups block-length strata id",
    "metric": "positive scoring list-scorers",
    "reading": "input-format encoding delimiter decimal no-quotes",
    "testing": "test alpha margin n-comparisons alternative confidence-level interval "
    "method statistic variant n-resamples seed jobs correction rope",
    "planning": "effect p-discordant sd n-rows target n-simulations",
    "output": "format output plot quiet traceback",
}

# What values of options must be, by name.
OPTIONS = {
    **{name: Rule(metavar="COLUMN", help=help) for name, help in COLUMNS.items()},
    "names": Rule(metavar="NAME", help="what to call the models: NEW OLD"),
    "block-length": dataclasses.replace(
        RULES["n_rows"],
        help="so many rows in a row belong together, as in a time series",
    ),
    "positive": Rule(
        metavar="LABEL", help="the class that f1, precision, roc_auc etc. look for"
    ),
    "scoring": Rule(
        choices=SCORERS,
        typed="name scorers of scikit-learn, such as f1_macro, or of "
        f"{', '.join(OWN_SCORERS)} (--list-scorers lists all)",
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
        help="default: by the name of FILE, else text",
    ),
    "output": Rule(metavar="FILE", help="where to write (default: standard output)"),
    "plot": Rule(metavar="FILE", help="draw the result into a .png, .svg or .pdf file"),
}

DEFAULTS = {"encoding": "utf-8", "test": "bootstrap", "margin": 0.0, "n-comparisons": 1}

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

# All others are parameters of the library, under their names there.
OPTIONS |= {
    name: RULES[name.replace("-", "_")]
    for name in " ".join(GROUPS.values()).split()
    if name not in OPTIONS | FLAGS
}


# Words of the library in those of the shell

# Parameters of the library by name: the options that set them.
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
        option = OPTION_OF.get(match["parameter"] or match["setting"])
        if option is None:
            return match[0]
        return f"{option} {match['word'] or match['number'] or ''}".rstrip()

    return _WORDS.sub(word, text)


def typed_form(test):
    """Return what to type for a test that was recommended.

    Examples
    --------
    >>> from skcompare import McNemar
    >>> typed_form(McNemar(alternative="less"))
    '--test mcnemar --alternative less'
    """
    defaults = type(test)().get_params(deep=False)
    typed = in_shell_words(type(test).__name__)
    for name, value in test.get_params(deep=False).items():
        if name != "scoring" and repr(value) != repr(defaults[name]):
            shown = f"{value:.6g}" if isinstance(value, float) else value
            typed += f" {OPTION_OF[name]} {shown}"
    return typed
