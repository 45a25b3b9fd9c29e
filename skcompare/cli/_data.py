"""Read the truth and the predictions of models from files."""

import contextlib
import itertools
from pathlib import Path
from typing import NamedTuple

import numpy as np

from skcompare._format import format_count
from skcompare._parameters import suggestion
from skcompare.cli._tables import STDIN, Column, Table, UsageError, number_of

# Metrics of texts, which are not parsed then, and of sequences, which JSON supports.
OF_TEXTS = {"bleu", "chrf", "ter"}
OF_SEQUENCES = {"las", "uas"}

# Metrics of one class, which is 1 unless --positive is passed. Some of them are defined
# differently for more than two classes.
OF_ALL_CLASSES_TOO = {"average_precision", "neg_brier_score"}
OF_ONE_CLASS = OF_ALL_CLASSES_TOO | {"f1", "precision", "recall", "jaccard"}
# Metrics for which a single column contains the probabilities of an unknown class.
OF_ONE_COLUMN = {"roc_auc", "neg_log_loss"}

# Metrics of probabilities, which cannot be computed from a column of labels.
OF_PROBABILITIES = {
    *("neg_log_loss", "neg_brier_score", "d2_log_loss_score", "d2_brier_score"),
    *("roc_auc_ovr", "roc_auc_ovo", "roc_auc_ovr_weighted", "roc_auc_ovo_weighted"),
}


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

    @property
    def of_two(self):
        """The truth and the predictions of A and B; an error for more models."""
        if len(self.models) > 2:
            raise UsageError(
                f"This command compares two models. Got {len(self.models)}: "
                f"{', '.join(self.models)}"
            )
        return self.truth, *self.models.values()

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
    texts = OF_TEXTS.issuperset(options.scoring or [None])
    with contextlib.ExitStack() as stack:
        tables = [Table(path, stack, options) for path in options.files]
        ids = []
        if options.id is not None:
            ids = [_find("--id", options.id, [table], one=True) for table in tables]
        elif len(tables) > 1 and not all(table.positional for table in tables):
            raise UsageError(
                "Several tables are aligned by a column of ids: pass its name to --id"
            )
        truth, *models = _find_models(tables, ids, options)
        labels = {
            name: _find(f"--{name}", spec, tables, one=True)
            for name in ("groups", "strata")
            if (spec := getattr(options, name)) is not None
        }
        copies = [  # of the truth, which both of two files may contain
            copy
            for table in tables
            if len(tables) == 2 and table is not truth.table and truth.parts is None
            if (copy := table.find(truth.spec)).columns
        ]
        names = _model_names(models, tables, options.names)
        typed, raw = [truth, *models, *copies], [*labels.values(), *ids]
        for source in typed + raw if texts else raw:
            for column in source.columns:
                column.as_written = True
        n_rows = []
        for table, own_ids in itertools.zip_longest(tables, ids):
            own = [source for source in typed + raw if source.table is table]
            if own in ([], [own_ids]):
                raise UsageError(
                    f"No column of {table.title} is used: leave out the file"
                )
            columns = [column for source in own for column in source.columns]
            table.read(columns)
            n_rows.append(columns[0].n_rows)
            if own_ids is not None:
                _align(columns, own_ids, ids[0])
            elif n_rows[-1] != n_rows[0]:
                raise UsageError(
                    f"{table.title} has {format_count(n_rows[-1], 'rows')} and "
                    f"{tables[0].title} has {n_rows[0]:,}"
                )
    for copy in copies:
        (first,), (second,) = truth.columns, copy.columns
        n_different = np.count_nonzero(first.texts() != second.texts())
        if n_different:
            raise UsageError(
                f"{first.title} and {second.title} differ in {n_different:,} of "
                f"{first.n_rows:,} rows: they must contain the same truth"
            )
    values, *predictions = _typed(truth, models, texts, options)
    layout = {name: source.columns[0].labels() for name, source in labels.items()}
    data = Data(values, dict(zip(names, predictions, strict=True)), layout)
    if options.block_length is None:
        return data
    if "groups" in layout:
        raise UsageError("--block-length makes groups: do not pass --groups as well")
    return data.in_blocks(options.block_length)


