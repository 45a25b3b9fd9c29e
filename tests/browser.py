"""Chromium without a window, for tests of pages."""

import contextlib
import itertools
import json
import os
import select
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

fcntl = pytest.importorskip("fcntl", reason="needs pipes as on Unix")

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PROGRAM = next(filter(None, map(shutil.which, NAMES)), None)
TIMEOUT = 60

needs_browser = pytest.mark.skipif(PROGRAM is None, reason="needs Chromium")

# An accessibility checker, from the npm registry: npm install --no-save axe-core
AXE = Path(os.environ.get("AXE", "node_modules/axe-core/axe.min.js"))
needs_axe = pytest.mark.skipif(not AXE.exists(), reason="needs axe-core of npm")

PHONE = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}


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
                PROGRAM,
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
        while (reply := self._receive()).get("id") != number:
            self.events.append(reply)
        assert "error" not in reply, reply
        return reply["result"]

    def _receive(self):
        end = time.monotonic() + TIMEOUT
        while b"\0" not in self._buffer:
            left = max(end - time.monotonic(), 0)
            ready, _, _ = select.select([self._read], [], [], left)
            chunk = os.read(self._read, 1 << 20) if ready else b""
            assert chunk, "the browser does not reply"
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
        """Return the value of an expression, after its promise if it is one."""
        reply = self.call(
            "Runtime.evaluate",
            expression=expression,
            returnByValue=True,
            awaitPromise=True,
        )
        assert "exceptionDetails" not in reply, reply
        return reply["result"].get("value")

    def complaints(self):
        """Return what the page raised, and its errors and warnings in the console."""
        messages = self.seen("Runtime.consoleAPICalled")
        messages = [
            call for call in messages if call["type"] in ("error", "warning", "assert")
        ]
        return (
            self.seen("Runtime.exceptionThrown")
            + messages
            + self.seen("Log.entryAdded")
        )

    def requests(self):
        """Return the addresses of everything that the page requested."""
        events = self.seen("Network.requestWillBeSent")
        return [event["request"]["url"] for event in events]

    @contextlib.contextmanager
    def screen_of(self, width):
        """Show the page on a screen of a width in pixels."""
        screen = PHONE | {"width": width, "mobile": width == PHONE["width"]}
        self.call("Emulation.setDeviceMetricsOverride", **screen)
        yield
        self.call("Emulation.clearDeviceMetricsOverride")

    def width_on_a_phone(self):
        """Return how wide the page is on a screen of 390 pixels."""
        with self.screen_of(PHONE["width"]):
            return self.evaluate("document.documentElement.scrollWidth")

    def serious_findings(self):
        """Return what an accessibility checker finds serious or critical."""
        self.evaluate(AXE.read_text() + "; null")
        return self.evaluate(
            "axe.run().then(r => r.violations"
            ".filter(v => ['serious', 'critical'].includes(v.impact))"
            ".map(v => v.id + ': ' + v.nodes.map(n => n.target.join(' ')).join(', ')))"
        )

    def prefer(self, scheme):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
