"""The same test on parts of the rows."""

from typing import NamedTuple

import numpy as np

from skcompare._caveats import quiet
from skcompare._format import format_pvalue
from skcompare._validation import as_array, number_of_rows
from skcompare.results import (
    Figure,
    ForestDisplay,
    Notes,
    Paragraph,
    PosteriorResult,
    Section,
    Table,
)
from skcompare.stats.corrections import adjust_pvalues

# So many values of a column are taken as categories.
MOST_VALUES = 100

FEW_ROWS = 30

# Labels in plots have at most so many characters.
LONGEST_LABEL = 40


def cut(slices, n_rows):
    """Return the rows of each slice.

    Parameters
    ----------
    slices : dict
        By name a category for each row, or True for the rows of one slice.
    n_rows : int
        The number of rows.

    Returns
    -------
    dict of ndarray of int
        Positions of rows, by label.

    Examples
    --------
    >>> parts = cut({"site": ["x", "y", "x"], "long": [False, True, True]}, n_rows=3)
    >>> {label: rows.tolist() for label, rows in parts.items()}
    {'site = x': [0, 2], 'site = y': [1], 'long': [1, 2]}
    """
    if not isinstance(slices, dict) or not slices:
        raise ValueError(
            "`slices` must be a dict with a category for each row, or a mask, by name. "
            f"Got {slices!r}."
        )
    parts = {}
    for name, values in slices.items():
        parameter = f"slices[{str(name)!r}]"
        number_of_rows(values, parameter, ("y_true", n_rows))
        array = as_array(values, parameter)
        if array.ndim != 1:
            raise ValueError(
                f"`{parameter}` must be one-dimensional. Got shape {array.shape}."
            )
        if array.dtype.kind == "b":
            own = {str(name): np.flatnonzero(array)}
        else:
            own = _by_category(name, values, array, parameter)
        if twice := own.keys() & parts.keys():
            raise ValueError(
                "`slices` must have names that tell its slices apart. Got several of "
                f"the label {min(twice)!r}."
            )
        parts |= own
    return parts


def _by_category(name, values, array, parameter):
    """Return the rows of each category, in the order of the categories."""
    try:
        categories, codes = np.unique(array, return_inverse=True)
    except TypeError as error:
        raise ValueError(
            f"`{parameter}` must have categories that can be ordered, as those of one "
            f"type. Got {array[:3]}."
        ) from error
    if len(categories) > MOST_VALUES:
        raise ValueError(
            f"`{parameter}` must have at most {MOST_VALUES} different values. Got "
            f"{len(categories)}. Cut numbers into ranges first, as numpy.digitize "
            "and pandas.cut do."
        )
    own = categories.tolist()
    # A categorical type has an order of its own.
    typed = getattr(getattr(values, "dtype", None), "categories", own)
    ranks = {str(category): rank for rank, category in enumerate(typed)}
    order = np.argsort([ranks[str(category)] for category in own])
    return {f"{name} = {categories[c]}": np.flatnonzero(codes == c) for c in order}


class _Slice(NamedTuple):
    """What a test gave on some of the rows."""

    label: str
    n_rows: int
    results: dict  # by metric
    remarks: dict  # lists of them by metric


def slice_sections(test, problem, slices):
    """Return a section on slices for each metric.

    Parameters
    ----------
    test : estimator
        The test, made again on each slice.
    problem : Problem
        All rows.
    slices : dict
        By name a category for each row of the data, or True for the rows of one slice.

    Returns
    -------
    list of Section
        With a table, a plot, and what to bear in mind.
    """
    metrics = tuple(problem.statistics)
    too_few = {}, dict.fromkeys(metrics, ("not tested: fewer than 2 rows.",))
    parts, tested = [], problem.indices
    n_rows = problem.n_rows if tested is None else problem.n_given
    for label, rows in cut(slices, n_rows).items():
        if tested is not None:  # by cross-validation, in an order of their own
            rows = np.flatnonzero(np.isin(tested, rows))
        seen = too_few if len(rows) < 2 else _compare_at(test, problem, rows)
        parts.append(_Slice(label, len(rows), *seen))
    return [_section(parts, metric) for metric in metrics]


