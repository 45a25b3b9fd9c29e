"""Pages of the built documentation in a real browser."""

import os
from pathlib import Path

import pytest

from tests.browser import Browser, needs_axe, needs_browser

SITE = Path(os.environ.get("SITE", "doc/_build/html"))

pytestmark = [
    needs_browser,
    pytest.mark.skipif(
        not (SITE / "index.html").exists(), reason="needs the built documentation"
    ),
]

PAGES = {
    "landing": "index.html",
    "guide": "user_guide/two_tests.html",
    "formulas": "user_guide/why_fast.html",
    "gallery": "auto_gallery/index.html",
    "example": "auto_gallery/two_models/plot_two_models.html",
    "report": "auto_gallery/speed_and_reports/plot_report.html",
    "reference": "generated/skcompare.PairedBootstrap.html",
}


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(params=PAGES)
def page(request, browser):
    browser.open((SITE / PAGES[request.param]).resolve())
    return browser


def test_a_page_loads_from_disk_without_other_requests(page):
    assert page.complaints() == []
    assert [
        url for url in page.requests() if not url.startswith(("file:", "data:"))
    ] == []


def test_a_page_is_not_wider_than_a_phone(page):
    assert page.width_on_a_phone() <= 390


def test_no_sentence_of_an_output_is_cut_off(page):
    assert not page.evaluate(
        "[...document.querySelectorAll('pre')].filter("
        "e => e.scrollWidth > e.clientWidth + 2).length"
    )


def test_each_page_of_the_guide_has_a_figure_and_its_contents():
    pages = {path.stem: path.read_text() for path in SITE.glob("user_guide/*.html")}
    del pages["index"]
    assert len(pages) > 15
    assert not [name for name, text in pages.items() if "<figure" not in text]
    assert not [name for name, text in pages.items() if "page-toc" not in text]


def test_pages_within_a_page_end_where_their_content_ends(page):
    hidden = page.evaluate(
        "[...document.querySelectorAll('iframe')].filter(f => f.contentDocument && "
        "f.contentDocument.documentElement.scrollHeight > f.clientHeight + 2).length"
    )
    assert not hidden


@needs_axe
def test_pages_have_no_serious_barriers(browser):
    browser.open((SITE / "index.html").resolve())
    assert browser.serious_findings() == []


# Words that users search for, and a page that explains them.
EXPLAINED = {
    "permutation test": "Is A better than B?",
    "sample size": "How many rows? Power and sample size",
    "non-inferiority": "Glossary",
}


@pytest.mark.parametrize("words", EXPLAINED)
def test_the_search_finds(browser, words):
    browser.open((SITE / "search.html").resolve())
    titles = browser.evaluate(f"""new Promise(resolve => {{
        Search.performSearch({words!r});
        const look = () => document.querySelector("#search-results .search-summary")
            ?.textContent.includes("finished")
            ? resolve([...document.querySelectorAll("#search-results li > a")]
                .map(a => a.textContent))
            : setTimeout(look, 50);
        look();
    }})""")
    assert EXPLAINED[words] in titles
