"""The same test on slices of the rows."""

from typing import NamedTuple

import numpy as np

from skcompare._caveats import quiet
from skcompare._format import format_count, format_pvalue
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

# Maximum number of categories in a column.
MOST_VALUES = 100

FEW_ROWS = 30

# Maximum number of characters of a label in plots.
LONGEST_LABEL = 40


def cut(slices, n_rows):
    """Return the rows of each slice.

    Parameters
    ----------
    slices : dict
        Maps names to a category for each row, or to a mask of the rows of one slice.
    n_rows : int
        The number of rows.

    Returns
    -------
    dict of ndarray of int
        Row positions, by label.

    Examples
    --------
    >>> parts = cut({"site": ["x", "y", "x"], "long": [False, True, True]}, n_rows=3)
    >>> {label: rows.tolist() for label, rows in parts.items()}
    {'site = x': [0, 2], 'site = y': [1], 'long': [1, 2]}
    """
    if not isinstance(slices, dict) or not slices:
        raise ValueError(
            "`slices` must be a dict that maps each name to an array with a category "
            f"or a mask entry for each row. Got {slices!r}."
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
                "`slices` must give each slice a unique label. Got several slices with "
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
            f"`{parameter}` must have categories that can be sorted, such as values of "
            f"a single type. Got {array[:3]}."
        ) from error
    if len(categories) > MOST_VALUES:
        raise ValueError(
            f"`{parameter}` must have at most {MOST_VALUES} different values. Got "
            f"{len(categories)}. Bin numbers first, such as with numpy.digitize or "
            "pandas.cut."
        )
    own = categories.tolist()
    # A categorical type defines the order.
    typed = getattr(getattr(values, "dtype", None), "categories", own)
    ranks = {str(category): rank for rank, category in enumerate(typed)}
    order = np.argsort([ranks[str(category)] for category in own])
    return {f"{name} = {categories[c]}": np.flatnonzero(codes == c) for c in order}


class _Slice(NamedTuple):
    """The results of a test on one slice."""

    label: str
    n_rows: int
    results: dict  # by metric
    remarks: dict  # lists of str by metric


def slice_sections(test, problem, slices):
    """Return a section on slices for each metric.

    Parameters
    ----------
    test : estimator
        The test, repeated on each slice.
    problem : Problem
        The problem with all rows.
    slices : dict
        Maps names to a category for each row, or to a mask of the rows of one slice.

    Returns
    -------
    list of Section
        The sections, each with a table, a plot and notes.
    """
    metrics = tuple(problem.statistics)
    too_few = {}, dict.fromkeys(metrics, ("not tested: fewer than 2 rows.",))
    parts, tested = [], problem.indices
    n_rows = problem.n_rows if tested is None else problem.n_given
    for label, rows in cut(slices, n_rows).items():
        if tested is not None:  # cross-validation reorders rows
            rows = np.flatnonzero(np.isin(tested, rows))
        outcome = too_few if len(rows) < 2 else _compare_at(test, problem, rows)
        parts.append(_Slice(label, len(rows), *outcome))
    return [_section(parts, metric) for metric in metrics]


def _compare_at(test, problem, rows):
    """Run a test on some rows of a problem.

    All metrics share their resamples. If the test raises an error on these rows, each
    metric is tested separately.

    Parameters
    ----------
    test : estimator
        The test.
    problem : Problem
        The problem with all rows.
    rows : ndarray of int
        The positions of the rows.

    Returns
    -------
    results : dict of Result
        The results by metric, for metrics that can be tested.
    remarks : dict of list of str
        For each metric, the caveats on the slice, or the reason why it is not tested.
    """
    try:
        with quiet():  # undefined scores raise an error below
            outcome = test.compare(problem.at(rows))
    except ValueError as error:  # for example, the slice lacks a class
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
    combined = _combined(results)
    labels = [part.label for part in tested]
    filled = combined.highlighted
    named = [x for x, mark in zip(labels, filled, strict=True) if mark]
    number = format_count(len(tested), "slices")
    sentence = Paragraph(
        f"{number} of the rows, each tested by itself. Those {combined.meaning} "
        f"{combined.condition}: {', '.join(named) or 'none'}."
    )
    further = iter(combined.columns)
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
            combined.intervals,
            highlighted=combined.highlighted,
            xlabel=f"difference in {metric}",
            meaning=combined.meaning,
        )
        caption = (
            "Differences on slices with their intervals, filled where "
            f"{combined.meaning} {combined.condition}."
        )
        blocks.append(Figure(forest, caption))
    notes = [*combined.notes]
    few = [part.label for part in parts if part.n_rows < FEW_ROWS]
    if few:
        notes.append(
            f"Fewer than {FEW_ROWS} rows, which can show only large differences: "
            f"{', '.join(few)}."
        )
    notes += [f"{p.label}: {remark}" for p in parts for remark in p.remarks[metric]]
    blocks.append(Notes("What was tested, and how", tuple(notes)))
    return Section(f"Slices in {metric}", tuple(blocks))


class _Combined(NamedTuple):
    """The parts of a section that depend on the results of all slices."""

    columns: list  # further cells of each result, by name of the column
    intervals: list
    highlighted: list  # whether the difference of each slice is highlighted
    meaning: str  # the meaning of a highlighted difference
    condition: str  # the condition of that meaning
    notes: tuple


def _combined(results):
    """Combine the results of all slices; p-values are adjusted."""
    if results and isinstance(results[0], PosteriorResult):
        return _Combined(
            columns=[{} for _ in results],
            intervals=[result.hdi for result in results],
            highlighted=[result.decision in (">>", "<<") for result in results],
            meaning="decided",
            condition="for one of the models",
            notes=(
                f"Model of each slice: {results[0].model}.",
                "Each slice has its own posterior, computed without the other slices: "
                "of many slices, some look extreme by chance.",
            ),
        )
    adjusted = adjust_pvalues([result.pvalue for result in results])
    alpha = results[0].alpha if results else 0.05
    hypothesis = [f"H0 of each slice: {result.hypothesis}." for result in results[:1]]
    return _Combined(
        columns=[{"adjusted p-value": format_pvalue(p)} for p in adjusted],
        intervals=[r.confidence_interval or (np.nan, np.nan) for r in results],
        highlighted=[bool(pvalue <= alpha) for pvalue in adjusted],
        meaning=f"significant at {alpha:g}",
        condition="after Holm's correction",
        notes=(
            *hypothesis,
            "P-values are adjusted for the number of slices (Holm). Intervals are not "
            "adjusted.",
            "A difference that is significant in one slice and not in another does not "
            "show that the slices differ.",
        ),
    )


def _shortened(label):
    """Omit the middle of a long label: its ends distinguish it from others.

    Examples
    --------
    >>> _shortened("a name of a column that goes on and on = yes")
    'a name of a column t\u2026oes on and on = yes'
    """
    if len(label) <= LONGEST_LABEL:
        return label
    return f"{label[: LONGEST_LABEL // 2]}\u2026{label[-LONGEST_LABEL // 2 + 1 :]}"
