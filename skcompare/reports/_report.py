"""Results as documents, in the format of your choice."""

import functools
import html
from pathlib import Path

from skcompare._validation import check_integer
from skcompare.reports._contents import collect, results_sections
from skcompare.reports._disagreements import disagreement_section
from skcompare.reports._evidence import rows_of
from skcompare.reports._files import write_file
from skcompare.reports._slices import slice_sections
from skcompare.results import SUFFIXES, Document, write

MOST_ROWS = 1000


class ComparisonReport:
    """A document on what comparisons gave.

    For each result it has the sentence, all numbers in tables, a plot (in HTML), the
    null hypothesis, the estimand, what to bear in mind, and the signature that repeats
    the result. Given the rows that the test was made on, it looks closer: at the same
    test on slices of them, and at the rows on which the models disagree most.

    Read more in the :ref:`User Guide <reports>`.

    Parameters
    ----------
    results : Result, fitted comparison, or list or dict of them
        What to report. The keys of a dict are headings. `slices` need a fitted test of
        two models here, such as :class:`PairedBootstrap`.
    title : str, default=""
        The title.
    y_true : array-like, default=None
        The truth of the rows that the test was made on.
    y_pred_a, y_pred_b : array-like or dict, default=None
        The predictions of the two models, as in `fit_predictions`. For a fitted test of
        fitted models, `X` will do instead.
    X : array-like, DataFrame, or list of str, default=None
        The rows. Some of it is shown beside rows on which the models disagree.
    groups, strata, sample_weight : array-like, default=None
        As they were given to the test.
    slices : dict, default=None
        By name a category for each row, each of which is a slice, or a mask of True
        and False, which is one slice.
    n_disagreements : int, default=10
        The number of rows to show in favor of each model, at most. 0 shows none.

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
    models' scores on the single row, by the first metric of the test that is an average
    over rows; if there is none, by accuracy, log loss or absolute error. Of equal
    differences, earlier rows come first. `sample_weight` does not matter here.

    What is passed as rows must be what the test saw: the numbers of rows must be the
    same, and for a test of fitted models or predictions the scores as well.

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
    ...     y_true=truth,
    ...     y_pred_a=pred_a,
    ...     y_pred_b=pred_b,
    ...     slices={"half": ["first"] * 20 + ["second"] * 20},
    ... )
    >>> text = document.render()
    >>> for line in text[text.index("2 slices"):].splitlines()[:2]:
    ...     print(line)
    2 slices of the rows, each tested by itself. Those significant at 0.05 after
    Holm's correction: half = first.
    >>> _ = document.save("report.html")  # doctest: +SKIP
    """

    def __init__(
        self,
        results,
        *,
        title="",
        y_true=None,
        y_pred_a=None,
        y_pred_b=None,
        X=None,
        groups=None,
        strata=None,
        sample_weight=None,
        slices=None,
        n_disagreements=10,
    ):
        self.results = results
        self.title = title
        self.y_true = y_true
        self.y_pred_a = y_pred_a
        self.y_pred_b = y_pred_b
        self.X = X
        self.groups = groups
        self.strata = strata
        self.sample_weight = sample_weight
        self.slices = slices
        self.n_disagreements = n_disagreements

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
        sections = results_sections(self.results)
        return Document(str(self.title), (*sections, *self._closer_look()))

    def _closer_look(self):
        """Return the sections on slices and single rows, if rows were given."""
        check_integer("n_disagreements", self.n_disagreements, 0, MOST_ROWS)
        data = {name: getattr(self, name) for name in _DATA}
        if self.slices is None and all(values is None for values in data.values()):
            return []
        test = self._test()
        problem, sections = rows_of(test, **data), []
        if self.slices is not None:
            sections += slice_sections(test, problem, self.slices)
        if self.n_disagreements:
            first = collect(self.results)[0][1]
            names = getattr(first, "name_a", "A"), getattr(first, "name_b", "B")
            section = disagreement_section(
                problem, self.n_disagreements, X=self.X, names=names
            )
            sections.append(section)
        return sections

    def _test(self):
        """Return the fitted test among the results; None if none is needed or known."""
        items = self.results
        if isinstance(items, dict):
            items = items.values()
        elif not isinstance(items, list | tuple):
            items = [items]
        tests = [item for item in items if getattr(item, "takes_slices", False)]
        if len(tests) == 1:
            return tests[0]
        if self.slices is None:
            return None
        raise ValueError(
            "`results` must be, or have in it, one fitted test of two models, such as "
            "PairedBootstrap or McNemar, for `slices`: it is made again on each of "
            f"them. Got {len(tests)} of them."
        )


_DATA = ("y_true", "y_pred_a", "y_pred_b", "X", "groups", "strata", "sample_weight")


def report(results, format="text", **options):
    r"""Return a document on what comparisons gave.

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
    | p-value | 9.5e-07 | exact |
    """
    return ComparisonReport(results, **options).render(format)
