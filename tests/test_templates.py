"""What no template and no script of ours contains.

A test goes through all of them and says what is wrong in which: one a file took longer to begin and
to end than to run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from referee.web.render import LANGUAGES, here

TEMPLATES = sorted(here("templates").rglob("*.html"))
SCRIPTS = sorted(path for path in here("static").rglob("*.js") if path.parent.name != "vendor")

FORBIDDEN = {
    "an unquoted attribute": r"\s(?!localport)[\w:-]+=\{\{",
    "an escape hatch": r"\|\s*safe\b|autoescape\s+false|Markup\(",
    "a drawing joined to words": r"\b(icon|mark|picture|figure|token)\([^()]*\)\s*~",
    "inline style": r"\sstyle\s*=",
    "a style element": r"<style",
    "inline script": r"<script(?![^>]*\bsrc=)",
    "an event attribute": r"\son[a-z]+\s*=",
    "hx-on": r"hx-on",
    "script in hx-vals": r"hx-(vals|headers)\s*=\s*['\"]\s*js:",
    "a filter in hx-trigger": r"hx-trigger\s*=\s*['\"][^'\"]*\[",
    "a misspelt hx-disabled-elt": r"hx-disable-elt",
    "something from elsewhere": r"https?://(?!www\.w3\.org)",
    "a javascript address": r"javascript:",
}


def script(path: Path) -> str:
    """Name a script by its folder and itself."""
    return path.relative_to(here("static").resolve()).as_posix()


def wrong(find: Callable[[Path], Iterable[Any]], paths: Iterable[Path]) -> dict[str, list[Any]]:
    """Give what is found in each file that has any of it, by the file's path."""
    by_file = {path.as_posix(): [*find(path)] for path in paths}
    assert by_file
    return {name: found for name, found in by_file.items() if found}


def forbidden(path: Path) -> list[str]:
    """Name what is forbidden in a template and there all the same."""
    text = path.read_text(encoding="utf-8").replace("with http:// in front", "")
    text = text.replace("http://", "", 1) if path.name == "help.html" else text
    return [name for name, pattern in FORBIDDEN.items() if re.search(pattern, text)]


def test_nothing_forbidden() -> None:
    """No inline script or style, no unquoted or unescaped value, nothing from the internet."""
    assert wrong(forbidden, TEMPLATES) == {}


def test_no_line_is_past_140_columns() -> None:
    """A template is read beside another one, and a change in it is one line of a diff."""

    def long(path: Path) -> list[str]:
        return [line for line in path.read_text(encoding="utf-8").splitlines() if len(line) > 140]

    assert wrong(long, TEMPLATES) == {}


def nameless_forms(path: Path) -> Iterator[str]:
    """Find the forms of a template that lack a method or an address."""
    for form in re.findall(r"<form\b[^>]*>", path.read_text(encoding="utf-8")):
        if re.search(r"attrs\(|plain\(|instead\(|{{ form }}", form) or 'method="dialog"' in form:
            continue
        wanted = [r'method="(post|get)"', "action="]
        wanted += [r'hx-post="[^"]*"'] if "hx-post=" in form else []
        if not all(re.search(pattern, form) for pattern in wanted):
            yield form


def test_forms_that_change_something_say_post() -> None:
    """Every form has a method and an address; what htmx sends works as a plain form too."""
    assert wrong(nameless_forms, TEMPLATES) == {}


