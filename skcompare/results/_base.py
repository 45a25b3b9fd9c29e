"""What all results share: how they print, show in a notebook and export."""

import abc
import dataclasses
import functools
import html

import numpy as np

from skcompare._format import format_number
from skcompare._version import __version__

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
        notes = [f"  {note}" for note in self._notes()]
        return "\n".join(
            [self.sentence(), "", *table, "", *notes, f"  {self.signature}"]
        )

    def __str__(self):
        return self.summary()

    def _repr_html_(self):
        cells = "".join(
            "<tr><th style='text-align:left'>{}</th><td>{}</td><td>{}</td></tr>".format(
                *map(html.escape, row)
            )
            for row in self._table()
        )
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in self._notes())
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
    """Format an interval; None as nothing."""
    if interval is None:
        return ""
    low, high = interval
    return f"[{format_number(low)}, {format_number(high)}]"
