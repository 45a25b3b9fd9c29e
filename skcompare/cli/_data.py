"""Read the truth and the predictions of models from files."""

import contextlib
import itertools
from pathlib import Path
from typing import NamedTuple

import numpy as np

from skcompare._format import format_count
from skcompare._parameters import suggestion
from skcompare.cli._tables import STDIN, Source, Table, UsageError
from skcompare.cli._types import OF_TEXTS, typed_values


class Data(NamedTuple):
    """The data of a comparison.

    Parameters
    ----------
    truth : ndarray
        True labels or values.
    models : dict
        The predictions of each model, by name.
    layout : dict
        Labels of rows: `groups` and `strata`, if passed.
    """

    truth: np.ndarray
    models: dict
    layout: dict

    def of_class(self, label):
        """Return the rows whose true class is `label`."""
        rows = self.truth == label
        models = {name: predictions[rows] for name, predictions in self.models.items()}
        layout = {name: labels[rows] for name, labels in self.layout.items()}
        return Data(self.truth[rows], models, layout)

    def in_blocks(self, length):
        """Return the data with groups of `length` consecutive rows."""
        groups = np.arange(len(self.truth)) // length
        return self._replace(layout=self.layout | {"groups": groups})


NO_DATA = Data(np.empty(0), {}, {})


def of_two(data):
    """Return the truth and the predictions of A and B; an error for more models."""
    if len(data.models) > 2:
        raise UsageError(
            f"This command compares two models. Got {len(data.models)}: "
            f"{', '.join(data.models)}"
        )
    return data.truth, *data.models.values()


class Columns(NamedTuple):
    """The columns to read, each a `Source`.

    Parameters
    ----------
    truth : Source
        The truth.
    models : dict of Source
        The predictions of each model, by name.
    layout : dict of Source
        Groups and strata, if passed.
    ids : list of Source
        The ids of each table; empty if rows are matched by position.
    copies : list of Source
        Copies of the truth, which both of two tables may contain.
    """

    truth: Source
    models: dict
    layout: dict
    ids: list
    copies: list


def load(options):
    """Read the data specified by the options.

    Parameters
    ----------
    options : argparse.Namespace
        `files`, the names of columns, and the options for reading.

    Returns
    -------
    Data
        Rows in the order of the first file.
    """
    if options.files.count(STDIN) > 1:
        raise UsageError("Standard input, -, can be used only once")
    with contextlib.ExitStack() as stack:
        tables = [Table(path, stack, options) for path in options.files]
        columns = find_columns(tables, options)
        texts = OF_TEXTS.issuperset(options.scoring or [None])
        read_aligned(tables, columns, texts)
    for copy in columns.copies:
        (first,), (second,) = columns.truth.columns, copy.columns
        n_different = np.count_nonzero(first.texts() != second.texts())
        if n_different:
            raise UsageError(
                f"{first.title} and {second.title} differ in {n_different:,} of "
                f"{first.n_rows:,} rows: they must contain the same truth"
            )
    values, *predictions = typed_values(columns, texts, options)
    layout = {name: s.columns[0].labels() for name, s in columns.layout.items()}
    data = Data(values, dict(zip(columns.models, predictions, strict=True)), layout)
    if options.block_length is None:
        return data
    if "groups" in layout:
        raise UsageError("--block-length makes groups: do not pass --groups as well")
    return data.in_blocks(options.block_length)


# Finding columns


def find_columns(tables, options):
    """Find the columns that the options name.

    Parameters
    ----------
    tables : list of Table
        The tables.
    options : argparse.Namespace
        The names of columns and of models.

    Returns
    -------
    Columns
        The columns, not yet read.
    """
    ids = []
    if options.id is not None:
        ids = [_find("--id", options.id, [table], one=True) for table in tables]
    elif len(tables) > 1 and not all(table.positional for table in tables):
        raise UsageError(
            "Several tables are aligned by a column of ids: pass its name to --id"
        )
    truth, *models = _find_models(tables, ids, options)
    layout = {
        name: _find(f"--{name}", spec, tables, one=True)
        for name in ("groups", "strata")
        if (spec := getattr(options, name)) is not None
    }
    copies = [
        copy
        for table in tables
        if len(tables) == 2 and table is not truth.table and truth.parts is None
        if (copy := table.find(truth.spec)).columns
    ]
    names = _model_names(models, tables, options.names)
    return Columns(truth, dict(zip(names, models, strict=True)), layout, ids, copies)


def _find_models(tables, ids, options):
    """Return the sources of the truth and of the predictions of each model.

    A single table contains all columns. Of two tables, the first is for A and the
    second for B. Of three or more, the first contains the truth, and each other one a
    model. A table with a single column besides ids needs no column name.
    """
    n_files, last = max(len(tables) - 1, 2), len(tables) - 1
    if options.models is None and n_files == 2:
        specs = [("--a", options.a), ("--b", options.b)]
    elif options.a is not None or options.b is not None:
        raise UsageError(
            "--a and --b are for two models. For more, pass all of them to --models"
        )
    else:
        models = options.models or [None]
        models = models * n_files if len(models) == 1 and last else models
        if len(models) < 2:
            raise UsageError(f"--models must name at least two models. Got {models[0]}")
        specs = [("--models", spec) for spec in models]
    first, keys = int(last > 1), {c.name for source in ids for c in source.columns}
    sources = [_find("--truth", options.truth, tables, 0, keys if first else None)]
    for place, (option, spec) in enumerate(specs, start=first):
        lone = keys if last else None
        sources.append(_find(option, spec, tables, min(place, last), lone))
    columns = [(s.spec, Path(s.table.title).resolve()) for s in sources]
    for source, column in zip(sources, columns, strict=True):
        if columns.count(column) > 1:
            raise UsageError(
                f"{source.spec} of {source.table.title} is named twice: truth and "
                "models must be different columns"
            )
    return sources