def names_alone(path: Path) -> Iterator[str]:
    """Find the names in a template that no element of their own holds."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"<(title|option)\b[^>]*>.*?</\1>|{% block title %}.*?{% endblock %}", "", text)
    text = re.sub(r'\w[\w-]*="[^"]*"', "", text)
    for match in re.finditer(r"\{\{[^}]*\b(?:card|me|other|seat)\.name\b[^}]*\}\}", text):
        if not re.search(r"<bdi[^>]*>$", text[: match.start()].rstrip()):
            yield match.group()


def whole(path: Path) -> str:
    """Give the source of a template, and of all that it extends or includes by name."""
    text = path.read_text()
    named = re.findall(r'{% (?:extends|include) "([\w/]+\.html)"', text)
    return text + "".join(whole(here("templates") / name) for name in named)


def test_how_forms_are_sent_is_said_once_by_the_body() -> None:
    """Each page on which parts with forms are drawn says it, and no such form says it again."""
    drawn = re.compile(r'data-part="(?:notice|seats|begin|step|again)"')
    said = 'hx-disabled-elt="find button"'
    made = {path: whole(path) for path in TEMPLATES if not path.name.startswith("_")}
    pages = [path for path, text in made.items() if drawn.search(text)]
    assert len(pages) >= 8

    assert [path.name for path in pages if "{{ sending() }}" not in made[path]] == []
    assert [path.name for path in TEMPLATES if said in path.read_text()] == ["_ui.html"]


def test_no_name_stands_alone() -> None:
    """A name is isolated from the text around it, so that its direction stays its own."""
    assert wrong(names_alone, TEMPLATES) == {}


def test_amount_fields_suit_phones() -> None:
    """Digits, no history of other people's bids."""
    for path in TEMPLATES:
        for field in re.findall(r"<input\b[^>]*name=\"amount\"[^>]*>", path.read_text("utf-8")):
            assert 'inputmode="numeric"' in field
            assert 'autocomplete="off"' in field
            assert 'type="number"' not in field


def containing(pattern: str) -> Callable[[Path], list[str]]:
    """Look for a pattern in files."""
    sought = re.compile(pattern)
    return lambda path: [each[0] for each in sought.finditer(path.read_text(encoding="utf-8"))]


def test_no_script_needs_eval() -> None:
    """The page's policy forbids it."""
    evil = r"\beval\(|new Function\(|document\.write|insertAdjacentHTML"

    assert wrong(containing(evil), SCRIPTS) == {}
    assert wrong(containing(r"https?://(?!www\.w3\.org)"), SCRIPTS) == {}


def test_no_script_replaces_what_the_browser_or_htmx_brings() -> None:
    """What another script relies on is not swapped behind its back."""
    swapped = r"\b(window|globalThis|self|htmx|navigator)\.\w+\s*=[^=]"

    assert wrong(containing(swapped), SCRIPTS) == {}


def imported(path: Path) -> Iterator[str]:
    """Name the scripts that a script imports, its game's and everybody's."""
    for found in re.findall(r'^import .*?"(\.[\w./]+)"', path.read_text("utf-8"), re.MULTILINE):
        yield script((path.parent / found).resolve())


def test_scripts_import_in_one_direction() -> None:
    """So each can be read alone, and what it needs is there before it runs."""
    imports = {script(path): {*imported(path)} for path in SCRIPTS}
    order = TopologicalSorter(imports).static_order()

    assert {*order} == {*imports}


def test_every_named_icon_is_in_its_sheet() -> None:
    """A picture that is not there is an empty square, and no page complains."""
    sheets = {
        path.parent.relative_to(here("static")).as_posix(): set(
            re.findall(r'<symbol id="([\w-]+)"', path.read_text("utf-8"))
        )
        for path in here("static").rglob("icons.svg")
    }
    call = re.compile(r"\bicon\('([\w-]+)'(?:, '(\w+)')?\)")
    named = {found for path in TEMPLATES for found in call.findall(path.read_text("utf-8"))}

    assert len(named) > 20
    assert {(name, game) for name, game in named if name not in sheets[game or "."]} == set()


def test_pages_can_be_had_in_three_languages() -> None:
    """Those of the boxes."""
    assert {*LANGUAGES} == {"en", "de", "fr"}


SENTENCE = re.compile(r"\{%-?\s*trans\b.*?\{%-?\s*endtrans\s*-?%\}", re.DOTALL)
SIGN = re.compile(r"[\w)X]\0*\s?[:;](?=[\s\0]|$|X)|[\w)X]\s?[!?](?=[\s\0]|$|X)")
NAMES_WITH_A_SIGN = ("HUCH!",)


def signs_alone(path: Path) -> list[str]:
    """Find the double signs of a template that stand in no sentence."""
    text = re.sub(r"\{#.*?#\}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"\{\{.*?\}\}", "X", SENTENCE.sub("X", text), flags=re.DOTALL)
    text = re.sub(r"<[^>]*>", "\0", re.sub(r"\{%.*?%\}", "", text, flags=re.DOTALL))
    for known in NAMES_WITH_A_SIGN:
        text = text.replace(known, "")

    return SIGN.findall(text)


def test_double_signs_stand_in_sentences() -> None:
    """French puts a narrow space before them, so none stands beside a sentence: `_(':')` does."""
    assert wrong(signs_alone, TEMPLATES) == {}
