"""Scripts and stylesheets as they are sent mean what was written."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from referee.web.assets import Assets
from referee.web.render import here

from .chromium import Chromium

pytestmark = pytest.mark.browser

RULES = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return Array.from(sheet.cssRules, (rule) => rule.cssText);
}"""
"""As a browser writes what it read: only what it hands on as it is keeps its blanks."""
READ = """(text) => { new Function(`"use strict"; ${text}`); }"""
MODULE = re.compile(r"^(?:import|export) .+;$", re.MULTILINE)


@pytest.fixture(scope="module")
def page(chromium: Chromium) -> Iterator[Page]:
    """Open a page of nobody's."""
    page = chromium.browser().new_page()
    yield page
    page.close()


def test_stylesheets_mean_what_was_written(page: Page) -> None:
    """Each rule of each, in its order."""
    folder, assets = here("static"), Assets(here("static"))
    count = 0
    for path in folder.rglob("*.css"):
        text = re.sub(r"^@import .*$", "", path.read_text(), flags=re.MULTILINE)
        written = page.evaluate(RULES, text)
        found = assets.find(path.relative_to(folder).as_posix())
        assert found is not None
        rules = page.evaluate(RULES, found.body.decode())
        own = rules[len(rules) - len(written) :]
        assert [*map(plain, own)] == [*map(plain, written)], path.name
        count += len(own)
    assert count > 800


def plain(rule: str) -> str:
    """Write a rule without the blanks that a browser keeps where it hands on what it read."""
    return re.sub(r"([,:])\s+", r"\1", rule)


def test_every_script_can_be_read(page: Page) -> None:
    """What comes at once and what comes late, of all pages of all games."""
    folder, assets = here("static"), Assets(here("static"))
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*.js")]
    keys = [path.parent.name for path in folder.glob("*/game.js")]
    for place in ("js", *keys):
        names += [
            f"{place}/{kind}{late}.js" for kind in ("phone", "main") for late in ("", ".late")
        ]
    for name in names:
        found = assets.find(name)
        assert found is not None, name
        text = found.body.decode()
        if not name.startswith("vendor/"):
            text = MODULE.sub("", text)
        page.evaluate(READ, text)
