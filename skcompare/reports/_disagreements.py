"""The rows on which two models disagree most."""

import numpy as np
from scipy import sparse

from skcompare._evaluation import problem_of_predictions
from skcompare._format import format_number
from skcompare._validation import take_rows
from skcompare.results import Notes, Paragraph, Section, Table, one_line, shortened
from skcompare.stats.paired import paired_differences

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


def disagreement_section(problem, n_rows, X=None):
    """Return a section on the rows on which two models disagree.

    Parameters
    ----------
    problem : Problem
        Rows and predictions.
    n_rows : int
        The number of rows to show in favor of each model, at most.
    X : object, default=None
        The data that the test was made on, to show some of it.

    Returns
    -------
    Section
        With a table for each model.
    """
    metric, differences = _judge_rows(problem)
    if metric is None:
        return Section(_TITLE, (Paragraph(_NOT_JUDGED),))
    a, b = (
        letter if letter == name else f"{letter} ({name})"
        for letter, name in zip("AB", problem.names, strict=True)
    )
    better = {a: np.flatnonzero(differences > 0), b: np.flatnonzero(differences < 0)}
    for_a, for_b = map(len, better.values())
    n_all = len(differences)
    sentence = Paragraph(
        f"In {metric}, {a} does better on {for_a:,} of {n_all:,} rows and {b} on "
        f"{for_b:,}; on {n_all - for_a - for_b:,} they do equally well."
    )
    tables = []
    for name, rows in better.items():
        order = np.argsort(-np.abs(differences[rows]), kind="stable")
        shown = rows[order[:n_rows]]
        which = "All" if len(shown) == len(rows) else f"{len(shown)} of {len(rows):,}"
        caption = (
            f"{which} rows on which {name} does better, the largest differences first"
        )
        if len(shown):
            tables.append(_table(problem, shown, differences, X, caption))
    return Section(_TITLE, (sentence, *tables, _CAUTION))


def _judge_rows(problem):
    """Return the first metric that scores single rows, and how A and B differ there."""
    for metric in problem.statistics:
        scores = problem.statistics[metric].unweighted().row_scores()
        if scores is not None:
            return metric, paired_differences(*scores)[0]
    # A lone response is read by what it holds: scores may be probabilities.
    responses = [
        p if len(p) > 1 else next(iter(p.values()), p) for p in problem.predictions
    ]
    predictions = dict(zip(("y_pred_a", "y_pred_b"), responses, strict=True))
    y, further = problem.y, _FOR_LABELS
    if y.dtype.kind == "f":
        further = _FOR_NUMBERS
    elif y.dtype.kind in "iu" and y.ndim == 1 and len(np.unique(y)) > 2:
        further = _FOR_COUNTS  # of two classes, numbers are scores and not near labels
    for metric in further:
        try:
            other = problem_of_predictions(problem.y, predictions, scoring=metric)
        except (AttributeError, TypeError, ValueError):  # not for such predictions
            continue
        scores = other.statistics[metric].row_scores()
        if scores is not None:
            return metric, paired_differences(*scores)[0]
    return None, None


def _table(problem, rows, differences, X, caption):
    places = rows if problem.indices is None else problem.indices[rows]
    columns = {
        "row": [str(place) for place in places],
        "difference": [format_number(differences[row], "+") for row in rows],
        "truth": _cells(problem.y[rows]),
        "A": _predictions(problem.predictions[0], rows),
        "B": _predictions(problem.predictions[1], rows),
    }
    if X is not None:
        columns |= first_features(take_rows(X, places))
    return Table.from_columns(columns, caption)


def _predictions(responses, rows):
    """Return how a model responded, by preference what it predicts."""
    method = "predict" if "predict" in responses else next(iter(responses), None)
    if method is None or isinstance(responses[method], list):
        return [""] * len(rows)
    return _cells(responses[method][rows])


def first_features(X):
    """Return the first columns of `X`, by name."""
    if hasattr(X, "columns"):
        names = list(X.columns)[:MOST_FEATURES]
        return {str(name): _cells(np.asarray(X[name])) for name in names}
    array = X.toarray() if sparse.issparse(X) else np.asarray(X)
    if array.ndim == 1:
        return {"X": _cells(array)}
    columns = array.reshape(len(array), -1).T[:MOST_FEATURES]
    return {f"x{place}": _cells(column) for place, column in enumerate(columns)}


def _cells(values):
    """Write each value in a few characters."""
    values = values.toarray() if sparse.issparse(values) else np.asarray(values)
    cells = []
    for value in values:
        if isinstance(value, float | np.floating):
            cells.append(f"{value:.4g}")
            continue
        if isinstance(value, np.ndarray):
            value = np.array2string(value, precision=3, threshold=8, edgeitems=3)
        cells.append(shortened(one_line(str(value)), LONGEST_CELL))
    return cells
