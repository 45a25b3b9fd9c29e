"""Results as documents, in the format of your choice."""

import collections
import contextlib
import dataclasses
import functools
import html
import os
from collections.abc import Mapping
from pathlib import Path

from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from skcompare._parameters import Integer
from skcompare._validation import number_of_rows
from skcompare.reports._disagreements import disagreement_section
from skcompare.reports._slices import slice_sections
from skcompare.results import SUFFIXES, Document, Notes, Section, Shown, Table, write

MOST_ROWS = 1000


class ComparisonReport:
    """A report of comparisons: text, Markdown, LaTeX or HTML.

    For each result it has the sentence, all numbers in tables, a plot (in HTML), the
    null hypothesis, the estimand, what to bear in mind, and the signature that repeats
    the result. On request it looks closer at the rows that the test was made on: at the
    same test on slices of them, and at the rows on which the models disagree most.

    Read more in the :ref:`User Guide <reports>`.

    Parameters
    ----------
    results : Result, fitted comparison, or list or dict of them
        What to report. The keys of a dict are headings. `slices` and `n_disagreements`
        need a fitted test of two models here, such as :class:`PairedBootstrap`.
    title : str, default=""
        The title.
    slices : dict, default=None
        By name a category for each row of the data, each of which is a slice, or a mask
        of True and False, which is one slice. The test is made again on each of them.
    n_disagreements : int, default=0
        The number of rows on which the models disagree most to show in favor of each
        model, at most.
    X : array-like, DataFrame, or list of str, default=None
        The data, of which some is shown beside those rows.

    See Also
    --------
    report : The same in one call.

    Notes
    -----
    *Slices*: the test is made again, with the same parameters and seed, on the rows of
    each slice. The null hypothesis is that of the test for the population of rows like
    those of the slice; the estimand is the difference in score there. P-values are
    adjusted by Holm's procedure for the number of slices of a metric, which holds
    whether or not slices overlap; intervals are not. Posteriors are not adjusted. The
    slices must have been chosen without looking at who is better where. A slice of
    fewer than two rows, or one that the test refuses in some metric (it lacks a class,
    say), is listed there with the reason and does not count. Other metrics are tested
    on it all the same. Values of a category are sorted, or in the order of a
    categorical type.

    *Disagreements* are descriptive. Rows are ordered by the difference of the two
    models' scores on the single row, by the first metric of the test that is a mean of
    per-row scores; if there is none, by accuracy, log loss or absolute error. Of equal
    differences, earlier rows come first. `sample_weight` does not matter here.

    Names, labels and texts are escaped in all formats. The page of HTML loads nothing
    from anywhere, and needs matplotlib for its plots only.

    Examples
    --------
    >>> from skcompare import ComparisonReport, McNemar
    >>> truth = [0, 1] * 20
    >>> pred_a = [0, 1] * 18 + [1, 0] * 2
    >>> pred_b = [0, 0] * 20
    >>> test = McNemar().fit_predictions(truth, pred_a, pred_b)
    >>> document = ComparisonReport(
    ...     test,
    ...     slices={"half": ["first"] * 20 + ["second"] * 20},
    ... )
    >>> text = document.render()
    >>> for line in text[text.index("2 slices"):].splitlines()[:2]:
    ...     print(line)
    2 slices of the rows, each tested by itself. Those significant at 0.05 after
    Holm's correction: half = first, half = second.
    >>> _ = document.save("report.html")  # doctest: +SKIP
    """

    def __init__(self, results, *, title="", slices=None, n_disagreements=0, X=None):
        self.results = results
        self.title = title
        self.slices = slices
        self.n_disagreements = n_disagreements
        self.X = X

    def render(self, format="text"):
        """Return the document.

        Parameters
        ----------
        format : {"text", "markdown", "html", "latex"}, default="text"
            The format. HTML is a page with plots; LaTeX is without a preamble, for
            ``\\input``.

        Returns
        -------
        str
            The document.
        """
        return write(self._document, format)

    def save(self, path):
        """Write the document to a file, whole or not at all.

        Parameters
        ----------
        path : path-like
            The file. What it ends in decides on the format: ``.txt``, ``.md``,
            ``.html``, ``.htm`` or ``.tex``.

        Returns
        -------
        ComparisonReport
            The report itself.
        """
        suffix = Path(path).suffix.lower()
        if suffix not in SUFFIXES:
            raise ValueError(
                f"`path` must end in one of {', '.join(SUFFIXES)}, which tells the "
                f"format. Got {str(path)!r}."
            )
        write_file(path, f"{self.render(SUFFIXES[suffix])}\n".encode())
        return self

    def __str__(self):
        return self.render("text")

    def _repr_html_(self):
        page = html.escape(self.render("html"))
        size = "width: 100%; height: 40rem; border: 0"
        return (
            f'<iframe sandbox="allow-scripts" style="{size}" srcdoc="{page}"></iframe>'
        )

    @functools.cached_property
    def _document(self):
        """The results, and the sections on slices and single rows that were asked for.

        Those need the one test of two models that has the rows.
        """
        Integer(0, MOST_ROWS).check("n_disagreements", self.n_disagreements)
        if self.X is not None and not self.n_disagreements:
            raise ValueError(
                "`n_disagreements` must be above 0 if `X` is given: it is shown beside "
                "rows on which the models disagree. Got 0."
            )
        sections = [*results_sections(self.results)]
        if self.slices is None and not self.n_disagreements:
            return Document(str(self.title), tuple(sections))
        items = [item for _, item in _walk(self.results, "")]
        tests = [item for item in items if getattr(item, "takes_slices", False)]
        if len(tests) != 1:
            raise ValueError(
                "`results` must be, or have in it, one fitted test of two models, such "
                "as PairedBootstrap or McNemar, for `slices` and `n_disagreements`: it "
                f"has the rows, and is made again on slices. Got {len(tests)} of them."
            )
        (test,) = tests
        problem = test.problem_
        if self.slices is not None:
            sections += slice_sections(test, problem, self.slices)
        if self.n_disagreements:
            n_rows = problem.n_rows if problem.indices is None else problem.n_given
            if self.X is not None:
                number_of_rows(self.X, "X", ("y_true", n_rows))
            sections.append(disagreement_section(problem, self.n_disagreements, self.X))
        return Document(str(self.title), tuple(sections))


