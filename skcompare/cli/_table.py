"""A file with named columns, of which those that are asked for are read."""

import itertools

from skcompare.cli._columns import ColumnBuilder
from skcompare.cli._errors import UsageError

__all__ = ["BLOCK", "STDIN", "Table", "title_of"]

STDIN = "-"

# Rows that are read before they go into columns.
BLOCK = 10_000

# Names listed in a message.
N_LISTED = 10


def title_of(path):
    """Return what to call a file in messages."""
    return "standard input" if path == STDIN else path


class Table:
    """A file with named columns, of which those asked for are read.

    Parameters
    ----------
    path : str
        The file.
    names : list of str
        The names of its columns.
    blocks : callable
        ``blocks(positions)`` yields blocks of rows with the cells at these positions.
    positional : bool, default=False
        Whether rows have nothing but their position to tell them by.
    note : str, default=""
        How the file was read, where that may explain why a column is not there.
    """

    def __init__(self, path, names, blocks, *, positional=False, note=""):
        self.path, self.names, self.positional = path, names, positional
        self._blocks, self._note = blocks, note

    @property
    def title(self):
        """What to call the file in messages."""
        return title_of(self.path)

    def match(self, wanted):
        """Return the columns of a name, or of a pattern with one ``*``, in order."""
        if wanted in self.names or wanted.count("*") != 1:
            return [name for name in self.names if name == wanted]
        start, end = wanted.split("*")
        shortest = len(start) + len(end)
        return [
            name
            for name in self.names
            if name.startswith(start) and name.endswith(end) and len(name) > shortest
        ]

    def listing(self):
        """Return the names of columns for a message, and how they were read."""
        listed = ", ".join(self.names[:N_LISTED])
        more = len(self.names) - N_LISTED
        listed += f" and {more:,} more" if more > 0 else ""
        return f"{listed}. {self._note}" if self._note else listed

    def read(self, names, *, as_written):
        """Read some columns.

        Parameters
        ----------
        names : iterable of str
            Which ones.
        as_written : set of str
            Those to keep as they are written, numbers or not.

        Returns
        -------
        dict
            Each `Column` by name.
        """
        for name in names:
            if self.names.count(name) > 1:
                raise UsageError(f"{self.title} has more than one column {name!r}")
        builders = [
            ColumnBuilder(
                f"column {name!r} of {self.title}", numeric=name not in as_written
            )
            for name in names
        ]
        rows = self._blocks([self.names.index(name) for name in names])
        while block := list(itertools.islice(rows, BLOCK)):
            for builder, cells in zip(builders, zip(*block, strict=True), strict=True):
                builder.extend(cells)
        columns = [builder.column() for builder in builders]
        if not columns or not len(columns[0]):
            raise UsageError(f"{self.title} has no rows")
        return dict(zip(names, columns, strict=True))
