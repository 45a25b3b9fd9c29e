"""The same test on parts of the rows."""

from typing import NamedTuple

import numpy as np

from skcompare._format import format_pvalue
from skcompare._validation import as_array, check_same_length
from skcompare.inference import adjust_pvalues
from skcompare.results import (
    Figure,
    ForestDisplay,
    Notes,
    Paragraph,
    PosteriorResult,
    Section,
    Table,
)

# So many values of a column are taken as categories.
MOST_VALUES = 100

FEW_ROWS = 30

# Labels in pictures have at most so many characters.
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
    >>> found = cut({"site": ["x", "y", "x"], "long": [False, True, True]}, n_rows=3)
    >>> {label: rows.tolist() for label, rows in found.items()}
    {'site = x': [0, 2], 'site = y': [1], 'long': [1, 2]}
    """
    if not isinstance(slices, dict) or not slices:
        raise ValueError(
            "`slices` must be a dict with a category for each row, or a mask, by name. "
            f"Got {slices!r}."
        )
    found = {}
    for name, values in slices.items():
        found |= _parts(str(name), values, n_rows)
    return found


def _parts(name, values, n_rows):
    parameter = f"slices[{name!r}]"
    check_same_length(("y_true", n_rows), **{parameter: values})
    array = as_array(values, parameter)
    if array.ndim != 1:
        raise ValueError(
            f"`{parameter}` must be one-dimensional. Got shape {array.shape}."
        )
    if array.dtype.kind == "b":
        return {name: np.flatnonzero(array)}
    found, codes = np.unique(array, return_inverse=True)
    if len(found) > MOST_VALUES:
        raise ValueError(
            f"`{parameter}` must have at most {MOST_VALUES} different values. Got "
            f"{len(found)}. Cut numbers into ranges first, as numpy.digitize and "
            "pandas.cut do."
        )
    return {
        f"{name} = {found[code]}": np.flatnonzero(codes == code)
        for code in _in_order(found.tolist(), values)
    }


def _in_order(found, values):
    """Return the places of categories in the order that their type gives them."""
    known = getattr(getattr(values, "dtype", None), "categories", None)
    if known is None:
        return range(len(found))
    ranks = {str(category): rank for rank, category in enumerate(known)}
    return sorted(range(len(found)), key=lambda place: ranks[str(found[place])])


class _Slice(NamedTuple):
    """What a test found on some of the rows."""

    label: str
    n_rows: int
    results: dict  # by metric
    remarks: dict  # lists of them by metric


def slice_sections(evidence, slices):
    """Return a section on slices for each metric.

    Parameters
    ----------
    evidence : Evidence
        Rows, answers and test.
    slices : dict
        By name a category for each row, or True for the rows of one slice.

    Returns
    -------
    list of Section
        With a table, a picture, and what to bear in mind.
    """
    parts = cut(slices, evidence.sample.n_rows)
    found = [_tested(evidence, label, rows) for label, rows in parts.items()]
    return [_section(found, metric) for metric in evidence.scorers]


def _tested(evidence, label, rows):
    if len(rows) < 2:
        why = ("not tested: fewer than 2 rows.",)
        return _Slice(label, len(rows), {}, dict.fromkeys(evidence.scorers, why))
    return _Slice(label, len(rows), *evidence.retest(rows))


def _section(found, metric):
    tested = [part for part in found if metric in part.results]
    results = [part.results[metric] for part in tested]
    kind = _posterior_family if _are_posteriors(results) else _test_family
    family = kind(results)
    blocks = [Paragraph(family.sentence(tested)), _table(found, metric, family)]
    if tested:
        filled = f"filled where {family.meaning} {family.provided}."
        caption = f"Differences on slices with their intervals, {filled}"
        blocks.append(Figure(lambda: _forest(tested, results, family), caption))
    notes = (*family.notes, _caution(found), *_remarks(found, metric))
    blocks.append(Notes("What was tested, and how", tuple(filter(None, notes))))
    return Section(f"Slices in {metric}", tuple(blocks))


def _are_posteriors(results):
    return bool(results) and isinstance(results[0], PosteriorResult)


class _Family(NamedTuple):
    """What is said about the results of all slices together."""

    columns: list  # further cells of each result, by name of the column
    intervals: list
    shown: list  # whether a difference is shown
    meaning: str  # what that means
    provided: str
    notes: tuple

    def sentence(self, tested):
        """Say in which slices a difference is shown."""
        names = [part.label for part, s in zip(tested, self.shown, strict=True) if s]
        slices = "1 slice" if len(tested) == 1 else f"{len(tested)} slices"
        return (
            f"{slices} of the rows, each tested by itself. Those "
            f"{self.meaning} {self.provided}: {', '.join(names) or 'none'}."
        )


def _test_family(results):
    adjusted = adjust_pvalues([result.pvalue for result in results])
    none = np.nan, np.nan
    alpha = results[0].alpha if results else 0.05
    return _Family(
        columns=[{"adjusted p-value": format_pvalue(p)} for p in adjusted],
        intervals=[result.confidence_interval or none for result in results],
        shown=[bool(pvalue <= alpha) for pvalue in adjusted],
        meaning=f"significant at {alpha:g}",
        provided="after Holm's correction",
        notes=(
            f"H0 of each slice: {results[0].hypothesis}." if results else "",
            "P-values are adjusted for the number of slices (Holm). Intervals hold "
            "each for itself.",
            "That a difference is shown in one slice and not in another does not show "
            "that the slices differ.",
        ),
    )


def _posterior_family(results):
    return _Family(
        columns=[{} for _ in results],
        intervals=[result.hdi for result in results],
        shown=[result.decision in (">>", "<<") for result in results],
        meaning="decided",
        provided="for one of the models",
        notes=(
            f"Model of each slice: {results[0].model}.",
            "Each slice has a posterior of its own, which knows nothing of the others: "
            "of many slices, some look extreme by chance.",
        ),
    )


def _table(found, metric, family):
    further = iter(family.columns)
    rows = []
    for part in found:
        cells = {"slice": part.label, "rows": f"{part.n_rows:,}"}
        if metric in part.results:
            cells |= part.results[metric].row() | next(further)
        rows.append(cells)
    return Table.from_cells(rows)


def _forest(tested, results, family):
    display = ForestDisplay(
        [_shortened(part.label) for part in tested],
        [result.delta for result in results],
        family.intervals,
        highlighted=family.shown,
        xlabel=f"difference in {results[0].scoring}",
        meaning=family.meaning,
    )
    return display.plot()


def _shortened(label):
    """Leave out the middle of a long label: its ends tell it from others.

    Examples
    --------
    >>> _shortened("a name of a column that goes on and on = yes")
    'a name of a column t\u2026oes on and on = yes'
    """
    if len(label) <= LONGEST_LABEL:
        return label
    return f"{label[: LONGEST_LABEL // 2]}\u2026{label[-LONGEST_LABEL // 2 + 1 :]}"


def _caution(found):
    few = [part.label for part in found if part.n_rows < FEW_ROWS]
    if not few:
        return ""
    return (
        f"Fewer than {FEW_ROWS} rows, which can show large differences only: "
        f"{', '.join(few)}."
    )


def _remarks(found, metric):
    return [
        f"{part.label}: {remark}" for part in found for remark in part.remarks[metric]
    ]
