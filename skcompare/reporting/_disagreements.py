"""The rows on which two models disagree most."""

import dataclasses
import warnings

import numpy as np
from scipy import sparse

from skcompare._engine import as_statistic, row_scores
from skcompare._format import format_number
from skcompare._validation import named_scorer, take_rows
from skcompare.reporting._document import Notes, Paragraph, Section, one_line
from skcompare.results import Table
from skcompare.stats import paired_differences

__all__ = ["disagreement_section"]

LONGEST_CELL = 80

# So many features of a row are shown.
MOST_FEATURES = 6

_TITLE = "Rows on which the models disagree most"

_NOT_JUDGED = (
    "Single rows cannot be judged: neither the metric nor accuracy, log loss or "
    "absolute error gives a number for each of them."
)

_CAUTION = Notes(
    "Bear in mind",
    (
        "These rows were picked for being extreme. They are for looking at, and show "
        "nothing about other rows.",
    ),
)

# What to judge single rows by if no metric of the test does.
_FOR_LABELS = "accuracy", "neg_log_loss"
_FOR_COUNTS = *_FOR_LABELS, "neg_mean_absolute_error"
_FOR_NUMBERS = ("neg_mean_absolute_error",)


def disagreement_section(evidence, n_rows, *, X=None, names=("A", "B")):
    """Return a section on the rows that tell two models apart.

    Parameters
    ----------
    evidence : Evidence
        Rows and answers.
    n_rows : int
        The number of rows to show in favour of each model, at most.
    X : object, default=None
        What to show of the rows.
    names : pair of str, default=("A", "B")
        What the models are called.

    Returns
    -------
    Section
        With a table for each model.
    """
    judged = _judge_rows(evidence)
    if judged is None:
        return Section(_TITLE, (Paragraph(_NOT_JUDGED),))
    metric, differences = judged
    wins = [np.flatnonzero(sign * differences > 0) for sign in (1, -1)]
    tables = [
        _table(evidence.sample, _largest(rows, differences, n_rows), differences, X)
        for rows in wins
    ]
    captioned = [
        table._replace(caption=_caption(table, rows, name))
        for table, rows, name in zip(tables, wins, names, strict=True)
        if table.rows
    ]
    sentence = Paragraph(_sentence(metric, wins, names, len(differences)))
    return Section(_TITLE, (sentence, *captioned, _CAUTION))


def _judge_rows(evidence):
    """Return the first metric that scores single rows, and how A and B differ there."""
    sample = dataclasses.replace(evidence.sample, sample_weight=None)
    further = _further_metrics(sample.y_array)
    scorers = evidence.scorers | {name: named_scorer(name) for name in further}
    for name in dict.fromkeys([*evidence.scorers, *further]):
        scores = _row_scores(scorers[name], name, sample)
        if scores is not None:
            return name, paired_differences(*scores)[0]
    return None


def _further_metrics(y):
    """Return what to judge rows by, besides the metrics of the test.

    Of two classes, numbers are scores, which need not be near the labels.
    """
    if y.dtype.kind == "f":
        return _FOR_NUMBERS
    counts = y.dtype.kind in "iu" and y.ndim == 1 and len(np.unique(y)) > 2
    return _FOR_COUNTS if counts else _FOR_LABELS


def _row_scores(scorer, name, sample):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return row_scores(as_statistic(scorer, name, sample))
    except (AttributeError, TypeError, ValueError):  # not made for such answers
        return None


def _largest(rows, differences, n_rows):
    order = np.argsort(-np.abs(differences[rows]), kind="stable")
    return rows[order[:n_rows]]


def _sentence(metric, wins, names, n_rows):
    (for_a, for_b), (name_a, name_b) = map(len, wins), names
    return (
        f"In {metric}, {name_a} does better on {for_a:,} of {n_rows:,} rows and "
        f"{name_b} on {for_b:,}; on {n_rows - for_a - for_b:,} they do equally well."
    )


def _caption(table, rows, name):
    shown = len(table.rows)
    which = "All" if shown == len(rows) else f"{shown} of {len(rows):,}"
    return f"{which} rows on which {name} does better, the largest differences first"


def _table(sample, rows, differences, X):
    columns = {
        "row": [str(row) for row in rows],
        "difference": [format_number(differences[row], "+") for row in rows],
        "truth": _shown(_at(sample.y_array, rows)),
        "A": _answer(sample.answers[0], rows),
        "B": _answer(sample.answers[1], rows),
        **_features(X, rows),
    }
    return Table(list(zip(*columns.values(), strict=True)), tuple(columns))


def _answer(answers, rows):
    """Return what a model answered, by preference what it predicts."""
    responses = answers.responses
    method = "predict" if "predict" in responses else next(iter(responses), None)
    if method is None or isinstance(responses[method], list):
        return [""] * len(rows)
    return _shown(_at(responses[method], rows))


def _features(X, rows):
    """Return the first columns of `X`, by name."""
    if X is None:
        return {}
    part = take_rows(X, rows)
    if hasattr(part, "columns"):
        names = list(part.columns)[:MOST_FEATURES]
        return {str(name): _shown(np.asarray(part[name])) for name in names}
    array = _dense(part)
    if array.ndim == 1:
        return {"X": _shown(array)}
    columns = array.reshape(len(rows), -1).T[:MOST_FEATURES]
    return {f"x{place}": _shown(column) for place, column in enumerate(columns)}


def _at(values, rows):
    return _dense(values[rows])


def _dense(values):
    return values.toarray() if sparse.issparse(values) else np.asarray(values)


def _shown(values):
    return [_cell(value) for value in values]


def _cell(value):
    """Write a value in a few characters."""
    if isinstance(value, float | np.floating):
        return f"{value:.4g}"
    if isinstance(value, np.ndarray):
        value = np.array2string(value, precision=3, threshold=8, edgeitems=3)
    text = one_line(str(value))
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}\u2026"
