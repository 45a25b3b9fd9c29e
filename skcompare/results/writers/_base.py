"""What all writers share: a document is its sections, a section its blocks."""

import abc

from skcompare.results._document import Code, Figure, Notes, Paragraph, Table


class Writer(abc.ABC):
    """Sets a document in one format; a subclass says how each kind of block is set."""

    # What the names of files in this format end in.
    suffixes = ()

    def write(self, document):
        """Set a document.

        Parameters
        ----------
        document : Document
            What to set.

        Returns
        -------
        str
            The document.
        """
        parts = [self.title(document.title)] if document.title else []
        return "\n\n".join([*parts, *map(self.section, document.sections)])

    def section(self, section):
        """Set a section; empty notes, and what a format does not have, are left out.

        Parameters
        ----------
        section : Section
            What to set.

        Returns
        -------
        str
            Its title, if there is one, and its blocks.
        """
        setters = {
            Paragraph: self.paragraph,
            Table: self.table,
            Notes: self.notes,
            Code: self.code,
            Figure: self.figure,
        }
        parts = [self.heading(section.title)] if section.title else []
        blocks = [block for block in section.blocks if not block.is_empty]
        parts += [setters[type(block)](block) for block in blocks]
        return "\n\n".join(filter(None, parts))

    @abc.abstractmethod
    def title(self, title):
        """Set the title of a document."""

    @abc.abstractmethod
    def heading(self, title):
        """Set the title of a section."""

    @abc.abstractmethod
    def paragraph(self, block):
        """Set a paragraph."""

    @abc.abstractmethod
    def table(self, table):
        """Set a table."""

    @abc.abstractmethod
    def notes(self, block):
        """Set notes."""

    @abc.abstractmethod
    def code(self, block):
        """Set code."""

    def figure(self, block):
        """Set a figure; most formats have none."""
        return ""
