"""From results to the sections of a document."""

import collections
import dataclasses
from collections.abc import Mapping

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from skcompare.results import Document, Notes, Section, Shown, Table


def collect(results):
    """Return all results that are somewhere in what a user gave, by heading.

    Parameters
    ----------
    results : Result, comparison, or list or dict of them
        Whatever is shown, or has results once it is fitted. Keys of a dict are
        headings.

    Returns
    -------
    list of tuple
        Pairs of heading and result.
    """
    pairs = list(_walk(results, ""))
    if not pairs:
        raise ValueError("`results` must have at least one result. Got none.")
    n_results = collections.Counter(name for name, _ in pairs)
    # Several results of one name are distinguished by their own headings.
    return [
        (name, result)
        if name and n_results[name] == 1
        else (": ".join(filter(None, (name, result.section().title))), result)
        for name, result in pairs
    ]


def _walk(item, heading):
    """Go through results within results, with the names that users gave them."""
    if isinstance(item, Shown):
        yield heading, item
    elif isinstance(item, Mapping):
        for name, part in item.items():
            yield from _walk(part, f"{heading}: {name}" if heading else str(name))
    elif isinstance(item, list | tuple):
        for part in item:
            yield from _walk(part, heading)
    elif not isinstance(item, BaseEstimator):
        raise ValueError(
            "`results` must be a result, a fitted comparison, or a list or dict of "
            f"them. Got {item!r}."
        )
    else:
        if hasattr(item, "results_"):
            fitted = list(item.results_.values())
        elif hasattr(item, "result_"):
            fitted = item.result_
        else:
            check_is_fitted(item, ["results_", "result_"], all_or_any=any)
        yield from _walk(fitted, heading)


def results_document(results):
    """Return a document on what comparisons gave, and no more.

    Parameters
    ----------
    results : Result, comparison, or list or dict of them
        What comparisons gave.

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
        What comparisons gave.

    Returns
    -------
    tuple of Section
        One result alone needs no heading, unless it was given one.
    """
    pairs = collect(results)
    alone = len(pairs) == 1 and not isinstance(results, Mapping)
    sections = [
        dataclasses.replace(result.section(), title="" if alone else heading)
        for heading, result in pairs
    ]
    rows = [
        {"comparison": heading} | cells
        for heading, result in pairs
        if (cells := result.row())
    ]
    if len(rows) < 2:
        return tuple(sections)
    table = Table.from_cells(rows)
    blocks = [table]
    if "p-value" in table.columns:
        note = "The p-values are not adjusted for their number."
        blocks.append(Notes("Bear in mind", (note,)))
    return (Section("Overview", tuple(blocks)), *sections)
