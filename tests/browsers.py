"""Find a Chromium for the browser tests, or fetch Playwright's: `python -m tests.browsers`.

A few tests look at Firefox and WebKit too, where a system's packages have brought them.

Without any, the browser tests are skipped with a loud reason; with CI=true that is a failure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

NAMES = (
    # The same engine without windows and their chrome: less than half the work for each page.
    "chromium-headless-shell",
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SMALL = ("lib/*/webkit2gtk-4.*/MiniBrowser", "libexec/webkit2gtk-4.*/MiniBrowser")
IS_CI = os.environ.get("CI", "").lower() == "true"


@cache
def chromium() -> str | None:
    """Give the path of a Chromium: named by REFEREE_CHROMIUM, on the PATH, or Playwright's."""
    named = os.environ.get("REFEREE_CHROMIUM")
    if named:
        return named
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return found or _of_playwright()


def firefox() -> str | None:
    """Give the path of a Firefox: named by REFEREE_FIREFOX, or on the PATH."""
    named = os.environ.get("REFEREE_FIREFOX")
    return named or shutil.which("firefox-esr") or shutil.which("firefox")


def webkit() -> tuple[str, str] | None:
    """Give the paths of WebKit's driver and its small browser, where there is a screen for them."""
    driver = shutil.which("WebKitWebDriver")
    small = next((str(path) for where in SMALL for path in Path("/usr").glob(where)), None)
    return (driver, small) if driver and small and shutil.which("Xvfb") else None


def _of_playwright() -> str | None:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # slow to import

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if path and Path(path).is_file() else None


def main() -> int:
    """Make sure there is a Chromium if one can be had."""
    if chromium() is None:
        fetch = [sys.executable, "-m", "playwright", "install", "chromium"]
        subprocess.run(fetch, check=False, timeout=600)
        chromium.cache_clear()
    found = chromium()
    if found:
        sys.stdout.write(f"Browser tests use {found}\n")
        others = {"Firefox": firefox(), "WebKit": webkit()}
        for name in (name for name, where in others.items() if where is None):
            sys.stdout.write(f"Nothing will be tried in {name}: it is not installed.\n")
        return 0
    sys.stdout.write(
        "\n*** NO CHROMIUM FOUND, AND NONE COULD BE FETCHED: BROWSER TESTS WILL BE SKIPPED. ***\n"
        "*** Install one (Debian: chromium-headless-shell), or set REFEREE_CHROMIUM. ***\n\n"
    )
    return 1 if IS_CI else 0


if __name__ == "__main__":
    sys.exit(main())