# Finding columns


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
        if len(set(names)) < len(names) or len(names) != len(models):
            raise UsageError(
                f"--names must be {len(models)} different names, one for each model. "
                f"Got {', '.join(names)}"
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


# Types


def _typed(truth, models, texts, options):
    """Return the truth, and the predictions of each model."""
    if truth.parts is not None:
        return _matrices(truth, models)
    metrics = options.scoring or ()
    single = [source for source in models if source.parts is None]
    alone = [source.columns[0] for source in (truth, *single)]
    for metric in OF_SEQUENCES.intersection(metrics):
        for column in alone:
            if not column.has_lists:
                raise UsageError(
                    f"--scoring {metric} needs a list in each cell, as in JSON lines. "
                    f"{column.title} has none"
                )
    if texts:
        values, *predictions = [column.texts(raw=True) for column in alone]
    else:
        values, *predictions = typed_columns(*alone, points=options.decimal is None)
    for metric in OF_PROBABILITIES.intersection(metrics):
        for column, labels in zip(alone[1:], predictions, strict=True):
            if labels.dtype.kind in "iOU":
                raise UsageError(
                    f"--scoring {metric} needs probabilities, but {column.title} has "
                    "labels: pass a pattern for the columns of all classes, such as "
                    "'svm_proba_*'"
                )
    typed, labels = [values], iter(predictions)
    for source in models:
        is_single = source.parts is None
        typed.append(next(labels) if is_single else as_probabilities(source, values))
    if options.positive is not None:
        return one_against_rest(typed, options.positive)
    one_class = OF_ONE_CLASS | (OF_ONE_COLUMN if single else frozenset())
    for metric in one_class.intersection(metrics):
        classes = np.unique(values)
        class_set = set(classes.tolist())
        several = len(classes) > 2 and metric in OF_ALL_CLASSES_TOO | OF_ONE_COLUMN
        if not (class_set <= {0, 1} or class_set <= {-1, 1} or several):
            raise UsageError(
                f"--scoring {metric} is for one class of the truth, which has "
                f"{listed(classes)}: pass it to --positive, or use a metric of all "
                "classes, such as f1_macro"
            )
    return typed


def _matrices(truth, models):
    """Return indicator matrices of multilabel data, with labels ordered as in truth."""
    matrices = [as_matrix(truth.columns)]
    for source in models:
        if set(source.parts or ()) != set(truth.parts):
            raise UsageError(
                f"{source.spec} must match a column for each of {truth.spec}: "
                f"{listed(truth.parts)}"
            )
        order = [source.parts.index(part) for part in truth.parts]
        matrices.append(as_matrix([source.columns[place] for place in order]))
    return matrices


# Columns of compatible types


def typed_columns(truth, *singles, points):
    """Return the truth and the single columns of models with compatible types.

    Labels are compared as numbers if all of them are numbers, otherwise as strings.
    Numbers for a truth of strings are scores, unless some of them are labels.

    Parameters
    ----------
    truth : Column
        The truth.
    *singles : tuple of Column
        Models' predictions of one column each.
    points : bool
        Whether to refuse numbers with decimal commas.

    Returns
    -------
    list of ndarray
        The truth, and the predictions of each model.
    """
    columns = [truth, *singles]
    for column in columns:
        column.check_complete()
        if points and column.numbers is None:
            column.check_points()
    numbers = [column.numbers for column in columns]
    if all(values is not None for values in numbers):
        return numbers
    if any(column.has_lists for column in columns):
        return [_nested(column) for column in columns]
    measured = numbers[0] is not None and (numbers[0] != np.round(numbers[0])).any()
    for column in columns if measured else ():
        if column.numbers is None:
            row, cell = column.first_text()
            raise UsageError(
                f"{truth.title} has numbers, but {column.title} has text: {cell!r} in "
                f"row {row:,}"
            )
    labels = truth.texts()
    typed = [labels]
    for column in singles:
        texts, values = column.texts(), column.numbers
        are_labels = np.isin(np.unique(texts), np.unique(labels)).any()
        typed.append(texts if values is None or are_labels else values)
    return typed


def _nested(column):
    """Return sequences as a matrix of numbers if possible, otherwise as objects."""

    def unquoted(cell):  # converts strings in sequences back to numbers
        if isinstance(cell, tuple):
            return tuple(map(unquoted, cell))
        number = number_of(cell)
        return cell if number is None else number

    levels = map(unquoted, column.levels)
    cells = np.fromiter(levels, dtype=object, count=len(column.levels))[column.codes]
    try:
        return np.array(cells.tolist(), dtype=float)
    except (TypeError, ValueError):
        return cells


def as_matrix(columns):
    """Put columns of numbers side by side."""
    for column in columns:
        column.check_complete()
        if column.numbers is None:
            column.check_points()
            row, cell = column.first_text()
            raise UsageError(f"{column.title} has text: {cell!r} in row {row:,}")
    return np.column_stack([column.numbers for column in columns])


def as_probabilities(source, truth):
    """Return the columns of a pattern as probabilities of classes.

    Parameters
    ----------
    source : Source
        The columns. The ``*`` of their pattern matches classes, or integers from 0.
    truth : ndarray
        The truth, from which the classes are taken.

    Returns
    -------
    dict
        "predict_proba", with the columns in the order of "classes".
    """
    matrix, classes = as_matrix(source.columns), np.unique(truth)
    names = _classes_named(source.parts, classes)
    if names is None:
        raise UsageError(
            f"{source.spec}: the * must stand for classes of the truth, which are "
            f"{listed(classes)}, or for their numbers from 0 in sorted order. Got "
            f"{listed(source.parts)}"
        )
    order = np.argsort(names)
    return {"predict_proba": matrix[:, order], "classes": names[order]}


def _classes_named(parts, classes):
    """Return the class of each column, None if its name does not identify it."""
    column = Column("", cells=parts)
    labels = column.texts() if classes.dtype.kind in "OU" else column.numbers
    if labels is None:
        return None
    if set(classes.tolist()) <= set(labels.tolist()):
        return labels
    if sorted(parts) == sorted(str(number) for number in range(len(classes))):
        return classes[np.array(parts).astype(int)]
    return None


def one_against_rest(values, positive):
    """Replace one class by 1 and all others by 0.

    Parameters
    ----------
    values : list
        The truth, then the predictions of each model.
    positive : str
        The class.

    Returns
    -------
    list
        The values as ones and zeros, or as probabilities of that class.

    Examples
    --------
    >>> truth, labels = np.array(["ham", "spam"]), np.array(["spam", "spam"])
    >>> probabilities = {"classes": truth, "predict_proba": np.array([[1, 0], [0, 1]])}
    >>> one_against_rest([truth, labels, probabilities], "spam")
    [array([0, 1]), array([1, 1]), array([0, 1])]
    """
    classes = np.unique(values[0])
    labels = _classes_named([positive], classes[:0])
    if labels is None or labels[0] not in classes:
        raise UsageError(
            "--positive must be a class of the truth, one of "
            f"{listed(classes)}. Got {positive!r}"
        )
    label, ones = labels[0], []
    for value in values:
        if isinstance(value, dict):
            ones.append(value["predict_proba"][:, value["classes"] == label][:, 0])
        elif value.dtype.kind in "OU" or np.isin(value, classes).all():
            ones.append((value == label).astype(int))
        else:
            ones.append(value)
    return ones


def listed(items, most=10):
    """Return the first items as text for a message."""
    return ", ".join(map(str, items[:most])) + (", ..." if len(items) > most else "")
