"""Arguments of a scorer that have one entry per row, such as sensitive features."""

import functools
from collections.abc import Mapping, Sequence

import numpy as np

from skcompare._validation import metric_of, take_rows, with_arguments

# Arguments of scikit-learn's metrics that have entries for classes or outputs: these
# stay as they are, even where there happen to be as many as rows.
NOT_OF_ROWS = {"labels", "multioutput"}


def row_arguments(scorer, n_rows, n_tested=None):
    """Return the arguments of a scorer that have one entry per row.

    They are looked for among the keyword arguments of `make_scorer` and of
    `functools.partial`, around the scorer or around its metric function.

    Parameters
    ----------
    scorer : callable
        ``scorer(estimator, X, y)``.
    n_rows : int
        The number of rows of the data.
    n_tested : int, default=None
        The number of rows that are scored. Arguments with as many entries, where that
        is another number, are refused.

    Returns
    -------
    dict
        Values by name.

    Examples
    --------
    >>> from sklearn.metrics import accuracy_score, make_scorer
    >>> scorer = make_scorer(accuracy_score, sample_weight=[1, 2, 1], normalize=True)
    >>> row_arguments(scorer, 3)
    {'sample_weight': [1, 2, 1]}
    """
    return {
        name: value
        for name, value in _keywords(scorer).items()
        if name not in NOT_OF_ROWS and _has_rows(name, value, n_rows, n_tested)
    }


def scoring_at(scoring, n_rows, rows):
    """Return `scoring` for some rows of the data, with arguments at those rows.

    Parameters
    ----------
    scoring : str, callable, list, tuple, dict or None
        One or several scorers.
    n_rows : int
        The number of rows of the data.
    rows : ndarray of int
        The positions of the rows that will be scored.

    Returns
    -------
    object
        The same, where no argument has one entry per row.
    """
    if isinstance(scoring, Mapping):
        return {name: scoring_at(one, n_rows, rows) for name, one in scoring.items()}
    if isinstance(scoring, list | tuple):
        return [scoring_at(one, n_rows, rows) for one in scoring]
    arguments = row_arguments(scoring, n_rows)
    if not arguments:
        return scoring
    return with_arguments(scoring, arguments_at(arguments, rows))


def arguments_at(arguments, rows):
    """Take rows of each argument; refuse those that cannot be indexed."""
    return {name: _rows_of(name, value, rows) for name, value in arguments.items()}


def shown_arguments(arguments, n_rows):
    """Write arguments out for the name of a metric, without those of rows."""
    hidden = {
        name
        for name, value in arguments.items()
        if _size(value) == n_rows and name not in NOT_OF_ROWS
    }
    return ", ".join(
        f"{name}={'...' if name in hidden else value}"
        for name, value in arguments.items()
    )


def _keywords(scorer):
    if isinstance(scorer, functools.partial):
        return _keywords(scorer.func) | scorer.keywords
    metric = metric_of(scorer)
    if metric is None:
        return {}
    function, _, kwargs = metric
    return _keywords(function) | kwargs


def _has_rows(name, value, n_rows, n_tested):
    """Return whether an argument has one entry per row; refuse what cannot be used."""
    if isinstance(value, Mapping):
        inside = [key for key, part in value.items() if _size(part) == n_rows]
        if inside:
            raise ValueError(
                f"The argument `{name}` of a scorer must be an array, a list, a Series "
                "or a DataFrame if it has one entry per row, so that it can be "
                f"resampled with the rows. Got a {type(value).__name__} with {n_rows} "
                f"entries for {inside[0]!r}. Pass a DataFrame, or an argument for each."
            )
        return False
    size = _size(value)
    wrong = size is not None and size == n_tested
    wrong = wrong or (name == "sample_weight" and value is not None)
    if wrong and size != n_rows:
        raise ValueError(
            f"The argument `{name}` of a scorer must have one entry per row of the "
            f"data, i.e. {n_rows}. Got {type(value).__name__} with "
            f"{'no' if size is None else size} entries."
        )
    return size is not None and size == n_rows


def _size(value):
    """Return the number of entries of an array, list or Series; None of all else."""
    shape = getattr(value, "shape", None)
    if shape is None and hasattr(value, "__array__"):
        shape = np.shape(value)
    if isinstance(shape, tuple):
        return shape[0] if shape else None
    listed = isinstance(value, Sequence) and not isinstance(value, str | bytes)
    return len(value) if listed else None


def _rows_of(name, value, rows):
    try:
        return take_rows(value, rows)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"The argument `{name}` of a scorer has one entry per row, so it is "
            f"resampled with the rows, and rows of a {type(value).__name__} cannot be "
            "taken by their numbers. Pass an array, a list, a Series or a DataFrame."
        ) from error
