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


def test_a_page_loads_from_disk_and_asks_for_nothing_else(page):
    assert page.complaints() == []
    assert [
        url for url in page.requests() if not url.startswith(("file:", "data:"))
    ] == []


def test_a_page_is_not_wider_than_a_phone(page):
    assert page.width_on_a_phone() <= 390


def test_pages_within_a_page_end_where_their_content_ends(page):
    hidden = page.evaluate(
        "[...document.querySelectorAll('iframe')].filter(f => f.contentDocument && "
        "f.contentDocument.documentElement.scrollHeight > f.clientHeight + 2).length"
    )
    assert not hidden


@needs_axe
def test_nobody_is_kept_out(browser):
    browser.open((SITE / "index.html").resolve())
    assert browser.serious_findings() == []


WORDS = ["permutation test", "sample size", "non-inferiority"]


@pytest.mark.parametrize("words", WORDS)
def test_the_search_finds(words):
    index = (SITE / "searchindex.js").read_text()
    for word in words.replace("-", " ").split():
        stem = word[:5]
        assert f'"{stem}' in index or f",{stem}" in index or f"{{{stem}" in index
