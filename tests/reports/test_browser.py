"""The page of a report in a real browser: Chromium, if there is one."""

import base64

import numpy as np
import pytest

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    ComparisonReport,
    McNemar,
    PairedBootstrap,
    PairwiseComparison,
    WildClusterBootstrap,
)
from tests.browser import Browser, needs_axe, needs_browser

pytestmark = needs_browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror=hacked=1>"


@pytest.fixture(scope="module")
def page(browser, labels, tmp_path_factory):
    """A report with everything in it, opened."""
    truth, a, b = labels
    test = PairedBootstrap(n_resamples=99, random_state=0).fit_predictions(truth, a, b)
    document = ComparisonReport(
        test,
        title=HOSTILE,
        X=[HOSTILE] * 60,
        n_disagreements=10,
        slices={
            HOSTILE: np.arange(60) % 2,
            "B right": b == truth,
            "rows": [5] * 5 + [15] * 15 + [40] * 40,
        },
    )
    path = tmp_path_factory.mktemp("report") / "report.html"
    document.save(path)
    browser.open(path)
    return browser


def test_nothing_is_wrong_on_the_page(page):
    assert page.complaints() == []


def test_nothing_but_the_file_is_loaded(page):
    (url,) = page.requests()
    assert url.endswith("report.html")


def test_hostile_names_are_text(page):
    assert page.evaluate("typeof window.hacked") == "undefined"
    assert page.evaluate("document.title") == HOSTILE
    assert page.evaluate("document.querySelector('h1').textContent") == HOSTILE
    assert page.evaluate("document.querySelectorAll('img').length") == 0
    assert page.evaluate("document.scripts.length") == 1


def test_plots_are_drawn(page):
    plots = "[...document.querySelectorAll('svg')]"
    sizes = page.evaluate(f"{plots}.map(s => s.getBoundingClientRect().width)")
    assert len(sizes) == 2
    assert min(sizes) > 200
    dangling = page.evaluate(
        "[...document.querySelectorAll('svg use')].filter("
        "u => !document.querySelector(u.getAttribute('href'))).length"
    )
    assert dangling == 0


COLUMN = """[...document.querySelectorAll('section table')]
    .find(t => t.tHead && t.tHead.rows[0].cells[0].textContent === 'slice')"""


def column(page, place):
    rows = f"[...{COLUMN}.tBodies[0].rows].map(r => r.cells[{place}].textContent)"
    return page.evaluate(rows)


def click(page, place):
    page.evaluate(f"{COLUMN}.tHead.rows[0].cells[{place}].firstChild.click()")
    head = f"[...{COLUMN}.tHead.rows[0].cells].map(c => c.getAttribute('aria-sort'))"
    return page.evaluate(head)


def test_tables_sort_by_number_both_ways(page):
    before = column(page, 4)
    assert click(page, 4)[3:6] == [None, "ascending", None]
    deltas = column(page, 4)
    assert deltas == sorted(before, key=float) != before
    assert float(deltas[0]) < 0 < float(deltas[-1])
    assert click(page, 4)[3:6] == [None, "descending", None]
    assert [float(d) for d in column(page, 4)] == [float(d) for d in deltas[::-1]]


def test_tables_sort_by_text_and_rows_stay_together(page):
    together = dict(zip(column(page, 0), column(page, 2), strict=True))
    assert click(page, 0)[0] == "ascending"
    slices = column(page, 0)
    assert slices[-3:] == ["rows = 5", "rows = 15", "rows = 40"]
    assert dict(zip(slices, column(page, 2), strict=True)) == together


LUMINANCE = """(name => {
    const parts = getComputedStyle(document.body)[name].match(/\\d+/g).map(Number);
    return parts.slice(0, 3).reduce((a, b) => a + b) / 765;
})"""


def test_light_and_dark_follow_the_reader(page):
    contrast = {}
    for scheme in ("light", "dark"):
        page.prefer(scheme)
        ink = page.evaluate(f"{LUMINANCE}('color')")
        contrast[scheme] = page.evaluate(f"{LUMINANCE}('backgroundColor')") - ink
    page.prefer("light")
    assert contrast["light"] > 0.7
    assert contrast["dark"] < -0.7


def test_the_page_is_not_wider_than_a_phone(page):
    assert page.width_on_a_phone() <= 390


# By how many pixels each table is wider than what is seen of it.
HIDDEN = """[...document.querySelectorAll('.table')].map(
    t => t.scrollWidth - t.clientWidth)"""


def test_captions_of_wide_tables_are_whole_on_a_phone(page):
    ends = """[...document.querySelectorAll("caption")].map(
        c => c.getBoundingClientRect().right)"""
    with page.screen_of(390):
        ends = page.evaluate(ends)
        assert max(page.evaluate(HIDDEN)) > 0
    assert len(ends) == 2
    assert max(ends) <= 390


