"""What keeps people from a page who do not see it, or not well: asked of axe-core."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import axe_playwright_python
from playwright.sync_api import Page

THEMES: Final = ("light", "dark", "contrast")
AXE: Final = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()
HAS_AXE: Final = "() => typeof axe === 'object'"
SAYS: Final = """async (theme) => {
  document.documentElement.dataset.theme = theme;
  const told = await axe.run(document, { resultTypes: ["violations"] });
  return told.violations.filter((one) => ["serious", "critical"].includes(one.impact))
    .flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 120)}`
      + ` (${(node.any[0] || node.all[0] || node.none[0]).message.slice(0, 160)})`));
}"""


def barriers(page: Page, theme: str) -> list[str]:
    """Name what axe-core calls serious or critical on a page in a theme."""
    if not page.evaluate(HAS_AXE):
        page.evaluate(AXE)
    found: list[str] = page.evaluate(SAYS, theme)
    return found