def _find(option, spec, tables, place=0, keys=None, one=False):
    """Find columns by a name or pattern.

    Parameters
    ----------
    option : str
        The option that names them, for messages.
    spec : str or None
        The name or pattern. None means the only column of a table besides ids.
    tables : list of Table
        The tables.
    place : int, default=0
        The index of the table to search. If it does not have the columns, exactly one
        other table must.
    keys : set of str or None, default=None
        Columns of ids, besides which a table may have one column without a name being
        passed; None if a name must be passed.
    one : bool, default=False
        Whether a pattern must match only one column.

    Returns
    -------
    Source
        The columns and their table.
    """
    table = tables[place]
    if spec is None:
        names = [name for name in table.names if name not in (keys or ())]
        if keys is not None and len(names) == 1:
            return table.find(names[0])
        if table.positional and keys is None:
            raise UsageError(
                "Files without column names must be passed in the order truth, A, B. "
                f"Got {len(tables)}"
            )
        raise UsageError(
            f"{option} must name a column of {table.title}, which has {table.listing()}"
        )
    order = [table, *(other for other in tables if other is not table)]
    matches = [source for t in order if (source := t.find(spec)).columns]
    if not matches:
        names = "; ".join(f"{table.title} has {table.listing()}" for table in order)
        absent = "are no columns like" if "*" in spec else "is no column"
        hint = suggestion(spec, [name for table in order for name in table.names])
        raise UsageError(f"There {absent} {spec!r}: {names}. {hint}".removesuffix(". "))
    if len(matches) > 1 and matches[0].table is not table:
        where = " and ".join(source.table.title for source in matches)
        raise UsageError(f"{option} {spec} is ambiguous: {where} have it")
    if one and len({column.name for s in matches for column in s.columns}) > 1:
        where = ", ".join(
            f"{source.table.title} has {', '.join(c.name for c in source.columns)}"
            for source in matches
        )
        raise UsageError(f"{option} {spec} is ambiguous: {where}. Name one of them")
    return matches[0]


def _model_names(models, tables, names):
    """Return names of the models: columns, or files if columns are not unique."""
    if names is not None:
        repeated = [name for name in names if names.count(name) > 1]
        if repeated or len(names) != len(models):
            more = f", with {repeated[0]} more than once" if repeated else ""
            raise UsageError(
                f"--names must be {len(models)} different names, one for each model. "
                f"Got {', '.join(names)}{more}"
            )
        return names
    columns = [source.spec for source in models]
    paths = [source.table.title for source in models]
    both = [f"{source.spec} of {source.table.title}" for source in models]
    candidates = [columns, [Path(path).stem for path in paths], paths, both]
    if len(tables) > 1 and all(source.table.positional for source in models):
        del candidates[0]
    return next(names for names in candidates if len(set(names)) == len(names))


# Reading


def read_aligned(tables, columns, texts):
    """Read the columns, with the rows of all tables in the order of the first one.

    Parameters
    ----------
    tables : list of Table
        The tables.
    columns : Columns
        Their columns, to which cells are added.
    texts : bool
        Whether truth and predictions are kept as written, like labels of rows.
    """
    typed = [columns.truth, *columns.models.values(), *columns.copies]
    raw = [*columns.layout.values(), *columns.ids]
    for source in typed + raw if texts else raw:
        for column in source.columns:
            column.as_written = True
    n_rows = []
    for table, ids in itertools.zip_longest(tables, columns.ids):
        own = [source for source in typed + raw if source.table is table]
        if own in ([], [ids]):
            raise UsageError(f"No column of {table.title} is used: leave out the file")
        of_table = [column for source in own for column in source.columns]
        table.read(of_table)
        n_rows.append(of_table[0].n_rows)
        if ids is not None:
            _align(of_table, ids, columns.ids[0])
        elif n_rows[-1] != n_rows[0]:
            raise UsageError(
                f"{table.title} has {format_count(n_rows[-1], 'rows')} and "
                f"{tables[0].title} has {n_rows[0]:,}"
            )


def _align(columns, ids, first):
    """Reorder the rows of a table to match the first table.

    Duplicate ids, and ids that some table lacks, are an error.

    Parameters
    ----------
    columns : list of Column
        All columns of the table.
    ids, first : Source
        The ids of the table, and those of the first one.
    """
    table, (column,), first_ids = ids.table, ids.columns, first.columns[0].levels
    counts, places = np.bincount(column.codes), column.levels
    repeated = [cell for cell, place in places.items() if counts[place] > 1]
    if repeated:
        raise UsageError(
            f"{table.title} has ids in more than one row: {len(repeated):,} of "
            f"{len(places):,}, such as {_examples(repeated)}"
        )
    missing = [cell for cell in first_ids if cell not in places]
    extra = sorted(places.keys() - first_ids)
    unlike = {
        f"lacks {len(missing):,} of its {len(first_ids):,} ids": missing,
        f"has others ({len(extra):,})": extra,
    }
    if missing or extra:
        words = [f"{text}, such as {_examples(x)}" for text, x in unlike.items() if x]
        raise UsageError(
            f"{table.title} does not match {first.table.title}: it "
            f"{' and '.join(words)}"
        )
    order = [places[cell] for cell in first_ids]
    for column in columns:
        column.codes = np.arange(len(column.levels))[column.codes][order]


def _examples(cells):
    return ", ".join(map(repr, cells[:3]))
