"""Intended changes since the golden outputs were recorded: the one list of them.

A recording keeps the names and words of the day it was made. When the library changes
one on purpose, say so here: cases then call the new name, and comparisons look for the
new field or word. Numbers stay as they are, unless `NUMBERS` gives the reason.
"""

# Names of the library that moved or are called otherwise: old -> new, with dots, as
# seen from `skcompare`, such as {"hdi": "stats.hdi"}.
NAMES = {
    "hdi": "stats.hdi",
}

# Parameters: old -> new, or (name of the class or function, old) -> new where only one
# of them changed, such as {("CorrectedTTest", "correction"): "variance"}.
PARAMETERS = {
    "hdi_probability": "credible_level",
    "decision_probability": "credible_level",
    ("CorrectedTTest", "correction"): "variance",
}

# Values of parameters: old spelling -> new spelling; or (name of the parameter, old
# spelling) -> new spelling. All places that hold such a word in a result follow.
VALUES = {
    "fold_mean": "fold-mean",
    "monte_carlo": "monte-carlo",
    "iman_davenport": "iman-davenport",
    "midp": "mid-p",
    ("method", "normal"): "asymptotic",
    ("CorrectedTTest", "correction", "none"): "naive",
}

# Arguments of the command line: old -> new, such as {"--jobs": "--n-jobs"}.
ARGUMENTS = {}

# Fields of results and attributes of fitted objects: old -> new; None if it is gone. A
# key with a dot is a pattern of a whole path, and then so is what it becomes, such as
# {"omnibus.df": "omnibus.degrees", "*.params.*": None}.
FIELDS = {
    "favours" + "_a": "favors_a",
    "centre_": "center_",
    "hdi_probability": "credible_level",
    "decision_probability": "credible_level",
    "groups": "indistinguishable",
}

# Words in results, by old field: {field: {old word: new word}}, such as
# {"decisions": {"~": "n.s."}}.
WORDS = {
    "decisions": {"~": "n.s."},
    "method": {"none": "naive"},
}

# Sentences of warnings, caveats and errors: old -> new, as regular expression and
# replacement of `re.sub`, applied in this order to what was recorded.
SENTENCES = [
    (r"([AB]'s) way of learning", r"\1 learning algorithm"),
    (r"both ways of learning", "both learning algorithms"),
    (r"Neighbouring rows may be", "Neighboring rows may be"),
    (r"neighbouring folds", "neighboring folds"),
    (r"if neighbouring rows are alike", "if neighboring rows are alike"),
]

# Cases whose texts (what is printed, reports, the command line) changed on purpose,
# with the reason; patterns of `fnmatch`. Their other fields are still compared.
TEXTS = {}

# Cases, or parts of them ("case:path"), whose numbers or words changed on purpose.
NUMBERS = {}

# Cases whose warnings changed on purpose, with the reason.
WARNINGS = {}
