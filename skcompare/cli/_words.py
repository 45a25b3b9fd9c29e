"""What the library says, in words that help at a shell."""

import re

from skcompare.cli._tests import CLASSES, SETTINGS

__all__ = ["Words"]

# Parameters of the library whose options are called otherwise.
_OTHERWISE = {
    "y_true": "truth",
    "y_pred_a": "a",
    "y_pred_b": "b",
    "y_preds": "models",
    **{name: option for option, names in SETTINGS.items() for name in names},
}

# Parameters that may stand in a sentence without marks: no column is called like them.
_UNMARKED = ("n_resamples", "n_draws", "n_jobs", "random_state")

_TESTS = {test.__name__: name for name, test in CLASSES.items()}

# What models answer.
_RESPONSES = {
    "predict": "predictions",
    "predict_proba": "probabilities",
    "decision_function": "scores",
}

# Phrases that have no counterpart word by word, ours and those of other libraries.
_PHRASES = {
    r"An array is read as labels, .*? says what it is\.": (
        "A single column is read as labels, values, probabilities or scores by what it "
        "holds; a pattern such as 'svm_proba_*' names the probabilities of all classes."
    ),
    r"`posterior` 'paired' (.*?) does not take `sample_weight`: .*?\. (?=[A-Z])": (
        r"BayesianComparison \1 takes no weights. "
    ),
    r"\bstrata=y\b": "--strata with the column of the truth",
    r"Got n_samples = (\d+)": r"Got \1",
    r" as `test`": "",
    r"Target is multiclass but average='binary'\. Please choose .*?\]": (
        "there are more than two classes. Name the one that counts with --positive, or "
        "take a metric of all, such as f1_macro"
    ),
    r"multi_class must be in \('ovo', 'ovr'\)": (
        "there are more than two classes. Take roc_auc_ovr or roc_auc_ovo, or name one "
        "class with --positive"
    ),
    r"Classification metrics can't handle a mix of \w+ and continuous targets": (
        "they have fractions, which no labels have"
    ),
    r"continuous is not supported": "the truth has fractions, which no labels have",
    r"Mean Tweedie deviance error with power=\d can only be used on (.*?) y and "
    r"(.*?)y_pred": r"this metric needs a \1 truth and \2answers",
    r"could not convert string to float: (?:np\.str_\()?('.*?')\)?(?=[. ]|$)": (
        r"\1 is not a number"
    ),
    r"invalid literal for int\(\) with base 10: ('.*?')": r"\1 is not a whole number",
    r"Mix of label input types \(string and number\); Got .*\](?=\.|$)": (
        "there are texts in one column and numbers in another"
    ),
    r"y_pred contains classes not in y_true": (
        "some answers are classes that the truth does not have"
    ),
    r"\bThe y_(prob|pred) values\b": "The probabilities of a row",
}

_AFTER_OPTIONS = {
    r"(--[\w-]+) must be None for": r"\1 cannot be given with",
    r"(--[\w-]+) must be None(?: or|,)": r"\1 must be",
    r"--n-resamples must be one of": "--n-resamples must be a whole number or one of",
}

_MARK = "'"
_QUOTED = r"(?<!\w)'[^']*'"
_SENTENCES = re.compile(r"(?<=[.?]) (?=[A-Z`'-])")

# Marks, calls, settings and values that only Python has.
_PYTHON = re.compile(r"`|[{}]|\w\(|\w==?\S|\bNone\b|\bnumpy\b|\bfit\b|\bsklearn\.")


class Words:
    """Translates what the library says for the users of a command.

    Parameters and settings become options where the command has them, classes of tests
    what ``--test`` calls them, and responses what a file has. What is in quotation
    marks came from the user and stays. A sentence that is about Python even so is left
    out, unless it is the first, which says what is wrong.

    Parameters
    ----------
    usage : str
        The usage of the command, which names its options.

    Examples
    --------
    >>> words = Words("skcompare compare [--n-resamples N] [--test NAME] [--truth COL]")
    >>> words("`n_resamples` must be an integer. Got 'n_resamples'.")
    "--n-resamples must be an integer. Got 'n_resamples'."
    >>> words("`y_true` is short. ApproxRandomization can do it. Use fit(X, y).")
    '--truth is short. --test randomization can do it.'
    """

    def __init__(self, usage):
        self.options = tuple(dict.fromkeys(re.findall(r"--[a-z][a-z-]*", usage)))

    def __call__(self, text):
        """Return a text of the library in words of the command line."""
        for phrase, instead in _PHRASES.items():
            text = re.sub(phrase, instead, text)
        text = _TOKENS.sub(self._word, text)
        for phrase, instead in _AFTER_OPTIONS.items():
            text = re.sub(phrase, instead, text)
        first, *others = _SENTENCES.split(text)
        return " ".join([first, *(s for s in others if not _is_about_python(s))])

    def _word(self, match):
        return _TRANSLATORS[match.lastgroup](self, match)

    def _option(self, name):
        option = f"--{_OTHERWISE.get(name, name).replace('_', '-')}"
        return option if option in self.options else None

    def _parameter(self, match):
        return self._option(match.group().strip("`")) or match.group()

    def _setting(self, match):
        return self._with_value(match.group()) or match.group()

    def _with_value(self, setting):
        name, _, value = setting.partition("=")
        option = self._option(name)
        return option and f"{option} {value.strip(_MARK)}"

    def _test(self, match):
        if "--test" not in self.options:
            return match.group()
        name, *settings = re.findall(r"\w+(?:=[^,()]+)?", match.group())
        given = filter(None, map(self._with_value, settings))
        return " ".join([f"--test {_TESTS[name]}", *given])

    def _answers(self, match):
        return re.sub(r"\w+", lambda m: _RESPONSES.get(m[0], m[0]), match.group())


_TRANSLATORS = {
    "setting": Words._setting,
    "quoted": lambda words, match: match.group(),
    "parameter": Words._parameter,
    "test": Words._test,
    "answers": Words._answers,
}

_ONE_RESPONSE = rf"(?:{'|'.join(_RESPONSES)})\b"
_TOKENS = re.compile(
    "|".join(
        [
            r"(?P<setting>\b\w+='[^']*')",
            rf"(?P<quoted>{_QUOTED})",
            rf"(?P<parameter>`\w+`|\b(?:{'|'.join(_UNMARKED)})\b)",
            rf"(?P<test>\b(?:{'|'.join(_TESTS)})\b(?:\([^()]*\))?)",
            rf"(?P<answers>\b(?:asks for|has) {_ONE_RESPONSE}"
            rf"(?:(?:/| or | and ){_ONE_RESPONSE})*)",
        ]
    )
)


def _is_about_python(sentence):
    return _PYTHON.search(re.sub(_QUOTED, "", sentence)) is not None