def report(results, format="text", **options):
    r"""Report comparisons as text, Markdown, LaTeX or HTML.

    Read more in the :ref:`User Guide <reports>`.

    Parameters
    ----------
    results : Result, fitted comparison, or list or dict of them
        What to report. The keys of a dict are headings.
    format : {"text", "markdown", "html", "latex"}, default="text"
        The format.
    **options : dict
        Parameters of :class:`ComparisonReport`, such as `title` and `slices`.

    Returns
    -------
    str
        The document.

    See Also
    --------
    ComparisonReport : Writes files as well.

    Examples
    --------
    >>> from skcompare import McNemar, report
    >>> test = McNemar().fit_predictions([0, 1] * 20, [0, 1] * 20, [0, 0] * 20)
    >>> for line in report(test, format="markdown").splitlines()[2:8]:
    ...     print(line)
    | quantity | value | interval or precision |
    | --- | --: | --- |
    | score A | 1.0000 |  |
    | score B | 0.5000 |  |
    | A - B | +0.5000 | \[0.3520, 0.6480\] |
    | p-value | 4.8e-07 |  |
    """
    return ComparisonReport(results, **options).render(format)


# From results to sections, and from a document to a file


def _walk(item, heading):
    """Go through what users passed, with the names that they gave it."""
    if isinstance(item, Mapping):
        for name, part in item.items():
            yield from _walk(part, f"{heading}: {name}" if heading else str(name))
    elif isinstance(item, list | tuple):
        for part in item:
            yield from _walk(part, heading)
    elif isinstance(item, Shown | BaseEstimator):
        yield heading, item
    else:
        raise ValueError(
            "`results` must be a result, a fitted comparison, or a list or dict of "
            f"them. Got {item!r}."
        )


def results_sections(results):
    """Return an overview, where there are several results, and a section for each.

    Parameters
    ----------
    results : Result, comparison, or list or dict of them
        Whatever is shown, or has results once it is fitted. Keys of a dict are
        headings.

    Returns
    -------
    tuple of Section
        One result alone needs no heading, unless it was given one.
    """
    pairs = []
    for name, item in _walk(results, ""):
        if isinstance(item, Shown):
            shown = [item]
        elif hasattr(item, "results_"):
            shown = item.results_.values()
        elif hasattr(item, "result_"):
            shown = [item.result_]
        else:
            raise NotFittedError(
                f"This {type(item).__name__} instance is not fitted yet. Fit it before "
                "it is reported."
            )
        pairs += [(name, result) for result in shown]
    if not pairs:
        raise ValueError("`results` must have at least one result. Got none.")
    n_results, sections = collections.Counter(name for name, _ in pairs), []
    for name, result in pairs:
        section = result.section()
        # Several results of one name are distinguished by their own headings.
        if not name or n_results[name] > 1:
            name = ": ".join(filter(None, (name, section.title)))
        sections.append(dataclasses.replace(section, title=name))
    if len(pairs) == 1:
        if not isinstance(results, Mapping):
            (section,) = sections
            sections = [dataclasses.replace(section, title="", about=section.title)]
        return tuple(sections)
    rows = [
        {"comparison": section.title} | cells
        for section, (_, result) in zip(sections, pairs, strict=True)
        if (cells := result.row())
    ]
    if len(rows) < 2:
        return tuple(sections)
    table = Table.from_cells(rows)
    blocks = [table]
    if "p-value" in table.columns:
        note = "The p-values are not adjusted for their number."
        blocks.append(Notes("Bear in mind", (note,)))
    return (Section("Overview", tuple(blocks)), *sections)


def write_file(path, content):
    """Write a file such that it is never seen half written.

    Parameters
    ----------
    path : path-like
        The file. What is there stays until the new one is complete; what is no plain
        file, such as a pipe, is written to as it is.
    content : bytes
        What to write.
    """
    path = Path(path)
    if path.exists() and not path.is_file():  # not resolved: pipes have no path
        path.write_bytes(content)
        return
    target = path.resolve()
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: there is no such folder.")
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(content)
        os.replace(partial, target)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise
