"""What all results share: how they print, show in a notebook and export."""

import abc
import dataclasses
import functools
import html

import numpy as np

from skcompare._format import format_number
from skcompare._version import __version__
from skcompare.results._table import Table

__all__ = ["Result", "bracket", "hidden"]

# A field that a short repr leaves out.
hidden = functools.partial(dataclasses.field, repr=False)


class Result(abc.ABC):
    """A frozen dataclass that says what it found.

    A subclass gives a `sentence`, the rows of a small table, notes, and what goes into
    the signature.
    """

    # Fields of many numbers, which `to_dict` leaves out.
    _bulky = ()

    @abc.abstractmethod
    def sentence(self):
        """Return the finding in a sentence that a paper could use."""

    @abc.abstractmethod
    def _table(self):
        """Return the rows of the small table: label, value, and what goes with it."""

    @abc.abstractmethod
    def _notes(self):
        """Return what to bear in mind, a line each."""

    @abc.abstractmethod
    def _provenance(self):
        """Return how the numbers came about, as a dict; None is left out."""

    def _omission(self):
        """Say what the small table leaves out, None if nothing."""
        return None

    def heading(self):
        """Return what was compared, in a few words."""
        return getattr(self, "scoring", type(self).__name__)

    def tables(self):
        """Return all numbers worth setting in a document.

        Returns
        -------
        list of Table
            By default the small table of the summary.
        """
        return [Table(self._table())]

    def notes(self):
        """Return what was tested, and what to bear in mind.

        Returns
        -------
        list of str
            A line each.
        """
        return self._notes()

    def row(self):
        """Return the result as a row of a table of several results.

        Returns
        -------
        dict of str
            Cells by name of the column; empty if a row cannot hold the result.
        """
        return {}

    @property
    def signature(self):
        """One line that says how the numbers came about, to go with them."""
        parts = {"skcompare": __version__, **self._provenance()}
        known = {name: value for name, value in parts.items() if value is not None}
        return "|".join(f"{name}:{value}" for name, value in known.items())

    def summary(self):
        """Return the sentence, the table and what to bear in mind.

        Returns
        -------
        str
            Several lines of text.
        """
        rows = self._table()
        width = max(len(label) for label, _, _ in rows) + 1
        table = [
            f"  {label:<{width}}{value:>10}  {extra}".rstrip()
            for label, value, extra in rows
        ]
        notes = [f"  {note}" for note in self._summary_notes()]
        return "\n".join(
            [self.sentence(), "", *table, "", *notes, f"  {self.signature}"]
        )

    def _summary_notes(self):
        return list(filter(None, [*self._notes(), self._omission()]))

    def __str__(self):
        return self.summary()

    def _repr_html_(self):
        cells = "".join(
            "<tr><th style='text-align:left'>{}</th><td>{}</td><td>{}</td></tr>".format(
                *map(html.escape, row)
            )
            for row in self._table()
        )
        notes = "".join(
            f"<li>{html.escape(note)}</li>" for note in self._summary_notes()
        )
        return (
            f"<div><p>{html.escape(self.sentence())}</p><table>{cells}</table>"
            f"<ul>{notes}</ul><p><code>{html.escape(self.signature)}</code></p></div>"
        )

    def to_dict(self):
        """Return all numbers as a dict that `json.dumps` takes.

        Returns
        -------
        dict
            The fields of this result and its `signature`.
        """
        names = [field.name for field in dataclasses.fields(self)]
        found = {n: _plain(getattr(self, n)) for n in names if n not in self._bulky}
        return found | {"signature": self.signature}


def _plain(value):
    """Turn arrays, tuples and scalars of NumPy into what JSON knows."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if hasattr(value, "_asdict"):
        return {name: _plain(item) for name, item in value._asdict().items()}
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def bracket(interval):
    """Format an interval; one that is None or nan as nothing."""
    if interval is None or np.isnan(interval).all():
        return ""
    low, high = interval
    return f"[{format_number(low)}, {format_number(high)}]"
