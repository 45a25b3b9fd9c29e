"""A table of words, for whoever sets it."""

from typing import NamedTuple

__all__ = ["Table"]


class Table(NamedTuple):
    """Rows of strings, with names of columns and a caption where there are any.

    Parameters
    ----------
    rows : list of tuple of str
        The cells.
    columns : tuple of str, default=()
        The head; empty for a table that needs none.
    caption : str, default=""
        What the table shows.
    """

    rows: list
    columns: tuple = ()
    caption: str = ""
