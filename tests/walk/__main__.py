"""Says what is wrong on which screen: `python -m tests.walk`, all games and languages or some.

With `--look FOLDER` it also takes every picture, and a page that shows them all: `make look`.
"""

from __future__ import annotations

import argparse
import html
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

from referee.games import GAMES
from tests.browsers import ARGUMENTS, chromium
from tests.table import LANGUAGES, app_at

from . import moments, told
from .kinds import kinds_of, met
from .reach import THEMES, barriers
from .scenes import Scene, Walk, around, beside
from .screens import SIZES, Screens

LOOK_AT = {"phone": (0, 4), "display": (0, 3)}
"""The sizes of which pictures are taken, by their place in SIZES."""
MORE = 12
"""Games played at least, so that the fullest positions are met."""


def scenes(walk: Walk, games: list[str], lang: str) -> Iterator[Scene]:
    """Give every scene in a language."""
    yield from around(walk.app, lang)
    for key in games:
        kinds, happenings = met(key, least=MORE), moments.happened(key, least=MORE)
        assert kinds_of(key) <= kinds.keys()
        assert not moments.unmet(key, happenings)
        for found in kinds.values():
            yield walk.of(found, lang)
        for happened in happenings.values():
            yield from moments.scenes(walk, happened, lang)
        yield from beside(walk.app, key, lang)
        yield from told.told(walk.app, key, lang)


def main() -> int:
    """Go through everything; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.walk", description=__doc__)
    parser.add_argument("names", nargs="*", help="games and languages; all where none is named")
    parser.add_argument("--look", type=Path, metavar="FOLDER", help="take pictures")
    options = parser.parse_args()
    games = [key for key in GAMES if key in options.names] or list(GAMES)
    languages = [lang for lang in LANGUAGES if lang in options.names] or list(LANGUAGES)
    shown: list[str] = []
    count = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        app_at(Path(folder)) as app,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        screens, walk = Screens(browser, app), Walk(app)
        for lang in languages:
            for scene in scenes(walk, games, lang):
                for fault, sizes in screens.faults(scene).items():
                    count += 1
                    sys.stdout.write(f"{scene.name} [{lang}]: {fault} @ {', '.join(sizes)}\n")
                for barrier in barriers_of(screens, scene):
                    count += 1
                    sys.stdout.write(f"{scene.name} [{scene.lang}]: {barrier}\n")
                if options.look:
                    shown += pictures(screens, scene, options.look, len(shown))
        screens.close()
        browser.close()
    if options.look:
        (options.look / "index.html").write_text(sheet(shown))
    sys.stdout.write(f"{count} faults\n")
    return 1 if count else 0


def barriers_of(screens: Screens, scene: Scene) -> Iterator[str]:
    """Say what keeps people from a scene who do not see it well, and in which theme."""
    page = screens.show(scene)
    for theme in THEMES:
        for barrier in barriers(page, theme):
            yield f"{barrier} @ {theme}"


def pictures(screens: Screens, scene: Scene, folder: Path, first: int) -> list[str]:
    """Take pictures of a scene, and give their places on the contact sheet."""
    folder.mkdir(parents=True, exist_ok=True)
    page, found = screens.show(scene), []
    for number in LOOK_AT[scene.device]:
        size = SIZES[scene.device][number]
        screens.resize(page, size)
        name = f"{first + len(found):04}.png"
        page.screenshot(path=folder / name)
        found.append(
            f'<figure><img src="{name}" loading="lazy" height="420">'
            f"<figcaption>{html.escape(scene.name)} · {scene.lang} · {size}</figcaption></figure>"
        )
    return found


def sheet(shown: list[str]) -> str:
    """Write the contact sheet."""
    style = "body{display:flex;flex-wrap:wrap;gap:1em;font:14px sans-serif}figure{margin:0}"
    return f"<!doctype html><meta charset=utf-8><style>{style}</style>{''.join(shown)}\n"


if __name__ == "__main__":
    sys.exit(main())
