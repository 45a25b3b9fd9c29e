"""The page of a report in a real browser: Chromium, if there is one."""

import base64
import contextlib
import itertools
import json
import os
import select
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest

from skcompare import ComparisonReport, PairedBootstrap, PairwiseComparison

fcntl = pytest.importorskip("fcntl", reason="needs pipes as on Unix")

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FOUND = next(filter(None, map(shutil.which, NAMES)), None)

pytestmark = pytest.mark.skipif(FOUND is None, reason="needs Chromium")

TIMEOUT = 60


class Browser:
    """Chromium without a window, spoken to by the DevTools protocol over a pipe."""

    def __init__(self, folder):
        # The browser reads from descriptor 3 and writes to 4: ours must be others.
        (read_there, self._write), (self._read, write_there) = os.pipe(), os.pipe()
        far = [fcntl.fcntl(fd, fcntl.F_DUPFD, 20) for fd in (read_there, write_there)]

        def connect():
            for there, place in zip(far, (3, 4), strict=True):
                os.dup2(there, place)

        self._process = subprocess.Popen(
            [
                FOUND,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                f"--user-data-dir={folder}",
                "--remote-debugging-pipe",
            ],
            preexec_fn=connect,
            close_fds=False,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for descriptor in (read_there, write_there, *far):
            os.close(descriptor)
        self._numbers, self._buffer, self._session = itertools.count(1), b"", None
        self.events = []

    def call(self, method, **params):
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while (answer := self._receive()).get("id") != number:
            self.events.append(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def _receive(self):
        end = time.monotonic() + TIMEOUT
        while b"\0" not in self._buffer:
            left = max(end - time.monotonic(), 0)
            ready, _, _ = select.select([self._read], [], [], left)
            chunk = os.read(self._read, 1 << 20) if ready else b""
            assert chunk, "the browser does not answer"
            self._buffer += chunk
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def open(self, path):
        """Open a file in a new tab, and wait until it is loaded."""
        self._session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session, self.events = attached["sessionId"], []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url=path.as_uri())
        while not self.seen("Page.loadEventFired"):
            self.events.append(self._receive())

    def seen(self, method):
        return [e["params"] for e in self.events if e.get("method") == method]

    def evaluate(self, expression):
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def prefer(self, scheme):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._read)
        os.close(self._write)


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
    assert page.seen("Runtime.exceptionThrown") == []
    assert page.seen("Runtime.consoleAPICalled") == []
    assert page.seen("Log.entryAdded") == []


def test_nothing_but_the_file_is_loaded(page):
    urls = [event["request"]["url"] for event in page.seen("Network.requestWillBeSent")]
    assert len(urls) == 1
    assert urls[0].endswith("report.html")


def test_hostile_names_are_text(page):
    assert page.evaluate("typeof window.hacked") == "undefined"
    assert page.evaluate("document.title") == HOSTILE
    assert page.evaluate("document.querySelector('h1').textContent") == HOSTILE
    assert page.evaluate("document.querySelectorAll('img').length") == 0
    assert page.evaluate("document.scripts.length") == 1


def test_pictures_are_drawn(page):
    pictures = "[...document.querySelectorAll('svg')]"
    sizes = page.evaluate(f"{pictures}.map(s => s.getBoundingClientRect().width)")
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
    phone = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    page.call("Emulation.setDeviceMetricsOverride", **phone)
    wide = page.evaluate("document.documentElement.scrollWidth")
    page.call("Emulation.clearDeviceMetricsOverride")
    assert wide <= 390


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
