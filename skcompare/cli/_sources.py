"""Which columns of which files hold the truth and the answers."""

import dataclasses
import difflib

from skcompare.cli._errors import UsageError

__all__ = ["Source", "find_columns", "find_models", "find_truth", "no_column"]


@dataclasses.dataclass(frozen=True)
class Source:
    """Columns of a table, by a name or a pattern.

    Parameters
    ----------
    place : int
        Which table.
    spec : str
        The name or pattern.
    names : tuple of str
        The columns.

    Examples
    --------
    >>> Source(0, "p_*_a", ("p_yes_a", "p_no_a")).parts
    ['yes', 'no']
    """

    place: int
    spec: str
    names: tuple

    @property
    def is_pattern(self):
        """Whether the columns were named by a pattern."""
        return self.names != (self.spec,)

    @property
    def parts(self):
        """What the ``*`` of the pattern stands for in each column."""
        start, end = self.spec.split("*")
        return [name[len(start) : len(name) - len(end)] for name in self.names]


def find_truth(tables, options):
    """Find the truth: in the first table, or in the one that has it."""
    if options.truth is None:
        return _only_column("--truth", tables, 0, options.id, allowed=len(tables) > 2)
    return find_columns("--truth", options.truth, tables, 0)


def find_models(tables, options):
    """Find the answers of each model.

    One table has those of all. Of two, the first is that of A and the second that of B.
    Of three or more, the first has the truth, and each of the others is of a model.

    Parameters
    ----------
    tables : list of Table
        The tables.
    options : argparse.Namespace
        `a` and `b`, or `models`, and `id`.

    Returns
    -------
    list of Source
        Where the answers are.
    """
    first, last = (0 if len(tables) <= 2 else 1), len(tables) - 1
    found = []
    for number, (option, spec) in enumerate(_specs(options, len(tables))):
        place = min(first + number, last)
        if spec is None:
            found.append(_only_column(option, tables, place, options.id, last > 0))
        else:
            found.append(find_columns(option, spec, tables, place))
    return found


def _specs(options, n_tables):
    """Return an option and a name of columns, or None, for each model."""
    n_files = max(n_tables - 1, 2)
    if options.models is None and n_files == 2:
        return [("--a", options.a), ("--b", options.b)]
    if options.a is not None or options.b is not None:
        raise UsageError(
            "--a and --b name two models. For more, name all with --models"
        )
    specs = options.models or [None]
    if len(specs) == 1 and n_tables > 1:
        specs = specs * n_files
    if len(specs) < 2:
        raise UsageError(f"--models must name at least two models. Got {specs[0]}")
    return [("--models", spec) for spec in specs]


def find_columns(option, spec, tables, place):
    """Find columns by a name or pattern.

    Parameters
    ----------
    option : str
        Where the user named them, for messages.
    spec : str
        The name or pattern.
    tables : list of Table
        The tables.
    place : int
        Which table to look into first. If it does not have them, one other must.

    Returns
    -------
    Source
        Where they are.
    """
    order = [place, *(p for p in range(len(tables)) if p != place)]
    found = {p: names for p in order if (names := tables[p].match(spec))}
    if not found:
        raise UsageError(no_column(spec, [tables[p] for p in order]))
    if place not in found and len(found) > 1:
        where = " and ".join(tables[p].title for p in found)
        raise UsageError(f"{option} {spec} is ambiguous: {where} have it")
    chosen = next(iter(found))
    return Source(chosen, spec, tuple(found[chosen]))


def _only_column(option, tables, place, key, allowed):
    """Return the only column of a table, besides that of ids."""
    table = tables[place]
    names = [name for name in table.names if name != key]
    if allowed and len(names) == 1:
        return Source(place, names[0], (names[0],))
    if table.positional and not allowed:
        raise UsageError(
            "Files without names of columns are given in the order truth, A, B. "
            f"Got {len(tables)}"
        )
    raise UsageError(
        f"{option} must name a column of {table.title}, which has {table.listing()}"
    )


def no_column(spec, tables):
    """Return what to say of a column that is not there."""
    named = "; ".join(f"{table.title} has {table.listing()}" for table in tables)
    close = difflib.get_close_matches(spec, [n for t in tables for n in t.names], n=1)
    hint = f". Did you mean {close[0]!r}?" if close else ""
    what = "are no columns like" if "*" in spec else "is no column"
    return f"There {what} {spec!r}: {named}{hint}"
