"""Playing without a finger or without eyes: with Tab and Enter, or by what a reader is told."""

from __future__ import annotations

import re
from typing import Any, Final

from playwright.sync_api import Locator, Page

from .bench import settled
from .touching import sends

IS_FOCUSED: Final = "node => node === document.activeElement"
HAS_RING: Final = """node => [node, node.closest("label")].filter(Boolean)
  .some((each) => getComputedStyle(each).outlineStyle === "solid")"""
TABS: Final = 60
ACTIVATE: Final = """function () {
  if (this.focus) this.focus();
  this.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}"""


def reach(page: Page, place: Locator) -> None:
    """Go to something with Tab, and see that it shows the focus."""
    settled(page)
    for _ in range(TABS):
        if place.evaluate(IS_FOCUSED):
            break
        page.keyboard.press("Tab")
    assert place.evaluate(HAS_RING)


def press(page: Page, place: Locator, *, to: str = "act") -> None:
    """Go to a button with Tab and press Enter; wait until the server has answered, with yes."""
    reach(page, place)
    sends(page, lambda: page.keyboard.press("Enter"), to=to)


def enter(page: Page, link: Locator) -> None:
    """Go to something with Tab that leads to another page, and press Enter."""
    reach(page, link)
    with page.expect_navigation():
        page.keyboard.press("Enter")


class Reader:
    """A page as Chromium tells it to a screen reader: roles and names, and nothing else."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._session = page.context.new_cdp_session(page)
        self._session.send("Accessibility.enable")

    def names(self, role: str) -> list[str]:
        """Give the names of all that has a role."""
        return [name for name, _ in self._nodes(role)]

    def activate(self, role: str, name: str, *, to: str = "") -> str:
        """Activate the first that has a role and whose name reads so; give its whole name.

        `to` is where it sends a form: then wait until the server has answered, with yes.
        """
        settled(self.page)
        nodes = self._nodes(role)
        found = [(said, node) for said, node in nodes if re.search(name, said)]
        assert found, (role, name, [said for said, _ in nodes])
        said, node = found[0]
        if to:
            sends(self.page, lambda: self._call(node), to=to)
        else:
            self._call(node)
        return said

    def _nodes(self, role: str) -> list[tuple[str, int]]:
        tree: list[dict[str, Any]] = self._session.send("Accessibility.getFullAXTree")["nodes"]
        return [
            (" ".join(node["name"]["value"].split()), node["backendDOMNodeId"])
            for node in tree
            if not node["ignored"] and node["role"]["value"] == role and "name" in node
        ]

    def _call(self, node: int) -> None:
        found = self._session.send("DOM.resolveNode", {"backendNodeId": node})
        self._session.send(
            "Runtime.callFunctionOn",
            {"objectId": found["object"]["objectId"], "functionDeclaration": ACTIVATE},
        )
