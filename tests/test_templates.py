"""What no template of ours contains."""

from __future__ import annotations

import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from referee.web.render import LANGUAGES, here

TEMPLATES = sorted(here("templates").rglob("*.html"))
SCRIPTS = sorted(path for path in here("static").rglob("*.js") if path.parent.name != "vendor")

FORBIDDEN = {
    "an unquoted attribute": r"\s(?!localport)[\w:-]+=\{\{",
    "an escape hatch": r"\|\s*safe\b|autoescape\s+false|Markup\(",
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


def the_file(path: Path) -> str:
    """Name a template in a test's id."""
    return path.relative_to(here("templates")).as_posix()


@pytest.mark.parametrize("path", TEMPLATES, ids=the_file)
def test_nothing_forbidden(path: Path) -> None:
    """No inline script or style, no unquoted or unescaped value, nothing from the internet."""
    text = path.read_text(encoding="utf-8").replace("with http:// in front", "")
    text = text.replace("http://", "", 1) if path.name == "help.html" else text
    found = {name for name, pattern in FORBIDDEN.items() if re.search(pattern, text)}

    assert found == set()


@pytest.mark.parametrize("path", TEMPLATES, ids=the_file)
def test_no_line_is_past_140_columns(path: Path) -> None:
    """A template is read beside another one, and a change in it is one line of a diff."""
    lines = path.read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if len(line) > 140] == []


@pytest.mark.parametrize("path", TEMPLATES, ids=the_file)
def test_forms_that_change_something_say_post(path: Path) -> None:
    """Every form has a method and an address; what htmx sends works as a plain form too."""
    for form in re.findall(r"<form\b[^>]*>", path.read_text(encoding="utf-8")):
        if re.search(r"attrs\(|plain\(|instead\(|{{ form }}", form) or 'method="dialog"' in form:
            continue
        assert re.search(r'method="(post|get)"', form), form
        assert "action=" in form, form
        if "hx-post=" in form:
            assert re.search(r'hx-post="([^"]*)"', form), form


@pytest.mark.parametrize("path", TEMPLATES, ids=the_file)
def test_no_name_stands_alone(path: Path) -> None:
    """A name is isolated from the text around it, so that its direction stays its own."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"<(title|option)\b[^>]*>.*?</\1>|{% block title %}.*?{% endblock %}", "", text)
    text = re.sub(r'\w[\w-]*="[^"]*"', "", text)
    for match in re.finditer(r"\{\{[^}]*\b(?:card|me|other|seat)\.name\b[^}]*\}\}", text):
        before = text[: match.start()]
        assert before.rstrip().endswith(">"), match.group()
        assert re.search(r"<bdi[^>]*>$", before.rstrip()), match.group()


def test_amount_fields_suit_phones() -> None:
    """Digits, no history of other people's bids."""
    for path in TEMPLATES:
        for field in re.findall(r"<input\b[^>]*name=\"amount\"[^>]*>", path.read_text("utf-8")):
            assert 'inputmode="numeric"' in field
            assert 'autocomplete="off"' in field
            assert 'type="number"' not in field


@pytest.mark.parametrize("path", SCRIPTS, ids=script)
def test_no_script_needs_eval(path: Path) -> None:
    """The page's policy forbids it."""
    text = path.read_text(encoding="utf-8")

    assert not re.search(r"\beval\(|new Function\(|document\.write|insertAdjacentHTML", text)
    assert not re.search(r"https?://(?!www\.w3\.org)", text)


@pytest.mark.parametrize("path", SCRIPTS, ids=script)
def test_no_script_replaces_what_the_browser_or_htmx_brings(path: Path) -> None:
    """What another script relies on is not swapped behind its back."""
    text = path.read_text(encoding="utf-8")

    assert not re.search(r"\b(window|globalThis|self|htmx|navigator)\.\w+\s*=[^=]", text)


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


@pytest.mark.parametrize("path", TEMPLATES, ids=the_file)
def test_double_signs_stand_in_sentences(path: Path) -> None:
    """French puts a narrow space before them, so none stands beside a sentence: `_(':')` does."""
    text = re.sub(r"\{#.*?#\}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"\{\{.*?\}\}", "X", SENTENCE.sub("X", text), flags=re.DOTALL)
    text = re.sub(r"<[^>]*>", "\0", re.sub(r"\{%.*?%\}", "", text, flags=re.DOTALL))
    for known in NAMES_WITH_A_SIGN:
        text = text.replace(known, "")

    assert SIGN.findall(text) == []
