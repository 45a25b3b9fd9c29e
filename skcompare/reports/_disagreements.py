"""The rows on which two models disagree most."""

import numpy as np
from scipy import sparse

from skcompare._evaluation import problem_of_predictions
from skcompare._format import format_numbers
from skcompare._validation import take_rows
from skcompare.results import Notes, Paragraph, Section, Table, one_line, shortened
from skcompare.stats.paired import paired_differences

LONGEST_CELL = 80

# Maximum number of features to show per row.
MOST_FEATURES = 6

_TITLE = "Rows on which the models disagree most"

_NO_ROW_SCORES = (
    "Single rows cannot be compared: neither the metric nor accuracy, log loss or "
    "absolute error has a score for each row."
)

_CAUTION = Notes(
    "Bear in mind",
    (
        "These rows were selected because they are extreme. They are for inspection "
        "only and show nothing about other rows.",
    ),
)

# Metrics for single rows if no metric of the test has per-row scores.
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
        Maximum number of rows to show in favor of each model.
    X : object, default=None
        The data of the test, of which some features are shown.

    Returns
    -------
    Section
        The section, with a table for each model.
    """
    metric, differences = _row_differences(problem)
    if metric is None:
        return Section(_TITLE, (Paragraph(_NO_ROW_SCORES),))
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
        extreme = rows[order[:n_rows]]
        complete = len(extreme) == len(rows)
        number = "All" if complete else f"{len(extreme)} of {len(rows):,}"
        caption = (
            f"{number} rows on which {name} does better, largest differences first"
        )
        if len(extreme):
            tables.append(_table(problem, extreme, differences, X, caption))
    return Section(_TITLE, (sentence, *tables, _CAUTION))


def _row_differences(problem):
    """Return the first metric with per-row scores, and the differences in it."""
    for metric in problem.statistics:
        scores = problem.statistics[metric].unweighted().row_scores()
        if scores is not None:
            return metric, paired_differences(*scores)[0]
    # The kind of a single response is inferred: scores may be probabilities.
    responses = [
        p if len(p) > 1 else next(iter(p.values()), p) for p in problem.predictions
    ]
    predictions = dict(zip(("y_pred_a", "y_pred_b"), responses, strict=True))
    y, further = problem.y, _FOR_LABELS
    if y.dtype.kind == "f":
        further = _FOR_NUMBERS
    elif y.dtype.kind in "iu" and y.ndim == 1 and len(np.unique(y)) > 2:
        further = _FOR_COUNTS  # with two classes, numeric predictions are scores
    for metric in further:
        try:
            other = problem_of_predictions(problem.y, predictions, scoring=metric)
        except (AttributeError, TypeError, ValueError):  # unsuitable predictions
            continue
        scores = other.statistics[metric].row_scores()
        if scores is not None:
            return metric, paired_differences(*scores)[0]
    return None, None


def _table(problem, rows, differences, X, caption):
    places = rows if problem.indices is None else problem.indices[rows]
    columns = {
        "row": [str(place) for place in places],
        "difference": format_numbers(differences[rows], "+"),
        "truth": _cells(problem.y[rows]),
        "A": _predictions(problem.predictions[0], rows),
        "B": _predictions(problem.predictions[1], rows),
    }
    if X is not None:
        columns |= first_features(take_rows(X, places))
    return Table.from_columns(columns, caption)


def _predictions(responses, rows):
    """Return the cells of a model's responses, preferably its predictions."""
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
    """Return each value as a short text."""
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
