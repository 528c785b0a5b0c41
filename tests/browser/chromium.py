"""One Chromium for all browser tests of a process, started anew when it is gone or stands still."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Error, Playwright

from tests.browsers import ARGUMENTS

PATIENCE_S: Final = 30
"""How long a Chromium may take to close its pages; no test waits for that, so it is generous."""


class Chromium:
    """Starting one takes a second or more; profiles keep tests apart all the same."""

    def __init__(self, playwright: Playwright, path: str | Path, *arguments: str) -> None:
        self._playwright = playwright
        self._path = path
        self._arguments = arguments
        self._browser: Browser | None = None
        self._process = 0

    def browser(self) -> Browser:
        """Give the one that runs, or start one."""
        if self._browser is None or not self._browser.is_connected():
            self._browser = self._playwright.chromium.launch(
                executable_path=self._path, args=[*ARGUMENTS, *self._arguments]
            )
            self._process = _process_of(self._browser)
        return self._browser

    @contextmanager
    def closing(self) -> Iterator[None]:
        """Close pages in this block: a Chromium that stands still meanwhile is ended by force.

        Closing a page waits for ever when Chromium does not answer; only its end wakes who waits.
        """
        watch = threading.Timer(PATIENCE_S, self._kill)
        watch.start()
        try:
            yield
        except Error:  # it was ended, by us or by itself; the next test starts another
            if self._browser is not None and self._browser.is_connected():
                raise
        finally:
            watch.cancel()
            watch.join()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)

    def close(self) -> None:
        """End it. One that does not answer is ended by force after a while."""
        if self._browser is not None:
            self._browser.close()


def _process_of(browser: Browser) -> int:
    session = browser.new_browser_cdp_session()
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return next(int(process["id"]) for process in found if process["type"] == "browser")
