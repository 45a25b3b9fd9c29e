"""Rows of several files in one order, by an id or by their position."""

import numpy as np

from skcompare.cli._errors import UsageError

__all__ = ["row_orders"]

# Ids that a message gives as examples.
N_EXAMPLES = 3


def row_orders(tables, ids):
    """Return, for each table, the rows that go with those of the first.

    Parameters
    ----------
    tables : list of Table
        The tables, for messages.
    ids : list of Column
        The ids of their rows.

    Returns
    -------
    list of ndarray
        Positions of rows. Ids that occur twice, or not everywhere, are an error.
    """
    for table, column in zip(tables, ids, strict=True):
        _check_unique(table, column)
    first = _written(ids[0])
    orders = [np.arange(len(first))]
    for table, column in zip(tables[1:], ids[1:], strict=True):
        places = {cell: place for place, cell in enumerate(_written(column))}
        _check_same(tables[0], table, first, places)
        orders.append(np.array([places[cell] for cell in first]))
    return orders


def _written(column):
    return [column.levels[code] for code in column.codes]


def _check_unique(table, column):
    counts = np.bincount(column.codes, minlength=len(column.levels))
    repeated = [column.levels[code] for code in np.flatnonzero(counts > 1)]
    if repeated:
        raise UsageError(
            f"{table.title} has ids in more than one row: {len(repeated):,} of "
            f"{len(column.levels):,}, such as {_examples(repeated)}"
        )


def _check_same(first_table, table, first, places):
    missing = [cell for cell in first if cell not in places]
    known = set(first)
    extra = [cell for cell in places if cell not in known]
    if not missing and not extra:
        return
    found = []
    if missing:
        found.append(
            f"lacks {len(missing):,} of its {len(first):,} ids, such as "
            f"{_examples(missing)}"
        )
    if extra:
        found.append(f"has others, {len(extra):,}, such as {_examples(extra)}")
    raise UsageError(
        f"{table.title} does not go with {first_table.title}: it {' and '.join(found)}"
    )


def _examples(cells):
    return ", ".join(map(repr, cells[:N_EXAMPLES]))
