"""Printed results: one section, set by one writer for each format."""

import ast
import dataclasses
import json
import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from skcompare import (
    BayesianComparison,
    BayesianSignedRank,
    CochranQ,
    FriedmanTest,
    McNemar,
    PairedBootstrap,
    PairwiseComparison,
    RankComparison,
    SearchComparison,
    replicability_analysis,
)
from skcompare.results import (
    SUFFIXES,
    Code,
    Display,
    Document,
    Figure,
    ForestDisplay,
    Notes,
    Paragraph,
    Presentable,
    Result,
    Section,
    Table,
    write,
)
from skcompare.results.writers import WRITERS

plt.switch_backend("Agg")

WIDTH = 79


@pytest.fixture(scope="module")
def printable():
    """One of each kind of result that prints, by name."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=120)
    a, b = (np.where(rng.random(120) < p, truth, 1 - truth) for p in (0.9, 0.7))
    models = {"a": a, "b": b, "c": 1 - b}
    X = np.column_stack([truth, a])
    grid = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]})
    table = pd.DataFrame(rng.random((8, 3)), columns=list("xyz"))
    bootstrap = PairedBootstrap(n_resamples=99, random_state=0)
    result = bootstrap.fit_predictions(truth, a, b).result_
    two = dataclasses.replace(result, alpha=1e-4)
    return {
        "two models": two,
        "posterior": BayesianComparison(n_draws=200, random_state=0)
        .fit_predictions(truth, a, b)
        .result_,
        "omnibus": CochranQ().fit_predictions(truth, models).result_,
        "omnibus of ranks": FriedmanTest().fit_scores(table).result_,
        "pairs": PairwiseComparison(test=McNemar())
        .fit_predictions(truth, models)
        .result_,
        "ranks": RankComparison().fit_scores(table).result_,
        "regions": BayesianSignedRank(rope=0.01, random_state=0, n_draws=200)
        .fit_scores(table["x"], table["y"])
        .result_,
        "search": SearchComparison(grid.fit(X, b), n_resamples=50, random_state=0)
        .fit()
        .result_,
        "replicability": replicability_analysis({"x": 0.001, "y": 0.2}),
    }


KINDS = (
    "two models",
    "posterior",
    "omnibus",
    "omnibus of ranks",
    "pairs",
    "ranks",
    "regions",
    "search",
    "replicability",
)
each_kind = pytest.mark.parametrize("kind", KINDS)


@each_kind
def test_a_print_wraps(kind, printable):
    assert max(map(len, str(printable[kind]).splitlines())) <= WIDTH
    assert "\n\n" in str(printable[kind])


@each_kind
def test_a_printed_signature_is_read_back_without_its_line_breaks(kind, printable):
    lines = str(printable[kind]).rpartition("\n\n")[2].splitlines()
    joined = "".join(line.strip() for line in lines)
    if isinstance(printable[kind], Result):
        assert joined == printable[kind].signature
    assert all(line.endswith("|") for line in lines[:-1])


def text_of(*code):
    return write(Document("", (Section("", (Code(*code),)),)), "text")


def test_long_python_is_broken_after_commas_outside_of_strings():
    names = [f"a long name, {n}" for n in range(6)]
    call = f"  {names!r}.index('a long name, 3', 0, {10**70}, {10**70})".strip()
    printed = text_of(call, "python")
    assert ast.unparse(ast.parse(printed.strip())) == call
    assert printed.count("\n") == 3
    assert max(map(len, printed.splitlines())) <= WIDTH


def test_code_that_fits_or_without_a_language_is_one_line():
    assert text_of("f(a, b)", "python") == "  f(a, b)"
    assert (
        text_of("skcompare " + 40 * "--x, ") == f"  skcompare {40 * '--x, '}".rstrip()
    )


@each_kind
def test_every_table_has_column_heads(kind, printable):
    tables = [b for b in printable[kind].section().blocks if isinstance(b, Table)]
    assert tables
    for table in tables:
        assert all(table.columns)
        assert {len(row) for row in table.rows} == {len(table.columns)}
        head = " ".join(table.columns).split()
        assert all(word in str(printable[kind]) for word in head if table.n_brief != 0)


@each_kind
def test_print_and_notebook_are_the_section_in_brief(kind, printable):
    section = printable[kind].section()
    assert isinstance(section, Section)
    assert section.title
    assert str(printable[kind]) == write(Document("", (section.brief(),)), "text")
    page = printable[kind]._repr_html_()
    assert page.count("<table>") == page.count("<thead>")
    assert page.count("<section>") == page.count("</section>") == 1
    assert page.count("<svg") == 1
    assert page.count("<style>") == 1
    for name in ("<script", "<button"):
        assert name not in page


@each_kind
def test_every_section_has_every_format(kind, printable):
    section = printable[kind].section()
    for format in WRITERS:
        text = write(Document("Title", (section,)), format)
        assert re.search(r"\bTitle\b", text)
        assert ("<svg" in text) == (format == "html")


@each_kind
@pytest.mark.parametrize("arrays", [False, True])
def test_every_result_is_a_dict_for_json(kind, arrays, printable):
    result = printable[kind]
    exported = result.to_dict(arrays=arrays)
    assert json.loads(json.dumps(exported)).keys() == exported.keys()
    left_out = {field.name for field in dataclasses.fields(result)} - exported.keys()
    long = {
        *("distribution", "statistic_distribution", "curve"),
        *("posterior", "posterior_a", "posterior_b"),
    }
    long |= {"results", "omnibus", "regions"}
    assert left_out <= (set() if arrays else long)


@each_kind
def test_results_are_frozen_and_tidy(kind, printable):
    result = printable[kind]
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.test = "another"
    if isinstance(result, Result):
        assert len(result.to_frame()) >= 1
        assert str(result) == result.summary()


@each_kind
def test_plots_are_displays(kind, printable):
    display = printable[kind].plot()
    assert isinstance(display, Display)
    assert display.figure_ is display.ax_.figure
    plt.close(display.figure_)


def test_a_class_with_a_section_prints_and_exports():
    @dataclasses.dataclass(frozen=True)
    class Advice(Presentable):
        test: object
        reasons: tuple

        def section(self):
            return Section(
                "Advice",
                (
                    Paragraph(f"Use {self.test!r}."),
                    Code("test.fit(X, y)"),
                    Notes("Why", self.reasons),
                    Notes("Bear in mind", ()),
                ),
            )

    advice = Advice(McNemar(), ("The metric is accuracy.",))
    assert str(advice) == (
        "Use McNemar().\n\n  test.fit(X, y)\n\nWhy:\n  The metric is accuracy."
    )
    assert "<li>The metric is accuracy.</li>" in advice._repr_html_()
    assert "Bear in mind" not in advice._repr_html_()
    assert advice.to_dict() == {
        "test": "McNemar()",
        "reasons": ["The metric is accuracy."],
    }


def test_a_print_cuts_tables_and_cells_and_a_document_does_not():
    rows = [(str(n), "x" * 70) for n in range(5)]
    table = Table(rows, ("n", "text"), "Rows", n_brief=3)
    absent = Table(rows, ("n", "other"), n_brief=0)
    section = Section("Title", (table, absent))
    brief = write(Document("", (section.brief(),)), "text")
    assert brief.startswith("Rows (3 of 5; to_frame() has all):")
    assert "other" not in brief
    whole = write(Document("", (section,)), "text")
    assert "other" in whole
    assert "x" * 61 not in brief
    assert whole.count("x" * 70) == 10


def test_names_of_columns_and_long_texts_are_broken_to_fit():
    rows = [("1.5", "a text of quite a few words that is not short", "0.123")] * 2
    columns = "a number of some kind", "the words that go with it", "another number"
    lines = write(Document("", (Section("", (Table(rows, columns),)),)), "text")
    assert max(map(len, lines.splitlines())) <= WIDTH
    wide = [("1.5", "several words " * 8, "0.123")] * 2
    lines = write(Document("", (Section("", (Table(wide, columns),)),)), "text")
    assert max(map(len, lines.splitlines())) <= WIDTH
    assert lines.count("several") == 16


def test_short_texts_are_broken_before_a_table_is_given_up():
    for n_scores, n_whole in ((3, 2), (4, 0)):
        scores = [f"score {n}" for n in range(n_scores)]
        columns = ("slice", *scores, "95 % interval", "p-value", "adjusted p-value")
        cells = *["0.8743"] * n_scores, "[-0.0180, 0.0419]", "<= 0.0050", "0.2450"
        table = Table([("half = 0", *cells)] * 2, columns)
        text = write(Document("", (Section("", (table,)),)), "text")
        assert max(map(len, text.splitlines())) <= WIDTH
        assert text.count("[-0.0180, 0.0419]") == n_whole
        assert len(re.findall(r"\[-0\.0180, .*\n +0\.0419\]", text)) == 2 - n_whole
        assert text.count("half = 0") == 2


def test_rows_of_a_table_that_does_not_fit_are_set_one_below_the_other():
    numbers = [f"{n}.0000" for n in range(10, 24)]
    rows = [("a", "gpt-4 \u65e5\u672c " * 9, *numbers), ("b", "", *numbers)]
    columns = ("model", "text", *(f"score {n}" for n in range(14)))
    table = Table(rows, columns, "Scores")
    text = write(Document("", (Section("", (table,)),)), "text")
    caption, first, second = text.split("\n\n")
    assert caption == "Scores:"
    lines = first.splitlines()
    assert lines[0] == "  model     a"
    assert lines[1].startswith("  text      gpt-4 ")
    assert lines[2].startswith("            ")
    assert lines[-1] == "  score 13  23.0000"
    assert first.count("gpt-4") == 9
    assert max(map(len, lines)) <= WIDTH
    assert second.startswith("  model     b\n  score 0   10.0000\n")
    assert "----" not in text
    long = Table([("a", "b c " * 30)] * 2, ("x" * 150, "y"))
    text = write(Document("", (Section("", (long,)),)), "text")
    assert max(map(len, text.splitlines())) <= WIDTH
    assert (text.count("x"), text.count("b")) == (300, 60)
    assert write(Document("", (Section("", (Table([], ()),)),)), "text").strip() == ""
    # As wide as a page is not too wide.
    fits = Table([("x" * 20,) * 3, ("1", "2", "3")], ("a", "b", "c" * 11))
    assert "----" in write(Document("", (Section("", (fits,)),)), "text")


def test_percentages_pvalues_and_counts_stay_on_one_line():
    for start in range(45, 80):
        text = f"{'x' * start} 95 % p = 0.01 p <= 0.0001 a, b and 10 more"
        lines = write(Document("", (Section("", (Paragraph(text),)),)), "text")
        for words in ("95 %", "p = 0.01", "p <= 0.0001", "and 10 more"):
            assert words in lines


def test_a_figure_is_drawn_only_where_a_format_has_plots():
    class Never:
        def plot(self):
            raise AssertionError

    document = Document("", (Section("", (Figure(Never(), "caption"),)),))
    for format in ("text", "markdown", "latex"):
        assert "caption" not in write(document, format)
    with pytest.raises(AssertionError):
        write(document, "html")
    forest = ForestDisplay(["row"], [0.1], [[0.0, 0.2]])
    page = write(Document("", (Section("", (Figure(forest, "mine"),)),)), "html")
    assert "<figcaption>mine</figcaption>" in page


def test_suffixes_are_those_of_the_writers():
    assert set(SUFFIXES.values()) == set(WRITERS)


@pytest.mark.parametrize("format", WRITERS)
def test_notes_need_no_title(format):
    untitled = Document("", (Section("", (Notes("", ("A remark.",)),)),))
    titled = Document("", (Section("", (Notes("Why", ("A remark.",)),)),))
    texts = [write(document, format) for document in (untitled, titled)]
    assert all("A remark." in text for text in texts)
    assert ["Why" in text for text in texts] == [False, True]
    assert not texts[0].startswith(":")
    for mark in ("****", "textbf{}", "<h3></h3>"):
        assert mark not in texts[0]


@pytest.mark.parametrize(
    ("format", "shown"),
    [
        ("text", "Use `a_b='<'`, not c_d."),
        ("markdown", "Use `a_b='<'`, not c\\_d."),
        ("html", "Use <code>a_b=&#x27;&lt;&#x27;</code>, not c_d."),
        ("latex", r"Use \texttt{a\_b='\textless{}'}, not c\_d."),
    ],
)
def test_every_format_marks_code_in_sentences(format, shown):
    text = "Use `a_b='<'`, not c_d."
    document = Document("", (Section("", (Paragraph(text), Notes("", (text,)))),))
    assert write(document, format).count(shown) == 2