def _compare_at(test, problem, rows):
    """Make a test on some of the rows of a problem.

    All metrics share their resamples. If the test refuses one of them on these rows,
    each is tested by itself.

    Parameters
    ----------
    test : estimator
        The test.
    problem : Problem
        All rows.
    rows : ndarray of int
        Which of them.

    Returns
    -------
    results : dict of Result
        The results by metric, of those that are not refused.
    remarks : dict of list of str
        For each metric what is unusual about the slice, or why it is refused.
    """
    try:
        with quiet():  # a score without a value is an error below
            outcome = test.compare(problem.at(rows))
    except ValueError as error:  # such as a slice that lacks a class
        if len(problem.statistics) == 1:
            return {}, {m: [f"not tested: {error}"] for m in problem.statistics}
        results, remarks = {}, {}
        for metric in problem.statistics:
            alone = _compare_at(test, problem.with_metrics([metric]), rows)
            results, remarks = results | alone[0], remarks | alone[1]
        return results, remarks
    texts = [caveat.text for caveat in outcome.caveats]
    return outcome.results, dict.fromkeys(problem.statistics, texts)


def _section(parts, metric):
    tested = [part for part in parts if metric in part.results]
    results = [part.results[metric] for part in tested]
    together = _together(results)
    labels = [part.label for part in tested]
    named = [x for x, shown in zip(labels, together.shown, strict=True) if shown]
    number = "1 slice" if len(tested) == 1 else f"{len(tested)} slices"
    sentence = Paragraph(
        f"{number} of the rows, each tested by itself. Those {together.meaning} "
        f"{together.provided}: {', '.join(named) or 'none'}."
    )
    further = iter(together.columns)
    rows = []
    for part in parts:
        cells = {"slice": part.label, "rows": f"{part.n_rows:,}"}
        if part in tested:
            cells |= part.results[metric].row() | next(further)
        rows.append(cells)
    blocks = [sentence, Table.from_cells(rows)]
    if tested:
        forest = ForestDisplay(
            [_shortened(label) for label in labels],
            [result.delta for result in results],
            together.intervals,
            highlighted=together.shown,
            xlabel=f"difference in {metric}",
            meaning=together.meaning,
        )
        caption = (
            "Differences on slices with their intervals, filled where "
            f"{together.meaning} {together.provided}."
        )
        blocks.append(Figure(forest, caption))
    notes = [*together.notes]
    few = [part.label for part in parts if part.n_rows < FEW_ROWS]
    if few:
        notes.append(
            f"Fewer than {FEW_ROWS} rows, which can show large differences only: "
            f"{', '.join(few)}."
        )
    notes += [f"{p.label}: {remark}" for p in parts for remark in p.remarks[metric]]
    blocks.append(Notes("What was tested, and how", tuple(notes)))
    return Section(f"Slices in {metric}", tuple(blocks))


class _Together(NamedTuple):
    """What is said about the results of all slices together."""

    columns: list  # further cells of each result, by name of the column
    intervals: list
    shown: list  # whether a difference is shown
    meaning: str  # what that means
    provided: str
    notes: tuple


def _together(results):
    """Say what the results of all slices show; p-values are adjusted."""
    if results and isinstance(results[0], PosteriorResult):
        return _Together(
            columns=[{} for _ in results],
            intervals=[result.hdi for result in results],
            shown=[result.decision in (">>", "<<") for result in results],
            meaning="decided",
            provided="for one of the models",
            notes=(
                f"Model of each slice: {results[0].model}.",
                "Each slice has a posterior of its own, which knows nothing of the "
                "others: of many slices, some look extreme by chance.",
            ),
        )
    adjusted = adjust_pvalues([result.pvalue for result in results])
    alpha = results[0].alpha if results else 0.05
    hypothesis = [f"H0 of each slice: {result.hypothesis}." for result in results[:1]]
    return _Together(
        columns=[{"adjusted p-value": format_pvalue(p)} for p in adjusted],
        intervals=[r.confidence_interval or (np.nan, np.nan) for r in results],
        shown=[bool(pvalue <= alpha) for pvalue in adjusted],
        meaning=f"significant at {alpha:g}",
        provided="after Holm's correction",
        notes=(
            *hypothesis,
            "P-values are adjusted for the number of slices (Holm). Intervals hold "
            "each for itself.",
            "That a difference is shown in one slice and not in another does not show "
            "that the slices differ.",
        ),
    )


def _shortened(label):
    """Leave out the middle of a long label: its ends distinguish it from others.

    Examples
    --------
    >>> _shortened("a name of a column that goes on and on = yes")
    'a name of a column t\u2026oes on and on = yes'
    """
    if len(label) <= LONGEST_LABEL:
        return label
    return f"{label[: LONGEST_LABEL // 2]}\u2026{label[-LONGEST_LABEL // 2 + 1 :]}"