@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_have_no_serious_barriers(page, scheme):
    page.prefer(scheme)
    findings = page.serious_findings()
    page.prefer("light")
    assert findings == []


def test_every_plot_has_a_text_and_every_table_is_reached_by_keys(page):
    unnamed = (
        "[...document.querySelectorAll('svg')].filter(s => !s.closest('[aria-label]'))"
    )
    assert page.evaluate(f"{unnamed}.length") == 0
    heads = "[...document.querySelectorAll('th button')]"
    assert page.evaluate(f"{heads}.every(b => b.tabIndex === 0)")


def test_it_prints(page):
    pdf = base64.b64decode(page.call("Page.printToPDF")["data"])
    assert pdf.startswith(b"%PDF")


def test_several_results_on_one_page(browser, labels, tmp_path):
    truth, a, b = labels
    test = PairedBootstrap(n_resamples=99, random_state=0)
    several = PairwiseComparison(test=test)
    several.fit_predictions(truth, {"a": a, "b": b, "c": 1 - a})
    ComparisonReport([several, test.fit_predictions(truth, a, b)]).save(
        tmp_path / "all.html"
    )
    browser.open(tmp_path / "all.html")
    ids = "[...document.querySelectorAll('[id]')].map(e => e.id)"
    repeated = browser.evaluate(f"{ids}.length - new Set({ids}).size")
    assert repeated == 0
    assert browser.seen("Log.entryAdded") == browser.seen("Runtime.exceptionThrown")


@pytest.fixture
def mixed(browser, labels, tmp_path):
    """A report of results of several kinds, of models with usual names, opened."""
    truth, a, b = labels
    names = "RandomForestClassifier", "HistGradientBoostingClassifier"
    tests = [
        PairedBootstrap(scoring="f1", n_resamples=999, random_state=0),
        ApproxRandomization(scoring="f1", random_state=0),
        McNemar(),
        BayesianComparison(scoring="f1", n_draws=500, random_state=0),
        WildClusterBootstrap(scoring="f1", random_state=0),
    ]
    fitted = [test.fit_predictions(truth, a, b, names=names) for test in tests]
    path = tmp_path / "mixed.html"
    ComparisonReport(fitted).save(path)
    browser.open(path)
    return browser


# The number of rectangles of each word in first columns; two if it is broken.
WORDS = """[...document.querySelectorAll("td:first-child")].flatMap(cell => {
    const counts = [];
    for (const node of cell.childNodes)  // between places where words may be broken
        for (const word of node.textContent.matchAll(/\\S+/g)) {
            const range = document.createRange();
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            counts.push(range.getClientRects().length);
        }
    return counts;
})"""
HIDDEN = (
    "[...document.querySelectorAll('.table')].map(t => t.scrollWidth - t.clientWidth)"
)


@pytest.mark.parametrize("width", [390, 1280])
def test_names_in_the_first_column_are_only_broken_between_words(mixed, width):
    with mixed.screen_of(width):
        counts = mixed.evaluate(WORDS)
    assert len(counts) > 30
    assert set(counts) == {1}


def test_an_overview_of_results_of_several_kinds_fits_on_a_screen(mixed):
    with mixed.screen_of(1280):
        assert set(mixed.evaluate(HIDDEN)) == {0}


def test_the_tables_of_single_results_fit_on_a_phone(mixed):
    with mixed.screen_of(390):
        overview, *tables = mixed.evaluate(HIDDEN)
    assert overview > 0
    assert set(tables) == {0}


def test_the_text_of_plots_is_readable_on_a_phone(mixed):
    sizes = """[...document.querySelectorAll("svg")].map(
        s => s.getBoundingClientRect().width / s.viewBox.baseVal.width)"""
    hidden = """[...document.querySelectorAll("figure")].map(
        f => f.scrollWidth - f.clientWidth)"""
    with mixed.screen_of(390):
        pixels_per_point = mixed.evaluate(sizes)
        assert len(pixels_per_point) == 5
        assert min(pixels_per_point) * 10 > 10  # of text of 10 points
        assert set(mixed.evaluate(hidden)) == {0}


def test_a_wide_plot_scrolls_by_keys_on_a_phone(browser, labels, tmp_path):
    rng, truth = np.random.default_rng(0), labels[0]
    models = {f"a model with a long name {n}": rng.integers(2, size=60) for n in "abcd"}
    several = PairwiseComparison(test=McNemar())
    several.fit_predictions(truth, models)
    ComparisonReport(several).save(tmp_path / "wide.html")
    browser.open(tmp_path / "wide.html")
    with browser.screen_of(390):
        figure = "document.querySelector('figure')"
        assert browser.evaluate(f"{figure}.scrollWidth - {figure}.clientWidth") > 0
        assert browser.evaluate(f"{figure}.tabIndex") == 0
