"""Results as documents in several formats."""

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
from skcompare.results import (
    SUFFIXES,
    Document,
    Notes,
    Presentable,
    Section,
    Table,
    write,
)

MOST_ROWS = 1000


class ComparisonReport:
    """A report of comparisons: text, Markdown, LaTeX or HTML.

    For each result it contains the sentence, all numbers in tables, a plot (in HTML),
    the null hypothesis, the estimand, the caveats, and the signature that reproduces
    the result. Optionally it repeats the test on slices of the rows, and lists the rows
    on which the models disagree most.

    Read more in the :ref:`User Guide <reports>`.

    Parameters
    ----------
    results : Result, fitted comparison, or list or dict of them
        The results to report. The keys of a dict are headings. `slices` and
        `n_disagreements` require a fitted test of two models, such as
        :class:`PairedBootstrap`.
    title : str, default=""
        The title of the report.
    slices : dict, default=None
        Maps each name to an array with a category for each row of the data, where each
        category is a slice, or a boolean mask, which is one slice. The test is repeated
        on each slice.
    n_disagreements : int, default=0
        Maximum number of rows to show, in favor of each model, on which the models
        disagree most.
    X : array-like, DataFrame, or list of str, default=None
        The data, of which some features are shown beside those rows.

    See Also
    --------
    report : Return a report in one call.

    Notes
    -----
    *Slices*: the test is repeated, with the same parameters and seed, on the rows of
    each slice. The null hypothesis is that of the test for the population of rows like
    those of the slice; the estimand is the difference in score there. P-values are
    adjusted for the number of slices of a metric by Holm's procedure, which is valid
    whether or not slices overlap; intervals and posteriors are not adjusted. The slices
    must be chosen without looking at the scores of the models on them. If a slice has
    fewer than two rows, or cannot be tested in some metric (for example, because it
    lacks a class), it is listed with the reason and not counted; it is still tested in
    the other metrics. Categories are sorted, or in the order of a categorical type.

    *Disagreements* are descriptive. Rows are ordered by the difference between the two
    models' per-row scores in the first metric of the test that is a mean of such
    scores; if there is none, in accuracy, log loss or absolute error. Ties keep the
    order of the rows. `sample_weight` is ignored here.

    Names, labels and texts are escaped in all formats. The HTML page loads no external
    resources, and needs matplotlib only for its plots.

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
            The format. HTML is a page with plots; LaTeX has no preamble, for
            ``\\input``.

        Returns
        -------
        str
            The document.
        """
        return write(self._document, format)

    def save(self, path):
        """Write the document to a file, completely or not at all.

        Parameters
        ----------
        path : path-like
            The file. Its suffix determines the format: ``.txt``, ``.md``, ``.html``,
            ``.htm`` or ``.tex``.

        Returns
        -------
        ComparisonReport
            The report itself.
        """
        suffix = Path(path).suffix.lower()
        if suffix not in SUFFIXES:
            raise ValueError(
                f"`path` must end in one of {', '.join(SUFFIXES)}, which determines "
                f"the format. Got {str(path)!r}."
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
        """The results, and the requested sections on slices and single rows.

        These sections require exactly one test of two models, which has the rows.
        """
        Integer(0, MOST_ROWS).check("n_disagreements", self.n_disagreements)
        if self.X is not None and not self.n_disagreements:
            raise ValueError(
                "`n_disagreements` must be above 0 if `X` is given: `X` is shown "
                "beside the rows on which the models disagree. Got 0."
            )
        sections = [*results_sections(self.results)]
        if self.slices is None and not self.n_disagreements:
            return Document(str(self.title), tuple(sections))
        items = [item for _, item in _walk(self.results, "")]
        tests = [item for item in items if getattr(item, "takes_slices", False)]
        if len(tests) != 1:
            raise ValueError(
                "`results` must be or contain exactly one fitted test of two models, "
                "such as PairedBootstrap or McNemar, for `slices` and "
                "`n_disagreements`: it has the rows, and is repeated on slices. Got "
                f"{len(tests)} of them."
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
        The results to report. The keys of a dict are headings.
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
    ComparisonReport : Can also write files.

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
    """Yield all results and comparisons with their headings."""
    if isinstance(item, Mapping):
        for name, part in item.items():
            yield from _walk(part, f"{heading}: {name}" if heading else str(name))
    elif isinstance(item, list | tuple):
        for part in item:
            yield from _walk(part, heading)
    elif isinstance(item, Presentable | BaseEstimator):
        yield heading, item
    else:
        raise ValueError(
            "`results` must be a result, a fitted comparison, or a list or dict of "
            f"them. Got {item!r}."
        )


def results_sections(results, *, requires_all=False):
    """Return a section for each result, after an overview if there are several.

    Parameters
    ----------
    results : Result, comparison, or list or dict of them
        The results, or fitted comparisons that have results. Keys of a dict are
        headings.
    requires_all : bool, default=False
        Whether a decision requires that all results are significant. This is an
        intersection-union test, whose p-values need no adjustment.

    Returns
    -------
    tuple of Section
        The sections. A single result has no heading unless one was passed.
    """
    pairs = []
    for name, item in _walk(results, ""):
        if isinstance(item, Presentable):
            own_results = [item]
        elif hasattr(item, "results_"):
            own_results = item.results_.values()
        elif hasattr(item, "result_"):
            own_results = [item.result_]
        else:
            raise NotFittedError(
                f"This {type(item).__name__} instance is not fitted yet. Fit it before "
                "reporting it."
            )
        pairs += [(name, result) for result in own_results]
    if not pairs:
        raise ValueError("`results` must have at least one result. Got none.")
    n_results, sections = collections.Counter(name for name, _ in pairs), []
    for name, result in pairs:
        section = result.section()
        # Several results with the same heading are distinguished by their titles.
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
    if "p-value" in table.columns and not requires_all:
        note = "The p-values are not adjusted for multiple comparisons."
        blocks.append(Notes("Bear in mind", (note,)))
    return (Section("Overview", tuple(blocks)), *sections)


def write_file(path, content):
    """Write a file atomically, so that it is never seen half written.

    Parameters
    ----------
    path : path-like
        The file. An existing file is replaced only once the new one is complete;
        anything that is not a regular file, such as a pipe, is written to directly.
    content : bytes
        The bytes to write.
    """
    path = Path(path)
    if path.exists() and not path.is_file():  # pipes cannot be resolved
        path.write_bytes(content)
        return
    target = path.resolve()
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: its folder does not exist.")
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(content)
        os.replace(partial, target)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise
