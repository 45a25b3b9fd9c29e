"""From results to the sections of a document."""

import collections
from collections.abc import Mapping

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from skcompare.reporting._document import (
    Document,
    Figure,
    Notes,
    Paragraph,
    Section,
    Signature,
)
from skcompare.results import Result, Table

__all__ = [
    "collect",
    "result_section",
    "results_document",
    "results_sections",
    "table_of_cells",
]


def collect(results):
    """Return all results that are somewhere in what a user gave, by heading.

    Parameters
    ----------
    results : Result, comparison, or list or dict of them
        Results, or what has some once it is fitted. Keys of a dict are headings.

    Returns
    -------
    list of tuple
        Pairs of heading and result.
    """
    found = list(_walk(results, ""))
    if not found:
        raise ValueError("`results` must have at least one result. Got none.")
    given = collections.Counter(name for name, _ in found)
    return [(_heading(name, result, given[name]), result) for name, result in found]


def _heading(name, result, n_results):
    """Return the name that was given to a result; of several, with more words."""
    if not name:
        return result.heading()
    return name if n_results == 1 else f"{name}: {result.heading()}"


def _walk(item, heading):
    """Go through results within results, with the names that users gave them."""
    if isinstance(item, Result):
        yield heading, item
    elif isinstance(item, Mapping):
        for name, part in item.items():
            yield from _walk(part, f"{heading}: {name}" if heading else str(name))
    elif isinstance(item, list | tuple):
        for part in item:
            yield from _walk(part, heading)
    else:
        yield from _walk(_results_of(item), heading)


def _results_of(item):
    """Return the results of a fitted comparison, those of several metrics as a list."""
    if isinstance(item, BaseEstimator):
        if hasattr(item, "results_"):
            several = list(item.results_.values())
            return several[0] if len(several) == 1 else several
        if hasattr(item, "result_"):
            return item.result_
        check_is_fitted(item, ["results_", "result_"], all_or_any=any)
    raise ValueError(
        "`results` must be a result, a fitted comparison, or a list or dict of them. "
        f"Got {item!r}."
    )


def table_of_cells(rows):
    """Make a table of rows that may lack some of the columns.

    Parameters
    ----------
    rows : list of dict of str
        Cells by name of the column.

    Returns
    -------
    Table
        With all columns that occur.

    Examples
    --------
    >>> table_of_cells([{"a": "1"}, {"a": "2", "b": "3"}]).rows
    [('1', ''), ('2', '3')]
    """
    columns = tuple(dict.fromkeys(name for cells in rows for name in cells))
    return Table(
        [tuple(cells.get(name, "") for name in columns) for cells in rows], columns
    )


def results_document(results):
    """Return a document on what comparisons found, and no more.

    Parameters
    ----------
    results : Result, comparison, or list or dict of them
        What was found.

    Returns
    -------
    Document
        Without a title.
    """
    return Document("", results_sections(results))


def results_sections(results):
    """Return an overview, where there are several results, and a section for each.

    Parameters
    ----------
    results : Result, comparison, or list or dict of them
        What was found.

    Returns
    -------
    tuple of Section
        One result alone needs no heading, unless it was given one.
    """
    found = collect(results)
    alone = len(found) == 1 and not isinstance(results, Mapping)
    sections = [result_section("" if alone else h, result) for h, result in found]
    return (*_overview_sections(found), *sections)


def _overview_sections(found):
    """Return a section with a row for each result, where there are several rows.

    Parameters
    ----------
    found : list of tuple
        Pairs of heading and result.

    Returns
    -------
    list of Section
        One or none.
    """
    rows = [(heading, cells) for heading, result in found if (cells := result.row())]
    if len(rows) < 2:
        return []
    table = table_of_cells([{"comparison": heading} | cells for heading, cells in rows])
    blocks = [table]
    if "p-value" in table.columns:
        note = "The p-values are not adjusted for their number."
        blocks.append(Notes("Bear in mind", (note,)))
    return [Section("Overview", tuple(blocks))]


def result_section(title, result):
    """Return the section of a result.

    Parameters
    ----------
    title : str
        The title, which may be empty.
    result : Result
        What was found.

    Returns
    -------
    Section
        Sentence, tables, picture, what was tested, and the signature.
    """
    picture = getattr(result, "plot", None)
    blocks = [
        Paragraph(result.sentence()),
        *result.tables(),
        None if picture is None else Figure(picture),
        Notes("What was tested, and how", tuple(result.notes())),
        Signature(result.signature),
    ]
    return Section(title, tuple(block for block in blocks if block is not None))
