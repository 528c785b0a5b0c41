"""What no template of ours contains."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.web.render import LANGUAGES, here

TEMPLATES = sorted(here("templates").rglob("*.html"))
SCRIPT = here("static") / "referee.js"
COMMON = (".", "table")  # the folders whose templates are no game's own

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


@pytest.mark.parametrize(
    "path",
    [path for path in TEMPLATES if Path(the_file(path)).parent.as_posix() in COMMON],
    ids=the_file,
)
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


def test_the_script_needs_no_eval() -> None:
    """The page's policy forbids it."""
    text = SCRIPT.read_text(encoding="utf-8")

    assert not re.search(r"\beval\(|new Function\(|document\.write|insertAdjacentHTML", text)
    assert not re.search(r"https?://", text)


def test_pages_can_be_had_in_three_languages() -> None:
    """Those of the boxes."""
    assert {*LANGUAGES} == {"en", "de", "fr"}
