"""From files to the truth and the answers of models."""

import contextlib
import dataclasses
from pathlib import Path

import numpy as np

from skcompare.cli._alignment import row_orders
from skcompare.cli._answers import (
    against_the_rest,
    as_matrix,
    as_probabilities,
    as_truth_and_singles,
)
from skcompare.cli._errors import UsageError
from skcompare.cli._formats import open_table
from skcompare.cli._scoring import is_of_texts, of_sequences
from skcompare.cli._sources import (
    Source,
    find_columns,
    find_models,
    find_truth,
    no_column,
)
from skcompare.cli._table import STDIN

__all__ = ["Data", "load"]


@dataclasses.dataclass(frozen=True)
class Data:
    """What a comparison is made of.

    Parameters
    ----------
    truth : ndarray
        The truth.
    models : dict
        The answers of each model by its name.
    layout : dict
        Labels of rows: `groups` and `strata`, where given.
    """

    truth: np.ndarray
    models: dict
    layout: dict

    @property
    def pair(self):
        """The answers of A and B, where there are no more."""
        if len(self.models) > 2:
            raise UsageError(
                f"This compares two models. Got {len(self.models)}: "
                f"{', '.join(self.models)}"
            )
        return tuple(self.models.values())


def load(options):
    """Read what the options ask for.

    Parameters
    ----------
    options : argparse.Namespace
        `files`, the names of columns, and how to read.

    Returns
    -------
    Data
        Rows in the order of the first file.
    """
    if options.files.count(STDIN) > 1:
        raise UsageError("Standard input, -, can be given once only")
    how = {
        "format": options.input_format,
        "encoding": options.encoding,
        "delimiter": options.delimiter,
        "quotes": options.quotes,
    }
    with contextlib.ExitStack() as stack:
        tables = [open_table(path, stack, **how) for path in options.files]
        _check_alignable(tables, options.id)
        return _load(tables, options)


def _load(tables, options):
    truth, models = find_truth(tables, options), find_models(tables, options)
    labels = {
        name: find_columns(f"--{name}", spec, tables, 0)
        for name in ("groups", "strata")
        if (spec := getattr(options, name)) is not None
    }
    copies = _copies(truth, tables)
    sources = [truth, *models, *labels.values(), *copies]
    _check_distinct(truth, models, tables)
    _check_all_used(tables, sources)
    columns = _read(tables, sources, labels, options)
    for copy in copies:
        _check_agreement(columns[truth][0], columns[copy][0])
    values, *answers = _answers(columns, truth, models, options)
    names = _model_names(models, tables)
    layout = {name: columns[source][0].labels() for name, source in labels.items()}
    return Data(values, dict(zip(names, answers, strict=True)), layout)


def _copies(truth, tables):
    """Return where else the truth of two files is: it must be the same there."""
    if len(tables) != 2 or truth.is_pattern:
        return []
    other = 1 - truth.place
    names = tuple(tables[other].match(truth.spec))
    return [Source(other, truth.spec, names)] if names else []


def _model_names(models, tables):
    """Return what to call the models: columns, or files where those do not tell."""
    paths = [Path(tables[source.place].path) for source in models]
    candidates = [
        [source.spec for source in models],
        [path.stem for path in paths],
        list(map(str, paths)),
    ]
    if len(tables) > 1 and all(tables[source.place].positional for source in models):
        del candidates[0]
    for names in candidates:
        if len(set(names)) == len(names):
            return names
    return [f"{s.spec} of {p}" for s, p in zip(models, paths, strict=True)]


# Checks


def _check_alignable(tables, key):
    if key is not None:
        for table in tables:
            if key not in table.names:
                raise UsageError(no_column(key, [table]))
    elif len(tables) > 1 and not all(table.positional for table in tables):
        raise UsageError(
            "Several tables are aligned by a column of ids: name it with --id"
        )


def _check_distinct(truth, models, tables):
    sources = [truth, *models]
    for number, source in enumerate(sources):
        if source in sources[:number]:
            raise UsageError(
                f"{source.spec} of {tables[source.place].title} is named twice: truth "
                "and models must be columns of their own"
            )


def _check_all_used(tables, sources):
    for place, table in enumerate(tables):
        if not any(source.place == place for source in sources):
            raise UsageError(f"No column of {table.title} is asked for: leave it out")


def _check_agreement(truth, copy):
    apart = np.flatnonzero(truth.texts() != copy.texts())
    if len(apart):
        raise UsageError(
            f"{truth.title} and {copy.title} differ in {len(apart):,} of "
            f"{len(truth):,} rows: they must hold the same truth"
        )


def _check_sequences(metric, columns):
    for column in columns:
        if not column.sequences():
            raise UsageError(
                f"--scoring {metric} needs a list in each cell, as JSON lines have "
                f"them. {column.title} has none"
            )


# Reading


def _read(tables, sources, labels, options):
    """Return the columns of each source, rows in the order of the first file."""
    as_written = {name for source in labels.values() for name in source.names}
    if is_of_texts(options.scoring):
        as_written |= {name for source in sources for name in source.names}
    keys = [] if options.id is None else [options.id]
    read = []
    for place, table in enumerate(tables):
        names = [name for s in sources if s.place == place for name in s.names]
        names = list(dict.fromkeys([*names, *keys]))
        read.append(table.read(names, as_written=as_written.union(keys)))
    orders = _orders(tables, read, options.id)
    return {
        source: [
            read[source.place][name].take(orders[source.place]) for name in source.names
        ]
        for source in sources
    }


def _orders(tables, read, key):
    if key is not None:
        return row_orders(tables, [columns[key] for columns in read])
    lengths = [len(next(iter(columns.values()))) for columns in read]
    for table, length in zip(tables, lengths, strict=True):
        if length != lengths[0]:
            raise UsageError(
                f"{table.title} has {length:,} rows and {tables[0].title} "
                f"{lengths[0]:,}"
            )
    return [np.arange(length) for length in lengths]


# Types


def _answers(columns, truth, models, options):
    """Return the truth, and the answers of each model."""
    if truth.is_pattern:
        return _matrices(columns, truth, models)
    single = [source for source in models if not source.is_pattern]
    for metric in of_sequences(options.scoring):
        _check_sequences(metric, [columns[source][0] for source in (truth, *single)])
    values, answers = as_truth_and_singles(
        columns[truth][0],
        [columns[source][0] for source in single],
        texts=is_of_texts(options.scoring),
    )
    found = dict(zip(single, answers, strict=True))
    for source in set(models) - set(single):
        found[source] = as_probabilities(
            columns[source], source.parts, values, source.spec
        )
    answers = [values, *(found[source] for source in models)]
    if options.positive is None:
        return answers
    return against_the_rest(answers, options.positive)


def _matrices(columns, truth, models):
    """Return indicators of several labels, all in the order of the truth's."""
    answers = [as_matrix(columns[truth])]
    for source in models:
        if not source.is_pattern or set(source.parts) != set(truth.parts):
            raise UsageError(
                f"{source.spec} must match a column for each of {truth.spec}: "
                f"{', '.join(truth.parts[:10])}"
            )
        order = [source.parts.index(part) for part in truth.parts]
        answers.append(as_matrix([columns[source][place] for place in order]))
    return answers
